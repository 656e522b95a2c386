"""Transport points at work: loading, unloading, splitting, merging, extenders (OCS 12.2a, 12.7, 13.2; Burma 1.2).

Transport moves by the order `move` like units. Supply that was set down in a phase may not be picked up again in it;
the marker `set_down` remembers how much that is in each hex.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import INT, WORD, Order, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules, Room
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.goods.losses import fresh_name, refuges
from burma_study.rules.ocs.goods.payment import LANDED, add, put_load
from burma_study.rules.ocs.movement.orders import HEX
from burma_study.rules.ocs.movement.reach import allowance, mover
from burma_study.rules.ocs.movement.reserves import at_work, goes_on_as
from burma_study.rules.ocs.movement.terrain import MP, mp
from burma_study.rules.ocs.state import State, Transport, Where
from burma_study.rules.ocs.supply.net import Net

EXTENDERS = ("truck", "wagon")
TOKENS = 4  # in a supply point


# no leapfrog ----------------------------------------------------------------------------------------------------------


def landed(state: State) -> dict[Where, int]:
    """Tokens set down in this phase by place, by whatever carried them."""
    turn, player, phase, pairs = state.markers.get(LANDED, (0, "", "", ()))
    return dict(pairs) if (turn, player, phase) == (state.turn, state.player, state.phase) else {}


@rule("ocs-series/12.2a")
def land(step: Step[State], side: str, where: Where, tokens: int, kind: str = "unloaded") -> None:
    """Set tokens down on the ground: they count as moved in this phase and may not be carried on in it."""
    add(step, side, where, tokens, kind)
    state, down = step.state, landed(step.state)
    down[where] = down.get(where, 0) + tokens
    pairs = tuple(sorted(down.items(), key=lambda kv: str(kv[0])))
    step.put("landed", "markers", LANDED, (state.turn, state.player, state.phase, pairs))


@rule("ocs-series/12.2a")
def loadable(state: State, side: str, where: Where) -> int:
    """Tokens on the ground that may still be loaded in this phase."""
    dump = state.dumps.get(where)
    there = dump.tokens if dump is not None and dump.side == side else 0
    return max(0, there - landed(state).get(where, 0))


# orders ---------------------------------------------------------------------------------------------------------------


@order("load {tokens} T on {name}")
class Load(Order):
    """Take supply from the ground on transport in the same hex or box."""

    name: str = slot(WORD)
    tokens: int = slot(INT)


@order("unload {tokens} T from {name}")
class Unload(Order):
    """Set supply down where friends, an air base or a dump take it."""

    name: str = slot(WORD)
    tokens: int = slot(INT)


@order("split {size} T off {name}[, loaded {load} T]")
class Split(Order):
    """Make two counters of one, as `size` T with `load` T on them part from the rest."""

    name: str = slot(WORD)
    size: int = slot(INT)
    load: int = slot(INT, default=0)


@order("merge {name} into {other}")
class Merge(Order):
    """Make one counter of two of one kind in one place."""

    name: str = slot(WORD)
    other: str = slot(WORD)


@order("form extender {name}", kind="form-extender")
class FormExtender(Order):
    """Five unloaded points of one kind become an extender."""

    name: str = slot(WORD)


@order("break extender {name}", kind="break-extender")
class BreakExtender(Order):
    """An extender becomes transport again."""

    name: str = slot(WORD)


@order("collapse extender {name} to {at}", kind="collapse-extender")
class CollapseExtender(Order):
    """An extender becomes transport again in another hex of its range that has trace supply, in place of moving."""

    name: str = slot(WORD)
    at: int = slot(HEX)


# what stands against them ---------------------------------------------------------------------------------------------


def _impossible(state: State, o: Any) -> Iterator[Reason]:
    names = (o.name, o.other) if isinstance(o, Merge) else (o.name,)
    for name in names:
        if name not in state.transport:
            yield because("not-in-play", what="transport", name=name, hard=True)
        elif state.transport[name].side != state.player:
            yield because("not-phasing", name=name, player=state.player, hard=True)
    for amount in (getattr(o, "tokens", 1), getattr(o, "size", 1), 1 + getattr(o, "load", 0)):
        if amount < 1:
            yield because("no-amount", hard=True)
    if all(name in state.transport and state.transport[name].side == state.player for name in names):
        yield from _cannot_be(state, o)


def _cannot_be(state: State, o: Any) -> Iterator[Reason]:
    """What no enforcement mode could carry out: more than there is, parts that do not add up."""
    points = state.transport[o.name]
    if isinstance(o, Load):
        dump = state.dumps.get(points.at)
        there = dump.tokens if dump is not None and dump.side == points.side else 0
        if o.tokens > there:
            yield because("too-few-there", there=there, tokens=o.tokens, hard=True)
    elif isinstance(o, Unload) and o.tokens > points.load:
        yield because("overload-off", name=o.name, load=points.load, tokens=o.tokens, hard=True)
    elif isinstance(o, Split):
        yield from _no_parts(points, o)
    elif isinstance(o, Merge):
        other = state.transport[o.other]
        if o.name == o.other or (points.kind, points.at) != (other.kind, other.at):
            yield because("no-merge", name=o.name, other=o.other, hard=True)


def _no_parts(points: Transport, o: Split) -> Iterator[Reason]:
    least, most = max(0, points.load - (points.size - o.size)), min(points.load, o.size)
    if points.kind == "buffalo":
        least = most = o.size
    if o.size >= points.size:
        yield because("no-split", name=o.name, size=points.size, asked=o.size, hard=True)
    elif not least <= o.load <= most:
        yield because("split-load", name=o.name, low=least, high=most, load=o.load, hard=True)


def left(state: State, points: Transport) -> int:
    """Twelfths of an MP that transport may still spend."""
    return 0 if points.done else max(0, allowance(mover(state, points.id)) - points.spent)


@rule("ocs-series/13.2f", "ocs/1.2")
def handling_cost(state: State, points: Transport) -> int:
    """Twelfths of an MP to load or to unload, any amount at once; wagons cost more before series 4.3."""
    kind = "mule" if points.kind == "elephant" else points.kind
    if kind == "wagon" and state.rules.version != "1999":
        kind = "wagon_v4"
    return state.rules.charts.supply_costs[f"load_{kind}"] * MP


def half(state: State, points: Transport) -> int:
    """Half the allowance in twelfths: what forming or breaking up an extender takes."""
    return allowance(mover(state, points.id)) // 2


def _time(state: State, points: Transport, cost: int) -> Iterator[Reason]:
    if points.done or left(state, points) < cost:
        has = mp(left(state, points))
        yield because("no-time", rule="ocs-series/13.2f", name=points.id, cost=mp(cost), left=has)


def _no_load(state: State, o: Load) -> Iterator[Reason]:
    points = state.transport[o.name]
    if points.kind == "buffalo":
        yield because("buffaloes-carry-nothing", rule="ocs/2.5d", name=o.name)
        return
    yield from _is_extender(points)
    yield from _time(state, points, handling_cost(state, points))
    room, there = points.size - points.load, loadable(state, points.side, points.at)
    if o.tokens > room:
        yield because("no-room", rule="ocs-series/13.2", name=o.name, room=room, tokens=o.tokens)
    if o.tokens > there:
        down = landed(state).get(points.at, 0)
        yield because("too-few-to-load", rule="ocs-series/12.2a", there=there, landed=down, tokens=o.tokens)


def _is_extender(points: Transport) -> Iterator[Reason]:
    if points.extender:
        yield because("extender", rule="ocs-series/12.7", unit=points.id)


@rule("ocs-series/13.2f", "ocs/1.4f")
def may_unload(state: State, side: str, where: Where) -> bool:
    """A friendly combat unit, air base or dump is there, or it is a holding box; river ports are no ports (1.4f)."""
    if not isinstance(where, int):
        return True
    if any(p.at == where and p.counter.side == side for p in state.pieces.values()):
        return True
    things = (state.dumps.get(where), state.bases.get(where))
    return any(t is not None and t.side == side for t in things)


def _no_unload(state: State, o: Unload) -> Iterator[Reason]:
    points = state.transport[o.name]
    if points.kind == "buffalo":
        yield because("buffaloes-carry-nothing", rule="ocs/2.5d", name=o.name)
        return
    yield from _time(state, points, handling_cost(state, points))
    if not may_unload(state, points.side, points.at):
        hexes = (points.at,) if isinstance(points.at, int) else ()
        yield because("no-unloading", *hexes, rule="ocs-series/13.2f", name=o.name)


def _no_parting(state: State, o: Split | Merge) -> Iterator[Reason]:
    names = (o.name, o.other) if isinstance(o, Merge) else (o.name,)
    for name in names:
        yield from _is_extender(state.transport[name])


@rule("ocs-series/12.7", "ocs/1.2")
def _no_forming(state: State, o: FormExtender) -> Iterator[Reason]:
    points = state.transport[o.name]
    need = state.rules.charts.supply_costs["extender_points"] * TOKENS
    yield from _is_extender(points)
    if points.kind not in EXTENDERS:
        yield because("no-extender-kind", rule="ocs/1.2", name=o.name, kind=points.kind, kinds=EXTENDERS)
    elif points.size != need or points.load:
        yield because("extender-size", rule="ocs-series/12.7", need=need, size=points.size, load=points.load)
    elif not isinstance(points.at, int):
        yield because("in_box", rule="ocs-series/12.7", unit=o.name, at=points.at)
    elif not links(state, points):
        yield because("no-link", points.at, rule="ocs-series/12.7", name=o.name)
    yield from _time(state, points, half(state, points))


@rule("ocs-series/12.7")
def links(state: State, points: Transport) -> bool:
    """Would transport points in a hex, made an extender there, be joined to a source (12.7d)?"""
    tried = state.put("transport", points.id, replace(points, extender=True))
    return any(s.by == points.id for s in Net(tried, points.side).stations)


def _no_breaking(state: State, o: BreakExtender) -> Iterator[Reason]:
    points = state.transport[o.name]
    if not points.extender:
        yield because("no-extender", rule="ocs-series/12.7", name=o.name)
    yield from _time(state, points, half(state, points))


@rule("ocs-series/12.7")
def _no_collapse(state: State, o: CollapseExtender) -> Iterator[Reason]:
    """What stands against a voluntary collapse (OCS 9.14d): it takes the place of the whole move."""
    points = state.transport[o.name]
    if not points.extender:
        yield because("no-extender", rule="ocs-series/12.7", name=o.name)
    elif o.at not in refuges(state, o.name):
        yield because("no-collapse", o.at, rule="ocs-series/12.7", name=o.name)
    yield from _time(state, points, allowance(mover(state, points.id)))


# carrying out ---------------------------------------------------------------------------------------------------------


def _spend(step: Step[State], name: str, cost: int) -> None:
    at_work(step, name)
    points = step.state.transport[name]
    step.put("handling", "transport", name, replace(points, spent=points.spent + cost))


def _load(step: Step[State], o: Load) -> None:
    points = step.state.transport[o.name]
    _spend(step, o.name, handling_cost(step.state, points))
    add(step, points.side, points.at, -o.tokens, "loaded")
    points = step.state.transport[o.name]
    put_load(step, points, points.load + o.tokens, "loaded")
    step.cite("ocs-series/13.2f", *(["ocs/1.2"] if points.kind in ("mule", "elephant") else []))


def _unload(step: Step[State], o: Unload) -> None:
    points = step.state.transport[o.name]
    _spend(step, o.name, handling_cost(step.state, points))
    points = step.state.transport[o.name]
    put_load(step, points, points.load - o.tokens, "unloaded")
    land(step, points.side, points.at, o.tokens)
    step.cite("ocs-series/13.2f", "ocs-series/12.2a")


def _split(step: Step[State], o: Split) -> None:
    points = step.state.transport[o.name]
    name = fresh_name(step.state, points.side, points.kind)
    step.put("split", "transport", o.name, replace(points, size=points.size - o.size, load=points.load - o.load))
    step.put("split", "transport", name, replace(points, id=name, size=o.size, load=o.load))
    goes_on_as(step, o.name, name)


def _merge(step: Step[State], o: Merge) -> None:
    a, b = step.state.transport[o.name], step.state.transport[o.other]
    both = replace(b, size=a.size + b.size, load=a.load + b.load, spent=max(a.spent, b.spent), done=a.done or b.done)
    step.put("merged", "transport", o.name, None)
    step.put("merged", "transport", o.other, both)
    goes_on_as(step, o.name, o.other)


def _form(step: Step[State], o: FormExtender) -> None:
    at_work(step, o.name)
    points = step.state.transport[o.name]
    step.put(
        "extender", "transport", o.name, replace(points, extender=True, spent=points.spent + half(step.state, points))
    )
    step.cite("ocs-series/12.7")


def _break(step: Step[State], o: BreakExtender) -> None:
    at_work(step, o.name)
    points = step.state.transport[o.name]
    spent = points.spent + half(step.state, points)
    step.put("extender", "transport", o.name, replace(points, extender=False, spent=spent))
    step.cite("ocs-series/12.7")


def _collapse(step: Step[State], o: CollapseExtender) -> None:
    at_work(step, o.name)
    points = step.state.transport[o.name]
    step.put("extender", "transport", o.name, replace(points, at=o.at, extender=False, done=True))
    step.cite("ocs-series/12.7")


# choices --------------------------------------------------------------------------------------------------------------


def own(state: State) -> list[Transport]:
    """The phasing player's transport, by id."""
    return sorted((t for t in state.transport.values() if t.side == state.player), key=lambda t: t.id)


