"""A game that a reader plays: the tree of records with who plays whom, and everything a page shows of it.

>>> from burma_study.games.ocs.play import Play
>>> game = Play.from_setup("ocs/u-go", seed="1944")
>>> game.give("done").actor
'allied'
"""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar

from burma_study.answers.edition import Edition, Policy
from burma_study.answers.session import Session as Look
from burma_study.engine.asking import all_asked
from burma_study.engine.orders import Order
from burma_study.engine.records import ROOT, Record
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError, ScenarioError
from burma_study.study.policies.runner import Note, noted
from burma_study.study.policies.runner import play as run_policies

HUMAN = "human"
LINE = "line"  # set-up kind of a game that starts from a step of the historical line: `line:3`


def is_id(text: str) -> bool:
    """Is this the id of a game: eight hexadecimal digits? A browser may send anything, and files are named for it."""
    return len(text) == 8 and set(text) <= set("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a game starts: scenario, and its `historical` or `free` set-up or `line:STEP`."""

    scenario: str
    kind: str = "historical"

    @property
    def step(self) -> int | None:
        """The step of the line, or None for a set-up."""
        head, _, number = self.kind.partition(":")
        return int(number) if head == LINE and number.isdecimal() and len(number) < 5 else None


@dataclass(frozen=True, slots=True)
class Advance:
    """What a run of the policies came to: orders given, why it stopped (`reader`, `over`, `more`), and its notes."""

    orders: int = 0
    why: str = "reader"
    notes: tuple[Note, ...] = ()


@all_asked
class Play:
    """A game over an engine session; `players` says who gives the orders of each side: `human` or a policy's name."""

    edition: ClassVar[Edition]

    def __init__(
        self,
        session: Session,
        origin: Origin,
        players: Mapping[str, str] | None = None,
        game_id: str = "",
    ) -> None:
        self.session, self.origin = session, origin
        self.id = game_id if is_id(game_id) else secrets.token_hex(4)
        self.players = dict.fromkeys(self.edition.sides, HUMAN)
        self.taken: set[str] = set()
        self.lent: dict[str, str] = {}
        self._policies: dict[str, Policy] = {}
        self._helpers: dict[str, Policy] = {}
        self._look = lru_cache(maxsize=6)(self._make_look)
        for side, name in (players or {}).items():
            self.seat(side, name)

    def __repr__(self) -> str:
        return f"<{self.title}: {self.when()}; to order: {self.actor or 'nobody, it is over'}>"

    # starting --------------------------------------------------------------------------------------------------------

    @classmethod
    def from_setup(cls, scenario: str, kind: str = "historical", **more: Any) -> Play:
        """A game from a set-up; `seed`, `rules` and `players` may be given."""
        return cls.at(Origin(scenario, kind), **more)

    @classmethod
    def from_line(cls, scenario: str = "ocs/u-go", step: int = 0, **more: Any) -> Play:
        """A game from a step of the historical line: the turn begins, its weather is history's."""
        return cls.at(Origin(scenario, f"{LINE}:{step}"), **more)

    @classmethod
    def at(
        cls,
        origin: Origin,
        *,
        seed: str | None = None,
        rules: Any = None,
        players: Mapping[str, str] | None = None,
        game_id: str = "",
    ) -> Play:
        """A game from an origin."""
        seed = seed or None
        start, edition = origin.step, cls.edition
        if start is None:
            state = edition.start(origin.scenario, origin.kind, rules)
        else:
            state = edition.from_line(origin.scenario, start, rules)
        session = Session(edition.game, state, setup=origin.scenario, setup_kind=origin.kind, seed=seed)
        return cls(session, origin, players, game_id)

    @classmethod
    def open(cls, path: str | Path, *, recover: bool = False) -> Play:
        """A game from a save; SaveError says what is wrong with it."""
        return cls.taken_up(Session.open(path, lambda _: cls.edition.game, recover=recover))

    @classmethod
    def taken_up(cls, session: Session) -> Play:
        """A game that goes on from a session, whoever played then still in his seat."""
        play = cls(session, Origin(session.setup, session.setup_kind))
        play.sit_down(session.seats)
        return play

    def to_bytes(self) -> bytes:
        """The game as a compressed save."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.save.gz"
            self.session.save(path)
            return path.read_bytes()

    def part(self) -> None:
        """Go on as a game of its own: another page plays on under the id, and neither writes over the other."""
        self.id = secrets.token_hex(4)

    # where one stands ------------------------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The state at the cursor."""
        return self.session.state

    @property
    def node(self) -> int:
        """The node of the cursor."""
        return self.session.node

    @property
    def actor(self) -> str:
        """The side that has to order now; empty when the game is over."""
        return self.session.decision.actor

    @property
    def scenario(self) -> str:
        """The scenario's id."""
        return self.origin.scenario

    @property
    def digest(self) -> str:
        """The digest of the state at the cursor."""
        return self.session.game.digest(self.state)

    def look(self, node: int | None = None) -> Look:
        """One state with every question a dashboard asks of it, at step 0."""
        return self._look(self.node if node is None else node)

    def _make_look(self, node: int) -> Look:
        state = self.session.state_at(node)
        return self.edition.look(self.scenario, self.title, state)

    def when(self, node: int | None = None) -> str:
        """Turn, player and phase of a node in words."""
        return self.edition.when(self.session.state_at(self.node if node is None else node)).text

    @property
    def title(self) -> str:
        """What the game is called, by where it starts."""
        return self.edition.name(self.scenario, self.origin.kind, self.origin.step)

    # orders ----------------------------------------------------------------------------------------------------------

    def draft(self, kind: str, **values: Any) -> Any:
        """An order of a kind to be built at the cursor."""
        return self.edition.draft(self.session, kind, **values)

    def give(self, order: Order | str, *, reroll: bool = False) -> Record:
        """Carry out an order of the side that decides; IllegalOrder says every reason and changes nothing."""
        return self.session.push(order, reroll=reroll)

    def give_all(self, orders: Iterable[Order]) -> Record:
        """Carry out several orders at once, as for a formation."""
        return self.session.push_all(orders)

    def reroll(self) -> Record:
        """Throw the dice of the order at the cursor again, as a variation beside it."""
        if self.node == ROOT or not self.session.tree[self.node].rolls:
            raise BurmaStudyError("The last order rolled no dice; go to one that did and throw them again there.")
        record = self.session.tree[self.node]
        self.session.go(record.parent)
        return self.session.push(record.order.text, record.actor if not record.order.edit else "", reroll=True)

    def undo(self) -> int:
        """Go one node back, past what policies did since to the reader's own order; the node."""
        self.session.undo()
        while self.node != ROOT and self.played_by(self.actor) != HUMAN:
            self.session.undo()
        return self.node

    def redo(self) -> int:
        """Go one node forward, on to where the reader has to decide; the node."""
        self.session.redo()
        while self.played_by(self.actor) != HUMAN and self.session.tree.onward(self.node) is not None:
            self.session.redo()
        return self.node

    def go(self, node: int) -> int:
        """Go to any node."""
        self.session.go(node)
        return self.node

    @property
    def can_redo(self) -> bool:
        """An order was given from here."""
        return self.session.tree.onward(self.node) is not None

    # who plays -------------------------------------------------------------------------------------------------------

    def played_by(self, side: str) -> str:
        """`human`, or the policy's name; a game that is over waits for nobody but the reader."""
        return self.players.get(side, HUMAN)

    def seats(self, side: str) -> tuple[str, ...]:
        """Who may play a side."""
        return (HUMAN, *self.edition.seats(self.scenario, side))

    def seat(self, side: str, name: str) -> None:
        """Let a side be played by `human` or a policy; ScenarioError lists the policies there are."""
        if side not in self.edition.sides:
            raise ScenarioError(f"{side!r} is no side; sides are {', '.join(self.edition.sides)}.")
        if name != HUMAN:
            self._policies[side] = self.edition.policy(self.scenario, side, name, sorted(self.taken))
        self.players[side] = name
        self.session.seats[side] = name

    def sit_down(self, seats: Mapping[str, str]) -> None:
        """Whoever played each side when the game was saved; a policy that is no more leaves its seat to the reader."""
        for side, name in tuple(seats.items()):
            try:
                self.seat(side, name)
            except BurmaStudyError as error:
                self.session.seats.pop(side, None)
                self.session.notes = (*self.session.notes, f"The reader plays where {name!r} played: {error}")

    def name_variation(self, node: int, text: str) -> None:
        """Give the variation that begins with a node a name of the reader's own; an empty text takes it away."""
        self.session.tree.entitle(node, text)

    def variation_name(self, node: int) -> str:
        """What the variation that begins with a node is called: the reader's own name, else its number."""
        return self.session.tree.title(node) or self.session.tree.name(node)

    def take_back(self, *units: str) -> None:
        """The reader moves these units himself; whoever plays their side leaves them alone."""
        self.taken.update(units)
        self._tell()

    def give_back(self, *units: str) -> None:
        """The policies move these units again."""
        self.taken.difference_update(units)
        self._tell()

    def _tell(self) -> None:
        for found in (*self._policies.values(), *self._helpers.values()):
            found.skip.clear()
            found.skip.update(self.taken)

    def lend(self, formation: str, name: str) -> None:
        """Let a formation of the reader's side be moved by a policy when he asks for it; `human` takes it back."""
        if name not in {n for side in self.edition.sides for n in self.seats(side)}:
            raise ScenarioError(f"Nobody is called {name!r}; a formation is lent to one of those who can play a side.")
        if name == HUMAN:
            self.lent.pop(formation, None)
        else:
            self.lent[formation] = name
        self._helpers.pop(formation, None)

    def move_lent(self, formation: str, most: int = 400) -> Advance:
        """Let the policy that has a formation give its orders of this phase; the phase does not end."""
        side, name = self.actor, self.lent.get(formation, "hold")
        helper = self._helpers.get(formation)
        if helper is None:
            helper = self.edition.policy(self.scenario, side, name, sorted(self.taken), formation)
            self._helpers[formation] = helper
        given, notes = 0, []
        while given < most and self.actor == side and not self.state.frames:
            try:
                order = helper.order(self.session, side)
                if order is None or order.kind == "done":
                    break
                self.session.push(order, side)
            except Exception as error:  # a policy may do anything; the reader goes on
                notes.append(noted(self.session, side, f"{name}: {error}"))
                break
            given += 1
        return Advance(given, "reader", tuple(notes))

    def advance(self, seconds: float = 1.0, stop: Callable[[], bool] | None = None) -> Advance:
        """Let the policies play until the reader has to decide, for so long at most (`why` is then `more`)."""
        chosen = {s: p for s, p in self._policies.items() if self.players[s] != HUMAN}
        if self.actor not in chosen:
            return Advance(why="reader" if self.actor else "over")
        end = perf_counter() + seconds
        run = run_policies(
            self.session,
            chosen,
            hold=self.edition.hold(),
            cancelled=lambda: perf_counter() > end or (stop is not None and stop()),
        )
        return Advance(run.orders, {"cancelled": "more", "most": "more"}.get(run.why, run.why), tuple(run.notes))

    def formations(self, side: str) -> list[str]:
        """Formations with units of a side on the map."""
        return list(self.edition.formations(self.state, side))

    def formation_units(self, side: str, formation: str) -> Mapping[int, Sequence[str]]:
        """Units of a formation by hex."""
        return self.edition.formations(self.state, side).get(formation, {})
