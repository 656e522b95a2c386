"""A plain plan: which formations go where, when to attack, what the supply services do; and the policy that carries it
out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from burma_study.engine.orders import Order
from burma_study.engine.session import Session
from burma_study.errors import ScenarioError
from burma_study.rules.ocs.combat.best import RankedAttack
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.movement.marching import can_trace
from burma_study.rules.ocs.movement.moving import may_move
from burma_study.rules.ocs.movement.orders import ChooseMode, Release
from burma_study.rules.ocs.movement.reach import mover
from burma_study.rules.ocs.movement.reserves import waiting
from burma_study.rules.ocs.movement.terrain import MP
from burma_study.rules.ocs.movement.zoc import zones
from burma_study.rules.ocs.state import Piece, State, Where
from burma_study.rules.ocs.supply.phase import EatAll
from burma_study.study.policies import fights, goods
from burma_study.study.policies.answers import Manner
from burma_study.study.policies.base import Agenda, PhasePolicy, legal
from burma_study.study.policies.hold import refit_all
from burma_study.study.policies.marching import (
    Care,
    enemy_distance,
    fitting,
    march,
    mode_for,
    mode_order,
    parties,
    toward,
)

STANCES = ("advance", "hold", "withdraw")
NEVER = Fraction(99)


@dataclass(frozen=True)
class Task:
    """What some units do from turn `first` to turn `last`.

    `units` names formations (`31 Div`), counter ids, or `*` for everybody left; `goals` are labels of hexes, any of
    which will do. `stance` is `advance` (go there round the enemy, attack), `hold` (go there and stay, do not give way)
    or `withdraw` (go there and keep away from the enemy). `attack` is the least balance of chances for an attack (the
    chance of emptying the hex, plus the enemy's and less one's own expected steps), `overrun` the same for overruns.
    """

    units: tuple[str, ...]
    goals: tuple[str, ...]
    stance: str = "advance"
    attack: Fraction = Fraction(1, 4)
    overrun: Fraction = NEVER
    first: int = 1
    last: int = 99

    def __post_init__(self) -> None:
        if self.stance not in STANCES:
            raise ScenarioError(f"{self.stance!r} is no stance of a task; stances are {', '.join(STANCES)}.")


@dataclass(frozen=True)
class Services:
    """What the supply services of a side do.

    `rail` and `lift` are pairs of start and ends; `haul_to` hexes where transport sets supply down, besides where the
    headquarters are; `diversions` how many Hump diversions at most; `strikes` aircraft a turn for ground support;
    `refit` bases that refit, besides those of the boxes; `most` steps in a hex (0: no limit);
    `barrage` tokens that one barrage may cost; `reserves` stacks put in Reserve; `works` the level up to which the
    held hexes are fortified, `keep` the tokens that lie near them all the same.
    """

    rail: tuple[str, str] = ("", "")
    lift: tuple[str, tuple[str, ...]] = ("", ())
    haul_to: tuple[str, ...] = ()
    diversions: int = 0
    strikes: int = 0
    refit: tuple[str, ...] = ()
    most: int = 0
    barrage: int = 0
    reserves: int = 0
    dig: bool = False
    works: int = 0
    keep: int = 12
    place: str = "first"


@dataclass(frozen=True)
class Plan:
    """A side's plan for a scenario in a few lines; `text` says it in words."""

    name: str
    side: str
    scenario: str
    text: str
    tasks: tuple[Task, ...]
    services: Services = field(default_factory=Services)


