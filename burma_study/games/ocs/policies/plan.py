"""A plain plan: which formations go where, when to attack, what the supply services do; and the policy that carries it
out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from burma_study.engine.orders import Order
from burma_study.engine.session import Session
from burma_study.errors import ScenarioError
from burma_study.games.ocs.policies import convoys, fights, goods
from burma_study.games.ocs.policies.answers import Manner
from burma_study.games.ocs.policies.hold import feed, refit_all
from burma_study.games.ocs.policies.larder import cut_off, hungry, larder, stock
from burma_study.games.ocs.policies.marching import (
    Care,
    enemy_distance,
    fitting,
    march,
    mode_for,
    mode_order,
    parties,
    toward,
)
from burma_study.games.ocs.policies.phases import Agenda, PhasePolicy, legal
from burma_study.rules.ocs.air.fly_in import waiting as waiting_in_arakan
from burma_study.rules.ocs.combat.best import RankedAttack
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.movement.moving import may_move
from burma_study.rules.ocs.movement.orders import ChooseMode, Release
from burma_study.rules.ocs.movement.reserves import waiting
from burma_study.rules.ocs.movement.terrain import MP
from burma_study.rules.ocs.movement.zoc import held, zones
from burma_study.rules.ocs.state import Piece, State, Where, stack

STANCES = ("advance", "hold", "guard", "withdraw", "sweep")
NEVER = Fraction(99)
BOX = 4  # tokens that stay in the box from which aircraft fly, for the next lift
SWEPT = 3  # hexes from its goals in which a sweep looks for enemies
ALARM = 8  # hexes from the enemy at which a unit that stays shows its Combat side
RESERVE = (3, 6)  # hexes from the enemy between which stacks wait in Reserve, for it halves their defence
GARRISON = 3  # units that a vital hex keeps
SCARCE = Fraction(1, 2)  # by how much better an attack has to be where there is little supply
AROUND = 6  # hexes round the place that convoys serve whose supply counts as its own


@dataclass(frozen=True)
class Task:
    """What some units do from turn `first` to turn `last`.

    `units` names formations (`31 Div`), counter ids, or `*` for everybody left; `goals` are labels of hexes, any of
    which will do. `stance` is `advance` (go there round the enemy, attack), `hold` (go there and stay, do not give
    way), `guard` (the same, but give way rather than lose steps), `withdraw` (go there and keep away from the enemy)
    or `sweep` (go beside weaker enemies near the goals). Who holds or guards several hexes leaves none of them empty.
    `attack` is the least balance of chances for an attack (the chance of emptying the hex, plus the enemy's and less
    one's own expected steps), `overrun` the same for overruns. Units that are to be `fed` do not march out of reach of
    supply and go back to it when they would starve.
    """

    units: tuple[str, ...]
    goals: tuple[str, ...]
    stance: str = "advance"
    attack: Fraction = Fraction(1, 4)
    overrun: Fraction = NEVER
    first: int = 1
    last: int = 99
    fed: bool = False

    def __post_init__(self) -> None:
        if self.stance not in STANCES:
            raise ScenarioError(f"{self.stance!r} is no stance of a task; stances are {', '.join(STANCES)}.")


@dataclass(frozen=True)
class Services:
    """What the supply services of a side do.

    `rail` and `lift` are pairs of start and ends, `fields` the bases for units that are flown in (the box before the
    railway may be one). Transport sets supply down at `haul_to`, by default where the headquarters are, and takes along
    what lies at `give_up`. While the first of `haul_to` is cut off, `box` tokens stay for the aircraft, and the Hump is
    diverted, at most `diversions` times, when less than `keep` tokens lie round it; for troops till `troops_until`.
    `herds` are water buffaloes taken in the set-up, tokens by hex. `strikes` aircraft a turn for ground support;
    `refit` bases that refit, besides those of the boxes; `most` steps in a hex (0: no limit); `barrage` tokens that one
    barrage may cost, one in a siege where less than `keep` lie; `reserves` stacks put in Reserve; `works` the level up
    to which held hexes are fortified if `keep` tokens lie near them; `press`: attackers lose steps rather than fall
    back; `place`: who moves first, when the side may choose; `vital`: hexes that some units never leave nor give up;
    `measure` by which attacks are judged.
    """

    rail: tuple[str, str] = ("", "")
    lift: tuple[str, tuple[str, ...]] = ("", ())
    fields: tuple[str, ...] = ()
    haul_to: tuple[str, ...] = ()
    give_up: tuple[str, ...] = ()
    box: int = 8
    troops_until: int = 6
    herds: tuple[tuple[str, int], ...] = ()
    vital: tuple[str, ...] = ()
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
    press: bool = False
    measure: str = fights.PUSH


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
        self._hungry: frozenset[str] = frozenset()
        self._larder: frozenset[int] = frozenset()

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
        stand |= {state.board.index(h) for h in self.plan.services.vital}
        stand |= {h for h, w in state.hedgehogs.items() if isinstance(h, int) and w.side == actor}
        home = tuple(s.hex for s in state.markers.get("sources", ()) if s.side == actor)
        attacks = any(t.stance in ("advance", "sweep") for t in self.plan.tasks)
        services = self.plan.services
        return Manner(frozenset(stand), advance=attacks, press=services.press, place=services.place, home=home)

    def agendas(self) -> dict[str, Agenda]:
        """The phases in which a plan does something."""
        return {
            "setup": self._setup,
            "refit": self._refit,
            "reinforcement": self._reinforcement,
            "movement": self._movement,
            "movement_barrage": goods.bombs,
            "supply": feed,
            "reaction": self._reserves_out,
            "reaction_barrage": self._fire,
            "barrage": self._fire,
            "combat": self._attack,
            "exploitation": self._exploit,
            "exploitation_barrage": self._fire,
            "exploitation_combat": self._attack,
        }

    # phases -----------------------------------------------------------------------------------------------------------

    def _setup(self, session: Session) -> Iterator[Order]:
        herds = ((session.state.board.index(h), tokens) for h, tokens in self.plan.services.herds)
        yield from convoys.buffaloes(session, herds)

    def _reinforcement(self, session: Session) -> Iterator[Order]:
        yield from goods.deliveries(session, self._from_the_front(session.state))
        if self._wants_the_hump(session.state):
            yield from goods.diversions(session, self.plan.services.diversions)
        yield from goods.rebuilding(session)

    def _from_the_front(self, state: State) -> Callable[[Where], int]:
        """How far a place is from where supply is wanted; a box is farther than any hex."""
        fronts, far = self._front(state), state.board.grid.distance
        return lambda at: min((far(at, h) for h in fronts), default=0) if isinstance(at, int) else 999

    def _front(self, state: State) -> list[int]:
        """Where transport sets supply down."""
        named = [state.board.index(h) for h in self.plan.services.haul_to]
        hqs = (p.at for p in state.units(self.plan.side) if p.counter.is_hq and self.mine(p))
        return named or sorted({h for h in hqs if isinstance(h, int)})

    def _besieged(self, state: State) -> bool:
        """Is the place that convoys serve cut off?"""
        front = [state.board.index(h) for h in self.plan.services.haul_to[:1]]
        return bool(front) and cut_off(state, self.plan.side, state.board.grid.disc(front[0], 1))

    def _wants_the_hump(self, state: State) -> bool:
        """A diversion is worth its points for troops, and for supply when a besieged place runs out of it."""
        services = self.plan.services
        troops = [state.pieces[u].counter.re for u in waiting_in_arakan(state) if u not in self.skip]
        if sum(troops, Fraction(0)) >= 1 and state.turn <= services.troops_until:
            return True
        if not services.haul_to:
            return False
        there = stock(state, self.plan.side, state.board.index(services.haul_to[0]), AROUND)
        return there < services.keep and self._besieged(state)

    def _refit(self, session: Session) -> Iterator[Order]:
        bases = {session.state.board.index(h) for h in self.plan.services.refit}
        yield from refit_all(session, lambda at: isinstance(at, str) or at in bases)

    def _movement(self, session: Session) -> Iterator[Order]:
        self._look_round(session.state)
        yield from self._serve(session)
        yield from fights.overruns(session, self._overruns(session), self._least_overrun(session.state))
        if self.plan.services.haul_to:
            yield from self._haul(session)  # before those march away who keep the roads open
        yield from self._marches(session)
        yield from self._haul(session)
        yield from convoys.drive_herds(session, lambda s: hungry(s, self.plan.side), self.skip)
        yield from convoys.blow(session)
        yield from self._settle_down(session)
        yield from goods.air_strikes(session, self.plan.services.strikes)

    def _look_round(self, state: State) -> None:
        """Who would starve, and where supply is, before anybody moves."""
        self._hungry, self._larder = hungry(state, self.plan.side), larder(state, self.plan.side)

    def _serve(self, session: Session) -> Iterator[Order]:
        services, state = self.plan.services, session.state
        cut = self._besieged(state)
        start, ends = services.lift
        if start:
            places = [_place(state, e) for e in ends]
            theirs = (lambda u: self._fields(session.state, u)), (lambda u: u not in self.skip)
            yield from goods.hump(session, places, *theirs)
            yield from goods.airlift(session, _place(state, start), places)
        start, end = services.rail
        if start:
            box, station = _place(state, start), _place(state, end)
            yield from convoys.entrain(session, box, station, self.mine)
            yield from convoys.freight(session, box, station, keep=services.box if cut else BOX)

    def _fields(self, state: State, unit: str) -> list[Where]:
        """Bases for a unit that is flown in, the nearest to where it is to go first."""
        services = self.plan.services
        goals, far = self._goals_of(state, state.pieces[unit]), state.board.grid.distance
        doors = {name: services.rail[1] if name == services.rail[0] else name for name in services.fields}
        near = sorted(doors, key=lambda n: min((far(state.board.index(doors[n]), g) for g in goals), default=0))
        return [_place(state, name) for name in near]

    def _haul(self, session: Session) -> Iterator[Order]:
        state: State = session.state
        side = state.player
        front = [h for h in self._front(state) if h not in zones(state, other_side(side)) or h in held(state, side)]
        given_up = [state.board.index(h) for h in self.plan.services.give_up]
        groups = [[h] for h in front] if self.plan.services.haul_to else [front]
        yield from convoys.haul(session, convoys.route(state, side, groups, given_up), self.skip)

    def _settle_down(self, session: Session) -> Iterator[Order]:
        services = self.plan.services
        yield from self._combat_sides_up(session)
        if services.dig:
            yield from goods.dig_in(session, lambda u: self.mine(session.state.pieces[u]))
        if services.works:
            held = sorted(self.manner(session.state, self.plan.side).stand)
            yield from goods.fortify(session, held, services.works, services.keep)
        if services.reserves:
            yield from self._into_reserve(session)

    def _combat_sides_up(self, session: Session) -> Iterator[Order]:
        """Who stays where he is shows his Combat side near the enemy, and does not stay in Strat Mode anywhere."""
        state: State = session.state
        for piece in sorted(state.units(state.player), key=lambda p: p.id):
            if not self.mine(piece) or piece.mode not in ("move", "strat") or not isinstance(piece.at, int):
                continue
            rested = not (piece.spent or piece.done or piece.dg)
            wanted = piece.mode == "strat" or enemy_distance(state, state.player, piece.at) <= ALARM
            order = ChooseMode((piece.id,), "combat")
            if rested and wanted and legal(session, order):
                yield order

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
        """A unit's goals: those of its task; who would starve goes to supply, guns go where their infantry is."""
        task = self.task(state, piece)
        if task is None:
            return ()
        if task.fed and piece.id in self._hungry and self._larder:
            return tuple(sorted(self._larder))
        goals = self.goals(state, task)
        if _follows(piece) and task.stance in ("advance", "sweep"):
            return self._spearhead(state, piece, goals) or goals
        if task.stance == "sweep":
            return self._prey(state, piece, goals) or goals
        return self._bare(state, piece, goals) if task.stance in ("hold", "guard") else goals

    def _bare(self, state: State, piece: Piece, goals: tuple[int, ...]) -> tuple[int, ...]:
        """Of several hexes those that nobody else guards, unless the unit stands in one of them."""
        if piece.at in goals or len(goals) == 1:
            return goals
        guards = {p.at for p in state.units(piece.counter.side) if p.counter.attack_capable}
        return tuple(g for g in goals if g not in guards) or goals

    def _prey(self, state: State, piece: Piece, goals: tuple[int, ...]) -> tuple[int, ...]:
        """Hexes beside enemies near the goals that are not stronger than the friends who stand with a unit."""
        side, grid = piece.counter.side, state.board.grid
        ours = _strength(p for p in state.units(side) if p.at == piece.at and self.mine(p))
        found: set[int] = set()
        for hex_ in {h for g in goals for h in grid.disc(g, SWEPT)}.intersection(held(state, other_side(side))):
            if _strength(stack(state, hex_)) <= ours:
                found.update(grid.adjacent[hex_])
        return tuple(sorted(found.difference(held(state, other_side(side)))))

    def _spearhead(self, state: State, piece: Piece, goals: tuple[int, ...]) -> tuple[int, ...]:
        """Where the fighting units of a formation stand, those half way in its column."""
        far, name = state.board.grid.distance, piece.counter.formation
        fighters = [p for p in state.units(piece.counter.side) if p.on_map and p.counter.attack_capable]
        ours = [p for p in fighters if p.counter.formation == name] or fighters
        stands = {p.at for p in ours if isinstance(p.at, int)}
        hexes = sorted(stands, key=lambda h: (min(far(h, g) for g in goals), h))
        return tuple(hexes[: max(1, len(hexes) // 2)])

    def _move(self, session: Session, units: list[str]) -> Iterator[Order]:
        """A party in its mode to its goal; where all of it cannot end together, each by itself."""
        state: State = session.state
        units = self._free(state, units)
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

    def _free(self, state: State, units: Sequence[str]) -> list[str]:
        """Those of a party that may march; a vital hex keeps its best units."""
        able = [p for u in units if (p := state.pieces.get(u)) is not None and p.on_map and not p.done]
        if not able or able[0].at not in {state.board.index(h) for h in self.plan.services.vital}:
            return [p.id for p in able]
        there = [p for p in state.units(self.plan.side) if p.at == able[0].at and p.counter.attack_capable]
        ranked = sorted(there, key=lambda p: (-(p.counter.combat.attack or 0), -p.counter.combat.ar, p.id))
        guards = {p.id for p in ranked[:GARRISON]}
        return [p.id for p in able if p.id not in guards]

    def _care(self, piece: Piece, task: Task) -> Care:
        """Guns and headquarters stay behind and in supply; foot soldiers of a side that forages do not crowd."""
        behind, most = _follows(piece), self.plan.services.most
        fed = task.fed or (behind and task.stance in ("advance", "sweep"))
        return Care(behind or task.stance == "withdraw", fed, most, self._larder)

    def _change_mode(self, session: Session, units: Sequence[str], way: int, task: Task) -> Iterator[Order]:
        state: State = session.state
        first = state.pieces[units[0]]
        goals = self._goals_of(state, first)
        wanted = mode_for(state, first, way, hurry=not first.oos)
        if wanted == "strat" and march(_in_mode(state, units, "strat"), units, goals, self._care(first, task)) is None:
            wanted = "move"
        if task.stance == "withdraw" and wanted == "combat" and way > first.counter.combat.ma * MP:
            wanted = "move"
        there = fitting(state, units, goals) if way <= 2 * first.counter.move.ma * MP else ()
        for mode in dict.fromkeys((*there, wanted, "move" if wanted == "strat" else wanted)):
            order = mode_order(state, units, mode)
            if order is not None and legal(session, order):
                yield order
                return

    # reserves ---------------------------------------------------------------------------------------------------------

    def _into_reserve(self, session: Session) -> Iterator[Order]:
        """Rested stacks a few hexes behind the line wait in Reserve."""
        given, state = len({p.at for p in waiting(session.state)}), session.state
        hexes = sorted({p.at for p in state.units(state.player) if p.on_map and self.mine(p)})
        for hex_ in hexes:
            if given >= self.plan.services.reserves:
                return
            rested = [p for p in session.state.units(state.player) if p.at == hex_ and not (p.spent or p.done or p.dg)]
            units = tuple(sorted(p.id for p in rested if p.counter.attack_capable and self._may_wait(state, p)))
            order = ChooseMode(units, "reserve")
            near, far = RESERVE
            if units and near <= enemy_distance(session.state, state.player, hex_) <= far and legal(session, order):
                yield order
                given += 1

    def _may_wait(self, state: State, piece: Piece) -> bool:
        """Who holds a hex does not wait in Reserve."""
        task = self.task(state, piece)
        return self.mine(piece) and task is not None and task.stance in ("advance", "sweep")

    def _reserves_out(self, session: Session) -> Iterator[Order]:
        """Reserves near the enemy come out, those two hexes off close up to fight."""
        yield from self._exploit(session)

    def _exploit(self, session: Session) -> Iterator[Order]:
        state: State = session.state
        self._look_round(state)
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
            dear = SCARCE if self._short(session.state, found.target) else 0
            return min((t.attack for t in tasks if t is not None), default=NEVER) + dear

        yield from fights.attacks(session, self.mine, least, self.plan.services.measure)

    def _fire(self, session: Session) -> Iterator[Order]:
        if self.plan.services.barrage:
            yield from fights.barrages(session, self.mine, lambda h: self._shells(session.state, h))
        yield from goods.bombs(session)

    def _shells(self, state: State, target: int) -> int:
        """Tokens that a barrage may cost: few where there are few."""
        return 1 if self._short(state, target) else self.plan.services.barrage

    def _short(self, state: State, target: int) -> bool:
        """Is there little supply near a target, in a siege?"""
        return stock(state, self.plan.side, target, AROUND) < self.plan.services.keep and self._besieged(state)


def _in_mode(state: State, units: Sequence[str], mode: str) -> State:
    """The state with units in a mode that shows their Move side, to ask where they could march in it."""
    for piece in (state.pieces[u] for u in units):
        state = state.place(replace(piece, mode=mode, face="move"))
    return state


def _follows(piece: Piece) -> bool:
    """Guns and headquarters go behind the others."""
    return piece.counter.is_artillery or piece.counter.is_hq


def _place(state: State, name: str) -> Where:
    return state.board.index(name) if "." in name else name


def _strength(pieces: Iterable[Piece]) -> int:
    return sum(p.printed.attack or 0 for p in pieces)
