"""Terrain classes from registry relief and land cover by the rule written down here; hand corrections come after."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from common import GRID, OCS, read, unplane
from packages import heights, land_cover

FOREST = (1, 2, 3, 4, 5, 8)
CROP = (12, 13, 14)
CLEAR_RELIEF = 130.0


@dataclass(frozen=True)
class Ground:
    """What the registry data say of one hex: mean height and relief in metres, shares of forest, crop and water."""

    height: float
    relief: float
    forest: float
    crop: float
    water: float


@cache
def spread() -> np.ndarray:
    """Greatest less least height over the 3 x 3 cells about each cell, for the part of the world in use."""
    grid = heights()[700:880, 3200:3400]
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(grid, 1, mode="edge"), (3, 3))
    return windows.max(axis=(2, 3)) - windows.min(axis=(2, 3))


def sample(grid: np.ndarray, row: float, column: float) -> float:
    """Bilinear value between cell centres."""
    r, c = int(row), int(column)
    u, v = row - r, column - c
    top, bottom = grid[r, c] * (1 - v) + grid[r, c + 1] * v, grid[r + 1, c] * (1 - v) + grid[r + 1, c + 1] * v
    return float(top * (1 - u) + bottom * u)


def height_at(lat: float, lon: float) -> float:
    return sample(heights(), (90.125 - lat) * 12, (lon + 180.125) * 12)


def spread_at(lat: float, lon: float) -> float:
    return sample(spread(), (90.125 - lat) * 12 - 700, (lon + 180.125) * 12 - 3200)


def cover_at(lat: float, lon: float) -> int:
    return int(land_cover()[int((90 - lat) / 0.05), int((lon + 180) / 0.05)])


POINTS = [
    (0.30 * k * np.cos(t + k), 0.30 * k * np.sin(t + k))
    for k, n in ((0, 1), (0.75, 6), (1.45, 12))
    for t in np.linspace(0, 2 * np.pi, n, endpoint=False)
]


def ground(hex_: int) -> Ground:
    """Means over 19 points of the hex; relief by the fit of hex relief to cell spread and height (R2 0.81 in logs)."""
    x, y = GRID.centre(hex_)
    spots = [unplane(x + dx, y + dy) for dx, dy in POINTS]
    height = float(np.mean([height_at(*s) for s in spots]))
    scale = float(np.log(np.mean([spread_at(*s) for s in spots]) + 20))
    log_relief = -0.225 + 0.298 * scale + 0.034 * scale**2 + 0.427 * np.log(max(height, 0) + 50)
    cover = [cover_at(*s) for s in spots]
    share = lambda kinds: sum(c in kinds for c in cover) / len(cover)  # noqa: E731
    return Ground(height, float(np.exp(log_relief) - 20), share(FOREST), share(CROP), share((0,)))


def survey() -> list[Ground]:
    return [ground(h) for h in GRID]


def smooth(values: list[float], weight: float = 0.6) -> list[float]:
    """Each value with the mean of its neighbours, so that the classes come in masses as on a printed map."""
    return [
        weight * values[h] + (1 - weight) * sum(values[n] for n in GRID.adjacent[h]) / len(GRID.adjacent[h])
        for h in GRID
    ]


def classify(grounds: list[Ground], mountain: float, rough: float) -> list[str]:
    """Classes by relief in metres and by whether the hex lies in one of the open plains of 1944."""
    relief = smooth([g.relief for g in grounds])
    plains = open_plains(grounds)
    out = []
    for hex_, r in enumerate(relief):
        if hex_ in plains:
            out.append("clear")
        elif r >= mountain:
            out.append("mountain")
        else:
            out.append("rough" if r >= rough else "jungle")
    return out


def open_plains(grounds: list[Ground]) -> set[int]:
    """Hexes of the listed plains that are flat and mostly cultivated today; forest has shrunk since, hence the list."""
    found = set()
    for row in read(OCS / "plains.csv"):
        south, north, west, east = (float(row[k]) for k in ("south", "north", "west", "east"))
        for hex_ in GRID:
            lat, lon = unplane(*GRID.centre(hex_))
            g = grounds[hex_]
            if (
                south <= lat <= north
                and west <= lon <= east
                and g.crop >= float(row["crop"])
                and g.relief <= CLEAR_RELIEF
            ):
                found.add(hex_)
    return found
