"""Where a hex plane lies on the globe: an affine fit to control points, with its residuals said aloud.

Latitude and longitude are each a linear function of the hex-plane coordinates (x, y) of `burma_study.hexes.grid`, so
that straight lines of hexes are straight on a plain latitude-longitude map. Three numbers each, by least squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import asin, cos, hypot, radians, sin, sqrt

from burma_study.datafiles import read_rows
from burma_study.errors import DataError
from burma_study.hexes.grid import Grid

EARTH_RADIUS_KM = 6371.0088
PROJECTION = "affine in latitude and longitude (plate carree), least squares"
Triple = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class ControlPoint:
    """A named place with a position in the hex plane and one in degrees; only `used` points shape the fit."""

    name: str
    hexes: tuple[str, ...]
    x: float
    y: float
    lat: float
    lon: float
    used: bool = True
    note: str = ""


def distance_km(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Great-circle distance in kilometres between two (latitude, longitude) pairs in degrees."""
    (lat_a, lon_a), (lat_b, lon_b) = a, b
    half_lat, half_lon = radians(lat_b - lat_a) / 2, radians(lon_b - lon_a) / 2
    chord = sin(half_lat) ** 2 + cos(radians(lat_a)) * cos(radians(lat_b)) * sin(half_lon) ** 2
    return 2 * EARTH_RADIUS_KM * asin(min(1.0, sqrt(chord)))


@dataclass(frozen=True)
class Georef:
    """An affine georeference: `lat` and `lon` hold (constant, per x, per y); `points` are all control points."""

    lat: Triple
    lon: Triple
    points: tuple[ControlPoint, ...]
    projection: str = PROJECTION

    @classmethod
    def fit(cls, points: Iterable[ControlPoint]) -> Georef:
        """Least squares over the used points; DataError when they are fewer than three or lie in one line."""
        every = tuple(points)
        used = [p for p in every if p.used]
        return cls(_plane(used, [p.lat for p in used]), _plane(used, [p.lon for p in used]), every)

    def to_latlon(self, x: float, y: float) -> tuple[float, float]:
        """Latitude and longitude in degrees of a point of the hex plane."""
        return _at(self.lat, x, y), _at(self.lon, x, y)

    def from_latlon(self, lat: float, lon: float) -> tuple[float, float]:
        """The point (x, y) of the hex plane at a latitude and longitude in degrees."""
        (a0, ax, ay), (b0, bx, by) = self.lat, self.lon
        det = ax * by - bx * ay
        u, v = lat - a0, lon - b0
        return (u * by - v * ay) / det, (v * ax - u * bx) / det

    def residual_km(self, point: ControlPoint) -> float:
        """How far the fitted position of a point is from its true one, in kilometres."""
        return distance_km(self.to_latlon(point.x, point.y), (point.lat, point.lon))

    @property
    def used(self) -> tuple[ControlPoint, ...]:
        """The points that shape the fit."""
        return tuple(p for p in self.points if p.used)

    @cached_property
    def residuals(self) -> dict[str, float]:
        """Residual in kilometres for every point, used or not, by name."""
        return {p.name: self.residual_km(p) for p in self.points}

    @cached_property
    def rms_km(self) -> float:
        """Root mean square of the used points' residuals, in kilometres."""
        return _rms([self.residual_km(p) for p in self.used])

    @cached_property
    def leave_one_out(self) -> dict[str, float]:
        """For each used point, its residual in kilometres under the fit to all the others."""
        errors = {}
        for point in self.used:
            others = Georef.fit(p for p in self.used if p is not point)
            errors[point.name] = others.residual_km(point)
        return errors

    @cached_property
    def leave_one_out_rms_km(self) -> float:
        """Root mean square of the leave-one-out errors, in kilometres: what to expect at any other place."""
        return _rms(list(self.leave_one_out.values()))

    @cached_property
    def pitch_km(self) -> float:
        """Kilometres between the centres of two neighbours along +y, amid the control points."""
        x = sum(p.x for p in self.used) / len(self.used)
        y = sum(p.y for p in self.used) / len(self.used)
        return distance_km(self.to_latlon(x, y), self.to_latlon(x, y + 1))

    def outline(self, grid: Grid, hex_: int) -> tuple[tuple[float, float], ...]:
        """The six corners of a hex as (latitude, longitude), in the grid's order."""
        return tuple(self.to_latlon(x, y) for x, y in grid.outline(hex_))

    def centre(self, grid: Grid, hex_: int) -> tuple[float, float]:
        """Latitude and longitude of a hex's centre."""
        return self.to_latlon(*grid.centre(hex_))


def load_georef(board: str, grid: Grid) -> Georef:
    """The georeference of a board, fitted to its `control.csv` (place, hex, lat, lon, used, note).

    A place of several hexes lists them with `;` and stands at the mean of their centres.
    """
    return Georef.fit(_control(grid, row) for row in read_rows(f"boards/{board}/control.csv"))


def _control(grid: Grid, row: dict[str, str]) -> ControlPoint:
    labels = tuple(label.strip() for label in row["hex"].split(";"))
    centres = [grid.centre(grid.index(label)) for label in labels]
    x, y = (sum(values) / len(centres) for values in zip(*centres, strict=True))
    return ControlPoint(
        row["place"], labels, x, y, float(row["lat"]), float(row["lon"]), row["used"] == "yes", row["note"]
    )


def _at(coefficients: Triple, x: float, y: float) -> float:
    constant, per_x, per_y = coefficients
    return constant + per_x * x + per_y * y


def _rms(values: Sequence[float]) -> float:
    return hypot(*values) / sqrt(len(values))


def _plane(points: Sequence[ControlPoint], values: Sequence[float]) -> Triple:
    """Constant, per-x and per-y of the plane nearest to `values`, by the normal equations about the mean."""
    n = len(points)
    if n < 3:
        raise DataError(f"A georeference needs at least 3 used control points, not {n}; mark more as used.")
    mx, my, mv = sum(p.x for p in points) / n, sum(p.y for p in points) / n, sum(values) / n
    xx = sum((p.x - mx) ** 2 for p in points)
    yy = sum((p.y - my) ** 2 for p in points)
    xy = sum((p.x - mx) * (p.y - my) for p in points)
    det = xx * yy - xy * xy
    if det <= 1e-9 * xx * yy:
        names = ", ".join(p.name for p in points)
        raise DataError(f"The control points {names} lie in one line; add one that is off it.")
    xv = sum((p.x - mx) * (v - mv) for p, v in zip(points, values, strict=True))
    yv = sum((p.y - my) * (v - mv) for p, v in zip(points, values, strict=True))
    per_x, per_y = (xv * yy - yv * xy) / det, (yv * xx - xv * xy) / det
    return mv - per_x * mx - per_y * my, per_x, per_y
