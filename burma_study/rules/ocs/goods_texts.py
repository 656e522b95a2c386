"""The sentences of supply and goods: why something cannot be paid, loaded, built, eaten or captured."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "cannot-pay": "No supply in reach of {units} can pay {tokens} T for {use}.",
    "no-such-payment": "{tokens} T cannot be paid from {text}; ways are {ways}.",
    "not-displaced": "{name} is not among the transport to be displaced: {waiting}.",
    "no-refuge": "{name} may be displaced by at most {far} hexes to a hex without enemy units; {hexes} is none.",
    "not-phasing": "{name} does not belong to {player}, whose phase it is.",
    "stocks-full": "The internal stocks of {unit} are full.",
    "refill-first": "Internal stocks come first, as supply is in reach of {units}.",
    "strat-eats": "{unit} is in Strategic Mode, in which no unit eats from the map.",
    "not-hungry": "{unit} has no need to eat: it traces supply, has eaten, or is not on the map.",
    "no-table": "{unit} cannot eat from {text}; it could from {ways}.",
    "nobody-eats": "No unit without trace supply has tokens to eat in reach.",
    "no-attrition": "No group is rolling for attrition now.",
    "not-starving": "{unit} is not among the units that lose steps: {units}.",
}
