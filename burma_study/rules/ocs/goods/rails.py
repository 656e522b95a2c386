"""Moving by railway, along the Ledo Road and between the holding boxes (OCS 13.3; Burma 1.3, 3.1b, 3.4a, 3.8).

A line's capacity counts SP, RE or transport points a turn; here in tokens, four to the point. Every unit of 1 RE weighs
1 SP in Burma. Between the boxes there is no limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from burma_study.boards.board import Side
from burma_study.boards.search import flood
from burma_study.datafiles import read_rows
from burma_study.engine.game import Choice, Partial
from burma_study.engine.memo import remembered
from burma_study.engine.orders import INT, WORD, Order, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules, Room
from burma_study.engine.step import Step
from burma_study.hexes.grid import Grid
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.goods.losses import GONE, seize, vacate
from burma_study.rules.ocs.goods.payment import add
from burma_study.rules.ocs.goods.transport import TOKENS, land, loadable
from burma_study.rules.ocs.movement.limits import as_chindit, closed
from burma_study.rules.ocs.movement.presence import can_capture, no_entry, shut_to
from burma_study.rules.ocs.movement.reach import allowance, mover
from burma_study.rules.ocs.movement.reserves import at_work
from burma_study.rules.ocs.movement.stacking import cargo_size
from burma_study.rules.ocs.movement.terrain import bridges, ledo_road
from burma_study.rules.ocs.movement.zoc import held, zones
from burma_study.rules.ocs.orders import HEXES, WHERE
from burma_study.rules.ocs.state import Piece, Rules, State, Transport, Where
from burma_study.rules.ocs.supply.lines import RAILHEADS, rail_sides

BOXES = ("silchar", "ledo")
LEDO, BETWEEN = "ledo", "boxes"
NO_WAY_OUT = ("truck", "mule", "elephant")  # may not leave the map by the Ledo Road; elephants are mules (1.2)
Thing = Piece | Transport


class Line(NamedTuple):
    """A line that carries goods: its hexsides, the box at each gate hex, the marker with its capacity."""

    name: str
    sides: frozenset[Side]
    gates: tuple[tuple[str, int], ...]
    ends: frozenset[int]

    def door(self, at: Where) -> int | None:
        """The hex where one gets on the line in `at`: the hex itself, or the gate of a box."""
        return at if isinstance(at, int) else dict(self.gates).get(at)


# the lines ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _gates() -> dict[str, tuple[tuple[str, str], ...]]:
    """For `rail` and `ledo_road` the boxes with the label of the hex they lead to."""
    links = [
        (row["box"], *link.split(":")) for row in read_rows("boards/ocs/boxes.csv") for link in row["links"].split(";")
    ]
    return {kind: tuple((box, to) for box, k, to, *_ in links if k == kind) for kind in ("rail", "ledo_road")}


@remembered("pieces", "markers")
@rule("ocs/1.3", "ocs/3.8")
def lines(state: State, side: str) -> tuple[Line, ...]:
    """The lines of a side that have any capacity."""
    board, shut = state.board, state.markers.get("closed_boxes", ())
    found = []
    if state.markers.get(f"rail/{side}"):
        boxes = _gates()["rail"] if side == "allied" else ()
        gates = tuple((b, board.index(to)) for b, to in boxes if b not in shut)
        found.append(Line(side, rail_sides(board, side), gates, _railheads(state, side)))
    road = ledo_road(board, state.markers.get("road_head")) if side == "allied" else ()
    if road and state.markers.get(f"rail/{LEDO}"):
        sides = frozenset(Grid.key(a, b) for a, b in pairwise(road))
        gates = tuple((b, board.index(to)) for b, to in _gates()["ledo_road"] if b not in shut)
        found.append(Line(LEDO, sides, gates, frozenset(road)))
    return tuple(found)


@rule("ocs-series/13.3c", "ocs-series/13.8c")
def _railheads(state: State, side: str) -> frozenset[int]:
    """Railway hexes where goods get on and off: villages, cities, and engineer-capable HQs."""
    board = state.board
    railway = {h for s in rail_sides(board, side) for h in s}
    hqs = {p.at for p in state.units(side) if p.counter.is_hq and bridges(p, "leg") and isinstance(p.at, int)}
    return frozenset(h for h in railway if board.feature[h] in RAILHEADS or h in hqs)


def _cuts(state: State, side: str) -> frozenset[int]:
    """Hexes through which no cargo goes: enemy units and zones, whoever stands there (OCS 4.5)."""
    enemy = other_side(side)
    return held(state, enemy) | zones(state, enemy)


@remembered("pieces", "markers", "rules")
@rule("ocs-series/13.3", "ocs-series/13.3c")
def served(state: State, side: str, line: Line) -> dict[int, int]:
    """Open hexes of a line that are joined to a gate or to a source of the side's, each with the hex before it."""
    sources = {s.hex for s in state.markers.get("sources", ()) if s.side == side and s.kind in ("rail", LEDO)}
    starts = {h for _, h in line.gates} | {s for s in sources if any(s in pair for pair in line.sides)}
    return flood(state.board.grid, starts, line.sides, _cuts(state, side))


