"""Zones of control: which units have one, which hexes lie in one, whose it is, and who negates it (OCS 4.4, 4.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from burma_study.engine.memo import remembered
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import SIDES, counters, ghosts, other_side
from burma_study.rules.ocs.state import Piece, State

INCAPABLE_MODES = ("strat", "reserve")
ZONE_MODES = {"1999": ("combat", "move", "exploit"), "v4.3": ("combat", "exploit")}
READINGS = {
    "1999": "Zones in any mode in which a unit can attack, also DG: before series 4.0 the mode did not matter.",
    "v4.3": "Zones in Combat Mode only, kept in Exploit Mode; none when DG.",
}


@dataclass(frozen=True, eq=False)
class Zones:
    """The zones of one side: every hex in one, and the ids of the units that exert them by the hex they stand in."""

    side: str
    hexes: frozenset[int]
    exerting: Mapping[int, tuple[str, ...]]
    adjacent: tuple[tuple[int, ...], ...]

    def whose(self, hex_: int) -> tuple[str, ...]:
        """Ids of the units whose zone a hex lies in, by hex and id."""
        return tuple(i for n in sorted(self.adjacent[hex_]) for i in self.exerting.get(n, ()))


@lru_cache(maxsize=1)
def _able() -> dict[str, frozenset[str]]:
    """Ids of each side's counters with a strength that is not in parentheses, imagined ones too."""
    able = [c for c in (*counters().values(), *ghosts().values()) if c.attack_capable]
    return {side: frozenset(c.id for c in able if c.side == side) for side in SIDES}


@rule("ocs-series/4.4")
def attack_capable(piece: Piece) -> bool:
    """It has a printed strength (0 counts) that is not in parentheses and is not in Strat or Reserve Mode."""
    return piece.counter.attack_capable and piece.mode not in INCAPABLE_MODES


@rule("ocs-series/4.5", "ocs-series/12.8d")
def has_zone(piece: Piece, version: str) -> bool:
    """Does a unit exert a zone, by the 1999 or the v4.3 reading? Never when marked out of supply (OCS 4.4b).

    That the mark takes the zone away is written in v4.3 only; nothing found says otherwise for 1999.
    """
    if piece.oos or piece.mode not in ZONE_MODES[version] or not piece.counter.attack_capable:
        return False
    return version == "1999" or (piece.face == "combat" and not piece.dg)


@remembered("pieces", "rules")
def zones_of(state: State, side: str) -> Zones:
    """The zones of a side."""
    able, modes, strict = _able()[side], ZONE_MODES[state.rules.version], state.rules.version != "1999"
    exerting: dict[int, tuple[str, ...]] = {}
    for id_, p in state.pieces.items():  # `has_zone`, written out: this runs for every piece at every step
        if id_ in able and not p.oos and p.mode in modes and not (strict and (p.dg or p.face != "combat")):
            at = p.at
            if isinstance(at, int):
                exerting[at] = (*exerting[at], id_) if at in exerting else (id_,)
    adjacent = state.board.grid.adjacent
    hexes: set[int] = set()
    for at in exerting:
        hexes.update(adjacent[at])
    ordered = {h: tuple(sorted(ids)) for h, ids in exerting.items()}
    return Zones(side, frozenset(hexes), ordered, adjacent)


@rule("ocs-series/4.5")
def zones(state: State, side: str) -> frozenset[int]:
    """Every hex in a zone of a side: the six around each unit that has one, whatever the terrain between."""
    return zones_of(state, side).hexes


def whose(state: State, side: str, hex_: int) -> tuple[str, ...]:
    """Ids of the units of a side in whose zone a hex lies."""
    return zones_of(state, side).whose(hex_)


@remembered("pieces", "rules")
def held(state: State, side: str) -> frozenset[int]:
    """Hexes with combat units of a side: every ground unit but transport (OCS 3.2, 3.3)."""
    return frozenset([p.at for p in state.pieces.values() if isinstance(p.at, int) and p.counter.side == side])


@remembered("pieces", "rules")
@rule("ocs-series/4.5-negation")
def unnegated(state: State, side: str) -> frozenset[int]:
    """Hexes in an enemy zone that no combat unit of `side` negates by standing in them (OCS 4.5b).

    Every friendly unit counts: whether it will move later in the phase is its owner's choice.
    """
    return zones(state, other_side(side)) - held(state, side)
