"""The frozen state: its digest follows every change, and it goes to plain JSON and back without loss."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, fields, replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burma_study.engine import digest as digest_module
from burma_study.engine.digest import entry_hash, moved
from burma_study.engine.frames import Frame
from burma_study.engine.pmap import Map
from burma_study.errors import BurmaStudyError, SaveError
from burma_study.rules.ocs.air.aircraft import air_types
from burma_study.rules.ocs.charts import chart_text
from burma_study.rules.ocs.counters import counters
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.state import (
    MODES,
    PHASES,
    SCALARS,
    TABLES,
    Aircraft,
    Base,
    Dump,
    Hedgehog,
    Piece,
    Rules,
    State,
    TraceSource,
    Transport,
    new_state,
    stack,
)

HEX = st.integers(0, 4277)
WHERE = HEX | st.sampled_from(["silchar", "ledo", "dead", "later"])
SIDE = st.sampled_from(["japanese", "allied"])
NAME = st.text("abcJ/-_123.", min_size=1, max_size=8)
SMALL = st.integers(0, 40)
COUNT = st.integers(1, 40)
PIECES = st.builds(
    Piece,
    st.sampled_from(sorted(counters())[::17]),
    WHERE,
    st.sampled_from(MODES),
    st.sampled_from(["combat", "move"]),
    st.integers(1, 4),
    st.booleans(),
    st.booleans(),
    st.integers(0, 2),
    SMALL,
    st.booleans(),
    st.booleans(),
)
SOURCES = st.builds(
    TraceSource, SIDE, HEX, st.sampled_from(["rail", "river", "ledo", "point", "roads"]), st.just(("us_chinese",))
)
VALUES = {
    "pieces": PIECES.map(lambda p: (p.id, p)),
    "dumps": st.tuples(WHERE, st.builds(Dump, SIDE, COUNT)),
    "transport": st.builds(Transport, NAME, SIDE, st.sampled_from(["truck", "mule"]), COUNT, WHERE, SMALL).map(
        lambda t: (t.id, t)
    ),
    "aircraft": st.builds(
        Aircraft, NAME, SIDE, st.sampled_from(sorted(air_types())), WHERE, st.integers(1, 2), st.booleans()
    ).map(lambda a: (a.id, a)),
    "hedgehogs": st.tuples(WHERE, st.builds(Hedgehog, SIDE, st.integers(1, 4))),
    "bases": st.tuples(WHERE, st.builds(Base, SIDE, st.integers(0, 3))),
    "markers": st.tuples(
        NAME, st.lists(SOURCES, min_size=1, max_size=2).map(tuple) | SMALL | st.tuples(HEX, NAME) | st.fractions()
    ),
    "score": st.tuples(NAME, SMALL),
}
PUTS = st.sampled_from(TABLES).flatmap(lambda t: st.tuples(st.just(t), VALUES[t], st.booleans()))
FRAMES = st.lists(
    st.builds(Frame, NAME, SIDE, st.just(("lose",)), st.just((("hex", 12), ("units", ("a", "b"))))), max_size=2
)
SETS = st.fixed_dictionaries(
    {},
    optional={
        "turn": COUNT,
        "phase": st.sampled_from(PHASES),
        "player": SIDE,
        "weather": NAME,
        "ground": st.sampled_from(State.WORDS["ground"]),
        "frames": FRAMES.map(tuple),
        "rules": st.builds(
            Rules, options=st.just(("opt3",)), user_charts=st.just((("surprise", chart_text("surprise")),))
        ),
    },
)


def built(changes):
    state = new_state("ocs/u-go")
    for change in changes:
        if isinstance(change, dict):
            state = state.with_(**change)
        else:
            table, (key, value), keep = change
            state = state.put(table, key, value if keep else None)
    return state


STATES = st.lists(PUTS | SETS, max_size=25).map(built)


@given(STATES)
def test_the_digest_equals_a_rebuild(state):
    assert state.total == state.rebuilt_total()
    assert state.digest == f"{state.total:032x}"


@given(STATES, PUTS)
def test_a_change_and_its_reverse_give_the_same_state_and_digest(state, change):
    table, (key, value), _ = change
    old = getattr(state, table).get(key)
    there = state.put(table, key, value)
    back = there.put(table, key, old)
    assert back == state
    assert back.digest == state.digest
    assert (there.digest == state.digest) == (there is state) == (old == value)


@given(STATES)
def test_a_state_comes_back_from_json_without_loss(state):
    again = GAME.load(json.loads(json.dumps(GAME.dump(state))))
    assert again == state
    assert again.digest == state.digest
    assert GAME.dump(again) == GAME.dump(state)


@settings(max_examples=30)
@given(st.lists(PUTS, max_size=12, unique_by=lambda c: (c[0], c[1][0])), st.randoms())
def test_the_digest_does_not_depend_on_the_order_of_changes(changes, random):
    puts = [c for c in changes if c[2]]
    shuffled = list(puts)
    random.shuffle(shuffled)
    assert built(puts).digest == built(shuffled).digest


@given(st.lists(PUTS, max_size=12))
def test_earlier_states_stay_as_they_were(changes):
    states, totals = [new_state("ocs/u-go")], []
    for change in changes:
        totals.append(states[-1].total)
        states.append(states[-1].put(change[0], *change[1]))
    assert [s.total for s in states[:-1]] == totals
    assert all(s.total == s.rebuilt_total() for s in states)


def test_what_is_remembered_of_hashes_never_shows(monkeypatch):
    """With a memory of two entries the sums are the same, and equal objects that are not the same one hash alike."""
    monkeypatch.setattr(digest_module, "_MEMO_LIMIT", 2)
    total = 0
    for n in range(50):
        total = moved(
            total, "pieces", f"p{n % 5}", Piece(f"p{n % 5}", n - 5) if n >= 5 else None, Piece(f"p{n % 5}", n)
        )
    assert total == sum(entry_hash("pieces", f"p{n % 5}", Piece(f"p{n % 5}", n)) for n in range(45, 50)) % 2**128


def test_the_digest_is_the_same_in_every_process():
    state = new_state("ocs/u-go").place(Piece("j/inf/2-215-33", 7)).with_(turn=3)
    assert state.rebuilt_total() == state.total
    assert entry_hash("pieces", "j/inf/2-215-33", Piece("j/inf/2-215-33", 7)) == KNOWN


KNOWN = 206395056901895691928420094662752423594


def test_every_field_of_the_state_is_in_the_digest_and_in_the_dump():
    assert {*TABLES, *SCALARS, "rules", "total"} == {f.name for f in fields(State)}
    assert {*GAME.tables, *GAME.scalars} == {f.name for f in fields(State)} - {"total"}


def test_a_state_is_frozen_and_unknown_names_are_refused():
    state = new_state("ocs/u-go")
    with pytest.raises(FrozenInstanceError):
        state.turn = 2
    with pytest.raises(AttributeError):
        state.put("pawns", "e2", 1)
    with pytest.raises(BurmaStudyError, match="no 'mood' to change"):
        state.with_(mood="good")
    assert replace(state, turn=1) == state


def test_a_stack_is_the_units_of_one_hex_by_id():
    state = built([])
    for id_, at in (("j/inf/2-215-33", 9), ("j/inf/1-215-33", 9), ("j/inf/3-215-33", "dead")):
        state = state.place(Piece(id_, at))
    assert [p.id for p in stack(state, 9)] == ["j/inf/1-215-33", "j/inf/2-215-33"]
    assert stack(state, 10) == ()


def test_a_dump_of_another_time_loads_with_defaults_and_passes_over_what_is_new():
    state = new_state("ocs/u-go").place(Piece("j/inf/2-215-33", 7))
    dump = GAME.dump(state)
    dump["scalars"] |= {"mood": "good"}
    del dump["scalars"]["air_ops"]
    dump["tables"]["pieces"][0][1] |= {"morale": 9}
    del dump["tables"]["pieces"][0][1]["fuelled"]
    del dump["tables"]["score"]
    assert GAME.load(dump) == state
    dump["tables"]["pieces"][0][1]["is"] = "Pawn"
    with pytest.raises(SaveError, match="'Pawn' is no type of this game"):
        GAME.load(dump)


def test_a_fraction_and_a_frozenset_survive():
    state = new_state("ocs/u-go").put("markers", "a", Fraction(1, 3)).put("markers", "b", Map({"x": (1, 2)}))
    assert GAME.load(json.loads(json.dumps(GAME.dump(state)))) == state
    assert isinstance(state, State)
