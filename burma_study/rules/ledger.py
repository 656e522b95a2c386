"""Tie functions to the clauses of the rulebooks that they carry out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def rule(*ids: str) -> Callable[[F], F]:
    """Mark a function as carrying out the clauses `ids`, e.g. `@rule("ocs/2.6b")`; changes nothing at run time."""

    def mark(function: F) -> F:
        function.__rules__ = ids  # type: ignore[attr-defined]
        return function

    return mark
