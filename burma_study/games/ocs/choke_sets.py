"""The worst set of k hexes to lose: searched as a set, since two roads that stand in for each other cost nothing alone.

A trace that no hex of a set comes near stands as it is. So the units that a set puts out of trace are among those that
it comes near: this bounds what any set can cost, prunes the exact search and says how far a greedy one may fall short.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from burma_study.errors import BurmaStudyError
from burma_study.games.ocs.losses import Cut, Losing, near_traces
from burma_study.rules.ocs.supply.lines import RECALL
from burma_study.rules.ocs.supply.trace import Picture, Trace, Tracer

EXACT = 2  # hexes: beyond them the exact search of a campaign takes minutes


@dataclass(frozen=True, slots=True)
class CutSet:
    """The worst set found: no set of as many hexes costs more than `bound` units; `exact` when none costs more."""

    cut: Cut
    exact: bool
    bound: int


@dataclass(frozen=True, slots=True)
class _Node:
    """A set of hexes lost: the units that then do not trace, and for each hex those whose traces it comes near."""

    hexes: tuple[int, ...]
    lost: frozenset[str]
    traces: Mapping[str, Trace]
    near: Mapping[int, frozenset[str]]

    def by_weight(self, chosen: Sequence[int]) -> list[tuple[int, int]]:
        """Hexes with the units that they come near, most first."""
        pairs = ((len(self.near.get(h, ())), h) for h in chosen)
        return sorted(pairs, key=lambda pair: (-pair[0], pair[1]))


def default_hexes(losing: Losing) -> frozenset[int]:
    """The hexes that a trace of the side runs through and those where it has units."""
    pieces = losing.picture.net.state.units(losing.picture.side)
    return frozenset(losing.through) | {p.at for p in pieces if isinstance(p.at, int)}


def search_set(losing: Losing, chosen: Sequence[int], k: int, *, exact: bool | None = None) -> CutSet:
    """The worst `k` of the chosen hexes; BurmaStudyError for a number that is none or more than there are."""
    if not isinstance(k, int) or isinstance(k, bool) or not 1 <= k <= len(chosen):
        raise BurmaStudyError(f"A set of {k!r} hexes cannot be chosen from {len(chosen)}; give a number from 1 on.")
    search = _Search(losing, chosen, k)
    with RECALL.held():
        search.greedy()
        if k <= EXACT if exact is None else exact:
            search.descend(search.root, search.root.by_weight(chosen), k)
            return CutSet(search.best, True, len(search.best.lost))
    bound = _bound(search.root.near, chosen, k)
    return CutSet(search.best, bound <= len(search.best.lost), bound)


class _Search:
    """Branch and bound over sets of hexes; `best` is the worst loss so far, of equal ones the first found."""

    def __init__(self, losing: Losing, chosen: Sequence[int], k: int) -> None:
        self.losing, self.chosen, self.k = losing, chosen, k
        self.root = _Node((), frozenset(), losing.picture.traces, losing.near)
        self.best = losing.cut(chosen[:k])

    def greedy(self) -> None:
        """The set grown by the hex that costs most, one after another."""
        node = self.root
        while len(node.hexes) < self.k:
            worst, left = Cut((), (), 0), [h for h in self.chosen if h not in node.hexes]
            for weight, hex_ in node.by_weight(left):
                if worst.hexes and len(node.lost) + weight <= len(worst.lost):
                    break
                worst = self._worse(worst, node, hex_)
            node = self._child(node, next(h for h in worst.hexes if h not in node.hexes))
        self.best = self._worse(self.best, node)

    def descend(self, node: _Node, ordered: Sequence[tuple[int, int]], left: int) -> None:
        """Try every set that adds `left` of the ordered hexes to a node's, unless it cannot beat the best."""
        for n, (_, hex_) in enumerate(ordered):
            at_most = len(node.lost) + sum(weight for weight, _ in ordered[n : n + left])
            if at_most <= len(self.best.lost) or n + left > len(ordered):
                return
            if left == 1:
                self.best = self._worse(self.best, node, hex_)
            else:
                child = self._child(node, hex_)
                self.descend(child, child.by_weight([h for _, h in ordered[n + 1 :]]), left - 1)

    def _worse(self, best: Cut, node: _Node, *more: int) -> Cut:
        found = self.losing.cut((*node.hexes, *more))
        return found if not best.hexes or len(found.lost) > len(best.lost) else best

    def _child(self, node: _Node, hex_: int) -> _Node:
        """The node with one more hex lost; only traces that it comes near are read anew."""
        hexes = (*node.hexes, hex_)
        net, here = self.losing.net(hexes), set(self.losing.here(hexes))
        tracer, pieces = Tracer(net), self.losing.picture.net.state.pieces
        asked = (node.near.get(hex_, frozenset()) | node.lost) - here
        traced = {i: tracer.trace(pieces[i]) for i in sorted(asked) if tracer.traces(pieces[i])}
        traces = {i: t for i, t in node.traces.items() if i not in asked and i not in here} | traced
        near = {h: frozenset(units) for h, units in near_traces(Picture(net, traces)).items()}
        return _Node(hexes, frozenset(asked - traced.keys()), traces, near)


def _bound(near: Mapping[int, frozenset[str]], chosen: Sequence[int], k: int) -> int:
    """No k hexes come near more units: those a greedy cover has, and the k greatest gains beyond it."""
    covered: frozenset[str] = frozenset()
    bound = sum(sorted((len(near.get(h, ())) for h in chosen), reverse=True)[:k])
    for _ in range(k):
        covered |= max((near.get(h, frozenset()) for h in chosen), key=lambda units: len(units - covered))
        gains = sorted((len(near.get(h, frozenset()) - covered) for h in chosen), reverse=True)
        bound = min(bound, len(covered) + sum(gains[:k]))
    return bound
