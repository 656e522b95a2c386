"""Paying with supply points: from which store, by which HQ, or from internal stocks (OCS 12.3-12.5, 12.10).

A way of payment is written in an order as `A7.09`, `A7.09 by 4 Corps HQ`, `A7.09 and A6.10` (the first as far as it
goes), `stocks`, `A7.09 and stocks` (a defence for which there are too few tokens), or `auto`, which is the first way
that `ways_to_pay` gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from burma_study.engine.game import Choice
from burma_study.engine.memo import hand_on, remembered
from burma_study.engine.orders import Slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.step import Step
from burma_study.errors import BurmaStudyError
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import counters
from burma_study.rules.ocs.orders import WHERE
from burma_study.rules.ocs.state import Dump, Piece, State, Transport, Where
from burma_study.rules.ocs.supply.net import Net
from burma_study.rules.ocs.supply.on_map import OnMap
from burma_study.rules.ocs.supply.trace import Picture

USES = ("attack", "defence", "fuel", "barrage", "refit", "build", "eat", "refill")
FROM_STOCKS = ("attack", "defence")  # combat supply only (OCS 12.10)
AUTO, STOCKS = "auto", "stocks"
LANDED = "set_down"  # marker: turn, player, phase and pairs of a place and the tokens set down there in it
Source = tuple[Where, str]  # a store and the id of the HQ that throws from it, or ""


@dataclass(frozen=True, slots=True)
class Portion:
    """Tokens from one store: `draw_cost` and `throw_cost` in twelfths of an MP, `hq` when thrown."""

    store: Where
    hq: str
    tokens: int
    draw_cost: int = 0
    throw_cost: int = 0

    @property
    def text(self) -> str:
        """As an order writes it: `A7.09 by 4 Corps HQ`."""
        return WHERE.write(self.store) + (f" by {counters()[self.hq].label}" if self.hq else "")


@dataclass(frozen=True, slots=True)
class Payment:
    """How `tokens` are paid: in portions from stores, or by a use of the internal stocks of each unit of `stocks`.

    Where tokens are too few for a defence both are used: the tokens feed the units of `fed`, their stocks the others.
    """

    side: str
    use: str
    tokens: int
    portions: tuple[Portion, ...] = ()
    stocks: tuple[str, ...] = ()
    fed: tuple[str, ...] = ()

    @property
    def store(self) -> Where | None:
        """The first store; None when nothing or internal stocks pay."""
        return self.portions[0].store if self.portions else None

    @property
    def hq(self) -> str:
        """The HQ that throws the first portion, or empty."""
        return self.portions[0].hq if self.portions else ""

    @property
    def text(self) -> str:
        """As an order writes it."""
        return " and ".join([p.text for p in self.portions] + [STOCKS] * bool(self.stocks)) or AUTO


# how it is written ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _hq_labels() -> dict[str, str]:
    return {c.label: c.id for c in counters().values() if c.is_hq}


def _pattern() -> str:
    labels = "|".join(map(re.escape, sorted(_hq_labels(), key=len, reverse=True)))
    one = rf"(?:{WHERE.pattern})(?: by (?:{labels}))?"
    return rf"{AUTO}|{STOCKS}|{one}(?: and {one})*(?: and {STOCKS})?"


PAYMENT = Slot("payment", _pattern(), str, str)


def sources_of(text: str) -> tuple[Source, ...]:
    """The stores and HQs that a written payment names; empty for `auto` and `stocks`."""
    parts = (part.partition(" by ") for part in text.split(" and ") if part not in (AUTO, STOCKS))
    return tuple((WHERE.read(store), _hq_labels().get(hq, hq)) for store, _, hq in parts)


# what can be reached --------------------------------------------------------------------------------------------------


@remembered("pieces", "rules", "markers")
def _reach(state: State, side: str, hexes: frozenset[int]) -> OnMap:
    """Who reaches which of the stores in `hexes`; how much lies there is not looked at."""
    return OnMap(Picture(Net(state, side), MappingProxyType({})), hexes)


def reach(state: State, side: str, also: Iterable[Where] = ()) -> OnMap:
    """Who reaches the side's stores, and the places in `also` though nothing lies there; for ways, not for amounts."""
    return _reach(state, side, _stores(state, side, also))


