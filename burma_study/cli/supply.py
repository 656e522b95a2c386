"""The commands `trace` and `reach`: who is in supply and why, and where a unit can go."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from typing import Any

from burma_study.cli.game import Position, position, room
from burma_study.cli.text import Answer, bullet, count, mp, pairs, table, tokens
from burma_study.errors import BurmaStudyError
from burma_study.games.registry import edition

WORDS = {"in": "in trace supply", "box": "in a box", "eats": "eating from the map", "out": "out of supply"}
STATUS = {"in": "traces", "box": "in a box", "eats": "eats", "out": "OUT", "none": "needs none"}
SHOWN_HEXES = 80


def trace(args: Namespace) -> Answer:
    """The trace supply of every unit, of a side, or of one unit."""
    here = position(args)
    unit = edition(here.game).mover_id(here.state, args.unit) if args.unit else None
    report = room(here.game, "supply.report")
    if unit in here.state.transport:
        rows = [report.transport_row(here.state, unit)]
    else:
        rows = report.supply_rows(here.state, args.side, unit)
    if not rows:
        raise BurmaStudyError(f"No unit of {args.side or args.unit} is on the map or in a box.")
    data = {"scenario": here.scenario, "position": here.words, "units": rows}
    return Answer(data, lambda: _one(here, rows[0]) if unit else _many(here, rows))


def _many(here: Position, rows: list[dict[str, Any]]) -> str:
    parts = [f"{here.scenario}, {here.words}"]
    for side in dict.fromkeys(r["side"] for r in rows):
        mine = [r for r in rows if r["side"] == side]
        parts += [f"{side.capitalize()}: {_sums(mine)}", table(_HEAD, map(_line, mine), right="5", last=150)]
    turning = sum(r["basis"]["verdict"] != "firm" for r in rows)
    if turning:
        parts.append(f"* {count(turning, 'verdict')} would change within the bounds of a value that is not printed.")
    return "\n\n".join(parts)


_HEAD = ("unit", "strength", "at", "supply", "from", "last leg", "way, or what came nearest")


def _line(row: dict[str, Any]) -> tuple[object, ...]:
    status = STATUS[row["projected"]] + ("" if row["basis"]["verdict"] == "firm" else " *")
    source = row["source"] or row["eats_from"]
    return row["label"], row["strength"] or None, row["hex"] or row["place"], status, source, _cost(row), _way(row)


def _cost(row: dict[str, Any]) -> str:
    last = row["legs"][-1] if row["legs"] else None
    if not last or last["cost"] is None:
        return "-"
    return f"{mp(last['cost'])[:-3]} of {mp(last['limit'], last['unit'].removeprefix('MP/12 '))}"


def _way(row: dict[str, Any]) -> str:
    if row["projected"] == "in":
        by = row["legs"][-1]["by"] if row["legs"] else None
        kinds = [leg["kind"] for leg in row["legs"]]
        return " > ".join(kinds) + (f" by {by}" if by else "") if kinds else "stands on a source"
    if row["projected"] == "box":
        return "always in trace supply"
    return row["misses"][0]["text"] if row["misses"] else ""


def _sums(rows: list[dict[str, Any]]) -> str:
    number = Counter(r["projected"] for r in rows)
    words = ", ".join(f"{number[s]} {WORDS[s]}" for s in WORDS if number[s])
    return f"{count(len(rows), 'unit')}, {words}"


def _one(here: Position, row: dict[str, Any]) -> str:
    head = pairs(
        [
            ("unit", f"{row['label']} ({row['id']}), {row['strength']} {row['type']}".replace(",  ", ", ")),
            ("at", ", ".join(filter(None, (row["hex"], row["place"], here.words)))),
            ("marker", "out of supply since its last Supply Phase" if row["marker"] else "none"),
            ("projected", STATUS[row["projected"]] + (f" from {row['eats_from']}" if row["eats_from"] else "")),
            *((name, _means(row[name])) for name in ("attack", "defence", "fuel")),
            ("verdict", row["basis"]["verdict"]),
        ]
    )
    why = "\n".join(map(bullet, row["explain"]))
    return "\n\n".join(filter(None, (head, why, _legs(row["legs"]))))


def _means(means: dict[str, Any] | None) -> str:
    if means is None:
        return "never attacks"
    if not means["tokens"]:
        return "needs none"
    if means["source"] == "stocks":
        return f"{tokens(means['tokens'])} from internal stocks"
    if means["source"]:
        by = f", thrown by {means['by']}" if means["by"] else ""
        return f"{tokens(means['tokens'])} from {means['from']}{by}"
    return f"cannot pay {tokens(means['tokens'])}"


def _legs(legs: list[dict[str, Any]]) -> str:
    if not legs:
        return ""
    rows = [
        (
            leg["kind"],
            mp(leg["cost"]),
            mp(leg["limit"]),
            (leg["unit"] or "").removeprefix("MP/12 ").capitalize() or "-",
            leg["by"] or "-",
            " ".join(leg["hexes"]),
        )
        for leg in legs
    ]
    return table(("leg", "cost", "limit", "MP of", "by", "hexes"), rows, right="12", last=120)


def reach(args: Namespace) -> Answer:
    """Every hex that a unit can reach in a Movement Phase, with its cost."""
    here = position(args)
    unit = edition(here.game).mover_id(here.state, args.unit)
    trace = room(here.game, "supply.trace").tracing(here.state, unit) if unit in here.state.pieces else None
    ground = _ground(here, args.weather) if args.weather else None
    found = room(here.game, "movement.reach").reach(here.state, unit, mode=args.mode, ground=ground, trace=trace)
    data = {"scenario": here.scenario, "position": here.words, **found.as_dict()}
    return Answer(data, lambda: _reach_text(here, data))


def _ground(here: Position, word: str) -> str:
    """A ground condition as it is, or what a turn of some weather makes of the ground that there is."""
    charts, name = here.state.rules.charts, word.replace(" ", "_")
    weathers = {row["weather"] for row in charts.rows("ground_table")}
    if name in weathers:
        return str(room(here.game, "turn.weather").ground_after(charts, here.state.ground, name))
    return word


def _reach_text(here: Position, data: dict[str, Any]) -> str:
    mobility = data["cost_unit"].removeprefix("MP/12 ")
    head = pairs(
        [
            ("unit", data["unit"]),
            ("at", f"{data['hex']}, {here.words}"),
            ("mode", f"{data['mode']}, {data['phase']} phase, ground {data['ground']}"),
            ("allowance", f"{mp(data['allowance'], mobility)}, {mp(data['left'])} left"),
            ("fuel", tokens(data["fuel"]) if data["fuel"] else "needs none"),
            ("may not move", " ".join(r["message"] for r in data["refused"])),
        ]
    )
    names = here.state.board.names
    index = here.state.board.index
    rows = [
        (
            h["hex"],
            mp(h["cost"])[:-3],
            names.get(index(h["hex"]), ""),
            ", ".join([*(["minimum move"] if h["minimum_move"] else []), *(m.replace("_", " ") for m in h["marks"])]),
        )
        for h in data["hexes"][:SHOWN_HEXES]
    ]
    more = len(data["hexes"]) - len(rows)
    parts = [head, table(("hex", f"{mobility.capitalize()} MP", "place", "remarks"), rows, right="1")]
    parts.append(
        count(len(data["hexes"]), "hex", "hexes")
        + " in reach"
        + (f", {more} not shown (--format json lists all)." if more else ".")
    )
    parts += [bullet(note) for note in data["notes"]]
    return "\n\n".join(parts)
