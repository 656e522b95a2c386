"""Fractions of points print as mixed numbers wherever they are read."""

from fractions import Fraction

import pytest

from burma_study.cli.play import _standing_text
from burma_study.engine.numbers import mixed
from burma_study.games.ocs.advice import history_beside
from burma_study.games.ocs.differences import summary
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.turn.victory import Point, verdict


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
    found = {"records": 0, "turn": 1, "player": "allied", "phase": "setup", "decides": "", "victory": "", "why": ""}
    found |= {"scenario": "", "seed": "", "japanese": "57/2", "allied": "0"}
    assert "Japan 28 1/2, Allies 0" in _standing_text(found)
