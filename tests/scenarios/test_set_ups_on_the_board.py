"""The board under the printed set-ups: what stands there can move, eat or forage, or is on a list with the reason."""

from __future__ import annotations

import pytest

from burma_study.engine.reasons import Reason
from burma_study.rules.ocs.movement.reach import reach
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.supply.forage import near_route
from burma_study.rules.ocs.supply.on_map import OnMap
from burma_study.rules.ocs.supply.trace import supply
from burma_study.scenarios import scenarios, start

IDS = [info.id for info in scenarios()]
WHEELS = ("truck", "wagon")
SURROUNDED = {
    "A49.17": "no trace source and no track; the scenario prints 18 Division's battalions inside an enemy's reach",
}
OUT = {
    # hex: why whoever starts there without trace or dump does so by the rules
}


def set_up(id_: str) -> State:
    """A scenario's start with the first player to move on dry ground."""
    return start(id_).with_(phase="movement", ground="normal")


@pytest.mark.parametrize("id_", IDS)
def test_every_truck_wagon_and_gun_stands_where_it_can_move(id_: str) -> None:
    state, stuck = set_up(id_), []
    for points in state.transport.values():
        if points.kind in WHEELS and isinstance(points.at, int) and not points.extender:
            if len(reach(state.with_(player=points.side), points.id).costs) < 2:
                stuck.append((state.board.label(points.at), points.id))
    for piece in state.units():
        if isinstance(piece.at, int) and piece.counter.move.ma and piece.counter.move.mobility != "leg":
            mine = state.with_(player=piece.counter.side)
            if len(reach(mine, piece.id, mode="move").costs) < 2:
                stuck.append((state.board.label(piece.at), piece.id))
    assert stuck == []
