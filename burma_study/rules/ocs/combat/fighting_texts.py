"""The sentences of fighting: why an attack, an answer in a battle, a retreat or a barrage is refused."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "not-your-unit": "{unit} does not belong to the side whose phase it is.",
    "fought-already": "{unit} has attacked in this segment already.",
    "attacked-already": "{hexes} has been attacked in this segment already.",
    "no-part": "{unit} may not fight in this phase: only Exploit Mode and reserves released now.",
    "attack-unpaid": "No combat supply for {units}: {tokens} T are needed for the attack.",
    "defence-unpaid": "The defence cannot be paid from {text}; ways are {ways}.",
    "nothing-asked": "Nobody has to {kind} now.",
    "no-leader": "{unit} cannot give its action rating here; units that can are {known}.",
    "no-candidate": "{units} are not among the units concerned: {known}.",
    "wrong-number": "{count} units have to be named, each once; {given} are.",
    "wrong-split": "{steps} of {n} option points cannot be paid in steps; accepted: {ways}.",
    "no-advance": "{units} may not enter {hexes}; units that may are {known}.",
    "advance-crowded": "{units} are too many for {hexes}, or may not stand there together.",
    "retreat-alone": "{units} need not fall back; name one that must with them: {known}.",
    "retreat-apart": "Units that retreat together stand in one hex; these stand in {hexes}.",
    "no-retreat": "By {hexes} they cannot fall back: take a shortest open way to {due} hexes from where they stood.",
    "fired-already": "{unit} has fired in this phase already.",
    "barraged-already": "{hexes} has been barraged in this phase already.",
    "no-facility": "There is no enemy air base in {hexes}.",
    "one-source": "A barrage is paid through one HQ or from one store; {text} is more than one.",
}
