"""A march along a path: every step paid by every unit, what stops it, what it takes on the way (OCS 6; Burma 1.5, 2.7,
3.6b).

The path is checked step by step and never searched for; what the enemy holds is handed on from state to state, for a
march changes nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from burma_study.engine.game import Choice
from burma_study.engine.memo import hand_on, remembered
from burma_study.engine.reasons import Reason, because
from burma_study.engine.step import Step
from burma_study.hexes.grid import Grid
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.interdiction import interdiction
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.goods.losses import capture, spoils, vacate
from burma_study.rules.ocs.goods.payment import choose, pay, payment_reasons
from burma_study.rules.ocs.movement.limits import CLOSED_RULES, closed, note_crossing
from burma_study.rules.ocs.movement.orders import Move
from burma_study.rules.ocs.movement.presence import goods
from burma_study.rules.ocs.movement.reach import Mover, allowance, mover, refusals
from burma_study.rules.ocs.movement.reserves import (
    MOVE_PHASES,
    STOPPED,
    begin,
    half_moved,
    hedgehog_reasons,
    marker_reasons,
    not_owned,
    note_stopped,
    thing,
    together,
    unknown,
)
from burma_study.rules.ocs.movement.terrain import (
    board_arcs,
    bridged_costs,
    bridges,
    explain_step,
    mp,
    rates,
    routes_over,
)
from burma_study.rules.ocs.movement.zoc import held, whose, zones, zones_of
from burma_study.rules.ocs.state import Piece, State, Transport
from burma_study.rules.ocs.supply.net import Net
from burma_study.rules.ocs.supply.trace import Tracer
from burma_study.rules.ocs.turn.control import take


def phase_of(state: State) -> str:
    """The phase of movement whose allowances count; that of Movement wherever rules are not enforced."""
    return state.phase if state.phase in MOVE_PHASES else "movement"


# what a path costs ----------------------------------------------------------------------------------------------------


@rule("ocs-series/6.2", "ocs-series/13.8")
def step_costs(state: State, who: Mover, path: Sequence[int]) -> list[int]:
    """Twelfths for each step of a path of adjacent hexes from where the unit stands; 0 where terrain forbids it."""
    board, head = state.board, state.markers.get("road_head")
    costs = board_arcs(board, who.mobility, state.ground, state.rules.charts, head).costs
    neighbours, flown_over = board.grid.neighbours, overflown(state, other_side(who.side))
    calm = not flown_over or flown_over.isdisjoint(path)
    extra = {} if calm else interdiction(state, who.side, who.mode == "strat")
    found = []
    for a, b in pairwise((who.start, *path)):
        cost = costs[a * 6 + neighbours[a].index(b)]
        if Grid.key(a, b) in board.rivers:
            cost = _bridged(state, who, a, b) or cost
        found.append(cost + extra.get(b, 0) if cost else 0)
    return found


@remembered("aircraft", "rules")
def overflown(state: State, side: str) -> frozenset[int]:
    """Hexes with aircraft of a side: only there can it interdict, whoever moves."""
    return frozenset(a.at for a in state.aircraft.values() if a.side == side and isinstance(a.at, int))


@rule("ocs-series/13.8", "ocs/2.4a")
def _bridged(state: State, who: Mover, a: int, b: int) -> int:
    """The step with the bridges of engineers in its two hexes; 0 when there are none or they do not help."""
    units = (p for p in state.pieces.values() if p.at in (a, b) and p.counter.side == who.side)
    at = {p.at for p in units if bridges(p, who.mobility)}
    if not at:
        return 0
    found = rates(state.rules.charts, who.mobility, state.ground)
    return bridged_costs(state.board, found, state.markers.get("road_head"), at).get((a, b), 0)  # type: ignore[arg-type]


def left_of(who: Mover, phase: str) -> int:
    """Twelfths of an MP that a unit has left in a phase."""
    return max(0, allowance(who, phase) - who.spent)


@rule("ocs-series/6.2-minimum", "ocs/notes.leg-reserve")
def to_pay(who: Mover, costs: Sequence[int], phase: str) -> int | None:
    """Twelfths a unit pays for a path; None when it has too few. The first step of a phase may take all it has."""
    total, left = sum(costs), left_of(who, phase)
    if total <= left:
        return total
    return left if len(costs) == 1 and not who.spent else None


@rule("ocs-series/4.5", "ocs-series/4.5-negation")
def stopping(state: State, who: Mover, hex_: int, moving: Sequence[str]) -> bool:
    """Must a truck unit stop in a hex: in an enemy zone that no other friendly combat unit there negates?"""
    if who.mobility != "truck" or hex_ not in zones(state, other_side(who.side)):
        return False
    there = (p for p in state.pieces.values() if p.at == hex_ and p.counter.side == who.side)
    return all(p.id in moving for p in there)


# why not --------------------------------------------------------------------------------------------------------------


def move_impossible(state: State, order: Move) -> Iterator[Reason]:
    """Units not in play or not in one hex, or a path with gaps."""
    found = [*unknown(state, order.units), *together(state, order.units)]
    yield from found
    if found:
        return
    first = thing(state, order.units[0])
    assert first is not None
    if not isinstance(first.at, int):
        yield because("in_box", unit=order.units[0], at=first.at, rule="ocs/3.4a", hard=True)
        return
    if not order.path:
        yield because("no-path", hard=True)
    neighbours = state.board.grid.neighbours
    for a, b in pairwise((first.at, *order.path)):
        if b not in neighbours[a]:
            yield because("gap", a, b, rule="ocs-series/6.1", hard=True)


@rule("ocs-series/6.1", "ocs/1.5")
def move_forbidden(state: State, order: Move) -> Iterator[Reason]:
    """Everything the rules say against a march: who may move, each step for each unit, its end, its fuel."""
    movers = movers_of(state, order.units)
    yield from may_start(state, movers)
    yield from path_reasons(state, movers, order.path)
    yield from end_reasons(state, movers, order.path)
    yield from fuel_reasons(state, movers, order.fuel)


def movers_of(state: State, units: Sequence[str]) -> list[Mover]:
    """The units as they would move now."""
    return [mover(state, unit) for unit in units]


@rule("ocs-series/4.5", "ocs-series/8")
def ready_to_overrun(state: State, movers: Iterable[Mover]) -> list[Mover]:
    """As they are for an overrun: whoever stopped in an enemy zone may make one from there, and go on after it."""
    stopped = state.markers.get(STOPPED, ())
    return [m._replace(done=False) if m.id in stopped else m for m in movers]


@rule("ocs-series/6.1", "ocs-series/7")
def may_start(state: State, movers: Sequence[Mover]) -> Iterator[Reason]:
    """Whose turn it is, who has moved, who is in Reserve still, who would be taken up on the way."""
    units, phase = [m.id for m in movers], phase_of(state)
    yield from not_owned(state, units)
    yield from half_moved(state, units)
    for who in movers:
        yield from refusals(state, who, phase)
        if who.mode == "reserve" and phase != "movement":
            yield because("not-released", unit=who.id, rule="ocs-series/5.7")


def path_reasons(state: State, movers: Sequence[Mover], path: Sequence[int]) -> Iterator[Reason]:
    """Why these units may not go along a path: hexes that are shut, then each unit's steps and points."""
    yield from _shut(state, movers, path)
    for who in movers:
        yield from _unit_reasons(state, who, path, [m.id for m in movers])


