"""Paying with supply: reach of draw and throw, whose HQ, several stores, internal stocks, what is taken first."""

from __future__ import annotations

from dataclasses import replace

import pytest
from movement_field import CENTRE, GRID, SE, made
from moving_field import play

from burma_study.engine.dice import KeyedDice
from burma_study.engine.step import Step
from burma_study.errors import BurmaStudyError
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.goods.payment import (
    PAYMENT,
    choose,
    pay,
    payment_reasons,
    sources_of,
    take,
    tokens_at,
    ways_at,
    ways_to_pay,
)
from burma_study.rules.ocs.state import Piece, Transport
from burma_study.rules.ocs.supply.on_map import facts, on_map

ROAD = [GRID.at(c, 30) for c in range(5, 45)]
BRIGADE, BATTALION, HQ, GALAHAD = "a/inf/63-17", "a/inf/7-10_Ba-17", "a/hq/4_Corps", "a/inf/1-Gal"
JAPANESE, DIVISION = "j/inf/2-215-33", "j/hq/33_Div"


@pytest.fixture(autouse=True)
def road(ground):
    """One all-weather road through jungle, which trucks cannot enter."""
    ground(made(routes=[("all_weather", ROAD)], rest="jungle"))


def paying(state, payment):
    step = Step(state, KeyedDice("pay"), GAME.clock)
    pay(step, payment)
    return step


def texts(state, units, cost, use="attack"):
    return [w.text for w in ways_to_pay(state, units, cost, use)]


def label(hex_):
    return GRID.label(hex_)


@pytest.mark.parametrize(("away", "reached"), [(1, True), (10, True), (11, True), (12, False)])
def test_series_12_3a_draws_5_truck_mp_or_to_the_hex_beside_the_dump(away, reached):
    """Road hexes cost 1/2 MP: ten of them, and the dump may lie beside the last."""
    state = play({BRIGADE: ROAD[away]}, "allied", dumps={ROAD[0]: 4})
    assert texts(state, [BRIGADE], 1, "fuel") == ([label(ROAD[0])] if reached else [])


def test_burma_2_5c_japanese_with_a_leg_ma_showing_draw_through_jungle():
    state = play({JAPANESE: CENTRE}, dumps={GRID.neighbours[SE][2]: 2})
    assert texts(state, [JAPANESE], 1) == [label(GRID.neighbours[SE][2])]


@pytest.mark.parametrize(("away", "reached"), [(21, True), (22, False)])
def test_series_12_3b_an_hq_throws_what_it_draws(away, reached):
    """A corps HQ throws 10 MP: twenty road hexes and one beside."""
    state = play({HQ: ROAD[5], BRIGADE: ROAD[5 + away]}, "allied", dumps={ROAD[0]: 4})
    assert texts(state, [BRIGADE], 1) == ([f"{label(ROAD[0])} by 4 Corps HQ"] if reached else ["stocks"])


@pytest.mark.rule("ocs-series/5.7", "ocs-series/5.8")
@pytest.mark.parametrize(
    ("mode", "version", "draws"),
    [
        ("move", "1999", True),
        ("reserve", "1999", False),
        ("strat", "1999", False),
        ("reserve", "v4.3", True),
        ("strat", "v4.3", True),
    ],
)
def test_series_5_7_an_hq_in_reserve_or_strat_mode_draws_fuel_alone_from_a_dump_by_the_1999_rules(mode, version, draws):
    """Its own defence and meals too; a dump in its own hex is drawn from like any other."""
    hq, brigade = Piece(HQ, ROAD[0], mode, "move"), Piece(BRIGADE, ROAD[0], mode, "move")
    state = play({HQ: hq, BRIGADE: brigade}, "allied", dumps={ROAD[0]: 4}, version=version)
    here = label(ROAD[0])
    for use in ("defence", "eat", "build", "refill"):
        without = ["stocks"] if use == "defence" else []
        assert texts(state, [HQ], 1, use) == ([here] if draws else without), use
        assert texts(state, [HQ, BRIGADE], 1, use) == ([here] if draws else []), use
    assert here in texts(state, [BRIGADE], 1, "defence"), "a unit that is no HQ draws in every mode"
    assert texts(state, [HQ], 1, "fuel") == [here], "who goes by truck could not use the Strat MA otherwise"
    assert facts(on_map(state, "allied"), HQ).fuel.source == "dump"
    assert (facts(on_map(state, "allied"), HQ).defence.source == "dump") is draws


