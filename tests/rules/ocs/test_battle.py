"""Battles from their payment to the roll: worked vectors with fixed dice, and every throw against the exact odds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from battle_field import (
    BRIGADE,
    CHINDITS,
    R214,
    R215,
    SECOND,
    FixedDice,
    asked,
    attack,
    choices,
    dead,
    field,
    first_answer,
    play,
    refused,
)
from combat_field import GRID, NE, TARGET, N, S

from burma_study.engine.dice import KeyedDice
from burma_study.engine.game import Partial
from burma_study.engine.orders import Several
from burma_study.engine.session import Session
from burma_study.engine.step import Step
from burma_study.games.registry import game_of
from burma_study.rules.ocs.charts import charts_for
from burma_study.rules.ocs.combat.attack import (
    DECIMATED,
    DICE,
    AttackOptions,
    attack_odds,
    raw_odds,
    row_of,
    shifted,
    surprised,
)
from burma_study.rules.ocs.combat.battle import _roll, options_bind, report
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.goods.payment import ways_to_pay
from burma_study.rules.ocs.state import Dump, Piece, Rules

pytestmark = pytest.mark.usefixtures("on")
TWO_TO_ONE = {BRIGADE: N, SECOND: S, R215[0]: TARGET, R215[1]: TARGET}
OPEN = (attack(BRIGADE, SECOND), "pay", f"lead with {BRIGADE}", f"lead with {R215[0]}")


def led(units=None, **more):
    """A battle in which only the dice are missing: both have paid and named, the last order is held back."""
    return play(field(units or TWO_TO_ONE, **more), *OPEN[:-1])


# payment --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/12.4", "ocs-series/9.5")
def test_series_9_5_the_attacker_pays_a_token_a_step_before_anything_else():
    after = play(field(TWO_TO_ONE), OPEN[0])
    assert sum(d.tokens for d in after.dumps.values() if d.side == "allied") == 78
    assert asked(after) == ("japanese", ("pay", "decline"))


@pytest.mark.rule("ocs-series/12.4", "ocs-series/9.5")
@pytest.mark.parametrize(("units", "cost"), [(TWO_TO_ONE, 1), ({**TWO_TO_ONE, R215[2]: TARGET}, 2)])
def test_series_9_5_the_defence_costs_2_tokens_or_1_up_to_1_re(units, cost):
    after = play(field(units), attack(BRIGADE, SECOND), "pay")
    assert after.dumps[TARGET].tokens == 40 - cost


def test_series_9_5_a_defender_who_declines_fights_at_half():
    declined = play(field(TWO_TO_ONE), OPEN[0], "decline", *OPEN[2:], dice=[(3, 4), (1, 1)])
    paid = play(field(TWO_TO_ONE), *OPEN, dice=[(3, 4), (1, 1)])
    assert (report(declined)["defence"], report(paid)["defence"]) == (2, 4)
    assert declined.dumps[TARGET].tokens == 40


def test_series_9_5_without_supply_there_is_no_attack_and_no_question_to_the_defender():
    assert refused(field(TWO_TO_ONE, supply=("japanese",)).put("pieces", BRIGADE, Piece(BRIGADE, N, stocks=0)), OPEN[0])
    after = play(field({k: Piece(k, h, stocks=0) for k, h in TWO_TO_ONE.items()}, supply=("allied",)), OPEN[0])
    assert asked(after) == ("allied", ("lead",))


def test_series_12_10_both_sides_fight_from_internal_stocks_where_nothing_is_in_reach():
    after = play(field(TWO_TO_ONE, supply=()), *OPEN, dice=[(3, 4), (6, 6)])
    assert [after.pieces[u].stocks for u in (BRIGADE, SECOND)] == [1, 1]
    assert report(after)["paid"]
    assert [after.pieces[u].stocks for u in R215[:2]] == [1, 1]


def test_series_12_10_each_defender_lives_on_its_own_stocks():
    """2 from stocks and 2 at half are 3; nobody is asked where all are exhausted."""
    for before, after, defence in (((2, 2), (1, 1), 4), ((2, 0), (1, 0), 3)):
        mates = {u: Piece(u, TARGET, stocks=n) for u, n in zip(R215[:2], before, strict=True)}
        fought = play(field({**TWO_TO_ONE, **mates}, supply=("allied",)), *OPEN, dice=[(3, 4), (1, 1)])
        assert report(fought)["defence"] == defence
        assert tuple(fought.pieces[u].stocks for u in mates) == after
    nothing = {u: Piece(u, TARGET, stocks=0) for u in R215[:2]}
    assert asked(play(field({**TWO_TO_ONE, **nothing}, supply=("allied",)), OPEN[0])) == ("allied", ("lead",))


@pytest.mark.parametrize(
    ("stocks", "defence", "after"), [((2, 2, 2), 5, (1, 2, 2)), ((0, 2, 2), 5, (0, 2, 1)), ((0, 0, 0), 4.5, (0, 0, 0))]
)
@pytest.mark.rule("ocs-series/12.10", "ocs-series/12.4")
def test_series_12_10_too_few_tokens_supply_1_re_and_the_others_live_on_their_stocks(on, stocks, defence, after):
    """1 1/2 RE owe 2T; the battalions reach 1T on foot, the truck-drawn guns none.

    1T supplies the two battalions (2 + 2), or the guns without stocks and one of them; who has neither counts half.
    """
    on(terrain=dict.fromkeys(GRID.adjacent[TARGET], "jungle"))
    guns, dump = "j/art/1-3H", GRID.neighbours[S][3]
    mates = {u: Piece(u, TARGET, stocks=n) for u, n in zip((guns, *R215[:2]), stocks, strict=True)}
    state = field({BRIGADE: N, **mates}, supply=("allied",)).put("dumps", dump, Dump("japanese", 1))
    begun = play(state, attack(BRIGADE))
    (way,) = GAME.options(begun, Partial("pay"), "payment").choices
    fought = play(begun, f"pay from {way.value}", f"lead with {R215[0]}", dice=[(3, 4), (1, 1)])
    assert [fought.pieces[u].stocks for u in (guns, *R215[:2])] == list(after)
    assert dump not in fought.dumps
    assert report(fought)["defence"] == defence


@pytest.mark.rule("ocs-series/12.10")
def test_series_12_10_few_tokens_go_to_attackers_without_stocks():
    units = {BRIGADE: N, SECOND: Piece(SECOND, N, stocks=0)}
    state = field({**units, R215[0]: TARGET}, supply=()).put("dumps", N, Dump("allied", 1))
    after = play(state, attack(BRIGADE, SECOND))
    assert [after.pieces[u].stocks for u in (BRIGADE, SECOND)] == [1, 0]


def test_series_9_5_each_attacker_pays_from_what_it_reaches():
    """One brigade stands on supply; the way round to it is shut to the other by the enemy's zone: its stocks pay."""
    state = field({BRIGADE: N, SECOND: S, R215[0]: TARGET}, supply=()).put("dumps", N, Dump("allied", 1))
    after = play(state, attack(BRIGADE, SECOND))
    assert not after.dumps
    assert [after.pieces[u].stocks for u in (BRIGADE, SECOND)] == [2, 1]


