"""Supply and units that arrive, raw nerves, pools, marches off the map, Hump diversions (Burma 2.1, 2.8, 3.1, 3.10)."""

from dataclasses import replace
from fractions import Fraction

import pytest
from dice import ONES, Dice, at_once, begun, where

from burma_study.datafiles import read_rows
from burma_study.rules.ocs.charts import charts_for
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.goods.rails import ends_for
from burma_study.rules.ocs.setup.starting import start
from burma_study.rules.ocs.state import Dump, Hedgehog, Piece
from burma_study.rules.ocs.turn.arrivals import cup, due, entries_open, income, supply_rolled, tokens_of, touched
from burma_study.rules.ocs.turn.control import railway
from burma_study.rules.ocs.turn.replacements import equipment_uses
from burma_study.rules.ocs.turn.script import Entry, Income, script

CHARTS = charts_for()
ALL = [r + 2 for r in range(11)]


def codes(state, order):
    return [r.code for r in GAME.check(state, GAME.parse(order))]


def tokens(state):
    loads = sum(t.load for t in state.transport.values())
    return sum(d.tokens for d in state.dumps.values()) + loads


# supply ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/table.supply")
def test_the_supply_tables_of_both_sides():
    assert [supply_rolled(CHARTS, "allied", r) for r in ALL] == [2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9]
    assert [supply_rolled(CHARTS, "japanese", r) for r in ALL] == [0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 5]


@pytest.mark.rule("ocs/u-go.sr2")
def test_the_mean_of_u_gos_halved_incomes():
    """2.31 SP a turn for the Allies, 0.81 for Japan."""

    def mean(side):
        weights = [6 - abs(7 - r) for r in ALL]
        return Fraction(sum(w * supply_rolled(CHARTS, side, r) for w, r in zip(weights, ALL, strict=True)), 72)

    assert (float(mean("allied")), float(mean("japanese"))) == pytest.approx((2.31, 0.81), abs=0.01)


@pytest.mark.rule("ocs/u-go.sr2", "ocs/marauders.sr2", "ocs/sato.sr2", "ocs/imphal.sr2", "ocs/campaign-1.sr2")
@pytest.mark.parametrize(
    ("factor", "rounding", "tokens"), [("1/2", "none", 6), ("1/2", "down", 4), ("1/2", "up", 8), ("1", "none", 12)]
)
def test_a_roll_of_3_sp_by_the_rounding_of_the_scenario(factor, rounding, tokens):
    assert tokens_of(Income("allied", "table", (), factor=Fraction(factor), rounding=rounding), 3) == tokens


@pytest.mark.rule("ocs/campaign-*.sr2")
def test_the_roundings_are_those_of_the_scenarios():
    found = {
        name: {i.side: (i.kind, str(i.factor), i.rounding) for i in script(start(f"ocs/{name}")).income}
        for name in ("u-go", "marauders", "sato", "imphal", "campaign-1", "campaign-2", "campaign-3")
    }
    assert found["u-go"] == dict.fromkeys(("japanese", "allied"), ("table", "1/2", "none"))
    assert found["marauders"]["allied"] == ("table", "1/2", "down")
    assert found["sato"]["allied"] == found["imphal"]["allied"] == ("table", "1/2", "up")
    whole = dict.fromkeys(("japanese", "allied"), ("table", "1", "none"))
    assert [found[f"campaign-{n}"] for n in (1, 2, 3)] == [whole] * 3


@pytest.mark.rule("ocs/learning.sr2")
def test_learning_gives_2t_at_kalewa_and_2_sp_at_the_road_to_imphal():
    state = start("ocs/learning")
    japan = begun(state, "reinforcement", "japanese")
    assert (tokens(japan) - tokens(state), japan.dumps[where("B12.21")]) == (2, Dump("japanese", 2))
    allied = begun(state, "reinforcement", "allied")
    assert allied.dumps[where("B3.35")] == Dump("allied", 8)


