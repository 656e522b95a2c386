"""A hex grid: labels, neighbours, distances, rings, lines of sight and outlines, for every numbering of the four games.

Hexes are small integers, 0 to `len(grid) - 1`, line by line. In the hex plane the distance between the centres of two
neighbours is 1; lines run along +y and follow each other along +x. How the plane lies on the globe is a matter of the
georeference (`burma_study.hexes.georef`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt

from burma_study.errors import LabelError
from burma_study.hexes.labels import LabelStyle, LetterLabels, PairLabels, SheetLabels

LINE_GAP = sqrt(3) / 2
CORNER = 1 / sqrt(3)
DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
OFF = -1
_CORNERS = tuple(
    (CORNER * x, y) for x, y in ((0.5, 0.5), (1.0, 0.0), (0.5, -0.5), (-0.5, -0.5), (-1.0, 0.0), (-0.5, 0.5))
)


@dataclass(frozen=True)
class Grid:
    """`lines` lines of `length` hexes; lines whose number has parity `raised` lie half a hex toward higher positions.

    `first_line` and `first_position` are the numbers of the first line and position (1 on most maps, 0 where a map
    starts at 00). Neighbour order is that of `DIRECTIONS`: +y first, then clockwise as seen with +x to the right.
    """

    name: str
    lines: int
    length: int
    raised: int
    labels: LabelStyle
    first_line: int = 1
    first_position: int = 1
    _index: dict[str, int] = field(default_factory=dict, repr=False, compare=False, hash=False)
    _label: dict[int, str] = field(default_factory=dict, repr=False, compare=False, hash=False)

    def __len__(self) -> int:
        return self.lines * self.length

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self)))

    # labels -------------------------------------------------------------------------------------------------------

    def index(self, label: str) -> int:
        """The hex of a label; LabelError says what a label looks like, or that the hex is off the map."""
        if not isinstance(label, str):
            raise LabelError(f"{label!r} is no text; a hex of {self.name} is {self.labels.form}.")
        found = self._index.get(label)
        if found is not None:
            return found
        parsed = self.labels.parse(label)
        if parsed is None:
            raise LabelError(f"{label!r} is not a hex of {self.name}; a hex is {self.labels.form}.")
        found = self.at(*parsed)
        if found == OFF:
            raise LabelError(
                f"Hex {label!r} is off the map of {self.name} ({self.label(0)} to {self.label(len(self) - 1)})."
            )
        self._index[label] = found
        return found

    def label(self, hex_: int) -> str:
        """The canonical label of a hex."""
        found = self._label.get(hex_)
        if found is None:
            found = self._label[hex_] = self.labels.format(*self.line_position(hex_))
        return found

    def indices(self, labels: Iterable[str]) -> tuple[int, ...]:
        """The hexes of several labels."""
        return tuple(self.index(label) for label in labels)

    def at(self, line: int, position: int) -> int:
        """The hex at a printed line and position, or OFF (-1)."""
        u, v = line - self.first_line, position - self.first_position
        return u * self.length + v if 0 <= u < self.lines and 0 <= v < self.length else OFF

    def line_position(self, hex_: int) -> tuple[int, int]:
        """Printed line and position of a hex."""
        u, v = divmod(hex_, self.length)
        return u + self.first_line, v + self.first_position

    # geometry -----------------------------------------------------------------------------------------------------

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For each hex its six neighbours in the order of DIRECTIONS; OFF (-1) where the map ends."""
        return tuple(tuple(self._step(hex_, d) for d in range(6)) for hex_ in self)

    @cached_property
    def adjacent(self) -> tuple[tuple[int, ...], ...]:
        """For each hex its neighbours on the map."""
        return tuple(tuple(n for n in six if n != OFF) for six in self.neighbours)

    def _step(self, hex_: int, direction: int) -> int:
        line, position = self.line_position(hex_)
        if direction in (0, 3):
            return self.at(line, position + (1 if direction == 0 else -1))
        high = 1 if line % 2 == self.raised else 0  # a raised line meets positions v and v + 1 of the lines beside it
        up = direction in (1, 5)
        return self.at(line + (1 if direction in (1, 2) else -1), position + high - (0 if up else 1))

    def direction(self, a: int, b: int) -> int:
        """Which of the six directions leads from hex `a` to its neighbour `b`; LabelError if they are not adjacent."""
        try:
            return self.neighbours[a].index(b)
        except ValueError:
            raise LabelError(f"Hexes {self.label(a)} and {self.label(b)} are not adjacent.") from None

    @cached_property
    def _cube(self) -> tuple[tuple[int, int], ...]:
        """Axial coordinates (q, r) of each hex, with +y = +r."""
        out = []
        for hex_ in self:
            line, position = self.line_position(hex_)
            twice_y = 2 * position + (1 if line % 2 == self.raised else 0)
            out.append((line, (twice_y - line - (self.raised == 1)) // 2))
        return tuple(out)

    def distance(self, a: int, b: int) -> int:
        """Hexes from `a` to `b` in a straight line; 0 for the same hex."""
        (qa, ra), (qb, rb) = self._cube[a], self._cube[b]
        dq, dr = qb - qa, rb - ra
        return max(abs(dq), abs(dr), abs(dq + dr))

    def disc(self, centre: int, radius: int) -> tuple[int, ...]:
        """Every hex at or within `radius` of `centre`, in ascending order."""
        line, _ = self.line_position(centre)
        lines = range(max(self.first_line, line - radius), min(self.first_line + self.lines, line + radius + 1))
        q, r = self._cube[centre]
        found: list[int] = []
        for n in lines:
            start, dq = (n - self.first_line) * self.length, n - q
            level = r - self._cube[start][1]  # the place on this line where r is that of the centre
            low, high = level + max(-radius, -radius - dq), level + min(radius, radius - dq)
            found += range(start + max(low, 0), start + min(high, self.length - 1) + 1)
        return tuple(found)

    def ring(self, centre: int, radius: int) -> tuple[int, ...]:
        """Every hex exactly `radius` from `centre`, in ascending order."""
        return tuple(h for h in self.disc(centre, radius) if self.distance(centre, h) == radius)

    def line(self, a: int, b: int) -> tuple[int, ...]:
        """A straight line of hexes from `a` to `b`, both included; along a hexside it keeps to one side."""
        steps = self.distance(a, b)
        if steps == 0:
            return (a,)
        (xa, ya), (xb, yb) = self.centre(a), self.centre(b)
        points = (((xa + (xb - xa) * k / steps) + 1e-6, (ya + (yb - ya) * k / steps) + 2e-6) for k in range(steps + 1))
        return tuple(h for x, y in points if (h := self.hex_at(x, y)) != OFF)

    def centre(self, hex_: int) -> tuple[float, float]:
        """Centre (x, y) in the hex plane, in hex widths."""
        line, position = self.line_position(hex_)
        return line * LINE_GAP, position + (0.5 if line % 2 == self.raised else 0.0)

    def outline(self, hex_: int) -> tuple[tuple[float, float], ...]:
        """The six corners, clockwise from the one between directions N and NE."""
        x, y = self.centre(hex_)
        return tuple((x + dx, y + dy) for dx, dy in _CORNERS)

    def side(self, a: int, b: int) -> tuple[tuple[float, float], tuple[float, float]]:
        """The two corners of the hexside between `a` and its neighbour `b`."""
        corners, d = self.outline(a), self.direction(a, b)
        return corners[(d - 1) % 6], corners[d]

    def hex_at(self, x: float, y: float) -> int:
        """The hex whose centre is nearest to a point of the plane, or OFF when that lies off the map."""
        guess = round(x / LINE_GAP)
        best, nearest = OFF, float("inf")
        for line in (guess - 1, guess, guess + 1):
            lift = 0.5 if line % 2 == self.raised else 0.0
            position = round(y - lift)
            gap = (line * LINE_GAP - x) ** 2 + (position + lift - y) ** 2
            if gap < nearest:
                best, nearest = self.at(line, position), gap
        return best

    @staticmethod
    def key(a: int, b: int) -> tuple[int, int]:
        """The hexside between two hexes, lower hex first."""
        return (a, b) if a < b else (b, a)


def ocs_grid() -> Grid:
    """OCS Burma: 62 columns of 69 rows, flat-topped, even columns half a hex farther north (DESIGN 4)."""
    return Grid("OCS Burma", lines=62, length=69, raised=0, labels=SheetLabels())


def gdw_grid() -> Grid:
    """Burma 1942-45: lines XX grow southward, positions YY westward; odd XX lie half a hex toward lower YY (2.1.2C).

    Even lines are therefore the raised ones.
    """
    return Grid("Burma 1942-45", lines=55, length=40, raised=0, labels=PairLabels(), first_line=1, first_position=1)


def downfall_grid() -> Grid:
    """Downfall: XX grow north-north-west, YY east-north-east; odd XX lie half a hex toward higher YY (3.2)."""
    return Grid("Downfall", lines=40, length=30, raised=1, labels=PairLabels(), first_line=1, first_position=1)


def india_grid() -> Grid:
    """A World at War: lettered rows from A to ZZ, numbers along each; chapter 72 names only CC2."""
    return Grid("A World at War: India", lines=52, length=40, raised=0, labels=LetterLabels())
