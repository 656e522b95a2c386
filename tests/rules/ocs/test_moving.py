"""Modes chosen as units start to move: sides of counters, zones, Reserve markers, hedgehogs, how orders are built."""

from __future__ import annotations

import pytest
from movement_field import CENTRE, ENEMY, GRID, NE, N, S
from moving_field import by, codes, give, play, words

from burma_study.engine.game import Partial
from burma_study.errors import IllegalOrder
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.movement.moving import targets
from burma_study.rules.ocs.movement.reach import allowance, mover, reach
from burma_study.rules.ocs.state import Hedgehog, Piece, Rules, Transport

FOOT, OTHER, GUNS = "j/inf/2-215-33", "j/inf/1-215-33", "j/art/1-31-31"
BRIGADE, SECOND, CHINESE = "a/inf/63-17", "a/inf/48-17", "a/inf/64-22"
FOE = "a/inf/63-17"
ONE = {"reserve/japanese": 1}
pytestmark = pytest.mark.usefixtures("ground")


@pytest.mark.parametrize(
    ("mode", "face", "twelfths"), [("combat", "combat", 36), ("move", "move", 60), ("strat", "move", 120)]
)
@pytest.mark.rule("ocs-series/5.5", "ocs-series/5.6", "ocs-series/5.8")
def test_a_mode_shows_its_side_and_gives_its_allowance(mode: str, face: str, twelfths: int) -> None:
    before = "move" if mode == "combat" else "combat"
    state = give(play({FOOT: Piece(FOOT, CENTRE, before, before)}), f"mode {FOOT} {mode}")
    assert (state.pieces[FOOT].mode, state.pieces[FOOT].face) == (mode, face)
    assert allowance(mover(state, FOOT)) == twelfths


@pytest.mark.rule("ocs-series/5.7")
def test_reserve_keeps_the_side_that_shows_or_takes_the_one_that_is_named() -> None:
    state = play({FOOT: CENTRE}, markers=ONE)
    assert give(state, f"mode {FOOT} reserve").pieces[FOOT].face == "combat"
    moved = give(state, f"mode {FOOT} reserve with the move side up")
    assert (moved.pieces[FOOT].mode, moved.pieces[FOOT].face) == ("reserve", "move")
    assert codes(state, f"mode {FOOT} move with the combat side up") == ["face_of_mode"]


@pytest.mark.parametrize("mode", ["reserve", "strat"])
@pytest.mark.rule("ocs-series/4.5", "ocs-series/5.7", "ocs-series/5.8")
def test_no_going_over_to_reserve_or_strategic_mode_in_an_enemy_zone(mode: str) -> None:
    state = play({FOOT: CENTRE, FOE: N}, markers=ONE)
    assert codes(state, f"mode {FOOT} {mode}") == ["zone_mode"]
    assert FOE in words(state, f"mode {FOOT} {mode}")
    assert codes(state, f"mode {FOOT} move") == []


@pytest.mark.rule("ocs-series/5.10")
def test_a_disorganised_unit_chooses_between_combat_and_move() -> None:
    state = play({FOOT: Piece(FOOT, CENTRE, dg=True)}, markers=ONE)
    assert codes(state, f"mode {FOOT} reserve") == ["dg_mode"]
    assert codes(state, f"mode {FOOT} strat") == ["dg_mode"]
    assert codes(state, f"mode {FOOT} move") == []


@pytest.mark.rule("ocs-series/5.9")
def test_exploit_mode_is_earned_not_chosen() -> None:
    with pytest.raises(IllegalOrder):
        GAME.parse(f"mode {FOOT} exploit")


@pytest.mark.rule("ocs-series/6.1")
def test_a_mode_is_chosen_once_as_a_unit_starts_to_move() -> None:
    state = give(play({FOOT: CENTRE, OTHER: CENTRE}), f"mode {FOOT} move")
    assert codes(state, f"mode {FOOT} combat") == [], "nothing else has started yet"
    later = give(state, f"mode {OTHER} move")
    assert codes(later, f"mode {FOOT} combat") == ["mode-chosen"]
    assert codes(later, f"move {FOOT} by {by(N)}") == [], "it may still move"
    gone = give(state, f"move {FOOT} by {by(N)}")
    assert codes(gone, f"mode {FOOT} combat") == ["mode_change"]
    assert codes(gone, f"mode {FOOT} move") == ["mode_change"]


@pytest.mark.rule("ocs-series/13.2")
def test_transport_knows_only_move_mode_and_others_units_are_not_ordered() -> None:
    state = play({FOOT: CENTRE, FOE: S}).put("transport", "j/mule/1", Transport("j/mule/1", "japanese", "mule", 4, NE))
    assert codes(state, "mode j/mule/1 strat") == ["no_mode"]
    assert "not-owned" in codes(state, f"mode {FOE} move")
    assert codes(state, "mode j/inf/nobody move") == ["no-unit"]
    assert codes(state, f"mode {FOOT}, {FOOT} move") == ["twice"]


