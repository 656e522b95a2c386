"""A step of a line as a state of OCS Burma."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from burma_study.rules.ocs.counters import counter
from burma_study.rules.ocs.goods.losses import dead_pile
from burma_study.rules.ocs.orders import face_of
from burma_study.rules.ocs.setup.starting import start
from burma_study.rules.ocs.state import Dump, Hedgehog, Piece, State, Transport, Where

if TYPE_CHECKING:
    from burma_study.games.ocs.line import Step

TABLES = ("pieces", "dumps", "transport", "hedgehogs")


def line_state(step: Step) -> State:
    """The state at the beginning of the step's turn: the scenario's start with pieces, dumps, transport and hedgehogs
    of the step in place of its own; sources, bases, aircraft and limits stay. Units not yet arrived are not in it.
    """
    base = start(step.scenario)
    if step.index:
        base = base.with_(
            turn=step.turn, weather=step.weather.weather, ground=step.weather.ground, air_ops=step.weather.air_ops
        )
    tables: dict[str, Mapping[Any, object]] = {
        "pieces": _pieces(step, base),
        "dumps": _dumps(step, base),
        "transport": _transport(step, base),
        "hedgehogs": {_where(base, w.hex): Hedgehog(w.side, w.level) for w in step.hedgehogs},
    }
    for name in TABLES:
        base = _replaced(base, name, tables[name])
    return base


def _where(state: State, place: str) -> Where:
    return state.board.grid.index(place) if "." in place else place


def _pieces(step: Step, base: State) -> dict[str, Piece]:
    out: dict[str, Piece] = {}
    for p in step.positions:
        if p.hex != "off":
            at = dead_pile(counter(p.unit)) if p.hex == "dead" else _where(base, p.hex)
            out[p.unit] = Piece(p.unit, at, p.mode, face_of(p.mode))
    return out


def _dumps(step: Step, base: State) -> dict[Where, Dump]:
    return {_where(base, s.hex): Dump(s.side, s.tokens) for s in step.dumps}


def _transport(step: Step, base: State) -> dict[str, Transport]:
    return {
        c.id: Transport(c.id, c.side, c.kind, c.capacity, _where(base, c.hex), c.load, c.extender)
        for c in step.carriers
    }


def _replaced(state: State, table: str, wanted: Mapping[Any, object]) -> State:
    """The state with exactly the wanted entries in one table."""
    for key in [k for k in getattr(state, table) if k not in wanted]:
        state = state.put(table, key, None)
    for key, value in wanted.items():
        state = state.put(table, key, value)
    return state
