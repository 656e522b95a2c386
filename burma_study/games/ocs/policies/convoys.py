"""Supply on rails, wheels, hooves and wings of a policy, and what it does about dumps that are to be given up.

Convoys go round enemy zones and come back for more as long as the phase lasts. Herds follow the hungry. Dumps that
nobody lives from any more are blown before the enemy comes to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from burma_study.engine.orders import Order
from burma_study.engine.session import Session
from burma_study.games.ocs.policies.marching import FAR, Care, enemy_distance, march, toward
from burma_study.games.ocs.policies.phases import legal
from burma_study.rules.ocs.goods.dumps import Blow
from burma_study.rules.ocs.goods.rails import Freight, Rail, capacity_left, ends_for, lines_between
from burma_study.rules.ocs.goods.transport import Load, Unload, loadable, may_unload
from burma_study.rules.ocs.goods.works import Buffaloes
from burma_study.rules.ocs.movement.reach import mover
from burma_study.rules.ocs.movement.terrain import MP
from burma_study.rules.ocs.movement.zoc import held, unnegated
from burma_study.rules.ocs.state import Piece, State, Transport, Where, stack

SHY = Care(shy=True)
FARTHEST = 40 * MP  # twelfths: a convoy fetches nothing from farther; trucks come as far in a turn, mules in four
TRIPS = 8  # orders to one convoy in a phase
NEXT_DOOR = 4  # hexes: what lies so near the front is there
GRAZING = 4  # hexes from a herd at which it feeds units
WORTH_BLOWING = 3  # tokens
REACHED = 6  # hexes: how far the enemy comes in a turn on foot
IN_USE = 4  # hexes from a dump at which friends live from it


# railway --------------------------------------------------------------------------------------------------------------


def entrain(session: Session, start: Where, end: Where, wanted: Callable[[Piece], bool]) -> Iterator[Order]:
    """Units that are wanted ride from one place to another, the strongest first, as long as the line has room."""
    state: State = session.state
    waiting = [p for p in state.units(state.player) if p.at == start and wanted(p)]
    for piece in sorted(waiting, key=lambda p: (-(p.counter.combat.attack or 0), p.id)):
        order = Rail(piece.id, end)
        if legal(session, order):
            yield order


def freight(session: Session, start: Where, end: Where, keep: int = 0) -> Iterator[Order]:
    """As much as a line still carries from one place to another, less what is to be kept."""
    state: State = session.state
    if end not in ends_for(state, start):
        return
    names = lines_between(state, state.player, start, end)
    room = max((left if (left := capacity_left(state, n)) is not None else 999 for n in names), default=0)
    tokens = min(room, loadable(state, state.player, start) - keep)
    order = Freight(start, end, tokens)
    if tokens > 0 and legal(session, order):
        yield order


# road and track -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Route:
    """What convoys do: set down at the first group of `fronts` that they come to, fetch from `sources`.

    From what is `given_up` they take what they can carry, once.
    """

    fronts: tuple[tuple[int, ...], ...]
    sources: tuple[int, ...]
    given_up: frozenset[int] = frozenset()

    @property
    def goals(self) -> frozenset[int]:
        """All hexes of the front."""
        return frozenset(h for group in self.fronts for h in group)


def route(state: State, side: str, fronts: Iterable[Iterable[int]], given_up: Iterable[int] = ()) -> Route:
    """Convoys fetch what does not lie at the front."""
    groups, leaving = tuple(tuple(sorted(g)) for g in fronts), frozenset(given_up)
    goals, far = [h for g in groups for h in g], state.board.grid.distance
    dumps = sorted(h for h, d in state.dumps.items() if isinstance(h, int) and d.side == side)
    behind = (h for h in dumps if h in leaving or min((far(h, g) for g in goals), default=0) > NEXT_DOOR)
    return Route(tuple(g for g in groups if g), tuple(behind), leaving)


def haul(session: Session, way: Route, skip: Iterable[str] = ()) -> Iterator[Order]:
    """Each convoy takes supply from the sources to the front and comes back for more."""
    left_alone = frozenset(skip)
    for id_ in sorted(t.id for t in session.state.transport.values() if t.side == session.state.player):
        points = session.state.transport.get(id_)
        if points is not None and id_ not in left_alone and _carries(points):
            yield from _haul_one(session, id_, way)


def _carries(points: Transport) -> bool:
    return points.kind != "buffalo" and not points.extender and isinstance(points.at, int)


def _haul_one(session: Session, id_: str, way: Route) -> Iterator[Order]:
    for _ in range(TRIPS):
        points = session.state.transport.get(id_)
        order = _next_haul(session.state, points, way) if points is not None and not points.done else None
        if order is None or not legal(session, order):
            return
        yield order


def _next_haul(state: State, t: Transport, way: Route) -> Order | None:
    """Load at a source, set down at the front, else march to the one or the other."""
    assert isinstance(t.at, int)
    if t.load:
        return _forward(state, t, way)
    there = loadable(state, t.side, t.at)
    if t.at in way.sources and there and _front_of(state, t, way):
        return Load(t.id, min(there, t.size))
    wanted = _worth_the_way(state, t, way)
    return _drive(state, t, wanted) if wanted and t.at not in wanted else None


def _forward(state: State, t: Transport, way: Route) -> Order | None:
    """To the front and set down there; where the road ends before, beside friends only."""
    front = _front_of(state, t, way)
    if t.at in (front or way.goals):
        return Unload(t.id, t.load) if may_unload(state, t.side, t.at) else None
    order = _drive(state, t, front) if front else None
    assert isinstance(t.at, int)
    friends = any(p.counter.attack_capable for p in stack(state, t.at) if p.counter.side == t.side)
    stranded = order is None and friends and t.at not in way.sources and not t.spent
    return Unload(t.id, t.load) if stranded and may_unload(state, t.side, t.at) else order


def _front_of(state: State, t: Transport, way: Route) -> tuple[int, ...]:
    """The first group of hexes to which a convoy comes in a few turns; empty if there is none."""
    return next((g for g in way.fronts if t.at in g or (_cost(state, t, g) or FAR) <= FARTHEST), ())


def _worth_the_way(state: State, t: Transport, way: Route) -> tuple[int, ...]:
    """Sources with supply that a convoy comes to in a few turns."""
    full = (h for h in way.sources if h not in way.given_up and loadable(state, t.side, h))
    return tuple(h for h in full if h == t.at or (_cost(state, t, (h,)) or FAR) <= FARTHEST)


def _cost(state: State, t: Transport, goals: Iterable[int]) -> int | None:
    """Twelfths of an MP to the nearest of some hexes, round the enemy's zones; None if there is no way."""
    assert isinstance(t.at, int)
    return toward(state, t.side, mover(state, t.id).mobility, goals, unnegated(state, t.side)).cost(t.at)


