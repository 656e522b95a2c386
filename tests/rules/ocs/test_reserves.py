"""Reserves released in Reaction and Exploitation, and the march into a trackless mountain that they make possible."""

from __future__ import annotations

import pytest
from movement_field import CENTRE, GRID, N, S
from moving_field import by, codes, give, outcome, play

from burma_study.engine.game import Partial
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.movement.moving import MOVING
from burma_study.rules.ocs.movement.reach import allowance, mover, reach
from burma_study.rules.ocs.state import Piece

FOOT, OTHER, THIRD = "j/inf/2-215-33", "j/inf/1-215-33", "j/inf/3-215-33"
BRIGADE, SECOND = "a/inf/63-17", "a/inf/48-17"
FAR = GRID.at(10, 60)
NN = GRID.neighbours[N][0]
MARKERS = {"reserve/japanese": 3, "reserve/allied": 3}
pytestmark = pytest.mark.usefixtures("ground")


def reserve(unit: str, at: int | str = CENTRE, face: str = "combat", **rest) -> Piece:
    return Piece(unit, at, "reserve", face, **rest)


def until(state, phase: str):
    """Phases ended until one is on."""
    for _ in range(20):
        if state.phase == phase:
            return state
        state = give(state, "done")
    raise AssertionError(f"{phase} does not come; it is {state.phase}")


@pytest.mark.rule("ocs/notes.leg-reserve", "ocs-series/5.7", "ocs-series/6.2-minimum")
def test_a_reserve_goes_into_a_trackless_mountain_and_again_in_exploitation(ground) -> None:
    ground(rest="mountain")
    start = play({FOOT: CENTRE, BRIGADE: FAR}, markers={**MARKERS, "stops": "all"})
    state = give(start, f"mode {FOOT} reserve")
    assert allowance(mover(state, FOOT)) == 9, "a quarter of three"
    state = give(state, f"move {FOOT} by {by(N)}")
    assert (state.pieces[FOOT].at, state.pieces[FOOT].spent) == (N, 9)
    assert codes(state, f"move {FOOT} by {by(NN)}") == ["spent"]
    state = until(state, "exploitation")
    assert codes(state, f"move {FOOT} by {by(NN)}") == ["not-released"]
    state = give(state, f"release {FOOT}", f"move {FOOT} by {by(NN)}")
    assert (state.pieces[FOOT].at, state.pieces[FOOT].spent, state.pieces[FOOT].mode) == (NN, 36, "combat")
    plain = give(start, f"move {FOOT} by {by(N)}")
    assert codes(plain, f"move {FOOT} by {by(NN)}") == ["spent"], "without the marker one hex is all"


@pytest.mark.rule("ocs-series/7", "ocs-series/5.7")
def test_in_reaction_the_other_side_moves_its_released_reserves_at_half_pace() -> None:
    state = play({FOOT: CENTRE, BRIGADE: reserve(BRIGADE, FAR), SECOND: FAR}, phase="reaction", markers=MARKERS)
    up = GRID.neighbours[FAR][0]
    assert GAME.decision(state).actor == "allied"
    assert codes(state, f"move {SECOND} by {by(up)}") == ["mode_in_phase"], "reserves only"
    state = give(state, f"release {BRIGADE}")
    assert allowance(mover(state, BRIGADE), "reaction") == 18
    assert set(reach(state, BRIGADE, phase="reaction").costs) == set(GRID.disc(FAR, 1))
    moved = outcome(state, f"move {BRIGADE} by {by(up)}")
    assert moved.state.pieces[BRIGADE].spent == 12
    assert codes(moved.state, f"move {BRIGADE} by {by(GRID.neighbours[up][0])}") == ["spent"]
    assert "not-owned" in codes(state, f"release {FOOT}")


