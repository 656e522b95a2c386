"""Hexes, stacks and supply lines as shapely geometry and GeoJSON in longitude and latitude, for a GIS."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from burma_study.boards.board import Board
from burma_study.engine.asking import asked
from burma_study.errors import BurmaStudyError
from burma_study.games.ocs.nets import flow
from burma_study.hexes.georef import Georef, load_georef
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.supply.trace import Leg, Picture
from burma_study.rules.ocs.supply.words import explain

if TYPE_CHECKING:
    from shapely import LineString, MultiPolygon, Point, Polygon


@lru_cache(maxsize=4)
def georef_of(board: Board) -> Georef:
    """The board's georeference."""
    return load_georef(board.id, board.grid)


NET_COLUMNS = (
    *("layer", "kind", "by", "cost_twelfths", "limit_twelfths", "unit", "units", "used_by"),
    *("id", "hex", "status", "marked", "why"),
)


@asked
def hex_polygon(board: Board, hex_: int) -> Polygon:
    """The outline of a hex in (longitude, latitude)."""
    from shapely import Polygon

    return Polygon([(lon, lat) for lat, lon in georef_of(board).outline(board.grid, board.checked(hex_))])


@asked
def hex_point(board: Board, hex_: int) -> Point:
    """The centre of a hex in (longitude, latitude)."""
    from shapely import Point

    lat, lon = georef_of(board).centre(board.grid, board.checked(hex_))
    return Point(lon, lat)


@asked
def path_line(board: Board, hexes: Iterable[int]) -> LineString | Point:
    """A path through the centres of hexes; a point for a path of one hex."""
    from shapely import LineString

    points = [hex_point(board, h) for h in hexes]
    if not points:
        raise BurmaStudyError("A path needs at least one hex.")
    return points[0] if len(points) == 1 else LineString(points)


@asked
def area(board: Board, hexes: Iterable[int]) -> Polygon | MultiPolygon:
    """Several hexes dissolved into one shape."""
    from shapely import union_all

    return union_all([hex_polygon(board, h) for h in hexes], grid_size=1e-9)


@asked
def feature(geometry: Any, **properties: Any) -> dict[str, Any]:
    """A GeoJSON feature."""
    if not hasattr(geometry, "__geo_interface__"):
        raise BurmaStudyError(f"{geometry!r} is no geometry; give one of shapely's.")
    shape = _counterclockwise(geometry)
    return {"type": "Feature", "geometry": shape.__geo_interface__, "properties": properties}


def _counterclockwise(geometry: Any) -> Any:
    """Outer rings counterclockwise, holes clockwise (RFC 7946, 3.1.6); lines and points as they are."""
    from shapely import MultiPolygon, Polygon
    from shapely.geometry.polygon import orient

    if isinstance(geometry, Polygon):
        return orient(geometry)
    return MultiPolygon([orient(p) for p in geometry.geoms]) if isinstance(geometry, MultiPolygon) else geometry


def collection(features: Iterable[dict[str, Any]], name: str) -> dict[str, Any]:
    """A GeoJSON feature collection with a name."""
    return {"type": "FeatureCollection", "name": name, "features": list(features)}


@asked
def board_geojson(board: Board, hexes: Iterable[int] | None = None) -> dict[str, Any]:
    """The hexes of a board (or some of them) with label, terrain, feature and place name."""
    chosen = [h for h in (board.grid if hexes is None else hexes) if board.terrain[h] != "off"]
    features = (
        feature(
            hex_polygon(board, h),
            hex=board.label(h),
            terrain=board.terrain[h],
            feature=board.feature[h] or None,
            place=board.names.get(h),
        )
        for h in chosen
    )
    return collection(features, f"{board.id} hexes")


@asked
def net_geojson(picture: Picture) -> dict[str, Any]:
    """A side's supply net: a line for each leg of each trace, a point for each unit, hexside flows as lines.

    Every feature has every property, null where it does not apply. `units` counts the units of a leg or a flow,
    `used_by` has their ids with spaces between.
    """
    state = picture.net.state
    parts = [*_legs(state, picture), *_units(state, picture), *_flows(state.board, picture)]
    for part in parts:
        part["properties"] = {name: part["properties"].get(name) for name in NET_COLUMNS}
    return collection(parts, f"{state.scenario} supply {picture.side}")


def _legs(state: State, picture: Picture) -> Iterator[dict[str, Any]]:
    """Each different leg once, with the units that use it."""
    users: dict[Leg, list[str]] = {}
    for id_, trace in sorted(picture.traces.items()):
        for leg in trace.legs:
            users.setdefault(leg, []).append(id_)
    for leg, ids in users.items():
        yield feature(
            path_line(state.board, leg.hexes),
            layer="leg",
            kind=leg.kind,
            by=leg.by or None,
            cost_twelfths=leg.cost,
            limit_twelfths=leg.limit,
            unit=leg.unit or None,
            units=len(ids),
            used_by=" ".join(ids),
        )


def _units(state: State, picture: Picture) -> Iterator[dict[str, Any]]:
    for id_, trace in sorted(picture.traces.items()):
        if trace.hex is not None:
            yield feature(
                hex_point(state.board, trace.hex),
                layer="unit",
                id=id_,
                hex=state.board.label(trace.hex),
                status=trace.status,
                marked=trace.marker,
                why=" ".join(explain(state, trace)),
            )


def _flows(board: Board, picture: Picture) -> Iterator[dict[str, Any]]:
    for side, count in sorted(flow(picture).items()):
        yield feature(path_line(board, side), layer="flow", units=count)
