"""A room of a game: the orders of one matter with what stands against them, and the procedures they set going."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import Order
from burma_study.engine.reasons import Reason
from burma_study.engine.step import S, Step

Procedure = Callable[[Step[Any]], None]


def nothing(_state: Any, _order: Any) -> Iterable[Reason]:
    """No objection."""
    return ()


def anything(_state: Any, _partial: Partial, _slot: str) -> Iterable[Choice] | None:
    """Any value that can be written."""
    return None


@dataclass(frozen=True)
class OrderRules(Generic[S]):
    """One kind of order: why it cannot be given at all (hard reasons), why the rules forbid it, how it is carried out,
    and which values its slots may take.
    """

    impossible: Callable[[S, Any], Iterable[Reason]]
    forbidden: Callable[[S, Any], Iterable[Reason]]
    carry: Callable[[Step[S], Any], None]
    choices: Callable[[S, Partial, str], Iterable[Choice] | None] = anything


@dataclass(frozen=True)
class Room(Generic[S]):
    """The orders of one matter; `phases` names, by phase, the kinds that the player who decides may give in it.

    A kind with an entry in `needs` is given only where that holds: the scenario and the side have what it is for.
    By phase too: `idle` says that nobody could give the room's orders now, `enters` and `leaves` name the procedures
    that open and follow the phase, `unfinished` objects to its end. `turn_end` and `game_end` name procedures.
    """

    name: str
    orders: Mapping[type[Order], OrderRules[S]] = field(default_factory=dict)
    phases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    procedures: Mapping[str, Callable[[Step[S]], None]] = field(default_factory=dict)
    needs: Mapping[str, Callable[[S], bool]] = field(default_factory=dict)
    idle: Mapping[str, Callable[[S], bool]] = field(default_factory=dict)
    enters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    leaves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unfinished: Mapping[str, tuple[Callable[[S], Iterable[Reason]], ...]] = field(default_factory=dict)
    turn_end: tuple[str, ...] = ()
    game_end: tuple[str, ...] = ()