@remembered("pieces", "markers", "rules")
def ends(state: State, side: str, line: Line, start: Where) -> tuple[Where, ...]:
    """Hexes and boxes where a load that gets on in `start` may get off; empty when it cannot get on there."""
    door, open_ = line.door(start), served(state, side, line)
    if door is None or door not in open_ or (isinstance(start, int) and start not in line.ends):
        return ()
    before = flood(state.board.grid, [door], line.sides, _cuts(state, side))
    hexes: list[Where] = sorted(h for h in before if h in line.ends and h in open_)
    hexes += [box for box, gate in line.gates if gate in before]
    return tuple(w for w in hexes if w != start)


@rule("ocs/3.4a", "ocs/3.8", "ocs/u-go.sr7")
def lines_between(state: State, side: str, start: Where, end: Where) -> list[str]:
    """Names of the lines from one place to another: `japanese`, `allied`, `ledo`, or `boxes` between the boxes."""
    shut = state.markers.get("closed_boxes", ())
    if side == "allied" and start in BOXES and end in BOXES and start != end:
        return [] if {start, end} & set(shut) else [BETWEEN]
    return [line.name for line in lines(state, side) if end in ends(state, side, line, start)]


# capacity -------------------------------------------------------------------------------------------------------------


@rule("ocs-series/4.7", "ocs-series/13.3", "ocs/3.6a")
def weight(rules: Rules, thing: Thing) -> int:
    """Tokens of capacity: a unit four for each RE, a Chindit column two; transport its size, loaded or not."""
    if isinstance(thing, Transport):
        return thing.size
    return 2 if thing.counter.size == "column" else int(cargo_size(rules, thing.counter) * TOKENS)


def capacity_left(state: State, line: str) -> int | None:
    """Tokens a line can still carry in this phase; None without limit."""
    if line == BETWEEN:
        return None
    turn, player, taken = state.markers.get(f"railed/{line}", (0, "", 0))
    full: int = TOKENS * state.markers.get(f"rail/{line}", 0)
    return full - taken if (turn, player) == (state.turn, state.player) else full


def _take_capacity(step: Step[State], line: str, tokens: int) -> None:
    left = capacity_left(step.state, line)
    if left is not None:
        taken = TOKENS * step.state.markers.get(f"rail/{line}", 0) - left + tokens
        step.put("railed", "markers", f"railed/{line}", (step.state.turn, step.state.player, taken))


@rule("ocs/3.1b")
def arriving(line: str, start: Where, tokens: int) -> int:
    """Tokens that come through: half of what leaves the Ledo box by the Ledo Road is lost, fractions of tokens too."""
    return tokens // 2 if line == LEDO and start == LEDO else tokens


# orders ---------------------------------------------------------------------------------------------------------------


@order("rail {name} to {at}")
class Rail(Order):
    """A unit or transport carried by rail or Ledo Road, or from one holding box to the other."""

    name: str = slot(WORD)
    at: Where = slot(WHERE)


@order("freight {tokens} T from {start} to {at}")
class Freight(Order):
    """Supply on the ground carried by rail or Ledo Road, or from one holding box to the other."""

    start: Where = slot(WHERE)
    at: Where = slot(WHERE)
    tokens: int = slot(INT)


def _thing(state: State, name: str) -> Thing | None:
    return state.pieces.get(name) or state.transport.get(name)


def _side(thing: Thing) -> str:
    return thing.side if isinstance(thing, Transport) else thing.counter.side


def _place(at: Where) -> Iterator[Reason]:
    if isinstance(at, int) and not 0 <= at < HEXES:
        yield because("no-such-hex", at=at, last=HEXES - 1, hard=True)
    elif isinstance(at, str) and at not in BOXES:
        yield because("no-such-box", at=at, known=BOXES, hard=True)


def _rail_impossible(state: State, o: Rail) -> Iterator[Reason]:
    thing = _thing(state, o.name)
    if thing is None or not (isinstance(thing.at, int) or thing.at in BOXES):
        yield because("not-in-play", what="unit or transport", name=o.name, hard=True)
    elif _side(thing) != state.player:
        yield because("not-phasing", name=o.name, player=state.player, hard=True)
    yield from _place(o.at)


