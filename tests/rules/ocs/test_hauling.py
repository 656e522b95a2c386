"""Mules that ride on trucks: what may ride, what it costs, where it ends (Burma 1.2)."""

from __future__ import annotations

import pytest
from movement_field import CENTRE, GRID, N
from moving_field import by, codes, give, outcome, play, words

from burma_study.engine.game import Partial
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.state import Base, Dump, Hedgehog, Piece, Transport

ROAD = [GRID.at(10, r) for r in range(44, 70)]
FOOT, BRIGADE = "j/inf/2-215-33", "a/inf/63-17"
MP = 12


@pytest.fixture(autouse=True)
def road(ground):
    """One all-weather road through jungle, north from CENTRE."""
    ground(rest="jungle", routes=[("all_weather", ROAD)])


def points(name: str = "m", kind: str = "mule", size: int = 4, at: int = CENTRE, load: int = 0, **rest) -> Transport:
    return Transport(name, rest.pop("side", "allied"), kind, size, at, load, **rest)


def yard(*transport: Transport, units=None, **rest):
    state = play(units or {}, "allied", **rest)
    for one in transport:
        state = state.put("transport", one.id, one)
    return state


def truck(size: int = 4, **rest) -> Transport:
    return points("t", "truck", size, **rest)


def test_burma_1_2_a_truck_point_carries_a_mule_point_and_pays_for_loading_and_unloading() -> None:
    found = outcome(yard(truck(), points()), f"carry m on t by {by(*ROAD[1:21])}")
    carrier, mule = found.state.transport["t"], found.state.transport["m"]
    assert (carrier.at, carrier.spent, carrier.done) == (ROAD[20], (5 + 10 + 5) * MP, False)
    assert (mule.at, mule.spent, mule.done) == (ROAD[20], 0, True)
    assert "ocs/1.2" in found.rules
    assert codes(found.state, f"move m by {by(ROAD[21])}") == ["done"], "who rode does not walk on"
    assert codes(found.state, f"move t by {by(ROAD[21])}") == []


def test_burma_1_2_each_mule_point_counts_as_one_re() -> None:
    order = f"carry m on t by {by(ROAD[1])}"
    assert codes(yard(truck(3), points()), order) == ["carry-room"]
    assert codes(yard(truck(8, load=5), points()), order) == ["carry-room"]
    assert codes(yard(truck(8, load=4), points()), order) == []
    two = yard(truck(8), points(), points("n"))
    assert {two.transport[m].at for m in ("m", "n")} == {CENTRE}
    after = give(two, f"carry m, n on t by {by(ROAD[1])}")
    assert {after.transport[m].at for m in ("m", "n")} == {ROAD[1]}


@pytest.mark.parametrize(
    ("mule", "code"),
    [
        (points(load=1), "carry-loaded"),
        (points(kind="elephant"), "carry-kind"),
        (points(kind="wagon"), "carry-kind"),
        (points(spent=MP), "carry-moved"),
        (points(done=True), "carry-moved"),
        (points(side="japanese"), "not-owned"),
    ],
)
def test_burma_1_2_only_empty_mules_that_have_not_moved_ride(mule: Transport, code: str) -> None:
    state = yard(truck(), mule)
    assert codes(state, f"carry m on t by {by(ROAD[1])}") == [code]
    assert not GAME.options(state, Partial("carry")).choices


def test_burma_1_2_they_ride_on_trucks_only() -> None:
    assert codes(yard(points("t", "wagon"), points()), f"carry m on t by {by(ROAD[1])}") == ["carry-on"]
    assert codes(yard(truck(20, extender=True), points()), f"carry m on t by {by(ROAD[1])}") == ["extender"]
    assert codes(yard(truck(), points(at=N)), f"carry m on t by {by(ROAD[1])}") == ["apart"]
    units = yard(truck(), units={BRIGADE: CENTRE})
    assert codes(units, f"carry {BRIGADE} on t by {by(ROAD[1])}") == ["not-in-play"]
    assert codes(yard(truck(), points()), f"carry m on t by {by(ROAD[2])}") == ["gap"]


def test_burma_1_2_the_trucks_need_the_mp_for_all_of_it() -> None:
    order = f"carry m on t by {by(*ROAD[1:3])}"
    assert codes(yard(truck(spent=34 * MP), points()), order) == [], "5, 1 and 5 of the 11 that are left"
    assert codes(yard(truck(spent=35 * MP), points()), order) == ["carry-time"]
    assert codes(yard(truck(spent=34 * MP + 6), points()), order) == ["spent"]
    assert "10 MP to load" in words(yard(truck(spent=35 * MP), points()), order)


@pytest.mark.rule("ocs/1.2", "ocs-series/4.5")
def test_trucks_carry_no_mules_into_a_zone_where_they_could_not_unload() -> None:
    state = yard(truck(), points(), units={FOOT: GRID.neighbours[ROAD[2]][1]})
    assert codes(state, f"carry m on t by {by(*ROAD[1:3])}") == ["carry-stop"]
    assert codes(state, f"carry m on t by {by(*ROAD[1:5])}") == ["must-stop", "must-stop"]
    friends = state.place(Piece(BRIGADE, ROAD[2]))
    assert codes(friends, f"carry m on t by {by(*ROAD[1:3])}") == []


def test_burma_1_2_the_order_is_built_from_what_may_ride() -> None:
    state = yard(truck(), points(), points("n", at=N), points("o", size=8)).put("dumps", CENTRE, Dump("allied", 4))
    at = Partial("carry")
    found = GAME.options(state, at)
    assert [c.value for c in found.choices] == ["m"], "n has no truck, o is too big"
    at = found.take("m").finish("mules")
    assert [c.value for c in GAME.options(state, at).choices] == ["t"]
    at = GAME.options(state, at).take("t")
    assert {c.value: c.cost for c in GAME.options(state, at).choices} == {ROAD[1]: 6}
    ready = GAME.options(state, GAME.options(state, at).take(ROAD[1])).complete
    assert ready is not None
    assert GAME.parse(ready.text) == ready
    assert not GAME.check(state, ready)


@pytest.mark.rule("ocs/1.2", "ocs-series/4.4c")
@pytest.mark.parametrize("at", [ROAD[1], ROAD[2]], ids=["on the way", "at its end"])
def test_series_4_4c_mules_do_not_ride_through_or_onto_enemy_goods(at: int) -> None:
    order = f"carry m on t by {by(ROAD[1], ROAD[2])}"
    clear = yard(truck(), points())
    assert codes(clear, order) == []
    assert codes(clear.put("dumps", at, Dump("allied", 8)), order) == []
    for table, key, thing in (
        ("dumps", at, Dump("japanese", 8)),
        ("bases", at, Base("japanese", 1)),
        ("hedgehogs", at, Hedgehog("japanese", 1)),
        ("transport", "x", points("x", side="japanese", at=at)),
    ):
        assert codes(clear.put(table, key, thing), order) == ["enemy_goods"], table
