"""Units and supply that arrive: who is due, where they may enter, raw nerves, pools, marches off the map (Burma 2.1,
2.8, 3.1).

Markers: `due/<side>` Entries to be placed, `income/<side>` T to be placed, `cup/<site>` Entries in a cup of 2.8,
`pool/<side>` units left in a scenario's pool, `off_map/<unit>` (first turn and hex of return). Units that wait for the
Arakan airlift stand at `arakan` until they are flown in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import TypeVar

from burma_study.boards.board import Board
from burma_study.engine.memo import by_identity
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.bases import seek_protection
from burma_study.rules.ocs.charts import Charts
from burma_study.rules.ocs.counters import counters
from burma_study.rules.ocs.goods.losses import fresh_name, seize
from burma_study.rules.ocs.goods.payment import add
from burma_study.rules.ocs.movement.presence import can_capture, shut_to
from burma_study.rules.ocs.movement.roads import around
from burma_study.rules.ocs.movement.zoc import attack_capable
from burma_study.rules.ocs.state import Piece, State, Transport, Where
from burma_study.rules.ocs.turn.control import take_where_units_stand
from burma_study.rules.ocs.turn.script import Entry, Income, script

T = TypeVar("T")
ARAKAN = "arakan"
OFF_MAP = "off_map"
NERVES = {"mandalay": (("B39.02", "B39.03"), 20), "bhamo": (("A56.01",), 10)}
BONUS_SITE = "mandalay"
TOUCHED = 2  # added to the supply and replacement rolls of a Japan whose nerve at Mandalay was touched
FACE = {"move": "move", "strat": "move"}


def due(state: State, side: str) -> tuple[Entry, ...]:
    """Units that wait to be placed this turn."""
    found: tuple[Entry, ...] = state.markers.get(f"due/{side}", ())
    return found


def income(state: State, side: str) -> int:
    """T that wait to be placed this turn."""
    found: int = state.markers.get(f"income/{side}", 0)
    return found


@rule("ocs-series/4.4c")
def open_places(state: State, side: str, where: Sequence[Where], captures: bool = False) -> tuple[Where, ...]:
    """Those of some places where a side may arrive: open boxes, hexes without enemy units, and without enemy goods
    unless what arrives `captures` them.
    """
    shut, closed = shut_to(state, side, captures=captures), script(state).closed_boxes
    return tuple(w for w in where if w not in closed and w not in shut)


@rule("ocs-series/13.6")
def entries_open(state: State, entry: Entry) -> tuple[Where, ...]:
    """Where a unit may enter; when every place is blocked, the free hexes nearest to the first of them.

    They lie within the scenario's map, and on its edge where all the places do.
    """
    able = can_capture(entry.unit)
    free = open_places(state, entry.side, entry.where, able)
    hexes = [w for w in entry.where if isinstance(w, int)]
    if free or not hexes:
        return free
    board, shut = state.board, shut_to(state, entry.side, captures=able)
    land, edge = playing_area(board, tuple(state.markers.get("area", ())))
    near = edge if edge.issuperset(hexes) else land
    open_ = sorted(h for h in near if h not in shut)
    least = min(board.grid.distance(hexes[0], h) for h in open_)
    return tuple(h for h in open_ if board.grid.distance(hexes[0], h) == least)


@by_identity
def playing_area(board: Board, area: tuple[int, ...]) -> tuple[frozenset[int], frozenset[int]]:
    """Hexes of land of a scenario's map (the whole board for none), and those of them at its edge."""
    all_ = frozenset(area or board.grid)
    land = frozenset(h for h in all_ if board.terrain[h] not in ("off", "lake"))
    inside = {h for h in all_ if board.terrain[h] != "off"}
    return land, frozenset(h for h in land if sum(n in inside for n in board.grid.adjacent[h]) < 6)


# placing --------------------------------------------------------------------------------------------------------------


def put_unit(step: Step[State], entry: Entry, at: Where, mode: str = "") -> None:
    """Place a unit that was due, with its mule if it brings one; aircraft come reduced and inactive."""
    air = step.state.aircraft.get(entry.unit)
    mode = entry.mode or mode or "combat"
    if air is not None:
        step.put("arrived", "aircraft", air.id, replace(air, at=at, steps=1, active=False, dg=False))
        seek_protection(step, air.id, at, ask=False)
    else:
        piece = Piece(entry.unit, at, mode, FACE.get(mode, "combat"), spent=entry.spent)
        step.put("arrived", "pieces", entry.unit, piece)
    if entry.mule:
        name = fresh_name(step.state, entry.side, "mule")
        mule = Transport(name, entry.side, "mule", entry.mule, at, entry.loaded)
        step.put("arrived", "transport", mule.id, mule)
    _no_longer_due(step, entry)


