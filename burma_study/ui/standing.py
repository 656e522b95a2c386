"""Where a page stands, remembered before something is done, so that what is refused changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from copy import copy
from typing import Any

from burma_study.errors import BurmaStudyError
from burma_study.games.ocs.drafts import Draft
from burma_study.study.play import Play


def one_of(value: object, known: Collection[str], what: str) -> str:
    """A value that a page sent, if the page can have offered it; BurmaStudyError quotes any other."""
    if not isinstance(value, str) or value not in known:
        raise BurmaStudyError(f"There is no {what} {value!r:.60}; choose one of those that are shown.")
    return value


def pair(value: object) -> tuple[Any, Any]:
    """A name and what was chosen for it, as a page sends them; BurmaStudyError quotes any other."""
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise BurmaStudyError(
            f"A name and a choice belong together, not {value!r:.60}; choose again, or reload the page."
        )
    return value[0], value[1]


def whole(value: object, what: str) -> int:
    """A whole number that a page sent, as such or in digits; BurmaStudyError quotes any other."""
    if isinstance(value, str) and len(value) < DIGITS and value.removeprefix("-").isdecimal():
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= 10**DIGITS:
        raise BurmaStudyError(f"There is no {what} {value!r:.60}; choose one of those that are shown.")
    return value


DIGITS = 12
MUTABLE = (list, set, dict, Draft)


def standing(*kept: tuple[object, Sequence[str]]) -> Callable[[], None]:
    """Remember the named fields of objects; the function that comes back puts them as they were."""
    before = [(thing, name, _copied(getattr(thing, name))) for thing, names in kept for name in names]

    def back() -> None:
        for thing, name, value in before:
            setattr(thing, name, value)

    return back


def _copied(value: Any) -> Any:
    return copy(value) if isinstance(value, MUTABLE) else value


SEATED = ("players", "taken", "lent", "_policies", "_helpers")


def play_standing(play: Play) -> Callable[[], None]:
    """Remember who plays whom and where the cursor stands; orders that were carried out stay, with their cursor."""
    back, seats = standing((play, SEATED)), dict(play.session.seats)
    node, last = play.node, len(play.session.tree)

    def again() -> None:
        back()
        play.session.seats.clear()
        play.session.seats.update(seats)
        if len(play.session.tree) == last and play.node != node:
            play.go(node)

    return again
