"""The log in sentences and the ledger of luck, from records and from saves without running rules."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from burma_study.engine.dice import Roll
from burma_study.engine.saves import read_save
from burma_study.engine.session import Session
from burma_study.games.ocs import story as stories
from burma_study.games.ocs.policies import play, policy
from burma_study.games.ocs.story import at_least, dice_in_words, luck, story
from burma_study.games.registry import game_of
from burma_study.rules.ocs.combat.battle import mean_points, valued
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup import start

LEARNING = "ocs/learning"


@pytest.fixture(scope="module")
def session() -> Session:
    found = Session(GAME, start(LEARNING), setup=LEARNING, seed="12")
    plans = {"japanese": "harry the rearguard", "allied": "break the blocks"}
    play(found, {side: policy(LEARNING, side, name) for side, name in plans.items()})
    return found


def told(session: Session, kind: str) -> list[str]:
    lines = story(session)
    return [line.text for line in lines if session.tree[line.node].order.kind == kind]


def test_every_record_has_a_sentence(session: Session) -> None:
    lines = story(session)
    assert [line.node for line in lines] == list(session.tree.path())[1:]
    assert all(line.sentences and line.text for line in lines)


def test_a_march_is_told_once_from_start_to_end(session: Session) -> None:
    first = told(session, "move")[0]
    assert " from B" in first
    assert " to B" in first


def test_labels_stand_for_ids(session: Session) -> None:
    assert not any("j/inf" in line.text or "a/inf" in line.text for line in story(session))


def test_a_battle_is_told_with_its_column_and_its_exact_chance(session: Session) -> None:
    fights = [line.text for line in story(session) if "is the column" in line.text]
    assert fights
    assert all("a chance of" in text and "the attacker fares this badly or worse in" in text for text in fights)


def test_the_turn_and_the_weather_are_told(session: Session) -> None:
    text = " ".join(line.text for line in story(session))
    assert "Turn 2 begins." in text
    assert "ground " in text or "Weather " in text


def test_a_save_is_told_as_the_game_is(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No rule is run: the game's own functions raise meanwhile."""
    path = tmp_path / "game.json.gz"
    session.save(path)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("rules were run")

    for name in ("objections", "carry", "choices"):
        monkeypatch.setattr(type(GAME), name, never)
    save = read_save(path, game_of)
    assert [line.text for line in story(save)] == [line.text for line in story(session)]
    assert luck(save) == luck(session)


def test_only_what_came_since_a_node(session: Session) -> None:
    assert next(line.node for line in story(session, since=100)) == 101
    assert len(story(session, 10)) == 10


def test_the_odds_of_dice() -> None:
    """Two dice show 9 or more in 10 of 36 ways, a die 5 or more in 2 of 6."""
    assert at_least(Roll("combat", 1, "", 0, (4, 5))) == Fraction(10, 36)
    assert at_least(Roll("combat", 1, "", 0, (5,))) == Fraction(1, 3)
    assert dice_in_words(Roll("supply", 1, "", 0, (6, 6))) == "supply 6+6 = 12 (2.8 % for that or more)"


# luck -----------------------------------------------------------------------------------------------------------------


def test_luck_is_what_was_owed_less_what_is_owed_on_average(session: Session) -> None:
    ledger = luck(session)
    battles = [f for f in ledger.fights if not f.what.startswith("Barrage")]
    assert {f.what.split()[0] for f in battles} <= {"Attack", "Banzai", "Overrun"}
    reports = [
        dict(e.new)
        for n in session.tree.path()[1:]
        for e in session.tree[n].events
        if e.kind == "battle" and e.key == "battle"
    ]
    assert len(battles) == len(reports) > 0
    for fight, report in zip(battles, reports, strict=True):
        (own, theirs), (own_mean, mean) = report["owed"], report["mean"]
        assert fight.luck == (theirs - mean) - (own - own_mean)


def test_one_sides_luck_is_the_others_misfortune(session: Session) -> None:
    ledger = luck(session)
    assert ledger.by_side("japanese") == -ledger.by_side("allied")
    by_turns = sum((ledger.by_side("allied", turn) for turn in range(1, 6)), Fraction(0))
    assert by_turns == ledger.by_side("allied")


def test_rows_add_up(session: Session) -> None:
    ledger = luck(session)
    assert sum(row["fights"] for row in ledger.rows()) == len(ledger.fights)
    assert sum(row["actual"] for row in ledger.rows()) == sum(f.actual for f in ledger.fights)
    assert len(ledger.sentences()) == 2


def test_the_mean_of_a_battle_is_the_sum_over_its_results(session: Session) -> None:
    """The mean in the report is that of the odds of the frame that rolled."""
    for node in session.tree.path()[1:]:
        record, before = session.tree[node], session.state_at(session.tree[node].parent)
        frame = before.frames[-1] if before.frames else None
        if record.order.kind == "lead" and frame is not None and frame["stage"] == "counter":
            report = next(dict(e.new) for e in record.events if e.kind == "battle")
            named = frame.but(defender_ar=report["defender_ar"], attacker_ar=report["attacker_ar"])
            assert report["mean"] == mean_points(valued(before, named)[1])
            return
    pytest.fail("no battle of this game asked both sides for a leader; take another seed")


def test_percent() -> None:
    assert stories.percent(Fraction(1, 3)) == "33.3 %"
