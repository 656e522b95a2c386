"""Hedgehogs, airstrips and bases, the Ledo Road, water buffaloes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from movement_field import CENTRE, GRID, N, made
from moving_field import Loaded, codes, give, outcome, play

from burma_study.boards.board import load_board
from burma_study.engine.game import Partial
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.goods.works import WORKS, buffaloes_left, next_road_hexes, road_gang, road_roll
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.state import Base, Dump, Hedgehog, Piece, Rules, TraceSource, Transport

BRIGADE, BATTALION, HQ, FIVE = "a/inf/63-17", "a/inf/7-10_Ba-17", "a/hq/4_Corps", "a/inf/48-17"
JAPANESE, SECOND, GARRISON, INA = "j/inf/2-215-33", "j/inf/3-215-33", "j/gar/1", "j/inf/1-INA"
DIVISION, ARMY, BUILDERS, ROAD_GANG = "j/hq/33_Div", "j/hq/15_Army", "a/eng/823_Eng", "a/eng/45_Eng"
HERE = GRID.label(CENTRE)


@pytest.fixture(autouse=True)
def open_ground(ground):
    """Open ground everywhere."""
    ground(made())


def marching(units, side="allied", tokens=12, **rest):
    rest.setdefault("markers", {"stops": "all"})
    return play(units, side, "movement", {CENTRE: tokens} if tokens else None, **rest)


def with_hedgehog(state, side, level):
    return state.put("hedgehogs", CENTRE, Hedgehog(side, level))


# building -------------------------------------------------------------------------------------------------------------


def test_burma_opt_2_3_a_level_costs_2_sp_and_its_builder_stays():
    found = outcome(marching({BRIGADE: CENTRE}), f"fortify {HERE} with {BRIGADE}")
    assert found.state.hedgehogs[CENTRE] == Hedgehog("allied", 1)
    assert found.state.dumps[CENTRE].tokens == 4
    assert found.state.pieces[BRIGADE].done
    assert "ocs/opt.2.3" in found.rules


@pytest.mark.rule("ocs/opt.2")
def test_without_option_2_a_level_costs_1_sp():
    state = marching({BRIGADE: CENTRE})
    options = tuple(o for o in state.rules.options if o != "opt2")
    plain = state.with_(rules=replace(state.rules, options=options))
    assert give(plain, f"fortify {HERE} with {BRIGADE}").dumps[CENTRE].tokens == 8
    later = state.with_(rules=replace(plain.rules, version="v4.3"))
    assert give(later, f"fortify {HERE} with {BRIGADE}").dumps[CENTRE].tokens == 4


def test_series_16_one_level_a_turn_up_to_four():
    state = marching({BRIGADE: CENTRE, FIVE: CENTRE}, tokens=24)
    once = give(state, f"fortify {HERE} with {BRIGADE}")
    assert codes(once, f"fortify {HERE} with {FIVE}") == ["level-a-turn"]
    twice = give(once.with_(turn=2), f"fortify {HERE} with {FIVE}")
    assert twice.hedgehogs[CENTRE].level == 2
    assert codes(with_hedgehog(state, "allied", 4), f"fortify {HERE} with {BRIGADE}") == ["highest-level"]


@pytest.mark.parametrize(
    ("units", "found"),
    [
        ([BRIGADE], []),
        ([BATTALION], ["too-few-builders"]),
        ([BATTALION, "a/inf/1_Wy-17"], []),
        ([HQ], []),
        ([BUILDERS], []),
    ],
)
def test_series_16_one_re_or_an_engineer_capable_unit_builds(units, found):
    state = marching(dict.fromkeys(units, CENTRE))
    assert codes(state, f"fortify {HERE} with {', '.join(units)}") == found


def test_burma_2_9_two_japanese_battalions_are_1_re():
    state = marching({JAPANESE: CENTRE, SECOND: CENTRE}, "japanese")
    assert codes(state, f"fortify {HERE} with {JAPANESE}") == ["too-few-builders"]
    assert give(state, f"fortify {HERE} with {JAPANESE}, {SECOND}").hedgehogs[CENTRE] == Hedgehog("japanese", 1)


def test_burma_2_6d_the_japanese_build_no_level_2():
    state = with_hedgehog(marching({JAPANESE: CENTRE, SECOND: CENTRE}, "japanese"), "japanese", 1)
    assert codes(state, f"fortify {HERE} with {JAPANESE}, {SECOND}") == ["highest-level"]


@pytest.mark.parametrize(
    "piece",
    [
        Piece(BRIGADE, CENTRE, "move", "move"),
        Piece(BRIGADE, CENTRE, "reserve"),
        Piece(BRIGADE, CENTRE, spent=12),
        Piece(BRIGADE, CENTRE, done=True),
        Piece(BRIGADE, CENTRE, dg=True),
    ],
)
def test_series_16_builders_are_in_combat_mode_and_do_not_move(piece):
    assert codes(marching({BRIGADE: piece}), f"fortify {HERE} with {BRIGADE}") == ["not-rested"]


def test_series_13_8_a_dg_engineer_with_its_combat_side_up_still_digs():
    for unit, face, found in ((HQ, "combat", []), (HQ, "move", ["not-rested"])):
        state = marching({unit: Piece(unit, CENTRE, face, face, dg=True)})
        assert codes(state, f"fortify {HERE} with {unit}") == found, face


def test_building_is_paid_and_done_in_the_hex():
    assert codes(marching({BRIGADE: CENTRE}, tokens=7), f"fortify {HERE} with {BRIGADE}") == ["cannot-pay"]
    assert codes(marching({BRIGADE: N}), f"fortify {HERE} with {BRIGADE}") == ["not-there"]
    enemy = with_hedgehog(marching({BRIGADE: CENTRE}), "japanese", 1)
    assert codes(enemy, f"fortify {HERE} with {BRIGADE}") == ["enemy-hedgehog"]


# digging in -----------------------------------------------------------------------------------------------------------


def test_burma_2_6c_a_battalion_that_stood_still_digs_in_free():
    state = give(marching({JAPANESE: CENTRE}, "japanese", tokens=0), f"dig in {JAPANESE}")
    assert state.hedgehogs[CENTRE] == Hedgehog("japanese", 1)
    assert state.pieces[JAPANESE].done
    assert codes(state, f"move {JAPANESE} by {GRID.label(N)}") != []


@pytest.mark.parametrize(
    ("piece", "side", "found"),
    [
        (Piece(JAPANESE, CENTRE, spent=12), "japanese", ["not-rested"]),
        (Piece(JAPANESE, CENTRE, "move", "move"), "japanese", ["not-rested"]),
        (Piece(GARRISON, CENTRE), "japanese", ["no-digger"]),
        (Piece(INA, CENTRE), "japanese", ["no-digger"]),
        (Piece("j/art/3-33-33", CENTRE), "japanese", ["no-digger"]),
        (Piece(BATTALION, CENTRE), "allied", ["no-digger"]),
    ],
)
def test_burma_2_6c_who_digs_none(piece, side, found):
    assert codes(marching({piece.id: piece}, side), f"dig in {piece.id}") == found


@pytest.mark.rule("ocs-series/erratum.10", "ocs/1.13", "ocs/2.6c")
def test_erratum_10_garrisons_dig_no_free_hedgehog_and_without_it_they_do():
    state = marching({GARRISON: CENTRE, INA: N}, "japanese")
    assert codes(state, f"dig in {GARRISON}") == ["no-digger"]
    for rules in (Rules(errata_off=("erratum.10",)), Rules(errata=False)):
        bare = state.with_(rules=rules)
        assert give(bare, f"dig in {GARRISON}").hedgehogs[CENTRE] == Hedgehog("japanese", 1)
        assert codes(bare, f"dig in {INA}") == ["no-digger"]


def test_burma_2_6c_one_hedgehog_a_hex():
    state = with_hedgehog(marching({JAPANESE: CENTRE}, "japanese"), "japanese", 1)
    assert codes(state, f"dig in {JAPANESE}") == ["hedgehog-there"]


# taking down ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/opt.2.1")
def test_burma_opt_2_1_one_level_a_hex_and_turn_two_where_engineers_are():
    """The series errata on this option: one level in a hex even with several units; two with engineers in the hex."""
    state = with_hedgehog(marching({BRIGADE: CENTRE, FIVE: CENTRE}), "allied", 3)
    assert codes(state, f"raze 2 levels by {BRIGADE}") == ["not-within"]
    one = give(state, f"raze 1 levels by {BRIGADE}")
    assert one.hedgehogs[CENTRE].level == 2
    assert codes(one, f"raze 1 levels by {FIVE}") == ["razed-already"]
    staff = state.place(Piece(HQ, CENTRE))
    for unit in (HQ, BRIGADE):
        assert give(staff, f"raze 2 levels by {unit}").hedgehogs[CENTRE].level == 1
    assert codes(state.place(Piece(HQ, CENTRE, spent=12)), f"raze 2 levels by {BRIGADE}") == ["not-within"]
    assert CENTRE not in give(with_hedgehog(staff, "allied", 1), f"raze 1 levels by {BRIGADE}").hedgehogs


@pytest.mark.parametrize("rules", [Rules(version="v4.3"), Rules(options=("opt1",))], ids=["v4.3", "without opt2"])
@pytest.mark.rule("ocs-series/16")
def test_series_16_without_option_2_1_re_in_combat_mode_takes_one_level_down_and_stays(rules):
    state = with_hedgehog(marching({BRIGADE: CENTRE, HQ: CENTRE}), "allied", 3).with_(rules=rules)
    assert codes(state, f"raze 2 levels by {HQ}") == ["not-within"]
    after = give(state, f"raze 1 levels by {BRIGADE}")
    assert (after.hedgehogs[CENTRE].level, after.pieces[BRIGADE].done, after.pieces[HQ].done) == (2, True, False)
    half = with_hedgehog(marching({BATTALION: CENTRE}), "allied", 1).with_(rules=rules)
    assert codes(half, f"raze 1 levels by {BATTALION}") == ["too-few-builders"]
    two = give(half.place(Piece("a/inf/1_Wy-17", CENTRE)), f"raze 1 levels by {BATTALION}")
    assert CENTRE not in two.hedgehogs
    assert two.pieces[BATTALION].done
    assert two.pieces["a/inf/1_Wy-17"].done


def test_burma_opt_2_1_the_unit_began_the_phase_there():
    state = with_hedgehog(marching({BRIGADE: Piece(BRIGADE, CENTRE, spent=12)}), "allied", 3)
    assert codes(state, f"raze 1 levels by {BRIGADE}") == ["not-rested"]
    assert codes(marching({BRIGADE: CENTRE}), f"raze 1 levels by {BRIGADE}") == ["no-hedgehog"]


# airstrips ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("terrain", "cost"), [("clear", 1), ("jungle", 2), ("rough", 2), ("mountain", 2)])
def test_burma_1_8_an_airstrip_costs_1t_or_2t_and_opens_when_the_phase_ends(ground, terrain, cost):
    ground(made({CENTRE: terrain}))
    state = give(marching({HQ: CENTRE}), f"lay airstrip by {HQ}")
    assert (state.dumps[CENTRE].tokens, CENTRE in state.bases) == (12 - cost, False)
    assert codes(state, f"move {HQ} by {GRID.label(N)}") != []
    assert give(state, "done").bases[CENTRE] == Base("allied", 0)


@pytest.mark.rule("ocs/2.4a")
@pytest.mark.parametrize(
    ("unit", "side", "found"),
    [
        (HQ, "allied", []),
        (ARMY, "japanese", []),
        (DIVISION, "japanese", ["no-strip-builder"]),
        (BRIGADE, "allied", ["no-strip-builder"]),
        (ROAD_GANG, "allied", ["no-strip-builder"]),
    ],
)
def test_burma_1_8_headquarters_above_the_division_lay_airstrips(unit, side, found):
    assert codes(marching({unit: CENTRE}, side), f"lay airstrip by {unit}") == found


def test_burma_3_9b_823_engineers_lay_airstrips_and_make_them_bases():
    state = give(marching({BUILDERS: CENTRE}), f"lay airstrip by {BUILDERS}", "done")
    assert codes(state.with_(phase="movement"), f"upgrade airstrip by {BUILDERS}") == []


def test_burma_1_8_no_second_airstrip_and_a_builder_that_stays():
    state = marching({HQ: CENTRE, BUILDERS: CENTRE})
    laid = give(state, f"lay airstrip by {HQ}")
    assert codes(laid, f"lay airstrip by {BUILDERS}") == ["base-there"]
    moved = marching({HQ: Piece(HQ, CENTRE, "move", "move")})
    assert codes(moved, f"lay airstrip by {HQ}") == ["not-rested"]


@pytest.mark.parametrize(("unit", "found"), [(HQ, []), (ROAD_GANG, []), (BRIGADE, ["no-base-builder"])])
def test_burma_1_8_an_upgrade_costs_2t_and_takes_engineers(unit, found):
    state = marching({unit: CENTRE}).put("bases", CENTRE, Base("allied", 0))
    assert codes(state, f"upgrade airstrip by {unit}") == found
    if not found:
        after = give(state, f"upgrade airstrip by {unit}")
        assert (after.bases[CENTRE], after.dumps[CENTRE].tokens) == (Base("allied", 1), 10)


def test_burma_2_4a_division_headquarters_build_no_airfields():
    state = marching({DIVISION: CENTRE}, "japanese").put("bases", CENTRE, Base("japanese", 0))
    assert codes(state, f"upgrade airstrip by {DIVISION}") == ["no-base-builder"]
    level_1 = marching({HQ: CENTRE}).put("bases", CENTRE, Base("allied", 1))
    assert codes(level_1, f"upgrade airstrip by {HQ}") == ["no-strip"]


# the Ledo Road --------------------------------------------------------------------------------------------------------

US_ENGINEERS = ["a/eng/45_Eng", "a/eng/330_Eng", "a/eng/209_Eng", "a/eng/236_Eng", "a/eng/823_Eng"]


def road_state(ground, engineers, **scalars):
    """Campaign 2 with these engineers, and supply, in the next hex of the Ledo Road."""
    ground(load_board("ocs"))
    state = start("ocs/campaign-2").with_(phase="movement", player="allied", **scalars)
    (hex_,) = next_road_hexes(state)
    for unit in US_ENGINEERS:
        state = state.put("pieces", unit, Piece(unit, hex_) if unit in engineers else None)
    return state.put("dumps", hex_, Dump("allied", 4)), hex_


@pytest.mark.rule("ocs/table.ledo-road")
def test_burma_3_9a_the_worked_example(ground):
    """Five engineers in flood on very close ground with a road need 5 and add 3: 2 or more on one die, 5 in 6."""
    state, hex_ = road_state(ground, US_ENGINEERS)
    state = state.with_(ground="flood")
    ground(made({hex_: "rough"}, routes=[("fair_weather", [hex_, GRID.neighbours[hex_][0]])]))
    needs, drm = road_roll(state, hex_, 5)
    assert (needs, drm) == (5, 3)
    assert sum(die + drm >= needs for die in range(1, 7)) == 5
    ground(made({hex_: "rough"}))
    assert road_roll(state.with_(ground="mud"), hex_, 5) == (5, 3)


@pytest.mark.rule("ocs/table.ledo-road")
def test_burma_3_9a_building_moves_the_road_head_and_costs_2t(ground):
    """Jungle with a road is close and needs 3; one regiment adds 1, so a 2 builds and a 1 does not; in flood a 4."""
    state, hex_ = road_state(ground, US_ENGINEERS[:1])
    order = f"build road at {GRID.label(hex_)}"
    built = give(state, order, dice=Loaded(2))
    assert (built.markers["road_head"], built.dumps[hex_].tokens) == (hex_, 2)
    assert built.pieces[US_ENGINEERS[0]].done
    flood = state.with_(ground="flood")
    assert [give(flood, order, dice=Loaded(die)).markers["road_head"] == hex_ for die in (3, 4)] == [False, True]
    failed = give(state, order, dice=Loaded(1))
    assert failed.markers["road_head"] == state.markers["road_head"]
    assert failed.dumps[hex_].tokens == 2
    assert codes(failed, order) == ["no-road-gang"]


@pytest.mark.rule("ocs-series/erratum.12")
def test_erratum_12_the_ledo_road_rolls_one_die_and_without_it_two(ground):
    state, hex_ = road_state(ground, US_ENGINEERS[:1])
    order, rolls = f"build road at {GRID.label(hex_)}", []
    for rules in (Rules(), Rules(errata_off=("erratum.12",)), Rules(errata=False)):
        found = outcome(state.with_(rules=rules), order, Loaded(1, 1))
        rolls.append([r.dice for r in found.rolls if r.stream == "supply"])
    assert rolls == [[(1,)], [(1, 1)], [(1, 1)]]


def test_burma_3_9a_several_hexes_a_phase_if_each_joins_the_road(ground):
    state, first = road_state(ground, US_ENGINEERS[:1])
    (second,) = next_road_hexes(state.put("markers", "road_head", first))
    gang = state.place(Piece("a/eng/330_Eng", second)).put("dumps", second, Dump("allied", 2))
    order = f"build road at {GRID.label(second)}"
    assert codes(gang, order) == ["road-not-joined"]
    on = give(gang, f"build road at {GRID.label(first)}", dice=Loaded(6))
    assert on.markers["road_head"] == first
    assert codes(on, order) == []


def test_burma_3_9a_needs_a_regiment_with_road_standing_in_combat_mode(ground):
    state, hex_ = road_state(ground, US_ENGINEERS[2:])
    assert road_gang(state, hex_) == ()
    assert codes(state, f"build road at {GRID.label(hex_)}") == ["no-road-gang"]
    moved = state.place(Piece(US_ENGINEERS[0], hex_, spent=12))
    assert road_gang(moved, hex_) == ()
    assert road_gang(state.place(Piece(US_ENGINEERS[0], hex_)), hex_) == (
        "a/eng/209_Eng",
        "a/eng/236_Eng",
        *_last_two(),
    )
    assert codes(state.with_(player="japanese"), f"build road at {GRID.label(hex_)}") == ["not-phasing"]


def _last_two():
    return "a/eng/45_Eng", "a/eng/823_Eng"


# water buffaloes ------------------------------------------------------------------------------------------------------


def test_burma_2_5d_ten_tokens_of_initial_supply_become_buffaloes(ground):
    """2.5 SP are 10T, in the scenarios that allow it and before play only."""
    ground(load_board("ocs"))
    state = start("ocs/u-go").with_(phase="setup", player="japanese")
    at = next(h for h, d in sorted(state.dumps.items(), key=str) if d.side == "japanese" and d.tokens >= 4)
    label, there = GRID.label(at), state.dumps[at].tokens
    assert buffaloes_left(state) == 10
    after = give(state, f"exchange 3 T at {label} for buffaloes")
    herd = after.transport["j/buffalo/1"]
    assert (herd.size, herd.load, herd.at) == (3, 3, at)
    assert (after.dumps[at].tokens if at in after.dumps else 0) == there - 3
    assert buffaloes_left(after) == 7
    rich = after.put("dumps", at, Dump("japanese", 20))
    assert codes(rich, f"exchange 8 T at {label} for buffaloes") == ["too-many-buffaloes"]
    assert codes(state.with_(phase="movement"), f"exchange 3 T at {label} for buffaloes") == ["not-now"]


# options --------------------------------------------------------------------------------------------------------------


def test_options_offer_builders_and_payments():
    state = marching({BATTALION: CENTRE, "a/inf/1_Wy-17": CENTRE})
    at = GAME.options(state, Partial("fortify"))
    assert [c.value for c in at.choices] == [CENTRE]
    first = GAME.options(state, at.take(CENTRE))
    one = GAME.options(state, first.take(BATTALION))
    assert one.complete is None
    both = GAME.options(state, one.take("a/inf/1_Wy-17"))
    assert both.complete is not None
    paying = GAME.options(state, both.partial, "payment")
    assert [c.value for c in paying.choices] == [HERE]
    alone = marching({BATTALION: CENTRE})
    assert GAME.options(alone, Partial("fortify")).choices == ()


def built(state, kind):
    """The first order of a kind that the options lead to, slot by slot; None when they lead to none."""

    def on(at):
        if at.complete is not None:
            return at.complete
        found = (on(GAME.options(state, at.take(c.value))) for c in (at.choices or ()) if at.slot)
        return next((order for order in found if order is not None), None)

    return on(GAME.options(state, Partial(kind)))


def _points(kind="truck", size=8, load=4, name="t", **marks):
    return Transport(name, "allied", kind, size, CENTRE, load, **marks)


def _carrying(*points):
    state = marching({BRIGADE: CENTRE})
    for t in points:
        state = state.put("transport", t.id, t)
    return state


GOODS = {
    "load": lambda: _carrying(_points(load=0)),
    "unload": lambda: _carrying(_points()),
    "split": lambda: _carrying(_points()),
    "merge": lambda: _carrying(_points(), _points(name="u")),
    "form-extender": lambda: _carrying(_points(size=20, load=0)).put(
        "markers", "sources", (TraceSource("allied", N, "point"),)
    ),
    "break-extender": lambda: _carrying(_points(size=20, load=0, extender=True)),
    "collapse-extender": lambda: _carrying(_points(size=20, load=0, extender=True)).put(
        "markers", "sources", (TraceSource("allied", N, "point"),)
    ),
    "blow": lambda: _carrying(),
    "fortify": lambda: _carrying(),
    "dig-in": lambda: marching({JAPANESE: CENTRE}, "japanese"),
    "raze": lambda: with_hedgehog(_carrying(), "allied", 1),
    "airstrip": lambda: marching({HQ: CENTRE}),
    "upgrade": lambda: marching({HQ: CENTRE}).put("bases", CENTRE, Base("allied", 0)),
    "refill": lambda: marching({BRIGADE: Piece(BRIGADE, CENTRE, stocks=0)}).with_(phase="supply"),
    "eat": lambda: _carrying().with_(phase="supply"),
    "eat-all": lambda: _carrying().with_(phase="supply"),
}


@pytest.mark.parametrize("kind", GOODS)
def test_options_lead_to_every_kind_of_order(kind):
    state = GOODS[kind]()
    order = built(state, kind)
    assert order is not None
    assert order.kind == kind
    assert GAME.parse(order.text) == order


def test_options_lead_to_orders_on_the_real_map(ground):
    state, hex_ = road_state(ground, US_ENGINEERS[:1])
    for kind in ("road", "rail", "freight"):
        assert built(state, kind) is not None, kind
    assert built(state, "road").at == hex_
    setup = start("ocs/u-go").with_(phase="setup", player="japanese")
    assert built(setup, "buffaloes").tokens >= 1
    assert WORKS.idle["setup"](setup.with_(player="allied"))
    assert not WORKS.idle["setup"](setup)
