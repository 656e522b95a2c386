"""Air to air: interception, its interception, refusal, fights round by round (OCS 14; Burma Opt.3c-i).

Procedures: `flight` takes a stack along its route to its mission, `air_combat` fights top unit against top unit until
one side is gone and tells the frame below in `gone` who did not stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from burma_study.engine.frames import Frame
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.aircraft import (
    OUT,
    STATION,
    active_at,
    air_value,
    home_of,
    kind_of,
    rating,
    sortie,
    top_first,
)
from burma_study.rules.ocs.air.bases import (
    DEAD,
    air_distance,
    air_route,
    ask_protection,
    land,
    lose_air_step,
    own_base,
)
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.movement.reserves import MOVE_PHASES, begin, thing
from burma_study.rules.ocs.state import Aircraft, State, Where

Mission = Callable[[Step[State], Frame], None]  # what a flight does when it is there; it closes its frame
Candidates = dict[str, tuple[int, ...]]  # fighter -> hexes where it may meet the flight


# the table ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who breaks off and who loses a step in one round."""

    attacker_aborts: bool
    defender_aborts: bool
    attacker_loses: bool = False
    defender_loses: bool = False


def edition(state: State) -> str:
    """Rows of the table in force."""
    return "v43" if state.rules.version == "v4.3" else "1999"


@rule("ocs/opt.3d")
def air_result(state: State, total: int) -> Outcome:
    """The row of the Air to Air Combat Table for a modified roll of two dice (Opt.3d)."""
    for row in state.rules.charts.rows("air_combat"):
        low, high = int(row["low"] or -99), int(row["high"] or 99)
        if row["edition"] == edition(state) and low <= total <= high:
            names = ("attacker_aborts", "defender_aborts", "attacker_loses", "defender_loses")
            return Outcome(*(row[name] == "yes" for name in names))
    raise KeyError(f"no row of the air combat table for {total}")


# who may meet a flight ------------------------------------------------------------------------------------------------


@rule("ocs/opt.3f", "ocs/opt.3o", "ocs-series/14-intercept")
def may_intercept(state: State, plane: Aircraft) -> bool:
    """An active fighter over an own base, or alone on a station to which it flew alone (Opt.3f, 3o B)."""
    if not (plane.active and kind_of(plane).is_fighter) or state.air_ops != "unrestricted" or plane.at == DEAD:
        return False
    out = sortie(state, plane.id)
    if out is None or own_base(state, plane.at, plane.side) is not None:
        return True
    alone = len(active_at(state, plane.at, plane.side)) == 1
    return alone and (len(out[1]) == 1 or not state.rules.has("opt3"))


@rule("ocs/opt.3f", "ocs-series/14-intercept")
def interceptors(state: State, side: str, route: Iterable[int], busy: Iterable[str] = ()) -> Candidates:
    """Fighters of a side that may meet a flight, with the hexes of its route that they reach.

    The interception range of 1999 was not found: `air_values` holds the number taken.
    """
    hexes, far, taken = tuple(route), int(air_value(state, "interception_range")), set(busy)
    found: Candidates = {}
    for plane in sorted((p for p in state.aircraft.values() if p.side == side), key=lambda p: p.id):
        if plane.id not in taken and may_intercept(state, plane):
            home, reach = home_of(state, plane), kind_of(plane).range
            near = tuple(
                h
                for h in hexes
                if air_distance(state.board, plane.at, h) <= far and air_distance(state.board, home, h) <= reach
            )
            if near:
                found[plane.id] = near
    return found


def fighters(state: State, planes: Iterable[str]) -> list[str]:
    """Those of the units that may start air combat."""
    return [p for p in planes if kind_of(state.aircraft[p]).may_attack]


def flying(state: State, planes: Iterable[str]) -> tuple[str, ...]:
    """Those of the units that are still active."""
    return tuple(p for p in planes if state.aircraft[p].active and state.aircraft[p].at != DEAD)


@rule("ocs/opt.3e")
def tired_by(state: State, plane: Aircraft, start: Where, hex_: Where) -> bool:
    """Does a flight from its base to a place make an air unit DG: half its range or more (Opt.3e)?"""
    return state.rules.has("opt3") and 2 * air_distance(state.board, start, hex_) >= kind_of(plane).range


def tire(step: Step[State], planes: Iterable[str], start: Where, hex_: Where) -> None:
    """Units that come to half their range or more from the base of their last refit are DG (Opt.3e)."""
    for id_ in planes:
        plane = step.state.aircraft[id_]
        if not plane.dg and tired_by(step.state, plane, start, hex_):
            step.put("disorganised", "aircraft", id_, replace(plane, dg=True))
            step.cite("ocs/opt.3e")


# a flight -------------------------------------------------------------------------------------------------------------


