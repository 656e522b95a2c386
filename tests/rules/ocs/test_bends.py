"""A verdict that a road one hex longer or shorter would change says so; printed lengths are firm."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from burma_study.boards.board import load_board
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.supply.bends import LONGER, SHORTER, bends
from burma_study.rules.ocs.supply.net import Net
from burma_study.rules.ocs.supply.trace import Picture, Tracer, supply
from burma_study.rules.ocs.supply.verdict import basis

CORPS, UNIT = "a/hq/4_Corps", "a/inf/80-20"
BOARD = load_board("ocs")
at = BOARD.index


def path(*labels: str) -> tuple[int, ...]:
    return tuple(map(at, labels))


@pytest.mark.parametrize("unit", ["a/inf/1_Wy-17", "a/inf/80-20"])
def test_a_trace_without_a_hex_to_spare_turns_on_the_roads_course(unit):
    """B3.24 is 10.0 of 10 from 4 Corps, A15.01 as well (rules review 18)."""
    texts = [t.text for t in basis(supply(start("ocs/u-go"), "allied"), unit).turns_on if t.used.table == "routes"]
    assert ("Tiddim road hexes 8 -> 9" in texts) == (unit == "a/inf/1_Wy-17")
    assert ("Imphal-Tamu road hexes 12 -> 13" in texts) == (unit == "a/inf/80-20")


def test_a_trace_with_half_an_mp_to_spare_does_not():
    """B3.25, 9.5 of 10: one hex of road more still reaches."""
    picture = supply(start("ocs/u-go"), "allied")
    here = [u for u, t in picture.traces.items() if t.hex == at("B3.25")]
    assert here
    for unit in here:
        found = basis(picture, unit)
        assert any(u.table == "routes" for u in found.values), "the road is named among the values"
        assert not any(t.used.table == "routes" for t in found.turns_on)


@pytest.mark.parametrize(("hex_", "mp", "turns"), [("A13.01", 5, True), ("A13.01", 6, False), ("A15.01", 5, False)])
def test_a_miss_by_one_hex_of_a_winding_road_turns_on_it(hex_, mp, turns):
    """Tamu, A13.01, is 12 road hexes, 5.5 MP to the hex beside it; the bend by A8.05 is not printed."""
    state = start("ocs/u-go")
    state = state.place(replace(state.pieces[UNIT], at=at(hex_)))
    net = Net(state, "allied", throws=((CORPS, "throw", mp),))
    trace = Tracer(net).trace(state.pieces[UNIT])
    assert trace.in_supply == (mp == 6)
    found = [t.text for t in basis(Picture(net, {UNIT: trace}), UNIT).turns_on if int(t.to) < int(t.used.value or 0)]
    assert any("Imphal-Tamu road" in text for text in found) == turns


def test_a_straight_road_cannot_be_shorter():
    """B3.35 to B3.27 is eight hexes straight down the column."""
    (found,) = bends(BOARD, path(*(f"B3.{row}" for row in range(35, 26, -1))))
    assert (found.used.key, found.used.value, found.used.others) == ("Tiddim road", "8", ("9",))


def test_printed_lengths_are_no_bends():
    """Learning: A4.03 to B3.35 is 1.5 MP of road; 2 Division's line is printed hex by hex."""
    assert bends(BOARD, path("A4.03", "A3.03", "A3.02", "B3.35")) == ()
    assert bends(BOARD, path("A7.23", "A8.22", "A9.22", "A10.21")) == ()
    assert bends(BOARD, path("A10.21", "A11.21")) != ()


@pytest.mark.parametrize("by", [LONGER, SHORTER])
def test_a_bend_makes_the_walk_one_hex_longer_or_shorter_both_ways(by):
    arcs = Net(start("ocs/u-go"), "allied").arcs("truck")
    hexes = path("A7.09", "A7.08", "A8.07", "A9.07", "A9.06")
    (found,) = bends(BOARD, hexes)
    for way in (hexes, hexes[::-1]):
        bent = arcs.patched(found.changes(arcs, by))
        plain, other = (sum(a.cost(x, y) for x, y in pairwise(way)) for a in (arcs, bent))
        assert other - plain == by * 6
