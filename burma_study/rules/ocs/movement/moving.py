"""The room of movement: its orders, what may fill their slots, its procedures and its part in the sequence of play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import Order
from burma_study.engine.room import OrderRules, Room, nothing
from burma_study.rules.ocs.air.interdiction import interdiction
from burma_study.rules.ocs.combat.checks import banzai_reasons
from burma_study.rules.ocs.combat.payment import attack_cost
from burma_study.rules.ocs.combat.segments import acting_side
from burma_study.rules.ocs.goods.payment import payment_choices
from burma_study.rules.ocs.movement.crowding import (
    back_in_line,
    carry_give_up,
    crowding,
    first_crowd,
    give_up_impossible,
    halt,
    muster_porters,
)
from burma_study.rules.ocs.movement.hauling import carry_choices, carry_forbidden, carry_impossible, carry_mules
from burma_study.rules.ocs.movement.marching import (
    carry_move,
    end_reasons,
    fuel_cost,
    left_of,
    lines_without,
    march,
    may_start,
    move_forbidden,
    move_impossible,
    movers_of,
    next_steps,
    path_cost,
    path_reasons,
    phase_of,
    ready_to_overrun,
    thirsty,
)
from burma_study.rules.ocs.movement.orders import CHOSEN_MODES, Carry, ChooseMode, GiveUp, Move, Overrun, Release
from burma_study.rules.ocs.movement.overrun import (
    carry_overrun,
    cost_of,
    enemies_beside,
    overrun,
    overrun_forbidden,
    overrun_impossible,
)
from burma_study.rules.ocs.movement.reach import PACE, Mover, Reach, mover, reach, refusals
from burma_study.rules.ocs.movement.reserves import (
    PILES,
    choose_mode,
    mode_forbidden,
    mode_impossible,
    release,
    release_forbidden,
    release_impossible,
    thing,
    waiting,
)
from burma_study.rules.ocs.movement.terrain import mp
from burma_study.rules.ocs.state import State, Where

NO_CHOICE: tuple[Choice, ...] = ()


# who may move ---------------------------------------------------------------------------------------------------------


def may_move(state: State, *, overrun: bool = False) -> Iterator[Mover]:
    """Units and transport of the side whose turn it is that may still move, or overrun, in this phase, by id."""
    side, phase = acting_side(state), phase_of(state)
    points = (t.id for t in state.transport.values() if t.side == side and isinstance(t.at, int))
    pieces = (p.id for p in state.pieces.values() if isinstance(p.at, int) and p.counter.side == side)
    for unit in sorted((*pieces, *points)):
        who = mover(state, unit)
        if overrun:
            (who,) = ready_to_overrun(state, [who])
        if who.spent and left_of(who, phase) == 0:
            continue
        if not refusals(state, who, phase) and not (who.mode == "reserve" and phase != "movement"):
            yield who


def _companions(state: State, partial: Partial, able: Iterable[Mover]) -> list[Choice]:
    """Those who may go, or go with the units named so far."""
    named: tuple[str, ...] = partial.values.get("units", ())
    found = [m for m in able if m.id not in named]
    if named:
        first = thing(state, named[0])
        together = [m for m in found if first is not None and m.at == first.at]
        party = movers_of(state, named)
        if partial.kind == "overrun":
            party = ready_to_overrun(state, party)
        found = [m for m in together if not list(may_start(state, [*party, m]))]
    return [_as_choice(state, m.id, m.at) for m in found]


def _as_choice(state: State, unit: str, at: Where) -> Choice:
    hexes = (at,) if isinstance(at, int) else ()
    where = state.board.label(at) if isinstance(at, int) else at
    return Choice(unit, f"{unit} at {where}", None, hexes)


# march ----------------------------------------------------------------------------------------------------------------


def _move_choices(state: State, partial: Partial, slot: str) -> Iterable[Choice] | None:
    units = partial.values.get("units", ())
    if slot == "units":
        return _companions(state, partial, (m for m in may_move(state) if _can_go(state, m)))
    movers = movers_of(state, units)
    dry = thirsty(movers)
    payments = payment_choices(state, dry, fuel_cost(state, dry), "fuel") if dry else []
    if slot == "fuel":
        return payments
    return NO_CHOICE if dry and not payments else next_steps(state, movers, partial.values.get("path", ()))


def _can_go(state: State, who: Mover) -> bool:
    """Has it fuel in reach and a step to take? Foot that has not moved yet always can, as good as always."""
    if who.mobility == "leg" and not who.spent:
        return True
    return _has_fuel(state, who) and bool(next_steps(state, [who], ()))


def _has_fuel(state: State, who: Mover) -> bool:
    return not who.fuel or bool(payment_choices(state, (who.id,), fuel_cost(state, (who.id,)), "fuel"))


def targets(state: State, units: Sequence[str]) -> list[Choice]:
    """Every hex that units of one place can reach together, with a cheapest way for the slowest of them.

    A choice's value is the whole path, ready for the slot `path`; what forbids ending there is left out of the list.
    """
    movers = movers_of(state, units)
    if not movers or list(may_start(state, movers)):
        return []
    slowest, lines = _slowest(state, movers), lines_without(state, movers)
    found = []
    for hex_ in slowest.costs:
        path = slowest.path(hex_)[1:]
        if path and not any(path_reasons(state, movers, path)) and not any(end_reasons(state, movers, path, lines)):
            cost = path_cost(state, movers, path)
            found.append(Choice(path, f"{state.board.label(hex_)}, {mp(cost)} MP", cost, path))
    return found


def _slowest(state: State, movers: Sequence[Mover]) -> Reach:
    phase = phase_of(state)
    found = (reach(state, m.id, phase=phase, interdiction=_air(state, m)) for m in movers)
    return min(found, key=lambda r: len(r.costs))


def _air(state: State, who: Mover) -> Mapping[int, int]:
    return interdiction(state, who.side, who.mode == "strat")


# modes and reserves ---------------------------------------------------------------------------------------------------


def _mode_choices(state: State, partial: Partial, slot: str) -> Iterable[Choice] | None:
    units = partial.values.get("units", ())
    if slot == "units":
        return [c for c in _own(state, units) if _changeable(state, c.value)]
    if slot == "face":
        return [Choice(face, f"{face} side up") for face in ("combat", "move")]
    orders = [ChooseMode(units, mode) for mode in CHOSEN_MODES]
    return [Choice(o.mode, f"{o.mode} Mode") for o in orders if not any(mode_forbidden(state, o))]


def _changeable(state: State, unit: str) -> bool:
    return any(not any(mode_forbidden(state, ChooseMode((unit,), mode))) for mode in ("combat", "move"))


def _own(state: State, named: Sequence[str]) -> list[Choice]:
    """Units of the side whose turn it is, in the place of those named so far."""
    side = acting_side(state)
    found = [p for p in state.pieces.values() if p.counter.side == side and p.at not in PILES and p.id not in named]
    if named:
        found = [p for p in found if p.at == state.pieces[named[0]].at]
    return [_as_choice(state, p.id, p.at) for p in sorted(found, key=lambda p: p.id)]


def _release_choices(state: State, partial: Partial, _slot: str) -> Iterable[Choice] | None:
    named = partial.values.get("units", ())
    found = [p for p in waiting(state) if p.id not in named]
    if named:
        found = [p for p in found if p.at == state.pieces[named[0]].at]
    return [_as_choice(state, p.id, p.at) for p in found]


# overruns -------------------------------------------------------------------------------------------------------------


def _overrun_choices(state: State, partial: Partial, slot: str) -> Iterable[Choice] | None:
    values = partial.values
    units = values.get("units", ())
    match slot:
        case "target":
            return [Choice(h, state.board.label(h), None, (h,)) for h in overrun_targets(state)]
        case "units":
            able = (m for m in may_move(state, overrun=True) if _could_overrun(state, values["target"], (*units, m.id)))
            return _companions(state, partial, able)
        case "banzai":
            fits = bool(units) and not banzai_reasons(state, [state.pieces[u] for u in units])
            return [Choice(True, "Banzai"), Choice(False, "no Banzai")] if fits else NO_CHOICE
        case "ar":
            return [_as_choice(state, u, state.pieces[u].at) for u in units]
        case "payment":
            return payment_choices(state, units, attack_cost(state, units), "attack")
    dry = thirsty(movers_of(state, units))
    return payment_choices(state, dry, fuel_cost(state, dry), "fuel") if dry else NO_CHOICE


def _could_overrun(state: State, target: int, units: tuple[str, ...]) -> bool:
    order = Overrun(target, units)
    return not any(overrun_impossible(state, order)) and not any(overrun_forbidden(state, order))


def overrun_targets(state: State) -> list[int]:
    """Hexes that some unit could overrun by itself, ascending."""
    phase, cost, found = phase_of(state), cost_of(state), set[int]()
    for who in may_move(state, overrun=True):
        if who.can_attack and left_of(who, phase) >= cost:
            beside = (h for h in enemies_beside(state, who.start, who.side) if h not in found)
            found |= {h for h in beside if _could_overrun(state, h, (who.id,))}
    return sorted(found)


# what may not stay ----------------------------------------------------------------------------------------------------


def _give_up_choices(state: State, _partial: Partial, _slot: str) -> Iterable[Choice] | None:
    crowd = first_crowd(state)
    return [_as_choice(state, u, crowd.hex) for u in crowd.units] if crowd else NO_CHOICE


# the room -------------------------------------------------------------------------------------------------------------


def _no_reserves(state: State) -> bool:
    return not waiting(state)


def _nobody_exploits(state: State) -> bool:
    side = acting_side(state)
    return not any(p.mode in PACE["exploitation"] and p.counter.side == side for p in state.pieces.values())


_RULES: dict[type[Order], OrderRules[State]] = {
    ChooseMode: OrderRules(mode_impossible, mode_forbidden, choose_mode, _mode_choices),
    Move: OrderRules(move_impossible, move_forbidden, carry_move, _move_choices),
    Carry: OrderRules(carry_impossible, carry_forbidden, carry_mules, carry_choices),
    Release: OrderRules(release_impossible, release_forbidden, release, _release_choices),
    Overrun: OrderRules(overrun_impossible, overrun_forbidden, carry_overrun, _overrun_choices),
    GiveUp: OrderRules(give_up_impossible, nothing, carry_give_up, _give_up_choices),
}
_PROCEDURES: dict[str, Any] = {
    "march": march,
    "overrun": overrun,
    "crowding": crowding,
    "halt": halt,
    "porters": muster_porters,
    "back_in_line": back_in_line,
}
MOVING = Room(
    "moving",
    _RULES,
    {
        "movement": ("mode", "move", "overrun", "carry"),
        "reaction": ("release", "move", "overrun"),
        "exploitation": ("release", "move", "overrun"),
    },
    _PROCEDURES,
    idle={"reaction": _no_reserves, "exploitation": _nobody_exploits},
    enters={"movement": ("porters",), "barrage": ("back_in_line",), "cleanup": ("back_in_line",)},
    leaves={
        **dict.fromkeys(("movement", "reaction", "exploitation"), ("crowding", "halt")),
        **dict.fromkeys(("combat", "exploitation_combat"), ("crowding",)),
    },
)
