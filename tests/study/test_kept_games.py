"""Games that are kept, linked and handed over: what a browser may send, and what never leaves the games' folder."""

from __future__ import annotations

import base64
import errno
import gzip
import json
import os
import tracemalloc
import zlib
from pathlib import Path

import pytest

from burma_study.engine.saves import read_save
from burma_study.errors import SaveError
from burma_study.games.ocs.play import Play
from burma_study.games.registry import game_of, play_of, uploaded
from burma_study.study import autosave, compact
from burma_study.study.reel import Cutter


def at_movement() -> Play:
    play = Play.from_setup("ocs/u-go", seed="1944")
    while play.state.phase != "movement":
        play.give("done")
    return play


# kept games ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wanted",
    ["../../x", "/etc/x", "", "ABCDEF01", "abcdef0", "abcdef012", "abcdef0/", "..\\..\\aa", "abcdef0g", "१२३४५६७८"],
)
def test_the_id_of_a_kept_game_is_eight_hexadecimal_digits_else_a_new_one(wanted: str, tmp_path: Path) -> None:
    play = Play.from_setup("ocs/u-go", seed="1944", game_id=wanted)
    assert play.id != wanted
    assert len(play.id) == 8
    assert int(play.id, 16) >= 0
    assert Play.from_setup("ocs/u-go", seed="1944", game_id="0123abcd").id == "0123abcd"
    about = compact.head(play)
    assert compact.replay(about, [], play_of, cursor=0, game_id=wanted).id != wanted


def test_an_id_set_past_the_door_writes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(autosave.VARIABLE, str(tmp_path / "deep" / "games"))
    play = at_movement()
    play.id = "../../x"
    keeper = autosave.Autosave(play)
    keeper.close()
    assert "could not be saved" in keeper.problem
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == []


OWN = (
    "mine.save.gz",
    "burma-u-go-turn3.save.gz",
    "u-go-0123abcd.save",
    "u-go-0123ABCD.save.gz",
    "u-go-0123abcd0.save.gz",
)


def test_nothing_but_games_is_ever_deleted_or_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """25 files of a reader's own in the folder became 18."""
    monkeypatch.setenv(autosave.VARIABLE, str(tmp_path))
    own = [*OWN, *(f"reader-{k:08x}.save.gz" for k in range(25))]
    for name in own:
        (tmp_path / name).write_text("the reader's own")
        os.utime(tmp_path / name, (1, 1))
    for k in range(30):
        (tmp_path / f"u-go-{k:08x}.save.gz").write_text("an old game")
        os.utime(tmp_path / f"u-go-{k:08x}.save.gz", (k + 10, k + 10))
    play = at_movement()
    keeper = autosave.Autosave(play)
    keeper.close()
    assert keeper.problem == ""
    assert {name for name in own if (tmp_path / name).read_text() == "the reader's own"} == set(own)
    games = [p.name for p in tmp_path.iterdir() if p.name not in own]
    assert sorted(games) == sorted(autosave.kept())
    assert len(games) == autosave.MOST
    assert keeper.path.name in games
    assert "u-go-0000001d.save.gz" in games
    assert "u-go-00000000.save.gz" not in games
    for name in own:
        with pytest.raises(SaveError):
            autosave.safe(name)


def test_a_clock_set_back_does_not_drop_the_game_just_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(autosave.VARIABLE, str(tmp_path))
    for k in range(autosave.MOST + 3):
        (tmp_path / f"u-go-{k:08x}.save.gz").write_text("of tomorrow")
        os.utime(tmp_path / f"u-go-{k:08x}.save.gz", (2**33, 2**33))
    keeper = autosave.Autosave(at_movement())
    keeper.close()
    assert keeper.path.is_file()
    assert len(list(tmp_path.iterdir())) == autosave.MOST


