"""Dice that fall as a test says, stream by stream; `at_once` carries one order out with them.

A test names every stream that is rolled, and the order must ask for each of its rolls: a roll that is missing or left
over is an error, so that no test passes by dice it does not know of. `ONES` is for a stream that is rolled but that
the test is not about.
"""

from burma_study.engine.dice import Roll
from burma_study.rules.ocs.game import GAME

ONES = "ones as often as they are asked for, once at least"


class Dice:
    """`Dice(supply=[(3, 4)], weather=[(1, 1), (2,)])`; each stream in the order in which its rolls are asked for."""

    def __init__(self, **streams):
        self.ones = {name for name, rolls in streams.items() if rolls is ONES}
        self.left = {name: list(rolls) for name, rolls in streams.items() if rolls is not ONES}
        self.asked = []

    def roll(self, stream, clock, count, sides):
        rolls = [(1,) * count] if stream in self.ones else self.left.get(stream)
        assert rolls, f"{stream}: {count} dice are asked for, the test gives no more (asked so far: {self.asked})"
        dice = rolls.pop(0)
        assert len(dice) == count, f"{stream}: {count} dice are asked for, the test gives {dice}"
        self.asked.append((stream, dice, sides))
        return Roll(stream, *clock, len(self.asked), dice, sides)

    def used_up(self):
        """Every roll that the test gives has been asked for."""
        left = {name: rolls for name, rolls in self.left.items() if rolls}
        left |= dict.fromkeys(self.ones - {stream for stream, _, _ in self.asked}, ONES)
        assert not left, f"never asked for: {left}"


def at_once(state, order, **streams):
    """The state after an order, with these dice and no others."""
    dice = Dice(**streams)
    after = GAME.apply(state, GAME.parse(order), dice).state
    dice.used_up()
    return after


def where(label):
    """The hex of a label."""
    return GAME.book["place"].form.slots["at"].read(label)


def begun(state, phase, player, turn=1, **streams):
    """The state as `done` enters a phase of a player, coming from the phase before it; every phase stops."""
    from burma_study.rules.ocs.state import PHASES

    before = PHASES[PHASES.index(phase) - 1]
    state = state.put("markers", "stops", "all").with_(turn=turn, phase=before, player=player)
    return at_once(state, "done", **streams)
