"""Rivers as hexsides: the two great rivers as borders between banks, the others as shortest chains of hexsides."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from itertools import pairwise

import numpy as np
from common import GRID, OCS, by_key, plane, read
from ocs_routes import distance_to_line
from packages import lines_in
from shapely import Point as ShapelyPoint
from shapely import Polygon

Side = tuple[int, int]
Point = tuple[float, float]
Corner = tuple[int, int]
WIDE = (92.0, 20.5, 99.0, 28.2)
STRAY = 1.5
GREAT = ("Chindwin", "Irrawaddy")


def degrees() -> dict[str, list[Point]]:
    """Every river's course as (lat, lon) from its first listed point to its last."""
    courses = {}
    for name, rows in by_key(read(OCS / "rivers.csv"), "river").items():
        points = [(float(r["lat"]), float(r["lon"])) for r in rows]
        courses[name] = survey_line(points) if rows[0]["source"] == "wdbii" else points
    return courses


def survey_line(through: list[Point]) -> list[Point]:
    """The WDBII course that joins the given points, by the shortest way through the segments' vertices."""
    nodes, links = survey()
    course: list[int] = []
    for a, b in pairwise([nearest_node(nodes, p) for p in through]):
        course += shortest(links, a, b)[1 if course else 0 :]
    return [(float(nodes[i][1]), float(nodes[i][0])) for i in course]


def survey() -> tuple[np.ndarray, dict[int, dict[int, float]]]:
    """WDBII vertices (lon, lat) and the lengths between linked ones; line ends within 3 km of each other are linked."""
    if not _survey:
        nodes: list[np.ndarray] = []
        links: dict[int, dict[int, float]] = {}
        ends: list[int] = []

        def link(i: int, j: int, factor: float = 1.0) -> None:
            length = factor * float(np.hypot(*((nodes[i] - nodes[j]) * (0.91, 1.0))))
            links.setdefault(i, {})[j] = length
            links.setdefault(j, {})[i] = length

        for line in lines_in("rivers", *WIDE):
            first = len(nodes)
            nodes.extend(line)
            for i in range(first, len(nodes) - 1):
                link(i, i + 1)
            ends += [first, len(nodes) - 1]
        every = np.array(nodes)
        for i in ends:
            gap = np.hypot((every[:, 0] - nodes[i][0]) * 0.91, every[:, 1] - nodes[i][1])
            for j in np.nonzero(gap < 0.03)[0]:
                if i != j:
                    link(i, int(j), 3.0)
        _survey.append((every, links))
    return _survey[0]


_survey: list[tuple[np.ndarray, dict[int, dict[int, float]]]] = []


def nearest_node(nodes: np.ndarray, point: Point) -> int:
    return int(np.argmin(np.hypot((nodes[:, 0] - point[1]) * 0.91, nodes[:, 1] - point[0])))


def shortest(links: dict, a: object, b: object) -> list:
    """Nodes of the shortest way from `a` to `b` in a graph given as lengths by node by node."""
    best, came, queue, n = {a: 0.0}, {}, [(0.0, 0, a)], 0
    while queue:
        done, _, node = heapq.heappop(queue)
        if node == b:
            break
        if done > best[node]:
            continue
        for other, length in links.get(node, {}).items():
            if done + length < best.get(other, float("inf")):
                best[other], came[other] = done + length, node
                n += 1
                heapq.heappush(queue, (done + length, n, other))
    way = [b]
    while way[-1] != a:
        way.append(came[way[-1]])
    return way[::-1]


# banks ----------------------------------------------------------------------------------------------------------------


def banks(river: str, course: list[Point], north: list[Point], overrides: dict[int, str]) -> list[str]:
    """`west` or `east` for every hex: the side of the course (drawn from south to north, then on through `north`)."""
    line = [plane(*p) for p in course]
    start, last = line[0], north[-1]
    west = Polygon([(start[0], -9.0), *line, *north, (last[0], 90.0), (-9.0, 90.0), (-9.0, -9.0)]).buffer(0)
    sides = ["west" if west.contains(ShapelyPoint(GRID.centre(h))) else "east" for h in GRID]
    for hex_, value in overrides.items():
        sides[hex_] = value
    return mend(river, sides, overrides)


def mend(river: str, sides: list[str], pinned: Iterable[int]) -> list[str]:
    """Each bank in one piece: lesser pieces go over to the other bank unless they hold a pinned hex."""
    pinned = set(pinned)
    straighten(sides, pinned)
    for value, other in (("west", "east"), ("east", "west")):
        pieces = sorted(components([h for h in GRID if sides[h] == value]), key=len, reverse=True)
        for piece in pieces[1:]:
            if pinned & piece:
                raise SystemExit(f"{river}: {value} bank piece {sorted(map(GRID.label, piece))} stands alone")
            for hex_ in piece:
                sides[hex_] = other
    return sides


def straighten(sides: list[str], pinned: set[int]) -> None:
    """Give a hex that four or more neighbours across the river surround to their bank: no curls of one hex."""
    changed = True
    while changed:
        changed = False
        for hex_ in GRID:
            around = [sides[n] for n in GRID.adjacent[hex_]]
            other = "east" if sides[hex_] == "west" else "west"
            if hex_ not in pinned and around.count(other) >= 4:
                sides[hex_], changed = other, True


