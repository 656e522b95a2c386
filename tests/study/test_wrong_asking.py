"""Asking with values of the wrong type or name: an error of the family that quotes what was given, nothing else."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable
from typing import Any

import pytest

import burma_study
from burma_study.engine.asking import asked
from burma_study.engine.saves import read_save
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError, SaveError
from burma_study.games.ocs import differences, geometry, nets
from burma_study.games.ocs.line import load_line
from burma_study.games.ocs.play import Play
from burma_study.games.ocs.policies import play
from burma_study.games.ocs.policies.hold import Hold
from burma_study.games.ocs.shorthand import expand
from burma_study.games.ocs.story import luck, story
from burma_study.games.registry import game_of, play_of
from burma_study.rules.ocs.charts import chart_text, charts_for, own_chart
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.state import Rules
from burma_study.study import compact

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
        compact.unpack(text, play_of)


@pytest.mark.parametrize(
    ("kind", "slot", "text"), [("shell", "at", "x"), ("attack", "at", "A9.99"), ("done", "at", "x")]
)
def test_a_draft_takes_only_what_an_order_could_write(kind, slot, text):
    draft = Play.from_setup("ocs/learning", seed="1").draft(kind)
    with pytest.raises(BurmaStudyError, match=re.escape(repr(text if kind != "done" else slot))):
        draft.fill(slot, [text])


# every question with every wrong value --------------------------------------------------------------------------------

WRONG = [None, "", -1, 10**9, float("nan"), [], {}, object(), "no such label", True, b"x", ("a",), [None]]


class Given:
    """Sound values to ask with, made once."""

    def __init__(self) -> None:
        self.play = Play.from_setup("ocs/learning", seed="1")
        for _ in range(2):
            self.play.give("done")
        self.study = burma_study.load("ocs/learning")
        self.state = self.play.state
        self.look = self.play.look()
        self.picture = self.study.supply("japanese")
        self.board = self.state.board
        self.hex = self.board.index("B4.27")
        self.line = load_line("ocs/u-go")


UNIT = "j/inf/1-214-33"
QUESTIONS: dict[str, Callable[[Given], tuple[Callable[..., Any], tuple[Any, ...]]]] = {
    "load": lambda g: (burma_study.load, ("ocs/learning", "historical")),
    "rules": lambda g: (lambda rules: burma_study.load("ocs/learning", rules=rules), (Rules(),)),
    "unit": lambda g: (g.study.unit, (UNIT,)),
    "hex": lambda g: (g.study.hex, ("B4.27",)),
    "supply": lambda g: (g.study.supply, ("allied",)),
    "trace": lambda g: (g.study.trace, (UNIT,)),
    "explain": lambda g: (g.study.explain, (UNIT,)),
    "facts": lambda g: (g.study.facts, (UNIT,)),
    "reach": lambda g: (g.study.reach, (UNIT, "move", "mud")),
    "odds": lambda g: (g.study.odds, ("B3.26", [UNIT], None)),
    "with_rules": lambda g: (g.study.with_rules, (Rules(),)),
    "load_line": lambda g: (load_line, ("ocs/u-go", "history")),
    "line.at": lambda g: (g.line.at, (1,)),
    "line.track": lambda g: (g.line.track, (g.line.at(0).positions[0].unit,)),
    "line.orders": lambda g: (g.line.orders, (1,)),
    "nets.flow": lambda g: (nets.flow, (g.picture,)),
    "nets.carried": lambda g: (nets.carried, (g.picture,)),
    "nets.cut": lambda g: (nets.cut, (g.picture, [g.hex])),
    "nets.choke_points": lambda g: (lambda *a: nets.choke_points(*a[:2], among=a[2]), (g.picture, 3, [g.hex])),
    "nets.loss": lambda g: (lambda *a: nets.loss(*a[:2], by=a[2]), (g.picture, [g.hex], "battalion")),
    "nets.worst_set": lambda g: (lambda *a: nets.worst_set(*a[:2], among=a[2]), (g.picture, 1, [g.hex])),
    "nets.differences": lambda g: (nets.differences, (g.state, g.state, "allied")),
    "geometry.hex_polygon": lambda g: (geometry.hex_polygon, (g.board, g.hex)),
    "geometry.hex_point": lambda g: (geometry.hex_point, (g.board, g.hex)),
    "geometry.path_line": lambda g: (geometry.path_line, (g.board, [g.hex, g.hex + 1])),
    "geometry.area": lambda g: (geometry.area, (g.board, [g.hex])),
    "geometry.feature": lambda g: (geometry.feature, (geometry.hex_point(g.board, g.hex),)),
    "geometry.board_geojson": lambda g: (geometry.board_geojson, (g.board, [g.hex])),
    "geometry.net_geojson": lambda g: (geometry.net_geojson, (g.picture,)),
    "differences.changes": lambda g: (differences.changes, (g.state, g.state)),
    "differences.marks": lambda g: (differences.marks, (g.play, 0, 1)),
    "differences.summary": lambda g: (differences.summary, (g.state,)),
    "differences.compared": lambda g: (differences.compared, (g.state, g.state)),
    "own_chart": lambda g: (own_chart, ("surprise", chart_text("surprise"))),
    "charts_for": lambda g: (charts_for, ((("surprise", chart_text("surprise")),),)),
    "chart_text": lambda g: (chart_text, ("surprise",)),
    "look.at": lambda g: (g.look.at, (0, g.hex)),
    "look.unit": lambda g: (g.look.unit, (0, UNIT)),
    "look.trace": lambda g: (g.look.trace, (0, UNIT)),
    "look.supply": lambda g: (g.look.supply, (0, "allied")),
    "look.verdict": lambda g: (g.look.verdict, (0, UNIT)),
    "look.cut": lambda g: (g.look.cut, (0, "allied", g.hex)),
    "look.cut by": lambda g: (g.look.cut, (0, "allied", g.hex, "garrison")),
    "look.reach": lambda g: (g.look.reach, (0, UNIT, "move")),
    "look.fight": lambda g: (g.look.fight, (0, g.board.index("B3.26"), [UNIT], {})),
    "look.candidates": lambda g: (g.look.candidates, (0, g.hex, "regular")),
    "look.label": lambda g: (g.look.label, (g.hex,)),
    "play.go": lambda g: (g.play.go, (2,)),
    "play.give": lambda g: (g.play.give, ("nonsense",)),
    "play.seat": lambda g: (g.play.seat, ("allied", "human")),
    "play.name_variation": lambda g: (g.play.name_variation, (1, "x")),
    "play.draft": lambda g: (g.play.draft, ("move",)),
    "session.check": lambda g: (g.play.session.check, ("done", "japanese")),
    "session.options": lambda g: (g.play.session.options, (None, "")),
    "session.state_at": lambda g: (g.play.session.state_at, (1,)),
    "session.open": lambda g: (Session.open, ("no such file", game_of)),
    "Play.open": lambda g: (Play.open, ("no such file",)),
    "read_save": lambda g: (read_save, ("no such file", game_of)),
    "story": lambda g: (story, (g.play.session, 1)),
    "luck": lambda g: (luck, (g.play.session, 1)),
    "shorthand": lambda g: (expand, (g.play.session, "end")),
}


@pytest.fixture(scope="module")
def given() -> Given:
    return Given()


@pytest.mark.parametrize("name", QUESTIONS)
def test_each_argument_may_be_anything_and_only_the_family_of_errors_comes_of_it(given: Given, name: str) -> None:
    ask, sound = QUESTIONS[name](given)
    for place in range(len(sound)):
        for wrong in WRONG:
            values = (*sound[:place], wrong, *sound[place + 1 :])
            try:
                ask(*values)
            except BurmaStudyError as error:
                assert str(error)  # noqa: PT017 - any sentence will do
    given.play.go(2)


@pytest.mark.parametrize(
    ("name", "place", "wrong", "said"),
    [
        ("nets.cut", 0, None, "picture of cut is None, which should be Picture."),
        ("nets.cut", 1, [10**9], "There is no hex number 1000000000"),
        ("nets.differences", 2, "axis", "side of differences is 'axis'"),
        ("geometry.hex_point", 1, -1, "There is no hex number -1"),
        ("geometry.board_geojson", 0, "ocs", "board of board_geojson is 'ocs', which should be Board."),
        ("differences.changes", 1, [], "second of changes is [], which should be State."),
        ("line.at", 0, "3", "There is no step '3'"),
        ("with_rules", 0, "1999", "rules of with_rules is '1999', which should be Rules."),
        ("own_chart", 1, None, "the chart is None, and no CSV text"),
        ("odds", 1, None, "attackers of odds is None, which should be Iterable."),
    ],
)
def test_what_is_wrong_is_quoted_with_what_it_should_be(
    given: Given, name: str, place: int, wrong: Any, said: str
) -> None:
    ask, sound = QUESTIONS[name](given)
    with pytest.raises(BurmaStudyError) as error:
        ask(*sound[:place], wrong, *sound[place + 1 :])
    assert said in str(error.value)


def test_a_wrong_number_of_arguments_stays_a_type_error(given: Given) -> None:
    with pytest.raises(TypeError, match="positional argument"):
        nets.flow()
    with pytest.raises(TypeError, match="unexpected keyword"):
        given.study.supply("allied", colour="red")


def test_a_fault_of_our_own_is_not_laid_to_the_asker() -> None:
    def broken(name: str) -> int:
        return {}["ours"] + len(name)

    with pytest.raises(KeyError, match="ours"):
        asked(broken)("fine")
    with pytest.raises(BurmaStudyError, match="name of broken is 'ours'"):
        asked(broken)("ours")


def test_every_kind_of_order_that_is_offered_can_be_begun(given: Given) -> None:
    session = Play.from_setup("ocs/learning", seed="1", rules=Rules(enforcement="warn")).session
    offered = session.options().choices
    assert offered
    for choice in offered:
        assert session.options(session.options().take(choice.value)).partial.kind == choice.value


HEAD = {"v": 1, "at": ["ocs/learning", "historical"], "seed": "1", "orders": ["done"]}


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": [1]},
        {"players": "x"},
        {"titles": [1]},
        {"titles": None},
        {"rules": [1]},
        {"orders": [["done", float("inf")]]},
        {"orders": [["done", None]]},
        {"at": ["ocs/learning", "line:" + "9" * 5000]},
        {"at": ["ocs/u-go", "line:" + "9" * 5000]},
        {"at": ["ocs/u-go", "line:²"]},
    ],
    ids=lambda wrong: str(wrong)[:40],
)
def test_a_link_of_a_strange_form_ends_in_the_error_family(wrong):
    text = base64.urlsafe_b64encode(zlib.compress(json.dumps(HEAD | wrong).encode())).decode()
    with pytest.raises(BurmaStudyError):
        compact.unpack(text, play_of)


def test_a_title_under_a_number_without_end_names_nothing():
    packed = zlib.compress(json.dumps(HEAD | {"titles": {"9" * 5000: "x", "²": "y", "1": "z"}}).encode())
    assert dict(compact.unpack(base64.urlsafe_b64encode(packed).decode(), play_of).session.tree.titles) == {1: "z"}
