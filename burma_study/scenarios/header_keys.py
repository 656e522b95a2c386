"""The keys of a scenario's header: which there are, which are needed and what each accepts, by `scenario_keys.csv`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Any

from burma_study.datafiles import read_rows
from burma_study.errors import Problem, did_you_mean

WANTED = {
    "text": "a text",
    "bool": "true or false",
    "date": "a date such as 1944-03-15",
    "fraction": 'a number such as 2 or "1/2"',
    "hex": "a hex such as A7.09",
    "area": "an area such as box(silchar) or B3.35",
    "table": "a table",
    "tables": "tables in double brackets",
}
LIKE = {"text": str, "hex": str, "area": str, "bool": bool, "table": Mapping}


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a table: its type, whether the table needs it, what it means."""

    name: str
    type: str
    needed: bool
    description: str


@lru_cache(maxsize=1)
def header_keys() -> Mapping[str, Mapping[str, Key]]:
    """The keys of each table by the table's path (`victory.items`; "" for the header itself)."""
    found: dict[str, dict[str, Key]] = {}
    for r in read_rows("schema/scenario_keys.csv"):
        key = Key(r["key"], r["type"], r["needed"] == "yes", r["description"])
        found.setdefault(r["table"], {})[key.name] = key
    return found


def key_problems(t: Mapping[str, Any], file: str) -> Iterator[Problem]:
    """Keys that are missing or unknown, and values that their key does not accept, in a header and its tables."""
    yield from _table(t, "", "", file)


def _table(table: Mapping[str, Any], path: str, place: str, file: str) -> Iterator[Problem]:
    known = header_keys()[path]
    for name in known:
        if known[name].needed and name not in table:
            text = f"{place} lacks the key {name!r}." if path else f"The table {name!r} is missing."
            yield Problem("missing-key", text, file, column=_top(path, name), hint=_accepts(known[name]))
    for name, value in table.items():
        if name not in known:
            text = f"{place} has no key {name!r}." if path else f"{name!r} is nothing a scenario has."
            hint = f"{did_you_mean(name, known)} It takes {', '.join(known)}.".strip()
            yield Problem("unknown-key", text, file, column=_top(path, name), hint=hint)
        else:
            yield from _value(value, known[name], path, place, file)


def _top(path: str, name: str) -> str:
    return path.partition(".")[0] or name


def _value(value: Any, key: Key, path: str, place: str, file: str) -> Iterator[Problem]:
    where, inner = f"{place}.{key.name}" if place else key.name, f"{path}.{key.name}" if path else key.name
    kind = next((k for k in key.type.split(" or ") if fits(k, value)), "")
    if kind == "table":
        yield from _table(value, inner, where, file)
    elif kind == "tables":
        for number, entry in enumerate(value, 1):
            yield from _table(entry, inner, f"{where} {number}", file)
    elif not kind:
        text = f"{where} {value!r} is not accepted."
        yield Problem(_code(key), text, file, column=_top(path, key.name), hint=_accepts(key, value))


def _code(key: Key) -> str:
    last = key.type.removeprefix("list ")
    if last.startswith("enum:"):
        return f"unknown-{key.name}"
    return "wrong-number" if last.startswith(("int:", "fraction")) else "wrong-value"


def _accepts(key: Key, value: object = None) -> str:
    """What a key accepts as a sentence, and what was perhaps meant."""
    words = key.type.removeprefix("list ").removeprefix("enum:").split("|") if "enum:" in key.type else ()
    near = did_you_mean(value, words) if isinstance(value, str) and " or " not in key.type else ""
    accepted = " or ".join(map(_wanted, key.type.split(" or ")))
    return f"{key.name!r} is {accepted}: {key.description[0].lower()}{key.description[1:]}. {near}".strip()


def _wanted(kind: str) -> str:
    """A type in words."""
    if kind.startswith("list "):
        return f"a list, each {_wanted(kind[5:])}"
    if kind.startswith("enum:"):
        words = kind.removeprefix("enum:").split("|")
        return f"one of {', '.join(words)}" if len(words) > 1 else words[0]
    if kind.startswith("int:"):
        return f"a whole number from {kind.removeprefix('int:').replace('..', ' to ')}"
    return WANTED[kind]


def fits(kind: str, value: object) -> bool:
    """Whether a value of a header is of a type of the schema."""
    if kind.startswith("list "):
        return isinstance(value, list) and all(fits(kind[5:], v) for v in value)
    if kind.startswith("enum:"):
        return isinstance(value, str) and value in kind.removeprefix("enum:").split("|")
    if kind.startswith("int:"):
        low, high = map(int, kind.removeprefix("int:").split(".."))
        return type(value) is int and low <= value <= high
    if kind == "tables":
        return isinstance(value, list) and all(isinstance(v, Mapping) for v in value)
    if kind == "date":
        return type(value) is date
    return _is_fraction(value) if kind == "fraction" else isinstance(value, LIKE[kind])


def _is_fraction(value: object) -> bool:
    try:
        return isinstance(value, int | str) and not isinstance(value, bool) and Fraction(value) is not None
    except (ValueError, ZeroDivisionError):
        return False
