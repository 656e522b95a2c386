"""Where trace supply comes from: railways, river ports, the Ledo Road, roads and linked extenders (OCS 12.6, 12.7).

A `Station` is a hex that a unit or an HQ may draw trace from, with the line that feeds it. Stations are found by
flooding each line from its source; a line is cut by an enemy unit, or by an enemy zone that no friendly combat unit
negates. The same flood without cuts gives the stations that would be there, for saying where a line is cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from burma_study.boards.board import Board, Side
from burma_study.boards.search import Arcs, Field, Recall, chain, flood
from burma_study.hexes.grid import Grid
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.movement.terrain import MP, bridges, ledo_road
from burma_study.rules.ocs.movement.zoc import held
from burma_study.rules.ocs.state import Piece, State, TraceSource, Transport
from burma_study.rules.ocs.supply.paths import beyond

RAILHEADS = ("village", "city")
OTHER = {"rail": "river", "river": "rail"}  # the line that carries on from a port on the railway
RECALL = Recall()  # the fields of the last states: after one piece moved most of them stand


@dataclass(frozen=True, slots=True)
class Station:
    """A hex to draw trace from. `line` runs from the source to it; `kind` rail, river, ledo, roads, point or extender.

    `groups` limits who may use it (empty: everybody). `fed_by` is the station where another kind of line ends that this
    one carries on; an extender also has the cost of its line in twelfths and the limit.
    """

    hex: int
    kind: str
    line: tuple[int, ...]
    source: int
    groups: tuple[str, ...] = ()
    by: str = ""
    cost: int | None = None
    limit: int | None = None
    fed_by: Station | None = None


@dataclass(frozen=True)
class Lines:
    """What a side's lines depend on. `cuts` are the hexes on any line that shut it; `shut` the railway hexes that a
    Japanese unit on or next to them shuts for the Allies; `engineers` hexes with an engineer-capable HQ.
    """

    board: Board
    side: str
    sources: tuple[TraceSource, ...]
    cuts: frozenset[int]
    shut: frozenset[int]
    engineers: frozenset[int]
    road_head: int | None


def lines_of(state: State, side: str, cuts: frozenset[int]) -> Lines:
    """The lines of a side when `cuts` (enemy units and zones not negated) shut the hexes they are in."""
    board = state.board
    sources = tuple(s for s in state.markers.get("sources", ()) if s.side == side)
    relevant, away = line_hexes(board), beyond(state, side)
    shut = cuts | away if away else cuts
    hqs = (p.at for p in state.units(side) if p.counter.is_hq and isinstance(p.at, int) and bridges(p, "leg"))
    return Lines(
        board=board,
        side=side,
        sources=sources,
        cuts=shut & relevant | {s.hex for s in sources if s.hex in shut},
        shut=railway_shut(state) if side == "allied" and cuts else frozenset(),
        engineers=frozenset(hqs) & relevant,
        road_head=state.markers.get("road_head"),
    )


@lru_cache(maxsize=4)
def line_hexes(board: Board) -> frozenset[int]:
    """Hexes that any line may run through: railways, roads, tracks and the banks of navigable rivers."""
    banks = river_banks(board)
    return frozenset(banks | board.route_hexes("rail", "all_weather", "fair_weather", "track"))


@lru_cache(maxsize=64)
@rule("ocs-series/12.6-sources", "ocs-series/erratum.1", "ocs/*.sr1")
def stations(lines: Lines) -> tuple[Station, ...]:
    """Every station of the side, by hex; a hex on several lines keeps the first of its kind in the scenario's order."""
    return _first_of_each(_joined_up(lines, [s for source in lines.sources for s in _spread(lines, source)]))


def _first_of_each(stations_: Iterable[Station]) -> tuple[Station, ...]:
    found: dict[tuple[int, tuple[str, ...]], Station] = {}
    for station in stations_:
        found.setdefault((station.hex, station.groups), station)
    return tuple(found[k] for k in sorted(found))


