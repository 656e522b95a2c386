"""Retreats: where they may go, what they cost, and who does not come away (OCS 5.8a, 9.12; Burma 2.7; Opt.3l)."""

from __future__ import annotations

import pytest
from battle_field import (
    BRIGADE,
    R214,
    R215,
    SECOND,
    FixedDice,
    asked,
    choices,
    come_to,
    dead,
    field,
    first_answer,
    play,
)
from battle_field import attack as attack_with
from combat_field import GRID, NE, NW, SE, SW, TARGET, N, S

from burma_study.engine.step import Step
from burma_study.rules.ocs.air.interdiction import seriously_interdicted
from burma_study.rules.ocs.combat.retreats import open_retreat, ways_out
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.movement.limits import bank
from burma_study.rules.ocs.state import Aircraft, Base, Dump, Piece, Rules, new_state

UNIT, OTHER = R215[0], R215[1]
ARMY_HQ, TRUCK_GUNS, INA = "j/hq/15_Army", "j/art/1-3H", "j/inf/1-INA"
BRIGADES = ("48-17", "63-17", "32-20", "80-20", "100-20", "37-23")
RING = {f"a/inf/{u}": h for u, h in zip(BRIGADES, (N, NE, SE, S, SW, NW), strict=True)}
pytestmark = pytest.mark.usefixtures("on")


def fall_back(state, units, hexes, barred=(), cause="combat"):
    """The state when `units` have to fall back and nothing without a choice is left to do."""
    step = Step(state, FixedDice(), GAME.clock)
    side = state.pieces[units[0]].counter.side
    open_retreat(step, side, units, hexes, barred, cause)
    step.settle(GAME.procedures)
    return step.state


def by(*hexes):
    return ", ".join(map(GAME.label, hexes))


def away(hex_, from_=TARGET):
    """The hex straight beyond a neighbour of TARGET."""
    return GRID.neighbours[hex_][GRID.direction(from_, hex_)]


def alone(**more):
    return field({UNIT: Piece(UNIT, TARGET, **more)}, supply=())


# the way --------------------------------------------------------------------------------------------------------------


def test_series_9_12_the_owner_picks_any_way_of_the_full_distance():
    state = fall_back(alone(), [UNIT], 1)
    assert asked(state) == ("japanese", ("retreat",))
    assert choices(state, "retreat") == [UNIT]
    assert {w[0] for w in ways_out(state, state.pieces[UNIT], 1, ())} == {N, NE, SE, S, SW, NW}
    after = play(state, f"retreat {UNIT} by {by(S)}")
    assert (after.pieces[UNIT].at, after.pieces[UNIT].dg) == (S, False)


def test_series_9_12_on_open_ground_each_hex_leads_farther_away():
    ways = ways_out(alone(), alone().pieces[UNIT], 3, ())
    assert ways
    for way in ways:
        assert [GRID.distance(TARGET, h) for h in way] == [1, 2, 3]
    state = fall_back(alone(), [UNIT], 2)
    back = f"retreat {UNIT} by {by(S, SE)}"
    assert {r.code for r in GAME.check(state, GAME.parse(back))} == {"no-retreat"}


def ways_of(state, hexes=2, barred=()):
    """The ways out of the only unit."""
    (unit,) = state.pieces.values()
    return set(ways_out(state, unit, hexes, barred))


@pytest.mark.rule("ocs-series/9.12")
def test_series_9_12_a_way_bends_round_a_barred_hexside_and_is_lengthened(on):
    """Guns on trucks; only N and NE are open, and two hexes away only the one straight beyond NE.

    A major river shuts NE to them from where they stand: N, NE, that hex are three steps that end two hexes away, the
    second of which leads no farther.
    """
    goal = away(NE)
    ring = {h for h in GRID.disc(TARGET, 2) if GRID.distance(TARGET, h) == 2}
    lakes = {SE, S, SW, NW} | (ring - {goal})
    guns = field({TRUCK_GUNS: Piece(TRUCK_GUNS, TARGET, "move", "move")}, supply=())
    on(terrain=dict.fromkeys(lakes, "lake"))
    assert ways_of(guns) == {(NE, goal)}, "the direct way is open"
    on(terrain=dict.fromkeys(lakes, "lake"), rivers={NE: "major"})
    assert ways_of(guns) == {(N, NE, goal)}
    assert ways_of(guns, hexes=1) == {(N,)}, "one hex away is one step"
    after = fall_back(guns, [TRUCK_GUNS], 2)
    assert (after.pieces[TRUCK_GUNS].at, after.pieces[TRUCK_GUNS].dg, dead(after)) == (goal, True, set())
    assert dead(fall_back(guns, [TRUCK_GUNS], 2, barred=(N,))) == {TRUCK_GUNS}


