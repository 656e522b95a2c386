"""A game state as a frame for the map: what each piece looks like and where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from burma_study.answers.frames import Counter, Frame, Marker
from burma_study.rules.ocs.counters import Counter as Printed
from burma_study.rules.ocs.counters import Face
from burma_study.rules.ocs.state import Piece, State

STOCKS = {2: "full", 1: "low", 0: "exhausted"}


def frame(state: State, title: str, date: str, **more: Any) -> Frame:
    """The pieces and markers of a state that stand on the map; `more` are further fields of the frame."""
    return Frame(title, date, tuple(counters(state)), tuple(markers(state)), **more)


def counters(state: State) -> Iterator[Counter]:
    """Every ground unit on the map, each stack ordered by weight: the heaviest attack on top."""
    for stack in _stacks(state.pieces.values()).values():
        for order, piece in enumerate(sorted(stack, key=_weight)):
            yield _counter(piece, order)


def counter_of(piece: Piece) -> Counter:
    """One piece as it is drawn, wherever it is."""
    return _counter(piece, 0)


def _stacks(pieces: Iterable[Piece]) -> Mapping[int, list[Piece]]:
    out: dict[int, list[Piece]] = {}
    for piece in pieces:
        if isinstance(piece.at, int):
            out.setdefault(piece.at, []).append(piece)
    return out


def _weight(piece: Piece) -> tuple[int, int, str]:
    face = piece.counter.combat
    return -(face.attack or 0), -(face.barrage or 0), piece.id


def _counter(piece: Piece, order: int) -> Counter:
    printed = piece.counter
    return Counter(
        id=piece.id,
        hex=piece.at if isinstance(piece.at, int) else 0,
        label=printed.label,
        side=printed.side,
        nationality=printed.nationality,
        symbol=printed.type,
        size=printed.size,
        formation=printed.formation,
        lines=_shown(piece),
        mode=piece.mode,
        dg=piece.dg,
        oos=piece.oos,
        stock=STOCKS[piece.stocks],
        order=order,
    )


def _shown(piece: Piece) -> tuple[str, str]:
    """The two lines, of which the map takes the first but in Move and Strat Mode; Reserves may lie Move side up."""
    combat, move = lines(piece.counter)
    return (move, move) if piece.mode == "reserve" and piece.face == "move" else (combat, move)


def lines(printed: Printed) -> tuple[str, str]:
    """Strength lines of the Combat and Move sides: attack, action rating, MA; for guns barrage, rating, range, MA."""
    if printed.is_hq:
        return f"({printed.throw or 0})-{printed.combat.ma}", f"({printed.move_throw or 0})-{printed.move.ma}"
    return printed.strength or _line(printed, printed.combat), _line(printed, printed.move)


def _line(printed: Printed, face: Face) -> str:
    if printed.is_artillery:
        return f"{face.barrage or 0}-{face.ar}-{face.range}-{face.ma}"
    attack = f"({face.attack or 0})" if printed.defend_only else str(face.attack or 0)
    return f"{attack}-{face.ar}-{face.ma}"


def markers(state: State) -> Iterator[Marker]:
    """Dumps, transport, bases, hedgehogs, aircraft and clearings on the map."""
    for at, dump in state.dumps.items():
        if isinstance(at, int) and dump.tokens:
            yield Marker(f"dump/{dump.side}/{at}", at, "dump", dump.side, amount=dump.tokens)
    for id_, points in state.transport.items():
        if isinstance(points.at, int):
            load = f", loaded {points.load}T" if points.load else ", empty"
            text = f"{points.size}T {points.kind}" + (", an extender" if points.extender else load)
            yield Marker(id_, points.at, "extender" if points.extender else points.kind, points.side, text, points.size)
    for at, base in state.bases.items():
        if isinstance(at, int):
            kind, text = ("airbase", f"level {base.level}") if base.level else ("airstrip", "")
            yield Marker(f"base/{at}", at, kind, base.side, text, base.level)
    for at, works in state.hedgehogs.items():
        if isinstance(at, int):
            yield Marker(f"hedgehog/{at}", at, "hedgehog", works.side, f"level {works.level}", works.level)
    for id_, plane in state.aircraft.items():
        if isinstance(plane.at, int):
            condition = "" if plane.steps > 1 else ", reduced"
            yield Marker(id_, plane.at, "air", plane.side, f"{plane.type}{condition}", plane.steps)
    for at in state.markers.get("clearings", ()):
        if isinstance(at, int):
            yield Marker(f"clearing/{at}", at, "clearing", "allied")
