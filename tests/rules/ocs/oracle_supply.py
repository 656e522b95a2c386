"""A slow, readable reading of trace supply, for checking the fast one: plain loops, fractions, one search a unit."""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise

from burma_study.hexes.grid import Grid
from burma_study.rules.ocs.movement.terrain import enter_cost, ledo_road
from burma_study.rules.ocs.movement.zoc import has_zone
from burma_study.rules.ocs.state import Piece, State

DRAW, EXTENDER = Fraction(5), {"truck": Fraction(20), "wagon": Fraction(10)}


class Oracle:
    """Who of a side traces supply."""

    def __init__(self, state: State, side: str) -> None:
        self.state, self.side, self.grid, self.board = state, side, state.board.grid, state.board
        mine = [p for p in state.pieces.values() if isinstance(p.at, int) and p.counter.side == side]
        theirs = [p for p in state.pieces.values() if isinstance(p.at, int) and p.counter.side != side]
        area = set(state.markers.get("area", ())) or set(self.grid)
        self.away = set() if any(p.at not in area for p in mine) else set(self.grid) - area
        self.own_hexes = {p.at for p in mine}
        self.enemy_hexes = {p.at for p in theirs}
        zoned = {n for p in theirs if has_zone(p, state.rules.version) for n in self.grid.adjacent[p.at]}
        self.zoned = zoned - self.own_hexes
        self.hqs = [p for p in mine if p.counter.is_hq]
        self.costs: dict[tuple[int, int, str], Fraction | None] = {}
        self.stations = self._stations()

    def cost(self, a: int, b: int, mobility: str) -> Fraction | None:
        if (a, b, mobility) not in self.costs:
            found = None if b in self.away else enter_cost(self.state, a, b, mobility, side=self.side).cost
            self.costs[a, b, mobility] = None if found is None else Fraction(found, 12)
        return self.costs[a, b, mobility]

    def within(self, start: int, mobility: str, limit: Fraction) -> dict[int, Fraction]:
        """Every hex that a path from `start` may end in, with its cost."""
        best, heap = {start: Fraction(0)}, [(Fraction(0), start)]
        while heap:
            spent, here = heappop(heap)
            if spent > best[here]:
                continue
            for n in self.grid.adjacent[here]:
                if n in self.enemy_hexes or (mobility == "truck" and n in self.zoned):
                    continue
                step = self.cost(here, n, mobility)
                if step is not None and spent + step <= limit and spent + step < best.get(n, limit + 1):
                    best[n] = spent + step
                    heappush(heap, (spent + step, n))
        return best

    def next_to(self, hexes: dict[int, Fraction], target: int) -> bool:
        return target in hexes or any(n in hexes for n in self.grid.adjacent[target])

    def _line(self, start: int, links: set[tuple[int, int]], shut: set[int]) -> set[int]:
        reached, todo = {start} - shut, [start]
        while todo and reached:
            here = todo.pop()
            for n in self.grid.adjacent[here]:
                if n not in reached and n not in shut and Grid.key(here, n) in links:
                    reached.add(n)
                    todo.append(n)
        return reached

    def _stations(self) -> set[tuple[int, tuple[str, ...]]]:
        cuts, found = self.enemy_hexes | self.zoned | self.away, set()
        self.rail = {s for r in self.board.routes if r.kind == "rail" and r.owner in ("", self.side) for s in r.sides}
        shut = set()
        if self.side == "allied":
            shut = {h for s in self.rail for h in s if any(self.grid.distance(h, e) <= 1 for e in self.enemy_hexes)}
        self.cuts = cuts | shut
        for source in self.state.markers["sources"]:
            if source.side != self.side:
                continue
            if source.kind in ("rail", "river"):
                found |= {(h, source.groups) for h in self._joint(source.hex, source.kind)}
            elif source.kind == "ledo":
                road = ledo_road(self.board, self.state.markers.get("road_head"))
                links = {Grid.key(a, b) for a, b in pairwise(road)}
                found |= set() if shut else {(h, source.groups) for h in self._line(source.hex, links, cuts)}
            elif source.kind == "roads":
                links = set(self.board.route_sides("all_weather", "fair_weather"))
                found |= {(h, source.groups) for h in self._line(source.hex, links, cuts)}
            elif source.hex not in cuts:
                found.add((source.hex, source.groups))
        return self._extended(found)

    def _joint(self, start: int, kind: str) -> set[int]:
        """Railheads and ports that a line and those joined to it at ports on the railway lead to (2.5b)."""
        todo, done, found = [(start, kind)], set(), set()
        while todo:
            here, by = todo.pop()
            if (here, by) in done:
                continue
            done.add((here, by))
            if by == "rail":
                ends = self._line(here, self.rail, self.cuts)
                heads = {h for h in ends if self.board.feature[h] in ("village", "city")} | {here}
                heads |= {p.at for p in self.hqs if p.face == "combat" and (p.mode == "combat" or p.dg)}
                new = heads & ends
            else:
                new = set() if here in self.cuts else self._ports(here, self.cuts)
            found |= new
            if self.side == "japanese":
                joint = {h for h in new if h in self.board.places_of("port") and any(h in s for s in self.rail)}
                todo += [(h, other) for h in joint for other in ("rail", "river")]
        return found

    def _ports(self, start: int, cuts: set[int]) -> set[int]:
        sides = {s for s, kind in self.board.rivers.items() if kind == "major" and not cuts >= set(s)}
        reached = {s for s in sides if start in s}
        grown = True
        while grown:
            grown = False
            for s in sides - reached:
                if any(len({*s, *r}) == 3 and self.grid.distance(*({*s} ^ {*r})) == 1 for r in reached):
                    reached.add(s)
                    grown = True
        banks = {h for s in reached for h in s} | {start}
        return {h for h in banks if (h in self.board.places_of("port") or h == start) and h not in cuts}

    def _extended(self, found: set[tuple[int, tuple[str, ...]]]) -> set[tuple[int, tuple[str, ...]]]:
        grown = True
        while grown:
            grown = False
            for t in self.state.transport.values():
                if t.side != self.side or not t.extender or any(h == t.at for h, _ in found):
                    continue
                if t.size < 20 or t.load or t.kind not in EXTENDER or t.at in self.enemy_hexes | self.zoned:
                    continue
                reach = self.within(t.at, "truck", EXTENDER[t.kind])
                if any(self.next_to(reach, h) for h, _ in found):
                    on_rail = any(t.at in s for s in self.rail)
                    found = found | {(t.at, ())} | {(h, ()) for h in (self._joint(t.at, "rail") if on_rail else ())}
                    grown = True
        return found

    def draws(self, piece: Piece, mobility: str) -> bool:
        reach = self.within(piece.at, mobility, DRAW)
        group = piece.counter.group
        return any(self.next_to(reach, h) for h, groups in self.stations if not groups or group in groups)

    def traces(self, piece: Piece) -> bool:
        idle = piece.counter.is_hq and piece.mode in ("strat", "reserve") and self.state.rules.version == "1999"
        if not idle and self.draws(piece, self._mobility(piece)):
            return True
        for hq in self.hqs:
            barred = hq.mode == "strat" or (hq.mode == "reserve" and self.state.rules.version == "1999")
            if hq.id == piece.id or hq.counter.group != piece.counter.group or barred:
                continue
            mobility = "leg" if hq.counter.is_division_hq else "truck"
            if self.draws(hq, mobility):
                throw = hq.counter.throw if hq.face == "combat" else hq.counter.move_throw
                reach = self.within(hq.at, mobility, Fraction(throw or 0) + self._porters(hq))
                if self.next_to(reach, piece.at):
                    return True
        return False

    def _porters(self, hq: Piece) -> int:
        if not hq.counter.is_division_hq:
            return 0
        here = [p for p in self.state.pieces.values() if p.at == hq.at and p.mode == "move"]
        return sum(p.counter.type == "infantry" and p.counter.size == "bn" for p in here)

    @staticmethod
    def _mobility(piece: Piece) -> str:
        if piece.counter.side == "allied":
            return "truck"
        if piece.counter.is_hq:
            return "leg" if piece.counter.is_division_hq else "truck"
        return "leg" if piece.printed.mobility == "leg" and piece.printed.ma else "truck"
