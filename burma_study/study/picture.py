"""The map of a step as one SVG picture with its text: for print, and for a page whose map cannot be drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import pairwise
from typing import Any

from burma_study.answers.frames import Counter, Frame, stacked
from burma_study.boards.board import Board, load_board
from burma_study.hexes.georef import load_georef
from burma_study.study.boardview import FAMOUS

WIDE = 1000
GROUND = {"clear": "#f2e8bd", "jungle": "#a9cb93", "rough": "#dcc79c", "mountain": "#c3ab96", "lake": "#8fbfe0"}
ROUTES = {
    "track": 'stroke="#5d4427" stroke-width="1.1" stroke-dasharray="4 3"',
    "fair_weather": 'stroke="#b0561a" stroke-width="1.5" stroke-dasharray="7 2"',
    "all_weather": 'stroke="#b0322a" stroke-width="2.6"',
    "rail": 'stroke="#1b1b1b" stroke-width="1.6" stroke-dasharray="6 2"',
}
FILLS = {
    "japanese": ("#ecd9ad", "#2a1d0a"),
    "ina": ("#a3a39f", "#111"),
    "british": ("#b07a4e", "#1b0d02"),
    "indian": ("#66422a", "#fff6e8"),
    "chinese": ("#7db75a", "#0d1f05"),
    "nepalese": ("#b3d3ea", "#0a1c2b"),
    "west_african": ("#dcdcd8", "#1a1a1a"),
    "burmese": ("#3e7d49", "#f4fff4"),
    "us": ("#6d6a36", "#fffde6"),
}
RIMS = {"japanese": "#8e1b1b", "allied": "#173a6b"}
MARKS = {"in": ("✓", "#1c7c3a"), "eats": ("E", "#c77700"), "out": ("✕", "#c01818")}
WORST = ("out", "eats", "in")
Point = tuple[float, float]


class Sheet:
    """The part of a board that a picture shows, with hexes as points of the picture."""

    def __init__(self, board: Board, hexes: Iterable[int]):
        self.board, self.hexes = board, tuple(h for h in hexes if board.terrain[h] != "off")
        self.geo = load_georef(board.id, board.grid)
        raw = {h: [_mercator(*p) for p in self.geo.outline(board.grid, h)] for h in self.hexes}
        xs, ys = [x for ring in raw.values() for x, _ in ring], [y for ring in raw.values() for _, y in ring]
        self.scale = WIDE / (max(xs) - min(xs))
        self.left, self.top = min(xs), min(ys)
        self.height = round((max(ys) - min(ys)) * self.scale)
        self.rings = {h: [self._at(p) for p in ring] for h, ring in raw.items()}

    def _at(self, p: Point) -> Point:
        return (p[0] - self.left) * self.scale, (p[1] - self.top) * self.scale

    def centre(self, hex_: int) -> Point:
        """The middle of a hex in the picture; hexes beyond it have one too."""
        return self._at(_mercator(*self.geo.centre(self.board.grid, hex_)))


def _mercator(lat: float, lon: float) -> Point:
    return math.radians(lon), -math.log(math.tan(math.pi / 4 + math.radians(lat) / 2))


@lru_cache(maxsize=4)
def sheet_of(board: str, hexes: tuple[int, ...]) -> tuple[Sheet, str]:
    """The sheet of some hexes (all for none) and its ground as SVG, which no step changes."""
    found = load_board(board)
    sheet = Sheet(found, hexes or found.grid)
    return sheet, "".join(_ground(sheet))


def picture(
    board: str,
    frame: Frame,
    hexes: Sequence[int] = (),
    supply: Mapping[str, Any] | None = None,
    trace: Mapping[str, Any] | None = None,
) -> str:
    """A step as an SVG of 1000 units width: ground, names, stacks with their number of units.

    `supply` and `trace` are answers of a `Session`: a side's lines and marks, and one unit's trace.
    """
    sheet, ground = sheet_of(board, tuple(hexes))
    told = f"{frame.title}. {(supply or {}).get('headline', '')}".strip()
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {sheet.height}" role="img" '
        f'font-family="system-ui, sans-serif"><title>{escape(told)}</title>',
        f'<rect width="{WIDE}" height="{sheet.height}" fill="#e5dfcf"/>',
        ground,
        *_lines(sheet, supply or {}, trace or {}),
        *_stacks(sheet, frame.counters, (supply or {}).get("status") or {}),
        *_names(sheet),
        "</svg>",
    ]
    return "".join(parts)


def _ground(sheet: Sheet) -> Iterator[str]:
    for terrain, colour in GROUND.items():
        rings = [_closed(sheet.rings[h]) for h in sheet.hexes if sheet.board.terrain[h] == terrain]
        if rings:
            look = f'fill="{colour}" stroke="#5a4a30" stroke-opacity=".25" stroke-width=".6"'
            yield f'<path {look} d="{"".join(rings)}"/>'
    yield from _rivers(sheet)
    yield from _routes(sheet)


def _closed(ring: Sequence[Point]) -> str:
    """A ring as a path of relative steps, in tenths."""
    tenths = [(round(x * 10), round(y * 10)) for x, y in ring]
    (x0, y0), steps = tenths[0], []
    for (ax, ay), (bx, by) in pairwise(tenths):
        steps.append(f"{(bx - ax) / 10:g} {(by - ay) / 10:g}")
    return f"M{x0 / 10:g} {y0 / 10:g}l{' '.join(steps)}z"


def _rivers(sheet: Sheet) -> Iterator[str]:
    for kind, width in (("minor", 1.2), ("major", 2.6)):
        sides = [s for s, river in sheet.board.rivers.items() if river == kind and set(s) <= sheet.rings.keys()]
        ends = (_shared(sheet.rings[a], sheet.rings[b]) for a, b in sides)
        path = "".join(f"M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}" for (x, y), (u, v) in (e for e in ends if e is not None))
        if path:
            yield f'<path fill="none" stroke="#2f74b5" stroke-linecap="round" stroke-width="{width}" d="{path}"/>'


def _shared(a: Sequence[Point], b: Sequence[Point]) -> tuple[Point, Point] | None:
    common = [p for p in a if any(math.hypot(p[0] - q[0], p[1] - q[1]) < 1 for q in b)]
    return (common[0], common[1]) if len(common) == 2 else None


def _routes(sheet: Sheet) -> Iterator[str]:
    for kind, look in ROUTES.items():
        for route in sheet.board.routes:
            if route.kind == kind and any(h in sheet.rings for h in route.hexes):
                yield f'<polyline fill="none" {look} points="{_points(sheet, route.hexes)}"/>'


def _points(sheet: Sheet, hexes: Iterable[int]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in map(sheet.centre, hexes))


def _lines(sheet: Sheet, supply: Mapping[str, Any], trace: Mapping[str, Any]) -> Iterator[str]:
    for _, hexes in supply.get("net", ()):
        yield f'<polyline fill="none" stroke="#0f6b34" stroke-width="3" points="{_points(sheet, hexes)}"/>'
    for leg in trace.get("legs", ()):
        colour = "#b71c1c" if leg["kind"] in ("miss", "missing") else "#5b1fa8"
        dash = ' stroke-dasharray="2 6"' if leg["kind"] == "missing" else ""
        points = _points(sheet, leg["hexes"])
        yield f'<polyline fill="none" stroke="{colour}" stroke-width="4.5"{dash} points="{points}"/>'
        if leg.get("ends") == "blocked":
            x, y = sheet.centre(leg["hexes"][-1])
            yield f'<path stroke="{colour}" stroke-width="5" d="M{x - 8:.1f} {y - 8:.1f}l16 16m0 -16l-16 16"/>'


def _stacks(sheet: Sheet, counters: Sequence[Counter], status: Mapping[str, str]) -> Iterator[str]:
    for hex_, stack in stacked(counters).items():
        if hex_ not in sheet.rings:
            continue
        sides = sorted({c.side for c in stack}, reverse=True)
        for k, side in enumerate(sides):
            mine = [c for c in stack if c.side == side]
            yield _stack(sheet.centre(hex_), mine, status, k * 12 if len(sides) > 1 else 0)


def _stack(at: Point, stack: Sequence[Counter], status: Mapping[str, str], shift: float) -> str:
    fill, ink = FILLS.get(stack[0].nationality, ("#ccc", "#111"))
    x, y, r = at[0] + shift, at[1], 0 if stack[0].side == "japanese" else 4
    told = escape("; ".join(f"{c.label} {c.formation} {c.lines[0]}".strip() for c in stack))
    mark, colour = MARKS.get(next((s for s in WORST if any(status.get(c.id) == s for c in stack)), ""), ("", ""))
    badge = (
        f'<circle cx="{x - 9:.1f}" cy="{y - 7:.1f}" r="5" fill="#fff" stroke="{colour}" stroke-width="1.6"/>'
        f'<text x="{x - 9:.1f}" y="{y - 4.2:.1f}" font-size="8" font-weight="700" fill="{colour}" '
        f'text-anchor="middle">{mark}</text>'
        if mark
        else ""
    )
    return (
        f'<g><title>{told}</title><rect x="{x - 9:.1f}" y="{y - 7:.1f}" width="18" height="14" rx="{r}" fill="{fill}" '
        f'stroke="{RIMS.get(stack[0].side, "#444")}" stroke-width="1.8"/><text x="{x:.1f}" y="{y + 4:.1f}" '
        f'font-size="11" font-weight="700" fill="{ink}" text-anchor="middle">{len(stack)}</text>{badge}</g>'
    )


def _names(sheet: Sheet) -> Iterator[str]:
    seen: set[str] = set()
    for hex_, name in sheet.board.names.items():
        if hex_ in sheet.rings and name in FAMOUS and name not in seen:
            seen.add(name)
            x, y = sheet.centre(hex_)
            look = 'font-size="14" font-weight="600" fill="#1d1a14" stroke="#fffdf4" stroke-width="3"'
            yield f'<text x="{x + 12:.1f}" y="{y - 9:.1f}" {look} paint-order="stroke">{escape(name)}</text>'
