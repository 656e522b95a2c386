"""Steps lost, where the dead go, goods that change hands."""

from __future__ import annotations

import pytest
from movement_field import CENTRE, GRID, SE, N, made
from moving_field import Loaded, codes, play

from burma_study.engine.dice import KeyedDice
from burma_study.engine.step import Step
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.goods.losses import capture, destroy, lose_steps, percent, refuges, spoils, vacate
from burma_study.rules.ocs.state import Base, Dump, Hedgehog, Piece, TraceSource, Transport

BATTALION, GUNS, GARRISON, INA = "j/inf/2-215-33", "j/art/3-33-33", "j/gar/1", "j/inf/1-INA"
BRIGADE, MARAUDERS, ENGINEERS, COLUMN = "a/inf/63-17", "a/inf/1-Gal", "a/eng/823_Eng", "a/col/A-77-3"


@pytest.fixture(autouse=True)
def field_(ground):
    """Open ground everywhere."""
    ground(made())


def stepping(state, *dice):
    return Step(state, Loaded(*dice), GAME.clock)


def killed(unit, cause="combat", **marks):
    step = stepping(play({unit: Piece(unit, CENTRE, **marks)}, turn=3))
    destroy(step, unit, cause)
    return step.state


# where they go --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "cause", "pile"),
    [
        (BATTALION, "combat", "dead_bn"),
        (GARRISON, "attrition", "dead_bn"),
        (GUNS, "combat", "dead"),
        (INA, "retreat", "dead"),
        (BRIGADE, "combat", "dead"),
    ],
)
def test_burma_2_3_battalions_and_garrisons_have_their_own_pile(unit, cause, pile):
    assert killed(unit, cause).pieces[unit] == Piece(unit, pile)


@pytest.mark.rule("ocs/2.6b-losses")
def test_burma_2_6b_battalions_lost_in_a_banzai_attack_never_return():
    assert killed(BATTALION, "banzai").pieces[BATTALION].at == "gone"
    assert killed(BRIGADE, "banzai").pieces[BRIGADE].at == "dead"


def test_burma_1_10_yellow_dot_units_never_return():
    assert killed(COLUMN).pieces[COLUMN].at == "gone"
    assert killed("a/inf/1-Gal-R").pieces["a/inf/1-Gal-R"].at == "gone"


def test_burma_3_3b_white_dot_marauders_roll_from_the_next_turn():
    state = killed(MARAUDERS, "attrition")
    assert state.pieces[MARAUDERS].at == "dead"
    assert state.markers[f"returning/{MARAUDERS}"] == 4


@pytest.mark.parametrize(
    ("cause", "to"), [("combat", "dead"), ("retreat", "dead"), ("attrition", "ledo"), ("barrage", "ledo")]
)
def test_burma_3_9b_823_engineers_return_at_once_unless_combat_killed_them(cause, to):
    assert killed(ENGINEERS, cause, oos=True, stocks=0).pieces[ENGINEERS] == Piece(ENGINEERS, to)


def test_series_9_11_steps_go_one_by_one_and_no_more_than_there_are():
    unit = "a/inf/28_Yunnan"
    step = stepping(play({unit: Piece(unit, CENTRE, steps=3, oos=True)}, "allied"))
    assert lose_steps(step, unit, 2, "combat") == 2
    assert step.state.pieces[unit] == Piece(unit, CENTRE, steps=1, oos=True)
    assert lose_steps(step, unit, 0, "combat") == 0
    assert lose_steps(step, unit, 5, "combat") == 1
    assert step.state.pieces[unit].at == "dead"


def test_burma_2_6c_an_abandoned_level_1_hedgehog_of_the_japanese_goes():
    for level, side, units, stays in [
        (1, "japanese", {}, False),
        (1, "japanese", {BATTALION: CENTRE}, True),
        (2, "japanese", {}, True),
        (1, "allied", {}, True),
    ]:
        step = stepping(play(units).put("hedgehogs", CENTRE, Hedgehog(side, level)))
        vacate(step, CENTRE)
        assert (CENTRE in step.state.hedgehogs) == stays


