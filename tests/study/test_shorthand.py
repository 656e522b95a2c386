"""Orders as a player types them: names of units and places, fixed words in any case, help."""

from __future__ import annotations

import pytest

from burma_study.errors import IllegalOrder
from burma_study.games.ocs.play import Play
from burma_study.games.ocs.shorthand import expand, named
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.orders import NextStep


@pytest.fixture(scope="module")
def play() -> Play:
    return Play.from_setup("ocs/u-go", seed="1")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("mode 1-215-33 move", "mode j/inf/1-215-33 move"),
        ("mode 1-215-33 MOVE", "mode j/inf/1-215-33 move"),
        ("mode 33 Div HQ reserve", "mode j/hq/33_Div reserve"),
        (
            "attack B3.24 with 1-215-33, 2-215-33 as banzai",
            "attack B3.24 with j/inf/1-215-33, j/inf/2-215-33 as Banzai",
        ),
        ("attack B3.24 Tiddim with 1-215-33", "attack B3.24 with j/inf/1-215-33"),
        ("attack Tiddim with 1-215-33", "attack B3.24 with j/inf/1-215-33"),
        ("ferry c-47 2 to Imphal", "ferry a/c-47/2 to A7.09"),
        ("mode j/inf/1-215-33 move", "mode j/inf/1-215-33 move"),
        ("END", "done"),
    ],
)
def test_units_and_places_may_be_called_by_name(play: Play, typed: str, meant: str) -> None:
    assert expand(play.session, typed).text == meant


def test_a_number_of_tokens_is_no_unit(play: Play) -> None:
    """There is a unit whose label is 6."""
    assert named(play.session, "load 6 T on a/truck/1") == "load 6 T on a/truck/1"
    assert named(play.session, "mode 6 move") == "mode a/art/6 move"


def test_a_name_that_both_sides_have_is_the_one_of_the_side_that_orders(play: Play) -> None:
    assert play.actor == "allied"
    assert named(play.session, "load 4 T on truck 1") == "load 4 T on a/truck/1"


def test_a_name_is_a_whole_word_and_never_part_of_an_id_or_a_quotation(play: Play) -> None:
    for text in ("mode 1-215-33x move", "mode j/inf/1-215-33 move", 'marker x is "1-215-33"'):
        assert named(play.session, text) == text


def test_help_says_how_orders_are_written_and_what_is_open(play: Play) -> None:
    with pytest.raises(IllegalOrder, match=r"march UNIT to PLACE; now they may begin with .*done"):
        expand(play.session, "help")


def test_usage_shows_fixed_words_as_they_are_typed() -> None:
    usage = {kind: made.form.usage for kind, made in GAME.book.kinds.items()}
    assert usage["go"] == "go first|second"
    assert "[ as Banzai]" in usage["attack"]
    assert usage["mode"].startswith("mode UNITS combat|move|reserve|strat")
    with pytest.raises(IllegalOrder, match=r"Write go first\|second\."):
        GAME.parse("go third")


def test_the_clock_is_an_order_called_next() -> None:
    assert NextStep.kind == "next"
    assert GAME.parse("next turn 2") == NextStep(2)
