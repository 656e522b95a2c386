"""Where every unit of the historical line of U-Go stands on the day of each turn.

Every hex follows from the dated events, the printed set-up and these rules:

* turn 1 is the printed set-up; an event's destination is reached on its day of arrival;
* in between a unit stands on the cheapest way by Leg MP (heavy weapons and lorries: by road), as far along it as
  the days that have passed are of the days the march took;
* no hex holds both sides: it stays with the side that the last event there names (`holds`), else with the side that
  was there first, and the others stand back on the way they came by, hex by hex, or else in the nearest hex free of
  enemies. Such hexes are listed as contested.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from burma_study.boards.board import Board
from burma_study.datafiles import read_rows

TURNS = tuple(date.fromisoformat(f"1944-{d}") for d in ("03-15", "03-19", "03-22", "03-26", "03-29")) + tuple(
    date.fromisoformat(f"1944-04-{d}") for d in ("01", "05", "08", "12", "15")
)
OFF_MAP = ("off", "silchar", "dead")
MOVES = ("march", "advance", "withdraw", "lorry", "fly", "rail", "enter", "loss")
JUMPS = ("fly", "rail", "enter", "loss")
LIMIT = Fraction(10)
TWELFTHS = 12


@dataclass(frozen=True)
class Event:
    """A dated event; `hex` is where history puts it, `stand` where the line puts the counters, if elsewhere.

    `holds` is the side that has `hex` from the day of arrival on, where the event decides it.
    """

    id: str
    start: date
    arrival: date
    kind: str
    units: tuple[str, ...]
    hex: str
    stand: str
    holds: str
    via: tuple[str, ...]
    confidence: str


@dataclass
class Leg:
    """One move of one unit: the hexes of its way with the running cost in twelfths of an MP."""

    event: Event
    way: list[int]
    cost: list[int]

    def at(self, day: date) -> int:
        """Hex reached on `day`: the last one whose share of the cost is not more than the share of the days."""
        if day >= self.event.arrival:
            return self.way[-1]
        share = Fraction((day - self.event.start).days, (self.event.arrival - self.event.start).days)
        return self.way[max(i for i, c in enumerate(self.cost) if c <= share * self.cost[-1])]


@dataclass
class Track:
    """Where one unit is: set-up place, then its legs in order of their start."""

    unit: str
    start: str
    legs: list[Leg | Event] = field(default_factory=list)


def read_events() -> list[Event]:
    rows = read_rows("sources/history/u-go_events.csv")
    return [
        Event(
            r["id"],
            date.fromisoformat(r["start"]),
            date.fromisoformat(r["arrival"]),
            r["kind"],
            tuple(r["units"].split(";")),
            r["hex"],
            r["stand"] or r["hex"],
            r["holds"],
            tuple(v for v in r["via"].split(";") if v),
            r["confidence"],
        )
        for r in rows
    ]


class Ways:
    """Cheapest ways over the board in twelfths of an MP, for leg and for road-bound movers."""

    def __init__(self, board: Board) -> None:
        self.board, self.grid = board, board.grid
        terrain = {r["terrain"]: r for r in read_rows("charts/ocs/terrain_effects.csv")}
        self.terrain = terrain
        self.river = {r["hexside"]: r for r in read_rows("charts/ocs/hexside_effects.csv")}

    def step(self, a: int, b: int, mover: str) -> int | None:
        """Cost of the step in dry weather, None if the mover may not make it."""
        side = self.grid.key(a, b)
        route = self.board.best_route.get(side)
        if route in ("all_weather", "fair_weather"):
            return TWELFTHS // 2
        row = self.terrain.get(self.board.terrain[b])
        if row is None:
            return None
        text = row[f"{mover}_on_track"] if route == "track" else row[mover]
        if not text:
            return None
        cost = int(Fraction(text) * TWELFTHS)
        if route == "track":
            return cost
        river = self.board.crossings.get(side) or self.board.rivers.get(side)
        extra = self.river[river][mover] if river else "0"
        return cost + int(Fraction(extra) * TWELFTHS) if extra else None

    def way(self, a: int, b: int, mover: str) -> tuple[list[int], list[int]]:
        """Hexes of the cheapest way and running costs; ties to the fewest hexes, then the lowest hex."""
        best: dict[int, tuple[int, int]] = {a: (0, 0)}
        came: dict[int, int] = {}
        heap = [(0, 0, a)]
        while heap:
            cost, n, h = heapq.heappop(heap)
            if h == b:
                break
            if best[h] < (cost, n):
                continue
            for to in self.grid.adjacent[h]:
                step = self.step(h, to, mover)
                if step is None:
                    continue
                key = (cost + step, n + 1)
                if to not in best or key < best[to] or (key == best[to] and h < came[to]):
                    best[to], came[to] = key, h
                    heapq.heappush(heap, (*key, to))
        if b not in best:
            if mover == "leg":
                raise SystemExit(f"no way from {self.grid.label(a)} to {self.grid.label(b)}")
            return self.way(a, b, "leg")  # a place off the road: line_ugo_legs.off_road stops the build
        out = [b]
        while out[-1] != a:
            out.append(came[out[-1]])
        out.reverse()
        return out, [best[h][0] for h in out]

    def through(self, points: Iterable[int], mover: str) -> tuple[list[int], list[int]]:
        """The way through several hexes in order."""
        hexes, costs = [], []
        previous: int | None = None
        for p in points:
            if previous is None:
                hexes, costs = [p], [0]
            elif p != previous:
                way, cost = self.way(previous, p, mover)
                hexes += way[1:]
                costs += [costs[-1] + c for c in cost[1:]]
            previous = p
        return hexes, costs


class Line:
    """All units' tracks, and the positions of each turn derived from them."""

    def __init__(self, board: Board, setup: dict[str, str], events: list[Event]) -> None:
        self.board, self.grid, self.events = board, board.grid, events
        self.ways = Ways(board)
        self.counters = {r["id"]: r for r in read_rows("counters/ocs.csv")}
        units = list(setup) + sorted({u for e in events for u in e.units} - set(setup))
        self.tracks = {u: Track(u, setup.get(u, "off")) for u in units}
        for event in sorted(events, key=lambda e: (e.start, e.arrival, e.id)):
            if event.kind in MOVES:
                for unit in event.units:
                    self.add(unit, event)
        self.entered: dict[tuple[str, str], date] = {}

    def mover(self, unit: str, event: Event) -> str:
        kind = self.counters[unit]["m_move"]
        return "truck" if event.kind == "lorry" or kind != "leg" else "leg"

    def add(self, unit: str, event: Event) -> None:
        track = self.tracks[unit]
        if event.kind in JUMPS:
            track.legs.append(event)
            return
        here = self.place(unit, event.start)
        if here in OFF_MAP:
            if event.start < event.arrival and here == "off":
                track.legs.append(Event(**{**event.__dict__, "kind": "enter"}))
                return
            raise SystemExit(f"{event.id}: {unit} is {here} on {event.start}")
        points = [self.grid.index(p) for p in (here, *event.via, event.stand)]
        track.legs.append(Leg(event, *self.ways.through(points, self.mover(unit, event))))

    def leg_at(self, unit: str, day: date) -> Leg | Event | None:
        """The last leg begun before `day`, or arrived on it."""
        out: Leg | Event | None = None
        for leg in self.tracks[unit].legs:
            event = leg.event if isinstance(leg, Leg) else leg
            begun = event.arrival <= day if isinstance(leg, Event) else event.start < day or event.arrival <= day
            out = leg if begun else out
        return out

    def place(self, unit: str, day: date) -> str:
        """Where the unit stands on `day` before contested hexes are split: a label, or off, silchar, dead."""
        leg = self.leg_at(unit, day)
        if leg is None:
            return self.tracks[unit].start
        return self.grid.label(leg.at(day)) if isinstance(leg, Leg) else leg.stand

    def history(self, unit: str, day: date) -> str:
        """Where history puts the unit: as `place`, but the event's own hex once it has arrived."""
        leg = self.leg_at(unit, day)
        if isinstance(leg, Leg) and day >= leg.event.arrival:
            return leg.event.hex
        return self.place(unit, day)

    def marching(self, unit: str, day: date) -> bool:
        event = self.basis(unit, day)
        return event is not None and event.kind not in JUMPS and event.start < day < event.arrival

    def basis(self, unit: str, day: date) -> Event | None:
        leg = self.leg_at(unit, day)
        return leg.event if isinstance(leg, Leg) else leg

    def weight(self, unit: str) -> Fraction:
        """Stacking weight in RE: battalions half, a column 1 on the ground (3.6a), everything else 1."""
        return Fraction(1, 2) if self.counters[unit]["size"] == "bn" else Fraction(1)

    def side(self, unit: str) -> str:
        return self.counters[unit]["side"]

    def turn(self, day: date, before: dict[str, str]) -> tuple[dict[str, str], list[dict[str, str]]]:
        """Positions of one turn with no hex held by both sides, and the contested hexes."""
        here = {u: self.place(u, day) for u in self.tracks}
        contested = self.contested(day)
        for _ in range(40):
            clash = self.first_clash(here)
            if clash is None:
                break
            keeper = self.keeper(clash, here, before, day)
            for unit in [u for u, h in here.items() if h == clash and self.side(u) != keeper]:
                here[unit] = self.stand_back(unit, clash, here, day)
        for row in contested:
            row["stand"] = "; ".join(f"{u} {here[u]}" for u in row["units"].split(";"))
        return here, contested

    def contested(self, day: date) -> list[dict[str, str]]:
        """Hexes where history has both sides, of units that have arrived; two columns that meet are no contest."""
        by_hex: dict[str, list[str]] = defaultdict(list)
        for unit in self.tracks:
            spot = self.history(unit, day)
            if spot not in OFF_MAP and not self.marching(unit, day):
                by_hex[spot].append(unit)
        both = {h: us for h, us in by_hex.items() if len({self.side(u) for u in us}) == 2}
        return [{"date": day.isoformat(), "hex": h, "units": ";".join(us)} for h, us in sorted(both.items())]

    def first_clash(self, here: dict[str, str]) -> str | None:
        sides: dict[str, set[str]] = defaultdict(set)
        for unit, spot in here.items():
            if spot not in OFF_MAP:
                sides[spot].add(self.side(unit))
        return min((h for h, s in sides.items() if len(s) == 2), default=None)

    def keeper(self, spot: str, here: dict[str, str], before: dict[str, str], day: date) -> str:
        """The side that holds a hex by the last event to say so, else was there last turn, else arrived first."""
        holder = self.holder(spot, day)
        if holder:
            return holder
        there = [u for u, h in here.items() if h == spot]
        stayed = {self.side(u) for u in there if before.get(u) == spot}
        if len(stayed) == 1:
            return stayed.pop()

        def came(unit: str) -> date:
            event = self.basis(unit, day)
            return event.arrival if event else TURNS[0]

        return self.side(min(there, key=lambda u: (came(u), u)))

    def holder(self, spot: str, day: date) -> str:
        """The side that the last event at a hex up to `day` names, or nothing."""
        said = [(e.arrival, e.id, e.holds) for e in self.events if e.holds and e.hex == spot and e.arrival <= day]
        return max(said)[2] if said else ""

    def stand_back(self, unit: str, spot: str, here: dict[str, str], day: date) -> str:
        """The last hex of the unit's way before `spot` free of enemies and with room, else the nearest such hex."""
        leg = self.leg_at(unit, day)
        way = leg.way if isinstance(leg, Leg) else []
        index = self.grid.index(spot)
        back = list(reversed(way[: way.index(index)])) if index in way else []
        near = sorted(self.grid.disc(index, 3), key=lambda h: (self.grid.distance(index, h), h))
        for h in [*back, *near]:
            label = self.grid.label(h)
            if self.free(unit, label, here):
                return label
        raise SystemExit(f"{unit} finds no room near {spot} on {day}")

    def free(self, unit: str, label: str, here: dict[str, str]) -> bool:
        others = [u for u, h in here.items() if h == label and u != unit]
        if any(self.side(u) != self.side(unit) for u in others):
            return False
        if self.board.terrain[self.grid.index(label)] in ("off", "lake"):
            return False
        return sum((self.weight(u) for u in others), Fraction(0)) + self.weight(unit) <= LIMIT


