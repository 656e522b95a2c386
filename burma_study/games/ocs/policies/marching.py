"""How a policy moves: towards hexes by the cheapest way round the enemy, in a sensible mode, never into a crowd."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from burma_study.boards.board import Board
from burma_study.boards.search import Field, spread
from burma_study.rules.ocs.air.interdiction import interdiction
from burma_study.rules.ocs.charts import Charts
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.goods.payment import ways_to_pay
from burma_study.rules.ocs.movement.marching import can_trace, phase_of
from burma_study.rules.ocs.movement.orders import ChooseMode, Move
from burma_study.rules.ocs.movement.reach import Reach, mover, reach
from burma_study.rules.ocs.movement.stacking import check_hex
from burma_study.rules.ocs.movement.terrain import MP, board_arcs
from burma_study.rules.ocs.movement.zoc import held, zones
from burma_study.rules.ocs.state import Piece, State, stack
from burma_study.rules.ocs.supply.net import draw_bar

FAR = 1 << 40
TRIED = 12  # hexes looked at before a march is given up
FED = 6  # the same where trace has to be looked at, which takes longer
NEAR_ENEMY = 3  # hexes at which units show their Combat side
SAFE = 7  # hexes from any enemy at which Strat Mode is thought of


@lru_cache(maxsize=256)
def _field(
    board: Board,
    mobility: str,
    ground: str,
    charts: Charts,
    head: int | None,
    goals: tuple[int, ...],
    shut: frozenset[int],
) -> Field:
    return spread(board_arcs(board, mobility, ground, charts, head), goals, blocked=shut, reverse=True)


def toward(state: State, side: str, mobility: str, goals: Iterable[int], barred: frozenset[int] = frozenset()) -> Field:
    """What the way from each hex to the nearest goal costs, round the enemy's units and hexes that are `barred`."""
    head, ends = state.markers.get("road_head"), tuple(sorted(goals))
    shut = (held(state, other_side(side)) | barred).difference(ends)
    return _field(state.board, mobility, state.ground, state.rules.charts, head, ends, shut)


def enemy_distance(state: State, side: str, hex_: int) -> int:
    """Hexes to the nearest enemy unit."""
    far = state.board.grid.distance
    return min((far(hex_, h) for h in held(state, other_side(side))), default=99)


# modes ----------------------------------------------------------------------------------------------------------------


def mode_for(state: State, piece: Piece, way: int, *, hurry: bool = True) -> str:
    """The mode in which a unit had best move `way` twelfths: Combat near the enemy and for short ways."""
    assert isinstance(piece.at, int)
    side, counter = piece.counter.side, piece.counter
    near = enemy_distance(state, side, piece.at)
    if counter.combat.ma == 0:
        return "move"
    if near <= NEAR_ENEMY or way <= counter.combat.ma * MP:
        return "combat"
    if hurry and near >= SAFE and way > counter.move.ma * MP and not (piece.dg or starves_in_strat(state, piece)):
        return "strat"
    return "move"


def starves_in_strat(state: State, piece: Piece) -> bool:
    """An HQ that may not draw in Strategic Mode ends its march without supply, and those it feeds with it (OCS 5.8)."""
    return bool(draw_bar(state, replace(piece, mode="strat")))


def fitting(state: State, units: Sequence[str], goals: Iterable[int]) -> Iterator[str]:
    """Modes in which units reach one of some hexes this turn, the slowest first; Strat Mode only where they trace."""
    for mode in ("combat", "move", "strat"):
        costs = reach(state, units[0], mode=mode).costs
        there = [g for g in goals if g in costs]
        if mode == "strat":
            starving = any(starves_in_strat(state, state.pieces[u]) for u in units)
            there = [] if starving else [g for g in there if all(can_trace(state, units, u, g) for u in units)]
        if there:
            yield mode


