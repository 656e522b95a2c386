"""Interdiction: what aircraft on station do to enemies who enter their hex (OCS 14.15; Burma 1.3, 1.7; Opt.3l).

It never touches supply paths or railways, nor neighbouring hexes, and never bars an overrun.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from burma_study.engine.memo import remembered
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.aircraft import air_value, on_station
from burma_study.rules.ocs.combat.barrage_fire import CLOSED, air_points, observed
from burma_study.rules.ocs.combat.strength import Look
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.state import Aircraft, State

TWELFTHS = 12


@rule("ocs/1.7", "ocs-series/14.15", "ocs/table.air-effects")
def interdictors(state: State, hex_: int, side: str, strat: bool = False) -> tuple[Aircraft, ...]:
    """Aircraft that interdict a hex for units of `side`: active enemies on station there with a ground support rating.

    In jungle, rough and mountain they must be observed by a unit of theirs next to the hex, save against units in
    Strategic Move Mode (Burma 1.7). What waits over its own base while the weather keeps flights down does nothing.
    """
    if state.air_ops != "unrestricted":
        return ()
    enemy = other_side(side)
    over = tuple(p for p in on_station(state, hex_, enemy) if p.active)
    if not over or not air_points(Look(state.rules.charts), over)[0]:
        return ()
    seen = strat or state.board.terrain[hex_] not in CLOSED or observed(state, hex_, enemy)
    return over if seen else ()


@rule("ocs/opt.3l")
def is_serious(state: State, over: Sequence[Aircraft]) -> bool:
    """Three points or more, DG units counted at half (Opt.3l)."""
    return (
        bool(over)
        and state.rules.has("opt3")
        and air_points(Look(state.rules.charts), over)[0] >= air_value(state, "serious_points")
    )


@rule("ocs/opt.3l")
def seriously_interdicted(state: State, hex_: int, side: str, strat: bool = False) -> bool:
    """Do units of `side` suffer serious interdiction in a hex: 3 MP more to enter it, DG when they retreat into it?"""
    return is_serious(state, interdictors(state, hex_, side, strat))


@remembered("aircraft", "markers", "pieces", "rules", "air_ops")
@rule("ocs/opt.3l", "ocs-series/14.15")
def interdiction(state: State, side: str, strat: bool = False) -> Mapping[int, int]:
    """Twelfths of an MP added to entering hexes for units of a side: 1 MP, and 3 more under serious interdiction.

    Opt.3l comes on top of 14.15 and leaves it as it was. The 1 MP is that of v4.3, for 14.15 itself was not found.
    """
    found = {}
    enemy = other_side(side)
    for hex_ in sorted({p.at for p in state.aircraft.values() if p.side == enemy and isinstance(p.at, int)}):
        over = interdictors(state, hex_, side, strat)
        if over:
            more = air_value(state, "serious_interdiction") if is_serious(state, over) else 0
            found[hex_] = int((air_value(state, "interdiction") + more) * TWELFTHS)
    return found
