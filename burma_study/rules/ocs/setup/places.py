"""Where the pieces of a set-up stand: hexes as listed, written defaults, and a legal arrangement of the free areas.

The rule for a piece that a list leaves open, in this order:

1. its written default (`default_hex` of the row), when the row has one;
2. the hex where the historical set-up of the same scenario has it, if the area contains it;
3. the legal hex of the area nearest to that one (or to its headquarters' hex), the emptier stack and lower hex first.

Legal means: no enemy there or listed there, at most 10 RE, only one cooperation group, the line's own conditions, Truck
and Track movers on a road, a track or clear ground, the INA beside the Chindwin. Supply of a line goes to a historical
dump among its units, else to its headquarters, guns or first unit. Pieces "with any unit" stand as in the historical
list, and what that leaves over with the headquarters.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from burma_study.boards.board import ROADS, Board
from burma_study.errors import ScenarioError
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import Counter, counter, other_side
from burma_study.rules.ocs.movement.limits import closed_to_ina
from burma_study.rules.ocs.movement.stacking import FREE_COOPERATION, LIMIT
from burma_study.rules.ocs.setup.ground import Ground, hexes, playable
from burma_study.rules.ocs.setup.model import Scenario, SetupRow, Spot
from burma_study.scenarios.areas import WITH, calls, parse

POINT = 4  # tokens
_HQ_RANK = {"army_hq": 0, "corps_hq": 1, "div_hq": 2}


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece, or the part of it, in a hex or a box; `tokens` for supply and transport."""

    at: int | str
    tokens: int = 0
    extender: bool = False


Placement = dict[str, tuple[Placed, ...]]


@rule("ocs/5.0", "ocs/*.setup-*", "ocs-series/setup")
def place_all(scenario: Scenario, which: str, board: Board) -> Placement:
    """Where every row of a set-up stands, by row; ScenarioError when an area holds no hex at all."""
    if which not in scenario.setups:
        raise ScenarioError(f"{scenario.id} has no {which!r} set-up; it has {' and '.join(scenario.setups)}.")
    return _Table(scenario, which, board).fill()


@rule("ocs/*.sr3")
def side_order(scenario: Scenario) -> tuple[str, str]:
    """Sides in the order of setting up."""
    return scenario.sets_up_first, other_side(scenario.sets_up_first)


def ground_of(scenario: Scenario, side: str, board: Board, units: dict[int, tuple[Counter, ...]]) -> Ground:
    """What the area expressions of a side are read against."""
    head = scenario.tables.get("ledo_road", {}).get("head")
    bases = frozenset(board.index(b.hex) for b in scenario.bases if b.side == side)
    return Ground(board, side, bases, board.index(head) if head else None, units)


