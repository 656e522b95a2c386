"""The ledger of the rules: a row for each clause, tied to the functions that carry it out and the tests that prove it.

`data/rules/<game>.csv` has a row for each clause of a rulebook, `<game>_series.csv` one for each case of its series.
Functions are tied by `@rule("ocs/3.6d")`. Tests are tied by `@pytest.mark.rule("ocs/3.6d")` on a function or class, by
a module's `pytestmark`, or by their name: `test_burma_2_6b_...` is `ocs/2.6b`, `test_burma_opt_2_4_...` is
`ocs/opt.2.4`, `test_series_9_8_...` and `test_ocs_9_8_...` are `ocs-series/9.8`. A `*` in a mark stands for any part of
an id (`ocs/*.setup-free-*`). Both are read from the source, so that nothing need be imported to print the ledger.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from burma_study.datafiles import data_root, read_rows
from burma_study.errors import DataError, Problem, did_you_mean

F = TypeVar("F", bound=Callable[..., Any])
Marks = dict[str, tuple[str, ...]]  # a marked id or pattern -> the functions that carry it

STATUSES = ("done", "part", "component", "input")
_PACKAGE = Path(__file__).parents[1]
_NAME = re.compile(r"test_(burma|series|ocs)_((?:opt_)?\d+(?:_\d+)*[a-z]?)(?:_|$)")


def rule(*ids: str) -> Callable[[F], F]:
    """Mark a function as carrying out clauses: `@rule("ocs/2.6b", "ocs-series/9.8")`; nothing changes at run time."""

    def mark(function: F) -> F:
        function.__rules__ = ids  # type: ignore[attr-defined]
        return function

    return mark


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: its id, our title, status, the room (module) it belongs to, and what carries and proves it."""

    id: str
    title: str
    status: str
    room: str
    note: str = ""
    reading_1999: str = ""
    reading_v43: str = ""
    functions: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Shape for JSON: `function` is the first of `functions`, or null."""
        row: dict[str, object] = {name: getattr(self, name) for name in ("id", "title", "status", "room", "note")}
        if self.reading_1999 or self.reading_v43:
            row |= {"reading_1999": self.reading_1999, "reading_v43": self.reading_v43}
        first = self.functions[0] if self.functions else None
        return row | {"function": first, "functions": list(self.functions), "tests": list(self.tests)}


def games() -> list[str]:
    """The games that have a ledger, in alphabetical order."""
    return sorted(path.stem for path in (data_root() / "rules").glob("*.csv") if not path.stem.endswith("_series"))


def clauses(game: str) -> tuple[Clause, ...]:
    """Every clause of `game`, its rulebook's first and its series' after; DataError names the games there are."""
    if game not in games():
        hint = did_you_mean(game, games())
        raise DataError(f"There is no ledger of {game!r}; there is one of {', '.join(games())}. {hint}".strip())
    functions, tests = function_marks(), test_marks()
    return tuple(_clause(row, functions, tests) for row in _rows(game))


def check_ledger(game: str) -> list[Problem]:
    """Everything wrong with the ledger of `game`: repeated ids, unknown statuses, `done` without function or test."""
    rows = clauses(game)
    file = f"data/rules/{game}.csv"
    repeated = [i for i, n in Counter(c.id for c in rows).items() if n > 1]
    found = [Problem("repeated-id", f"The id {i!r} stands twice.", file, column="id") for i in repeated]
    for clause in rows:
        if clause.status not in STATUSES:
            hint = f"Use one of {', '.join(STATUSES)}."
            found.append(Problem("status", f"{clause.id}: status {clause.status!r}.", file, column="status", hint=hint))
        if clause.status == "done" and not clause.functions:
            found.append(Problem("no-function", f"{clause.id} is done, but no function is marked with it.", file))
        if clause.status == "done" and not clause.tests:
            found.append(Problem("no-test", f"{clause.id} is done, but no test is marked with it.", file))
    return found + unknown_marks()


def unknown_marks() -> list[Problem]:
    """Marks in functions and tests that name no clause of any ledger."""
    known = [row["id"] for game in games() for row in _rows(game)]
    marks = {**function_marks(), **test_marks()}
    return [
        Problem("unknown-id", f"{where} is marked with {mark!r}.", hint=did_you_mean(mark, known))
        for mark, places in marks.items()
        if not any(_fits(mark, known_id) for known_id in known)
        for where in places
    ]


@lru_cache(maxsize=1)
def function_marks() -> Marks:
    """The ids that functions of the package are marked with, each with the functions' dotted names."""
    return _gather(
        (id_, f"{_module(path)}.{name}") for path in _sources(_PACKAGE) for name, id_ in _marked(path, "rule")
    )


