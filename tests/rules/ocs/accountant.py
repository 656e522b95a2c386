"""An accountant: what each kind of event may do to tokens, transport points and steps; what it does not know is wrong.

Tokens lie in dumps, on transport and in a side's income that waits to be placed; points are transport by side and kind;
steps are those of units and aircraft, in play or on a pile. The words of the tables:

    same     nothing changes
    down     spent or lost for good
    moved    with all else that moved in the record it comes to nothing, side by side
    shared   taken by one side from the other: no more is gained than was lost
    up       comes from outside: a schedule, a table, an exchange
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from burma_study.engine.records import STATE, Event, Record
from burma_study.rules.ocs.air.fly_in import lift_tokens
from burma_study.rules.ocs.state import Aircraft, Dump, Piece, State, Transport
from burma_study.rules.ocs.turn.script import script

SAME, DOWN, MOVED, SHARED, UP = "same", "down", "moved", "shared", "up"
PLAY = "play"
PILES = ("dead", "dead_bn", "gone", "later")
AWAY = ("off_map", "arakan")


class Goods(NamedTuple):
    """What an event does to tokens and to transport points."""

    tokens: str = SAME
    points: str = SAME


DUMPS = {
    **dict.fromkeys(("spent", "blown", "destroyed"), Goods(DOWN)),
    **dict.fromkeys(("loaded", "unloaded", "freight", "flown in", "arrived", "exchanged"), Goods(MOVED)),
    "captured": Goods(SHARED),
}
TRANSPORT = {
    **dict.fromkeys(("handling", "moved", "cleaned", "fresh", "extender", "displaced", "moved on", "stopped"), Goods()),
    **dict.fromkeys(("spent", "blown"), Goods(DOWN)),
    **dict.fromkeys(("loaded", "unloaded", "railed"), Goods(MOVED)),
    **dict.fromkeys(("split", "merged"), Goods(MOVED, MOVED)),
    "destroyed": Goods(DOWN, DOWN),
    "captured": Goods(SHARED, SHARED),
    "flown in": Goods(DOWN, DOWN),
    "exchanged": Goods(MOVED, UP),
    "arrived": Goods(UP, UP),
}
GOODS = {"dumps": DUMPS, "transport": TRANSPORT}
INCOME = {"marker": MOVED, "lost": DOWN}  # events of the marker `income/<side>`

STAY = (
    *("moved", "moved on", "mode", "works", "fuelled", "stocks", "refilled", "released", "roused"),
    *("disorganised", "retreated", "advanced", "exploit", "stopped", "goes on", "overruns", "railed", "no trace"),
    *("out of supply", "in supply"),
)
Way = tuple[str, str]  # from where to where: in play, a pile, away, or "" for not yet seen
PIECES: dict[str, tuple[Way, ...]] = {
    **dict.fromkeys(STAY, ((PLAY, PLAY),)),
    **dict.fromkeys(("fresh", "cleaned"), tuple((w, w) for w in (PLAY, *AWAY))),
    "step lost": ((PLAY, PLAY),),
    "destroyed": tuple((PLAY, pile) for pile in PILES),
    "withdrawn": ((PLAY, "gone"),),
    "came home": ((PLAY, "gone"),),
    "out of play": (("dead", "gone"),),
    "returned": ((PLAY, PLAY), ("", PLAY)),
    "arrived": (("", PLAY), ("", "arakan"), ("dead", PLAY), ("dead_bn", PLAY), ("later", PLAY)),
    "rebuilt": (("dead", PLAY),),
    "left the map": ((PLAY, "off_map"),),
    "came back": (("off_map", PLAY),),
    "flown in": ((PLAY, PLAY), ("arakan", PLAY)),
}
AIR_STAY = ("on station", "landed", "transferred", "intercepts", "disorganised", "refused", "refitted", "cleaned")
AIRCRAFT: dict[str, tuple[Way, ...]] = {
    **dict.fromkeys(AIR_STAY, ((PLAY, PLAY),)),
    **dict.fromkeys(("step lost", "joined", "made up"), ((PLAY, PLAY),)),
    "lost": ((PLAY, "dead"),),
    "arrived": (("", PLAY), ("dead", PLAY)),
    "rebuilt": (("dead", PLAY), ("", PLAY)),
}
UNITS = {"pieces": PIECES, "aircraft": AIRCRAFT}
STEPS = {
    ("pieces", "step lost"): -1,
    ("aircraft", "step lost"): -1,
    ("aircraft", "joined"): 1,
    ("aircraft", "made up"): 1,
}
NEWLY = ("arrived", "rebuilt", "returned", "destroyed", "lost")  # a unit that goes or comes whole


def audit(before: State, after: State, record: Record) -> list[str]:
    """What is wrong with an order's books, in sentences; nothing where every token, point and step is accounted for."""
    return [
        *_unknown(record),
        *_overwritten(record),
        *_goods(record),
        *_scheduled(before, record),
        *_over_the_hump(before, after, record),
        *(fault for e in record.events if e.table in UNITS for fault in _unit(e)),
        *_pairs(record),
        *_totals(before, after, record),
    ]


