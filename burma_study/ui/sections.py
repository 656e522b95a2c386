"""Answers of a session as sections of the panel: plain dicts in, plain dicts out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from burma_study.answers.session import Background
from burma_study.games.ocs.naming import rule_name

Answer = Mapping[str, Any]
Section = dict[str, Any]
TONES = {"in": "good", "box": "good", "eats": "note", "out": "bad"}
VERDICTS = {
    "in": "Traces: a path leads to a source of supply.",
    "box": "Traces: in a holding box it is always supplied.",
    "eats": "Eats: no trace, but a dump feeds it.",
    "out": "Out: neither trace nor dump.",
    "none": "Not on the map.",
}
SIDE_NAMES = {"japanese": "Japanese", "allied": "Allied"}
STATUS_WORDS = {"in": "traces", "eats": "eats", "out": "out"}
GLOSSARY = (
    (
        "traces",
        "A path leads from the unit to a source of supply within the distances that the rules allow. It is fed.",
    ),
    ("eats", "No such path, but a dump within reach feeds it. Each meal uses the dump up."),
    ("out", "Neither path nor dump. At its next Supply Phase it risks losing steps, and it fights at a disadvantage."),
    ("draw", "A unit or headquarters fetches supply that lies at most 5 movement points (MP) away."),
    ("throw", "A headquarters that draws sends supply on to units, as far as its own rating in MP."),
    ("cut off", "A path exists on the ground, but an enemy unit or its zone of control stands in it."),
    ("T, SP", "Tokens and supply points: 4 T are 1 SP. A dump holds so many of them."),
)
WORDS = {
    "RE": "regimental equivalents: the size of a unit",
    "DG": "disorganised: until its side's next clean-up it fights and moves worse",
    "drm": "die-roll modifier: added to the roll of the dice, from the difference of the action ratings",
    "Banzai": (
        "up to three battalions of a regiment shift surprise by their action rating; "
        "those lost leave the game for good (Burma 2.6b)"
    ),
    "Hex emptied": "chance that no defender is left in the hex",
    "Hex taken": "chance that no defender is left in the hex and an attacker is left beside it to enter",
}
BEST_RULE = (
    "Listed by worth, the greatest first: the chance that the hex is taken, plus the defender's expected loss in "
    "steps, less the steps that the results ask of the attacker, also those that a small party no longer has. Of equal "
    "ones the smaller party comes first."
)
RESULT_KEY = (
    "A attacker, D defender; L steps lost; o options: steps or hexes of retreat, as the owner likes; e exploitation; "
    "DG disorganised."
)
EFFECT_KEY = "DG disorganised; a figure or fraction: steps lost, a fraction being diced for."
TAGS = {
    "derived": "follows from the rulebook by arithmetic",
    "historical": "from outside the games, with its source",
    "reconstructed": "our proposal where no printed chart is at hand",
}


def side_name(side: str) -> str:
    """ "japanese" as "Japanese"."""
    return SIDE_NAMES.get(side, side)


def text(sentence: str, tone: str = "") -> Section:
    """A paragraph; `tone` good, bad or note puts a bar beside it."""
    return {"type": "text", "text": sentence, "tone": tone}


def unit_sections(card: Answer, trace: Answer, modes: Sequence[str], mode: str) -> list[Section]:
    """The card of a unit, its supply with legs and sentences, and a choice of the mode whose reach is shaded."""
    shading = [["", "no shading"], *([m, f"in {m} mode"] for m in modes)]
    return [
        {"type": "unit", "counter": card["counter"], "title": card["title"], "lines": card["lines"]},
        {"type": "facts", "title": "", "rows": [list(row) for row in card["facts"]]},
        {"type": "select", "key": "reach", "label": "Shade its reach", "options": shading, "value": mode},
        *trace_sections(trace),
    ]


def trace_sections(trace: Answer) -> list[Section]:
    """Verdict, the table of legs with their sums, and the sentences that explain it."""
    status = str(trace["status"])
    out = [text(VERDICTS.get(status, status), TONES.get(status, ""))]
    legs = [leg for leg in trace["legs"] if "from" in leg]
    if legs:
        out.append(legs_table(legs))
    out.append({"type": "sentences", "title": "Why", "items": list(trace["sentences"])})
    if trace.get("rules"):
        out.append(text("Rules: " + ", ".join(rule_name(r) for r in trace["rules"])))
    return out


def legs_table(legs: Sequence[Answer]) -> Section:
    """The legs of a trace from the source on."""
    return {
        "type": "table",
        "title": "Trace, from the source on",
        "columns": [
            ["Leg", "how this part is carried"],
            ["From", "where this part begins"],
            ["To", "where it ends"],
            ["Hexes", "hexes entered"],
            ["MP", "movement points used, of those allowed"],
            ["By", "headquarters, extender or port"],
        ],
        "rows": [[leg["kind"], leg["from"], leg["to"], leg["count"], leg_sum(leg), leg.get("by", "")] for leg in legs],
    }


def leg_sum(leg: Answer) -> str:
    """E.g. "8 1/2 of 10 truck MP"; a line without a limit says so."""
    if not leg.get("cost") and leg.get("limit") in ("", None, "no limit"):
        return "no limit"
    return f"{leg['cost']} of {leg['limit']} {leg.get('unit', '')}".strip()


def hex_sections(card: Answer) -> list[Section]:
    """The ground of a hex, its stack, what lies there, its sides."""
    ground = card["terrain"] + (f", {card['feature']}" if card["feature"] else "")
    out: list[Section] = [
        {"type": "facts", "title": card["title"], "rows": [["Ground", ground, "terrain class and settlement"]]}
    ]
    if card["units"]:
        out.append(units_table("Units here", card["units"]))
    if card["things"]:
        out.append(things_table(card["things"]))
    out.append(
        {
            "type": "table",
            "title": "Hexsides",
            "columns": [
                ["Side", "direction"],
                ["To", "the hex across"],
                ["River", "class, and whether there is a crossing"],
                ["Routes", "roads, tracks and railways that cross this side"],
            ],
            "rows": card["sides"],
        }
    )
    return out


def things_table(things: Sequence[Sequence[str]]) -> Section:
    """What else lies or stands in a hex: kind, what it holds or shows, whose."""
    return {
        "type": "table",
        "title": "Supply, transport and works here",
        "columns": [
            ["What", "dump, transport, hedgehog, air base, aircraft"],
            ["Holds", "tokens (4T = 1 SP), load, level"],
            ["Side", "whose"],
        ],
        "rows": [[what, holds, side_name(side)] for what, holds, side in things],
    }


def units_table(title: str, units: Sequence[Answer]) -> Section:
    """A pickable list of units."""
    return {
        "type": "table",
        "title": title,
        "columns": [
            ["Unit", "pick one for its card"],
            ["Line", "as printed: attack, action rating, MA"],
            ["Side", "whose unit"],
            [
                "Mode",
                "combat: deployed to fight; move: on the march; reserve; strat: by road or rail, far and defenceless",
            ],
        ],
        "rows": [[u["label"], u["line"], side_name(u["side"]), u["mode"]] for u in units],
        "pick": "unit",
        "picks": [u["id"] for u in units],
    }


def side_section(side: str) -> Section:
    """The choice of whose supply is shown."""
    options = [["allied", "Allies"], ["japanese", "Japanese"], ["", "nobody"]]
    return {"type": "radio", "key": "side", "label": "Supply of", "options": options, "value": side}


def units(n: int) -> str:
    """A number of units with its noun."""
    return f"{n} unit{'' if n == 1 else 's'}"


def glossary_section() -> Section:
    """The words of supply, for who never met them."""
    return {"type": "glossary", "title": "What do the words mean?", "rows": [list(row) for row in GLOSSARY]}


def supply_sections(answer: Answer) -> list[Section]:
    """A side's count by status and the list of those without a trace."""
    counts = answer["counts"]
    rows = answer["rows"]
    told = dict(GLOSSARY)
    out: list[Section] = [
        {
            "type": "facts",
            "title": f"{side_name(answer['side'])} units, were their Supply Phase now",
            "rows": [
                ["Traces", units(counts["in"]), told["traces"]],
                ["Eats", units(counts["eats"]), told["eats"]],
                ["Out", units(counts["out"]), told["out"]],
            ],
        }
    ]
    if not rows:
        return [*out, text("Every unit on the map traces supply.", "good")]
    return [
        *out,
        {
            "type": "table",
            "title": "Without a trace (pick one to see how far its supply comes)",
            "columns": [
                ["Unit", "pick one for its trace"],
                ["Hex", "where it stands"],
                ["State", "out: neither trace nor dump; eats: a dump feeds it"],
                ["Why", "what stopped the way that came nearest; what it eats"],
            ],
            "rows": [[r["label"], r["hex"], STATUS_WORDS[r["status"]], r["why"]] for r in rows],
            "tones": [TONES[r["status"]] for r in rows],
            "pick": "unit",
            "picks": [r["unit"] for r in rows],
        },
    ]


