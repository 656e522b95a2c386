"""The historical line of a scenario: where everybody stood turn by turn, why, and how sure that is.

>>> from burma_study.games.ocs.line import load_line
>>> line = load_line("ocs/u-go")
>>> line.at(4).title
'The road to Kohima is cut'
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from burma_study.datafiles import data_root, provenance, read_rows
from burma_study.engine.asking import all_asked, asked
from burma_study.errors import ScenarioError, did_you_mean

if TYPE_CHECKING:
    from burma_study.engine.orders import Order
    from burma_study.rules.ocs.state import State

Row = Mapping[str, str]
NAMES = ("history",)
OFF_MAP = ("off", "silchar", "dead")


@dataclass(frozen=True, slots=True)
class Source:
    """A work that an event or caption rests on; `read` says whether it was seen or is cited from memory (`recall`).

    `published` is publisher and year, `part` pages or the part that was read, `address` where the public finds it,
    `copy` the mirror or excerpt that was read in its stead. Empty where not known.
    """

    key: str
    author: str
    title: str
    published: str
    part: str
    address: str
    copy: str
    read: str

    @property
    def citation(self) -> str:
        """Author, title, publisher and year, part, address and copy."""
        published = f" ({self.published})" if self.published else ""
        copy = f"read at {self.copy}" if self.copy else ""
        more = [part for part in (self.part, self.address, copy) if part]
        return ", ".join([f"{self.author}, {self.title}{published}", *more])

    def __str__(self) -> str:
        return f"From memory of {self.citation}" if self.read == "recall" else self.citation


@dataclass(frozen=True, slots=True)
class Event:
    """Something dated: begun on `start`, done on `arrival`, at `hex` (a label, `silchar` or `dead`).

    `turn` is the first turn whose step shows it done; 11 means after the line. `holds` is the side that has the hex
    from the arrival on, where the event decides it.
    """

    id: str
    start: str
    arrival: str
    turn: int
    kind: str
    units: tuple[str, ...]
    place_from: str
    place_to: str
    hex: str
    holds: str
    text: str
    sources: tuple[Source, ...]
    confidence: str


@dataclass(frozen=True, slots=True)
class Position:
    """One unit at one step. `hex` is a label, or `off` (not yet arrived), `silchar` (the box) or `dead`.

    `basis` is the event's id or `set-up`; `mp12` the least twelfths of an MP from where it stood a turn before, `pace`
    stays, move, strat, carried or arrives; `status` stays, moved, fought, arrived or dead.
    """

    unit: str
    hex: str
    mode: str
    status: str
    basis: str
    confidence: str
    mp12: int
    pace: str

    @property
    def on_map(self) -> bool:
        """It stands in a hex."""
        return self.hex not in OFF_MAP


@dataclass(frozen=True, slots=True)
class Stock:
    """Tokens of one holder (a hex, the Silchar box or a carrier) at the start of a turn and their flows until the next.

    `flows` by name: income, captured and received come in; sent, eaten, fuel, combat, refit, built and lost go out.
    """

    side: str
    holder: str
    hex: str
    tokens: int
    flows: Mapping[str, int] = field(hash=False)
    reasons: Mapping[str, str] = field(hash=False)

    @property
    def after(self) -> int:
        """Tokens at the start of the next turn."""
        return self.tokens + sum(n if name in INFLOWS else -n for name, n in self.flows.items())

    @property
    def on_ground(self) -> bool:
        """A dump, not a load."""
        return "/" not in self.holder


INFLOWS = ("income", "captured", "received")
OUTFLOWS = ("sent", "eaten", "fuel", "combat", "refit", "built", "lost")


@dataclass(frozen=True, slots=True)
class Carrier:
    """Transport points or cattle: `capacity` and `load` in tokens."""

    id: str
    side: str
    kind: str
    hex: str
    capacity: int
    load: int
    extender: bool


@dataclass(frozen=True, slots=True)
class Works:
    """A hedgehog or air base."""

    side: str
    hex: str
    level: int


@dataclass(frozen=True, slots=True)
class Contested:
    """A hex where history has both sides; `stand` says where the line puts each unit."""

    hex: str
    units: tuple[str, ...]
    stand: Mapping[str, str] = field(hash=False)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Hotspot:
    """A place to look at: hex and label."""

    hex: str
    label: str


@dataclass(frozen=True, slots=True)
class Question:
    """Something to think about at a step, and where on the page to `look` for it."""

    text: str
    look: str


@dataclass(frozen=True, slots=True)
class Weather:
    """Weather of a turn in the game's words, with what is known of it."""

    weather: str
    ground: str
    air_ops: str
    note: str
    sources: tuple[Source, ...]
    confidence: str


