"""The page of play asked directly: what each act shows, what it refuses, and that nothing is lost."""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from burma_study.errors import BurmaStudyError
from burma_study.games.ocs.edition import EDITION
from burma_study.games.ocs.play import Play
from burma_study.games.ocs.positions import counter_of
from burma_study.games.ocs.questions import answers
from burma_study.games.registry import play_of, uploaded
from burma_study.study import autosave, compact
from burma_study.study.play import Origin
from burma_study.ui.compare import compare_page
from burma_study.ui.play import TABS, PlayPage, play_page


@pytest.fixture(autouse=True)
def nothing_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(autosave.VARIABLE, "")


@pytest.fixture
def page() -> PlayPage:
    """The Japanese movement of turn 1."""
    found = play_page("ocs/u-go", seed="1944")
    while found.play.state.phase != "movement":
        found.act("done", "")
    return found


def on_to(page: PlayPage, phase: str) -> None:
    """End phases, and answer what is asked by the first answer, up to a phase."""
    for _ in range(60):
        if page.play.state.phase == phase:
            return
        if "done" in page.play.session.decision.kinds:
            page.act("done", "")
        else:
            page.act("answer", answers(page.play)[0]["ready"][0]["order"])
    pytest.fail(f"The game never comes to the phase {phase}.")


def content(page: Any) -> dict[str, Any]:
    return dict(json.loads(page.desk.content))


def pick(page: PlayPage, label: str) -> int:
    hex_ = page.play.state.board.index(label)
    page.picked("pick", hex_)
    return hex_


def texts(page: Any) -> str:
    return json.dumps(content(page)["sections"], ensure_ascii=False)


def test_every_tab_is_plain_data(page: PlayPage) -> None:
    pick(page, "A23.09")
    for key, _ in TABS:
        page.act("tab", key)
        assert content(page)["active"] == key
        assert content(page)["sections"]


def test_a_picked_stack_offers_its_ways_and_a_step_costs_little(page: PlayPage) -> None:
    start = pick(page, "A23.09")
    offered = json.loads(page.map.layer.moves)
    assert offered["from"] == start
    assert len(offered["ways"]) > 5
    cast, film = page.map.layer.cast, page.map.layer.film
    page.picked("go", offered["ways"][0][0])
    assert page.map.layer.cast == cast
    assert page.map.layer.film == film
    assert len(page.map.layer.tail) < 3_000
    assert page.map.step == len(page.map.film.frames) - 1


def test_a_long_section_is_told_once_until_a_browser_says_hello(page: PlayPage) -> None:
    pick(page, "A23.09")
    first = content(page)["sections"]
    page.act("tab", "orders")
    again = content(page)["sections"]
    numbered = {s["number"]: s for s in first if "number" in s}
    assert numbered
    assert {s["same"] for s in again if "same" in s} >= set(numbered)
    assert len(page.desk.content) < len(json.dumps(first))
    page.desk._handle_custom_msg({"key": "hello", "value": []}, [])
    assert content(page)["fresh"]
    assert all("same" not in s for s in content(page)["sections"])


def test_an_order_may_be_typed_as_one_would_say_it(page: PlayPage) -> None:
    page.act("order", ["order", "march 2-58-31 to Homalin"])
    assert page.play.session.tree[page.play.node].order.text == "move j/inf/2-58-31 by A23.10, A22.10"
    page.act("order", ["order", "march 2-58-31 to Delhi"])
    assert "Delhi" in page.selection.refusals[0]


def test_the_orders_that_the_readme_types_are_taken(page: PlayPage) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    march, attack = re.findall(r"`((?:march|attack) [^`]+)`", readme)
    for phase, order in (("movement", march), ("combat", attack)):
        on_to(page, phase)
        node = page.play.node
        page.act("order", ["order", order])
        assert page.selection.refusals == []
        assert page.play.node != node


def test_a_refused_act_says_every_reason_and_changes_nothing(page: PlayPage) -> None:
    node = page.play.node
    page.act("order", ["order", "attack A10.21 with j/inf/2-58-31"])
    refusal = next(s for s in content(page)["sections"] if s["type"] == "refusal")
    assert len(refusal["items"]) > 1
    assert page.play.node == node


