"""The attacks that a side could make here and now, with the best first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from burma_study.errors import BurmaStudyError, did_you_mean
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.combat.attack import AttackOptions, odds_of
from burma_study.rules.ocs.combat.checks import banzai_reasons, cooperate, may_enter, reasons_against, regiment
from burma_study.rules.ocs.combat.forecast import defended
from burma_study.rules.ocs.combat.odds import Losses, Odds
from burma_study.rules.ocs.combat.strength import by_hex, can_attack
from burma_study.rules.ocs.counters import SIDES
from burma_study.rules.ocs.movement.stacking import works_with_all
from burma_study.rules.ocs.state import Piece, Rules, State, stacks

Party = tuple[Piece, ...]
MEASURES: dict[str, Callable[[Losses], Fraction]] = {
    "balance": lambda x: x.taken + x.defender - x.asked,
    "push": lambda x: x.emptied + x.defender - x.attacker,
    "exchange": lambda x: x.defender - x.attacker,
    "hex": lambda x: x.taken,
}
MEASURE_TEXT = {
    "balance": "the chance that the hex is taken, plus the defender's expected loss, less the steps asked of the "
    "attacker, also where nobody is left to lose them: a party that is sure to die is not cheap",
    "push": "the chance that the hex is emptied, whoever is left to enter, plus the defender's and less the attacker's "
    "expected loss: for a side that drives the enemy off and does not count its dead",
    "exchange": "the defender's less the attacker's expected loss",
    "hex": "the chance that the hex is taken: no defender is left in it, and an attacker is left to enter",
}


@dataclass(frozen=True, slots=True)
class RankedAttack:
    """An attack that could be made now: target hex, attackers' ids, how, its odds and its score by the measure."""

    target: int
    attackers: tuple[str, ...]
    options: AttackOptions
    odds: Odds
    score: Fraction


def best_attacks(
    state: State,
    side: str,
    limit: int = 10,
    *,
    measure: str = "balance",
    options: AttackOptions | None = None,
    supplied: Callable[[Piece], bool] | None = None,
) -> list[RankedAttack]:
    """The regular attacks a side could make from where it stands, the best `limit` by a measure (`MEASURE_TEXT`).

    Of equal ones that with the fewest units comes first, for it costs the fewest tokens.

    For every enemy hex: all units that may attack together, each stack alone, the five strongest where more Japanese
    would make a large battle, and every Banzai attack. `supplied` leaves out units without combat supply; the defender
    pays if he can, unless `options` says that he declines.
    """
    for what, name, known in (("measure", measure, MEASURES), ("side", side, SIDES)):
        if not isinstance(name, str) or name not in known:
            hint = did_you_mean(str(name), known)
            raise BurmaStudyError(f"There is no {what} {name!r}; write one of {', '.join(known)}. {hint}".strip())
    score = MEASURES[measure]
    found = []
    for target, party, how in _candidates(state, side, options or AttackOptions(), supplied):
        defenders = tuple(p for p in stacks(state)[target] if p.counter.side != side)
        odds = odds_of(state, target, party, defenders, how)
        found.append(RankedAttack(target, tuple(p.id for p in party), how, odds, score(odds.losses)))
    found.sort(key=lambda a: (-a.score, len(a.attackers), a.target, a.attackers, a.options.banzai))
    return found[:limit]


def _candidates(
    state: State, side: str, options: AttackOptions, supplied: Callable[[Piece], bool] | None
) -> Iterator[tuple[int, Party, AttackOptions]]:
    for target, there in stacks(state).items():
        if all(p.counter.side == side for p in there):
            continue
        defenders = tuple(p for p in there if p.counter.side != side)
        near = _neighbours(state, side, target, supplied)
        fed = defended(state, defenders, options) if near else options
        for party, banzai in _parties(state, near):
            how = replace(fed, banzai=banzai)
            if not reasons_against(state, target, party, defenders, how):
                yield target, party, how


def _neighbours(state: State, side: str, target: int, supplied: Callable[[Piece], bool] | None) -> Party:
    """Units next to a hex that may attack it."""
    board, held = state.board, stacks(state)
    return tuple(
        p
        for h in board.grid.adjacent[target]
        for p in held.get(h, ())
        if p.counter.side == side
        and can_attack(p)
        and may_enter(state, h, target, p.printed.mobility)
        and (supplied is None or supplied(p))
    )


def _parties(state: State, near: Party) -> list[tuple[Party, bool]]:
    """Sensible sets of attackers, each once, with whether it is a Banzai attack."""
    found: dict[tuple[Party, bool], None] = {}
    for group in _groups(state.rules, near):
        units = [group, *(tuple(s) for s in by_hex(group).values())]
        for party in units:
            found[party, False] = None
            found[_strongest(state, party), False] = None
    for party in _banzai(state, near):
        found[party, True] = None
    return [key for key in found if key[0]]


@rule("ocs/3.7a")
def _groups(rules: Rules, near: Party) -> list[Party]:
    """The largest sets of units that may attack together."""
    if cooperate(rules, near):
        return [near]
    sets: list[Party] = [tuple(p for p in near if p.counter.group == g) for g in ("commonwealth", "us_chinese")]
    sets.append(tuple(p for p in near if p.counter.is_chindit or p.counter.nationality == "us"))
    return [tuple(p for p in near if p in s or works_with_all(rules, p.counter)) for s in sets]


@rule("ocs/2.6a")
def _strongest(state: State, party: Party) -> Party:
    """As many Japanese counters as do not make a large battle, the strongest; other parties unchanged."""
    most = int(state.rules.charts.combat_values["large_battle_counters"]) - 1
    if not party or party[0].counter.side != "japanese" or len(party) <= most:
        return party
    ordered = sorted(party, key=lambda p: (-(p.printed.attack or 0), -p.printed.ar, p.id))
    return tuple(sorted(ordered[:most], key=lambda p: p.id))


@rule("ocs/2.6b")
def _banzai(state: State, near: Sequence[Piece]) -> list[Party]:
    """The battalions of one regiment in one hex, where they may declare a Banzai attack."""
    sets: dict[tuple[object, str], list[Piece]] = {}
    for piece in near:
        if piece.counter.side == "japanese":
            sets.setdefault((piece.at, regiment(piece)), []).append(piece)
    return [tuple(s) for s in sets.values() if not banzai_reasons(state, s)]
