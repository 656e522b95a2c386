"""A game told from its records, no rules run: sentences with dice and their odds, and what luck each side had.

>>> from burma_study.games.ocs.play import Play
>>> from burma_study.games.ocs.story import story
>>> game = Play.from_setup("ocs/u-go", seed="1")
>>> record = game.give("done")
>>> for line in story(game.session):
...     print(line.heading, line.text)
Turn 1, allied setup The phase ends.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, TypeVar

from burma_study.boards.board import load_board
from burma_study.engine.asking import asked
from burma_study.engine.dice import MOST_DICE, MOST_SIDES, Roll
from burma_study.engine.numbers import mixed
from burma_study.engine.records import ROOT, STATE, Event, Record
from burma_study.engine.saves import SaveFile
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError
from burma_study.games.ocs.phrases import capital, phrase, unit
from burma_study.rules.ocs.counters import SIDES, counters, other_side
from burma_study.rules.ocs.supply.words import named

T = TypeVar("T")
BATTLE, BARRAGE = "battle", "barrage"
DEAD = ("dead", "dead_bn", "gone")


@dataclass(frozen=True, slots=True)
class Line:
    """One record told: its node, when (`turn`, `player`, `phase`), whose order, sentences, dice in words, rules."""

    node: int
    turn: int
    player: str
    phase: str
    actor: str
    sentences: tuple[str, ...]
    dice: tuple[str, ...]
    rules: tuple[str, ...]
    note: str = ""

    @property
    def text(self) -> str:
        """Everything in one paragraph."""
        thrown = f" [{'; '.join(self.dice)}]" if self.dice else ""
        return " ".join(self.sentences) + thrown + (f" ({self.note})" if self.note else "")

    @property
    def heading(self) -> str:
        """When it was."""
        return f"Turn {self.turn}, {self.player} {self.phase.replace('_', ' ')}"

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        names = ("node", "turn", "player", "phase", "actor", "note")
        plain = {name: getattr(self, name) for name in names}
        return plain | {"sentences": list(self.sentences), "dice": list(self.dice), "rules": list(self.rules)}


Game = Session | SaveFile


@asked
def story(game: Game, node: int | None = None, *, since: int = ROOT) -> tuple[Line, ...]:
    """The way to a node (the cursor unless given), a line a record; `since` leaves out what is at or before a node."""
    clock = _Clock(_start(game))
    found = []
    for at in game.tree.path(node)[1:]:
        record = game.tree[at]
        line = _told(at, record, clock)
        clock.follow(record.events)
        if at > since:
            found.append(line)
    return tuple(found)


def _start(game: Game) -> Mapping[str, Any]:
    if isinstance(game, Session):
        state = game.state_at(ROOT)
        return {name: getattr(state, name) for name in ("turn", "player", "phase")}
    return game.picture(ROOT).scalars


class _Clock:
    """Turn, player and phase, carried on from event to event."""

    def __init__(self, scalars: Mapping[str, Any]) -> None:
        self.turn, self.player, self.phase = scalars["turn"], scalars["player"], scalars["phase"]

    def follow(self, events: Iterable[Event]) -> None:
        """On by the events of a record."""
        for e in events:
            if e.table == STATE and e.key in ("turn", "player", "phase"):
                setattr(self, str(e.key), e.new)


def _told(node: int, record: Record, clock: _Clock) -> Line:
    dice = tuple(dice_in_words(r) for r in record.rolls)
    when = (clock.turn, clock.player, clock.phase)
    return Line(node, *when, record.actor, tuple(sentences(record)), dice, record.rules, record.note)


# words ----------------------------------------------------------------------------------------------------------------


def place(at: Any) -> str:
    """A hex with its place's name, or a box."""
    if not isinstance(at, int):
        return f"the {str(at).capitalize()} box" if at else "nowhere"
    return named(load_board("ocs"), at)


def names(ids: Sequence[str], most: int = 4) -> str:
    """Units by label, the first few of them."""
    shown = ", ".join(unit(i) for i in ids[:most])
    return f"{shown} and {len(ids) - most} more" if len(ids) > most else shown


def percent(chance: Fraction) -> str:
    """A chance in per cent."""
    return f"{float(chance) * 100:.1f} %"


@lru_cache(maxsize=64)
def sums(count: int, sides: int) -> Mapping[int, int]:
    """In how many ways dice come to each sum."""
    if not (1 <= count <= MOST_DICE and 1 <= sides <= MOST_SIDES):
        raise BurmaStudyError(f"{count} dice of {sides} sides are none of this game.")
    found = {0: 1}
    for _ in range(count):
        further: Tally[int] = Tally()
        for total, n in found.items():
            for pips in range(1, sides + 1):
                further[total + pips] += n
        found = further
    return found