@rule("ocs-series/6.1")
def take_off(step: Step[State], planes: Sequence[str], target: Where, mission: str, **cargo: object) -> None:
    """Open the flight of a stack from where it stands to a place, to carry out a mission there.

    Nobody's move is broken off for a flight and gone on with after it, save that of the cargo (OCS 6.1g).
    """
    if step.state.phase in MOVE_PHASES:
        carried: Any = cargo.get("cargo", ())
        begin(step, [c for c in carried if thing(step.state, c) is not None])
    start = step.state.aircraft[planes[0]].at
    names = tuple(p.id for p in top_first(step.state.aircraft[i] for i in planes))
    side = step.state.aircraft[planes[0]].side
    step.open("flight", planes=names, start=start, target=target, mission=mission, stage="out", side=side, **cargo)


def route_of(state: State, frame: Frame) -> tuple[int, ...]:
    """Hexes that the flight passes."""
    return air_route(state.board, frame["start"], frame["target"])


def fly(step: Step[State], missions: Mapping[str, Mission]) -> None:
    """One stage of a flight after the other, until its mission is done or nobody is left to do it."""
    frame = step.frame
    planes = flying(step.state, frame["planes"])
    if planes != frame["planes"]:
        step.note(planes=planes)
    elif planes or (frame["stage"] == "after" and flying(step.state, frame.get("after", ()))):
        stage = frame["stage"]
        if stage == "do":
            missions[frame["mission"]](step, frame)
        else:
            _STAGES[stage](step, frame, frame["side"])
    else:
        step.close()
        ask_protection(step)


@rule("ocs/opt.3f")
def _out(step: Step[State], frame: Frame, side: str) -> None:
    """The enemy may send one fighter against the stack while it is on its way; once a flight."""
    enemy = other_side(side)
    target, route = frame["target"], route_of(step.state, frame)
    found = interceptors(step.state, enemy, route)
    there = {
        p: tuple(h for h in hexes if h != target or step.state.aircraft[p].at != target) for p, hexes in found.items()
    }
    meeting = tuple(sorted((p, hexes) for p, hexes in there.items() if hexes))
    if meeting:
        step.note(stage="met", meeting=meeting, passed="arrive")
        step.ask(enemy, "intercept", "let_pass")
    else:
        step.note(stage="arrive")


@rule("ocs/opt.3h")
def _countered(step: Step[State], frame: Frame, side: str) -> None:
    """The moving player may meet the interceptor on its way, once, and unopposed (Opt.3h)."""
    fighter, met = frame["interceptor"], frame["met"]
    unit = step.state.aircraft[fighter]
    route = air_route(step.state.board, unit.at, met)
    found = interceptors(step.state, side, route, frame["planes"]) if step.state.rules.has("opt3") else {}
    if found:
        step.note(stage="answer", meeting=tuple(sorted(found.items())), passed="fight")
        step.ask(side, "intercept", "let_pass")
    else:
        step.note(stage="fight")


def _counter_fight(step: Step[State], frame: Frame, side: str) -> None:
    """The two interceptors fight first."""
    second, where, first = frame["second"], frame["second_met"], frame["interceptor"]
    _send(step, second, where)
    _send(step, first, where)
    step.note(stage="fight", after=(second,))
    step.open("air_combat", attackers=(second,), defenders=(first,), at=where, gone=(), rolled=())
    step.cite("ocs/opt.3h")


def _fight(step: Step[State], frame: Frame, side: str) -> None:
    """The interceptor, if it is still there, against the stack."""
    fighter, met = frame["interceptor"], frame["met"]
    if not flying(step.state, (fighter,)):
        step.note(stage="after")
        return
    tire(step, frame["planes"], frame["start"], met)
    _send(step, fighter, met)
    step.note(stage="after", after=(*frame.get("after", ()), fighter))
    stack = tuple(p.id for p in top_first(step.state.aircraft[i] for i in frame["planes"]))
    step.open("air_combat", attackers=(fighter,), defenders=stack, at=met, gone=(), rolled=())
    step.cite("ocs/opt.3f")


def _send(step: Step[State], fighter: str, hex_: int) -> None:
    """An interceptor flies to a hex and is in the air there, its old home kept."""
    unit = step.state.aircraft[fighter]
    home = home_of(step.state, unit)
    step.put("intercepts", "aircraft", fighter, replace(unit, at=hex_))
    step.put("intercepts", "markers", OUT + fighter, (home, (fighter,), STATION))
    tire(step, (fighter,), home, hex_)


def _after(step: Step[State], frame: Frame, side: str) -> None:
    """Interceptors that are left stay on station where they fought or go home, as their owner likes (Opt.3n)."""
    left = flying(step.state, frame.get("after", ()))
    if left:
        step.note(after=left[1:], settling=left[0])
        step.ask(step.state.aircraft[left[0]].side, "keep_station", "fly_home")
    else:
        step.note(stage="arrive")


