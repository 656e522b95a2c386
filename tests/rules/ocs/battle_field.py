"""Battles on made-up ground, played by orders with fixed dice."""

from __future__ import annotations

from collections.abc import Iterable

from combat_field import TARGET, situation

from burma_study.engine.dice import Roll
from burma_study.engine.game import Partial
from burma_study.engine.step import Step
from burma_study.rules.ocs.combat.attack import exploit_void
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.state import Dump, State

BRIGADE, SECOND = "a/inf/48-17", "a/inf/63-17"  # 6-4-3 each
TANKS = "a/tank/7_Cav"
R215 = [f"j/inf/{n}-215-33" for n in (1, 2, 3)]  # 2-4-3 each
R214 = [f"j/inf/{n}-214-33" for n in (1, 2, 3)]
CHINDITS = ["a/col/A-77-3", "a/col/B-77-3"]


class FixedDice:
    """Rolls as told; more or fewer dice than the rules ask for fail the test."""

    def __init__(self, *rolls: tuple[int, ...]) -> None:
        self.rolls = list(rolls)

    def roll(self, stream: str, clock: tuple[int, str], count: int, sides: int) -> Roll:
        dice = self.rolls.pop(0)
        assert len(dice) == count, f"{count} dice of {stream} were asked for, {dice} are next"
        return Roll(stream, *clock, 0, dice, sides)


def field(units, phase="combat", player="allied", supply=("allied", "japanese"), **more) -> State:
    """A situation in a phase, with 40 T in each hex of the sides of `supply`."""
    state = situation(units, **more).with_(phase=phase, player=player)
    for piece in state.pieces.values():
        if piece.counter.side in supply and isinstance(piece.at, int):
            state = state.put("dumps", piece.at, Dump(piece.counter.side, 40))
    return state


def play(state: State, *orders: str, dice: Iterable[tuple[int, ...]] = ()) -> State:
    """The state after some orders; every roll must be used."""
    roller = FixedDice(*dice)
    for text in orders:
        state = GAME.apply(state, GAME.parse(text), roller).state
    assert not roller.rolls, f"dice left over: {roller.rolls}"
    return state


def refused(state: State, text: str) -> set[str]:
    """Codes of the reasons against an order."""
    return {r.code for r in GAME.check(state, GAME.parse(text))}


def attack(*units: str, more: str = "") -> str:
    """The order to attack TARGET."""
    return f"attack {GAME.label(TARGET)} with {', '.join(units)}{more}"


def asked(state: State) -> tuple[str, tuple[str, ...]]:
    """Who decides now, and what."""
    decision = GAME.decision(state)
    return decision.actor, decision.kinds if decision.frame else ()


def choices(state: State, kind: str, **values) -> list:
    """What the next slot of an order may take."""
    return [c.value for c in GAME.options(state, Partial(kind, values)).choices or ()]


def dead(state: State) -> set[str]:
    """Ids of destroyed units."""
    return {p.id for p in state.pieces.values() if p.at in ("dead", "dead_bn", "gone")}


def first_answer(state: State) -> str:
    """The text of the first legal answer to what is asked."""
    for kind in GAME.decision(state).kinds:
        found = GAME.options(state, Partial(kind))
        while found.complete is None and found.slot:
            if found.choices:
                found = GAME.options(state, found.take(found.choices[0].value))
            elif found.many:
                found = GAME.options(state, found.partial.finish(found.slot))
            else:
                break
        if found.complete is not None:
            return found.complete.text
    raise AssertionError(f"nothing can be answered: {GAME.decision(state)}")


def come_to(
    state: State,
    order: str,
    result: str,
    *,
    ar: str = "",
    defender_ar: str = "",
    surprise: int = 0,
    dice: Iterable[tuple[int, ...]] = (),
) -> State:
    """The attack `order` when its dice have given `result`: what has no choice is carried out, with `dice`."""
    step = Step(GAME.apply(state, GAME.parse(order), FixedDice()).state, FixedDice(*dice), GAME.clock)
    frame = step.frame
    named = {"attacker_ar": ar or frame["attackers"][0], "defender_ar": defender_ar or frame["defenders"][0]}
    units = [step.state.pieces[u] for u in frame["attackers"]]
    void = bool(exploit_void(step.state, TARGET, units, frame["kind"])) or step.state.phase != "combat"
    step.note(stage="doom", paid=False, result=result, void=void, surprise=surprise, **named)
    step.settle(GAME.procedures)
    return step.state