def _fits(state: State, kind: str, t: Transport) -> bool:
    """Whether an order of a kind may be given for this transport at all."""
    if kind == "load":
        return not [*_no_load(state, Load(t.id, 1))]
    if kind == "unload":
        return t.load > 0 and not [*_no_unload(state, Unload(t.id, 1))]
    if kind == "split":
        return t.size > 1 and not t.extender
    if kind == "merge":
        return not t.extender and bool(_partners(state, t))
    if kind == "form-extender":
        return not [*_no_forming(state, FormExtender(t.id))]
    if kind == "collapse-extender":
        return t.extender and bool(refuges(state, t.id)) and not [*_time(state, t, allowance(mover(state, t.id)))]
    return not [*_no_breaking(state, BreakExtender(t.id))]


def _partners(state: State, t: Transport) -> list[Transport]:
    return [o for o in own(state) if o.id != t.id and (o.kind, o.at) == (t.kind, t.at) and not o.extender]


def _choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    if slot_ == "name":
        return [Choice(t.id, _words(t)) for t in own(state) if _fits(state, partial.kind, t)]
    points = state.transport.get(partial.values.get("name", ""))
    if points is None:
        return []
    if slot_ == "at":
        return [Choice(h, state.board.label(h), hexes=(h,)) for h in refuges(state, points.id)]
    if slot_ == "other":
        return [Choice(o.id, _words(o)) for o in _partners(state, points)]
    return [Choice(n, f"{n} T") for n in _amounts(state, partial, points, slot_)]


