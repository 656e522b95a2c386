"""Barrages on the map: who may fire at what, who spots, and the odds (OCS 10; Burma 1.7, 2.2c, 3.2b; Opt.7-10)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from burma_study.datafiles import read_rows
from burma_study.engine.reasons import Reason, because, refusal
from burma_study.errors import BurmaStudyError, did_you_mean
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.basis import Basis
from burma_study.rules.ocs.charts import Charts
from burma_study.rules.ocs.combat.attack import hedgehog_level
from burma_study.rules.ocs.combat.barrage import TIGHTNESS, Fire, final_column, fire_odds, rounded
from burma_study.rules.ocs.combat.barrage_odds import BarrageOdds
from burma_study.rules.ocs.combat.checks import check_target, combatants, unit_ids
from burma_study.rules.ocs.combat.odds import AIRCRAFT, Faces, Step, find_basis
from burma_study.rules.ocs.combat.strength import Look, terrain_choices
from burma_study.rules.ocs.combat.texts import reason_text
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.state import Aircraft, Piece, State, stack

CLOSED = ("jungle", "rough", "mountain")
MOST_DENSE = Fraction(3)  # RE that one unit or division counts for, by v4.3


@dataclass(frozen=True, slots=True)
class BarrageOptions:
    """How a barrage is fired; `spotted` None looks for a spotter, `anyway` gives odds where a rule forbids it."""

    paid: bool = True
    spotted: bool | None = None
    near_base: bool = False
    anyway: bool = False

    def __post_init__(self) -> None:
        for name in ("paid", "spotted", "near_base", "anyway"):
            value = getattr(self, name)
            if not isinstance(value, bool) and not (name == "spotted" and value is None):
                raise BurmaStudyError(f"The option {name} of a barrage is True or False, not {value!r}.")


def target_category(look: Look, state: State, target: int) -> str:
    """The tightest category that the terrains of a hex offer its defender (Burma 1.4a, 1.4e)."""
    choices = terrain_choices(look, state.board, target, attacking=False)
    return max((c.category for c in choices if c.category), key=TIGHTNESS.index, default="open")


@rule("ocs/opt.10", "ocs-series/10.0b")
def spotters(state: State, target: int, side: str, air: bool) -> list[Piece]:
    """Units next to a hex that may spot (Opt.10: attack-capable, not in Reserve, DG or Strat; aircraft: also HQs)."""
    near = [p for h in state.board.grid.adjacent[target] for p in stack(state, h) if p.counter.side == side]
    if state.rules.version == "v4.3" and not air:
        return near
    if air:
        near = [p for p in near if _spots_for_aircraft(p)]
    elif state.rules.has("opt10"):
        near = [p for p in near if p.counter.attack_capable]
    if not state.rules.has("opt10"):
        return near
    return [p for p in near if not p.dg and p.mode not in ("reserve", "strat")]


@rule("ocs/2.2c", "ocs/3.2b")
def _spots_for_aircraft(piece: Piece) -> bool:
    """Attack-capable units and HQs spot for aircraft, never the INA (Burma 2.2c, 3.2b)."""
    return (piece.counter.attack_capable or piece.counter.is_hq) and piece.counter.nationality != "ina"


@rule("ocs/opt.10")
def guns_spotted(state: State, target: int, guns: Sequence[Piece]) -> str:
    """ "" when every gun has a correct spotter, else the formation that lacks one: a division's guns need their own."""
    near = spotters(state, target, guns[0].counter.side, air=False)
    if not near:
        return "any"
    if state.rules.version == "v4.3" or not state.rules.has("opt10"):
        return ""
    divisions = {p.counter.formation for p in guns if p.counter.formation.endswith("Div")}
    lacking = sorted(divisions - {p.counter.formation for p in near})
    return lacking[0] if lacking else ""


@rule("ocs-series/10.0", "ocs/opt.8.1", "ocs/opt.8.2")
def gun_points(look: Look, guns: Sequence[Piece]) -> tuple[Fraction, tuple[Step, ...]]:
    """Points of all the guns that fire, each with its whole strength; DG units at half (Opt.8)."""
    total, chain = Fraction(), []
    for piece in guns:
        points = Fraction(look.number(piece, "barrage"))
        chain.append(Step("points", piece.counter.label, str(points), "ocs-series/10.0"))
        if piece.dg:
            factor = look.value("dg_strength")
            points *= factor
            chain.append(Step("dg_barrage", piece.counter.label, str(factor), "ocs/opt.8.1"))
        total += points
    return total, tuple(chain)


