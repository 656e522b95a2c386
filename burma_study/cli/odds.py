"""The command `odds`: what an attack is worth, from bare strengths or on the map."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from burma_study.cli.game import position, room, units_named
from burma_study.cli.text import Answer, bar, bullet, mixed, pairs, percent, table
from burma_study.errors import BurmaStudyError, Problem

LONGEST = 12  # characters of a number
RAW_GAME = "ocs"
RAW = ("attack", "defence", "attacker_ar", "defender_ar", "terrain")
RAW_NUMBERS: dict[str, Callable[[str], Any]] = {
    "attack": Fraction,
    "defence": Fraction,
    "attacker_ar": int,
    "defender_ar": int,
    "hedgehog": int,
}
SHAPES = {"open": "open", "close": "close", "very_close": "very close", "extremely_close": "extremely close"}


def odds(args: Namespace) -> Answer:
    """Exact odds: of bare numbers with `--raw`, else of units on the map against a hex."""
    _agreeing(args)
    found = _raw(args) if args.raw else _on_map(args)
    data = found.as_dict()
    text = barrage_text if args.barrage else odds_text
    return Answer(data, lambda: text(data, found.explain()))


def _agreeing(args: Namespace) -> None:
    """Refuse kinds of attack that exclude each other."""
    chosen = [f"--{name}" for name in ("raw", "barrage", "banzai", "unpaid") if getattr(args, name)]
    if args.raw and len(chosen) > 1:
        raise BurmaStudyError(f"{' and '.join(chosen[1:])} needs units on the map, which --raw has not.")
    if args.barrage and (args.overrun or args.banzai):
        raise BurmaStudyError("A barrage is neither an overrun nor a Banzai attack; give one of them.")


def _raw(args: Namespace) -> Any:
    missing = [name for name in RAW if getattr(args, name) is None]
    if missing:
        flags = ", ".join(f"--{name.replace('_', '-')}" for name in missing)
        raise BurmaStudyError(f"odds --raw also needs {flags}.")
    game = args.scenario.split("/")[0] if args.scenario else RAW_GAME
    numbers = {name: _number(name, getattr(args, name), kind) for name, kind in RAW_NUMBERS.items()}
    wrong = [text for text in numbers.values() if isinstance(text, Problem)]
    if wrong:
        message = wrong[0].message if len(wrong) == 1 else f"{len(wrong)} of the numbers are none."
        raise BurmaStudyError(message, wrong[:0] if len(wrong) == 1 else wrong)
    return room(game, "combat.attack").raw_odds(**numbers, terrain=args.terrain, overrun=args.overrun)


def _number(name: str, text: str | None, kind: Callable[[str], Any]) -> Any:
    """The number that an argument is, or the problem with it."""
    try:
        if len(text or "") > LONGEST or "e" in (text or "").lower():
            raise ValueError(text)
        return kind(text or "0")
    except (ValueError, ZeroDivisionError):
        flag, wanted = f"--{name.replace('_', '-')}", "a whole number" if kind is int else "a number such as 12 or 9/2"
        return Problem("wrong-value", f"{flag} {text!r} is not {wanted}.")


def _on_map(args: Namespace) -> Any:
    missing = [f"--{name}" for name in ("target", "attackers") if not getattr(args, name)]
    if not args.scenario or missing:
        wanted = ", ".join([*([] if args.scenario else ["a scenario"]), *missing])
        raise BurmaStudyError(f"odds also needs {wanted}; or --raw with final strengths.")
    here = position(args)
    combat = room(here.game, "combat.attack")
    attackers = units_named(here, args.attackers.split(","))
    kind = "overrun" if args.overrun else "regular"
    target = here.state.board.index(args.target)
    if args.barrage:
        fire = room(here.game, "combat.barrage_fire")
        if args.unpaid:
            raise BurmaStudyError("A barrage that is not paid for is not fired; leave out --unpaid.")
        return fire.barrage_odds(here.state, target, attackers, fire.BarrageOptions(anyway=True))
    forecast = room(here.game, "combat.forecast").as_fought
    how = combat.AttackOptions(kind=kind, banzai=args.banzai, attacker_supplied=not args.unpaid, anyway=True)
    options = forecast(here.state, target, attackers, how)
    return combat.attack_odds(here.state, target, attackers, options)


def barrage_text(data: dict[str, Any], sentences: tuple[str, ...]) -> str:
    """A barrage for people: the points and the column, why, the effects."""
    head = pairs(
        [
            ("barrage", f"{data['points']} points, column {data['column']}, after shifts {data['final_column']}"),
            ("cost", f"{data['cost']}T"),
            ("forbidden", " ".join(r["text"] for r in data["reasons"])),
        ]
    )
    rows = [(e["effect"], percent(e["probability"]), e["probability"]) for e in data["effects"]]
    why = "\n".join(bullet(text) for text in sentences)
    return f"{head}\n\n{why}\n\n{table(('effect', 'chance', 'exact'), rows, right='12')}"


def odds_text(data: dict[str, Any], sentences: tuple[str, ...]) -> str:
    """Odds for people: the numbers, where they come from, the columns, the results."""
    drm = f"{data['drm']:+d}" if data["drm"] else "0"
    head = pairs(
        [
            ("attack", f"{data['kind']}, on the {SHAPES[data['category']]} line"),
            ("strengths", f"{mixed(Fraction(data['attack']))} against {mixed(Fraction(data['defence']))}"),
            ("odds", f"{data['ratio']}, column {data['column']} before surprise"),
            ("combat roll", f"two dice {drm}" if data["drm"] else "two dice, no modifier"),
            ("forbidden", " ".join(r["text"] for r in data["reasons"])),
        ]
    )
    columns = table(
        ("column", "shift", "chance", "exact"),
        [
            (c["column"], f"{c['shift']:+d}" if c["shift"] else "0", percent(c["probability"]), c["probability"])
            for c in data["columns"]
        ],
        right="0123",
    )
    results = table(
        ("result", "chance", "exact", ""),
        [
            (o["result"], percent(o["probability"]), o["probability"], bar(o["probability"], 30))
            for o in data["outcomes"]
        ],
        right="12",
    )
    why = "\n".join(bullet(text) for text in sentences)
    return f"{head}\n\n{why}\n\n{columns}\n\n{results}"
