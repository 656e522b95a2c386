"""Made-up ground for movement cases, and the slow readable search that the fast one must equal."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

from burma_study.boards.board import Board, Route
from burma_study.datafiles import read_rows
from burma_study.hexes.grid import Grid, ocs_grid
from burma_study.rules.ocs.state import Piece, Rules, State, new_state

GRID = ocs_grid()
CENTRE = GRID.index("A10.10")
N, NE, SE, S, SW, NW = GRID.neighbours[CENTRE]
INFANTRY, TANKS, TRUCKS, GUNS = "a/inf/1-17", "a/tank/3_Ca", "a/mot/3-4_Bo", "a/art/5-5"
ENEMY = "j/inf/2-215-33"


def made(terrain=None, rivers=None, crossings=None, routes=(), bank=(), rest="clear") -> Board:
    """A board of `rest` with the given exceptions: terrain by hex, hexsides by pairs, routes as (kind, hexes)."""
    return Board(
        id="ocs",
        grid=GRID,
        terrain=tuple((terrain or {}).get(h, rest) for h in GRID),
        feature=("",) * len(GRID),
        attributes={"bank": tuple(bank)} if bank else {},
        rivers={Grid.key(*s): kind for s, kind in (rivers or {}).items()},
        crossings={Grid.key(*s): kind for s, kind in (crossings or {}).items()},
        routes=tuple(Route(f"r{i}", kind, tuple(hexes)) for i, (kind, hexes) in enumerate(routes)),
        places=(),
    )


def field(units: dict[str, int | Piece], version: str = "1999", **scalars) -> State:
    """A state with units (id to hex, or a whole piece); markers by keyword `markers`."""
    markers = scalars.pop("markers", {})
    found = new_state("ocs/test", Rules(version=version), **scalars)
    for id_, at in units.items():
        found = found.place(at if isinstance(at, Piece) else Piece(id_, at))
    for name, value in markers.items():
        found = found.put("markers", name, value)
    return found


# wild boards ----------------------------------------------------------------------------------------------------------


def wild(seed: int, radius: int = 4) -> Board:
    """Random terrain, rivers, crossings and routes within `radius` of CENTRE; nothing but off-map hexes beyond."""
    dice = Random(seed)
    disc = GRID.disc(CENTRE, radius)
    kinds = ("clear", "clear", "jungle", "rough", "mountain", "lake")
    sides = sorted({Grid.key(a, b) for a in disc for b in GRID.adjacent[a] if b in disc})
    rivers = {s: dice.choice(("minor", "major")) for s in sides if dice.random() < 0.25}
    crossings = {s: dice.choice(("crossing", "bridge")) for s in sorted(rivers) if dice.random() < 0.4}
    routes = [(dice.choice(("all_weather", "fair_weather", "track", "rail")), _walk(dice, disc)) for _ in range(6)]
    return made({h: dice.choice(kinds) for h in disc}, rivers, crossings, routes, rest="off")


def _walk(dice: Random, disc: tuple[int, ...]) -> list[int]:
    path = [dice.choice(disc)]
    for _ in range(dice.randrange(1, 8)):
        onward = [n for n in GRID.adjacent[path[-1]] if n in disc and n not in path]
        if not onward:
            break
        path.append(dice.choice(onward))
    return path


def woven() -> Board:
    """Fixed ground over the whole grid for move counts: every kind of terrain, river and route in a pattern."""
    kinds = ("clear", "jungle", "rough", "mountain", "jungle")
    terrain, rivers, crossings = {}, {}, {}
    for h in GRID:
        line, row = GRID.line_position(h)
        terrain[h] = kinds[(line * 7 + row * 3 + line * row) % 5]
        for d, kind in ((0, "minor"), (1, "major")):
            n = GRID.neighbours[h][d]
            if n >= 0 and (line * 5 + row * 11 + d) % 13 == 0:
                rivers[h, n] = kind
                if (line + row) % 3 == 0:
                    crossings[h, n] = "crossing" if row % 2 else "bridge"
    at = GRID.at
    road = [at(c, 30) for c in range(1, 63)]
    track = [at(20, r) for r in range(1, 70)]
    fair = [at(30, r) for r in range(1, 70)]
    return made(terrain, rivers, crossings, [("all_weather", road), ("track", track), ("fair_weather", fair)])


# the oracle -----------------------------------------------------------------------------------------------------------


@cache
def chart(name: str) -> dict[str, dict[str, str]]:
    return {next(iter(row.values())): row for row in read_rows(f"charts/ocs/{name}.csv")}


@cache
def weather() -> list[dict[str, str]]:
    return read_rows("charts/ocs/weather_effects.csv")


def changed(cost: Fraction | None, ground: str, feature: str, mobility: str) -> Fraction | None:
    for row in weather():
        if (row["ground"], row["feature"], row["mover"]) == (ground, feature, mobility) and cost is not None:
            if row["op"] == "bar":
                return None
            value = Fraction(row["value"])
            return {"add": cost + value, "times": cost * value, "set": value}[row["op"]]
    return cost


def number(text: str) -> Fraction | None:
    return Fraction(text) if text else None


class Oracle:
    """Step costs in MP straight from the chart files, and a search that looks at every hex each time."""

    def __init__(self, board: Board, mobility: str, ground: str = "normal", bridging: frozenset[int] = frozenset()):
        self.board, self.mobility, self.ground, self.bridging = board, mobility, ground, bridging
        self.terrain, self.hexsides, self.routes = map(chart, ("terrain_effects", "hexside_effects", "route_effects"))

    def open_country(self, hex_: int) -> Fraction | None:
        kind = self.board.terrain[hex_]
        if kind not in self.terrain:
            return None
        return changed(number(self.terrain[kind][self.mobility]), self.ground, kind, self.mobility)

    def along_track(self, hex_: int) -> Fraction | None:
        kind = self.board.terrain[hex_]
        if kind not in self.terrain or not self.terrain[kind][f"{self.mobility}_on_track"]:
            return None
        cost = number(self.routes["track"][self.mobility] or self.terrain[kind][f"{self.mobility}_on_track"])
        return changed(cost, self.ground, "track_route", self.mobility)

    def water(self, a: int, b: int) -> Fraction | None:
        side = Grid.key(a, b)
        if side not in self.board.rivers:
            return Fraction(0)
        kind = self.board.crossings.get(side) or self.board.rivers[side]
        if self.ground == "flood":
            kind = self.hexsides[kind]["flood_as"]
        if self.bridging & {a, b}:
            kind = {"major": "minor", "minor": "", "crossing": ""}.get(kind, kind)
        if not kind:
            return Fraction(0)
        return number(self.hexsides[kind][self.mobility])

    def step(self, a: int, b: int) -> Fraction | None:
        """Cost of entering `b` from `a`, None when not allowed."""
        options: list[Fraction] = []
        water = self.water(a, b)
        if None not in (self.open_country(a), self.open_country(b), water):
            options.append(self.open_country(b) + water)
        ferry = self.board.crossings.get(Grid.key(a, b)) == "crossing"
        for route in self.board.routes:
            if Grid.key(a, b) not in route.sides:
                continue
            if route.kind == "track":
                cost = None if self.along_track(a) is None else self.along_track(b)
            else:
                cost = changed(number(self.routes[route.kind][self.mobility]), self.ground, route.kind, self.mobility)
            if cost is not None and not (ferry and water is None):
                options.append(cost + (water if ferry else 0))
        return min(options, default=None)

    def reach(self, start: int, limit: Fraction, shut=frozenset(), stop=frozenset()) -> dict[int, tuple]:
        """Hex to (cost, hexes of the path) of everything within `limit`, by relaxing until nothing changes."""
        best = {start: (Fraction(0), (start,))}
        again = True
        while again:
            again = False
            for a, (cost, path) in sorted(best.items()):
                if a in stop and a != start:
                    continue
                for b in GRID.adjacent[a]:
                    step = None if b in shut else self.step(a, b)
                    if step is None or cost + step > limit:
                        continue
                    new = (cost + step, (*path, b))
                    if b not in best or self.rank(new) < self.rank(best[b]):
                        best[b] = new
                        again = True
        return best

    @staticmethod
    def rank(found: tuple) -> tuple:
        """Cheapest, then fewest hexes, then lowest hex read back from the end."""
        cost, path = found
        return cost, len(path), path[::-1]
