"""Whole games stored with every event and digest: they come out the same, end as expected, and are really fought.

`python tests/golden/make.py` plays and stores them anew, after a change of rules or policies that is meant.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest

from burma_study.engine.session import Session
from burma_study.games.registry import game_of

sys.path.insert(0, str(Path(__file__).parent))

from counting import counts
from games import GAMES, HERE, Golden, result

pytestmark = pytest.mark.golden
EACH = pytest.mark.parametrize("golden", GAMES, ids=lambda g: g.name)


@lru_cache(maxsize=8)
def opened(golden: Golden) -> Session:
    return Session.open(golden.path, game_of)


def expected() -> dict[str, dict[str, str]]:
    with (HERE / "expected.csv").open(newline="") as file:
        return {row.pop("name"): row for row in csv.DictReader(file)}


@EACH
def test_a_golden_game_runs_again_with_every_digest(golden: Golden) -> None:
    assert opened(golden).rerun() is None


@EACH
def test_a_golden_game_ends_as_expected(golden: Golden) -> None:
    assert opened(golden).decision.actor == ""
    assert result(opened(golden)) == expected()[golden.name]


@EACH
def test_a_golden_game_is_really_fought(golden: Golden) -> None:
    done = counts(opened(golden))
    assert {what: done[what] for what, least in golden.least.items() if done[what] < least} == {}


@EACH
def test_a_golden_game_is_played_alike_today(golden: Golden) -> None:
    """The same policies with the same seed give the same orders and dice, to the last record."""
    session, run = golden.played()
    assert run.over
    assert list(session.lines()) == list(opened(golden).lines())
    assert session.state.digest == expected()[golden.name]["digest"]


@EACH
@pytest.mark.parametrize("hashes", ["3", "8", "10"])
def test_a_golden_game_is_played_alike_whatever_the_order_of_names(golden: Golden, hashes: str) -> None:
    """Neither rules nor policies hang on the order in which Python keeps names, which changes with the process."""
    code = "import sys; sys.path.insert(0, sys.argv[1]); from games import GAMES, result; "
    code += "print(result(next(g for g in GAMES if g.name == sys.argv[2]).played()[0])['digest'])"
    done = subprocess.run(
        [sys.executable, "-c", code, str(HERE), golden.name],
        env={**os.environ, "PYTHONHASHSEED": hashes},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == expected()[golden.name]["digest"]


@pytest.mark.parametrize("hashes", ["1", "2024"])
def test_a_golden_game_runs_again_alike_whatever_the_order_of_sets(hashes: str) -> None:
    """Nothing in the rules hangs on the order in which Python keeps names, which changes from process to process."""
    opened = "from burma_study.games.registry import open_game as o"
    code = f"import sys; {opened}; sys.exit(str(o(sys.argv[1]).session.rerun()))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(GAMES[0].path)],
        env={**os.environ, "PYTHONHASHSEED": hashes},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr.strip() == "None"
