"""A digest that follows a state piece by piece: the sum of one hash an entry, so that a change costs two hashes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b

MASK = (1 << 128) - 1


def entry_hash(table: str, key: object, value: object) -> int:
    """128-bit hash of one entry; None (no entry) is 0.

    Keys and values need a canonical repr, the same in every process: frozen dataclasses of plain values, not sets.
    """
    if value is None:
        return 0
    return int.from_bytes(blake2b(f"{table}|{key!r}|{value!r}".encode(), digest_size=16).digest(), "big")


def table_sum(table: str, entries: Mapping[object, object] | Iterable[tuple[object, object]]) -> int:
    """Sum of the hashes of a whole table, modulo 2**128."""
    items = entries.items() if isinstance(entries, Mapping) else entries
    return sum(entry_hash(table, key, value) for key, value in items) & MASK


def moved(total: int, table: str, key: object, old: object, new: object) -> int:
    """The sum after one entry changed from `old` to `new` (None = absent)."""
    return (total - entry_hash(table, key, old) + entry_hash(table, key, new)) & MASK
