"""The steps open to a side's units and the search over them: what a reach is made of.

Keys are `cost * HOP + hexes`, as in `boards.search`, so that of two ways of one cost the one with fewer hexes wins.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache

from burma_study.boards.board import Board
from burma_study.boards.search import FAR, HOP, Arcs
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.charts import Charts
from burma_study.rules.ocs.memo import remembered
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.terrain import board_arcs, bridged_costs, bridgers, build_arcs, rates

SHUT = -1
Steps = Sequence[tuple[tuple[int, int], ...]]  # for each hex its allowed steps: (neighbour, cost * HOP + 1)
Make = Callable[[Board, str, str, Charts, int | None], Arcs]


def _patched(plain: Steps, changed: Mapping[tuple[int, int], int]) -> Steps:
    """Steps with the keys of some replaced; 0 shuts a step."""
    new: dict[int, dict[int, int]] = {}
    for (a, b), key in changed.items():
        new.setdefault(a, dict(plain[a]))[b] = key
    steps = list(plain)
    for a, out in new.items():
        steps[a] = tuple((n, k) for n, k in out.items() if k)
    return steps


def _bridged(
    board: Board, mobility: str, ground: str, charts: Charts, head: int | None, at: frozenset[int], make: Make
) -> Steps:
    plain = make(board, mobility, ground, charts, head).out
    costs = bridged_costs(board, rates(charts, mobility, ground), head, at)
    return _patched(plain, {side: c * HOP + 1 if c else 0 for side, c in costs.items()}) if costs else plain


@lru_cache(maxsize=12)
def _kept(board: Board, mobility: str, ground: str, charts: Charts, head: int | None, at: frozenset[int]) -> Steps:
    return _bridged(board, mobility, ground, charts, head, at, board_arcs)


@remembered("pieces", "markers", "rules")
def plain_steps(state: State, side: str, mobility: str, ground: str) -> Steps:
    """Every allowed step of a side's units with its key: terrain and the bridges of its engineers."""
    head, at = state.markers.get("road_head"), bridgers(state, side, mobility)
    return _kept(state.board, mobility, ground, state.rules.charts, head, at)


def trial_steps(state: State, side: str, mobility: str, ground: str, charts: Charts) -> Steps:
    """As `plain_steps` with other charts, not kept."""
    head, at = state.markers.get("road_head"), bridgers(state, side, mobility)
    return _bridged(state.board, mobility, ground, charts, head, at, build_arcs)


@rule("ocs/opt.3l", "ocs-series/14.15")
def interdicted(board: Board, steps: Steps, extra: Mapping[int, int]) -> Steps:
    """Steps with twelfths added to the cost of entering some hexes; supply paths never pay them (Opt.3l)."""
    changed: dict[tuple[int, int], int] = {}
    for hex_, more in extra.items():
        for a in board.grid.adjacent[hex_]:
            changed |= {(a, n): k + more * HOP for n, k in steps[a] if n == hex_}
    return _patched(steps, changed) if changed else steps


# the search -----------------------------------------------------------------------------------------------------------


def sweep(steps: Steps, start: int, limit: int, keys: list[int], stop: Collection[int] = ()) -> dict[int, int]:
    """Fill `keys` outward from `start` up to `limit` twelfths; returns hex to cost, cheapest first.

    A bucket queue: costs are small whole numbers, so hexes wait in a list for each cost and no heap is needed. `keys`
    holds FAR, or SHUT for hexes that may not be entered; hexes of `stop` are entered but not left.
    """
    buckets: list[list[int]] = [[] for _ in range(limit + 1)]
    buckets[0].append(start)
    keys[start] = 0
    for cost, bucket in enumerate(buckets):
        for here in bucket:
            key = keys[here]
            if key // HOP != cost or (here in stop and here != start):
                continue
            for other, step in steps[here]:
                new = key + step
                if new < keys[other] and new // HOP <= limit:
                    keys[other] = new
                    buckets[new // HOP].append(other)
    return {here: cost for cost, bucket in enumerate(buckets) for here in bucket if keys[here] // HOP == cost}


def way_back(board: Board, steps: Steps, keys: Sequence[int], stop: Collection[int], hex_: int) -> tuple[int, ...]:
    """The path that `sweep` found: cheapest, then fewest hexes, then lowest hex read back from its end."""
    path, here = [hex_], hex_
    while keys[here]:
        path.append(next(p for p in sorted(board.grid.adjacent[here]) if _leads(steps, keys, stop, p, here)))
        here = path[-1]
    return tuple(reversed(path))


def _leads(steps: Steps, keys: Sequence[int], stop: Collection[int], a: int, b: int) -> bool:
    if not 0 <= keys[a] < FAR or (a in stop and keys[a]):
        return False
    return any(n == b and keys[a] + k == keys[b] for n, k in steps[a])


@rule("ocs-series/6.2-minimum")
def one_hex(steps: Steps, start: int, keys: Sequence[int], reached: Collection[int]) -> dict[int, int]:
    """Hexes beside the start that a unit enters only by its minimum move, with their full cost (OCS 6.1c)."""
    return {n: k // HOP for n, k in steps[start] if keys[n] != SHUT and n not in reached}
