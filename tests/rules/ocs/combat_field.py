"""A made-up corner of the map for combat cases: clear ground unless told otherwise, A10.10 in the middle."""

from __future__ import annotations

import pytest

from burma_study.boards.board import Board, Route
from burma_study.hexes.grid import Grid, ocs_grid
from burma_study.rules.ocs import state
from burma_study.rules.ocs.combat import texts as combat_texts
from burma_study.rules.ocs.state import Hedgehog, Piece, Rules, State, new_state

GRID = ocs_grid()
TARGET = GRID.index("A10.10")
N, NE, SE, S, SW, NW = GRID.neighbours[TARGET]


def board(terrain=None, feature=None, rivers=None, crossings=None, roads=(), tracks=()) -> Board:
    """A clear board with the given exceptions by hex, or by source hex for hexsides of TARGET."""
    routes = [Route(f"r{i}", "all_weather", tuple(r)) for i, r in enumerate(roads)]
    routes += [Route(f"t{i}", "track", tuple(r)) for i, r in enumerate(tracks)]
    return Board(
        id="ocs",
        grid=GRID,
        terrain=tuple((terrain or {}).get(h, "clear") for h in GRID),
        feature=tuple((feature or {}).get(h, "") for h in GRID),
        attributes={},
        rivers={Grid.key(h, TARGET): kind for h, kind in (rivers or {}).items()},
        crossings={Grid.key(h, TARGET): kind for h, kind in (crossings or {}).items()},
        routes=tuple(routes),
        places=(),
    )


def situation(units: dict[str, int | Piece], rules: Rules | None = None, hedgehog=None, **scalars: str) -> State:
    """A state with units (id to hex, or a whole piece) and perhaps (side, level) of a hedgehog in TARGET."""
    found = new_state("ocs/test", rules, **scalars)
    for id_, at in units.items():
        found = found.place(at if isinstance(at, Piece) else Piece(id_, at))
    return found.put("hedgehogs", TARGET, Hedgehog(*hedgehog)) if hedgehog else found


@pytest.fixture
def on(monkeypatch):
    """Put a board under the state: `on(terrain={TARGET: "rough"})`."""

    def put(**exceptions) -> Board:
        made = board(**exceptions)
        for module in (state, combat_texts):
            monkeypatch.setattr(module, "load_board", lambda _id: made)
        return made

    put()
    return put
