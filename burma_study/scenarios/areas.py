"""The language in which set-up lists, arrivals and map areas name places.

    expression  := term { "or" term }
    term        := factor { "and" factor }
    factor      := "not" factor | "(" expression ")" | HEX | call
    call        := name "(" [ argument { "," argument } ] ")"
    argument    := expression | number | row | word { "|" word } | "text"

`HEX` is a label such as `A7.09`, `row` a sheet and a row such as `A02`. The names are those of `NAMES`; what each means
is in `burma_study.rules.ocs.setup.ground`. Example: `within(3,B2.20) and not B3.23`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from burma_study.errors import ScenarioError, did_you_mean

NAMES = {
    "all": "every hex of the map",
    "within": "within(n, HEX): at or within n hexes",
    "cols": "cols(a, b): columns a to b",
    "rows": "rows(B18, A35): rows from one to the other",
    "bounded": "bounded(HEX, HEX, HEX, ...): inside or on the line through the hexes",
    "between": "between(road|track|rail, HEX, HEX): along the shortest way from one hex to the other",
    "road": "road hexes",
    "track": "track hexes",
    "rail": "railway hexes",
    "city": "city hexes",
    "village": "village hexes",
    "airbase": "air bases of the scenario",
    "terrain": "terrain(mountain): hexes of an area terrain",
    "friendly": "friendly(expression): those that are the side's own at the start",
    "east_of": "east_of(chindwin): hexes east of a line, or on it",
    "ledo_road": "the finished Ledo Road",
    "detrainable": "detrainable(side): towns and villages on a side's railway",
    "box": "box(silchar): a holding box",
    "with_unit": "with any unit of the side",
    "with_formation": 'with_formation("15 Div", ...): with a unit of a formation',
    "with_group": 'with_group("us_chinese"): with a unit of a cooperation group',
}
WITH = ("with_unit", "with_formation", "with_group")
DEEPEST = 50  # brackets and "not" within each other
_TOKEN = re.compile(r'\s*([AB]\d{1,2}\.\d{2}|[AB]\d{2}\b|"[^"]*"|[a-z_|]+|\d+|[(),])')


@dataclass(frozen=True, slots=True)
class Hex:
    """A single hex."""

    label: str


@dataclass(frozen=True, slots=True)
class Call:
    """A named set of hexes; `args` are texts, numbers or areas."""

    name: str
    args: tuple[Area | str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Join:
    """Hexes in every part (`and`) or in some part (`or`)."""

    word: str
    parts: tuple[Area, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Hexes not in the area."""

    area: Area


Area = Hex | Call | Join | Not


def parse(text: str) -> Area:
    """An area expression; ScenarioError that quotes the text and says what is wrong with it."""
    reader = _Reader(text)
    area = reader.expression()
    if reader.look():
        raise reader.wrong(f"{reader.look()!r} is too much")
    return area


def calls(area: Area) -> tuple[Call, ...]:
    """Every call in an area, outermost first."""
    if isinstance(area, Call):
        return (area, *(c for a in area.args if not isinstance(a, str | int) for c in calls(a)))
    if isinstance(area, Join):
        return tuple(c for part in area.parts for c in calls(part))
    return calls(area.area) if isinstance(area, Not) else ()


def labels(area: Area) -> tuple[str, ...]:
    """Every hex label in an area."""
    if isinstance(area, Hex):
        return (area.label,)
    if isinstance(area, Join):
        return tuple(label for part in area.parts for label in labels(part))
    if isinstance(area, Not):
        return labels(area.area)
    return tuple(label for a in area.args if not isinstance(a, str | int) for label in labels(a))


class _Reader:
    """A cursor over the tokens of one expression."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self._tokens()
        self.at = self.depth = 0

    def _tokens(self) -> list[str]:
        tokens, position = [], 0
        while self.text[position:].strip():
            match = _TOKEN.match(self.text, position)
            if not match:
                raise self.wrong(f"{self.text[position:].strip()[:20]!r} is not understood")
            tokens.append(match[1])
            position = match.end()
        return tokens

    def wrong(self, why: str) -> ScenarioError:
        return ScenarioError(f"Area {self.text!r}: {why}; an area is a hex or {', '.join(NAMES)}, and, or, not.")

    def look(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.look()
        if not token or (wanted and token != wanted):
            raise self.wrong(f"{wanted or 'more'!r} is missing" + (f" before {token!r}" if token else " at the end"))
        self.at += 1
        return token

    def expression(self) -> Area:
        return self._joined("or", lambda: self._joined("and", self.factor))

    def _joined(self, word: str, part: Callable[[], Area]) -> Area:
        parts = [part()]
        while self.look() == word:
            self.take()
            parts.append(part())
        return parts[0] if len(parts) == 1 else Join(word, tuple(parts))

    def factor(self) -> Area:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.wrong(f"it is nested more than {DEEPEST} deep")
        found = self._factor()
        self.depth -= 1
        return found

    def _factor(self) -> Area:
        token = self.take()
        if token == "not":
            return Not(self.factor())
        if token == "(":
            inside = self.expression()
            self.take(")")
            return inside
        if "." in token:
            return Hex(token)
        if token not in NAMES:
            raise self.wrong(f"{token!r} is no name of a place. {did_you_mean(token, NAMES)}".strip())
        return Call(token, self._arguments())

    def _arguments(self) -> tuple[Area | str | int, ...]:
        self.take("(")
        found: list[Area | str | int] = []
        while self.look() != ")":
            found.append(self._argument())
            if self.look() == ",":
                self.take()
        self.take(")")
        return tuple(found)

    def _argument(self) -> Area | str | int:
        token = self.look()
        if re.fullmatch(r"[0-9]{1,6}", token):
            return int(self.take())
        if token.startswith('"'):
            return self.take().strip('"')
        if re.fullmatch(r"[AB]\d{2}", token) or (re.fullmatch(r"[a-z_|]+", token) and self._is_word()):
            return self.take()
        return self.expression()

    def _is_word(self) -> bool:
        """A bare word: no name that is called, no operator."""
        following = self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else ""
        return self.look() != "not" and following in (",", ")")
