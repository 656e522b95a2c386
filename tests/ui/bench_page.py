"""Page figures, in a real browser against a cold server: `python tests/ui/bench_page.py`. Not part of the tests.

Absolute figures, medians; run it on a quiet machine. Goals: ready 3.5 s cold, step 100 ms median and 200 ms at most,
click to panel 150 ms, 10 kB a step, no growth over 100 steps, no outside request, 135 MB a visitor; the same for a step
and a click while playing.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from conftest import FLAGS, LOCAL, NAMES
from ui_serving import dashboards

STEP = """async step => {
  const m = document.querySelector('.bs-map').__bs, panel = document.querySelector('.bs-panel');
  const frame = () => new Promise(requestAnimationFrame), start = performance.now(), before = panel.dataset.seq;
  m.go(step);
  while (m.root.dataset.step !== String(step)) await frame();
  await frame();
  const drawn = performance.now() - start;
  while (panel.dataset.seq === before) await frame();
  await frame(); await frame();
  return [drawn, performance.now() - start];
}"""
CLICK = """async h => {
  const m = document.querySelector('.bs-map').__bs, panel = document.querySelector('.bs-panel');
  const frame = () => new Promise(requestAnimationFrame), start = performance.now(), before = panel.dataset.seq;
  m.select(h);
  while (panel.dataset.seq === before) await frame();
  await frame(); await frame();
  return performance.now() - start;
}"""

ASK = """async ([key, value]) => {
  const m = document.querySelector('.bs-map').__bs, desk = document.querySelector('.bs-desk');
  const frame = () => new Promise(requestAnimationFrame), before = desk.dataset.seq, step = m.root.dataset.step;
  const start = performance.now();
  if (key === 'pick' || key === 'go') m.moves.send({ [key]: value });
  else document.dispatchEvent(new KeyboardEvent('keydown', { key: value }));
  let drawn = 0;
  while (desk.dataset.seq === before || (key !== 'pick' && !drawn)) {
    await frame();
    if (!drawn && m.root.dataset.step !== step) { await frame(); drawn = performance.now() - start; }
  }
  await frame(); await frame();
  return [drawn, performance.now() - start];
}"""
STACKS = """() => {
  const m = document.querySelector('.bs-map').__bs;
  return [...m.scene.stacks].filter(([, s]) => s.some(u => u.side === 'japanese')).map(([h]) => h);
}"""
WAYS = "() => [...document.querySelector('.bs-map').__bs.moves.ways.keys()].slice(0, 6)"


class Traffic:
    """Bytes over the websocket and requests to the outside."""

    def __init__(self, page: Any) -> None:
        self.bytes = self.messages = 0
        self.outside: list[str] = []
        page.on("websocket", self._listen)
        page.on("request", lambda r: None if r.url.startswith(LOCAL) else self.outside.append(r.url))

    def _listen(self, socket: Any) -> None:
        socket.on("framereceived", self._count)
        socket.on("framesent", self._count)

    def _count(self, payload: Any) -> None:
        self.bytes += len(payload)
        self.messages += 1


def kernel_memory(folder: str) -> float:
    """Megabytes of private pages of the one kernel that runs for the server of a folder."""
    kernel = next(p for p in Path("/proc").glob("[0-9]*") if _is_kernel(p, folder))
    lines = (kernel / "smaps_rollup").read_text().splitlines()
    return sum(int(x.split()[1]) for x in lines if x.startswith(("Private_Clean", "Private_Dirty"))) / 1024


def _is_kernel(path: Path, folder: str) -> bool:
    try:
        mine = folder.encode() in (path / "environ").read_bytes()
        return mine and b"ipykernel_launcher" in (path / "cmdline").read_bytes()
    except OSError:
        return False


def opened(browser: Any, url: str, name: str) -> tuple[Any, Traffic, float]:
    """A page with its traffic, and the seconds until map and panel were there."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    traffic = Traffic(page)
    start = time.perf_counter()
    page.goto(f"{url}/voila/render/{name}.ipynb")
    page.wait_for_selector(".bs-root[data-drawn]", timeout=60_000, state="attached")
    page.wait_for_selector(".bs-panel[data-seq]", timeout=60_000)  # the desk of play is a panel too
    ready = time.perf_counter() - start
    page.wait_for_timeout(1500)
    return page, traffic, ready


