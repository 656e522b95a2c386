"""Barrages: the tables, their shifts and costs, spotters, and what forbids one."""

from __future__ import annotations

import csv
import itertools
from fractions import Fraction

import pytest
from combat_field import NE, TARGET, N, S, situation
from hypothesis import given, settings
from hypothesis import strategies as st

from burma_study.datafiles import data_path
from burma_study.errors import BurmaStudyError, IllegalOrder
from burma_study.rules.ocs.charts import charts_for
from burma_study.rules.ocs.combat.barrage import Fire, cost, density_shift, facility_odds, fire_odds, raw_barrage
from burma_study.rules.ocs.combat.barrage_fire import (
    BarrageOptions,
    air_barrage_odds,
    air_ratings,
    barrage_odds,
    density,
)
from burma_study.rules.ocs.state import Aircraft, Piece, Rules

pytestmark = pytest.mark.usefixtures("on")
CHARTS = charts_for(())
GUNS, BRIGADE, JAPANESE = "a/art/17-17", "a/inf/48-17", "j/inf/1-215-33"  # 24-2-2-4, 6-4-3, 2-4-3


def table():
    with data_path("charts/ocs/barrage_table.csv").open(encoding="utf-8") as file:
        return {int(r["roll"]): [r[f"b{i}"] for i in range(1, 12)] for r in csv.DictReader(file)}


def test_series_10_1b_worked_example():
    """16 points are 12-16 and cost 3T (v4.3; 2T in 1999); 8 RE, hedgehog 1, Close, spotted: R2, so 25-40."""
    found = raw_barrage(16, 8, "close", 1)
    assert (found.column, found.final_column, found.cost) == ("12-16", "25-40", 2)
    assert raw_barrage(16, 8, "close", 1, version="v4.3").cost == 3
    assert [s.value for s in found.chain if s.code in ("density", "hedgehog", "close")] == ["+4", "-1", "-1"]
    assert CHARTS.barrage[8 - 2][found.final_index] == "[1/2]"


def test_series_14_11_worked_example():
    """9 air points without spotter (L3) on 4 RE (R1): from 8-11 to 3-4, where a 12 is 1/2."""
    found = raw_barrage(9, 4, "open", spotted=False, air=True)
    assert (found.column, found.final_column, found.cost) == ("8-11", "3-4", 0)
    assert CHARTS.barrage[12 - 2][found.final_index] == "1/2"


@pytest.mark.parametrize(
    ("re_", "shift"),
    [("1/2", -1), ("1", -1), ("3/2", 0), ("3", 0), ("7/2", 1), ("4", 1), ("5", 2), ("11/2", 3), ("6", 3), ("13/2", 4)],
)
def test_burma_opt_7_density_is_not_rounded(re_, shift):
    assert density_shift(CHARTS, Fraction(re_)) == shift


@pytest.mark.parametrize(
    ("points", "tokens"),
    [(1, 1), (2, 1), (4, 1), (7, 1), (11, 1), (12, 2), (17, 3), (25, 4), (41, 6), (69, 8), (117, 12)],
)
@pytest.mark.rule("ocs/opt.8-unit", "ocs-series/10.1-cost")
def test_burma_opt_8_costs_by_the_column_before_shifts(points, tokens):
    assert raw_barrage(points, 8, "open").cost == tokens
    assert raw_barrage(points, 1, "extremely_close", 2, spotted=False).cost == tokens


@pytest.mark.parametrize(
    ("points", "column"), [(Fraction(1, 2), "1 or less"), (Fraction(5, 2), "3-4"), (Fraction(7, 3), "2")]
)
def test_series_4_2_points_are_rounded_half_up(points, column):
    assert raw_barrage(points, 2, "open").column == column


@pytest.mark.parametrize("points", [0, Fraction(1, 3)])
def test_series_10_0_no_barrage_without_a_point(points):
    with pytest.raises(BurmaStudyError, match="at least 1 point"):
        raw_barrage(points, 2, "open")


@pytest.mark.parametrize(
    ("change", "only_dg"),
    [({}, False), ({"hedgehog": 2}, False), ({"hedgehog": 3}, True), ({"air": True}, True), ({"spotted": False}, True)],
)
def test_series_10_1_a_bracketed_half_is_dg_in_forts_from_the_air_and_unspotted(change, only_dg):
    """25-40 before shifts; the chance of losing a step comes from 1/2 alone, or from [1/2] as well."""
    found = raw_barrage(30, 2, "open", **change)
    texts = dict(found.cells)
    halves = texts.get("1/2", 0) + (0 if only_dg else texts.get("[1/2]", 0))
    sure = sum(w for t, w in texts.items() if t.isdigit())
    assert texts.get("[1/2]", 0) > 0
    assert sum(p for e, p in found.effects if e.steps) == Fraction(halves, 72) + Fraction(sure, 36)


