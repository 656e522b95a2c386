"""Checks of a set-up list, cell by cell and then as a whole: everything wrong with it, not only the first thing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import groupby

from burma_study.boards.board import Board
from burma_study.errors import BurmaStudyError, Problem, did_you_mean
from burma_study.rules.ocs.counters import SIDES, counter, counters
from burma_study.rules.ocs.movement.stacking import LIMIT
from burma_study.rules.ocs.setup.model import KINDS, SETUPS
from burma_study.rules.ocs.setup.reader import spot
from burma_study.scenarios.areas import calls, labels, parse

COLUMNS = (
    *("row", "setup", "side", "place", "area", "conditions", "hex", "kind", "counter", "label", "printed"),
    *("tokens", "level", "mode", "low_ammo", "loaded", "default_hex", "errata"),
)
MODES = ("combat", "move", "reserve", "strat")
CONDITIONS = ("max_units", "spacing", "occupy_all", "east_of_chindwin")
BOXES = ("silchar", "ledo")
TERRAIN = ("clear", "jungle", "rough", "mountain", "lake")
CHOICES = {"setup": (*SETUPS, "both"), "side": SIDES, "kind": KINDS, "mode": ("", *MODES)}
Cells = Mapping[str, str]


def check_columns(rows: list[dict[str, str]], file: str) -> list[Problem]:
    """Columns that are missing, unknown or too few in a row."""
    have = [c for c in rows[0] if c not in (None, "line")] if rows else []
    known = ", ".join(COLUMNS)
    found = [
        Problem("missing-column", f"There is no column {c!r}.", file, 1, c, f"Columns are {known}.")
        for c in COLUMNS
        if c not in have
    ]
    found += [
        Problem("unknown-column", f"{c!r} is no column of a set-up list.", file, 1, c, did_you_mean(c, COLUMNS))
        for c in have
        if c not in COLUMNS
    ]
    return found


def check_rows(rows: list[dict[str, str]], file: str, board: Board) -> list[Problem]:
    """Everything wrong with the cells of a list and with the list as a whole."""
    found = [p for row in rows for check in _CELLS for p in check(row, file, board)]
    for which in SETUPS:
        mine = [r for r in rows if r["setup"] in (which, "both")]
        found += _repeated(mine, which, file)
        found += _stacks(mine, which, file, board)
        found += _enemies(mine, which, file, board)
    return list(dict.fromkeys(found))


def problem(code: str, row: Cells, file: str, column: str, message: str, hint: str = "") -> Problem:
    """A problem at a cell; `line` of a row is its place in the file."""
    return Problem(code, message, file, int(row.get("line") or 0) or None, column, hint)


# cells ------------------------------------------------------------------------------------------------------------


def _choices(row: Cells, file: str, board: Board) -> Iterator[Problem]:
    for column, accepted in CHOICES.items():
        if row[column] not in accepted:
            words = ", ".join(filter(None, accepted))
            hint = did_you_mean(row[column], accepted)
            text = f"{row[column]!r} is no {column}; it is one of {words}."
            yield problem(f"unknown-{column}", row, file, column, text, hint)


def _numbers(row: Cells, file: str, board: Board) -> Iterator[Problem]:
    for column in ("tokens", "level", "loaded"):
        if row[column] and not re.fullmatch(r"[0-9]{1,6}", row[column]):
            yield problem("wrong-number", row, file, column, f"{row[column]!r} is no whole number from 0 to 999999.")
    for column in ("low_ammo",):
        if row[column] not in ("", "yes", "no"):
            yield problem("wrong-word", row, file, column, f"{row[column]!r} should be yes or no.")


def _counter(row: Cells, file: str, board: Board) -> Iterator[Problem]:
    if row["kind"] != "unit":
        if row["counter"]:
            text = f"A row of kind {row['kind']!r} has no counter, but {row['counter']!r} is given."
            yield problem("needless-counter", row, file, "counter", text, "Leave the cell empty.")
        return
    unit = counters().get(row["counter"])
    if unit is None:
        hint = did_you_mean(row["counter"], counters()) or "Counters are listed in counters/ocs.csv."
        yield problem("unknown-counter", row, file, "counter", f"There is no counter {row['counter']!r}.", hint)
    elif unit.side != row["side"]:
        yield problem("wrong-side", row, file, "side", f"{unit.id!r} is {unit.side}, the row says {row['side']!r}.")


def _hexes(row: Cells, file: str, board: Board) -> Iterator[Problem]:
    if row["hex"] and row["area"]:
        text = f"Both hex {row['hex']!r} and area {row['area']!r} are given."
        yield problem("hex-and-area", row, file, "area", text, "Keep one of them.")
    if not row["hex"] and not row["area"]:
        yield problem("no-place", row, file, "hex", "Neither a hex nor an area is given.", "Give one of them.")
    if row["hex"]:
        yield from hex_problems(row["hex"], row, file, "hex", board)
    for part in filter(None, row["default_hex"].split(";")):
        try:
            yield from hex_problems(spot(part).hex, row, file, "default_hex", board)
        except BurmaStudyError as error:
            yield problem("wrong-default", row, file, "default_hex", str(error))


def hex_problems(label: str, row: Cells, file: str, column: str, board: Board) -> Iterator[Problem]:
    """What is wrong with a hex: no label, off the map, or a hex nobody can stand in."""
    try:
        hex_ = board.grid.index(label)
    except BurmaStudyError as error:
        code = "off-board" if board.grid.labels.parse(label) else "bad-hex"
        yield problem(code, row, file, column, str(error))
        return
    if board.terrain[hex_] in ("off", "lake"):
        text = f"Nothing can stand in {label}: it is {board.terrain[hex_]}."
        yield problem("off-board", row, file, column, text, "Name a hex of land.")


def _area(row: Cells, file: str, board: Board) -> Iterator[Problem]:
    if row["area"]:
        yield from area_problems(row["area"], row, file, "area", board)
    for text in filter(None, row["conditions"].split(";")):
        if text.partition("=")[0] not in CONDITIONS:
            hint = f"Conditions are {', '.join(CONDITIONS)}. {did_you_mean(text, CONDITIONS)}".strip()
            yield problem("unknown-condition", row, file, "conditions", f"{text!r} is no condition.", hint)


def area_problems(text: str, row: Cells, file: str, column: str, board: Board) -> Iterator[Problem]:
    """What is wrong with an area expression: its words, its hexes, its terrain, its box."""
    try:
        area = parse(text)
    except BurmaStudyError as error:
        yield problem("unknown-area", row, file, column, str(error))
        return
    for label in labels(area):
        yield from (p for p in hex_problems(label, row, file, column, board) if p.code == "bad-hex")
    accepted = {"terrain": ("terrain", TERRAIN), "box": ("holding box", BOXES), "east_of": ("line", ("chindwin",))}
    for call in calls(area):
        name, words = accepted.get(call.name, ("", ()))
        if words and call.args[:1] not in [(w,) for w in words]:
            given = str(call.args[0]) if call.args else ""
            hint = f"Use one of {', '.join(words)}. {did_you_mean(given, words)}".strip()
            yield problem(f"unknown-{call.name}", row, file, column, f"{given!r} is no {name} of this board.", hint)


_CELLS: tuple[Callable[[Cells, str, Board], Iterable[Problem]], ...] = (_choices, _numbers, _counter, _hexes, _area)


# the whole list ---------------------------------------------------------------------------------------------------


def repeated_rows(rows: list[dict[str, str]], file: str) -> Iterator[Problem]:
    """Row ids that stand twice, which would leave errata unsure of their row."""
    seen: set[str] = set()
    for row in rows:
        if not row["row"]:
            yield problem("no-row", row, file, "row", "The row has no id.", "Give it one that no other row has.")
        elif row["row"] in seen:
            yield problem("repeated-row", row, file, "row", f"The row id {row['row']!r} stands twice.")
        seen.add(row["row"])


def _repeated(rows: list[dict[str, str]], which: str, file: str) -> Iterator[Problem]:
    first: dict[str, Cells] = {}
    for row in rows:
        if row["kind"] == "unit" and row["counter"] in first:
            before = first[row["counter"]]
            text = f"{row['counter']!r} stands twice in the {which} set-up: also in row {before['line']}."
            yield problem("repeated-unit", row, file, "counter", text, "A counter exists once; take one row out.")
        first.setdefault(row["counter"], row)


def _placed(rows: list[dict[str, str]], board: Board) -> list[tuple[int, dict[str, str]]]:
    """Units whose hex is settled by the list or by a default, with that hex, in order of the hex."""
    found = []
    for row in rows:
        label = row["hex"] or row["default_hex"].split(";")[0].split("=")[0]
        if row["kind"] != "unit" or row["counter"] not in counters():
            continue
        if board.grid.labels.parse(label) and not any(hex_problems(label, row, "", "", board)):
            found.append((board.grid.index(label), row))
    return sorted(found, key=lambda x: x[0])


def _stacks(rows: list[dict[str, str]], which: str, file: str, board: Board) -> Iterator[Problem]:
    for hex_, here in groupby(_placed(rows, board), key=lambda x: x[0]):
        stack = [row for _, row in here]
        size = sum((counter(r["counter"]).re for r in stack), Fraction(0))
        if size > LIMIT:
            names = ", ".join(r["counter"] for r in stack)
            text = f"{board.label(hex_)} holds {float(size):g} RE in the {which} set-up: {names}."
            yield problem("overstacked", stack[-1], file, "hex", text, f"At most {LIMIT} RE may stand in a hex.")


def _enemies(rows: list[dict[str, str]], which: str, file: str, board: Board) -> Iterator[Problem]:
    for hex_, here in groupby(_placed(rows, board), key=lambda x: x[0]):
        stack = [row for _, row in here]
        if len({r["side"] for r in stack}) > 1:
            text = f"Both sides stand in {board.label(hex_)} in the {which} set-up."
            yield problem("both-sides", stack[-1], file, "hex", text, "Move one of them.")
