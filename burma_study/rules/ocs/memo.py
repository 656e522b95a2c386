"""Keep what was computed from parts of a state for the last few states, whose parts are compared by identity.

A state's tables are persistent maps: the map that did not change is the same object in the next state. Hashing a map
costs a visit to every piece, comparing identities costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import is_
from typing import Any, TypeVar

from burma_study.rules.ocs.state import State

T = TypeVar("T")
KEPT = 16


def remembered(*fields: str) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Decorate `f(state, *args)` that reads only the given fields of its state; arguments are compared by value."""

    def decorate(function: Callable[..., T]) -> Callable[..., T]:
        kept: list[tuple[tuple[Any, ...], tuple[Any, ...], T]] = []

        @wraps(function)
        def inner(state: State, *args: Any) -> T:
            parts = tuple([getattr(state, name) for name in fields])
            for old, old_args, value in kept:
                if old_args == args and all(map(is_, old, parts)):
                    return value
            value = function(state, *args)
            kept.insert(0, (parts, args, value))
            del kept[KEPT:]
            return value

        return inner

    return decorate
