"""Saves: round trip, display without rules, damage of every kind, running again."""

from __future__ import annotations

import gzip
import json
import os
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from toy import GAME, Token, duel, game_of, march, set_up

from burma_study.engine.codec import Codec
from burma_study.engine.saves import _chained, check, read_save
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError, SaveError


def played():
    """A game with a battle, a re-roll, a variation, a warning, a note, and the cursor on an inner node."""
    play = Session(GAME, duel(), setup="duel", setup_kind="free", seed="s")
    play.push("march r1 by 3-4-5")
    play.push("intercept with b1")
    fight = play.node
    play.undo()
    play.push("intercept with b1", reroll=True)
    play.undo()
    play.push("decline")
    play.push("mode warn")
    play.push("march b3 by 7", note="Against the rules; to see what happens")
    play.push("end")
    play.push("end")
    play.tree.promote(play.node)
    play.go(fight)
    return play


@pytest.fixture(params=["game.json", "game.json.gz"])
def saved(tmp_path, request):
    path = tmp_path / request.param
    played().save(path)
    return path


def test_a_save_comes_back_whole(saved):
    before, after = played(), Session.open(saved, game_of)
    assert len(after.tree) == len(before.tree)
    assert (after.node, after.seed, after.setup, after.setup_kind) == (before.node, "s", "duel", "free")
    assert after.tree.main_line() == before.tree.main_line()
    assert after.notes == ()
    for node in before.tree:
        assert after.state_at(node) == before.state_at(node)
        assert after.tree.name(node) == before.tree.name(node)
        if node:
            one, two = before.tree[node], after.tree[node]
            assert two.order.text == one.order.text
            assert two._replace(order=one.order) == one
    assert after.rerun() is None


def test_play_goes_on_from_a_save_with_the_same_dice(saved):
    before, after = played(), Session.open(saved, game_of)
    leaf = before.tree.main_line()[-1]
    for play in (before, after):
        play.go(leaf)
        play.push("end")
        play.push("end")
    assert before.tree[before.node].rolls == after.tree[after.node].rolls
    assert before.state == after.state
    after.go(0)
    after.push("march r1 by 3-4-5")
    assert after.node == 1, "an order of the save is recognised when it is given again"


def test_a_save_shows_itself_without_running_rules(saved, monkeypatch):
    def poison(*_args, **_kwargs):
        raise AssertionError("a rule was run")

    for name in ("objections", "carry", "turn_of", "check", "apply", "choices", "load", "build"):
        monkeypatch.setattr(type(GAME), name, poison)
    save = read_save(saved, game_of)
    assert [line.split(" [")[0] for line in save.lines()] == ["red: march r1 by 3-4-5", "blue: intercept with b1"]
    picture = save.picture(1)
    assert picture.tables["tokens"]["r1"] == {"is": "Token", "side": "red", "at": 4, "strength": 3}
    assert picture.scalars["turn"] == 1
    assert save.picture(save.tree.main_line()[-1]).scalars["turn"] == 2


def test_pictures_from_snapshots_and_from_events_alone_agree(saved):
    save, play = read_save(saved, game_of), played()
    assert len(save.snapshots) >= 3, "one at the start and one each player-turn"
    for node in save.tree:
        shown = save.picture(node).dump()
        assert GAME.load(shown) == play.state_at(node)
    only = read_save(saved, game_of)
    only.snapshots = {0: only.snapshots[0]}
    for node in save.tree:
        assert only.picture(node) == save.picture(node)


