"""Air bases: distances, how many air units they hold and refit, who is protected, landing, capture (OCS 9.14f, 14, 15).

Burma 1.8, 2.2b, 3.4b; Opt.3b, 3j, 3m. The two bases of a holding box are one place, 13 hexes beyond the map's edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from burma_study.boards.board import Board
from burma_study.datafiles import read_rows
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.aircraft import (
    OUT,
    PROTECTED,
    active_at,
    air_value,
    home_of,
    kind_of,
    on_station,
    protected_at,
    sortie,
)
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.goods.payment import ways_at
from burma_study.rules.ocs.orders import WHERE
from burma_study.rules.ocs.state import Aircraft, Base, State, Where

DEAD = "dead"
FAR = 10_000  # no air distance is defined
REFITTED = "air/refit"
ASKING = "air/asking"


# distances ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _links() -> dict[str, tuple[str, int, dict[str, int]]]:
    """Box to the edge it lies beyond, the hexes from there, and the way to other boxes."""
    found = {}
    for row in read_rows("boards/ocs/boxes.csv"):
        parts = [link.split(":") for link in row["links"].split(";")]
        edge, gap = next((p[1], int(p[2])) for p in parts if p[0] == "air")
        found[row["box"]] = (edge, gap, {p[1]: int(p[2]) for p in parts if p[0] == "box"})
    return found


@lru_cache(maxsize=4)
@rule("ocs/3.4b")
def edge_hexes(board: Board, edge: str) -> tuple[int, ...]:
    """Hexes of Map A along its `north` or `west` edge."""
    grid = board.grid
    rows = {h: grid.line_position(h) for h in grid}
    top = max(row for _, row in rows.values())
    if edge == "north":
        return tuple(h for h, (_, row) in rows.items() if row == top)
    return tuple(h for h, (column, _) in rows.items() if column == 1 and grid.label(h).startswith("A"))


@lru_cache(maxsize=4)
def _from_edge(board: Board, edge: str) -> tuple[tuple[int, int], ...]:
    """For each hex its distance from the edge and the nearest hex there, the one straight across among equals."""
    hexes, grid = edge_hexes(board, edge), board.grid

    def nearest(h: int) -> tuple[int, int]:
        x, y = grid.centre(h)
        ranked = (
            (grid.distance(h, e), min(abs(ex - x), abs(ey - y)), e) for e in hexes for ex, ey in (grid.centre(e),)
        )
        far, _, edge_hex = min(ranked)
        return far, edge_hex

    return tuple(map(nearest, grid))


@rule("ocs/3.4b")
def air_distance(board: Board, a: Where, b: Where) -> int:
    """Hexes between two places: on the map, and from or between the bases beyond its edge (Burma 3.4b)."""
    if isinstance(a, int) and isinstance(b, int):
        return board.grid.distance(a, b)
    if isinstance(a, int) or isinstance(b, int):
        box, hex_ = (b, a) if isinstance(a, int) else (a, b)
        if box not in _links() or not isinstance(hex_, int):
            return FAR
        edge, gap, _ = _links()[str(box)]
        return gap + _from_edge(board, edge)[hex_][0]
    return 0 if a == b else _links()[a][2].get(b, FAR) if a in _links() else FAR


def air_route(board: Board, a: Where, b: Where) -> tuple[int, ...]:
    """Hexes of the map that a flight passes, ends included: a straight line, from the edge on if it starts in a box."""
    if isinstance(a, int) and isinstance(b, int):
        return board.grid.line(a, b)
    if isinstance(b, int):
        return board.grid.line(_from_edge(board, _links()[str(a)][0])[b][1], b)
    return tuple(reversed(air_route(board, b, a))) if isinstance(a, int) else ()


# places ---------------------------------------------------------------------------------------------------------------


def bases_of(state: State, side: str) -> dict[Where, Base]:
    """Air bases and airstrips of a side, those of its holding boxes included."""
    return {at: base for at, base in state.bases.items() if base.side == side}


def own_base(state: State, where: Where, side: str) -> Base | None:
    """The base of a side at a place."""
    base = state.bases.get(where)
    return base if base is not None and base.side == side else None


@rule("ocs/3.4b", "ocs/learning.sr7", "ocs/thursday.sr6", "ocs/marauders.sr8")
def fields_at(state: State, where: Where) -> int:
    """Bases at one place: one in a hex, as many as the scenario gives in a holding box."""
    return 1 if isinstance(where, int) else int(state.markers.get(f"bases/{where}", 1))


@rule("ocs/opt.3m", "ocs/1.8", "ocs-series/15.1")
def refit_limit(state: State, where: Where) -> int:
    """Air units that a base refits in a phase: two a level, an airstrip one (Opt.3m, Burma 1.8)."""
    base = state.bases[where]
    rows = {r["place"]: r for r in state.rules.charts.rows("refit")}
    if not isinstance(where, int):
        return int(rows["off_map"]["units"]) * base.level * fields_at(state, where)
    return int(rows["base"]["units"]) * base.level if base.level else int(rows["airstrip"]["units"])


@rule("ocs/opt.3m", "ocs/3.4b", "ocs/1.8")
def refit_cost(state: State, where: Where) -> int:
    """Tokens that turn a base on for a refit phase; nothing off the map."""
    rows = {r["place"]: r for r in state.rules.charts.rows("refit")}
    place = "off_map" if not isinstance(where, int) else "base" if state.bases[where].level else "airstrip"
    return int(rows[place]["cost"])


@rule("ocs/opt.3b", "ocs/1.8")
def active_limit(state: State, where: Where, side: str) -> int:
    """Active air units that may end a phase at a place: four, and one more a level of an own base (Opt.3b).

    A strip counts as level 1 (Burma 1.8).
    """
    four, base = int(air_value(state, "active")), own_base(state, where, side)
    if base is None:
        return four
    return (four + max(base.level, 1)) * fields_at(state, where)


@rule("ocs/opt.3j", "ocs/1.8")
def protection_limit(state: State, where: Where) -> int:
    """Inactive units that a base protects: one a level, an airstrip none; what lies off the map needs no protection."""
    base = state.bases.get(where)
    return base.level if base is not None and isinstance(where, int) and state.rules.has("opt3") else 0


def refitted(state: State) -> dict[Where, int]:
    """Air units refitted so far in this phase, by base that was turned on."""
    turn, player, counts = state.markers.get(REFITTED, (0, "", ()))
    return dict(counts) if (turn, player) == (state.turn, state.player) else {}


@rule("ocs/opt.3m", "ocs-series/14.5")
def is_supplied(state: State, where: Where) -> bool:
    """A token is at hand that could pay for refit; bases off the map always are supplied."""
    base = state.bases.get(where)
    if base is None:
        return False
    return not isinstance(where, int) or bool(ways_at(state, base.side, where, refit_cost(state, where), "refit"))


def supplied_bases(state: State, side: str) -> set[Where]:
    """The side's supplied bases."""
    return {at for at in bases_of(state, side) if is_supplied(state, at)}


