"""The Supply Phase: internal stocks are refilled, traces checked, units without one eat or are marked and roll for
attrition (OCS 12.6-12.10; Burma 1.6, 1.9, 2.5a, Opt.4).

The player may choose stores and the order in which scarce tokens are given out. What he leaves is done by itself when
he ends the phase: refills by hex and then id, each from the nearest stores; eating never, for nobody has to eat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import WORD, Order, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules, Procedure, Room, nothing
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.goods.payment import (
    AUTO,
    PAYMENT,
    Payment,
    Portion,
    choose,
    pay,
    payment_choices,
    payment_reasons,
    sources_of,
    stores_in_reach,
    tokens_at,
    ways_stay,
)
from burma_study.rules.ocs.state import Piece, State, Where
from burma_study.rules.ocs.supply.forage import groups, mark, starve_chindits
from burma_study.rules.ocs.supply.trace import supply

MEALS = "meals"  # marker: pairs of a store and the units that have eaten from it in this phase
FULL = 2


# internal stocks ------------------------------------------------------------------------------------------------------


@rule("ocs-series/12.10e", "ocs/opt.4", "ocs/1.9")
def refill_cost(state: State, piece: Piece, levels: int = 1) -> int:
    """Tokens to refill `levels` uses: 1T a battalion; others 2T a unit or RE, whichever is more (2T an RE without)."""
    costs = state.rules.charts.supply_costs
    if piece.counter.size == "bn":
        return levels * costs["refill_battalion"]
    by_unit = state.rules.version != "1999" or state.rules.has("opt4")
    size = max(Fraction(1), piece.counter.re) if by_unit else piece.counter.re
    return levels * ceil(size * costs["refill"])


@rule("ocs-series/12.10e")
def refill_of(state: State, unit: str, text: str = AUTO) -> tuple[int, Payment] | None:
    """Levels that a unit can refill and the payment; None when no tokens are in reach.

    What is in reach has to be spent, up to the full cost: tokens that do not make up a level are wasted (12.10e C).
    """
    piece = state.pieces[unit]
    tokens = min(refill_cost(state, piece, FULL - piece.stocks), _tokens_in_reach(state, unit, text))
    payment = choose(state, [unit], tokens, "refill", text) if tokens else None
    if payment is None:
        return None
    levels = max(n for n in range(FULL + 1) if refill_cost(state, piece, n) <= tokens)
    if not levels and text != AUTO and (refill_of(state, unit) or (0,))[0]:
        return None  # nobody wastes tokens of one store while another can refill a level
    return levels, payment


def _tokens_in_reach(state: State, unit: str, text: str) -> int:
    """Tokens that may pay a refill in all stores in reach, or in those that a payment names."""
    side, named = state.pieces[unit].counter.side, sources_of(text)
    stores = {p.store for p in stores_in_reach(state, [unit]) if text == AUTO or (p.store, p.hq) in named}
    return sum(tokens_at(state, side, store, "refill") for store in stores)


def low(state: State, side: str) -> list[str]:
    """Units of a side in play whose stocks are not full, by hex and id."""
    found = [p for p in state.units(side) if p.stocks < FULL and (isinstance(p.at, int) or p.at in ("silchar", "ledo"))]
    return [p.id for p in sorted(found, key=_by_hex)]


def _by_hex(piece: Piece) -> tuple[int, str]:
    return piece.at if isinstance(piece.at, int) else -1, piece.id


def waiting_for_refill(state: State) -> list[str]:
    """Units of the phasing player that have to refill before anybody eats, as tokens are in reach."""
    return [u for u in low(state, state.player) if refill_of(state, u) is not None]


def refill(step: Step[State], unit: str, text: str = AUTO) -> None:
    """Refill one unit's stocks as far as the tokens in reach go; nothing when there are none."""
    found = refill_of(step.state, unit, text)
    if found is not None:
        levels, payment = found
        pay(step, payment)
        piece = step.state.pieces[unit]
        if levels:
            step.put("refilled", "pieces", unit, replace(piece, stocks=piece.stocks + levels))
        step.cite("ocs-series/12.10e", *(["ocs/1.9"] if piece.counter.size == "bn" else ["ocs/opt.4"]))


# eating ---------------------------------------------------------------------------------------------------------------


