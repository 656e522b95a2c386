"""Games kept in a browser: two tabs with one game, a full or broken store, a clock set back. Nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import nbformat
import pytest
from test_play import acted, press, tab, title
from ui_serving import dashboards

pytestmark = [pytest.mark.ui, pytest.mark.timeout(300)]

PAGE = "/voila/render/play.ipynb"
STORED = (
    """() => Object.entries(localStorage).filter(([k]) => k.startsWith('bs-game:')).map(([, v]) => JSON.parse(v))"""
)
OTHER = {
    "about": {"v": 1, "at": ["ocs/learning", "historical"], "seed": "7"},
    "title": "Learning Scenario",
    "when": "turn 1",
    "cursor": 1,
    "digest": "",
    "rows": [[0, "done", 0]],
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a page of play that saves nothing on disk."""
    folder = tmp_path_factory.mktemp("notebooks")
    code = 'import os\nos.environ["BURMA_STUDY_GAMES"] = ""\nfrom burma_study.ui.play import play_page\n'
    cell = nbformat.v4.new_code_cell(code + 'play_page("ocs/learning", seed="1944")')
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata={"title": "play"}), folder / "play.ipynb")
    with dashboards(tmp_path_factory.mktemp("serving"), notebooks=folder) as url:
        yield url


@pytest.fixture
def open_tab(address: str, browser: Any) -> Iterator[Callable[[], Any]]:
    """Open one more tab of one browser; an error of a script in any of them fails the test."""
    context, troubles = browser.new_context(viewport={"width": 1280, "height": 900}), []
    context.on("weberror", lambda error: troubles.append(str(error.error)))

    def open_() -> Any:
        page = context.new_page()
        page.goto(address + PAGE)
        return at_its_desk(page)

    yield open_
    context.close()
    assert troubles == []


@pytest.fixture
def play(open_tab: Callable[[], Any]) -> Any:
    return open_tab()


def at_its_desk(page: Any) -> Any:
    page.wait_for_selector(".bs-root[data-drawn]", state="attached", timeout=60_000)
    page.wait_for_selector(".bs-desk[data-seq]", timeout=30_000)
    return page


def order(page: Any, text: str) -> None:
    """Write an order at the desk."""
    box = page.get_by_label("Any order as text")
    box.fill(text)
    acted(page, lambda: box.press("Enter"))


def begun(page: Any) -> str:
    """To the Japanese movement; the id under which the browser keeps the game then."""
    press(page, "End phase")
    press(page, "End phase")
    page.wait_for_selector(".bs-desk[data-kept='2']")
    return str(page.evaluate("() => sessionStorage.getItem('bs-game-here')"))


def stored(page: Any) -> dict[str, dict[str, Any]]:
    """The games that the browser keeps, by id."""
    return {game["id"]: game for game in page.evaluate(STORED)}


def orders(game: dict[str, Any]) -> list[str]:
    return [row[1] for row in game["rows"]]


def put(page: Any, id_: str, **more: Any) -> None:
    page.evaluate(
        "([k, v]) => localStorage.setItem(k, v)", [f"bs-game:{id_}", json.dumps({"id": id_, **OTHER, **more})]
    )


def notices(page: Any) -> str:
    return " ".join(page.locator(".bs-desk .bs-notice").all_inner_texts())


FIRST, SECOND = "mode j/inf/1-214-33 move", "mode j/inf/2-214-33 move"
ELSEWHERE = "was played on elsewhere"


def two_tabs(play: Any, open_tab: Callable[[], Any]) -> tuple[str, Any, Any]:
    """A game in the movement phase, gone on with in a second tab."""
    id_ = begun(play)
    other = open_tab()
    press(other, "Go on")
    other.wait_for_function("() => document.querySelector('.bs-desk').dataset.node === '2'")
    return id_, play, other


def settled(page: Any, games: int) -> None:
    page.wait_for_function(
        "n => Object.keys(localStorage).filter(k => k.startsWith('bs-game:')).length === n", arg=games, timeout=20_000
    )


def both_survive(page: Any, id_: str, first: list[str], second: list[str]) -> None:
    settled(page, 2)
    games = stored(page)
    (own,) = set(games) - {id_}
    assert orders(games[id_]) == first
    assert orders(games[own]) == second