def measure(url: str, browser: Any, folder: str) -> dict[str, Any]:
    """All figures of one visit."""
    page, traffic, ready = opened(browser, url, "u-go")
    first_state = traffic.bytes
    for k in (*range(1, 10), 0):
        page.evaluate(STEP, k)
    before = traffic.bytes
    steps = [page.evaluate(STEP, k % 10) for k in range(1, 21)]  # ends at 0
    step_bytes = (traffic.bytes - before) / 20
    hexes = page.evaluate("() => [...document.querySelector('.bs-map').__bs.scene.stacks.keys()].slice(0, 15)")
    clicks = [page.evaluate(CLICK, h) for h in hexes]
    client = page.context.new_cdp_session(page)
    heap, memory = js_heap(client), kernel_memory(folder)
    for k in range(100):
        page.evaluate(STEP, (k * 3 + 1) % 10)
    grown, kernel_grown = js_heap(client) - heap, kernel_memory(folder) - memory
    client.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    slow = [page.evaluate(STEP, k % 10)[0] for k in range(2, 12)]
    page.close()
    drawn, told = zip(*steps, strict=True)
    return {
        "ready_s": round(ready, 2),
        "first_state_kB": round(first_state / 1000),
        "step_drawn_ms": spread(drawn),
        "step_with_panel_ms": spread(told),
        "step_cpu4_ms": spread(slow),
        "step_kB": round(step_bytes / 1000, 1),
        "click_to_panel_ms": spread(clicks),
        "heap_growth_MB_100_steps": round(grown, 1),
        "kernel_growth_MB_100_steps": round(kernel_grown, 1),
        "kernel_MB": round(memory),
        "outside_requests": len(traffic.outside),
    }


def measure_play(url: str, browser: Any) -> dict[str, Any]:
    """Figures of playing: picking a stack, an order, undo and redo, from the click to the picture and to the desk."""
    page, traffic, ready = opened(browser, url, "play")
    while "Japanese movement" not in page.locator(".bs-phase-title").inner_text():
        page.evaluate(ASK, ["key", "e"])
    picks, orders, before = [], [], 0
    for hex_ in page.evaluate(STACKS)[:16]:
        picks.append(page.evaluate(ASK, ["pick", hex_])[1])
        ways = page.evaluate(WAYS)
        before = traffic.bytes
        if ways:
            orders.append((*page.evaluate(ASK, ["go", ways[-1]]), traffic.bytes - before))
    back = [page.evaluate(ASK, ["key", key]) for key in "u" * 10 + "r" * 10]
    page.close()
    drawn, told, size = zip(*orders, strict=True)
    return {
        "play_ready_s": round(ready, 2),
        "play_pick_to_desk_ms": spread(picks),
        "play_order_drawn_ms": spread(drawn),
        "play_order_with_desk_ms": spread(told),
        "play_undo_redo_drawn_ms": spread(d for d, _ in back),
        "play_undo_redo_with_desk_ms": spread(t for _, t in back),
        "play_order_kB": round(statistics.median(size) / 1000, 1),
        "play_outside_requests": len(traffic.outside),
    }


def js_heap(client: Any) -> float:
    """Megabytes of JavaScript heap after a collection."""
    client.send("HeapProfiler.collectGarbage")
    return float(client.send("Runtime.getHeapUsage")["usedSize"]) / 1e6


def spread(values: Any) -> dict[str, float]:
    """Median and maximum."""
    values = list(values)
    return {"median": round(statistics.median(values)), "max": round(max(values))}


def main() -> None:
    """Print the figures as JSON."""
    from playwright.sync_api import sync_playwright

    chromium = next(found for name in NAMES if (found := shutil.which(name)))
    with tempfile.TemporaryDirectory() as folder, dashboards(Path(folder)) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        figures = measure(url, browser, folder) | measure_play(url, browser)
        browser.close()
    figures["load_average"] = round(os.getloadavg()[0], 1)
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
