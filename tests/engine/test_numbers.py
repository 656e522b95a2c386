"""Fractions of points print as mixed numbers wherever they are read."""

from dataclasses import replace
from fractions import Fraction

import pytest

from burma_study.cli.play import _standing_text, standing
from burma_study.engine.numbers import mixed
from burma_study.engine.records import Event, Record
from burma_study.engine.session import Session
from burma_study.games.ocs.advice import history_beside
from burma_study.games.ocs.differences import summary
from burma_study.games.ocs.play import Play
from burma_study.games.ocs.story import sentences
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.turn.victory import Point, verdict
from burma_study.study.play import Origin
from burma_study.ui.play_view import View
from burma_study.ui.selection import Selection


@pytest.mark.parametrize(
    ("value", "text"),
    [(Fraction(57, 2), "28 1/2"), (3, "3"), (Fraction(1, 2), "1/2"), (Fraction(-3, 2), "-1 1/2"), (0, "0")],
)
def test_a_mixed_number(value, text):
    assert mixed(value) == text


def test_points_read_alike_on_the_page_and_on_the_command_line():
    state = start("ocs/u-go")
    state = state.put("score", "x", Point(1, "japanese", "x", Fraction(57, 2), "a test", "ocs/u-go.victory"))
    assert verdict(state).why.startswith("28 1/2 to ")
    assert "Japan 28 1/2, Allies" in history_beside(state)["sentences"][0]
    assert summary(state)["points"]["japanese"] == "28 1/2"
    session = Session(GAME, state, setup="ocs/u-go", seed="1")
    assert "Japan 28 1/2, Allies" in _standing_text(standing(session))
    assert standing(session)["japanese"] == "57/2", "a program reads a fraction"


HALF = Point(1, "japanese", "x", Fraction(57, 2), "a test", "ocs/u-go.victory")


def test_the_story_tells_what_was_scored_as_a_mixed_number():
    """28 1/2 where nothing stood before, and only what came on top of 8 where something did."""
    before = replace(HALF, points=Fraction(8))
    told = [[s for s in sentences(_scored(old)) if "score" in s] for old in (None, before)]
    assert told == [["Japanese score 28 1/2: a test."], ["Japanese score 20 1/2: a test."]]


def _scored(old):
    event = Event("score", "score", "x", old, HALF)
    return Record(0, "japanese", GAME.parse("done"), (), (event,), (), "enforce", "")


def test_the_score_tab_reads_28_1_2_in_the_level_and_in_the_sheet():
    state = start("ocs/u-go").put("score", "x", HALF)
    play = Play(Session(GAME, state, setup="ocs/u-go", seed="score"), Origin("ocs/u-go"))
    level, sheet = View(play, Selection(play), tuple, str).score()[:2]
    assert [row[1] for row in level["rows"] if row[0] == "Japanese"] == ["28 1/2"]
    assert level["rows"][0][2].startswith("28 1/2 to ")
    assert ["1", "Japanese", "28 1/2", "a test"] in sheet["rows"]
    assert "57/2" not in f"{level} {sheet}"
