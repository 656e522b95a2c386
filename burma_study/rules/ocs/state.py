"""The state of a game of OCS Burma: frozen, pieces in persistent maps, a digest that follows every change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Self

from burma_study.boards.board import Board, load_board
from burma_study.engine.digest import plain_repr
from burma_study.engine.pmap import Map
from burma_study.engine.state import BaseState
from burma_study.errors import BurmaStudyError, did_you_mean
from burma_study.rules.ocs.counters import KNOWN, Counter, Face

if TYPE_CHECKING:
    from burma_study.rules.ocs.charts import Charts

Where = int | str  # a hex, or the name of a holding box ("silchar", "ledo") or pile ("dead", "dead_bn", "later")
OPTIONS = tuple(f"opt{n}" for n in range(11))
VERSIONS = ("1999", "v4.3")
ENFORCEMENT = ("enforce", "warn", "off")
MODES = ("combat", "move", "reserve", "strat", "exploit")
PHASES = (
    "setup",
    "weather",
    "initiative",
    "refit",
    "reinforcement",
    "movement",
    "movement_barrage",
    "supply",
    "reaction",
    "reaction_barrage",
    "barrage",
    "combat",
    "exploitation",
    "exploitation_barrage",
    "exploitation_combat",
    "cleanup",
    "over",
)
TABLES = ("pieces", "dumps", "transport", "aircraft", "hedgehogs", "bases", "markers", "score")
SCALARS = ("scenario", "turn", "phase", "player", "first", "weather", "ground", "air_ops", "frames")

GROUNDS = ("normal", "mud", "quagmire", "flood")


@dataclass(frozen=True)
class Rules:
    """Which rules are in force: series version, options, errata switches, enforcement, and charts a reader loaded.

    `version` is `1999` (series 2.0i as far as it is known, with the March 1999 options) or `v4.3`. `user_charts` holds
    whole CSV texts by table name, so that a save carries them.
    """

    version: str = "1999"
    options: tuple[str, ...] = OPTIONS
    errata: bool = True
    errata_off: tuple[str, ...] = ()
    enforcement: str = "enforce"
    user_charts: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        known = {"version": VERSIONS, "enforcement": ENFORCEMENT, "options": OPTIONS}
        for name, accepted in known.items():
            value = getattr(self, name)
            for one in value if isinstance(value, tuple) else (value,):
                if one not in accepted:
                    text = f"{one!r} is none of the rules' {name}; it is one of {', '.join(accepted)}."
                    raise BurmaStudyError(f"{text} {did_you_mean(str(one), accepted)}".strip())

    def has(self, option: str) -> bool:
        """Is an option such as `opt3` in force?"""
        return option in self.options

    def corrects(self, erratum: str) -> bool:
        """Is a published correction such as `erratum.12` in force?"""
        return self.errata and erratum not in self.errata_off

    @property
    def charts(self) -> Charts:
        """The charts in force: the game's own, with the reader's in their place."""
        from burma_study.rules.ocs.charts import charts_for

        return charts_for(self.user_charts)


@plain_repr
@dataclass(frozen=True, slots=True)
class Piece:
    """A ground unit in play: `at` a hex or box, `face` the side showing, `mode` combat, move, reserve, strat, exploit.

    `steps` counts those left; `stocks` is 2 full, 1 Low, 0 Exhausted; `oos` is the marker of its last Supply Phase;
    `spent` the MP used this phase in twelfths, `done` that it may not move again.
    """

    id: str
    at: Where
    mode: str = "combat"
    face: str = "combat"
    steps: int = 1
    dg: bool = False
    oos: bool = False
    stocks: int = 2
    spent: int = 0
    done: bool = False
    fuelled: bool = False

    @property
    def counter(self) -> Counter:
        """What is printed on it."""
        return KNOWN[self.id]

    @property
    def printed(self) -> Face:
        """The face that shows."""
        return self.counter.combat if self.face == "combat" else self.counter.move

    @property
    def on_map(self) -> bool:
        """It stands in a hex."""
        return isinstance(self.at, int)


@dataclass(frozen=True, slots=True)
class Transport:
    """Transport points: `kind` truck, mule, wagon or buffalo; `size` and `load` in tokens (1 point = 4 T)."""

    id: str
    side: str
    kind: str
    size: int
    at: Where
    load: int = 0
    extender: bool = False
    spent: int = 0
    done: bool = False


@dataclass(frozen=True, slots=True)
class Dump:
    """Supply points on the ground, in tokens."""

    side: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Aircraft:
    """An air unit: `type` names its row in the aircraft table, `steps` 2 full or 1 reduced."""

    id: str
    side: str
    type: str
    at: Where
    steps: int = 2
    active: bool = True
    dg: bool = False


@dataclass(frozen=True, slots=True)
class Base:
    """An air base (`level` 1-3) or airstrip (`level` 0)."""

    side: str
    level: int


@dataclass(frozen=True, slots=True)
class Hedgehog:
    """A hedgehog of level 1 to 4."""

    side: str
    level: int


@dataclass(frozen=True, slots=True)
class TraceSource:
    """Where a side's trace supply comes from in a scenario (Burma 1.11 and the scenario rules).

    `kind` says how it spreads: `rail` along the side's railway to detrainable hexes, `river` to river ports (2.5b),
    `ledo` along the finished Ledo Road (3.8), `point` not at all (one draws from the hex itself), `roads` along every
    contiguous road hex, without limit (Learning rule 1). `groups` limits who may use it; empty means everybody.
    """

    side: str
    hex: int
    kind: str
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class State(BaseState):
    """Everything that a game of OCS Burma is at one moment; `put` and `with_` change it and keep the digest right.

    Tables: `pieces` by counter id, `dumps` and `hedgehogs` and `bases` by hex or box, `transport` and `aircraft` by id,
    `markers` for everything else by name, `score` by victory item. Markers in use: `sources` (a tuple of TraceSource),
    `road_head` (the hex where the finished Ledo Road ends), `clearings` and `closed_boxes` (tuples), `reserve/japanese`
    and `reserve/allied` (markers a side has; with `/<group>` those of one group), `rail/japanese`, `rail/allied`,
    `rail/ledo` (capacity a turn), `script` (what the scenario dictates, a Script), `stops`, `ended`; of movement
    `moving` (who is on the move), `mode_chosen`, `released`, `porters`; those of other rooms stand there.
    """

    TABLES: ClassVar[tuple[str, ...]] = TABLES
    SCALARS: ClassVar[tuple[str, ...]] = ("rules", *SCALARS)
    WORDS: ClassVar[Mapping[str, tuple[str, ...]]] = {"ground": (*GROUNDS, "monsoon"), "phase": PHASES}
    scenario: str
    rules: Rules = field(default_factory=Rules)
    turn: int = 1
    phase: str = "setup"
    player: str = "japanese"
    first: str = "japanese"
    weather: str = "clear"
    ground: str = "normal"
    air_ops: str = "unrestricted"
    pieces: Map[str, Piece] = field(default_factory=Map)
    dumps: Map[Where, Dump] = field(default_factory=Map)
    transport: Map[str, Transport] = field(default_factory=Map)
    aircraft: Map[str, Aircraft] = field(default_factory=Map)
    hedgehogs: Map[Where, Hedgehog] = field(default_factory=Map)
    bases: Map[Where, Base] = field(default_factory=Map)
    markers: Map[str, Any] = field(default_factory=Map)
    score: Map[str, Any] = field(default_factory=Map)

    def __repr__(self) -> str:
        when = f"turn {self.turn}, {self.player} {self.phase.replace('_', ' ')}"
        return f"<State of {self.scenario}, {when}: {len(self.pieces)} units, {self.digest[:12]}>"

    def place(self, piece: Piece) -> Self:
        """The state with a piece put in, or put in place of the one with its id; LabelError for a hex off the board."""
        at = piece.at
        if at.__class__ is not str and not (at.__class__ is int and at in _numbers()):  # boxes and piles are names
            self.board.checked(at)  # type: ignore[arg-type]
        return self.put("pieces", piece.id, piece)

    @property
    def board(self) -> Board:
        """The map."""
        return load_board("ocs")

    def units(self, side: str | None = None) -> Iterator[Piece]:
        """The pieces of a side (or both), also those in boxes."""
        pieces = self.pieces.values()
        return iter(pieces) if side is None else (p for p in pieces if KNOWN[p.id].side == side)


def new_state(scenario: str, rules: Rules | None = None, **scalars: object) -> State:
    """An empty state with its digest right."""
    state = State(scenario, rules or Rules(), **scalars)  # type: ignore[arg-type]
    return state.summed()


@lru_cache(maxsize=1)
def _numbers() -> range:
    """Those of the board's hexes: asked at every placing, where the board itself is slow to ask."""
    return range(len(load_board("ocs")))


_ID = attrgetter("id")


@lru_cache(maxsize=4)
def _stacks(pieces: Map[str, Piece]) -> dict[int, tuple[Piece, ...]]:
    by_hex: dict[int, list[Piece]] = {}
    for piece in pieces.values():
        if isinstance(piece.at, int):
            by_hex.setdefault(piece.at, []).append(piece)
    return {h: tuple(sorted(p, key=_ID) if len(p) > 1 else p) for h, p in by_hex.items()}


def stacks(state: State) -> dict[int, tuple[Piece, ...]]:
    """The ground units in each occupied hex, by id."""
    return _stacks(state.pieces)


def stack(state: State, hex_: int) -> tuple[Piece, ...]:
    """The ground units in one hex, by id."""
    return stacks(state).get(hex_, ())