def at_least(roll: Roll) -> Fraction:
    """The chance of so high a sum or a higher one."""
    ways = sums(len(roll.dice), roll.sides)
    return Fraction(sum(n for total, n in ways.items() if total >= roll.sum), roll.sides ** len(roll.dice))


def dice_in_words(roll: Roll) -> str:
    """Dice with their sum and how likely so much or more was."""
    again = f", re-roll {roll.salt}" if roll.salt else ""
    return f"{roll} ({percent(at_least(roll))} for that or more{again})"


# sentences ------------------------------------------------------------------------------------------------------------


def sentences(record: Record) -> Iterator[str]:
    """What a record did, most important first; the order itself where its effects say nothing, or only what it cost."""
    found = [s for tell in _TELLERS for s in _read(tell, record)]
    if not found:
        yield phrase(record.order.text, record.actor)
    yield from found
    if found or record.order.text.split(" ", 1)[0] not in _CARRIERS:
        yield from (s for tell in _ASIDES for s in _read(tell, record))
    if record.reasons:
        yield f"Against the rules, and allowed: {len(record.reasons)} reasons."


def _read(tell: Callable[[Record], Iterator[T]], record: Record) -> list[T]:
    """What a teller says of a record; nothing of effects that today's program cannot read, as in a save of another."""
    try:
        return list(tell(record))
    except (AttributeError, LookupError, TypeError, ValueError, ArithmeticError):
        return []


def report(record: Record, name: str) -> Mapping[str, Any] | None:
    """What a battle or barrage wrote down of itself; None for a record without."""
    event = next((e for e in record.events if e.table == "markers" and e.key == name and e.kind == name), None)
    return dict(event.new) if event is not None else None


def _battle(record: Record) -> Iterator[str]:
    b = report(record, BATTLE)
    if b is None:
        return
    column = b["label"] if b["label_before"] == b["label"] else f"{b['label_before']}, after surprise {b['label']}"
    surprise = {"none": "no surprise", "attacker": "the attacker surprises", "defender": "the defender surprises"}
    paid = "" if b["paid"] else ", whose defenders have no supply"
    yield (
        f"{_fight(b)} by {names(b['attackers'])} against {names(b['defenders'])}{paid}: "
        f"{b['ratio']} is the column {column} ({surprise[b['surprise']]}), modifier {b['drm']:+d}."
    )
    yield (
        f"Result {b['result']}, a chance of {percent(b['chance'])}; the attacker fares this badly or worse in "
        f"{percent(b['attacker_this_bad'])} of such fights, the defender in {percent(b['defender_this_bad'])}."
    )


def _fight(b: Mapping[str, Any]) -> str:
    """What kind of battle and where: "Banzai attack on B3.23"."""
    how = {"overrun": "overrun of", "regular": "attack on"}[b["kind"]]
    return f"{capital(('Banzai ' if b['banzai'] else '') + how)} {place(b['target'])}"


def _barrage(record: Record) -> Iterator[str]:
    b = report(record, BARRAGE)
    if b is None:
        return
    result = "no effect" if b["result"] == "-" else f"result {b['result']}"
    yield f"Barrage of {place(b['target'])} by {names(b['firers'])}: {result}{_odds_of(b)}."


def _odds_of(b: Mapping[str, Any]) -> str:
    return f", a chance of {percent(b['chance'])}" if isinstance(b.get("chance"), Fraction) else ""


def _weather(record: Record) -> Iterator[str]:
    new = {str(e.key): e.new for e in record.events if e.table == STATE}
    if "turn" in new:
        yield f"Turn {new['turn']} begins."
    said = [f"{name.replace('_', ' ')} {new[name]}" for name in ("weather", "ground", "air_ops") if name in new]
    if said:
        yield f"{capital(', '.join(said))}."


def _travels(record: Record) -> Iterator[str]:
    """Who went where: each unit once, from where it stood to where it ended."""
    for kinds, verbs in _VERBS:
        gone: dict[tuple[Any, Any], list[str]] = {}
        for id_, (old, new) in _ways(record, kinds).items():
            gone.setdefault((old, new), []).append(id_)
        for (old, new), ids in gone.items():
            yield f"{capital(names(ids))} {verbs[len(ids) > 1]} from {place(old)} to {place(new)}."