@rule("ocs-series/4.4c", "ocs-series/4.8")
def _shut(state: State, movers: Sequence[Mover], path: Sequence[int]) -> Iterator[Reason]:
    """Hexes of enemy units, and of enemy goods where none of the stack can attack."""
    enemy = other_side(movers[0].side)
    enemies, things = held(state, enemy), goods(state, enemy)
    able = any(m.can_attack for m in movers)
    for hex_ in dict.fromkeys(path):
        if hex_ in enemies:
            ids = tuple(sorted(p.id for p in state.pieces.values() if p.at == hex_))
            yield because("enemy_units", hex_, units=ids, rule="ocs-series/4.8")
        elif hex_ in things and not able:
            yield because("enemy_goods", hex_, goods=things[hex_], rule="ocs-series/4.4c")


def _unit_reasons(state: State, who: Mover, path: Sequence[int], units: Sequence[str]) -> Iterator[Reason]:
    yield from _closed(state, who, path)
    costs = step_costs(state, who, path)
    for (a, b), cost in zip(pairwise((who.start, *path)), costs, strict=True):
        if not cost:
            yield _no_step(state, who, a, b)
    phase = phase_of(state)
    if all(costs) and to_pay(who, costs, phase) is None:
        needs, left = mp(sum(costs)), mp(left_of(who, phase))
        yield because("spent", path[-1], unit=who.id, cost=needs, left=left, rule="ocs-series/6.1")
    if who.mobility == "truck":
        enemy = other_side(who.side)
        for hex_ in path[:-1]:
            if stopping(state, who, hex_, units):
                yield because("must-stop", hex_, unit=who.id, whose=whose(state, enemy, hex_), rule="ocs-series/4.5")


def _no_step(state: State, who: Mover, a: int, b: int) -> Reason:
    found = explain_step(state, rates(state.rules.charts, who.mobility, state.ground), (), a, b)
    label = state.board.label
    return because("no-step", b, unit=who.id, start=label(a), end=label(b), why=found.reason, rule=found.rule)


