"""Barrage by artillery and aircraft: exact distributions on the Barrage and Facility Tables (OCS 10; Opt.7-10).

The sum runs over 36 rolls and the six faces of the half-step die, so effects weigh 216ths. The body of the 1999
table for dumps and trucks was not found, so there are no odds against those.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from burma_study.engine.reasons import Reason
from burma_study.errors import BurmaStudyError
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.basis import Basis
from burma_study.rules.ocs.charts import Charts, Column, charts_for
from burma_study.rules.ocs.combat.attack import DICE, LEVELS, number, whole
from burma_study.rules.ocs.combat.barrage_odds import BarrageOdds, Effect, FacilityOdds, FacilityResult
from burma_study.rules.ocs.combat.odds import Step
from burma_study.rules.ocs.state import VERSIONS

TIGHTNESS = ("open", "close", "very_close", "extremely_close")
_FACILITY = re.compile(r"(?P<hits>\d)?(?P<star>\*)?(?:\((?P<loss>\d)\))?|-")


@dataclass(frozen=True, slots=True)
class Fire:
    """What decides a barrage: points before rounding, the target's RE (None: no density rule), hex and observation."""

    points: Fraction
    re: Fraction | None
    category: str
    hedgehog: int = 0
    spotted: bool = True
    strat: bool = False
    air: bool = False
    near_base: bool = False
    version: str = "1999"


# the tables -----------------------------------------------------------------------------------------------------------


@rule("ocs-series/4.2")
def rounded(points: Fraction) -> int:
    """Barrage points are summed, then rounded with half up (OCS 4.2)."""
    return int(points + Fraction(1, 2))


def _fired(points: int | Fraction) -> Fraction:
    """The points of a barrage as a fraction; BurmaStudyError for fewer than one, or for no number."""
    found = number(points, "A number of barrage points")
    if rounded(found) < 1:
        raise BurmaStudyError(f"A barrage needs at least 1 point, not {points}.")
    return found


def _known(version: str) -> None:
    if version not in VERSIONS:
        raise BurmaStudyError(f"There is no rules version {version!r}; write one of {', '.join(VERSIONS)}.")


def column_of(columns: Sequence[Column], points: int) -> int:
    """The column, from 0, of a number of points."""
    return next(i for i, c in enumerate(columns) if c.high is None or points <= c.high)


@rule("ocs/opt.7")
def density_shift(charts: Charts, re_: Fraction) -> int:
    """Shift by RE in the hex, not rounded (Opt.7)."""
    return next(shift for limit, shift in charts.density if limit is None or re_ <= limit)


@rule("ocs-series/10.1-shifts", "ocs/opt.7")
def shifts(charts: Charts, fire: Fire) -> tuple[Step, ...]:
    """Every column shift of a barrage, each once."""
    found = []
    if fire.re is not None:
        found.append(Step("density", str(fire.re), f"{density_shift(charts, fire.re):+d}", "ocs/opt.7"))
    closeness = {"close": "close", "very_close": "close", "extremely_close": "extremely_close"}
    for name, applies, subject in (
        ("hedgehog", fire.hedgehog > 0, str(fire.hedgehog)),
        (closeness.get(fire.category, ""), fire.category != "open", fire.category),
        ("no_spotter", not fire.spotted, ""),
        ("strat", fire.strat, ""),
        ("near_base", fire.air and fire.near_base, ""),
    ):
        if not applies:
            continue
        shift, old, new = charts.barrage_shifts[name]
        if new if fire.version == "v4.3" else old:
            found.append(Step(name, subject, f"{shift:+d}", "ocs-series/10.1-shifts"))
    return tuple(found)


@rule("ocs-series/10.1")
def half_is_dg(fire: Fire) -> str:
    """Why [1/2] is only DG: hedgehog level 3 or 4, fire from the air, or no spotter; "" where it is not (OCS 10.1)."""
    if fire.hedgehog >= 3:
        return f"a hedgehog of level {fire.hedgehog}"
    if fire.air:
        return "fire from the air"
    return "" if fire.spotted else "no correct spotter"


def needs_die(text: str, only_dg: bool) -> bool:
    """Is a die thrown for a half step: on 1/2, and on [1/2] where it is not only DG?"""
    return text == "1/2" or (text == "[1/2]" and not only_dg)


@rule("ocs-series/10.1")
def effect_of(text: str, only_dg: bool, die: int) -> Effect:
    """What a cell of the Barrage Table does; a half step is lost on a die of 4 to 6 (OCS 10.1)."""
    if text == "-":
        return Effect(False, 0)
    if needs_die(text, only_dg):
        return Effect(True, int(die >= 4))
    return Effect(True, int(text) if text.isdigit() else 0)


@rule("ocs-series/10.1")
def effects(cells: Sequence[tuple[str, int]], only_dg: bool) -> tuple[tuple[Effect, int], ...]:
    """Weight in 216ths of each effect, from the weights in 36ths of the table's cells (OCS 10.1)."""
    found: dict[Effect, int] = {}
    for text, ways in cells:
        for die in range(1, 7):
            effect = effect_of(text, only_dg, die)
            found[effect] = found.get(effect, 0) + ways
    return tuple(sorted(found.items(), key=lambda item: (item[0].steps, item[0].dg)))


