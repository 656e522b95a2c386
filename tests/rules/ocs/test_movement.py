"""Reach: allowances, the minimum move, zones, special rules, marks, reasons, and what an answer turns on."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from movement_field import CENTRE, ENEMY, GRID, NE, NW, SE, SW, TANKS, TRUCKS, N, Oracle, S, field, made, wild

from burma_study.errors import DataError, ScenarioError
from burma_study.rules.ocs import state as state_module
from burma_study.rules.ocs.movement.reach import allowance, mover, reach
from burma_study.rules.ocs.movement.reach_texts import TEXTS, say
from burma_study.rules.ocs.movement.steps import SHUT, sweep
from burma_study.rules.ocs.movement.terrain import GROUNDS, bridgers
from burma_study.rules.ocs.movement.zoc import held, unnegated, zones
from burma_study.rules.ocs.state import Dump, Piece, Rules, Transport

FOOT = "j/inf/2-215-33"  # MA 3, Move side 5
BRIGADE = "a/inf/63-17"
NORTH = [GRID.at(10, r) for r in range(44, 70)]  # from CENTRE straight north
pytestmark = pytest.mark.usefixtures("ground")


def code(found, hex_: int) -> str | None:
    reason = found.why_not(hex_)
    return None if reason is None else reason.code


# allowances -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "face", "phase", "dg", "twelfths"),
    [
        ("combat", None, "movement", False, 36),
        ("move", None, "movement", False, 60),
        ("strat", None, "movement", False, 120),
        ("reserve", "combat", "movement", False, 9),
        ("reserve", "move", "movement", False, 15),
        ("reserve", "move", "reaction", False, 30),
        ("reserve", "combat", "exploitation", False, 36),
        ("exploit", "combat", "exploitation", False, 18),
        ("exploit", "move", "exploitation", False, 30),
        ("combat", None, "movement", True, 18),
        ("move", None, "movement", True, 30),
        ("combat", None, "exploitation", False, 0),
        ("strat", None, "reaction", False, 0),
        ("exploit", "combat", "movement", False, 0),
    ],
)
@pytest.mark.rule("ocs-series/4.1", "ocs-series/5.7", "ocs-series/5.8", "ocs-series/5.9", "ocs-series/5.10")
def test_allowance_by_mode_and_phase(mode: str, face: str | None, phase: str, dg: bool, twelfths: int) -> None:
    state = field({FOOT: Piece(FOOT, CENTRE, "combat", face or "combat", dg=dg)})
    assert allowance(mover(state, FOOT, mode, face), phase) == twelfths


def test_series_4_1_points_spent_are_kept_to_the_fraction(ground) -> None:
    ground(routes=[("all_weather", NORTH)])
    found = reach(field({FOOT: Piece(FOOT, CENTRE, "move", "move", spent=54)}), FOOT)
    assert (found.allowance, found.left) == (60, 6)
    assert set(found.costs) == {CENTRE, N}
    assert found.minimum == frozenset(), "a unit that has moved has had its one hex"


@pytest.mark.parametrize(("unit", "tokens"), [(FOOT, 0), (TANKS, 1), (TRUCKS, 1)])
def test_burma_1_5_trucks_and_tanks_need_a_token_a_phase(unit: str, tokens: int) -> None:
    assert reach(field({unit: CENTRE}), unit).fuel == tokens
    assert reach(field({unit: Piece(unit, CENTRE, fuelled=True)}), unit).fuel == 0


# the minimum move -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/6.2-minimum")
def test_series_6_2_a_unit_always_moves_one_hex(ground) -> None:
    ground(rest="mountain", rivers={(CENTRE, N): "major"})
    found = reach(field({FOOT: CENTRE}), FOOT)  # MA 3, mountain 3, over the river 5
    assert found.minimum == {N}
    assert (found.costs[N], found.cost(N), found.cost(S)) == (60, 36, 36)
    assert found.path(N) == (CENTRE, N)
    assert set(found.costs) == {CENTRE, *GRID.adjacent[CENTRE]}


@pytest.mark.rule("ocs-series/6.2-minimum")
def test_series_6_2_but_not_into_what_is_barred(ground) -> None:
    ground(rest="jungle")
    found = reach(field({TRUCKS: CENTRE}), TRUCKS)
    assert (set(found.costs), code(found, N)) == ({CENTRE}, "terrain")
    guarded = reach(field({FOOT: Piece(FOOT, CENTRE, "reserve"), "a/hq/4_Corps": N}), FOOT)
    assert code(guarded, N) == "enemy_units"
    assert guarded.minimum == set(GRID.adjacent[CENTRE]) - {N}


@pytest.mark.rule("ocs/notes.leg-reserve")
def test_a_reserve_steps_into_a_trackless_mountain_and_again_in_exploitation(ground) -> None:
    ground(rest="mountain")
    waiting = Piece(FOOT, CENTRE, "reserve")
    first = reach(field({FOOT: waiting}), FOOT)
    assert (first.left, first.minimum) == (9, set(GRID.adjacent[CENTRE]))
    again = reach(field({FOOT: Piece(FOOT, N, "reserve")}), FOOT, phase="exploitation")
    assert again.costs[GRID.neighbours[N][0]] == 36


# zones ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/4.5")
def test_an_enemy_zone_stops_trucks_and_nobody_else(ground) -> None:
    ground(routes=[("all_weather", NORTH)])
    enemy = {ENEMY: NORTH[3]}
    trucks = reach(field({TRUCKS: CENTRE, **enemy}), TRUCKS)
    assert trucks.marks["stops"] == set(GRID.adjacent[NORTH[3]]) & set(trucks.costs)
    for hex_ in trucks.costs:
        assert not set(trucks.path(hex_)[1:-1]) & set(GRID.adjacent[NORTH[3]])
    behind = GRID.neighbours[NORTH[3]][0]
    for unit in (TANKS, BRIGADE):
        free = reach(field({unit: NORTH[2], **enemy}), unit, mode="move")
        assert any(set(free.path(h)[1:-1]) & set(GRID.adjacent[NORTH[3]]) for h in free.costs)
        assert "stops" not in free.marks
    assert code(trucks, behind) in ("too_far", "stopped")


@pytest.mark.rule("ocs-series/4.5")
def test_a_truck_leaves_a_zone_it_starts_in_and_stops_in_the_next(ground) -> None:
    ground(routes=[("all_weather", NORTH)])
    found = reach(field({TRUCKS: CENTRE, ENEMY: NE}), TRUCKS)
    assert N in found.costs  # also in the zone of the unit at NE
    assert NORTH[2] not in found.costs or found.path(NORTH[2])[1] != N
    assert S in found.costs
    assert GRID.neighbours[S][3] in found.costs


@pytest.mark.rule("ocs-series/4.5-negation")
def test_a_friendly_unit_opens_the_road_past_a_zone(ground) -> None:
    ground(rest="jungle", routes=[("all_weather", NORTH)])
    enemy = {ENEMY: GRID.neighbours[NORTH[2]][1]}
    shut = reach(field({TRUCKS: CENTRE, **enemy}), TRUCKS)
    zone = zones(field(enemy), "japanese") & set(NORTH)
    assert zone == {NORTH[2], NORTH[3]}
    assert set(shut.costs) == {CENTRE, N, NORTH[2]}
    assert code(shut, NORTH[4]) == "stopped"
    friends = dict(zip(("a/hq/4_Corps", BRIGADE, "a/inf/48-17"), sorted(zone), strict=False))
    opened = reach(field({TRUCKS: CENTRE, **enemy, **friends}), TRUCKS)
    assert NORTH[5] in opened.costs
    assert "negates" in " ".join(opened.notes)


@pytest.mark.rule("ocs-series/5.8")
def test_strat_mode_neither_starts_in_a_zone_nor_enters_one() -> None:
    near = reach(field({BRIGADE: CENTRE, ENEMY: N}), BRIGADE, mode="strat")
    assert [r.code for r in near.refused] == ["zone_mode"]
    assert ENEMY in say(near.state, near.refused[0])
    already = Piece(BRIGADE, CENTRE, "strat", "move")
    far = reach(field({BRIGADE: already, ENEMY: NORTH[5], "a/inf/48-17": NORTH[4]}), BRIGADE)
    assert not zones(far.state, "japanese") & set(far.costs), "not even one that a friend negates"
    assert code(far, NORTH[4]) == "enemy_zone"
    assert "enemy_zone" not in far.marks


@pytest.mark.rule("ocs-series/5.7")
def test_reserve_may_not_be_entered_in_a_zone_but_may_move_into_one() -> None:
    assert [r.code for r in reach(field({BRIGADE: CENTRE, ENEMY: N}), BRIGADE, mode="reserve").refused] == ["zone_mode"]
    found = reach(field({BRIGADE: Piece(BRIGADE, CENTRE, "reserve"), ENEMY: NORTH[2]}), BRIGADE)
    assert N in found.costs
    assert N in found.marks["enemy_zone"]


def test_the_zones_of_1999_stop_trucks_that_v43_lets_pass(ground) -> None:
    ground(rest="jungle", routes=[("all_weather", NORTH)])
    enemy = {ENEMY: Piece(ENEMY, GRID.neighbours[NORTH[2]][1], "move", "move")}
    old = reach(field({TRUCKS: CENTRE, **enemy}), TRUCKS)
    new = reach(field({TRUCKS: CENTRE, **enemy}, "v4.3"), TRUCKS)
    assert len(old.costs) < len(new.costs)
    assert "any mode" in old.notes[0]


# special rules --------------------------------------------------------------------------------------------------------


def banks() -> list[str]:
    """The Chindwin east of column 10."""
    return ["west" if GRID.line_position(h)[0] <= 10 else "east" for h in GRID]


@pytest.mark.rule("ocs/2.7")
def test_burma_2_7a_the_ina_stays_beside_the_chindwin(ground) -> None:
    ground(bank=banks())
    found = reach(field({"j/inf/1-INA": CENTRE}), "j/inf/1-INA", mode="move")
    assert {GRID.line_position(h)[0] for h in found.costs} == set(range(5, 12))
    east = GRID.neighbours[NE][1]
    assert code(found, east) == "ina"
    assert east in reach(field({FOOT: CENTRE}), FOOT, mode="move")


@pytest.mark.rule("ocs/3.6b", "ocs/3.6")
def test_chindits_stay_north_of_row_b30_until_the_road_reaches_myitkyina(ground) -> None:
    line = [*GRID.line(GRID.index("A35.35"), GRID.index("A58.17")), GRID.index("A59.17")]
    ground(routes=[("track", line)], bank=banks())
    at, south = GRID.index("B10.31"), GRID.index("B10.29")
    units = {"a/col/A-77-3": at, FOOT: at}
    for head, barred in ((None, True), (line[3], True), (line[-2], False), (line[-1], False)):
        found = reach(field(units, markers={"road_head": head} if head else {}), "a/col/A-77-3", mode="move")
        assert (code(found, south) == "chindit") == barred
    assert found.marks["chindit_west"] == {h for h in found.costs if GRID.line_position(h)[0] <= 10} - {at}


@pytest.mark.rule("ocs/3.6b", "ocs-series/erratum.9")
def test_erratum_9_the_823_engineers_keep_to_the_limits_of_the_chindits(ground) -> None:
    ground(bank=banks())
    builders, at, south = "a/eng/823_Eng", GRID.index("B10.31"), GRID.index("B10.29")
    state = field({builders: at})
    assert code(reach(state, builders, mode="move"), south) == "chindit"
    assert "chindit_west" in reach(state, builders, mode="move").marks
    bare = state.with_(rules=Rules(errata_off=("erratum.9",)))
    assert south in reach(bare, builders, mode="move")
    assert "chindit_west" not in reach(bare, builders, mode="move").marks


def test_the_scenario_bounds_the_map() -> None:
    area = tuple(sorted(GRID.disc(CENTRE, 1)))
    found = reach(field({FOOT: CENTRE}, markers={"area": area}), FOOT, mode="move")
    assert set(found.costs) == set(area)
    assert code(found, NORTH[2]) == "area"


def test_a_unit_in_a_box_is_not_on_the_map() -> None:
    found = reach(field({BRIGADE: "silchar"}), BRIGADE)
    assert (dict(found.costs), [r.code for r in found.refused]) == ({}, ["in_box"])
    assert say(found.state, found.refused[0]).startswith(f"{BRIGADE} is not on the map but in silchar.")


@pytest.mark.rule("ocs-series/4.4c")
def test_only_a_unit_that_can_attack_enters_enemy_supply() -> None:
    state = field({BRIGADE: CENTRE, "a/hq/4_Corps": Piece("a/hq/4_Corps", CENTRE, "move", "move")})
    state = state.put("dumps", N, Dump("japanese", 4))
    state = state.put("transport", "m", Transport("m", "japanese", "mule", 4, S))
    assert reach(state, BRIGADE).marks["captures"] == {N, S}
    headquarters = reach(state, "a/hq/4_Corps")
    assert (code(headquarters, N), code(headquarters, S)) == ("enemy_goods", "enemy_goods")
    assert "supply" in say(state, headquarters.why_not(N))
    assert code(reach(state, BRIGADE, mode="strat"), N) == "enemy_goods"


@pytest.mark.rule("ocs/opt.3l", "ocs-series/14.15")
def test_interdiction_adds_to_the_cost_of_a_hex(ground) -> None:
    state = field({FOOT: CENTRE})
    plain, slowed = reach(state, FOOT), reach(state, FOOT, interdiction={N: 36})
    assert (plain.costs[N], slowed.costs[N]) == (12, 48)
    assert slowed.minimum == {N}
    assert slowed.costs[S] == plain.costs[S]
    assert reach(state, FOOT).costs == plain.costs


# marks ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/4.8", "ocs/3.7a")
def test_a_unit_may_pass_where_it_may_not_end() -> None:
    crowd = dict.fromkeys(("a/inf/48-17", "a/inf/32-20", "a/inf/80-20", "a/inf/100-20"), N)
    state = field({BRIGADE: CENTRE, **crowd, "a/inf/88-30": S})
    found = reach(state, BRIGADE, mode="move")
    assert found.may_end(N) == ()
    assert found.may_end(S) == ("cooperation",)
    assert GRID.neighbours[S][3] in found.costs


@pytest.mark.rule("ocs-series/5.8-trace")
def test_strat_mode_ends_where_the_hook_finds_trace() -> None:
    state = field({FOOT: CENTRE})
    found = reach(state, FOOT, mode="strat", trace=lambda _s, _u, h: h % 2 == 0)
    assert found.marks["no_trace"] == {h for h in found.costs if h % 2} - {CENTRE}
    assert "no_trace" not in reach(state, FOOT, mode="move", trace=lambda *_: False).marks
    assert "not looked up" in " ".join(reach(state, FOOT, mode="strat").notes)


# refusals and words ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("piece", "asked", "codes"),
    [
        (Piece(FOOT, CENTRE, done=True), {}, ["done"]),
        (Piece(FOOT, CENTRE, dg=True), {"mode": "strat"}, ["dg_mode"]),
        (Piece(FOOT, CENTRE, dg=True), {"mode": "move"}, []),
        (Piece(FOOT, CENTRE, spent=12), {"mode": "move"}, ["mode_change"]),
        (Piece(FOOT, CENTRE), {"phase": "reaction"}, ["mode_in_phase"]),
        (Piece(FOOT, CENTRE), {"mode": "reserve", "phase": "exploitation"}, ["mode_in_phase"]),
        (Piece(FOOT, CENTRE, "reserve"), {"phase": "exploitation"}, []),
        (Piece(FOOT, CENTRE), {"mode": "combat", "face": "move"}, ["face_of_mode"]),
        (Piece(FOOT, CENTRE), {"mode": "reserve", "face": "move"}, []),
        (Piece("j/hq/33_Div", CENTRE), {}, ["no_ma"]),
        (Piece("j/hq/33_Div", CENTRE), {"mode": "move"}, []),
        (Piece(FOOT, "ledo", done=True), {"phase": "reaction"}, ["in_box", "done", "mode_in_phase"]),
    ],
)
@pytest.mark.rule("ocs-series/6.1", "ocs-series/5.5", "ocs-series/5.6")
def test_every_reason_against_moving_like_this(piece: Piece, asked: dict[str, str], codes: list[str]) -> None:
    found = reach(field({piece.id: piece}), piece.id, **asked)
    assert [r.code for r in found.refused] == codes
    assert (len(found.costs) > 1) == (not codes)
    for reason in found.refused:
        assert "{" not in say(found.state, reason)


def test_unknown_words_are_refused_with_what_is_accepted() -> None:
    state = field({FOOT: CENTRE})
    with pytest.raises(ScenarioError, match=r"no unit 'j/inf/2-215-3' in play.*Did you mean j/inf/2-215-33"):
        reach(state, "j/inf/2-215-3")
    for asked in ({"mode": "march"}, {"face": "back"}, {"ground": "snow"}, {"phase": "night"}):
        with pytest.raises(DataError, match="use one of"):
            reach(state, FOOT, **asked)
    with pytest.raises(DataError, match="MP away"):
        reach(state, FOOT).path(GRID.index("A40.10"))


def test_why_not_has_words_for_every_code(ground) -> None:
    ring = GRID.adjacent[NORTH[6]]
    ground(terrain=dict.fromkeys((*ring, S), "lake"))
    found = reach(field({FOOT: CENTRE}), FOOT)
    assert code(found, NORTH[6]) == "no_way"
    assert code(found, S) == "no_hex"
    assert code(found, GRID.index("A40.10")) == "too_far"
    assert "30 MP away" in say(found.state, found.why_not(GRID.index("A40.10")))
    assert code(found, N) is None
    assert all(t[0].isupper() or t[0] == "{" for t in TEXTS.values())


def test_series_13_2_transport_moves_without_fuel() -> None:
    state = field({})
    for kind, points in (("truck", 45), ("wagon", 10), ("mule", 10), ("elephant", 10)):
        state = state.put("transport", kind, Transport(kind, "allied", kind, 4, CENTRE))
        found = reach(state, kind)
        assert (found.allowance, found.fuel, found.refused) == (points * 12, 0, ())
    assert reach(state, "mule").unit.mobility == "leg"
    assert reach(state, "wagon").unit.mobility == "truck"
    extender = state.put("transport", "e", Transport("e", "allied", "truck", 20, CENTRE, extender=True))
    assert [r.code for r in reach(extender, "e").refused] == ["extender"]
    assert [r.code for r in reach(state, "mule", mode="strat").refused] == ["no_mode"]


# basis ----------------------------------------------------------------------------------------------------------------


def test_an_answer_names_the_unprinted_values_it_rests_on_and_turns_on(ground) -> None:
    ground(rest="jungle")
    found = reach(field({FOOT: Piece(FOOT, CENTRE, "move", "move")}), FOOT)
    assert {(u.table, u.key, u.column) for u in found.basis.values} == {
        ("terrain_effects", "jungle", "leg"),
        ("counters", FOOT, "m_ma"),
    }
    two, three = NORTH[2], NORTH[3]
    assert {t.text for t in found.turns_on(two)} == {"jungle leg 2 -> 3"}, "4 MP: MA 4 would do as well"
    assert {t.text for t in found.turns_on(three)} == {"2-215-33 m ma 5 -> 6"}
    assert found.basis_of(three).verdict == "turns on: 2-215-33 m ma 5 -> 6"
    assert found.basis_of(N).verdict == "firm"
    assert found.turns_on(N) == ()
    assert found.turns_on(NORTH[9]) == ()


def test_a_road_march_is_firm_but_for_the_allowance(ground) -> None:
    ground(rest="jungle", routes=[("all_weather", NORTH)])
    found = reach(field({FOOT: Piece(FOOT, CENTRE, "move", "move")}), FOOT)
    assert {t.used.table for t in found.turns_on(NORTH[10])} == {"counters"}
    assert found.turns_on(NORTH[8]) == ()


def test_a_readers_own_chart_moves_the_reach_and_is_no_longer_ours(ground) -> None:
    ground(rest="jungle")
    state = field({FOOT: Piece(FOOT, CENTRE, "move", "move")})
    charts = state.rules.charts.with_value("terrain_effects", "jungle", "leg", "1")
    own = state.with_(rules=type(state.rules)(user_charts=charts.user))
    assert len(reach(own, FOOT).costs) > len(reach(state, FOOT).costs)
    assert {u.table for u in reach(own, FOOT).basis.values} == {"counters"}


def test_the_json_shape_says_its_units() -> None:
    found = reach(field({FOOT: CENTRE}), FOOT, ground="mud").as_dict()
    assert (found["cost_unit"], found["allowance"], found["ground"]) == ("MP/12 leg", 36, "mud")
    assert found["hexes"][0] == {"hex": "A10.10", "cost": 0, "minimum_move": False, "marks": []}


# against the slow search ----------------------------------------------------------------------------------------------


def scatter(seed: int) -> dict[str, Piece]:
    """Units of both sides about the centre: the movers on it, others around."""
    dice = Random(seed)
    ring = [h for h in GRID.disc(CENTRE, 4) if h != CENTRE]
    others = ("j/inf/1-214-33", "j/inf/3-215-33", "j/hq/33_Div", "a/hq/4_Corps", "a/inf/48-17", "a/eng/823_Eng")
    pieces = [Piece(i, dice.choice(ring), *dice.choice([("combat", "combat"), ("move", "move")])) for i in others]
    pieces += [Piece(i, CENTRE) for i in (BRIGADE, TANKS, TRUCKS)]
    taken = {p.at for p in pieces if p.counter.side == "allied"}
    return {p.id: p for p in pieces if p.counter.side == "allied" or p.at not in taken}


@given(
    st.integers(0, 10**6),
    st.sampled_from([BRIGADE, TANKS, TRUCKS]),
    st.sampled_from(["combat", "move", "strat", "reserve"]),
    st.sampled_from(GROUNDS),
)
@settings(max_examples=60, deadline=None)
def test_reach_equals_the_slow_search(seed: int, unit: str, mode: str, on: str) -> None:
    board = wild(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state_module, "load_board", lambda _id: board)
        state = field(scatter(seed))
        found = reach(state, unit, mode=mode, ground=on)
        if found.refused:
            assert CENTRE in zones(state, "japanese")
            return
        mobility = found.unit.mobility
        oracle = Oracle(board, mobility, on, bridgers(state, "allied", mobility))
        shut = held(state, "japanese") | (zones(state, "japanese") if mode == "strat" else frozenset())
        stop = unnegated(state, "allied") if mobility == "truck" else frozenset()
        slow = oracle.reach(CENTRE, Fraction(found.left, 12), shut, stop)
        steps = {b: oracle.step(CENTRE, b) for b in GRID.adjacent[CENTRE] if b not in shut}
        least = {b: c for b, c in steps.items() if c is not None and b not in slow}
        assert found.minimum == set(least)
        assert dict(found.costs) == {h: c * 12 for h, (c, _) in slow.items()} | {h: c * 12 for h, c in least.items()}
        for hex_, (cost, path) in slow.items():
            assert found.path(hex_) == path
            assert sum(leg.cost for leg in found.legs(hex_)) == cost * 12


@given(st.integers(0, 10**6), st.integers(0, 200), st.integers(0, 200))
@settings(max_examples=30, deadline=None)
def test_more_points_never_reach_less_and_cost_the_same(seed: int, few: int, more: int) -> None:
    few, more = sorted((few, more))
    board = wild(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state_module, "load_board", lambda _id: board)
        found = reach(field({BRIGADE: CENTRE}), BRIGADE)
        small, large = (sweep(found.steps, CENTRE, n) for n in (few, more))
    assert small.items() <= large.items()


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_neighbours_in_reach_differ_by_no_more_than_their_step(seed: int) -> None:
    board = wild(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state_module, "load_board", lambda _id: board)
        found = reach(field({BRIGADE: CENTRE}), BRIGADE, mode="move")
        for a, cost in found.costs.items():
            for b, step in found.steps[a]:
                if a not in found.minimum and b in found.costs:
                    assert found.costs[b] <= cost + step


def test_the_search_enters_nothing_shut_and_leaves_no_stop() -> None:
    board = made()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state_module, "load_board", lambda _id: board)
        steps = reach(field({BRIGADE: CENTRE}), BRIGADE).steps
    found = sweep(steps, CENTRE, 24, {N: SHUT}, {S, SE, NE, SW, NW})
    assert set(found) == {CENTRE, S, SE, NE, SW, NW}