def _drive(state: State, t: Transport, goals: Iterable[int]) -> Order | None:
    return march(state, (t.id,), goals, SHY, unnegated(state, t.side))


# herds ----------------------------------------------------------------------------------------------------------------


def buffaloes(session: Session, herds: Iterable[tuple[int, int]]) -> Iterator[Order]:
    """Supply of the set-up becomes herds: tokens by hex."""
    for hex_, tokens in herds:
        order = Buffaloes(hex_, tokens)
        if legal(session, order):
            yield order


def drive_herds(
    session: Session, hungry: Callable[[State], Iterable[str]], skip: Iterable[str] = ()
) -> Iterator[Order]:
    """Each herd goes to where most units that have nothing else to eat are near it."""
    left_alone, side = frozenset(skip), session.state.player
    for id_ in sorted(t.id for t in session.state.transport.values() if t.side == side and t.kind == "buffalo"):
        state: State = session.state
        herd = state.transport[id_]
        if id_ in left_alone or herd.done or not isinstance(herd.at, int):
            continue
        goal = _pasture(state, herd.at, [state.pieces[u].at for u in hungry(state.put("transport", id_, None))])
        order = march(state, (id_,), (goal,), SHY, unnegated(state, side)) if goal not in (None, herd.at) else None
        if order is not None and legal(session, order):
            yield order


def _pasture(state: State, at: int, mouths: Iterable[Where]) -> int | None:
    """Of the hexes of hungry units the one with most others near, the nearest of several."""
    hexes, far = [h for h in mouths if isinstance(h, int)], state.board.grid.distance
    here = sum(far(at, h) <= GRAZING for h in hexes)
    best = min(set(hexes), key=lambda g: (-sum(far(g, h) <= GRAZING for h in hexes), far(at, g), g), default=None)
    return best if best is not None and sum(far(best, h) <= GRAZING for h in hexes) > here else None


# what is given up -----------------------------------------------------------------------------------------------------


def blow(session: Session) -> Iterator[Order]:
    """Dumps that nobody lives from any more and that the enemy will come to are blown."""
    state: State = session.state
    side, grid = state.player, session.state.board.grid
    for hex_, dump in sorted((h, d) for h, d in state.dumps.items() if isinstance(h, int) and d.side == side):
        in_use = not held(state, side).isdisjoint(grid.disc(hex_, IN_USE))
        order = Blow(hex_, dump.tokens)
        reached = enemy_distance(state, side, hex_) <= REACHED
        if reached and not in_use and dump.tokens >= WORTH_BLOWING and legal(session, order):
            yield order