def _rail_forbidden(state: State, o: Rail) -> Iterator[Reason]:
    thing = _thing(state, o.name)
    assert thing is not None
    yield from cannot_ride(state, thing)
    found = lines_between(state, state.player, thing.at, o.at)
    if not found:
        yield because(
            "no-line", *_hexes(thing.at, o.at), rule="ocs-series/13.3", start=_name(thing.at), end=_name(o.at)
        )
    elif not [n for n in found if not _barred(n, thing, o.at)]:
        yield because("no-way-out", rule="ocs/3.4a", name=o.name)
    elif line_for(state, thing, o.at) is None:
        yield because("no-capacity", rule="ocs-series/13.3", lines=tuple(found), needs=weight(state.rules, thing))
    yield from no_entry(state, state.player, o.at, captures=can_capture(o.name))
    if isinstance(thing, Piece) and isinstance(o.at, int):
        for code, hexes in closed(state, thing.counter).items():
            if o.at in hexes:
                yield because(code, o.at)


@rule("ocs/3.4a")
def _barred(line: str, thing: Thing, at: Where) -> bool:
    """Trucks and mules do not leave the map by the Ledo Road."""
    return line == LEDO and at == LEDO and isinstance(thing, Transport) and thing.kind in NO_WAY_OUT


def line_for(state: State, thing: Thing, at: Where) -> str | None:
    """The line that takes a thing to a place: the first open one with the capacity."""
    for name in lines_between(state, _side(thing), thing.at, at):
        left = capacity_left(state, name)
        if not _barred(name, thing, at) and (left is None or left >= weight(state.rules, thing)):
            return name
    return None


@rule("ocs-series/13.3", "ocs-series/5.6", "ocs-series/5.10", "ocs-series/12.2a")
def cannot_ride(state: State, thing: Thing) -> Iterator[Reason]:
    """Why a unit or transport may not be carried in this phase: it needs Move Mode and half its allowance."""
    name = thing.id
    if thing.done:
        yield because("done", rule="ocs-series/13.3", unit=name)
    if isinstance(thing, Transport):
        if thing.extender:
            yield because("extender", rule="ocs-series/12.7", unit=name)
        if thing.load and thing.spent:
            yield because("rail-leapfrog", rule="ocs-series/12.2a", name=name)
        half = allowance(mover(state, name)) // 2
    else:
        if thing.dg or thing.mode in ("reserve", "strat", "exploit") or (thing.spent and thing.mode != "move"):
            yield because("rail-mode", rule="ocs-series/5.6", unit=name, mode="DG" if thing.dg else thing.mode)
        half = allowance(mover(state, name, "move", "move")) // 2
    if thing.spent > half:
        yield because("rail-late", rule="ocs-series/13.3", unit=name)


def _hexes(*places: Where) -> list[int]:
    return [p for p in places if isinstance(p, int)]


def _name(at: Where) -> str:
    return WHERE.write(at)


@rule("ocs-series/13.3", "ocs/3.4a", "ocs/3.6b")
def _rail(step: Step[State], o: Rail) -> None:
    thing = _thing(step.state, o.name)
    assert thing is not None
    line = line_for(step.state, thing, o.at) or BETWEEN
    at_work(step, o.name)
    thing = _thing(step.state, o.name) or thing
    _take_capacity(step, line, weight(step.state.rules, thing))
    if isinstance(thing, Transport):
        load = arriving(line, thing.at, thing.load)
        step.put("railed", "transport", o.name, replace(thing, at=o.at, load=load, done=True))
        step.cite(*["ocs/3.1b"] * (load < thing.load))
    else:
        _rail_piece(step, thing, o.at)
    step.cite(*_rules(line))
    seize(step, o.at, (o.name,))


def _rail_piece(step: Step[State], piece: Piece, at: Where) -> None:
    """A Chindit that returns from the map to a box leaves play (Burma 3.6b)."""
    chindit = as_chindit(step.state.rules, piece.counter)
    if chindit and isinstance(piece.at, int) and isinstance(at, str):
        step.put("withdrawn", "pieces", piece.id, Piece(piece.id, GONE))
    else:
        step.put("railed", "pieces", piece.id, replace(piece, at=at, mode="move", face="move", done=True))
    if isinstance(piece.at, int):
        vacate(step, piece.at)


def _rules(line: str) -> tuple[str, ...]:
    return {LEDO: ("ocs/3.8", "ocs/3.4a"), BETWEEN: ("ocs/3.4a",)}.get(line, ("ocs-series/13.3", "ocs/1.3"))


def _freight_impossible(state: State, o: Freight) -> Iterator[Reason]:
    yield from _place(o.start)
    yield from _place(o.at)
    dump = state.dumps.get(o.start)
    if dump is None or dump.side != state.player:
        yield because("no-dump", *_hexes(o.start), side=state.player, hard=True)
    elif not 1 <= o.tokens <= dump.tokens:
        yield because("not-within", slot="tokens", value=o.tokens, low=1, high=dump.tokens, hard=True)


