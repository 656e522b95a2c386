"""Works: hedgehogs, airstrips and their upgrade, the Ledo Road, water buffaloes (OCS 16; Burma 1.8, 2.5d, 2.6, 3.9).

Builders stand in the hex in Combat Mode, have not moved and do not move after. An airstrip stands at the end of the
phase, since its builder has to stay for all of it; everything else at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import INT, WORD, Order, many_slot, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules, Procedure, Room
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.combat.segments import done_here, mark_done
from burma_study.rules.ocs.counters import Counter
from burma_study.rules.ocs.goods.losses import fresh_name
from burma_study.rules.ocs.goods.payment import AUTO, PAYMENT, add, choose, pay, payment_choices, payment_reasons
from burma_study.rules.ocs.movement.stacking import size_of
from burma_study.rules.ocs.movement.terrain import bridges, ledo_road
from burma_study.rules.ocs.orders import HEXES, WHERE
from burma_study.rules.ocs.state import Base, Hedgehog, Piece, Rules, State, Transport, Where, stack, stacks
from burma_study.rules.ocs.turn.script import script

MOST = {"japanese": 1, "allied": 4}  # levels of a hedgehog that each side may build up to
CLOSED_GROUND = ("jungle", "rough", "mountain")
PENDING = "airstrips"  # marker: (hex, side) of airstrips that stand at the end of the phase
UNITS = many_slot(WORD)
STRIP, LEVEL_1 = 0, 1


# orders ---------------------------------------------------------------------------------------------------------------


@order("fortify {at} with {units}[ paying from {payment}]")
class Fortify(Order):
    """Build one level of a hedgehog with the units named, all in the hex."""

    at: Where = slot(WHERE)
    units: tuple[str, ...] = slot(UNITS)
    payment: str = slot(PAYMENT, default=AUTO)


@order("dig in {unit}", kind="dig-in")
class DigIn(Order):
    """A Japanese battalion that did not move digs a free level 1 hedgehog."""

    unit: str = slot(WORD)


@order("raze {levels} levels by {unit}", kind="raze")
class Raze(Order):
    """A unit that began the phase in a hedgehog takes levels of it down."""

    unit: str = slot(WORD)
    levels: int = slot(INT)


@order("lay airstrip by {unit}[ paying from {payment}]", kind="airstrip")
class LayAirstrip(Order):
    """A headquarters, or the 823 Engineers, build an airstrip where they stand."""

    unit: str = slot(WORD)
    payment: str = slot(PAYMENT, default=AUTO)


@order("upgrade airstrip by {unit}[ paying from {payment}]", kind="upgrade")
class UpgradeAirstrip(Order):
    """An engineer-capable unit makes the airstrip in its hex a level 1 air base."""

    unit: str = slot(WORD)
    payment: str = slot(PAYMENT, default=AUTO)


@order("build road at {at}[ paying from {payment}]", kind="road")
class BuildRoad(Order):
    """Every engineer in the next hex tries to carry the Ledo Road into it."""

    at: Where = slot(WHERE)
    payment: str = slot(PAYMENT, default=AUTO)


@order("exchange {tokens} T at {at} for buffaloes", kind="buffaloes")
class Buffaloes(Order):
    """Initial Japanese supply becomes water buffaloes."""

    at: Where = slot(WHERE)
    tokens: int = slot(INT)


# who can work ---------------------------------------------------------------------------------------------------------


@rule("ocs-series/13.8", "ocs-series/5.5")
def rested(piece: Piece) -> bool:
    """In Combat Mode, not moved in this phase, not DG."""
    return piece.mode == "combat" and not piece.spent and not piece.done and not piece.dg


@rule("ocs-series/13.8")
def engineer_capable(piece: Piece) -> bool:
    """An HQ or engineer in Combat Mode, or DG with its Combat side up."""
    return bridges(piece, "leg")


def no_such_builders(state: State, units: Sequence[str]) -> Iterator[Reason]:
    """Hard reasons: units not in play, of the other side, or off the map."""
    for unit in units:
        if unit not in state.pieces:
            yield because("not-in-play", what="unit", name=unit, hard=True)
        elif state.pieces[unit].counter.side != state.player:
            yield because("not-phasing", name=unit, player=state.player, hard=True)
        elif not isinstance(state.pieces[unit].at, int):
            yield because("in_box", unit=unit, at=state.pieces[unit].at, hard=True)


def no_such_hex(at: Where) -> Iterator[Reason]:
    """A hard reason: no hex of the map."""
    if not isinstance(at, int) or not 0 <= at < HEXES:
        yield because("no-such-hex", at=at, last=HEXES - 1, hard=True)


def _by_one(state: State, o: Any) -> Iterator[Reason]:
    return no_such_builders(state, (o.unit,))


def _hex_of(state: State, unit: str) -> int:
    at = state.pieces[unit].at
    assert isinstance(at, int)
    return at


@rule("ocs-series/13.8", "ocs-series/16")
def ready_to_dig(piece: Piece) -> bool:
    """Rested, or an engineer-capable unit that has not moved, for it may be DG."""
    return rested(piece) or (engineer_capable(piece) and not piece.spent and not piece.done)


def _tired(state: State, units: Sequence[str], fit: Callable[[Piece], bool] = rested) -> Iterator[Reason]:
    tired = tuple(u for u in units if not fit(state.pieces[u]))
    if tired:
        yield because("not-rested", rule="ocs-series/13.8", units=tired)


def stay(step: Step[State], units: Iterable[str]) -> None:
    """Builders move no more in this phase."""
    for unit in units:
        step.put("works", "pieces", unit, replace(step.state.pieces[unit], done=True))


# hedgehogs ------------------------------------------------------------------------------------------------------------


@rule("ocs/opt.2.3", "ocs-series/16", "ocs/opt.2")
def hedgehog_cost(state: State) -> int:
    """Tokens a level: 2 SP by Opt.2 and in v4.3, else 1 SP."""
    cost = state.rules.charts.supply_costs["hedgehog"]
    return cost if state.rules.version != "1999" or state.rules.has("opt2") else cost // 2


@rule("ocs-series/16", "ocs/2.9")
def can_fortify(pieces: Sequence[Piece]) -> bool:
    """An engineer-capable unit, or 1 RE: a regiment or brigade, or two battalions."""
    return any(engineer_capable(p) for p in pieces) or size_of(pieces) >= Fraction(1)


@rule("ocs/2.6d", "ocs-series/16")
def highest(side: str) -> int:
    """The highest level that a side may build: 1 for the Japanese."""
    return MOST[side]


def _fortify_impossible(state: State, o: Fortify) -> Iterator[Reason]:
    yield from no_such_hex(o.at)
    yield from no_such_builders(state, o.units)
    if len(set(o.units)) < len(o.units):
        yield because("no-amount", hard=True)


def _fortify_forbidden(state: State, o: Fortify) -> Iterator[Reason]:
    assert isinstance(o.at, int)
    yield from _no_level(state, o.at)
    absent = tuple(u for u in o.units if state.pieces[u].at != o.at)
    if absent:
        yield because("not-there", o.at, units=absent)
    yield from _tired(state, o.units, ready_to_dig)
    if not can_fortify([state.pieces[u] for u in o.units]):
        yield because("too-few-builders", rule="ocs-series/16", units=o.units)
    yield from payment_reasons(state, o.units, hedgehog_cost(state), "build", o.payment)


def _no_level(state: State, hex_: int) -> Iterator[Reason]:
    side, hog = state.player, state.hedgehogs.get(hex_)
    if hog is not None and hog.side != side:
        yield because("enemy-hedgehog", hex_, side=hog.side)
    if (hog.level if hog else 0) >= highest(side):
        rule_id = "ocs/2.6d" if side == "japanese" else "ocs-series/16"
        yield because("highest-level", hex_, rule=rule_id, side=side, level=highest(side))
    if hex_ in done_here(state, "fortify").hexes:
        yield because("level-a-turn", hex_, rule="ocs-series/16")


@rule("ocs-series/16", "ocs/opt.2.3")
def _fortify(step: Step[State], o: Fortify) -> None:
    assert isinstance(o.at, int)
    pay_for_works(step, o.units, hedgehog_cost(step.state), o.payment)
    old = step.state.hedgehogs.get(o.at)
    step.put("fortified", "hedgehogs", o.at, Hedgehog(step.state.player, (old.level if old else 0) + 1))
    stay(step, o.units)
    mark_done(step, "fortify", o.at, o.units)
    step.cite("ocs-series/16", "ocs/opt.2.3")


def pay_for_works(step: Step[State], units: Sequence[str], cost: int, text: str) -> None:
    """Pay for what units build, as the order says."""
    payment = choose(step.state, units, cost, "build", text)
    if payment is not None:  # none only where the rules are not enforced
        pay(step, payment)


@rule("ocs/2.6c", "ocs/1.13", "ocs-series/erratum.10")
def digs(rules: Rules, counter: Counter) -> bool:
    """Does a unit dig free hedgehogs: Japanese infantry battalions, by erratum 10 without the garrisons; never the INA?

    Without the erratum garrisons do, being infantry in all but name (1.13).
    """
    garrisons_too = not rules.corrects("erratum.10")
    able = counter.is_infantry_battalion and (garrisons_too or counter.type == "infantry")
    return counter.nationality == "japanese" and able


def _dig_forbidden(state: State, o: DigIn) -> Iterator[Reason]:
    """Only who digs, has not moved, and stands in no hedgehog."""
    counter, at = state.pieces[o.unit].counter, _hex_of(state, o.unit)
    if not digs(state.rules, counter):
        yield because("no-digger", rule="ocs/2.6c", unit=o.unit)
    yield from _tired(state, (o.unit,))
    if at in state.hedgehogs:
        yield because("hedgehog-there", at, rule="ocs/2.6d")


@rule("ocs/2.6c")
def _dig(step: Step[State], o: DigIn) -> None:
    step.put("fortified", "hedgehogs", _hex_of(step.state, o.unit), Hedgehog(step.state.player, 1))
    stay(step, (o.unit,))
    step.cite("ocs/2.6c")


def _raze_impossible(state: State, o: Raze) -> Iterator[Reason]:
    yield from no_such_builders(state, (o.unit,))
    piece = state.pieces.get(o.unit)
    if piece is not None and isinstance(piece.at, int) and piece.at not in state.hedgehogs:
        yield because("no-hedgehog", piece.at, hard=True)


@rule("ocs/opt.2.1", "ocs-series/16")
def most_razed(state: State, hex_: int) -> int:
    """Levels that may be taken down in a hex in a turn, whoever works there.

    One, and by Opt.2.1 two where the phasing player has an engineer-capable unit that stayed in the hex (series errata
    of 1997 on this option: the limit is that of the hex, not of each unit).
    """
    if not _by_option_2(state):
        return 1
    own = (p for p in stack(state, hex_) if p.counter.side == state.player)
    return 2 if any(engineer_capable(p) and not p.spent for p in own) else 1


def _by_option_2(state: State) -> bool:
    return state.rules.version == "1999" and state.rules.has("opt2")


@rule("ocs/opt.2.1", "ocs-series/16")
def _raze_forbidden(state: State, o: Raze) -> Iterator[Reason]:
    piece, at = state.pieces[o.unit], _hex_of(state, o.unit)
    hog = state.hedgehogs.get(at)
    most = min(most_razed(state, at), hog.level if hog else 0)
    if piece.spent or piece.done:
        yield because("not-rested", rule="ocs/opt.2.1", units=(o.unit,))
    elif not _by_option_2(state) and not razing_party(state, piece):
        yield because("too-few-builders", rule="ocs-series/16", units=(o.unit,))
    if hog is None:
        yield because("no-hedgehog", at)
    elif not 1 <= o.levels <= most:
        yield because("not-within", slot="levels", value=o.levels, low=1, high=most)
    if at in done_here(state, "raze").hexes:
        yield because("razed-already", at, rule="ocs/opt.2.1")


@rule("ocs-series/16")
def razing_party(state: State, piece: Piece) -> tuple[str, ...]:
    """Without Opt.2.1: the unit and those it needs beside it for 1 RE that rests there, or an engineer; else none."""
    if not ready_to_dig(piece) or not isinstance(piece.at, int):
        return ()
    party = [piece]
    for other in stack(state, piece.at):
        if can_fortify(party):
            break
        if other.id != piece.id and other.counter.side == piece.counter.side and ready_to_dig(other):
            party.append(other)
    return tuple(p.id for p in party) if can_fortify(party) else ()


@rule("ocs/opt.2.1", "ocs-series/16")
def _raze(step: Step[State], o: Raze) -> None:
    at = _hex_of(step.state, o.unit)
    hog = step.state.hedgehogs[at]
    left = hog.level - o.levels
    party = () if _by_option_2(step.state) else razing_party(step.state, step.state.pieces[o.unit])
    step.put("razed", "hedgehogs", at, Hedgehog(hog.side, left) if left > 0 else None)
    stay(step, party)
    mark_done(step, "raze", at, (o.unit,))
    step.cite("ocs/opt.2.1" if _by_option_2(step.state) else "ocs-series/16")


# airstrips ------------------------------------------------------------------------------------------------------------


@rule("ocs/1.8", "ocs/2.4a", "ocs/3.9b")
def builds_strips(piece: Piece) -> bool:
    """Allied and Japanese HQs above the division, and the 823 Engineers."""
    counter = piece.counter
    return (counter.is_hq and not counter.is_division_hq) or "airfield_builder" in counter.traits


@rule("ocs/1.8", "ocs/2.4a", "ocs/3.9b")
def builds_bases(piece: Piece) -> bool:
    """Engineer-capable units, but no Japanese Division HQ (2.4a)."""
    return engineer_capable(piece) and not piece.counter.is_division_hq


@rule("ocs/1.8")
def strip_cost(state: State, hex_: int) -> int:
    """1T, in jungle, rough or mountain 2T."""
    shut = state.board.terrain[hex_] in CLOSED_GROUND
    return state.rules.charts.supply_costs["airstrip_closed" if shut else "airstrip"]


def _lay_forbidden(state: State, o: LayAirstrip) -> Iterator[Reason]:
    at = _hex_of(state, o.unit)
    if not builds_strips(state.pieces[o.unit]):
        yield because("no-strip-builder", rule="ocs/1.8", unit=o.unit)
    yield from _tired(state, (o.unit,))
    if at in state.bases or (at, state.player) in state.markers.get(PENDING, ()):
        yield because("base-there", at, rule="ocs/1.8")
    yield from payment_reasons(state, (o.unit,), strip_cost(state, at), "build", o.payment)


@rule("ocs/1.8")
def _lay(step: Step[State], o: LayAirstrip) -> None:
    at = _hex_of(step.state, o.unit)
    pay_for_works(step, (o.unit,), strip_cost(step.state, at), o.payment)
    step.put("airstrip", "markers", PENDING, (*step.state.markers.get(PENDING, ()), (at, step.state.player)))
    stay(step, (o.unit,))
    step.cite("ocs/1.8")


@rule("ocs/1.8")
def open_strips(step: Step[State]) -> None:
    """End of the Movement Phase: the strips whose builders stayed can be used."""
    for at, side in step.state.markers.get(PENDING, ()):
        if at not in step.state.bases and any(p.counter.side == side for p in stack(step.state, at)):
            step.put("airstrip", "bases", at, Base(side, STRIP))
    step.put("airstrip", "markers", PENDING, None)
    step.close()


def _upgrade_forbidden(state: State, o: UpgradeAirstrip) -> Iterator[Reason]:
    at = _hex_of(state, o.unit)
    base = state.bases.get(at)
    if base is None or (base.side, base.level) != (state.player, STRIP):
        yield because("no-strip", at, rule="ocs/1.8")
    if not builds_bases(state.pieces[o.unit]):
        yield because("no-base-builder", rule="ocs/1.8", unit=o.unit)
    yield from _tired(state, (o.unit,))
    yield from payment_reasons(state, (o.unit,), _upgrade_cost(state), "build", o.payment)


def _upgrade_cost(state: State) -> int:
    return state.rules.charts.supply_costs["airstrip_upgrade"]


@rule("ocs/1.8")
def _upgrade(step: Step[State], o: UpgradeAirstrip) -> None:
    pay_for_works(step, (o.unit,), _upgrade_cost(step.state), o.payment)
    step.put("upgraded", "bases", _hex_of(step.state, o.unit), Base(step.state.player, LEVEL_1))
    stay(step, (o.unit,))
    step.cite("ocs/1.8")


# the Ledo Road --------------------------------------------------------------------------------------------------------


@rule("ocs/3.9a")
def road_gang(state: State, hex_: int) -> tuple[str, ...]:
    """Engineers in a hex that can work on the road now, by id; empty without a regiment that builds roads."""
    gang = [p for p in stack(state, hex_) if p.counter.type == "engineer" and p.counter.side == "allied" and rested(p)]
    return tuple(p.id for p in gang) if any("road" in p.counter.traits for p in gang) else ()


@rule("ocs/3.9a", "ocs/3.8")
def next_road_hexes(state: State) -> tuple[int, ...]:
    """Hexes beside the road head, with a road or track, into which the finished road would go on."""
    board, head = state.board, state.markers.get("road_head")
    if head is None:
        return ()
    done, near = ledo_road(board, head), board.grid.adjacent[head]
    return tuple(n for n in near if n not in done and ledo_road(board, n) == (*done, n))


@rule("ocs/table.ledo-road")
def road_roll(state: State, hex_: int, engineers: int) -> tuple[int, int]:
    """What the dice need to build a hex, and what is added to them."""
    board, charts = state.board, state.rules.charts
    terrain = charts.terrain[board.terrain[hex_]]
    has_road = hex_ in board.roads
    needs = charts.ledo_building[terrain.category_road if has_road and terrain.category_road else terrain.category]
    drms = {row["name"]: int(row["drm"]) for row in charts.rows("ledo_modifiers")}
    wet = drms["quagmire_flood"] if state.ground in ("quagmire", "flood") else 0
    return needs, engineers * drms["engineer"] + wet + (0 if has_road else drms["track"])


def _road_impossible(state: State, o: BuildRoad) -> Iterator[Reason]:
    yield from no_such_hex(o.at)
    if state.player != "allied":
        yield because("not-phasing", name="The Ledo Road", player=state.player, hard=True)
    if isinstance(o.at, int) and 0 <= o.at < HEXES and state.board.terrain[o.at] in ("off", "lake"):
        yield because("off-terrain", o.at, hard=True)


def _road_forbidden(state: State, o: BuildRoad) -> Iterator[Reason]:
    assert isinstance(o.at, int)
    gang = road_gang(state, o.at)
    if o.at not in next_road_hexes(state):
        yield because("road-not-joined", o.at, rule="ocs/3.9a")
    if not gang:
        yield because("no-road-gang", o.at, rule="ocs/3.9a")
    else:
        cost = state.rules.charts.supply_costs["ledo_attempt"]
        yield from payment_reasons(state, gang, cost, "build", o.payment)


@rule("ocs/3.9a", "ocs/table.ledo-road", "ocs-series/erratum.12")
def _build_road(step: Step[State], o: BuildRoad) -> None:
    """A roll of the stream `supply` with all engineers in the hex; several hexes a phase if each joins the road.

    The table says two dice; its example is made with one, and so says the erratum.
    """
    assert isinstance(o.at, int)
    gang = road_gang(step.state, o.at)
    needs, drm = road_roll(step.state, o.at, len(gang))
    pay_for_works(step, gang, step.state.rules.charts.supply_costs["ledo_attempt"], o.payment)
    stay(step, gang)
    dice = 1 if step.state.rules.corrects("erratum.12") else 2
    if step.roll("supply", dice).sum + drm >= needs:
        step.put("road built", "markers", "road_head", o.at)
    step.cite("ocs/3.9a", "ocs/table.ledo-road")


# water buffaloes ------------------------------------------------------------------------------------------------------


def _buffalo_impossible(state: State, o: Buffaloes) -> Iterator[Reason]:
    dump = state.dumps.get(o.at)
    if dump is None or dump.side != "japanese":
        yield because("no-dump", *([o.at] if isinstance(o.at, int) else []), side="japanese", hard=True)
    elif not 1 <= o.tokens <= dump.tokens:
        yield because("not-within", slot="tokens", value=o.tokens, low=1, high=dump.tokens, hard=True)


@rule("ocs/2.5d")
def buffaloes_left(state: State) -> int:
    """Tokens that may still be exchanged: 10T in the scenarios that allow it."""
    herd = sum(t.size for t in state.transport.values() if t.kind == "buffalo" and t.side == "japanese")
    return max(0, script(state).buffalo - herd)


def _buffalo_forbidden(state: State, o: Buffaloes) -> Iterator[Reason]:
    left = buffaloes_left(state)
    if state.player != "japanese":
        yield because("not-phasing", name="japanese supply", player=state.player)
    if o.tokens > left:
        yield because("too-many-buffaloes", rule="ocs/2.5d", left=left, tokens=o.tokens)


@rule("ocs/2.5d")
def _exchange(step: Step[State], o: Buffaloes) -> None:
    add(step, "japanese", o.at, -o.tokens, "exchanged")
    name = fresh_name(step.state, "japanese", "buffalo")
    step.put("exchanged", "transport", name, Transport(name, "japanese", "buffalo", o.tokens, o.at, o.tokens))
    step.cite("ocs/2.5d")


# choices --------------------------------------------------------------------------------------------------------------

Forbidden = Callable[[State, Any], Iterator[Reason]]
_ONE_UNIT: dict[str, tuple[Callable[[str], Order], Forbidden]] = {
    "dig-in": (DigIn, _dig_forbidden),
    "raze": (lambda unit: Raze(unit, 1), _raze_forbidden),
    "airstrip": (LayAirstrip, _lay_forbidden),
    "upgrade": (UpgradeAirstrip, _upgrade_forbidden),
}


def _choices(state: State, partial: Partial, slot_: str) -> Iterable[Choice] | None:
    kind = partial.kind
    if slot_ == "unit":
        make, forbidden = _ONE_UNIT[kind]
        here = sorted(p.id for p in state.units(state.player) if isinstance(p.at, int))
        return [Choice(u, state.pieces[u].counter.label) for u in here if not list(forbidden(state, make(u)))]
    if slot_ == "levels":
        unit = partial.values["unit"]
        return [Choice(n, f"{n}") for n in (1, 2) if not list(_raze_forbidden(state, Raze(unit, n)))]
    if slot_ == "payment":
        return _payments(state, partial)
    if kind == "fortify":
        return _fortify_choices(state, partial, slot_)
    if kind == "road":
        return [_hex(state, h) for h in next_road_hexes(state) if not list(_road_forbidden(state, BuildRoad(h)))]
    return _buffalo_choices(state, partial, slot_)


def _hex(state: State, hex_: int) -> Choice:
    return Choice(hex_, state.board.label(hex_), hexes=(hex_,))


def _payments(state: State, partial: Partial) -> list[Choice]:
    values = partial.values
    if partial.kind == "fortify":
        return payment_choices(state, values.get("units", ()), hedgehog_cost(state), "build")
    if partial.kind == "road":
        cost = state.rules.charts.supply_costs["ledo_attempt"]
        return payment_choices(state, road_gang(state, values["at"]), cost, "build")
    unit = values["unit"]
    cost = strip_cost(state, _hex_of(state, unit)) if partial.kind == "airstrip" else _upgrade_cost(state)
    return payment_choices(state, (unit,), cost, "build")


def builders(state: State, hex_: int) -> list[str]:
    """Units of the phasing player that could fortify a hex together, by id; empty when they are too few."""
    here = [p for p in stack(state, hex_) if p.counter.side == state.player and ready_to_dig(p)]
    if not can_fortify(here) or list(_no_level(state, hex_)):
        return []
    cost = hedgehog_cost(state)
    return [p.id for p in here if choose(state, (p.id,), cost, "build") is not None]


def _fortify_choices(state: State, partial: Partial, slot_: str) -> list[Choice]:
    if slot_ == "at":
        found = sorted(stacks(state))
        return [_hex(state, h) for h in found if can_fortify([state.pieces[u] for u in builders(state, h)])]
    taken = partial.values.get("units", ())
    return [Choice(u, state.pieces[u].counter.label) for u in builders(state, partial.values["at"]) if u not in taken]


def _buffalo_choices(state: State, partial: Partial, slot_: str) -> list[Choice]:
    left = buffaloes_left(state) if state.player == "japanese" else 0
    if slot_ == "at":
        dumps = sorted(h for h, d in state.dumps.items() if d.side == "japanese" and isinstance(h, int))
        return [_hex(state, h) for h in dumps] if left else []
    dump = state.dumps.get(partial.values["at"])
    return [Choice(n, f"{n} T") for n in range(min(left, dump.tokens) if dump else 0, 0, -1)]


_RULES: dict[type[Order], OrderRules[State]] = {
    Fortify: OrderRules(_fortify_impossible, _fortify_forbidden, _fortify, _choices),
    DigIn: OrderRules(_by_one, _dig_forbidden, _dig, _choices),
    Raze: OrderRules(_raze_impossible, _raze_forbidden, _raze, _choices),
    LayAirstrip: OrderRules(_by_one, _lay_forbidden, _lay, _choices),
    UpgradeAirstrip: OrderRules(_by_one, _upgrade_forbidden, _upgrade, _choices),
    BuildRoad: OrderRules(_road_impossible, _road_forbidden, _build_road, _choices),
    Buffaloes: OrderRules(_buffalo_impossible, _buffalo_forbidden, _exchange, _choices),
}
_PROCEDURES: dict[str, Procedure] = {"open_strips": open_strips}
_PHASES = {"movement": ("fortify", "dig-in", "raze", "airstrip", "upgrade", "road"), "setup": ("buffaloes",)}
_NEEDS = {"buffaloes": lambda state: state.player == "japanese" and script(state).buffalo > 0}
WORKS = Room(
    "works",
    _RULES,
    _PHASES,
    _PROCEDURES,
    _NEEDS,
    idle={"setup": lambda state: state.player != "japanese" or not buffaloes_left(state)},
    leaves={"movement": ("open_strips",)},
)
