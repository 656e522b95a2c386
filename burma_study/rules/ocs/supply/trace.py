"""Trace supply: who is in supply, along which path, and what stopped the others (OCS 12.6, Burma 2.4-2.5, 3.4, 3.7).

Five facts are kept apart: the *marker* a unit carries since its last Supply Phase, its *projected* status were that
phase now, *combat* supply, *fuel* and *eating*. The last three are in `on_map`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from burma_study.answers.showing import html_table
from burma_study.errors import ScenarioError, did_you_mean
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import counter, other_side
from burma_study.rules.ocs.movement.stacking import works_with_all
from burma_study.rules.ocs.movement.terrain import mp
from burma_study.rules.ocs.movement.zoc import whose
from burma_study.rules.ocs.state import Piece, State, Transport, stack
from burma_study.rules.ocs.supply.lines import RECALL, Station, draw_path, forget_lines, railway_shut
from burma_study.rules.ocs.supply.net import Draw, Net, Thrower, draw_bar, draw_mobility

BOXES = ("silchar", "ledo")


@dataclass(frozen=True, slots=True)
class Leg:
    """One leg of a trace, from the source's end: `kind` rail, river, ledo, roads, point, extender, draw or throw.

    `cost` and `limit` are in twelfths of an MP, None where the line has no limit; `unit` names them ("MP/12 truck").
    `by` is the HQ, extender or port that carries it.
    """

    kind: str
    hexes: tuple[int, ...]
    cost: int | None = None
    limit: int | None = None
    unit: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Miss:
    """A way that failed: `way` draw or throw, `by` the HQ; what stopped it and where.

    `stopped`: `range` (`short` twelfths too few), `zone` or `enemy` (in `at`, by the unit `whose`), `line` (cut in
    `at`), `mode` (the HQ may not throw), `hq` (the HQ has no trace itself), `none` (nothing within sight).
    """

    way: str
    stopped: str
    by: str = ""
    cost: int | None = None
    limit: int | None = None
    short: int = 0
    at: int | None = None
    whose: str = ""
    hexes: tuple[int, ...] = ()
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    """A unit's trace supply: `status` in, out or box (always supplied, Burma 3.4); legs from the source to the unit."""

    unit: str
    hex: int | None
    marker: bool
    status: str
    legs: tuple[Leg, ...] = ()
    source: int | None = None
    misses: tuple[Miss, ...] = ()
    rules: tuple[str, ...] = ()

    @property
    def in_supply(self) -> bool:
        """Does it trace?"""
        return self.status != "out"

    def __repr__(self) -> str:
        by = " by ".join(dict.fromkeys(leg.kind for leg in self.legs))
        return f"<Trace of {self.unit}: {self.status}{f', {by}' if by else ''}>"


@dataclass(frozen=True)
class Picture:
    """The trace supply of a side at one moment, by unit id; `net` holds the fields it was read from."""

    net: Net
    traces: Mapping[str, Trace]
    against: frozenset[str] = frozenset()  # units whose misses were weighed against the net without the enemy

    @property
    def side(self) -> str:
        """Whose."""
        return self.net.side

    def __repr__(self) -> str:
        tracing = len(self.traces) - len(self.out)
        return f"<Supply of the {self.side} side: {tracing} of {len(self.traces)} units trace>"

    def _repr_html_(self) -> str:
        """Those that do not trace, with how near each came."""
        label = self.net.state.board.label
        rows = [
            (counter(t.unit).label, label(t.hex) if t.hex is not None else "", _nearest(t.misses)) for t in self.out
        ]
        return html_table(repr(self).strip("<>"), ("without a trace", "hex", "the nearest way"), rows)

    @cached_property
    def out(self) -> tuple[Trace, ...]:
        """Those that do not trace, by id."""
        return tuple(t for _, t in sorted(self.traces.items()) if not t.in_supply)