@rule("ocs/2.7a", "ocs/3.6b", "ocs-series/5.8", "ocs-series/erratum.13", "ocs/opt.2.5")
def _closed(state: State, who: Mover, path: Sequence[int]) -> Iterator[Reason]:
    """Hexes shut to this unit by special rules, the scenario's map, its mode or the calendar."""
    for code, hexes in closed(state, who.counter).items():
        for hex_ in path:
            if hex_ in hexes:
                yield because(code, hex_, rule=CLOSED_RULES[code])
    if who.mode == "strat":
        enemy = other_side(who.side)
        for hex_ in path:
            if hex_ in zones(state, enemy):
                yield because("enemy_zone", hex_, whose=whose(state, enemy, hex_), rule="ocs-series/5.8")
    if who.mode == "reserve":
        for hex_ in dict.fromkeys(path):
            yield from hedgehog_reasons(state, state.pieces[who.id], hex_)


@rule("ocs-series/5.7", "ocs-series/5.8-trace")
def end_reasons(
    state: State, movers: Sequence[Mover], path: Sequence[int], lines: Tracer | None = None
) -> Iterator[Reason]:
    """What a mode says about the end of a march: a marker for Reserve, trace for Strat.

    `lines` are those of `lines_without`, for whoever asks about many ends at once.
    """
    end, waiting = path[-1], {m.id: state.pieces[m.id] for m in movers if m.mode == "reserve"}
    if waiting:
        yield from marker_reasons(state, movers[0].side, {i: replace(p, at=end) for i, p in waiting.items()})
    fast, units = [m.id for m in movers if m.mode == "strat"], [m.id for m in movers]
    if lines is not None:
        traced = all(lines.could_trace(replace(state.pieces[unit], at=end)) for unit in fast)
    else:
        traced = all(can_trace(state, units, unit, end) for unit in fast)
    if not traced:
        yield because("no_trace", end, rule="ocs-series/5.8-trace")


@rule("ocs-series/5.8-trace")
def can_trace(state: State, units: Sequence[str], unit: str, hex_: int) -> bool:
    """Would trace be possible to a unit with these units in a hex?"""
    there = state
    for id_ in units:
        if (piece := there.pieces.get(id_)) is not None:
            there = there.place(replace(piece, at=hex_))
    piece = there.pieces[unit]
    return Tracer(Net(there, piece.counter.side)).could_trace(piece)


def lines_without(state: State, movers: Sequence[Mover]) -> Tracer | None:
    """The side's trace supply with these units taken up, where all are in Strategic Mode; else None.

    One net then serves for every hex that they might go to: in that mode nobody throws, and nobody stands in an enemy
    zone that he would negate.
    """
    if not movers or any(m.mode != "strat" for m in movers):
        return None
    for who in movers:
        state = state.put("pieces", who.id, None)
    return Tracer(Net(state, movers[0].side))


# how a path may go on -------------------------------------------------------------------------------------------------


def next_steps(state: State, movers: Sequence[Mover], path: Sequence[int]) -> list[Choice]:
    """Hexes by which a path may go on; the cost is that of the whole path for the unit that pays most, in twelfths."""
    here, found = (path[-1] if path else movers[0].start), []
    for hex_ in state.board.grid.adjacent[here]:
        longer = (*path, hex_)
        if not any(path_reasons(state, movers, longer)):
            cost = path_cost(state, movers, longer)
            found.append(Choice(hex_, f"{state.board.label(hex_)}, {mp(cost)} MP", cost, longer))
    return found


def path_cost(state: State, movers: Sequence[Mover], path: Sequence[int]) -> int:
    """Twelfths of an MP that a legal path takes from the unit that pays most."""
    phase = phase_of(state)
    return max(to_pay(m, step_costs(state, m, path), phase) or 0 for m in movers)


# fuel -----------------------------------------------------------------------------------------------------------------


@rule("ocs/1.5")
def thirsty(movers: Sequence[Mover]) -> list[str]:
    """Units whose fuel of this phase is not paid yet."""
    return [m.id for m in movers if m.fuel]


def fuel_cost(state: State, units: Sequence[str]) -> int:
    """Tokens of fuel for these units in one phase."""
    return int(state.rules.charts.supply_costs["fuel"]) * len(units)


def fuel_reasons(state: State, movers: Sequence[Mover], text: str) -> Iterator[Reason]:
    """Why trucks and tanks among these cannot pay for their fuel."""
    units = thirsty(movers)
    if units:
        yield from payment_reasons(state, units, fuel_cost(state, units), "fuel", text)


# carrying out ---------------------------------------------------------------------------------------------------------


def carry_move(step: Step[State], order: Move) -> None:
    """Fuel first, then the march; with enemy goods on the way it goes on hex by hex as a procedure."""
    before, movers = step.state, movers_of(step.state, order.units)
    enemy = other_side(movers[0].side)
    pay_fuel(step, movers, order.fuel)
    begin(step, order.units)
    step.cite("ocs-series/6.1", "ocs-series/6.2")
    _keep_enemy(before, step.state, enemy)
    things = goods(step.state, enemy)
    if things and not things.keys().isdisjoint(order.path):
        step.open("march", units=order.units, path=order.path, entered=-1)
    else:
        go(step, movers, order.path)


