"""A board as the page draws it: one JSON text with centres, terrain, hexsides, routes, names and the relief image."""

from __future__ import annotations

import base64
import json
import tomllib
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from burma_study.answers.frames import floats, shorts
from burma_study.boards.board import Board, Place
from burma_study.datafiles import data_path
from burma_study.errors import DataError
from burma_study.hexes.georef import Georef, distance_km, load_georef
from burma_study.hexes.grid import LINE_GAP, Grid

TERRAIN_CODES = {"clear": "c", "jungle": "j", "rough": "r", "mountain": "m", "lake": "l", "off": "o"}
RANKS = {"city": 3, "peak": 0, "village": 1, "edge": 0, "region": 0, "port": 1, "airfield": 1, "supply_source": 0}
FAMOUS = frozenset(
    {"Imphal", "Kohima", "Dimapur", "Mandalay", "Myitkyina", "Ledo", "Tiddim", "Tamu", "Homalin", "Indaw", "Bhamo"}
)
MIME = {".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".webp": "image/webp"}


def board_json(board: Board, georef: Georef | None = None, *, relief: bool = True) -> str:
    """All of a board that a browser needs, once; about 300 kB with its relief image, 150 kB without."""
    georef = georef or load_georef(board.id, board.grid)
    grid = board.grid
    out: dict[str, Any] = {
        "name": grid.name,
        "lines": grid.lines,
        "length": grid.length,
        "raised": grid.raised,
        "first_line": grid.first_line,
        "labels": " ".join(grid.label(h) for h in grid),
        "centres": floats(chain.from_iterable(padded_centres(grid, georef))),
        "terrain": "".join(TERRAIN_CODES.get(t, "c") for t in board.terrain),
        "features": [[h, f] for h, f in enumerate(board.feature) if f],
        "sides": _sides(board),
        "routes": [[r.kind, r.name, shorts(r.hexes)] for r in board.routes],
        "places": [_place(p, grid, georef) for p in _named(board.places)],
    }
    if relief:
        out |= basemap(board.id)
    return json.dumps(out, separators=(",", ":"), ensure_ascii=False)


def padded_centres(grid: Grid, georef: Georef) -> Iterator[tuple[float, float]]:
    """Latitude and longitude of every hex's centre and of one ring of hexes beyond the map, line by line."""
    for line in range(grid.first_line - 1, grid.first_line + grid.lines + 1):
        lift = 0.5 if line % 2 == grid.raised else 0.0
        for position in range(grid.first_position - 1, grid.first_position + grid.length + 1):
            yield georef.to_latlon(line * LINE_GAP, position + lift)


def _sides(board: Board) -> list[list[str]]:
    kinds: dict[str, list[int]] = {}
    for side, kind in chain(board.rivers.items(), board.crossings.items()):
        kinds.setdefault(kind, []).extend(side)
    return [[kind, shorts(kinds[kind])] for kind in ("minor", "major", "crossing", "bridge") if kind in kinds]


def _named(places: Iterable[Place]) -> Iterator[Place]:
    """The first row of each name in each hex, most telling kind first."""
    seen: set[tuple[str, int]] = set()
    for place in sorted(places, key=lambda p: -RANKS.get(p.kind, 0)):
        if place.hex is not None and (place.name, place.hex) not in seen and place.kind != "edge":
            seen.add((place.name, place.hex))
            yield place


def _place(place: Place, grid: Grid, georef: Georef) -> list[Any]:
    """Name, hex, kind, true latitude and longitude, rank 0-3, and whether it truly lies over half a hex away."""
    rank = 3 if place.name in FAMOUS else RANKS.get(place.kind, 0)
    if place.lat is None or place.lon is None or place.hex is None:
        return [place.name, place.hex, place.kind, None, None, rank, 0]
    off = distance_km(georef.centre(grid, place.hex), (place.lat, place.lon))
    return [place.name, place.hex, place.kind, place.lat, place.lon, rank, int(off > georef.pitch_km / 2)]


def basemap(board: str) -> dict[str, Any]:
    """The relief image as a data URL with its bounds, and rivers, lakes and borders as lines; empty without one."""
    try:
        folder = data_path(f"boards/{board}/basemap")
    except DataError:
        return {}
    return {"relief": _relief(folder), "shapes": list(_shapes(folder))}


def _relief(folder: Path) -> dict[str, Any] | None:
    image = next((p for p in sorted(folder.glob("relief.*")) if p.suffix in MIME), None)
    facts = folder / "relief.toml"
    if image is None or not facts.is_file():
        return None
    box = tomllib.loads(facts.read_text(encoding="utf-8"))
    text = base64.b64encode(image.read_bytes()).decode("ascii")
    bounds = [[box["south"], box["west"]], [box["north"], box["east"]]]
    return {"url": f"data:{MIME[image.suffix]};base64,{text}", "bounds": bounds}


def _shapes(folder: Path) -> Iterator[list[str]]:
    for name, kind in (("rivers", "river"), ("lakes", "lake"), ("borders", "border")):
        path = folder / f"{name}.geojson"
        if path.is_file():
            for feature in json.loads(path.read_text(encoding="utf-8"))["features"]:
                for line in _lines(feature["geometry"]):
                    yield [kind, floats(chain.from_iterable((lat, lon) for lon, lat, *_ in line))]


def _lines(geometry: dict[str, Any]) -> list[list[list[float]]]:
    """The lines or outer rings of a GeoJSON geometry."""
    coordinates = geometry["coordinates"]
    match geometry["type"]:
        case "LineString":
            return [coordinates]
        case "MultiLineString" | "Polygon":
            return list(coordinates)
        case "MultiPolygon":
            return [ring for polygon in coordinates for ring in polygon]
    return []
