"""Clauses that are a figure or a line each: railways, unit types, steps, cargo weights, the Ledo table, notes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from air_field import aloft
from combat_field import TARGET, N, situation
from movement_field import CENTRE, GRID, made
from moving_field import play

from burma_study.boards.board import load_board
from burma_study.engine.dice import KeyedDice
from burma_study.engine.step import Step
from burma_study.errors import IllegalOrder
from burma_study.rules.ocs.air.interdiction import interdiction
from burma_study.rules.ocs.air.loads import weight as air_weight
from burma_study.rules.ocs.charts import charts_for
from burma_study.rules.ocs.combat.attack import attack_odds
from burma_study.rules.ocs.counters import counter, counters
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.goods.losses import lose_steps
from burma_study.rules.ocs.goods.payment import tokens_at, ways_to_pay
from burma_study.rules.ocs.goods.rails import lines, served, weight
from burma_study.rules.ocs.movement.reach import mover
from burma_study.rules.ocs.setup import load_scenario, scenario_ids, start
from burma_study.rules.ocs.state import PHASES, Dump, Piece, Rules
from burma_study.rules.ocs.supply.lines import rail_sides
from burma_study.rules.ocs.supply.net import Net, porters

BOARD = load_board("ocs")
BRIGADE, BATTALION, HQ, GUNS = "a/inf/63-17", "j/inf/2-215-33", "a/hq/4_Corps", "j/art/3-33-33"
DIVISION, GARRISON, LOC, TANKS = "j/hq/33_Div", "j/gar/1", "a/loc/a-202_LOC", "a/tank/7_Cav"


def at(label: str) -> int:
    return BOARD.index(label)


# railways -------------------------------------------------------------------------------------------------------------


def test_burma_1_3_each_side_has_its_railway_for_the_whole_game():
    """Mandalay to Myitkyina is Japan's, the north-west corner's the Allies', whoever stands on them."""
    japanese, allied = ({h for s in rail_sides(BOARD, side) for h in s} for side in ("japanese", "allied"))
    assert {at("B39.02"), at("B40.34"), at("A57.17")} <= japanese
    assert {at("A1.24"), at("A4.24"), at("A13.35")} <= allied
    assert not japanese & allied
    state = start("ocs/campaign-2")
    held = state.place(replace(state.pieces["a/inf/48-17"], at=at("B40.34")))
    assert {s for line in lines(held, "allied") for s in line.sides}.isdisjoint(rail_sides(BOARD, "japanese"))


def test_burma_1_3_aircraft_neither_cut_nor_slow_a_railway():
    """A B-25 over the line by Indaw interdicts who walks there; trace and trains go on as before."""
    before = start("ocs/campaign-2").with_(air_ops="unrestricted")
    hex_ = at("B40.34")
    state = aloft(before, "a/b-25/1", "B40.34", home="silchar")
    state = state.place(Piece("a/col/A-77-3", GRID.neighbours[hex_][0], mode="move", face="move"))
    before = before.place(state.pieces["a/col/A-77-3"])
    assert interdiction(state, "japanese")[hex_] > 0
    assert Net(state, "japanese").stations == Net(before, "japanese").stations
    for then, now in zip(lines(before, "japanese"), lines(state, "japanese"), strict=True):
        assert served(state, "japanese", now) == served(before, "japanese", then)
    assert not [kind for kind in GAME.book if "rail" in kind and kind != "rail"]


# unit types and steps -------------------------------------------------------------------------------------------------


def test_burma_1_13_garrisons_and_line_of_communication_troops_are_infantry(ground):
    """So a garrison in Move Mode carries for a Division HQ like any infantry battalion (2.4b)."""
    assert counter(GARRISON).is_infantry_battalion
    assert counter(LOC).is_infantry_battalion
    assert not any(counter(i).is_infantry_battalion for i in (BRIGADE, GUNS, TANKS, "a/mg/9_Ja_MG", "j/inf/1-INA"))
    ground(made())
    state = play({DIVISION: CENTRE, GARRISON: Piece(GARRISON, CENTRE, "move", "move")})
    assert porters(state, state.pieces[DIVISION]) == 1


