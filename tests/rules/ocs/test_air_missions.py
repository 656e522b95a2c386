"""Stations, strikes, hip shoots, bombs, ferrying, interdiction (Burma 1.7, 2.2, 3.2; Opt.3b, 3l, 3n, 3o; OCS 14)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from air_field import ENEMY_HOME, HOME, air, aloft, asked, at, codes, fly, give, plane, run
from dice import ONES

from burma_study.rules.ocs.air.aircraft import sortie
from burma_study.rules.ocs.air.interdiction import interdiction, seriously_interdicted
from burma_study.rules.ocs.combat.strikes import last_barrage
from burma_study.rules.ocs.goods.payment import ways_to_pay
from burma_study.rules.ocs.state import Piece, Rules

JAPANESE, BRIGADE, INA = "j/inf/1-215-33", "a/inf/48-17", "j/inf/1-INA"
TARGET, NEXT = "A20.10", "A20.09"
NO_OPT3 = Rules(options=tuple(o for o in Rules().options if o != "opt3"))


# stations -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hex_", "refused"), [("A23.10", []), ("A25.10", ["long-station"]), ("A41.10", ["air-range", "long-station"])]
)
def test_burma_opt_3n_no_station_at_half_range(ground, hex_, refused):
    """A Hurricane's 30: 13 hexes are well, 15 are half; to strike all 30 are."""
    state = air({"a/hurricane/1": HOME}, bases={HOME: ("allied", 2)})
    assert codes(state, f"station a/hurricane/1 over {hex_}") == refused
    assert codes(state, f"strike {hex_} with a/hurricane/1") == refused[:-1]


def test_burma_opt_3n_is_not_in_force_without_the_package(ground):
    state = air({"a/hurricane/1": HOME}).with_(rules=NO_OPT3)
    assert codes(state, "station a/hurricane/1 over A25.10") == []


@pytest.mark.rule("ocs/2.2")
@pytest.mark.parametrize(
    ("hex_", "code"), [("A7.10", ["no-station-there"]), ("A8.10", []), ("A20.29", ["no-station-there"]), ("A20.28", [])]
)
def test_burma_2_2b_no_japanese_station_within_six_hexes_of_north_or_west(ground, hex_, code):
    """Column 7 and row 29 are six hexes from the edge's own; a strike is no station."""
    state = air({"j/oscar/1": "A14.20"}, bases={"A14.20": ("japanese", 1)}, player="japanese")
    assert codes(state, f"station j/oscar/1 over {hex_}") == code
    assert codes(state, f"strike {hex_} with j/oscar/1") == []
    allied = air({"a/p-51/1": "A14.20"}, bases={"A14.20": ("allied", 1)})
    assert codes(allied, f"station a/p-51/1 over {hex_}") == []


def test_burma_2_2b_the_boxes_cannot_be_attacked(ground):
    state = air({"j/oscar/1": ENEMY_HOME}, player="japanese", phase="movement_barrage")
    assert "no-such-hex" in codes(state, "bomb silchar with j/oscar/1 against the base")


@pytest.mark.rule("ocs-series/14-stack")
def test_burma_opt_3c_three_fly_together_from_one_base(ground):
    state = air({f"a/hurricane/{n}": HOME for n in range(1, 5)})
    three = ", ".join(f"a/hurricane/{n}" for n in (1, 2, 3))
    assert codes(state, f"station {three}, a/hurricane/4 over A15.10") == ["too-many-together"]
    state = give(state, f"station {three} over A15.10")
    assert {p.id for p in state.aircraft.values() if p.at == at("A15.10")} == set(three.split(", "))
    assert sortie(state, "a/hurricane/2")[1] == tuple(three.split(", "))
    apart = air(
        {"a/hurricane/1": HOME, "a/hurricane/2": "A12.10"}, bases={HOME: ("allied", 2), "A12.10": ("allied", 1)}
    )
    assert codes(apart, "station a/hurricane/1, a/hurricane/2 over A15.10") == ["not-together"]


