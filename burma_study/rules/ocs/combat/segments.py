"""What was done in a segment: hexes attacked or barraged, units that attacked or fired, once each (OCS 9.2, 10.0)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from burma_study.engine.reasons import Reason, because
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.movement.reach import RELEASED
from burma_study.rules.ocs.state import Piece, State


class Done(NamedTuple):
    """Targets and units of one segment so far."""

    hexes: tuple[int, ...] = ()
    units: tuple[str, ...] = ()


@rule("ocs-series/9.2", "ocs-series/10.0")
def done_here(state: State, what: str) -> Done:
    """What was attacked (`what` is combat) or barraged (barrage) in the segment that is on."""
    turn, player, phase, *rest = state.markers.get(f"segment/{what}", (0, "", "", (), ()))
    return Done(*rest) if (turn, player, phase) == (state.turn, state.player, state.phase) else Done()


def mark_done(step: Step[State], what: str, hex_: int, units: tuple[str, ...]) -> None:
    """Remember a target and the units that took part; forgotten by itself in the next segment."""
    state, before = step.state, done_here(step.state, what)
    value = (state.turn, state.player, state.phase, (*before.hexes, hex_), (*before.units, *units))
    step.put("segment", "markers", f"segment/{what}", value)


def acting_side(state: State) -> str:
    """Whose phase it is: the non-phasing player's in Reaction."""
    return other_side(state.player) if state.phase.startswith("reaction") else state.player


def named_twice(units: Sequence[str]) -> Iterator[Reason]:
    """Hard reasons: units that an order names more than once."""
    for unit in dict.fromkeys(units):
        if units.count(unit) > 1:
            yield because("twice", unit=unit, hard=True)


@rule("ocs-series/5.7", "ocs-series/5.9")
def takes_part(state: State, piece: Piece) -> bool:
    """May it fight in this phase? In Reaction and Exploitation only released reserves, and those in Exploit Mode."""
    if not state.phase.startswith(("reaction", "exploitation")):
        return True
    return piece.mode == "exploit" or piece.id in state.markers.get(RELEASED, ())