@lru_cache(maxsize=1)
def test_marks() -> Marks:
    """The ids that tests are marked with or named by; empty where the tests are not installed beside the package."""
    folder = _PACKAGE.parent / "tests"
    pairs = ((path, name, id_) for path in _sources(folder) for name, id_ in _test_ids(path))
    return _gather((id_, f"{path.relative_to(folder.parent).as_posix()}::{name}") for path, name, id_ in pairs)


def _rows(game: str) -> list[dict[str, str]]:
    series = f"rules/{game}_series.csv"
    return read_rows(f"rules/{game}.csv") + (read_rows(series) if (data_root() / series).exists() else [])


def _clause(row: dict[str, str], functions: Marks, tests: Marks) -> Clause:
    return Clause(
        **{k: row.get(k) or "" for k in ("id", "title", "status", "room", "note", "reading_1999", "reading_v43")},
        functions=_carriers(row["id"], functions),
        tests=_carriers(row["id"], tests),
    )


def _carriers(id_: str, marks: Marks) -> tuple[str, ...]:
    exact = marks.get(id_, ())
    wide = (name for mark, names in marks.items() if "*" in mark and _fits(mark, id_) for name in names)
    return tuple(dict.fromkeys((*exact, *wide)))


def _fits(mark: str, id_: str) -> bool:
    return mark == id_ or ("*" in mark and fnmatchcase(id_, mark))


def _gather(pairs: Iterable[tuple[str, str]]) -> Marks:
    marks: dict[str, list[str]] = {}
    for id_, name in pairs:
        marks.setdefault(id_, []).append(name)
    return {id_: tuple(dict.fromkeys(names)) for id_, names in marks.items()}


def _sources(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def _module(path: Path) -> str:
    dotted = ".".join(path.relative_to(_PACKAGE.parent).with_suffix("").parts)
    return dotted.removesuffix(".__init__")


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _definitions(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Definition, list[ast.expr]]]:
    """Functions and methods with their qualified name and decorators, those of their class included."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield prefix + node.name, node, node.decorator_list
            for name, inner, decorators in _definitions(node.body, f"{prefix}{node.name}."):
                yield name, inner, decorators + node.decorator_list
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + node.name, node, node.decorator_list


def _marked(path: Path, word: str) -> Iterator[tuple[str, str]]:
    text = path.read_text(encoding="utf-8")
    if f"{word}(" not in text:
        return
    for name, _, decorators in _definitions(ast.parse(text).body):
        for decorator in decorators:
            for id_ in _ids(decorator, word):
                yield name, id_


def _ids(node: ast.expr, word: str) -> list[str]:
    """The ids in a call of `word`, which may be a name (`rule`) or the end of a dotted one (`pytest.mark.rule`)."""
    if not isinstance(node, ast.Call):
        return []
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if called != word:
        return []
    return [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]


def _test_ids(path: Path) -> Iterator[tuple[str, str]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    everywhere = [id_ for node in tree.body if _is_pytestmark(node) for id_ in _inner_ids(node)]
    for name, node, decorators in _definitions(tree.body):
        if isinstance(node, ast.ClassDef) or not node.name.startswith("test"):
            continue
        marked = [id_ for decorator in decorators for id_ in _ids(decorator, "rule")]
        for id_ in (*marked, *everywhere, *_named(node.name)):
            yield name, id_


def _is_pytestmark(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and any(getattr(t, "id", "") == "pytestmark" for t in node.targets)


def _inner_ids(node: ast.stmt) -> list[str]:
    return [id_ for part in ast.walk(node) if isinstance(part, ast.Call) for id_ in _ids(part, "rule")]


def _named(name: str) -> list[str]:
    match = _NAME.match(name)
    if not match:
        return []
    number = match[2].replace("_", ".")
    return [f"{'ocs' if match[1] == 'burma' else 'ocs-series'}/{number}"]
