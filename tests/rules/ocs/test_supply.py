"""Trace supply of OCS Burma: the rulebook's cases, the figures of the real starts, and a slow reading as oracle."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest
from movement_field import CENTRE, GRID
from oracle_supply import Oracle

from burma_study.boards.board import load_board
from burma_study.engine.pmap import Map
from burma_study.rules.ocs.counters import counters
from burma_study.rules.ocs.setup import scenarios, start
from burma_study.rules.ocs.state import Dump, Piece, State, TraceSource, Transport, new_state
from burma_study.rules.ocs.supply.lines import rail_sides, river_sides
from burma_study.rules.ocs.supply.net import Net, Thrower
from burma_study.rules.ocs.supply.on_map import OnMap, facts, on_map
from burma_study.rules.ocs.supply.trace import Picture, Trace, forget, station_legs, supply, trace, tracing
from burma_study.rules.ocs.supply.verdict import basis
from burma_study.rules.ocs.supply.words import explain

BOARD = load_board("ocs")
at = BOARD.index


@cache
def start_of(scenario: str) -> State:
    return start(scenario)


def ugo() -> State:
    return start_of("ocs/u-go")


def unit(state: State, label: str) -> str:
    return next(i for i, p in sorted(state.pieces.items()) if p.counter.label == label)


def traced(state: State, label: str) -> Trace:
    return trace(state, unit(state, label))


def moved(state: State, id_: str, to: str, **changes: object) -> State:
    return state.place(replace(state.pieces[id_], at=at(to), **changes))


def thrower(state: State, side: str, label: str) -> Thrower:
    return next(t for t in Net(state, side).throwers if t.piece.counter.label == label)


def in_supply(state: State, side: str) -> set[str]:
    return {state.pieces[i].counter.label for i, t in supply(state, side).traces.items() if t.in_supply}


# the figures of 15 March (what the reconstructed values must achieve) ------------------------------------------------


@pytest.mark.parametrize(
    ("label", "cost"),
    [("63-17", 8.5), ("48-17", 9), ("7-10 Ba-17", 9.5), ("1 Wy-17", 10), ("4-12 FF-17", 10.5), ("80-20", 10)],
)
@pytest.mark.rule("ocs-series/12.3b", "ocs-series/12.3c")
def test_u_go_corps_throw_costs_on_the_tiddim_road_and_to_80_brigade(label: str, cost: float) -> None:
    state = ugo()
    reach = thrower(state, "allied", "4 Corps HQ").reach(BOARD.grid, state.pieces[unit(state, label)].at)
    assert reach is not None
    assert reach[0] == cost * 12


def test_u_go_corps_throw_of_10_catches_17_division_but_for_4_12_ff() -> None:
    traces = in_supply(ugo(), "allied")
    assert {"63-17", "48-17", "7-10 Ba-17", "1 Wy-17", "17-17", "80-20", "100-20", "32-20"} <= traces
    assert "4-12 FF-17" not in traces
    assert basis(supply(ugo(), "allied"), unit(ugo(), "4-12 FF-17")).verdict == "turns on: 4 Corps HQ throw 10 -> 12"


def test_u_go_a_corps_throw_of_8_would_leave_17_division_out() -> None:
    net = Net(ugo(), "allied", throws=(("a/hq/4_Corps", "throw", 8),))
    hq = next(t for t in net.throwers if t.piece.counter.label == "4 Corps HQ")
    for label in ("63-17", "48-17", "7-10 Ba-17", "1 Wy-17"):
        reach = hq.reach(BOARD.grid, ugo().pieces[unit(ugo(), label)].at)
        assert reach is not None
        assert reach[0] > hq.limit


@pytest.mark.rule("ocs-series/12.6", "ocs-series/12.6-sources", "ocs-series/12.7")
def test_u_go_iv_corps_traces_by_the_extender_at_imphal_and_only_by_it() -> None:
    legs = traced(ugo(), "4 Corps HQ").legs
    assert [leg.kind for leg in legs] == ["rail", "extender", "draw"]
    assert legs[1].hexes[0] == at("A4.24")
    without = ugo()
    for id_, truck in ugo().transport.items():
        if truck.extender:
            without = without.put("transport", id_, replace(truck, extender=False))
    assert not traced(without, "4 Corps HQ").in_supply
    assert "37-23" not in in_supply(without, "allied")


@pytest.mark.parametrize(
    ("changes", "detrains"),
    [({}, True), ({"dg": True}, True), ({"mode": "move", "face": "move"}, False), ({"mode": "reserve"}, False)],
)
@pytest.mark.rule("ocs-series/13.3c", "ocs-series/13.8")
def test_ocs_13_3c_an_hq_detrains_only_while_engineer_capable(changes: dict[str, object], detrains: bool) -> None:
    state = moved(start_of("ocs/campaign-2"), "j/hq/15_Army", "B33.28", **changes)
    assert (at("B33.28") in {s.hex for s in Net(state, "japanese").stations}) == detrains


@pytest.mark.parametrize(
    "change", [{"kind": "mule"}, {"size": 16}, {"load": 4}, {"at": "A5.30"}], ids=["mules", "four", "loaded", "away"]
)
@pytest.mark.rule("ocs-series/12.7", "ocs/1.2")
def test_ocs_12_7_five_unloaded_truck_or_wagon_points_make_an_extender_nothing_else(change: dict[str, object]) -> None:
    state = ugo()
    id_, truck = next((i, t) for i, t in sorted(state.transport.items()) if t.extender)
    assert any(s.kind == "extender" for s in Net(state, "allied").stations)
    fields = {k: at(v) if k == "at" else v for k, v in change.items()}
    other = state.put("transport", id_, replace(truck, **fields))
    assert not any(s.kind == "extender" for s in Net(other, "allied").stations)


@pytest.mark.rule("ocs-series/12.6", "ocs-series/12.7")
def test_ocs_12_6_an_enemy_zone_in_its_hex_shuts_an_extender_unless_a_unit_negates_it() -> None:
    state = ugo()
    id_, truck = next((i, t) for i, t in sorted(state.transport.items()) if t.extender)
    lone = state.put("transport", id_, replace(truck, at=at("A9.22")))
    for piece in state.units("allied"):
        if isinstance(piece.at, int) and BOARD.grid.distance(piece.at, at("A9.22")) < 3:
            lone = moved(lone, piece.id, "A4.24")
    assert any(s.kind == "extender" for s in Net(lone, "allied").stations)
    raid = moved(lone, "j/inf/3-138-31", "A10.21")
    assert at("A9.22") in Net(raid, "allied").zoned
    assert not any(s.kind == "extender" for s in Net(raid, "allied").stations)
    guarded = moved(raid, unit(raid, "3 As"), "A9.22")
    assert any(s.kind == "extender" for s in Net(guarded, "allied").stations)


@pytest.mark.rule("ocs-series/12.3a", "ocs-series/12.6")
def test_u_go_japanese_start_only_the_four_at_b2_22_and_b2_23_eat() -> None:
    picture = supply(ugo(), "japanese")
    out = {BOARD.label(t.hex) for t in picture.out}
    assert (out, len(picture.out)) == ({"B2.22", "B2.23"}, 4)
    (meal,) = OnMap(picture).meals()
    assert (BOARD.label(meal.store), meal.tokens, len(meal.units)) == ("B2.22", 1, 4)


@pytest.mark.parametrize("errata", [True, False])
@pytest.mark.parametrize("scenario", ["ocs/thursday", "ocs/marauders"])
@pytest.mark.rule("ocs/thursday.sr1", "ocs/marauders.sr1", "ocs-series/erratum.14")
def test_short_1_and_3_the_railway_from_its_source_feeds_indaw_and_mogaung(scenario: str, errata: bool) -> None:
    """The rulebook prints B32.26, the errata B33.26: from either the whole line feeds, not the source alone."""
    state = start(scenario, errata=errata)
    line = {s.hex for s in Net(state, "japanese").stations if s.kind == "rail"}
    assert {at("B33.30"), at("A40.01"), at("A49.15"), at("A51.16")} <= line
    assert not [t.unit for t in supply(state, "japanese").out if errata]


@pytest.mark.rule("ocs/marauders.sr1", "ocs/2.5b")
def test_short_3_bhamo_feeds_itself_and_by_the_irrawaddy_the_next_port() -> None:
    """Chindits on both banks at A44.01 and A44.02 shut the river below Shwegu."""
    ports = [s for s in Net(start_of("ocs/marauders"), "japanese").stations if s.kind == "river"]
    assert {BOARD.label(s.hex) for s in ports if not s.fed_by} == {"A56.01", "A49.01"}
    assert {BOARD.label(s.hex) for s in ports if s.fed_by and s.fed_by.hex == at("B42.34")} == {"B40.28", "B42.31"}


@pytest.mark.parametrize(
    ("source", "raider", "fed", "legs"),
    [
        (("A56.01", "river"), "B33.28", "A58.17", ["river", "rail", "draw"]),
        (("B33.26", "rail"), "B32.25", "A49.01", ["rail", "river", "draw"]),
    ],
)
@pytest.mark.rule("ocs/2.5b")
def test_burma_2_5b_railway_and_river_are_one_line_at_katha(
    source: tuple[str, str], raider: str, fed: str, legs: list[str]
) -> None:
    """From Bhamo by the Irrawaddy to Katha and on by rail to Myitkyina; from B33.26 by rail to Katha, then Shwegu."""
    state = new_state("test").put("markers", "sources", (TraceSource("japanese", at(source[0]), source[1]),))
    state = state.place(Piece("j/inf/1-58-31", at(fed))).place(Piece("a/art/20-20", at(raider)))
    found = trace(state, "j/inf/1-58-31")
    assert [leg.kind for leg in found.legs] == legs
    assert found.source == at(source[0])
    assert found.legs[0].hexes[-1] == at("B42.34") == found.legs[1].hexes[0]
    shut = state.place(Piece("a/inf/48-17", at("B42.34"), "strat", "move"))  # goods change in Katha itself
    assert not trace(shut, "j/inf/1-58-31").in_supply
    assert trace(shut, "j/inf/1-58-31").misses[0].stopped == "line"


@pytest.mark.rule("ocs-series/12.7", "ocs-series/13.3c")
def test_ocs_12_7_an_extender_on_the_railway_feeds_the_part_beyond_a_cut() -> None:
    state = new_state("test").put("markers", "sources", (TraceSource("allied", at("A1.24"), "rail"),))
    cut = state.place(Piece("j/art/1-31-31", at("A5.26")))
    assert {BOARD.label(s.hex) for s in Net(cut, "allied").stations} == {"A1.24", "A4.24"}
    points = Transport("a/truck/1", "allied", "truck", 20, at("A6.27"), extender=True)
    net = {BOARD.label(s.hex): s for s in Net(cut.put("transport", points.id, points), "allied").stations}
    assert set(net) == {"A1.24", "A4.24", "A6.27", "A7.30", "A8.32", "A13.35"}
    onward = net["A13.35"]
    assert (onward.kind, onward.fed_by and onward.fed_by.kind, onward.source) == ("rail", "extender", at("A1.24"))
    assert [leg.kind for leg in station_legs(onward)][-2:] == ["extender", "rail"]


@pytest.mark.parametrize(
    ("scenario", "side", "away"), [("ocs/learning", "japanese", "B16.31"), ("ocs/u-go", "allied", "A34.01")]
)
@pytest.mark.rule("ocs-series/12.3d")
def test_ocs_12_3d_no_supply_comes_from_or_through_hexes_outside_the_map_area(
    scenario: str, side: str, away: str
) -> None:
    """B16.31 is a port joined to Kalewa, but lies outside the Learning Scenario's area."""
    state = start_of(scenario)
    hexes = set(state.markers["area"])
    assert at(away) not in hexes
    sources = (*state.markers["sources"], TraceSource(side, at(away), "point"))
    net = Net(state.put("markers", "sources", sources), side)
    assert {s.hex for s in net.stations} <= hexes
    leaving = [(h, n) for h in hexes for n in BOARD.grid.adjacent[h] if n not in hexes]
    assert leaving
    assert not any(net.arcs(m).cost(h, n) for m in ("leg", "truck") for h, n in leaving)
    whole = Net(state.put("markers", "area", None).put("markers", "sources", sources), side)
    assert at(away) in {s.hex for s in whole.stations}


