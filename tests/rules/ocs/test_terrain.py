"""What a step costs: terrain, rivers, routes, weather, bridges, the finished Ledo Road."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from movement_field import CENTRE, GRID, NE, SE, N, Oracle, S, field, made, wild

from burma_study.errors import ChartError, DataError, LabelError
from burma_study.hexes.grid import Grid
from burma_study.rules.ocs.charts import charts_for
from burma_study.rules.ocs.movement.terrain import (
    GROUNDS,
    MOBILITIES,
    arc_costs,
    bridgers,
    build_arcs,
    enter_cost,
    ledo_road,
    mp,
    rates,
)
from burma_study.rules.ocs.state import Piece

CHARTS = charts_for()
EMPTY = field({})


def cost(a: int, b: int, mobility: str, on: str = "normal", side: str | None = None, state=EMPTY) -> int | None:
    found = enter_cost(state, a, b, mobility, on, side)
    arcs = arc_costs(state, mobility, on, side)
    assert arcs.cost(a, b) == (found.cost or 0), "the explained cost is the one the search uses"
    return found.cost


@given(st.integers(0, 10**6), st.sampled_from(MOBILITIES), st.sampled_from(GROUNDS))
@settings(max_examples=25, deadline=None)
def test_every_step_of_wild_boards_equals_the_oracle(seed: int, mobility: str, on: str) -> None:
    board = wild(seed)
    oracle, arcs = Oracle(board, mobility, on), build_arcs(board, mobility, on, CHARTS)
    for a in GRID.disc(CENTRE, 4):
        for b in GRID.adjacent[a]:
            step = oracle.step(a, b)
            assert arcs.cost(a, b) == (0 if step is None else step * 12), (GRID.label(a), GRID.label(b))


@given(st.integers(0, 10**6), st.sampled_from(MOBILITIES), st.sampled_from(GROUNDS))
@settings(max_examples=25, deadline=None)
@pytest.mark.rule("ocs-series/6.2")
def test_a_step_is_legal_only_if_its_reverse_is(seed: int, mobility: str, on: str) -> None:
    arcs = build_arcs(wild(seed), mobility, on, CHARTS)
    for a in GRID.disc(CENTRE, 4):
        for b in GRID.adjacent[a]:
            assert bool(arcs.cost(a, b)) == bool(arcs.cost(b, a))


@pytest.mark.parametrize(("mobility", "expected"), [("leg", 24), ("truck", None), ("track", None)])
def test_burma_1_4_jungle_is_open_to_foot_only(ground, mobility: str, expected: int | None) -> None:
    ground(rest="jungle")
    assert cost(CENTRE, N, mobility) == expected


@pytest.mark.parametrize("mobility", MOBILITIES)
@pytest.mark.parametrize("kind", ["all_weather", "fair_weather"])
def test_burma_1_4c_every_road_costs_half_an_mp(ground, mobility: str, kind: str) -> None:
    ground(rest="mountain", routes=[(kind, (CENTRE, N))])
    assert cost(CENTRE, N, mobility) == 6


@pytest.mark.parametrize(("mobility", "expected"), [("leg", 12), ("truck", 96), ("track", 72)])
def test_burma_1_4d_a_track_is_no_road(ground, mobility: str, expected: int) -> None:
    ground(rest="mountain", routes=[("track", (CENTRE, N))])
    assert cost(CENTRE, N, mobility) == expected


def test_burma_1_4b_a_crossing_eases_a_river_and_is_paid_along_a_track(ground) -> None:
    ground(rivers={(CENTRE, N): "major", (CENTRE, S): "major"}, crossings={(CENTRE, N): "crossing"})
    assert cost(CENTRE, N, "truck") == 24 + 24
    assert cost(CENTRE, S, "truck") is None
    assert enter_cost(EMPTY, CENTRE, S, "truck").code == "river"
    ground(rest="jungle", rivers={(CENTRE, N): "major"}, crossings={(CENTRE, N): "crossing"},
           routes=[("track", (CENTRE, N))])  # fmt: skip
    assert cost(CENTRE, N, "truck") == 48 + 24
    assert cost(CENTRE, N, "leg") == 12


@pytest.mark.rule("ocs-series/6.1-roads")
def test_series_6_1_a_road_ignores_hex_and_hexside(ground) -> None:
    ground(rest="mountain", rivers={(CENTRE, N): "major"}, crossings={(CENTRE, N): "bridge"},
           routes=[("fair_weather", (CENTRE, N))])  # fmt: skip
    for mobility in MOBILITIES:
        assert cost(CENTRE, N, mobility) == 6


def test_series_6_2_hexside_adds_to_hex_and_the_parts_say_so(ground) -> None:
    ground(rest="rough", rivers={(CENTRE, N): "minor"})
    found = enter_cost(EMPTY, CENTRE, N, "leg")
    assert [(p.name, p.cost) for p in found.way.parts] == [("rough", 24), ("minor river", 12)]
    assert found.explain() == "3 Leg MP: rough 2 + minor river 1"
    assert ("hexside_effects", "minor", "leg") in found.cells


def test_series_6_2_trucks_may_not_leave_a_jungle_road_into_the_open(ground) -> None:
    ground(terrain={CENTRE: "jungle"}, routes=[("all_weather", (CENTRE, S))])
    found = enter_cost(EMPTY, CENTRE, N, "truck")
    assert (found.cost, found.code) == (None, "reverse")
    assert enter_cost(EMPTY, N, CENTRE, "truck").code == "terrain"
    assert cost(CENTRE, N, "leg") == 12


@pytest.mark.rule("ocs/table.ground-effects")
@pytest.mark.parametrize(
    ("on", "mobility", "kind", "expected"),
    [
        ("mud", "leg", "fair_weather", 12),
        ("mud", "leg", "all_weather", 6),
        ("mud", "truck", "track", 96),
        ("quagmire", "truck", "track", None),
        ("quagmire", "leg", "track", 24),
        ("quagmire", "truck", "fair_weather", 24),
        ("flood", "truck", "all_weather", 12),
    ],
)
@pytest.mark.rule("ocs/table.ground-effects")
def test_ground_conditions_change_routes(ground, on: str, mobility: str, kind: str, expected: int | None) -> None:
    ground(rest="jungle", routes=[(kind, (CENTRE, N))])
    assert cost(CENTRE, N, mobility, on) == expected


@pytest.mark.rule("ocs/table.ground-effects")
def test_flood_makes_a_minor_river_major_and_a_crossing_minor(ground) -> None:
    ground(rivers={(CENTRE, N): "minor", (CENTRE, S): "major"}, crossings={(CENTRE, S): "crossing"}, rest="jungle")
    assert (cost(CENTRE, N, "leg"), cost(CENTRE, N, "leg", "flood")) == (36, 48)
    assert (cost(CENTRE, S, "leg"), cost(CENTRE, S, "leg", "flood")) == (24, 36)


def test_series_13_8_engineers_bridge_major_as_minor_and_minor_for_nothing(ground) -> None:
    ground(rivers={(CENTRE, N): "major", (CENTRE, S): "minor", (NE, N): "major"})
    state = field({"a/hq/4_Corps": CENTRE})
    assert cost(CENTRE, N, "truck", side="allied", state=state) == 24 + 48
    assert cost(S, CENTRE, "truck", side="allied", state=state) == 24
    assert cost(CENTRE, N, "truck", side="japanese", state=state) is None
    assert cost(NE, N, "truck", side="allied", state=state) is None


@pytest.mark.rule("ocs-series/13.8", "ocs/table.ground-effects")
def test_series_13_8_in_flood_engineers_bridge_what_the_river_has_become(ground) -> None:
    """A minor river in flood acts as a major one, which engineers make minor; a crossing acts as minor: nothing."""
    ground(rest="jungle", rivers={(CENTRE, N): "major", (CENTRE, S): "minor", (CENTRE, NE): "major"},
           crossings={(CENTRE, NE): "crossing"})  # fmt: skip
    state = field({"a/hq/4_Corps": CENTRE})
    for to, twelfths in ((N, 24 + 12), (S, 24 + 12), (NE, 24)):
        assert cost(CENTRE, to, "leg", "flood", side="allied", state=state) == twelfths


def test_burma_2_4a_division_hqs_bridge_for_leg_only(ground) -> None:
    ground(rivers={(CENTRE, N): "minor"})
    state = field({"j/hq/33_Div": CENTRE, "j/hq/15_Army": Piece("j/hq/15_Army", SE, "move", "move")})
    assert bridgers(state, "japanese", "leg") == {CENTRE}
    assert bridgers(state, "japanese", "truck") == frozenset()
    assert cost(CENTRE, N, "leg", side="japanese", state=state) == 12
    assert cost(CENTRE, N, "truck", side="japanese", state=state) == 24 + 48


def test_series_13_8_dg_engineers_bridge_with_the_combat_side_up() -> None:
    unit = Piece("a/eng/823_Eng", CENTRE, dg=True)
    assert bridgers(field({unit.id: unit}), "allied", "truck") == {CENTRE}
    moving = Piece(unit.id, CENTRE, "move", "move", dg=True)
    assert bridgers(field({unit.id: moving}), "allied", "truck") == frozenset()


def test_burma_3_8_the_finished_ledo_road_is_an_all_weather_road(ground) -> None:
    ledo = GRID.index("A35.35")
    path = GRID.line(ledo, GRID.index("A40.34"))
    board = ground(rest="mountain", routes=[("all_weather", path[:3]), ("track", path[2:])])
    assert ledo_road(board, path[4]) == path[:5]
    state = field({}, markers={"road_head": path[4]})
    assert cost(path[3], path[4], "truck", "flood", state=state) == 12
    assert cost(path[4], path[5], "truck", "flood", state=state) is None
    assert ledo_road(board, None) == ()
    assert ledo_road(board, CENTRE) == ()


def test_the_real_ledo_road_passes_the_heads_of_the_scenarios() -> None:
    from burma_study.boards.board import load_board

    board = load_board("ocs")
    whole = ledo_road(board, board.index("A59.03"))
    heads = [board.index(h) for h in ("A35.35", "A43.35", "A45.33", "A48.27", "A58.17", "A59.03")]
    assert [h for h in whole if h in heads] == heads
    for head in heads:
        assert ledo_road(board, head) == whole[: whole.index(head) + 1]


def test_words_that_no_chart_knows_are_refused(ground) -> None:
    with pytest.raises(DataError, match=r"'hover' is no mobility; use one of leg, truck, track"):
        rates(CHARTS, "hover", "normal")
    with pytest.raises(DataError, match=r"'floods' is no ground condition.*Did you mean flood"):
        rates(CHARTS, "leg", "floods")
    with pytest.raises(LabelError, match="not adjacent"):
        enter_cost(EMPTY, CENTRE, GRID.index("A20.10"), "leg")


def test_a_chart_with_free_movement_is_refused() -> None:
    free = CHARTS.with_value("terrain_effects", "clear", "leg", "0")
    with pytest.raises(ChartError, match="clear costs 0/12 leg MP"):
        rates(free, "leg", "normal")


def test_points_read_well() -> None:
    assert [mp(n) for n in (6, 12, 66, 4, 3)] == ["0.5", "1", "5.5", "1/3", "0.25"]
    assert Fraction(mp(4)) == Fraction(4, 12)


def test_no_step_leads_off_the_map_or_into_a_lake() -> None:
    board = made({N: "lake", S: "off"})
    for mobility in MOBILITIES:
        arcs = build_arcs(board, mobility, "normal", CHARTS)
        assert arcs.cost(CENTRE, N) == arcs.cost(CENTRE, S) == 0
        assert all(
            c == 0 for n, c in zip((n for six in GRID.neighbours for n in six), arcs.costs, strict=True) if n < 0
        )
    assert Grid.key(N, CENTRE) == (CENTRE, N)
