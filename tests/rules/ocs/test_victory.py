"""Control, points with their reasons, sudden death and levels of victory."""

from dataclasses import replace
from fractions import Fraction

import pytest
from dice import ONES, at_once, where
from victory_field import after_order, emptied, moved, points, turn_ends

from burma_study.games.ocs.line import load_line
from burma_study.games.ocs.line_score import history_score
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup.reader import scenario_ids
from burma_study.rules.ocs.setup.starting import start
from burma_study.rules.ocs.state import TraceSource
from burma_study.rules.ocs.turn.control import controller, railway
from burma_study.rules.ocs.turn.script import Rung, script
from burma_study.rules.ocs.turn.victory import (
    TESTS,
    by_difference,
    by_ratio,
    cleared,
    dead_units,
    hexes_short,
    lost_railway,
    rung,
    score_sheet,
    totals,
    verdict,
)

UNIT = "j/inf/1-58-31"


# control --------------------------------------------------------------------------------------------------------------


def test_a_place_belongs_to_the_last_side_through():
    state = emptied(start("ocs/u-go"), "A10.21")
    assert controller(state, where("A10.21")) == "allied"
    there = after_order(moved(state, UNIT, "A10.21"))
    assert controller(there, where("A10.21")) == "japanese"
    gone = after_order(moved(there, UNIT, "A12.20"))
    assert controller(gone, where("A10.21")) == "japanese"
    back = after_order(moved(gone, "a/inf/48-17", "A10.21"))
    assert controller(back, where("A10.21")) == "allied"
    assert "control/A10.21" not in back.markers


def test_kalewa_is_japanese_and_myitkyina_too_before_anybody_moves():
    state = start("ocs/campaign-2")
    state = at_once(at_once(state, "done"), "done", weather=ONES, supply=ONES, replacement=ONES)
    for label, side in {"B12.21": "japanese", "A58.17": "japanese", "A7.09": "allied", "A10.21": "allied"}.items():
        assert controller(state, where(label)) == side, label


# U-Go -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/u-go.vp-allied-road", "ocs/u-go.vp-japanese-road", "ocs/u-go.vp-japanese-railway")
@pytest.mark.parametrize(
    ("label", "allied", "road", "rail"),
    [("A15.13", 2, 0, 0), ("A10.19", 0, 4, 0), ("A11.20", 0, 4, 0), ("A12.20", 2, 0, 0), ("A8.31", 2, 0, 2)],
)
def test_u_gos_points_of_a_turn(label, allied, road, rail):
    """On or next to the road from Imphal to Dimapur counts, two hexes off does not."""
    after = turn_ends(moved(start("ocs/u-go"), UNIT, label))
    assert points(after, "allied-road", "allied") == allied
    assert (points(after, "japanese-road"), points(after, "japanese-railway")) == (road, rail)


@pytest.mark.rule("ocs/u-go.vp-allied-road", "ocs/u-go.vp-japanese-road", "ocs/u-go.vp-japanese-railway")
@pytest.mark.rule("ocs/u-go.victory")
def test_u_gos_turn_points_agree_with_the_historys_own_sheet():
    """Two ways to count the same points: the line's, from its positions, and play's, from its states."""
    line = load_line("ocs/u-go")
    each_turn = {item.id for item in script(start("ocs/u-go")).victory.items if item.when == "turn_end"}
    for step, row in list(zip(line.steps, history_score(line), strict=True))[1:]:
        after = turn_ends(step.state)
        for side in ("allied", "japanese"):
            mine = [p.points for p in after.score.values() if p.side == side and p.item in each_turn]
            assert sum(mine) == int(row[f"{side}_turn"]), (step.date, side)


@pytest.mark.rule("ocs/u-go.vp-imphal", "ocs/u-go.vp-dimapur")
def test_u_gos_imphal_and_dimapur_count_once():
    state = start("ocs/u-go")
    state = emptied(state, "A7.10", "A4.24")
    first = after_order(moved(state, UNIT, "A7.10"))
    assert points(first, "imphal") == 30
    again = after_order(moved(moved(first, UNIT, "A7.11"), "j/inf/2-58-31", "A4.24").with_(turn=2))
    assert (points(again, "imphal"), points(again, "dimapur")) == (30, 30)
    assert points(after_order(again.with_(turn=3)), "dimapur") == 30


