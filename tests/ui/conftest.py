"""A dashboards' server for the session, and browser pages that fail on outside requests and errors in the console."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from ui_serving import dashboards

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
]
LOCAL = ("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:", "about:")
NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the dashboards' server."""
    with dashboards(tmp_path_factory.mktemp("dashboards")) as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Debian's Chromium, cut off from every host but this one."""
    from playwright.sync_api import sync_playwright

    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.fail("The browser tests need Chromium on the PATH.")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


def told(line: object) -> bool:
    """An error in the console, other than that a page outlives a server which a test has ended."""
    return line.type == "error" and "ERR_CONNECTION" not in line.text  # type: ignore[attr-defined]


def leave(page: object) -> None:
    """Close a page as a visitor does, by going elsewhere first: its kernel ends then, and its seat is free."""
    with suppress(Exception):  # a page whose server has ended has nowhere to say so
        page.goto("about:blank", timeout=5_000)  # type: ignore[attr-defined]
    page.close()  # type: ignore[attr-defined]


@pytest.fixture
def visit(browser: object) -> Iterator[Callable[..., object]]:
    """Open an address and wait for its map; at the end no outside request and no error may have happened.

    `quiet` counts errors that only the console tells as well.
    """
    pages, troubles = [], []

    def open_page(
        url: str, *, width: int = 1280, height: int = 800, ready: bool = True, quiet: bool = True, **options: object
    ) -> object:
        page = browser.new_page(viewport={"width": width, "height": height}, **options)  # type: ignore[attr-defined]
        pages.append(page)
        page.on("pageerror", lambda error: troubles.append(f"script error: {error}"))
        page.on("console", lambda line: troubles.append(f"console: {line.text}") if quiet and told(line) else None)
        page.on("request", lambda r: None if r.url.startswith(LOCAL) else troubles.append(f"outside: {r.url}"))
        page.goto(url)
        if ready:
            page.wait_for_selector(".bs-root[data-drawn]", timeout=60_000, state="attached")
            page.wait_for_selector(".bs-panel[data-seq]", timeout=20_000)
            page.wait_for_timeout(400)
        return page

    yield open_page
    for page in pages:
        leave(page)
    assert troubles == []
