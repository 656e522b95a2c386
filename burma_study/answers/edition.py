"""What a study, a page and the command line may ask of a game: its edition.

A game's folder in `burma_study.games` has one, found by the registry alone. Whoever is handed an edition needs no type
of any game: a state is opaque to him, and everything that is shown of it comes from here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from burma_study.answers.frames import Frame
from burma_study.answers.session import Session
from burma_study.engine.game import Game
from burma_study.engine.orders import Order
from burma_study.engine.saves import SaveFile
from burma_study.engine.session import Session as Record
from burma_study.errors import Problem

State = Any  # of whatever game
Rules = Any


@dataclass(frozen=True, slots=True)
class When:
    """Where a state stands in time: turn from 1, player and phase (words of the game), in words, and its ISO date."""

    turn: int
    player: str
    phase: str
    text: str
    date: str = ""


class Policy(Protocol):
    """Somebody who gives a side's orders. `skip` holds ids of units that the reader moves himself."""

    name: str
    skip: set[str]
    notes: list[str]

    def order(self, session: Record, actor: str) -> Order | None:
        """The next order of `actor`, who has to decide; None when the policy wants nothing more here."""


class Edition(Protocol):
    """One game as the floors above the rules know it."""

    @property
    def id(self) -> str:
        """E.g. `ocs`; scenarios are named `ocs/u-go`."""

    @property
    def title(self) -> str:
        """What the game is called."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, in the order in which a page lists them."""

    @property
    def game(self) -> Game[Any]:
        """The game as the engine plays it."""

    # starting --------------------------------------------------------------------------------------------------------

    def scenarios(self) -> Sequence[Mapping[str, Any]]:
        """The scenarios as rows: `id`, `title`, `printed_title`, `first`, `last`, `turns`, `stage`."""

    def scenario_id(self, name: str) -> str:
        """The id that a name means; ScenarioError with near matches where it is none."""

    def set_up(self, scenario: str, kind: str, *, errata: bool = True) -> Mapping[str, Any]:
        """A set-up as rows to print, by what they are: units, supply, air, markers, arrivals, dead."""

    def check(self, path: Path) -> list[Problem]:
        """Everything wrong with a scenario file; one that reads well is built and played to its end."""

    def start(self, scenario: str, kind: str, rules: Rules | None = None, *, errata: bool = True) -> State:
        """A scenario at a set-up (`historical`, `free` ...); ScenarioError for what there is not."""

    def line_step(self, scenario: str, name: str, step: int) -> tuple[State, str]:
        """The state at a step of a published line, and the step's title; ScenarioError where there is none."""

    def from_line(self, scenario: str, step: int, rules: Rules | None = None) -> State:
        """A scenario at a step of its historical line, ready to be played on; ScenarioError where there is none."""

    def name(self, scenario: str, kind: str, step: int | None = None) -> str:
        """What a game from a set-up, or from a step of the line, is called."""

    def rules(self, changed: Mapping[str, Any]) -> Rules:
        """The game's rules with some switches set otherwise than by default."""

    def switches(self, state: State) -> dict[str, Any]:
        """What is set otherwise than by default; SaveError where that cannot be said in a few words."""

    # showing ---------------------------------------------------------------------------------------------------------

    def when(self, state: State) -> When:
        """Where a state stands in time."""

    def frame(self, state: State, title: str, date: str, caption: str = "") -> Frame:
        """A state as the map shows it."""

    def area(self, state: State) -> tuple[int, ...]:
        """The corners of the scenario's map area; empty for the whole board."""

    def hexes(self, state: State) -> int:
        """How many hexes its board has."""

    def look(self, scenario: str, title: str, state: State) -> Session:
        """One state with every question that a page asks of it, at step 0."""

    def draft(self, session: Record, kind: str, **values: Any) -> Any:
        """An order of a kind to be built slot by slot."""

    # words -----------------------------------------------------------------------------------------------------------

    def unit_id(self, state: State, name: str) -> str:
        """The id of the one unit in play that a name means; ScenarioError lists candidates or near matches."""

    def mover_id(self, state: State, name: str) -> str:
        """The same, also of whatever else moves and is supplied by itself, such as transport."""

    def place(self, label: str) -> str:
        """A hex's label with its place's name; a box as it is."""

    def plainly(self, text: str) -> str:
        """A text of the rules as a reader sees it: units and rules by name."""

    def expand(self, session: Record, text: str) -> Order | str:
        """An order as a reader may type it, in the form that orders are written in."""

    def shown(self, save: SaveFile, step: int) -> Mapping[str, Any]:
        """The position after so many records of a save's line, as plain data, without running rules."""

    def listed(
        self, shown: Mapping[str, Any]
    ) -> tuple[Sequence[tuple[str, str]], Sequence[tuple[str, str]], Sequence[tuple[str, str, Any]]]:
        """The same to print: what stands at the head, units by hex, supply by hex with its side and amount."""

    # winning ---------------------------------------------------------------------------------------------------------

    def score(self, state: State) -> Mapping[str, Any]:
        """Were the game to end now: `victory`, `winner`, `why`, `totals` by side, `points` in rows, `said` in words."""

    # units -----------------------------------------------------------------------------------------------------------

    def formations(self, state: State, side: str) -> dict[str, dict[int, list[str]]]:
        """A side's formations on the map: the ids of their units, by hex."""

    # policies --------------------------------------------------------------------------------------------------------

    def seats(self, scenario: str, side: str) -> tuple[str, ...]:
        """The policies that may play a side."""

    def policy(self, scenario: str, side: str, name: str, skip: Sequence[str] = (), formation: str = "") -> Policy:
        """A policy by name, of one formation only if that is given; ScenarioError lists those there are."""

    @property
    def hold(self) -> Callable[[], Policy]:
        """The policy that answers what must be answered and else does nothing."""
