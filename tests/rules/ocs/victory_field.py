"""States for the tests of victory: units moved by hand, hexes emptied, a turn that ends, an order that was played."""

from dataclasses import replace

from dice import ONES, Dice, at_once, where

from burma_study.engine.step import Step
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.orders import face_of
from burma_study.rules.ocs.setup.starting import start
from burma_study.rules.ocs.state import Piece


def moved(state, unit, label):
    return state.place(replace(state.pieces[unit], at=where(label) if "." in label else label))


def emptied(state, *labels):
    """Nobody in these hexes."""
    for piece in list(state.pieces.values()):
        if piece.at in map(where, labels):
            state = state.put("pieces", piece.id, None)
    return state


def deserted(name):
    """A scenario's start without a unit, base or goods on the map; control stays what it was."""
    state = start(f"ocs/{name}")
    for table in ("dumps", "transport", "bases"):
        for key in list(getattr(state, table)):
            state = state.put(table, key, None)
    for piece in list(state.pieces.values()):
        if isinstance(piece.at, int):
            state = state.put("pieces", piece.id, None)
    return state


def manned(state, *units):
    """A state with units put in it, each as `id@hex` or `id@hex/mode`."""
    for text in units:
        unit, _, spot = text.partition("@")
        label, _, mode = spot.partition("/")
        state = state.place(Piece(unit, where(label), mode or "combat", face_of(mode or "combat")))
    return state


def turn_ends(state, turn=1):
    """The state after the end of a turn that the Allies finish."""
    state = state.with_(turn=turn, phase="cleanup", player="allied", first="japanese")
    over = turn == len(state.markers["calendar"])
    return at_once(state, "done", **({} if over else {"weather": ONES, "initiative": [(6, 6), (1, 1)]}))


def after_order(state):
    """The state after an order of play that touched every unit and left it where it is."""
    step = Step(state.with_(phase="combat", player="japanese"), Dice(), GAME.clock)
    step.open("aftermath")
    for unit, piece in state.pieces.items():
        step.put("touched", "pieces", unit, replace(piece, done=not piece.done))
        step.put("touched", "pieces", unit, piece)
    step.settle(GAME.procedures)
    return step.state


def points(state, item, side="japanese"):
    return sum(p.points for p in state.score.values() if (p.item, p.side) == (item, side))