@pytest.mark.rule("ocs/1.13-brigades", "ocs-series/4.6")
@pytest.mark.parametrize("id_", scenario_ids())
def test_burma_1_13_brigades_have_one_step_as_all_units_have(id_, ground):
    ground(BOARD)
    state = start(id_)
    assert {p.steps for p in state.pieces.values()} == {1}
    for piece in (p for p in state.pieces.values() if p.counter.size == "bde" and p.on_map):
        step = Step(state, KeyedDice("loss"), GAME.clock)
        assert lose_steps(step, piece.id, 2, "combat") == 1
        assert not step.state.pieces[piece.id].on_map


def test_series_3_1a_each_side_of_a_counter_has_its_own_allowance():
    """Tanks have 8 and 14 Track MP, a brigade 3 and 5 on foot, a corps headquarters 0 and 10 of the trucks' kind."""
    for unit, mobility, allowances in ((TANKS, "track", (8, 14)), (BRIGADE, "leg", (3, 5)), (HQ, "truck", (0, 10))):
        state = situation({unit: TARGET})
        faces = [mover(state, unit, face=face) for face in ("combat", "move")]
        assert [f.mobility for f in faces] == [mobility] * 2
        assert tuple(f.ma for f in faces) == allowances


@pytest.mark.usefixtures("on")
def test_series_3_2a_tanks_are_armor_motorized_infantry_mech_and_the_rest_other():
    classes = {c.type: c.combat_class for c in counters().values()}
    assert {t for t, cls in classes.items() if cls == "armor"} == {"tank", "armored_car"}
    assert {t for t, cls in classes.items() if cls == "mech"} == {"motorized"}
    assert attack_odds(situation({TANKS: N, BATTALION: TARGET}), TARGET, [TANKS]).attack == 8


@pytest.mark.usefixtures("on")
def test_series_3_2b_a_strength_in_parentheses_only_defends():
    """202 LOC is (3)-1-0: it may not attack, but defends with 3."""
    assert {c.id for c in counters().values() if c.defend_only} == {f"a/loc/{x}-202_LOC" for x in "abc"}
    with pytest.raises(IllegalOrder) as caught:
        attack_odds(situation({LOC: N, BATTALION: TARGET}), TARGET, [LOC])
    assert "not-attack-capable" in {p.code for p in caught.value.problems}
    assert attack_odds(situation({LOC: TARGET, BATTALION: N}), TARGET, [BATTALION]).defence == 3


@pytest.mark.rule("ocs-series/erratum.7")
def test_erratum_7_chinese_artillery_is_3_1_2_1():
    guns = counter("a/art/Chi").combat
    assert (guns.barrage, guns.ar, guns.range, guns.ma) == (3, 1, 2, 1)
    printed = {
        (errata, row.printed)
        for errata in (True, False)
        for which in ("historical", "free")
        for row in load_scenario("campaign-1", errata=errata).setup_rows(which)
        if row.counter == "a/art/Chi"
    }
    assert printed == {(True, "3-1-2-1"), (False, "3-3-1-1")}


def test_series_12_1_a_supply_point_is_four_tokens():
    """The 6 SP of 17 Division lie at B3.25 as 24T."""
    state = start("ocs/u-go")
    assert tokens_at(state, "allied", at("B3.25")) == 6 * state.rules.charts.supply_costs["token"] == 24
    assert tokens_at(state, "japanese", at("B3.25")) == 0


