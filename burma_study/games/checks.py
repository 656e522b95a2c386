"""Check files that a reader made or changed: charts, data tables, scenarios, saves; every problem with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import zip_longest
from pathlib import Path
from types import ModuleType

from burma_study.boards.board import GRIDS
from burma_study.datafiles import TAGS, csv_lines, data_root, range_fault, read_rows, read_text
from burma_study.errors import BurmaStudyError, DataError, LabelError, Problem, did_you_mean
from burma_study.games.registry import edition, game_ids, game_of

SAVE_START = b'{"burma_study_save"'
PROVENANCE = ("key", "column", "tag", "source", "reason", "low", "high")
Schema = Mapping[str, tuple[str, str]]  # column -> (type, default)


def check_path(path: str | Path) -> list[Problem]:
    """Everything wrong with a file, or with every file of a folder; an empty list when all is well.

    DataError when there is no such file or it is of no kind that we know.
    """
    place = Path(path)
    try:
        place.stat()
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"{str(path)!r} cannot be read: {reason}.") from error
    if place.is_dir():
        return [problem for file in checkable(place) for problem in check_file(file)]
    if place.exists() and not place.is_file():
        raise DataError(f"{str(path)!r} is no file that can be read through: a pipe or a device.")
    if not place.is_file():
        near = did_you_mean(place.name, [f.name for f in place.parent.glob("*")] if place.parent.is_dir() else [])
        raise DataError(f"There is no file {str(path)!r}. {near}".strip())
    return check_file(place)


def checkable(folder: Path) -> list[Path]:
    """The files of a folder whose kind is known, in alphabetical order; a set-up list goes with its scenario."""
    shown = (f for f in folder.rglob("*") if not any(p.startswith(".") for p in f.relative_to(folder).parts))
    return sorted(f for f in shown if _is_known(f))


def _is_known(path: Path) -> bool:
    try:
        return path.is_file() and _is_of_a_kind(path)
    except OSError:  # a link into nowhere, a folder that may not be looked into
        return False


def _is_of_a_kind(path: Path) -> bool:
    if path.suffix == ".csv":
        return path.name.endswith(".prov.csv") or _is_chart(path) or (table_of(path) is not None and not _is_list(path))
    if path.suffix == ".toml":
        return path.with_name(f"{path.stem}.units.csv").exists()
    return path.suffix == ".gz" or (path.suffix == ".json" and _is_save(path))


def _is_save(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(SAVE_START)) == SAVE_START
    except PermissionError:
        return True  # to be named among the problems


def _is_chart(path: Path) -> bool:
    return any(path.stem in module.chart_names() for module in _modules("charts"))


def _is_list(path: Path) -> bool:
    return path.name.endswith(".units.csv")


def check_file(path: Path) -> list[Problem]:
    """Everything wrong with one file, by its kind."""
    check = _CHECKS.get(path.suffix)
    if check is None:
        raise DataError(f"{path.name!r} is of no kind that can be checked; kinds are {', '.join(_CHECKS)}.")
    try:
        return check(path)
    except BurmaStudyError as error:
        return list(error.problems) or [Problem("unreadable", str(error), path.name)]


def _check_csv(path: Path) -> list[Problem]:
    if path.name.endswith(".prov.csv"):
        return _check_provenance(path)
    for module in _modules("charts"):
        if path.stem in module.chart_names():
            found: list[Problem] = module.check_chart(path.stem, read_text(path))
            return found
    if _is_list(path):
        return _check_toml(path)
    table = table_of(path)
    if table is None:
        known = sorted({Path(row["path"]).name for row in read_rows("schema/tables.csv")})
        hint = did_you_mean(path.name, known) or "Give it the name of a table of data/schema/tables.csv."
        return [Problem("unknown-table", "its name is that of no table.", path.name, hint=hint)]
    return check_table(path, schema(table), _grid_of(path), table)


def table_of(path: Path) -> str | None:
    """The schema's table for a file: by its whole place under data/, else by its name alone."""
    rows = read_rows("schema/tables.csv")
    whole = (row["table"] for row in rows if path.resolve().match(f"data/{row['path']}"))
    name = (row["table"] for row in rows if path.match(Path(row["path"]).name) and Path(row["path"]).name != "*.csv")
    return next(whole, None) or next(name, None)


@lru_cache(maxsize=64)
def schema(table: str) -> Schema:
    """Column to (type, default) of a table of the schema."""
    rows = read_rows("schema/columns.csv")
    return {row["column"]: (row["type"], row["default"]) for row in rows if row["table"] == table}


@lru_cache(maxsize=64)
def ranges(table: str) -> Mapping[str, str]:
    """Column to the range of its numbers, such as `1..6`, where the schema has one."""
    rows = read_rows("schema/columns.csv")
    return {row["column"]: row["range"] for row in rows if row["table"] == table and row.get("range")}


@lru_cache(maxsize=64)
def key(table: str) -> str:
    """The first column of a table, by which rows are found, if it is never empty in the data that ships; or empty."""
    paths = (data_root().glob(row["path"]) for row in read_rows("schema/tables.csv") if row["table"] == table)
    tables = [rows for found in paths for path in found if (rows := read_rows(path))]
    first = next(iter(tables[0][0]), "") if tables else ""
    return first if all(row.get(first) for rows in tables for row in rows) else ""