def test_series_9_5_what_one_defender_can_draw_supplies_them_all(on):
    """The battalion reaches the dump on foot through the jungle, the truck-drawn guns beside it do not."""
    on(terrain=dict.fromkeys(GRID.adjacent[TARGET], "jungle"))
    guns, dump = "j/art/1-3H", GRID.neighbours[S][3]
    state = field({BRIGADE: N, R215[0]: TARGET, guns: TARGET}, supply=("allied",)).put(
        "dumps", dump, Dump("japanese", 8)
    )
    assert not ways_to_pay(state, (guns,), 1, "defence")[0].portions
    after = play(state, attack(BRIGADE), "pay")
    assert after.dumps[dump].tokens == 7
    assert [after.pieces[u].stocks for u in (R215[0], guns)] == [2, 2]


def test_series_9_5_several_stores_may_be_named_and_each_unit_uses_its_own():
    named = f" paying {GAME.label(N)} and {GAME.label(S)}"
    after = play(field(TWO_TO_ONE), attack(BRIGADE, SECOND, more=named))
    assert [after.dumps[h].tokens for h in (N, S)] == [39, 39]
    assert refused(field(TWO_TO_ONE), attack(BRIGADE, more=f" paying {GAME.label(S)}")) == {"no-such-payment"}
    assert refused(field(TWO_TO_ONE), attack(BRIGADE, more=" paying stocks")) == {"no-such-payment"}


