"""The OCS board against what the rulebook says of it (DESIGN 4, rulebook 1.3-1.11, 2.5b, 3.4, 3.6d, 3.8)."""

from __future__ import annotations

import heapq
from itertools import pairwise
from pathlib import Path

import pytest

from burma_study.boards.board import Board, load_board
from burma_study.datafiles import provenance, read_rows
from burma_study.hexes.grid import Grid

RULEBOOK = read_rows(Path(__file__).parent / "rulebook_hexes.csv")
ROADS = ("all_weather", "fair_weather")
LEG = {"clear": 1.0, "jungle": 2.0, "rough": 2.0, "mountain": 3.0}


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board("ocs")


def rows(prefix: str) -> list[tuple[str, str, str]]:
    found = [
        (r["what"].split(":")[1], h, r["source"])
        for r in RULEBOOK
        if r["what"].startswith(prefix)
        for h in r["hexes"].split()
    ]
    assert found
    return found


def reach(board: Board, start: str, kinds: tuple[str, ...]) -> dict[int, int]:
    """Hexes along routes of the given kinds from a hex, with the number of hexsides crossed."""
    sides, first = board.route_sides(*kinds), board.index(start)
    found, ring = {first: 0}, [first]
    while ring:
        beside = {n: found[h] + 1 for h in ring for n in board.grid.adjacent[h] if Grid.key(h, n) in sides}
        ring = [n for n in beside if n not in found]
        found.update((n, beside[n]) for n in ring)
    return found


def road_hexes(board: Board, a: str, b: str) -> int:
    return reach(board, a, ROADS)[board.index(b)]


def march(board: Board, a: str, b: str, closed: frozenset[int] = frozenset()) -> float:
    """Leg MP of the cheapest way at 1/2 a road, 1 a track and LEG off it; rivers left out."""
    start, end = board.index(a), board.index(b)
    best, queue = {start: 0.0}, [(0.0, start)]
    while queue:
        done, hex_ = heapq.heappop(queue)
        if hex_ == end:
            return done
        for n in board.grid.adjacent[hex_]:
            kind = board.best_route.get(Grid.key(hex_, n))
            step = 0.5 if kind in ROADS else 1.0 if kind == "track" else LEG.get(board.terrain[n], 99.0)
            if n not in closed and done + step < best.get(n, 1e9):
                best[n] = done + step
                heapq.heappush(queue, (best[n], n))
    raise AssertionError(f"no way from {a} to {b}")


def near(board: Board, *labels: str, radius: int) -> frozenset[int]:
    return frozenset(h for label in labels for h in board.grid.disc(board.index(label), radius))


# places and features --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "hex_", "source"), rows("named"))
def test_a_place_that_the_rulebook_names_lies_at_its_hex(board: Board, name: str, hex_: str, source: str) -> None:
    assert board.index(hex_) in {p.hex for p in board.places if p.name == name}, source


@pytest.mark.parametrize(("kind", "hex_", "source"), rows("kind"))
def test_a_base_port_source_or_clearing_lies_at_its_hex(board: Board, kind: str, hex_: str, source: str) -> None:
    assert board.index(hex_) in board.places_of(kind), source


@pytest.mark.parametrize(("feature", "hex_", "source"), rows("feature"))
def test_a_city_is_one(board: Board, feature: str, hex_: str, source: str) -> None:
    assert board.feature[board.index(hex_)] == feature, source


@pytest.mark.parametrize(("kind", "hex_", "source"), rows("route"))
def test_a_set_up_that_asks_for_a_road_track_or_rail_hex_gets_one(
    board: Board, kind: str, hex_: str, source: str
) -> None:
    kinds = {
        "road": ROADS,
        "rail": ("rail",),
        "all_weather": ("all_weather",),
        "road_or_track": (*ROADS, "track"),
        "rail_or_city": ("rail",),
    }
    here = board.index(hex_)
    city = kind == "rail_or_city" and board.feature[here] == "city"
    assert city or here in board.route_hexes(*kinds[kind]), source


def test_names_repeat_only_for_kinds_and_hexes_of_one_place(board: Board) -> None:
    seen = [(p.name, p.hex, p.kind) for p in board.places]
    assert len(seen) == len(set(seen))


# routes ---------------------------------------------------------------------------------------------------------------


def test_routes_are_chains_of_adjacent_hexes_that_visit_none_twice(board: Board) -> None:
    for route in board.routes:
        assert len(set(route.hexes)) == len(route.hexes) >= 2, route.name
        for a, b in pairwise(route.hexes):
            assert b in board.grid.adjacent[a], route.name


