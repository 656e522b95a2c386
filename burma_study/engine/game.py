"""The Game: what every game offers the engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple

from burma_study.engine.codec import Codec
from burma_study.engine.dice import Clock, DiceWanted, NoDice, Roller
from burma_study.engine.frames import Decision
from burma_study.engine.orders import Order, OrderBook, parts_of
from burma_study.engine.reasons import Reason, because, refusal, sentence
from burma_study.engine.records import STATE, Event
from burma_study.engine.shapes import entry_fault, fault, short
from burma_study.engine.step import FRAME, S, Step
from burma_study.errors import BurmaStudyError, IllegalOrder, SaveError

MODES = ("enforce", "warn", "off")
Plain = dict[str, Any]


class Outcome(NamedTuple):
    """What carrying out an order gave: the state after it and what its record will hold."""

    state: Any
    actor: str
    events: tuple[Event, ...]
    rolls: tuple[Any, ...]
    rules: tuple[str, ...]
    enforcement: str
    reasons: tuple[Reason, ...]


class Choice(NamedTuple):
    """One value that a slot may take, in words, with what it costs (in the game's own unit) and its hexes."""

    value: Any
    text: str
    cost: int | None = None
    hexes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Partial:
    """An order being built: its kind and the slots filled so far; `shut` names path slots that are complete."""

    kind: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    shut: frozenset[str] = frozenset()

    def fill(self, slot: str, value: Any) -> Partial:
        """With one more slot filled, or one more element of a path; slot `kind` chooses the kind."""
        if slot == "kind":
            return Partial(str(value))
        return Partial(self.kind, {**self.values, slot: value}, self.shut)

    def extend(self, slot: str, element: Any) -> Partial:
        """With one more element of a slot that is filled piece by piece."""
        return self.fill(slot, (*self.values.get(slot, ()), element))

    def finish(self, slot: str) -> Partial:
        """With a slot that is filled piece by piece declared complete."""
        return Partial(self.kind, self.values, self.shut | {slot})


class Options(NamedTuple):
    """How an order may go on: the next `slot` with its choices (None: any value that can be written).

    `complete` is the order as soon as it can be given; `optional` names further slots that may be filled.
    """

    partial: Partial
    slot: str = ""
    choices: tuple[Choice, ...] | None = ()
    complete: Order | None = None
    optional: tuple[str, ...] = ()
    many: bool = False

    def take(self, value: Any) -> Partial:
        """The partial order after choosing a value for the slot."""
        return self.partial.extend(self.slot, value) if self.many else self.partial.fill(self.slot, value)


class Game(ABC, Generic[S]):
    """A game: its orders and procedures, and how its state is written; check, apply and options are the same for all.

    `tables` and `scalars` name the attributes of the state, `enumerable` the kinds of order of which a full list makes
    sense, `catalogue` the sentence for each reason.
    """

    id: str
    title: str
    book: OrderBook
    codec: Codec
    tables: tuple[str, ...]
    scalars: tuple[str, ...]
    catalogue: Mapping[str, str]
    procedures: Mapping[str, Callable[[Step[S]], None]] = {}
    enumerable: frozenset[str] = frozenset()

    # what each game says about itself ------------------------------------------------------------------------------

    @abstractmethod
    def start(self, setup: str, **choices: Any) -> S:
        """The state before set-up: nothing on the board yet."""

    @abstractmethod
    def turn_of(self, state: S) -> Decision:
        """Who may order, and what, while no frame is open."""

    @abstractmethod
    def objections(self, state: S, order: Order) -> Iterable[Reason]:
        """Every reason of the game against an order; frames and actor are looked after by `check`."""

    @abstractmethod
    def carry(self, step: Step[S], order: Order) -> None:
        """Carry out an order that was checked, through the step."""

    @abstractmethod
    def choices(self, state: S, partial: Partial, slot: str) -> Iterable[Choice] | None:
        """Values that a slot may take next; None where any value that can be written may."""

    @abstractmethod
    def clock(self, state: S) -> Clock:
        """Turn and phase, the key of the dice."""

    @abstractmethod
    def build(self, scalars: Plain, tables: Mapping[str, Mapping[Any, Any]]) -> S:
        """The state with these scalars and tables; what is missing takes its default."""

    def senseless(self, table: str, key: Any, value: Any) -> str:
        """What is wrong with a value of the right type: a place off the map, a word the rules lack; "" if nothing.

        `table` is `state` for scalars. It is asked of all that is read from saves.
        """
        return ""

    def enforcement(self, state: S) -> str:
        """`enforce`, `warn` or `off`."""
        return "enforce"

    def milestone(self, state: S) -> object:
        """Changes with each player-turn; a save holds a snapshot for each."""
        return self.clock(state)[0]

    def charter(self, state: S) -> Plain:
        """For saves: rules_version, options, data (names of the files read), charts (a reader's own, in full)."""
        return {"rules_version": "", "options": [], "data": [], "charts": {}}

    def view(self, state: S, observer: str) -> S:
        """The state as an observer may see it (empty: everything)."""
        return state

    def label(self, hex_: int) -> str:
        """A hex as the map prints it."""
        return str(hex_)

    # what the engine makes of it -----------------------------------------------------------------------------------

    def digest(self, state: S) -> str:
        """The hash of everything in the state."""
        return state.digest

    def decision(self, state: S) -> Decision:
        """Who has to order now: the actor of the top frame, else whoever's turn it is."""
        if state.frames:
            top = state.frames[-1]
            return Decision(top.actor, top.answers, top)
        return self.turn_of(state)

    def say(self, reason: Reason) -> str:
        """A reason in words."""
        return sentence(reason, self.catalogue, self.label)

    def parse(self, order: Order | str) -> Order:
        """An order from its text; IllegalOrder if it cannot be read."""
        if isinstance(order, str):
            return self.book.parse(order)
        if not isinstance(order, Order) or not all(isinstance(part, Order) for part in parts_of(order)):
            raise IllegalOrder(f"{short(order)} is no order; give an order or its text.")
        if not order.parts:
            raise refusal(order.text, [because("nothing", hard=True)], self.say)
        return order

    def check(self, state: S, order: Order, actor: str = "") -> tuple[Reason, ...]:
        """Every reason against an order, of `actor` or of whoever has to decide; the only authority on legality."""
        if not order.parts:
            return (because("nothing", hard=True),)
        if len(order.parts) == 1 and not order.edit:
            return self._check_one(state, order.parts[0], actor)
        try:
            return self._run(state, order, NoDice(), actor, stop=False)[1]
        except DiceWanted:
            return (because("several-dice", hard=True),)

    def _check_one(self, state: S, order: Order, actor: str) -> tuple[Reason, ...]:
        if order.kind not in self.book.kinds:
            return (because("unknown-order", kind=order.kind, kinds=tuple(self.book), hard=True),)
        if order.edit:
            return tuple(self.objections(state, order))
        frames = tuple(self._discipline(state, order, actor))
        return frames if any(r.hard for r in frames) else (*frames, *self.objections(state, order))

    def _unsound(self, state: S, events: Iterable[Event]) -> Iterator[Reason]:
        """An edit may bring about nothing that a save of it could not be opened with."""
        for event in events:
            wrong = "" if event.new is None else self._fault(state, event.table, event.key, event.new)
            if wrong:
                yield because("unsound", why=wrong, hard=True)

    def _discipline(self, state: S, order: Order, actor: str) -> Iterator[Reason]:
        decision = self.decision(state)
        open_ = decision.frame
        if open_ and order.kind not in decision.kinds:
            yield because(
                "decision-open",
                actor=decision.actor,
                procedure=open_.procedure,
                kinds=decision.kinds,
                hard=True,
            )
        if actor and actor != decision.actor:
            yield because("not-yours", actor=actor, decider=decision.actor or "nobody", hard=open_ is not None)
        if not open_ and order.kind not in decision.kinds:
            yield because("not-now", kind=order.kind, kinds=decision.kinds)

    def apply(self, state: S, order: Order, roller: Roller, actor: str = "") -> Outcome:
        """Carry out an order, or raise IllegalOrder with every reason and nothing changed.

        Under `warn` the reasons stay on the outcome; under `off` only hard reasons count.
        """
        who = actor or ("editor" if order.edit else self.decision(state).actor)
        step, reasons = self._run(state, order, roller, actor, stop=True)
        mode = self.enforcement(state)
        kept = reasons if mode == "warn" else ()
        events, rolls = _plain_ending(step.events), tuple(step.rolls)
        return Outcome(step.state, who, events, rolls, tuple(step.rules), mode, kept)

    def _run(
        self, state: S, order: Order, roller: Roller, actor: str, *, stop: bool
    ) -> tuple[Step[S], tuple[Reason, ...]]:
        """Carry out each part in turn; with `stop`, refuse at the first part that may not be, else gather reasons."""
        step = Step(state, roller, self.clock)
        found: list[Reason] = []
        for part in order.parts:
            reasons = self._check_one(step.state, part, actor)
            if step.rolls:
                reasons = (*reasons, because("several-dice", hard=True))
            refused = reasons and (self.enforcement(step.state) == "enforce" or any(r.hard for r in reasons))
            found += reasons
            if not refused:
                done = len(step.events)
                self.carry(step, part)
                unsound = tuple(self._unsound(step.state, step.events[done:])) if part.edit else ()
                found += unsound
                refused, reasons = bool(unsound), unsound or reasons
                step.settle(self.procedures)
            if refused and stop:
                raise refusal(part.text, reasons, self.say)
        return step, tuple(found)

    def options(self, state: S, partial: Partial | None = None, slot: str = "") -> Options:
        """How a partial order may go on; `slot` asks for an optional one instead of the next required one."""
        at = partial or Partial()
        if not at.kind:
            kinds = [k for k in self.decision(state).kinds if k in self.book.kinds]
            return Options(at, "kind", tuple(Choice(k, self.book[k].form.usage) for k in kinds))
        form = self.book[at.kind].form
        self._known_slots(at, (*at.values, *([slot] if slot else ())))
        lacking = [n for n in form.required if n not in at.values]
        unfilled = tuple(n for n in form.slots if n not in form.required and n not in at.values)
        complete = None if lacking else self._complete(state, at)
        wanted = slot or next((n for n in form.required if self._open(at, n)), "")
        if not wanted:
            return Options(at, complete=complete, optional=unfilled)
        many = form.slots[wanted].many
        return Options(at, wanted, self._offered(state, at, wanted), complete, unfilled, many)

    def _offered(self, state: S, at: Partial, slot: str) -> tuple[Choice, ...] | None:
        """The game's choices; BurmaStudyError where the slots filled so far hold what was never offered."""
        try:
            found = self.choices(state, at, slot)
            return None if found is None else tuple(found)
        except BurmaStudyError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError, AssertionError) as error:
            filled = ", ".join(f"{name} {value!r}" for name, value in at.values.items()) or "nothing filled"
            text = f"An order to {at.kind} with {filled} cannot go on to its {slot}: {type(error).__name__} {error}."
            raise BurmaStudyError(f"{text} Fill each part with what is offered for it.") from error

    def _open(self, at: Partial, slot: str) -> bool:
        if slot not in at.values:
            return True
        return self.book[at.kind].form.slots[slot].many and slot not in at.shut

    def _complete(self, state: S, at: Partial) -> Order | None:
        order = self.book[at.kind](**at.values)
        return None if self.check(state, order) else order

    def _known_slots(self, at: Partial, names: Iterable[str]) -> None:
        slots = self.book[at.kind].form.slots
        reasons = [because("no-slot", kind=at.kind, slot=n, slots=tuple(slots)) for n in names if n not in slots]
        if reasons:
            raise refusal(at.kind, reasons, self.say)

    def legal_orders(self, state: S, kind: str) -> Iterator[Order]:
        """Every legal order of an enumerable kind, its optional slots at their defaults."""
        if kind not in self.enumerable:
            names = ", ".join(sorted(self.enumerable)) or "none"
            raise BurmaStudyError(f"Orders to {kind!r} are not listed in full, only built by options; listed: {names}.")
        if kind in self.decision(state).kinds:
            yield from self._walk(state, Partial(kind))

    def _walk(self, state: S, partial: Partial) -> Iterator[Order]:
        found = self.options(state, partial)
        if found.complete is not None:
            yield found.complete
        for choice in (found.choices or ()) if found.slot else ():
            yield from self._walk(state, found.take(choice.value))

    # writing the state ---------------------------------------------------------------------------------------------

    def dump(self, state: S) -> Plain:
        """The state as plain JSON: scalars by name, tables as lists of key and value in order of their keys."""
        plain = self.codec.plain
        scalars = {name: plain(getattr(state, name)) for name in self.scalars}
        return {"scalars": scalars, "tables": {name: self._rows(getattr(state, name)) for name in self.tables}}

    def _rows(self, table: Mapping[Any, Any]) -> list[list[Any]]:
        return [[k, self.codec.plain(v)] for k, v in sorted(table.items(), key=lambda kv: (str(type(kv[0])), kv[0]))]

    def load(self, plain: Plain) -> S:
        """The state that a dump describes; SaveError says what is wrong with it."""
        try:
            scalars = {k: self.codec.value(v) for k, v in plain["scalars"].items() if k in self.scalars}
            found = plain["tables"]
            tables = {name: {k: self.codec.value(v) for k, v in found.get(name, ())} for name in self.tables}
            state = self.build(scalars, tables)
            self._sound(state)
            return state
        except SaveError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            raise SaveError(f"This is no state of {self.title}: {error}.") from error

    def _sound(self, state: S) -> None:
        for name in self.scalars:
            self.sound(state, STATE, name, getattr(state, name))
        for name in self.tables:
            for key, value in getattr(state, name).items():
                self.sound(state, name, key, value)

    def sound(self, state: S, table: str, key: Any, value: Any) -> None:
        """SaveError unless a value read from a file may stand in the state at this place."""
        if wrong := self._fault(state, table, key, value):
            raise SaveError(f"This is no state of {self.title}: {wrong}.")

    def _fault(self, state: S, table: str, key: Any, value: Any) -> str:
        cls = type(state)
        wrong = fault(cls, str(key), value) if table == STATE else entry_fault(cls, table, key, value)
        return wrong or self.senseless(table, key, value)


def _plain_ending(events: list[Event]) -> tuple[Event, ...]:
    """The events with one change of the frames at their end, for what procedures open and close again is no effect."""
    frames = [e for e in events if e.kind == FRAME]
    if not frames:
        return tuple(events)
    rest = tuple(e for e in events if e.kind != FRAME)
    if frames[0].old == frames[-1].new:
        return rest
    return (*rest, frames[0]._replace(new=frames[-1].new))


Finder = Callable[[str], Game[Any]]  # a game by its id, as saves name it; BurmaStudyError where there is none