@pytest.mark.rule("ocs/u-go.sr2")
def test_u_gos_japan_chooses_where_its_supply_arrives_and_the_allies_get_theirs_at_silchar():
    state = start("ocs/u-go")
    japan = begun(state, "reinforcement", "japanese", supply=[(4, 6)], replacement=ONES)
    assert (income(japan, "japanese"), tokens(japan)) == (6, tokens(state))
    assert codes(japan, "deliver 7 T to B12.21") == ["no-income"]
    assert codes(japan, "deliver 2 T to A7.09") == ["no-delivery"]
    part = at_once(japan, "deliver 2 T to B33.30")
    assert (income(part, "japanese"), part.dumps[where("B33.30")].tokens) == (4, 2)
    after = at_once(part, "done")
    assert (income(after, "japanese"), tokens(after) - tokens(state)) == (0, 6)
    assert after.dumps[where("B12.21")] == Dump("japanese", 4), "what nobody placed comes to Kalewa, the source"
    allied = begun(state, "reinforcement", "allied", supply=[(4, 6)], replacement=ONES)
    assert allied.dumps["silchar"].tokens - state.dumps["silchar"].tokens == 14


def test_supply_never_arrives_under_the_enemy():
    state = begun(start("ocs/u-go"), "reinforcement", "japanese", supply=[(4, 6)], replacement=ONES)
    held = state.place(replace(state.pieces["a/inf/48-17"], at=where("B12.21")))
    gone = held
    for piece in list(held.units("japanese")):
        if piece.at == where("B12.21"):
            gone = gone.put("pieces", piece.id, None)
    assert codes(gone, "deliver 2 T to B12.21") == ["no-delivery"]


@pytest.mark.rule("ocs/thursday.sr2", "ocs/thursday.sr5")
def test_thursdays_japan_gets_no_supply_on_a_turn_with_arrivals():
    state = start("ocs/thursday")
    assert income(begun(state, "reinforcement", "japanese", turn=2), "japanese") == 2
    third = begun(state, "reinforcement", "japanese", turn=3)
    assert (income(third, "japanese"), [e.unit for e in due(third, "japanese")]) == (0, ["j/inf/2-146-56"])


# units ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/learning.sr5-entry", "ocs/learning.sr5")
def test_learnings_four_units_enter_in_the_movement_phase_with_their_mp_spent():
    state = start("ocs/learning")
    assert begun(state, "reinforcement", "allied").pieces == state.pieces
    after = begun(state, "movement", "allied")
    spent = {
        "a/inf/37-23": 18,
        "a/tank/3_Ca": 84,
        "a/art/6": 60,
        "a/inf/2-19_Hy-23": 54,
    }  # 4.5 MP: the printed 3.5 cannot be
    for unit, twelfths in spent.items():
        piece = after.pieces[unit]
        assert (piece.at, piece.mode, piece.face, piece.spent) == (where("B3.35"), "move", "move", twelfths)
    printed = begun(start("ocs/learning", errata=False), "movement", "allied")
    assert printed.pieces["a/inf/2-19_Hy-23"].spent == 42
    assert begun(state, "movement", "allied", turn=2).pieces == state.pieces
    assert begun(after, "movement_barrage", "allied").pieces["a/art/6"].spent == 0


@pytest.mark.rule("ocs/u-go.sr5", "ocs/table.allied-reinforcements", "ocs/3.1", "ocs/3.1a")
def test_u_go_gets_the_silchar_arrivals_of_its_dates_and_japan_none():
    state = start("ocs/u-go")
    assert (
        begun(state, "reinforcement", "allied", turn=2, supply=ONES, replacement=ONES).pieces["a/hq/33_Corps"].at
        == "silchar"
    )
    assert not [e for e in script(state).entries if e.side == "japanese" or e.site == "ledo"]


@pytest.mark.rule("ocs/campaign-*.sr5", "ocs/table.*-reinforcements")
@pytest.mark.parametrize(("name", "first"), [("campaign-1", "03-05"), ("campaign-2", "03-15"), ("campaign-3", "04-19")])
def test_the_campaigns_take_the_whole_schedule_from_their_first_turn_on(name, first):
    state = start(f"ocs/{name}")
    rows = [r for r in read_rows("scenarios/ocs/schedule.csv") if r["date"] >= f"1944-{first}"]
    wanted = {(r["counter"], r["date"], r["site"]) for r in rows if r["counter"] not in state.pieces}
    calendar = state.markers["calendar"]
    assert {(e.unit, calendar[e.turn - 1], e.site) for e in script(state).entries} == wanted
    for turn in {e.turn for e in script(state).entries if e.side == "allied"}:
        after = begun(state, "reinforcement", "allied", turn=turn, supply=ONES, replacement=ONES)
        for entry in (e for e in script(state).entries if (e.turn, e.side) == (turn, "allied")):
            assert after.pieces[entry.unit].at == ("arakan" if entry.arakan else entry.site)


