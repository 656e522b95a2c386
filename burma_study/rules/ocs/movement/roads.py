"""The shortest way along roads, tracks or railways between two hexes, and what lies near such a line."""

from __future__ import annotations

from collections import deque
from functools import lru_cache

from burma_study.boards.board import Board
from burma_study.hexes.grid import Grid


@lru_cache(maxsize=256)
def around(board: Board, hexes: tuple[int, ...], distance: int) -> frozenset[int]:
    """Hexes at or within a distance of any of some hexes."""
    return frozenset(h for hex_ in hexes for h in board.grid.disc(hex_, distance))


@lru_cache(maxsize=128)
def way(board: Board, kinds: tuple[str, ...], start: int, end: int) -> tuple[int, ...]:
    """Fewest hexes along routes of some kinds, ties by the lowest hex; empty when nothing joins the two."""
    sides = board.route_sides(*kinds)
    before = {start: start}
    queue = deque([start])
    while queue and end not in before:
        here = queue.popleft()
        for there in board.grid.adjacent[here]:
            if there not in before and Grid.key(here, there) in sides:
                before[there] = here
                queue.append(there)
    if end not in before:
        return ()
    path = [end]
    while path[-1] != start:
        path.append(before[path[-1]])
    return tuple(reversed(path))