def test_routes_do_not_zigzag(board: Board) -> None:
    """A turn of 120 degrees wastes a hex; two are wanted for lengths that the rulebook implies.

    The railway bends to run through both hexes named as its southern source: B32.26 as printed, B33.26 in the errata.
    """
    sharp = {
        (r.name, board.label(b))
        for r in board.routes
        for a, b, c in zip(r.hexes, r.hexes[1:], r.hexes[2:], strict=False)
        if board.grid.distance(a, c) == 1
    }
    assert sharp == {
        *(("Dimapur-Imphal road", "A6.11"), ("Imphal-Tamu road", "A8.05")),
        *(("Mandalay-Myitkyina railway", "B32.26"), ("Mandalay-Myitkyina railway", "B33.26")),
    }


def test_2_divisions_printed_line_is_the_road(board: Board) -> None:
    """Its hexes are neighbours one of the other, so nothing printed asks for a bend between them."""
    line = [board.index(label) for label in ("A7.23", "A8.22", "A9.22", "A10.21")]
    sides = board.route_sides("all_weather")
    assert all(board.grid.key(a, b) in sides for a, b in pairwise(line))


@pytest.mark.parametrize(
    ("a", "b", "hexes"),
    [
        ("A4.03", "B3.35", 3),  # Learning: 1.5 MP
        ("A7.09", "B3.35", 10),  # Learning: 5 MP
        ("A7.12", "B3.35", 14),  # Learning: 7 MP
        ("A4.24", "A7.09", 23),  # Dimapur to Imphal, along the printed line of 2 Division
        ("A7.09", "B3.27", 18),
        ("A7.09", "B3.26", 19),
        ("A7.09", "B3.25", 20),
        ("A7.09", "B3.24", 21),
        ("A7.09", "B3.23", 22),
        ("A7.09", "A13.01", 12),
        ("B12.21", "B9.25", 7),  # a published play report: 3.5 Truck MP
    ],
)
def test_road_lengths_that_the_rulebook_implies(board: Board, a: str, b: str, hexes: int) -> None:
    assert road_hexes(board, a, b) == hexes


def test_80_brigade_is_one_jungle_track_hex_from_ten_mp(board: Board) -> None:
    """12 road hexes to Tamu and one jungle track hex reach the hex next to A15.01."""
    assert (board.index("A13.01"), board.index("A14.01")) in board.route_sides("track")
    assert board.terrain[board.index("A14.01")] == "jungle"
    assert board.index("A14.01") not in board.roads
    assert board.grid.distance(board.index("A14.01"), board.index("A15.01")) == 1


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("A47.24", "A58.17"),
        ("A4.24", "A10.21"),
        ("A10.21", "A7.10"),
        ("A7.09", "A13.01"),
        ("A7.09", "B3.23"),
        ("B12.21", "A13.01"),
        ("A35.35", "A41.35"),
        ("A35.35", "A59.03"),
        ("A56.01", "A58.17"),
        ("B39.03", "A56.01"),
        ("B12.21", "B33.12"),
        ("A7.10", "A14.13"),
    ],
)
def test_roads_join(board: Board, a: str, b: str) -> None:
    assert board.index(b) in reach(board, a, ROADS)


def test_the_fort_white_way_is_track_between_the_two_armies(board: Board) -> None:
    """So that B3.23 and Kalemyo are not joined by road except round by Imphal and Tamu."""
    assert road_hexes(board, "B9.21", "B3.23") > 40


@pytest.mark.parametrize("place", ["B38.01", "B37.01", "B33.30", "B40.35", "A51.16", "A58.17", "B42.34"])
def test_the_japanese_railway_joins(board: Board, place: str) -> None:
    assert board.index(place) in reach(board, "B39.02", ("rail",))


def test_railways_have_their_owner_and_do_not_meet(board: Board) -> None:
    assert {r.owner for r in board.routes if r.kind == "rail"} == {"japanese", "allied"}
    assert {r.owner for r in board.routes if r.kind != "rail"} == {""}
    assembled = reach(board, "A1.24", ("rail",))
    assert board.index("A13.35") in assembled
    assert board.index("B39.02") not in assembled


def test_all_weather_road_runs_from_a59_03_to_the_east_edge(board: Board) -> None:
    found = reach(board, "A59.03", ("all_weather",))
    assert found.keys() & set(board.edges["east"])
    assert board.index("A56.01") in found


