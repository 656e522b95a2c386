"""The catalogue of sentences of OCS Burma: those of placing things, of movement and of combat."""

from __future__ import annotations

from burma_study.rules.ocs.air.texts import TEXTS as AIR
from burma_study.rules.ocs.combat.fighting_texts import TEXTS as FIGHTING
from burma_study.rules.ocs.combat.texts import REASONS
from burma_study.rules.ocs.goods.texts import TEXTS as GOODS
from burma_study.rules.ocs.movement.reach_texts import TEXTS
from burma_study.rules.ocs.movement.texts import MOVING
from burma_study.rules.ocs.turn.arrival_texts import TEXTS as ARRIVALS

PLACING: dict[str, str] = {
    "set-up-only": "Under the rules, things are placed by hand only in set-up, not in the {phase} phase.",
    "unknown-counter": "There is no counter {unit!r} in OCS Burma.",
    "not-in-play": "{what} {name!r} is not in play.",
    "no-such-hex": "The board has hexes 0 to {last}, not {at}.",
    "no-such-box": "{at!r} is neither a hex nor a holding box or pile; these are {known}.",
    "off-terrain": "{hexes} is no playable hex.",
    "enemy-there": "{hexes} is held by the enemy: {units}.",
    "unknown-word": "{value!r} is no {slot}; accepted: {known}.",
    "not-within": "{slot} is {value}; it lies between {low} and {high}.",
    "overloaded": "{name} carries {load} T, more than its {size} T.",
    "past": "Turn {turn} lies before turn {now}.",
}
CATALOGUE: dict[str, str] = {**TEXTS, **REASONS, **MOVING, **GOODS, **FIGHTING, **PLACING, **ARRIVALS, **AIR}
