"""What a turn brings in each of the nine scenarios: supply, points and levels; landings and clearings of Chindits."""

from dataclasses import replace

import pytest
from dice import ONES, at_once, begun, where
from victory_field import after_order, deserted, manned, moved, turn_ends

from burma_study.engine.step import Step
from burma_study.rules.ocs.air.lift import fails_on, is_clear
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup.starting import start
from burma_study.rules.ocs.turn.arrivals import due, income
from burma_study.rules.ocs.turn.control import controller
from burma_study.rules.ocs.turn.replacements import first_decimation
from burma_study.rules.ocs.turn.script import script
from burma_study.rules.ocs.turn.victory import score_sheet, totals, verdict

J, A = "j/inf/1-58-31", "a/inf/48-17"
ROLLED = {  # T on a roll of 8, which is 5 SP for the Allies and 2 for Japan; None where nothing is rolled
    "u-go": (4, 10),
    "marauders": (4, 8),
    "sato": (None, 12),
    "imphal": (None, 12),
    "campaign-1": (8, 20),
    "campaign-2": (8, 20),
    "campaign-3": (8, 20),
    "thursday": (None, None),
    "learning": (None, None),
}
FIXED = {
    "sato": {"japanese": 2},
    "imphal": {"japanese": 2},
    "thursday": {"japanese": 2, "allied": 4},
    "learning": {"japanese": 2, "allied": 8},
}


def goods(state):
    return sum(d.tokens for d in state.dumps.values())


@pytest.mark.rule("ocs/*.sr2", "ocs/table.supply")
@pytest.mark.parametrize("side", ["japanese", "allied"])
@pytest.mark.parametrize("name", ROLLED)
def test_the_supply_of_a_turn_in_each_scenario(name, side):
    """Half of 5 SP is 2 1/2 in Short 2, 2 in Short 3, 3 in Short 4 and 5."""
    state, tokens = start(f"ocs/{name}"), ROLLED[name][side == "allied"]
    streams = {} if tokens is None else {"supply": [(4, 4)]}
    if name not in ("thursday", "learning"):
        streams["replacement"] = ONES
    after = begun(state, "reinforcement", side, **streams)
    expected = FIXED[name][side] if tokens is None else tokens
    assert income(after, side) + goods(after) - goods(state) == expected


ENDS = {  # with nobody on the map: control as at the start, roads clear, railways open
    "learning": (0, 0, "Allied victory"),
    "thursday": (3, 0, "Japanese strategic victory"),
    "u-go": (0, 2 + 59, "Allied strategic victory"),
    "marauders": (3 + 23, 0, "Japanese strategic victory"),
    "sato": (0, 20 + 5 + 10 + 10, "Allied strategic victory"),
    "imphal": (0, 0, "Allied strategic victory"),
    "campaign-1": (20 + 5 + 5 + 5 + 26, 5, "Japanese victory"),
    "campaign-2": (20 + 5 + 5 + 5 + 23, 5, "Japanese victory"),
    "campaign-3": (20 + 10 + 10 + 5 + 18, 5, "Japanese victory"),
}


@pytest.mark.rule("ocs/*.victory")
@pytest.mark.parametrize("name", ENDS)
def test_the_last_turn_banks_its_points_and_those_of_the_end(name):
    state = deserted(name)
    after = turn_ends(state, len(state.markers["calendar"]))
    assert after.phase == "over"
    assert all(p.banked for p in score_sheet(after))
    points = totals(after)
    assert (points["japanese"], points["allied"], verdict(after).level) == ENDS[name]


@pytest.mark.rule("ocs/*.victory", "ocs/thursday.vp-*-kills")
@pytest.mark.parametrize("name", ENDS)
def test_the_end_of_a_turn_looks_at_what_happened_since_the_last_order(name):
    """A unit put on a place when the last order was done controls it when the turn is scored."""
    after = turn_ends(manned(deserted(name), f"{J}@A10.21"), 1)
    assert controller(after, where("A10.21")) == "japanese"


