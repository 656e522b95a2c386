"""What if the enemy held these hexes: an imagined unit really placed in each, and what a side would lose by it.

The state after is an ordinary state: what the side has in the hexes is gone and a counter that the game does not have
stands there, so that every rule reads it as it reads any other. With `impassable` nothing is placed and nothing in the
hexes is lost; paths and lines just cannot enter them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from burma_study.errors import BurmaStudyError, did_you_mean
from burma_study.rules.ocs.counters import GHOST_KINDS, GHOSTS, ghost_id, other_side
from burma_study.rules.ocs.movement.limits import outside
from burma_study.rules.ocs.state import Piece, State, Where, stack
from burma_study.rules.ocs.supply.lines import RECALL, rail_sides
from burma_study.rules.ocs.supply.net import Net
from burma_study.rules.ocs.supply.on_map import OnMap
from burma_study.rules.ocs.supply.paths import beyond
from burma_study.rules.ocs.supply.trace import Leg, Picture, Trace, Tracer

IMPASSABLE = "impassable"
GHOST_TEXT = {
    "battalion": "a battalion with a zone of control",
    "garrison": "a garrison without a zone of control",
    IMPASSABLE: "nobody: paths and lines just cannot enter it",
}
NEAR = 1  # a zone and the closing of a railway reach the hexes beside a unit (OCS 4.5, Burma 1.11)
RIVER = 2  # a river is shut where both banks are covered, and a line names one bank


@dataclass(frozen=True, slots=True)
class Cut:
    """What the loss of hexes would do to a side's traces, `by` a kind of `GHOST_TEXT`.

    `lost` are the units elsewhere that trace now and would not, `carried` how many elsewhere trace through the hexes,
    `here` the side's own units in the hexes.
    """

    hexes: tuple[int, ...]
    lost: tuple[str, ...]
    carried: int
    here: tuple[str, ...] = ()
    by: str = "battalion"


@dataclass(frozen=True, slots=True)
class Loss:
    """Everything that a side would lose with hexes; units by id, `dumps` and `transport` in tokens.

    4T are one supply or transport point; loads count as `dumps`. `eaters` are the units, wherever they stand, that eat
    now from a store in the hexes; `starved` those elsewhere that trace or eat now and would do neither; `unpaid` those
    elsewhere that draw combat supply from a store now and could from none. `sources` are sources of trace among the
    hexes, `aircraft` air units at the bases there.
    """

    cut: Cut
    eaters: tuple[str, ...]
    starved: tuple[str, ...]
    unpaid: tuple[str, ...]
    headquarters: tuple[str, ...]
    dumps: int
    transport: int
    bases: tuple[int, ...]
    aircraft: tuple[str, ...]
    hedgehogs: tuple[int, ...]
    sources: tuple[int, ...]

    @property
    def harm(self) -> bool:
        """Would the side lose anything?"""
        return any((self.cut.lost, self.starved, self.unpaid)) or (self.cut.by != IMPASSABLE and self._used)

    @property
    def _used(self) -> bool:
        """Has the side anything in the hexes, or anybody who eats from it?"""
        lies = self.dumps, self.transport, self.bases, self.aircraft, self.hedgehogs, self.sources
        return any((self.cut.here, self.eaters, *lies))

    @property
    def nothing(self) -> bool:
        """Does nothing depend on the hexes, not even what would find another way?"""
        return not (self.harm or self.cut.carried or self._used)


def known_ghost(by: str) -> str:
    """The kind itself; BurmaStudyError for one that is none."""
    if not isinstance(by, str) or by not in GHOST_TEXT:
        hint = did_you_mean(str(by), GHOST_TEXT)
        text = f"{by!r} is nothing that could stand in a hex; write one of {', '.join(GHOST_TEXT)}."
        raise BurmaStudyError(f"{text} {hint}".strip())
    return by


def few_enough(hexes: Collection[int], by: str) -> None:
    """BurmaStudyError for more hexes than there are imagined units."""
    if by in GHOST_KINDS and len(hexes) > GHOSTS:
        raise BurmaStudyError(f"At most {GHOSTS} hexes can be held at once, not {len(hexes)}; ask for {IMPASSABLE!r}.")


def held_by_ghosts(state: State, side: str, hexes: Collection[int], by: str) -> State:
    """The state with what a side has in the hexes gone and an imagined enemy unit in each, in Combat Mode."""
    few_enough(hexes, by)
    if by not in GHOST_KINDS:
        return state
    for table, key in _gone(state, side, frozenset(hexes)):
        state = state.put(table, key, None)
    for number, hex_ in enumerate(sorted(hexes), 1):
        state = state.place(Piece(ghost_id(other_side(side), by, number), hex_))
    return state


def _gone(state: State, side: str, hexes: frozenset[int]) -> Iterator[tuple[str, Where]]:
    """What a side has in the hexes, as table and key."""
    yield from (("pieces", p.id) for h in hexes for p in stack(state, h) if p.counter.side == side)
    for table in ("transport", "aircraft"):
        yield from ((table, i) for i, x in getattr(state, table).items() if x.at in hexes and x.side == side)
    for table in ("dumps", "bases", "hedgehogs"):
        things = getattr(state, table)
        yield from ((table, h) for h in hexes if h in things and things[h].side == side)


@dataclass(frozen=True)
class Losing:
    """Reads off a side's picture what the loss of hexes would cost it; `by` is what would stand in them.

    A trace that no hex of a set comes near stands as it is, so only the others are asked again (`near`).
    """

    picture: Picture
    by: str = "battalion"

    def net(self, hexes: Collection[int]) -> Net:
        """The side's net once the hexes are lost."""
        now, shut = self.picture.net, frozenset(hexes)
        if self.by == IMPASSABLE:
            return Net(now.state, now.side, throws=now.throws, closed=now.closed | shut)
        return Net(held_by_ghosts(now.state, now.side, shut, self.by), now.side, throws=now.throws, closed=now.closed)

    def here(self, hexes: Collection[int]) -> tuple[str, ...]:
        """The side's units in the hexes, by id; nobody's where nothing would be placed."""
        if self.by == IMPASSABLE:
            return ()
        state, side = self.picture.net.state, self.picture.side
        return tuple(sorted(p.id for h in hexes for p in stack(state, h) if p.counter.side == side))

    @cached_property
    def near(self) -> Mapping[int, frozenset[str]]:
        """For each hex the units whose traces its loss might end; for any other hex none."""
        found = near_traces(self.picture)
        return {h: frozenset(units) for h, units in found.items()}

    @cached_property
    def through(self) -> Mapping[int, tuple[str, ...]]:
        """For each hex the units whose traces run through it."""
        return carried(self.picture)

    def cut(self, hexes: Collection[int]) -> Cut:
        """What the loss of all the hexes together would do to the side's traces."""
        few_enough(hexes, self.by)
        here, users = self.here(hexes), {i for h in hexes for i in self.near.get(h, ())}
        through = {i for h in hexes for i in self.through.get(h, ())}.difference(here)
        lost: tuple[str, ...] = ()
        if users.difference(here):
            with RECALL.held():
                tracer = Tracer(self.net(hexes))
                pieces = self.picture.net.state.pieces
                lost = tuple(i for i in sorted(users.difference(here)) if not tracer.traces(pieces[i]))
        return Cut(tuple(sorted(hexes)), lost, len(through), here, self.by)

    def loss(self, hexes: Collection[int]) -> Loss:
        """Everything that depends on the hexes."""
        cut, state, side = self.cut(hexes), self.picture.net.state, self.picture.side
        gone = list(_gone(state, side, frozenset(hexes)))
        keys = {t: sorted(k for table, k in gone if table == t) for t in ("dumps", "transport", "aircraft", "bases")}
        now = OnMap(self.picture)
        with RECALL.held():
            after = OnMap(_bare(self.net(hexes)))
            starved, unpaid = self._starved(now, after), self._unpaid(now, after)
        return Loss(
            cut=cut,
            eaters=tuple(sorted(i for m in now.meals() if m.store in hexes for i in m.units)),
            starved=starved,
            unpaid=unpaid,
            headquarters=tuple(i for i in cut.here if state.pieces[i].counter.is_hq),
            dumps=sum(state.dumps[h].tokens for h in keys["dumps"])
            + sum(state.transport[str(i)].load for i in keys["transport"]),
            transport=sum(state.transport[str(i)].size for i in keys["transport"]),
            bases=tuple(int(h) for h in keys["bases"]),
            aircraft=tuple(str(i) for i in keys["aircraft"]),
            hedgehogs=tuple(sorted(int(key) for table, key in gone if table == "hedgehogs")),
            sources=tuple(sorted({s.hex for s in state.markers.get("sources", ()) if s.side == side} & set(hexes))),
        )

    @staticmethod
    def _starved(now: OnMap, after: OnMap) -> tuple[str, ...]:
        left = after.picture.traces
        return tuple(sorted((_alive(now) - _alive(after)) & left.keys()))

    @staticmethod
    def _unpaid(now: OnMap, after: OnMap) -> tuple[str, ...]:
        """Units left that pay for a defence from a store now and could from none."""
        pays = (i for i in after.picture.traces if _pays(now, i) and not _pays(after, i))
        return tuple(sorted(pays))


