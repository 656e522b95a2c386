"""What the desk of play says of games that are kept: that one parted, was left unsaved, or went to make room."""

from __future__ import annotations

from collections.abc import Sequence

from burma_study.study import autosave

APART = (
    "This game was played on elsewhere as well, in another tab or another window: what you order here is kept as a"
    " game of its own from now on, and the other stays as it is."
)
NAMED = 3  # games in one sentence


def left_behind(title: str, why: str) -> str:
    """A game that the reader left could not be saved, and why."""
    return (
        f"The game you left, {title}, could not be saved on disk: {why}. Look for it under Game, Kept in this browser,"
        " go on with it and download it."
    )


def dropped(games: Sequence[str]) -> str:
    """Games that went from the folder of saved games, by scenario and when they were saved."""
    more = f"; and {len(games) - NAMED} more" if games[NAMED:] else ""
    listed = "; ".join(games[:NAMED]) + more
    return f"The folder of saved games holds the {autosave.MOST} latest; of the oldest there went: {listed}."