@pytest.mark.rule("ocs/3.6c")
def test_burma_3_6c_the_clock_runs_from_the_first_column_not_from_its_engineers():
    state = start("ocs/campaign-1")
    builders = after_order(manned(deserted("campaign-1"), "a/eng/823_Eng@A46.07").with_(turn=3))
    assert "landing" not in builders.markers
    assert first_decimation(builders) is None
    landed = after_order(moved(builders.place(state.pieces["a/col/A-77-3"]), "a/col/A-77-3", "A46.12").with_(turn=4))
    assert landed.markers["landing"] == 4
    again = after_order(moved(landed.place(state.pieces["a/col/B-77-3"]), "a/col/B-77-3", "A46.12").with_(turn=9))
    assert again.markers["landing"] == 4
    assert first_decimation(again) == (1944, 7)


@pytest.mark.rule("ocs/3.6d", "ocs/3.5a")
def test_burma_3_6d_a_clearing_is_clear_ground_for_what_comes_down():
    """Air Drop Table: gliders fail on 1 where it is clear, on 4 in closed country that the enemy may hold."""
    state = deserted("campaign-2")
    clearing, beside = where("B44.30"), where("B44.31")
    assert clearing in state.markers["clearings"]
    assert state.board.terrain[clearing] != "clear"
    assert (is_clear(state, clearing), is_clear(state, beside)) == (True, state.board.terrain[beside] == "clear")
    bare = state.put("markers", "clearings", ())
    assert not is_clear(bare, clearing)
    assert fails_on(state, clearing, "glider") < fails_on(bare, clearing, "glider")


@pytest.mark.rule("ocs/sato.vp-japanese-imphal")
def test_whoever_retreats_through_a_place_has_been_there():
    """A party that falls back through Imphal to the hex beyond: the place is Japan's, and the points with it."""
    state = manned(deserted("sato"), f"{J}@A7.11").with_(phase="combat", player="japanese", turn=1)
    step = Step(state, None, GAME.clock)
    path = (where("A7.10"), where("A7.09"), where("A7.08"))
    step.open("withdrawal", side="japanese", units=(J,), path=path, gone=0, cause="combat")
    while step.state.frames:
        GAME.procedures[step.frame.procedure](step)
    assert step.state.pieces[J].at == where("A7.08")
    assert controller(step.state, where("A7.10")) == "japanese"
    assert sum(p.points for p in after_order(step.state).score.values()) == 50


@pytest.mark.rule("ocs-series/17.0", "ocs/1.1")
def test_series_17_0_each_turn_has_its_weather_before_anybody_moves():
    state = at_once(start("ocs/campaign-2"), "done")
    after = at_once(state, "done", weather=[(1, 1), (1,)], supply=ONES, replacement=ONES)
    assert (after.turn, after.player) == (1, "japanese")
    assert after.weather
    assert after.air_ops


# where and who --------------------------------------------------------------------------------------------------------

MANDALAY, BOXES = ["B39.02", "B39.03"], ["silchar", "ledo"]
SOUTH = ["A3.01", "A7.01", "A13.01", "A14.01", "A15.01", "A16.01", "A17.01", "A18.01"]
PLACES = {
    "learning": (["B12.21"], None),
    "thursday": (None, BOXES),
    "u-go": (None, ["silchar"]),
    "marauders": (None, BOXES),
    "sato": (SOUTH, ["silchar"]),
    "imphal": (SOUTH, ["silchar"]),
    **dict.fromkeys(("campaign-1", "campaign-2", "campaign-3"), (MANDALAY, BOXES)),
}


def labels(state, places):
    return [w if isinstance(w, str) else state.board.label(w) for w in places]


