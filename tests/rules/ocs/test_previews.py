"""What is shown before an order and what carries it out are one computation, for every kind of order with odds.

Attacks and overruns of whole games are in `test_combat_forecast.py`; here are those that fire, fly, march and starve.
"""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from air_field import HOME, air, aloft, at, codes, fly
from dice import Dice
from movement_field import GRID

import burma_study.rules.ocs.air.bombing as bombing_room
import burma_study.rules.ocs.combat.firing as firing_room
from burma_study.engine.dice import KeyedDice
from burma_study.engine.step import Step
from burma_study.games.ocs import questions
from burma_study.games.ocs.advice import no_loss
from burma_study.rules.ocs.air.interdiction import interdiction
from burma_study.rules.ocs.combat.barrage_odds import BarrageOdds
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.movement.moving import may_move
from burma_study.rules.ocs.movement.reach import reach
from burma_study.rules.ocs.movement.terrain import MP
from burma_study.rules.ocs.setup.starting import start
from burma_study.rules.ocs.state import Dump, Piece, Rules, State
from burma_study.rules.ocs.supply.net import Net
from burma_study.rules.ocs.supply.trace import supply

JAPANESE, BRIGADE, GUNS = "j/inf/1-215-33", "a/inf/48-17", "a/art/17-17"
NO_OPT3 = Rules(options=tuple(o for o in Rules().options if o != "opt3"))


class FiredError(Exception):
    """Carries the odds of a barrage out of it, before its dice."""


def shown(state: State, kind: str, **values: Any) -> dict[str, Any]:
    """What the order being built says."""
    draft = SimpleNamespace(kind=kind, value=values.get)
    found = questions.odds_of(SimpleNamespace(state=state), draft)
    assert found is not None
    return found[1]


def resolved(state: State, *orders: str, monkeypatch: pytest.MonkeyPatch, phase: str = "") -> BarrageOdds:
    """The odds with which the last of some orders rolls; before it the phase turns to `phase`."""

    def caught(_step: Any, _target: int, odds: BarrageOdds, *_: Any, **__: Any) -> None:
        raise FiredError(odds)

    with monkeypatch.context() as patch:
        for room in (bombing_room, firing_room):
            patch.setattr(room, "strike", caught)
        try:
            for text in orders:
                state = GAME.apply(state, GAME.parse(text), KeyedDice("preview")).state
                state = state.with_(phase=phase) if phase else state
        except FiredError as found:
            odds: BarrageOdds = found.args[0]
            return odds
    raise AssertionError("nothing was fired")


def test_every_kind_of_order_that_shows_odds_is_compared_with_its_deed():
    """Whoever shows odds for another kind adds a comparison."""
    compared = {"attack", "overrun"} | {"barrage", "bomb", "hip_shoot", "strike"}
    assert set(questions.WITH_ODDS) == compared
    assert compared <= set(GAME.book)


# aircraft -------------------------------------------------------------------------------------------------------------


def raiders(target: str, type_: str = "hurricane", **more: Any) -> State:
    """One air unit at A10.10, a battalion at the target and a brigade beside it that spots."""
    beside = GRID.label(GRID.neighbours[at(target)][3])
    rules = more.pop("rules", Rules())
    return air({f"a/{type_}/1": (HOME, *more.pop("plane", ()))}, {JAPANESE: target, BRIGADE: beside}, **more).with_(
        rules=rules
    )