@pytest.mark.rule("ocs-series/5.7", "ocs-series/5.8")
def test_series_5_7_what_another_hq_throws_reaches_an_hq_in_reserve():
    other = "a/hq/33_Corps"
    units = {HQ: Piece(HQ, ROAD[8], "reserve", "move"), other: ROAD[5]}
    state = play(units, "allied", dumps={ROAD[0]: 4})
    assert texts(state, [HQ], 1, "defence") == [f"{label(ROAD[0])} by 33 Corps HQ"]
    asleep = state.place(Piece(other, ROAD[5], "reserve", "move"))
    assert texts(asleep, [HQ], 1, "defence") == ["stocks"], "nor does that one throw in Reserve"


def test_burma_3_7a_american_units_are_not_served_by_a_commonwealth_hq():
    state = play({HQ: ROAD[5], GALAHAD: ROAD[20]}, "allied", dumps={ROAD[0]: 4})
    assert texts(state, [GALAHAD], 1, "fuel") == []


@pytest.mark.parametrize(("unit", "away", "reached"), [("j/inf/1-58-31", 14, True), ("j/inf/1-58-31", 15, False)])
@pytest.mark.parametrize("use", ["barrage", "fuel"])
def test_burma_2_5a_a_japanese_hq_throws_to_another_division(unit, away, reached, use):
    """A road hex costs 1/2 MP: 33 Division throws 6 MP, twelve hexes and one beside; 31 Division draws ten and one."""
    state = play({DIVISION: ROAD[1], unit: ROAD[away]}, dumps={ROAD[0]: 4})
    assert texts(state, [unit], 1, use) == ([f"{label(ROAD[0])} by 33 Div HQ"] if reached else [])
    assert texts(state.put("pieces", DIVISION, None), [unit], 1, use) == []


def test_cheapest_way_first_and_own_draw_before_a_throw():
    state = play({HQ: ROAD[5], BRIGADE: ROAD[8]}, "allied", dumps={ROAD[0]: 4, ROAD[10]: 4})
    ways = ways_to_pay(state, [BRIGADE], 1, "attack")
    assert [(w.store, w.hq) for w in ways] == [
        (ROAD[10], ""),
        (ROAD[0], ""),
        (ROAD[0], HQ),
        (ROAD[10], HQ),
    ]
    assert ways[0].portions[0].draw_cost == 6
    assert ways[1].portions[0].draw_cost == 42


def test_several_stores_join_when_none_alone_has_enough():
    state = play({BRIGADE: ROAD[5]}, "allied", dumps={ROAD[4]: 1, ROAD[8]: 3})
    assert texts(state, [BRIGADE], 3, "barrage") == [label(ROAD[8])]
    (way,) = ways_to_pay(state, [BRIGADE], 4, "barrage")
    assert [(p.store, p.tokens) for p in way.portions] == [(ROAD[4], 1), (ROAD[8], 3)]
    assert not paying(state, way).state.dumps
    assert texts(state, [BRIGADE], 5, "barrage") == []


def test_an_order_may_name_several_stores_in_its_own_order():
    state = play({BRIGADE: ROAD[5]}, "allied", dumps={ROAD[4]: 1, ROAD[8]: 3})
    text = f"{label(ROAD[8])} and {label(ROAD[4])}"
    payment = choose(state, [BRIGADE], 4, "barrage", text)
    assert payment is not None
    assert [(p.store, p.tokens) for p in payment.portions] == [(ROAD[8], 3), (ROAD[4], 1)]
    assert choose(state, [BRIGADE], 4, "barrage", f"{label(ROAD[4])} and {label(ROAD[30])}") is None


def test_units_of_two_hexes_pay_together_only_from_what_both_reach():
    state = play({BRIGADE: ROAD[5], BATTALION: ROAD[17]}, "allied", dumps={ROAD[0]: 4, ROAD[11]: 4})
    assert texts(state, [BRIGADE, BATTALION], 2) == [label(ROAD[11])]


# internal stocks ------------------------------------------------------------------------------------------------------


def test_series_12_10_stocks_pay_combat_supply_when_nothing_is_in_reach():
    state = play({BRIGADE: ROAD[5]}, "allied")
    (way,) = ways_to_pay(state, [BRIGADE], 1, "defence")
    assert way.text == "stocks"
    step = paying(state, way)
    assert step.state.pieces[BRIGADE].stocks == 1
    assert "ocs-series/12.10" in step.rules


@pytest.mark.parametrize("use", ["fuel", "barrage", "build", "eat", "refill", "refit"])
def test_series_12_10_stocks_pay_nothing_else(use):
    assert texts(play({BRIGADE: ROAD[5]}, "allied"), [BRIGADE], 1, use) == []