@settings(max_examples=60, deadline=None)
@given(
    points=st.integers(1, 200),
    re_=st.fractions(min_value=Fraction(1, 2), max_value=10, max_denominator=2),
    terrain=st.sampled_from(["open", "close", "very_close", "extremely_close"]),
    hedgehog=st.integers(0, 4),
    spotted=st.booleans(),
    strat=st.booleans(),
    air=st.booleans(),
)
@pytest.mark.rule("ocs-series/10.1-shifts")
def test_barrage_equals_plain_loops(points, re_, terrain, hedgehog, spotted, strat, air):
    """All 36 rolls and six faces in fractions, with the shifts added by hand."""
    found = raw_barrage(points, re_, terrain, hedgehog, spotted=spotted, strat=strat, air=air)
    shift = -1 if re_ <= 1 else 0 if re_ <= 3 else 1 if re_ <= 4 else 2 if re_ <= 5 else 3 if re_ <= 6 else 4
    shift += -(hedgehog > 0) - 3 * (not spotted) + 3 * strat
    shift -= {"open": 0, "close": 1, "very_close": 1, "extremely_close": 2}[terrain]
    start = next(i for i, top in enumerate([1, 2, 4, 7, 11, 16, 24, 40, 68, 116, 9999]) if points <= top)
    column, rolls, one = min(max(start + shift, 0), 10), table(), Fraction(1, 216)
    dg, steps = Fraction(), Fraction()
    for a, b, die in itertools.product(range(1, 7), repeat=3):
        text = rolls[a + b][column]
        bracket = text == "[1/2]" and (air or hedgehog >= 3 or not spotted)
        dg += one * (text != "-")
        if "1/2" in text:
            steps += one * (die >= 4 and not bracket)
        elif text.isdigit():
            steps += one * int(text)
    assert (found.disorganised, found.expected_steps) == (dg, steps)
    assert sum(p for _, p in found.effects) == sum(p for _, p in found.outcomes) == 1


@settings(max_examples=40, deadline=None)
@given(points=st.integers(1, 150), more=st.integers(0, 60), re_=st.integers(1, 8))
def test_barrage_is_monotone_in_points(points, more, re_):
    weak, strong = raw_barrage(points, re_, "close"), raw_barrage(points + more, re_, "close")
    assert strong.disorganised >= weak.disorganised
    assert strong.expected_steps >= weak.expected_steps
    assert strong.cost >= weak.cost


def test_barrage_loses_no_more_steps_than_there_are():
    fire = Fire(Fraction(200), Fraction(7), "open")
    assert fire_odds(CHARTS, fire, target_steps=1).expected_steps < fire_odds(CHARTS, fire).expected_steps


@pytest.mark.parametrize(
    ("points", "column", "tokens", "hits"),
    [
        (1, "1 or less", 1, 0),
        (7, "5-10", 1, Fraction(2, 6)),
        (30, "21-40", 4, Fraction(6, 6)),
        (90, "81+", 8, Fraction(9, 6)),
    ],
)
@pytest.mark.rule("ocs/opt.8-facility")
def test_series_10_0c_facility_table(points, column, tokens, hits):
    found = facility_odds(points)
    assert (found.column, found.cost, found.expected_hits) == (column, tokens, hits)
    assert sum(p for _, p in found.outcomes) == 1


def test_series_10_0c_trainbusting_belongs_to_the_later_rules():
    assert not any(r.trainbusting for r, _ in facility_odds(30).outcomes)
    assert any(r.trainbusting for r, _ in facility_odds(30, version="v4.3").outcomes)


def test_series_10_0c_loss_of_aircraft_at_a_base():
    """5-10 points: a 4 is *(6), a 5 is 1*(5), a 6 is 1*(4): (1 + 2 + 3) of 36."""
    assert facility_odds(7).aircraft_loss() == Fraction(6, 36)


def test_burma_opt_8_the_dump_table_has_costs_only():
    columns = CHARTS.barrage_columns["dump"]
    assert [(c.label, c.cost_1999) for c in columns][:2] == [("1 or less", 1), ("2-4", 1)]
    assert cost(columns, 7, Fire(Fraction(70), None, "open")) == 8


# on the map -----------------------------------------------------------------------------------------------------------


def test_series_10_0_guns_at_a_battalion():
    """24 points are 17-24; one battalion is 1/2 RE: L1; its own division's brigade spots."""
    found = barrage_odds(situation({GUNS: N, BRIGADE: S, JAPANESE: TARGET}), TARGET, [GUNS])
    assert (found.points, found.column, found.final_column, found.cost) == (24, "17-24", "12-16", 3)
    assert found.allowed
    assert found.target_steps == 1


