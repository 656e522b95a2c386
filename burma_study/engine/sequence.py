"""The sequence of play: `done` ends a phase, and the clock goes on to the next one in which somebody can do something.

It is frozen and made of the game's rooms, so that no answer depends on which module was imported first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic

from burma_study.engine.orders import Order, order
from burma_study.engine.reasons import Reason
from burma_study.engine.room import OrderRules, Room, nothing
from burma_study.engine.step import S, Step
from burma_study.errors import BurmaStudyError

CLOCK = "sequence"  # the procedure that runs the clock


@order("done")
class Done(Order):
    """Nothing more in this phase: on to the next."""


def break_off(step: Step[Any]) -> None:
    """Close whatever is under way, for the game has ended; the clock runs next and finds it so."""
    if not any(f.procedure == CLOCK for f in step.state.frames):
        while step.state.frames:
            step.close()
        step.open(CLOCK, todo=(), stage="leave")


@dataclass(frozen=True)
class Calendar(Generic[S]):
    """What a game's own time is: its `phase` now, whether the game `ended` or the turn is over, and the way onward.

    `phases` are all there are. `turn_over` holds when the phase that is left is the turn's last, `last_turn` when no
    turn follows, `must_stop` where the clock stops though nobody can act. `advance` sets the next phase, `run_out` ends
    a game whose turns are used up, `close` is the very end.
    """

    phases: tuple[str, ...]
    phase: Callable[[S], str]
    ended: Callable[[S], bool]
    turn_over: Callable[[S], bool]
    last_turn: Callable[[S], bool]
    must_stop: Callable[[S], bool]
    advance: Callable[[Step[S]], None]
    run_out: Callable[[Step[S]], None]
    close: Callable[[Step[S]], None]


def _none_lost(what: str, lost: set[str]) -> None:
    if lost:
        raise BurmaStudyError(f"The rooms of this game {what}: {', '.join(sorted(lost))}.")


@dataclass(frozen=True)
class Sequence(Generic[S]):
    """The rooms of a game, its calendar, and the `order` in which procedures at a border of phases run."""

    rooms: tuple[Room[S], ...]
    calendar: Calendar[S]
    order: tuple[str, ...]

    def __post_init__(self) -> None:
        borders = {name for room in self.rooms for by in (room.enters, room.leaves) for name in sum(by.values(), ())}
        ends = {name for room in self.rooms for name in (*room.turn_end, *room.game_end)}
        _none_lost("name procedures that none of them has", (borders | ends) - self.procedures.keys())
        _none_lost("name procedures without a place in the order at borders of phases", borders - set(self.order))
        for room in self.rooms:
            told = {*room.phases, *room.idle, *room.enters, *room.leaves, *room.unfinished}
            _none_lost(f"know phases that the calendar lacks, in {room.name!r}", told - set(self.calendar.phases))

    # what the rooms are together -------------------------------------------------------------------------------------

    @cached_property
    def orders(self) -> Mapping[type[Order], OrderRules[S]]:
        """The rules of each kind of order."""
        found = {kind: rules for room in self.rooms for kind, rules in room.orders.items()}
        return {**found, Done: OrderRules(nothing, self._not_done, self._leave)}

    @cached_property
    def procedures(self) -> Mapping[str, Callable[[Step[S]], None]]:
        """Every procedure by its name, the clock's own among them."""
        return {CLOCK: self.run, **{name: run for room in self.rooms for name, run in room.procedures.items()}}

    @cached_property
    def needs(self) -> Mapping[str, Callable[[S], bool]]:
        """What the scenario and the side must have for a kind of order."""
        return {kind: holds for room in self.rooms for kind, holds in room.needs.items()}

    def kinds(self, phase: str) -> tuple[str, ...]:
        """The kinds of order of a phase, room by room."""
        return tuple(kind for room in self.rooms for kind in room.phases.get(phase, ()))

    def is_idle(self, state: S) -> bool:
        """Nobody could do anything in this phase: each room with orders in it says so."""
        phase = self.calendar.phase(state)
        busy = (room for room in self.rooms if self._open(room, phase, state))
        return all(phase in room.idle and room.idle[phase](state) for room in busy)

    @staticmethod
    def _open(room: Room[S], phase: str, state: S) -> bool:
        kinds = (k for k in room.phases.get(phase, ()) if k != Done.kind)
        return any(k not in room.needs or room.needs[k](state) for k in kinds)

    def stops_here(self, state: S) -> bool:
        """The phase is one to stop at: the calendar says so, or somebody can act."""
        return self.calendar.must_stop(state) or not self.is_idle(state)

    def _in_order(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(names, key=self.order.index))

    def entering(self, phase: str) -> tuple[str, ...]:
        """The procedures that open a phase, in their order."""
        return self._in_order(n for room in self.rooms for n in room.enters.get(phase, ()))

    def leaving(self, phase: str) -> tuple[str, ...]:
        """The procedures that follow a phase, in their order."""
        return self._in_order(n for room in self.rooms for n in room.leaves.get(phase, ()))

    # the clock at work -----------------------------------------------------------------------------------------------

    def _not_done(self, state: S, _order: Order) -> Iterable[Reason]:
        phase = self.calendar.phase(state)
        objections = (o for room in self.rooms for o in room.unfinished.get(phase, ()))
        return (reason for objection in objections for reason in objection(state))

    def _leave(self, step: Step[S], _order: Any) -> None:
        step.open(CLOCK, todo=self.leaving(self.calendar.phase(step.state)), stage="leave")

    def run(self, step: Step[S]) -> None:
        """What a phase's end brings, the next phase, what its start brings, until somebody can act.

        Stages: `leave` a phase, `turn` end, `enter` a phase, `end` of the game.
        """
        todo, stage = step.frame["todo"], step.frame["stage"]
        if self.calendar.ended(step.state) and stage != "end":
            step.note(todo=tuple(n for room in self.rooms for n in room.game_end), stage="end")
        elif todo:
            step.note(todo=todo[1:])
            step.open(todo[0])
        else:
            getattr(self, f"_{stage}_done")(step)

    def _leave_done(self, step: Step[S]) -> None:
        if self.calendar.turn_over(step.state):
            step.note(todo=tuple(n for room in self.rooms for n in room.turn_end), stage="turn")
        else:
            self._turn_done(step)

    def _turn_done(self, step: Step[S]) -> None:
        state = step.state
        if self.calendar.turn_over(state) and self.calendar.last_turn(state):
            self.calendar.run_out(step)
        else:
            self.calendar.advance(step)
            step.note(todo=self.entering(self.calendar.phase(step.state)), stage="enter")

    def _enter_done(self, step: Step[S]) -> None:
        if self.stops_here(step.state):
            step.close()
        else:
            step.note(todo=self.leaving(self.calendar.phase(step.state)), stage="leave")

    def _end_done(self, step: Step[S]) -> None:
        self.calendar.close(step)
        step.close()