@pytest.mark.rule("ocs-series/5.7", "ocs-series/5.9")
def test_in_exploitation_reserves_have_their_whole_allowance_and_exploiting_units_half() -> None:
    units = {FOOT: reserve(FOOT, face="move"), OTHER: Piece(OTHER, CENTRE, "exploit", "move"), THIRD: CENTRE}
    state = give(play({**units, BRIGADE: FAR}, phase="exploitation", markers=MARKERS), f"release {FOOT}")
    assert (allowance(mover(state, FOOT), "exploitation"), allowance(mover(state, OTHER), "exploitation")) == (60, 30)
    assert codes(state, f"move {THIRD} by {by(N)}") == ["mode_in_phase"]
    state = give(state, f"move {FOOT}, {OTHER} by {by(N, NN)}")
    assert [state.pieces[u].spent for u in (FOOT, OTHER)] == [24, 24]
    assert codes(state, f"move {OTHER} by {by(GRID.neighbours[NN][0])}") == ["spent"]


@pytest.mark.rule("ocs-series/5.7")
def test_a_released_unit_fights_again_and_frees_its_marker() -> None:
    units = {FOOT: reserve(FOOT), BRIGADE: FAR}
    state = play(units, phase="exploitation", markers={"reserve/japanese": 1})
    assert not mover(state, FOOT).can_attack
    state = give(state, f"release {FOOT}")
    assert mover(state, FOOT).can_attack
    assert codes(state, f"release {FOOT}") == ["not-in-reserve"]


@pytest.mark.rule("ocs-series/5.7")
def test_a_part_of_a_stack_may_be_released_and_boxes_too() -> None:
    units = {FOOT: reserve(FOOT), OTHER: reserve(OTHER), BRIGADE: FAR}
    state = give(play(units, phase="exploitation", markers=MARKERS), f"release {FOOT}")
    assert state.pieces[OTHER].mode == "reserve"
    boxed = play({BRIGADE: reserve(BRIGADE, "silchar"), FOOT: CENTRE}, "allied", "exploitation", markers=MARKERS)
    assert [c.value for c in GAME.options(boxed, Partial("release")).choices] == [BRIGADE]
    assert give(boxed, f"release {BRIGADE}").pieces[BRIGADE].mode == "combat"


@pytest.mark.rule("ocs-series/7", "ocs-series/5.9")
def test_without_reserves_there_is_nothing_to_move_in_reaction_or_exploitation() -> None:
    idle = {phase: MOVING.idle[phase] for phase in ("reaction", "exploitation")}
    units = {FOOT: CENTRE, BRIGADE: FAR}
    for phase, busy in (
        ("reaction", {BRIGADE: reserve(BRIGADE, FAR)}),
        ("exploitation", {FOOT: reserve(FOOT)}),
        ("exploitation", {FOOT: Piece(FOOT, CENTRE, "exploit")}),
    ):
        assert idle[phase](play(units, phase=phase))
        assert not idle[phase](play({**units, **busy}, phase=phase))
    assert idle["reaction"](play({**units, FOOT: reserve(FOOT)}, phase="reaction")), "the other side's reserves wait"


@pytest.mark.rule("ocs-series/5.7")
def test_the_marks_of_release_last_to_the_end_of_their_phase() -> None:
    units = {FOOT: CENTRE, BRIGADE: reserve(BRIGADE, FAR)}
    state = until(play(units, phase="movement", markers={**MARKERS, "stops": "all"}), "reaction")
    state = give(state, f"release {BRIGADE}", f"move {BRIGADE} by {by(GRID.neighbours[FAR][0])}", "done")
    assert state.phase == "reaction_barrage"
    assert state.markers["released"] == (BRIGADE,)
    assert state.pieces[BRIGADE].spent == 0
    assert "released" not in until(state, "barrage").markers


@pytest.mark.rule("ocs-series/5.7")
def test_in_his_next_movement_phase_the_owner_may_take_the_marker_off_by_choosing_a_mode() -> None:
    state = give(play({FOOT: reserve(FOOT), BRIGADE: S}, markers=MARKERS), f"mode {FOOT} move")
    assert (state.pieces[FOOT].mode, allowance(mover(state, FOOT))) == ("move", 60)
