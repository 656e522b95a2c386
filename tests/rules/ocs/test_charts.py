"""The charts: values, provenance with bounds, a reader's own chart, and every problem of a bad one."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import pytest

from burma_study.datafiles import TAGS, data_root, provenance, read_rows
from burma_study.errors import ChartError
from burma_study.rules.ocs.chart_files import KEYS, parse_result, row_key
from burma_study.rules.ocs.charts import chart_names, chart_text, charts_for, check_chart, own_chart
from burma_study.rules.ocs.combat.attack import raw_odds
from burma_study.rules.ocs.state import Rules

CHARTS = charts_for(())
NAMES = chart_names()


@pytest.mark.parametrize("name", NAMES)
def test_shipped_charts_have_no_problems(name):
    assert check_chart(name, chart_text(name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_charts_stand_in_the_schema_with_every_column(name):
    described = [r["column"] for r in read_rows("schema/columns.csv") if r["table"] == f"charts_ocs_{name}"]
    assert described == next(csv.reader(io.StringIO(chart_text(name))))


@pytest.mark.parametrize("name", NAMES)
def test_provenance_speaks_of_rows_and_columns_that_exist(name):
    rows = {row_key(name, r): r for r in CHARTS.rows(name)}
    for (key, column), source in provenance(f"charts/ocs/{name}.csv"):
        assert source.tag in TAGS
        assert key == "*" or key in rows or key.endswith("/*"), key
        assert column == "*" or column in CHARTS.rows(name)[0], column


@pytest.mark.parametrize("name", NAMES)
def test_bounds_enclose_the_value(name):
    """Numbers lie within their bounds; categories have theirs in the order of tightness."""
    order = ["open", "close", "very_close", "extremely_close"]
    rows = {row_key(name, r): r for r in CHARTS.rows(name)}
    for (key, column), source in provenance(f"charts/ocs/{name}.csv"):
        value = rows.get(key, {}).get(column, "")
        if not (source.low and source.high and value):
            continue
        low, here, high = (order.index(t) if t in order else Fraction(t) for t in (source.low, value, source.high))
        assert low <= here <= high, (key, column)


def test_no_chart_file_is_forgotten():
    files = {p.stem for p in (data_root() / "charts/ocs").glob("*.csv") if not p.stem.endswith(".prov")}
    assert set(NAMES) <= files


def test_reconstructed_costs_come_out_in_twelfths():
    jungle = CHARTS.terrain["jungle"]
    assert (jungle.leg, jungle.cost("truck"), jungle.cost("truck", on_track=True)) == (24, None, 48)
    assert CHARTS.route["all_weather"] == {"leg": 6, "truck": 6, "track": 6}
    assert CHARTS.hexside["minor"].cost["leg"] == 12


def test_rules_review_25_rivers_are_monotone_for_infantry():
    minor, major = (CHARTS.hexside[k].attack["other"] for k in ("minor", "major"))
    assert (minor, major) == (Fraction(1, 2), Fraction(1, 3))
    for cls in ("armor", "mech", "other"):
        assert CHARTS.hexside["major"].attack[cls] < CHARTS.hexside["minor"].attack[cls] < 1
    assert CHARTS.hexside["minor"].flood_as == "major"


def test_burma_1_4e_mountain_categories():
    mountain = CHARTS.terrain["mountain"]
    assert (mountain.category, mountain.category_road) == ("extremely_close", "very_close")
    assert CHARTS.provenance("terrain_effects", "mountain", "category").tag == "printed"


def test_every_mover_pays_half_an_mp_on_any_road_and_mud_spares_the_all_weather_one():
    assert ("mud", "all_weather", "truck") not in CHARTS.weather
    assert CHARTS.weather["mud", "track_route", "truck"].apply(48) == 96
    assert CHARTS.weather["quagmire", "track_route", "truck"].apply(48) is None
    assert CHARTS.weather["mud", "clear", "truck"].apply(24) == 48


@pytest.mark.parametrize(
    ("ar", "roll", "steps"),
    [(5, 8, 0), (5, 9, 1), (4, 7, 0), (4, 8, 1), (3, 10, 4), (0, 2, 1), (0, 8, None), (5, 13, None)],
)
def test_series_12_8b_attrition(ar, roll, steps):
    limits = CHARTS.attrition[ar]
    found = next((n for top, n in zip(limits, (0, 1, 2, 4), strict=True) if top is not None and roll <= top), None)
    assert found == steps


def test_rules_review_55_the_forage_cliff():
    """No loss: AR 5 26/36, AR 4 21/36; with five steps out of supply (+3) 10/36 and 6/36."""
    ways = {n: 6 - abs(7 - n) for n in range(2, 13)}
    for ar, plain, five in ((5, 26, 10), (4, 21, 6)):
        top = CHARTS.attrition[ar][0]
        assert sum(w for n, w in ways.items() if n <= top) == plain
        assert sum(w for n, w in ways.items() if n + 3 <= top) == five


def test_burma_1_6_forage_as_read():
    forage = CHARTS.forage
    assert [(f.marker, f.loses_step) for f in forage["japanese", False, True]] == [("mark", False), ("none", True)]
    assert [(f.marker, f.loses_step) for f in forage["japanese", True, False]] == [("remove", False)]
    assert [(f.marker, f.loses_step) for f in forage["chindit", True, False]] == [("keep", False)]
    assert CHARTS.provenance("forage", "japanese/yes/no_loss/a", "marker").tag == "reconstructed"
    assert all(r["printed"] for r in CHARTS.rows("forage"))


def test_series_9_14_capture_and_dump_blowing():
    assert CHARTS.capture["dump"].percent == (0, 25, 25, 50, 50, 75)
    assert CHARTS.capture["mule"] == CHARTS.capture["wagon"]
    assert CHARTS.capture["buffalo"].percent == (0,) * 6
    assert CHARTS.dump_blowing == (25, 50, 50, 75, 75, 100)


def test_burma_3_5a_air_transport_success():
    assert CHARTS.air_drop["enemy", "closed"] == {"glider": 4, "paradrop": 3}
    assert CHARTS.air_drop["friendly", "closed"] == {"glider": 3, "paradrop": 2}


def test_burma_3_9a_very_close_in_flood_with_five_engineers_succeeds_on_2():
    """The example: normally 5-6, +5 units -2 weather, so 2 or more of one die."""
    modifiers = {r["name"]: int(r["drm"]) for r in CHARTS.rows("ledo_modifiers")}
    total = 5 * modifiers["engineer"] + modifiers["quagmire_flood"]
    assert sum(die + total >= CHARTS.ledo_building["very_close"] for die in range(1, 7)) == 5


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("AL2", (2, 0, None, 0, 0, False)),
        ("AL1o1 Do1", (1, 1, None, 0, 1, False)),
        ("Ao1e4 DL1o2", (0, 1, 4, 1, 2, False)),
        ("Ae2 DL2o3DG", (0, 0, 2, 2, 3, True)),
    ],
)
def test_series_9_9_notation_of_results(text, parts):
    r = parse_result(text)
    found = (r.attacker_losses, r.attacker_options, r.exploit, r.defender_losses, r.defender_options, r.dg)
    assert found == parts


# a reader's own chart -------------------------------------------------------------------------------------------------


def changed(name: str, key: str, column: str, value: str) -> str:
    return next(t for n, t in CHARTS.with_value(name, key, column, value).user if n == name)


def test_a_readers_chart_replaces_ours_and_counts_as_printed():
    mine = own_chart("terrain_effects", changed("terrain_effects", "jungle", "leg", "3"))
    charts = Rules(user_charts=(mine,)).charts
    assert charts.terrain["jungle"].leg == 36
    assert charts.provenance("terrain_effects", "jungle", "leg").tag == "printed"
    assert charts.terrain["rough"] == CHARTS.terrain["rough"]
    assert CHARTS.terrain["jungle"].leg == 24


def test_a_readers_combat_table_changes_the_odds():
    mine = own_chart("combat_table", changed("combat_table", "7", "c5", "Ae2 DL2o3DG"))
    before = raw_odds(4, 4, 3, 3, "open")
    after = raw_odds(4, 4, 3, 3, "open", charts=charts_for((mine,)))
    assert before.cells != after.cells
    assert sum(o.probability for o in after.outcomes) == 1


def test_a_spreadsheets_byte_order_mark_is_no_problem():
    assert charts_for((own_chart("surprise", "\ufeff" + chart_text("surprise")),)).surprise == CHARTS.surprise


def test_every_problem_of_a_bad_chart_is_named_with_its_place():
    bad = (
        chart_text("terrain_effects").replace("clear,1,", "clear,x,").replace("jungle", "jungel").replace("open", "opn")
    )
    problems = check_chart("terrain_effects", bad)
    assert {(p.row, p.column) for p in problems} >= {(2, "leg"), (2, "category"), (3, "terrain")}
    assert {p.code for p in problems} == {"wrong_value", "unknown_row", "missing_row"}
    assert any("Did you mean jungle" in p.hint for p in problems)


@pytest.mark.parametrize(
    ("name", "edit", "code"),
    [
        ("terrain_effects", ("leg,", "legs,"), "missing_column"),
        ("terrain_effects", ("defence_other", "defence_other,extra"), "wrong_column"),
        ("combat_table", ("AL2,", "AL,"), "wrong_value"),
        ("combat_table", ("AL2,", ","), "wrong_value"),
        ("odds_columns", ("1:2", "1-2"), "wrong_value"),
        ("barrage_table", ("[1/2]", "[1/3]"), "wrong_value"),
        ("facility_table", ("1*(4)", "1*(9)"), "wrong_value"),
        ("odds_columns", ("1:2,1:1", "1:1,1:2"), "not_rising"),
        ("surprise", ("10", "5"), "both_surprised"),
        ("surprise", ("10", "ten"), "wrong_value"),
        ("surprise", ("overrun,9,6\n", ""), "missing_row"),
        ("surprise", ("overrun,9,6\n", "overrun,9,6\noverrun,9,6\n"), "double_row"),
        ("surprise", ("overrun,9,6", "overrun,9"), "row_length"),
        ("hexside_effects", ("1/2", "-1/2"), "wrong_value"),
        ("terrain_effects", ("jungle,2", "jungle,1/7"), "wrong_value"),
        ("terrain_effects", ("jungle,2", "jungle,1/0"), "wrong_value"),
        ("forage", ("no,no_loss", "maybe,no_loss"), "wrong_value"),
    ],
)
def test_each_kind_of_problem(name, edit, code):
    assert code in {p.code for p in check_chart(name, chart_text(name).replace(*edit, 1))}


def test_an_unknown_chart_is_refused_with_a_hint():
    assert "Did you mean terrain_effects" in check_chart("terain_effects", "")[0].hint
    with pytest.raises(ChartError, match="terain_effects"):
        own_chart("terain_effects", "")


def test_a_bad_chart_in_the_rules_is_refused():
    with pytest.raises(ChartError, match="problem"):
        _ = Rules(user_charts=(("surprise", "kind\n"),)).charts


def test_an_empty_file_is_refused_not_read():
    assert check_chart("surprise", "")[0].code == "missing_column"


def test_key_columns_are_the_first_of_their_charts():
    for name, keys in KEYS.items():
        assert set(keys) <= set(CHARTS.rows(name)[0])
        assert len({row_key(name, r) for r in CHARTS.rows(name)}) == len(CHARTS.rows(name))


def test_a_cell_without_end_is_a_problem_of_the_chart():
    text = chart_text("surprise") + '"' + "x" * 200_000
    assert [p.code for p in check_chart("surprise", text)] == ["no_table"]
    with pytest.raises(ChartError):
        own_chart("surprise", text)


# values that no game could use ----------------------------------------------------------------------------------------


def with_cell(name: str, row: int, column: str, value: str) -> str:
    """The shipped chart with one cell changed; rows from 0."""
    rows = list(csv.DictReader(io.StringIO(chart_text(name))))
    rows[row][column] = value
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("air_values", "value"),
        ("attrition", "one"),
        ("barrage_density", "up_to"),
        ("barrage_costs", "cost_1999"),
        ("dump_blowing", "percent"),
        ("capture", "d3"),
        ("ledo_building", "needs"),
        ("mission_loss", "d1"),
        ("refit", "cost"),
        ("supply_costs", "value"),
        ("air_drop", "glider"),
        ("terrain_effects", "attack_mech"),
        ("weather_effects", "value"),
    ],
)
@pytest.mark.parametrize("value", ["-7", "1e99", "99999999999", "one"])
def test_a_number_out_of_the_range_of_its_column_is_refused_with_its_place(name, column, value):
    text = with_cell(name, 0, column, value)
    problems = check_chart(name, text)
    assert (f"{name}.csv", 2, column) in {(p.file, p.row, p.column) for p in problems}
    with pytest.raises(ChartError, match=rf"{name}\.csv, row 2, column {column}"):
        own_chart(name, text)


def test_a_mission_of_no_number_of_aircraft_is_refused_with_its_place():
    (problem, *_) = check_chart("mission_loss", with_cell("mission_loss", 0, "aircraft", "many"))
    assert (problem.row, problem.column, problem.hint) == (2, "aircraft", "Write a whole number.")


def test_a_mission_of_countless_aircraft_is_refused_at_once():
    """Whoever may be lost of it is not listed one by one."""
    codes = [
        [p.code for p in check_chart("mission_loss", with_cell("mission_loss", 0, "aircraft", n))]
        for n in ("7", "9" * 9)
    ]
    assert codes[0] == codes[1] != []


def every_cell():
    """Each chart with the first row in which a column has a number, and the number's column."""
    for name in NAMES:
        rows = list(csv.DictReader(io.StringIO(chart_text(name))))
        for column in rows[0]:
            row = next((n for n, r in enumerate(rows) if r[column].lstrip("-").isdigit()), None)
            if row is not None:
                yield name, row, column


