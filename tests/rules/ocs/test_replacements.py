"""Replacements of both sides, Marauders, decimation (Burma 2.3, 3.3, 3.4c, 3.6c, Opt.3k)."""

from dataclasses import replace

import pytest
from dice import ONES, Dice, at_once, begun, where

from burma_study.rules.ocs.air.aircraft import protected_at
from burma_study.rules.ocs.charts import charts_for
from burma_study.rules.ocs.counters import counter
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup.starting import start
from burma_study.rules.ocs.state import Aircraft, Rules
from burma_study.rules.ocs.turn.arrivals import due
from burma_study.rules.ocs.turn.replacements import (
    Cost,
    decimated,
    first_decimation,
    rebuild_cost,
    rebuildable,
    return_places,
    variable,
)

CHARTS = charts_for()


def codes(state, order):
    return [r.code for r in GAME.check(state, GAME.parse(order))]


def dead(state, *units, at=""):
    for unit in units:
        pile = at or ("dead_bn" if unit.startswith("j/inf") else "dead")
        known = state.pieces.get(unit)
        piece = replace(known, at=pile) if known else replace(next(iter(state.pieces.values())), id=unit, at=pile)
        state = state.place(piece)
    return state


def rolled(state, side, **dice):
    return begun(state, "reinforcement", side, supply=ONES, **dice)


@pytest.mark.rule("ocs/table.variable")
def test_the_variable_reinforcement_table():
    japanese = [variable(CHARTS, "japanese", r) for r in range(2, 14)]
    assert japanese[:4] == [()] * 4
    assert japanese[4:6] == [("half_bn",)] * 2
    assert japanese[6:8] == [("bn",)] * 2
    assert japanese[8:] == [("bn", "bn"), ("other",), ("other", "bn"), ("other", "bn")]
    allied = [variable(CHARTS, "allied", r) for r in range(2, 13)]
    assert allied[:6] == [()] * 6
    assert allied[6:] == [("silchar",), ("ledo",), ("silchar", "eq"), ("ledo", "eq"), ("silchar", "ledo", "eq")]


# Japanese -------------------------------------------------------------------------------------------------------------

FALLEN = ("j/inf/1-58-31", "j/inf/1-214-33", "j/inf/1-60-15")


@pytest.mark.rule("ocs/2.3", "ocs/2.3-where")
def test_burma_2_3_a_battalion_is_drawn_at_random_and_comes_back_with_its_division():
    state = dead(start("ocs/u-go"), *FALLEN)
    roller = Dice(supply=ONES, replacement=[(4, 4)], arrivals=[(3,)])
    state = state.put("markers", "stops", "all").with_(phase="refit", player="japanese")
    after = GAME.apply(state, GAME.parse("done"), roller).state
    assert after.pieces["j/inf/1-60-15"].at == after.pieces["j/hq/15_Div"].at  # second by id is 33's, third 58's
    assert ("arrivals", (3,), 3) in roller.asked
    assert after.pieces["j/inf/1-58-31"].at == "dead_bn"


@pytest.mark.rule("ocs/2.3")
@pytest.mark.parametrize(("die", "back"), [(3, 0), (4, 1)])
def test_burma_2_3_half_a_battalion_needs_a_four(die, back):
    state = dead(start("ocs/campaign-2"), *FALLEN)
    drawn = {"arrivals": ONES} if back else {}
    after = rolled(state, "japanese", replacement=[(3, 4), (die,)], **drawn)
    assert sum(after.pieces[u].at != "dead_bn" for u in FALLEN) == back


@pytest.mark.rule("ocs/u-go.sr5", "ocs/sato.sr5", "ocs/imphal.sr5")
def test_u_go_takes_a_six_or_seven_as_none():
    state = dead(start("ocs/u-go"), *FALLEN)
    after = rolled(state, "japanese", replacement=[(3, 4)])
    assert all(after.pieces[u].at == "dead_bn" for u in FALLEN)


@pytest.mark.rule("ocs/2.3")
def test_burma_2_3_an_empty_pile_gives_nothing():
    state = start("ocs/u-go")
    assert rolled(state, "japanese", replacement=[(5, 5)]).pieces == state.pieces