def test_an_old_game_that_cannot_be_taken_away_is_no_failed_saving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(autosave.VARIABLE, str(tmp_path))
    for k in range(autosave.MOST):
        (tmp_path / f"u-go-{k:08x}.save.gz").write_text("an old game")

    def fails(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "in use")

    keeper = autosave.Autosave(at_movement())
    monkeypatch.setattr(Path, "unlink", fails)
    keeper.close()
    assert keeper.problem == ""
    assert keeper.gone == []
    assert on_disk(keeper.path)


# what a browser hands over ------------------------------------------------------------------------------------------


def test_a_replay_goes_on_in_bursts_to_the_same_game() -> None:
    play = at_movement()
    rows = [compact.row(play, n) for n in range(1, len(play.session.tree))]
    again = compact.Replay(compact.head(play), rows, play_of, cursor=play.node, digest=play.digest[:12])
    bursts = 1
    while not again.advance(0.0):
        bursts += 1
        assert again.done == bursts - 1
    assert bursts >= len(rows)
    assert again.play.digest == play.digest


WHOLE = {"about": {"v": 1, "at": ["ocs/u-go", "historical"], "seed": "1"}, "rows": [[0, "done", 0]], "cursor": 1}
NONE = (("cursor", None), ("cursor", "x"), ("rows", None), ("rows", 7), ("about", None), ("about", [3]))


@pytest.mark.parametrize(("part", "value"), [*NONE, *((part, ...) for part in WHOLE)])
def test_an_entry_of_a_browsers_store_that_is_no_game_is_a_sentence(part: str, value: object) -> None:
    assert compact.entry(WHOLE, play_of).whole().node == 1
    broken = {k: v for k, v in {**WHOLE, part: value}.items() if v is not ...}
    with pytest.raises(SaveError, match=r"no game"):
        compact.entry(broken, play_of)
    for none in (None, 7, "x", []):
        with pytest.raises(SaveError, match="no game that can be read"):
            compact.entry(none, play_of)


def packed(**parts: object) -> str:
    text = json.dumps({"v": 1, "at": ["ocs/u-go", "historical"], "seed": "1", "orders": [], **parts})
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def test_a_link_holds_ten_thousand_orders_and_no_more() -> None:
    assert compact.unpacked(packed(orders=["done"] * 10_000), play_of).orders == 10_000
    with pytest.raises(SaveError, match="10,001 orders"):
        compact.unpacked(packed(orders=["done"] * 10_001), play_of)


def test_a_link_that_unpacks_to_more_than_a_game_is_refused() -> None:
    with pytest.raises(SaveError, match="cannot be read"):
        compact.unpacked(packed(more="x" * 10_000_000), play_of)


def test_bombs_are_refused_in_words_and_cost_little() -> None:
    """88 kB took 2.7 GB: empty lists by the million, in a line whose check fits or not."""
    bombs = {
        "unpacks": b"x" * 90_000_000,
        "values": b'{"burma_study_save":1,"a":[' + b"[]," * 9_000_000 + b"[]]}",
    }
    for word, bomb in bombs.items():
        content = gzip.compress(bomb, 9)
        assert len(content) < 200_000
        tracemalloc.start()
        with pytest.raises(SaveError, match=word if word == "unpacks" else "values are read"):
            uploaded(content)
        assert tracemalloc.get_traced_memory()[1] < 150_000_000
        tracemalloc.stop()
    with pytest.raises(SaveError, match="at most 5 MB"):
        uploaded(os.urandom(5_000_001))
    with pytest.raises(SaveError):
        uploaded(b"\x1f\x8b\x00")


@pytest.mark.parametrize("name", ["../../x.save.gz", "a\0b", "", "x" * 5_000, "..", "/", "con:aux|?.gz"])
def test_an_uploaded_game_may_be_called_anything(name: str) -> None:
    play = at_movement()
    assert uploaded(play.to_bytes(), name).digest == play.digest