@pytest.mark.rule("ocs-series/12.3d")
def test_short_1_prints_units_outside_its_area_and_they_are_supplied_there() -> None:
    state = start_of("ocs/thursday")
    assert traced(state, "3-114-18").hex not in state.markers["area"]
    assert traced(state, "3-114-18").in_supply
    assert traced(state, "2-114-18").in_supply


@pytest.mark.parametrize(
    ("scenario", "source", "wanted", "left"),
    [
        ("ocs/learning", "B12.21", {"B12.21", "B14.27"}, set()),
        ("ocs/u-go", "B12.21", {"A18.01", "A18.04", "A18.06"}, set()),
        ("ocs/sato", "A18.01", {"A18.01", "A18.04", "A18.06"}, set()),
        ("ocs/imphal", "A18.01", {"A18.01", "A18.04", "A18.06"}, {"A18.04", "A18.06"}),
    ],
)
@pytest.mark.rule("ocs/learning.sr1", "ocs/u-go.sr1", "ocs/sato.sr1", "ocs/imphal.sr1")
def test_an_enemy_in_the_source_shuts_the_river_but_not_ports_that_are_sources(
    scenario: str, source: str, wanted: set[str], left: set[str]
) -> None:
    """Kalewa (U-Go) or A18.01 (Short 4) feed the ports; in Short 5 A18.01 and the ports are sources each."""
    state = start_of(scenario)
    assert wanted <= {BOARD.label(s.hex) for s in Net(state, "japanese").stations}
    guns = state.place(Piece("a/art/20-20", at(source)))  # guns have no zone: only their own hex is shut
    assert wanted & {BOARD.label(s.hex) for s in Net(guns, "japanese").stations} == left


