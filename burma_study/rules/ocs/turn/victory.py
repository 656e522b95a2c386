"""Victory: the points of turns, events and the end, each with its reason, and the level that they come to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from burma_study.engine.numbers import mixed
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import SIDES, other_side
from burma_study.rules.ocs.movement.roads import around, way
from burma_study.rules.ocs.movement.terrain import ROADS, ledo_road
from burma_study.rules.ocs.state import Piece, State, stacks
from burma_study.rules.ocs.supply.net import Net
from burma_study.rules.ocs.supply.trace import trace
from burma_study.rules.ocs.turn.control import controller, railway
from burma_study.rules.ocs.turn.script import Item, Point, Rung, script

DEAD = ("dead", "dead_bn", "gone")
LINK = "A59.03"  # where the Ledo Road meets the all-weather road to the east edge (3.8)
Found = tuple[int, str]  # how often an item scores, and why


@dataclass(frozen=True, slots=True)
class Verdict:
    """The level of victory as things stand, the winner (empty: a draw), points by side, and what decided."""

    level: str
    winner: str
    japanese: Fraction
    allied: Fraction
    why: str


# tests of the items ---------------------------------------------------------------------------------------------------


def near(state: State, side: str, hexes: Iterable[int], distance: int, attack_capable: bool = False) -> list[Piece]:
    """Units of a side at or within a distance of any of some hexes, by id."""
    goal = around(state.board, tuple(hexes), distance)
    there = (u for h, units in stacks(state).items() if h in goal for u in units if u.counter.side == side)
    return sorted((u for u in there if not attack_capable or _attacks(u)), key=lambda u: u.id)


def _attacks(unit: Piece) -> bool:
    return unit.counter.attack_capable and unit.mode not in ("strat", "reserve")


def _names(units: list[Piece]) -> str:
    return ", ".join(u.counter.label for u in units[:3]) + (f" and {len(units) - 3} more" if len(units) > 3 else "")


@rule("ocs/u-go.vp-japanese-road", "ocs/sato.vp-japanese-road")
def _near_road(state: State, item: Item, side: str) -> Found:
    units = near(state, "japanese", item.road, item.distance, item.attack_capable)
    return (1, f"{_names(units)} on or near the road") if units else (0, "")


@rule("ocs/u-go.vp-allied-road", "ocs/sato.vp-allied-road")
def _clear_road(state: State, item: Item, side: str) -> Found:
    units = near(state, other_side(side), item.road, item.distance, item.attack_capable)
    return (0, "") if units else (1, "no enemy on or near the road")


@rule("ocs/u-go.vp-japanese-railway")
def _near_railway(state: State, item: Item, side: str) -> Found:
    units = near(state, side, railway(state, other_side(side)), item.distance)
    return (1, f"{_names(units)} on or near the railway") if units else (0, "")


@rule(
    "ocs/u-go.vp-imphal",
    "ocs/u-go.vp-dimapur",
    "ocs/u-go.vp-end",
    "ocs/*.vp-places",
    "ocs/sato.vp-both",
    "ocs/*.sudden-japanese",
)
def _control_any(state: State, item: Item, side: str) -> Found:
    held = [h for h in item.hexes if controller(state, h) == side]
    return (1, f"controls {', '.join(map(state.board.label, held))}") if held else (0, "")


@rule("ocs/sato.vp-japanese-imphal")
def _enters(state: State, item: Item, side: str) -> Found:
    """A unit that only came through holds the place as well, until the enemy comes back."""
    entered = [h for h in item.hexes if controller(state, h) == side]
    return (1, f"entered {', '.join(map(state.board.label, entered))}") if entered else (0, "")


def lost_railway(state: State) -> tuple[int, ...]:
    """Hexes of the Japanese railway that Japan does not control."""
    return tuple(h for h in railway(state, "japanese") if controller(state, h) != "japanese")


@rule("ocs/thursday.vp-allied-railway", "ocs/marauders.vp-allied-railway")
def _railway_cut(state: State, item: Item, side: str) -> Found:
    lost = lost_railway(state)
    return (1, f"Japan does not control the railway at {state.board.label(lost[0])}") if lost else (0, "")


@rule("ocs/thursday.vp-japanese-railway", "ocs/marauders.vp-japanese-railway")
def _railway_whole(state: State, item: Item, side: str) -> Found:
    return (0, "") if lost_railway(state) else (1, "Japan controls the whole railway")


def closed_at(state: State, side: str, hexes: Iterable[int]) -> tuple[int, ...]:
    """Hexes of a line that an enemy unit, or a zone that nobody negates, shuts to a side's truck-borne trace."""
    return tuple(sorted(Net(state, side).blocked["truck"].intersection(hexes)))


@rule("ocs/sato.vp-japanese-closed", "ocs/campaign-*.vp-japanese-road")
def _road_closed(state: State, item: Item, side: str) -> Found:
    shut = closed_at(state, "allied", item.road)
    return (1, f"the road is shut to trace at {state.board.label(shut[0])}") if shut else (0, "")


