"""Saving by itself: a game in a folder of the user's, written beside and renamed, some seconds after the last time."""

from __future__ import annotations

import errno
import os
import sys
import threading
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from time import monotonic

from burma_study.engine.records import Tree
from burma_study.engine.saves import read_save
from burma_study.errors import BurmaStudyError, SaveError
from burma_study.scenarios import scenario_files
from burma_study.study.play import Play, is_id

VARIABLE = "BURMA_STUDY_GAMES"
"""Environment variable that names the folder; empty for none at all, as on a server for many."""
SECONDS = 15.0
MOST = 20
ENDING = ".save.gz"


def folder() -> Path:
    """The folder of saved games: as the variable says, else the place for a program's data on this system."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return Path(named).expanduser()
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "burma-study" / "games"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home)) / "burma-study" / "games"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "burma-study" / "games"


def on() -> bool:
    """Is anything saved at all?"""
    return os.environ.get(VARIABLE, "on") != ""


def safe(name: str) -> str:
    """The name of a saved game; SaveError for anything that is not one of the folder."""
    if name not in kept():
        raise SaveError(f"There is no saved game {name!r}; there are {', '.join(kept()) or 'none'}.")
    return name


def file_name(scenario: str, game_id: str) -> str:
    """`SCENARIO-ID.save.gz`; SaveError for a scenario that there is not, or an id that is not eight hex digits."""
    name = f"{scenario.rpartition('/')[2]}-{game_id}{ENDING}"
    if not ours(name):
        raise SaveError(f"No file can be named for game {game_id!r} of {scenario!r}.")
    return name


def ours(name: str) -> bool:
    """Is this a name that a game is kept under? All else in the folder is the reader's own."""
    stem, _, game_id = name.removesuffix(ENDING).rpartition("-")
    known = {scenario.rpartition("/")[2] for scenario in scenario_files()}
    return name.endswith(ENDING) and stem in known and is_id(game_id)


def kept() -> list[str]:
    """Names of the saved games, the latest first."""
    return _all()[:MOST]


def _all() -> list[str]:
    if not on():
        return []
    with suppress(OSError):
        files = [p for p in folder().glob(f"*{ENDING}") if ours(p.name) and p.is_file() and not p.is_symlink()]
        return [p.name for p in sorted(files, key=lambda p: -p.stat().st_mtime)]
    return []


def saved_at(name: str) -> datetime | None:
    """When a game was saved, in local time; None when it is gone."""
    with suppress(OSError):
        return datetime.fromtimestamp((folder() / name).stat().st_mtime)
    return None


def plainly(error: Exception) -> str:
    """Why a game could not be saved, in a sentence that says what to do."""
    cause = error if isinstance(error, OSError) else error.__cause__
    number = cause.errno if isinstance(cause, OSError) else None
    why = REASONS.get(number or 0, "the folder of saved games cannot be used")
    return f"This game could not be saved on disk: {why}. Download it (Game, Download this game) before you leave it."


REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your share of the disk is full",
    errno.EACCES: "the folder of saved games may not be written",
    errno.EPERM: "the folder of saved games may not be written",
    errno.EROFS: "the disk may only be read",
}


def _stamp(path: Path) -> tuple[str, int, int] | None:
    """What tells whether another has written a file; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return path.name, found.st_ino, found.st_mtime_ns


def _orders(tree: Tree) -> list[tuple[int, str, int]]:
    records = [tree[node] for node in range(1, len(tree))]
    return [(r.parent, r.order.text, r.salt) for r in records]


class Autosave:
    """Writes one game at the end of phases, else when the last time is `SECONDS` ago; in a thread of its own."""

    def __init__(self, play: Play) -> None:
        self.play, self.due, self.problem = play, False, ""
        self._last = monotonic()
        self._stamp: tuple[str, int, int] | None = None  # of the file as this game left it
        self._thread: threading.Thread | None = None

    @property
    def path(self) -> Path:
        """Where this game goes: one file a game."""
        return folder() / file_name(self.play.scenario, self.play.id)

    def write(self) -> None:
        """Save if it is time; never raises, `problem` says what went wrong."""
        passed = monotonic() - self._last
        if not on() or (self._thread is not None and self._thread.is_alive()):
            return
        if passed > SECONDS or (self.due and passed > SECONDS / 5):
            self.due, self._last = False, monotonic()
            self._thread = threading.Thread(target=self._write, daemon=True)
            self._thread.start()

    def _write(self) -> None:
        try:
            stand = self._against()
            if stand == "apart":
                self.play.part()
            if stand != "behind":
                self._save(self.path)
            self.problem = ""
        except (OSError, BurmaStudyError) as error:
            self.problem = plainly(error)

    def _save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.play.session.save(path)
        self._stamp = _stamp(path)
        for old in [name for name in _all() if name != path.name][MOST - 1 :]:
            (folder() / old).unlink(missing_ok=True)

    def _against(self) -> str:
        """How this game stands to its file: `on` from it, `behind` it, or `apart` where another page played on."""
        found = _stamp(self.path)
        if found is None or found == self._stamp:
            return "on"
        try:
            file, session = read_save(self.path, lambda _: self.play.session.game), self.play.session
        except BurmaStudyError:  # whatever it is, it is not written over
            return "apart"
        if (file.header.setup, file.header.seed) != (session.setup, session.seed):
            return "apart"
        ours, theirs = _orders(session.tree), _orders(file.tree)
        both = min(len(ours), len(theirs))
        return "apart" if ours[:both] != theirs[:both] else "on" if len(ours) >= len(theirs) else "behind"

    def close(self) -> None:
        """Write what is not written yet, and wait for it."""
        if on() and len(self.play.session.tree) > 1:
            if self._thread is not None:
                self._thread.join(10)
            self._write()
