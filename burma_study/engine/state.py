"""What every game's frozen state has: tables in persistent maps, scalars, the stack of frames, a digest."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from burma_study.engine.digest import MASK, entry_hash, moved, table_sum
from burma_study.engine.frames import Frame
from burma_study.engine.pmap import Map
from burma_study.errors import BurmaStudyError, did_you_mean


@dataclass(frozen=True, eq=False)
class BaseState:
    """A game's state derives from it with `@dataclass(frozen=True, eq=False)` and names its tables and scalars.

    `WORDS` holds what a scalar accepts where that is one of a few words.

    Tables are persistent maps, scalars plain frozen values; both are fields of the state. `put` and `with_` are the
    only ways to change it, and keep `total`, the sum of a hash for each entry, in step.
    """

    TABLES: ClassVar[tuple[str, ...]] = ()
    SCALARS: ClassVar[tuple[str, ...]] = ()
    WORDS: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    _accepted: ClassVar[Mapping[str, tuple[str, ...] | None]] = {}
    frames: tuple[Frame, ...] = field(default=(), kw_only=True)
    total: int = field(default=0, kw_only=True)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._accepted = {name: cls.WORDS.get(name) for name in cls.SCALARS}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(self.total)

    def put(self, table: str, key: Hashable, value: object | None) -> Self:
        """The state with one entry of a table set, or removed when `value` is None."""
        old_map: Map[Hashable, object] = getattr(self, table)
        old = old_map.get(key)
        if old is value:
            return self
        total = moved(self.total, table, key, old, value)
        if total == self.total:
            return self
        new_map = old_map.delete(key) if value is None else old_map.set(key, value)
        return self._changed({table: new_map, "total": total})

    def with_(self, **scalars: object) -> Self:
        """The state with other scalars; BurmaStudyError for a name or a word that is none."""
        total, accepted = self.total, self._accepted
        for name, value in scalars.items():
            if name not in accepted or ((words := accepted[name]) and value not in words):
                raise self._refused(name, value)
            total = moved(total, name, "", getattr(self, name), value)
        scalars["total"] = total
        return self._changed(scalars)

    def _refused(self, name: str, value: object) -> BurmaStudyError:
        if name not in self.SCALARS:
            return BurmaStudyError(f"A state has no {name!r} to change; it has {', '.join(self.SCALARS)}.")
        words = self.WORDS[name]
        hint = did_you_mean(value, words)
        return BurmaStudyError(f"{value!r} is no {name}; it is one of {', '.join(words)}. {hint}".strip())

    def _changed(self, changes: dict[str, object]) -> Self:
        """A copy with other attributes, past the slow constructor of a frozen dataclass."""
        new = object.__new__(type(self))
        object.__setattr__(new, "__dict__", {**self.__dict__, **changes})
        return new

    @property
    def digest(self) -> str:
        """32 hexadecimal digits that change with anything in the state."""
        return f"{self.total:032x}"

    def rebuilt_total(self) -> int:
        """The digest's sum from nothing; equals `total` when every change went through `put` and `with_`."""
        tables = sum(table_sum(name, getattr(self, name)) for name in self.TABLES)
        return (tables + sum(entry_hash(name, "", getattr(self, name)) for name in self.SCALARS)) & MASK

    def summed(self) -> Self:
        """The state with its digest computed from nothing, for one that was just made."""
        return replace(self, total=self.rebuilt_total())

    @classmethod
    def filled(cls, scalars: Mapping[str, Any], tables: Mapping[str, Mapping[Any, Any]]) -> Self:
        """The state of these scalars and tables, what is missing at its default, with the digest computed."""
        values: dict[str, Any] = {**scalars, **{name: Map(table) for name, table in tables.items()}}
        return cls(**values).summed()
