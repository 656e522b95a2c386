"""A side's supply net at one moment: its stations, how far a unit may draw from them, how far each HQ throws.

Draw is counted from the drawing unit to the station or dump, throw from the HQ to the unit; to the hex next to the end
is always enough (OCS 12.3). Paths use dry costs whatever the ground (Burma weather notes), never enter enemy units, and
truck paths never enter an enemy zone that no friendly combat unit negates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from burma_study.boards.search import Arcs, Field
from burma_study.hexes.grid import Grid
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import Counter, other_side
from burma_study.rules.ocs.movement.terrain import MP
from burma_study.rules.ocs.movement.zoc import held, unnegated
from burma_study.rules.ocs.state import Piece, State, stack
from burma_study.rules.ocs.supply.lines import (
    RECALL,
    Station,
    around,
    draw_path,
    lines_of,
    pieces_on_map,
    stations,
    usable,
    with_extenders,
)
from burma_study.rules.ocs.supply.paths import path_arcs

LOOK = {"leg": 14 * MP, "truck": 24 * MP}  # how far near misses are looked for, in twelfths
MOBILITIES = ("leg", "truck")
WAYS = {
    "japanese": (("leg", "japanese"), ("truck", "japanese")),
    "allied": (("truck", "commonwealth"), ("truck", "us_chinese")),
}  # how units of each side draw: mobility and cooperation group


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw of trace: hexes from the drawing hex to the station, cost in twelfths, the station."""

    hexes: tuple[int, ...]
    cost: int
    station: Station


@dataclass(frozen=True)
class Thrower:
    """An HQ with the field of its throw; `draw` is None when it has no trace to pass on, `bar` why it may not throw."""

    piece: Piece
    mobility: str
    limit: int
    porters: int
    field: Field
    draw: Draw | None
    bar: str = ""

    def reach(self, grid: Grid, hex_: int) -> tuple[int, int] | None:
        """Cost in twelfths to a hex or one next to it, and the hex where the counted path ends; None beyond LOOK."""
        keys = self.field.keys
        end = min((hex_, *grid.adjacent[hex_]), key=lambda h: (keys[h], h))
        cost = self.field.cost(end)
        return None if cost is None else (cost, end)

    def path(self, end: int, hex_: int) -> tuple[int, ...]:
        """Hexes from the HQ to `hex_` by way of `end`."""
        path = self.field.path(end)
        return path if end == hex_ else (*path, hex_)


@dataclass(frozen=True)
class Net:
    """The net of one side. With `free` nothing is blocked and no line cut: the net as it would be without the enemy.

    `throws` holds other throw ranges to try: (HQ id, `throw` or `move_throw`, MP); `closed` hexes to shut as if the
    enemy stood in them, to see what a cut would do; `bent` other costs of steps: (mobility, from, to, twelfths).
    """

    state: State
    side: str
    free: bool = False
    throws: tuple[tuple[str, str, int], ...] = ()
    closed: frozenset[int] = frozenset()
    bent: tuple[tuple[str, int, int, int], ...] = ()

    @property
    def grid(self) -> Grid:
        """The board's grid."""
        return self.state.board.grid

    def limit(self, name: str) -> int:
        """A range of the supply chart in twelfths of an MP."""
        return self.state.rules.charts.supply_costs[name] * MP

    @cached_property
    def enemies(self) -> frozenset[int]:
        """Hexes with enemy combat units."""
        return self.closed if self.free else held(self.state, other_side(self.side)) | self.closed

    @cached_property
    @rule("ocs-series/4.5", "ocs-series/12.3c")
    def zoned(self) -> frozenset[int]:
        """Hexes in an enemy zone that no friendly combat unit negates."""
        return frozenset() if self.free else unnegated(self.state, self.side)

    @cached_property
    @rule("ocs-series/12.3d")
    def blocked(self) -> Mapping[str, frozenset[int]]:
        """Hexes that a path may not enter, by mobility: zones stop truck paths only."""
        return {"leg": self.enemies, "truck": self.enemies | self.zoned}

    @cached_property
    def _arcs(self) -> dict[str, Arcs]:
        plain = {m: path_arcs(self.state, self.side, m) for m in MOBILITIES}
        if not self.bent:
            return plain
        changes = {m: {(a, b): cost for kind, a, b, cost in self.bent if kind == m} for m in MOBILITIES}
        return {m: arcs.patched(changes[m]) if changes[m] else arcs for m, arcs in plain.items()}

    def arcs(self, mobility: str) -> Arcs:
        """Costs of the side's paths."""
        return self._arcs[mobility]

    @cached_property
    def draw_limit(self) -> int:
        """The range of a draw, in twelfths."""
        return self.limit("draw_range")

    @cached_property
    def stations(self) -> tuple[Station, ...]:
        """Every hex to draw trace from, linked extenders included."""
        lines = lines_of(self.state, self.side, self.enemies | self.zoned)
        return with_extenders(self.state, lines, stations(lines), self.arcs("truck"), self.blocked["truck"])

    @cached_property
    def _draw_fields(self) -> dict[tuple[str, str], tuple[Field, tuple[Station, ...]]]:
        return {}

    def draw_field(self, mobility: str, group: str) -> tuple[Field, tuple[Station, ...]]:
        """The cost from every hex to the nearest station that a group may use, and those stations."""
        found = self._draw_fields.get((mobility, group))
        if found is None:
            open_to = usable(self.stations, group)
            starts = tuple(sorted(around(self.grid, open_to)))
            found = self._ask(mobility, starts, reverse=True, each=False)[0], open_to
            self._draw_fields[mobility, group] = found
        return found

    def same_reach(self, other: Net) -> bool:
        """Whether the other net has the same stations, draw fields and throws, so that the same units trace alike."""
        if (self.side, self.throws, self.closed, self.draw_limit) != (
            other.side,
            other.throws,
            other.closed,
            other.draw_limit,
        ):
            return False
        if self.stations != other.stations or any(self.arcs(m) is not other.arcs(m) for m in MOBILITIES):
            return False
        draws = all(self.draw_field(*way)[0] is other.draw_field(*way)[0] for way in WAYS[self.side])
        return draws and len(self.throwers) == len(other.throwers) and all(map(_alike, self.throwers, other.throwers))

    def _ask(self, mobility: str, starts: tuple[int, ...], *, reverse: bool, each: bool, least: int = 0) -> list[Field]:
        arcs, blocked, limit = self.arcs(mobility), self.blocked[mobility], max(LOOK[mobility], least)
        return RECALL.ask(arcs, starts, limit=limit, blocked=blocked, reverse=reverse, each=each)

    def draw(self, hex_: int, mobility: str, group: str, limit: int) -> Draw | None:
        """The draw from a hex within `limit` twelfths, or None."""
        field, found = self.draw_field(mobility, group)
        cost = field.cost(hex_)
        if cost is None or cost > limit:
            return None
        hexes, station = draw_path(field, self.grid, found, hex_)
        return Draw(hexes, cost, station)

    @cached_property
    @rule("ocs-series/12.3b", "ocs-series/12.6")
    def throwers(self) -> tuple[Thrower, ...]:
        """The side's HQs on the map with the fields of their throws, by id."""
        hqs = pieces_on_map(p for p in self.state.units(self.side) if p.counter.is_hq)
        return tuple(t for m in MOBILITIES for t in self._throwers_by(m, [p for p in hqs if throw_mobility(p) == m]))

    def _throwers_by(self, mobility: str, hqs: list[Piece]) -> Iterable[Thrower]:
        starts = tuple(p.at for p in hqs if isinstance(p.at, int))
        counts = [porters(self.state, p) for p in hqs]
        limits = [throw_range(p, self.throws) * MP + n * self.limit("porter") for p, n in zip(hqs, counts, strict=True)]
        fields = self._ask(mobility, starts, reverse=False, each=True, least=max(limits)) if starts else []
        for piece, hex_, count, limit, field in zip(hqs, starts, counts, limits, fields, strict=True):
            draw = self.draw(hex_, mobility, piece.counter.group, self.limit("draw_range"))
            yield Thrower(piece, mobility, limit, count, field, draw, throw_bar(self.state, piece))


