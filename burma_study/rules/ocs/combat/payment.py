"""Combat supply of a battle: who pays for the attackers and for the defence, and from where (OCS 9.5, 12.4, 12.10)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from burma_study.engine.dice import NoDice
from burma_study.engine.reasons import Reason, because
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.combat.strength import by_hex
from burma_study.rules.ocs.goods.payment import (
    AUTO,
    STOCKS,
    Payment,
    choose,
    made_up,
    pay,
    payment_reasons,
    sources_of,
    ways_to_pay,
)
from burma_study.rules.ocs.state import Piece, State

Payments = tuple[Payment, ...]


@rule("ocs-series/12.4")
def attack_cost(state: State, units: Iterable[str]) -> int:
    """Tokens for an attack: 1T a step."""
    return sum(state.pieces[u].steps for u in units) * state.rules.charts.supply_costs["attack_step"]


@rule("ocs-series/9.5", "ocs-series/12.4", "ocs-series/12.10")
def attack_payments(state: State, units: Sequence[str], text: str = AUTO) -> Payments | None:
    """How the attackers pay as an order says; None when they cannot.

    Together if they can; else each stack by itself, else each unit. Of several stores that are named each uses what
    it reaches.
    """
    together = choose(state, units, attack_cost(state, units), "attack", text)
    if together is not None:
        return (together,)
    stacks = [tuple(p.id for p in stack) for stack in by_hex([state.pieces[u] for u in units]).values()]
    apart = sorted(units, key=lambda u: state.pieces[u].stocks > 0)  # few tokens go to those who have no stocks
    return _each(state, stacks, text) or _each(state, [(u,) for u in apart], text)


def _each(state: State, parties: Sequence[Sequence[str]], text: str) -> Payments | None:
    """A payment for each party in turn, each from what the earlier ones have left."""
    trial = Step(state, NoDice(), lambda _: (0, ""))
    found = []
    for units in parties:
        payment = _one(trial.state, units, text)
        if payment is None:
            return None
        pay(trial, payment)
        found.append(payment)
    return tuple(found)


def _one(state: State, units: Sequence[str], text: str) -> Payment | None:
    cost = attack_cost(state, units)
    ways = ways_to_pay(state, units, cost, "attack")
    if text in (AUTO, STOCKS):
        return next((w for w in ways if text == AUTO or w.stocks), None)
    named = sources_of(text)
    return next((w for w in ways if {(p.store, p.hq) for p in w.portions} <= set(named)), None)


def payment_objections(state: State, units: Sequence[str], text: str) -> Iterable[Reason]:
    """Why the attackers cannot pay in the way that the order names."""
    if attack_payments(state, units, text) is not None:
        return
    if text == AUTO:
        poor = tuple(u for u in units if not ways_to_pay(state, (u,), attack_cost(state, (u,)), "attack"))
        yield because(
            "attack-unpaid", rule="ocs-series/9.5", units=poor or tuple(units), tokens=attack_cost(state, units)
        )
    else:
        yield from payment_reasons(state, units, attack_cost(state, units), "attack", text)


@rule("ocs-series/12.4")
def defence_cost(state: State, units: Sequence[Piece]) -> int:
    """Tokens for a defence: 2T a combat, 1T when no more than 1 RE defends."""
    costs = state.rules.charts.supply_costs
    return costs["defence_small" if sum(p.counter.re for p in units) <= 1 else "defence"]


@rule("ocs-series/12.10")
def unfed(payment: Payment, defenders: Sequence[str]) -> tuple[str, ...]:
    """Defenders that fight at half beside others who pay from their own stocks, or whom the few tokens supply."""
    return tuple(u for u in defenders if (payment.stocks or payment.fed) and u not in (*payment.stocks, *payment.fed))


@rule("ocs-series/9.5", "ocs-series/12.4", "ocs-series/12.10")
def defence_payments(state: State, units: Sequence[str]) -> Payments:
    """Every way to pay for the defence of a hex, the cheapest first.

    The cost is that of the combat, not of each unit: what one of them can draw supplies them all. Where no unit reaches
    enough, the tokens in reach of any are joined, and internal stocks make up for what is missing.
    """
    cost = defence_cost(state, [state.pieces[u] for u in units])
    found = {w.text: w for w in ways_to_pay(state, units, cost, "defence") if not w.stocks}
    if not found:
        each = [w for u in units for w in ways_to_pay(state, (u,), cost, "defence")]
        found = {w.text: w for w in each if w.portions}
    if not found and (rest := made_up(state, units, cost)) is not None:
        found = {rest.text: rest}
    return tuple(found.values())
