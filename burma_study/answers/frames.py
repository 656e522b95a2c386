"""What a map shows at one step, as plain data, and the compact form in which it travels to the browser.

A `Frame` is a list of counters and markers with everything a reader can see of them. A `Film` is a run of frames: what
never changes about a counter (its look) is sent once as the roster; what changes goes as rows of ten bytes, in full at
each key frame (one a player-turn) and as differences between. Nothing here knows a widget or a rule.
"""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from burma_study.errors import BurmaStudyError

MODES = ("combat", "move", "reserve", "strat", "exploit")
STOCKS = ("full", "low", "exhausted")
SUPPLY = ("", "in", "eats", "out", "hq", "none")
"""Supply of a unit: '' not worked out, in (traces), eats (from a dump), out, hq (heads a line), none (needs none)."""

ROW = struct.Struct("<HHHHBB")
GONE = 0xFFFF
WHOLE = 60_000
"""Bytes of rows up to which a film travels in one piece."""
_DG, _OOS, _HURT = 1 << 6, 1 << 7, 1 << 8


@dataclass(frozen=True, slots=True)
class Counter:
    """A unit on the map.

    `lines` are the strength lines of its Combat and Move sides, as printed; `order` 0 is the top of its stack.
    """

    id: str
    hex: int
    label: str
    side: str
    nationality: str
    symbol: str
    size: str = "bn"
    formation: str = ""
    lines: tuple[str, str] = ("", "")
    mode: str = "combat"
    dg: bool = False
    oos: bool = False
    stock: str = "full"
    supply: str = ""
    order: int = 0
    hurt: bool = False


@dataclass(frozen=True, slots=True)
class Marker:
    """Something on the map that is no unit: hedgehog, dump, truck, mule, wagon, airbase, extender, clearing, air."""

    id: str
    hex: int
    kind: str
    side: str = ""
    label: str = ""
    amount: int = 0


@dataclass(frozen=True, slots=True)
class Overlay:
    """A value for some hexes, 0-255, to be shaded: a zone of control, a reach, a draw range."""

    key: str
    title: str
    values: Mapping[int, int]
    unit: str = ""

    def payload(self) -> dict[str, object]:
        """JSON form: hexes as base64 uint16, values as base64 uint8 (left out where they are all 1)."""
        hexes = sorted(self.values)
        out: dict[str, object] = {"key": self.key, "title": self.title, "unit": self.unit, "hexes": shorts(hexes)}
        if self.unit:
            out["scale"] = int(self.unit.partition("/")[2] or 1)
        if any(self.values[h] != 1 for h in hexes):
            out["values"] = octets(min(255, max(0, self.values[h])) for h in hexes)
        return out


@dataclass(frozen=True, slots=True)
class Frame:
    """All that one step shows.

    `key` marks the frame that starts a player-turn; `spots` are remarks at hexes, `focus` is the hex to look at or -1.
    """

    title: str
    date: str
    counters: tuple[Counter, ...]
    markers: tuple[Marker, ...] = ()
    key: bool = True
    caption: str = ""
    level: str = "turn"
    spots: tuple[tuple[int, str], ...] = ()
    focus: int = -1

    def contested(self) -> tuple[int, ...]:
        """Hexes that hold units of both sides, in ascending order."""
        sides: dict[int, set[str]] = {}
        for counter in self.counters:
            sides.setdefault(counter.hex, set()).add(counter.side)
        return tuple(sorted(h for h, s in sides.items() if len(s) > 1))


Look = tuple[str, ...]


def _look(piece: Counter | Marker) -> Look:
    if isinstance(piece, Marker):
        return ("marker", piece.id, piece.label, piece.side, piece.kind)
    return (
        "unit",
        piece.id,
        piece.label,
        piece.side,
        piece.nationality,
        piece.symbol,
        piece.size,
        piece.formation,
        *piece.lines,
    )


def _status(piece: Counter | Marker) -> tuple[int, int, int, int]:
    """Flags, amount, order, supply: the changing part of a row after the hex."""
    if isinstance(piece, Marker):
        return 0, min(piece.amount, 0xFFFF), 0, 0
    flags = MODES.index(piece.mode) | STOCKS.index(piece.stock) << 4
    flags |= (_DG if piece.dg else 0) | (_OOS if piece.oos else 0) | (_HURT if piece.hurt else 0)
    return flags, 0, min(piece.order, 255), SUPPLY.index(piece.supply)


