"""Policies: what each does, that a reader keeps his units, and that nothing a policy does can break a game."""

from __future__ import annotations

from fractions import Fraction

import pytest

from burma_study.engine.orders import Order
from burma_study.engine.sequence import Done
from burma_study.engine.session import Session
from burma_study.errors import ScenarioError
from burma_study.games.ocs.line import load_line
from burma_study.games.ocs.policies import (
    Chance,
    Hold,
    PhasePolicy,
    Plan,
    PlanPolicy,
    Services,
    Task,
    Team,
    convoys,
    names,
    play,
    policy,
)
from burma_study.games.ocs.policies.answers import Manner, worth
from burma_study.games.ocs.policies.larder import cut_off, hungry, larder
from burma_study.games.ocs.policies.marching import Care, enemy_distance, march, may_end, mode_for, toward
from burma_study.rules.ocs.counters import counters
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.movement.orders import Move
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.state import Dump, Piece, State
from burma_study.rules.ocs.supply.phase import hungry as must_eat
from burma_study.rules.ocs.supply.phase import tables, waiting_for_refill
from burma_study.rules.ocs.turn.victory import score_sheet, totals, verdict

UGO, LEARNING = "ocs/u-go", "ocs/learning"


def game(scenario: str = LEARNING, seed: str = "1") -> Session:
    return Session(GAME, start(scenario), setup=scenario, seed=seed)


def both(scenario: str, japanese: str, allied: str) -> dict[str, PhasePolicy]:
    return {"japanese": policy(scenario, "japanese", japanese), "allied": policy(scenario, "allied", allied)}


def in_phase(phase: str, scenario: str = UGO, player: str = "japanese") -> State:
    return start(scenario).with_(phase=phase, player=player)


# hold -----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def idle() -> Session:
    session = game(UGO)
    run = play(session, {"japanese": Hold(), "allied": Hold()})
    assert run.over
    assert run.notes == []
    return session


def test_an_idle_japan_scores_nothing_against_79(idle: Session) -> None:
    """Rules review, G 56: the score of a game in which nobody moves."""
    assert totals(idle.state) == {"japanese": 0, "allied": 79}


def test_hold_moves_nobody(idle: Session) -> None:
    first, last = idle.state_at(0).pieces, idle.state.pieces
    moved = [u for u, p in last.items() if p.on_map and u in first and first[u].on_map and first[u].at != p.at]
    assert moved == []
    assert not any(idle.tree[n].order.kind == "move" for n in range(1, len(idle.tree)))


def test_hold_lets_everybody_eat(idle: Session) -> None:
    assert any(idle.tree[n].order.kind == "eat-all" for n in range(1, len(idle.tree)))


# history --------------------------------------------------------------------------------------------------------------


def test_history_goes_where_the_line_goes_when_it_may() -> None:
    """After Japan's first Movement Phase, every unit that could stands where the line has it on 19 March."""
    session = game(UGO)
    sides = both(UGO, "history", "hold")
    play(session, sides, until=lambda s: s.phase not in ("setup", "weather", "reinforcement", "movement"))
    line, state = load_line(UGO).at(1), session.state
    japanese = [p for p in state.units("japanese") if p.on_map and p.id in line.by_unit]
    there = [p.id for p in japanese if state.board.label(p.at) == line.by_unit[p.id].hex]
    notes = sides["japanese"].notes
    late = [p.counter.label for p in japanese if p.id not in there]
    assert len(there) > len(late)
    assert [label for label in late if not any(f"{label} is not at" in note for note in notes)] == []


def test_history_names_the_rule_that_keeps_a_unit_back() -> None:
    session = game(UGO)
    sides = both(UGO, "history", "hold")
    play(session, sides, until=lambda s: s.phase == "supply")
    notes = " ".join(sides["japanese"].notes)
    assert "as in history: " in notes
    assert "ocs-series/" in notes


def test_there_is_no_history_of_a_scenario_without_a_line() -> None:
    assert "history" not in names(LEARNING, "japanese")
    with pytest.raises(ScenarioError, match="no policy 'history'"):
        policy(LEARNING, "japanese", "history")


