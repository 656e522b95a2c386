"""The steps open to a side's units and the search over them: what a reach is made of."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from burma_study.boards.board import Board
from burma_study.boards.search import Arcs
from burma_study.hexes.grid import OFF
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.charts import Charts
from burma_study.rules.ocs.movement.terrain import board_arcs, bridged_costs, build_arcs, rates

SHUT = -1
FAR = 1 << 50
Step = tuple[int, int]  # neighbour, twelfths of an MP
Steps = Sequence[tuple[Step, ...]]  # for each hex its allowed steps, cheapest first


def by_cost(step: Step) -> tuple[int, int]:
    """Order of the steps out of one hex."""
    return step[1], step[0]


def _from_arcs(arcs: Arcs) -> Steps:
    """The steps of a cost field; equal pairs are one object, which saves three quarters of the memory."""
    pairs: dict[Step, Step] = {}
    costs = arcs.costs
    found = []
    for hex_, six in enumerate(arcs.grid.neighbours):
        out = [(n, c) for n, c in zip(six, costs[hex_ * 6 : hex_ * 6 + 6], strict=True) if c and n != OFF]
        found.append(tuple(pairs.setdefault(s, s) for s in sorted(out, key=by_cost)))
    return tuple(found)


@lru_cache(maxsize=12)
def _plain(board: Board, mobility: str, ground: str, charts: Charts, head: int | None) -> Steps:
    return _from_arcs(board_arcs(board, mobility, ground, charts, head))


@lru_cache(maxsize=24)
def side_steps(
    board: Board,
    mobility: str,
    ground: str,
    charts: Charts,
    head: int | None,
    bridgers: frozenset[int],
    closed: frozenset[int],
) -> Steps:
    """Every allowed step of a side's units: terrain, the finished Ledo Road to `head`, bridges of its engineers.

    None leads into a `closed` hex.
    """
    plain = _plain(board, mobility, ground, charts, head)
    return _without(_bridged(board, mobility, ground, charts, head, bridgers, plain), closed)


def trial_steps(
    board: Board,
    mobility: str,
    ground: str,
    charts: Charts,
    head: int | None,
    bridgers: frozenset[int],
    closed: frozenset[int],
) -> Steps:
    """As `side_steps` for charts that are only tried; nothing is kept."""
    plain = _from_arcs(build_arcs(board, mobility, ground, charts, head))
    return _without(_bridged(board, mobility, ground, charts, head, bridgers, plain), closed)


def _bridged(
    board: Board, mobility: str, ground: str, charts: Charts, head: int | None, at: frozenset[int], plain: Steps
) -> Steps:
    costs = bridged_costs(board, rates(charts, mobility, ground), head, at)
    return _patched(plain, costs) if costs else plain


def _without(steps: Steps, closed: frozenset[int]) -> Steps:
    return [tuple(s for s in out if s[0] not in closed) for out in steps] if closed else steps


def _patched(plain: Steps, changed: Mapping[tuple[int, int], int]) -> Steps:
    """Steps with the cost of some (from, to) replaced; 0 shuts a step."""
    new: dict[int, dict[int, int]] = {}
    for (a, b), cost in changed.items():
        new.setdefault(a, dict(plain[a]))[b] = cost
    steps = list(plain)
    for a, out in new.items():
        steps[a] = tuple(sorted(((n, c) for n, c in out.items() if c), key=by_cost))
    return steps


@rule("ocs/opt.3l", "ocs-series/14.15")
def interdicted(board: Board, steps: Steps, extra: Mapping[int, int]) -> Steps:
    """Steps with twelfths added to the cost of entering some hexes; supply paths never pay them (Opt.3l)."""
    changed: dict[tuple[int, int], int] = {}
    for hex_, more in extra.items():
        for a in board.grid.adjacent[hex_]:
            changed |= {(a, n): c + more for n, c in steps[a] if n == hex_}
    return _patched(steps, changed) if changed else steps


# the search -----------------------------------------------------------------------------------------------------------


def sweep(
    steps: Steps, start: int, limit: int, known: dict[int, int] | None = None, stop: Collection[int] = ()
) -> dict[int, int]:
    """Twelfths to every hex within `limit` of `start`, cheapest first.

    A bucket queue: costs are small whole numbers, so hexes wait in a list for each cost and no heap is needed. `known`
    (used up) holds SHUT for hexes that may not be entered; hexes of `stop` are entered but not left.
    """
    known = {} if known is None else known
    known[start] = 0
    waiting: list[list[int] | None] = [None] * (limit + 1)
    waiting[0] = [start]
    found: dict[int, int] = {}
    for cost, bucket in enumerate(waiting):
        for here in bucket or ():
            if known[here] != cost:
                continue
            found[here] = cost
            if here in stop and here != start:
                continue
            for other, step in steps[here]:
                new = cost + step
                if new > limit:
                    break
                if new < known.get(other, FAR):
                    known[other] = new
                    if (later := waiting[new]) is None:
                        waiting[new] = [other]
                    else:
                        later.append(other)
    return found


def hops(steps: Steps, found: Mapping[int, int], stop: Collection[int]) -> dict[int, int]:
    """Fewest hexes of a cheapest way to each hex that `sweep` found (cheapest first)."""
    start = next(iter(found))
    fewest = {start: 0}
    for here, cost in found.items():
        if here not in fewest or (here in stop and here != start):
            continue
        for other, step in steps[here]:
            if found.get(other) == cost + step:
                fewest[other] = min(fewest.get(other, FAR), fewest[here] + 1)
    return fewest


def way_back(
    board: Board, steps: Steps, found: Mapping[int, int], fewest: Mapping[int, int], stop: Collection[int], hex_: int
) -> tuple[int, ...]:
    """The cheapest way, of those the one with fewest hexes, of those the one with the lowest hex read back."""
    path, here = [hex_], hex_
    while fewest[here]:
        here = min(
            p
            for p in board.grid.adjacent[here]
            if fewest.get(p) == fewest[here] - 1
            and (p not in stop or not fewest[p])
            and any(n == here and found[p] + c == found[here] for n, c in steps[p])
        )
        path.append(here)
    return tuple(reversed(path))


@rule("ocs-series/6.2-minimum")
def one_hex(steps: Steps, start: int, known: Mapping[int, int], found: Collection[int]) -> dict[int, int]:
    """Hexes beside the start that a unit enters only by its minimum move, with their full cost (OCS 6.1c)."""
    return {n: c for n, c in steps[start] if n not in found and known.get(n) != SHUT}