@rule("ocs/sato.vp-allied-trace")
def _road_open(state: State, item: Item, side: str) -> Found:
    return (0, "") if closed_at(state, "allied", item.road) else (1, "trace runs along the road")


@rule("ocs/campaign-*.vp-allied-railway")
def _railway_closed(state: State, item: Item, side: str) -> Found:
    """The railway that the item names, else every railway of Japan."""
    shut = closed_at(state, "japanese", item.road or railway(state, "japanese"))
    return (1, f"the railway is shut to trace at {state.board.label(shut[0])}") if shut else (0, "")


@rule("ocs/*.vp-japanese-near")
def _supplied_units(state: State, item: Item, side: str) -> Found:
    """Headquarters and artillery are combat units too (OCS v4.3 3.2)."""
    area = frozenset(item.area)
    units = [p for p in state.units(side) if p.at in area and not p.oos]
    return len(units), f"{len(units)} units in supply there" if units else ""


def finished_road(state: State) -> tuple[int, ...]:
    """Hexes of the finished Ledo Road."""
    return ledo_road(state.board, state.markers.get("road_head"))


def hexes_short(state: State, goal: int) -> int:
    """Hexes from the road head to a place by the shortest road or track; 0 when it is reached."""
    done = finished_road(state)
    if goal in done or not done:
        return 0
    return max(0, len(way(state.board, (*ROADS, "track"), done[-1], goal)) - 1)


@rule("ocs/marauders.vp-allied-road")
def _road_reaches(state: State, item: Item, side: str) -> Found:
    reached = [h for h in item.hexes if h in finished_road(state)]
    return (1, f"the Ledo Road has reached {state.board.label(reached[0])}") if reached else (0, "")


@rule("ocs/*.vp-japanese-ledo", "ocs/marauders.vp-japanese-road")
def _road_short(state: State, item: Item, side: str) -> Found:
    short = min(hexes_short(state, h) for h in item.hexes)
    return short, f"the Ledo Road is {short} hexes short" if short else ""


@rule("ocs/*.sudden-allied")
def _road_to_edge(state: State, item: Item, side: str) -> Found:
    done = state.board.index(LINK) in finished_road(state)
    return (1, "the Ledo Road is joined to the road to the east edge") if done else (0, "")


@rule("ocs/campaign-2.vp-allied-ledo")
def _road_beyond_irrawaddy(state: State, item: Item, side: str) -> Found:
    done, rivers, board = frozenset(finished_road(state)), state.board.rivers, state.board
    across = [i for i, s in enumerate(zip(item.road, item.road[1:], strict=False)) if rivers.get(_key(s)) == "major"]
    beyond = [h for h in item.road[across[0] + 1 :] if h in done] if across else []
    return len(beyond), f"{len(beyond)} hexes of road to {board.label(beyond[-1])}" if beyond else ""


def _key(side: tuple[int, int]) -> tuple[int, int]:
    return min(side), max(side)


@rule("ocs/*.sudden-allied")
def _held_in_trace(state: State, item: Item, side: str) -> Found:
    if any(controller(state, h) != side for h in item.hexes):
        return 0, ""
    units = near(state, side, item.hexes, 0)
    traced = [u for u in units if trace(state, u.id).in_supply]
    return (1, f"{_names(traced)} in trace there") if traced else (0, "")


TESTS: dict[str, Callable[[State, Item, str], Found]] = {
    "unit_near_road": _near_road,
    "no_enemy_near_road": _clear_road,
    "unit_near_allied_railway": _near_railway,
    "control_any": _control_any,
    "unit_enters": _enters,
    "railway_cut": _railway_cut,
    "railway_whole": _railway_whole,
    "road_closed_to_trace": _road_closed,
    "trace_between": _road_open,
    "railway_closed_to_trace": _railway_closed,
    "per_supplied_unit": _supplied_units,
    "ledo_road_reaches": _road_reaches,
    "ledo_road_short_of": _road_short,
    "ledo_road_reaches_east_edge": _road_to_edge,
    "ledo_road_hexes_east_of_irrawaddy": _road_beyond_irrawaddy,
    "control_all_in_trace": _held_in_trace,
}
SUDDEN = "sudden death"
AS_THEY_HAPPEN = ("hump_diversion", "unit_destroyed")  # scored by the rooms in which they happen


# scoring --------------------------------------------------------------------------------------------------------------


def sides_of(item: Item) -> tuple[str, ...]:
    """Sides that an item may bring points."""
    return SIDES if item.side == "both" else (item.side,)


def score(step: Step[State], side: str, item: str, points: Fraction, why: str, rule_: str, detail: str = "") -> None:
    """Bank points: the table `score` has a Point for each turn, side, item and detail."""
    key = f"{step.state.turn:02}/{side}/{item}" + (f"/{detail}" if detail else "")
    old = step.state.score.get(key)
    total = points + (old.points if isinstance(old, Point) else 0)
    step.put("score", "score", key, Point(step.state.turn, side, item, total, why, rule_))
    step.cite(rule_)