def meals(state: State) -> dict[Where, tuple[str, ...]]:
    """Who has eaten in this phase, by store."""
    return dict(state.markers.get(MEALS, ()))


def fed(state: State) -> frozenset[str]:
    """Units that have eaten in this phase."""
    return frozenset(u for units in meals(state).values() for u in units)


@rule("ocs-series/12.6c", "ocs/2.5a", "ocs/2.5")
def meal_cost(state: State, side: str, units: Iterable[str]) -> int:
    """Tokens for units that eat from one store: 1T for 2 RE or part; Japanese and INA 1T for 10 counters or part."""
    costs, eaters = state.rules.charts.supply_costs, tuple(units)
    if side == "japanese":
        return ceil(Fraction(len(eaters), costs["eat_japanese_counters"]))
    return ceil(sum((state.pieces[u].counter.re for u in eaters), Fraction(0)) / costs["eat_re"])


def share(state: State, unit: str, store: Where) -> int:
    """Tokens that a unit adds to what was eaten from a store already: 0 while it fits into the last token."""
    at_table, side = meals(state).get(store, ()), state.player
    return meal_cost(state, side, (*at_table, unit)) - meal_cost(state, side, at_table)


@rule("ocs-series/12.6c", "ocs-series/12.8")
def hungry(state: State) -> list[str]:
    """Units of the phasing player without trace that have not eaten and may, by hex and id; Strat Mode never eats."""
    eaten = fed(state)
    pieces = (state.pieces[t.unit] for t in supply(state, state.player).out)
    return [p.id for p in sorted(pieces, key=_by_hex) if p.id not in eaten and p.mode != "strat"]


def tables(state: State, unit: str) -> list[tuple[Portion, int]]:
    """Stores that can feed a unit now, cheapest way first, with the tokens it adds.

    Where others have eaten there may be room within the last token, though nothing is left.
    """
    side = state.player
    found = ((p, share(state, unit, p.store)) for p in stores_in_reach(state, [unit], meals(state)))
    return [(p, cost) for p, cost in found if cost <= tokens_at(state, side, p.store, "eat")]


def eat(step: Step[State], unit: str, portion: Portion, cost: int) -> None:
    """Feed a unit from a store and note it."""
    before = step.state
    if cost:
        pay(step, Payment(step.state.player, "eat", cost, (replace(portion, tokens=cost),)))
    at_tables = meals(step.state)
    at_tables[portion.store] = (*at_tables.get(portion.store, ()), unit)
    step.put("ate", "markers", MEALS, tuple(sorted(at_tables.items(), key=lambda kv: str(kv[0]))))
    ways_stay(before, step.state, before.player, meals(before))
    step.cite("ocs-series/12.6c", *(["ocs/2.5a"] if step.state.player == "japanese" else []))


# orders ---------------------------------------------------------------------------------------------------------------


@order("refill {unit} from {payment}")
class Refill(Order):
    """Refill a unit's internal stocks from a store in reach; what is not ordered is refilled by itself."""

    unit: str = slot(WORD)
    payment: str = slot(PAYMENT)


@order("eat {unit} from {payment}")
class Eat(Order):
    """A unit without trace eats from a store in reach."""

    unit: str = slot(WORD)
    payment: str = slot(PAYMENT)


@order("eat all", kind="eat-all")
class EatAll(Order):
    """Every unit that may and can eats: by hex and id, each from the store that it reaches most cheaply."""


def _unknown(state: State, o: Refill | Eat) -> Iterator[Reason]:
    if o.unit not in state.pieces:
        yield because("not-in-play", what="unit", name=o.unit, hard=True)
    elif state.pieces[o.unit].counter.side != state.player:
        yield because("not-phasing", name=o.unit, player=state.player, hard=True)


def _no_refill(state: State, o: Refill) -> Iterator[Reason]:
    piece = state.pieces[o.unit]
    if piece.stocks >= FULL:
        yield because("stocks-full", rule="ocs-series/12.10e", unit=o.unit)
    elif refill_of(state, o.unit, o.payment) is None:
        yield from payment_reasons(state, [o.unit], refill_cost(state, piece), "refill", o.payment)


def _refill_first(state: State) -> Iterator[Reason]:
    waiting = tuple(waiting_for_refill(state))
    if waiting:
        yield because("refill-first", rule="ocs-series/12.10e", units=waiting)