def story_sections(title: str, stories: Iterable[Any], boxes: Sequence[Answer]) -> list[Section]:
    """What is told of a step, each with its source and confidence, questions, and the units off the map."""
    items = list(stories)
    told, asked = [s for s in items if not s.ask], [s for s in items if s.ask]
    works = cited(told)
    out: list[Section] = [{"type": "stories", "title": title, "rows": [_story(s, works) for s in told]}]
    if asked:
        out.append(
            {"type": "stories", "title": "To think about", "rows": [[s.text, f"Look at: {s.ask}"] for s in asked]}
        )
    out += sources_sections(works)
    if boxes:
        out.append(
            {
                "type": "table",
                "title": "Off the map",
                "columns": [["Unit", "pick one for its card"], ["Where", "holding box, or not yet in play"]],
                "rows": [[b["label"], b["where"]] for b in boxes],
                "pick": "unit",
                "picks": [b["id"] for b in boxes],
            }
        )
    return out


def cited(stories: Iterable[Any]) -> list[str]:
    """The works that stories rest on, each once, in the order in which they come."""
    return list(dict.fromkeys(c for s in stories for c in s.citations))


def sources_sections(works: Sequence[str]) -> list[Section]:
    """A numbered list of works, if there are any; each says itself whether it is cited from memory."""
    return [{"type": "sentences", "title": "Sources", "items": list(works), "numbered": True}] if works else []


