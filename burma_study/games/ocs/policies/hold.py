"""Hold: every question gets a sensible answer, everybody eats, aircraft are refitted, nobody moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from burma_study.engine.orders import Order
from burma_study.engine.sequence import Done
from burma_study.engine.session import Session
from burma_study.games.ocs.policies.answers import Manner
from burma_study.games.ocs.policies.phases import Agenda, PhasePolicy, legal
from burma_study.rules.ocs.air.aircraft import kind_of
from burma_study.rules.ocs.air.refit import Refit, refittable
from burma_study.rules.ocs.goods.payment import AUTO
from burma_study.rules.ocs.state import Aircraft, State, Where
from burma_study.rules.ocs.supply.phase import EatAll, Refill, waiting_for_refill


class Hold(PhasePolicy):
    """Stays where it is and sees that everybody eats; units in hedgehogs and in `stand` do not give way."""

    name = "hold"

    def __init__(self, *, stand: tuple[int, ...] = (), **rest: Any) -> None:
        super().__init__(**rest)
        self.stand = frozenset(stand)

    def agendas(self) -> dict[str, Agenda]:
        """Refit and meals."""
        return {"refit": refit_all, "supply": feed}

    def manner(self, state: State, actor: str) -> Manner:
        """Hedgehogs are held."""
        works = {h for h, w in state.hedgehogs.items() if isinstance(h, int) and w.side == actor}
        return Manner(stand=self.stand | works)

    def order(self, session: Session, actor: str) -> Order:
        """Never None: what is not worth an order ends with `done`."""
        return super().order(session, actor) or Done()


def feed(session: Session) -> Iterator[Order]:
    """Stocks are refilled where they can be, without which nobody may eat; then everybody who can eats."""
    while waiting := waiting_for_refill(session.state):
        order = Refill(waiting[0], AUTO)
        if not legal(session, order):
            return
        yield order
    if legal(session, EatAll()):
        yield EatAll()


def refit_all(session: Session, wanted: Callable[[Where], bool] = lambda _: True) -> Iterator[Order]:
    """Every base that is wanted makes its aircraft active again where it can, the fullest first, transports first."""
    for at, planes in sorted(refittable(session.state).items(), key=lambda kv: (-len(kv[1]), str(kv[0]))):
        ids = [p.id for p in sorted(planes, key=_lifts_first)] if wanted(at) else []
        while ids and not legal(session, Refit(at, tuple(ids), AUTO)):
            ids.pop()
        if ids:
            yield Refit(at, tuple(ids), AUTO)


def _lifts_first(plane: Aircraft) -> tuple[bool, str]:
    return kind_of(plane).role != "transport", plane.id