def banked(state: State) -> tuple[Point, ...]:
    """Points that are banked, in the order of turns."""
    return tuple(p for _, p in sorted(state.score.items()) if isinstance(p, Point))


def score_items(step: Step[State], when: str) -> None:
    """Score every item of a moment; a `once` item scores one time in a game."""
    for item in script(step.state).victory.items:
        if item.when != when or item.test not in TESTS:
            continue
        for side in sides_of(item):
            if when in ("once", "event") and any(p.item == item.id and p.side == side for p in banked(step.state)):
                continue
            count, why = TESTS[item.test](step.state, item, side)
            if count:
                score(step, side, item.id, count * item.points, why, item.rule)


@rule("ocs/thursday.vp-allied-kills", "ocs/thursday.vp-japanese-kills")
def score_event(step: Step[State], test: str, why: str, detail: str = "", of: str = "") -> None:
    """Score the items of an event that has just happened: `hump_diversion`, or `unit_destroyed` of a side."""
    for item in script(step.state).victory.items:
        if item.test == test and item.of == of:
            for side in sides_of(item):
                score(step, side, item.id, item.points, why, item.rule, detail)


def score_sheet(state: State) -> tuple[Point, ...]:
    """Every point with its reason: those banked, then what the end would bring were it now."""
    return (*banked(state), *_at_end(state)) if "ended" not in state.markers else banked(state)


def _at_end(state: State) -> Iterator[Point]:
    for item in script(state).victory.items:
        if item.when != "game_end":
            continue
        for side in sides_of(item):
            count, why = TESTS[item.test](state, item, side)
            if count:
                yield Point(state.turn, side, item.id, count * item.points, why, item.rule, banked=False)


def totals(state: State) -> dict[str, Fraction]:
    """Points of each side, the end's included."""
    sheet = score_sheet(state)
    return {side: sum((p.points for p in sheet if p.side == side), Fraction(0)) for side in SIDES}


# levels ---------------------------------------------------------------------------------------------------------------


@rule("ocs/learning.victory")
def dead_units(state: State) -> tuple[tuple[str, str], ...]:
    """Units that count as dead, with why: destroyed, or without trace now."""
    side = script(state).victory.side
    pieces = sorted(state.units(side), key=lambda p: p.id)
    found = [(p.id, "destroyed") for p in pieces if p.at in DEAD]
    cut = [(p.id, "no trace") for p in pieces if isinstance(p.at, int) and not trace(state, p.id).in_supply]
    return (*found, *cut)


@rule("ocs/imphal.vp-segments")
def cleared(state: State) -> tuple[str, ...]:
    """Segments of road without an enemy on or near them."""
    v = script(state).victory
    return tuple(s.id for s in v.segments if not near(state, other_side(v.side), s.road, v.distance))


@rule("ocs/*.victory")
def verdict(state: State) -> Verdict:
    """The level of victory, were the game to end now; sudden death, or a level reached at once, stands."""
    points = totals(state)
    japanese, allied = points["japanese"], points["allied"]
    ended, v = str(state.markers.get("ended", "")), script(state).victory
    if ended.count("/") >= 2:
        how, winner, why = ended.split("/", 2)
        level = f"{winner.capitalize()} sudden death victory" if how == SUDDEN else how
        return Verdict(level, winner, japanese, allied, why)
    if v.rungs:
        counted = dead_units(state) if v.kind == "dead_units" else cleared(state)
        name, why = rung(v.rungs, len(counted)), "dead units" if v.kind == "dead_units" else "roads cleared"
        return Verdict(name, _winner(name), japanese, allied, f"{len(counted)} {why}")
    if not v.items:
        return Verdict("No decision", "", japanese, allied, "neither side won by sudden death")
    name = by_ratio(japanese, allied) if v.scale == "ratio" else by_difference(japanese, allied, v.draw)
    return Verdict(name, _winner(name), japanese, allied, f"{mixed(japanese)} to {mixed(allied)}")


def _winner(level: str) -> str:
    return next((side for side in SIDES if level.lower().startswith(side)), "")


def rung(rungs: Iterable[Rung], count: int) -> str:
    """The level that a count comes to."""
    return next(r.name for r in rungs if r.least <= count and (r.most is None or count <= r.most))


def by_ratio(japanese: Fraction, allied: Fraction) -> str:
    """Twice as many points or more is a strategic victory, more a tactical one, as many a draw."""
    if japanese == allied:
        return "Draw"
    side, more, less = ("Japanese", japanese, allied) if japanese > allied else ("Allied", allied, japanese)
    return f"{side} {'strategic' if more >= 2 * less else 'tactical'} victory"


def by_difference(japanese: Fraction, allied: Fraction, draw: int) -> str:
    """The higher total wins by more than `draw` points."""
    if abs(japanese - allied) <= draw:
        return "Draw"
    return "Japanese victory" if japanese > allied else "Allied victory"
