"""No order makes a piece under a name in play, and transport and supply come from nowhere in no scenario: walks."""

from __future__ import annotations

import pytest
from fuzzing import Fuzzer

from burma_study.engine.records import Event, Record
from burma_study.rules.ocs.setup import scenarios
from burma_study.rules.ocs.state import State, Transport

SCENARIOS = [s.id for s in scenarios() if s.id.startswith("ocs/")]
NEW = ("arrived", "exchanged")
CHANGE_SIZE = {*NEW, "destroyed", "captured", "withdrawn", "flown in", "ate", "spent"}


def overwritten(record: Record) -> list[Event]:
    """Events that put a piece where another of that name stood."""
    found = []
    for e in record.events:
        if e.table == "transport" and e.old is not None and e.new is not None:
            grown = e.new.size > e.old.size and e.kind != "merged"
            if e.kind in NEW or grown or (e.new.side, e.new.kind, e.new.id) != (e.old.side, e.old.kind, e.key):
                found.append(e)
        if e.table in ("pieces", "aircraft") and e.new is not None and e.new.id != e.key:
            found.append(e)
    return found


def points(state: State) -> dict[str, int]:
    kinds = {t.kind for t in state.transport.values()}
    return {k: sum(t.size for t in state.transport.values() if t.kind == k) for k in sorted(kinds)}


def test_the_look_sees_a_mule_that_wipes_out_another() -> None:
    old, new = Transport("a/mule/2", "allied", "mule", 8, 5, 8), Transport("a/mule/2", "allied", "mule", 4, 9, 4)
    walk = Fuzzer("ocs/learning", 1)
    walk.step()
    made = walk.session.tree[walk.session.node]._replace(events=(Event("arrived", "transport", old.id, old, new),))
    assert overwritten(made)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_order_overwrites_a_piece_or_makes_transport(scenario: str) -> None:
    walk = Fuzzer(scenario, 41)
    for _ in range(40):
        if not walk.session.decision.actor:
            break
        before = walk.session.state
        walk.step()
        record = walk.session.tree[walk.session.node]
        assert overwritten(record) == [], record.order.text
        if not CHANGE_SIZE & {e.kind for e in record.events if e.table == "transport"}:
            assert points(before) == points(walk.session.state), record.order.text
