"""Supply and reach as plain data with labels for hexes, for JSON, tables and exports."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from burma_study.boards.board import Board
from burma_study.rules.ocs.basis import Basis
from burma_study.rules.ocs.counters import SIDES
from burma_study.rules.ocs.state import Piece, State
from burma_study.rules.ocs.supply.on_map import Means, OnMap
from burma_study.rules.ocs.supply.trace import Leg, Miss, Trace, supply
from burma_study.rules.ocs.supply.verdict import bases
from burma_study.rules.ocs.supply.words import explain, miss_sentence

Row = dict[str, Any]


def supply_rows(state: State, side: str | None = None, unit: str | None = None) -> list[Row]:
    """A row for each unit on the map or in a box, by side and id: marker, projected status, legs, misses, and why.

    `attack`, `defence` and `fuel` say what it could pay with and from where; `attack` is None for units that never do.
    """
    wanted = state.pieces[unit].counter.side if unit else side
    sides = [s for s in SIDES if wanted in (None, s)]
    return [row for s in sides for row in _side_rows(state, s, unit)]


def _side_rows(state: State, side: str, unit: str | None) -> Iterable[Row]:
    stores = OnMap(supply(state, side))
    meals = {id_: meal.store for meal in stores.meals() for id_ in meal.units}
    ids = [id_ for id_ in sorted(stores.picture.traces) if unit in (None, id_)]
    verdicts = bases(stores.picture, ids)
    for id_ in ids:
        yield _supply_row(stores, stores.picture.traces[id_], meals.get(id_), verdicts[id_])


def _supply_row(stores: OnMap, trace: Trace, table: int | None, basis: Basis) -> Row:
    state, board = stores.state, stores.state.board
    piece = state.pieces[trace.unit]
    eats = table is not None and not trace.in_supply
    sentences = explain(state, trace, table if eats else None)
    return {
        **unit_row(board, piece),
        "marker": trace.marker,
        "projected": "eats" if eats else trace.status,
        "source": board.label(trace.source) if trace.source is not None else None,
        "eats_from": board.label(table) if eats and table is not None else None,
        "legs": [_leg(board, leg) for leg in trace.legs],
        "misses": [_miss(board, miss) for miss in trace.misses],
        "attack": _means(board, stores.combat(piece, attacking=True)) if piece.counter.attack_capable else None,
        "defence": _means(board, stores.combat(piece, attacking=False)),
        "fuel": _means(board, stores.fuel(piece)),
        "reason": sentences[0] if trace.in_supply else " ".join(sentences[:2]),
        "explain": list(sentences),
        "rules": list(trace.rules),
        "basis": basis.as_dict(),
    }


def unit_row(board: Board, piece: Piece) -> Row:
    """What a unit is and where it stands; `hex` is null in a holding box, `place` the box or the hex's name."""
    at, counter = piece.at, piece.counter
    on_map = isinstance(at, int)
    return {
        "id": piece.id,
        "label": counter.label,
        "side": counter.side,
        "type": counter.type,
        "strength": counter.strength,
        "hex": board.label(at) if isinstance(at, int) else None,
        "place": board.names.get(at) if isinstance(at, int) else str(at),
        "mode": piece.mode if on_map else None,
        "dg": piece.dg,
    }


def transport_row(state: State, points: str) -> Row:
    """The row of transport points: they are no combat units, so that they neither trace nor eat nor pay."""
    found, board = state.transport[points], state.board
    at = found.at
    sentence = f"{found.kind.capitalize()} transport needs no trace supply; it carries {found.load} of {found.size} T."
    nothing = {"tokens": 0, "source": None, "from": None, "by": None}
    return {
        "id": found.id,
        "label": found.id,
        "side": found.side,
        "type": f"{found.kind} transport",
        "strength": "",
        "hex": board.label(at) if isinstance(at, int) else None,
        "place": board.names.get(at) if isinstance(at, int) else str(at),
        "mode": None,
        "dg": False,
        "marker": False,
        "projected": "none",
        "source": None,
        "eats_from": None,
        "legs": [],
        "misses": [],
        "attack": None,
        "defence": nothing,
        "fuel": nothing,
        "reason": sentence,
        "explain": [sentence],
        "rules": [],
        "basis": Basis().as_dict(),
    }


def _leg(board: Board, leg: Leg) -> Row:
    return {
        "kind": leg.kind,
        "hexes": [board.label(h) for h in leg.hexes],
        "cost": leg.cost,
        "limit": leg.limit,
        "unit": leg.unit or None,
        "by": leg.by or None,
    }


def _miss(board: Board, miss: Miss) -> Row:
    return {
        "way": miss.way,
        "stopped": miss.stopped,
        "by": miss.by or None,
        "cost": miss.cost,
        "limit": miss.limit,
        "short": miss.short,
        "unit": miss.unit or None,
        "at": board.label(miss.at) if miss.at is not None else None,
        "whose": miss.whose or None,
        "hexes": [board.label(h) for h in miss.hexes],
        "text": miss_sentence(board, miss),
    }


def _means(board: Board, means: Means) -> Row:
    way = means.way
    return {
        "tokens": means.cost,
        "source": means.source or None,
        "from": board.label(way.store) if way else None,
        "by": (way.hq or None) if way else None,
    }
