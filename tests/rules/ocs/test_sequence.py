"""Order of a turn, who moves first, ends of phase, turn and game (OCS 2.2-2.3)."""

import ast
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import passive
import pytest
from dice import ONES, Dice, at_once, begun, where

from burma_study.engine.session import Session
from burma_study.games.registry import game_of
from burma_study.rules.ocs import game
from burma_study.rules.ocs.game import GAME, OcsGame
from burma_study.rules.ocs.setup.starting import start
from burma_study.rules.ocs.state import PHASES, Piece
from burma_study.rules.ocs.turn.sequence import PLAYER_TURN, SEQUENCE

ROOT = Path(__file__).parents[3]


def played(scenario, seed="1"):
    session = Session(GAME, start(scenario), setup=scenario, seed=seed)
    passive.play(session)
    return session


@pytest.fixture(scope="module")
def u_go():
    return played("ocs/u-go")


def every_phase(turns=1):
    """(turn, phase, player, decider) at every stop of a game that stops everywhere."""
    state = start("ocs/learning").put("markers", "stops", "all")
    found, roller = [], Dice(weather=ONES, initiative=ONES, attrition=ONES)
    while state.turn <= turns and state.phase != "over":
        decision = GAME.decision(state)
        found.append((state.turn, state.phase, state.player, decision.actor))
        order = "go first" if "go" in decision.kinds else "forage mark" if "forage" in decision.kinds else "done"
        state = GAME.apply(state, GAME.parse(order), roller).state
    return found


def test_series_2_3_a_player_turn_has_its_phases_in_order_and_the_second_player_follows():
    stops = [s for s in every_phase() if s[1] not in ("setup", "weather", "initiative")]
    assert [s[1:3] for s in stops] == [(p, who) for who in ("japanese", "allied") for p in PLAYER_TURN]
    assert {s[3] for s in stops if s[1].startswith("reaction") and s[2] == "japanese"} == {"allied"}
    assert {s[3] for s in stops if not s[1].startswith("reaction") and s[2] == "japanese"} == {"japanese"}


def test_series_2_2_weather_and_initiative_come_before_the_player_turns():
    assert [s[1] for s in every_phase() if s[1] in ("setup", *PHASES[1:3])] == [
        "setup",
        "setup",
        "weather",
        "initiative",
    ]


@pytest.mark.rule("ocs/learning.sr4", "ocs/u-go.sr4", "ocs/sato.sr4", "ocs/campaign-2.sr4", "ocs/campaign-3.sr4")
@pytest.mark.parametrize("name", ["learning", "u-go", "sato", "campaign-2", "campaign-3"])
def test_japan_moves_first_where_the_scenario_says_so(name):
    state = start(f"ocs/{name}").put("markers", "stops", "all").with_(phase="weather", first="allied")
    state = at_once(state, "done")
    assert (GAME.decision(state).frame, state.first) == (None, "japanese")


@pytest.mark.rule("ocs/marauders.sr4", "ocs/imphal.sr4")
def test_marauders_rolls_on_turn_one_too():
    state = begun(start("ocs/marauders"), "initiative", "japanese", initiative=[(6, 6), (1, 1)])
    assert GAME.decision(state).actor == "japanese"


@pytest.mark.rule("ocs/u-go.sr8", "ocs/learning.sr8", "ocs/campaign-1.sr8", "ocs/campaign-2.sr7")
@pytest.mark.parametrize(
    ("name", "unit", "label", "found"),
    [
        ("u-go", "a/inf/48-17", "A7.10", []),
        ("u-go", "a/inf/48-17", "A7.12", ["no-reserve-yet"]),
        ("u-go", "a/inf/48-17", "silchar", []),
        ("learning", "a/inf/48-17", "B3.26", ["no-reserve-yet"]),
        ("campaign-1", "a/inf/48-17", "A9.12", ["no-reserve-yet"]),
        ("campaign-1", "a/inf/113-38", "A45.33", []),
        ("campaign-2", "a/col/A-77-3", "A46.07", []),
    ],
)
def test_where_reserve_is_allowed_before_play(name, unit, label, found):
    from dataclasses import replace

    state = start(f"ocs/{name}").with_(player="allied")
    at = where(label) if "." in label else label
    state = state.place(replace(state.pieces[unit], at=at, mode="reserve"))
    assert [r.code for r in GAME.check(state, GAME.parse("done"))] == found


def test_series_5_7_no_more_reserves_than_markers_before_play():
    from dataclasses import replace

    state = start("ocs/learning").with_(player="japanese")
    units = [p for p in state.units("japanese") if p.on_map]
    spots = {p.at: p for p in units}
    for piece in list(spots.values())[:3]:
        state = state.place(replace(piece, mode="reserve"))
    assert [r.code for r in GAME.check(state, GAME.parse("done"))] == ["too-many-reserves"]


