"""Every save ever written goes on showing itself, whatever has become of the rules; each format keeps its file here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from burma_study.engine.game import Game
from burma_study.engine.saves import check, read_save
from burma_study.engine.session import Session
from burma_study.games.registry import game_of
from burma_study.rules.ocs.game import OcsGame

HERE = Path(__file__).parent
SAVES = sorted(HERE.glob("format-*.json*"))
B2_23, B3_23, A47_28 = 91, 160, 3235


def test_the_first_format_is_kept():
    assert HERE / "format-1-ocs.json" in SAVES


@pytest.mark.parametrize("path", SAVES, ids=lambda p: p.name)
def test_a_historic_save_is_whole_and_shows_every_node(path):
    assert check(path, game_of) == []
    save = read_save(path, game_of)
    for node in save.tree:
        picture = save.picture(node)
        assert picture.scalars["scenario"]
        assert len(list(save.lines(node))) == len(save.tree.path(node)) - 1


@pytest.mark.parametrize("path", SAVES, ids=lambda p: p.name)
def test_a_historic_save_opens_as_a_session(path):
    session = Session.open(path, game_of)
    assert session.state.pieces


def test_format_1_shows_what_was_played_with_every_rule_poisoned(monkeypatch):
    def poison(*_args, **_kwargs):
        raise AssertionError("a rule was run")

    for name in ("check", "apply", "dump", "load", "options", "decision"):
        monkeypatch.setattr(Game, name, poison)
    for name in ("objections", "carry", "build", "turn_of", "choices", "charter"):
        monkeypatch.setattr(OcsGame, name, poison)
    save = read_save(HERE / "format-1-ocs.json", game_of)
    assert (save.header.game, save.header.setup, save.header.setup_kind) == ("ocs", "ocs/u-go", "historical")
    assert (save.header.seed, save.header.rules_version) == ("kohima", "1999")
    assert "charts/ocs/terrain_effects.csv" in save.header.data
    assert (len(save.tree), save.tree.cursor) == (8, 5)
    assert [save.tree.name(n) for n in (4, 5, 6, 7)] == ["", "", "variation 1", ""]
    assert list(save.lines())[-2:] == [
        "history: next turn 2, movement phase of japanese, weather light_rain",
        "history: place j/inf/2-215-33 at B3.23 in move mode, out of supply, stocks 1",
    ]
    assert save.tree[5].note == "18 March 1944"
    start, middle, end = (save.picture(n) for n in (0, 3, 5))
    assert start.tables["pieces"] == {}
    assert start.scalars["rules"]["enforcement"] == "enforce"
    assert middle.scalars["rules"]["enforcement"] == "off"
    assert {k: p["at"] for k, p in middle.tables["pieces"].items()} == {
        "j/inf/1-215-33": B2_23,
        "j/inf/2-215-33": B2_23,
    }
    assert middle.tables["dumps"] == {A47_28: {"is": "Dump", "side": "allied", "tokens": 20}}
    assert middle.tables["markers"]["sources"][0]["kind"] == "rail"
    moved = end.tables["pieces"]["j/inf/2-215-33"]
    assert (moved["at"], moved["mode"], moved["oos"], moved["stocks"]) == (B3_23, "move", True, 1)
    assert (end.scalars["turn"], end.scalars["weather"]) == (2, "light_rain")
    branch = save.picture(7)
    assert set(branch.tables["pieces"]) == {"j/inf/2-215-33"}
    assert [r.code for r in save.tree[7].reasons] == ["set-up-only"]


def test_format_1_is_lines_of_json_that_any_program_can_read():
    rows = [json.loads(line) for line in (HERE / "format-1-ocs.json").read_text().splitlines()]
    assert rows[0]["burma_study_save"] == 1
    assert rows[-1]["end"] == 7
    assert sum("node" in row for row in rows) == 7
    assert {row["node"]: row["order"].split()[0] for row in rows if "node" in row}[1] == "place"
