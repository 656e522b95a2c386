"""The score of a line under its scenario's schedule of victory points (Short Scenario 2, U-Go)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from burma_study.boards.board import Board, load_board
from burma_study.datafiles import read_toml
from burma_study.errors import ScenarioError
from burma_study.games.ocs.line import Line, Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.setup.starting import start
from burma_study.rules.ocs.turn.control import controller

SIDES = ("allied", "japanese")
Control = Mapping[int, str]
Points = Mapping[str, int]


def control(line: Line, upto: int) -> dict[int, str]:
    """Who holds each hex at a step: the side of the last unit seen there or named by an event, else of the start."""
    board, state = load_board("ocs"), start(line.scenario)
    held = {hex_: controller(state, hex_) for hex_ in board.grid}
    for step in line.steps[: upto + 1]:
        held.update({board.grid.index(e.hex): e.holds for e in step.events if e.holds})
        for p in step.positions:
            if p.on_map:
                held[board.grid.index(p.hex)] = "japanese" if p.unit.startswith("j/") else "allied"
    return held


@rule("ocs/u-go.victory")
def history_score(line: Line) -> list[dict[str, str]]:
    """The running score: for each step the points of the turns that have ended, and of the places held then.

    Turn points are assessed at the end of each game-turn, which is where the next step stands, so step 0 has none and
    the last step those of all turns but the last. Hump diversions of the line's own bookkeeping are shown beside
    (2 points each) and not added: history paid nothing for them.
    """
    items = read_toml(f"scenarios/{line.scenario}.toml")["victory"]["items"]
    board = load_board("ocs")
    turns = dict.fromkeys(SIDES, 0)
    diversions = 0
    out = []
    for step in line.steps:
        ended = {s: _turn_points(items, s, step, board) if step.index else 0 for s in SIDES}
        turns = {s: turns[s] + ended[s] for s in SIDES}
        places = _place_points(items, control(line, step.index), board)
        diversions += sum(n > 0 for n in _hump_flights(line, step.index))
        out.append(_row(step, ended, turns, places, diversions))
    return out


def _row(step: Step, ended: Points, turns: Points, places: Points, humps: int) -> dict[str, str]:
    row = {"date": step.date, "turn": str(step.turn)}
    for side in SIDES:
        row[f"{side}_turn"] = str(ended[side])
        row[f"{side}_turns"] = str(turns[side])
        row[f"{side}_places"] = str(places[side])
        row[f"{side}_total"] = str(turns[side] + places[side])
    return row | {"diversions": str(humps), "diversion_points": str(2 * humps)}


def _turn_points(items: list[dict[str, Any]], side: str, step: Step, board: Board) -> int:
    return sum(
        int(i["points"]) for i in items if i["when"] == "turn_end" and i["side"] == side and _holds(i, step, board)
    )


def _holds(item: dict[str, Any], step: Step, board: Board) -> bool:
    """Is a condition of a turn's end true: a Japanese unit on or beside the road or railway, or none."""
    near = _japanese_near(step, board, _way(item, board), int(item["distance"]))
    return not near if item["test"] == "no_enemy_near_road" else near


def _way(item: dict[str, Any], board: Board) -> frozenset[int]:
    """Hexes of the road between an item's two ends, or of the Allied railway."""
    if item["test"] == "unit_near_allied_railway":
        return frozenset(h for r in board.routes if r.kind == "rail" and r.owner == "allied" for h in r.hexes)
    ends = {board.grid.index(label) for label in item["road"]}
    for route in board.routes:
        if route.kind == "all_weather" and ends <= set(route.hexes):
            return frozenset(route.hexes)
    raise ScenarioError(f"No all-weather road of the board joins {' and '.join(item['road'])}.")


def _japanese_near(step: Step, board: Board, way: frozenset[int], distance: int) -> bool:
    spots = {board.grid.index(p.hex) for p in step.positions if p.on_map and p.unit.startswith("j/")}
    return any(way & set(board.grid.disc(h, distance)) for h in spots)


def _place_points(items: list[dict[str, Any]], held: Control, board: Board) -> dict[str, int]:
    """Points of the game's end for the places held now, were it to end."""
    points = dict.fromkeys(SIDES, 0)
    for item in items:
        if item["when"] == "turn_end" or item["test"] != "control_any":
            continue
        owners = {held[board.grid.index(h)] for h in item["hexes"]}
        for side in owners & (set(SIDES) if item["side"] == "both" else {item["side"]}):
            points[side] += int(item["points"])
    return points


def _hump_flights(line: Line, index: int) -> list[int]:
    """Tokens that Hump diversions brought in the turn before a step."""
    if index == 0:
        return []
    before = line.steps[index - 1]
    return [s.flows["income"] for s in before.stocks if "Hump" in s.reasons.get("income", "")]
