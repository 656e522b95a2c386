"""Artillery fires: barrages of units and of air bases, in the barrage phases (OCS 10; Opt.7-10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import Order, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules, Room
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.bombing import barraged
from burma_study.rules.ocs.combat.barrage import rounded
from burma_study.rules.ocs.combat.barrage_fire import BarrageOptions, barrage_odds, barrage_reasons, gun_points
from burma_study.rules.ocs.combat.results import alive
from burma_study.rules.ocs.combat.segments import acting_side, done_here, mark_done, named_twice, takes_part
from burma_study.rules.ocs.combat.strength import Look
from burma_study.rules.ocs.combat.strikes import base_odds, strike, strike_base
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.goods.payment import AUTO, PAYMENT, Payment, choose, pay, payment_reasons, ways_to_pay
from burma_study.rules.ocs.movement.orders import HEX, UNITS
from burma_study.rules.ocs.state import Piece, State, stacks

PHASES = ("reaction_barrage", "barrage", "exploitation_barrage")
ANYWAY = BarrageOptions(anyway=True)


@order("barrage {at} with {units}[ paying {payment}]")
class Barrage(Order):
    """Guns that fire together at the enemy units in a hex."""

    at: int = slot(HEX)
    units: tuple[str, ...] = slot(UNITS)
    payment: str = slot(PAYMENT, AUTO)


@order("shell air base at {at} with {units}[ paying {payment}]", kind="shell")
class Shell(Order):
    """Guns that fire together at an enemy air base."""

    at: int = slot(HEX)
    units: tuple[str, ...] = slot(UNITS)
    payment: str = slot(PAYMENT, AUTO)


Fire = Barrage | Shell


# what stands against it -----------------------------------------------------------------------------------------------


def _against(state: State, o: Fire) -> list[Reason]:
    """Reasons about guns and target; an air base needs no units in its hex."""
    found = barrage_reasons(state, o.at, o.units, BarrageOptions())
    if isinstance(o, Barrage):
        return found
    found = [r for r in found if r.code != "no-defenders"]
    side = next((state.pieces[u].counter.side for u in o.units if u in state.pieces), "")
    base = state.bases.get(o.at)
    if base is None or base.side == side:
        found.append(because("no-facility", o.at, rule="ocs-series/10.0c", hard=True))
    if not found and rounded(_points(state, o.units)) < 1:
        found.append(because("no-points", rule="ocs-series/10.0", hard=True))
    return found


def _impossible(state: State, o: Fire) -> Iterator[Reason]:
    yield from named_twice(o.units)
    yield from (r for r in _against(state, o) if r.hard)


@rule("ocs-series/10.0", "ocs/opt.8", "ocs/opt.8.2")
def _forbidden(state: State, o: Fire) -> Iterator[Reason]:
    yield from (r for r in _against(state, o) if not r.hard)
    done = done_here(state, "barrage")
    if o.at in barraged(state):
        yield because("barraged-already", o.at, rule="ocs-series/10.0")
    for unit in o.units:
        piece = state.pieces[unit]
        if piece.counter.side != acting_side(state):
            yield because("not-your-unit", rule="ocs-series/2.3", unit=unit)
        if unit in done.units:
            yield because("fired-already", rule="ocs/opt.8.2", unit=unit)
        if not takes_part(state, piece):
            yield because("no-part", rule="ocs-series/5.9", unit=unit)
    yield from _payment_objections(state, o)


def _points(state: State, units: Iterable[str]) -> Fraction:
    return gun_points(Look(state.rules.charts), alive(state, units))[0]


def tokens(state: State, o: Fire) -> int:
    """Tokens for this barrage, by the column before shifts (Opt.8)."""
    if isinstance(o, Barrage):
        return barrage_odds(state, o.at, o.units, ANYWAY).cost
    return base_odds(state, _points(state, o.units)).cost


@rule("ocs/opt.8")
def one_source(payment: Payment) -> bool:
    """All supply of a barrage comes through one HQ, or without an HQ from one store (Opt.8)."""
    hqs = {p.hq for p in payment.portions}
    return len(payment.portions) <= 1 or (len(hqs) == 1 and "" not in hqs)


def ways_to_fire(state: State, units: Sequence[str], cost: int) -> tuple[Payment, ...]:
    """How guns can pay for a barrage together, the cheapest way first."""
    return tuple(w for w in ways_to_pay(state, units, cost, "barrage") if one_source(w))


def _chosen(state: State, o: Fire) -> Payment | None:
    cost = tokens(state, o)
    if o.payment == AUTO:
        return next(iter(ways_to_fire(state, o.units, cost)), None)
    named = choose(state, o.units, cost, "barrage", o.payment)
    return named if named is not None and one_source(named) else None


def paid_for(state: State, o: Fire) -> bool:
    """Can this barrage be paid for as it says?"""
    return _chosen(state, o) is not None


def _payment_objections(state: State, o: Fire) -> Iterator[Reason]:
    if paid_for(state, o):
        return
    found = tuple(payment_reasons(state, o.units, tokens(state, o), "barrage", o.payment))
    yield from found or (because("one-source", rule="ocs/opt.8", text=o.payment),)


# carrying out ---------------------------------------------------------------------------------------------------------


@rule("ocs/opt.8", "ocs-series/10.0")
def _fire(step: Step[State], o: Fire) -> None:
    state = step.state
    payment = _chosen(state, o)
    if payment is not None:
        pay(step, payment)
    mark_done(step, "barrage", o.at, o.units)
    step.cite("ocs-series/10.0", "ocs/opt.8")
    if isinstance(o, Barrage):
        strike(step, o.at, barrage_odds(state, o.at, o.units, ANYWAY), o.units)
    else:
        strike_base(step, o.at, _points(state, o.units), o.units)


# choices --------------------------------------------------------------------------------------------------------------


def batteries(state: State) -> Iterator[Piece]:
    """Guns of the acting side that may fire now, supply apart."""
    side, done = acting_side(state), done_here(state, "barrage")
    for piece in sorted(state.units(side), key=lambda p: p.id):
        fit = piece.counter.is_artillery and piece.on_map and piece.mode not in ("reserve", "strat")
        if fit and piece.printed.barrage and piece.id not in done.units and takes_part(state, piece):
            yield piece


def in_range(state: State, target: int) -> Iterator[Piece]:
    """Guns that reach a hex."""
    distance = state.board.grid.distance
    return (p for p in batteries(state) if isinstance(p.at, int) and distance(p.at, target) <= p.printed.range)


def targets(state: State, kind: str) -> Iterator[int]:
    """Hexes that guns of the acting side reach: with enemy units (`barrage`) or an enemy air base (`shell`)."""
    enemy, done = other_side(acting_side(state)), barraged(state)
    guns = [(p.at, p.printed.range) for p in batteries(state) if isinstance(p.at, int)]
    if kind == "shell":
        there = sorted(h for h, b in state.bases.items() if isinstance(h, int) and b.side == enemy)
    else:
        there = [h for h, pieces in sorted(stacks(state).items()) if pieces[0].counter.side == enemy]
    distance = state.board.grid.distance
    return (h for h in there if h not in done and any(distance(at, h) <= far for at, far in guns))


def _choices(state: State, at: Partial, name: str) -> Iterable[Choice]:
    make = Shell if at.kind == "shell" else Barrage
    if name == "at":
        found = targets(state, at.kind)
        return [Choice(h, state.board.label(h), hexes=(h,)) for h in found if list(_joiners(state, make, h, ()))]
    target, units = at.values["at"], at.values.get("units", ())
    if name == "units":
        return list(_joiners(state, make, target, units))
    cost = tokens(state, make(target, units, AUTO)) if units else 0
    return [Choice(w.text, f"{cost} T from {w.text}", cost) for w in ways_to_fire(state, units, cost)] if units else []


def _joiners(state: State, make: type[Barrage] | type[Shell], target: int, units: Sequence[str]) -> Iterator[Choice]:
    """Guns that may join: together they can pay from one source."""
    for gun in in_range(state, target):
        o = make(target, (*units, gun.id), AUTO)
        if gun.id not in units and not any(r.hard for r in _against(state, o)):
            cost = tokens(state, o)
            if ways_to_fire(state, o.units, cost):
                yield Choice(gun.id, f"{gun.counter.label} {gun.counter.strength}", cost)


_RULES = OrderRules(_impossible, _forbidden, _fire, _choices)


def _idle(state: State) -> bool:
    """No gun reaches anything."""
    return not any(True for kind in ("barrage", "shell") for _ in targets(state, kind))


FIRING = Room(
    "firing",
    {Barrage: _RULES, Shell: _RULES},
    dict.fromkeys(PHASES, ("barrage", "shell")),
    idle=dict.fromkeys(PHASES, _idle),
)