@pytest.mark.rule("ocs/opt.3e", "ocs/opt.3e.1", "ocs/3.2a")
@pytest.mark.parametrize(
    ("target", "type_", "plane", "points"),
    [
        ("A24.10", "hurricane", (), 6),  # 14 of 30 hexes
        ("A25.10", "hurricane", (), 3),  # 15, half its range
        ("A34.10", "hurricane", (), 3),
        ("A25.10", "hurricane", (1,), 2),  # 3 of a reduced unit, 1 1/2, rounded up
        ("A24.10", "hurricane", (2, True, True), 3),  # DG before: no worse by the flight
        ("A34.10", "hurricane", (2, True, True), 3),
        ("A25.10", "p-51", (), 5),
        ("A34.10", "p-40", (), 3),  # 24 of 35: 2 1/2
    ],
)
def test_a_hip_shoot_shows_what_it_will_roll_with(ground, monkeypatch, target, type_, plane, points):
    state = raiders(target, type_, plane=plane)
    order = f"hip shoot {target} with a/{type_}/1"
    assert codes(state, order) == []
    odds = shown(state, "hip_shoot", at=at(target), plane=f"a/{type_}/1")
    assert odds["points"] == points
    assert odds == resolved(state, order, monkeypatch=monkeypatch).as_dict()


@pytest.mark.rule("ocs/opt.3e")
def test_without_the_air_options_no_flight_tires(ground, monkeypatch):
    state = raiders("A34.10", rules=NO_OPT3)
    odds = shown(state, "hip_shoot", at=at("A34.10"), plane="a/hurricane/1")
    assert odds["points"] == 6
    assert odds == resolved(state, "hip shoot A34.10 with a/hurricane/1", monkeypatch=monkeypatch).as_dict()


@pytest.mark.rule("ocs/opt.3e", "ocs/opt.3o")
@pytest.mark.parametrize(("target", "points"), [("A24.10", 12), ("A25.10", 6)])
def test_a_strike_shows_what_its_bombs_will_roll_with(ground, monkeypatch, target, points):
    state = fly(raiders(target), "a/hurricane/2", HOME)
    planes = ("a/hurricane/1", "a/hurricane/2")
    before = shown(state, "strike", at=at(target), planes=planes)
    assert before["points"] == points
    orders = (f"strike {target} with {', '.join(planes)}", f"bomb {target} with {', '.join(planes)}")
    deed = resolved(state, *orders, monkeypatch=monkeypatch, phase="movement_barrage")
    over = GAME.apply(state, GAME.parse(orders[0]), KeyedDice("preview")).state
    assert before == shown(over, "bomb", at=at(target), planes=planes) == deed.as_dict()


def test_a_strike_at_an_empty_hex_has_no_odds(ground):
    draft = SimpleNamespace(kind="strike", value={"at": at("A24.11"), "planes": ("a/hurricane/1",)}.get)
    assert questions.odds_of(SimpleNamespace(state=raiders("A24.10")), draft) is None


@pytest.mark.parametrize(("target", "shift"), [("A19.10", True), ("A21.10", False)])
def test_bombs_of_v4_3_straight_from_a_base_show_what_they_roll_with(ground, monkeypatch, target, shift):
    """Within ten hexes of the base a column more; the base is still that after the flight."""
    state = raiders(target, version="v4.3", phase="movement_barrage", rules=Rules(version="v4.3", options=()))
    order = f"bomb {target} with a/hurricane/1"
    assert codes(state, order) == []
    odds = shown(state, "bomb", at=at(target), planes=("a/hurricane/1",))
    assert any(s["code"] == "near_base" for s in odds["steps"]) is shift
    assert odds == resolved(state, order, monkeypatch=monkeypatch).as_dict()


@pytest.mark.rule("ocs/opt.3e.1")
def test_bombs_too_few_after_the_flight_are_refused_before_it(ground):
    """An Oscar's type has 2 points, 1 reduced, 1/2 DG: rounded to 1, still bombs. Nothing less flies in the game."""
    state = raiders("A25.10", plane=(1, True, True))
    assert codes(state, "hip shoot A25.10 with a/hurricane/1") == []
    (unit,) = state.aircraft.values()
    assert bombing_room.points_over(state, [unit], at("A34.10")) == Fraction(3, 2), "DG once, not twice"


