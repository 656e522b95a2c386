"""The persistent map that holds the tables of a state, and the one place that says which library it comes from.

`Map` is that of `immutables` where it is installed; Python 3.14 and browsers have no wheel of it, so `PureMap` stands
in with the same behaviour as far as the house uses it. `set` and `delete` answer a new map and leave the old one alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")
FULL = 16  # entries a bucket on average, above which the buckets are doubled
_LEAST = 8


class PureMap(Mapping[K, V]):
    """A persistent map in plain Python: a tuple of small dictionaries, of which a change copies one.

    Copying a bucket and the tuple costs about a microsecond for some hundred entries, and shares all the rest.
    """

    __slots__ = ("_buckets", "_hash", "_len")
    _buckets: tuple[dict[K, V], ...]
    _len: int
    _hash: int | None

    def __init__(self, entries: Mapping[K, V] | Iterable[tuple[K, V]] = (), /, **more: V) -> None:
        filled: dict[K, V] = {}
        filled.update(entries, **more)
        self._fill(filled)

    def _fill(self, entries: dict[K, V]) -> None:
        width = _LEAST
        while len(entries) > width * FULL:
            width *= 2
        buckets: list[dict[K, V]] = [{} for _ in range(width)]
        for key, value in entries.items():
            buckets[hash(key) & (width - 1)][key] = value
        self._buckets, self._len, self._hash = tuple(buckets), len(entries), None

    def _bucket(self, key: object) -> dict[K, V]:
        return self._buckets[hash(key) & (len(self._buckets) - 1)]

    def _with(self, key: K, bucket: dict[K, V], length: int) -> PureMap[K, V]:
        at = hash(key) & (len(self._buckets) - 1)
        new: PureMap[K, V] = object.__new__(PureMap)
        new._buckets, new._len, new._hash = (*self._buckets[:at], bucket, *self._buckets[at + 1 :]), length, None
        if length > len(new._buckets) * FULL:
            new._fill(dict(new.items()))
        return new

    def set(self, key: K, value: V) -> PureMap[K, V]:
        """The map with one entry set; the same map if that very object stands there."""
        bucket = self._bucket(key)
        if key in bucket and bucket[key] is value:
            return self
        return self._with(key, {**bucket, key: value}, self._len + (key not in bucket))

    def delete(self, key: K) -> PureMap[K, V]:
        """The map without an entry; KeyError if there is none."""
        bucket = dict(self._bucket(key))
        del bucket[key]
        return self._with(key, bucket, self._len - 1)

    def update(self, entries: Mapping[K, V] | Iterable[tuple[K, V]] = (), /, **more: V) -> PureMap[K, V]:
        """The map with many entries set."""
        merged = dict(self.items())
        merged.update(entries, **more)
        return PureMap(merged)

    def __getitem__(self, key: K) -> V:
        return self._bucket(key)[key]

    def __contains__(self, key: object) -> bool:
        return key in self._bucket(key)

    def get(self, key: K, default: Any = None) -> Any:
        """The value of a key, else the default."""
        return self._bucket(key).get(key, default)

    def __len__(self) -> int:
        return self._len

    def __iter__(self) -> Iterator[K]:
        for bucket in self._buckets:
            yield from bucket

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PureMap):
            return NotImplemented
        return self is other or dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"Map({dict(self.items())!r})"

    def __reduce__(self) -> tuple[type[PureMap[K, V]], tuple[dict[K, V]]]:
        return PureMap, (dict(self.items()),)


if TYPE_CHECKING:
    from immutables import Map
else:
    try:
        from immutables import Map
    except ImportError:
        Map = PureMap

__all__ = ["Map", "PureMap"]
