"""Sensible answers to what the rules ask: paying, leading, losses, retreats, advances, forage, the air.

The rules that they follow, in words: pay whenever one can; the best action rating leads; the least worth is lost; an
option is taken as retreat, unless the hex is to be held or there is no way out; one falls back to where no enemy zone
is and home is near; who starves is marked before he loses steps; flights are let pass unless one wants to intercept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from burma_study.engine.frames import Frame
from burma_study.engine.game import Game, Partial
from burma_study.engine.orders import Order
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError
from burma_study.rules.ocs.air.refit import LetPass
from burma_study.rules.ocs.combat.battle import advancers, crowded, leaders
from burma_study.rules.ocs.combat.fighting import Advance, Lead, NoAdvance
from burma_study.rules.ocs.combat.results import Ignore, Sacrifice, Settle, alive, candidates, splits
from burma_study.rules.ocs.combat.retreats import Retreat, common_ways, ways_out
from burma_study.rules.ocs.combat.strength import Look, action_rating
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.movement.crowding import first_crowd
from burma_study.rules.ocs.movement.orders import GiveUp
from burma_study.rules.ocs.movement.stacking import check_hex
from burma_study.rules.ocs.movement.zoc import zones
from burma_study.rules.ocs.state import Piece, State
from burma_study.rules.ocs.supply.forage import ForageChoice, Starve
from burma_study.rules.ocs.turn.initiative import MoveFirst

HEADQUARTERS = 40  # what an HQ is worth beside units, of which the best is worth about 30


class Dice(Protocol):
    """Where ties are broken."""

    def pick(self, session: Session, among: Sequence[Any]) -> Any:
        """One of some things."""


@dataclass(frozen=True)
class Manner:
    """How a side answers: hexes it `stand`s in, whether it `advance`s and `intercept`s, and goes `first` or second.

    Who stands neither gives way nor advances out of his hex.
    `press` makes an attacker pay his options in steps as long as somebody is left; `home` are hexes to fall back to.
    """

    stand: frozenset[int] = frozenset()
    advance: bool = False
    intercept: bool = False
    press: bool = False
    place: str = "first"
    home: tuple[int, ...] = ()


def answer(session: Session, actor: str, manner: Manner, dice: Dice) -> Order:
    """An answer to the question in the top frame; BurmaStudyError if none can be found."""
    state: State = session.state
    frame = state.frames[-1]
    for kind in frame.answers:
        found = _ANSWERS[kind](session, frame, manner, dice) if kind in _ANSWERS else None
        if found is not None:
            return found
    return first_of(session.game, state, _preferred(frame.answers))


def _preferred(kinds: Sequence[str]) -> list[str]:
    """Paying before declining, accepting before refusing, and so on: the cheaper answers last."""
    late = ("decline", "refuse_combat", "keep_station", "intercept", "no_advance")
    return sorted(kinds, key=lambda k: (k in late, kinds.index(k)))


def first_of(game: Game[Any], state: Any, kinds: Iterable[str]) -> Order:
    """The first order that can be built of some kinds, taking the first choice in each slot."""
    for kind in kinds:
        found = _first(game, state, Partial(kind), 200)
        if found is not None:
            return found
    raise BurmaStudyError(f"No order of the kinds {', '.join(kinds)} can be built here.")


def _first(game: Game[Any], state: Any, partial: Partial, depth: int) -> Order | None:
    found = game.options(state, partial)
    if not found.slot or found.complete is not None:
        return found.complete
    for choice in (found.choices or ())[: 4 if found.many else None]:
        further = _first(game, state, found.take(choice.value), depth - 1) if depth else None
        if further is not None:
            return further
    return None


# battles --------------------------------------------------------------------------------------------------------------


def worth(piece: Piece) -> tuple[int, int, str]:
    """What losing a unit costs, for choosing whom to lose: the weakest first, an HQ last: others live by it."""
    face = piece.counter.combat
    own = HEADQUARTERS if piece.counter.is_hq else 0
    return own + (face.attack or 0) * 2 + face.ar + (face.barrage or 0), piece.steps, piece.id


def _lead(session: Session, frame: Frame, manner: Manner, _: Dice) -> Order | None:
    state = session.state
    look = Look(state.rules.charts)
    known = [state.pieces[u] for u in leaders(state, frame)]
    best = min(known, key=lambda p: (-action_rating(look, p)[0], worth(p)), default=None)
    return Lead(best.id) if best is not None else None


def _sacrifice(session: Session, frame: Frame, manner: Manner, _: Dice) -> Order:
    who, count = candidates(session.state, frame)
    chosen = sorted(who, key=lambda u: worth(session.state.pieces[u]))[:count]
    return Sacrifice(tuple(chosen))


def _settle(session: Session, frame: Frame, manner: Manner, _: Dice) -> Order:
    state, n = session.state, frame["n"]
    ways, there = splits(state, frame), alive(state, frame["units"])
    total = sum(p.steps for p in there)
    stands = any(p.at in manner.stand for p in there) or (manner.press and _attacks(state, frame))
    if stands:
        return Settle(max((k for k in ways if k < total), default=ways[-1]))
    return Settle(next((k for k in ways if k == n or _can_go(state, there, n - k)), ways[-1]))


def _attacks(state: State, frame: Frame) -> bool:
    below = state.frames[-2] if len(state.frames) > 1 else None
    return below is not None and below.procedure == "battle" and below["side"] == frame["side"]


def _can_go(state: State, units: Sequence[Piece], hexes: int) -> bool:
    """Has everybody a way out?"""
    below = state.frames[-2] if len(state.frames) > 1 else None
    barred: tuple[int, ...] = ()
    if below is not None and below.procedure == "battle":
        ours = units and units[0].counter.side == below["side"]
        barred = (below["target"],) if ours else below["origins"]
    return all(ways_out(state, p, hexes, barred) for p in units)


def _retreat(session: Session, frame: Frame, manner: Manner, dice: Dice) -> Order:
    """The largest party of one hex with a way in common, by the way that ends best."""
    state = session.state
    first = alive(state, frame["units"])[0]
    party = [first.id]
    for piece in alive(state, frame["units"])[1:]:
        if piece.at == first.at and common_ways(state, (*party, piece.id), frame):
            party.append(piece.id)
    ways = common_ways(state, party, frame)
    scored = sorted((_refuge(state, [state.pieces[u] for u in party], way, manner), way) for way in ways)
    best = [way for score, way in scored if score == scored[0][0]]
    return Retreat(tuple(party), dice.pick(session, best))


def _refuge(state: State, party: Sequence[Piece], way: Sequence[int], manner: Manner) -> tuple[int, int, int]:
    """How bad a way to fall back is: enemy zones on it, a crowd at its end, how far home then is."""
    enemy = zones(state, other_side(party[0].counter.side))
    crowded_ = bool(check_hex(state, way[-1], [_moved(p, way[-1]) for p in party]))
    far = min((state.board.grid.distance(way[-1], h) for h in manner.home), default=0)
    return sum(h in enemy for h in way), int(crowded_), far


def _moved(piece: Piece, at: int) -> Piece:
    return Piece(piece.id, at, piece.mode, piece.face, piece.steps, piece.dg, piece.oos, piece.stocks)


def _advance(session: Session, frame: Frame, manner: Manner, _: Dice) -> Order:
    state, target = session.state, frame["target"]
    if not manner.advance:
        return NoAdvance()
    able = sorted(advancers(state, frame), key=lambda u: worth(state.pieces[u]), reverse=True)
    going: list[str] = []
    for unit in able:
        piece = state.pieces[unit]
        stays = piece.counter.is_artillery or piece.at in manner.stand
        if not stays and not crowded(state, target, (*going, unit)):
            going.append(unit)
    return Advance(tuple(going)) if going else NoAdvance()


def _give_up(session: Session, frame: Frame, manner: Manner, _: Dice) -> Order | None:
    crowd = first_crowd(session.state)
    return GiveUp(min(crowd.units, key=lambda u: worth(session.state.pieces[u]))) if crowd else None


def _starve(session: Session, frame: Frame, manner: Manner, _: Dice) -> Order:
    there = alive(session.state, frame["units"])
    return Starve(min(there, key=worth).id)


def _first_or_second(session: Session, frame: Frame, manner: Manner, _: Dice) -> Order:
    return MoveFirst(manner.place)


def _pass(session: Session, frame: Frame, manner: Manner, _: Dice) -> Order | None:
    if not manner.intercept:
        return LetPass()
    return first_of(session.game, session.state, ("intercept", "let_pass"))


_ANSWERS: dict[str, Callable[[Session, Frame, Manner, Dice], Order | None]] = {
    "go": _first_or_second,
    "lead": _lead,
    "sacrifice": _sacrifice,
    "settle": _settle,
    "ignore": lambda *_: Ignore(),
    "retreat": _retreat,
    "advance": _advance,
    "give up": _give_up,
    "forage": lambda *_: ForageChoice("mark"),
    "starve": _starve,
    "let_pass": _pass,
}
