"""The start state of a scenario: every piece in its place, the sources and limits of the scenario as markers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import count

from burma_study.boards.board import Board, load_board
from burma_study.datafiles import read_rows
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import SIDES, counter
from burma_study.rules.ocs.goods.losses import dead_pile, fresh_name
from burma_study.rules.ocs.setup.ground import hexes
from burma_study.rules.ocs.setup.model import TRANSPORT, AirRow, Scenario, SetupRow
from burma_study.rules.ocs.setup.places import Placed, Placement, ground_of, place_all
from burma_study.rules.ocs.setup.reader import load_scenario
from burma_study.rules.ocs.setup.scripting import script_of
from burma_study.rules.ocs.state import (
    Aircraft,
    Base,
    Dump,
    Hedgehog,
    Piece,
    Rules,
    State,
    TraceSource,
    Transport,
    Where,
    new_state,
)
from burma_study.rules.ocs.turn.control import start_markers

FACES = {"move": "move", "strat": "move"}
BOXES = ("silchar", "ledo")
BOX_LEVEL = 2  # the two off-map bases of a box, Burma 3.4b
AIR_TYPES = "counters/ocs_air.csv"


def start(id_: str, which: str = "historical", errata: bool = True, rules: Rules | None = None) -> State:
    """The state before turn 1 of a scenario, `which` being its `historical` or `free` set-up.

    Errata are in force as `rules` say, or not at all with `errata` false. ScenarioError for an unknown scenario or
    set-up.
    """
    rules = rules or Rules(errata=errata)
    scenario = load_scenario(id_, errata and rules.errata, rules.errata_off)
    return _start(scenario, which, rules)


@lru_cache(maxsize=32)
def _start(scenario: Scenario, which: str, rules: Rules) -> State:
    return build(scenario, which, rules, load_board("ocs"))


def build(scenario: Scenario, which: str, rules: Rules, board: Board) -> State:
    """The start state of a scenario on a board."""
    placement = place_all(scenario, which, board)
    first = scenario.moves_first if scenario.moves_first in SIDES else SIDES[0]  # else the dice or a choice decide
    state = new_state(scenario.id, rules, first=first, player=scenario.sets_up_first, ground=scenario.ground)
    for row in scenario.setup_rows(which):
        state = _put_row(state, row, placement)
    state = _put_dead(state, scenario)
    state = _put_bases(state, scenario)
    state = _put_aircraft(state, scenario)
    state = _put_markers(state, scenario)
    state = state.put("markers", "script", script_of(scenario, state))
    for name, side in start_markers(state).items():
        if side is not None:
            state = state.put("markers", name, side)
    return state


def _put_row(state: State, row: SetupRow, placement: Placement) -> State:
    spots = placement[row.row]
    if row.kind == "unit":
        return _put_unit(state, row, spots[0].at)
    if row.kind == "SP":
        for spot in spots:
            state = _add_supply(state, row.side, spot)
    elif row.kind in TRANSPORT:
        for spot in spots:
            state = _add_transport(state, row, spot)
    elif row.kind == "hedgehog":
        state = state.put("hedgehogs", spots[0].at, Hedgehog(row.side, row.level))
    elif row.kind == "airstrip":
        state = state.put("bases", spots[0].at, Base(row.side, 0))
    return state


@rule("ocs/1.13-brigades")
def _put_unit(state: State, row: SetupRow, at: Where) -> State:
    """A unit in its place; the uncorrected text lists a few units twice, of which the first listing stands."""
    if row.counter in state.pieces:
        return state
    piece = Piece(row.counter, at, row.mode, FACES.get(row.mode, "combat"), stocks=1 if row.low_ammo else 2)
    return state.place(piece)


def _add_supply(state: State, side: str, spot: Placed) -> State:
    old = state.dumps.get(spot.at)
    return state.put("dumps", spot.at, Dump(side, spot.tokens + (old.tokens if old else 0)))


@rule("ocs/1.2", "ocs-series/12.7")
def _add_transport(state: State, row: SetupRow, spot: Placed) -> State:
    kind = row.kind.lower()
    name = fresh_name(state, row.side, kind)
    points = Transport(name, row.side, kind, spot.tokens, spot.at, row.loaded, spot.extender)
    return state.put("transport", points.id, points)


@rule("ocs/2.3")
def _put_dead(state: State, scenario: Scenario) -> State:
    """Dead piles: the Japanese keep battalions (`dead_bn`) apart from all others (`dead`)."""
    for pile in scenario.dead_pile:
        for id_ in pile.counters:
            state = state.place(Piece(id_, dead_pile(counter(id_))))
        for type_ in pile.air:
            state = _add_aircraft(state, pile.side, type_, "dead", 1)
    return state


@rule("ocs/3.4b")
def _put_bases(state: State, scenario: Scenario) -> State:
    for base in scenario.bases:
        state = state.put("bases", state.board.index(base.hex), Base(base.side, base.level))
    for box in BOXES:
        if scenario.tables["boxes"].get(f"{box}_bases", 0):
            state = state.put("bases", box, Base("allied", BOX_LEVEL))
    return state


def _put_aircraft(state: State, scenario: Scenario) -> State:
    """Fighters in turn to the bases on the map, the largest first; other Allied types to the box with more bases.

    Transports and gliders go to the box in which more units wait to be carried.
    """
    turn = {"japanese": 0, "allied": 0}
    for row in scenario.air:
        for _ in range(row.count):
            at, turn[row.side] = _air_base(state, scenario, row, turn[row.side])
            state = _add_aircraft(state, row.side, row.type, at, 1 if row.reduced else 2)
    return state


def _air_base(state: State, scenario: Scenario, row: AirRow, turn: int) -> tuple[Where, int]:
    on_map = [(-b.level, at) for at, b in state.bases.items() if b.side == row.side and b.level and isinstance(at, int)]
    fighter = air_types()[row.type]["role"] == "fighter"
    if on_map and (fighter or row.side == "japanese"):
        return sorted(on_map)[turn % len(on_map)][1], turn + 1
    bases = scenario.tables["boxes"]
    waiting = {box: sum(p.at == box for p in state.pieces.values()) for box in BOXES if bases[f"{box}_bases"]}
    if air_types()[row.type]["role"] in ("transport", "glider") and any(waiting.values()):
        return max(waiting, key=lambda box: waiting[box]), turn
    return ("ledo" if bases["ledo_bases"] > bases["silchar_bases"] else "silchar"), turn


def _add_aircraft(state: State, side: str, type_: str, at: Where, steps: int) -> State:
    names = (f"{side[0]}/{type_}/{n}" for n in count(1))
    name = next(n for n in names if n not in state.aircraft)
    unit = Aircraft(name, side, type_, at, steps, active=at != "dead")
    return state.put("aircraft", unit.id, unit)


@lru_cache(maxsize=1)
def air_types() -> dict[str, dict[str, str]]:
    """Rows of the aircraft table by type."""
    return {r["type"]: r for r in read_rows(AIR_TYPES)}


@rule("ocs/1.11", "ocs/3.8", "ocs/3.6d")
def _put_markers(state: State, scenario: Scenario) -> State:
    board, tables = state.board, scenario.tables
    markers: dict[str, object] = {
        "sources": tuple(TraceSource(s.side, board.index(s.hex), s.kind, s.groups) for s in scenario.sources),
        "closed_boxes": tuple(tables["boxes"].get("closed", ())),
        "calendar": tuple(d.isoformat() for d in scenario.dates),
        "initiative": scenario.moves_first,
        "sets_up_first": scenario.sets_up_first,
        "area": _map_area(scenario, board),
        "clearings": _clearings(scenario, board),
        **{f"rail/{name}": points for name, points in tables["rail"].items()},
        **{f"bases/{box}": tables["boxes"][f"{box}_bases"] for box in BOXES},
        **_reserve(scenario),
    }
    markers |= _road_head(scenario, board)
    for name, value in tables.get("decimation", {}).items():
        markers[f"decimation/{name}"] = value
    for name, value in markers.items():
        state = state.put("markers", name, value)
    return state


@rule("ocs/marauders.sr6", "ocs/campaign-1.sr6", "ocs/campaign-2.sr6", "ocs/campaign-3.sr6")
def _road_head(scenario: Scenario, board: Board) -> dict[str, object]:
    """The hex where the finished Ledo Road ends; nothing in scenarios without it."""
    table = scenario.tables.get("ledo_road")
    return {"road_head": board.index(table["head"])} if table else {}


def _map_area(scenario: Scenario, board: Board) -> tuple[int, ...]:
    """Hexes of the scenario's map, ascending; empty for both whole sheets."""
    if scenario.area == "all()":
        return ()
    return tuple(sorted(hexes(scenario.area, ground_of(scenario, "allied", board, {}))))


def _clearings(scenario: Scenario, board: Board) -> tuple[int, ...]:
    """Chindit Clearings; where they are chosen in secret, the two of history by default (3.6d)."""
    labels: Iterable[str] = scenario.tables.get("clearings", {}).get("historical", ())
    return tuple(sorted(map(board.index, labels)))


def _reserve(scenario: Scenario) -> dict[str, object]:
    """Reserve markers a side has, and how many of them only one cooperation group may use (3.7a)."""
    found: dict[str, object] = {}
    for side, table in scenario.tables["reserve"].items():
        groups = {g: table[g] for g in ("commonwealth", "us_chinese") if g in table}
        found[f"reserve/{side}"] = table.get("markers", sum(groups.values()))
        found |= {f"reserve/{side}/{group}": n for group, n in groups.items()}
    return found
