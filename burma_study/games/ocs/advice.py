"""What a player or teacher looks for first: the siege clock, what an attack costs, forage odds, rings, the cut road,
who may move first next, days of march, history's own score. Each answer is a dict with `sentences` among it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import ceil
from typing import Any

from burma_study.engine.numbers import mixed
from burma_study.errors import ScenarioError
from burma_study.games.ocs.line import lines, load_line
from burma_study.games.ocs.line_score import history_score
from burma_study.games.ocs.phrases import unit
from burma_study.games.ocs.policies.marching import toward
from burma_study.games.ocs.story import names, percent, place
from burma_study.rules.ocs.air.aircraft import kind_of
from burma_study.rules.ocs.air.loads import capacity, trips_of
from burma_study.rules.ocs.charts import Charts
from burma_study.rules.ocs.combat.payment import attack_cost, attack_payments
from burma_study.rules.ocs.counters import SIDES, other_side
from burma_study.rules.ocs.movement.reach import allowance, mover
from burma_study.rules.ocs.movement.terrain import mp
from burma_study.rules.ocs.state import Piece, State
from burma_study.rules.ocs.supply.forage import forager, groups, starved
from burma_study.rules.ocs.supply.net import Net, Thrower
from burma_study.rules.ocs.supply.on_map import OnMap, draw_rings, serves
from burma_study.rules.ocs.supply.trace import supply
from burma_study.rules.ocs.turn.arrivals import supply_rolled, tokens_of
from burma_study.rules.ocs.turn.script import Income, script
from burma_study.rules.ocs.turn.victory import closed_at, near, totals, verdict

Answer = dict[str, Any]
IMPHAL, NEAR = "A7.09", 9  # whom the siege clock looks at: units within so many hexes
TOKENS = 4  # in a supply point
HUMP_RE = Fraction(7, 2)  # what a diversion lifts on average


# the siege clock ------------------------------------------------------------------------------------------------------


def siege_clock(state: State, side: str = "allied", around: str = IMPHAL, within: int = NEAR) -> Answer:
    """Tokens that the units round a place eat a turn without trace, against what lies there and can be lifted in."""
    centre = state.board.index(around)
    area = frozenset(state.board.grid.disc(centre, within))
    units = [p for p in state.units(side) if p.at in area]
    stores = OnMap(supply(state, side))
    eats = stores.meal_cost(units) if units else 0
    stock = sum(d.tokens for h, d in state.dumps.items() if h in area and d.side == side)
    stock += sum(t.load for t in state.transport.values() if t.at in area and t.side == side)
    lift = _lift(state, side, centre)
    cut = [p.id for p in units if not stores.picture.traces[p.id].in_supply]
    turns = None if eats <= lift else Fraction(stock, 1) / (eats - lift)
    found: Answer = {
        "place": around,
        "units": len(units),
        "re": sum((p.counter.re for p in units), Fraction(0)),
        "cut": len(cut),
        "eats": eats,
        "stock": stock,
        "lift": lift,
        "income": mean_income(state, side),
        "diversion": int(HUMP_RE * TOKENS) if side == "allied" and script(state).hump.allowed else 0,
        "turns": turns,
    }
    return found | {"sentences": _siege_words(found, place(centre))}


def _siege_words(found: Mapping[str, Any], where: str) -> list[str]:
    eats, lift, turns = found["eats"], found["lift"], found["turns"]
    who = f"{found['units']} units round {where} ({float(found['re']):g} RE)"
    now = f"{found['cut']} of them cannot trace now" if found["cut"] else "all of them trace now"
    out = [f"{who} eat {eats}T a turn while they cannot trace supply; {now}."]
    lasts = (
        "as much as is eaten without a fight, so the stock stays"
        if turns is None
        else f"together that lasts {float(turns):.1f} turns without a fight"
    )
    out.append(f"{found['stock']}T lie there and the transports can bring {lift}T a turn: {lasts}.")
    if found["diversion"]:
        out.append(f"A Hump diversion brings {found['diversion']}T on average, for points to Japan.")
    out.append(f"Income is {float(found['income']):.2f}T a turn on average.")
    return out


def _lift(state: State, side: str, centre: int) -> int:
    """Tokens that the side's transport aircraft carry to a place a turn, in one mission each."""
    own = (p for p in state.aircraft.values() if p.side == side and p.at in state.bases)
    planes = [p for p in own if kind_of(p).role == "transport"]
    loads = (capacity([p], trips_of(state, [p], p.at, centre, False), 0) for p in planes)
    return sum(int(load.total) for load in loads)


