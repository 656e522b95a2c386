"""The Combat Table and the sum over its dice."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odds_oracles import column_of, plain, vectors

from burma_study.errors import BurmaStudyError
from burma_study.rules.ocs.charts import charts_for
from burma_study.rules.ocs.combat.attack import odds_ratio, raw_odds, roll_weights, starting_column, surprise_weights
from burma_study.rules.ocs.combat.odds import Policy

TERRAINS = ("open", "close", "very_close", "extremely_close")
CHARTS = charts_for(())
strengths = st.fractions(min_value=0, max_value=80, max_denominator=12)
ratings = st.integers(0, 5)
battles = {
    "attack": strengths,
    "defence": strengths,
    "attacker_ar": ratings,
    "defender_ar": ratings,
    "terrain": st.sampled_from(TERRAINS),
    "hedgehog": st.integers(0, 4),
    "overrun": st.booleans(),
}


def both(battle):
    """The library's odds of a battle without zero strengths, and the oracles' words for it."""
    battle = {**battle, "attack": battle["attack"] + 1, "defence": battle["defence"] + 1}
    words = dict(battle)
    words["ar"], words["their_ar"] = words.pop("attacker_ar"), words.pop("defender_ar")
    words["kind"] = "overrun" if words.pop("overrun") else "regular"
    return raw_odds(**battle), words


def cell(terrain: str, odds: str, roll: int, shift: int = 0) -> str:
    column = CHARTS.combat.labels[terrain].index(odds) + shift
    return CHARTS.combat.cells[min(max(roll, 1), 15) - 1][max(column, 0)].text


@pytest.mark.parametrize(
    ("terrain", "odds", "roll", "shift", "result"),
    [
        ("open", "9:1", 12, 0, "Ae3 DL2o2DG"),
        ("open", "4:1", 12, 0, "Ae4 DL1o2"),
        ("open", "1:4", 2, 0, "AL2"),
        ("open", "4:1", 2, 0, "AL1o1 Do1"),
        ("open", "4:1", 6, 0, "Ao1 Do1"),
        ("very_close", "3:1", 11, 0, "Ao1 DL1o1"),
        ("extremely_close", "3:1", 9, -5, "AL1o1 Do1"),
        ("very_close", "1:1", 7, 0, "AL1o1 Do1"),
        ("open", "1:1", 13, 0, "Ao1 DL1o2"),
    ],
)
@pytest.mark.rule("ocs-series/9.9-table")
def test_series_9_9_test_vectors_of_the_combat_table(terrain, odds, roll, shift, result):
    """The printed examples of rule 9.8 and of a play report; the last is the one cell transcriptions differ on."""
    assert cell(terrain, odds, roll, shift) == result


@pytest.mark.rule("ocs-series/9.9-table")
def test_series_9_9_the_odds_of_3_to_1_in_the_open_are_the_rows_of_its_column():
    """Surprise by a Banzai of rating 0 moves no column and nothing is added: rows 2 to 12 of one column, in 36ths."""
    odds = raw_odds(3, 1, 0, 0, "open", banzai=0)
    assert {o.result.text: 36 * o.probability for o in odds.outcomes} == {
        "AL1o1": 1,  # 2
        "AL1o1 Do1": 2 + 3,  # 3, 4
        "AL1 Do1": 4 + 5,  # 5, 6
        "Ao1 Do1": 6,  # 7
        "Ao1 DL1o1": 5 + 4 + 3 + 2,  # 8 to 11
        "Ao1e4 DL1o2": 1,  # 12
    }


@pytest.mark.parametrize(
    ("attack", "defence", "name"),
    [(12, 4, "3:1"), (10, 4, "3:1"), (9, 4, "2:1"), (4, 10, "1:3"), (4, 9, "1:2"), (5, 5, "1:1"), (29, 20, "1:1")],
)
def test_series_9_7_odds_divide_by_the_smaller_and_round_half_up(attack, defence, name):
    assert odds_ratio(Fraction(attack), Fraction(defence))[1] == name


@pytest.mark.parametrize(
    ("attack", "defence", "terrain", "label"),
    [
        (7, 1, "very_close", "6:1"),  # 7:1 is between 6:1 and 9:1
        (3, 2, "extremely_close", "2:1"),  # 1.5 rounds up
        (1, 9, "open", "1:5"),  # below the table
        (99, 1, "open", "13:1"),  # above it
        (1, 5, "close", "1:4"),
    ],
)
def test_series_9_7_the_column_is_the_highest_not_above_the_odds(attack, defence, terrain, label):
    column, _, _ = starting_column(CHARTS, Fraction(attack), Fraction(defence), terrain)
    assert CHARTS.combat.labels[terrain][column] == label


@pytest.mark.parametrize(("attack", "defence", "label"), [(4, 0, "18:1"), (0, 4, "1:4"), (0, 0, "1:1")])
def test_series_9_14a_zero_strengths(attack, defence, label):
    odds = raw_odds(attack, defence, 3, 3, "close")
    assert odds.column == label
    assert sum(o.probability for o in odds.outcomes) == 1


@pytest.mark.parametrize(
    ("overrun", "attacker", "defender"),
    [(False, Fraction(6, 36), Fraction(10, 36)), (True, Fraction(10, 36), Fraction(15, 36))],
)
def test_series_9_8_surprise_thresholds(overrun, attacker, defender):
    """Regular 10+ and 5-, overrun 9+ and 6-."""
    odds = raw_odds(1, 1, 3, 3, "open", overrun=overrun)
    assert (odds.surprise.attacker, odds.surprise.defender) == (attacker, defender)


def test_series_9_8_a_hedgehog_of_any_level_takes_one_from_surprise():
    one, four = raw_odds(1, 1, 3, 3, "open", 1), raw_odds(1, 1, 3, 3, "open", 4)
    assert one.surprise.drm == four.surprise.drm == -1
    assert (one.drm, four.drm) == (-1, -4)


def test_series_9_8_shifts_stop_at_the_edge_and_count_from_the_last_column():
    """50:1 in the open is beyond 13:1; five columns left of the last one is 4:1."""
    odds = raw_odds(50, 1, 1, 1, "open")
    chances = {c.label: c.probability for c in odds.columns}
    assert odds.column == "13:1"
    assert chances["4:1"] == Fraction(10, 36) / 6 * 1  # a five
    assert chances["13:1"] == Fraction(26, 36)


def test_burma_2_6b_banzai_uses_action_rating_as_shift():
    """AR 4 against 2: surprise shifts exactly four columns, never the die."""
    odds = raw_odds(6, 2, 4, 2, "close", banzai=4)
    assert sorted(c.shift for c in odds.columns) == [-4, 0, 4]
    assert {c.shift: c.probability for c in odds.columns}[4] == odds.surprise.attacker


def test_burma_2_6b_banzai_in_an_overrun():
    odds = raw_odds(6, 2, 4, 2, "close", overrun=True, banzai=4)
    assert sorted(c.shift for c in odds.columns) == [-4, 0, 4]
    assert odds.surprise.attacker == Fraction(21, 36)  # 9 or more with +2


def test_burma_2_6b_banzai_with_rating_0_does_not_shift():
    assert [c.shift for c in raw_odds(6, 2, 0, 2, "close", banzai=0).columns] == [0]


def test_burma_4_6_tank_tracks_add_two_columns_to_attacker_surprise_only():
    weights, _ = surprise_weights(CHARTS, "regular", 0, 6, more=2)
    assert [i for i, w in enumerate(weights) if w] == [0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12]


@settings(max_examples=60, deadline=None)
@given(**battles)
def test_odds_sum_to_one(**battle):
    odds = raw_odds(**battle)
    assert sum(o.probability for o in odds.outcomes) == 1
    assert sum(c.probability for c in odds.columns) == 1
    assert odds.surprise.attacker + odds.surprise.none + odds.surprise.defender == 1


@settings(max_examples=25, deadline=None)
@given(battle=st.fixed_dictionaries(battles))
def test_odds_equal_plain_loops_over_fractions(battle):
    """The oracle walks all 7776 throws in fractions; strengths of 0 have their own case."""
    odds, words = both(battle)
    results, columns = plain(**words)
    assert {o.result.text: o.probability for o in odds.outcomes} == results
    assert {c.index: c.probability for c in odds.columns} == columns


@settings(max_examples=40, deadline=None)
@given(battle=st.fixed_dictionaries(battles))
def test_odds_equal_numpy_enumeration(battle):
    odds, words = both(battle)
    assert {r.text: w for r, w in odds.cells} == vectors(**words)


@settings(max_examples=60, deadline=None)
@given(battle=st.fixed_dictionaries(battles), more=st.fractions(min_value=0, max_value=40, max_denominator=4))
def test_odds_are_monotone_in_strength_and_rating(battle, more):
    """More attackers never mean a lower column; a better rating never fewer expected steps of the defender."""
    odds = raw_odds(**battle)
    stronger = raw_odds(**{**battle, "attack": battle["attack"] + more})
    weaker = raw_odds(**{**battle, "defence": battle["defence"] + more})
    if battle["attack"] or battle["defence"]:  # 0 against 0 is 1:1, 0 against anything the first column
        assert stronger.column_index >= odds.column_index >= weaker.column_index
    better = raw_odds(**{**battle, "attacker_ar": battle["attacker_ar"] + 1})
    hold = Policy("steps", "steps")
    assert better.expected(hold).defender >= odds.expected(hold).defender
    assert better.expected(hold).attacker <= odds.expected(hold).attacker


@given(drm=st.integers(-12, 12))
def test_series_9_9_rolls_are_held_to_the_table(drm):
    weights = dict(roll_weights(drm))
    assert sum(weights.values()) == 36
    assert min(weights) >= 0
    assert max(weights) <= 14


def test_series_9_10_losses_under_a_policy():
    """A retreating attacker saves steps and frees the defender of his options."""
    odds = raw_odds(4, 4, 3, 3, "open")
    stand, leave = odds.expected(Policy("steps", "retreat")), odds.expected(Policy("retreat", "retreat"))
    assert leave.attacker < stand.attacker
    assert leave.emptied < stand.emptied
    by_hand = sum(o.probability * (o.result.attacker_losses + o.result.attacker_options) for o in odds.outcomes)
    assert stand.attacker == by_hand


def test_odds_have_the_shape_of_the_command_line():
    shape = raw_odds(12, 4, 4, 3, "close").as_dict()
    assert {"column", "columns", "drm", "steps", "outcomes", "basis"} <= shape.keys()
    assert sum(Fraction(o["probability"]) for o in shape["outcomes"]) == 1
    assert sum(Fraction(c["probability"]) for c in shape["columns"]) == 1
    assert (shape["column"], shape["drm"]) == ("3:1", 1)


def test_odds_explain_themselves():
    text = " ".join(raw_odds(12, 4, 4, 3, "very_close", 2).explain())
    assert "12 to 4 is 3:1." in text
    assert "hedgehog of level 2: -2 on the combat roll" in text


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"terrain": "opne"}, "'opne'.*Did you mean open"),
        ({"hedgehog": 5}, "level 0 to 4, not 5"),
        ({"attack": -1}, "0 or more"),
        ({"attack": float("nan")}, "a number of 0 or more, not nan"),
        ({"attack": None}, "not None"),
        ({"attacker_ar": 10**20}, "from -2 to 9"),
        ({"defender_ar": 1.5}, "not 1.5"),
    ],
)
def test_raw_odds_name_a_bad_value(bad, message):
    good = {"attack": 1, "defence": 1, "attacker_ar": 1, "defender_ar": 1, "terrain": "open"}
    with pytest.raises(BurmaStudyError, match=message):
        raw_odds(**{**good, **bad})


def test_column_oracle_agrees_on_every_small_pair():
    for terrain in TERRAINS:
        for attack in range(1, 30):
            for defence in range(1, 30):
                mine = starting_column(CHARTS, Fraction(attack), Fraction(defence), terrain)[0]
                assert mine == column_of(attack, defence, terrain)


@pytest.mark.parametrize(
    ("ratings", "drm"), [((4, 3), 1), ((3, 3), 0), ((1, 4), -3), ((5, 0), 5)], ids=["one", "none", "less", "most"]
)
def test_series_9_6_the_difference_of_the_ratings_is_a_modifier(ratings, drm):
    odds = raw_odds(12, 4, *ratings, "close")
    assert (odds.drm, odds.surprise.drm) == (drm, drm), "both rolls take it (9.6, 9.8)"


@pytest.mark.parametrize(
    ("attack", "defence", "label"), [(12, 4, "3:1"), (4, 12, "1:3"), (7, 2, "4:1"), (5, 2, "3:1"), (7, 3, "2:1")]
)
def test_series_9_7_odds_of_bare_strengths_round_half_up(attack, defence, label):
    assert raw_odds(attack, defence, 3, 3, "open").column == label
