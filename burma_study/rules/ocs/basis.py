"""The values behind a verdict that are printed nowhere, and those on which it turns within their bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from burma_study.datafiles import provenance, read_rows
from burma_study.rules.ocs.charts import Charts
from burma_study.rules.ocs.counters import TABLE as COUNTERS
from burma_study.rules.ocs.counters import counter
from burma_study.rules.ocs.movement.terrain import Cell

FILES = {"counters": COUNTERS, "aircraft": "counters/ocs_air.csv"}


def _words(text: str) -> str:
    return text.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Used:
    """A value that is not printed; `low` and `high` are its least and greatest sensible value."""

    table: str
    key: str
    column: str
    value: str
    tag: str
    reason: str
    low: str
    high: str

    @property
    def text(self) -> str:
        """Name and value, e.g. "jungle leg 2" or "4 Corps HQ throw 10"."""
        name = counter(self.key).label if self.table == "counters" else self.key
        return f"{name} {_words(self.column)} {_words(self.value) or 'barred'}"

    @property
    def others(self) -> tuple[str, ...]:
        """The bounds that differ from the value in use."""
        return tuple(dict.fromkeys(b for b in (self.low, self.high) if b and b != self.value))

    def as_dict(self) -> dict[str, str]:
        """Shape for JSON."""
        return {s: getattr(self, s) for s in self.__slots__}


@dataclass(frozen=True, slots=True)
class Turn:
    """A value on whose bound the answer would be another one."""

    used: Used
    to: str

    @property
    def text(self) -> str:
        """E.g. "jungle leg 2 -> 3"."""
        return f"{self.used.text} -> {_words(self.to)}"


@dataclass(frozen=True, slots=True)
class Basis:
    """The values that an answer rests on and those it turns on; `verdict` is "firm" or says what it turns on."""

    values: tuple[Used, ...] = ()
    turns_on: tuple[Turn, ...] = ()

    @property
    def firm(self) -> bool:
        """No value within its bounds would change the answer."""
        return not self.turns_on

    @property
    def verdict(self) -> str:
        """`firm`, or "turns on: jungle leg 2 -> 3; ..."."""
        return "turns on: " + "; ".join(t.text for t in self.turns_on) if self.turns_on else "firm"

    def as_dict(self) -> dict[str, object]:
        """Shape for JSON: verdict, values, turns_on."""
        return {
            "verdict": self.verdict,
            "values": [u.as_dict() for u in self.values],
            "turns_on": [{"text": t.text, "to": t.to, **t.used.as_dict()} for t in self.turns_on],
        }


def used(charts: Charts, cells: Iterable[Cell]) -> tuple[Used, ...]:
    """The cells (table, key, column) whose values are not printed, each once; tables outside the charts: `FILES`."""
    found = (_used(charts, *cell) for cell in dict.fromkeys(cells))
    return tuple(u for u in found if u is not None)


def _used(charts: Charts, table: str, key: str, column: str) -> Used | None:
    if file := FILES.get(table):
        source, value = provenance(file)(key, column), _counter_value(file, key, column)
    else:
        source, value = charts.provenance(table, key, column), charts.value(table, key, column)
    if source.tag in ("printed", "series"):
        return None
    return Used(table, key, column, value, source.tag, source.reason or source.source, source.low, source.high)


def _counter_value(file: str, key: str, column: str) -> str:
    return next((row[column] for row in read_rows(file) if next(iter(row.values())) == key), "")


def turns(values: Iterable[Used], answers_otherwise: Callable[[Used, str], bool]) -> tuple[Turn, ...]:
    """Every (value, bound) for which `answers_otherwise(value, bound)` is true."""
    return tuple(Turn(u, bound) for u in values for bound in u.others if answers_otherwise(u, bound))
