"""Air transport: trips, gliders, drops, what flies, off-loading, Arakan, the Hump (Burma 1.2, 3.1c, 3.5, 3.6, 3.10)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from air_field import ENEMY_HOME, HOME, air, aloft, asked, at, codes, fly, give, plane, run

from burma_study.engine.game import Partial
from burma_study.engine.session import Session
from burma_study.rules.ocs.air.bases import air_distance
from burma_study.rules.ocs.air.fly_in import arakan_capacity, lift_tokens
from burma_study.rules.ocs.air.lift import Lift, fails_on, is_clear, is_friendly, load_of, off_load_limit
from burma_study.rules.ocs.air.loads import capacity, trips_of, weight
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup.starting import start
from burma_study.rules.ocs.state import Base, Piece, Transport

COLUMN, COLUMN_2, BRIGADE, BATTALION = "a/col/A-77-3", "a/col/B-77-3", "a/inf/48-17", "a/inf/RWK-5"
GUNS, PARA, MOTOR = "a/art/5-5", "a/para/152_Para", "a/mot/3-4_Bo"
BOXES = {"silchar": ("allied", 2), "ledo": ("allied", 2), HOME: ("allied", 1), ENEMY_HOME: ("japanese", 1)}
NEAR, FAR = "A20.10", "A58.10"  # 32 and 70 hexes from Silchar


def moving(unit: str, where: str) -> Piece:
    return Piece(unit, at(where), "move", "move")


def lift(units=(), planes=("a/c-47/1",), gliders=0, where="silchar", tokens=20, **rest):
    """C-47s, gliders, supply and units in Move Mode at one box."""
    spec = dict.fromkeys(planes, where) | {f"a/glider/{n}": where for n in range(1, gliders + 1)}
    rest.setdefault("bases", BOXES)
    return air(spec, {u: moving(u, where) for u in units}, dumps={where: ("allied", tokens)}, **rest)


def tokens(state, where):
    dump = state.dumps.get(at(where))
    return dump.tokens if dump else 0


# loads ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/14.20e")
def test_burma_3_5b_worked_example(ground):
    """50 hexes: 2T without gliders, 4T with two, 3T with one; 58 hexes: one trip, 1T or 2T."""
    planes = [plane(lift(), "a/c-47/1")]
    assert [int(capacity(planes, 2, g).total) for g in (0, 1, 2)] == [2, 3, 4]
    assert [int(capacity(planes, 1, g).total) for g in (0, 1)] == [1, 2]
    state = lift()
    hexes = {d: next(h for h in range(69 * 62) if air_distance(state.board, "silchar", h) == d) for d in (50, 51)}
    assert [trips_of(state, planes, "silchar", h, False) for h in hexes.values()] == [2, 1]


@pytest.mark.rule("ocs/3.5b")
def test_broadway_force_of_the_first_three_turns_adds_up():
    """15 sorties from Silchar, 7 with a glider: 14T + 8T; two of them from Ledo, double, bring the 24T (review C26)."""
    state = start("ocs/campaign-1")
    broadway, c47 = at("A46.07"), [plane(state, "a/c-47/1")]
    trips = {box: trips_of(state, c47, box, broadway, False) for box in ("silchar", "ledo")}
    assert trips == {"silchar": 1, "ledo": 2}
    towed = 7 * capacity(c47, trips["silchar"], 1).total
    bare = 8 * capacity(c47, trips["silchar"], 0).total
    more = capacity(c47, trips["ledo"], 0).total - capacity(c47, trips["silchar"], 0).total
    assert (towed, bare, towed + bare + 2 * more) == (14, 8, 24)
    force = [weight(state, u) for u in ("a/inf/3-9_Gu-3", "a/eng/823_Eng", *_columns("77"), *_columns("111"))]
    assert sum(force) + 4 + 8 == 24, "two battalions, four columns, a mule point, 2 SP"


def _columns(brigade):
    return [f"a/col/{c}-{brigade}-3" for c in "AB"]


@pytest.mark.rule("ocs/1.2-lift", "ocs/3.5d")
@pytest.mark.parametrize(
    ("item", "heavy"),
    [("3T", 3), (COLUMN, 2), (BATTALION, 2), (BRIGADE, 4), (GUNS, 4), ("a/art/3-2_Pun-3", 4), ("m", 4)],
)
def test_burma_3_6a_weights(ground, item, heavy):
    """Columns 2T carried, battalions 1/2 RE, brigades 1 RE, artillery 1 RE of any size, a mule point 1 RE; 4T an RE."""
    units = [item] if item.startswith("a/") else []
    state = lift(units).put("transport", "m", Transport("m", "allied", "mule", 4, "silchar"))
    assert weight(state, item) == heavy


@pytest.mark.rule("ocs/1.2-lift")
@pytest.mark.parametrize(
    ("kind", "load", "refused"), [("mule", 0, False), ("mule", 4, True), ("buffalo", 0, True), ("truck", 0, True)]
)
def test_burma_1_2_mules_fly_empty_and_no_other_transport_does(ground, kind, load, refused):
    planes = ["a/c-47/1", "a/c-47/2"]
    state = lift((), planes).put("transport", "m", Transport("m", "allied", kind, 4, "silchar", load))
    found = codes(state, f"lift m from silchar to {HOME} by {', '.join(planes)}")
    assert ("cargo-kind" in found) == refused


@pytest.mark.rule("ocs/3.5")
def test_a_lift_lands_supply_at_a_base_and_flies_home(ground):
    state = give(lift(), f"lift 2T from silchar to {HOME} by a/c-47/1")
    assert (tokens(state, "silchar"), tokens(state, HOME)) == (18, 2)
    assert (plane(state, "a/c-47/1").at, plane(state, "a/c-47/1").active) == ("silchar", False)


def test_what_is_too_heavy_or_not_there_is_refused(ground):
    state = lift([BRIGADE], tokens=1)
    assert codes(state, f"lift 3T from silchar to {HOME} by a/c-47/1") == ["cargo-tokens", "cargo-weight"]
    assert "cargo-weight" in codes(state, f"lift {BRIGADE} from silchar to {HOME} by a/c-47/1")
    assert codes(state, f"lift 2T from silchar to {HOME} by a/c-47/1") == ["cargo-tokens"]
    assert codes(state, f"lift {BATTALION} from silchar to {HOME} by a/c-47/1") == ["cargo-unknown"]
    assert codes(state, f"lift 1T from silchar to {FAR} by a/c-47/1") == ["must-drop"]
    assert codes(state, f"lift 1T from {HOME} to {NEAR} by a/c-47/1 dropping") == ["not-together", "cargo-tokens"]


def test_two_together_carry_a_brigade_within_half_range(ground):
    state = lift([BRIGADE], ["a/c-47/1", "a/c-47/2"], bases={**BOXES, HOME: ("allied", 2)})
    state = give(state, f"lift {BRIGADE} from silchar to {HOME} by a/c-47/1, a/c-47/2")
    piece = state.pieces[BRIGADE]
    assert (piece.at, piece.dg, piece.done) == (at(HOME), False, False)


@pytest.mark.rule("ocs-series/14.9d")
def test_series_14_9d_who_is_flown_spends_half_his_allowance_before_and_after_together(ground):
    """Of 5 MP a brigade in Move Mode may spend 2.5, in twelfths 30: 12 before leave 18, 31 are too many."""
    state = lift([BRIGADE], ["a/c-47/1", "a/c-47/2"], bases={**BOXES, HOME: ("allied", 2)})
    order = f"lift {BRIGADE} from silchar to {HOME} by a/c-47/1, a/c-47/2"

    def marched(spent):
        return state.place(Piece(BRIGADE, at("silchar"), "move", "move", spent=spent))

    after = [give(marched(spent), order).pieces[BRIGADE] for spent in (0, 12, 30)]
    assert [(p.spent, p.done) for p in after] == [(30, False), (42, False), (60, True)]
    assert codes(marched(31), order) == ["cargo-moved"]
    landed = give(state, order)
    assert codes(landed, f"move {BRIGADE} by A10.11, A10.12") == []
    assert codes(landed, f"move {BRIGADE} by A10.11, A10.12, A10.13") == ["spent"]


@pytest.mark.rule("ocs-series/14.9d", "ocs-series/14.10b")
def test_series_14_10b_units_are_dropped_in_the_movement_phase_only_and_do_not_march_in_it(ground):
    state = lift([PARA], tokens=0, planes=["a/c-47/1", "a/c-47/2"])
    order = f"lift {PARA} from silchar to {NEAR} by a/c-47/1, a/c-47/2 dropping"
    assert codes(state, order) == []
    assert codes(state.with_(phase="exploitation"), order) == ["drop-phase"]
    assert "cargo-moved" in codes(state.place(Piece(PARA, at("silchar"), "move", "move", spent=12)), order)
    dropped = give(state, order, air=[(6,)]).pieces[PARA]
    assert (dropped.at, dropped.done) == (at(NEAR), True)
    supply = lift(tokens=4)
    assert codes(supply.with_(phase="exploitation"), f"lift 1T from silchar to {NEAR} by a/c-47/1 dropping") == []


def test_a_reduced_transport_carries_half(ground):
    state = fly(lift(), "a/c-47/1", "silchar", 1)
    assert codes(state, f"lift 1T from silchar to {HOME} by a/c-47/1") == []
    assert codes(state, f"lift 2T from silchar to {HOME} by a/c-47/1") == ["cargo-weight"]
    assert capacity([plane(state, "a/c-47/1")], 1, 0).total == Fraction(1, 2)


@pytest.mark.rule("ocs-series/14.20e")
def test_a_one_way_flight_goes_twice_the_range_and_stays(ground):
    bases = {HOME: ("allied", 1), "B62.01": ("allied", 1), "silchar": ("allied", 2)}
    state = lift(bases=bases, where=HOME)
    far = air_distance(state.board, at(HOME), at("B62.01"))
    assert 50 < far <= 100
    state = give(state, f"lift 1T from {HOME} to B62.01 by a/c-47/1 one way")
    assert (plane(state, "a/c-47/1").at, plane(state, "a/c-47/1").active, tokens(state, "B62.01")) == (
        at("B62.01"),
        False,
        1,
    )
    assert "no-friendly-base" in codes(lift(), f"lift 1T from silchar to {NEAR} by a/c-47/1 dropping one way")


@pytest.mark.rule("ocs/3.5b", "ocs-series/14.20e")
@pytest.mark.parametrize(("level", "limit"), [(0, 2), (1, 2), (2, 4), (3, 6)])
def test_off_loading_is_limited_by_level_and_segment(ground, level, limit):
    planes = [f"a/c-47/{n}" for n in range(1, 5)]
    state = lift((), planes, bases={**BOXES, HOME: ("allied", level)})
    assert off_load_limit(state, at(HOME)) == limit
    for n in range(1, limit // 2 + 1):
        state = give(state, f"lift 2T from silchar to {HOME} by a/c-47/{n}")
    assert codes(state, f"lift 1T from silchar to {HOME} by a/c-47/4") == ["off-load"]
    assert codes(state.with_(phase="exploitation"), f"lift 1T from silchar to {HOME} by a/c-47/4") == []


@pytest.mark.rule("ocs-series/14.20e")
def test_aircraft_that_stay_unload_without_limit_and_use_up_none(ground):
    """A level 1 base unloads 2T a segment from those who leave again, and anything from those who stay, inactive."""
    state = lift((), [f"a/c-47/{n}" for n in (1, 2, 3, 4)])
    state = give(state, f"lift 2T from silchar to {HOME} by a/c-47/1")
    one_way = f"lift 2T from silchar to {HOME} by a/c-47/2, a/c-47/3 one way"
    assert codes(state, f"lift 1T from silchar to {HOME} by a/c-47/4") == ["off-load"]
    assert codes(state, one_way) == []
    state = give(state, one_way)
    assert tokens(state, HOME) == 4
    assert [(plane(state, f"a/c-47/{n}").at, plane(state, f"a/c-47/{n}").active) for n in (2, 3)] == [
        (at(HOME), False),
        (at(HOME), False),
    ]
    fresh = give(lift((), ["a/c-47/1", "a/c-47/2"]), f"lift 1T from silchar to {HOME} by a/c-47/1 one way")
    assert codes(fresh, f"lift 2T from silchar to {HOME} by a/c-47/2") == [], "what stays counts against nobody"


def test_burma_3_5b_gliders_do_not_count_for_off_loading(ground):
    state = lift((), ["a/c-47/1", "a/c-47/2"], 2)
    state = give(state, f"lift 2T from silchar to {HOME} by a/c-47/1")
    assert codes(state, f"lift 4T from silchar to {HOME} by a/c-47/2 towing 2 gliders") == []
    assert codes(state, f"lift 3T from silchar to {HOME} by a/c-47/2 towing 1 gliders") == ["off-load"]


# gliders --------------------------------------------------------------------------------------------------------------


def test_burma_3_5b_a_used_glider_is_dead(ground):
    state = lift((), gliders=2)
    state = give(state, f"lift 4T from silchar to {NEAR} by a/c-47/1 towing 2 gliders", air=[(2,), (3,), (2,), (1,)])
    assert [plane(state, f"a/glider/{n}").at for n in (1, 2)] == ["dead", "dead"]
    assert tokens(state, NEAR) == 3, "enemy hex, clear: a 1 loses a token"


@pytest.mark.rule("ocs/3.4")
def test_burma_3_5b_who_tows_from_where(ground):
    state = fly(lift((), ["a/c-47/1"], 3), "a/c-47/1", "silchar", 1)
    assert "full-strength-tow" in codes(state, f"lift 2T from silchar to {HOME} by a/c-47/1 towing 1 gliders")
    state = lift((), gliders=3)
    assert codes(state, f"lift 4T from silchar to {NEAR} by a/c-47/1 towing 3 gliders") == ["too-many-gliders"]
    assert codes(state, f"lift 2T from silchar to {FAR} by a/c-47/1 towing 1 gliders") == []
    assert "too-many-gliders" in codes(state, f"lift 2T from silchar to {FAR} by a/c-47/1 towing 2 gliders"), "one trip"
    assert "one-way-gliders" in codes(state, f"lift 2T from silchar to {HOME} by a/c-47/1 towing 1 gliders one way")
    field = lift((), gliders=1, where=HOME)
    assert "gliders-from-boxes" in codes(field, f"lift 2T from {HOME} to {NEAR} by a/c-47/1 towing 1 gliders")


def test_burma_3_6b_chindit_gliders_land_on_prepared_ground(ground):
    order = f"lift {COLUMN} from silchar to {NEAR} by a/c-47/1 towing 1 gliders"
    assert codes(lift([COLUMN], gliders=1), order) == ["chindit-landing"]
    assert codes(lift([COLUMN], gliders=1, markers={"clearings": (at(NEAR),)}), order) == []
    assert codes(lift([COLUMN], gliders=1).place(Piece(BRIGADE, at(NEAR))), order) == []
    strip = lift([COLUMN], gliders=1, bases={**BOXES, NEAR: ("allied", 0)})
    assert codes(strip, order) == []
    assert "drop-units" in codes(strip, f"lift {COLUMN} from silchar to {NEAR} by a/c-47/1 dropping")


def test_burma_3_6b_not_south_of_row_30(ground):
    state = lift([COLUMN], gliders=1, markers={"clearings": (at("B20.29"), at("B20.30"))})
    assert codes(state, f"lift {COLUMN} from silchar to B20.29 by a/c-47/1 towing 1 gliders") == ["chindit-south"]
    assert codes(state, f"lift {COLUMN} from silchar to B20.30 by a/c-47/1 towing 1 gliders") == []


# coming down ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/14-drop")
@pytest.mark.parametrize(
    ("friendly", "clear", "way", "fails"),
    [
        (True, True, "glider", 1),
        (True, True, "paradrop", 1),
        (True, False, "glider", 3),
        (True, False, "paradrop", 2),
        (False, True, "glider", 1),
        (False, True, "paradrop", 2),
        (False, False, "glider", 4),
        (False, False, "paradrop", 3),
    ],
)
def test_burma_3_5a_success_table(ground, friendly, clear, way, fails):
    ground(rest="clear" if clear else "jungle")
    state = lift(markers={"air/friendly": (at(NEAR),) if friendly else ()})
    assert fails_on(state, at(NEAR), way) == fails


def test_burma_3_5a_friendly_is_by_the_start_of_the_movement_phase(ground):
    state = run(lift().place(Piece(BRIGADE, at(NEAR))), "friendly_hexes")
    moved = state.place(Piece(BRIGADE, at("A21.10")))
    assert [is_friendly(moved, at(h)) for h in (NEAR, "A21.10")] == [True, False]


def test_burma_3_5a_strips_and_clearings_are_clear_ground(ground):
    ground(rest="jungle")
    state = lift(bases={**BOXES, NEAR: ("allied", 0)}, markers={"clearings": (at("A21.10"),)})
    assert [is_clear(state, at(h)) for h in (NEAR, "A21.10", "A22.10")] == [True, True, False]


def test_burma_3_5c_landing_in_an_enemy_hex_disorganises(ground):
    state = lift([COLUMN], gliders=1, markers={"clearings": (at(NEAR),), "air/friendly": ()})
    order = f"lift {COLUMN} from silchar to {NEAR} by a/c-47/1 towing 1 gliders"
    landed = give(state, order, air=[(2,)]).pieces[COLUMN]
    assert (landed.at, landed.dg, landed.done) == (at(NEAR), True, True)
    assert give(state, order, air=[(1,)]).pieces[COLUMN].at == "gone", "a column is not rebuilt"
    friendly = state.put("markers", "air/friendly", (at(NEAR),))
    assert give(friendly, order, air=[(2,)]).pieces[COLUMN].dg is False


def test_burma_3_5c_never_on_enemies(ground):
    state = lift(units=()).place(Piece("j/inf/1-215-33", at(NEAR)))
    assert codes(state, f"lift 1T from silchar to {NEAR} by a/c-47/1 dropping") == ["landing-on-enemy"]


def test_burma_3_5a_supply_is_dropped_token_by_token(ground):
    state = lift(markers={"air/friendly": (at(NEAR),)})
    state = give(state, f"lift 2T from silchar to {NEAR} by a/c-47/1 dropping", air=[(1,), (2,)])
    assert (tokens(state, "silchar"), tokens(state, NEAR)) == (18, 1)


def test_only_parachute_units_are_dropped(ground):
    state = lift([BATTALION, PARA])
    assert codes(state, f"lift {PARA} from silchar to {NEAR} by a/c-47/1 dropping") == []
    assert codes(state, f"lift {BATTALION} from silchar to {NEAR} by a/c-47/1 dropping") == ["drop-units"]


def test_burma_1_2_lift_empty_mules_fly_and_are_never_dropped(ground):
    mule = Transport("a/mule/1", "allied", "mule", 2, "silchar")
    state = lift(gliders=1).put("transport", "a/mule/1", mule)
    assert codes(state, f"lift a/mule/1 from silchar to {HOME} by a/c-47/1") == []
    assert codes(state, f"lift a/mule/1 from silchar to {NEAR} by a/c-47/1 dropping") == ["drop-units"]
    flown = give(state, f"lift a/mule/1 from silchar to {NEAR} by a/c-47/1 towing 1 gliders", air=[(1,), (2,)])
    assert (flown.transport["a/mule/1"].at, flown.transport["a/mule/1"].size) == (at(NEAR), 1), "a die for each token"
    for kind, load in (("mule", 1), ("truck", 0), ("elephant", 0)):
        other = state.put("transport", "a/mule/1", Transport("a/mule/1", "allied", kind, 2, "silchar", load))
        assert codes(other, f"lift a/mule/1 from silchar to {HOME} by a/c-47/1") == ["cargo-kind"]


@pytest.mark.rule("ocs-series/5.6")
def test_burma_3_5d_artillery_flies_what_goes_on_wheels_does_not(ground):
    planes, bases = ["a/c-47/1", "a/c-47/2"], {**BOXES, HOME: ("allied", 2)}
    state = lift([GUNS, MOTOR, "a/art/5.5_inch"], planes, bases=bases)
    by = f"from silchar to {HOME} by a/c-47/1, a/c-47/2"
    assert codes(state, f"lift {GUNS} {by}") == []
    assert codes(state, f"lift {MOTOR} {by}") == ["cargo-kind"]
    assert codes(state, f"lift a/art/5.5_inch {by}") == ["cargo-kind"]
    combat = state.place(Piece(GUNS, "silchar", "combat", "combat"))
    assert codes(combat, f"lift {GUNS} {by}") == ["cargo-mode"]
    tired = state.place(Piece(GUNS, "silchar", "move", "move", dg=True, done=True))
    assert codes(tired, f"lift {GUNS} {by}") == ["cargo-dg", "cargo-moved"]


@pytest.mark.rule("ocs/table.air-effects")
def test_restricted_flights_go_from_base_to_base_only(ground):
    """No drops and no gliders into clearings (rules_review D38)."""
    state = lift([COLUMN], gliders=1, air_ops="restricted", markers={"clearings": (at(NEAR),)})
    assert codes(state, f"lift 2T from silchar to {HOME} by a/c-47/1") == []
    assert codes(state, f"lift 2T from silchar to {HOME} by a/c-47/1 dropping") == ["base-to-base"]
    assert codes(state, f"lift {COLUMN} from silchar to {NEAR} by a/c-47/1 towing 1 gliders") == ["base-to-base"]
    assert codes(state.with_(air_ops="prohibited"), f"lift 2T from silchar to {HOME} by a/c-47/1") == ["no-flying"]


def test_supply_flown_in_is_not_carried_on_in_the_same_phase(ground):
    state = lift((), ["a/c-47/1"], tokens=2)
    state = fly(give(state, f"lift 2T from silchar to {HOME} by a/c-47/1"), "a/c-47/2", HOME)
    assert codes(state, f"lift 2T from {HOME} to silchar by a/c-47/2") == ["cargo-tokens"]


def test_cargo_of_aircraft_that_turn_back_stays_behind(ground):
    """The Oscar (2) aborts one C-47 (0) on a 7 + 2; the other brings what it can carry: the first 2T."""
    state = lift((), ["a/c-47/1", "a/c-47/2"], bases={**BOXES, HOME: ("allied", 2), "A15.14": ("japanese", 1)})
    state = fly(state, "j/oscar/1", "A15.14")
    state = give(state, f"lift 4T from silchar to {HOME} by a/c-47/1, a/c-47/2")
    assert asked(state) == ("japanese", ("intercept", "let_pass"))
    state = give(state, f"intercept at {HOME} with j/oscar/1", air=[(2, 5), (1, 2)])
    assert not plane(state, "a/c-47/1").active
    while asked(state)[0]:
        state = give(state, "fly home")
    assert (tokens(state, "silchar"), tokens(state, HOME)) == (18, 2)


# Arakan ---------------------------------------------------------------------------------------------------------------


def arakan(units=(BATTALION,), phase="reinforcement", **rest):
    state = lift((), ["a/c-47/1", "a/c-47/2"], phase=phase, **rest)
    for unit in units:
        state = state.place(Piece(unit, "arakan", "move", "move"))
    return state


def test_burma_3_1c_fly_in_by_double_trips(ground):
    state = arakan()
    assert arakan_capacity(state, [plane(state, "a/c-47/1")]) == 2
    state = give(state, "fly in a/inf/RWK-5 to silchar by a/c-47/1")
    assert (state.pieces[BATTALION].at, plane(state, "a/c-47/1").active) == ("silchar", False)


def test_burma_3_1c_where_and_how_much(ground):
    state = arakan([BRIGADE])
    assert codes(state, f"fly in {BRIGADE} to silchar by a/c-47/1") == ["cargo-weight"]
    assert codes(state, f"fly in {BRIGADE} to ledo by a/c-47/1, a/c-47/2") == ["fly-in-place"]
    assert codes(state, f"fly in {BRIGADE} to {NEAR} by a/c-47/1, a/c-47/2") == ["fly-in-place"]
    assert codes(state, f"fly in {BRIGADE} to {HOME} by a/c-47/1, a/c-47/2") == ["off-load"], "4T at a level 1 base"
    wide = state.put("bases", at(HOME), Base("allied", 2))
    wide = give(wide, f"fly in {BRIGADE} to {HOME} by a/c-47/1, a/c-47/2")
    assert (wide.pieces[BRIGADE].at, plane(wide, "a/c-47/1").at) == (at(HOME), at(HOME)), (
        "they land where they bring it"
    )
    assert codes(state, f"fly in {COLUMN} to silchar by a/c-47/1") == ["not-from-arakan"]


@pytest.mark.rule("ocs/3.10")
def test_burma_3_1c_or_by_the_hump(ground):
    state = arakan([BRIGADE, BATTALION], markers={"hump": 1})
    assert codes(state, f"fly in {BATTALION} to silchar") == ["hump-later"], "3.10: not in the Reinforcement Phase"
    state = state.with_(phase="movement")
    assert codes(state, f"fly in {BRIGADE}, {BATTALION} to silchar") == ["hump-none"]
    state = give(state, f"fly in {BATTALION} to silchar")
    assert lift_tokens(state) == 2
    assert codes(state, f"fly in {BRIGADE} to silchar") == ["hump-none"]


# the Hump -------------------------------------------------------------------------------------------------------------


def test_burma_3_10_brings_supply_from_outside_and_units_from_the_boxes(ground):
    state = lift([BATTALION], markers={"hump": 2}, tokens=1)
    state = give(state, f"hump 2T from silchar to {HOME}")
    assert (tokens(state, "silchar"), tokens(state, HOME), lift_tokens(state)) == (1, 2, 6)
    assert codes(state, f"hump {BATTALION} from silchar to {HOME}") == ["off-load"]
    later = give(state.with_(phase="exploitation"), f"hump {BATTALION} from silchar to {HOME}")
    assert (later.pieces[BATTALION].at, lift_tokens(later)) == (at(HOME), 4)
    assert plane(later, "a/c-47/1").active, "the player's own aircraft are not used"


def test_burma_3_10_supply_may_be_dropped_units_not(ground):
    state = lift([PARA], markers={"hump": 6, "air/friendly": (at(NEAR),)})
    dropped = give(state, f"hump 3T from ledo to {NEAR} dropping", air=[(1,), (2,), (6,)])
    assert tokens(dropped, NEAR) == 2
    assert "hump-landing" in codes(state, f"hump {PARA} from silchar to {NEAR} dropping")
    assert codes(state, f"hump 30T from ledo to {NEAR} dropping") == ["hump-none"]
    assert codes(state, f"hump 1T from {HOME} to {NEAR} dropping") == ["hump-box"]
    assert codes(state, f"hump 1T from ledo to {NEAR}") == ["must-drop"]


def test_burma_3_10_not_in_reaction_and_not_into_interception_range(ground):
    state = lift(markers={"hump": 6}, player="japanese", phase="reaction")
    assert "not-now" in codes(state, f"hump 1T from ledo to {HOME}")
    state = fly(lift(markers={"hump": 6}, bases={**BOXES, "A20.14": ("japanese", 1)}), "j/oscar/1", "A20.14")
    assert codes(state, f"hump 1T from silchar to {HOME}") == ["hump-enemy-air"]
    idle = fly(state, "j/oscar/1", "A20.14", active=False)
    assert codes(idle, f"hump 1T from silchar to {HOME}") == []


def test_nothing_is_lifted_without_a_diversion(ground):
    assert codes(lift(), f"hump 1T from silchar to {HOME}") == ["hump-none"]


# Operation Thursday ---------------------------------------------------------------------------------------------------


def test_thursday_flies_in():
    """Turn 1 from Silchar: five C-47 with a glider each put five columns down at Broadway; the sixth must wait."""
    state = start("ocs/thursday").with_(phase="movement", player="allied")
    for id_ in [i for i in state.aircraft if i.split("/")[1] in ("c-47", "glider")]:
        state = fly(state, id_, "silchar")
    play = Session(GAME, state, seed="thursday")
    columns = ["a/col/A-77-3", "a/col/B-77-3", "a/col/A-111-3", "a/col/B-111-3", "a/col/A-23-3"]
    play.push(f"lift {', '.join(columns[:3])} from silchar to A46.07 by a/c-47/1, a/c-47/2, a/c-47/3 towing 3 gliders")
    play.push(f"lift {', '.join(columns[3:])} from silchar to A46.07 by a/c-47/4, a/c-47/5 towing 2 gliders")
    assert {play.state.pieces[c].at for c in columns} <= {at("A46.07"), "gone"}
    assert all(play.state.pieces[c].dg for c in columns if play.state.pieces[c].on_map), "nobody held Broadway before"
    assert sum(a.at == "dead" for a in play.state.aircraft.values() if a.type == "glider") == 5
    assert "not-now" not in codes(play.state, "lift 1T from silchar to A46.07 by a/c-47/1 dropping")
    assert "aircraft-inactive" in codes(play.state, "lift 1T from silchar to A46.07 by a/c-47/1 dropping")


def test_history_may_be_followed_by_hand(ground):
    order = Lift("silchar", ("a/c-47/1",), at(NEAR), ("2T",), 0, True)
    assert GAME.parse(order.text) == order
    state = aloft(lift(), "a/p-51/1", "A15.10")
    assert load_of(state, order).total == 2


@pytest.mark.rule("ocs-series/14.20e", "ocs/3.10", "ocs/3.1c", "ocs/opt.3c")
def test_what_is_offered_fits_through_the_base_and_into_a_stack():
    """A9.09 is of level 1 and unloads 2T a segment, A6.10 of level 2 and 4T; a brigade weighs 4T; three fly at once."""
    state = start("ocs/u-go").with_(phase="movement", player="allied", air_ops="unrestricted")
    state = state.put("markers", "hump", 4).place(Piece("a/inf/161-5", "arakan", "move", "move"))

    def offered(kind, **values):
        found = GAME.options(state, Partial(kind, values, frozenset(k for k in values if k in ("planes", "units"))))
        return {c.value for c in found.choices}

    assert offered("hump", start="silchar", at=at("A9.09")) >= {"2T", "1T"}
    assert "3T" not in offered("hump", start="silchar", at=at("A9.09"))
    assert "4T" in offered("hump", start="silchar", at=at("A6.10"))
    assert "5T" not in offered("hump", start="silchar", at=at("A6.10"))
    pair = ("a/c-47/1", "a/c-47/2")
    assert "3T" not in offered("lift", start="silchar", planes=pair, at=at("A9.09"))
    assert "4T" in offered("lift", start="silchar", planes=pair, at=at("A6.10"))
    assert offered("fly_in", units=("a/inf/161-5",)) == {"silchar", *map(at, ("A5.24", "A6.10", "A8.06"))}
    three = ("a/c-47/1", "a/c-47/2", "a/b-25/1")
    assert GAME.options(state, Partial("ferry", {"planes": three})).choices == ()
    assert "silchar" not in offered("ferry", planes=pair)


@pytest.mark.rule("ocs/table.air-effects")
def test_weather_that_keeps_flights_down_offers_none():
    state = start("ocs/u-go").with_(phase="movement", player="allied")
    state = state.put("markers", "hump", 4).place(Piece("a/inf/161-5", "arakan", "move", "move"))

    def offered(air_ops):
        kinds = ("station", "strike", "hip_shoot", "ferry", "lift", "fly_in", "hump")
        weather = state.with_(air_ops=air_ops)
        return {k for k in kinds if GAME.options(weather, Partial(k)).choices}

    assert offered("unrestricted") == {"station", "strike", "hip_shoot", "ferry", "lift", "fly_in", "hump"}
    assert offered("restricted") == {"ferry", "lift", "fly_in", "hump"}
    assert offered("prohibited") == set()


@pytest.mark.rule("ocs/opt.3c", "ocs/opt.3f", "ocs-series/14-stack")
def test_burma_opt_3c_fighters_escort_transports_carry_nothing_and_fight_on_top(ground):
    """The Oscar meets the flight: 6 + 2 - 4 = 4, it aborts, and the C-47 never fights; both come home inactive."""
    bases = {HOME: ("allied", 2), "A24.10": ("allied", 1), ENEMY_HOME: ("japanese", 1)}
    state = air(dict.fromkeys(("a/c-47/1", "a/p-51/1"), HOME), bases=bases, dumps={HOME: ("allied", 8)})
    order = f"lift 2T from {HOME} to A24.10 by a/c-47/1, a/p-51/1"
    assert codes(state, order) == []
    assert codes(state, f"lift 3T from {HOME} to A24.10 by a/c-47/1, a/p-51/1") == ["cargo-weight"]
    assert codes(state, f"lift 1T from {HOME} to A24.10 by a/p-51/1") == ["cargo-weight"]
    bomber = fly(state, "a/b-25/1", HOME)
    assert codes(bomber, f"lift 2T from {HOME} to A24.10 by a/c-47/1, a/b-25/1") == ["only-transports"]
    assert {c.value for c in GAME.options(state, Partial("lift", {"start": at(HOME)})).choices} == {"a/c-47/1"}
    with_one = Partial("lift", {"start": at(HOME), "planes": ("a/c-47/1",)})
    assert {c.value for c in GAME.options(state, with_one).choices} == {"a/p-51/1"}
    met = give(fly(state, "j/oscar/1", ENEMY_HOME), order)
    assert asked(met) == ("japanese", ("intercept", "let_pass"))
    after = give(met, "intercept at A22.10 with j/oscar/1", air=[(3, 3)])
    assert (plane(after, "j/oscar/1").active, plane(after, "j/oscar/1").at) == (False, at(ENEMY_HOME))
    assert tokens(after, "A24.10") == 2
    for id_ in ("a/c-47/1", "a/p-51/1"):
        assert (plane(after, id_).at, plane(after, id_).active, plane(after, id_).steps) == (at(HOME), False, 2)
