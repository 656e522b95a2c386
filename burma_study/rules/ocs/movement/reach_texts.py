"""The sentences of movement: why a unit may not move, may not enter a hex or may not end there."""

from __future__ import annotations

from burma_study.engine.reasons import Reason, sentence
from burma_study.rules.ocs.state import State

TEXTS: dict[str, str] = {
    # the unit cannot move like this at all
    "in_box": "{unit} is not on the map but in {at}.",
    "done": "{unit} has moved in this phase and may not move again.",
    "no_mode": "{unit} is transport, which is always in Move Mode; {mode} Mode is not open to it.",
    "extender": "{unit} is an extender; breaking it up comes before moving it.",
    "mode_in_phase": "In the {phase} phase {unit} may not move in {mode} Mode; modes that may are {modes}.",
    "dg_mode": "{unit} is DG and may not go over to {mode} Mode before its Clean Up Phase.",
    "mode_change": "{unit} has begun to move in {old} Mode; the mode is chosen before the first step.",
    "face_of_mode": "{mode} Mode shows the {wanted} side of the counter, not the {face} side.",
    "zone_mode": "{unit} may not go over to {mode} Mode in an enemy zone, that of {whose}.",
    "no_ma": "{unit} has no movement allowance with its {face} side up.",
    # a hex it may not enter
    "enemy_units": "Enemy units hold {hexes}: {units}.",
    "enemy_goods": "Only a unit that can attack may enter {hexes}, where the enemy has {goods}.",
    "enemy_zone": "A unit in Strategic Mode may not enter an enemy zone; {hexes} lies in that of {whose}.",
    "ina": "The INA stays west of the Chindwin or beside it; {hexes} lies east.",
    "chindit": "Chindits do not go south of row B30 before the Ledo Road reaches Myitkyina; {hexes} lies south.",
    "chindits-late": "Chindits come west of the Chindwin only from 8 April 1944 on; {hexes} lies west.",
    "area": "{hexes} lies outside the scenario's part of the map.",
    "no_hex": "{hexes} is no hex that a unit may enter.",
    "terrain": "{mobility} units enter {terrain} only by road or track, and none that is open leads to {hexes}.",
    "no_way": "No way open to {mobility} units leads to {hexes}.",
    "too_far": "{hexes} is {cost} MP away; {unit} has {left}.",
    "stopped": "{hexes} lies behind an enemy zone, in which a {mobility} unit stops: {whose}.",
    # a hex where it may not end
    "no_trace": "A unit in Strategic Mode must end where trace supply is possible; at {hexes} it is not.",
}


def say(state: State, reason: Reason) -> str:
    """A reason of movement in words."""
    return sentence(reason, TEXTS, state.board.label)
