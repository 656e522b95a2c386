"""The odds on the page are those of the battle: supply, leaders and phase as a battle fought now would have them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from battle_field import BRIGADE, R215, SECOND, attack, field, play
from combat_field import TARGET, N, S

import burma_study.rules.ocs.combat.battle as battle_room
from burma_study.engine.dice import KeyedDice
from burma_study.engine.session import Session
from burma_study.games.ocs import questions
from burma_study.games.ocs.session import Moment, OcsSession
from burma_study.games.registry import game_of
from burma_study.rules.ocs.combat import fighting
from burma_study.rules.ocs.combat.attack import AttackOptions, attack_odds
from burma_study.rules.ocs.combat.best import best_attacks
from burma_study.rules.ocs.combat.fighting import Attack
from burma_study.rules.ocs.combat.forecast import as_fought
from burma_study.rules.ocs.combat.odds import Odds
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.goods.payment import AUTO
from burma_study.rules.ocs.movement.orders import Overrun
from burma_study.rules.ocs.state import Piece, State

GOLDEN = Path(__file__).parents[2] / "golden"
UNITS = {BRIGADE: N, SECOND: S, R215[0]: TARGET, R215[1]: TARGET}


class FoughtError(Exception):
    """Carries the odds of a battle out of it, before its dice."""


def battle_odds(state: State, order: Any, monkeypatch: pytest.MonkeyPatch) -> Odds:
    """What the battle of an order computes when the defender pays if he can and the best unit of each side leads."""
    real = battle_room.valued

    def caught(now: State, frame: Any) -> Any:
        raise FoughtError(real(now, frame)[1])

    with monkeypatch.context() as patch:
        patch.setattr(battle_room, "valued", caught)
        try:
            while True:
                state = GAME.apply(state, order, KeyedDice("forecast")).state
                kinds = GAME.decision(state).kinds
                frame = state.frames[-1]
                word = "pay" if "pay" in kinds else f"lead with {battle_room.leaders(state, frame)[0]}"
                order = GAME.parse(word)
        except FoughtError as found:
            odds: Odds = found.args[0]
            return odds


def shown(state: State, order: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the odds panel and the order being built say of an attack or overrun."""
    kind = "overrun" if isinstance(order, Overrun) else "attack"
    target = order.target if kind == "overrun" else order.at
    panel = OcsSession("test", "Test", [Moment(state, "", "")])
    asked = {"kind": "overrun" if kind == "overrun" else "regular", "banzai": order.banzai}
    values = {"at": target, "target": target, "units": order.units, "banzai": order.banzai}
    draft = SimpleNamespace(kind=kind, value=values.get)
    built = questions.odds_of(SimpleNamespace(state=state), draft)
    assert built is not None
    return panel.fight(0, target, order.units, asked), built[1]


def told(odds: dict[str, Any]) -> dict[str, Any]:
    """Everything but what forbids the attack, and the basis: in a battle only the named units' ratings are read."""
    return {k: v for k, v in odds.items() if k not in ("allowed", "reasons", "basis")}


@lru_cache(maxsize=2)
def opened(name: str) -> Session:
    return Session.open(GOLDEN / f"{name}.json.gz", game_of)


def attacks(session: Session) -> Iterator[tuple[State, Any]]:
    """Attacks that could be ordered at the start of each combat segment: every unit there, and the best three ways."""
    seen = set()
    for node in range(len(session.tree)):
        state = session.state_at(node)
        when = (state.turn, state.player, state.phase)
        if state.phase not in fighting.PHASES or state.frames or when in seen:
            continue
        seen.add(when)
        for target in fighting.targets(state):
            units = tuple(p.id for p in fighting.ready(state, target))
            yield state, Attack(target, units, False, "", AUTO)
        for found in best_attacks(state, state.player, 3):
            yield state, Attack(found.target, found.attackers, found.options.banzai, "", AUTO)


def given(session: Session) -> Iterator[tuple[State, Any]]:
    """The attacks and overruns that were really ordered."""
    for node in range(1, len(session.tree)):
        order = session.tree[node].order
        if isinstance(order, Attack | Overrun):
            yield session.state_at(session.tree.parent(node)), order


