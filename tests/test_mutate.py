"""The mutation check of the ledger breaks what it says it breaks, in a copy."""

from __future__ import annotations

import ast

import mutate
import pytest

SOURCE = '''"""A module."""


class Unit:
    """A unit."""

    colour = "red"

    @property
    def steps(self) -> int:
        """How many."""
        return 2

    def lose(self) -> None:
        self.gone = True


def only_said():
    """Nothing but words."""


def nested():
    def inner():
        return 1

    return inner()


class Empty:
    size = 3
'''


@pytest.mark.parametrize(
    ("names", "raises"),
    [(["Unit", "steps"], 1), (["Unit"], 2), (["only_said"], 1), (["nested"], 1), (["Unit", "lose"], 1)],
)
def test_a_function_or_each_method_of_a_class_begins_with_a_raise(names: list[str], raises: int) -> None:
    text = mutate.broken(SOURCE, names)
    ast.parse(text)
    assert text.count(mutate.RAISE) == raises
    assert [line for line in text.split("\n") if mutate.RAISE not in line] == SOURCE.split("\n")


def test_a_broken_function_raises_and_the_others_do_not() -> None:
    space: dict[str, object] = {}
    exec(mutate.broken(SOURCE, ["nested"]), space)
    with pytest.raises(RuntimeError, match="mutated"):
        space["nested"]()  # type: ignore[operator]
    assert space["Unit"]().steps == 2  # type: ignore[operator]


def test_what_has_no_code_is_said() -> None:
    with pytest.raises(LookupError, match="Empty has no code"):
        mutate.broken(SOURCE, ["Empty"])


def test_clauses_are_drawn_by_the_seed() -> None:
    first = mutate.mutants(5, seed=1)
    assert first == mutate.mutants(5, seed=1)
    assert first != mutate.mutants(5, seed=2)
    assert all(m.tests and m.function.startswith("burma_study.") for m in first)
    assert {m.clause for m in mutate.mutants(0, 1, "ocs/2.6b")} == {"ocs/2.6b"}
