"""Replacements: Japanese dead piles, Allied Pax and Eq in the boxes, Marauders, decimation of the Chindits.

Markers: `pax/<box>` and `eq/<box>` count points, `returning/<unit>` is the first turn of a Marauder's return roll,
`decimated` is set once the Chindits are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.charts import Charts
from burma_study.rules.ocs.combat.attack import DECIMATED
from burma_study.rules.ocs.counters import Counter, counter
from burma_study.rules.ocs.movement.limits import closed
from burma_study.rules.ocs.state import Aircraft, Piece, State, Where
from burma_study.rules.ocs.supply.trace import BOXES
from burma_study.rules.ocs.turn.arrivals import draw, nerve_bonus, put_due
from burma_study.rules.ocs.turn.script import Entry, script
from burma_study.rules.ocs.turn.weather import day_of

SITES = {"mandalay": ("B39.02", "B39.03"), "bhamo": ("A56.01",)}
BY_BHAMO = ("18 Div", "56 Div")
HOME = {"commonwealth": "silchar", "us_chinese": "ledo"}
GLIDERS = 9  # that the two bases of a box hold at once, 3.4b


@dataclass(frozen=True, slots=True)
class Cost:
    """Replacement points."""

    pax: int
    eq: int


@rule("ocs/table.variable")
def variable(charts: Charts, side: str, roll: int) -> tuple[str, ...]:
    """What the Variable Reinforcement Table brings a side: bn, half_bn, other; silchar, ledo, eq; 13 counts as 12."""
    rows = charts.rows("variable_reinforcement")
    text = next(r[side] for r in rows if int(r["low"]) <= min(roll, 12) <= int(r["high"]))
    return tuple(part for part in text.split(";") if part)


def replacements(step: Step[State]) -> None:
    """The phasing side's roll and what it brings, piece by piece: some of it is asked about."""
    frame, side = step.frame, step.state.player
    left = frame.get("left")
    if left is None:
        step.note(left=_rolled(step, side))
    elif not left:
        step.close()
    elif side == "japanese":
        _japanese(step, left[0], left[1:])
    else:
        _allied(step, left[0], left[1:])


@rule("ocs/2.3", "ocs/3.3", "ocs/*.sr5")
def _rolled(step: Step[State], side: str) -> tuple[str, ...]:
    taken = script(step.state).replacements
    if not (taken.japanese if side == "japanese" else taken.pax or taken.eq):
        return ()
    roll = min(12, step.roll("replacement", 2).sum + nerve_bonus(step.state, side))
    step.cite("ocs/table.variable")
    if side == "japanese":
        return () if roll in taken.none_on else variable(step.state.rules.charts, side, roll)
    parts = variable(step.state.rules.charts, side, roll)
    return tuple(p for p in parts if p in taken.pax or (p == "eq" and taken.eq))


# Japanese -------------------------------------------------------------------------------------------------------------


def _japanese(step: Step[State], part: str, rest: tuple[str, ...]) -> None:
    """A battalion back, half a chance of one, or another unit, for which a reduced air unit may be made up instead."""
    state = step.state
    if part == "half_bn":
        lucky = step.roll("replacement").sum >= 4
        step.note(left=("bn", *rest) if lucky else rest)
    elif part == "bn":
        step.note(left=rest)
        return_one(step, pile(state, "dead_bn"))
    elif reduced(state, "japanese") and not step.frame.get("choice"):
        step.ask("japanese", "other")
    else:
        choice = step.frame.get("choice") or "draw"
        step.note(left=rest, choice=None)
        if choice == "draw":
            return_one(step, (*pile(state, "dead"), *dead_air(state, "japanese")))
        else:
            step.put("made up", "aircraft", choice, replace(state.aircraft[choice], steps=2))


def pile(state: State, name: str) -> tuple[str, ...]:
    """Japanese units on a dead pile, by id."""
    return tuple(sorted(p.id for p in state.units("japanese") if p.at == name))


