"""How firm a trace is: the unprinted values behind it, and those that would change its verdict within their bounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from burma_study.rules.ocs.basis import Basis, Turn, Used, used
from burma_study.rules.ocs.movement.terrain import Cell, enter_cost
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.supply.bends import LONGER, SHORTER, Bend, bends
from burma_study.rules.ocs.supply.net import Net
from burma_study.rules.ocs.supply.trace import Leg, Miss, Picture, Trace, Tracer, supply

_COUNTED = ("draw", "throw", "extender")


def basis(picture: Picture, unit: str) -> Basis:
    """The basis of one unit's trace: every unprinted value on its ways is tried at both bounds, tracing anew."""
    return bases(picture, [unit])[unit]


def bases(picture: Picture, units: Iterable[str] | None = None) -> dict[str, Basis]:
    """The bases of several units (all by default); a value that many rest on is tried once for all of them."""
    state, side = picture.net.state, picture.side
    ids = sorted(picture.traces if units is None else units)
    values = {id_: used(state.rules.charts, _cells(state, picture.traces[id_])) for id_ in ids}
    others = _statuses(state, side, values)
    found = {}
    for id_ in ids:
        trace = picture.traces[id_]
        turning = [Turn(u, b) for u in values[id_] for b in u.others if others[u, b][id_] != trace.in_supply]
        walked = tuple(_walked(state, trace))
        roads = dict.fromkeys(bend.used for _, _, bend in walked)
        found[id_] = Basis((*values[id_], *roads), (*turning, *_turns_of_the_road(picture, trace, walked)))
    return found


def _walked(state: State, trace: Trace) -> Iterator[tuple[Leg | Miss, str, Bend]]:
    """Stretches of road and track behind a trace or its near misses, with the leg and the mobility it is counted in."""
    for leg in _ways(trace):
        mobility = leg.unit.removeprefix("MP/12 ")
        if _kind(leg) in _COUNTED and mobility:
            yield from ((leg, mobility, bend) for bend in bends(state.board, leg.hexes))


def _turns_of_the_road(
    picture: Picture, trace: Trace, walked: Iterable[tuple[Leg | Miss, str, Bend]]
) -> Iterator[Turn]:
    """Roads and tracks that would change a verdict if they were a hex longer or shorter, found by tracing anew."""
    state = picture.net.state
    for leg, mobility, bend in walked:
        arcs = picture.net.arcs(mobility)
        for by in (LONGER, SHORTER):
            to = str(len(bend.hexes) - 1 + by)
            if to in bend.used.others and _could_turn(leg, bend.step(arcs), by):
                changed = tuple((mobility, a, b, cost) for (a, b), cost in bend.changes(arcs, by).items())
                other = Tracer(replace(picture.net, bent=changed))
                if other.traces(state.pieces[trace.unit]) != trace.in_supply:
                    yield Turn(bend.used, to)


def _could_turn(leg: Leg | Miss, step: int, by: int) -> bool:
    """Within one hex of its limit: only then tracing anew could give another answer."""
    if isinstance(leg, Leg):
        return by == LONGER and leg.limit is not None and leg.limit - (leg.cost or 0) < step
    return by == SHORTER and leg.stopped == "range" and leg.short <= step


def _ways(trace: Trace) -> tuple[Leg | Miss, ...]:
    return trace.legs if trace.in_supply else trace.misses


def _kind(leg: Leg | Miss) -> str:
    return leg.kind if isinstance(leg, Leg) else leg.way


def _statuses(
    state: State, side: str, values: Mapping[str, tuple[Used, ...]]
) -> dict[tuple[Used, str], dict[str, bool]]:
    """For each value and bound, whether each unit that rests on it would trace."""
    asked: dict[tuple[Used, str], list[str]] = {}
    for id_, useds in values.items():
        for u in useds:
            for bound in u.others:
                asked.setdefault((u, bound), []).append(id_)
    found = {}
    for (u, bound), ids in asked.items():
        tracer = Tracer(_changed(state, side, u, bound))
        found[u, bound] = {i: tracer.traces(state.pieces[i]) for i in ids}
    return found


def _changed(state: State, side: str, value: Used, bound: str) -> Net:
    if value.table == "counters":
        return Net(state, side, throws=((value.key, value.column, int(bound)),))
    charts = state.rules.charts.with_value(value.table, value.key, value.column, bound)
    return Net(state.with_(rules=replace(state.rules, user_charts=charts.user)), side)


def _cells(state: State, trace: Trace) -> tuple[Cell, ...]:
    """The chart cells behind a trace or its near misses, in order."""
    cells: list[Cell] = []
    for leg in _ways(trace):
        kind = _kind(leg)
        if kind in _COUNTED:
            cells += _path_cells(
                state, leg, kind, leg.unit.removeprefix("MP/12 "), state.pieces[trace.unit].counter.side
            )
        if kind == "throw":
            face = state.pieces[leg.by].face
            cells.append(("counters", leg.by, "throw" if face == "combat" else "move_throw"))
    return tuple(dict.fromkeys(cells))


def _path_cells(state: State, leg: Leg | Miss, kind: str, mobility: str, side: str) -> list[Cell]:
    """Cells of the steps counted: a traced draw is listed from the source but counted toward it.

    The step into the far end costs nothing (adjacency is enough) and rests on no value.
    """
    walked = tuple(reversed(leg.hexes)) if isinstance(leg, Leg) and kind != "throw" else leg.hexes
    steps = [enter_cost(state, a, b, mobility, side=side) for a, b in pairwise(walked)]
    if steps and sum(s.cost or 0 for s in steps[:-1]) == leg.cost:
        steps.pop()
    return [cell for step in steps for cell in step.cells]


def verdicts(state: State, side: str) -> dict[str, str]:
    """The verdict of every unit of a side, by id."""
    return {id_: b.verdict for id_, b in bases(supply(state, side)).items()}