@rule("ocs/2.5b")
def _joined_up(lines: Lines, found: list[Station]) -> list[Station]:
    """The stations with those that a railway reaches from a river port on it, and a river from such a port.

    For Japan the rivers count as railways, so river and railway are one line; goods change where the port is.
    """
    ports = junctions(lines.board, lines.side)
    known = {(s.hex, s.kind, s.groups) for s in found}
    for station in found:  # grows while it is gone through
        if station.hex in ports and station.kind in OTHER:
            kind = OTHER[station.kind]
            if (station.hex, kind, station.groups) not in known:
                new = _onward(lines, station, kind)
                known |= {(s.hex, s.kind, s.groups) for s in new}
                found += new
    return found


def _onward(lines: Lines, feeder: Station, kind: str) -> list[Station]:
    """The stations of a line of another kind that begins where a station is."""
    reached = _spread(lines, TraceSource(lines.side, feeder.hex, kind, feeder.groups))
    return [replace(s, source=feeder.source, fed_by=feeder) for s in reached]


@lru_cache(maxsize=8)
def junctions(board: Board, side: str) -> frozenset[int]:
    """River ports on the railway of a side that uses the rivers: Japan (Burma 2.5b)."""
    if side != "japanese":
        return frozenset()
    return frozenset(h for s in rail_sides(board, side) for h in s if h in board.places_of("port"))


def _spread(lines: Lines, source: TraceSource) -> list[Station]:
    if source.kind == "rail":
        return _rail(lines, source)
    if source.kind == "river":
        return _river(lines, source)
    if source.kind == "ledo":
        return _ledo(lines, source)
    if source.kind == "roads":
        return _roads(lines, source)
    cut = source.hex in lines.cuts
    return [] if cut else [Station(source.hex, "point", (source.hex,), source.hex, source.groups)]


@rule("ocs-series/13.3c", "ocs-series/13.8c", "ocs/1.3", "ocs/1.4h")
def _rail(lines: Lines, source: TraceSource) -> list[Station]:
    """The source itself and every detrainable hex that controlled railway joins to it."""
    railway = railway_hexes(lines.board, lines.side) | {source.hex}
    shut = (lines.cuts | lines.shut) & railway
    return list(_along_railway(lines.board, lines.side, source, shut, lines.engineers & railway))


@lru_cache(maxsize=64)
def _along_railway(
    board: Board, side: str, source: TraceSource, shut: frozenset[int], engineers: frozenset[int]
) -> tuple[Station, ...]:
    before = flood(board.grid, [source.hex], rail_sides(board, side), shut)
    heads = {h for h in before if board.feature[h] in RAILHEADS} | engineers | {source.hex}
    return tuple(Station(h, "rail", chain(before, h), source.hex, source.groups) for h in sorted(heads & before.keys()))


@lru_cache(maxsize=4)
def railway_hexes(board: Board, side: str) -> frozenset[int]:
    """Hexes on the railways that a side controls."""
    return frozenset(h for s in rail_sides(board, side) for h in s)


@lru_cache(maxsize=8)
@rule("ocs/1.3")
def rail_sides(board: Board, side: str) -> frozenset[Side]:
    """Hexsides of the railways that a side controls for the whole game (Burma 1.3)."""
    return frozenset(s for r in board.routes if r.kind == "rail" and r.owner in ("", side) for s in r.sides)


@rule("ocs/1.11")
def railway_shut(state: State) -> frozenset[int]:
    """Hexes of the Allied railway that a Japanese unit on or next to it shuts for trace, whatever its zone."""
    board = state.board
    railway = railway_hexes(board, "allied")
    near = {n for h in held(state, "japanese") for n in (h, *board.grid.adjacent[h])}
    return railway & near


@rule("ocs/1.4f", "ocs/2.5b")
def _river(lines: Lines, source: TraceSource) -> list[Station]:
    """River ports joined to the source by the river, its hexsides taken one after another like railway hexes.

    The rulebook says only that the river counts as a railway. A railway is a chain of hexes and a river runs between
    them, so a stretch is shut where both its banks are held or covered by the enemy.
    """
    if source.hex in lines.cuts:
        return []
    return list(_along_river(lines.board, source, lines.cuts & river_banks(lines.board)))


