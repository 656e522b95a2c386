"""Running the records of a save again under today's rules, with the dice of the records: where do they first part?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from burma_study.engine.dice import RecordedDice
from burma_study.engine.game import Game
from burma_study.engine.records import ROOT, Record, Tree
from burma_study.errors import BurmaStudyError, SaveError


@dataclass(frozen=True)
class Difference:
    """The first node at which today's rules part from a save: `kind` order, refused, dice, events or digest."""

    node: int
    order: str
    kind: str
    saved: str
    today: str

    def __str__(self) -> str:
        return f"Record {self.node}, {self.order!r}: {self.kind} differ: the save has {self.saved}, today {self.today}."


def rerun(game: Game[Any], start: Any, tree: Tree) -> Difference | None:
    """Run every record again under today's rules with its own dice; the first difference, or None."""
    states = {ROOT: start}
    for node in range(1, len(tree)):
        record = tree[node]
        result = _again(game, states[record.parent], node, record)
        if isinstance(result, Difference):
            return result
        states[node] = result
    return None


def _again(game: Game[Any], state: Any, node: int, record: Record) -> Any:
    def differs(kind: str, saved: object, today: object) -> Difference:
        return Difference(node, record.order.text, kind, str(saved), str(today))

    dice = RecordedDice(record.rolls)
    try:
        outcome = game.apply(state, game.parse(record.order.text), dice, record.actor)
    except SaveError as error:
        return differs("dice", ", ".join(map(str, record.rolls)) or "none", error)
    except BurmaStudyError as error:
        return differs("order", "an order carried out", error)
    except (
        LookupError,
        TypeError,
        AttributeError,
    ) as error:  # a position that no play leads to, in a save made by hand
        return differs("order", "an order carried out", f"{type(error).__name__}: {error}")
    if dice.left:
        return differs("dice", ", ".join(map(str, record.rolls)), f"{len(dice.left)} fewer")
    for saved, today in zip(record.events, outcome.events, strict=False):
        if saved != today:
            return differs("events", saved, today)
    if len(record.events) != len(outcome.events):
        return differs("events", f"{len(record.events)} events", f"{len(outcome.events)}")
    digest = game.digest(outcome.state)
    return outcome.state if digest == record.digest else differs("digest", record.digest, digest)
