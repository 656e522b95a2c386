"""Retreats: how far, by which hexes, and what they cost (OCS 5.8a, 5.10a, 9.12; Burma 2.7, 3.6b; Opt.3l).

Procedures: `retreat` asks for the way of each unit or stack until all have gone or died, `withdrawal` walks one party
hex by hex. A retreat tells the frame below in `joined` which units went along that did not have to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from burma_study.engine.frames import Frame
from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import Order, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules, nothing
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.interdiction import seriously_interdicted
from burma_study.rules.ocs.combat.results import alive, asked, disorganise, open_casualties
from burma_study.rules.ocs.combat.strength import by_hex, can_attack
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.goods.losses import capture, destroy, spoils, vacate
from burma_study.rules.ocs.movement.limits import closed, note_crossing
from burma_study.rules.ocs.movement.orders import PATH, UNITS
from burma_study.rules.ocs.movement.presence import goods
from burma_study.rules.ocs.movement.stacking import check_hex
from burma_study.rules.ocs.movement.terrain import enter_cost
from burma_study.rules.ocs.movement.zoc import held, zones
from burma_study.rules.ocs.state import Piece, State, stack
from burma_study.rules.ocs.turn.control import take

Path = tuple[int, ...]
DISORGANISING = 2  # entering so many hexes of a retreat makes a unit DG


@order("retreat {units} by {path}")
class Retreat(Order):
    """Units of one hex that fall back together, by the hexes they enter."""

    units: tuple[str, ...] = slot(UNITS)
    path: Path = slot(PATH)


def open_retreat(
    step: Step[State], side: str, units: Sequence[str], hexes: int, barred: Sequence[int], cause: str
) -> None:
    """Make units fall back `hexes` hexes; `barred` held enemies when the combat began. `cause`: where the dead go."""
    step.open("retreat", side=side, units=tuple(units), hexes=hexes, barred=tuple(barred), cause=cause, ready=False)


# where it may go ------------------------------------------------------------------------------------------------------


@rule("ocs-series/9.12", "ocs-series/4.4c", "ocs-series/5.8a", "ocs/2.7a", "ocs/3.6b")
def shut_to(state: State, piece: Piece, barred: Iterable[int]) -> frozenset[int]:
    """Hexes that a retreating unit may not enter, whatever their terrain."""
    enemy = other_side(piece.counter.side)
    found = held(state, enemy).union(barred, *closed(state, piece.counter).values())
    if not can_attack(piece):
        found |= frozenset(goods(state, enemy))
    return found | zones(state, enemy) if piece.mode == "strat" else found


@rule("ocs-series/9.12")
def ways_out(state: State, piece: Piece, hexes: int, barred: Iterable[int]) -> tuple[Path, ...]:
    """Every way to fall back the full distance from where a unit stands; empty: it is eliminated.

    A way ends where it first is the full distance away. To each such hex it is as short as may be: round barred ground
    it takes more hexes than the distance. One that would end in a crowded hex counts only where there is no other.
    """
    if not isinstance(piece.at, int):
        return ()
    piece = turned(piece)
    found = tuple(sorted(_shortest(state, piece, hexes, shut_to(state, piece, barred)), key=len))
    free = tuple(w for w in found if not check_hex(state, w[-1], [replace(piece, at=w[-1])]))
    return free or found


def _shortest(state: State, piece: Piece, hexes: int, shut: frozenset[int]) -> Iterator[Path]:
    """Ways from where a unit stands to all hexes so far away, each as short as the ground lets it be."""
    start, grid = piece.at, state.board.grid
    assert isinstance(start, int)
    steps: dict[int, int] = {start: 0}
    before: dict[int, list[int]] = {start: []}
    edge = [start]
    for here in edge:
        if grid.distance(start, here) == hexes:
            continue
        for there in _next_to(state, piece, here, shut):
            if there not in steps:
                steps[there], before[there] = steps[here] + 1, []
                edge.append(there)
            if steps[there] == steps[here] + 1:
                before[there].append(here)
    ends = [h for h in edge if grid.distance(start, h) == hexes]
    return (way[1:] for end in ends for way in _traced(before, end))


def _next_to(state: State, piece: Piece, here: int, shut: frozenset[int]) -> Iterator[int]:
    mobility, side = piece.printed.mobility, piece.counter.side
    for there in state.board.grid.adjacent[here]:
        if there not in shut and enter_cost(state, here, there, mobility, state.ground, side).way is not None:
            yield there


def _traced(before: dict[int, list[int]], end: int) -> Iterator[Path]:
    if not before[end]:
        yield (end,)
    for last in before[end]:
        yield from ((*way, end) for way in _traced(before, last))


def common_ways(state: State, units: Sequence[str], frame: Frame) -> tuple[Path, ...]:
    """The ways that all units of a party may take, in order of their hexes."""
    each = [ways_out(state, p, frame["hexes"], frame["barred"]) for p in alive(state, units)]
    return tuple(w for w in each[0] if all(w in other for other in each[1:])) if each else ()


@rule("ocs-series/9.12b")
def turned(piece: Piece) -> Piece:
    """A unit as it sets out on a retreat: one whose MA is 0 shows its Move side."""
    if piece.printed.ma:
        return piece
    return replace(piece, face="move", mode="move" if piece.mode == "combat" else piece.mode)


@rule("ocs-series/9.12d", "ocs-series/9.12b")
def joiners(state: State, frame: Frame) -> tuple[str, ...]:
    """Units that need not fall back and may: able to move in some mode, in the hex of some that must from the start."""
    places = {p.at for p in alive(state, frame["units"])}
    return tuple(p.id for p in alive(state, frame.get("beside", ())) if p.at in places and turned(p).printed.ma)


# the whole retreat ----------------------------------------------------------------------------------------------------


@rule("ocs-series/9.12", "ocs-series/13.1")
def retreat(step: Step[State]) -> None:
    """Units without a way are eliminated; those with one only go it; for the rest the owner says who goes where."""
    frame = step.frame
    if not frame["ready"]:
        _get_ready(step)
        return
    left = alive(step.state, frame["units"])
    ways = {p.id: ways_out(step.state, p, frame["hexes"], frame["barred"]) for p in left}
    stuck = [id_ for id_, found in ways.items() if not found]
    if stuck:
        for id_ in stuck:
            destroy(step, id_, frame["cause"])
        step.note(units=tuple(i for i in ways if i not in stuck))
    elif not left:
        step.cite("ocs-series/9.12")
        step.close(**({"joined": joined} if (joined := frame.get("joined", ())) else {}))
    elif all(len(found) == 1 for found in ways.values()) and not _company(step.state, frame):
        first = left[0]
        _withdraw(step, [p.id for p in left if p.at == first.at and ways[p.id] == ways[first.id]], ways[first.id][0])
    else:
        step.ask(frame["side"], "retreat")


def _get_ready(step: Step[State]) -> None:
    """Units whose MA is 0 turn to the Move side; the dead are left out."""
    _turn(step, step.frame["units"])
    for piece in alive(step.state, step.frame["units"]):
        if not piece.printed.ma:
            destroy(step, piece.id, step.frame["cause"])
    left = alive(step.state, step.frame["units"])
    step.note(ready=True, units=tuple(p.id for p in left))
    beside = [p.id for h in by_hex(left) for p in stack(step.state, h) if p.id not in step.frame["units"]]
    if beside:
        step.note(beside=tuple(sorted(beside)))


def _turn(step: Step[State], units: Iterable[str]) -> None:
    for piece in alive(step.state, units):
        if (ready := turned(piece)) != piece:
            step.put("mode", "pieces", piece.id, ready)


def _company(state: State, frame: Frame) -> bool:
    """Could somebody who need not go join a unit that must?"""
    at = state.pieces
    pairs = ((u, f) for u in frame["units"] for f in joiners(state, frame) if at[u].at == at[f].at)
    return any(common_ways(state, pair, frame) for pair in pairs)


def _withdraw(step: Step[State], units: Iterable[str], path: Path) -> None:
    """A party sets out."""
    going, frame = tuple(units), step.frame
    joined = tuple(u for u in going if u not in frame["units"])
    step.note(units=tuple(u for u in frame["units"] if u not in going))
    if joined:
        _turn(step, joined)
        step.note(
            joined=(*frame.get("joined", ()), *joined), beside=tuple(u for u in frame["beside"] if u not in going)
        )
        step.cite("ocs-series/9.12d")
    step.open("withdrawal", side=frame["side"], units=going, path=path, gone=0, cause=frame["cause"])


# one party ------------------------------------------------------------------------------------------------------------


@rule("ocs-series/5.10a", "ocs-series/9.12e", "ocs/2.6c")
def withdrawal(step: Step[State]) -> None:
    """One hex further: into a zone or serious interdiction DG, and a step for each of the two from those DG before.

    In the second hex all friends are DG with them, far from any enemy too.
    """
    frame = step.frame
    party = alive(step.state, frame["units"])
    if not party or not frame["path"]:
        step.close()
        return
    here, *rest = frame["path"]
    step.note(path=tuple(rest), gone=frame["gone"] + 1)
    for piece in party:
        step.put("retreated", "pieces", piece.id, replace(piece, at=here))
    if not frame["gone"]:
        for start in by_hex(party):
            vacate(step, start)
    take(step, [here], frame["side"])
    note_crossing(step, [p.id for p in party], [here])
    _suffer(step, here, party)
    _seize(step, here)


def _suffer(step: Step[State], here: int, party: Sequence[Piece]) -> None:
    frame, state = step.frame, step.state
    weary = tuple(p.id for p in party if p.dg)
    zone = here in zones(state, other_side(frame["side"]))
    serious = seriously_interdicted(state, here, frame["side"])
    if zone or serious or frame["gone"] >= DISORGANISING:
        disorganise(step, frame["units"])
    if zone or frame["gone"] == DISORGANISING:
        disorganise(step, [p.id for p in stack(step.state, here)])
    if zone:
        step.cite("ocs-series/9.12e")
    if serious:
        step.cite("ocs/opt.3l")
    if weary and zone + serious:
        open_casualties(step, frame["side"], weary, zone + serious, frame["cause"], spread=False)


def _seize(step: Step[State], here: int) -> None:
    """Enemy goods in the way are captured as by any entry."""
    party = next((f["units"] for f in reversed(step.state.frames) if f.procedure == "withdrawal"), ())
    able = [p for p in alive(step.state, party) if can_attack(p)]
    if able and spoils(step.state, here, able[0].counter.side):
        capture(step, here, able[0].id)


# the order ------------------------------------------------------------------------------------------------------------


def _retreat_impossible(state: State, o: Retreat) -> Iterator[Reason]:
    frame = asked(state, "retreat")
    if frame is None:
        yield because("nothing-asked", kind="retreat", hard=True)
        return
    due, known = frame["units"], (*frame["units"], *joiners(state, frame))
    wrong = tuple(u for u in o.units if u not in known)
    if wrong or len(set(o.units)) != len(o.units):
        yield because("no-candidate", rule="ocs-series/9.12", hard=True, units=wrong or o.units, known=known)
        return
    if not any(u in due for u in o.units):
        yield because("retreat-alone", rule="ocs-series/9.12d", hard=True, units=o.units, known=due)
        return
    places = {p.at for p in alive(state, o.units)}
    if len(places) > 1:
        yield because(
            "retreat-apart", *sorted(p for p in places if isinstance(p, int)), rule="ocs-series/9.12", hard=True
        )
    elif o.path not in common_ways(state, o.units, frame):
        yield because("no-retreat", *o.path, rule="ocs-series/9.12", hard=True, due=frame["hexes"])


def _retreat_choices(state: State, partial: Partial, name: str) -> Iterable[Choice]:
    frame = asked(state, "retreat")
    if frame is None:
        return []
    units = partial.values.get("units", ())
    if name == "units":
        return [Choice(u, state.pieces[u].counter.label) for u in _companions(state, frame, units)]
    return _next_hexes(state, frame, units, partial.values.get("path", ()))


def _companions(state: State, frame: Frame, units: Sequence[str]) -> Iterator[str]:
    """Units that may join a party: in its hex, with a way in common; who need not go joins one who must."""
    for unit in (*frame["units"], *(joiners(state, frame) if units else ())):
        together = (*units, unit)
        same_hex = len({p.at for p in alive(state, together)}) == 1
        if unit not in units and same_hex and common_ways(state, together, frame):
            yield unit


def _next_hexes(state: State, frame: Frame, units: Sequence[str], path: Path) -> list[Choice]:
    n = len(path)
    ways = [w for w in common_ways(state, units, frame) if w[:n] == path and len(w) > n]
    hexes = dict.fromkeys(w[n] for w in ways)
    return [Choice(h, state.board.label(h), hexes=(h,)) for h in hexes]


ORDERS: dict[type[Order], OrderRules[State]] = {
    Retreat: OrderRules(
        _retreat_impossible, nothing, lambda step, o: _withdraw(step, o.units, o.path), _retreat_choices
    )
}
PROCEDURES = {"retreat": retreat, "withdrawal": withdrawal}
