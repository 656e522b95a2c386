"""OCS Burma as an edition: everything that the floors above the rules may ask of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from burma_study.answers.edition import When
from burma_study.answers.frames import Frame
from burma_study.engine.session import Session
from burma_study.errors import SaveError, ScenarioError
from burma_study.games.ocs.drafts import Draft
from burma_study.games.ocs.line import load_line
from burma_study.games.ocs.policies import Hold, PhasePolicy, names, policy
from burma_study.games.ocs.positions import frame
from burma_study.games.ocs.session import Moment, OcsSession
from burma_study.rules.ocs.counters import SIDES
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup import load_scenario, start
from burma_study.rules.ocs.state import Piece, Rules, State

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

    def start(self, scenario: str, kind: str, rules: Rules | None = None) -> State:
        """A scenario at its `historical` or `free` set-up."""
        return start(scenario, kind, rules=rules)

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
