"""Grids of all four games: numbering, neighbours, distances and outlines."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burma_study.errors import LabelError
from burma_study.hexes.grid import OFF, Grid, downfall_grid, gdw_grid, india_grid, ocs_grid

GRIDS = [ocs_grid(), gdw_grid(), downfall_grid(), india_grid()]
OCS = GRIDS[0]


@pytest.mark.parametrize("grid", GRIDS, ids=lambda g: g.name)
def test_labels_and_geometry_round_trip_on_every_hex(grid: Grid) -> None:
    for hex_ in grid:
        x, y = grid.centre(hex_)
        assert grid.index(grid.label(hex_)) == hex_ == grid.hex_at(x, y)
        for direction, other in enumerate(grid.neighbours[hex_]):
            if other == OFF:
                continue
            a, b = grid.centre(other)
            assert (a - x) ** 2 + (b - y) ** 2 == pytest.approx(1)
            assert grid.neighbours[other][(direction + 3) % 6] == hex_
            assert {round(c, 9) for p in grid.side(hex_, other) for c in p} == {
                round(c, 9) for p in grid.side(other, hex_) for c in p
            }


@pytest.mark.parametrize("grid", GRIDS, ids=lambda g: g.name)
@given(data=st.data())
def test_distance_equals_a_breadth_first_search(grid: Grid, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(grid) - 1))
    seen, queue = {start: 0}, deque([start])
    while queue and len(seen) < 400:
        here = queue.popleft()
        for n in grid.adjacent[here]:
            if n not in seen:
                seen[n] = seen[here] + 1
                queue.append(n)
    assert all(grid.distance(start, h) == d for h, d in seen.items())


@given(st.integers(0, len(OCS) - 1), st.integers(0, len(OCS) - 1), st.integers(0, 5))
def test_lines_discs_and_rings(a: int, b: int, radius: int) -> None:
    line = OCS.line(a, b)
    assert (line[0], line[-1]) == (a, b)
    assert all(OCS.distance(p, q) == 1 for p, q in pairwise(line))
    assert set(OCS.disc(a, radius)) == {h for h in OCS if OCS.distance(a, h) <= radius}
    assert set(OCS.ring(a, radius)) == {h for h in OCS if OCS.distance(a, h) == radius}


def test_the_two_ocs_sheets_overlap_by_one_row() -> None:
    assert OCS.index("B3.35") == OCS.index("A3.01")
    assert OCS.label(OCS.index("B3.35")) == "A3.01"
    assert len(OCS) == 62 * 69


def test_burma_3_6d_clearings_lie_exactly_six_hexes_from_a46_01() -> None:
    limit = OCS.index("A46.01")
    assert [OCS.distance(limit, OCS.index(h)) for h in ("A46.03", "B44.30", "A46.07")] == [2, 6, 6]


def test_campaign_1_triangle_holds_a47_28_and_a47_29() -> None:
    corners = OCS.indices(["A46.28", "A48.27", "A48.29"])
    hole = OCS.index("A48.28")
    inside = {h for h in OCS if sum(OCS.distance(h, c) for c in corners) <= 4}
    assert {OCS.label(h) for h in inside - {hole}} == {"A46.28", "A47.28", "A47.29", "A48.27", "A48.29"}


def test_gdw_2_1_2c_prohibited_hexside_is_between_adjacent_hexes() -> None:
    grid = gdw_grid()
    assert grid.distance(grid.index("4921"), grid.index("5020")) == 1


def test_downfall_3_2_airfields_lie_within_two_of_3013() -> None:
    grid = downfall_grid()
    assert all(grid.distance(grid.index(h), grid.index("3013")) == 2 for h in ("2911", "3111"))
    assert grid.distance(grid.index("2604"), grid.index("2503")) == 1


@pytest.mark.parametrize("bad", ["Z99.99", "A7.9", "A63.01", "B0.10", "", "A7.36", "7.09"])
def test_a_bad_label_is_quoted_and_the_form_is_said(bad: str) -> None:
    with pytest.raises(LabelError, match=r"is not a hex of|is off the map of") as caught:
        OCS.index(bad)
    assert repr(bad) in str(caught.value)


def test_hexes_that_are_not_adjacent_have_no_side() -> None:
    with pytest.raises(LabelError, match=r"A7\.09 and A10\.21 are not adjacent"):
        OCS.side(OCS.index("A7.09"), OCS.index("A10.21"))