@rule("ocs/1.5")
def pay_fuel(step: Step[State], movers: Sequence[Mover], text: str) -> None:
    """Pay 1T for each truck or tank that has not paid in this phase."""
    dry = thirsty(movers)
    payment = choose(step.state, dry, fuel_cost(step.state, dry), "fuel", text) if dry else None
    if payment is None:
        return
    pay(step, payment)
    for unit in dry:
        step.put("fuelled", "pieces", unit, replace(step.state.pieces[unit], fuelled=True))
    step.cite("ocs/1.5")


def march(step: Step[State]) -> None:
    """The procedure of a march that meets enemy goods: on to the next of them, take them, go on."""
    frame = step.frame
    units = tuple(u for u in frame["units"] if thing(step.state, u) is not None)
    entered, path = frame["entered"], frame["path"]
    if entered >= 0:
        step.note(entered=-1)
        take_goods(step, units, entered)
    elif not path or not units:
        step.close()
    else:
        movers = movers_of(step.state, units)
        side = movers[0].side
        stop = next((i for i, h in enumerate(path) if spoils(step.state, h, side)), len(path) - 1)
        met = path[stop] if spoils(step.state, path[stop], side) else -1
        step.note(path=path[stop + 1 :], entered=met)
        go(step, movers, path[: stop + 1])


@rule("ocs-series/4.4c")
def take_goods(step: Step[State], units: Sequence[str], hex_: int) -> None:
    """The first of the units that can attack takes what the enemy left in a hex; the last act of a procedure's turn."""
    able = next((m.id for m in movers_of(step.state, units) if m.can_attack and m.at == hex_), "")
    if able:
        step.cite("ocs-series/4.4c")
        capture(step, hex_, able)


def go(step: Step[State], movers: Sequence[Mover], path: Sequence[int]) -> None:
    """Move units of one hex along a path, each paying its own costs; trucks that must stop have moved."""
    before, start, units = step.state, movers[0].start, [m.id for m in movers]
    halted = [who for who in movers if stopping(before, who, path[-1], units)]
    for who in movers:
        _go_one(step, who, path, who in halted)
    note_stopped(step, [who.id for who in halted if who.can_attack])
    _keep_enemy(before, step.state, other_side(movers[0].side))
    if start in step.state.hedgehogs:
        vacate(step, start)
    if any(who.counter is not None for who in movers):
        take(step, path, movers[0].side)
        note_crossing(step, units, path)
    routes = routes_over(before.board, before.markers.get("road_head"))
    if any(Grid.key(a, b) in routes for a, b in pairwise((start, *path))):
        step.cite("ocs-series/6.1-roads")


def _go_one(step: Step[State], who: Mover, path: Sequence[int], stop: bool) -> None:
    costs, phase = step_costs(step.state, who, path), phase_of(step.state)
    paid = to_pay(who, costs, phase)
    spent = who.spent + (left_of(who, phase) if paid is None else paid)
    table = "transport" if who.counter is None else "pieces"
    old: Any = getattr(step.state, table)[who.id]
    step.put("moved", table, who.id, moved(old, path[-1], spent, who.done or stop))
    step.cite(*_rules_of(who, stop, least=paid is not None and paid < sum(costs)))


MODE_RULES = {"reserve": "ocs-series/5.7", "strat": "ocs-series/5.8", "exploit": "ocs-series/5.9"}


def _rules_of(who: Mover, stop: bool, least: bool) -> list[str]:
    """The clauses that a unit moved under, besides those of every march."""
    rules = [MODE_RULES[who.mode]] if who.mode in MODE_RULES else []
    marks = (
        (who.released, "ocs-series/5.7"),
        (least, "ocs-series/6.2-minimum"),
        (who.dg, "ocs-series/5.10"),
        (who.counter is None, "ocs-series/13.2"),
        (stop, "ocs-series/4.5"),
    )
    return [*rules, *(id_ for mark, id_ in marks if mark)]


def moved(old: Piece | Transport, at: int, spent: int, done: bool) -> Piece | Transport:
    """The unit or transport where it has come to."""
    if isinstance(old, Transport):
        return replace(old, at=at, spent=spent, done=done)
    return Piece(
        old.id, at, old.mode, old.face, old.steps, old.dg, old.oos, old.stocks, spent, done, old.fuelled
    )  # replace() costs three times as much


def _keep_enemy(before: State, after: State, enemy: str) -> None:
    """What the enemy holds and his zones are as they were."""
    for function in (held, zones_of):
        hand_on(function, before, after, enemy)
