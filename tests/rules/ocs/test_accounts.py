"""No order makes a piece under a name in play, and tokens, steps and transport are conserved: walks with an accountant.

A longer walk of all nine scenarios is in the slow tier, and `python tests/fuzz.py --seconds 600`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from accountant import GOODS, UNITS, audit
from dice import begun
from fuzzing import Broken, Fuzzer

from burma_study.engine.orders import Order
from burma_study.engine.records import Event, Record
from burma_study.rules import ocs as rules
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup import scenarios, start
from burma_study.rules.ocs.state import Aircraft, Dump, Piece, State, Transport

SCENARIOS = [s.id for s in scenarios() if s.id.startswith("ocs/")]
SHORT, LONG = 45, 600
MULE = Transport("a/mule/2", "allied", "mule", 8, 5, 8)
UNIT = Piece("a/inf/63-17", 5)
PLANE = Aircraft("a/c-47/1", "allied", "c-47", 5)
COLUMN = "a/col/A-16-3"


def record(*events: Event, order: Order | None = None, **more) -> Record:
    return Record(0, "allied", order or GAME.parse("done"), (), events, (), "enforce", "", **more)


def faults(*events: Event, state: State | None = None) -> list[str]:
    """What the accountant says of events that are carried out on a state without goods."""
    before = after = state or start("ocs/thursday").with_(turn=4)
    for e in events:
        if e.old is not None:
            before = before.put(e.table, e.key, e.old)
        after = after.put(e.table, e.key, e.new)
    return audit(before, after, record(*events))


def on(table: str, kind: str, old, new, key=None) -> Event:
    return Event(kind, table, key or getattr(new or old, "id", 5), old, new)


HONEST = [
    (on("dumps", "spent", Dump("allied", 4), Dump("allied", 1)),),
    (
        on("dumps", "loaded", Dump("allied", 4), None),
        on("transport", "loaded", replace(MULE, load=0), replace(MULE, load=4)),
    ),
    (
        on("transport", "split", MULE, replace(MULE, size=5, load=6)),
        on("transport", "split", None, replace(MULE, id="a/mule/9", size=3, load=2)),
    ),
    (on("dumps", "captured", Dump("japanese", 8), None), on("dumps", "captured", None, Dump("allied", 6))),
    (on("pieces", "destroyed", UNIT, replace(UNIT, at="dead")),),
    (on("pieces", "step lost", replace(UNIT, steps=2), UNIT),),
    (on("aircraft", "step lost", PLANE, replace(PLANE, steps=1)),),
    (
        on("pieces", "arrived", None, Piece(COLUMN, 9)),
        on("transport", "arrived", None, Transport("a/mule/7", "allied", "mule", 4, 9, 4)),
    ),
    (
        Event("marker", "markers", "income/allied", 6, 2),
        on("dumps", "arrived", None, Dump("allied", 4)),
    ),
]
WRONG = {
    "a mule wipes out another": (on("transport", "arrived", MULE, replace(MULE, at=9)),),
    "a name is not its own": (on("transport", "moved", replace(MULE, id="x"), MULE, key="x"),),
    "a march makes tokens": (on("transport", "moved", MULE, replace(MULE, load=9)),),
    "a march loses transport": (on("transport", "moved", MULE, replace(MULE, size=7)),),
    "paying adds": (on("dumps", "spent", Dump("allied", 1), Dump("allied", 4)),),
    "loading leaves the dump": (on("transport", "loaded", replace(MULE, load=0), MULE),),
    "loading for the other side": (
        on("dumps", "loaded", Dump("japanese", 8), None),
        on("transport", "loaded", replace(MULE, load=0), MULE),
    ),
    "a split doubles": (on("transport", "split", None, replace(MULE, id="a/mule/9")),),
    "more is captured than lay there": (
        on("dumps", "captured", Dump("japanese", 8), None),
        on("dumps", "captured", None, Dump("allied", 9)),
    ),
    "trucks become mules": (
        on("transport", "captured", Transport("j/truck/1", "japanese", "truck", 4, 5), None),
        on("transport", "captured", None, Transport("a/mule/9", "allied", "mule", 4, 5)),
    ),
    "supply arrives beyond the income": (
        Event("marker", "markers", "income/allied", 6, 4),
        on("dumps", "arrived", None, Dump("allied", 4)),
    ),
    "income in the middle of a phase": (Event("marker", "markers", "income/allied", None, 4),),
    "a mule that nobody brings": (on("transport", "arrived", None, replace(MULE, id="a/mule/9")),),
    "a mule too large": (
        on("pieces", "arrived", None, Piece(COLUMN, 9)),
        on("transport", "arrived", None, replace(MULE, id="a/mule/9")),
    ),
    "a march out of the dead pile": (on("pieces", "moved", replace(UNIT, at="dead"), UNIT),),
    "a unit arrives though it is in play": (on("pieces", "arrived", UNIT, replace(UNIT, at=9)),),
    "a unit vanishes": (on("pieces", "destroyed", UNIT, None),),
    "a unit grows": (on("pieces", "retreated", UNIT, replace(UNIT, steps=2)),),
    "a step is lost and none goes": (on("pieces", "step lost", UNIT, replace(UNIT, spent=1)),),
    "air units join and none goes": (on("aircraft", "joined", replace(PLANE, steps=1), PLANE),),
    "a sister beside herself": (on("pieces", "returned", None, Piece("a/inf/1-Gal-R", "ledo")),),
    "an event nobody knows": (on("pieces", "teleported", UNIT, replace(UNIT, at=9)),),
    "income that nobody knows": (Event("found", "markers", "income/allied", 6, 2),),
}


@pytest.mark.parametrize("events", HONEST, ids=lambda events: f"{events[0].table} {events[0].kind}")
def test_the_accountant_passes_what_is_right(events) -> None:
    assert faults(*events) == []


@pytest.mark.parametrize("name", WRONG)
def test_the_accountant_sees(name: str) -> None:
    assert faults(*WRONG[name])


def test_the_accountant_sees_a_change_without_an_event() -> None:
    before = begun(start("ocs/learning"), "movement", "japanese")
    assert audit(before, before, record()) == []
    assert audit(before, before.put("dumps", 5, Dump("allied", 1)), record())


@pytest.mark.rule("ocs/thursday.sr5")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_short_walk_is_accounted_for(scenario: str) -> None:
    Fuzzer(scenario, 41).play(SHORT)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_long_walk_is_accounted_for(scenario: str) -> None:
    Fuzzer(scenario, 700).play(LONG)


PUT = re.compile(r'step\.put\(\s*"([^"]+)"(?: if \w+ else "([^"]+)")?, (?:"(\w+)"|table),')


def test_the_accountant_knows_every_kind_of_event_that_the_rules_write() -> None:
    """Read from the source, walked or not; orders of set-up alone (`placing`) are outside the books."""
    written = set()
    for path in Path(rules.__file__).parent.rglob("*.py"):
        for kind, other, table in PUT.findall(path.read_text()) if path.name != "placing.py" else ():
            written |= {(t, k) for k in (kind, other) if k for t in ([table] if table else ("pieces", "transport"))}
    books = {**GOODS, **UNITS}
    assert len(written) > 60
    assert sorted((t, k) for t, k in written if t in books and k not in books[t]) == []


def test_the_walker_asks_the_accountant() -> None:
    game = Fuzzer("ocs/learning", 3)
    game.play(5)
    before, made = game.session.state, game.session.tree[game.session.node]
    game.session._states[-1] = before.put("dumps", 100, Dump("allied", 5))
    with pytest.raises(Broken, match="books do not close"):
        game._look(before, made._replace(events=()))
