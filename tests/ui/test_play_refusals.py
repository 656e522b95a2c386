"""Acts that a page never offers, as a hostile or outdated one may send them: one sentence each, and nothing changes."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import pytest

from burma_study.study import autosave, compact
from burma_study.ui.play import PlayPage, play_page


@pytest.fixture(autouse=True)
def nothing_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(autosave.VARIABLE, "")


@pytest.fixture(scope="module")
def page() -> PlayPage:
    """The Japanese movement of turn 1, with an order given and an order begun."""
    found = play_page("ocs/u-go", seed="1944")
    while found.play.state.phase != "movement":
        found.play.give("done")
    found.refresh()
    found.act("order", ["order", "mode j/inf/2-58-31 move"])
    found.act("kind", "dig-in")
    return found


def shown(page: PlayPage) -> dict[str, Any]:
    """What the desk shows, without what was refused."""
    content = dict(json.loads(page.desk.content))
    sections = [s for s in page.desk._last["sections"] if s["type"] != "refusal"]
    return {k: v for k, v in content.items() if k not in ("notices", "seq", "sections", "fresh")} | {"told": sections}


def stands(page: PlayPage) -> tuple[object, ...]:
    chosen, play = page.selection, page.play
    draft = chosen.draft.partial if chosen.draft else None
    return (
        *(play.id, play.node, len(play.session.tree), dict(play.players), set(play.taken), dict(play.lent)),
        *(page.tab, page.view.side, page.view.ring, page.view.log_rows, page._beside, page._running, page._replay),
        *(chosen.hex, list(chosen.chosen), chosen.formation, chosen.fuel, draft, dict(play.session.seats)),
    )


KEPT = {
    "about": {"v": 1, "at": ["ocs/u-go", "historical"], "seed": "1"},
    "rows": [[0, "done", 0]],
    "cursor": 0,
    "id": "x",
}
ACTS: dict[str, tuple[str, Any]] = {
    "compare with a node that there is not": ("compare", 9_999),
    "compare with a node before the first": ("compare", -1),
    "compare with history by number": ("compare", -2),
    "compare with a word": ("compare", "x"),
    "compare with nothing": ("compare", None),
    "go nowhere": ("go", 9_999),
    "go to a word": ("go", "x"),
    "name a node that there is not": ("entitle", [9_999, "x"]),
    "name a node and no name": ("entitle", [0]),
    "a tab that there is not": ("tab", "juggling"),
    "a tab that is a list": ("tab", ["orders"]),
    "a ring of nobody": ("ring", "throw j/hq/nobody"),
    "a side that there is not": ("side", ["side", "martian"]),
    "a side of nothing": ("side", None),
    "a seat for nobody": ("seat", ["allied", "nobody"]),
    "a seat of no side": ("seat", ["martian", "human"]),
    "a unit that there is not": ("unit", "j/inf/nobody"),
    "a unit that is a list": ("unit", []),
    "take a unit that there is not": ("take", "j/inf/nobody"),
    "lend to nobody": ("lend", ["33 Div", "nobody"]),
    "lend what there is not": ("lend", ["nobody", "hold"]),
    "a formation that there is not": ("formation", ["formation", "nobody"]),
    "a kind of order that there is not": ("kind", "juggle"),
    "a slot that there is not": ("slot", ["juggle", "x"]),
    "tick what there is not": ("tick", ["juggle", "x"]),
    "take back of nothing": ("back", "juggle"),
    "give what is not filled": ("give", ""),
    "an order of nonsense": ("order", ["order", "juggle"]),
    "an order of nothing": ("order", None),
    "an answer of nonsense": ("answer", "juggle"),
    "a mode for nobody": ("formation-mode", "juggle"),
    "a game of no scenario": ("start", ["start", "ocs/nothing|historical"]),
    "a game of no set-up": ("start", ["start", "ocs/u-go|juggle"]),
    "a game of a step beyond": ("start", ["start", "ocs/u-go|line:9999"]),
    "a file that is no file": ("open", ["x.save.gz", "!!!"]),
    "a file that is no game": ("open", ["x.save.gz", base64.b64encode(b"hello").decode()]),
    "a bomb": ("open", ["x.gz", base64.b64encode(gzip.compress(b"[]," * 9_000_000)).decode()]),
    "a kept file elsewhere": ("open-kept", "../../etc/passwd"),
    "a kept game without parts": ("restore", {}),
    "a kept game of nothing": ("restore", None),
    "a kept game of another form": ("restore", {**KEPT, "about": {"v": 9}}),
    "a kept game with a row too short": ("restore", {**KEPT, "rows": [[0]]}),
    "a kept game with a row of nothing": ("restore", {**KEPT, "rows": [None]}),
    "a kept game with an order that fails": ("restore", {**KEPT, "rows": [[0, "done", 0], [1, "juggle", 0]]}),
    "a kept game with another end": ("restore", {**KEPT, "digest": "0" * 12}),
    "a fuel that there is not": ("fuel", ["fuel", "juggle"]),
}


@pytest.mark.parametrize("kind", ACTS)
def test_a_refused_act_is_a_sentence_and_changes_nothing(page: PlayPage, kind: str) -> None:
    page.refresh()
    before, told = stands(page), shown(page)
    page.act(*ACTS[kind])
    assert page.selection.refusals
    assert "Traceback" not in page.selection.refusals[0]
    assert page.selection.refusals[0].rstrip().endswith((".", "?", "!")) or len(page.selection.refusals[0]) > 10
    assert stands(page) == before
    assert shown(page) == told
    page.act("tab", "orders")  # and the desk works on
    assert page.selection.refusals == []


def test_a_long_game_of_a_link_is_played_again_in_bursts_with_the_page_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    source = play_page("ocs/u-go", seed="1944")
    while source.play.state.phase != "movement":
        source.play.give("done")
    text = compact.pack(source.play)
    monkeypatch.setattr("burma_study.ui.play.BURST", 0.0)
    page = play_page("ocs/learning")
    first, content = page.play, lambda: json.loads(page.desk.content)
    page.follow(f"game={text}&hex=A23.09")
    bursts = 0
    while page._replay is not None:
        assert content()["running"]
        assert "is played again" in content()["notices"][0][1]
        assert page.play is first  # what is on the page stays until the other is there
        page.act("tab", "log")  # and it is alive
        page.act("on", page.desk.seq)
        bursts += 1
    assert bursts > 2
    assert not content()["running"]
    assert page.play.digest == source.play.digest
    assert page.selection.hex == source.play.state.board.index("A23.09")
    page.follow(f"game={text}")
    page.act("stop", "")
    assert page._replay is None
    assert not content()["running"]
