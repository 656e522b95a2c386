"""What other programs get from ours: tables, geometry, answers that travel, and exit statuses."""

from __future__ import annotations

import builtins
import csv
import io
import json
import pickle
import shutil
import socket
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import pandas
import pytest

import burma_study
from burma_study.boards.board import load_board
from burma_study.cli import main
from burma_study.datafiles import commas, data_root, read_rows, read_toml
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError
from burma_study.games.checks import check_path
from burma_study.games.ocs import checking
from burma_study.games.ocs.geometry import board_geojson, net_geojson
from burma_study.games.ocs.policies import Note, play
from burma_study.rules.ocs.combat.barrage_fire import BarrageOptions, barrage_odds
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup import start, starting
from burma_study.rules.ocs.setup.reader import ORDER
from burma_study.rules.ocs.setup.starting import build
from burma_study.rules.ocs.state import Piece
from burma_study.scenarios.header_keys import header_keys, key_problems
from burma_study.ui import server


@pytest.fixture(scope="module")
def ugo():
    return burma_study.load("ocs/u-go")


def turning(ring):
    """Twice the signed area: positive counterclockwise."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise(ring))


def test_rings_go_counterclockwise_and_what_does_not_apply_is_null():
    features = board_geojson(load_board("ocs"))["features"]
    assert all(turning(f["geometry"]["coordinates"][0]) > 0 for f in features)
    assert not any("" in f["properties"].values() for f in features)


@pytest.mark.parametrize(
    "text", ["hex;name\n1;a,b\n", "sep=;\nhex;name\n1;a,b\n", ' Hex , NAME \n1,"a,b"\n', "hex\tname\n1\ta,b\n"]
)
def test_a_table_is_read_as_spreadsheets_write_it(text, tmp_path):
    (tmp_path / "mine.csv").write_text(text)
    assert read_rows(tmp_path / "mine.csv") == [{"hex": "1", "name": "a,b"}]


def test_a_table_of_our_own_form_is_left_as_it_is():
    assert commas("a,b\n1;2,3\n") == "a,b\n1;2,3\n"


def test_reach_and_odds_travel_between_processes(ugo):
    reach = ugo.reach("j/inf/1-214-33")
    again = pickle.loads(pickle.dumps(reach))
    assert dict(again.costs) == dict(reach.costs)
    assert again.marks == reach.marks
    assert again.basis == reach.basis
    from burma_study.rules.ocs.combat.attack import raw_odds

    odds = raw_odds(12, 4, 4, 3, "close")
    assert pickle.loads(pickle.dumps(odds)) == odds


def test_a_seed_may_be_a_whole_number():
    state = start("ocs/learning")
    assert Session(GAME, state, seed=7).seed == Session(GAME, state, seed="7").seed
    for wrong in (True, 1.5, ["7"]):
        with pytest.raises(BurmaStudyError, match="seed"):
            Session(GAME, state, seed=wrong)


def test_one_id_as_text_is_no_list_of_attackers(ugo):
    with pytest.raises(BurmaStudyError, match="give a list"):
        ugo.odds("A7.09", "j/inf/1-214-33")


def test_a_table_without_pandas_names_the_extra(ugo, monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **more):
        if name == "pandas":
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(BurmaStudyError, match=r"burma-study\[study\]"):
        ugo.table("japanese")


def test_a_state_refuses_hexes_off_the_board_and_unknown_ground(ugo):
    piece = next(iter(ugo.state.pieces.values()))
    for wrong in (-1, 10**6, 2.5, 2.0, None, len(ugo.state.board)):
        with pytest.raises(BurmaStudyError):
            ugo.state.place(Piece(piece.id, wrong))
    for wrong in ("swamp", ["mud"], None, 3):
        with pytest.raises(BurmaStudyError, match="normal, mud, quagmire, flood"):
            ugo.state.with_(ground=wrong)
    with pytest.raises(BurmaStudyError, match="no phase"):
        ugo.state.with_(phase="tea")
    with pytest.raises(BurmaStudyError, match="no 'wether' to change"):
        ugo.state.with_(wether="clear")
    assert ugo.state.with_(ground="mud").ground == "mud"
    assert ugo.state.place(replace(piece, at=len(ugo.state.board) - 1)).pieces[piece.id].at == len(ugo.state.board) - 1


@pytest.mark.parametrize("command", ["trace", "reach"])
def test_transport_answers_like_a_unit(command, capsys):
    assert main([command, "ocs/u-go", "--unit", "j/truck/1"]) == 0
    assert "j/truck/1" in capsys.readouterr().out


def test_a_taken_port_is_one_sentence_and_opens_no_browser(monkeypatch, capsys):
    monkeypatch.setattr(server, "_open_later", lambda *_: pytest.fail("a browser was opened"))
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        assert main(["dashboard", "--port", str(other.getsockname()[1])]) == 2
    assert "in use" in capsys.readouterr().err


def test_the_exit_status_survives_a_closed_pipe():
    code = "import sys; from burma_study.cli import main; sys.exit(main(['trace', 'ocs/nowhere', '--format', 'json']))"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    process.stdout.close()
    assert process.wait(60) == 2


def copied(folder, old="", new=""):
    for ending in (".toml", ".units.csv"):
        shutil.copy(data_root() / "scenarios/ocs" / f"learning{ending}", folder / f"mine{ending}")
    text = (folder / "mine.toml").read_text()
    assert old in text
    (folder / "mine.toml").write_text(text.replace(old, new, 1))
    return folder / "mine.toml"


def test_check_plays_a_game_of_a_scenario(tmp_path):
    assert [p for p in check_path(copied(tmp_path)) if p.severity == "error"] == []


def test_check_rejects_a_key_that_no_table_has(tmp_path):
    found = check_path(copied(tmp_path, "[turns]\n", "[turns]\nfrist = 3\n"))
    assert any(p.code == "unknown-key" and "frist" in p.message and "first" in p.hint for p in found)


def emptied(path, table):
    """A scenario file whose table is there and has nothing in it."""
    text = path.read_text()
    start_, _, rest = text.partition(f"[{table}]\n")
    path.write_text(start_ + f"[{table}]\n\n[" + rest.partition("\n[")[2])
    return path


def errors(path):
    return [p for p in check_path(path) if p.severity == "error"]


def test_an_empty_table_of_boxes_lacks_its_keys_by_name(tmp_path):
    """It was called well and crashed the start of a game."""
    found = errors(emptied(copied(tmp_path), "boxes"))
    assert [(p.code, p.column) for p in found] == [("missing-key", "boxes")] * 2
    assert "silchar_bases" in found[0].message
    assert "whole number from 0 to" in found[0].hint
    assert "ledo_bases" in found[1].message


@pytest.mark.parametrize("table", [key.name for key in header_keys()[""].values() if key.type == "table"])
def test_an_empty_table_is_named_or_plays_well(table, tmp_path):
    path = copied(tmp_path)
    if f"[{table}]\n" in path.read_text():
        emptied(path, table)
    else:
        path.write_text(path.read_text().replace("[hump]", f"[{table}]\n[hump]"))
    found = errors(path)
    assert {p.code for p in found} <= {"missing-key"}
    assert all(p.column == table for p in found)


WRONG = {  # old text, new text, what the problem says is accepted
    ('from = "fixed"', 'from = "sea"'): "fixed, table",
    ('closed = ["ledo"]', 'closed = ["lido"]'): "silchar, ledo",
    ("allowed = true", 'allowed = "yes"'): "true or false",
    ("japanese = 0", 'japanese = "0"'): "whole number from 0 to 99",
    ("spent = 18", "spent = -1"): "whole number from 0 to 999",
    ('phase = "movement"', 'phase = "tea"'): "reinforcement, movement",
    ('kind = "dead_units"', 'kind = "dead"'): "points, segments, dead_units, sudden_death",
    ("last = 1944-03-29", 'last = "29 March"'): "a date such as",
    ("least = 4", "least = []"): "whole number",
    ('kind = "river"', 'kind = "sea"'): "rail, river, ledo, point, roads",
    ('type = "vengeance"', 'type = "vengance"'): "c-47",
}


@pytest.mark.parametrize("change", WRONG)
def test_check_says_what_a_key_accepts(change, tmp_path):
    found = errors(copied(tmp_path, *change))
    assert len(found) == 1
    assert WRONG[change] in found[0].hint


def test_keys_that_the_reader_knows_are_accepted_though_the_scenario_has_them_not(tmp_path):
    item = """[[victory.items]]
