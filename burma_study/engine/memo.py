"""Keep what was computed from parts of a state for the last few states, whose parts are compared by identity.

A state's tables are persistent maps: the map that did not change is the same object in the next state. Hashing a map
costs a visit to every piece, comparing identities costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import attrgetter, is_
from typing import Any, TypeVar

from burma_study.engine.state import BaseState

T = TypeVar("T")
STATES = 3  # kept for each set of arguments
ARGUMENTS = 64


def hand_on(function: Callable[..., Any], before: BaseState, after: BaseState, *args: Any) -> None:
    """Tell a remembered function that a change from `before` to `after` leaves its value as it was."""
    function.hand_on(before, after, *args)  # type: ignore[attr-defined]


def by_identity(function: Callable[..., T]) -> Callable[..., T]:
    """Decorate a function of objects that are long to hash: the last few answers are kept, arguments compared by `is`.

    The arguments are held as long as the answers, so that no other object takes their place in memory.
    """
    kept: list[tuple[tuple[Any, ...], T]] = []

    @wraps(function)
    def inner(*args: Any) -> T:
        for old, value in kept:
            if all(map(is_, old, args)):
                return value
        value = function(*args)
        kept.insert(0, (args, value))
        del kept[STATES:]
        return value

    return inner


def remembered(*fields: str) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Decorate `f(state, *args)` that reads only the given fields (two or more); arguments are compared by value."""
    parts_of = attrgetter(*fields)

    def decorate(function: Callable[..., T]) -> Callable[..., T]:
        kept: dict[tuple[Any, ...], list[tuple[tuple[Any, ...], T]]] = {}

        def keep(args: tuple[Any, ...], parts: tuple[Any, ...], value: T) -> None:
            if len(kept) >= ARGUMENTS:
                kept.clear()
            kept[args] = [(parts, value), *kept.get(args, ())][:STATES]

        @wraps(function)
        def inner(state: BaseState, *args: Any) -> T:
            parts = parts_of(state)
            for old, value in kept.get(args, ()):
                if all(map(is_, old, parts)):
                    return value
            value = function(state, *args)
            keep(args, parts, value)
            return value

        def hand_on(before: BaseState, after: BaseState, *args: Any) -> None:
            parts = parts_of(before)
            for old, value in kept.get(args, ()):
                if all(map(is_, old, parts)):
                    keep(args, parts_of(after), value)
                    return

        inner.hand_on = hand_on  # type: ignore[attr-defined]
        return inner

    return decorate
