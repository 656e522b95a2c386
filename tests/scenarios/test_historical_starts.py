"""The start state holds every unit of a printed historical set-up in its printed hex."""

from __future__ import annotations

import pytest

from burma_study.boards.board import load_board
from burma_study.datafiles import read_rows
from burma_study.rules.ocs.setup import scenario_ids, start

BOARD = load_board("ocs")


@pytest.mark.rule("ocs/*.setup-historical-*")
@pytest.mark.parametrize("scenario", scenario_ids())
def test_units_start_in_their_printed_hexes(scenario: str) -> None:
    rows = read_rows(f"scenarios/{scenario}.units.csv")
    printed = [r for r in rows if r["setup"] == "historical" and r["kind"] == "unit" and r["hex"] and not r["errata"]]
    assert printed
    pieces, placed = start(scenario, errata=True).pieces, set()
    for row in printed:
        if row["counter"] not in placed:  # where the book lists a unit twice the first place counts
            placed.add(row["counter"])
            assert pieces[row["counter"]].at == BOARD.index(row["hex"]), row["counter"]