@lru_cache(maxsize=64)
def _along_river(board: Board, source: TraceSource, cuts: frozenset[int]) -> tuple[Station, ...]:
    before = _river_flood(board, source.hex, cuts)
    ports = sorted((board.places_of("port").keys() | {source.hex}) - cuts)
    touched = {h: side for side in reversed(before) for h in side}
    lined = ((h, _river_line(before, touched, source.hex, h)) for h in ports)
    return tuple(Station(h, "river", line, source.hex, source.groups) for h, line in lined if line)


@lru_cache(maxsize=4)
def river_banks(board: Board) -> frozenset[int]:
    """Hexes beside navigable rivers, and the river ports."""
    return frozenset(h for side in river_sides(board) for h in side) | board.places_of("port").keys()


@lru_cache(maxsize=4)
def river_sides(board: Board) -> frozenset[Side]:
    """Hexsides of the navigable rivers: the major ones."""
    return frozenset(s for s, kind in board.rivers.items() if kind == "major")


def _river_flood(board: Board, start: int, cuts: frozenset[int]) -> dict[Side, Side]:
    """River hexsides reached from a bank hex along open ones, each with the one before it (a first one with itself)."""
    table = _river_table(board)
    first = sorted(s for n in board.grid.adjacent[start] if (s := Grid.key(start, n)) in table)
    before = {s: s for s in first if not cuts >= set(s)}
    queue = list(before)
    for here in queue:
        for side in table[here]:
            if side not in before and not (side[0] in cuts and side[1] in cuts):
                before[side] = here
                queue.append(side)
    return before


@lru_cache(maxsize=4)
def _river_table(board: Board) -> dict[Side, tuple[Side, ...]]:
    """For each navigable hexside those that share a corner with it."""
    rivers, adjacent, table = river_sides(board), board.grid.adjacent, {}
    for a, b in rivers:
        thirds = set(adjacent[a]) & set(adjacent[b])
        table[a, b] = tuple(sorted(s for c in thirds for s in (Grid.key(a, c), Grid.key(b, c)) if s in rivers))
    return table


def _river_line(before: dict[Side, Side], touched: dict[int, Side], start: int, end: int) -> tuple[int, ...]:
    """Bank hexes from the start to a port along the flooded hexsides; empty when the river does not reach it."""
    if start == end:
        return (start,)
    side = touched.get(end)
    if side is None:
        return ()
    line, last = [end], before[side]
    while last != side:
        shared = side[0] if side[0] in last else side[1]
        if shared != line[-1]:
            line.append(shared)
        side, last = last, before[last]
    return tuple(reversed(line if line[-1] == start else [*line, start]))


@rule("ocs/3.8", "ocs/1.11")
def _ledo(lines: Lines, source: TraceSource) -> list[Station]:
    """Every hex of the finished Ledo Road, as long as the railway that feeds Ledo is open."""
    if lines.shut:
        return []
    road = ledo_road(lines.board, lines.road_head)
    sides = {Grid.key(a, b) for a, b in pairwise(road)}
    before = flood(lines.board.grid, [source.hex], sides, lines.cuts)
    return [Station(h, "ledo", chain(before, h), source.hex, source.groups) for h in sorted(before)]


@rule("ocs/learning.sr1")
def _roads(lines: Lines, source: TraceSource) -> list[Station]:
    """Every road hex that contiguous open road hexes join to the source, whatever the distance (Learning rule 1)."""
    board = lines.board
    before = flood(board.grid, [source.hex], board.route_sides("all_weather", "fair_weather"), lines.cuts)
    return [Station(h, "roads", chain(before, h), source.hex, source.groups) for h in sorted(before)]


