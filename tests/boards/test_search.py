"""Searches: both engines equal, and equal to networkx; paths follow the tie rule."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burma_study.boards.search import FAR, Arcs, Recall, chain, flood, spread, spread_each
from burma_study.hexes.grid import OFF, Grid
from burma_study.hexes.labels import PairLabels

GRID = Grid("test", lines=7, length=8, raised=0, labels=PairLabels())
N = len(GRID)
costs = st.lists(st.sampled_from([0, 4, 6, 12, 24, 36]), min_size=N * 6, max_size=N * 6)
hexes = st.integers(0, N - 1)


def graph_of(arcs: Arcs, blocked: frozenset[int]) -> nx.DiGraph:
    g = nx.DiGraph()
    g.add_nodes_from(range(N))
    for a in GRID:
        for d, b in enumerate(GRID.neighbours[a]):
            if b != OFF and arcs.costs[a * 6 + d] and b not in blocked:
                g.add_edge(a, b, weight=arcs.costs[a * 6 + d])
    return g


@settings(max_examples=60, deadline=None)
@given(
    costs,
    st.sets(hexes, min_size=1, max_size=4),
    st.frozensets(hexes, max_size=12),
    st.booleans(),
    st.sampled_from([None, 60]),
)
def test_both_engines_equal_networkx(
    values: list[int], starts: set[int], blocked: frozenset[int], reverse: bool, limit: int | None
) -> None:
    arcs = Arcs(GRID, tuple(values))
    g = graph_of(arcs, blocked)
    want = nx.multi_source_dijkstra_path_length(g.reverse() if reverse else g, starts)
    for engine in ("scipy", "python"):
        field = spread(arcs, starts, limit=limit, blocked=blocked, reverse=reverse, engine=engine)
        got = {h: c for h in GRID if (c := field.cost(h)) is not None}
        assert got == {h: c for h, c in want.items() if limit is None or c <= limit}
        for h, cost in got.items():
            path = field.path(h)
            ends = (path[-1], path[0]) if reverse else (path[0], path[-1])
            assert ends[0] in starts
            assert ends[1] == h
            assert sum(arcs.cost(a, b) for a, b in pairwise(path)) == cost
            assert not blocked & set(path[1:])


@settings(max_examples=40, deadline=None)
@given(costs, st.sets(hexes, min_size=1, max_size=3))
def test_paths_of_both_engines_are_the_same_and_have_fewest_hexes(values: list[int], starts: set[int]) -> None:
    arcs = Arcs(GRID, tuple(values))
    a, b = (spread(arcs, starts, engine=e) for e in ("scipy", "python"))
    g = graph_of(arcs, frozenset())
    for h in GRID:
        if a.cost(h) is None:
            continue
        assert a.path(h) == b.path(h)
        shortest = min(
            len(p)
            for s in starts
            if nx.has_path(g, s, h) and nx.dijkstra_path_length(g, s, h) == a.cost(h)
            for p in nx.all_shortest_paths(g, s, h, weight="weight")
        )
        assert len(a.path(h)) == shortest


@settings(max_examples=30, deadline=None)
@given(costs, st.lists(hexes, min_size=1, max_size=4, unique=True), st.frozensets(hexes, max_size=6))
def test_one_field_for_each_start(values: list[int], starts: list[int], blocked: frozenset[int]) -> None:
    arcs = Arcs(GRID, tuple(values))
    for start, field in zip(starts, spread_each(arcs, starts, limit=48, blocked=blocked), strict=True):
        single = spread(arcs, [start], limit=48, blocked=blocked, engine="python")
        assert [field.cost(h) for h in GRID] == [single.cost(h) for h in GRID]


def test_no_start_reaches_nothing() -> None:
    field = spread(Arcs(GRID, (12,) * (N * 6)), [])
    assert all(key >= FAR for key in field.keys)
    with pytest.raises(ValueError, match="No path to hex 0101"):
        field.path(0)


def test_a_flood_follows_links_and_stops_at_shut_hexes() -> None:
    line = GRID.line(GRID.index("0101"), GRID.index("0701"))
    links = {Grid.key(a, b) for a, b in pairwise(line)}
    assert chain(flood(GRID, [line[0]], links, set()), line[-1]) == line
    assert line[4] not in flood(GRID, [line[0]], links, {line[3]})


@settings(max_examples=60, deadline=None)
@given(costs, st.sets(hexes, min_size=1, max_size=3), st.lists(st.frozensets(hexes, max_size=10), max_size=6))
@pytest.mark.parametrize("reverse", [False, True])
def test_a_recalled_field_equals_a_new_one(
    reverse: bool, values: list[int], starts: set[int], changes: list[frozenset[int]]
) -> None:
    arcs, recall, begin = Arcs(GRID, tuple(values)), Recall(), tuple(sorted(starts))
    blocked: frozenset[int] = frozenset()
    for change in changes:
        blocked ^= frozenset(sorted(change)[:2])
        for each in (False, True):
            fields = recall.ask(arcs, begin, limit=72, blocked=blocked, reverse=reverse, each=each)
            for field, origin in zip(fields, [[s] for s in begin] if each else [list(begin)], strict=True):
                fresh = spread(arcs, origin, limit=72, blocked=blocked, reverse=reverse, engine="python")
                assert [field.cost(h) for h in GRID] == [fresh.cost(h) for h in GRID]
                assert all(field.path(h) == fresh.path(h) for h in GRID if fresh.cost(h) is not None)


def test_one_changed_hex_searches_only_the_fields_that_it_touches_and_a_held_recall_keeps_its_own() -> None:
    arcs, recall = Arcs(GRID, tuple([12] * (6 * len(GRID)))), Recall()
    ends = GRID.index("0101"), GRID.index("0701")
    before = recall.ask(arcs, ends, limit=24, blocked=frozenset(), reverse=False, each=True)
    beside = frozenset({GRID.adjacent[ends[0]][0]})
    with recall.held():
        for _ in range(9):
            changed = recall.ask(arcs, ends, limit=24, blocked=beside, reverse=False, each=True)
            assert changed[0] is not before[0]
            assert changed[1] is before[1]
    after = recall.ask(arcs, ends, limit=24, blocked=frozenset(), reverse=False, each=True)
    assert all(a is b for a, b in zip(before, after, strict=True))
