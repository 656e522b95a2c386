"""Where the keyboard is after a click on a tab, whose caption it can reach, and what a local link says."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.ui
STEP = "Number(document.querySelector('.bs-slider').value)"


def test_arrow_keys_step_after_a_click_on_a_tab_and_the_link_is_said_to_be_local(server: str, visit: Any) -> None:
    page = visit(f"{server}/voila/render/u-go.ipynb")
    page.click("[data-tab='supply']")
    page.wait_for_timeout(500)
    before = page.evaluate(STEP)
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(500)
    assert page.evaluate(STEP) > before
    assert page.get_attribute("[data-tab='supply']", "aria-selected") == "true"
    assert page.get_attribute(".bs-caption", "tabindex") == "0"
    page.click("text=Share link")
    assert "nobody else can open it" in page.inner_text("dialog")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.click("dialog >> text=Copy")
    page.wait_for_selector("dialog [role=status]:has-text('copied')", timeout=5000)


def test_the_play_page_is_titled_by_its_scenario(server: str, visit: Any) -> None:
    page = visit(f"{server}/voila/render/play.ipynb", ready=False)
    page.wait_for_function("document.title === 'Play U-Go'", timeout=60_000)


MAP = "document.querySelector('.bs-map').__bs"
UGO = "/voila/render/u-go.ipynb"
HELD = "() => document.activeElement.dataset.unit || ''"
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"  # as over plain http
FAR_BOX = f"""() => {{
  const m = {MAP}, seen = new Map();
  for (const u of m.scene.units) {{
    const at = m.board.latLng(u.hex), p = m.map.latLngToContainerPoint(at);
    const box = m.boxAt({{ latlng: window.L.latLng(at) }});
    if (box && box.hexes.length > 1) seen.set(u.id, [p.x, p.y, box.units.length]);
  }}
  const at = m.map.getContainer().getBoundingClientRect(), [first] = [...seen.values()].sort((a, b) => b[2] - a[2]);
  return [at.x + first[0], at.y + first[1]];
}}"""


def select(page: Any, label: str) -> None:
    """Select a hex near at hand and put the keyboard on the map."""
    page.evaluate(
        f"""label => {{ const m = {MAP}, h = m.board.hexOf.get(label);
        m.map.setView(m.board.latLng(h), 9, {{ animate: false }}); m.select(h); m.map.getContainer().focus(); }}""",
        label,
    )


def pasted(page: Any) -> str:
    """What the clipboard holds, as another program gets it."""
    page.evaluate(
        "() => { const t = document.createElement('textarea'); t.id = 'other'; document.body.append(t); t.focus(); }"
    )
    page.keyboard.press("Control+V")
    return str(page.evaluate("() => document.getElementById('other').value"))


def test_enter_on_a_unit_of_a_stack_keeps_the_focus_there(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    select(page, "A7.09")
    page.keyboard.press("Enter")
    page.wait_for_selector(".bs-tray-unit:focus")
    page.keyboard.press("Tab")
    unit = page.evaluate(HELD)
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-tab=unit][aria-selected=true]")
    page.wait_for_timeout(700)
    assert page.evaluate(f"() => {MAP}.model.get('unit')") == unit != ""
    assert page.evaluate(HELD) == unit


def test_enter_on_a_unit_of_a_box_of_several_hexes_goes_on_at_that_unit(server: str, visit: Any) -> None:
    """The box is replaced by the stack of the unit's hex, and took the focus with it."""
    page = visit(server + UGO)
    page.mouse.click(*page.evaluate(FAR_BOX))
    wanted = page.locator(".bs-cluster .bs-tray-unit").last.get_attribute("data-unit")
    page.locator(".bs-cluster .bs-tray-unit").last.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-tab=unit][aria-selected=true]")
    page.wait_for_timeout(700)
    assert page.evaluate(HELD) == wanted
    assert page.locator(".bs-cluster").count() == 0


def test_enter_on_a_unit_of_the_panel_leaves_the_focus_in_the_panel(server: str, visit: Any) -> None:
    """Its list gives way to the tab of the unit, and the focus fell to the page."""
    page = visit(server + UGO)
    page.wait_for_selector(".bs-panel tr button")
    page.locator(".bs-panel tr button").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-tab=unit][aria-selected=true]")
    page.wait_for_timeout(700)
    assert page.evaluate("() => !!document.activeElement.closest('.bs-panel')")


def test_the_desk_steps_after_a_click_on_a_tab_and_copies_over_plain_http(server: str, visit: Any) -> None:
    page = visit(f"{server}/voila/render/play.ipynb")
    page.evaluate(NO_CLIPBOARD)
    page.wait_for_selector(".bs-desk[data-seq]", timeout=30_000)
    desk = page.locator(".bs-desk")
    before = page.get_attribute(".bs-desk", "data-seq")
    desk.get_by_role("button", name="End", exact=False).first.click()
    page.wait_for_function("s => document.querySelector('.bs-desk').dataset.seq !== s", arg=before, timeout=20_000)
    node = page.get_attribute(".bs-desk", "data-node")
    desk.get_by_role("tab", name="Game").click()
    page.wait_for_selector(".bs-desk [data-tab=game][aria-selected=true]")
    page.wait_for_timeout(500)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("n => document.querySelector('.bs-desk').dataset.node !== n", arg=node, timeout=10_000)
    assert page.get_attribute(".bs-desk [data-tab=game]", "aria-selected") == "true"
    page.get_by_role("button", name="Link to this game").click()
    link = page.locator(".bs-link-box").input_value()
    assert "nobody else can open it" in page.inner_text(".bs-link-shown")
    desk.get_by_role("button", name="Copy", exact=True).click()
    page.wait_for_selector(".bs-link-shown button:has-text('Copied')", timeout=5000)
    assert pasted(page) == link


def test_a_desk_that_may_not_copy_says_what_to_press(server: str, visit: Any) -> None:
    page = visit(f"{server}/voila/render/play.ipynb")
    page.evaluate(NO_CLIPBOARD)
    page.evaluate("document.execCommand = () => false")
    page.wait_for_selector(".bs-desk[data-seq]", timeout=30_000)
    page.locator(".bs-desk").get_by_role("tab", name="Game").click()
    page.get_by_role("button", name="Link to this game").click()
    page.locator(".bs-desk").get_by_role("button", name="Copy", exact=True).click()
    page.wait_for_selector(".bs-link-shown [role=status]:has-text('Ctrl-C')", timeout=5000)


def test_the_keyboard_walks_the_tabs_of_the_desk(server: str, visit: Any) -> None:
    """Who came to the tabs by keyboard walks them; nothing steps."""
    page = visit(f"{server}/voila/render/play.ipynb")
    page.wait_for_selector(".bs-desk[data-seq]", timeout=30_000)
    node = page.get_attribute(".bs-desk", "data-node")
    first = page.get_attribute(".bs-desk [role=tab][aria-selected=true]", "data-tab")
    page.locator(".bs-desk [role=tab][aria-selected=true]").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "t => document.querySelector('.bs-desk [role=tab][aria-selected=true]').dataset.tab !== t", arg=first
    )
    assert page.evaluate("() => document.activeElement.getAttribute('role')") == "tab"
    assert page.get_attribute(".bs-desk", "data-node") == node
