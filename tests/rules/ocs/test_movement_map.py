"""Movement on the real map: marches that rulebook and history give, limits of special rules, every set-up."""

from __future__ import annotations

from dataclasses import replace

import pytest
from movement_field import GRID, field
from moving_field import by, codes, give

from burma_study.boards.board import load_board
from burma_study.boards.search import spread
from burma_study.rules.ocs.movement.limits import bank, closed_to_ina
from burma_study.rules.ocs.movement.marching import end_reasons, lines_without, movers_of
from burma_study.rules.ocs.movement.reach import reach
from burma_study.rules.ocs.movement.stacking import check_stacking
from burma_study.rules.ocs.movement.terrain import MOBILITIES, arc_costs
from burma_study.rules.ocs.setup.starting import start
from burma_study.rules.ocs.state import Piece, State

BOARD = load_board("ocs")
EMPTY = field({})
SCENARIOS = ("learning", "thursday", "u-go", "marauders", "sato", "imphal", "campaign-1", "campaign-2", "campaign-3")


def march(a: str, b: str, mobility: str = "leg") -> float:
    """MP of the cheapest way over an empty, dry map."""
    found = spread(arc_costs(EMPTY, mobility), [BOARD.index(a)]).cost(BOARD.index(b))
    assert found is not None
    return found / 12


def turns(unit: str, start_hex: str, goal: str, ground: str = "normal") -> int:
    """Movement Phases that a unit in Move Mode needs, each ending as near to the goal as it can."""
    left = spread(arc_costs(EMPTY, "leg", ground), [BOARD.index(goal)], reverse=True)
    at, count = BOARD.index(start_hex), 0
    while at != BOARD.index(goal):
        costs = reach(field({unit: Piece(unit, at, "move", "move")}), unit, ground=ground).costs
        at, count = min(costs, key=lambda h: (left.keys[h], h)), count + 1
        assert count < 30
    return count


@pytest.mark.parametrize("mobility", MOBILITIES)
@pytest.mark.parametrize(("entry", "points"), [("A4.03", 1.5), ("A7.09", 5.0), ("A7.12", 7.0)])
@pytest.mark.rule("ocs/1.4c", "ocs/learning.sr5-entry")
def test_the_learning_scenarios_reinforcements_have_spent_what_it_prints(mobility, entry: str, points: float) -> None:
    assert march(entry, "B3.35", mobility) == points


def test_31_division_is_at_kohima_within_six_turns_and_later_off_the_tracks() -> None:
    assert turns("j/inf/1-58-31", "A22.11", "A10.21") <= 6
    assert turns("j/inf/1-58-31", "A22.11", "A10.21", "mud") <= turns("j/inf/1-58-31", "A22.11", "A10.21", "flood")


def test_15_division_is_on_the_kohima_road_by_29_march() -> None:
    assert turns("j/inf/1-60-15", "A20.05", "A7.13") <= 5


def test_its_mountain_guns_reach_kohimas_staff_area_by_8_april() -> None:
    assert turns("j/art/1-31-31", "A22.11", "A12.20") <= 8


def test_trucks_go_one_jungle_track_hex_beyond_the_road_and_hardly_into_mountains() -> None:
    assert march("A13.01", "A14.01", "truck") == 4.0
    assert march("A10.21", "A11.21", "truck") == 8.0


@pytest.mark.rule("ocs/2.7a")
def test_every_ina_unit_sets_up_where_it_may_be() -> None:
    ina = [p for s in SCENARIOS for p in start(f"ocs/{s}").pieces.values() if "ina" in p.counter.traits and p.on_map]
    assert len(ina) >= 6
    assert not [BOARD.label(p.at) for p in ina if p.at in closed_to_ina(BOARD)]
    west, east = bank(BOARD)
    assert {BOARD.index(h) for h in ("A7.09", "B12.21", "A18.01")} <= west
    assert {BOARD.index(h) for h in ("A22.10", "B39.02", "A58.17")} <= east


@pytest.mark.rule("ocs/3.6b")
def test_chindits_of_campaign_1_are_barred_from_the_south() -> None:
    state = field({"a/col/A-77-3": BOARD.index("B44.30")}, markers=dict(start("ocs/campaign-1").markers.items()))
    found = reach(state, "a/col/A-77-3", mode="strat")
    assert min(BOARD.grid.line_position(h)[1] for h in found.costs) == 30
    assert found.why_not(BOARD.index("B44.29")).code == "chindit"


def _modes(state: State, unit: str) -> list[str]:
    return ["move", "strat"] if state.pieces[unit].counter.is_hq else ["combat", "move", "reserve", "strat"]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_unit_of_a_set_up_has_a_sound_reach(scenario: str) -> None:
    state = start(f"ocs/{scenario}")
    area = frozenset(state.markers.get("area", ())) or frozenset(BOARD.grid)
    moved = 0
    for piece in sorted((p for p in state.pieces.values() if p.on_map), key=lambda p: p.id)[::4]:
        for mode in _modes(state, piece.id):
            found = reach(state, piece.id, mode=mode)
            if found.refused:
                assert {r.code for r in found.refused} <= {"zone_mode", "no_ma"}
                continue
            moved += len(found.costs) > 1
            assert set(found.costs) - {piece.at} <= area
            for hex_, cost in list(found.costs.items())[::9]:
                path = found.path(hex_)
                assert path[0] == piece.at
                assert path[-1] == hex_
                assert sum(leg.cost for leg in found.legs(hex_)) == cost
                assert found.why_not(hex_) is None
                assert cost <= found.left or hex_ in found.minimum
    assert moved > 3


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_historical_set_ups_are_stacked_as_the_rules_allow(scenario: str) -> None:
    assert [p.message for p in check_stacking(start(f"ocs/{scenario}"))] == []


@pytest.mark.rule("ocs-series/5.8-trace")
def test_one_net_answers_for_every_end_of_a_march_in_strategic_mode() -> None:
    state = start("ocs/u-go").with_(phase="movement", player="allied")
    for units in (("a/inf/37-23",), ("a/hq/4_Corps", "a/inf/15-11")):
        fast = state
        for unit in units:
            fast = fast.place(replace(fast.pieces[unit], mode="strat", face="move"))
        movers = movers_of(fast, units)
        lines = lines_without(fast, movers)
        assert lines is not None
        found = {n: bool(list(end_reasons(fast, movers, (n,), lines))) for n in GRID.disc(movers[0].start, 5)}
        assert found == {n: bool(list(end_reasons(fast, movers, (n,)))) for n in found}
        assert set(found.values()) == {True, False}
        assert lines_without(state, movers_of(state, units)) is None


@pytest.mark.rule("ocs-series/6.1")
def test_series_6_1_a_flight_ends_the_moves_that_were_under_way() -> None:
    state = start("ocs/u-go").with_(phase="movement", player="allied", air_ops="unrestricted")
    unit, path = "a/inf/15-11", [BOARD.index(label) for label in ("A7.10", "A7.11", "A7.12")]
    moved = give(state, f"mode {unit} move", f"move {unit} by {by(path[0])}")
    assert codes(moved, f"move {unit} by {by(path[1])}") == []
    flown = give(moved, "ferry a/hurricane/5 to A8.06")
    assert flown.pieces[unit].done
    assert codes(flown, f"move {unit} by {by(path[1])}") == ["done"]
    assert not give(state, "ferry a/hurricane/5 to A8.06").pieces[unit].done
