"""Flights without cargo: ferry, station, strike, recall, bombs, hip shoots (OCS 14; Burma 1.7, 2.2, 3.2, Opt.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from burma_study.boards.board import Board
from burma_study.engine.frames import Frame
from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import WORD, Order, choice_slot, many_slot, order, slot
from burma_study.engine.reasons import Reason, because
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
    on_station,
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
from burma_study.rules.ocs.air.combat import MISSIONS, take_off
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
from burma_study.rules.ocs.combat.barrage import rounded
from burma_study.rules.ocs.combat.barrage_fire import (
    CLOSED,
    BarrageOptions,
    air_barrage_odds,
    air_points,
    observed,
    spotters,
)
from burma_study.rules.ocs.combat.segments import done_here, mark_done
from burma_study.rules.ocs.combat.strength import Look
from burma_study.rules.ocs.combat.strikes import strike, strike_base
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.orders import HEXES, WHERE
from burma_study.rules.ocs.room import OrderRules
from burma_study.rules.ocs.state import Aircraft, State, Where, stack, stacks

PLANE = WORD
PLANES = many_slot(WORD)
UNITS, BASE = "units", "base"
NEAR_BASE = 10  # hexes; a barrage of aircraft all from so near shifts by v4.3


# orders ---------------------------------------------------------------------------------------------------------------


@order("ferry {planes} to {at}")
class Ferry(Order):
    """Air units fly from base to base and are inactive there."""

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


@order("bomb {at} with {planes}[ against the {what}]")
class Bomb(Order):
    """A stack over a hex barrages the units there, or the enemy's air base."""

    at: Where = slot(WHERE)
    planes: tuple[str, ...] = slot(PLANES)
    what: str = slot(choice_slot("target", (UNITS, BASE)), UNITS)


@order("hip shoot {at} with {plane}", kind="hip_shoot")
class HipShoot(Order):
    """One air unit bombs at once in a movement segment, with a spotter."""

    at: Where = slot(WHERE)
    plane: str = slot(PLANE)


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


def _planes_and_hex(state: State, o: Station | Strike | Bomb) -> Iterator[Reason]:
    yield from unknown(state, o.planes)
    yield from no_hex(o.at)


def _ferry_impossible(state: State, o: Ferry) -> Iterator[Reason]:
    yield from unknown(state, o.planes)
    yield from no_place(state, o.at)


def _recall_impossible(state: State, o: Recall) -> Iterator[Reason]:
    yield from unknown(state, o.planes)
    if o.at != "":
        yield from no_place(state, o.at)


def _hip_impossible(state: State, o: HipShoot) -> Iterator[Reason]:
    yield from unknown(state, (o.plane,))
    yield from no_hex(o.at)


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


@rule("ocs/opt.3o", "ocs-series/14.11", "ocs-series/10.0")
def _bomb_forbidden(state: State, o: Bomb) -> Iterator[Reason]:
    planes = named(state, o.planes)
    assert isinstance(o.at, int)
    at_once = state.rules.version == "v4.3" and not any(sortie(state, p.id) for p in planes)
    yield from stack_reasons(state, planes, from_base=at_once)
    yield from weather_reasons(state)
    if at_once:
        yield from range_reasons(state, planes, o.at)
        yield from over_reasons(state, planes, o.at)
    else:
        yield from _one_stack(state, planes, o.at)
    yield from target_reasons(state, planes, o.at, o.what)
    if o.at in barraged(state):
        yield because("barraged", o.at, rule="ocs-series/10.0")


def _one_stack(state: State, planes: Sequence[Aircraft], hex_: int) -> Iterator[Reason]:
    """All of the stack that flew here, and nobody else (Opt.3o A, C)."""
    for p in planes:
        if p.at != hex_ or not sortie(state, p.id):
            yield because("not-over", hex_, rule="ocs/opt.3o", unit=p.id)
            return
    stack_ = squadron(state, planes[0])
    if state.rules.has("opt3") and {p.id for p in planes} != set(stack_):
        yield because("not-the-stack", rule="ocs/opt.3o", stack=stack_)


def squadron(state: State, plane: Aircraft) -> tuple[str, ...]:
    """Those that flew with a unit on station and still are with it."""
    out = sortie(state, plane.id)
    return tuple(i for i in (out[1] if out else ()) if i in state.aircraft and _still(state, i, plane))