def _amounts(state: State, partial: Partial, points: Transport, slot_: str) -> range:
    """Amounts that a slot may take, largest first where that is what one mostly wants."""
    if slot_ == "tokens" and partial.kind == "load":
        most = min(points.size - points.load, loadable(state, points.side, points.at))
        return range(most, 0, -1)
    if slot_ == "tokens":
        return range(points.load, 0, -1)
    if slot_ == "size":
        return range(1, points.size)
    size = partial.values.get("size", 1)
    least = max(0, points.load - (points.size - size))
    most = min(points.load, size)
    return range(size, size + 1) if points.kind == "buffalo" else range(least, most + 1)


def _words(t: Transport) -> str:
    return f"{t.size} T {t.kind}, {t.load} T loaded"


_RULES: dict[type[Order], OrderRules[State]] = {
    Load: OrderRules(_impossible, _no_load, _load, _choices),
    Unload: OrderRules(_impossible, _no_unload, _unload, _choices),
    Split: OrderRules(_impossible, _no_parting, _split, _choices),
    Merge: OrderRules(_impossible, _no_parting, _merge, _choices),
    FormExtender: OrderRules(_impossible, _no_forming, _form, _choices),
    BreakExtender: OrderRules(_impossible, _no_breaking, _break, _choices),
    CollapseExtender: OrderRules(_impossible, _no_collapse, _collapse, _choices),
}
TRANSPORT = Room("transport", _RULES, {"movement": tuple(o.kind for o in _RULES)})
