"""The frame that the policies of OCS Burma share: an agenda for each phase, and a manner of answering questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from burma_study.engine.orders import Order
from burma_study.engine.session import Session
from burma_study.games.ocs.policies.answers import Manner, answer
from burma_study.rules.ocs.state import Piece, State
from burma_study.study.policies.base import Chance, when

Agenda = Callable[[Session], Iterator[Order]]


class PhasePolicy:
    """A policy that works through an agenda in each phase and answers questions in its manner.

    An agenda is a generator that looks at `session.state` anew before each order; the reader may give orders between.
    It begins again when the clock moves on, or when the reader goes back.
    """

    name = "phases"

    def __init__(self, *, skip: Sequence[str] = (), only: Callable[[Piece], bool] | None = None) -> None:
        self.skip: set[str] = set(skip)
        self.only = only
        self.notes: list[str] = []
        self.chance = Chance(self.name)
        self._at: tuple[int, str, str, str] | None = None
        self._node = 0
        self._running: Iterator[Order] = iter(())

    def agendas(self) -> dict[str, Agenda]:
        """What is done in which phase."""
        return {}

    def manner(self, state: State, actor: str) -> Manner:
        """How questions are answered."""
        return Manner()

    def mine(self, piece: Piece) -> bool:
        """Does this policy move the unit?"""
        return piece.id not in self.skip and (self.only is None or self.only(piece))

    def order(self, session: Session, actor: str) -> Order | None:
        """An answer where one is asked, else what the phase's agenda says next."""
        state = session.state
        if state.frames:
            return answer(session, actor, self.manner(state, actor), self.chance)
        at = (state.turn, state.player, state.phase, actor)
        if at != self._at or session.node < self._node:
            self._at = at
            self._running = self.agendas().get(state.phase, _nothing)(session)
        self._node = session.node
        return next(self._running, None)

    def note(self, session: Session, text: str) -> None:
        """Remember something that the reader ought to know, once."""
        line = f"{when(session)}: {text}"
        if line not in self.notes:
            self.notes.append(line)


def _nothing(_: Session) -> Iterator[Order]:
    return iter(())


def legal(session: Session, order: Order) -> bool:
    """May the order be given here and now?"""
    return not session.check(order)
