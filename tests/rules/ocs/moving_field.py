"""Playing on made-up ground: a state in a phase, orders given as text, reasons by their codes."""

from __future__ import annotations

from movement_field import field

from burma_study.engine.dice import KeyedDice
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.orders import WHERE
from burma_study.rules.ocs.state import Dump, State


class Loaded(KeyedDice):
    """Dice that fall as they are told, in the order in which they are thrown."""

    def __init__(self, *dice: int) -> None:
        super().__init__("loaded")
        self.left = list(dice)

    def roll(self, stream, clock, count, sides):
        found = super().roll(stream, clock, count, sides)
        thrown, self.left = tuple(self.left[:count]), self.left[count:]
        assert len(thrown) == count, f"no dice left for {stream}"
        return found._replace(dice=thrown)


def play(units, player: str = "japanese", phase: str = "movement", dumps=None, version: str = "1999", **rest) -> State:
    """A state in a phase of a player's turn that stops at every phase; `dumps` gives his tokens by hex."""
    markers = {"calendar": ("1944-03-15", "1944-03-19"), "stops": "all", **rest.pop("markers", {})}
    state = field(units, version, player=player, phase=phase, markers=markers, **rest)
    for at, tokens in (dumps or {}).items():
        state = state.put("dumps", at, Dump(player, tokens))
    return state


def give(state: State, *orders: str, dice: KeyedDice | None = None) -> State:
    """The state after orders."""
    for text in orders:
        state = GAME.apply(state, GAME.parse(text), dice or KeyedDice("moving")).state
    return state


def outcome(state: State, text: str, dice: KeyedDice | None = None):
    """What one order gives: state, events, rolls, rules."""
    return GAME.apply(state, GAME.parse(text), dice or KeyedDice("moving"))


def codes(state: State, text: str) -> list[str]:
    """Codes of everything against an order."""
    return [r.code for r in GAME.check(state, GAME.parse(text))]


def words(state: State, text: str) -> str:
    """Everything against an order in words."""
    return " ".join(GAME.say(r) for r in GAME.check(state, GAME.parse(text)))


def by(*hexes: int) -> str:
    """A path as an order writes it."""
    return ", ".join(map(WHERE.write, hexes))