def test_short_4_has_two_road_hexes_on_the_south_edge_of_sheet_a(board: Board) -> None:
    position = board.grid.line_position
    ends = [(position(a), position(b)) for side in board.route_sides(*ROADS) for a, b in (side, side[::-1])]
    crossed = {board.label(board.grid.at(*b)) for a, b in ends if (a[1], b[1]) == (34, 35) and b[0] < 18}
    assert crossed == {"A3.01", "A13.01"}


def test_trucks_and_tanks_stand_where_they_can_move(board: Board) -> None:
    """Hexes where set-ups put tanks, motorised units or truck guns: road, clear, or one track (A46.29)."""
    stands = (
        "A6.11 A7.12 A8.22 A7.23 A9.22 A5.07 A7.08 A8.05 A10.10 A11.11 A13.01 A10.03 A11.03 "
        "B10.29 B11.30 B3.25 B2.34 A8.13 A6.08 A10.20 A47.24 A47.23 A48.28 A47.30 A5.04 A5.05"
    )
    for label in stands.split():
        here = board.index(label)
        assert here in board.roads or board.terrain[here] == "clear", label
    assert board.index("A46.29") in board.route_hexes("track")


# marches --------------------------------------------------------------------------------------------------------------


def test_31_division_needs_six_turns_to_kohima(board: Board) -> None:
    """22-24 MP from A22.11, and 2 for the crossing, at MA 5; the Imphal plain is held."""
    assert 22 <= march(board, "A22.11", "A10.21", near(board, "A7.09", "A7.10", radius=2)) <= 24


def test_15_division_needs_five_turns_to_the_dimapur_road(board: Board) -> None:
    held = near(board, "A7.09", "A7.10", radius=2) | near(board, "A10.10", radius=0)
    assert 20 < march(board, "A20.05", "A7.13", held) <= 22


def test_16_brigade_has_a_track_of_twelve_hexes(board: Board) -> None:
    assert march(board, "A38.18", "A37.07") == 12
    tracks = reach(board, "A36.25", ("track", *ROADS))
    assert {board.index(h) for h in ("A38.18", "A37.07", "B40.35")} <= tracks.keys()


def test_the_four_counters_of_215_regiment_start_beyond_draw_and_throw(board: Board) -> None:
    """Over 5 from the port at Kalewa and over 6 from the staff at B9.25 to any hex next to B2.22."""
    held = frozenset(board.index(h) for h in ("B3.23", "B3.24"))
    beside = [board.label(h) for h in board.grid.adjacent[board.index("B2.22")] if h not in held]
    assert min(march(board, "B12.21", h, held) for h in beside) > 5
    assert min(march(board, "B9.25", h, held) for h in beside) > 6


def test_the_engineers_of_33_division_start_within_draw(board: Board) -> None:
    for label in ("B4.21", "B5.21"):
        assert min(march(board, "B12.21", board.label(h)) for h in board.grid.adjacent[board.index(label)]) <= 5


@pytest.mark.parametrize(
    "unit",
    [
        "A21.02",
        "A21.03",
        "A20.03",
        "A19.04",
        "A20.04",
        "A20.05",
        "A19.06",
        "A19.07",
        "A20.07",
        "A22.08",
        "A23.09",
        "A22.11",
        "A23.12",
        "A24.12",
        "A27.16",
    ],
)
def test_15_and_31_divisions_draw_from_river_ports(board: Board, unit: str) -> None:
    """At most 3 Leg MP from a port of the Chindwin to a hex next to the unit."""
    ports = [board.label(p) for p in board.places_of("port") if board.grid.distance(p, board.index(unit)) <= 5]
    beside = (board.label(h) for h in board.grid.disc(board.index(unit), 1))
    assert min(march(board, port, h) for h in beside for port in ports) <= 3


@pytest.mark.parametrize(
    ("a", "b", "hexes"),
    [
        ("A46.07", "B40.35", (9, 10)),
        ("A46.07", "A44.04", (4,)),
        ("B44.30", "A44.01", (5,)),
        ("A46.01", "B44.30", (6,)),
        ("A46.01", "A46.07", (6,)),
    ],
)
def test_chindit_distances(board: Board, a: str, b: str, hexes: tuple[int, ...]) -> None:
    assert board.grid.distance(board.index(a), board.index(b)) in hexes


# rivers ---------------------------------------------------------------------------------------------------------------


def chindwin_sides(board: Board) -> set[tuple[int, int]]:
    bank = board.attributes["bank"]
    sides = {Grid.key(a, b) for a in board.grid for b in board.grid.adjacent[a] if bank[a] != bank[b]}
    top = board.grid.line_position(board.index("A33.26"))[1]
    return {s for s in sides if max(board.grid.line_position(h)[1] for h in s) < top}


