"""The board under the printed set-ups: what stands there can move, eat or forage, or is on a list with the reason."""

from __future__ import annotations

import pytest

from burma_study.rules.ocs.movement.reach import reach
from burma_study.rules.ocs.setup import load_scenario, scenarios, start
from burma_study.rules.ocs.state import Piece, State
from burma_study.rules.ocs.supply.forage import near_route
from burma_study.rules.ocs.supply.on_map import OnMap
from burma_study.rules.ocs.supply.trace import supply

IDS = [info.id for info in scenarios()]
FRONTIER = "an outpost on the frontier, beyond the throw of 4 Corps"
CHINDITS = "a Chindit column lives by air and forage"
COLUMNS = "23 Brigade's columns went by mule beyond any headquarters"
HILLS = "15 and 31 Division in the hills, beyond the throw of their headquarters from the Chindwin"
YAMAMOTO = "Yamamoto Force on the Tamu road has no headquarters within a throw"
OUT = {
    # hexes where somebody starts without trace or dump, and why the rules have it so
    **dict.fromkeys(["A13.20", "A14.20", "A15.21", "B1.30", "B3.22"], FRONTIER),
    **dict.fromkeys(["A36.02", "A37.03", "A38.03", "A44.01", "A44.02", "A44.03", "A44.04"], CHINDITS),
    **dict.fromkeys(["A11.24", "A11.25"], COLUMNS),
    **dict.fromkeys(
        [
            "A6.12",
            "A7.12",
            "A7.13",
            "A8.12",
            "A9.13",
            "A9.23",
            "A10.19",
            "A10.22",
            "A11.11",
            "A11.20",
            "A11.21",
            "A11.22",
        ],
        HILLS,
    ),
    **dict.fromkeys(["A11.05", "A12.03", "A12.06", "A13.08", "A13.12"], HILLS),
    **dict.fromkeys(["A10.03", "A11.03", "A12.02", "A13.01"], YAMAMOTO),
    "A12.20": "50 Parachute Brigade on the Jessami track, beyond the throw of 4 Corps",
    "A12.27": "the Lushai Brigade by Wokha, beyond any headquarters",
    "A48.28": "Galahad's third battalion behind the enemy at Walawbum",
    "A50.29": "112 Regiment marches round through the hills",
    "B3.17": "3-214 guards the track to Falam, beyond the throw of 33 Division",
}
CANNOT_FORAGE = {
    # units of foot that start without trace or dump where no road or track is near
    "A53.29": "where the free set-up's rule puts two battalions of Galahad; no hex that is printed",
}


def set_up(id_: str) -> State:
    """A scenario's start with everybody free to move on dry ground."""
    return start(id_).with_(phase="movement", ground="normal")


def stands_fast(state: State, side: str, unit: str) -> bool:
    """A unit or transport cannot enter any hex beside its own, in any mode that it may choose."""
    mine = state.with_(player=side)
    modes = ("move", "combat") if unit in state.pieces else (None,)
    return all(len(reach(mine, unit, mode=mode).costs) < 2 for mode in modes)


def hungry(state: State) -> list[Piece]:
    """Units in hexes that neither trace nor eat."""
    found = []
    for side in ("japanese", "allied"):
        picture = supply(state, side)
        fed = {u for meal in OnMap(picture).meals() for u in meal.units}
        out = (state.pieces[t.unit] for t in picture.out if t.unit not in fed)
        found += [p for p in out if isinstance(p.at, int)]
    return found


@pytest.mark.parametrize("id_", IDS)
def test_every_truck_wagon_and_gun_stands_where_it_can_move(id_: str) -> None:
    state = set_up(id_)
    wheels = [(p.side, p.id, p.at) for p in state.transport.values() if p.kind in ("truck", "wagon") and not p.extender]
    wheels += [
        (p.counter.side, p.id, p.at) for p in state.units() if p.counter.move.ma and p.counter.move.mobility != "leg"
    ]
    there = [(side, unit, at) for side, unit, at in wheels if isinstance(at, int)]
    assert there
    assert [(state.board.label(at), unit) for side, unit, at in there if stands_fast(state, side, unit)] == []


@pytest.mark.parametrize("id_", IDS)
def test_whoever_starts_without_supply_is_on_the_list(id_: str) -> None:
    state = start(id_)
    assert {state.board.label(int(p.at)) for p in hungry(state)} - OUT.keys() == set()


def test_the_list_names_nobody_who_is_supplied() -> None:
    states = [start(id_) for id_ in IDS]
    assert {s.board.label(int(p.at)) for s in states for p in hungry(s)} == OUT.keys()


@pytest.mark.parametrize(("id_", "which"), [(i, which) for i in IDS for which in load_scenario(i).setups])
def test_men_on_foot_who_start_without_supply_can_forage(id_: str, which: str) -> None:
    """A road or track runs through their hex or beside it (1.6)."""
    state = start(id_, which)
    foot = [p for p in hungry(state) if p.printed.mobility == "leg"]
    away = {state.board.label(int(p.at)) for p in foot if not near_route(state, int(p.at))}
    assert away - CANNOT_FORAGE.keys() == set()


@pytest.mark.parametrize("id_", IDS)
def test_every_infantry_hex_of_a_set_up_lies_by_a_road_or_track(id_: str) -> None:
    """Supplied today, such a unit must be able to forage where it is printed when its line is cut."""
    state = start(id_)
    foot = [
        p for p in state.units() if isinstance(p.at, int) and p.counter.attack_capable and p.printed.mobility == "leg"
    ]
    assert foot
    assert sorted({state.board.label(int(p.at)) for p in foot if not near_route(state, int(p.at))}) == []


@pytest.mark.parametrize("id_", ["ocs/sato", "ocs/campaign-3"])
def test_2_division_and_its_neighbours_start_in_supply(id_: str) -> None:
    """Short 4 and Campaign 3 print them along the road from Dimapur."""
    state = start(id_)
    traces = supply(state, "allied").traces
    ours = [u for u in traces if u.endswith(("/161-5", "/5-2", "/11_Cav", "/RWK-5", "/3_As"))]
    assert len(ours) == 5
    assert all(traces[u].in_supply for u in ours)