# plans ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["japanese", "allied"])
@pytest.mark.parametrize("scenario", [UGO, LEARNING])
def test_every_plan_names_hexes_and_units_that_there_are(scenario: str, side: str) -> None:
    state = start(scenario)
    known = {*counters(), *(p.counter.formation for p in state.units(side)), "*"}
    for name in names(scenario, side):
        found = policy(scenario, side, name)
        if isinstance(found, PlanPolicy) and name != "history":
            for task in found.plan.tasks:
                assert all(state.board.index(h) >= 0 for h in task.goals)
                assert set(task.units) <= known, task


def test_a_plan_fights_and_the_game_ends() -> None:
    session = game(LEARNING, "2")
    run = play(session, both(LEARNING, "harry the rearguard", "break the blocks"))
    assert run.over
    assert [n for n in run.notes if "Hold plays on" in str(n)] == []
    kinds = {session.tree[n].order.kind for n in range(1, len(session.tree))}
    assert {"attack", "barrage", "move", "mode", "pay"} <= kinds


def test_the_same_seed_plays_the_same_game() -> None:
    lines = []
    for _ in range(2):
        session = game(LEARNING, "7")
        play(session, both(LEARNING, "block the Tiddim road", "come back to Imphal"))
        lines.append(list(session.lines()))
    assert lines[0] == lines[1]


def test_another_seed_plays_another() -> None:
    sessions = [game(LEARNING, seed) for seed in ("7", "8")]
    for session in sessions:
        play(session, both(LEARNING, "block the Tiddim road", "come back to Imphal"))
    assert list(sessions[0].lines()) != list(sessions[1].lines())


def test_a_task_of_an_unknown_stance_is_refused() -> None:
    with pytest.raises(ScenarioError, match="'charge' is no stance"):
        Task(("*",), ("A7.09",), "charge")


def test_a_task_ends_with_its_last_turn() -> None:
    plan = Plan("p", "japanese", UGO, "", (Task(("31 Div",), ("A10.21",), last=2), Task(("*",), ("A4.24",))))
    found, state = PlanPolicy(plan), start(UGO)
    piece = state.pieces["j/inf/1-58-31"]
    assert found.task(state.with_(turn=2), piece) == plan.tasks[0]
    assert found.task(state.with_(turn=3), piece) == plan.tasks[1]


# supply of plans ------------------------------------------------------------------------------------------------------

VITAL = ("A7.09", "A7.10", "A10.21", "A4.24")


@pytest.fixture(scope="module")
def siege() -> Session:
    """Plan against plan for five turns: Imphal is cut off."""
    session = game(UGO)
    run = play(session, both(UGO, "plan", "plan"), until=lambda s: s.turn == 6)
    assert [n for n in run.notes if "Hold plays on" in str(n)] == []
    return session


def ends(session: Session, phase: str) -> list[State]:
    """The states in which a phase of that name was left."""
    records = (session.tree[n] for n in session.tree.path()[1:])
    before = (session.state_at(r.parent) for r in records if r.order.kind == "done")
    return [s for s in before if s.phase == phase and not s.frames]


def orders(session: Session, kind: str, side: str) -> list[tuple[State, Order]]:
    """Orders of a kind that a side gave, each with the state before it."""
    records = (session.tree[n] for n in session.tree.path()[1:])
    return [(session.state_at(r.parent), r.order) for r in records if r.order.kind == kind and r.actor == side]


def test_nobody_starves_beside_supply(siege: Session) -> None:
    """Nobody may eat before the stocks are refilled (OCS 12.10e): a policy that forgets it starves an army."""
    seen = ends(siege, "supply")
    assert seen
    for state in seen:
        assert waiting_for_refill(state) == []
        assert [u for u in must_eat(state) if tables(state, u)] == []


def test_no_headquarters_takes_a_mode_in_which_it_would_starve(siege: Session) -> None:
    """In 1999 an HQ in Strategic Mode draws nothing (OCS 5.8), and neither then do those it feeds."""
    seen = [state for phase in ("movement", "supply") for state in ends(siege, phase)]
    assert any(p.counter.is_hq and p.on_map for state in seen for p in state.units())
    assert [p.id for state in seen for p in state.units(state.player) if p.counter.is_hq and p.mode == "strat"] == []