# who may attack -------------------------------------------------------------------------------------------------------


def test_series_9_2_a_unit_attacks_once_and_a_hex_is_attacked_once_in_a_segment():
    other = "j/inf/1-213-33"
    there = field({**TWO_TO_ONE, R215[2]: NE, other: NE})
    after = play(there, *OPEN, dice=[(3, 4), (4, 5)])
    while asked(after)[1]:
        after = play(after, first_answer(after))
    again = f"attack {GAME.label(NE)} with {BRIGADE}"
    assert "fought-already" in refused(after, again)
    if any(p.at == TARGET and p.counter.side == "japanese" for p in after.pieces.values()):
        assert "attacked-already" in refused(after, attack(SECOND))
    later = after.with_(phase="exploitation_combat")
    assert "fought-already" not in refused(later, again)


def test_series_5_9_in_exploitation_only_exploit_mode_and_released_reserves_attack():
    units = {BRIGADE: Piece(BRIGADE, N, mode="exploit"), SECOND: S, R215[0]: TARGET}
    state = field(units, phase="exploitation_combat")
    assert refused(state, attack(SECOND)) == {"no-part"}
    assert not refused(state, attack(BRIGADE))
    assert not refused(state.put("markers", "released", (SECOND,)), attack(SECOND))
    assert choices(state, "attack", at=TARGET) == [BRIGADE]


def test_series_9_2_only_the_phasing_side_attacks_and_only_in_its_phase():
    assert "not-your-unit" in refused(field(TWO_TO_ONE, player="japanese"), attack(BRIGADE))
    assert "not-now" in refused(field(TWO_TO_ONE, phase="movement"), attack(BRIGADE))


def test_no_unit_counts_twice_in_an_order():
    assert refused(field(TWO_TO_ONE), attack(BRIGADE, BRIGADE)) == {"twice"}


def test_every_slot_of_an_attack_has_choices_until_the_order_is_complete():
    state, partial = field({R215[0]: N, R215[1]: N, BRIGADE: TARGET}, player="japanese"), Partial("attack")
    for value in (TARGET, R215[0], R215[1]):
        found = GAME.options(state, partial)
        assert value in [c.value for c in found.choices]
        partial = found.take(value)
    assert GAME.options(state, partial).complete == GAME.parse(attack(*R215[:2]))
    assert [c.value for c in GAME.options(state, partial, "banzai").choices] == [True]
    assert [c.value for c in GAME.options(state, partial, "ar").choices] == R215[:2]
    assert all("A10" in c.value for c in GAME.options(state, partial, "payment").choices)


# the dice -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/9.7")
@pytest.mark.parametrize(
    ("dice", "surprise", "column", "result"),
    [
        ([(3, 4), (3, 3)], "none", "3:1", "AL1 Do1"),
        ([(5, 5), (1,), (3, 3)], "attacker", "4:1", "Ao1 Do1"),
        ([(1, 4), (2,), (3, 3)], "defender", "1:1", "AL1o1 Do1"),
        ([(6, 6), (6,), (6, 6)], "attacker", "13:1", "Ae2 DL2o3DG"),
        ([(1, 1), (6,), (1, 1)], "defender", "1:5", "AL2"),
    ],
)
def test_series_9_8_surprise_shifts_by_one_die(dice, surprise, column, result):
    """12 to 4 in the open is 3:1, ratings equal: surprise at 10 or more and at 5 or less."""
    found = report(play(field(TWO_TO_ONE), *OPEN, dice=dice))
    assert (found["label_before"], found["surprise"], found["label"]) == ("3:1", surprise, column)
    assert found["result"] == result


