"""Playing in a real browser: a march by clicks, a battle with the defender choosing, undo into a variation, keeping,
opening again, two states side by side.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from ui_serving import dashboards

pytestmark = [pytest.mark.ui, pytest.mark.timeout(300)]

MAP = "document.querySelector('.bs-map').__bs"
PLACE = """([label, zoom, map]) => {
  const m = document.querySelectorAll('.bs-map')[map || 0].__bs, at = m.board.latLng(m.board.hexOf.get(label));
  if (zoom) m.map.setView(at, zoom, { animate: false });
  const p = m.map.latLngToContainerPoint(at), box = m.map.getContainer().getBoundingClientRect();
  return [box.x + p.x, box.y + p.y];
}"""
SEED = "1944"
TARGET = "B3.23"  # 17 Division's rearguard at Tiddim, beside 215 Regiment from the start
ANSWERS = 14


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("games")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, games: Path) -> Iterator[str]:
    """A server with a page of play whose dice are known, and the page that compares."""
    folder = tmp_path_factory.mktemp("notebooks")
    pages = {
        "play": f'from burma_study.ui.play import play_page\nplay_page("ocs/u-go", seed="{SEED}")',
        "compare": 'from burma_study.ui.compare import compare_page\ncompare_page("ocs/u-go")',
    }
    for name, code in pages.items():
        cell = nbformat.v4.new_code_cell(f'import os\nos.environ["BURMA_STUDY_GAMES"] = r"{games}"\n{code}')
        nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata={"title": name}), folder / f"{name}.ipynb")
    with dashboards(tmp_path_factory.mktemp("serving"), notebooks=folder) as url:
        yield url


@pytest.fixture
def play(address: str, visit: Any) -> Any:
    page = visit(address + "/voila/render/play.ipynb")
    page.wait_for_selector(".bs-desk[data-seq]", timeout=30_000)
    return page


def acted(page: Any, act: Callable[[], Any]) -> None:
    """Do something and wait for the desk's answer."""
    before = page.get_attribute(".bs-desk", "data-seq")
    act()
    page.wait_for_function("s => document.querySelector('.bs-desk').dataset.seq !== s", arg=before, timeout=20_000)


def press(page: Any, name: str | re.Pattern[str], **more: Any) -> None:
    acted(page, lambda: page.locator(".bs-desk").get_by_role("button", name=name, **more).first.click())


def tab(page: Any, name: str) -> None:
    acted(page, lambda: page.locator(".bs-desk").get_by_role("tab", name=name).click())


def click_hex(page: Any, label: str, zoom: float | None = 9) -> None:
    x, y = page.evaluate(PLACE, [label, zoom])
    acted(page, lambda: page.mouse.click(x, y))


def title(page: Any) -> str:
    return str(page.locator(".bs-phase-title strong").inner_text())


def to_phase(page: Any, phase: str, most: int = 12) -> None:
    """End phases, and let everybody who is asked take the first answer, until a phase comes."""
    for _ in range(most):
        if phase in title(page):
            return
        if page.locator(".bs-question").count():
            first_answer(page)
        else:
            press(page, "End phase")
    raise AssertionError(f"{phase} did not come; it is {title(page)}")


def first_answer(page: Any) -> str:
    """Answer a question by its first button; a retreat or advance is built by what is offered."""
    question = page.locator(".bs-question p").first.inner_text()
    first = page.locator(".bs-question .bs-buttons button").first
    acted(page, first.click)
    for _ in range(6):
        give = page.locator(".bs-panel-body").get_by_role("button", name="Give this order")
        if not give.count():
            break
        if give.first.get_attribute("aria-disabled") == "true":
            acted(page, page.locator(".bs-panel-body .bs-buttons button[data-focus^='tick']").first.click)
        else:
            acted(page, give.first.click)
    return str(question)


def test_a_turn_is_marched_by_clicks(play: Any) -> None:
    page = play
    to_phase(page, "Japanese movement")
    assert "would skip" in page.locator(".bs-skips summary").inner_text()
    click_hex(page, "A23.09")
    assert page.locator(".bs-tick input:checked").count() >= 1
    reach = page.evaluate(f"() => [...{MAP}.moves.ways.keys()].map(h => {MAP}.board.labels[h])")
    assert len(reach) > 5
    to = "A22.09" if "A22.09" in reach else reach[0]
    page.mouse.move(*page.evaluate(PLACE, [to, None]))
    assert " MP" in page.locator(".bs-readout").inner_text()
    click_hex(page, to, None)
    there = f"() => {MAP}.scene.stacks.get({MAP}.board.hexOf.get('{to}'))?.length"
    page.wait_for_function(there)
    tab(page, "Log")
    assert to in page.locator(".bs-log .bs-here").inner_text()
    press(page, "Undo")
    page.wait_for_function(f"() => !({there})()")
    press(page, "Redo")
    page.wait_for_function(there)