@rule("ocs-series/10.0")
def _gun_reasons(state: State, target: int, guns: Sequence[Piece], options: BarrageOptions) -> list[Reason]:
    grid, found = state.board.grid, []
    for piece in guns:
        label, reach = piece.counter.label, piece.printed.range
        if not piece.counter.is_artillery:
            found.append(because("not-artillery", rule="ocs-series/10.0", hard=True, unit=label))
        if piece.mode in ("reserve", "strat"):
            why = f"it is in {'Strategic Move' if piece.mode == 'strat' else 'Reserve'} Mode"
            found.append(because("barrage-mode", rule="ocs-series/10.0", unit=label, why=why))
        if not isinstance(piece.at, int):
            found.append(because("not-on-map", rule="ocs-series/10.0", hard=True, unit=label))
        elif (far := grid.distance(piece.at, target)) > reach:
            found.append(because("out-of-range", target, rule="ocs-series/10.0", unit=label, distance=far, range=reach))
    if not options.paid:
        found.append(because("no-barrage-supply", rule="ocs/opt.8"))
    return found


def _target_reasons(target: int, defenders: Sequence[Piece]) -> list[Reason]:
    return [] if defenders else [because("no-defenders", target, rule="ocs-series/10.0", hard=True)]


def _fire(
    look: Look, state: State, target: int, defenders: Sequence[Piece], points: Fraction, spotted: bool, air: bool
) -> Fire:
    dense = state.rules.version == "v4.3" or state.rules.has("opt7")
    return Fire(
        points,
        density(defenders, state.rules.version) if dense else None,
        target_category(look, state, target),
        hedgehog_level(state, target, defenders[0].counter.side),
        spotted,
        any(p.mode == "strat" for p in defenders),
        air,
        version=state.rules.version,
    )


@rule("ocs/opt.7", "ocs-series/10.1-shifts")
def density(units: Sequence[Piece], version: str) -> Fraction:
    """RE of the combat units in a hex for the density shift; by v4.3 no unit and no division counts more than 3."""
    sizes: dict[str, Fraction] = {}
    for p in units:
        whose = p.counter.formation if version == "v4.3" and p.counter.formation.endswith("Div") else p.id
        sizes[whose] = sizes.get(whose, Fraction()) + p.counter.re
    if version == "v4.3":
        sizes = {whose: min(size, MOST_DENSE) for whose, size in sizes.items()}
    return sum(sizes.values(), Fraction())


def _given(state: State, target: int, reasons: Sequence[Reason], anyway: bool) -> None:
    if any(r.hard for r in reasons) or (reasons and not anyway):
        raise refusal(f"A barrage of {state.board.label(target)}", reasons, reason_text)


@rule("ocs/opt.9")
def _battery(
    state: State, target: int, guns: Iterable[str], options: BarrageOptions
) -> tuple[tuple[Piece, ...], tuple[Piece, ...], list[Reason]]:
    units, defenders, unknown = combatants(state, target, guns)
    if unknown:
        return units, defenders, list(unknown)
    if not units:
        return units, defenders, [because("no-attackers", rule="ocs-series/10.0", hard=True)]
    return units, defenders, _gun_reasons(state, target, units, options) + _target_reasons(target, defenders)


def barrage_reasons(
    state: State, target: int, guns: Iterable[str], options: BarrageOptions | None = None
) -> list[Reason]:
    """Every reason why artillery may not fire at the enemies in a hex; empty when it may."""
    units, _, reasons = _battery(state, target, guns, options or BarrageOptions())
    if not reasons and rounded(gun_points(Look(state.rules.charts), units)[0]) < 1:
        reasons.append(because("no-points", rule="ocs-series/10.0", hard=True))
    return reasons


@rule("ocs-series/10.0", "ocs-series/10.1")
def barrage_odds(state: State, target: int, guns: Iterable[str], options: BarrageOptions | None = None) -> BarrageOdds:
    """Exact odds of the artillery units `guns` (ids) against the enemies in hex `target`.

    IllegalOrder lists every reason why it is not allowed, unless `options.anyway`.
    """
    options = options or BarrageOptions()
    units, defenders, reasons = _battery(state, target, guns, options)
    look = Look(state.rules.charts)
    points, chain = gun_points(look, units)
    if not reasons and rounded(points) < 1:
        reasons.append(because("no-points", rule="ocs-series/10.0", hard=True))
    _given(state, target, reasons, options.anyway)
    lacking = guns_spotted(state, target, units)
    spotted = not lacking if options.spotted is None else options.spotted

    def fire(look: Look) -> Fire:
        return _fire(look, state, target, defenders, gun_points(look, units)[0], spotted, air=False)

    return _shot(state, look, fire, chain, defenders, reasons)


