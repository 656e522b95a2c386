"""What is done in a game, counted from its records, so that a script of passes cannot stand for one."""

from __future__ import annotations

from collections import Counter

from burma_study.engine.records import Record
from burma_study.engine.session import Session
from burma_study.rules.ocs.combat.firing import tokens as barrage_tokens
from burma_study.rules.ocs.combat.firing import ways_to_fire
from burma_study.rules.ocs.combat.payment import attack_payments, defence_payments
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.goods.payment import Payment
from burma_study.rules.ocs.state import State

KINDS = {
    "attack": "attacks",
    "overrun": "overruns",
    "barrage": "barrages",
    "hip_shoot": "air strikes",
    "bomb": "air strikes",
    "load": "loads",
    "unload": "loads",
    "freight": "freight",
    "move": "marches",
    "retreat": "retreats",
    "advance": "advances",
    "release": "reserves released",
    "refit": "refits",
    "eat": "meals",
    "eat-all": "meals",
    "forage": "forage",
    "starve": "losses by hunger",
    "dig-in": "works",
    "fortify": "works",
    "divert": "diversions",
    **dict.fromkeys(("lift", "ferry", "station", "strike", "hip_shoot", "hump", "fly_in"), "flights"),
}


def counts(session: Session) -> Counter[str]:
    """How often each thing was done on the way to the cursor; `throws` are payments that came through an HQ."""
    found: Counter[str] = Counter()
    for node in session.tree.path()[1:]:
        record = session.tree[node]
        kind = GAME.parse(record.order.text).kind
        found[KINDS.get(kind, kind)] += 1
        found["air strikes"] += kind == "hip_shoot"
        found["throws"] += any(p.hq for way in payments(session.state_at(record.parent), record) for p in way.portions)
        found["retreats"] += _fell_back(record, kind)
    return found


def _fell_back(record: Record, kind: str) -> int:
    """Retreats that nobody had to be asked about."""
    return int(kind != "retreat" and any(e.kind == "retreated" for e in record.events))


def payments(state: State, record: Record) -> tuple[Payment, ...]:
    """How a fight was paid for by this record."""
    order = GAME.parse(record.order.text)
    if order.kind in ("attack", "overrun"):
        return tuple(attack_payments(state, order.units, order.payment) or ())  # type: ignore[attr-defined]
    if order.kind == "barrage":
        return ways_to_fire(state, order.units, barrage_tokens(state, order))[:1]  # type: ignore[attr-defined, arg-type]
    if order.kind == "pay":
        return tuple(defence_payments(state, state.frames[-1]["defenders"])[:1])
    return ()