# markers --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/5.7")
def test_a_stack_shares_one_reserve_marker_and_another_place_needs_another() -> None:
    state = play({FOOT: CENTRE, OTHER: CENTRE, "j/inf/3-215-33": S}, markers=ONE)
    state = give(state, f"mode {FOOT}, {OTHER} reserve")
    assert codes(state, "mode j/inf/3-215-33 reserve") == ["no-reserve-marker"]
    assert codes(state, f"move {FOOT} by {by(N)}") == ["no-reserve-marker"], "one stack would become two"
    assert codes(state, f"move {FOOT}, {OTHER} by {by(N)}") == []
    free = give(state, f"mode {FOOT}, {OTHER} move")
    assert codes(free, "mode j/inf/3-215-33 reserve") == []


def test_burma_3_4d_one_marker_serves_any_number_of_units_in_a_box() -> None:
    units = {BRIGADE: Piece(BRIGADE, "silchar", "reserve"), SECOND: "silchar", "a/inf/80-20": CENTRE}
    state = play(units, "allied", markers={"reserve/allied": 1})
    assert codes(state, f"mode {SECOND} reserve") == []
    assert codes(state, "mode a/inf/80-20 reserve") == ["no-reserve-marker"]


def test_burma_3_7a_nobody_uses_the_markers_of_another_nationality() -> None:
    markers = {"reserve/allied": 2, "reserve/allied/commonwealth": 2, "reserve/allied/us_chinese": 0}
    state = play({BRIGADE: CENTRE, CHINESE: S}, "allied", markers=markers)
    assert codes(state, f"mode {BRIGADE} reserve") == []
    assert codes(state, f"mode {CHINESE} reserve") == ["no-reserve-marker"]


def test_burma_opt_2_5_only_artillery_is_in_reserve_in_a_hedgehog() -> None:
    units = {FOOT: CENTRE, GUNS: CENTRE, OTHER: Piece(OTHER, S, "reserve")}
    state = play(units, markers={"reserve/japanese": 5}).put("hedgehogs", CENTRE, Hedgehog("japanese", 1))
    assert codes(state, f"mode {FOOT} reserve") == ["hedgehog-reserve"]
    assert codes(state, f"mode {GUNS} reserve") == []
    assert codes(state, f"move {OTHER} by {by(CENTRE)}") == ["hedgehog-reserve"]


def test_burma_opt_2_5_nor_does_a_reserve_pass_through_a_hedgehog(ground) -> None:
    ground(routes=[("all_weather", (S, CENTRE, N))])
    state = play({OTHER: Piece(OTHER, S, "reserve", "move")}, markers=ONE)
    order = f"move {OTHER} by {by(CENTRE, N)}"
    assert codes(state, order) == []
    assert codes(state.put("hedgehogs", CENTRE, Hedgehog("japanese", 1)), order) == ["hedgehog-reserve"]


@pytest.mark.rule("ocs/opt.2.5")
def test_burma_opt_2_5_a_hedgehog_is_no_way_and_no_goal_for_a_reserve(ground) -> None:
    ground(routes=[("all_weather", (S, CENTRE, N))])
    state = play({OTHER: Piece(OTHER, S, "reserve", "move")}, markers=ONE)
    assert {CENTRE, N} <= {c.value[-1] for c in targets(state, (OTHER,))}
    dug = state.put("hedgehogs", CENTRE, Hedgehog("japanese", 1))
    assert not {CENTRE, N} & {c.value[-1] for c in targets(dug, (OTHER,))}
    at = Partial("move", {"units": (OTHER,)}, frozenset({"units"}))
    assert CENTRE not in {c.value for c in GAME.options(dug, at).choices}
    assert reach(dug, OTHER).may_end(CENTRE) == ("reserve_in_hedgehog",)
    guns = dug.put("pieces", OTHER, None).place(Piece(GUNS, S, "reserve", "move"))
    assert CENTRE in {c.value[-1] for c in targets(guns, (GUNS,))}


@pytest.mark.rule("ocs/opt.2.5", "ocs-series/5.7")
@pytest.mark.parametrize(("unit", "mode"), [(GUNS, "reserve"), (FOOT, "combat")])
def test_burma_opt_2_5_when_the_segment_ends_only_artillery_keeps_its_marker_in_a_hedgehog(unit, mode) -> None:
    """A reserve that others dig in loses its marker; one beside the hedgehog keeps it."""
    units = {u: Piece(u, at, "reserve") for u, at in ((unit, CENTRE), (OTHER, S))}
    state = play(units, markers={"reserve/japanese": 2}).put("hedgehogs", CENTRE, Hedgehog("japanese", 1))
    later = give(state, "done")
    assert (later.pieces[unit].mode, later.pieces[OTHER].mode) == (mode, "reserve")
    plain = give(state.with_(rules=Rules(options=())), "done")
    assert (plain.pieces[unit].mode, plain.pieces[OTHER].mode) == ("combat", "reserve"), "without it nobody does"