@pytest.mark.rule("ocs-series/9.5", "ocs-series/9.6", "ocs-series/12.10")
@pytest.mark.parametrize(
    ("name", "least"),
    [("learning-block", 8), ("learning-harry", 8), pytest.param("u-go-dimapur", 40, marks=pytest.mark.slow)],
)
def test_odds_shown_for_an_attack_are_those_that_its_battle_computes(name, least, monkeypatch):
    compared = 0
    for state, order in [*attacks(opened(name)), *given(opened(name))]:
        if GAME.check(state, order):
            continue
        fought = told(battle_odds(state, order, monkeypatch).as_dict())
        for odds in shown(state, order):
            assert told(odds) == fought, order.text
        compared += 1
    assert compared >= least


def panel_of(state: State, *units: str, **asked: Any) -> dict[str, Any]:
    """The odds panel on TARGET."""
    return OcsSession("test", "Test", [Moment(state, "", "")]).fight(0, TARGET, units, asked)


@pytest.mark.usefixtures("on")
@pytest.mark.rule("ocs-series/12.10", "ocs-series/9.5")
@pytest.mark.parametrize(
    ("stocks", "supply", "defence"),
    [((2, 2), (), "4"), ((2, 0), (), "3"), ((0, 0), (), "2"), ((0, 0), ("japanese",), "4")],
)
def test_series_12_10_the_panel_halves_who_is_out_of_stocks_and_all_when_nobody_pays(stocks, supply, defence):
    """Two battalions of 2: each lives on its own stocks; tokens in reach of one feed both."""
    mates = {u: Piece(u, TARGET, stocks=n) for u, n in zip(R215[:2], stocks, strict=True)}
    state = field({**UNITS, **mates}, supply=("allied", *supply))
    assert panel_of(state, BRIGADE, SECOND)["defence"] == defence
    begun = play(state, attack(BRIGADE, SECOND))
    kinds = GAME.decision(begun).kinds
    shown_then = questions.fight_asked_about(SimpleNamespace(state=begun))
    assert [odds["defence"] for _, odds in shown_then] == ([defence, "2"] if "pay" in kinds else ["2"])
    if "pay" in kinds:
        paid = play(begun, "pay")
        assert [odds["defence"] for _, odds in questions.fight_asked_about(SimpleNamespace(state=paid))] == [defence]


@pytest.mark.usefixtures("on")
def test_series_9_5_the_panel_says_when_the_attackers_cannot_pay():
    poor = {u: Piece(u, at, stocks=0) for u, at in ((BRIGADE, N), (SECOND, S))}
    odds = panel_of(field({**UNITS, **poor}, supply=("japanese",)), BRIGADE, SECOND)
    assert [r["code"] for r in odds["reasons"]] == ["no-combat-supply"]


@pytest.mark.usefixtures("on")
@pytest.mark.rule("ocs-series/9.13")
def test_series_9_13_no_exploit_result_counts_in_the_exploitation_phase():
    """The same attack of units in Exploit Mode: the odds say so before, and the battle afterwards."""
    strong = {u: Piece(u, N, mode="exploit") for u in (BRIGADE, SECOND)} | {R215[0]: TARGET}
    later = field(strong, phase="exploitation_combat")
    assert panel_of(field(strong), BRIGADE, SECOND)["expected"]["exploit"] != "0"
    odds = panel_of(later, BRIGADE, SECOND)
    assert (odds["exploit_void"], odds["expected"]["exploit"]) == (True, "0")
    dice = [(6, 6), (6,), (6, 6)]
    orders = (attack(BRIGADE, SECOND), "decline", f"lead with {BRIGADE}")
    after = play(later, *orders, dice=dice)
    assert after.frames[-1]["void"]


@pytest.mark.usefixtures("on")
def test_a_defender_may_be_assumed_to_decline():
    state = field(UNITS)
    how = as_fought(state, TARGET, (BRIGADE, SECOND), AttackOptions(defender_pays=False))
    assert attack_odds(state, TARGET, (BRIGADE, SECOND), how).defence == Fraction(2)
