"""OCS Burma behind the page: one line of states, with every answer computed by the rules when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from burma_study.answers.frames import Film, Frame, Marker, Overlay
from burma_study.answers.session import Background, Story
from burma_study.boards.board import load_board
from burma_study.engine.asking import all_asked
from burma_study.errors import BurmaStudyError, ScenarioError, did_you_mean
from burma_study.games.ocs.losses import Cut
from burma_study.games.ocs.nets import choke_points, flow, loss
from burma_study.games.ocs.positions import counter_of, frame, lines, markers
from burma_study.games.ocs.supply_view import failed_legs, formation_name, headline, hungry, why
from burma_study.hexes.grid import DIRECTIONS, OFF, Grid
from burma_study.rules.ocs.charts import chart_names, chart_text, charts_for, check_chart
from burma_study.rules.ocs.combat.attack import AttackOptions, attack_odds
from burma_study.rules.ocs.combat.barrage_fire import BarrageOptions, barrage_odds
from burma_study.rules.ocs.combat.barrage_odds import BarrageOdds
from burma_study.rules.ocs.combat.best import best_attacks
from burma_study.rules.ocs.combat.checks import unit_ids
from burma_study.rules.ocs.combat.firing import Barrage, paid_for
from burma_study.rules.ocs.combat.forecast import as_fought
from burma_study.rules.ocs.combat.payment import attack_payments
from burma_study.rules.ocs.counters import SIDES, Counter, other_side
from burma_study.rules.ocs.goods.payment import AUTO
from burma_study.rules.ocs.movement.reach import Reach, reach
from burma_study.rules.ocs.movement.terrain import mp
from burma_study.rules.ocs.movement.zoc import attack_capable, zones_of
from burma_study.rules.ocs.state import Piece, State, stack
from burma_study.rules.ocs.supply.on_map import OnMap, facts
from burma_study.rules.ocs.supply.trace import Leg, Picture, Trace, supply
from burma_study.rules.ocs.supply.verdict import basis
from burma_study.rules.ocs.supply.words import explain, named, unit_name
from burma_study.study.boardview import board_json
from burma_study.study.picture import picture

HALF_MP = 6


@dataclass(frozen=True)
class Moment:
    """One step of a line: a state with its title, ISO date, and what is told of it."""

    state: State
    title: str
    date: str
    caption: str = ""
    story: tuple[Story, ...] = ()
    level: str = "turn"
    key: bool = True
    spots: tuple[tuple[int, str], ...] = ()
    focus: int = -1

    def frame(self) -> Frame:
        """The moment as the map shows it."""
        more = {name: getattr(self, name) for name in ("caption", "level", "key", "spots", "focus")}
        return frame(self.state, self.title, self.date, **more)


@lru_cache(maxsize=1)
def ocs_board_json() -> str:
    """The OCS board for the browser, made once a process."""
    return board_json(load_board("ocs"))


@all_asked
class OcsSession:
    """A `Session` over moments of OCS Burma. Pictures of supply are kept for the last few steps asked about."""

    def __init__(self, id_: str, title: str, moments: Sequence[Moment], background: Background | None = None):
        if not moments:
            raise ScenarioError(f"{id_!r} has no moment to show; give at least its start.")
        self.id, self.title, self.moments = id_, title, tuple(moments)
        self._background = background
        self._picture = lru_cache(maxsize=8)(self._make_picture)

    @cached_property
    def film(self) -> Film:
        """All steps, encoded."""
        return Film(
            tuple(m.frame() for m in self.moments),
            hexes=len(load_board("ocs")),
            area=tuple(self.moments[0].state.markers.get("area", ())),
        )

    def board(self) -> str:
        """The board as JSON for the browser."""
        return ocs_board_json()

    def state(self, step: int) -> State:
        """The state at a step; BurmaStudyError for a step that does not exist."""
        if not 0 <= step < len(self.moments):
            raise BurmaStudyError(f"There is no step {step} of {self.id}; steps are 0 to {len(self.moments) - 1}.")
        return self.moments[step].state

    def label(self, hex_: int) -> str:
        """A hex's label with its place's name."""
        board = load_board("ocs")
        return named(board, board.checked(hex_))

    def index(self, label: str) -> int:
        """The hex of a label or place."""
        return load_board("ocs").index(label)

    def story(self, step: int) -> tuple[Story, ...]:
        """What is told of a step."""
        self.state(step)
        return self.moments[step].story

    def background(self) -> Background | None:
        """What is told of the whole line."""
        return self._background

    def boxes(self, step: int) -> list[dict[str, str]]:
        """Units off the map, in holding boxes and elsewhere, with where they are."""
        away = sorted((str(p.at), p.id) for p in self.state(step).pieces.values() if not isinstance(p.at, int))
        return [{"id": id_, "label": unit_name(id_), "where": where} for where, id_ in away]

    def piece(self, step: int, unit: str) -> Piece:
        """A piece in play at a step; ScenarioError with near matches otherwise."""
        pieces = self.state(step).pieces
        found = pieces.get(unit)
        if found is None:
            raise ScenarioError(f"Unit {unit!r} is not in play at this step. {did_you_mean(unit, pieces)}".strip())
        return found

    # supply ---------------------------------------------------------------------------------------------------------

    def _make_picture(self, step: int, side: str) -> tuple[Picture, OnMap]:
        if side not in SIDES:
            raise ScenarioError(f"{side!r} is no side; sides are {', '.join(SIDES)}.")
        picture = supply(self.state(step), side)
        return picture, OnMap(picture)

    def supply(self, step: int, side: str) -> dict[str, Any]:
        """Status by unit id, the net of legs in use with the flow over each hexside, and who goes without and why."""
        picture, stores = self._picture(step, side)
        fed = {unit: meal.store for meal in stores.meals() for unit in meal.units}
        board = picture.net.state.board
        status = {id_: _status(trace, id_ in fed) for id_, trace in picture.traces.items()}
        rows = [
            {
                "unit": t.unit,
                "label": unit_name(t.unit),
                "hex": named(board, t.hex) if t.hex is not None else "",
                "status": status[t.unit],
                "why": why(stores, t, fed.get(t.unit)),
                "marker": t.marker,
            }
            for t in sorted(picture.out, key=lambda t: (t.unit in fed, t.unit))
        ]
        net = {(leg.kind, leg.hexes): None for t in picture.traces.values() for leg in t.legs if len(leg.hexes) > 1}
        counts = {key: sum(1 for s in status.values() if s == key) for key in ("in", "eats", "out")}
        return {
            "side": side,
            "headline": headline(picture, fed),
            "status": status,
            "net": list(net),
            "flow": [(a, b, n) for (a, b), n in sorted(flow(picture).items())],
            "rows": rows,
            "counts": counts,
        }

    def trace(self, step: int, unit: str) -> dict[str, Any]:
        """One unit's trace: verdict, legs with their sums, sentences; of a failed one how far its nearest miss came."""
        piece = self.piece(step, unit)
        picture, stores = self._picture(step, piece.counter.side)
        found = picture.traces.get(unit)
        if found is None:
            return {"unit": unit, "status": "none", "legs": [], "sentences": [f"{unit_name(unit)} is not on the map."]}
        state = picture.net.state
        legs = [_leg(state, leg, last=k == len(found.legs) - 1) for k, leg in enumerate(found.legs)]
        if legs:
            legs[0]["starts"] = "source"
        return {
            "unit": unit,
            "status": _eats(stores, found)[0],
            "marker": found.marker,
            "legs": legs or failed_legs(picture, found),
            "sentences": [*explain(state, found), *_eats(stores, found)[1:]],
            "rules": list(found.rules),
        }

    def verdict(self, step: int, unit: str) -> dict[str, Any]:
        """How firm a unit's trace is: `verdict`, the unprinted `values` behind it, and those it `turns_on`."""
        picture, _ = self._picture(step, self.piece(step, unit).counter.side)
        if unit not in picture.traces:
            return {}
        would = "it would not trace" if picture.traces[unit].in_supply else "it would trace"
        return {**basis(picture, unit).as_dict(), "would": would}

    # for designers --------------------------------------------------------------------------------------------------

    def chokes(self, step: int, side: str, most: int = 8, by: str = "battalion") -> list[dict[str, Any]]:
        """The stretches where one hex lost to the enemy would put most of a side's units out of trace, worst first."""
        picture, _ = self._picture(step, side)
        return [self._cut(found, picture) for found in choke_points(picture, most, by=by)]

    def cut(self, step: int, side: str, hex_: int, by: str = "battalion") -> dict[str, Any]:
        """What a side would lose if an enemy held a hex: `by` names the imagined unit, or `impassable`."""
        picture, _ = self._picture(step, side)
        found, board = loss(picture, [hex_], by=by), picture.net.state.board
        return {
            **self._cut(found.cut, picture),
            "held": any(p.counter.side != side for p in stack(picture.net.state, hex_)),
            "starved": [_unit_in(picture, i) for i in found.starved],
            "eaters": len(found.eaters),
            "unpaid": len(found.unpaid),
            "headquarters": [unit_name(i) for i in found.headquarters],
            "dumps": found.dumps,
            "transport": found.transport,
            "aircraft": len(found.aircraft),
            "bases": [board.label(h) for h in found.bases],
            "hedgehogs": [board.label(h) for h in found.hedgehogs],
            "sources": [board.label(h) for h in found.sources],
            "tone": "bad" if found.harm else "good" if found.nothing else "note",
        }

    @staticmethod
    def _cut(found: Cut, picture: Picture) -> dict[str, Any]:
        board = picture.net.state.board
        return {
            "side": picture.side,
            "by": found.by,
            "hexes": list(found.hexes),
            "where": named(board, found.hexes[0]),
            "carried": found.carried,
            "lost": [_unit_in(picture, i) for i in found.lost],
            "here": [_unit_in(picture, i) for i in found.here],
        }

    def net_geojson(self, step: int, side: str) -> dict[str, Any]:
        """A side's net for GIS: legs, units with their status, flows over hexsides."""
        from burma_study.games.ocs.geometry import net_geojson

        return net_geojson(self._picture(step, side)[0])

    def picture(self, step: int, supply: Any = None, trace: Any = None) -> str:
        """The map of a step as SVG, with a side's supply and a unit's trace if they are given."""
        self.state(step)
        return picture("ocs", self.film.frames[step], self.film.area, supply, trace)

    # charts ---------------------------------------------------------------------------------------------------------

    @property
    def charts(self) -> tuple[tuple[str, str], ...]:
        """The reader's own charts in force: name and CSV text."""
        return self.moments[0].state.rules.user_charts

    def with_charts(self, charts: Sequence[tuple[str, str]]) -> OcsSession:
        """The same line under other charts; ChartError listing every problem of one that cannot be used."""
        charts_for(tuple(charts))
        moments = [
            replace(m, state=m.state.with_(rules=replace(m.state.rules, user_charts=tuple(charts))))
            for m in self.moments
        ]
        return OcsSession(self.id, self.title, moments, self._background)

    def chart_names(self) -> tuple[str, ...]:
        """The charts that a reader may replace."""
        return chart_names()

    def chart_text(self, name: str) -> str:
        """The CSV text of a chart as it is in force."""
        return dict(self.charts).get(name) or chart_text(name)

    def chart_problems(self, name: str, text: str) -> list[dict[str, Any]]:
        """Everything wrong with a reader's chart; empty when it can be used."""
        return [p.as_dict() for p in check_chart(name, text)]

    # cards ----------------------------------------------------------------------------------------------------------

    def unit(self, step: int, unit: str) -> dict[str, Any]:
        """The card of a unit: what is printed on it, how it stands, and the five facts of its supply kept apart."""
        piece = self.piece(step, unit)
        printed, state = piece.counter, self.state(step)
        where = named(state.board, piece.at) if isinstance(piece.at, int) else f"the {piece.at} box"
        combat, move = lines(printed)
        return {
            "id": unit,
            "title": unit_name(unit),
            "counter": _drawn(piece),
            "lines": [where, _kind(printed)],
            "facts": [
                ("Combat side", combat, "attack or barrage, action rating, range of guns, movement allowance"),
                ("Move side", move, "the same figures when the Move side shows"),
                ("Mode", piece.mode, "the side and marker the unit shows now"),
                ("Movement", f"{piece.printed.ma} MP by {piece.printed.mobility}", "on the side that shows"),
                (
                    "Size",
                    f"{printed.re} RE, {piece.steps} step{'s' if piece.steps != 1 else ''}",
                    "RE: regimental equivalents, the measure of size for stacking, eating and transport",
                ),
                *self._supply_facts(step, piece),
            ],
        }

    def _supply_facts(self, step: int, piece: Piece) -> Iterator[tuple[str, str, str]]:
        picture, stores = self._picture(step, piece.counter.side)
        if piece.id not in picture.traces:
            return
        known, board = facts(stores, piece.id), picture.net.state.board
        yield "Marker", "out of supply" if known.marker else "none", "carried since its own last Supply Phase"
        yield "Projected", _WORDS[known.projected], "what would happen were its Supply Phase now"
        yield "To attack", _means(board, known.attack), "combat supply for one attack"
        yield "To defend", _means(board, known.defence), "combat supply for one defence"
        yield "Fuel", _means(board, known.fuel), "for trucks and tracks"
        eats = named(board, known.eats_from) if known.eats_from is not None else "nothing"
        yield "Eats from", eats, "the dump that feeds it while it has no trace"

    def at(self, step: int, hex_: int) -> dict[str, Any]:
        """A hex: its ground, each hexside, who stands there and what lies there."""
        state, where = self.state(step), self.label(hex_)
        board = state.board
        sides = []
        for d, other in zip(DIRECTIONS, board.grid.neighbours[hex_], strict=True):
            if other != OFF:
                key = Grid.key(hex_, other)
                routes = ", ".join(sorted({r.kind.replace("_", "-") for r in board.routes if key in r.sides}))
                water = " ".join(x for x in (board.rivers.get(key, ""), board.crossings.get(key, "")) if x)
                sides.append([d, board.label(other), water, routes])
        units = [
            {"id": p.id, "label": unit_name(p.id), "line": lines(p.counter)[0], "side": p.counter.side, "mode": p.mode}
            for p in stack(state, hex_)
        ]
        things = [[_KINDS.get(m.kind, m.kind), _lying(m), m.side] for m in markers(state) if m.hex == hex_]
        feature = board.feature[hex_]
        return {
            "title": where,
            "terrain": board.terrain[hex_],
            "feature": feature,
            "sides": sides,
            "units": units,
            "things": things,
        }

    # fighting -------------------------------------------------------------------------------------------------------

    def zone(self, step: int, side: str) -> Overlay:
        """The hexes in a side's zones of control."""
        zones = zones_of(self.state(step), side)
        return Overlay(f"zoc:{side}", f"Zones of control, {side}", dict.fromkeys(zones.hexes, 1))

    def reach(self, step: int, unit: str, mode: str = "") -> Overlay:
        """Movement points left in each hex a unit could reach, in whole and half MP."""
        piece = self.piece(step, unit)
        found = reach(self.state(step), piece.id, mode=mode or None)
        return reach_overlay(found)

    def candidates(self, step: int, target: int, kind: str = "regular") -> list[dict[str, Any]]:
        """Units that could attack whoever is in a hex from beside it, or guns that reach it for a barrage."""
        state = self.state(step)
        there = {p.counter.side for p in stack(state, target)}
        if len(there) != 1:
            return []
        mine = other_side(next(iter(there)))
        able = self._guns(state, target, mine) if kind == "barrage" else self._fighters(state, target, mine)
        return [
            {"id": p.id, "label": f"{unit_name(p.id)} {lines(p.counter)[0]} at {state.board.label(int(p.at))}"}
            for p in able
        ]

    @staticmethod
    def _fighters(state: State, target: int, side: str) -> list[Piece]:
        beside = [p for h in state.board.grid.adjacent[target] for p in stack(state, h) if p.counter.side == side]
        return sorted((p for p in beside if attack_capable(p)), key=lambda p: (-(p.counter.combat.attack or 0), p.id))

    @staticmethod
    def _guns(state: State, target: int, side: str) -> list[Piece]:
        guns = (p for p in state.units(side) if p.counter.is_artillery and isinstance(p.at, int))
        near = [p for p in guns if state.board.grid.distance(int(p.at), target) <= p.printed.range]
        return sorted(near, key=lambda p: (-(p.counter.combat.barrage or 0), p.id))

    def fight(
        self, step: int, target: int, attackers: Sequence[str], options: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Exact odds of an attack, or of a barrage; where a rule forbids it they carry the reasons.

        The supply of both sides is that of a battle fought now, paid by whoever can. BurmaStudyError for options or
        attackers that are none.
        """
        asked, state, ids = _asked(options), self.state(step), unit_ids(attackers)
        kind = asked.get("kind") or "regular"
        if kind == "barrage":
            return {"kind": kind, **_barrage(state, Barrage(target, ids, AUTO)).as_dict()}
        chosen = as_fought(state, target, ids, AttackOptions(kind, banzai=bool(asked.get("banzai")), anyway=True))
        return attack_odds(state, target, ids, chosen).as_dict()

    def best(self, step: int, side: str, count: int = 10) -> list[dict[str, Any]]:
        """A side's attacks from where it stands by units that have combat supply, those of most `worth` first.

        The worth is the measure `balance` of `best_attacks`.
        """
        state = self.state(step)
        return [
            {
                "target": found.target,
                "label": named(state.board, found.target),
                "attackers": list(found.attackers),
                "banzai": found.options.banzai,
                "column": found.odds.column,
                "drm": found.odds.drm,
                "names": [unit_name(i) for i in found.attackers],
                "worth": str(found.score),
                "hex_emptied": str(found.odds.losses.emptied),
                "hex_taken": str(found.odds.losses.taken),
                "attacker_steps": str(found.odds.losses.attacker),
                "defender_steps": str(found.odds.losses.defender),
            }
            for found in best_attacks(
                state, side, count, supplied=lambda p: attack_payments(state, (p.id,)) is not None
            )
        ]


def _barrage(state: State, order: Barrage) -> BarrageOdds:
    """Odds of a barrage; the reasons against it say when it cannot be paid for."""
    barrage_odds(state, order.at, order.units, BarrageOptions(anyway=True))  # refuses what cannot fire at all
    return barrage_odds(state, order.at, order.units, BarrageOptions(paid=paid_for(state, order), anyway=True))


def _asked(options: Any) -> dict[str, Any]:
    """The options of a fight as a dict; BurmaStudyError for anything else."""
    if options is not None and not isinstance(options, Mapping):
        raise BurmaStudyError(f"The options of a fight are a mapping such as {{'kind': 'regular'}}, not {options!r}.")
    return dict(options or {})


_WORDS = {
    "in": "traces",
    "box": "traces (in a holding box, always supplied)",
    "eats": "eats (no trace, a dump feeds it)",
    "out": "out (neither trace nor dump)",
}


_KINDS = {"dump": "supply dump", "air": "aircraft", "airbase": "air base"}


def _lying(marker: Marker) -> str:
    """What a marker shows: "14T (3 SP 2T)" of a dump, else its label."""
    if marker.kind != "dump":
        return marker.label
    points, rest = divmod(marker.amount, 4)
    return f"{marker.amount}T ({points} SP{f' {rest}T' if rest else ''})" if points else f"{rest}T"


def _kind(printed: Counter) -> str:
    """E.g. "Indian infantry of 17 Indian Division"."""
    nation = "INA" if printed.nationality == "ina" else "US" if printed.nationality == "us" else printed.nationality
    words = f"{nation[0].upper()}{nation[1:]} {printed.type}".replace("_", " ")
    return f"{words} of {formation_name(printed.formation)}" if printed.formation else words


def _status(trace: Trace, fed: bool) -> str:
    return "in" if trace.in_supply else "eats" if fed else "out"


def _eats(stores: OnMap, trace: Trace) -> tuple[str, ...]:
    """The status of a trace, and for a unit without one a sentence on the dump that feeds it or does not."""
    if trace.in_supply:
        return (trace.status,)
    store = next((m.store for m in stores.meals() if trace.unit in m.units), None)
    if store is not None:
        return "eats", f"It eats from the dump at {named(stores.state.board, store)}."
    reason = hungry(stores, trace.unit)
    return ("out", f"It finds nothing to eat: {reason}.") if reason else ("out",)


def _means(board: Any, means: Any) -> str:
    if not means.cost:
        return "costs nothing"
    if means.source == "dump":
        return f"{means.cost}T from {named(board, means.way.store)}"
    return f"{means.cost}T from its own stocks" if means.source == "stocks" else f"cannot pay {means.cost}T"


def _unit_in(picture: Picture, unit: str) -> dict[str, Any]:
    board, hex_ = picture.net.state.board, picture.traces[unit].hex
    return {"id": unit, "label": unit_name(unit), "hex": board.label(hex_) if hex_ is not None else ""}


def _leg(state: State, leg: Leg, *, last: bool) -> dict[str, Any]:
    unit = leg.unit.removeprefix("MP/12 ")
    return {
        "kind": leg.kind,
        "from": named(state.board, leg.hexes[0]),
        "to": named(state.board, leg.hexes[-1]),
        "hexes": list(leg.hexes),
        "count": len(leg.hexes) - 1,
        "cost": mp(leg.cost) if leg.cost is not None else "",
        "limit": mp(leg.limit) if leg.limit is not None else "no limit",
        "unit": unit,
        "by": unit_name(leg.by) if leg.by else "",
        "ends": "unit" if last else "hq",
    }


def _drawn(piece: Piece) -> dict[str, Any]:
    c = counter_of(piece)
    return {name: getattr(c, name) for name in c.__slots__}


def reach_overlay(found: Reach) -> Overlay:
    """A reach as half movement points left over in each hex."""
    left = {h: min(255, max(0, found.left - (found.cost(h) or 0)) // HALF_MP) for h in found.costs}
    return Overlay("reach", "Reach", left, unit="MP/2")
