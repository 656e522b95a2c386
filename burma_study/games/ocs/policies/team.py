"""One side led by several policies, a formation each."""

from __future__ import annotations

from collections.abc import Mapping

from burma_study.engine.orders import Order
from burma_study.engine.session import Session
from burma_study.games.ocs.policies.phases import PhasePolicy
from burma_study.rules.ocs.state import Piece


class Team:
    """Policies by formation, the rest of the side with `rest`, who also answers what is asked."""

    name = "team"

    def __init__(self, formations: Mapping[str, PhasePolicy], rest: PhasePolicy) -> None:
        self.members = (*formations.values(), rest)
        self.rest = rest
        names = frozenset(formations)
        for formation, member in formations.items():
            member.only = _of(formation)
        rest.only = lambda piece: piece.counter.formation not in names

    @property
    def skip(self) -> set[str]:
        """Units that the reader moves; change it by `take_back` and `give`."""
        return self.rest.skip

    def take_back(self, *units: str) -> None:
        """The reader moves these units from now on."""
        for member in self.members:
            member.skip.update(units)

    def give(self, *units: str) -> None:
        """The policies move these units again."""
        for member in self.members:
            member.skip.difference_update(units)

    @property
    def notes(self) -> list[str]:
        """What any of them could not do."""
        return [text for member in self.members for text in member.notes]

    def order(self, session: Session, actor: str) -> Order | None:
        """The first order that any of them has; the rest of the side answers questions."""
        if session.state.frames:
            return self.rest.order(session, actor)
        return next((o for m in self.members if (o := m.order(session, actor)) is not None), None)


def _of(formation: str):  # type: ignore[no-untyped-def]
    def is_of(piece: Piece) -> bool:
        return piece.counter.formation == formation

    return is_of