def _nearest(misses: tuple[Miss, ...]) -> str:
    """The way that came nearest, e.g. "throw of 4 Corps HQ, short by 0.5 MP"."""
    if not misses:
        return "none"
    miss = misses[0]
    by = f" of {counter(miss.by).label}" if miss.by else ""
    return f"{miss.way}{by}: " + (f"short by {mp(miss.short)} MP" if miss.stopped == "range" else miss.stopped)


def supply(state: State, side: str) -> Picture:
    """The projected trace supply of every unit of a side that is on the map or in a box."""
    net = Net(state, side)
    tracer = Tracer(net)
    kept, weighed = _standing(tracer)
    pieces = (p for p in state.units(side) if isinstance(p.at, int) or p.at in BOXES)
    traces = {p.id: kept.get(p.id) or tracer.trace(p) for p in pieces}
    picture = Picture(net, traces, weighed | tracer.against)
    _LAST.insert(0, picture)
    del _LAST[_DEPTH:]
    return picture


_DEPTH = 6
_LAST: list[Picture] = []  # the last pictures: after one piece moved most traces of a side stand


def forget() -> None:
    """Drop what the last pictures left behind, so that the next one is worked out from nothing."""
    _LAST.clear()
    RECALL.clear()
    forget_lines()


def _standing(tracer: Tracer) -> tuple[dict[str, Trace], frozenset[str]]:
    """Traces of a last picture that still hold, by id, of units that are as they were.

    The same stations, fields and throws lead to the same trace. What stopped the others is told by comparison with the
    net without the enemy, and names him: such a trace holds only while that net and every enemy unit are as they were.
    """
    net, rules = tracer.net, tracer.net.state.rules
    old = next((p for p in _LAST if p.net.state.rules == rules and p.net.same_reach(net)), None)
    if old is None:
        return {}, frozenset()
    pieces, now = old.net.state.pieces, net.state.pieces
    traces = [(i, t) for i, t in old.traces.items() if pieces is now or pieces[i] == now.get(i)]
    if old.out and not _same_without_the_enemy(old.net, net):
        return {i: t for i, t in traces if t.in_supply}, frozenset()
    if old.against and pieces is not now and _foes(old.net) != _foes(net):
        return {i: t for i, t in traces if i not in old.against}, frozenset()
    return dict(traces), old.against


def _same_without_the_enemy(old: Net, new: Net) -> bool:
    """Whether two nets of the same reach would still be alike without the enemy: the same sources and extenders."""
    a, b = old.state, new.state
    marks = all(a.markers.get(m) == b.markers.get(m) for m in ("sources", "road_head", "area"))
    return marks and (a.transport is b.transport or _extenders(old) == _extenders(new))


def _extenders(net: Net) -> set[Transport]:
    return {t for t in net.state.transport.values() if t.side == net.side and t.extender}


def _foes(net: Net) -> list[Piece]:
    """The enemy units on the map; pieces that did not change are the same objects, so that lists compare at once."""
    return [p for p in net.state.units(other_side(net.side)) if isinstance(p.at, int)]


def trace(state: State, unit: str) -> Trace:
    """The projected trace supply of one unit; ScenarioError when it is not in play."""
    piece = state.pieces.get(unit)
    if piece is None or not (isinstance(piece.at, int) or piece.at in BOXES):
        raise ScenarioError(f"Unit {unit!r} is not in play. {did_you_mean(unit, state.pieces)}".strip())
    return Tracer(Net(state, piece.counter.side)).trace(piece)


@rule("ocs-series/5.8-trace")
def tracing(state: State, unit: str) -> Callable[[State, str, int], bool]:
    """A question for `reach`: could this unit trace in a hex, once it is there in Strategic Mode (OCS 5.8b)?

    The net is that of the other units, read once: in Strategic Mode a unit stands in no zone that it would negate.
    """
    piece = replace(state.pieces[unit], mode="strat", face="move")
    tracer = Tracer(Net(state.put("pieces", unit, None), piece.counter.side))

    def traces(_state: State, _unit: str, hex_: int) -> bool:
        return tracer.could_trace(replace(piece, at=hex_))

    return traces


