"""Chindits on the real map: no way west of the Chindwin before 8 April, by air, by rail or on foot (erratum 13)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from moving_field import codes

from burma_study.rules.ocs.movement.limits import bank, closed
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.state import Rules, State

COLUMN, BUILDERS = "a/col/A-14-3", "a/eng/823_Eng"
BY_AIR = f"lift {COLUMN} from silchar to A5.24 by a/c-47/1"
BY_RAIL = f"rail {COLUMN} to A4.24"


@pytest.fixture(scope="module")
def march() -> State:
    """5 March: the columns wait at Silchar."""
    state = start("ocs/campaign-1").with_(phase="movement", player="allied")
    for unit in (COLUMN, BUILDERS):
        state = state.place(replace(state.pieces[unit], at="silchar", mode="move", face="move"))
    return state


@pytest.mark.parametrize("order", [BY_AIR, BY_RAIL])
@pytest.mark.rule("ocs-series/erratum.13", "ocs/3.6b")
def test_neither_by_air_nor_by_rail_before_8_april(march: State, order: str) -> None:
    assert codes(march, order) == ["chindits-late"]
    dates = march.markers["calendar"]
    later = march.with_(turn=dates.index("1944-04-08") + 1)
    assert codes(later, order) == []
    assert codes(march.with_(rules=Rules(errata_off=("erratum.13",))), order) == []


@pytest.mark.rule("ocs-series/erratum.13", "ocs-series/erratum.9")
def test_the_west_is_shut_to_the_builders_too_and_to_nobody_else(march: State) -> None:
    west = bank(march.board)[0]
    assert closed(march, march.pieces[BUILDERS].counter)["chindits-late"] == west
    assert "chindits-late" not in closed(march, march.pieces["a/inf/63-17"].counter)
    assert "chindits-late" not in closed(march, None)