def _alive(stores: OnMap) -> set[str]:
    """The units that trace or eat."""
    eating = {i for meal in stores.meals() for i in meal.units}
    return eating | {i for i, t in stores.picture.traces.items() if t.in_supply}


def _pays(stores: OnMap, unit: str) -> bool:
    return stores.combat(stores.state.pieces[unit], attacking=False).source == "dump"


def _bare(net: Net) -> Picture:
    """A side's picture with statuses alone, without legs and near misses."""
    tracer, known = Tracer(net), {}
    for piece in net.state.units(net.side):
        if isinstance(piece.at, int):
            known[piece.id] = Trace(piece.id, piece.at, piece.oos, "in" if tracer.traces(piece) else "out")
    return Picture(net, known)


def carried(picture: Picture) -> dict[int, tuple[str, ...]]:
    """For each hex, the units whose traces run through it (their own hex does not count)."""
    found: dict[int, list[str]] = {}
    for id_, trace in sorted(picture.traces.items()):
        for hex_ in {h for leg in trace.legs for h in leg.hexes} - {trace.hex}:
            found.setdefault(hex_, []).append(id_)
    return {h: tuple(ids) for h, ids in found.items()}


# which traces a hex can touch ---------------------------------------------------------------------------------------


def near_traces(picture: Picture) -> dict[int, set[str]]:
    """For each hex the units whose traces might end with it: never too few, so that all others surely stand."""
    found: dict[int, set[str]] = {}
    known: dict[tuple[str, tuple[int, ...]], frozenset[int]] = {}
    for id_, trace in picture.traces.items():
        for leg in trace.legs:
            key = leg.kind, leg.hexes
            if key not in known:
                known[key] = touching(picture.net, leg)
            for hex_ in known[key]:
                found.setdefault(hex_, set()).add(id_)
    for hex_ in _strayed(picture.net):
        found[hex_] = {i for i, t in picture.traces.items() if t.legs}
    return found


def touching(net: Net, leg: Leg) -> frozenset[int]:
    """The hexes where an enemy might shut a leg: in it and beside it, on a river the next one too.

    The Ledo Road feeds nobody while the railway to Ledo is shut anywhere (Burma 1.11, 3.8).
    """
    grid, hexes = net.grid, set(leg.hexes)
    if leg.kind == "ledo":
        hexes |= {h for s in rail_sides(net.state.board, net.side) for h in s}
    for _ in range(RIVER if leg.kind == "river" else NEAR):
        hexes |= {n for h in hexes for n in grid.adjacent[h]}
    return frozenset(hexes)


def _strayed(net: Net) -> frozenset[int]:
    """Own hexes outside the scenario's area, where units keep the side's paths from being held to it (Short 1)."""
    state, area = net.state, net.state.markers.get("area")
    if not area or beyond(state, net.side):
        return frozenset()
    away = outside(state.board, tuple(area))
    return frozenset(p.at for p in state.units(net.side) if isinstance(p.at, int) and p.at in away)
