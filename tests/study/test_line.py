"""The historical line of U-Go: the printed start, what may stand where, books that balance, and history's own score."""

from __future__ import annotations

import re
from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from math import ceil

import pytest

from burma_study.boards.board import load_board
from burma_study.boards.search import spread
from burma_study.datafiles import read_rows
from burma_study.engine.session import Session
from burma_study.errors import ScenarioError
from burma_study.games.ocs.line import INFLOWS, OUTFLOWS, lines, load_line
from burma_study.games.ocs.line_score import history_score
from burma_study.games.registry import game_of
from burma_study.rules.ocs.counters import counter
from burma_study.rules.ocs.movement.terrain import arc_costs
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.supply.trace import supply

LINE = load_line("ocs/u-go")
BOARD = load_board("ocs")
GRID = BOARD.grid
TURNS = ("03-15", "03-19", "03-22", "03-26", "03-29", "04-01", "04-05", "04-08", "04-12", "04-15")
FLOWS = read_rows("sources/history/u-go_flows.csv")
STEPS = pytest.mark.parametrize("step", LINE.steps, ids=lambda s: s.date)
DIVISION_17 = ("a/inf/48-17", "a/inf/63-17", "a/art/17-17", "a/inf/1_Wy-17", "a/inf/7-10_Ba-17", "a/inf/4-12_FF-17")


def side(unit: str) -> str:
    return "japanese" if unit.startswith("j/") else "allied"


def occupied(step, who=None):
    """Hex index to the units in it."""
    out = defaultdict(list)
    for p in step.positions:
        if p.on_map and (who is None or side(p.unit) == who):
            out[GRID.index(p.hex)].append(p.unit)
    return out


# the start and the calendar -------------------------------------------------------------------------------------------


def test_the_line_has_the_ten_turns_of_the_scenario():
    assert [s.date for s in LINE] == [f"1944-{t}" for t in TURNS]
    assert [s.turn for s in LINE] == list(range(1, 11))


def test_turn_1_is_the_printed_set_up_to_the_last_token():
    assert LINE.at(0).state.digest == start("ocs/u-go").digest


def test_every_printed_unit_of_the_set_up_stands_in_its_hex_on_15_march():
    printed = {
        r["counter"]: r["hex"]
        for r in read_rows("scenarios/ocs/u-go.units.csv")
        if r["setup"] == "historical" and r["kind"] == "unit" and r["hex"]
    }
    assert len(printed) == 77, "86 units of the set-up less nine that the rulebook gives only an area"
    assert {u: LINE.at(0).by_unit[u].hex for u in printed} == printed


@pytest.mark.parametrize(
    ("unit", "there"),
    [("j/inf/1-58-31", "A22.08"), ("a/inf/49-23", "A8.05"), ("j/inf/1-215-33", "B2.23"), ("a/inf/161-5", "off")],
)
def test_nobody_stands_at_an_events_end_on_the_day_it_begins(unit, there):
    """The first draft of the line had about 30 units up to 10 hexes ahead on turn 1."""
    assert LINE.at(0).by_unit[unit].hex == there


def test_a_position_rests_on_an_event_that_has_begun():
    events = {e.id: e for e in LINE.events}
    for step in LINE:
        for p in step.positions:
            if p.basis != "set-up":
                event = events[p.basis]
                assert event.start < step.date or event.arrival <= step.date, (p, event)
                assert p.unit in event.units
                assert p.confidence == event.confidence


def test_a_unit_that_has_arrived_is_at_the_events_hex_unless_the_hex_is_contested():
    events = {e.id: e for e in LINE.events}
    elsewhere = set()
    for step in LINE:
        contested = {u for c in step.contested for u in c.units}
        for p in step.positions:
            event = events.get(p.basis)
            if event and event.arrival <= step.date and p.hex != event.hex and p.unit not in contested:
                elsewhere.add((event.id, GRID.distance(GRID.index(p.hex), GRID.index(event.hex))))
    assert all(distance == 1 for _, distance in elsewhere), elsewhere


# what may stand where -------------------------------------------------------------------------------------------------


@STEPS
def test_no_hex_holds_both_sides(step):
    assert not set(occupied(step, "japanese")) & set(occupied(step, "allied"))


@STEPS
def test_stacking_is_at_most_ten_re_and_every_hex_is_land(step):
    for hex_, units in occupied(step).items():
        assert sum(counter(u).re for u in units) <= 10, GRID.label(hex_)
        assert BOARD.terrain[hex_] not in ("off", "lake")


