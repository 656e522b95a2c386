"""Ground combat of OCS Burma: exact odds of regular attacks and overruns (OCS 8, 9; Burma 2.6, 3.6c, 4.6; Opt.1-2, 6).

The sum runs over 36 surprise rolls, 6 surprise dice and 36 combat rolls in whole numbers: a column's weight is in
216ths, a result's in 7776ths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from burma_study.engine.reasons import Reason
from burma_study.errors import BurmaStudyError, did_you_mean
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.basis import Basis
from burma_study.rules.ocs.charts import Charts, Exact, Result, charts_for
from burma_study.rules.ocs.combat.checks import combatants, reasons_against, refuse, unit_ids
from burma_study.rules.ocs.combat.odds import Faces, Odds, Policy, Step, Surprise, find_basis
from burma_study.rules.ocs.combat.strength import (
    Look,
    Total,
    action_rating,
    by_hex,
    can_attack,
    hex_defence,
    portering,
    stack_attack,
    x2_negated,
)
from burma_study.rules.ocs.state import Piece, State

DICE = (0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
"""Ways to roll each sum of two dice."""
KINDS = ("regular", "overrun")
LEAST_AR, GREATEST_AR = -2, 9  # printed 0 to 6; DG and large battles take from it, big guns add
LEVELS = range(5)
DECIMATED = "decimated"


@dataclass(frozen=True, slots=True)
class AttackOptions:
    """How an attack is made: kind, Banzai, who pays, which units give the action ratings, losses policy.

    `anyway` gives odds also where a rule forbids the attack; they then carry the reasons. `defender_unfed` are units
    without stocks beside others who pay from theirs (OCS 12.10).
    """

    kind: str = "regular"
    banzai: bool = False
    attacker_supplied: bool = True
    defender_pays: bool = True
    attacker_ar: str = ""
    defender_ar: str = ""
    policy: Policy = field(default_factory=Policy)
    anyway: bool = False
    defender_unfed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in KINDS:
            hint = did_you_mean(str(self.kind), KINDS)
            raise BurmaStudyError(f"There is no attack {self.kind!r}; write one of {', '.join(KINDS)}. {hint}".strip())
        for name in ("banzai", "attacker_supplied", "defender_pays", "anyway"):
            if not isinstance(value := getattr(self, name), bool):
                raise BurmaStudyError(f"The option {name} of an attack is True or False, not {value!r}.")
        for name in ("attacker_ar", "defender_ar"):
            if not isinstance(value := getattr(self, name), str):
                raise BurmaStudyError(f"The option {name} of an attack is the id of a unit, not {value!r}.")
        if not isinstance(self.policy, Policy):
            raise BurmaStudyError(f"The option policy of an attack is a Policy, not {self.policy!r}.")
        object.__setattr__(self, "defender_unfed", unit_ids(self.defender_unfed))


# the table ------------------------------------------------------------------------------------------------------------


@rule("ocs-series/9.7")
def odds_ratio(attack: Exact, defence: Exact) -> tuple[tuple[int, int], str]:
    """Both divided by the smaller, rounded with half up (OCS 9.7): the ratio (3, 1) or (1, 2) and its name "3:1"."""
    ours, theirs = attack.numerator * defence.denominator, defence.numerator * attack.denominator
    small = min(ours, theirs)
    left, right = ((2 * x + small) // (2 * small) for x in (ours, theirs))
    return (left, right), f"{left}:{right}"


@lru_cache(maxsize=1024)
def column_of(charts: Charts, category: str, left: int, right: int) -> int:
    """The last column whose odds are not above `left` to `right`, from 0; the first where all are."""
    return max(sum(odds * right <= left for odds in charts.combat.odds[category]) - 1, 0)


@rule("ocs-series/9.7", "ocs-series/9.14a")
def starting_column(charts: Charts, attack: Exact, defence: Exact, category: str) -> tuple[int, str, str]:
    """Column before surprise, from 0, with the odds and the code of a zero strength (OCS 9.7, 9.14a)."""
    if attack and defence:
        ratio, name = odds_ratio(attack, defence)
        return column_of(charts, category, *ratio), name, ""
    if defence:
        return 0, f"0:{defence}", "zero_attack"
    if attack:
        return len(charts.combat.odds[category]) - 1, f"{attack}:0", "zero_defence"
    return column_of(charts, category, 1, 1), "1:1", "zero_both"


@rule("ocs-series/9.8", "ocs/2.6b", "ocs/4.6")
def surprise_weights(
    charts: Charts, kind: str, drm: int, column: int, banzai: int | None = None, more: int = 0
) -> tuple[tuple[int, ...], tuple[int, int, int]]:
    """Weight of each column in 216ths, and of attacker, no and defender surprise in 36ths (OCS 9.8).

    `banzai` is the action rating that replaces the die (Burma 2.6b); `more` columns join an attacker's shift (4.6).
    """
    won, lost = surprise_ways(*charts.surprise[kind], drm)
    last = len(next(iter(charts.combat.odds.values()))) - 1
    weights = [0] * (last + 1)
    weights[column] = 6 * (36 - won - lost)
    for die in range(1, 7):
        shift = die if banzai is None else banzai
        weights[shifted(column, 1, shift, more, last)] += won
        weights[shifted(column, -1, shift, more, last)] += lost
    return tuple(weights), (won, 36 - won - lost, lost)


def surprised(high: int, low: int, total: int) -> int:
    """1 when a modified roll surprises for the attacker, -1 for the defender, 0 for neither (OCS 9.8)."""
    return int(total >= high) - int(total <= low)


@lru_cache(maxsize=256)
def surprise_ways(high: int, low: int, drm: int) -> tuple[int, int]:
    """Ways out of 36 to attacker's and to defender's surprise."""
    signs = [(surprised(high, low, total + drm), DICE[total]) for total in range(2, 13)]
    return sum(w for s, w in signs if s > 0), sum(w for s, w in signs if s < 0)


@rule("ocs-series/9.8", "ocs/4.6")
def shifted(column: int, surprise: int, shift: int, more: int, last: int) -> int:
    """The column after surprise (1 attacker's, -1 defender's, 0 none), held to the table; `more` joins the former."""
    moved = column + (shift + more if surprise > 0 else -shift if surprise < 0 else 0)
    return min(max(moved, 0), last)


def row_of(total: int, rows: int) -> int:
    """The row of the Combat Table, from 0, of a modified roll (OCS 9.9)."""
    return min(max(total, 1), rows) - 1


@lru_cache(maxsize=64)
@rule("ocs-series/9.9")
def roll_weights(drm: int, rows: int = 15) -> tuple[tuple[int, int], ...]:
    """(row, ways out of 36) of the combat roll: two dice plus `drm`, held to the table (OCS 9.9)."""
    found: dict[int, int] = {}
    for total in range(2, 13):
        row = row_of(total + drm, rows)
        found[row] = found.get(row, 0) + DICE[total]
    return tuple(found.items())


@rule("ocs-series/9.9", "ocs-series/9.9-table")
def result_weights(charts: Charts, columns: Sequence[int], drm: int) -> tuple[tuple[Result, int], ...]:
    """Weight of each result in 7776ths, likeliest first."""
    table = charts.combat
    used = [(column, weight) for column, weight in enumerate(columns) if weight]
    found: dict[int, int] = {}
    for row, ways in roll_weights(drm, len(table.cells)):
        line = table.numbered[row]
        for column, weight in used:
            place = line[column]
            found[place] = found.get(place, 0) + ways * weight
    ordered = sorted(found, key=found.__getitem__, reverse=True)
    return tuple([(table.results[place], found[place]) for place in ordered])


# one battle -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Battle:
    """The numbers that decide the odds, with the chain that led to them."""

    attack: Fraction
    defence: Fraction
    category: str
    drm: int
    hedgehog: int
    banzai: int | None
    more: int
    chain: tuple[Step, ...]
    attacker_ar: str = ""
    defender_ar: str = ""


def _column_steps(charts: Charts, battle: Battle) -> tuple[int, str, tuple[Step, ...]]:
    column, ratio, zero = starting_column(charts, battle.attack, battle.defence, battle.category)
    label = charts.combat.labels[battle.category][column]
    steps = [
        Step("attack_total", "", str(battle.attack), "ocs-series/4.2"),
        Step("defence_total", "", str(battle.defence), "ocs-series/4.2"),
    ]
    if zero:
        steps.append(Step(zero, "", label, "ocs-series/9.14a"))
    else:
        steps.append(Step("odds", f"{battle.attack} to {battle.defence}", ratio, "ocs-series/9.7"))
    steps.append(Step("column", battle.category, label, "ocs-series/9.7"))
    return column, ratio, tuple(steps)


@rule("ocs-series/9.8", "ocs-series/9.9", "ocs/2.6b")
def _roll_steps(look_values: Mapping[str, Fraction], battle: Battle) -> tuple[int, int, tuple[Step, ...]]:
    """Modifiers of the surprise roll and of the combat roll, with their links."""
    surprise = combat = battle.drm
    steps = []
    if battle.hedgehog:
        name = f"A hedgehog of level {battle.hedgehog}"
        first, each = int(look_values["hedgehog_surprise"]), int(look_values["hedgehog_combat"])
        surprise, combat = surprise + first, combat + each * battle.hedgehog
        steps.append(Step("hedgehog_surprise", name, str(first), "ocs-series/9.8"))
        steps.append(Step("hedgehog_combat", name, str(each * battle.hedgehog), "ocs-series/9.9"))
    if battle.banzai is not None:
        steps.append(Step("banzai", "", str(battle.banzai), "ocs/2.6b"))
    if battle.more:
        steps.append(Step("tank_tracks", "Allied armor or mech", str(battle.more), "ocs/4.6"))
    return surprise, combat, tuple(steps)


def _odds(charts: Charts, battle: Battle, kind: str, **rest: Any) -> Odds:
    column, ratio, totals = _column_steps(charts, battle)
    surprise, combat, rolls = _roll_steps(charts.combat_values, battle)
    weights, chances = surprise_weights(charts, kind, surprise, column, battle.banzai, battle.more)
    chain = (*battle.chain, *totals, *rolls, *rest.pop("after", ()))
    return Odds(
        kind=kind,
        category=battle.category,
        attack=battle.attack,
        defence=battle.defence,
        ratio=ratio,
        column_index=column,
        drm=combat,
        surprise=Surprise(surprise, *(Fraction(c, 36) for c in chances)),
        weights=weights,
        cells=result_weights(charts, weights, combat),
        labels=charts.combat.labels[battle.category],
        chain=chain,
        hedgehog=battle.hedgehog,
        attacker_ar=battle.attacker_ar,
        defender_ar=battle.defender_ar,
        **rest,
    )


@rule("ocs-series/9.6", "ocs-series/9.7", "ocs-series/9.8", "ocs-series/9.9")
def raw_odds(
    attack: int | Fraction,
    defence: int | Fraction,
    attacker_ar: int,
    defender_ar: int,
    terrain: str,
    hedgehog: int = 0,
    *,
    overrun: bool = False,
    banzai: int | None = None,
    policy: Policy | None = None,
    charts: Charts | None = None,
) -> Odds:
    """Odds from bare numbers: strengths are final, `terrain` (open, close, very_close, extremely_close) picks the line.

    `hedgehog` is its level 0 to 4, `banzai` the Japanese action rating that replaces the surprise die (Burma 2.6b).
    BurmaStudyError names a value that is out of range.
    """
    charts = charts or charts_for(())
    strengths = number(attack), number(defence)
    for rating in (attacker_ar, defender_ar, *(() if banzai is None else (banzai,))):
        if not whole(rating) or not LEAST_AR <= rating <= GREATEST_AR:
            raise BurmaStudyError(
                f"An action rating is a whole number from {LEAST_AR} to {GREATEST_AR}, not {rating!r}."
            )
    if not isinstance(terrain, str) or terrain not in charts.combat.odds:
        known = ", ".join(charts.combat.odds)
        raise BurmaStudyError(
            f"There is no combat terrain {terrain!r}; write one of {known}. "
            f"{did_you_mean(str(terrain), charts.combat.odds)}".strip()
        )
    if not whole(hedgehog) or hedgehog not in LEVELS:
        raise BurmaStudyError(f"A hedgehog has level 0 to 4, not {hedgehog!r}.")
    drm = attacker_ar - defender_ar
    chain = (Step("drm", f"{attacker_ar} less {defender_ar}", f"{drm:+d}", "ocs-series/9.6"),)
    battle = Battle(*strengths, terrain, drm, hedgehog, banzai, 0, chain)
    return _odds(charts, battle, "overrun" if overrun else "regular", policy=policy or Policy())


def whole(value: object) -> bool:
    """A whole number, and neither True nor False."""
    return isinstance(value, int) and not isinstance(value, bool)


def number(value: Any, what: str = "A strength") -> Fraction:
    """A number of 0 or more as a fraction; BurmaStudyError says `what` it should be."""
    try:
        found = Fraction(value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError) as error:
        raise BurmaStudyError(f"{what} is a number of 0 or more, not {value!r}.") from error
    if found < 0:
        raise BurmaStudyError(f"{what} is 0 or more; {value} is not.")
    return found


# an attack on the map -------------------------------------------------------------------------------------------------


@rule("ocs-series/9.6", "ocs/3.6c")
def pick_ar(look: Look, state: State, units: Sequence[Piece], named: str) -> tuple[Piece, int, tuple[Step, ...]]:
    """The unit that gives a side its action rating: the one named, else the best, of those the weakest (OCS 9.6).

    A Chindit is avoided at equal rating once the Chindits are decimated, for using it destroys it (Burma 3.6c).
    """
    decimated = bool(state.markers.get(DECIMATED))
    able = [p for p in units if not _is_big_gun(p)] or units
    rated = [(p, *action_rating(look, p)) for p in able if not named or p.id == named]
    piece, rating, steps = min(
        rated,
        key=lambda r: (-r[1], decimated and r[0].counter.is_chindit, r[0].printed.attack or 0, r[0].id),
    )
    if decimated and piece.counter.is_chindit:
        steps = (*steps, Step("chindit_dies", piece.counter.label, "", "ocs/3.6c"))
    return piece, rating, steps


@rule("ocs/2.6a", "ocs/notes.division-attack", "ocs/2.6")
def large_battle(look: Look, units: Sequence[Piece]) -> bool:
    """Six or more Japanese counters attack together (Burma 2.6a)."""
    return units[0].counter.side == "japanese" and len(units) >= look.value("large_battle_counters")


def _is_big_gun(piece: Piece) -> bool:
    """The 5.5-inch guns modify a rating and have none of their own (variant 4.8)."""
    return "ar_bonus" in piece.counter.traits


@rule("ocs/4.8")
def _guns(look: Look, units: Sequence[Piece]) -> tuple[int, tuple[Step, ...]]:
    """The action rating that 5.5-inch guns in Combat Mode add (variant 4.8)."""
    guns = [p for p in units if _is_big_gun(p) and p.face == "combat"]
    if not guns:
        return 0, ()
    bonus = int(look.value("big_guns_ar"))
    return bonus, (Step("big_guns", guns[0].counter.label, f"{bonus:+d}", "ocs/4.8"),)


@rule("ocs-series/9.6", "ocs/2.6a", "ocs/4.8")
def _ratings(
    look: Look, state: State, attackers: Sequence[Piece], defenders: Sequence[Piece], options: AttackOptions
) -> tuple[Piece, Piece, int, int, tuple[Step, ...]]:
    ours, our_ar, our_steps = pick_ar(look, state, attackers, options.attacker_ar)
    carriers = portering(state, defenders)
    rated = [p for p in defenders if p.id not in carriers]
    theirs, their_ar, their_steps = pick_ar(look, state, rated, options.defender_ar)
    chain = list(our_steps)
    if large_battle(look, attackers):
        our_ar += int(look.value("large_battle_ar"))
        chain.append(Step("large_battle", str(len(attackers)), str(our_ar), "ocs/2.6a"))
    bonus, steps = _guns(look, attackers)
    our_ar, chain = our_ar + bonus, [*chain, *steps]
    chain.append(Step("attacker_ar", ours.counter.label, str(our_ar), "ocs-series/9.6"))
    bonus, steps = _guns(look, defenders)
    their_ar, chain = their_ar + bonus, [*chain, *their_steps, *steps]
    chain.append(Step("defender_ar", theirs.counter.label, str(their_ar), "ocs-series/9.6"))
    drm = our_ar - their_ar
    chain.append(Step("drm", f"{our_ar} less {their_ar}", f"{drm:+d}", "ocs-series/9.6"))
    return ours, theirs, our_ar, their_ar, tuple(chain)


def _tank_tracks(look: Look, state: State, attackers: Sequence[Piece]) -> int:
    """Further columns by the variant Tank Tracks to Rangoon (Burma 4.6)."""
    if not state.markers.get("variant_4.6") or attackers[0].counter.side != "allied":
        return 0
    heavy = any(p.counter.combat_class != "other" for p in attackers)
    return int(look.value("tank_tracks_shift")) if heavy else 0


@rule("ocs-series/9.3", "ocs/1.4a")
def _defenders_pick(look: Look, attack: Exact, totals: Sequence[Total]) -> Total:
    """The terrain that gives the lowest column, of equals the first listed.

    Nobody is asked: Burma 1.4a says which terrain counts, that which serves the defender best. A lower column serves
    him whatever the dice are, since every shift and roll is counted from it. The chain says what was set against what.
    """
    if len(totals) == 1:
        return totals[0]
    columns = [starting_column(look.charts, attack, t.strength, t.category)[0] for t in totals]
    best = totals[columns.index(min(columns))]
    labels = look.charts.combat.labels
    subject = ", ".join(f"{t.name} {labels[t.category][c]}" for t, c in zip(totals, columns, strict=True))
    return replace(best, chain=(*best.chain, Step("lowest_column", subject, best.name, "ocs/1.4a")))


def fight(
    state: State,
    target: int,
    attackers: Sequence[Piece],
    defenders: Sequence[Piece],
    options: AttackOptions,
    look: Look,
) -> Battle:
    """The numbers of one battle: strengths with their factors, the terrain the defender picks, the ratings."""
    defenders = roused(state, defenders, options.kind)
    level = hedgehog_level(state, target, defenders[0].counter.side)
    negated = x2_negated(state, defenders, level)
    strong = [p for p in attackers if p.counter.combat.attack is not None]
    stacks = [stack_attack(look, state, h, target, units, negated) for h, units in by_hex(strong).items()]
    attack = sum(s.strength for s in stacks)
    defence = hex_defence(look, state, target, defenders, options.defender_pays, options.defender_unfed)
    own = _defenders_pick(look, attack, defence)
    ours, theirs, our_ar, their_ar, ratings = _ratings(look, state, attackers, defenders, options)
    chain = (*(step for s in stacks for step in s.chain), *own.chain, *ratings)
    banzai = max(our_ar, 0) if options.banzai else None
    more = _tank_tracks(look, state, attackers)
    totals = Fraction(attack), Fraction(own.strength)
    return Battle(*totals, own.category, our_ar - their_ar, level, banzai, more, chain, ours.id, theirs.id)


@rule("ocs-series/5.7")
def roused(state: State, defenders: Sequence[Piece], kind: str) -> Sequence[Piece]:
    """The defenders as they fight: in 1999 an overrun takes them out of Reserve when it is declared (OCS 5.7)."""
    if kind != "overrun" or state.rules.version != "1999":
        return defenders
    return [replace(p, mode=p.face) if p.mode == "reserve" else p for p in defenders]


def hedgehog_level(state: State, target: int, side: str) -> int:
    """Level of a side's hedgehog in a hex, 0 without one."""
    found = state.hedgehogs.get(target)
    return found.level if found and found.side == side else 0


