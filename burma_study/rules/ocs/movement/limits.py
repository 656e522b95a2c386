"""Where special rules and scenarios forbid a unit to go, whatever its movement allowance."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from burma_study.boards.board import Board
from burma_study.engine.memo import by_identity
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import Counter
from burma_study.rules.ocs.movement.stacking import works_with_all
from burma_study.rules.ocs.movement.terrain import ledo_road
from burma_study.rules.ocs.state import Rules, State, Where

CHINDIT_SOUTH = "B1.30"  # the row named by 3.6b
MYITKYINA = "A58.17"
CHINDITS_FROM = "1944-04-08"  # before this day none goes west of the Chindwin, by the errata
CLOSED_RULES = {
    "area": "",
    "ina": "ocs/2.7a",
    "chindit": "ocs/3.6b",
    "chindits-late": "ocs-series/erratum.13",
}  # the codes of what is closed, each with its rule
CLOSED = tuple(CLOSED_RULES)
CROSSED = "crossed_west"  # marker: ids of the Chindits that came through the west in this order and are not counted yet


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
@rule("ocs/3.6b", "ocs/3.6")
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


@rule("ocs-series/erratum.13")
def chindits_late(state: State) -> bool:
    """Is it before 8 April 1944, with the erratum that keeps Chindits east of the Chindwin until then?"""
    rules, dates = state.rules, state.markers.get("calendar", ())
    if not rules.corrects("erratum.13") or not dates:
        return False
    return bool(dates[min(state.turn, len(dates)) - 1] < CHINDITS_FROM)


@rule("ocs/2.7a")
def _closed_to_ina(state: State, counter: Counter) -> frozenset[int]:
    """The east to a unit of the INA; nothing to one that was set up or replaced there, which may march to its area."""
    east = closed_to_ina(state.board)
    return frozenset() if _at(state, counter) in east else east


def _at(state: State, counter: Counter) -> Where | None:
    """Where a unit stands, None when it is not in play."""
    piece = state.pieces.get(counter.id)
    return None if piece is None else piece.at


@rule("ocs-series/erratum.13")
def _closed_for_now(state: State, counter: Counter) -> frozenset[int]:
    """The west bank as long as it is too early for Chindits; nothing for one that stands there already."""
    west, east = bank(state.board)
    early = east and chindits_late(state) and _at(state, counter) not in west
    return west if early else frozenset()


@rule("ocs/3.6b-west")
def note_crossing(step: Step[State], units: Iterable[str], hexes: Iterable[int]) -> None:
    """Remember the Chindits among these units that come through a hex west of the Chindwin, however short (3.6b).

    Call with every hex of a march or retreat: the points are given the moment a unit enters, also if it goes back.
    """
    state, (west, east) = step.state, bank(step.state.board)
    if not east or west.isdisjoint(hexes):
        return
    pieces = (p for u in units if (p := state.pieces.get(u)) is not None)
    columns = {p.id for p in pieces if as_chindit(state.rules, p.counter)}
    if columns:
        step.put("marker", "markers", CROSSED, tuple(sorted({*state.markers.get(CROSSED, ()), *columns})))


@by_identity
def outside(board: Board, area: tuple[int, ...]) -> frozenset[int]:
    """Hexes that are not in the scenario's area; none when the area is empty (the whole map)."""
    return frozenset(board.grid) - frozenset(area) if area else frozenset()


def closed(state: State, counter: Counter | None) -> dict[str, frozenset[int]]:
    """Code of the rule to the hexes it closes to a unit (transport: None)."""
    board = state.board
    found = {"area": outside(board, tuple(state.markers.get("area", ())))}
    if counter is not None and "ina" in counter.traits:
        found["ina"] = _closed_to_ina(state, counter)
    if counter is not None and as_chindit(state.rules, counter) and not road_reaches(state, board.index(MYITKYINA)):
        found["chindit"] = closed_to_chindits(board)
    if counter is not None and as_chindit(state.rules, counter):
        found["chindits-late"] = _closed_for_now(state, counter)
    return {code: hexes for code, hexes in found.items() if hexes}