@STEPS
def test_what_moves_on_wheels_or_tracks_stands_on_a_road_or_track(step):
    ways = BOARD.route_hexes("all_weather", "fair_weather", "track", "rail")
    for hex_, units in occupied(step).items():
        wheeled = [u for u in units if counter(u).move.mobility != "leg"]
        assert not wheeled or hex_ in ways, (GRID.label(hex_), wheeled)
    for carrier in step.carriers:
        if carrier.kind in ("truck", "wagon"):
            assert GRID.index(carrier.hex) in ways, carrier


@STEPS
def test_goods_lie_in_no_hex_of_the_enemy(step):
    held = {"japanese": set(occupied(step, "allied")), "allied": set(occupied(step, "japanese"))}
    for thing in (*step.dumps, *step.carriers, *step.hedgehogs, *step.bases):
        if thing.hex != "silchar":
            assert GRID.index(thing.hex) not in held[thing.side], thing


@STEPS
def test_a_contested_hex_has_both_sides_in_history_and_one_on_the_line(step):
    for c in step.contested:
        assert {side(u) for u in c.units} == {"japanese", "allied"}
        there = {u for u in c.units if c.stand[u] == c.hex}
        assert there
        assert len({side(u) for u in there}) == 1
        assert all(step.by_unit[u].hex == h for u, h in c.stand.items())
        assert all(GRID.distance(GRID.index(c.hex), GRID.index(h)) <= 2 for h in c.stand.values())


def test_the_contested_hexes_are_those_of_the_campaign():
    found = {(c.hex, s.date[5:]) for s in LINE for c in s.contested}
    assert {("A15.13", "03-19"), ("A13.12", "03-22"), ("A13.12", "03-26"), ("A15.21", "03-29")} <= found
    assert {("A10.21", t) for t in TURNS[6:]} <= found, "Kohima under siege"


# speed ----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def costs():
    state = start("ocs/u-go")
    return {m: arc_costs(state, m) for m in ("leg", "truck", "track")}


def test_every_march_is_within_the_allowance_by_the_rules_own_search(costs):
    """Move Mode MA, or twice that in Strat Mode; a unit short of MP may still move one hex (OCS 6.1)."""
    fields = {}
    for before, after in pairwise(LINE):
        for p in after.positions:
            was = before.by_unit[p.unit]
            if p.pace not in ("move", "strat"):
                continue
            face = counter(p.unit).move
            a, b = GRID.index(was.hex), GRID.index(p.hex)
            key = (face.mobility, a)
            fields[key] = fields.get(key) or spread(costs[face.mobility], [a])
            assert fields[key].cost(b) == p.mp12, (p, was.hex)
            assert p.mp12 <= face.ma * 12 * (1 if p.pace == "move" else 2), (p, was.hex)


def test_units_that_are_carried_or_appear_are_named_so_by_their_event():
    events = {e.id: e for e in LINE.events}
    for before, after in pairwise(LINE):
        for p in after.positions:
            moved = before.by_unit[p.unit].hex != p.hex
            assert moved == (p.pace != "stays"), p
            if p.pace == "carried":
                assert events[p.basis].kind == "lorry"
            if p.pace == "arrives":
                assert events[p.basis].kind in ("fly", "rail", "enter", "loss", "march")


# arrivals and losses --------------------------------------------------------------------------------------------------


def test_every_scheduled_unit_of_silchar_is_in_the_line_and_not_before_history_has_it():
    due = {
        r["counter"]
        for r in read_rows("scenarios/ocs/schedule.csv")
        if r["site"] == "silchar" and r["date"] <= "1944-04-15"
    }
    rows = {r["unit"]: r for r in read_rows("lines/ocs/u-go/arrivals.csv")}
    assert due == {u for u, r in rows.items() if r["scheduled"]}
    assert {u for u, r in rows.items() if not r["scheduled"]} == {"a/col/A-23-3", "a/col/B-23-3"}
    for unit, row in rows.items():
        first = next(s for s in LINE if s.by_unit[unit].hex != "off")
        assert (first.date, first.by_unit[unit].hex) == (row["date"], row["hex"])