def test_an_act_that_is_none_and_an_error_of_the_program_are_one_sentence(page: PlayPage) -> None:
    with pytest.raises(BurmaStudyError, match="juggle"):
        page.act("juggle", "")
    page.act("tab", "log")
    page.act("go", 9_999)
    assert content(page)["notices"][0][0] == "bad"
    assert "9999" in content(page)["notices"][0][1]


def test_an_order_is_built_and_given_and_its_draft_is_gone(page: PlayPage) -> None:
    page.act("kind", "dig-in")
    slot = page.selection.draft.plain()["slots"][0]
    page.act("slot", ["unit", slot["choices"][0]["value"]])
    page.act("give", "")
    assert page.selection.draft is None
    assert page.play.session.tree[page.play.node].order.kind == "dig-in"


def test_a_link_too_long_offers_the_file(page: PlayPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compact, "MOST_BYTES", 50)
    page.act("share", "")
    assert page.tab == "game"
    assert "download the file" in content(page)["notices"][0][1]


def test_a_link_opens_the_game_it_carries(page: PlayPage) -> None:
    pick(page, "A23.09")
    text = compact.pack(page.play)
    other = play_page("ocs/learning")
    other.follow(f"game={text}&hex=A23.09")
    assert other.play.digest == page.play.digest
    assert other.selection.hex == page.selection.hex


def test_stepping_back_on_the_map_moves_the_cursor_and_orders_there_start_a_variation(page: PlayPage) -> None:
    page.act("order", ["order", "mode j/inf/2-58-31 move"])
    last = page.play.node
    page.map.layer.step = page.map.step - 1
    assert page.play.node == last - 1
    page.act("order", ["order", "mode j/inf/3-58-31 move"])
    page.act("tab", "tree")
    assert "Variation 1" in texts(page)
    page.act("compare", last)
    marks = json.loads(page.map.layer.moves)["marks"]
    assert [m[1] for m in marks] == ["other"]


def test_a_variation_is_named_and_keeps_its_name_in_browser_and_file(page: PlayPage) -> None:
    page.act("order", ["order", "mode j/inf/2-58-31 move"])
    page.act("undo", "")
    page.act("order", ["order", "mode j/inf/3-58-31 move"])
    page.act("seat", ["allied", "hold"])
    page.act("tab", "tree")
    field = next(s for s in content(page)["sections"] if s.get("key") == "entitle")
    page.act("entitle", [field["slot"], "By the northern track"])
    assert "By the northern track" in texts(page)
    about, rows = compact.head(page.play), [compact.row(page.play, n) for n in range(1, len(page.play.session.tree))]
    for again in (compact.replay(about, rows, play_of, cursor=page.play.node), uploaded(page.play.to_bytes())):
        assert again.variation_name(int(field["slot"])) == "By the northern track"
        assert again.players == {"japanese": "human", "allied": "hold"}
    linked = compact.unpack(compact.pack(page.play), play_of)
    assert linked.players["allied"] == "hold"
    assert linked.digest == page.play.digest


def test_a_link_with_a_policy_that_is_no_more_leaves_its_seat_to_the_reader(page: PlayPage) -> None:
    about = compact.head(page.play) | {"players": {"allied": "wait for the Americans"}}
    again = compact.replay(about, [], play_of, cursor=0)
    assert again.players["allied"] == "human"
    assert "wait for the Americans" in again.session.notes[-1]


def test_history_stands_beside_the_game(page: PlayPage) -> None:
    page.act("beside-history", "")
    assert json.loads(page.map.layer.moves)["marks"] == []
    page.act("order", ["order", "move j/inf/2-58-31 by A22.09"])
    assert {m[1] for m in json.loads(page.map.layer.moves)["marks"]} == {"gone", "fresh"}
    page.act("beside-history", "")
    assert json.loads(page.map.layer.moves)["marks"] == []


def test_policies_play_in_bursts_that_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("burma_study.ui.play.BURST", 0.02)
    page = PlayPage(Play.at(Origin("ocs/learning"), seed="1", players={"japanese": "hold", "allied": "hold"}))
    assert content(page)["running"]
    nodes = len(page.play.session.tree)
    page.act("on", page.desk.seq - 1)
    assert len(page.play.session.tree) == nodes
    page.act("on", page.desk.seq)
    assert len(page.play.session.tree) > nodes
    page.act("stop", "")
    assert not content(page)["running"]
    labels = [b["label"] for b in content(page)["bar"]["buttons"]]
    assert any("play on" in label for label in labels)