@pytest.mark.rule("ocs-series/9.12")
def test_series_9_12_a_way_is_no_longer_than_the_ground_makes_it(on):
    """Only where the river lies in between: each way ends where it first is the full distance away."""
    on(rivers={NE: "major"})
    guns = field({TRUCK_GUNS: Piece(TRUCK_GUNS, TARGET, "move", "move")}, supply=())
    ways = ways_of(guns)
    assert {w for w in ways if len(w) == 3} == {(N, NE, away(NE)), (SE, NE, away(NE))}
    for way in ways:
        assert len({TARGET, *way}) == len(way) + 1
        assert [GRID.distance(TARGET, h) for h in way] in ([1, 2], [1, 1, 2])
        assert all(b in GRID.adjacent[a] for a, b in zip((TARGET, *way), way, strict=False))
    long = GAME.parse(f"retreat {TRUCK_GUNS} by {by(SE, S, away(S))}")
    assert [r.code for r in GAME.check(fall_back(guns, [TRUCK_GUNS], 2), long)] == ["no-retreat"]


def test_series_9_12_a_stack_may_split():
    state = fall_back(field({UNIT: TARGET, OTHER: TARGET}, supply=()), [UNIT, OTHER], 1)
    state = play(state, f"retreat {UNIT} by {by(S)}")
    assert asked(state) == ("japanese", ("retreat",))
    state = play(state, f"retreat {OTHER} by {by(SE)}")
    assert [state.pieces[u].at for u in (UNIT, OTHER)] == [S, SE]
    assert not state.frames


def test_series_9_12_not_through_hexes_that_enemies_held_when_the_combat_began():
    """The attacker died, but his hex stays barred."""
    state = come_to(field({BRIGADE: N, UNIT: TARGET}, supply=()), attack_with(BRIGADE), "AL1o1 Do1")
    assert dead(state) == {BRIGADE}
    state = play(state, "settle 0 in steps")
    assert N not in {w[0] for w in ways_out(state, state.pieces[UNIT], 1, state.frames[-1]["barred"])}
    assert N in {w[0] for w in ways_out(state, state.pieces[UNIT], 1, ())}


def test_series_9_12_a_unit_without_a_way_is_eliminated():
    units = RING
    assert dead(fall_back(field({UNIT: TARGET, **units}, supply=()), [UNIT], 1)) == {UNIT}


def test_series_9_12_the_only_way_is_taken_without_a_question():
    held = {"a/inf/48-17": N, "a/inf/63-17": NE, "a/inf/32-20": SE, "a/inf/80-20": SW, "a/inf/37-23": NW}
    after = fall_back(field({UNIT: TARGET, **held}, supply=()), [UNIT], 1)
    assert not after.frames
    assert after.pieces[UNIT].at == S


def test_series_9_12_off_the_map_is_elimination():
    corner = GRID.index("B1.01")
    state = field({UNIT: corner}, supply=())
    ways = ways_out(state, state.pieces[UNIT], 2, ())
    assert all(0 <= h < len(GRID) for way in ways for h in way)
    blocked = GRID.adjacent[corner]
    assert dead(fall_back(state, [UNIT], 1, barred=blocked)) == {UNIT}


def test_series_9_12_prohibited_ground_stops_trucks(on):
    around = (N, NE, SE, S, SW, NW)
    on(terrain=dict.fromkeys(around, "jungle"))
    gun = Piece(TRUCK_GUNS, TARGET)
    state = field({TRUCK_GUNS: gun, UNIT: TARGET}, supply=())
    assert not ways_out(state, gun, 1, ())
    assert len(ways_out(state, state.pieces[UNIT], 1, ())) == 6
    state = fall_back(state, [TRUCK_GUNS, UNIT], 1)
    assert dead(state) == {TRUCK_GUNS}