def opens_again(page: Any, node: int, when: str) -> None:
    """A reload goes on with what was played in this tab."""
    page.reload()
    at_its_desk(page)
    page.wait_for_function("n => document.querySelector('.bs-desk')?.dataset.node === n", arg=str(node), timeout=30_000)
    assert title(page) == when
    assert "goes on where it was left" in notices(page)


def test_orders_of_a_second_tab_are_a_game_of_its_own(play: Any, open_tab: Callable[[], Any]) -> None:
    id_, first, second = two_tabs(play, open_tab)
    order(first, FIRST)
    order(second, SECOND)
    second.wait_for_function(f"() => document.querySelector('.bs-desk').innerText.includes('{ELSEWHERE}')")
    both_survive(first, id_, ["done", "done", FIRST], ["done", "done", SECOND])
    assert ELSEWHERE not in notices(first)
    order(first, SECOND)
    order(second, FIRST)
    second.wait_for_selector(".bs-desk[data-kept='4']")
    both_survive(first, id_, ["done", "done", FIRST, SECOND], ["done", "done", SECOND, FIRST])
    for page in (first, second):
        opens_again(page, 4, title(page))


def test_two_tabs_that_order_the_same_or_only_look_stay_one_game(play: Any, open_tab: Callable[[], Any]) -> None:
    id_, first, second = two_tabs(play, open_tab)
    order(first, FIRST)
    order(second, FIRST)
    second.wait_for_selector(".bs-desk[data-kept='3']")
    press(second, "Undo")
    order(second, SECOND)  # a variation of the one game
    first.wait_for_function(
        "id => JSON.parse(localStorage.getItem('bs-game:' + id)).rows.length === 4", arg=id_, timeout=20_000
    )
    press(first, "Undo")  # the tab that is behind takes nothing away
    assert list(stored(first)) == [id_]
    assert orders(stored(first)[id_]) == ["done", "done", FIRST, SECOND]
    order(first, "done")
    first.wait_for_function(f"() => document.querySelector('.bs-desk').innerText.includes('{ELSEWHERE}')")
    both_survive(first, id_, ["done", "done", FIRST, SECOND], ["done", "done", FIRST, "done"])


def test_what_another_tab_writes_over_at_the_same_moment_is_kept_beside(play: Any, open_tab: Callable[[], Any]) -> None:
    """Two tabs may both find the place free: the one whose orders are gone from it hears of it."""
    id_, first, second = two_tabs(play, open_tab)
    order(first, FIRST)
    first.wait_for_selector(".bs-desk[data-kept='3']")
    game = stored(first)[id_]
    game["rows"][2][1] = SECOND
    second.evaluate("([k, v]) => localStorage.setItem(k, v)", [f"bs-game:{id_}", json.dumps(game)])
    both_survive(first, id_, ["done", "done", SECOND], ["done", "done", FIRST])


def test_a_duplicated_tab_parts_as_well(play: Any) -> None:
    """It has the game from the first moment, for a browser hands it what the tab remembered."""
    id_ = begun(play)
    with play.expect_popup() as opened:
        play.evaluate("() => { window.open(location.href); }")
    twin = at_its_desk(opened.value)
    twin.wait_for_function("() => document.querySelector('.bs-desk').dataset.node === '2'")
    order(twin, FIRST)
    order(play, SECOND)
    both_survive(play, id_, ["done", "done", FIRST], ["done", "done", SECOND])


def test_a_list_that_is_old_goes_on_with_what_is_kept_now(play: Any, open_tab: Callable[[], Any]) -> None:
    id_ = begun(play)
    other = open_tab()
    order(play, FIRST)
    play.wait_for_selector(".bs-desk[data-kept='3']")
    press(other, "Go on")
    other.wait_for_function("() => document.querySelector('.bs-desk').dataset.node === '3'")
    assert orders(stored(play)[id_]) == ["done", "done", FIRST]


