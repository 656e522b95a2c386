"""The sentences of orders to move: why a mode, a march, a release or an overrun is refused."""

from __future__ import annotations

MOVING: dict[str, str] = {
    # whose and where
    "no-unit": "There is no unit {unit!r} in play. {hint}",
    "twice": "{unit} is named twice.",
    "not-owned": "{unit} belongs to the {owner} side; it is for the {side} side to move.",
    "apart": "Units that go together start in one hex; {units} do not.",
    "gap": "{hexes} are not beside each other; a path goes from hex to adjacent hex.",
    "no-path": "A march needs at least one hex.",
    "half-moved": "{unit} has begun to move with others and takes up none on the way; {newcomer} would join it.",
    # modes
    "mode-chosen": "{unit} chose {mode} Mode in this phase; the mode is chosen once, when a unit starts to move.",
    "no-reserve-marker": "{side} units {group}have {limit} Reserve markers; with this, {needed} would be in use.",
    "hedgehog-reserve": "{unit} may not be in Reserve with the hedgehog in {hexes}; only artillery may.",
    "hedgehog-no-reserve": "No unit may be in Reserve with the hedgehog in {hexes}; {unit} would be.",
    # steps
    "no-step": "{unit} may not go from {start} to {end}: {why}",
    "spent": "{hexes} costs {unit} {cost} MP more, and it has {left} MP left.",
    "must-stop": "{unit} stops in {hexes}, in the zone of {whose}, and goes no farther.",
    # reserves
    "not-released": "{unit} is in Reserve; it is released before it moves.",
    "not-in-reserve": "{unit} is not in Reserve but in {mode} Mode.",
    # overruns
    "overrun-points": "{unit} needs {cost} MP to overrun and has {left} MP.",
    "overrun-full": "{hexes} holds {size} RE; a stack overruns from a hex with at most {limit} RE.",
    # mules on trucks
    "carry-on": "{name} is {kind} transport; mules ride on trucks only.",
    "carry-kind": "{unit} is {kind} transport; only mules ride on trucks.",
    "carry-loaded": "{unit} carries {load} T; only empty mules ride on trucks.",
    "carry-moved": "{unit} has moved in this phase; it rides before it moves.",
    "carry-room": "{name} has room for {room} T, not for mules of {size} T.",
    "carry-time": "{unit} needs more than {cost} MP to load, drive and unload; it has {left} MP left.",
    "carry-stop": "{unit} stops in {hexes}, in the zone of {whose}, and could not unload there.",
    # hexes with too much in them
    "not-crowded": "{unit} is none of those that may be given up: {units}.",
}
