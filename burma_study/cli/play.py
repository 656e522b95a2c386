"""Commands about games in progress: play orders from a file, replay a save with every digest, show a position."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burma_study.answers.edition import Edition
from burma_study.cli.text import Answer, count, pairs, table, tokens
from burma_study.datafiles import read_text
from burma_study.engine.saves import is_save, read_save
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError, Problem, SaveError, ScenarioError
from burma_study.games.registry import edition, edition_of, game_of
from burma_study.study.policies.runner import play as run

LAST = 5  # lines of the log that are shown


@dataclass(frozen=True)
class Written:
    """An order of a file: its first line's number, whose it is (if said) and its text."""

    row: int
    actor: str
    text: str


# reading the orders ---------------------------------------------------------------------------------------------------


def written_orders(path: str, sides: tuple[str, ...]) -> list[Written]:
    """The orders of a file: one a line, `SIDE: order` as the log writes it or the order alone; `#` begins a remark.

    `march UNIT to PLACE` and `end` are understood as well (`burma_study.games.ocs.shorthand`).

    Lines that are set in below `together:` belong to it. Dice in brackets at a line's end are left out.
    """
    found: list[Written] = []
    for row, line in enumerate(_lines(path), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[0].isspace() and found:
            found[-1] = Written(found[-1].row, found[-1].actor, f"{found[-1].text}\n  {line.strip()}")
        else:
            found.append(_written(row, line, sides))
    return found


def _lines(path: str) -> list[str]:
    """The lines of a text, whichever system wrote it."""
    return read_text(Path(path)).replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _written(row: int, line: str, sides: tuple[str, ...]) -> Written:
    text = re.sub(r"\s+\[[^\]]*\]$", "", line.strip())
    actor, colon, rest = text.partition(": ")
    return Written(row, actor, rest.strip()) if colon and actor in sides else Written(row, "", text)


# play -----------------------------------------------------------------------------------------------------------------


def play(args: Namespace) -> Answer:
    """Play a scenario by the orders of a file, and by policies for the sides that have one."""
    game = edition_of(args.scenario)
    scenario = game.scenario_id(args.scenario)
    orders = written_orders(args.orders, game.sides) if args.orders else []
    if args.out:
        _free(args.out, args.orders)
    if any(text.endswith("=list") for text in args.policy or []):
        return _listed(game, scenario)
    policies = _policies(game, scenario, args.policy or [])
    if not orders and not policies:
        raise BurmaStudyError("Nothing to play: give --orders FILE, or --policy SIDE=NAME for a side.")
    state = game.start(scenario, args.setup, errata=args.errata == "on")
    session = Session(game.game, state, setup=scenario, setup_kind=args.setup, seed=args.seed)
    if args.out:
        session.save(args.out)  # a place that cannot be written is said before the game is played
    notes: list[str] = []
    try:
        _give(game, session, orders, policies, notes, args.orders or "")
    finally:
        if args.out:
            session.save(args.out)
    return _played(session, notes, args.out)


def _free(out: str, orders: str | None) -> None:
    """Refuse to write a save over the orders that it is made from, or over anything that is no save."""
    place = Path(out)
    if orders is not None and place.exists() and place.samefile(orders):
        raise SaveError(f"{out!r} holds the orders; name another file with --out.")
    if place.is_file() and place.stat().st_size and not is_save(place):
        raise SaveError(f"{out!r} is there and is no save; it is left alone. Name another file with --out.")


def _policies(game: Edition, scenario: str, asked: list[str]) -> dict[str, Any]:
    sides = game.sides
    found: dict[str, Any] = {}
    for text in asked:
        side, equals, name = text.partition("=")
        if not equals or side not in sides:
            raise ScenarioError(f"--policy {text!r} is not SIDE=NAME; sides are {', '.join(sides)}.")
        if side in found:
            raise ScenarioError(f"--policy names the {side} side twice; give it one policy.")
        found[side] = game.policy(scenario, side, name)
    return found


def _listed(game: Edition, scenario: str) -> Answer:
    """The policies that each side of a scenario may have."""
    found = {side: list(game.seats(scenario, side)) for side in game.sides}
    rows = [
        (f"--policy {side}={name}" if " " not in name else f'--policy {side}="{name}"',)
        for side, policies in found.items()
        for name in policies
    ]
    return Answer({"scenario": scenario, "policies": found}, lambda: table((f"policies of {scenario}",), rows))


def _give(
    game: Edition, session: Session, orders: list[Written], policies: Mapping[str, Any], notes: list[str], path: str
) -> None:
    for order in orders:
        if order.actor not in policies:
            _note(game, notes, run(session, policies, hold=game.hold()).notes)
        _push(game, session, order, path)
    _note(game, notes, run(session, policies, hold=game.hold()).notes)


def _note(game: Edition, notes: list[str], more: Iterable[object]) -> None:
    """Add notes in plain words, each once."""
    notes += [text for text in dict.fromkeys(game.plainly(str(n)) for n in more) if text not in notes]


def _push(game: Edition, session: Session, order: Written, path: str) -> None:
    """One order of the file; the error names its line and how far the game has come; its problems say why."""
    try:
        session.push(game.expand(session, order.text), order.actor)
    except BurmaStudyError as error:
        name = Path(path).name
        found = {game.plainly(p.message): p for p in reversed(error.problems or (_problem(error),))}
        problems = [Problem(p.code, said, name, order.row) for said, p in reversed(found.items())]
        before = count(session.node, "record") + (" stands" if session.node == 1 else " stand")
        text = order.text.splitlines()[0]
        raise BurmaStudyError(
            f"{name}, line {order.row}: {text!r} is refused; {before} before it.", problems
        ) from error


def _problem(error: BurmaStudyError) -> Problem:
    return Problem(type(error).__name__, str(error))


def _played(session: Session, notes: list[str], out: str | None) -> Answer:
    found = standing(session) | {"notes": notes, "saved": out}
    log = list(session.lines())[-LAST:]

    def text() -> str:
        parts = [_standing_text(found), "\n".join(log)]
        if notes:
            parts.append(f"{count(len(notes), 'note')}, the first:\n" + "\n".join(notes[:LAST]))
        if out:
            parts.append(f"Saved as {out}.")
        return "\n\n".join(p for p in parts if p)

    return Answer(found | {"log": list(session.lines())}, text)


def standing(session: Session) -> dict[str, Any]:
    """Where a game stands and what that would come to, were it to end now."""
    game, state = edition(session.game.id), session.state
    when, told = game.when(state), game.score(state)
    return {
        "scenario": session.setup,
        "seed": session.seed,
        "records": len(session.tree.path()) - 1,
        "turn": when.turn,
        "player": when.player,
        "phase": when.phase,
        "decides": session.decision.actor,
        "digest": state.digest,
        "victory": told["victory"],
        "winner": told["winner"],
        "why": told["why"],
        **told["totals"],
        "points": told["points"],
        "said": told["said"],
    }


def _standing_text(found: Mapping[str, Any]) -> str:
    return pairs(
        [
            ("scenario", found["scenario"]),
            ("records", found["records"]),
            ("stands at", f"turn {found['turn']}, {found['player']} {found['phase'].replace('_', ' ')}"),
            ("to decide", found["decides"] or "nobody, the game is over"),
            ("victory", f"{found['victory']} ({found['why']})"),
            ("points", found["said"]),
            ("seed", found["seed"]),
        ]
    )


# replay ---------------------------------------------------------------------------------------------------------------


def replay(args: Namespace) -> Answer:
    """Run a save again under today's rules, every digest verified, and say what the game came to."""
    session = Session.open(args.save, game_of)
    difference = session.rerun()
    if difference is not None:
        first = Problem(difference.kind, str(difference), Path(args.save).name)
        sentence = f"{args.save!r} does not come out the same under today's rules: {difference}"
        raise SaveError(f"{sentence} {' '.join(session.notes)}".strip(), [first])
    found = standing(session) | {"verified": len(session.tree) - 1, "notes": list(session.notes)}
    checked = f"{count(found['verified'], 'record')} run again, every digest as saved."

    def text() -> str:
        return "\n\n".join([checked, _standing_text(found), *session.notes])

    return Answer(found, text)


# show -----------------------------------------------------------------------------------------------------------------


def show(args: Namespace) -> Answer:
    """A position of a save as it was written; no rules are run."""
    save = read_save(args.save, game_of, recover=args.recover)
    path = save.tree.path()
    step = len(path) - 1 if args.step is None else args.step
    if not 0 <= step < len(path):
        raise SaveError(f"{args.save!r} has steps 0 to {len(path) - 1}, no step {step}.")
    game = edition(save.header.game)
    found = game.shown(save, step)

    def text() -> str:
        head, units, supply = game.listed(found)
        rows = [(at, side, tokens(n) if isinstance(n, int) else str(n)) for at, side, n in supply]
        parts = [pairs(head), table(("hex", "units"), units), table(("hex", "side", "supply"), rows)]
        return "\n\n".join([*parts, *found["warnings"]])

    return Answer(found, text)
