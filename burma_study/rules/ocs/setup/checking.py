"""Check a scenario: the header file, the set-up list beside it, and how the two fit the board and each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from burma_study.boards.board import Board, load_board
from burma_study.datafiles import data_root, read_rows, read_toml
from burma_study.errors import BurmaStudyError, Problem, ScenarioError, did_you_mean
from burma_study.rules.ocs.counters import counters
from burma_study.rules.ocs.setup.check_rows import (
    area_problems,
    check_columns,
    check_rows,
    hex_problems,
    problem,
    repeated_rows,
)
from burma_study.rules.ocs.setup.errata import correct_rows, correct_tables, in_force
from burma_study.rules.ocs.setup.ground import hexes
from burma_study.rules.ocs.setup.model import Scenario, SetupRow
from burma_study.rules.ocs.setup.places import ground_of
from burma_study.rules.ocs.setup.reader import FOLDER, ORDER, load_scenario, read_scenario, scenario_ids
from burma_study.rules.ocs.setup.starting import air_types
from burma_study.rules.ocs.turn.victory import AS_THEY_HAPPEN, TESTS
from burma_study.scenarios.header_keys import key_problems
from burma_study.scenarios.turns import turn_dates

MOST_NAMED = 20  # words that a hint lists whole


def check_scenario(source: str | Path | Scenario) -> list[Problem]:
    """Everything wrong with a scenario: an id, a `.toml` or `.units.csv` file, or a scenario that was loaded.

    What the rulebook itself does against its own areas (units off the scenario's map, historical places outside a free
    area) is reported with severity `note`. An empty list means that all is well. DataError when there is no such file.
    """
    header = _header_of(source)
    beside = header.with_name(f"{header.stem}.units.csv")
    board = load_board("ocs")
    tables, found = _tables(header)
    rows, more = _rows(beside, tables or {})
    found += more
    if tables is not None:
        found += _check_tables(tables, header.name, board)
    if rows and not any(p.code == "missing-column" for p in more):
        found += check_rows(rows, beside.name, board)
    if tables and rows and all(p.severity == "note" for p in found):
        found += _remarks(header, tables, board, beside.name)
    return found


def _remarks(header: Path, tables: Mapping[str, Any], board: Board, file: str) -> list[Problem]:
    try:
        return notes(_loaded(header, tables), board, file)
    except BurmaStudyError as error:
        return [Problem("unreadable", str(error), header.name, hint="Compare with a scenario that ships.")]


def _header_of(source: str | Path | Scenario) -> Path:
    if isinstance(source, Scenario):
        source = source.id
    if source in scenario_ids() or source in ORDER:
        name = str(source).removeprefix("ocs/")
        return data_root() / FOLDER / f"{name}.toml"
    path = Path(source)
    if path.name.endswith(".units.csv"):
        return path.with_name(path.name.replace(".units.csv", ".toml"))
    if path.suffix != ".toml":
        hint = did_you_mean(str(source), scenario_ids())
        raise ScenarioError(f"{str(source)!r} is neither a scenario nor a .toml or .units.csv file. {hint}".strip())
    return path


def _loaded(header: Path, tables: Mapping[str, Any]) -> Scenario:
    name = _short(tables)
    shipped = header == data_root() / FOLDER / f"{name}.toml"
    return load_scenario(name) if shipped else read_scenario(header, in_force(name), True)


def _short(tables: Mapping[str, Any]) -> str:
    return str(tables.get("id", "")).removeprefix("ocs/")


def _tables(header: Path) -> tuple[dict[str, Any] | None, list[Problem]]:
    if not header.exists():
        hint = "The set-up list needs its header file beside it."
        return None, [Problem("missing-file", f"There is no file {header.name!r}.", header.name, hint=hint)]
    try:
        tables = read_toml(header)
        correct_tables(tables, in_force(_short(tables)), header.name)
    except BurmaStudyError as error:
        return None, [Problem("unreadable", str(error), header.name)]
    return tables, []


def _rows(beside: Path, tables: Mapping[str, Any]) -> tuple[list[dict[str, str]], list[Problem]]:
    if not beside.exists():
        hint = "A scenario is a .toml file with a .units.csv file of the same name."
        return [], [Problem("missing-file", f"There is no file {beside.name!r}.", beside.name, hint=hint)]
    rows = [{**r, "line": str(n)} for n, r in enumerate(read_rows(beside), 2)]
    found = check_columns(rows, beside.name)
    short = [r for r in rows if None in r or None in r.values()]
    found += repeated_rows(rows, beside.name) if not found else []
    found += [problem("wrong-length", r, beside.name, "", "The row has too few or too many cells.") for r in short]
    if not found:
        try:
            rows = correct_rows(rows, in_force(_short(tables)), beside.name)
        except BurmaStudyError as error:
            found.append(Problem("erratum", str(error), beside.name, severity="note"))
    return [] if short else rows, found


# the header ---------------------------------------------------------------------------------------------------------


def _check_tables(t: Mapping[str, Any], file: str, board: Board) -> list[Problem]:
    found = list(key_problems(t, file))
    named = bool(found)
    for check in _HEADER:
        try:
            found += check(t, file, board)
        except (KeyError, TypeError, AttributeError) as error:
            if named:  # by the keys that stop the check
                continue
            text = f"A value is missing or of the wrong kind: {error}."
            found.append(Problem("wrong-value", text, file, hint="Compare with a scenario that ships."))
    return found


def _turns(t: Mapping[str, Any], file: str, board: Board) -> Iterator[Problem]:
    turns = t.get("turns", {})
    try:
        dates = turn_dates(turns["first"], turns["last"])
    except ScenarioError as error:
        yield Problem("wrong-date", str(error), file, column="turns")
        return
    if len(dates) != turns["printed_length"]:
        text = f"The calendar has {len(dates)} turns, printed_length is {turns['printed_length']}."
        yield Problem("calendar", text, file, column="turns", severity="note")


def _texts(t: Mapping[str, Any], file: str, board: Board) -> Iterator[Problem]:
    """The names that the lists of scenarios show."""
    for column in ("id", "title", "printed_title", "summary"):
        if isinstance(t[column], str) and not t[column].strip():
            yield Problem("wrong-value", f"{t[column]!r} is no text.", file, column=column)
    if not str(t["id"]).startswith(f"{t['game']}/"):
        text = f"The id {t['id']!r} does not begin with the game, {t['game']!r}."
        yield Problem("wrong-value", text, file, column="id", hint=f"Write {t['game']}/NAME.")


def _hexes(t: Mapping[str, Any], file: str, board: Board) -> Iterator[Problem]:
    rows: list[tuple[str, str]] = [("bases", b["hex"]) for b in t.get("bases", ())]
    rows += [("sources", s["hex"]) for s in t.get("sources", ())]
    rows += [("ledo_road", t["ledo_road"]["head"])] if "ledo_road" in t else []
    rows += [("clearings", h) for h in t.get("clearings", {}).get("historical", ())]
    victory = t.get("victory", {})
    tests = [x for k in ("items", "sudden", "segments") for x in victory.get(k, ()) if isinstance(x, Mapping)]
    rows += [("victory", h) for x in tests for h in (*x.get("hexes", ()), *x.get("road", ()))]
    for column, label in rows:
        yield from hex_problems(label, {}, file, column, board)


def _items(t: Mapping[str, Any], file: str, board: Board) -> Iterator[Problem]:
    """Ids of victory items and segments that stand twice: points and places are kept by them."""
    victory = t["victory"]
    tests = [x for k in ("items", "sudden", "segments") for x in victory.get(k, ()) if isinstance(x, Mapping)]
    for id_, count in Counter(x["id"] for x in tests).items():
        if count > 1:
            yield Problem("repeated-item", f"The victory item {id_!r} stands {count} times.", file, column="victory")


def _words(t: Mapping[str, Any], file: str, board: Board) -> Iterator[Problem]:
    for key in ("items", "sudden"):
        for item in t.get("victory", {}).get(key, ()):
            if isinstance(item, Mapping):
                yield from _word("victory test", str(item.get("test")), (*TESTS, *AS_THEY_HAPPEN), file, "victory")
    for row in t.get("air", ()):
        yield from _word("aircraft", row["type"], air_types(), file, "air")
    for pile in t.get("dead_pile", ()):
        for type_ in pile.get("air", ()):
            yield from _word("aircraft", type_, air_types(), file, "dead_pile")
    for column in ("dead_pile", "arrivals", "pool"):
        for entry in t.get(column, ()):
            for id_ in entry.get("counters", ()):
                yield from _word("counter", id_, counters(), file, column)


def _word(what: str, value: str, accepted: Iterable[str], file: str, column: str) -> Iterator[Problem]:
    words = list(accepted)
    if value not in words:
        few = f"There are {', '.join(words)}." if len(words) <= MOST_NAMED else ""
        hint = f"{did_you_mean(value, words)} {few}".strip() or f"There are {', '.join(words[:9])} and others."
        yield Problem(f"unknown-{what}", f"There is no {what} {value!r}.", file, column=column, hint=hint)


def _areas(t: Mapping[str, Any], file: str, board: Board) -> Iterator[Problem]:
    texts = [("map", t["map"]["area"])]
    texts += [(k, e["where"]) for k in ("income", "arrivals", "pool", "schedule") for e in t.get(k, ()) if "where" in e]
    for column, text in texts:
        yield from area_problems(text, {}, file, column, board)


_HEADER: tuple[Callable[[Mapping[str, Any], str, Board], Iterable[Problem]], ...] = (
    _texts,
    _turns,
    _items,
    _hexes,
    _words,
    _areas,
)


# notes --------------------------------------------------------------------------------------------------------------


def notes(scenario: Scenario, board: Board, file: str) -> list[Problem]:
    """Where the rulebook's set-ups leave the scenario's map or the free areas; never a reason to refuse."""
    return [*_off_map(scenario, board, file), *_outside(scenario, board, file)]


def _off_map(scenario: Scenario, board: Board, file: str) -> Iterator[Problem]:
    area = hexes(scenario.area, ground_of(scenario, "allied", board, {}))
    for row in scenario.rows:
        if row.hex and board.index(row.hex) not in area:
            yield _note("off-map-area", row, file, "hex", f"{row.hex} lies outside the scenario's map area.")
    for base in scenario.bases:
        if board.index(base.hex) not in area:
            text = f"The base at {base.hex} lies outside the scenario's map area."
            yield Problem("off-map-area", text, scenario.file, column="bases", severity="note")


def _outside(scenario: Scenario, board: Board, file: str) -> Iterator[Problem]:
    """Units whose historical hex is not in the area that the free set-up gives them."""
    past = {r.counter: r for r in scenario.setup_rows("historical") if r.kind == "unit" and r.hex}
    for row in scenario.rows:
        before = past.get(row.counter)
        if row.setup != "free" or row.kind != "unit" or not row.area or row.area.startswith("with") or before is None:
            continue
        if board.index(before.hex) not in hexes(row.area, ground_of(scenario, row.side, board, {})):
            text = f"{row.counter} stands at {before.hex} in the historical set-up, outside {row.place!r}."
            yield _note("outside-free-area", row, file, "area", text)


def _note(code: str, row: SetupRow, file: str, column: str, text: str) -> Problem:
    return Problem(code, text, file, row.line or None, column, severity="note")
