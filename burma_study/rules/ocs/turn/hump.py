"""Hump diversions: when they are allowed, the die, what they lift and what they give Japan (Burma 3.10).

Marker `hump` is the RE that may still be lifted this turn, `hump_turns` the turns of all diversions so far.
"""

from __future__ import annotations

from collections.abc import Iterator

from burma_study.engine.reasons import Reason, because
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.movement.limits import bank
from burma_study.rules.ocs.movement.roads import around
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.turn.script import script
from burma_study.rules.ocs.turn.victory import score, score_event

REACH = 14
GOALS = ("A7.09", "A7.10", "A4.24")


def diversions(state: State) -> tuple[int, ...]:
    """Turns of the diversions so far."""
    found: tuple[int, ...] = state.markers.get("hump_turns", ())
    return found


@rule("ocs/3.10-when")
def threatened(state: State) -> bool:
    """A Japanese unit stands within 14 hexes of Imphal or Dimapur and west of the Chindwin.

    On a map without any such hex the scenario's own permission stands alone (Short Scenario 3, special rule 9).
    """
    board, west = state.board, bank(state.board)[0]
    near, area = around(board, tuple(map(board.index, GOALS)), REACH) & west, state.markers.get("area", ())
    if area and near.isdisjoint(area):
        return True
    return any(p.at in near and p.counter.side == "japanese" for p in state.pieces.values())


@rule("ocs/3.10", "ocs/learning.sr6", "ocs/imphal.sr7")
def bars(state: State) -> Iterator[Reason]:
    """Every reason against a diversion now."""
    hump, before = script(state).hump, diversions(state)
    if not hump.allowed:
        yield because("no-hump", rule="ocs/3.10")
    if hump.rolls and len(before) >= hump.rolls:
        yield because("hump-used", count=hump.rolls, rule="ocs/3.10")
    if before and state.turn - before[-1] < hump.every:
        yield because("hump-wait", last=before[-1], every=hump.every, rule="ocs/3.10")
    if not threatened(state):
        yield because("hump-far", reach=REACH, rule="ocs/3.10-when")


@rule("ocs/3.10", "ocs/3.10-points", "ocs/u-go.sr6", "ocs/sato.sr7", "ocs/marauders.sr9", "ocs/*.vp-hump")
def divert(step: Step[State]) -> None:
    """One die of lift for this turn, and the points that it gives Japan."""
    lift = step.roll("air").sum
    step.put("hump", "markers", "hump", lift)
    step.put("hump", "markers", "hump_turns", (*diversions(step.state), step.state.turn))
    step.cite("ocs/3.10", "ocs/3.10-points")
    victory, hump = script(step.state).victory, script(step.state).hump
    why = "Hump diversion"
    if any(item.test == "hump_diversion" for item in victory.items):
        score_event(step, "hump_diversion", why)
    elif hump.points:
        score(step, "japanese", "hump", hump.points, why, "ocs/3.10-points")


def end_lift(step: Step[State]) -> None:
    """What was not lifted in the Allied player-turn is lost."""
    if step.state.player == "allied":
        step.put("hump", "markers", "hump", None)
    step.close()
