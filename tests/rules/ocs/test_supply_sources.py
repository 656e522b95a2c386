"""Where trace comes from in each scenario, and by which MP each kind of unit draws it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from burma_study.boards.board import load_board
from burma_study.rules.ocs.counters import counter, counters
from burma_study.rules.ocs.movement.reach import reach
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.state import Piece, State
from burma_study.rules.ocs.supply.net import Net, draw_mobility
from burma_study.rules.ocs.supply.trace import supply, trace, tracing

BOARD = load_board("ocs")
at = BOARD.index


def lines(state: State, side: str) -> dict[str, set[str]]:
    """Labels of the stations by kind."""
    found: dict[str, set[str]] = {}
    for s in Net(state, side).stations:
        found.setdefault(s.kind, set()).add(BOARD.label(s.hex))
    return found


@pytest.mark.parametrize(
    ("scenario", "head"), [("campaign-1", "A43.35"), ("campaign-2", "A45.33"), ("campaign-3", "A48.27")]
)
@pytest.mark.rule("ocs/campaign-1.sr1", "ocs/campaign-2.sr1", "ocs/campaign-3.sr1", "ocs-series/12.6-sources")
def test_campaigns_japan_traces_by_rail_and_both_rivers_the_allies_by_dimapur_and_ledo(
    scenario: str, head: str
) -> None:
    state = start(f"ocs/{scenario}")
    ours, theirs = lines(state, "japanese"), lines(state, "allied")
    assert {"B37.01", "B39.01", "B39.02", "B39.03", "B33.30", "A40.01"} <= ours["rail"]
    assert {"B25.01", "B12.21", "A22.10", "A27.17", "B36.12"} <= ours["river"]
    assert {"A1.24", "A4.24", "A13.35"} <= theirs["rail"]
    assert {"A35.35", "A41.35", head} <= theirs["ledo"]


@pytest.mark.rule("ocs/1.4h", "ocs/1.11", "ocs-series/erratum.1")
def test_burma_1_4h_the_railway_crosses_the_irrawaddy_at_b38_01() -> None:
    """From Sagaing (B37.01) alone the line reaches Mandalay over the ferry; B39.01 is a source of its own."""
    state = start("ocs/campaign-2")
    sources = state.markers["sources"]
    west = tuple(s for s in sources if BOARD.label(s.hex) == "B37.01")
    stations = {s.hex: s for s in Net(state.put("markers", "sources", west), "japanese").stations}
    assert {at("B37.01"), at("B38.01")} <= set(stations[at("B39.02")].line)
    east = tuple(s for s in sources if BOARD.label(s.hex) == "B39.01")
    cut = state.put("markers", "sources", east).place(Piece("a/inf/48-17", at("B38.01"), "strat", "move"))
    assert "B39.02" in lines(cut, "japanese")["rail"]
    assert "B37.01" not in lines(cut, "japanese")["rail"]


@pytest.mark.rule("ocs/thursday.sr1", "ocs/marauders.sr1")
def test_short_1_gives_the_allies_no_source_and_short_3_the_ledo_road() -> None:
    landed = start("ocs/thursday").place(Piece("a/col/A-77-3", at("A46.07")))
    assert not Net(landed, "allied").stations
    assert not trace(landed, "a/col/A-77-3").in_supply
    assert set(lines(start("ocs/marauders"), "allied")) == {"ledo"}


@pytest.mark.parametrize("id_", [i for i, c in counters().items() if c.is_chindit or "galahad" in c.traits])
@pytest.mark.rule("ocs-series/erratum.8")
def test_erratum_8_chindits_and_galahad_draw_by_truck_though_they_walk(id_: str) -> None:
    for face in ("combat", "move"):
        assert draw_mobility(Piece(id_, 0, face, face)) == "truck"


@pytest.mark.parametrize("id_", ["j/inf/1-INA", "j/gar/1", "j/inf/1-214-33", "j/art/3-33-33", "j/hq/33_Div"])
@pytest.mark.rule("ocs/2.5c", "ocs/2.4a")
def test_burma_2_5c_whoever_walks_for_japan_draws_by_leg(id_: str) -> None:
    assert draw_mobility(Piece(id_, 0)) == "leg"


@pytest.mark.rule("ocs/2.4c")
def test_burma_2_4c_army_hqs_draw_and_throw_by_truck_and_lend_no_porters() -> None:
    state = start("ocs/campaign-2")
    bare = next(t for t in Net(state, "japanese").throwers if t.piece.id == "j/hq/15_Army")
    assert (bare.mobility, draw_mobility(bare.piece)) == ("truck", "truck")
    walkers = replace(state.pieces["j/inf/1-67-15"], mode="move", face="move")
    with_walkers = next(t for t in Net(state.place(walkers), "japanese").throwers if t.piece.id == "j/hq/15_Army")
    assert with_walkers.limit == bare.limit == counter("j/hq/15_Army").throw * 12


@pytest.mark.rule("ocs-series/5.8-trace")
def test_series_5_8_a_strategic_march_ends_where_the_unit_would_trace() -> None:
    """31 Division may march fast along the river's east bank, but not off to Kohima beyond every port and staff."""
    state, unit = start("ocs/u-go"), "j/inf/3-138-31"
    found = reach(state, unit, mode="strat", trace=tracing(state, unit))
    ends = set(found.costs) - {state.pieces[unit].at}
    barred = found.marks.get("no_trace", frozenset())
    assert barred
    assert ends - barred
    for hex_ in ends:
        there = state.place(replace(state.pieces[unit], at=hex_, mode="strat", face="move"))
        assert trace(there, unit).in_supply == (hex_ not in barred)
    assert not any("not looked up" in note for note in found.notes)


@pytest.mark.parametrize("scenario", ["ocs/thursday", "ocs/marauders", "ocs/campaign-2"])
def test_japanese_on_the_northern_railway_trace_at_the_start(scenario: str) -> None:
    traces = supply(start(scenario), "japanese").traces
    assert traces["j/inf/2-114-18"].in_supply
    assert traces["j/gar/3"].in_supply
