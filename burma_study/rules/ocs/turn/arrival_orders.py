"""The room of arrivals: orders that place units and supply, rebuild, divert the Hump, leave and enter the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import INT, WORD, Order, choice_slot, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules, Room, nothing
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.movement.presence import can_capture
from burma_study.rules.ocs.movement.reserves import hedgehog_reasons, marker_reasons
from burma_study.rules.ocs.orders import WHERE
from burma_study.rules.ocs.state import Piece, State, Where
from burma_study.rules.ocs.supply.trace import BOXES
from burma_study.rules.ocs.turn.arrivals import (
    OFF_MAP,
    due,
    entering_units,
    entries_open,
    finish_arrivals,
    income,
    income_places,
    incoming_supply,
    incoming_units,
    label_of,
    open_places,
    pools,
    put_supply,
    put_unit,
    raw_nerves,
    take_over,
)
from burma_study.rules.ocs.turn.hump import bars, divert, end_lift
from burma_study.rules.ocs.turn.replacements import (
    affordable,
    cost_of,
    decimation,
    equipment_uses,
    marauders,
    rebuild,
    rebuild_boxes,
    rebuildable,
    reduced,
    replacements,
)
from burma_study.rules.ocs.turn.script import Entry, script

MODES = ("combat", "move", "strat", "reserve")


@order("arrive {unit} at {at}[ in {mode} mode]")
class Arrive(Order):
    """A unit that is due comes in; an air unit at a base."""

    unit: str = slot(WORD)
    at: Where = slot(WHERE)
    mode: str = slot(choice_slot("mode", MODES), "combat")


@order("deliver {tokens} T to {at}")
class Deliver(Order):
    """Supply that arrives is put down."""

    tokens: int = slot(INT)
    at: Where = slot(WHERE)


@order("divert the Hump", kind="divert")
class Divert(Order):
    """A Hump diversion is declared."""


@order("rebuild {unit} at {box}")
class Rebuild(Order):
    """A dead unit or glider is rebuilt in a box with the points there."""

    unit: str = slot(WORD)
    box: str = slot(choice_slot("box", BOXES))


@order("equipment to {to}")
class Equipment(Order):
    """Where an Eq goes: a box, or an air unit that it makes up or brings back."""

    to: str = slot(WORD)


@order("other {what}")
class Other(Order):
    """What the result Other brings: `draw` a unit, or an air unit made up."""

    what: str = slot(WORD)


@order("exit with {unit}, back at {at}")
class Exit(Order):
    """A unit leaves the map, to come back at a road hex."""

    unit: str = slot(WORD)
    at: Where = slot(WHERE)


@order("come back with {unit}", kind="come")
class ComeBack(Order):
    """A unit comes back onto the map where it said it would."""

    unit: str = slot(WORD)


# arrivals -------------------------------------------------------------------------------------------------------------


def _entry(state: State, unit: str) -> Entry | None:
    return next((e for e in due(state, state.player) if e.unit == unit), None)


def _labels(state: State, places: Iterable[Where]) -> tuple[str, ...]:
    return tuple(map(WHERE.write, places))


def _no_arrival(state: State, o: Arrive) -> Iterator[Reason]:
    entry = _entry(state, o.unit)
    if entry is None:
        yield because("not-due", unit=o.unit, due=tuple(e.unit for e in due(state, state.player)), hard=True)
        return
    places = entries_open(state, entry)
    if o.at not in places:
        at, known = WHERE.write(o.at), _labels(state, places)
        yield because("no-entry", unit=o.unit, at=at, places=known, rule="ocs-series/13.6")
    if entry.mode and o.mode not in (entry.mode, "combat"):
        yield because("fixed-mode", unit=o.unit, mode=entry.mode)
    if o.mode == "reserve" and o.unit not in state.aircraft:
        yield from _no_reserve(state, o)


@rule("ocs-series/5.7", "ocs/opt.2.5")
def _no_reserve(state: State, o: Arrive) -> Iterator[Reason]:
    """Why a unit may not arrive in Reserve: no marker is left, or a hedgehog in the hex."""
    piece = Piece(o.unit, o.at, "reserve")
    yield from marker_reasons(state, state.player, {o.unit: piece})
    if isinstance(o.at, int):
        yield from hedgehog_reasons(state, piece, o.at)


def _arrive(step: Step[State], o: Arrive) -> None:
    entry = _entry(step.state, o.unit)
    assert entry is not None
    put_unit(step, entry, o.at, o.mode)
    step.cite("ocs-series/13.6")
    take_over(step, (o.unit,))


def _no_delivery(state: State, o: Deliver) -> Iterator[Reason]:
    left, places = income(state, state.player), income_places(state, state.player)
    if not 0 < o.tokens <= left:
        yield because("no-income", tokens=o.tokens, left=left, hard=True)
    if o.at not in places:
        yield because("no-delivery", at=WHERE.write(o.at), places=_labels(state, places))


def _deliver(step: Step[State], o: Deliver) -> None:
    put_supply(step, step.state.player, o.tokens, o.at)


# replacements ---------------------------------------------------------------------------------------------------------


def _no_rebuild(state: State, o: Rebuild) -> Iterator[Reason]:
    cost = cost_of(state, o.unit)
    if cost is None:
        yield because("no-rebuild", unit=o.unit, rule="ocs/3.4c", hard=True)
        return
    boxes = rebuild_boxes(state, o.unit)
    if o.box not in boxes:
        yield because("no-rebuild-box", unit=o.unit, box=o.box, boxes=boxes, rule="ocs/3.4c")
    if not affordable(state, o.unit, o.box):
        pax, eq = (state.markers.get(f"{kind}/{o.box}", 0) for kind in ("pax", "eq"))
        yield because(
            "cannot-afford",
            unit=o.unit,
            pax=cost.pax,
            eq=cost.eq,
            box=o.box,
            have_pax=pax,
            have_eq=eq,
            rule="ocs/table.replacement-cost",
        )


def _no_equipment(state: State, o: Equipment) -> Iterator[Reason]:
    uses = equipment_uses(state)
    if o.to not in uses:
        yield because("no-such-use", to=o.to, uses=uses, rule="ocs/opt.3k", hard=True)


def _no_other(state: State, o: Other) -> Iterator[Reason]:
    uses = ("draw", *reduced(state, "japanese"))
    if o.what not in uses:
        yield because("no-such-use", to=o.what, uses=uses, rule="ocs/2.3", hard=True)


# off the map ----------------------------------------------------------------------------------------------------------


@rule("ocs/sato.sr6", "ocs/imphal.sr6")
def leavers(state: State) -> tuple[str, ...]:
    """Units of the phasing side that may leave the map now."""
    off = script(state).off_map
    if off is None or off.side != state.player:
        return ()
    units = (p for p in state.units(off.side) if p.at in off.exits and not p.done and p.mode != "reserve")
    return tuple(sorted(p.id for p in units))


@rule("ocs/sato.sr6", "ocs/imphal.sr6")
def comers(state: State) -> tuple[str, ...]:
    """Units off the map that may come back now, each at its road."""
    off = script(state).off_map
    if off is None or off.side != state.player:
        return ()
    waiting = (p.id for p in state.units(off.side) if p.at == OFF_MAP)
    return tuple(sorted(u for u in waiting if _may_come(state, u)))


def _may_come(state: State, unit: str) -> bool:
    turn, at = state.markers[f"{OFF_MAP}/{unit}"]
    side = state.pieces[unit].counter.side
    return state.turn >= turn and bool(open_places(state, side, (at,), can_capture(unit)))


def _no_exit(state: State, o: Exit) -> Iterator[Reason]:
    off = script(state).off_map
    exits = off.exits if off else ()
    if o.unit not in leavers(state) or o.at not in exits:
        known = _labels(state, exits)
        yield because("no-way-off", unit=o.unit, exits=known, rule="ocs/sato.sr6", hard=o.unit not in state.pieces)


def _exit(step: Step[State], o: Exit) -> None:
    off = script(step.state).off_map
    assert off is not None
    piece = step.state.pieces[o.unit]
    step.put("left the map", "pieces", o.unit, replace(piece, at=OFF_MAP, done=True))
    step.put("marker", "markers", f"{OFF_MAP}/{o.unit}", (step.state.turn + off.turns, o.at))
    step.cite("ocs/sato.sr6")


def _no_return(state: State, o: ComeBack) -> Iterator[Reason]:
    if f"{OFF_MAP}/{o.unit}" not in state.markers:
        yield because("not-due", unit=o.unit, due=comers(state), hard=True)
    elif o.unit not in comers(state):
        turn, at = state.markers[f"{OFF_MAP}/{o.unit}"]
        yield because("no-way-on", unit=o.unit, turn=turn, at=WHERE.write(at), rule="ocs/sato.sr6")


def _come_back(step: Step[State], o: ComeBack) -> None:
    piece: Piece = step.state.pieces[o.unit]
    _, at = step.state.markers[f"{OFF_MAP}/{o.unit}"]
    step.put("came back", "pieces", o.unit, replace(piece, at=at, done=False))
    step.put("marker", "markers", f"{OFF_MAP}/{o.unit}", None)
    step.cite("ocs/sato.sr6")
    take_over(step, (o.unit,))


# choices --------------------------------------------------------------------------------------------------------------


def _words(values: Iterable[str]) -> list[Choice]:
    return [Choice(v, v) for v in values]


def _places(state: State, places: Iterable[Where]) -> list[Choice]:
    return [Choice(w, WHERE.write(w), hexes=(w,) if isinstance(w, int) else ()) for w in places]


def _choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice] | None:
    at = partial.values.get
    match partial.kind, slot_:
        case "arrive", "unit":
            return [Choice(e.unit, label_of(state, e.unit)) for e in due(state, state.player)]
        case "arrive", "at":
            entry = _entry(state, str(at("unit")))
            return _places(state, entries_open(state, entry)) if entry else []
        case "arrive", "mode":
            return _words(MODES)
        case "deliver", "tokens":
            return [Choice(n, f"{n} T", n) for n in range(income(state, state.player), 0, -1)]
        case "deliver", "at":
            return _places(state, income_places(state, state.player))
        case "rebuild", "unit":
            return [Choice(u, label_of(state, u)) for u in rebuildable(state)]
        case "rebuild", "box":
            unit = str(at("unit"))
            return _words(b for b in rebuild_boxes(state, unit) if affordable(state, unit, b))
        case "equipment", _:
            return _words(equipment_uses(state))
        case "other", _:
            return _words(("draw", *reduced(state, "japanese")))
        case "exit", "unit":
            return [Choice(u, label_of(state, u)) for u in leavers(state)]
        case "exit", "at":
            off = script(state).off_map
            return _places(state, off.exits if off else ())
        case _:
            return [Choice(u, label_of(state, u)) for u in comers(state)]


def _idle_arrivals(state: State) -> bool:
    """Nothing to place, nothing to rebuild, no diversion to declare."""
    side = state.player
    waiting = due(state, side) or income(state, side)
    return not waiting and (side == "japanese" or not (rebuildable(state) or not any(bars(state))))


def _rebuilds(state: State) -> bool:
    taken = script(state).replacements
    return state.player == "allied" and bool(taken.pax or taken.eq)


def _leaves_map(state: State) -> bool:
    off = script(state).off_map
    return off is not None and off.side == state.player


def _idle_off_map(state: State) -> bool:
    return not (leavers(state) or comers(state))


def _no_divert(state: State, _: Divert) -> Iterable[Reason]:
    yield from bars(state)
    if state.player != "allied":
        yield because("no-hump", rule="ocs/3.10")


ARRIVALS = Room(
    "arrivals",
    {
        Arrive: OrderRules(nothing, _no_arrival, _arrive, _choices),
        Deliver: OrderRules(nothing, _no_delivery, _deliver, _choices),
        Divert: OrderRules(nothing, _no_divert, lambda step, _: divert(step)),
        Rebuild: OrderRules(nothing, _no_rebuild, lambda step, o: rebuild(step, o.unit, o.box), _choices),
        Equipment: OrderRules(nothing, _no_equipment, lambda step, o: step.note(choice=o.to), _choices),
        Other: OrderRules(nothing, _no_other, lambda step, o: step.note(choice=o.what), _choices),
    },
    {"reinforcement": ("arrive", "deliver", "divert", "rebuild")},
    {
        f.__name__: f
        for f in (
            incoming_supply,
            incoming_units,
            entering_units,
            finish_arrivals,
            raw_nerves,
            pools,
            replacements,
            marauders,
            decimation,
            end_lift,
        )
    },
    {"divert": lambda state: state.player == "allied" and script(state).hump.allowed, "rebuild": _rebuilds},
    idle={"reinforcement": _idle_arrivals},
    enters={
        "reinforcement": (
            "raw_nerves",
            "incoming_supply",
            "incoming_units",
            "pools",
            "decimation",
            "marauders",
            "replacements",
        ),
        "movement": ("entering_units",),
        "cleanup": ("end_lift",),
    },
    leaves={"reinforcement": ("finish_arrivals",)},
)
OFF_MAP_MARCH = Room(
    "off_map",
    {
        Exit: OrderRules(nothing, _no_exit, _exit, _choices),
        ComeBack: OrderRules(nothing, _no_return, _come_back, _choices),
    },
    {"movement": ("exit", "come")},
    needs=dict.fromkeys(("exit", "come"), _leaves_map),
    idle={"movement": _idle_off_map},
)
