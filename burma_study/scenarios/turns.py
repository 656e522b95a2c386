"""The turn calendar of OCS Burma: nine turns a month."""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache

from burma_study.errors import ScenarioError

DAYS = (1, 5, 8, 12, 15, 19, 22, 26, 29)


@lru_cache(maxsize=64)
def turn_dates(first: date, last: date) -> tuple[date, ...]:
    """First day of every turn from `first` to `last`, both included; ScenarioError if one of them opens no turn."""
    for day in (first, last):
        if day.day not in DAYS:
            days = ", ".join(map(str, DAYS))
            raise ScenarioError(f"No turn begins on {day:%d %B %Y}; turns begin on days {days} of a month.")
    span = (first + timedelta(days=n) for n in range((last - first).days + 1))
    return tuple(day for day in span if day.day in DAYS)


def turn_of(day: date, first: date, last: date) -> int:
    """Number of the turn that contains `day`, the first being 1; ScenarioError outside the scenario."""
    begun = sum(d <= day for d in turn_dates(first, last))
    if not begun or day > last + timedelta(days=4):
        raise ScenarioError(f"{day:%d %B %Y} is outside the scenario, {first:%d %B} to {last:%d %B %Y}.")
    return begun
