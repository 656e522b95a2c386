"""The picture of a step is well-formed, holds every stack of the area, and shows supply and a failed trace."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from burma_study.games.ocs.openings import line_session, setup_session
from burma_study.games.ocs.session import OcsSession
from burma_study.study.picture import sheet_of

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def ugo() -> OcsSession:
    return line_session("ocs/u-go")


def test_every_stack_of_the_step_is_drawn_with_its_units(ugo: OcsSession) -> None:
    root = ElementTree.fromstring(ugo.picture(3))
    frame, sheet = ugo.film.frames[3], sheet_of("ocs", ugo.film.area)[0]
    shown = [c for c in frame.counters if c.hex in sheet.rings]
    groups = root.findall(f"{SVG}g")
    assert len(groups) == len({(c.hex, c.side) for c in shown})
    assert sum(int(g.find(f"{SVG}text").text) for g in groups) == len(shown)
    assert frame.title in root.find(f"{SVG}title").text


def test_supply_and_a_failed_trace_are_on_it(ugo: OcsSession) -> None:
    plain = ugo.picture(3)
    full = ugo.picture(3, ugo.supply(3, "allied"), ugo.trace(3, "a/inf/48-17"))
    assert "17 Indian Division is cut off" in full
    assert full.count("<polyline") > plain.count("<polyline") + 5
    assert full.count("<circle") > 10
    assert "#b71c1c" in full
    assert "#b71c1c" not in plain


def test_a_whole_board_can_be_pictured_and_points_stay_inside() -> None:
    session = setup_session("ocs/campaign-1")
    root = ElementTree.fromstring(session.picture(0))
    wide, tall = (float(v) for v in root.get("viewBox").split()[2:])
    for rect in root.iter(f"{SVG}rect"):
        assert -20 <= float(rect.get("x", 0)) <= wide
        assert -20 <= float(rect.get("y", 0)) <= tall
