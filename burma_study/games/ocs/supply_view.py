"""A side's supply told to a reader: a headline, a line a unit, and how far a failed trace came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from burma_study.boards.board import Board
from burma_study.rules.ocs.movement.terrain import enter_cost, mp
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.supply.on_map import OnMap
from burma_study.rules.ocs.supply.trace import Miss, Picture, Trace
from burma_study.rules.ocs.supply.words import named, unit_name

SIDE_NAMES = {"japanese": "Japanese", "allied": "Allied"}
BLOCKED = ("enemy", "zone", "line")
_LONG = {"Ind": "Indian", "Div": "Division", "Bde": "Brigade"}


@dataclass(frozen=True, slots=True)
class Cause:
    """What keeps a unit from tracing, in words that complete "it is ..."; units with one `key` share it."""

    key: tuple[object, ...]
    text: str


def cause(picture: Picture, trace: Trace) -> Cause:
    """The nearest miss of a unit without a trace; of an HQ that would supply it but has no trace, that HQ's own."""
    board = picture.net.state.board
    miss = trace.misses[0] if trace.misses else Miss("draw", "none")
    if miss.stopped == "hq":
        own = picture.traces.get(miss.by)
        if own is None or own.in_supply or not own.misses or own.misses[0].stopped == "hq":
            return Cause(("hq", miss.by), f"without a source: {unit_name(miss.by)} reaches it but has no trace itself")
        miss = own.misses[0]
    return Cause(_key(miss), _why(board, miss))


def _key(miss: Miss) -> tuple[object, ...]:
    return (miss.stopped, miss.at, miss.whose) if miss.stopped in BLOCKED else (miss.stopped,)


def _why(board: Board, miss: Miss) -> str:
    at = named(board, miss.at) if miss.at is not None else "the way"
    who = f" by {unit_name(miss.whose)}" if miss.whose else ""
    match miss.stopped:
        case "enemy":
            return f"cut off at {at}{who}"
        case "zone":
            return f"cut off at {at}" + (f" by the zone of control of {unit_name(miss.whose)}" if miss.whose else "")
        case "line":
            return f"without a source: the line is cut at {at}{who}"
        case "range":
            what = f"the throw of {unit_name(miss.by)}" if miss.way == "throw" else "its draw from the nearest source"
            return f"too far away: {what} falls {mp(miss.short)} {miss.unit.removeprefix('MP/12 ')} MP short"
        case "mode":
            mode = "Strategic" if miss.whose == "strat" else miss.whose.capitalize()
            if miss.way == "draw":
                return f"without a draw: a headquarters cannot draw in {mode} Mode"
            return f"without a throw: {unit_name(miss.by)} cannot throw in {mode} Mode"
    return "out of reach of every source and headquarters"


def why(stores: OnMap, trace: Trace, fed_from: int | None) -> str:
    """One line for a list: what stopped the trace, and what the unit eats or why it eats nothing."""
    text = cause(stores.picture, trace).text
    if fed_from is not None:
        meal = f"eats from {named(stores.state.board, fed_from)}"
    else:
        meal = "nothing to eat" + (f": {reason}" if (reason := hungry(stores, trace.unit)) else "")
    return f"{text[0].upper()}{text[1:]}; {meal}."


def hungry(stores: OnMap, unit: str) -> str:
    """Why a unit without a trace eats nothing though a dump lies in its reach; empty when none does."""
    piece = stores.state.pieces[unit]
    ways = stores.ways(piece)
    if not ways:
        return ""
    if piece.mode == "strat":
        return "in Strat Mode no dump feeds it"
    store = ways[0].store
    holds = f"{named(stores.state.board, store)} holds {stores.food[store]}T"
    ate = [unit_name(u) for meal in stores.meals() if meal.store == store for u in meal.units]
    if not ate:
        return f"{holds}, and it needs {stores.meal_cost([piece])}T"
    return f"{holds}; {' and '.join(ate) if len(ate) < 3 else f'{ate[0]} and {len(ate) - 1} others'} ate it first"


def headline(picture: Picture, fed: Mapping[str, int]) -> str:
    """How many trace, who does not and why, and what they eat; `fed` names the dump that feeds a unit."""
    total, out = len(picture.traces), picture.out
    side = SIDE_NAMES[picture.side]
    if not out:
        return f"All {total} {side} units trace supply."
    eats = sum(1 for t in out if t.unit in fed)
    parts = [f"{total - len(out)} of {total} {side} units trace supply", *_clauses(picture)]
    return "; ".join(parts) + ". " + _meals(len(out), eats)


