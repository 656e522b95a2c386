"""What a player types beside the orders of the log: `march UNIT to PLACE` and `end`, names of units and places.

>>> from burma_study.games.ocs.play import Play
>>> from burma_study.games.ocs.shorthand import expand
>>> game = Play.from_setup("ocs/learning", seed="1")
>>> expand(game.session, "end").text
'done'
>>> named(game.session, "attack Tiddim with 1-214-33")
'attack B3.24 with j/inf/1-214-33'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from burma_study.boards.board import Board
from burma_study.engine.asking import asked
from burma_study.engine.orders import Order
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError, IllegalOrder
from burma_study.games.ocs.moves import place_of, straight, ways
from burma_study.games.ocs.naming import unit_named
from burma_study.rules.ocs.goods.payment import AUTO
from burma_study.rules.ocs.movement.orders import Move
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.supply.trace import BOXES
from burma_study.rules.ocs.supply.words import named as named_hex
from burma_study.rules.ocs.supply.words import unit_name

MARCH = re.compile(r"march (?P<units>.+) to (?P<place>.+?)(?: paying (?P<fuel>\S+))?")
USAGE = "Write march UNIT, UNIT to PLACE[ paying FUEL]."
HELP = ("help", "?")
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_BEGIN, _END = r"(?<![\w/.\-])", r"(?![\w/\-]|\.\w)"  # a name is a whole word, and no part of an id
_COUNTED = r"(?<!turn )(?<!level )(?!\d+ (?:T|MP|levels?|steps?|in steps|gliders)\b)"  # a bare number may be no unit


@asked
def expand(session: Session, text: str) -> Order:
    """The order that a line means at the cursor, by shorthand or as the log writes it; IllegalOrder if it means none.

    Units and transport may be called as the page calls them, and places by name. `march` takes units (ids or labels,
    with commas between) of one hex by a cheapest way to a hex or place; where none leads there, it is the straight
    way, so that the rules say what is against it. `end` ends the segment or phase.
    """
    line = text.strip()
    if line.lower() in HELP:
        raise IllegalOrder(usage(session))
    if line.lower() == "end":
        return session.game.parse("done")
    line = by_id(session.state, line, session.decision.actor)
    found = MARCH.fullmatch(line)
    if found is not None:
        return _march(session.state, found["units"], found["place"], found["fuel"] or AUTO)
    if line.split(" ")[0] == "march":
        raise IllegalOrder(f"{text!r} cannot be read. {USAGE}")
    return session.game.parse(_readable(session, text, line))


def named(session: Session, text: str) -> str:
    """A line with the names of units and places as ids and hexes, as `expand` reads it."""
    line = text.strip()
    return _readable(session, line, by_id(session.state, line, session.decision.actor))


def _readable(session: Session, text: str, line: str) -> str:
    """The first that can be read: the line with ids, the same with hexes for places, else what was typed."""
    for tried in (line, by_hex(session.state.board, line)):
        try:
            session.game.parse(tried)
            return tried
        except IllegalOrder:
            continue
    return text


def usage(session: Session) -> str:
    """How orders are written, and which kinds are open, as one sentence."""
    book, kinds = session.game.book, session.decision.kinds
    forms = dict.fromkeys(book[k].form.lead for k in kinds if not book[k].edit)
    how = "Orders are written as the log writes them (mode 1-58-31 move), or march UNIT to PLACE"
    rest = f"now they may begin with {', '.join(forms)}" if forms else "none may be given now"
    return f"{how}; {rest}."


# names ----------------------------------------------------------------------------------------------------------------


def by_id(state: State, text: str, side: str = "") -> str:
    """A text with ids for the names that mean one unit, aircraft or transport in play, else one of a side's."""
    return _replaced(text, _ids(state, side))


def _ids(state: State, side: str) -> dict[str, str]:
    """Name in small letters to the one id that it means."""
    meant: dict[str, set[str]] = {}
    for id_, name in _names(state):
        meant.setdefault(name.lower(), set()).add(id_)
    own = side[:1] + "/"
    out: dict[str, str] = {}
    for name, ids in meant.items():
        near = ids if len(ids) == 1 else {i for i in ids if i.startswith(own)}
        if len(near) == 1:
            out[name] = min(near)
    return out


def _names(state: State) -> Iterator[tuple[str, str]]:
    for id_, piece in state.pieces.items():
        yield id_, piece.counter.label
        yield id_, unit_name(id_)
    for id_ in (*state.aircraft, *state.transport):
        yield id_, unit_name(id_)


def by_hex(board: Board, text: str) -> str:
    """A text with hexes for the names of places, alone or behind their hex as the log has them."""
    return _replaced(text, _places(board))


@lru_cache(maxsize=4)
def _places(board: Board) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for place in board.places:
        if place.hex is not None and place.name.lower() not in BOXES:
            label = board.label(board.index(place.name))
            found[place.name.lower()] = label
            found[f"{board.label(place.hex)} {place.name}".lower()] = board.label(place.hex)
    return found | {named_hex(board, h).lower(): board.label(h) for h in board.names}


def _replaced(text: str, known: Mapping[str, str]) -> str:
    """Whole names replaced, the longest first; what is in quotation marks stays."""
    if not known:
        return text
    names = sorted(known, key=lambda n: (-len(n), n))
    bare = "|".join(re.escape(n) for n in names if n.isdecimal())
    rest = "|".join(re.escape(n) for n in names if not n.isdecimal())
    either = "|".join(x for x in (f"(?:{rest})" if rest else "", f"{_COUNTED}(?:{bare})" if bare else "") if x)
    pattern = re.compile(f"{_QUOTED}|{_BEGIN}(?:{either}){_END}", re.IGNORECASE)
    return pattern.sub(lambda m: known.get(m[0].lower(), m[0]), text)


# marches --------------------------------------------------------------------------------------------------------------


def _march(state: State, names: str, place: str, fuel: str) -> Order:
    units = tuple(_thing(state, name.strip()) for name in names.split(","))
    end = state.board.index(by_hex(state.board, place))
    here = place_of(state, units[0])
    if here == end:
        raise IllegalOrder(f"{_listed(units)} {_is(units)} at {named_hex(state.board, end)} already.")
    if not isinstance(here, int):
        where = f"in no hex but in the {str(here).capitalize()} box"
        raise IllegalOrder(f"{_listed(units)} {_is(units)} {where}; only units on the map march.")
    way = ways(state, units).get(end)
    return Move(units, way.path if way is not None else straight(state, here, end), fuel)


def _listed(units: tuple[str, ...]) -> str:
    return ", ".join(map(unit_name, units))


def _is(units: tuple[str, ...]) -> str:
    return "is" if len(units) == 1 else "are"


def _thing(state: State, name: str) -> str:
    """A unit by id or label, or transport points by id."""
    if name in state.transport:
        return name
    try:
        return unit_named(state, name)
    except BurmaStudyError as error:
        raise IllegalOrder(f"{error} {USAGE}") from error
