"""Shortest paths over a board: one interface, two engines (scipy when installed, else pure Python), one tie rule.

Costs are integers in twelfths of a movement point, so equality is exact. Ties are broken the same way everywhere: of
the cheapest paths the one with fewest hexes, and of those the one whose hexes, read back from its far end, come first.
Both engines work on keys `cost * HOP + hexes`, which orders by cost and then by hexes in one number.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from importlib.util import find_spec
from itertools import count
from typing import Any

from burma_study.hexes.grid import OFF, Grid

HOP = 1024
FAR = 1 << 50


WARM_UP = 40  # searches by the pure-Python engine that cost about as much as importing scipy
_searches = count()


def fast_engine() -> bool:
    """Whether scipy answers: when it is installed, and loaded already or worth loading by the number of searches.

    The pure-Python engine answers the same, more slowly; a first look at a scenario needs too few searches for the
    import to pay.
    """
    if not _installed():
        return False
    return "scipy.sparse.csgraph" in sys.modules or next(_searches) >= WARM_UP


@lru_cache(maxsize=1)
def _installed() -> bool:
    return find_spec("scipy") is not None


@dataclass(frozen=True, eq=False)
class Arcs:
    """Costs of stepping from each hex in each of six directions: a flat tuple of `len(grid) * 6`, 0 = not allowed."""

    grid: Grid
    costs: tuple[int, ...]

    def cost(self, a: int, b: int) -> int:
        """Cost of the step from `a` to its neighbour `b`, in twelfths; 0 when it is not allowed."""
        return self.costs[a * 6 + self.grid.direction(a, b)]

    @cached_property
    def out(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each hex the (neighbour, key) pairs of its allowed steps, lowest neighbour first."""
        return tuple(map(self._row, self.grid))

    @cached_property
    def back(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each hex the (neighbour, key) pairs of the allowed steps that lead into it."""
        into: list[list[tuple[int, int]]] = [[] for _ in self.grid]
        for h, steps in enumerate(self.out):
            for n, key in steps:
                into[n].append((h, key))
        return tuple(tuple(sorted(steps)) for steps in into)

    @cached_property
    def _matrices(self) -> tuple[Any, Any]:
        return _Matrix(self.out, enter_is_column=True), _Matrix(self.back, enter_is_column=False)

    def matrix(self, reverse: bool) -> Any:
        """The scipy form of the arcs, forward or reversed."""
        return self._matrices[reverse]

    def patched(self, changes: Mapping[tuple[int, int], int]) -> Arcs:
        """The arcs with other costs for a few steps, given as (from, to); much cheaper than arcs made anew."""
        costs, direction = list(self.costs), self.grid.direction
        for (a, b), cost in changes.items():
            costs[a * 6 + direction(a, b)] = cost
        new = Arcs(self.grid, tuple(costs))
        out = _replaced(self.out, {a for a, _ in changes}, new._row)
        back = _replaced(self.back, {b for _, b in changes}, new._row_into)
        new.__dict__.update(out=out, back=back)
        if "_matrices" in self.__dict__:
            forward, reverse = self._matrices
            pair = (forward.patched(out, {a for a, _ in changes}), reverse.patched(back, {b for _, b in changes}))
            if None not in pair:
                new.__dict__["_matrices"] = pair
        return new

    def _row(self, hex_: int) -> tuple[tuple[int, int], ...]:
        six = zip(self.grid.neighbours[hex_], self.costs[hex_ * 6 : hex_ * 6 + 6], strict=True)
        return tuple(sorted((n, c * HOP + 1) for n, c in six if c and n != OFF))

    def _row_into(self, hex_: int) -> tuple[tuple[int, int], ...]:
        costs = ((n, self.cost(n, hex_)) for n in self.grid.adjacent[hex_])
        return tuple(sorted((n, c * HOP + 1) for n, c in costs if c))


Steps = tuple[tuple[tuple[int, int], ...], ...]


def _replaced(rows: Steps, which: Iterable[int], row: Callable[[int], tuple[tuple[int, int], ...]]) -> Steps:
    """The rows with some of them made anew."""
    new = list(rows)
    for hex_ in which:
        new[hex_] = row(hex_)
    return tuple(new)


class _Matrix:
    """A sparse matrix whose arcs into given hexes can be shut cheaply."""

    def __init__(self, steps: Sequence[Sequence[tuple[int, int]]], *, enter_is_column: bool) -> None:
        import numpy as np
        from scipy.sparse import csr_matrix

        self.size = len(steps)
        counts = [len(s) for s in steps]
        self.indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        self.indices = np.array([n for s in steps for n, _ in s], dtype=np.int32)
        self.data = np.array([k for s in steps for _, k in s], dtype=np.float64)
        rows = np.repeat(np.arange(self.size), counts)
        entered = self.indices if enter_is_column else rows
        order = np.argsort(entered, kind="stable")
        starts = np.searchsorted(entered[order], np.arange(self.size + 1))
        self._arcs_into = [order[starts[h] : starts[h + 1]] for h in range(self.size)]
        self._open = csr_matrix((self.data, self.indices, self.indptr), shape=(self.size, self.size), copy=False)

    def patched(self, steps: Sequence[Sequence[tuple[int, int]]], changed: Iterable[int]) -> _Matrix | None:
        """The matrix with other keys in the rows that changed; None when a row has other arcs than before."""
        new, data = copy(self), self.data.copy()
        for hex_ in changed:
            first, last = self.indptr[hex_], self.indptr[hex_ + 1]
            if [n for n, _ in steps[hex_]] != self.indices[first:last].tolist():
                return None
            data[first:last] = [key for _, key in steps[hex_]]
        new.data = data
        new._open = new._with(data)
        return new

    def _with(self, data: Any) -> Any:
        """The same arcs with other keys, without scipy's checks of the arcs."""
        matrix = copy(self._open)
        matrix.data = data
        return matrix

    def shut(self, blocked: Collection[int]) -> Any:
        """The matrix without the arcs that enter a blocked hex."""
        import numpy as np

        if not blocked:
            return self._open
        data = self.data.copy()
        data[np.concatenate([self._arcs_into[h] for h in blocked])] = np.inf
        return self._with(data)


@dataclass(frozen=True, eq=False)
class Field:
    """The answer of a search: the key of the best path to (reversed: from) each hex; FAR or inf where there is none."""

    arcs: Arcs
    keys: Sequence[float]
    starts: frozenset[int]
    blocked: frozenset[int]
    reverse: bool = False

    def cost(self, hex_: int) -> int | None:
        """Cost in twelfths of the best path, None when there is none within the search's limit."""
        key = self.keys[hex_]
        return int(key) // HOP if key < FAR else None

    def path(self, hex_: int) -> tuple[int, ...]:
        """The path in the direction of travel, both ends included: start to `hex_`, or reversed `hex_` to its start."""
        if self.keys[hex_] >= FAR:
            raise ValueError(f"No path to hex {self.arcs.grid.label(hex_)}.")
        steps = self.arcs.out if self.reverse else self.arcs.back
        path, here, key = [hex_], hex_, int(self.keys[hex_])
        while key:
            here, key = self._before(steps[here], here, key)
            path.append(here)
        return tuple(path) if self.reverse else tuple(reversed(path))

    def _before(self, steps: Iterable[tuple[int, int]], here: int, key: int) -> tuple[int, int]:
        entered_shut = not self.reverse and here in self.blocked
        for other, step in steps:
            if self.keys[other] == key - step and not entered_shut and not (self.reverse and other in self.blocked):
                return other, key - step
        raise AssertionError("a field's keys always lead back to a start")


def spread(
    arcs: Arcs,
    starts: Iterable[int],
    *,
    limit: int | None = None,
    blocked: Collection[int] = frozenset(),
    reverse: bool = False,
    engine: str | None = None,
) -> Field:
    """Search from several hexes at once, up to `limit` twelfths; `blocked` hexes may be started from but not entered.

    With `reverse` the field holds, for each hex, the cheapest way from it to the nearest start. `engine` is `scipy` or
    `python`; both give equal fields.
    """
    begin = tuple(sorted(set(starts)))
    shut = frozenset(blocked)
    top = FAR - 1 if limit is None else limit * HOP + HOP - 1
    use_scipy = fast_engine() if engine is None else engine == "scipy"
    keys = _scipy(arcs, begin, top, shut, reverse) if use_scipy else _python(arcs, begin, top, shut, reverse)
    return Field(arcs, keys, frozenset(begin), shut, reverse)


def _scipy(arcs: Arcs, starts: tuple[int, ...], top: int, shut: frozenset[int], reverse: bool) -> Sequence[float]:
    import numpy as np
    from scipy.sparse.csgraph import dijkstra

    if not starts:
        return np.full(len(arcs.grid), np.inf)  # type: ignore[return-value]
    graph = arcs.matrix(reverse).shut(shut)
    return dijkstra(graph, indices=starts, min_only=True, limit=float(top))  # type: ignore[no-any-return]


def _python(arcs: Arcs, starts: tuple[int, ...], top: int, shut: frozenset[int], reverse: bool) -> list[float]:
    """The readable engine: Dijkstra with a heap. A blocked hex keeps its key 0 as a start, and is never entered."""
    keys: list[float] = [FAR] * len(arcs.grid)
    heap = [(0, s) for s in starts]
    for s in starts:
        keys[s] = 0
    steps = arcs.back if reverse else arcs.out
    while heap:
        key, here = heappop(heap)
        if key > keys[here] or (reverse and here in shut):  # reversed, the step travelled enters `here`
            continue
        for other, step in steps[here]:
            new = key + step
            if new <= top and new < keys[other] and (reverse or other not in shut):
                keys[other] = new
                heappush(heap, (new, other))
    return keys


_Kept = list[tuple[frozenset[int], list[Field]]]


class Recall:
    """Remembers the last fields of each question and answers with one of them when the change cannot matter.

    Two sets of blocked hexes give the same field when every hex in which they differ is out of reach: not reached, and
    not next to a reached hex that has a step into it. So after one piece moved most fields stand.
    """

    def __init__(self, depth: int = 3) -> None:
        self.depth = depth
        self._kept: dict[tuple[object, ...], _Kept] = {}
        self._held = False

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()

    def ask(
        self, arcs: Arcs, starts: tuple[int, ...], *, limit: int, blocked: frozenset[int], reverse: bool, each: bool
    ) -> list[Field]:
        """One field from all starts, or one from `each`, as `spread` and `spread_each` give them."""
        key = (id(arcs), starts, limit, reverse, each)
        kept = self._kept.get(key, []) if self._held else self._kept.setdefault(key, [])
        for old, fields in kept:
            if fields[0].arcs is arcs and all(not _touches(f, h) for h in old ^ blocked for f in fields):
                return fields
        if each:
            found = self._each(kept, arcs, starts, limit, blocked, reverse)
        else:
            found = [spread(arcs, starts, limit=limit, blocked=blocked, reverse=reverse)]
        if not self._held:
            kept.insert(0, (blocked, found))
            del kept[self.depth :]
            if len(self._kept) > 64:
                del self._kept[next(iter(self._kept))]
        return found

    @staticmethod
    def _each(
        kept: _Kept, arcs: Arcs, starts: tuple[int, ...], limit: int, blocked: frozenset[int], reverse: bool
    ) -> list[Field]:
        """A field from each start: those of the last answer that stand, and the others searched."""
        old, fields = kept[0] if kept and kept[0][1][0].arcs is arcs else (blocked, [])
        changed = old ^ blocked
        found = {
            f: field for f, field in zip(starts, fields, strict=False) if not any(_touches(field, h) for h in changed)
        }
        missing = [s for s in starts if s not in found]
        new = spread_each(arcs, missing, limit=limit, blocked=blocked, reverse=reverse)
        found.update(zip(missing, new, strict=True))
        return [found[s] for s in starts]

    @contextmanager
    def held(self) -> Iterator[None]:
        """While many questions that differ little are asked, keep the answers from before and none of theirs."""
        before, self._held = self._held, True
        try:
            yield
        finally:
            self._held = before


def _touches(field: Field, hex_: int) -> bool:
    """Whether shutting or opening a hex could change a field."""
    if field.keys[hex_] < FAR:
        return True
    into = field.arcs.out[hex_] if field.reverse else field.arcs.back[hex_]
    return any(field.keys[n] < FAR for n, _ in into)


def spread_each(
    arcs: Arcs, starts: Sequence[int], *, limit: int, blocked: Collection[int] = frozenset(), reverse: bool = False
) -> list[Field]:
    """One field for each start, in one call."""
    if not starts:
        return []
    if not fast_engine():
        return [spread(arcs, (s,), limit=limit, blocked=blocked, reverse=reverse) for s in starts]
    from scipy.sparse.csgraph import dijkstra

    shut = frozenset(blocked)
    graph = arcs.matrix(reverse).shut(shut)
    rows = dijkstra(graph, indices=list(starts), limit=float(limit * HOP + HOP - 1))
    return [Field(arcs, row, frozenset((s,)), shut, reverse) for s, row in zip(starts, rows, strict=True)]


def flood(
    grid: Grid, starts: Iterable[int], links: Collection[tuple[int, int]], shut: Collection[int]
) -> dict[int, int]:
    """Hexes joined to the starts along `links` (hexsides) without entering a shut hex; each maps to the hex before it.

    A start maps to itself. Breadth first and lowest hex first, so that the chain back is shortest and always the same.
    """
    before = {s: s for s in sorted(starts) if s not in shut}
    queue = list(before)
    for here in queue:
        for other in sorted(grid.adjacent[here]):
            if other not in before and other not in shut and Grid.key(here, other) in links:
                before[other] = here
                queue.append(other)
    return before


def chain(before: dict[int, int], hex_: int) -> tuple[int, ...]:
    """The hexes from a flood's start to `hex_`."""
    path = [hex_]
    while before[path[-1]] != path[-1]:
        path.append(before[path[-1]])
    return tuple(reversed(path))
