"""Movement for a page: where chosen units may go at once, which modes they may take, why not, and whole formations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from burma_study.engine.dice import DiceWanted, NoDice
from burma_study.engine.orders import Order
from burma_study.engine.reasons import Reason
from burma_study.errors import BurmaStudyError
from burma_study.games.ocs.phrases import plainly
from burma_study.rules.ocs.goods.payment import payment_choices
from burma_study.rules.ocs.movement.marching import fuel_cost, may_start, movers_of, thirsty
from burma_study.rules.ocs.movement.moving import targets
from burma_study.rules.ocs.movement.orders import CHOSEN_MODES, ChooseMode, Move
from burma_study.rules.ocs.movement.stacking import check_hex
from burma_study.rules.ocs.movement.terrain import mp
from burma_study.rules.ocs.state import State, Where
from burma_study.study.play import Play

PHASES = ("movement", "reaction", "exploitation")


@dataclass(frozen=True, slots=True)
class Way:
    """A hex that units may reach together: the path to it, its cost in twelfths of an MP and in words."""

    hex: int
    path: tuple[int, ...]
    cost: int
    text: str


def ways(state: State, units: Sequence[str]) -> dict[int, Way]:
    """Every hex that units of one place may reach together now, each with a cheapest way."""
    if not units or state.frames or state.phase not in PHASES or not _one_place(state, units):
        return {}
    dry = thirsty(movers_of(state, units))
    if dry and not fuels(state, units):
        return {}
    found = {}
    for choice in targets(state, tuple(units)):
        end, cost = choice.value[-1], choice.cost or 0
        found[end] = Way(end, choice.value, cost, f"{mp(cost)} MP")
    return found


def _one_place(state: State, units: Sequence[str]) -> bool:
    places = {place_of(state, u) for u in units}
    return len(places) == 1 and isinstance(next(iter(places)), int)


def place_of(state: State, unit: str) -> Where | None:
    """Where a unit or transport is; None for what is not in play."""
    thing = state.pieces.get(unit) or state.transport.get(unit)
    return thing.at if thing is not None else None


def fuels(state: State, units: Sequence[str]) -> list[tuple[str, str]]:
    """Ways to pay the fuel of trucks and tanks among the units that have not paid: value and words; empty: none due or
    none to be had.
    """
    dry = thirsty(movers_of(state, units))
    return [(str(c.value), c.text) for c in payment_choices(state, dry, fuel_cost(state, dry), "fuel")] if dry else []


def fuel_due(state: State, units: Sequence[str]) -> int:
    """Tokens of fuel that these units still have to pay in this phase."""
    dry = thirsty(movers_of(state, units))
    return fuel_cost(state, dry) if dry else 0


def stopped(play: Play, units: Sequence[str]) -> list[str]:
    """Why units may not move at all now, in words."""
    state = play.state
    if not units or state.phase not in PHASES or state.frames:
        return []
    say = play.session.game.say
    if not _one_place(state, units):
        return ["These units do not stand in one hex: move them hex by hex."]
    found = [say(r) for r in may_start(state, movers_of(state, units))]
    if not found and fuel_due(state, units) and not fuels(state, units):
        found = list(play.session.why_not(Move(tuple(units), (_beside(state, units),))))
    return list(dict.fromkeys(map(plainly, found)))


def _beside(state: State, units: Sequence[str]) -> int:
    here = place_of(state, units[0])
    return min(state.board.grid.adjacent[here]) if isinstance(here, int) else 0


def why_not_there(play: Play, units: Sequence[str], hex_: int, fuel: str = "auto") -> list[str]:
    """Why units cannot go to a hex: what speaks against the straightest way there, each reason with its rule."""
    state = play.state
    start = place_of(state, units[0]) if units else None
    if not isinstance(start, int) or start == hex_:
        return []
    order = Move(tuple(units), straight(state, start, hex_), fuel)
    found = play.session.check(order)
    return list(dict.fromkeys(plainly(play.session.game.say(r)) for r in sorted(found, key=_soft)))


def _soft(reason: Reason) -> bool:
    return reason.code == "spent"


def straight(state: State, start: int, end: int) -> tuple[int, ...]:
    """Hexes from beside `start` to `end`, each a step nearer."""
    grid, path = state.board.grid, [start]
    while path[-1] != end:
        path.append(min(grid.adjacent[path[-1]], key=lambda h: (grid.distance(h, end), h)))
    return tuple(path[1:])


# modes --------------------------------------------------------------------------------------------------------------


def modes(play: Play, units: Sequence[str]) -> list[tuple[str, str, tuple[str, ...]]]:
    """For each mode the order in words, and why units may not take it (empty: they may)."""
    if not units or any(u not in play.state.pieces for u in units):
        return []
    orders = [(mode, ChooseMode(tuple(units), mode)) for mode in CHOSEN_MODES]
    return [(mode, order.text, tuple(map(plainly, play.session.why_not(order)))) for mode, order in orders]


def formation_modes(play: Play, formation: str, mode: str) -> tuple[list[Order], list[str]]:
    """Orders that bring every unit of a formation that may into a mode, and what may not, in words.

    Each is checked after those before it, which may have taken the last Reserve marker.
    """
    game, plan = play.session.game, play.state
    orders: list[Order] = []
    left: list[str] = []
    for units in play.edition.formations(plan, play.actor).get(formation, {}).values():
        for unit in units:
            if plan.pieces[unit].mode == mode:
                continue
            order = ChooseMode((unit,), mode)
            against = game.check(plan, order)
            if against:
                left.append(f"{plan.pieces[unit].counter.label}: {game.say(against[0])}")
            else:
                orders.append(order)
                plan = game.apply(plan, order, NoDice()).state
    return orders, left


def formation_march(play: Play, formation: str, goal: int) -> tuple[list[Order], list[str]]:
    """A march of each stack of a formation as near to a hex as it can come, those nearest to it first.

    Each is planned where those before it have gone, so that no hex gets more than may end there (OCS 4.8; full hexes
    are passed through). Units that may not move, stacks that find no room or would come no nearer, stay; whoever stops
    short for want of room and whoever stays is in the second list, with the reason.
    """
    plan, grid = play.state, play.state.board.grid
    orders: list[Order] = []
    left: list[str] = []
    late: list[Move] = []
    stacks = play.edition.formations(plan, play.actor).get(formation, {})
    for hex_, units in sorted(stacks.items(), key=lambda kv: grid.distance(kv[0], goal)):
        order, why = _march(plan, hex_, units, goal)
        against = () if order is None else play.session.game.check(plan, order)
        left += [f"{_at(plan, units)} stay. {plainly(play.session.game.say(against[0]))}"] if against else why
        if order is None or against:
            continue
        after = _planned(play, plan, order)
        if after is None:
            late.append(order)
        else:
            orders.append(order)
            plan = after
    for n, order in enumerate(late):
        if n or play.session.game.check(plan, order):
            left.append(f"{_at(plan, order.units)} would meet enemy goods on the way; let them march by themselves.")
        else:
            orders.append(order)
    return orders, left


def _march(plan: State, hex_: int, units: Sequence[str], goal: int) -> tuple[Move | None, list[str]]:
    """The order that brings a stack nearest to a hex and leaves it where it may stand; what there is to say of it."""
    grid, label = plan.board.grid, plan.board.label
    able = [u for u in units if not list(may_start(plan, movers_of(plan, [u])))]
    found = sorted(ways(plan, able).values(), key=lambda w: (grid.distance(w.hex, goal), w.cost))
    nearer = [w for w in found if grid.distance(w.hex, goal) < grid.distance(hex_, goal)]
    if not nearer:
        return None, [] if hex_ == goal else [f"{_at(plan, units)} come no nearer."]
    best = next((w for w in nearer if not _no_room(plan, able, w.hex)), None)
    full = _no_room(plan, able, nearer[0].hex)
    if best is None:
        return None, [f"{_at(plan, units)} stay. {full}"]
    return Move(tuple(able), best.path), [f"{_at(plan, units)} stop at {label(best.hex)}. {full}"] if full else []


def _at(state: State, units: Sequence[str]) -> str:
    here = place_of(state, units[0])
    return f"The units at {state.board.label(here) if isinstance(here, int) else here}"


def _no_room(plan: State, units: Sequence[str], hex_: int) -> str:
    """Why units may not end in a hex, for what stands there and for themselves; empty when they may."""
    before = {p.code for p in check_hex(plan, hex_)}
    found = check_hex(plan, hex_, [replace(plan.pieces[u], at=hex_) for u in units])
    return next((p.message for p in found if p.code not in before), "")


def _planned(play: Play, plan: State, order: Move) -> State | None:
    """The state after a march; None when it rolls dice or asks somebody, so that nothing may be ordered after it."""
    try:
        after: State = play.session.game.apply(plan, order, NoDice()).state
    except DiceWanted:
        return None
    return None if after.frames else after


def together(play: Play, orders: Iterable[Order]) -> None:
    """Give orders at once, one record; a BurmaStudyError that says so where there are none."""
    given = list(orders)
    if not given:
        raise BurmaStudyError("None of these units can do that now.")
    if len(given) == 1:
        play.give(given[0])
    else:
        play.give_all(given)


def left_to_move(state: State, units: Iterable[str]) -> Mapping[str, str]:
    """Movement that units have left in this phase, in words."""
    from burma_study.rules.ocs.movement.marching import left_of, phase_of

    phase = phase_of(state) if state.phase in PHASES else ""
    return {w.id: f"{mp(left_of(w, phase))} MP left" for w in movers_of(state, list(units))} if phase else {}
