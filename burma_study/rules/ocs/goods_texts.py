"""The sentences of supply and goods: why something cannot be paid, loaded, built, eaten or captured."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "cannot-pay": "No supply in reach of {units} can pay {tokens} T for {use}.",
    "no-such-payment": "{tokens} T cannot be paid from {text}; ways are {ways}.",
    "not-displaced": "{name} is not among the transport to be displaced: {waiting}.",
    "no-refuge": "{name} may be displaced by at most {far} hexes to a hex without enemy units; {hexes} is none.",
}
