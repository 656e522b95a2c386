"""Attrition by table and group, and forage (OCS 12.8; Burma 1.6, 3.6c)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from movement_field import CENTRE, GRID, N, made
from moving_field import Loaded, codes, give, play

from burma_study.rules.ocs.charts import charts_for
from burma_study.rules.ocs.combat.attack import DECIMATED
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.state import Piece, Transport
from burma_study.rules.ocs.supply.forage import (
    GALAHAD,
    attrition_drm,
    attrition_loss,
    attrition_rating,
    forager,
    groups,
)

CHART = charts_for().attrition
BATTALION, THIRD, GUNS, INA, GARRISON = "j/inf/2-215-33", "j/inf/3-215-33", "j/art/3-33-33", "j/inf/1-INA", "j/gar/1"
BRIGADE, COLUMN, OTHER_COLUMN, MARAUDERS = "a/inf/63-17", "a/col/A-77-3", "a/col/B-77-3", "a/inf/1-Gal"
ENGINEERS = "a/eng/823_Eng"
AWAY = GRID.at(30, 20)


@pytest.fixture(autouse=True)
def track(ground):
    """Jungle with a track through CENTRE's row."""
    ground(made(routes=[("track", [CENTRE, GRID.neighbours[CENTRE][1]])], rest="jungle"))


def phase(units, side="japanese", **rest):
    markers = {"stops": "all", **rest.pop("markers", {})}
    return play(units, side, "supply", markers=markers, **rest)


def ended(state, *dice):
    return give(state, "done", dice=Loaded(*dice))


# the table ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ar", "rows"),
    [
        (5, {8: 0, 9: 1, 10: 1, 11: 2, 12: 4, 13: 9, 15: 9}),
        (4, {7: 0, 8: 1, 9: 1, 10: 2, 11: 4, 12: 9}),
        (3, {5: 0, 6: 1, 7: 1, 8: 2, 9: 2, 10: 4, 11: 4, 12: 9}),
        (2, {3: 0, 4: 1, 5: 1, 6: 2, 7: 2, 8: 4, 9: 4, 10: 9}),
        (1, {2: 0, 3: 1, 4: 1, 5: 2, 6: 2, 7: 4, 8: 4, 9: 9}),
        (0, {2: 1, 3: 1, 4: 2, 5: 2, 6: 4, 7: 4, 8: 9}),
    ],
)
def test_series_12_8b_attrition_table(ar, rows):
    """Steps lost of nine; 9 is all of them."""
    for roll, loss in rows.items():
        assert attrition_loss(CHART, ar, roll, 9) == loss
        assert attrition_loss(CHART, ar, roll, 1) == min(loss, 1)


@pytest.mark.rule("ocs/1.6-groups")
@pytest.mark.parametrize(("ar", "steps", "ways"), [(5, 4, 26), (4, 4, 21), (5, 5, 10), (4, 5, 6), (0, 1, 0)])
def test_burma_1_6_the_forage_cliff(ar, steps, ways):
    """Chance of no loss in 36ths: with five steps 3 is added, so it pays to split a stack."""
    pieces = [Piece(BATTALION, CENTRE, steps=steps)]
    rolls = (sum(dice) + attrition_drm(pieces) for dice in product(range(1, 7), repeat=2))
    none = sum(attrition_loss(CHART, ar, roll, steps) == 0 for roll in rolls)
    assert Fraction(none, 36) == Fraction(ways, 36)


def test_series_12_8b_best_rating_counts_dg_does_not_lower_it_strat_is_0():
    assert attrition_rating([Piece(BATTALION, N, dg=True), Piece(INA, N)]) == 4
    assert attrition_rating([Piece(BATTALION, N, "strat", "move")]) == 0
    assert attrition_rating([]) == 0


# who forages ----------------------------------------------------------------------------------------------------------


def test_burma_1_6_japanese_and_chindits_forage_and_nobody_else():
    found = {
        u: forager(phase({u: CENTRE}), Piece(u, CENTRE)) for u in (BATTALION, GUNS, GARRISON, INA, BRIGADE, COLUMN)
    }
    assert found == {
        BATTALION: "japanese",
        GUNS: "japanese",
        GARRISON: "japanese",
        INA: "",
        BRIGADE: "",
        COLUMN: "chindit",
    }
    assert forager(phase({ENGINEERS: CENTRE}), Piece(ENGINEERS, CENTRE)) == ""


@pytest.mark.rule("ocs/1.6-where")
def test_burma_1_6_only_on_or_beside_a_road_or_track_with_a_leg_ma_showing_and_in_order():
    state = phase({})
    for piece, forages in [
        (Piece(BATTALION, CENTRE), True),
        (Piece(BATTALION, N), True),
        (Piece(BATTALION, AWAY), False),
        (Piece(BATTALION, CENTRE, dg=True), False),
        (Piece(BATTALION, CENTRE, "strat", "move"), False),
        (Piece(BATTALION, CENTRE, "move", "move"), True),
        (Piece("j/hq/15_Army", CENTRE, "move", "move"), False),
        (Piece("j/hq/33_Div", CENTRE), False),
        (Piece("j/hq/33_Div", CENTRE, "move", "move"), True),
    ]:
        assert (forager(state, piece) == "japanese") == forages, piece


@pytest.mark.rule("ocs/1.6-galahad")
def test_burma_1_6_galahad_forages_only_by_the_option():
    piece = Piece(MARAUDERS, CENTRE)
    assert forager(phase({}), piece) == ""
    assert forager(phase({}, markers={GALAHAD: True}), piece) == "chindit"