def _shot(
    state: State,
    look: Look,
    fire: Callable[[Look], Fire],
    chain: tuple[Step, ...],
    defenders: Sequence[Piece],
    reasons: Sequence[Reason],
) -> BarrageOdds:
    first = fire(look)
    before, after, _ = final_column(look.charts, first)

    def again(charts: Charts, faces: Faces) -> tuple[int, int]:
        early, late, _ = final_column(charts, fire(Look(charts, faces)))
        return late, early

    def basis() -> Basis:
        return find_basis(look.used, look.charts, (after, before), again)

    return fire_odds(
        look.charts,
        first,
        chain,
        opt8=state.rules.has("opt8"),
        target_steps=sum(p.steps for p in defenders),
        reasons=tuple(reasons),
        find=basis,
    )


# aircraft -------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def air_ratings() -> Mapping[str, int]:
    """Barrage points of each type of aircraft at full strength."""
    return {r["type"]: int(r["barrage"] or 0) for r in read_rows("counters/ocs_air.csv")}


@rule("ocs/opt.3e", "ocs/opt.3e.1", "ocs-series/14.11")
def air_points(look: Look, planes: Sequence[Aircraft]) -> tuple[Fraction, tuple[Step, ...]]:
    """Points of a stack of aircraft: reduced units and DG units at half each (Opt.3e)."""
    total, chain = Fraction(), []
    for plane in planes:
        look.used.append((AIRCRAFT, plane.type, "barrage"))
        rating = look.faces.get((plane.type, "barrage"), air_ratings()[plane.type])
        points = Fraction(rating * plane.steps, 2)
        chain.append(Step("points", plane.id, str(points), "ocs-series/14.11"))
        if plane.dg:
            points *= look.value("dg_strength")
            chain.append(Step("dg_barrage", plane.id, str(look.value("dg_strength")), "ocs/opt.3e.1"))
        total += points
    return total, tuple(chain)


@rule("ocs/1.7")
def observed(state: State, target: int, side: str) -> bool:
    """A friendly unit stands next to the hex (Burma 1.7)."""
    return any(p.counter.side == side for h in state.board.grid.adjacent[target] for p in stack(state, h))


@rule("ocs/1.7")
def _air_reasons(state: State, target: int, planes: Sequence[Aircraft], defenders: Sequence[Piece]) -> list[Reason]:
    found = [because("air-inactive", rule="ocs-series/14.11", unit=p.id) for p in planes if not p.active]
    terrain = state.board.terrain[target]
    strat = all(p.mode == "strat" for p in defenders)  # the barrage strikes every unit of the hex
    if terrain in CLOSED and not strat and not observed(state, target, planes[0].side):
        found.append(because("unobserved-air", target, rule="ocs/1.7", terrain=terrain))
    return found + _target_reasons(target, defenders)


@rule("ocs/opt.9")
def _squadron(
    state: State, target: int, ids: Iterable[str]
) -> tuple[tuple[Aircraft, ...], tuple[Piece, ...], list[Reason]]:
    check_target(state, target)
    names = tuple(dict.fromkeys(unit_ids(ids)))
    planes = tuple(state.aircraft[i] for i in names if i in state.aircraft)
    unknown = [
        because("unknown-unit", rule="ocs-series/14.11", hard=True, unit=i, hint=did_you_mean(i, state.aircraft))
        for i in names
        if i not in state.aircraft
    ]
    if unknown or not planes:
        return planes, (), unknown or [because("no-attackers", rule="ocs-series/14.11", hard=True)]
    enemy = other_side(planes[0].side)
    defenders = tuple(p for p in stack(state, target) if p.counter.side == enemy)
    return planes, defenders, _air_reasons(state, target, planes, defenders)


@rule("ocs-series/14.11", "ocs/2.2c", "ocs/3.2b")
def air_barrage_odds(
    state: State, target: int, aircraft: Iterable[str], options: BarrageOptions | None = None
) -> BarrageOdds:
    """Exact odds of a stack of aircraft (ids) against the enemies in hex `target`; aircraft fire free (Opt.8)."""
    options = options or BarrageOptions()
    planes, defenders, reasons = _squadron(state, target, aircraft)
    look = Look(state.rules.charts)
    points, chain = air_points(look, planes)
    if not reasons and rounded(points) < 1:
        reasons.append(because("no-points", rule="ocs-series/10.0", hard=True))
    _given(state, target, reasons, options.anyway)
    seen = bool(spotters(state, target, planes[0].side, air=True))
    spotted = seen if options.spotted is None else options.spotted

    def fire(look: Look) -> Fire:
        found = _fire(look, state, target, defenders, air_points(look, planes)[0], spotted, air=True)
        return replace(found, near_base=options.near_base)

    return _shot(state, look, fire, chain, defenders, reasons)
