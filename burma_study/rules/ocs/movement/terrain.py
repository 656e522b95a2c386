"""What it costs to enter a hex over a hexside: the one place where movement and supply paths get their costs.

Costs are twelfths of an MP. A unit may cross open country (terrain of the hex entered, plus the river on the hexside)
or follow a road, track or railway that crosses the hexside (that feature alone, OCS 6.2a); the cheaper way counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from burma_study.boards.board import Board, Side
from burma_study.boards.search import Arcs, spread
from burma_study.errors import ChartError, DataError, did_you_mean
from burma_study.hexes.grid import OFF, Grid
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.charts import Charts
from burma_study.rules.ocs.state import GROUNDS, Piece, State

MP = 12
MOBILITIES = ("leg", "truck", "track")
ROADS = ("all_weather", "fair_weather")
BRIDGED = {"major": "minor", "minor": "", "crossing": ""}
LEDO_START = "A35.35"
WORDS = {
    "all_weather": "all-weather road",
    "fair_weather": "fair-weather road",
    "minor": "minor river",
    "major": "major river",
    "rail": "railway",
    "off_road": "open country",
}
Cell = tuple[str, str, str]  # a value of the charts: table, row key, column


@dataclass(frozen=True, slots=True)
class Rate:
    """A movement cost in twelfths (None: may not), the chart cells it comes from."""

    cost: int | None
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Rates:
    """The costs of one mobility on one ground condition: by terrain off and on track, by route, by hexside.

    `bridged` holds for each hexside the class that bridging engineers leave of it ("" for nothing) and its cost.
    """

    mobility: str
    ground: str
    off_road: Mapping[str, Rate]
    on_track: Mapping[str, Rate]
    route: Mapping[str, Rate]
    hexside: Mapping[str, Rate]
    bridged: Mapping[str, tuple[str, Rate]]


@dataclass(frozen=True, slots=True)
class Part:
    """One item of a cost: its name, twelfths of an MP, the chart cells and the rule it comes from."""

    name: str
    cost: int
    cells: tuple[Cell, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Way:
    """One way to cross a hexside: `off_road` or the kind of route followed, and what it adds up from."""

    kind: str
    parts: tuple[Part, ...]

    @property
    def cost(self) -> int:
        """Twelfths of an MP."""
        return sum(p.cost for p in self.parts)


@dataclass(frozen=True, slots=True)
class EnterCost:
    """What the step from `a` to `b` costs: the cheapest way, or why there is none (`code`, sentence, rule)."""

    a: int
    b: int
    mobility: str
    ground: str
    way: Way | None
    code: str = ""
    reason: str = ""
    rule: str = ""

    @property
    def cost(self) -> int | None:
        """Twelfths of an MP; None when the step is not allowed."""
        return None if self.way is None else self.way.cost

    @property
    def rules(self) -> tuple[str, ...]:
        """The clauses used."""
        found = (p.rule for p in self.way.parts) if self.way else (self.rule,)
        return tuple(dict.fromkeys(found))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The chart cells used."""
        return tuple(c for p in self.way.parts for c in p.cells) if self.way else ()

    def explain(self) -> str:
        """One sentence, e.g. "2 Leg MP: jungle 2"."""
        if self.way is None:
            return self.reason
        items = " + ".join(f"{p.name} {mp(p.cost)}" for p in self.way.parts)
        return f"{mp(self.way.cost)} {self.mobility.capitalize()} MP: {items}"


def mp(twelfths: int) -> str:
    """Twelfths as MP for reading: 66 is "5.5", 4 is "1/3"."""
    return str(Fraction(twelfths, MP)) if twelfths % 3 else f"{twelfths / MP:g}"


def name_of(word: str) -> str:
    """A kind of terrain, hexside or route in words."""
    return WORDS.get(word, word.replace("_", " "))


