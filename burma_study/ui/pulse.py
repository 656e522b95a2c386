"""A heartbeat between page and kernel: the page says whether a silent kernel computes, is cut off, or is gone."""

from __future__ import annotations

from typing import Any

import anywidget

from burma_study.ui.assets import PULSE_SCRIPTS, script, style


class Pulse(anywidget.AnyWidget):
    """Answers the page's pings; after 9 seconds of silence it asks the server what is wrong, and says it."""

    _esm = script(*PULSE_SCRIPTS)
    _css = style("pulse")

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.on_msg(self._answer)

    def _answer(self, _widget: object, content: object, _buffers: object) -> None:
        if isinstance(content, dict) and content.get("ping"):
            self.send({"pong": 1})