@dataclass(frozen=True, slots=True)
class Remark:
    """Something told of the whole line: `about` is who, when or what it is of."""

    about: str
    text: str
    note: str
    sources: tuple[Source, ...]
    confidence: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the model and history part, and why."""

    topic: str
    model: str
    history: str
    why: str


@dataclass(frozen=True, slots=True)
class About:
    """What stands round a line: what either side wanted, how it ended, figures, where the model differs."""

    why: tuple[Remark, ...]
    epilogue: tuple[Remark, ...]
    numbers: tuple[Remark, ...]
    differences: tuple[Difference, ...]

    @property
    def sources(self) -> tuple[Source, ...]:
        """Works cited, each once, in the order in which they first come."""
        remarks = (*self.why, *self.epilogue, *self.numbers)
        return tuple(dict.fromkeys(s for r in remarks for s in r.sources))


@dataclass(frozen=True)
class Step:
    """The line on the day a turn begins: everything stands where it stood then.

    `model` is the part of the caption that says where the rules answer otherwise than history; empty: nowhere.
    """

    scenario: str
    index: int
    turn: int
    date: str
    title: str
    caption: str
    model: str
    watch: str
    focus: str
    zoom: int
    sources: tuple[Source, ...]
    confidence: str
    hotspots: tuple[Hotspot, ...]
    questions: tuple[Question, ...]
    weather: Weather
    positions: tuple[Position, ...]
    stocks: tuple[Stock, ...]
    carriers: tuple[Carrier, ...]
    hedgehogs: tuple[Works, ...]
    bases: tuple[Works, ...]
    contested: tuple[Contested, ...]
    events: tuple[Event, ...]

    @cached_property
    def state(self) -> State:
        """The step as a state of the game, for every question that the rules answer."""
        from burma_study.games.ocs.line_state import line_state

        return line_state(self)

    @cached_property
    def by_unit(self) -> Mapping[str, Position]:
        """Positions by counter id."""
        return {p.unit: p for p in self.positions}

    @property
    def dumps(self) -> tuple[Stock, ...]:
        """Stocks on the ground that hold something."""
        return tuple(s for s in self.stocks if s.on_ground and s.tokens)


@all_asked
@dataclass(frozen=True)
class Line:
    """A published line: its steps in order."""

    scenario: str
    name: str
    steps: tuple[Step, ...]
    events: tuple[Event, ...]
    about: About

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def at(self, step: int) -> Step:
        """The step of an index, from 0; ScenarioError for one that does not exist."""
        if not isinstance(step, int) or not 0 <= step < len(self.steps):
            last = len(self.steps) - 1
            raise ScenarioError(
                f"There is no step {step!r} of the {self.name} line of {self.scenario}; use 0 to {last}."
            )
        return self.steps[step]

    def track(self, unit: str) -> tuple[Position, ...]:
        """One unit's position at each step; ScenarioError for a unit that is not in the line."""
        if unit not in self.steps[0].by_unit:
            hint = did_you_mean(unit, self.steps[0].by_unit)
            raise ScenarioError(f"Unit {unit!r} is not in the {self.name} line of {self.scenario}. {hint}".strip())
        return tuple(step.by_unit[unit] for step in self.steps)

    def orders(self, step: int) -> tuple[Order, ...]:
        """Edit orders that turn the state of the step before into this one's (from the set-up's state for step 0)."""
        from burma_study.rules.ocs.orders import orders_between
        from burma_study.rules.ocs.setup import start

        before = self.at(step - 1).state if step else start(self.scenario)
        return orders_between(before, self.at(step).state)


def lines() -> dict[str, tuple[str, ...]]:
    """Names of the published lines by scenario."""
    folders = (data_root() / "lines").glob("*/*/positions.csv")
    return {f"{p.parent.parent.name}/{p.parent.name}": NAMES for p in sorted(folders)}


@asked
@lru_cache(maxsize=4)
def load_line(scenario: str, name: str = "history") -> Line:
    """The line of a scenario; ScenarioError that lists what there is for an unknown scenario or name."""
    known = lines()
    if scenario not in known or name not in known[scenario]:
        there = ", ".join(f"{n} of {s}" for s, names in known.items() for n in names)
        raise ScenarioError(f"There is no line {name!r} of {scenario!r}; there is {there}.")
    reader = _Reader(f"lines/{scenario}")
    return Line(scenario, name, reader.steps(scenario), reader.events, reader.about())


