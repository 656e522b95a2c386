"""Fixtures for cases on made-up ground."""

from __future__ import annotations

import pytest
from combat_field import on as on
from movement_field import made

from burma_study.boards.board import Board
from burma_study.rules.ocs import state


@pytest.fixture
def ground(monkeypatch):
    """Put made-up ground under the state: `ground(rest="jungle")`."""

    def put(board: Board | None = None, **exceptions) -> Board:
        board = board or made(**exceptions)
        monkeypatch.setattr(state, "load_board", lambda _id: board)
        return board

    put()
    return put
