"""What a scenario dictates while it is played, as frozen values: `state.markers["script"]` holds one Script.

Hexes are indices, places hexes or boxes, supply in T, MP in twelfths. `scenarios.starting` fills it in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from burma_study.engine.digest import plain_repr
from burma_study.rules.ocs.state import State, Where


@dataclass(frozen=True, slots=True)
class Income:
    """Supply of a side each turn: `fixed` tokens, or `factor` times its column of the Supply Table.

    `rounding` of whole SP is none, down or up; `unless` is `arrivals` where arriving units bar it.
    """

    side: str
    kind: str
    where: tuple[Where, ...]
    tokens: int = 0
    factor: Fraction = Fraction(1)
    rounding: str = "none"
    unless: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One unit that arrives from a turn on, at one of some places; `site` mandalay, bhamo, silchar, ledo or empty.

    `mode` is fixed where the scenario prints it, `spent` in twelfths; a `mule` of that many T comes with it.
    """

    unit: str
    side: str
    turn: int
    where: tuple[Where, ...]
    site: str = ""
    phase: str = "reinforcement"
    mode: str = ""
    spent: int = 0
    mule: int = 0
    loaded: int = 0
    arakan: bool = False


@dataclass(frozen=True, slots=True)
class Hump:
    """Hump diversions: in all at most `rolls` (0: no limit), one in `every` turns, `points` to Japan for each."""

    allowed: bool = False
    rolls: int = 0
    every: int = 1
    points: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Replacements:
    """Who rolls: Japan (not on the results `none_on`), Allied Pax at some boxes, Allied Eq."""

    japanese: bool = False
    none_on: tuple[int, ...] = ()
    pax: tuple[str, ...] = ()
    eq: bool = False


@dataclass(frozen=True, slots=True)
class Pool:
    """From a turn on one die each turn: on one of `units_on`, that many units of the pool, drawn at random, arrive."""

    side: str
    turn: int
    units_on: tuple[int, ...]
    units: tuple[str, ...]
    where: tuple[Where, ...]


@dataclass(frozen=True, slots=True)
class OffMap:
    """Units of a side may leave by some hexes and come back on one of them after so many turns."""

    side: str
    exits: tuple[int, ...]
    turns: int


@dataclass(frozen=True, slots=True)
class Item:
    """Points for a fact; `when` turn_end, game_end, event, once, any_time or japanese_turn_end.

    `hexes` are places, `road` every hex of a road or railway, `area` a region; `of` whose units count.
    """

    id: str
    rule: str
    side: str
    when: str
    test: str
    points: Fraction = Fraction(0)
    hexes: tuple[int, ...] = ()
    road: tuple[int, ...] = ()
    area: tuple[int, ...] = ()
    distance: int = 0
    attack_capable: bool = False
    of: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A road that counts as cleared or not."""

    id: str
    rule: str
    road: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rung:
    """A level of victory by a count from `least` to `most` (None: no limit)."""

    name: str
    least: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Victory:
    """How the scenario is won: `kind` dead_units, points, segments or sudden_death; `scale` ratio or difference.

    `entered` are hexes whose entry by the enemy of `side` is the level `entered_level` at once.
    """

    kind: str = "points"
    rule: str = ""
    items: tuple[Item, ...] = ()
    sudden: tuple[Item, ...] = ()
    segments: tuple[Segment, ...] = ()
    rungs: tuple[Rung, ...] = ()
    scale: str = ""
    draw: int = 0
    side: str = ""
    distance: int = 0
    entered: tuple[int, ...] = ()
    entered_level: str = ""
    trace_from: int | None = None


@plain_repr
@dataclass(frozen=True)
class Script:
    """Everything that a scenario dictates while it is played.

    `landing_months` is how many months after the first Chindit landing Decimation rolls begin, 0 where they begin in
    the month of `decimation`; `clearings` is how many Chindit Clearings the Allies may pick. `reserve_area` are the
    hexes where units (of `reserve_group`, if named) may be in Reserve before play; None: anywhere.
    """

    income: tuple[Income, ...] = ()
    entries: tuple[Entry, ...] = ()
    hump: Hump = field(default_factory=Hump)
    replacements: Replacements = field(default_factory=Replacements)
    pools: tuple[Pool, ...] = ()
    off_map: OffMap | None = None
    decimation: int = 0
    landing_months: int = 0
    closed_boxes: tuple[str, ...] = ()
    buffalo: int = 0
    clearings: int = 0
    reserve_area: tuple[int, ...] | None = None
    reserve_group: str = ""
    victory: Victory = field(default_factory=Victory)


@dataclass(frozen=True, slots=True)
class Point:
    """Points of a side with their reason; `banked` in `turn`, or what the end would bring were it now."""

    turn: int
    side: str
    item: str
    points: Fraction
    why: str
    rule: str
    banked: bool = True


TYPES = (Income, Entry, Hump, Replacements, Pool, OffMap, Item, Segment, Rung, Victory, Script, Point)
NONE = Script()


def script(state: State) -> Script:
    """What the state's scenario dictates; nothing where it has none."""
    found: Script = state.markers.get("script", NONE)
    return found
