"""The desk of play in the page: the phase and its buttons, the open question, tabs of sections, as plain data."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import anywidget
import traitlets

from burma_study.ui.assets import DESK_SCRIPTS, script, style
from burma_study.ui.guard import guarded

Section = Mapping[str, Any]
LONG, MOST = 300, 150  # sections of so many characters are told once; so many the browser keeps


def plain(content: Mapping[str, Any]) -> str:
    """As text for the browser."""
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False)


class Desk(anywidget.AnyWidget):
    """Shows what `show` is given; what a reader does comes back through `on_act` as a key and a value.

    The browser keeps the orders of games in its own store: `keep` sends it what was played since. A long section that
    it has already is named by its number instead of told again.
    """

    _esm = script(*DESK_SCRIPTS)
    _css = style("panel", "desk")

    content = traitlets.Unicode().tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self._seq = 0
        self._last: dict[str, Any] = {}
        self._told: dict[str, int] = {}
        self.notices: list[tuple[str, str]] = []
        self.lasting: list[tuple[str, str]] = []  # said until it is mended

    def show(
        self,
        *,
        bar: Mapping[str, Any] | None,
        question: Sequence[Section],
        tabs: Sequence[tuple[str, str]],
        active: str,
        sections: Sequence[Section],
        node: int = 0,
        running: bool = False,
        building: str = "",
    ) -> None:
        """Everything anew, in one message: phase bar, question, the sections of the tab that is open.

        `building` is the kind of order that is being built: shown from its top when it begins.
        """
        self._last = {
            "bar": bar,
            "question": question,
            "tabs": tabs,
            "active": active,
            "sections": sections,
            "node": node,
            "running": running,
            "building": building,
        }
        self._publish()

    @property
    def seq(self) -> int:
        """Number of what is shown now."""
        return self._seq

    def say(self, sentence: str, tone: str = "bad") -> None:
        """One sentence above the tabs; the empty string takes all away."""
        wanted = [(tone, sentence)] if sentence else []
        if wanted != self.notices:
            self.notices = wanted
            self._publish()

    def _publish(self) -> None:
        if self._last:
            self._seq += 1
            fresh = not self._told or len(self._told) > MOST
            if fresh:
                self._told.clear()
            sections = [self._short(s) for s in self._last["sections"]]
            notices = [*self.lasting, *self.notices]
            content = {**self._last, "sections": sections, "notices": notices, "seq": self._seq, "fresh": fresh}
            self.content = plain(content)

    def _short(self, section: Section) -> Section:
        """A long section with its number the first time, later the number alone."""
        text = plain(section)
        if len(text) < LONG:
            return section
        if text in self._told:
            return {"same": self._told[text]}
        self._told[text] = len(self._told)
        return {**section, "number": self._told[text]}

    def on_act(self, callback: Callable[[str, Any], None]) -> None:
        """Call back with key and value of each thing that the reader does; an error becomes one sentence."""
        safe = guarded(callback, self._failed)

        def hear(_widget: object, content: object, _buffers: object) -> None:
            if isinstance(content, dict) and "key" in content:
                if content["key"] == "hello":  # a browser that has been told nothing yet
                    self._told.clear()
                    self._publish()
                safe(str(content["key"]), content.get("value"))

        self.on_msg(hear)

    def _failed(self, sentence: str) -> None:
        if sentence:
            self.say(sentence)

    def download(self, name: str, content: bytes) -> None:
        """Let the browser save a file."""
        self.send({"download": [name, base64.b64encode(content).decode("ascii")]})

    def keep(self, game: Mapping[str, Any]) -> None:
        """Let the browser keep what was played since `from`."""
        self.send({"keep": dict(game)})

    def link(self, fragment: str) -> None:
        """Put a link to the game into the address bar and on the clipboard."""
        self.send({"link": fragment})
