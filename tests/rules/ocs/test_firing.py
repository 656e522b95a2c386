"""Artillery barrages played: payment, spotters, the table, owners' choices, air bases (OCS 10; Opt.7-10)."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from battle_field import BRIGADE, R215, SECOND, FixedDice, asked, choices, dead, field, play, refused
from combat_field import GRID, NE, TARGET, N, S

from burma_study.engine.game import Partial
from burma_study.rules.ocs.charts import charts_for
from burma_study.rules.ocs.combat.barrage import effect_of, needs_die, raw_barrage
from burma_study.rules.ocs.combat.barrage_fire import barrage_odds
from burma_study.rules.ocs.combat.firing import one_source
from burma_study.rules.ocs.combat.strikes import last_barrage
from burma_study.rules.ocs.counters import counters
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.goods.payment import Payment, Portion
from burma_study.rules.ocs.state import Aircraft, Base, Piece, Rules

pytestmark = pytest.mark.usefixtures("on")
GUN, MORE = "a/art/5-5", "a/art/7-7"  # 24-2-2-4
ARMY_HQ = "j/hq/15_Army"
LABEL = GRID.label(TARGET)
SCENE = {GUN: N, BRIGADE: N, R215[0]: TARGET, R215[1]: TARGET}


def barrage(*guns, more=""):
    return f"barrage {LABEL} with {', '.join(guns)}{more}"


def scene(units=None, **more):
    return field(units or SCENE, **{"phase": "barrage", "supply": ("allied",), **more})


def test_the_gun_is_what_these_cases_take_it_for():
    assert counters()[GUN].combat.barrage == 24
    assert counters()[GUN].formation == "5 Ind Div"


@pytest.mark.rule("ocs/opt.8-unit")
def test_burma_opt_8_a_barrage_costs_by_its_column_before_shifts():
    """24 points are column 17-24: 3T, though density shifts it."""
    after = play(scene(), barrage(GUN), dice=[(1, 1)])
    assert after.dumps[N].tokens == 37
    assert last_barrage(after)["column"] == "17-24"


def test_burma_opt_8_1_dg_guns_fire_at_half_and_pay_less():
    after = play(scene({**SCENE, GUN: Piece(GUN, N, dg=True)}), barrage(GUN), dice=[(1, 1)])
    assert (last_barrage(after)["points"], after.dumps[N].tokens) == (12, 38)


def test_burma_opt_8_the_supply_of_a_barrage_comes_through_one_hq_or_one_store():
    def portions(*pairs):
        return Payment("allied", "barrage", 4, tuple(Portion(h, hq, 2) for h, hq in pairs))

    assert one_source(portions((N, "")))
    assert one_source(portions((N, "a/hq/4_Corps"), (S, "a/hq/4_Corps")))
    assert not one_source(portions((N, ""), (S, "")))
    assert not one_source(portions((N, "a/hq/4_Corps"), (S, "")))


def test_burma_opt_8_without_supply_no_fire_and_internal_stocks_never_pay():
    assert refused(scene(supply=()), barrage(GUN)) == {"cannot-pay"}
    assert not choices(scene(supply=()), "barrage")


@pytest.mark.rule("ocs/opt.8.2", "ocs-series/10.0")
def test_series_10_0_a_hex_is_barraged_once_and_a_gun_fires_once_in_a_phase():
    there = scene({**SCENE, MORE: N, R215[2]: NE})
    after = play(there, barrage(GUN), dice=[(1, 1)])
    assert refused(after, barrage(MORE)) == {"barraged-already"}
    assert refused(after, f"barrage {GRID.label(NE)} with {GUN}") == {"fired-already"}
    assert not refused(after, f"barrage {GRID.label(NE)} with {MORE}")
    assert TARGET not in choices(after, "barrage")
    assert not refused(after.with_(phase="exploitation_barrage").put("markers", "released", (MORE,)), barrage(MORE))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({GUN: Piece(GUN, N, mode="reserve")}, "barrage-mode"),
        ({GUN: GRID.index("A10.20")}, "out-of-range"),
        ({GUN: N, R215[0]: NE, R215[1]: NE}, "no-defenders"),
    ],
)
def test_series_10_0_what_guns_may_not_do(change, code):
    assert code in refused(scene({**SCENE, **change}), barrage(GUN))


def test_series_10_0_in_reaction_only_released_guns_fire_for_the_other_side():
    state = scene(phase="reaction_barrage", player="japanese")
    assert refused(state, barrage(GUN)) == {"no-part"}
    assert not refused(state.put("markers", "released", (GUN,)), barrage(GUN))
    assert "not-your-unit" in refused(scene(player="japanese"), barrage(GUN))


@pytest.mark.rule("ocs-series/5.10a")
@pytest.mark.parametrize(
    ("dice", "text", "dg", "lost"),
    [
        ([(1, 1)], "-", False, 0),
        ([(4, 2)], "DG", True, 0),
        ([(5, 5), (3,)], "1/2", True, 0),
        ([(5, 5), (4,)], "1/2", True, 1),
        ([(6, 6)], "1", True, 1),
    ],
)
def test_series_10_1_the_barrage_table_by_fixed_dice(dice, text, dg, lost):
    """24 points, 1 RE (one left) and no spotter of the division (three left): column 3-4."""
    free = scene(rules=Rules(options=tuple(o for o in Rules().options if o not in ("opt7", "opt10"))))
    after = play(free, barrage(GUN), dice=dice)  # column 17-24, spotted by any unit, no density
    assert (last_barrage(after)["result"], last_barrage(after)["final_column"]) == (text, "17-24")
    assert last_barrage(after)["steps"] == lost
    assert after.pieces[R215[0]].dg is dg
    assert bool(asked(after)[1]) is bool(lost)


def test_series_10_1_the_owner_picks_who_loses_the_step():
    free = scene(rules=Rules(options=("opt8",)))
    state = play(free, barrage(GUN), dice=[(6, 6)])
    assert asked(state) == ("japanese", ("sacrifice",))
    assert choices(state, "sacrifice") == R215[:2]
    assert dead(play(state, f"sacrifice {R215[1]}")) == {R215[1]}


def test_burma_opt_10_divisional_guns_need_their_own_spotter():
    own = next(c.id for c in counters().values() if c.formation == "5 Ind Div" and c.attack_capable)
    without = play(scene(), barrage(GUN), dice=[(1, 1)])
    within = play(scene({**SCENE, own: N}), barrage(GUN), dice=[(1, 1)])
    assert (last_barrage(without)["final_column"], last_barrage(within)["final_column"]) == ("3-4", "12-16")


@pytest.mark.parametrize(("version", "hq_dg"), [("1999", False), ("v4.3", True)])
def test_series_5_10_headquarters_under_fire(version, hq_dg):
    state = scene({**SCENE, ARMY_HQ: TARGET}, rules=Rules(version=version, options=()))
    after = play(state, barrage(GUN), dice=[(4, 3)])
    assert after.pieces[R215[0]].dg
    assert after.pieces[ARMY_HQ].dg is hq_dg


VECTORS = [
    (16, 8, "close", 1, {}),
    (9, 4, "open", 0, {"spotted": False}),
    (80, 2, "open", 3, {}),
    (24, 3, "open", 0, {}),
]


@pytest.mark.parametrize(("points", "re_", "terrain", "level", "how"), VECTORS)
def test_series_10_1_every_throw_of_a_barrage_adds_up_to_the_odds(points, re_, terrain, level, how):
    odds = raw_barrage(points, re_, terrain, level, **how)
    only_dg, found = level >= 3 or not how.get("spotted", True), Counter()
    for a, b, die in product(range(1, 7), repeat=3):
        text = charts_for(()).barrage[a + b - 2][odds.final_index]
        found[effect_of(text, only_dg, die)] += 1
        assert needs_die(text, only_dg) == (effect_of(text, only_dg, 1) != effect_of(text, only_dg, 6))
    assert found == dict(odds.weights)


def test_series_10_1_barrages_played_with_every_throw_come_out_as_barrage_odds_says():
    state, found = scene(), Counter()
    odds = barrage_odds(state, TARGET, (GUN,))
    order = GAME.parse(barrage(GUN))
    for a, b, die in product(range(1, 7), repeat=3):
        text = charts_for(()).barrage[a + b - 2][odds.final_index]
        only_dg = any(s.code == "half_is_dg" for s in odds.chain)
        dice = FixedDice((a, b), *([(die,)] if needs_die(text, only_dg) else []))
        result = last_barrage(GAME.apply(state, order, dice).state)
        found[result["dg"], result["steps"]] += 1
        assert result["chance"] == dict(odds.effects)[effect_of(text, only_dg, die)]
    assert found == {(e.dg, e.steps): w for e, w in odds.weights}


# air bases ------------------------------------------------------------------------------------------------------------


def base_scene(level=2):
    planes = {"j1": Aircraft("j1", "japanese", "sally", TARGET, active=False)}
    state = scene({GUN: N, BRIGADE: N}).put("bases", TARGET, Base("japanese", level))
    for plane in planes.values():
        state = state.put("aircraft", plane.id, plane)
    return state


SHELL = f"shell air base at {LABEL} with {GUN}"


@pytest.mark.rule("ocs/opt.8-facility", "ocs-series/10.0c")
def test_series_10_0c_a_hit_lowers_a_base_and_aircraft_roll():
    """24 points are column 21-40, 4T: a 4 is 1*(4)."""
    after = play(base_scene(), SHELL, dice=[(4,), (4,)])
    assert (after.bases[TARGET].level, after.aircraft["j1"].steps) == (1, 1)
    assert after.dumps[N].tokens == 36
    assert last_barrage(after)["losses"] == ("j1",)


@pytest.mark.rule("ocs/1.8")
def test_series_10_0c_never_below_level_1_and_never_an_airstrip():
    assert play(base_scene(1), SHELL, dice=[(5,), (1,)]).bases[TARGET].level == 1
    assert play(base_scene(0), SHELL, dice=[(5,), (1,)]).bases[TARGET].level == 0


def test_burma_opt_3j_protected_aircraft_are_safe_from_fire():
    state = base_scene().put("markers", f"air/protected/{LABEL}", ("j1",))
    assert play(state, SHELL, dice=[(4,)]).aircraft["j1"].steps == 2


def test_series_10_0c_there_must_be_an_enemy_base():
    assert "no-facility" in refused(scene(), SHELL)
    assert choices(base_scene(), "shell") == [TARGET]
    assert not choices(scene(), "shell")


def test_every_slot_of_a_barrage_has_choices_until_the_order_is_complete():
    partial = Partial("barrage")
    for value in (TARGET, GUN):
        found = GAME.options(scene(), partial)
        assert value in [c.value for c in found.choices]
        partial = found.take(value)
    assert GAME.options(scene(), partial).complete == GAME.parse(barrage(GUN))
    assert GAME.options(scene(), partial, "payment").choices[0].cost == 3
    assert SECOND not in [c.value for c in GAME.options(scene(), partial).choices]