def test_series_12_10_stocks_are_closed_while_any_token_is_in_reach():
    state = play({BRIGADE: ROAD[5]}, "allied", dumps={ROAD[4]: 1})
    assert texts(state, [BRIGADE], 2) == []


def test_series_12_10_exhausted_units_and_stocks_are_not_shared():
    empty = Piece(BATTALION, ROAD[5], stocks=0)
    state = play({BRIGADE: ROAD[5], BATTALION: empty}, "allied")
    assert texts(state, [BATTALION], 1) == []
    assert texts(state, [BRIGADE, BATTALION], 2) == []
    both = state.place(replace(empty, stocks=1))
    after = paying(both, ways_to_pay(both, [BRIGADE, BATTALION], 2, "attack")[0]).state
    assert (after.pieces[BRIGADE].stocks, after.pieces[BATTALION].stocks) == (1, 0)


# taking ---------------------------------------------------------------------------------------------------------------


def loaded(state, kind, load, at, size=8, side="allied"):
    points = Transport(f"{side[0]}/{kind}/1", side, kind, size, at, load)
    return state.put("transport", points.id, points)


def test_dump_first_then_loads():
    state = loaded(play({BRIGADE: ROAD[5]}, "allied", dumps={ROAD[4]: 2}), "truck", 8, ROAD[4])
    after = paying(state, ways_to_pay(state, [BRIGADE], 5, "barrage")[0]).state
    assert ROAD[4] not in after.dumps
    assert after.transport["a/truck/1"].load == 5


def test_burma_2_5d_buffaloes_are_eaten_first_and_pay_nothing_else():
    state = loaded(play({JAPANESE: CENTRE}, dumps={CENTRE: 2}), "buffalo", 3, CENTRE, size=3, side="japanese")
    assert tokens_at(state, "japanese", CENTRE, "fuel") == 2
    assert texts(state, [JAPANESE], 3, "barrage") == []
    after = paying(state, ways_to_pay(state, [JAPANESE], 4, "eat")[0]).state
    assert after.dumps[CENTRE].tokens == 1
    assert "j/buffalo/1" not in after.transport


def test_taking_more_than_there_is_names_the_place():
    step = Step(play({}, "allied", dumps={ROAD[4]: 1}), KeyedDice("x"), GAME.clock)
    with pytest.raises(BurmaStudyError, match=label(ROAD[4])):
        take(step, "allied", ROAD[4], 2)


def test_burma_3_4_units_in_a_box_pay_from_what_lies_there():
    state = play({BRIGADE: "silchar"}, "allied", dumps={"silchar": 3, "ledo": 9})
    assert texts(state, [BRIGADE], 3, "refill") == ["silchar"]
    assert texts(state, [BRIGADE], 4, "refill") == []


@pytest.mark.rule("ocs-series/12.3a")
def test_an_air_base_pays_by_truck_mp_or_any_hq():
    state = play({HQ: ROAD[11], "j/inf/1-215-33": ROAD[39]}, "allied", dumps={ROAD[0]: 2})
    assert [w.text for w in ways_at(state, "allied", ROAD[10], 1, "refit")] == [
        label(ROAD[0]),
        f"{label(ROAD[0])} by 4 Corps HQ",
    ]
    assert [w.hq for w in ways_at(state, "allied", ROAD[30], 1, "refit")] == [HQ]
    assert ways_at(state, "japanese", ROAD[10], 1, "refit") == ()


# how it is written ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["auto", "stocks", "A7.09", "A7.09 by 4 Corps HQ", "silchar", "A7.09 and A6.10 by 33 Div HQ"]
)
def test_payments_are_read_as_they_are_written(text):
    import re

    assert re.fullmatch(PAYMENT.pattern, text)
    assert len(sources_of(text)) == (0 if text in ("auto", "stocks") else 1 + text.count(" and "))


def test_reasons_say_what_cannot_pay_and_what_could():
    state = play({BRIGADE: ROAD[5]}, "allied", dumps={ROAD[4]: 1})
    assert [r.code for r in payment_reasons(state, [BRIGADE], 2, "fuel")] == ["cannot-pay"]
    (reason,) = payment_reasons(state, [BRIGADE], 1, "fuel", "A1.01")
    assert label(ROAD[4]) in GAME.say(reason)
    assert not list(payment_reasons(state, [BRIGADE], 1, "fuel", label(ROAD[4])))
    with pytest.raises(BurmaStudyError, match="beer"):
        ways_to_pay(state, [BRIGADE], 1, "beer")