def test_series_13_1_headquarters_turn_to_the_move_side_to_retreat():
    after = fall_back(field({ARMY_HQ: TARGET}, supply=()), [ARMY_HQ], 1)
    piece = after.pieces[ARMY_HQ]
    assert (piece.mode, piece.face, piece.printed.ma > 0) == ("move", "move", True)


def test_series_9_12_a_crowded_hex_is_no_way_while_there_is_another():
    crowd = [f"j/inf/{n}-INA" for n in (1, 2, 3)] + [f"j/hq/{n}" for n in ("15_Div", "18_Div", "31_Div", "33_Div")]
    crowd += [ARMY_HQ, "j/hq/33_Army", R215[2], "j/inf/1-213-33"]  # 10 RE
    full = dict.fromkeys(crowd, S)
    state = field({UNIT: TARGET, **full}, supply=())
    assert S not in {w[0] for w in ways_out(state, state.pieces[UNIT], 1, ())}
    others = [h for h in GRID.adjacent[TARGET] if h != S]
    assert ways_out(state, state.pieces[UNIT], 1, others) == ((S,),)


# what it costs --------------------------------------------------------------------------------------------------------


def test_series_5_10a_entering_the_second_hex_disorganises():
    state = play(fall_back(alone(), [UNIT], 2), f"retreat {UNIT} by {by(S, away(S))}")
    assert (state.pieces[UNIT].dg, state.pieces[UNIT].at) == (True, away(S))


@pytest.mark.rule("ocs-series/5.10a")
def test_series_5_10a_friends_in_the_second_hex_are_disorganised_far_from_any_enemy():
    """Only in the second hex: not in the first and not in the third, and no headquarters in 1999."""
    second, third = away(S), away(away(S), S)
    where = {UNIT: TARGET, OTHER: S, R215[2]: second, "j/inf/1-214-33": third, ARMY_HQ: second}
    state = play(fall_back(field(where, supply=()), [UNIT], 3), f"retreat {UNIT} by {by(S, second, third)}")
    marked = {u for u in where if state.pieces[u].dg}
    assert marked == {UNIT, R215[2]}
    assert not dead(state)
    near = play(fall_back(field({UNIT: TARGET, OTHER: S}, supply=()), [UNIT], 1), f"retreat {UNIT} by {by(S)}")
    assert not any(near.pieces[u].dg for u in (UNIT, OTHER))
    modern = field({UNIT: TARGET, ARMY_HQ: second}, supply=(), rules=Rules(version="v4.3"))
    modern = play(fall_back(modern, [UNIT], 2), f"retreat {UNIT} by {by(S, second)}")
    assert modern.pieces[ARMY_HQ].dg


@pytest.mark.rule("ocs-series/5.10a")
def test_series_5_10a_friends_who_are_dg_in_the_second_hex_lose_nothing():
    state = field({UNIT: TARGET, OTHER: Piece(OTHER, away(S), dg=True)}, supply=())
    state = play(fall_back(state, [UNIT], 2), f"retreat {UNIT} by {by(S, away(S))}")
    assert not dead(state)
    assert not state.frames


def test_series_9_12e_an_enemy_zone_disorganises_the_party_and_friends_there():
    enemy = {BRIGADE: away(S), UNIT: TARGET, OTHER: S}
    state = play(fall_back(field(enemy, supply=()), [UNIT], 1), f"retreat {UNIT} by {by(S)}")
    assert [state.pieces[u].dg for u in (UNIT, OTHER)] == [True, True]
    assert not dead(state)


def test_series_9_12e_who_is_dg_already_loses_a_step_in_a_zone():
    units = {
        BRIGADE: away(S),
        UNIT: Piece(UNIT, TARGET, dg=True),
        OTHER: Piece(OTHER, TARGET, dg=True),
        R215[2]: TARGET,
    }
    state = fall_back(field(units, supply=()), list(R215), 1)
    state = play(state, f"retreat {', '.join(R215)} by {by(S)}")
    assert asked(state) == ("japanese", ("sacrifice",))
    assert choices(state, "sacrifice") == [UNIT, OTHER]  # the third was not DG before
    after = play(state, f"sacrifice {OTHER}")
    assert dead(after) == {OTHER}
    assert after.pieces[R215[2]].dg