@pytest.mark.parametrize("errata", [True, False])
@pytest.mark.parametrize("scenario", [info.id for info in scenarios()])
def test_every_source_stands_on_the_line_that_spreads_it(scenario: str, errata: bool) -> None:
    near = {
        "rail": lambda h, side: any(h in s for s in rail_sides(BOARD, side)),
        "river": lambda h, side: any(h in s for s in river_sides(BOARD)),
        "ledo": lambda h, side: h in BOARD.route_hexes("all_weather"),
        "roads": lambda h, side: h in BOARD.roads,
        "point": lambda h, side: True,
    }
    astray = [s for s in start(scenario, errata=errata).markers["sources"] if not near[s.kind](s.hex, s.side)]
    assert not astray


@pytest.mark.rule("ocs/1.4f")
def test_burma_2_5b_15_and_31_divisions_draw_from_river_ports() -> None:
    picture = supply(ugo(), "japanese")
    for id_, t in picture.traces.items():
        if counters()[id_].formation in ("15", "31"):
            kinds = [leg.kind for leg in t.legs]
            assert kinds in (["river", "draw"], ["river", "draw", "throw"]), id_


@pytest.mark.rule("ocs/learning.sr1")
def test_learning_rule_1_every_road_hex_joined_to_b3_35_is_a_source() -> None:
    state = start_of("ocs/learning")
    for label in ("4-12 FF-17", "48-17"):
        assert traced(state, label).legs[0].kind == "roads"
    block = state.place(Piece(unit(state, "1-215-33"), at("B3.30")))
    assert not traced(block, "48-17").in_supply
    assert {m.stopped for m in traced(block, "48-17").misses} <= {"line", "none", "range", "zone", "enemy"}


