"""Headlines and reasons say what the traces say, and a failed trace is drawn as far as it came."""

from __future__ import annotations

import pytest

from burma_study.errors import ChartError
from burma_study.games.ocs.openings import line_session
from burma_study.games.ocs.session import OcsSession
from burma_study.games.ocs.supply_view import formation_name

SIDES = ("japanese", "allied")


@pytest.fixture(scope="module")
def ugo() -> OcsSession:
    return line_session("ocs/u-go")


@pytest.mark.parametrize("side", SIDES)
def test_every_headline_counts_what_the_list_counts(ugo: OcsSession, side: str) -> None:
    for step in range(len(ugo.moments)):
        answer = ugo.supply(step, side)
        counts, total = answer["counts"], len(answer["status"])
        assert f"{counts['in']} of {total}" in answer["headline"]
        assert all(r["why"].endswith(".") and len(r["why"]) < 140 for r in answer["rows"])
        assert [r["status"] for r in answer["rows"]] == sorted((r["status"] for r in answer["rows"]), reverse=True)


def test_the_headline_names_a_division_that_is_cut_off_and_by_whom(ugo: OcsSession) -> None:
    assert "17 Indian Division is cut off at B3.30 by 1-215-33" in ugo.supply(1, "allied")["headline"]
    assert "the line is cut at A11.18 by 1-58-31" in ugo.supply(4, "allied")["headline"]


def test_a_failed_throw_is_drawn_from_its_headquarters_to_the_enemy_that_stops_it(ugo: OcsSession) -> None:
    walked, missing = ugo.trace(3, "a/inf/48-17")["legs"]
    assert (walked["kind"], walked["ends"], missing["kind"]) == ("miss", "blocked", "missing")
    assert walked["hexes"][0] == ugo.index("A7.09")
    assert walked["hexes"][-1] == missing["hexes"][0] == ugo.index("B3.30")
    assert missing["hexes"][-1] == ugo.index("B3.29")


def test_a_throw_that_is_too_short_stops_where_its_points_run_out(ugo: OcsSession) -> None:
    walked, missing = ugo.trace(0, "a/inf/4-12_FF-17")["legs"]
    assert len(walked["hexes"]) == 21, "10 MP along a road at half an MP a hex"
    assert missing["hexes"][-1] == ugo.index("B3.23")


def test_flow_counts_traces_over_hexsides(ugo: OcsSession) -> None:
    flow = ugo.supply(0, "allied")["flow"]
    assert max(n for _, _, n in flow) == 28
    for hex_ in ("A1.24", "A2.24"):
        assert any(ugo.index(hex_) in (a, b) for a, b, _ in flow)


def test_a_cut_and_the_choke_points_agree(ugo: OcsSession) -> None:
    worst = ugo.chokes(0, "allied")[0]
    found = ugo.cut(0, "allied", worst["hexes"][1])
    assert len(found["lost"]) == len(worst["lost"]) == 28
    assert {u["id"] for u in found["lost"]} == {u["id"] for u in worst["lost"]}


def test_a_verdict_lists_unprinted_values_with_their_bounds(ugo: OcsSession) -> None:
    found = ugo.verdict(0, "j/inf/2-215-33")
    assert found["verdict"] == "firm" or found["turns_on"]
    assert {"tag", "reason", "low", "high"} <= set(found["values"][0])
    assert all(v["tag"] not in ("printed", "series") for v in found["values"])


def test_a_readers_chart_holds_for_the_whole_line_and_can_be_taken_back(ugo: OcsSession) -> None:
    text = ugo.chart_text("route_effects")
    own = ugo.with_charts([("terrain_effects", ugo.chart_text("terrain_effects")), ("route_effects", text)])
    assert [name for name, _ in own.charts] == ["terrain_effects", "route_effects"]
    assert {m.state.rules.user_charts for m in own.moments} == {own.charts}
    assert own.supply(3, "allied")["status"] == ugo.supply(3, "allied")["status"]
    assert own.with_charts([]).charts == ()
    with pytest.raises(ChartError, match="terrain_effects"):
        ugo.with_charts([("terrain_effects", "terrain\nswamp\n")])
    assert len(ugo.chart_problems("terrain_effects", "terrain\nswamp\n")) > 3


def test_a_changed_cost_changes_who_traces(ugo: OcsSession) -> None:
    dear = ugo.chart_text("route_effects").replace("1/2", "3")
    own = ugo.with_charts([("route_effects", dear)])
    assert own.supply(0, "allied")["counts"]["in"] < ugo.supply(0, "allied")["counts"]["in"]


def test_formations_are_named_in_full() -> None:
    assert [formation_name(n) for n in ("17 Ind Div", "4 Corps", "INA")] == ["17 Indian Division", "4 Corps", "INA"]
