"""A road or track drawn a hex longer or shorter: the course of a route is our proposal unless print fixes its length.

A verdict that such a bend would change must say so, as it does of any other unprinted value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from burma_study.boards.board import Board, Route, Side
from burma_study.boards.search import Arcs
from burma_study.datafiles import provenance, read_rows
from burma_study.hexes.grid import Grid
from burma_study.rules.ocs.basis import Used

ROADS = ("all_weather", "fair_weather")
LONGER, SHORTER = 1, -1
Changes = Mapping[tuple[int, int], int]


@dataclass(frozen=True)
class Bend:
    """A stretch of a route that a path walks, in order, and is not fixed by print; `used` names it with its bounds."""

    route: Route
    hexes: tuple[int, ...]
    used: Used

    def step(self, arcs: Arcs) -> int:
        """Twelfths that one hex of it costs."""
        return min(arcs.cost(a, b) for a, b in pairwise(self.hexes))

    def changes(self, arcs: Arcs, by: int) -> Changes:
        """Costs, by (from, to), with which the stretch is as long as with one hex more or fewer."""
        more = by * self.step(arcs)
        walked = list(pairwise(self.hexes))[:2]
        shares = [more // len(walked)] * len(walked)
        shares[0] += more - sum(shares)
        both = [((a, b), share) for (a, b), share in zip(walked, shares, strict=True)]
        both += [((b, a), share) for (a, b), share in both]
        return {side: arcs.cost(*side) + share for side, share in both if arcs.cost(*side)}


def bends(board: Board, hexes: Iterable[int]) -> tuple[Bend, ...]:
    """The stretches of roads and tracks that a path walks and whose length nothing printed fixes."""
    return tuple(_bend(board, route, run) for route, run in _runs(board, tuple(hexes)))


def _bend(board: Board, route: Route, run: tuple[int, ...]) -> Bend:
    said, count = provenance(f"boards/{board.id}/routes.csv")(route.name, "hexes"), len(run) - 1
    low = count - 1 if count > max(1, board.grid.distance(run[0], run[-1])) else count
    why = f"its course between {board.label(run[0])} and {board.label(run[-1])} is not printed"
    return Bend(route, run, Used("routes", route.name, "hexes", str(count), said.tag, why, str(low), str(count + 1)))


def _runs(board: Board, hexes: tuple[int, ...]) -> Iterator[tuple[Route, tuple[int, ...]]]:
    fixed, owners = _fixed(board), _owners(board)
    run: list[int] = []
    before: Route | None = None
    for a, b in pairwise(hexes):
        key = Grid.key(a, b)
        route = None if key in fixed else owners.get(key)
        if route is not before:
            if before is not None:
                yield before, tuple(run)
            run, before = [a], route
        run.append(b)
    if before is not None:
        yield before, tuple(run)


@lru_cache(maxsize=4)
def _owners(board: Board) -> Mapping[Side, Route]:
    """The road, else the track, that crosses each hexside."""
    ranked = sorted((r for r in board.routes if r.kind in (*ROADS, "track")), key=lambda r: r.kind == "track")
    return {side: route for route in reversed(ranked) for side in route.sides}


@lru_cache(maxsize=4)
def _fixed(board: Board) -> frozenset[Side]:
    """Hexsides of roads on the stretches whose length is printed or follows from print."""
    sides = board.route_sides(*ROADS)
    found: set[Side] = set()
    for row in read_rows(f"boards/{board.id}/lengths.csv"):
        way = _way(board, sides, board.index(row["a"]), board.index(row["b"]))
        found |= {Grid.key(a, b) for a, b in pairwise(way)}
    return frozenset(found)


def _way(board: Board, sides: Iterable[Side], start: int, end: int) -> list[int]:
    """The shortest way along hexsides."""
    allowed, came, queue = set(sides), {start: start}, [start]
    for here in queue:
        for n in board.grid.adjacent[here]:
            if n not in came and Grid.key(here, n) in allowed:
                came[n] = here
                queue.append(n)
    way = [end]
    while way[-1] != start:
        way.append(came[way[-1]])
    return way
