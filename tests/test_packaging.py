"""Installable from nothing: pins that agree, a light and quick import, a wheel that stands on its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import burma_study
from burma_study import datafiles

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXACT = ("ipyleaflet", "jupyter-leaflet", "anywidget", "ipywidgets", "voila")
BASE = {"jupyterlab": "4.4.9", "jupyter-server": "2.17.0", "ipykernel": "7.0.1", "ipywidgets": "8.1.7"}
NOT_SHIPPED = {"build", "sources"}  # what the data was made from
COLD = """
import time
import burma_study
imported = time.process_time()
study = burma_study.load("ocs/u-go")
pictures = [study.supply(side) for side in ("japanese", "allied")]
print(imported, time.process_time(), *(len(p.traces) for p in pictures))
"""


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(name: str) -> dict[str, str]:
    """Package and version of every line of a constraints or requirements file; each line must be an exact pin."""
    lines = (line.split("#")[0].strip() for line in (ROOT / name).read_text().splitlines())
    found = [re.fullmatch(r"([\w.-]+)==([\w.]+)", line) for line in lines if line]
    assert all(found), f"{name} has a line that is no exact pin"
    return {normal(m[1]): m[2] for m in found if m}


def required(*extras: str) -> set[str]:
    """The packages that the project itself asks for in these extras, and in those they build on."""
    names = set()
    for text in [text for extra in extras for text in PROJECT["optional-dependencies"][extra]]:
        name, more = re.match(r"([\w.-]+)(?:\[([\w,-]+)\])?", text).groups()  # type: ignore[union-attr]
        names |= required(*more.split(",")) if name == PROJECT["name"] else {normal(name)}
    return names | {normal(re.match(r"[\w.-]+", text)[0]) for text in PROJECT["dependencies"]}  # type: ignore[index]


def least(code: str) -> list[float]:
    """The least of each number that a fresh interpreter prints, of three; seconds are of its own processor time."""
    runs = []
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
        runs.append([float(word) for word in done.stdout.split()])
    return [min(column) for column in zip(*runs, strict=True)]


def test_every_package_asked_for_is_pinned():
    asked = required(*PROJECT["optional-dependencies"]) | {"hatchling"}
    assert asked - pins("constraints.txt").keys() == set()
    assert asked - pins("binder/constraints.txt").keys() == set()


@pytest.mark.parametrize("name", ["constraints.txt", "binder/constraints.txt", "binder/requirements.txt"])
def test_pins_name_no_address(name):
    assert not re.search(r"https?:|file:|@|--", (ROOT / name).read_text())


def test_what_the_map_layer_is_glued_to_is_the_same_everywhere():
    ours, binder = pins("constraints.txt"), pins("binder/constraints.txt")
    assert {n: binder[n] for n in EXACT if n not in BASE} == {n: ours[n] for n in EXACT if n not in BASE}


def test_binder_adds_to_repo2dockers_base_and_changes_nothing_of_it():
    wanted, base = pins("binder/requirements.txt"), pins("binder/constraints.txt")
    assert {n: base[n] for n in BASE} == BASE
    assert wanted.items() <= base.items()
    assert wanted.keys() & {*BASE, "notebook", "jupyter-client", "traitlets", "tornado"} == set()
    assert required("binder") - wanted.keys() <= BASE.keys()


def test_the_texts_of_all_licences_are_there_and_ship():
    texts = {p.name: p.read_text(encoding="utf-8") for p in (ROOT / "data/licenses").iterdir()}
    assert "MIT License" in (ROOT / "LICENSE").read_text()
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in texts["LGPL-3.0.txt"]
    assert "GNU GENERAL PUBLIC LICENSE" in texts["GPL-3.0.txt"], "the lesser licence is written on top of it"
    assert "Creative Commons Attribution 4.0 International" in texts["CC-BY-4.0.txt"]
    notice = (ROOT / "data/NOTICE").read_text()
    assert "GNU Lesser General" in notice
    assert "CC BY 4.0" in notice


def test_the_citation_names_the_version_that_is_shipped():
    citation = (ROOT / "CITATION.cff").read_text()
    assert f"version: {PROJECT['version']}\n" in citation
    assert f"license: {PROJECT['license']}\n" in citation
    assert f"## {PROJECT['version']}\n" in (ROOT / "CHANGELOG.md").read_text()


def test_every_command_that_contributors_are_told_of_is_there():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    told = set(
        re.findall(r"`make ([a-z-]+)", (ROOT / "CONTRIBUTING.md").read_text() + (ROOT / "README.md").read_text())
    )
    assert told - targets == set()
    assert len(told) > 6


@pytest.mark.parametrize("name", ["postBuild", "start"])
def test_binders_scripts_can_be_run(name):
    assert os.access(ROOT / "binder" / name, os.X_OK)
    subprocess.run(["bash", "-n", ROOT / "binder" / name], check=True)


def test_binder_ends_with_the_command_it_is_given():
    assert (ROOT / "binder" / "start").read_text().splitlines()[-1] == 'exec "$@"'


def test_importing_is_quick():
    assert least(COLD)[0] < 0.2


def test_a_scenario_with_the_supply_of_both_sides_is_there_in_a_second():
    _, total, japanese, allied = least(COLD)
    assert min(japanese, allied) > 30, "both sides are on the board"
    assert total < 1.0


def test_without_numpy_and_scipy_supply_comes_out_the_same():
    ask = "from burma_study.cli import main; main(['trace', 'ocs/learning', '--format', 'json'])"
    blocked = "import sys; sys.modules.update({'numpy': None, 'scipy': None, 'pandas': None, 'shapely': None}); "
    with_, without = (
        subprocess.run([sys.executable, "-c", c + ask], capture_output=True, text=True, check=True, cwd=ROOT).stdout
        for c in ("", blocked)
    )
    assert json.loads(with_) == json.loads(without)


def test_the_finder_takes_the_repositorys_data_first():
    datafiles.data_root.cache_clear()
    assert datafiles.data_root() == ROOT / "data"


def test_the_finder_takes_the_installed_copy_where_there_is_no_repository(tmp_path, monkeypatch):
    installed = tmp_path / "burma_study" / "_data"
    (installed / "schema").mkdir(parents=True)
    monkeypatch.setattr(datafiles, "__file__", str(tmp_path / "burma_study" / "datafiles.py"))
    datafiles.data_root.cache_clear()
    try:
        assert datafiles.data_root() == installed
        (tmp_path / "data" / "schema").mkdir(parents=True)
        datafiles.data_root.cache_clear()
        assert datafiles.data_root() == tmp_path / "data"
    finally:
        datafiles.data_root.cache_clear()


# -- the wheel, built and installed elsewhere --------------------------------


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT, python=sys.executable)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The bin folder of an environment with the wheel and what it must have, nothing else."""
    home = tmp_path_factory.mktemp("elsewhere") / "env"
    venv.create(home, with_pip=True)
    pip("install", "--constraint", ROOT / "constraints.txt", wheel, python=home / "bin" / "python")
    return home / "bin"


