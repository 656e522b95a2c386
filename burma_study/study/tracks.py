"""Tracks to set side by side: the historical line and games, each as named moments with their states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from burma_study.errors import BurmaStudyError
from burma_study.study.play import Play


@dataclass(frozen=True)
class Track:
    """Moments of one course of events: labels, the turn of each, and its state when it is asked for."""

    title: str
    labels: tuple[str, ...]
    turns: tuple[int, ...]
    state_of: Callable[[int], Any]

    def state(self, moment: int) -> Any:
        """The state at a moment; BurmaStudyError for one that does not exist."""
        if not 0 <= moment < len(self.labels):
            raise BurmaStudyError(f"{self.title} has moments 0 to {len(self.labels) - 1}, not {moment}.")
        return self.state_of(moment)

    def at_turn(self, turn: int) -> int:
        """The first moment of a turn, or the last there is."""
        return next((k for k, t in enumerate(self.turns) if t >= turn), len(self.turns) - 1)


def game_track(play: Play, title: str = "") -> Track:
    """The line of a game to its cursor: its start and the end of each player-turn, and where it stands."""
    session = play.session
    path = session.tree.path()
    whens = [play.edition.when(session.state_at(n)) for n in path]
    clocks = [(when.turn, when.player) for when in whens]
    ends = [k for k in range(len(path)) if k in (0, len(path) - 1) or clocks[k] != clocks[k + 1]]
    nodes: Sequence[int] = [path[k] for k in ends]
    labels = tuple(play.when(n) for n in nodes)
    turns = tuple(clocks[k][0] for k in ends)
    return Track(title or play.title, labels, turns, lambda k: session.state_at(nodes[k]))
