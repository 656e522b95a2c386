"""Steps lost, units destroyed and where they go, goods captured and displaced (OCS 9.11, 9.14; Burma 2.3, 3.3b)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from burma_study.boards.search import spread
from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import WORD, Order, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules, Room
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.bases import base_taken
from burma_study.rules.ocs.counters import Counter, other_side
from burma_study.rules.ocs.goods.payment import add
from burma_study.rules.ocs.movement.limits import outside
from burma_study.rules.ocs.movement.presence import can_capture, shut_to
from burma_study.rules.ocs.orders import HEXES, WHERE
from burma_study.rules.ocs.state import Hedgehog, Piece, State, Transport, Where, stack
from burma_study.rules.ocs.supply.net import WAYS, Net

CAUSES = ("combat", "banzai", "retreat", "barrage", "attrition", "forage", "decimation", "air", "overstacked", "forced")
COMBAT_RESULTS = ("combat", "banzai", "retreat")
GONE = "gone"  # out of play for good
KINDS = ("truck", "wagon", "mule", "elephant", "buffalo")
ROLLS = (("truck",), ("elephant", "wagon", "mule"), ("buffalo",))  # kinds that share a die, in the order they are given


# steps ----------------------------------------------------------------------------------------------------------------


@rule("ocs-series/9.11", "ocs-series/4.6")
def lose_steps(step: Step[State], unit: str, n: int, cause: str) -> int:
    """Take up to `n` steps from a unit, and destroy it with the last; the number of steps lost.

    `cause` is one of CAUSES: it decides where a destroyed unit goes.
    """
    piece = step.state.pieces[unit]
    lost = max(0, min(n, piece.steps))
    if lost and lost < piece.steps:
        step.put("step lost", "pieces", unit, replace(piece, steps=piece.steps - lost))
    elif lost:
        destroy(step, unit, cause)
    return lost


@rule("ocs/2.3", "ocs/2.6b-losses", "ocs/3.3b", "ocs/3.9b", "ocs/1.10")
def destroy(step: Step[State], unit: str, cause: str) -> None:
    """Take a unit off the map to the pile it belongs to; a hedgehog that it alone held stays (`vacate`).

    A white-dot Marauder also gets a marker `returning/<id>`: the first turn in which its return is rolled for (3.3b).
    """
    piece = step.state.pieces[unit]
    to = grave(piece.counter, cause)
    step.put("returned" if to == "ledo" else "destroyed", "pieces", unit, Piece(unit, to))
    if "white_circle" in piece.counter.traits:
        step.put("marker", "markers", f"returning/{unit}", step.state.turn + 1)
    landed = step.state.markers.get("landed", ())
    if to == "ledo" and unit in landed:  # not one that came home from the map, which would end its war (3.6b)
        step.put("marker", "markers", "landed", tuple(u for u in landed if u != unit))
    step.cite(*_CITED.get(to, ()))


_CITED = {"dead_bn": ("ocs/2.3",), "ledo": ("ocs/3.9b",)}


def grave(counter: Counter, cause: str) -> str:
    """Where a destroyed unit goes: `dead`, `dead_bn`, `gone` for good, or back to the `ledo` box (823 Engineers)."""
    if "free_return" in counter.traits and cause not in COMBAT_RESULTS:
        return "ledo"
    if cause == "banzai" and counter.side == "japanese":
        return GONE
    return GONE if "no_rebuild" in counter.traits else dead_pile(counter)


@rule("ocs/2.3")
def dead_pile(counter: Counter) -> str:
    """The pile of a lost unit that may return: Japanese infantry and garrison battalions have their own."""
    return "dead_bn" if counter.side == "japanese" and counter.is_infantry_battalion else "dead"


@rule("ocs/2.6c")
def vacate(step: Step[State], hex_: int) -> None:
    """Call after units left a hex: a Japanese hedgehog of level 1 that nobody holds any more goes.

    Our reading of "abandon": its last unit marches, falls back or advances out of it. Who dies in it abandons nothing,
    for no hedgehog is lost to combat or barrage (OCS 16): it stands empty until somebody enters, and then it is his.
    """
    hog = step.state.hedgehogs.get(hex_)
    if hog is None or (hog.side, hog.level) != ("japanese", 1):
        return
    if not any(p.counter.side == "japanese" for p in stack(step.state, hex_)):
        step.put("hedgehog", "hedgehogs", hex_, None)
        step.cite("ocs/2.6c")


# capture --------------------------------------------------------------------------------------------------------------


def percent(amount: int, share: int) -> int:
    """`share` percent of an amount, to the nearest whole one, halves up."""
    return (2 * amount * share + 100) // 200


def spoils(state: State, hex_: int, side: str) -> tuple[str, ...]:
    """What an attack-capable unit of `side` would capture in a hex: kinds of the capture table, `hedgehog`, `base`."""
    enemy = other_side(side)
    tables = (("dump", state.dumps), ("hedgehog", state.hedgehogs), ("base", state.bases))
    found = [name for name, table in tables if hex_ in table and table[hex_].side == enemy]
    kinds = {t.kind for t in _points(state, hex_, enemy)}
    return (*found, *(k for k in KINDS if k in kinds))


@rule("ocs-series/9.14b", "ocs/1.2-capture", "ocs/2.5d", "ocs-series/9.14")
def capture(step: Step[State], hex_: int, by_unit: str) -> None:
    """An attack-capable unit has entered a hex with enemy goods and no enemy combat unit: roll and share them out.

    A die of the stream `supply` for the dump, for the trucks, and for all slow transport together. Extenders collapse
    instead of being shared out. What the owner keeps he moves himself: a frame `displacing` is opened on top, so make
    this the last thing a procedure does in its turn.
    """
    side = step.state.pieces[by_unit].counter.side
    enemy, found = other_side(side), spoils(step.state, hex_, side)
    if "dump" in found:
        _capture_dump(step, hex_, side)
    _stranded(step, hex_, enemy)
    for kinds in ROLLS:
        points = [t for t in _points(step.state, hex_, enemy) if t.kind in kinds and not t.extender]
        if points:
            _capture_points(step, sorted(points, key=lambda t: (kinds.index(t.kind), t.id)), side)
    _capture_works(step, hex_, side)
    left = tuple(t.id for t in _points(step.state, hex_, enemy))
    if left:
        step.open("displacing", units=left, start=hex_)
    if found:
        step.cite("ocs-series/9.14b")


@rule("ocs-series/12.7", "ocs-series/9.14b")
def _stranded(step: Step[State], hex_: int, side: str) -> None:
    """Extenders that have nowhere to collapse to are transport again, and are shared out as such (OCS 9.14d)."""
    for t in _points(step.state, hex_, side):
        if t.extender and not refuges(step.state, t.id):
            step.put("extender", "transport", t.id, replace(t, extender=False))


@rule("ocs-series/4.4c", "ocs-series/9.14b")
def seize(step: Step[State], hex_: Where, units: Iterable[str]) -> None:
    """Units have come into a hex: the first of them there that can attack takes enemy goods; make it the last act."""
    there = (p for u in units if can_capture(u) and (p := step.state.pieces.get(u)) is not None and p.at == hex_)
    first = next(there, None)
    if first is not None and isinstance(hex_, int) and spoils(step.state, hex_, first.counter.side):
        step.cite("ocs-series/4.4c")
        capture(step, hex_, first.id)


def _points(state: State, hex_: int, side: str) -> list[Transport]:
    found = (t for t in state.transport.values() if t.at == hex_ and t.side == side)
    return sorted(found, key=lambda t: t.id)


def _capture_dump(step: Step[State], hex_: int, side: str) -> None:
    share = step.state.rules.charts.capture["dump"].percent[step.roll("supply").sum - 1]
    taken = percent(step.state.dumps[hex_].tokens, share)
    step.put("captured", "dumps", hex_, None)
    add(step, side, hex_, taken, "captured")


def _capture_points(step: Step[State], points: list[Transport], side: str) -> None:
    """One die for transport of one hex: a share of it with its loads changes hands, the rest is left to its owner.

    Shares are taken from each counter in turn. Elephants die in the enemy's share, so they are given first; all
    buffaloes die without a roll.
    """
    chart = step.state.rules.charts.capture[points[0].kind]
    if chart.rest == "destroyed":
        for t in points:
            step.put("destroyed", "transport", t.id, None)
        step.cite("ocs/2.5d")
        return
    share = chart.percent[step.roll("supply").sum - 1]
    size, load = percent(sum(t.size for t in points), share), percent(sum(t.load for t in points), share)
    for t in points:
        part = min(size, t.size)
        goes = min(load, t.load, part) if part < t.size else t.load
        size, load = size - part, max(0, load - goes)
        _hand_over(step, t, part, goes, "" if t.kind == "elephant" else side)


def _hand_over(step: Step[State], points: Transport, size: int, load: int, to: str) -> None:
    """Split `size` with `load` off; `to` gets it, or nobody. What is left keeps what it can carry.

    What is captured in its new owner's Movement Phase may move at once (OCS 13.2i).
    """
    if not size:
        return
    rest = points.size - size
    kept = min(points.load - load, rest)
    left = replace(points, size=rest, load=kept, extender=False) if rest else None
    step.put("captured", "transport", points.id, left)
    if to:
        name = fresh_name(step.state, to, points.kind)
        load = points.load - kept
        done = (step.state.phase, step.state.player) != ("movement", to)
        step.put("captured", "transport", name, Transport(name, to, points.kind, size, points.at, load, done=done))


def fresh_name(state: State, side: str, kind: str) -> str:
    """The first free name of transport: `a/truck/7`."""
    n = 1
    while f"{side[0]}/{kind}/{n}" in state.transport:
        n += 1
    return f"{side[0]}/{kind}/{n}"


def _capture_works(step: Step[State], hex_: int, side: str) -> None:
    """A hedgehog or air base changes hands by entry; what becomes of aircraft there is the air rules' matter."""
    hog, base = step.state.hedgehogs.get(hex_), step.state.bases.get(hex_)
    if hog is not None and hog.side != side:
        step.put("captured", "hedgehogs", hex_, Hedgehog(side, hog.level))
        step.cite("ocs-series/16")
    if base is not None and base.side != side:
        step.put("captured", "bases", hex_, replace(base, side=side))
        base_taken(step, hex_, side)


