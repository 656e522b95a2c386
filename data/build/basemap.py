"""Build data/boards/ocs/basemap: relief image, rivers, lakes, borders, labels: `python data/build/basemap.py`."""

from __future__ import annotations

import json
import tomllib

import numpy as np
import ocs_rivers
from common import OCS, OUT, SOURCES, by_key, read
from ocs_terrain import FOREST
from packages import heights, land_cover, lines_in, shaded_relief
from PIL import Image
from shapely import LineString, box

SOUTH, WEST, NORTH, EAST = 20.9, 92.3, 27.9, 98.9
WIDTH = 1500
FOLDER = OUT / "basemap"
QUALITY = 82
TINTS = {  # metres, red, green, blue: open land from cream to pale ridges, forest from leaf green to blue-green
    "open": (
        (0, 238, 232, 208),
        (800, 232, 224, 192),
        (1300, 212, 198, 164),
        (2200, 200, 188, 164),
        (3500, 232, 230, 228),
    ),
    "forest": (
        (0, 198, 211, 176),
        (300, 188, 200, 160),
        (1000, 180, 185, 150),
        (2000, 176, 174, 152),
        (3500, 226, 228, 226),
    ),
}


def mercator(lat: np.ndarray) -> np.ndarray:
    return np.log(np.tan(np.pi / 4 + np.radians(lat) / 2))


def pixel_positions() -> tuple[np.ndarray, np.ndarray]:
    """Latitudes of the rows (evenly spaced in Web Mercator) and longitudes of the columns, at pixel centres."""
    top, bottom = mercator(np.array([NORTH, SOUTH]))
    height = round(WIDTH * (top - bottom) / np.radians(EAST - WEST))
    y = top - (np.arange(height) + 0.5) / height * (top - bottom)
    lon = WEST + (np.arange(WIDTH) + 0.5) / WIDTH * (EAST - WEST)
    return np.degrees(2 * np.arctan(np.exp(y)) - np.pi / 2), lon