_VERBS: tuple[tuple[tuple[str, ...], tuple[str, str]], ...] = (
    (("moved",), ("goes", "go")),
    (("railed", "freighted"), ("rides", "ride")),
    (("retreated",), ("falls back", "fall back")),
    (("advanced",), ("advances", "advance")),
    (("flown in",), ("is flown", "are flown")),
    (("displaced",), ("is driven", "are driven")),
)


def _ways(record: Record, kinds: Sequence[str]) -> dict[str, tuple[Any, Any]]:
    found: dict[str, tuple[Any, Any]] = {}
    for e in record.events:
        if e.kind in kinds and e.table in ("pieces", "transport") and e.old is not None and e.new is not None:
            first = found[str(e.key)][0] if e.key in found else e.old.at
            found[str(e.key)] = (first, e.new.at)
    return {id_: way for id_, way in found.items() if way[0] != way[1]}


def arrivals(record: Record) -> Iterator[str]:
    """Units that came into play."""
    came = [str(e.key) for e in record.events if e.kind in ("arrived", "rebuilt") and e.table == "pieces"]
    if came:
        yield f"{names(came)} {'arrives' if len(came) == 1 else 'arrive'}."


def losses(record: Record) -> Iterator[str]:
    """Units and steps lost, by side."""
    dead = [e for e in record.events if e.table == "pieces" and _died(e)]
    for side in SIDES:
        lost = [str(e.key) for e in dead if side_of(str(e.key)) == side]
        if lost:
            yield f"{capital(side)} lose {names(lost, 8)}."
    hurt = [str(e.key) for e in record.events if e.table == "pieces" and _step_lost(e) and not _died(e)]
    if hurt:
        yield f"{names(hurt)} lose a step."


def _died(e: Event) -> bool:
    return e.old is not None and e.new is not None and e.new.at in DEAD and e.old.at not in DEAD


def _step_lost(e: Event) -> bool:
    return e.old is not None and e.new is not None and e.new.steps < e.old.steps


def side_of(id_: str) -> str:
    """Whose a unit is."""
    found = counters().get(id_)
    return found.side if found is not None else {"j": "japanese", "a": "allied"}.get(id_.split("/")[0], "")


_STATES = (
    ("disorganised", "is disorganised"),
    ("out of supply", "is out of supply"),
    ("exploit", "may exploit"),
    ("no trace", "is out of Strategic Mode for want of a trace"),
)


def _states(record: Record) -> Iterator[str]:
    for kind, text in _STATES:
        ids = [str(e.key) for e in record.events if e.kind == kind and e.table == "pieces"]
        if ids:
            yield f"{names(ids)} {text if len(ids) == 1 else text.replace('is ', 'are ')}."


def _supply(record: Record) -> Iterator[str]:
    """Tokens that came, went up in smoke, changed hands or were used."""
    sums_: dict[tuple[str, str], int] = {}
    for e in record.events:
        if e.table in ("dumps", "transport"):
            for side, amount in _amounts(e):
                sums_[e.kind, side] = sums_.get((e.kind, side), 0) + amount
    for (kind, side), amount in sorted(sums_.items()):
        text = _SUPPLY_WORDS.get(kind)
        if text and amount:
            yield f"{capital(side)}: {abs(amount)}T {text}."


_SUPPLY_WORDS = {
    "spent": "used",
    "arrived": "arrive",
    "blown": "blown up",
    "captured": "change hands",
    "dropped": "dropped",
    "flown in": "flown in",
    "freight": "carried",
}


def _amounts(e: Event) -> Iterator[tuple[str, int]]:
    for value, sign in ((e.old, -1), (e.new, 1)):
        if value is not None and hasattr(value, "side"):
            yield value.side, sign * int(getattr(value, "tokens", getattr(value, "load", 0)))


def _points(record: Record) -> Iterator[str]:
    for e in record.events:
        if e.table == "score" and e.new is not None and hasattr(e.new, "points"):
            before = e.old.points if e.old is not None else 0
            yield f"{capital(e.new.side)} score {mixed(e.new.points - before)}: {e.new.why}."


def _end(record: Record) -> Iterator[str]:
    for e in record.events:
        if e.kind == "ended" and e.new:
            yield f"The game is over: {e.new}."


_TELLERS: tuple[Callable[[Record], Iterator[str]], ...] = (
    _weather,
    _battle,
    _barrage,
    _travels,
    arrivals,
    losses,
    _states,
)
_ASIDES: tuple[Callable[[Record], Iterator[str]], ...] = (_supply, _points, _end)
_CARRIERS = ("deliver", "lift", "hump", "freight", "load", "unload")  # their phrases say what came where


