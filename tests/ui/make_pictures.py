"""Pictures of the real page, for README and landing page: `python tests/ui/make_pictures.py`. Not part of the tests."""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from conftest import FLAGS, NAMES
from ui_serving import ROOT, dashboards

UGO = "/voila/render/u-go.ipynb"
PICTURES = ROOT / "notebooks" / "pictures"
LANDING = ROOT / "burma_study" / "ui" / "voila" / "templates" / "study" / "static" / "u-go.webp"
MOST = {".png": 200_000, ".webp": 150_000}
MAP = "document.querySelector('.bs-map').__bs"
LOOK = (
    f"([label, zoom]) => {MAP}.map.setView({MAP}.board.latLng({MAP}.board.hexOf.get(label)), zoom, {{animate: false}})"
)


def open_step(page: Any, url: str, step: int) -> None:
    """The U-Go page at a step, with its supply worked out."""
    page.goto(url + UGO)
    page.wait_for_selector(".bs-root[data-drawn]", timeout=60_000, state="attached")
    page.wait_for_function(f"() => {MAP}.live.net.length > 5")
    if step:
        page.locator(".bs-slider").fill(str(step))
    page.wait_for_selector(f".bs-root[data-step='{step}']", state="attached")
    page.wait_for_timeout(700)


def campaign(page: Any, url: str) -> None:
    """The first step of U-Go as it opens."""
    open_step(page, url, 0)


def trace(page: Any, url: str) -> None:
    """A brigade of 17 Division whose supply is stopped on the Tiddim road."""
    open_step(page, url, 3)
    page.locator(".bs-panel tr", has_text="48-17").locator("button").click()
    page.locator(".bs-panel >> text=/Verdict/").wait_for()
    page.evaluate(LOOK, ["A5.02", 9])


def odds(page: Any, url: str) -> None:
    """An attack with its modifiers and exact results."""
    open_step(page, url, 3)
    page.get_by_role("tab", name="Combat").click()
    page.get_by_role("button", name="Best Allied attacks").click()
    page.locator(".bs-panel table .bs-link").first.click()
    page.wait_for_selector(".bs-panel .bs-chart")
    target = page.evaluate(
        "() => { const m = document.querySelector('.bs-map').__bs; return m.board.labels[m.selected]; }"
    )
    page.evaluate(LOOK, [target, 10])
    page.locator(".bs-panel-body").evaluate(
        "node => { const top = n => n.getBoundingClientRect().top;"
        " node.scrollTop += top(node.querySelector('.bs-chart')) - top(node) - 160; }"
    )


def shrunk(raw: bytes, path: Path) -> bytes:
    """A screenshot as a palette PNG or a WebP that keeps its limit."""
    from PIL import Image

    image = Image.open(io.BytesIO(raw)).convert("RGB")
    for step in (128, 96, 64, 48, 32) if path.suffix == ".png" else (82, 76, 70, 62, 54):
        out = io.BytesIO()
        if path.suffix == ".png":
            image.quantize(step, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
                out, "PNG", optimize=True
            )
        else:
            image.save(out, "WEBP", quality=step, method=6)
        if out.tell() <= MOST[path.suffix]:
            return out.getvalue()
    raise SystemExit(f"{path.name} stays above {MOST[path.suffix]} bytes")


def main() -> None:
    """Write all pictures."""
    from playwright.sync_api import sync_playwright

    scenes: dict[Path, Callable[[Any, str], None]] = {
        PICTURES / "u-go.png": campaign,
        PICTURES / "trace.png": trace,
        PICTURES / "odds.png": odds,
        LANDING: campaign,
    }
    chromium = next(found for name in NAMES if (found := shutil.which(name)))
    with tempfile.TemporaryDirectory() as folder, dashboards(Path(folder)) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for path, scene in scenes.items():
            page = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme="light")
            scene(page, url)
            page.wait_for_timeout(600)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(shrunk(page.screenshot(), path))
            page.close()
            print(path.relative_to(ROOT), path.stat().st_size)
        browser.close()


if __name__ == "__main__":
    main()