def test_burma_opt_8_1_disorganised_guns_fire_at_half_and_pay_less():
    where = situation({GUNS: Piece(GUNS, N, dg=True), BRIGADE: S, JAPANESE: TARGET})
    found = barrage_odds(where, TARGET, [GUNS])
    assert (found.points, found.cost) == (12, 2)


@pytest.mark.parametrize(
    ("spotter", "change", "spotted"),
    [
        (BRIGADE, {}, True),
        (BRIGADE, {"dg": True}, False),
        (BRIGADE, {"mode": "reserve"}, False),
        (BRIGADE, {"mode": "strat"}, False),
        ("a/inf/9-5", {}, False),  # another division
        ("a/hq/4_Corps", {}, False),  # not attack-capable
        ("a/loc/a-202_LOC", {}, False),
    ],
)
def test_burma_opt_10_what_a_spotter_must_be(spotter, change, spotted):
    far = situation({}).board.grid.neighbours[NE][1]
    where = situation({GUNS: far, spotter: Piece(spotter, N, **change), JAPANESE: TARGET})
    found = barrage_odds(where, TARGET, [GUNS])
    assert any(s.code == "no_spotter" for s in found.chain) != spotted


def test_burma_opt_10_independent_guns_take_any_spotter_and_the_shift_comes_once():
    units = {"a/art/6": N, GUNS: N, "a/art/20-20": N, "a/inf/9-5": S, JAPANESE: TARGET}
    alone = barrage_odds(situation(units), TARGET, ["a/art/6"])
    both = barrage_odds(situation(units), TARGET, ["a/art/6", GUNS, "a/art/20-20"])
    assert not any(s.code == "no_spotter" for s in alone.chain)
    assert [s.value for s in both.chain if s.code == "no_spotter"] == ["-3"]


def test_series_10_0b_in_v4_3_any_adjacent_combat_unit_spots():
    where = situation({GUNS: N, "a/hq/4_Corps": S, JAPANESE: TARGET}, Rules(version="v4.3"))
    assert not any(s.code == "no_spotter" for s in barrage_odds(where, TARGET, [GUNS]).chain)


@pytest.mark.parametrize(("terrain", "shift"), [("clear", None), ("jungle", "-1"), ("rough", "-1"), ("mountain", "-2")])
def test_burma_1_4e_closeness_of_the_target(on, terrain, shift):
    on(terrain={TARGET: terrain})
    found = barrage_odds(situation({GUNS: N, BRIGADE: S, JAPANESE: TARGET}), TARGET, [GUNS])
    shifts = [s.value for s in found.chain if s.code in ("close", "extremely_close")]
    assert shifts == ([shift] if shift else [])


def reasons(units, guns, options=None, **more):
    with pytest.raises(IllegalOrder) as caught:
        barrage_odds(situation(units, **more), TARGET, guns, options)
    return [p.code for p in caught.value.problems]


def test_a_barrage_is_refused_with_every_reason():
    grid = situation({}).board.grid
    away = grid.ring(TARGET, 3)[0]
    assert reasons({GUNS: away, JAPANESE: TARGET}, [GUNS], BarrageOptions(paid=False)) == [
        "out-of-range",
        "no-barrage-supply",
    ]
    assert reasons({GUNS: Piece(GUNS, N, "reserve"), JAPANESE: TARGET}, [GUNS]) == ["barrage-mode"]
    assert reasons({GUNS: N}, [GUNS]) == ["no-defenders"]
    assert reasons({BRIGADE: N, JAPANESE: TARGET}, [BRIGADE]) == ["not-artillery", "out-of-range"]
    assert reasons({JAPANESE: TARGET}, ["a/art/71-71"]) == ["unknown-unit"]
    assert reasons({GUNS: N, JAPANESE: TARGET}, []) == ["no-attackers"]


def test_series_10_0_guns_without_points_do_not_barrage():
    """The 5.5-inch guns have a barrage strength and range of 0; only their own hex is in range."""
    units = {"a/art/5.5_inch": TARGET, JAPANESE: TARGET}
    assert reasons(units, ["a/art/5.5_inch"]) == ["no-points"]


def squadron(units, aircraft, **more):
    where = situation(units, **more)
    for plane in aircraft:
        where = where.put("aircraft", plane.id, plane)
    return where


PLANES = [Aircraft("a1", "allied", "hurricane", N), Aircraft("a2", "allied", "b-25", N)]


def test_series_14_11_aircraft_add_up_and_fire_free():
    found = air_barrage_odds(squadron({BRIGADE: N, JAPANESE: TARGET}, PLANES), TARGET, ["a1", "a2"])
    assert found.points == air_ratings()["hurricane"] + air_ratings()["b-25"]
    assert found.cost == 0
    assert not any(s.code == "no_spotter" for s in found.chain)


