"""A reader's own scenario of OCS Burma: read, built in every set-up, and played to its end."""

from __future__ import annotations

import traceback
from pathlib import Path

from burma_study.boards.board import load_board
from burma_study.datafiles import data_root
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError, Problem
from burma_study.games.ocs.policies import Hold, Run, play
from burma_study.rules.ocs.counters import SIDES
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup import check_scenario
from burma_study.rules.ocs.setup.reader import read_scenario
from burma_study.rules.ocs.setup.starting import build
from burma_study.rules.ocs.state import Rules, State


def check_and_play(path: Path) -> list[Problem]:
    """Everything wrong with a scenario file; one that reads well is built and played to its end by `hold`."""
    found = check_scenario(path)
    shipped = path.resolve().is_relative_to(data_root().resolve())  # played through by our own tests
    if shipped or any(p.severity == "error" for p in found):
        return found
    return [*found, *_played(path)]


def _played(path: Path) -> list[Problem]:
    """What keeps a scenario that reads well from being built and played to its end by `hold` on both sides."""

    header = path.with_name(path.name.replace(".units.csv", ".toml"))
    doing = "built"
    try:
        scenario = read_scenario(header, (), True)
        states = {which: build(scenario, which, Rules(), load_board("ocs")) for which in scenario.setups}
        which, doing = scenario.setups[0], "played"
        session = Session(GAME, states[which], setup=scenario.id, setup_kind=which, seed="check")
        run = play(session, {side: Hold() for side in SIDES})
    except BurmaStudyError as error:
        return [Problem("unplayable", f"It cannot be {doing}: {error}", header.name)]
    except Exception as error:  # no check has foreseen it: it is named with its place, so that it can be reported
        return [_fault(error, doing, header.name)]
    notes = [Problem("unplayable", f"A game of it went wrong: {note}", header.name) for note in run.notes]
    return notes if run.over else [*notes, _unended(run, session.state, header.name)]


def _fault(error: Exception, doing: str, file: str) -> Problem:
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).name}, line {last.lineno}"
    text = f"It cannot be {doing}: the program stopped with {type(error).__name__}: {error} ({place})."
    hint = "Compare with a scenario that ships; if yours is right, report this as a fault of the program."
    return Problem("program-fault", text, file, hint=hint)


def _unended(run: Run, state: State, file: str) -> Problem:
    text = f"A game of it did not end: after {run.orders} orders it stands in turn {state.turn}, {state.phase}."
    return Problem("unended", text, file, hint="Look at its calendar and at what it asks of the sides.")
