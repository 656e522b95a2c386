"""Whose is what stands in a hex: one question for every way in, on foot, by rail, by air, or from off the map.

Enemy combat units shut a hex to everybody. Enemy supply, transport, air bases and hedgehogs shut it to all but units
that can attack, and those take them (OCS 4.4c, 4.8, 9.14b).
"""

from __future__ import annotations

from collections.abc import Iterator

from burma_study.engine.memo import remembered
from burma_study.engine.reasons import Reason, because
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import counters, other_side
from burma_study.rules.ocs.movement.zoc import held
from burma_study.rules.ocs.state import State, Where


@remembered("dumps", "bases", "hedgehogs", "transport")
def goods(state: State, side: str) -> dict[int, tuple[str, ...]]:
    """Hexes with things of a side that are no combat units: supply, transport, air bases, hedgehogs (OCS 3.3)."""
    found: dict[int, list[str]] = {}
    for name, table in (("supply", state.dumps), ("an air base", state.bases), ("a hedgehog", state.hedgehogs)):
        for at, thing in table.items():
            if isinstance(at, int) and thing.side == side:
                found.setdefault(at, []).append(name)
    for points in state.transport.values():
        if isinstance(points.at, int) and points.side == side:
            found.setdefault(points.at, []).append(f"{points.kind} transport")
    return {h: tuple(sorted(set(names))) for h, names in found.items()}


@rule("ocs-series/4.4c", "ocs-series/4.8")
def shut_to(state: State, side: str, *, captures: bool = False) -> frozenset[int]:
    """Hexes that a thing of `side` may not come into: with enemy units, or goods unless it `captures` them."""
    enemy = other_side(side)
    return held(state, enemy) if captures else held(state, enemy) | goods(state, enemy).keys()


def can_capture(id_: str) -> bool:
    """Whether a counter can attack once it is there, whatever its mode until then; transport and aircraft cannot."""
    return id_ in counters() and counters()[id_].attack_capable


def no_entry(state: State, side: str, at: Where, *, captures: bool = False) -> Iterator[Reason]:
    """Why a thing of `side` may not come into a place, by any way but a march."""
    if at not in shut_to(state, side, captures=captures) or not isinstance(at, int):
        return
    enemy = other_side(side)
    units = tuple(sorted(p.id for p in state.units(enemy) if p.at == at))
    if units:
        yield because("enemy_units", at, units=units, rule="ocs-series/4.8")
    else:
        yield because("enemy_goods", at, goods=goods(state, enemy)[at], rule="ocs-series/4.4c")
