"""Orders that put things in their places, as set-up, history and designers use them; 1 SP = 4 T, all goods in T."""

from __future__ import annotations

import json
import re
from typing import Any

from burma_study.engine.codec import Codec
from burma_study.engine.frames import Frame
from burma_study.engine.orders import INT, WORD, Order, Slot, choice_slot, flag_slot, order, slot
from burma_study.hexes.grid import Grid, ocs_grid
from burma_study.rules.ocs.counters import SIDES
from burma_study.rules.ocs.state import (
    MODES,
    OPTIONS,
    PHASES,
    Aircraft,
    Base,
    Dump,
    Hedgehog,
    Piece,
    Rules,
    State,
    TraceSource,
    Transport,
    Where,
)
from burma_study.rules.ocs.turn.script import TYPES as SCRIPT

CODEC = Codec(Rules, Piece, Transport, Dump, Aircraft, Base, Hedgehog, TraceSource, Frame, *SCRIPT)
KINDS_OF_TRANSPORT = ("truck", "mule", "wagon", "buffalo")
SERIES = ("1999", "v4.3")
_LABEL = r"[AB]\d{1,2}\.\d{2}"
_grid: Grid = ocs_grid()
HEXES = len(_grid)


def _read_where(text: str) -> Where:
    return _grid.index(text) if re.fullmatch(_LABEL, text) else text


def _write_where(at: Where) -> str:
    if isinstance(at, str):
        return at
    return _grid.label(at) if 0 <= at < HEXES else f"hex_{at}"


def _write_json(value: Any) -> str:
    return json.dumps(CODEC.plain(value), ensure_ascii=False)


WHERE = Slot("hex or box", rf"{_LABEL}|[a-z][a-z0-9_]*", _read_where, _write_where)
SIDE = choice_slot("side", SIDES)
MODE = choice_slot("mode", MODES)
FACE = choice_slot("face", ("combat", "move"))
PHASE = choice_slot("phase", PHASES)
VALUE = Slot("value", r".+", lambda text: CODEC.value(json.loads(text)), _write_json)
ENFORCEMENT = choice_slot("enforcement", ("enforce", "warn", "off"))


@order(
    "place {unit} at {at}[ in {mode} mode][, {face} side up][, {steps} steps][, {dg}][, {oos}][, stocks {stocks}]"
    "[, {spent}/12 MP spent][, {done}][, {fuelled}]",
    edit=True,
)
class Place(Order):
    """A counter at a hex, in a box or on a pile, with all that it shows; the side up follows the mode unless given."""

    unit: str = slot(WORD)
    at: Where = slot(WHERE)
    mode: str = slot(MODE, "combat")
    face: str = slot(FACE, "")
    steps: int = slot(INT, 1)
    dg: bool = slot(flag_slot("disorganised"), False)
    oos: bool = slot(flag_slot("out of supply"), False)
    stocks: int = slot(INT, 2)
    spent: int = slot(INT, 0)
    done: bool = slot(flag_slot("moved"), False)
    fuelled: bool = slot(flag_slot("fuelled"), False)

    @classmethod
    def of(cls, piece: Piece) -> Place:
        """The order that gives exactly this piece."""
        face = "" if piece.face == face_of(piece.mode) else piece.face
        marks = (piece.dg, piece.oos, piece.stocks, piece.spent, piece.done, piece.fuelled)
        return cls(piece.id, piece.at, piece.mode, face, piece.steps, *marks)

    @property
    def piece(self) -> Piece:
        """The piece as it will stand."""
        face = self.face or face_of(self.mode)
        marks = (self.dg, self.oos, self.stocks, self.spent, self.done, self.fuelled)
        return Piece(self.unit, self.at, self.mode, face, self.steps, *marks)


def face_of(mode: str) -> str:
    """The side of a counter that a mode shows when nothing else is said."""
    return "move" if mode in ("move", "strat") else "combat"


@order("remove {name}[, {what}]", edit=True)
class Remove(Order):
    """A unit, transport or aircraft taken out of the game."""

    name: str = slot(WORD)
    what: str = slot(choice_slot("kind of thing", ("unit", "transport", "aircraft")), "unit")


@order("dump {side} {tokens} T at {at}", edit=True)
class SetDump(Order):
    """Supply on the ground; 0 T takes the dump away."""

    side: str = slot(SIDE)
    tokens: int = slot(INT)
    at: Where = slot(WHERE)

    @classmethod
    def of(cls, at: Where, dump: Dump) -> SetDump:
        """The order that gives exactly this dump."""
        return cls(dump.side, dump.tokens, at)

    @classmethod
    def gone(cls, at: Where, dump: Dump) -> SetDump:
        """The order that takes it away."""
        return cls(dump.side, 0, at)


@order(
    "transport {name}, {side} {size} T {type} at {at}[, loaded {load} T][, {extender}][, {spent}/12 MP spent]"
    "[, {done}]",
    edit=True,
)
class SetTransport(Order):
    """Transport points of one kind; `size` and `load` in T."""

    name: str = slot(WORD)
    side: str = slot(SIDE)
    type: str = slot(choice_slot("kind of transport", KINDS_OF_TRANSPORT))
    size: int = slot(INT)
    at: Where = slot(WHERE)
    load: int = slot(INT, 0)
    extender: bool = slot(flag_slot("extender"), False)
    spent: int = slot(INT, 0)
    done: bool = slot(flag_slot("moved"), False)

    @classmethod
    def of(cls, name: str, t: Transport) -> SetTransport:
        """The order that gives exactly this transport."""
        return cls(name, t.side, t.kind, t.size, t.at, t.load, t.extender, t.spent, t.done)

    @staticmethod
    def gone(name: str, _: Transport) -> Remove:
        """The order that takes it away."""
        return Remove(name, "transport")