def ways_stay(before: State, after: State, side: str, also: Iterable[Where] = ()) -> None:
    """A meal moves nobody: who reaches the stores of `before` and the places in `also` is as it was."""
    hand_on(_reach, before, after, side, _stores(before, side, also))


def _stores(state: State, side: str, also: Iterable[Where]) -> frozenset[int]:
    held = {h for h, d in state.dumps.items() if d.side == side and isinstance(h, int) and d.tokens}
    held |= {t.at for t in state.transport.values() if t.side == side and isinstance(t.at, int) and t.load}
    return frozenset(held | {h for h in also if isinstance(h, int)})


@rule("ocs-series/12.1", "ocs/2.5d")
def tokens_at(state: State, side: str, where: Where, use: str = "attack") -> int:
    """Tokens of a side in a hex or box, dump and loads together; water buffaloes count for eating only."""
    dump = state.dumps.get(where)
    ground = dump.tokens if dump is not None and dump.side == side else 0
    return ground + sum(t.load for t in loads_at(state, side, where, use))


def loads_at(state: State, side: str, where: Where, use: str = "attack") -> list[Transport]:
    """Loaded transport of a side in a hex or box that may pay, by id; for eating the buffaloes come first."""
    found = [t for t in state.transport.values() if t.at == where and t.side == side and t.load]
    found = [t for t in found if use == "eat" or t.kind != "buffalo"]
    return sorted(found, key=lambda t: (t.kind != "buffalo", t.id))


def _draws(state: State, unit: str, also: Iterable[Where] = (), use: str = "") -> dict[Source, Portion]:
    """Every store that a unit reaches for a use, cheapest first; in a holding box what lies in the box."""
    piece = state.pieces[unit]
    if not isinstance(piece.at, int):
        return {(piece.at, ""): Portion(piece.at, "", 0)}
    return _draws_of(reach(state, piece.counter.side, also), piece, use)


def _draws_of(stores: OnMap, piece: Piece, use: str) -> dict[Source, Portion]:
    found: dict[Source, Portion] = {}
    for w in stores.ways(piece, use):
        found.setdefault((w.store, w.hq), Portion(w.store, w.hq, 0, w.draw_cost, w.cost if w.hq else 0))
    return found


def stores_in_reach(state: State, units: Sequence[str], also: Iterable[Where] = (), use: str = "") -> list[Portion]:
    """Stores (and places in `also`) that every one of the units reaches in the same way, the cheapest first.

    `use` is one of USES: fuel is drawn where other tokens are not (an HQ in Strat or Reserve Mode, 1999).
    """
    each = [_draws(state, unit, also, use) for unit in units]
    shared = [k for k in each[0] if all(k in other for other in each[1:])] if each else []
    dearest = [_dearest([draws[k] for draws in each]) for k in shared]
    return sorted(dearest, key=_by_cost)


def _dearest(portions: list[Portion]) -> Portion:
    draw, throw = max(p.draw_cost for p in portions), max(p.throw_cost for p in portions)
    return replace(portions[0], draw_cost=draw, throw_cost=throw)


# ways -----------------------------------------------------------------------------------------------------------------


@rule("ocs-series/12.3", "ocs-series/12.4", "ocs-series/12.10", "ocs/3.7a", "ocs/2.5a", "ocs/3.7b")
def ways_to_pay(state: State, units: Sequence[str], cost: int, use: str) -> tuple[Payment, ...]:
    """Every way in which units of one side can pay `cost` tokens together, the cheapest first; empty when they cannot.

    `use` is one of USES. A store must be in reach of every one of the units. When no single store has enough, the
    nearest ones are joined. Internal stocks are a way only for combat supply, and only when no tokens are in reach.
    """
    if use not in USES:
        raise BurmaStudyError(f"{use!r} is no use of supply; uses are {', '.join(USES)}.")
    side = state.pieces[units[0]].counter.side if units else ""
    if cost <= 0:
        return (Payment(side, use, 0),)
    found = _pay_from(state, side, stores_in_reach(state, units, use=use), cost, use)
    return found or _from_stocks(state, side, units, cost, use)


