"""Text for the command line: aligned tables, numbers with their unit, paragraphs."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from burma_study.engine.numbers import mixed as mixed

WIDTH = 100


@dataclass(frozen=True)
class Answer:
    """What a command found: `data` for JSON, and a function that makes the text for people."""

    data: object
    text: Callable[[], str]


def table(head: Sequence[str], rows: Iterable[Sequence[object]], right: str = "", last: int = 0) -> str:
    """Aligned columns under their heads; columns whose number is in `right` ("24") are set to the right.

    The last column is wrapped so that a line keeps within `last` characters (0 = the usual width).
    """
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(len(row[n]) for row in [list(head), *cells]) for n in range(len(head))]
    room = max(24, (last or WIDTH) - sum(widths[:-1]) - 2 * (len(head) - 1))
    widths[-1] = min(widths[-1], room)
    lines = [_line(row, widths, right) for row in [list(head), ["-" * w for w in widths]]]
    for row in cells:
        *first, end = row
        parts = textwrap.wrap(end, room) or [""]
        lines.append(_line([*first, parts[0]], widths, right))
        lines += [_line([*[""] * len(first), part], widths, right) for part in parts[1:]]
    return "\n".join(lines)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _line(cells: Sequence[str], widths: Sequence[int], right: str) -> str:
    set_ = (c.rjust(w) if str(n) in right else c.ljust(w) for n, (c, w) in enumerate(zip(cells, widths, strict=True)))
    return "  ".join(set_).rstrip()


def pairs(rows: Iterable[tuple[str, object]]) -> str:
    """Names with their values, one a line; rows whose value is None or empty are left out."""
    kept = [(name, _cell(value)) for name, value in rows if value not in (None, "", [], ())]
    width = max((len(name) for name, _ in kept), default=0)
    return "\n".join(
        textwrap.fill(value, WIDTH, initial_indent=f"{name.ljust(width)}  ", subsequent_indent=" " * (width + 2))
        for name, value in kept
    )


def bullet(text: str) -> str:
    """A sentence as an item of a list, wrapped to the usual width."""
    return textwrap.fill(text, WIDTH, initial_indent="- ", subsequent_indent="  ")


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 hex`, `3 hexes`: the number with its noun."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def mp(twelfths: int | None, mobility: str = "") -> str:
    """Movement points from twelfths: `5 1/2 Leg MP`; `-` for none."""
    if twelfths is None:
        return "-"
    return " ".join(filter(None, (mixed(Fraction(twelfths, 12)), mobility.capitalize(), "MP")))


def tokens(number: int) -> str:
    """Supply in points and tokens: `2 SP 1T`, `3T`, `5 SP`."""
    points, rest = divmod(number, 4)
    return " ".join(filter(None, (f"{points} SP" if points else "", f"{rest}T" if rest or not points else "")))


def percent(value: Fraction | str) -> str:
    """A probability in percent with one decimal: `16.7 %`."""
    return f"{float(Fraction(value)) * 100:.1f} %"


def bar(value: Fraction | str, width: int = 24) -> str:
    """A probability as a bar of `#`, `width` characters for certainty."""
    return "#" * round(float(Fraction(value)) * width)