def test_burma_opt_3b_four_on_station(ground):
    state = air({f"a/hurricane/{n}": HOME for n in range(1, 7)})
    state = give(state, "station a/hurricane/1, a/hurricane/2, a/hurricane/3 over A15.10")
    assert codes(state, "station a/hurricane/4, a/hurricane/5 over A15.10") == ["air-stacking"]
    assert codes(state, "station a/hurricane/4 over A15.10") == []


def test_burma_opt_3b_a_strike_finds_room_where_no_station_does_until_the_phase_ends(ground):
    """Four may end a phase over a hex; who comes to bomb is gone by then, after the barrage segment, or stands down."""
    state = air({f"a/hurricane/{n}": HOME for n in range(1, 7)}, {JAPANESE: TARGET, BRIGADE: NEXT})
    for n in range(1, 5):
        state = aloft(state, f"a/hurricane/{n}", TARGET)
    pair = "a/hurricane/5, a/hurricane/6"
    assert codes(state, f"station {pair} over {TARGET}") == ["air-stacking"]
    assert codes(state, f"hip shoot {TARGET} with a/hurricane/5") == []
    state = give(state.put("markers", "stops", "all"), f"strike {TARGET} with {pair}", "done")
    assert (state.phase, asked(state)) == ("movement_barrage", ("", ()))
    idle = give(state, "done")
    assert asked(idle) == ("allied", ("stand_down",))
    bombed = give(state, f"bomb {TARGET} with {pair}", "done", barrage=ONES)
    assert (bombed.phase, asked(bombed)) == ("supply", ("", ()))


def test_burma_opt_3o_a_stack_comes_home_as_it_flew(ground):
    state = air({f"a/hurricane/{n}": HOME for n in (1, 2, 3)}, {JAPANESE: "A16.10", BRIGADE: "A16.09"})
    state = give(state, "station a/hurricane/1, a/hurricane/2 over A16.10", "station a/hurricane/3 over A16.10")
    assert codes(state, "recall a/hurricane/1") == ["not-the-stack"]
    assert codes(state, "hip shoot A16.10 with a/hurricane/1") == ["not-the-stack"]
    assert codes(state, "hip shoot A16.10 with a/hurricane/3") == []
    assert codes(state, "recall a/hurricane/1, a/hurricane/2") == codes(state, "recall a/hurricane/3") == []
    assert codes(state.with_(rules=NO_OPT3), "recall a/hurricane/1") == []
    shot = state.put("aircraft", "a/hurricane/2", replace(plane(state, "a/hurricane/2"), at="dead", active=False))
    shot = shot.put("markers", "air/out/a/hurricane/2", None)
    assert codes(shot, "recall a/hurricane/1") == [], "its companion is no more"


def test_what_does_not_fly(ground):
    planes = {"a/c-47/1": HOME, "a/hurricane/1": (HOME, 2, False), "j/oscar/1": ENEMY_HOME, "a/glider/1": HOME}
    state = air(planes)
    assert codes(state, "station a/c-47/1 over A15.10") == ["not-for-station"]
    assert codes(state, "station a/hurricane/1 over A15.10") == ["aircraft-inactive"]
    assert "not-your-aircraft" in codes(state, "station j/oscar/1 over A29.10")
    assert "gliders-are-towed" in codes(state, f"ferry a/glider/1 to {HOME}")
    state = aloft(state, "a/p-51/1", "A15.10")
    assert codes(state, "station a/p-51/1 over A16.10") == ["not-at-base"]
    assert codes(state, "station a/p-51/9 over A16.10") == ["no-aircraft"]
    assert "twice" in codes(state, "station a/p-51/1, a/p-51/1 over A16.10")


@pytest.mark.rule("ocs/table.air-effects")
@pytest.mark.parametrize(
    ("air_ops", "station", "ferry"), [("restricted", "base-to-base", ""), ("prohibited", "no-flying", "no-flying")]
)
def test_weather_bars_flying(ground, air_ops, station, ferry):
    state = air({"a/hurricane/1": HOME}, bases={HOME: ("allied", 2), "A14.10": ("allied", 1)}, air_ops=air_ops)
    assert codes(state, "station a/hurricane/1 over A15.10") == [station]
    assert codes(state, "ferry a/hurricane/1 to A14.10") == [ferry] * bool(ferry)