def test_nobody_goes_into_strategic_mode_to_stay(siege: Session) -> None:
    """Strategic Mode counts action rating 0 for attrition (OCS 12.8b), so it is for marching only."""
    seen = list(ends(siege, "movement"))
    assert any(p.mode == "strat" for state in seen for p in state.units())
    for state in seen:
        idle = [p.id for p in state.units(state.player) if p.on_map and p.mode == "strat" and not (p.spent or p.done)]
        assert idle == []


def test_the_allied_plan_never_leaves_imphal_or_kohima_empty(siege: Session) -> None:
    seen = [state for state in ends(siege, "movement") if state.player == "allied"]
    assert len(seen) == 5
    for state in seen:
        assert {state.board.index(h) for h in VITAL} <= {p.at for p in state.units("allied")}


def test_who_holds_a_place_does_not_advance_out_of_it(siege: Session) -> None:
    went, stayed = orders(siege, "advance", "allied"), orders(siege, "no_advance", "allied")
    assert went or stayed
    for state, order in went:
        left = {state.pieces[u].at for u in order.units}  # type: ignore[attr-defined]
        assert not left & {state.board.index(h) for h in VITAL}


def test_17_division_comes_back_while_it_can(siege: Session) -> None:
    state = siege.state
    centre = state.board.index("A6.08")
    fighters = [p for p in state.units("allied") if p.counter.formation == "17 Ind Div" and p.counter.attack_capable]
    back = [p for p in fighters if isinstance(p.at, int) and state.board.grid.distance(p.at, centre) <= 5]
    assert len(back) >= 3
    assert not any(p.oos for p in back)


def test_the_allied_plan_uses_every_way_to_bring_supply_and_troops(siege: Session) -> None:
    """Trucks while the road is open, the railway, the transports, and the Hump when there is need of it."""
    index = siege.state.board.index
    unloaded = {s.transport[o.name].at for s, o in orders(siege, "unload", "allied")}  # type: ignore[attr-defined]
    assert index("A7.09") in unloaded
    for kind in ("rail", "freight", "lift", "divert", "hump"):
        assert orders(siege, kind, "allied"), kind


def test_herds_go_with_the_japanese(siege: Session) -> None:
    """Burma 2.5d: water buffaloes feed units wherever they are driven."""
    assert orders(siege, "buffaloes", "japanese")
    driven = [o for _, o in orders(siege, "move", "japanese") if "buffalo" in o.units[0]]  # type: ignore[attr-defined]
    assert driven


def test_the_hungry_are_those_without_trace_and_dump() -> None:
    """Rules review 19: of the Japanese only those at B2.22 and B2.23 do not trace; they eat from B2.22."""
    state = start(UGO)
    dump = state.board.index("B2.22")
    assert hungry(state, "japanese") == frozenset()
    without = state.put("dumps", dump, None)
    there = {p.id for p in state.units("japanese") if p.at in (dump, state.board.index("B2.23"))}
    assert hungry(without, "japanese") == there
    assert dump in larder(state, "japanese")
    assert dump not in larder(without, "japanese")


def test_imphal_is_cut_off_by_a_battalion_on_its_road() -> None:
    state = start(UGO)
    imphal = (state.board.index("A7.09"),)
    assert not cut_off(state, "allied", imphal)
    blocked = state.place(Piece("j/inf/1-58-31", state.board.index("A8.15")))
    assert cut_off(blocked, "allied", imphal)
    assert not cut_off(blocked, "allied", (state.board.index("A14.10"),))


def test_dumps_are_blown_when_nobody_lives_from_them_and_the_enemy_is_near() -> None:
    state = in_phase("movement", player="allied")
    near, far, guarded = (state.board.index(h) for h in ("A17.09", "A2.20", "A13.01"))
    for hex_ in (near, far):
        state = state.put("dumps", hex_, Dump("allied", 6))
    session = Session(GAME, state, setup=UGO, seed="1")
    assert near in blown(session)
    assert not {far, guarded} & set(blown(session))


def blown(session: Session) -> list[int]:
    return [order.at for order in convoys.blow(session)]  # type: ignore[attr-defined]


def test_an_hq_is_the_last_to_be_lost() -> None:
    state = start(UGO)
    pieces = sorted(state.units("allied"), key=worth)
    assert pieces[-1].id == "a/hq/4_Corps"