@pytest.mark.rule("ocs/2.3-where", "ocs/2.1")
def test_burma_2_3_where_units_come_back_without_their_division():
    state = start("ocs/campaign-2")
    unit = counter("j/inf/1-58-31")
    assert return_places(state, unit) == (state.pieces["j/hq/31_Div"].at,)
    state = dead(state, "j/hq/31_Div")
    army = state.pieces["j/hq/15_Army"].at
    assert army in return_places(state, unit)
    state = dead(state, "j/hq/15_Army", "j/hq/18_Div")
    assert return_places(state, unit) == (where("B39.02"), where("B39.03"))
    bhamo = return_places(state, counter("j/inf/1-55-18"))
    assert bhamo[0] == where("A56.01")
    assert where("B62.29") in bhamo, "as arrivals for Bhamo, by the east edge of map B too (2.1)"


@pytest.mark.rule("ocs/2.3-where", "ocs/2.7a")
def test_burma_2_7a_the_ina_comes_back_only_where_it_may_be():
    """West of or beside the Chindwin: in U-Go at Kalewa, in the campaigns not at Mandalay, so nowhere."""
    ina, state = counter("j/inf/1-INA"), start("ocs/u-go")
    east = {where("B33.30"), where("B33.18")}
    assert east & set(return_places(state, counter("j/tank/1-14")))
    assert where("B12.21") in return_places(state, ina)
    assert not east & set(return_places(state, ina))
    assert return_places(start("ocs/campaign-2"), ina) == ()


@pytest.mark.rule("ocs/2.3")
def test_burma_2_3_other_may_make_up_a_reduced_air_unit():
    state = dead(start("ocs/campaign-2"), "j/art/1-33-33")
    bomber = next(a for a in state.aircraft.values() if a.type == "mixed-bomber")
    assert bomber.steps == 1
    asked = rolled(state, "japanese", replacement=[(5, 6)])
    assert (GAME.decision(asked).actor, GAME.decision(asked).kinds) == ("japanese", ("other",))
    assert codes(asked, "other a/c-47/1") == ["no-such-use"]
    made_up = at_once(asked, f"other {bomber.id}")
    assert (made_up.aircraft[bomber.id].steps, made_up.pieces["j/art/1-33-33"].at) == (2, "dead")
    drawn = at_once(asked, "other draw", arrivals=[(2,)])
    assert (drawn.aircraft[bomber.id].steps, drawn.pieces["j/art/1-33-33"].at) == (1, "dead")  # 12 Eng, 1-33-33, ...


@pytest.mark.rule("ocs/2.3")
def test_burma_2_3_an_air_unit_of_the_other_pile_comes_to_a_base_reduced():
    state = start("ocs/campaign-2")
    for piece in list(state.units("japanese")):
        if piece.at == "dead":
            state = state.put("pieces", piece.id, None)
    asked = rolled(state, "japanese", replacement=[(5, 6)])
    after = at_once(asked, "other draw")
    (entry,) = due(after, "japanese")
    there = at_once(after, f"arrive {entry.unit} at B42.34")
    air = there.aircraft[entry.unit]
    assert (air.type, air.at, air.steps, air.active) == ("mixed-fighter", where("B42.34"), 1, False)


# Allied ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/3.4c", "ocs/u-go.sr5")
@pytest.mark.rule("ocs/3.3")
def test_burma_3_4c_pax_go_to_their_box_and_the_player_places_each_eq():
    state = start("ocs/campaign-2")
    asked = rolled(state, "allied", replacement=[(6, 6)])
    assert GAME.decision(asked).kinds == ("equipment",)
    after = at_once(asked, "equipment to ledo")
    found = {k: after.markers.get(k) for k in ("pax/silchar", "pax/ledo", "eq/silchar", "eq/ledo")}
    assert found == {"pax/silchar": 1, "pax/ledo": 1, "eq/silchar": None, "eq/ledo": 1}
    u_go = rolled(start("ocs/u-go"), "allied", replacement=[(6, 6)])
    assert codes(u_go, "equipment to ledo") == ["no-such-use"]
    assert "pax/ledo" not in at_once(u_go, "equipment to silchar").markers