def take_over(step: Step[State], units: Iterable[str]) -> None:
    """Units that came in take the enemy goods where they stand, once a hex; it opens frames: a procedure's last act."""
    there = {u: step.state.pieces[u].at for u in units if u in step.state.pieces}
    for at in dict.fromkeys(there.values()):
        seize(step, at, [u for u in there if there[u] == at])


def _no_longer_due(step: Step[State], entry: Entry) -> None:
    left = tuple(e for e in due(step.state, entry.side) if e.unit != entry.unit)
    if left != due(step.state, entry.side):
        step.put("marker", "markers", f"due/{entry.side}", left or None)


def put_due(step: Step[State], entries: Iterable[Entry]) -> None:
    """Units come up: to Arakan, to the only place there is if nothing of the enemy is there, or onto the list of those
    to be placed.
    """
    for entry in entries:
        if entry.arakan:
            step.put("arrived", "pieces", entry.unit, Piece(entry.unit, ARAKAN, "move", "move"))
            step.cite("ocs/3.1c")
        elif len(entry.where) == 1 and open_places(step.state, entry.side, entry.where):
            put_unit(step, entry, entry.where[0])
        else:
            step.put("marker", "markers", f"due/{entry.side}", (*due(step.state, entry.side), entry))


def put_supply(step: Step[State], side: str, tokens: int, at: Where) -> None:
    """Place arriving supply on the ground."""
    add(step, side, at, tokens, "arrived")
    left = income(step.state, side) - tokens
    step.put("marker", "markers", f"income/{side}", left if left > 0 else None)


# supply ---------------------------------------------------------------------------------------------------------------


@rule("ocs/table.supply", "ocs/2.8")
def supply_rolled(charts: Charts, side: str, roll: int) -> int:
    """SP by the Supply Table on a modified roll of two dice; 13 or more counts as 12."""
    rows = charts.rows("supply_table")
    return next(int(r[side]) for r in rows if int(r["low"]) <= min(roll, 12) <= int(r["high"]))


@rule("ocs/u-go.sr2", "ocs/marauders.sr2", "ocs/sato.sr2", "ocs/imphal.sr2", "ocs/campaign-*.sr2")
def tokens_of(item: Income, points: int) -> int:
    """T of an income from SP rolled: its share, rounded to whole SP as the scenario says."""
    share = points * item.factor
    if item.rounding != "none":
        share = Fraction(floor(share) if item.rounding == "down" else ceil(share))
    return int(share * 4)


@rule("ocs/*.sr2")
def incoming_supply(step: Step[State]) -> None:
    """Each income of the phasing side: rolled where the scenario says so, placed where there is only one place."""
    state, side = step.state, step.state.player
    for item in script(state).income:
        if item.side != side or (item.unless == "arrivals" and _arriving(state, side)):
            continue
        tokens = item.tokens if item.kind == "fixed" else tokens_of(item, _rolled(step, side))
        step.put("marker", "markers", f"income/{side}", (income(step.state, side) + tokens) or None)
        free = open_places(step.state, side, item.where)
        if len(item.where) == 1 and free:
            put_supply(step, side, tokens, free[0])
    step.close()


def _rolled(step: Step[State], side: str) -> int:
    roll = step.roll("supply", 2).sum + nerve_bonus(step.state, side)
    step.cite("ocs/table.supply")
    return supply_rolled(step.state.rules.charts, side, roll)


def income_places(state: State, side: str) -> tuple[Where, ...]:
    """Where a side's supply may arrive now."""
    places = dict.fromkeys(w for i in script(state).income if i.side == side for w in i.where)
    return open_places(state, side, tuple(places))


# units ----------------------------------------------------------------------------------------------------------------


def _arriving(state: State, side: str) -> tuple[Entry, ...]:
    """Entries of the schedule for this turn that are not in a cup or in play."""
    waiting = {e.unit for e in due(state, side)} | {e.unit for s in NERVES for e in cup(state, s)}
    fresh = (e for e in script(state).entries if e.side == side and e.phase == "reinforcement")
    return tuple(e for e in fresh if e.turn == state.turn and e.unit not in state.pieces and e.unit not in waiting)


@rule("ocs/2.1", "ocs/3.1", "ocs/3.1a", "ocs/3.1c", "ocs/*.sr5", "ocs/table.*-reinforcements")
def incoming_units(step: Step[State]) -> None:
    """The units of the schedule and of the scenario's own list come up."""
    put_due(step, _arriving(step.state, step.state.player))
    step.close()


