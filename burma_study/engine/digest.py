"""A digest that follows a state piece by piece: the sum of one hash an entry, so that a change costs two hashes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")
MASK = (1 << 128) - 1
_from_bytes = int.from_bytes
_MEMO_LIMIT = 50_000
_memo: dict[tuple[str, Hashable], tuple[object, int]] = {}


def entry_hash(table: str, key: object, value: object) -> int:
    """128-bit hash of one entry; None (no entry) is 0.

    Keys and values need a canonical repr, the same in every process: frozen dataclasses of plain values, not sets.
    """
    if value is None:
        return 0
    return _from_bytes(blake2b(f"{table}|{key!r}|{value!r}".encode(), digest_size=16).digest(), "big")


def table_sum(table: str, entries: Mapping[object, object] | Iterable[tuple[object, object]]) -> int:
    """Sum of the hashes of a whole table, modulo 2**128."""
    items = entries.items() if isinstance(entries, Mapping) else entries
    return sum(entry_hash(table, key, value) for key, value in items) & MASK


def moved(total: int, table: str, key: Hashable, old: object, new: object) -> int:
    """The sum after one entry changed from `old` to `new` (None = absent).

    What an entry changes from is mostly the very object that it last changed to, so that hash is remembered.
    """
    place = (table, key)
    last = _memo.get(place)
    was = last[1] if last is not None and last[0] is old else entry_hash(table, key, old)
    now = entry_hash(table, key, new)
    if len(_memo) >= _MEMO_LIMIT:
        _memo.clear()
    _memo[place] = (new, now)
    return (total - was + now) & MASK


def plain_repr(cls: type[T]) -> type[T]:
    """For a frozen dataclass of plain values: its repr without the guard against recursion, which costs a third."""
    cls.__repr__ = cls.__repr__.__wrapped__  # type: ignore[attr-defined, method-assign]
    return cls
