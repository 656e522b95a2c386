"""Fractions for reading, the same on the page, on the command line and in the story of a game."""

from __future__ import annotations

from fractions import Fraction


def mixed(value: Fraction | int) -> str:
    """A fraction as a mixed number: `28 1/2`, `3`, `1/3`, `-1 1/2`."""
    sign, size = ("-" if value < 0 else ""), abs(Fraction(value))
    whole, rest = divmod(size, 1)
    if not rest:
        return f"{sign}{whole}"
    return f"{sign}{whole} {rest}" if whole else f"{sign}{rest}"
