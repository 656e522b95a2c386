"""A game in progress, with the face of a chess board: `push`, `undo`, `redo`, `go`, `save`, `open`."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from burma_study import __version__, datafiles
from burma_study.engine.asking import all_asked
from burma_study.engine.dice import KeyedDice, StreamKey
from burma_study.engine.frames import Decision
from burma_study.engine.game import Finder, Game, Options, Partial
from burma_study.engine.orders import Order, Several
from burma_study.engine.pmap import Map
from burma_study.engine.reasons import Reason
from burma_study.engine.records import ROOT, STATE, Record, Tree
from burma_study.engine.rerun import Difference, rerun
from burma_study.engine.saves import Header, SaveFile, read_save, write_save
from burma_study.errors import BurmaStudyError, DataError, SaveError

Counts = Map[StreamKey, int]


@all_asked
class Session:
    """A game's tree of records with the state at each node; states share what they have in common.

    `setup` names the set-up and `setup_kind` which of its set-ups: historical, free, line ... `seats` says who plays
    each side; saves keep it, and nothing here reads it.
    """

    def __init__(
        self,
        game: Game[Any],
        state: Any,
        *,
        setup: str = "",
        setup_kind: str = "historical",
        seed: str | int | None = None,
    ) -> None:
        self.game = game
        self.setup, self.setup_kind = setup, setup_kind
        self.seed = secrets.token_hex(8) if seed is None else seed_text(seed)
        self.tree = Tree()
        self.notes: tuple[str, ...] = ()
        self.seats: dict[str, str] = {}
        self._states: list[Any] = [state]
        self._counts: list[Counts] = [Map()]

    # where one stands ----------------------------------------------------------------------------------------------

    @property
    def node(self) -> int:
        """The node of the cursor; 0 is the start."""
        return self.tree.cursor

    @property
    def state(self) -> Any:
        """The state at the cursor."""
        return self._states[self.node]

    def state_at(self, node: int) -> Any:
        """The state at any node."""
        self.tree.known(node)
        return self._states[node]

    def view(self, observer: str = "") -> Any:
        """The state as an observer may see it."""
        return self.game.view(self.state, observer)

    @property
    def decision(self) -> Decision:
        """Who has to order now, and what."""
        return self.game.decision(self.state)

    @property
    def variations(self) -> tuple[int, ...]:
        """Nodes that follow the cursor."""
        return self.tree.children(self.node)

    def lines(self, node: int | None = None) -> Iterator[str]:
        """The log to a node (the cursor unless given), a line a record."""
        return (self.tree[n].line for n in self.tree.path(node)[1:])

    # play ----------------------------------------------------------------------------------------------------------

    def check(self, order: Order | str, actor: str = "") -> tuple[Reason, ...]:
        """Every reason against an order here and now."""
        return self.game.check(self.state, self.game.parse(order), actor)

    def why_not(self, order: Order | str, actor: str = "") -> tuple[str, ...]:
        """The same in words."""
        return tuple(map(self.game.say, self.check(order, actor)))

    def options(self, partial: Partial | None = None, slot: str = "") -> Options:
        """How a partial order may go on."""
        return self.game.options(self.state, partial, slot)

    def push(
        self, order: Order | str, actor: str = "", *, note: str = "", reroll: bool = False, salt: int = 0
    ) -> Record:
        """Carry out an order at the cursor and go to the new node; IllegalOrder changes nothing.

        An order that was given here before with the same dice leads to the node there is. `reroll` throws other dice
        than every earlier time that this order was given here; `salt` the dice of a re-roll known by its number.
        """
        given = self.game.parse(order)
        parent = self.tree.cursor
        salt = self._fresh_salt(given, actor) if reroll else salt
        counts = self._counts[parent]
        outcome = self.game.apply(self._states[parent], given, KeyedDice(self.seed, counts, salt), actor)
        state, who, events, rolls, rules, mode, reasons = outcome
        digest = self.game.digest(state)
        record = Record(parent, who, given, rolls, events, rules, mode, digest, reasons, note, salt if rolls else 0)
        if self.tree.append(record) == len(self._states):
            self._states.append(state)
            self._counts.append(_counted(counts, record))
        return self.tree[self.tree.cursor]

    def push_all(self, orders: Iterable[Order], actor: str = "", *, note: str = "") -> Record:
        """Carry out several orders as one record: a formation's move, or a step of the historical line."""
        return self.push(Several(tuple(orders)), actor, note=note)

    def _fresh_salt(self, order: Order, actor: str) -> int:
        text = order.text
        earlier = (self.tree[c] for c in self.variations)
        return 1 + max((r.salt for r in earlier if r.order.text == text and actor in ("", r.actor)), default=0)

    def undo(self) -> Any:
        """Go one node back; the state there."""
        self.tree.undo()
        return self.state

    def redo(self) -> Any:
        """Go one node forward; the state there."""
        self.tree.redo()
        return self.state

    def go(self, node: int) -> Any:
        """Go to any node; the state there."""
        self.tree.go(node)
        return self.state

    # saves ---------------------------------------------------------------------------------------------------------

    @property
    def header(self) -> Header:
        """What a save of this session says about itself."""
        charter = self.game.charter(self._states[ROOT])
        data = {name: datafiles.digest(name) for name in charter["data"] if _there(name)}
        return Header(
            self.game.id,
            self.setup,
            self.setup_kind,
            self.seed,
            charter["rules_version"],
            tuple(charter["options"]),
            data,
            dict(charter["charts"]),
            __version__,
            dict(self.seats),
        )

    def __repr__(self) -> str:
        records, actor = len(self.tree) - 1, self.decision.actor or "nobody, it is over"
        return f"<Game of {self.setup}: {records} records, at node {self.node}; to order: {actor}>"

    def save(self, path: str | Path) -> None:
        """Write the whole tree with its snapshots; SaveError if the place cannot be written."""
        write_save(path, self.header, self.tree, self.game, self._states.__getitem__)

    @classmethod
    def open(cls, path: str | Path, game_of: Finder, *, recover: bool = False) -> Session:
        """A session from a save, its states built from events without running rules; `notes` says what has changed.

        `game_of` finds the game that the save names, as `burma_study.games.registry.game_of` does.
        """
        return cls.from_save(read_save(path, game_of, recover=recover))

    @classmethod
    def from_save(cls, save: SaveFile) -> Session:
        """A session from a save that was read; SaveError if it can only be shown."""
        header = save.header
        game = save.game
        if save.unreadable or game is None:
            raise SaveError(f"The save can be shown (read_save), not played on: {' '.join(save.unreadable)}")
        start = game.load(save.picture(ROOT).dump())
        session = cls(game, start, setup=header.setup, setup_kind=header.setup_kind, seed=header.seed)
        session.tree = save.tree
        session.seats = dict(header.seats)
        session.notes = (*save.warnings, *_changes(header))
        session._follow()
        return session

    def _follow(self) -> None:
        """The states after each record of a save; the first that is not what its digest says is noted."""
        other = 0
        for node in range(1, len(self.tree)):
            record = self.tree[node]
            state = _after(self.game, self._states[record.parent], node, record)
            self._states.append(state)
            self._counts.append(_counted(self._counts[record.parent], record))
            other = other or (node if self.game.digest(state) != record.digest else 0)
        if other:
            self.notes = (*self.notes, f"Record {other} does not lead to the position whose digest it has. {_OTHER}")

    def rerun(self) -> Difference | None:
        """Run every record again under today's rules, with the dice of the record: the first difference, or None."""
        return rerun(self.game, self._states[ROOT], self.tree)