def _meals(without: int, eats: int) -> str:
    if eats == without:
        return f"Without a trace, {'it eats from a dump' if without == 1 else f'all {without} eat from dumps'}."
    if not eats:
        return f"{'It has' if without == 1 else f'All {without} have'} nothing to eat."
    meal = "a dump" if eats == 1 else "dumps"
    hungry = _count(without - eats, "has", "have")
    return f"Of the {without} without a trace {_count(eats, 'eats', 'eat')} from {meal}, {hungry} nothing."


def _count(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"


def _clauses(picture: Picture) -> list[str]:
    """The largest group that shares a cause, and the next if it is no mere straggler; enemies weigh more."""
    groups: dict[tuple[object, ...], list[tuple[Trace, Cause]]] = {}
    for trace in picture.out:
        found = cause(picture, trace)
        groups.setdefault(found.key, []).append((trace, found))
    ranked = sorted(
        groups.values(), key=lambda g: (-len(g) * (3 if g[0][1].key[0] in BLOCKED else 1), str(g[0][1].key))
    )
    told = ranked[:1] + [g for g in ranked[1:2] if 5 * len(g) >= len(picture.out)]
    return [_clause(picture, [t for t, _ in group], group[0][1]) for group in told]


def _clause(picture: Picture, traces: Sequence[Trace], found: Cause) -> str:
    who, single = _who(picture, traces)
    text = found.text if len(traces) == 1 or found.key[0] in (*BLOCKED, "none") else "too far from a source"
    return f"{who} {'is' if single else 'are'} {text}"


def _who(picture: Picture, traces: Sequence[Trace]) -> tuple[str, bool]:
    """The units as a subject, and whether it is singular: a unit, a whole formation, or some of one or several."""
    if len(traces) == 1:
        return unit_name(traces[0].unit), True
    pieces = picture.net.state.pieces
    if len(traces) == 2:
        return " and ".join(unit_name(t.unit) for t in traces), False
    formations = Counter(pieces[t.unit].counter.formation for t in traces)
    names = [name for name, _ in formations.most_common() if name]
    if len(formations) == 1 and names:
        whole = sum(1 for i in picture.traces if pieces[i].counter.formation == names[0])
        name = formation_name(names[0])
        return (name, True) if whole == len(traces) else (f"{len(traces)} units of {name}", False)
    if not names:
        return f"{len(traces)} units", False
    listed = ", ".join(formation_name(n) for n in names[:3])
    return f"{len(traces)} units ({listed}{' and others' if len(formations) > len(names[:3]) else ''})", False


def formation_name(short: str) -> str:
    """A formation in full: "17 Ind Div" as "17 Indian Division"."""
    return " ".join(_LONG.get(word, word) for word in short.split())


# a failed trace on the map ------------------------------------------------------------------------------------------


def failed_legs(picture: Picture, trace: Trace) -> list[dict[str, Any]]:
    """The nearest miss as legs for the map: the part it covered, with a cross where it stopped, then the part missing.

    Where the HQ that reaches the unit has no trace itself, the HQ's own miss follows.
    """
    state, out = picture.net.state, []
    for miss in _chain(picture, trace):
        walked, missing = _split(state, picture.side, miss)
        out.append({"kind": "miss", "hexes": walked, "ends": "hq" if miss.stopped == "hq" else "blocked"})
        if len(missing) > 1:
            out.append({"kind": "missing", "hexes": missing, "ends": "unit" if miss.way == "throw" else "source"})
    return out


def _chain(picture: Picture, trace: Trace) -> list[Miss]:
    first = next((m for m in trace.misses if m.hexes), None)
    if first is None:
        return []
    own = picture.traces.get(first.by) if first.stopped == "hq" else None
    return [first, *(m for m in (own.misses[:1] if own else ()) if m.hexes)]


def _split(state: State, side: str, miss: Miss) -> tuple[list[int], list[int]]:
    """The hexes that a failed way covered and those beyond; both hold the hex where it stopped."""
    hexes = list(miss.hexes)
    if miss.stopped == "hq":
        return hexes, []
    stop = hexes.index(miss.at) if miss.at in hexes else len(hexes) - 1
    if miss.stopped == "range" and miss.limit is not None:
        spent, stop = 0, 0
        for k, (a, b) in enumerate(pairwise(hexes)):
            spent += enter_cost(state, a, b, miss.unit.removeprefix("MP/12 "), side=side).cost or 0
            if spent > miss.limit:
                break
            stop = k + 1
    return hexes[: stop + 1], hexes[stop:]
