"""Do the marches of a line cross ground that the enemy holds? Such a leg stops the build.

A hex is crossed on the day on which the share of the march's days is the share of its cost spent so far. If the line
has enemies in it on the last turn before that day and on the first turn after it, nobody can have marched through.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from line_ugo_positions import TURNS, Leg, Line

Held = Mapping[str, Mapping[str, set[str]]]


def barred_legs(line: Line, rows: Sequence[Mapping[str, str]]) -> list[str]:
    """A sentence for each leg, unit and hex held by the enemy on both sides of the day on which the unit crosses it."""
    held: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in rows:
        held[row["date"]][row["hex"]].add(line.side(row["unit"]))
    return [said for unit, track in line.tracks.items() for said in _barred(line, unit, track.legs, held)]


def _barred(line: Line, unit: str, legs: Sequence[object], held: Held) -> Iterator[str]:
    for n, leg in enumerate(legs):
        if not isinstance(leg, Leg):
            continue
        event = leg.event
        ends = [_days(later) for later in legs[n + 1 :]]
        for hex_, when in crossings(leg):
            spot = line.grid.label(hex_)
            around = turns_around(when)
            if (
                around
                and when <= min(ends, default=when)
                and all(_enemy(line, unit, held[t].get(spot)) for t in around)
            ):
                yield f"{event.id}: {unit} crosses {spot}, the enemy's on {around[0]} and on {around[1]}"


def crossings(leg: Leg) -> Iterator[tuple[int, Fraction]]:
    """Each hex of a leg after its first, with the day, counted from the first turn, on which it is reached."""
    start, span = (leg.event.start - TURNS[0]).days, (leg.event.arrival - leg.event.start).days
    for hex_, cost in zip(leg.way[1:], leg.cost[1:], strict=True):
        yield hex_, start + (Fraction(cost, leg.cost[-1]) * span if leg.cost[-1] else Fraction(span))


def turns_around(when: Fraction) -> tuple[str, str] | None:
    """The dates of the last turn before a day and of the first after it; None before the line and after its end."""
    before = [t for t in TURNS if (t - TURNS[0]).days < when]
    after = [t for t in TURNS if (t - TURNS[0]).days > when]
    return (before[-1].isoformat(), after[0].isoformat()) if before and after else None


def _days(leg: object) -> int:
    """When a later leg takes the unit off this one: its start, or the day of a jump."""
    event = leg.event if isinstance(leg, Leg) else leg
    return ((event.start if isinstance(leg, Leg) else event.arrival) - TURNS[0]).days  # type: ignore[attr-defined]


def _enemy(line: Line, unit: str, sides: set[str] | None) -> bool:
    return bool(sides) and line.side(unit) not in (sides or ())


def off_road(line: Line, rows: Sequence[Mapping[str, str]]) -> list[str]:
    """A sentence for each unit on wheels or tracks that stands in a hex without road, track or railway."""
    ways = line.board.route_hexes("all_weather", "fair_weather", "track", "rail")
    return [
        f"{row['unit']} stands off every road at {row['hex']} on {row['date']}"
        for row in rows
        if "." in row["hex"] and line.counters[row["unit"]]["m_move"] != "leg"
        if line.grid.index(row["hex"]) not in ways
    ]