@rule("ocs/opt.6", "ocs-series/9.13")
def exploit_void(state: State, target: int, attackers: Sequence[Piece], kind: str) -> tuple[Step, ...]:
    """Why no exploit result counts: overrun, Exploitation, DG attackers, or spread hexsides (OCS 9.13, Opt.6)."""
    grid, sources = state.board.grid, sorted(by_hex(attackers))
    if kind == "overrun":
        return (Step("exploit_void", "an overrun", "", "ocs-series/9.13"),)
    if state.phase.startswith("exploitation"):
        return (Step("exploit_void", "the attack is in the Exploitation Phase", "", "ocs-series/9.13"),)
    if attackers and all(p.dg for p in attackers):
        return (Step("exploit_void", "the attackers are disorganised", "", "ocs-series/9.13"),)
    modern = state.rules.version == "v4.3"
    if not (modern or state.rules.has("opt6")):
        return ()
    apart = any(grid.distance(a, b) > 1 for a in sources for b in sources)
    if apart or len(sources) >= 3:
        rule_id = "ocs-series/9.13" if modern else "ocs/opt.6"
        return (Step("exploit_void", f"the attack comes from {len(sources)} hexsides", "", rule_id),)
    return ()


@rule("ocs/opt.0-9.10a", "ocs-series/9.10a")
def _options_bind(state: State) -> bool:
    """Do a defender's options bind although the attacker died? 1999: nobody is free from his option (Opt.0)."""
    return state.rules.version == "1999" and state.rules.has("opt0")