def test_names_that_two_tabs_give_to_variations_both_stay(play: Any, open_tab: Callable[[], Any]) -> None:
    """Equal orders, other names: neither tab's keeping takes away what the other has named."""
    id_ = begun(play)
    order(play, FIRST)
    press(play, "Undo")
    order(play, SECOND)
    play.wait_for_selector(".bs-desk[data-kept='4']")
    other = open_tab()
    press(other, "Go on")
    other.wait_for_selector(".bs-desk[data-kept='4']")
    name(play, id_, "By the river")
    press(play, "End phase")  # this tab is ahead now
    play.wait_for_selector(".bs-desk[data-kept='5']")
    press(other, "Undo")  # the second one only looks
    press(other, "Redo")
    other.wait_for_timeout(400)
    assert stored(play)[id_]["about"]["titles"] == {"4": "By the river"}
    name(other, id_, "By the hills")
    assert stored(play)[id_]["about"]["titles"] == {"4": "By the hills"}
    assert len(stored(play)[id_]["rows"]) == 5
    name(other, id_, "")
    assert stored(play)[id_]["about"]["titles"] == {}


def name(page: Any, id_: str, text: str) -> None:
    """Name the variation at the cursor, and wait for the store."""
    tab(page, "Variations")
    box = page.locator("[data-focus^='entitle:']").first
    box.fill(text)
    acted(page, lambda: box.press("Enter"))
    there = "([k, t]) => Object.values(JSON.parse(localStorage.getItem(k)).about.titles || {}).join() === t"
    page.wait_for_function(there, arg=[f"bs-game:{id_}", text])


def test_a_tab_hears_that_its_game_was_taken_from_the_store(play: Any, open_tab: Callable[[], Any]) -> None:
    id_ = begun(play)
    other = open_tab()
    play.get_by_label("Any order as text").fill("half a word")
    other.get_by_role("button", name="Forget").first.click()
    play.wait_for_selector(".bs-keeping")
    assert "Another tab has taken this game out of the browser’s store" in notices(play)
    assert play.get_by_label("Any order as text").input_value() == "half a word"
    assert stored(play) == {}
    order(play, FIRST)
    settled(play, 1)
    assert orders(stored(play)[id_]) == ["done", "done", FIRST]
    assert "Another tab" not in notices(play)


# a store that is full, broken, or of another time ---------------------------------------------------------------------

FILL = """() => {
  let size = 1 << 20;
  for (let k = 0; size >= 16; k++)
    try { localStorage.setItem('filler' + k, 'x'.repeat(size)); } catch { size >>= 1; }
}"""


def test_a_full_store_names_the_oldest_game_that_goes_and_keeps_the_newest(play: Any) -> None:
    for k in range(4):
        put(play, f"0000000{k}", order=k + 1, title=f"Old game {k}", when="x" * 600)
    play.evaluate(FILL)
    id_ = begun(play)
    games = stored(play)
    assert id_ in games
    gone = [k for k in range(4) if f"0000000{k}" not in games]
    assert gone
    assert gone == list(range(len(gone)))  # the oldest
    assert len(gone) < 4
    for k in gone:
        assert f"Old game {k}" in notices(play)
    for name in ("Game", "Log"):
        tab(play, name)
        assert "no longer keeps" in notices(play)  # where the reader is, until it is read
    play.get_by_role("button", name="Close", exact=True).click()
    assert "no longer keeps" not in notices(play)


def test_a_store_without_room_for_the_game_drops_no_other_for_nothing(play: Any) -> None:
    id_ = begun(play)
    put(play, "00000001", order=1, title="Old game")
    play.evaluate(
        """id => {
          const set = Storage.prototype.setItem;
          Storage.prototype.setItem = function (k, v) {
            if (k === 'bs-game:' + id) throw new DOMException('full', 'QuotaExceededError');
            set.call(this, k, v);
          };
        }""",
        id_,
    )
    before = stored(play)
    order(play, FIRST)
    play.wait_for_selector(".bs-keeping")
    assert stored(play) == before
    for name in ("Variations", "Orders"):
        tab(play, name)
        assert "This game is not kept in the browser" in notices(play)
        assert "download it" in notices(play)
    assert "Quota" not in notices(play)


