"""Games walked at random by what `options` offers; a longer walk is `python tests/fuzz.py --seconds 600`."""

from __future__ import annotations

from collections import Counter

import pytest
from accountant import tokens
from fuzzing import EXCUSED, Broken, Fuzzer, never_given

from burma_study.engine.records import Event
from burma_study.rules.ocs.state import Dump

SHORT = (("ocs/learning", "historical", 0, 11), ("ocs/u-go", "historical", 7, 12))


@pytest.mark.parametrize(("scenario", "setup", "step", "seed"), SHORT)
def test_a_short_walk_breaks_nothing(scenario: str, setup: str, step: int, seed: int) -> None:
    game = Fuzzer(scenario, seed, setup=setup, step_of_line=step)
    assert game.play(60) == 60


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_walks_of_whole_games_apply_every_kind_of_order_and_break_nothing() -> None:
    given: Counter[str] = Counter()
    walks = (("ocs/u-go", "historical", 0), ("ocs/learning", "historical", 0), ("ocs/u-go", "historical", 5))
    for n, (scenario, setup, step) in enumerate(walks * 5):
        Fuzzer(scenario, 500 + n, given, setup=setup, step_of_line=step).play(4000)
        if n >= 2 and not never_given(given):
            break
    print(sorted(given.items(), key=lambda kv: kv[1]))
    assert never_given(given) == []


def test_the_excuses_name_kinds_there_are() -> None:
    from burma_study.rules.ocs.game import GAME

    assert set(EXCUSED) <= set(GAME.book)


def test_the_walker_sees_supply_from_nowhere() -> None:
    """The invariants are no ornament: a state with more tokens than before is reported."""
    game = Fuzzer("ocs/learning", 3)
    game.play(5)
    before = game.session.state
    record = game.session.tree[game.session.node]._replace(events=(Event("dump", "dumps", 100, None, None),))
    game.session._states[-1] = before.put("dumps", 100, Dump("allied", 5))
    assert tokens(game.session.state).total() == tokens(before).total() + 5
    with pytest.raises(Broken, match="does not know 'dump'"):
        game._look(before, record)