def pace(line: Line, unit: str, a: str, b: str, event: Event | None) -> tuple[int, str]:
    """Twelfths of an MP from `a` to `b` and how they were made: stays, move, strat, carried, or over (the limit)."""
    if a == b or a in OFF_MAP or b in OFF_MAP:
        return 0, "stays" if a == b else "arrives"
    counter = line.counters[unit]
    mover = counter["m_move"]
    kind = event.kind if event else ""
    _, cost = line.ways.way(line.grid.index(a), line.grid.index(b), "truck" if kind == "lorry" else mover)
    allowance = int(Fraction(counter["m_ma"]) * TWELFTHS)
    if kind == "lorry":
        return cost[-1], "carried"
    if cost[-1] <= allowance:
        return cost[-1], "move"
    return cost[-1], "strat" if cost[-1] <= 2 * allowance else "over"


def mode(line: Line, unit: str, day: date, here: dict[str, str], how: str) -> str:
    """Mode showing: Combat once arrived or next to an enemy who can attack; on the march Move, or Strat by its pace."""
    spot = here[unit]
    if not line.marching(unit, day) or spot in OFF_MAP:
        return "combat"
    enemies = {h for u, h in here.items() if line.side(u) != line.side(unit) and h not in OFF_MAP}
    near = {line.grid.label(n) for n in line.grid.adjacent[line.grid.index(spot)]}
    if near & enemies:
        return "combat"
    return "strat" if how in ("strat", "over") else "move"


