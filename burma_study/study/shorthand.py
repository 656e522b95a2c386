"""What a player types beside the orders of the log: `march UNIT to PLACE` and `end`, made into the orders they mean.

>>> from burma_study.study.play import Play
>>> from burma_study.study.shorthand import expand
>>> game = Play.from_setup("ocs/learning", seed="1")
>>> expand(game.session, "end").text
'done'
"""

from __future__ import annotations

import re

from burma_study.engine.asking import asked
from burma_study.engine.orders import Order
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError, IllegalOrder
from burma_study.rules.ocs.goods.payment import AUTO
from burma_study.rules.ocs.movement.orders import Move
from burma_study.rules.ocs.state import State
from burma_study.study.moves import place_of, straight, ways
from burma_study.study.naming import unit_named

MARCH = re.compile(r"march (?P<units>.+) to (?P<place>.+?)(?: paying (?P<fuel>\S+))?")
USAGE = "Write march UNIT, UNIT to PLACE[ paying FUEL]."


@asked
def expand(session: Session, text: str) -> Order:
    """The order that a line means at the cursor, by shorthand or as the log writes it; IllegalOrder if it means none.

    `march` takes units (ids or labels, with commas between) of one hex by a cheapest way to a hex or place; where none
    leads there, it is the straight way, so that the rules say what is against it. `end` ends the segment or phase.
    """
    line = text.strip()
    if line == "end":
        return session.game.parse("done")
    found = MARCH.fullmatch(line)
    if found is not None:
        return _march(session.state, found["units"], found["place"], found["fuel"] or AUTO)
    if line.split(" ")[0] == "march":
        raise IllegalOrder(f"{text!r} cannot be read. {USAGE}")
    return session.game.parse(text)


def _march(state: State, names: str, place: str, fuel: str) -> Order:
    units = tuple(_thing(state, name.strip()) for name in names.split(","))
    end = state.board.index(place)
    here = place_of(state, units[0])
    if here == end:
        raise IllegalOrder(f"{names} is at {state.board.label(end)} already.")
    if not isinstance(here, int):
        raise IllegalOrder(f"{names} is in no hex but {here!r}; only units on the map march.")
    way = ways(state, units).get(end)
    return Move(units, way.path if way is not None else straight(state, here, end), fuel)


def _thing(state: State, name: str) -> str:
    """A unit by id or label, or transport points by id."""
    if name in state.transport:
        return name
    try:
        return unit_named(state, name)
    except BurmaStudyError as error:
        raise IllegalOrder(f"{error} {USAGE}") from error