def mode_order(state: State, units: Sequence[str], mode: str) -> ChooseMode | None:
    """The order that brings units into a mode; None when all are in it."""
    return ChooseMode(tuple(units), mode) if any(state.pieces[u].mode != mode for u in units) else None


# marches --------------------------------------------------------------------------------------------------------------


def reach_of(state: State, unit: str) -> Reach:
    """Where a unit can go now, in its mode, with what the enemy's aircraft cost."""
    who = mover(state, unit)
    extra = interdiction(state, who.side, who.mode == "strat")
    return reach(state, unit, phase=phase_of(state), interdiction=extra)


@dataclass(frozen=True)
class Care:
    """What a march looks out for: `shy` units do not end beside the enemy unless friends stand there, `fed` ones only
    where they trace supply or in the `larder`; at most `most` steps in a hex (0: as many as may stack), for five starve
    together.
    """

    shy: bool = False
    fed: bool = False
    most: int = 0
    larder: frozenset[int] = frozenset()


CARELESS = Care()


def march(
    state: State,
    units: Sequence[str],
    goals: Iterable[int],
    care: Care = CARELESS,
    barred: frozenset[int] = frozenset(),
) -> Move | None:
    """The march of units of one hex that brings them nearest to a goal; None if none brings them nearer."""
    who = mover(state, units[0])
    if not isinstance(who.at, int) or not can_fuel(state, units):
        return None
    field = toward(state, who.side, who.mobility, goals, barred)
    here = field.cost(who.at)
    slowest = min((reach_of(state, u) for u in units), key=lambda r: len(r.costs))
    if slowest.refused:
        return None
    start = FAR if here is None else here
    near = sorted((cost, spent, h) for h, spent in slowest.costs.items() if (cost := field.cost(h)) is not None)
    for cost, _, hex_ in _worth_trying(near, care):
        if cost >= start:
            return None
        if may_end(state, units, hex_, care):
            return Move(tuple(units), slowest.path(hex_)[1:])
    return None


def _worth_trying(near: list[tuple[int, int, int]], care: Care) -> list[tuple[int, int, int]]:
    """The ends of a march to look at, the nearest to the goal first; who is to be fed looks at the larder too."""
    if not care.fed:
        return near[:TRIED]
    fed = [end for end in near if end[2] in care.larder]
    return sorted({*near[:FED], *fed[:TRIED]})


def may_end(state: State, units: Sequence[str], hex_: int, care: Care = CARELESS) -> bool:
    """May and should these units stop in a hex: no crowd, no lone guns beside the enemy, trace where it is wanted?"""
    who = mover(state, units[0])
    if hex_ == who.at:
        return False
    pieces = [replace(state.pieces[u], at=hex_) for u in units if u in state.pieces]
    if pieces and check_hex(state, hex_, pieces):
        return False
    there = [p for p in stack(state, hex_) if p.counter.side == who.side]
    if care.most and pieces and sum(p.steps for p in (*there, *pieces)) > care.most:
        return False
    if care.shy and hex_ in zones(state, other_side(who.side)) and not any(p.counter.attack_capable for p in there):
        return False
    asked = (p for p in pieces if p.mode == "strat" or (care.fed and hex_ not in care.larder))
    return all(can_trace(state, units, p.id, hex_) for p in asked)


def can_fuel(state: State, units: Sequence[str]) -> bool:
    """Can those who need fuel pay for it?"""
    dry = [u for u in units if mover(state, u).fuel]
    return not dry or bool(ways_to_pay(state, dry, len(dry), "fuel"))


def parties(state: State, units: Iterable[Piece]) -> Iterator[list[Piece]]:
    """Units that had best march together: of one hex, face, mobility and allowance."""
    found: dict[object, list[Piece]] = {}
    for p in units:
        key = (p.at, p.mode, p.printed.mobility, p.printed.ma, p.counter.move.ma, p.dg, p.spent)
        found.setdefault(key, []).append(p)
    yield from found.values()
