"""A digest that follows a state piece by piece: the sum of one hash an entry, so that a change costs two hashes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from hashlib import blake2b

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
    """The sum after one entry changed from `old` to `new` (None = absent)."""
    return (total - _remembered(table, key, old) + _remembered(table, key, new)) & MASK


def _remembered(table: str, key: Hashable, value: object) -> int:
    """As `entry_hash`; what an entry changes from is mostly the very object that it last changed to."""
    if value is None:
        return 0
    place = (table, key)
    last = _memo.get(place)
    if last is not None and last[0] is value:
        return last[1]
    if len(_memo) >= _MEMO_LIMIT:
        _memo.clear()
    found = entry_hash(table, key, value)
    _memo[place] = (value, found)
    return found