def _alike(a: Thrower, b: Thrower) -> bool:
    return a.field is b.field and (a.piece, a.limit, a.bar, a.draw) == (b.piece, b.limit, b.bar, b.draw)


@rule("ocs/2.4a", "ocs/2.4c")
def throw_mobility(piece: Piece) -> str:
    """Which MP an HQ's ranges are counted in: Leg for Japanese Division HQs, else Truck."""
    return "leg" if piece.counter.is_division_hq else "truck"


@rule("ocs-series/12.3b")
def throw_range(piece: Piece, others: Iterable[tuple[str, str, int]] = ()) -> int:
    """Throw range of the face showing, in MP; `others` take the place of the counter's own."""
    counter: Counter = piece.counter
    column = "throw" if piece.face == "combat" else "move_throw"
    tried = next((mp for id_, name, mp in others if (id_, name) == (piece.id, column)), None)
    own = counter.throw if column == "throw" else counter.move_throw
    return own or 0 if tried is None else tried


@rule("ocs-series/5.8", "ocs-series/5.7")
def throw_bar(state: State, piece: Piece) -> str:
    """Why an HQ may not throw: Strat Mode always, Reserve Mode in the 1999 rules; empty when it may."""
    if piece.mode == "strat" or (piece.mode == "reserve" and state.rules.version == "1999"):
        return piece.mode
    return ""


@rule("ocs-series/5.8", "ocs-series/5.7")
def draw_bar(state: State, piece: Piece) -> str:
    """Why an HQ may not draw: Strat or Reserve Mode in the 1999 rules; empty when it may, and for others.

    Trace and tokens alike: the erratum has one word for both. What another HQ throws still comes. Only fuel is drawn in
    every mode, our reading: it is paid before the first MP, and no HQ on wheels could use the Strat MA otherwise.
    """
    barred = piece.counter.is_hq and piece.mode in ("strat", "reserve") and state.rules.version == "1999"
    return piece.mode if barred else ""


@rule("ocs/2.4b", "ocs/2.4")
def carrying(state: State, hq: Piece) -> tuple[str, ...]:
    """Japanese infantry battalions in Move Mode that are stacked with a Division HQ and carry for it, by id.

    In play only those count that were stacked with it when the Japanese Movement Phase began (marker `porters`).
    """
    if not hq.counter.is_division_hq or not isinstance(hq.at, int):
        return ()
    mustered = state.markers.get("porters")
    carriers = (p for p in stack(state, hq.at) if p.face == "move" and p.mode == "move")
    there = (p.id for p in carriers if p.counter.is_infantry_battalion)
    return tuple(i for i in there if mustered is None or (hq.id, i) in mustered)


def porters(state: State, hq: Piece) -> int:
    """How many battalions carry for a Division HQ."""
    return len(carrying(state, hq))


@rule("ocs/2.5c", "ocs/2.4a", "ocs/2.4c", "ocs-series/erratum.8")
def draw_mobility(piece: Piece) -> str:
    """Which MP a unit draws by: Leg for Japanese with a Leg MA showing and their Division HQs, else Truck."""
    counter = piece.counter
    if counter.side != "japanese":
        return "truck"
    if counter.is_hq:
        return throw_mobility(piece)
    return "leg" if piece.printed.mobility == "leg" and piece.printed.ma > 0 else "truck"