# rates ----------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
@rule("ocs/table.ground-effects", "ocs/1.1")
def rates(charts: Charts, mobility: str, ground: str) -> Rates:
    """The movement costs of `leg`, `truck` or `track` on `normal`, `mud`, `quagmire` or `flood` ground."""
    one_of("mobility", mobility, MOBILITIES)
    one_of("ground condition", ground, GROUNDS)

    def rate(cost: int | None, cell: Cell, feature: str) -> Rate:
        change = charts.weather.get((ground, feature, mobility))
        if change is None:
            return Rate(cost, (cell,))
        return Rate(change.apply(cost), (cell, ("weather_effects", f"{ground}/{feature}/{mobility}", "value")))

    off_road, on_track = {}, {}
    along = charts.route["track"][mobility]
    for name, effects in charts.terrain.items():
        off_road[name] = rate(effects.off_road[mobility], ("terrain_effects", name, mobility), name)
        by_terrain = effects.on_track[mobility]
        cell = ("terrain_effects", name, f"{mobility}_on_track")
        if along is not None and by_terrain is not None:
            by_terrain, cell = along, ("route_effects", "track", mobility)
        on_track[name] = rate(by_terrain, cell, "track_route")
    route = {k: rate(charts.route[k][mobility], ("route_effects", k, mobility), k) for k in (*ROADS, "rail")}
    plain, bridged = _hexside_rates(charts, mobility, ground)
    found = Rates(mobility, ground, off_road, on_track, route, plain, bridged)
    _refuse_free(found)
    return found


@rule("ocs/table.ground-effects", "ocs-series/13.8")
def _hexside_rates(charts: Charts, mobility: str, ground: str) -> tuple[dict[str, Rate], dict[str, tuple[str, Rate]]]:
    """Rates of river hexsides without and with bridging; in Flood each first counts as the next class up."""
    dry = {n: Rate(e.cost[mobility], (("hexside_effects", n, mobility),)) for n, e in charts.hexside.items()}
    dry[""] = Rate(0, ())
    acting = {n: e.flood_as if ground == "flood" else n for n, e in charts.hexside.items()} | {"": ""}
    left = {n: BRIDGED.get(a, a) for n, a in acting.items()}
    return {n: dry[a] for n, a in acting.items()}, {n: (a, dry[a]) for n, a in left.items()}


def _refuse_free(found: Rates) -> None:
    """A step for nothing would make paths without an end."""
    for kind in (found.off_road, found.on_track, found.route):
        for name, rate in kind.items():
            if rate.cost is not None and rate.cost <= 0:
                raise ChartError(
                    f"{name_of(name)} costs {rate.cost}/12 {found.mobility} MP on {found.ground} ground; "
                    "every hex must cost more than 0: correct the chart of terrain, routes or weather."
                )


def one_of(what: str, value: str, accepted: Collection[str]) -> None:
    """DataError naming the accepted values unless `value` is one of them."""
    if value not in accepted:
        hint = did_you_mean(value, accepted)
        raise DataError(f"{value!r} is no {what}; use one of {', '.join(accepted)}. {hint}".strip())


# ways -----------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def routes_over(board: Board, road_head: int | None = None) -> Mapping[Side, tuple[str, ...]]:
    """The kinds of route over each hexside that has any; the finished Ledo Road is an all-weather road."""
    found: dict[Side, tuple[str, ...]] = {}
    for route in board.routes:
        for side in route.sides:
            if route.kind not in found.get(side, ()):
                found[side] = (*found.get(side, ()), route.kind)
    for side in _sides(ledo_road(board, road_head)):
        found[side] = ("all_weather", *(k for k in found.get(side, ()) if k != "all_weather"))
    return found


def _sides(hexes: tuple[int, ...]) -> Iterator[Side]:
    return (Grid.key(a, b) for a, b in pairwise(hexes))


@lru_cache(maxsize=16)
@rule("ocs/3.8", "ocs/3.9a")
def ledo_road(board: Board, road_head: int | None) -> tuple[int, ...]:
    """Hexes of the finished Ledo Road from A35.35 to its head; empty when there is no head or no way to it.

    The rules name only the head. Between, the road is taken along roads and tracks, a track hex counting as two road
    hexes: the engineers improve the road that is there before they cut one through the jungle.
    """
    if road_head is None:
        return ()
    costs = [0] * (len(board) * 6)
    for side, kind in board.best_route.items():
        for a, b in (side, side[::-1]):
            costs[a * 6 + board.grid.direction(a, b)] = 1 if kind in ROADS else 2
    field = spread(Arcs(board.grid, tuple(costs)), [board.index(LEDO_START)], engine="python")
    return field.path(road_head) if field.cost(road_head) is not None else ()


