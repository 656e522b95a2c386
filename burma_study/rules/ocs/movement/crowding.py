"""The end of a segment of movement: what may not stay in a hex or a mode, porters, marks (OCS 4.8, 5.8; Burma 2.4b)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from burma_study.engine.reasons import Reason, because
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.combat.segments import acting_side
from burma_study.rules.ocs.goods.losses import destroy
from burma_study.rules.ocs.movement.orders import GiveUp
from burma_study.rules.ocs.movement.reach import RELEASED
from burma_study.rules.ocs.movement.reserves import CHOSEN, MOVING, STOPPED, may_wait_in_hedgehog, take_off
from burma_study.rules.ocs.movement.stacking import LIMIT, size_of, stack_together
from burma_study.rules.ocs.state import Piece, State, stacks
from burma_study.rules.ocs.supply.net import Net
from burma_study.rules.ocs.supply.trace import Tracer

PORTERS = "porters"  # marker: (HQ, battalion) pairs stacked at the start of the Japanese Movement Phase


class Crowd(NamedTuple):
    """A hex with more than may stay: whose, the unit ids of which one has to go, the rule."""

    hex: int
    side: str
    units: tuple[str, ...]
    rule: str


@rule("ocs-series/4.8", "ocs/3.7a")
def first_crowd(state: State) -> Crowd | None:
    """The first hex, in board order, whose units may not all stay."""
    for hex_, there in sorted(stacks(state).items()):
        for side in sorted({p.counter.side for p in there}):
            ours = [p for p in there if p.counter.side == side]
            if size_of(ours) > LIMIT:
                return Crowd(hex_, side, tuple(p.id for p in ours), "ocs-series/4.8")
            apart = _strangers(state, ours) if side == "allied" else ()
            if apart:
                return Crowd(hex_, side, apart, "ocs/3.7a")
    return None


@rule("ocs/3.7a")
def _strangers(state: State, ours: list[Piece]) -> tuple[str, ...]:
    if len({p.counter.group for p in ours}) < 2:
        return ()
    apart = (p for p in ours if any(not stack_together(state, p.counter, q.counter) for q in ours))
    return tuple(p.id for p in apart)


@rule("ocs-series/4.8", "ocs-series/5.7", "ocs/opt.2.5")
def crowding(step: Step[State]) -> None:
    """The procedure at the end of a segment: markers that may not stay come off, then owners take out what is over."""
    for hex_ in sorted(h for h in step.state.hedgehogs if isinstance(h, int)):
        for piece in stacks(step.state).get(hex_, ()):
            if piece.mode == "reserve" and not may_wait_in_hedgehog(step.state, piece):
                take_off(step, piece.id)
                step.cite("ocs-series/5.7")
    crowd = first_crowd(step.state)
    if crowd is None:
        out_of_strat(step)
        step.close()
    else:
        step.cite(crowd.rule)
        step.ask(crowd.side, "give up")


@rule("ocs-series/5.8-trace", "ocs-series/12.6")
def out_of_strat(step: Step[State]) -> None:
    """At the end of the Movement Segment: whoever is in Strategic Mode where he cannot trace goes over to Move Mode.

    A march is refused that would end there (5.8); this catches units that stood still, and those whose line their own
    side has broken since. The rule names no penalty, so the mode goes and the unit stays.
    """
    for piece in lost_for_strat(step.state):
        step.put("no trace", "pieces", piece.id, replace(piece, mode="move"))
        step.cite("ocs-series/5.8-trace")


@rule("ocs-series/5.8-trace")
def lost_for_strat(state: State) -> list[Piece]:
    """In the Movement Segment: units of its side in Strategic Mode that cannot trace where they stand, by id."""
    side = acting_side(state)
    fast = [p for p in state.units(side) if p.mode == "strat" and p.on_map] if state.phase == "movement" else []
    if not fast:
        return []
    tracer = Tracer(Net(state, side))
    return sorted((p for p in fast if not tracer.could_trace(p)), key=lambda p: p.id)


def give_up_impossible(state: State, order: GiveUp) -> Iterator[Reason]:
    """Only a unit of the hex that is too full."""
    crowd = first_crowd(state)
    units = crowd.units if crowd else ()
    if order.unit not in units:
        yield because("not-crowded", unit=order.unit, units=units, rule="ocs-series/4.8", hard=True)


@rule("ocs-series/4.8")
def carry_give_up(step: Step[State], order: GiveUp) -> None:
    """The owner destroys the unit; the procedure looks again."""
    destroy(step, order.unit, "overstacked")
    step.note()


# marks ----------------------------------------------------------------------------------------------------------------


def halt(step: Step[State]) -> None:
    """A segment of movement is over: nobody is on the move, modes are chosen anew next time."""
    for name in (MOVING, STOPPED, CHOSEN):
        step.put("marks", "markers", name, None)
    step.close()


def back_in_line(step: Step[State]) -> None:
    """Released reserves are like any other unit again."""
    step.put("marks", "markers", RELEASED, None)
    step.close()


@rule("ocs/2.4b")
def muster_porters(step: Step[State]) -> None:
    """At the start of the Japanese Movement Phase: which infantry battalions are stacked with a Division HQ."""
    if step.state.player == "japanese":
        hqs = {p.at: p.id for p in _by_id(step.state) if p.counter.is_division_hq and p.on_map}
        pairs = [(hqs[p.at], p.id) for p in step.state.units("japanese") if p.at in hqs and _carries(p)]
        step.put("porters", "markers", PORTERS, tuple(sorted(pairs)))
        step.cite(*(("ocs/2.4b",) if pairs else ()))
    step.close()


def _by_id(state: State) -> list[Piece]:
    return sorted(state.units("japanese"), key=lambda p: p.id)


def _carries(piece: Piece) -> bool:
    return piece.counter.is_infantry_battalion
