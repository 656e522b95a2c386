"""play, replay and show on the command line, and what they say to bad input (issue 3, 10)."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from burma_study.cli import main
from burma_study.engine.saves import _chained
from burma_study.engine.session import Session
from burma_study.games.registry import game_of
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.state import Rules

LEARNING = "ocs/learning"
OPENING = """# Japan's first march
allied: done
japanese: done
japanese: move j/inf/1-214-33 by B4.27
japanese: done
"""


class Shell:
    """The command line with what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> tuple[int, str, str]:
        status = main([str(w) for w in words])
        said = self._capsys.readouterr()
        return status, said.out, said.err

    def data(self, *words: str) -> Any:
        status, out, _ = self(*words, "--format", "json")
        return json.loads(out) | {"status": status}


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    path = tmp_path / "orders.txt"
    path.write_text(OPENING)
    return path


@pytest.fixture
def saved(tmp_path: Path, shell: Shell, orders: Path) -> Path:
    path = tmp_path / "game.json"
    assert shell("play", LEARNING, "--orders", str(orders), "--seed", "5", "--out", str(path))[0] == 0
    return path


# what they do ---------------------------------------------------------------------------------------------------------


def test_orders_of_a_file_are_played(shell: Shell, orders: Path) -> None:
    found = shell.data("play", LEARNING, "--orders", str(orders), "--seed", "5")
    assert (found["status"], found["records"], found["seed"]) == (0, 4, "5")
    assert found["log"][2] == "japanese: move j/inf/1-214-33 by B4.27"


def test_the_log_of_a_game_is_an_order_file(shell: Shell, tmp_path: Path, saved: Path) -> None:
    """What the log says, dice and all, plays the same game again."""
    session = Session.open(saved, game_of)
    path = tmp_path / "log.txt"
    path.write_text("\n".join(session.lines()))
    again = shell.data("play", LEARNING, "--orders", str(path), "--seed", "5")
    assert again["digest"] == session.state.digest


