"""Values of a state as plain JSON and back without loss.

Tuples become lists; a dataclass becomes an object that names its type under `is`, with every field written out, so that
an old save shows what was meant even where today's class has other fields or defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from fractions import Fraction
from typing import Any

from burma_study.engine.pmap import Map
from burma_study.engine.shapes import fault
from burma_study.errors import BurmaStudyError, SaveError

PLAIN = (str, int, float, bool, type(None))


class Codec:
    """Writes and reads the values of one game, whose frozen dataclasses are `types`."""

    def __init__(self, *types: type) -> None:
        self._fields = {t: tuple(f.name for f in fields(t)) for t in types}
        self._readers = {t.__name__: _reader(t) for t in types}

    def plain(self, value: Any) -> Any:
        """A value as JSON; SaveError for a type that the codec does not know."""
        if isinstance(value, PLAIN):
            return value
        if isinstance(value, tuple):
            return [self.plain(v) for v in value]
        names = self._fields.get(type(value))
        if names is not None:
            return {"is": type(value).__name__} | {n: self.plain(getattr(value, n)) for n in names}
        return self._special(value)

    def _special(self, value: Any) -> Any:
        if isinstance(value, Fraction):
            return {"is": "Fraction", "of": str(value)}
        if isinstance(value, frozenset):
            return {"is": "frozenset", "of": sorted(map(self.plain, value))}
        if isinstance(value, Map):
            return {"is": "Map", "of": sorted([self.plain(k), self.plain(v)] for k, v in value.items())}
        raise SaveError(f"A {type(value).__name__} cannot be saved: {value!r}; use a dataclass the game declares.")

    def value(self, plain: Any) -> Any:
        """The value of a JSON; unknown fields are passed over and missing ones take their default.

        SaveError for an unknown type, and for a field that is not of the type its dataclass declares.
        """
        if isinstance(plain, list):
            return tuple(map(self.value, plain))
        if not isinstance(plain, dict):
            return plain
        kind, of = plain.get("is"), plain.get("of")
        if not isinstance(kind, str):
            raise SaveError(f"{plain!r} does not name its type under 'is'.")
        if kind in self._readers:
            return self._readers[kind]({n: self.value(v) for n, v in plain.items() if n != "is"})
        if kind == "Fraction":
            return _fraction(of)
        if kind in ("frozenset", "Map"):
            return self._gathered(kind, of)
        raise SaveError(f"{kind!r} is no type of this game; its types are {', '.join(self._readers)}.")

    def _gathered(self, kind: str, of: Any) -> Any:
        """A set or a map, whose elements or keys can be told apart."""
        try:
            if kind == "frozenset":
                return frozenset(map(self.value, of or ()))
            return Map({self.value(k): self.value(v) for k, v in of or ()})
        except (TypeError, ValueError) as error:
            raise SaveError(f"{of!r} is no {kind}: {error}.") from error


def _fraction(text: Any) -> Fraction:
    try:
        return Fraction(str(text))
    except (ValueError, ZeroDivisionError) as error:
        raise SaveError(f"{text!r} is no fraction.") from error


def _reader(cls: type) -> Callable[[Mapping[str, Any]], Any]:
    names = {f.name for f in fields(cls) if f.init}
    needed = [f.name for f in fields(cls) if f.default is MISSING and f.default_factory is MISSING]

    def read(values: Mapping[str, Any]) -> Any:
        missing = [n for n in needed if n not in values]
        if missing:
            raise SaveError(f"A {cls.__name__} lacks {', '.join(missing)}.")
        known = {n: v for n, v in values.items() if n in names}
        for name, value in known.items():
            if wrong := fault(cls, name, value):
                raise SaveError(f"The {wrong}.")
        try:
            return cls(**known)
        except BurmaStudyError as error:
            raise SaveError(str(error)) from error

    return read
