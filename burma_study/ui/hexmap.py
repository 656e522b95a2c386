"""The map: a canvas layer over an ipyleaflet map, with its step bar, layers, read-out and text twin.

All drawing, hit testing and stepping within the window run in the browser; only small integers and words come back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import anywidget
import ipyleaflet
import ipywidgets
import traitlets

from burma_study.answers.frames import SUPPLY, Film, Overlay, shorts
from burma_study.ui.assets import MAP_SCRIPTS, script, style

BLANK_TILE = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
EMPTY_LIVE = '{"seq":0}'


class HexLayer(anywidget.AnyWidget):
    """The canvas and its controls, bound to one ipyleaflet map by its model id.

    From Python: `board`, `cast`, `film`, `live`, `notice`. From the browser: `step`, `selected`, `unit`,
    `layers`, `link`.
    """

    _esm = script(*MAP_SCRIPTS)
    _css = style("map")

    map = traitlets.Instance(ipyleaflet.Map).tag(sync=True, **ipywidgets.widget_serialization)
    board = traitlets.Unicode().tag(sync=True)
    cast = traitlets.Unicode().tag(sync=True)
    film = traitlets.Unicode().tag(sync=True)
    live = traitlets.Unicode(EMPTY_LIVE).tag(sync=True)
    notice = traitlets.Unicode().tag(sync=True)
    scenario = traitlets.Unicode().tag(sync=True)
    link_name = traitlets.Unicode().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True, echo_update=False)
    selected = traitlets.Int(-1).tag(sync=True, echo_update=False)
    unit = traitlets.Unicode().tag(sync=True, echo_update=False)
    layers = traitlets.Unicode().tag(sync=True, echo_update=False)
    link = traitlets.Unicode().tag(sync=True, echo_update=False)
    still = traitlets.Bool(False).tag(sync=True)


def leaflet_map(height: str) -> ipyleaflet.Map:
    """An ipyleaflet map that asks nothing of the network: its base layer is one transparent pixel."""
    blank = ipyleaflet.TileLayer(url=BLANK_TILE, attribution="", max_zoom=14, name="none")
    return ipyleaflet.Map(
        layers=(blank,),
        center=(24.6, 95.2),
        zoom=7,
        min_zoom=5,
        max_zoom=12,
        zoom_snap=0.5,
        zoom_delta=0.5,
        scroll_wheel_zoom=True,
        attribution_control=False,
        world_copy_jump=False,
        layout=ipywidgets.Layout(height=height, width="auto"),
    )


class HexMap(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets ships no types
    """A map with its controls, ready for `display`. Several may stand on one page.

    `on_step`, `on_select`, `on_unit`, `on_layers` and `on_link` take a callback of one value (a step, a hex number or
    -1, a unit id, the layers asked for, the query of a shared link); what it raises becomes a sentence on the page.
    """

    def __init__(
        self,
        board: str,
        film: Film,
        *,
        height: str = "min(70vh, 640px)",
        link_name: str = "",
        **traits: Any,
    ):
        self.film = film
        self.map = leaflet_map(height)
        self.layer = HexLayer(
            map=self.map, board=board, cast=film.cast(), film=film.window(0), link_name=link_name, **traits
        )
        self._segment = film.segment_of(0)
        self._seq = 0
        self.layer.observe(self._follow, "step")
        super().__init__([self.map, self.layer], layout=ipywidgets.Layout(width="auto"))
        self.add_class("bs-hexmap")

    def _follow(self, change: Mapping[str, Any]) -> None:
        """Send the window around a step as soon as the cursor enters another segment."""
        self._send_window(change["new"])

    def _send_window(self, step: int) -> None:
        segment = self.film.segment_of(self.film.clamp(step))
        if segment != self._segment and not self.film.whole:
            self._segment = segment
            self.layer.film = self.film.window(step)

    @property
    def step(self) -> int:
        """The step shown."""
        return int(self.layer.step)

    @step.setter
    def step(self, value: int) -> None:
        self.layer.step = self.film.clamp(value)

    def show(self, film: Film, *, scenario: str = "", step: int = 0) -> None:
        """Show another film, in one message."""
        self.film, step = film, film.clamp(step)
        self._segment = film.segment_of(step)
        with self.layer.hold_sync():
            self.layer.set_trait("cast", film.cast())
            self.layer.set_trait("film", film.window(step))
            self.layer.scenario, self.layer.step, self.layer.selected, self.layer.unit = scenario, step, -1, ""

    def shade(
        self,
        *,
        overlays: Iterable[Overlay] = (),
        net: Iterable[tuple[str, Sequence[int]]] = (),
        traces: Iterable[Mapping[str, Any]] = (),
        targets: Iterable[int] = (),
        status: Mapping[str, str] | None = None,
        flow: Iterable[tuple[int, int, int]] = (),
    ) -> None:
        """Put shadings, supply lines, traces and targets on the map, in one message, in place of what was there.

        `flow` gives hexsides with the number of units that they feed. `status` gives the supply status of units by id
        and stands before what the film says. A trace has `status` and `legs`; a leg has `kind`, `hexes` and perhaps
        `ends` (source, hq, unit, blocked).
        """
        self._seq += 1
        live = {
            "seq": self._seq,
            "overlays": [o.payload() for o in overlays],
            "net": [[kind, shorts(path)] for kind, path in net],
            "traces": [_trace(t) for t in traces],
            "targets": list(targets),
            "flow": shorts(number for side in flow for number in side),
            "status": self._coded(status or {}),
        }
        self.layer.live = json.dumps(live, separators=(",", ":"))

    def _coded(self, status: Mapping[str, str]) -> str:
        """One digit a look of the roster: the number of its status among SUPPLY, 0 where none is given."""
        return "".join(str(SUPPLY.index(status.get(look[1], ""))) for look in self.film.roster) if status else ""

    def say(self, sentence: str) -> None:
        """One sentence beside the map; the empty string takes it away."""
        self.layer.notice = sentence

    def look_at(self, hexes: Iterable[int]) -> None:
        """Move the map so that hexes are in view, if they are not."""
        self.layer.send({"look": list(hexes)})

    def send_picture(self, svg: str) -> None:
        """The picture that stands for the map where it cannot be drawn."""
        self.layer.send({"picture": svg})

    def on_message(self, key: str, callback: Callable[[Any], None], *, clears: bool = False) -> None:
        """Call back with the value of each message of the browser that has a key: `drawn`, `follow`, `picture`."""
        from burma_study.ui.guard import guarded

        safe = guarded(callback, self.say, clears=clears)

        def hear(_widget: object, content: object, _buffers: object) -> None:
            if isinstance(content, dict) and key in content:
                safe(content[key])

        self.layer.on_msg(hear)

    def on(self, trait: str, callback: Callable[[Any], None]) -> None:
        """Call back when `step`, `selected`, `unit`, `layers` or `link` changes in the browser."""
        from burma_study.ui.guard import guarded

        self.layer.observe(guarded(lambda change: callback(change["new"]), self.say), trait)


def _trace(trace: Mapping[str, Any]) -> dict[str, Any]:
    legs = [
        {
            "kind": leg["kind"],
            "hexes": shorts(leg["hexes"]),
            "ends": leg.get("ends", ""),
            "starts": leg.get("starts", ""),
        }
        for leg in trace["legs"]
    ]
    return {"status": trace.get("status", ""), "unit": trace.get("unit", ""), "legs": legs}
