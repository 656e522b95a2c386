"""What a public server must bear: several maps on a page, a full house, a dead kernel, a base path, JupyterLab."""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import nbformat
import pytest
from ui_serving import ROOT, dashboards, free_port, running

pytestmark = [pytest.mark.ui, pytest.mark.timeout(240)]


def notebook(folder: Path, name: str, source: str) -> Path:
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    book.metadata = {"title": name, "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    folder.mkdir(exist_ok=True)
    nbformat.write(book, folder / f"{name}.ipynb")
    return folder


TWO = """
import ipywidgets
from burma_study.ui.pages import line_page, setup_page

ipywidgets.VBox([line_page("ocs/u-go", height="300px"), setup_page("ocs/thursday", height="300px")])
"""
MAPS = "[...document.querySelectorAll('.bs-map')].map(n => n.__bs)"


def test_two_maps_on_one_page_keep_apart(tmp_path: Path, visit: Any) -> None:
    with dashboards(tmp_path, notebooks=notebook(tmp_path / "books", "two", TWO)) as url:
        page = visit(url + "/voila/render/two.ipynb")
        page.wait_for_function("() => document.querySelectorAll('.bs-root[data-drawn]').length === 2")
        first, second = page.evaluate(f"() => {MAPS}.map(m => m.scene.units.length)")
        assert first != second
        page.get_by_role("button", name="Next step").first.click()
        page.wait_for_function(f"() => {MAPS}[0].step === 1")
        page.evaluate(f"() => {MAPS}[1].select({MAPS}[1].board.hexOf.get('B40.34'))")
        page.wait_for_timeout(500)
        assert page.evaluate(f"() => {MAPS}.map(m => m.step)") == [1, 0]
        assert page.evaluate(f"() => {MAPS}[0].selected") == -1
        assert page.evaluate(f"() => {MAPS}[1].scene.units.length") == second


def test_a_full_house_says_so(tmp_path: Path, visit: Any) -> None:
    with dashboards(tmp_path, "--seats", "1") as url:
        visit(url + "/voila/render/u-go.ipynb")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(url + "/voila/render/setups.ipynb")
        assert refused.value.code == 503
        assert "seats are taken" in refused.value.read().decode()
        refused.value.close()


def test_a_closed_tab_frees_its_seat(tmp_path: Path, visit: Any) -> None:
    with dashboards(tmp_path, "--seats", "1") as url:
        page = visit(url + "/voila/render/u-go.ipynb")
        page.goto("about:blank")
        page.wait_for_timeout(1500)
        again = visit(url + "/voila/render/00-start.ipynb", ready=False)
        again.wait_for_selector(".bs-root[data-drawn]", timeout=60_000, state="attached")


def test_a_dead_kernel_is_told_with_a_button(tmp_path: Path, visit: Any) -> None:
    with dashboards(tmp_path) as url:
        page = visit(url + "/voila/render/u-go.ipynb", quiet=False)  # the console tells of the 404 that it asks for
        kernel = json.loads(page.locator("#jupyter-config-data").inner_text())["kernelId"]
        request = urllib.request.Request(f"{url}/api/kernels/{kernel}", method="DELETE")
        with urllib.request.urlopen(request) as answer:
            assert answer.status == 204
        page.wait_for_selector(".bs-lost[data-state=gone] button", timeout=20_000)


def test_the_dashboards_work_below_a_base_path(tmp_path: Path, visit: Any) -> None:
    with dashboards(tmp_path, "--base-url", "/user/someone/burma-study/") as url:
        base = url + "/user/someone/burma-study/"
        landing = visit(base, ready=False)
        landing.get_by_role("link", name="U-Go, March").click()
        landing.wait_for_selector(".bs-root[data-drawn]", timeout=60_000, state="attached")
        landing.get_by_role("button", name="Next step").click()
        landing.wait_for_selector(".bs-root[data-step='1']", state="attached")


def test_visitors_cannot_read_files_or_switch_template(server: str) -> None:
    for path in ("/voila/files/u-go.ipynb", "/api/contents", "/api/terminals", "/api/sessions"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(server + path)
        assert refused.value.code in (403, 404), path
        refused.value.close()


def test_the_notebook_works_in_jupyterlab(tmp_path: Path, visit: Any) -> None:
    port = free_port()
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", f"--port={port}", "--ip=127.0.0.1", "--allow-root"),
        *(f"--ServerApp.root_dir={ROOT / 'notebooks'}", "--IdentityProvider.token=", "--LabApp.news_url=None"),
        "--expose-app-in-browser",
    ]
    with running(command, port, tmp_path) as url:
        page = visit(f"{url}/lab/tree/u-go.ipynb", ready=False)
        page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
        page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel")
        page.wait_for_timeout(1500)
        page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
        page.wait_for_selector(".bs-root[data-drawn]", timeout=90_000, state="attached")
        page.get_by_role("button", name="Next step").click()
        page.wait_for_selector(".bs-root[data-step='1']", state="attached")
        assert page.evaluate("() => document.querySelector('.bs-map').__bs.scene.units.length") > 60