# clauses --------------------------------------------------------------------------------------------------------------


def test_burma_1_11_a_japanese_unit_next_to_the_railway_shuts_rail_and_ledo_road() -> None:
    state = start_of("ocs/campaign-2")
    assert traced(state, "a-202 LOC").in_supply
    assert traced(state, "330 Eng").legs[0].kind == "ledo"
    railway = traced(state, "c-202 LOC").legs[0].hexes
    beside = next(h for h in BOARD.grid.adjacent[railway[9]] if h not in railway)
    near = moved(state, unit(state, "1-58-31"), BOARD.label(beside))
    assert not traced(near, "330 Eng").in_supply
    assert not traced(near, "c-202 LOC").in_supply
    assert traced(near, "a-202 LOC").in_supply
    for label in ("1 CAI HQ", "c-202 LOC"):
        miss = traced(near, label).misses[0]
        assert (miss.way, miss.stopped, miss.whose) == ("draw", "line", unit(state, "1-58-31"))
        assert miss.at in railway
    staff = moved(state, "j/hq/31_Div", BOARD.label(beside))  # a staff has no zone, but sits next to the line
    assert traced(staff, "1 CAI HQ").misses[0].whose == "j/hq/31_Div"


def test_burma_2_5b_a_river_is_cut_only_where_both_banks_are_covered() -> None:
    def held_by(*hexes: str) -> State:
        state = new_state("test").put("markers", "sources", (TraceSource("japanese", at("B12.21"), "river"),))
        state = state.place(Piece("j/inf/1-58-31", at("A22.10")))
        for id_, where in zip(("a/inf/48-17", "a/inf/63-17"), hexes, strict=False):
            state = state.place(Piece(id_, at(where), "strat", "move"))  # no zone in Strat Mode: only the hex itself
        return state

    side = min(s for s, k in BOARD.rivers.items() if k == "major" and _on_the_way(s))
    a, b = map(BOARD.label, side)
    assert trace(held_by(), "j/inf/1-58-31").in_supply
    assert trace(held_by(a), "j/inf/1-58-31").in_supply
    assert trace(held_by(b), "j/inf/1-58-31").in_supply
    assert not trace(held_by(a, b), "j/inf/1-58-31").in_supply


