"""Bombs: a stack over its target barrages it, one unit hip shoots (OCS 10, 14.11; Burma 1.7, 2.2, 3.2; Opt.3o, 9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from burma_study.engine.frames import Frame
from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import WORD, Order, choice_slot, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.aircraft import STRIKE, home_of, kind_of, on_station, sortie
from burma_study.rules.ocs.air.bases import ask_protection, land, own_base
from burma_study.rules.ocs.air.combat import Mission, take_off, tired_by
from burma_study.rules.ocs.air.missions import (
    PLANES,
    go_over,
    no_hex,
    over_reasons,
    planes_and_hex,
    range_reasons,
    squadron,
    stack_reasons,
    unknown,
    weather_reasons,
)
from burma_study.rules.ocs.air.slots import aloft, enemy_hexes, flyer, hex_choices, named, plane_choices, ready, within
from burma_study.rules.ocs.combat.barrage import rounded
from burma_study.rules.ocs.combat.barrage_fire import (
    CLOSED,
    BarrageOptions,
    air_barrage_odds,
    air_points,
    observed,
    spotters,
)
from burma_study.rules.ocs.combat.barrage_odds import BarrageOdds
from burma_study.rules.ocs.combat.segments import done_here, mark_done
from burma_study.rules.ocs.combat.strength import Look
from burma_study.rules.ocs.combat.strikes import strike, strike_base
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.orders import WHERE
from burma_study.rules.ocs.state import Aircraft, State, Where, stack, stacks

PLANE = WORD
UNITS, BASE = "units", "base"
NEAR_BASE = 10  # hexes; a barrage of aircraft all from so near shifts by v4.3


# orders ---------------------------------------------------------------------------------------------------------------


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


# why not --------------------------------------------------------------------------------------------------------------


def _hip_impossible(state: State, o: HipShoot) -> Iterator[Reason]:
    yield from unknown(state, (o.plane,))
    yield from no_hex(o.at)


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


@rule("ocs/1.7", "ocs-series/10.0c")
def target_reasons(state: State, planes: Sequence[Aircraft], hex_: int, what: str) -> Iterator[Reason]:
    """Why a hex is no target: nothing there, not observed (Burma 1.7), no bombs."""
    enemy = other_side(planes[0].side)
    if rounded(points_over(state, planes, hex_)) < 1:
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


@rule("ocs/opt.3e", "ocs/opt.3e.1")
def as_over(state: State, planes: Sequence[Aircraft], hex_: int) -> tuple[Aircraft, ...]:
    """Air units as they are over a target: DG if those still at their base fly half their range to it (Opt.3e)."""
    return tuple(
        replace(p, dg=p.dg or (sortie(state, p.id) is None and tired_by(state, p, p.at, hex_))) for p in planes
    )


def points_over(state: State, planes: Sequence[Aircraft], hex_: int) -> Fraction:
    """Ground support points that air units bring to a target."""
    return air_points(Look(state.rules.charts), as_over(state, planes, hex_))[0]


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


def _mission_bomb(step: Step[State], frame: Frame) -> None:
    go_over(step, frame, STRIKE)
    step.close()
    step.open("bombing", planes=frame["planes"], at=frame["target"], what=frame["what"], stage="fire")


MISSIONS: dict[str, Mission] = {"bomb": _mission_bomb}


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
    step.cite("ocs-series/14.11")
    strike(step, hex_, bomb_odds(step.state, hex_, ids), ids, air=True)


@rule("ocs-series/14.11")
def bomb_odds(state: State, hex_: int, planes: Sequence[str]) -> BarrageOdds:
    """Exact odds of bombs on the units of a hex, of aircraft over it or still at their base.

    The barrage itself is resolved with these: before the flight they are what it brings if nobody meets it.
    """
    close = all(_near_base(state, p, hex_) for p in named(state, planes))
    for p in as_over(state, named(state, planes), hex_):
        state = state.put("aircraft", p.id, p)
    return air_barrage_odds(state, hex_, planes, BarrageOptions(near_base=close, anyway=True))


@rule("ocs-series/10.1-shifts")
def _near_base(state: State, plane: Aircraft, hex_: int) -> bool:
    """Is the base that an air unit flew from within ten hexes? A shift by v4.3."""
    home = home_of(state, plane)
    return isinstance(home, int) and state.board.grid.distance(home, hex_) <= NEAR_BASE


@rule("ocs-series/10.0c", "ocs/opt.3i", "ocs/opt.3j")
def bomb_base(step: Step[State], hex_: int, planes: Sequence[Aircraft]) -> None:
    """On the Facility Table; protected units are safe (Opt.3j)."""
    if own_base(step.state, hex_, other_side(planes[0].side)) is not None:
        strike_base(step, hex_, points_over(step.state, planes, hex_), tuple(p.id for p in planes), air=True)


# choices --------------------------------------------------------------------------------------------------------------


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


RULES: dict[type[Order], OrderRules[State]] = {
    Bomb: OrderRules(planes_and_hex, _bomb_forbidden, _bomb, _bomb_choices),
    HipShoot: OrderRules(_hip_impossible, _hip_forbidden, _hip, _hip_choices),
}
