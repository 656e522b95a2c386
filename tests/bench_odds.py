"""How fast one attack's odds are, as multiples of a numpy enumeration of the same sum in the same run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parent / "rules" / "ocs"))
LIMIT = 3.0


def timed(work: Callable[[], object], repeat: int = 15, number: int = 40) -> float:
    """Median seconds of one call."""
    work()

    def once() -> float:
        start = perf_counter()
        for _ in range(number):
            work()
        return (perf_counter() - start) / number

    return median(once() for _ in range(repeat))


def attack_on_the_map() -> Callable[[], object]:
    """The odds of two brigades and tanks against a battalion on the real map, from pieces to distribution."""
    from burma_study.boards.board import load_board
    from burma_study.rules.ocs.combat.attack import attack_odds
    from burma_study.rules.ocs.state import Piece, new_state

    grid = load_board("ocs").grid
    target = grid.index("A7.09")
    a, _, _, b, *_ = grid.adjacent[target]
    state = new_state("ocs/bench")
    for id_, at in (("a/inf/48-17", a), ("a/inf/63-17", b), ("a/inf/4-2", a), ("j/inf/1-215-33", target)):
        state = state.place(Piece(id_, at))
    ids = ["a/inf/48-17", "a/inf/63-17", "a/inf/4-2"]
    return lambda: attack_odds(state, target, ids).outcomes


def bench_odds() -> dict[str, float]:
    """Microseconds of each and their ratios; `ratio` (raw odds with all probabilities to numpy) is at most LIMIT."""
    from odds_oracles import vectors

    from burma_study.rules.ocs.combat.attack import raw_odds

    def raw() -> object:
        odds = raw_odds(12, 4, 4, 3, "close", 1)
        return odds.outcomes, odds.columns

    numpy = timed(lambda: vectors(12, 4, 4, 3, "close", 1))
    seconds = {"numpy": numpy, "raw": timed(raw), "map": timed(attack_on_the_map())}
    return {
        **{f"{name}_us": s * 1e6 for name, s in seconds.items()},
        "ratio": seconds["raw"] / numpy,
        "map_ratio": seconds["map"] / numpy,
    }


if __name__ == "__main__":
    for name, value in bench_odds().items():
        print(f"{name:10} {value:8.2f}")