def pip(*words: object, python: object) -> None:
    command = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def ask(installed: Path, folder: Path, *words: str) -> object:
    """What the installed command answers in JSON, asked from another folder."""
    command = [installed / "burma-study", *words, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env={"PATH": "/usr/bin:/bin"})
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def repository(*words: str) -> object:
    command = [sys.executable, "-m", "burma_study.cli", *words, "--format", "json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)


def shipped() -> Iterator[str]:
    """What must be in the wheel, by its name there: every file of the package, of data/ and of notebooks/ but a few."""
    places = {"burma_study": "burma_study", "data": "burma_study/_data", "notebooks": "burma_study/_notebooks"}
    listed = subprocess.run(["git", "ls-files", *places], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    for name in listed.splitlines():
        top, rest = name.split("/", 1)
        if (ROOT / name).exists() and not (top == "data" and rest.split("/")[0] in NOT_SHIPPED):
            yield f"{places[top]}/{rest}"


@pytest.mark.slow
def test_the_wheel_holds_all_data_and_notebooks_but_not_their_sources(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert set(shipped()) - names == set()
    assert not [n for n in names if n.startswith(tuple(f"burma_study/_data/{part}/" for part in NOT_SHIPPED))]
    assert not [n for n in names if "__pycache__" in n or n.startswith(("tests/", "data/"))]
    assert wheel.stat().st_size < 5_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("scenarios",),
        ("setup", "ocs/u-go"),
        ("board", "ocs", "Imphal"),
        ("georef", "ocs"),
        ("trace", "ocs/u-go", "--unit", "2-215-33"),
        ("trace", "ocs/learning"),
        ("dashboard", "--list"),
    ],
    ids=" ".join,
)
def test_the_installed_command_answers_as_the_repositorys(installed, tmp_path, words):
    assert ask(installed, tmp_path, *words) == repository(*words)


@pytest.mark.slow
def test_the_installed_ledger_lists_every_clause(installed, tmp_path):
    ours, theirs = repository("rules", "ocs"), ask(installed, tmp_path, "rules", "ocs")
    assert [(row["id"], row["functions"]) for row in theirs] == [(row["id"], row["functions"]) for row in ours]


@pytest.mark.slow
def test_the_installed_package_reads_its_own_copy_and_needs_one_package(installed, tmp_path):
    code = "from burma_study.datafiles import data_root; print(data_root())"
    python = installed / "python"
    done = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert Path(done.stdout.strip()).parts[-3:] == ("site-packages", "burma_study", "_data")
    listed = subprocess.run([python, "-m", "pip", "list", "--format=json"], capture_output=True, text=True, check=True)
    assert {p["name"] for p in json.loads(listed.stdout)} - {"pip", "setuptools"} == {"burma-study", "immutables"}


@pytest.mark.slow
def test_an_installed_dashboard_without_voila_says_what_to_install(installed, tmp_path):
    done = subprocess.run([installed / "burma-study", "dashboard"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert "burma-study[notebooks]" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_version_is_said_once():
    assert burma_study.__version__ == PROJECT["version"]
