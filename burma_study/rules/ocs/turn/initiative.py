"""Who moves first in a turn: printed for the first one, else the higher of two rolls chooses (OCS 2.2)."""

from __future__ import annotations

from collections.abc import Iterable

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import Order, choice_slot, order, slot
from burma_study.engine.room import OrderRules, Room, nothing
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import SIDES, other_side
from burma_study.rules.ocs.state import State

CHOOSES = "_choose"  # `japanese_choose`: that side chooses without a roll


@order("go {place}")
class MoveFirst(Order):
    """The winner of the initiative moves `first` or `second` in this turn."""

    place: str = slot(choice_slot("place in the turn", ("first", "second")))


@rule("ocs-series/2.2", "ocs/*.sr4")
def initiative(step: Step[State]) -> None:
    """Find out who chooses, ask him, and note who moves first."""
    state, frame = step.state, step.frame
    printed = state.markers.get("initiative", "roll") if state.turn == 1 else "roll"
    if frame.get("place"):
        winner = frame["winner"]
        step.set("first", first=winner if frame["place"] == "first" else other_side(winner))
        step.close()
    elif printed in SIDES:
        step.set("first", first=printed)
        step.close()
    elif frame.get("winner"):
        step.ask(frame["winner"], "go")
    else:
        step.note(winner=printed.removesuffix(CHOOSES) if printed.endswith(CHOOSES) else _roll(step))


def _roll(step: Step[State]) -> str:
    """Two dice each, ties again."""
    step.cite("ocs-series/2.2")
    while True:
        japanese, allied = (step.roll("initiative", 2).sum for _ in SIDES)
        if japanese != allied:
            return "japanese" if japanese > allied else "allied"


def _answer(step: Step[State], order: MoveFirst) -> None:
    step.note(place=order.place)


def _choices(_state: State, _partial: Partial, _slot: str) -> Iterable[Choice]:
    return [Choice("first", "first"), Choice("second", "second")]


INITIATIVE = Room(
    "initiative",
    {MoveFirst: OrderRules(nothing, nothing, _answer, _choices)},
    procedures={"initiative": initiative},
    enters={"initiative": ("initiative",)},
)
