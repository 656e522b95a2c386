"""Start states: everything in a legal place, nothing lost, free areas filled by the written rule."""

from __future__ import annotations

import pytest

from burma_study.boards.board import load_board
from burma_study.errors import ScenarioError
from burma_study.rules.ocs.movement.limits import closed_to_ina
from burma_study.rules.ocs.movement.stacking import check_stacking
from burma_study.rules.ocs.setup import load_scenario, scenario_ids, start
from burma_study.rules.ocs.setup.ground import hexes
from burma_study.rules.ocs.setup.model import TRANSPORT
from burma_study.rules.ocs.setup.places import ground_of, place_all
from burma_study.rules.ocs.state import Rules

BOARD = load_board("ocs")
STARTS = [(id_, which) for id_ in scenario_ids() for which in load_scenario(id_).setups]


@pytest.mark.parametrize(("id_", "which"), STARTS)
def test_nothing_is_lost_between_the_list_and_the_state(id_, which):
    scenario, state = load_scenario(id_), start(id_, which)
    rows = scenario.setup_rows(which)
    units = {r.counter for r in rows if r.kind == "unit"}
    dead = {c for d in scenario.dead_pile for c in d.counters}
    assert set(state.pieces) == units | dead
    assert sum(d.tokens for d in state.dumps.values()) == sum(r.tokens for r in rows if r.kind == "SP")
    for kind in TRANSPORT:
        listed = sum(r.tokens for r in rows if r.kind == kind)
        assert sum(t.size for t in state.transport.values() if t.kind == kind.lower()) == listed
    assert len(state.hedgehogs) == sum(r.kind == "hedgehog" for r in rows)
    flying = sum(r.count for r in scenario.air) + sum(len(d.air) for d in scenario.dead_pile)
    assert len(state.aircraft) == flying
    assert state.total == state.rebuilt_total()


@pytest.mark.parametrize(("id_", "which"), STARTS)
def test_every_start_is_legal(id_, which):
    state = start(id_, which)
    assert check_stacking(state) == []
    for piece in state.pieces.values():
        if piece.on_map:
            assert BOARD.terrain[piece.at] not in ("off", "lake")
        if "ina" in piece.counter.traits:
            assert piece.at not in closed_to_ina(BOARD)
    occupied = {p.at: p.counter.side for p in state.pieces.values() if p.on_map}
    for table in (state.dumps, state.hedgehogs):
        assert all(occupied.get(at, thing.side) == thing.side for at, thing in table.items())


@pytest.mark.rule("ocs/5.0", "ocs/*.setup-free-*", "ocs-series/setup")
@pytest.mark.parametrize(("id_", "which"), [s for s in STARTS if s[1] == "free"])
def test_free_areas_hold_their_units_and_conditions(id_, which):
    scenario = load_scenario(id_)
    placed = place_all(scenario, which, BOARD)
    by_line: dict[str, list[int]] = {}
    for row in (r for r in scenario.setup_rows(which) if r.kind == "unit" and r.area and not r.box):
        at = placed[row.row][0].at
        if not row.area.startswith("with_"):
            assert at in hexes(row.area, ground_of(scenario, row.side, BOARD, {})), row
        by_line.setdefault(row.group, []).append(at)
        line = by_line[row.group]
        assert not row.condition("max_units") or max(map(line.count, line)) <= row.condition("max_units")
        gaps = [BOARD.grid.distance(a, b) for n, a in enumerate(line) for b in line[:n]]
        assert not row.condition("spacing") or min(gaps, default=9) >= row.condition("spacing")
    for row in scenario.setup_rows(which):
        if row.condition("occupy_all"):
            assert set(by_line[row.group]) == hexes(row.area, ground_of(scenario, row.side, BOARD, {}))
        if row.condition("east_of_chindwin") and row.kind == "unit":
            east = hexes("east_of(chindwin)", ground_of(scenario, row.side, BOARD, {}))
            assert sum(h in east for h in by_line[row.group]) >= 2


def test_the_free_set_up_of_u_go_moves_only_what_its_areas_leave_out():
    """3-138-31 and 33 Engineers stand outside their free areas in history (rules review)."""
    past, free = start("ocs/u-go"), start("ocs/u-go", "free")
    moved = {i for i, p in free.pieces.items() if p.at != past.pieces[i].at}
    assert moved == {"j/inf/3-138-31", "j/inf/33_Eng-33"}


def test_imphal_has_an_extender_of_five_points():
    """IV Corps has no trace without it (rules review 2); it is the default of every start with the seven points."""
    for id_, which in STARTS:
        state = start(id_, which)
        extenders = [t for t in state.transport.values() if t.extender]
        with_seven = id_ not in ("ocs/learning", "ocs/thursday", "ocs/marauders")
        assert [(BOARD.label(t.at), t.size, t.kind, t.load) for t in extenders] == (
            [("A7.09", 20, "truck", 0)] if with_seven else []
        )


def test_default_modes_show_the_combat_side_on_the_map_and_the_move_side_in_a_box():
    state = start("ocs/campaign-1")
    assert {p.face for p in state.pieces.values() if p.on_map} == {"combat"}
    assert {p.mode for p in state.pieces.values() if p.at in ("silchar", "ledo")} == {"move"}


@pytest.mark.rule("ocs/imphal.setup-low")
def test_low_ammunition_of_short_5():
    low = {i for i, p in start("ocs/imphal").pieces.items() if p.stocks == 1}
    assert low == {"j/inf/1-124-31", "j/inf/2-124-31", "j/inf/2-58-31", "j/inf/3-58-31"}


def test_piles_boxes_bases_and_markers():
    state = start("ocs/campaign-3")
    assert state.pieces["j/cav/22_Rec-18"].at == "dead"
    assert state.pieces["j/inf/140-24"].at == "dead_bn"
    assert state.pieces["a/eng/823_Eng"].at == "ledo"
    assert state.aircraft["j/mixed-fighter/1"].at == "dead"
    assert state.bases[BOARD.index("A57.17")].level == 2
    assert state.markers["road_head"] == BOARD.index("A48.27")
    assert state.markers["reserve/allied"] == 8
    assert {BOARD.label(s.hex) for s in state.markers["sources"] if s.side == "japanese"} == {
        *("B37.01", "B39.01", "B25.01", "B39.02")
    }
    assert start("ocs/u-go").markers["closed_boxes"] == ("ledo",)
    assert state.markers["area"] == ()
    assert len(start("ocs/learning").markers["area"]) == 15 * 18


def test_errata_and_rules_reach_the_start():
    b3326 = BOARD.index("B33.26")
    assert start("ocs/marauders").markers["sources"][0].hex == b3326
    assert start("ocs/marauders", errata=False).markers["sources"][0].hex == BOARD.index("B32.26")
    kept = start("ocs/marauders", rules=Rules(errata_off=("marauders/b33.26",)))
    assert kept.markers["sources"][0].hex == BOARD.index("B32.26")


def test_starts_are_the_same_every_time_and_differ_by_set_up():
    assert start("ocs/u-go") is start("ocs/u-go")
    assert start("ocs/u-go").digest != start("ocs/u-go", "free").digest


def test_a_set_up_that_does_not_exist_is_refused():
    with pytest.raises(ScenarioError, match="learning has no 'free'"):
        start("ocs/learning", "free")
    with pytest.raises(ScenarioError, match="'fre'"):
        start("ocs/u-go", "fre")
