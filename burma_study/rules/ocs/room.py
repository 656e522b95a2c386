"""A room of the game: the orders of one matter with what stands against them, and the procedures they set going."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import Order
from burma_study.engine.reasons import Reason
from burma_study.engine.step import Step
from burma_study.rules.ocs.state import State

Objections = Callable[[State, Any], Iterable[Reason]]
Procedure = Callable[[Step[State]], None]


def nothing(_state: State, _order: Any) -> Iterable[Reason]:
    """No objection."""
    return ()


def anything(_state: State, _partial: Partial, _slot: str) -> Iterable[Choice] | None:
    """Any value that can be written."""
    return None


@dataclass(frozen=True)
class OrderRules:
    """One kind of order: why it cannot be given at all (hard reasons), why the rules forbid it, how it is carried out,
    and which values its slots may take.
    """

    impossible: Objections
    forbidden: Objections
    carry: Callable[[Step[State], Any], None]
    choices: Callable[[State, Partial, str], Iterable[Choice] | None] = anything


@dataclass(frozen=True)
class Room:
    """The orders of one matter; `phases` names, by phase, the kinds that the player who decides may give in it.

    A kind with an entry in `needs` is given only where that holds: the scenario and the side have what it is for.
    """

    name: str
    orders: Mapping[type[Order], OrderRules]
    phases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    procedures: Mapping[str, Procedure] = field(default_factory=dict)
    needs: Mapping[str, Callable[[State], bool]] = field(default_factory=dict)

    def kinds(self, state: State) -> tuple[str, ...]:
        """The kinds of order that may be given in the state's phase."""
        return tuple(k for k in self.phases.get(state.phase, ()) if k not in self.needs or self.needs[k](state))
