"""The command line: `burma-study COMMAND`, text for people and JSON for programs.

A command is a function of its arguments that returns an `Answer`; it lives in a module of its own here, which is only
imported when a command runs, so that `burma-study --version` is quick.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import NoReturn

from burma_study import __version__
from burma_study.errors import BurmaStudyError, Problem, did_you_mean

SHOWN = 7
LONGEST = 200  # characters of a word
FORMATS = ("text", "json")
Option = tuple[str, Mapping[str, object]]


class UsageError(BurmaStudyError):
    """A command line that cannot be understood."""


class _Parser(argparse.ArgumentParser):
    """argparse whose complaints are a `UsageError` instead of a page of usage."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{_sentence(message)} See: {self.prog} --help")


@dataclass(frozen=True)
class Command:
    """One command: where its function is, what it does, its arguments."""

    module: str
    help: str
    options: tuple[Option, ...] = ()

    def function(self, name: str) -> str:
        """The dotted place of the function."""
        return f"burma_study.{self.module}:{name}"


def _choice(flag: str, values: Sequence[str], help_: str, default: str | None = None) -> Option:
    return flag, {"choices": tuple(values), "default": default, "help": help_}


SCENARIO: Option = ("scenario", {"metavar": "SCENARIO", "help": "a scenario's id, such as ocs/u-go"})
SET_UP = (
    _choice("--setup", ("historical", "free"), "which of the two set-ups (historical)", "historical"),
    _choice("--errata", ("on", "off"), "apply the errata, or keep the rulebook exactly as printed (on)", "on"),
)
WHEN: tuple[Option, ...] = (
    *SET_UP,
    _choice("--line", ("history",), "stand on a published line instead of the set-up"),
    ("--step", {"type": int, "metavar": "N", "help": "the step of the line, from 0"}),
    ("--save", {"metavar": "FILE", "help": "stand where a saved game stands"}),
)


def _port(text: str) -> int:
    """A port that can be served at; 0 would be any, and is not given."""
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is no port; a port is a whole number from 1 to 65535")
    return int(text)


SERVER: tuple[Option, ...] = (
    ("--port", {"type": _port, "metavar": "N", "help": "the port to serve at (a free one)"}),
    ("--no-browser", {"action": "store_true", "help": "do not open the browser"}),
)
TERRAIN = ("open", "close", "very_close", "extremely_close")


def _number(flag: str, help_: str, *more: str) -> Option:
    return " ".join((flag, *more)), {"metavar": "N", "help": help_}


