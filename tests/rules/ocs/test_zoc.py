"""Zones of control: who has one by the 1999 and the v4.3 readings, where it lies, who negates it."""

from __future__ import annotations

import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from movement_field import CENTRE, GRID, SE, SW, N, field

from burma_study.rules.ocs.counters import counters
from burma_study.rules.ocs.movement.zoc import attack_capable, has_zone, held, unnegated, whose, zones
from burma_study.rules.ocs.state import Piece

INF, HQ, GUN = "j/inf/2-215-33", "j/hq/33_Div", "j/art/1-33-33"
AROUND = frozenset(GRID.adjacent[CENTRE])
pytestmark = pytest.mark.usefixtures("ground")


def test_series_4_5_a_zone_is_the_six_hexes_around_whatever_the_terrain(ground) -> None:
    ground(terrain={N: "lake"}, rest="mountain", rivers={(CENTRE, SE): "major"})
    assert zones(field({INF: CENTRE}), "japanese") == AROUND
    assert zones(field({INF: CENTRE}), "allied") == frozenset()


@pytest.mark.parametrize(
    ("piece", "in_1999", "in_v43"),
    [
        (Piece(INF, CENTRE), True, True),
        (Piece(INF, CENTRE, "move", "move"), True, False),
        (Piece(INF, CENTRE, "exploit", "combat"), True, True),
        (Piece(INF, CENTRE, "exploit", "move"), True, False),
        (Piece(INF, CENTRE, "combat", "combat", dg=True), True, False),
        (Piece(INF, CENTRE, "reserve", "combat"), False, False),
        (Piece(INF, CENTRE, "strat", "move"), False, False),
        (Piece(INF, CENTRE, oos=True), False, False),
        (Piece(HQ, CENTRE), False, False),
        (Piece(GUN, CENTRE), False, False),
        (Piece(INF, "ledo"), False, False),
    ],
)
@pytest.mark.rule("ocs-series/4.5", "ocs-series/4.4", "ocs-series/12.8d")
def test_who_has_a_zone(piece: Piece, in_1999: bool, in_v43: bool) -> None:
    for version, has in (("1999", in_1999), ("v4.3", in_v43)):
        state = field({piece.id: piece}, version)
        assert bool(zones(state, "japanese")) == has, version
        if piece.on_map:
            assert has_zone(piece, version) == has


def test_series_4_4_guns_headquarters_and_units_in_strat_mode_cannot_attack() -> None:
    assert attack_capable(Piece("j/inf/1-INA", CENTRE))
    assert not attack_capable(Piece(INF, CENTRE, "strat", "move"))
    assert not attack_capable(Piece(HQ, CENTRE))
    assert not attack_capable(Piece(GUN, CENTRE))


def test_whose_zone_names_every_unit() -> None:
    state = field({INF: CENTRE, "j/inf/3-215-33": CENTRE, "j/inf/1-214-33": GRID.neighbours[SE][2], HQ: SW})
    assert whose(state, "japanese", SE) == (INF, "j/inf/3-215-33", "j/inf/1-214-33")
    assert whose(state, "japanese", GRID.neighbours[N][0]) == ()


@pytest.mark.rule("ocs-series/4.5-negation")
def test_any_friendly_combat_unit_negates_even_a_headquarters() -> None:
    state = field({INF: CENTRE, "a/hq/4_Corps": N})
    assert held(state, "allied") == {N}
    assert unnegated(state, "allied") == AROUND - {N}
    assert unnegated(state, "japanese") == frozenset()


def test_zones_follow_the_pieces_and_the_version() -> None:
    state = field({INF: CENTRE})
    assert zones(state, "japanese") == AROUND
    assert zones(state.place(Piece(INF, SE)), "japanese") == frozenset(GRID.adjacent[SE])
    assert zones(state.put("pieces", INF, None), "japanese") == frozenset()
    moved = state.place(Piece(INF, CENTRE, "move", "move"))
    assert zones(moved, "japanese") == AROUND
    assert zones(field(dict(moved.pieces), "v4.3"), "japanese") == frozenset()
    assert zones(state, "japanese") == AROUND


MODES = [("combat", "combat"), ("move", "move"), ("reserve", "combat"), ("strat", "move"), ("exploit", "move")]


@given(st.integers(0, 10**6), st.sampled_from(["1999", "v4.3"]))
@settings(max_examples=30, deadline=None)
def test_zones_equal_those_found_hex_by_hex(seed: int, version: str) -> None:
    dice = Random(seed)
    disc = (*GRID.disc(CENTRE, 6), "ledo")
    pieces = []
    for id_ in dice.sample(sorted(counters()), 30):
        mode, face = dice.choice(MODES)
        pieces.append(Piece(id_, dice.choice(disc), mode, face, dg=dice.random() < 0.2, oos=dice.random() < 0.2))
    state = field({p.id: p for p in pieces}, version)
    for side in ("japanese", "allied"):
        owners = [p for p in pieces if p.counter.side == side and has_zone(p, version) and p.on_map]
        expected = {h for h in GRID if any(GRID.distance(h, p.at) == 1 for p in owners)}
        assert zones(state, side) == expected
        for hex_ in GRID.disc(CENTRE, 7):
            assert set(whose(state, side, hex_)) == {p.id for p in owners if GRID.distance(hex_, p.at) == 1}


def test_zones_of_a_full_map_take_a_few_hundred_microseconds() -> None:
    """200 units of both sides, a state seen for the first time; compared with a loop of a known size."""
    dice = Random(5)
    ids = dice.sample(sorted(counters()), 200)
    state = field({i: dice.randrange(len(GRID)) for i in ids})
    loop = min(_timed(lambda: sum(i * i for i in range(20000))) for _ in range(5))
    times = []
    for n in range(20):
        state = state.place(Piece(ids[0], n * 7))
        times.append(_timed(lambda s=state: (zones(s, "japanese"), zones(s, "allied"))))
    assert min(times) < loop, "both sides' zones cost less than 20,000 turns of a plain loop"


def _timed(run) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
