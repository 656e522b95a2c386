"""The Aircraft Refit Phase (OCS 15.1; Burma 1.8, 3.4b; Opt.3m), and answers to what the air rules ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from burma_study.engine.frames import Frame
from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import WORD, Order, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.aircraft import active_at, kind_of, protected_at
from burma_study.rules.ocs.air.bases import (
    REFITTED,
    activate,
    active_limit,
    at_base,
    land,
    own_base,
    refit_cost,
    refit_limit,
    refitted,
    set_protected,
)
from burma_study.rules.ocs.air.combat import shift_hexes
from burma_study.rules.ocs.air.missions import PLANES, base_reasons, no_hex, no_place, unknown
from burma_study.rules.ocs.air.slots import hex_choices, named, plane_choices
from burma_study.rules.ocs.goods.payment import AUTO, PAYMENT, Payment, pay, ways_at
from burma_study.rules.ocs.movement.zoc import unnegated
from burma_study.rules.ocs.orders import WHERE
from burma_study.rules.ocs.state import Aircraft, State, Where

# refit ----------------------------------------------------------------------------------------------------------------


@order("refit {planes} at {at}[ paying {payment}]")
class Refit(Order):
    """Inactive air units become active; the first ones at a base turn it on for the phase."""

    at: Where = slot(WHERE)
    planes: tuple[str, ...] = slot(PLANES)
    payment: str = slot(PAYMENT, AUTO)


def _refit_impossible(state: State, o: Refit) -> Iterator[Reason]:
    yield from unknown(state, o.planes)
    yield from no_place(state, o.at)


@rule("ocs/opt.3m", "ocs/1.8", "ocs-series/15.1", "ocs-series/17.0d")
def _refit_forbidden(state: State, o: Refit) -> Iterator[Reason]:
    """Whose, inactive and there; room at the base; a token to turn it on. In every weather (OCS 17.0d)."""
    planes, where = named(state, o.planes), WHERE.write(o.at)
    for p in planes:
        yield from _own_reasons(state, p, o.at)
    if own_base(state, o.at, state.player) is None:
        return
    most, before = refit_limit(state, o.at), refitted(state).get(o.at, 0)
    if before + len(planes) > most:
        yield because("refit-full", rule="ocs/opt.3m", at=where, most=most)
    room = active_limit(state, o.at, state.player)
    standing = [p for p in active_at(state, o.at, state.player) if kind_of(p).role != "glider"]
    if state.rules.has("opt3") and len(standing) + len(planes) > room:
        yield because("refit-crowd", rule="ocs/opt.3b", at=where, most=room)
    if state.rules.version == "v4.3" and o.at in unnegated(state, state.player):
        yield because("refit-zone", rule="ocs-series/15.1", at=where)
    if o.at not in refitted(state) and _way(state, o) is None:
        ways = tuple(w.text for w in _ways(state, o.at))
        yield because("refit-unpaid", rule="ocs/opt.3m", at=where, ways=ways)


def _own_reasons(state: State, plane: Aircraft, at: Where) -> Iterator[Reason]:
    if plane.side != state.player:
        yield because("not-your-aircraft", unit=plane.id)
    elif plane not in at_base(state, at, plane.side) or own_base(state, at, plane.side) is None:
        yield from base_reasons(state, [plane], at)
        yield because("not-at-base", rule="ocs-series/15.1", unit=plane.id)
    if plane.active:
        yield because("aircraft-active", rule="ocs-series/15.1", unit=plane.id)


def _ways(state: State, at: Where) -> tuple[Payment, ...]:
    return ways_at(state, state.player, at, refit_cost(state, at), "refit")


def _way(state: State, o: Refit) -> Payment | None:
    return next((w for w in _ways(state, o.at) if o.payment in (AUTO, w.text)), None)


@rule("ocs/opt.3m", "ocs/opt.3e.2")
def _refit(step: Step[State], o: Refit) -> None:
    counts = refitted(step.state)
    if o.at not in counts and (way := _way(step.state, o)) is not None:
        pay(step, way)
    counts[o.at] = counts.get(o.at, 0) + len(o.planes)
    pairs = tuple(sorted(counts.items(), key=lambda kv: str(kv[0])))
    step.put("refitted", "markers", REFITTED, (step.state.turn, step.state.player, pairs))
    for plane in o.planes:
        activate(step, plane)
    step.cite("ocs/opt.3m")


def refittable(state: State) -> dict[Where, list[Aircraft]]:
    """Inactive air units by base that may still be refitted."""
    found: dict[Where, list[Aircraft]] = {}
    for p in sorted(state.aircraft.values(), key=lambda p: p.id):
        waits = p.side == state.player and not p.active and own_base(state, p.at, p.side) is not None
        if waits and not any(_refit_forbidden(state, Refit(p.at, (p.id,), AUTO))):
            found.setdefault(p.at, []).append(p)
    return found


def _refit_choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    if slot_ == "at":
        return hex_choices(state, refittable(state))
    at = partial.values["at"]
    if slot_ == "payment":
        cost = refit_cost(state, at)
        return [Choice(w.text, f"{cost} T from {w.text}", cost) for w in _ways(state, at)]
    chosen = partial.values.get("planes", ())
    if chosen and any(_refit_forbidden(state, Refit(at, (*chosen, chosen[0]), AUTO))):
        return []
    return plane_choices(refittable(state).get(at, ()), chosen)


# answers --------------------------------------------------------------------------------------------------------------


@order("intercept at {at} with {plane}")
class Intercept(Order):
    """A fighter meets the flight, or its interceptor, on its way."""

    plane: str = slot(WORD)
    at: Where = slot(WHERE)


@order("let the flight pass", kind="let_pass")
class LetPass(Order):
    """No interception."""


@order("refuse air combat, shift to {at}", kind="refuse_combat")
class RefuseCombat(Order):
    """A lone unit on station gives way by a hex and is DG."""

    at: Where = slot(WHERE)


@order("accept air combat", kind="accept_combat")
class AcceptCombat(Order):
    """A lone unit on station fights."""


@order("stay on station", kind="keep_station")
class KeepStation(Order):
    """The interceptor stays in the air where it fought."""


@order("fly home", kind="fly_home")
class FlyHome(Order):
    """The interceptor returns and is inactive."""


@order("stand down {plane}", kind="stand_down")
class StandDown(Order):
    """One of too many active air units becomes inactive."""

    plane: str = slot(WORD)


@order("shelter {plane} instead of {other}", kind="shelter")
class Shelter(Order):
    """A unit that has landed takes the protected place of another."""

    plane: str = slot(WORD)
    other: str = slot(WORD)


@order("leave {plane} in the open", kind="leave_open")
class LeaveOpen(Order):
    """A unit that has landed gets no protected place."""

    plane: str = slot(WORD)


def _top(state: State) -> Frame:
    return state.frames[-1]


def _no_frame(state: State, o: Order) -> Iterator[Reason]:
    """An answer without a question."""
    if not state.frames or o.kind not in _top(state).answers:
        yield because("nothing-asked", kind=o.kind, hard=True)


def _intercept_impossible(state: State, o: Intercept) -> Iterator[Reason]:
    yield from _no_frame(state, o)
    yield from unknown(state, (o.plane,))
    yield from no_hex(o.at)


@rule("ocs/opt.3f", "ocs/opt.3h")
def _intercept_forbidden(state: State, o: Intercept) -> Iterator[Reason]:
    if o.at not in dict(_top(state)["meeting"]).get(o.plane, ()):
        yield because("cannot-intercept", *((o.at,) if isinstance(o.at, int) else ()), rule="ocs/opt.3f", unit=o.plane)


def _intercept(step: Step[State], o: Intercept) -> None:
    if step.frame["passed"] == "fight":
        step.note(second=o.plane, second_met=o.at, stage="answer")
    else:
        step.note(interceptor=o.plane, met=o.at, stage="met")


def _intercept_choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    meeting = dict(_top(state)["meeting"])
    if slot_ == "plane":
        return [Choice(p, p) for p in meeting]
    return hex_choices(state, meeting.get(partial.values["plane"], ()))


def _let_pass(step: Step[State], _: LetPass) -> None:
    step.note(stage=step.frame["passed"])


@rule("ocs/opt.3g")
def _refuse_forbidden(state: State, o: RefuseCombat) -> Iterator[Reason]:
    if o.at not in tuple(shift_hexes(state, state.aircraft[_top(state)["refuser"]])):
        yield because("no-refuge-hex", *((o.at,) if isinstance(o.at, int) else ()), rule="ocs/opt.3g")


@rule("ocs/opt.3g")
def _refuse(step: Step[State], o: RefuseCombat) -> None:
    plane = step.state.aircraft[step.frame["refuser"]]
    step.note(stage="do")
    step.put("refused", "aircraft", plane.id, replace(plane, at=o.at, dg=True))
    step.cite("ocs/opt.3g")


def _refuse_choices(state: State, _partial: Partial, _slot: str) -> Iterable[Choice]:
    return hex_choices(state, shift_hexes(state, state.aircraft[_top(state)["refuser"]]))


def _accept(step: Step[State], _: AcceptCombat) -> None:
    step.note(stage="clash")


def _keep(step: Step[State], _: KeepStation) -> None:
    step.note(settling="")


def _home(step: Step[State], _: FlyHome) -> None:
    plane = step.frame["settling"]
    step.note(settling="")
    land(step, plane)


def _crowded(state: State) -> list[Aircraft]:
    frame = _top(state)
    return [p for p in active_at(state, frame["at"], frame["side"]) if kind_of(p).role != "glider"]


def _stand_down_forbidden(state: State, o: StandDown) -> Iterator[Reason]:
    if o.plane not in {p.id for p in _crowded(state)}:
        yield because("not-crowded", rule="ocs/opt.3b", unit=o.plane)


def _stand_down(step: Step[State], o: StandDown) -> None:
    """Over an own base it lands there, else it goes home."""
    frame = step.frame
    step.note(down=(*frame.get("down", ()), o.plane))
    here = own_base(step.state, frame["at"], frame["side"]) is not None
    land(step, o.plane, frame["at"] if here else None)


def _stand_down_choices(state: State, _partial: Partial, _slot: str) -> Iterable[Choice]:
    return plane_choices(_crowded(state), ())


@rule("ocs/opt.3j")
def protecting(step: Step[State]) -> None:
    """Ask the owner of each unit that landed at a base whose protected places are taken whom it protects."""
    waiting = [p for p in step.frame["planes"] if not step.state.aircraft[p].active]
    if waiting:
        step.ask(step.state.aircraft[waiting[0]].side, "shelter", "leave_open")
    else:
        step.close()


def _shelter_impossible(state: State, o: Shelter | LeaveOpen) -> Iterator[Reason]:
    yield from _no_frame(state, o)
    waiting = state.frames[-1].get("planes", ()) if state.frames else ()
    if o.plane not in waiting[:1]:
        yield because("not-waiting", unit=o.plane, hard=True)


def _shelter_forbidden(state: State, o: Shelter) -> Iterator[Reason]:
    if o.other not in protected_at(state, state.aircraft[o.plane].at):
        yield because("not-protected", rule="ocs/opt.3j", unit=o.other)


def _shelter(step: Step[State], o: Shelter) -> None:
    at = step.state.aircraft[o.plane].at
    step.note(planes=step.frame["planes"][1:])
    set_protected(step, at, (*(p for p in protected_at(step.state, at) if p != o.other), o.plane))
    step.cite("ocs/opt.3j")


def _leave_open(step: Step[State], _: LeaveOpen) -> None:
    step.note(planes=step.frame["planes"][1:])


def _shelter_choices(state: State, _partial: Partial, slot_: str) -> Iterable[Choice]:
    plane = _top(state)["planes"][0]
    if slot_ == "plane":
        return [Choice(plane, plane)]
    return [Choice(p, p) for p in protected_at(state, state.aircraft[plane].at)]


def _none(_state: State, _o: Order) -> Iterable[Reason]:
    return ()


RULES: dict[type[Order], OrderRules[State]] = {
    Refit: OrderRules(_refit_impossible, _refit_forbidden, _refit, _refit_choices),
    Intercept: OrderRules(_intercept_impossible, _intercept_forbidden, _intercept, _intercept_choices),
    LetPass: OrderRules(_no_frame, _none, _let_pass),
    RefuseCombat: OrderRules(_no_frame, _refuse_forbidden, _refuse, _refuse_choices),
    AcceptCombat: OrderRules(_no_frame, _none, _accept),
    KeepStation: OrderRules(_no_frame, _none, _keep),
    FlyHome: OrderRules(_no_frame, _none, _home),
    StandDown: OrderRules(_no_frame, _stand_down_forbidden, _stand_down, _stand_down_choices),
    Shelter: OrderRules(_shelter_impossible, _shelter_forbidden, _shelter, _shelter_choices),
    LeaveOpen: OrderRules(_shelter_impossible, _none, _leave_open, _shelter_choices),
}
