"""What an air unit can do: the types of the game with their provenance, the numbers of the air rules, states in flight.

An air unit on a base has no marker. One on station has a marker `air/out/<id>`: a tuple of its home, the units that
flew with it as one stack, and the purpose, `station` or `strike`. Units that are protected at a base stand in a marker
`air/protected/<hex>`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from burma_study.datafiles import Provenance, provenance, read_rows
from burma_study.errors import ScenarioError, did_you_mean
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.charts import Charts
from burma_study.rules.ocs.orders import WHERE
from burma_study.rules.ocs.state import Aircraft, State, Where

TABLE = "counters/ocs_air.csv"
FIGHTER, TRANSPORT, GLIDER = "fighter", "transport", "glider"
STATION, STRIKE = "station", "strike"
OUT, PROTECTED = "air/out/", "air/protected/"


@dataclass(frozen=True, slots=True)
class AirType:
    """A type of air unit at full strength: range in hexes, barrage in points, capacity in T a trip."""

    type: str
    label: str
    side: str
    role: str
    air_rating: int
    may_attack: bool
    barrage: int
    range: int
    capacity: int
    variant: bool = False

    @property
    def is_fighter(self) -> bool:
        """F-type: it may start air combat and intercept."""
        return self.role == FIGHTER

    def provenance(self, column: str) -> Provenance:
        """Where a value comes from, with its bounds."""
        return provenance(TABLE)(self.type, column)


@lru_cache(maxsize=1)
def air_types() -> Mapping[str, AirType]:
    """Every type by id."""
    return {
        r["type"]: AirType(
            r["type"],
            r["label"],
            r["side"],
            r["role"],
            int(r["air_rating"] or 0),
            r["may_attack"] == "yes",
            int(r["barrage"] or 0),
            int(r["range"] or 0),
            int(r["capacity"] or 0),
            r["variant"] == "yes",
        )
        for r in read_rows(TABLE)
    }


def air_type(type_: str) -> AirType:
    """A type by id; ScenarioError with near matches otherwise."""
    found = air_types().get(type_)
    if found is None:
        raise ScenarioError(f"There is no type of aircraft {type_!r}. {did_you_mean(type_, air_types())}".strip())
    return found


def kind_of(plane: Aircraft) -> AirType:
    """The type of an air unit."""
    return air_type(plane.type)


@lru_cache(maxsize=16)
def _values(charts: Charts) -> Mapping[str, Fraction]:
    return {r["name"]: Fraction(r["value"]) for r in charts.rows("air_values")}


def air_value(state: State, name: str) -> Fraction:
    """A single number of the air rules, in the unit of its row."""
    return _values(state.rules.charts)[name]


# in the air -----------------------------------------------------------------------------------------------------------


def sortie(state: State, plane: str) -> tuple[Where, tuple[str, ...], str] | None:
    """Home, companions and purpose of an air unit on station; None for one on its base.

    One that was put by hand where no base of its side is counts as on station there, alone.
    """
    found: tuple[Where, tuple[str, ...], str] | None = state.markers.get(OUT + plane)
    if found is not None:
        return found
    unit = state.aircraft[plane]
    base = state.bases.get(unit.at)
    grounded = not isinstance(unit.at, int) or (base is not None and base.side == unit.side)
    return None if grounded else (unit.at, (plane,), STATION)


def home_of(state: State, plane: Aircraft) -> Where:
    """The base at which it last refitted: the one it took off from, or on which it stands."""
    out = sortie(state, plane.id)
    return out[0] if out else plane.at


def on_station(state: State, hex_: int, side: str) -> tuple[Aircraft, ...]:
    """Air units of a side in the air over a hex, by id."""
    found = (p for p in state.aircraft.values() if p.at == hex_ and p.side == side and sortie(state, p.id))
    return tuple(sorted(found, key=lambda p: p.id))


def active_at(state: State, where: Where, side: str) -> tuple[Aircraft, ...]:
    """Active air units of a side in a hex or box, on station and at the base there, by id."""
    found = (p for p in state.aircraft.values() if p.at == where and p.side == side and p.active)
    return tuple(sorted(found, key=lambda p: p.id))


@rule("ocs/opt.3j", "ocs/1.8")
def protected_at(state: State, where: Where) -> tuple[str, ...]:
    """Ids of the protected units at a base."""
    found: tuple[str, ...] = state.markers.get(PROTECTED + WHERE.write(where), ())
    return found


@rule("ocs/opt.3e.1", "ocs-series/14.1")
def rating(plane: Aircraft) -> int:
    """Air to air rating now: one less when DG, so that 0 becomes -1 (Opt.3e)."""
    return kind_of(plane).air_rating - plane.dg


@rule("ocs/opt.3c")
def top_first(planes: Iterable[Aircraft]) -> list[Aircraft]:
    """A stack from the top: a fighter first if there is one, else as it stands (Opt.3c)."""
    return sorted(planes, key=lambda p: not kind_of(p).is_fighter)


@rule("ocs/opt.3c")
def most_together(state: State) -> int:
    """Air units that may fly as one stack."""
    return int(air_value(state, "stack" if state.rules.has("opt3") else "stack_plain"))
