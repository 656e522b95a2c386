"""The attacks a side could make here and now, ranked."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from combat_field import NE, TARGET, N, S, situation

from burma_study.errors import BurmaStudyError
from burma_study.rules.ocs.combat.attack import AttackOptions, attack_odds
from burma_study.rules.ocs.combat.best import MEASURE_TEXT, MEASURES, best_attacks
from burma_study.rules.ocs.combat.odds import Policy
from burma_study.rules.ocs.state import Piece

pytestmark = pytest.mark.usefixtures("on")
R215 = [f"j/inf/{n}-215-33" for n in (1, 2, 3)]
BRIGADE, JAPANESE = "a/inf/48-17", "j/inf/1-214-33"


def parties(found):
    return {(frozenset(a.attackers), a.options.banzai) for a in found}


def test_all_together_and_each_stack_alone():
    units = {BRIGADE: N, "a/inf/63-17": S, JAPANESE: TARGET}
    found = best_attacks(situation(units), "allied")
    assert parties(found) == {(frozenset(s), False) for s in ({BRIGADE, "a/inf/63-17"}, {BRIGADE}, {"a/inf/63-17"})}


@pytest.mark.parametrize("measure", list(MEASURES))
def test_ranked_by_the_stated_measure_and_equal_to_the_odds(measure):
    units = {BRIGADE: N, "a/inf/63-17": S, "a/tank/7_Cav": NE, JAPANESE: TARGET}
    where = situation(units)
    found = best_attacks(where, "allied", measure=measure)
    assert [a.score for a in found] == sorted((a.score for a in found), reverse=True)
    for a in found:
        alone = attack_odds(where, a.target, a.attackers, a.options)
        assert alone.outcomes == a.odds.outcomes
        assert MEASURES[measure](alone.losses) == a.score
    assert measure in MEASURE_TEXT


def test_no_party_beats_the_best_one_on_the_measure_hex():
    """All subsets by brute force: more attackers never take a hex less often, but for a large battle."""
    names = [BRIGADE, "a/inf/63-17", "a/inf/9-5"]
    where = situation(dict(zip(names, (N, N, S), strict=True)) | {JAPANESE: TARGET})
    every = [
        attack_odds(where, TARGET, party).losses.taken for n in (1, 2, 3) for party in itertools.combinations(names, n)
    ]
    assert best_attacks(where, "allied", 1, measure="hex")[0].score == max(every)


def test_burma_3_7a_parties_keep_to_those_who_operate_together():
    units = {BRIGADE: N, "a/inf/112-38": S, "a/inf/1-Gal": S, "a/col/A-77-3": N, JAPANESE: TARGET}
    found = {frozenset(a.attackers) for a in best_attacks(situation(units), "allied", 50)}
    assert frozenset({BRIGADE, "a/col/A-77-3"}) in found
    assert frozenset({"a/inf/1-Gal", "a/inf/112-38"}) in found
    assert frozenset({"a/inf/1-Gal", "a/col/A-77-3"}) in found
    assert not any({BRIGADE, "a/inf/112-38"} <= party for party in found)


@pytest.mark.rule("ocs/2.6b")
def test_burma_2_6a_and_b_a_large_battle_is_set_against_five_and_against_banzai():
    six = R215 + [f"j/inf/{n}-213-33" for n in (1, 2, 3)]
    found = best_attacks(situation({**dict.fromkeys(six, N), BRIGADE: TARGET}), "japanese", 50)
    sizes = {(len(a.attackers), a.options.banzai) for a in found}
    assert sizes == {(6, False), (5, False), (3, True)}


def test_units_that_cannot_attack_are_left_out():
    units = {BRIGADE: Piece(BRIGADE, N, "reserve"), "a/inf/63-17": N, "a/hq/4_Corps": S, JAPANESE: TARGET}
    assert parties(best_attacks(situation(units), "allied")) == {(frozenset({"a/inf/63-17"}), False)}


def test_supply_limit_and_options():
    units = {BRIGADE: N, "a/inf/63-17": N, JAPANESE: TARGET}
    where = situation(units)
    fed = best_attacks(where, "allied", supplied=lambda p: p.id == BRIGADE)
    assert parties(fed) == {(frozenset({BRIGADE}), False)}
    assert best_attacks(where, "allied", 1)[0].attackers == (BRIGADE, "a/inf/63-17")
    hungry = best_attacks(where, "allied", 1, options=AttackOptions(defender_pays=False))[0]
    assert hungry.odds.defence == 1
    hold = best_attacks(where, "allied", 1, options=AttackOptions(policy=Policy("steps", "steps")))[0]
    assert hold.odds.policy.defender == "steps"


def test_a_lone_banzai_at_long_odds_does_not_come_before_an_attack_that_takes_the_hex(on):
    """One battalion against a brigade in the mountains dies nearly always: who is sure to die is not cheap."""
    on(terrain={TARGET: "mountain"})
    where = situation({**dict.fromkeys((*R215, "j/inf/1-213-33"), N), "j/inf/2-213-33": S, BRIGADE: TARGET})
    lone = attack_odds(where, TARGET, ["j/inf/2-213-33"], AttackOptions(banzai=True)).losses
    assert lone.attacker > Fraction(9, 10)
    assert lone.emptied > Fraction(1, 5)
    assert lone.taken < Fraction(1, 20)
    found = best_attacks(where, "japanese", 20)
    assert len(found[0].attackers) > 1
    assert found[0].odds.losses.taken > lone.emptied
    assert found[0].score > MEASURES["balance"](lone)


def test_of_equal_attacks_the_one_with_fewest_units_comes_first():
    """A second brigade that adds nothing to the column costs a token more."""
    units = dict.fromkeys((BRIGADE, "a/inf/63-17", "a/inf/9-5", "a/inf/123-5"), N) | {"a/inf/89-7": S}
    found = best_attacks(situation({**units, "j/gar/1": TARGET}), "allied", 50)
    pairs = list(itertools.pairwise(found))
    assert any(a.score == b.score and len(a.attackers) < len(b.attackers) for a, b in pairs)
    for a, b in pairs:
        assert a.score > b.score or len(a.attackers) <= len(b.attackers)


def test_the_defender_pays_in_the_ranking_as_he_would_in_the_battle():
    hungry = Piece(JAPANESE, TARGET, stocks=0)
    assert best_attacks(situation({BRIGADE: N, JAPANESE: hungry}), "allied")[0].odds.defence == 1
    assert best_attacks(situation({BRIGADE: N, JAPANESE: TARGET}), "allied")[0].odds.defence == 2


def test_nobody_near_nobody_to_attack():
    assert best_attacks(situation({BRIGADE: N}), "allied") == []


def test_an_unknown_measure_is_named():
    with pytest.raises(BurmaStudyError, match=r"'ballance'.*Did you mean balance"):
        best_attacks(situation({BRIGADE: N}), "allied", measure="ballance")
