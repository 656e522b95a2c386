"""Air transport: flights with cargo, gliders, drops and what comes down safely (OCS 14; Burma 1.2, 3.5, 3.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from burma_study.engine.frames import Frame
from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import INT, Order, flag_slot, many_slot, order, slot, word_slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.aircraft import FIGHTER, GLIDER, TRANSPORT, air_value, kind_of, most_together
from burma_study.rules.ocs.air.bases import (
    air_distance,
    ask_protection,
    bases_of,
    land,
    lose_air_unit,
    own_base,
)
from burma_study.rules.ocs.air.combat import Mission, flying, take_off
from burma_study.rules.ocs.air.loads import (
    DROPPING,
    GLIDING,
    LANDING,
    TOWS,
    Load,
    Stowed,
    capacity,
    stow,
    tokens_of,
    trips_of,
    weight,
)
from burma_study.rules.ocs.air.missions import (
    PLANES,
    base_reasons,
    no_place,
    range_reasons,
    stack_reasons,
    unknown,
    weather_reasons,
)
from burma_study.rules.ocs.air.slots import flyer, hex_choices, named, plane_choices, playable, ready
from burma_study.rules.ocs.goods.losses import lose_steps, seize
from burma_study.rules.ocs.goods.payment import add
from burma_study.rules.ocs.goods.transport import land as set_down
from burma_study.rules.ocs.goods.transport import loadable
from burma_study.rules.ocs.movement.limits import as_chindit, closed
from burma_study.rules.ocs.movement.presence import can_capture, shut_to
from burma_study.rules.ocs.movement.reach import PACE, allowance, mover
from burma_study.rules.ocs.orders import WHERE
from burma_study.rules.ocs.state import Aircraft, Piece, State, Transport, Where, stack

NO_DROPS = ("c-46",)
UNLOADED, FRIENDLY = "air/unloaded", "air/friendly"
CARGO = many_slot(word_slot("cargo"))


@order("lift {cargo} from {start} to {at} by {planes}[ towing {gliders} gliders][ {drop}][ {one_way}]")
class Lift(Order):
    """Transports carry supply, units or mules to a place: landed at a base, dropped, or in gliders.

    Fighters may fly with them as their escort and carry nothing.
    """

    start: Where = slot(WHERE)
    planes: tuple[str, ...] = slot(PLANES)
    at: Where = slot(WHERE)
    cargo: tuple[str, ...] = slot(CARGO)
    gliders: int = slot(INT, 0)
    drop: bool = slot(flag_slot("dropping"), False)
    one_way: bool = slot(flag_slot("one way"), False)


# what cannot be -------------------------------------------------------------------------------------------------------


def load_of(state: State, o: Lift) -> Load:
    """What the order's aircraft and gliders carry."""
    planes = named(state, o.planes)
    return capacity(planes, trips_of(state, planes, o.start, o.at, o.one_way), o.gliders)


def _lift_impossible(state: State, o: Lift) -> Iterator[Reason]:
    yield from unknown(state, o.planes)
    yield from no_place(state, o.start)
    yield from no_place(state, o.at)
    yield from _unknown_cargo(state, o.cargo, o.start)
    if o.gliders < 0:
        yield because("not-within", slot="gliders", value=o.gliders, low=0, high=9, hard=True)


def _unknown_cargo(state: State, cargo: Sequence[str], start: Where) -> Iterator[Reason]:
    if not cargo:
        yield because("no-cargo", hard=True)
    for item in cargo:
        there = state.pieces.get(item) or state.transport.get(item)
        if not tokens_of(item) and (there is None or there.at != start):
            yield because("cargo-unknown", item=item, at=WHERE.write(start), hard=True)
        if not tokens_of(item) and cargo.count(item) > 1:
            yield because("twice", unit=item, hard=True)


# what may not be ------------------------------------------------------------------------------------------------------