def _unknown(record: Record) -> Iterator[str]:
    for e in record.events:
        known = {**GOODS, **UNITS}.get(e.table)
        if known is not None and e.kind not in known:
            yield f"the accountant does not know {e.kind!r} of {e.table} ({e.key})"
        if _is_income(e) and e.kind not in INCOME:
            yield f"the accountant does not know {e.kind!r} of {e.key}"


def _is_income(e: Event) -> bool:
    return e.table == "markers" and str(e.key).startswith("income/")


# names ----------------------------------------------------------------------------------------------------------------


def _overwritten(record: Record) -> Iterator[str]:
    """Pieces put where another of that name stood, or under a name that is not their own."""
    for e in record.events:
        if e.table in ("pieces", "aircraft", "transport") and e.new is not None and e.new.id != e.key:
            yield f"{e.new.id} stands under {e.key}"
        if e.table == "transport" and e.old is not None and e.new is not None:
            another = (e.new.side, e.new.kind) != (e.old.side, e.old.kind)
            if another or e.kind in ("arrived", "exchanged") or (e.new.size > e.old.size and e.kind != "merged"):
                yield f"{e.kind} puts another in the place of {e.key}"


# goods ----------------------------------------------------------------------------------------------------------------


def worth(e: Event) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """Tokens by side, and points by side and kind, that an event adds (negative: takes away)."""
    tokens: Counter[str] = Counter()
    points: Counter[tuple[str, str]] = Counter()
    for value, sign in ((e.old, -1), (e.new, 1)):
        match value:
            case Dump():
                tokens[value.side] += sign * value.tokens
            case Transport():
                tokens[value.side] += sign * value.load
                points[value.side, value.kind] += sign * value.size
            case int() if _is_income(e):
                tokens[str(e.key).removeprefix("income/")] += sign * value
    return tokens, points


def _goods(record: Record) -> Iterator[str]:
    sums: dict[str, Counter[Any]] = {
        f"{what} {word}": Counter() for what in ("T", "points") for word in (MOVED, SHARED)
    }
    for e in record.events:
        rule = Goods(INCOME.get(e.kind, SAME)) if _is_income(e) else GOODS.get(e.table, {}).get(e.kind, Goods())
        for what, word, change in zip(("T", "points"), rule, worth(e), strict=True):
            if e.kind == "flown in" and e.table == "dumps" and record.order.kind == "hump":
                word = UP
            if word == MOVED and _is_income(e) and change.total() > 0:
                word = UP
                if not any(other.table == STATE and other.key == "phase" for other in record.events):
                    yield f"{e.key} grows though no phase begins"
            if word in (MOVED, SHARED):
                sums[f"{what} {word}"].update(change)
            else:
                yield from _by_word(e, what, word, change)
    yield from _summed(record, sums)


def _by_word(e: Event, what: str, word: str, change: Counter[Any]) -> Iterator[str]:
    low, high = min(change.values(), default=0), max(change.values(), default=0)
    herd = e.table == "transport" and e.kind in ("spent", "blown") and "buffalo" in str(e.key)
    if word == SAME and (low or high) and not (what == "points" and herd and high <= 0):
        yield f"{e.kind} of {e.key} changes {what}: {dict(change)}"
    if (word == DOWN and high > 0) or (word == UP and low < 0):
        yield f"{e.kind} of {e.key} goes the wrong way in {what}: {dict(change)}"


def _summed(record: Record, sums: dict[str, Counter[Any]]) -> Iterator[str]:
    for name, change in sums.items():
        wrong = {k: n for k, n in change.items() if (n > 0 if _may_lose(record, name) else n)}
        if name.endswith(MOVED) and wrong:
            yield f"what was {name} does not come to nothing: {wrong}"
        gained = Counter[Any]()
        for key, n in change.items():
            gained[key[1] if isinstance(key, tuple) else ""] += n  # transport of one kind is shared out by itself
        if name.endswith(SHARED) and max(gained.values(), default=0) > 0:
            yield f"more was {name} than there was: {dict(change)}"


