"""A step of a line as a state of OCS Burma, and as the edit orders that lead there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from burma_study.engine.orders import Order
from burma_study.rules.ocs.counters import counter
from burma_study.rules.ocs.orders import NextStep, Place, Remove, SetDump, SetHedgehog, SetTransport, face_of
from burma_study.rules.ocs.state import Dump, Hedgehog, Piece, State, Transport, Where
from burma_study.scenarios.starting import dead_pile, start

if TYPE_CHECKING:
    from burma_study.study.line import Step

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


def orders_between(scenario: str, before: State | None, after: State) -> tuple[Order, ...]:
    """Edit orders that give `before` (None: the scenario's start) the turn, weather, pieces and goods of `after`."""
    old = before or start(scenario)
    return (*_next(old, after), *_units(old, after), *_carriers(old, after), *_dug(old, after), *_supplies(old, after))


def _next(old: State, new: State) -> tuple[NextStep, ...]:
    def word(name: str) -> str:
        return str(getattr(new, name)) if getattr(new, name) != getattr(old, name) else ""

    turn = new.turn if new.turn != old.turn else 0
    order = NextStep(turn, "", "", "", word("weather"), word("ground"), word("air_ops"))
    return (order,) if any((turn, order.weather, order.ground, order.air_ops)) else ()


def _units(old: State, new: State) -> Iterator[Order]:
    yield from (Remove("unit", id_) for id_ in sorted(old.pieces) if id_ not in new.pieces)
    yield from (Place.of(p) for id_, p in sorted(new.pieces.items()) if old.pieces.get(id_) != p)


def _carriers(old: State, new: State) -> Iterator[Order]:
    yield from (Remove("transport", id_) for id_ in sorted(old.transport) if id_ not in new.transport)
    yield from (SetTransport.of(id_, t) for id_, t in sorted(new.transport.items()) if old.transport.get(id_) != t)


def _dug(old: State, new: State) -> Iterator[Order]:
    gone = {at: h for at, h in old.hedgehogs.items() if at not in new.hedgehogs}
    yield from (SetHedgehog.gone(at, h) for at, h in sorted(gone.items(), key=_by_place))
    now = {at: h for at, h in new.hedgehogs.items() if old.hedgehogs.get(at) != h}
    yield from (SetHedgehog.of(at, h) for at, h in sorted(now.items(), key=_by_place))


def _supplies(old: State, new: State) -> Iterator[Order]:
    gone = {at: d for at, d in old.dumps.items() if at not in new.dumps}
    yield from (SetDump.gone(at, d) for at, d in sorted(gone.items(), key=_by_place))
    now = {at: d for at, d in new.dumps.items() if old.dumps.get(at) != d}
    yield from (SetDump.of(at, d) for at, d in sorted(now.items(), key=_by_place))


def _by_place(entry: tuple[Where, object]) -> str:
    return f"{entry[0]:>6}"