@rule("ocs/3.5", "ocs/3.5a", "ocs/table.air-effects")
def _lift_forbidden(state: State, o: Lift) -> Iterator[Reason]:
    planes = named(state, o.planes)
    yield from stack_reasons(state, planes)
    for p in planes:
        if kind_of(p).role not in (TRANSPORT, FIGHTER):
            yield because("only-transports", rule="ocs-series/14.1", unit=p.id)
        if p.at != o.start:
            yield because("not-together", rule="ocs/opt.3o", places=(WHERE.write(o.start), WHERE.write(p.at)))
    friendly = own_base(state, o.at, flyer(state)) is not None
    yield from weather_reasons(state, base_to_base=friendly and not o.drop)
    yield from range_reasons(state, planes, o.at, air_value(state, "transfer") if o.one_way else 1)
    yield from glider_reasons(state, o, planes)
    if o.one_way:
        yield from base_reasons(state, planes, o.at)
    load = load_of(state, o)
    stowed = stow(state, o.cargo, load, o.drop)
    yield from cargo_reasons(state, o.cargo, o.start, flyer(state))
    yield from _weight_reasons(state, o.cargo, load, stowed)
    yield from landing_reasons(state, stowed, o.at, planes, staying=o.one_way)


@rule("ocs/3.5b", "ocs/3.4")
def glider_reasons(state: State, o: Lift, planes: Sequence[Aircraft]) -> Iterator[Reason]:
    """Gliders start from the boxes, one to each trip of a full-strength C-47 (Burma 3.4, 3.5b)."""
    if not o.gliders:
        return
    if isinstance(o.start, int):
        yield because("gliders-from-boxes", rule="ocs/3.4")
    if o.one_way:
        yield because("one-way-gliders", rule="ocs/3.5b")
    tows = [p for p in planes if p.type == TOWS and p.steps == 2]
    if len(tows) < len(planes) and not tows:
        yield because("full-strength-tow", rule="ocs/3.5b")
    trips, there = trips_of(state, planes, o.start, o.at, o.one_way), len(gliders_at(state, o.start))
    most = min(len(tows) * trips, there)
    if o.gliders > most:
        why = f"{there} are at {WHERE.write(o.start)}, {len(tows)} full C-47 make {trips} trips"
        yield because("too-many-gliders", rule="ocs/3.5b", most=most, why=why)


def gliders_at(state: State, where: Where) -> list[Aircraft]:
    """Gliders at a box, by id."""
    found = (p for p in state.aircraft.values() if p.at == where and kind_of(p).role == GLIDER)
    return sorted(found, key=lambda p: p.id)


def _weight_reasons(state: State, cargo: Sequence[str], load: Load, stowed: Iterable[Stowed]) -> Iterator[Reason]:
    if any(not s.way for s in stowed):
        heavy, room = float(sum(weight(state, item) for item in cargo)), float(load.total)
        yield because("cargo-weight", rule="ocs/3.5b", weight=f"{heavy:g}", capacity=f"{room:g}", trips=load.trips)


@rule("ocs/1.2-lift", "ocs/3.5d", "ocs-series/5.6")
def cargo_reasons(state: State, cargo: Sequence[str], start: Where, side: str) -> Iterator[Reason]:
    """Why cargo cannot be carried: tokens that are not there, units not in Move Mode or not on foot, loaded mules."""
    wanted = sum(map(tokens_of, cargo))
    there = loadable(state, side, start)
    if wanted > there:
        yield because("cargo-tokens", rule="ocs-series/12.2a", at=WHERE.write(start), there=there, tokens=wanted)
    for item in cargo:
        if item in state.transport:
            yield from _mule_reasons(state.transport[item], side)
        elif not tokens_of(item):
            yield from _unit_reasons(state, state.pieces[item], side)


def _mule_reasons(points: Transport, side: str) -> Iterator[Reason]:
    why = ""
    if points.side != side:
        why = "it belongs to the other side"
    elif points.kind != "mule":
        why = f"of transport only mules fly, not {points.kind}s"
    elif points.load:
        why = "loaded mules do not fly"
    if why:
        yield because("cargo-kind", rule="ocs/1.2-lift", item=points.id, why=why)
    if points.done or points.spent:
        yield because("cargo-moved", rule="ocs-series/13.3", item=points.id)


@rule("ocs-series/14.9d")
def half_allowance(state: State, unit: str) -> int:
    """Twelfths of an MP that a unit may spend in the phase in which it is flown, before and after together."""
    phase = state.phase if state.phase in PACE else "movement"
    return allowance(mover(state, unit, "move", "move"), phase) // 2


