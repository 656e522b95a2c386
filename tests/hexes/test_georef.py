"""The affine georeference: exact where it can be, honest about the rest (DESIGN 4)."""

from __future__ import annotations

import random

import pytest

from burma_study.datafiles import read_rows, read_toml
from burma_study.errors import DataError
from burma_study.hexes.georef import ControlPoint, Georef, distance_km, load_georef
from burma_study.hexes.grid import Grid, ocs_grid


@pytest.fixture(scope="module")
def grid() -> Grid:
    return ocs_grid()


@pytest.fixture(scope="module")
def ocs(grid: Grid) -> Georef:
    return load_georef("ocs", grid)


def points(lat: tuple[float, float, float], lon: tuple[float, float, float], n: int = 12) -> list[ControlPoint]:
    draw = random.Random(7)
    spots = [(draw.uniform(0, 50), draw.uniform(0, 70)) for _ in range(n)]
    return [
        ControlPoint(f"p{i}", (), x, y, lat[0] + lat[1] * x + lat[2] * y, lon[0] + lon[1] * x + lon[2] * y)
        for i, (x, y) in enumerate(spots)
    ]


def test_a_fit_to_exact_points_returns_the_plane() -> None:
    fit = Georef.fit(points((21.6, 0.001, 0.073), (93.4, 0.078, -0.0004)))
    assert fit.lat == pytest.approx((21.6, 0.001, 0.073))
    assert fit.lon == pytest.approx((93.4, 0.078, -0.0004))
    assert fit.rms_km == pytest.approx(0, abs=1e-9)
    assert fit.leave_one_out_rms_km == pytest.approx(0, abs=1e-9)


def test_the_fit_is_the_least_of_squares(ocs: Georef) -> None:
    """Moving any coefficient either way makes the sum of squared residuals in degrees larger."""

    def squares(lat: tuple[float, ...]) -> float:
        return sum((lat[0] + lat[1] * p.x + lat[2] * p.y - p.lat) ** 2 for p in ocs.used)

    for i in range(3):
        for step in (1e-4, -1e-4):
            moved = tuple(v + (step if j == i else 0) for j, v in enumerate(ocs.lat))
            assert squares(moved) > squares(ocs.lat)


def test_to_and_from_latlon_are_inverse(ocs: Georef, grid: Grid) -> None:
    for hex_ in range(0, len(grid), 97):
        x, y = grid.centre(hex_)
        assert ocs.from_latlon(*ocs.to_latlon(x, y)) == pytest.approx((x, y))


def test_ocs_fit_has_the_stated_residuals(ocs: Georef) -> None:
    assert len(ocs.used) == 20
    assert ocs.rms_km == pytest.approx(3.8, abs=0.05)
    assert ocs.leave_one_out_rms_km == pytest.approx(4.4, abs=0.05)
    assert ocs.pitch_km == pytest.approx(8.1, abs=0.05)
    assert max(ocs.residuals[p.name] for p in ocs.used) < 8.5


def test_every_point_left_out_says_why(ocs: Georef) -> None:
    left_out = [p for p in ocs.points if not p.used]
    assert {"Mandalay", "Kharasom", "Broadway"} <= {p.name for p in left_out}
    assert all(p.note for p in left_out)
    assert ocs.residuals["Mandalay"] > 15
    assert ocs.leave_one_out.keys() == {p.name for p in ocs.used}


def test_a_place_of_two_hexes_stands_between_them(ocs: Georef, grid: Grid) -> None:
    imphal = next(p for p in ocs.points if p.name == "Imphal")
    south, north = (grid.centre(grid.index(h)) for h in ("A7.09", "A7.10"))
    assert (imphal.x, imphal.y) == pytest.approx(((south[0] + north[0]) / 2, (south[1] + north[1]) / 2))


def test_the_written_fit_is_the_one_that_the_library_makes(ocs: Georef) -> None:
    facts = read_toml("boards/ocs/georef.toml")
    assert facts["lat"] == pytest.approx(ocs.lat, abs=1e-8)
    assert facts["lon"] == pytest.approx(ocs.lon, abs=1e-8)
    assert facts["rms_km"] == pytest.approx(ocs.rms_km, abs=0.005)
    assert facts["projection"] == ocs.projection


def test_true_positions_lie_near_their_hexes_or_the_note_says_how_far(ocs: Georef, grid: Grid) -> None:
    for row in read_rows("boards/ocs/places.csv"):
        if row["hex"] and row["lat"]:
            gap = distance_km(ocs.centre(grid, grid.index(row["hex"])), (float(row["lat"]), float(row["lon"])))
            assert gap < 4.15 or "true position" in row["note"], row["place"]


def test_too_few_points_and_points_in_one_line_are_refused() -> None:
    three = points((21.6, 0.001, 0.073), (93.4, 0.078, 0.0), 3)
    with pytest.raises(DataError, match="at least 3 used control points, not 2"):
        Georef.fit(three[:2])
    row = [ControlPoint(f"q{i}", (), i, 2 * i, 20 + i, 90 + i) for i in range(5)]
    with pytest.raises(DataError, match="lie in one line"):
        Georef.fit(row)


def test_outline_is_six_corners_about_the_centre(ocs: Georef, grid: Grid) -> None:
    hex_ = grid.index("A7.09")
    corners = ocs.outline(grid, hex_)
    assert len(corners) == 6
    assert all(4.0 < distance_km(ocs.centre(grid, hex_), c) < 5.5 for c in corners)
