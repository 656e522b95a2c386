"""Carrying out one order: every change of the state goes through here and leaves an event."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Generic, Protocol, Self, TypeVar

from burma_study.engine.dice import Clock, Roll, Roller
from burma_study.engine.frames import Frame, frame_locals
from burma_study.engine.records import STATE, Event
from burma_study.errors import BurmaStudyError

RUNAWAY = 10_000
FRAME = "frame"  # the kind of event by which procedures are opened, asked and closed


class Position(Protocol):
    """What the engine asks of a game's frozen state; tables are persistent maps, attributes of the state."""

    @property
    def frames(self) -> tuple[Frame, ...]:
        """Procedures under way, the top one last."""

    @property
    def digest(self) -> str:
        """A hash of everything in the state."""

    def put(self, table: str, key: Hashable, value: Any) -> Self:
        """The state with one entry set, or removed (None)."""

    def with_(self, **scalars: Any) -> Self:
        """The state with other scalars."""


S = TypeVar("S", bound=Position)


class Step(Generic[S]):
    """One order being carried out: the state so far, its events and rolls, and the rules it cites."""

    __slots__ = ("_clock", "_roller", "events", "rolls", "rules", "state")

    def __init__(self, state: S, roller: Roller, clock: Callable[[S], Clock]) -> None:
        self.state = state
        self.events: list[Event] = []
        self.rolls: list[Roll] = []
        self.rules: list[str] = []
        self._roller, self._clock = roller, clock

    def put(self, kind: str, table: str, key: Hashable, value: Any) -> None:
        """Set an entry of a table, or remove it (None); no event when nothing changes."""
        state = self.state
        changed = state.put(table, key, value)
        if changed is not state:
            self.events.append(Event(kind, table, key, getattr(state, table).get(key), value))
            self.state = changed

    def set(self, kind: str, **scalars: Any) -> None:
        """Set scalars of the state, an event each."""
        for name, value in scalars.items():
            old = getattr(self.state, name)
            if old != value:
                self.state = self.state.with_(**{name: value})
                self.events.append(Event(kind, STATE, name, old, value))

    def cite(self, *rules: str) -> None:
        """Name the rules that this order was carried out under, once each."""
        self.rules += [r for r in dict.fromkeys(rules) if r not in self.rules]

    def roll(self, stream: str, count: int = 1, sides: int = 6) -> Roll:
        """Throw dice of a stream; the roll goes into the record."""
        roll = self._roller.roll(stream, self._clock(self.state), count, sides)
        self.rolls.append(roll)
        return roll

    # frames -------------------------------------------------------------------------------------------------------

    @property
    def frame(self) -> Frame:
        """The top frame."""
        if not self.state.frames:
            raise BurmaStudyError("No decision or procedure is open.")
        return self.state.frames[-1]

    def open(self, procedure: str, **values: Any) -> None:
        """Put a procedure on the stack; it runs as soon as the caller is done."""
        self._stack((*self.state.frames, Frame(procedure, locals=frame_locals(values))))

    def note(self, **values: Any) -> None:
        """Change locals of the top frame and let it run on; this is also how an answer is handed to it."""
        self._stack((*self.state.frames[:-1], self.frame.but(**values)))

    def ask(self, actor: str, *answers: str) -> None:
        """Stop here until `actor` gives an order of one of the kinds `answers`."""
        self._stack((*self.state.frames[:-1], self.frame.asking(actor, answers)))

    def close(self, **results: Any) -> None:
        """Take the top frame off; results become locals of the frame below, which runs on."""
        below = self.state.frames[:-1] if self.frame else ()
        if below and results:
            below = (*below[:-1], below[-1].but(**results))
        self._stack(below)

    def _stack(self, frames: tuple[Frame, ...]) -> None:
        self.set(FRAME, frames=frames)

    def settle(self, procedures: Mapping[str, Callable[[Step[S]], None]]) -> None:
        """Run procedures until the top one waits for somebody, or none is left: consequences without a choice."""
        for _ in range(RUNAWAY):
            if not self.state.frames or self.state.frames[-1].actor:
                return
            before, name = self.state, self.state.frames[-1].procedure
            if name not in procedures:
                raise BurmaStudyError(f"There is no procedure {name!r} in this game.")
            procedures[name](self)
            if self.state is before:
                raise BurmaStudyError(f"The procedure {name!r} neither acts, asks nor closes.")
        raise BurmaStudyError(f"The procedure {name!r} does not come to an end.")
