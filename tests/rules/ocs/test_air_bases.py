"""Air bases: distances, refit, protection, return, capture (Burma 1.8, 3.4b; Opt.3b, 3j, 3m; OCS 9.14f, 14.5, 15)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from air_field import ENEMY_HOME, HOME, air, aloft, asked, at, codes, fly, give, plane, run

from burma_study.boards.board import load_board
from burma_study.engine.dice import KeyedDice
from burma_study.engine.game import Partial
from burma_study.engine.step import Step
from burma_study.rules.ocs.air.aircraft import air_type, protected_at, sortie
from burma_study.rules.ocs.air.bases import (
    active_limit,
    air_distance,
    air_route,
    crowds,
    fields_at,
    havens,
    lose_air_step,
    refit_cost,
    refit_limit,
)
from burma_study.rules.ocs.air.bases import base_taken as taken
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.orders import WHERE
from burma_study.rules.ocs.setup.starting import start
from burma_study.rules.ocs.state import Base

HURRICANES = {f"a/hurricane/{n}": (HOME, 2, False) for n in range(1, 7)}


def inactive(*ids, where=HOME):
    return dict.fromkeys(ids, (where, 2, False))


# distances and places -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "hexes"),
    [
        ("ledo", "A46.07", 13 + 28),
        ("silchar", "A46.07", 13 + 45),
        ("ledo", "B44.30", 52),
        ("silchar", "ledo", 27),
        ("ledo", "A20.35", 13),
        ("silchar", "A1.24", 13),
        ("A7.09", "A7.14", 5),
        ("silchar", "silchar", 0),
    ],
)
def test_burma_3_4b_boxes_lie_13_hexes_beyond_the_edge_and_27_apart(a, b, hexes):
    """Ledo-Broadway 41, Silchar-Broadway 58, Ledo-Chowringhee 52 (rules_review C27 by hand)."""
    board = load_board("ocs")
    assert air_distance(board, at(a), at(b)) == air_distance(board, at(b), at(a)) == hexes


def test_a_flight_from_a_box_enters_by_the_nearest_hex_of_the_edge():
    board = load_board("ocs")
    route = air_route(board, "ledo", at("A46.07"))
    assert (board.label(route[0]), board.label(route[-1]), len(route)) == ("A46.35", "A46.07", 29)
    assert air_route(board, "silchar", "ledo") == ()
    assert air_route(board, at("A46.07"), "ledo") == route[::-1]


@pytest.mark.rule("ocs/learning.sr7", "ocs/thursday.sr6", "ocs/marauders.sr8")
@pytest.mark.parametrize(
    ("name", "silchar", "ledo"), [("learning", 2, None), ("thursday", 1, 2), ("marauders", 1, 2), ("u-go", 2, None)]
)
def test_scenarios_give_the_boxes_their_bases(name, silchar, ledo):
    state = start(f"ocs/{name}")
    assert (fields_at(state, "silchar"), refit_limit(state, "silchar")) == (silchar, 4 * silchar)
    assert ("ledo" in state.bases) == (ledo is not None)
    assert ledo is None or refit_limit(state, "ledo") == 4 * ledo


@pytest.mark.rule("ocs-series/14.1")
def test_types_carry_their_provenance():
    assert (air_type("c-47").range, air_type("c-47").capacity) == (100, 1)
    assert air_type("p-51").provenance("range").tag == "reconstructed"
    assert air_type("c-47").provenance("range").tag == "printed"


@pytest.mark.rule("ocs-series/14.1")
@pytest.mark.parametrize("active", [True, False])
def test_series_14_1_a_full_air_unit_is_reduced_where_it_is_and_a_reduced_one_is_lost(ground, active):
    step = Step(air({"a/b-25/1": (HOME, 2, active)}), KeyedDice("flak"), GAME.clock)
    lose_air_step(step, "a/b-25/1")
    reduced = plane(step.state, "a/b-25/1")
    assert (reduced.at, reduced.steps, reduced.active) == (at(HOME), 1, active)
    lose_air_step(step, "a/b-25/1")
    lost = plane(step.state, "a/b-25/1")
    assert (lost.at, lost.steps, lost.active) == ("dead", 1, False)


# refit ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/15.1", "ocs/1.8")
@pytest.mark.parametrize(("level", "limit"), [(0, 1), (1, 2), (2, 4), (3, 6)])
def test_burma_opt_3m_a_base_refits_two_a_level_a_strip_one(ground, level, limit):
    state = air(HURRICANES, bases={HOME: ("allied", level)}, dumps={HOME: ("allied", 9)}, phase="refit")
    ids = ", ".join(list(HURRICANES)[: limit + 1])
    assert refit_limit(state, at(HOME)) == limit
    assert ("refit-full" in codes(state, f"refit {ids} at {HOME}")) == (limit < 6)
    fine = ", ".join(list(HURRICANES)[:limit])
    assert "refit-full" not in codes(state, f"refit {fine} at {HOME}")


def test_burma_opt_3m_one_token_turns_a_base_on_for_the_phase(ground):
    state = air(HURRICANES, dumps={HOME: ("allied", 2)}, phase="refit")
    state = give(state, f"refit a/hurricane/1 at {HOME}")
    assert plane(state, "a/hurricane/1").active
    assert state.dumps[at(HOME)].tokens == 1
    state = give(state, f"refit a/hurricane/2, a/hurricane/3, a/hurricane/4 at {HOME}")
    assert state.dumps[at(HOME)].tokens == 1, "the base is on already"
    assert codes(state, f"refit a/hurricane/5 at {HOME}") == ["refit-full"]


def test_burma_opt_3m_no_token_no_refit(ground):
    state = air(HURRICANES, phase="refit")
    assert codes(state, f"refit a/hurricane/1 at {HOME}") == ["refit-unpaid"]


def test_burma_3_4b_the_boxes_refit_free_and_in_all_eight(ground):
    planes = inactive(*(f"a/c-47/{n}" for n in range(1, 10)), where="silchar")
    state = air(planes, bases={"silchar": ("allied", 2)}, phase="refit", markers={"bases/silchar": 2})
    assert (refit_cost(state, "silchar"), refit_limit(state, "silchar")) == (0, 8)
    state = give(state, "refit " + ", ".join(list(planes)[:8]) + " at silchar")
    assert sum(p.active for p in state.aircraft.values()) == 8
    assert codes(state, "refit a/c-47/9 at silchar") == ["refit-full"]


@pytest.mark.rule("ocs-series/17.0d", "ocs/table.air-effects")
def test_series_17_0d_refit_in_every_weather(ground):
    state = air(HURRICANES, dumps={HOME: ("allied", 1)}, phase="refit", air_ops="prohibited")
    assert codes(state, f"refit a/hurricane/1 at {HOME}") == []


def test_refit_only_ones_own_inactive_units_that_are_there(ground):
    planes = {"a/hurricane/1": HOME, "j/oscar/1": (ENEMY_HOME, 2, False), "a/p-40/1": ("A12.10", 2, False)}
    state = air(planes, dumps={HOME: ("allied", 1)}, phase="refit")
    assert codes(state, f"refit a/hurricane/1 at {HOME}") == ["aircraft-active"]
    assert "not-your-aircraft" in codes(state, f"refit j/oscar/1 at {HOME}")
    assert "not-at-base" in codes(state, f"refit a/p-40/1 at {HOME}")
    assert codes(state, f"refit a/nothing/1 at {HOME}") == ["no-aircraft"]


@pytest.mark.rule("ocs/1.8")
def test_burma_opt_3b_active_units_over_a_base(ground):
    """Four in a hex; at a level 3 base seven (the option's own example)."""
    state = air({}, bases={HOME: ("allied", 3)})
    assert [active_limit(state, at(HOME), side) for side in ("allied", "japanese")] == [7, 4]
    assert active_limit(state.put("bases", at(HOME), Base("allied", 0)), at(HOME), "allied") == 5, "a strip is level 1"
    state = air({f"a/hurricane/{n}": HOME for n in range(1, 8)}, bases={HOME: ("allied", 2)})
    assert crowds(state) == [(at(HOME), "allied", 6)]
    state = state.put("bases", at(HOME), Base("allied", 3))
    assert crowds(state) == []


def test_burma_opt_3b_the_owner_chooses_who_stands_down(ground):
    state = air({f"a/hurricane/{n}": HOME for n in range(1, 7)}, bases={HOME: ("allied", 1)})
    state = run(state, "air_crowding")
    assert asked(state) == ("allied", ("stand_down",))
    assert codes(state, "stand down a/hurricane/9") == ["not-crowded"]
    state = give(state, "stand down a/hurricane/4")
    assert [p.id for p in state.aircraft.values() if not p.active] == ["a/hurricane/4"]
    assert asked(state) == ("", ())


# protected units ------------------------------------------------------------------------------------------------------


def test_burma_opt_3j_one_a_level_and_the_owner_may_replace_it(ground):
    state = air({"a/b-25/1": HOME}, bases={HOME: ("allied", 1), "A12.10": ("allied", 1)})
    state = fly(state, "a/hurricane/1", "A12.10")
    state = give(state, "ferry a/hurricane/1 to A10.10")
    assert protected_at(state, at(HOME)) == ("a/hurricane/1",), "the first place is free"
    state = fly(state, "a/beaufighter/1", "A12.10")
    state = give(state, "ferry a/beaufighter/1 to A10.10")
    assert asked(state) == ("allied", ("shelter", "leave_open"))
    assert codes(state, "shelter a/beaufighter/1 instead of a/b-25/1") == ["not-protected"]
    kept = give(state, "leave a/beaufighter/1 in the open")
    assert protected_at(kept, at(HOME)) == ("a/hurricane/1",)
    changed = give(state, "shelter a/beaufighter/1 instead of a/hurricane/1")
    assert protected_at(changed, at(HOME)) == ("a/beaufighter/1",)


def test_burma_opt_3j_an_active_unit_is_never_protected(ground):
    state = air(
        {"a/hurricane/1": "A12.10"}, bases={HOME: ("allied", 1), "A12.10": ("allied", 1)}, dumps={HOME: ("allied", 1)}
    )
    state = give(state, f"ferry a/hurricane/1 to {HOME}")
    state = give(state.with_(phase="refit"), f"refit a/hurricane/1 at {HOME}")
    assert protected_at(state, at(HOME)) == ()


def test_burma_1_8_a_strip_protects_nobody(ground):
    state = air({"a/hurricane/1": "A12.10"}, bases={HOME: ("allied", 0), "A12.10": ("allied", 1)})
    assert protected_at(give(state, f"ferry a/hurricane/1 to {HOME}"), at(HOME)) == ()


@pytest.mark.rule("ocs/opt.3j", "ocs-series/10.0c")
def test_burma_opt_3j_protected_units_cannot_be_lost_to_bombs(ground):
    """20 points are 11-20: a 6 gives 1*(4), so one level and every unprotected unit on 4 or more."""
    planes = {"j/oscar/1": (ENEMY_HOME, 2, False), "j/mixed-bomber/1": (ENEMY_HOME, 2, False)}
    state = air(planes, bases={HOME: ("allied", 2), ENEMY_HOME: ("japanese", 2)}, phase="movement_barrage")
    state = state.put("markers", f"air/protected/{ENEMY_HOME}", ("j/oscar/1",))
    state = aloft(state, "a/b-25/1", ENEMY_HOME, purpose="strike")
    state = give(state, f"bomb {ENEMY_HOME} with a/b-25/1 against the base", barrage=[(6,)], air=[(5,)])
    assert [plane(state, i).steps for i in ("j/oscar/1", "j/mixed-bomber/1")] == [2, 1]
    assert state.bases[at(ENEMY_HOME)].level == 1
    assert (plane(state, "a/b-25/1").at, plane(state, "a/b-25/1").active) == (at(HOME), False)


# returning ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/14.5", "ocs/opt.3m")
@pytest.mark.parametrize("tokens", [0, 1])
def test_series_14_5_active_units_return_unless_their_base_is_supplied(ground, tokens):
    state = air({"a/hurricane/2": HOME}, dumps={HOME: ("allied", tokens)} if tokens else None, phase="refit")
    state = run(aloft(state, "a/hurricane/1", "A12.10"), "air_return")
    one, two = plane(state, "a/hurricane/1"), plane(state, "a/hurricane/2")
    assert (one.active, one.at) == ((True, at("A12.10")) if tokens else (False, at(HOME)))
    assert two.active == bool(tokens)


@pytest.mark.rule("ocs/table.air-effects")
@pytest.mark.parametrize(("air_ops", "home"), [("unrestricted", False), ("restricted", True), ("prohibited", True)])
def test_units_in_the_air_return_in_bad_weather(ground, air_ops, home):
    state = aloft(air({"a/p-40/1": HOME}, air_ops=air_ops, phase="weather"), "a/hurricane/1", "A12.10")
    state = run(state, "grounding")
    assert plane(state, "a/hurricane/1").active != home
    assert (sortie(state, "a/hurricane/1") is None) == home
    assert plane(state, "a/p-40/1").active, "one that stands on its base stays active"


@pytest.mark.rule("ocs/opt.3e.2")
def test_burma_opt_3e_2_dg_goes_when_a_unit_becomes_inactive(ground):
    state = aloft(air({}), "a/hurricane/1", "A12.10")
    state = state.put("aircraft", "a/hurricane/1", replace(plane(state, "a/hurricane/1"), dg=True))
    state = give(state, "recall a/hurricane/1")
    assert plane(state, "a/hurricane/1").dg is False


@pytest.mark.rule("ocs-series/14.5")
def test_a_recall_may_name_another_base_in_range(ground):
    state = air({}, bases={HOME: ("allied", 2), "A14.10": ("allied", 1), "A50.10": ("allied", 1)})
    state = aloft(state, "a/hurricane/1", "A12.10")
    assert plane(give(state, "recall a/hurricane/1 to A14.10"), "a/hurricane/1").at == at("A14.10")
    assert codes(state, "recall a/hurricane/1 to A50.10") == ["no-friendly-base"]
    home = give(state, "recall a/hurricane/1")
    assert codes(home, "recall a/hurricane/1") == ["not-on-station"], "it has returned"
    assert codes(state.with_(player="japanese"), "recall a/hurricane/1") == ["not-your-aircraft"]
    assert havens(state, plane(state, "a/hurricane/1"), at("A12.10"), 30) == [at(HOME), at("A14.10")]


# capture --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("active", "way", "roll", "steps"),
    [
        (False, "", (3, 3), 1),
        (False, "", (3, 4), 2),
        (True, "", (2, 2), 1),
        (True, "", (2, 3), 2),
        (False, "withdrawal", (3, 3), 1),
        (False, "withdrawal", (3, 4), 2),
        (False, "battle", (2, 2), 1),
        (False, "battle", (2, 3), 2),
        (True, "battle", (1, 1), 1),
        (True, "battle", (1, 2), 2),
    ],
)
@pytest.mark.parametrize("phase", ["movement", "combat"])
def test_series_9_14f_aircraft_at_a_captured_base(ground, active, phase, way, roll, steps):
    """Two dice, +2 active, +2 by the advance of a battle, whatever the phase: 6 or less loses a step."""
    from dice import Dice

    state = air(
        {"j/oscar/1": (ENEMY_HOME, 2, active)},
        bases={ENEMY_HOME: ("allied", 1), "A34.10": ("japanese", 1)},
        phase=phase,
    )
    step = Step(state, Dice(air=[roll]), GAME.clock)
    if way:
        step.open(way)
    taken(step, at(ENEMY_HOME), "allied")
    unit = plane(step.state, "j/oscar/1")
    assert (unit.at, unit.active, unit.steps) == (at("A34.10"), False, steps)