def background_sections(told: Background) -> list[Section]:
    """What either side wanted, how it ended, figures, and where the model and history part."""
    works = list(dict.fromkeys([*cited(told.why), *cited(told.epilogue), *(c for n in told.numbers for c in n[4])]))
    return [
        {"type": "stories", "title": "Why they fought here", "rows": [_story(s, works) for s in told.why]},
        {"type": "stories", "title": "How it ended", "rows": [_story(s, works) for s in told.epilogue]},
        {
            "type": "table",
            "title": "Numbers",
            "columns": [
                ["What", "men, losses, tons"],
                ["Figure", "as in the source, rounded"],
                ["Source", "see below"],
            ],
            "rows": [_number_row(n, works) for n in told.numbers],
        },
        {
            "type": "table",
            "title": "The model and history",
            "columns": [
                ["Matter", "where the two part"],
                ["Model", "what the rules say of the line as it stands here"],
                ["History", "what happened"],
                ["Why they differ", "what the model leaves out"],
            ],
            "rows": [list(row) for row in told.differences],
        },
        *sources_sections(works),
    ]


def _number_row(row: tuple[str, str, str, str, tuple[str, ...]], works: Sequence[str]) -> list[str]:
    what, figure, note, confidence, from_ = row
    numbers = ", ".join(str(works.index(c) + 1) for c in from_)
    return [f"{what} ({note})" if note else what, figure, f"{numbers}; confidence {confidence}"]


def _story(story: Any, works: Sequence[str]) -> list[str]:
    numbers = ", ".join(str(works.index(c) + 1) for c in story.citations)
    sure = f"confidence {story.confidence}" if story.confidence else ""
    notes = [rule_name(story.rule) if story.rule else "", sure, f"source {numbers}" if numbers else ""]
    return [story.text, " · ".join(n for n in notes if n), story.date]