@dataclass(frozen=True)
class Tracer:
    """Reads traces and near misses off a net."""

    net: Net

    @cached_property
    def free(self) -> Net:
        """The net as it would be without the enemy, to say what an enemy costs."""
        return Net(self.net.state, self.net.side, free=True)

    @cached_property
    def _free_throwers(self) -> dict[str, Thrower]:
        return {t.piece.id: t for t in self.free.throwers}

    @cached_property
    def _own_misses(self) -> dict[str, Miss]:
        return {}

    @cached_property
    def against(self) -> set[str]:
        """Units whose misses were weighed against the net without the enemy, so that they depend on where he is."""
        return set()

    @cached_property
    def _hqs_compared(self) -> set[str]:
        return set()

    @cached_property
    def _compared(self) -> set[str]:
        return set()

    @cached_property
    def _by_group(self) -> dict[str, list[Thrower]]:
        groups: dict[str, list[Thrower]] = {}
        for thrower in self.net.throwers:
            groups.setdefault(thrower.piece.counter.group, []).append(thrower)
        return groups

    @rule("ocs-series/12.6", "ocs/3.4")
    def trace(self, piece: Piece) -> Trace:
        """Draw from a station if one is in range, else the cheapest throw of an HQ that draws (ties: lowest id)."""
        if not isinstance(piece.at, int):
            return Trace(piece.id, None, piece.oos, "box", rules=("ocs/3.4",))
        mobility, group = draw_mobility(piece), piece.counter.group
        draw = self.net.draw(piece.at, mobility, group, self.net.draw_limit)
        if draw is not None and not draw_bar(self.net.state, piece):
            return self._traced(piece, self._draw_legs(draw, mobility), draw.station)
        thrown = self._thrown(piece, piece.at)
        if thrown is not None:
            return thrown
        return Trace(
            piece.id, piece.at, piece.oos, "out", misses=self._misses(piece, piece.at), rules=("ocs-series/12.6",)
        )

    @rule("ocs-series/5.8-trace")
    def could_trace(self, piece: Piece) -> bool:
        """Is trace possible where a unit stands, also to an HQ that may not draw in its mode (OCS 5.8)?"""
        return self.traces(replace(piece, mode="move") if piece.counter.is_hq else piece)

    def traces(self, piece: Piece) -> bool:
        """Whether a unit traces, without its legs or misses."""
        if not isinstance(piece.at, int):
            return True
        field, _ = self.net.draw_field(draw_mobility(piece), piece.counter.group)
        cost = field.cost(piece.at)
        if cost is not None and cost <= self.net.draw_limit and not draw_bar(self.net.state, piece):
            return True
        reaches = ((hq, hq.reach(self.net.grid, piece.at)) for hq in self._hqs(piece) if hq.draw and not hq.bar)
        return any(r is not None and r[0] <= hq.limit for hq, r in reaches)

    def _traced(self, piece: Piece, legs: tuple[Leg, ...], station: Station) -> Trace:
        rules = ("ocs-series/12.6", *sorted({r for leg in legs for r in LEG_RULES.get(leg.kind, ())}))
        return Trace(piece.id, piece.at, piece.oos, "in", legs, station.source, rules=rules)  # type: ignore[arg-type]

    @rule("ocs-series/12.3b")
    def _thrown(self, piece: Piece, hex_: int) -> Trace | None:
        best: tuple[int, str, int, Thrower] | None = None
        for hq in self._hqs(piece):
            reach = hq.reach(self.net.grid, hex_)
            if hq.draw and not hq.bar and reach and reach[0] <= hq.limit:
                best = min(best or (reach[0], hq.piece.id, reach[1], hq), (reach[0], hq.piece.id, reach[1], hq))
        if best is None:
            return None
        cost, _, end, hq = best
        assert hq.draw is not None
        leg = Leg("throw", hq.path(end, hex_), cost, hq.limit, f"MP/12 {hq.mobility}", hq.piece.id)
        return self._traced(piece, (*self._draw_legs(hq.draw, hq.mobility, hq.piece.id), leg), hq.draw.station)

    @rule("ocs/3.7a", "ocs/2.5a", "ocs/3.7b", "ocs-series/erratum.9")
    def _hqs(self, piece: Piece) -> Iterable[Thrower]:
        """HQs of the unit's cooperation group other than itself; divisions do not matter in Burma."""
        if works_with_all(self.net.state.rules, piece.counter):
            return self.net.throwers
        return (t for t in self._by_group.get(piece.counter.group, ()) if t.piece.id != piece.id)

    @rule("ocs-series/12.3a")
    def _draw_legs(self, draw: Draw, mobility: str, by: str = "") -> tuple[Leg, ...]:
        limit = self.net.draw_limit
        leg = Leg("draw", tuple(reversed(draw.hexes)), draw.cost, limit, f"MP/12 {mobility}", by)
        return (*station_legs(draw.station), leg)

    # what stopped the others ----------------------------------------------------------------------------------------

    def _misses(self, piece: Piece, hex_: int) -> tuple[Miss, ...]:
        """Every way that failed, the nearest to success first."""
        self._compared.clear()
        found = [self._draw_miss(piece, hex_), *(self._throw_miss(hq, hex_) for hq in self._hqs(piece))]
        if self._compared:
            self.against.add(piece.id)
        return tuple(sorted(found, key=_distance_from_success))

    def _draw_miss(self, piece: Piece, hex_: int, by: str = "") -> Miss:
        mobility, group, limit = draw_mobility(piece), piece.counter.group, self.net.draw_limit
        unit = f"MP/12 {mobility}"
        field_, found = self.net.draw_field(mobility, group)
        cost = field_.cost(hex_)
        bar = draw_bar(self.net.state, piece)
        if bar and cost is not None:
            hexes, _ = draw_path(field_, self.net.grid, found, hex_)
            short = max(0, cost - limit)
            return Miss("draw", "mode", by, cost, limit, short, whose=bar, hexes=hexes, unit=unit)
        free_field, free_found = self.free.draw_field(mobility, group)
        free_cost = free_field.cost(hex_)
        if free_cost is not None and (cost is None or free_cost < cost):
            self._compared.add(by)
            hexes, station = draw_path(free_field, self.net.grid, free_found, hex_)
            where = self._cut(station) or self._barred(hexes[1:-1] if len(hexes) > 1 else (), mobility)
            if where is not None and (free_cost <= limit or cost is None):
                return Miss(
                    "draw", where[0], by, free_cost, limit, max(0, free_cost - limit), where[1], where[2], hexes, unit
                )
        if cost is None:
            return Miss("draw", "none", by, None, limit, unit=unit)
        hexes, _ = draw_path(field_, self.net.grid, found, hex_)
        return Miss("draw", "range", by, cost, limit, cost - limit, hexes=hexes, unit=unit)

    def _throw_miss(self, hq: Thrower, hex_: int) -> Miss:
        by, unit = hq.piece.id, f"MP/12 {hq.mobility}"
        reach = hq.reach(self.net.grid, hex_)
        if hq.bar and reach is not None:
            short = max(0, reach[0] - hq.limit)
            hexes = hq.path(reach[1], hex_)
            return Miss("throw", "mode", by, reach[0], hq.limit, short, whose=hq.bar, hexes=hexes, unit=unit)
        if reach is not None and reach[0] <= hq.limit:
            return self._hq_miss(hq, reach, hex_, unit)
        twin = self._free_throwers[by]
        free = twin.reach(self.net.grid, hex_)
        if free is not None and (reach is None or free[0] < reach[0]):
            self._compared.add(by)
            hexes = twin.path(free[1], hex_)
            where = self._barred(hexes[1:-1], hq.mobility)
            if where is not None and (free[0] <= hq.limit or reach is None):
                short = max(0, free[0] - hq.limit)
                return Miss("throw", where[0], by, free[0], hq.limit, short, where[1], where[2], hexes, unit)
        if reach is None:
            return Miss("throw", "none", by, None, hq.limit, unit=unit)
        return Miss(
            "throw", "range", by, reach[0], hq.limit, reach[0] - hq.limit, hexes=hq.path(reach[1], hex_), unit=unit
        )

    def _hq_miss(self, hq: Thrower, reach: tuple[int, int], hex_: int, unit: str) -> Miss:
        """The HQ reaches the unit but has nothing to throw: how far its own draw came short."""
        assert isinstance(hq.piece.at, int)
        own = self._own_misses.get(hq.piece.id)
        if own is None:
            own = self._own_misses[hq.piece.id] = self._draw_miss(hq.piece, hq.piece.at, hq.piece.id)
            if hq.piece.id in self._compared:
                self._hqs_compared.add(hq.piece.id)
        if hq.piece.id in self._hqs_compared:
            self._compared.add(hq.piece.id)
        hexes = hq.path(reach[1], hex_)
        return Miss("throw", "hq", hq.piece.id, reach[0], hq.limit, own.short, own.at, own.whose, hexes, unit)

    @rule("ocs/1.11")
    def _cut(self, station: Station) -> tuple[str, int, str] | None:
        """Where a line that would feed a station is cut, if it is."""
        open_lines = {(s.hex, s.kind) for s in self.net.stations}
        if (station.hex, station.kind) in open_lines:
            return None
        railway = railway_shut(self.net.state) if self.net.side == "allied" else frozenset()
        shut = self.net.enemies | self.net.zoned | railway
        for hex_ in (*station.line, *(sorted(railway) if station.kind == "ledo" else ())):
            if hex_ in shut:
                return "line", hex_, self._holder(hex_)
        return ("line", station.hex, "") if station.fed_by is None else self._cut(station.fed_by)

    def _barred(self, hexes: Iterable[int], mobility: str) -> tuple[str, int, str] | None:
        for hex_ in hexes:
            if hex_ in self.net.enemies:
                return "enemy", hex_, self._holder(hex_)
            if hex_ in self.net.blocked[mobility]:
                return "zone", hex_, self._holder(hex_)
        return None

    def _holder(self, hex_: int) -> str:
        """The enemy unit in a hex, else the first whose zone covers it, else the first beside it."""
        state, enemy = self.net.state, other_side(self.net.side)
        here = [p.id for p in stack(state, hex_) if p.counter.side == enemy]
        beside = (p.id for n in self.net.grid.adjacent[hex_] for p in stack(state, n) if p.counter.side == enemy)
        return next(iter((*here, *whose(state, enemy, hex_), *beside)), "")


LEG_RULES = {
    "rail": ("ocs/1.3", "ocs-series/13.3c"),
    "river": ("ocs/2.5b",),
    "ledo": ("ocs/3.8",),
    "roads": ("ocs/learning.sr1",),
    "extender": ("ocs-series/12.7",),
    "draw": ("ocs-series/12.3a",),
    "throw": ("ocs-series/12.3b",),
}
_ORDER = ("range", "line", "zone", "enemy", "hq", "mode", "none")


def _distance_from_success(miss: Miss) -> tuple[bool, int, int, str]:
    """Sort key: what came nearest first; ways that nothing within sight could open last."""
    return miss.stopped == "none", miss.short, _ORDER.index(miss.stopped), miss.by


def station_legs(station: Station) -> tuple[Leg, ...]:
    """The legs from the source to a station: those of the station that feeds it, then its own line."""
    before = station_legs(station.fed_by) if station.fed_by else ()
    if station.kind == "extender":
        limits = station.cost, station.limit, "MP/12 truck", station.by
        return (*before, Leg("extender", station.line, *limits))
    return (*before, Leg(station.kind, station.line)) if len(station.line) > 1 else before