@rule("ocs/opt.8", "ocs/opt.8-unit", "ocs-series/10.1-cost")
def cost(columns: Sequence[Column], column: int, fire: Fire, opt8: bool = True) -> int:
    """Tokens for a barrage, by the column before shifts; aircraft fire free (Opt.8)."""
    if fire.air:
        return 0
    found = columns[column]
    modern = fire.version == "v4.3" or not opt8
    return found.cost_v43 if modern and found.cost_v43 is not None else found.cost_1999


def table_cells(charts: Charts, column: int) -> tuple[tuple[str, int], ...]:
    """Weight in 36ths of each text in a column of the Barrage Table."""
    found: dict[str, int] = {}
    for total in range(2, 13):
        text = charts.barrage[total - 2][column]
        found[text] = found.get(text, 0) + DICE[total]
    return tuple(found.items())


def final_column(charts: Charts, fire: Fire) -> tuple[int, int, tuple[Step, ...]]:
    """Column before shifts, column after them (held to the table), the shifts."""
    columns = charts.barrage_columns["barrage"]
    before, moves = column_of(columns, rounded(fire.points)), shifts(charts, fire)
    after = before + sum(int(s.value) for s in moves)
    return before, min(max(after, 0), len(columns) - 1), moves


def fire_odds(
    charts: Charts,
    fire: Fire,
    chain: tuple[Step, ...] = (),
    *,
    opt8: bool = True,
    target_steps: int | None = None,
    reasons: tuple[Reason, ...] = (),
    find: Callable[[], Basis] | None = None,
) -> BarrageOdds:
    """The exact odds of one barrage."""
    columns = charts.barrage_columns["barrage"]
    before, after, moves = final_column(charts, fire)
    only_dg, tokens = half_is_dg(fire), cost(columns, before, fire, opt8)
    cells = table_cells(charts, after)
    steps = [
        *chain,
        Step("points_total", "", str(rounded(fire.points)), "ocs-series/4.2"),
        Step("barrage_column", "", columns[before].label, "ocs-series/10.1"),
        *moves,
        Step("final_column", "", columns[after].label, "ocs-series/10.1-shifts"),
        Step("cost", "", f"{tokens}T", "ocs/opt.8"),
    ]
    if only_dg and any(text == "[1/2]" for text, _ in cells):
        steps.append(Step("half_is_dg", only_dg, "", "ocs-series/10.1"))
    return BarrageOdds(
        points=rounded(fire.points),
        column=columns[before].label,
        column_index=before,
        final_column=columns[after].label,
        final_index=after,
        cost=tokens,
        cells=cells,
        weights=effects(cells, bool(only_dg)),
        chain=tuple(steps),
        target_steps=target_steps,
        reasons=reasons,
        find=find,
    )


@rule("ocs-series/10.0", "ocs-series/10.1", "ocs-series/10.1b")
def raw_barrage(
    points: int | Fraction,
    re_: int | Fraction,
    terrain: str,
    hedgehog: int = 0,
    *,
    spotted: bool = True,
    strat: bool = False,
    air: bool = False,
    near_base: bool = False,
    version: str = "1999",
    charts: Charts | None = None,
) -> BarrageOdds:
    """Odds of a barrage from bare numbers; BurmaStudyError for less than one point or an unknown terrain."""
    if terrain not in TIGHTNESS:
        raise BurmaStudyError(f"There is no combat terrain {terrain!r}; write one of {', '.join(TIGHTNESS)}.")
    if not whole(hedgehog) or hedgehog not in LEVELS:
        raise BurmaStudyError(f"A hedgehog has level 0 to 4, not {hedgehog!r}.")
    _known(version)
    fired, size = _fired(points), number(re_, "A number of RE")
    fire = Fire(fired, size, terrain, hedgehog, spotted, strat, air, near_base, version)
    return fire_odds(charts or charts_for(()), fire)


@rule("ocs-series/10.0c", "ocs/opt.8-facility")
def facility_odds(
    points: int | Fraction, *, air: bool = False, version: str = "1999", charts: Charts | None = None
) -> FacilityOdds:
    """Odds against an air base or port: one die, no shifts, no spotter (OCS 10.0c)."""
    fired = _fired(points)
    _known(version)
    charts = charts or charts_for(())
    columns = charts.barrage_columns["facility"]
    column = column_of(columns, rounded(fired))
    fire = Fire(fired, None, "open", air=air, version=version)
    found: dict[FacilityResult, int] = {}
    for die in range(1, 7):
        result = facility_result(charts, rounded(fired), die, version)
        found[result] = found.get(result, 0) + 1
    return FacilityOdds(columns[column].label, cost(columns, column, fire), tuple(found.items()))


@rule("ocs-series/10.0c")
def facility_result(charts: Charts, points: int | Fraction, die: int, version: str = "1999") -> FacilityResult:
    """What a die of 1 to 6 gives on the Facility Table for so many points (OCS 10.0c)."""
    column = column_of(charts.barrage_columns["facility"], rounded(Fraction(points)))
    return _facility(charts.facility[die - 1][column], version)


def _facility(text: str, version: str) -> FacilityResult:
    """A cell of the Facility Table; trainbusting belongs to v4.3 only."""
    m = _FACILITY.fullmatch(text)
    if m is None:
        raise BurmaStudyError(f"{text!r} is no result of the Facility Table.")
    loss = int(m["loss"]) if m["loss"] else None
    return FacilityResult(text, int(m["hits"] or 0), loss, bool(m["star"]) and version == "v4.3")
