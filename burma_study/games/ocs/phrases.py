"""Orders in plain words, for those whose effects say nothing by themselves: "1-58-31 turns to Move Mode."

An order is known here by its text alone, so that a save of an earlier version is told as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from burma_study.boards.board import load_board
from burma_study.games.ocs.naming import rule_name
from burma_study.rules.ocs.counters import counters
from burma_study.rules.ocs.supply.words import named, unit_name

MOST_NAMED = 4
TOGETHER = "together:"
_UNIT_START = r"[aj]/[a-z0-9_-]+/"
_UNIT = _UNIT_START + r"[^\s,;:]+"
_ID = rf"(?<![\w/]){_UNIT_START}[^\s,;:'\"()]*?(?=\.?(?:[\s,;:'\"()]|$))"
_RULE = r"(?<![\w/])(ocs|ocs-series)/((?:opt\.?)?\d[\w.-]*\w|(?:opt\.?)?\d)"
_HEX = r"\b[AB]\d{1,2}\.\d{2}\b"

# A pattern of an order's text, and what is said; `{0}` is its first group, `[one|several]` agrees with it.
_PHRASES: tuple[tuple[str, str], ...] = (
    (r"done", "The phase ends."),
    (r"go (first|second)", "{actor} chooses to move {0}."),
    (r"mode (.+?) (\w+) with the (\w+) side up", "{0} [turns|turn] to {1} Mode, {2} side up."),
    (r"mode (.+?) (\w+)", "{0} [turns|turn] to {1} Mode."),
    (r"release (.+)", "{0} [is|are] released from Reserve."),
    (r"deliver (\d+) T to (\S+)", "{0}T [arrives|arrive] at {1}."),
    (r"divert the Hump", "Aircraft of the Hump are diverted."),
    (r"lift (.+) from (\S+) to (\S+) by (.+?)(?: dropping)?(?: one way)?", "{3} [flies|fly] {0} from {1} to {2}."),
    (r"hump (.+) from (\S+) to (\S+)(?: dropping)?", "The Hump's aircraft fly {0} from {1} to {2}."),
    (r"attack (\S+) with (.+?)(?: as Banzai)?(?:, rating of .*)?(?: paying .*)?", "{1} [attacks|attack] {0}."),
    (
        r"overrun (\S+) with (.+?)(?: as Banzai)?(?:, rating of .*)?(?: (?:paying|fuelled from) .*)?",
        "{1} [overruns|overrun] {0}.",
    ),
    (r"strike (\S+) with (.+)", "{1} [strikes|strike] {0}."),
    (r"load (\d+) T on (\S+)", "{1} takes up {0}T."),
    (r"unload (\d+) T from (\S+)", "{1} sets down {0}T."),
    (r"split (\d+) T off ([^\s,]+)(?:, .*)?", "{0}T of room [is|are] split off {1}."),
    (r"merge (\S+) into (\S+)", "{0} joins {1}."),
    (r"form extender (\S+)", "{0} becomes an extender."),
    (r"break extender (\S+)", "{0} is no extender any more."),
    (r"collapse extender (\S+) to (\S+)", "{0} is no extender any more and falls back to {1}."),
    (r"carry (.+) on (\S+) by .*", "{1} carries {0}."),
    (r"freight (\d+) T from (\S+) to (\S+)", "The railway carries {0}T from {1} to {2}."),
    (r"blow (\d+) T at (\S+)", "An attempt to blow {0}T at {1}."),
    (r"exchange (\d+) T at (\S+) for buffaloes", "{0}T at {1} become water buffaloes."),
    (r"dig in (\S+)", "{0} digs in."),
    (r"equipment to (\S+)", "The equipment point goes to {0}."),
    (r"other draw", "The replacement is drawn from the dead."),
    (r"other (\S+)", "The replacement makes up {0}."),
    (r"refit (.+?) at (\S+)(?: paying .*)?", "{0} [is|are] made ready at {1}."),
    (r"refill (\S+) from .*", "{0} refills its stocks."),
    (r"eat (\S+) from .*", "{0} eats."),
    (r"eat all", "Every unit that can reach supply eats."),
    (r"pay(?: from .*)?", "The defender pays for combat supply."),
    (r"decline", "The defender pays nothing and fights at half strength."),
    (r"lead with (\S+)", "{0} leads."),
    (r"settle 0 in steps", "All of the option is taken in hexes of retreat."),
    (r"settle (\d+) in steps", "{0} of the option [is|are] taken in steps."),
    (r"ignore the option", "The option is ignored."),
    (r"no advance", "Nobody advances."),
    (r"station (.+) over (\S+)", "{0} [goes|go] on station over {1}."),
    (r"ferry (.+) to (\S+)", "{0} [flies|fly] to {1}."),
    (r"recall (.+?)(?: to (\S+))?", "{0} [is|are] called home."),
    (r"let the flight pass", "The flight is let pass."),
    (r"accept air combat", "The aircraft there fight."),
    (r"stay on station", "The fighter stays on station."),
    (r"fly home", "The fighter flies home."),
    (r"leave (\S+) in the open", "{0} stands in the open."),
    (r"stand down (\S+)", "{0} stands down."),
)


def phrase(text: str, actor: str = "") -> str:
    """A sentence for an order, one each for the first of several; the order with names where no phrase is known.

    `actor` is the side that gave it, if that is known.
    """
    first, *rest = text.strip().splitlines() or [""]
    if first.strip() == TOGETHER and rest:
        return _together([line.strip() for line in rest if line.strip()], actor)
    return _single(first.strip(), actor)


def _together(lines: Sequence[str], actor: str) -> str:
    told = [_single(line, actor) for line in lines[:MOST_NAMED]]
    more = len(lines) - MOST_NAMED
    return " ".join([*told, *([f"And {more} more order{'s' if more > 1 else ''}."] if more > 0 else [])])


def _single(line: str, actor: str) -> str:
    for pattern, said in _PHRASES:
        found = re.fullmatch(pattern, line)
        whose = said.replace("{actor}", f"The {capital(actor)} side" if actor else "The side with the initiative")
        if found and None not in found.groups()[: whose.count("{")]:
            return capital(_agreeing(whose, [g or "" for g in found.groups()]))
    return f"{capital(_named(line))}."


def _agreeing(said: str, groups: Sequence[str]) -> str:
    """Groups put in by name, with the verb in the number of the one that the sentence begins with."""
    first = groups[int(said[1])] if said.startswith("{") else ""
    one = not ("," in first or (first.isdecimal() and first != "1"))
    text = re.sub(r"\[(\w+)\|(\w+)\]", lambda m: m[1 if one else 2], said)
    return text.format(*map(_value, groups))


def _value(text: str) -> str:
    """Units, hexes, boxes and modes as a reader calls them."""
    parts = [_named(p.strip()) for p in text.split(",")]
    shown = ", ".join(parts[:MOST_NAMED])
    shown += f" and {len(parts) - MOST_NAMED} more" if len(parts) > MOST_NAMED else ""
    return shown.capitalize() if shown.isalpha() and shown not in ("first", "second") else shown


def _named(text: str) -> str:
    found = re.sub(_UNIT, lambda m: unit(m[0]), text)
    return re.sub(_HEX, lambda m: _place(m[0]), found)


def _place(label: str) -> str:
    board = load_board("ocs")
    try:
        return named(board, board.index(label))
    except ValueError:
        return label


def unit(id_: str) -> str:
    """A unit's label, an air unit or transport by type and number."""
    known = counters().get(id_)
    return known.label if known is not None else unit_name(id_)


def plainly(text: str) -> str:
    """A reason as a reader sees it: units by name, rules as "OCS 6.1" or "Burma 2.6b"."""
    found = re.sub(_ID, lambda m: unit_name(m[0]), text)
    return re.sub(_RULE, lambda m: rule_name(m[0]), found)


def capital(text: str) -> str:
    """A text as a sentence begins, the rest as it is."""
    return text[:1].upper() + text[1:]
