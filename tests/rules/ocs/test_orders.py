"""Orders of OCS Burma: their text parses back, every reason has a sentence, history becomes a record."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_state import HEX, NAME, PUTS, SIDE, SMALL, STATES, WHERE

import burma_study
from burma_study.engine.dice import NoDice
from burma_study.engine.game import Partial
from burma_study.engine.orders import Several
from burma_study.engine.reasons import CATALOGUE as ENGINE_CATALOGUE
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError, IllegalOrder
from burma_study.games.registry import game_of
from burma_study.rules.ocs.counters import counters
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.orders import (
    NextStep,
    Place,
    Remove,
    SetAircraft,
    SetBase,
    SetDump,
    SetEnforcement,
    SetHedgehog,
    SetMarker,
    SetOption,
    SetSeries,
    SetTransport,
    orders_between,
)
from burma_study.rules.ocs.placing import PLACING
from burma_study.rules.ocs.reasons import CATALOGUE
from burma_study.rules.ocs.state import MODES, OPTIONS, PHASES, Dump, Piece, Rules, TraceSource, Transport, new_state

UNIT = "j/inf/2-215-33"
ENEMY = next(c.id for c in counters().values() if c.side == "allied" and c.type == "infantry")
FACE = st.sampled_from(["", "combat", "move"])
FLAG = st.booleans()
ORDERS = st.one_of(
    st.builds(Place, st.just(UNIT), WHERE, st.sampled_from(MODES), FACE, SMALL, FLAG, FLAG, SMALL, SMALL, FLAG, FLAG),
    st.builds(Remove, NAME, st.sampled_from(["unit", "transport", "aircraft"])),
    st.builds(SetDump, SIDE, SMALL, WHERE),
    st.builds(SetTransport, NAME, SIDE, st.sampled_from(["truck", "mule"]), SMALL, WHERE, SMALL, FLAG, SMALL, FLAG),
    st.builds(SetAircraft, NAME, SIDE, NAME, WHERE, SMALL, FLAG, FLAG),
    st.builds(SetHedgehog, SIDE, SMALL, WHERE),
    st.builds(SetBase, SIDE, st.integers(-1, 3), WHERE),
    st.builds(
        SetMarker, NAME, st.none() | SMALL | st.text() | st.lists(st.builds(TraceSource, SIDE, HEX, NAME)).map(tuple)
    ),
    st.builds(
        NextStep, SMALL, st.sampled_from(["", *PHASES]), SIDE | st.just(""), SIDE | st.just(""), NAME, NAME, NAME
    ),
    st.builds(SetEnforcement, st.sampled_from(["enforce", "warn", "off"])),
    st.builds(SetOption, st.sampled_from(OPTIONS), FLAG),
    st.builds(SetSeries, st.sampled_from(["1999", "v4.3"])),
)

BOOK = GAME.book
HAND = [kind.kind for kind in PLACING.orders]


@settings(max_examples=400)
@given(ORDERS)
def test_an_order_reads_back_from_its_text(order):
    assert "\n" not in order.text
    assert BOOK.parse(order.text) == order


@given(st.lists(ORDERS, min_size=1, max_size=4))
def test_orders_given_together_read_back_too(orders):
    together = Several(tuple(orders))
    assert BOOK.parse(together.text) == together


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (Place(UNIT, GAME.book["place"].form.slots["at"].read("B2.23")), "place j/inf/2-215-33 at B2.23"),
        (
            Place(UNIT, 0, "move", steps=2, dg=True, oos=True),
            "place j/inf/2-215-33 at B1.01 in move mode, 2 steps, disorganised, out of supply",
        ),
        (Place(UNIT, "silchar", face="move", stocks=0), "place j/inf/2-215-33 at silchar, move side up, stocks 0"),
        (SetDump("allied", 12, "ledo"), "dump allied 12 T at ledo"),
        (
            SetTransport("t1", "allied", "mule", 4, 0, 2, True),
            "transport t1, allied 4 T mule at B1.01, loaded 2 T, extender",
        ),
        (SetAircraft("c47", "allied", "C-47", "ledo", active=False), "aircraft c47, allied C-47 at ledo, inactive"),
        (NextStep(3, "movement", "japanese", weather="rain"), "next turn 3, movement phase of japanese, weather rain"),
        (SetMarker("reserve/allied", 2), "marker reserve/allied is 2"),
        (
            SetMarker("sources", (TraceSource("allied", 4, "rail"),)),
            'marker sources is [{"is": "TraceSource", "side": "allied", "hex": 4, "kind": "rail", "groups": []}]',
        ),
        (SetOption("opt3", False), "option opt3 off"),
    ],
)
def test_orders_read_like_a_log(order, text):
    assert order.text == text
    assert BOOK.parse(text) == order


def test_an_order_that_cannot_be_read_shows_the_form():
    with pytest.raises(IllegalOrder, match=r"Write place UNIT at AT\[ in combat\|move\|reserve\|strat\|exploit mode\]"):
        BOOK.parse(f"place {UNIT} on B2.23")
    with pytest.raises(IllegalOrder, match="Did you mean place"):
        BOOK.parse("plaice x at B2.23")
    with pytest.raises(IllegalOrder, match=r"B70\.01"):
        BOOK.parse(f"place {UNIT} at B70.01")


# check and apply ---------------------------------------------------------------------------------------------------


def off(phase="movement"):
    return new_state("ocs/u-go", Rules(enforcement="off"), phase=phase)


def at(label):
    return GAME.book["place"].form.slots["at"].read(label)


def codes(state, order):
    return [r.code for r in GAME.check(state, GAME.parse(order))]


def apply(state, order):
    return GAME.apply(state, GAME.parse(order), NoDice()).state


def test_history_places_freely_and_play_does_not():
    state = apply(off(), f"place {UNIT} at A47.28")
    assert state.pieces[UNIT] == Piece(UNIT, at("A47.28"))
    strict = apply(state, "enforcement enforce")
    assert codes(strict, f"place {UNIT} at A47.29") == ["set-up-only"]
    with pytest.raises(IllegalOrder, match="placed by hand only in set-up, not in the movement phase"):
        apply(strict, f"place {UNIT} at A47.29")
    assert codes(strict, "next turn 2") == ["set-up-only"]
    warned = GAME.apply(apply(strict, "enforcement warn"), Place(UNIT, at("A47.29")), NoDice())
    assert [r.code for r in warned.reasons] == ["set-up-only"]


def test_set_up_is_by_hand_also_under_enforcement_but_never_on_the_enemy_or_off_the_land(ground):
    nowhere = at("A47.30")
    ground(terrain={nowhere: "off"})
    state = new_state("ocs/u-go")
    assert {*HAND, "done"} <= set(GAME.decision(state).kinds)
    state = apply(state, f"place {UNIT} at A47.28")
    (reason,) = GAME.check(state, Place(ENEMY, at("A47.28")))
    assert (reason.code, reason.hexes) == ("enemy-there", (at("A47.28"),))
    assert GAME.say(reason) == f"A47.28 is held by the enemy: {UNIT}."
    assert codes(state, Place(UNIT, nowhere)) == ["off-terrain"]
    assert codes(apply(state, "enforcement off"), Place(UNIT, nowhere)) == []


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (Place("j/inf/none", 5), ["unknown-counter"]),
        (Place("j/inf/none", 5000, "run"), ["unknown-counter", "no-such-hex", "unknown-word"]),
        (Place(UNIT, "rangoon_box", stocks=7, steps=0), ["no-such-box", "not-within", "not-within"]),
        (Place(UNIT, 5, face="back"), ["unknown-word"]),
        (Remove(UNIT), ["not-in-play"]),
        (Remove(UNIT, "ship"), ["unknown-word"]),
        (SetDump("german", -1, "x"), ["unknown-word", "no-such-box", "not-within"]),
        (SetTransport("t", "allied", "ship", 0, 5), ["unknown-word", "not-within"]),
        (SetHedgehog("allied", 5, 5), ["not-within"]),
        (SetBase("allied", 4, 5), ["not-within"]),
        (SetAircraft("a", "allied", "C-47", 5, 3), ["not-within"]),
        (SetMarker("sources", 3), ["unknown-word"]),
        (SetOption("opt99", True), ["unknown-word"]),
        (SetSeries("v9"), ["unknown-word"]),
        (SetEnforcement("soft"), ["unknown-word"]),
    ],
)
@pytest.mark.parametrize("mode", ["enforce", "warn", "off"])
def test_what_cannot_be_is_refused_in_every_mode_with_all_reasons(order, expected, mode):
    state = new_state("ocs/u-go", Rules(enforcement=mode))
    reasons = GAME.check(state, order)
    assert [r.code for r in reasons] == expected
    assert all(r.hard for r in reasons)
    with pytest.raises(IllegalOrder) as caught:
        GAME.apply(state, order, NoDice())
    assert len(caught.value.problems) == len(expected)


def test_lesser_faults_are_reasons_too():
    state = new_state("ocs/u-go", turn=5)
    assert codes(state, SetTransport("t", "allied", "mule", 4, at("A47.28"), load=5)) == ["overloaded"]
    assert codes(state, NextStep(4)) == ["past"]


def test_every_order_does_what_it_says_and_undoes_with_its_opposite():
    state = off()
    for order, table, key in (
        ("dump allied 12 T at ledo", "dumps", "ledo"),
        ("transport t1, allied 4 T mule at ledo, loaded 2 T", "transport", "t1"),
        ("aircraft c47, allied c-47 at ledo", "aircraft", "c47"),
        ("hedgehog japanese level 2 at A47.28", "hedgehogs", at("A47.28")),
        ("base allied level 0 at A47.28", "bases", at("A47.28")),
        ("marker road_head is 7", "markers", "road_head"),
        ("score kohima is 4", "score", "kohima"),
        (f"place {UNIT} at dead", "pieces", UNIT),
    ):
        there = apply(state, order)
        assert key in getattr(there, table)
        for back in orders_between(there, state):
            there = apply(there, back)
        assert there == state
    assert apply(state, "dump allied 12 T at ledo").dumps["ledo"] == Dump("allied", 12)
    assert apply(state, "transport t, allied 4 T mule at ledo").transport["t"] == Transport(
        "t", "allied", "mule", 4, "ledo"
    )


def test_the_rules_in_force_are_changed_by_orders_that_stand_in_the_record():
    state = apply(apply(off(), "option opt3 off"), "series v4.3")
    assert not state.rules.has("opt3")
    assert state.rules.has("opt4")
    assert state.rules.version == "v4.3"
    assert apply(apply(state, "option opt3 on"), "series 1999").rules == off().rules


def test_the_next_step_is_refused_while_a_decision_is_open():
    from burma_study.engine.frames import Frame

    state = off().with_(frames=(Frame("losses", "allied", ("lose",)),))
    assert codes(state, "next turn 2") == ["decision-open"]
    with pytest.raises(IllegalOrder, match="allied has to decide about losses first"):
        apply(state, "next turn 2")


def test_options_lead_to_an_order_and_only_small_kinds_are_listed():
    state = off()
    first = GAME.options(state)
    assert set(HAND) <= {c.value for c in first.choices}
    built = GAME.options(state, GAME.options(state, Partial("place")).take(UNIT))
    assert (built.slot, built.choices) == ("at", None)
    done = GAME.options(state, built.take(at("A47.28")))
    assert done.complete == Place(UNIT, at("A47.28"))
    modes = GAME.options(state, done.partial, "mode")
    assert [c.value for c in modes.choices] == list(MODES)
    assert [o.mode for o in GAME.legal_orders(state, "enforcement")] == ["enforce", "warn", "off"]
    assert len(list(GAME.legal_orders(state, "option"))) == 2 * len(OPTIONS)
    with pytest.raises(BurmaStudyError, match="not listed in full"):
        list(GAME.legal_orders(state, "place"))


# catalogue ---------------------------------------------------------------------------------------------------------


def codes_in_source(folder):
    """Every code that a call of `because` names, with the parameters it gives."""
    for path in sorted(Path(folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "because" and node.args:
                code = node.args[0]
                if isinstance(code, ast.Constant):
                    names = {k.arg for k in node.keywords}
                    yield code.value, None if None in names else names - {"rule", "hard"}, path.name


@pytest.mark.parametrize("place", ["engine", "rules/ocs"])
def test_every_reason_has_its_sentence_and_the_sentence_its_parameters(place):
    known = {**ENGINE_CATALOGUE, **(CATALOGUE if place != "engine" else {})}
    found = list(codes_in_source(Path(burma_study.__file__).parent / place))
    assert len({code for code, _, _ in found}) >= 7
    for code, given_, file in found:
        assert code in known, f"{file}: no sentence for {code!r}"
        wanted = {name for _, name, _, _ in Formatter().parse(known[code]) if name} - {"hexes"}
        assert given_ is None or wanted <= given_, f"{file}: {code!r} lacks {wanted - given_}"


def test_catalogues_do_not_share_codes():
    from burma_study.rules.ocs.combat import texts as combat_texts
    from burma_study.rules.ocs.movement import reach_texts as movement_texts
    from burma_study.rules.ocs.reasons import PLACING

    parts = (ENGINE_CATALOGUE, PLACING, combat_texts.REASONS, movement_texts.TEXTS)
    assert len(set().union(*parts)) == sum(map(len, parts))


# a line of history as a record -------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(STATES, STATES)
def test_the_orders_between_two_states_lead_from_one_to_the_other(before, after):
    before = before.with_(rules=Rules(enforcement="off"), frames=())
    after = after.with_(rules=before.rules, frames=())
    state = before
    for order in orders_between(before, after):
        state = apply(state, order)
    assert state == after
    assert orders_between(after, after) == ()


def test_a_line_is_one_node_a_step_with_its_events(tmp_path):
    start = off("setup")
    session = Session(GAME, start, setup="ocs/u-go", setup_kind="line", seed="line")
    steps = [
        [Place(UNIT, at("B2.23")), Place(ENEMY, at("A47.28")), SetDump("allied", 20, at("A47.28"))],
        [NextStep(2), Place(UNIT, at("B2.24")), SetDump("allied", 16, at("A47.28"))],
        [NextStep(3), Place(UNIT, "dead")],
    ]
    for number, orders in enumerate(steps, 1):
        record = session.push_all(orders, "history", note=f"Step {number}")
        assert session.node == number
        assert (record.enforcement, record.note, len(record.events)) == ("off", f"Step {number}", len(orders))
    assert [e.kind for e in session.tree[2].events] == ["next", "moved", "dump"]
    path = tmp_path / "line.json.gz"
    session.save(path)
    again = Session.open(path, game_of)
    assert [again.state_at(n).digest for n in again.tree] == [session.state_at(n).digest for n in session.tree]
    assert again.rerun() is None
    assert again.header.data["counters/ocs.csv"]
    assert again.header.options[:2] == ("opt0", "opt1")


@given(st.lists(PUTS, max_size=5))
def test_nothing_is_hidden_on_this_map(changes):
    state = off()
    for table, (key, value), _ in changes:
        state = state.put(table, key, value)
    assert GAME.view(state, "japanese") is state
