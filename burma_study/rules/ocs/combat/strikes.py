"""The result of a barrage from guns or from the air: units disorganised and hurt, air bases damaged (OCS 10).

Each leaves an event `barrage` on the marker of that name: pairs of name and value, see `last_barrage`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.aircraft import protected_at
from burma_study.rules.ocs.air.bases import at_base, lose_air_step, protection_limit, set_protected
from burma_study.rules.ocs.combat.barrage import effect_of, facility_odds, facility_result, needs_die, rounded
from burma_study.rules.ocs.combat.barrage_odds import BarrageOdds, Effect, FacilityOdds
from burma_study.rules.ocs.combat.results import disorganise, open_casualties
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.goods.airfields import note_damage
from burma_study.rules.ocs.state import State, stack

REPORT = "barrage"  # marker of the last barrage


def base_odds(state: State, points: Fraction, *, air: bool = False) -> FacilityOdds:
    """The odds of so many points against an air base."""
    return facility_odds(points, air=air, version=state.rules.version, charts=state.rules.charts)


@rule("ocs-series/10.1", "ocs-series/5.10a")
def strike(step: Step[State], target: int, odds: BarrageOdds, firers: Sequence[str], *, air: bool = False) -> None:
    """Roll on the Barrage Table with the odds' column: all units of the hex DG, steps by their owner's choice.

    A frame `casualties` may be opened on top: make this the last thing that an order or procedure does.
    """
    roll = step.roll("barrage", 2)
    text = step.state.rules.charts.barrage[roll.sum - 2][odds.final_index]
    only_dg = any(link.code == "half_is_dg" for link in odds.chain)
    half = needs_die(text, only_dg)
    effect = effect_of(text, only_dg, step.roll("barrage").sum if half else 1)
    units, side = _targets(step.state, target, firers)
    facts: dict[str, Any] = {"target": target, "firers": tuple(firers), "units": units, "points": odds.points}
    facts |= {"column": odds.column, "final_column": odds.final_column, "roll": roll.dice, "result": text}
    facts |= {"dg": effect.dg, "steps": effect.steps, "air": air} | _luck(odds, effect)
    _remember(step, facts)
    step.cite(*dict.fromkeys(s.rule for s in odds.chain if s.rule), "ocs-series/10.1")
    if effect.dg:
        disorganise(step, units)
    if effect.steps:
        open_casualties(step, side, units, effect.steps, "barrage", spread=False)


def _targets(state: State, target: int, firers: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """The enemy units in the hex, and whose they are."""
    first = firers[0]
    gun = state.pieces.get(first)
    side = other_side(gun.counter.side if gun is not None else state.aircraft[first].side)
    return tuple(p.id for p in stack(state, target) if p.counter.side == side), side


def _luck(odds: BarrageOdds, effect: Effect) -> dict[str, Fraction]:
    """Exact probability of the effect, and of one at least as bad for the target."""
    as_bad = sum(w for e, w in odds.weights if (e.steps, e.dg) >= (effect.steps, effect.dg))
    mean = Fraction(sum(e.steps * w for e, w in odds.weights), 216)
    return {"chance": dict(odds.effects)[effect], "this_bad": Fraction(as_bad, 216), "mean": mean}


def _remember(step: Step[State], facts: Mapping[str, Any]) -> None:
    number = last_barrage(step.state).get("number", 0) + 1
    step.put("barrage", "markers", REPORT, tuple(sorted({**facts, "number": number}.items())))


def last_barrage(state: State) -> dict[str, Any]:
    """What the last barrage was, empty before the first: target, firers, columns, roll, result, effect, `chance`.

    Against an air base it has `hits` (levels) and `losses` (ids of air units) in place of DG and steps.
    """
    return dict(state.markers.get(REPORT, ()))


@rule("ocs-series/10.0c", "ocs/opt.3j", "ocs/1.8")
def strike_base(step: Step[State], target: int, points: Fraction, firers: Sequence[str], *, air: bool = False) -> None:
    """Roll on the Facility Table: levels off the base, but never the first; a die for each unprotected air unit."""
    state = step.state
    base, charts = state.bases[target], state.rules.charts
    die = step.roll("barrage")
    result = facility_result(charts, rounded(points), die.sum, state.rules.version)
    left = max(base.level - result.hits, min(base.level, 1))
    step.put("damaged", "bases", target, replace(base, level=left))
    note_damage(step, target, base.level)
    losses = _hit_aircraft(step, target, base.side, result.loss_on)
    set_protected(step, target, protected_at(step.state, target)[: protection_limit(step.state, target)])
    odds = base_odds(state, points, air=air)
    facts = {"target": target, "firers": tuple(firers), "air": air, "points": rounded(points), "column": odds.column}
    facts |= {"roll": die.dice, "result": result.text, "hits": base.level - left, "losses": losses}
    facts |= {"chance": dict(odds.outcomes)[result]}
    _remember(step, facts)
    step.cite("ocs-series/10.0c")


def _hit_aircraft(step: Step[State], target: int, side: str, loss_on: int | None) -> tuple[str, ...]:
    if loss_on is None:
        return ()
    safe = protected_at(step.state, target)
    exposed = [a.id for a in at_base(step.state, target, side) if a.id not in safe]
    hit = tuple(a for a in exposed if step.roll("air").sum >= loss_on)
    for plane in hit:
        lose_air_step(step, plane)
    return hit