@rule("ocs-series/12.7", "ocs/1.2")
def with_extenders(
    state: State, lines: Lines, found: tuple[Station, ...], arcs: Arcs, blocked: frozenset[int]
) -> tuple[Station, ...]:
    """The stations with those that linked extenders add: trucks reach 20 MP and wagons 10, link by link.

    A `blocked` hex (enemy, or a zone not negated) is no source, so no extender works there (OCS 12.6). One that stands
    on the railway feeds the part of it that is cut off from its source (12.7a).
    """
    costs = state.rules.charts.supply_costs
    own = (t for t in state.transport.values() if t.side == lines.side and t.at not in blocked)
    waiting = sorted((t for t in own if extends(t, costs)), key=lambda t: t.id)
    if not waiting:
        return found
    linked, grown = list(found), True
    while grown:
        grown = False
        for truck in list(waiting):
            limit = costs[f"extender_{truck.kind}"] * MP
            station = _extender(state.board.grid, truck, linked, arcs, blocked, limit)
            if station is not None:
                linked += _beyond_the_gap(lines, station, linked)
                waiting.remove(truck)
                grown = True
    return tuple(linked)


@rule("ocs-series/12.7", "ocs-series/13.3c")
def _beyond_the_gap(lines: Lines, extender: Station, linked: Iterable[Station]) -> list[Station]:
    """An extender, and the stations that it feeds along a railway that is joined to no source by itself."""
    known = {(s.hex, s.groups) for s in linked} | {(extender.hex, extender.groups)}
    if not any(extender.hex in side for side in rail_sides(lines.board, lines.side)):
        return [extender]
    reached = _joined_up(lines, _onward(lines, extender, "rail"))
    return [extender, *(s for s in _first_of_each(reached) if (s.hex, s.groups) not in known)]


@rule("ocs-series/12.7", "ocs/1.2")
def extends(points: Transport, costs: Mapping[str, int]) -> bool:
    """Do transport points that were set up as an extender make one: five unloaded truck or wagon points on the map?"""
    enough = points.size >= costs["extender_points"] * costs["token"] and not points.load
    return points.extender and enough and f"extender_{points.kind}" in costs and isinstance(points.at, int)


def _extender(
    grid: Grid, truck: Transport, linked: list[Station], arcs: Arcs, blocked: frozenset[int], limit: int
) -> Station | None:
    assert isinstance(truck.at, int)
    starts = tuple(sorted(around(grid, linked)))
    (field,) = RECALL.ask(arcs, starts, limit=limit, blocked=blocked, reverse=True, each=False)
    cost = field.cost(truck.at)
    if cost is None:
        return None
    path = field.path(truck.at)
    feeder = station_at(grid, linked, path[-1])
    line = tuple(reversed(_joined(path, feeder.hex)))
    return Station(truck.at, "extender", line, feeder.source, feeder.groups, truck.id, cost, limit, feeder)


def around(grid: Grid, stations_: Iterable[Station]) -> set[int]:
    """The stations' hexes and those next to them, where drawing may begin (adjacency is enough, OCS 12.3)."""
    return {n for s in stations_ for n in (s.hex, *grid.adjacent[s.hex])}


def station_at(grid: Grid, stations_: Iterable[Station], end: int) -> Station:
    """The station that a path ending at `end` draws from: the one in the hex, else the lowest beside it."""
    beside = {end, *grid.adjacent[end]}
    return min((s for s in stations_ if s.hex in beside), key=lambda s: (s.hex != end, s.hex, s.kind))


def _joined(path: tuple[int, ...], last: int) -> tuple[int, ...]:
    return path if path[-1] == last else (*path, last)


def draw_path(field: Field, grid: Grid, stations_: Iterable[Station], hex_: int) -> tuple[tuple[int, ...], Station]:
    """The hexes from a drawing unit's hex to the station it draws from, and that station."""
    path = field.path(hex_)
    station = station_at(grid, stations_, path[-1])
    return _joined(path, station.hex), station


def usable(stations_: Iterable[Station], group: str) -> tuple[Station, ...]:
    """The stations that a cooperation group may use (Burma 3.7a)."""
    return tuple(s for s in stations_ if not s.groups or group in s.groups)


def pieces_on_map(pieces: Iterable[Piece]) -> list[Piece]:
    """Those that stand in a hex, by id."""
    return sorted((p for p in pieces if isinstance(p.at, int)), key=lambda p: p.id)


def forget_lines() -> None:
    """Drop every line that was worked out."""
    for kept in (stations, _along_railway, _along_river):
        kept.cache_clear()
