"""A dashboard: a map, its panel and the questions that go between them and a session."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import ipywidgets

from burma_study.errors import BurmaStudyError
from burma_study.study.session import Answer, Session
from burma_study.ui import sections
from burma_study.ui.hexmap import HexMap
from burma_study.ui.links import read_link, scenario_of
from burma_study.ui.panel import Panel, Tab
from burma_study.ui.pulse import Pulse

MODES = ("combat", "move", "strat")
SIDES = ("japanese", "allied")


class Dashboard(ipywidgets.Box):  # type: ignore[misc]  # ipywidgets ships no types
    """Map and panel over one session; with `choices` (id to title) and `open_` also a choice of scenario.

    `open_` makes the session of an id. `link_name` is the word that a shared link to this map starts with.
    """

    def __init__(
        self,
        session: Session,
        *,
        link_name: str = "map",
        choices: Mapping[str, str] | None = None,
        open_: Callable[[str], Session] | None = None,
        height: str = "min(70vh, 640px)",
    ):
        self.session, self._open = session, open_
        self._quiet = False
        self._forget()
        self.map = HexMap(session.board(), session.film, height=height, link_name=link_name, scenario=session.id)
        self.panel = Panel()
        self.choice = self._chooser(choices or {})
        self._listen()
        self.refresh("story")
        head = [ipywidgets.Box([self.choice]).add_class("bs-head")] if choices else []
        super().__init__([*head, self.map, self.panel, Pulse()])
        self.add_class("bs-study")

    def _forget(self) -> None:
        self._attackers: list[str] = []
        self._options: dict[str, Any] = {"kind": "regular", "banzai": False}
        self._best: dict[str, Any] = {}
        self._reach = ""
        self._target = -1
        self._tab = "story"

    def _chooser(self, choices: Mapping[str, str]) -> ipywidgets.Dropdown:
        options = [(title, id_) for id_, title in choices.items()]
        value = self.session.id if self.session.id in choices else None
        return ipywidgets.Dropdown(
            options=options, value=value, description="Scenario", layout=ipywidgets.Layout(width="min(460px, 100%)")
        )

    def _listen(self) -> None:
        self._hear("step", lambda _: self._stepped())
        self._hear("selected", self._selected)
        self._hear("unit", lambda unit: self.refresh("unit" if unit else ""))
        self._hear("layers", lambda _: self.refresh("supply" if self._side("supply") else ""))
        self._hear("link", self.follow)
        self.panel.on_pick(self._picked)
        self.choice.observe(self._guard(lambda change: self.show_scenario(change["new"])), "value")

    def _hear(self, trait: str, callback: Callable[[Any], None]) -> None:
        self.map.on(trait, lambda value: None if self._quiet else callback(value))

    @contextmanager
    def _quietly(self) -> Iterator[Any]:
        """Change several things about the map in one message, without answering each by itself."""
        self._quiet = True
        try:
            with self.map.layer.hold_sync():
                yield self.map.layer
        finally:
            self._quiet = False

    def _guard(self, callback: Callable[..., Any]) -> Callable[..., Any]:
        from burma_study.ui.guard import guarded

        return guarded(callback, self.map.say)

    # what is asked ----------------------------------------------------------------------------------------------------

    @property
    def step(self) -> int:
        """The step shown."""
        return self.map.step

    def _side(self, layer: str) -> str:
        asked = dict(part.split(":", 1) for part in self.map.layer.layers.split(",") if ":" in part)
        return asked.get(layer, "")

    def _stepped(self) -> None:
        self._best, self._attackers = {}, []
        if self.map.layer.unit and not self._in_play(self.map.layer.unit):
            with self._quietly() as layer:
                layer.unit = ""
        self._target_again()
        self.refresh("")

    def _in_play(self, unit: str) -> bool:
        try:
            self.session.unit(self.step, unit)
        except BurmaStudyError:
            return False
        return True

    def _selected(self, hex_: int) -> None:
        self._target = hex_
        self._target_again()
        self.refresh("hex" if hex_ >= 0 and self._tab != "fight" else "")

    def _target_again(self) -> None:
        self._attackers = [c["id"] for c in self._candidates()]

    def _candidates(self) -> Sequence[Answer]:
        kind = str(self._options["kind"])
        return self.session.candidates(self.step, self._target, kind) if self._target >= 0 else []

    def show_scenario(self, scenario: str) -> None:
        """Show another scenario from its start."""
        if self._open is None or scenario is None or scenario == self.session.id:
            return
        self.session = self._open(scenario)
        self._forget()
        with self._quietly():
            self.map.show(self.session.film, scenario=self.session.id)
        self.refresh("story")

    def follow(self, query: str) -> None:
        """Go where a shared link points; what it gets wrong is said in one line and left at its default."""
        wanted_scenario, note = scenario_of(query), ""
        if wanted_scenario and wanted_scenario != self.session.id:
            note = self._go_to(wanted_scenario)
        wanted = read_link(query, self.session)
        with self._quietly() as layer:
            self.map.step = wanted.step
            layer.layers, layer.selected, layer.unit = wanted.layers, wanted.hex, wanted.unit
        self._target = wanted.hex
        self._target_again()
        self.refresh("unit" if wanted.unit else "hex" if wanted.hex >= 0 else "story")
        if note or wanted.problems:
            raise BurmaStudyError(" ".join(x for x in (note, wanted.sentence) if x))

    def _go_to(self, scenario: str) -> str:
        known = [id_ for _, id_ in self.choice.options]
        if scenario in known:
            self.choice.value = scenario
            return ""
        return f"The link's scenario {scenario!r} is not one of this page, so {self.session.title} is shown."

    def _picked(self, key: str, value: Any) -> None:
        if key == "tab":
            self._tab = str(value)
        elif key == "unit":
            with self._quietly() as layer:
                layer.unit = str(value)
                layer.selected = self._target = self._hex_of(str(value))
            self._target_again()
            self.refresh("unit")
        elif key == "target":
            target, attackers, banzai = value
            with self._quietly() as layer:
                layer.selected = self._target = int(target)
            self._attackers = [str(a) for a in attackers]
            self._options = {"kind": "regular", "banzai": bool(banzai)}
            self.refresh("fight")
        elif key == "attackers":
            self._attackers = [str(v) for v in value]
            self.refresh("")
        elif key == "kind":
            self._options["kind"] = str(value)
            self._target_again()
            self.refresh("")
        elif key == "banzai":
            self._options["banzai"] = value == "yes"
            self.refresh("")
        elif key == "reach":
            self._reach = str(value)
            self.refresh("")
        elif key == "best":
            self._best[str(value)] = self.session.best(self.step, str(value))
            self.refresh("")

    def _hex_of(self, unit: str) -> int:
        stands = (c.hex for c in self.session.film.frames[self.step].counters if c.id == unit)
        return next(stands, -1)

    # what is shown ----------------------------------------------------------------------------------------------------

    def refresh(self, active: str) -> None:
        """Work out panel and shadings anew, in one message each; `active` names the tab to open, if any."""
        self._tab = active or self._tab
        unit, side = self.map.layer.unit, self._side("supply")
        trace = self.session.trace(self.step, unit) if unit else None
        supply = self.session.supply(self.step, side) if side else None
        zone = self._side("zoc")
        overlays = [self.session.zone(self.step, zone)] if zone else []
        if unit and self._reach:
            overlays.append(self.session.reach(self.step, unit, self._reach))
        self.map.shade(
            overlays=overlays,
            net=supply["net"] if supply else (),
            traces=[trace] if trace else (),
            targets=[self._target] if self._attackers else (),
            status=supply["status"] if supply else {},
        )
        self.panel.show(self._tabs(unit, trace, supply), active=active)

    def _tabs(self, unit: str, trace: Any, supply: Any) -> list[Tab]:
        frame = self.session.film.frames[self.step]
        tabs = [
            Tab(
                "story",
                "Events",
                sections.story_sections(frame.title, self.session.story(self.step), self.session.boxes(self.step)),
            )
        ]
        tabs.append(Tab("hex", "Hex", self._hex_tab()))
        tabs.append(Tab("unit", "Unit", self._unit_tab(unit, trace)))
        tabs.append(Tab("supply", "Supply", self._supply_tab(supply)))
        tabs.append(Tab("fight", "Combat", self._fight_tab()))
        return tabs

    def _hex_tab(self) -> list[sections.Section]:
        if self._target < 0:
            return [sections.text("Click a hex, or move the selection with the arrow keys.")]
        return sections.hex_sections(self.session.at(self.step, self._target))

    def _unit_tab(self, unit: str, trace: Any) -> list[sections.Section]:
        if not unit:
            return [sections.text("Click a stack and pick one of its units.")]
        return sections.unit_sections(self.session.unit(self.step, unit), trace, MODES, self._reach)

    def _supply_tab(self, supply: Any) -> list[sections.Section]:
        if not supply:
            return [sections.text("Choose a side under “Supply status and lines” in the legend of the map.")]
        return sections.supply_sections(supply)

    def _fight_tab(self) -> list[sections.Section]:
        found = self._candidates()
        out: list[sections.Section] = []
        if self._target >= 0:
            ids = [i for i in self._attackers if i in {c["id"] for c in found}]
            where = self.session.label(self._target)
            out += sections.fight_sections(where, found, ids, self._options, self._odds(ids))
        else:
            out.append(sections.text("Click a hex with enemy units beside yours to see what an attack would be worth."))
        for side in SIDES:
            out += sections.best_sections(side, self._best.get(side))
        return out

    def _odds(self, attackers: list[str]) -> Answer | str | None:
        """The odds, or why there are none."""
        if not attackers:
            return None
        try:
            return self.session.fight(self.step, self._target, attackers, self._options)
        except BurmaStudyError as error:
            return str(error)