def seed_text(seed: object) -> str:
    """A seed as saves keep it: a text, or a whole number as the text of its digits."""
    if isinstance(seed, int) and not isinstance(seed, bool):
        return str(seed)
    if not isinstance(seed, str):
        raise BurmaStudyError(f"The seed {seed!r} is neither a text nor a whole number.")
    return seed


_OTHER = "The save was edited, or written by a version whose positions hold other values."


def _counted(counts: Counts, record: Record) -> Counts:
    for roll in record.rolls:
        counts = counts.set(roll.key, max(counts.get(roll.key, 0), roll.n + 1))
    return counts


def _after(game: Game[Any], state: Any, node: int, record: Record) -> Any:
    """The state after a record's events, without its rules; SaveError for an event that cannot be."""
    for _, table, key, old, new in record.events:
        try:
            if not (table in game.tables or (table == STATE and key in game.scalars)):
                known = ", ".join((*game.tables, STATE))
                raise SaveError(f"it changes {table!r}, {key!r}; {game.title} has the tables {known}.")
            for value in (old, new):
                if value is not None or table == STATE:  # None: the entry is not there before, or not after
                    game.sound(state, table, key, value)
            state = state.with_(**{str(key): new}) if table == STATE else state.put(table, key, new)
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            reason = str(error) if isinstance(error, SaveError) else f"{type(error).__name__} {error}."
            raise SaveError(f"Record {node}, {record.order.text!r}, cannot be used: {reason}") from error
    return state


def _there(name: str) -> bool:
    try:
        return datafiles.data_path(name).is_file()
    except DataError:
        return False


def _changes(header: Header) -> tuple[str, ...]:
    """What is no longer as it was when the save was written."""
    gone = [f"{name} is no longer there" for name in header.data if not _there(name)]
    other = [f"{n} has changed" for n, d in header.data.items() if _there(n) and datafiles.digest(n) != d]
    return tuple(f"Data file {text} since this save was written." for text in (*gone, *other))
