"""Traces and near misses as sentences, for the page, the command line and the log."""

from __future__ import annotations

from burma_study.boards.board import Board
from burma_study.rules.ocs.air.aircraft import air_types
from burma_study.rules.ocs.counters import counter, counters, ghosts
from burma_study.rules.ocs.movement.terrain import mp
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.supply.net import LOOK
from burma_study.rules.ocs.supply.trace import Leg, Miss, Trace

_LINES = {
    "rail": "by railway",
    "river": "by river",
    "ledo": "along the Ledo Road",
    "roads": "along contiguous roads",
}


def named(board: Board, hex_: int) -> str:
    """A hex with its place's name: "A7.09 Imphal"."""
    name = board.names.get(hex_)
    return f"{board.label(hex_)} {name}" if name else board.label(hex_)


def unit_name(id_: str) -> str:
    """How a unit is called in a sentence: "33 Div HQ", "1-214-33", "C-47 2", "truck 3"; what is none as it is."""
    if id_ in ghosts():
        return ghosts()[id_].label
    if id_ not in counters():
        return _point_name(id_)
    c = counter(id_)
    return f"{c.label} HQ" if c.is_hq and not c.label.endswith("HQ") else c.label


def _point_name(id_: str) -> str:
    """An air unit by its type, transport by its kind, with the number on it."""
    side, _, rest = id_.partition("/")
    kind, _, number = rest.partition("/")
    if side not in ("a", "j") or not number.isdecimal():
        return id_
    known = air_types().get(kind)
    return f"{known.label if known else kind} {number}"


def leg_sentence(board: Board, leg: Leg) -> str:
    """One leg as a phrase with its sum."""
    start, end = named(board, leg.hexes[0]), named(board, leg.hexes[-1])
    if leg.kind in _LINES:
        return f"{start} to {end} {_LINES[leg.kind]} ({len(leg.hexes) - 1} hexes)"
    unit = leg.unit.removeprefix("MP/12 ").capitalize()
    total = f"{mp(leg.cost or 0)} of {mp(leg.limit or 0)} {unit} MP"
    if leg.kind == "extender":
        return f"an extender carries it from {start} to {end} ({total})"
    if leg.kind == "throw":
        return f"{unit_name(leg.by)} throws it from {start} to {end} ({total})"
    who = unit_name(leg.by) if leg.by else "the unit"
    return f"{who} at {end} draws from {start} ({total})"


def miss_sentence(board: Board, miss: Miss) -> str:
    """Why one way failed."""
    unit = miss.unit.removeprefix("MP/12 ").capitalize()
    who = unit_name(miss.by) if miss.by else ""
    way = f"A throw from {who}" if miss.way == "throw" else "A direct draw"
    if miss.stopped == "mode":
        if miss.way == "draw":
            return f"An HQ cannot draw in {miss.whose.capitalize()} Mode."
        return f"{who} cannot throw in {miss.whose.capitalize()} Mode."
    if miss.stopped == "hq":
        reach = f"{who} reaches it ({mp(miss.cost or 0)} of {mp(miss.limit or 0)} {unit} MP)"
        lack = f"it comes {mp(miss.short)} MP short of a source" if miss.short else "it has no trace itself"
        return f"{reach} but has nothing to throw: {lack}."
    if miss.stopped == "none":
        return f"{way} finds nothing within {mp(LOOK[miss.unit.removeprefix('MP/12 ')])} {unit} MP."
    if miss.stopped == "range":
        return (
            f"{way} costs {mp(miss.cost or 0)} {unit} MP and may cost {mp(miss.limit or 0)}: short by {mp(miss.short)}."
        )
    at = named(board, miss.at) if miss.at is not None else "the way"
    if miss.stopped == "line":
        cutter = f" by {unit_name(miss.whose)}" if miss.whose else ""
        return f"{way} finds its line of supply cut at {at}{cutter}."
    by = f" by {unit_name(miss.whose)}" if miss.whose else ""
    what = {"zone": "an enemy zone", "enemy": "an enemy unit"}[miss.stopped]
    far = f" (it would cost {mp(miss.cost)} of {mp(miss.limit or 0)} {unit} MP)" if miss.cost is not None else ""
    return f"{way} is stopped at {at} by {what}{by if miss.stopped != 'enemy' else ' ' + unit_name(miss.whose)}{far}."


def explain(state: State, trace: Trace, eats_from: int | None = None) -> tuple[str, ...]:
    """Sentences: the verdict, then each leg from the source on, or what stopped each way, nearest miss first.

    `eats_from` is the store that feeds a unit without trace in its Supply Phase, if one does.
    """
    board, who = state.board, unit_name(trace.unit)
    marked = " It still carries the marker of its last Supply Phase." if trace.marker else ""
    if trace.status == "box":
        return (f"{who} is in a holding box, always in trace supply.{marked}",)
    where = named(board, trace.hex) if trace.hex is not None else "off the map"
    if trace.status == "in":
        steps = tuple(leg_sentence(board, leg)[0].upper() + leg_sentence(board, leg)[1:] + "." for leg in trace.legs)
        return (f"{who} at {where} traces supply from {named(board, trace.source or 0)}.{marked}", *steps)
    eats = f" but can eat from the dump at {named(board, eats_from)}" if eats_from is not None else ""
    return (f"{who} at {where} cannot trace supply{eats}.{marked}", *(miss_sentence(board, m) for m in trace.misses))
