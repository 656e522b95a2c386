"""Who controls a place: the side whose ground units were the last to be there.

A hex that nobody has come to belongs to the side with a source there, to the owner of its railway, else to the side of
its bank of the Chindwin. A marker `control/<label>` is kept where that is no longer so.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from burma_study.boards.board import Board
from burma_study.engine.memo import by_identity
from burma_study.engine.step import Step
from burma_study.rules.ocs.movement.limits import bank
from burma_study.rules.ocs.state import Piece, State, TraceSource
from burma_study.rules.ocs.turn.script import Victory, script


def controller(state: State, hex_: int) -> str:
    """The side that controls a hex."""
    taken: str | None = state.markers.get(_name(state.board, hex_))
    return taken or _home(state.board, state.markers.get("sources", ()), hex_)


def _name(board: Board, hex_: int) -> str:
    return f"control/{board.label(hex_)}"


@lru_cache(maxsize=4096)
def _home(board: Board, sources: tuple[TraceSource, ...], hex_: int) -> str:
    owner = next((s.side for s in sources if s.hex == hex_), "") or rail_owner(board).get(hex_, "")
    return owner or ("japanese" if hex_ in bank(board)[1] else "allied")


@lru_cache(maxsize=4)
def rail_owner(board: Board) -> dict[int, str]:
    """The side that owns the railway through a hex (Burma 1.3)."""
    return {h: r.owner for r in board.routes if r.kind == "rail" and r.owner for h in r.hexes}


def railway(state: State, side: str) -> tuple[int, ...]:
    """Hexes of a side's railway within the scenario's map, ascending."""
    area = frozenset(state.markers.get("area", ()))
    return tuple(sorted(h for h, o in rail_owner(state.board).items() if o == side and (not area or h in area)))


def watched(state: State) -> frozenset[int]:
    """Hexes whose control is followed: railways, towns, sources, and the places and roads of the victory items."""
    return _watched(state.board, script(state).victory)


@by_identity
def _watched(board: Board, victory: Victory) -> frozenset[int]:
    towns = (h for h in board.grid if board.feature[h])
    places = (h for item in (*victory.items, *victory.sudden) for h in (*item.hexes, *item.road))
    return frozenset((*towns, *rail_owner(board), *places, *victory.entered))


def take(step: Step[State], hexes: Iterable[int], side: str) -> None:
    """Units of a side have come through these hexes: they control them now. Call with every hex of a march."""
    followed = watched(step.state)
    for hex_ in hexes:
        if hex_ in followed and controller(step.state, hex_) != side:
            home = _home(step.state.board, step.state.markers.get("sources", ()), hex_)
            step.put("control", "markers", _name(step.state.board, hex_), None if side == home else side)


def take_where_units_stand(step: Step[State], pieces: Iterable[Piece] | None = None) -> None:
    """Every unit on the map, or each of `pieces`, controls its hex."""
    followed = watched(step.state)
    there = [p for p in (step.state.pieces.values() if pieces is None else pieces) if p.at in followed]
    for piece in sorted(there, key=lambda p: p.id):
        if isinstance(piece.at, int):
            take(step, (piece.at,), piece.counter.side)