def test_a_player_turn_of_very_many_orders_is_cut_around_the_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that cuts ten thousand records at once is dead for half a minute."""
    monkeypatch.setattr("burma_study.study.reel.AROUND", 3)
    play = at_movement()
    first = play.node
    for k in range(20):
        play.give(f"mode j/inf/2-58-31 {('move', 'combat')[k % 2]}")
    cutter = Cutter(play.edition, play.session, str)
    last = play.node
    assert [n for n in cutter.reel().nodes if n > first] == list(range(last - 3, last + 1))
    play.go(first + 8)
    assert [n for n in cutter.reel().nodes if n > first] == [*range(first + 5, first + 12), last]


# two pages with one game ----------------------------------------------------------------------------------------------


def on_disk(path: Path) -> list[str]:
    tree = read_save(path, game_of).tree
    return [tree[node].order.text for node in range(1, len(tree))]


def twins() -> tuple[Play, Play]:
    """One game in two kernels, as two tabs have it that go on with what one browser keeps."""
    first = at_movement()
    rows = [compact.row(first, n) for n in range(1, len(first.session.tree))]
    second = compact.replay(compact.head(first), rows, play_of, cursor=first.node, game_id=first.id)
    assert second.id == first.id
    return first, second


LEFT, RIGHT = "mode j/inf/2-58-31 move", "mode j/inf/3-58-31 move"


def test_orders_of_two_pages_are_two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(autosave.VARIABLE, str(tmp_path))
    first, second = twins()
    keepers = autosave.Autosave(first), autosave.Autosave(second)
    first.give(LEFT)
    keepers[0].close()
    second.give(RIGHT)
    keepers[1].close()
    assert first.id != second.id
    assert on_disk(keepers[0].path)[-1] == LEFT
    assert on_disk(keepers[1].path)[-1] == RIGHT
    first.give(RIGHT)  # and each goes on in its own
    keepers[0].close()
    second.give(LEFT)
    keepers[1].close()
    assert on_disk(keepers[0].path)[-2:] == [LEFT, RIGHT]
    assert on_disk(keepers[1].path)[-2:] == [RIGHT, LEFT]
    assert len(list(tmp_path.iterdir())) == 2


def test_a_page_that_is_behind_takes_nothing_from_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(autosave.VARIABLE, str(tmp_path))
    first, second = twins()
    first.give(LEFT)
    keeper, late = autosave.Autosave(first), autosave.Autosave(second)
    keeper.close()
    late.close()
    assert first.id == second.id
    assert on_disk(keeper.path)[-1] == LEFT
    second.give(LEFT)
    second.give(RIGHT)
    late.close()
    assert on_disk(late.path)[-2:] == [LEFT, RIGHT]
    assert late.path == keeper.path


def test_what_cannot_be_read_under_the_name_of_a_game_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(autosave.VARIABLE, str(tmp_path))
    play = at_movement()
    keeper = autosave.Autosave(play)
    there = keeper.path
    there.write_text("half a file")
    keeper.close()
    assert there.read_text() == "half a file"
    assert keeper.path != there
    assert on_disk(keeper.path)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EACCES, "the folder of saved games may not be written"),
        (errno.EROFS, "the disk may only be read"),
        (errno.EIO, "the folder of saved games cannot be used"),
    ],
)
def test_a_failed_saving_is_told_in_words_until_one_succeeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    monkeypatch.setenv(autosave.VARIABLE, str(tmp_path))

    def fails(*_: object, **__: object) -> None:
        raise OSError(number, "Raw text of the system")

    play = at_movement()
    keeper = autosave.Autosave(play)
    with monkeypatch.context() as broken:
        broken.setattr(Path, "replace", fails)
        keeper.close()
    assert said in keeper.problem
    assert "Download it" in keeper.problem
    assert "Raw text" not in keeper.problem
    assert "Errno" not in keeper.problem
    keeper.close()
    assert keeper.problem == ""
