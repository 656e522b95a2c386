"""Air bases that are repaired, or in v4.3 raised level by level (OCS 15; the way by airstrips, Burma 1.8, is in works).

A repair of 1999 takes a base back to the level that bombs and shells took from it (errata of series 2.0): 1 RE, 2T a
level, no roll. In v4.3 an engineer-capable unit adds a level a turn for 1 SP, from nothing up to level 3. Builders
stand in the hex, have not moved and do not move after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import INT, WORD, Order, many_slot, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules, Room
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.combat.segments import done_here, mark_done
from burma_study.rules.ocs.goods.payment import AUTO, PAYMENT, payment_choices, payment_reasons
from burma_study.rules.ocs.goods.works import (
    LEVEL_1,
    builds_bases,
    no_such_builders,
    no_such_hex,
    pay_for_works,
    ready_to_dig,
    stay,
)
from burma_study.rules.ocs.movement.stacking import size_of
from burma_study.rules.ocs.orders import WHERE
from burma_study.rules.ocs.state import Base, Piece, State, Where, stack, stacks

DAMAGED = "damaged_bases"  # marker: (hex, level it had) of every base that lost levels and has not got them back
TOP = 3  # level above which no base is built (OCS 15.3)
COST = {"1999": 2, "v4.3": 4}  # tokens a level: repair by the errata, building by 15.3
RULE = {"1999": "ocs-series/15-repair", "v4.3": "ocs-series/15"}


@order("raise base at {at} by {levels} levels with {units}[ paying from {payment}]", kind="raise")
class RaiseBase(Order):
    """Units in the hex of an air base give it levels: those it lost, or in v4.3 one more."""

    at: Where = slot(WHERE)
    levels: int = slot(INT)
    units: tuple[str, ...] = slot(many_slot(WORD))
    payment: str = slot(PAYMENT, default=AUTO)


def former_level(state: State, hex_: int) -> int:
    """The level that a damaged base had; 0 for any other hex."""
    known: dict[int, int] = dict(state.markers.get(DAMAGED, ()))
    return known.get(hex_, 0)


def note_damage(step: Step[State], hex_: int, level: int) -> None:
    """A base has lost levels: remember the highest that it had, until it has it again."""
    known: dict[int, int] = dict(step.state.markers.get(DAMAGED, ()))
    base = step.state.bases.get(hex_)
    if base is not None and base.level < max(level, known.get(hex_, 0)):
        known[hex_] = max(level, known.get(hex_, 0))
    else:
        known.pop(hex_, None)
    step.put("damaged", "markers", DAMAGED, tuple(sorted(known.items())) or None)


@rule("ocs-series/15-repair", "ocs-series/15")
def most_raised(state: State, hex_: int) -> int:
    """Levels that the phasing player may give a hex now: all that its base lost, in v4.3 one a turn up to level 3.

    An airstrip is no damaged base; it is made one by its upgrade (Burma 1.8).
    """
    base = state.bases.get(hex_)
    level = base.level if base is not None else 0
    if base is not None and (base.side != state.player or level < LEVEL_1):
        return 0
    if state.rules.version == "1999":
        return max(0, former_level(state, hex_) - level)
    return 0 if level >= TOP or hex_ in done_here(state, "raise").hexes else 1


@rule("ocs-series/15-repair", "ocs-series/15", "ocs/2.9", "ocs/2.4a")
def can_raise(state: State, pieces: Sequence[Piece]) -> bool:
    """For a repair 1 RE, for building in v4.3 an engineer-capable unit; Japan's Division HQs build no airfields."""
    if state.rules.version == "1999":
        return size_of(p for p in pieces if not p.counter.is_division_hq) >= Fraction(1)
    return any(builds_bases(p) for p in pieces)


def _impossible(state: State, o: RaiseBase) -> Iterator[Reason]:
    yield from no_such_hex(o.at)
    yield from no_such_builders(state, o.units)


def _forbidden(state: State, o: RaiseBase) -> Iterator[Reason]:
    assert isinstance(o.at, int)
    version, most = state.rules.version, most_raised(state, o.at)
    if not 1 <= o.levels <= most:
        yield because("no-levels", o.at, rule=RULE[version], levels=o.levels, most=most)
    absent = tuple(u for u in o.units if state.pieces[u].at != o.at)
    if absent:
        yield because("not-there", o.at, units=absent)
    tired = tuple(u for u in o.units if not ready_to_dig(state.pieces[u]))
    if tired:
        yield because("not-rested", rule="ocs-series/13.8", units=tired)
    if not can_raise(state, [state.pieces[u] for u in o.units]):
        yield because("no-base-repairers", rule=RULE[version], units=o.units)
    yield from payment_reasons(state, o.units, o.levels * COST[version], "build", o.payment)


@rule("ocs-series/15-repair", "ocs-series/15")
def _raise(step: Step[State], o: RaiseBase) -> None:
    assert isinstance(o.at, int)
    version, base = step.state.rules.version, step.state.bases.get(o.at)
    pay_for_works(step, o.units, o.levels * COST[version], o.payment)
    level = (base.level if base is not None else 0) + o.levels
    step.put("base", "bases", o.at, Base(step.state.player, level))
    note_damage(step, o.at, level)
    stay(step, o.units)
    mark_done(step, "raise", o.at, o.units)
    step.cite(RULE[version])


def builders(state: State, hex_: int) -> list[str]:
    """Units of the phasing player that could work on the base of a hex together, by id; empty when they cannot."""
    here = [p for p in stack(state, hex_) if p.counter.side == state.player and ready_to_dig(p)]
    able = can_raise(state, here) and most_raised(state, hex_) > 0
    return [p.id for p in here] if able else []


def _choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice] | None:
    values = partial.values
    if slot_ == "at":
        found = sorted(h for h in stacks(state) if builders(state, h))
        return [Choice(h, state.board.label(h), hexes=(h,)) for h in found]
    if slot_ == "levels":
        return [Choice(n, f"{n}") for n in range(1, most_raised(state, values["at"]) + 1)]
    if slot_ == "units":
        taken = values.get("units", ())
        return [Choice(u, state.pieces[u].counter.label) for u in builders(state, values["at"]) if u not in taken]
    return payment_choices(state, values.get("units", ()), values["levels"] * COST[state.rules.version], "build")


def _offered(state: State) -> bool:
    """In v4.3 always; in 1999 once a base has lost a level."""
    return state.rules.version != "1999" or DAMAGED in state.markers


AIRFIELDS = Room(
    "airfields",
    {RaiseBase: OrderRules(_impossible, _forbidden, _raise, _choices)},
    {"movement": ("raise",)},
    needs={"raise": _offered},
)