@rule("ocs-series/12.3a", "ocs-series/15.1")
def ways_at(state: State, side: str, where: Where, cost: int, use: str) -> tuple[Payment, ...]:
    """As `ways_to_pay` for something in a hex that is no unit, such as an air base: Truck MP, any HQ of the side."""
    if cost <= 0:
        return (Payment(side, use, 0),)
    if not isinstance(where, int):
        return _pay_from(state, side, [Portion(where, "", 0)], cost, use)
    portions = [
        Portion(w.store, w.hq, 0, w.draw_cost, w.cost if w.hq else 0) for w in reach(state, side).ways_at(where)
    ]
    return _pay_from(state, side, portions, cost, use)


def _pay_from(state: State, side: str, portions: Iterable[Portion], cost: int, use: str) -> tuple[Payment, ...]:
    there = [(p, tokens_at(state, side, p.store, use)) for p in portions]
    rich = [Payment(side, use, cost, (replace(p, tokens=cost),)) for p, tokens in there if tokens >= cost]
    joined = None if rich else _joined(there, cost)
    return tuple(rich) if joined is None else (Payment(side, use, cost, joined),)


def _joined(there: Iterable[tuple[Portion, int]], cost: int) -> tuple[Portion, ...] | None:
    """Portions from several stores in turn, each store once; None when all together have too little."""
    taken: dict[Where, Portion] = {}
    for portion, tokens in there:
        if cost and tokens and portion.store not in taken:
            part = min(cost, tokens)
            taken[portion.store] = replace(portion, tokens=part)
            cost -= part
    return None if cost else tuple(taken.values())


@rule("ocs-series/12.10")
def _from_stocks(state: State, side: str, units: Sequence[str], cost: int, use: str) -> tuple[Payment, ...]:
    if use not in FROM_STOCKS or not all(state.pieces[u].stocks > 0 for u in units):
        return ()
    if any(tokens_at(state, side, store) for u in units for store, _ in _draws(state, u)):
        return ()
    return (Payment(side, use, cost, stocks=tuple(units)),) if units else ()


@rule("ocs-series/12.10", "ocs-series/12.4")
def made_up(state: State, units: Sequence[str], cost: int) -> Payment | None:
    """How a defence is paid where no unit alone reaches `cost` tokens: with all that any of them reaches, then stocks.

    Too few tokens supply 1 RE for 1T, those without stocks first; the others live on their own stocks (12.10a, g). Who
    is in neither list of the payment fights unsupplied. None when there is nothing at all.
    """
    side = state.pieces[units[0]].counter.side if units else ""
    each = [p for u in units for p in stores_in_reach(state, [u])]
    there = [(p, tokens_at(state, side, p.store)) for p in sorted(each, key=_by_cost)]
    tokens = min(cost, sum({p.store: held for p, held in there}.values()))
    portions = _joined(there, tokens) or ()
    if tokens == cost:
        return Payment(side, "defence", cost, portions)
    fed = _fed_by(state, units, tokens)
    stocks = tuple(u for u in units if u not in fed and state.pieces[u].stocks)
    return Payment(side, "defence", tokens or cost, portions, stocks, fed) if portions or stocks else None


def _by_cost(portion: Portion) -> tuple[bool, int, str, str]:
    return portion.hq != "", portion.draw_cost + portion.throw_cost, str(portion.store), portion.hq


def _fed_by(state: State, units: Sequence[str], tokens: int) -> tuple[str, ...]:
    """The units, 1 RE in all, that tokens too few for the whole defence supply: without stocks first, then stronger."""
    if tokens < state.rules.charts.supply_costs["defence_small"]:
        return ()
    fed: list[str] = []
    for unit in sorted(units, key=lambda u: (state.pieces[u].stocks, -(state.pieces[u].printed.attack or 0))):
        if sum(state.pieces[u].counter.re for u in (*fed, unit)) <= 1:
            fed.append(unit)
    return tuple(fed)


def choose(state: State, units: Sequence[str], cost: int, use: str, text: str = AUTO) -> Payment | None:
    """The payment that an order's text names, None when it is not open to the units."""
    ways = ways_to_pay(state, units, cost, use)
    if text == AUTO:
        return ways[0] if ways else None
    named = next((w for w in ways if w.text == text), None)
    if named is not None or not units or text.endswith(STOCKS):
        return named
    side = state.pieces[units[0]].counter.side
    known = {(p.store, p.hq): p for p in stores_in_reach(state, units, use=use)}
    asked = sources_of(text)
    if not all(a in known for a in asked):
        return None
    there = [(known[a], tokens_at(state, side, a[0], use)) for a in asked]
    joined = _joined(there, cost)
    return None if joined is None else Payment(side, use, cost, joined)