@rule("ocs-series/5.6", "ocs/3.5d")
def _unit_reasons(state: State, piece: Piece, side: str) -> Iterator[Reason]:
    unit = piece.counter
    if unit.side != side:
        yield because("cargo-kind", item=unit.label, why="it belongs to the other side")
    if piece.mode != "move":
        yield because("cargo-mode", rule="ocs-series/5.6", item=unit.label)
    if piece.dg:
        yield because("cargo-dg", rule="ocs-series/5.10", item=unit.label)
    if piece.done or piece.spent > half_allowance(state, piece.id):
        yield because("cargo-moved", rule="ocs-series/14.9d", item=unit.label)
    if why := _grounded(state, piece):
        yield because("cargo-kind", rule="ocs/3.5d", item=unit.label, why=why)


def _grounded(state: State, piece: Piece) -> str:
    """Why a unit never flies: not on foot, or too heavy; artillery flies all the same, save the 5.5 inch (3.5d)."""
    unit = piece.counter
    if "no_airlift" in unit.traits:
        return "it never flies"
    if unit.is_artillery:
        return ""
    if unit.move.mobility != "leg":
        return f"it moves by {unit.move.mobility}"
    return "" if unit.move.ma <= air_value(state, "lift_ma") else "its movement allowance is too great"


@rule("ocs/3.5a", "ocs/3.5c", "ocs/3.6b")
def landing_reasons(
    state: State, stowed: Sequence[Stowed], at: Where, planes: Sequence[Aircraft] = (), *, staying: bool = False
) -> Iterator[Reason]:
    """Why cargo cannot come down at a place in the way it is carried (Burma 3.5a, 3.5c, 3.6b).

    With `staying` the aircraft are inactive there afterwards, so the base unloads all of it (OCS 14.20e).
    """
    side = flyer(state)
    landed = [s for s in stowed if s.way == LANDING]
    if landed and own_base(state, at, side) is None:
        yield because("must-drop", *_hexes(at), rule="ocs/3.5a")
    elif landed:
        yield from base_reasons(state, planes, at)
        yield from () if staying else _off_load_reasons(state, landed, at)
    if not isinstance(at, int):
        return
    all_capture = all(can_capture(s.item) for s in stowed)
    if at in shut_to(state, side, captures=all_capture):
        yield because("landing-on-enemy", at, rule="ocs/3.5c")
    if state.board.terrain[at] == "lake" or not playable(state, at):
        yield because("off-board", at)
    for s in stowed:
        yield from _way_reasons(state, s, at)
    if any(s.way == DROPPING for s in stowed):
        for p in planes:
            if p.type in NO_DROPS:
                yield because("no-drop-type", rule="ocs/4.11-transports", unit=p.id)


def _hexes(at: Where) -> tuple[int, ...]:
    return (at,) if isinstance(at, int) else ()


def _way_reasons(state: State, s: Stowed, at: int) -> Iterator[Reason]:
    if not s.item:
        return
    if s.item in state.transport:
        if s.way == DROPPING:
            yield because("drop-units", rule="ocs/1.2-lift", item=s.item)
        return
    unit = state.pieces[s.item].counter
    if s.way == DROPPING and "para" not in unit.traits:
        yield because("drop-units", rule="ocs/3.6b", item=unit.label)
    if s.way == DROPPING or (s.way == GLIDING and own_base(state, at, flyer(state)) is None):
        yield from _drop_reasons(state, state.pieces[s.item])
    if as_chindit(state.rules, unit):
        shut = closed(state, unit)
        if s.way == GLIDING and not _prepared(state, at):
            yield because("chindit-landing", at, rule="ocs/3.6b")
        if at in shut.get("chindit", ()):
            yield because("chindit-south", at, rule="ocs/3.6b")
        if at in shut.get("chindits-late", ()):
            yield because("chindits-late", at, rule="ocs-series/erratum.13")


@rule("ocs-series/14.10b", "ocs-series/14.9d")
def _drop_reasons(state: State, piece: Piece) -> Iterator[Reason]:
    """Units come down without a base in the Movement Phase only, and have spent nothing before."""
    if state.phase != "movement":
        yield because("drop-phase", rule="ocs-series/14.10b", item=piece.counter.label)
    if piece.spent:
        yield because("cargo-moved", rule="ocs-series/14.9d", item=piece.counter.label)


