"""The basemap that ships: a picture that covers every hex, and lines and names inside it."""

from __future__ import annotations

import json
from math import log, pi, radians, tan

import pytest

from burma_study.boards.board import load_board
from burma_study.datafiles import data_path, read_toml
from burma_study.hexes.georef import load_georef

FOLDER = "boards/ocs/basemap"


@pytest.fixture(scope="module")
def facts() -> dict[str, float]:
    return read_toml(f"{FOLDER}/relief.toml")


def test_the_picture_covers_every_hex_with_a_margin(facts: dict[str, float]) -> None:
    board = load_board("ocs")
    georef = load_georef("ocs", board.grid)
    for hex_ in board.grid:
        lat, lon = georef.centre(board.grid, hex_)
        assert facts["south"] + 0.4 < lat < facts["north"] - 0.4
        assert facts["west"] + 0.4 < lon < facts["east"] - 0.4


def test_its_rows_are_those_of_web_mercator(facts: dict[str, float]) -> None:
    def mercator(lat: float) -> float:
        return log(tan(pi / 4 + radians(lat) / 2))

    tall = mercator(facts["north"]) - mercator(facts["south"])
    assert facts["height"] / facts["width"] == pytest.approx(tall / radians(facts["east"] - facts["west"]), rel=2e-3)


def test_it_is_small_and_of_the_stated_size(facts: dict[str, float]) -> None:
    image = pytest.importorskip("PIL.Image")
    path = data_path(f"{FOLDER}/relief.webp")
    assert path.stat().st_size <= 400_000
    with image.open(path) as picture:
        assert picture.size == (facts["width"], facts["height"])
        low, high = picture.convert("L").getextrema()
    assert high - low > 100  # relief, not a flat tint


@pytest.mark.parametrize("name", ["rivers", "borders", "lakes"])
def test_lines_lie_inside_the_picture(facts: dict[str, float], name: str) -> None:
    features = json.loads(data_path(f"{FOLDER}/{name}.geojson").read_text(encoding="utf-8"))["features"]
    assert features
    for feature in features:
        coordinates = feature["geometry"]["coordinates"]
        for lon, lat in coordinates[0] if feature["geometry"]["type"] == "Polygon" else coordinates:
            assert facts["west"] - 0.01 <= lon <= facts["east"] + 0.01
            assert facts["south"] - 0.01 <= lat <= facts["north"] + 0.01


def test_labels_have_three_ranks_and_the_towns_of_the_campaign() -> None:
    labels = json.loads(data_path(f"{FOLDER}/labels.json").read_text(encoding="utf-8"))
    assert {entry["rank"] for entry in labels} == {1, 2, 3}
    first = {entry["name"] for entry in labels if entry["rank"] == 1}
    assert {"Imphal", "Kohima", "Dimapur", "Mandalay", "Myitkyina", "Chindwin"} <= first


def test_the_notice_names_every_source() -> None:
    text = data_path("NOTICE").read_text(encoding="utf-8")
    for source in ("GSHHG", "Natural Earth", "GeoNames", "MCD12C1", "P.1511"):
        assert source in text