# luck -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fight:
    """A battle or barrage in the ledger: points (steps and options) that the target owed, and owes on average.

    `actual` and `mean` are what `side`'s enemy owed; `own` and `own_mean` what the side itself owed.
    """

    node: int
    turn: int
    side: str
    what: str
    actual: int
    mean: Fraction
    own: int = 0
    own_mean: Fraction = Fraction(0)
    chance: Fraction = Fraction(1)

    @property
    def luck(self) -> Fraction:
        """Points better than the average for the side that attacks."""
        return (self.actual - self.mean) - (self.own - self.own_mean)


@dataclass(frozen=True)
class Luck:
    """The ledger: fights, and dice by side, turn and stream as (sum of the pips, what it is on average)."""

    fights: tuple[Fight, ...]
    dice: Mapping[tuple[str, int, str], tuple[int, Fraction]] = field(hash=False)

    def by_side(self, side: str, turn: int | None = None) -> Fraction:
        """Points of luck of a side in fights, of either side's making, in a turn or all of them."""
        of = [f for f in self.fights if turn in (None, f.turn)]
        return sum((f.luck if f.side == side else -f.luck for f in of), Fraction(0))

    def rows(self) -> list[dict[str, Any]]:
        """A row for each side and turn with fights: expected and actual points taken from the enemy and lost."""
        turns = sorted({f.turn for f in self.fights})
        return [row for turn in turns for side in SIDES if (row := self._row(side, turn))["fights"]]

    def _row(self, side: str, turn: int) -> dict[str, Any]:
        own = [f for f in self.fights if f.turn == turn and f.side == side]
        return {
            "turn": turn,
            "side": side,
            "fights": len(own),
            "expected": sum((f.mean for f in own), Fraction(0)),
            "actual": sum(f.actual for f in own),
            "expected_own": sum((f.own_mean for f in own), Fraction(0)),
            "actual_own": sum(f.own for f in own),
            "luck": sum((f.luck for f in own), Fraction(0)),
        }

    def sentences(self) -> list[str]:
        """The ledger in words, a side each."""
        return [self._words(side) for side in SIDES]

    def _words(self, side: str) -> str:
        own = [f for f in self.fights if f.side == side]
        if not own:
            return f"{capital(side)} attacked nobody."
        mean, actual = sum(f.mean for f in own), sum(f.actual for f in own)
        best = max(own, key=lambda f: f.luck)
        return (
            f"{capital(side)}: in {len(own)} attacks and barrages the enemy owed {actual} steps and options, "
            f"on average {float(mean):.1f}; luck in all {float(self.by_side(side)):+.1f}. "
            f"Luckiest: {best.what}, turn {best.turn}."
        )


@asked
def luck(game: Game, node: int | None = None) -> Luck:
    """The ledger of luck on the way to a node (the cursor unless given)."""
    clock, fights = _Clock(_start(game)), list[Fight]()
    dice: dict[tuple[str, int, str], tuple[int, Fraction]] = {}
    for at in game.tree.path(node)[1:]:
        record = game.tree[at]
        fights += _read(partial(_fights, at, clock=clock), record)
        for roll in record.rolls:
            side = roll.phase.partition("/")[0]
            pips, mean = dice.get((side, roll.turn, roll.stream), (0, Fraction(0)))
            expected = Fraction(len(roll.dice) * (roll.sides + 1), 2)
            dice[side, roll.turn, roll.stream] = (pips + roll.sum, mean + expected)
        clock.follow(record.events)
    return Luck(tuple(fights), dice)


def _fights(node: int, record: Record, clock: _Clock) -> Iterator[Fight]:
    b = report(record, BATTLE)
    if b is not None and "mean" in b:
        side, what = side_of(b["attackers"][0]), _fight(b)
        (own, theirs), (own_mean, mean) = b["owed"], b["mean"]
        yield Fight(node, clock.turn, side, what, theirs, mean, own, own_mean, b["chance"])
    r = report(record, BARRAGE)
    if r is not None and "mean" in r:
        side, what = _firing_side(r), f"Barrage of {place(r['target'])}"
        yield Fight(node, clock.turn, side, what, r["steps"], r["mean"], chance=r["chance"])


def _firing_side(report: Mapping[str, Any]) -> str:
    units = report.get("units", ())
    return other_side(side_of(units[0])) if units else side_of(report["firers"][0])