@pytest.mark.rule("ocs-series/5.7")
def test_no_goal_is_offered_for_which_a_marker_is_missing() -> None:
    state = play({FOOT: Piece(FOOT, CENTRE, "reserve", "move"), OTHER: Piece(OTHER, CENTRE, "reserve")}, markers=ONE)
    assert not targets(state, (FOOT,)), "one stack would become two"
    assert targets(state, (FOOT, OTHER))


@pytest.mark.rule("ocs-series/5.7")
def test_in_v43_a_reserve_in_a_hedgehog_loses_its_marker_when_the_segment_ends() -> None:
    state = play({GUNS: CENTRE}, version="v4.3", markers=ONE).put("hedgehogs", CENTRE, Hedgehog("japanese", 1))
    assert codes(state, f"mode {GUNS} reserve") == []
    later = give(state, f"mode {GUNS} reserve", "done")
    assert later.pieces[GUNS].mode == "combat"


# how orders are built -------------------------------------------------------------------------------------------------


def build(state, kind: str, *chosen: object) -> Partial:
    """A partial order after taking the named values, each of which has to be among the choices."""
    at = Partial(kind)
    for value in chosen:
        found = GAME.options(state, at)
        if value == "finish":
            at = at.finish(found.slot)
            continue
        assert value in [c.value for c in found.choices], (found.slot, value)
        at = found.take(value)
    return at


def test_an_order_to_move_is_built_hex_by_hex_with_the_cost_so_far(ground) -> None:
    ground(rest="jungle")
    state = play({FOOT: Piece(FOOT, CENTRE, "move", "move"), OTHER: CENTRE, FOE: GRID.at(10, 60)})
    at = build(state, "move", FOOT, "finish")
    beyond = GRID.neighbours[N][0]
    assert {c.value: c.cost for c in GAME.options(state, at).choices} == dict.fromkeys(GRID.adjacent[CENTRE], 24)
    at = GAME.options(state, at).take(N)
    second = GAME.options(state, at)
    assert second.complete is not None
    assert second.complete.text == f"move {FOOT} by {by(N)}"
    assert {c.value: (c.cost, c.hexes) for c in second.choices}[beyond] == (48, (N, beyond))
    assert not GAME.options(state, second.take(beyond)).choices, "one MP is left of five"


def test_a_destination_comes_with_the_whole_way_there() -> None:
    state = play({FOOT: CENTRE, OTHER: Piece(OTHER, CENTRE, "move", "move")})
    found = {c.value[-1]: c for c in targets(state, (FOOT, OTHER))}
    assert set(found) == set(GRID.disc(CENTRE, 3)) - {CENTRE}, "at the pace of the slower one"
    for hex_, choice in found.items():
        assert choice.cost == 12 * GRID.distance(CENTRE, hex_)
        assert codes(state, f"move {FOOT}, {OTHER} by {by(*choice.value)}") == []


def test_choices_of_modes_leave_out_what_is_forbidden() -> None:
    state = play({FOOT: CENTRE, FOE: N}, markers=ONE)
    found = GAME.options(state, build(state, "mode", FOOT, "finish"))
    assert [c.value for c in found.choices] == ["combat", "move"]
    assert [c.value for c in GAME.options(state, Partial("mode")).choices] == [FOOT]


def test_who_has_moved_or_cannot_move_is_not_offered() -> None:
    units = {FOOT: CENTRE, OTHER: Piece(OTHER, S, done=True), "j/inf/3-215-33": "dead", FOE: N}
    assert [c.value for c in GAME.options(play(units), Partial("move")).choices] == [FOOT]
    assert ENEMY == FOOT


@pytest.mark.rule("ocs/1.5")
def test_trucks_without_fuel_in_reach_are_not_offered() -> None:
    trucks = "a/mot/3-4_Bo"
    dry = play({trucks: CENTRE, FOOT: GRID.at(10, 60)}, "allied")
    assert not GAME.options(dry, Partial("move")).choices
    assert [c.value for c in GAME.options(play({trucks: CENTRE}, "allied", dumps={N: 1}), Partial("move")).choices] == [
        trucks
    ]


@pytest.mark.rule("ocs/3.1c")
def test_who_waits_in_arakan_chooses_no_mode_and_takes_no_marker() -> None:
    waiting = play({BRIGADE: Piece(BRIGADE, "arakan", "move", "move")}, "allied", markers={"reserve/allied": 1})
    assert codes(waiting, f"mode {BRIGADE} reserve") == ["no-unit"]