@order("aircraft {name}, {side} {type} at {at}[, {steps} step][, {active}][, {dg}]", edit=True)
class SetAircraft(Order):
    """An air unit at a base, strip or box; `steps` 2 full, 1 reduced."""

    name: str = slot(WORD)
    side: str = slot(SIDE)
    type: str = slot(WORD)
    at: Where = slot(WHERE)
    steps: int = slot(INT, 2)
    active: bool = slot(flag_slot("active", "inactive"), True)
    dg: bool = slot(flag_slot("disorganised"), False)

    @classmethod
    def of(cls, name: str, a: Aircraft) -> SetAircraft:
        """The order that gives exactly this air unit."""
        return cls(name, a.side, a.type, a.at, a.steps, a.active, a.dg)

    @staticmethod
    def gone(name: str, _: Aircraft) -> Remove:
        """The order that takes it away."""
        return Remove(name, "aircraft")


@order("hedgehog {side} level {level} at {at}", edit=True)
class SetHedgehog(Order):
    """A hedgehog of level 1 to 4; 0 takes it away."""

    side: str = slot(SIDE)
    level: int = slot(INT)
    at: Where = slot(WHERE)

    @classmethod
    def of(cls, at: Where, value: Hedgehog) -> SetHedgehog:
        """The order that gives exactly this one."""
        return cls(value.side, value.level, at)

    @classmethod
    def gone(cls, at: Where, value: Hedgehog) -> SetHedgehog:
        """The order that takes it away."""
        return cls(value.side, 0, at)


@order("base {side} level {level} at {at}", edit=True)
class SetBase(Order):
    """An air base of level 1 to 3, or an airstrip (0); -1 takes it away."""

    side: str = slot(SIDE)
    level: int = slot(INT)
    at: Where = slot(WHERE)

    @classmethod
    def of(cls, at: Where, value: Base) -> SetBase:
        """The order that gives exactly this one."""
        return cls(value.side, value.level, at)

    @classmethod
    def gone(cls, at: Where, value: Base) -> SetBase:
        """The order that takes it away."""
        return cls(value.side, -1, at)


@order("marker {name} is {value}", edit=True)
class SetMarker(Order):
    """Any other marker by name, its value as JSON; null takes it away."""

    name: str = slot(WORD)
    value: Any = slot(VALUE)

    @classmethod
    def of(cls, name: str, value: Any) -> SetMarker:
        """The order that gives exactly this value."""
        return cls(name, value)

    @classmethod
    def gone(cls, name: str, _: Any) -> SetMarker:
        """The order that takes it away."""
        return cls(name, None)


@order("score {name} is {value}", edit=True)
class SetScore(Order):
    """A victory item by name, its value as JSON; null takes it away."""

    name: str = slot(WORD)
    value: Any = slot(VALUE)

    @classmethod
    def of(cls, name: str, value: Any) -> SetScore:
        """The order that gives exactly this value."""
        return cls(name, value)

    @classmethod
    def gone(cls, name: str, _: Any) -> SetScore:
        """The order that takes it away."""
        return cls(name, None)


@order(
    "next[ turn {turn}][, {phase} phase][ of {player}][, first {first}][, weather {weather}][, ground {ground}]"
    "[, air ops {air_ops}]",
    edit=True,
)
class NextStep(Order):
    """Another turn, phase, player or weather, as a step of history brings it; what is left out stays as it is."""

    turn: int = slot(INT, 0)
    phase: str = slot(PHASE, "")
    player: str = slot(SIDE, "")
    first: str = slot(SIDE, "")
    weather: str = slot(WORD, "")
    ground: str = slot(WORD, "")
    air_ops: str = slot(WORD, "")


@order("enforcement {mode}", edit=True)
class SetEnforcement(Order):
    """How strictly the rules are kept: enforce, warn (allowed and marked) or off."""

    mode: str = slot(ENFORCEMENT)


@order("option {option} {on}", edit=True)
class SetOption(Order):
    """An optional rule of the game, opt0 to opt10, on or off."""

    option: str = slot(choice_slot("option", OPTIONS))
    on: bool = slot(flag_slot("on", "off"))


@order("series {version}", edit=True)
class SetSeries(Order):
    """The version of the series rules: 1999 or v4.3."""

    version: str = slot(choice_slot("version", SERIES))


ALWAYS = (SetEnforcement, SetOption, SetSeries)
_SETTERS: dict[str, Any] = {
    "dumps": SetDump,
    "transport": SetTransport,
    "aircraft": SetAircraft,
    "hedgehogs": SetHedgehog,
    "bases": SetBase,
    "markers": SetMarker,
    "score": SetScore,
}


def orders_between(before: State, after: State) -> tuple[Order, ...]:
    """The orders that change one state into another of the same scenario and rules; frames are not changed.

    Given together with enforcement `off` they are one step of history in a record.
    """
    clock = {f: getattr(after, f) for f in NextStep.form.slots if getattr(after, f) != getattr(before, f)}
    out: list[Order] = [NextStep(**clock)] if clock else []
    out += [Remove(id_, "unit") for id_ in sorted(before.pieces) if id_ not in after.pieces]
    out += [Place.of(p) for id_, p in sorted(after.pieces.items()) if before.pieces.get(id_) != p]
    for table, setter in _SETTERS.items():
        was, now = getattr(before, table), getattr(after, table)
        out += [setter.gone(key, was[key]) for key in sorted(was, key=str) if key not in now]
        out += [setter.of(key, now[key]) for key in sorted(now, key=str) if was.get(key) != now[key]]
    return tuple(out)