def test_series_9_14f_without_a_base_in_twice_the_range_it_is_lost(ground):
    from dice import Dice

    state = air({"j/oscar/1": (ENEMY_HOME, 2, True)}, bases={ENEMY_HOME: ("allied", 1)})
    step = Step(state, Dice(air=[(6, 6)]), GAME.clock)
    taken(step, at(ENEMY_HOME), "allied")
    assert (plane(step.state, "j/oscar/1").at, plane(step.state, "j/oscar/1").steps) == ("dead", 1)


def test_a_march_into_a_base_captures_it_with_its_aircraft(ground):
    """The order to move takes the base; the aircraft there roll and fly out."""
    unit = "a/inf/48-17"
    state = air(
        {"j/oscar/1": (ENEMY_HOME, 2, False)},
        {unit: "A30.09"},
        bases={ENEMY_HOME: ("japanese", 1), "A34.10": ("japanese", 1)},
    )
    state = give(state, f"move {unit} by {ENEMY_HOME}", air=[(1, 2)])
    assert state.bases[at(ENEMY_HOME)] == Base("allied", 1)
    assert (WHERE.write(plane(state, "j/oscar/1").at), plane(state, "j/oscar/1").steps) == ("A34.10", 1)


@pytest.mark.rule("ocs-series/13.9")
def test_series_13_9_two_reduced_air_units_of_one_type_and_status_become_a_full_one(ground):
    planes = {f"a/hurricane/{n}": (HOME, 1) for n in (1, 2)} | {
        "a/hurricane/3": (HOME, 1, False),
        "a/p-51/1": (HOME, 1),
    }
    state = air({**planes, "a/hurricane/4": HOME})
    assert "join" in GAME.decision(state).kinds
    assert [c.value for c in GAME.options(state, Partial("join")).choices] == ["a/hurricane/1", "a/hurricane/2"]
    for other in ("a/hurricane/3", "a/hurricane/4", "a/p-51/1"):
        assert codes(state, f"join a/hurricane/1 and {other}") == ["no-partners"]
    assert "twice" in codes(state, "join a/hurricane/1 and a/hurricane/1")
    after = give(state, "join a/hurricane/1 and a/hurricane/2")
    one, two = plane(after, "a/hurricane/1"), plane(after, "a/hurricane/2")
    assert (one.at, one.steps, one.active) == (at(HOME), 2, True)
    assert (two.at, two.steps) == ("dead", 1)
    assert "join" not in GAME.decision(after).kinds
    assert "join" not in GAME.decision(state.with_(player="japanese")).kinds