@pytest.mark.rule("ocs/u-go.vp-end", "ocs/u-go.vp-places", "ocs/u-go.victory")
def test_u_gos_places_at_the_end_with_reasons_before_and_after():
    state = moved(moved(emptied(start("ocs/u-go"), "A10.21", "A14.13"), UNIT, "A10.21"), "j/inf/1-60-15", "A14.13")
    state = after_order(state)
    projected = {(p.item, p.side): p for p in score_sheet(state)}
    kohima = projected["kohima", "japanese"]
    assert (kohima.points, kohima.banked, kohima.why) == (20, False, "controls A10.21")
    assert ("kohima", "allied") not in projected
    assert ("end", "japanese") not in projected
    ended = turn_ends(state, turn=10)
    assert ended.phase == "over"
    assert all(p.banked for p in score_sheet(ended))
    assert totals(ended) == {"japanese": 20 + 10 + 4, "allied": 10 + 5 + 5 + 3 + 3 + 3}
    assert verdict(ended).level == "Japanese tactical victory"


@pytest.mark.rule("ocs/u-go.victory")
@pytest.mark.parametrize(
    ("japanese", "allied", "level"),
    [
        (0, 79, "Allied strategic victory"),
        (45, 44, "Japanese tactical victory"),
        (40, 40, "Draw"),
        (0, 0, "Draw"),
        (80, 40, "Japanese strategic victory"),
        (79, 40, "Japanese tactical victory"),
        (21, 40, "Allied tactical victory"),
    ],
)
def test_the_ladder_by_ratio(japanese, allied, level):
    assert by_ratio(Fraction(japanese), Fraction(allied)) == level


@pytest.mark.rule("ocs/campaign-2.victory", "ocs/campaign-3.victory")
@pytest.mark.parametrize(
    ("difference", "draw", "level"),
    [(0, 0, "Draw"), (1, 0, "Japanese victory"), (5, 5, "Draw"), (6, 5, "Japanese victory"), (-6, 5, "Allied victory")],
)
def test_the_campaigns_compare_the_difference(difference, draw, level):
    assert by_difference(Fraction(20 + difference), Fraction(20), draw) == level


# Learning -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/learning.victory")
def test_learnings_dead_are_the_destroyed_and_those_without_trace_from_the_road_to_imphal():
    state = start("ocs/learning")
    clear = {unit for unit, _ in dead_units(state)}
    state = moved(state, "a/inf/1_Wy-17", "dead")
    cut = moved(state, "j/inf/1-215-33", "B2.28")
    assert ("a/inf/1_Wy-17", "destroyed") in dead_units(state)
    why = dict(dead_units(cut))
    assert why["a/inf/48-17"] == "no trace"
    assert why["a/inf/63-17"] == "no trace"
    assert "a/inf/48-17" not in clear


@pytest.mark.rule("ocs/learning.victory")
def test_learnings_levels():
    rungs = script(start("ocs/learning")).victory.rungs
    levels = [rung(rungs, n) for n in range(6)]
    assert levels == ["Allied victory"] * 3 + ["Draw"] + ["Japanese victory"] * 2
    state = start("ocs/learning")
    for unit in ("a/inf/1_Wy-17", "a/inf/4-12_FF-17", "a/mg/9_Ja_MG", "a/tank/7_Cav"):
        state = moved(state, unit, "dead")
    assert (verdict(state).level, verdict(state).winner) == ("Japanese victory", "japanese")


# the other scenarios --------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/thursday.vp-allied-railway", "ocs/thursday.vp-japanese-railway", "ocs/thursday.vp-*-kills")
def test_thursdays_railway_and_losses():
    state = start("ocs/thursday")
    whole = turn_ends(state)
    assert (points(whole, "japanese-railway"), points(whole, "allied-railway", "allied")) == (3, 0)
    rail = railway(state, "japanese")
    free = next(h for h in rail if not any(p.at == h for p in state.pieces.values()))
    cut = state.place(replace(state.pieces["a/col/A-77-3"], at=free))
    assert lost_railway(after_order(cut)) == (free,)
    after = turn_ends(cut)
    assert (points(after, "japanese-railway"), points(after, "allied-railway", "allied")) == (0, 1)
    killed = after_order(moved(moved(state, "a/col/A-77-3", "gone"), "j/inf/3-114-18", "dead_bn"))
    assert (points(killed, "japanese-kills"), points(killed, "allied-kills", "allied")) == (4, 1)
    assert killed.score == after_order(killed).score
    returned = after_order(moved(killed, "j/inf/3-114-18", "B33.30"))
    assert points(after_order(moved(returned, "j/inf/3-114-18", "dead_bn")), "allied-kills", "allied") == 2