def test_a_stack_is_dragged_to_where_it_goes(play: Any) -> None:
    page = play
    to_phase(page, "Japanese movement")
    click_hex(page, "A23.09")
    to = page.evaluate(f"() => {MAP}.board.labels[[...{MAP}.moves.ways.keys()][0]]")
    page.mouse.move(*page.evaluate(PLACE, ["A23.09", None]))
    page.mouse.down()
    x, y = page.evaluate(PLACE, [to, None])
    page.mouse.move(x, y, steps=4)
    acted(page, page.mouse.up)
    page.wait_for_function(f"() => {MAP}.scene.stacks.get({MAP}.board.hexOf.get('{to}'))?.length")


BESIDE = f"""() => {{
  const m = {MAP};
  const there = [...m.moves.ways.keys()].find(h => (m.scene.stacks.get(h) || []).length);
  return m.board.labels[there] || '';
}}"""


def test_a_click_on_another_own_stack_selects_it_and_a_button_marches_there(play: Any) -> None:
    page = play
    to_phase(page, "Japanese movement")
    own = page.evaluate(
        f"() => [...{MAP}.scene.stacks].filter(([, s]) => s[0].side === 'japanese').map(([h]) => {MAP}.board.labels[h])"
    )
    to = ""
    for label in own:
        click_hex(page, label)
        if to := page.evaluate(BESIDE):
            break
    node = page.get_attribute(".bs-desk", "data-node")
    click_hex(page, to, None)
    assert page.get_attribute(".bs-desk", "data-node") == node
    assert to in page.locator(".bs-panel-body").inner_text()
    press(page, re.compile("^March .* here$"))
    assert page.get_attribute(".bs-desk", "data-node") != node


def test_a_hex_out_of_reach_says_why_with_its_rule(play: Any) -> None:
    page = play
    to_phase(page, "Japanese movement")
    click_hex(page, "A23.09")
    before = page.get_attribute(".bs-desk", "data-node")
    click_hex(page, "A26.06", None)
    text = page.locator(".bs-refusal").inner_text()
    assert "out of reach" in text
    assert "(OCS 6.1)" in text
    assert page.get_attribute(".bs-desk", "data-node") == before


def test_a_battle_is_fought_with_the_defender_choosing_and_undone_into_a_variation(play: Any, tmp_path: Path) -> None:
    page = play
    to_phase(page, "Japanese combat")
    click_hex(page, TARGET)
    text = page.locator(".bs-panel-body").inner_text()
    for word in ("Chain of modifiers", "Results of the Combat Table", "This attack costs"):
        assert word in text
    press(page, "Give this order")
    question = page.locator(".bs-question").inner_text()
    assert "Allied: pay combat supply" in question
    assert "If you pay" in question
    assert "If you do not" in question
    paying = page.get_attribute(".bs-desk", "data-node")
    press(page, "Pay", exact=False)
    for _ in range(ANSWERS):
        if not page.locator(".bs-question").count():
            break
        first_answer(page)
    assert page.locator(".bs-question").count() == 0
    tab(page, "Log")
    assert re.search(r"\[combat \d\+\d", page.locator(".bs-log").inner_text())
    fought = page.get_attribute(".bs-desk", "data-node")
    while page.get_attribute(".bs-desk", "data-node") != paying:
        press(page, "Undo")
    press(page, "Decline")
    tab(page, "Variations")
    tree = page.locator(".bs-tree")
    assert "Variation 1" in tree.inner_text()
    acted(page, tree.get_by_role("button", name="Go to its end").first.click)
    assert page.get_attribute(".bs-desk", "data-node") == fought
    tab(page, "Points")
    assert "Luck so far" in page.locator(".bs-panel-body").inner_text()
    digest_saved_and_opened_again(page, tmp_path)


def digest_saved_and_opened_again(page: Any, tmp_path: Path) -> None:
    """The download opens again at the same node with its variations; so does what the browser kept."""
    node, when = page.get_attribute(".bs-desk", "data-node"), title(page)
    tab(page, "Game")
    with page.expect_download() as caught:
        press(page, "Download this game")
    saved = tmp_path / "game.save.gz"
    caught.value.save_as(saved)
    acted(page, lambda: page.locator(".bs-desk").get_by_role("button", name="Undo").click())
    acted(page, lambda: page.locator("input[type=file]").set_input_files(saved))
    page.wait_for_function("n => document.querySelector('.bs-desk').dataset.node === n", arg=node)
    assert title(page) == when
    tab(page, "Variations")
    assert "Variation 1" in page.locator(".bs-tree").inner_text()