# displacing -----------------------------------------------------------------------------------------------------------


@order("displace {name} to {at}")
class Displace(Order):
    """Transport that was overrun, moved by its owner out of the hex."""

    name: str = slot(WORD)
    at: Where = slot(WHERE)


def _displacing(step: Step[State]) -> None:
    """Ask the owner where each transport goes; what has nowhere to go is lost."""
    start, left = step.frame["start"], [u for u in step.frame["units"] if u in step.state.transport]
    waiting = [u for u in left if step.state.transport[u].at == start]
    for unit in [u for u in waiting if not refuges(step.state, u)]:
        step.put("destroyed", "transport", unit, None)
        waiting.remove(unit)
    if waiting:
        step.ask(step.state.transport[waiting[0]].side, "displace")
    else:
        step.close()


@rule("ocs-series/9.14b")
def refuges(state: State, name: str) -> tuple[int, ...]:
    """Hexes to which transport may be displaced: any in range without enemy units or goods, whatever lies between.

    An extender collapses to any hex in its own range that has trace supply now (OCS 9.14d).
    """
    points = state.transport[name]
    if not isinstance(points.at, int):
        return ()
    area = tuple(state.markers.get("area", ()))
    shut = shut_to(state, points.side) | outside(state.board, area) | {points.at}
    if points.extender:
        return tuple(h for h in _behind(state, points) if h not in shut)
    far, terrain = state.rules.charts.capture[points.kind].displace, state.board.terrain
    return tuple(
        h for h in state.board.grid.disc(points.at, far) if terrain[h] not in ("off", "lake") and h not in shut
    )


