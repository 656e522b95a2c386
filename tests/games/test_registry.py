"""The registry finds a game by its folder, and imports it only when it is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from burma_study.errors import ScenarioError
from burma_study.games.registry import edition, edition_of, game_ids, game_of, meta, play_of
from burma_study.scenarios import scenario_files


def test_every_scenario_belongs_to_a_game_that_is_found():
    assert {scenario.partition("/")[0] for scenario in scenario_files()} <= set(game_ids())
    for id_ in game_ids():
        found = edition(id_)
        assert (found.id, found.game.id, game_of(id_)) == (id_, id_, found.game)
        assert tuple(meta(id_).sides) == found.sides
        assert (meta(id_).id, meta(id_).title) == (found.id, found.title)
        assert play_of(f"{id_}/any").edition is found is edition_of(f"{id_}/any")


@pytest.mark.parametrize("ask", [meta, game_of, edition, edition_of, play_of])
@pytest.mark.parametrize("name", ["osc", "", "../ocs", "ocs.policies", "__pycache__"])
def test_a_game_that_is_none_is_refused_with_those_there_are(ask, name):
    with pytest.raises(ScenarioError, match=r"There is no game .*games are ocs"):
        ask(name)


def test_listing_the_games_imports_none():
    code = "import sys; from burma_study.games import registry; [registry.meta(i) for i in registry.game_ids()]; "
    code += "print([m for m in sys.modules if m.startswith('burma_study.rules.')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