@pytest.mark.parametrize(("name", "row", "column"), list(every_cell()))
def test_no_column_takes_a_number_beyond_all_sense(name, row, column):
    for value in ("-1000", "100000"):
        assert check_chart(name, with_cell(name, row, column, value)), f"{name}, {column} takes {value}"


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_key_is_refused_with_its_place(name):
    for column in KEYS[name]:
        text = with_cell(name, 0, column, "")
        if text == chart_text(name):  # the shipped chart has none there: no limit
            continue
        problems = check_chart(name, text)
        assert any(p.column in (column, "up_to") and p.file == f"{name}.csv" for p in problems), (column, problems)


def test_modifiers_may_be_negative_where_other_numbers_of_the_chart_may_not():
    assert check_chart("combat_values", with_cell("combat_values", 0, "value", "-2")) == [], "a DRM"
    assert check_chart("combat_values", with_cell("combat_values", 1, "value", "-2")), "a factor"


@pytest.mark.parametrize("row", ["token", "eat_re", "eat_japanese_counters", "extender_points"])
def test_what_divides_is_never_nothing(row):
    names = [r["name"] for r in csv.DictReader(io.StringIO(chart_text("supply_costs")))]
    (problem,) = check_chart("supply_costs", with_cell("supply_costs", names.index(row), "value", "0"))
    assert (problem.row, problem.column) == (names.index(row) + 2, "value")


@pytest.mark.parametrize(
    ("name", "row", "column", "value"),
    [
        ("air_combat", 1, "low", "5"),
        ("air_combat", 0, "high", ""),
        ("air_combat", 4, "high", "12"),
        ("air_base_capture", 1, "low", "9"),
        ("air_base_capture", 1, "loses_step", "yes"),
        ("barrage_costs", 3, "high", "6"),
        ("barrage_density", 1, "up_to", "9"),
        ("attrition", 0, "one", "12"),
    ],
)
def test_rolls_that_no_row_or_two_rows_speak_of_are_refused(name, row, column, value):
    assert {p.code for p in check_chart(name, with_cell(name, row, column, value))} & {
        "gap",
        "not_rising",
        "missing_row",
    }