def test_burma_2_6b_banzai_uses_the_action_rating_in_place_of_the_die():
    state = field({R215[0]: N, R215[1]: N, BRIGADE: TARGET}, player="japanese")
    orders = (attack(*R215[:2], more=" as Banzai"), "pay", f"lead with {R215[0]}")
    found = report(play(state, *orders, dice=[(5, 5), (4, 4)]))
    assert (found["shift"], found["surprise"]) == (4, "attacker")
    found = report(play(state, *orders, dice=[(1, 2), (4, 4)]))
    assert (found["column_before"], found["column"]) == (3, 0)  # four left


@pytest.mark.rule("ocs/2.6b-losses")
def test_burma_2_6b_losses_of_a_banzai_attack_leave_the_game():
    state = field({R215[0]: N, R215[1]: N, BRIGADE: TARGET}, player="japanese")
    orders = ("pay", f"lead with {R215[0]}")
    wild = play(state, attack(*R215[:2], more=" as Banzai"), *orders, dice=[(3, 4), (1, 1)])
    tame = play(state, attack(*R215[:2]), *orders, dice=[(3, 4), (1, 1)])
    assert {wild.pieces[u].at for u in R215[:2]} == {"gone"}
    assert {tame.pieces[u].at for u in R215[:2]} == {"dead_bn"}


def test_burma_2_6a_six_counters_lose_one_from_both_rolls():
    state = field(dict.fromkeys((*R215, *R214), N) | {BRIGADE: TARGET}, player="japanese")
    six = play(state, attack(*R215, *R214), "pay", f"lead with {R215[0]}", dice=[(4, 4), (6, 6)])
    five = play(state, attack(*R215, *R214[:2]), "pay", f"lead with {R215[0]}", dice=[(4, 4), (6, 6)])
    assert report(five)["drm"] - report(six)["drm"] == 1


def test_series_9_6_the_attacker_names_his_unit_first_then_the_defender():
    state = play(field(TWO_TO_ONE), OPEN[0], "pay")
    assert asked(state) == ("allied", ("lead",))
    assert choices(state, "lead") == [BRIGADE, SECOND]
    assert refused(state, f"lead with {R215[0]}") == {"no-leader"}
    state = play(state, OPEN[2])
    assert asked(state) == ("japanese", ("lead",))
    named = play(field(TWO_TO_ONE), attack(BRIGADE, SECOND, more=f", rating of {SECOND}"), "pay")
    assert asked(named) == ("japanese", ("lead",))


@pytest.mark.parametrize("named", R215[:2])
def test_series_9_11_who_led_the_defence_takes_its_first_step(named):
    after = play(led(), f"lead with {named}", dice=[(3, 4), (5, 6)])
    while asked(after)[1]:
        after = play(after, first_answer(after))
    assert named in dead(after)


def test_burma_3_6c_a_chindit_that_leads_after_decimation_dies_and_pays_nothing():
    units = {CHINDITS[0]: N, BRIGADE: S, R215[0]: TARGET}
    state = field(units).put("markers", DECIMATED, True)
    orders = (attack(*units.keys() - {R215[0]}), "pay", f"lead with {CHINDITS[0]}")
    after = play(state, *orders, dice=[(3, 4), (1, 1)])  # AL1o1 and more: the brigade pays besides
    assert CHINDITS[0] in dead(after)
    assert play(state, *orders[:2], f"lead with {BRIGADE}", dice=[(3, 4), (6, 6)]).pieces[CHINDITS[0]].on_map


# against the odds -----------------------------------------------------------------------------------------------------

