"""The scripted dice of these tests: every roll is named, asked for and used up."""

import pytest
from dice import ONES, Dice, at_once

from burma_study.rules.ocs.setup.starting import start


def weather(**dice):
    state = start("ocs/u-go").put("markers", "stops", "all").with_(phase="setup", player="japanese")
    return at_once(state, "done", **dice)


def test_a_roll_that_is_missing_left_over_or_of_another_size_fails():
    assert weather(weather=[(6, 6), (5,)]).weather == "heavy_rain"
    with pytest.raises(AssertionError, match="weather: 1 dice are asked for, the test gives no more"):
        weather(weather=[(6, 6)])
    with pytest.raises(AssertionError, match=r"never asked for.*weather"):
        weather(weather=[(6, 6), (5,), (1,)])
    with pytest.raises(AssertionError, match=r"never asked for.*air"):
        weather(weather=[(6, 6), (5,)], air=ONES)
    with pytest.raises(AssertionError, match="weather: 2 dice are asked for, the test gives"):
        weather(weather=[(6,), (5,)])


def test_ones_fall_as_often_as_they_are_asked_for():
    assert weather(weather=ONES).weather == "clear"
    dice = Dice(air=ONES)
    assert [dice.roll("air", (1, "p"), n, 6).dice for n in (2, 1)] == [(1, 1), (1,)]
