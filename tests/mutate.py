"""Is every clause that the ledger claims proved? A function that raises must make a test of its clause fail.

    python tests/mutate.py [--rows N] [--seed N] [--id GLOB] [--jobs N]

Clauses claimed done are drawn by the seed. Each function marked with one gets a raise in a copy of the tree, never in
the checkout, and the tests that the ledger ties to the clause are run there; survivors are listed, exit status 1.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from queue import Queue

from burma_study.rules import ledger

ROOT = Path(__file__).parents[1]
PARTS = ("burma_study", "data", "tests", "notebooks", "binder", "pyproject.toml", "README.md", "Makefile")
RAISE = 'raise RuntimeError("mutated by tests/mutate.py")'
SECONDS = 300
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Mutant:
    """One function of one clause: dotted name, and the tests that should miss it."""

    clause: str
    function: str
    tests: tuple[str, ...]


def mutants(rows: int, seed: int, pattern: str = "*") -> list[Mutant]:
    """The functions of clauses that are claimed done, drawn by the seed; of all such clauses where `rows` is 0."""
    done = [c for c in ledger.clauses("ocs") if c.status == "done" and fnmatchcase(c.id, pattern)]
    drawn = random.Random(seed).sample(done, min(rows, len(done))) if rows else done
    return [Mutant(c.id, name, c.tests) for c in drawn for name in c.functions]


def place(root: Path, dotted: str) -> tuple[Path, list[str]]:
    """The file of a dotted name, and the names inside it."""
    parts = dotted.split(".")
    for n in range(len(parts) - 1, 0, -1):
        for path in (root.joinpath(*parts[:n]).with_suffix(".py"), root.joinpath(*parts[:n], "__init__.py")):
            if path.exists():
                return path, parts[n:]
    raise LookupError(f"There is no file of {dotted}.")


def broken(text: str, names: list[str]) -> str:
    """A source whose function (or each method of whose class) begins with a raise; LookupError if there is none."""
    body: list[ast.stmt] = ast.parse(text).body
    for name in names:
        node = next(n for n in body if isinstance(n, Function | ast.ClassDef) and n.name == name)
        body = node.body
    found = [node] if isinstance(node, Function) else [n for n in node.body if isinstance(n, Function)]
    if not found:
        raise LookupError(f"{'.'.join(names)} has no code to break.")
    lines = text.split("\n")
    for function in reversed(found):
        first = function.body[0]
        here = " " * first.col_offset + RAISE
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(function.body) > 1:
            first = function.body[1]  # below the docstring
        lines.insert(min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", ()))]) - 1, here)
    return "\n".join(lines)


def fails(tree: Path, mutant: Mutant) -> bool:
    """Does a test of the clause fail in a copy of the tree whose function raises? The copy is mended afterwards."""
    path, names = place(tree, mutant.function)
    text = path.read_text(encoding="utf-8")
    path.write_text(broken(text, names), encoding="utf-8")
    try:
        return not passes(tree, mutant.tests)
    finally:
        path.write_text(text, encoding="utf-8")


def passes(tree: Path, tests: tuple[str, ...]) -> bool:
    """Do these tests pass in a copy of the tree?"""
    words = ["-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", "-m", "not ui and not golden"]
    names = [_dotted(t) for t in tests]
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        run = subprocess.run(
            [sys.executable, *words, *names], cwd=tree, env=environment, capture_output=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return False
    return run.returncode in (0, 5)  # 5: every test was left out


def _dotted(test: str) -> str:
    """`file.py::Class.test` as pytest writes it, `file.py::Class::test`."""
    file, _, name = test.partition("::")
    return f"{file}::{name.replace('.', '::')}"


def copies(folder: Path, count: int) -> Iterator[Path]:
    """Copies of the tree, without what is made by running it."""
    for n in range(count):
        tree = folder / str(n)
        tree.mkdir()
        for part in PARTS:
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
            elif (ROOT / part).exists():
                shutil.copy(ROOT / part, tree / part)
        yield tree


def survivors(asked: list[Mutant], jobs: int) -> Iterator[tuple[Mutant, str]]:
    """Each mutant with what became of it: `found`, `SURVIVES`, `FAILS` (unbroken as well), or `nothing to break`."""
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder, ThreadPoolExecutor(jobs) as pool:
        free: Queue[Path] = Queue()
        whole: dict[tuple[str, ...], bool] = {}
        for tree in copies(Path(folder), jobs):
            free.put(tree)

        def judge(mutant: Mutant) -> str:
            tree = free.get()
            try:
                if mutant.tests not in whole:
                    whole[mutant.tests] = passes(tree, mutant.tests)
                if not whole[mutant.tests]:
                    return "FAILS"
                return "found" if fails(tree, mutant) else "SURVIVES"
            except LookupError as error:
                return f"nothing to break: {error}"
            finally:
                free.put(tree)

        yield from zip(asked, pool.map(judge, asked), strict=True)


def main() -> int:
    """Draw, break, test, report."""
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("--rows", type=int, default=40, help="how many clauses; 0: all (40)")
    line.add_argument("--seed", type=int, default=1, help="which clauses (1)")
    line.add_argument("--id", default="*", help="only clauses whose id fits, such as 'ocs/2.6*'")
    line.add_argument("--jobs", type=int, default=1, help="how many at a time (1)")
    asked = line.parse_args()
    drawn = mutants(asked.rows, asked.seed, asked.id)
    left = 0
    for mutant, outcome in survivors(drawn, max(1, asked.jobs)):
        left += outcome in ("SURVIVES", "FAILS")
        print(f"{outcome:9} {mutant.clause:28} {mutant.function}", flush=True)
    print(f"{len(drawn)} functions broken, {left} that no test of their clause misses.")
    return int(left > 0)


if __name__ == "__main__":
    sys.exit(main())