VECTORS = [
    (12, 4, 4, 4, "open", 0, "regular", None),
    (22, 6, 4, 3, "extremely_close", 1, "regular", None),
    (3, 12, 5, 1, "very_close", 3, "regular", None),
    (6, 6, 2, 4, "close", 0, "overrun", None),
    (6, 6, 4, 4, "close", 1, "overrun", 4),
    (60, 3, 5, 0, "open", 4, "regular", 5),
]


@pytest.mark.parametrize(("attacker", "defender", "ar", "their_ar", "terrain", "level", "kind", "banzai"), VECTORS)
def test_series_9_9_every_throw_of_the_five_dice_adds_up_to_the_odds(
    attacker, defender, ar, their_ar, terrain, level, kind, banzai
):
    """The steps of a resolution over all 36 x 6 x 36 throws give each result exactly as often as the odds say."""
    odds = raw_odds(attacker, defender, ar, their_ar, terrain, level, overrun=kind == "overrun", banzai=banzai)
    charts, found = charts_for(()), Counter()
    for a, b, die, c, d in product(range(1, 7), repeat=5):
        sign = surprised(*charts.surprise[kind], a + b + odds.surprise.drm)
        column = shifted(odds.column_index, sign, die if banzai is None else banzai, 0, 12)
        found[charts.combat.cells[row_of(c + d + odds.drm, 15)][column].text] += 1
    assert found == {result.text: weight for result, weight in odds.cells}


@pytest.mark.parametrize(
    ("units", "who", "how"),
    [
        (TWO_TO_ONE, (BRIGADE, SECOND), {}),
        ({R215[0]: N, R215[1]: N, BRIGADE: TARGET}, tuple(R215[:2]), {"banzai": True}),
        ({BRIGADE: N, R215[0]: TARGET}, (BRIGADE,), {"hedgehog": ("japanese", 1)}),
    ],
)
def test_series_9_9_battles_played_with_every_throw_come_out_as_attack_odds_says(units, who, how):
    """The procedure itself, over every sum of its dice with the ways to throw it."""
    banzai, hedgehog = how.get("banzai", False), how.get("hedgehog")
    side = "japanese" if who[0].startswith("j") else "allied"
    state = field(units, player=side, hedgehog=hedgehog)
    odds = attack_odds(state, TARGET, who, AttackOptions(banzai=banzai))
    ready = play(state, attack(*who, more=" as Banzai" * banzai))
    found: Counter[str] = Counter()
    for first, die, second in product(range(2, 13), range(1, 7), range(2, 13)):
        shifts = [(die,)] if surprised(10, 5, first + odds.surprise.drm) and not banzai else []
        step = Step(ready, FixedDice(_pair(first), *shifts, _pair(second)), GAME.clock)
        step.note(paid=True, attacker_ar=odds.attacker_ar, defender_ar=odds.defender_ar, stage="roll")
        _roll(step)
        found[report(step.state)["result"]] += DICE[first] * DICE[second]
    assert found == {result.text: weight for result, weight in odds.cells}
    assert sum(found.values()) == 7776


def _pair(total):
    return (max(1, total - 6), total - max(1, total - 6))


def test_series_9_9_the_event_of_a_battle_has_its_exact_chances():
    state = field(TWO_TO_ONE)
    odds = attack_odds(state, TARGET, (BRIGADE, SECOND))
    outcome = GAME.apply(play(state, *OPEN[:-1]), GAME.parse(OPEN[-1]), FixedDice((3, 4), (3, 3)))
    (event,) = [e for e in outcome.events if e.kind == "battle"]
    found = dict(event.new)
    assert found["result"] == "AL1 Do1"
    assert found["chance"] == odds.chance(lambda r: r.text == "AL1 Do1")
    assert found["attacker_this_bad"] == odds.chance(lambda r: r.attacker_losses + r.attacker_options >= 1)
    assert found["defender_this_bad"] == odds.chance(lambda r: r.defender_losses + r.defender_options >= 1)
    assert isinstance(found["chance"], Fraction)
    assert {"ocs-series/9.7", "ocs-series/9.8", "ocs-series/9.9"} <= set(outcome.rules)


