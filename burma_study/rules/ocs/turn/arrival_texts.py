"""Sentences for why arrivals, replacements and diversions are refused."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "not-due": "{unit} does not arrive now; due are {due}.",
    "no-entry": "{unit} cannot arrive at {at}; it may at {places}.",
    "fixed-mode": "{unit} arrives in {mode} mode.",
    "no-income": "{tokens} T are more than the {left} T that arrive now.",
    "no-delivery": "Supply cannot arrive at {at}; it may at {places}.",
    "no-hump": "This scenario allows no Hump diversion.",
    "hump-used": "All Hump diversions of this scenario are used: {count}.",
    "hump-wait": "The last Hump diversion was in turn {last}; there is one in {every} turns.",
    "hump-far": "No Japanese unit is within {reach} hexes of Imphal or Dimapur and west of the Chindwin.",
    "no-rebuild": "{unit} cannot be rebuilt: it is not dead, an HQ, or marked never to return.",
    "no-rebuild-box": "{unit} is not rebuilt at {box}; it may be at {boxes}.",
    "cannot-afford": "{unit} costs {pax} Pax and {eq} Eq; the {box} box has {have_pax} and {have_eq}.",
    "no-such-use": "{to!r} is not what it may be used for: {uses}.",
    "no-reserve-yet": "{unit} in {hexes} may not be in Reserve before play.",
    "too-many-reserves": "{side} has {count} stacks in Reserve and only {most} Reserve markers.",
    "no-clearings": "Clearings are picked by the Allies, in set-up, where the scenario says so.",
    "too-many-clearings": "{count} Clearings are named; there may be {most} different ones.",
    "no-clearing-there": "No Clearing may be at {at}: within {reach} hexes of A46.01, no mountain, road or rail near.",
    "no-way-off": "{unit} cannot leave the map: it must stand on {exits}, not yet done, not in Reserve.",
    "no-way-on": "{unit} cannot come back now: turn {turn} is the first, at {at}, free of the enemy.",
}