def payment_reasons(state: State, units: Sequence[str], cost: int, use: str, text: str = AUTO) -> Iterator[Reason]:
    """Why the units cannot pay in the way that an order names; nothing when they can."""
    if choose(state, units, cost, use, text) is not None:
        return
    ways = ways_to_pay(state, units, cost, use)
    if not ways:
        yield because("cannot-pay", rule="ocs-series/12.3", units=tuple(units), tokens=cost, use=use)
    else:
        known = (AUTO, *(w.text for w in ways))
        yield because("no-such-payment", rule="ocs-series/12.3", text=text, tokens=cost, ways=known)


def payment_choices(state: State, units: Sequence[str], cost: int, use: str) -> list[Choice]:
    """The ways as choices of a slot; `cost` in tokens."""
    return [Choice(w.text, f"{cost} T from {w.text}", cost) for w in ways_to_pay(state, units, cost, use)]


# paying ---------------------------------------------------------------------------------------------------------------


def pay(step: Step[State], payment: Payment) -> None:
    """Take the tokens: from the dump in the hex first, then from loads there by id; or lower each unit's stocks."""
    for unit in payment.stocks:
        piece = step.state.pieces[unit]
        step.put("stocks", "pieces", unit, replace(piece, stocks=piece.stocks - 1))
    for portion in payment.portions:
        take(step, payment.side, portion.store, portion.tokens, payment.use)
    step.cite(*["ocs-series/12.3"] * bool(payment.portions), *["ocs-series/12.10"] * bool(payment.stocks))


@rule("ocs/2.5d")
def take(step: Step[State], side: str, where: Where, tokens: int, use: str = "attack", kind: str = "spent") -> None:
    """Remove tokens of a side from a hex or box; BurmaStudyError when there are too few."""
    if tokens_at(step.state, side, where, use) < tokens:
        raise BurmaStudyError(f"There are fewer than {tokens} T at {WHERE.write(where)}.")
    if use == "eat":
        herd = [t for t in loads_at(step.state, side, where, use) if t.kind == "buffalo"]
        tokens -= _take_loads(step, herd, tokens, kind)
    dump = step.state.dumps.get(where)
    if tokens and dump is not None and dump.side == side:
        part = min(tokens, dump.tokens)
        add(step, side, where, -part, kind)
        _use_landed(step, where, part)
        tokens -= part
    _take_loads(step, loads_at(step.state, side, where), tokens, kind)


@rule("ocs-series/12.2a")
def _use_landed(step: Step[State], where: Where, tokens: int) -> None:
    """What is used first is what was set down here in this phase (12.2b): the rest may still be loaded."""
    *when, pairs = step.state.markers.get(LANDED, (0, "", "", ()))
    down = dict(pairs)
    if down.get(where) and tuple(when) == (step.state.turn, step.state.player, step.state.phase):
        down[where] = max(0, down[where] - tokens)
        step.put("landed", "markers", LANDED, (*when, tuple(sorted(down.items(), key=lambda kv: str(kv[0])))))


def _take_loads(step: Step[State], carriers: Iterable[Transport], tokens: int, kind: str) -> int:
    taken = 0
    for points in carriers:
        part = min(points.load, tokens - taken)
        if part:
            put_load(step, points, points.load - part, kind)
            taken += part
    return taken


def put_load(step: Step[State], points: Transport, load: int, kind: str) -> None:
    """Change what transport carries; water buffaloes are their own load and go with it."""
    left = replace(points, load=load, size=load if points.kind == "buffalo" else points.size)
    step.put(kind, "transport", points.id, left if left.size else None)


def add(step: Step[State], side: str, where: Where, tokens: int, kind: str = "dump") -> None:
    """Add tokens to the dump in a hex or box (negative: take them away); an empty dump goes."""
    if tokens:
        old = step.state.dumps.get(where)
        if old is not None and old.side != side and tokens > 0:  # only where the rules are not enforced
            step.put("destroyed", "dumps", where, None)
        total = tokens + (old.tokens if old is not None and old.side == side else 0)
        step.put(kind, "dumps", where, Dump(side, total) if total else None)