def components(hexes: Iterable[int]) -> list[set[int]]:
    left, pieces = set(hexes), []
    while left:
        piece, todo = set(), [left.pop()]
        while todo:
            hex_ = todo.pop()
            piece.add(hex_)
            for n in GRID.adjacent[hex_]:
                if n in left:
                    left.discard(n)
                    todo.append(n)
        pieces.append(piece)
    return pieces


def border(sides: list[str], south_of: float) -> set[Side]:
    """Hexsides between the banks whose both hexes lie at or south of a height in the hex plane."""
    return {
        GRID.key(a, b)
        for a in GRID
        for b in GRID.adjacent[a]
        if sides[a] != sides[b] and max(GRID.centre(a)[1], GRID.centre(b)[1]) <= south_of
    }


# chains of hexsides ---------------------------------------------------------------------------------------------------


def corner_of(p: Point) -> Corner:
    return round(p[0] * 1000), round(p[1] * 1000)


def corners() -> tuple[dict[Corner, Point], dict[Corner, dict[Corner, Side]]]:
    """Corners of the grid with their neighbours along hexsides that two hexes share."""
    where: dict[Corner, Point] = {}
    links: dict[Corner, dict[Corner, Side]] = {}
    for a in GRID:
        for b in GRID.adjacent[a]:
            if a < b:
                p, q = GRID.side(a, b)
                u, v = snap(where, p), snap(where, q)
                links.setdefault(u, {})[v] = links.setdefault(v, {})[u] = (a, b)
    return where, links


def snap(where: dict[Corner, Point], p: Point) -> Corner:
    """The corner at a point, allowing for rounding."""
    x, y = corner_of(p)
    for key in ((x + i, y + j) for i in (0, -1, 1) for j in (0, -1, 1)):
        if key in where:
            return key
    where[x, y] = p
    return x, y


def chain(line: list[Point], where: dict, links: dict, goal: set[Corner]) -> set[Side]:
    """Hexsides of the cheapest chain of corners near a line, from its start to its end or to a corner of `goal`."""
    inside = [p for p in line if -0.2 <= p[0] <= 54.6 and 0.0 <= p[1] <= 70.5]
    if len(inside) < 2:
        return set()
    close = near(where, inside)
    start = min(close, key=lambda c: gap(where[c], inside[0]))
    end = min(goal & close or close, key=lambda c: gap(where[c], inside[-1]))
    toll = {c: cost(where[c], inside) for c in close}
    lengths = {u: {v: toll[v] for v in links[u] if v in toll} for u in close}
    way = shortest(lengths, start, end)
    for i, corner in enumerate(way):
        if corner in goal and i:
            way = way[: i + 1]
            break
    return {links[u][v] for u, v in pairwise(way)}


def near(where: dict[Corner, Point], line: list[Point]) -> set[Corner]:
    west, east = min(p[0] for p in line) - 4, max(p[0] for p in line) + 4
    south, north = min(p[1] for p in line) - 4, max(p[1] for p in line) + 4
    box = {c for c, p in where.items() if west < p[0] < east and south < p[1] < north}
    return {c for c in box if distance_to_line(where[c], line) < 4.0}


def cost(p: Point, line: list[Point]) -> float:
    return 1.0 + STRAY * max(0.0, distance_to_line(p, line) - 0.25) ** 2


def gap(p: Point, q: Point) -> float:
    return (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2


def corners_of(sides: Iterable[Side], where: dict[Corner, Point]) -> set[Corner]:
    return {snap(where, p) for a, b in sides for p in GRID.side(a, b)}


def build_rivers(bank_overrides: dict[str, dict[int, str]]) -> tuple[dict[str, list[str]], dict[Side, tuple[str, str]]]:
    """Bank columns by river and, for each hexside with a river, (rank, river)."""
    courses, rows = degrees(), by_key(read(OCS / "rivers.csv"), "river")
    errata = [GRID.centre(GRID.index("A33.26")), GRID.centre(GRID.index("A30.30"))]
    errata = [(x + 0.3, y) for x, y in errata]
    mali = [plane(*p) for p in courses["Mali"][::-1]]
    sides = {
        "Chindwin": banks("Chindwin", courses["Chindwin"], [*errata, (errata[-1][0], 75.0)], bank_overrides["bank"]),
        "Irrawaddy": banks(
            "Irrawaddy", courses["Irrawaddy"], [*mali, (mali[-1][0], 75.0)], bank_overrides["irrawaddy"]
        ),
    }
    rivers: dict[str, set[Side]] = {
        "Chindwin": border(sides["Chindwin"], GRID.centre(GRID.index("A33.26"))[1] + 0.6),
        "Irrawaddy": border(sides["Irrawaddy"], plane(25.71, 97.51)[1] + 0.6),
    }
    where, links = corners()
    for name, group in rows.items():
        if name in GREAT:
            continue
        line = [plane(*p) for p in courses[name]]
        goal = corners_of(rivers.get(group[-1]["into"], ()), where)
        rivers[name] = chain(line, where, links, goal)
    out: dict[Side, tuple[str, str]] = {}
    for name in sorted(rivers, key=lambda n: (n not in GREAT, rows[n][0]["rank"] != "major")):
        for side in rivers[name]:
            out.setdefault(side, (rows[name][0]["rank"], name))
    return sides, out