def test_the_dead_of_the_line_are_dead_in_the_rulebooks_set_up_of_19_april():
    dead = {p.unit for p in LINE.at(9).positions if p.hex == "dead"}
    rows = {r["unit"]: r["in_line"] for r in read_rows("lines/ocs/u-go/losses.csv")}
    assert dead == {u for u, inside in rows.items() if inside == "yes"}
    later = start("ocs/sato")
    assert all(later.pieces[u].at == "dead" for u in rows)


def test_nobody_comes_back_from_the_dead():
    for before, after in pairwise(LINE):
        assert all(after.by_unit[p.unit].hex == "dead" for p in before.positions if p.hex == "dead")


# the rulebook's own set-up of 19 April --------------------------------------------------------------------------------


def test_15_april_agrees_with_the_rulebooks_set_up_of_19_april():
    """Short Scenario 4 stands four days later; a first draft had 68 of 88 units within 2 hexes and 84 within 4."""
    later = start("ocs/sato").pieces
    far = {}
    for p in LINE.at(9).positions:
        if p.on_map and p.unit in later and later[p.unit].on_map:
            far[p.unit] = GRID.distance(GRID.index(p.hex), later[p.unit].at)
    near = {n: sum(d <= n for d in far.values()) for n in (2, 4)}
    report = f"{near} of {len(far)}; farthest {sorted(far, key=far.get)[-5:]}"
    assert len(far) >= 88, report
    assert Fraction(near[2], len(far)) >= Fraction(68, 88), report
    assert Fraction(near[4], len(far)) >= Fraction(84, 88), report


# supply ---------------------------------------------------------------------------------------------------------------


def test_the_books_balance_from_turn_to_turn():
    for before, after in pairwise(LINE):
        now = {(s.side, s.holder): s.tokens for s in after.stocks}
        for s in before.stocks:
            assert s.after >= 0
            assert now.get((s.side, s.holder), 0) == s.after, (before.date, s)
        old = {(s.side, s.holder) for s in before.stocks}
        assert all(n == 0 for key, n in now.items() if key not in old)


@STEPS
def test_what_is_sent_is_received_and_what_is_captured_was_lost(step):
    for who in ("japanese", "allied"):
        flows = [s.flows for s in step.stocks if s.side == who]
        assert sum(f.get("sent", 0) for f in flows) == sum(f.get("received", 0) for f in flows)
    lost = {who: sum(s.flows.get("lost", 0) for s in step.stocks if s.side == who) for who in ("japanese", "allied")}
    taken = {who: sum(s.flows.get("captured", 0) for s in step.stocks if s.side == who) for who in lost}
    assert taken["japanese"] <= lost["allied"]
    assert taken["allied"] <= lost["japanese"]


@STEPS
def test_every_flow_has_its_reason_and_arithmetic(step):
    for s in step.stocks:
        assert set(s.flows) <= {*INFLOWS, *OUTFLOWS}
        for name, tokens in s.flows.items():
            sums = [int(n) for n in re.findall(r"(?:^|; )(\d+)T: ", s.reasons[name])]
            assert sum(sums) == tokens, (s.holder, name, s.reasons[name])


@STEPS
def test_loads_fit_their_carriers_and_the_books(step):
    books = {(s.side, s.holder): s for s in step.stocks}
    for c in step.carriers:
        assert 0 <= c.load <= c.capacity
        assert (books[(c.side, c.id)].tokens if (c.side, c.id) in books else 0) == c.load
    ids = {c.id for c in step.carriers}
    assert all(s.holder in ids for s in step.stocks if not s.on_ground and s.tokens)


def test_the_start_has_the_printed_stocks():
    printed = defaultdict(int)
    for r in read_rows("scenarios/ocs/u-go.units.csv"):
        if r["kind"] == "SP" and r["setup"] in ("historical", "both"):
            printed[(r["side"], r["hex"] or "silchar")] += int(r["tokens"])
    assert {(s.side, s.holder): s.tokens for s in LINE.at(0).stocks if s.tokens} == printed
    assert sum(printed.values()) == 108 + 56


@pytest.mark.parametrize(("index", "weight"), [(4, 22), (5, 22), (6, 22), (7, 22), (8, 22)])
def test_imphal_eats_one_token_for_two_re_from_the_day_the_road_is_cut(index, weight):
    """OCS 12.6c: 28 named units, eight battalions at half an RE: the garrison of the plain and nobody else."""
    (flow,) = [f for f in FLOWS if int(f["turn"]) == index + 1 and f["kind"] == "eat" and f["from"] == "A7.09"]
    units = flow["units"].split(";")
    assert len(units) == 28
    assert sum(counter(u).re for u in units) == weight
    stock = next(s for s in LINE.at(index).stocks if s.holder == "A7.09")
    assert stock.flows["eaten"] == ceil(weight / 2)
    hungry = {u for u, t in supply(LINE.at(index + 1).state, "allied").traces.items() if t.status == "out"}
    assert set(units) <= hungry
    kohima = {p.unit for p in LINE.at(index + 1).positions if p.hex in ("A9.22", "A10.21", "A8.22")}
    assert not set(units) & kohima


