"""What students and designers do on the page: keys anywhere, the way back, tools, own charts, the picture."""

from __future__ import annotations

import json
from typing import Any

import pytest

from burma_study.games.ocs.openings import line_session
from burma_study.games.ocs.session import OcsSession

pytestmark = [pytest.mark.ui, pytest.mark.timeout(180)]

UGO = "/voila/render/u-go.ipynb"
MAP = "document.querySelector('.bs-map').__bs"
BLIND = "HTMLCanvasElement.prototype.getContext = () => null;"


@pytest.fixture(scope="module")
def ugo() -> OcsSession:
    return line_session("ocs/u-go")


def at_step(page: Any, step: int) -> None:
    page.wait_for_selector(f".bs-root[data-step='{step}']", state="attached")


def tab(page: Any, name: str) -> Any:
    panel = page.locator(".bs-panel")
    panel.get_by_role("tab", name=name).click()
    page.wait_for_selector(".bs-panel-body[aria-busy=false]")
    return panel


def test_arrow_keys_step_from_anywhere_but_where_they_mean_something_else(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    page.locator("body").press("ArrowRight")
    at_step(page, 1)
    page.locator(".bs-panel-body").focus()
    page.keyboard.press("ArrowRight")
    at_step(page, 2)
    page.keyboard.press("ArrowLeft")
    at_step(page, 1)
    page.get_by_role("tab", name="Supply").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[data-tab=unit][aria-selected=true]")
    panel = tab(page, "Charts")
    panel.locator("textarea").press("ArrowRight")
    page.evaluate(f"() => {MAP}.map.getContainer().focus()")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"() => {MAP}.selected >= 0")
    assert page.get_attribute(".bs-root", "data-step") == "1"
    page.get_by_role("button", name="Share link").focus()
    page.keyboard.press("?")
    assert "Anywhere on the page" in page.locator("dialog").inner_text()


