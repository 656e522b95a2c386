"""Corrections of the printed text: which are in force, and what they change in the rows and tables of a scenario."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Any

from burma_study.datafiles import read_rows
from burma_study.errors import ScenarioError, did_you_mean
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.setup.model import Erratum

TABLE = "scenarios/ocs/errata.csv"
_STEP = re.compile(r"([\w-]+)(?:\[([^\]]+)\])?")
RawRow = dict[str, str]


@lru_cache(maxsize=1)
def errata() -> tuple[Erratum, ...]:
    """Every row of the errata table."""
    names = ("key", "scenario", "what", "printed", "corrected", "reason", "source")
    return tuple(Erratum(**{n: r[n] for n in names}, default=r["default"] != "off") for r in read_rows(TABLE))


@rule("ocs-series/erratum.15")
def in_force(scenario: str, on: bool = True, off: Collection[str] = (), also: Collection[str] = ()) -> list[Erratum]:
    """The rows that apply to a scenario (short name): those on by default less `off`, and the keys of `also`.

    ScenarioError for a key that there is none of.
    """
    known = {e.key for e in errata()}
    for key in (*off, *also):
        if key not in known:
            raise ScenarioError(f"There is no erratum {key!r}. {did_you_mean(key, known)}".strip())
    if not on:
        return []
    mine = (e for e in errata() if e.scenario in (scenario, "*"))
    return [e for e in mine if e.key in also or (e.default and e.key not in off)]


@rule("ocs-series/erratum.2", "ocs-series/erratum.3", "ocs-series/erratum.5", "ocs-series/erratum.6")
def correct_rows(rows: list[RawRow], errata: Iterable[Erratum], file: str) -> list[RawRow]:
    """Set-up rows with corrections `units/ROW/COLUMN`, `units/ROW/-` (taken out) and `units/+ROW` (added) made."""
    found = {r["row"]: dict(r) for r in rows}
    if len(found) < len(rows):
        twice = next(id_ for id_, number in Counter(r["row"] for r in rows).items() if number > 1)
        raise ScenarioError(f"The row id {twice!r} stands twice in {file}; give each row an id of its own.")
    for erratum in errata:
        _, _, what = erratum.what.partition("units/")
        if what.startswith("+"):
            found[what[1:]] = _added(what[1:], erratum, rows[0])
        elif what:
            row, column = what.split("/")
            if row not in found:
                raise ScenarioError(f"Erratum {erratum.key!r} speaks of row {row!r}, which {file} has not.")
            if column == "-":
                del found[row]
            else:
                _check(found[row][column], erratum, file)
                found[row][column] = erratum.corrected
    return list(found.values())


def _added(row: str, erratum: Erratum, like: RawRow) -> RawRow:
    cells = dict(part.split("=", 1) for part in erratum.corrected.split(";"))
    return dict.fromkeys(like, "") | cells | {"row": row, "errata": erratum.key}


def _check(value: str, erratum: Erratum, file: str) -> None:
    if value != erratum.printed:
        raise ScenarioError(
            f"Erratum {erratum.key!r} expects {erratum.printed!r} at {erratum.what} of {file}, found {value!r}; "
            "bring errata.csv and the file together."
        )


@rule("ocs-series/erratum.4", "ocs-series/erratum.14")
def correct_tables(tables: dict[str, Any], errata: Iterable[Erratum], file: str) -> None:
    """Tables of a scenario with corrections `scenario/PATH` made in place; a null takes an entry out of its list."""
    for erratum in errata:
        if erratum.what.startswith("scenario/"):
            _set(tables, erratum.what.removeprefix("scenario/"), json.loads(erratum.corrected), erratum.key, file)


def _set(tree: Any, path: str, value: Any, key: str, file: str) -> None:
    *above, last = path.split(".") if "[" not in path else _split(path)
    for step in above:
        tree = _descend(tree, step, key, file)
    name, chosen = _parts(last)
    if not chosen:
        tree[name] = value
    elif chosen.startswith("+"):
        tree[name].append(value)
    elif value is None:
        tree[name].remove(_pick(tree[name], chosen, key, file))
    else:
        entry = tree[name].index(_pick(tree[name], chosen, key, file))
        tree[name][entry] = value


def _split(path: str) -> list[str]:
    return re.findall(r"[\w-]+(?:\[[^\]]+\])?", path)


def _parts(step: str) -> tuple[str, str]:
    match = _STEP.fullmatch(step)
    if not match:
        raise ScenarioError(f"Step {step!r} of an erratum's path is not understood.")
    return match[1], match[2] or ""


def _descend(tree: Any, step: str, key: str, file: str) -> Any:
    name, chosen = _parts(step)
    if name not in tree:
        raise ScenarioError(f"Erratum {key!r}: {file} has no {name!r}.")
    return _pick(tree[name], chosen, key, file) if chosen else tree[name]


def _pick(entries: list[Any], chosen: str, key: str, file: str) -> Any:
    """An entry of a list of tables by its number, id or hex."""
    if chosen.isdigit() and int(chosen) < len(entries):
        return entries[int(chosen)]
    for entry in entries:
        if chosen in (entry.get("id"), entry.get("hex")):
            return entry
    raise ScenarioError(f"Erratum {key!r}: {file} has no entry {chosen!r} there.")