def fight_sections(
    where: str, candidates: Sequence[Answer], chosen: Sequence[str], options: Answer, odds: Answer | str | None
) -> list[Section]:
    """Choice of kind and attackers, then the chain of modifiers, the columns and the results."""
    kinds = [["regular", "regular attack"], ["overrun", "overrun"], ["barrage", "barrage by guns"]]
    kind = options.get("kind", "regular")
    out: list[Section] = [
        text(f"Target: {where}"),
        {"type": "select", "key": "kind", "label": "Kind", "options": kinds, "value": kind},
    ]
    if not candidates:
        reach = "No gun of one side reaches" if kind == "barrage" else "No unit that may attack stands beside"
        return [*out, text(f"{reach} an enemy in this hex.")]
    boxes = [{"id": c["id"], "label": c["label"], "on": c["id"] in chosen} for c in candidates]
    title = "Guns in range" if kind == "barrage" else "Attackers beside it"
    out.append({"type": "choices", "key": "attackers", "title": title, "options": boxes})
    if kind == "regular":
        banzai = [["", "no"], ["yes", "yes (Burma 2.6)"]]
        value = "yes" if options.get("banzai") else ""
        why = WORDS["Banzai"]
        out.append(
            {"type": "select", "key": "banzai", "label": "Banzai", "options": banzai, "value": value, "why": why}
        )
    if isinstance(odds, str):
        out.append(text(odds, "bad"))
    elif odds is not None:
        out += barrage_sections(odds) if kind == "barrage" else odds_sections(odds)
    return out


def chain_table(steps: Sequence[Answer]) -> Section:
    """Every modifier with its rule."""
    return {
        "type": "table",
        "title": "Chain of modifiers",
        "columns": [
            ["Step", "each factor in the order in which it applies"],
            ["Rule", "number in the rulebook (Burma) or in the series rules (OCS)"],
        ],
        "rows": [[s["text"], rule_name(s["rule"])] for s in steps],
    }


def barrage_sections(odds: Answer) -> list[Section]:
    """Exact odds of a barrage."""
    expected = odds["expected"]
    out: list[Section] = [text(r["text"], "bad") for r in odds.get("reasons", ())]
    out.append(
        {
            "type": "facts",
            "title": f"{odds['points']} barrage points, column {odds['final_column']}",
            "rows": [
                ["Before shifts", odds["column"], "the column of the points alone; the cost goes by it"],
                ["Cost", f"{odds['cost']}T", "tokens of supply to fire"],
                ["Disorganised", percent(expected["dg"]), f"chance that the target is marked DG, {WORDS['DG']}"],
                ["Expected loss", f"{number(expected['steps'])} steps", "of the target"],
            ],
        }
    )
    out.append(chain_table(odds["steps"]))
    effects = [[e["effect"], e["probability"], WORDS["DG"] if "DG" in e["effect"] else ""] for e in odds["effects"]]
    out.append({"type": "outcomes", "title": "Effects", "rows": effects, "note": EFFECT_KEY})
    return [*out, *basis_sections(odds.get("basis") or {})]


def odds_sections(odds: Answer) -> list[Section]:
    """Exact odds: refusals, the sum, the chain, the distribution over columns, the results, what it rests on."""
    out: list[Section] = [text(r["text"], "bad") for r in odds.get("reasons", ())]
    expected, surprise = odds["expected"], odds["surprise"]
    out.append(
        {
            "type": "facts",
            "title": f"{odds['column']} on the {odds['category'].replace('_', ' ')} line, drm {odds['drm']:+d}",
            "rows": [
                ["drm", f"{odds['drm']:+d}", WORDS["drm"]],
                [
                    "Strengths",
                    f"{odds['attack']} : {odds['defence']} = {odds['ratio']}",
                    "strength points, attacker : defender, after all factors",
                ],
                [
                    "Surprise",
                    chances(surprise),
                    "chance of surprise in favour of the attacker, nobody or the defender; it shifts the column",
                ],
                ["Hex emptied", percent(expected["hex_emptied"]), f"{WORDS['Hex emptied']}. {expected['policy']}"],
                ["Hex taken", percent(expected["hex_taken"]), f"{WORDS['Hex taken']}. {expected['policy']}"],
                ["Expected loss, attacker", f"{number(expected['attacker_steps'])} steps", expected["policy"]],
                ["Expected loss, defender", f"{number(expected['defender_steps'])} steps", expected["policy"]],
            ],
        }
    )
    out.append(chain_table(odds["steps"]))
    columns = [[c["column"], c["probability"]] for c in odds["columns"]]
    out.append({"type": "columns", "title": "Columns after surprise", "rows": columns, "marked": odds["column"]})
    results = [[o["result"], o["probability"], ""] for o in odds["outcomes"]]
    out.append({"type": "outcomes", "title": "Results of the Combat Table", "rows": results, "note": RESULT_KEY})
    return [*out, *basis_sections(odds.get("basis") or {})]