def test_going_back_shows_what_was_looked_at_before(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    page.locator("body").press("ArrowRight")
    at_step(page, 1)
    page.wait_for_function("() => location.hash.includes('step=1')")
    page.wait_for_timeout(2100)
    page.evaluate(f"() => {MAP}.select({MAP}.board.hexOf.get('A7.09'))")
    page.wait_for_function("() => location.hash.includes('hex=A7.09')")
    page.go_back()
    page.wait_for_function(f"() => {MAP}.selected === -1")
    assert page.get_attribute(".bs-root", "data-step") == "1"
    page.go_back()
    at_step(page, 0)
    page.go_forward()
    at_step(page, 1)
    page.reload()
    at_step(page, 1)
    assert page.locator(".bs-notice:visible").count() == 0


def test_a_very_long_link_is_cut_short_in_what_is_said(server: str, visit: Any) -> None:
    page = visit(server + UGO + "#u-go?step=" + "9" * 4000 + "&hex=" + "Z" * 1500 + "&unit=%E0%A4%A")
    notice = page.locator(".bs-root .bs-notice:not([hidden])")
    notice.wait_for(timeout=15_000)
    assert len(notice.inner_text()) < 900
    assert page.get_attribute(".bs-root", "data-step") == "0"


def test_remarks_cover_no_counter_and_stay_inside_and_off_is_remembered(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    clashing = "!(a[2] < b[0] || a[0] > b[2] || a[3] < b[1] || a[1] > b[3])"
    script = f"""() => {{
      const m = {MAP}, {{ w, h, margin }} = m.view;
      const inside = ([x0, y0, x1, y1]) => x0 >= margin.x && y0 >= margin.y && x1 <= w - margin.x && y1 <= h - margin.y;
      const clash = m.spots.some(([, a], k) => m.spots.some(([, b], n) => n > k && {clashing}));
      return [m.spots.length, m.spots.every(([, box]) => inside(box)), clash];
    }}"""
    for step in (0, 4, 8):
        page.locator(".bs-slider").fill(str(step))
        at_step(page, step)
        page.wait_for_timeout(150)
        count, inside, overlapping = page.evaluate(script)
        assert count >= 1
        assert inside
        assert not overlapping
    page.locator(".bs-layers summary").click()
    page.get_by_label("Remarks of the step").uncheck()
    page.wait_for_function(f"() => {MAP}.spots.length === 0")
    page.evaluate("() => { location.hash = ''; }")
    page.wait_for_timeout(500)
    page.goto("about:blank")
    page.goto(server + UGO)
    page.wait_for_selector(".bs-root[data-drawn]", timeout=60_000, state="attached")
    assert page.evaluate(f"() => {MAP}.spots.length") == 0


def test_the_first_view_is_filled_with_relief(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    west = page.evaluate(f"() => [{MAP}.map.getBounds().getWest(), {MAP}.board.relief.bounds[0][1]]")
    assert west[0] >= west[1] - 0.01
    seen = f"[...{MAP}.film.area].every(h => {MAP}.map.getBounds().contains({MAP}.board.latLng(h)))"
    assert page.evaluate(f"() => {seen}")


def test_choke_points_are_found_and_shown(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    page.locator(".bs-headline >> text=Allied units trace").wait_for()
    panel = page.locator(".bs-panel")
    panel.get_by_role("button", name="Find the Allied choke points").click()
    row = panel.locator("table", has_text="Choke points").locator("tbody tr").first
    row.wait_for()
    assert row.locator("td").last.inner_text() == "28"
    row.locator("button").click()
    page.wait_for_function(f"() => {MAP}.live.overlays.some(o => o.key === 'stretch')")


def test_a_hex_tells_what_its_loss_would_cost(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    page.locator(".bs-headline >> text=Allied units trace").wait_for()
    page.evaluate(f"() => {MAP}.select({MAP}.board.hexOf.get('A3.01'))")
    panel = page.locator(".bs-panel")
    assert panel.get_by_label("Imagine there").input_value() == "battalion"
    panel.get_by_role("button", name="What if the Allied side lost this hex?").click()
    panel.get_by_text("6 units elsewhere would lose their trace").wait_for()
    assert panel.locator("table", has_text="Would lose trace").locator("tbody tr").count() == 6


def test_the_net_downloads_as_geojson(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    page.locator(".bs-headline >> text=Allied units trace").wait_for()
    with page.expect_download() as caught:
        page.get_by_role("button", name="Download the Allied net").click()
    data = json.loads(caught.value.path().read_text(encoding="utf-8"))
    layers = {f["properties"]["layer"] for f in data["features"]}
    assert layers == {"leg", "unit", "flow"}
    assert caught.value.suggested_filename == "ocs-u-go-allied-net-1944-03-15.geojson"


def test_a_readers_own_chart_is_checked_used_named_and_removed(server: str, visit: Any, ugo: OcsSession) -> None:
    page = visit(server + UGO)
    panel = tab(page, "Charts")
    panel.locator("label.bs-select select").select_option("route_effects")
    panel.get_by_text("Your “Route effects” as CSV").wait_for()
    with page.expect_download() as caught:
        panel.get_by_role("button", name="Download it as CSV").click()
    template = caught.value.path().read_text(encoding="utf-8")
    assert template == ugo.chart_text("route_effects")
    panel.locator("textarea").fill(template.replace("1/2", "often"))
    panel.get_by_role("button", name="Use this chart").click()
    problems = panel.locator("table", has_text="What is wrong").locator("tbody tr")
    problems.first.wait_for()
    assert "often" in problems.first.inner_text()
    assert page.locator(".bs-rider").count() == 0
    panel.locator("textarea").fill(template.replace("1/2", "3"))
    panel.get_by_role("button", name="Use this chart").click()
    page.locator(".bs-rider >> text=Under your own chart: Route effects").wait_for()
    assert "28 of 34" not in page.locator(".bs-headline").inner_text()
    page.locator("body").press("ArrowRight")
    at_step(page, 1)
    panel.get_by_role("button", name="Remove your “Route effects”").click()
    page.wait_for_selector(".bs-rider", state="detached")
    page.locator(".bs-headline >> text=27 of 35 Allied units").wait_for()


def test_a_picture_with_the_same_text_stands_in_where_no_map_can_be_drawn(server: str, visit: Any) -> None:
    for query, init in (("?picture=1", ""), ("", BLIND)):
        page = visit(server + "/voila/render/u-go.ipynb" + query, ready=False)
        if init:
            page.add_init_script(init)
            page.reload()
        page.wait_for_selector(".bs-still[data-drawn='0']", timeout=60_000)
        first = page.locator(".bs-still-image").get_attribute("src")
        assert first.startswith("data:image/svg+xml")
        assert page.locator(".bs-still-image").evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        page.get_by_role("button", name="Next step").click()
        page.wait_for_selector(".bs-still[data-drawn='1']")
        page.wait_for_function("src => document.querySelector('.bs-still-image').src !== src", arg=first)
        page.locator(".bs-twin summary").click()
        page.locator(".bs-twin tbody tr").nth(40).wait_for()
        page.locator(".bs-headline >> text=27 of 35 Allied units").wait_for()
        assert not page.locator(".leaflet-container").is_visible()


def test_two_tabs_of_one_browser_keep_apart(server: str, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    pages = [context.new_page() for _ in range(2)]
    for page in pages:
        page.goto(server + UGO)
        page.wait_for_selector(".bs-root[data-drawn]", timeout=60_000, state="attached")
    pages[0].locator("body").press("ArrowRight")
    at_step(pages[0], 1)
    pages[1].wait_for_timeout(400)
    assert pages[1].get_attribute(".bs-root", "data-step") == "0"
    context.close()


def test_resizing_keeps_map_and_panel_in_the_window(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    for width, height in ((820, 700), (390, 844), (1500, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(350)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        view = page.evaluate(f"() => [{MAP}.view.w - 2 * {MAP}.view.margin.x, {MAP}.map.getContainer().clientWidth]")
        assert abs(view[0] - view[1]) <= 1
