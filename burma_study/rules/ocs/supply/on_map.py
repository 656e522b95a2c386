"""Supply points on the map: what a unit could eat, fight and drive on, and from which dump (OCS 12.3-12.6, 12.10).

A *store* is what lies or stands in one hex: the dump and the loads of transport there. A unit reaches a store by
drawing directly, or through an HQ that draws it and throws it on. Scarce tokens are given out in the order that the
player chooses; the default is by hex label and then by id, each unit from the store it reaches most cheaply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil

from burma_study.boards.search import Field, spread, spread_each
from burma_study.hexes.grid import Grid
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.movement.stacking import works_with_all
from burma_study.rules.ocs.state import Piece, State
from burma_study.rules.ocs.supply.net import MOBILITIES, Net, Thrower, draw_bar, draw_mobility
from burma_study.rules.ocs.supply.trace import Picture, supply


@dataclass(frozen=True, slots=True)
class Way:
    """How a unit reaches a store: `cost` of the draw or throw in twelfths, `hq` when thrown, the hexes of each leg."""

    store: int
    cost: int
    hq: str
    hexes: tuple[int, ...]
    draw_cost: int
    draw_hexes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Meal:
    """What a group of units would eat from one store in their Supply Phase, in tokens."""

    store: int
    units: tuple[str, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Means:
    """What a unit could pay one kind of cost with: `cost` in tokens, the way to a store that has them, or its stocks.

    `source` is `dump`, `stocks` or empty when it cannot pay.
    """

    kind: str
    cost: int
    source: str
    way: Way | None = None


@dataclass(frozen=True)
class OnMap:
    """The stores of a side and who reaches them; with `places` who reaches those hexes instead."""

    picture: Picture
    places: frozenset[int] | None = None

    @property
    def net(self) -> Net:
        """The net that the paths are read from."""
        return self.picture.net

    @property
    def state(self) -> State:
        """The state."""
        return self.net.state

    @cached_property
    def stores(self) -> dict[int, int]:
        """Tokens of supply points in each hex, dump and loads together, for every use."""
        return self._stores(lambda kind: kind != "buffalo")

    @cached_property
    @rule("ocs/2.5d")
    def food(self) -> dict[int, int]:
        """Tokens to eat in each hex: as the stores, and water buffaloes."""
        return self._stores(lambda kind: True)

    def _stores(self, counts: Callable[[str], bool]) -> dict[int, int]:
        side, found = self.net.side, dict[int, int]()
        for where, dump in self.state.dumps.items():
            if dump.side == side and isinstance(where, int) and dump.tokens:
                found[where] = found.get(where, 0) + dump.tokens
        for t in self.state.transport.values():
            if t.side == side and isinstance(t.at, int) and t.load and counts(t.kind):
                found[t.at] = found.get(t.at, 0) + t.load
        return found

    @cached_property
    def _fields(self) -> dict[str, list[tuple[int, Field]]]:
        """For each mobility the field of drawing from each store, by hex."""
        limit, grid, net = self.net.limit("draw_range"), self.net.grid, self.net
        hexes = sorted(self.food if self.places is None else self.places)
        return {
            m: [
                (h, spread(net.arcs(m), (h, *grid.adjacent[h]), limit=limit, blocked=net.blocked[m], reverse=True))
                for h in hexes
            ]
            for m in MOBILITIES
        }

    @cached_property
    def _thrown(self) -> list[tuple[Thrower, list[Way]]]:
        """The HQs that may throw, each with its own draws."""
        active = (t for t in self.net.throwers if not t.bar)
        return [(t, self._draws(t.piece.at, t.mobility)) for t in active]

    def _draws(self, hex_: int | str, mobility: str) -> list[Way]:
        assert isinstance(hex_, int)
        ways = []
        for store, field in self._fields[mobility]:
            cost = field.cost(hex_)
            if cost is not None:
                path = field.path(hex_)
                hexes = path if path[-1] == store else (*path, store)
                ways.append(Way(store, cost, "", hexes, cost, hexes))
        return ways

    @rule("ocs-series/12.3", "ocs/2.5c", "ocs/3.7a", "ocs-series/erratum.9", "ocs-series/5.7", "ocs-series/5.8")
    def ways(self, piece: Piece, use: str = "") -> tuple[Way, ...]:
        """Every way of a unit to a store, cheapest first: direct draws, then what its HQs draw and throw.

        An HQ in Reserve or Strat Mode draws nothing but fuel in 1999 (`draw_bar`).
        """
        if not isinstance(piece.at, int):
            return ()
        group, own = piece.counter.group, piece.id
        of_all = works_with_all(self.state.rules, piece.counter)
        hqs = [(hq, w) for hq, w in self._thrown if (of_all or hq.piece.counter.group == group) and hq.piece.id != own]
        found = self._all_ways(piece.at, draw_mobility(piece), hqs)
        barred = use != "fuel" and draw_bar(self.state, piece)
        return tuple(w for w in found if w.hq) if barred else found

    def ways_at(self, hex_: int) -> tuple[Way, ...]:
        """The same for something that is no unit, such as an air base: draws by Truck MP, throws of any HQ."""
        return self._all_ways(hex_, "truck", self._thrown)

    def _all_ways(self, hex_: int, mobility: str, hqs: Iterable[tuple[Thrower, list[Way]]]) -> tuple[Way, ...]:
        found = self._draws(hex_, mobility)
        for hq, drawn in hqs:
            reach = hq.reach(self.net.grid, hex_)
            if reach is not None and reach[0] <= hq.limit:
                hexes = hq.path(reach[1], hex_)
                found += [Way(w.store, reach[0], hq.piece.id, hexes, w.cost, w.hexes) for w in drawn]
        return tuple(sorted(found, key=lambda w: (w.hq != "", w.cost, w.draw_cost, w.store != hex_, w.store, w.hq)))

    # eating ---------------------------------------------------------------------------------------------------------

    @rule("ocs-series/12.6c", "ocs/2.5a")
    def meal_cost(self, units: Sequence[Piece]) -> int:
        """Tokens that a group eats: 1T for 2 RE or part of it, for Japanese and INA 1T for 10 counters or part."""
        costs = self.state.rules.charts.supply_costs
        if self.net.side == "japanese":
            return ceil(Fraction(len(units), costs["eat_japanese_counters"]))
        return ceil(sum((p.counter.re for p in units), Fraction(0)) / costs["eat_re"])

    def meals(self, order: Iterable[str] | None = None) -> tuple[Meal, ...]:
        """Who would eat from which store now. `order` is the order of choice, by default hex label and then id."""
        hungry = [self.state.pieces[t.unit] for t in self.picture.out]
        ids = list(order) if order is not None else [p.id for p in sorted(hungry, key=self._default_order)]
        tables: dict[int, list[Piece]] = {}
        for piece in (self.state.pieces[i] for i in ids if i in self.picture.traces):
            store = self._seat(piece, tables)
            if store is not None:
                tables.setdefault(store, []).append(piece)
        return tuple(Meal(s, tuple(p.id for p in u), self.meal_cost(u)) for s, u in sorted(tables.items()))

    def _default_order(self, piece: Piece) -> tuple[int, str]:
        return (piece.at if isinstance(piece.at, int) else -1, piece.id)

    @rule("ocs-series/12.8")
    def _seat(self, piece: Piece, tables: Mapping[int, list[Piece]]) -> int | None:
        """The first store, cheapest way first, that still feeds the unit together with those already there."""
        if piece.mode == "strat":
            return None
        for way in self.ways(piece):
            if self.meal_cost([*tables.get(way.store, ()), piece]) <= self.food[way.store]:
                return way.store
        return None

    # fighting and driving -------------------------------------------------------------------------------------------

    @rule("ocs-series/12.4", "ocs-series/12.10")
    def combat(self, piece: Piece, *, attacking: bool) -> Means:
        """Combat supply of one unit: 1T a step to attack; to defend 2T a combat, 1T when it is 1 RE or less."""
        costs = self.state.rules.charts.supply_costs
        small = piece.counter.re <= 1
        cost = piece.steps * costs["attack_step"] if attacking else costs["defence_small" if small else "defence"]
        return self._means("attack" if attacking else "defence", piece, cost, stocks=piece.stocks > 0)

    @rule("ocs/1.5", "ocs-series/12.5")
    def fuel(self, piece: Piece) -> Means:
        """Fuel of one unit for a phase of moving: 1T by Truck or Track MA, nothing by Leg."""
        cost = 0 if piece.printed.mobility == "leg" else self.state.rules.charts.supply_costs["fuel"]
        return self._means("fuel", piece, cost, stocks=False)

    def _means(self, kind: str, piece: Piece, cost: int, *, stocks: bool) -> Means:
        """From stores in reach if they have the tokens together, else from internal stocks (12.10a)."""
        if cost == 0:
            return Means(kind, 0, "none")
        ways = [w for w in self.ways(piece, kind) if self.stores.get(w.store, 0)]
        if sum(self.stores[store] for store in {w.store for w in ways}) >= cost:
            rich = next((w for w in ways if self.stores[w.store] >= cost), ways[0])
            return Means(kind, cost, "dump", rich)
        return Means(kind, cost, "stocks" if stocks else "")


def on_map(state: State, side: str) -> OnMap:
    """The side's stores and who reaches them."""
    return OnMap(supply(state, side))