@rule("ocs/3.6b")
def _prepared(state: State, at: int) -> bool:
    """A friendly base or airstrip, a friendly unit, or a clearing."""
    side = flyer(state)
    units = any(p.counter.side == side for p in stack(state, at))
    return own_base(state, at, side) is not None or units or at in state.markers.get("clearings", ())


# unloading ------------------------------------------------------------------------------------------------------------


@rule("ocs/3.5b", "ocs-series/14.20e")
def off_load_limit(state: State, at: Where) -> int | None:
    """T that aircraft may unload at a base in a movement segment; None in a box. Gliders do not count (Burma 3.5b)."""
    base = state.bases[at]
    if not isinstance(at, int):
        return None
    return int(air_value(state, "unload_level")) * base.level if base.level else int(air_value(state, "unload_strip"))


def unloaded(state: State) -> dict[Where, int]:
    """T unloaded at each base in this phase."""
    turn, player, phase, pairs = state.markers.get(UNLOADED, (0, "", "", ()))
    return dict(pairs) if (turn, player, phase) == (state.turn, state.player, state.phase) else {}


def off_load_left(state: State, at: Where) -> int | None:
    """T that may still be unloaded at a base in this phase; None where nothing limits it."""
    limit = off_load_limit(state, at)
    return None if limit is None else max(0, limit - unloaded(state).get(at, 0))


def unloadable(state: State, at: Where, side: str, room: Fraction) -> Fraction:
    """How much of `room` T comes down at a place: what a side's base there still unloads; a drop has no such limit."""
    left = off_load_left(state, at) if own_base(state, at, side) is not None else None
    return room if left is None else min(room, Fraction(left))


def _off_load_reasons(state: State, landed: Iterable[Stowed], at: Where) -> Iterator[Reason]:
    heavy = sum(s.tokens or int(weight(state, s.item)) for s in landed)
    left = off_load_left(state, at)
    if left is not None and heavy > left:
        yield because("off-load", rule="ocs-series/14.20e", at=WHERE.write(at), left=left, tokens=heavy)


def note_unloaded(step: Step[State], at: Where, tokens: int) -> None:
    """Count T against the limit of a base."""
    state, counts = step.state, unloaded(step.state)
    counts[at] = counts.get(at, 0) + tokens
    pairs = tuple(sorted(counts.items(), key=lambda kv: str(kv[0])))
    step.put("unloaded", "markers", UNLOADED, (state.turn, state.player, state.phase, pairs))


@rule("ocs/3.5a", "ocs/3.5c")
def friendly_hexes(step: Step[State]) -> None:
    """Start of the Movement Phase: note where each side has units, for landings in friendly and enemy hexes (3.5a)."""
    state = step.state
    step.close()
    hexes = {p.at for p in state.pieces.values() if p.counter.side == "allied" and isinstance(p.at, int)}
    if any(kind_of(p).role == TRANSPORT for p in state.aircraft.values()):
        step.put("noted", "markers", FRIENDLY, tuple(sorted(hexes)))


@rule("ocs/3.5a")
def is_friendly(state: State, hex_: int) -> bool:
    """A friendly unit stood there when the Movement Phase began; before the first one, when it stands there unmoved."""
    noted = state.markers.get(FRIENDLY)
    if noted is None:
        return any(p.counter.side == flyer(state) and not (p.done or p.spent) for p in stack(state, hex_))
    return hex_ in noted


@rule("ocs/3.5a", "ocs/3.6d")
def is_clear(state: State, hex_: int) -> bool:
    """Clear terrain, or an airstrip, airfield or clearing in the hex (Burma 3.5a)."""
    prepared = hex_ in state.bases or hex_ in state.markers.get("clearings", ())
    return state.board.terrain[hex_] == "clear" or prepared


@rule("ocs/3.5a", "ocs-series/14-drop")
def fails_on(state: State, hex_: Where, way: str) -> int:
    """A die of this or less loses what comes down by glider or parachute; 0 where nothing is rolled (Burma 3.5a)."""
    if way == LANDING or not isinstance(hex_, int):
        return 0
    key = ("friendly" if is_friendly(state, hex_) else "enemy", "clear" if is_clear(state, hex_) else "closed")
    return state.rules.charts.air_drop[key][way]


