"""Decisions as frames, check and apply, options, enforcement: on the toy game."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy import GAME, Decline, End, Intercept, Lose, March, Mode, Put, Token, duel, set_up

from burma_study.engine.dice import KeyedDice, NoDice, RecordedDice, Roll
from burma_study.engine.frames import Decision, Frame
from burma_study.engine.game import Partial
from burma_study.engine.orders import Several
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError, IllegalOrder


def session(state=None, seed="a"):
    return Session(GAME, state or duel(), seed=seed)


def codes(reasons):
    return [r.code for r in reasons]


def given_dice(*pairs, clock=(1, "red")):
    """Recorded battle rolls that give these dice."""
    return RecordedDice(Roll("battle", *clock, n, pair) for n, pair in enumerate(pairs))


def test_a_march_stops_for_the_enemy_to_decide():
    play = session()
    play.push("march r1 by 3-4-5")
    assert play.state.tokens["r1"].at == 4, "the march waits where it came beside the enemy"
    assert play.decision == Decision("blue", ("intercept", "decline"), play.state.frames[-1])
    assert [f.procedure for f in play.state.frames] == ["march", "interception"]


def test_after_declining_the_march_goes_on_by_itself():
    play = session()
    play.push("march r1 by 3-4-5")
    play.push("decline")
    assert play.state.tokens["r1"].at == 5
    assert play.state.frames == ()
    assert play.decision.actor == "red"


def test_only_the_actor_of_the_top_frame_may_order():
    play = session()
    play.push("march r1 by 3-4-5")
    assert codes(play.check("decline", "red")) == ["not-yours"]
    with pytest.raises(IllegalOrder, match="It is for blue to order now, not for red"):
        play.push("decline", "red")


def test_the_next_phase_is_refused_while_a_frame_is_open():
    play = session()
    play.push("march r1 by 3-4-5")
    for mode in ("enforce", "warn", "off"):
        play.push(Mode(mode))
        assert codes(play.check(End())) == ["decision-open"]
        with pytest.raises(IllegalOrder, match="blue has to decide about interception first: intercept, decline"):
            play.push(End())


def test_the_loser_chooses_among_several_and_need_not_choose_when_there_is_one():
    state = GAME.apply(duel(), March("r1", (3, 4)), NoDice()).state
    fought = GAME.apply(state, Intercept("b1"), given_dice((1, 1), (6, 6))).state
    assert fought.frames[-1].procedure == "losses"
    assert GAME.decision(fought).actor == "blue"
    assert GAME.decision(fought).kinds == ("lose",)
    after = GAME.apply(fought, Lose("b2"), NoDice()).state
    assert after.tokens["b2"] == Token("blue", 5, 1)
    assert after.frames == ()
    alone = GAME.apply(state, Intercept("b1"), given_dice((6, 6), (1, 1))).state
    assert alone.tokens["r1"] == Token("red", 4, 2), "red has one token there and loses it a step without being asked"
    assert alone.frames == ()


def test_a_token_lost_in_a_battle_within_a_march_ends_the_march():
    state = set_up(("r1", "red", 2, 1), ("b1", "blue", 5, 2))
    state = GAME.apply(state, March("r1", (3, 4, 5)), NoDice()).state
    state = GAME.apply(state, Intercept("b1"), given_dice((6, 6), (1, 1))).state
    assert "r1" not in state.tokens
    assert state.frames == ()


def test_every_reason_is_returned_not_only_the_first():
    play = session()
    reasons = play.check("march b1 by 4-6-7-8")
    assert codes(reasons) == ["not-mine", "gap", "too-far"]
    assert reasons[1].hexes == (6,)
    assert reasons[2].rule == "toy/march"
    with pytest.raises(IllegalOrder) as caught:
        play.push("march b1 by 4-6-7-8")
    assert [p.code for p in caught.value.problems] == ["not-mine", "gap", "too-far"]
    assert "at most 3 fields, not 4" in str(caught.value)
    assert play.node == 0, "a refused order changes nothing"


def test_warn_allows_and_marks_off_allows_and_hard_reasons_always_hold():
    play = session()
    play.push("mode warn")
    marked = play.push("march b1 by 4")
    assert codes(marked.reasons) == ["not-mine"]
    play.undo()
    play.push("mode off")
    assert play.push("march b1 by 4").reasons == ()
    for impossible in ("march x by 3", "march r1 by 3-4-20", "put x at 40"):
        with pytest.raises(IllegalOrder):
            play.push(impossible)


def test_changing_the_enforcement_is_a_record():
    play = session()
    record = play.push("mode off")
    assert (record.enforcement, record.events[0].key, record.events[0].new) == ("enforce", "mode", "off")


def test_several_orders_are_one_record_and_all_or_nothing():
    play = session()
    record = play.push_all([Put("x", 0), Put("y", 1, "blue", 4)], "history", note="Step 1")
    assert play.node == 1
    assert len(record.events) == 2
    assert (record.actor, record.note) == ("history", "Step 1")
    before = play.state
    with pytest.raises(IllegalOrder):
        play.push_all([Put("z", 2), Put("w", 99)])
    assert play.state is before
    assert codes(play.check(Several((Put("z", 2), Put("w", 99))))) == ["off-board"]


def test_a_later_order_of_several_is_checked_in_the_state_the_earlier_ones_leave():
    play = session()
    assert play.check(Several((March("r1", (3,)), March("r1", (2,))))) == ()
    play.push_all([March("r1", (3,)), March("r1", (2,))])
    assert play.state.tokens["r1"].at == 2
    assert codes(play.check(Several((March("r1", (3,)), March("r1", (5,)))))) == ["gap"]


def test_several_orders_stop_at_dice_and_at_a_decision():
    play = session(set_up(("r1", "red", 1, 2), ("b1", "blue", 9, 2), side="blue"))
    assert codes(play.check(Several((End(), March("r1", (2,)))))) == ["several-dice"]
    with pytest.raises(IllegalOrder, match="one at a time"):
        play.push_all([End(), March("r1", (2,))])
    play = session()
    assert "decision-open" in codes(play.check(Several((March("r1", (3, 4)), End()))))


def test_an_order_of_another_kind_or_game_is_refused_with_the_kinds_there_are():
    play = session()
    with pytest.raises(IllegalOrder, match="Did you mean march"):
        play.push("marsh r1 by 3")
    with pytest.raises(IllegalOrder, match="Write march TOKEN by PATH"):
        play.push("march r1 to 3")


def test_a_procedure_that_does_nothing_is_found():
    state = duel().with_(frames=(Frame("idle"),))
    with pytest.raises(BurmaStudyError, match="'idle' neither acts, asks nor closes"):
        GAME.apply(state, Mode("off"), NoDice())


def test_a_frame_names_its_locals_when_asked_for_another():
    with pytest.raises(KeyError, match="march has no local 'x'; it has path, token"):
        Frame("march", locals=(("path", ()), ("token", "r1")))["x"]


# options -----------------------------------------------------------------------------------------------------------


def test_options_build_an_order_slot_by_slot():
    play = session()
    first = play.options()
    assert (first.slot, [c.value for c in first.choices]) == ("kind", ["march", "end"])
    second = play.options(first.take("march"))
    assert (second.slot, [c.value for c in second.choices]) == ("token", ["r1", "r2"])
    third = play.options(second.take("r1"))
    assert (third.slot, third.many, third.complete) == ("path", True, None)
    assert [(c.value, c.cost, c.hexes) for c in third.choices] == [(1, 1, (1,)), (3, 1, (3,))]
    fourth = play.options(third.take(3))
    assert fourth.complete == March("r1", (3,))
    done = play.options(fourth.partial.finish("path"))
    assert (done.slot, done.complete) == ("", March("r1", (3,)))


def test_optional_slots_are_offered_and_free_ones_say_so():
    play = session()
    built = play.options(Partial("put", {"token": "x", "at": 3}))
    assert (built.complete, built.optional) == (Put("x", 3), ("side", "strength"))
    asked = play.options(built.partial, "strength")
    assert (asked.slot, asked.choices) == ("strength", None)
    assert play.options(asked.take(5)).complete == Put("x", 3, "red", 5)
    with pytest.raises(IllegalOrder, match="no part 'colour'"):
        play.options(built.partial, "colour")


def test_options_show_a_complete_but_illegal_order_as_not_complete():
    assert session().options(Partial("put", {"token": "x", "at": 77})).complete is None


def test_legal_orders_exist_only_for_enumerable_kinds():
    play = session()
    assert list(GAME.legal_orders(play.state, "end")) == [End()]
    assert len(list(GAME.legal_orders(play.state, "march"))) == 2 * (2 + 4 + 7), "paths of 1, 2, 3 within the board"
    assert list(GAME.legal_orders(play.state, "decline")) == [], "not now"
    with pytest.raises(BurmaStudyError, match="'put' are not listed in full"):
        list(GAME.legal_orders(play.state, "put"))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9), st.lists(st.integers(0, 10**6), min_size=5, max_size=40))
def test_a_random_walk_through_options_is_always_legal_and_keeps_the_invariants(seed, picks):
    """Every listed order applies; the digest equals a rebuild; undo and redo come back to the same states."""
    play = session(seed=str(seed))
    for pick in picks:
        orders = [o for k in play.decision.kinds for o in GAME.legal_orders(play.state, k)]
        assert orders, f"nothing to do in {play.state}"
        before, chosen = play.state, orders[pick % len(orders)]
        assert play.check(chosen) == ()
        record = play.push(chosen)
        assert record.digest == play.state.digest == f"{play.state.rebuilt_total():032x}"
        assert play.undo() is before
        assert play.redo().digest == record.digest
        assert all(t.strength > 0 for t in play.state.tokens.values())
    assert play.rerun() is None


def test_an_observer_sees_what_the_game_lets_him_see():
    play = session()
    assert set(play.view("red").tokens) == {"r1", "r2"}
    assert play.view() is play.state


def test_declining_is_no_order_when_nobody_asked():
    assert codes(session().check(Decline())) == ["not-now"]


def test_keyed_dice_give_the_same_weather_in_every_branch():
    first, second = session(seed="s"), session(seed="s")
    first.push(End())
    first.push(End())
    second.push("march r1 by 3")
    second.push(End())
    second.push("march b3 by 7")
    second.push(End())
    assert first.tree[first.node].rolls == second.tree[second.node].rolls
    assert GAME.apply(first.state, End(), KeyedDice("other")).rolls == ()


@pytest.mark.parametrize("order", [7, None, b"end", ["end"], 1.5])
def test_what_is_no_order_is_refused(order):
    play = session()
    with pytest.raises(IllegalOrder, match="is no order"):
        play.push(order)
    assert len(play.tree) == 1


@pytest.mark.parametrize("text", ["together:", "together:\n", "together:\n  \n"])
def test_orders_given_together_are_at_least_one(text):
    with pytest.raises(IllegalOrder, match="No order stands below"):
        session().push(text)


@pytest.mark.parametrize("node", ["0", None, 0.5, True, -1, 10**30])
def test_a_node_is_a_number_of_the_record(node):
    play = session()
    for ask in (play.go, play.state_at, play.tree.main_line):
        with pytest.raises(BurmaStudyError, match="no node"):
            ask(node)


@pytest.mark.parametrize("values", [{"token": "r9"}, {"token": None}, {"token": 7}, {"tokens": "r1"}])
def test_slots_filled_with_what_was_never_offered_are_an_error_of_the_asker(values):
    with pytest.raises(BurmaStudyError, match=r"what is offered|no part"):
        session().options(Partial("march", values))


def test_no_order_at_all_is_refused_and_makes_no_record():
    """`Several` of nothing would be an empty record."""
    play = Session(GAME, duel(), seed="s")
    for nothing in (Several(()), Several((Several(()),))):
        with pytest.raises(IllegalOrder, match="No order is given"):
            play.push(nothing)
        assert [r.code for r in play.game.check(play.state, nothing)] == ["nothing"]
    with pytest.raises(IllegalOrder, match="No order is given"):
        play.push_all([])
    for wrong in (Several((3,)), Several(None), Several("end")):
        with pytest.raises(IllegalOrder, match="is no order; give an order or its text"):
            play.push(wrong)
    assert len(play.tree) == 1
