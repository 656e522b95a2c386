"""Supply housekeeping of a policy: what arrives, airlift, the Hump, air strikes, digging in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from burma_study.engine.orders import Order
from burma_study.engine.session import Session
from burma_study.games.ocs.policies.phases import legal
from burma_study.rules.ocs.air.aircraft import kind_of
from burma_study.rules.ocs.air.bombing import UNITS, Bomb, HipShoot
from burma_study.rules.ocs.air.fly_in import FlyIn, HumpLift, lift_tokens, waiting
from burma_study.rules.ocs.air.lift import Lift, load_of, off_load_limit, transports
from burma_study.rules.ocs.air.missions import Strike
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.goods.transport import loadable
from burma_study.rules.ocs.goods.works import DigIn, Fortify, builders
from burma_study.rules.ocs.movement.zoc import held, zones
from burma_study.rules.ocs.state import State, Where, stack, stacks
from burma_study.rules.ocs.turn.arrival_orders import Deliver, Divert, Rebuild
from burma_study.rules.ocs.turn.arrivals import income, income_places
from burma_study.rules.ocs.turn.replacements import new_glider, rebuild_boxes, rebuildable

Places = Iterable[int]
AIR_RESERVE = 1  # tokens that a box keeps for refit before the rest flies


# what comes in --------------------------------------------------------------------------------------------------------


def deliveries(session: Session, first: Callable[[Where], int]) -> Iterator[Order]:
    """All income to the place that `first` puts first."""
    state: State = session.state
    left, places = income(state, state.player), income_places(state, state.player)
    if left and places:
        order = Deliver(left, min(places, key=lambda w: (first(w), str(w))))
        if legal(session, order):
            yield order


def diversions(session: Session, wanted: int) -> Iterator[Order]:
    """A Hump diversion, as long as fewer than `wanted` were declared."""
    if len(session.state.markers.get("hump_turns", ())) < wanted and legal(session, Divert()):
        yield Divert()


def rebuilding(session: Session) -> Iterator[Order]:
    """Everything that can be paid for comes back; no new glider is built."""
    for unit in rebuildable(session.state):
        if unit == new_glider(session.state):
            continue
        for box in rebuild_boxes(session.state, unit):
            if legal(session, Rebuild(unit, box)):
                yield Rebuild(unit, box)
                break


# the air --------------------------------------------------------------------------------------------------------------


def airlift(session: Session, start: Where, ends: Iterable[Where], keep: int = AIR_RESERVE) -> Iterator[Order]:
    """Each active transport aircraft at `start` carries what it can to the first of the bases that takes it."""
    for plane in transports(session.state):
        if plane.at != start or not plane.active:
            continue
        for end in ends:
            order = _lift(session.state, plane.id, start, end, keep)
            if order is not None and legal(session, order):
                yield order
                break


def _lift(state: State, plane: str, start: Where, end: Where, keep: int) -> Lift | None:
    """As much as one aircraft carries: landed at a base, else dropped."""
    based = end in state.bases
    trial = Lift(start, (plane,), end, ("1T",), 0, not based, False)
    limit = off_load_limit(state, end) if based else None
    room = int(load_of(state, trial).total)
    tokens = min(room if limit is None else min(room, limit), loadable(state, state.player, start) - keep)
    return replace(trial, cargo=(f"{tokens}T",)) if tokens > 0 else None


def hump(
    session: Session, ends: Sequence[Where], fields: Callable[[str], Iterable[Where]], ready: Callable[[str], bool]
) -> Iterator[Order]:
    """What the diversion of this turn still lifts: units from Arakan first, each to its `fields`, then supply."""
    for unit in filter(ready, waiting(session.state)):
        for end in fields(unit):
            if legal(session, FlyIn((unit,), end, ())):
                yield FlyIn((unit,), end, ())
                break
    for end in (*ends, *ends):
        tokens = int(lift_tokens(session.state))
        while tokens > 0:
            order = HumpLift("silchar", end, (f"{tokens}T",), drop=end not in session.state.bases)
            if legal(session, order):
                yield order
                break
            tokens -= 1


def bombers(state: State) -> list[str]:
    """Active aircraft of the moving side that can bomb, the heaviest first."""
    fit = [p for p in state.aircraft.values() if p.side == state.player and p.active and not p.dg]
    able = [p for p in fit if getattr(kind_of(p), "barrage", 0)]
    return [p.id for p in sorted(able, key=lambda p: (-kind_of(p).barrage, p.id))]


def air_strikes(session: Session, most: int) -> Iterator[Order]:
    """Ground support: up to `most` aircraft bomb enemies beside friends, at once or in the next barrage."""
    given = 0
    for plane in bombers(session.state):
        if given >= most:
            return
        for order in _strikes(session.state, plane):
            if legal(session, order):
                yield order
                given += 1
                break


def _strikes(state: State, plane: str) -> Iterator[Order]:
    friends, enemy = held(state, state.player), other_side(state.player)
    near = state.board.grid.adjacent
    beside = [h for h, ps in stacks(state).items() if ps[0].counter.side == enemy and friends & set(near[h])]
    full = sorted(beside, key=lambda h: (-len(stack(state, h)), h))
    yield from (HipShoot(h, plane) for h in full[:3])
    yield from (Strike((plane,), h) for h in full[:2])


def bombs(session: Session) -> Iterator[Order]:
    """Aircraft that went over a hex bomb it."""
    choices = session.options().choices or ()
    if not any(c.value == "bomb" for c in choices):
        return
    over: dict[Where, list[str]] = {}
    for p in session.state.aircraft.values():
        if isinstance(p.at, int) and p.active:
            over.setdefault(p.at, []).append(p.id)
    for at, planes in sorted(over.items(), key=lambda kv: str(kv[0])):
        order = Bomb(at, tuple(sorted(planes)), UNITS)
        if legal(session, order):
            yield order


# works ----------------------------------------------------------------------------------------------------------------


def dig_in(session: Session, mine: Callable[[str], bool]) -> Iterator[Order]:
    """Japanese battalions beside the enemy that did not move dig in, one to a hex."""
    state: State = session.state
    enemy = zones(state, other_side(state.player))
    for hex_, there in sorted(stacks(state).items()):
        if hex_ not in enemy or hex_ in session.state.hedgehogs or there[0].counter.side != state.player:
            continue
        order = next((DigIn(p.id) for p in there if mine(p.id) and legal(session, DigIn(p.id))), None)
        if order is not None:
            yield order


def fortify(session: Session, hexes: Places, level: int, keep: int) -> Iterator[Order]:
    """A level more for works in some hexes, while the tokens at hand are more than `keep`."""
    for hex_ in hexes:
        state: State = session.state
        works = state.hedgehogs.get(hex_)
        if (works.level if works else 0) >= level:
            continue
        units = [u for u in builders(state, hex_) if not state.pieces[u].counter.is_hq]
        if units and _rich(state, hex_, keep):
            gangs = (Fortify(hex_, tuple(units[:n])) for n in range(1, len(units) + 1))
            order = next((o for o in gangs if legal(session, o)), None)
            if order is not None:
                yield order


def _rich(state: State, hex_: int, keep: int) -> bool:
    near = state.board.grid.disc(hex_, 4)
    return sum(d.tokens for h, d in state.dumps.items() if h in near and d.side == state.player) > keep
