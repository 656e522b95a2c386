"""What a game says of itself before any of its rules is imported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Meta:
    """A game's id, title, subject, sides by word and name, rulebooks by the start of their rule ids, and its stage."""

    id: str
    title: str
    subject: str
    sides: Mapping[str, str] = field(hash=False)
    books: Mapping[str, str] = field(hash=False)
    stage: str

    def as_dict(self) -> dict[str, object]:
        """Shape for JSON."""
        return {**vars(self), "sides": dict(self.sides), "books": dict(self.books)}