@pytest.mark.rule("ocs-series/16")
@pytest.mark.parametrize("cause", ["combat", "attrition", "barrage"])
def test_burma_2_6c_who_dies_in_a_hedgehog_does_not_abandon_it(cause):
    """Series 16: none is lost to combat or barrage; it stands empty until somebody enters."""
    step = stepping(play({BATTALION: CENTRE}).put("hedgehogs", CENTRE, Hedgehog("japanese", 1)))
    destroy(step, BATTALION, cause)
    assert step.state.hedgehogs[CENTRE] == Hedgehog("japanese", 1)


# capture --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amount", "share", "part"), [(7, 25, 2), (6, 25, 2), (5, 25, 1), (1, 50, 1), (3, 75, 2), (8, 0, 0)]
)
def test_shares_are_taken_to_the_nearest_token(amount, share, part):
    assert percent(amount, share) == part


@pytest.mark.parametrize(("die", "taken"), [(1, 0), (2, 2), (3, 2), (4, 4), (5, 4), (6, 6)])
def test_series_9_14b_a_dump_is_captured_in_part_and_the_rest_burns(die, taken):
    step = stepping(play({BATTALION: CENTRE}).put("dumps", CENTRE, Dump("allied", 8)), die)
    capture(step, CENTRE, BATTALION)
    assert step.state.dumps.get(CENTRE) == (Dump("japanese", taken) if taken else None)
    assert [r.stream for r in step.rolls] == ["supply"]


def hauled(kind, size, load, side="allied", **marks):
    state = play({BATTALION: CENTRE, BRIGADE: N})
    return state.put("transport", "t", Transport("t", side, kind, size, CENTRE, load, **marks))


@pytest.mark.rule("ocs-series/9.14")
def test_series_9_14b_trucks_are_shared_and_the_rest_is_moved_by_its_owner():
    """A 5 captures half of 8T trucks with 6T on them: 4T with 3T; the owner moves the others up to ten hexes."""
    step = stepping(hauled("truck", 8, 6), 5)
    capture(step, CENTRE, BATTALION)
    step.settle(GAME.procedures)
    state = step.state
    assert state.transport["j/truck/1"] == Transport("j/truck/1", "japanese", "truck", 4, CENTRE, 3)
    assert (state.transport["t"].size, state.transport["t"].load) == (4, 3)
    assert (GAME.decision(state).actor, GAME.decision(state).kinds) == ("allied", ("displace",))
    far = [h for h in GRID.disc(CENTRE, 10) if h != CENTRE]
    assert refuges(state, "t") == tuple(far)
    assert codes(state, f"displace t to {GRID.label(GRID.at(40, 40))}") == ["no-refuge"]
    after = GAME.apply(state, GAME.parse(f"displace t to {GRID.label(SE)}"), KeyedDice("x")).state
    assert (after.transport["t"].at, after.frames) == (SE, ())


def test_displaced_transport_may_not_end_with_enemy_units():
    state = hauled("wagon", 4, 0)
    assert CENTRE not in refuges(state, "t")
    assert len(refuges(state, "t")) == 3 * 5 * 6
    assert SE not in refuges(state.place(Piece(GUNS, SE)), "t")


@pytest.mark.rule("ocs/1.2-capture")
def test_burma_1_2_mules_are_captured_as_wagons_and_elephants_die_instead():
    for kind, taken in (("mule", {"j/mule/1": 3}), ("elephant", {})):
        step = stepping(hauled(kind, 4, 0), 5)
        capture(step, CENTRE, BATTALION)
        sizes = {t.id: t.size for t in step.state.transport.values()}
        assert sizes == {"t": 1, **taken}


def test_a_whole_counter_changes_hands_on_a_6_against_mules():
    step = stepping(hauled("mule", 4, 4), 6)
    capture(step, CENTRE, BATTALION)
    assert [(t.side, t.size, t.load) for t in step.state.transport.values()] == [("japanese", 4, 4)]
    assert not step.state.frames


def test_burma_2_5d_buffaloes_die_without_a_roll():
    state = play({BRIGADE: CENTRE}, "allied").put("transport", "b", Transport("b", "japanese", "buffalo", 4, CENTRE, 4))
    step = stepping(state)
    capture(step, CENTRE, BRIGADE)
    assert not step.state.transport
    assert not step.rolls


