"""What a combat result costs, who chooses, what follows: losses, options, DG, advance, Exploit Mode (OCS 9.10-13)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from battle_field import (
    BRIGADE,
    R215,
    SECOND,
    TANKS,
    asked,
    attack,
    choices,
    come_to,
    dead,
    field,
    first_answer,
    play,
)
from combat_field import NE, SE, TARGET, N, S

from burma_study.engine.frames import Frame, frame_locals
from burma_study.rules.ocs.charts import charts_for, parse_result
from burma_study.rules.ocs.combat.attack import attack_odds
from burma_study.rules.ocs.combat.battle import forced_steps
from burma_study.rules.ocs.combat.odds import Policy
from burma_study.rules.ocs.combat.results import candidates, splits
from burma_study.rules.ocs.combat.retreats import common_ways
from burma_study.rules.ocs.counters import counters
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.movement.zoc import zones
from burma_study.rules.ocs.state import Dump, Hedgehog, Piece, Rules

pytestmark = pytest.mark.usefixtures("on")
ARMY_HQ = "j/hq/15_Army"
PAIR = {BRIGADE: N, SECOND: S, R215[0]: TARGET, R215[1]: TARGET}
THREE = {**PAIR, R215[2]: TARGET}
BOTH = attack(BRIGADE, SECOND)
BARE = ()  # no supply on the ground, so that nothing is captured
MODERN = Rules(version="v4.3")


def resolved(units, result, order=BOTH, answers=(), dice=(), **more):
    """The state after a result and some answers; supply lies nowhere unless asked for."""
    how = {k: more.pop(k) for k in ("ar", "defender_ar", "surprise") if k in more}
    return play(come_to(field(units, **{"supply": BARE, **more}), order, result, **how), *answers, dice=dice)


# steps ----------------------------------------------------------------------------------------------------------------


def test_series_9_11_the_first_step_comes_from_the_unit_that_led():
    assert dead(resolved(PAIR, "AL1", ar=SECOND)) == {SECOND}
    assert dead(resolved(PAIR, "AL1", ar=BRIGADE)) == {BRIGADE}


def test_series_9_11_after_the_first_step_the_owner_chooses_where_there_is_a_choice():
    state = resolved({**PAIR, TANKS: N}, "AL2", attack(BRIGADE, SECOND, TANKS), ar=SECOND)
    assert dead(state) == {SECOND}
    assert asked(state) == ("allied", ("sacrifice",))
    assert choices(state, "sacrifice") == [BRIGADE, TANKS]
    assert dead(play(state, f"sacrifice {TANKS}")) == {SECOND, TANKS}
    wrong = {r.code for r in GAME.check(state, GAME.parse(f"sacrifice {TANKS}, {BRIGADE}"))}
    assert wrong == {"wrong-number"}
    assert "no-candidate" in {r.code for r in GAME.check(state, GAME.parse(f"sacrifice {R215[0]}"))}


def test_series_9_11_two_of_two_are_lost_without_a_question_and_excess_is_ignored():
    assert dead(resolved(PAIR, "AL2")) == {BRIGADE, SECOND}
    assert dead(resolved(PAIR, "AL2", attack(BRIGADE))) == {BRIGADE}


def test_series_9_11_each_unit_loses_one_before_any_loses_two():
    """Three units of two steps: who was hit waits until all were."""
    pieces = [replace(Piece(u, TARGET), steps=2) for u in R215]
    state = field({p.id: p for p in pieces})

    def due(hit, n=1):
        values = {"side": "japanese", "units": tuple(R215), "n": n, "cause": "combat", "first": (R215[1],)}
        return candidates(state, Frame("casualties", locals=frame_locals({**values, "hit": hit, "spread": True})))

    assert due(()) == ((R215[1],), 1)
    assert due((R215[1],)) == ((R215[0], R215[2]), 1)
    assert due((R215[1],), 2) == ((R215[0], R215[2]), 2)
    assert due(tuple(R215)) == (tuple(R215), 1)


# options --------------------------------------------------------------------------------------------------------------


def test_series_9_10_a_defender_pays_his_option_in_a_step_or_in_a_hex():
    state = resolved(PAIR, "Do1", ar=BRIGADE)
    assert asked(state) == ("japanese", ("settle",))
    assert choices(state, "settle") == [0, 1]
    stays = play(state, "settle 1 in steps")
    assert dead(stays) == {R215[0]}
    assert stays.pieces[R215[1]].at == TARGET
    leaves = play(state, "settle 0 in steps")
    assert not dead(leaves)
    assert asked(leaves) == ("japanese", ("retreat",))


def test_series_9_10_points_may_be_mixed():
    state = resolved(THREE, "Ae4 DL1o2", answers=["settle 1 in steps"])
    assert dead(state) == {R215[0]}  # the one that led
    state = play(state, f"sacrifice {R215[2]}")
    assert asked(state) == ("japanese", ("retreat",))
    assert state.frames[-1]["hexes"] == 1


def test_series_9_10_the_attacker_carries_out_his_result_first():
    state = resolved(PAIR, "Ao1 Do1")
    assert asked(state) == ("allied", ("settle",))
    assert asked(play(state, "settle 1 in steps")) == ("japanese", ("settle",))


def test_series_9_10c_a_defender_is_free_when_the_attacker_fell_back():
    state = resolved({BRIGADE: N, R215[0]: TARGET}, "Ao1 Do1", attack(BRIGADE), ["settle 0 in steps"])
    state = play(state, first_answer(state))
    assert asked(state) == ("japanese", ("settle", "ignore"))
    after = play(state, "ignore the option")
    assert not asked(after)[1]
    assert after.pieces[R215[0]].at == TARGET


@pytest.mark.rule("ocs/opt.0-9.10a", "ocs-series/9.10a")
@pytest.mark.parametrize(("rules", "kinds"), [(Rules(), ("settle",)), (MODERN, ("settle", "ignore"))])
def test_burma_opt_0_an_option_binds_though_the_attacker_died(rules, kinds):
    """1999 deletes 9.10a: nobody is free from his option; v4.3 frees the defender."""
    state = resolved({BRIGADE: N, R215[0]: TARGET}, "AL1o1 Do1", attack(BRIGADE), rules=rules)
    assert dead(state) == {BRIGADE}
    assert asked(state) == ("japanese", kinds)


@pytest.mark.parametrize(("n", "least"), [(1, 1), (2, 1), (3, 2)])
def test_burma_opt_2_4_half_of_an_option_in_a_hedgehog_is_steps(n, least):
    assert forced_steps(field(PAIR), 1, n) == least
    assert forced_steps(field(PAIR), 0, n) == 0
    assert forced_steps(field(PAIR, rules=Rules(options=())), 1, n) == 0
    state = resolved(THREE, f"Do{n}", hedgehog=("japanese", 2))
    if n == 1:
        assert dead(state) == {R215[0]}
    else:
        assert choices(state, "settle") == list(range(least, n + 1))


def test_series_9_10_hexes_are_chosen_only_while_somebody_is_left_to_go():
    def ways(units, n, least=0):
        values = {"side": "japanese", "units": units, "n": n, "least": least, "free": False}
        return splits(field(THREE), Frame("options", locals=frame_locals(values)))

    assert ways(tuple(R215), 3) == (0, 1, 2, 3)
    assert ways((R215[0],), 1) == (0, 1)
    assert ways((R215[0],), 2) == (0, 2)
    assert ways((R215[0],), 2, least=1) == (2,)


@pytest.mark.rule("ocs-series/9.11")
@pytest.mark.parametrize("policy", [Policy("steps", "steps"), Policy("steps", "retreat")])
def test_series_9_10_losses_of_every_result_are_those_the_odds_expect(policy):
    """Each cell of the table carried out by the policy that the expected losses assume."""
    before = field({**THREE, SECOND: N}, supply=BARE)
    odds = attack_odds(before, TARGET, (BRIGADE, SECOND))
    for text in sorted({r.text for line in charts_for(()).combat.cells for r in line}):
        state = come_to(before, BOTH, text)
        expected = replace(odds, cells=((parse_result(text), 7776),)).expected(policy)
        while asked(state)[1]:
            state = play(state, _by_policy(state, policy))
        lost = dead(state)
        ours = len(lost & {BRIGADE, SECOND})
        assert (ours, len(lost) - ours) == (expected.attacker, expected.defender), text
        gone = not any(state.pieces[u].at == TARGET for u in R215)
        assert Fraction(gone) == expected.emptied, text


def _by_policy(state, policy):
    side, kinds = asked(state)
    if kinds[0] == "settle":
        how = policy.attacker if side == "allied" else policy.defender
        ways = choices(state, "settle")
        return f"settle {max(ways) if how == 'steps' else min(ways)} in steps"
    if kinds == ("retreat",):
        frame, shunned = state.frames[-1], zones(state, "allied" if side == "japanese" else "japanese")
        path = next(w for w in common_ways(state, frame["units"], frame) if shunned.isdisjoint(w))
        return GAME.book["retreat"](frame["units"], path).text
    return "no advance" if "no_advance" in kinds else first_answer(state)


# disorganisation and modes --------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/5.10a")
@pytest.mark.parametrize(("rules", "hq_dg"), [(Rules(), False), (MODERN, True)])
def test_series_5_10_a_dg_result_disorganises_all_but_headquarters_before_v4(rules, hq_dg):
    state = resolved({**THREE, ARMY_HQ: TARGET}, "Ae3 DL2o2DG", rules=rules, defender_ar=R215[0])
    assert [state.pieces[u].dg for u in R215[1:]] == [True, True]
    assert state.pieces[ARMY_HQ].dg is hq_dg


def test_series_5_7_any_result_takes_the_defenders_out_of_reserve():
    units = {**PAIR, R215[1]: Piece(R215[1], TARGET, mode="reserve")}
    assert resolved(units, "Do1").pieces[R215[1]].mode == "combat"
    assert resolved(units, "AL1").pieces[R215[1]].mode == "reserve"


# advance --------------------------------------------------------------------------------------------------------------


def test_series_9_12g_attackers_may_enter_the_emptied_hex_or_stay():
    state = resolved({BRIGADE: N, SECOND: S, R215[0]: TARGET}, "Ae4 DL1o2")
    assert asked(state) == ("allied", ("advance", "no_advance"))
    assert choices(state, "advance") == [BRIGADE, SECOND]
    entered = play(state, f"advance with {SECOND}")
    assert (entered.pieces[SECOND].at, entered.pieces[BRIGADE].at) == (TARGET, N)
    assert play(state, "no advance").pieces[SECOND].at == S


def test_series_9_12g_no_advance_after_the_attackers_own_retreat():
    state = resolved({BRIGADE: N, R215[0]: TARGET}, "Ao1 DL1o1", attack(BRIGADE), ["settle 0 in steps"])
    while asked(state)[1]:
        assert "advance" not in asked(state)[1]
        state = play(state, first_answer(state))
    assert dead(state) == {R215[0]}
    assert state.pieces[BRIGADE].at not in (TARGET, N)


def test_series_9_12g_an_advance_obeys_stacking():
    near_n = ("48-17", "63-17", "32-20", "80-20", "100-20", "4-2")
    near_s = ("37-23", "49-23", "33-7", "89-7", "114-7")
    crowd = {f"a/inf/{u}": N for u in near_n} | {f"a/inf/{u}": S for u in near_s}
    state = resolved({**crowd, R215[0]: TARGET}, "Ae4 DL1o2", attack(*crowd))
    refusals = [
        GAME.check(state, GAME.parse(f"advance with {', '.join(who)}")) for who in (list(crowd), list(crowd)[1:])
    ]
    assert [{r.code for r in found} for found in refusals] == [{"advance-crowded"}, set()]


def test_series_9_14b_who_advances_captures_what_was_left_behind():
    state = resolved({BRIGADE: N, R215[0]: TARGET}, "DL1o1", attack(BRIGADE), supply=("japanese",))
    after = play(state, f"advance with {BRIGADE}", dice=[(4,)])
    assert after.dumps[TARGET] == Dump("allied", 20)


def test_burma_2_6c_a_level_1_hedgehog_that_the_japanese_leave_is_gone():
    """Who falls back abandons it; with Opt.2 half of the option, rounded up, is a step, the rest a hex."""
    units = {BRIGADE: N, R215[0]: TARGET, R215[1]: TARGET}
    asked_for = resolved(units, "Do2", attack(BRIGADE), hedgehog=("japanese", 1))
    assert TARGET in asked_for.hedgehogs
    while TARGET in {p.at for p in asked_for.units("japanese")}:
        asked_for = play(asked_for, first_answer(asked_for))
    assert TARGET not in asked_for.hedgehogs
    kept = resolved(units, "DL1", attack(BRIGADE), hedgehog=("japanese", 1))
    assert kept.hedgehogs[TARGET].level == 1


@pytest.mark.rule("ocs-series/16", "ocs/2.6c")
def test_series_16_a_level_1_hedgehog_whose_garrison_dies_is_captured_by_entry():
    """Nobody abandoned it: it stands empty, and whoever advances into it has it; who does not leaves it Japanese."""
    state = resolved({BRIGADE: N, R215[0]: TARGET}, "DL1o1", attack(BRIGADE), hedgehog=("japanese", 1))
    assert state.hedgehogs[TARGET] == Hedgehog("japanese", 1)
    assert play(state, f"advance with {BRIGADE}").hedgehogs[TARGET] == Hedgehog("allied", 1)
    assert play(state, "no advance").hedgehogs[TARGET] == Hedgehog("japanese", 1)


@pytest.mark.rule("ocs/2.6c")
def test_burma_2_6c_attackers_that_advance_out_of_their_hedgehog_abandon_it_and_dead_ones_do_not():
    units = {R215[0]: N, R215[1]: S, BRIGADE: TARGET}
    for order, left in ((f"advance with {R215[0]}", {S}), ("no advance", {N, S})):
        state = field(units, player="japanese", supply=("japanese",))
        for hex_ in (N, S):
            state = state.put("hedgehogs", hex_, Hedgehog("japanese", 1))
        state = come_to(state, attack(*R215[:2]), "AL1 DL1", ar=R215[1])
        assert R215[1] in dead(state)
        assert set(play(state, order).hedgehogs) == left


def test_series_16_a_hedgehog_changes_hands_by_entry():
    units = {R215[0]: N, BRIGADE: TARGET}
    state = resolved(units, "DL1o1", attack(R215[0]), player="japanese", hedgehog=("allied", 3))
    after = play(state, f"advance with {R215[0]}")
    assert (after.hedgehogs[TARGET].side, after.hedgehogs[TARGET].level) == ("japanese", 3)


# exploitation ---------------------------------------------------------------------------------------------------------


def exploiting(state):
    return {p.id for p in state.pieces.values() if p.mode == "exploit"}


def test_series_9_13_units_whose_rating_reaches_the_number_exploit():
    """63-17 and 48-17 have 4, the tanks 4: Ae4 serves all, a rating of 3 would not do."""
    weak = "a/inf/1_Wy-17"  # 2-3-3
    units = {BRIGADE: N, weak: N, R215[0]: TARGET}
    state = resolved(units, "Ae4 DL1o2", attack(BRIGADE, weak), ["no advance"])
    assert exploiting(state) == {BRIGADE}


def test_series_9_13_no_exploitation_when_the_option_was_paid_in_hexes():
    units = {BRIGADE: N, SECOND: N, R215[0]: TARGET}
    state = resolved(units, "Ao1e4 DL1o2")
    paid = play(state, "settle 1 in steps", "no advance")
    assert exploiting(paid) == {SECOND}
    fled = play(state, "settle 0 in steps")
    while asked(fled)[1]:
        fled = play(fled, first_answer(fled))
    assert not exploiting(fled)


@pytest.mark.parametrize(
    ("units", "more"),
    [
        ({BRIGADE: N, SECOND: S}, {}),
        ({BRIGADE: N, SECOND: NE, TANKS: SE}, {}),
        ({BRIGADE: Piece(BRIGADE, N, dg=True), SECOND: Piece(SECOND, N, dg=True)}, {}),
        ({BRIGADE: Piece(BRIGADE, N, mode="exploit"), SECOND: Piece(SECOND, N, mode="exploit")}, "exploitation_combat"),
    ],
)
def test_burma_opt_6_void_exploitation(units, more):
    """From hexsides apart, from three hexsides, by DG attackers, in the Exploitation Phase."""
    phase = more or "combat"
    state = resolved({**units, R215[0]: TARGET}, "Ae2 DL2o3DG", attack(*units), ["no advance"], phase=phase)
    before = {p.id for p in units.values() if isinstance(p, Piece) and p.mode == "exploit"}
    assert exploiting(state) == before


def test_burma_opt_6_two_adjacent_hexsides_may_exploit():
    state = resolved({BRIGADE: N, SECOND: NE, R215[0]: TARGET}, "Ae2 DL2o3DG", answers=["no advance"])
    assert exploiting(state) == {BRIGADE, SECOND}


# variants -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("surprise", "first"), [(0, TANKS), (-1, TANKS), (1, BRIGADE)])
def test_burma_4_6_armor_without_surprise_takes_the_first_loss(surprise, first):
    state = field({BRIGADE: N, TANKS: N, R215[0]: TARGET}, supply=BARE).put("markers", "variant_4.6", True)
    assert dead(come_to(state, attack(BRIGADE, TANKS), "AL1", ar=BRIGADE, surprise=surprise)) == {first}


def test_burma_4_8_the_big_guns_are_lost_with_the_first_step():
    guns = next(c.id for c in counters().values() if "ar_bonus" in c.traits)
    units = {BRIGADE: N, SECOND: N, guns: N, R215[0]: TARGET}
    assert guns in dead(resolved(units, "AL1", attack(BRIGADE, SECOND, guns)))
    assert guns not in dead(resolved(units, "Do1", attack(BRIGADE, SECOND, guns)))
