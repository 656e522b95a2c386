"""What the steps of a supply path cost: as a move on dry ground in the play area (OCS 12.3d, 13.8b)."""

from __future__ import annotations

from functools import lru_cache

from burma_study.boards.board import Board
from burma_study.boards.search import Arcs
from burma_study.engine.memo import remembered
from burma_study.hexes.grid import OFF
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.charts import Charts
from burma_study.rules.ocs.counters import counters
from burma_study.rules.ocs.movement.limits import outside
from burma_study.rules.ocs.movement.terrain import board_arcs, bridged_costs, bridges, rates
from burma_study.rules.ocs.state import State

NOWHERE: frozenset[int] = frozenset()


@rule("ocs-series/12.3c", "ocs-series/12.3d", "ocs-series/13.8", "ocs/notes.mountain-supply")
def path_arcs(state: State, side: str, mobility: str) -> Arcs:
    """Cost of every step of a side's supply paths, in twelfths of an MP: dry, over its engineers' bridges.

    The same object for the same costs, so that fields searched on it can be kept.
    """
    head = state.markers.get("road_head")
    at = bridging(state, side, mobility)
    return _laid(state.board, state.rules.charts, mobility, head, beyond(state, side), at)


@lru_cache(maxsize=64)
def _laid(
    board: Board, charts: Charts, mobility: str, head: int | None, away: frozenset[int], at: frozenset[int]
) -> Arcs:
    arcs = board_arcs(board, mobility, "normal", charts, head)
    if away:
        arcs = _inside(arcs, away)
    bridged = bridged_costs(board, rates(charts, mobility, "normal"), head, at)
    changed = {(a, b): cost for (a, b), cost in bridged.items() if b not in away and cost != arcs.cost(a, b)}
    return arcs.patched(changed) if changed else arcs


@lru_cache(maxsize=12)
def _inside(arcs: Arcs, away: frozenset[int]) -> Arcs:
    """The arcs without those that lead into hexes outside the play area."""
    ends = (n for six in arcs.grid.neighbours for n in six)
    return Arcs(arcs.grid, tuple(0 if n == OFF or n in away else c for n, c in zip(ends, arcs.costs, strict=True)))


@rule("ocs-series/12.3d")
def beyond(state: State, side: str) -> frozenset[int]:
    """Hexes outside the scenario's map area, which no path or line of supply uses.

    Paths are counted as moves are, and the rulebook calls the border of a scenario's area an edge (U-Go rule 2). Short
    1 itself places Japanese units outside its area: while a side has units there, its paths are not held to it.
    """
    area = state.markers.get("area")
    if not area:
        return NOWHERE
    away = outside(state.board, tuple(area))
    return NOWHERE if _strayed(state, side, away) else away


@remembered("pieces", "rules")
def _strayed(state: State, side: str, away: frozenset[int]) -> bool:
    return any(p.at in away and p.counter.side == side for p in state.pieces.values())


@lru_cache(maxsize=4)
def _banks(board: Board) -> frozenset[int]:
    return frozenset(h for side in board.rivers for h in side)


@lru_cache(maxsize=1)
def _builders() -> dict[str, tuple[str, ...]]:
    """Ids of each side's headquarters and engineers."""
    able = [c for c in counters().values() if c.is_hq or c.type == "engineer"]
    return {side: tuple(sorted(c.id for c in able if c.side == side)) for side in ("japanese", "allied")}


@remembered("pieces", "rules")
@rule("ocs-series/13.8", "ocs/2.4a")
def bridging(state: State, side: str, mobility: str) -> frozenset[int]:
    """Hexes beside rivers where a side's engineer-capable units bridge for a mobility."""
    banks = _banks(state.board)
    pieces = (state.pieces.get(id_) for id_ in _builders()[side])
    return frozenset(p.at for p in pieces if p is not None and p.at in banks and bridges(p, mobility))
