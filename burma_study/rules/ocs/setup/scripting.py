"""From a scenario file to the script of play: places become hexes and boxes, dates turns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

from burma_study.boards.board import ROADS, Board
from burma_study.errors import ScenarioError
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.movement.roads import way
from burma_study.rules.ocs.setup.ground import Ground, hexes
from burma_study.rules.ocs.setup.model import Arrival, Scenario
from burma_study.rules.ocs.state import State, Where
from burma_study.rules.ocs.turn.script import (
    Entry,
    Hump,
    Income,
    Item,
    OffMap,
    Pool,
    Replacements,
    Script,
    Victory,
)
from burma_study.scenarios.areas import calls, parse
from burma_study.scenarios.turns import turn_of

_ROAD_KINDS = (("all_weather",), ROADS, (*ROADS, "track"))  # a road is taken over the best kinds that join its ends
_SITE_EDGES = {  # beside the place itself (Burma 2.1): south-edge road, track and rail; map B's east-edge road and rail
    "mandalay": "(road() or track() or rail()) and rows(B01,B01)",
    "bhamo": "(road() or rail()) and cols(62,62) and rows(B01,B34)",
}


class Writer:
    """Writes the script of one scenario on a board, for a start state that is complete but for it."""

    def __init__(self, scenario: Scenario, state: State) -> None:
        self.scenario, self.state = scenario, state
        self.board: Board = state.board
        self.map = frozenset(state.markers.get("area", ()))

    @rule("ocs/1.11", "ocs/*.sr2", "ocs/*.sr5")
    def script(self) -> Script:
        """Everything that the scenario dictates while it is played."""
        s = self.scenario
        decimation = s.tables.get("decimation", {})
        reserve = s.tables["reserve"].get("allied", {})
        return Script(
            income=tuple(
                Income(i.side, i.kind, self.places(i.where, i.side), i.tokens, i.factor, i.rounding, i.unless)
                for i in s.income
            ),
            entries=tuple(e for a in s.arrivals for e in self.entries(a)),
            hump=_hump(s.tables.get("hump", {})),
            replacements=_replacements(s.tables.get("replacements", {})),
            pools=tuple(map(self.pool, s.tables.get("pool", ()))),
            off_map=self.off_map(s.tables.get("off_map_march")),
            decimation=decimation.get("month", 0),
            landing_months=decimation.get("months_after_landing", 0),
            closed_boxes=tuple(s.tables["boxes"].get("closed", ())),
            clearings=_clearings(s.tables.get("clearings", {})),
            buffalo=s.tables.get("buffalo", {}).get("most", 0),
            reserve_area=self.reserve_area(reserve.get("at_start", "")),
            reserve_group=reserve.get("at_start_group", ""),
            victory=self.victory(),
        )

    # places -----------------------------------------------------------------------------------------------------------

    def places(self, area: str, side: str) -> tuple[Where, ...]:
        """Boxes and hexes of an area within the scenario's map, ascending; all of them where none lies within."""
        boxes = tuple(str(c.args[0]) for c in calls(parse(area)) if c.name == "box")
        found = self.hexes(area, side)
        return (*boxes, *sorted(found & self.map or found))

    def hexes(self, area: str, side: str = "allied") -> frozenset[int]:
        """Hexes of an area, wherever they lie."""
        units: dict[int, tuple[Any, ...]] = {}
        for piece in self.state.units(side):
            if isinstance(piece.at, int):
                units[piece.at] = (*units.get(piece.at, ()), piece.counter)
        head = self.state.markers.get("road_head")
        return hexes(area, Ground(self.board, side, frozenset(), head, units))

    def road(self, ends: Iterable[str]) -> tuple[int, ...]:
        """Every hex of the road between two hexes, as far as the scenario's map goes."""
        start, end = map(self.board.index, ends)
        found = next((w for kinds in _ROAD_KINDS if (w := way(self.board, kinds, start, end))), ())
        if not found:
            raise ScenarioError(f"{self.scenario.file}: no road or track joins {' and '.join(ends)}.")
        return tuple(h for h in found if not self.map or h in self.map)

    def railway(self, name: str) -> tuple[int, ...]:
        """Every hex of a railway of the board by its name, without its branches, as far as the scenario's map goes."""
        found = [r.hexes for r in self.board.routes if r.kind == "rail" and r.name == name]
        if not found:
            known = ", ".join(dict.fromkeys(r.name for r in self.board.routes if r.kind == "rail"))
            raise ScenarioError(f"{self.scenario.file}: no railway is called {name!r}; there are {known}.")
        return tuple(h for h in found[0] if not self.map or h in self.map)

    def reserve_area(self, area: str) -> tuple[int, ...] | None:
        """Where Reserve is allowed before play: nowhere for `none`, None without a limit."""
        if area in ("", "none"):
            return () if area else None
        return tuple(sorted(self.hexes(area)))

    # arrivals ---------------------------------------------------------------------------------------------------------

    @rule("ocs/2.1", "ocs/3.1a", "ocs/3.1c", "ocs/learning.sr5-entry")
    def entries(self, arrival: Arrival) -> Iterable[Entry]:
        """An entry for each unit of an arrival that is not in play already; a mule comes with the first."""
        area = arrival.where
        if arrival.source == "schedule" and area in ("B39.02 or B39.03", "A56.01"):
            area = f"{area} or ({_SITE_EDGES[arrival.site]})"
        where = self.places(area, arrival.side)
        if arrival.spent and self.map and not set(where) & self.map:
            where = tuple(s.hex for s in self.state.markers["sources"] if s.side == arrival.side)
        a = arrival
        entry = Entry("", a.side, a.turn, where, a.site, a.phase, a.mode, a.spent, arakan=a.arakan)
        fresh = [u for u in arrival.counters if u not in self.state.pieces]
        for unit in fresh:
            goods = (arrival.mule, arrival.loaded) if unit == fresh[0] else (0, 0)
            yield replace(entry, unit=unit, mule=goods[0], loaded=goods[1])

    def pool(self, t: Mapping[str, Any]) -> Pool:
        """A pool to draw from."""
        s, day = self.scenario, t["first"]
        turn = turn_of(day if isinstance(day, date) else date.fromisoformat(day), s.first, s.last)
        units = tuple(u for u in t["counters"] if u not in self.state.pieces)
        return Pool(t["side"], turn, tuple(t["units_on"]), units, self.places(t["where"], t["side"]))

    def off_map(self, t: Mapping[str, Any] | None) -> OffMap | None:
        """The march off the map that Short Scenarios 4 and 5 allow."""
        if t is None:
            return None
        exits = tuple(h for h in self.places(t["exit"], t["side"]) if isinstance(h, int))
        return OffMap(t["side"], exits, t["turns"])

    # victory ----------------------------------------------------------------------------------------------------------

    @rule("ocs/*.victory")
    def victory(self) -> Victory:
        """How the scenario is won, with every place resolved."""
        winning, index = self.scenario.winning, self.board.index
        victory, terms = winning.victory, winning.terms
        return replace(
            victory,
            items=tuple(map(self.item, victory.items)),
            sudden=tuple(map(self.item, victory.sudden)),
            segments=tuple(replace(s, road=self.road(winning.places[s.id]["road"])) for s in victory.segments),
            entered=tuple(map(index, terms.get("sudden", ()))),
            entered_level=terms.get("sudden_level", ""),
            trace_from=index(terms["trace_from"]) if "trace_from" in terms else None,
        )

    def item(self, item: Item) -> Item:
        """A victory item with its places resolved."""
        t = self.scenario.winning.places[item.id]
        return replace(
            item,
            hexes=tuple(map(self.board.index, t.get("hexes", ()))),
            road=self.road(t["road"]) if "road" in t else self.railway(t["railway"]) if "railway" in t else (),
            area=tuple(sorted(self.hexes(t["area"]))) if "area" in t else (),
        )


def _clearings(t: Mapping[str, Any]) -> int:
    """How many may be picked: by the optional rule three, else those that are to be chosen."""
    return int(t.get("option", t.get("choose", 0)))


def _hump(t: Mapping[str, Any]) -> Hump:
    return Hump(t.get("allowed", False), t.get("rolls", 0), t.get("every_turns", 1), Fraction(t.get("vp", "0")))


def _replacements(t: Mapping[str, Any]) -> Replacements:
    return Replacements(
        japanese=t.get("japanese", "none") == "table",
        none_on=tuple(t.get("japanese_none", ())),
        pax=tuple(t.get("allied_pax", ())),
        eq=t.get("allied_eq", False),
    )


def script_of(scenario: Scenario, state: State) -> Script:
    """The script of a scenario for its start state."""
    return Writer(scenario, state).script()
