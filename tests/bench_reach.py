"""How fast one unit's reach is, as a multiple of scipy's bounded search over the same steps in the same run."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from statistics import median
from time import perf_counter

LIMIT = 1.0
FROM = "ocs/campaign-1"


def timed(work: Callable[[], object], repeat: int = 9, number: int = 20) -> float:
    """Median seconds of one call."""
    work()

    def once() -> float:
        start = perf_counter()
        for _ in range(number):
            work()
        return (perf_counter() - start) / number

    return median(once() for _ in range(repeat))


def bench_reach(scenario: str = FROM) -> dict[str, float]:
    """Microseconds of a reach and of scipy's search, medians over units of each mobility, and their ratios.

    `ratio` is the worst of the three mobilities against the bare search (distances only); `first_us` a reach on a state
    that nothing is kept of, with both sides' zones to find.
    """
    from burma_study.rules.ocs.movement.reach import reach
    from burma_study.rules.ocs.setup.starting import start

    state = start(scenario)
    units = [p for p in state.pieces.values() if p.on_map and p.counter.move.ma]
    found: dict[str, float] = {}
    for mobility in ("leg", "truck", "track"):
        ids = sorted(p.id for p in units if p.counter.move.mobility == mobility)[::7][:6]
        ours = [timed(lambda i=i: reach(state, i, mode="move")) for i in ids]
        theirs = [timed(_scipy(state, i)) for i in ids]
        found |= {f"{mobility}_us": median(ours) * 1e6, f"{mobility}_scipy_us": median(theirs) * 1e6}
        found[f"{mobility}_ratio"] = max(a / b for a, b in zip(ours, theirs, strict=True))
    found["ratio"] = max(found[f"{m}_ratio"] for m in ("leg", "truck", "track"))
    found["first_us"] = _first(state, units) * 1e6
    return found


def _scipy(state: object, unit: str) -> Callable[[], object]:
    from scipy.sparse.csgraph import dijkstra

    from burma_study.rules.ocs.movement.reach import reach
    from burma_study.rules.ocs.movement.terrain import arc_costs

    found = reach(state, unit, mode="move")
    graph = arc_costs(state, found.unit.mobility).matrix(False).shut(())
    limit = found.left * 1024.0 + 1023  # keys are cost * 1024 + hexes
    return lambda: dijkstra(graph, indices=found.unit.start, limit=limit)


def _first(state: object, units: list) -> float:
    """Seconds of the first reach after some other piece moved, so that zones and barred hexes are found anew."""
    from dataclasses import replace

    from burma_study.rules.ocs.movement.reach import reach

    times = []
    for piece, other in pairwise(units):
        fresh = state.place(replace(other, done=True))
        begin = perf_counter()
        reach(fresh, piece.id, mode="move")
        times.append(perf_counter() - begin)
    return median(times)


def test_reach_is_faster_than_scipys_bounded_search() -> None:
    assert bench_reach()["ratio"] < LIMIT


if __name__ == "__main__":
    for name, value in bench_reach().items():
        print(f"{name:>16} {value:10.2f}")
