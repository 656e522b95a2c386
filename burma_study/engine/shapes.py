"""Is a value read from a file of the type that a dataclass declares? Annotations are read once, as small functions.

A bool is no int here, since a save that says `true` for a number was not written by us.
"""

from __future__ import annotations

from collections import abc
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from burma_study.engine.pmap import Map

Fits = Callable[[Any], bool]


@lru_cache(maxsize=256)
def hints(cls: type) -> Mapping[str, Any]:
    """The types of a dataclass's fields by name."""
    found = get_type_hints(cls)
    return {f.name: found[f.name] for f in fields(cls)}


@lru_cache(maxsize=256)
def shape(cls: type) -> Mapping[str, Fits]:
    """For each field of a dataclass, the function that says whether a value fits it."""
    return {name: fits(hint) for name, hint in hints(cls).items()}


def fits(hint: Any) -> Fits:
    """The function that says whether a value is of a type such as `int | str` or `tuple[tuple[str, Any], ...]`."""
    origin, of = get_origin(hint), get_args(hint)
    if hint is Any or hint is Hashable:
        return _anything
    if origin in (Union, UnionType):
        return _one_of([fits(part) for part in of])
    if origin is tuple:
        return _row(fits(of[0])) if of[1:] == (...,) else _cells([fits(part) for part in of])
    if origin is frozenset:
        one = fits(of[0])
        return lambda value: isinstance(value, frozenset) and all(map(one, value))
    if origin is abc.Callable:
        return callable
    if isinstance(origin, type) and issubclass(origin, abc.Iterable) and origin is not Map:
        return _several(origin, [fits(part) for part in of])
    if origin is Map:
        key, entry = fits(of[0]), fits(of[1])
        return lambda value: isinstance(value, Map) and all(key(k) and entry(v) for k, v in value.items())
    return _plain(origin or hint)


def _anything(_: Any) -> bool:
    return True


def _plain(cls: Any) -> Fits:
    if cls in (int, float):
        kinds = (int, float) if cls is float else int
        return lambda value: isinstance(value, kinds) and not isinstance(value, bool)
    if not isinstance(cls, type) or getattr(cls, "_is_protocol", False):
        return _anything
    return lambda value: isinstance(value, cls)


def _several(cls: type, parts: list[Fits]) -> Fits:
    """A sequence, mapping or whatever else can be gone through; a text is not meant by a list of texts."""

    def several(value: Any) -> bool:
        if not isinstance(value, cls) or isinstance(value, str | bytes):
            return False
        if isinstance(value, Mapping):
            return all(parts[0](k) and parts[-1](v) for k, v in value.items())
        return not isinstance(value, list | tuple | set | frozenset) or all(map(parts[0], value))

    return several


def _one_of(parts: list[Fits]) -> Fits:
    return lambda value: any(part(value) for part in parts)


def _row(one: Fits) -> Fits:
    return lambda value: isinstance(value, tuple) and all(map(one, value))


def _cells(parts: list[Fits]) -> Fits:
    return lambda value: (
        isinstance(value, tuple)
        and len(value) == len(parts)
        and all(part(cell) for part, cell in zip(parts, value, strict=True))
    )


def words(hint: Any) -> str:
    """A type for a person: `int or str`, `tuple of str`."""
    origin, of = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " or ".join(map(words, of))
    if origin is tuple:
        return f"list of {words(of[0])}" if of[1:] == (...,) else f"list of {len(of)} values"
    if hint is Any or hint is NoneType:
        return "anything" if hint is Any else "null"
    return str(getattr(origin or hint, "__name__", hint))


def entry_types(cls: type, table: str) -> tuple[Any, Any]:
    """The types of the keys and values of a table, a field annotated `Map[KEY, VALUE]`."""
    key, value = get_args(hints(cls)[table])
    return key, value


@lru_cache(maxsize=256)
def entry_shape(cls: type, table: str) -> tuple[Fits, Fits]:
    """The functions that say whether a key and a value fit a table."""
    key, value = entry_types(cls, table)
    return fits(key), fits(value)


def fault(cls: type, name: str, value: Any) -> str:
    """What is wrong with the value of a field, or "" when it fits."""
    known = shape(cls)
    if name not in known or known[name](value):
        return ""
    return f"{name} of a {cls.__name__} is {short(value)}, which should be {words(hints(cls)[name])}"


def entry_fault(cls: type, table: str, key: Any, value: Any) -> str:
    """What is wrong with an entry of a table of a state, or "" when it fits."""
    fits_key, fits_value = entry_shape(cls, table)
    if not fits_key(key):
        return f"a key of {table} is {short(key)}, which should be {words(entry_types(cls, table)[0])}"
    if value is not None and fits_value(value):
        return ""
    return f"{table}, {short(key)}, is {short(value)}, which should be {words(entry_types(cls, table)[1])}"


def short(value: Any, most: int = 60) -> str:
    """A value as it stands, cut short."""
    text = repr(value)
    return text if len(text) <= most else f"{text[:most]}..."