# landing --------------------------------------------------------------------------------------------------------------


@rule("ocs/4.11-transports")
def takes(state: State, where: Where, plane: Aircraft) -> bool:
    """May an air unit use this base? The C-46 needs level 1 or more (variant 4.11)."""
    base = own_base(state, where, plane.side)
    return base is not None and (base.level > 0 or plane.type != "c-46")


def havens(state: State, plane: Aircraft, start: Where, reach: int) -> list[Where]:
    """Friendly bases within `reach` hexes of `start`: its home first, then the nearest, then by name."""
    home, board = home_of(state, plane), state.board
    found = [(air_distance(board, start, at), at) for at in bases_of(state, plane.side) if takes(state, at, plane)]
    near = [(at != home, far, WHERE.write(at), at) for far, at in found if far <= reach]
    return [at for *_, at in sorted(near, key=lambda n: n[:3])]


def land(step: Step[State], plane: str, at: Where | None = None, start: Where | None = None) -> None:
    """An air unit lands and becomes inactive: at `at`, else at home, else at the nearest base; lost without one.

    Call `ask_protection` when all have landed and nothing else is left to do.
    """
    unit = step.state.aircraft[plane]
    if at is None:
        near = havens(step.state, unit, unit.at if start is None else start, kind_of(unit).range)
        if not near:
            lose_air_unit(step, plane)
            return
        at = near[0]
    step.put("landed", "aircraft", plane, replace(unit, at=at, active=False, dg=False))
    step.put("landed", "markers", OUT + plane, None)
    step.cite("ocs/opt.3e.2")
    seek_protection(step, plane, at)