def _may_lose(record: Record, name: str) -> bool:
    """Dice for what drops or glides, and the railway to Ledo (3.1b), lose tokens on the way."""
    dropped = any(r.stream == "air" for r in record.rolls)
    return name.startswith("T") and (dropped or "ocs/3.1b" in record.rules)


def _scheduled(before: State, record: Record) -> Iterator[str]:
    """Transport from outside comes with a unit that brings it, as large and as loaded as the schedule says."""
    units = {e.key for e in record.events if (e.table, e.kind) == ("pieces", "arrived")}
    brought = Counter((x.mule, x.loaded) for x in script(before).entries if x.mule and x.unit in units)
    came = [e for e in record.events if (e.table, e.kind) == ("transport", "arrived")]
    if Counter((e.new.size, e.new.load) for e in came) - brought:
        yield f"transport comes that no unit brings: {[e.key for e in came]}"
    for e in record.events:
        if (e.table, e.kind) == ("transport", "exchanged") and (e.new.kind, e.new.size) != ("buffalo", e.new.load):
            yield f"{e.key} is no herd that is its own load"


def _over_the_hump(before: State, after: State, record: Record) -> Iterator[str]:
    """A diversion brings tokens from outside, no more than the lift that it uses up."""
    flown = sum(worth(e)[0].total() for e in record.events if (e.table, e.kind) == ("dumps", "flown in"))
    used = lift_tokens(before) - lift_tokens(after)
    if record.order.kind == "hump" and flown > used:
        yield f"{flown} T come over the Hump for {used} T of lift"


# steps ----------------------------------------------------------------------------------------------------------------


def _place(unit: Piece | Aircraft | None) -> str:
    if unit is None:
        return ""
    return unit.at if isinstance(unit.at, str) and unit.at in (*PILES, *AWAY) else PLAY


def _unit(e: Event) -> Iterator[str]:
    if e.new is None:
        yield f"{e.key} vanishes by {e.kind}"
        return
    way = _place(e.old), _place(e.new)
    if way not in UNITS[e.table].get(e.kind, (way,)):
        yield f"{e.kind} takes {e.key} from {way[0] or 'nowhere'} to {way[1]}"
    gained = e.new.steps - (e.old.steps if e.old is not None else e.new.steps)
    meant = STEPS.get((e.table, e.kind), 0)
    if e.kind not in NEWLY and not (gained <= meant if meant < 0 else gained == meant):
        yield f"{e.kind} of {e.key} changes its steps by {gained}"


def _pairs(record: Record) -> Iterator[str]:
    """Two reduced air units that join cost one of them; who returns as a sister leaves as herself."""
    kinds = Counter((e.table, e.kind) for e in record.events)
    if kinds["aircraft", "joined"] > kinds["aircraft", "lost"]:
        yield "air units join and none is lost"
    sisters = sum(e.old is None for e in record.events if (e.table, e.kind) == ("pieces", "returned"))
    if sisters > kinds["pieces", "out of play"]:
        yield "a unit returns whose sister did not leave play"


# the whole ------------------------------------------------------------------------------------------------------------


def tokens(state: State) -> Counter[str]:
    """Tokens by side: on the ground, on transport, and of income that waits."""
    found: Counter[str] = Counter()
    for dump in state.dumps.values():
        found[dump.side] += dump.tokens
    for points in state.transport.values():
        found[points.side] += points.load
    for side in ("japanese", "allied"):
        found[side] += state.markers.get(f"income/{side}", 0)
    return found


def transport(state: State) -> Counter[tuple[str, str]]:
    """Points by side and kind."""
    found: Counter[tuple[str, str]] = Counter()
    for points in state.transport.values():
        found[points.side, points.kind] += points.size
    return found


def _totals(before: State, after: State, record: Record) -> Iterator[str]:
    """What the events add up to is what the states differ by."""
    goods, points = Counter(tokens(before)), Counter(transport(before))
    for e in record.events:
        more, moved = worth(e)
        goods.update(more)
        points.update(moved)
    if goods != tokens(after) or points != transport(after):
        yield f"the books do not close: {dict(goods)} and {dict(tokens(after))}, {dict(points)} and {transport(after)}"
