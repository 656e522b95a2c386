"""Who controls a place: the side whose ground units were the last to be there.

By itself a hex belongs to the side with a source there, to the owner of its railway, else to the side of its bank of
the Chindwin. A marker `control/<label>` is kept where that is not so: from the start for places behind the enemy's
front, later for those that were taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from burma_study.boards.board import Board
from burma_study.engine.memo import by_identity
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import SIDES
from burma_study.rules.ocs.movement.limits import bank
from burma_study.rules.ocs.movement.zoc import held
from burma_study.rules.ocs.state import Piece, State, TraceSource
from burma_study.rules.ocs.supply.net import Net
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


# before anybody moves -------------------------------------------------------------------------------------------------


LINES = ("rail", "river", "ledo")  # kinds of line whose stations a side holds from the start


@rule("ocs/1.3", "ocs/2.5b", "ocs/1.11")
def start_markers(state: State) -> dict[str, str | None]:
    """The control markers of a set-up by name, None where a hex belongs to its side without one.

    A followed hex belongs to whoever stands there, to the owner of its railway, to the side whose source or line of
    trace serves it, else to the side whose ground units are the nearest; ties go by the bank of the Chindwin. Chindits
    make no front: they come down behind the enemy's.
    """
    area, sources = frozenset(state.markers.get("area", ())), state.markers.get("sources", ())
    standing = {h: side for side in SIDES for h in held(state, side)}
    served = {s.hex: side for side in SIDES for s in Net(state, side).stations if s.kind in LINES}
    fronts = {side: _front(state, side) for side in SIDES}
    found: dict[str, str | None] = {}
    for hex_ in sorted(h for h in watched(state) if not area or h in area):
        home = _home(state.board, sources, hex_)
        fixed = any(s.hex == hex_ for s in sources) or hex_ in rail_owner(state.board)
        behind = home if fixed else served.get(hex_) or _behind(state.board, fronts, hex_) or home
        owner = standing.get(hex_, behind)
        found[_name(state.board, hex_)] = None if owner == home else owner
    return found


def _front(state: State, side: str) -> frozenset[int]:
    """Hexes with ground units of a side, but for those that aircraft set down (Chindits and their engineers)."""
    units = (p for p in state.units(side) if "airlift" not in p.counter.traits)
    return frozenset(p.at for p in units if isinstance(p.at, int))


def _behind(board: Board, fronts: Mapping[str, frozenset[int]], hex_: int) -> str:
    """The side whose front is nearer to a hex; empty where both are as near, or one has none."""
    if not all(fronts.values()):
        return ""
    away = {side: min(board.grid.distance(hex_, h) for h in front) for side, front in fronts.items()}
    nearest, other = sorted(away, key=lambda side: away[side])
    return nearest if away[nearest] < away[other] else ""


# in play --------------------------------------------------------------------------------------------------------------


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