class _Reader:
    """Reads the tables of one line once and hands out the rows of each turn."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.sources = {r["key"]: Source(**r) for r in self.rows("sources")}
        self.events = tuple(self._event(r) for r in self.rows("events"))
        self.tables = {name: self._by_turn(name) for name in PER_TURN}
        self.reasons = provenance(f"{folder}/supplies.csv")
        self.asked = self.rows("questions")

    def rows(self, table: str) -> list[dict[str, str]]:
        return read_rows(f"{self.folder}/{table}.csv")

    def cited(self, keys: str) -> tuple[Source, ...]:
        return tuple(self.sources[k] for k in keys.split(";"))

    def _by_turn(self, table: str) -> dict[int, list[dict[str, str]]]:
        out: dict[int, list[dict[str, str]]] = defaultdict(list)
        for row in self.rows(table):
            out[int(row["turn"])].append(row)
        return out

    def steps(self, scenario: str) -> tuple[Step, ...]:
        hotspots = self.rows("hotspots")
        return tuple(self._step(scenario, row, hotspots) for row in self.rows("captions"))

    def _step(self, scenario: str, row: Row, hotspots: Sequence[Row]) -> Step:
        turn = int(row["step"]) + 1
        of = {name: self.tables[name][turn] for name in PER_TURN}
        return Step(
            scenario=scenario,
            index=int(row["step"]),
            turn=turn,
            date=row["date"],
            title=row["title"],
            caption=f"{row['caption']} ({row['model']})" if row["model"] else row["caption"],
            model=row["model"],
            watch=row["watch"],
            focus=row["focus"],
            zoom=int(row["zoom"]),
            sources=self.cited(row["source"]),
            confidence=row["confidence"],
            hotspots=tuple(Hotspot(h["hex"], h["label"]) for h in hotspots if h["step"] == row["step"]),
            questions=tuple(Question(q["question"], q["look"]) for q in self.asked if q["step"] == row["step"]),
            weather=self._weather(of["weather"][0]),
            positions=tuple(_position(r) for r in of["positions"]),
            stocks=tuple(self._stock(r) for r in of["supplies"]),
            carriers=tuple(_carrier(r) for r in of["transport"]),
            hedgehogs=tuple(_works(r) for r in of["hedgehogs"]),
            bases=tuple(_works(r) for r in of["bases"]),
            contested=tuple(_contested(r) for r in of["contested"]),
            events=tuple(e for e in self.events if e.turn == turn),
        )

    def about(self) -> About:
        return About(
            why=tuple(self._remark(r, r["who"], r["text"]) for r in self.rows("why")),
            epilogue=tuple(self._remark(r, _span(r["start"], r["end"]), r["text"]) for r in self.rows("epilogue")),
            numbers=tuple(self._remark(r, r["what"], r["figure"]) for r in self.rows("numbers")),
            differences=tuple(Difference(**r) for r in self.rows("differences")),
        )

    def _remark(self, r: Row, about: str, text: str) -> Remark:
        return Remark(about, text, r.get("note", ""), self.cited(r["source"]), r["confidence"])

    def _event(self, r: Row) -> Event:
        return Event(
            id=r["id"],
            start=r["start"],
            arrival=r["arrival"],
            turn=int(r["turn"]),
            kind=r["kind"],
            units=tuple(r["units"].split(";")),
            place_from=r["place_from"],
            place_to=r["place_to"],
            hex=r["hex"],
            holds=r["holds"],
            text=r["text"],
            sources=self.cited(r["source"]),
            confidence=r["confidence"],
        )

    def _weather(self, r: Row) -> Weather:
        return Weather(r["weather"], r["ground"], r["air_ops"], r["note"], self.cited(r["source"]), r["confidence"])

    def _stock(self, r: Row) -> Stock:
        key = f"{r['date']}/{r['side']}/{r['holder']}"
        flows = {name: int(r[name]) for name in (*INFLOWS, *OUTFLOWS) if r[name] != "0"}
        reasons = {name: self.reasons(key, name).reason for name in flows}
        return Stock(r["side"], r["holder"], r["hex"], int(r["stock"]), flows, reasons)


PER_TURN = ("positions", "supplies", "transport", "hedgehogs", "bases", "contested", "weather")


def _span(start: str, end: str) -> str:
    """ "18 April", "4 to 13 May" or "18 April to 30 June"."""
    first, last = date.fromisoformat(start), date.fromisoformat(end)
    if first == last:
        return f"{first.day} {first:%B}"
    month = "" if (first.year, first.month) == (last.year, last.month) else f" {first:%B}"
    return f"{first.day}{month} to {last.day} {last:%B}"


def _position(r: Row) -> Position:
    return Position(r["unit"], r["hex"], r["mode"], r["status"], r["basis"], r["confidence"], int(r["mp12"]), r["pace"])


def _carrier(r: Row) -> Carrier:
    return Carrier(r["id"], r["side"], r["kind"], r["hex"], int(r["capacity"]), int(r["load"]), r["extender"] == "yes")


def _works(r: Row) -> Works:
    return Works(r["side"], r["hex"], int(r["level"]))


def _contested(r: Row) -> Contested:
    stand = dict(pair.rsplit(" ", 1) for pair in r["stand"].split("; "))
    return Contested(r["hex"], tuple(r["units"].split(";")), stand, r["note"])