@rule("ocs-series/6.2", "ocs-series/6.1-roads", "ocs/1.4a", "ocs/1.4b", "ocs/1.4d")
def ways(
    board: Board,
    found: Rates,
    a: int,
    b: int,
    kinds: Iterable[str] = (),
    *,
    bridged: bool = False,
) -> Iterator[Way]:
    """Every allowed way from `a` to its neighbour `b`; `kinds` are the routes over the hexside.

    A step is allowed only if its reverse would be (OCS 6.1d). A route ignores hex and hexside (6.2a), but where the map
    shows a crossing the route ends at the water's edge, so the crossing is paid as well: else the symbol would do
    nothing, for crossings lie where tracks meet rivers (Burma 1.4b).
    """
    river = _river(board, found, Grid.key(a, b), bridged=bridged)
    here, there = board.terrain[a], board.terrain[b]
    off = (found.off_road.get(here), found.off_road.get(there))
    if river is not None and all(r is not None and r.cost is not None for r in off):
        yield Way("off_road", (_part(there, off[1], "ocs-series/6.2"), *river))
    crossing = board.crossings.get(Grid.key(a, b)) == "crossing"
    for kind in kinds:
        if kind == "track":
            along = (found.on_track.get(here), found.on_track.get(there))
            if any(r is None or r.cost is None for r in along):
                continue
            part = _part(f"track in {there}", along[1], "ocs/1.4d")
        else:
            if found.route[kind].cost is None:
                continue
            part = _part(kind, found.route[kind], "ocs/1.4c" if kind in ROADS else "ocs-series/6.1-roads")
        if not crossing:
            yield Way(kind, (part,))
        elif river is not None:
            yield Way(kind, (part, *river))


def _part(name: str, rate: Rate | None, rule_id: str) -> Part:
    assert rate is not None
    assert rate.cost is not None
    return Part(name_of(name), rate.cost, rate.cells, rule_id)


@rule("ocs-series/13.8", "ocs/1.4b")
def _river(board: Board, found: Rates, side: Side, *, bridged: bool) -> tuple[Part, ...] | None:
    """What the river on a hexside adds, () for nothing, None when it may not be crossed."""
    if side not in board.rivers:
        return ()
    kind = board.crossings.get(side) or board.rivers[side]
    rate = found.hexside[kind]
    if bridged:
        kind, rate = found.bridged[kind]
    if rate.cost is None:
        return None
    name = f"{name_of(kind)} bridged" if bridged and kind else name_of(kind)
    return (Part(name, rate.cost, rate.cells, "ocs-series/13.8" if bridged else "ocs-series/6.2"),) if kind else ()


# whole boards ---------------------------------------------------------------------------------------------------------


def _open_country(board: Board, found: Rates) -> list[int]:
    """Costs over hexsides without river or route."""
    enter = [(r.cost or 0) if (r := found.off_road.get(t)) else 0 for t in board.terrain]
    enter.append(0)  # what OFF (-1) points at
    assert OFF == -1
    return [enter[n] if enter[h] else 0 for h, six in enumerate(board.grid.neighbours) for n in six]


def build_arcs(board: Board, mobility: str, ground: str, charts: Charts, road_head: int | None = None) -> Arcs:
    """The costs of every step of a board, without bridging engineers."""
    found = rates(charts, mobility, ground)
    routes = routes_over(board, road_head)
    costs = _open_country(board, found)
    direction = board.grid.direction
    for side in board.rivers.keys() | routes.keys():
        kinds = routes.get(side, ())
        for a, b in (side, side[::-1]):
            costs[a * 6 + direction(a, b)] = min((w.cost for w in ways(board, found, a, b, kinds)), default=0)
    return Arcs(board.grid, tuple(costs))


@lru_cache(maxsize=12)
def board_arcs(board: Board, mobility: str, ground: str, charts: Charts, road_head: int | None = None) -> Arcs:
    """As `build_arcs`, kept for the last twelve."""
    return build_arcs(board, mobility, ground, charts, road_head)


