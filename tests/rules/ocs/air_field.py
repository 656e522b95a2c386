"""Made-up air wars: a state with bases and aircraft on clear ground, orders as text, dice as told."""

from __future__ import annotations

from dice import Dice
from movement_field import field

from burma_study.rules.ocs.air.aircraft import OUT
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.orders import WHERE
from burma_study.rules.ocs.state import Aircraft, Base, Dump, State

HOME, ENEMY_HOME = "A10.10", "A30.10"
BASES = {
    "silchar": ("allied", 2),
    "ledo": ("allied", 2),
    HOME: ("allied", 2),
    "A12.14": ("allied", 1),
    ENEMY_HOME: ("japanese", 1),
}


def at(label: str):
    """A hex or box by name."""
    return WHERE.read(label)


def air(
    planes, units=None, *, player="allied", phase="movement", bases=None, dumps=None, version="1999", **rest
) -> State:
    """Planes as id -> place, (place, steps, active) or (place, ..., True for DG); the type stands in the id.

    Bases as place -> (side, level); an Allied one of level 2 at HOME and a Japanese one at ENEMY_HOME unless told.
    """
    state = field(
        {i: at(w) if isinstance(w, str) else w for i, w in (units or {}).items()},
        version,
        player=player,
        phase=phase,
        **rest,
    )
    for where, (side, level) in (bases or {HOME: ("allied", 2), ENEMY_HOME: ("japanese", 1)}).items():
        state = state.put("bases", at(where), Base(side, level))
    for where, (side, tokens) in (dumps or {}).items():
        state = state.put("dumps", at(where), Dump(side, tokens))
    for id_, spec in planes.items():
        state = fly(state, id_, *((spec,) if isinstance(spec, str) else spec))
    return state


def fly(state: State, id_: str, where: str, steps: int = 2, active: bool = True, dg: bool = False) -> State:
    """One more air unit."""
    side = "allied" if id_.startswith("a/") else "japanese"
    return state.put("aircraft", id_, Aircraft(id_, side, id_.split("/")[1], at(where), steps, active, dg))


def aloft(state: State, id_: str, where: str, home: str = HOME, purpose: str = "station", others=()) -> State:
    """One more air unit, on station."""
    state = fly(state, id_, where)
    return state.put("markers", OUT + id_, (at(home), tuple(sorted((id_, *others))), purpose))


def codes(state: State, order: str) -> list[str]:
    """The codes of every reason against an order."""
    return [r.code for r in GAME.check(state, GAME.parse(order))]


def give(state: State, *orders: str, **streams) -> State:
    """The state after some orders, with these dice in all of them."""
    dice = Dice(**streams)
    for order in orders:
        state = GAME.apply(state, GAME.parse(order), dice).state
    dice.used_up()
    return state


def asked(state: State) -> tuple[str, tuple[str, ...]]:
    """Who has to decide, and the kinds of answer."""
    decision = GAME.decision(state)
    return (decision.actor, decision.kinds) if decision.frame else ("", ())


def plane(state: State, id_: str) -> Aircraft:
    """An air unit."""
    return state.aircraft[id_]


def run(state: State, procedure: str, **streams) -> State:
    """The state after a procedure that runs by itself."""
    from burma_study.engine.step import Step

    dice = Dice(**streams)
    step = Step(state, dice, GAME.clock)
    step.open(procedure)
    step.settle(GAME.procedures)
    dice.used_up()
    return step.state