def test_series_9_12e_two_zones_cost_a_step_on_the_second():
    """DG from the first zone, a step lost in the second."""
    state = field({BRIGADE: GRID.neighbours[SE][2], UNIT: TARGET}, supply=())
    far = next(
        w
        for w in ways_out(state, state.pieces[UNIT], 2, ())
        if all(GRID.distance(h, state.pieces[BRIGADE].at) == 1 for h in w)
    )
    assert dead(play(fall_back(state, [UNIT], 2), f"retreat {UNIT} by {by(*far)}")) == {UNIT}


def test_series_5_8a_strategic_mode_units_forced_into_a_zone_die():
    unit = Piece(UNIT, TARGET, mode="strat", face="move")
    free = field({UNIT: unit, BRIGADE: away(S)}, supply=())
    assert S not in {w[0] for w in ways_out(free, unit, 1, ())}
    shut = [h for h in GRID.adjacent[TARGET] if h != S]
    assert dead(fall_back(free, [UNIT], 1, barred=shut)) == {UNIT}


def test_burma_2_7a_the_ina_forced_east_of_the_chindwin_dies(monkeypatch):
    """On the real map: next to the river it may stand, one hex farther east it may not go."""
    from burma_study.boards.board import load_board
    from burma_study.rules.ocs import state as state_module
    from burma_study.rules.ocs.combat import texts as combat_texts

    board = load_board("ocs")
    monkeypatch.setattr(state_module, "load_board", load_board)
    monkeypatch.setattr(combat_texts, "load_board", load_board)
    west, east = bank(board)
    at = next(h for h in sorted(east) if board.terrain[h] != "off" and any(n in west for n in board.grid.adjacent[h]))
    outside = [h for h in board.grid.adjacent[at] if h in east and all(n in east for n in board.grid.adjacent[h])]
    assert outside
    state = new_state("ocs/test").place(Piece(INA, at)).place(Piece(UNIT, at))
    inside = [h for h in board.grid.adjacent[at] if h not in outside]
    assert not {w[0] for w in ways_out(state, state.pieces[INA], 1, ())} & set(outside)
    assert dead(fall_back(state, [INA], 1, barred=inside)) == {INA}


def test_burma_2_6b_banzai_units_eliminated_in_retreat_leave_the_game():
    units = RING
    after = fall_back(field({UNIT: TARGET, **units}, supply=()), [UNIT], 1, cause="banzai")
    assert after.pieces[UNIT].at == "gone"


@pytest.mark.parametrize(("dg", "lost"), [(False, set()), (True, {UNIT})])
def test_burma_opt_3l_serious_interdiction_disorganises_or_costs_a_step(dg, lost):
    plane = Aircraft("p1", "allied", "hurricane", S)
    state = alone(dg=dg).put("aircraft", "p1", plane)
    after = play(fall_back(state, [UNIT], 1), f"retreat {UNIT} by {by(S)}")
    assert dead(after) == lost
    assert lost or after.pieces[UNIT].dg


def test_burma_opt_3l_what_makes_interdiction_serious(on):
    state = alone()
    strong = state.put("aircraft", "p", Aircraft("p", "allied", "hurricane", S))
    assert seriously_interdicted(strong, S, "japanese")
    assert not seriously_interdicted(strong, S, "allied")
    assert not seriously_interdicted(strong.with_(rules=Rules(options=())), S, "japanese")
    weak = state.put("aircraft", "p", Aircraft("p", "allied", "spitfire-v", S))  # 2 points
    assert not seriously_interdicted(weak, S, "japanese")
    on(terrain={S: "jungle"})  # unobserved (Burma 1.7)
    assert not seriously_interdicted(strong, S, "japanese")
    assert seriously_interdicted(strong.place(Piece(BRIGADE, away(S))), S, "japanese")


