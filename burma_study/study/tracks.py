"""Tracks to set side by side: the historical line and games, each as named moments with their states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from burma_study.errors import BurmaStudyError
from burma_study.games.ocs.line import load_line
from burma_study.rules.ocs.setup import load_scenario
from burma_study.rules.ocs.state import State
from burma_study.study.play import Play


@dataclass(frozen=True)
class Track:
    """Moments of one course of events: labels, the turn of each, and its state when it is asked for."""

    title: str
    labels: tuple[str, ...]
    turns: tuple[int, ...]
    state_of: Callable[[int], State]

    def state(self, moment: int) -> State:
        """The state at a moment; BurmaStudyError for one that does not exist."""
        if not 0 <= moment < len(self.labels):
            raise BurmaStudyError(f"{self.title} has moments 0 to {len(self.labels) - 1}, not {moment}.")
        return self.state_of(moment)

    def at_turn(self, turn: int) -> int:
        """The first moment of a turn, or the last there is."""
        return next((k for k, t in enumerate(self.turns) if t >= turn), len(self.turns) - 1)


def history_track(scenario: str = "ocs/u-go") -> Track:
    """The published line of a scenario, a moment a turn."""
    line = load_line(scenario)
    labels = tuple(f"{s.date}: {s.title}" for s in line)
    turns = tuple(s.turn for s in line)
    return Track(f"History, {load_scenario(scenario).title}", labels, turns, lambda k: line.at(k).state)


def game_track(play: Play, title: str = "") -> Track:
    """The line of a game to its cursor: its start and the end of each player-turn, and where it stands."""
    session = play.session
    path = session.tree.path()
    clocks = [(session.state_at(n).turn, session.state_at(n).player) for n in path]
    ends = [k for k in range(len(path)) if k in (0, len(path) - 1) or clocks[k] != clocks[k + 1]]
    nodes: Sequence[int] = [path[k] for k in ends]
    labels = tuple(play.when(n) for n in nodes)
    turns = tuple(clocks[k][0] for k in ends)
    return Track(title or play.origin.title, labels, turns, lambda k: session.state_at(nodes[k]))
