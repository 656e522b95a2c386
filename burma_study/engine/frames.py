"""Decisions as a stack of frames: which procedure is under way, what it remembers, and who has to decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Locals = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """One procedure under way, part of the state, so that undo, digest and saves see it.

    `actor` is who decides, empty while the procedure runs by itself; `answers` are the kinds of order accepted;
    `locals` what the procedure remembers, as pairs sorted by name, of plain frozen values.
    """

    procedure: str
    actor: str = ""
    answers: tuple[str, ...] = ()
    locals: Locals = ()

    def __getitem__(self, name: str) -> Any:
        """A local by name; KeyError names those there are."""
        for key, value in self.locals:
            if key == name:
                return value
        raise KeyError(f"{self.procedure} has no local {name!r}; it has {', '.join(k for k, _ in self.locals)}")

    def get(self, name: str, default: Any = None) -> Any:
        """A local by name, or the default."""
        return dict(self.locals).get(name, default)

    def but(self, **changes: Any) -> Frame:
        """The frame running (nobody is asked), with some locals set."""
        return Frame(self.procedure, "", (), frame_locals({**dict(self.locals), **changes}))

    def asking(self, actor: str, answers: tuple[str, ...]) -> Frame:
        """The frame waiting for an order of `actor` of one of the kinds `answers`."""
        return Frame(self.procedure, actor, answers, self.locals)


@dataclass(frozen=True, slots=True)
class Decision:
    """Who may order now (empty: nobody, the game is over) and which kinds; `frame` is the open one, if any."""

    actor: str
    kinds: tuple[str, ...]
    frame: Frame | None = None


def frame_locals(values: dict[str, Any]) -> Locals:
    """Locals in their canonical order."""
    return tuple(sorted(values.items()))
