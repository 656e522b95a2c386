"""Overruns: an attack within a move, fought at once; the winners enter free and go on (OCS 8; Burma 2.6b)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from burma_study.engine.dice import NoDice
from burma_study.engine.reasons import Reason, because
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.combat.attack import AttackOptions
from burma_study.rules.ocs.combat.battle import open_battle
from burma_study.rules.ocs.combat.checks import reasons_against
from burma_study.rules.ocs.combat.payment import payment_objections
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.goods.payment import choose, pay
from burma_study.rules.ocs.movement.limits import CLOSED_RULES, closed
from burma_study.rules.ocs.movement.marching import (
    fuel_cost,
    fuel_reasons,
    left_of,
    may_start,
    movers_of,
    pay_fuel,
    phase_of,
    ready_to_overrun,
    stopping,
    thirsty,
)
from burma_study.rules.ocs.movement.orders import Overrun
from burma_study.rules.ocs.movement.reach import Mover, mover
from burma_study.rules.ocs.movement.reserves import STOPPED, begin, note_stopped, together, unknown
from burma_study.rules.ocs.movement.stacking import LIMIT, size_of
from burma_study.rules.ocs.movement.terrain import MP, mp
from burma_study.rules.ocs.state import State, stack


def cost_of(state: State) -> int:
    """Twelfths of an MP that each unit pays for an overrun."""
    return int(state.rules.charts.combat_values["overrun_cost"] * MP)


def overrun_impossible(state: State, order: Overrun) -> Iterator[Reason]:
    """Units not in play or not in one hex, transport among them, or nothing to overrun beside them."""
    yield from unknown(state, order.units)
    yield from together(state, order.units)
    yield from (because("no-unit", unit=u, hint="", hard=True) for u in order.units if u in state.transport)
    pieces = [p for u in order.units if (p := state.pieces.get(u)) is not None]
    for piece in pieces[:1]:
        if not isinstance(piece.at, int):
            yield because("in_box", unit=piece.id, at=piece.at, rule="ocs/3.4a", hard=True)
        elif order.target not in state.board.grid.adjacent[piece.at]:
            yield because("gap", piece.at, order.target, rule="ocs-series/8", hard=True)
        elif all(p.counter.side == piece.counter.side for p in stack(state, order.target)):
            yield because("no-defenders", order.target, rule="ocs-series/9.2", hard=True)


def overrun_forbidden(state: State, order: Overrun) -> Iterator[Reason]:
    """Everything the rules say against an overrun, its combat supply and its fuel."""
    yield from _unsupplied_reasons(state, order)
    movers = movers_of(state, order.units)
    yield from payment_objections(_without_fuel(state, movers, order.fuel), order.units, order.payment)
    yield from fuel_reasons(state, movers, order.fuel)


@rule("ocs-series/9.5", "ocs/1.5")
def _without_fuel(state: State, movers: Sequence[Mover], text: str) -> State:
    """The stores as fuel leaves them: what drives the tanks there does not pay for their attack as well."""
    dry = thirsty(movers)
    payment = choose(state, dry, fuel_cost(state, dry), "fuel", text) if dry else None
    if payment is None:
        return state
    trial = Step(state, NoDice(), lambda _: (0, ""))
    pay(trial, payment)
    return trial.state


@rule("ocs-series/8", "ocs-series/4.8a", "ocs/2.6b")
def _unsupplied_reasons(state: State, order: Overrun) -> Iterator[Reason]:
    """Why these units may not overrun, supply apart."""
    movers = ready_to_overrun(state, movers_of(state, order.units))
    yield from may_start(state, movers)
    yield from _points(state, movers)
    yield from _shut(state, movers, order.target)
    pieces = [state.pieces[u] for u in order.units]
    options = AttackOptions("overrun", order.banzai, attacker_ar=order.ar)
    defenders = [p for p in stack(state, order.target) if p.counter.side != movers[0].side]
    found = reasons_against(state, order.target, pieces, defenders, options)
    yield from (r for r in found if r.code != "overrun-mp")  # points are counted by phase and mode above
    there = [p for p in stack(state, movers[0].start) if p.counter.side == movers[0].side]
    if (size := size_of(there)) > LIMIT:
        text = f"{float(size):g}"
        yield because("overrun-full", movers[0].start, size=text, limit=LIMIT, rule="ocs-series/4.8a")


@rule("ocs-series/8")
def _points(state: State, movers: Sequence[Mover]) -> Iterator[Reason]:
    """Each unit needs the full cost; the minimum move is no overrun."""
    cost, phase = cost_of(state), phase_of(state)
    for who in movers:
        if (left := left_of(who, phase)) < cost:
            yield because("overrun-points", unit=who.id, cost=mp(cost), left=mp(left), rule="ocs-series/8")


@rule("ocs/2.7a", "ocs/3.6b")
def _shut(state: State, movers: Sequence[Mover], target: int) -> Iterator[Reason]:
    for who in movers:
        for code, hexes in closed(state, who.counter).items():
            if target in hexes:
                yield because(code, target, rule=CLOSED_RULES[code])


def carry_overrun(step: Step[State], order: Overrun) -> None:
    """Fuel and MP are paid before the battle; the move goes on after it."""
    pay_fuel(step, movers_of(step.state, order.units), order.fuel)
    begin(step, order.units)
    cost = cost_of(step.state)
    for unit in order.units:
        piece = step.state.pieces[unit]
        step.put("overruns", "pieces", unit, replace(piece, spent=piece.spent + cost))
    step.cite("ocs-series/8")
    start = mover(step.state, order.units[0]).start
    step.open("overrun", units=order.units, start=start, target=order.target, fought=False)
    open_battle(
        step,
        order.target,
        order.units,
        kind="overrun",
        banzai=order.banzai,
        payment=order.payment,
        ar=order.ar,
    )


@rule("ocs-series/8", "ocs-series/4.5")
def overrun(step: Step[State]) -> None:
    """After the battle: whoever fell back has moved, winners go on from the hex that they entered.

    Trucks that had stopped in an enemy zone go on as well, if they won; in another zone they stop again (4.5a).
    """
    start, target = step.frame["start"], step.frame["target"]
    there = [u for u in step.frame["units"] if (p := step.state.pieces.get(u)) is not None and p.on_map]
    stopped = {*step.state.markers.get(STOPPED, ())} & {*there}
    for who in movers_of(step.state, there):
        if who.at not in (start, target):
            _mark(step, who, done=True)
            stopped.discard(who.id)
        elif who.at == target and stopping(step.state, who, target, there):
            _mark(step, who, done=True)
            stopped.add(who.id)
        elif who.at == target and who.id in stopped:
            _mark(step, who, done=False)
            stopped.discard(who.id)
    note_stopped(step, stopped)
    step.close()


def _mark(step: Step[State], who: Mover, *, done: bool) -> None:
    step.put("stopped" if done else "goes on", "pieces", who.id, replace(step.state.pieces[who.id], done=done))


def enemies_beside(state: State, hex_: int, side: str) -> list[int]:
    """Hexes next to one with enemy combat units."""
    enemy = other_side(side)
    there = state.board.grid.adjacent[hex_]
    return [h for h in there if any(p.counter.side == enemy for p in stack(state, h))]