def test_burma_opt_9_guns_and_aircraft_never_fire_as_one_but_one_after_the_other():
    where = squadron({GUNS: N, JAPANESE: TARGET}, PLANES)
    for together, ids in ((barrage_odds, [GUNS, "a2"]), (air_barrage_odds, ["a2", GUNS])):
        with pytest.raises(IllegalOrder) as caught:
            together(where, TARGET, ids)
        assert [p.code for p in caught.value.problems] == ["unknown-unit"]
    assert (barrage_odds(where, TARGET, [GUNS]).points, air_barrage_odds(where, TARGET, ["a2"]).points) == (24, 14)


def test_burma_opt_3e_1_disorganised_aircraft_fire_at_half():
    plane = Aircraft("a1", "allied", "b-25", N, dg=True)
    found = air_barrage_odds(squadron({BRIGADE: N, JAPANESE: TARGET}, [plane]), TARGET, ["a1"])
    assert found.points == Fraction(air_ratings()["b-25"], 2)


@pytest.mark.parametrize(("spotter", "spotted"), [("a/hq/4_Corps", True), (BRIGADE, True), ("a/loc/a-202_LOC", False)])
def test_burma_3_2b_units_and_hqs_spot_for_allied_aircraft(spotter, spotted):
    found = air_barrage_odds(squadron({spotter: N, JAPANESE: TARGET}, PLANES), TARGET, ["a1"])
    assert any(s.code == "no_spotter" for s in found.chain) != spotted


@pytest.mark.parametrize(("spotter", "spotted"), [("j/hq/33_Div", True), (JAPANESE, True), ("j/inf/1-INA", False)])
def test_burma_2_2c_the_ina_does_not_spot_for_japanese_aircraft(spotter, spotted):
    plane = Aircraft("j1", "japanese", next(t for t, p in air_ratings().items() if p), N)
    found = air_barrage_odds(squadron({spotter: N, BRIGADE: TARGET}, [plane]), TARGET, ["j1"])
    assert any(s.code == "no_spotter" for s in found.chain) != spotted


@pytest.mark.parametrize(
    ("terrain", "mode", "near", "allowed"),
    [
        ("jungle", "combat", False, False),
        ("rough", "combat", False, False),
        ("mountain", "combat", False, False),
        ("jungle", "strat", False, True),
        ("jungle", "combat", True, True),
        ("clear", "combat", False, True),
    ],
)
def test_burma_1_7_close_country_bars_unobserved_air_attack(on, terrain, mode, near, allowed):
    on(terrain={TARGET: terrain})
    units = {JAPANESE: Piece(JAPANESE, TARGET, mode)} | ({BRIGADE: N} if near else {})
    found = air_barrage_odds(squadron(units, PLANES), TARGET, ["a1"], BarrageOptions(anyway=True))
    assert found.allowed == allowed


def test_rules_review_52_bases_within_ten_hexes_shift_in_v4_3_only():
    near = {"air": True, "near_base": True}
    assert raw_barrage(20, 2, "open", **near).final_column == raw_barrage(20, 2, "open", air=True).final_column
    assert raw_barrage(20, 2, "open", version="v4.3", **near).final_column == "25-40"


def test_basis_of_a_barrage_names_the_category(on):
    on(terrain={TARGET: "rough"})
    found = barrage_odds(situation({GUNS: N, BRIGADE: S, JAPANESE: TARGET}), TARGET, [GUNS])
    assert ("terrain_effects", "rough") in {(u.table, u.key) for u in found.basis.values}
    assert found.basis.firm  # Close and Very Close shift alike
    assert "The hex is very close: shift -1." in found.explain()
    assert found.as_dict()["basis"]["verdict"] == "firm"


@pytest.mark.rule("ocs/opt.7", "ocs-series/10.1-shifts")
def test_series_10_1_density_counts_every_re_and_by_v43_no_division_above_3():
    """Twenty Division's three brigades and machine guns are 3 1/2 RE, with a tank battalion 4; by v4.3 3 and 3 1/2."""
    division = ("a/inf/32-20", "a/inf/80-20", "a/inf/100-20", "a/inf/4-3_Ma-20")
    there = list(situation(dict.fromkeys((*division, "a/tank/7_Cav"), TARGET)).pieces.values())
    assert density(there, "1999") == 4
    assert density(there, "v4.3") == Fraction(7, 2)
    big = {**dict.fromkeys(division, TARGET), "a/tank/7_Cav": TARGET, "j/inf/1-215-33": N, "j/art/1-33-33": N}
    shift = {
        version: next(
            s.value
            for s in barrage_odds(situation(big, Rules(version)), TARGET, ["j/art/1-33-33"]).chain
            if s.code == "density"
        )
        for version in ("1999", "v4.3")
    }
    assert shift == {"1999": "+1", "v4.3": "+1"}