def test_burma_opt_3l_a_zone_and_serious_interdiction_cost_a_step_each():
    units = {u: Piece(u, TARGET, dg=True) for u in R215} | {BRIGADE: away(S)}
    state = field(units, supply=()).put("aircraft", "p", Aircraft("p", "allied", "hurricane", S))
    state = play(fall_back(state, R215, 1), f"retreat {', '.join(R215)} by {by(S)}")
    assert state.frames[-1]["n"] == 2
    assert len(dead(play(state, f"sacrifice {R215[0]}, {R215[2]}"))) == 2


def test_series_4_4c_only_attack_capable_units_retreat_over_enemy_goods_and_capture_them():
    state = field({UNIT: TARGET, ARMY_HQ: Piece(ARMY_HQ, TARGET, mode="move", face="move")}, supply=())
    state = state.put("dumps", S, Dump("allied", 8))
    assert S not in {w[0] for w in ways_out(state, state.pieces[ARMY_HQ], 1, ())}
    after = play(fall_back(state, [UNIT], 1), f"retreat {UNIT} by {by(S)}", dice=[(6,)])
    assert after.dumps[S] == Dump("japanese", 6)


# whole battles --------------------------------------------------------------------------------------------------------


def test_series_9_12_attackers_retreat_from_their_own_hexes():
    state = come_to(field({BRIGADE: N, SECOND: S, UNIT: TARGET}, supply=()), attack_with(BRIGADE, SECOND), "Ao1 Do1")
    state = play(state, "settle 0 in steps", f"retreat {BRIGADE} by {by(away(N))}")
    assert asked(state) == ("allied", ("retreat",))
    state = play(state, f"retreat {SECOND} by {by(away(S))}", "ignore the option")
    assert [state.pieces[u].at for u in (BRIGADE, SECOND)] == [away(N), away(S)]
    assert not state.frames


def test_series_8_a_retreat_ends_the_move_of_an_overrun():
    state = field({BRIGADE: N, UNIT: TARGET}, phase="movement", supply=())
    state = come_to(state, f"overrun {GAME.label(TARGET)} with {BRIGADE}", "Ao1 Do1")
    state = play(state, "settle 0 in steps", f"retreat {BRIGADE} by {by(away(N))}", "ignore the option")
    assert state.pieces[BRIGADE].done


def test_every_answer_of_a_retreat_can_be_built_from_its_choices():
    state = fall_back(field({UNIT: TARGET, OTHER: TARGET, BRIGADE: N}, supply=()), [UNIT, OTHER], 2)
    while asked(state)[1]:
        state = play(state, first_answer(state))
    assert all(GRID.distance(TARGET, state.pieces[u].at) == 2 for u in (UNIT, OTHER) if u not in dead(state))


# who goes along -------------------------------------------------------------------------------------------------------

FRIEND = "a/inf/4-2"


def thrown_back(result="Ao1 Do1", **units):
    """One brigade of two in N has attacked and falls back; the other took no part."""
    where = {BRIGADE: N, FRIEND: N, UNIT: TARGET} | units
    state = come_to(field(where, supply=()), attack_with(BRIGADE), result)
    return play(state, "settle 0 in steps")


@pytest.mark.rule("ocs-series/9.12d")
def test_series_9_12d_units_that_did_not_fight_may_join_a_retreat_from_their_hex():
    state = thrown_back()
    assert choices(state, "retreat") == [BRIGADE], "who need not go cannot begin"
    assert choices(state, "retreat", units=(BRIGADE,))[:1] == [FRIEND]
    both = play(state, f"retreat {BRIGADE}, {FRIEND} by {by(away(N))}", "ignore the option")
    assert [both.pieces[u].at for u in (BRIGADE, FRIEND)] == [away(N)] * 2
    one = play(state, f"retreat {BRIGADE} by {by(away(N))}", "ignore the option")
    assert [one.pieces[u].at for u in (BRIGADE, FRIEND)] == [away(N), N]
    assert not [*both.frames, *one.frames]


