"""Move counts for fixed positions on fixed ground: hexes in reach, the sum of their costs, and every walk there is.

Kept in move_counts.txt; `python tests/rules/ocs/test_move_counts.py` writes it anew. A walk is a sequence of steps that
the allowance pays for, so a change in any step's cost near the position changes the count.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from movement_field import GRID, field, woven

from burma_study.rules.ocs import state as state_module
from burma_study.rules.ocs.movement.reach import Reach, reach
from burma_study.rules.ocs.state import State

FILE = Path(__file__).with_name("move_counts.txt")
UNITS = ("j/inf/2-215-33", "j/hq/33_Div", "a/inf/63-17", "a/tank/3_Ca", "a/mot/3-4_Bo", "a/art/5-5")
HEXES = ("B20.30", "B30.28", "A12.10", "B45.30")
CASES = [
    (unit, hex_, mode, ground)
    for n, unit in enumerate(UNITS)
    for hex_ in HEXES
    for mode, ground in [
        ("move", "normal"),
        (("combat", "strat", "reserve")[n % 3], ("mud", "quagmire", "flood")[n % 3]),
    ]
]


def position(unit: str, hex_: str) -> State:
    """The unit with two enemies and a friendly headquarters near it."""
    here = GRID.index(hex_)
    near = GRID.ring(here, 3)
    japanese = unit.startswith("j/")
    enemies = ("a/inf/48-17", "a/inf/32-20") if japanese else ("j/inf/1-214-33", "j/inf/3-215-33")
    friend = "j/hq/15_Army" if japanese else "a/hq/4_Corps"
    placed = {enemies[0]: near[0], enemies[1]: near[len(near) // 2], friend: GRID.ring(here, 2)[4]}
    return field({unit: here, **placed})


def walks(found: Reach) -> int:
    """How many different walks of one step or more the allowance pays for."""
    count, ways = 0, {(found.unit.start, 0): 1}
    while ways:
        after: dict[tuple[int, int], int] = defaultdict(int)
        for (here, spent), n in ways.items():
            if here in found.terms.stop and here != found.unit.start:
                continue
            for there, step in found.steps[here]:
                cost = spent + step
                if cost <= found.left and not any(there in hexes for hexes in found.bars.values()):
                    after[there, cost] += n
        count, ways = count + sum(after.values()), after
    return count


def line(unit: str, hex_: str, mode: str, ground: str) -> str:
    found = reach(position(unit, hex_), unit, mode=mode, ground=ground)
    numbers = (len(found.costs), sum(found.costs.values()), len(found.minimum), walks(found))
    return " ".join(map(str, (unit, hex_, mode, ground, *numbers)))


@pytest.mark.parametrize("stored", FILE.read_text().splitlines()[1:] if FILE.exists() else [])
def test_move_counts(monkeypatch, stored: str) -> None:
    board = woven()
    monkeypatch.setattr(state_module, "load_board", lambda _id: board)
    assert line(*stored.split()[:4]) == stored


def test_every_case_is_stored() -> None:
    assert [tuple(s.split()[:4]) for s in FILE.read_text().splitlines()[1:]] == CASES


if __name__ == "__main__":
    made = woven()
    state_module.load_board = lambda _id: made
    rows = ["unit hex mode ground hexes twelfths minimum walks", *(line(*case) for case in CASES)]
    FILE.write_text("\n".join(rows) + "\n")
