"""What policies of any game share: their own dice, which hang on the seed alone, and how their notes begin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from burma_study.engine.dice import throw
from burma_study.engine.session import Session

T = TypeVar("T")
STREAM = "policy"


def when(session: Session) -> str:
    """Where a game stands, as notes begin: "Turn 3, japanese movement barrage"."""
    turn, phase = session.game.clock(session.state)
    return f"Turn {turn}, {phase.replace('/', ' ').replace('_', ' ')}"


class Chance:
    """A policy's own dice: the n-th draw in a turn and phase hangs on the seed of the game alone."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._key: tuple[str, int, str] = ("", 0, "")
        self._n = 0

    def pick(self, session: Session, among: Sequence[T]) -> T:
        """One of some things, all alike."""
        turn, phase = session.game.clock(session.state)
        key = (f"{STREAM}/{self.name}", turn, phase)
        self._n = self._n + 1 if key == self._key else 0
        self._key = key
        high, low = throw(session.seed, key, self._n, 2, 256)
        return among[((high - 1) * 256 + low - 1) % len(among)]
