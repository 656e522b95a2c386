"""The examples in docstrings say what happens."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "burma_study"
WITH_EXAMPLES = sorted(p for p in PACKAGE.rglob("*.py") if ">>> " in p.read_text(encoding="utf-8"))


def module(path: Path) -> str:
    return ".".join(("burma_study", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


@pytest.mark.parametrize("name", [module(p) for p in WITH_EXAMPLES])
def test_the_examples_of_a_module_come_out_as_they_say(name: str) -> None:
    found = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 0
    assert found.failed == 0


def test_there_are_examples() -> None:
    assert len(WITH_EXAMPLES) >= 6
