"""The README keeps its promises: its Python runs, its commands answer, its pictures are there."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from burma_study.cli import main

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
COMMANDS = [c for c in re.findall(r"^burma-study (.+?)(?=\s{3,}burma-study|$)", TEXT, re.MULTILINE) if "FILE" not in c]


def test_the_python_of_the_readme_runs() -> None:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for block in PYTHON:
            exec(block, {})
    assert "short by 0.5" in out.getvalue()
    assert "\n108\n" in out.getvalue()  # the march that it prices can be made


@pytest.mark.parametrize("command", [c for c in COMMANDS if "game.json" not in c and "dashboard" not in c])
def test_a_command_of_the_readme_answers(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(command)) == 0
    assert capsys.readouterr().out.strip()


def test_the_pictures_of_the_readme_are_there() -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", TEXT)
    assert len(pictures) >= 3
    for picture in pictures:
        assert (ROOT / picture).stat().st_size > 10_000