def test_a_policy_plays_the_other_side(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("done\nmove j/inf/1-214-33 by B4.27\n")
    found = shell.data("play", LEARNING, "--orders", str(path), "--policy", "allied=hold", "--seed", "5")
    assert [line.split(":")[0] for line in found["log"]] == ["allied", "japanese", "japanese"]
    assert found["decides"] == "japanese"


def test_two_policies_play_to_the_end(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "all.json.gz"
    words = ("--policy", "japanese=hold", "--policy", "allied=hold", "--seed", "1", "--out", str(path))
    status, out, _ = shell("play", LEARNING, *words)
    assert status == 0
    assert "nobody, the game is over" in out
    assert shell("replay", str(path))[0] == 0


def test_replay_verifies_every_digest_and_says_who_won(shell: Shell, saved: Path) -> None:
    status, out, _ = shell("replay", str(saved))
    assert status == 0
    assert "4 records run again, every digest as saved." in out
    assert "victory" in out
    assert shell.data("replay", str(saved))["verified"] == 4


def test_show_gives_a_position_and_what_led_to_it(shell: Shell, saved: Path) -> None:
    found = shell.data("show", str(saved), "--step", "3")
    assert "j/inf/1-214-33 combat" in found["stacks"]["B4.27"]
    assert found["told"] == "1-214-33 goes from B5.27 to B4.27 Tongzang."
    assert found["dumps"]["B3.25"] == {"is": "Dump", "side": "allied", "tokens": 24}
    assert shell.data("show", str(saved), "--step", "0")["told"] == "The start of the game."
    status, out, _ = shell("show", str(saved))
    assert status == 0
    assert "4 of 4" in out
    assert "B4.27 Tongzang" in out
    assert "j/inf/" not in out


def test_the_policies_of_a_scenario_are_listed(shell: Shell) -> None:
    found = shell.data("play", LEARNING, "--policy", "japanese=list")
    assert "harry the rearguard" in found["policies"]["japanese"]
    assert '--policy japanese="harry the rearguard"' in shell("play", LEARNING, "--policy", "allied=list")[1]


def test_units_of_an_order_file_may_be_called_by_name(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "named.txt"
    path.write_text("done\ndone\nmove 1-214-33 by Tongzang\n")
    found = shell.data("play", LEARNING, "--orders", str(path), "--seed", "5")
    assert found["log"][2] == "japanese: move j/inf/1-214-33 by B4.27"


# bad input ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("attack B3.23 with j/inf/33_Eng-33", "not-now", "An order to attack is not given now"),
        ("move j/inf/1-214-33 by B3.27", "gap", "OCS 6.1"),
        ("move j/inf/1-214-33 by B4.26, B4.25, B4.24, B4.23", "spent", "MP"),
        ("move j/art/1-18H by B8.25 paying A7.09", "no-such-payment", "OCS 12.3"),
        ("move j/inf/1-214-34 by B4.27", "no-unit", "1-214-34"),
        ("move a/inf/48-17 by B3.27", "not-owned", "OCS 6.1"),
        ("charge", "unreadable", "'charge'"),
    ],
)
def test_a_bad_order_is_refused_with_its_line_and_rule(
    shell: Shell, tmp_path: Path, line: str, code: str, said: str
) -> None:
    """An order of another phase, over a gap, beyond its points, with no such payment, of nobody, of the enemy."""
    path, out = tmp_path / "bad.txt", tmp_path / "kept.json"
    path.write_text(f"done\ndone\n{line}\n")
    found = shell.data("play", LEARNING, "--orders", str(path), "--seed", "5", "--out", str(out))
    assert found["status"] == 2
    problem = next(p for p in found["problems"] if p["code"] == code)
    assert (problem["file"], problem["row"]) == ("bad.txt", 3)
    assert said in problem["message"]
    messages = [p["message"] for p in found["problems"]]
    assert len(messages) == len(set(messages))
    assert found["error"] == f"bad.txt, line 3: {line!r} is refused; 2 records stand before it."
    assert len(Session.open(out, game_of).tree) == 3


def test_a_stack_that_moved_does_not_move_again(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "twice.txt"
    path.write_text(
        "done\ndone\nmove j/inf/1-214-33 by B4.27\nmove j/inf/2-214-33 by B5.27\nmove j/inf/1-214-33 by B3.27\n"
    )
    status, _, err = shell("play", LEARNING, "--orders", str(path), "--seed", "5")
    assert status == 2
    assert "line 5" in err


def test_a_file_that_is_not_there(shell: Shell) -> None:
    status, _, err = shell("play", LEARNING, "--orders", "nowhere.txt")
    assert (status, "There is no file" in err) == (2, True)


def test_nothing_to_play(shell: Shell) -> None:
    assert "give --orders FILE" in shell("play", LEARNING)[2]


@pytest.mark.parametrize(
    ("text", "said"),
    [("japan=hold", "SIDE=NAME"), ("japanese", "SIDE=NAME"), ("japanese=bold", "Did you mean hold")],
)
def test_a_policy_that_is_none(shell: Shell, text: str, said: str) -> None:
    status, _, err = shell("play", LEARNING, "--policy", text)
    assert status == 2
    assert said in err


def test_a_save_cut_in_half(shell: Shell, saved: Path) -> None:
    whole = saved.read_bytes()
    saved.write_bytes(whole[: len(whole) // 2])
    for command in ("replay", "show"):
        status, _, err = shell(command, str(saved))
        assert status == 2
        assert "is cut short" in err or "damaged" in err
    saved.write_bytes(whole[:-150])
    assert shell("show", str(saved))[0] == 2
    assert shell("show", str(saved), "--recover")[0] == 0


def test_an_edited_save(shell: Shell, saved: Path) -> None:
    saved.write_text(saved.read_text().replace('"tokens":24', '"tokens":99'))
    status, _, err = shell("replay", str(saved))
    assert (status, "was edited or damaged" in err) == (2, True)


def test_a_save_of_a_later_version(shell: Shell, saved: Path) -> None:
    lines = [json.loads(line) for line in saved.read_text().splitlines()]
    _rewrite(saved, [lines[0] | {"burma_study_save": 99}, *lines[1:]])
    status, _, err = shell("show", str(saved))
    assert (status, "format 99" in err) == (2, True)


def _rewrite(path: Path, lines: list[dict[str, Any]]) -> None:
    """Write lines with their checks made afresh, as a forger would."""
    bare = [{k: v for k, v in line.items() if k != "check"} for line in lines]
    path.write_text("".join(_chained(bare)))


def test_a_save_whose_effects_were_forged_is_found_out_by_replay(shell: Shell, saved: Path) -> None:
    """The checks fit, the rules do not: the first difference is named."""
    lines = [json.loads(line) for line in saved.read_text().splitlines()]
    march = next(line for line in lines if line.get("order", "").startswith("move "))
    moved = next(event for event in march["events"] if event[0] == "moved")
    moved[4]["spent"] -= 12
    _rewrite(saved, lines)
    status, _, err = shell("replay", str(saved))
    assert status == 2
    assert "does not come out the same under today's rules: Record 3" in err
    assert shell("show", str(saved))[0] == 0


def test_a_save_with_a_readers_own_chart_is_shown_and_run_again_with_it(shell: Shell, tmp_path: Path) -> None:
    rows = (Path("data/charts/ocs/supply_costs.csv")).read_text()
    state = start(LEARNING, rules=Rules(user_charts=(("supply_costs", rows),)))
    session = Session(GAME, state, setup=LEARNING, seed="1")
    for _ in range(3):
        session.push("done")
    path = tmp_path / "own.json.gz"
    session.save(path)
    assert "supply_costs" in json.loads(gzip.decompress(path.read_bytes()).splitlines()[0])["charts"]
    assert shell("replay", str(path))[0] == 0
    assert shell("show", str(path))[0] == 0


def test_a_step_beyond_the_end(shell: Shell, saved: Path) -> None:
    status, _, err = shell("show", str(saved), "--step", "77")
    assert (status, "steps 0 to 4, no step 77" in err) == (2, True)


# how orders may be written --------------------------------------------------------------------------------------------


def test_an_order_file_of_any_system_with_remarks_and_blank_lines(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "orders.txt"
    lines = ("# a remark", "", "allied: done", "   ", "japanese: done", "japanese: move j/inf/1-214-33 by B4.27", "")
    for ending, mark in (("\r\n", "\ufeff"), ("\r", ""), ("\n", "\ufeff")):
        path.write_bytes((mark + ending.join(lines)).encode())
        found = shell.data("play", LEARNING, "--orders", str(path), "--seed", "5")
        assert (found["status"], found["records"]) == (0, 3)


def test_march_goes_a_cheapest_way_and_end_ends_the_phase(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "short.txt"
    path.write_text("end\nend\njapanese: march 1-214-33 to Tongzang\nend\n")
    found = shell.data("play", LEARNING, "--orders", str(path), "--seed", "5")
    assert found["status"] == 0
    log = [line.split(" [")[0] for line in found["log"]]
    assert log[:3] == ["allied: done", "japanese: done", "japanese: move j/inf/1-214-33 by B4.27"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("march 1-214-33 to B3.15", "(OCS "),
        ("march a/inf/48-17 to B4.27", "it is for the japanese side"),
        ("march 9-9 to B4.27", "There is no unit '9-9'"),
        ("march 1-214-33 to Atlantis", "'Atlantis' is neither a hex nor a place"),
        ("march 1-214-33 to B5.27", "already"),
        ("march to B4.27", "Write march UNIT, UNIT to PLACE"),
        ("march", "Write march UNIT, UNIT to PLACE"),
        ("end of it", "is no order of this game"),
    ],
)
def test_a_march_that_cannot_be_is_refused_with_its_reason(shell: Shell, tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "short.txt"
    path.write_text(f"end\nend\n{line}\n")
    status, _, err = shell("play", LEARNING, "--orders", str(path), "--seed", "5")
    assert (status, said in err, "line 3" in err) == (2, True, True)


def test_a_pipe_without_end_or_another_coding_is_no_order_file(shell: Shell, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "utf16.txt").write_bytes("done\n".encode("utf-16"))
    for name in ("pipe", "utf16.txt", "."):
        status, out, err = shell("play", LEARNING, "--orders", str(tmp_path / name))
        assert (status, out, len(err.splitlines())) == (2, "", 1)


def test_a_save_is_written_over_saves_only(shell: Shell, tmp_path: Path, orders: Path) -> None:
    """Nothing is lost: neither the orders, nor another file, nor a device."""
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Bill")
    for place in (orders, letter, tmp_path):
        status, _, err = shell("play", LEARNING, "--orders", str(orders), "--out", str(place))
        assert (status, repr(str(place)) in err) == (2, True)
    assert (orders.read_text(), letter.read_text()) == (OPENING, "Dear Bill")
    assert shell("play", LEARNING, "--orders", str(orders), "--out", "/dev/null")[0] == 2
    assert Path("/dev/null").is_char_device()
    for name in ("game.json", "game.json.gz"):
        for _ in range(2):
            assert shell("play", LEARNING, "--orders", str(orders), "--out", str(tmp_path / name))[0] == 0


def test_a_side_has_one_policy(shell: Shell) -> None:
    status, _, err = shell("play", LEARNING, "--policy", "allied=hold", "--policy", "allied=hold")
    assert (status, "names the allied side twice" in err) == (2, True)


def test_a_save_with_foreign_charts_names_what_is_wrong_with_them(shell: Shell, saved: Path) -> None:
    lines = [json.loads(line) for line in saved.read_text().splitlines()]
    lines[1]["scalars"]["rules"]["user_charts"] = [["surprise", "kind,attacker_min\nregular,9\n"]]
    _rewrite(saved, lines)
    for command in ("replay", "show"):
        status, _, err = shell(command, str(saved))
        assert (status, "fault of the program" in err) == (0 if command == "show" else 2, False)
    assert "surprise" in shell("replay", str(saved))[2]
