"""The scripts of the page join into modules that stand alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from burma_study.ui import assets

JS = Path(assets.__file__).parent / "js"
MODULES = (assets.MAP_SCRIPTS, assets.PANEL_SCRIPTS, assets.DESK_SCRIPTS, assets.PULSE_SCRIPTS)


@pytest.mark.parametrize("names", MODULES)
def test_a_joined_module_has_one_export_and_no_import(names: tuple[str, ...]) -> None:
    text = assets.script(*names)
    assert not re.search(r"^import ", text, re.MULTILINE)
    assert re.findall(r"^export .*", text, re.MULTILINE)
    assert len(re.findall(r"^export ", text, re.MULTILINE)) == 1


@pytest.mark.parametrize("names", MODULES)
def test_each_script_imports_only_what_earlier_ones_export(names: tuple[str, ...]) -> None:
    exported: dict[str, set[str]] = {}
    for name in names:
        source = (JS / f"{name}.js").read_text(encoding="utf-8")
        for wanted, origin in re.findall(r"^import \{([^}]*)\} from '\./(\w+)\.js';", source, re.MULTILINE):
            assert origin in exported, f"{name}.js imports from {origin}.js, which comes later or is missing"
            assert {w.strip() for w in wanted.split(",")} <= exported[origin], f"{name}.js from {origin}.js"
        exported[name] = set(re.findall(r"^export (?:async )?(?:const|let|function|class) (\w+)", source, re.MULTILINE))


def test_no_script_is_left_out() -> None:
    assert {p.stem for p in JS.glob("*.js")} == set().union(*MODULES)


def test_nothing_on_the_page_names_a_host_but_the_optional_tiles() -> None:
    folder = Path(assets.__file__).parent
    files = [p for p in folder.rglob("*") if p.suffix in {".js", ".css", ".j2", ".html"}]
    hosts = {h for p in files for h in re.findall(r"https?://([\w.-]+)", p.read_text(encoding="utf-8"))}
    assert hosts <= {"tile.openstreetmap.org", "www.w3.org"}


def test_scripts_keep_no_state_in_the_window() -> None:
    for path in JS.glob("*.js"):
        assert not re.search(r"(window|globalThis)\.\w+\s*=[^=]", path.read_text(encoding="utf-8")), path.name
