"""Saves whose bytes are cut, turned or shuffled: refused in a sentence of the family, or opened as what they say."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from burma_study.cli import main
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError, SaveError
from burma_study.games.ocs.play import Play
from burma_study.games.registry import uploaded
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup import start

MUTANTS = 200
Mutate = Callable[[random.Random, bytes], bytes]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    session = Session(GAME, start("ocs/learning"), setup="ocs/learning", seed="5")
    for order in ("done", "done", "move j/inf/1-214-33 by B4.27", "done"):
        session.push(order)
    path = tmp_path_factory.mktemp("saves") / "game.json"
    session.save(path)
    return path.read_bytes()


def turned(dice: random.Random, content: bytes) -> bytes:
    at = dice.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << dice.randrange(8)]) + content[at + 1 :]


def cut(dice: random.Random, content: bytes) -> bytes:
    return content[: dice.randrange(len(content))]


def lost(dice: random.Random, content: bytes) -> bytes:
    at = dice.randrange(len(content))
    return content[:at] + content[at + dice.randint(1, 200) :]


def put_in(dice: random.Random, content: bytes) -> bytes:
    at = dice.randrange(len(content))
    return content[:at] + dice.randbytes(dice.randint(1, 20)) + content[at:]


def swapped(dice: random.Random, content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    a, b = dice.sample(range(len(lines)), 2)
    lines[a], lines[b] = lines[b], lines[a]
    return b"".join(lines)


def doubled(dice: random.Random, content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    at = dice.randrange(len(lines))
    return b"".join([*lines[: at + 1], *lines[at:]])


KINDS: tuple[Mutate, ...] = (turned, cut, lost, put_in, swapped, doubled)


def opened(content: bytes, name: str) -> Play | None:
    """The game, or None where it is refused; anything but the family is a fault."""
    try:
        return uploaded(content, name)
    except SaveError as error:
        assert str(error).strip()  # noqa: PT017 - any sentence will do
        return None


def test_no_mutant_of_a_save_opens_as_another_game(plain: bytes) -> None:
    """What is turned, lost or put in breaks the chain of checks; only what is no change opens."""
    whole = uploaded(plain, "game.json").digest
    dice = random.Random(7)
    for k in range(MUTANTS):
        mutant = KINDS[k % len(KINDS)](dice, plain)
        play = opened(mutant, "game.json")
        assert play is None or play.digest == whole, (k, KINDS[k % len(KINDS)].__name__)
        if play is not None:
            play.give("done")


def test_no_mutant_of_a_compressed_save_is_a_fault(plain: bytes) -> None:
    whole, content = uploaded(plain, "game.json").digest, gzip.compress(plain, mtime=0)
    dice = random.Random(8)
    for k in range(MUTANTS // 2):
        play = opened(KINDS[k % 4](dice, content), "game.save.gz")
        assert play is None or play.digest == whole


@pytest.mark.parametrize("command", ["show", "replay", "check"])
def test_commands_say_what_is_wrong_with_a_mutant(
    plain: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    dice, path = random.Random(9), tmp_path / "mutant.json"
    for k in range(20):
        path.write_bytes(KINDS[k % len(KINDS)](dice, plain))
        assert main([command, str(path)]) in (0, 1, 2)
        assert "fault of the program" not in capsys.readouterr().err


def test_what_is_left_of_a_cut_save_is_a_game(plain: bytes, tmp_path: Path) -> None:
    """Asked to recover, a save that is cut gives the orders before the cut, or says that there are none."""
    dice, path, found = random.Random(10), tmp_path / "cut.json", 0
    for _ in range(30):
        path.write_bytes(cut(dice, plain))
        try:
            play = Play.open(path, recover=True)
        except BurmaStudyError:
            continue
        found += 1
        assert len(play.session.tree) <= 5
        play.session.options()
    assert found
