"""The tree of records: append-only, a cursor, variations, re-rolls, the main line."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from toy import GAME, End, Put, duel, set_up

from burma_study.engine.dice import Roll
from burma_study.engine.records import Record, Tree
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError


def record(parent, text="x", digest="d", rolls=()):
    return Record(parent, "red", Put(text, 1), rolls, (), (), "enforce", digest)


def grown():
    """0 - 1 - 2 - 3, with 4 beside 2 and 5 below 4."""
    tree = Tree()
    for parent, text in ((0, "a"), (1, "b"), (2, "c"), (1, "d"), (4, "e")):
        tree.append(record(parent, text))
    return tree


def test_undo_and_redo_follow_the_way_last_taken():
    tree = grown()
    assert (tree.cursor, tree.path()) == (5, (0, 1, 4, 5))
    assert [tree.undo(), tree.undo(), tree.undo()] == [4, 1, 0]
    with pytest.raises(BurmaStudyError, match="nothing to undo"):
        tree.undo()
    assert [tree.redo(), tree.redo(), tree.redo()] == [1, 4, 5]
    with pytest.raises(BurmaStudyError, match="nothing to redo"):
        tree.redo()
    tree.go(3)
    tree.go(1)
    assert tree.redo() == 2, "now the way last taken leads over 2"


def test_an_order_from_an_inner_node_starts_a_variation_and_loses_nothing():
    tree = grown()
    assert tree.children(1) == (2, 4)
    assert (tree.name(2), tree.name(4), tree.name(0)) == ("", "variation 1", "start")
    assert len(tree) == 6


def test_the_main_line_is_the_first_until_another_is_promoted():
    tree = grown()
    assert tree.main_line() == (0, 1, 2, 3)
    tree.promote(5)
    assert tree.main_line() == (0, 1, 4, 5)
    assert tree.promoted == {1: 4}
    tree.promote(3)
    assert tree.main_line() == (0, 1, 2, 3)
    assert tree.promoted == {}


def test_an_identical_record_is_found_again_and_not_added():
    tree = grown()
    tree.go(1)
    assert tree.append(record(1, "b")) == 2
    assert len(tree) == 6


def test_the_same_order_with_other_dice_is_a_re_roll():
    tree = Tree()
    one, two, three = (Roll("battle", 1, "red", 0, (n,)) for n in (1, 2, 3))
    tree.append(record(0, "a", "d1", (one,)))
    tree.append(record(0, "b", "d2", (one,)))
    tree.append(record(0, "a", "d3", (two,)))
    tree.append(record(0, "a", "d4", (three,)))
    assert [tree.name(n) for n in (1, 2, 3, 4)] == ["", "variation 1", "re-roll 1", "re-roll 2"]


def test_unknown_nodes_are_named_with_what_there_is():
    tree = grown()
    for call in (tree.go, tree.children, tree.path, tree.__getitem__, tree.promote):
        with pytest.raises(BurmaStudyError, match="no node 9; the record has nodes 0 to 5"):
            call(9)
    with pytest.raises(BurmaStudyError, match="Node 0 is the start"):
        tree[0]


def test_a_re_roll_through_the_session_throws_other_dice_and_is_named():
    play = Session(GAME, set_up(side="blue"), seed="s")
    first = play.push(End())
    play.undo()
    again = play.push(End())
    assert again is first, "the same die falls again, so it is the same node"
    seen = [first.rolls]
    for n in range(1, 6):
        play.undo()
        rolled = play.push(End(), reroll=True)
        assert rolled.salt == n
        assert rolled.rolls not in seen
        seen.append(rolled.rolls)
        if rolled.rolls[0].dice != first.rolls[0].dice:
            assert play.tree.name(play.node).startswith("re-roll")


def test_the_log_reads_like_one():
    play = Session(GAME, set_up(("r1", "red", 2, 3), side="blue"), seed="s")
    play.push(End())
    play.push("march r1 by 3-4")
    die = play.tree[1].rolls[0].dice[0]
    assert list(play.lines()) == [f"blue: end [weather {die}]", "red: march r1 by 3-4"]


class Walk(RuleBasedStateMachine):
    """Any way of playing, undoing, jumping: every node keeps its state, and the tree agrees with a plain model."""

    @initialize(seed=st.text(max_size=5))
    def begin(self, seed):
        self.play = Session(GAME, duel(), seed=seed)
        self.model = {0: (None, self.play.state)}

    @rule(pick=st.integers(0, 10**6), again=st.booleans())
    def order(self, pick, again):
        orders = [o for k in self.play.decision.kinds for o in GAME.legal_orders(self.play.state, k)]
        parent, known = self.play.node, len(self.play.tree)
        self.play.push(orders[pick % len(orders)], reroll=again)
        if self.play.node == known:
            self.model[known] = (parent, self.play.state)
        assert self.model[self.play.node][0] == parent

    @precondition(lambda self: self.play.node != 0)
    @rule()
    def undo(self):
        self.play.undo()

    @precondition(lambda self: self.play.variations)
    @rule()
    def redo(self):
        node = self.play.node
        self.play.redo()
        assert self.model[self.play.node][0] == node

    @rule(pick=st.integers(0, 10**6))
    def go(self, pick):
        self.play.go(pick % len(self.play.tree))

    @rule(pick=st.integers(0, 10**6))
    def promote(self, pick):
        node = pick % len(self.play.tree)
        self.play.tree.promote(node)
        assert set(self.play.tree.path(node)) <= set(self.play.tree.main_line())

    @invariant()
    def states_stay(self):
        tree = self.play.tree
        assert len(tree) == len(self.model)
        assert self.play.state is self.model[self.play.node][1]
        for node, (parent, state) in self.model.items():
            assert tree.parent(node) == parent
            if node:
                assert tree[node].digest == state.digest
                assert node in tree.children(parent)

    def teardown(self):
        if hasattr(self, "play"):
            assert self.play.rerun() is None


TestWalk = Walk.TestCase
TestWalk.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