def test_a_reload_finds_the_game_in_the_browser_and_a_link_carries_it(play: Any, address: str, visit: Any) -> None:
    page = play
    to_phase(page, "Japanese movement")
    click_hex(page, "A23.09")
    press(page, "Move Mode")
    node, when = page.get_attribute(".bs-desk", "data-node"), title(page)
    page.wait_for_selector(f".bs-desk[data-kept='{node}']")
    tab(page, "Game")
    page.get_by_role("button", name="Link to this game").click()
    link = page.locator(".bs-link-box").input_value()
    assert "#play?game=" in link
    assert len(link) < 6_200
    page.reload()
    page.wait_for_selector(".bs-root[data-drawn]", state="attached", timeout=60_000)
    page.wait_for_function("n => document.querySelector('.bs-desk')?.dataset.node === n", arg=node, timeout=30_000)
    assert title(page) == when
    assert "goes on where it was left" in page.locator(".bs-desk").inner_text()
    page.evaluate("() => sessionStorage.clear()")
    page.reload()
    page.wait_for_selector(".bs-root[data-drawn]", state="attached", timeout=60_000)
    press(page, "Go on")
    page.wait_for_function("n => document.querySelector('.bs-desk').dataset.node === n", arg=node)
    again = visit(link)
    again.wait_for_function("n => document.querySelector('.bs-desk')?.dataset.node === n", arg=node, timeout=30_000)
    assert title(again) == when


def test_a_policy_plays_the_other_side(play: Any) -> None:
    page = play
    tab(page, "Game")
    acted(page, lambda: page.get_by_label("Allied played by").select_option("hold"))
    page.wait_for_function("() => document.querySelector('.bs-phase-title span').textContent.includes('(you)')")
    assert "Japanese" in title(page)


def test_any_order_is_built_slot_by_slot_or_written(play: Any) -> None:
    page = play
    to_phase(page, "Japanese movement")
    page.get_by_text("More orders", exact=True).click()
    press(page, "Dig in")
    acted(page, lambda: page.locator(".bs-select select[data-focus='slot:unit']").select_option(index=1))
    press(page, "Give this order")
    box = page.get_by_label("Any order as text")
    box.fill("march to Imphal at once")
    acted(page, lambda: box.press("Enter"))
    assert "cannot be read" in page.locator(".bs-refusal").inner_text()
    assert "Traceback" not in page.content()


def test_the_keyboard_marches_undoes_and_ends_a_phase(play: Any) -> None:
    page = play
    to_phase(page, "Japanese movement")
    click_hex(page, "A23.09")
    to = page.evaluate(
        f"() => {MAP}.board.labels[[...{MAP}.moves.ways.keys()].find(h => {MAP}.moves.ways.get(h).path.length === 1)]"
    )
    page.evaluate(f"label => {MAP}.select({MAP}.board.hexOf.get(label))", to)
    page.locator(".bs-map").focus()
    acted(page, lambda: page.keyboard.press("Enter"))
    page.wait_for_function(f"() => {MAP}.scene.stacks.get({MAP}.board.hexOf.get('{to}'))?.length")
    before = title(page)
    acted(page, lambda: page.keyboard.press("u"))
    acted(page, lambda: page.keyboard.press("r"))
    acted(page, lambda: page.keyboard.press("e"))
    assert title(page) != before


def test_two_states_stand_side_by_side_on_linked_maps(address: str, visit: Any) -> None:
    page = visit(address + "/voila/render/compare.ipynb")
    page.wait_for_selector(".bs-desk[data-seq]", timeout=30_000)
    page.wait_for_function("() => document.querySelectorAll('.bs-map').length === 2")
    page.wait_for_function("() => [...document.querySelectorAll('.bs-map')].every(m => m.__bs)")
    marks = page.evaluate("() => [...document.querySelectorAll('.bs-map')].map(m => m.__bs.moves.marks.length)")
    assert min(marks) > 5
    page.evaluate(PLACE, ["A7.09", 9, 0])
    centres = page.evaluate(
        "() => [...document.querySelectorAll('.bs-map')].map(m => { const c = m.__bs.map.getCenter(); "
        "return [c.lat.toFixed(4), c.lng.toFixed(4), m.__bs.map.getZoom()]; })"
    )
    assert centres[0] == centres[1]
    text = page.locator(".bs-desk").inner_text()
    for word in ("Victory points", "Out of supply", "Dead"):
        assert word in text
    tab(page, "Units")
    assert "stand otherwise" in page.locator(".bs-desk").inner_text()
    acted(page, lambda: page.locator(".bs-select select").nth(3).select_option(index=0))
    assert "stands alike" in page.locator(".bs-desk").inner_text()
