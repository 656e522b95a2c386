"""Asking with values of the wrong type or name: an error of the family that quotes what was given, nothing else."""

from __future__ import annotations

import base64
import re
import zlib

import pytest

import burma_study
from burma_study.errors import BurmaStudyError, SaveError
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.state import Rules
from burma_study.study import compact
from burma_study.study.play import Play
from burma_study.study.policies import play
from burma_study.study.policies.hold import Hold

NONSENSE = ["", "x", None, 7, b"ocs/u-go", ("a",)]


@pytest.fixture(scope="module")
def ugo():
    return burma_study.load("ocs/u-go")


@pytest.mark.parametrize("value", NONSENSE)
def test_what_is_no_name_is_quoted(ugo, value):
    for ask in (burma_study.load, ugo.unit, ugo.trace, ugo.explain, ugo.facts, ugo.reach, ugo.hex, ugo.supply):
        with pytest.raises(BurmaStudyError) as error:
            ask(value)
        assert repr(value) in str(error.value)


@pytest.mark.parametrize(
    "wrong", [{"version": "4"}, {"options": ("optx",)}, {"options": (3,)}, {"enforcement": "none"}]
)
def test_rules_that_do_not_exist_are_named(wrong):
    (value,) = wrong.values()
    with pytest.raises(BurmaStudyError, match="none of the rules'") as error:
        Rules(**wrong)
    assert repr(value[0] if isinstance(value, tuple) else value) in str(error.value)


class Strange(Hold):
    """Gives what is no order at all."""

    name = "strange"

    def __init__(self, gives):
        super().__init__()
        self.gives = gives

    def order(self, session, actor):
        if isinstance(self.gives, Exception):
            raise self.gives
        return self.gives


@pytest.mark.parametrize("gives", [7, "nonsense", ["done"], object(), GAME, KeyError("x"), RecursionError()])
def test_a_policy_that_gives_nonsense_is_noted_and_hold_plays_on(gives):
    game = Play.from_setup("ocs/learning", seed="1").session
    run = play(game, {side: Strange(gives) for side in ("japanese", "allied")}, most=5)
    assert (run.orders, run.why) == (5, "most")
    assert len(run.notes) == 5
    assert all(note.text.startswith("strange") and "old plays on" in note.text for note in run.notes)
    assert game.rerun() is None


def test_a_link_nested_without_end_is_none():
    text = base64.urlsafe_b64encode(zlib.compress(b"[" * 100_000)).decode()
    with pytest.raises(SaveError, match="cannot be read"):
        compact.unpack(text)


@pytest.mark.parametrize(
    ("kind", "slot", "text"), [("shell", "at", "x"), ("attack", "at", "A9.99"), ("done", "at", "x")]
)
def test_a_draft_takes_only_what_an_order_could_write(kind, slot, text):
    draft = Play.from_setup("ocs/learning", seed="1").draft(kind)
    with pytest.raises(BurmaStudyError, match=re.escape(repr(text if kind != "done" else slot))):
        draft.fill(slot, [text])
