"""Nets as a designer asks of them: flows, cuts, choke points, differences and GIS geometry."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from shapely import from_geojson

from burma_study.games.ocs.geometry import area, board_geojson, hex_polygon, net_geojson
from burma_study.games.ocs.nets import carried, choke_points, cut, differences, flow
from burma_study.hexes.grid import Grid
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.supply.trace import Picture, supply

STATE = start("ocs/u-go")
BOARD = STATE.board


@pytest.fixture(scope="module")
def picture() -> Picture:
    return supply(STATE, "allied")


def test_flow_counts_every_trace_once_a_hexside(picture: Picture) -> None:
    flows = flow(picture)
    railway = Grid.key(BOARD.index("A2.24"), BOARD.index("A3.24"))
    users = [
        t
        for t in picture.traces.values()
        if any(railway == Grid.key(a, b) for leg in t.legs for a, b in pairwise(leg.hexes))
    ]
    assert flows[railway] == len(users) > 20


def test_a_cut_loses_those_who_have_no_other_way(picture: Picture) -> None:
    road = BOARD.index("A6.22")
    one = cut(picture, [road], by="impassable")
    assert "a/hq/4_Corps" in one.lost
    assert "a/loc/a-202_LOC" not in one.lost
    assert set(one.lost) <= set(carried(picture)[road])


def test_a_cut_equals_an_enemy_standing_there_without_a_zone(picture: Picture) -> None:
    hex_ = BOARD.index("A6.22")
    raider = replace(STATE.pieces["j/inf/1-58-31"], at=hex_, mode="strat", face="move")
    really = {i for i, t in supply(STATE.place(raider), "allied").traces.items() if not t.in_supply}
    assert really - {t.unit for t in picture.out} == set(cut(picture, [hex_], by="impassable").lost)


def test_choke_points_join_the_hexes_of_one_stretch_and_are_no_one_elses(picture: Picture) -> None:
    found = choke_points(picture)
    assert [len(c.lost) for c in found] == sorted((len(c.lost) for c in found), reverse=True)
    assert len({c.lost for c in found}) == len(found)
    for c in found:
        assert all(cut(picture, [h]).lost == c.lost for h in c.hexes)


def test_differences_between_two_readings_of_the_rules() -> None:
    other = STATE.with_(rules=replace(STATE.rules, version="v4.3"))
    assert differences(STATE, STATE, "allied") == ()
    hq = other.pieces["a/hq/4_Corps"]
    strat = other.place(replace(hq, mode="strat", face="move"))
    lost = {d.unit for d in differences(STATE, strat, "allied")}
    assert "a/inf/63-17" in lost


def test_hexes_tile_the_plane_in_gis_coordinates() -> None:
    imphal, north = (BOARD.index(h) for h in ("A7.09", "A7.10"))
    both = area(BOARD, [imphal, north])
    assert both.geom_type == "Polygon"
    assert both.area == pytest.approx(hex_polygon(BOARD, imphal).area + hex_polygon(BOARD, north).area, rel=1e-6)
    assert 93.5 < both.centroid.x < 94.4
    assert 24.5 < both.centroid.y < 25.1


def test_net_and_board_are_valid_geojson(picture: Picture) -> None:
    for found in (net_geojson(picture), board_geojson(BOARD, BOARD.grid.disc(BOARD.index("A7.09"), 3))):
        text = json.dumps(found)
        assert len(from_geojson(text).geoms) == len(found["features"])
    layers = {f["properties"].get("layer") for f in net_geojson(picture)["features"]}
    assert layers == {"leg", "unit", "flow"}
