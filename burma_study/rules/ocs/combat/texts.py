"""The sentences of combat and barrage: one catalogue for the links of a chain and for the reasons of a refusal."""

from __future__ import annotations

from burma_study.boards.board import load_board
from burma_study.engine.reasons import Reason, sentence

STEPS = {
    "attack_strength": "{subject} attacks with {value}.",
    "defence_strength": "{subject} defends with {value}.",
    "hq_defence": "{subject} is a headquarters and defends with {value}.",
    "artillery_defence": "{subject} is artillery and defends with {value}.",
    "porter": "{subject} carries for its headquarters: strength {value}, and no action rating.",
    "strat_strength": "{subject} is in Strategic Move Mode: strength x {value}.",
    "dg_strength": "{subject} is disorganised: strength x {value}.",
    "oos_strength": "{subject} is marked out of supply: strength x {value}.",
    "reserve_defence": "{subject} is in Reserve Mode: defence x {value}.",
    "no_stocks_defence": "{subject} has no stocks left: defence x {value}.",
    "no_supply_defence": "The defender pays no combat supply: defence x {value}.",
    "terrain_attack": "{subject}: attackers x {value}.",
    "x2_negated": "{subject} is opposed by armor, mech or a hedgehog: x {value} instead of x 2.",
    "terrain_defence": "{subject}: defender x {value}.",
    "least_attack": "From {subject}; {value} is taken for the defender, as the least.",
    "lowest_column": "The defender's terrain by column: {subject}; {value} is taken for him, as the lowest.",
    "category": "The defender has {subject}: {value}.",
    "attack_total": "Attack strength {value}.",
    "defence_total": "Defence strength {value}.",
    "odds": "{subject} is {value}.",
    "zero_defence": "The defence is 0: the last column, {value}.",
    "zero_attack": "The attack is 0: the first column, {value}.",
    "zero_both": "Both strengths are 0: {value}.",
    "column": "Column {value} before surprise ({subject}).",
    "attacker_ar": "{subject} leads the attack with action rating {value}.",
    "defender_ar": "{subject} leads the defence with action rating {value}.",
    "dg_ar": "{subject} is disorganised: action rating {value}.",
    "strat_ar": "{subject} is in Strategic Move Mode: action rating {value}.",
    "large_battle": "{subject} Japanese counters attack, a large battle: action rating {value}.",
    "big_guns": "{subject} adds {value} to the action rating.",
    "drm": "Action ratings {subject}: {value} on both rolls.",
    "hedgehog_surprise": "{subject}: {value} on the surprise roll.",
    "hedgehog_combat": "{subject}: {value} on the combat roll.",
    "banzai": "A Banzai attack: surprise shifts {value} columns instead of a die.",
    "tank_tracks": "Attacker surprise shifts {value} columns more for {subject}.",
    "exploit_void": "No exploit result counts: {subject}.",
    "chindit_dies": "{subject} is a Chindit after decimation: using its action rating destroys it.",
    "points": "{subject} fires {value} barrage points.",
    "dg_barrage": "{subject} is disorganised: barrage x {value}.",
    "points_total": "{value} barrage points.",
    "barrage_column": "Column {value} before shifts.",
    "density": "{subject} RE in the hex: shift {value}.",
    "hedgehog": "A hedgehog of level {subject}: shift {value}.",
    "close": "The hex is {subject}: shift {value}.",
    "extremely_close": "The hex is {subject}: shift {value}.",
    "no_spotter": "No correct spotter{subject}: shift {value}.",
    "strat": "A unit in Strategic Move Mode is in the hex: shift {value}.",
    "near_base": "Every aircraft is within 10 hexes of its base: shift {value}.",
    "final_column": "Column {value} after shifts.",
    "half_is_dg": "[1/2] is only DG here: {subject}.",
    "cost": "The barrage costs {value}.",
}
REASONS = {
    "no-attackers": "No attacker is named.",
    "no-defenders": "There is no enemy combat unit in {hexes}.",
    "unknown-unit": "There is no unit {unit!r} in play. {hint}",
    "not-on-map": "{unit} is not on the map.",
    "two-sides": "{unit} is of the other side.",
    "not-adjacent": "{unit} is not next to {hexes}.",
    "not-attack-capable": "{unit} is not attack-capable: {why}.",
    "cooperation": "These units cannot attack together: {units}.",
    "prohibited": "{unit} may not enter {hexes}, so it cannot attack it.",
    "no-combat-supply": "The attackers have no combat supply: the attack is off.",
    "ar-unit": "{unit} takes no part and cannot give its action rating.",
    "overrun-stack": "An overrun is made by one stack; the units stand in {hexes}.",
    "overrun-mode": "{unit} cannot overrun: {why}.",
    "overrun-cost": "{hexes} costs {unit} more than 3 MP without roads, tracks or bridges.",
    "overrun-mp": "{unit} has not 3 MP to overrun with.",
    "banzai-side": "Only Japanese infantry battalions make a Banzai attack; {unit} is none.",
    "banzai-count": "A Banzai attack has at most {most} battalions, not {count}.",
    "banzai-regiment": "A Banzai attack is made by one regiment; these are of {regiments}.",
    "banzai-hex": "A Banzai attack comes from one hex; the units stand in {hexes}.",
    "not-artillery": "{unit} is not artillery and cannot barrage.",
    "out-of-range": "{unit} is {distance} hexes from {hexes}; its range is {range}.",
    "barrage-mode": "{unit} cannot fire: {why}.",
    "no-points": "A barrage needs at least 1 point.",
    "unobserved-air": "{hexes} is {terrain}: aircraft need a spotter next to it.",
    "no-barrage-supply": "The barrage is not paid for.",
    "air-inactive": "{unit} is inactive.",
}

BY_CLASS = ("terrain_attack", "terrain_defence", "x2_negated")  # their subject begins with a combat class


def title(text: str) -> str:
    """A value from the data as words: `very_close` becomes "very close"."""
    return text.replace("_", " ")


def step_text(code: str, subject: str, value: str) -> str:
    """The sentence of a link; the combat class `other` is called by what is in it."""
    if code in BY_CLASS and subject.startswith("other "):
        subject = f"infantry and guns {subject.removeprefix('other ')}"
    return STEPS[code].format(subject=title(subject), value=title(value))


def reason_text(reason: Reason) -> str:
    """The sentence of a refusal, with its rule."""
    return sentence(reason, REASONS, load_board("ocs").label)
