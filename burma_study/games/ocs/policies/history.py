"""Follow the historical line where the rules allow it: each turn the hexes where the line has the units next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from burma_study.engine.orders import Order
from burma_study.engine.reasons import Reason, because
from burma_study.engine.session import Session
from burma_study.games.ocs.line import Line, load_line
from burma_study.games.ocs.policies.marching import fitting, march, mode_order, parties, reach_of
from burma_study.games.ocs.policies.plan import Plan, PlanPolicy, Services, Task
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.movement.marching import can_trace
from burma_study.rules.ocs.movement.orders import ChooseMode, Move
from burma_study.rules.ocs.movement.reach import reach
from burma_study.rules.ocs.movement.reserves import CHOSEN, MOVING
from burma_study.rules.ocs.movement.stacking import check_hex
from burma_study.rules.ocs.movement.zoc import held
from burma_study.rules.ocs.state import Piece, State

SERVICES = {
    "japanese": Services(barrage=3, dig=True, most=6),
    "allied": Services(
        rail=("silchar", "A4.24"),
        lift=("silchar", ("A6.10", "A8.06", "A8.07", "A6.08", "A7.09")),
        haul_to=("A7.09", "A10.21"),
        diversions=6,
        strikes=3,
        barrage=4,
        refit=("A6.10",),
        vital=("A7.09", "A7.10", "A10.21", "A4.24"),
        keep=24,
    ),
}


class History(PlanPolicy):
    """Every unit goes where the line has it at the start of the next turn; what the rules do not allow is noted.

    Fights are those that the rules offer on the way, when the odds are fair. Units that the line knows dead or away
    hold where they are.
    """

    def __init__(self, scenario: str, side: str, line: Line | None = None, **rest: Any) -> None:
        holding = Task(("*",), (), "advance", **rest.pop("task", {}))
        plan = Plan("history", side, scenario, "As it happened, where the rules allow it.", (holding,), SERVICES[side])
        super().__init__(plan, **rest)
        self.line = line or load_line(scenario)

    def target(self, state: State, unit: str) -> int | None:
        """The hex where the line has a unit when the next turn begins; None where it does not say."""
        step = self.line.steps[min(state.turn, len(self.line) - 1)]
        at = step.by_unit.get(unit)
        return state.board.grid.index(at.hex) if at is not None and at.on_map else None

    def _goals_of(self, state: State, piece: Piece) -> tuple[int, ...]:
        goal = self.target(state, piece.id)
        return () if goal is None else (goal,)

    def _in_order(self, state: State, followers: bool) -> list[list[Piece]]:
        """Units with one goal march together; all in one round, the nearest to their goals first."""
        if followers:
            return []
        by_goal = self._by_goal(state, self._able(state))
        groups = [[p for p in g if self.target(state, p.id) == goal] for g, goal in by_goal]
        return sorted(groups, key=lambda g: (self._way_left(state, g[0]), g[0].id))

    def _by_goal(self, state: State, own: list[Piece]) -> Iterator[tuple[list[Piece], int]]:
        for party in parties(state, own):
            goals = {g for p in party if (g := self.target(state, p.id)) is not None}
            yield from ((party, goal) for goal in sorted(goals))

    def _move(self, session: Session, units: list[str]) -> Iterator[Order]:
        state: State = session.state
        units = self._free(state, units)
        goal = self.target(state, units[0]) if units else None
        if goal is None or state.pieces[units[0]].at == goal:
            return
        if state.phase == "movement":
            yield from self._in_mode(session, units, goal)
        order = march(session.state, units, (goal,))
        if order is not None and not session.check(order):
            yield order
        reached = session.state.pieces[units[0]].at
        if reached != goal and state.phase == "movement":
            self.note(session, self._why(state, units[0], goal))

    def _in_mode(self, session: Session, units: list[str], goal: int) -> Iterator[Order]:
        """The slowest mode that gets there, else the fastest that is allowed."""
        state: State = session.state
        for mode in (*fitting(state, units, (goal,)), "move", "combat"):
            order = mode_order(state, units, mode)
            if order is None:
                return
            if not session.check(order):
                yield order
                return

    def _why(self, state: State, unit: str, goal: int) -> str:
        """What keeps a unit from where history had it."""
        label = f"{state.pieces[unit].counter.label} is not at {state.board.label(goal)} as in history"
        if goal in held(state, other_side(state.pieces[unit].counter.side)):
            return f"{label}: the enemy holds it."
        reasons = list(self._reasons(rested(state, unit), unit, goal))
        return f"{label}: {GAME.say(reasons[0])}" if reasons else f"{label}: those that march together take its time."

    def _reasons(self, state: State, unit: str, goal: int) -> Iterator[Reason]:
        """Why the unit could not have marched there, in its mode and in Strat Mode."""
        found = reach_of(state, unit)
        if goal in found.costs:
            yield from GAME.check(state, Move((unit,), found.path(goal)[1:]))
            if check_hex(state, goal, [replace(state.pieces[unit], at=goal)]):
                yield because("advance-crowded", goal, units=(unit,), rule="ocs-series/4.8")
        elif goal in reach(state, unit, mode="strat").costs:
            yield from GAME.check(state, ChooseMode((unit,), "strat"))
            if not can_trace(state, (unit,), unit, goal):
                yield because("no_trace", goal, rule="ocs-series/5.8-trace")
        yield from found.refused
        beyond = found.why_not(goal)
        if beyond is not None:
            yield beyond


def rested(state: State, unit: str) -> State:
    """The state with a unit that has not moved yet in this phase, to ask how far it could have come."""
    fresh = state.place(replace(state.pieces[unit], spent=0, done=False))
    for name in (CHOSEN, MOVING):
        fresh = fresh.put("markers", name, None)
    return fresh