def test_learning_sets_up_the_allies_first_and_japan_moves_first():
    """Scenario rules 3 and 4 of Learning."""
    stops = every_phase()
    assert [s[2] for s in stops[:2]] == ["allied", "japanese"]
    assert next(s for s in stops if s[1] == "refit")[2] == "japanese"


@pytest.mark.rule("ocs-series/2.2")
@pytest.mark.parametrize(
    ("dice", "winner", "order", "first"),
    [
        ([(6, 6), (1, 1)], "japanese", "go first", "japanese"),
        ([(6, 6), (1, 1)], "japanese", "go second", "allied"),
        ([(1, 2), (2, 2)], "allied", "go first", "allied"),
        ([(3, 4), (5, 2), (1, 6), (4, 3), (2, 2), (2, 3)], "allied", "go second", "japanese"),
    ],
)
def test_the_higher_of_two_rolls_chooses_and_ties_are_rolled_again(dice, winner, order, first):
    state = start("ocs/u-go").with_(turn=2, phase="weather", player="japanese")
    roller = Dice(initiative=dice)
    asked = GAME.apply(state, GAME.parse("done"), roller).state
    assert (GAME.decision(asked).actor, GAME.decision(asked).kinds) == (winner, ("go",))
    roller.used_up()
    after = at_once(asked, order, supply=ONES, replacement=ONES)
    assert (after.first, after.player) == (first, first)


@pytest.mark.rule("ocs/campaign-1.sr4", "ocs/imphal.sr4", "ocs/thursday.sr4")
@pytest.mark.parametrize(
    ("scenario", "actor", "dice"),
    [
        ("ocs/campaign-1", "japanese", {}),
        ("ocs/imphal", "allied", {"initiative": [(1, 1), (6, 6)]}),
        ("ocs/thursday", "", {}),
    ],
)
def test_the_first_turn_goes_to_whom_the_scenario_says(scenario, actor, dice):
    state = begun(start(scenario), "initiative", "japanese", **dice)
    assert (state.frames[-1].actor if state.frames else "") == actor
    if not actor:
        assert state.first == "allied"


def test_series_2_3_clean_up_takes_own_dg_and_exploit_and_forgets_fuel_and_steps():
    from dataclasses import replace

    state = start("ocs/u-go")
    own, other = "j/inf/1-58-31", "a/inf/48-17"
    for unit in (own, other):
        piece = replace(state.pieces[unit], dg=True, mode="exploit", spent=7, done=True, fuelled=True)
        state = state.place(piece)
    after = begun(state, "cleanup", "japanese")
    assert (after.pieces[own].dg, after.pieces[own].mode) == (False, "combat")
    assert (after.pieces[other].dg, after.pieces[other].mode) == (True, "exploit")
    for unit in (own, other):
        assert (after.pieces[unit].spent, after.pieces[unit].done, after.pieces[unit].fuelled) == (0, False, False)


@pytest.mark.rule("ocs-series/5.10")
def test_a_unit_that_comes_out_of_dg_is_in_the_mode_of_the_side_that_shows():
    state, unit = start("ocs/u-go").with_(phase="movement", player="japanese"), "j/inf/1-58-31"
    state = state.place(Piece(unit, state.pieces[unit].at, dg=True))
    turned = at_once(state, f"mode {unit} combat with the move side up")
    after = begun(turned, "cleanup", "japanese").pieces[unit]
    assert (after.dg, after.mode, after.face) == (False, "move", "move")


def play_by(monkeypatch, change):
    """The game with its rooms changed."""
    play = replace(game.PLAY, rooms=tuple(map(change, game.PLAY.rooms)))
    monkeypatch.setattr(game, "PLAY", play)
    monkeypatch.setattr(OcsGame, "procedures", play.procedures)


def test_a_phase_where_nobody_can_act_is_passed_unless_every_phase_is_wanted(monkeypatch):
    play_by(monkeypatch, lambda room: replace(room, idle={**room.idle, "refit": lambda state: True}))
    state = start("ocs/u-go").with_(phase="cleanup", player="japanese")
    assert at_once(state, "done", supply=ONES, replacement=ONES).phase != "refit"
    assert at_once(state.put("markers", "stops", "all"), "done").phase == "refit"
    assert at_once(at_once(state, "stops all"), "done").phase == "refit"
    assert "stops" not in at_once(at_once(state, "stops all"), "stops busy").markers


def test_a_room_may_refuse_that_a_phase_ends(monkeypatch):
    from burma_study.engine.reasons import because

    refuse = {"combat": (lambda state: [because("set-up-only", phase="combat")],)}
    play_by(monkeypatch, lambda room: replace(room, unfinished=refuse) if room is SEQUENCE else room)
    state = start("ocs/u-go").with_(phase="combat")
    assert [r.code for r in GAME.check(state, GAME.parse("done"))] == ["set-up-only"]


