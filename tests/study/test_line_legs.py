"""No march of a line goes through hexes that the enemy holds: the check that stops the build."""

from __future__ import annotations

import importlib
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

from burma_study.boards.board import load_board

BUILD = Path(__file__).parents[2] / "data" / "build"


@pytest.fixture(scope="module")
def build() -> tuple[ModuleType, ModuleType]:
    sys.path.insert(0, str(BUILD))
    try:
        return importlib.import_module("line_ugo_positions"), importlib.import_module("line_ugo_legs")
    finally:
        sys.path.remove(str(BUILD))


def made(positions, events):
    line = positions.Line(load_board("ocs"), positions.read_setup(), events)
    return line, positions.position_rows(line)[0]


def test_no_leg_of_the_line_crosses_the_enemy(build):
    positions, legs = build
    line, rows = made(positions, positions.read_events())
    assert legs.barred_legs(line, rows) == []


def test_60_regiment_may_not_march_down_the_iril_valley_through_two_brigades(build):
    """Left to the cheapest way from A13.13 to A9.13 it goes by the Ukhrul road: 1 Brigade at A10.10, 123 at A9.10."""
    positions, legs = build
    straight = [replace(e, via=("A13.13", "A9.13")) if e.id == "C10" else e for e in positions.read_events()]
    barred = legs.barred_legs(*made(positions, straight))
    assert {b.split(" crosses ")[1][:6].strip(",") for b in barred} == {"A10.10", "A9.10,".strip(",")}
    assert {b.split(" ")[1] for b in barred} == {"j/inf/2-60-15", "j/inf/3-60-15"}


def test_a_hex_that_the_enemy_leaves_before_the_next_turn_may_be_crossed(build):
    """33 Division follows 37 Brigade up the Tiddim road: B3.34 is British on 5 April and Japanese ground after it."""
    positions, legs = build
    line, rows = made(positions, positions.read_events())
    spot = line.grid.index("B3.34")
    leg = next(x for x in line.tracks["j/inf/1-215-33"].legs if x.event.id == "T39")
    assert spot in dict(legs.crossings(leg))
    assert any(r["hex"] == "B3.34" and r["unit"] == "a/inf/37-23" and r["date"] == "1944-04-05" for r in rows)


@pytest.mark.parametrize(
    ("when", "around"),
    [
        (Fraction(2), ("1944-03-15", "1944-03-19")),
        (Fraction(4), ("1944-03-15", "1944-03-22")),
        (Fraction(9, 2), ("1944-03-19", "1944-03-22")),
        (Fraction(0), None),
        (Fraction(31), None),
    ],
)
def test_a_day_is_looked_at_on_the_turns_before_and_after_it(build, when, around):
    assert build[1].turns_around(when) == around


def test_who_holds_a_place_is_what_the_last_event_says(build):
    positions, _ = build
    line, _ = made(positions, positions.read_events())
    days = {d: line.holder("A8.10", positions.date.fromisoformat(f"1944-04-{d:02}")) for d in (5, 6, 7, 10, 11, 12, 13)}
    assert days == {5: "", 6: "japanese", 7: "allied", 10: "allied", 11: "japanese", 12: "japanese", 13: "allied"}


def test_guns_that_would_end_off_every_road_stop_the_build(build):
    positions, legs = build
    line, rows = made(positions, positions.read_events())
    assert legs.off_road(line, rows) == []
    astray = [replace(e, stand="A4.04") if e.id == "T59" else e for e in positions.read_events()]
    found = legs.off_road(*made(positions, astray))
    assert found == ["j/art/1-3H stands off every road at A4.04 on 1944-04-15"]
