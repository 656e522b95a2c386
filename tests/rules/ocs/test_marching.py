"""Marches: each unit pays each step, a stack at a time, fuel first; zones, goods, trace, special rules, full hexes."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from movement_field import CENTRE, GRID, NE, NW, SE, SW, TANKS, TRUCKS, N, S, made, wild
from moving_field import Loaded, by, codes, give, outcome, play, words

from burma_study.engine.game import Partial
from burma_study.engine.memo import by_identity
from burma_study.engine.step import Step
from burma_study.errors import IllegalOrder
from burma_study.rules.ocs import state as state_module
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.goods.losses import destroy
from burma_study.rules.ocs.movement.moving import targets
from burma_study.rules.ocs.movement.reach import reach
from burma_study.rules.ocs.movement.zoc import held, zones, zones_of
from burma_study.rules.ocs.state import Aircraft, Dump, Hedgehog, Piece, Rules, TraceSource, Transport
from burma_study.rules.ocs.supply.net import porters
from burma_study.rules.ocs.supply.trace import supply, tracing
from burma_study.rules.ocs.turn.script import Script, Victory

FOOT, OTHER, THIRD, HQ = "j/inf/2-215-33", "j/inf/1-215-33", "j/inf/3-215-33", "j/hq/33_Div"
BRIGADE, SECOND, CHINESE, COLUMN = "a/inf/63-17", "a/inf/48-17", "a/inf/64-22", "a/col/A-77-3"
ENGINEERS = "a/eng/823_Eng"
NN = GRID.neighbours[N][0]
NORTH = [GRID.at(10, r) for r in range(44, 70)]  # from CENTRE straight north
MULES = Transport("j/mule/1", "japanese", "mule", 8, CENTRE)
pytestmark = pytest.mark.usefixtures("ground")


def quick(unit: str, at: int = CENTRE, **rest) -> Piece:
    return Piece(unit, at, "move", "move", **rest)


def points(state, item: str) -> int:
    return sum(p.points for p in state.score.values() if (p.item, p.side) == (item, "japanese"))


# steps and points -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/6.2", "ocs-series/4.1")
def test_a_march_pays_hex_and_hexside_step_by_step(ground) -> None:
    ground(terrain={NN: "jungle"}, rivers={(CENTRE, N): "minor"})
    after = give(play({FOOT: quick(FOOT)}), f"move {FOOT} by {by(N, NN)}").pieces[FOOT]
    assert (after.at, after.spent, after.done) == (NN, 12 + 12 + 24, False)


@pytest.mark.rule("ocs-series/6.1-roads")
def test_a_road_costs_half_a_point_whatever_the_ground_beside_it(ground) -> None:
    ground(rest="mountain", routes=[("all_weather", NORTH)])
    found = outcome(play({FOOT: CENTRE}), f"move {FOOT} by {by(*NORTH[1:7])}")
    assert found.state.pieces[FOOT].spent == 36
    assert "ocs-series/6.1-roads" in found.rules
    assert codes(found.state, f"move {FOOT} by {by(NORTH[7])}") == ["spent"]


@pytest.mark.rule("ocs-series/6.1")
def test_a_stack_moves_together_and_each_unit_pays_its_own_costs(ground) -> None:
    ground(rest="jungle", routes=[("all_weather", NORTH)])
    state = play({BRIGADE: quick(BRIGADE), TANKS: CENTRE}, "allied", dumps={CENTRE: 4})
    state = give(state, f"move {BRIGADE}, {TANKS} by {by(N)}")
    assert (state.pieces[BRIGADE].spent, state.pieces[TANKS].spent) == (6, 6)
    aside = GRID.neighbours[N][1]
    assert codes(state, f"move {BRIGADE} by {by(aside)}") == []
    assert codes(state, f"move {BRIGADE}, {TANKS} by {by(aside)}") == ["no-step"]
    assert TANKS in words(state, f"move {BRIGADE}, {TANKS} by {by(aside)}")


@pytest.mark.rule("ocs-series/6.1")
def test_a_unit_may_be_dropped_on_the_way_and_has_moved() -> None:
    state = give(play({FOOT: quick(FOOT), OTHER: quick(OTHER)}), f"move {FOOT}, {OTHER} by {by(N)}")
    state = give(state, f"move {FOOT} by {by(NN)}")
    assert (state.pieces[OTHER].at, state.pieces[OTHER].done) == (N, True)
    assert codes(state, f"move {OTHER} by {by(NN)}") == ["done"]
    assert codes(state, f"move {FOOT} by {by(NORTH[3])}") == []


@pytest.mark.rule("ocs-series/6.1")
def test_nobody_comes_back_to_a_half_moved_unit_or_is_taken_up_on_the_way() -> None:
    state = give(play({FOOT: quick(FOOT), OTHER: quick(OTHER, N)}), f"move {FOOT} by {by(N)}")
    assert codes(state, f"move {FOOT}, {OTHER} by {by(NN)}") == ["half-moved"]
    state = give(state, f"move {OTHER} by {by(NN)}")
    assert state.pieces[FOOT].done
    assert codes(state, f"move {FOOT} by {by(NN)}") == ["done"]


@pytest.mark.rule("ocs-series/6.2-minimum")
def test_one_hex_is_always_possible_and_takes_all_there_is(ground) -> None:
    ground(rest="mountain", rivers={(CENTRE, N): "major"})
    state = play({FOOT: CENTRE})  # three points against five
    found = outcome(state, f"move {FOOT} by {by(N)}")
    assert found.state.pieces[FOOT].spent == 36
    assert "ocs-series/6.2-minimum" in found.rules
    assert codes(state, f"move {FOOT} by {by(N, NN)}") == ["spent"]
    assert codes(give(state, f"move {FOOT} by {by(S)}"), f"move {FOOT} by {by(GRID.neighbours[S][3])}") == ["spent"]


def test_a_path_without_its_hexes_in_a_row_or_without_the_unit_is_no_order() -> None:
    state = play({FOOT: CENTRE, OTHER: S})
    assert codes(state, f"move {FOOT} by {by(NN)}") == ["gap"]
    assert codes(state, f"move {FOOT}, {OTHER} by {by(N)}") == ["apart"]
    assert codes(state, f"move j/inf/nobody by {by(N)}") == ["no-unit"]
    assert codes(play({FOOT: "silchar"}), f"move {FOOT} by {by(N)}") == ["in_box"]


def test_a_refused_march_changes_nothing() -> None:
    state = play({FOOT: CENTRE, BRIGADE: N})
    with pytest.raises(IllegalOrder, match="Enemy units hold"):
        give(state, f"move {FOOT} by {by(N)}")
    assert state.pieces[FOOT] == Piece(FOOT, CENTRE)


@pytest.mark.rule("ocs-series/13.8", "ocs/2.4a")
def test_a_division_hq_bridges_for_leg_units_only(ground) -> None:
    ground(rivers={(CENTRE, N): "minor"})
    bridged = play({FOOT: CENTRE, HQ: CENTRE})
    assert give(bridged, f"move {FOOT} by {by(N)}").pieces[FOOT].spent == 12
    assert give(play({FOOT: CENTRE}), f"move {FOOT} by {by(N)}").pieces[FOOT].spent == 24
    truck = bridged.place(Piece("j/hq/15_Army", CENTRE, "move", "move")).put("dumps", CENTRE, Dump("japanese", 4))
    assert give(truck, f"move j/hq/15_Army by {by(N)}").pieces["j/hq/15_Army"].spent == 24 + 48


# against the search ---------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["combat", "move", "reserve"]), st.sampled_from(["normal", "flood"]))
def test_the_path_check_and_the_search_of_reach_agree(seed: int, mode: str, ground: str) -> None:
    board, dice = wild(seed), Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state_module, "load_board", lambda _id: board)
        land = [h for h in GRID.disc(CENTRE, 4) if board.terrain[h] != "lake"]
        start, enemy, friend = dice.sample(land, 3)
        face = "move" if mode == "move" else "combat"
        units = {FOOT: Piece(FOOT, start, mode, face), BRIGADE: enemy, OTHER: friend}
        state = play(units, ground=ground, markers={"reserve/japanese": 3})
        found = reach(state, FOOT)
        for choice in targets(state, (FOOT,)):
            end = choice.value[-1]
            after = give(state, f"move {FOOT} by {by(*choice.value)}").pieces[FOOT]
            assert (after.at, after.spent) == (end, found.cost(end))
        for hex_ in GRID.adjacent[start]:
            allowed = codes(state, f"move {FOOT} by {by(hex_)}") == []
            straight = hex_ in found and len(found.path(hex_)) == 2
            assert allowed >= straight, GRID.label(hex_)
            assert hex_ in found or not allowed, GRID.label(hex_)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_what_the_enemy_holds_is_handed_on_as_it_is(seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state_module, "load_board", lambda _id: made())
        dice = Random(seed)
        places = dice.sample(GRID.disc(CENTRE, 4), 6)
        units = dict(zip((FOOT, OTHER, THIRD, BRIGADE, SECOND, COLUMN), places, strict=True))
        state = play({u: quick(u, h) for u, h in units.items()})
        for _ in range(6):
            zones(state, "allied"), held(state, "allied")
            unit = dice.choice((FOOT, OTHER, THIRD))
            ways = targets(state, (unit,))
            if not ways:
                continue
            state = give(state, f"move {unit} by {by(*dice.choice(ways).value)}")
            fresh = GAME.load(GAME.dump(state))
            for side in ("allied", "japanese"):
                assert held(state, side) == held(fresh, side)
                assert zones_of(state, side).exerting == zones_of(fresh, side).exerting
            assert state.total == state.rebuilt_total()


# fuel -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/12.5", "ocs/1.5")
def test_burma_1_5_a_token_a_unit_and_phase_before_the_first_step() -> None:
    state = play({TANKS: CENTRE, TRUCKS: CENTRE}, "allied", dumps={NW: 5})
    state = give(state, f"move {TANKS}, {TRUCKS} by {by(N)}")
    assert state.dumps[NW].tokens == 3
    again = give(state, f"move {TANKS} by {by(NN)}")
    assert again.dumps[NW].tokens == 3, "paid for the whole phase"
    assert give(play({FOOT: CENTRE}, dumps={CENTRE: 5}), f"move {FOOT} by {by(N)}").dumps[CENTRE].tokens == 5


def test_burma_1_5_no_fuel_no_march() -> None:
    state = play({TANKS: CENTRE}, "allied")
    assert codes(state, f"move {TANKS} by {by(N)}") == ["cannot-pay"]
    at = Partial("move", {"units": (TANKS,)}, frozenset({"units"}))
    assert not GAME.options(state, at).choices


@pytest.mark.rule("ocs/1.5")
def test_the_store_that_pays_may_be_named() -> None:
    state = play({TANKS: CENTRE}, "allied", dumps={NW: 2, SE: 2})
    choices = GAME.options(state, Partial("move", {"units": (TANKS,), "path": (N,)}), "fuel").choices
    assert {c.value for c in choices} == {GRID.label(NW), GRID.label(SE)}
    after = give(state, f"move {TANKS} by {by(N)} paying {GRID.label(SE)}")
    assert (after.dumps[NW].tokens, after.dumps[SE].tokens) == (2, 1)
    assert codes(state, f"move {TANKS} by {by(N)} paying {GRID.label(S)}") == ["no-such-payment"]


@pytest.mark.rule("ocs-series/13.2")
def test_transport_moves_in_its_owners_movement_phase_without_fuel() -> None:
    state = play({FOOT: CENTRE}).put("transport", MULES.id, MULES)
    after = give(state, f"move {MULES.id} by {by(N, NN)}")
    assert (after.transport[MULES.id].at, after.transport[MULES.id].spent) == (NN, 24)
    extender = state.put("transport", MULES.id, Transport("j/mule/1", "japanese", "truck", 20, CENTRE, extender=True))
    assert codes(extender, f"move {MULES.id} by {by(N)}") == ["extender"]


# zones ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/4.5", "ocs-series/4.5-negation")
def test_trucks_stop_in_an_enemy_zone_that_no_friend_negates(ground) -> None:
    ground(rest="jungle", routes=[("all_weather", NORTH)])
    units = {TRUCKS: CENTRE, FOOT: GRID.neighbours[NORTH[2]][1]}
    state = play(units, "allied", dumps={CENTRE: 4})
    assert set(zones(state, "japanese")) & set(NORTH) == {NORTH[2], NORTH[3]}
    assert codes(state, f"move {TRUCKS} by {by(*NORTH[1:4])}") == ["must-stop"]
    assert FOOT in words(state, f"move {TRUCKS} by {by(*NORTH[1:4])}")
    stopped = give(state, f"move {TRUCKS} by {by(*NORTH[1:3])}")
    assert codes(stopped, f"move {TRUCKS} by {by(NORTH[1])}") == ["done"]
    friends = state.place(Piece(BRIGADE, NORTH[2])).place(Piece(SECOND, NORTH[3]))
    assert codes(friends, f"move {TRUCKS} by {by(*NORTH[1:5])}") == []


@pytest.mark.rule("ocs-series/4.5-negation")
def test_a_stack_does_not_negate_a_zone_for_the_trucks_that_move_with_it(ground) -> None:
    ground(rest="jungle", routes=[("all_weather", NORTH)])
    units = {TRUCKS: CENTRE, BRIGADE: quick(BRIGADE), FOOT: GRID.neighbours[NORTH[2]][1]}
    state = play(units, "allied", dumps={CENTRE: 4})
    assert codes(state, f"move {TRUCKS}, {BRIGADE} by {by(*NORTH[1:4])}") == ["must-stop"]
    state = give(state, f"move {TRUCKS}, {BRIGADE} by {by(*NORTH[1:3])}")
    assert (state.pieces[TRUCKS].done, state.pieces[BRIGADE].done) == (True, False)
    assert codes(state, f"move {BRIGADE} by {by(NORTH[3])}") == []


# strategic mode -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/5.8", "ocs-series/5.8-trace")
def test_strategic_mode_enters_no_zone_and_ends_where_trace_is_possible() -> None:
    source = TraceSource("japanese", CENTRE, "point")
    state = play({FOOT: Piece(FOOT, CENTRE, "strat", "move"), BRIGADE: NORTH[10]}, markers={"sources": (source,)})
    assert codes(state, f"move {FOOT} by {by(*NORTH[1:7])}") == [], "five and the hex beside it"
    assert codes(state, f"move {FOOT} by {by(*NORTH[1:8])}") == ["no_trace"]
    assert codes(state, f"move {FOOT} by {by(*NORTH[1:10])}") == ["enemy_zone", "no_trace"]
    after = give(state, f"move {FOOT} by {by(*NORTH[1:7])}").pieces[FOOT]
    assert after.spent == 72, "of twice five"


@pytest.mark.rule("ocs-series/5.8", "ocs-series/5.8-trace")
def test_an_hq_marches_in_strategic_mode_where_it_could_draw_though_it_draws_not_in_that_mode() -> None:
    """What is shown, what is ordered and the end of the segment have one answer: a draw is 5 MP, and the hex beside."""
    source = TraceSource("japanese", CENTRE, "point")
    state = play({HQ: Piece(HQ, CENTRE, "strat", "move")}, markers={"sources": (source,)})
    near, far = NORTH[1], NORTH[9]
    assert not supply(state, "japanese").traces[HQ].in_supply
    assert [tracing(state, HQ)(state, HQ, at) for at in (near, far)] == [True, False]
    assert codes(state, f"move {HQ} by {by(near)}") == []
    shown = GAME.options(state, Partial("move", {"units": (HQ,)}), "path").choices
    assert near in [c.value for c in shown or ()]
    after = give(state, f"move {HQ} by {by(near)}")
    assert give(after, "done").pieces[HQ].mode == "strat"
    away = play({HQ: Piece(HQ, far, "strat", "move")}, markers={"sources": (source,)})
    assert give(away, "done").pieces[HQ].mode == "move"


@pytest.mark.rule("ocs-series/5.8-trace", "ocs-series/12.6")
def test_whoever_cannot_trace_at_the_end_of_the_segment_is_out_of_strategic_mode() -> None:
    source = TraceSource("japanese", CENTRE, "point")
    units = {FOOT: CENTRE, OTHER: NORTH[9], THIRD: NORTH[2], BRIGADE: NORTH[20]}
    state = play(units, markers={"sources": (source,)})
    state = give(state, f"mode {FOOT} strat", f"mode {OTHER} strat", f"mode {THIRD} strat")
    state = give(state, f"move {THIRD} by {by(*NORTH[3:7])}")
    found = outcome(state, "done")
    assert {u: found.state.pieces[u].mode for u in (FOOT, OTHER, THIRD)} == {
        FOOT: "strat",
        OTHER: "move",
        THIRD: "strat",
    }
    assert found.state.pieces[OTHER].face == "move"
    assert "ocs-series/5.8-trace" in found.rules
    assert "ocs-series/5.8-trace" not in outcome(play({OTHER: NORTH[9], BRIGADE: NORTH[20]}), "done").rules


@pytest.mark.rule("ocs-series/5.8-trace", "ocs-series/12.3b")
def test_a_headquarters_that_marches_off_takes_strategic_mode_from_those_it_fed() -> None:
    source = TraceSource("japanese", CENTRE, "point")
    far = NORTH[7]
    state = play({HQ: CENTRE, FOOT: Piece(FOOT, far, "strat", "move")}, markers={"sources": (source,)})
    assert give(state, "done").pieces[FOOT].mode == "strat"
    gone = give(state, f"mode {HQ} strat", f"move {HQ} by {by(S)}")
    assert give(gone, "done").pieces[FOOT].mode == "move", "in Strategic Mode it throws nothing"


# goods on the way -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/4.4c", "ocs-series/9.14b")
def test_a_unit_that_can_attack_takes_the_dumps_on_its_way_and_goes_on() -> None:
    state = play({FOOT: quick(FOOT)}).put("dumps", N, Dump("allied", 8)).put("dumps", NN, Dump("allied", 4))
    found = outcome(state, f"move {FOOT} by {by(*NORTH[1:4])}", Loaded(6, 1))
    assert [r.dice for r in found.rolls] == [(6,), (1,)]
    assert (found.state.dumps[N].side, found.state.dumps[N].tokens) == ("japanese", 6)
    assert NN not in found.state.dumps
    assert (found.state.pieces[FOOT].at, found.state.pieces[FOOT].spent) == (NORTH[3], 36)
    assert not found.state.frames


@pytest.mark.rule("ocs-series/4.4c")
def test_goods_shut_a_hex_to_those_who_cannot_attack() -> None:
    state = play({HQ: quick(HQ)}).put("dumps", N, Dump("allied", 8))
    assert codes(state, f"move {HQ} by {by(N)}") == ["enemy_goods"]
    escorted = state.place(quick(FOOT))
    assert codes(escorted, f"move {HQ}, {FOOT} by {by(N)}") == []
    waiting = play({FOOT: Piece(FOOT, CENTRE, "strat", "move")}).put("dumps", N, Dump("allied", 8))
    assert "enemy_goods" in codes(waiting, f"move {FOOT} by {by(N)}")


@pytest.mark.rule("ocs-series/9.14b")
def test_the_owner_moves_the_transport_he_keeps_and_the_march_goes_on() -> None:
    mules = Transport("a/mule/1", "allied", "mule", 8, N)
    state = play({FOOT: quick(FOOT)}).put("transport", mules.id, mules)
    asked = outcome(state, f"move {FOOT} by {by(N, NN)}", Loaded(1)).state
    assert (GAME.decision(asked).actor, GAME.decision(asked).kinds) == ("allied", ("displace",))
    assert asked.pieces[FOOT].at == N
    assert codes(asked, f"move {FOOT} by {by(NN)}") == ["decision-open"]
    away = GRID.at(10, 46)
    after = give(asked, f"displace a/mule/1 to {by(away)}")
    assert (after.pieces[FOOT].at, after.pieces[FOOT].spent) == (NN, 24)
    assert not after.frames


def test_burma_2_6c_a_hedgehog_that_the_japanese_abandon_goes() -> None:
    state = play({FOOT: CENTRE, OTHER: CENTRE}).put("hedgehogs", CENTRE, Hedgehog("japanese", 1))
    left = give(state, f"move {FOOT} by {by(N)}")
    assert CENTRE in left.hedgehogs
    assert CENTRE not in give(left, f"move {OTHER} by {by(N)}").hedgehogs


# special rules --------------------------------------------------------------------------------------------------------


def test_burma_2_7a_the_ina_does_not_go_east(ground) -> None:
    east = GRID.neighbours[SE][2]
    ground(bank=["east" if h in (SE, NE, east) else "west" for h in GRID])
    state = play({"j/inf/1-INA": quick("j/inf/1-INA")})
    assert codes(state, f"move j/inf/1-INA by {by(SE)}") == [], "beside the river"
    ground(bank=["east" if GRID.line_position(h)[0] > 10 else "west" for h in GRID])
    assert codes(state, f"move j/inf/1-INA by {by(SE, east)}") == ["ina"]


def test_burma_2_7a_the_ina_that_was_set_up_in_the_east_may_march_to_its_area(ground) -> None:
    ground(bank=["east" if GRID.line_position(h)[0] > 7 else "west" for h in GRID])
    ina, path = "j/inf/1-INA", [GRID.at(c, 44) for c in (9, 8)]
    state = play({ina: quick(ina)})
    assert codes(state, f"move {ina} by {by(*path)}") == []
    there = give(state, f"move {ina} by {by(*path)}")
    assert codes(there, f"move {ina} by {by(path[0])}") == ["ina"], "but not back"


@pytest.mark.rule("ocs-series/erratum.13", "ocs/3.6b")
def test_chindits_come_west_only_from_8_april_and_cost_points(ground) -> None:
    ground(bank=["east" if GRID.line_position(h)[0] > 9 else "west" for h in GRID])
    markers = {"calendar": ("1944-04-05", "1944-04-08")}
    state = play({COLUMN: quick(COLUMN)}, "allied", markers=markers)
    assert codes(state, f"move {COLUMN} by {by(SW)}") == ["chindits-late"]
    assert codes(state, f"move {COLUMN} by {by(SE)}") == []
    assert codes(state.with_(turn=2), f"move {COLUMN} by {by(SW)}") == []


@pytest.mark.rule("ocs-series/erratum.9", "ocs-series/erratum.13")
def test_the_823_engineers_are_bound_like_chindits_by_the_erratum(ground) -> None:
    ground(bank=["east" if GRID.line_position(h)[0] > 9 else "west" for h in GRID])
    markers = {"calendar": ("1944-04-05", "1944-04-08")}
    state = play({ENGINEERS: quick(ENGINEERS)}, "allied", markers=markers)
    order = f"move {ENGINEERS} by {by(SW)}"
    assert codes(state, order) == ["chindits-late"]
    assert SW not in reach(state, ENGINEERS)
    assert reach(state, ENGINEERS).why_not(SW).code == "chindits-late"
    for rules in (Rules(errata_off=("erratum.9",)), Rules(errata_off=("erratum.13",)), Rules(errata=False)):
        assert codes(state.with_(rules=rules), order) == []
    assert SW in reach(state.with_(turn=2), ENGINEERS)


@pytest.mark.rule("ocs-series/erratum.13")
def test_a_chindit_that_stands_west_by_its_set_up_may_move_there(ground) -> None:
    ground(bank=["east" if GRID.line_position(h)[0] > 9 else "west" for h in GRID])
    state = play({COLUMN: quick(COLUMN, SW)}, "allied", markers={"calendar": ("1944-04-05",)})
    assert codes(state, f"move {COLUMN} by {by(GRID.neighbours[SW][0])}") == []


def west_column(ground, at: int = CENTRE):
    """A column on the east bank of a river, on turn 1, after 8 April, in a scenario that counts points."""
    ground(bank=["east" if GRID.line_position(h)[0] > 9 else "west" for h in GRID])
    victory = Victory("points")
    markers = {"calendar": ("1944-04-08",), "script": Script(victory=victory)}
    return play({COLUMN: quick(COLUMN, at), ENGINEERS: quick(ENGINEERS, at)}, "allied", markers=markers)


@pytest.mark.rule("ocs/3.6b-west", "ocs/3.6b")
def test_burma_3_6b_points_are_given_the_moment_a_column_enters_the_west_though_it_goes_back(ground) -> None:
    state = west_column(ground)
    after = give(state, f"move {COLUMN} by {by(SW, NW, N)}")
    assert after.pieces[COLUMN].at == N
    assert points(after, "chindit-west") == 3
    assert "crossed_west" not in after.markers
    again = give(after.with_(turn=1), f"move {COLUMN} by {by(NW)}")
    assert points(again, "chindit-west") == 3, "once for each unit"
    assert points(give(state, f"move {COLUMN} by {by(N)}"), "chindit-west") == 0


@pytest.mark.rule("ocs/3.6b-west", "ocs-series/9.12")
def test_burma_3_6b_a_retreat_through_the_west_counts_as_well(ground) -> None:
    step = Step(west_column(ground), Loaded(), GAME.clock)
    step.open("aftermath")
    step.open("withdrawal", side="allied", units=(COLUMN,), path=(SW, NW, N), gone=0, cause="combat")
    step.settle(GAME.procedures)
    assert step.state.pieces[COLUMN].at == N
    assert points(step.state, "chindit-west") == 3


@pytest.mark.rule("ocs/3.6b-west", "ocs-series/erratum.9")
def test_burma_3_6b_the_823_engineers_count_by_the_erratum(ground) -> None:
    state = west_column(ground)
    order = f"move {ENGINEERS} by {by(SW)}"
    assert points(give(state, order), "chindit-west") == 3
    assert points(give(state.with_(rules=Rules(errata_off=("erratum.9",))), order), "chindit-west") == 0


@pytest.mark.rule("ocs/3.6b", "ocs-series/erratum.9", "ocs/3.9b")
def test_burma_3_6b_the_823_engineers_that_come_back_leave_play_but_not_those_that_were_lost(ground) -> None:
    state = give(west_column(ground), f"move {ENGINEERS} by {by(N)}")
    assert ENGINEERS in state.markers["landed"]
    step = Step(state, Loaded(), GAME.clock)
    destroy(step, ENGINEERS, "attrition")
    assert (step.state.pieces[ENGINEERS].at, step.state.markers["landed"]) == ("ledo", (COLUMN,))
    lost = give(step.state, f"move {COLUMN} by {by(N)}")
    assert lost.pieces[ENGINEERS].at == "ledo", "returned as a replacement (3.9b)"
    step = Step(state, Loaded(), GAME.clock)
    step.open("aftermath")
    step.put("flown", "pieces", ENGINEERS, Piece(ENGINEERS, "ledo", "move", "move"))
    step.settle(GAME.procedures)
    assert step.state.pieces[ENGINEERS].at == "gone"


def test_the_scenarios_map_ends_where_it_says() -> None:
    state = play({FOOT: quick(FOOT)}, markers={"area": (CENTRE, S)})
    assert codes(state, f"move {FOOT} by {by(N)}") == ["area"]
    assert codes(state, f"move {FOOT} by {by(S)}") == []


def test_burma_opt_3l_serious_interdiction_adds_three_points_to_the_ordinary_one() -> None:
    planes = [Aircraft(f"a/b-25/{n}", "allied", "b-25", N) for n in (1, 2)]
    state = play({FOOT: quick(FOOT)})
    for plane in planes:
        state = state.put("aircraft", plane.id, plane)
    assert give(state, f"move {FOOT} by {by(N)}").pieces[FOOT].spent == 60, (
        "ground 1, interdiction 1 (14.15), serious 3"
    )
    assert (
        give(state.place(quick(BRIGADE)).with_(player="allied"), f"move {BRIGADE} by {by(N)}").pieces[BRIGADE].spent
        == 12
    )


def test_whose_turn_it_is_and_the_phase_decide_who_moves() -> None:
    state = play({FOOT: CENTRE, BRIGADE: NN})
    assert codes(state, f"move {BRIGADE} by {by(NORTH[3])}") == ["not-owned"]
    assert "not-now" in codes(state.with_(phase="supply"), f"move {FOOT} by {by(N)}")


# the end of the segment -----------------------------------------------------------------------------------------------


def heap(side: str) -> dict[str, int]:
    """Eleven brigades or so in one hex: 11 RE."""
    from burma_study.rules.ocs.counters import counters

    whole = [c.id for c in counters().values() if c.side == side and c.re == 1 and c.group != "us_chinese"]
    return dict.fromkeys(whole[:11], CENTRE)


@pytest.mark.rule("ocs-series/4.8")
def test_the_owner_destroys_what_is_over_ten_re_when_the_segment_ends() -> None:
    units = heap("allied")
    state = give(play(units, "allied"), "done")
    decision = GAME.decision(state)
    assert (decision.actor, decision.kinds) == ("allied", ("give up",))
    assert codes(state, "done") == ["decision-open"]
    assert {c.value for c in GAME.options(state, Partial("give up")).choices} == set(units)
    assert codes(state, "give up a/inf/nobody") == ["not-crowded"]
    victim = next(iter(units))
    after = give(state, f"give up {victim}")
    assert after.pieces[victim].at in ("dead", "gone", "ledo")
    assert all(f.procedure != "crowding" for f in after.frames)


@pytest.mark.rule("ocs-series/4.8")
def test_moving_through_a_full_hex_is_nobodys_loss() -> None:
    units = {**heap("allied"), BRIGADE: quick(BRIGADE, S)}
    units = {u: (p if isinstance(p, Piece) else CENTRE) for u, p in units.items()}
    for spare in [u for u in units if u != BRIGADE][10:]:
        del units[spare]
    state = play(units, "allied")
    through = give(state, f"move {BRIGADE} by {by(CENTRE, N)}", "done")
    assert "give up" not in GAME.decision(through).kinds


def test_burma_3_7a_commonwealth_and_chinese_do_not_end_in_one_hex() -> None:
    state = play({BRIGADE: CENTRE, CHINESE: quick(CHINESE, S)}, "allied")
    state = give(state, f"move {CHINESE} by {by(CENTRE)}", "done")
    assert GAME.decision(state).kinds == ("give up",)
    assert "ocs/3.7a" in outcome(give(play({BRIGADE: CENTRE, CHINESE: CENTRE}, "allied")), "done").rules


@pytest.mark.rule("ocs-series/6.1")
def test_marks_of_the_march_are_gone_in_the_next_phase() -> None:
    state = give(play({FOOT: quick(FOOT), OTHER: quick(OTHER, S)}), f"move {FOOT} by {by(N)}", f"mode {OTHER} combat")
    assert state.pieces[FOOT].done
    state = give(state, "done")
    assert (state.pieces[FOOT].spent, state.pieces[FOOT].done) == (0, False)
    assert not {"moving", "mode_chosen"} & set(state.markers)


def test_burma_2_4b_porters_stand_with_their_hq_when_the_movement_phase_begins() -> None:
    units = {HQ: CENTRE, FOOT: quick(FOOT), OTHER: quick(OTHER, S), BRIGADE: GRID.at(10, 60)}
    state = play(units, phase="reinforcement", markers={"stops": "all"})
    state = give(state, "done")
    assert state.phase == "movement"
    assert state.markers["porters"] == ((HQ, FOOT),)
    state = give(state, f"move {OTHER} by {by(CENTRE)}")
    assert porters(state, state.pieces[HQ]) == 1, "the newcomer carries nothing this turn"
    state = give(state, f"move {FOOT} by {by(N)}")
    assert porters(state, state.pieces[HQ]) == 0


# transport at work ----------------------------------------------------------------------------------------------------


def convoy():
    truck = Transport("j/truck/1", "japanese", "truck", 8, CENTRE)
    state = play({FOOT: quick(FOOT, S)}, dumps={CENTRE: 8, N: 4})
    return state.put("transport", truck.id, truck)


@pytest.mark.rule("ocs-series/6.1", "ocs-series/13.2f")
def test_loading_is_part_of_a_move_and_ends_that_of_others() -> None:
    state = give(convoy(), f"move {FOOT} by {by(CENTRE)}", "load 4 T on j/truck/1")
    assert state.pieces[FOOT].done
    state = give(state, f"move j/truck/1 by {by(N)}")
    assert state.transport["j/truck/1"].at == N
    other = give(convoy(), "load 4 T on j/truck/1", f"move {FOOT} by {by(CENTRE)}")
    assert codes(other, f"move j/truck/1 by {by(N)}") == ["done"]


@pytest.mark.rule("ocs-series/6.1")
def test_transport_split_on_the_move_is_on_the_move_in_both_parts() -> None:
    state = give(convoy(), f"move j/truck/1 by {by(N)}", "split 4 T off j/truck/1")
    assert state.markers["moving"] == ("j/truck/1", "j/truck/2")
    state = give(state, f"move j/truck/1 by {by(NN)}")
    assert state.transport["j/truck/2"].done, "left behind half way"
    whole = give(convoy(), f"move j/truck/1 by {by(N)}", "split 4 T off j/truck/1", "merge j/truck/1 into j/truck/2")
    assert codes(whole, f"move j/truck/2 by {by(NN)}") == []


# what is kept between states ------------------------------------------------------------------------------------------


def test_what_is_long_to_hash_is_remembered_by_the_object_itself() -> None:
    calls = []

    @by_identity
    def size(things: tuple[int, ...]) -> int:
        calls.append(things)
        return len(things)

    first, second = tuple(range(3)), tuple(range(3))
    assert [size(first), size(first), size(second), size(first)] == [3, 3, 3, 3]
    assert len(calls) == 2, "equal things are two, and each was looked at once"
