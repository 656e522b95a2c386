"""Why an attack is not allowed: every reason, with its rule (OCS 4.4, 8, 9.2-9.5; Burma 2.6b, 3.7a)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from burma_study.boards.board import Board
from burma_study.engine.reasons import Reason, because, refusal
from burma_study.errors import BurmaStudyError, IllegalOrder, did_you_mean
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.charts import MP, Charts
from burma_study.rules.ocs.combat.strength import by_hex, can_attack, portering
from burma_study.rules.ocs.combat.texts import reason_text
from burma_study.rules.ocs.movement.stacking import works_with_all
from burma_study.rules.ocs.movement.terrain import enter_cost, rates
from burma_study.rules.ocs.state import Piece, Rules, State, stack

if TYPE_CHECKING:
    from burma_study.rules.ocs.combat.attack import AttackOptions

Reasons = tuple[Reason, ...]
_BATTALION = re.compile(r"\d+-(\d+-\d+)")
BANZAI_TYPES = ("infantry", "garrison")


def combatants(
    state: State, target: int, attackers: Iterable[str]
) -> tuple[tuple[Piece, ...], tuple[Piece, ...], Reasons]:
    """The attacking pieces, the enemy units in the target hex, and the ids that are not in play.

    BurmaStudyError for a target that is no hex of the board, or attackers that are no ids.
    """
    check_target(state, target)
    ids = tuple(dict.fromkeys(unit_ids(attackers)))
    unknown = tuple(_unknown(state, i) for i in ids if i not in state.pieces)
    units = tuple(state.pieces[i] for i in ids if i in state.pieces)
    side = units[0].counter.side if units else ""
    defenders = tuple(p for p in stack(state, target) if p.counter.side != side)
    return units, defenders, unknown


def unit_ids(given: Iterable[str]) -> tuple[str, ...]:
    """Ids of units as they were given; BurmaStudyError for anything but a collection of texts."""
    if isinstance(given, Iterable) and not isinstance(given, (str, bytes)):
        found = tuple(given)
        if all(isinstance(i, str) for i in found):
            return found
    raise BurmaStudyError(f"Units are a list of ids such as ['j/inf/1-215-33'], not {given!r}.")


def check_target(state: State, target: object) -> None:
    """BurmaStudyError unless a target is the number of a hex of the board."""
    last = len(state.board) - 1
    if not isinstance(target, int) or isinstance(target, bool) or not 0 <= target <= last:
        raise BurmaStudyError(f"A target is a hex number from 0 to {last}, not {target!r}; `index` reads labels.")


def _unknown(state: State, id_: str) -> Reason:
    hint = did_you_mean(id_, state.pieces)
    return because("unknown-unit", rule="ocs-series/9.2", hard=True, unit=id_, hint=hint)


def refuse(state: State, target: int, reasons: Sequence[Reason]) -> IllegalOrder:
    """The error that lists every reason."""
    return refusal(f"An attack on {state.board.label(target)}", reasons, reason_text)


@rule("ocs-series/9.5")
def reasons_against(
    state: State, target: int, units: Sequence[Piece], defenders: Sequence[Piece], options: AttackOptions
) -> Reasons:
    """Every rule that forbids these units to attack that hex in this way."""
    if not units:
        return (because("no-attackers", rule="ocs-series/9.2", hard=True),)
    found: list[Reason] = []
    if not defenders:
        found.append(because("no-defenders", target, rule="ocs-series/9.2", hard=True))
    for piece in units:
        found += _unit_reasons(state, target, piece, options)
    if not options.attacker_supplied:
        found.append(because("no-combat-supply", rule="ocs-series/9.5"))
    found += (
        _side_reasons(units) + _cooperation_reasons(state.rules, units) + _ar_reasons(state, units, defenders, options)
    )
    if options.kind == "overrun":
        found += overrun_reasons(state, target, units)
    if options.banzai:
        found += banzai_reasons(state, units)
    return tuple(found)


@rule("ocs-series/9.2")
def _unit_reasons(state: State, target: int, piece: Piece, options: AttackOptions) -> list[Reason]:
    board, label = state.board, piece.counter.label
    found = []
    if not isinstance(piece.at, int):
        found.append(because("not-on-map", rule="ocs-series/9.2", hard=True, unit=label))
    elif target not in board.grid.adjacent[piece.at]:
        found.append(because("not-adjacent", target, rule="ocs-series/9.2", unit=label))
    elif not may_enter(state, piece.at, target, piece.printed.mobility):
        found.append(because("prohibited", target, rule="ocs-series/9.4", unit=label))
    if not can_attack(piece) and not _supports(piece):
        found.append(because("not-attack-capable", rule="ocs-series/4.4", unit=label, why=_why_not(piece)))
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
def may_enter(state: State, source: int, target: int, mobility: str) -> bool:
    """Can a mover enter the next hex at all, across country or along a route (OCS 9.4)?"""
    there, back = open_cost(state, source, target, mobility), open_cost(state, target, source, mobility)
    if there is not None and back is not None:
        return True
    return enter_cost(state, source, target, mobility, state.ground).way is not None


def open_cost(state: State, source: int, target: int, mobility: str) -> int | None:
    """Twelfths of an MP to enter without roads, tracks and bridges: terrain and river or crossing; None: may not."""
    return _open_cost(state.board, state.rules.charts, mobility, state.ground, source, target)


@lru_cache(maxsize=8192)
def _open_cost(board: Board, charts: Charts, mobility: str, ground: str, source: int, target: int) -> int | None:
    found = rates(charts, mobility, ground)
    side = board.grid.key(source, target)
    river = "crossing" if board.crossings.get(side) == "crossing" else board.rivers.get(side, "")
    there, extra = found.off_road.get(board.terrain[target]), found.hexside[river].cost
    if there is None or there.cost is None or extra is None:
        return None
    return there.cost + extra


def _side_reasons(units: Sequence[Piece]) -> list[Reason]:
    side = units[0].counter.side
    strangers = [p.counter.label for p in units if p.counter.side != side]
    return [because("two-sides", rule="ocs-series/9.2", hard=True, unit=name) for name in strangers]


@rule("ocs/3.7a", "ocs-series/erratum.9", "ocs/3.7")
def cooperate(rules: Rules, units: Iterable[Piece]) -> bool:
    """May these units attack together? Commonwealth and US or Chinese not; Chindits may with US units (Burma 3.7a)."""
    units = [p for p in units if not works_with_all(rules, p.counter)]
    if len({p.counter.group for p in units}) < 2:
        return True
    return all(p.counter.is_chindit or p.counter.nationality == "us" for p in units)


def _cooperation_reasons(rules: Rules, units: Sequence[Piece]) -> list[Reason]:
    ours = [p for p in units if p.counter.side == "allied"]
    if cooperate(rules, ours):
        return []
    names = tuple(f"{p.counter.label} ({p.counter.nationality.replace('_', ' ')})" for p in ours)
    return [because("cooperation", rule="ocs/3.7a", units=names)]


def _ar_reasons(
    state: State, units: Sequence[Piece], defenders: Sequence[Piece], options: AttackOptions
) -> list[Reason]:
    carriers = portering(state, defenders)
    defenders = [p for p in defenders if p.id not in carriers]
    return [
        because("ar-unit", rule="ocs-series/9.6", hard=True, unit=named)
        for named, there in ((options.attacker_ar, units), (options.defender_ar, defenders))
        if named and all(p.id != named for p in there)
    ]


@rule("ocs-series/8")
def overrun_reasons(state: State, target: int, units: Sequence[Piece]) -> list[Reason]:
    """Why these units cannot overrun: one stack, 3 MP each, not DG, a hex of 3 MP or less off roads (OCS 8)."""
    grid, limit = state.board.grid, int(state.rules.charts.combat_values["overrun_cost"] * MP)
    stacks = by_hex(units)
    found = []
    if len(stacks) > 1:
        found.append(because("overrun-stack", *stacks, rule="ocs-series/8"))
    for piece in units:
        label = piece.counter.label
        if piece.dg:
            found.append(because("overrun-mode", rule="ocs-series/8", unit=label, why="it is disorganised"))
        if _allowance(piece) - piece.spent < limit:
            found.append(because("overrun-mp", rule="ocs-series/8", unit=label))
        if isinstance(piece.at, int) and target in grid.adjacent[piece.at]:
            cost = open_cost(state, piece.at, target, piece.printed.mobility)
            if cost is None or cost > limit:
                found.append(because("overrun-cost", target, rule="ocs-series/8", unit=label))
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
        because("banzai-side", rule="ocs/2.6b", unit=p.counter.label)
        for p in units
        if p.counter.nationality != "japanese" or p.counter.size != "bn" or p.counter.type not in BANZAI_TYPES
    ]
    if len(units) > most:
        found.append(because("banzai-count", rule="ocs/2.6b", most=most, count=len(units)))
    regiments = sorted({regiment(p) for p in units})
    if len(regiments) > 1:
        found.append(because("banzai-regiment", rule="ocs/2.6b", regiments=tuple(regiments)))
    stacks = by_hex(units)
    if len(stacks) > 1:
        found.append(because("banzai-hex", *stacks, rule="ocs/2.6b"))
    return found