@rule("ocs/3.5a", "ocs/3.5c")
def come_down(
    step: Step[State], stowed: Iterable[Stowed], start: Where | None, at: Where, side: str, *, staying: bool = False
) -> None:
    """Units and tokens come down, with a die for each that is dropped or in a glider; `start` None: from outside."""
    for s in stowed:
        if not s.way:
            continue
        limit = fails_on(step.state, at, s.way)
        if s.way == LANDING and not staying and off_load_limit(step.state, at) is not None:
            note_unloaded(step, at, s.tokens or int(weight(step.state, s.item)))
        if s.tokens:
            _tokens_down(step, s, start, at, side, limit)
        elif s.item in step.state.transport:
            _mules_down(step, s.item, at, limit)
        else:
            _unit_down(step, s, at, limit)
        step.cite("ocs/3.5a")


def _safe(step: Step[State], limit: int) -> bool:
    return not limit or step.roll("air").sum > limit


def _tokens_down(step: Step[State], s: Stowed, start: Where | None, at: Where, side: str, limit: int) -> None:
    if start is not None:
        add(step, side, start, -s.tokens, "loaded")
    safe = sum(_safe(step, limit) for _ in range(s.tokens))
    if safe:
        set_down(step, side, at, safe, "flown in")


def _mules_down(step: Step[State], item: str, at: Where, limit: int) -> None:
    """A die for each token of mules."""
    points = step.state.transport[item]
    safe = sum(_safe(step, limit) for _ in range(points.size))
    step.put("flown in", "transport", item, replace(points, at=at, size=safe, done=True) if safe else None)


def _unit_down(step: Step[State], s: Stowed, at: Where, limit: int) -> None:
    """A unit landed at a base may go on for what is left of half its allowance, one dropped may not; in an enemy hex it
    is DG (Burma 3.5c).
    """
    piece = step.state.pieces[s.item]
    if not _safe(step, limit):
        lose_steps(step, s.item, piece.steps, "air")
        return
    enemy = isinstance(at, int) and s.way != LANDING and not is_friendly(step.state, at)
    half = half_allowance(step.state, s.item)
    if step.state.phase == "reinforcement":
        spent, done = piece.spent, False
    else:
        base = own_base(step.state, at, piece.counter.side) is not None
        landed = s.way == LANDING or (s.way == GLIDING and base)
        spent, done = piece.spent + half, not landed or piece.spent >= half
    step.put("flown in", "pieces", s.item, replace(piece, at=at, dg=piece.dg or enemy, spent=spent, done=done))
    step.cite("ocs/3.5c")


# carrying out ---------------------------------------------------------------------------------------------------------


def _lift(step: Step[State], o: Lift) -> None:
    take_off(step, o.planes, o.at, "lift", cargo=o.cargo, gliders=o.gliders, drop=o.drop, one_way=o.one_way)


@rule("ocs/3.5", "ocs/3.5b")
def _mission_lift(step: Step[State], frame: Frame) -> None:
    """Unload; gliders are used up; the transports go home, or stay after a one-way flight, and are inactive.

    What no longer fits when aircraft were lost or turned back on the way stays where it was.
    """
    state, start, at = step.state, frame["start"], frame["target"]
    planes = named(state, flying(state, frame["planes"]))
    trips = trips_of(state, planes, start, at, frame["one_way"])
    gliders = min(frame["gliders"], trips * sum(p.type == TOWS and p.steps == 2 for p in planes))
    stowed = stow(state, frame["cargo"], capacity(planes, trips, gliders), frame["drop"])
    step.close()
    for glider in gliders_at(state, start)[:gliders]:
        lose_air_unit(step, glider.id)
        step.cite("ocs/3.5b")
    come_down(step, stowed, start, at, frame["side"], staying=frame["one_way"])
    for plane in planes:
        land(step, plane.id, at if frame["one_way"] else start)
    ask_protection(step)
    seize(step, at, frame["cargo"])


MISSIONS: dict[str, Mission] = {"lift": _mission_lift}


# choices --------------------------------------------------------------------------------------------------------------


