"""Stacking: 10 RE, one side, cooperation, Reserve in hedgehogs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from movement_field import CENTRE, GRID, N, field

from burma_study.rules.ocs.counters import counter, counters
from burma_study.rules.ocs.movement.stacking import check_hex, check_stacking, size_of, stack_together
from burma_study.rules.ocs.state import Dump, Hedgehog, Piece, Rules, Transport

BRIGADES = sorted(i for i, c in counters().items() if c.type == "infantry" and c.size == "bde")
BATTALIONS = sorted(
    i for i, c in counters().items() if c.side == "japanese" and c.type == "infantry" and c.size == "bn"
)
pytestmark = pytest.mark.usefixtures("ground")


def codes(state) -> list[str]:
    return [p.code for p in check_stacking(state)]


def test_series_4_8_ten_re_may_stand_in_a_hex_and_no_more() -> None:
    ten = dict.fromkeys(BRIGADES[:10], CENTRE)
    assert codes(field(ten)) == []
    over = check_stacking(field({**ten, BRIGADES[10]: CENTRE}))
    assert [p.code for p in over] == ["overstacked"]
    assert over[0].message == "Allied units in A10.10 are 11 RE; at most 10 may end there."
    assert over[0].hint.startswith("Take 1 RE out")


@pytest.mark.rule("ocs-series/4.6")
def test_burma_2_9_two_battalions_are_one_re() -> None:
    assert size_of(Piece(i, CENTRE) for i in BATTALIONS[:2]) == Fraction(1)
    assert codes(field(dict.fromkeys(BATTALIONS[:20], CENTRE))) == []
    assert codes(field(dict.fromkeys(BATTALIONS[:21], CENTRE))) == ["overstacked"]


def test_burma_3_6a_a_column_is_one_re() -> None:
    assert counter("a/col/A-77-3").re == 1


def test_series_4_8_supply_transport_and_boxes_have_no_limit() -> None:
    state = field(dict.fromkeys(BRIGADES[:10], CENTRE))
    state = state.put("dumps", CENTRE, Dump("allied", 400))
    state = state.put("transport", "t1", Transport("t1", "allied", "truck", 200, CENTRE))
    assert codes(state) == []
    assert codes(field(dict.fromkeys(BRIGADES[:15], "silchar"))) == []


@pytest.mark.parametrize(
    ("a", "b", "together"),
    [
        (BRIGADES[0], BRIGADES[1], True),
        ("a/inf/1-Gal", "a/inf/88-30", True),
        (BRIGADES[0], "a/inf/88-30", False),
        (BRIGADES[0], "a/inf/1-Gal", False),
        ("a/col/A-77-3", BRIGADES[0], True),
        ("a/col/A-77-3", "a/inf/1-Gal", False),
        ("a/eng/823_Eng", BRIGADES[0], True),
        ("a/eng/823_Eng", "a/inf/88-30", True),
        ("j/inf/1-INA", BATTALIONS[0], True),
    ],
)
def test_burma_3_7a_who_may_stack(a: str, b: str, together: bool) -> None:
    state = field({a: CENTRE, b: CENTRE})
    assert stack_together(state, counter(a), counter(b)) == together
    assert codes(state) == ([] if together else ["cooperation"])


@pytest.mark.rule("ocs-series/erratum.9")
def test_without_the_erratum_the_823_engineers_are_americans() -> None:
    state = field({"a/eng/823_Eng": CENTRE, BRIGADES[0]: CENTRE})
    for rules in (Rules(errata=False), Rules(errata_off=("erratum.9",))):
        assert codes(state.with_(rules=rules)) == ["cooperation"]


@pytest.mark.rule("ocs/opt.2.5", "ocs-series/5.7")
def test_in_a_hedgehog_only_guns_wait_in_reserve() -> None:
    guns = Piece("a/art/5-5", CENTRE, "reserve")
    state = field({guns.id: guns}).put("hedgehogs", CENTRE, Hedgehog("allied", 1))
    assert codes(state) == []
    assert codes(state.place(Piece(BRIGADES[0], CENTRE, "reserve"))) == ["reserve_in_hedgehog"]
    assert codes(state.with_(rules=Rules(options=()))) == ["reserve_in_hedgehog"]
    assert codes(state.with_(rules=Rules(version="v4.3"))) == ["reserve_in_hedgehog"]


def test_all_problems_are_named_hex_by_hex() -> None:
    units = {**dict.fromkeys(BRIGADES[:11], CENTRE), "a/inf/88-30": CENTRE, BATTALIONS[0]: CENTRE}
    units |= {"a/inf/89-30": N, BRIGADES[12]: N}
    found = check_stacking(field(units))
    assert [(p.code, GRID.label(CENTRE) in p.message) for p in found] == [
        ("both_sides", True),
        ("overstacked", True),
        ("cooperation", True),
        ("cooperation", False),
    ]


def test_arriving_units_count_once() -> None:
    state = field(dict.fromkeys(BRIGADES[:10], CENTRE))
    assert check_hex(state, CENTRE, [Piece(BRIGADES[0], CENTRE)]) == []
    assert [p.code for p in check_hex(state, CENTRE, [Piece(BRIGADES[11], CENTRE)])] == ["overstacked"]