def _behind(state: State, points: Transport) -> list[int]:
    """Hexes in an extender's range where its side draws trace supply without it, ascending."""
    assert isinstance(points.at, int)
    net = Net(state.put("transport", points.id, None), points.side)
    range_ = spread(net.arcs("truck"), (points.at,), limit=net.limit(f"extender_{points.kind}"))
    fields = [net.draw_field(*way)[0] for way in WAYS[points.side]]
    costs = ((h, [c for f in fields if (c := f.cost(h)) is not None]) for h in state.board.grid)
    return [h for h, found in costs if range_.cost(h) is not None and found and min(found) <= net.draw_limit]


def _displace_impossible(state: State, o: Displace) -> Iterator[Reason]:
    waiting = state.frames[-1].get("units", ()) if state.frames else ()
    if o.name not in waiting or o.name not in state.transport:
        yield because("not-displaced", name=o.name, waiting=waiting, hard=True)
    elif not isinstance(o.at, int) or not 0 <= o.at < HEXES:
        yield because("no-such-hex", at=o.at, last=HEXES - 1, hard=True)


def _displace_forbidden(state: State, o: Displace) -> Iterator[Reason]:
    assert isinstance(o.at, int)
    if o.at not in refuges(state, o.name):
        far = state.rules.charts.capture[state.transport[o.name].kind].displace
        yield because("no-refuge", o.at, rule="ocs-series/9.14b", name=o.name, far=far)


def _displace(step: Step[State], o: Displace) -> None:
    points = step.state.transport[o.name]
    step.put("displaced", "transport", o.name, replace(points, at=o.at, extender=False, done=True))
    waiting = tuple(u for u in step.frame["units"] if u != o.name)
    step.note(units=waiting)


def _displace_choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    if slot_ == "name":
        waiting = state.frames[-1].get("units", ()) if state.frames else ()
        return [Choice(u, u) for u in waiting if u in state.transport]
    name = partial.values["name"]
    hexes = refuges(state, name) if name in state.transport else ()
    return [Choice(h, state.board.label(h), hexes=(h,)) for h in hexes]


_RULES: dict[type[Order], OrderRules[State]] = {
    Displace: OrderRules(_displace_impossible, _displace_forbidden, _displace, _displace_choices)
}
_PROCEDURES: dict[str, Any] = {"displacing": _displacing}
LOSSES = Room("losses", _RULES, procedures=_PROCEDURES)
