"""The house: each floor imports only from floors below it, and nothing heavy is loaded before it is needed."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "burma_study"
FLOORS = ("errors datafiles", "hexes", "boards", "engine", "answers", "scenarios", "rules", "study", "games", "ui cli")
FLOOR = {name: n for n, names in enumerate(FLOORS) for name in names.split()}
LIGHT = {*sys.stdlib_module_names, "burma_study", "immutables", "pyrsistent"}
HEAVY = [
    "IPython",
    "anywidget",
    "ipyleaflet",
    "ipywidgets",
    "jupyterlab",
    "numpy",
    "pandas",
    "scipy",
    "shapely",
    "voila",
]
FILES = sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    """`hexes`, `rules` ...: the part of the house that a file stands in."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute here"
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def imports(tree: ast.AST) -> list[str]:
    """Every import of a file, those inside functions too."""
    return [name for node in ast.walk(tree) for name in imported(node)]


def top_imports(tree: ast.Module) -> list[str]:
    """The imports that run when the module is imported."""
    return [name for node in tree.body for name in imported(node)]


def rooms_used(path: Path) -> set[str]:
    mine = (n.split(".") for n in imports(ast.parse(path.read_text())) if n.startswith("burma_study."))
    return {parts[1] for parts in mine} - {"__version__"}


@pytest.mark.parametrize("path", [f for f in FILES if f != PACKAGE / "__init__.py"], ids=str)
def test_a_floor_imports_only_from_below(path):
    mine = FLOOR[room(path)]
    unknown = rooms_used(path) - FLOOR.keys()
    assert unknown == set(), "name the new part of the house in FLOORS"
    above = {
        used for used in rooms_used(path) if FLOOR[used] > mine or (FLOOR[used] == mine == 0 and room(path) == "errors")
    }
    assert above == set()


@pytest.mark.parametrize("path", [f for f in FILES if room(f) in FLOOR and FLOOR[room(f)] <= FLOOR["rules"]], ids=str)
def test_rules_and_below_need_only_the_standard_library_at_import(path):
    top = {name.split(".")[0] for name in top_imports(ast.parse(path.read_text()))}
    assert top - LIGHT == set()


@pytest.mark.parametrize("path", FILES, ids=str)
def test_pandas_and_scipy_are_imported_inside_functions(path):
    top = {name.split(".")[0] for name in top_imports(ast.parse(path.read_text()))}
    assert top & {"pandas", "scipy", "networkx"} == set()


@pytest.mark.parametrize("path", [f for f in FILES if room(f) not in ("study", "games")], ids=str)
def test_shapely_stays_in_study_and_games(path):
    assert not any(name.split(".")[0] == "shapely" for name in imports(ast.parse(path.read_text())))


def test_games_do_not_know_each_other():
    games = [folder.name for folder in (PACKAGE / "rules").iterdir() if (folder / "__init__.py").exists()]
    assert "ocs" in games
    for game in games:
        others = tuple(f"burma_study.rules.{g}" for g in games if g != game)
        for path in (PACKAGE / "rules" / game).rglob("*.py"):
            assert [n for n in imports(ast.parse(path.read_text())) if n.startswith(others)] == []


ONE_GAME = ("burma_study.rules.", "burma_study.games.")
STILL_KNOW_A_GAME = {
    # files above the rules that import one game instead of asking the registry; the list may only shrink
    *("ui/compare.py", "ui/dashboard.py", "ui/loss_sections.py", "ui/pages.py", "ui/play.py", "ui/play_view.py"),
    *("ui/playmap.py", "ui/sections.py", "ui/selection.py", "ui/standing.py"),
}


def knows_a_game(path: Path) -> bool:
    """It imports from the folder of one game."""
    games = [folder.name for folder in (PACKAGE / "rules").iterdir() if (folder / "__init__.py").exists()]
    inside = tuple(f"{start}{game}." for start in ONE_GAME for game in games)
    return any(f"{name}.".startswith(inside) for name in imports(ast.parse(path.read_text())))


def test_above_the_rules_only_a_games_own_folder_knows_it():
    shared = [f for f in FILES if room(f) in ("scenarios", "study", "games", "ui", "cli", "answers", "engine")]
    folders = [PACKAGE / "games" / p.name for p in (PACKAGE / "games").iterdir() if p.is_dir()]
    found = {str(f.relative_to(PACKAGE)) for f in shared if not set(f.parents) & set(folders) and knows_a_game(f)}
    assert found - STILL_KNOW_A_GAME == set(), "ask burma_study.games.registry for the game's edition"
    assert STILL_KNOW_A_GAME - found == set(), "these are mended: take them off the list"


def compares_game(node: ast.AST) -> bool:
    """`game == "ocs"`, `state.game in ("ocs",)`, `match game:`."""

    def is_game(side: ast.AST) -> bool:
        return getattr(side, "attr", getattr(side, "id", "")) in {"game", "game_id", "board_id"}

    if isinstance(node, ast.Match):
        return is_game(node.subject)
    if not isinstance(node, ast.Compare):
        return False
    sides = [node.left, *node.comparators]
    literal = [s for s in sides if isinstance(s, ast.Constant | ast.Tuple | ast.Set | ast.List)]
    texts = [c.value for s in literal for c in ast.walk(s) if isinstance(c, ast.Constant)]
    return any(map(is_game, sides)) and any(isinstance(t, str) and t for t in texts)


@pytest.mark.parametrize("path", [f for f in FILES if FLOOR.get(room(f), 0) > FLOOR["rules"]], ids=str)
def test_no_question_which_game_it_is_above_the_rules(path):
    asked = [node.lineno for node in ast.walk(ast.parse(path.read_text())) if compares_game(node)]  # type: ignore[attr-defined]
    assert asked == []


@pytest.mark.parametrize("text", ["if game == 'ocs': x", "a = s.game in ('ocs', 'gdw')", "match game:\n case 'ocs': x"])
def test_the_question_is_recognised(text):
    assert any(compares_game(node) for node in ast.walk(ast.parse(text)))


@pytest.mark.parametrize("text", ["if game not in games(): x", "ok = other.game == self.game", "if game == '': x"])
def test_harmless_comparisons_are_not(text):
    assert not any(compares_game(node) for node in ast.walk(ast.parse(text)))


@pytest.mark.parametrize("module", ["burma_study", "burma_study.cli", "burma_study.rules.ocs.state"])
def test_importing_loads_nothing_heavy(module):
    code = f"import sys, {module}; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_no_file_grows_past_what_can_be_read():
    long = {str(p.relative_to(ROOT)): n for p in FILES if (n := len(p.read_text().splitlines())) > 600}
    assert long == {}