def status(line: Line, unit: str, day: date, previous: date | None, how: str) -> str:
    """fought if a fight of the turn just ended names the unit, else moved, arrived or stays."""
    if previous is not None and any(
        e.kind == "fight" and unit in e.units and e.start <= day and e.arrival > previous for e in line.events
    ):
        return "fought"
    return {"stays": "stays", "arrives": "arrived"}.get(how, "moved")


def position_rows(line: Line) -> tuple[list[dict[str, str]], list[dict[str, str]], list[dict[str, str]]]:
    """Positions, contested hexes, and moves beyond Strat Mode, turn by turn."""
    rows: list[dict[str, str]] = []
    contested: list[dict[str, str]] = []
    fast: list[dict[str, str]] = []
    before: dict[str, str] = {}
    for n, day in enumerate(TURNS, 1):
        here, both = line.turn(day, before)
        contested += both
        for unit, spot in here.items():
            event = line.basis(unit, day)
            mp, how = pace(line, unit, before.get(unit, spot), spot, event)
            previous = TURNS[n - 2] if n > 1 else None
            state = "dead" if spot == "dead" else status(line, unit, day, previous, how)
            rows.append(
                {
                    "date": day.isoformat(),
                    "turn": str(n),
                    "unit": unit,
                    "hex": spot,
                    "mode": mode(line, unit, day, here, how),
                    "status": state,
                    "basis": event.id if event else "set-up",
                    "confidence": event.confidence if event else "printed",
                    "mp12": str(mp),
                    "pace": how,
                }
            )
            if how == "over":
                fast.append(rows[-1] | {"from": before[unit]})
        before = here
    return rows, contested, fast


def read_setup() -> dict[str, str]:
    """Counter to hex of the scenario's historical set-up; floating units at the default hex the scenario gives them."""
    rows = read_rows("scenarios/ocs/u-go.units.csv")
    units = (r for r in rows if r["setup"] in ("historical", "both") and r["kind"] == "unit")
    return {r["counter"]: r["hex"] or r["default_hex"] for r in units}
