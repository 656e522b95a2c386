"""Two states side by side: who stands elsewhere, what was lost, supply and victory points of both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from burma_study.engine.asking import asked
from burma_study.engine.numbers import mixed
from burma_study.rules.ocs.counters import SIDES
from burma_study.rules.ocs.state import Piece, State, Where
from burma_study.rules.ocs.supply.on_map import OnMap
from burma_study.rules.ocs.supply.trace import supply
from burma_study.rules.ocs.supply.words import named, unit_name
from burma_study.rules.ocs.turn.victory import DEAD, totals, verdict
from burma_study.study.play import Play

Mark = tuple[int, str, str]  # hex, kind, remark
Row = dict[str, Any]
SHOWN = ("mode", "steps", "dg", "oos", "stocks")
WORDS = {"dg": "disorganised", "oos": "out of supply"}


@dataclass(frozen=True, slots=True)
class Change:
    """One unit that is otherwise: `kind` moved, gone, fresh or other, where it is in the first and the second state."""

    unit: str
    kind: str
    first: Where | None
    second: Where | None
    words: str


@asked
def changes(first: State, second: State) -> tuple[Change, ...]:
    """Units of which the second state says something else than the first, by id."""
    ids = sorted({*first.pieces, *second.pieces})
    pairs = ((i, first.pieces.get(i), second.pieces.get(i)) for i in ids)
    return tuple(c for i, a, b in pairs if (c := _change(first, i, a, b)) is not None)


def _change(state: State, unit: str, a: Piece | None, b: Piece | None) -> Change | None:
    was, now = _at(a), _at(b)
    if was != now:
        kind = "gone" if now is None else "fresh" if was is None else "moved"
        return Change(unit, kind, was, now, f"{_where(state, a)} → {_where(state, b)}")
    if a is None or b is None or now is None:
        return None
    told = [f"{n} {_value(getattr(a, n))} → {_value(getattr(b, n))}" for n in SHOWN if getattr(a, n) != getattr(b, n)]
    return Change(unit, "other", was, now, ", ".join(told)) if told else None


def _at(piece: Piece | None) -> Where | None:
    """Hex or box; None for units not in play or dead."""
    return None if piece is None or piece.at in DEAD else piece.at


def _where(state: State, piece: Piece | None) -> str:
    if piece is None:
        return "not in play"
    return named(state.board, piece.at) if isinstance(piece.at, int) else str(piece.at).replace("_", " ")


def _value(value: object) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def hex_marks(found: tuple[Change, ...], *, first: bool = False) -> list[Mark]:
    """A mark for each hex in which one of the states has something else, as seen on the second map (or the first)."""
    out: dict[int, tuple[str, list[str]]] = {}
    for change in found:
        here, there = (change.first, change.second) if first else (change.second, change.first)
        name = unit_name(change.unit)
        if isinstance(here, int):
            kind = "other" if change.kind == "other" else "gone" if first else "fresh"
            _note(out, here, kind, f"{name}: {change.words}" if kind == "other" else f"{name} only here")
        if isinstance(there, int) and there != here:
            _note(out, there, "fresh" if first else "gone", f"{name} only there")
    return [
        (h, kind, "; ".join(texts[:4]) + ("; …" if len(texts) > 4 else "")) for h, (kind, texts) in sorted(out.items())
    ]


def _note(out: dict[int, tuple[str, list[str]]], hex_: int, kind: str, text: str) -> None:
    known, texts = out.setdefault(hex_, (kind, []))
    texts.append(text)
    if known != kind:
        out[hex_] = ("moved", texts)


@asked
def marks(play: Play, first: int, second: int) -> list[Mark]:
    """Marks of two nodes of one game, as seen at the second."""
    session = play.session
    return hex_marks(changes(session.state_at(first), session.state_at(second)))


# sums ---------------------------------------------------------------------------------------------------------------


@asked
def summary(state: State) -> Row:
    """Victory points, level, and for each side units on the map, dead, in and out of supply, and tokens held."""
    points, found = totals(state), verdict(state)
    sides = {side: dict(_side(state, side)) for side in SIDES}
    return {"level": found.level, "why": found.why, "points": {s: mixed(points[s]) for s in SIDES}, "sides": sides}


def _side(state: State, side: str) -> Iterator[tuple[str, int]]:
    pieces = list(state.units(side))
    picture = supply(state, side)
    fed = {u for meal in OnMap(picture).meals() for u in meal.units}
    out = [t for t in picture.traces.values() if not t.in_supply]
    yield "Units on the map", sum(p.on_map for p in pieces)
    yield "Steps on the map", sum(p.steps for p in pieces if p.on_map)
    yield "Dead", sum(p.at in DEAD for p in pieces)
    yield "Disorganised", sum(p.dg for p in pieces if p.on_map)
    yield "Eating from dumps", sum(t.unit in fed for t in out)
    yield "Out of supply", sum(t.unit not in fed for t in out)
    yield "Tokens on the ground", sum(d.tokens for d in state.dumps.values() if d.side == side)
    yield "Tokens loaded", sum(t.load for t in state.transport.values() if t.side == side)


@asked
def compared(first: State, second: State) -> list[Row]:
    """The sums of two states, a row each: side, what, first, second, difference."""
    a, b = summary(first), summary(second)
    rows: list[Row] = []
    for side in SIDES:
        points = (a["points"][side], b["points"][side])
        rows.append({"side": side, "what": "Victory points", "first": points[0], "second": points[1]})
        for what, was in a["sides"][side].items():
            rows.append({"side": side, "what": what, "first": str(was), "second": str(b["sides"][side][what])})
    rows.append({"side": "", "what": "Level", "first": a["level"], "second": b["level"]})
    return rows