@pytest.mark.rule("ocs/marauders.sr5", "ocs/learning.sr5", "ocs/thursday.sr5")
def test_which_scenarios_bring_which_replacements():
    marauders = rolled(start("ocs/marauders"), "allied", replacement=[(6, 6)])
    assert (marauders.markers.get("pax/ledo"), GAME.decision(marauders).frame) == (1, None)
    for name in ("ocs/learning", "ocs/thursday"):
        assert begun(start(name), "reinforcement", "allied")  # without any roll


@pytest.mark.rule("ocs/opt.3k")
def test_burma_opt_3k_an_eq_makes_up_or_returns_an_air_unit_at_the_moment_of_the_roll():
    state = start("ocs/u-go")
    hurricane, spitfire = "a/hurricane/1", "a/spitfire-v/1"
    state = state.put("aircraft", hurricane, replace(state.aircraft[hurricane], steps=1))
    state = state.put("aircraft", spitfire, Aircraft(spitfire, "allied", "spitfire-v", "dead", 1, active=False))
    asked = rolled(state, "allied", replacement=[(5, 5)])
    assert at_once(asked, f"equipment to {hurricane}").aircraft[hurricane].steps == 2
    there = at_once(at_once(asked, f"equipment to {spitfire}"), f"arrive {spitfire} at A6.10")
    back = there.aircraft[spitfire]
    assert (back.at, back.steps, back.active) == (where("A6.10"), 1, False)
    assert protected_at(there, where("A6.10")) == (spitfire,), "a protected place is free (Opt.3j)"
    plain = asked.with_(rules=Rules(options=("opt4",)))
    assert codes(plain, f"equipment to {hurricane}") == ["no-such-use"]


@pytest.mark.rule("ocs/table.replacement-cost", "ocs/3.3a", "ocs/1.10")
@pytest.mark.parametrize(
    ("unit", "cost"),
    [
        ("a/inf/48-17", Cost(2, 0)),
        ("a/inf/112-38", Cost(2, 0)),
        ("a/inf/1_Wy-17", Cost(1, 0)),
        ("a/mg/9_Ja_MG", Cost(1, 0)),
        ("a/tank/7_Cav", Cost(0, 1)),
        ("a/art/17-17", Cost(1, 2)),
        ("a/art/3-2_Pun-3", None),
        ("a/eng/330_Eng", Cost(1, 1)),
        ("a/hq/4_Corps", None),
        ("a/col/A-77-3", None),
        ("a/inf/1-Gal", None),
    ],
)
def test_the_replacement_cost_table(unit, cost):
    assert rebuild_cost(CHARTS, counter(unit)) == cost


@pytest.mark.rule("ocs/3.4c", "ocs/3.3a", "ocs/table.replacement-cost", "ocs-series/13.5")
def test_burma_3_4c_units_are_rebuilt_in_the_box_of_their_army():
    state = start("ocs/campaign-2").with_(phase="reinforcement", player="allied")
    state = dead(state, "a/inf/48-17", "a/inf/112-38", "a/tank/7_Cav")
    assert rebuildable(state) == ()
    state = state.put("markers", "pax/silchar", 3).put("markers", "pax/ledo", 1)
    assert rebuildable(state) == ("a/inf/48-17",)
    assert codes(state, "rebuild a/inf/112-38 at ledo") == ["cannot-afford"]
    assert codes(state, "rebuild a/inf/112-38 at silchar") == ["no-rebuild-box"]
    assert codes(state, "rebuild a/inf/63-17 at silchar") == ["no-rebuild"]
    after = at_once(state, "rebuild a/inf/48-17 at silchar")
    assert (after.pieces["a/inf/48-17"].at, after.markers["pax/silchar"]) == ("silchar", 1)