def test_a_formation_gets_its_orders_at_once(page: PlayPage) -> None:
    page.act("formation", ["formation", "31 Div"])
    pick(page, "A14.13")
    before = len(page.play.session.tree)
    page.act("formation-march", "")
    assert len(page.play.session.tree) == before + 1
    assert page.play.session.tree[page.play.node].order.kind == "together"


def test_a_chosen_formation_is_lit_and_its_goal_is_no_reproach(page: PlayPage) -> None:
    pick(page, "A23.09")
    page.act("formation", ["formation", "31 Div"])
    units = EDITION.formations(page.play.state, "japanese")["31 Div"]
    assert page.selection.lit() == set(units)
    goal = pick(page, "A14.13")
    assert page.selection.refusals == []
    assert page.selection.goal == goal
    page.act("kind", "overrun")
    assert page.selection.lit() == set()


def test_the_goal_is_not_the_hex_that_a_stack_left(page: PlayPage) -> None:
    left = pick(page, "A23.09")
    there = json.loads(page.map.layer.moves)["ways"][0][0]
    page.picked("go", there)
    assert page.selection.goal == there
    page.act("undo", "")
    pick(page, "A23.09")
    page.act("order", ["order", f"march {page.selection.chosen[0].rpartition('/')[2]} to A22.09"])
    assert page.play.session.tree[page.play.node].order.kind == "move"
    assert page.selection.goal != left


def test_an_enemy_hex_is_said_to_be_attacked_in_the_combat_phase(page: PlayPage) -> None:
    pick(page, "B2.23")
    pick(page, "B3.24")
    first, *why = page.selection.refusals
    assert first == "B3.24 Tiddim is held by the enemy: attack it in the Combat Phase."
    assert why
    assert all(text.startswith("No overrun: ") for text in why)
    page.act("none", "")
    page.act("kind", "overrun")
    assert "Target: B3.23: " in texts(page)


def test_the_attack_opens_with_the_combat_phase_on_the_enemy_selected(page: PlayPage) -> None:
    hex_ = pick(page, "B3.24")
    on_to(page, "combat")
    assert page.selection.draft is not None
    assert page.selection.draft.kind == "attack"
    assert page.selection.draft.value("at") == hex_
    assert "of combat supply: " in texts(page)
    assert "as it comes" not in texts(page)
    page.act("cancel", "")
    assert "cannot be attacked now" not in texts(page)


def test_what_the_end_of_the_supply_phase_skips_is_open(page: PlayPage) -> None:
    assert content(page)["bar"]["who"] == "U-Go: Japanese to order (you)"
    assert not content(page)["bar"]["skipOpen"]
    on_to(page, "supply")
    assert content(page)["bar"]["skipOpen"]


def test_a_unit_in_move_mode_shows_its_move_side(page: PlayPage) -> None:
    unit = "j/inf/2-58-31"
    page.act("order", ["order", f"mode {unit} move"])
    lines = counter_of(page.play.state.pieces[unit]).lines
    assert f" {lines[1]}, move" in page.selection.words(unit)


def test_a_game_kept_in_the_browser_goes_on_with_its_seats(page: PlayPage) -> None:
    page.act("seat", ["allied", "hold"])
    rows = [compact.row(page.play, n) for n in range(1, len(page.play.session.tree))]
    about = compact.head(page.play) | {"players": page.play.players}
    kept = {"id": page.play.id, "about": about, "rows": rows, "cursor": page.play.node, "digest": page.play.digest[:12]}
    other = play_page("ocs/learning")
    other.act("restore", json.loads(json.dumps(kept)))
    assert other.play.digest == page.play.digest
    assert other.play.players["allied"] == "hold"
    assert other.play.id == page.play.id


def test_look_shows_rings_on_the_map(page: PlayPage) -> None:
    page.act("tab", "look")
    page.act("ring", "throw j/hq/33_Div")
    overlays = json.loads(page.map.layer.live)["overlays"]
    assert [o["title"] for o in overlays] == ["33 Div HQ throw"]
    page.act("tab", "orders")
    assert json.loads(page.map.layer.live)["overlays"] == []


