"""Two reduced air units of one type become a full one (OCS 13.9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import WORD, Order, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.aircraft import GLIDER, kind_of, sortie
from burma_study.rules.ocs.air.bases import DEAD, lose_air_unit
from burma_study.rules.ocs.air.missions import unknown
from burma_study.rules.ocs.air.slots import flyer
from burma_study.rules.ocs.state import Aircraft, State


@order("join {plane} and {other}", kind="join")
class Join(Order):
    """Two reduced air units become one of full strength; the other is free to come back as a replacement."""

    plane: str = slot(WORD)
    other: str = slot(WORD)


@rule("ocs-series/13.9")
def partners(state: State) -> Mapping[str, tuple[str, ...]]:
    """The reduced air units of the player, each with those it may be joined to: of its type and status, at its base."""
    reduced = [p for p in state.aircraft.values() if p.steps == 1 and p.at != DEAD and p.side == flyer(state)]
    if len(reduced) < 2:
        return {}
    ready = sorted((p for p in reduced if kind_of(p).role != GLIDER and not sortie(state, p.id)), key=lambda p: p.id)
    found = {p.id: tuple(o.id for o in ready if o is not p and _status(o) == _status(p)) for p in ready}
    return {plane: others for plane, others in found.items() if others}


def _status(plane: Aircraft) -> tuple[object, ...]:
    return plane.type, plane.at, plane.active, plane.dg


def _impossible(state: State, o: Join) -> Iterator[Reason]:
    yield from unknown(state, (o.plane, o.other))


def _forbidden(state: State, o: Join) -> Iterator[Reason]:
    if o.other not in partners(state).get(o.plane, ()):
        yield because("no-partners", rule="ocs-series/13.9", unit=o.plane, other=o.other)


@rule("ocs-series/13.9")
def _join(step: Step[State], o: Join) -> None:
    step.put("joined", "aircraft", o.plane, replace(step.state.aircraft[o.plane], steps=2))
    lose_air_unit(step, o.other)
    step.cite("ocs-series/13.9")


def _choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    found = partners(state)
    return [Choice(p, p) for p in (found if slot_ == "plane" else found.get(str(partial.values["plane"]), ()))]


RULES: dict[type[Order], OrderRules[State]] = {Join: OrderRules(_impossible, _forbidden, _join, _choices)}