id = "line"
rule = "ocs/learning.victory"
side = "allied"
when = "game_end"
test = "railway_cut"
railway = "Mandalay-Myitkyina railway"
"""
    path = copied(tmp_path, "[victory]\n", '[victory]\nsudden_level = "Draw"\n')
    path.write_text(path.read_text() + item)
    assert "railway" not in (data_root() / "scenarios/ocs/learning.toml").read_text()
    assert errors(path) == []


def test_every_scenario_that_ships_keeps_to_the_schema():
    for name in ORDER:
        assert list(key_problems(read_toml(f"scenarios/ocs/{name}.toml"), name)) == []


def test_a_fault_of_the_program_is_named_as_one_with_its_place(tmp_path, monkeypatch):
    def broken(*_):
        raise KeyError("nowhere")

    monkeypatch.setattr(starting, "_put_markers", broken)
    (problem,) = errors(copied(tmp_path))
    assert problem.code == "program-fault"
    assert "KeyError: 'nowhere' (test_programs.py, line" in problem.message


def test_a_game_that_does_not_end_is_a_problem(tmp_path, monkeypatch):
    monkeypatch.setattr(checking, "play", lambda session, sides: play(session, sides, most=5))
    (problem,) = errors(copied(tmp_path))
    assert problem.code == "unended"
    assert "after 5 orders" in problem.message


def test_what_the_policy_could_not_do_is_told(tmp_path, monkeypatch):
    def stumbling(session, sides):
        run = play(session, sides)
        run.notes.append(Note(3, "allied", "hold raised KeyError: 'x' Hold plays on.", "Turn 1"))
        return run

    monkeypatch.setattr(checking, "play", stumbling)
    (problem,) = errors(copied(tmp_path))
    assert "hold raised KeyError" in problem.message


def test_both_set_ups_are_built(tmp_path, monkeypatch):
    built = []

    def note(scenario, which, *rest):
        built.append(which)
        return build(scenario, which, *rest)

    monkeypatch.setattr(checking, "build", note)
    for ending in (".toml", ".units.csv"):
        shutil.copy(data_root() / "scenarios/ocs" / f"u-go{ending}", tmp_path / f"mine{ending}")
    assert errors(tmp_path / "mine.toml") == []
    assert built == ["historical", "free"]


def test_odds_flags_exclude_each_other(capsys):
    words = ["odds", "ocs/u-go", "--target", "A7.09", "--attackers", "j/inf/1-214-33", "--barrage"]
    for more in (["--banzai"], ["--overrun"], ["--unpaid"]):
        assert main([*words, *more]) == 2
    assert main(["odds", "--raw", "--banzai"]) == 2
    assert "needs units on the map" in capsys.readouterr().err


def test_odds_take_banzai_and_unpaid(capsys):
    """3-215-33 beside B3.23: Banzai trades the surprise die for its action rating, 2.6b; unpaid is off, 9.5."""
    words = ["odds", "ocs/u-go", "--target", "B3.23", "--attackers", "3-215-33", "--format", "json"]
    found = {}
    for more in ("", "--banzai", "--unpaid"):
        assert main([*words, *([more] if more else [])]) == 0
        found[more] = json.loads(capsys.readouterr().out)
    assert len(found["--banzai"]["columns"]) < len(found[""]["columns"])
    assert [r["rule"] for r in found["--unpaid"]["reasons"]] == ["ocs-series/9.5"]
    assert found[""]["reasons"] == []


def test_a_barrage_by_infantry_is_refused(capsys):
    words = ["odds", "ocs/u-go", "--target", "B3.23", "--attackers", "3-215-33", "--barrage"]
    assert main(words) == 2
    assert "not artillery" in capsys.readouterr().err


GUNS = ["odds", "ocs/u-go", "--target", "B2.23", "--attackers", "a/art/17-17", "--barrage"]


def test_a_barrage_by_guns_as_json_is_right_by_hand(capsys):
    """24 points, 17-24 of the table; 1 RE -1 and an extremely close hex -2 give 5-7: DG from 8, the half step from 11.

    From two hexes off with a spotter beside the target; 3T by the column before the shifts (Opt.8).
    """
    assert main([*GUNS, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["points"], found["column"], found["final_column"], found["cost"]) == (24, "17-24", "5-7", 3)
    chances = {e["effect"]: e["probability"] for e in found["effects"]}
    assert chances == {"no effect": "7/12", "DG": "3/8", "DG and 1 step": "1/24"}
    assert found["expected"] == {"dg": "5/12", "steps": "1/24"}
    assert found["allowed"]
    assert found["reasons"] == []


def test_a_barrage_by_guns_as_text_says_the_same(capsys):
    assert main(GUNS) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[:2] == ["barrage 24 points, column 17-24, after shifts 5-7", "cost 3T"]
    for line in ("no effect 58.3 % 7/12", "DG 37.5 % 3/8", "DG and 1 step 4.2 % 1/24"):
        assert line in lines
    assert not any(line.startswith("forbidden") for line in lines)


def test_a_gun_out_of_range_is_forbidden_in_words(capsys):
    """3-33-33 reaches one hex and B3.24 is two away."""
    words = ["odds", "ocs/u-go", "--target", "B3.24", "--attackers", "3-33-33", "--barrage"]
    assert main(words) == 0
    assert "forbidden 3-33-33 is 2 hexes from B3.24; its range is 1." in " ".join(capsys.readouterr().out.split())
    assert main([*words, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert not found["allowed"]
    assert [r["code"] for r in found["reasons"]] == ["out-of-range"]


def test_odds_on_the_map_travel_between_processes(ugo):
    """With the basis worked out: what finds it holds the position and cannot travel."""
    target = ugo.hex("B2.23")
    fire = barrage_odds(ugo.state, target, ["a/art/17-17"], BarrageOptions(anyway=True))
    fight = ugo.odds("B3.23", ["3-215-33"])
    for found in (fire, fight):
        assert found.find is not None
        code = "import pickle, sys; o = pickle.load(sys.stdin.buffer); print(o.basis.verdict, *o.explain(), sep='\\n')"
        other = subprocess.run(
            [sys.executable, "-c", code], input=pickle.dumps(found), stdout=subprocess.PIPE, check=True
        )
        assert other.stdout.decode().splitlines() == [found.basis.verdict, *found.explain()]
        assert pickle.loads(pickle.dumps(found)) == found
        assert pickle.loads(pickle.dumps(found)).as_dict() == found.as_dict()


def kinds(rows):
    """The types of each column, null apart."""
    found = {}
    for row in rows:
        for name, value in row.items():
            found.setdefault(name, set()).update({type(value)} - {type(None)})
    return found


@pytest.mark.parametrize("side", ["japanese", "allied"])
def test_every_column_of_a_net_has_one_type_and_stands_in_every_feature(ugo, side):
    """`units` was a list of ids for a leg and a number for a flow."""
    rows = [f["properties"] for f in net_geojson(ugo.supply(side))["features"]]
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    assert all(len(types) <= 1 for types in kinds(rows).values())
    assert not any(value == "" or isinstance(value, list) for row in rows for value in row.values())
    leg = next(row for row in rows if row["layer"] == "leg")
    assert leg["units"] == len(leg["used_by"].split()) > 0
    assert leg["status"] is None


def test_columns_of_a_board_have_one_type():
    rows = [f["properties"] for f in board_geojson(load_board("ocs"))["features"]]
    assert kinds(rows) == {"hex": {str}, "terrain": {str}, "feature": {str}, "place": {str}}


def test_a_table_holds_figures_and_none_where_nothing_applies(ugo):
    """17-17's guns are printed 24-2-2-4: barrage, rating, range, movement; a battalion 3-5-3."""
    table = ugo.table("allied")
    assert table.loc["a/art/17-17", ["barrage", "rating", "range", "movement"]].tolist() == [24, 2, 2, 4]
    foot = table[table["attack"].notna()]
    assert foot["range"].isna().all()
    for id_, row in foot.iterrows():
        printed = ugo.state.pieces[id_].printed
        assert (row["attack"], row["rating"], row["movement"]) == (printed.attack, printed.ar, printed.ma)
    assert table.loc["a/art/17-17", "attack"] is pandas.NA
    assert {str(table[name].dtype) for name in ("attack", "barrage", "rating", "range", "movement")} == {"Int64"}
    assert not (table == "").any().any()
    traced = {t.source is not None for t in ugo.supply("allied").traces.values()}
    assert traced == {True, False}
    boxed = table[table["box"].notna()]
    assert boxed["hex"].isna().all()
    assert next(iter(csv.DictReader(io.StringIO(table.to_csv()))))["id"] == table.index[0]


def test_a_side_without_units_has_an_empty_table_of_the_same_columns(ugo):
    state = ugo.state
    for piece in state.units("allied"):
        state = state.put("pieces", piece.id, None)
    table = replace(ugo, state=state).table("allied")
    assert len(table) == 0
    assert list(table.columns) == list(ugo.table("japanese").columns)
