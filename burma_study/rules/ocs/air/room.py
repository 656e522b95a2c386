"""The room of the air war: which flights may be made in which phase, and what runs by itself (Burma 1.7, 1.8, Opt.3).

The matters lie in `aircraft` (types), `bases`, `refit`, `combat`, `missions`, `bombing`, `loads`, `lift`, `fly_in`,
`joining` and `interdiction`. With Opt.3 off two fly together and nothing of the package holds; what the series had in
its place and was not found (refit by die, interception) stays as here. Under v4.3 the combat table is that of v4.3 and
aircraft bomb straight from base; its flak, patrol zones and trainbusting are not played.
"""

from __future__ import annotations

from collections.abc import Callable

from burma_study.engine.orders import Order
from burma_study.engine.room import OrderRules, Room
from burma_study.engine.step import Step
from burma_study.rules.ocs.air import bombing as air_bombing
from burma_study.rules.ocs.air import fly_in as air_fly_in
from burma_study.rules.ocs.air import joining as air_joining
from burma_study.rules.ocs.air import lift as air_lift
from burma_study.rules.ocs.air import missions as air_missions
from burma_study.rules.ocs.air import refit as air_refit
from burma_study.rules.ocs.air.bases import (
    air_crowding,
    air_return,
    crowd,
    grounding,
    strikes_over,
)
from burma_study.rules.ocs.air.bombing import barraged, bombing
from burma_study.rules.ocs.air.combat import air_combat, fly
from burma_study.rules.ocs.air.fly_in import lift_tokens, waiting
from burma_study.rules.ocs.air.joining import partners
from burma_study.rules.ocs.air.lift import friendly_hexes
from burma_study.rules.ocs.air.refit import protecting, refittable
from burma_study.rules.ocs.air.slots import aloft, enemy_hexes, flyer, ready
from burma_study.rules.ocs.state import State

FLYING = ("ferry", "station", "strike", "recall", "hip_shoot", "lift")
FROM_OUTSIDE = ("fly_in", "hump")
BARRAGES = ("movement_barrage", "reaction_barrage", "exploitation_barrage")
PHASES: dict[str, tuple[str, ...]] = {
    "refit": ("refit", "recall", "join"),
    "reinforcement": ("fly_in", "join"),
    "movement": (*FLYING, *FROM_OUTSIDE, "join"),
    "reaction": (*FLYING, "join"),
    "exploitation": (*FLYING, *FROM_OUTSIDE, "join"),
    **dict.fromkeys(BARRAGES, ("bomb", "join")),
}
ORDERS: dict[type[Order], OrderRules[State]] = {
    **air_missions.RULES,
    **air_bombing.RULES,
    **air_refit.RULES,
    **air_lift.RULES,
    **air_fly_in.RULES,
    **air_joining.RULES,
}
MISSIONS = {**air_missions.MISSIONS, **air_bombing.MISSIONS, **air_lift.MISSIONS}


def flight(step: Step[State]) -> None:
    """A flight of any mission, stage by stage."""
    fly(step, MISSIONS)


PROCEDURES: dict[str, Callable[[Step[State]], None]] = {
    f.__name__: f
    for f in (
        air_combat,
        air_crowding,
        air_return,
        bombing,
        crowd,
        flight,
        friendly_hexes,
        grounding,
        protecting,
        strikes_over,
    )
}


def _allied(state: State) -> bool:
    """Nobody flies to Japan from beyond the map."""
    return state.player == "allied"


_NEEDS: dict[str, Callable[[State], bool]] = {
    **dict.fromkeys(FROM_OUTSIDE, _allied),
    "join": lambda state: bool(partners(state)),
}


def _idle_refit(state: State) -> bool:
    """Nothing can be refitted and nothing is in the air."""
    return not (refittable(state) or aloft(state))


def _idle_arakan(state: State) -> bool:
    """Nobody waits in Arakan, or nothing can fetch him now."""
    return state.player == "japanese" or not waiting(state) or state.air_ops == "prohibited"


def _idle_flying(state: State) -> bool:
    """Nothing is ready to fly, nothing can be recalled, no lift from outside is left."""
    if aloft(state):
        return False
    lift = flyer(state) == "allied" and lift_tokens(state) > 0 and state.phase != "reaction"
    return state.air_ops == "prohibited" or not (ready(state) or lift)


def _idle_bombing(state: State) -> bool:
    """No stack is over a target; in v4.3 none is ready at its base either."""
    targets = enemy_hexes(state, flyer(state)) - set(barraged(state))
    over = any(p.at in targets for p in aloft(state))
    return not over and not (state.rules.version == "v4.3" and targets and ready(state))


AIR = Room(
    "air",
    ORDERS,
    PHASES,
    PROCEDURES,
    _NEEDS,
    idle={
        "refit": _idle_refit,
        "reinforcement": _idle_arakan,
        **dict.fromkeys(("movement", "reaction", "exploitation"), _idle_flying),
        **dict.fromkeys(BARRAGES, _idle_bombing),
    },
    enters={"refit": ("air_return",), "movement": ("friendly_hexes",)},
    leaves={
        "weather": ("grounding",),
        **dict.fromkeys(("refit", "movement_barrage", "reaction_barrage"), ("air_crowding",)),
        "exploitation_combat": ("air_crowding", "strikes_over"),
    },  # air stacking is looked at in the last segment of each phase
)
