"""Orders that put things in their places: set-up, history's own moves, a designer's experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from burma_study.datafiles import read_rows
from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import Order
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules, Room
from burma_study.engine.step import Step
from burma_study.rules.ocs.counters import SIDES, counters
from burma_study.rules.ocs.orders import (
    ALWAYS,
    HEXES,
    KINDS_OF_TRANSPORT,
    SERIES,
    NextStep,
    Place,
    Remove,
    SetAircraft,
    SetBase,
    SetDump,
    SetEnforcement,
    SetHedgehog,
    SetMarker,
    SetOption,
    SetScore,
    SetSeries,
    SetTransport,
)
from burma_study.rules.ocs.state import (
    MODES,
    OPTIONS,
    PHASES,
    Aircraft,
    Base,
    Dump,
    Hedgehog,
    Rules,
    State,
    TraceSource,
    Transport,
    Where,
)

PILES = ("dead", "dead_bn", "gone", "later", "arakan", "off_map")
TABLE_OF = {"unit": "pieces", "transport": "transport", "aircraft": "aircraft"}


@lru_cache(maxsize=1)
def places_off_map() -> frozenset[str]:
    """Holding boxes and piles, by the name that `at` has there."""
    return frozenset({*PILES, *(row["box"] for row in read_rows("boards/ocs/boxes.csv"))})


# what cannot be ----------------------------------------------------------------------------------------------------


def _where(at: Where) -> Iterator[Reason]:
    if isinstance(at, str):
        if at not in places_off_map():
            yield because("no-such-box", at=at, known=tuple(sorted(places_off_map())), hard=True)
    elif not 0 <= at < HEXES:
        yield because("no-such-hex", at=at, last=HEXES - 1, hard=True)


def _word(slot: str, value: object, known: tuple[str, ...]) -> Iterator[Reason]:
    if value not in known:
        yield because("unknown-word", slot=slot, value=value, known=known, hard=True)


def _range(slot: str, value: int, low: int, high: int) -> Iterator[Reason]:
    if not low <= value <= high:
        yield because("not-within", slot=slot, value=value, low=low, high=high, hard=True)


def _place(state: State, order: Place) -> Iterator[Reason]:
    if order.unit not in counters():
        yield because("unknown-counter", unit=order.unit, hard=True)
    yield from _where(order.at)
    yield from _word("mode", order.mode, MODES)
    yield from _word("face", order.face, ("", "combat", "move"))
    yield from _range("stocks", order.stocks, 0, 2)
    yield from _range("steps", order.steps, 1, 4)


def _remove(state: State, order: Remove) -> Iterator[Reason]:
    yield from _word("kind of thing", order.what, tuple(TABLE_OF))
    if order.what in TABLE_OF and order.name not in getattr(state, TABLE_OF[order.what]):
        yield because("not-in-play", what=order.what, name=order.name, hard=True)


def _dump(state: State, order: SetDump) -> Iterator[Reason]:
    yield from _word("side", order.side, SIDES)
    yield from _where(order.at)
    yield from _range("tokens", order.tokens, 0, 9999)


def _transport(state: State, order: SetTransport) -> Iterator[Reason]:
    yield from _word("side", order.side, SIDES)
    yield from _word("kind of transport", order.type, KINDS_OF_TRANSPORT)
    yield from _where(order.at)
    yield from _range("size", order.size, 1, 9999)
    yield from _range("load", order.load, 0, 9999)


def _aircraft(state: State, order: SetAircraft) -> Iterator[Reason]:
    yield from _word("side", order.side, SIDES)
    yield from _where(order.at)
    yield from _range("steps", order.steps, 1, 2)


def _level(low: int, high: int) -> Callable[[State, Any], Iterator[Reason]]:
    def check(state: State, order: SetHedgehog | SetBase) -> Iterator[Reason]:
        yield from _word("side", order.side, SIDES)
        yield from _where(order.at)
        yield from _range("level", order.level, low, high)

    return check


def _marker(state: State, order: SetMarker | SetScore) -> Iterator[Reason]:
    if isinstance(order, SetMarker) and order.name == "sources" and order.value is not None:
        value = order.value if isinstance(order.value, tuple) else (order.value,)
        if not all(isinstance(source, TraceSource) for source in value):
            yield because("unknown-word", slot="value of sources", value=value, known=("TraceSource",), hard=True)


def _next(state: State, order: NextStep) -> Iterator[Reason]:
    if state.frames:
        top = state.frames[-1]
        yield because("decision-open", actor=top.actor, procedure=top.procedure, kinds=top.answers, hard=True)
    yield from _word("phase", order.phase, ("", *PHASES))
    yield from _word("player", order.player, ("", *SIDES))
    yield from _word("first player", order.first, ("", *SIDES))
    yield from _range("turn", order.turn, 0, 999)


def _named(slot: str, known: tuple[str, ...]) -> Callable[[State, Any], Iterator[Reason]]:
    return lambda _, order: _word(slot, getattr(order, slot), known)


_IMPOSSIBLE: dict[type[Order], Callable[[State, Any], Iterator[Reason]]] = {
    Place: _place,
    Remove: _remove,
    SetDump: _dump,
    SetTransport: _transport,
    SetAircraft: _aircraft,
    SetHedgehog: _level(0, 4),
    SetBase: _level(-1, 3),
    SetMarker: _marker,
    SetScore: _marker,
    NextStep: _next,
    SetEnforcement: _named("mode", ("enforce", "warn", "off")),
    SetOption: _named("option", OPTIONS),
    SetSeries: _named("version", SERIES),
}


# what may not be ---------------------------------------------------------------------------------------------------


def _not_allowed(state: State, order: Order) -> Iterator[Reason]:
    if state.phase != "setup":
        yield because("set-up-only", phase=state.phase)
    at = getattr(order, "at", None)
    if isinstance(at, int) and state.board.terrain[at] == "off":
        yield because("off-terrain", at)
    match order:
        case Place(unit, int(hex_)):
            side = counters()[unit].side
            enemies = tuple(p.id for p in state.pieces.values() if p.at == hex_ and p.counter.side != side)
            if enemies:
                yield because("enemy-there", hex_, units=enemies)
        case SetTransport(name, load=load, size=size) if load > size:
            yield because("overloaded", name=name, load=load, size=size)
        case NextStep(turn) if 0 < turn < state.turn:
            yield because("past", turn=turn, now=state.turn)


# carrying out ------------------------------------------------------------------------------------------------------


def _carry_place(step: Step[State], order: Place) -> None:
    kind = "moved" if order.unit in step.state.pieces else "placed"
    step.put(kind, "pieces", order.unit, order.piece)


def _carry_transport(step: Step[State], o: SetTransport) -> None:
    value = Transport(o.name, o.side, o.type, o.size, o.at, o.load, o.extender, o.spent, o.done)
    step.put("transport", "transport", o.name, value)


def _carry_aircraft(step: Step[State], o: SetAircraft) -> None:
    step.put("aircraft", "aircraft", o.name, Aircraft(o.name, o.side, o.type, o.at, o.steps, o.active, o.dg))


def _carry_dump(step: Step[State], o: SetDump) -> None:
    step.put("dump", "dumps", o.at, Dump(o.side, o.tokens) if o.tokens else None)


def _carry_hedgehog(step: Step[State], o: SetHedgehog) -> None:
    step.put("hedgehog", "hedgehogs", o.at, Hedgehog(o.side, o.level) if o.level else None)


def _carry_base(step: Step[State], o: SetBase) -> None:
    step.put("base", "bases", o.at, Base(o.side, o.level) if o.level >= 0 else None)


def _carry_next(step: Step[State], order: NextStep) -> None:
    names = ("turn", "phase", "player", "first", "weather", "ground", "air_ops")
    step.set("next", **{name: value for name in names if (value := getattr(order, name))})


def _carry_rules(change: Callable[[Rules, Any], Rules]) -> Callable[[Step[State], Any], None]:
    return lambda step, order: step.set("rules", rules=change(step.state.rules, order))


def _with_option(rules: Rules, order: SetOption) -> Rules:
    chosen = {*rules.options, order.option} if order.on else {*rules.options} - {order.option}
    return replace(rules, options=tuple(o for o in OPTIONS if o in chosen))


_CARRY: dict[type[Order], Callable[[Step[State], Any], None]] = {
    Place: _carry_place,
    Remove: lambda step, o: step.put("removed", TABLE_OF[o.what], o.name, None),
    SetDump: _carry_dump,
    SetTransport: _carry_transport,
    SetAircraft: _carry_aircraft,
    SetHedgehog: _carry_hedgehog,
    SetBase: _carry_base,
    SetMarker: lambda step, o: step.put("marker", "markers", o.name, o.value),
    SetScore: lambda step, o: step.put("score", "score", o.name, o.value),
    NextStep: _carry_next,
    SetEnforcement: _carry_rules(lambda rules, o: replace(rules, enforcement=o.mode)),
    SetOption: _carry_rules(_with_option),
    SetSeries: _carry_rules(lambda rules, o: replace(rules, version=o.version)),
}

_WORDS: dict[tuple[str, str], tuple[Any, ...]] = {
    ("enforcement", "mode"): ("enforce", "warn", "off"),
    ("option", "option"): OPTIONS,
    ("option", "on"): (True, False),
    ("series", "version"): SERIES,
    ("remove", "what"): tuple(TABLE_OF),
    ("transport", "type"): KINDS_OF_TRANSPORT,
    ("", "mode"): MODES,
    ("", "face"): ("combat", "move"),
    ("", "phase"): PHASES,
    ("", "side"): SIDES,
    ("", "player"): SIDES,
    ("", "first"): SIDES,
}


def _choices(state: State, partial: Partial, slot: str) -> Iterable[Choice] | None:
    """Words for the slots that have a list of them; hexes and numbers are free."""
    if slot == "unit":
        return [Choice(c.id, c.label) for c in counters().values()]
    if slot == "name" and partial.kind == "remove":
        known = getattr(state, TABLE_OF[partial.values.get("what", "unit")])
        return [Choice(name, name) for name in sorted(known)]
    words = _WORDS.get((partial.kind, slot)) or _WORDS.get(("", slot))
    return None if words is None else [Choice(value, str(value)) for value in words]


def _allowed(state: State, order: Order) -> Iterable[Reason]:
    return () if isinstance(order, ALWAYS) else _not_allowed(state, order)


PLACING = Room(
    "placing", {kind: OrderRules(_IMPOSSIBLE[kind], _allowed, _CARRY[kind], _choices) for kind in _IMPOSSIBLE}
)
