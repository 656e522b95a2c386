"""The room of ground combat: the order to attack and every answer that a battle asks for (OCS 8, 9; Burma 2.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial as bound

from burma_study.engine.frames import Frame
from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import WORD, Order, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules, Room, nothing
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.combat import results, retreats
from burma_study.rules.ocs.combat.attack import AttackOptions
from burma_study.rules.ocs.combat.battle import (
    advance_with,
    advancers,
    battle,
    crowded,
    lead_with,
    leaders,
    open_battle,
)
from burma_study.rules.ocs.combat.checks import banzai_reasons, combatants, cooperate, may_enter, reasons_against
from burma_study.rules.ocs.combat.payment import (
    attack_cost,
    attack_payments,
    defence_payments,
    payment_objections,
    unfed,
)
from burma_study.rules.ocs.combat.results import alive, asked
from burma_study.rules.ocs.combat.segments import acting_side, done_here, named_twice, takes_part
from burma_study.rules.ocs.combat.strength import can_attack
from burma_study.rules.ocs.goods.payment import AUTO, PAYMENT, Payment, choose, pay, payment_choices, ways_to_pay
from burma_study.rules.ocs.movement.orders import BANZAI, HEX, UNITS
from burma_study.rules.ocs.state import Piece, State, stack, stacks

PHASES = ("combat", "exploitation_combat")


@order("attack {at} with {units}[ as {banzai}][, rating of {ar}][ paying {payment}]")
class Attack(Order):
    """A regular attack on a hex; `payment` is the combat supply, `ar` the unit that leads (else it is asked for)."""

    at: int = slot(HEX)
    units: tuple[str, ...] = slot(UNITS)
    banzai: bool = slot(BANZAI, False)
    ar: str = slot(WORD, "")
    payment: str = slot(PAYMENT, AUTO)


@order("pay[ from {payment}]", kind="pay")
class Pay(Order):
    """The defender pays combat supply."""

    payment: str = slot(PAYMENT, AUTO)


@order("decline")
class Decline(Order):
    """The defender pays nothing and fights at half strength."""


@order("lead with {unit}")
class Lead(Order):
    """The unit that gives a side its action rating."""

    unit: str = slot(WORD)


@order("advance with {units}")
class Advance(Order):
    """The attackers that enter the emptied hex."""

    units: tuple[str, ...] = slot(UNITS)


@order("no advance", kind="no_advance")
class NoAdvance(Order):
    """No attacker enters the emptied hex."""


# the attack -----------------------------------------------------------------------------------------------------------


def _against(state: State, o: Attack) -> tuple[Reason, ...]:
    units, defenders, unknown = combatants(state, o.at, o.units)
    return unknown or reasons_against(state, o.at, units, defenders, AttackOptions(banzai=o.banzai, attacker_ar=o.ar))


def _impossible(state: State, o: Attack) -> Iterator[Reason]:
    yield from named_twice(o.units)
    yield from (r for r in _against(state, o) if r.hard)


@rule("ocs-series/9.2", "ocs-series/9.5", "ocs-series/5.9")
def _forbidden(state: State, o: Attack) -> Iterator[Reason]:
    yield from (r for r in _against(state, o) if not r.hard)
    done = done_here(state, "combat")
    if o.at in done.hexes:
        yield because("attacked-already", o.at, rule="ocs-series/9.2")
    for unit in o.units:
        piece = state.pieces[unit]
        if piece.counter.side != acting_side(state):
            yield because("not-your-unit", rule="ocs-series/2.3", unit=unit)
        if unit in done.units:
            yield because("fought-already", rule="ocs-series/9.2", unit=unit)
        if not takes_part(state, piece):
            yield because("no-part", rule="ocs-series/5.9", unit=unit)
    yield from payment_objections(state, o.units, o.payment)


def _attack(step: Step[State], o: Attack) -> None:
    open_battle(step, o.at, o.units, banzai=o.banzai, payment=o.payment, ar=o.ar)


def ready(state: State, target: int) -> Iterator[Piece]:
    """The units of the acting side that may attack a hex now, supply apart."""
    side, done = acting_side(state), done_here(state, "combat")
    for source in state.board.grid.adjacent[target]:
        for p in stack(state, source):
            fit = p.counter.side == side and can_attack(p) and p.id not in done.units and takes_part(state, p)
            if fit and may_enter(state, source, target, p.printed.mobility):
                yield p


def targets(state: State) -> Iterator[int]:
    """Enemy hexes that the acting side may attack now, supply apart."""
    side, done = acting_side(state), done_here(state, "combat")
    for hex_, there in sorted(stacks(state).items()):
        if hex_ not in done.hexes and there[0].counter.side != side and any(True for _ in ready(state, hex_)):
            yield hex_


def _can_pay(state: State, unit: str) -> bool:
    return bool(ways_to_pay(state, (unit,), attack_cost(state, (unit,)), "attack"))


def _choices(state: State, at: Partial, name: str) -> Iterable[Choice]:
    if name == "at":
        paying = (h for h in targets(state) if any(_can_pay(state, p.id) for p in ready(state, h)))
        return [Choice(h, state.board.label(h), hexes=(h,)) for h in paying]
    units: tuple[str, ...] = at.values.get("units", ())
    if name == "units":
        return list(_joiners(state, at.values["at"], units))
    if name == "banzai":
        fits = bool(units) and not banzai_reasons(state, alive(state, units))
        return [Choice(True, "a Banzai attack")] if fits else []
    if name == "ar":
        return [Choice(u, state.pieces[u].counter.label) for u in units]
    return payment_choices(state, units, attack_cost(state, units), "attack")


def _joiners(state: State, target: int, units: Sequence[str]) -> Iterator[Choice]:
    """Units that may join an attack: they cooperate with the others and all can be paid for together."""
    for piece in ready(state, target):
        together = (*units, piece.id)
        if piece.id in units or not cooperate(state.rules, alive(state, together)):
            continue
        if attack_payments(state, together) is not None:
            cost = attack_cost(state, (piece.id,))
            yield Choice(piece.id, f"{piece.counter.label} {piece.counter.strength}", cost)


# answers --------------------------------------------------------------------------------------------------------------


def _stage(state: State, *stages: str) -> Frame | None:
    """The battle that waits for an answer in one of some stages."""
    frame = asked(state, "battle")
    return frame if frame is not None and frame["stage"] in stages else None


def _asked_for(kind: str, *stages: str) -> bound[Iterator[Reason]]:
    return bound(_nothing_asked, kind, stages)


def _nothing_asked(kind: str, stages: Sequence[str], state: State, _: Order) -> Iterator[Reason]:
    if _stage(state, *stages) is None:
        yield because("nothing-asked", kind=kind, hard=True)


def _defence_of(state: State, text: str) -> Payment | None:
    frame = _stage(state, "defence")
    ways = defence_payments(state, frame["defenders"]) if frame is not None else ()
    if text == AUTO:
        return ways[0] if ways else None
    named = next((w for w in ways if w.text == text), None)
    if named is None and frame is not None and ways:
        named = choose(state, frame["defenders"], ways[0].tokens, "defence", text)
    return named


def _pay_impossible(state: State, o: Pay) -> Iterator[Reason]:
    frame = _stage(state, "defence")
    if frame is None:
        yield because("nothing-asked", kind="pay", hard=True)
    elif _defence_of(state, o.payment) is None:
        ways = (AUTO, *(w.text for w in defence_payments(state, frame["defenders"])))
        yield because("defence-unpaid", rule="ocs-series/9.5", hard=True, text=o.payment, ways=ways)


@rule("ocs-series/9.5")
def _pay(step: Step[State], o: Pay) -> None:
    payment = _defence_of(step.state, o.payment)
    assert payment is not None
    pay(step, payment)
    empty = unfed(payment, step.frame["defenders"])
    step.note(paid=True, stage="lead", **({"unfed": empty} if empty else {}))


def _pay_choices(state: State, _: Partial, __: str) -> list[Choice]:
    frame = _stage(state, "defence")
    ways = defence_payments(state, frame["defenders"]) if frame is not None else ()
    return [Choice(w.text, f"{w.tokens} T from {w.text}", w.tokens) for w in ways]


def _lead_impossible(state: State, o: Lead) -> Iterator[Reason]:
    frame = _stage(state, "lead", "counter")
    if frame is None:
        yield because("nothing-asked", kind="lead", hard=True)
    elif o.unit not in (known := leaders(state, frame)):
        yield because("no-leader", rule="ocs-series/9.6", hard=True, unit=o.unit, known=known)


def _lead_choices(state: State, _: Partial, __: str) -> list[Choice]:
    frame = _stage(state, "lead", "counter")
    return [Choice(u, state.pieces[u].counter.label) for u in (leaders(state, frame) if frame is not None else ())]


def _advance_impossible(state: State, o: Advance) -> Iterator[Reason]:
    frame = _stage(state, "advance")
    if frame is None:
        yield because("nothing-asked", kind="advance", hard=True)
        return
    yield from named_twice(o.units)
    known, target = advancers(state, frame), frame["target"]
    wrong = tuple(u for u in o.units if u not in known)
    if wrong:
        yield because("no-advance", target, rule="ocs-series/9.12g", hard=True, units=wrong, known=known)


@rule("ocs-series/4.8", "ocs-series/9.12g")
def _advance_forbidden(state: State, o: Advance) -> Iterator[Reason]:
    frame = _stage(state, "advance")
    if frame is not None and crowded(state, frame["target"], o.units):
        yield because("advance-crowded", frame["target"], rule="ocs-series/4.8", units=o.units)


def _advance_choices(state: State, at: Partial, _: str) -> Iterator[Choice]:
    frame, units = _stage(state, "advance"), at.values.get("units", ())
    for unit in advancers(state, frame) if frame is not None else ():
        if unit not in units and not crowded(state, frame["target"], (*units, unit)):  # type: ignore[index]
            yield Choice(unit, state.pieces[unit].counter.label)


def _no_advance(step: Step[State], _: NoAdvance) -> None:
    step.note(stage="exploit", advanced=(), won=True)


ORDERS: dict[type[Order], OrderRules[State]] = {
    Attack: OrderRules(_impossible, _forbidden, _attack, _choices),
    Pay: OrderRules(_pay_impossible, nothing, _pay, _pay_choices),
    Decline: OrderRules(_asked_for("decline", "defence"), nothing, lambda step, _: step.note(paid=False, stage="lead")),
    Lead: OrderRules(_lead_impossible, nothing, lambda step, o: lead_with(step, o.unit), _lead_choices),
    Advance: OrderRules(
        _advance_impossible, _advance_forbidden, lambda step, o: advance_with(step, o.units), _advance_choices
    ),
    NoAdvance: OrderRules(_asked_for("no_advance", "advance"), nothing, _no_advance),
}


def _idle(state: State) -> bool:
    """Nobody could be attacked."""
    return not any(True for _ in targets(state))


FIGHTING = Room(
    "fighting",
    {**ORDERS, **results.ORDERS, **retreats.ORDERS},
    dict.fromkeys(PHASES, ("attack",)),
    {"battle": battle, **results.PROCEDURES, **retreats.PROCEDURES},
    idle=dict.fromkeys(PHASES, _idle),
)