def check_table(path: Path, columns: Schema, grid: str | None = None, table: str = "") -> list[Problem]:
    """Every problem of a CSV file against a schema: columns, rows, cells; `grid` names the board of its hexes.

    `table` is the schema's table, whose keys and ranges are kept to.
    """
    lines = csv_lines(read_text(path), path.name)
    if not lines:
        return [Problem("empty", "the file is empty.", path.name)]
    head, *rows = lines
    problems = [
        Problem("wrong-column", f"{name!r} is no column here.", path.name, 1, name, did_you_mean(name, columns))
        for name in head
        if name not in columns
    ]
    problems += [
        Problem("double-column", f"{name!r} stands twice.", path.name, 1, name)
        for n, name in enumerate(head)
        if name in head[:n]
    ]
    for number, row in enumerate(rows, 2):
        cells = dict(zip_longest(head, row, fillvalue=""))
        problems += _row_problems(path.name, number, cells, columns, grid)
        problems += _table_problems(path.name, number, cells, table) if row else ()
        if row and len(row) != len(head):
            text = f"the row has {len(row)} cells, the head {len(head)}."
            problems.append(Problem("row-length", text, path.name, number, hint="Put texts with commas in quotes."))
    return problems


def _row_problems(
    file: str, number: int, row: Mapping[str, str], columns: Schema, grid: str | None
) -> Iterator[Problem]:
    for name, text in row.items():
        kind, _ = columns.get(name, ("text", ""))
        wanted = cell_fault(kind, text.strip(), grid)
        if wanted:
            yield Problem("wrong-value", f"{text!r} is not accepted.", file, number, name, f"Write {wanted}.")


def _table_problems(file: str, number: int, row: Mapping[str, str], table: str) -> Iterator[Problem]:
    """An empty key, and numbers out of their range."""
    first = key(table) if table else ""
    if first and not row.get(first, "").strip():
        yield Problem("wrong-value", "the cell is empty.", file, number, first, "Rows are found by it: write a value.")
    for name, wanted in (ranges(table) if table else {}).items():
        text = row.get(name, "").strip()
        if _is_fraction(text) and (fault := range_fault(wanted, text)):
            yield Problem("wrong-value", f"{text!r} is not accepted.", file, number, name, f"Write {fault}.")


def cell_fault(kind: str, text: str, grid: str | None = None) -> str:
    """What a cell of a type should be, or "" when it is; an empty cell stands for the default and is always right."""
    if not text:
        return ""
    if kind.startswith("enum:"):
        allowed = kind.removeprefix("enum:").split("|")
        return "" if text in allowed else f"one of {', '.join(allowed)}"
    wanted, accepts = _TYPES.get(kind, ("", lambda text: True))
    if kind == "hex" and grid:
        return _hex_fault(text, grid)
    return "" if accepts(text) else wanted


def _is_fraction(text: str) -> bool:
    return bool(re.fullmatch(r"[+-]?[0-9]{1,9}(/0*[1-9][0-9]{0,8}|\.[0-9]{1,9})?", text))


_TYPES: dict[str, tuple[str, Callable[[str], bool]]] = {
    "int": ("a whole number", lambda text: bool(re.fullmatch(r"[+-]?\d+", text))),
    "number": ("a number such as 24.5", lambda text: bool(re.fullmatch(r"[+-]?\d+(\.\d+)?(e[+-]?\d+)?", text))),
    "fraction": ("a number such as 2, 1/2 or 0.5", _is_fraction),
    "bool": ("yes or no", lambda text: text in ("yes", "no")),
}


def _hex_fault(text: str, grid: str) -> str:
    board = GRIDS[grid]()
    for label in text.split(";"):
        try:
            board.index(label.strip())
        except LabelError:
            return f"a hex of {board.name}: {board.labels.form}"
    return ""


def _grid_of(path: Path) -> str | None:
    return next((part for part in reversed(path.resolve().parts) if part in GRIDS), None)


def _check_provenance(path: Path) -> list[Problem]:
    beside = path.with_name(path.name.replace(".prov.csv", ".csv"))
    head = next(iter(csv_lines(read_text(beside), beside.name)), []) if beside.exists() else []
    columns = {"*", "", *head}
    kinds: Schema = {name: (f"enum:{'|'.join(TAGS)}" if name == "tag" else "text", "") for name in PROVENANCE}
    problems = check_table(path, kinds)
    for number, row in enumerate(read_rows(path), 2):
        named = row.get("column") or ""
        if head and named not in columns:
            text = f"{named!r} is no column of {beside.name}."
            problems.append(Problem("wrong-value", text, path.name, number, "column", did_you_mean(named, columns)))
    return problems


def _check_toml(path: Path) -> list[Problem]:
    """By the game whose scenarios such files are; one that names none is read as the first game would."""
    named = _game_of_file(path)
    return edition(named if named in game_ids() else game_ids()[0]).check(path)


def _game_of_file(path: Path) -> str:
    found = re.search(r'^game\s*=\s*"([^"]*)"', read_text(path), re.MULTILINE)
    return found[1] if found else ""


def _check_save(path: Path) -> list[Problem]:
    """A save that cannot be read whole is a SaveError; data files that changed since are only a note."""
    from burma_study.engine.session import Session

    session = Session.open(path, game_of)
    return [Problem("changed", note, path.name, severity="note") for note in session.notes]


def _modules(room: str) -> Iterator[ModuleType]:
    """The module of that name of every game that has one."""
    for game in game_ids():
        name = f"burma_study.rules.{game}.{room}"
        if find_spec(f"burma_study.rules.{game}") and find_spec(name):
            yield import_module(name)


_CHECKS: dict[str, Callable[[Path], list[Problem]]] = {
    ".csv": _check_csv,
    ".toml": _check_toml,
    ".json": _check_save,
    ".gz": _check_save,
}
