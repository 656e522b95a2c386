"""Loading, leapfrog, splitting, extenders, railways, boxes, the Ledo Road, blowing dumps; nothing is made or lost."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from movement_field import GRID, made
from moving_field import Loaded, codes, give, outcome, play, words

from burma_study.boards.board import Place, Route, load_board
from burma_study.engine.dice import KeyedDice
from burma_study.engine.game import Partial
from burma_study.engine.step import Step
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.goods.dumps import DUMPS
from burma_study.rules.ocs.goods.payment import take
from burma_study.rules.ocs.goods.rails import arriving, capacity_left, ends_for, weight
from burma_study.rules.ocs.goods.transport import loadable
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.state import Base, Dump, Piece, Rules, TraceSource, Transport

ROAD = [GRID.at(c, 30) for c in range(5, 45)]
HERE, NEAR, FAR = ROAD[5], ROAD[6], ROAD[20]
BRIGADE, HQ, COLUMN, BATTALION = "a/inf/63-17", "a/hq/4_Corps", "a/col/A-77-3", "j/inf/2-215-33"
MP = 12


@pytest.fixture(autouse=True)
def road(ground):
    """One all-weather road through jungle."""
    ground(made(routes=[("all_weather", ROAD)], rest="jungle"))


def with_transport(state, *points):
    for t in points:
        state = state.put("transport", t.id, t)
    return state


def carrier(kind="truck", size=8, load=0, at=HERE, id_="t", side="allied", **marks):
    return Transport(id_, side, kind, size, at, load, **marks)


def loading(*points, dumps=None, units=None, **rest):
    return with_transport(play(units or {}, "allied", "movement", dumps, **rest), *points)


# loading --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "version", "cost"),
    [("truck", "1999", 5), ("wagon", "1999", 2), ("wagon", "v4.3", 1), ("mule", "1999", 1), ("elephant", "1999", 1)],
)
@pytest.mark.rule("ocs-series/13.2f")
def test_series_13_2f_loading_costs_mp_whatever_the_amount(kind, version, cost):
    """A tenth of the allowance in series 4.3; wagons paid 2 MP before."""
    before = loading(carrier(kind), dumps={HERE: 12})
    state = give(before.with_(rules=Rules(version=version)), "load 7 T on t")
    assert (state.transport["t"].load, state.transport["t"].spent) == (7, cost * MP)
    assert state.dumps[HERE].tokens == 5


def test_burma_1_2_mules_pay_1_mp():
    assert "ocs/1.2" in outcome(loading(carrier("mule"), dumps={HERE: 4}), "load 1 T on t").rules


def test_series_13_2_no_more_than_it_carries_or_lies_there():
    state = loading(carrier(size=4, load=1), dumps={HERE: 2})
    assert codes(state, "load 4 T on t") == ["too-few-there"]
    assert codes(loading(carrier(size=4, load=3), dumps={HERE: 2}), "load 2 T on t") == ["no-room"]
    assert codes(state, "load 0 T on t") == ["no-amount"]
    assert codes(state, "load 1 T on x") == ["not-in-play"]
    assert codes(loading(carrier(size=4, done=True), dumps={HERE: 2}), "load 1 T on t") == ["no-time"]
    assert codes(loading(carrier(spent=41 * MP), dumps={HERE: 2}), "load 1 T on t") == ["no-time"]
    assert codes(loading(carrier(extender=True), dumps={HERE: 2}), "load 1 T on t") == ["extender"]
    assert codes(loading(carrier(side="japanese"), dumps={HERE: 2}), "load 1 T on t") == ["not-phasing"]


def test_series_12_2a_supply_set_down_is_not_picked_up_in_the_same_phase():
    state = loading(carrier(load=4), carrier("mule", id_="m"), units={BRIGADE: HERE}, dumps={HERE: 2})
    down = give(state, "unload 3 T from t")
    assert (down.dumps[HERE].tokens, loadable(down, "allied", HERE)) == (5, 2)
    assert codes(down, "load 3 T on m") == ["too-few-to-load"]
    assert "3 T were set down" in words(down, "load 3 T on m")
    assert give(down, "load 2 T on m").transport["m"].load == 2
    later = down.with_(turn=2)
    assert give(later, "load 5 T on m").transport["m"].load == 5


@pytest.mark.rule("ocs-series/12.2a")
def test_series_12_2a_supply_set_down_may_be_used_at_once_and_the_rest_still_loaded():
    """8T on the ground, 4 of them just set down: 3T spent are those, so 4 of the 5 left may be loaded."""
    state = give(loading(carrier(size=4, load=4), units={BRIGADE: HERE}, dumps={HERE: 4}), "unload 4 T from t")
    assert loadable(state, "allied", HERE) == 4
    step = Step(state, KeyedDice("use"), GAME.clock)
    take(step, "allied", HERE, 3)
    assert (step.state.dumps[HERE].tokens, loadable(step.state, "allied", HERE)) == (5, 4)
    take(step, "allied", HERE, 3)
    assert (step.state.dumps[HERE].tokens, loadable(step.state, "allied", HERE)) == (2, 2)


def test_series_13_2f_where_transport_unloads():
    loaded = carrier(load=4)
    assert codes(loading(loaded), "unload 4 T from t") == ["no-unloading"]
    for state in (
        loading(loaded, units={BRIGADE: HERE}),
        loading(loaded, dumps={HERE: 1}),
        loading(loaded).put("bases", HERE, Base("allied", 0)),
        loading(replace(loaded, at="silchar")),
    ):
        assert give(state, "unload 4 T from t").transport["t"].load == 0
    assert codes(loading(loaded, units={BATTALION: HERE}), "unload 4 T from t") == ["no-unloading"]
    assert codes(loading(loaded, units={BRIGADE: HERE}), "unload 5 T from t") == ["overload-off"]


@pytest.mark.rule("ocs/1.4f", "ocs-series/13.2f")
def test_burma_1_4f_a_river_port_is_no_port_to_unload_in(ground):
    board = ground(replace(made(rest="jungle"), places=(Place("Yuwa", HERE, "port"),)))
    assert HERE in board.places_of("port")
    assert codes(loading(carrier("mule", 4, 4)), "unload 4 T from t") == ["no-unloading"]


def test_burma_2_5d_buffaloes_neither_load_nor_unload():
    state = loading(carrier("buffalo", 4, 4), units={BRIGADE: HERE}, dumps={HERE: 4})
    for text in ("load 1 T on t", "unload 1 T from t"):
        assert codes(state, text) == ["buffaloes-carry-nothing"]


# splitting and merging ------------------------------------------------------------------------------------------------


def test_transport_splits_and_merges_with_its_load():
    state = give(loading(carrier(load=5, spent=12)), "split 2 T off t, loaded 1 T")
    assert state.transport["t"] == carrier(size=6, load=4, spent=12)
    assert state.transport["a/truck/1"] == carrier(size=2, load=1, spent=12, id_="a/truck/1")
    back = give(state, "merge a/truck/1 into t")
    assert back.transport == loading(carrier(load=5, spent=12)).transport
    assert codes(loading(carrier(load=7)), "split 3 T off t, loaded 1 T") == ["split-load"]
    assert codes(loading(carrier()), "split 8 T off t") == ["no-split"]
    assert codes(loading(carrier(), carrier("mule", id_="m")), "merge t into m") == ["no-merge"]
    assert codes(loading(carrier(), carrier(id_="u", at=NEAR)), "merge t into u") == ["no-merge"]


# extenders ------------------------------------------------------------------------------------------------------------


def linked(points):
    """Transport on a road with a source of trace supply on it."""
    return loading(points, markers={"sources": (TraceSource("allied", NEAR, "point"),), "stops": "all"})


@pytest.mark.rule("ocs-series/12.7")
def test_series_12_7_an_extender_is_formed_only_where_it_is_joined_to_a_source():
    assert codes(loading(carrier(size=20)), "form extender t") == ["no-link"]
    assert codes(linked(carrier(size=20)), "form extender t") == []
    enemy = linked(carrier(size=20)).place(Piece("j/inf/1-58-31", NEAR))
    assert codes(enemy, "form extender t") == ["no-link"]


def test_series_12_7_five_unloaded_points_form_an_extender_at_half_ma():
    state = give(linked(carrier(size=20)), "form extender t")
    assert (state.transport["t"].extender, state.transport["t"].spent) == (True, 45 * MP // 2)
    assert codes(state, f"move t by {GRID.label(NEAR)}") != []
    back = give(state, "break extender t")
    assert (back.transport["t"].extender, back.transport["t"].spent) == (False, 45 * MP)
    assert codes(back, "form extender t") == ["no-time"]


def test_series_12_7_what_forms_no_extender():
    assert codes(loading(carrier(size=16)), "form extender t") == ["extender-size"]
    assert codes(loading(carrier(size=20, load=1)), "form extender t") == ["extender-size"]
    assert codes(linked(carrier(size=20, spent=23 * MP)), "form extender t") == ["no-time"]
    assert codes(loading(carrier(size=20)), "break extender t") == ["no-extender"]


@pytest.mark.rule("ocs-series/12.7")
def test_series_12_7_an_extender_may_collapse_in_place_of_moving():
    """To a hex of its range from which trace supply is drawn: 5 MP of road and a hex beside, ten hexes and two."""
    state = linked(carrier(size=20, extender=True))
    after = give(state, f"collapse extender t to {GRID.label(ROAD[16])}")
    assert after.transport["t"] == carrier(size=20, at=ROAD[16], done=True)
    assert codes(state, f"collapse extender t to {GRID.label(ROAD[18])}") == ["no-collapse"]
    assert codes(linked(carrier(size=20, extender=True, spent=MP)), f"collapse extender t to {GRID.label(NEAR)}") == [
        "no-time"
    ]
    assert codes(linked(carrier(size=20)), f"collapse extender t to {GRID.label(NEAR)}") == ["no-extender"]


@pytest.mark.parametrize("kind", ["mule", "elephant"])
def test_burma_1_2_mules_and_elephants_form_no_extender(kind):
    assert codes(loading(carrier(kind, 20)), "form extender t") == ["no-extender-kind"]


# railways -------------------------------------------------------------------------------------------------------------

LINE = [GRID.at(c, 40) for c in range(5, 25)]
TOWN, END, MIDDLE = LINE[0], LINE[10], LINE[5]


def railway(ground, feature=(TOWN, END), **rest):
    """A railway of 6 points with villages, its source at the first hex."""
    board = made(rest="jungle")
    board = replace(
        board,
        routes=(Route("line", "rail", tuple(LINE), "allied"),),
        feature=tuple("village" if h in feature else "" for h in GRID),
    )
    ground(board)
    sources = (TraceSource("allied", TOWN, "rail"),)
    markers = {"sources": sources, "rail/allied": 6, "rail/ledo": 0, **rest.pop("markers", {})}
    return play(rest.pop("units", {}), "allied", "movement", rest.pop("dumps", None), markers=markers, **rest)


@pytest.mark.rule("ocs-series/13.3c")
def test_series_13_3_units_ride_between_railheads_in_move_mode(ground):
    state = railway(ground, units={BRIGADE: TOWN})
    piece = give(state, f"rail {BRIGADE} to {GRID.label(END)}").pieces[BRIGADE]
    assert (piece.at, piece.mode, piece.face, piece.done) == (END, "move", "move", True)
    assert codes(state, f"rail {BRIGADE} to {GRID.label(MIDDLE)}") == ["no-line"]


@pytest.mark.rule("ocs-series/6.1", "ocs-series/13.3")
def test_a_ride_ends_the_march_of_another_stack(ground):
    mate = "a/inf/48-17"
    walker = Piece(mate, MIDDLE, "move", "move", spent=12)
    state = railway(ground, units={BRIGADE: TOWN, mate: walker}).put("markers", "moving", (mate,))
    assert give(state, f"rail {BRIGADE} to {GRID.label(END)}").pieces[mate].done


def test_series_13_8c_an_engineer_capable_hq_on_the_railway_is_a_railhead(ground):
    for mode, face, found in (("combat", "combat", []), ("move", "move", ["no-line"])):
        state = railway(ground, units={BRIGADE: TOWN, HQ: Piece(HQ, MIDDLE, mode, face)})
        assert codes(state, f"rail {BRIGADE} to {GRID.label(MIDDLE)}") == found


@pytest.mark.rule("ocs-series/5.6")
def test_series_13_3_half_the_allowance_before_and_nothing_after(ground):
    """MA 5 in Move Mode: 2.5 MP before."""
    order = f"rail {BRIGADE} to {GRID.label(END)}"
    for spent, found in ((30, []), (36, ["rail-late"])):
        state = railway(ground, units={BRIGADE: Piece(BRIGADE, TOWN, "move", "move", spent=spent)})
        assert codes(state, order) == found
    for piece, code in [
        (Piece(BRIGADE, TOWN, dg=True), "rail-mode"),
        (Piece(BRIGADE, TOWN, "reserve"), "rail-mode"),
        (Piece(BRIGADE, TOWN, spent=12), "rail-mode"),
        (Piece(BRIGADE, TOWN, done=True), "done"),
    ]:
        assert codes(railway(ground, units={BRIGADE: piece}), order) == [code]


@pytest.mark.rule("ocs-series/13.3c")
def test_series_13_3_enemy_zones_stop_cargo_even_where_friends_stand(ground):
    beside = GRID.neighbours[MIDDLE][0]
    state = railway(ground, units={BRIGADE: TOWN, "a/inf/48-17": MIDDLE, BATTALION: beside})
    assert codes(state, f"rail {BRIGADE} to {GRID.label(END)}") == ["no-line"]


def test_series_4_7_capacity_is_shared_by_units_transport_and_supply(ground):
    """Six points are 24T: a brigade 4, 8T of trucks, 12T of supply; the next turn has six again."""
    state = railway(ground, units={BRIGADE: TOWN, BATTALION: GRID.at(50, 50)}, dumps={TOWN: 16})
    state = with_transport(state, carrier(at=TOWN, load=8))
    end = GRID.label(END)
    state = give(state, f"rail {BRIGADE} to {end}", f"rail t to {end}")
    assert capacity_left(state, "allied") == 24 - 4 - 8
    assert codes(state, f"freight 13 T from {GRID.label(TOWN)} to {end}") == ["no-capacity"]
    state = give(state, f"freight 12 T from {GRID.label(TOWN)} to {end}")
    assert (state.dumps[TOWN].tokens, state.dumps[END].tokens, state.transport["t"].load) == (4, 12, 8)
    assert capacity_left(state, "allied") == 0
    assert capacity_left(state.with_(turn=2), "allied") == 24


def test_series_12_2a_freight_neither_follows_nor_precedes_another_ride(ground):
    state = railway(ground, units={BRIGADE: TOWN}, dumps={TOWN: 4})
    state = with_transport(state, carrier(at=TOWN, load=4), carrier(at=END, id_="u"))
    freight = f"freight 4 T from {GRID.label(TOWN)} to {GRID.label(END)}"
    railed = give(state, freight)
    assert codes(railed, "load 4 T on u") == ["too-few-to-load"]
    loaded = give(state.put("transport", "t", carrier(at=TOWN)), "load 4 T on t")
    assert codes(loaded, f"rail t to {GRID.label(END)}") == ["rail-leapfrog"]
    unloaded = give(state, "unload 4 T from t", freight)
    assert codes(unloaded, freight) == ["too-few-to-load"]


@pytest.mark.parametrize(("unit", "tokens"), [(BRIGADE, 4), ("a/inf/7-10_Ba-17", 2), (COLUMN, 2)])
def test_burma_3_6a_a_column_weighs_half_when_carried(unit, tokens):
    assert weight(Rules(), Piece(unit, TOWN)) == tokens


# boxes and the Ledo Road ----------------------------------------------------------------------------------------------


def campaign(ground, **changes):
    """Campaign 2 in the Allied Movement Phase, on its own map."""
    ground(load_board("ocs"))
    return start("ocs/campaign-2").with_(phase="movement", player="allied", **changes)


def label_of(at):
    return at if isinstance(at, str) else GRID.label(at)


def test_burma_3_4a_where_lines_lead_from_the_boxes(ground):
    state = campaign(ground)
    silchar, ledo = ({label_of(w) for w in ends_for(state, box)} for box in ("silchar", "ledo"))
    assert silchar == {"A4.24", "A5.26", "A7.30", "A8.32", "A13.35", "ledo"}
    assert ledo == {"A4.24", "A5.26", "A7.30", "A8.32", "A13.35", "silchar"} | {
        "A35.35",
        "A36.35",
        "A37.35",
        "A38.34",
        "A39.35",
        "A40.34",
        "A41.35",
        "A42.34",
        "A43.35",
        "A44.34",
        "A45.34",
        "A45.33",
    }


def test_burma_3_4a_a_closed_box_is_left_alone(ground):
    ground(load_board("ocs"))
    state = start("ocs/u-go").with_(phase="movement", player="allied")
    state = state.place(Piece(BRIGADE, "silchar"))
    assert "ledo" not in ends_for(state, "silchar")
    assert codes(state, f"rail {BRIGADE} to ledo") == ["no-line"]
    assert give(state, f"rail {BRIGADE} to A4.24").pieces[BRIGADE].at == GRID.index("A4.24")


@pytest.mark.parametrize(("sent", "come"), [(12, 6), (1, 0), (3, 1), (4, 2)])
def test_burma_3_1b_half_of_what_goes_down_the_ledo_road_is_lost(ground, sent, come):
    """3 SP arrive as 1 SP and 2T; fractions of tokens are lost."""
    head = GRID.index("A40.34")
    before = campaign(ground).put("dumps", "ledo", Dump("allied", 40)).put("dumps", head, None)
    state = give(before, f"freight {sent} T from ledo to A40.34")
    assert state.dumps["ledo"].tokens == 40 - sent
    assert (state.dumps[head].tokens if head in state.dumps else 0) == come
    assert capacity_left(state, "ledo") == 12 - sent
    assert arriving("allied", "ledo", sent) == arriving("ledo", head, sent) == sent


def test_burma_3_8_the_ledo_road_carries_three(ground):
    state = campaign(ground).put("dumps", "ledo", Dump("allied", 40))
    assert codes(state, "freight 13 T from ledo to A40.34") == ["no-capacity"]
    assert codes(give(state, "freight 12 T from ledo to A40.34"), "freight 1 T from ledo to A35.35") == ["no-capacity"]


@pytest.mark.parametrize(
    ("kind", "found"),
    [("truck", ["no-way-out"]), ("mule", ["no-way-out"]), ("elephant", ["no-way-out"]), ("wagon", [])],
)
def test_burma_3_4a_trucks_and_mules_do_not_leave_by_the_ledo_road(ground, kind, found):
    state = with_transport(campaign(ground), carrier(kind, 4, at=GRID.index("A40.34")))
    assert codes(state, "rail t to ledo") == found
    inward = with_transport(campaign(ground), carrier(kind, 4, 4, at="ledo"))
    moved = give(inward, "rail t to A40.34").transport["t"]
    assert (moved.at, moved.load) == (GRID.index("A40.34"), 2)


def test_burma_3_4a_box_to_box_takes_no_capacity(ground):
    state = campaign(ground).put("dumps", "ledo", Dump("allied", 100)).put("dumps", "silchar", None)
    after = give(state, "freight 60 T from ledo to silchar")
    assert after.dumps["silchar"].tokens == 60
    assert [capacity_left(after, n) for n in ("allied", "ledo")] == [24, 12]


def test_burma_3_6b_a_chindit_back_in_a_box_leaves_play(ground):
    state = campaign(ground).place(Piece(COLUMN, GRID.index("A40.34"), "move", "move"))
    assert give(state, f"rail {COLUMN} to ledo").pieces[COLUMN].at == "gone"


# dumps ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "left"), [(1, 9), (2, 6), (3, 6), (4, 3), (5, 3), (6, 0)])
def test_series_12_11a_blowing_a_dump(die, left):
    state = loading(dumps={HERE: 12})
    after = give(state, f"blow 12 T at {GRID.label(HERE)}", dice=Loaded(die))
    assert (after.dumps[HERE].tokens if HERE in after.dumps else 0) == left


def test_series_12_11a_part_of_a_dump_and_once_a_phase():
    state = loading(dumps={HERE: 12})
    blow = f"blow 4 T at {GRID.label(HERE)}"
    after = give(state, blow, dice=Loaded(6))
    assert after.dumps[HERE].tokens == 8
    assert codes(after, blow) == ["blown-already"]
    assert codes(after.with_(phase="exploitation"), blow) == []
    assert codes(state, f"blow 13 T at {GRID.label(HERE)}") == ["not-within"]
    assert codes(state, f"blow 1 T at {GRID.label(NEAR)}") == ["no-dump"]
    reaction = state.with_(phase="reaction")
    assert codes(reaction, blow) == ["no-dump"]
    assert codes(reaction.with_(player="japanese"), blow) == []


@pytest.mark.parametrize(("die", "ground_left", "loaded_left"), [(1, 1, 8), (4, 0, 3), (6, 0, 0)])
@pytest.mark.rule("ocs-series/12.11a")
def test_series_12_11a_what_is_loaded_is_blown_too_and_the_transport_stays(die, ground_left, loaded_left):
    """12T, 8 of them on trucks, at 25, 75 and 100 percent: what lies on the ground goes first."""
    state = loading(carrier(size=8, load=8), carrier("buffalo", 4, 4, id_="b"), dumps={HERE: 4})
    after = give(state, f"blow 12 T at {GRID.label(HERE)}", dice=Loaded(die))
    dump = after.dumps.get(HERE)
    assert (dump.tokens if dump else 0, after.transport["t"].load) == (ground_left, loaded_left)
    assert (after.transport["t"].size, after.transport["b"].load) == (8, 4)
    assert codes(state, f"blow 13 T at {GRID.label(HERE)}") == ["not-within"]


def test_without_enforcement_nothing_is_loaded_split_or_merged_that_is_not_there():
    state = loading(carrier(load=4), carrier("mule", id_="m"), dumps={HERE: 2})
    state = state.with_(rules=replace(state.rules, enforcement="off"))
    for text in ("load 3 T on t", "unload 5 T from t", "split 8 T off t", "split 6 T off t", "merge t into m"):
        assert len(codes(state, text)) == 1, text
    assert give(state, "load 2 T on m").transport["m"].load == 2


# conservation ---------------------------------------------------------------------------------------------------------

USES = {"spent", "blown", "ate", "freight", "railed", "captured", "destroyed"}
KINDS = ("load", "unload", "split", "merge", "form-extender", "break-extender", "rail", "freight", "blow")
WORKS = ("fortify", "dig-in", "raze", "airstrip", "upgrade", "road", "refill", "eat", "eat-all")


def tokens(state):
    return sum(d.tokens for d in state.dumps.values()) + sum(t.load for t in state.transport.values())


def points(state):
    return sum(t.size for t in state.transport.values())


def steps(state):
    return sum(p.steps for p in state.pieces.values())


def amount(value):
    return 0 if value is None else getattr(value, "tokens", getattr(value, "load", 0))


def lost(events):
    """Tokens that events took off the board: what was spent or blown, and what the Ledo Road ate."""
    tables = [e for e in events if e.table in ("dumps", "transport")]
    return sum(amount(e.old) - amount(e.new) for e in tables if e.kind in USES)


def walk(state, dice, kinds):
    """A random legal order of one of the kinds, built slot by slot as the page does; None when there is none."""
    at = GAME.options(state, Partial(dice.choice(kinds)))
    while at.slot:
        if not at.choices:
            return None
        at = GAME.options(state, at.take(dice.choice(at.choices).value))
        if at.complete is not None and not (at.many and dice.random() < 0.3):
            return at.complete
    return at.complete


@pytest.mark.parametrize(
    ("scenario", "side"), [("ocs/campaign-2", "allied"), ("ocs/u-go", "japanese"), ("ocs/u-go", "allied")]
)
@pytest.mark.parametrize("seed", range(3))
def test_tokens_points_and_steps_are_conserved_over_random_play(ground, scenario, side, seed):
    """Tokens before are tokens after and tokens used; transport and steps neither come nor go."""
    ground(load_board("ocs"))
    dice, given = Random(seed), set()
    state = start(scenario).with_(phase="movement", player=side)
    for n in range(60):
        state = state if n % 30 else state.with_(phase="movement" if n < 30 else "supply")
        kinds = (*KINDS, *WORKS[:6]) if state.phase == "movement" else WORKS[6:]
        found = walk(state, dice, [k for k in kinds if k in GAME.decision(state).kinds])
        if found is None:
            continue
        after = GAME.apply(state, found, KeyedDice(f"{seed}/{n}"))
        assert tokens(state) == tokens(after.state) + lost(after.events), found.text
        assert (points(state), steps(state)) == (points(after.state), steps(after.state)), found.text
        assert GAME.parse(found.text) == found
        assert all(0 <= t.load <= t.size for t in after.state.transport.values())
        state = after.state
        given.add(found.kind)
    assert len(given) >= 4


def test_the_game_stops_in_reaction_for_a_dump_only_with_enemies_near():
    """Dumps may always be blown, but nobody wants to be asked in every Reaction Phase."""
    for enemy, idle in ((GRID.neighbours[HERE][0], False), (GRID.at(50, 60), True)):
        state = play({BATTALION: enemy}, "japanese", "reaction").put("dumps", HERE, Dump("allied", 4))
        assert DUMPS.idle["reaction"](state) == idle
        assert codes(state, f"blow 4 T at {GRID.label(HERE)}") == []