@dataclass(frozen=True)
class Film:
    """A run of frames, encoded: `roster` holds the looks, `rows[k]` maps a roster number to its row at step k.

    `area` names the hexes in play, where that is not the whole board.
    """

    frames: tuple[Frame, ...]
    hexes: int
    area: tuple[int, ...] = ()
    roster: tuple[Look, ...] = field(init=False)
    rows: tuple[dict[int, bytes], ...] = field(init=False)

    def __post_init__(self) -> None:
        if not self.frames:
            raise BurmaStudyError("A film of no frames cannot be shown; give at least one Frame.")
        index: dict[Look, int] = {}
        rows = tuple(self._encode(frame, index) for frame in self.frames)
        object.__setattr__(self, "roster", tuple(index))
        object.__setattr__(self, "rows", rows)

    def _encode(self, frame: Frame, index: dict[Look, int]) -> dict[int, bytes]:
        out: dict[int, bytes] = {}
        pieces: tuple[Counter | Marker, ...] = (*frame.counters, *frame.markers)
        for piece in pieces:
            if not 0 <= piece.hex < self.hexes:
                raise BurmaStudyError(
                    f"{piece.id!r} of frame {frame.title!r} is at hex number {piece.hex}; "
                    f"the board has 0 to {self.hexes - 1}."
                )
            number = index.setdefault(_look(piece), len(index))
            if number in out:
                raise BurmaStudyError(
                    f"{piece.id!r} is twice in frame {frame.title!r}; an id may be used once a frame."
                )
            out[number] = ROW.pack(number, piece.hex, *_status(piece))
        return out

    @property
    def starts(self) -> tuple[int, ...]:
        """Steps that begin a segment: the first, and every key frame."""
        return tuple(k for k, frame in enumerate(self.frames) if k == 0 or frame.key)

    def segment_of(self, step: int) -> int:
        """Number of the segment that holds a step."""
        return sum(1 for start in self.starts if start <= step) - 1

    def segment(self, number: int) -> dict[str, object]:
        """One player-turn: full rows at its start, then the changed rows of each further step."""
        bounds = (*self.starts, len(self.frames))
        start, end = bounds[number], bounds[number + 1]
        deltas = [_delta(a, b) for a, b in pairwise(self.rows[start:end])]
        return {"start": start, "key": _b64(b"".join(self.rows[start].values())), "deltas": [_b64(d) for d in deltas]}

    @cached_property
    def whole(self) -> bool:
        """Small enough to be held in full, so that stepping needs no further message."""
        return sum(len(row) for rows in self.rows for row in rows.values()) <= WHOLE

    def window(self, step: int) -> str:
        """JSON of what the browser holds: all segments of a small film, else that of `step` and one either side."""
        middle, count = self.segment_of(self.clamp(step)), len(self.starts)
        numbers = range(count) if self.whole else range(max(0, middle - 1), min(count, middle + 2))
        return json.dumps([self.segment(n) for n in numbers], separators=(",", ":"))

    def after(self, earlier: Film) -> list[dict[str, object]] | None:
        """What this film adds to an earlier one, a row a frame; None where it does not go on from it.

        `k` is the step, `at` the number of the first of its new `looks`, `rows` its rows in full (`key`) or as changes.
        """
        n, m = len(earlier.frames), len(earlier.roster)
        if self.rows[:n] != earlier.rows or self.roster[:m] != earlier.roster or self.area != earlier.area:
            return None
        if [_step(f) for f in self.frames[:n]] != [_step(f) for f in earlier.frames]:
            return None
        out: list[dict[str, object]] = []
        for k in range(n, len(self.frames)):
            shown = self.frames[k]
            rows = b"".join(self.rows[k].values()) if shown.key else _delta(self.rows[k - 1], self.rows[k])
            known = 1 + max((number for number in self.rows[k]), default=-1)
            looks = self.roster[m : max(m, known)]
            out.append({"k": k, "step": _step(shown), "key": shown.key, "rows": _b64(rows), "at": m, "looks": looks})
            m += len(looks)
        return out

    def clamp(self, step: int) -> int:
        """The nearest step that exists."""
        return min(max(int(step), 0), len(self.frames) - 1)

    def cast(self) -> str:
        """JSON of what goes once: the roster, the steps' titles, and the code words used in rows."""
        steps = [_step(f) for f in self.frames]
        words = {"modes": MODES, "stocks": STOCKS, "supply": SUPPLY, "area": shorts(self.area)}
        return json.dumps({"roster": self.roster, "steps": steps, **words}, separators=(",", ":"), ensure_ascii=False)


def _step(f: Frame) -> list[object]:
    return [f.title, f.date, f.level, int(f.key), f.caption, f.spots, f.focus]


def _delta(before: Mapping[int, bytes], after: Mapping[int, bytes]) -> bytes:
    changed = b"".join(row for number, row in after.items() if before.get(number) != row)
    return changed + b"".join(ROW.pack(number, GONE, 0, 0, 0, 0) for number in before if number not in after)


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def shorts(numbers: Iterable[int]) -> str:
    """Base64 of unsigned 16-bit integers, little-endian."""
    values = list(numbers)
    return _b64(struct.pack(f"<{len(values)}H", *values))


def octets(numbers: Iterable[int]) -> str:
    """Base64 of bytes."""
    return _b64(bytes(numbers))


def floats(numbers: Iterable[float]) -> str:
    """Base64 of 32-bit floats, little-endian."""
    values = list(numbers)
    return _b64(struct.pack(f"<{len(values)}f", *values))


def row_fields(row: bytes) -> dict[str, object]:
    """A row read back: roster number, hex, mode, stock, dg, oos, hurt, amount, order, supply."""
    number, hex_, flags, amount, order, supply = ROW.unpack(row)
    return {
        "number": number,
        "hex": hex_,
        "mode": MODES[flags & 15],
        "stock": STOCKS[flags >> 4 & 3],
        "dg": bool(flags & _DG),
        "oos": bool(flags & _OOS),
        "hurt": bool(flags & _HURT),
        "amount": amount,
        "order": order,
        "supply": SUPPLY[supply],
    }


def unpack_rows(text: str) -> list[dict[str, object]]:
    """The rows of a base64 run, for tests and readers of exported films."""
    data = base64.b64decode(text)
    return [row_fields(data[k : k + ROW.size]) for k in range(0, len(data), ROW.size)]


def stacked(counters: Sequence[Counter]) -> dict[int, tuple[Counter, ...]]:
    """Counters by hex, top of the stack first."""
    out: dict[int, list[Counter]] = {}
    for counter in sorted(counters, key=lambda c: (c.hex, c.order, c.id)):
        out.setdefault(counter.hex, []).append(counter)
    return {h: tuple(stack) for h, stack in out.items()}