@pytest.mark.rule("ocs-series/14.20e")
def test_a_ferry_flies_twice_the_range_and_is_inactive_there(ground):
    state = air({"a/spitfire-v/1": HOME}, bases={HOME: ("allied", 1), "A50.10": ("allied", 1), "A51.10": ("allied", 1)})
    assert codes(state, "ferry a/spitfire-v/1 to A51.10") == ["air-range"]
    state = give(state, "ferry a/spitfire-v/1 to A50.10")
    assert (plane(state, "a/spitfire-v/1").at, plane(state, "a/spitfire-v/1").active) == (at("A50.10"), False)
    assert "no-friendly-base" in codes(air({"a/spitfire-v/1": HOME}), f"ferry a/spitfire-v/1 to {ENEMY_HOME}")


@pytest.mark.rule("ocs-series/14-transfer")
@pytest.mark.parametrize(
    ("version", "type_", "to", "active"),
    [
        ("1999", "hurricane", "A40.10", False),
        ("v4.3", "hurricane", "A40.10", True),
        ("v4.3", "hurricane", "A41.10", False),
        ("v4.3", "b-25", "A40.10", False),
    ],
)
def test_a_transferred_fighter_stays_active_within_its_range_in_v4_3(ground, version, type_, to, active):
    """A Hurricane's range is 30 hexes: A40.10 lies 30 from its base, A41.10 31."""
    bases = {HOME: ("allied", 1), "A40.10": ("allied", 1), "A41.10": ("allied", 1)}
    state = give(air({f"a/{type_}/1": HOME}, bases=bases, version=version), f"ferry a/{type_}/1 to {to}")
    moved = plane(state, f"a/{type_}/1")
    assert (moved.at, moved.active, sortie(state, moved.id)) == (at(to), active, None)


def test_in_reaction_the_other_side_flies(ground):
    state = air({"a/hurricane/1": HOME, "j/oscar/1": ENEMY_HOME}, player="japanese", phase="reaction")
    assert codes(state, "station a/hurricane/1 over A15.10") == []
    assert codes(state, "station j/oscar/1 over A29.10") == ["not-your-aircraft"]


def test_burma_opt_3i_temporary_stations_end_with_the_exploitation_phase(ground):
    state = aloft(air({}), "a/b-25/1", TARGET, purpose="strike")
    state = aloft(aloft(state, "a/hurricane/1", "A15.10"), "a/p-51/1", ENEMY_HOME)
    state = run(state, "strikes_over")
    assert [plane(state, i).active for i in ("a/b-25/1", "a/hurricane/1", "a/p-51/1")] == [False, True, False]


# bombs ----------------------------------------------------------------------------------------------------------------


def strike(*planes, units=None, phase="movement_barrage", **rest):
    state = air({}, {JAPANESE: TARGET, BRIGADE: NEXT} if units is None else units, phase=phase, **rest)
    for id_ in planes:
        state = aloft(state, id_, TARGET, purpose="strike", others=[p for p in planes if p != id_])
    return state


@pytest.mark.rule("ocs-series/14.11", "ocs-series/10.1", "ocs/opt.9")
def test_series_14_11_a_stack_bombs_the_units_below_and_goes_home(ground):
    """14 points, 12-16; 1/2 RE one left: 8-11; spotted, open. A 10 is [1/2], from the air only DG."""
    state = give(strike("a/b-25/1"), f"bomb {TARGET} with a/b-25/1", barrage=[(5, 5)])
    facts = last_barrage(state)
    assert (facts["points"], facts["column"], facts["final_column"], facts["result"]) == (14, "12-16", "8-11", "[1/2]")
    assert (state.pieces[JAPANESE].dg, state.pieces[JAPANESE].at) == (True, at(TARGET))
    assert (plane(state, "a/b-25/1").at, plane(state, "a/b-25/1").active) == (at(HOME), False)