def arc_costs(state: State, mobility: str, ground: str = "normal", side: str | None = None) -> Arcs:
    """Cost of every step for `leg`, `truck` or `track`: flat, six a hex, 0 = not allowed (twelfths of an MP).

    Dry by default, as supply paths are (Burma, effects of ground conditions); with a `side`, its engineers' bridges
    count.
    """
    board, charts, head = state.board, state.rules.charts, state.markers.get("road_head")
    arcs = board_arcs(board, mobility, ground, charts, head)
    at = bridgers(state, side, mobility) if side else frozenset()
    changed = bridged_costs(board, rates(charts, mobility, ground), head, at)
    if not changed:
        return arcs
    costs = list(arcs.costs)
    for (a, b), cost in changed.items():
        costs[a * 6 + board.grid.direction(a, b)] = cost
    return Arcs(board.grid, tuple(costs))


@rule("ocs-series/13.8", "ocs/2.4a", "ocs-series/5.5")
def bridgers(state: State, side: str, mobility: str) -> frozenset[int]:
    """Hexes where a side's engineer-capable units bridge the rivers around them for a mobility (OCS 13.8b)."""
    return frozenset(p.at for p in state.units(side) if isinstance(p.at, int) and bridges(p, mobility))


def bridges(piece: Piece, mobility: str) -> bool:
    """HQ, engineer with the Combat side up, in Combat Mode or DG; Japanese Division HQs for Leg only (Burma 2.4a)."""
    counter = piece.counter
    if not (counter.is_hq or counter.type == "engineer") or piece.face != "combat":
        return False
    if piece.mode != "combat" and not piece.dg:
        return False
    return mobility == "leg" or not counter.is_division_hq


def bridged_costs(board: Board, found: Rates, road_head: int | None, at: Collection[int]) -> dict[tuple[int, int], int]:
    """Steps over rivers in and out of bridging units' hexes (`at`), with their cost when bridged."""
    routes, changed = routes_over(board, road_head), {}
    for here in at:
        for other in board.grid.adjacent[here]:
            side = Grid.key(here, other)
            if side in board.rivers:
                for a, b in (side, side[::-1]):
                    options = ways(board, found, a, b, routes.get(side, ()), bridged=True)
                    changed[a, b] = min((w.cost for w in options), default=0)
    return changed


@rule("ocs-series/6.2", "ocs-series/6.1-roads")
def enter_cost(
    state: State, a: int, b: int, mobility: str, ground: str = "normal", side: str | None = None
) -> EnterCost:
    """The step from `a` to its neighbour `b` explained: the cheapest way with its parts, or why it is not allowed."""
    bridged = bridgers(state, side, mobility) if side else frozenset()
    return explain_step(state, rates(state.rules.charts, mobility, ground), bridged, a, b)


def explain_step(state: State, found: Rates, bridged: Collection[int], a: int, b: int) -> EnterCost:
    """As `enter_cost`, from rates and the hexes of bridging engineers; LabelError if the hexes are not adjacent."""
    board = state.board
    board.grid.direction(a, b)
    kinds = routes_over(board, state.markers.get("road_head")).get(Grid.key(a, b), ())
    options = ways(board, found, a, b, kinds, bridged=a in bridged or b in bridged)
    way = min(options, key=_preference, default=None)
    if way is not None:
        return EnterCost(a, b, found.mobility, found.ground, way)
    return EnterCost(a, b, found.mobility, found.ground, None, *_refusal(board, found, a, b))


def _preference(way: Way) -> tuple[int, bool]:
    return way.cost, way.kind == "off_road"


def _refusal(board: Board, found: Rates, a: int, b: int) -> tuple[str, str, str]:
    """Code, sentence and rule of a step that is not allowed."""
    mover = f"{found.mobility.capitalize()} units"
    here, there = board.terrain[a], board.terrain[b]
    weather = "" if found.ground == "normal" else f" on {found.ground} ground"
    if "off" in (here, there) or "lake" in (here, there):
        return "no_hex", f"{board.label(b)} is no hex that a unit may enter.", "ocs-series/6.2"
    if found.off_road[there].cost is None:
        return "terrain", f"{mover} enter {there} only by road or track{weather}.", "ocs-series/6.2"
    if found.off_road[here].cost is None:
        text = f"{mover} leave {here} only by road or track, as the way back would be barred{weather}."
        return "reverse", text, "ocs-series/6.2"
    river = name_of(board.crossings.get(Grid.key(a, b)) or board.rivers.get(Grid.key(a, b), "river"))
    return "river", f"{mover} may not cross a {river}{weather}.", "ocs-series/6.2"
