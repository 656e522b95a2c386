"""The family of errors: each message quotes the offending value, its place, what is accepted and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an input: `code` names its kind; `file`, `row` (header = 1) and `column` its place."""

    code: str
    message: str
    file: str = ""
    row: int | None = None
    column: str = ""
    hint: str = ""
    severity: str = "error"

    def __str__(self) -> str:
        """The problem as one sentence with its place."""
        place = (
            self.file + (f", row {self.row}" if self.row else "") + (f", column {self.column}" if self.column else "")
        )
        text = f"{place}: {self.message}" if place else self.message
        return f"{text} {self.hint}" if self.hint else text

    def as_dict(self) -> dict[str, object]:
        """Shape for JSON: code, message, file, row, column, hint, severity."""
        return asdict(self)


class BurmaStudyError(ValueError):
    """Root of the family; `problems` lists everything wrong, not only the first thing."""

    def __init__(self, message: str, problems: Iterable[Problem] = ()) -> None:
        super().__init__(message)
        self.problems: tuple[Problem, ...] = tuple(problems)


class LabelError(BurmaStudyError):
    """A hex label that names no hex of the board."""


class ScenarioError(BurmaStudyError):
    """A scenario, or something named in one, that cannot be used."""


class ChartError(BurmaStudyError):
    """A chart file with a wrong column, row or value."""


class DataError(BurmaStudyError):
    """A data file that is missing or does not fit its schema."""


class IllegalOrder(BurmaStudyError):  # noqa: N818 - the field's word; it is caught as "illegal order"
    """An order that the rules refuse; `problems` gives every reason."""


class SaveError(BurmaStudyError):
    """A save that is damaged, of another format, or does not replay."""


def did_you_mean(word: object, known: Iterable[str], n: int = 3) -> str:
    """A hint naming up to `n` close matches of `word`, or the empty string, also for what is no word."""
    if not isinstance(word, str):
        return ""
    lower = {k.lower(): k for k in known}
    near: Sequence[str] = get_close_matches(word.lower(), list(lower), n=n, cutoff=0.5)
    return f"Did you mean {', '.join(lower[w] for w in near)}?" if near else ""