def test_series_14_11_a_step_is_lost_on_four_to_six(ground):
    """11 in 8-11 is 1/2: with a 4 the battalion is lost, with a 3 it is DG."""
    order = f"bomb {TARGET} with a/b-25/1"
    assert give(strike("a/b-25/1"), order, barrage=[(5, 6), (4,)]).pieces[JAPANESE].at == "dead_bn"
    assert give(strike("a/b-25/1"), order, barrage=[(5, 6), (3,)]).pieces[JAPANESE].at == at(TARGET)


@pytest.mark.rule("ocs-series/10.0")
def test_series_10_0_one_barrage_a_hex_and_phase(ground):
    state = strike("a/b-25/1")
    state = aloft(state, "a/vengeance/1", TARGET, purpose="strike")
    state = give(state, f"bomb {TARGET} with a/b-25/1", barrage=[(1, 1)])
    assert codes(state, f"bomb {TARGET} with a/vengeance/1") == ["barraged"]
    assert codes(state.with_(phase="exploitation_barrage"), f"bomb {TARGET} with a/vengeance/1") == []


def test_burma_opt_3o_the_stack_that_flew_together_bombs_together(ground):
    state = strike("a/b-25/1", "a/hurricane/1")
    assert codes(state, f"bomb {TARGET} with a/b-25/1") == ["not-the-stack"]
    assert codes(
        aloft(state, "a/vengeance/1", TARGET), f"bomb {TARGET} with a/b-25/1, a/hurricane/1, a/vengeance/1"
    ) == ["not-the-stack"]
    assert codes(state, f"bomb {TARGET} with a/b-25/1, a/hurricane/1") == []
    assert codes(state, "bomb A20.20 with a/b-25/1, a/hurricane/1") == ["not-over", "no-defenders"]


@pytest.mark.rule("ocs/opt.3e.1")
def test_burma_opt_3e_1_dg_aircraft_bomb_with_half(ground):
    state = strike("a/b-25/1")
    state = state.put("aircraft", "a/b-25/1", replace(plane(state, "a/b-25/1"), dg=True))
    state = give(state, f"bomb {TARGET} with a/b-25/1", barrage=[(1, 1)])
    assert last_barrage(state)["points"] == 7


@pytest.mark.parametrize("terrain", ["jungle", "rough", "mountain"])
def test_burma_1_7_closed_country_needs_an_observer_unless_the_target_is_in_strat_mode(ground, terrain):
    ground(terrain={at(TARGET): terrain})
    far = {JAPANESE: TARGET, BRIGADE: "A20.06"}
    order = f"bomb {TARGET} with a/b-25/1"
    assert codes(strike("a/b-25/1", units=far), order) == ["unobserved-air"]
    assert codes(strike("a/b-25/1"), order) == []
    strat = {JAPANESE: Piece(JAPANESE, at(TARGET), "strat", "move"), BRIGADE: "A20.06"}
    assert codes(strike("a/b-25/1", units=strat), order) == []
    mixed = {**strat, INA: TARGET}
    assert codes(strike("a/b-25/1", units=mixed), order) == ["unobserved-air"], "bombs would strike the others too"


def test_burma_1_7_clear_country_may_be_bombed_unobserved_with_the_shift(ground):
    state = strike("a/b-25/1", units={JAPANESE: TARGET})
    state = give(state, f"bomb {TARGET} with a/b-25/1", barrage=[(1, 1)])
    assert last_barrage(state)["final_column"] == "2", "12-16, one left for density, three for no spotter"


@pytest.mark.rule("ocs-series/10.0c")
def test_series_10_0c_a_base_is_bombed_but_not_below_level_one(ground):
    state = air({}, bases={HOME: ("allied", 2), ENEMY_HOME: ("japanese", 1)}, phase="movement_barrage")
    state = aloft(state, "a/b-25/1", ENEMY_HOME, purpose="strike")
    assert codes(state, f"bomb {ENEMY_HOME} with a/b-25/1") == ["no-defenders"]
    assert codes(strike("a/b-25/1"), f"bomb {TARGET} with a/b-25/1 against the base") == ["no-facility"]
    state = give(state, f"bomb {ENEMY_HOME} with a/b-25/1 against the base", barrage=[(6,)])
    assert state.bases[at(ENEMY_HOME)].level == 1