def _on_the_way(side: tuple[int, int]) -> bool:
    """A hexside of the Chindwin that every way by river from Kalewa to Homalin crosses."""
    ports = BOARD.places_of("port")
    state = new_state("t").put("markers", "sources", (TraceSource("japanese", at("B12.21"), "river"),))
    if set(side) & set(ports):
        return False
    for id_, where in zip(("a/inf/48-17", "a/inf/63-17"), side, strict=True):
        state = state.place(Piece(id_, where, "strat", "move"))
    return not any(s.hex == at("A22.10") for s in Net(state, "japanese").stations)


@pytest.mark.rule("ocs-series/12.3d", "ocs-series/4.5-negation")
def test_ocs_12_3_a_zone_stops_truck_paths_unless_a_combat_unit_negates_it() -> None:
    blocked = moved(ugo(), unit(ugo(), "1-215-33"), "B2.31")
    t = traced(blocked, "63-17")
    assert not t.in_supply
    assert {m.stopped for m in t.misses} == {"zone"}
    assert t.misses[0].whose == "j/inf/1-215-33"
    road = next(m.hexes for m in t.misses if m.way == "throw")
    zone = [h for h in road if BOARD.grid.distance(h, at("B2.31")) == 1]
    held = blocked
    for label, hex_ in zip(("7 Cav", "9 Ja MG", "Ka", "15-11"), zone, strict=False):
        held = held.place(replace(held.pieces[unit(held, label)], at=hex_))
    assert traced(held, "63-17").in_supply


@pytest.mark.parametrize(
    ("id_", "away", "engineer", "reached"),
    [
        ("j/inf/1-58-31", 6, None, False),
        ("j/inf/1-58-31", 6, Piece("j/hq/33_Div", CENTRE), True),
        ("j/inf/1-58-31", 6, Piece("j/hq/33_Div", CENTRE, "move", "move"), False),
        ("j/inf/1-58-31", 6, Piece("a/eng/823_Eng", CENTRE), False),
        ("j/inf/1-58-31", 7, Piece("j/hq/33_Div", CENTRE), False),
        ("a/inf/48-17", 3, None, False),
        ("a/inf/48-17", 3, Piece("a/eng/823_Eng", CENTRE), True),
        ("a/inf/48-17", 4, Piece("a/eng/823_Eng", CENTRE), False),
    ],
)
@pytest.mark.rule("ocs-series/13.8", "ocs-series/12.3d", "ocs/2.4a")
def test_ocs_13_8_a_draw_crosses_a_river_by_the_bridge_of_an_engineer_in_the_hex(
    ground, id_: str, away: int, engineer: Piece | None, reached: bool
) -> None:
    """A minor river all round costs Leg 1 MP and Truck 4: with 5 clear hexes at 1, or 2 at 2, that is over 5 MP."""
    ground(rivers={(CENTRE, n): "minor" for n in GRID.adjacent[CENTRE]})
    store = CENTRE
    for _ in range(away):
        store = GRID.neighbours[store][0]
    state = new_state("t").place(Piece(id_, CENTRE))
    state = state.put("dumps", store, Dump(state.pieces[id_].counter.side, 4))
    if engineer is not None:
        state = state.place(engineer)
    side = state.pieces[id_].counter.side
    assert bool(OnMap(Picture(Net(state, side), {})).ways(state.pieces[id_])) == reached


