"""Where special rules and scenarios forbid a unit to go, whatever its movement allowance."""

from __future__ import annotations

from functools import lru_cache

from burma_study.boards.board import Board
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import Counter
from burma_study.rules.ocs.memo import by_identity
from burma_study.rules.ocs.movement.stacking import works_with_all
from burma_study.rules.ocs.movement.terrain import ledo_road
from burma_study.rules.ocs.state import Rules, State

CHINDIT_SOUTH = "B1.30"  # the row named by 3.6b
MYITKYINA = "A58.17"
CLOSED = ("area", "ina", "chindit")


@lru_cache(maxsize=4)
def bank(board: Board) -> tuple[frozenset[int], frozenset[int]]:
    """Hexes west and hexes east of the Chindwin; a board without that column has all of them west."""
    banks = board.attributes.get("bank", ())
    east = frozenset(h for h, value in enumerate(banks) if value == "east")
    return frozenset(board.grid) - east, east


@lru_cache(maxsize=4)
@rule("ocs/2.7", "ocs/2.7a")
def closed_to_ina(board: Board) -> frozenset[int]:
    """Hexes east of the Chindwin that are not beside it."""
    west, east = bank(board)
    return frozenset(h for h in east if west.isdisjoint(board.grid.adjacent[h]))


@lru_cache(maxsize=4)
@rule("ocs/3.6b")
def closed_to_chindits(board: Board) -> frozenset[int]:
    """Hexes south of row B30."""
    _, row = board.grid.line_position(board.index(CHINDIT_SOUTH))
    return frozenset(h for h in board.grid if board.grid.line_position(h)[1] < row)


@rule("ocs/3.6b", "ocs-series/erratum.9")
def as_chindit(rules: Rules, counter: Counter) -> bool:
    """Do the limits of 3.6b bind a unit? Chindits, and by erratum 9 the 823 Engineers (who do not forage)."""
    return counter.is_chindit or works_with_all(rules, counter)


@rule("ocs/3.6b", "ocs/3.8")
def road_reaches(state: State, hex_: int) -> bool:
    """Is a hex on the finished Ledo Road?"""
    return hex_ in ledo_road(state.board, state.markers.get("road_head"))


@by_identity
def outside(board: Board, area: tuple[int, ...]) -> frozenset[int]:
    """Hexes that are not in the scenario's area; none when the area is empty (the whole map)."""
    return frozenset(board.grid) - frozenset(area) if area else frozenset()


def closed(state: State, counter: Counter | None) -> dict[str, frozenset[int]]:
    """Code of the rule to the hexes it closes to a unit (transport: None)."""
    board = state.board
    found = {"area": outside(board, tuple(state.markers.get("area", ())))}
    if counter is not None and "ina" in counter.traits:
        found["ina"] = closed_to_ina(board)
    if counter is not None and as_chindit(state.rules, counter) and not road_reaches(state, board.index(MYITKYINA)):
        found["chindit"] = closed_to_chindits(board)
    return {code: hexes for code, hexes in found.items() if hexes}
