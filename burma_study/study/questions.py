"""What a player is asked, what the end of a phase would leave undone, and the odds of an order being built."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from burma_study.engine.frames import Frame
from burma_study.errors import BurmaStudyError
from burma_study.rules.ocs.combat import fighting
from burma_study.rules.ocs.combat.attack import AttackOptions, attack_odds
from burma_study.rules.ocs.combat.barrage_fire import BarrageOptions, barrage_odds
from burma_study.rules.ocs.combat.payment import attack_cost
from burma_study.rules.ocs.movement.moving import may_move
from burma_study.rules.ocs.movement.reserves import waiting
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.supply.phase import hungry, waiting_for_refill
from burma_study.rules.ocs.supply.words import named, unit_name
from burma_study.study.drafts import Draft
from burma_study.study.play import Play

Plain = dict[str, Any]
SHOWN = 12  # units named in a list before "and N more"

MAY = {
    "setup": "Set-up: place what the scenario leaves open, then end the phase.",
    "weather": "The turn begins. End the phase to find out who moves first.",
    "refit": "Make inactive aircraft ready again, 1 SP or a hump of supply a base.",
    "reinforcement": "Bring in arrivals and supply, rebuild units, divert the Hump.",
    "movement": "Choose modes, march, overrun, load and carry supply, dig, build; fly missions.",
    "movement_barrage": "Aircraft on station bomb.",
    "supply": "Who has no trace eats or goes without; low stocks are refilled first.",
    "reaction": "The other side's Reserves are released, march and overrun.",
    "reaction_barrage": "The other side's guns and aircraft fire.",
    "barrage": "Guns in range fire.",
    "combat": "Attack enemies beside your units; each hex and each unit once.",
    "exploitation": "Units in Exploit Mode and released Reserves march and overrun again.",
    "exploitation_barrage": "Guns of those units fire.",
    "exploitation_combat": "Those units attack again.",
    "cleanup": "DG and Exploit markers come off.",
    "over": "The game is over. Go back to any order to try another way.",
}


# questions ----------------------------------------------------------------------------------------------------------


def question(play: Play) -> str:
    """The question of the open decision, naming who decides; empty while none is open."""
    frame = play.session.decision.frame
    if frame is None or not frame.actor:
        return ""
    who = frame.actor.capitalize()
    text = _ASKED.get((frame.procedure, str(frame.get("stage", "")))) or _ASKED.get((frame.procedure, ""))
    return (
        f"{who}: {text(play.state, frame)}"
        if text
        else f"{who} has to decide about {frame.procedure.replace('_', ' ')}."
    )


def _hex(state: State, hex_: Any) -> str:
    return named(state.board, hex_) if isinstance(hex_, int) else str(hex_)


def _units(ids: Sequence[str]) -> str:
    names = ", ".join(unit_name(i) for i in ids[:6])
    return names + (f" and {len(ids) - 6} more" if len(ids) > 6 else "")


def _defence(state: State, f: Frame) -> str:
    return f"pay combat supply to defend {_hex(state, f['target'])}? Unpaid, the defenders fight at half strength."


def _lead(state: State, f: Frame) -> str:
    return (
        f"which unit gives the action rating in the fight for {_hex(state, f['target'])}? It takes the first step lost."
    )


def _losses(state: State, f: Frame) -> str:
    lost, who = ("1 step is", "it") if f["n"] == 1 else (f"{f['n']} steps are", "them")
    return f"{lost} lost among {_units(f['units'])}. Who takes {who}?"


def _options(state: State, f: Frame) -> str:
    owed = "1 step or hex" if f["n"] == 1 else f"{f['n']} steps or hexes"
    return f"the result asks for {owed} of retreat, as you split it. How many in steps? All retreat the rest."


def _retreat(state: State, f: Frame) -> str:
    hexes = f["hexes"]
    return f"retreat by {hexes} hex{'es' if hexes != 1 else ''}. Who goes where of {_units(f['units'])}?"


def _say(text: str) -> Callable[[State, Frame], str]:
    return lambda _state, _frame: text


_ASKED: dict[tuple[str, str], Callable[[State, Frame], str]] = {
    ("initiative", ""): _say("you have the initiative. Move first or second this turn?"),
    ("battle", "defence"): _defence,
    ("battle", "lead"): _lead,
    ("battle", "counter"): _lead,
    ("battle", "advance"): lambda s, f: f"{_hex(s, f['target'])} is empty. Who enters it?",
    ("casualties", ""): _losses,
    ("options", ""): _options,
    ("retreat", ""): _retreat,
    ("crowding", ""): _say("too much stands in one hex. Which unit is given up?"),
    ("attrition", ""): _say("units without supply: how do they forage, and what do they lose?"),
    ("displaced", ""): _say("transport has to give way. Where to?"),
}


def answers(play: Play) -> list[Plain]:
    """Each kind of answer: those with one plain choice as ready orders, others to be built."""
    out = []
    for kind in play.session.decision.kinds:
        draft = play.draft(kind)
        slots = draft.form.required or list(draft.form.slots)[:1]
        slot = draft.form.slots[slots[0]] if slots else None
        ready: list[Plain] = []
        if slot is None:
            ready = [{"text": kind.replace("_", " ").capitalize(), "order": draft.form.usage.lower()}]
        elif len(slots) == 1 and not slot.many:
            ready = list(_ready(play, kind, slots[0]))
        out.append({"kind": kind, "ready": ready, "build": not ready})
    return out


def _ready(play: Play, kind: str, slot: str) -> Iterator[Plain]:
    for choice in play.draft(kind).choices(slot) or ():
        draft = play.draft(kind)
        draft.fill(slot, [draft.written(slot, choice.value)])
        if draft.order is not None:
            words = draft.words(draft.written(slot, choice.value))
            shown = words if words != draft.written(slot, choice.value) else choice.text
            yield {"text": f"{kind.replace('_', ' ').capitalize()}: {shown}", "order": draft.order.text}


def fight_asked_about(play: Play) -> list[tuple[str, Plain]]:
    """The odds that an open decision of a battle turns on: paid and unpaid where that is asked, else as it is."""
    frame = next((f for f in reversed(play.state.frames) if f.procedure == "battle"), None)
    if frame is None or frame["stage"] not in ("defence", "lead", "counter"):
        return []
    known = dict(frame.locals)
    both = [("If he pays", True), ("If he does not", False)]
    ours, theirs = (str(known.get(name, "")) for name in ("attacker_ar", "defender_ar"))
    out = []
    for title, pays in both if frame["stage"] == "defence" else [("", bool(known.get("paid", True)))]:
        options = AttackOptions(frame["kind"], frame["banzai"], True, pays, ours, theirs, anyway=True)
        try:
            out.append((title, attack_odds(play.state, frame["target"], list(frame["attackers"]), options).as_dict()))
        except BurmaStudyError:
            continue
    return out


# the end of a phase -------------------------------------------------------------------------------------------------


def skipped(play: Play) -> list[str]:
    """What could still be done in this phase and would be given up by ending it."""
    state = play.state
    if state.frames or not play.actor:
        return []
    return [text for look in _LEFT.get(state.phase, ()) for text in look(state)]


def _movers(state: State) -> Iterator[str]:
    idle = [m.id for m in may_move(state) if not m.spent]
    if idle:
        yield f"{len(idle)} unit{'s have' if len(idle) != 1 else ' has'} not moved: {_list(idle)}."
    going = [m.id for m in may_move(state) if m.spent]
    if going:
        yield f"On the way with movement left: {_list(going)}."


def _reserves(state: State) -> Iterator[str]:
    found = [p.id for p in waiting(state)]
    if found:
        yield f"Reserves not released: {_list(found)}."


def _attacks(state: State) -> Iterator[str]:
    for hex_ in fighting.targets(state):
        yield f"{named(state.board, hex_)} could be attacked by {_list([p.id for p in fighting.ready(state, hex_)])}."


def _meals(state: State) -> Iterator[str]:
    for found, text in ((waiting_for_refill(state), "have low stocks to refill"), (hungry(state), "have not eaten")):
        if found:
            yield f"{len(found)} unit{'s' if len(found) != 1 else ''} {text}: {_list(list(found))}."


def _list(ids: Sequence[str]) -> str:
    names = ", ".join(unit_name(i) for i in ids[:SHOWN])
    return names + (f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else "")


_LEFT: Mapping[str, tuple[Callable[[State], Iterator[str]], ...]] = {
    "movement": (_movers,),
    "reaction": (_reserves,),
    "exploitation": (_reserves, _movers),
    "supply": (_meals,),
    "combat": (_attacks,),
    "exploitation_combat": (_attacks,),
}


# odds of an order ---------------------------------------------------------------------------------------------------


def odds_of(play: Play, draft: Draft) -> tuple[str, Plain] | None:
    """Kind (regular, overrun, barrage) and exact odds of an attack or barrage being built; None for other orders."""
    target = draft.value("target" if draft.kind == "overrun" else "at")
    units = list(draft.value("units") or ())
    if draft.kind not in FIGHTS or target is None or not units:
        return None
    state = play.state
    if draft.kind == "barrage":
        return "barrage", barrage_odds(state, target, units, BarrageOptions(anyway=True)).as_dict()
    kind = FIGHTS[draft.kind]
    options = AttackOptions(kind, bool(draft.value("banzai")), attacker_ar=draft.value("ar") or "", anyway=True)
    return kind, attack_odds(state, target, units, options).as_dict()


FIGHTS = {"attack": "regular", "overrun": "overrun", "barrage": "barrage"}


def cost_of(play: Play, draft: Draft) -> int | None:
    """Tokens that the attack being built costs."""
    units = tuple(draft.value("units") or ())
    return int(attack_cost(play.state, units)) if draft.kind in ("attack", "overrun") and units else None