COMMANDS: dict[str, Command] = {
    "games": Command("cli.game", "list the games"),
    "scenarios": Command("cli.game", "list the scenarios"),
    "setup": Command("cli.game", "where everything stands at the start of a scenario", (SCENARIO, *SET_UP)),
    "trace": Command(
        "cli.supply",
        "who is in supply, along which path, and why the others are not",
        (
            SCENARIO,
            ("--unit", {"metavar": "ID", "help": "one unit, by its id or label: j/inf/2-215-33 or 2-215-33"}),
            _choice("--side", ("japanese", "allied"), "only this side"),
            *WHEN,
        ),
    ),
    "reach": Command(
        "cli.supply",
        "where a unit can go, and what it costs",
        (
            SCENARIO,
            ("--unit", {"metavar": "ID", "required": True, "help": "the unit, by its id or label"}),
            _choice("--mode", ("combat", "move", "reserve", "strat", "exploit"), "another mode than it is in"),
            (
                "--weather",
                {
                    "metavar": "W",
                    "help": "ground (normal, mud, quagmire, flood) or weather (clear, light_rain, rain, heavy_rain)",
                },
            ),
            *WHEN,
        ),
    ),
    "odds": Command(
        "cli.odds",
        "what an attack is worth, exactly",
        (
            ("scenario", {"metavar": "SCENARIO", "nargs": "?", "help": "a scenario's id, unless --raw"}),
            ("--target", {"metavar": "HEX", "help": "the hex that is attacked, by label or place"}),
            ("--attackers", {"metavar": "ID,ID", "help": "the attacking units, by id or label, with commas between"}),
            ("--raw", {"action": "store_true", "help": "from final strengths, without a map"}),
            _number("--attack", "attack strength (with --raw)"),
            _number("--defence", "defence strength (with --raw)", "--defense"),
            _number("--attacker-ar", "action rating of the attacker (with --raw)"),
            _number("--defender-ar", "action rating of the defender (with --raw)"),
            _choice("--terrain", TERRAIN, "the header line of the table (with --raw)"),
            _number("--hedgehog", "level of the defender's hedgehog, 0 to 4 (with --raw)"),
            ("--overrun", {"action": "store_true", "help": "an overrun instead of a regular attack"}),
            ("--barrage", {"action": "store_true", "help": "a barrage by artillery instead of an attack, on the map"}),
            ("--banzai", {"action": "store_true", "help": "a Banzai attack, on the map"}),
            ("--unpaid", {"action": "store_true", "help": "the attacker does not pay, on the map"}),
            *WHEN,
        ),
    ),
    "georef": Command(
        "cli.data",
        "how a board lies on the globe, and how well",
        (("board", {"metavar": "BOARD", "help": "a board's id, such as ocs"}),),
    ),
    "board": Command(
        "cli.data",
        "what is in a hex of a board",
        (
            ("board", {"metavar": "BOARD", "help": "a board's id, such as ocs"}),
            ("hex", {"metavar": "HEX", "help": "a hex's label or the name of a place in it"}),
        ),
    ),
    "rules": Command(
        "cli.data",
        "every clause of a game's rules: what is done, by which function, proved by which tests",
        (
            ("game", {"metavar": "GAME", "help": "a game's id, such as ocs"}),
            _choice("--status", ("done", "part", "component", "input"), "only clauses of this status"),
            ("--uncovered", {"action": "store_true", "help": "only clauses that no function or no test names"}),
            (
                "--uncited",
                {"metavar": "SAVE", "nargs": "+", "help": "only clauses that no record of these saves cites"},
            ),
            ("--find", {"metavar": "WORD", "help": "only clauses whose id, title or note has this in it"}),
        ),
    ),
    "check": Command(
        "cli.data",
        "check a scenario, chart, data file or save, and list everything wrong with it",
        (("path", {"metavar": "PATH", "help": "the file, or a folder of files"}),),
    ),
    "play": Command(
        "cli.play",
        "play a scenario by the orders of a file, with policies for the other side",
        (
            SCENARIO,
            ("--orders", {"metavar": "FILE", "help": "orders, one a line as in the log; march UNIT to PLACE, end"}),
            (
                "--policy",
                {"metavar": "SIDE=NAME", "action": "append", "help": "who gives a side's orders; SIDE=list names them"},
            ),
            ("--seed", {"metavar": "SEED", "help": "the seed of the dice, any word or number (a new one)"}),
            ("--out", {"metavar": "SAVE", "help": "where the game is saved"}),
            *SET_UP,
        ),
    ),
    "replay": Command(
        "cli.play",
        "run a saved game again, verify every digest, and say who won",
        (("save", {"metavar": "SAVE", "help": "the saved game"}),),
    ),
    "show": Command(
        "cli.play",
        "a position of a saved game as it was written",
        (
            ("save", {"metavar": "SAVE", "help": "the saved game"}),
            ("--step", {"type": int, "metavar": "N", "help": "how many records from the start (where it stands)"}),
            ("--recover", {"action": "store_true", "help": "of a damaged save, what stands before the damage"}),
        ),
    ),
    "dashboard": Command(
        "cli.serve",
        "open a dashboard in the browser (games are saved in the folder that BURMA_STUDY_GAMES names; none if empty)",
        (
            ("name", {"metavar": "NAME", "nargs": "?", "help": "which dashboard (u-go; its head leads to all)"}),
            ("--list", {"action": "store_true", "help": "only name the dashboards"}),
            *SERVER,
        ),
    ),
    "lab": Command("cli.serve", "open the notebooks in JupyterLab", SERVER),
}


def parser() -> argparse.ArgumentParser:
    """The whole command line as an argparse parser."""
    top = _Parser(prog="burma-study", description="The Burma campaign of 1944 through the rules of four wargames.")
    top.add_argument("--version", action="version", version=f"burma-study {__version__}")
    _choice_of_format(top, "text")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    for name, command in COMMANDS.items():
        sub = commands.add_parser(name, help=command.help, description=_sentence(command.help))
        for flags, settings in command.options:
            sub.add_argument(*flags.split(), **settings)  # type: ignore[arg-type]
        _choice_of_format(sub, argparse.SUPPRESS)
    return top