@pytest.mark.rule("ocs/3.1c")
def test_burma_3_1c_units_from_the_arakan_wait_off_the_map_to_be_flown_in():
    after = begun(start("ocs/u-go"), "reinforcement", "allied", turn=3, supply=ONES, replacement=ONES)
    assert [after.pieces[u].at for u in ("a/inf/161-5", "a/inf/RWK-5")] == ["arakan", "arakan"]
    assert at_once(after, "done").pieces["a/inf/161-5"].at == "arakan"


@pytest.mark.rule("ocs/2.1", "ocs/table.japanese-reinforcements")
def test_burma_2_1_mandalay_and_bhamo_and_the_edges_beside_them():
    state = start("ocs/campaign-1")
    after = begun(state, "reinforcement", "japanese", turn=3, supply=ONES, replacement=ONES)
    entry = due(after, "japanese")[0]
    assert {where("B39.02"), where("B39.03"), where("B37.01")} <= set(entry.where)
    assert codes(after, f"arrive {entry.unit} at A7.09") == ["no-entry"]
    assert codes(after, "arrive j/inf/3-113-56 at A56.01") == ["not-due"]
    there = at_once(after, f"arrive {entry.unit} at B37.01 in move mode")
    assert (there.pieces[entry.unit].at, there.pieces[entry.unit].face) == (where("B37.01"), "move")
    rest = at_once(there, "done")
    assert not due(rest, "japanese")
    assert all(e.unit in rest.pieces for e in due(after, "japanese"))
    bhamo = begun(state, "reinforcement", "japanese", turn=5, supply=ONES, replacement=ONES)
    assert {where("A56.01"), where("B62.29")} <= set(due(bhamo, "japanese")[0].where)


@pytest.mark.rule("ocs/thursday.sr5")
def test_sixteen_brigade_brings_its_loaded_mules():
    after = begun(start("ocs/thursday"), "reinforcement", "allied", turn=4)
    first, second = due(after, "allied")
    at = next(w for w in first.where)
    label = GAME.label(at)
    once = at_once(after, f"arrive {first.unit} at {label}")
    twice = at_once(once, f"arrive {second.unit} at {label}")
    mules = [t for t in twice.transport.values() if t.at == at and t.side == "allied"]
    assert [(t.kind, t.size, t.load) for t in mules] == [("mule", 4, 4)]


@pytest.mark.rule("ocs-series/13.6")
def test_series_13_6_a_blocked_entry_gives_way_to_the_nearest_hexes():
    after = begun(start("ocs/imphal"), "reinforcement", "japanese", turn=4, replacement=ONES)
    entry = due(after, "japanese")[0]
    enemies = [p for p in after.units("allied") if p.on_map and p.counter.type == "infantry"][:2]
    blocked = after
    for piece, hex_ in zip(enemies, entry.where, strict=True):
        blocked = blocked.place(replace(piece, at=hex_))
    free = GAME.options(blocked, GAME.options(blocked).partial.fill("kind", "arrive").fill("unit", entry.unit)).choices
    grid = blocked.board.grid
    assert {grid.distance(entry.where[0], c.value) for c in free} == {1}
    area = set(blocked.markers["area"])
    assert all(c.value in area and not area.issuperset(grid.adjacent[c.value]) for c in free), "at the map's edge"


@pytest.mark.rule("ocs-series/13.6")
def test_series_13_6_a_blocked_entry_never_leads_off_the_scenarios_map():
    """Learning's map ends with row B35: with B3.35 held, who enters there comes in beside it on that row."""
    state = start("ocs/learning")
    blocked = state.place(replace(state.pieces["j/inf/1-215-33"], at=where("B3.35")))
    entry = Entry("a/inf/37-23", "allied", 1, (where("B3.35"),))
    assert entries_open(state, entry) == (where("B3.35"),)
    assert set(entries_open(blocked, entry)) == {where("B2.35"), where("B4.35")}


