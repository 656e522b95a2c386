"""Commands about a game: its scenarios, set-ups and reach; where a command stands and which units it means."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from burma_study.answers.edition import Edition
from burma_study.cli.text import Answer, mixed, table, tokens
from burma_study.errors import ScenarioError
from burma_study.games.registry import edition, edition_of, game_ids, game_of, meta


def room(game: str, name: str) -> Any:
    """The module `name` of a game's rules; ScenarioError when there is no such game or room."""
    meta(game)  # raises where there is no such game
    module = f"burma_study.rules.{game}.{name}"
    if find_spec(f"burma_study.rules.{game}.{name.split('.')[0]}") is None:
        raise ScenarioError(f"The game {game!r} has no {name} rules yet.")
    return import_module(module)


@dataclass(frozen=True)
class Position:
    """Where a command stands: the game, the scenario's id, the state, and in words how it was reached."""

    game: str
    scenario: str
    state: Any
    words: str


def position(args: Namespace) -> Position:
    """The set-up of the scenario, or a step of a line, or a saved game, as the arguments say."""
    if args.line and args.save:
        raise ScenarioError("Give either --line or --save, not both.")
    if args.step is not None and not args.line:
        raise ScenarioError("--step is a step of a line: add --line history.")
    game = edition_of(args.scenario)
    scenario = game.scenario_id(args.scenario)
    return Position(game.id, scenario, *_standing(args, game, scenario))


def _standing(args: Namespace, game: Edition, scenario: str) -> tuple[Any, str]:
    if args.save:
        return _saved(scenario, args.save), f"as saved in {args.save}"
    if args.line:
        return _on_line(game, scenario, args.line, args.step)
    printed = "" if args.errata == "on" else ", exactly as printed"
    return game.start(scenario, args.setup, errata=args.errata == "on"), f"{args.setup} set-up{printed}"


def _saved(scenario: str, path: str) -> Any:
    """The state at the cursor of a save; it must be of the scenario that was asked for."""
    from burma_study.engine.saves import read_save

    save = read_save(path, game_of)
    state = game_of(save.header.game).load(save.picture().dump())
    if state.scenario != scenario:
        raise ScenarioError(f"{path!r} is a game of {state.scenario}, not of {scenario}.")
    return state


def _on_line(game: Edition, scenario: str, name: str, step: int | None) -> tuple[Any, str]:
    at = step or 0
    state, title = game.line_step(scenario, name, at)
    return state, f"{name} line, step {at}: {title}"


def units_named(here: Position, names: Iterable[str]) -> list[str]:
    """Ids of the units that names mean: ids, or labels that only one unit in play carries; ScenarioError otherwise."""
    game = edition(here.game)
    return [game.unit_id(here.state, name) for name in names if name.strip()]


def games(args: Namespace) -> Answer:
    """The games in the house, without importing their rules."""
    found = [meta(game) for game in game_ids()]
    rows = [(m.id, m.title, m.subject, " and ".join(m.sides.values()), m.stage) for m in found]
    head = ("game", "title", "subject", "sides", "stage")
    return Answer([m.as_dict() for m in found], lambda: table(head, rows, last=130))


def scenarios(args: Namespace) -> Answer:
    """The list of scenarios."""
    rows = [dict(row) for game in game_ids() for row in edition(game).scenarios()]
    lines = [
        (r["id"], r["title"], r["printed_title"], f"{r['first']} to {r['last']}", r["turns"], r["stage"]) for r in rows
    ]
    head = ("scenario", "title", "in the rulebook", "dates", "turns", "stage")
    return Answer(rows, lambda: table(head, lines, right="4", last=130))


def setup(args: Namespace) -> Answer:
    """One set-up of a scenario: units, supply, aircraft, markers, later arrivals."""
    game = edition_of(args.scenario)
    data = game.set_up(args.scenario, args.setup, errata=args.errata == "on")
    return Answer(data, lambda: _setup_text(data))


def _setup_text(data: Mapping[str, Any]) -> str:
    printed = "with the errata" if data["errata"] else "exactly as printed"
    parts = [f"{data['scenario']}, {data['setup']} set-up, {printed}"]
    for title, name, head, cells in _LISTS:
        if data[name]:
            lines = table(head, [cells(row) for row in data[name]], last=130)
            parts.append(f"{title} ({len(data[name])})\n\n{lines}")
    return "\n\n".join(parts)


def _at(row: Mapping[str, Any]) -> str:
    """The hex, or the rulebook's words with where the start state puts it."""
    if row.get("hex"):
        return str(row["hex"])
    default = ", ".join(d["hex"] for d in row.get("default") or ())
    return f"{row.get('place') or row.get('where')}" + (f" (by default {default})" if default else "")


def _store(row: Mapping[str, Any]) -> str:
    loaded = f", {tokens(row['loaded'])} aboard" if row.get("loaded") else ""
    if row["kind"] == "SP":
        return tokens(row["tokens"]) + loaded
    points = Fraction(row["tokens"], 4)
    return f"{mixed(points)} {row['kind']} Point{'s' if points > 1 else ''}{loaded}"


def _mark(row: Mapping[str, Any]) -> str:
    level = f" level {row['level']}" if row.get("level") else ""
    number = f"{row['count']} " if row.get("count") else ""
    kind = "Reserve markers" if row["kind"] == "reserve" else row["kind"].replace("_", " ")
    return f"{number}{kind}{level}"


def _arriving(row: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (f"{row['label']},", row["strength"], row["type"]))) if "label" in row else _store(row)


_LISTS: tuple[tuple[str, str, tuple[str, ...], Callable[[Mapping[str, Any]], tuple[object, ...]]], ...] = (
    (
        "Units",
        "units",
        ("side", "unit", "strength", "type", "mode", "where"),
        lambda r: (r["side"], r["label"], r["strength"], r["type"].replace("_", " "), r["mode"], _at(r)),
    ),
    ("Supply and transport", "supply", ("side", "what", "where"), lambda r: (r["side"], _store(r), _at(r))),
    (
        "Aircraft",
        "air",
        ("side", "number", "type", "state", "where"),
        lambda r: (r["side"], r["count"], r["label"], r["state"], _at(r)),
    ),
    ("Markers", "markers", ("side", "what", "where"), lambda r: (r["side"], _mark(r), _at(r))),
    (
        "Arrivals",
        "arrivals",
        ("turn", "date", "side", "what", "where"),
        lambda r: (r["turn"], r["date"], r["side"], _arriving(r), (r["site"] or r["where"]).capitalize()),
    ),
    (
        "In the dead piles",
        "dead",
        ("side", "unit", "strength", "type"),
        lambda r: (r["side"], r["label"], r["strength"], r["type"].replace("_", " ")),
    ),
)