@pytest.mark.rule("ocs/1.6-groups")
def test_burma_1_6_groups_of_a_hex_roll_apart():
    units = {BATTALION: CENTRE, GUNS: Piece(GUNS, CENTRE, dg=True), INA: CENTRE, THIRD: Piece(THIRD, CENTRE, oos=True)}
    state = phase({**units, GARRISON: AWAY})
    assert groups(state, [*units, GARRISON]) == (
        (CENTRE, "", False, (GUNS, INA)),
        (CENTRE, "japanese", False, (BATTALION,)),
        (CENTRE, "japanese", True, (THIRD,)),
        (AWAY, "", False, (GARRISON,)),
    )


# effects --------------------------------------------------------------------------------------------------------------


def alone(unit, side, oos, *dice, **rest):
    return ended(phase({unit: Piece(unit, CENTRE, oos=oos)}, side, **rest), *dice)


@pytest.mark.rule("ocs/1.6-table")
@pytest.mark.parametrize(
    ("unit", "side", "was", "now"),
    [
        (BATTALION, "japanese", False, False),
        (BATTALION, "japanese", True, False),
        (COLUMN, "allied", False, False),
        (COLUMN, "allied", True, True),
    ],
)
def test_burma_1_6_table_without_a_loss(unit, side, was, now):
    """AR 4 on a 7: the Japanese lose a marker they had, a Chindit keeps it."""
    piece = alone(unit, side, was, 3, 4).pieces[unit]
    assert (piece.at, piece.oos) == (CENTRE, now)


@pytest.mark.rule("ocs/1.6-table")
@pytest.mark.parametrize(("unit", "side"), [(BATTALION, "japanese"), (COLUMN, "allied")])
def test_burma_1_6_table_an_unmarked_loss_is_a_marker_or_the_step(unit, side):
    asked = alone(unit, side, False, 4, 4)
    assert (GAME.decision(asked).actor, GAME.decision(asked).kinds) == (side, ("forage",))
    marked = give(asked, "forage mark").pieces[unit]
    assert (marked.at, marked.oos) == (CENTRE, True)
    assert not isinstance(give(asked, "forage lose").pieces[unit].at, int)


@pytest.mark.rule("ocs/1.6-table")
@pytest.mark.parametrize(("unit", "side"), [(BATTALION, "japanese"), (COLUMN, "allied")])
def test_burma_1_6_table_a_marked_unit_loses_the_step(unit, side):
    after = alone(unit, side, True, 4, 4)
    assert not isinstance(after.pieces[unit].at, int)
    assert not after.frames


def test_burma_1_6_ina_of_rating_0_always_loses_and_is_marked():
    after = ended(phase({INA: CENTRE}), 1, 1)
    assert after.pieces[INA].at == "dead"
    away = ended(phase({BATTALION: AWAY}), 1, 1)
    assert (away.pieces[BATTALION].at, away.pieces[BATTALION].oos) == (AWAY, True)


def test_owner_picks_who_loses_a_step():
    """Two units off the track, AR 4 on an 8: one step; the owner names it."""
    asked = ended(phase({BATTALION: AWAY, GUNS: AWAY}), 4, 4)
    assert GAME.decision(asked).kinds == ("starve",)
    assert codes(asked, "forage mark") == ["decision-open"]
    assert codes(asked, f"starve {INA}") == ["not-starving"]
    after = give(asked, f"starve {GUNS}")
    assert (after.pieces[GUNS].at, after.pieces[BATTALION].at) == ("dead", AWAY)
    assert after.pieces[BATTALION].oos


def test_a_marked_group_that_loses_as_many_as_it_has_is_not_asked():
    units = {u: Piece(u, CENTRE, oos=True) for u in (BATTALION, THIRD)}
    after = ended(phase(units), 5, 5)
    assert {after.pieces[u].at for u in units} == {"dead_bn"}


def test_groups_are_rolled_one_after_another():
    after = ended(phase({BATTALION: CENTRE, INA: CENTRE, GUNS: AWAY}), 6, 5, 1, 1, 1, 1)
    assert after.pieces[INA].at == "dead"
    assert (after.pieces[BATTALION].oos, after.pieces[GUNS].oos) == (False, True)


def test_burma_3_6c_decimated_chindits_without_supply_are_eliminated():
    units = {COLUMN: CENTRE, OTHER_COLUMN: Piece(OTHER_COLUMN, "silchar"), BRIGADE: CENTRE}
    after = ended(phase(units, "allied", markers={DECIMATED: True}), 1, 1)
    assert (after.pieces[COLUMN].at, after.pieces[OTHER_COLUMN].at) == ("gone", "silchar")
    assert after.pieces[BRIGADE].oos
    assert forager(after, Piece(COLUMN, CENTRE)) == ""


def test_eating_lets_the_rest_of_a_stack_roll_under_five_steps():
    """Five steps add 3 to a 7, which costs a step; when one of them eats, four roll a plain 7, which costs none."""
    units = [BATTALION, THIRD, "j/inf/1-215-33", "j/inf/1-214-33", "j/inf/2-214-33"]
    state = phase(dict.fromkeys(units, CENTRE))
    assert GAME.decision(ended(state, 3, 4)).kinds == ("forage",)
    herd = Transport("b", "japanese", "buffalo", 1, CENTRE, 1)
    after = ended(give(state.put("transport", "b", herd), f"eat {BATTALION} from auto"), 3, 4)
    assert not after.frames
    assert not any(p.oos for p in after.pieces.values())
