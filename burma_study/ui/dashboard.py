"""A dashboard: a map, its panel and the questions that go between them and a session."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import ipywidgets

from burma_study.answers.frames import Overlay
from burma_study.answers.session import Session
from burma_study.errors import BurmaStudyError
from burma_study.games.ocs.losses import known_ghost
from burma_study.ui import chart_form
from burma_study.ui.guard import guarded
from burma_study.ui.hexmap import HexMap
from burma_study.ui.later import Later
from burma_study.ui.links import read_link, scenario_of
from burma_study.ui.panel import Panel
from burma_study.ui.pulse import Pulse
from burma_study.ui.tabs import Asked, Tabs


class Dashboard(ipywidgets.Box):  # type: ignore[misc]  # ipywidgets ships no types
    """Map and panel over one session; with `choices` (id to title) and `open_` also a choice of scenario.

    `open_` makes the session of an id. `link_name` is the word that a shared link to this map starts with. `side` is
    whose supply is shown at first, `tab` the tab that stands open, `still` shows a picture in place of the map.
    """

    def __init__(
        self,
        session: Session,
        *,
        link_name: str = "map",
        choices: Mapping[str, str] | None = None,
        open_: Callable[[str], Session] | None = None,
        height: str = "min(70vh, 640px)",
        side: str = "allied",
        tab: str = "story",
        still: bool = False,
    ):
        self.session, self._open, self._first = session, open_, tab
        self._start_layers = f"supply:{side}" if side else ""
        self._quiet = self._painted = False
        self._asked, self._tab, self._later = Asked(), tab, Later()
        more = {"scenario": session.id, "layers": self._start_layers, "still": still}
        self.map = HexMap(session.board(), session.film, height=height, link_name=link_name, **more)
        self.panel = Panel()
        self.choice = self._chooser(choices or {})
        self._picks = self._answers()
        self._listen()
        self.refresh(tab)
        head = [ipywidgets.Box([self.choice]).add_class("bs-head")] if choices else []
        super().__init__([*head, self.map, self.panel, Pulse()])
        self.add_class("bs-study")

    def _chooser(self, choices: Mapping[str, str]) -> ipywidgets.Dropdown:
        options = [(title, id_) for id_, title in choices.items()]
        value = self.session.id if self.session.id in choices else None
        return ipywidgets.Dropdown(
            options=options, value=value, description="Scenario", layout=ipywidgets.Layout(width="min(460px, 100%)")
        )

    def _listen(self) -> None:
        self._hear("step", lambda _: self._stepped())
        self._hear("selected", self._selected)
        self._hear("unit", lambda unit: self._ask_unit("unit" if unit else ""))
        self._hear("layers", lambda _: self._layered())
        self._hear("link", self.follow)
        self.map.on_message("follow", self.follow, clears=True)
        self.map.on_message("drawn", lambda _: self._drawn())
        self.map.on_message("picture", lambda _: self._send_picture())
        self.panel.on_pick(self._picked)
        self.choice.observe(guarded(lambda change: self.show_scenario(change["new"]), self.map.say), "value")

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

    # what is asked ----------------------------------------------------------------------------------------------------

    @property
    def step(self) -> int:
        """The step shown."""
        return self.map.step

    @property
    def unit(self) -> str:
        """The id of the unit picked, or the empty string."""
        return str(self.map.layer.unit)

    def _side(self, layer: str) -> str:
        return self._layers().get(layer, "")

    def _layers(self) -> dict[str, str]:
        return dict(part.split(":", 1) for part in self.map.layer.layers.split(",") if ":" in part)

    def _drawn(self) -> None:
        """The map stands: now the side's supply, which the first picture did not wait for."""
        if not self._painted:
            self._painted = True
            self.refresh("")

    def _stepped(self) -> None:
        self._asked.moved_on()
        if self.unit and not self._in_play(self.unit):
            with self._quietly() as layer:
                layer.unit = ""
        self._attackers_again()
        self.refresh("")

    def _in_play(self, unit: str) -> bool:
        try:
            self.session.unit(self.step, unit)
        except BurmaStudyError:
            return False
        return True

    def _selected(self, hex_: int) -> None:
        self._aim(hex_)
        self.refresh("hex" if hex_ >= 0 and self._tab != "fight" else "")

    def _aim(self, hex_: int) -> None:
        self._asked.target, self._asked.cut = hex_, None
        self._attackers_again()

    def _attackers_again(self) -> None:
        self._asked.attackers = [c["id"] for c in Tabs(self.session, self.step, self._asked).candidates()]

    def _layered(self) -> None:
        self._asked.chokes, self._asked.stretch, self._asked.cut = None, (), None
        self.refresh("supply" if self._side("supply") else "")

    def _ask_unit(self, tab: str) -> None:
        self._asked.verdict = None
        self.refresh(tab)

    def show_scenario(self, scenario: str) -> None:
        """Show another scenario from its start; the reader's own charts stay in force."""
        if self._open is None or scenario is None or scenario == self.session.id:
            return
        charts = self.session.charts
        self._show_session(self._open(scenario).with_charts(charts) if charts else self._open(scenario))

    def _show_session(self, session: Session) -> None:
        self.session, form = session, self._asked.form
        self._asked = Asked(form=form)
        with self._quietly():
            self.map.show(session.film, scenario=session.id)
        self.refresh(self._first)

    def follow(self, query: str) -> None:
        """Go where a shared link points; what it gets wrong is said in one line and left at its default."""
        wanted_scenario, note = scenario_of(query), ""
        if wanted_scenario and wanted_scenario != self.session.id:
            note = self._go_to(wanted_scenario)
        wanted = read_link(query, self.session, layers=self._start_layers)
        self._asked.moved_on()
        with self._quietly() as layer:
            self.map.step = wanted.step
            layer.layers, layer.selected, layer.unit = wanted.layers, wanted.hex, wanted.unit
        self._aim(wanted.hex)
        self.refresh("unit" if wanted.unit else "hex" if wanted.hex >= 0 else self._first)
        if note or wanted.problems:
            raise BurmaStudyError(" ".join(x for x in (note, wanted.sentence) if x))

    def _go_to(self, scenario: str) -> str:
        known = [id_ for _, id_ in self.choice.options]
        if scenario in known:
            self.choice.value = scenario
            return ""
        return f"The link's scenario {scenario[:60]!r} is not one of this page, so {self.session.title} is shown."

    # picks of the panel -----------------------------------------------------------------------------------------------

    def _picked(self, key: str, value: Any) -> None:
        if key in self._picks:
            self._picks[key](value)

    def _answers(self) -> dict[str, Callable[[Any], None]]:
        return {
            "tab": lambda tab: self.refresh(str(tab)),
            "unit": self._pick_unit,
            "target": self._pick_target,
            "attackers": self._pick_attackers,
            "kind": self._pick_kind,
            "banzai": lambda yes: self._option("banzai", yes == "yes"),
            "reach": self._pick_reach,
            "best": self._pick_best,
            "side": self._pick_side,
            "chokes": self._pick_chokes,
            "stretch": self._pick_stretch,
            "cut": self._pick_cut,
            "ghost": self._pick_ghost,
            "net": self._pick_net,
            "chart": self._pick_chart,
            "template": self._pick_template,
            "own": self._pick_own,
            "unown": lambda name: self._under(self._asked.form.drop(self.session, str(name))),
        }

    def _pick_unit(self, unit: Any) -> None:
        with self._quietly() as layer:
            layer.unit = str(unit)
            layer.selected = self._hex_of(str(unit))
        self._aim(self.map.layer.selected)
        self._ask_unit("unit")

    def _hex_of(self, unit: str) -> int:
        stands = (c.hex for c in self.session.film.frames[self.step].counters if c.id == unit)
        return next(stands, -1)

    def _pick_target(self, value: Any) -> None:
        target, attackers, banzai = value
        with self._quietly() as layer:
            layer.selected = int(target)
        self._asked.target, self._asked.attackers = int(target), [str(a) for a in attackers]
        self._asked.options = {"kind": "regular", "banzai": bool(banzai)}
        self.refresh("fight")

    def _pick_attackers(self, ids: Any) -> None:
        self._asked.attackers = [str(v) for v in ids]
        self.refresh("")

    def _pick_kind(self, kind: Any) -> None:
        self._asked.options["kind"] = str(kind)
        self._attackers_again()
        self.refresh("")

    def _option(self, name: str, value: Any) -> None:
        self._asked.options[name] = value
        self.refresh("")

    def _pick_reach(self, mode: Any) -> None:
        self._asked.reach = str(mode)
        self.refresh("")

    def _pick_best(self, side: Any) -> None:
        self._asked.best[str(side)] = self.session.best(self.step, str(side))
        self.refresh("")

    def _pick_side(self, side: Any) -> None:
        layers = {**self._layers(), "supply": str(side)}
        with self._quietly() as layer:
            layer.layers = ",".join(f"{name}:{whose}" for name, whose in layers.items() if whose)
        self._layered()

    def _pick_chokes(self, side: Any) -> None:
        self._asked.chokes = self.session.chokes(self.step, str(side), by=self._asked.ghost)
        self.refresh("")

    def _pick_stretch(self, hexes: Any) -> None:
        self._asked.stretch = [int(h) for h in hexes]
        self.map.look_at(self._asked.stretch)
        self.refresh("")

    def _pick_cut(self, side: Any) -> None:
        self._asked.cut = self.session.cut(self.step, str(side), self._asked.target, self._asked.ghost)
        self.refresh("")

    def _pick_ghost(self, by: Any) -> None:
        """Something else is imagined in a lost hex: an answer on show is worked out anew, choke points are dropped."""
        asked = self._asked
        asked.ghost, asked.chokes, asked.stretch = known_ghost(by), None, ()
        if asked.cut is not None:
            self._pick_cut(asked.cut["side"])
        else:
            self.refresh("")

    def _pick_net(self, side: Any) -> None:
        text = json.dumps(self.session.net_geojson(self.step, str(side)), ensure_ascii=False)
        date = self.session.film.frames[self.step].date
        name = f"{self.session.id.replace('/', '-')}-{side}-net-{date}.geojson"
        self.panel.save(name, "application/geo+json", text)

    def _pick_chart(self, name: Any) -> None:
        self._asked.form.choose(str(name))
        self.refresh("")

    def _pick_template(self, name: Any) -> None:
        self.panel.save(f"{name}.csv", "text/csv", self.session.chart_text(str(name)))

    def _pick_own(self, draft: Any) -> None:
        self._under(self._asked.form.use(self.session, str(draft)))

    def _under(self, session: Session | None) -> None:
        """Ask everything anew under other charts, at the same step with the same selection."""
        if session is not None:
            self.session = session
            self._asked.moved_on()
            self._attackers_again()
        self.refresh("")

    # what is shown ----------------------------------------------------------------------------------------------------

    def refresh(self, active: str) -> None:
        """Work out panel and shadings anew, in one message each; `active` names the tab to open, if any."""
        self._tab = active or self._tab
        self._later.drop()
        tabs = self._build()
        self._shade(tabs)
        self._publish(tabs, active)
        if tabs.unit and self._asked.verdict is None and self._tab == "unit":
            self._later.do(guarded(self._work_out_verdict, self.panel.say, clears=False))

    def _build(self) -> Tabs:
        unit, side = self.unit, self._side("supply")
        trace = self.session.trace(self.step, unit) if unit else None
        supply = self.session.supply(self.step, side) if side and self._painted else None
        return Tabs(self.session, self.step, self._asked, unit, side, trace, supply)

    def _shade(self, tabs: Tabs) -> None:
        supply, asked, zone = tabs.supply or {}, self._asked, self._side("zoc")
        overlays = [self.session.zone(self.step, zone)] if zone else []
        if asked.stretch:
            overlays.append(Overlay("stretch", "Choke point", dict.fromkeys(asked.stretch, 1)))
        if tabs.unit and asked.reach:
            overlays.append(self.session.reach(self.step, tabs.unit, asked.reach))
        self.map.shade(
            overlays=overlays,
            net=supply.get("net", ()),
            flow=supply.get("flow", ()),
            traces=[tabs.trace] if tabs.trace else (),
            targets=[asked.target] if asked.attackers else (),
            status=supply.get("status"),
        )

    def _publish(self, tabs: Tabs, active: str) -> None:
        told = (tabs.supply or {}).get("headline", "")
        self.panel.show(tabs.build(self._tab), active=active, headline=(told, chart_form.in_force(self.session)))

    def _work_out_verdict(self) -> None:
        """The second message about a unit: how firm its trace is, after the card is shown."""
        self._asked.verdict = self.session.verdict(self.step, self.unit)
        self._publish(self._build(), "")

    def _send_picture(self) -> None:
        tabs = self._build()
        self.map.send_picture(self.session.picture(self.step, tabs.supply, tabs.trace))
