"""Callbacks that never end in a traceback: an error becomes one sentence beside the control that caused it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from burma_study.errors import BurmaStudyError

LOG = logging.getLogger("burma_study.ui")


def sentence(error: Exception) -> str:
    """What to say of an error: the message of one of ours, a short apology with its kind for any other."""
    if isinstance(error, BurmaStudyError):
        return str(error)
    return f"That could not be worked out ({type(error).__name__}: {error}); the page still shows what it did before."


def guarded(callback: Callable[..., Any], say: Callable[[str], None], *, clears: bool = True) -> Callable[..., Any]:
    """`callback` with errors told to `say`; with `clears`, `say` gets the empty string when all went well.

    What a reader did not ask for himself does not clear: the sentence about what he asked last must stay.
    """

    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            result = callback(*args, **kwargs)
        except Exception as error:
            LOG.debug("callback failed", exc_info=True)
            say(sentence(error))
            return None
        if clears:
            say("")
        return result

    return run
