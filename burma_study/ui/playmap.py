"""A map to play on: besides stepping and selecting it shows where chosen units may go and hands back picks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import ipywidgets
import traitlets

from burma_study.answers.frames import Film
from burma_study.games.ocs.moves import Way
from burma_study.ui.guard import guarded
from burma_study.ui.hexmap import HexLayer, HexMap, leaflet_map

TAIL = 6_000  # characters of added steps up to which the film itself is not sent again


class PlayLayer(HexLayer):
    """A map layer that is played on; maps with one `group` show the same ground."""

    playing = traitlets.Bool(True).tag(sync=True)
    moves = traitlets.Unicode("{}").tag(sync=True)
    group = traitlets.Unicode().tag(sync=True)
    tail = traitlets.Unicode("[]").tag(sync=True)


class PlayMap(HexMap):
    """A map with ways, lit hexes and marks; `on_pick` hears of a hex that was picked or gone to."""

    def __init__(self, board: str, film: Film, *, height: str, link_name: str = "", **traits: Any):
        self.film = film
        self.map = leaflet_map(height)
        self.layer = PlayLayer(
            map=self.map, board=board, cast=film.cast(), film=film.window(0), link_name=link_name, **traits
        )
        self._segment = film.segment_of(0)
        self._seq = self._moves_seq = 0
        self._tail: list[dict[str, object]] = []
        self.layer.observe(self._follow, "step")
        ipywidgets.VBox.__init__(self, [self.map, self.layer], layout=ipywidgets.Layout(width="auto"))
        self.add_class("bs-hexmap")

    def roll(self, film: Film, step: int) -> None:
        """Show a longer or another film of the same game where the reader stands, in one message; the view stays."""
        step = film.clamp(step)
        if film is self.film and step == self.step:
            return
        added = film.after(self.film) if film is not self.film else []
        tail = json.dumps([*self._tail, *(added or ())], separators=(",", ":"), ensure_ascii=False)
        whole = added is None or len(tail) > TAIL
        moved = self._segment != film.segment_of(step) and not (added or film.whole)
        self.film, self._segment = film, film.segment_of(step)
        self._tail = [] if whole else [*self._tail, *(added or ())]
        with self.layer.hold_sync():
            if whole:
                self.layer.set_trait("cast", film.cast())
            if whole or moved:
                self.layer.set_trait("film", film.window(step))
            self.layer.tail = "[]" if whole else tail
            self.layer.step = step

    def show(self, film: Film, *, scenario: str = "", step: int = 0) -> None:
        """Show another game, in one message."""
        self._tail = []
        with self.layer.hold_sync():
            self.layer.tail = "[]"
            super().show(film, scenario=scenario, step=step)

    def offer(
        self,
        ways: Iterable[Way] = (),
        *,
        start: int = -1,
        lit: Iterable[int] = (),
        asked: Iterable[int] = (),
        marks: Iterable[Sequence[Any]] = (),
    ) -> None:
        """Shade hexes to go to from `start` with their costs, light up hexes that may be picked, mark differences.

        `asked` are hexes that a question is about: the map moves so that the first is in view. A mark is a hex, a kind
        (`gone`, `fresh`, `moved`, `other`) and a remark.
        """
        shown = {
            "from": start,
            "ways": [[w.hex, w.text, list(w.path)] for w in ways],
            "lit": sorted(set(lit)),
            "asked": list(asked),
            "marks": [list(m) for m in marks],
        }
        text = json.dumps(shown, separators=(",", ":"), ensure_ascii=False)
        if text != getattr(self, "_offered", ""):
            self._offered = text
            self._moves_seq += 1
            self.layer.moves = f'{{"seq":{self._moves_seq},{text[1:]}'

    def on_pick(self, callback: Callable[[str, int], None]) -> None:
        """Call back with `pick`, `go` or `share` and the hex."""
        safe = guarded(callback, self.say)

        def hear(_widget: object, content: object, _buffers: object) -> None:
            for key in ("pick", "go", "share"):
                if isinstance(content, dict) and isinstance(content.get(key), int):
                    safe(key, content[key])

        self.layer.on_msg(hear)
