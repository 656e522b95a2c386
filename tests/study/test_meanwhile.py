"""What happened since a reader's order, in few words."""

from __future__ import annotations

import pytest

from burma_study.games.ocs.meanwhile import meanwhile
from burma_study.games.ocs.play import Play
from burma_study.games.ocs.story import story


@pytest.fixture(scope="module")
def waited() -> Play:
    """The Japanese order nothing for a turn, the Allies play by their plan, to the second Japanese Movement Phase."""
    play = Play.from_setup("ocs/u-go", seed="3", players={"allied": "plan"})
    play.advance(60)
    answers = {"forage": "forage mark", "go": "go second"}
    while (play.state.turn, play.state.phase, play.actor) != (2, "movement", "japanese"):
        kinds = play.session.decision.kinds
        play.give("done" if "done" in kinds else answers[kinds[0]])
        play.advance(60)
    return play


def test_each_player_turn_is_one_paragraph_and_marches_are_counted(waited: Play) -> None:
    told = meanwhile(waited.session, 0)
    heads = [text.split(":")[0] for text in told]
    assert len(heads) == len(set(heads))
    allied = next(text for text in told if text.startswith("Turn 1, Allied"))
    tree = waited.session.tree
    nodes = [line.node for line in story(waited.session) if (line.turn, line.player) == (1, "allied")]
    effects = [e for n in nodes for e in tree[n].events if e.kind in ("moved", "railed") and e.table == "pieces"]
    moved = {e.key for e in effects}
    assert len(moved) > 5
    assert f"{len(moved)} units move." in allied


def test_who_moves_first_is_told_with_the_turn(waited: Play) -> None:
    told = meanwhile(waited.session, 0)
    chosen = [
        r for r in map(waited.session.tree.__getitem__, waited.session.tree.path()[1:]) if r.order.text[:3] == "go "
    ]
    assert len([t for t in told if t.startswith("Turn 2:")]) == len(chosen) == 1


def test_nothing_since_is_nothing(waited: Play) -> None:
    assert meanwhile(waited.session, waited.node) == []
