"""What the desk of play shows, as sections: plain data in, plain data out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from burma_study.study import autosave
from burma_study.ui.sections import barrage_sections, number, odds_sections, percent, text

Section = dict[str, Any]
Plain = Mapping[str, Any]

TITLES = {
    "mode": "Choose mode",
    "move": "March hex by hex",
    "release": "Release from Reserve",
    "overrun": "Overrun",
    "attack": "Attack",
    "barrage": "Barrage",
    "shell": "Shell an air base",
    "eat-all": "All eat",
    "eat": "Eat",
    "refill": "Refill stocks",
    "form-extender": "Form extender",
    "break-extender": "Break extender",
    "collapse-extender": "Collapse extender",
    "carry": "Mules on trucks",
    "rail": "Rail or box move",
    "freight": "Rail freight",
    "blow": "Blow supply",
    "fortify": "Dig a hedgehog",
    "dig-in": "Dig in",
    "raze": "Raze works",
    "airstrip": "Lay airstrip",
    "upgrade": "Upgrade airstrip",
    "raise": "Raise air base",
    "road": "Build Ledo Road",
    "exit": "Leave the map",
    "come": "Come back",
    "divert": "Divert the Hump",
    "deliver": "Place supply",
    "fly_in": "Fly in",
    "hip_shoot": "Hip shoot",
    "next": "Set the clock",
}
GROUPS = (
    ("March", ("mode", "move", "release", "overrun", "exit", "come")),
    ("Fight", ("attack", "barrage", "shell")),
    ("Supply and transport", ("refill", "eat", "eat-all", "load", "unload", "split", "merge", "form-extender")),
    ("", ("break-extender", "collapse-extender", "carry", "rail", "freight", "blow", "buffaloes")),
    ("Works", ("fortify", "dig-in", "raze", "airstrip", "upgrade", "raise", "road")),
    ("Air", ("ferry", "station", "strike", "recall", "bomb", "hip_shoot", "refit", "join", "lift", "fly_in", "hump")),
    ("Arrivals", ("arrive", "deliver", "divert", "rebuild", "clearings")),
)

SEATS = {
    "human": "you",
    "hold": "hold: stands where it is and defends itself",
    "history": "history: follows the historical line where it may",
}
UNSAID = {  # what an optional list says while nothing is chosen in it
    "banzai": "no",
    "ar": "named in the battle, if several could lead",
    "payment": "the nearest store",
    "attack payment": "the nearest store, else own stocks",
    "overrun payment": "the nearest store, else own stocks",
    "fuel": "the nearest store",
    "mode": "Combat Mode",
    "face": "the side that its mode shows",
    "what": "the units there",
    "recall at": "the base that they came from",
    "gliders": "none",
    "drop": "no, landed",
    "one_way": "no, there and back",
}
HINT = "march UNIT to PLACE, or help"
COMMON = ("mode", "move", "release", "overrun", "attack", "barrage", "eat", "eat-all", "refill", "arrive", "deliver")


def title_of(kind: str) -> str:
    """A kind of order as a button says it."""
    return TITLES.get(kind, kind.replace("_", " ").capitalize())


def button(key: str, label: str, value: Any = "", **more: Any) -> Section:
    """One button; `off` says why it cannot be pressed, `on` that it is chosen, `tell` shows the reason below."""
    said = {k: v for k, v in more.items() if v != ""}
    return {"key": key, "label": label, **({"value": value} if value != "" else {}), **said}


def buttons(items: Iterable[Section], title: str = "") -> Section:
    """A row of buttons."""
    return {"type": "buttons", "title": title, "items": list(items)}


def supply_points(tokens: int) -> str:
    """Tokens as a player counts them: 6 is "1 SP 2T"."""
    whole, rest = divmod(tokens, 4)
    return " ".join(x for x in (f"{whole} SP" if whole else "", f"{rest}T" if rest or not whole else "") if x)


def kinds_sections(kinds: Sequence[str], edits: Sequence[str], open_: str) -> list[Section]:
    """Every kind of order that may be given now, by matter; rare ones and those that set things by hand are folded."""
    left = [k for k in kinds if k != "done" and k not in edits]
    usual = [k for k in left if k in COMMON] or left
    rare = [k for k in left if k not in usual]
    folded = _grouped(rare, open_)
    if edits:
        folded.append(buttons((_kind(k, open_) for k in edits), "Rules, and things set by hand"))
    return [*_grouped(usual, open_), *([fold("More orders", folded, open_ in (*rare, *edits))] if folded else [])]


def _grouped(kinds: Sequence[str], open_: str) -> list[Section]:
    """Buttons of kinds by matter; those of no group last."""
    known = [k for _, group in GROUPS for k in group]
    rows = [(title, [k for k in group if k in kinds]) for title, group in GROUPS]
    rows.append(("Other orders", [k for k in kinds if k not in known]))
    return [buttons((_kind(k, open_) for k in here), title) for title, here in rows if here]


def _kind(kind: str, open_: str) -> Section:
    return button("kind", title_of(kind), kind, on=kind == open_)


def fold(title: str, inside: Sequence[Section], open_: bool) -> Section:
    """Sections that are shown when a reader unfolds them."""
    return {"type": "fold", "title": title, "sections": list(inside), "open": open_}


def edit_sections(kinds: Sequence[str], open_: str) -> list[Section]:
    """Any order as text; with kinds of order the buttons of those first."""
    by_hand = [fold("More orders", [buttons(_kind(k, open_) for k in kinds)], open_ in kinds)] if kinds else []
    return [
        *by_hand,
        {
            "type": "field",
            "key": "order",
            "slot": "order",
            "label": "Any order as text",
            "act": "Give",
            "size": 30,
            "hint": HINT,
        },
    ]


# an order being built -----------------------------------------------------------------------------------------------


def draft_sections(
    draft: Plain,
    odds: tuple[str, Plain] | None = None,
    *,
    payment: str = "",
    nothing: Sequence[str] = (),
    notes: Mapping[str, Sequence[str]] | None = None,
) -> list[Section]:
    """Every slot with its choices, the order's text, what speaks against it, the odds beside.

    `payment` says who will pay, `nothing` why the open slot has no choices, `notes` by slot what it does not offer.
    """
    out: list[Section] = [{"type": "text", "text": f"{title_of(draft['kind'])}: {draft['about']}.", "tone": "note"}]
    for slot in draft["slots"]:
        out += slot_sections(slot, draft["kind"], nothing)
        out += [text(note, "note") for note in (notes or {}).get(slot["name"], ())]
    if payment:
        out.append(text(payment))
    if draft["against"]:
        out.append({"type": "refusal", "items": draft["against"]})
    ready = bool(draft["text"]) and not draft["against"]
    why = "" if ready else "Fill what is missing first." if not draft["text"] else "The rules refuse it, see above."
    out.append(buttons([button("give", "Give this order", primary=ready, off=why), button("cancel", "Cancel")]))
    if draft["text"]:
        out.append({"type": "text", "text": draft["text"], "tone": "good" if ready else ""})
    if odds is not None:
        kind, found = odds
        out += barrage_sections(found) if kind == "barrage" else odds_sections(found)
    return out


def slot_sections(slot: Plain, kind: str = "", nothing: Sequence[str] = ()) -> list[Section]:
    """One slot: ticks, a list, a path that grows, or a field; `nothing` says why a required one has no choices."""
    name, label = slot["name"], slot["label"] + (" (optional)" if slot["optional"] else "")
    if slot["free"]:
        value = ", ".join(slot["chosen"])
        return [{"type": "field", "key": "slot", "slot": name, "label": label, "value": value, "hint": slot["of"]}]
    if slot["many"] and slot["of"] == "hex":
        return _path(slot, label)
    if not slot["choices"]:
        if slot["optional"]:
            return []
        why = nothing or ["Nothing may be chosen here and now."]
        return [text(f"{label}: {why[0]}", "note"), *(text(more, "note") for more in why[1:])]
    if slot["many"]:
        items = [
            {"value": c["value"], "pick": [name, c["value"]], "label": c["text"], "on": c["value"] in slot["chosen"]}
            for c in slot["choices"]
        ]
        return [{"type": "ticks", "key": "tick", "slot": name, "title": label, "items": items}, *_more(slot)]
    chosen = slot["chosen"][0] if slot["chosen"] else ""
    unsaid = UNSAID.get(f"{kind} {name}") or UNSAID.get(name, "as the rules have it")
    first = [["", unsaid if slot["optional"] else "choose …"]]
    yes = "yes, " if name == "banzai" else ""
    options = first + [[c["value"], yes + c["text"]] for c in slot["choices"] if c["value"]]
    return [pick("slot", name, label, options, chosen), *_more(slot)]


def _more(slot: Plain) -> list[Section]:
    return [text(f"And {slot['more']} more: pick on the map, or write the order as text.")] if slot["more"] else []


def _path(slot: Plain, label: str) -> list[Section]:
    steps = [button("tick", c["text"], [slot["name"], c["value"]]) for c in slot["choices"]]
    back = [button("back", "One hex back", slot["name"])] if slot["chosen"] else []
    there = " – ".join(slot["chosen"]) or "none yet"
    return [text(f"{label}: {there}. Click the next hex on the map, or choose it here."), buttons([*steps, *back])]


# a decision that is asked for ---------------------------------------------------------------------------------------


def question_sections(
    asked: str, answers: Sequence[Plain], open_: str, fights: Sequence[tuple[str, Plain]]
) -> list[Section]:
    """The question, its answers, and what it turns on."""
    out: list[Section] = [{"type": "text", "text": asked}]
    for title, odds in fights:
        expected, lead = odds["expected"], f"{title}: " if title else ""
        emptied, taken = (percent(expected[f"hex_{what}"]) for what in ("emptied", "taken"))
        loss = [number(expected[f"{s}_steps"]) for s in ("attacker", "defender")]
        out.append(
            text(
                f"{lead}{odds['column']}, drm {odds['drm']:+d}; hex emptied {emptied}, hex taken {taken}; "
                f"expected loss: attacker {loss[0]} steps, defender {loss[1]} steps."
            )
        )
    ready = [button("answer", a["text"], a["order"]) for answer in answers for a in answer["ready"]]
    build = [button("kind", title_of(a["kind"]), a["kind"], on=a["kind"] == open_) for a in answers if a["build"]]
    return [*out, buttons([*ready, *build])]


# the hex and those chosen -------------------------------------------------------------------------------------------


def chosen_sections(card: Plain) -> list[Section]:
    """Units of a hex to tick, their modes, fuel, and what may be done with them."""
    out: list[Section] = [text(card["title"])]
    if card["waiting"]:
        out.append(buttons([button("join", f"March {', '.join(card['waiting'])} here")]))
    if card["units"]:
        out.append({"type": "ticks", "key": "unit", "title": "Your units here", "items": card["units"]})
        out.append(buttons([button("all", "All"), button("none", "None")]))
    if card["modes"]:
        out.append(buttons(card["modes"], "Mode of the chosen units"))
    if card["fuels"]:
        options = [["auto", "the nearest store"], *[list(f) for f in card["fuels"]]]
        out.append(pick("fuel", "fuel", f"Fuel {card['due']}T from", options, card["fuel"]))
    if card["reach"]:
        out.append(text(card["reach"], "good"))
    if card["stopped"]:
        out.append({"type": "refusal", "items": card["stopped"]})
    if card["beyond"]:
        out.append(text(card["beyond"], "note"))
    if card["others"]:
        out.append({"type": "sentences", "title": "Others here", "items": card["others"]})
    return out


def pick(key: str, slot: str, label: str, options: Sequence[Sequence[str]], value: str) -> Section:
    """A list to choose from; the choice comes back as slot and value."""
    return {"type": "pick", "key": key, "slot": slot, "label": label, "options": options, "value": value}


def seat_section(side: str, seats: Sequence[str], now: str) -> Section:
    """Who plays a side."""
    options = [[s, SEATS.get(s, f"plan: {s}")] for s in seats]
    return pick("seat", side, f"{side.capitalize()} played by", options, now)


def kept_button(name: str) -> Section:
    """A game kept on disk, by scenario and when it was saved."""
    return button("open-kept", autosave.when_saved(name), name, title=name)


def start_section(setups: Mapping[str, str]) -> Section:
    """New games: every set-up, and the turns of history."""
    options = [["", "choose …"], *[[f"{id_}|historical", title] for id_, title in setups.items()]]
    options += [[f"ocs/u-go|line:{k}", f"U-Go from history, turn {k + 1}"] for k in range(1, 10)]
    return pick("start", "start", "New game", options, "")


def formation_sections(
    formations: Sequence[str], chosen: str, lent: str, seats: Sequence[str], goal: str
) -> list[Section]:
    """Orders for a whole formation at once, and whom it is lent to."""
    options = [["", "choose a formation …"], *[[f, f] for f in formations]]
    out: list[Section] = [pick("formation", "formation", "Whole formation", options, chosen)]
    if not chosen:
        return out
    modes = [button("formation-mode", f"{m.capitalize()} Mode", m) for m in ("combat", "move", "reserve", "strat")]
    nowhere = "" if goal else "Select a hex on the map first."
    to = button("formation-march", f"March towards {goal or '…'}", off=nowhere, tell=True)
    out.append(buttons([*modes, to], f"{chosen}: all units at once"))
    lend = [["human", "you"], *[[s, s] for s in seats if s != "human"]]
    out.append(pick("lend", chosen, "Moved by", lend, lent))
    if lent != "human":
        out.append(buttons([button("move-lent", f"Let “{lent}” move {chosen} now", chosen)]))
    return out


# the record ---------------------------------------------------------------------------------------------------------


def log_sections(rows: Sequence[Plain], earlier: int) -> list[Section]:
    """Records as sentences, each leading to its position."""
    out: list[Section] = []
    if earlier:
        out.append(buttons([button("earlier", f"Show {earlier} earlier orders")]))
    return [*out, {"type": "log", "rows": list(rows)}] if rows else [text("No order has been given yet.")]


def score_sections(verdict: Plain, sheet: Sequence[Plain]) -> list[Section]:
    """Level of victory were the game to end now, and every point with its reason."""
    out: list[Section] = [
        {
            "type": "facts",
            "title": "Were the game to end now",
            "rows": [
                ["Level", verdict["level"], verdict["why"]],
                ["Japanese", verdict["japanese"], "victory points"],
                ["Allied", verdict["allied"], "victory points"],
            ],
        }
    ]
    if sheet:
        rows = [[str(p["turn"]), p["side"].capitalize(), p["points"], p["why"]] for p in sheet]
        columns = [["Turn", ""], ["Side", ""], ["Points", "those of the end are not banked yet"], ["Why", ""]]
        out.append({"type": "table", "title": "Victory points", "columns": columns, "rows": rows})
    return out