def test_in_v43_aircraft_bomb_straight_from_their_base(ground):
    units = {JAPANESE: TARGET, BRIGADE: NEXT}
    state = air({"a/b-25/1": HOME}, units, phase="movement_barrage", version="v4.3")
    state = give(state, f"bomb {TARGET} with a/b-25/1", barrage=[(1, 1)])
    assert (plane(state, "a/b-25/1").at, plane(state, "a/b-25/1").active) == (at(HOME), False)
    old = air({"a/b-25/1": HOME}, units, phase="movement_barrage")
    assert codes(old, f"bomb {TARGET} with a/b-25/1") == ["not-over"]


@pytest.mark.rule("ocs-series/10.1-shifts")
@pytest.mark.parametrize(("home", "column"), [(HOME, "12-16"), ("A9.10", "8-11")])
def test_series_10_1_in_v43_aircraft_within_ten_hexes_of_their_base_shift_one_right(ground, home, column):
    """14 points are 12-16, less one for 1/2 RE; the target is ten hexes from A10.10 and eleven from A9.10."""
    units, bases = {JAPANESE: TARGET, BRIGADE: NEXT}, {home: ("allied", 2)}
    state = air({"a/b-25/1": home}, units, phase="movement_barrage", version="v4.3", bases=bases)
    state = give(state, f"bomb {TARGET} with a/b-25/1", barrage=[(1, 1)])
    assert last_barrage(state)["final_column"] == column


# hip shoots -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/3.2", "ocs/3.2a")
def test_burma_3_2a_allied_aircraft_hip_shoot_in_movement_segments(ground):
    state = air({"a/b-25/1": HOME}, {JAPANESE: TARGET, BRIGADE: NEXT})
    state = give(state, f"hip shoot {TARGET} with a/b-25/1", barrage=[(6, 6), (6,)])
    assert state.pieces[JAPANESE].at == "dead_bn"
    assert not plane(state, "a/b-25/1").active
    reaction = air({"a/b-25/1": HOME}, {JAPANESE: TARGET, BRIGADE: NEXT}, player="japanese", phase="reaction")
    assert codes(reaction, f"hip shoot {TARGET} with a/b-25/1") == []
    assert codes(reaction.with_(phase="reaction_barrage"), f"hip shoot {TARGET} with a/b-25/1") == ["not-now"]


@pytest.mark.rule("ocs/2.2")
def test_burma_2_2a_japanese_aircraft_do_not(ground):
    state = air({"j/oscar/1": ENEMY_HOME}, {BRIGADE: TARGET, JAPANESE: NEXT}, player="japanese")
    assert codes(state, f"hip shoot {TARGET} with j/oscar/1") == ["no-hip-shoot"]


def test_a_hip_shoot_needs_a_spotter_and_does_not_count_as_the_barrage_of_the_phase(ground):
    bare = air({"a/b-25/1": HOME}, {JAPANESE: TARGET})
    assert codes(bare, f"hip shoot {TARGET} with a/b-25/1") == ["hip-spotter"]
    state = air({"a/b-25/1": HOME, "a/b-25/2": HOME}, {JAPANESE: TARGET, BRIGADE: NEXT})
    state = give(state, f"hip shoot {TARGET} with a/b-25/1", barrage=[(1, 1)])
    assert codes(state, f"hip shoot {TARGET} with a/b-25/2") == []


@pytest.mark.rule("ocs/3.2b")
@pytest.mark.parametrize(("spotter", "seen"), [("a/hq/4_Corps", True), (BRIGADE, True), ("a/art/17-17", False)])
def test_burma_3_2b_attack_capable_units_and_hqs_spot_for_aircraft(ground, spotter, seen):
    state = air({"a/b-25/1": HOME}, {JAPANESE: TARGET, spotter: NEXT})
    assert codes(state, f"hip shoot {TARGET} with a/b-25/1") == ([] if seen else ["hip-spotter"])


