"""Movement: what allowance a unit has in a mode and phase, and every hex it can reach with it (OCS 5, 6; Burma 1.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from burma_study.answers.showing import html_table
from burma_study.engine.memo import remembered
from burma_study.engine.reasons import Reason, because
from burma_study.errors import DataError, ScenarioError, did_you_mean
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.basis import Basis, Turn, Used, turns, used
from burma_study.rules.ocs.counters import Counter, other_side
from burma_study.rules.ocs.movement.limits import CLOSED, CLOSED_RULES, as_chindit, bank, closed
from burma_study.rules.ocs.movement.presence import goods
from burma_study.rules.ocs.movement.reach_texts import say
from burma_study.rules.ocs.movement.stacking import check_hex
from burma_study.rules.ocs.movement.steps import (
    SHUT,
    Steps,
    hops,
    interdicted,
    one_hex,
    side_steps,
    sweep,
    trial_steps,
    way_back,
)
from burma_study.rules.ocs.movement.terrain import (
    MP,
    Cell,
    EnterCost,
    Rates,
    bridgers,
    explain_step,
    mp,
    one_of,
    rates,
)
from burma_study.rules.ocs.movement.zoc import INCAPABLE_MODES, READINGS, held, unnegated, whose, zones
from burma_study.rules.ocs.state import GROUNDS, Piece, State, Transport, Where

PHASES = ("movement", "reaction", "exploitation")
MODES = ("combat", "move", "reserve", "strat", "exploit")
FACES = ("combat", "move")
PACE: Mapping[str, Mapping[str, int]] = {  # twelfths of an MP for each MP of the allowance
    "movement": {"combat": MP, "move": MP, "reserve": MP // 4, "strat": 2 * MP},
    "reaction": {"reserve": MP // 2},
    "exploitation": {"exploit": MP // 2, "reserve": MP},
}
SHOWS = {"combat": "combat", "move": "move", "strat": "move"}
RELEASED = "released"  # marker: ids of the reserves released in this phase
NONE: frozenset[int] = frozenset()
FAR_AWAY = 400 * MP  # how far a hex out of reach is looked for
TRANSPORT = {"truck": "truck", "wagon": "truck", "mule": "leg", "elephant": "leg", "buffalo": "leg"}


class Mover(NamedTuple):
    """A unit as it would move: mode, face and mobility chosen, `ma` in whole MP, `fuel` in tokens a phase."""

    id: str
    side: str
    at: Where
    mode: str
    face: str
    mobility: str
    ma: int
    fuel: int
    can_attack: bool
    dg: bool = False
    spent: int = 0
    done: bool = False
    counter: Counter | None = None
    released: bool = False

    @property
    def start(self) -> int:
        """The hex it stands in; only for a unit on the map."""
        assert isinstance(self.at, int)
        return self.at

    def pace(self, phase: str) -> str:
        """The mode whose pace it moves at: a released reserve keeps that of Reserve Mode, whatever it shows."""
        return "reserve" if self.released and phase != "movement" else self.mode


def mover(state: State, unit: str, mode: str | None = None, face: str | None = None) -> Mover:
    """A piece or transport in play as it would move; ScenarioError when there is none, DataError for a wrong word."""
    if mode is not None:
        one_of("mode", mode, MODES)
    if face is not None:
        one_of("side of a counter", face, FACES)
    if piece := state.pieces.get(unit):
        return _of_piece(piece, mode or piece.mode, face, unit in state.markers.get(RELEASED, ()))
    if points := state.transport.get(unit):
        return _of_transport(state, points, mode or "move")
    hint = did_you_mean(unit, (*state.pieces, *state.transport))
    raise ScenarioError(f"There is no unit {unit!r} in play in {state.scenario}. {hint}".strip())


@rule("ocs-series/3.1a", "ocs-series/5.5", "ocs-series/5.6", "ocs/1.5")
def _of_piece(piece: Piece, mode: str, face: str | None, released: bool = False) -> Mover:
    """Combat Mode shows the Combat side, Move and Strat Mode the other; Reserve and Exploit keep the one that shows."""
    if face is None:
        face = piece.face if piece.dg and mode == piece.mode else SHOWS.get(mode, piece.face)
    printed = piece.counter.combat if face == "combat" else piece.counter.move
    return Mover(
        piece.id,
        piece.counter.side,
        piece.at,
        mode,
        face,
        printed.mobility,
        printed.ma,
        fuel=0 if printed.mobility == "leg" or piece.fuelled else 1,
        can_attack=piece.counter.attack_capable and mode not in INCAPABLE_MODES,
        dg=piece.dg,
        spent=piece.spent,
        done=piece.done,
        counter=piece.counter,
        released=released,
    )


@rule("ocs-series/13.2", "ocs/1.2")
def _of_transport(state: State, points: Transport, mode: str) -> Mover:
    """Transport is always in Move Mode and needs no fuel."""
    kind = "mule" if points.kind in ("elephant", "buffalo") else points.kind
    ma = state.rules.charts.supply_costs[f"ma_{kind}"]
    return Mover(
        points.id,
        points.side,
        points.at,
        mode,
        "move",
        TRANSPORT[points.kind],
        ma,
        fuel=0,
        can_attack=False,
        spent=points.spent,
        done=points.done,
    )


@rule("ocs-series/4.1", "ocs-series/5.7", "ocs-series/5.8", "ocs-series/5.9", "ocs-series/5.10")
def allowance(unit: Mover, phase: str = "movement") -> int:
    """Twelfths of an MP in a phase: 1/4 in Reserve, twice in Strat, 1/2 in Exploit Mode, Reaction or when DG.

    Fractions of an MP are kept (OCS 4.1). 0 when the mode does not move in the phase.
    """
    full = unit.ma * PACE[phase].get(unit.pace(phase), 0)
    return full // 2 if unit.dg else full


def refusals(state: State, unit: Mover, phase: str) -> tuple[Reason, ...]:
    """Every reason why a unit may not move like this in a phase, wherever it wants to go."""
    piece = state.pieces.get(unit.id)
    found = [*_cannot_move(unit, phase)]
    if piece is None:
        points = state.transport[unit.id]
        if unit.mode != "move":
            found.append(because("no_mode", rule="ocs-series/13.2", unit=unit.id, mode=unit.mode))
        if points.extender and not found:
            found.append(because("extender", rule="ocs-series/12.7", unit=unit.id))
        return tuple(found)
    return (*found, *_cannot_choose(state, unit, piece, phase))


def _cannot_move(unit: Mover, phase: str) -> list[Reason]:
    found = []
    if not isinstance(unit.at, int):
        found.append(because("in_box", rule="ocs/3.4a", unit=unit.id, at=unit.at))
    if unit.done:
        found.append(because("done", rule="ocs-series/6.1", unit=unit.id))
    if unit.ma == 0:
        found.append(because("no_ma", rule="ocs-series/6.2-minimum", unit=unit.id, face=unit.face))
    if unit.pace(phase) not in PACE[phase]:
        modes = tuple(PACE[phase])
        found.append(
            because("mode_in_phase", rule="ocs-series/6.1", unit=unit.id, mode=unit.mode, phase=phase, modes=modes)
        )
    return found


@rule("ocs-series/5.7", "ocs-series/5.8", "ocs-series/5.10", "ocs-series/6.1")
def _cannot_choose(state: State, unit: Mover, piece: Piece, phase: str) -> list[Reason]:
    """What stands against the mode and the face chosen."""
    found = []
    wanted = SHOWS.get(unit.mode, piece.face)
    free = (unit.mode == "reserve" and phase == "movement") or piece.dg
    if unit.face != wanted and not free:
        found.append(because("face_of_mode", mode=unit.mode, wanted=wanted, face=unit.face, rule="ocs-series/5.5"))
    if piece.dg and unit.mode in ("reserve", "strat", "exploit"):
        found.append(because("dg_mode", unit=unit.id, mode=unit.mode, rule="ocs-series/5.10"))
    if unit.mode != piece.mode:
        if piece.spent:
            found.append(because("mode_change", unit=unit.id, old=piece.mode, rule="ocs-series/6.1"))
        enemy = other_side(unit.side)
        if unit.mode in ("reserve", "strat") and piece.at in zones(state, enemy):
            who = whose(state, enemy, unit.start)
            found.append(because("zone_mode", unit=unit.id, mode=unit.mode, whose=who, rule="ocs-series/4.5"))
        if phase != "movement":
            modes = tuple(m for m in PACE[phase] if m == piece.mode) or ("none",)
            found.append(
                because("mode_in_phase", unit=unit.id, mode=unit.mode, phase=phase, modes=modes, rule="ocs-series/5.7")
            )
    return found


# where it may go ------------------------------------------------------------------------------------------------------


@remembered("dumps", "transport", "bases", "hedgehogs")
@rule("ocs-series/4.4c", "ocs-series/4.5", "ocs-series/5.8")
def bars(state: State, unit: Mover) -> dict[str, frozenset[int]]:
    """Code of the reason to the hexes that a unit may not enter, besides terrain."""
    enemy = other_side(unit.side)
    found = {"enemy_units": held(state, enemy)}
    if not unit.can_attack:
        found["enemy_goods"] = frozenset(goods(state, enemy)) - found["enemy_units"]
    if unit.mode == "strat":
        found["enemy_zone"] = zones(state, enemy)
    found |= closed(state, unit.counter)
    return {code: hexes for code, hexes in found.items() if hexes}


@rule("ocs-series/4.5", "ocs-series/4.5-negation")
def stops(state: State, unit: Mover) -> frozenset[int]:
    """Hexes in which a truck unit must stop: enemy zones that no friendly combat unit negates."""
    return unnegated(state, unit.side) if unit.mobility == "truck" else frozenset()


class Terms(NamedTuple):
    """What units of one kind share in one state: steps, hexes to stop in, hexes that enemies shut."""

    steps: Steps
    stop: frozenset[int]
    shut: dict[int, int]


@remembered("pieces", "dumps", "transport", "bases", "hedgehogs", "markers", "rules", "turn")
def terms(
    state: State, side: str, mobility: str, ground: str, attacks: bool, strat: bool, kind: Counter | None
) -> Terms:
    """The terms of every unit with this side, mobility and mode; `kind` for those to whom places are closed."""
    probe = Mover("", side, 0, "strat" if strat else "move", "move", mobility, 1, 0, attacks, counter=kind)
    shut = bars(state, probe)
    away = frozenset().union(*(shut.pop(code, NONE) for code in CLOSED))
    head, at = state.markers.get("road_head"), bridgers(state, side, mobility)
    steps = side_steps(state.board, mobility, ground, state.rules.charts, head, at, away)
    return Terms(steps, stops(state, probe), {h: SHUT for hexes in shut.values() for h in hexes})


def terms_of(state: State, unit: Mover, ground: str) -> Terms:
    """The terms of one unit."""
    counter = unit.counter
    kind = counter if counter is not None and (as_chindit(state.rules, counter) or "ina" in counter.traits) else None
    return terms(state, unit.side, unit.mobility, ground, unit.can_attack, unit.mode == "strat", kind)


# the answer -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Reach:
    """Every hex that a unit can reach in one phase.

    `costs` gives twelfths of an MP by hex, cheapest first, the start included; `minimum` are the hexes that only the
    one-hex minimum move reaches, with their full cost in `costs` though the unit pays what it has. `allowance` is the
    phase's, `left` what is not yet spent. `refused` says why the unit may not move at all; then only its own hex is in.
    """

    state: State
    unit: Mover
    phase: str
    ground: str
    allowance: int
    left: int
    costs: Mapping[int, int]
    minimum: frozenset[int]
    refused: tuple[Reason, ...]
    terms: Terms
    steps: Steps
    extra: Mapping[int, int]
    trace: Callable[[State, str, int], bool] | None = None

    def __repr__(self) -> str:
        hexes = len(self.costs) - 1
        return f"<Reach of {self.unit.id} in {self.unit.mode} mode: {hexes} hexes within {mp(self.left)} MP>"

    def _repr_html_(self) -> str:
        """The hexes that cost most, with what they cost."""
        label = self.state.board.label
        far = sorted(self.costs.items(), key=lambda hc: (-hc[1], hc[0]))
        rows = [(label(h), mp(c)) for h, c in far if h != self.unit.start]
        return html_table(repr(self).strip("<>"), ("hex", "MP"), rows)

    def __getstate__(self) -> dict[str, object]:
        """For pickling: the marks are worked out first, since the question of a trace cannot travel."""
        return {**self.__dict__, "marks": self.marks, "trace": None}

    def __contains__(self, hex_: object) -> bool:
        return hex_ in self.costs

    @property
    def fuel(self) -> int:
        """Tokens of fuel to pay before the first step (Burma 1.5)."""
        return self.unit.fuel

    def cost(self, hex_: int) -> int | None:
        """Twelfths of an MP to a hex, None when out of reach; a minimum move uses up all that is left."""
        return self.left if hex_ in self.minimum else self.costs.get(hex_)

    def path(self, hex_: int) -> tuple[int, ...]:
        """Hexes from the start to `hex_`: the cheapest way, of those the one with fewest hexes; DataError if none."""
        if hex_ not in self.costs:
            reason = self.why_not(hex_)
            raise DataError(say(self.state, reason) if reason else f"No way to {self.state.board.label(hex_)}.")
        if hex_ in self.minimum:
            return (self.unit.start, hex_)
        return way_back(self.state.board, self.steps, self.costs, self._hops, self.terms.stop, hex_)

    @cached_property
    def _hops(self) -> dict[int, int]:
        return hops(self.steps, self.costs, self.terms.stop)

    def legs(self, hex_: int) -> tuple[EnterCost, ...]:
        """The steps of the path, each with what its cost adds up from (interdiction apart)."""
        path = self.path(hex_)
        return tuple(self._explain(a, b) for a, b in pairwise(path))

    def _explain(self, a: int, b: int) -> EnterCost:
        return explain_step(self.state, self._rates, self._bridges, a, b)

    @cached_property
    def _bridges(self) -> frozenset[int]:
        return bridgers(self.state, self.unit.side, self.unit.mobility)

    @property
    def _rates(self) -> Rates:
        return rates(self.state.rules.charts, self.unit.mobility, self.ground)

    @cached_property
    def bars(self) -> Mapping[str, frozenset[int]]:
        """Hexes that the unit may not enter by the code of the reason: enemies, zones, special rules, the scenario."""
        return bars(self.state, self.unit)

    # marks on the hexes reached ---------------------------------------------------------------------------------------

    @cached_property
    def marks(self) -> Mapping[str, frozenset[int]]:
        """What ending or stopping in a hex would mean, by code; only codes that mark some hex.

        `stops` it must stop there, `enemy_zone` it lies in one, `captures` enemy supply or transport stands there,
        `overstacked`, `cooperation` and `reserve_in_hedgehog` it may pass but not end there, `no_trace` a Strat Mode
        unit may not end there, `chindit_west` it would cost the Allies points (3.6b).
        """
        enemy = other_side(self.unit.side)
        inside = frozenset(self.costs) - {self.unit.at}
        found = {
            "stops": inside & self.terms.stop,
            "enemy_zone": inside & zones(self.state, enemy),
            "captures": inside & goods(self.state, enemy).keys(),
            "chindit_west": inside & self._west_for_chindits(),
            "no_trace": frozenset(h for h in inside if self._traceless(h)),
        }
        mine = held(self.state, self.unit.side)
        for hex_ in sorted(h for h in inside if h in mine or h in self.state.hedgehogs):
            for code in self._crowding(hex_):
                found[code] = found.get(code, frozenset()) | {hex_}
        return {code: hexes for code, hexes in found.items() if hexes}

    def may_end(self, hex_: int) -> tuple[str, ...]:
        """Codes of what forbids ending in a hex that is in reach; empty when nothing does."""
        forbidding = ("overstacked", "cooperation", "reserve_in_hedgehog", "no_trace")
        return tuple(code for code in forbidding if hex_ in self.marks.get(code, ()))

    def _crowding(self, hex_: int) -> set[str]:
        piece = self.state.pieces.get(self.unit.id)
        if piece is None:
            return set()
        moved = replace(piece, at=hex_, mode=self.unit.mode, face=self.unit.face)
        before = {p.code for p in check_hex(self.state, hex_)}
        return {p.code for p in check_hex(self.state, hex_, [moved])} - before

    @rule("ocs-series/5.8-trace")
    def _traceless(self, hex_: int) -> bool:
        return self.unit.mode == "strat" and self.trace is not None and not self.trace(self.state, self.unit.id, hex_)

    @rule("ocs/3.6b")
    def _west_for_chindits(self) -> frozenset[int]:
        counter = self.unit.counter
        bound = counter is not None and as_chindit(self.state.rules, counter)
        return bank(self.state.board)[0] if bound else frozenset()

    # why not ----------------------------------------------------------------------------------------------------------

    def why_not(self, hex_: int) -> Reason | None:
        """Why a hex is out of reach; None when it is not."""
        if hex_ in self.costs:
            return None
        if self.refused:
            return self.refused[0]
        barred = next((self._barred(code, hex_) for code, hexes in self.bars.items() if hex_ in hexes), None)
        return barred or self._beyond(hex_)

    def _barred(self, code: str, hex_: int) -> Reason:
        enemy = other_side(self.unit.side)
        if code == "enemy_units":
            ids = tuple(sorted(p.id for p in self.state.units(enemy) if p.at == hex_))
            return because(code, hex_, units=ids, rule="ocs-series/4.8")
        if code == "enemy_goods":
            return because(code, hex_, goods=goods(self.state, enemy)[hex_], rule="ocs-series/4.4c")
        if code == "enemy_zone":
            return because(code, hex_, whose=whose(self.state, enemy, hex_), rule="ocs-series/5.8")
        return because(code, hex_, rule=CLOSED_RULES[code])

    def _beyond(self, hex_: int) -> Reason:
        """Nothing forbids the hex itself: how far it would be, or what stands in the way."""
        unit, name = self.unit, self.unit.mobility.capitalize()
        stop = self.terms.stop
        far = self._far(stop)
        if hex_ in far:
            cost, left = mp(far[hex_]), mp(self.left)
            return because("too_far", hex_, cost=cost, left=left, unit=unit.id, rule="ocs-series/6.1")
        if stop and hex_ in self._far(frozenset()):
            enemy = other_side(unit.side)
            who = tuple(sorted({i for h in far if h in stop for i in whose(self.state, enemy, h)}))
            return because("stopped", hex_, mobility=name, whose=who, rule="ocs-series/4.5")
        terrain = self.state.board.terrain[hex_]
        if terrain in ("off", "lake"):
            return because("no_hex", hex_, rule="ocs-series/6.2")
        if self._rates.off_road[terrain].cost is None:
            return because("terrain", hex_, mobility=name, terrain=terrain, rule="ocs-series/6.2")
        return because("no_way", hex_, mobility=name, rule="ocs-series/6.2")

    def _far(self, stop: frozenset[int]) -> dict[int, int]:
        return sweep(self.steps, self.unit.start, FAR_AWAY, self.terms.shut.copy(), stop)

    # basis ------------------------------------------------------------------------------------------------------------

    @cached_property
    def basis(self) -> Basis:
        """The unprinted values that the whole reach rests on: the allowance and the last step to every hex."""
        ends = ((self.path(h)[-2], h) for h in self.costs if h != self.unit.at)
        cells = (*self._ma_cells(), *(c for a, b in ends for c in self._cells(a, b)))
        return Basis(used(self.state.rules.charts, cells))

    def basis_of(self, hex_: int) -> Basis:
        """The unprinted values on the way to one hex (none when out of reach), and those on which its reach turns."""
        cells = [*self._ma_cells(), *(c for leg in self.legs(hex_) for c in leg.cells)] if hex_ in self.costs else []
        return Basis(used(self.state.rules.charts, cells), self.turns_on(hex_))

    def _cells(self, a: int, b: int) -> tuple[Cell, ...]:
        return self._explain(a, b).cells

    def _ma_cells(self) -> tuple[Cell, ...]:
        counter = self.unit.counter
        if counter is None:
            return ()
        return (("counters", counter.id, "c_ma" if self.unit.face == "combat" else "m_ma"),)

    def turns_on(self, hex_: int) -> tuple[Turn, ...]:
        """The unprinted values whose bound, each alone, would change whether a hex is in reach."""
        if self.refused or any(hex_ in hexes for hexes in self.bars.values()):
            return ()
        now, charts = hex_ in self.costs, self.state.rules.charts
        cells = tuple(c for leg in self.legs(hex_) for c in leg.cells) if now else self._every_cell()
        values = used(charts, (*self._ma_cells(), *cells))

        def otherwise(value: Used, bound: str) -> bool:
            return _eases(value, bound) != now and (hex_ in self._again(value, bound)) != now

        return turns(values, otherwise)

    def _every_cell(self) -> Iterator[Cell]:
        found = self._rates
        for table in (found.off_road, found.on_track, found.route, found.hexside):
            for rate in table.values():
                yield from rate.cells

    def _again(self, value: Used, bound: str) -> dict[int, int]:
        """The hexes in reach if one value were at its bound."""
        unit, steps, left = self.unit, self.steps, self.left
        if value.table == "counters":
            unit = unit._replace(ma=int(bound))
            left = max(0, allowance(unit, self.phase) - unit.spent)
        else:
            charts = self.state.rules.charts.with_value(value.table, value.key, value.column, bound)
            head = self.state.markers.get("road_head")
            away = frozenset().union(*(self.bars.get(code, NONE) for code in CLOSED))
            steps = trial_steps(self.state.board, unit.mobility, self.ground, charts, head, self._bridges, away)
            steps = interdicted(self.state.board, steps, self.extra)
        return _run(self.terms, steps, unit, left)[0]

    @property
    def notes(self) -> tuple[str, ...]:
        """Readings of unclear rules that the answer rests on."""
        found = []
        if self.terms.stop or "enemy_zone" in self.bars:
            found.append(READINGS[self.state.rules.version])
        if self.marks.get("enemy_zone") and self.unit.mobility == "truck":
            found.append("A friendly combat unit in a hex negates enemy zones there if it moves no more this phase.")
        if self.unit.mode == "strat":
            found.append("Strat Mode must end where trace is possible: written in v4.3 only, kept in 1999 as well.")
            if self.trace is None:
                found.append("Whether trace is possible at the end was not looked up.")
        return tuple(found)

    def as_dict(self) -> dict[str, object]:
        """Shape for JSON; costs in twelfths of an MP with their unit."""
        board, unit = self.state.board, self.unit
        codes = {h: [c for c, hexes in self.marks.items() if h in hexes] for h in self.costs}
        return {
            "unit": unit.id,
            "side": unit.side,
            "hex": board.label(unit.at) if isinstance(unit.at, int) else unit.at,
            "mode": unit.mode,
            "face": unit.face,
            "phase": self.phase,
            "ground": self.ground,
            "cost_unit": f"MP/12 {unit.mobility}",
            "allowance": self.allowance,
            "left": self.left,
            "fuel": self.fuel,
            "refused": [{"code": r.code, "message": say(self.state, r), "rule": r.rule} for r in self.refused],
            "hexes": [
                {"hex": board.label(h), "cost": c, "minimum_move": h in self.minimum, "marks": codes[h]}
                for h, c in self.costs.items()
            ],
            "basis": self.basis.as_dict(),
            "notes": list(self.notes),
        }


def _eases(value: Used, bound: str) -> bool:
    """Would the bound let a unit go farther than the value in use?"""
    if value.table == "counters":
        return int(bound) > int(value.value)
    return not value.value or Fraction(bound) < Fraction(value.value)


def reach(
    state: State,
    unit: str,
    mode: str | None = None,
    face: str | None = None,
    ground: str | None = None,
    phase: str = "movement",
    *,
    interdiction: Mapping[int, int] | None = None,
    trace: Callable[[State, str, int], bool] | None = None,
) -> Reach:
    """Where a unit can go in one phase, in its own or another mode, on the state's or another ground condition.

    `phase` is `movement`, `reaction` or `exploitation`. `interdiction` adds twelfths to the cost of entering hexes.
    `trace` answers (state, unit, hex) whether trace supply is possible there; Strat Mode asks it (OCS 5.8b).
    ScenarioError for a unit not in play, DataError for an unknown mode, face, ground or phase.
    """
    one_of("phase of movement", phase, PHASES)
    ground = state.ground if ground is None else ground
    one_of("ground condition", ground, GROUNDS)
    who = mover(state, unit, mode, face)
    refused = refusals(state, who, phase)
    full = allowance(who, phase)
    left = 0 if refused else max(0, full - who.spent)
    extra = interdiction or {}
    shared = terms_of(state, who, ground)
    steps = interdicted(state.board, shared.steps, extra) if extra else shared.steps
    if refused:
        costs, minimum = ({who.at: 0} if isinstance(who.at, int) else {}), NONE
    else:
        costs, minimum = _run(shared, steps, who, left)
    return Reach(state, who, phase, ground, full, left, costs, minimum, refused, shared, steps, extra, trace)


def _run(shared: Terms, steps: Steps, unit: Mover, left: int) -> tuple[dict[int, int], frozenset[int]]:
    """Costs of the hexes in reach, and those of the minimum move."""
    start, shut = unit.start, shared.shut
    costs = sweep(steps, start, left, shut.copy(), shared.stop)
    least = None if unit.spent else one_hex(steps, start, shut, costs)
    if not least:
        return costs, NONE
    costs.update(least)
    return costs, frozenset(least)
