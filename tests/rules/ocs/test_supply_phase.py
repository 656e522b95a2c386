"""The Supply Phase: refills, traces, eating, markers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from movement_field import CENTRE, GRID, made
from moving_field import Loaded, codes, give, play, words

from burma_study.engine.game import Partial
from burma_study.rules.ocs.counters import counters
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.state import Piece, TraceSource, Transport
from burma_study.rules.ocs.supply.phase import hungry, meal_cost, refill_cost

ROAD = [GRID.at(c, 30) for c in range(5, 45)]
BRIGADE, OTHER, BATTALION = "a/inf/63-17", "a/inf/48-17", "a/inf/7-10_Ba-17"
JAPANESE = [f"j/inf/{n}-{r}-33" for r in (213, 214, 215) for n in (1, 2, 3)]
MORE = [*JAPANESE, "j/art/3-33-33", "j/inf/33_Eng-33"]
SOURCE = {"sources": (TraceSource("allied", ROAD[0], "point"),), "stops": "all"}
HERE, FAR = ROAD[5], ROAD[30]


@pytest.fixture(autouse=True)
def road(ground):
    """One all-weather road through jungle."""
    ground(made(routes=[("all_weather", ROAD)], rest="jungle"))


def phase(units, side="allied", dumps=None, **rest):
    rest.setdefault("markers", SOURCE)
    return play(units, side, "supply", dumps, **rest)


def low(unit, at, stocks=1, **marks):
    return Piece(unit, at, stocks=stocks, **marks)


# internal stocks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("unit", "tokens"), [(BATTALION, 1), (BRIGADE, 2), ("a/hq/4_Corps", 2)])
def test_burma_1_9_battalions_refill_for_1t_and_others_for_2t_a_use(unit, tokens):
    state = phase({unit: low(unit, HERE)})
    assert refill_cost(state, state.pieces[unit]) == tokens
    assert refill_cost(state, state.pieces[unit], 2) == 2 * tokens


@pytest.mark.parametrize(("option", "tokens"), [(True, 2), (False, 1)])
def test_burma_opt_4_refills_by_unit_or_re_whichever_is_more(option, tokens):
    """A section of 1/4 RE pays for a unit by the option, else half a token rounded up."""
    section = next(c.id for c in counters().values() if c.size == "section")
    state = phase({section: low(section, HERE)})
    if not option:
        options = tuple(o for o in state.rules.options if o != "opt4")
        state = state.with_(rules=replace(state.rules, options=options))
    assert refill_cost(state, state.pieces[section]) == tokens


def test_series_12_10e_refill_is_forced_when_the_phase_ends():
    state = phase({BRIGADE: low(BRIGADE, HERE, 0), BATTALION: low(BATTALION, HERE)}, dumps={HERE: 8})
    after = give(state, "done")
    assert (after.pieces[BRIGADE].stocks, after.pieces[BATTALION].stocks) == (2, 2)
    assert after.dumps[HERE].tokens == 8 - 4 - 1


@pytest.mark.parametrize(
    ("unit", "stocks", "tokens", "refilled", "left"),
    [
        (BRIGADE, 0, 3, 1, 0),
        (BRIGADE, 0, 1, 0, 0),
        (BRIGADE, 1, 1, 1, 0),
        (BRIGADE, 1, 3, 2, 1),
        (BATTALION, 0, 1, 1, 0),
        (BATTALION, 0, 3, 2, 1),
    ],
)
@pytest.mark.rule("ocs-series/12.10e", "ocs/1.9")
def test_series_12_10e_what_is_in_reach_is_spent_though_it_makes_up_no_level(unit, stocks, tokens, refilled, left):
    """A brigade's level takes 2T, a battalion's 1T: a single token that helps nobody is wasted."""
    after = give(phase({unit: low(unit, HERE, stocks)}, dumps={HERE: tokens}), "done")
    dump = after.dumps.get(HERE)
    assert (after.pieces[unit].stocks, dump.tokens if dump else 0) == (refilled, left)


def test_series_12_10e_no_token_is_wasted_while_another_store_refills_a_level():
    state = phase({BRIGADE: low(BRIGADE, HERE)}, dumps={HERE: 1, ROAD[7]: 4})
    assert codes(state, f"refill {BRIGADE} from {GRID.label(HERE)}") == ["no-such-payment"]
    after = give(state, "done")
    assert (after.dumps[HERE].tokens, after.dumps[ROAD[7]].tokens) == (1, 2)


def test_a_refill_from_a_chosen_store():
    state = phase({BRIGADE: low(BRIGADE, HERE)}, dumps={HERE: 8, ROAD[7]: 4})
    after = give(state, f"refill {BRIGADE} from {GRID.label(ROAD[7])}")
    assert (after.pieces[BRIGADE].stocks, after.dumps[ROAD[7]].tokens) == (2, 2)
    assert codes(after, f"refill {BRIGADE} from auto") == ["stocks-full"]
    assert codes(state, f"refill {BRIGADE} from {GRID.label(FAR)}") == ["no-such-payment"]


def test_nothing_is_refilled_out_of_reach():
    state = phase({BRIGADE: low(BRIGADE, HERE)}, dumps={FAR: 8})
    assert codes(state, f"refill {BRIGADE} from auto") == ["cannot-pay"]
    assert give(state, "done").pieces[BRIGADE].stocks == 1


# traces and markers ---------------------------------------------------------------------------------------------------


def test_series_12_6_the_marker_goes_with_a_trace_and_the_enemy_is_not_looked_at():
    enemy = JAPANESE[0]
    state = phase({BRIGADE: Piece(BRIGADE, HERE, oos=True), enemy: Piece(enemy, FAR)})
    after = give(state, "done")
    assert not after.pieces[BRIGADE].oos
    assert not after.pieces[enemy].oos


def test_series_12_8_out_of_supply_is_marked_and_loses_steps():
    after = give(phase({BRIGADE: FAR, BATTALION: FAR}), "done", dice=Loaded(2, 2))
    assert (after.pieces[BRIGADE].oos, after.pieces[BATTALION].oos) == (True, True)
    lost = give(phase({BRIGADE: FAR}), "done", dice=Loaded(4, 4))
    assert lost.pieces[BRIGADE] == Piece(BRIGADE, "dead")


def test_burma_3_4_units_in_a_box_are_always_supplied():
    assert not give(phase({BRIGADE: Piece(BRIGADE, "silchar", oos=True)}), "done").pieces[BRIGADE].oos


# eating ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "tokens"), [(1, 1), (9, 1), (10, 1), (11, 2)])
@pytest.mark.rule("ocs/2.5")
def test_burma_2_5a_ten_japanese_counters_eat_1t(number, tokens):
    units = MORE[:number]
    state = phase(dict.fromkeys(units, FAR), "japanese")
    assert meal_cost(state, "japanese", units) == tokens


@pytest.mark.parametrize(
    ("units", "tokens"), [([BATTALION], 1), ([BRIGADE, OTHER], 1), ([BRIGADE, OTHER, BATTALION], 2)]
)
def test_series_12_6c_two_re_eat_1t(units, tokens):
    assert meal_cost(phase(dict.fromkeys(units, FAR)), "allied", units) == tokens


def test_eating_keeps_off_marker_and_attrition_and_shares_tokens_by_store():
    state = phase({BRIGADE: FAR, OTHER: FAR, BATTALION: Piece(BATTALION, FAR, oos=True)}, dumps={FAR: 5})
    label = GRID.label(FAR)
    one = give(state, f"eat {BRIGADE} from {label}")
    two = give(one, f"eat {OTHER} from {label}")
    three = give(two, f"eat {BATTALION} from {label}")
    assert [s.dumps[FAR].tokens for s in (one, two, three)] == [4, 4, 3]
    assert hungry(three) == []
    after = give(three, "done", dice=Loaded())
    assert not any(p.oos for p in after.pieces.values())
    assert "meals" not in after.markers


@pytest.mark.rule("ocs-series/12.6c")
def test_eat_all_goes_by_hex_and_id_until_the_tokens_are_gone():
    state = phase({BRIGADE: FAR, OTHER: FAR, "a/inf/80-20": FAR}, dumps={FAR: 1})
    after = give(state, "eat all")
    assert hungry(after) == ["a/inf/80-20"]
    assert FAR not in after.dumps
    assert codes(after, "eat all") == ["nobody-eats"]


def test_nobody_has_to_eat():
    after = give(phase({BRIGADE: FAR}, dumps={FAR: 4}), "done", dice=Loaded(1, 1))
    assert (after.pieces[BRIGADE].oos, after.dumps[FAR].tokens) == (True, 4)


def test_series_12_8_strategic_mode_does_not_eat():
    state = phase({BRIGADE: Piece(BRIGADE, FAR, "strat", "move")}, dumps={FAR: 4})
    assert codes(state, f"eat {BRIGADE} from auto") == ["strat-eats"]
    assert "nobody-eats" in codes(state, "eat all")


def test_refills_come_before_meals():
    state = phase({BRIGADE: low(BRIGADE, FAR)}, dumps={FAR: 4})
    assert codes(state, f"eat {BRIGADE} from auto") == ["refill-first"]
    assert BRIGADE in words(state, f"eat {BRIGADE} from auto")
    after = give(state, f"refill {BRIGADE} from auto", f"eat {BRIGADE} from auto")
    assert after.dumps[FAR].tokens == 1


def test_units_that_trace_or_belong_to_the_other_side_do_not_eat():
    state = phase({BRIGADE: HERE, JAPANESE[0]: FAR}, dumps={HERE: 4})
    assert codes(state, f"eat {BRIGADE} from auto") == ["not-hungry"]
    assert codes(state, f"eat {JAPANESE[0]} from auto") == ["not-phasing"]
    assert codes(state, "eat nobody from auto") == ["not-in-play"]


def test_burma_2_5d_buffaloes_are_eaten():
    state = phase({JAPANESE[0]: CENTRE}, "japanese")
    state = state.put("transport", "b", Transport("b", "japanese", "buffalo", 2, CENTRE, 2))
    after = give(state, f"eat {JAPANESE[0]} from auto")
    assert after.transport["b"].size == after.transport["b"].load == 1


def test_options_offer_what_can_be_eaten():
    state = phase({BRIGADE: FAR}, dumps={FAR: 4})
    units = GAME.options(state, Partial("eat"))
    assert [c.value for c in units.choices] == [BRIGADE]
    stores = GAME.options(state, units.take(BRIGADE))
    assert [(c.value, c.cost) for c in stores.choices] == [(GRID.label(FAR), 1)]
    assert GAME.options(state, stores.take(GRID.label(FAR))).complete is not None