def test_the_name_plan_is_the_first_plan_of_a_side() -> None:
    assert policy(UGO, "allied", "plan").name == "cautious withdrawal to the plain"
    assert policy(UGO, "japanese", "plan").name == "advance on Kohima"


@pytest.mark.golden
@pytest.mark.parametrize("allied", ["cautious withdrawal to the plain", "hold and counterattack"])
def test_a_japanese_attack_meets_a_credible_defence(allied: str) -> None:
    """Over a few seeds Imphal and Dimapur stand, and Japan seldom has twice the points of the Allies (G 56)."""
    strategic = 0
    for seed in ("1", "2", "3"):
        session = game(UGO, seed)
        run = play(session, both(UGO, "advance on Kohima", allied))
        assert run.over
        assert [n for n in run.notes if "Hold plays on" in str(n)] == []
        banked = {p.item for p in score_sheet(session.state) if p.side == "japanese"}
        assert not banked & {"imphal", "dimapur", "end"}
        strategic += verdict(session.state).level == "Japanese strategic victory"
    assert strategic <= 1


# the reader -----------------------------------------------------------------------------------------------------------


def test_units_that_the_reader_took_back_are_left_alone() -> None:
    session, sides = game(UGO), both(UGO, "advance on Kohima", "hold")
    mine = ("j/inf/1-58-31", "j/hq/31_Div", "j/mule/3")
    sides["japanese"].skip.update(mine)
    play(session, sides, until=lambda s: s.turn == 3)
    for n in range(1, len(session.tree)):
        order = session.tree[n].order
        if order.kind in ("move", "mode"):
            assert not set(mine) & set(order.units)  # type: ignore[attr-defined]


def test_the_game_waits_for_a_side_without_a_policy() -> None:
    session = game(LEARNING)
    run = play(session, {"allied": Hold()})
    assert (run.why, session.decision.actor) == ("reader", "japanese")
    session.push(Done())
    assert play(session, {"allied": Hold()}).why == "reader"


def test_after_an_undo_a_plan_begins_its_phase_again() -> None:
    session, sides = game(LEARNING), both(LEARNING, "block the Tiddim road", "hold")
    play(session, sides, until=lambda s: s.phase == "movement" and s.player == "japanese")
    at = session.node
    play(session, sides, most=6)
    first = list(session.lines())[at:]
    session.go(at)
    play(session, sides, most=6)
    assert list(session.lines())[at:] == first


def test_a_team_leads_each_formation_by_its_own_policy() -> None:
    session = game(UGO)
    team = Team({"31 Div": policy(UGO, "japanese", "early Dimapur drive")}, Hold())
    play(session, {"japanese": team, "allied": Hold()}, until=lambda s: s.turn == 2)
    moved = {
        u
        for n in range(1, len(session.tree))
        if session.tree[n].order.kind == "move"
        for u in session.tree[n].order.units  # type: ignore[attr-defined]
        if u in session.state_at(0).pieces
    }
    assert moved
    assert {session.state_at(0).pieces[u].counter.formation for u in moved} == {"31 Div"}
    team.take_back("j/inf/1-58-31")
    assert all("j/inf/1-58-31" in member.skip for member in team.members)
    team.give("j/inf/1-58-31")
    assert not any("j/inf/1-58-31" in member.skip for member in team.members)


# what goes wrong ------------------------------------------------------------------------------------------------------


class Raising(Hold):
    name = "raising"

    def order(self, session: Session, actor: str) -> Order:
        raise KeyError("lost my map")


class Cheating(Hold):
    """Marches across the board in set-up."""

    name = "cheating"

    def order(self, session: Session, actor: str) -> Order:
        return Move(("j/inf/1-214-33",), (4000,))


@pytest.mark.parametrize(("bad", "said"), [(Raising, "lost my map"), (Cheating, "is refused")])
def test_a_policy_that_raises_or_cheats_is_replaced_by_hold_and_named(bad: type[Hold], said: str) -> None:
    """Issue 3, 10: the reason, nothing changed, nothing lost, and the game goes on."""
    session, held = game(LEARNING), game(LEARNING)
    run = play(session, {"japanese": bad(), "allied": bad()}, until=lambda s: s.turn == 2)
    play(held, {"japanese": Hold(), "allied": Hold()}, until=lambda s: s.turn == 2)
    assert run.why == "until"
    assert said in str(run.notes[0])
    assert "Hold plays on" in str(run.notes[0])
    assert list(session.lines()) == list(held.lines())