def test_two_maps_show_what_is_otherwise() -> None:
    page = compare_page("ocs/u-go")
    for side in ("first", "second"):
        assert json.loads(page.maps[side].layer.moves)["marks"]
    assert page.maps["first"].layer.group == page.maps["second"].layer.group
    page.act("pick-moment", ["second", "0"])
    assert json.loads(page.maps["second"].layer.moves)["marks"] == []
    page.add(Play.from_setup("ocs/u-go"), "my game")
    page.act("tab", "sums")
    assert "my game" in json.dumps(content(page))
    page.act("open", ["broken.save.gz", "bm90aGluZw=="])
    assert content(page)["notices"][0][0] == "bad"


HOSTILE: dict[str, tuple[str, Any]] = {
    "an act that there is not": ("juggle", 1),
    "a track that there is not": ("pick-track", ["second", "9"]),
    "a track before the first": ("pick-track", ["second", "-1"]),
    "a track of no side": ("pick-track", ["third", "0"]),
    "a track of nothing": ("pick-track", None),
    "a moment that there is not": ("pick-moment", ["second", "99"]),
    "a moment of no side": ("pick-moment", ["third", "0"]),
    "a moment that is a word": ("pick-moment", ["first", "x"]),
    "the same turn as nobody": ("same", "third"),
    "a tab that there is not": ("tab", "juggling"),
    "a hex off the map": ("hex", 10**9),
    "a hex before the first": ("hex", -2),
    "a file that is no file": ("open", ["x.save.gz", "!!!"]),
    "a kept file elsewhere": ("open-kept", "../../etc/passwd"),
    "a kept game of nothing": ("restore", None),
    "a kept game without parts": ("restore", {}),
    "a kept game that fails late": (
        "restore",
        {"about": {"v": 1, "at": ["ocs/u-go", "historical"], "seed": "1"}, "rows": [[0, "done", 0], [1, "juggle", 0]],
         "cursor": 0, "title": "x"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_an_act_that_the_comparison_refuses_changes_nothing(kind: str) -> None:
    page = compare_page("ocs/u-go")
    page.act("tab", "units")
    page.act("hex", 100)

    def stands() -> tuple[Any, ...]:
        shown = dict(page.desk._last)
        return shown, len(page.tracks), dict(page.shown), dict(page.moment), page.hex, page._replay

    before = stands()
    page.act(*HOSTILE[kind])
    assert content(page)["notices"][0][0] == "bad"
    assert stands() == before
    page._heard("pick", 10**9)  # and the same from the map
    assert content(page)["notices"][0][0] == "bad"
    assert stands() == before
    page.act("pick-moment", ["second", "0"])
    assert content(page)["notices"] == []


def test_a_game_kept_in_the_browser_is_compared_in_bursts_with_the_page_alive(
    page: PlayPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = page.play
    last = len(play.session.tree) - 1
    game = {"about": compact.head(play), "rows": [compact.row(play, n) for n in range(1, last + 1)], "cursor": last,
            "title": "Mine", "digest": play.digest[:12]}  # fmt: skip
    monkeypatch.setattr("burma_study.ui.compare.BURST", 0.0)
    beside = compare_page("ocs/u-go")
    beside.act("restore", game)
    bursts = 0
    while beside._replay is not None:
        assert content(beside)["running"]
        assert "is played again" in content(beside)["notices"][0][1]
        assert len(beside.tracks) == 1
        beside.act("tab", "units")  # it is alive
        beside.act("on", beside.desk.seq - 1)  # of what is no longer shown
        beside.act("on", beside.desk.seq)
        bursts += 1
    assert bursts >= 1
    assert not content(beside)["running"]
    assert [t.title.split(",")[0] for t in beside.tracks[1:]] == ["Mine"]
    assert beside.tracks[1].state(len(beside.tracks[1].labels) - 1).turn == play.state.turn
    beside.act("restore", game)
    beside.act("stop", "")
    assert beside._replay is None
    assert len(beside.tracks) == 2
    beside.act("restore", {**game, "digest": "0" * 12})
    while beside._replay is not None:
        beside.act("on", beside.desk.seq)
    assert "another position" in content(beside)["notices"][0][1]
    assert len(beside.tracks) == 2


def test_a_failed_saving_stands_above_every_tab_until_one_succeeds(
    page: PlayPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv(autosave.VARIABLE, str(blocked))
    page._disk.close()
    for key, _ in TABS:
        page.act("tab", key)
        ((tone, told),) = content(page)["notices"]
        assert tone == "bad"
        assert told.startswith("This game could not be saved on disk: ")
        assert "Errno" not in told
        assert "could not be saved" not in texts(page)  # once
    blocked.unlink()
    page._disk.close()
    page.act("tab", "orders")
    assert content(page)["notices"] == []


def test_a_failed_saving_is_told_before_the_next_act(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is written in a thread after the order was answered; whoever stops playing then must hear of it as well."""
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv(autosave.VARIABLE, str(blocked))
    monkeypatch.setattr(autosave, "SECONDS", 0.0)

    async def played() -> list[list[str]]:
        page = play_page("ocs/learning", seed="1944")
        page.act("done", "")
        assert page._disk._thread is not None
        page._disk._thread.join()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return list(content(page)["notices"])

    ((tone, told),) = asyncio.run(played())
    assert tone == "bad"
    assert told.startswith("This game could not be saved on disk: ")


def test_a_game_that_is_left_and_could_not_be_saved_is_named(
    page: PlayPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv(autosave.VARIABLE, str(blocked))
    title = page.play.title
    page.act("start", ["start", "ocs/learning|historical"])
    assert page.play.title != title
    ((tone, told),) = content(page)["notices"]
    assert tone == "bad"
    assert f"The game you left, {title}, could not be saved on disk: " in told
    assert "Errno" not in told
    page.act("tab", "log")
    assert content(page)["notices"] == []  # nothing of it is said of the game that is played now
    monkeypatch.setenv(autosave.VARIABLE, str(tmp_path / "games"))
    page.act("done", "")
    page.act("start", ["start", "ocs/u-go|historical"])
    assert content(page)["notices"] == []


def test_games_that_go_from_the_folder_to_make_room_are_named(
    page: PlayPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(autosave.VARIABLE, str(tmp_path))
    for k in range(autosave.MOST + 3):
        (tmp_path / f"u-go-{k:08x}.save.gz").write_text("an old game")
        os.utime(tmp_path / f"u-go-{k:08x}.save.gz", (k * 86_400, k * 86_400))
    page._disk.close()
    page.act("tab", "log")
    ((_, told),) = content(page)["notices"]
    assert told.startswith("The folder of saved games holds the 20 latest; of the oldest there went: ")
    assert told.count("u-go, ") == 3
    assert told.endswith("; and 1 more.")
    assert "u-go-" not in told
    page.act("tab", "log")
    assert content(page)["notices"] == []
    (tmp_path / "u-go-000000ff.save.gz").write_text("an old game")
    os.utime(tmp_path / "u-go-000000ff.save.gz", (0, 0))
    page.act("start", ["start", "ocs/learning|historical"])  # the game that is left is saved once more
    ((_, told),) = content(page)["notices"]
    assert told.count("u-go, ") == 1


def test_a_game_that_parts_has_an_id_of_its_own_and_is_kept_whole(page: PlayPage) -> None:
    sent: list[dict[str, Any]] = []
    page.desk.keep = sent.append  # type: ignore[method-assign, assignment]
    old = page.play.id
    page.act("apart", "00000000")  # of another game, or told twice
    assert page.play.id == old
    page.act("apart", old)
    assert page.play.id != old
    assert "played on elsewhere" in content(page)["notices"][0][1]
    (game,) = sent
    assert game["id"] == page.play.id
    for key, value in (("apart", old), ("keep-all", "")):  # as the browser's own page sends them at any time
        page.act(key, value)
        assert "played on elsewhere" in content(page)["notices"][0][1]
    assert game["from"] == 0
    assert len(game["rows"]) == len(page.play.session.tree) - 1
    page.act("tab", "log")
    assert len(sent) == 2  # the second one was asked for
    assert content(page)["notices"] == []