# raw nerves -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/2.8")
@pytest.mark.parametrize(("label", "site", "so"), [("B39.22", "mandalay", True), ("B39.24", "mandalay", False)])
def test_burma_2_8_the_distance_that_touches_a_nerve(label, site, so):
    state = start("ocs/campaign-1")
    near = state.place(replace(state.pieces["a/inf/48-17"], at=where(label)))
    assert touched(near, site) is so
    gun = state.place(replace(state.pieces["a/art/17-17"], at=where(label)))
    assert not touched(gun, site)


@pytest.mark.rule("ocs/2.8")
def test_burma_2_8_a_touched_nerve_draws_units_by_two_dice_and_adds_two_to_the_rolls():
    state = start("ocs/campaign-1").with_(phase="combat", player="allied")
    near = state.place(replace(state.pieces["a/inf/48-17"], at=where("B39.22")))
    near = at_once(near.put("markers", "stops", "all"), "done")
    future = cup(near, "mandalay")
    assert len(future) == sum(e.site == "mandalay" for e in script(state).entries)
    assert "cup/bhamo" not in near.markers
    roller = Dice(arrivals=[(1, 2), (5,), (1,), (2,)], supply=[(5, 6)], replacement=[(6, 6)])
    after = GAME.apply(near.with_(phase="refit", player="japanese"), GAME.parse("done"), roller).state
    drawn = [future[4].unit, future[0].unit, future[2].unit]
    assert [e.unit for e in due(after, "japanese")] == drawn
    assert {e.unit for e in cup(after, "mandalay")} == {e.unit for e in future} - set(drawn)
    assert income(after, "japanese") == 5 * 4  # 11 + 2 counts as 12
    faces = [sides for stream, dice, sides in roller.asked if stream == "arrivals" and len(dice) == 1]
    assert faces == [len(future), len(future) - 1, len(future) - 2]


@pytest.mark.rule("ocs/2.8", "ocs/u-go.sr2", "ocs/u-go.sr5")
@pytest.mark.parametrize(("label", "bonus"), [("B32.19", 2), ("B30.20", 0)])
def test_burma_2_8_u_gos_rolls_take_the_bonus_too_though_no_unit_is_due_at_mandalay(label, bonus):
    """Of U-Go's map nine hexes lie within 20 of Mandalay: supply 5 and 6 rolled is 13, so 12, half of 5 SP."""
    state = start("ocs/u-go").with_(phase="combat", player="allied").put("markers", "stops", "all")
    near = at_once(state.place(replace(state.pieces["a/inf/48-17"], at=where(label))), "done")
    assert ("cup/mandalay" in near.markers) is bool(bonus)
    after = begun(near, "reinforcement", "japanese", supply=[(5, 6)], replacement=ONES)
    assert income(after, "japanese") == (10 if bonus else 8)
    battalion = begun(
        near.place(replace(near.pieces["j/inf/1-58-31"], at="dead_bn")),
        "reinforcement",
        "japanese",
        supply=ONES,
        replacement=[(2, 4)],
    )
    back = battalion.pieces["j/inf/1-58-31"].at
    assert (back == battalion.pieces["j/hq/31_Div"].at) is bool(bonus)  # 6 is none in U-Go, 8 a battalion


@pytest.mark.rule("ocs/2.8")
@pytest.mark.parametrize(("roll", "points"), [(9, 2), (11, 4), (12, 5), (13, 5), (14, 5)])
def test_burma_2_8_thirteen_or_more_counts_as_twelve(roll, points):
    assert supply_rolled(CHARTS, "japanese", roll) == points


# pools and marches off the map ----------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/sato.sr5")
def test_satos_pool_opens_on_8_may_on_a_one_or_two():
    state = start("ocs/sato")
    assert not due(begun(state, "reinforcement", "japanese", turn=6, replacement=ONES), "japanese")
    assert not due(begun(state, "reinforcement", "japanese", turn=7, arrivals=[(3,)], replacement=ONES), "japanese")
    two = begun(state, "reinforcement", "japanese", turn=7, arrivals=[(2,), (6,), (1,)], replacement=ONES)
    assert [e.unit for e in due(two, "japanese")] == ["j/art/1-53-53", "j/inf/1-128-53"]
    assert len(two.markers["pool/japanese"]) == 4