def test_a_game_that_made_room_in_vain_and_cannot_be_put_back_is_named(play: Any) -> None:
    """Another tab may have taken the room meanwhile: nothing goes without a word even then."""
    id_ = begun(play)
    put(play, "00000001", order=1, title="Old game")
    put(play, "00000002", order=2, title="Newer game")
    play.evaluate(
        """id => {
          const set = Storage.prototype.setItem;
          Storage.prototype.setItem = function (k, v) {
            if (k !== 'bs-game:00000002') throw new DOMException('full', 'QuotaExceededError');
            set.call(this, k, v);
          };
        }""",
        id_,
    )
    order(play, FIRST)
    play.wait_for_selector(".bs-keeping")
    assert set(stored(play)) == {id_, "00000002"}
    assert orders(stored(play)[id_]) == ["done", "done"]
    assert "This game is not kept in the browser" in notices(play)
    assert "Old game" in notices(play)
    assert "Newer game" not in notices(play)


def test_more_games_than_are_kept_are_named_and_the_newest_stays_with_the_clock_set_back(play: Any) -> None:
    for k in range(8):
        put(play, f"0000000{k}", title=f"Of tomorrow {k}", saved=f"2199-01-0{k + 1}T00:00:00.000Z", order=2**53 - 1)
    id_ = begun(play)
    games = stored(play)
    assert id_ in games
    assert set(games) == {id_, *(f"0000000{k}" for k in range(1, 8))}
    assert "Of tomorrow 0" in notices(play)
    assert 0 < games[id_]["order"] < 2**50  # a number that the next game can pass
    order(play, FIRST)
    play.wait_for_selector(".bs-desk[data-kept='3']")
    put(play, "0000000a", saved="2199-02-01T00:00:00.000Z")  # of an older version, that knew no order
    play.reload()
    at_its_desk(play)
    play.wait_for_function("() => document.querySelector('.bs-desk').dataset.node === '3'", timeout=30_000)
    assert id_ in stored(play)


BROKEN = {
    "no text of ours": "{",
    "null": "null",
    "a number": "7",
    "a list": "[]",
    "without rows": '{"id": "IT", "title": "x", "when": "y", "about": {}}',
    "rows that are none": '{"id": "IT", "title": "x", "when": "y", "about": {}, "rows": [null, 3]}',
    "a time of saving that is a number": '{"id": "IT", "title": "x", "when": "y", "about": {}, "rows": [], "saved": 5}',
    "a title that is none": '{"id": "IT", "title": {}, "when": "y", "about": {}, "rows": []}',
    "an order beyond numbers": '{"id": "IT", "title": "x", "when": "y", "about": {}, "rows": [], "order": 1e400}',
    "about that is none": '{"id": "IT", "title": "x", "when": "y", "about": 3, "rows": []}',
    "under another's name": '{"id": "../../x", "title": "x", "when": "y", "about": {}, "rows": []}',
}


def test_malformed_entries_do_not_empty_the_desk(play: Any) -> None:
    put(play, "0000000a", title="A sound game")
    for k, text in enumerate(BROKEN.values()):
        play.evaluate("([k, v]) => localStorage.setItem(k, v)", [f"bs-game:bad{k}", text.replace("IT", f"bad{k}")])
    id_ = begun(play)
    tab(play, "Game")
    told = play.locator(".bs-desk").inner_text()
    assert "A sound game" in told
    assert "Invalid Date" not in told
    assert "The entry bad0 of this browser’s store is no game that can be read" in told
    play.reload()
    at_its_desk(play)
    play.wait_for_function("() => document.querySelector('.bs-desk').dataset.node === '2'", timeout=30_000)
    tab(play, "Game")
    assert "A sound game" in play.locator(".bs-desk").inner_text()
    kept_keys = play.evaluate("() => Object.keys(localStorage).filter(k => k.startsWith('bs-game:')).length")
    assert kept_keys == len(BROKEN) + 2
    play.locator("p", has_text="The entry bad0 ").get_by_role("button", name="Forget").click()
    assert play.evaluate("() => localStorage.getItem('bs-game:bad0')") is None
    assert play.evaluate(f"() => !!localStorage.getItem('bs-game:{id_}')")


def test_a_reload_whose_game_is_gone_says_so(play: Any) -> None:
    id_ = begun(play)
    play.evaluate("k => localStorage.setItem(k, '{')", f"bs-game:{id_}")
    play.reload()
    at_its_desk(play)
    play.wait_for_selector(".bs-keeping")
    assert "no longer kept in this browser, or cannot be read there; a new one begins" in notices(play)
