"""The dashboards of a reader whose home cannot be written: the pages open all the same."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ui_serving import ROOT, free_port, running

from burma_study.ui.server import KEPT_AT_HOME, ensure_writable, writable

PAGE = "/voila/render/u-go.ipynb"


def sealed(folder: Path) -> Iterator[Path]:
    """A folder that not even root can write: a read-only mount of its own."""
    home = folder / "sealed"
    home.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "none", str(home)], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("Nothing can be mounted here.")
    yield home
    subprocess.run(["umount", "-l", str(home)], check=True)


@pytest.fixture(params=["file", "proc", "gone", "mount"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """Homes in which nothing can be made; `os.access` calls some of them writable to root."""
    if request.param == "mount":
        yield from sealed(tmp_path)
    else:
        (tmp_path / "file").write_text("no folder")
        yield {"file": tmp_path / "file", "proc": Path("/proc/self"), "gone": Path("/proc/nowhere/home")}[request.param]


def test_a_home_is_tried_by_writing(home: Path, tmp_path: Path) -> None:
    assert not writable(home)
    assert not writable(home / ".jupyter")
    assert writable(tmp_path)
    assert writable(tmp_path / "not" / "yet")
    assert not writable(None)
    assert {f.name for f in tmp_path.iterdir()} <= {"file", "sealed"}


def test_only_what_cannot_be_written_is_moved(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (*KEPT_AT_HOME, "XDG_DATA_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "fine"))
    ensure_writable()
    assert not any(v in os.environ for v in KEPT_AT_HOME)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("IPYTHONDIR", "chosen")
    ensure_writable()
    assert os.environ["IPYTHONDIR"] == "chosen"
    moved = [Path(os.environ[v]) for v in KEPT_AT_HOME[1:]]
    assert all(writable(place) for place in moved)
    for variable in KEPT_AT_HOME[1:]:
        del os.environ[variable]


@pytest.mark.ui
@pytest.mark.timeout(240)
def test_the_command_opens_a_page_that_steps(home: Path, tmp_path: Path, visit: Any) -> None:
    port = free_port()
    code = "import sys; from burma_study.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "dashboard", "--no-browser", "--port", str(port)]
    strange = {"HOME": str(home), "PYTHONPATH": str(ROOT)}
    with running(command, port, tmp_path, env=strange) as url:
        page = visit(url + PAGE)
        page.get_by_role("button", name="Next step").click()
        page.wait_for_selector(".bs-root[data-step='1']", state="attached")
        page.locator(".bs-panel .bs-headline").wait_for()
        play = visit(url + "/voila/render/play.ipynb")
        play.wait_for_selector(".bs-desk[data-seq]", timeout=60_000)
        for opened in (page, play):
            opened.close()
    assert "Traceback" not in (tmp_path / "server.log").read_text()