def _still(state: State, other: str, plane: Aircraft) -> bool:
    mine, theirs = sortie(state, plane.id), sortie(state, other)
    return theirs is not None and mine is not None and theirs[1] == mine[1] and state.aircraft[other].at == plane.at


@rule("ocs/1.7", "ocs-series/10.0c")
def target_reasons(state: State, planes: Sequence[Aircraft], hex_: int, what: str) -> Iterator[Reason]:
    """Why a hex is no target: nothing there, not observed (Burma 1.7), no bombs."""
    enemy = other_side(planes[0].side)
    if rounded(points_of(state, planes)) < 1:
        yield because("no-bombs", rule="ocs-series/10.0")
    if what == BASE:
        if own_base(state, hex_, enemy) is None:
            yield because("no-facility", hex_, rule="ocs-series/10.0c")
        return
    defenders = [p for p in stack(state, hex_) if p.counter.side == enemy]
    if not defenders:
        yield because("no-defenders", hex_, rule="ocs-series/10.0")
    terrain = state.board.terrain[hex_]
    strat = all(p.mode == "strat" for p in defenders)  # the barrage strikes every unit of the hex
    if terrain in CLOSED and not strat and not observed(state, hex_, planes[0].side):
        yield because("unobserved-air", hex_, rule="ocs/1.7", terrain=terrain)


def points_of(state: State, planes: Sequence[Aircraft]) -> Fraction:
    """Ground support points of air units as they are, DG ones at half (Opt.3e)."""
    return air_points(Look(state.rules.charts), planes)[0]


@rule("ocs/2.2a", "ocs/3.2", "ocs/3.2a", "ocs/opt.3o")
def _hip_forbidden(state: State, o: HipShoot) -> Iterator[Reason]:
    plane = state.aircraft[o.plane]
    assert isinstance(o.at, int)
    over = plane.at == o.at and sortie(state, plane.id) is not None
    yield from stack_reasons(state, [plane], from_base=not over)
    yield from weather_reasons(state)
    if plane.side == "japanese":
        yield because("no-hip-shoot", rule="ocs/2.2a")
    if over and state.rules.has("opt3") and len(squadron(state, plane)) > 1:
        yield because("not-the-stack", rule="ocs/opt.3o", stack=squadron(state, plane))
    if not over:
        yield from range_reasons(state, [plane], o.at)
        yield from over_reasons(state, [plane], o.at)
    yield from target_reasons(state, [plane], o.at, UNITS)
    if not spotters(state, o.at, plane.side, air=True):
        yield because("hip-spotter", o.at, rule="ocs/3.2b")


def barraged(state: State) -> tuple[int, ...]:
    """Hexes that were barraged in this phase: each only once (OCS 10.0)."""
    return done_here(state, "barrage").hexes


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


def _bomb(step: Step[State], o: Bomb) -> None:
    assert isinstance(o.at, int)
    mark_done(step, "barrage", o.at, o.planes)
    if sortie(step.state, o.planes[0]):
        step.open("bombing", planes=o.planes, at=o.at, what=o.what, stage="fire")
    else:
        take_off(step, o.planes, o.at, "bomb", what=o.what)


@rule("ocs/3.2a")
def _hip(step: Step[State], o: HipShoot) -> None:
    step.cite("ocs/3.2a")
    if sortie(step.state, o.plane):
        step.open("bombing", planes=(o.plane,), at=o.at, what=UNITS, stage="fire")
    else:
        take_off(step, (o.plane,), o.at, "bomb", what=UNITS)


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


def _mission_bomb(step: Step[State], frame: Frame) -> None:
    go_over(step, frame, STRIKE)
    step.close()
    step.open("bombing", planes=frame["planes"], at=frame["target"], what=frame["what"], stage="fire")


def _mission_ferry(step: Step[State], frame: Frame) -> None:
    step.close()
    for id_ in frame["planes"]:
        land(step, id_, frame["target"])
    ask_protection(step)


MISSIONS |= {"station": _mission_station, "bomb": _mission_bomb, "ferry": _mission_ferry}


# bombs ----------------------------------------------------------------------------------------------------------------


def bombing(step: Step[State]) -> None:
    """The barrage of a stack over its target, then its way home; it is inactive there."""
    frame = step.frame
    planes = named(step.state, frame["planes"])
    if frame["stage"] == "home":
        step.close()
        for p in planes:
            if sortie(step.state, p.id):
                land(step, p.id)
        ask_protection(step)
        return
    step.note(stage="home")
    if frame["what"] == BASE:
        bomb_base(step, frame["at"], planes)
    elif any(p.counter.side != planes[0].side for p in stack(step.state, frame["at"])):
        bomb_units(step, frame["at"], planes)


