"""How firm a trace is: the unprinted values behind it, and those that would change its verdict within their bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise

from burma_study.rules.ocs.basis import Basis, Turn, Used, used
from burma_study.rules.ocs.movement.terrain import Cell, enter_cost
from burma_study.rules.ocs.state import State
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
    return {
        id_: Basis(
            values[id_],
            tuple(
                Turn(u, bound)
                for u in values[id_]
                for bound in u.others
                if others[u, bound][id_] != picture.traces[id_].in_supply
            ),
        )
        for id_ in ids
    }


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
    legs: tuple[Leg | Miss, ...] = trace.legs if trace.in_supply else trace.misses
    cells: list[Cell] = []
    for leg in legs:
        kind = leg.kind if isinstance(leg, Leg) else leg.way
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