# guns -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dg", [False, True])
def test_a_barrage_shows_what_it_will_roll_with(ground, monkeypatch, dg):
    state = air({}, {JAPANESE: "A20.10", BRIGADE: "A20.09"}, phase="barrage")
    state = state.place(Piece(GUNS, at("A20.09"), "combat", "combat", dg=dg)).put(
        "dumps", at("A20.09"), Dump("allied", 40)
    )
    order = f"barrage A20.10 with {GUNS}"
    assert codes(state, order) == []
    odds = shown(state, "barrage", at=at("A20.10"), units=(GUNS,))
    assert odds == resolved(state, order, monkeypatch=monkeypatch).as_dict()


# interdiction ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/opt.3l", "ocs-series/14.15")
@pytest.mark.parametrize(("planes", "more"), [((), 0), (("a/spitfire-v/1",), 1), (("a/hurricane/1",), 4)])
def test_the_cost_of_a_march_under_aircraft_is_shown_as_it_is_paid(ground, planes, more):
    """Clear ground 1 MP, interdicted 1 more, seriously 3 more again; nothing to their own side."""
    state = air({}, {JAPANESE: Piece(JAPANESE, at("A20.10"), "move", "move")}, player="japanese")
    for id_ in planes:
        state = aloft(state, id_, "A20.11")
    found = next(m for m in may_move(state) if m.id == JAPANESE)
    preview = reach(state, JAPANESE, interdiction=interdiction(state, found.side))
    after = GAME.apply(state, GAME.parse(f"move {JAPANESE} by A20.11"), Dice()).state
    assert after.pieces[JAPANESE].spent == preview.costs[at("A20.11")] == (1 + more) * MP
    free = state.place(Piece(BRIGADE, at("A20.15"), "move", "move")).with_(player="allied")
    own = GAME.apply(free, GAME.parse(f"move {BRIGADE} by A20.14"), Dice()).state
    assert own.pieces[BRIGADE].spent == MP


@pytest.mark.rule("ocs/opt.3l", "ocs-series/12.3c")
def test_no_aircraft_change_what_draws_throws_and_traces_cost():
    """Serious interdiction over every hex of the Japanese line of U-Go: nobody's supply path is dearer."""
    plain = start("ocs/u-go").with_(air_ops="unrestricted")
    hexes = sorted({p.at for p in plain.pieces.values() if isinstance(p.at, int) and p.counter.side == "japanese"})
    under = plain
    for n, hex_ in enumerate(hexes):
        under = aloft(under, f"a/hurricane/{n}", GRID.label(hex_), home="silchar")
    assert set(interdiction(under, "japanese", True).values()) == {48}
    assert len(interdiction(under, "japanese", True)) == len(hexes), "seen in any country"
    assert supply(plain, "japanese").traces == supply(under, "japanese").traces
    for then, now in zip(Net(plain, "japanese").throwers, Net(under, "japanese").throwers, strict=True):
        assert (then.draw, then.limit) == (now.draw, now.limit)
        assert [then.field.cost(h) for h in GRID] == [now.field.cost(h) for h in GRID]


# starving -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/12.8b", "ocs/1.6-table")
@pytest.mark.parametrize("units", [(JAPANESE,), (JAPANESE, "j/inf/2-215-33", "j/inf/3-215-33"), ("j/inf/1-INA",)])
def test_the_chance_to_lose_nothing_is_that_of_the_attrition_roll(ground, units):
    """Each sum of two dice given to the procedure itself: those that call for no loss are the chance shown."""
    state = air({}, dict.fromkeys(units, "A20.10"))
    safe = 0
    for one in range(1, 7):
        for two in range(1, 7):
            step = Step(state, Dice(attrition=[(one, two)]), GAME.clock)
            step.open("attrition", units=units, who="", marked=False, hex=at("A20.10"))
            GAME.procedures["attrition"](step)
            safe += step.frame["loss"] == 0
    pieces = [state.pieces[u] for u in units]
    assert no_loss(state.rules.charts, pieces) == Fraction(safe, 36)