class PlanPolicy(PhasePolicy):
    """Carries out a plan."""

    name = "plan"

    def __init__(self, plan: Plan, **rest: Any) -> None:
        super().__init__(**rest)
        self.plan = plan
        self.name = plan.name
        self.chance.name = plan.name

    # what the plan says -----------------------------------------------------------------------------------------------

    def task(self, state: State, piece: Piece) -> Task | None:
        """What a unit is to do this turn: the first task that names it."""
        found = (t for t in self.plan.tasks if t.first <= state.turn <= t.last)
        names = (piece.id, piece.counter.formation, "*")
        return next((t for t in found if any(n in t.units for n in names)), None)

    def goals(self, state: State, task: Task) -> tuple[int, ...]:
        """The hexes that a task names."""
        return tuple(state.board.index(label) for label in task.goals)

    def manner(self, state: State, actor: str) -> Manner:
        """Held hexes and works are not given up; whoever attacks goes in where he has won."""
        hold = [t for t in self.plan.tasks if t.stance == "hold" and t.first <= state.turn <= t.last]
        stand = {h for t in hold for h in self.goals(state, t)}
        stand |= {h for h, w in state.hedgehogs.items() if isinstance(h, int) and w.side == actor}
        home = tuple(s.hex for s in state.markers.get("sources", ()) if s.side == actor)
        attacks = any(t.stance == "advance" for t in self.plan.tasks)
        return Manner(frozenset(stand), advance=attacks, press=attacks, place=self.plan.services.place, home=home)

    def agendas(self) -> dict[str, Agenda]:
        """The phases in which a plan does something."""
        return {
            "refit": self._refit,
            "reinforcement": self._reinforcement,
            "movement": self._movement,
            "movement_barrage": goods.bombs,
            "supply": self._supply,
            "reaction": self._reserves_out,
            "reaction_barrage": self._fire,
            "barrage": self._fire,
            "combat": self._attack,
            "exploitation": self._exploit,
            "exploitation_barrage": self._fire,
            "exploitation_combat": self._attack,
        }

    # phases -----------------------------------------------------------------------------------------------------------

    def _reinforcement(self, session: Session) -> Iterator[Order]:
        fronts = [session.state.board.index(h) for h in self.plan.services.haul_to]
        far = session.state.board.grid.distance

        def nearest(where: Where) -> str:
            return f"{min((far(where, h) for h in fronts), default=0):03}" if isinstance(where, int) else "999"

        yield from goods.deliveries(session, nearest)
        yield from goods.diversions(session, self.plan.services.diversions)
        yield from goods.rebuilding(session)

    def _refit(self, session: Session) -> Iterator[Order]:
        bases = {session.state.board.index(h) for h in self.plan.services.refit}
        yield from refit_all(session, lambda at: isinstance(at, str) or at in bases)

    def _supply(self, session: Session) -> Iterator[Order]:
        if legal(session, EatAll()):
            yield EatAll()

    def _movement(self, session: Session) -> Iterator[Order]:
        yield from self._serve(session)
        yield from fights.overruns(session, self._overruns(session), self._least_overrun(session.state))
        yield from self._marches(session)
        yield from self._haul(session)
        yield from self._settle_down(session)
        yield from goods.air_strikes(session, self.plan.services.strikes)

    def _serve(self, session: Session) -> Iterator[Order]:
        services = self.plan.services
        start, ends = services.lift
        if start:
            places = [_place(session.state, e) for e in ends]
            yield from goods.hump(session, places)
            yield from goods.airlift(session, _place(session.state, start), places)
        start, end = services.rail
        if start:
            yield from goods.freight(session, _place(session.state, start), _place(session.state, end), keep=4)

    def _haul(self, session: Session) -> Iterator[Order]:
        state: State = session.state
        side = state.player
        hqs = [p.at for p in state.units(side) if p.counter.is_hq and isinstance(p.at, int)]
        front = [state.board.index(h) for h in self.plan.services.haul_to] or hqs
        front = [h for h in front if h not in zones(state, other_side(side))]
        yield from goods.haul(session, front, goods.sources_behind(state, side, front), self.skip)

    def _settle_down(self, session: Session) -> Iterator[Order]:
        services = self.plan.services
        if services.dig:
            yield from goods.dig_in(session, lambda u: self.mine(session.state.pieces[u]))
        if services.works:
            held = sorted(self.manner(session.state, self.plan.side).stand)
            yield from goods.fortify(session, held, services.works, services.keep)
        if services.reserves:
            yield from self._into_reserve(session)

    # marches ----------------------------------------------------------------------------------------------------------

    def _marches(self, session: Session) -> Iterator[Order]:
        """Those nearest their goals first, so that they make room; then guns and headquarters behind them."""
        for followers in (False, True):
            for party in self._in_order(session.state, followers):
                yield from self._move(session, [p.id for p in party])

    def _in_order(self, state: State, followers: bool) -> list[list[Piece]]:
        able = [p for p in self._able(state) if _follows(p) == followers and p.mode != "reserve"]
        return sorted(parties(state, able), key=lambda g: (self._way_left(state, g[0]), g[0].id))

    def _able(self, state: State) -> list[Piece]:
        """Units that may yet march in this phase; in Movement those too that have to choose another mode first."""
        units = sorted(state.units(state.player), key=lambda p: p.id)
        own = [p for p in units if p.on_map and not p.done and self.mine(p) and p.counter.move.ma]
        if state.phase == "movement":
            return own
        able = {m.id for m in may_move(state)}
        return [p for p in own if p.id in able]

    def _way_left(self, state: State, piece: Piece) -> int:
        goals = self._goals_of(state, piece)
        assert isinstance(piece.at, int)
        return (toward(state, piece.counter.side, piece.printed.mobility, goals).cost(piece.at) or 0) if goals else 0

    def _goals_of(self, state: State, piece: Piece) -> tuple[int, ...]:
        """A unit's goals; followers go where the fighting units of their formation are."""
        task = self.task(state, piece)
        if task is None:
            return ()
        goals = self.goals(state, task)
        if not _follows(piece) or task.stance != "advance":
            return goals
        return self._spearhead(state, piece, goals) or goals

    def _spearhead(self, state: State, piece: Piece, goals: tuple[int, ...]) -> tuple[int, ...]:
        """Where the fighting units of a formation stand, those half way in its column."""
        far, name = state.board.grid.distance, piece.counter.formation
        fighters = [p for p in state.units(piece.counter.side) if p.on_map and p.counter.attack_capable]
        ours = [p for p in fighters if p.counter.formation == name] or fighters
        hexes = sorted({p.at for p in ours if isinstance(p.at, int)}, key=lambda h: min(far(h, g) for g in goals))
        return tuple(hexes[: max(1, len(hexes) // 2)])

    def _move(self, session: Session, units: list[str]) -> Iterator[Order]:
        """A party in its mode to its goal; where all of it cannot end together, each by itself."""
        state: State = session.state
        units = [u for u in units if (p := state.pieces.get(u)) is not None and p.on_map and not p.done]
        if not units:
            return
        first = state.pieces[units[0]]
        task, goals = self.task(state, first), self._goals_of(state, first)
        if task is None or not goals or first.at in goals:
            return
        if state.phase == "movement":
            yield from self._change_mode(session, units, self._way_left(state, first), task)
        care = self._care(first, task)
        order = march(session.state, units, goals, care)
        if order is not None and legal(session, order):
            yield order
        elif len(units) > 1:
            for unit in units:
                alone = march(session.state, (unit,), goals, care)
                if alone is not None and legal(session, alone):
                    yield alone

    def _care(self, piece: Piece, task: Task) -> Care:
        """Guns and headquarters stay behind and in supply; foot soldiers of a side that forages do not crowd."""
        behind = _follows(piece)
        return Care(behind or task.stance == "withdraw", behind and task.stance == "advance", self.plan.services.most)

    def _change_mode(self, session: Session, units: Sequence[str], way: int, task: Task) -> Iterator[Order]:
        state: State = session.state
        first = state.pieces[units[0]]
        wanted = mode_for(state, first, way, hurry=not first.oos)
        if wanted == "strat" and not self._traces(session, units):
            wanted = "move"
        if task.stance == "withdraw" and wanted == "combat" and way > first.counter.combat.ma * MP:
            wanted = "move"
        there = fitting(state, units, self._goals_of(state, first)) if way <= 2 * first.counter.move.ma * MP else ()
        for mode in dict.fromkeys((*there, wanted, "move" if wanted == "strat" else wanted)):
            order = mode_order(state, units, mode)
            if order is not None and legal(session, order):
                yield order
                return

    def _traces(self, session: Session, units: Sequence[str]) -> bool:
        """Would a march in Strat Mode find an end with trace? Looked at before the mode is chosen."""
        state: State = session.state
        who = mover(state, units[0])
        return isinstance(who.at, int) and all(can_trace(state, units, u, who.at) for u in units)

    # reserves ---------------------------------------------------------------------------------------------------------

    def _into_reserve(self, session: Session) -> Iterator[Order]:
        """Rested stacks a few hexes behind the line wait in Reserve."""
        given, state = len({p.at for p in waiting(session.state)}), session.state
        hexes = sorted({p.at for p in state.units(state.player) if p.on_map and self.mine(p)})
        for hex_ in hexes:
            if given >= self.plan.services.reserves:
                return
            rested = [p for p in session.state.units(state.player) if p.at == hex_ and not (p.spent or p.done or p.dg)]
            units = tuple(sorted(p.id for p in rested if p.counter.attack_capable and self.mine(p)))
            order = ChooseMode(units, "reserve")
            if units and 2 <= enemy_distance(session.state, state.player, hex_) <= 4 and legal(session, order):
                yield order
                given += 1

    def _reserves_out(self, session: Session) -> Iterator[Order]:
        """Reserves near the enemy come out, those two hexes off close up to fight."""
        yield from self._exploit(session)

    def _exploit(self, session: Session) -> Iterator[Order]:
        state: State = session.state
        groups: dict[Where, list[str]] = {}
        for piece in waiting(state):
            near = isinstance(piece.at, int) and enemy_distance(state, piece.counter.side, piece.at) <= 3
            if near and self.mine(piece):
                groups.setdefault(piece.at, []).append(piece.id)
        for units in groups.values():
            order = Release(tuple(units))
            if legal(session, order):
                yield order
        yield from fights.overruns(session, self.mine, max(Fraction(1, 2), self._least_overrun(state)))
        if session.state.phase == "exploitation":
            yield from self._marches(session)

    # fights -----------------------------------------------------------------------------------------------------------

    def _overruns(self, session: Session) -> fights.Mine:
        def may(piece: Piece) -> bool:
            task = self.task(session.state, piece)
            return self.mine(piece) and task is not None and task.overrun < NEVER

        return may

    def _least_overrun(self, state: State) -> Fraction:
        active = [t.overrun for t in self.plan.tasks if t.first <= state.turn <= t.last]
        return min(active, default=NEVER)

    def _attack(self, session: Session) -> Iterator[Order]:
        def least(found: RankedAttack) -> Fraction:
            tasks = [self.task(session.state, session.state.pieces[u]) for u in found.attackers]
            return min((t.attack for t in tasks if t is not None), default=NEVER)

        yield from fights.attacks(session, self.mine, least)

    def _fire(self, session: Session) -> Iterator[Order]:
        if self.plan.services.barrage:
            yield from fights.barrages(session, self.mine, self.plan.services.barrage)
        yield from goods.bombs(session)


def _follows(piece: Piece) -> bool:
    """Guns and headquarters go behind the others."""
    return piece.counter.is_artillery or piece.counter.is_hq


def _place(state: State, name: str) -> Where:
    return state.board.index(name) if "." in name else name
