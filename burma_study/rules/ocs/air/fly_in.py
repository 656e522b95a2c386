"""Flights from outside the map: the Arakan fly-in (Burma 3.1c) and Hump diversions (Burma 3.10).

A diversion is declared and rolled in the Reinforcement Phase (`hump`); what is left of it is counted there in RE.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import WORD, Order, flag_slot, many_slot, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.aircraft import TRANSPORT, air_value, kind_of
from burma_study.rules.ocs.air.bases import air_route, ask_protection, bases_of, land, own_base
from burma_study.rules.ocs.air.combat import interceptors
from burma_study.rules.ocs.air.lift import (
    CARGO,
    cargo_choices,
    cargo_reasons,
    come_down,
    landing_reasons,
    transports,
    unloadable,
)
from burma_study.rules.ocs.air.loads import DROPPING, LANDING, Stowed, tokens_of, weight
from burma_study.rules.ocs.air.missions import PLANES, no_place, unknown, weather_reasons
from burma_study.rules.ocs.air.slots import hex_choices, named, plane_choices
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.goods.losses import seize
from burma_study.rules.ocs.movement.presence import shut_to
from burma_study.rules.ocs.orders import WHERE
from burma_study.rules.ocs.state import Aircraft, State, Where
from burma_study.rules.ocs.turn.arrivals import ARAKAN

SIDE = "allied"
HUMP = "hump"  # marker: RE that the diversion of this turn still lifts
ENTRY_BOX = "silchar"
UNITS = many_slot(WORD)


@order("fly in {units} to {at}[ by {planes}]", kind="fly_in")
class FlyIn(Order):
    """Units that wait in Arakan are flown in by transports, or by the Hump diversion of the turn."""

    units: tuple[str, ...] = slot(UNITS)
    at: Where = slot(WHERE)
    planes: tuple[str, ...] = slot(PLANES, ())


@order("hump {cargo} from {start} to {at}[ {drop}]")
class HumpLift(Order):
    """A Hump diversion lifts supply from outside the map, or units and mules from a holding box."""

    start: Where = slot(WHERE)
    at: Where = slot(WHERE)
    cargo: tuple[str, ...] = slot(CARGO)
    drop: bool = slot(flag_slot("dropping"), False)


# the Arakan fly-in ----------------------------------------------------------------------------------------------------


def waiting(state: State) -> tuple[str, ...]:
    """Units that wait in Arakan, by id."""
    return tuple(sorted(p.id for p in state.pieces.values() if p.at == ARAKAN))


def _fly_in_impossible(state: State, o: FlyIn) -> Iterator[Reason]:
    for unit in dict.fromkeys(o.units):
        if unit not in waiting(state):
            yield because("not-from-arakan", unit=unit, hard=True)
        elif o.units.count(unit) > 1:
            yield because("twice", unit=unit, hard=True)
    if o.planes:
        yield from unknown(state, o.planes)
    yield from no_place(state, o.at)


@rule("ocs/3.1c")
def arakan_capacity(state: State, planes: Iterable[Aircraft]) -> Fraction:
    """T that transports bring from Arakan: double trips, whatever the way to their base (Burma 3.1c)."""
    far, half = air_value(state, "arakan"), air_value(state, "double_trip")
    kinds = ((p, kind_of(p)) for p in planes)
    return sum((Fraction((1 + (far <= half * t.range)) * t.capacity * p.steps, 2) for p, t in kinds), Fraction())


@rule("ocs/3.1c")
def _fly_in_forbidden(state: State, o: FlyIn) -> Iterator[Reason]:
    yield from weather_reasons(state, base_to_base=True)
    if not _entry(state, o.at):
        yield because("fly-in-place", rule="ocs/3.1c", at=WHERE.write(o.at))
    heavy = sum((weight(state, unit) for unit in o.units), Fraction())
    if o.planes:
        yield from _plane_reasons(state, named(state, o.planes), heavy)
    elif state.phase == "reinforcement":
        yield because("hump-later", rule="ocs/3.10")
    elif heavy > lift_tokens(state):
        yield because("hump-none", rule="ocs/3.10", left=str(lift_tokens(state)))
    stowed = [Stowed(unit, 0, LANDING) for unit in o.units]
    if own_base(state, o.at, SIDE) is not None:
        yield from landing_reasons(state, stowed, o.at, named(state, o.planes))


def _entry(state: State, at: Where) -> bool:
    """The Silchar box, or a friendly airfield on the map; never Ledo."""
    return at == ENTRY_BOX or (isinstance(at, int) and own_base(state, at, SIDE) is not None)


def _plane_reasons(state: State, planes: Sequence[Aircraft], heavy: Fraction) -> Iterator[Reason]:
    for p in planes:
        if p.side != SIDE or kind_of(p).role != TRANSPORT:
            yield because("only-transports", rule="ocs/3.1c", unit=p.id)
        elif not p.active:
            yield because("aircraft-inactive", rule="ocs-series/14-stack", unit=p.id)
    room = arakan_capacity(state, planes)
    if heavy > room:
        yield because("cargo-weight", rule="ocs/3.1c", weight=f"{float(heavy):g}", capacity=f"{float(room):g}", trips=2)


@rule("ocs/3.1c", "ocs/3.10")
def _fly_in(step: Step[State], o: FlyIn) -> None:
    heavy = sum((weight(step.state, unit) for unit in o.units), Fraction())
    come_down(step, [Stowed(unit, 0, LANDING) for unit in o.units], None, o.at, SIDE)
    if not o.planes:
        spend_lift(step, heavy)
        step.cite("ocs/3.10")
    for plane in o.planes:
        land(step, plane, o.at)
    step.cite("ocs/3.1c")
    ask_protection(step)


def _fly_in_choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    values = partial.values
    if any(weather_reasons(state, base_to_base=True)):
        return []
    if slot_ == "units":
        return [Choice(u, u, int(weight(state, u))) for u in waiting(state) if u not in values.get("units", ())]
    if slot_ == "at":
        landed = [Stowed(unit, 0, LANDING) for unit in values.get("units", ())]
        bases = (at for at in bases_of(state, SIDE) if _entry(state, at))
        return hex_choices(state, (at for at in bases if not any(landing_reasons(state, landed, at))))
    chosen = values.get("planes", ())
    return [c for p in transports(state) for c in plane_choices([p], ()) if p.id not in chosen]


# Hump diversions ------------------------------------------------------------------------------------------------------


def lift_tokens(state: State) -> Fraction:
    """T that the diversion of this turn still lifts."""
    return Fraction(state.markers.get(HUMP, 0)) * air_value(state, "re_weight")


def spend_lift(step: Step[State], tokens: Fraction) -> None:
    """Take T off what the diversion of this turn still lifts."""
    left = (lift_tokens(step.state) - tokens) / air_value(step.state, "re_weight")
    step.put("hump", "markers", HUMP, int(left) if left.denominator == 1 else left)


def _divert_impossible(state: State, o: HumpLift) -> Iterator[Reason]:
    yield from no_place(state, o.start)
    yield from no_place(state, o.at)
    for item in o.cargo:
        there = state.pieces.get(item) or state.transport.get(item)
        if not tokens_of(item) and (there is None or there.at != o.start):
            yield because("cargo-unknown", item=item, at=WHERE.write(o.start), hard=True)
        if not tokens_of(item) and o.cargo.count(item) > 1:
            yield because("twice", unit=item, hard=True)
    if not o.cargo:
        yield because("no-cargo", hard=True)


@rule("ocs/3.10")
def _divert_forbidden(state: State, o: HumpLift) -> Iterator[Reason]:
    """From a box to a base, supply also dropped; within what is left, and outside interception range (Burma 3.10)."""
    friendly = own_base(state, o.at, SIDE) is not None
    yield from weather_reasons(state, base_to_base=friendly and not o.drop)
    if isinstance(o.start, int):
        yield because("hump-box", rule="ocs/3.10", at=WHERE.write(o.start))
    heavy = sum((weight(state, item) for item in o.cargo), Fraction())
    if heavy > lift_tokens(state):
        yield because("hump-none", rule="ocs/3.10", left=str(lift_tokens(state)))
    things = [item for item in o.cargo if not tokens_of(item)]
    yield from cargo_reasons(state, things, o.start, SIDE)
    if o.drop and things:
        yield because("hump-landing", rule="ocs/3.10")
    yield from landing_reasons(state, _diverted(o), o.at)
    for plane, hexes in interceptors(state, other_side(SIDE), air_route(state.board, o.start, o.at)).items():
        yield because("hump-enemy-air", *hexes[:3], rule="ocs/3.10", unit=plane)


def _diverted(o: HumpLift) -> list[Stowed]:
    way = DROPPING if o.drop else LANDING
    return [Stowed("" if tokens_of(item) else item, tokens_of(item), way) for item in o.cargo]


@rule("ocs/3.10")
def _divert(step: Step[State], o: HumpLift) -> None:
    """Supply comes loaded from outside, units from the box; nothing of the player's own aircraft is used."""
    heavy = sum((weight(step.state, item) for item in o.cargo), Fraction())
    spend_lift(step, heavy)
    things = [s for s in _diverted(o) if s.item]
    come_down(step, [s for s in _diverted(o) if s.tokens], None, o.at, SIDE)
    come_down(step, things, o.start, o.at, SIDE)
    step.cite("ocs/3.10")
    seize(step, o.at, o.cargo)