@pytest.mark.parametrize("turn", range(1, 10))
def test_what_is_used_is_charged_to_named_units_each_once_a_turn(turn):
    for kind in ("eat", "fuel"):
        named = [u for f in FLOWS if int(f["turn"]) == turn and f["kind"] == kind for u in f["units"].split(";") if u]
        assert len(named) == len(set(named)), (kind, turn)
    assert all(f["tokens"] or f["units"] for f in FLOWS if f["kind"] in ("eat", "fuel"))
    assert not any(f["units"] and side(f["units"]) != f["side"] for f in FLOWS)


def test_nobody_is_charged_a_meal_who_traces_supply():
    """But for Sangshak, fed from the air, and Kohima's last days alone: there the rules find a trace open."""
    wrong = set()
    for flow in (f for f in FLOWS if f["kind"] == "eat"):
        state = LINE.at(int(flow["turn"])).state
        traces = supply(state, flow["side"]).traces
        wrong |= {(flow["turn"], u) for u in flow["units"].split(";") if traces[u].status == "in"}
    kohima = {("9", f"a/inf/{name}") for name in ("3_As", "Ch", "Mah", "1_As", "RWK-5")}
    assert wrong == kohima | {("3", "a/para/152_Para"), ("3", "a/para/153_Gu_Para")}


def test_tanks_at_zubza_drink_from_dimapur_and_161_brigade_eats_once():
    (fuel,) = [f for f in FLOWS if f["kind"] == "fuel" and "a/tank/45_Cav" in f["units"]]
    assert fuel["from"] == "A4.24"
    assert "a/ac/11_Cav" in fuel["units"]
    assert [(f["turn"], f["from"]) for f in FLOWS if f["kind"] == "eat" and "a/inf/161-5" in f["units"]] == [
        ("7", "a/mule/1"),
        ("8", "a/mule/1"),
    ]


def test_fuel_is_paid_for_every_wheeled_unit_that_moved():
    for before, after in pairwise(LINE):
        moved = [p.unit for p in after.positions if p.pace in ("move", "strat")]
        wheeled = [u for u in moved if counter(u).move.mobility != "leg"]
        paid = sum(s.flows.get("fuel", 0) for s in before.stocks)
        assert paid == len(wheeled), (before.date, wheeled)


def test_buffalo_are_no_more_than_the_rule_lets_japan_exchange():
    """Burma 2.5d: up to 2.5 SP of the initial ones."""
    first = LINE.at(0).stocks
    assert sum(s.flows.get("received", 0) for s in first if s.holder.startswith("j/buffalo")) <= 10


# what the rules say of it ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def status():
    """Projected trace by date and unit."""
    out = {}
    for step in LINE:
        for who in ("japanese", "allied"):
            out |= {(step.date[5:], u): t.status for u, t in supply(step.state, who).traces.items()}
    return out


def test_17_division_is_cut_off_between_15_and_29_march(status):
    for unit in DIVISION_17:
        assert status["03-15", unit] == ("out" if unit == "a/inf/4-12_FF-17" else "in")
        assert [status[t, unit] for t in ("03-19", "03-22", "03-26")] == ["out"] * 3


def test_imphal_loses_its_trace_on_the_day_the_road_is_cut(status):
    garrison = ("a/hq/4_Corps", "a/art/6", "a/inf/80-20", "a/inf/1-23", "a/inf/123-5")
    assert {status["03-26", u] for u in garrison} == {"in"}
    for day in TURNS[4:]:
        assert {status[day, u] for u in garrison} == {"out"}, day


def test_kohima_traces_to_the_railhead_until_the_block_at_zubza_and_again_when_it_is_gone(status):
    """History shut the last two miles until 18 April; A10.21 and Jotsoma's A9.22 share a hexside of the road."""
    assert [status[t, "a/inf/3_As"] for t in TURNS] == ["in"] * 7 + ["out"] * 2 + ["in"]