def mean_income(state: State, side: str) -> Fraction:
    """Tokens that a side gets a turn on average."""
    return sum((_mean_of(state.rules.charts, side, i) for i in script(state).income if i.side == side), Fraction(0))


def _mean_of(charts: Charts, side: str, item: Income) -> Fraction:
    if item.tokens:
        return Fraction(item.tokens)
    rolls = [a + b for a, b in product(range(1, 7), repeat=2)]
    return Fraction(sum(tokens_of(item, supply_rolled(charts, side, roll)) for roll in rolls), len(rolls))


# what an attack costs -------------------------------------------------------------------------------------------------


def attack_tokens(state: State, units: Sequence[str]) -> Answer:
    """Tokens that an attack by some units costs, and where they come from."""
    cost = attack_cost(state, units)
    ways = attack_payments(state, tuple(units))
    sources = [w.text for w in ways] if ways is not None else []
    paid = f"from {', '.join(sources)}" if sources else "and cannot be paid"
    text = f"An attack by {names(list(units))} costs {cost}T, {paid}."
    return {"units": tuple(units), "cost": cost, "sources": sources, "possible": ways is not None, "sentences": [text]}


# forage ---------------------------------------------------------------------------------------------------------------


def no_loss(charts: Charts, pieces: Sequence[Piece]) -> Fraction:
    """The chance that units which roll for attrition together lose nothing."""
    rolls = [a + b for a, b in product(range(1, 7), repeat=2)]
    safe = sum(starved(charts, pieces, roll) == 0 for roll in rolls)
    return Fraction(safe, len(rolls))


def forage_odds(state: State, side: str) -> Answer:
    """The groups of a side that would roll for attrition were its Supply Phase now, the worst first."""
    stores = OnMap(supply(state, side))
    fed = {u for meal in stores.meals() for u in meal.units}
    out = [t.unit for t in stores.picture.out if t.unit not in fed and isinstance(state.pieces[t.unit].at, int)]
    rows = [_forage_row(state, hex_, units) for hex_, _, _, units in groups(state, out)]
    rows.sort(key=lambda r: (r["no_loss"], r["hex"]))
    return {"side": side, "groups": rows, "sentences": [r["text"] for r in rows]}


def _forage_row(state: State, hex_: int, units: Sequence[str]) -> Answer:
    pieces, charts = [state.pieces[u] for u in units], state.rules.charts
    chance, steps = no_loss(charts, pieces), sum(p.steps for p in pieces)
    best = no_loss(charts, pieces[:1]) if steps >= 5 else chance
    who = "forage" if forager(state, pieces[0]) else "have no supply"
    text = f"{names(list(units))} at {place(hex_)} {who}: {percent(chance)} to lose nothing"
    better = no_loss(charts, sorted(pieces, key=lambda p: -p.printed.ar)[:4]) if steps >= 5 else best
    advice = f"; five steps starve together: split it, and each four have {percent(better)}" if steps >= 5 else ""
    row = {"hex": hex_, "units": tuple(units), "steps": steps, "no_loss": chance, "split": better}
    return row | {"text": f"{text}{advice}."}


# rings and lines ------------------------------------------------------------------------------------------------------


def rings(state: State, side: str) -> Answer:
    """For each HQ the hexes from which it draws and those it throws to, and for each dump those that draw from it."""
    net = Net(state, side)
    hqs = [_ring(net, t) for t in net.throwers]
    dumps = [
        {"hex": h, "tokens": d.tokens, "leg": _inside(net, h, "leg"), "truck": _inside(net, h, "truck")}
        for h, d in sorted((h, d) for h, d in state.dumps.items() if isinstance(h, int) and d.side == side)
    ]
    return {"side": side, "hqs": hqs, "dumps": dumps, "sentences": [h["text"] for h in hqs]}


def _ring(net: Net, t: Thrower) -> Answer:
    at = t.piece.at
    assert isinstance(at, int)
    reached = serves(net.grid, t.field) if not t.bar else frozenset()
    inside = frozenset(h for h in reached if (found := t.reach(net.grid, h)) is not None and found[0] <= t.limit)
    draws = _inside(net, at, t.mobility)
    far, drawn = f"{mp(t.limit)} {t.mobility.capitalize()} MP", mp(net.draw_limit)
    barred = f"; it may not throw now: {t.bar}" if t.bar else ""
    traced = "traces" if t.draw is not None else "has no trace"
    text = f"{unit(t.piece.id)} at {place(at)} {traced}, throws up to {far} and draws up to {drawn}{barred}."
    return {"hq": t.piece.id, "hex": at, "throw": inside, "draw": draws, "limit": t.limit, "text": text}


def _inside(net: Net, hex_: int, mobility: str) -> frozenset[int]:
    field = draw_rings(net, hex_, mobility)
    return serves(net.grid, field)


