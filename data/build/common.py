"""What every build step of the OCS board shares: paths, the grid and its georeference, tables in and out."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(DATA.parent))

from burma_study.hexes.georef import ControlPoint, Georef  # noqa: E402
from burma_study.hexes.grid import OFF, ocs_grid  # noqa: E402

SOURCES = DATA / "sources"
OCS = SOURCES / "ocs"
OUT = DATA / "boards" / "ocs"
GRID = ocs_grid()
SOUTH_FROM, SOUTH_BY, SOUTH_SPAN = 18.0, 2.0, 13.4


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


PROV = ("key", "column", "tag", "source", "reason", "low", "high")


def write_prov(path: Path, rows: Iterable[Sequence[object]]) -> None:
    write(path.with_suffix(".prov.csv"), PROV, [(*row, *[""] * (len(PROV) - len(tuple(row)))) for row in rows])


def georef() -> Georef:
    """The fit to the control points in sources."""
    points = []
    for row in read(OCS / "control.csv"):
        centres = [GRID.centre(GRID.index(label)) for label in row["hex"].split(";")]
        x, y = (sum(v) / len(centres) for v in zip(*centres, strict=True))
        points.append(ControlPoint(row["place"], (), x, y, float(row["lat"]), float(row["lon"]), row["used"] == "yes"))
    return Georef.fit(points)


GEOREF = georef()


def plane(lat: float, lon: float) -> tuple[float, float]:
    """Hex-plane position of a true position, drawn together in the far south as the printed map is.

    Mandalay is printed two rows south of where the fit puts it and Kalewa is not, so below row 18 positions move south
    by an amount that grows evenly to two rows at Mandalay.
    """
    x, y = GEOREF.from_latlon(lat, lon)
    return x, y - SOUTH_BY * min(1.0, max(0.0, (SOUTH_FROM - y) / SOUTH_SPAN))


def unplane(x: float, y: float) -> tuple[float, float]:
    """Latitude and longitude that `plane` puts at a point of the hex plane."""
    true = y
    for _ in range(20):
        true = y + SOUTH_BY * min(1.0, max(0.0, (SOUTH_FROM - true) / SOUTH_SPAN))
    return GEOREF.to_latlon(x, true)


def hex_of(lat: float, lon: float) -> int:
    """The hex nearest a true position on the printed map, or OFF."""
    return GRID.hex_at(*plane(lat, lon))


def labels(text: str) -> list[int]:
    return [GRID.index(label) for label in text.replace(";", " ").split()]


def by_key(rows: Iterable[Mapping[str, str]], key: str) -> dict[str, list[Mapping[str, str]]]:
    out: dict[str, list[Mapping[str, str]]] = {}
    for row in rows:
        out.setdefault(row[key], []).append(row)
    return out


__all__ = [
    "DATA",
    "GEOREF",
    "GRID",
    "OCS",
    "OFF",
    "OUT",
    "SOURCES",
    "by_key",
    "georef",
    "hex_of",
    "labels",
    "plane",
    "read",
    "unplane",
    "write",
    "write_prov",
]
