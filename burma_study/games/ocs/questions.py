"""How a decision may be answered, what the end of a phase would leave undone, and the odds of an order being built."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from burma_study.errors import BurmaStudyError
from burma_study.games.ocs.drafts import Draft
from burma_study.games.ocs.phrases import plainly
from burma_study.rules.ocs.air.aircraft import on_station
from burma_study.rules.ocs.air.bases import own_base
from burma_study.rules.ocs.air.bombing import BASE, UNITS, barraged, bomb_odds, target_reasons
from burma_study.rules.ocs.air.missions import weather_reasons
from burma_study.rules.ocs.air.room import BARRAGES
from burma_study.rules.ocs.air.slots import aloft, flyer
from burma_study.rules.ocs.combat import fighting
from burma_study.rules.ocs.combat.attack import AttackOptions, attack_odds
from burma_study.rules.ocs.combat.barrage_fire import BarrageOptions, barrage_odds
from burma_study.rules.ocs.combat.fighting import Attack
from burma_study.rules.ocs.combat.forecast import as_fought, defended
from burma_study.rules.ocs.combat.strength import can_attack
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.game import PLAY
from burma_study.rules.ocs.goods.payment import AUTO
from burma_study.rules.ocs.movement.crowding import first_crowd, lost_for_strat
from burma_study.rules.ocs.movement.moving import may_move
from burma_study.rules.ocs.movement.reserves import waiting
from burma_study.rules.ocs.state import State, stack
from burma_study.rules.ocs.supply.phase import hungry, waiting_for_refill
from burma_study.rules.ocs.supply.words import named, unit_name
from burma_study.study.play import Play

Plain = dict[str, Any]
SHOWN = 12  # units named in a list before "and N more"

MAY = {
    "setup": "Set-up: place what the scenario leaves open, then end the phase.",
    "weather": "The turn begins. End the phase to find out who moves first.",
    "refit": "Make inactive aircraft ready again, 1 SP or a hump of supply a base.",
    "reinforcement": "Bring in arrivals and supply, rebuild units.",
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


def may(play: Play) -> str:
    """What is done in the phase that is on."""
    state = play.state
    if state.phase == "setup" and play.origin.kind == "historical" and PLAY.is_idle(state):
        return "Everything is placed. End the phase to begin."
    return MAY.get(state.phase, "")


# answers ------------------------------------------------------------------------------------------------------------


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
    both = [("If you pay", True), ("If you do not", False)]
    ours, theirs = (str(known.get(name, "")) for name in ("attacker_ar", "defender_ar"))
    out = []
    for title, pays in both if frame["stage"] == "defence" else [("", bool(known.get("paid", True)))]:
        options = AttackOptions(frame["kind"], frame["banzai"], True, pays, ours, theirs, anyway=True)
        defenders = [play.state.pieces[u] for u in frame["defenders"]]
        if frame["stage"] == "defence":
            options = defended(play.state, defenders, options)
        else:
            options = replace(options, defender_unfed=known.get("unfed", ()))
        try:
            out.append((title, attack_odds(play.state, frame["target"], frame["attackers"], options).as_dict()))
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


def _stays(state: State) -> Iterator[str]:
    """What may not stay as it is when the segment ends."""
    crowd = first_crowd(state)
    if crowd is not None:
        yield f"More than may stay stand in {state.board.label(crowd.hex)}: {_list(crowd.units)}."
    lost = [p.id for p in lost_for_strat(state)]
    if lost:
        yield f"Out of Strategic Mode, for they cannot trace: {_list(lost)}."


def _reserves(state: State) -> Iterator[str]:
    found = [p.id for p in waiting(state)]
    if found:
        yield f"Reserves not released: {_list(found)}."


def _attacks(state: State) -> Iterator[str]:
    for hex_ in fighting.targets(state):
        yield f"{named(state.board, hex_)} could be attacked by {_list([p.id for p in fighting.ready(state, hex_)])}."


def no_attack(play: Play, hex_: int) -> str:
    """Why nobody of the acting side may attack an enemy hex now; empty when somebody may."""
    state = play.state
    beside = (p for h in state.board.grid.adjacent[hex_] for p in stack(state, h))
    ours = [p.id for p in beside if p.counter.side == play.actor and can_attack(p)]
    where = named(state.board, hex_)
    if not ours:
        return f"None of your units that can attack stands beside {where}."
    found = [play.session.why_not(Attack(hex_, (unit,), False, "", AUTO)) for unit in ours]
    return f"{where} cannot be attacked now: {' '.join(map(plainly, found[0][:2]))}" if all(found) else ""


def _meals(state: State) -> Iterator[str]:
    for found, text in ((waiting_for_refill(state), "have low stocks to refill"), (hungry(state), "have not eaten")):
        if found:
            yield f"{len(found)} unit{'s' if len(found) != 1 else ''} {text}: {_list(list(found))}."


def _bombs(state: State) -> Iterator[str]:
    """Aircraft over a target that they may still bomb."""
    side, done = flyer(state), barraged(state)
    if any(weather_reasons(state)):
        return
    for hex_ in sorted({p.at for p in aloft(state, side) if isinstance(p.at, int)} - set(done)):
        planes = on_station(state, hex_, side)
        base = own_base(state, hex_, other_side(side)) is not None
        if base or not any(target_reasons(state, planes, hex_, UNITS)):
            yield f"{named(state.board, hex_)} could be bombed by {_list([p.id for p in planes])}."


def _list(ids: Sequence[str]) -> str:
    names = ", ".join(unit_name(i) for i in ids[:SHOWN])
    return names + (f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else "")


_LEFT: Mapping[str, tuple[Callable[[State], Iterator[str]], ...]] = {
    "movement": (_stays, _movers),
    "reaction": (_stays, _reserves),
    "exploitation": (_stays, _reserves, _movers),
    "supply": (_meals,),
    **dict.fromkeys(BARRAGES, (_bombs,)),
    "combat": (_attacks,),
    "exploitation_combat": (_attacks,),
}


# odds of an order ---------------------------------------------------------------------------------------------------


def odds_of(play: Play, draft: Draft) -> tuple[str, Plain] | None:
    """Kind (regular, overrun, barrage) and exact odds of an order of `WITH_ODDS` being built; None for other orders.

    Each comes from the computation that resolves the order. Of an attack that it is paid for as the order says, and the
    defence if it can be, as a battle would have it.
    """
    target = draft.value("target" if draft.kind == "overrun" else "at")
    if draft.kind in BOMBS:
        return _bomb_odds(play.state, draft, target)
    units = list(draft.value("units") or ())
    if draft.kind not in FIGHTS or target is None or not units:
        return None
    state = play.state
    if draft.kind == "barrage":
        return "barrage", barrage_odds(state, target, units, BarrageOptions(anyway=True)).as_dict()
    kind = FIGHTS[draft.kind]
    options = AttackOptions(kind, bool(draft.value("banzai")), attacker_ar=draft.value("ar") or "", anyway=True)
    options = as_fought(state, target, units, options, draft.value("payment") or AUTO)
    return kind, attack_odds(state, target, units, options).as_dict()


def _bomb_odds(state: State, draft: Draft, target: int | None) -> tuple[str, Plain] | None:
    """Odds of bombs on the units of a hex, now or by the strike; those on an air base fall on another table."""
    planes = draft.value("planes") or ((draft.value("plane"),) if draft.value("plane") else ())
    if not isinstance(target, int) or not planes or draft.value("what") == BASE:
        return None
    if draft.kind == "strike" and all(p.counter.side == state.aircraft[planes[0]].side for p in stack(state, target)):
        return None
    return "barrage", bomb_odds(state, target, planes).as_dict()


FIGHTS = {"attack": "regular", "overrun": "overrun", "barrage": "barrage"}
BOMBS = ("bomb", "hip_shoot", "strike")
WITH_ODDS = (*FIGHTS, *BOMBS)
