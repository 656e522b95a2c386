"""What a scenario file says, as frozen values; hexes are still labels here, so that no board is needed to read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any

from burma_study.rules.ocs.turn.script import Victory
from burma_study.scenarios.turns import turn_dates

SETUPS = ("historical", "free")
KINDS = ("unit", "SP", "Mule", "Truck", "Wagon", "hedgehog", "airstrip", "clearing")
TRANSPORT = ("Mule", "Truck", "Wagon")


@dataclass(frozen=True, slots=True)
class ScenarioInfo:
    """A line of the list of scenarios; `turns` counts them by the calendar, `stage` is study, beta or done."""

    id: str
    game: str
    title: str
    turns: int
    stage: str
    printed_title: str
    summary: str
    first: date
    last: date

    def as_dict(self) -> dict[str, object]:
        """Shape for JSON: id, game, title, turns, stage, printed_title, summary, first, last (ISO dates)."""
        names = ("id", "game", "title", "turns", "stage", "printed_title", "summary")
        return {n: getattr(self, n) for n in names} | {"first": str(self.first), "last": str(self.last)}


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for a piece or a part of it: a hex label, tokens (None: all of it), and whether it forms an extender."""

    hex: str
    tokens: int | None = None
    extender: bool = False


@dataclass(frozen=True, slots=True)
class SetupRow:
    """One item of a printed set-up list; `hex` is empty where `area` (an area expression) says where it may stand.

    `tokens` is supply or transport capacity in T, `loaded` the supply aboard, `default` the reconstructed place of a
    piece that the list leaves open, `line` the row of the file (its header is row 1).
    """

    row: str
    setup: str
    side: str
    place: str
    area: str
    conditions: tuple[str, ...]
    hex: str
    kind: str
    counter: str
    label: str
    printed: str
    tokens: int
    level: int
    mode: str
    low_ammo: bool
    loaded: int
    default: tuple[Spot, ...]
    errata: tuple[str, ...]
    line: int = 0

    @property
    def group(self) -> str:
        """Rows of one line of the printed list share their area and its conditions."""
        return self.row.rsplit("-", 1)[0]

    @property
    def box(self) -> str:
        """Name of the holding box (`silchar`, `ledo`), or empty."""
        return self.area[4:-1] if self.area.startswith("box(") else ""

    def condition(self, name: str) -> int:
        """Number of a condition such as `max_units=2` (1 for a bare word), 0 if it is not set."""
        for text in self.conditions:
            word, _, number = text.partition("=")
            if word == name:
                return int(number or 1)
        return 0


@dataclass(frozen=True, slots=True)
class Erratum:
    """One correction of the printed text; those of one `key` are switched together."""

    key: str
    scenario: str
    what: str
    printed: str
    corrected: str
    default: bool
    reason: str
    source: str


@dataclass(frozen=True, slots=True)
class SpecialRule:
    """A scenario special rule in our short words; `id` is its row in the ledger."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where trace supply comes from; `kind` as in `TraceSource`."""

    side: str
    hex: str
    kind: str
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Income:
    """Supply that arrives each turn: `fixed` tokens, or `factor` times the Supply Table; `where` an area expression.

    `rounding` is none (in tokens), down or up (in whole supply points); `unless` names what cancels it.
    """

    side: str
    kind: str
    where: str
    tokens: int = 0
    factor: Fraction = Fraction(1)
    rounding: str = "none"
    unless: str = ""


@dataclass(frozen=True, slots=True)
class BaseRow:
    """An air base on the map, level 1 to 3."""

    side: str
    hex: str
    level: int


@dataclass(frozen=True, slots=True)
class AirRow:
    """Air units of one type; `label` as printed where it differs from the type's."""

    side: str
    type: str
    count: int
    reduced: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class DeadPile:
    """Units and air units that start in a side's dead pile."""

    side: str
    counters: tuple[str, ...] = ()
    air: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrival:
    """Units (and a loaded mule) that arrive on a turn; `where` an area expression, `spent` in twelfths of an MP.

    `source` is `schedule` for the game's Reinforcement Schedule and `scenario` for the scenario's own; `site` is where
    the schedule brings them; `arakan` units must be flown in (Burma 3.1c).
    """

    id: str
    side: str
    turn: int
    date: date
    counters: tuple[str, ...]
    where: str
    source: str
    site: str = ""
    phase: str = "reinforcement"
    mode: str = ""
    spent: int = 0
    mule: int = 0
    loaded: int = 0
    arakan: bool = False
    printed: str = ""


@dataclass(frozen=True, slots=True)
class Winning:
    """How a scenario is won, as its file says it: the rules' own Victory, whose places still stand beside it as labels.

    `places` are those of an item or a segment by its id: `hexes`, the ends of a `road`, the name of a `railway`, an
    `area` expression. `terms` are those of the whole: `sudden` and `trace_from` (labels), `sudden_level`, `length`.
    """

    text: str
    victory: Victory
    places: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    terms: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Scenario:
    """A scenario as its file says it, with the errata that are switched on already applied.

    `tables` holds the matters that few scenarios have, as in the file: `hump`, `boxes`, `rail`, `ledo_road`,
    `clearings`, `buffalo`, `reserve`, `replacements`, `pool`, `off_map_march`, `decimation`.
    """

    id: str
    game: str
    title: str
    printed_title: str
    stage: str
    summary: str
    area: str
    first: date
    last: date
    printed_length: int
    ground: str
    sets_up_first: str
    moves_first: str
    special_rules: tuple[SpecialRule, ...]
    sources: tuple[Source, ...]
    income: tuple[Income, ...]
    bases: tuple[BaseRow, ...]
    air: tuple[AirRow, ...]
    dead_pile: tuple[DeadPile, ...]
    arrivals: tuple[Arrival, ...]
    winning: Winning
    rows: tuple[SetupRow, ...]
    errata: tuple[Erratum, ...] = ()
    corrected: bool = True
    tables: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""

    def __hash__(self) -> int:
        return hash((self.id, self.corrected, len(self.errata)))

    @property
    def dates(self) -> tuple[date, ...]:
        """First day of every turn."""
        return turn_dates(self.first, self.last)

    @property
    def name(self) -> str:
        """The id without the game: `u-go`."""
        return self.id.rpartition("/")[2]

    @property
    def setups(self) -> tuple[str, ...]:
        """The set-ups that it has: every scenario but the first has both."""
        return SETUPS if any(r.setup == "free" for r in self.rows) else SETUPS[:1]

    @property
    def info(self) -> ScenarioInfo:
        """Its line in the list of scenarios."""
        return ScenarioInfo(
            self.id,
            self.game,
            self.title,
            len(self.dates),
            self.stage,
            self.printed_title,
            self.summary,
            self.first,
            self.last,
        )

    def setup_rows(self, which: str) -> tuple[SetupRow, ...]:
        """The rows of one set-up, with those common to both; a side without a free list keeps its historical one."""
        with_list = {r.side for r in self.rows if r.setup == which}
        return tuple(
            r for r in self.rows if r.setup in (which, "both") or (r.setup == "historical" and r.side not in with_list)
        )
