"""What a player looks for first, against the figures of the rules review, part G."""

from __future__ import annotations

from fractions import Fraction

import pytest

from burma_study.errors import ScenarioError
from burma_study.games.ocs import advice
from burma_study.games.ocs.line import load_line
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.state import Piece, State

UGO = "ocs/u-go"


@pytest.fixture(scope="module")
def siege() -> State:
    """History on 5 April 1944: IV Corps is cut off round Imphal."""
    return load_line(UGO).at(6).state


@pytest.mark.rule("ocs-series/12.6c")
def test_the_siege_clock_of_iv_corps(siege: State) -> None:
    """19 to 20 RE eat 10T a turn; two C-47 bring 1 SP; a diversion brings 3.5 RE of 4T."""
    found = advice.siege_clock(siege)
    assert found["eats"] == 10
    assert found["lift"] == 4
    assert found["diversion"] == 14
    assert found["cut"] == found["units"] > 0
    assert found["turns"] == Fraction(found["stock"], 6)
    assert "eat 10T a turn" in " ".join(found["sentences"])


@pytest.mark.rule("ocs/u-go.sr2")
def test_mean_income_is_that_of_the_halved_table() -> None:
    """2.31 SP for the Allies and 0.81 SP for Japan."""
    state = start(UGO)
    assert round(float(advice.mean_income(state, "allied") / 4), 2) == 2.31
    assert round(float(advice.mean_income(state, "japanese") / 4), 2) == 0.81


@pytest.mark.rule("ocs-series/12.8b")
@pytest.mark.parametrize(("ar", "steps", "chance"), [(5, 4, 26), (4, 4, 21), (5, 5, 10), (4, 5, 6)])
def test_the_forage_cliff(ar: int, steps: int, chance: int) -> None:
    """No loss: AR 5 26/36, AR 4 21/36; with five steps 10/36 and 6/36."""
    fives = [f"j/inf/{n}-58-31" for n in (1, 2, 3)] + ["j/inf/1-138-31", "j/inf/2-138-31"]
    fours = [f"j/inf/{n}-124-31" for n in (1, 2, 3)] + ["j/inf/1-60-15", "j/inf/2-60-15"]
    pieces = [Piece(u, 100) for u in (fives if ar == 5 else fours)[:steps]]
    assert advice.no_loss(start(UGO).rules.charts, pieces) == Fraction(chance, 36)


def test_a_stack_of_five_is_told_to_split() -> None:
    state = start(UGO)
    far = state.board.index("A15.25")
    for unit in ("j/inf/1-58-31", "j/inf/2-58-31", "j/inf/3-58-31", "j/inf/1-138-31", "j/inf/2-138-31"):
        state = state.place(Piece(unit, far, "move", "move"))
    row = next(r for r in advice.forage_odds(state, "japanese")["groups"] if r["hex"] == far)
    assert (row["no_loss"], row["split"]) == (Fraction(10, 36), Fraction(26, 36))
    assert "split it" in row["text"]


def test_tokens_that_an_attack_costs(siege: State) -> None:
    """1T a step."""
    found = advice.attack_tokens(start(UGO), ("j/inf/1-58-31", "j/inf/2-58-31"))
    assert (found["cost"], found["possible"]) == (2, True)
    assert found["sources"]


def test_rings_hold_what_an_hq_reaches() -> None:
    state = start(UGO)
    found = {h["hq"]: h for h in advice.rings(state, "japanese")["hqs"]}
    hq = found["j/hq/31_Div"]
    assert state.pieces["j/hq/31_Div"].at in hq["throw"]
    assert state.board.index("A23.12") in hq["throw"]
    assert state.board.index("A10.21") not in hq["throw"]
    assert hq["hex"] in hq["draw"]


def test_the_extender_carries_iv_corps_until_the_road_is_cut(siege: State) -> None:
    open_, cut = advice.extender_line(start(UGO), "allied"), advice.extender_line(siege, "allied")
    assert len(open_["extenders"][0]["units"]) > 10
    assert cut["extenders"][0]["units"] == ()
    assert advice.extender_line(siege, "japanese")["extenders"] == []


def test_the_road_marker(siege: State) -> None:
    assert not advice.road_cut(start(UGO))["cut"]
    found = advice.road_cut(siege)
    assert found["cut"]
    assert siege.board.index("A10.20") in found["hexes"]
    assert "j/inf/1-58-31" in found["units"]
    assert advice.road_cut(start("ocs/learning"))["cut"] is False


def test_who_may_move_twice_running() -> None:
    state = start(UGO)
    found = advice.who_next(state)
    assert (found["first"], found["double"], found["chance"]) == ("japanese", "allied", Fraction(1, 2))


def test_days_of_march_to_kohima() -> None:
    """31 Division reaches Kohima in six turns at its Move side's pace (rules review C 20)."""
    found = advice.days_of_march(start(UGO), "j/inf/1-124-31", "A10.21")
    assert 5 <= found["turns"]["move"] <= 7
    assert found["turns"]["combat"] > found["turns"]["move"] > found["turns"]["strat"]


def test_no_march_from_a_box() -> None:
    state = start(UGO)
    state = state.place(Piece("a/inf/48-17", "silchar"))
    with pytest.raises(ScenarioError, match="not on the map"):
        advice.days_of_march(state, "a/inf/48-17", "A7.09")


def test_history_stands_beside_the_readers_score(siege: State) -> None:
    found = advice.history_beside(siege)
    assert found["history"] == {"japanese": 33, "allied": 44}
    assert len(found["sentences"]) == 2
    assert advice.history_beside(start("ocs/learning"))["history"] == {}


@pytest.mark.parametrize("side", ["japanese", "allied"])
@pytest.mark.parametrize("scenario", [UGO, "ocs/learning"])
def test_a_first_look_is_always_possible(scenario: str, side: str) -> None:
    found = advice.first_look(start(scenario), side)
    assert all(isinstance(answer["sentences"], list) for answer in found.values())
