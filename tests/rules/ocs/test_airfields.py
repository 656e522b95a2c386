"""Air bases that are repaired (1999) or built level by level (v4.3)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from movement_field import CENTRE, GRID, N, made
from moving_field import Loaded, codes, give, outcome, play

from burma_study.engine.game import Partial
from burma_study.engine.step import Step
from burma_study.rules.ocs.combat.strikes import strike_base
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.goods.airfields import former_level
from burma_study.rules.ocs.state import Base, Piece

BRIGADE, BATTALION, SECOND, HQ = "a/inf/63-17", "a/inf/7-10_Ba-17", "a/inf/1_Wy-17", "a/hq/4_Corps"
JAPANESE, DIVISION, ARMY = "j/inf/2-215-33", "j/hq/33_Div", "j/hq/15_Army"
HERE = GRID.label(CENTRE)


@pytest.fixture(autouse=True)
def open_ground(ground):
    """Open ground everywhere."""
    ground(made())


def field(units, level=2, side="allied", version="1999", tokens=12):
    state = play(units, side, "movement", {CENTRE: tokens} if tokens else None, version)
    return state.put("bases", CENTRE, Base(side, level)) if level is not None else state


def bombed(state, *dice):
    """81 points are the last column: a 6 takes two levels, a 2 takes one."""
    step = Step(state, Loaded(*dice), GAME.clock)
    strike_base(step, CENTRE, Fraction(81), ())
    return step.state


def damaged(units, side="allied", **rest):
    return bombed(field(units, 3, side, **rest), 6)


def order(levels, *units):
    return f"raise base at {HERE} by {levels} levels with {', '.join(units)}"


@pytest.mark.rule("ocs-series/15-repair", "ocs-series/10.0c")
def test_series_15_a_repair_costs_2t_a_level_up_to_the_level_that_was_lost():
    state = damaged({BRIGADE: CENTRE})
    assert (state.bases[CENTRE].level, former_level(state, CENTRE)) == (1, 3)
    found = outcome(state, order(2, BRIGADE))
    assert (found.state.bases[CENTRE], found.state.dumps[CENTRE].tokens) == (Base("allied", 3), 8)
    assert found.state.pieces[BRIGADE].done
    assert not found.rolls
    assert "ocs-series/15-repair" in found.rules
    assert former_level(found.state, CENTRE) == 0
    assert codes(state, order(3, BRIGADE)) == ["no-levels"]


def test_series_15_part_of_the_damage_leaves_the_rest_to_others():
    state = give(damaged({BRIGADE: CENTRE, BATTALION: CENTRE, SECOND: CENTRE}), order(1, BRIGADE))
    assert (state.bases[CENTRE].level, former_level(state, CENTRE)) == (2, 3)
    assert codes(state, order(1, BRIGADE)) == ["not-rested"]
    assert give(state, order(1, BATTALION, SECOND)).bases[CENTRE].level == 3
    again = bombed(state, 2)
    assert (again.bases[CENTRE].level, former_level(again, CENTRE)) == (1, 3), "the highest level counts"


@pytest.mark.rule("ocs-series/15-repair", "ocs/2.4a", "ocs/2.9")
@pytest.mark.parametrize(
    ("units", "side", "found"),
    [
        ([BATTALION], "allied", ["no-base-repairers"]),
        ([BATTALION, SECOND], "allied", []),
        ([HQ], "allied", []),
        ([DIVISION], "japanese", ["no-base-repairers"]),
        ([ARMY], "japanese", []),
        ([JAPANESE, "j/inf/3-215-33"], "japanese", []),
    ],
)
def test_series_15_one_re_repairs(units, side, found):
    assert codes(damaged(dict.fromkeys(units, CENTRE), side), order(1, *units)) == found


def test_series_15_who_repairs_stands_there_rested_and_can_pay():
    assert codes(damaged({BRIGADE: N}), order(1, BRIGADE)) == ["not-there"]
    assert codes(damaged({BRIGADE: Piece(BRIGADE, CENTRE, spent=12)}), order(1, BRIGADE)) == ["not-rested"]
    assert codes(damaged({BRIGADE: CENTRE}, tokens=1), order(1, BRIGADE)) == ["cannot-pay"]
    assert codes(damaged({BRIGADE: CENTRE}), order(1, JAPANESE)) == ["not-in-play"]
    taken = damaged({BRIGADE: CENTRE}).put("bases", CENTRE, Base("japanese", 1))
    assert codes(taken, order(1, BRIGADE)) == ["no-levels"]


@pytest.mark.rule("ocs-series/15-repair")
def test_series_15_in_1999_only_what_was_damaged_is_repaired_and_offered():
    whole = field({BRIGADE: CENTRE})
    assert "raise" not in GAME.decision(whole).kinds
    assert codes(whole.put("markers", "damaged_bases", ((N, 2),)), order(1, BRIGADE)) == ["no-levels"]
    hurt = damaged({BRIGADE: CENTRE})
    assert "raise" in GAME.decision(hurt).kinds


@pytest.mark.rule("ocs-series/15")
def test_series_15_in_v43_a_level_a_turn_for_1_sp_from_nothing_to_three():
    state = field({HQ: CENTRE}, None, version="v4.3")
    once = give(state, order(1, HQ))
    assert (once.bases[CENTRE], once.dumps[CENTRE].tokens) == (Base("allied", 1), 8)
    rested = once.place(replace(once.pieces[HQ], done=False))
    assert codes(rested, order(1, HQ)) == ["no-levels"]
    twice = give(rested.with_(turn=2), order(1, HQ))
    thrice = give(twice.place(rested.pieces[HQ]).with_(turn=3), order(1, HQ))
    assert (thrice.bases[CENTRE].level, CENTRE in thrice.dumps) == (3, False)
    full = field({HQ: CENTRE}, 3, version="v4.3")
    assert codes(full, order(1, HQ)) == ["no-levels"]
    assert codes(state, order(2, HQ))[0] == "no-levels"


@pytest.mark.rule("ocs-series/15", "ocs/2.4a")
@pytest.mark.parametrize(
    ("unit", "side", "found"),
    [
        (BRIGADE, "allied", ["no-base-repairers"]),
        (DIVISION, "japanese", ["no-base-repairers"]),
        (ARMY, "japanese", []),
    ],
)
def test_series_15_in_v43_engineers_build(unit, side, found):
    assert codes(field({unit: CENTRE}, 1, side, version="v4.3"), order(1, unit)) == found
    assert codes(field({HQ: CENTRE}, 0, version="v4.3"), order(1, HQ)) == ["no-levels"], "a strip has its own upgrade"


def test_options_lead_to_a_repair():
    at = GAME.options(damaged({BRIGADE: CENTRE}), Partial("raise"))
    assert [c.value for c in at.choices] == [CENTRE]
    state = damaged({BRIGADE: CENTRE})
    levels = GAME.options(state, at.take(CENTRE))
    assert [c.value for c in levels.choices] == [1, 2]
    units = GAME.options(state, levels.take(2))
    assert [c.value for c in units.choices] == [BRIGADE]
    done = GAME.options(state, units.take(BRIGADE))
    assert done.complete is not None
    assert GAME.parse(done.complete.text) == done.complete
