"""A dashboards' server for the session, and browser pages that fail on outside requests and script errors."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(command: list[str], port: int, folder: Path) -> Iterator[str]:
    """A server process of its own, waited for and ended with its kernels."""
    env = os.environ | {
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "IPYTHONDIR": str(folder / "ipython"),
        "PYTHONPATH": str(ROOT),
    }
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log, start_new_session=True)
    try:
        for _ in range(300):
            assert server.poll() is None, (folder / "server.log").read_text()[-2000:]
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)


@contextmanager
def dashboards(folder: Path, *more: str, notebooks: Path | None = None) -> Iterator[str]:
    """The dashboards' server, on its own notebooks or on a folder of the test's."""
    port = free_port()
    code = "import sys, pathlib, burma_study.ui.server as s\n"
    if notebooks is not None:
        code += f"s.notebooks_root = lambda: pathlib.Path({str(notebooks)!r})\n"
    code += "s.main(sys.argv[1:])"
    command = [sys.executable, "-c", code, "--port", str(port), "--ip", "127.0.0.1", *more]
    with running(command, port, folder) as url:
        yield url


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


@pytest.fixture
def visit(browser: object) -> Iterator[Callable[..., object]]:
    """Open an address and wait for its map; at the end no outside request and no script error may have happened."""
    pages, troubles = [], []

    def open_page(url: str, *, width: int = 1280, height: int = 800, ready: bool = True, **options: object) -> object:
        page = browser.new_page(viewport={"width": width, "height": height}, **options)  # type: ignore[attr-defined]
        pages.append(page)
        page.on("pageerror", lambda error: troubles.append(f"script error: {error}"))
        page.on("request", lambda r: None if r.url.startswith(LOCAL) else troubles.append(f"outside: {r.url}"))
        page.goto(url)
        if ready:
            page.wait_for_selector(".bs-root[data-drawn]", timeout=60_000, state="attached")
            page.wait_for_selector(".bs-panel[data-seq]", timeout=20_000)
            page.wait_for_timeout(400)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert troubles == []
