"""A small game for testing the engine: two sides on a line of ten fields, marches, interception, battle, losses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from burma_study.engine.codec import Codec
from burma_study.engine.frames import Decision, Frame
from burma_study.engine.game import Choice, Game, Partial
from burma_study.engine.orders import INT, WORD, Order, OrderBook, choice_slot, many_slot, order, slot
from burma_study.engine.pmap import Map
from burma_study.engine.reasons import Reason, because
from burma_study.engine.state import BaseState
from burma_study.engine.step import Step
from burma_study.errors import BurmaStudyError

FIELDS = range(10)
FIELD = replace(INT, name="field")


@dataclass(frozen=True, slots=True)
class Token:
    side: str
    at: int
    strength: int = 2


@dataclass(frozen=True, eq=False)
class Toy(BaseState):
    TABLES: ClassVar = ("tokens",)
    SCALARS: ClassVar = ("turn", "side", "weather", "mode", "frames")
    tokens: Map[str, Token] = field(default_factory=Map)
    turn: int = 1
    side: str = "red"
    weather: int = 0
    mode: str = "enforce"


@order("march {token} by {path}")
class March(Order):
    token: str = slot(WORD)
    path: tuple[int, ...] = slot(many_slot(FIELD, "-"))


@order("intercept with {token}")
class Intercept(Order):
    token: str = slot(WORD)


@order("decline")
class Decline(Order):
    pass


@order("lose {token}")
class Lose(Order):
    token: str = slot(WORD)


@order("end")
class End(Order):
    pass


@order("put {token} at {at}[ for {side}][, strength {strength}]", edit=True)
class Put(Order):
    token: str = slot(WORD)
    at: int = slot(FIELD)
    side: str = slot(choice_slot("side", ("red", "blue")), "red")
    strength: int = slot(INT, 2)


@order("mode {mode}", edit=True)
class Mode(Order):
    mode: str = slot(choice_slot("mode", ("enforce", "warn", "off")))


def enemy(side: str) -> str:
    return "blue" if side == "red" else "red"


def near(state: Toy, side: str, at: int) -> list[str]:
    return sorted(n for n, t in state.tokens.items() if t.side == side and abs(t.at - at) <= 1)


def march(step: Step[Toy]) -> None:
    """A step at a time; each enemy beside the path may intercept once."""
    frame, token = step.frame, step.state.tokens.get(step.frame["token"])
    if token is None or not frame["path"] or frame.get("stopped"):
        step.close()
        return
    at, *rest = frame["path"]
    step.put("marched", "tokens", frame["token"], replace(token, at=at))
    step.note(path=tuple(rest))
    if near(step.state, enemy(token.side), at) and not frame.get("asked"):
        step.note(asked=True)
        step.open("interception", mover=frame["token"], side=enemy(token.side))


def interception(step: Step[Toy]) -> None:
    frame = step.frame
    if frame.get("fought"):
        step.close(stopped=True)
    elif frame.get("answer") is None:
        step.ask(frame["side"], "intercept", "decline")
    elif frame["answer"] == "":
        step.close()
    else:
        attack, defence = step.roll("battle", 2).sum, step.roll("battle", 2).sum
        loser = enemy(frame["side"]) if attack >= defence else frame["side"]
        step.cite("toy/battle")
        step.open("losses", side=loser, at=step.state.tokens[frame["mover"]].at)


def losses(step: Step[Toy]) -> None:
    frame = step.frame
    candidates = near(step.state, frame["side"], frame["at"])
    name = frame.get("choice") or (candidates[0] if len(candidates) == 1 else "")
    if not name:
        step.ask(frame["side"], "lose")
        return
    token = step.state.tokens[name]
    reduced = replace(token, strength=token.strength - 1) if token.strength > 1 else None
    step.put("lost", "tokens", name, reduced)
    step.close(fought=True)


def idle(step: Step[Toy]) -> None:
    """A procedure with the fault that the engine must find."""


class ToyGame(Game[Toy]):
    id = "toy"
    title = "Ten Fields"
    book = OrderBook.of(March, Intercept, Decline, Lose, End, Put, Mode)
    codec = Codec(Token, Frame)
    tables = Toy.TABLES
    scalars = Toy.SCALARS
    catalogue: ClassVar = {
        "no-token": "There is no token {token!r}.",
        "not-mine": "{token} belongs to {side}.",
        "gap": "{hexes} is not beside the field before it.",
        "off-board": "Fields are 0 to 9, not {at}.",
        "too-far": "{token} marches at most 3 fields, not {n}.",
        "not-there": "{token} stands too far from {hexes}.",
        "set-up-only": "Tokens are put only before turn 2.",
    }
    procedures: ClassVar = {"march": march, "interception": interception, "losses": losses, "idle": idle}
    enumerable = frozenset({"march", "intercept", "decline", "lose", "end"})

    def start(self, setup: str, **choices: Any) -> Toy:
        return Toy(**choices).summed()

    def turn_of(self, state: Toy) -> Decision:
        return Decision(state.side, ("march", "end"))

    def objections(self, state: Toy, order: Order) -> Iterable[Reason]:
        match order:
            case Put(token, at):
                if at not in FIELDS:
                    yield because("off-board", at=at, hard=True)
                if state.turn > 1:
                    yield because("set-up-only", rule="toy/set-up")
            case March(token, path):
                yield from self._march(state, token, path)
            case Intercept(token) | Lose(token):
                frame = state.frames[-1]
                at = frame["at"] if isinstance(order, Lose) else state.tokens[frame["mover"]].at
                if token not in near(state, frame["side"], at):
                    yield because("not-there", at, token=token, hard=True)

    def _march(self, state: Toy, name: str, path: tuple[int, ...]) -> Iterable[Reason]:
        token = state.tokens.get(name)
        if token is None:
            yield because("no-token", token=name, hard=True)
            return
        if token.side != state.side:
            yield because("not-mine", token=name, side=token.side)
        for a, b in zip((token.at, *path), path, strict=False):
            if abs(a - b) != 1:
                yield because("gap", b, rule="toy/march")
        for at in path:
            if at not in FIELDS:
                yield because("off-board", at=at, hard=True)
        if len(path) > 3:
            yield because("too-far", token=name, n=len(path), rule="toy/march")

    def carry(self, step: Step[Toy], order: Order) -> None:
        match order:
            case March(token, path):
                step.open("march", token=token, path=path)
            case Intercept(token):
                step.note(answer=token)
            case Decline():
                step.note(answer="")
            case Lose(token):
                step.note(choice=token)
            case Put(token, at, side, strength):
                step.put("put", "tokens", token, Token(side, at, strength))
            case Mode(mode):
                step.set("mode", mode=mode)
            case End():
                side = enemy(step.state.side)
                step.set("phase", side=side, turn=step.state.turn + (side == "red"))
                if side == "red":
                    step.set("weather", weather=step.roll("weather").sum)

    def choices(self, state: Toy, partial: Partial, slot: str) -> Iterable[Choice] | None:
        if slot == "path":
            return list(self._fields(state, partial))
        if slot in ("at", "strength", "side", "mode"):
            return None
        if partial.kind == "march":
            names = sorted(n for n, t in state.tokens.items() if t.side == state.side)
        else:
            frame = state.frames[-1]
            at = frame["at"] if partial.kind == "lose" else state.tokens[frame["mover"]].at
            names = near(state, frame["side"], at)
        return [Choice(n, n) for n in names]

    def _fields(self, state: Toy, partial: Partial) -> Iterable[Choice]:
        path = partial.values.get("path", ())
        at = path[-1] if path else state.tokens[partial.values["token"]].at
        if len(path) < 3:
            yield from (Choice(f, f"field {f}", len(path) + 1, (f,)) for f in (at - 1, at + 1) if f in FIELDS)

    def clock(self, state: Toy) -> tuple[int, str]:
        return state.turn, state.side

    def enforcement(self, state: Toy) -> str:
        return state.mode

    def milestone(self, state: Toy) -> object:
        return state.turn, state.side

    def build(self, scalars: dict[str, Any], tables: Any) -> Toy:
        return Toy.filled(scalars, tables)

    def view(self, state: Toy, observer: str) -> Toy:
        """Whoever watches sees his own tokens and those beside them."""
        if not observer:
            return state
        mine = [t.at for t in state.tokens.values() if t.side == observer]
        seen = {n: t for n, t in state.tokens.items() if t.side == observer or any(abs(t.at - a) <= 1 for a in mine)}
        return replace(state, tokens=Map(seen))


GAME = ToyGame()


def game_of(id_: str) -> Game[Toy]:
    """The only game there is here."""
    if id_ != "toy":
        raise BurmaStudyError(f"There is no game {id_!r}; there is toy.")
    return GAME


def set_up(*tokens: tuple[str, str, int, int], **choices: Any) -> Toy:
    state = GAME.start("", **choices)
    for name, side, at, strength in tokens:
        state = state.put("tokens", name, Token(side, at, strength))
    return state


def duel() -> Toy:
    """Two red tokens on the left, three blue ones in the middle."""
    return set_up(
        ("r1", "red", 2, 3), ("r2", "red", 2, 2), ("b1", "blue", 5, 2), ("b2", "blue", 5, 2), ("b3", "blue", 6, 1)
    )
