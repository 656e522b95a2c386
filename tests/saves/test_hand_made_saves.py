"""Saves made by hand, their checks made to fit: what cannot be is refused with its place, and nothing else breaks."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from burma_study.cli import main
from burma_study.engine.saves import _chained, read_save
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError, IllegalOrder, SaveError
from burma_study.games.ocs.play import Play
from burma_study.games.ocs.story import luck, story
from burma_study.games.registry import game_of
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.state import Rules

Rows = list[dict[str, Any]]
ORDERS = ("done", "done", "move j/inf/1-214-33 by B4.27", "done")
WRONG = ["x", -7, True, None, 1.5, [], {}, 10**9, ["a", 1], {"is": "Dump", "side": "allied", "tokens": 3}]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    path = tmp_path_factory.mktemp("saves") / "game.json"
    session = Session(GAME, start("ocs/learning"), setup="ocs/learning", seed="5")
    for order in ORDERS:
        session.push(order)
    session.save(path)
    return [{k: v for k, v in json.loads(line).items() if k != "check"} for line in path.read_text().splitlines()]


@pytest.fixture
def forged(rows: Rows, tmp_path: Path) -> Callable[..., Path]:
    """The save with one value changed: its row (from 0), the way to the value, and the value."""

    def forge(row: int, way: tuple[Any, ...], value: Any) -> Path:
        changed = json.loads(json.dumps(rows))
        inner = changed[row]
        for step in way[:-1]:
            inner = inner[step]
        inner[way[-1]] = value
        path = tmp_path / "forged.json"
        path.write_text("".join(_chained(changed)))
        return path

    return forge


def _at(rows: Rows, table: str, key: str) -> int:
    return next(n for n, (k, _) in enumerate(rows[1]["tables"][table]) if k == key)


def test_a_save_that_nobody_touched_opens_without_a_note(rows: Rows, forged: Callable[..., Path]) -> None:
    assert Session.open(forged(0, ("seed",), "5"), game_of).notes == ()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("steps", "two", "steps of a Piece is 'two', which should be int"),
        ("dg", 1, "dg of a Piece is 1, which should be bool"),
        ("stocks", True, "stocks of a Piece is True, which should be int"),
        ("at", 2.5, "at of a Piece is 2.5, which should be int or str"),
        ("mode", None, "mode of a Piece is None, which should be str"),
    ],
)
def test_a_field_of_the_wrong_type_is_named_with_its_line(
    rows: Rows, forged: Callable[..., Path], field: str, value: Any, said: str
) -> None:
    at = _at(rows, "pieces", "j/inf/1-214-33")
    path = forged(1, ("tables", "pieces", at, 1, field), value)
    assert read_save(path, game_of).unreadable == (f"Line 2: The {said}.",)
    with pytest.raises(SaveError, match=said):
        Session.open(path, game_of)
    assert main(["show", str(path)]) == 0, "it can still be shown"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("at", 10**9, "at is 1000000000, which is no hex of the map"),
        ("at", -1, "no hex of the map"),
        ("mode", "asleep", "none of combat, move, reserve, strat, exploit"),
        ("steps", -1, "steps is -1"),
        ("id", "j/inf/2-214-33", "its id is 'j/inf/2-214-33'"),
    ],
)
def test_a_value_that_no_rule_knows_is_named(
    rows: Rows, forged: Callable[..., Path], field: str, value: Any, said: str
) -> None:
    at = _at(rows, "pieces", "j/inf/1-214-33")
    with pytest.raises(SaveError, match=f"pieces, j/inf/1-214-33: .*{said}"):
        Session.open(forged(1, ("tables", "pieces", at, 1, field), value), game_of)


@pytest.mark.parametrize(
    ("table", "entry", "said"),
    [
        ("dumps", [5, {"is": "Hedgehog", "side": "allied", "level": 2}], "dumps, 5, is Hedgehog.* should be Dump"),
        ("dumps", [5, None], "dumps, 5, is None"),
        ("pieces", [7, "nothing"], "a key of pieces is 7, which should be str"),
        ("markers", ["reserve/japanese", "many"], "reserve/japanese: it is 'many', which should be int"),
        ("markers", ["script", {"is": "Dump", "side": "allied", "tokens": 1}], "script: it is Dump"),
        ("hedgehogs", [5, {"is": "Hedgehog", "side": "nobody", "level": 2}], "side is 'nobody'"),
    ],
)
def test_an_entry_of_the_wrong_kind_is_named(forged: Callable[..., Path], table: str, entry: Any, said: str) -> None:
    with pytest.raises(SaveError, match=said):
        Session.open(forged(1, ("tables", table), [entry]), game_of)


@pytest.mark.parametrize(
    ("scalar", "value", "said"),
    [("turn", "one", "turn of a State is 'one'"), ("phase", "lunch", "phase is 'lunch'"), ("player", 3, "player")],
)
def test_turn_phase_and_player_are_what_they_can_be(
    forged: Callable[..., Path], scalar: str, value: Any, said: str
) -> None:
    with pytest.raises(SaveError, match=said):
        Session.open(forged(1, ("scalars", scalar), value), game_of)


def test_an_effect_of_the_wrong_type_is_refused_with_its_record(rows: Rows, forged: Callable[..., Path]) -> None:
    row = next(n for n, r in enumerate(rows) if r.get("order", "").startswith("move "))
    event = next(n for n, e in enumerate(rows[row]["events"]) if e[0] == "moved")
    for value, said in ((5, "pieces, 'j/inf/1-214-33', is 5"), ([1, 2], "should be Piece")):
        path = forged(row, ("events", event, 4), value)
        with pytest.raises(SaveError, match=f"Record 3, 'move j/inf/1-214-33 by B4.27', cannot be used: .*{said}"):
            Session.open(path, game_of)
        assert main(["show", str(path)]) == 0


def test_an_effect_that_its_digest_does_not_know_is_noted(rows: Rows, forged: Callable[..., Path]) -> None:
    row = next(n for n, r in enumerate(rows) if r.get("order", "").startswith("move "))
    event = next(n for n, e in enumerate(rows[row]["events"]) if e[0] == "moved")
    (note,) = Session.open(forged(row, ("events", event, 4, "spent"), 0), game_of).notes
    assert note.startswith("Record 3 does not lead to the position whose digest it has.")


@pytest.mark.parametrize(
    ("way", "value"),
    [
        (("rolls",), [["weather", 1, "x", 0, [1], "six", 0]]),
        (("rolls",), [["weather", 1, "x", 0, [1], 6, None]]),
        (("reasons",), [["not-now", [[1, 2]], [], "", False]]),
        (("reasons",), [["not-now", [], ["A"], "", False]]),
        (("reasons",), [["not-now", [], [], "", 0]]),
        (("events",), [["k", "pieces", 1.5, None, None]]),
        (("salt",), True),
    ],
)
def test_a_record_of_the_wrong_types_is_refused_with_its_line(
    forged: Callable[..., Path], way: tuple[Any, ...], value: Any
) -> None:
    with pytest.raises(SaveError, match=r"'forged\.json', line 3, cannot be used"):
        read_save(forged(2, way, value), game_of)


def _ways(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way, *(w for k, v in inner for w in _ways(v, (*way, k)))]


@pytest.mark.parametrize("seed", range(60))
def test_whatever_is_changed_by_hand_only_the_family_of_errors_comes_of_it(
    rows: Rows, forged: Callable[..., Path], capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    dice = random.Random(seed)
    row = dice.choice([0, 1, *range(len(rows))])
    path = forged(row, dice.choice(_ways(rows[row])[1:]), dice.choice(WRONG))
    main(["show", str(path)])
    assert "fault of the program" not in capsys.readouterr().err
    try:
        play = Play.open(path)
    except BurmaStudyError as error:
        assert str(error)  # noqa: PT017 - any sentence will do
        return
    session = play.session
    assert len(story(session)) == len(session.tree.path()) - 1
    luck(session)
    for node in (session.node, 0):
        session.go(node)
        _use(play)


def _use(play: Play) -> None:
    """Look at a position and go on from it; what cannot be is said by the family."""
    for act in (lambda: play.look().supply(0, "allied"), play.session.options, lambda: play.give("done")):
        try:
            act()
        except BurmaStudyError as error:
            assert str(error)  # noqa: PT017 - any sentence will do


# seats and names ------------------------------------------------------------------------------------------------------


def test_who_plays_and_names_of_variations_are_kept(tmp_path: Path) -> None:
    play = Play.from_setup("ocs/learning", seed="1", players={"allied": "hold"})
    play.give("done")
    play.go(0)
    play.give("done", reroll=True)
    play.name_variation(1, "  Harry   waits ")
    path = tmp_path / "game.json"
    play.session.save(path)
    again = Play.open(path)
    assert again.players == {"japanese": "human", "allied": "hold"}
    assert again.variation_name(1) == "Harry waits"
    assert again.session.notes == ()
    again.name_variation(1, "")
    again.seat("allied", "human")
    again.session.save(path)
    assert Play.open(path).variation_name(1) == ""
    assert Play.open(path).players["allied"] == "human"


def test_a_policy_that_is_no_more_leaves_its_seat_to_the_reader(tmp_path: Path) -> None:
    play = Play.from_setup("ocs/learning", seed="1")
    play.session.seats.update(allied="genius", nobody="hold")
    path = tmp_path / "game.json"
    play.session.save(path)
    again = Play.open(path)
    assert again.players == {"japanese": "human", "allied": "human"}
    assert ["'genius'" in note or "'nobody'" in note for note in again.session.notes] == [True, True]


@pytest.mark.parametrize("text", [None, 5, "x" * 81])
def test_a_name_is_a_short_text(text: Any) -> None:
    play = Play.from_setup("ocs/learning", seed="1")
    with pytest.raises(BurmaStudyError, match=r"name"):
        play.name_variation(0, text)


@pytest.mark.parametrize(
    ("field", "value"),
    [("seats", []), ("seats", {"allied": 3}), ("names", [[1, 2]]), ("names", [[77, "x"]]), ("names", 3)],
)
def test_seats_and_names_of_the_wrong_type_are_refused(forged: Callable[..., Path], field: str, value: Any) -> None:
    with pytest.raises(SaveError, match=r"'forged\.json', line 1, cannot be used"):
        read_save(forged(0, (field,), value), game_of)


@pytest.mark.parametrize(
    "order",
    [
        "aircraft x, japanese zeppelin at B3.23",
        'marker reserve/japanese is "many"',
        "marker area is [1, 99999999]",
        "marker ended is 5",
        "marker script is 5",
        "place j/inf/1-214-33 at B3.23, -5/12 MP spent",
    ],
)
def test_what_no_save_could_be_opened_with_cannot_be_set_by_hand(order: str) -> None:
    """Also where no rule is enforced: a game that was played is never lost."""
    play = Play.from_setup("ocs/learning", seed="1", rules=Rules(enforcement="off"))
    with pytest.raises(IllegalOrder, match=r"is refused: "):
        play.give(order)
    assert len(play.session.tree) == 1
