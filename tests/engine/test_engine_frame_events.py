"""What a record keeps of procedures: one change of the frames at most, from what stood before to what stands after."""

from __future__ import annotations

import pytest

from burma_study.engine.records import Event, Record
from burma_study.engine.session import Session
from burma_study.games.ocs.policies import play, policy
from burma_study.games.registry import game_of
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup import start


@pytest.fixture(scope="module")
def session() -> Session:
    found = Session(GAME, start("ocs/learning"), setup="ocs/learning", seed="2")
    plans = {"japanese": "harry the rearguard", "allied": "break the blocks"}
    play(found, {side: policy("ocs/learning", side, name) for side, name in plans.items()})
    return found


def frames_of(record: Record) -> list[Event]:
    return [e for e in record.events if e.kind == "frame"]


def test_a_record_changes_the_frames_once_at_most(session: Session) -> None:
    records = [session.tree[n] for n in session.tree.path()[1:]]
    assert max(len(frames_of(r)) for r in records) == 1
    assert any(frames_of(r) for r in records)


def test_the_change_leads_from_the_frames_before_to_those_after(session: Session) -> None:
    for node in session.tree.path()[1:]:
        record = session.tree[node]
        before, after = session.state_at(record.parent).frames, session.state_at(node).frames
        assert [(e.old, e.new) for e in frames_of(record)] == ([(before, after)] if before != after else [])


def test_the_events_alone_lead_to_the_state(session: Session, tmp_path) -> None:
    path = tmp_path / "game.json.gz"
    session.save(path)
    opened = Session.open(path, game_of)
    assert [opened.state_at(n).digest for n in opened.tree] == [session.state_at(n).digest for n in session.tree]
