"""Odds before the order is given: the combat supply that a battle fought now would have on both sides (OCS 9.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from burma_study.rules.ledger import rule
from burma_study.rules.ocs.combat.attack import AttackOptions, roused
from burma_study.rules.ocs.combat.checks import combatants
from burma_study.rules.ocs.combat.payment import attack_payments, defence_payments, unfed
from burma_study.rules.ocs.goods.payment import AUTO
from burma_study.rules.ocs.state import Piece, State


def as_fought(
    state: State, target: int, attackers: Sequence[str], how: AttackOptions, payment: str = AUTO
) -> AttackOptions:
    """`how` with the supply that this attack would find: the attackers pay as `payment` says, the defender if he can.

    What it leaves open is left open: who leads on each side. BurmaStudyError as for `attack_odds`.
    """
    units, defenders, unknown = combatants(state, target, attackers)
    if unknown or not units or not defenders:
        return how
    paid = attack_payments(state, tuple(p.id for p in units), payment) is not None
    return replace(defended(state, defenders, how), attacker_supplied=how.attacker_supplied and paid)


@rule("ocs-series/9.5", "ocs-series/12.10")
def defended(state: State, defenders: Sequence[Piece], how: AttackOptions) -> AttackOptions:
    """`how` with the defender's supply: he pays in the first way that is open, some perhaps without stocks of theirs.

    With `how.defender_pays` false he declines.
    """
    if not how.defender_pays:
        return how
    for piece in roused(state, defenders, how.kind):  # an overrun takes the Reserve marker off before he pays
        state = state.put("pieces", piece.id, piece)
    ids = tuple(p.id for p in defenders)
    ways = defence_payments(state, ids)
    return replace(how, defender_pays=bool(ways), defender_unfed=unfed(ways[0], ids) if ways else ())
