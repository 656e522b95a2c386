"""What a policy knows of supply: where its units are fed, who would not be, whether a place is cut off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.supply.net import Net, Thrower
from burma_study.rules.ocs.supply.on_map import OnMap, draw_rings, on_map, serves


def hungry(state: State, side: str) -> frozenset[str]:
    """Units that would have nothing to eat were their Supply Phase now: without trace, and without a dump in reach."""
    stores = on_map(state, side)
    fed = {unit for meal in stores.meals() for unit in meal.units}
    return frozenset(t.unit for t in stores.picture.out if t.unit not in fed)


def larder(state: State, side: str) -> frozenset[int]:
    """Hexes where a unit on foot reaches a dump that holds anything: by itself, or through an HQ."""
    stores = on_map(state, side)
    found: set[int] = set()
    for hex_ in stores.stores:
        found |= serves(stores.net.grid, draw_rings(stores.net, hex_, "leg"))
    for thrower in _stocked(stores):
        found.update(_thrown(stores.net, thrower))
    return frozenset(found)


def _stocked(stores: OnMap) -> Iterator[Thrower]:
    """HQs that may throw and themselves reach a dump that holds anything."""
    for thrower in stores.net.throwers:
        if not thrower.bar and any(not w.hq and stores.stores.get(w.store) for w in stores.ways(thrower.piece)):
            yield thrower


def _thrown(net: Net, thrower: Thrower) -> Iterator[int]:
    for hex_ in serves(net.grid, thrower.field):
        reached = thrower.reach(net.grid, hex_)
        if reached is not None and reached[0] <= thrower.limit:
            yield hex_


def cut_off(state: State, side: str, hexes: Iterable[int]) -> bool:
    """Is a place without trace? It is when no unit that stands there has any."""
    traces = on_map(state, side).picture.traces
    there = [traces[p.id] for p in state.units(side) if p.at in frozenset(hexes) and p.id in traces]
    return bool(there) and not any(t.in_supply for t in there)


def stock(state: State, side: str, around: int, within: int) -> int:
    """Tokens that lie within some hexes of a place."""
    near = frozenset(state.board.grid.disc(around, within))
    return sum(d.tokens for h, d in state.dumps.items() if h in near and d.side == side)
