"""Command lines put together at random of words that mean something: an answer, or one sentence and exit status 2."""

from __future__ import annotations

import random

import pytest

from burma_study import cli

LINES = 200
COMMANDS = ("scenarios", "setup", "trace", "reach", "odds", "georef", "board", "rules", "check", "show", "replay")
WORDS = (
    *("ocs/learning", "ocs/u-go", "ocs/nothing", "learning", "ocs", "A10.21", "B3.23", "A0.00", "Imphal", "Atlantis"),
    *("1-214-33", "j/inf/1-214-33", "nobody", "japanese", "allied", "martian", "0", "-1", "3", "1/2", "9" * 30, "1e9"),
    *("", "-", "--", "=", "é", "\t", "../../etc", ".", "/dev/null", "mud", "flood", "combat", "move", "text", "json"),
)
FLAGS = (
    *("--unit", "--side", "--format", "--weather", "--step", "--save", "--raw", "--attack", "--defence", "--terrain"),
    *("--attacker-ar", "--defender-ar", "--hedgehog", "--free", "--at", "--with", "--help", "--banzai", "--unpaid"),
    *("--mode", "--seed", "--from", "--target", "--json", "--unknown", "--unit=", "--step=x"),
)


@pytest.mark.parametrize("part", range(4))
def test_a_command_line_of_any_words_ends_in_an_answer_or_a_sentence(
    part: int, capsys: pytest.CaptureFixture[str]
) -> None:
    dice = random.Random(part)
    for _ in range(LINES // 4):
        words = [dice.choice(COMMANDS), *(dice.choice(dice.choice((WORDS, FLAGS))) for _ in range(dice.randint(0, 6)))]
        try:
            status = cli.main(words)
        except SystemExit as left:  # --help
            status = int(left.code or 0)
        said = capsys.readouterr()
        assert status in (0, 1, 2), words
        assert "fault of the program" not in said.err, words
        assert "Traceback" not in said.err, words
        if status == 2:
            assert len(said.err.strip().splitlines()) == 1, words
            assert said.out == "", words