@rule("ocs-series/14.11", "ocs/opt.9")
def bomb_units(step: Step[State], hex_: int, planes: Sequence[Aircraft]) -> None:
    """On the Barrage Table, never together with guns (Opt.9); [1/2] from the air is only DG."""
    ids = tuple(p.id for p in planes)
    close = all(_near_base(step.state, p, hex_) for p in planes)
    odds = air_barrage_odds(step.state, hex_, ids, BarrageOptions(near_base=close, anyway=True))
    step.cite("ocs-series/14.11")
    strike(step, hex_, odds, ids, air=True)


@rule("ocs-series/10.1-shifts")
def _near_base(state: State, plane: Aircraft, hex_: int) -> bool:
    """Is the base that an air unit flew from within ten hexes? A shift by v4.3."""
    out = sortie(state, plane.id)
    return out is not None and isinstance(out[0], int) and state.board.grid.distance(out[0], hex_) <= NEAR_BASE


@rule("ocs-series/10.0c", "ocs/opt.3i", "ocs/opt.3j")
def bomb_base(step: Step[State], hex_: int, planes: Sequence[Aircraft]) -> None:
    """On the Facility Table; protected units are safe (Opt.3j)."""
    if own_base(step.state, hex_, other_side(planes[0].side)) is not None:
        strike_base(step, hex_, points_of(step.state, planes), tuple(p.id for p in planes), air=True)


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


def _bomb_choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    side, done = flyer(state), barraged(state)
    if any(weather_reasons(state)):
        return []
    if slot_ == "what":
        return [Choice(UNITS, "the units"), Choice(BASE, "the air base")]
    if slot_ == "at":
        over = {p.at for p in aloft(state) if isinstance(p.at, int)}
        if state.rules.version == "v4.3":
            planes = [p for p in ready(state) if kind_of(p).barrage]
            over |= {h for p in planes for h in within(state, [p], enemy_hexes(state, side), False)}
        return hex_choices(state, (h for h in over & enemy_hexes(state, side) - set(done) if _worth(state, side, h)))
    at, chosen = partial.values["at"], partial.values.get("planes", ())
    found = list(on_station(state, at, side))
    if chosen and found:
        found = [p for p in found if p.id in squadron(state, state.aircraft[chosen[0]])]
    if state.rules.version == "v4.3" and not found:
        found = [p for p in ready(state) if kind_of(p).barrage]
    return plane_choices(found, chosen)


def _worth(state: State, side: str, hex_: int) -> bool:
    """There is an enemy base, or units that the aircraft over the hex (or ready) may bomb."""
    planes = on_station(state, hex_, side) or tuple(ready(state))
    return own_base(state, hex_, other_side(side)) is not None or not any(target_reasons(state, planes, hex_, UNITS))


def _hip_choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    side = flyer(state)
    if side == "japanese":
        return []
    bombers = [p for p in (*ready(state), *aloft(state)) if kind_of(p).barrage]
    if slot_ == "plane":
        return plane_choices((p for p in bombers if _may_hip(state, partial.values["at"], p)), ())
    seen = [h for h in stacks(state) if spotters(state, h, side, air=True)]
    return hex_choices(state, (h for h in seen if any(_may_hip(state, h, p) for p in bombers)))


def _may_hip(state: State, hex_: int, plane: Aircraft) -> bool:
    return not any(_hip_forbidden(state, HipShoot(hex_, plane.id)))


RULES: dict[type[Order], OrderRules] = {
    Ferry: OrderRules(_ferry_impossible, _ferry_forbidden, _ferry, _ferry_choices),
    Station: OrderRules(_planes_and_hex, _station_forbidden, _station, _station_choices),
    Strike: OrderRules(_planes_and_hex, _station_forbidden, _station, _station_choices),
    Recall: OrderRules(_recall_impossible, _recall_forbidden, _recall, _recall_choices),
    Bomb: OrderRules(_planes_and_hex, _bomb_forbidden, _bomb, _bomb_choices),
    HipShoot: OrderRules(_hip_impossible, _hip_forbidden, _hip, _hip_choices),
}
