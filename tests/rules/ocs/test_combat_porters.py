"""Porters and crossings in combat, on the real map."""

from __future__ import annotations

from dataclasses import replace

import pytest

from burma_study.boards.board import load_board
from burma_study.rules.ocs.charts import charts_for
from burma_study.rules.ocs.combat.attack import AttackOptions, attack_odds
from burma_study.rules.ocs.combat.strength import Look, river_choice
from burma_study.rules.ocs.state import Piece, State, new_state

BOARD = load_board("ocs")
HQ, BN, ATTACKER = "j/hq/33_Div", "j/inf/1-214-33", "a/inf/48-17"


def situation(mustered: object) -> State:
    at, beside = BOARD.index("B9.25"), BOARD.index("B9.26")
    state = new_state("t").place(Piece(HQ, at)).place(Piece(BN, at, "move", "move")).place(Piece(ATTACKER, beside))
    return state.put("markers", "porters", mustered)


@pytest.mark.parametrize(("mustered", "defence", "rating"), [(((HQ, BN),), 2, 0), ((), 3, 5), (None, 2, 0)])
def test_burma_2_4b_a_porter_has_no_strength_and_no_rating(mustered: object, defence: int, rating: int) -> None:
    state = situation(mustered)
    odds = attack_odds(state, BOARD.index("B9.25"), [ATTACKER], AttackOptions())
    chain = {s.code: s for s in odds.chain}
    assert chain["defence_total"].value == str(defence)
    assert chain["defender_ar"].value == str(rating)
    assert ("porter" in chain) is (rating == 0)


def test_burma_1_4b_in_flood_a_crossing_on_a_minor_river_is_a_minor_river() -> None:
    crossing = next(s for s, c in BOARD.crossings.items() if c == "crossing" and BOARD.rivers[s] == "minor")
    plain = next(s for s, r in BOARD.rivers.items() if r == "minor" and s not in BOARD.crossings)
    flood = replace(new_state("t"), ground="flood")
    look = Look(charts_for())
    keys = {s: river_choice(look, flood, s).key for s in (crossing, plain)}
    assert keys == {crossing: "minor", plain: "major"}