@pytest.mark.rule("ocs/sato.sr6", "ocs/imphal.sr6")
def test_a_unit_that_leaves_by_the_south_edge_comes_back_after_two_turns():
    state = start("ocs/sato").with_(turn=2, phase="movement", player="japanese")
    unit = "j/inf/1-214-33"
    out, back = where("A3.01"), "A13.01"
    assert codes(state, f"exit with {unit}, back at {back}") == ["no-way-off"]
    state = state.place(replace(state.pieces[unit], at=out))
    assert codes(state, f"exit with {unit}, back at A7.09") == ["no-way-off"]
    gone = at_once(state, f"exit with {unit}, back at {back}")
    assert gone.pieces[unit].at == "off_map"
    assert codes(gone.with_(turn=3), f"come back with {unit}") == ["no-way-on"]
    here = at_once(gone.with_(turn=4), f"come back with {unit}")
    assert (here.pieces[unit].at, here.pieces[unit].done) == (where(back), False)
    assert codes(here, f"come back with {unit}") == ["not-due"]


# the Hump -------------------------------------------------------------------------------------------------------------


def threatened(state, label="A15.13"):
    return state.place(replace(state.pieces["j/inf/1-58-31"], at=where(label)))


@pytest.mark.rule("ocs/3.10-when")
def test_burma_3_10_needs_a_japanese_within_14_hexes_and_west_of_the_chindwin():
    far = start("ocs/u-go").with_(phase="reinforcement", player="allied")
    for piece in list(far.units("japanese")):
        far = far.put("pieces", piece.id, None)
    assert codes(far, "divert the Hump") == ["hump-far"]
    east = far.place(replace(start("ocs/u-go").pieces["j/inf/1-58-31"], at=where("A20.05")))
    assert codes(east, "divert the Hump") == ["hump-far"]
    assert codes(east.place(replace(east.pieces["j/inf/1-58-31"], at=where("A15.13"))), "divert the Hump") == []


@pytest.mark.rule("ocs/3.10", "ocs/3.10-points", "ocs/u-go.sr6", "ocs/u-go.vp-hump")
def test_burma_3_10_the_die_is_the_re_and_japan_gets_two_points_once_a_turn():
    state = threatened(start("ocs/u-go")).with_(phase="reinforcement", player="allied")
    after = at_once(state, "divert the Hump", air=[(5,)])
    assert (after.markers["hump"], after.score["01/japanese/hump"].points) == (5, 2)
    assert codes(after, "divert the Hump") == ["hump-wait"]
    assert codes(after.with_(turn=2), "divert the Hump") == []
    assert "hump" not in begun(after, "cleanup", "allied").markers


@pytest.mark.rule("ocs/learning.sr6", "ocs/imphal.sr7", "ocs/thursday.sr6")
def test_how_many_diversions_a_scenario_allows():
    def bars(name, turns, turn):
        state = start(name).with_(phase="reinforcement", player="allied", turn=turn)
        unit = next(p for p in state.units("japanese") if p.counter.type == "infantry")
        return codes(
            state.place(replace(unit, at=where("A15.13"))).put("markers", "hump_turns", turns), "divert the Hump"
        )

    assert bars("ocs/learning", (), 1) == []
    assert "hump-used" in bars("ocs/learning", (1,), 4)
    assert bars("ocs/imphal", (1,), 3) == ["hump-wait"]
    assert bars("ocs/imphal", (1,), 4) == []
    assert "no-hump" in bars("ocs/thursday", (), 1)


@pytest.mark.rule("ocs/3.10-points")
def test_burma_3_10_campaigns_award_two_points_too():
    state = threatened(start("ocs/campaign-2")).with_(phase="reinforcement", player="allied")
    after = at_once(state, "divert the Hump", air=[(1,)])
    assert [(p.side, p.points) for p in after.score.values()] == [("japanese", 2)]


