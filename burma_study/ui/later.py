"""Work that may wait until a message has gone out: done a moment later, or at once where no event loop runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

MOMENT = 0.12


class Later:
    """Keeps at most one piece of work waiting; a newer one takes its place."""

    def __init__(self) -> None:
        self._waiting: asyncio.TimerHandle | None = None

    def do(self, work: Callable[[], None], seconds: float = MOMENT) -> None:
        """Do this in a moment, in place of whatever waits."""
        self.drop()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            work()
        else:
            self._waiting = loop.call_later(seconds, work)

    def drop(self) -> None:
        """Forget what waits."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


def by_thread(work: Callable[[], object]) -> Callable[[], None]:
    """What another thread calls to have this done by the event loop that runs now; without one nothing is done."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return lambda: None

    def ask() -> None:
        with suppress(RuntimeError):  # the loop is closed: the kernel ends
            loop.call_soon_threadsafe(work)

    return ask
