"""Notebooks are thin, carry no outputs, and run from top to bottom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def read(path: Path) -> Any:
    return nbformat.read(path, 4)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_is_thin_and_has_no_outputs(path: Path) -> None:
    book = read(path)
    nbformat.validate(book)
    assert book.metadata.title
    for cell in book.cells:
        if cell.cell_type == "code":
            assert not cell.outputs
            assert cell.execution_count is None
            lines = [line for line in cell.source.splitlines() if line.strip()]
            assert len(lines) <= 8
            assert not any(line.lstrip().startswith(("def ", "class ", "for ", "while ")) for line in lines)


@pytest.mark.ui
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_runs_and_shows_its_map(path: Path) -> None:
    from nbclient import NotebookClient

    book = read(path)
    NotebookClient(
        book, timeout=90, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    shown = [o for c in book.cells if c.cell_type == "code" for o in c.outputs]
    assert any("application/vnd.jupyter.widget-view+json" in o.get("data", {}) for o in shown)
    assert all(o.output_type != "error" for o in shown)


def test_the_three_pages_are_there() -> None:
    assert {p.stem for p in NOTEBOOKS} >= {"00-start", "u-go", "setups"}