def dead_air(state: State, side: str) -> tuple[str, ...]:
    """Air units on a side's dead pile, by id."""
    return tuple(sorted(a.id for a in state.aircraft.values() if (a.side, a.at) == (side, "dead")))


def reduced(state: State, side: str) -> tuple[str, ...]:
    """Reduced air units in play, by id."""
    found = (a for a in state.aircraft.values() if a.side == side and a.steps == 1 and a.at != "dead")
    return tuple(sorted(a.id for a in found if a.type != "glider"))


@rule("ocs/2.3", "ocs/2.3-where")
def return_one(step: Step[State], units: tuple[str, ...]) -> None:
    """One of some units, drawn at random, comes back; none if there are none."""
    drawn, _ = draw(step, units, 1)
    for unit in drawn:
        if unit in step.state.pieces:
            where = return_places(step.state, counter(unit))
        else:
            where = air_bases(step.state, "japanese")
        if where:
            put_due(step, (Entry(unit, "japanese", step.state.turn, where),))
    step.cite("ocs/2.3")


@rule("ocs/2.3-where", "ocs/2.1", "ocs/2.7a")
def return_places(state: State, unit: Counter) -> tuple[Where, ...]:
    """Where a Japanese unit comes back: with its Division HQ, else an Army HQ, else Mandalay or as those for Bhamo do.

    Where the map holds neither town, as supply does. Never where the INA may not be: without a place it stays lost.
    """
    hqs = [p for p in state.units("japanese") if p.counter.is_hq and isinstance(p.at, int)]
    own = [p.at for p in hqs if p.counter.is_division_hq and p.counter.formation == unit.formation]
    army = sorted({p.at for p in hqs if p.counter.size == "army_hq"}, key=str)
    supply = [w for i in script(state).income if i.side == "japanese" for w in i.where]
    shut = closed(state, unit).get("ina", frozenset())
    ranked = ([w for w in places if w not in shut] for places in (own, army, _town(state, unit), supply))
    return next((tuple(places) for places in ranked if places), ())


@rule("ocs/2.3-where", "ocs/2.1")
def _town(state: State, unit: Counter) -> tuple[Where, ...]:
    """Either hex of Mandalay; for 18 and 56 Divisions wherever arrivals for Bhamo enter, the east edge too (2.1)."""
    site = "bhamo" if unit.formation in BY_BHAMO else "mandalay"
    area = state.markers.get("area", ())
    town = tuple(h for h in map(state.board.index, SITES[site]) if not area or h in area)
    edge = next((e.where for e in script(state).entries if e.site == "bhamo"), ()) if site == "bhamo" else ()
    return tuple(dict.fromkeys((*town, *edge)))


def air_bases(state: State, side: str) -> tuple[Where, ...]:
    """A side's air bases and strips, the largest first; closed boxes do not count."""
    closed = script(state).closed_boxes
    found = ((-b.level, str(at), at) for at, b in state.bases.items() if b.side == side and at not in closed)
    return tuple(at for _, _, at in sorted(found, key=lambda f: f[:2]))


# Allied ---------------------------------------------------------------------------------------------------------------


def _allied(step: Step[State], part: str, rest: tuple[str, ...]) -> None:
    """Pax go to their box; for each Eq the player says at once where it goes, or which air unit it makes up."""
    choice = step.frame.get("choice")
    if part in BOXES:
        step.note(left=rest)
        gain(step, "pax", part, 1)
    elif not choice:
        step.ask("allied", "equipment")
    else:
        step.note(left=rest, choice=None)
        use_equipment(step, choice)
    step.cite("ocs/3.4c")


def gain(step: Step[State], kind: str, box: str, count: int) -> None:
    """Points of a kind in a box, or used up there (negative)."""
    name = f"{kind}/{box}"
    step.put("replacements", "markers", name, (step.state.markers.get(name, 0) + count) or None)