def extender_line(state: State, side: str) -> Answer:
    """The side's extenders, and how many units trace by each."""
    picture = supply(state, side)
    found: list[Answer] = []
    for t in sorted((t for t in state.transport.values() if t.extender and t.side == side), key=lambda t: t.id):
        assert isinstance(t.at, int)
        through = [tr.unit for tr in picture.traces.values() if any(_by(leg, t.id, t.at) for leg in tr.legs)]
        found.append({"extender": t.id, "hex": t.at, "units": tuple(sorted(through))})
    words = [f"{len(f['units'])} units trace by the extender at {place(f['hex'])}." for f in found]
    return {"side": side, "extenders": found, "sentences": words or [f"The {side} side has no extender."]}


def _by(leg: Any, id_: str, at: int) -> bool:
    return leg.kind == "extender" and (leg.by == id_ or at in (leg.hexes[0], leg.hexes[-1]))


def road_cut(state: State) -> Answer:
    """Is the road that the victory points watch cut: who stands on or beside it, where no trace runs?"""
    item = next((i for i in script(state).victory.items if i.road and i.test == "unit_near_road"), None)
    if item is None:
        return {"cut": False, "hexes": (), "units": (), "sentences": ["No road counts for victory here."]}
    shut = closed_at(state, "allied", item.road)
    units = tuple(p.id for p in near(state, "japanese", item.road, item.distance, item.attack_capable))
    ends = f"between {place(item.road[0])} and {place(item.road[-1])}"
    state_of = f"is cut at {', '.join(map(place, shut))}" if shut else "is open to trace"
    text = f"The road {ends} {state_of}"
    beside = f"; {names(units)} stand on or near it" if units else ""
    return {"cut": bool(shut), "hexes": shut, "units": units, "sentences": [f"{text}{beside}."]}


# time -----------------------------------------------------------------------------------------------------------------


def who_next(state: State) -> Answer:
    """Who may move first next turn, and so twice running."""
    second = other_side(state.first)
    text = (
        f"{state.first.capitalize()} moves first this turn. Both roll for the next one and win as often; "
        f"if the {second} side wins and goes first, it moves twice running."
    )
    return {"first": state.first, "double": second, "chance": Fraction(1, 2), "sentences": [text]}


def days_of_march(state: State, unit_: str, goal: str) -> Answer:
    """Turns that a unit takes to a place, on the ground as it is, round the enemy, in each mode."""
    piece, target = state.pieces[unit_], state.board.index(goal)
    if not isinstance(piece.at, int):
        raise ScenarioError(f"{unit_!r} is not on the map, but in the {piece.at} box.")
    turns: dict[str, int | None] = {}
    for mode in ("combat", "move", "strat"):
        who = mover(state, unit_, mode)
        cost = toward(state, who.side, who.mobility, (target,)).cost(piece.at)
        full = allowance(who)
        turns[mode] = ceil(cost / full) if cost is not None and full else None
    said = ", ".join(f"{n} in {mode.capitalize()} Mode" for mode, n in turns.items() if n is not None)
    text = f"{unit(unit_)} from {place(piece.at)} to {place(target)}: {said or 'no way there'}"
    return {"unit": unit_, "goal": target, "turns": turns, "sentences": [f"{text} (turns)." if said else f"{text}."]}


@lru_cache(maxsize=4)
def _history(scenario: str) -> Sequence[Mapping[str, str]]:
    return history_score(load_line(scenario))


def history_beside(state: State) -> Answer:
    """The reader's score beside history's at the start of the same turn."""
    mine = totals(state)
    told = verdict(state)
    words = [f"Now: Japan {mixed(mine['japanese'])}, Allies {mixed(mine['allied'])}: {told.level}."]
    history: dict[str, int] = {}
    if state.scenario in lines():
        rows = _history(state.scenario)
        row = rows[min(state.turn, len(rows)) - 1]
        history = {side: int(row[f"{side}_total"]) for side in SIDES}
        words.append(f"History on {row['date']}: Japan {history['japanese']}, Allies {history['allied']}.")
    return {"turn": state.turn, "mine": mine, "history": history, "sentences": words}


def first_look(state: State, side: str) -> dict[str, Answer]:
    """Everything above for a side that needs no further choice."""
    return {
        "siege": siege_clock(state) if script(state).victory.kind == "points" else _no_siege(),
        "forage": forage_odds(state, side),
        "rings": rings(state, side),
        "extenders": extender_line(state, side),
        "road": road_cut(state),
        "next": who_next(state),
        "score": history_beside(state),
    }


def _no_siege() -> Answer:
    return {"sentences": []}