def test_one_die_for_dump_trucks_and_mules_in_the_hex_and_works_change_hands():
    state = hauled("truck", 4, 0).put("dumps", CENTRE, Dump("allied", 4)).put("bases", CENTRE, Base("allied", 2))
    state = state.put("hedgehogs", CENTRE, Hedgehog("allied", 3))
    state = state.put("transport", "m", Transport("m", "allied", "mule", 4, CENTRE))
    assert spoils(state, CENTRE, "japanese") == ("dump", "hedgehog", "base", "truck", "mule")
    step = stepping(state, 6, 1, 1)
    capture(step, CENTRE, BATTALION)
    assert step.state.dumps[CENTRE] == Dump("japanese", 3)
    assert step.state.hedgehogs[CENTRE] == Hedgehog("japanese", 3)
    assert step.state.bases[CENTRE] == Base("japanese", 2)
    step.settle(GAME.procedures)
    assert GAME.decision(step.state).frame["units"] == ("m", "t")


@pytest.mark.rule("ocs-series/9.14b")
def test_series_9_14b_slow_transport_is_one_roll_and_elephants_are_given_first():
    """A 4 takes half of 8T: the elephants' 3T die, and 1T of wagons with its load is captured; the mules stay."""
    state = hauled("mule", 3, 0).put("transport", "e", Transport("e", "allied", "elephant", 3, CENTRE))
    state = state.put("transport", "w", Transport("w", "allied", "wagon", 2, CENTRE, 2))
    step = stepping(state, 4)
    capture(step, CENTRE, BATTALION)
    found = {t.id: (t.kind, t.size, t.load) for t in step.state.transport.values()}
    assert found == {"t": ("mule", 3, 0), "w": ("wagon", 1, 1), "j/wagon/1": ("wagon", 1, 1)}


@pytest.mark.parametrize(
    ("phase", "player", "stuck"),
    [("movement", "japanese", False), ("combat", "japanese", True), ("reaction", "allied", True)],
)
@pytest.mark.rule("ocs-series/9.14b", "ocs-series/13.2")
def test_series_13_2_transport_captured_in_ones_movement_phase_moves_at_once(phase, player, stuck):
    step = stepping(hauled("truck", 4, 0).with_(phase=phase, player=player), 6)
    capture(step, CENTRE, BATTALION)
    assert step.state.transport["j/truck/1"].done == stuck


@pytest.mark.rule("ocs-series/12.7", "ocs-series/9.14b")
def test_series_9_14b_an_extender_collapses_without_loss_to_a_hex_with_trace_supply():
    """Clear ground at 2 MP: 10 hexes away at most, and within 3 of the source (two hexes and one beside it)."""
    source = GRID.neighbours[GRID.neighbours[N][0]][0]
    state = hauled("truck", 20, 0, extender=True).put("markers", "sources", (TraceSource("allied", source, "point"),))
    state = state.place(Piece("a/inf/48-17", source))  # negates the zones in the source
    step = stepping(state)
    capture(step, CENTRE, BATTALION)
    step.settle(GAME.procedures)
    assert (step.state.transport["t"].size, step.rolls) == (20, [])
    found = refuges(step.state, "t")
    assert found
    assert set(found) <= set(GRID.disc(source, 3)) & set(GRID.disc(CENTRE, 10))
    after = GAME.apply(step.state, GAME.parse(f"displace t to {GRID.label(found[-1])}"), KeyedDice("x")).state
    assert (after.transport["t"].at, after.transport["t"].extender) == (found[-1], False)


@pytest.mark.rule("ocs-series/12.7", "ocs-series/9.14b")
def test_series_9_14b_an_extender_with_nowhere_to_go_is_captured_as_transport():
    step = stepping(hauled("truck", 20, 0, extender=True), 3)
    capture(step, CENTRE, BATTALION)
    assert (step.state.transport["t"].size, step.state.transport["t"].extender) == (15, False)
    assert not step.state.transport["j/truck/1"].extender