@pytest.mark.rule("ocs-series/9.12d")
def test_series_9_12d_nobody_goes_alone_from_another_hex_or_for_the_enemy():
    state = thrown_back(**{SECOND: NE})
    for units, code in ((FRIEND, "retreat-alone"), (f"{BRIGADE}, {SECOND}", "no-candidate")):
        order = GAME.parse(f"retreat {units} by {by(away(N))}")
        assert [r.code for r in GAME.check(state, order)] == [code]
    assert [r.code for r in GAME.check(state, GAME.parse(f"retreat {BRIGADE}, {UNIT} by {by(away(N))}"))] == [
        "no-candidate"
    ]
    gone = play(state, f"retreat {BRIGADE} by {by(away(N))}", "ignore the option")
    assert gone.pieces[FRIEND].at == N, "when those that must have gone it is over"


@pytest.mark.rule("ocs-series/9.12d")
def test_series_9_12d_an_only_way_is_asked_about_when_a_friend_might_go_along():
    """Five sides shut: the way is one, whether the friend goes is not."""
    ring = [h for h in GRID.adjacent[N] if h not in (TARGET, away(N))]
    enemies = dict(zip([*R215[1:], *R214[:2]], ring, strict=True))
    state = thrown_back(**enemies)
    assert asked(state) == ("allied", ("retreat",))
    gone = play(state, f"retreat {BRIGADE}, {FRIEND} by {by(away(N))}")
    assert gone.pieces[FRIEND].at == away(N)


@pytest.mark.rule("ocs-series/9.12d", "ocs-series/9.12b")
def test_series_9_12d_headquarters_turn_to_the_move_side_to_join_a_retreat():
    """A corps headquarters in Combat Mode has MA 0: it may come along on its Move side, or stay as it is."""
    hq = "a/hq/4_Corps"
    state = thrown_back(**{hq: Piece(hq, N, "combat", "combat")})
    assert not state.pieces[hq].printed.ma
    assert hq in choices(state, "retreat", units=(BRIGADE,))
    gone = play(state, f"retreat {BRIGADE}, {hq} by {by(away(N))}", "ignore the option")
    assert (gone.pieces[hq].at, gone.pieces[hq].mode, gone.pieces[hq].face) == (away(N), "move", "move")
    stays = play(state, f"retreat {BRIGADE} by {by(away(N))}", "ignore the option")
    assert (stays.pieces[hq].at, stays.pieces[hq].mode, stays.pieces[hq].face) == (N, "combat", "combat")


@pytest.mark.rule("ocs-series/9.12d", "ocs-series/8")
def test_series_9_12d_who_joins_the_retreat_of_an_overrun_has_moved():
    state = field({BRIGADE: N, FRIEND: N, UNIT: TARGET}, phase="movement", supply=())
    state = come_to(state, f"overrun {GAME.label(TARGET)} with {BRIGADE}", "Ao1 Do1")
    state = play(state, "settle 0 in steps")
    joined = play(state, f"retreat {BRIGADE}, {FRIEND} by {by(away(N))}", "ignore the option")
    stayed = play(state, f"retreat {BRIGADE} by {by(away(N))}", "ignore the option")
    assert [s.pieces[FRIEND].done for s in (joined, stayed)] == [True, False]


# what they leave ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/9.14f", "ocs-series/8")
@pytest.mark.parametrize(("roll", "steps"), [((2, 2), 1), ((2, 3), 2)])
@pytest.mark.parametrize("overrun", [True, False], ids=["overrun", "attack"])
def test_series_9_14f_a_base_taken_by_overrun_is_taken_by_advance(overrun, roll, steps):
    """Two dice and 2: 4 and 2 is a step lost, 5 and 2 is none; a march would lose it on 5 as well."""
    state = field({BRIGADE: N, UNIT: TARGET}, phase="movement" if overrun else "combat", supply=())
    state = state.put("bases", TARGET, Base("japanese", 1)).put("bases", away(S), Base("japanese", 1))
    state = state.put("aircraft", "j/oscar/1", Aircraft("j/oscar/1", "japanese", "oscar", TARGET, 2, active=False))
    if overrun:
        after = come_to(state, f"overrun {GAME.label(TARGET)} with {BRIGADE}", "DL2", dice=[roll])
    else:
        after = come_to(state, attack_with(BRIGADE), "DL2")
        after = play(after, f"advance with {BRIGADE}", dice=[roll])
    assert after.bases[TARGET].side == "allied"
    assert (after.aircraft["j/oscar/1"].at, after.aircraft["j/oscar/1"].steps) == (away(S), steps)
