"""Railways, roads and tracks as hex paths: pinned hexes from the rulebook, between them the path nearest the line."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from common import GRID, OCS, OUT, SOURCES, by_key, labels, plane, read, write, write_prov

Point = tuple[float, float]
STRAY = 0.7
SHARED = 0.9


def distance_to_line(p: Point, line: list[Point]) -> float:
    """Hex widths from a point to a polyline."""
    best = float("inf")
    for (ax, ay), (bx, by) in pairwise(line):
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        t = max(0.0, min(1.0, ((p[0] - ax) * dx + (p[1] - ay) * dy) / length)) if length else 0.0
        best = min(best, ((ax + t * dx - p[0]) ** 2 + (ay + t * dy - p[1]) ** 2) ** 0.5)
    return best


def path(a: int, b: int, line: list[Point], shared: frozenset[int], allowed: Sequence[bool]) -> list[int]:
    """Cheapest chain of hexes from `a` to `b`: a hex costs 1 and more the farther it strays from `line`."""
    limit = GRID.distance(a, b) + 4

    def cost(hex_: int) -> float:
        stray = max(0.0, distance_to_line(GRID.centre(hex_), line) - 0.4)
        return (SHARED if hex_ in shared else 1.0) + STRAY * stray * stray

    best: dict[int, float] = {a: 0.0}
    came: dict[int, int] = {}
    queue = [(0.0, a)]
    while queue:
        done, hex_ = heapq.heappop(queue)
        if hex_ == b:
            break
        for n in GRID.adjacent[hex_]:
            if not allowed[n]:
                continue
            total = done + cost(n)
            if GRID.distance(n, a) + GRID.distance(n, b) <= limit and total < best.get(n, float("inf")) - 1e-9:
                best[n], came[n] = total, hex_
                heapq.heappush(queue, (total, n))
    chain = [b]
    while chain[-1] != a:
        chain.append(came[chain[-1]])
    return chain[::-1]


def lines() -> dict[str, list[Point]]:
    """The 1944 lines by name, in the hex plane."""
    rows = by_key(read(SOURCES / "geo" / "network_1944.csv"), "route")
    return {name: [plane(float(r["lat"]), float(r["lon"])) for r in g] for name, g in rows.items()}


def nearest(line: list[Point], p: Point) -> int:
    return min(range(len(line)), key=lambda i: (line[i][0] - p[0]) ** 2 + (line[i][1] - p[1]) ** 2)


def section(line: list[Point], a: int, b: int) -> list[Point]:
    """The part of a line between two hexes, with the hexes' centres as its ends."""
    start, end = GRID.centre(a), GRID.centre(b)
    i, j = nearest(line, start), nearest(line, end)
    middle = line[i : j + 1] if i <= j else line[j : i + 1][::-1]
    keep = [p for p in middle if min(abs(p[0] - q[0]) + abs(p[1] - q[1]) for q in (start, end)) > 0.6]
    return [start, *keep, end]


def build_routes(banks: Mapping[str, Sequence[str]]) -> dict[tuple[str, str, str], list[int]]:
    """Every route of the board as a chain of adjacent hexes, by (name, kind, owner)."""
    known = lines()
    routes: dict[tuple[str, str, str], list[int]] = {}
    used: set[int] = set()
    for row in read(OCS / "routes.csv"):
        via = labels(row["via"])
        allowed = on_bank(row["bank"], banks)
        astray = [GRID.label(h) for h in via if not allowed[h]]
        if astray:
            raise SystemExit(f"{row['route']}: {', '.join(astray)} not on the {row['bank']} bank")
        line = next((known[name] for name in known if row["follows"] and name.startswith(row["follows"])), [])
        chain = [via[0]]
        for a, b in pairwise(via):
            near = section(line, a, b) if line else [GRID.centre(a), GRID.centre(b)]
            chain += path(a, b, near, frozenset(used), allowed)[1:]
        check(row["route"], chain)
        used |= set(chain)
        routes[row["route"], row["kind"], row["owner"]] = chain
    return routes


def on_bank(text: str, banks: Mapping[str, Sequence[str]]) -> list[bool]:
    """Which hexes a route may use; `chindwin west` keeps it to that bank, nothing lets it go anywhere."""
    if not text:
        return [True] * len(GRID)
    river, side = text.split()
    return [value == side for value in banks[river.capitalize()]]


def check(name: str, chain: list[int]) -> None:
    """Stop the build at a chain that visits a hex twice or doubles back on a neighbour without need."""
    if len(set(chain)) != len(chain):
        twice = sorted({GRID.label(h) for h in chain if chain.count(h) > 1})
        raise SystemExit(f"{name} visits {', '.join(twice)} twice")
    for a, b, c in zip(chain, chain[1:], chain[2:], strict=False):
        if GRID.distance(a, c) == 1:
            print(f"  bend: {name} turns sharply at {GRID.label(b)}")


def write_routes(routes: dict[tuple[str, str, str], list[int]]) -> None:
    write(
        OUT / "routes.csv",
        ("route", "kind", "owner", "seq", "hex"),
        ((n, k, o, i, GRID.label(h)) for (n, k, o), c in routes.items() for i, h in enumerate(c, 1)),
    )
    write_prov(OUT / "routes.csv", provenance(read(OCS / "routes.csv")))


def provenance(rows: Iterable[dict[str, str]]) -> list[tuple[str, ...]]:
    source = {"derived": "Burma rulebook, set-ups and rules", "historical": "sources/geo/network_1944.csv"}
    return [(r["route"], "*", r["tag"], source.get(r["tag"], "sources/ocs/routes.csv"), r["reason"]) for r in rows]