def test_a_save_of_a_type_or_game_that_is_no_more_still_shows(saved, monkeypatch):
    monkeypatch.setattr(type(GAME), "codec", Codec())
    save = read_save(saved, game_of)
    assert save.picture().tables["tokens"]["r2"]["at"] == 2
    assert any("'Token' is no type of this game" in text for text in save.unreadable)
    with pytest.raises(SaveError, match=r"can be shown \(read_save\), not played on.*Token"):
        Session.open(saved, game_of)

    def gone(_: str) -> None:
        raise ModuleNotFoundError("No module named 'no_such_module'")

    assert "no_such_module" in read_save(saved, gone).unreadable[0]
    other = rewritten(saved, lambda rows: rows[0].update(game="chess"))
    assert read_save(other, game_of).picture(1).tables["tokens"]["r1"]["at"] == 4
    assert "no game 'chess'" in check(other, game_of)[0].message


# damage ------------------------------------------------------------------------------------------------------------


def rewritten(path, change):
    """The save with its lines changed and its checks made to fit, as a forger would."""
    raw = path.read_bytes()
    text = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    rows = [json.loads(line) for line in text.decode().splitlines()]
    for row in rows:
        del row["check"]
    change(rows)
    other = path.with_name("other.json")
    other.write_text("".join(_chained(rows)))
    return other


def test_a_save_cut_anywhere_is_refused_and_gives_back_what_is_whole(tmp_path):
    path, cut = tmp_path / "game.json", tmp_path / "cut.json"
    played().save(path)
    content = path.read_bytes()
    lines = content.splitlines(keepends=True)
    whole = read_save(path, game_of)
    for n in range(0, len(content) - 1, 7):
        cut.write_bytes(content[:n])
        with pytest.raises(SaveError, match=r"'cut\.json'"):
            read_save(cut, game_of)
        complete = content[:n].count(b"\n")
        if complete >= 2:
            saved = read_save(cut, game_of, recover=True)
            records = sum(b'{"node":' in line for line in lines[:complete])
            assert records <= len(saved.tree) - 1 <= records + 1, "a line that lacks only its end counts as whole"
            assert saved.warnings
            for node in range(1, len(saved.tree)):
                assert saved.tree[node] == whole.tree[node]
                assert saved.picture(node) == whole.picture(node)
    cut.write_bytes(content[:-1])
    assert len(read_save(cut, game_of).tree) == len(whole.tree), "only the last line end is missing"


