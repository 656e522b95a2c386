"""Air to air: the table, DG, interception and its interception, refusal, fights over bases (Burma Opt.3c-i)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from air_field import ENEMY_HOME, HOME, air, aloft, asked, at, codes, fly, give, plane

from burma_study.rules.ocs.air.aircraft import rating, sortie
from burma_study.rules.ocs.air.combat import air_result, interceptors, may_intercept
from burma_study.rules.ocs.state import Rules

FAR = "A40.10"


def outcome(total, version="1999"):
    state = air({}, version=version)
    r = air_result(state, total)
    return (r.attacker_aborts, r.attacker_loses, r.defender_aborts, r.defender_loses)


@pytest.mark.parametrize(
    ("totals", "result"),
    [
        ((-1, 1, 2, 3), (True, True, False, False)),
        ((4, 5), (True, False, False, False)),
        ((6, 7, 8), (True, False, True, False)),
        ((9, 10), (False, False, True, False)),
        ((11, 12, 16), (False, False, True, True)),
    ],
)
def test_burma_opt_3d_table(ground, totals, result):
    assert {outcome(t) for t in totals} == {result}


def test_v43_has_its_own_table_and_a_die_for_losses(ground):
    assert [outcome(t, "v4.3") for t in (6, 7, 8)] == [
        (True, False, False, False),
        (True, False, True, False),
        (False, False, True, False),
    ]


@pytest.mark.rule("ocs-series/14.1", "ocs/opt.3e.1")
@pytest.mark.parametrize(
    ("type_", "dg", "value"), [("hurricane", False, 2), ("hurricane", True, 1), ("c-47", True, -1)]
)
def test_burma_opt_3e_1_dg_takes_one_from_the_rating_zero_becomes_minus_one(ground, type_, dg, value):
    state = air({f"a/{type_}/1": (HOME, 2, True, dg)})
    assert rating(plane(state, f"a/{type_}/1")) == value


# interception ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/14-intercept")
def test_burma_opt_3f_only_a_lone_fighter_on_station_or_fighters_over_their_base(ground):
    state = air({"j/oscar/1": ENEMY_HOME, "j/mixed-bomber/1": ENEMY_HOME, "j/tony/1": (ENEMY_HOME, 2, False)})
    fit = {i: may_intercept(state, plane(state, i)) for i in state.aircraft}
    assert fit == {"j/oscar/1": True, "j/mixed-bomber/1": False, "j/tony/1": False}
    state = aloft(state, "j/oscar-ii/1", "A25.10", ENEMY_HOME)
    assert may_intercept(state, plane(state, "j/oscar-ii/1"))
    crowded = aloft(state, "j/tony/2", "A25.10", ENEMY_HOME)
    assert not may_intercept(crowded, plane(crowded, "j/oscar-ii/1"))


@pytest.mark.rule("ocs/opt.3o")
def test_burma_opt_3o_a_station_that_intercepts_is_flown_to_alone(ground):
    state = aloft(air({}), "j/oscar/1", "A25.10", ENEMY_HOME, others=("j/tony/1",))
    assert not may_intercept(state, plane(state, "j/oscar/1"))


def test_no_interception_unless_flying_is_unrestricted(ground):
    state = air({"j/oscar/1": ENEMY_HOME}, air_ops="restricted")
    assert not may_intercept(state, plane(state, "j/oscar/1"))


@pytest.mark.rule("ocs-series/14-intercept")
def test_interceptors_reach_ten_hexes_and_no_farther_than_their_range(ground):
    state = air({"j/oscar/1": ENEMY_HOME})
    route = [at(f"A{column}.10") for column in range(10, 41)]
    reached = interceptors(state, "japanese", route)["j/oscar/1"]
    assert set(reached) == {at(f"A{column}.10") for column in range(20, 41)}
    short = aloft(air({}), "a/spitfire-v/1", "A30.10", "A10.10")
    near = interceptors(short, "allied", [at("A29.10"), at("A31.10")])["a/spitfire-v/1"]
    assert near == (at("A29.10"),), "21 hexes from its base are beyond 20"


def test_burma_opt_3f_the_enemy_may_send_one_fighter_against_a_flight(ground):
    """An Oscar (2) attacks a B-25 (2): 4 aborts the Oscar, which lands and is inactive; the mission goes on."""
    state = air({"a/b-25/1": HOME, "j/oscar/1": ENEMY_HOME}, {"j/inf/1-215-33": "A31.20"})
    state = give(state, "strike A31.20 with a/b-25/1")
    assert asked(state) == ("japanese", ("intercept", "let_pass"))
    assert codes(state, "intercept at A10.10 with j/oscar/1") == ["cannot-intercept"]
    passed = give(state, "let the flight pass")
    assert plane(passed, "a/b-25/1").at == at("A31.20")
    fought = give(state, "intercept at A31.20 with j/oscar/1", air=[(2, 2)])
    assert (plane(fought, "j/oscar/1").active, plane(fought, "j/oscar/1").at) == (False, at(ENEMY_HOME))
    assert (plane(fought, "a/b-25/1").at, plane(fought, "a/b-25/1").dg) == (at("A31.20"), True), "it rolled dice"


def test_both_abort_ends_the_mission(ground):
    state = air({"a/b-25/1": HOME, "j/oscar/1": ENEMY_HOME}, {"j/inf/1-215-33": "A31.20"})
    state = give(state, "strike A31.20 with a/b-25/1", "intercept at A31.20 with j/oscar/1", air=[(3, 4)])
    assert [(p.at, p.active, p.dg, p.steps) for p in (plane(state, "a/b-25/1"), plane(state, "j/oscar/1"))] == [
        (at(HOME), False, False, 2),
        (at(ENEMY_HOME), False, False, 2),
    ]
    assert asked(state) == ("", ())


@pytest.mark.rule("ocs/opt.3a", "ocs/opt.3d")
def test_fights_go_on_round_by_round_until_one_side_is_gone(ground):
    """Oscar 2 against P-51 4: 11 - 2 = 9 aborts the P-51; then against B-25 2: 12 costs the B-25 a step."""
    state = air({"a/b-25/1": HOME, "a/p-51/1": HOME, "j/oscar/1": ENEMY_HOME}, {"j/inf/1-215-33": "A31.20"})
    state = give(state, "strike A31.20 with a/b-25/1, a/p-51/1")
    state = give(state, "intercept at A31.20 with j/oscar/1", air=[(5, 6), (6, 6)])
    assert [(plane(state, i).active, plane(state, i).steps) for i in ("a/p-51/1", "a/b-25/1")] == [
        (False, 2),
        (False, 1),
    ]
    assert asked(state) == ("japanese", ("keep_station", "fly_home")), "the winner may stay where it fought"
    stays = give(state, "stay on station")
    assert (plane(stays, "j/oscar/1").at, plane(stays, "j/oscar/1").dg) == (at("A31.20"), True)
    home = give(state, "fly home")
    assert (plane(home, "j/oscar/1").at, plane(home, "j/oscar/1").active) == (at(ENEMY_HOME), False)


def test_burma_opt_3h_the_interceptor_is_intercepted_first(ground):
    """A P-51 on station meets the Oscar on its way (12: aborts with a loss); the bomber is not touched."""
    state = air({"a/b-25/1": HOME, "j/oscar/1": ENEMY_HOME}, {"j/inf/1-215-33": "A31.20"})
    state = aloft(state, "a/p-51/1", "A28.15", HOME)
    state = give(state, "strike A31.20 with a/b-25/1", "intercept at A31.20 with j/oscar/1")
    assert asked(state) == ("allied", ("intercept", "let_pass"))
    state = give(state, "intercept at A31.20 with a/p-51/1", air=[(6, 6)])
    assert (plane(state, "j/oscar/1").active, plane(state, "j/oscar/1").steps) == (False, 1)
    assert asked(state) == ("allied", ("keep_station", "fly_home"))
    state = give(state, "stay on station")
    assert (plane(state, "a/b-25/1").dg, plane(state, "a/p-51/1").dg) == (False, True)
    assert plane(state, "a/b-25/1").at == at("A31.20")


def test_burma_opt_3h_the_counter_may_fail_and_is_not_intercepted_itself(ground):
    """3 + 4 - 2 = 5: the P-51 aborts; then the Oscar against the bomber."""
    state = air({"a/b-25/1": HOME, "j/oscar/1": ENEMY_HOME, "j/tony/1": ENEMY_HOME}, {"j/inf/1-215-33": "A31.20"})
    state = aloft(state, "a/p-51/1", "A28.15", HOME)
    state = give(state, "strike A31.20 with a/b-25/1", "intercept at A31.20 with j/oscar/1")
    state = give(state, "intercept at A31.20 with a/p-51/1", air=[(1, 2), (2, 2)])
    assert not plane(state, "a/p-51/1").active
    assert not plane(state, "j/oscar/1").active
    assert plane(state, "a/b-25/1").at == at("A31.20")


@pytest.mark.rule("ocs/opt.3")
def test_burma_opt_3_off_no_interception_of_interceptions_and_two_together(ground):
    rules = Rules(options=tuple(o for o in Rules().options if o != "opt3"))
    state = air(
        {"a/b-25/1": HOME, "a/b-25/2": HOME, "a/p-51/2": HOME, "j/oscar/1": ENEMY_HOME}, {"j/inf/1-215-33": "A31.20"}
    )
    state = aloft(state, "a/p-51/1", "A28.15", HOME).with_(rules=rules)
    assert codes(state, "strike A31.20 with a/p-51/2, a/b-25/1, a/b-25/2") == ["too-many-together"]
    state = give(state, "strike A31.20 with a/b-25/1", "intercept at A31.20 with j/oscar/1", air=[(2, 2)])
    assert not plane(state, "j/oscar/1").active
    assert not plane(state, "a/b-25/1").dg


# arriving -------------------------------------------------------------------------------------------------------------


def over_station(**more):
    state = air({"a/p-51/1": HOME, "a/b-25/1": HOME})
    return aloft(state, "j/oscar/1", "A35.10", FAR, **more).put("bases", at(FAR), state.bases[at(ENEMY_HOME)])


def arrived(state, order="strike A35.10 with a/p-51/1", **dice):
    """The stack over the hex, past any question of interception."""
    state = give(state, order, **dice)
    while asked(state)[1][:1] == ("intercept",):
        state = give(state, "let the flight pass", **dice)
    return state


def test_burma_opt_3g_a_lone_unit_on_station_may_refuse(ground):
    state = arrived(over_station())
    assert asked(state) == ("japanese", ("refuse_combat", "accept_combat"))
    assert codes(state, "refuse air combat, shift to A37.10") == ["no-refuge-hex"]
    gone = give(state, "refuse air combat, shift to A36.10")
    assert (plane(gone, "j/oscar/1").at, plane(gone, "j/oscar/1").dg) == (at("A36.10"), True)
    assert plane(gone, "a/p-51/1").at == at("A35.10")


def test_burma_opt_3g_or_accept(ground):
    """The moving P-51 (4, DG by Opt.3e when it comes half its range: 25 of 70 is less) attacks: 7 + 4 - 2 = 9."""
    state = give(arrived(over_station()), "accept air combat", air=[(3, 4)])
    assert not plane(state, "j/oscar/1").active
    assert (plane(state, "a/p-51/1").at, plane(state, "a/p-51/1").dg) == (at("A35.10"), True)


def test_burma_opt_3g_a_stack_cannot_refuse(ground):
    state = aloft(over_station(others=("j/tony/1",)), "j/tony/1", "A35.10", FAR, others=("j/oscar/1",))
    state = arrived(state, air=[(6, 6), (6, 6)])
    assert [plane(state, i).steps for i in ("j/oscar/1", "j/tony/1")] == [1, 1]
    assert plane(state, "a/p-51/1").at == at("A35.10")


def test_burma_opt_3i_only_over_a_base_may_a_stack_without_a_fighter_enter(ground):
    assert codes(over_station(), "strike A35.10 with a/b-25/1") == ["no-fighter"]
    state = air({"a/b-25/1": HOME, "j/oscar/1": ENEMY_HOME})
    assert codes(state, f"strike {ENEMY_HOME} with a/b-25/1") == []
    assert codes(state, f"station a/b-25/1 over {ENEMY_HOME}") == ["over-enemy-base"]


def base_raid(*raiders, **dice):
    planes = dict.fromkeys(raiders, HOME) | {f"j/oscar/{n}": ENEMY_HOME for n in range(1, 5)}
    state = air(planes)
    return give(state, f"strike {ENEMY_HOME} with {', '.join(raiders)}", **dice)


def test_burma_opt_3i_all_but_three_stand_down_then_the_base_defends(ground):
    """The moving player has a fighter and attacks: 12 + 4 - 2 costs each Oscar a step; it comes down at its base."""
    state = base_raid("a/p-51/1")
    assert asked(state)[1] == ("intercept", "let_pass") or asked(state)[1] == ("stand_down",)
    while asked(state)[1] == ("intercept", "let_pass"):
        state = give(state, "let the flight pass")
    assert asked(state) == ("japanese", ("stand_down",))
    state = give(state, "stand down j/oscar/4", air=[(6, 6), (6, 6), (6, 6)])
    assert [(p.steps, p.active, p.at) for i, p in sorted(state.aircraft.items()) if i.startswith("j/")] == [
        (1, False, at(ENEMY_HOME)),
        (1, False, at(ENEMY_HOME)),
        (1, False, at(ENEMY_HOME)),
        (2, False, at(ENEMY_HOME)),
    ]
    assert sortie(state, "a/p-51/1") == (at(HOME), ("a/p-51/1",), "strike")


def test_burma_opt_3i_without_a_fighter_the_base_attacks(ground):
    """The Oscar attacks the B-25: 2 + 2 - 2 = 2, so the Oscar aborts and loses a step, and stays at its base."""
    state = air({"a/b-25/1": HOME, "j/oscar/1": ENEMY_HOME})
    state = give(state, f"strike {ENEMY_HOME} with a/b-25/1")
    assert asked(state) == ("japanese", ("intercept", "let_pass"))
    state = give(state, "let the flight pass", air=[(1, 1)])
    assert (plane(state, "j/oscar/1").steps, plane(state, "j/oscar/1").active) == (1, False)
    assert plane(state, "a/b-25/1").at == at(ENEMY_HOME)


def test_burma_opt_3e_no_dg_over_an_own_base(ground):
    """10 + 2 - 4 = 8: both abort; 4 + 4 - 2 ... the Oscar over its base never is DG."""
    state = air({"a/b-25/1": HOME, "j/oscar/1": ENEMY_HOME})
    state = give(state, f"strike {ENEMY_HOME} with a/b-25/1")
    assert asked(state) == ("japanese", ("intercept", "let_pass"))
    state = give(state, "let the flight pass", air=[(5, 6)])
    assert (plane(state, "j/oscar/1").active, plane(state, "j/oscar/1").dg) == (True, False)
    assert (plane(state, "a/b-25/1").active, plane(state, "a/b-25/1").steps) == (False, 1)


def test_burma_opt_3c_a_fighter_is_on_top(ground):
    """Named last, the P-51 fights first: 2 + 4 - 2 aborts it; then the Oscar turns on the B-25 and 12 costs a step."""
    state = arrived(over_station(), "strike A35.10 with a/b-25/1, a/p-51/1")
    state = give(state, "accept air combat", air=[(1, 1), (6, 6)])
    left = {i: (p.active, p.steps) for i, p in state.aircraft.items()}
    assert left == {"a/p-51/1": (False, 2), "a/b-25/1": (False, 1), "j/oscar/1": (True, 2)}
    assert not state.frames


@pytest.mark.rule("ocs/opt.3e")
@pytest.mark.parametrize(("hex_", "dg"), [("A24.10", False), ("A25.10", True)])
def test_burma_opt_3e_half_the_range_makes_dg(ground, hex_, dg):
    """A Hurricane reaches 30: 14 hexes leave it fit, 15 do not; on a strike only, for stations end before (3n)."""
    state = air({"a/hurricane/1": HOME}, bases={HOME: ("allied", 2)})
    state = give(state, f"strike {hex_} with a/hurricane/1")
    assert plane(state, "a/hurricane/1").dg is dg
    off = replace(Rules(), options=tuple(o for o in Rules().options if o != "opt3"))
    bare = air({"a/hurricane/1": HOME}, bases={HOME: ("allied", 2)}).with_(rules=off)
    assert not plane(give(bare, f"strike {hex_} with a/hurricane/1"), "a/hurricane/1").dg


def test_answers_are_refused_when_nothing_is_asked(ground):
    state = air({"a/p-51/1": HOME})
    for order in ("let the flight pass", "accept air combat", "fly home", "stay on station", "stand down a/p-51/1"):
        assert "nothing-asked" in codes(state, order) or "not-now" in codes(state, order)
    assert fly(state, "a/p-51/2", HOME).aircraft["a/p-51/2"].active