def _no_meal(state: State, o: Eat) -> Iterator[Reason]:
    yield from _refill_first(state)
    piece = state.pieces[o.unit]
    if piece.mode == "strat":
        yield because("strat-eats", rule="ocs-series/12.8", unit=o.unit)
    elif o.unit not in hungry(state):
        yield because("not-hungry", rule="ocs-series/12.6c", unit=o.unit)
    elif _seat(state, o.unit, o.payment) is None:
        ways = tuple(p.text for p, _ in tables(state, o.unit))
        yield because("no-table", rule="ocs-series/12.6c", unit=o.unit, text=o.payment, ways=ways)


def _seat(state: State, unit: str, text: str) -> tuple[Portion, int] | None:
    found = tables(state, unit)
    if text == AUTO:
        return found[0] if found else None
    asked = sources_of(text)
    return next(((p, c) for p, c in found if ((p.store, p.hq),) == asked), None)


def _carry_eat(step: Step[State], o: Eat) -> None:
    seat = _seat(step.state, o.unit, o.payment)
    if seat is not None:
        eat(step, o.unit, *seat)


def _carry_eat_all(step: Step[State], _: EatAll) -> None:
    for unit in hungry(step.state):
        seat = _seat(step.state, unit, AUTO)
        if seat is not None:
            eat(step, unit, *seat)


def _nobody_eats(state: State, _: EatAll) -> Iterator[Reason]:
    yield from _refill_first(state)
    if not any(_seat(state, u, AUTO) for u in hungry(state)):
        yield because("nobody-eats", rule="ocs-series/12.6c")


def _choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice] | None:
    refilling = partial.kind == "refill"
    if slot_ == "unit":
        units = waiting_for_refill(state) if refilling else [u for u in hungry(state) if tables(state, u)]
        return [Choice(u, state.pieces[u].counter.label) for u in units]
    unit = partial.values["unit"]
    if unit not in state.pieces:
        return []
    if not refilling:
        return [Choice(p.text, f"{cost} T from {p.text}", cost) for p, cost in tables(state, unit)]
    found = refill_of(state, unit)
    return payment_choices(state, [unit], found[1].tokens, "refill") if found else []


# the end of the phase -------------------------------------------------------------------------------------------------


@rule("ocs-series/12.6", "ocs-series/12.8", "ocs/3.4")
def settle_supply(step: Step[State]) -> None:
    """Refills that are still due, the trace check, the markers; then each group without supply rolls in turn."""
    waiting = step.frame.get("waiting")
    if waiting is None:
        for unit in waiting_for_refill(step.state):
            refill(step, unit)
        step.note(waiting=_without_supply(step))
        step.put("marker", "markers", MEALS, None)
    elif waiting:
        hex_, who, marked, units = waiting[0]
        step.note(waiting=waiting[1:])
        step.open("attrition", hex=hex_, who=who, marked=marked, units=units)
    else:
        step.close()


def _without_supply(step: Step[State]) -> tuple[tuple[int, str, bool, tuple[str, ...]], ...]:
    """The groups that have to roll; markers of all that trace or ate are taken off."""
    state = step.state
    traces, eaten = supply(state, state.player).traces, fed(state)
    for unit in sorted(traces):
        if traces[unit].in_supply or unit in eaten:
            mark(step, unit, False)
    out = [u for u, t in sorted(traces.items()) if not t.in_supply and u not in eaten]
    step.cite("ocs-series/12.6")
    return groups(step.state, starve_chindits(step, out))


def _idle(state: State) -> bool:
    return not waiting_for_refill(state) and not any(tables(state, u) for u in hungry(state))


_KINDS = ("refill", "eat", "eat-all")
_PROCEDURES: dict[str, Procedure] = {"settle_supply": settle_supply}
SUPPLY = Room(
    "supply",
    {
        Refill: OrderRules(_unknown, _no_refill, lambda step, o: refill(step, o.unit, o.payment), _choices),
        Eat: OrderRules(_unknown, _no_meal, _carry_eat, _choices),
        EatAll: OrderRules(nothing, _nobody_eats, _carry_eat_all),
    },
    {"supply": _KINDS},
    _PROCEDURES,
    idle={"supply": _idle},
    leaves={"supply": ("settle_supply",)},
)
