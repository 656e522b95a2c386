"""OCS Burma as an edition: everything that the floors above the rules may ask of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from burma_study.answers.edition import When
from burma_study.answers.frames import Frame
from burma_study.boards.board import load_board
from burma_study.engine.numbers import mixed
from burma_study.engine.orders import Order
from burma_study.engine.saves import SaveFile
from burma_study.engine.session import Session
from burma_study.errors import LabelError, Problem, SaveError, ScenarioError
from burma_study.games.ocs.checking import check_and_play
from burma_study.games.ocs.drafts import Draft
from burma_study.games.ocs.line import load_line
from burma_study.games.ocs.naming import mover_named, unit_named
from burma_study.games.ocs.phrases import plainly
from burma_study.games.ocs.policies import Hold, PhasePolicy, names, policy
from burma_study.games.ocs.positions import frame
from burma_study.games.ocs.session import Moment, OcsSession
from burma_study.games.ocs.shorthand import expand
from burma_study.games.ocs.shown import listed, shown
from burma_study.rules.ocs.counters import SIDES
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup import load_scenario, scenarios, setup, start
from burma_study.rules.ocs.state import Piece, Rules, State
from burma_study.rules.ocs.supply.words import named
from burma_study.rules.ocs.turn.victory import score_sheet, verdict

SWITCHES = ("version", "options", "errata", "errata_off", "enforcement")
TIMELESS = ("weather", "initiative", "over")  # phases of no player


class OcsEdition:
    """The one edition of OCS Burma; see `burma_study.answers.edition.Edition`."""

    id = GAME.id
    title = GAME.title
    sides = SIDES
    game = GAME
    hold: Callable[[], PhasePolicy] = Hold

    # starting --------------------------------------------------------------------------------------------------------

    def scenarios(self) -> list[dict[str, Any]]:
        """The scenarios as rows."""
        return [info.as_dict() for info in scenarios()]

    def scenario_id(self, name: str) -> str:
        """The id that a name means: `ocs/u-go`, or `u-go`."""
        return load_scenario(name).id

    def set_up(self, scenario: str, kind: str, *, errata: bool = True) -> dict[str, object]:
        """A set-up as rows to print."""
        return setup(scenario, kind, errata=errata).as_dict()

    def check(self, path: Path) -> list[Problem]:
        """Everything wrong with a scenario file; one that reads well is built and played to its end."""
        return check_and_play(path)

    def start(self, scenario: str, kind: str, rules: Rules | None = None, *, errata: bool = True) -> State:
        """A scenario at its `historical` or `free` set-up; without errata exactly as printed."""
        return start(scenario, kind, errata=errata, rules=rules)

    def line_step(self, scenario: str, name: str, step: int) -> tuple[State, str]:
        """The state at a step of a published line, and the step's title."""
        found = load_line(scenario, name).at(step)
        return found.state, found.title

    def from_line(self, scenario: str, step: int, rules: Rules | None = None) -> State:
        """A scenario at a step of its historical line: the turn begins, its weather is history's."""
        if rules is not None and rules != Rules():
            raise ScenarioError("A game from the historical line is played under the rules of the line.")
        state = load_line(scenario).at(step).state
        return state.with_(phase="weather", player=SIDES[0]) if step else state

    def name(self, scenario: str, kind: str, step: int | None = None) -> str:
        """E.g. "U-Go, historical set-up" or "U-Go, from history on 1944-03-29: ..."."""
        title = load_scenario(scenario).title
        if step is None:
            return f"{title}, {kind} set-up"
        found = load_line(scenario).at(step)
        return f"{title}, from history on {found.date}: {found.title}"

    def rules(self, changed: Mapping[str, Any]) -> Rules:
        """Rules with these switches; others than `SWITCHES` are left out."""
        known: dict[str, Any] = {n: tuple(v) if isinstance(v, list) else v for n, v in changed.items() if n in SWITCHES}
        return Rules(**known)

    def switches(self, state: State) -> dict[str, Any]:
        """What is set otherwise than by default; SaveError for a reader's own charts, which only a save can hold."""
        if state.rules.user_charts:
            raise SaveError("A game with charts of your own does not fit into a link: save it as a file.")
        plain = Rules()
        return {n: getattr(state.rules, n) for n in SWITCHES if getattr(state.rules, n) != getattr(plain, n)}

    # showing ---------------------------------------------------------------------------------------------------------

    def when(self, state: State) -> When:
        """Turn, player and phase, with the date of the turn by the scenario's calendar."""
        player = "" if state.phase in TIMELESS else f"{state.player.capitalize()} "
        dates = state.markers.get("calendar", ())
        date = str(dates[min(state.turn, len(dates)) - 1]) if dates else ""
        text = f"Turn {state.turn}, {player}{state.phase.replace('_', ' ')}"
        return When(state.turn, state.player, state.phase, text, date)

    def frame(self, state: State, title: str, date: str, caption: str = "") -> Frame:
        """A state as the map shows it."""
        return frame(state, title, date, caption=caption)

    def area(self, state: State) -> tuple[int, ...]:
        """The corners of the scenario's map area."""
        return tuple(state.markers.get("area", ()))

    def hexes(self, state: State) -> int:
        """How many hexes the board has."""
        return len(state.board)

    def look(self, scenario: str, title: str, state: State) -> OcsSession:
        """One state with every question that a page asks of it."""
        when = self.when(state)
        return OcsSession(scenario, title, [Moment(state, when.text, when.date)])

    def draft(self, session: Session, kind: str, **values: Any) -> Draft:
        """An order of a kind to be built slot by slot."""
        return Draft(session, kind, **values)

    # words -----------------------------------------------------------------------------------------------------------

    def unit_id(self, state: State, name: str) -> str:
        """The id of the one unit in play that a name means."""
        return unit_named(state, name)

    def mover_id(self, state: State, name: str) -> str:
        """The same, also of transport points."""
        return mover_named(state, name)

    def place(self, label: str) -> str:
        """A hex's label with its place's name; a box as it is."""
        board = load_board(self.id)
        try:
            return named(board, board.grid.index(label))
        except LabelError:
            return label

    def plainly(self, text: str) -> str:
        """Units by name, rules as "OCS 6.1" or "Burma 2.6b"."""
        return plainly(text)

    def expand(self, session: Session, text: str) -> Order | str:
        """`march UNIT to PLACE`, `end` and the like in the form that orders are written in."""
        return expand(session, text)

    def shown(self, save: SaveFile, step: int) -> dict[str, Any]:
        """The position after so many records of a save's line, as plain data."""
        return shown(save, step)

    def listed(
        self, shown: Mapping[str, Any]
    ) -> tuple[list[tuple[str, str]], list[tuple[str, str]], list[tuple[str, str, Any]]]:
        """The same to print: the head, units by hex, supply by hex."""
        return listed(shown)

    # winning ---------------------------------------------------------------------------------------------------------

    def score(self, state: State) -> dict[str, Any]:
        """The level of victory, were the game to end now, and every point with its reason."""
        found = verdict(state)
        points = [
            {"turn": p.turn, "side": p.side, "item": p.item, "points": str(p.points), "why": p.why, "banked": p.banked}
            for p in score_sheet(state)
        ]
        totals = {side: str(getattr(found, side)) for side in SIDES}
        said = f"Japan {mixed(found.japanese)}, Allies {mixed(found.allied)}"
        told = {"victory": found.level, "winner": found.winner, "why": found.why, "said": said}
        return {**told, "totals": totals, "points": points}

    # units -----------------------------------------------------------------------------------------------------------

    def formations(self, state: State, side: str) -> dict[str, dict[int, list[str]]]:
        """A side's formations on the map: the ids of their units, by hex."""
        out: dict[str, dict[int, list[str]]] = {}
        for piece in sorted(state.units(side), key=lambda p: p.id):
            if piece.counter.formation and isinstance(piece.at, int):
                out.setdefault(piece.counter.formation, {}).setdefault(piece.at, []).append(piece.id)
        return dict(sorted(out.items()))

    # policies --------------------------------------------------------------------------------------------------------

    def seats(self, scenario: str, side: str) -> tuple[str, ...]:
        """The policies that may play a side."""
        return names(scenario, side)

    def policy(self, scenario: str, side: str, name: str, skip: Sequence[str] = (), formation: str = "") -> PhasePolicy:
        """A policy by name, of one formation only if that is given."""
        return policy(scenario, side, name, skip, only=_of(formation) if formation else None)


def _of(formation: str) -> Callable[[Piece], bool]:
    return lambda piece: piece.counter.formation == formation


EDITION = OcsEdition()