def _choice_of_format(p: argparse.ArgumentParser, default: str) -> None:
    p.add_argument("--format", choices=FORMATS, default=default, help="text for people or json for programs (text)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0, or 2 when something was wrong with what was asked."""
    words = list(sys.argv[1:] if argv is None else argv)
    status = 0
    try:
        status = _answer(words)
        if sys.stdout is not None:  # None: it was closed before we began
            sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output, `head` say, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        status = _unwritten(error)
    except KeyboardInterrupt:
        return 130
    return status


def _answer(words: list[str]) -> int:
    try:
        return _run(words)
    except BurmaStudyError as error:
        return _reported(error, words)
    except OSError as error:
        if error.filename is None:  # a pipe or a disk that our own output goes to
            raise
        reason = f"{str(error.filename)!r} cannot be used: {error.strerror}."
        return _reported(BurmaStudyError(reason), words)
    except Exception as error:
        return _reported(BurmaStudyError(_unexpected(error)), words)


def _reported(error: BurmaStudyError, words: list[str]) -> int:
    """The report's exit status, which survives a reader who has closed the pipe."""
    try:
        status = report(error, wants_json(words))
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except BrokenPipeError:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return 2


def _unwritten(error: OSError) -> int:
    """The answer could not be written, to a full disk say; what is left of it is thrown away."""
    print(f"burma-study: The answer cannot be written: {error.strerror or error}.", file=sys.stderr)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 2


def _run(words: list[str]) -> int:
    if words[-1:] == ["--"]:
        raise UsageError("The argument -- says that names follow, and none does; leave it out.")
    _known_command(words)
    args = parser().parse_args(words)
    if not args.command:
        parser().print_help()
        return 0
    _said(args)
    module, name = COMMANDS[args.command].function(args.command).split(":")
    answer = getattr(import_module(module), name)(args)
    print(json.dumps(answer.data, ensure_ascii=False, indent=2) if args.format == "json" else answer.text())
    return 0


def _said(args: argparse.Namespace) -> None:
    """Refuse arguments that say nothing: they would be taken for arguments that were left out."""
    for name, value in vars(args).items():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and (not text.strip() or "\0" in text):
                what = name.replace("_", "-")
                raise UsageError(f"The argument {what} {text!r} is empty; say what is meant, or leave it out.")


def _known_command(words: Sequence[str]) -> None:
    """Refuse an unknown command with near matches, before argparse lists all of them."""
    skip = {i + 1 for i, word in enumerate(words) if word == "--format"}
    first = next((w for i, w in enumerate(words) if not w.startswith("-") and i not in skip), None)
    if first is not None and first not in COMMANDS:
        hint = did_you_mean(first, COMMANDS) or f"Commands are {', '.join(COMMANDS)}."
        raise UsageError(f"There is no command {first!r}. {hint}")


def wants_json(words: Sequence[str]) -> bool:
    """Whether the words ask for JSON, even if they cannot be parsed."""
    joined = list(zip(words, [*words[1:], ""], strict=True))
    return any(pair == ("--format", "json") for pair in joined) or "--format=json" in words


def report(error: BurmaStudyError, as_json: bool) -> int:
    """Say what was wrong: a sentence and at most seven problems on standard error, all of them in JSON; returns 2."""
    print(f"burma-study: {_one_line(error)}", file=sys.stderr)
    found = error.problems
    shown = found if len(found) <= SHOWN else found[: SHOWN - 1]
    for problem in shown:
        print(f"  {_one_line(problem)}", file=sys.stderr)
    if len(found) > len(shown):
        print(f"  and {len(found) - len(shown)} more (--format json lists them)", file=sys.stderr)
    if as_json:
        listed = found or (Problem(type(error).__name__, str(error)),)
        data = {"error": str(error), "problems": [problem.as_dict() for problem in listed]}
        print(json.dumps(data, ensure_ascii=False, indent=2))
    return 2


def _one_line(text: object) -> str:
    """On one line, with endless words, which only a slip can give, cut short."""
    return " ".join(word if len(word) <= LONGEST else f"{word[:LONGEST]}..." for word in str(text).split())


def _unexpected(error: Exception) -> str:
    """One sentence for an error of ours, with the place to look at."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}, line {trace.tb_lineno}" if trace else "?"
    return f"Something went wrong that is a fault of the program ({type(error).__name__}: {error}; {place})."


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