@pytest.mark.rule("ocs-series/12.3d")
def test_ocs_12_3_leg_paths_pass_zones_but_not_units() -> None:
    state = new_state("t").put("markers", "sources", (TraceSource("japanese", at("A22.10"), "point"),))
    state = state.place(Piece("j/inf/1-58-31", at("A25.11"))).place(Piece("j/inf/2-58-31", at("A22.10")))
    path = trace(state, "j/inf/1-58-31").legs[-1].hexes
    assert len(path) > 3
    beside = next(h for h in BOARD.grid.adjacent[path[2]] if h not in path and BOARD.grid.distance(h, path[0]) > 1)
    zoned = state.place(Piece("a/inf/48-17", beside))
    assert trace(zoned, "j/inf/1-58-31").legs[-1].hexes == path
    held = state
    for n, hex_ in enumerate(h for h in BOARD.grid.adjacent[at("A25.11")]):
        held = held.place(Piece(f"a/inf/{('48-17', '63-17', '37-23', '49-23', '1-23', '100-20')[n]}", hex_))
    assert not trace(held, "j/inf/1-58-31").in_supply
    assert {m.stopped for m in trace(held, "j/inf/1-58-31").misses} == {"enemy"}


@pytest.mark.parametrize(
    ("mode", "version", "throws"),
    [("combat", "1999", True), ("strat", "1999", False), ("reserve", "1999", False), ("reserve", "v4.3", True)],
)
def test_ocs_12_3b_an_hq_throws_not_in_strat_nor_in_1999_in_reserve(mode: str, version: str, throws: bool) -> None:
    state = ugo().with_(rules=replace(ugo().rules, version=version))
    state = state.place(replace(state.pieces["a/hq/4_Corps"], mode=mode))
    assert traced(state, "63-17").in_supply is throws
    if not throws:
        assert "mode" in {m.stopped for m in traced(state, "63-17").misses}


@pytest.mark.rule("ocs-series/5.7", "ocs-series/5.8")
@pytest.mark.parametrize(
    ("mode", "version", "draws"),
    [
        ("combat", "1999", True),
        ("strat", "1999", False),
        ("reserve", "1999", False),
        ("strat", "v4.3", True),
        ("reserve", "v4.3", True),
    ],
)
def test_ocs_5_7_an_hq_draws_not_in_strat_or_reserve_by_the_1999_rules_alone(mode, version, draws) -> None:
    state = ugo().with_(rules=replace(ugo().rules, version=version))
    hq, foot = state.pieces["a/hq/4_Corps"], next(p for p in state.units("allied") if p.counter.label == "63-17")
    state = state.place(replace(hq, mode=mode)).place(replace(foot, at=hq.at, mode=mode))
    assert traced(state, "4 Corps HQ").in_supply is draws
    assert traced(state, "63-17").in_supply, "a unit that is no HQ draws in every mode"
    assert supply(state, "allied").traces[hq.id].in_supply is draws
    if not draws:
        assert [m.whose for m in traced(state, "4 Corps HQ").misses if m.way == "draw"] == [mode]
        assert f"An HQ cannot draw in {mode.capitalize()} Mode." in " ".join(
            explain(state, traced(state, "4 Corps HQ"))
        )


def test_ocs_5_8_an_hq_may_end_in_strategic_mode_where_it_could_draw() -> None:
    state = ugo()
    hq = state.pieces["a/hq/4_Corps"]
    assert tracing(state, hq.id)(state, hq.id, hq.at)
    assert not tracing(state, hq.id)(state, hq.id, at("A25.11"))


@pytest.mark.rule("ocs/2.4")
def test_burma_2_4b_each_move_mode_battalion_with_a_division_hq_adds_one_mp_to_its_throw() -> None:
    base = thrower(ugo(), "japanese", "33 Div HQ")
    assert (base.limit, base.porters) == (6 * 12, 0)
    carried = ugo()
    for label in ("3-214-33", "1-213-33"):
        carried = moved(carried, unit(carried, label), "B9.25", mode="move", face="move")
    assert (thrower(carried, "japanese", "33 Div HQ").limit, thrower(carried, "allied", "4 Corps HQ").porters) == (
        96,
        0,
    )
    for piece in ugo().units("japanese"):
        if piece.counter.formation == "31 Div" and piece.counter.type == "infantry":
            carried = moved(carried, piece.id, "B9.25", mode="move", face="move")
    strong = thrower(carried, "japanese", "33 Div HQ")
    assert strong.limit == (6 + strong.porters) * 12 > 16 * 12
    assert max(c for h in BOARD.grid if (c := strong.field.cost(h)) is not None) > 16 * 12
    gun = moved(ugo(), unit(ugo(), "2-18H"), "B9.25", mode="move", face="move")
    assert thrower(gun, "japanese", "33 Div HQ").porters == 0


