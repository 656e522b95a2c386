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
