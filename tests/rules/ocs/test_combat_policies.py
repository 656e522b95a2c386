"""Expected losses against battles that are carried out: every result of the table, by each policy of both sides."""

from __future__ import annotations

from itertools import product

import pytest
from battle_field import BRIGADE, R215, SECOND, TANKS, asked, attack, choices, come_to, field, play
from combat_field import GRID, TARGET, N

from burma_study.engine.game import Partial
from burma_study.rules.ocs.charts import charts_for, parse_result
from burma_study.rules.ocs.combat.attack import DECIMATED, AttackOptions, attack_odds
from burma_study.rules.ocs.combat.odds import Policy
from burma_study.rules.ocs.combat.retreats import common_ways
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.state import Rules, State

pytestmark = pytest.mark.usefixtures("on")
OURS, THEIRS = (BRIGADE, SECOND, TANKS), tuple(R215)
RESULTS = sorted({cell.text for row in charts_for(()).combat.cells for cell in row})
POLICIES = [Policy(a, d) for a, d in product(("steps", "retreat"), repeat=2)]
MODERN = Rules(version="v4.3")
COLUMN = "a/col/A-77-3"


def answered(state: State, policy: Policy) -> State:
    """The battle carried on by a policy until the question who advances; the defender ignores what he may ignore."""
    while (question := asked(state))[1] and "advance" not in question[1]:
        side, kinds = question
        kind = kinds[0]
        if "ignore" in kinds:
            state = play(state, "ignore the option")
        elif kind == "settle":
            ways = choices(state, "settle")
            wish = policy.attacker if side == "allied" else policy.defender
            state = play(state, f"settle {max(ways) if wish == 'steps' else min(ways)} in steps")
        elif kind == "sacrifice":
            partial = Partial("sacrifice")
            while (found := GAME.options(state, partial)).choices and (found.complete is None or found.slot):
                partial = found.take(found.choices[0].value)
            state = play(state, GAME.options(state, partial).complete.text)
        else:
            frame = state.frames[-1]
            away = max(common_ways(state, frame["units"], frame), key=lambda w: [GRID.distance(N, h) for h in w])
            path = ", ".join(GAME.label(h) for h in away)
            order = f"retreat {', '.join(frame['units'])} by {path}"
            state = play(state, order)
    return state


def left(state: State, units: tuple[str, ...]) -> int:
    return sum(state.pieces[u].on_map for u in units)


@pytest.mark.rule("ocs-series/9.10", "ocs-series/9.11", "ocs/opt.2.4", "ocs/opt.0-9.10a")
@pytest.mark.parametrize("rules", [Rules(), MODERN], ids=["1999", "v4.3"])
@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: f"{p.attacker}-{p.defender}")
@pytest.mark.parametrize(("many", "few"), [(1, 1), (1, 3), (2, 1), (3, 2)])
@pytest.mark.parametrize("level", [0, 1])
def test_series_9_10_losses_that_the_odds_expect_are_those_of_a_battle(many, few, level, policy, rules):
    """All attackers stand in one hex, so that the defenders fall back out of every zone."""
    ours, theirs = OURS[:many], THEIRS[:few]
    units = dict.fromkeys(ours, N) | dict.fromkeys(theirs, TARGET)
    hedgehog = ("japanese", level) if level else None
    state = field(units, supply=(), rules=rules, hedgehog=hedgehog)
    odds = attack_odds(state, TARGET, ours, AttackOptions(policy=policy))
    for text in RESULTS:
        after = answered(come_to(state, attack(*ours), text), policy)
        paid = odds.paid(parse_result(text), policy)
        held = any(p.counter.side == "japanese" for p in after.units("japanese") if p.at == TARGET)
        found = (many - left(after, ours), few - left(after, theirs), not held, "advance" in asked(after)[1])
        assert found == (paid.attacker, paid.defender, paid.emptied, paid.taken), text


@pytest.mark.rule("ocs/3.6c")
def test_burma_3_6c_a_decimated_chindit_that_leads_is_among_the_expected_losses():
    """Alone it dies whatever the result; beside a brigade of equal rating it is spared unless it is named."""
    state = field({COLUMN: N, R215[0]: TARGET}).put("markers", DECIMATED, True)
    alone = attack_odds(state, TARGET, (COLUMN,)).losses
    assert (alone.attacker, alone.taken) == (1, 0)
    before = attack_odds(field({COLUMN: N, R215[0]: TARGET}), TARGET, (COLUMN,)).losses
    assert before.attacker < 1


@pytest.mark.rule("ocs-series/9.13")
@pytest.mark.parametrize(("unit", "gains"), [(BRIGADE, True), ("a/inf/1_Wy-17", False)])
def test_series_9_13_an_exploit_result_needs_a_rating_that_reaches_its_number(unit, gains):
    """A rating of 4 reaches e4 and lower numbers, one of 3 does not reach e4."""
    odds = attack_odds(field({unit: N, R215[0]: TARGET}), TARGET, (unit,))
    assert odds.exploits(parse_result("Ae4 DL1o2")) == gains
    assert odds.exploits(parse_result("Ae3 DL2o2DG"))