def test_the_road_to_jotsoma_is_shut_from_8_april_and_open_on_the_15th(status):
    assert [status[t, "a/inf/161-5"] for t in TURNS[7:]] == ["out", "out", "in"]
    there = {u: LINE.at(9).by_unit[u].hex for u in ("a/inf/6-2", "a/tank/45_Cav", "a/inf/5-2", "a/inf/161-5")}
    assert there == {"a/inf/6-2": "A8.22", "a/tank/45_Cav": "A8.22", "a/inf/5-2": "A9.22", "a/inf/161-5": "A9.22"}
    assert LINE.at(7).by_unit["j/inf/3-138-31"].hex == "A8.22"
    assert LINE.at(9).by_unit["j/inf/3-138-31"].hex == "A9.23"


def test_31_division_outruns_its_supply(status):
    assert status["03-15", "j/hq/31_Div"] == "in"
    assert all(status[t, "j/inf/2-138-31"] == "out" for t in TURNS[3:])


# score ----------------------------------------------------------------------------------------------------------------


def test_historys_score_on_15_april():
    last = history_score(LINE)[-1]
    assert last["date"] == "1944-04-15"
    assert int(last["japanese_total"]) == 45, "six turns of the cut road at 4, and 21 for four places"
    assert int(last["allied_total"]) == 44, "three turns of the open road at 2, and 38 for four places"


def test_the_stored_score_is_what_the_function_gives():
    assert read_rows("lines/ocs/u-go/score.csv") == history_score(LINE)


def test_an_idle_japan_would_face_79():
    """Ten turns of an open road and all eight places."""
    first = history_score(LINE)[0]
    assert int(first["allied_places"]) + 10 * 2 == 79
    assert int(first["japanese_total"]) == 0


# texts ----------------------------------------------------------------------------------------------------------------


@STEPS
def test_a_caption_is_two_to_four_sentences_with_source_and_confidence(step):
    sentences = re.findall(r"[.!?](?= |$)", step.caption)
    assert 2 <= len(sentences) <= 5, step.caption
    assert step.sources
    assert step.confidence in ("high", "medium", "low")
    assert GRID.index(step.focus) >= 0
    assert step.hotspots
    assert step.watch


def test_every_event_is_cited_and_graded_and_names_real_counters():
    ids = [e.id for e in LINE.events]
    assert len(ids) == len(set(ids)) >= 150
    for e in LINE.events:
        assert e.start <= e.arrival
        assert e.sources
        assert e.confidence in ("high", "medium", "low")
        assert all(counter(u) for u in e.units)
        assert e.hex in ("silchar", "dead") or GRID.index(e.hex) >= 0


def test_the_ground_is_normal_all_the_way():
    assert {s.weather.ground for s in LINE} == {"normal"}
    assert all(s.state.ground == "normal" for s in LINE)


# the line as play -----------------------------------------------------------------------------------------------------


def test_orders_carry_the_line_through_the_engine():
    """From the set-up, each step's orders give the step's state exactly, and read back from their text.

    History asks nobody's leave: enforcement is off, which is the one thing that differs from the states of the line.
    """
    game = game_of("ocs")
    play = Session(game, start("ocs/u-go"), setup="ocs/u-go", setup_kind="line", seed="line")
    play.push("enforcement off")
    for index in range(1, len(LINE)):
        orders = LINE.orders(index)
        assert [game.parse(o.text) for o in orders] == list(orders)
        play.push_all(orders)
        wanted = LINE.at(index).state
        assert play.state.with_(rules=wanted.rules).digest == wanted.digest, LINE.at(index).date
    assert LINE.orders(0) == ()


def test_unknown_lines_steps_and_units_are_named():
    with pytest.raises(ScenarioError, match=r"no line 'dream' of 'ocs/u-go'; there is history of ocs/u-go"):
        load_line("ocs/u-go", "dream")
    with pytest.raises(ScenarioError, match="no line 'history' of 'ocs/imphal'"):
        load_line("ocs/imphal")
    with pytest.raises(ScenarioError, match=r"no step 10 .* use 0 to 9"):
        LINE.at(10)
    with pytest.raises(ScenarioError, match="no step -1"):
        LINE.at(-1)
    with pytest.raises(ScenarioError, match=r"'a/inf/48-71' is not in the history line.*48-17"):
        LINE.track("a/inf/48-71")
    assert lines() == {"ocs/u-go": ("history",)}
