"""Messages that no page of ours sends: the widgets of every page stand, answer the next one, and raise nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from traitlets import TraitError

from burma_study.study import autosave
from burma_study.ui.compare import compare_page
from burma_study.ui.dashboard import Dashboard
from burma_study.ui.pages import line_page
from burma_study.ui.play import PlayPage, play_page

VALUES: tuple[Any, ...] = (
    *(None, True, -1, 10**30, 1.5, "", "x", "\0", "../../x", "9" * 5_000, [], [[]], ["a"], ["a", "b", "c"], {}),
    *({"a": 1}, [None, None], [1, 2], ["order", "x" * 10_000], ["slot", ["a", {}]], ["seed", -1], [["deep"] * 50] * 5),
)
DESK = (
    *sorted(name.removeprefix("_act_").replace("_", "-") for name in dir(PlayPage) if name.startswith("_act_")),
    *("hello", "__init__", "set", "", "x-y", "notice"),
)
COMPARE = (
    "pick-track",
    "pick-moment",
    "tab",
    "hex",
    "on",
    "stop",
    "same",
    "open",
    "open-kept",
    "restore",
    "hello",
    "x",
)
MAP = ("pick", "go", "share", "one", "drawn", "follow", "picture", "look", "ping", "pong", "nothing")
TRAITS = ("step", "selected", "unit", "layers", "link", "board", "film", "live", "juggle")


@pytest.fixture(autouse=True)
def nothing_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(autosave.VARIABLE, "")


@pytest.fixture
def play() -> PlayPage:
    return play_page("ocs/learning", seed="1944")


@pytest.fixture(scope="module")
def study() -> Dashboard:
    return line_page("ocs/u-go")


def say(widget: Any, content: Any) -> None:
    """As the comm hands it over."""
    widget._handle_custom_msg(content, [])


def set_trait(widget: Any, name: str, value: Any) -> None:
    """As the comm sets what a page changed."""
    data = {"method": "update", "state": {name: value}, "buffer_paths": []}
    widget._handle_msg({"content": {"data": data}, "buffers": []})


@pytest.fixture(autouse=True)
def no_error_on_the_way(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """The widgets' own dispatch logs what is raised; only a trait may refuse a value of another type."""
    yield
    raised = [r.exc_info for r in caplog.get_records("call") if r.exc_info and r.name != "burma_study.ui"]
    assert [e for e in raised if not isinstance(e[1], TraitError)] == []


def test_whatever_a_desk_is_told_it_answers_on(play: PlayPage) -> None:
    dice = random.Random(1)
    lines: list[Any] = [{"key": key, "value": value} for key in DESK for value in dice.sample(VALUES, 6)]
    lines += [{"key": value} for value in VALUES] + list(VALUES) + [{"value": 3}, {"key": "tab"}]
    for line in lines:
        say(play.desk, line)
        assert raw_texts([*play.selection.refusals, *(text for _, text in play.desk.notices)]) == [], line
    node = play.play.node
    say(play.desk, {"key": "tab", "value": "log"})
    assert json.loads(play.desk.content)["active"] == "log"
    say(play.desk, {"key": "done", "value": ""})
    assert play.play.node != node


def raw_texts(told: list[str]) -> list[str]:
    """Sentences that only quote what Python raised."""
    return [text for text in told if "could not be worked out" in text or "Error" in text]


def test_whatever_the_desk_of_a_comparison_is_told_it_answers_on() -> None:
    page, dice = compare_page("ocs/u-go"), random.Random(3)
    before = dict(page.moment), dict(page.shown), len(page.tracks)
    lines = [(key, value) for key in COMPARE for value in dice.sample(VALUES, 4)]
    lines += [(f"pick-{what}", value) for what in ("moment", "track") for value in (["first", -1], ["second", "99999"])]
    for key, value in lines:
        say(page.desk, {"key": key, "value": value})
        assert raw_texts([text for _, text in page.desk.notices]) == [], (key, value)
    assert (page.moment, page.shown, len(page.tracks)) == before
    say(page.desk, {"key": "pick-moment", "value": ["second", "0"]})
    assert page.moment["second"] == 0


def test_whatever_the_map_of_a_game_is_told_the_desk_answers_on(play: PlayPage) -> None:
    for key in MAP:
        for value in VALUES:
            say(play.map.layer, {key: value})
    for name in TRAITS:
        for value in VALUES:
            set_trait(play.map.layer, name, value)
    orders = len(play.play.session.tree)
    say(play.desk, {"key": "done", "value": ""})
    assert len(play.play.session.tree) == orders + 1


def test_whatever_a_study_is_told_it_steps_on(study: Dashboard) -> None:
    dice = random.Random(2)
    for value in VALUES:
        say(study.panel, value)
        for key in ("tab", "hex", "unit", "target", "odds", "loss", "choke", "best", "chart", "nothing"):
            say(study.panel, {"key": key, "value": value})
    for key in MAP:
        for value in dice.sample(VALUES, 6):
            say(study.map.layer, {key: value})
    for name in TRAITS:
        for value in dice.sample(VALUES, 6):
            set_trait(study.map.layer, name, value)
    before = study.panel.content
    set_trait(study.map.layer, "step", 1)
    set_trait(study.map.layer, "step", 4)
    assert study.map.layer.step == 4
    assert study.panel.content != before
