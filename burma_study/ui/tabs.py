"""The tabs of a dashboard's panel: what a reader has asked so far, and the sections that answer it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from burma_study.answers.session import Answer, Session
from burma_study.errors import BurmaStudyError
from burma_study.ui import loss_sections, sections
from burma_study.ui.chart_form import ChartForm
from burma_study.ui.panel import Tab

MODES = ("combat", "move", "strat")
SIDES = ("japanese", "allied")
WORKING = "Working it out …"


@dataclass
class Asked:
    """What a reader has asked: a hex and attackers, options of a fight, a shaded reach, tools of a designer."""

    target: int = -1
    attackers: list[str] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=lambda: {"kind": "regular", "banzai": False})
    best: dict[str, Sequence[Answer]] = field(default_factory=dict)
    reach: str = ""
    chokes: Sequence[Answer] | None = None
    stretch: Sequence[int] = ()
    cut: Answer | None = None
    ghost: str = "battalion"
    verdict: Answer | None = None
    form: ChartForm = field(default_factory=ChartForm)

    def moved_on(self) -> None:
        """Forget what was found for another step."""
        self.best, self.attackers, self.chokes, self.stretch = {}, [], None, ()
        self.cut = self.verdict = None


@dataclass(frozen=True)
class Tabs:
    """Builds the tabs at a step; `unit` is the one picked, `side` whose supply is shown, with the answers for them."""

    session: Session
    step: int
    asked: Asked
    unit: str = ""
    side: str = ""
    trace: Mapping[str, Any] | None = None
    supply: Mapping[str, Any] | None = None

    def build(self, open_: str) -> list[Tab]:
        """All tabs, only the open one filled: the others are filled when they are opened."""
        makers = {
            "story": ("Events", self._story),
            "supply": ("Supply", self._supply),
            "unit": ("Unit", self._unit),
            "hex": ("Hex", self._hex),
            "fight": ("Combat", self._fight),
            "charts": ("Charts", self._charts),
        }
        if self.session.background() is not None:
            makers["history"] = ("History", self._history)
        return [Tab(key, title, make() if key == open_ else None) for key, (title, make) in makers.items()]

    def _story(self) -> list[sections.Section]:
        frame = self.session.film.frames[self.step]
        return sections.story_sections(frame.title, self.session.story(self.step), self.session.boxes(self.step))

    def _history(self) -> list[sections.Section]:
        told = self.session.background()
        return sections.background_sections(told) if told is not None else []

    def _hex(self) -> list[sections.Section]:
        if self.asked.target < 0:
            return [sections.text("Click a hex, or move the selection with the arrow keys.")]
        out = sections.hex_sections(self.session.at(self.step, self.asked.target))
        if self.side:
            where = self.session.label(self.asked.target)
            out += loss_sections.cut_sections(self.side, where, self.asked.ghost, self.asked.cut)
        return out

    def _unit(self) -> list[sections.Section]:
        if not self.unit or self.trace is None:
            return [sections.text("Click a stack and pick one of its units, or pick one from the list under Supply.")]
        card = self.session.unit(self.step, self.unit)
        out = sections.unit_sections(card, self.trace, MODES, self.asked.reach)
        if self.asked.verdict is None:
            return [*out, sections.text("How firm is it? " + WORKING)]
        return [*out, *sections.basis_sections(self.asked.verdict)]

    def _supply(self) -> list[sections.Section]:
        out = [sections.side_section(self.side), sections.glossary_section()]
        if not self.side:
            return [*out, sections.text("Choose a side to see its lines and who goes without.")]
        if self.supply is None:
            return [*out, sections.text(WORKING)]
        tools = loss_sections.designer_sections(self.side, self.asked.ghost, self.asked.chokes)
        return [*out, *sections.supply_sections(self.supply), *tools]

    def _fight(self) -> list[sections.Section]:
        found, out = self.candidates(), []
        if self.asked.target >= 0:
            ids = [i for i in self.asked.attackers if i in {c["id"] for c in found}]
            where = self.session.label(self.asked.target)
            out = sections.fight_sections(where, found, ids, self.asked.options, self._odds(ids))
        else:
            out = [sections.text("Click a hex with enemy units beside yours to see what an attack would be worth.")]
        for side in SIDES:
            out += sections.best_sections(side, self.asked.best.get(side))
        return out

    def candidates(self) -> Sequence[Answer]:
        """Who could attack the selected hex."""
        kind = str(self.asked.options["kind"])
        return self.session.candidates(self.step, self.asked.target, kind) if self.asked.target >= 0 else []

    def _odds(self, attackers: list[str]) -> Answer | str | None:
        """The odds, or why there are none."""
        if not attackers:
            return None
        try:
            return self.session.fight(self.step, self.asked.target, attackers, self.asked.options)
        except BurmaStudyError as error:
            return str(error)

    def _charts(self) -> list[sections.Section]:
        return self.asked.form.sections(self.session)
