"""What belongs to set-up: Reserve markers and where they may be, Chindit Clearings (3.6d, scenario special rules)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from burma_study.boards.board import ROADS, Board
from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import Order, many_slot, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules, Room, nothing
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.orders import WHERE
from burma_study.rules.ocs.state import Piece, State, Where
from burma_study.rules.ocs.turn.script import script

CENTRE, REACH = "A46.01", 6  # 3.6d
OPEN = ("clear", "jungle", "rough")


def _wanted(state: State, piece: Piece) -> bool:
    group = script(state).reserve_group
    return piece.counter.side == "allied" and group in ("", piece.counter.group)


@rule("ocs/learning.sr8", "ocs/u-go.sr8", "ocs/campaign-1.sr8", "ocs/campaign-2.sr7")
def reserve_at_start(state: State) -> Iterator[Reason]:
    """Allied units in Reserve outside the hexes where the scenario allows it before play."""
    area = script(state).reserve_area
    if area is None:
        return
    reserves = sorted((p for p in state.pieces.values() if p.mode == "reserve" and p.on_map), key=lambda p: p.id)
    for piece in reserves:
        if _wanted(state, piece) and piece.at not in area and isinstance(piece.at, int):
            yield because("no-reserve-yet", piece.at, unit=piece.id)


@rule("ocs-series/5.7")
def reserve_count(state: State) -> Iterator[Reason]:
    """More stacks in Reserve than the side has markers."""
    side = state.player
    stacks = {p.at for p in state.units(side) if p.mode == "reserve"}
    most = state.markers.get(f"reserve/{side}", 0)
    if len(stacks) > most:
        yield because("too-many-reserves", side=side, count=len(stacks), most=most)


# Chindit Clearings ----------------------------------------------------------------------------------------------------


@order("clearings at {hexes}")
class Clearings(Order):
    """The Allied player picks his Chindit Clearings, in place of those of history."""

    hexes: tuple[Where, ...] = slot(many_slot(WHERE))


@lru_cache(maxsize=4)
@rule("ocs/3.6d")
def clearing_hexes(board: Board) -> frozenset[int]:
    """Hexes within 6 of A46.01, no mountain, neither on nor beside a railway or road; a track does not matter."""
    near = board.grid.disc(board.index(CENTRE), REACH)
    lines = board.route_hexes("rail", *ROADS)
    return frozenset(h for h in near if board.terrain[h] in OPEN and lines.isdisjoint((h, *board.grid.adjacent[h])))


@rule("ocs/3.6d", "ocs/thursday.sr7", "ocs/campaign-1.sr7")
def _no_clearings(state: State, o: Clearings) -> Iterator[Reason]:
    most = script(state).clearings
    if not most or state.player != "allied":
        yield because("no-clearings", rule="ocs/3.6d")
    if len(set(o.hexes)) != len(o.hexes) or len(o.hexes) > most:
        yield because("too-many-clearings", count=len(o.hexes), most=most, rule="ocs/3.6d")
    allowed = clearing_hexes(state.board)
    for hex_ in o.hexes:
        if hex_ not in allowed:
            where = WHERE.write(hex_)
            yield because("no-clearing-there", at=where, reach=REACH, rule="ocs/3.6d", hard=isinstance(hex_, str))


def _put_clearings(step: Step[State], o: Clearings) -> None:
    step.put("clearings", "markers", "clearings", tuple(sorted(h for h in o.hexes if isinstance(h, int))))
    step.cite("ocs/3.6d")


def _choices(state: State, partial: Partial, _slot: str) -> Iterable[Choice]:
    chosen = partial.values.get("hexes", ())
    full = len(chosen) >= script(state).clearings
    left = () if full else sorted(clearing_hexes(state.board) - set(chosen))
    return [Choice(h, WHERE.write(h), hexes=(h,)) for h in left]


OPENING = Room(
    "opening",
    {Clearings: OrderRules(nothing, _no_clearings, _put_clearings, _choices)},
    {"setup": ("clearings",)},
    needs={"clearings": lambda state: state.player == "allied" and script(state).clearings > 0},
)
