"""Blowing one's own supply, on the ground or loaded (OCS 12.11a).

Dumps split and merge by themselves: what lies in a hex is one dump.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import INT, Order, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules, Room
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.combat.segments import acting_side, done_here, mark_done
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.goods.losses import percent
from burma_study.rules.ocs.goods.payment import take, tokens_at
from burma_study.rules.ocs.movement.orders import HEX
from burma_study.rules.ocs.movement.zoc import held
from burma_study.rules.ocs.state import State

BLOWN = "blown"
NEAR = 5  # hexes: with enemies so near a dump the game stops in Reaction and Exploitation to have it blown


@order("blow {tokens} T at {at}")
class Blow(Order):
    """Blow up all or part of a dump; a die says how much of that is destroyed."""

    at: int = slot(HEX)
    tokens: int = slot(INT)


def _impossible(state: State, o: Blow) -> Iterator[Reason]:
    side = acting_side(state)
    there = tokens_at(state, side, o.at)
    if not there:
        yield because("no-dump", o.at, side=side, hard=True)
    elif not 1 <= o.tokens <= there:
        yield because("not-within", slot="tokens", value=o.tokens, low=1, high=there, hard=True)


@rule("ocs-series/12.11a")
def _forbidden(state: State, o: Blow) -> Iterator[Reason]:
    if o.at in done_here(state, BLOWN).hexes:
        yield because("blown-already", o.at, rule="ocs-series/12.11a")


@rule("ocs-series/12.11a")
def blow(step: Step[State], o: Blow) -> None:
    """One die of the stream `supply`: the percentage of the tokens named that is destroyed, to the nearest token.

    What lies on the ground goes first, then what is loaded on transport, which itself is not harmed.
    """
    share = step.state.rules.charts.dump_blowing[step.roll("supply").sum - 1]
    take(step, acting_side(step.state), o.at, percent(o.tokens, share), kind="blown")
    mark_done(step, BLOWN, o.at, ())
    step.cite("ocs-series/12.11a")


def stored(state: State, side: str) -> list[int]:
    """Hexes where a side has supply on the ground or on transport, buffaloes apart, ascending."""
    ground = {h for h, d in state.dumps.items() if d.side == side}
    loads = {t.at for t in state.transport.values() if t.side == side and t.load and t.kind != "buffalo"}
    return sorted(h for h in ground | loads if isinstance(h, int))


def _choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    if slot_ == "at":
        side, blown = acting_side(state), done_here(state, BLOWN).hexes
        own = ((h, tokens_at(state, side, h)) for h in stored(state, side) if h not in blown)
        return [Choice(h, f"{there} T at {state.board.label(h)}", hexes=(h,)) for h, there in own]
    return [Choice(n, f"{n} T") for n in range(tokens_at(state, acting_side(state), partial.values["at"]), 0, -1)]


def _safe(state: State) -> bool:
    """No enemy unit is near any dump of the acting side: nobody would stop here to blow one."""
    side = acting_side(state)
    enemies = held(state, other_side(side))
    return not any(enemies.intersection(state.board.grid.disc(h, NEAR)) for h in stored(state, side))


DUMPS = Room(
    "dumps",
    {Blow: OrderRules(_impossible, _forbidden, blow, _choices)},
    dict.fromkeys(("movement", "reaction", "exploitation"), ("blow",)),
    idle=dict.fromkeys(("reaction", "exploitation"), _safe),
)
