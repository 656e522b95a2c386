"""A walker that plays by `options` alone, and what must hold after every order."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from accountant import audit

from burma_study.engine.game import Choice, Options, Partial
from burma_study.engine.orders import Order
from burma_study.engine.records import Record
from burma_study.engine.session import Session
from burma_study.games.ocs.line import load_line
from burma_study.games.registry import game_of
from burma_study.rules.ocs.combat.segments import acting_side
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.movement.crowding import first_crowd
from burma_study.rules.ocs.movement.zoc import held
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.state import PHASES, Rules, State, stacks

ALWAYS = ("enforcement", "option", "series", "stops")
SHARE = {
    **dict.fromkeys(("split", "merge", "blow", "raze", "dig-in"), 0.15),
    **dict.fromkeys(("attack", "bomb", "lift"), 4.0),
    **dict.fromkeys(("move", "overrun", "barrage", "strike", "hip_shoot"), 3.0),
    "mode": 1.5,
    "eat": 0.7,
    "refill": 0.7,
    "done": 0.15,
}
TRIES = 4
AT_THE_ENEMY = (("move", "path"), ("strike", "at"), ("station", "at"), ("hip_shoot", "at"))
EXCUSED = {
    "clearings": "no Clearings are picked in these scenarios",
    "come": "nobody leaves these maps",
    "exit": "nobody leaves these maps",
    "road": "the Ledo Road is not on these maps",
    "shell": "no enemy air base comes into the range of guns in most games",
    "raise": "no air base is damaged in most games",
    "join": "seldom two air units of a type are reduced",
    "other": "the Replacement Table's result that these scenarios leave out",
    "give up": "walks seldom crowd a hex",
    "carry": "mules and trucks with room seldom stand in one hex",
    **dict.fromkeys(("intercept", "let_pass", "refuse_combat", "accept_combat"), "Japan has no aircraft here"),
    **dict.fromkeys(("keep_station", "fly_home", "stand_down"), "Japan has no aircraft here"),
}
SEGMENTS = ("movement", "reaction", "combat", "exploitation", "exploitation_combat")


class Broken(AssertionError):  # noqa: N818 - it reads as what it says
    """An invariant that does not hold, with the seed and the last orders."""


@dataclass
class Fuzzer:
    """One game of a scenario walked at random; `given` counts the orders applied by kind over all games."""

    scenario: str
    seed: int
    given: Counter[str] = field(default_factory=Counter)
    stuck: Counter[str] = field(default_factory=Counter)
    setup: str = "historical"
    step_of_line: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(f"{self.scenario}/{self.seed}")
        on_line = load_line(self.scenario).at(self.step_of_line).state if self.step_of_line else None
        opened = on_line or start(self.scenario, self.setup, rules=Rules())
        self.session = Session(GAME, opened, setup=self.scenario, seed=f"fuzz {self.seed}")
        self.units = set(opened.pieces)

    # walking --------------------------------------------------------------------------------------------------------

    def play(self, most: int) -> int:
        """Give up to `most` orders; how many were given before the game was over."""
        for n in range(most):
            if not self.session.decision.actor:
                self._final()
                return n
            self.step()
        self._save()
        return most

    def step(self) -> None:
        """One order of the player who has to decide."""
        order = self._choose()
        before = self.session.state
        try:
            record = self.session.push(order)
        except Exception as error:
            raise Broken(self._where(f"{order.text!r} raises {type(error).__name__}: {error}")) from error
        self.given[order.kind] += 1
        self._look(before, record)

    def _choose(self) -> Order:
        kinds = [k for k in self.session.decision.kinds if k not in ALWAYS and not GAME.book[k].edit]
        if self.session.state.phase == "setup":
            kinds = [k for k in kinds if GAME.book[k].kind in ("done", "buffaloes", "clearings")]
        while kinds:
            kind = self.chance.choices(kinds, [self._weight(k) for k in kinds])[0]
            tries = (self._build(kind) for _ in range(TRIES))
            order = next((o for o in tries if o is not None), None)
            if order is not None:
                return order
            self.stuck[kind] += 1
            kinds.remove(kind)
        raise Broken(self._where(f"no order can be built of {self.session.decision.kinds}"))

    def _weight(self, kind: str) -> float:
        return SHARE.get(kind, 1.0) * (1.0 + 4.0 / (1.0 + self.given[kind] ** 0.5))

    def _build(self, kind: str) -> Order | None:
        """An order of a kind, slot by slot; None where a slot has nothing to choose from."""
        partial = Partial(kind)
        while True:
            found = GAME.options(self.session.state, partial)
            if not found.slot:
                return self._dressed(found)
            chosen = self._fill(found)
            if chosen is None:
                return None
            partial = chosen

    def _fill(self, found: Options) -> Partial | None:
        choices = found.choices or ()
        begun = found.many and bool(found.partial.values.get(found.slot))
        whole = found.partial.kind == "retreat" and found.slot == "path"
        if begun and (not choices or (not whole and self.chance.random() < 0.3)):
            return found.partial.finish(found.slot)
        return found.take(self._pick(found, choices).value) if choices else None

    def _pick(self, found: Options, choices: Sequence[Choice]) -> Choice:
        """Any choice; marches and aircraft rather go for the enemy, so that there is something to fight about."""
        kind, slot, state = found.partial.kind, found.slot, self.session.state
        if (kind, slot) not in AT_THE_ENEMY or self.chance.random() < 0.3:
            return self.chance.choice(choices)
        side, grid = acting_side(state), state.board.grid
        enemies, friends = held(state, other_side(side)), held(state, side)

        def distance(choice: Choice) -> tuple[int, bool, float]:
            at = choice.value
            if not isinstance(at, int):
                return 99, True, 0.0
            near = min((grid.distance(at, h) for h in enemies), default=0)
            return near, friends.isdisjoint(grid.adjacent[at]), self.chance.random()

        return min(choices, key=distance)

    def _dressed(self, found: Options) -> Order | None:
        """The order, sometimes with one of its optional slots filled."""
        if found.complete is None or not found.optional or self.chance.random() < 0.6:
            return found.complete
        slot = self.chance.choice(found.optional)
        more = GAME.options(self.session.state, found.partial, slot)
        if not more.choices:
            return found.complete
        return (
            GAME.options(self.session.state, more.take(self.chance.choice(more.choices).value)).complete
            or found.complete
        )

    # what must hold ---------------------------------------------------------------------------------------------------

    def _look(self, before: State, record: Record) -> None:
        state = self.session.state
        for problem in _wrong(before, state, record):
            raise Broken(self._where(problem))
        if self.units - set(state.pieces):
            raise Broken(self._where(f"units vanished: {sorted(self.units - set(state.pieces))}"))
        self.units |= set(state.pieces)
        if self.chance.random() < 0.05:
            self._again(record)
        if self.chance.random() < 0.002:
            self._save()

    def _again(self, record: Record) -> None:
        """Digest rebuilt; undone and done again; given anew it leads to the same node."""
        session = self.session
        node, state = session.node, session.state
        if state.rebuilt_total() != state.total:
            raise Broken(self._where("the digest is not that of a rebuild"))
        if session.undo() is session.redo() or session.state is not state:
            raise Broken(self._where("undo and redo do not lead back"))
        session.undo()
        session.push(GAME.parse(record.order.text))
        if session.node != node:
            raise Broken(self._where(f"{record.order.text!r} read from its text leads elsewhere"))

    def _save(self) -> None:
        """What a save holds is the game, and under the rules it comes out the same again."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "fuzz.json.gz"
            self.session.save(path)
            opened = Session.open(path, game_of)
        if opened.state != self.session.state or list(opened.lines()) != list(self.session.lines()):
            raise Broken(self._where("the save holds another game"))
        self.saved = opened

    def _final(self) -> None:
        """The game is over: no frame is open, and the whole of it runs again."""
        if self.session.state.frames:
            raise Broken(self._where("the game is over with a frame open"))
        self._save()
        difference = self.saved.rerun()
        if difference is not None:
            raise Broken(self._where(str(difference)))

    def _where(self, problem: str) -> str:
        state, lines = self.session.state, list(self.session.lines())[-6:]
        top = state.frames[-1] if state.frames else None
        at = f"turn {state.turn}, {state.player}/{state.phase}, frame {top}"
        last = "\n  ".join(lines)
        return f"{self.scenario}, seed {self.seed}, node {self.session.node}, {at}: {problem}\n  {last}"


def never_given(given: Counter[str]) -> list[str]:
    """Kinds of order of play that were never applied, those with an excuse apart."""
    kinds = (k for k, order in GAME.book.kinds.items() if not order.edit and k not in (*ALWAYS, *EXCUSED))
    return sorted(k for k in kinds if not given[k])


def _wrong(before: State, state: State, record: Record) -> Iterator[str]:
    for hex_, there in stacks(state).items():
        if len({p.counter.side for p in there}) > 1:
            yield f"both sides stand in {state.board.label(hex_)}: {[p.id for p in there]}"
    if state.phase != before.phase and not state.frames and before.phase in SEGMENTS:
        crowd = first_crowd(state)
        if crowd is not None:
            yield f"{state.board.label(crowd.hex)} is over-full after {before.phase}: {crowd.units}"
    yield from (f"{record.order.text!r}: {fault}" for fault in audit(before, state, record))
    if any(d.tokens <= 0 for d in state.dumps.values()):
        yield "a dump holds nothing"
    if any(not 0 <= t.load <= t.size for t in state.transport.values()):
        yield "transport is loaded beyond its size"
    if state.phase not in PHASES or state.turn < before.turn:
        yield f"the clock went wrong: {before.turn} {before.phase} to {state.turn} {state.phase}"