def _freight_forbidden(state: State, o: Freight) -> Iterator[Reason]:
    found = lines_between(state, state.player, o.start, o.at)
    if not found:
        yield because("no-line", *_hexes(o.start, o.at), rule="ocs-series/13.3", start=_name(o.start), end=_name(o.at))
    elif _freight_line(state, o) is None:
        yield because("no-capacity", rule="ocs-series/13.3", lines=tuple(found), needs=o.tokens)
    yield from no_entry(state, state.player, o.at)
    there = loadable(state, state.player, o.start)
    if o.tokens > there:
        down = state.dumps[o.start].tokens - there
        yield because("too-few-to-load", rule="ocs-series/12.2a", there=there, landed=down, tokens=o.tokens)


def _freight_line(state: State, o: Freight) -> str | None:
    for name in lines_between(state, state.player, o.start, o.at):
        left = capacity_left(state, name)
        if left is None or left >= o.tokens:
            return name
    return None


@rule("ocs/3.1b", "ocs-series/12.2a")
def _freight(step: Step[State], o: Freight) -> None:
    line = _freight_line(step.state, o) or BETWEEN
    side = step.state.player
    _take_capacity(step, line, o.tokens)
    add(step, side, o.start, -o.tokens, "freight")
    through = arriving(line, o.start, o.tokens)
    land(step, side, o.at, through, "freight")
    step.cite(*_rules(line), *(["ocs/3.1b"] if through < o.tokens else []))


# choices --------------------------------------------------------------------------------------------------------------


def ends_for(state: State, start: Where) -> list[Where]:
    """Every place to which a line of the phasing player leads from `start`, hexes first."""
    side = state.player
    found = {e for line in lines(state, side) for e in ends(state, side, line, start)}
    found |= {b for b in BOXES if lines_between(state, side, start, b)}
    return sorted(found, key=lambda w: (isinstance(w, str), w if isinstance(w, int) else 0, str(w)))


def _doors(state: State) -> list[Where]:
    """Places of the phasing player where anything could get on."""
    things: list[Thing] = [*state.units(state.player), *(t for t in state.transport.values() if t.side == state.player)]
    places: set[Where] = {t.at for t in things if isinstance(t.at, int) or t.at in BOXES}
    places |= {w for w, d in state.dumps.items() if d.side == state.player}
    on_line = {h for line in lines(state, state.player) for h in line.ends}
    near = [p for p in places if p in BOXES or p in on_line]
    return [p for p in sorted(near, key=str) if ends_for(state, p)]


def _rail_choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    if slot_ == "name":
        doors = set(_doors(state))
        points = [t for t in state.transport.values() if t.side == state.player]
        things: list[Thing] = [*state.units(state.player), *points]
        able = [t for t in things if t.at in doors and not list(cannot_ride(state, t))]
        return [Choice(t.id, f"{t.id} at {_name(t.at)}") for t in sorted(able, key=lambda t: t.id) if _goals(state, t)]
    thing = _thing(state, partial.values["name"])
    found = _goals(state, thing) if thing is not None else []
    return [Choice(w, _name(w), hexes=tuple(_hexes(w))) for w in found]


def _goals(state: State, thing: Thing) -> list[Where]:
    """Where a thing may go now, forbidden hexes left out."""
    away = closed(state, thing.counter).values() if isinstance(thing, Piece) else ()
    shut = shut_to(state, _side(thing), captures=can_capture(thing.id)).union(*away)
    return [w for w in ends_for(state, thing.at) if w not in shut and line_for(state, thing, w) is not None]


def _freight_choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    side = state.player
    if slot_ == "start":
        found = [w for w in _doors(state) if loadable(state, side, w) and _freight_goals(state, w)]
        return [Choice(w, f"{loadable(state, side, w)} T at {_name(w)}", hexes=tuple(_hexes(w))) for w in found]
    start = partial.values["start"]
    if slot_ == "at":
        return [Choice(w, _name(w), hexes=tuple(_hexes(w))) for w in _freight_goals(state, start)]
    lefts = [capacity_left(state, name) for name in lines_between(state, side, start, partial.values["at"])]
    there = loadable(state, side, start)
    most = max((there if left is None else min(left, there) for left in lefts), default=0)
    return [Choice(n, f"{n} T") for n in range(most, 0, -1)]


def _freight_goals(state: State, start: Where) -> list[Where]:
    shut = shut_to(state, state.player)
    open_ = (w for w in ends_for(state, start) if w not in shut)
    return [w for w in open_ if _freight_line(state, Freight(start, w, 1)) is not None]


_RULES: dict[type[Order], OrderRules[State]] = {
    Rail: OrderRules(_rail_impossible, _rail_forbidden, _rail, _rail_choices),
    Freight: OrderRules(_freight_impossible, _freight_forbidden, _freight, _freight_choices),
}
RAILS = Room("rails", _RULES, {"movement": ("rail", "freight")})
