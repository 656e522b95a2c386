"""What aircraft carry: the weight of cargo, trips, room with and without gliders, stowing (Burma 1.2, 3.5, 3.6a).

Cargo is written as tokens (`2T`), ids of units, or ids of empty mules. What is listed first goes into the gliders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.aircraft import GLIDER, air_type, air_value, kind_of
from burma_study.rules.ocs.air.bases import air_distance
from burma_study.rules.ocs.movement.stacking import cargo_size
from burma_study.rules.ocs.state import Aircraft, State, Where

TOWS = "c-47"
LANDING, DROPPING, GLIDING = "land", "paradrop", "glider"


def tokens_of(item: str) -> int:
    """Tokens of supply that a piece of cargo is; 0 for a unit or mules."""
    return int(item[:-1]) if item.endswith("T") and item[:-1].isdigit() else 0


@rule("ocs/3.6a", "ocs/3.5d", "ocs/1.2-lift")
def weight(state: State, item: str) -> Fraction:
    """T that a piece of cargo weighs: a column 2T, else 4T an RE; a mule point 1 RE (Burma 1.2, 3.5d, 3.6a)."""
    if tokens := tokens_of(item):
        return Fraction(tokens)
    if item in state.transport:
        return Fraction(state.transport[item].size, 4) * air_value(state, "re_weight")
    unit = state.pieces[item].counter
    if unit.type == "column":
        return air_value(state, "column_weight")
    size = Fraction(1) if unit.is_artillery else cargo_size(state.rules, unit)
    return size * air_value(state, "re_weight")


@dataclass(frozen=True, slots=True)
class Load:
    """What a mission can carry: trips, T in gliders and T in the aircraft themselves."""

    trips: int
    in_gliders: Fraction
    in_planes: Fraction

    @property
    def total(self) -> Fraction:
        """T in all."""
        return self.in_gliders + self.in_planes


@rule("ocs/3.5a", "ocs/3.5b", "ocs-series/14.20e")
def trips_of(state: State, planes: Sequence[Aircraft], start: Where, at: Where, one_way: bool) -> int:
    """Two trips within half the range, else one (OCS 14.20e; Burma 3.5a-b)."""
    far = air_distance(state.board, start, at)
    half = air_value(state, "double_trip")
    return 2 if not one_way and all(far <= half * kind_of(p).range for p in planes) else 1


@rule("ocs/3.5b")
def capacity(planes: Sequence[Aircraft], trips: int, gliders: int) -> Load:
    """A transport carries its capacity a trip, half of it when reduced; a trip with a glider 2T, all in that."""
    each = sum((Fraction(kind_of(p).capacity * p.steps, 2) for p in planes), Fraction())
    tow, carried = air_type(TOWS).capacity, air_type(GLIDER).capacity
    return Load(trips, Fraction(gliders * carried), max(Fraction(), each * trips - gliders * tow))


@dataclass(frozen=True, slots=True)
class Stowed:
    """A piece of cargo and how it comes down: `land`, `paradrop`, `glider`, or nothing when there is no room."""

    item: str
    tokens: int
    way: str


def stow(state: State, cargo: Sequence[str], load: Load, drop: bool) -> list[Stowed]:
    """Cargo in the order it is named: into the gliders as long as they have room, the rest into the aircraft."""
    rooms = {GLIDING: load.in_gliders, DROPPING if drop else LANDING: Fraction(int(load.in_planes))}
    found: list[Stowed] = []
    for item in cargo:
        found += _stow_tokens(item, rooms) if tokens_of(item) else [_stow_whole(state, item, rooms)]
    return found


def _stow_tokens(item: str, rooms: dict[str, Fraction]) -> Iterator[Stowed]:
    left = tokens_of(item)
    for way in rooms:
        part = min(left, int(rooms[way]))
        if part:
            yield Stowed("", part, way)
            rooms[way] -= part
            left -= part
    if left:
        yield Stowed("", left, "")


def _stow_whole(state: State, item: str, rooms: dict[str, Fraction]) -> Stowed:
    heavy = weight(state, item)
    way = next((w for w, room in rooms.items() if room >= heavy), "")
    if way:
        rooms[way] -= heavy
    return Stowed(item, 0, way)