@rule("ocs/opt.3g", "ocs/opt.3i")
def _arrive(step: Step[State], frame: Frame, side: str) -> None:
    """In the target hex: enemies in the air there refuse, or fight; over their base under rules of their own."""
    state, target, enemy = step.state, frame["target"], other_side(side)
    tire(step, frame["planes"], frame["start"], target)
    there = active_at(state, target, enemy) if isinstance(target, int) else ()
    if own_base(state, target, enemy) is not None and there:
        step.note(stage="base")
        if state.rules.has("opt3"):
            step.open("crowd", at=target, side=enemy, most=int(air_value(state, "stack")), here=True)
            step.cite("ocs/opt.3i")
    elif there and len(there) == 1 and state.rules.has("opt3"):
        step.note(stage="clash", refuser=there[0].id)
        step.ask(enemy, "refuse_combat", "accept_combat")
    else:
        step.note(stage="clash" if there else "do")


def _clash(step: Step[State], frame: Frame, side: str) -> None:
    """Over a station hex the moving stack attacks."""
    enemies = [p.id for p in active_at(step.state, frame["target"], other_side(side))]
    _meet(step, frame["planes"], enemies, frame["target"])


@rule("ocs/opt.3i")
def _base(step: Step[State], frame: Frame, side: str) -> None:
    """Over a base: the moving player attacks if he has fighters, else the other one (Opt.3i)."""
    enemies = [p.id for p in active_at(step.state, frame["target"], other_side(side))]
    if fighters(step.state, frame["planes"]):
        _meet(step, frame["planes"], enemies, frame["target"])
    elif fighters(step.state, enemies):
        _meet(step, enemies, frame["planes"], frame["target"])
    else:
        step.note(stage="do")


def _meet(step: Step[State], attackers: Iterable[str], defenders: Iterable[str], hex_: int) -> None:
    """A fight in the target hex, after which the mission is flown by whoever is left."""
    step.note(stage="do")
    sides = (top_first(step.state.aircraft[i] for i in planes) for planes in (attackers, defenders))
    first, second = (tuple(p.id for p in planes) for planes in sides)
    if first and second:
        step.open("air_combat", attackers=first, defenders=second, at=hex_, gone=(), rolled=())


_STAGES: dict[str, Callable[[Step[State], Frame, str], None]] = {
    "out": _out,
    "met": _countered,
    "answer": _counter_fight,
    "fight": _fight,
    "after": _after,
    "arrive": _arrive,
    "clash": _clash,
    "base": _base,
}


# a fight --------------------------------------------------------------------------------------------------------------


@rule("ocs/opt.3d", "ocs/opt.3c", "ocs/opt.3a")
def air_combat(step: Step[State]) -> None:
    """One round: the top unit of each side; then again until one side is gone or nobody may attack."""
    frame, state = step.frame, step.state
    attackers, defenders = flying(state, frame["attackers"]), flying(state, frame["defenders"])
    if attackers and defenders and not fighters(state, attackers[:1]):
        if fighters(state, defenders[:1]):
            step.note(attackers=defenders, defenders=attackers)
            return
        attackers = ()
    if not attackers or not defenders:
        _end(step, frame)
        return
    step.note(attackers=attackers, defenders=defenders, rolled=(*frame["rolled"], attackers[0], defenders[0]))
    _round(step, attackers[0], defenders[0], frame["at"])


def _round(step: Step[State], attacker: str, defender: str, hex_: int) -> None:
    one, two = step.state.aircraft[attacker], step.state.aircraft[defender]
    result = air_result(step.state, step.roll("air", 2).sum + rating(one) - rating(two))
    step.cite("ocs/opt.3d")
    for id_, loses, aborts in (
        (attacker, result.attacker_loses, result.attacker_aborts),
        (defender, result.defender_loses, result.defender_aborts),
    ):
        late = edition(step.state) == "v43" and aborts
        if loses or (late and step.roll("air").sum >= air_value(step.state, "v43_loss")):
            lose_air_step(step, id_)
        if aborts and flying(step.state, (id_,)):
            _abort(step, id_, hex_)


@rule("ocs/opt.3i")
def _abort(step: Step[State], plane: str, hex_: int) -> None:
    """It goes home and is inactive; over an own base it comes down there."""
    side = step.state.aircraft[plane].side
    land(step, plane, hex_ if own_base(step.state, hex_, side) is not None else None, start=hex_)


@rule("ocs/opt.3e")
def _end(step: Step[State], frame: Frame) -> None:
    """Those that rolled and stay are DG, unless over an own base (Opt.3e)."""
    for id_ in flying(step.state, dict.fromkeys(frame["rolled"])):
        plane = step.state.aircraft[id_]
        if step.state.rules.has("opt3") and own_base(step.state, frame["at"], plane.side) is None and not plane.dg:
            step.put("disorganised", "aircraft", id_, replace(plane, dg=True))
            step.cite("ocs/opt.3e")
    everybody = (*frame["attackers"], *frame["defenders"], *frame["rolled"])
    left = flying(step.state, everybody)
    step.close(gone=tuple(sorted({p for p in everybody if p not in left})))


def shift_hexes(state: State, plane: Aircraft) -> Iterator[int]:
    """Hexes to which a unit that refuses combat may shift: any neighbour without enemies in the air."""
    assert isinstance(plane.at, int)
    for hex_ in state.board.grid.adjacent[plane.at]:
        if not active_at(state, hex_, other_side(plane.side)):
            yield hex_
