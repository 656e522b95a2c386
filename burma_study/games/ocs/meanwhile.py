"""What happened since a reader's last order, in few words: a paragraph a player-turn instead of every order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from burma_study.engine.records import Record
from burma_study.engine.session import Session
from burma_study.games.ocs.phrases import capital
from burma_study.games.ocs.story import BATTLE, Line, arrivals, losses, names, place, report, story

MARCHES = ("moved", "railed")


@dataclass
class _Span:
    """A player-turn, or the start of a turn (no `player`): who moved, whose supply came, what is worth a sentence."""

    turn: int
    player: str
    moved: set[str] = field(default_factory=set)
    came: dict[str, int] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)

    def text(self) -> str:
        """The paragraph; empty where nothing happened."""
        found = [f"{len(self.moved)} unit{'s move' if len(self.moved) != 1 else ' moves'}."] if self.moved else []
        found += [f"{amount}T of {capital(side)} supply arrive." for side, amount in self.came.items() if amount]
        found += self.told
        who = f", {capital(self.player)}" if self.player else ""
        return f"Turn {self.turn}{who}: {' '.join(found)}" if found else ""


def meanwhile(session: Session, since: int) -> list[str]:
    """The player-turns between a node and the cursor, a paragraph each, that of the first with what was left of it.

    Fights, losses, arrivals and who moves first are told; marches and supply are counted.
    """
    spans: list[_Span] = []
    for line in story(session, since=since):
        first = session.tree[line.node].order.text.startswith("go ")
        key = (line.turn, "" if first else line.player)
        if not spans or (spans[-1].turn, spans[-1].player) != key:
            spans.append(_Span(*key))
        _tell(spans[-1], line, session.tree[line.node])
    return [text for span in spans if (text := span.text())]


def _tell(span: _Span, line: Line, record: Record) -> None:
    if not span.player:
        span.told += line.sentences
    span.moved |= {str(e.key) for e in record.events if e.kind in MARCHES and e.table == "pieces"}
    for side, amount in _arrived(record):
        span.came[side] = span.came.get(side, 0) + amount
    span.told += [*_fights(record), *losses(record), *arrivals(record)]


def _arrived(record: Record) -> Iterator[tuple[str, int]]:
    for e in record.events:
        if e.kind == "arrived" and e.table == "dumps" and e.new is not None:
            yield e.new.side, e.new.tokens - (e.old.tokens if e.old is not None else 0)


def _fights(record: Record) -> Iterator[str]:
    b = report(record, BATTLE)
    if b is not None:
        attackers: Sequence[str] = b["attackers"]
        verb = "attacks" if len(attackers) == 1 else "attack"
        yield f"{names(attackers)} {verb} {place(b['target'])}: {b['result']}."
