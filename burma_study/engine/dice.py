"""Dice from a keyed hash: the n-th roll of a stream in a turn and phase is the same in every branch of a game.

Nothing depends on a library's generator. A replay takes its rolls from the records, and never from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import NamedTuple, Protocol

from burma_study.errors import SaveError

Clock = tuple[int, str]
StreamKey = tuple[str, int, str]
MOST_DICE, MOST_SIDES = 100, 256


class Roll(NamedTuple):
    """Dice thrown together: the `n`-th roll (from 0) of a stream in a turn and phase; `salt` above 0 is a re-roll."""

    stream: str
    turn: int
    phase: str
    n: int
    dice: tuple[int, ...]
    sides: int = 6
    salt: int = 0

    @property
    def key(self) -> StreamKey:
        """The stream in its turn and phase."""
        return self.stream, self.turn, self.phase

    @property
    def sum(self) -> int:
        """The dice added up."""
        return sum(self.dice)

    def __str__(self) -> str:
        return f"{self.stream} {'+'.join(map(str, self.dice))}" + (f" = {self.sum}" if len(self.dice) > 1 else "")


class Roller(Protocol):
    """Where the dice of one order come from."""

    def roll(self, stream: str, clock: Clock, count: int, sides: int) -> Roll:
        """Throw `count` dice."""


def throw(seed: str, key: StreamKey, n: int, count: int = 1, sides: int = 6, salt: int = 0) -> tuple[int, ...]:
    """`count` dice of `sides` (2 to 256) for one roll of one stream; every argument changes all of them."""
    if not 2 <= sides <= 256:
        raise ValueError(f"A die has 2 to 256 sides, not {sides}.")
    limit = 256 - 256 % sides
    fair = (byte % sides + 1 for byte in _bytes(seed, repr((*key, n, sides, salt))) if byte < limit)
    return tuple(next(fair) for _ in range(count))


def _bytes(seed: str, message: str) -> Iterator[int]:
    """An endless stream of bytes; each block is a hash of its number and the message, keyed by the seed."""
    secret = blake2b(seed.encode(), digest_size=32).digest()
    block = 0
    while True:
        yield from blake2b(f"{block}|{message}".encode(), key=secret, digest_size=32, person=b"burma-dice").digest()
        block += 1


class KeyedDice:
    """Dice of a game with a seed; `counts` says how many rolls of each stream came before this order."""

    def __init__(self, seed: str, counts: Mapping[StreamKey, int] | None = None, salt: int = 0) -> None:
        self.seed, self.salt = seed, salt
        self._before = counts if counts is not None else {}
        self._taken: dict[StreamKey, int] = {}

    def roll(self, stream: str, clock: Clock, count: int, sides: int) -> Roll:
        """The next roll of the stream in this turn and phase."""
        key = (stream, *clock)
        n = self._before.get(key, 0) + self._taken.get(key, 0)
        self._taken[key] = self._taken.get(key, 0) + 1
        return Roll(*key, n, throw(self.seed, key, n, count, sides, self.salt), sides, self.salt)


class RecordedDice:
    """Dice of a record, given out again in order; SaveError when the rules ask for others."""

    def __init__(self, rolls: Iterable[Roll]) -> None:
        self._rolls = list(rolls)[::-1]

    def roll(self, stream: str, clock: Clock, count: int, sides: int) -> Roll:
        """The next recorded roll, which must be of this stream, turn, phase, count and sides."""
        asked = f"{count} dice of {sides} sides of the stream {stream!r} in turn {clock[0]}, {clock[1] or 'no phase'}"
        if not self._rolls:
            raise SaveError(f"The rules ask for {asked}, but the record holds no more rolls.")
        roll = self._rolls.pop()
        if (roll.key, len(roll.dice), roll.sides) != ((stream, *clock), count, sides):
            raise SaveError(
                f"The rules ask for {asked}, but the record holds {roll} of turn {roll.turn}, {roll.phase}."
            )
        return roll

    @property
    def left(self) -> tuple[Roll, ...]:
        """Recorded rolls that nobody asked for."""
        return tuple(self._rolls[::-1])


class NoDice:
    """For looking ahead: whoever asks for a roll gets a DiceWanted."""

    def roll(self, stream: str, clock: Clock, count: int, sides: int) -> Roll:
        """Raise DiceWanted."""
        raise DiceWanted(stream)


class DiceWanted(Exception):  # noqa: N818 - a signal, not an error
    """A die would be rolled here."""
