"""Modes chosen at the start of a move, Reserve markers and their release (OCS 5.5-5.8; Burma 3.4d, 3.7a, Opt.2.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from burma_study.engine.reasons import Reason, because
from burma_study.engine.step import Step
from burma_study.errors import did_you_mean
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.combat.segments import acting_side
from burma_study.rules.ocs.movement.orders import ChooseMode, Release
from burma_study.rules.ocs.movement.reach import RELEASED, SHOWS, mover, refusals
from burma_study.rules.ocs.state import Piece, State, Transport, Where

MOVING = "moving"  # marker: ids of the units whose move is under way
STOPPED = "stopped"  # marker: ids of those on the move that stopped in an enemy zone and may only overrun from there
CHOSEN = "mode_chosen"  # marker: ids of the units that chose a mode in this phase
MOVE_PHASES = ("movement", "reaction", "exploitation")
PILES = ("dead", "dead_bn", "later", "gone", "arakan", "off_map")  # where nobody moves or chooses a mode
GROUPS = ("commonwealth", "us_chinese")
ANY_MA = ("no_ma", "in_box")  # what stands against moving, not against choosing a mode


def thing(state: State, unit: str) -> Piece | Transport | None:
    """A unit or transport on the map or in a box, by id."""
    piece = state.pieces.get(unit)
    if piece is not None:
        return None if piece.at in PILES else piece
    return state.transport.get(unit)


def side_of(moving: Piece | Transport) -> str:
    """Whose a unit or transport is."""
    return moving.counter.side if isinstance(moving, Piece) else moving.side


def unknown(state: State, units: Sequence[str]) -> Iterator[Reason]:
    """Hard reasons: ids that are not in play, or named twice."""
    for unit in dict.fromkeys(units):
        if thing(state, unit) is None:
            hint = did_you_mean(unit, (*state.pieces, *state.transport))
            yield because("no-unit", unit=unit, hint=hint, hard=True)
        elif units.count(unit) > 1:
            yield because("twice", unit=unit, hard=True)


def together(state: State, units: Sequence[str]) -> Iterator[Reason]:
    """Hard reason: units that do not stand in one place."""
    places = {found.at for u in units if (found := thing(state, u)) is not None}
    if len(places) > 1:
        yield because("apart", units=tuple(units), rule="ocs-series/6.1", hard=True)


def not_owned(state: State, units: Iterable[str]) -> Iterator[Reason]:
    """Units of the side whose turn to move it is not."""
    side = acting_side(state)
    for unit in units:
        found = thing(state, unit)
        if found is not None and (owner := side_of(found)) != side:
            yield because("not-owned", unit=unit, owner=owner, side=side, rule="ocs-series/6.1")


# one stack at a time --------------------------------------------------------------------------------------------------


@rule("ocs-series/6.1")
def begin(step: Step[State], units: Sequence[str]) -> None:
    """These units are on the move now: whoever was half way and is not among them has moved (OCS 6.1).

    Any order that moves something or costs it MP calls this first.
    """
    before = step.state.markers.get(MOVING, ())
    now = tuple(sorted(units))
    if before == now:
        return
    for unit in before:
        left = thing(step.state, unit)
        if unit not in now and left is not None and left.spent and not left.done:
            table = "pieces" if isinstance(left, Piece) else "transport"
            step.put("moved on", table, unit, replace(left, done=True))
    step.put("on the move", "markers", MOVING, now)
    note_stopped(step, [u for u in step.state.markers.get(STOPPED, ()) if u in now])


def note_stopped(step: Step[State], units: Iterable[str]) -> None:
    """Remember who on the move stopped in an enemy zone; nobody else."""
    step.put("stopped", "markers", STOPPED, tuple(sorted(units)) or None)


@rule("ocs-series/6.1")
def at_work(step: Step[State], unit: str) -> None:
    """A unit spends MP where it stands, as in loading: that is part of its move and ends that of others (OCS 6.1)."""
    if unit not in step.state.markers.get(MOVING, ()):
        begin(step, (unit,))


@rule("ocs-series/6.1")
def goes_on_as(step: Step[State], unit: str, other: str) -> None:
    """Transport that is split or merged on the move: `other` is on the move with it."""
    moving = step.state.markers.get(MOVING, ())
    if unit in moving:
        step.put("on the move", "markers", MOVING, tuple(sorted({*moving, other})))


@rule("ocs-series/6.1")
def half_moved(state: State, units: Sequence[str]) -> Iterator[Reason]:
    """A stack on its way takes nobody up."""
    moving = state.markers.get(MOVING, ())
    started = [u for u in units if u in moving and (found := thing(state, u)) is not None and found.spent]
    if started:
        for unit in units:
            if unit not in moving:
                yield because("half-moved", unit=started[0], newcomer=unit, rule="ocs-series/6.1")


# markers --------------------------------------------------------------------------------------------------------------


@rule("ocs/3.4d", "ocs/3.7a", "ocs-series/5.7")
def reserve_places(pieces: Iterable[Piece], side: str, group: str = "") -> set[Where]:
    """Places where a Reserve marker of a side lies: each stack on the map, and each box with any number of units."""
    return {
        p.at
        for p in pieces
        if p.mode == "reserve" and p.counter.side == side and group in ("", p.counter.group) and p.at not in PILES
    }


@rule("ocs-series/5.7")
def reserve_limit(state: State, side: str, group: str = "") -> int:
    """Reserve markers that a side has in the scenario, or one of its cooperation groups."""
    return int(state.markers.get(f"reserve/{side}/{group}" if group else f"reserve/{side}", 0))


@rule("ocs/3.7a")
def marker_groups(state: State, side: str) -> tuple[str, ...]:
    """The groups that have markers of their own; one of "" where all of a side share them."""
    return tuple(g for g in GROUPS if f"reserve/{side}/{g}" in state.markers) or ("",)


@rule("ocs-series/5.7", "ocs/3.7a", "ocs/3.4d")
def marker_reasons(state: State, side: str, changed: Mapping[str, Piece]) -> Iterator[Reason]:
    """Reserve markers that would be missing with some units changed (by id)."""
    after = {**state.pieces, **changed}
    for group in marker_groups(state, side):
        limit, needed = reserve_limit(state, side, group), len(reserve_places(after.values(), side, group))
        if needed > limit and needed > len(reserve_places(state.pieces.values(), side, group)):
            who = f"({group.replace('_', ' and ')}) " if group else ""
            rule_ = "ocs/3.7a" if group else "ocs-series/5.7"
            yield because("no-reserve-marker", side=side, group=who, limit=limit, needed=needed, rule=rule_)


@rule("ocs/opt.2.5", "ocs-series/5.7")
def may_wait_in_hedgehog(state: State, piece: Piece) -> bool:
    """May it be in Reserve in a hedgehog hex: with Opt.2 only artillery, by v4.3 nobody."""
    return only_guns_wait(state) and piece.counter.is_artillery


def only_guns_wait(state: State) -> bool:
    """Opt.2.5 rules over Reserve in hedgehogs; otherwise series 5.7, which looks at the end of the segment only."""
    return state.rules.version == "1999" and state.rules.has("opt2")


@rule("ocs/opt.2.5")
def hedgehog_reasons(state: State, piece: Piece, hex_: int) -> Iterator[Reason]:
    """Why a unit in Reserve may not be in a hex, in passing or at the end (Opt.2.5)."""
    if hex_ in state.hedgehogs and only_guns_wait(state) and not piece.counter.is_artillery:
        yield because("hedgehog-reserve", hex_, unit=piece.id, rule="ocs/opt.2.5")


def take_off(step: Step[State], unit: str) -> None:
    """Take a unit out of Reserve; it keeps the side that shows."""
    piece = step.state.pieces[unit]
    step.put("released", "pieces", unit, replace(piece, mode=piece.face))


# choosing a mode ------------------------------------------------------------------------------------------------------


def mode_impossible(state: State, order: ChooseMode) -> Iterator[Reason]:
    """Units not in play, or not in one place."""
    yield from unknown(state, order.units)
    yield from together(state, order.units)


@rule("ocs-series/5.5", "ocs-series/5.6", "ocs-series/5.7", "ocs-series/5.8", "ocs-series/5.10", "ocs-series/6.1")
def mode_forbidden(state: State, order: ChooseMode) -> Iterator[Reason]:
    """Whose turn, whether the choice was made, what zones, DG, sides and markers forbid."""
    yield from not_owned(state, order.units)
    for unit in order.units:
        yield from _choice_reasons(state, order, unit)
    if order.mode == "reserve":
        changed = {u: _in_mode(state.pieces[u], order) for u in order.units if u in state.pieces}
        yield from marker_reasons(state, acting_side(state), changed)


def _choice_reasons(state: State, order: ChooseMode, unit: str) -> Iterator[Reason]:
    who = mover(state, unit, order.mode, order.face or None)
    yield from (r for r in refusals(state, who, "movement") if r.code not in ANY_MA)
    piece = state.pieces.get(unit)
    if piece is None:
        return
    markers = state.markers
    if unit in markers.get(CHOSEN, ()) and unit not in markers.get(MOVING, ()):
        yield because("mode-chosen", unit=unit, mode=piece.mode, rule="ocs-series/6.1")
    elif piece.spent and order.mode == piece.mode:
        yield because("mode_change", unit=unit, old=piece.mode, rule="ocs-series/6.1")
    if order.mode == "reserve" and isinstance(piece.at, int):
        yield from hedgehog_reasons(state, piece, piece.at)


def _in_mode(piece: Piece, order: ChooseMode) -> Piece:
    face = order.face or (piece.face if piece.dg and order.mode == piece.mode else SHOWS.get(order.mode, piece.face))
    return replace(piece, mode=order.mode, face=face)


def choose_mode(step: Step[State], order: ChooseMode) -> None:
    """The units start to move: they show their mode."""
    begin(step, order.units)
    for unit in order.units:
        if unit in step.state.pieces:
            step.put("mode", "pieces", unit, _in_mode(step.state.pieces[unit], order))
    chosen = {*step.state.markers.get(CHOSEN, ()), *order.units}
    step.put("mode", "markers", CHOSEN, tuple(sorted(chosen)))
    step.cite(*_MODE_RULES[order.mode])
    if order.mode == "reserve" and any(isinstance(step.state.pieces[u].at, str) for u in order.units):
        step.cite("ocs/3.4d")


_MODE_RULES = {
    "combat": ("ocs-series/5.5",),
    "move": ("ocs-series/5.6",),
    "reserve": ("ocs-series/5.7",),
    "strat": ("ocs-series/5.8",),
}


# release --------------------------------------------------------------------------------------------------------------


def release_impossible(state: State, order: Release) -> Iterator[Reason]:
    """Units not in play, transport among them, or not in one place."""
    yield from unknown(state, order.units)
    yield from (because("no-unit", unit=u, hint="", hard=True) for u in order.units if u in state.transport)
    yield from together(state, order.units)


@rule("ocs-series/5.7", "ocs-series/7")
def release_forbidden(state: State, order: Release) -> Iterator[Reason]:
    """Only the reserves of the side whose phase it is."""
    yield from not_owned(state, order.units)
    for unit in order.units:
        piece = state.pieces[unit]
        if piece.mode != "reserve":
            yield because("not-in-reserve", unit=unit, mode=piece.mode, rule="ocs-series/5.7")


@rule("ocs-series/5.7")
def release(step: Step[State], order: Release) -> None:
    """They keep the side that shows, and move in this phase at the pace of released reserves."""
    for unit in order.units:
        take_off(step, unit)
    out = {*step.state.markers.get(RELEASED, ()), *order.units}
    step.put("released", "markers", RELEASED, tuple(sorted(out)))
    step.cite("ocs-series/5.7", *(("ocs-series/7",) if step.state.phase == "reaction" else ()))


def waiting(state: State) -> list[Piece]:
    """The reserves of the side whose phase it is, on the map and in boxes, by id."""
    side = acting_side(state)
    found = (p for p in state.pieces.values() if p.mode == "reserve" and p.counter.side == side and p.at not in PILES)
    return sorted(found, key=lambda p: p.id)
