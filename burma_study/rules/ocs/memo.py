"""Keep what was computed from parts of a state for the last few states, whose parts are compared by identity.

A state's tables are persistent maps: the map that did not change is the same object in the next state. Hashing a map
costs a visit to every piece, comparing identities costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import attrgetter, is_
from typing import Any, TypeVar

from burma_study.rules.ocs.state import State

T = TypeVar("T")
STATES = 3  # kept for each set of arguments
ARGUMENTS = 64


def remembered(*fields: str) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Decorate `f(state, *args)` that reads only the given fields (two or more); arguments are compared by value."""
    parts_of = attrgetter(*fields)

    def decorate(function: Callable[..., T]) -> Callable[..., T]:
        kept: dict[tuple[Any, ...], list[tuple[tuple[Any, ...], T]]] = {}

        @wraps(function)
        def inner(state: State, *args: Any) -> T:
            parts = parts_of(state)
            for old, value in kept.get(args, ()):
                if all(map(is_, old, parts)):
                    return value
            value = function(state, *args)
            if len(kept) >= ARGUMENTS:
                kept.clear()
            kept[args] = [(parts, value), *kept.get(args, ())][:STATES]
            return value

        return inner

    return decorate
