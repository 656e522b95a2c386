"""The panel beside a map: tabs of sections described as plain data, drawn in the browser as accessible HTML."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import anywidget
import traitlets

from burma_study.ui.assets import PANEL_SCRIPTS, script, style
from burma_study.ui.guard import guarded

Section = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab of a panel; sections of None are asked for (a pick of the key `tab`) when a reader opens it."""

    key: str
    title: str
    sections: Sequence[Section] | None


class Panel(anywidget.AnyWidget):
    """Shows tabs of sections; what a reader picks in one comes back through `on_pick`.

    A pick is a key and a value: `tab`, or the `pick` of a table row, or the `key` of a choice, select or button.
    """

    _esm = script(*PANEL_SCRIPTS)
    _css = style("panel")

    content = traitlets.Unicode('{"tabs":[]}').tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self._shown: tuple[Tab, ...] = ()
        self._active = ("", 0)
        self._seq = 0
        self._notice = ""
        self._headline: tuple[str, str] = ("", "")

    def show(
        self, tabs: Iterable[Tab], *, active: str = "", headline: tuple[str, str] = ("", ""), notice: str = ""
    ) -> None:
        """Put tabs in place of those shown, in one message; `active` names one to open.

        `headline` is a sentence that stands above all tabs and a second, quieter one.
        """
        self._shown, self._notice, self._headline = tuple(tabs), notice, headline
        if active:
            self._active = (active, self._active[1] + 1)
        self._publish()

    def say(self, sentence: str) -> None:
        """One sentence above the tabs; the empty string takes it away."""
        if sentence != self._notice:
            self._notice = sentence
            self._publish()

    def _publish(self) -> None:
        self._seq += 1
        tabs = [{"key": t.key, "title": t.title, "sections": _listed(t.sections)} for t in self._shown]
        content = {
            "tabs": tabs,
            "active": self._active,
            "seq": self._seq,
            "notice": self._notice,
            "headline": self._headline,
        }
        self.content = json.dumps(content, separators=(",", ":"), ensure_ascii=False)

    def save(self, name: str, mime: str, text: str) -> None:
        """Let the browser save a text as a file."""
        self.send({"save": [name, mime, text]})

    def on_pick(self, callback: Callable[[str, Any], None]) -> None:
        """Call back with key and value of each pick."""
        safe = guarded(callback, self.say)

        def hear(_widget: object, content: object, _buffers: object) -> None:
            if isinstance(content, dict) and "key" in content:
                safe(str(content["key"]), content.get("value"))

        self.on_msg(hear)


def _listed(sections: Sequence[Section] | None) -> list[Section] | None:
    return None if sections is None else list(sections)
