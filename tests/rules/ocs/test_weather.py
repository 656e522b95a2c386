"""Weather, ground and air operations of a turn (Burma 1.1)."""

from datetime import date
from fractions import Fraction
from itertools import product

import pytest
from dice import ONES, Dice, at_once

from burma_study.errors import ChartError
from burma_study.rules.ocs.charts import charts_for
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup.starting import start
from burma_study.rules.ocs.turn.weather import air_operations, day_of, ground_after, weather_on

CHARTS = charts_for()
ROLLS = [10 * a + b for a, b in product(range(1, 7), repeat=2)]
WEATHERS = ("clear", "light_rain", "rain", "heavy_rain")


def chances(day):
    found = [weather_on(CHARTS, day, roll) for roll in ROLLS]
    return tuple(Fraction(found.count(w), 36) for w in WEATHERS)


@pytest.mark.rule("ocs/table.weather", "ocs/1.1", "ocs-series/17.0")
@pytest.mark.parametrize(
    ("days", "counts"),
    [
        (((3, 5), (3, 15), (6, 1)), (27, 5, 3, 1)),
        (((6, 5), (6, 26), (6, 29)), (18, 9, 6, 3)),
        (((7, 1), (8, 1)), (9, 9, 9, 9)),
    ],
)
def test_burma_1_1_the_chances_of_weather_by_season(days, counts):
    """Clear 27/36, 18/36, 9/36; 29 June, which no column names, takes June's."""
    for month, day in days:
        assert chances(date(1944, month, day)) == tuple(Fraction(n, 36) for n in counts)


@pytest.mark.rule("ocs/table.ground")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("normal", ("normal", "normal", "mud", "mud")),
        ("mud", ("normal", "mud", "mud", "quagmire")),
        ("quagmire", ("mud", "mud", "quagmire", "flood")),
        ("flood", ("quagmire", "quagmire", "flood", "monsoon")),
    ],
)
def test_the_sixteen_cells_of_the_ground_table(old, new):
    assert tuple(ground_after(CHARTS, old, w) for w in WEATHERS) == new


@pytest.mark.rule("ocs/table.air-operations")
@pytest.mark.parametrize(
    ("weather", "six"),
    [("clear", "uuuuuu"), ("light_rain", "uuurrr"), ("rain", "urrrrp"), ("heavy_rain", "rrrppp")],
)
def test_air_operations_on_one_die(weather, six):
    assert "".join(air_operations(CHARTS, weather, die)[0] for die in range(1, 7)) == six


def test_burma_1_1_a_turn_rolls_weather_ground_and_air():
    state = start("ocs/imphal").put("markers", "stops", "all").with_(phase="cleanup", player="japanese", first="allied")
    roller = Dice(weather=[(6, 6), (5,)])
    after = GAME.apply(state, GAME.parse("done"), roller)
    assert (after.state.weather, after.state.ground, after.state.air_ops) == ("heavy_rain", "quagmire", "prohibited")
    assert {"ocs/1.1", "ocs/table.weather", "ocs/table.ground"} <= set(after.rules)


@pytest.mark.rule("ocs/table.monsoon")
def test_flood_and_heavy_rain_are_the_monsoon_and_end_the_game():
    state = start("ocs/campaign-1").with_(turn=40, phase="cleanup", player="japanese", first="allied", ground="flood")
    after = at_once(state, "done", weather=[(6, 6), (1,)])
    assert (after.phase, after.ground, after.markers["ended"]) == ("over", "monsoon", "monsoon")
    assert GAME.decision(after).actor == ""
    assert any(point.item == "myitkyina" for point in after.score.values())
    other = at_once(state, "done", weather=[(4, 4), (1,)], initiative=[(6, 6), (1, 1)])
    assert (other.phase, other.ground) == ("initiative", "flood")


@pytest.mark.rule("ocs/table.calendar")
def test_turns_have_their_dates():
    state = start("ocs/u-go")
    assert (day_of(state), day_of(state, 10)) == (date(1944, 3, 15), date(1944, 4, 15))


def test_what_the_tables_do_not_say_is_an_error():
    with pytest.raises(ChartError, match="1944-03-05 and a roll of 67"):
        weather_on(CHARTS, date(1944, 3, 5), 67)
    with pytest.raises(ChartError, match="ice"):
        ground_after(CHARTS, "ice", "clear")


def test_a_reader_may_bring_his_own_weather():
    text = "period,weather,first,last,low,high\nall,rain,01-01,12-31,11,66\n"
    assert weather_on(type(CHARTS)((("weather_table", text),)), date(1944, 3, 5), 11) == "rain"


def test_burma_1_1_weather_comes_at_the_start_of_every_turn():
    state = start("ocs/u-go")
    turns = set()
    roller = Dice(initiative=[(6, 6), (1, 1)] * 3, weather=ONES, supply=ONES, replacement=ONES, attrition=ONES)
    while state.phase != "over" and state.turn < 4:
        kinds = GAME.decision(state).kinds
        order = "go first" if "go" in kinds else "forage mark" if "forage" in kinds else "done"
        before = len(roller.asked)
        state = GAME.apply(state, GAME.parse(order), roller).state
        turns |= {state.turn for stream, _, _ in roller.asked[before:] if stream == "weather"}
    roller.used_up()
    assert turns == {1, 2, 3, 4}
