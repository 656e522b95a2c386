"""Why an order is refused: a code with its parameters; the sentences stand in one catalogue a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from burma_study.errors import IllegalOrder, Problem

CATALOGUE: dict[str, str] = {
    "decision-open": "{actor} has to decide about {procedure} first: {kinds}.",
    "not-yours": "It is for {decider} to order now, not for {actor}.",
    "not-now": "An order to {kind} is not given now; orders are {kinds}.",
    "nothing": "No order is given; give one, or several together.",
    "unsound": "It cannot be: {why}.",
    "several-dice": "Orders after a roll of dice are given one at a time.",
    "unreadable": "{text!r} is no order of this game. {hint}",
    "unknown-order": "This game has no order {kind!r}; it has {kinds}.",
    "no-slot": "The order {kind!r} has no part {slot!r}; it has {slots}.",
}


class Reason(NamedTuple):
    """One reason against an order: `code`, sorted parameters, hexes and rule id.

    A `hard` reason holds in every enforcement mode: the order cannot be carried out at all.
    """

    code: str
    params: tuple[tuple[str, object], ...] = ()
    hexes: tuple[int, ...] = ()
    rule: str = ""
    hard: bool = False


def because(code: str, *hexes: int, rule: str = "", hard: bool = False, **params: object) -> Reason:
    """A reason from named parameters."""
    return Reason(code, tuple(sorted(params.items())), hexes, rule, hard)


def sentence(reason: Reason, catalogue: Mapping[str, str], label: Callable[[int], str] = str) -> str:
    """The reason in words: the catalogue's sentence with parameters, `{hexes}` as labels, and the rule's id."""
    template = catalogue.get(reason.code) or CATALOGUE.get(reason.code) or reason.code
    words = {name: _words(value) for name, value in reason.params}
    text = template.format(**words, hexes=", ".join(map(label, reason.hexes))).strip()
    return f"{text} ({reason.rule})" if reason.rule else text


def _words(value: object) -> object:
    return (", ".join(map(str, value)) or "none") if isinstance(value, tuple) else value


def refusal(text: str, reasons: Iterable[Reason], say: Callable[[Reason], str]) -> IllegalOrder:
    """The error for a refused order, with a problem a reason."""
    problems = [Problem(r.code, say(r), hint=f"See {r.rule}." if r.rule else "") for r in reasons]
    return IllegalOrder(f"{text!r} is refused: {' '.join(p.message for p in problems)}", problems)