@pytest.mark.rule("ocs/2.2c")
@pytest.mark.parametrize(("spotter", "column"), [(INA, "1 or less"), (JAPANESE, "5-7"), ("j/hq/33_Div", "5-7")])
def test_burma_2_2c_the_ina_does_not_spot(ground, spotter, column):
    """8 points are 8-11, a brigade (1 RE) one left: 5-7 with a spotter, three more without."""
    state = air({}, {BRIGADE: TARGET, spotter: NEXT}, player="japanese", phase="movement_barrage")
    state = aloft(state, "j/mixed-bomber/1", TARGET, ENEMY_HOME, purpose="strike")
    state = give(state, f"bomb {TARGET} with j/mixed-bomber/1", barrage=[(1, 1)])
    assert last_barrage(state)["final_column"] == column


# interdiction ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/14.15")
def test_series_14_15_aircraft_on_station_cost_one_mp_three_points_cost_three_more(ground):
    state = aloft(air({}), "a/spitfire-v/1", TARGET)
    assert interdiction(state, "japanese") == {at(TARGET): 12}
    assert interdiction(state, "allied") == {}
    state = aloft(state, "a/spitfire-v/2", TARGET)
    assert interdiction(state, "japanese") == {at(TARGET): 48}
    assert interdiction(state.with_(rules=NO_OPT3), "japanese") == {at(TARGET): 12}


@pytest.mark.parametrize(("dg", "serious"), [(False, True), (True, False)])
def test_burma_opt_3l_three_points_with_dg_at_half(ground, dg, serious):
    """A Hurricane's 6 points halved by DG are 3, still serious; a P-40's 5 are 2 1/2."""
    for type_, expected in (("hurricane", True), ("p-40", serious)):
        state = aloft(air({}), f"a/{type_}/1", TARGET)
        state = state.put("aircraft", f"a/{type_}/1", replace(plane(state, f"a/{type_}/1"), dg=dg))
        assert seriously_interdicted(state, at(TARGET), "japanese") is expected
    assert not seriously_interdicted(state.with_(rules=NO_OPT3), at(TARGET), "japanese")


def test_burma_opt_3l_aircraft_at_their_base_do_not_interdict_nor_do_neighbouring_hexes(ground):
    state = aloft(fly(air({}), "a/b-25/2", HOME), "a/b-25/1", TARGET)
    assert set(interdiction(state, "japanese")) == {at(TARGET)}


@pytest.mark.rule("ocs/table.air-effects", "ocs-series/14.15")
def test_the_weather_that_keeps_flights_down_ends_interdiction(ground):
    state = aloft(air({}), "a/b-25/1", TARGET)
    assert set(interdiction(state, "japanese")) == {at(TARGET)}
    for air_ops in ("restricted", "prohibited"):
        assert interdiction(state.with_(air_ops=air_ops), "japanese") == {}


def test_burma_1_7_interdiction_in_closed_country_is_observed_save_of_strat_moves(ground):
    ground(rest="jungle")
    state = aloft(air({}), "a/b-25/1", TARGET)
    assert interdiction(state, "japanese") == {}
    assert interdiction(state, "japanese", True) == {at(TARGET): 48}
    seen = aloft(air({}, {BRIGADE: NEXT}), "a/b-25/1", TARGET)
    assert interdiction(seen, "japanese") == {at(TARGET): 48}


@pytest.mark.rule("ocs-series/12.3c")
def test_burma_opt_3l_does_not_touch_supply_paths(ground):
    plain = air({}, {JAPANESE: TARGET}, player="japanese", dumps={"A23.10": ("japanese", 4)})
    under = aloft(plain, "a/b-25/1", "A22.10")
    costs = [ways_to_pay(s, [JAPANESE], 1, "attack")[0].portions[0].draw_cost for s in (plain, under)]
    assert interdiction(under, "japanese") == {at("A22.10"): 48}
    assert costs[0] == costs[1] > 0
