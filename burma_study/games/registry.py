"""What games there are: the one place that finds a game, by its folder here, and imports it when it is asked for."""

from __future__ import annotations

import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from burma_study.answers.edition import Edition
from burma_study.answers.meta import Meta
from burma_study.engine.game import Game
from burma_study.engine.session import Session
from burma_study.errors import SaveError, ScenarioError, did_you_mean
from burma_study.study.play import Play
from burma_study.study.uploads import bounded

_HERE = Path(__file__).parent


def game_ids() -> tuple[str, ...]:
    """Ids of the games in the house, without importing any: the folders here that hold an `edition.py`."""
    return tuple(sorted(p.parent.name for p in _HERE.glob("*/edition.py")))


def meta(game: str) -> Meta:
    """What a game says of itself, without importing its rules."""
    _known(game)
    found: Meta = import_module(f"burma_study.games.{game}.meta").META
    return found


def game_of(game: str) -> Game[Any]:
    """A game as the engine plays it, without all that stands above the rules."""
    _known(game)
    found: Game[Any] = import_module(f"burma_study.rules.{game}.game").GAME
    return found


def edition(game: str) -> Edition:
    """The edition of a game; ScenarioError names those there are."""
    _known(game)
    found: Edition = import_module(f"burma_study.games.{game}.edition").EDITION
    return found


def edition_of(scenario: str) -> Edition:
    """The edition of the game that a scenario such as `ocs/u-go` belongs to."""
    return edition(scenario.partition("/")[0])


def play_of(scenario: str) -> type[Play]:
    """What games of a scenario are played with."""
    game = scenario.partition("/")[0]
    _known(game)
    found: type[Play] = import_module(f"burma_study.games.{game}.play").Play
    return found


def _known(game: str) -> None:
    if game not in game_ids():
        hint = did_you_mean(game, game_ids())
        raise ScenarioError(f"There is no game {game!r}; games are {', '.join(game_ids())}. {hint}".strip())


def open_game(path: str | Path, *, recover: bool = False) -> Play:
    """A game of whichever kind from a save; SaveError says what is wrong with it."""
    session = Session.open(path, game_of, recover=recover)
    return play_of(session.setup).taken_up(session)


def uploaded(content: bytes, name: str = "game.save.gz") -> Play:
    """A game from the content of a save, as a browser hands it over."""
    bounded(content)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / _plain_name(name)
        path.write_bytes(content)
        try:
            return open_game(path)
        except MemoryError:
            raise SaveError(
                "This game takes more memory than there is here: open it in a program of your own."
            ) from None


def _plain_name(name: str) -> str:
    """A file's name that any system takes, whatever the browser calls it."""
    kept = "".join(c for c in name[-80:] if c.isalnum() or c in "._- ").strip(". ")
    return kept or "game.save"