@pytest.mark.rule("ocs/thursday.vp-*-kills", "ocs/u-go.vp-imphal")
@pytest.mark.parametrize("turn", [1, 9])
def test_what_the_end_of_a_turn_itself_brings_counts_in_that_turn_and_in_the_last_one_too(turn):
    """The order that ends a phase may starve a unit and run on to the end of the game: its loss counts all the same."""
    starved = moved(start("ocs/thursday"), "j/inf/3-114-18", "dead_bn")
    after = turn_ends(starved, turn)
    kills = [p for p in after.score.values() if p.item == "allied-kills"]
    assert [(p.turn, p.side, p.points) for p in kills] == [(turn, "allied", 1)]
    u_go = turn_ends(moved(emptied(start("ocs/u-go"), "A7.10"), UNIT, "A7.10"), 10)
    assert (points(u_go, "imphal"), points(u_go, "end")) == (30, 50)


@pytest.mark.rule("ocs/sato.vp-japanese-closed", "ocs/sato.vp-allied-trace", "ocs/campaign-2.vp-japanese-road")
def test_half_a_point_for_a_road_that_is_shut_to_trace():
    state = start("ocs/sato")
    assert points(turn_ends(state), "japanese-closed") == Fraction(1, 2)
    peace = state
    for piece in list(state.units("japanese")):
        peace = peace.put("pieces", piece.id, None)
    assert points(turn_ends(peace), "japanese-closed") == 0
    items = {p.item: p.points for p in score_sheet(peace) if p.side == "allied"}
    assert (items["allied-trace"], items["allied-road"]) == (10, 10)


@pytest.mark.rule("ocs/sato.vp-japanese-imphal", "ocs/sato.vp-japanese-near", "ocs/sato.vp-allied-road")
def test_satos_imphal_and_units_near_it():
    state = start("ocs/sato")
    state = emptied(state, "A7.09")
    unit = "j/inf/1-138-31"
    assert points(after_order(moved(state, unit, "A7.09")), "imphal") == 50
    near = next(p for p in score_sheet(state) if p.item == "japanese-near")
    starving = state
    for piece in list(state.units("japanese")):
        starving = starving.place(replace(piece, oos=True))
    assert near.points > 0
    assert "japanese-near" not in {p.item for p in score_sheet(starving)}


@pytest.mark.rule("ocs/imphal.vp-segments", "ocs/imphal.victory")
def test_imphals_segments_and_the_strategic_victory_of_whoever_enters():
    state = start("ocs/imphal")
    peace = state
    for piece in list(state.units("japanese")):
        peace = peace.put("pieces", piece.id, None)
    assert len(cleared(peace)) == 5
    assert verdict(peace).level == "Allied strategic victory"
    enemy = next(p for p in state.units("japanese") if p.counter.type == "infantry")
    one = peace.place(replace(enemy, at=where("A8.22")))
    assert len(cleared(one)) == 4
    rungs = script(state).victory.rungs
    assert [rung(rungs, n).split()[0] for n in range(5)] == ["Japanese", "Japanese", "Draw", "Allied", "Allied"]
    state = emptied(state, "A4.24")
    ended = after_order(state.place(replace(enemy, at=where("A4.24"))))
    assert (ended.phase, verdict(ended).winner) == ("over", "japanese")
    assert verdict(ended).level == "Japanese strategic victory"
    assert verdict(ended).why == "Japanese units entered A4.24"


@pytest.mark.rule("ocs/campaign-1.sudden-japanese", "ocs/campaign-2.sudden-japanese", "ocs/campaign-3.sudden-japanese")
@pytest.mark.parametrize("name", ["campaign-1", "campaign-2", "campaign-3"])
def test_a_campaign_ends_when_japan_takes_imphal(name):
    state = start(f"ocs/{name}")
    state = emptied(state, "A7.10")
    ended = after_order(moved(state, UNIT, "A7.10"))
    assert (ended.phase, verdict(ended).level) == ("over", "Japanese sudden death victory")
    assert ended.frames == ()
    assert GAME.decision(ended).actor == ""


@pytest.mark.rule("ocs/campaign-1.sudden-allied", "ocs/campaign-2.sudden-allied", "ocs/campaign-3.sudden-allied")
def test_the_finished_ledo_road_wins_when_a_japanese_turn_ends():
    state = start("ocs/campaign-2").put("markers", "road_head", where("A59.03"))
    played = after_order(state)
    assert played.phase == "combat"
    ended = at_once(played.with_(phase="cleanup", player="japanese"), "done")
    assert (ended.phase, verdict(ended).winner) == ("over", "allied")
    other = at_once(played.with_(phase="cleanup", player="allied"), "done", weather=ONES, initiative=[(6, 6), (1, 1)])
    assert other.phase != "over"


