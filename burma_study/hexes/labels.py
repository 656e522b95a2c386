"""How the printed maps number their hexes: text to (line, position) and back.

A *line* is a file of hexes that touch along a straight row of shared sides: a column of a flat-topped grid. Positions
count along the line. Each style knows its accepted form in words, for error messages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol


class LabelStyle(Protocol):
    """Text to (line, position) and back; `parse` gives None for text that is not of the style."""

    @property
    def form(self) -> str:
        """An accepted label in words, for error messages."""

    def parse(self, text: str) -> tuple[int, int] | None:
        """Line and position, or None."""

    def format(self, line: int, position: int) -> str:
        """The canonical label."""


@dataclass(frozen=True, slots=True)
class SheetLabels:
    """Labels of a map in two overlapping sheets: `A7.09` is sheet A, column 7, row 9 (OCS Burma).

    Rows count north from each sheet's south edge; row r of sheet A is position r + `offset`, so that `A3.01` and
    `B3.35` are one hex. The canonical label is sheet A's wherever that sheet has the hex.
    """

    offset: int = 34
    rows: int = 35
    form: str = "a sheet letter, a column and a two-digit row, such as A7.09 or B12.21"

    def parse(self, text: str) -> tuple[int, int] | None:
        """Line = column, position = row counted from the south edge of sheet B."""
        match = re.fullmatch(r"([ABab])(\d{1,2})\.(\d{2})", text.strip())
        if not match or not 1 <= int(match[3]) <= self.rows:
            return None
        return int(match[2]), int(match[3]) + (self.offset if match[1] in "Aa" else 0)

    def format(self, line: int, position: int) -> str:
        """`A7.09`; sheet A from its first row on."""
        sheet, row = ("A", position - self.offset) if position > self.offset else ("B", position)
        return f"{sheet}{line}.{row:02d}"


@dataclass(frozen=True, slots=True)
class PairLabels:
    """Four digits `XXYY`: XX the line, YY the position (Burma 1942-45, Downfall)."""

    form: str = "four digits XXYY, such as 4921"

    def parse(self, text: str) -> tuple[int, int] | None:
        """Line = XX, position = YY."""
        match = re.fullmatch(r"(\d{2})(\d{2})", text.strip())
        return (int(match[1]), int(match[2])) if match else None

    def format(self, line: int, position: int) -> str:
        """`XXYY`."""
        return f"{line:02d}{position:02d}"


@dataclass(frozen=True, slots=True)
class LetterLabels:
    """One letter or a doubled letter and a number: `CC2` is line 29, position 2 (A World at War)."""

    form: str = "a letter or a doubled letter and a number, such as M7 or CC2"

    def parse(self, text: str) -> tuple[int, int] | None:
        """Line A=1 .. Z=26, AA=27 .. ZZ=52; position = the number."""
        match = re.fullmatch(r"([A-Z])(\1?)(\d{1,2})", text.strip().upper())
        if not match:
            return None
        return ord(match[1]) - 64 + (26 if match[2] else 0), int(match[3])

    def format(self, line: int, position: int) -> str:
        """`M7`, `CC2`."""
        letter = chr(64 + (line - 1) % 26 + 1)
        return f"{letter * (1 + (line - 1) // 26)}{position}"
