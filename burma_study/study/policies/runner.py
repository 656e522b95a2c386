"""Let policies play a game on, under the rules, until it is over or somebody calls a halt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from burma_study.answers.edition import Policy
from burma_study.engine.orders import Order
from burma_study.engine.session import Session
from burma_study.errors import IllegalOrder
from burma_study.study.policies.base import when

Until = Callable[[Any], bool]
MOST = 50_000  # orders in one run: a game of U-Go has about 3,000


@dataclass(frozen=True)
class Note:
    """Something that went otherwise than a policy wanted: at which node, whose, what and why, in which phase."""

    node: int
    actor: str
    text: str
    when: str = ""

    def __str__(self) -> str:
        return f"{self.when or f'Record {self.node}'}, {self.actor}: {self.text}"


def noted(session: Session, actor: str, text: str) -> Note:
    """A note about the position at the cursor."""
    return Note(session.node, actor, text, when(session))


@dataclass
class Run:
    """What a run did: orders given, whether the game is `over`, what the policies did not manage, seconds it took.

    `why` is `over`, `until`, `cancelled`, `reader` (it is for a side without a policy to order) or `most`.
    """

    orders: int = 0
    why: str = ""
    seconds: float = 0.0
    notes: list[Note] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """The game has ended."""
        return self.why == "over"


def play(
    session: Session,
    policies: Mapping[str, Policy],
    until: Until | None = None,
    *,
    hold: Policy,
    progress: Callable[[Run, Session], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    most: int = MOST,
) -> Run:
    """Give orders for every side that has a policy until the game is over, `until` holds of the state, or `cancelled`.

    A policy that raises, or whose order is refused, changes nothing: the run notes the reason and goes on for this
    decision with `hold`, the game's policy that answers what must be answered. Where a side without a policy has to
    decide, the run stops.
    """
    run, began = Run(), perf_counter()
    while not run.why:
        actor = session.decision.actor
        run.why = _halt(session, actor, policies, until, cancelled, run.orders >= most)
        if not run.why:
            _one(session, actor, policies[actor], hold, run)
            run.orders += 1
            if progress is not None:
                progress(run, session)
    for side, policy in policies.items():
        run.notes += [Note(session.node, side, *_dated(text)) for text in policy.notes]
    run.seconds = perf_counter() - began
    return run


def _dated(text: str) -> tuple[str, str]:
    """A policy's own note as text and when, which it begins with."""
    when, colon, rest = text.partition(": ")
    return (rest, when) if colon and when.startswith("Turn ") else (text, "")


def _halt(
    session: Session,
    actor: str,
    policies: Mapping[str, Policy],
    until: Until | None,
    cancelled: Callable[[], bool] | None,
    enough: bool,
) -> str:
    asked = (
        ("over", not actor),
        ("until", until is not None and until(session.state)),
        ("cancelled", cancelled is not None and cancelled()),
        ("most", enough),
        ("reader", actor not in policies),
    )
    return next((why for why, holds in asked if holds), "")


def _one(session: Session, actor: str, policy: Policy, hold: Policy, run: Run) -> None:
    """One order: the policy's, or where that fails what `hold` says."""
    order = _wanted(session, actor, policy, run)
    if order is not None:
        try:
            session.push(order, actor)
            return
        except IllegalOrder as error:
            run.notes.append(noted(session, actor, f"{policy.name}: {error} Hold plays on."))
        except Exception as error:  # what a reader's own policy gives may be no order at all
            text = f"{policy.name}: {str(order)!r} failed: {type(error).__name__}: {error} Hold plays on."
            run.notes.append(noted(session, actor, text))
    kept = hold.order(session, actor)
    assert kept is not None, "hold always has an order"
    session.push(kept, actor)


def _wanted(session: Session, actor: str, policy: Policy, run: Run) -> Order | None:
    try:
        return policy.order(session, actor)
    except Exception as error:  # a reader's own policy may do anything; the game goes on
        text = f"{policy.name} raised {type(error).__name__}: {error} Hold plays on."
        run.notes.append(noted(session, actor, text))
        return None