def transports(state: State) -> list[Aircraft]:
    """Transports of the player that are ready."""
    return [p for p in ready(state) if kind_of(p).role == TRANSPORT]


def cargo_choices(state: State, start: Where, room: Fraction, chosen: Sequence[str], side: str) -> list[Choice]:
    """What may still be taken along: tokens up to the room left, units and mules that fit."""
    left = room - sum((weight(state, item) for item in chosen), Fraction())
    found: list[Choice] = []
    if not any(map(tokens_of, chosen)):
        most = min(int(left), loadable(state, side, start))
        found += [Choice(f"{n}T", f"{n} T of supply", n) for n in range(most, 0, -1)]
    things = [p.id for p in state.pieces.values() if p.at == start] + [
        t.id for t in state.transport.values() if t.at == start
    ]
    for item in sorted(set(things) - set(chosen)):
        if weight(state, item) <= left and not any(cargo_reasons(state, (item,), start, side)):
            found.append(Choice(item, item, int(weight(state, item))))
    return found


def _room(state: State, partial: Partial) -> Fraction:
    """The most that the aircraft chosen could carry, with every glider they may tow, and unload there."""
    start, at = partial.values["start"], partial.values["at"]
    planes = named(state, partial.values["planes"])
    trips = trips_of(state, planes, start, at, False)
    tows = trips * sum(p.type == TOWS and p.steps == 2 for p in planes)
    gliders = 0 if isinstance(start, int) else min(tows, len(gliders_at(state, start)))
    load = capacity(planes, trips, gliders)
    return load.in_gliders + unloadable(state, at, flyer(state), load.in_planes)


def _lift_choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    side, values = flyer(state), partial.values
    if any(weather_reasons(state, base_to_base=True)):
        return []
    if slot_ == "start":
        return hex_choices(state, (p.at for p in transports(state)))
    start = values["start"]
    if slot_ == "planes":
        return _with_escort(state, start, values.get("planes", ()))
    if slot_ == "at":
        return _destinations(state, start, named(state, values.get("planes", ())))
    if slot_ == "cargo":
        return cargo_choices(state, start, _room(state, partial), values.get("cargo", ()), side)
    if slot_ == "gliders":
        return [Choice(n, f"{n} gliders") for n in range(1, len(gliders_at(state, start)) + 1)]
    return [Choice(True, "dropping" if slot_ == "drop" else "one way")]


@rule("ocs/opt.3c")
def _with_escort(state: State, start: Where, chosen: Sequence[str]) -> list[Choice]:
    """Transports at a place, after the first also fighters there, as many as fly together (Opt.3c)."""
    roles = (TRANSPORT, FIGHTER) if chosen else (TRANSPORT,)
    there = (p for p in ready(state) if p.at == start and kind_of(p).role in roles)
    return plane_choices(there, chosen) if len(chosen) < most_together(state) else []


def _destinations(state: State, start: Where, planes: Sequence[Aircraft]) -> list[Choice]:
    """Bases first, then clearings and hexes with own units, then every other hex where supply may be dropped."""
    side, board = flyer(state), state.board
    reach = min((kind_of(p).range for p in planes), default=0)
    places = [at for at in bases_of(state, side) if at != start and all(_usable(state, at, p) for p in planes)]
    hexes = set(range(len(board.terrain))) if state.air_ops == "unrestricted" else set()
    known = {p.at for p in state.pieces.values() if p.counter.side == side} | set(state.markers.get("clearings", ()))
    hexes = {h for h in hexes if board.terrain[h] != "lake" and air_distance(board, start, h) <= reach}
    hexes = {h for h in hexes if playable(state, h)}
    hexes -= {start, *places, *shut_to(state, side)}
    near = hex_choices(state, hexes & known)
    return [*hex_choices(state, places), *near, *hex_choices(state, hexes - known)]


def _usable(state: State, at: Where, plane: Aircraft) -> bool:
    far = air_distance(state.board, plane.at, at)
    return far <= air_value(state, "transfer") * kind_of(plane).range and not any(base_reasons(state, [plane], at))


RULES: dict[type[Order], OrderRules[State]] = {
    Lift: OrderRules(_lift_impossible, _lift_forbidden, _lift, _lift_choices)
}