# Chindit Clearings ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/3.6d", "ocs/thursday.sr7", "ocs/campaign-1.sr7")
def test_burma_3_6d_where_and_how_many_clearings_the_allies_may_pick():
    """Piccadilly, Chowringhee and Broadway are legal, the last two at exactly 6 hexes."""
    state = start("ocs/thursday").with_(player="allied")
    assert state.markers["clearings"] == tuple(sorted(map(where, ("B44.30", "A46.07"))))
    for label, distance in (("A46.03", 2), ("B44.30", 6), ("A46.07", 6)):
        assert codes(state, f"clearings at {label}") == []
        assert state.board.grid.distance(where("A46.01"), where(label)) == distance
    assert codes(state, "clearings at A46.08") == ["no-clearing-there"]
    mountain = next(
        h
        for h in state.board.grid.disc(where("A46.01"), 6)
        if state.board.terrain[h] == "mountain" or h in railway(state, "japanese")
    )
    assert codes(state, f"clearings at {GAME.label(mountain)}") == ["no-clearing-there"]
    assert codes(state, "clearings at A46.03, A46.03") == ["too-many-clearings"]
    assert "no-clearings" in codes(state.with_(player="japanese"), "clearings at A46.03")
    assert "no-clearings" in codes(start("ocs/u-go").with_(player="allied"), "clearings at A46.03")
    picked = at_once(state, "clearings at A46.03, B44.30, A46.07")
    assert picked.markers["clearings"] == tuple(sorted(map(where, ("A46.03", "B44.30", "A46.07"))))


@pytest.mark.rule("ocs/3.6d", "ocs/2.5d", "ocs/sato.sr6", "ocs/3.10", "ocs/3.4c")
@pytest.mark.parametrize(
    ("name", "phase", "japanese", "allied"),
    [
        ("u-go", "setup", {"buffaloes"}, set()),
        ("learning", "setup", set(), set()),
        ("thursday", "setup", set(), {"clearings"}),
        ("campaign-1", "setup", {"buffaloes"}, {"clearings"}),
        ("campaign-3", "setup", set(), set()),
        ("u-go", "reinforcement", set(), {"divert", "rebuild", "fly_in"}),
        ("learning", "reinforcement", set(), {"divert", "fly_in"}),
        ("thursday", "reinforcement", set(), {"fly_in"}),
        ("u-go", "movement", set(), {"fly_in", "hump"}),
        ("sato", "movement", {"exit", "come"}, {"fly_in", "hump"}),
    ],
)
def test_only_what_the_scenario_has_for_the_side_is_offered(name, phase, japanese, allied):
    special = {"clearings", "buffaloes", "exit", "come", "divert", "rebuild", "fly_in", "hump"}
    for side, wanted in (("japanese", japanese), ("allied", allied)):
        state = start(f"ocs/{name}").with_(phase=phase, player=side)
        assert special & set(GAME.decision(state).kinds) == wanted, side


@pytest.mark.rule("ocs-series/5.7", "ocs/opt.2.5", "ocs-series/13.6")
def test_series_5_7_nobody_arrives_in_reserve_without_a_marker_or_in_a_hedgehog():
    unit, places = "j/inf/1-213-33", (where("B12.21"), where("B9.25"))
    entry = Entry(unit, "japanese", 1, places)
    state = start("ocs/u-go").with_(phase="reinforcement", player="japanese").put("markers", "due/japanese", (entry,))
    state = state.place(Piece(unit, "dead_bn"))
    order = f"arrive {unit} at B12.21 in reserve mode"
    assert codes(state, order) == []
    assert codes(state.put("markers", "reserve/japanese", None), order) == ["no-reserve-marker"]
    dug = state.put("hedgehogs", places[0], Hedgehog("japanese", 1))
    assert codes(dug, order) == ["hedgehog-reserve"]


@pytest.mark.rule("ocs/u-go.sr7")
def test_u_gos_ledo_box_takes_neither_units_nor_equipment():
    state = start("ocs/u-go").with_(phase="movement", player="allied")
    for start_ in ("silchar", where("A4.24")):
        assert "ledo" not in ends_for(state, start_)
    assert "ledo" not in equipment_uses(state)
    assert not any("ledo" in entry.where for entry in script(state).entries)
