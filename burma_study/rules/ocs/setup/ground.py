"""Area expressions on a board: which hexes an expression names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, reduce

from burma_study.boards.board import ROADS, Board
from burma_study.errors import ScenarioError
from burma_study.hexes.grid import Grid
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import Counter
from burma_study.rules.ocs.movement.limits import bank
from burma_study.rules.ocs.movement.roads import way
from burma_study.rules.ocs.movement.terrain import ledo_road
from burma_study.scenarios.areas import Area, Hex, Join, Not, parse

ROUTE_KINDS = {"road": ROADS, "track": ("track",), "rail": ("rail",)}
_CLOSE = 1e-6
Point = tuple[float, float]


@dataclass(frozen=True)
class Ground:
    """What an expression is read against: the board, whose area it is, its bases, the road head, the units placed."""

    board: Board
    side: str
    bases: frozenset[int] = frozenset()
    road_head: int | None = None
    units: Mapping[int, tuple[Counter, ...]] = field(default_factory=dict)


def hexes(area: Area | str, ground: Ground) -> frozenset[int]:
    """The hexes of an area; a holding box has none. ScenarioError for a wrong argument or an unknown line."""
    if isinstance(area, str):
        area = parse(area)
    if isinstance(area, Hex):
        return frozenset({ground.board.grid.index(area.label)})
    if isinstance(area, Not):
        return playable(ground.board) - hexes(area.area, ground)
    if isinstance(area, Join):
        parts = [hexes(part, ground) for part in area.parts]
        return reduce(frozenset.__and__ if area.word == "and" else frozenset.__or__, parts)
    try:
        return _CALLS[area.name](ground, *area.args)
    except (TypeError, KeyError, ValueError) as error:
        raise ScenarioError(f"{area.name}(...) is used wrongly: {error}.") from error


@lru_cache(maxsize=8)
def playable(board: Board) -> frozenset[int]:
    """Every hex that a ground unit could stand in."""
    return frozenset(h for h in board.grid if board.terrain[h] not in ("off", "lake"))


def _all(ground: Ground) -> frozenset[int]:
    return playable(ground.board)


def _one(ground: Ground, arg: Area | str | int) -> int:
    if not isinstance(arg, Hex):
        raise ValueError(f"{arg!r} should be a hex")
    return ground.board.grid.index(arg.label)


def _within(ground: Ground, n: int, centre: Area) -> frozenset[int]:
    return frozenset(ground.board.grid.disc(_one(ground, centre), n)) & playable(ground.board)


def _cols(ground: Ground, first: int, last: int) -> frozenset[int]:
    grid = ground.board.grid
    return frozenset(h for h in playable(ground.board) if first <= grid.line_position(h)[0] <= last)


def _row(grid: Grid, text: str) -> int:
    return grid.line_position(grid.index(f"{text[0]}1.{text[1:]}"))[1]


def _rows(ground: Ground, first: str, last: str) -> frozenset[int]:
    grid = ground.board.grid
    low, high = _row(grid, first), _row(grid, last)
    return frozenset(h for h in playable(ground.board) if low <= grid.line_position(h)[1] <= high)


def _bounded(ground: Ground, *corners: Area) -> frozenset[int]:
    grid = ground.board.grid
    polygon = [grid.centre(_one(ground, c)) for c in corners]
    return frozenset(h for h in playable(ground.board) if inside(grid.centre(h), polygon))


def inside(point: Point, polygon: list[Point]) -> bool:
    """Is a point inside a polygon or on its outline?"""
    edges = list(zip(polygon, polygon[1:] + polygon[:1], strict=True))
    if any(_on(point, a, b) for a, b in edges):
        return True
    x, y = point
    crossed = sum((a[1] > y) != (b[1] > y) and x < a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1]) for a, b in edges)
    return crossed % 2 == 1


def _on(p: Point, a: Point, b: Point) -> bool:
    across = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    along = (p[0] - a[0]) * (p[0] - b[0]) + (p[1] - a[1]) * (p[1] - b[1])
    return abs(across) < _CLOSE and along <= _CLOSE


def _between(ground: Ground, kinds: str, start: Area, end: Area) -> frozenset[int]:
    names = tuple(kind for word in kinds.split("|") for kind in ROUTE_KINDS[word])
    return frozenset(way(ground.board, names, _one(ground, start), _one(ground, end)))


def _route(kind: str) -> Callable[[Ground], frozenset[int]]:
    return lambda ground: ground.board.route_hexes(*ROUTE_KINDS[kind])


def _feature(name: str) -> Callable[[Ground], frozenset[int]]:
    return lambda ground: frozenset(h for h in ground.board.grid if ground.board.feature[h] == name)


def _terrain(ground: Ground, name: str) -> frozenset[int]:
    found = frozenset(h for h in ground.board.grid if ground.board.terrain[h] == name)
    if not found:
        raise ValueError(f"there is no terrain {name!r}")
    return found


def _friendly(ground: Ground, area: Area) -> frozenset[int]:
    """Own railways and bases; towns by the side of the Chindwin that they lie on."""
    board = ground.board
    railways = {r.owner: set[int]() for r in board.routes if r.kind == "rail"}
    for route in board.routes:
        if route.kind == "rail":
            railways[route.owner].update(route.hexes)
    foreign = set().union(*(found for owner, found in railways.items() if owner not in ("", ground.side)))
    west, east = bank(board)
    own_bank = east if ground.side == "japanese" else west
    own = railways.get(ground.side, set()) | ground.bases
    return frozenset(h for h in hexes(area, ground) if h in own or (h in own_bank and h not in foreign))


def _east_of(ground: Ground, line: str) -> frozenset[int]:
    if line != "chindwin":
        raise ValueError(f"the line {line!r} is unknown; there is chindwin")
    return bank(ground.board)[1]


def _ledo_road(ground: Ground) -> frozenset[int]:
    return frozenset(ledo_road(ground.board, ground.road_head))


def _detrainable(ground: Ground, side: str) -> frozenset[int]:
    board = ground.board
    own = {h for r in board.routes if r.kind == "rail" and r.owner in ("", side) for h in r.hexes}
    return frozenset(h for h in own if board.feature[h])


def _box(ground: Ground, name: str) -> frozenset[int]:
    return frozenset()


def _with(fits: Callable[[Counter], bool], ground: Ground) -> frozenset[int]:
    return frozenset(h for h, units in ground.units.items() if any(map(fits, units)))


def _with_unit(ground: Ground) -> frozenset[int]:
    return _with(lambda unit: True, ground)


def _with_formation(ground: Ground, *formations: str) -> frozenset[int]:
    return _with(lambda unit: unit.formation in formations, ground)


@rule("ocs/marauders.sr7")
def _with_group(ground: Ground, group: str) -> frozenset[int]:
    return _with(lambda unit: unit.group == group, ground)


_CALLS: dict[str, Callable[..., frozenset[int]]] = {
    "all": _all,
    "within": _within,
    "cols": _cols,
    "rows": _rows,
    "bounded": _bounded,
    "between": _between,
    "road": _route("road"),
    "track": _route("track"),
    "rail": _route("rail"),
    "city": _feature("city"),
    "village": _feature("village"),
    "airbase": lambda ground: ground.bases,
    "terrain": _terrain,
    "friendly": _friendly,
    "east_of": _east_of,
    "ledo_road": _ledo_road,
    "detrainable": _detrainable,
    "box": _box,
    "with_unit": _with_unit,
    "with_formation": _with_formation,
    "with_group": _with_group,
}


def to_labels(board: Board, found: Iterable[int]) -> tuple[str, ...]:
    """Labels of hexes in ascending order."""
    return tuple(board.label(h) for h in sorted(found))