def test_u_go_can_be_passed_to_the_end_and_an_idle_japan_has_nothing_against_79(u_go):
    state = u_go.state
    assert (state.turn, state.phase, state.markers["ended"]) == (10, "over", "calendar")
    assert (u_go.decision.actor, u_go.decision.kinds) == ("", ())
    assert state.total == state.rebuilt_total()


@pytest.mark.parametrize("name", ["learning", "thursday", "sato"])
def test_short_scenarios_can_be_passed_to_their_end(name):
    """Nobody is asked what he cannot answer, nothing is lost on the way but what starved."""
    session = played(f"ocs/{name}", seed="5")
    first, last = session.state_at(0), session.state
    assert (last.phase, last.markers["ended"]) == ("over", "calendar")
    assert last.turn == len(last.markers["calendar"])
    assert set(first.pieces) <= set(last.pieces)
    assert last.total == last.rebuilt_total()


def test_the_same_seed_plays_the_same_game_and_another_seed_another(u_go):
    assert played("ocs/u-go").state.digest == u_go.state.digest
    assert played("ocs/u-go", seed="2").state.digest != u_go.state.digest


def test_undo_and_redo_lead_through_the_whole_game(u_go):
    nodes = u_go.tree.path()
    digests = [u_go.state_at(n).digest for n in nodes]
    for digest in reversed(digests[:-1]):
        assert u_go.undo().digest == digest
    for digest in digests[1:]:
        assert u_go.redo().digest == digest


def test_a_saved_game_opens_and_runs_again_alike(u_go, tmp_path):
    u_go.save(tmp_path / "game.json")
    again = Session.open(tmp_path / "game.json", game_of)
    assert again.state.digest == u_go.state.digest
    assert again.state == u_go.state
    assert again.rerun() is None


def test_the_weather_of_a_turn_is_the_same_whoever_moves_first():
    def weather(order):
        session = Session(GAME, start("ocs/campaign-1"), seed="9")
        seen = []
        while session.state.turn < 5:
            decision = session.decision
            if "go" in decision.kinds:
                session.push(order)
                seen.append((session.state.turn, session.state.weather, session.state.air_ops))
            else:
                passive.answer(session)
        return seen

    assert weather("go first") == weather("go second")


def test_what_borders_a_phase_happens_in_one_order_whatever_is_imported_first():
    script = (
        "import importlib, sys\n"
        "for name in sys.argv[1:]: importlib.import_module('burma_study.rules.ocs.' + name)\n"
        "from burma_study.rules.ocs.game import PLAY\n"
        "from burma_study.rules.ocs.setup import start\n"
        "phases, state = PLAY.calendar.phases, start('ocs/u-go')\n"
        "print([(p, PLAY.entering(p), PLAY.leaving(p), PLAY.kinds(p)) for p in phases])\n"
        "print([PLAY.is_idle(state.with_(phase=p)) for p in phases], list(PLAY.orders), sorted(PLAY.procedures))\n"
    )
    orders = (["turn.aftermath", "movement.moving"], ["air.room", "supply.phase"], ["turn.sequence"], [])
    found = {
        subprocess.run([sys.executable, "-c", script, *o], capture_output=True, text=True, check=True).stdout
        for o in orders
    }
    assert len(found) == 1


def test_no_table_of_the_rules_grows_as_modules_are_imported():
    """What a module writes at its top level into another's dictionary or list depends on who is imported first."""
    at_top = (ast.Assign, ast.AugAssign, ast.Expr)
    grown = []
    for path in (ROOT / "burma_study/rules").rglob("*.py"):
        tree = ast.parse(path.read_text())
        taken = {a.asname or a.name for n in tree.body if isinstance(n, ast.ImportFrom) for a in n.names}
        for node in (n for n in tree.body if isinstance(n, (*at_top, ast.For))):
            grown += [f"{path.name}: {ast.unparse(x)}" for x in ast.walk(node) if written(x) in taken]
    assert grown == []


def written(node: ast.AST) -> str:
    """The name of a table that a statement puts something into, "" for any other statement."""
    match node:
        case ast.Subscript(ctx=ast.Store()) | ast.AugAssign():
            table = node.value if isinstance(node, ast.Subscript) else node.target
        case ast.Call(func=ast.Attribute(attr="append" | "extend" | "update" | "add" | "insert" | "setdefault")):
            table = node.func.value
        case _:
            return ""
    while isinstance(table, ast.Subscript):
        table = table.value
    return table.id if isinstance(table, ast.Name) else ""


@pytest.mark.parametrize("text", ["T['a'] = 1", "T['a'].append(1)", "T |= {}", "T['a'] += [1]", "T.update(a=1)"])
def test_a_statement_that_writes_into_a_table_is_recognised(text):
    assert "T" in {written(n) for n in ast.walk(ast.parse(text))}