@pytest.mark.rule("ocs/*.sr2")
@pytest.mark.parametrize("name", PLACES)
def test_where_the_supply_of_each_scenario_arrives(name):
    """Short 1: a south-edge road hex or a detrainable one; Short 2: Kalewa or the edges; Short 3: or B52.26."""
    state = start(f"ocs/{name}")
    found = {i.side: labels(state, i.where) for i in script(state).income}
    for side, places in zip(("japanese", "allied"), PLACES[name], strict=True):
        assert places is None or sorted(found[side]) == sorted(places)
    if name == "u-go":
        assert "B12.21" in found["japanese"]
        assert all(h.endswith(".18") or h.startswith("B33.") or h == "B12.21" for h in found["japanese"])
    if name in ("thursday", "marauders"):
        assert ("B52.26" in found["japanese"]) is (name == "marauders")
        assert {"A40.01", "A51.16"} & {*found["japanese"]}
        assert "A41.06" not in found["japanese"]  # on the railway, but nothing there to detrain at


@pytest.mark.rule("ocs/imphal.sr5")
def test_short_5_gets_four_battalions_on_12_may_at_the_two_roads_of_the_south_edge():
    state = start("ocs/imphal")
    four = ["j/inf/1-213-33", "j/inf/2-151-53", "j/inf/2-51-15", "j/inf/3-151-53"]
    assert state.markers["calendar"][3] == "1944-05-12"
    before = begun(state, "reinforcement", "japanese", turn=3, replacement=ONES)
    assert due(before, "japanese") == ()
    after = begun(state, "reinforcement", "japanese", turn=4, replacement=ONES)
    assert sorted(e.unit for e in due(after, "japanese")) == four
    assert {tuple(labels(state, e.where)) for e in due(after, "japanese")} == {("A3.01", "A13.01")}
    assert begun(state, "reinforcement", "japanese", turn=4, replacement=[(3, 4)])  # a 7 brings nothing to choose
    allied = {(e.unit, state.markers["calendar"][e.turn - 1]) for e in script(state).entries if e.side == "allied"}
    assert allied == {(u, "1944-06-26") for u in ("a/inf/29-36", "a/inf/72-36", "a/art/36-36")}


@pytest.mark.rule("ocs/marauders.sr5")
def test_short_3_gets_the_arrivals_of_ledo_and_bhamo_on_their_dates():
    state = start("ocs/marauders")
    day = state.markers["calendar"]
    found = {(e.unit.rpartition("/")[2], day[e.turn - 1][5:], e.site) for e in script(state).entries}
    ledo = {"88-30": "03-15", "89-30": "03-19", "90-30": "03-22", "149-50": "04-05", "150-50": "04-08"}
    ledo |= {"41-14": "04-12", "42-14": "04-15"}
    bhamo = {"3-113-56": "03-19", "3-146-56": "04-01", "1-148-56": "04-08", "2-148-56": "04-12", "2-56-56": "04-15"}
    bhamo |= {"2-128-53": "05-05"}
    assert found == {(u, d, "ledo") for u, d in ledo.items()} | {(u, d, "bhamo") for u, d in bhamo.items()}
    assert {tuple(labels(state, e.where)) for e in script(state).entries} == {("ledo",), ("A56.01", "B62.29")}
    eq = begun(state, "reinforcement", "allied", supply=ONES, replacement=[(6, 6)])
    assert not [m for m in eq.markers if m.startswith("eq/")]


@pytest.mark.rule("ocs/sato.sr5", "ocs/imphal.sr5")
@pytest.mark.parametrize("name", ["sato", "imphal"])
@pytest.mark.parametrize("dice", [(3, 3), (3, 4)])
def test_shorts_4_and_5_take_a_six_or_seven_as_none(name, dice):
    state = start(f"ocs/{name}")
    for piece in [p for p in state.units("japanese") if p.at == "dead_bn"]:
        state = state.put("pieces", piece.id, None)
    fallen = next(p for p in state.units("japanese") if p.counter.is_infantry_battalion)
    state = state.place(replace(fallen, at="dead_bn"))
    after = begun(state, "reinforcement", "japanese", turn=2, replacement=[dice])
    assert (after.pieces[fallen.id].at, due(after, "japanese")) == ("dead_bn", ())
    back = begun(state, "reinforcement", "japanese", turn=2, replacement=[(4, 5)])
    assert back.pieces[fallen.id].at != "dead_bn" or fallen.id in {e.unit for e in due(back, "japanese")}
