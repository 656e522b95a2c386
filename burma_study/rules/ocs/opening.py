"""What a set-up must respect before play begins: Reserve markers and where they may be (scenario special rules)."""

from __future__ import annotations

from collections.abc import Iterator

from burma_study.engine.reasons import Reason, because
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.script import script
from burma_study.rules.ocs.state import Piece, State


def _wanted(state: State, piece: Piece) -> bool:
    group = script(state).reserve_group
    return piece.counter.side == "allied" and group in ("", piece.counter.group)


@rule("ocs/learning.sr8", "ocs/u-go.sr8", "ocs/campaign-1.sr8", "ocs/campaign-2.sr7")
def reserve_at_start(state: State) -> Iterator[Reason]:
    """Allied units in Reserve outside the hexes where the scenario allows it before play."""
    area = script(state).reserve_area
    if area is None:
        return
    reserves = sorted((p for p in state.pieces.values() if p.mode == "reserve" and p.on_map), key=lambda p: p.id)
    for piece in reserves:
        if _wanted(state, piece) and piece.at not in area and isinstance(piece.at, int):
            yield because("no-reserve-yet", piece.at, unit=piece.id)


@rule("ocs-series/5.7")
def reserve_count(state: State) -> Iterator[Reason]:
    """More stacks in Reserve than the side has markers."""
    side = state.player
    stacks = {p.at for p in state.units(side) if p.mode == "reserve"}
    most = state.markers.get(f"reserve/{side}", 0)
    if len(stacks) > most:
        yield because("too-many-reserves", side=side, count=len(stacks), most=most)
