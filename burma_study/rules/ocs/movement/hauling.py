"""Mules that ride on trucks: loaded, driven and set down in one order (Burma 1.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from burma_study.engine.game import Choice, Partial
from burma_study.engine.reasons import Reason, because
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.combat.segments import acting_side
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.goods.transport import handling_cost
from burma_study.rules.ocs.movement.marching import (
    go,
    left_of,
    may_start,
    move_impossible,
    next_steps,
    path_reasons,
    stopping,
)
from burma_study.rules.ocs.movement.orders import Carry, Move
from burma_study.rules.ocs.movement.reach import Mover, mover
from burma_study.rules.ocs.movement.reserves import begin, not_owned, together, unknown
from burma_study.rules.ocs.movement.terrain import mp
from burma_study.rules.ocs.movement.zoc import whose
from burma_study.rules.ocs.state import State, Transport

PHASE = "movement"
RIDER, CARRIER = "mule", "truck"


def carry_impossible(state: State, order: Carry) -> Iterator[Reason]:
    """Transport that is not in play or not in one hex, or a path with gaps."""
    units = (order.name, *order.mules)
    found = [*unknown(state, units), *together(state, units)]
    found += [because("not-in-play", what="transport", name=u, hard=True) for u in units if u in state.pieces]
    yield from found or move_impossible(state, Move((order.name,), order.path))


@rule("ocs/1.2")
def carry_forbidden(state: State, order: Carry) -> Iterator[Reason]:
    """Only empty mules that have not moved ride, only on trucks with room, and both handlings cost the trucks MP."""
    truck, mules = state.transport[order.name], [state.transport[m] for m in order.mules]
    yield from not_owned(state, order.mules)
    yield from may_start(state, [mover(state, truck.id)])
    if truck.kind != CARRIER:
        yield because("carry-on", name=truck.id, kind=truck.kind, rule="ocs/1.2")
        return
    yield from _riders(mules)
    if (room := truck.size - truck.load) < (size := sum(m.size for m in mules)):
        yield because("carry-room", name=truck.id, room=room, size=size, rule="ocs/1.2")
    yield from _way(state, _laden(state, truck), order.path)


@rule("ocs/1.2")
def _riders(mules: Sequence[Transport]) -> Iterator[Reason]:
    for points in mules:
        if points.kind != RIDER:
            yield because("carry-kind", unit=points.id, kind=points.kind, rule="ocs/1.2")
        if points.load:
            yield because("carry-loaded", unit=points.id, load=points.load, rule="ocs/1.2")
        if points.spent or points.done:
            yield because("carry-moved", unit=points.id, rule="ocs-series/12.2a")


def _laden(state: State, truck: Transport) -> Mover:
    """The truck as it drives: what loading and unloading take is spent beforehand, so no minimum move is left."""
    return mover(state, truck.id)._replace(spent=truck.spent + 2 * handling_cost(state, truck))


def _way(state: State, who: Mover, path: Sequence[int]) -> Iterator[Reason]:
    """Why the laden truck may not go along a path, or could not set its mules down at the end."""
    handling = handling_cost(state, state.transport[who.id])
    if not left_of(who, PHASE):
        left = mp(left_of(mover(state, who.id), PHASE))
        yield because("carry-time", unit=who.id, cost=mp(2 * handling), left=left, rule="ocs/1.2")
        return
    yield from path_reasons(state, [who], path)
    if path and stopping(state, who, path[-1], [who.id]):
        enemy = whose(state, other_side(who.side), path[-1])
        yield because("carry-stop", path[-1], unit=who.id, whose=enemy, rule="ocs-series/4.5")


@rule("ocs/1.2")
def carry_mules(step: Step[State], order: Carry) -> None:
    """The truck pays for loading, the way and unloading; the mules have moved."""
    begin(step, (order.name,))
    _handle(step, order.name)
    go(step, [mover(step.state, order.name)], order.path)
    _handle(step, order.name)
    for name in order.mules:
        step.put("moved", "transport", name, replace(step.state.transport[name], at=order.path[-1], done=True))
    step.cite("ocs/1.2", "ocs-series/13.2")


def _handle(step: Step[State], name: str) -> None:
    points = step.state.transport[name]
    cost = handling_cost(step.state, points)
    step.put("handling", "transport", name, replace(points, spent=points.spent + cost))


# choices --------------------------------------------------------------------------------------------------------------


def carry_choices(state: State, partial: Partial, slot: str) -> Iterable[Choice] | None:
    """Mules that may ride, the trucks beside them, and where these may go."""
    mules: tuple[str, ...] = partial.values.get("mules", ())
    if slot == "mules":
        return [_choice(t) for t in _able_mules(state) if t.id not in mules and _trucks(state, (*mules, t.id))]
    if slot == "name":
        return [_choice(t) for t in _trucks(state, mules)]
    truck = state.transport.get(partial.values.get("name", ""))
    if truck is None:
        return ()
    who, path = _laden(state, truck), partial.values.get("path", ())
    return [c for c in next_steps(state, [who], path) if not any(_way(state, who, c.hexes))]


def _able_mules(state: State) -> list[Transport]:
    own = (t for t in state.transport.values() if t.side == acting_side(state) and isinstance(t.at, int))
    return sorted((t for t in own if t.kind == RIDER and not any(_riders([t]))), key=lambda t: t.id)


def _trucks(state: State, mules: Sequence[str]) -> list[Transport]:
    """Trucks that stand with all these mules, have room for them, and time to load and unload."""
    riders = [state.transport[m] for m in mules]
    places, size = {m.at for m in riders}, sum(m.size for m in riders)
    found = (t for t in state.transport.values() if t.kind == CARRIER and places == {t.at} and t.side == riders[0].side)
    fit = (t for t in found if t.size - t.load >= size and not list(may_start(state, [mover(state, t.id)])))
    return sorted((t for t in fit if left_of(_laden(state, t), PHASE)), key=lambda t: t.id)


def _choice(points: Transport) -> Choice:
    hexes = (points.at,) if isinstance(points.at, int) else ()
    return Choice(points.id, f"{points.size} T {points.kind}, {points.load} T loaded", None, hexes)