@dataclass(frozen=True, slots=True)
class Facts:
    """The five facts about one unit's supply, never merged (DESIGN 5)."""

    marker: bool
    projected: str
    attack: Means
    defence: Means
    fuel: Means
    eats_from: int | None


def facts(stores: OnMap, unit: str) -> Facts:
    """Marker, projected status (in, box, eats, out), combat supply, fuel and the store it would eat from."""
    piece = stores.state.pieces[unit]
    status = stores.picture.traces[unit].status
    store = next((m.store for m in stores.meals() if unit in m.units), None)
    projected = "eats" if status == "out" and store is not None else status
    attack, defence = stores.combat(piece, attacking=True), stores.combat(piece, attacking=False)
    return Facts(piece.oos, projected, attack, defence, stores.fuel(piece), store)


def draw_rings(net: Net, hex_: int, mobility: str) -> Field:
    """The field of drawing toward a hex, for showing how far a dump or station serves."""
    return spread_each(
        net.arcs(mobility), [hex_], limit=net.limit("draw_range"), blocked=net.blocked[mobility], reverse=True
    )[0]


def serves(grid: Grid, field: Field) -> frozenset[int]:
    """Hexes within a throw field's limit, with those next to them."""
    inside = [h for h in grid if field.cost(h) is not None]
    return frozenset(n for h in inside for n in (h, *grid.adjacent[h]))