@rule("ocs/learning.sr5-entry")
def entering_units(step: Step[State]) -> None:
    """Units that enter in the Movement Phase stand where they come in, with the MP printed for them spent."""
    state = step.state
    placed = []
    for entry in script(state).entries:
        if (entry.phase, entry.side, entry.turn) == ("movement", state.player, state.turn):
            put_unit(step, entry, entries_open(state, entry)[0])
            placed.append(entry.unit)
    step.close()
    take_over(step, placed)


def finish_arrivals(step: Step[State]) -> None:
    """Whatever was not placed arrives by itself at the first place it may, supply best at a source; what has none is
    lost (supply) or waits.
    """
    side, placed = step.state.player, []
    for entry in due(step.state, side):
        free = entries_open(step.state, entry)
        if free:
            put_unit(step, entry, free[0])
            placed.append(entry.unit)
    places, left = income_places(step.state, side), income(step.state, side)
    if left and places:
        sources = {s.hex for s in step.state.markers.get("sources", ()) if s.side == side}
        put_supply(step, side, left, next((w for w in places if w in sources), places[0]))
    elif left:
        step.put("lost", "markers", f"income/{side}", None)
    take_where_units_stand(step)
    step.close()
    take_over(step, placed)


# raw nerves -----------------------------------------------------------------------------------------------------------


def cup(state: State, site: str) -> tuple[Entry, ...]:
    """Units left in a site's cup."""
    found: tuple[Entry, ...] = state.markers.get(f"cup/{site}", ())
    return found


@rule("ocs/2.8")
def touched(state: State, site: str) -> bool:
    """Whether an attack-capable Allied unit is within 20 hexes of Mandalay, or 10 of Bhamo."""
    labels, limit = NERVES[site]
    near = around(state.board, tuple(map(state.board.index, labels)), limit)
    return any(p.at in near and p.counter.side == "allied" and attack_capable(p) for p in state.pieces.values())


@rule("ocs/2.8")
def touch_nerves(step: Step[State]) -> None:
    """The first time that a nerve is touched, all its site's future units go into a cup for the rest of the game.

    At Mandalay it also counts without any, where Japan rolls for supply or replacements: the rolls take the bonus.
    """
    entries = script(step.state).entries
    for site in NERVES:
        future = [e for e in entries if e.site == site and e.side == "japanese"]
        matters = future or (site == BONUS_SITE and _japan_rolls(step.state))
        if not matters or f"cup/{site}" in step.state.markers or not touched(step.state, site):
            continue
        known = {e.unit for e in due(step.state, "japanese")} | set(step.state.pieces)
        step.put("marker", "markers", f"cup/{site}", tuple(e for e in future if e.unit not in known))
        step.cite("ocs/2.8")


def _japan_rolls(state: State) -> bool:
    """Whether Japan rolls for supply or for replacements."""
    found = script(state)
    return found.replacements.japanese or any(i.side == "japanese" and i.kind == "table" for i in found.income)


def nerve_bonus(state: State, side: str) -> int:
    """What a touched nerve at Mandalay adds to the Japanese supply and replacement rolls."""
    return TOUCHED if side == "japanese" and f"cup/{BONUS_SITE}" in state.markers else 0


def raw_nerves(step: Step[State]) -> None:
    """Two dice for each cup: so many units, drawn at random, come in at its site."""
    for site in NERVES:
        left = cup(step.state, site)
        if step.state.player != "japanese" or not left:
            continue
        drawn, rest = draw(step, left, step.roll("arrivals", 2).sum)
        step.put("marker", "markers", f"cup/{site}", rest)
        put_due(step, drawn)
        step.cite("ocs/2.8")
    step.close()


def draw(step: Step[State], things: Sequence[T], count: int) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """Some things drawn at random, and the rest."""
    left, drawn = list(things), list[T]()
    while left and len(drawn) < count:
        index = step.roll("arrivals", 1, len(left)).sum - 1 if len(left) > 1 else 0
        drawn.append(left.pop(index))
    return tuple(drawn), tuple(left)


@rule("ocs/sato.sr5")
def pools(step: Step[State]) -> None:
    """A scenario's pool: on the right die, that many of its units arrive."""
    state = step.state
    for pool in script(state).pools:
        left: tuple[str, ...] = state.markers.get(f"pool/{pool.side}", pool.units)
        if pool.side != state.player or state.turn < pool.turn or not left:
            continue
        die = step.roll("arrivals").sum
        if die in pool.units_on:
            drawn, rest = draw(step, left, die)
            step.put("marker", "markers", f"pool/{pool.side}", rest)
            put_due(step, (Entry(unit, pool.side, state.turn, pool.where) for unit in drawn))
        step.cite("ocs/sato.sr5")
    step.close()


def label_of(state: State, unit: str) -> str:
    """What a unit or an air unit is called."""
    return counters()[unit].label if unit in counters() else unit
