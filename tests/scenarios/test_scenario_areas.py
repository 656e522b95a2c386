"""The language of areas, and what the areas of the rulebook are on the board."""

from __future__ import annotations

import pytest

from burma_study.boards.board import load_board
from burma_study.errors import ScenarioError
from burma_study.rules.ocs.counters import counter
from burma_study.rules.ocs.setup import load_scenario
from burma_study.rules.ocs.setup.ground import Ground, hexes, inside, to_labels
from burma_study.scenarios.areas import Call, Hex, Join, Not, calls, labels, parse

BOARD = load_board("ocs")


def found(text: str, side: str = "japanese", **more: object) -> set[str]:
    return set(to_labels(BOARD, hexes(text, Ground(BOARD, side, **more))))


@pytest.mark.rule("ocs/marauders.sr7")
def test_short_3_what_stands_with_a_chinese_or_us_force_stands_with_no_chindits():
    """The Allies' loose supply and transport of Short 3 may be with any of that group, and with nobody else."""
    who = {"A45.33": "a/inf/64-22", "A47.30": "a/inf/1-Gal", "A48.28": "a/col/A-77-3", "A7.09": "a/inf/63-17"}
    units = {BOARD.index(h): (counter(u),) for h, u in who.items()}
    areas = {
        r.area
        for which in ("historical", "free")
        for r in load_scenario("marauders").setup_rows(which)
        if r.side == "allied" and "with_group" in r.area
    }
    assert areas
    for area in areas:
        assert found(area, "allied", units=units) == {"A45.33", "A47.30"}


def test_the_grammar_builds_a_tree():
    area = parse("within(3,B2.20) and not B3.23 or A7.09")
    assert area == Join("or", (Join("and", (Call("within", (3, Hex("B2.20"))), Not(Hex("B3.23")))), Hex("A7.09")))
    assert labels(area) == ("B2.20", "B3.23", "A7.09")
    assert [
        c.name for c in calls(parse('friendly(rail() or city()) and rows(B01,A01) or with_group("us_chinese")'))
    ] == [*("friendly", "rail", "city", "rows", "with_group")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("within(3,B2.20", "missing"),
        ("whithin(3,B2.20)", "within"),
        ("A7.09 A7.10", "too much"),
        ("A7.09 and", "missing"),
        ("A7.09 & A7.10", "not understood"),
        ("", "missing"),
    ],
)
def test_a_wrong_expression_is_quoted_with_what_is_wrong(text, says):
    with pytest.raises(ScenarioError, match=says):
        parse(text)


def test_wrong_arguments_are_refused_with_the_name():
    for text in ("within(B2.20,3)", "terrain(swamp)", "between(canal,A4.24,A10.21)", "east_of(irrawaddy)"):
        with pytest.raises(ScenarioError, match=text.split("(")[0]):
            found(text)


def test_the_triangle_of_campaign_1_holds_five_hexes():
    """The worked case of Campaign 1: A46.28, A48.27, A48.29 without A48.28 leaves five hexes."""
    area = found("bounded(A46.28,A48.27,A48.29) and not A48.28")
    assert area == {"A46.28", "A47.28", "A47.29", "A48.27", "A48.29"}


def test_within_counts_hexes_in_a_straight_line():
    assert len(found("within(1,A14.13)")) == 7
    assert len(found("within(2,A15.21)")) == 19


def test_rows_and_columns_speak_as_the_sheets_do():
    assert found("cols(7,7) and rows(A09,A10)") == {"A7.09", "A7.10"}
    assert found("cols(3,3) and rows(B34,A02)") == {"B3.34", "A3.01", "A3.02"}


def test_the_road_from_b3_23_to_b3_27_is_five_hexes():
    assert found("between(road,B3.23,B3.27)") == {f"B3.{n}" for n in range(23, 28)}


def test_the_dimapur_kohima_road_joins_the_two():
    road = found("between(road,A4.24,A10.21)")
    assert {"A4.24", "A10.21"} <= road
    assert 7 <= len(road) <= 12


def test_both_divisions_start_east_of_the_chindwin_and_imphal_lies_west():
    east = found("east_of(chindwin)")
    assert {"A22.10", "A22.11", "A20.05", "A24.13", "A58.17", "B39.02"} <= east
    assert east.isdisjoint({"A7.09", "A13.01", "A15.21", "B9.25", "B3.27"})


def test_friendly_railways_are_not_the_enemys():
    japanese, allied = found("friendly(rail())"), found("friendly(rail())", "allied")
    assert {"A4.24", "A7.30", "A13.35"} <= allied
    assert {"B33.30", "B40.34", "B42.34", "B39.02", "B39.03"} <= japanese
    assert japanese.isdisjoint(allied)


def test_with_areas_are_where_such_units_stand():
    units = {
        BOARD.index("A21.03"): (counter("j/hq/15_Div"),),
        BOARD.index("B9.25"): (counter("j/hq/33_Div"),),
    }
    assert found('with_formation("15 Div","31 Div")', units=units) == {"A21.03"}
    assert found("with_unit()", units=units) == {"A21.03", "B9.25"}


def test_a_point_on_the_outline_is_inside():
    square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]
    assert inside((1.0, 1.0), square)
    assert inside((0.0, 1.0), square)
    assert not inside((2.1, 1.0), square)