def test_burma_2_5c_a_leg_ma_showing_draws_by_leg_and_a_truck_ma_by_truck() -> None:
    state = new_state("t").put("markers", "sources", (TraceSource("japanese", at("A22.10"), "point"),))
    off_road = next(
        h
        for h in BOARD.grid.ring(at("A22.10"), 2)
        if BOARD.terrain[h] == "jungle"
        and h not in BOARD.route_hexes("track")
        and trace(state.place(Piece("j/inf/1-58-31", h)), "j/inf/1-58-31").in_supply
    )
    assert not trace(state.place(Piece("j/art/1-18H", off_road)), "j/art/1-18H").in_supply


@pytest.mark.rule("ocs/3.7b")
def test_burma_3_7a_hqs_serve_only_their_own_cooperation_group() -> None:
    state = moved(ugo(), unit(ugo(), "63-17"), "B3.27")
    stranger = state.place(Piece("a/inf/112-38", at("B3.27")))
    assert traced(stranger, "63-17").in_supply
    assert not trace(stranger, "a/inf/112-38").in_supply
    assert {m.way for m in trace(stranger, "a/inf/112-38").misses} == {"draw"}


@pytest.mark.rule("ocs-series/erratum.9")
def test_erratum_9_the_823_engineers_are_fed_by_any_allied_hq() -> None:
    state = ugo().place(Piece("a/eng/823_Eng", at("B3.27")))
    assert trace(state, "a/eng/823_Eng").in_supply
    ways = on_map(state, "allied").ways(state.pieces["a/eng/823_Eng"])
    assert any(way.hq == "a/hq/4_Corps" for way in ways)
    bare = state.with_(rules=replace(state.rules, errata_off=("erratum.9",)))
    assert not trace(bare, "a/eng/823_Eng").in_supply
    assert not any(way.hq for way in on_map(bare, "allied").ways(bare.pieces["a/eng/823_Eng"]))


def test_burma_3_4_units_in_a_holding_box_are_in_trace() -> None:
    state = ugo().place(Piece("a/inf/9-5", "silchar"))
    assert trace(state, "a/inf/9-5").status == "box"


@pytest.mark.parametrize(("count", "tokens"), [(1, 1), (10, 1), (11, 2), (20, 2), (21, 3)])
def test_burma_2_5a_one_token_feeds_ten_japanese_counters(count: int, tokens: int) -> None:
    ids = sorted(i for i, c in counters().items() if c.side == "japanese" and not c.is_hq)[:count]
    state = new_state("t").put("dumps", at("A22.10"), Dump("japanese", 40))
    for id_ in ids:
        state = state.place(Piece(id_, at("A22.10")))
    (meal,) = on_map(state, "japanese").meals()
    assert (len(meal.units), meal.tokens) == (count, tokens)


@pytest.mark.parametrize(("units", "tokens"), [(["63-17"], 1), (["63-17", "48-17"], 1), (["63-17", "48-17", "Ka"], 2)])
def test_ocs_12_6c_one_token_feeds_two_re(units: list[str], tokens: int) -> None:
    state = new_state("t").put("dumps", at("A7.09"), Dump("allied", 40))
    for label in units:
        state = state.place(Piece(unit(ugo(), label), at("A7.09")))
    (meal,) = on_map(state, "allied").meals()
    assert meal.tokens == tokens


def test_ocs_12_8_scarce_tokens_feed_in_the_order_chosen_and_strat_mode_never_eats() -> None:
    state = new_state("t").put("dumps", at("A7.09"), Dump("allied", 1))
    for label in ("63-17", "48-17", "37-23"):
        state = state.place(Piece(unit(ugo(), label), at("A7.09")))
    ids = [unit(ugo(), x) for x in ("37-23", "63-17", "48-17")]
    stores = on_map(state, "allied")
    assert stores.meals(ids)[0].units == tuple(ids[:2])
    assert stores.meals()[0].units == (ids[0], ids[2])
    strat = state.place(replace(state.pieces[ids[0]], mode="strat", face="move"))
    assert ids[0] not in on_map(strat, "allied").meals()[0].units