def equipment_uses(state: State) -> tuple[str, ...]:
    """What an Eq may do at the moment of the roll: go to a box, or make up or return an air unit (Opt.3k)."""
    boxes = tuple(b for b in BOXES if b not in script(state).closed_boxes)
    air = state.rules.has("opt3")
    dead = tuple(a for a in dead_air(state, "allied") if state.aircraft[a].type != "glider")
    return (*boxes, *((*reduced(state, "allied"), *dead) if air else ()))


@rule("ocs/opt.3k")
def use_equipment(step: Step[State], to: str) -> None:
    """Carry out the choice for one Eq."""
    if to in BOXES:
        gain(step, "eq", to, 1)
    else:
        step.cite("ocs/opt.3k")
        _air_step(step, step.state.aircraft[to])


def _air_step(step: Step[State], air: Aircraft) -> None:
    if air.at == "dead":
        put_due(step, (Entry(air.id, air.side, step.state.turn, air_bases(step.state, air.side)),))
    else:
        step.put("made up", "aircraft", air.id, replace(air, steps=2))


@rule("ocs/table.replacement-cost", "ocs/1.10")
def rebuild_cost(charts: Charts, unit: Counter) -> Cost | None:
    """What it costs to rebuild an Allied unit; None for HQs, yellow-dot units and white-dot Marauders."""
    if unit.is_hq or unit.traits & {"no_rebuild", "white_circle"}:
        return None
    return _cost(charts, _row_of(unit))


def _row_of(unit: Counter) -> str:
    small = unit.size in ("bn", "column", "section")
    if unit.type == "artillery":
        return "artillery_battalion" if small else "artillery_brigade"
    if unit.type in ("tank", "armored_car", "cavalry"):
        return "armor_battalion"
    if unit.type == "engineer":
        return "engineer_regiment"
    return "infantry_battalion" if small else "infantry_brigade"


def _cost(charts: Charts, what: str) -> Cost:
    row = next(r for r in charts.rows("replacement_costs") if r["what"] == what)
    return Cost(int(row["pax"]), int(row["eq"]))


def cost_of(state: State, name: str) -> Cost | None:
    """What a dead unit or glider costs; None where it cannot be rebuilt."""
    charts = state.rules.charts
    air = state.aircraft.get(name)
    if name and name == new_glider(state):
        return _cost(charts, "glider")
    if air is not None:
        rebuilt = air.side == "allied" and air.at == "dead" and (air.type == "glider" or not state.rules.has("opt3"))
        return _cost(charts, "glider" if air.type == "glider" else "air_step") if rebuilt else None
    piece = state.pieces.get(name)
    if piece is None or piece.counter.side != "allied" or piece.at != "dead":
        return None
    return rebuild_cost(charts, piece.counter)


@rule("ocs/3.4c", "ocs/3.3a", "ocs-series/13.5")
def rebuild_boxes(state: State, name: str) -> tuple[str, ...]:
    """The boxes where a unit or glider may be rebuilt: Commonwealth at Silchar, Chinese and US at Ledo, aircraft at
    either; nine gliders fill a box.
    """
    piece = state.pieces.get(name)
    boxes: Iterable[str] = BOXES if piece is None else (HOME[piece.counter.group],)
    return tuple(b for b in boxes if b not in script(state).closed_boxes and (piece or gliders(state, b) < GLIDERS))


@rule("ocs/3.5b", "ocs/3.4c")
def new_glider(state: State) -> str:
    """Id of the glider that an Eq would build: one more of the game's nine when none lies on the pile; empty for none.

    A scenario may begin without gliders and build them all the same (Burma 3.5b).
    """
    all_ = [f"a/glider/{n}" for n in range(1, GLIDERS + 1)]
    used = [g for g in all_ if g in state.aircraft]
    return "" if any(state.aircraft[g].at == "dead" for g in used) else next((g for g in all_ if g not in used), "")