@rule("ocs/opt.3j")
def seek_protection(step: Step[State], plane: str, at: Where, *, ask: bool = True) -> None:
    """An inactive unit takes a protected place that is free; else, with `ask`, its owner is asked for another's."""
    limit, held = protection_limit(step.state, at), protected_at(step.state, at)
    if plane in held or not limit:
        return
    if len(held) < limit:
        set_protected(step, at, (*held, plane))
    elif ask and any(_differ(step.state, plane, other) for other in held):
        step.put("asked", "markers", ASKING, (*step.state.markers.get(ASKING, ()), plane))


def _differ(state: State, a: str, b: str) -> bool:
    one, two = state.aircraft[a], state.aircraft[b]
    return (one.type, one.steps) != (two.type, two.steps)


def set_protected(step: Step[State], at: Where, planes: Iterable[str]) -> None:
    """Which units are protected at a base."""
    step.put("protected", "markers", PROTECTED + WHERE.write(at), tuple(sorted(planes)) or None)


def ask_protection(step: Step[State]) -> None:
    """Ask the owner of each unit that landed at a base whose protected places are taken; make it the last act."""
    waiting = step.state.markers.get(ASKING, ())
    if waiting:
        step.put("asked", "markers", ASKING, None)
        step.open("protecting", planes=waiting)


def activate(step: Step[State], plane: str) -> None:
    """A refitted unit: active, without DG, no longer protected (Opt.3j)."""
    unit = step.state.aircraft[plane]
    held = protected_at(step.state, unit.at)
    if plane in held:
        set_protected(step, unit.at, (p for p in held if p != plane))
    step.put("refitted", "aircraft", plane, replace(unit, active=True, dg=False))


@rule("ocs-series/14.1")
def lose_air_step(step: Step[State], plane: str) -> None:
    """A full unit is turned to its reduced side, a reduced one is lost."""
    unit = step.state.aircraft[plane]
    if unit.steps > 1:
        step.put("step lost", "aircraft", plane, replace(unit, steps=unit.steps - 1))
    else:
        lose_air_unit(step, plane)


def lose_air_unit(step: Step[State], plane: str) -> None:
    """To the dead pile, from which it returns reduced; a used glider as well (Burma 2.3, 3.5b)."""
    unit = step.state.aircraft[plane]
    held = protected_at(step.state, unit.at)
    if plane in held:
        set_protected(step, unit.at, (p for p in held if p != plane))
    step.put("lost", "aircraft", plane, Aircraft(unit.id, unit.side, unit.type, DEAD, 1, active=False))
    step.put("lost", "markers", OUT + plane, None)


# what runs by itself --------------------------------------------------------------------------------------------------


@rule("ocs-series/14.5", "ocs/opt.3m")
def air_return(step: Step[State]) -> None:
    """Start of the refit phase: active units of the phasing player return unless their base could pay for refit."""
    state, side = step.state, step.state.player
    supplied = supplied_bases(state, side)
    step.close()
    if state.rules.version == "1999":
        for plane in _active(state, side):
            if home_of(state, plane) not in supplied:
                land(step, plane.id, None if sortie(state, plane.id) else plane.at)
                step.cite("ocs-series/14.5")
    ask_protection(step)


def _active(state: State, *sides: str) -> list[Aircraft]:
    found = (p for p in state.aircraft.values() if p.active and p.side in sides and p.at != DEAD)
    return sorted(found, key=lambda p: p.id)


@rule("ocs/table.air-effects")
def grounding(step: Step[State]) -> None:
    """After the weather: unless flying is unrestricted, what is in the air away from an own base returns."""
    step.close()
    state = step.state
    if state.air_ops != "unrestricted":
        for plane in _active(state, "japanese", "allied"):
            if sortie(state, plane.id) and own_base(state, plane.at, plane.side) is None:
                land(step, plane.id)
                step.cite("ocs/table.air-effects")
    ask_protection(step)


