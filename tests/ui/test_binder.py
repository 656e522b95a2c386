"""Binder's way in: the dashboards' own server behind jupyter-server-proxy, with the launcher's settings."""

from __future__ import annotations

import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ui_serving import free_port, running

pytestmark = [pytest.mark.ui, pytest.mark.timeout(240)]

BASE = "/user/abc/"


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the proxied dashboards on a Jupyter server with a base path, as a hub gives each visitor."""
    folder, port = tmp_path_factory.mktemp("hub"), free_port()
    (folder / "home").mkdir()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"]
    command += [f"--ServerApp.base_url={BASE}", "--IdentityProvider.token=", f"--ServerApp.root_dir={folder / 'home'}"]
    with running(command, port, folder) as url:
        yield f"{url}{BASE}burma-study/"


def test_the_proxied_page_steps_and_asks_nothing_of_the_outside(hub: str, visit: Any) -> None:
    page = visit(hub + "voila/render/u-go.ipynb")
    page.get_by_role("button", name="Next step").first.click()
    page.wait_for_function("() => document.querySelector('.bs-map').__bs.step === 1")


def test_the_proxied_landing_page_is_ours(hub: str, visit: Any) -> None:
    page = visit(hub, ready=False)
    hrefs = page.eval_on_selector_all("a", "found => found.map(a => a.href)")
    assert f"{hub}voila/render/u-go.ipynb" in [href.split("?")[0] for href in hrefs]


def test_the_launchers_settings_hold_behind_the_proxy(hub: str) -> None:
    """Voila as an extension of the Jupyter server would allow another template; the launcher does not."""
    with urllib.request.urlopen(hub + "voila/render/setups.ipynb?voila-template=lab") as answer:
        text = answer.read().decode()
    assert "cdn.jsdelivr.net" not in text
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(hub + "voila/files/../burma_study/__init__.py")
    refused.value.close()
    assert refused.value.code in {403, 404}


def test_the_command_names_port_base_and_seats() -> None:
    from burma_study.ui.server import setup_proxy

    command = [part.format(port=7, base_url=BASE) for part in setup_proxy()["command"]]
    assert command[1:3] == ["-m", "burma_study.ui.server"]
    assert command[command.index("--base-url") + 1] == f"{BASE}burma-study/"
    assert 1 < int(command[command.index("--seats") + 1]) < 20, "2 GB hold about fifteen visitors' kernels"


def test_the_proxy_finds_the_server_by_its_entry_point() -> None:
    from importlib.metadata import entry_points

    (found,) = entry_points(group="jupyter_serverproxy_servers", name="burma-study")
    assert found.load()()["absolute_url"] is True


def test_the_start_script_runs_what_it_is_given(tmp_path: Path) -> None:
    import subprocess

    from ui_serving import ROOT

    script = ROOT / "binder" / "start"
    code = "import os; print(os.environ['OPENBLAS_NUM_THREADS'])"
    done = subprocess.run([script, sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"