def _divert_choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    if any(weather_reasons(state, base_to_base=True)):
        return []
    if slot_ == "start":
        return hex_choices(state, (at for at in bases_of(state, SIDE) if isinstance(at, str) and lift_tokens(state)))
    if slot_ == "at":
        return _landings(state, partial.values["start"])
    if slot_ == "drop":
        return [Choice(True, "dropping")]
    room, chosen = unloadable(state, partial.values["at"], SIDE, lift_tokens(state)), partial.values.get("cargo", ())
    left = room - sum((weight(state, item) for item in chosen), Fraction())
    supply = [Choice(f"{n}T", f"{n} T of supply", n) for n in range(int(left), 0, -1)]
    things = [c for c in cargo_choices(state, partial.values["start"], room, chosen, SIDE) if not tokens_of(c.value)]
    return [*(() if any(map(tokens_of, chosen)) else supply), *things]


def _landings(state: State, start: Where) -> list[Choice]:
    """Bases and hexes with own units outside the reach of enemy fighters."""
    units = {p.at for p in state.pieces.values() if p.counter.side == SIDE and isinstance(p.at, int)}
    bases = [at for at in bases_of(state, SIDE) if at != start]
    hexes = sorted(units - set(bases) - shut_to(state, SIDE)) if state.air_ops == "unrestricted" else []
    enemy = other_side(SIDE)
    safe = [at for at in (*bases, *hexes) if not interceptors(state, enemy, air_route(state.board, start, at))]
    return [*hex_choices(state, (a for a in safe if a in bases)), *hex_choices(state, (a for a in safe if a in hexes))]


RULES: dict[type[Order], OrderRules[State]] = {
    FlyIn: OrderRules(_fly_in_impossible, _fly_in_forbidden, _fly_in, _fly_in_choices),
    HumpLift: OrderRules(_divert_impossible, _divert_forbidden, _divert, _divert_choices),
}
