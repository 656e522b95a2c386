"""What may stand in a state that was read from a save: places on the map, words of the rules, counters that exist.

The engine has seen to the types; whatever is said here is what a rule would otherwise stumble over later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from burma_study.boards.board import load_board
from burma_study.engine.shapes import Fits, fits, short, words
from burma_study.rules.ocs.air.aircraft import air_types
from burma_study.rules.ocs.charts import check_chart
from burma_study.rules.ocs.counters import SIDES, counters
from burma_study.rules.ocs.goods.losses import KINDS
from burma_study.rules.ocs.state import MODES, PHASES, Base, Dump, Hedgehog, Piece, TraceSource, Transport
from burma_study.rules.ocs.state import Aircraft as Plane
from burma_study.rules.ocs.turn.script import Script

FACES = ("combat", "move")
WORDS: Mapping[str, tuple[str, ...]] = {"phase": PHASES, "player": SIDES, "first": SIDES}
MARKERS: Mapping[str, Any] = {
    "air": tuple[Any, ...],
    "area": tuple[int, ...],
    "barrage": tuple[tuple[str, Any], ...],
    "bases": int,
    "battle": tuple[tuple[str, Any], ...],
    "calendar": tuple[str, ...],
    "clearings": tuple[int, ...],
    "closed_boxes": tuple[str, ...],
    "control": str,
    "decimation": int,
    "ended": str,
    "eq": int,
    "hump": int | Fraction,
    "hump_turns": tuple[int, ...],
    "income": int,
    "initiative": str,
    "pax": int,
    "rail": int,
    "reserve": int,
    "returning": int,
    "road_head": int,
    "script": Script,
    "segment": tuple[Any, ...],
    "sets_up_first": str,
    "sources": tuple[TraceSource, ...],
    "stops": str,
}
"""Types of markers by the first part of their name; those of other names are anything."""
PLACES = ("area", "clearings")  # markers that hold hexes


def senseless(table: str, key: Any, value: Any) -> str:
    """What is wrong with an entry whose type is right, or ""; `table` is `state` for scalars."""
    check = _CHECKS.get(table)
    found = next(check(key, value), "") if check else ""
    return f"{table}, {key}: {found}" if found else ""


def _scalar(key: str, value: Any) -> Iterator[str]:
    yield from _word(key, value, WORDS.get(key, ()))
    if key == "turn":
        yield from _least("turn", value, 0)
    if key == "rules":
        for name, text in value.user_charts:
            yield from (f"of a reader's own charts, {problem}" for problem in check_chart(name, text))


def _word(name: str, value: str, known: tuple[str, ...]) -> Iterator[str]:
    if known and value not in known:
        yield f"{name} is {short(value)}, which is none of {', '.join(known)}"


def _least(name: str, value: int, least: int, most: int = 10**6) -> Iterator[str]:
    if not least <= value <= most:
        yield f"{name} is {value}, which is not from {least} to {most}"


def _where(name: str, value: int | str) -> Iterator[str]:
    if isinstance(value, int) and not 0 <= value < _hexes():
        yield f"{name} is {value}, which is no hex of the map"


@lru_cache(maxsize=1)
def _hexes() -> int:
    return len(load_board("ocs"))


def _named(key: str, id_: str, known: Mapping[str, Any] | None) -> Iterator[str]:
    if id_ != key:
        yield f"its id is {short(id_)}"
    if known is not None and id_ not in known:
        yield "there is no such counter"


def _piece(key: str, p: Piece) -> Iterator[str]:
    yield from _named(key, p.id, counters())
    yield from _where("at", p.at)
    yield from _word("mode", p.mode, MODES)
    yield from _word("face", p.face, FACES)
    yield from _least("steps", p.steps, 0)
    yield from _least("stocks", p.stocks, 0, 2)
    yield from _least("spent", p.spent, 0)


def _transport(key: str, t: Transport) -> Iterator[str]:
    yield from _named(key, t.id, None)
    yield from _where("at", t.at)
    yield from _word("side", t.side, SIDES)
    yield from _word("kind", t.kind, KINDS)
    for name in ("size", "load", "spent"):
        yield from _least(name, getattr(t, name), 0)


def _plane(key: str, a: Plane) -> Iterator[str]:
    yield from _named(key, a.id, None)
    yield from _where("at", a.at)
    yield from _word("side", a.side, SIDES)
    yield from _word("type", a.type, tuple(air_types()))
    yield from _least("steps", a.steps, 0, 2)


def _dump(key: int | str, d: Dump) -> Iterator[str]:
    yield from _where("its place", key)
    yield from _word("side", d.side, SIDES)
    yield from _least("tokens", d.tokens, 0)


def _work(most: int) -> Callable[[Any, Any], Iterator[str]]:
    def check(key: int | str, work: Base | Hedgehog) -> Iterator[str]:
        yield from _where("its place", key)
        yield from _word("side", work.side, SIDES)
        yield from _least("level", work.level, 0, most)

    return check


@lru_cache(maxsize=64)
def _marker_shape(name: str) -> Fits:
    return fits(MARKERS[name])


def _marker(key: str, value: Any) -> Iterator[str]:
    head = key.split("/")[0]
    if head in MARKERS and not _marker_shape(head)(value):
        yield f"it is {short(value)}, which should be {words(MARKERS[head])}"
    elif head in PLACES:
        for hex_ in value:
            yield from _where("one of them", hex_)
    elif head == "sources":
        for source in value:
            yield from _where("one of them", source.hex)


_CHECKS: Mapping[str, Callable[[Any, Any], Iterator[str]]] = {
    "state": _scalar,
    "pieces": _piece,
    "transport": _transport,
    "aircraft": _plane,
    "dumps": _dump,
    "hedgehogs": _work(4),
    "bases": _work(3),
    "markers": _marker,
}