def gliders(state: State, box: str) -> int:
    """Gliders in a box."""
    return sum(a.type == "glider" and a.at == box for a in state.aircraft.values())


def affordable(state: State, name: str, box: str) -> bool:
    """Whether the points in a box pay for a unit."""
    cost = cost_of(state, name)
    have = state.markers.get
    return cost is not None and cost.pax <= have(f"pax/{box}", 0) and cost.eq <= have(f"eq/{box}", 0)


def rebuildable(state: State) -> tuple[str, ...]:
    """Dead Allied units, and gliders old and new, that the points now in a box pay for."""
    if not any(state.markers.get(f"{kind}/{box}") for kind in ("pax", "eq") for box in BOXES):
        return ()
    dead = sorted((*(p.id for p in state.units("allied") if p.at == "dead"), *dead_air(state, "allied")))
    fresh = filter(None, [new_glider(state)])
    return tuple(n for n in (*dead, *fresh) if any(affordable(state, n, b) for b in rebuild_boxes(state, n)))


def rebuild(step: Step[State], name: str, box: str) -> None:
    """Pay and put the unit into the box; an air unit comes back reduced and inactive, a glider whole."""
    cost = cost_of(step.state, name)
    assert cost is not None
    gain(step, "pax", box, -cost.pax)
    gain(step, "eq", box, -cost.eq)
    air = step.state.aircraft.get(name)
    if name in step.state.pieces:
        step.put("rebuilt", "pieces", name, Piece(name, box))
    else:
        air = air or Aircraft(name, "allied", "glider", box)
        whole = air.type == "glider"
        new = replace(air, at=box, steps=2 if whole else 1, active=whole, dg=False)
        step.put("rebuilt", "aircraft", name, new)
    step.cite("ocs/table.replacement-cost", "ocs/3.4c")


# Marauders and Chindits -----------------------------------------------------------------------------------------------


@rule("ocs/3.3b")
def marauders(step: Step[State]) -> None:
    """A die for each lost white-dot unit: on 4 to 6 its yellow-dot sister comes to the Ledo box."""
    state = step.state
    lost = sorted(name for name in state.markers if name.startswith("returning/"))
    for name in lost if state.player == "allied" else ():
        unit = name.removeprefix("returning/")
        if state.markers[name] <= state.turn and step.roll("arrivals").sum >= 4:
            step.put("marker", "markers", name, None)
            step.put("out of play", "pieces", unit, replace(state.pieces[unit], at="gone"))
            step.put("returned", "pieces", f"{unit}-R", Piece(f"{unit}-R", "ledo"))
        step.cite("ocs/3.3b")
    step.close()


def decimated(state: State) -> bool:
    """Whether the Chindits are decimated."""
    return bool(state.markers.get(DECIMATED, False))


@rule("ocs/3.6c")
def first_decimation(state: State) -> tuple[int, int] | None:
    """Year and month from which decimation is rolled for; None before any Chindit has landed where that counts."""
    found, first = script(state), day_of(state, 1)
    if found.decimation:
        return first.year, found.decimation
    landing = state.markers.get("landing")
    if not found.landing_months or landing is None:
        return None
    day = day_of(state, landing)
    months = day.month - 1 + found.landing_months
    return day.year + months // 12, months % 12 + 1


@rule("ocs/3.6c")
def decimation(step: Step[State]) -> None:
    """One die in each Allied Reinforcement Phase from that month on: on a 1 the Chindits are decimated."""
    state = step.state
    start, day = first_decimation(state), day_of(state)
    waiting = state.player == "allied" and not decimated(state) and any(p.counter.is_chindit for p in state.units())
    if waiting and start is not None and (day.year, day.month) >= start:
        if step.roll("arrivals").sum == 1:
            step.put("decimated", "markers", DECIMATED, True)
        step.cite("ocs/3.6c")
    step.close()
