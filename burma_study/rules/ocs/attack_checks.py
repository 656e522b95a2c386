"""Why an attack is not allowed: every reason, with its rule (OCS 4.4, 8, 9.2-9.5; Burma 2.6b, 3.7a)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from burma_study.errors import IllegalOrder, did_you_mean
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.charts import MP
from burma_study.rules.ocs.odds import Reason
from burma_study.rules.ocs.state import Piece, State, stack
from burma_study.rules.ocs.strength import by_hex, can_attack

if TYPE_CHECKING:
    from burma_study.rules.ocs.combat import AttackOptions

Reasons = tuple[Reason, ...]
_BATTALION = re.compile(r"\d+-(\d+-\d+)")
BANZAI_TYPES = ("infantry", "garrison")


def combatants(
    state: State, target: int, attackers: Iterable[str]
) -> tuple[tuple[Piece, ...], tuple[Piece, ...], Reasons]:
    """The attacking pieces, the enemy units in the target hex, and the ids that are not in play."""
    ids = tuple(dict.fromkeys(attackers))
    unknown = tuple(
        Reason("unknown_unit", i, "ocs-series/9.2", did_you_mean(i, state.pieces)) for i in ids if i not in state.pieces
    )
    units = tuple(state.pieces[i] for i in ids if i in state.pieces)
    side = units[0].counter.side if units else ""
    defenders = tuple(p for p in stack(state, target) if p.counter.side != side)
    return units, defenders, unknown


def refuse(state: State, target: int, reasons: Sequence[Reason]) -> IllegalOrder:
    """The error that lists every reason."""
    place = state.board.label(target)
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    return IllegalOrder(f"{place} cannot be attacked so: {reasons[0].text}{more}", [r.problem() for r in reasons])


def reasons_against(
    state: State, target: int, units: Sequence[Piece], defenders: Sequence[Piece], options: AttackOptions
) -> Reasons:
    """Every rule that forbids these units to attack that hex in this way."""
    if not units:
        return (Reason("no_attackers", "", "ocs-series/9.2"),)
    found: list[Reason] = []
    if not defenders:
        found.append(Reason("no_defenders", state.board.label(target), "ocs-series/9.2"))
    for piece in units:
        found += _unit_reasons(state, target, piece, options)
    found += _side_reasons(units) + _cooperation_reasons(units) + _ar_reasons(units, defenders, options)
    if options.kind == "overrun":
        found += overrun_reasons(state, target, units)
    if options.banzai:
        found += banzai_reasons(state, units)
    return tuple(found)


@rule("ocs-series/9.2", "ocs-series/9.5")
def _unit_reasons(state: State, target: int, piece: Piece, options: AttackOptions) -> list[Reason]:
    board, label = state.board, piece.counter.label
    found = []
    if not isinstance(piece.at, int):
        found.append(Reason("not_on_map", label, "ocs-series/9.2"))
    elif target not in board.grid.adjacent[piece.at]:
        found.append(Reason("not_adjacent", label, "ocs-series/9.2", board.label(target)))
    elif not may_enter(state, piece.at, target, piece.printed.mobility):
        found.append(Reason("prohibited", label, "ocs-series/9.4", board.label(target)))
    if not can_attack(piece) and not _supports(piece):
        found.append(Reason("not_attack_capable", label, "ocs-series/4.4", _why_not(piece)))
    if not options.attacker_supplied:
        found.append(Reason("no_combat_supply", label, "ocs-series/9.5"))
    return found


def _supports(piece: Piece) -> bool:
    """The 5.5-inch guns take part without a strength of their own (variant 4.8)."""
    return "ar_bonus" in piece.counter.traits and piece.face == "combat"


def _why_not(piece: Piece) -> str:
    if piece.counter.combat.attack is None:
        return f"{piece.counter.type} has no attack strength"
    if piece.counter.defend_only:
        return "its strength is in parentheses"
    return f"it is in {'Strategic Move' if piece.mode == 'strat' else 'Reserve'} Mode"


@rule("ocs-series/9.4")
def may_enter(state: State, source: int, target: int, mobility: str, routes: bool = True) -> bool:
    """Can a mover enter a hex at all, across country or (with `routes`) along a road or track (OCS 9.4)?"""
    if routes and state.board.grid.key(source, target) in state.board.best_route:
        return True
    return entry_cost(state, source, target, mobility) is not None


def entry_cost(state: State, source: int, target: int, mobility: str) -> int | None:
    """Twelfths of an MP to enter off roads and tracks, dry: terrain and river or crossing; None: may not."""
    board, charts = state.board, state.rules.charts
    side = board.grid.key(source, target)
    terrain = charts.terrain.get(board.terrain[target])
    cost = terrain.cost(mobility) if terrain else None
    river = board.rivers.get(side, "")
    if cost is None or not river:
        return cost
    crossing = "crossing" if board.crossings.get(side) == "crossing" else river
    if state.ground == "flood":
        crossing = charts.hexside[crossing].flood_as
    extra = charts.hexside[crossing].cost[mobility]
    return None if extra is None else cost + extra


def _side_reasons(units: Sequence[Piece]) -> list[Reason]:
    side = units[0].counter.side
    return [Reason("two_sides", p.counter.label, "ocs-series/9.2") for p in units if p.counter.side != side]


@rule("ocs/3.7a")
def cooperate(units: Iterable[Piece]) -> bool:
    """May these units attack together? Commonwealth and US or Chinese not; Chindits may with US units (Burma 3.7a)."""
    units = list(units)
    if len({p.counter.group for p in units}) < 2:
        return True
    return all(p.counter.is_chindit or p.counter.nationality == "us" for p in units)


def _cooperation_reasons(units: Sequence[Piece]) -> list[Reason]:
    ours = [p for p in units if p.counter.side == "allied"]
    if cooperate(ours):
        return []
    names = ", ".join(f"{p.counter.label} ({p.counter.nationality.replace('_', ' ')})" for p in ours)
    return [Reason("cooperation", names, "ocs/3.7a")]


def _ar_reasons(units: Sequence[Piece], defenders: Sequence[Piece], options: AttackOptions) -> list[Reason]:
    return [
        Reason("ar_unit", named, "ocs-series/9.6")
        for named, there in ((options.attacker_ar, units), (options.defender_ar, defenders))
        if named and all(p.id != named for p in there)
    ]


@rule("ocs-series/8")
def overrun_reasons(state: State, target: int, units: Sequence[Piece]) -> list[Reason]:
    """Why these units cannot overrun: one stack, 3 MP each, not DG, a hex of 3 MP or less off roads (OCS 8)."""
    board, limit = state.board, int(state.rules.charts.combat_values["overrun_cost"] * MP)
    stacks = by_hex(units)
    found = []
    if len(stacks) > 1:
        found.append(Reason("overrun_stack", ", ".join(board.label(h) for h in stacks), "ocs-series/8"))
    for piece in units:
        label = piece.counter.label
        if piece.dg:
            found.append(Reason("overrun_mode", label, "ocs-series/8", "it is disorganised"))
        if _allowance(piece) - piece.spent < limit:
            found.append(Reason("overrun_mp", label, "ocs-series/8"))
        if isinstance(piece.at, int) and target in board.grid.adjacent[piece.at]:
            cost = entry_cost(state, piece.at, target, piece.printed.mobility)
            if cost is None or cost > limit:
                found.append(Reason("overrun_cost", label, "ocs-series/8", board.label(target)))
    return found


def _allowance(piece: Piece) -> int:
    """Twelfths of an MP this phase: half in Exploit Mode or when DG (OCS 5.9-5.10)."""
    full = piece.printed.ma * MP
    return full // 2 if piece.mode == "exploit" or piece.dg else full


def regiment(piece: Piece) -> str:
    """The regiment of a Japanese battalion, e.g. "215-33" of 2-215-33; its own label where it has none."""
    found = _BATTALION.fullmatch(piece.counter.label)
    return found[1] if found else piece.counter.label


@rule("ocs/2.6b")
def banzai_reasons(state: State, units: Sequence[Piece]) -> list[Reason]:
    """Why this is no Banzai attack: up to three battalions of one regiment in one hex (Burma 2.6b)."""
    most = int(state.rules.charts.combat_values["banzai_battalions"])
    found = [
        Reason("banzai_side", p.counter.label, "ocs/2.6b")
        for p in units
        if p.counter.nationality != "japanese" or p.counter.size != "bn" or p.counter.type not in BANZAI_TYPES
    ]
    if len(units) > most:
        found.append(Reason("banzai_count", str(len(units)), "ocs/2.6b"))
    regiments = sorted({regiment(p) for p in units})
    if len(regiments) > 1:
        found.append(Reason("banzai_regiment", ", ".join(regiments), "ocs/2.6b"))
    stacks = by_hex(units)
    if len(stacks) > 1:
        found.append(Reason("banzai_hex", ", ".join(state.board.label(h) for h in stacks), "ocs/2.6b"))
    return found