def cubic(grid: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Catmull-Rom interpolation of a grid at the outer product of fractional rows and columns."""
    return weights(rows, grid.shape[0]) @ grid @ weights(columns, grid.shape[1]).T


def weights(positions: np.ndarray, size: int) -> np.ndarray:
    whole = np.floor(positions).astype(int)
    t = positions - whole
    matrix = np.zeros((len(positions), size))
    spline = (-t / 2 + t**2 - t**3 / 2, 1 - 2.5 * t**2 + 1.5 * t**3, t / 2 + 2 * t**2 - 1.5 * t**3, (t**3 - t**2) / 2)
    for offset, weight in zip((-1, 0, 1, 2), spline, strict=True):
        np.add.at(matrix, (np.arange(len(positions)), np.clip(whole + offset, 0, size - 1)), weight)
    return matrix


def ground_heights(lat: np.ndarray, lon: np.ndarray) -> np.ndarray:
    part = heights()[720:850, 3240:3360].astype(float)
    return cubic(part, (90.125 - lat) * 12 - 720, (lon + 180.125) * 12 - 3240)


def drawn_relief(lat: np.ndarray, lon: np.ndarray) -> np.ndarray:
    """Natural Earth's shading, with what it owes to broad heights taken out: about -1 to 1."""
    picture = shaded_relief()
    scale = picture.width / 360
    left, upper = int((WEST - 1 + 180) * scale), int((90 - NORTH - 1) * scale)
    crop = picture.crop((left, upper, int((EAST + 1 + 180) * scale), int((90 - SOUTH + 1) * scale))).convert("L")
    grey = np.asarray(crop, dtype=float)
    fine = cubic(grey, (90 - lat) * scale - upper - 0.5, (lon + 180) * scale - left - 0.5)
    return np.clip((fine - np.median(fine)) / 45.0, -1.2, 1.2)


def hillshade(z: np.ndarray, lat: np.ndarray, exaggeration: float = 5.0) -> np.ndarray:
    """Light from the north-west over heights in metres: 0 to 1, level ground 0.7."""
    metres = 111_320.0 * (EAST - WEST) / WIDTH * np.cos(np.radians(lat))[:, None]
    dy, dx = np.gradient(z)
    dx, dy = exaggeration * dx / metres, exaggeration * dy / metres
    light = (-dx * -0.5 - dy * -0.5 + 0.7071) / np.sqrt(dx**2 + dy**2 + 1)
    return np.clip(light, 0, 1)


def forest_share(lat: np.ndarray, lon: np.ndarray) -> np.ndarray:
    """Share of forest (IGBP 1-5 and 8) near each pixel, 0 to 1."""
    rows, columns = slice(1220, 1400), slice(5420, 5600)
    forest = np.isin(land_cover()[rows, columns], FOREST).astype(float)
    soft = sum(np.roll(forest, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) / 9
    return np.clip(cubic(soft, (90 - lat) / 0.05 - 0.5 - 1220, (lon + 180) / 0.05 - 0.5 - 5420), 0, 1)


def tint(z: np.ndarray, forest: np.ndarray) -> np.ndarray:
    def colours(name: str) -> np.ndarray:
        table = np.array(TINTS[name], dtype=float)
        return np.stack([np.interp(z, table[:, 0], table[:, i]) for i in (1, 2, 3)], axis=-1)

    return colours("open") + (colours("forest") - colours("open")) * forest[..., None]


def relief_image() -> Image.Image:
    lat, lon = pixel_positions()
    z = ground_heights(lat, lon)
    light = 1.0 + 0.34 * (hillshade(z, lat) - 0.7) + 0.18 * drawn_relief(lat, lon)
    rgb = tint(z, forest_share(lat, lon)) * np.clip(light, 0.66, 1.10)[..., None]
    return Image.fromarray(np.clip(rgb, 0, 255).astype(np.uint8), "RGB")


def write_relief() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    image = relief_image()
    image.save(FOLDER / "relief.webp", quality=QUALITY, method=6)
    facts = {"south": SOUTH, "west": WEST, "north": NORTH, "east": EAST, "width": image.width, "height": image.height}
    text = "".join(f"{k} = {v}\n" for k, v in facts.items())
    (FOLDER / "relief.toml").write_text(f'{text}rows = "evenly spaced in Web Mercator (EPSG:3857)"\n', encoding="utf-8")
    assert tomllib.loads(text)["south"] == SOUTH


# lines ----------------------------------------------------------------------------------------------------------------


def feature(geometry: dict, **properties: object) -> dict:
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def line(points: object) -> dict:
    return {"type": "LineString", "coordinates": [[round(float(x), 3), round(float(y), 3)] for x, y in points]}


def save(name: str, features: list[dict]) -> None:
    text = json.dumps({"type": "FeatureCollection", "features": features}, ensure_ascii=False, separators=(",", ":"))
    (FOLDER / name).write_text(text.replace('{"type":"Feature",', '\n{"type":"Feature",') + "\n", encoding="utf-8")


def clipped(points: object, tolerance: float) -> list[LineString]:
    """Parts of a (lon, lat) line inside the image, thinned."""
    shape = LineString(points).intersection(box(WEST, SOUTH, EAST, NORTH)).simplify(tolerance)
    parts = getattr(shape, "geoms", [shape])
    return [p for p in parts if p.geom_type == "LineString" and p.length > 0.05]


def rivers() -> list[dict]:
    """The board's rivers with name and rank, then the rest of the survey as nameless streams."""
    rows, courses = by_key(read(OCS / "rivers.csv"), "river"), ocs_rivers.degrees()
    lonlat = {name: [(lon, lat) for lat, lon in course] for name, course in courses.items()}
    zones = [LineString(course).buffer(0.03) for course in lonlat.values()]
    named = [
        feature(line(part.coords), name=name, rank=rows[name][0]["rank"], source=rows[name][0]["source"])
        for name, course in lonlat.items()
        for part in clipped(course, 0.004)
    ]
    others = [part for a in lines_in("rivers", WEST, SOUTH, EAST, NORTH) for part in clipped(a, 0.01)]
    far = [p for p in others if p.length > 0.25 and not any(zone.covers(p) for zone in zones)]
    return named + [feature(line(p.coords), name="", rank="stream", source="wdbii") for p in far]


def borders() -> list[dict]:
    """Frontiers of today near those of 1944; those with what was then Bengal are left out."""
    parts = [p for a in lines_in("countries", WEST, SOUTH, EAST, NORTH) for p in clipped(a, 0.008)]
    return [feature(line(p.coords), source="wdbii") for p in parts if p.centroid.x > 92.75 or p.centroid.y < 21.9]


def lakes() -> list[dict]:
    out = []
    for name, rows in by_key(read(OCS / "lakes.csv"), "lake").items():
        ring = [[float(r["lon"]), float(r["lat"])] for r in rows]
        out.append(feature({"type": "Polygon", "coordinates": [[*ring, ring[0]]]}, name=name, source="hand-traced"))
    return out


def write_labels() -> None:
    """Names with position, kind and rank: 1 shown from afar, 2 nearer, 3 near."""
    known = {r["place"]: r for r in read(SOURCES / "geo" / "gazetteer_1944.csv")}
    out = []
    for row in read(OCS / "labels.csv"):
        spot = row if row["lat"] else known[row["name"]]
        entry = {"name": row["name"], "lat": float(spot["lat"]), "lon": float(spot["lon"])}
        out.append({**entry, "kind": row["kind"], "rank": int(row["rank"])})
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in out)
    (FOLDER / "labels.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def main() -> None:
    write_relief()
    save("rivers.geojson", rivers())
    save("borders.geojson", borders())
    save("lakes.geojson", lakes())
    write_labels()
    for path in sorted(FOLDER.iterdir()):
        print(f"{path.name} {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