@rule("ocs/opt.3i", "ocs/opt.3n")
def strikes_over(step: Step[State]) -> None:
    """End of the Exploitation Phase: temporary stations are given up, also those over an enemy base."""
    step.close()
    state = step.state
    for plane in _active(state, "japanese", "allied"):
        out = sortie(state, plane.id)
        enemy = own_base(state, plane.at, other_side(plane.side))
        if out and (out[2] == "strike" or enemy is not None):
            land(step, plane.id)
            step.cite("ocs/opt.3i")
    ask_protection(step)


@rule("ocs/opt.3b")
def crowds(state: State) -> list[tuple[Where, str, int]]:
    """Places with too many active air units: where, whose, and how many may stay."""
    if not state.rules.has("opt3"):
        return []
    count: dict[tuple[Where, str], int] = {}
    for p in state.aircraft.values():
        if p.active and p.at != DEAD and kind_of(p).role != "glider":
            count[p.at, p.side] = count.get((p.at, p.side), 0) + 1
    found = [(at, side, active_limit(state, at, side)) for (at, side), n in count.items() if n > 4]
    over = [(at, side, most) for at, side, most in found if count[at, side] > most]
    return sorted(over, key=lambda c: (WHERE.write(c[0]), c[1]))


def air_crowding(step: Step[State]) -> None:
    """End of a phase: the owner says which of too many active units become inactive."""
    found = crowds(step.state)
    if found:
        at, side, most = found[0]
        step.note(crowd=(at, side))
        step.open("crowd", at=at, side=side, most=most, here=False)
    else:
        step.close()


def crowd(step: Step[State]) -> None:
    """Ask until no more than `most` units of the side are active at the place."""
    f = step.frame
    active = [p for p in active_at(step.state, f["at"], f["side"]) if kind_of(p).role != "glider"]
    if len(active) > f["most"]:
        step.ask(f["side"], "stand_down")
    else:
        step.close()


@rule("ocs-series/9.14f")
def base_taken(step: Step[State], hex_: int, side: str) -> None:
    """Enemy ground units have taken a base: two dice for each air unit of its owner, +2 active, +2 by an advance.

    An advance ends a won attack or overrun; whoever marches or retreats onto the base makes none. 6 or less loses a
    step; what is left goes to the nearest own base within twice its range, inactive, or is lost.
    """
    state = step.state
    advance = bool(state.frames) and state.frames[-1].procedure == "battle"
    least = min(int(r["low"]) for r in state.rules.charts.rows("air_base_capture") if r["loses_step"] == "no")
    caught = [p for p in state.aircraft.values() if p.at == hex_ and p.side != side and OUT + p.id not in state.markers]
    set_protected(step, hex_, ())
    for plane in sorted(caught, key=lambda p: p.id):
        if step.roll("air", 2).sum + 2 * plane.active + 2 * advance < least:
            lose_air_step(step, plane.id)
        left = step.state.aircraft[plane.id]
        if left.at != DEAD:
            near = havens(step.state, left, hex_, int(air_value(state, "transfer")) * kind_of(left).range)
            _fly_out(step, plane.id, near)
    if caught:
        step.cite("ocs-series/9.14f")


def _fly_out(step: Step[State], plane: str, near: list[Where]) -> None:
    if near:
        land(step, plane, near[0])
        step.put("asked", "markers", ASKING, None)  # no leisure for choosing shelters
    else:
        lose_air_unit(step, plane)


def at_base(state: State, where: Where, side: str) -> list[Aircraft]:
    """Air units of a side on the ground of a base, gliders among them, by id."""
    found = (p for p in state.aircraft.values() if p.at == where and p.side == side and not sortie(state, p.id))
    return sorted(found, key=lambda p: p.id)


def stations(state: State, side: str) -> Mapping[int, tuple[Aircraft, ...]]:
    """Hexes over which a side has aircraft on station."""
    hexes = sorted({p.at for p in state.aircraft.values() if p.side == side and isinstance(p.at, int)})
    return {h: found for h in hexes if (found := on_station(state, h, side))}