@pytest.mark.rule("ocs/3.5b", "ocs/3.4b")
def test_burma_3_5b_an_eq_builds_a_glider_while_there_is_room_for_nine():
    state = start("ocs/campaign-1").with_(phase="reinforcement", player="allied").put("markers", "eq/silchar", 1)
    gliders = [a for a in state.aircraft.values() if a.type == "glider"]
    box = gliders[0].at
    state = state.put("markers", f"eq/{box}", 1)
    more = replace(gliders[0], id="a/glider/10", at="dead", active=False)
    full = state.put("aircraft", more.id, more)
    assert codes(full, f"rebuild {more.id} at {box}") == ["no-rebuild-box"]
    room = full.put("aircraft", gliders[0].id, replace(gliders[0], at="dead", active=False))
    after = at_once(room, f"rebuild {more.id} at {box}")
    assert (after.aircraft[more.id].at, after.aircraft[more.id].active) == (box, True)


@pytest.mark.rule("ocs/3.5b", "ocs/3.4c")
def test_burma_3_5b_an_eq_builds_gliders_where_a_scenario_begins_with_none():
    state = start("ocs/u-go").with_(phase="reinforcement", player="allied")
    assert codes(state, "rebuild a/glider/1 at silchar") == ["cannot-afford"]
    rich = state.put("markers", "eq/silchar", 2)
    assert rebuildable(rich) == ("a/glider/1",)
    assert codes(rich, "rebuild a/glider/2 at silchar") == ["no-rebuild"]
    one = at_once(rich, "rebuild a/glider/1 at silchar")
    glider = one.aircraft["a/glider/1"]
    assert (glider.type, glider.at, glider.active, one.markers["eq/silchar"]) == ("glider", "silchar", True, 1)
    two = at_once(one, "rebuild a/glider/2 at silchar")
    assert (two.aircraft["a/glider/2"].at, two.markers.get("eq/silchar")) == ("silchar", None)
    used = one.put("aircraft", "a/glider/1", replace(glider, at="dead", active=False))
    assert rebuildable(used) == ("a/glider/1",), "the one on the pile first"


# Marauders and Chindits -----------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/3.3b")
@pytest.mark.parametrize(("die", "back"), [(3, False), (4, True)])
def test_burma_3_3b_a_lost_marauder_returns_as_its_yellow_sister_on_a_four(die, back):
    state = start("ocs/marauders")
    state = dead(state, "a/inf/1-Gal").put("markers", "returning/a/inf/1-Gal", 4)
    others = {"supply": ONES, "replacement": ONES}
    early = begun(state, "reinforcement", "allied", turn=3, **others)
    assert "a/inf/1-Gal-R" not in early.pieces
    after = begun(state, "reinforcement", "allied", turn=4, arrivals=[(die,)], **others)
    assert ("a/inf/1-Gal-R" in after.pieces) is back
    assert (after.pieces["a/inf/1-Gal"].at == "gone") is back
    assert ("returning/a/inf/1-Gal" in after.markers) is not back


@pytest.mark.rule("ocs/3.6c")
def test_burma_3_6c_a_march_landing_brings_decimation_rolls_from_july():
    state = start("ocs/campaign-1")
    assert first_decimation(state) is None
    assert first_decimation(state.put("markers", "landing", 2)) == (1944, 7)
    assert first_decimation(state.put("markers", "landing", 10)) == (1944, 8)
    assert first_decimation(start("ocs/campaign-3")) == (1944, 7)


@pytest.mark.rule("ocs/3.6c")
@pytest.mark.parametrize(("turn", "die", "so"), [(22, 1, False), (23, 1, True), (23, 2, False)])
def test_burma_3_6c_on_a_one_from_the_first_turn_of_july(turn, die, so):
    """Campaign 3 begins on 19 April; its turn 23 is 1 July."""
    state = start("ocs/campaign-3")
    rolls = {"arrivals": [(die,)]} if turn == 23 else {}
    after = begun(state, "reinforcement", "allied", turn=turn, supply=ONES, replacement=ONES, **rolls)
    assert state.markers["calendar"][22] == "1944-07-01"
    assert decimated(after) is so
