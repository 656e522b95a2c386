"""The dashboards in a real browser: what a reader does first, and what must never happen."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from burma_study.ui.server import dashboards

pytestmark = [pytest.mark.ui, pytest.mark.timeout(180)]

UGO = "/voila/render/u-go.ipynb"
MAP = "document.querySelector('.bs-map').__bs"
DRAWN = """() => {
  const c = document.querySelector('canvas.bs-pieces');
  const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, seen = new Set();
  for (let k = 0; k < d.length; k += 4 * 31) if (d[k + 3]) seen.add(d[k] << 16 | d[k + 1] << 8 | d[k + 2]);
  return seen.size;
}"""
CENTRE = """([label, zoom]) => {
  const m = document.querySelector('.bs-map').__bs, at = m.board.latLng(m.board.hexOf.get(label));
  m.map.setView(at, zoom ?? m.map.getZoom(), { animate: false });
  const p = m.map.latLngToContainerPoint(at), box = m.map.getContainer().getBoundingClientRect();
  return [box.x + p.x, box.y + p.y];
}"""
COUNT_SENT = """() => {
  window.bsSent = 0;
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (m) { window.bsSent++; return send.call(this, m); };
}"""


def centre(page: Any, label: str, zoom: float | None = None) -> tuple[float, float]:
    """Put a hex in view and give its place on the screen."""
    x, y = page.evaluate(CENTRE, [label, zoom])
    return x, y


def click_hex(page: Any, label: str, zoom: float = 9) -> None:
    x, y = centre(page, label, zoom)
    page.mouse.click(x, y)
    page.wait_for_function(f"label => {MAP}.board.labels[{MAP}.selected] === label", arg=label)


def test_the_page_is_drawn_with_its_landmarks(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    assert page.locator("main, [role=main]").count() == 1
    assert page.locator("[role=main] .bs-root").count() == 1
    assert page.evaluate(DRAWN) > 20
    assert page.locator(".bs-step-title").inner_text().endswith("1 of 10")
    assert page.locator("[aria-live=polite]").count() >= 1


def test_the_line_steps_by_button_key_and_slider(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    titles = [page.locator(".bs-step-title").inner_text()]
    page.get_by_role("button", name="Next step").click()
    page.wait_for_selector(".bs-root[data-step='1']", state="attached")
    titles.append(page.locator(".bs-step-title").inner_text())
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".bs-root[data-step='2']", state="attached")
    page.get_by_role("button", name="Last step").click()
    page.wait_for_selector(".bs-root[data-step='9']", state="attached")
    titles.append(page.locator(".bs-step-title").inner_text())
    page.keyboard.press("Home")
    page.wait_for_selector(".bs-root[data-step='0']", state="attached")
    page.locator(".bs-slider").fill("5")
    page.wait_for_selector(".bs-root[data-step='5']", state="attached")
    titles.append(page.locator(".bs-step-title").inner_text())
    assert len(set(titles)) == 4
    shown = page.evaluate("() => document.querySelector('.bs-map').__bs.scene.units.length")
    assert shown > 60


def test_a_unit_is_picked_from_its_stack_and_its_trace_read(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    click_hex(page, "A7.09")
    tray = page.locator(".bs-tray-unit")
    assert tray.count() >= 2
    tray.first.click()
    page.wait_for_selector("[data-tab=unit][aria-selected=true]")
    panel = page.locator(".bs-panel")
    text = panel.inner_text()
    for word in ("Combat side", "Projected", "Eats from", "Why"):
        assert word in text


def test_an_attack_shows_its_chain_columns_and_results(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    page.get_by_role("button", name="Next step").click()
    page.wait_for_selector(".bs-root[data-step='1']", state="attached")
    panel = page.locator(".bs-panel")
    panel.get_by_role("tab", name="Combat").click()
    panel.get_by_role("button", name="Best Japanese attacks").click()
    panel.locator("table .bs-link").first.click()
    page.wait_for_selector(".bs-panel .bs-chart")
    text = panel.inner_text()
    for word in ("Chain of modifiers", "Columns after surprise", "Results of the Combat Table", "Verdict"):
        assert word in text
    exact = panel.locator(".bs-chart").get_attribute("aria-label")
    assert "%" in exact
    chances = panel.locator("details table").first.locator("td").all_inner_texts()
    assert chances


def test_supply_of_one_side_stands_on_the_map_and_in_the_panel_at_once(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    page.wait_for_function(f"() => {MAP}.live.net.length > 5")
    panel = page.locator(".bs-panel")
    panel.locator(".bs-headline >> text=28 of 34 Allied units trace supply").wait_for()
    assert panel.get_by_role("tab", selected=True).inner_text() == "Supply"
    panel.get_by_text("What do the words mean?").click()
    assert "Neither path nor dump" in panel.inner_text()
    panel.get_by_label("Japanese", exact=True).check()
    panel.locator(".bs-headline >> text=Japanese units trace").wait_for()
    assert page.evaluate(f"() => {MAP}.asked.supply") == "japanese"
    statuses = page.evaluate(f"() => [...new Set({MAP}.scene.units.map(u => u.supply))]")
    assert "in" in statuses
    panel.get_by_label("nobody", exact=True).check()
    page.wait_for_function(f"() => {MAP}.live.net.length === 0")
    page.locator(".bs-layers summary").click()
    page.get_by_label("Supply status and lines").select_option("allied")
    page.wait_for_function(f"() => {MAP}.live.net.length > 5")


def test_a_row_of_the_list_draws_the_nearest_miss_and_then_the_verdict(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    page.locator(".bs-slider").fill("3")
    panel = page.locator(".bs-panel")
    row = panel.locator("tr", has_text="48-17")
    assert "Cut off at B3.30 by 1-215-33" in row.inner_text()
    row.locator("button").click()
    page.wait_for_selector("[data-tab=unit][aria-selected=true]")
    page.wait_for_function(f"() => {MAP}.live.traces.length === 1")
    legs = page.evaluate(
        f"() => {MAP}.live.traces[0].legs.map(l => [l.kind, l.ends, {MAP}.board.labels[l.hexes.at(-1)]])"
    )
    assert legs == [["miss", "blocked", "B3.30"], ["missing", "unit", "B3.29"]]
    panel.locator("text=/Verdict/").wait_for(timeout=10_000)
    assert "Values behind it that are not printed" in panel.inner_text()


def test_the_set_ups_can_be_changed(server: str, visit: Any) -> None:
    page = visit(server + "/voila/render/setups.ipynb")
    first = page.evaluate("() => document.querySelector('.bs-map').__bs.scene.units.length")
    page.locator(".bs-head select").select_option(index=1)
    page.wait_for_function("n => document.querySelector('.bs-map').__bs.scene.units.length !== n", arg=first)
    page.wait_for_selector(".bs-panel >> text=Operation Thursday")


def test_a_link_restores_what_was_found(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    page.get_by_role("button", name="Next step").click()
    page.wait_for_selector(".bs-root[data-step='1']", state="attached")
    click_hex(page, "A7.09")
    page.locator(".bs-tray-unit").first.click()
    unit = page.evaluate("() => document.querySelector('.bs-map').__bs.model.get('unit')")
    page.get_by_role("button", name="Share link").click()
    link = page.locator("dialog textarea").input_value()
    assert link.startswith(server)
    again = visit(link)
    again.wait_for_selector(".bs-root[data-step='1']", state="attached", timeout=15_000)
    state = again.evaluate(f"() => [{MAP}.board.labels[{MAP}.selected], {MAP}.model.get('unit')]")
    assert state == ["A7.09", unit]
    assert again.locator(".bs-notice:visible").count() == 0


def test_nonsense_in_a_link_is_one_sentence_and_the_default(server: str, visit: Any) -> None:
    page = visit(server + UGO + "#u-go?scenario=ocs/nowhere&step=77&hex=Q1.1&layers=fog&view=9e9,x,3&hide=grid")
    page.wait_for_selector(".bs-root .bs-notice:not([hidden])", timeout=15_000)
    text = page.locator(".bs-root .bs-notice").inner_text()
    assert "ocs/nowhere" in text
    assert "'77'" in text
    assert "Traceback" not in page.content()
    assert page.get_attribute(".bs-root", "data-step") == "0"


@pytest.mark.parametrize(("zoom", "detail"), [(7.5, "far"), (9, "mid"), (10.5, "near")])
@pytest.mark.parametrize("ratio", [1, 2])
def test_three_zooms_are_drawn_sharp(server: str, visit: Any, zoom: float, detail: str, ratio: int) -> None:
    page = visit(server + UGO, device_scale_factor=ratio)
    centre(page, "A7.09", zoom)
    page.wait_for_selector(f".bs-root[data-detail='{detail}']", state="attached")
    assert page.evaluate(DRAWN) > 20
    sizes = page.evaluate(
        "() => { const c = document.querySelector('canvas.bs-pieces'); return [c.width, parseFloat(c.style.width)]; }"
    )
    assert sizes[0] == pytest.approx(sizes[1] * ratio, abs=1)


def test_the_keyboard_alone_is_enough(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    click_hex(page, "A7.09")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowUp")
    page.wait_for_function(
        "() => { const m = document.querySelector('.bs-map').__bs; return m.board.labels[m.selected] === 'A7.10'; }"
    )
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector(".bs-tray-unit:focus")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.bs-map').__bs.model.get('unit') !== ''")
    page.keyboard.press("Escape")
    assert page.locator(".bs-tray").count() == 0
    page.keyboard.press(".")
    page.wait_for_selector(".bs-root[data-step='1']", state="attached")
    page.keyboard.press("?")
    assert page.locator("dialog").is_visible()


def test_positions_download_as_csv_and_geojson(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    shown = page.evaluate(
        "() => { const s = document.querySelector('.bs-map').__bs.scene; return s.units.length + s.markers.length; }"
    )
    with page.expect_download() as caught:
        page.get_by_role("button", name="CSV", exact=True).click()
    rows = list(csv.DictReader(io.StringIO(caught.value.path().read_text(encoding="utf-8"))))
    assert len(rows) == shown
    assert {"id", "hex", "lat", "lon", "date", "strength"} <= set(rows[0])
    with page.expect_download() as caught:
        page.get_by_role("button", name="GeoJSON", exact=True).click()
    data = json.loads(caught.value.path().read_text(encoding="utf-8"))
    assert len(data["features"]) == shown
    order = [(r["kind"] != "unit", r["kind"], r["id"]) for r in rows if r["hex"] == rows[0]["hex"]]
    assert order == sorted(order)
    line = next(r for r in rows if r["strength"] == "2-5-3")
    assert (line["attack"], line["rating"], line["movement"]) == ("2", "5", "3")
    gun = next(r for r in rows if r["strength"].count("-") == 3)
    assert (gun["attack"], gun["barrage"]) == ("", gun["strength"].split("-")[0])
    for name in data["features"][0]["properties"]:
        values = [f["properties"][name] for f in data["features"]]
        assert "" not in values, name
        assert len({type(v) for v in values if v is not None}) <= 1, name
    lon, lat = data["features"][0]["geometry"]["coordinates"]
    assert 92 < lon < 99
    assert 20 < lat < 28


def test_a_hex_can_be_reported_with_a_prefilled_row(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    page.get_by_role("button", name="Report this hex").click()
    assert "Select a hex first" in page.locator(".bs-root .bs-notice").inner_text()
    click_hex(page, "A10.21")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Report this hex").click()
    header, row = page.locator("dialog textarea").input_value().splitlines()
    assert header == "hex,what,value,reason"
    assert row.startswith("A10.21,terrain,")


def test_the_map_has_a_table_for_a_twin(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    page.locator(".bs-twin summary").click()
    rows = page.locator(".bs-twin tbody tr")
    rows.first.wait_for()
    hexes = page.evaluate(f"() => new Set([...{MAP}.scene.stacks.keys(), ...{MAP}.scene.markersAt.keys()]).size")
    assert rows.count() == hexes
    rows.first.locator("button").click()
    page.wait_for_function("() => document.querySelector('.bs-map').__bs.selected >= 0")


def test_moving_the_mouse_sends_nothing(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    page.evaluate(COUNT_SENT)
    for k in range(60):
        page.mouse.move(200 + 4 * k, 300 + 2 * k)
    page.wait_for_timeout(300)
    assert page.locator(".bs-readout").inner_text()
    assert page.evaluate("() => window.bsSent") <= 3


def test_a_phone_shows_the_map_first_and_the_panel_below(server: str, visit: Any) -> None:
    page = visit(server + UGO, width=390, height=844)
    box, panel = page.locator(".bs-map").bounding_box(), page.locator(".bs-panel").bounding_box()
    assert box["width"] > 340
    assert box["y"] + box["height"] < panel["y"]
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_dark_and_light_both_draw(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    light = page.evaluate("() => document.querySelector('canvas.bs-ground').toDataURL().length")
    page.get_by_role("button", name="Light / dark").click()
    page.wait_for_timeout(400)
    assert page.evaluate("() => document.body.dataset.bsTheme") == "dark"
    dark = page.evaluate("() => document.querySelector('canvas.bs-ground').toDataURL().length")
    assert dark != light


def test_the_landing_page_leads_to_every_dashboard(server: str, visit: Any) -> None:
    page = visit(server, ready=False)
    links = page.locator(".bs-cards a").evaluate_all("nodes => nodes.map(n => n.getAttribute('href'))")
    names = [link.rpartition("/")[2].removesuffix(".ipynb") for link in links]
    assert names[:3] == ["u-go", "00-start", "setups"]
    assert set(names) == set(dashboards())
    assert page.locator("main").count() == 1
    assert page.locator(".bs-shown img").evaluate("image => image.naturalWidth") == 1280
    page.locator(".bs-shown").click()
    page.wait_for_selector(".bs-root[data-drawn]", timeout=60_000, state="attached")


FAR_BOX = f"""() => {{
  const m = {MAP}, seen = new Map();
  for (const u of m.scene.units) {{
    const at = m.board.latLng(u.hex), p = m.map.latLngToContainerPoint(at);
    const box = m.boxAt({{ latlng: window.L.latLng(at) }});
    if (box && box.hexes.length > 1) seen.set(u.id, [p.x, p.y, box.hexes.length, box.units.length]);
  }}
  const at = m.map.getContainer().getBoundingClientRect(), [first] = [...seen.values()].sort((a, b) => b[3] - a[3]);
  return [at.x + first[0], at.y + first[1], first[2], first[3]];
}}"""


def test_a_box_of_several_hexes_opens_its_units_by_hex(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    assert page.locator(".bs-root").first.get_attribute("data-detail") == "far"
    x, y, hexes, units = page.evaluate(FAR_BOX)
    page.mouse.click(x, y)
    assert page.locator(".bs-cluster [data-hex]").count() == hexes >= 2
    assert page.locator(".bs-cluster .bs-tray-unit").count() == units
    last = page.locator(".bs-cluster .bs-tray-hex").last
    label = last.locator("[data-hex]").get_attribute("data-hex")
    unit = last.locator(".bs-tray-unit").first
    wanted = unit.get_attribute("data-unit")
    unit.click()
    page.wait_for_selector("[data-tab=unit][aria-selected=true]")
    assert page.evaluate(f"() => [{MAP}.board.labels[{MAP}.selected], {MAP}.model.get('unit')]") == [label, wanted]


def test_the_history_tab_tells_why_and_how_it_ended_and_fits_a_phone(server: str, visit: Any) -> None:
    page = visit(server + UGO)
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("tab", name="History").click()
    panel = page.locator(".bs-panel")
    panel.get_by_text("The model and history").wait_for()
    told = panel.inner_text()
    for words in ("Why they fought here", "How it ended", "Numbers", "From memory of S. W. Kirby"):
        assert words in told
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(
        "() => { const t = document.querySelector('.bs-tabs'); return t.scrollWidth <= t.clientWidth; }"
    )
    page.get_by_role("tab", name="Events").click()
    panel.get_by_text("To think about").wait_for()
