"""A supply net as a designer sees it: what flows through each hexside, what a cut would do, two states side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise

from burma_study.boards.board import Side
from burma_study.engine.asking import asked
from burma_study.games.ocs import losses
from burma_study.games.ocs.choke_sets import CutSet, default_hexes, search_set
from burma_study.games.ocs.losses import Cut, Losing, Loss, known_ghost
from burma_study.hexes.grid import Grid
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.supply.trace import Picture, supply


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
    return losses.carried(picture)


@asked
def cut(picture: Picture, hexes: Collection[int], *, by: str = "battalion") -> Cut:
    """What a side's traces would lose if the enemy held `hexes`, all of them; `by` is a kind of `GHOST_TEXT`."""
    return Losing(picture, known_ghost(by)).cut(_checked(picture, hexes))


@asked
def loss(picture: Picture, hexes: Collection[int], *, by: str = "battalion") -> Loss:
    """Everything that a side would lose with `hexes`: traces, meals, and what it has there."""
    return Losing(picture, known_ghost(by)).loss(_checked(picture, hexes))


@asked
def choke_points(
    picture: Picture, most: int = 10, *, among: Iterable[int] | None = None, by: str = "battalion"
) -> tuple[Cut, ...]:
    """Where one lost hex would put most units elsewhere out of trace, worst first; ties in order of hex.

    Searched are the hexes that a trace runs through and those where the side has units; or the hexes of `among`, each
    of which is in the answer, also one that would cost nothing. Hexes of which each alone would cost the same units
    are given together: a stretch of road, with the units in all its hexes as `here`.
    """
    losing = Losing(picture, known_ghost(by))
    chosen = default_hexes(losing) if among is None else _checked(picture, among)
    stretches: dict[tuple[str, ...], list[Cut]] = {}
    for one in (losing.cut([h]) for h in sorted(chosen)):
        if one.lost or among is not None:
            stretches.setdefault(one.lost, []).append(one)
    joined = (_joined(lost, cuts) for lost, cuts in stretches.items())
    return tuple(sorted(joined, key=lambda c: (-len(c.lost), c.hexes)))[:most]


def _joined(lost: tuple[str, ...], cuts: list[Cut]) -> Cut:
    here = tuple(sorted(i for c in cuts for i in c.here))
    return Cut(tuple(h for c in cuts for h in c.hexes), lost, max(c.carried for c in cuts), here, cuts[0].by)


def _checked(picture: Picture, hexes: Iterable[int]) -> frozenset[int]:
    return frozenset(map(picture.net.state.board.checked, hexes))


@asked
def worst_set(
    picture: Picture, k: int, *, among: Iterable[int] | None = None, by: str = "battalion", exact: bool | None = None
) -> CutSet:
    """The `k` hexes that, lost together, put most units elsewhere out of trace; `among` as in `choke_points`.

    Two roads that stand in for each other are found so, where each alone costs nothing. Up to `EXACT` hexes are
    searched exactly; more hex by hex, with a bound on what any set could cost. `exact` asks for one or the other.
    """
    losing = Losing(picture, known_ghost(by))
    chosen = default_hexes(losing) if among is None else _checked(picture, among)
    return search_set(losing, sorted(chosen), k, exact=exact)


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
