"""Whom a policy attacks, overruns and shells: the best by exact odds, if they are good enough and can be paid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from burma_study.engine.orders import Order
from burma_study.engine.session import Session
from burma_study.games.ocs.policies.phases import legal
from burma_study.rules.ocs.combat import fighting, firing
from burma_study.rules.ocs.combat.attack import AttackOptions, attack_odds
from burma_study.rules.ocs.combat.best import MEASURES, RankedAttack, best_attacks
from burma_study.rules.ocs.combat.fighting import Attack
from burma_study.rules.ocs.combat.firing import Barrage
from burma_study.rules.ocs.combat.payment import attack_cost
from burma_study.rules.ocs.combat.segments import acting_side
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.goods.payment import AUTO, ways_to_pay
from burma_study.rules.ocs.movement.moving import may_move, overrun_targets
from burma_study.rules.ocs.movement.orders import Overrun
from burma_study.rules.ocs.movement.zoc import held
from burma_study.rules.ocs.state import Piece, State, stack

Mine = Callable[[Piece], bool]
Bar = Callable[[int, RankedAttack], Fraction]
PUSH = "push"  # how a policy measures its attacks unless it counts its dead


def can_pay(state: State, unit: str) -> bool:
    """Has a unit the supply for one attack?"""
    return bool(ways_to_pay(state, (unit,), attack_cost(state, (unit,)), "attack"))


def ranked(state: State, mine: Mine, most: int = 40, measure: str = PUSH) -> list[RankedAttack]:
    """Attacks of the acting side, the best first; none where nobody can be attacked."""
    paying: dict[str, bool] = {}

    def fit(piece: Piece) -> bool:
        if piece.id not in paying:
            paying[piece.id] = mine(piece) and can_pay(state, piece.id)
        return paying[piece.id]

    if not any(True for _ in fighting.targets(state)):
        return []
    return best_attacks(state, acting_side(state), most, measure=measure, supplied=fit)


def attacks(
    session: Session, mine: Mine, least: Callable[[RankedAttack], Fraction], measure: str = PUSH
) -> Iterator[Order]:
    """Every attack whose balance of chances is at least what `least` asks for it."""
    for found in ranked(session.state, mine, measure=measure):
        if found.score < least(found):
            continue
        order = Attack(found.target, found.attackers, found.options.banzai, "", AUTO)
        if legal(session, order):
            yield order


def overruns(session: Session, mine: Mine, least: Fraction) -> Iterator[Order]:
    """Overruns that promise at least the given balance; each stack beside the enemy is looked at."""
    for target in overrun_targets(session.state):
        found = _best_overrun(session, target, mine)
        if found is not None and found[0] >= least:
            yield found[1]


def _best_overrun(session: Session, target: int, mine: Mine) -> tuple[Fraction, Overrun] | None:
    state: State = session.state
    beside = set(state.board.grid.adjacent[target])
    stacks_: dict[int, list[str]] = {}
    for who in may_move(state):
        if who.counter is not None and who.can_attack and who.at in beside and mine(state.pieces[who.id]):
            stacks_.setdefault(who.start, []).append(who.id)
    best: tuple[Fraction, Overrun] | None = None
    for units in stacks_.values():
        order = Overrun(target, tuple(sorted(units)))
        if legal(session, order):
            score = overrun_score(state, order)
            if best is None or score > best[0]:
                best = score, order
    return best


def overrun_score(state: State, order: Overrun) -> Fraction:
    """The balance of an overrun: chance of emptying the hex and steps, as for attacks."""
    odds = attack_odds(state, order.target, order.units, AttackOptions("overrun", anyway=True))
    return MEASURES[PUSH](odds.losses)


def barrages(session: Session, mine: Mine, most_tokens: Callable[[int], int]) -> Iterator[Order]:
    """Guns fire at enemies beside friends, the fullest hexes first, for at most so many tokens at each."""
    state: State = session.state
    side = acting_side(state)
    friends = held(state, side)
    near = [h for h in firing.targets(state, "barrage") if not friends.isdisjoint(state.board.grid.adjacent[h])]
    for target in sorted(near, key=lambda h: (-_weight(state, h, other_side(side)), h)):
        order = _fire(session, target, mine, most_tokens(target))
        if order is not None:
            yield order


def _weight(state: State, hex_: int, side: str) -> int:
    return sum(p.steps + (p.printed.attack or 0) for p in stack(state, hex_) if p.counter.side == side)


def _fire(session: Session, target: int, mine: Mine, most_tokens: int) -> Barrage | None:
    """All guns in range together, or as many of them as the supply suffices for."""
    able = (g for g in firing.in_range(session.state, target) if mine(g))
    guns = sorted(able, key=lambda g: (-(g.printed.barrage or 0), g.id))
    while guns:
        order = Barrage(target, tuple(sorted(g.id for g in guns)), AUTO)
        if legal(session, order) and firing.tokens(session.state, order) <= most_tokens:
            return order
        guns.pop()
    return None
