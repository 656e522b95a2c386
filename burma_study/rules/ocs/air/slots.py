"""What the orders of the air war offer: who may fly, which aircraft are ready or aloft, places as choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from burma_study.engine.game import Choice
from burma_study.rules.ocs.air.aircraft import kind_of, sortie
from burma_study.rules.ocs.air.bases import air_distance, bases_of, own_base
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.movement.limits import outside
from burma_study.rules.ocs.orders import WHERE
from burma_study.rules.ocs.state import Aircraft, State, Where, stacks


def flyer(state: State) -> str:
    """The side whose aircraft may fly now: the non-phasing one in Reaction, else the phasing one."""
    return other_side(state.player) if state.phase.startswith("reaction") else state.player


def playable(state: State, hex_: int) -> bool:
    """A hex of the scenario's map, or one with an air base, which some scenarios list beyond it."""
    shut = outside(state.board, tuple(state.markers.get("area", ())))
    return state.board.terrain[hex_] != "off" and (hex_ not in shut or hex_ in state.bases)


def named(state: State, planes: Iterable[str]) -> list[Aircraft]:
    """The air units of these ids."""
    return [state.aircraft[i] for i in planes]


def plane_choices(planes: Iterable[Aircraft], chosen: Sequence[str]) -> list[Choice]:
    """Air units that may join those chosen: the same place, not named yet."""
    known = {p.id: p for p in planes}
    places = {known[i].at for i in chosen if i in known}
    found = [p for p in known.values() if p.id not in chosen and (not places or p.at in places)]
    return [Choice(p.id, p.id) for p in sorted(found, key=lambda p: p.id)]


def ready(state: State) -> list[Aircraft]:
    """Active air units of the player at their bases, gliders apart."""
    found = (p for p in state.aircraft.values() if p.side == flyer(state) and p.active and not sortie(state, p.id))
    able = (p for p in found if kind_of(p).role != "glider" and own_base(state, p.at, p.side) is not None)
    return sorted(able, key=lambda p: p.id)


def aloft(state: State, side: str = "") -> list[Aircraft]:
    """Air units of a side (the player's) on station."""
    side = side or flyer(state)
    found = (p for p in state.aircraft.values() if p.side == side and sortie(state, p.id))
    return sorted(found, key=lambda p: p.id)


def hex_choices(state: State, hexes: Iterable[Where]) -> list[Choice]:
    """Places as choices, in the order of their names."""
    return [
        Choice(h, WHERE.write(h), hexes=(h,) if isinstance(h, int) else ())
        for h in sorted(set(hexes), key=lambda h: (isinstance(h, str), h))
    ]


def within(state: State, planes: Sequence[Aircraft], hexes: Iterable[int], half: bool) -> Iterator[int]:
    """Hexes in range of every one of the aircraft; with `half` less than half of it away."""
    start = planes[0].at
    reach = min(kind_of(p).range for p in planes)
    for h in hexes:
        far = air_distance(state.board, start, h)
        if 2 * far < reach if half else far <= reach:
            yield h


def enemy_hexes(state: State, side: str) -> set[int]:
    """Hexes with enemy units or an enemy base."""
    units = {h for h, pieces in stacks(state).items() if any(p.counter.side != side for p in pieces)}
    return units | {h for h in bases_of(state, other_side(side)) if isinstance(h, int)}