@pytest.mark.rule("ocs/campaign-*.vp-japanese-ledo", "ocs/marauders.vp-japanese-road", "ocs/marauders.vp-allied-road")
def test_how_far_the_ledo_road_is_short():
    for name in ("campaign-3", "campaign-2"):
        state = start(f"ocs/{name}")
        short = hexes_short(state, where("A58.17"))
        assert short >= state.board.grid.distance(state.markers["road_head"], where("A58.17"))
        assert next(p.points for p in score_sheet(state) if p.item == "japanese-ledo") == short
    assert hexes_short(state.put("markers", "road_head", where("A58.17")), where("A58.17")) == 0
    marauders = start("ocs/marauders").put("markers", "road_head", where("A48.19"))
    assert points(after_order(marauders), "allied-road", "allied") == 5
    assert points(after_order(after_order(marauders).with_(turn=2)), "allied-road", "allied") == 5


@pytest.mark.rule("ocs/campaign-2.vp-allied-ledo")
def test_three_points_for_each_hex_of_road_beyond_the_irrawaddy():
    state = start("ocs/campaign-2")
    item = next(i for i in script(state).victory.items if i.id == "allied-ledo")
    test = TESTS[item.test]
    assert test(state, item, "allied")[0] == 0
    done = state.put("markers", "road_head", item.road[-1])
    count = test(done, item, "allied")[0]
    assert 0 < count < len(item.road)


@pytest.mark.rule("ocs/campaign-2.vp-places", "ocs/campaign-3.vp-places", "ocs/sato.vp-both")
@pytest.mark.parametrize(
    ("name", "item", "label", "points_"),
    [
        ("campaign-2", "kohima", "A10.21", 5),
        ("campaign-2", "indaw", "A40.01", 5),
        ("campaign-3", "indaw", "A40.01", 10),
        ("campaign-3", "mogaung", "A51.16", 10),
        ("campaign-3", "myitkyina", "A58.17", 20),
        ("sato", "palel", "A8.05", 5),
        ("sato", "kohima", "A10.21", 20),
    ],
)
def test_both_sides_may_hold_the_places_of_the_end(name, item, label, points_):
    state = emptied(start(f"ocs/{name}"), label)
    for side, unit in (("japanese", UNIT), ("allied", "a/inf/48-17")):
        held = after_order(moved(state, unit, label))
        assert [(p.side, p.points) for p in score_sheet(held) if p.item == item] == [(side, points_)]


