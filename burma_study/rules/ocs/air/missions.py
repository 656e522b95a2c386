"""Flights without cargo: ferry, station, strike, recall (OCS 14; Burma 2.2, Opt.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from burma_study.boards.board import Board
from burma_study.engine.frames import Frame
from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import WORD, Order, many_slot, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules
from burma_study.engine.step import Step
from burma_study.errors import did_you_mean
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.aircraft import (
    OUT,
    STATION,
    STRIKE,
    active_at,
    air_value,
    kind_of,
    most_together,
    sortie,
)
from burma_study.rules.ocs.air.bases import (
    active_limit,
    air_distance,
    ask_protection,
    bases_of,
    edge_hexes,
    havens,
    land,
    own_base,
    takes,
)
from burma_study.rules.ocs.air.combat import Mission, take_off
from burma_study.rules.ocs.air.slots import (
    aloft,
    enemy_hexes,
    flyer,
    hex_choices,
    named,
    plane_choices,
    playable,
    ready,
    within,
)
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.orders import HEXES, WHERE
from burma_study.rules.ocs.state import Aircraft, State, Where

PLANES = many_slot(WORD)


# orders ---------------------------------------------------------------------------------------------------------------


@order("ferry {planes} to {at}")
class Ferry(Order):
    """Air units fly from base to base, mostly to be inactive there."""

    planes: tuple[str, ...] = slot(PLANES)
    at: Where = slot(WHERE)


@order("station {planes} over {at}")
class Station(Order):
    """A stack goes on station over a hex, to interdict it or to intercept."""

    planes: tuple[str, ...] = slot(PLANES)
    at: Where = slot(WHERE)


@order("strike {at} with {planes}")
class Strike(Order):
    """A stack goes over a hex for a while, to bomb it in a later barrage segment."""

    planes: tuple[str, ...] = slot(PLANES)
    at: Where = slot(WHERE)


@order("recall {planes}[ to {at}]")
class Recall(Order):
    """Air units on station come down at a base in range, their home unless another is named."""

    planes: tuple[str, ...] = slot(PLANES)
    at: Where = slot(WHERE, "")


# what cannot be -------------------------------------------------------------------------------------------------------


def unknown(state: State, planes: Sequence[str]) -> Iterator[Reason]:
    """Ids that name no air unit, or the same one twice."""
    for id_ in dict.fromkeys(planes):
        if id_ not in state.aircraft:
            yield because("no-aircraft", unit=id_, hint=did_you_mean(id_, state.aircraft), hard=True)
        elif planes.count(id_) > 1:
            yield because("twice", unit=id_, hard=True)
    if not planes:
        yield because("no-planes", hard=True)


def no_hex(at: Where) -> Iterator[Reason]:
    """Not a hex of the board."""
    if not isinstance(at, int) or not 0 <= at < HEXES:
        yield because("no-such-hex", at=at, last=HEXES - 1, hard=True)


def no_place(state: State, at: Where) -> Iterator[Reason]:
    """Neither a hex nor a box with a base."""
    if isinstance(at, int):
        yield from no_hex(at)
    elif at not in state.bases:
        yield because("not-a-place", at=at, hard=True)


def planes_and_hex(state: State, o: Any) -> Iterator[Reason]:
    """The air units and the hex of a station, a strike or a barrage."""
    yield from unknown(state, o.planes)
    yield from no_hex(o.at)


def _ferry_impossible(state: State, o: Ferry) -> Iterator[Reason]:
    yield from unknown(state, o.planes)
    yield from no_place(state, o.at)


def _recall_impossible(state: State, o: Recall) -> Iterator[Reason]:
    yield from unknown(state, o.planes)
    if o.at != "":
        yield from no_place(state, o.at)


# what may not be ------------------------------------------------------------------------------------------------------


@rule("ocs/opt.3c", "ocs/opt.3o", "ocs-series/14-stack", "ocs/opt.3")
def stack_reasons(state: State, planes: Sequence[Aircraft], *, from_base: bool = True) -> Iterator[Reason]:
    """Why these air units do not fly together now: whose, active, from one base, not too many (Opt.3c, 3o A)."""
    for p in planes:
        if p.side != flyer(state):
            yield because("not-your-aircraft", unit=p.id)
        elif not p.active:
            yield because("aircraft-inactive", rule="ocs-series/14-stack", unit=p.id)
        elif kind_of(p).role == "glider":
            yield because("gliders-are-towed", rule="ocs/3.5b", unit=p.id)
        elif from_base and (sortie(state, p.id) or own_base(state, p.at, p.side) is None):
            yield because("not-at-base", rule="ocs/opt.3o", unit=p.id)
    places = tuple(sorted({WHERE.write(p.at) for p in planes}))
    if len(places) > 1:
        yield because("not-together", rule="ocs/opt.3o", places=places)
    if len(planes) > (most := most_together(state)):
        yield because("too-many-together", rule="ocs/opt.3c", most=most, count=len(planes))


@rule("ocs/table.air-effects")
def weather_reasons(state: State, *, base_to_base: bool = False) -> Iterator[Reason]:
    """Prohibited: nothing flies. Restricted: only from friendly base to friendly base."""
    if state.air_ops == "prohibited":
        yield because("no-flying", rule="ocs/table.air-effects", air_ops=state.air_ops)
    elif state.air_ops == "restricted" and not base_to_base:
        yield because("base-to-base", rule="ocs/table.air-effects")


def range_reasons(state: State, planes: Iterable[Aircraft], at: Where, times: Fraction | int = 1) -> Iterator[Reason]:
    """Units for which a place lies beyond their range (times a factor)."""
    for p in planes:
        far, reach = air_distance(state.board, p.at, at), int(kind_of(p).range * times)
        if far > reach:
            yield because("air-range", rule="ocs-series/14.1", unit=p.id, far=far, reach=reach)


@rule("ocs-series/14.20e")
def _ferry_forbidden(state: State, o: Ferry) -> Iterator[Reason]:
    planes = named(state, o.planes)
    yield from stack_reasons(state, planes)
    yield from weather_reasons(state, base_to_base=True)
    yield from range_reasons(state, planes, o.at, air_value(state, "transfer"))
    yield from base_reasons(state, planes, o.at)


def base_reasons(state: State, planes: Iterable[Aircraft], at: Where) -> Iterator[Reason]:
    """No friendly base there that they may use."""
    for p in planes:
        if not takes(state, at, p):
            yield because("no-friendly-base", unit=p.id, at=WHERE.write(at))


@rule("ocs/opt.3n", "ocs/2.2", "ocs/2.2b")
def _station_forbidden(state: State, o: Station | Strike) -> Iterator[Reason]:
    planes = named(state, o.planes)
    assert isinstance(o.at, int)
    yield from stack_reasons(state, planes)
    yield from weather_reasons(state)
    yield from range_reasons(state, planes, o.at)
    yield from _no_use(planes)
    yield from over_reasons(state, planes, o.at)
    if isinstance(o, Station):
        yield from _long_stay(state, planes, o.at)


def _no_use(planes: Iterable[Aircraft]) -> Iterator[Reason]:
    for p in planes:
        if not kind_of(p).is_fighter and not kind_of(p).barrage:
            yield because("not-for-station", rule="ocs-series/14.1", unit=p.id)


@rule("ocs/opt.3i")
def over_reasons(state: State, planes: Sequence[Aircraft], hex_: int) -> Iterator[Reason]:
    """Why a stack may not come to a hex at all: off the map, or no fighter against enemies in the air (Opt.3i)."""
    if not playable(state, hex_):
        yield because("off-board", hex_)
    side = planes[0].side
    enemies = active_at(state, hex_, other_side(side))
    base = own_base(state, hex_, other_side(side)) is not None
    if enemies and not any(kind_of(p).is_fighter for p in planes) and not (base and state.rules.has("opt3")):
        yield because("no-fighter", hex_, rule="ocs/opt.3i")


@rule("ocs/opt.3b")
def _no_room(state: State, planes: Sequence[Aircraft], hex_: int) -> Iterator[Reason]:
    """More active units than may end a phase there; who only strikes or passes is gone by then (Opt.3b)."""
    side = planes[0].side
    most = active_limit(state, hex_, side)
    if state.rules.has("opt3") and len(active_at(state, hex_, side)) + len(planes) > most:
        yield because("air-stacking", hex_, rule="ocs/opt.3b", most=most)


@rule("ocs/opt.3n", "ocs/2.2b", "ocs/opt.3i")
def _long_stay(state: State, planes: Sequence[Aircraft], hex_: int) -> Iterator[Reason]:
    yield from _no_room(state, planes, hex_)
    for p in planes:
        far, reach = air_distance(state.board, p.at, hex_), kind_of(p).range
        if state.rules.has("opt3") and 2 * far >= reach:
            yield because("long-station", rule="ocs/opt.3n", unit=p.id, far=far, range=reach)
    side = planes[0].side
    if own_base(state, hex_, other_side(side)) is not None:
        yield because("over-enemy-base", hex_, rule="ocs/opt.3i")
    near = int(air_value(state, "no_station"))
    if side == "japanese" and hex_ in shielded(state, near):
        yield because("no-station-there", hex_, rule="ocs/2.2b", far=near)


def shielded(state: State, near: int) -> frozenset[int]:
    """Hexes within so many of the north or west edge of the map, on both sheets (Burma 2.2b)."""
    return _shielded(state.board, near)


@lru_cache(maxsize=4)
def _shielded(board: Board, near: int) -> frozenset[int]:
    grid = board.grid
    top = max(grid.line_position(h)[1] for h in edge_hexes(board, "north"))
    lines = {h: grid.line_position(h) for h in grid}
    return frozenset(h for h, (column, row) in lines.items() if column - 1 <= near or top - row <= near)


@rule("ocs/opt.3o", "ocs-series/14.5")
def _recall_forbidden(state: State, o: Recall) -> Iterator[Reason]:
    """Whose, on station, a base in range; a stack comes home as it flew, nobody stays behind (Opt.3o A)."""
    for p in named(state, o.planes):
        if p.side != flyer(state):
            yield because("not-your-aircraft", unit=p.id)
        elif not sortie(state, p.id):
            yield because("not-on-station", rule="ocs-series/14.5", unit=p.id)
        elif o.at != "" and o.at not in havens(state, p, p.at, kind_of(p).range):
            yield because("no-friendly-base", rule="ocs-series/14.5", unit=p.id, at=WHERE.write(o.at))
        elif state.rules.has("opt3") and not set(squadron(state, p)) <= set(o.planes):
            yield because("not-the-stack", rule="ocs/opt.3o", stack=squadron(state, p))


def squadron(state: State, plane: Aircraft) -> tuple[str, ...]:
    """Those that flew with a unit on station and still are with it."""
    out = sortie(state, plane.id)
    return tuple(i for i in (out[1] if out else ()) if i in state.aircraft and _still(state, i, plane))


def _still(state: State, other: str, plane: Aircraft) -> bool:
    mine, theirs = sortie(state, plane.id), sortie(state, other)
    return theirs is not None and mine is not None and theirs[1] == mine[1] and state.aircraft[other].at == plane.at


# carrying out ---------------------------------------------------------------------------------------------------------


def _ferry(step: Step[State], o: Ferry) -> None:
    take_off(step, o.planes, o.at, "ferry")


def _station(step: Step[State], o: Station | Strike) -> None:
    take_off(step, o.planes, o.at, "station", purpose=STATION if isinstance(o, Station) else STRIKE)


def _recall(step: Step[State], o: Recall) -> None:
    for plane in o.planes:
        land(step, plane, None if o.at == "" else o.at)
    step.cite("ocs-series/14.5")
    ask_protection(step)


def go_over(step: Step[State], frame: Frame, purpose: str) -> None:
    """The stack is over its target, home and companions noted (Opt.3o)."""
    for id_ in frame["planes"]:
        plane = step.state.aircraft[id_]
        step.put("on station", "aircraft", id_, replace(plane, at=frame["target"]))
        step.put("on station", "markers", OUT + id_, (frame["start"], frame["planes"], purpose))


def _mission_station(step: Step[State], frame: Frame) -> None:
    go_over(step, frame, frame["purpose"])
    step.close()
    ask_protection(step)


@rule("ocs-series/14-transfer")
def _mission_ferry(step: Step[State], frame: Frame) -> None:
    """They land and are inactive, save by v4.3 fighters that flew no farther than their range."""
    state, target = step.state, frame["target"]
    step.close()
    for id_ in frame["planes"]:
        plane = state.aircraft[id_]
        near = air_distance(state.board, frame["start"], target) <= kind_of(plane).range
        if state.rules.version == "v4.3" and kind_of(plane).is_fighter and near:
            step.put("transferred", "aircraft", id_, replace(plane, at=target))
        else:
            land(step, id_, target)
    ask_protection(step)


MISSIONS: dict[str, Mission] = {"station": _mission_station, "ferry": _mission_ferry}


# choices --------------------------------------------------------------------------------------------------------------


def _station_choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    chosen = partial.values.get("planes", ())
    if any(weather_reasons(state)):
        return []
    if slot_ == "planes":
        return _wingmen(state, (p for p in ready(state) if kind_of(p).is_fighter or kind_of(p).barrage), chosen)
    planes, strike_ = named(state, chosen), partial.kind == Strike.kind
    terrain, half = state.board.terrain, state.rules.has("opt3") and not strike_
    hexes = [h for h in range(len(terrain)) if playable(state, h)]
    if strike_:
        hexes = sorted(enemy_hexes(state, planes[0].side))
    near = (h for h in within(state, planes, hexes, half) if not any(over_reasons(state, planes, h)))
    return hex_choices(state, (h for h in near if strike_ or not any(_long_stay(state, planes, h))))


@rule("ocs/opt.3c")
def _wingmen(state: State, planes: Iterable[Aircraft], chosen: Sequence[str]) -> list[Choice]:
    """Air units that may still join a stack (Opt.3c)."""
    return plane_choices(planes, chosen) if len(chosen) < most_together(state) else []


def _ferry_choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    chosen = partial.values.get("planes", ())
    if any(weather_reasons(state, base_to_base=True)):
        return []
    if slot_ == "planes":
        return _wingmen(state, ready(state), chosen)
    planes, times = named(state, chosen), air_value(state, "transfer")
    bases = [at for at in bases_of(state, planes[0].side) if at != planes[0].at]
    found = [at for at in bases if all(takes(state, at, p) for p in planes)]
    return hex_choices(state, (at for at in found if not any(range_reasons(state, planes, at, times))))


def _recall_choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    chosen = partial.values.get("planes", ())
    if slot_ == "planes":
        return plane_choices(aloft(state), chosen)
    each = [set(havens(state, p, p.at, kind_of(p).range)) for p in named(state, chosen)]
    return hex_choices(state, set.intersection(*each) if each else ())


RULES: dict[type[Order], OrderRules[State]] = {
    Ferry: OrderRules(_ferry_impossible, _ferry_forbidden, _ferry, _ferry_choices),
    Station: OrderRules(planes_and_hex, _station_forbidden, _station, _station_choices),
    Strike: OrderRules(planes_and_hex, _station_forbidden, _station, _station_choices),
    Recall: OrderRules(_recall_impossible, _recall_forbidden, _recall, _recall_choices),
}
