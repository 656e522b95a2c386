"""Keyed dice: fair, independent, the same everywhere; a replay never rolls."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy import GAME, duel, set_up

import burma_study.engine.dice as dice_module
from burma_study.engine.dice import DiceWanted, KeyedDice, NoDice, RecordedDice, Roll, throw
from burma_study.engine.session import Session
from burma_study.errors import SaveError

CHI2_001 = {5: 20.5, 10: 29.6, 35: 66.6}  # 99.9 % points by degrees of freedom


def chi_square(counts, expected):
    return sum((counts[k] - e) ** 2 / e for k, e in expected.items())


@pytest.mark.parametrize("seed", ["", "1", "kohima", "x" * 200])
def test_a_die_is_fair_over_many_keys(seed):
    n = 6000
    counts = Counter(throw(seed, ("combat", i // 50, "japanese/combat"), i % 50)[0] for i in range(n))
    assert chi_square(counts, dict.fromkeys(range(1, 7), n / 6)) < CHI2_001[5]


def test_two_dice_have_the_sums_of_two_dice():
    n = 7200
    counts = Counter(sum(throw("2d6", ("combat", 1, "p"), i, 2)) for i in range(n))
    assert chi_square(counts, {s: n * (6 - abs(7 - s)) / 36 for s in range(2, 13)}) < CHI2_001[10]


@pytest.mark.parametrize("change", ["stream", "turn", "phase", "n", "salt", "seed"])
def test_rolls_whose_keys_differ_in_one_thing_are_independent(change):
    """Pairs of dice from keys that differ in one part fill the 36 cells evenly."""

    def roll(i, other):
        key = (
            "b" if other and change == "stream" else "a",
            i + 10**6 * (other and change == "turn"),
            "pq"[other and change == "phase"],
        )
        return throw(
            "st"[other and change == "seed"], key, int(other and change == "n"), 1, 6, int(other and change == "salt")
        )[0]

    n = 7200
    pairs = Counter((roll(i, False), roll(i, True)) for i in range(n))
    assert chi_square(pairs, dict.fromkeys(product(range(1, 7), repeat=2), n / 36)) < CHI2_001[35]


@given(st.text(), st.text(), st.integers(), st.text(), st.integers(0, 99), st.integers(1, 200), st.integers(2, 256))
def test_any_key_gives_that_many_faces_and_the_same_ones_again(seed, stream, turn, phase, n, count, sides):
    dice = throw(seed, (stream, turn, phase), n, count, sides)
    assert len(dice) == count
    assert all(1 <= d <= sides for d in dice)
    assert throw(seed, (stream, turn, phase), n, count, sides) == dice


@given(st.integers(1, 30))
def test_more_dice_begin_with_the_same_ones(count):
    assert throw("s", ("a", 1, "p"), 0, 40)[:count] == throw("s", ("a", 1, "p"), 0, count)


def test_parts_of_a_key_do_not_run_into_each_other():
    assert throw("s", ("a|1", 2, "p"), 0, 20) != throw("s", ("a", 12, "p"), 0, 20)
    assert throw("s", ("a", 1, "1"), 1, 20) != throw("s", ("a", 1, ""), 11, 20)


def test_known_dice_stay_as_they_are():
    """A change here would give every seeded game other weather: it needs a new format of saves."""
    assert throw("kohima", ("weather", 1, "japanese/weather"), 0, 8) == KNOWN_WEATHER
    assert throw("kohima", ("combat", 7, "allied/combat"), 3, 4, 10) == KNOWN_TENS


KNOWN_WEATHER = (6, 1, 4, 2, 2, 4, 5, 1)
KNOWN_TENS = (10, 4, 5, 2)


def test_dice_do_not_depend_on_the_process():
    code = "from burma_study.engine.dice import throw; print(throw('kohima', ('weather', 1, 'japanese/weather'), 0, 8))"
    for hash_seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
        root = Path(__file__).parents[2]
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root, env=env
        )
        assert done.stdout.strip() == str(KNOWN_WEATHER)


@pytest.mark.parametrize("sides", [1, 0, 257])
def test_impossible_dice_are_refused(sides):
    with pytest.raises(ValueError, match=f"not {sides}"):
        throw("s", ("a", 1, "p"), 0, 1, sides)


def test_keyed_dice_count_each_stream_on_its_own():
    dice = KeyedDice("s", {("combat", 1, "p"): 3})
    rolls = [dice.roll(stream, (1, "p"), 1, 6) for stream in ("combat", "weather", "combat")]
    assert [(r.stream, r.n) for r in rolls] == [("combat", 3), ("weather", 0), ("combat", 4)]
    assert rolls[0].dice == throw("s", ("combat", 1, "p"), 3)


def test_a_session_counts_rolls_along_its_own_line():
    play = Session(GAME, set_up(side="blue"), seed="s")
    play.push("end")
    play.push("end")
    play.push("end")
    assert [(play.tree[n].rolls[0].turn, play.tree[n].rolls[0].n) for n in (1, 3)] == [(2, 0), (3, 0)]
    play.push("mode off")
    play.push("put r9 at 4")
    play.push("put b9 at 6 for blue")
    fights = []
    for _ in range(2):
        play.push("march r9 by 5-4")
        play.push("intercept with b9")
        fights += [r.n for r in play.tree[play.node].rolls]
        play.push("put r9 at 4")
        play.push("put b9 at 6 for blue")
    assert fights == [0, 1, 2, 3]


def test_replay_never_rolls(monkeypatch):
    """With every source of chance poisoned, records replay to the same digests."""
    play = Session(GAME, duel(), seed="s")
    play.push("march r1 by 3-4")
    play.push("intercept with b1")
    while play.state.frames:
        play.push(next(GAME.legal_orders(play.state, "lose")))
    for _ in range(4):
        play.push("end")
    assert sum(len(play.tree[n].rolls) for n in range(1, len(play.tree))) == 4

    def poison(*_args, **_kwargs):
        raise AssertionError("a die was rolled in a replay")

    monkeypatch.setattr(dice_module, "throw", poison)
    monkeypatch.setattr(KeyedDice, "roll", poison)
    assert play.rerun() is None


def test_recorded_dice_say_what_does_not_fit():
    roll = Roll("combat", 1, "p", 0, (3, 4))
    dice = RecordedDice([roll])
    assert dice.left == (roll,)
    with pytest.raises(SaveError, match=r"ask for 1 dice of 6 sides of the stream 'weather'.*holds combat 3\+4 = 7"):
        dice.roll("weather", (1, "p"), 1, 6)
    with pytest.raises(SaveError, match="holds no more rolls"):
        RecordedDice([]).roll("combat", (1, "p"), 2, 6)
    assert RecordedDice([roll]).roll("combat", (1, "p"), 2, 6) is roll
    with pytest.raises(DiceWanted):
        NoDice().roll("combat", (1, "p"), 1, 6)