def test_the_chindwin_is_major_and_unbroken_from_the_south_edge_to_hkamti(board: Board) -> None:
    sides = chindwin_sides(board)
    assert len(sides) > 120
    assert {board.rivers.get(s) for s in sides} == {"major"}


@pytest.mark.parametrize("goal", ["A7.09", "A10.21", "A13.01"])
def test_no_way_from_15_and_31_division_to_imphal_avoids_the_chindwin(board: Board, goal: str) -> None:
    """Within sheet A south of A33.26 and the northern rows of sheet B."""
    rows_ = range(20, 60)
    found, todo = {board.index("A20.05")}, [board.index("A20.05")]
    while todo:
        hex_ = todo.pop()
        for n in board.grid.adjacent[hex_]:
            if (
                n not in found
                and board.rivers.get(Grid.key(hex_, n)) != "major"
                and board.grid.line_position(n)[1] in rows_
            ):
                found.add(n)
                todo.append(n)
    assert board.index("A24.13") in found
    assert board.index(goal) not in found


def test_start_lines_of_15_and_31_division_are_east_of_the_chindwin(board: Board) -> None:
    east = (
        "A21.02 A21.03 A20.03 A19.04 A20.04 A20.05 A19.06 A19.07 A20.07 A22.08 A23.09 A23.10 A22.10 "
        "A22.11 A23.12 A24.12 A24.13 A27.16 A30.04 A31.05 A22.04 A19.08 A24.14 A25.15"
    )
    west = "A7.09 A10.21 A13.01 A15.01 A14.13 A15.21 B12.21 B9.25 B3.23"
    bank = board.attributes["bank"]
    assert [h for h in east.split() if bank[board.index(h)] != "east"] == []
    assert [h for h in west.split() if bank[board.index(h)] != "west"] == []


def test_the_errata_line_north_of_the_chindwin(board: Board) -> None:
    bank = board.attributes["bank"]
    for label in ("A33.26", "A30.30", "A29.35"):
        assert bank[board.index(label)] == "west"
    for label in ("A34.26", "A31.30", "A35.35", "A41.35"):
        assert bank[board.index(label)] == "east"


def test_ports_touch_a_major_river(board: Board) -> None:
    wet = {h for side, rank in board.rivers.items() if rank == "major" for h in side}
    assert [name for h, name in board.places_of("port").items() if h not in wet] == []


def test_the_irrawaddy_parts_myitkyina_from_waingmaw_and_mandalay_from_sagaing(board: Board) -> None:
    side = board.attributes["irrawaddy"]
    for west, east in (("A58.17", "A59.17"), ("B37.01", "B38.01"), ("B42.34", "B44.30"), ("A55.01", "A56.01")):
        assert (side[board.index(west)], side[board.index(east)]) == ("west", "east")
    for west, east in (("A58.17", "A59.17"), ("B37.01", "B38.01")):
        assert board.rivers[Grid.key(board.index(west), board.index(east))] == "major"


def test_the_railway_ferry_at_b38_01_counts_as_railway(board: Board) -> None:
    side = Grid.key(board.index("B37.01"), board.index("B38.01"))
    assert side in board.route_sides("rail")
    assert board.crossings[side] == "bridge"


def test_ferries_are_crossings(board: Board) -> None:
    for a, b in (
        ("B12.21", "B13.21"),
        ("A58.17", "A59.17"),
        ("A18.04", "A19.04"),
        ("A18.06", "A19.06"),
        ("A21.11", "A22.10"),
        ("A44.01", "A44.02"),
    ):
        assert board.crossings[Grid.key(board.index(a), board.index(b))] == "crossing"


def test_every_route_over_a_river_has_a_bridge_or_crossing(board: Board) -> None:
    over = {s for r in board.routes for s in r.sides if s in board.rivers}
    assert len(over) > 50
    assert over <= board.crossings.keys() <= board.rivers.keys()


def test_rivers_are_chains(board: Board) -> None:
    """Every river hexside touches another at each end, except at sources and the map's edge."""
    ends: dict[tuple[int, int], int] = {}
    for side in board.rivers:
        for x, y in board.grid.side(*side):
            key = (round(x * 100), round(y * 100))
            ends[key] = ends.get(key, 0) + 1
    loose = sum(n == 1 for n in ends.values())
    assert loose <= 2 * len({r["name"] for r in read_rows("boards/ocs/hexsides.csv")})
    assert max(ends.values()) <= 3


