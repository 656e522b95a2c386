"""Stacking: how much may end a segment in one hex, and who may stand together (OCS 4.8; Burma 3.7a)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from burma_study.errors import Problem
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import Counter
from burma_study.rules.ocs.state import Piece, Rules, State, stack, stacks

LIMIT = Fraction(10)
LIGHT = 6  # Leg MP in Move Mode up to which a unit weighs half as cargo (OCS 4.7b)
FREE_COOPERATION = "erratum.9"  # 823 Engineers work with all Allies


@rule("ocs-series/4.8", "ocs-series/4.6")
def size_of(pieces: Iterable[Piece]) -> Fraction:
    """Regimental equivalents of combat units; supply and transport count nothing."""
    return sum((p.counter.re for p in pieces), Fraction(0))


@rule("ocs-series/4.7", "ocs-series/4.7b", "ocs-series/erratum.11")
def cargo_size(rules: Rules, counter: Counter) -> Fraction:
    """SP that a unit weighs as cargo: its RE, or half of it for a Leg MA of 1 to 6 in Move Mode.

    The half rate came with later series rules (v4.3 here), and the erratum says that nobody in Burma has it.
    """
    light = counter.move.mobility == "leg" and 1 <= counter.move.ma <= LIGHT
    halved = light and rules.version == "v4.3" and not rules.corrects("erratum.11")
    return counter.re / 2 if halved else counter.re


@rule("ocs/3.7a")
def stack_together(state: State, a: Counter, b: Counter) -> bool:
    """May two units of one side end in one hex? Commonwealth and US or Chinese may not (Burma 3.7a).

    The Chindits' leave to attack with US troops does not let them stack with them: the rule names attacks only.
    """
    return a.group == b.group or any(works_with_all(state.rules, c) for c in (a, b))


@rule("ocs-series/erratum.9")
def works_with_all(rules: Rules, counter: Counter) -> bool:
    """Does a unit operate with every ally, whatever its nationality (erratum 9)?"""
    return "airfield_builder" in counter.traits and rules.corrects(FREE_COOPERATION)


def check_stacking(state: State) -> list[Problem]:
    """Everything wrong with where units stand now, hex by hex in board order; holding boxes have no limit."""
    return [problem for hex_ in sorted(stacks(state)) for problem in check_hex(state, hex_)]


@rule("ocs-series/4.8")
def check_hex(state: State, hex_: int, arriving: Iterable[Piece] = ()) -> list[Problem]:
    """Everything wrong with one hex at the end of a segment, with `arriving` units added to those that stand there."""
    new = tuple(arriving)
    ids = {p.id for p in new}
    pieces = [*(p for p in stack(state, hex_) if p.id not in ids), *new]
    label = state.board.label(hex_)
    checks = (_both_sides, _too_many, _strangers, _reserve_in_hedgehog)
    return [problem for check in checks for problem in check(state, hex_, label, pieces)]


def _names(pieces: Iterable[Piece]) -> str:
    return ", ".join(sorted(p.id for p in pieces))


@rule("ocs-series/4.8")
def _both_sides(state: State, hex_: int, label: str, pieces: list[Piece]) -> Iterable[Problem]:
    if len({p.counter.side for p in pieces}) > 1:
        yield Problem("both_sides", f"Units of both sides stand in {label}: {_names(pieces)}.", hint="Move one side.")


@rule("ocs-series/4.8")
def _too_many(state: State, hex_: int, label: str, pieces: list[Piece]) -> Iterable[Problem]:
    for side in sorted({p.counter.side for p in pieces}):
        size = size_of(p for p in pieces if p.counter.side == side)
        if size > LIMIT:
            text = f"{side.capitalize()} units in {label} are {float(size):g} RE; at most {LIMIT} may end there."
            yield Problem("overstacked", text, hint=f"Take {float(size - LIMIT):g} RE out, or the owner loses them.")


@rule("ocs/3.7a")
def _strangers(state: State, hex_: int, label: str, pieces: list[Piece]) -> Iterable[Problem]:
    allied = [p for p in pieces if p.counter.side == "allied"]
    apart = [p for p in allied if any(not stack_together(state, p.counter, q.counter) for q in allied)]
    if apart:
        text = f"Commonwealth and US or Chinese units may not stack, but do in {label}: {_names(apart)}."
        yield Problem("cooperation", text, hint="Move one group away (Burma 3.7a).")


@rule("ocs/opt.2.5", "ocs-series/5.7")
def _reserve_in_hedgehog(state: State, hex_: int, label: str, pieces: list[Piece]) -> Iterable[Problem]:
    if hex_ not in state.hedgehogs:
        return
    guns_may = state.rules.version == "1999" and state.rules.has("opt2")
    waiting = [p for p in pieces if p.mode == "reserve" and not (guns_may and p.counter.is_artillery)]
    if waiting:
        who = "only artillery" if guns_may else "no unit"
        text = f"In a hedgehog hex {who} may be in Reserve; in {label} stand {_names(waiting)}."
        yield Problem("reserve_in_hedgehog", text, hint="Take the Reserve marker off or leave the hex.")