@pytest.mark.rule("ocs/marauders.sr7")
@pytest.mark.parametrize("which", ["historical", "free"])
def test_short_3_nothing_more_starts_with_the_chindits(which):
    """Of all that may stand with any unit, only what is printed with the columns is theirs: 2 mule points, 3 SP."""
    state = start("ocs/marauders", which)
    theirs = {p.at for p in state.units("allied") if p.counter.is_chindit and p.on_map}
    beside = [t for t in state.transport.values() if t.at in theirs]
    assert {t.kind for t in beside} <= {"mule"}
    assert sum(t.size for t in beside) <= 8
    assert sum(tokens_at(state, "allied", h) for h in theirs) <= 12
    chinese = [r for r in load_scenario("marauders").setup_rows(which) if "us_chinese" in r.area]
    assert len(chinese) == (3 if which == "historical" else 0)


# cargo ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/4.7b", "ocs-series/erratum.11")
@pytest.mark.parametrize(
    ("rules", "brigade", "battalion", "tanks"),
    [
        (Rules(), 4, 2, 2),
        (Rules(version="v4.3"), 4, 2, 2),
        (Rules(errata=False), 4, 2, 2),
        (Rules(version="v4.3", errata_off=("erratum.11",)), 2, 1, 2),
        (Rules(version="v4.3", errata=False), 2, 1, 2),
    ],
)
def test_series_4_7b_only_later_rules_without_the_erratum_halve_who_walks(rules, brigade, battalion, tanks):
    """A brigade walks with 5 in Move Mode and tanks drive; a column weighs 2T whatever the rules (3.6a)."""
    weights = {BRIGADE: brigade, "a/inf/1_Wy-17": battalion, TANKS: tanks, "a/col/A-77-3": 2}
    assert {i: weight(rules, Piece(i, "silchar")) for i in weights} == weights
    state = situation({i: Piece(i, "silchar") for i in weights}, rules)
    assert {i: air_weight(state, i) for i in weights} == {i: Fraction(w) for i, w in weights.items()}


# the Ledo Road --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/table.ledo-road", "ocs/3.9")
def test_the_ledo_road_building_table():
    charts = charts_for()
    assert charts.ledo_building == {"open": 2, "close": 3, "very_close": 5, "extremely_close": 6}
    modifiers = {r["name"]: int(r["drm"]) for r in charts.rows("ledo_modifiers")}
    assert modifiers == {"engineer": 1, "quagmire_flood": -2, "track": -2}
    assert charts.supply_costs["ledo_attempt"] == 2


# what there is no more ------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/opt.0-6.5", "ocs-series/6.5", "ocs/opt.0")
@pytest.mark.parametrize("version", ["1999", "v4.3"])
def test_nobody_reconnoitres_by_force(version):
    """While units move, ground units fight in overruns only, in every phase of both versions."""
    fights = {"attack", "overrun", "barrage", "shell", "bomb", "hip-shoot", "strike"}
    state = start("ocs/u-go", rules=Rules(version=version))
    for phase in PHASES:
        kinds = set(GAME.decision(state.with_(phase=phase)).kinds)
        assert not [k for k in kinds if "recon" in k]
        if phase in ("movement", "reaction", "exploitation"):
            assert kinds & fights & {"attack", "barrage", "shell"} == set(), phase
            assert "overrun" in kinds


# notes ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/notes.mountain-supply")
def test_burma_notes_hqs_hardly_throw_into_the_mountains(ground):
    """A corps throws 10 Truck MP, which is a hex of mountain track and the next; Japan's divisions 6 on foot."""
    track = [GRID.at(c, 30) for c in range(5, 30)]
    ground(made(rest="mountain", routes=[("track", track)]))
    fed = {HQ: (2, BRIGADE, "allied"), DIVISION: (7, BATTALION, "japanese")}
    for hq, (far, unit, side) in fed.items():
        for away in (far, far + 1):
            state = play({hq: track[0], unit: track[away]}, side).put("dumps", track[0], Dump(side, 4))
            assert bool(ways_to_pay(state, [unit], 1, "build")) == (away == far), (hq, away)