# overruns -------------------------------------------------------------------------------------------------------------


def test_series_5_7_an_overrun_takes_the_defenders_out_of_reserve_before_they_fight():
    """1999: the marker comes off when the overrun is declared; in v4.3 it halves the defence."""
    units = {BRIGADE: N, R215[0]: Piece(R215[0], TARGET, mode="reserve")}
    for version, defence in (("1999", 2), ("v4.3", 1)):
        state = field(units, phase="movement", rules=Rules(version=version), supply=("allied",))
        after = play(state, f"overrun {GAME.label(TARGET)} with {BRIGADE}", "pay", dice=[(3, 4), (6, 6)])
        assert report(after)["defence"] == defence
        assert attack_odds(state, TARGET, (BRIGADE,), AttackOptions("overrun")).defence == defence


def test_series_8_winners_of_an_overrun_must_enter():
    state = field({BRIGADE: N, R215[0]: TARGET}, phase="movement", supply=("allied",))
    order = f"overrun {GAME.label(TARGET)} with {BRIGADE}"
    after = play(state, order, "pay", dice=[(6, 6), (6,), (6, 6)])
    while asked(after)[1]:
        after = play(after, first_answer(after), dice=())
    assert after.pieces[BRIGADE].at == TARGET
    assert after.pieces[BRIGADE].mode == "combat"  # never Exploit


# records --------------------------------------------------------------------------------------------------------------


def test_a_battle_is_undone_step_by_step_and_played_again_into_a_variation():
    session = Session(GAME, field(TWO_TO_ONE), setup="ocs/test", setup_kind="free", seed="imphal")
    start = session.state.digest
    session.push(OPEN[0])
    before = session.state.digest
    session.push("pay")
    for _ in range(12):
        if not session.decision.frame:
            break
        session.push(first_answer(session.state))
    end, node = session.state.digest, session.node
    while session.node != 1:
        session.undo()
    assert session.state.digest == before
    session.push("decline")
    assert session.tree.name(session.node) == "variation 1"
    session.go(node)
    assert session.state.digest == end
    assert session.rerun() is None
    session.go(0)
    assert session.state.digest == start


def test_a_battle_is_saved_in_the_middle_and_opened_again(tmp_path):
    session = Session(GAME, field(TWO_TO_ONE), setup="ocs/test", setup_kind="free", seed="kohima")
    for text in OPEN:
        session.push(text)
    session.save(tmp_path / "battle.json")
    again = Session.open(tmp_path / "battle.json", game_of)
    assert again.state.digest == session.state.digest
    assert again.decision == session.decision


def test_several_orders_after_dice_are_refused():
    state = led()
    several = Several((GAME.parse(OPEN[-1]), GAME.parse("done")))
    assert "several-dice" in {r.code for r in GAME.check(state, several)}


def test_burma_opt_0_options_bind_in_1999_only():
    assert options_bind(field(TWO_TO_ONE))
    assert not options_bind(field(TWO_TO_ONE, rules=Rules(version="v4.3")))


@pytest.mark.parametrize(("dice", "modes"), [([(6, 6), (6,), (6, 6)], {"exploit"}), ([(3, 4), (3, 3)], {"combat"})])
def test_series_5_9_attackers_whose_rating_reaches_the_result_exploit(dice, modes):
    """Ae2: attackers rated 2 or more take Exploit Mode; AL1 Do1 gives nobody leave to. Both come over one hexside."""
    after = play(field(TWO_TO_ONE | {SECOND: N}), *OPEN, dice=dice)
    while asked(after)[1]:
        after = GAME.apply(after, GAME.parse(first_answer(after)), KeyedDice("s")).state
    assert {after.pieces[u].mode for u in (BRIGADE, SECOND) if after.pieces[u].on_map} == modes
