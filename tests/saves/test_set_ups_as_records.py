"""Every set-up of the nine scenarios can be laid by orders, written down, saved and opened again."""

from __future__ import annotations

import pytest

from burma_study.engine.session import Session
from burma_study.games.registry import game_of
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.orders import orders_between
from burma_study.rules.ocs.setup import start

NAMES = ["learning", "thursday", "u-go", "marauders", "sato", "imphal", "campaign-1", "campaign-2", "campaign-3"]


@pytest.mark.parametrize("name", NAMES)
def test_a_set_up_is_laid_by_orders_that_the_rules_allow_and_comes_back_from_its_save(name, tmp_path):
    wanted = start(f"ocs/{name}")
    empty = GAME.start(wanted.scenario, rules=wanted.rules, player=wanted.player, first=wanted.first)
    session = Session(GAME, empty, setup=wanted.scenario, seed="set-up")
    orders = orders_between(empty, wanted)
    assert len(orders) > len(wanted.pieces) >= 10
    assert [GAME.parse(order.text) for order in orders] == list(orders)
    session.push_all(orders, "history")
    assert session.state == wanted
    path = tmp_path / "set-up.json.gz"
    session.save(path)
    again = Session.open(path, game_of)
    assert again.state == wanted
    assert again.rerun() is None
