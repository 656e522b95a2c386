"""A supply net as a designer sees it: what flows through each hexside, what a cut would do, two states side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise

from burma_study.boards.board import Side
from burma_study.engine.asking import asked
from burma_study.hexes.grid import Grid
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.supply.net import Net
from burma_study.rules.ocs.supply.trace import Picture, Tracer, supply


@dataclass(frozen=True, slots=True)
class Cut:
    """What shutting hexes to a side's paths would do: the units that would lose trace, of those carried through."""

    hexes: tuple[int, ...]
    lost: tuple[str, ...]
    carried: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A unit whose trace differs between two states: hex and status in each (None: not in play there)."""

    unit: str
    hexes: tuple[int | None, int | None]
    statuses: tuple[str | None, str | None]


@asked
def flow(picture: Picture) -> dict[Side, int]:
    """For each hexside, how many units' traces cross it."""
    crossings = (
        {Grid.key(a, b) for leg in trace.legs for a, b in pairwise(leg.hexes)} for trace in picture.traces.values()
    )
    return dict(Counter(side for sides in crossings for side in sides))


@asked
def carried(picture: Picture) -> dict[int, tuple[str, ...]]:
    """For each hex, the units whose traces run through it (their own hex does not count)."""
    found: dict[int, list[str]] = {}
    for id_, trace in sorted(picture.traces.items()):
        for hex_ in {h for leg in trace.legs for h in leg.hexes} - {trace.hex}:
            found.setdefault(hex_, []).append(id_)
    return {h: tuple(ids) for h, ids in found.items()}


@asked
def cut(picture: Picture, hexes: Collection[int]) -> Cut:
    """What the side would lose if its paths could not enter `hexes`, as if an enemy stood in each of them."""
    shut = frozenset(map(picture.net.state.board.checked, hexes))
    tracer = Tracer(Net(picture.net.state, picture.side, closed=shut))
    pieces = picture.net.state.pieces
    through = carried(picture)
    users = sorted({i for h in shut for i in through.get(h, ())})
    lost = tuple(i for i in users if not tracer.traces(pieces[i]))
    return Cut(tuple(sorted(shut)), lost, len(users))


@asked
def choke_points(picture: Picture, most: int = 10, *, among: Iterable[int] | None = None) -> tuple[Cut, ...]:
    """Where one lost hex would put most units out of trace, worst first; ties in order of hex.

    Hexes of which each alone would cost the same units are given together: a stretch of road. `among` limits the
    search; a hex with friendly units, or that no trace runs through, is no choke point.
    """
    through = carried(picture)
    own = {p.at for p in picture.net.state.units(picture.side)}
    chosen = set(through if among is None else among) & through.keys() - own
    stretches: dict[tuple[str, ...], list[Cut]] = {}
    for one in (cut(picture, [h]) for h in sorted(chosen)):
        if one.lost:
            stretches.setdefault(one.lost, []).append(one)
    joined = (
        Cut(tuple(h for c in cuts for h in c.hexes), lost, max(c.carried for c in cuts))
        for lost, cuts in stretches.items()
    )
    return tuple(sorted(joined, key=lambda c: (-len(c.lost), c.hexes)))[:most]


@asked
def differences(before: State, after: State, side: str) -> tuple[Difference, ...]:
    """The units of a side that trace in one state and not in the other, or are in play in one only, by id.

    The states may differ in rules (two series versions, a reader's charts) as well as in positions.
    """
    a, b = supply(before, side).traces, supply(after, side).traces
    rows = (
        Difference(
            i,
            (a[i].hex if i in a else None, b[i].hex if i in b else None),
            (a[i].status if i in a else None, b[i].status if i in b else None),
        )
        for i in sorted(a.keys() | b.keys())
    )
    return tuple(r for r in rows if r.statuses[0] != r.statuses[1])
