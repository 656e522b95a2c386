"""The record path of a game as a film: the records of the player-turn that one looks at, every phase of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from burma_study.answers.edition import Edition
from burma_study.answers.frames import Film, Frame
from burma_study.engine.session import Session

AROUND = 200
"""Records on either side of the cursor that are cut one by one; of a longer player-turn the rest waits its turn."""


@dataclass(frozen=True)
class Reel:
    """Nodes of a line of play with their film; step k shows the position after the record of `nodes[k]`."""

    nodes: tuple[int, ...]
    film: Film

    def step_of(self, node: int) -> int:
        """The step that shows a node, or the last one before it."""
        if node in self.nodes:
            return self.nodes.index(node)
        return max((k for k, n in enumerate(self.nodes) if n <= node), default=0)


class Cutter:
    """Cuts reels of one session; frames are kept by node, since records never change."""

    def __init__(self, edition: Edition, session: Session, caption: Callable[[int], str]) -> None:
        self.edition, self.session, self._caption = edition, session, caption
        self._frames: dict[int, Frame] = {}

    def line(self) -> tuple[int, ...]:
        """The nodes to the cursor and on, the way that redo goes."""
        tree = self.session.tree
        nodes = list(tree.path())
        while (further := tree.onward(nodes[-1])) is not None:
            nodes.append(further)
        return tuple(nodes)

    def reel(self) -> Reel:
        """The film of the line that the cursor is on."""
        line = self.line()
        clocks = [self._clock(n) for n in line]
        at = line.index(self.session.node)
        near = [abs(k - at) <= AROUND and clock[:2] == clocks[at][:2] for k, clock in enumerate(clocks)]
        keep = [k for k, clock in enumerate(clocks) if k in (0, len(line) - 1) or near[k] or clock != clocks[k + 1]]
        nodes = tuple(line[k] for k in keep)
        frames = self._levelled(nodes, [clocks[k] for k in keep])
        start = self.session.state_at(line[0])
        return Reel(nodes, Film(frames, hexes=self.edition.hexes(start), area=self.edition.area(start)))

    def _clock(self, node: int) -> tuple[int, str, str]:
        when = self.edition.when(self.session.state_at(node))
        return when.turn, when.player, when.phase

    def _levelled(self, nodes: Sequence[int], clocks: Sequence[tuple[int, str, str]]) -> tuple[Frame, ...]:
        out, before = [], (0, "", "")
        for node, clock in zip(nodes, clocks, strict=True):
            same = next((k for k in range(3) if clock[k] != before[k]), 3)
            level = ("turn", "player_turn", "phase", "event")[same]
            out.append(replace(self._frame(node), level=level, key=same < 2))
            before = clock
        return tuple(out)

    def _frame(self, node: int) -> Frame:
        if node not in self._frames:
            state = self.session.state_at(node)
            when = self.edition.when(state)
            self._frames[node] = self.edition.frame(state, when.text, when.date, self._caption(node))
        return self._frames[node]