@rule("ocs/3.6c")
def _doomed(state: State, units: Sequence[Piece], leader: str) -> int:
    """Steps of the Chindit that dies of leading, once the Chindits are decimated (Burma 3.6c)."""
    if not state.markers.get(DECIMATED):
        return 0
    return sum(p.steps for p in units if p.id == leader and p.counter.is_chindit)


def attack_odds(state: State, target: int, attackers: Sequence[str], options: AttackOptions | None = None) -> Odds:
    """Exact odds of the units `attackers` (ids) against the enemies in hex `target`.

    IllegalOrder lists every reason why the attack is not allowed, unless `options.anyway`; then the odds carry them.
    """
    options = options or AttackOptions()
    units, defenders, unknown = combatants(state, target, attackers)
    reasons = unknown or reasons_against(state, target, units, defenders, options)
    if any(r.hard for r in reasons) or (reasons and not options.anyway):
        raise refuse(state, target, reasons)
    return odds_of(state, target, units, defenders, options, reasons)


def odds_of(
    state: State,
    target: int,
    units: Sequence[Piece],
    defenders: Sequence[Piece],
    options: AttackOptions,
    reasons: tuple[Reason, ...] = (),
) -> Odds:
    """Odds of units against defenders that were checked before; `attack_odds` checks them itself."""
    look = Look(state.rules.charts)
    battle = fight(state, target, units, defenders, options, look)
    void = exploit_void(state, target, units, options.kind)

    def again(charts: Charts, faces: Faces) -> tuple[int, int]:
        other = fight(state, target, units, defenders, options, Look(charts, faces))
        return starting_column(charts, other.attack, other.defence, other.category)[0], other.drm

    def basis() -> Basis:
        return find_basis(look.used, look.charts, again(look.charts, {}), again)

    return _odds(
        look.charts,
        battle,
        options.kind,
        after=void,
        attacker_steps=sum(p.steps for p in units),
        defender_steps=sum(p.steps for p in defenders),
        doomed=(_doomed(state, units, battle.attacker_ar), _doomed(state, defenders, battle.defender_ar)),
        exploit_void=bool(void),
        exploit_rating=max((action_rating(look, p)[0] for p in units if not p.dg and can_attack(p)), default=None),
        options_bind=_options_bind(state),
        half_options=battle.hedgehog > 0 and state.rules.has("opt2"),
        policy=options.policy,
        reasons=reasons,
        find=basis,
    )