def test_burma_2_5d_water_buffaloes_feed_but_do_not_pay_for_combat() -> None:
    state = new_state("t").place(Piece("j/inf/1-58-31", at("A22.10")))
    state = state.put("transport", "b", Transport("b", "japanese", "buffalo", 10, at("A22.10"), load=10))
    f = facts(on_map(state, "japanese"), "j/inf/1-58-31")
    assert (f.projected, f.attack.source, f.fuel.cost) == ("eats", "stocks", 0)


def test_the_five_facts_are_kept_apart() -> None:
    state = ugo()
    id_ = unit(state, "1-215-33")
    f = facts(on_map(state.place(replace(state.pieces[id_], oos=True)), "japanese"), id_)
    assert (f.marker, f.projected, f.attack.source, BOARD.label(f.eats_from or 0)) == (True, "eats", "dump", "B2.22")
    tank = facts(on_map(state, "allied"), unit(state, "7 Cav"))
    assert (tank.fuel.cost, tank.fuel.source, tank.projected) == (1, "dump", "in")


def test_ocs_12_10_internal_stocks_pay_only_when_no_store_is_in_reach() -> None:
    alone = new_state("t").place(Piece("j/inf/1-58-31", at("A22.10")))
    assert facts(on_map(alone, "japanese"), "j/inf/1-58-31").defence.source == "stocks"
    spent = alone.place(Piece("j/inf/1-58-31", at("A22.10"), stocks=0))
    assert facts(on_map(spent, "japanese"), "j/inf/1-58-31").defence.source == ""
    near = alone.put("dumps", at("A22.11"), Dump("japanese", 8))
    assert facts(on_map(near, "japanese"), "j/inf/1-58-31").defence.source == "dump"


def test_explain_names_path_sum_and_limit_or_the_nearest_miss() -> None:
    good = " ".join(explain(ugo(), traced(ugo(), "63-17")))
    assert "8.5 of 10 Truck MP" in good
    assert "Dimapur" in good
    bad = explain(ugo(), traced(ugo(), "4-12 FF-17"))
    assert "cannot trace" in bad[0]
    assert "short by 0.5" in bad[1]


# oracle and memory ----------------------------------------------------------------------------------------------------


def shaken(state: State, rng: Random, moves: int) -> State:
    """The state after some units of both sides jumped a few hexes, some modes and markers changed."""
    ids = sorted(i for i, p in state.pieces.items() if isinstance(p.at, int))
    area = set(state.markers.get("area", ())) or set(BOARD.grid)
    for id_ in rng.sample(ids, min(moves, len(ids))):
        piece = state.pieces[id_]
        near = [h for h in BOARD.grid.disc(piece.at, 6) if BOARD.terrain[h] not in ("off", "lake") and h in area]
        mode, face = rng.choice([("combat", "combat"), ("move", "move"), ("strat", "move"), ("reserve", "combat")])
        to = rng.choice(near or [piece.at])
        if any(p.at == to and p.counter.side != piece.counter.side for p in state.pieces.values()):
            continue
        state = state.place(replace(piece, at=to, mode=mode, face=face, oos=rng.random() < 0.2))
    return state


LARGE = ("ocs/campaign-1", "ocs/campaign-2", "ocs/campaign-3")  # the slow reading of these takes seconds


@pytest.mark.parametrize(
    "scenario", [pytest.param(s.id, marks=[pytest.mark.slow] if s.id in LARGE else []) for s in scenarios()]
)
@pytest.mark.parametrize("seed", [0, 1])
def test_supply_equals_the_slow_reading(scenario: str, seed: int) -> None:
    state = start_of(scenario)
    if seed:
        state = shaken(state, Random(f"{scenario}{seed}"), min(40, len(state.pieces) // 2))
    for side in ("japanese", "allied"):
        oracle = Oracle(state, side)
        for id_, t in supply(state, side).traces.items():
            piece = state.pieces[id_]
            if isinstance(piece.at, int):
                assert t.in_supply == oracle.traces(piece), (id_, explain(state, t))


def fresh(state: State, side: str) -> Picture:
    forget()
    return supply(state, side)


def test_a_picture_after_each_of_many_moves_equals_one_from_nothing() -> None:
    rng, state = Random(7), start_of("ocs/campaign-1")
    for _ in range(25):
        state = shaken(state, rng, 1)
        kept = {side: supply(state, side).traces for side in ("japanese", "allied")}
        copy = replace(state, pieces=Map(dict(state.pieces.items())))
        for side, traces in kept.items():
            assert traces == fresh(copy, side).traces