@dataclass
class _Table:
    """The board while the pieces are set out."""

    scenario: Scenario
    which: str
    board: Board
    placed: Placement = field(default_factory=dict)
    units: dict[str, dict[int, list[Counter]]] = field(default_factory=lambda: {"japanese": {}, "allied": {}})
    by_group: dict[str, list[tuple[SetupRow, int]]] = field(default_factory=dict)
    _areas: dict[tuple[str, str], frozenset[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rows = self.scenario.setup_rows(self.which)
        self.area = hexes(self.scenario.area, ground_of(self.scenario, "allied", self.board, {}))
        self.routes = self.board.route_hexes(*ROADS, "track")
        self.history = _history(self.scenario)
        self.builders_cooperate = any(e.key == FREE_COOPERATION for e in self.scenario.errata)

    def fill(self) -> Placement:
        """Set out first what has a hex, then side by side the areas, at last what goes with units."""
        for row in self.rows:
            if row.hex or row.box or row.default:
                self._fixed(row)
        for side in side_order(self.scenario):
            mine = [r for r in self.rows if r.side == side and r.row not in self.placed]
            for row in sorted(mine, key=self._turn):
                self._open(row)
            for group in dict.fromkeys(r.group for r in mine):
                self._conditions(group)
        return self.placed

    def _turn(self, row: SetupRow) -> tuple[bool, bool]:
        return (_goes_with(row), row.kind != "unit")

    def _fixed(self, row: SetupRow) -> None:
        if row.hex:
            self._put(row, [Placed(self.board.index(row.hex), row.tokens)])
        elif row.box:
            self._put(row, [Placed(row.box, row.tokens)])
        else:
            self._put(row, [self._spot(s, row.tokens) for s in row.default])

    def _spot(self, spot: Spot, tokens: int) -> Placed:
        return Placed(self.board.index(spot.hex), tokens if spot.tokens is None else spot.tokens, spot.extender)

    def _put(self, row: SetupRow, spots: list[Placed]) -> None:
        self.placed[row.row] = tuple(spots)
        where = spots[0].at
        if row.kind == "unit" and isinstance(where, int):
            self.units[row.side].setdefault(where, []).append(counter(row.counter))
            self.by_group.setdefault(row.group, []).append((row, where))

    def candidates(self, row: SetupRow, also: str = "all()") -> list[int]:
        """Hexes of a row's area that are free of the enemy and on the scenario's map, if any are; ascending."""
        found = self._area(row, row.area) & self._area(row, also) & playable(self.board)
        enemy = self.units[other_side(row.side)]
        free = [h for h in sorted(found & self.area or found) if h not in enemy]
        if not free:
            raise ScenarioError(f"{self.scenario.id}, row {row.row}: no hex of {row.place!r} is left to stand in.")
        return free

    def _area(self, row: SetupRow, area: str) -> frozenset[int]:
        """Hexes of an expression; what does not depend on the units placed is looked up once."""
        moving = any(call.name in WITH for call in calls(parse(area)))
        if moving or (row.side, area) not in self._areas:
            units = {h: tuple(found) for h, found in self.units[row.side].items()} if moving else {}
            self._areas[row.side, area] = hexes(area, ground_of(self.scenario, row.side, self.board, units))
        return self._areas[row.side, area]

    # units --------------------------------------------------------------------------------------------------------

    def _open(self, row: SetupRow) -> None:
        if row.kind == "unit":
            self._put(row, [Placed(self._unit_hex(row))])
        elif row.kind in ("hedgehog", "airstrip", "clearing"):
            self._put(row, [Placed(self._work_hex(row))])
        elif _goes_with(row):
            self._put(row, self._shares(row))
        else:
            self._put(row, [Placed(self._store_hex(row), row.tokens)])

    def _unit_hex(self, row: SetupRow) -> int:
        free, unit = self.candidates(row), counter(row.counter)
        wish = self._wish(row, free)
        legal = [h for h in free if self._legal(row, unit, h)]
        room = legal or [h for h in free if self._size(row.side, h) + unit.re <= LIMIT] or free
        return min(room, key=lambda h: (self.board.grid.distance(h, wish), self._size(row.side, h), h))

    def _wish(self, row: SetupRow, free: list[int]) -> int:
        """Where a unit would like to be: its historical hex, its headquarters', the first of its line's, the middle."""
        spots = self.history.get(row.counter)
        if spots:
            return self.board.index(spots[0].hex)
        line = self.by_group.get(row.group, [])
        hqs = [h for r, h in line if counter(r.counter).is_hq]
        if hqs or line:
            return hqs[0] if hqs else line[0][1]
        return min(free, key=lambda h: (sum(self.board.grid.distance(h, other) for other in free), h))

    def _legal(self, row: SetupRow, unit: Counter, hex_: int) -> bool:
        here = self.units[row.side].get(hex_, [])
        in_line = [h for _, h in self.by_group.get(row.group, [])]
        most, gap = row.condition("max_units"), row.condition("spacing")
        return (
            self._size(row.side, hex_) + unit.re <= LIMIT
            and all(self._friends(other, unit) for other in here)
            and not (most and in_line.count(hex_) >= most)
            and not (gap and any(self.board.grid.distance(hex_, h) < gap for h in in_line))
            and self._can_stand(unit, hex_)
        )

    def _friends(self, a: Counter, b: Counter) -> bool:
        """May two units stack (3.7a)? By the errata the 823 Engineers may with everybody."""
        open_to_all = self.builders_cooperate and any("airfield_builder" in c.traits for c in (a, b))
        return a.group == b.group or open_to_all

    def _can_stand(self, unit: Counter, hex_: int) -> bool:
        if "ina" in unit.traits and hex_ in closed_to_ina(self.board):
            return False
        on_foot = unit.combat.mobility == "leg"
        return on_foot or hex_ in self.routes or self.board.terrain[hex_] == "clear"

    def _size(self, side: str, hex_: int) -> Fraction:
        return sum((c.re for c in self.units[side].get(hex_, [])), Fraction(0))

    # works, supply and transport ----------------------------------------------------------------------------------

    def _work_hex(self, row: SetupRow) -> int:
        """Hedgehogs and airstrips: where history has them, else the largest stack without one."""
        free = self.candidates(row)
        taken = {
            p.at for r in self.rows if r.kind == row.kind and r.side == row.side for p in self.placed.get(r.row, ())
        }
        past = [self.board.index(s.hex) for s in self.history.get(f"{row.side}/{row.kind}", ())]
        wished = [h for h in past if h in free and h not in taken]
        left = [h for h in free if h not in taken] or free
        return wished[0] if wished else max(left, key=lambda h: (self._size(row.side, h), -h))

    def _store_hex(self, row: SetupRow) -> int:
        """Supply of a line: the largest historical dump among its units, else its headquarters, guns or first unit."""
        line = self.by_group.get(row.group, [])
        free = self.candidates(row)
        at = {h for _, h in line}
        past = {self.board.index(s.hex): s.tokens or 0 for s in self.history.get(f"{row.side}/SP", ())}
        dumps = [h for h in free if h in at and h in past]
        if dumps:
            return max(dumps, key=lambda h: (past[h], -h))
        for fits in (_is_hq, _is_gun, _is_any):
            found = [h for r, h in line if fits(counter(r.counter)) and h in free]
            if found:
                return found[0]
        return free[0]

    def _shares(self, row: SetupRow) -> list[Placed]:
        """Pieces that go with units: as in the historical list, the rest point by point to headquarters or stacks."""
        free, left, found = set(self.candidates(row)), row.tokens, list[Placed]()
        for spot in self.history.get(f"{row.side}/{row.kind}/with", ()):
            hex_, tokens = self.board.index(spot.hex), min(left, spot.tokens or left)
            if hex_ in free and tokens and not (spot.extender and tokens < (spot.tokens or 0)):
                found.append(Placed(hex_, tokens, spot.extender))
                left -= tokens
        ranked = self._ranked(row.side, free)
        for n in range(0, left, POINT):
            found.append(Placed(ranked[n // POINT % len(ranked)], min(POINT, left - n)))
        return _merged(found)

    def _ranked(self, side: str, free: set[int]) -> list[int]:
        """Headquarters' hexes, the highest first; without any, the largest stacks."""
        units = {h: self.units[side].get(h, []) for h in free}
        hqs = {h: min(_HQ_RANK[c.size] for c in here if c.is_hq) for h, here in units.items() if any(map(_is_hq, here))}
        if hqs:
            return sorted(hqs, key=lambda h: (hqs[h], h))
        return sorted(free, key=lambda h: (-self._size(side, h), h))[:4]

    # conditions of a line ------------------------------------------------------------------------------------------

    def _conditions(self, group: str) -> None:
        line = self.by_group.get(group, [])
        if not line:
            return
        first = line[0][0]
        if first.condition("occupy_all"):
            for hex_ in self.candidates(first):
                if hex_ not in {h for _, h in self.by_group[group]}:
                    self._move_in(group, hex_)
        wanted = first.condition("east_of_chindwin")
        if wanted:
            self._send_east(group, first, wanted)

    def _move_in(self, group: str, hex_: int) -> None:
        """Fill an empty hex from the line's fullest stack, infantry first."""
        line = self.by_group[group]
        crowd = Tally(h for _, h in line)
        order = sorted(
            line, key=lambda x: (-crowd[x[1]], _is_hq(counter(x[0].counter)), _is_gun(counter(x[0].counter)))
        )
        row, _ = next((r, h) for r, h in order if crowd[h] > 1 and self._can_stand(counter(r.counter), hex_))
        self._shift(row, hex_)

    def _send_east(self, group: str, first: SetupRow, wanted: int) -> None:
        """Send the line's last units over the Chindwin until enough are there."""
        east = "east_of(chindwin)"
        over = set(self.candidates(first, east))
        there = sum(h in over for _, h in self.by_group[group])
        for row, here in self.by_group[group][: there - wanted - 1 : -1] if there < wanted else ():
            unit = counter(row.counter)
            free = [h for h in self.candidates(row, east) if self._legal(row, unit, h)]
            self._shift(row, min(free or over, key=lambda h: (self.board.grid.distance(h, here), h)))

    def _shift(self, row: SetupRow, hex_: int) -> None:
        old = self.placed[row.row][0].at
        assert isinstance(old, int)
        unit = counter(row.counter)
        self.units[row.side][old].remove(unit)
        if not self.units[row.side][old]:
            del self.units[row.side][old]
        self.by_group[row.group] = [x for x in self.by_group[row.group] if x[0].row != row.row]
        self._put(row, [Placed(hex_)])


def _goes_with(row: SetupRow) -> bool:
    return any(call.name in WITH for call in calls(parse(row.area)))


def _worth(unit: Counter) -> tuple[bool, bool]:
    """Infantry is sent off first, then guns, a headquarters last."""
    return _is_hq(unit), _is_gun(unit)


def _is_hq(unit: Counter) -> bool:
    return unit.is_hq


def _is_gun(unit: Counter) -> bool:
    return unit.is_artillery


def _is_any(unit: Counter) -> bool:
    return True


def _merged(found: Iterable[Placed]) -> list[Placed]:
    total: dict[tuple[int | str, bool], int] = {}
    for placed in found:
        key = (placed.at, placed.extender)
        total[key] = total.get(key, 0) + placed.tokens
    return [Placed(at, tokens, extender) for (at, extender), tokens in total.items()]


def _history(scenario: Scenario) -> dict[str, tuple[Spot, ...]]:
    """Spots of the historical set-up: by counter, by side and kind, and `side/kind/with` for what goes with units."""
    found: dict[str, tuple[Spot, ...]] = {}
    for row in scenario.setup_rows("historical"):
        spots = (Spot(row.hex, row.tokens),) if row.hex else row.default
        for key in _keys(row) if spots else ():
            found[key] = (*found.get(key, ()), *spots)
    return found


def _keys(row: SetupRow) -> Iterator[str]:
    if row.kind == "unit":
        yield row.counter
        return
    yield f"{row.side}/{row.kind}"
    if not row.hex:
        yield f"{row.side}/{row.kind}/with"
