"""Dice that fall as a test says, stream by stream; `at_once` carries one order out with them."""

from burma_study.engine.dice import Roll
from burma_study.rules.ocs.game import GAME


class Dice:
    """`Dice(supply=[(3, 4)], weather=[(1, 1), (2,)])`; a stream that runs out throws ones."""

    def __init__(self, **streams):
        self.left = {name: list(rolls) for name, rolls in streams.items()}
        self.asked = []

    def roll(self, stream, clock, count, sides):
        rolls = self.left.get(stream)
        dice = rolls.pop(0) if rolls else (1,) * count
        assert len(dice) == count, f"{stream}: {count} dice are asked for, the test gives {dice}"
        self.asked.append((stream, dice, sides))
        return Roll(stream, *clock, len(self.asked), dice, sides)


def at_once(state, order, **streams):
    """The state after an order, with these dice."""
    return GAME.apply(state, GAME.parse(order), Dice(**streams)).state


def until(state, phase, player, **streams):
    """`done` until a player's phase is reached, with the dice for its start; nobody is asked anything on the way."""
    for _ in range(200):
        if (state.phase, state.player) == (phase, player):
            return state
        state = at_once(state, "done", **streams)
    raise AssertionError(f"{phase} of {player} is never reached")


def where(label):
    """The hex of a label."""
    return GAME.book["place"].form.slots["at"].read(label)


def begun(state, phase, player, turn=1, **streams):
    """The state as `done` enters a phase of a player, coming from the phase before it; every phase stops."""
    from burma_study.rules.ocs.state import PHASES

    before = PHASES[PHASES.index(phase) - 1]
    state = state.put("markers", "stops", "all").with_(turn=turn, phase=before, player=player)
    return at_once(state, "done", **streams)