def test_a_run_can_be_cancelled_and_tells_its_progress() -> None:
    session, seen = game(LEARNING), list[int]()
    run = play(
        session,
        both(LEARNING, "hold", "hold"),
        progress=lambda r, _: seen.append(r.orders),
        cancelled=lambda: len(seen) >= 5,
    )
    assert (run.why, seen) == ("cancelled", [1, 2, 3, 4, 5])


def test_an_unknown_policy_is_refused_with_those_there_are() -> None:
    with pytest.raises(ScenarioError, match=r"'holdd'.*hold, history, advance on Kohima.*Did you mean hold"):
        policy(UGO, "japanese", "holdd")


def test_names_may_be_written_with_hyphens() -> None:
    assert policy(UGO, "japanese", "early-dimapur-drive").name == "early Dimapur drive"


# marches --------------------------------------------------------------------------------------------------------------


def test_a_march_brings_units_nearer_by_a_legal_path() -> None:
    state = in_phase("movement")
    goal = (state.board.index("A10.21"),)
    order = march(state, ("j/inf/1-58-31",), goal)
    assert order is not None
    assert GAME.check(state, order) == ()
    field = toward(state, "japanese", "leg", goal)
    start_ = state.pieces["j/inf/1-58-31"].at
    assert isinstance(start_, int)
    assert (field.cost(order.path[-1]) or 0) < (field.cost(start_) or 0)


def test_no_march_from_the_goal() -> None:
    state = in_phase("movement")
    here = state.pieces["j/inf/1-58-31"].at
    assert isinstance(here, int)
    assert march(state, ("j/inf/1-58-31",), (here,)) is None


def test_a_march_never_ends_in_a_crowd() -> None:
    state = in_phase("movement")
    unit = state.pieces["j/inf/1-58-31"]
    full = state.board.grid.adjacent[unit.at][0]  # type: ignore[index]
    ids = [p.id for p in state.units("japanese") if p.counter.type == "infantry" and p.id != unit.id]
    for id_ in ids:
        state = state.place(Piece(id_, full))
    assert not may_end(state, (unit.id,), full)


def test_steps_in_a_hex_are_limited_where_wanted() -> None:
    state = in_phase("movement")
    unit = state.pieces["j/inf/1-58-31"]
    near = state.board.grid.adjacent[unit.at][0]  # type: ignore[index]
    for id_ in ("j/inf/2-58-31", "j/inf/3-58-31"):
        state = state.place(Piece(id_, near))
    assert may_end(state, (unit.id,), near, Care(most=3))
    assert not may_end(state, (unit.id,), near, Care(most=2))


def test_units_near_the_enemy_show_their_combat_side() -> None:
    state = in_phase("movement")
    near, far = state.pieces["j/inf/1-215-33"], state.pieces["j/inf/3-138-31"]
    assert enemy_distance(state, "japanese", near.at) <= 3  # type: ignore[arg-type]
    assert mode_for(state, near, 600) == "combat"
    assert mode_for(state, far, 600) in ("move", "strat")


def test_a_policy_has_dice_of_its_own() -> None:
    session = game(LEARNING)
    one, again, other = Chance("a"), Chance("a"), Chance("b")
    draws = [[dice.pick(session, range(1000)) for _ in range(8)] for dice in (one, again, other)]
    assert draws[0] == draws[1] != draws[2]
    assert len(set(draws[0])) > 4
    assert session.node == 0


def test_services_and_manner_have_quiet_defaults() -> None:
    assert Services().diversions == 0
    assert not Manner().advance
    assert Task(("*",), ()).attack == Fraction(1, 4)


def test_a_finished_game_has_a_verdict() -> None:
    session = game(LEARNING, "3")
    play(session, both(LEARNING, "block the Tiddim road", "break the blocks"))
    assert verdict(session.state).level in ("Allied victory", "Draw", "Japanese victory")
