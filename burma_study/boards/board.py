"""A map as data: what is printed in each hex, on each hexside and along each route, with the places that have names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from burma_study.datafiles import data_path, read_rows
from burma_study.errors import DataError, LabelError, did_you_mean
from burma_study.hexes.grid import Grid, downfall_grid, gdw_grid, india_grid, ocs_grid

GRIDS = {"ocs": ocs_grid, "gdw": gdw_grid, "downfall": downfall_grid, "india": india_grid}
ROADS = ("all_weather", "fair_weather")
Side = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Route:
    """A railway, road or track as a chain of adjacent hexes; `owner` is whose it is at the start, '' anybody's."""

    name: str
    kind: str
    hexes: tuple[int, ...]
    owner: str = ""

    @property
    def sides(self) -> tuple[Side, ...]:
        """The hexsides it crosses, in order."""
        return tuple(Grid.key(a, b) for a, b in zip(self.hexes, self.hexes[1:], strict=False))


@dataclass(frozen=True, slots=True)
class Place:
    """A named place: its hex (None when off the map), kind, true position in degrees when known, and a note."""

    name: str
    hex: int | None
    kind: str
    lat: float | None = None
    lon: float | None = None
    used: bool = False
    note: str = ""


@dataclass(frozen=True)
class Board:
    """One board; per-hex attributes are tuples over all hexes, hexsides are pairs with the lower hex first."""

    id: str
    grid: Grid
    terrain: tuple[str, ...]
    feature: tuple[str, ...]
    attributes: Mapping[str, tuple[str, ...]]
    rivers: Mapping[Side, str]
    crossings: Mapping[Side, str]
    routes: tuple[Route, ...]
    places: tuple[Place, ...]
    edges: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(self.id)

    def __len__(self) -> int:
        return len(self.grid)

    def index(self, label: str) -> int:
        """The hex of a label or of a place's name; LabelError with near matches otherwise."""
        try:
            return self.grid.index(label)
        except LabelError:
            if not isinstance(label, str):
                raise
            found = self._named.get(label.lower())
            if found is None:
                hint = did_you_mean(label, [p.name for p in self.places if p.hex is not None])
                form = self.grid.labels.form
                text = f"{label!r} is neither a hex nor a place of {self.grid.name}; a hex is {form}. {hint}"
                raise LabelError(text.strip()) from None
            return found

    def checked(self, hex_: int) -> int:
        """The hex itself; LabelError for what is no number of a hex, since a negative one would count from the end."""
        if not isinstance(hex_, int) or not 0 <= hex_ < len(self):
            raise LabelError(f"There is no hex number {hex_!r}; the board has 0 to {len(self) - 1}.")
        return hex_

    def label(self, hex_: int) -> str:
        """The canonical label of a hex."""
        return self.grid.label(hex_)

    @cached_property
    def _named(self) -> dict[str, int]:
        return {p.name.lower(): p.hex for p in reversed(self.places) if p.hex is not None}

    @cached_property
    def names(self) -> dict[int, str]:
        """The first name listed for each hex that has one."""
        return {p.hex: p.name for p in reversed(self.places) if p.hex is not None}

    def places_of(self, kind: str) -> dict[int, str]:
        """Hex to name for every place of a kind (`port`, `airfield`, `supply_source` ...)."""
        return {p.hex: p.name for p in self.places if p.kind == kind and p.hex is not None}

    def route_sides(self, *kinds: str) -> frozenset[Side]:
        """Hexsides crossed by routes of the given kinds."""
        return self._sides_of(kinds)

    @lru_cache(maxsize=32)  # noqa: B019 - boards are loaded once and live for the whole process
    def _sides_of(self, kinds: tuple[str, ...]) -> frozenset[Side]:
        return frozenset(s for r in self.routes if r.kind in kinds for s in r.sides)

    @lru_cache(maxsize=32)  # noqa: B019 - as above
    def route_hexes(self, *kinds: str) -> frozenset[int]:
        """Hexes with a route of the given kinds."""
        return frozenset(h for r in self.routes if r.kind in kinds for h in r.hexes)

    @cached_property
    def roads(self) -> frozenset[int]:
        """Hexes with a road of either class (a track is not a road, Burma 1.4d)."""
        return self.route_hexes(*ROADS)

    @cached_property
    def best_route(self) -> dict[Side, str]:
        """The best road or track across each hexside that has one: all_weather, fair_weather or track."""
        best: dict[Side, str] = {}
        for kind in ("track", "fair_weather", "all_weather"):
            best.update(dict.fromkeys(self.route_sides(kind), kind))
        return best


def _sides(board_grid: Grid, rows: Iterable[Mapping[str, str]], column: str) -> dict[Side, str]:
    return {Grid.key(board_grid.index(r["a"]), board_grid.index(r["b"])): r[column] for r in rows if r[column]}


def _routes(grid: Grid, rows: Iterable[Mapping[str, str]]) -> tuple[Route, ...]:
    chains: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    for row in rows:
        key = (row["route"], row["kind"], row.get("owner") or "")
        chains.setdefault(key, []).append((int(row["seq"]), grid.index(row["hex"])))
    return tuple(Route(name, kind, tuple(h for _, h in sorted(c)), owner) for (name, kind, owner), c in chains.items())


def _places(grid: Grid, rows: Iterable[Mapping[str, str]]) -> tuple[Place, ...]:
    def number(text: str) -> float | None:
        return float(text) if text else None

    return tuple(
        Place(
            r["place"],
            grid.index(r["hex"]) if r["hex"] else None,
            r["kind"],
            number(r["lat"]),
            number(r["lon"]),
            r["used"] == "yes",
            r["note"],
        )
        for r in rows
    )


@lru_cache(maxsize=8)
def load_board(id_: str) -> Board:
    """The board `ocs`, `gdw`, `downfall` or `india`; LabelError for another id, DataError for a damaged file."""
    if id_ not in GRIDS:
        raise LabelError(
            f"There is no board {id_!r}; boards are {', '.join(GRIDS)}. {did_you_mean(id_, GRIDS)}".strip()
        )
    grid, folder = GRIDS[id_](), f"boards/{id_}"
    rows = {grid.index(r["hex"]): r for r in read_rows(f"{folder}/hexes.csv")}
    missing = [grid.label(h) for h in grid if h not in rows]
    if missing:
        raise DataError(f"{folder}/hexes.csv lacks {len(missing)} hexes, the first being {missing[0]}.")
    ordered = [rows[h] for h in grid]
    columns = [c for c in ordered[0] if c not in {"hex", "terrain", "feature"}]
    hexsides = read_rows(f"{folder}/hexsides.csv")
    edges: dict[str, tuple[int, ...]] = {}
    for row in read_rows(data_path(f"{folder}/edges.csv")):
        edges[row["edge"]] = (*edges.get(row["edge"], ()), grid.index(row["hex"]))
    return Board(
        id=id_,
        grid=grid,
        terrain=tuple(r["terrain"] for r in ordered),
        feature=tuple(r["feature"] for r in ordered),
        attributes={c: tuple(r[c] or "" for r in ordered) for c in columns},
        rivers=_sides(grid, hexsides, "river"),
        crossings=_sides(grid, hexsides, "crossing"),
        routes=_routes(grid, read_rows(f"{folder}/routes.csv")),
        places=_places(grid, read_rows(f"{folder}/places.csv")),
        edges=edges,
    )
