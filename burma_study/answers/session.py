"""What a dashboard asks of a game: steps to show, and at a step the facts about a hex, a unit, a side and a fight.

Answers are plain dicts and the shapes of `burma_study.answers.frames`, so that the page needs no game's own types.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from burma_study.answers.frames import Film, Overlay

Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Story:
    """What is told of a step: text, when, how sure, the rule it is, or the works it rests on.

    `ask` marks a question put to the reader: where to look for what answers it.
    """

    text: str
    rule: str = ""
    confidence: str = ""
    date: str = ""
    citations: tuple[str, ...] = ()
    ask: str = ""


@dataclass(frozen=True, slots=True)
class Background:
    """What is told of a whole line; `date` of a story is who or when it is about.

    `numbers` are of what, figure, remark, confidence and works; `differences` of topic, model, history and the reason.
    """

    why: tuple[Story, ...]
    epilogue: tuple[Story, ...]
    numbers: tuple[tuple[str, str, str, str, tuple[str, ...]], ...]
    differences: tuple[tuple[str, str, str, str], ...]


class Session(Protocol):
    """A line of moments of one scenario, open for questions; an unknown step or name raises a BurmaStudyError."""

    @property
    def id(self) -> str:
        """The scenario's id, such as `ocs/u-go`."""

    @property
    def title(self) -> str:
        """What the page is headed with."""

    @property
    def film(self) -> Film:
        """All steps, encoded."""

    def board(self) -> str:
        """The board as JSON for the browser."""

    def label(self, hex_: int) -> str:
        """A hex's label with its place's name."""

    def index(self, label: str) -> int:
        """The hex of a label."""

    def story(self, step: int) -> Sequence[Story]:
        """What happened at a step."""

    def background(self) -> Background | None:
        """What stands round the line, or None where nothing is told of it."""

    def boxes(self, step: int) -> Sequence[Answer]:
        """Units off the map: `id`, `label`, `where`."""

    def at(self, step: int, hex_: int) -> Answer:
        """A hex: ground, what lies across each side, the stack, the markers."""

    def unit(self, step: int, unit: str) -> Answer:
        """A unit's card: `counter`, `title`, `lines`, `facts`."""

    def trace(self, step: int, unit: str) -> Answer:
        """A unit's supply: `status`, `legs`, `sentences`, `rules`."""

    def supply(self, step: int, side: str) -> Answer:
        """A side's supply: `headline`, `status` by unit id, `net` of legs, `flow`, `rows` of units without a trace."""

    def verdict(self, step: int, unit: str) -> Answer:
        """How firm a unit's trace is: `verdict`, `values`, `turns_on`; empty where there is nothing to trace."""

    def chokes(self, step: int, side: str, most: int = 8, by: str = "battalion") -> Sequence[Answer]:
        """A side's choke points, worst first: `where`, `hexes`, `carried`, `lost`, `here`, what stands in them `by`."""

    def cut(self, step: int, side: str, hex_: int, by: str = "battalion") -> Answer:
        """What a side would lose if an enemy held a hex: as in `chokes`, with meals, dumps, bases and a `tone`."""

    def net_geojson(self, step: int, side: str) -> Answer:
        """A side's supply net as GeoJSON."""

    def picture(self, step: int, supply: Answer | None = None, trace: Answer | None = None) -> str:
        """The map of a step as SVG, with a side's supply and a unit's trace if they are given."""

    @property
    def charts(self) -> Sequence[tuple[str, str]]:
        """The reader's own charts in force: name and CSV text."""

    def with_charts(self, charts: Sequence[tuple[str, str]]) -> Session:
        """The same moments under other charts; ChartError listing every problem of one that cannot be used."""

    def chart_names(self) -> Sequence[str]:
        """The charts that a reader may replace."""

    def chart_text(self, name: str) -> str:
        """The CSV text of a chart as it is in force."""

    def chart_problems(self, name: str, text: str) -> Sequence[Answer]:
        """Everything wrong with a reader's chart: `row`, `column`, `message`, `hint`; empty when it can be used."""

    def zone(self, step: int, side: str) -> Overlay:
        """A side's zones of control."""

    def reach(self, step: int, unit: str, mode: str) -> Overlay:
        """Where a unit could go in a mode."""

    def fight(self, step: int, target: int, attackers: Sequence[str], options: Answer) -> Answer:
        """Odds of an attack or barrage on a hex; `options` has `kind` and `banzai`."""

    def candidates(self, step: int, target: int, kind: str = "regular") -> Sequence[Answer]:
        """Units that could attack a hex (`regular`, `overrun`) or fire at it (`barrage`)."""

    def best(self, step: int, side: str, count: int = 10) -> Sequence[Answer]:
        """A side's attacks at a step, those of most `worth` first: `target`, `names`, `hex_taken`, steps of each."""