def test_a_compressed_save_cut_anywhere_is_refused(tmp_path):
    path, cut = tmp_path / "game.json.gz", tmp_path / "cut.json.gz"
    played().save(path)
    content = path.read_bytes()
    for n in range(0, len(content), 5):
        cut.write_bytes(content[:n])
        with pytest.raises(SaveError):
            read_save(cut, game_of)
    cut.write_bytes(content[: len(content) * 3 // 4])
    assert len(read_save(cut, game_of, recover=True).tree) > 1


def test_every_changed_byte_is_found(tmp_path):
    path, other = tmp_path / "game.json", tmp_path / "edited.json"
    played().save(path)
    content = path.read_bytes()
    for n in range(0, len(content) - 1, 11):
        changed = bytes([content[n] ^ 1])
        other.write_bytes(content[:n] + changed + content[n + 1 :])
        with pytest.raises(SaveError, match=r"'edited\.json'"):
            read_save(other, game_of)


def test_an_edited_line_is_named(tmp_path):
    path = tmp_path / "game.json"
    played().save(path)
    path.write_text(path.read_text().replace("march b3 by 7", "march b3 by 8"))
    with pytest.raises(SaveError, match=r"'game\.json', line \d+ of \d+, was edited or damaged.*recover=True"):
        read_save(path, game_of)
    session = Session.open(path, game_of, recover=True)
    assert session.notes
    assert 1 < len(session.tree) < len(played().tree)


def test_other_versions_and_other_files_say_what_they_are(tmp_path, saved):
    newer = rewritten(saved, lambda rows: rows[0].update(burma_study_save=7))
    with pytest.raises(SaveError, match="format 7; this version reads formats 1 to 1"):
        read_save(newer, game_of)
    path = tmp_path / "some.json"
    for content in (b"", b"{}", b"[1]", b"no json", b"\xff\xfe", b"\x1f\x8bnonsense", b'{"a":1}\n', b"\x00" * 50):
        path.write_bytes(content)
        with pytest.raises(SaveError, match=r"'some\.json'"):
            read_save(path, game_of)
        assert check(path, game_of)[0].code == "damaged-save"
    with pytest.raises(SaveError, match="cannot be read"):
        read_save(tmp_path / "none.json", game_of)
    with pytest.raises(SaveError, match="cannot be read"):
        read_save(tmp_path, game_of)


@pytest.mark.parametrize(
    ("row", "change"),
    [
        (0, {"cursor": 99}),
        (0, {"main": [[0, 77]]}),
        (0, {"seed": 5}),
        (0, {"charts": []}),
        (1, {"scalars": 3}),
        (1, {"tables": {"tokens": [[1, 2, 3]]}}),
        (2, {"parent": 50}),
        (2, {"node": 9}),
        (2, {"events": [["a"]]}),
        (2, {"events": [["a", "tokens", ["no", "key"], None, None]]}),
        (2, {"rolls": [[1, 2]]}),
        (2, {"order": None}),
        (2, {"digest": 4}),
        (3, {"reasons": [[1]]}),
    ],
)
def test_a_forged_save_that_makes_no_sense_is_refused_with_its_line(tmp_path, row, change):
    path = tmp_path / "game.json"
    played().save(path)
    other = rewritten(path, lambda rows: rows[row].update(change))
    with pytest.raises(SaveError, match=rf"'other\.json', line {row + 1}, cannot be used"):
        read_save(other, game_of)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (["x", "pawns", "e2", None, 1], "changes 'pawns', 'e2'; Ten Fields has the tables tokens"),
        (["x", "state", "total", 1, 2], "changes 'state', 'total'"),
    ],
)
def test_events_of_unknown_tables_are_shown_but_not_played_on(tmp_path, event, words):
    path = tmp_path / "game.json"
    played().save(path)
    other = rewritten(path, lambda rows: rows[2]["events"].append(event))
    read_save(other, game_of).picture(1)
    with pytest.raises(SaveError, match=words):
        Session.open(other, game_of)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 99) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_a_forger_writes_only_a_save_error_comes_of_it(tmp_path, data):
    path = tmp_path / "game.json"
    played().save(path)

    def change(rows):
        row = data.draw(st.sampled_from(rows))
        row[data.draw(st.sampled_from(sorted(row)))] = data.draw(JSON)

    other = rewritten(path, change)
    try:
        session = Session.open(other, game_of)
        session.rerun()
    except BurmaStudyError as error:
        assert str(error)  # noqa: PT017


# writing -----------------------------------------------------------------------------------------------------------


def test_a_write_that_fails_leaves_the_old_save_whole_and_nothing_beside_it(tmp_path, monkeypatch):
    path = tmp_path / "game.json"
    played().save(path)
    before = path.read_bytes()

    def broken(*_args):
        raise OSError(28, "No space left on device")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, broken)
            play = played()
            play.push("mode off")
            with pytest.raises(SaveError, match=r"game\.json' cannot be written: No space left"):
                play.save(path)
        assert path.read_bytes() == before
        assert [p.name for p in tmp_path.iterdir()] == ["game.json"]
    with pytest.raises(SaveError, match=r"'.*nowhere/game\.json' cannot be written: No such file"):
        played().save(tmp_path / "nowhere" / "game.json")


