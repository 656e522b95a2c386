"""What supply costs, as multiples of one bare scipy search over the same arrays in the same run; what a start costs.

The bare search is a multi-source Dijkstra over the whole board (8 sources, leg costs). A state that no cache has seen
is made by copying every table of Campaign 1's start and forgetting the last pictures.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

FRESH_LIMIT, MOVED_LIMIT = 30.0, 8.0
IMPORT_LIMIT, LOAD_LIMIT = 0.2, 1.0
SOURCES = ("A7.09", "A4.24", "A41.35", "B39.02", "A58.17", "A24.13", "B9.25", "A47.24")
SIDES = ("japanese", "allied")
COLD = """
import time
begin = time.perf_counter()
import burma_study
imported = time.perf_counter()
study = burma_study.load("ocs/u-go")
loaded = time.perf_counter()
for side in ("japanese", "allied"):
    study.supply(side)
print(imported - begin, loaded - begin, time.perf_counter() - begin)
"""


def timed(work: Callable[[], object], repeat: int) -> float:
    """Median seconds of one call, after one that is not counted."""
    work()
    return median(_once(work) for _ in range(repeat))


def _once(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def both(state: Any) -> list[Any]:
    """The pictures of both sides."""
    from burma_study.rules.ocs.supply.trace import supply

    return [supply(state, side) for side in SIDES]


def unseen(state: Any) -> Any:
    """The same position in tables of its own, with nothing kept of any picture."""
    from burma_study.engine.pmap import Map
    from burma_study.rules.ocs.supply.trace import forget

    forget()
    tables = {f.name: Map(dict(t.items())) for f in fields(state) if isinstance(t := getattr(state, f.name), Map)}
    return replace(state, **tables)


def fresh(state: Any) -> float:
    """Seconds of both sides on a state that no cache has seen."""
    copied = unseen(state)
    return _once(lambda: both(copied))


def after_moves(state: Any, count: int, seed: int = 1) -> Iterator[float]:
    """Seconds of both sides after one unit moved to a neighbouring hex, for `count` units."""
    chance, adjacent = random.Random(seed), state.board.grid.adjacent
    on_map = sorted(p.id for p in state.pieces.values() if p.on_map)
    for id_ in chance.sample(on_map, count):
        both(state)
        piece = state.pieces[id_]
        moved = state.place(replace(piece, at=chance.choice(adjacent[piece.at])))
        yield _once(lambda moved=moved: both(moved))


def bare_searches(state: Any) -> tuple[Callable[[], object], Callable[[], object]]:
    """The yardstick by scipy, and the same search by networkx."""
    import networkx as nx
    from scipy.sparse.csgraph import dijkstra

    from burma_study.rules.ocs.movement.terrain import arc_costs

    arcs = arc_costs(state, "leg")
    graph, starts = arcs.matrix(False).shut(frozenset()), [state.board.index(label) for label in SOURCES]
    net = _graph(arcs, reverse=False)
    by_scipy, by_networkx = dijkstra(graph, indices=starts, min_only=True), _lengths(nx, net, starts)
    assert {h: k for h, k in enumerate(by_scipy) if k < float("inf")} == by_networkx
    return lambda: dijkstra(graph, indices=starts, min_only=True), lambda: _lengths(nx, net, starts)


def _lengths(nx: Any, graph: Any, starts: list[int]) -> dict[int, int]:
    return nx.multi_source_dijkstra_path_length(graph, starts)


def _graph(arcs: Any, *, reverse: bool) -> Any:
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(arcs.grid)))
    steps = arcs.back if reverse else arcs.out
    graph.add_weighted_edges_from((h, n, key) for h, six in enumerate(steps) for n, key in six)
    return graph


@contextmanager
def networkx_engine() -> Iterator[None]:
    """Supply with every search made by networkx; its graphs are made once, as scipy's arrays are."""
    import networkx as nx

    from burma_study.boards import search

    kept: dict[tuple[int, bool], Any] = {}
    old = search._scipy

    def by_networkx(arcs: Any, starts: tuple[int, ...], top: int, shut: frozenset[int], reverse: bool) -> list[float]:
        keys: list[float] = [search.FAR] * len(arcs.grid)
        graph = kept.setdefault((id(arcs), reverse), None) or _graph(arcs, reverse=reverse)
        kept[id(arcs), reverse] = graph

        def weight(a: int, b: int, data: dict[str, int]) -> int | None:
            return None if (a if reverse else b) in shut else data["weight"]

        if starts:
            found = nx.multi_source_dijkstra_path_length(graph, starts, cutoff=top, weight=weight)
            for hex_, key in found.items():
                keys[hex_] = key
        return keys

    def each(arcs: Any, starts: Any, *, limit: int, blocked: Any = frozenset(), reverse: bool = False) -> list[Any]:
        return [search.spread(arcs, (s,), limit=limit, blocked=blocked, reverse=reverse) for s in starts]

    old_each = search.spread_each
    search._scipy, search.spread_each = by_networkx, each  # type: ignore[assignment]
    try:
        yield
    finally:
        search._scipy, search.spread_each = old, old_each


def bench_supply(scenario: str = "ocs/campaign-1") -> dict[str, float]:
    """Milliseconds, and ratios to the bare search: `fresh`, `moved`, and `fresh` with networkx as the engine."""
    from burma_study.rules.ocs.setup import start

    state = start(scenario)
    by_scipy, by_networkx = bare_searches(state)
    fresh(state)
    base = timed(by_scipy, 60)
    anew = median(fresh(state) for _ in range(25))
    moved = median(after_moves(state, 60))
    base = median([base, timed(by_scipy, 60), timed(by_scipy, 60)])
    ours = [p.traces for p in both(unseen(state))]
    with networkx_engine():
        assert [p.traces for p in both(unseen(state))] == ours
        peer = median(fresh(state) for _ in range(5))
    return {
        "units": float(sum(map(len, ours))),
        "bare_ms": base * 1e3,
        "fresh_ms": anew * 1e3,
        "moved_ms": moved * 1e3,
        "networkx_bare_ms": timed(by_networkx, 7) * 1e3,
        "networkx_fresh_ms": peer * 1e3,
        "fresh_ratio": anew / base,
        "moved_ratio": moved / base,
        "networkx_ratio": peer / base,
    }


def bench_start(repeat: int = 7) -> dict[str, float]:
    """Seconds from a cold process: the import, `load`, and `load` with the supply of both sides; medians."""
    root = Path(__file__).parents[1]
    runs = []
    for _ in range(repeat):
        done = subprocess.run([sys.executable, "-c", COLD], capture_output=True, text=True, check=True, cwd=root)
        runs.append([float(word) for word in done.stdout.split()])
    return dict(zip(("import_s", "load_s", "supply_s"), map(median, zip(*runs, strict=True)), strict=True))


if __name__ == "__main__":
    for name, value in (bench_start() | bench_supply()).items():
        print(f"{name:>18} {value:10.3f}")
