"""What a combat result asks of a side: steps lost, options as steps or hexes, disorganisation (OCS 5.10, 9.10, 9.11).

Procedures: `casualties` takes steps from units by the rules of spreading, `options` splits option points. Both answer
the frame below: `casualties` with `hit` (ids hit so far), `options` with `steps` and `hexes`, or `ignored`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from burma_study.engine.frames import Frame
from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import INT, Order, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules, nothing
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.goods.losses import lose_steps
from burma_study.rules.ocs.movement.orders import UNITS
from burma_study.rules.ocs.state import Piece, State

SHED = ("reserve", "strat", "exploit")  # modes that end when a unit becomes DG


@order("sacrifice {units}")
class Sacrifice(Order):
    """The units that lose a step each, as many as were asked for."""

    units: tuple[str, ...] = slot(UNITS)


@order("settle {steps} in steps")
class Settle(Order):
    """So many option points are paid in steps; the rest is hexes of retreat."""

    steps: int = slot(INT)


@order("ignore the option", kind="ignore")
class Ignore(Order):
    """A defender who is free from his option does nothing."""


def alive(state: State, ids: Iterable[str]) -> tuple[Piece, ...]:
    """The pieces of these ids that are still on the map."""
    return tuple(p for i in ids if (p := state.pieces.get(i)) is not None and p.on_map)


# disorganisation ------------------------------------------------------------------------------------------------------


@rule("ocs-series/5.10", "ocs-series/5.10a")
def becomes_dg(state: State, piece: Piece) -> bool:
    """Headquarters never become DG in 1999 (OCS 5.10)."""
    return not (piece.counter.is_hq and state.rules.version == "1999")


@rule("ocs-series/5.10a")
def disorganise(step: Step[State], ids: Iterable[str]) -> None:
    """Units become DG; Reserve, Strategic and Exploit Mode end, the side that shows stays."""
    for piece in alive(step.state, ids):
        if not piece.dg and becomes_dg(step.state, piece):
            mode = piece.face if piece.mode in SHED else piece.mode
            step.put("disorganised", "pieces", piece.id, replace(piece, dg=True, mode=mode))


@rule("ocs-series/5.7")
def rouse(step: Step[State], ids: Iterable[str]) -> None:
    """Units in Reserve Mode lose the marker."""
    for piece in alive(step.state, ids):
        if piece.mode == "reserve":
            step.put("roused", "pieces", piece.id, replace(piece, mode=piece.face))
            step.cite("ocs-series/5.7")


# steps ----------------------------------------------------------------------------------------------------------------


def open_casualties(
    step: Step[State],
    side: str,
    units: Sequence[str],
    n: int,
    cause: str,
    *,
    first: Sequence[str] = (),
    hit: Sequence[str] = (),
    spread: bool = True,
) -> None:
    """Ask `side` for `n` steps of `units`, where there is a choice at all.

    `first` takes the first of a battle's steps; with `spread` every unit loses one before any loses two. `hit` names
    those that lost steps before, once for each.
    """
    step.open(
        "casualties",
        side=side,
        units=tuple(units),
        n=n,
        cause=cause,
        first=tuple(first),
        hit=tuple(hit),
        spread=spread,
    )


@rule("ocs-series/9.11")
def candidates(state: State, frame: Frame) -> tuple[tuple[str, ...], int]:
    """The units that may take the next steps, and how many of them have to lose one now (OCS 9.11)."""
    there, hit, n = alive(state, frame["units"]), frame["hit"], frame["n"]
    first = tuple(p.id for p in there if p.id in frame["first"])
    if first and not hit:
        return first, 1
    if frame["spread"]:
        fewest = min((hit.count(p.id) for p in there), default=0)
        there = tuple(p for p in there if hit.count(p.id) == fewest)
    several = not frame["spread"] and any(p.steps > 1 for p in there)
    return tuple(p.id for p in there), 1 if several else min(n, len(there))


def _take(step: Step[State], units: Iterable[str]) -> None:
    """Each of the units loses a step."""
    frame = step.frame
    chosen = tuple(units)
    for unit in chosen:
        lose_steps(step, unit, 1, frame["cause"])
    step.note(n=frame["n"] - len(chosen), hit=(*frame["hit"], *chosen))


@rule("ocs-series/9.11")
def casualties(step: Step[State]) -> None:
    """Steps are taken where nobody can choose, else the owner is asked; what goes beyond the last step is ignored."""
    frame = step.frame
    who, count = candidates(step.state, frame)
    if not frame["n"] or not who:
        step.cite("ocs-series/9.11")
        step.close(hit=frame["hit"])
    elif count == len(who) or frame["n"] >= sum(p.steps for p in alive(step.state, frame["units"])):
        _take(step, who[: frame["n"]])
    else:
        step.ask(frame["side"], "sacrifice")


def asked(state: State, procedure: str) -> Frame | None:
    """The frame of a procedure that waits for an answer."""
    top = state.frames[-1] if state.frames else None
    return top if top is not None and top.actor and top.procedure == procedure else None


def _sacrifice_impossible(state: State, o: Sacrifice) -> Iterator[Reason]:
    frame = asked(state, "casualties")
    if frame is None:
        yield because("nothing-asked", kind="sacrifice", hard=True)
        return
    who, count = candidates(state, frame)
    wrong = tuple(u for u in o.units if u not in who)
    if wrong:
        yield because("no-candidate", rule="ocs-series/9.11", hard=True, units=wrong, known=who)
    if len(set(o.units)) != len(o.units) or len(o.units) != count:
        yield because("wrong-number", rule="ocs-series/9.11", hard=True, count=count, given=len(set(o.units)))


def _sacrifice_choices(state: State, partial: Partial, _: str) -> Iterable[Choice]:
    frame = asked(state, "casualties")
    if frame is None:
        return []
    who, count = candidates(state, frame)
    chosen = partial.values.get("units", ())
    if len(chosen) >= count:
        return []
    return [Choice(u, state.pieces[u].counter.label, state.pieces[u].steps) for u in who if u not in chosen]


# options --------------------------------------------------------------------------------------------------------------


@rule("ocs-series/9.10", "ocs/opt.2.4")
def splits(state: State, frame: Frame) -> tuple[int, ...]:
    """How many option points may be paid in steps: all of them, or so many that somebody is left to fall back.

    Steps beyond those there are count as paid to the defender, but leave an attacker's option unpaid (OCS 9.10c).
    """
    n, steps = frame["n"], sum(p.steps for p in alive(state, frame["units"]))
    return tuple(k for k in range(frame["least"], n + 1) if k == n or k < steps)


@rule("ocs-series/9.10", "ocs-series/9.10c")
def options(step: Step[State]) -> None:
    """Option points are split where there is one way only, else their owner is asked; `free` lets him ignore them."""
    frame = step.frame
    ways = splits(step.state, frame)
    if len(ways) == 1 and not frame["free"]:
        _split(step, ways[0])
    else:
        step.ask(frame["side"], "settle", *(("ignore",) if frame["free"] else ()))


def _split(step: Step[State], steps: int) -> None:
    step.cite("ocs-series/9.10")
    step.close(steps=steps, hexes=step.frame["n"] - steps, ignored=False)


def _option_impossible(state: State, o: Settle) -> Iterator[Reason]:
    frame = asked(state, "options")
    if frame is None:
        yield because("nothing-asked", kind="settle", hard=True)
    elif o.steps not in (ways := splits(state, frame)):
        yield because("wrong-split", rule="ocs-series/9.10", hard=True, steps=o.steps, n=frame["n"], ways=ways)


def _option_choices(state: State, _: Partial, __: str) -> Iterable[Choice]:
    frame = asked(state, "options")
    if frame is None:
        return []
    n = frame["n"]
    return [Choice(k, f"{k} in steps, {n - k} in hexes of retreat", k) for k in splits(state, frame)]


def _carry_ignore(step: Step[State], _: Ignore) -> None:
    step.cite("ocs-series/9.10c")
    step.close(steps=0, hexes=0, ignored=True)


ORDERS: dict[type[Order], OrderRules[State]] = {
    Sacrifice: OrderRules(_sacrifice_impossible, nothing, lambda step, o: _take(step, o.units), _sacrifice_choices),
    Settle: OrderRules(_option_impossible, nothing, lambda step, o: _split(step, o.steps), _option_choices),
    Ignore: OrderRules(nothing, nothing, _carry_ignore),
}
PROCEDURES = {"casualties": casualties, "options": options}