@pytest.mark.rule("ocs/campaign-2.vp-allied-railway", "ocs/campaign-3.vp-allied-railway")
@pytest.mark.parametrize("name", ["campaign-2", "campaign-3"])
def test_half_a_point_for_a_railway_that_is_shut_to_japan(name):
    peace = start(f"ocs/{name}")
    for piece in list(peace.units("allied")):
        peace = peace.put("pieces", piece.id, None)
    assert points(turn_ends(peace), "allied-railway", "allied") == 0
    rail = [h for h in railway(peace, "japanese") if not any(p.at == h for p in peace.pieces.values())]
    cut = peace.place(replace(start(f"ocs/{name}").pieces["a/inf/48-17"], at=rail[len(rail) // 2]))
    assert points(turn_ends(cut), "allied-railway", "allied") == Fraction(1, 2)


@pytest.mark.rule(
    "ocs/campaign-2.vp-japanese-near", "ocs/campaign-3.vp-japanese-near", "ocs/campaign-*.vp-japanese-road"
)
@pytest.mark.parametrize("name", ["campaign-2", "campaign-3"])
def test_supplied_units_near_imphal_and_the_shut_road_in_the_campaigns(name):
    peace = start(f"ocs/{name}")
    for piece in list(peace.units("japanese")):
        peace = peace.put("pieces", piece.id, None)
    unit = start(f"ocs/{name}").pieces[UNIT]
    there = peace.place(replace(unit, at=where("A9.16"), oos=False))
    near = {p.item: p.points for p in score_sheet(there) if p.side == "japanese"}
    assert near["japanese-near"] == 1
    assert points(turn_ends(there), "japanese-road") == Fraction(1, 2)
    away = peace.place(replace(unit, at=where("A20.10"), oos=False))
    assert "japanese-near" not in {p.item for p in score_sheet(away)}
    assert points(turn_ends(away), "japanese-road") == 0


@pytest.mark.rule("ocs/marauders.vp-allied-railway", "ocs/marauders.vp-japanese-railway", "ocs/marauders.victory")
def test_the_marauders_railway_and_ladder():
    state = start("ocs/marauders")
    assert points(turn_ends(state), "japanese-railway") == 3
    rail = [h for h in railway(state, "japanese") if not any(p.at == h for p in state.pieces.values())]
    cut = turn_ends(state.place(replace(state.pieces["a/inf/1-Gal"], at=rail[0])))
    assert (points(cut, "japanese-railway"), points(cut, "allied-railway", "allied")) == (0, 1)
    assert verdict(cut).level == "Japanese strategic victory"  # the Ledo Road is far short


@pytest.mark.rule("ocs/marauders.vp-hump", "ocs/sato.vp-hump", "ocs/marauders.sr9", "ocs/sato.sr7")
@pytest.mark.parametrize("name", ["marauders", "sato"])
def test_diversions_cost_two_points_in_the_short_scenarios(name):
    state = start(f"ocs/{name}").with_(phase="reinforcement", player="allied")
    piece = next(p for p in state.units("japanese") if p.counter.type == "infantry")
    after = at_once(state.place(replace(piece, at=where("A10.19"))), "divert the Hump", air=ONES)
    assert points(after, "hump") == 2


@pytest.mark.rule("ocs/sato.vp-japanese-road", "ocs/sato.victory", "ocs/thursday.victory")
def test_satos_road_at_the_end_and_the_ladders_of_sato_and_thursday():
    state = start("ocs/sato")
    assert next(p.points for p in score_sheet(state) if p.item == "japanese-road") == 10
    assert verdict(state).level == by_ratio(*totals(state).values())
    thursday = turn_ends(start("ocs/thursday"))
    assert verdict(thursday).level == "Japanese strategic victory"


@pytest.mark.rule("ocs/campaign-1.victory")
def test_campaign_1_takes_the_points_of_campaign_2_or_only_sudden_death_as_printed():
    items = [i.id for i in script(start("ocs/campaign-1")).victory.items]
    assert items == [i.id for i in script(start("ocs/campaign-2")).victory.items]
    printed = start("ocs/campaign-1", errata=False)
    assert script(printed).victory.items == ()
    assert verdict(printed).level == "No decision"


@pytest.mark.rule("ocs/campaign-*.sudden-allied")
def test_mandalay_held_in_trace_wins_and_without_trace_does_not():
    state = emptied(start("ocs/campaign-2"), "B39.02", "B39.03")
    item = next(i for i in script(state).victory.sudden if i.id == "mandalay")
    held = after_order(moved(moved(state, "a/inf/48-17", "B39.02"), "a/inf/63-17", "B39.03"))
    assert controller(held, where("B39.03")) == "allied"
    assert TESTS[item.test](held, item, "allied")[0] == 0
    source = held.put("markers", "sources", (*held.markers["sources"], TraceSource("allied", where("B39.02"), "point")))
    assert TESTS[item.test](source, item, "allied")[0] == 1


@pytest.mark.rule("ocs/3.6b-west")
def test_burma_3_6b_three_points_for_each_chindit_west_of_the_chindwin_once():
    state = start("ocs/campaign-2")
    west = after_order(moved(moved(state, "a/col/A-14-3", "A9.20"), "a/col/B-14-3", "A9.19"))
    assert points(west, "chindit-west") == 6
    assert points(after_order(west.with_(turn=2)), "chindit-west") == 6


@pytest.mark.rule("ocs/3.6b")
def test_burma_3_6b_a_chindit_that_comes_back_to_a_box_leaves_play():
    state = start("ocs/campaign-2")
    landed = after_order(moved(state, "a/col/A-14-3", "A46.12"))
    assert landed.markers["landing"] == 1
    assert "a/col/A-14-3" in landed.markers["landed"]
    home = after_order(moved(landed, "a/col/A-14-3", "silchar"))
    assert home.pieces["a/col/A-14-3"].at == "gone"
    assert home.pieces["a/col/B-14-3"].at == "silchar"


def test_every_item_of_every_scenario_has_its_test():
    scored = {"hump_diversion", "unit_destroyed"}
    for id_ in scenario_ids():
        victory = script(start(id_)).victory
        for item in (*victory.items, *victory.sudden):
            assert item.test in {*TESTS, *scored}, (id_, item.id)
            for side in ("japanese", "allied") if item.side == "both" else (item.side,):
                if item.test in TESTS:
                    assert TESTS[item.test](start(id_), item, side)[0] >= 0


def test_a_ladder_needs_a_rung_for_every_count():
    assert rung((Rung("a", 0, 1), Rung("b", 2)), 7) == "b"