def basis_sections(basis: Answer) -> list[Section]:
    """Whether the verdict is firm or what it turns on, and the unprinted values behind it with their bounds."""
    verdict = str(basis.get("verdict") or "")
    if not verdict:
        return []
    values = list(basis.get("values") or ())
    if verdict != "firm":
        out = [text(f"Verdict: it turns on unprinted values. {turning(basis)}", "note")]
    elif values:
        out = [text("Verdict: firm. No value below would change the answer within its bounds.", "good")]
    else:
        out = [text("Verdict: firm. It rests on printed values only.", "good")]
    return [*out, values_table(values)] if values else out


def turning(basis: Answer) -> str:
    """Each unprinted value that decides, in words; `would` of the answer says what the other value would do."""
    otherwise = str(basis.get("would") or "the answer would be another one")
    found = [
        f"If the unprinted {t['text'].rpartition(' -> ')[0]} were {t['to']}, {otherwise}." for t in basis["turns_on"]
    ]
    return " ".join(found)


def values_table(values: Sequence[Answer]) -> Section:
    """Values that no rulebook at hand prints."""
    return {
        "type": "table",
        "title": "Values behind it that are not printed",
        "columns": [
            ["Value", "table entry and the value in use"],
            ["Bounds", "least and greatest sensible value"],
            ["Kind", "; ".join(f"{tag}: {what}" for tag, what in TAGS.items())],
            ["Reason", "why this value"],
        ],
        "rows": [[value_name(v), value_bounds(v), v["tag"], v["reason"]] for v in values],
    }


def value_name(v: Answer) -> str:
    """E.g. "jungle leg 2"; of a counter the tail of its id."""
    key = str(v["key"]).rpartition("/")[2].replace("_", " ")
    return f"{key} {str(v['column']).replace('_', ' ')} {v['value'] or 'barred'}"


def value_bounds(v: Answer) -> str:
    """ "2 to 3", or a dash where it has none."""
    low, high = v.get("low") or "", v.get("high") or ""
    return f"{low} to {high}" if low and high and low != high else low or high or "–"


def best_sections(side: str, rows: Sequence[Answer] | None) -> list[Section]:
    """A side's best attacks; a button where they have not been asked for."""
    if rows is None:
        return [
            {"type": "button", "key": "best", "value": side, "label": f"Best {side_name(side)} attacks here and now"}
        ]
    if not rows:
        return [text(f"No {side_name(side)} unit stands beside an enemy that it may attack.")]
    return [
        text(BEST_RULE),
        {
            "type": "table",
            "title": f"Best {side_name(side)} attacks here and now",
            "columns": [
                ["Target", "pick one for its odds"],
                ["Attackers", "every unit of the party"],
                ["Worth", BEST_RULE],
                [
                    "Odds",
                    "column of the Combat Table before surprise, attacker : defender, "
                    "and drm, the die-roll modifier: the difference of the action ratings",
                ],
                ["Hex taken", WORDS["Hex taken"]],
                ["Expected loss", "steps, attacker : defender"],
            ],
            "rows": [_best_row(r) for r in rows],
            "pick": "target",
            "picks": [[r["target"], r["attackers"], bool(r.get("banzai"))] for r in rows],
        },
    ]


def _best_row(r: Answer) -> list[str]:
    losses = f"{number(r['attacker_steps'])} : {number(r['defender_steps'])}"
    party = f"{', '.join(r['names'])}{' (Banzai)' if r.get('banzai') else ''}"
    odds = f"{r['column']}, {r['drm']:+d}"
    return [r["label"], party, number(r["worth"]), odds, percent(r["hex_taken"]), losses]


def number(fraction: str) -> str:
    """A fraction as text with two decimals."""
    top, _, bottom = fraction.partition("/")
    return f"{int(top) / int(bottom or 1):.2f}"


def percent(fraction: str) -> str:
    """A fraction as text in per cent with one decimal."""
    top, _, bottom = fraction.partition("/")
    return f"{100 * int(top) / int(bottom or 1):.1f} %"


def chances(surprise: Answer) -> str:
    """The three chances of surprise."""
    return ", ".join(f"{k} {percent(surprise[k])}" for k in ("attacker", "none", "defender"))
