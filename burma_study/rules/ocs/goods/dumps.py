"""Blowing one's own dumps (OCS 12.11a). Dumps split and merge by themselves: what lies in a hex is one dump."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import INT, Order, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.combat.segments import acting_side, done_here, mark_done
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.goods.losses import percent
from burma_study.rules.ocs.goods.payment import add
from burma_study.rules.ocs.movement.orders import HEX
from burma_study.rules.ocs.movement.zoc import held
from burma_study.rules.ocs.room import OrderRules, Room
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.turn.sequence import IDLE

BLOWN = "blown"
NEAR = 5  # hexes: with enemies so near a dump the game stops in Reaction and Exploitation to have it blown


@order("blow {tokens} T at {at}")
class Blow(Order):
    """Blow up all or part of a dump; a die says how much of that is destroyed."""

    at: int = slot(HEX)
    tokens: int = slot(INT)


def _impossible(state: State, o: Blow) -> Iterator[Reason]:
    dump = state.dumps.get(o.at)
    if dump is None or dump.side != acting_side(state):
        yield because("no-dump", o.at, side=acting_side(state), hard=True)
    elif not 1 <= o.tokens <= dump.tokens:
        yield because("not-within", slot="tokens", value=o.tokens, low=1, high=dump.tokens, hard=True)


@rule("ocs-series/12.11a")
def _forbidden(state: State, o: Blow) -> Iterator[Reason]:
    if o.at in done_here(state, BLOWN).hexes:
        yield because("blown-already", o.at, rule="ocs-series/12.11a")


@rule("ocs-series/12.11a")
def blow(step: Step[State], o: Blow) -> None:
    """One die of the stream `supply`: the percentage of the tokens named that is destroyed, to the nearest token."""
    share = step.state.rules.charts.dump_blowing[step.roll("supply").sum - 1]
    add(step, step.state.dumps[o.at].side, o.at, -percent(o.tokens, share), "blown")
    mark_done(step, BLOWN, o.at, ())
    step.cite("ocs-series/12.11a")


def _choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice]:
    if slot_ == "at":
        side, blown = acting_side(state), done_here(state, BLOWN).hexes
        own = sorted(h for h, d in state.dumps.items() if isinstance(h, int) and d.side == side and h not in blown)
        return [Choice(h, f"{state.dumps[h].tokens} T at {state.board.label(h)}", hexes=(h,)) for h in own]
    dump = state.dumps.get(partial.values["at"])
    return [Choice(n, f"{n} T") for n in range(dump.tokens if dump else 0, 0, -1)]


def _safe(state: State) -> bool:
    """No enemy unit is near any dump of the acting side: nobody would stop here to blow one."""
    side = acting_side(state)
    enemies = held(state, other_side(side))
    own = [h for h, d in state.dumps.items() if isinstance(h, int) and d.side == side]
    return not any(enemies.intersection(state.board.grid.disc(h, NEAR)) for h in own)


DUMPS = Room(
    "dumps",
    {Blow: OrderRules(_impossible, _forbidden, blow, _choices)},
    dict.fromkeys(("movement", "reaction", "exploitation"), ("blow",)),
)
for _phase in ("reaction", "exploitation"):
    IDLE[_phase][DUMPS.name] = _safe