# terrain --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hex_", "terrain"),
    [("B9.20", "clear"), ("B9.21", "clear"), ("B9.22", "clear"), ("B40.08", "clear"), ("B41.09", "clear")]
    + [("A44.10", "clear"), ("B62.30", "clear"), ("A14.02", "jungle"), ("A43.35", "jungle"), ("A47.24", "jungle")],
)
def test_a_valley_floor_is_not_the_hills_beside_it(board: Board, hex_: str, terrain: str) -> None:
    """Relief under 40 m by a finer model: the 28-km heights smeared the hills over these."""
    assert board.terrain[board.index(hex_)] == terrain


def test_tigyaing_stands_on_the_west_bank(board: Board) -> None:
    assert {r["hex"]: r["irrawaddy"] for r in read_rows("boards/ocs/hexes.csv")}["B40.28"] == "west"


def test_the_strip_on_the_tamu_road_is_wangjing(board: Board) -> None:
    assert [p.name for p in board.places if p.kind == "airfield" and p.hex == board.index("A8.07")] == [
        "Wangjing airfield"
    ]


def test_a_third_of_the_board_is_mountain_and_a_sixteenth_clear(board: Board) -> None:
    share = {t: board.terrain.count(t) / len(board) for t in ("clear", "mountain", "rough", "jungle")}
    assert 0.05 <= share["clear"] <= 0.07
    assert 0.30 <= share["mountain"] <= 0.36
    assert min(share["rough"], share["jungle"]) > 0.2


@pytest.mark.parametrize(
    ("labels", "accepted"),
    [
        ("A10.21 A14.13 B3.24 A12.20 A13.20", {"mountain", "rough"}),
        ("A7.09 A7.10 A6.08 A8.07 B33.12 A58.17 A6.10", {"clear"}),
        ("A47.30 A48.28 A45.33 A13.01 B12.31 B10.29 A22.10 A15.01", {"jungle"}),
        ("A46.03 B44.30 A46.07", {"clear", "jungle", "rough"}),
        ("A11.05 A13.08 A12.11 A12.12 A13.12 A9.13 A7.13 B8.25", {"mountain"}),
    ],
)
def test_hexes_of_known_character(board: Board, labels: str, accepted: set[str]) -> None:
    assert {
        h: board.terrain[board.index(h)] for h in labels.split() if board.terrain[board.index(h)] not in accepted
    } == {}


@pytest.mark.parametrize("clearing", ["A46.03", "B44.30", "A46.07"])
def test_burma_3_6d_clearings_are_away_from_roads_and_railways(board: Board, clearing: str) -> None:
    beside = set(board.grid.disc(board.index(clearing), 1))
    assert not beside & (board.roads | board.route_hexes("rail"))


# edges, boxes, provenance, basemap ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edge", "hex_", "kind"),
    [
        ("west", "A1.24", "rail"),
        ("north", "A13.35", "rail"),
        ("north", "A35.35", "road"),
        ("south", "B37.01", "rail"),
        ("south", "B39.01", "rail"),
        ("south", "B39.01", "road"),
        ("east", "B62.29", "road"),
        ("east", "B62.15", "rail"),
        ("east", "A62.01", "road"),
        ("west", "A1.08", "track"),
    ],
)
def test_edge_hexes(edge: str, hex_: str, kind: str) -> None:
    assert {"edge": edge, "hex": hex_, "kind": kind} in read_rows("boards/ocs/edges.csv")


def test_burma_3_4_boxes(board: Board) -> None:
    boxes = {r["box"]: r["links"].split(";") for r in read_rows("boards/ocs/boxes.csv")}
    assert boxes["silchar"] == ["rail:A1.24", "box:ledo:27", "air:west:13"]
    assert boxes["ledo"] == ["rail:A13.35", "ledo_road:A35.35", "box:silchar:27", "air:north:13"]


def test_provenance_is_stated(board: Board) -> None:
    routes = provenance("boards/ocs/routes.csv")
    assert {r.name for r in board.routes} == {key for (key, _), _ in routes}
    assert provenance("boards/ocs/hexes.csv")("A7.13", "terrain").tag == "derived"
    assert provenance("boards/ocs/hexes.csv")("B50.20", "terrain").tag == "reconstructed"
    assert provenance("boards/ocs/places.csv")("Kohima/A10.21", "hex").tag == "printed"


def test_overrides_hold_on_the_built_board(board: Board) -> None:
    for row in read_rows("boards/ocs/overrides.csv"):
        here = board.index(row["hex"])
        value = board.terrain[here] if row["what"] == "terrain" else board.attributes[row["what"]][here]
        assert value == row["value"], row
        assert row["reason"]