def test_the_same_game_gives_the_same_bytes(tmp_path):
    one, two = tmp_path / "one.json.gz", tmp_path / "two.json.gz"
    played().save(one)
    played().save(two)
    assert one.read_bytes() == two.read_bytes()


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=8), st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 4)), max_size=40))
def test_any_game_comes_back_from_its_save(tmp_path, seed, walk):
    """Random play with jumps; saved, opened, saved again: the same bytes."""
    play = Session(GAME, duel(), seed=seed)
    for pick, jump in walk:
        if jump == 0:
            play.go(pick % len(play.tree))
        orders = [o for k in play.decision.kinds for o in GAME.legal_orders(play.state, k)]
        play.push(orders[pick % len(orders)], note="é\n" * (jump == 1), reroll=jump == 2)
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    play.save(one)
    again = Session.open(one, game_of)
    assert again.rerun() is None
    again.save(two)
    assert one.read_bytes() == two.read_bytes()


# running again -----------------------------------------------------------------------------------------------------


def gentle(step):
    march(step)
    if step.state.frames and step.frame.procedure == "march":
        step.note(asked=True)


def test_running_again_reports_the_first_difference(saved, monkeypatch):
    session = Session.open(saved, game_of)
    with monkeypatch.context() as patch:
        patch.setattr(type(GAME), "procedures", {**GAME.procedures, "march": gentle})
        first = session.rerun()
        assert (first.node, first.order) == (1, "march r1 by 3-4-5")
        assert first.kind == "events"
    with monkeypatch.context() as patch:
        patch.setattr(type(GAME), "carry", lambda self, step, order: step.roll("battle"))
        assert session.rerun().kind == "dice"
    with monkeypatch.context() as patch:
        patch.setattr(type(GAME), "parse", lambda self, order: GAME.book.parse("nonsense"))
        assert "is no order of this game" in str(session.rerun())
    with monkeypatch.context() as patch:
        patch.setattr(type(GAME), "digest", lambda self, state: "0")
        assert session.rerun().kind == "digest"
    assert session.rerun() is None


def test_the_values_of_a_state_come_back_from_plain_json_without_loss():
    from fractions import Fraction

    from burma_study.engine.pmap import Map

    codec = Codec(Token)
    for value in (1, None, True, "x", 0.5, (1, (2, "a")), Fraction(2, 3), frozenset({"b", "a"}), Token("red", 3)):
        assert codec.value(json.loads(json.dumps(codec.plain(value)))) == value
    nested = Map({"a": (Token("red", 1),), "b": Fraction(1, 2)})
    assert codec.value(json.loads(json.dumps(codec.plain(nested)))) == nested
    with pytest.raises(SaveError, match="A set cannot be saved"):
        codec.plain({1})
    with pytest.raises(SaveError, match="A Token lacks at"):
        codec.value({"is": "Token", "side": "red"})
    assert codec.value({"is": "Token", "side": "red", "at": 2, "colour": "new"}) == Token("red", 2)


def test_a_dump_of_a_state_loads_back_or_says_what_is_wrong():
    state = set_up(("r1", "red", 2, 3), weather=4)
    assert GAME.load(json.loads(json.dumps(GAME.dump(state)))) == state
    for broken in ({}, {"scalars": {}}, {"scalars": 1, "tables": 2}, {"scalars": {}, "tables": {"tokens": [1]}}):
        with pytest.raises(SaveError, match=re.escape("This is no state of Ten Fields")):
            GAME.load(broken)


@pytest.mark.parametrize("plain", [{"is": "Fraction", "of": "1/0"}, {"is": "Fraction"}, {"is": []}, {"of": 3}, {}])
def test_a_value_that_cannot_be_is_an_error_of_the_save(plain):
    with pytest.raises(SaveError):
        Codec(Token).value(plain)


def test_a_save_is_a_file_of_some_size(tmp_path):
    (tmp_path / "a.json").mkdir()
    with pytest.raises(SaveError, match="is no file"):
        read_save(tmp_path / "a.json", game_of)
    with (tmp_path / "b.json").open("wb") as file:
        file.truncate(101_000_000)
    with pytest.raises(SaveError, match="too large"):
        read_save(tmp_path / "b.json", game_of)
    with pytest.raises(SaveError, match="cannot be read"):
        read_save("\0", game_of)
