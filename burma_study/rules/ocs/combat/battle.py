"""The procedure `battle`: one regular attack or overrun from its payment to the advance (OCS 8, 9; Burma 2.6, 3.6c).

Open it with `open_battle`. When it is over, the frame below gets `won` (the attackers stand in the hex or may have it),
`retreated` (they fell back) and `advanced` (ids of those that entered).
Each battle leaves an event `battle` on the marker of that name: pairs of name and value, see `report`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any

from burma_study.engine.frames import Frame
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.charts import Result, parse_result
from burma_study.rules.ocs.combat.attack import (
    DECIMATED,
    AttackOptions,
    Battle,
    fight,
    hedgehog_level,
    odds_of,
    row_of,
    shifted,
    surprised,
)
from burma_study.rules.ocs.combat.odds import Odds
from burma_study.rules.ocs.combat.payment import attack_payments, defence_payments
from burma_study.rules.ocs.combat.results import alive, disorganise, open_casualties, rouse
from burma_study.rules.ocs.combat.retreats import open_retreat
from burma_study.rules.ocs.combat.segments import mark_done
from burma_study.rules.ocs.combat.strength import Look, action_rating, by_hex, can_attack, portering
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.goods.losses import capture, destroy, spoils, vacate
from burma_study.rules.ocs.goods.payment import AUTO, pay
from burma_study.rules.ocs.movement.limits import closed
from burma_study.rules.ocs.movement.stacking import check_hex
from burma_study.rules.ocs.state import Piece, State, stack

SURPRISE = {1: "attacker", 0: "none", -1: "defender"}
REPORT = "battle"  # marker of the last battle


def open_battle(
    step: Step[State],
    target: int,
    attackers: Sequence[str],
    *,
    kind: str = "regular",
    banzai: bool = False,
    payment: str = AUTO,
    ar: str = "",
) -> None:
    """Start a battle: `kind` regular or overrun, `payment` as an order writes it, `ar` the unit that leads if named."""
    step.open(
        "battle",
        stage="declare",
        target=target,
        attackers=tuple(attackers),
        kind=kind,
        banzai=banzai,
        payment=payment,
        attacker_ar=ar,
    )


def battle(step: Step[State]) -> None:
    """The next stage of the battle in the top frame."""
    STAGES[step.frame["stage"]](step)


# before the dice ------------------------------------------------------------------------------------------------------


@rule("ocs-series/9.2", "ocs-series/9.5", "ocs-series/8")
def _declare(step: Step[State]) -> None:
    """The attacker pays; in an overrun the Reserve markers of the defenders come off (1999)."""
    frame, state = step.frame, step.state
    units, target = alive(state, frame["attackers"]), frame["target"]
    side = units[0].counter.side
    defenders = tuple(p.id for p in stack(state, target) if p.counter.side != side)
    step.note(
        stage="defence",
        side=side,
        defenders=defenders,
        origins=tuple(sorted(by_hex(units))),
        level=hedgehog_level(state, target, other_side(side)),
        attacker_hit=(),
        defender_hit=(),
        retreated=False,
        unpaid=False,
    )
    for payment in attack_payments(state, frame["attackers"], frame["payment"]) or ():
        pay(step, payment)
    if frame["kind"] == "regular":
        mark_done(step, "combat", target, frame["attackers"])
    elif state.rules.version == "1999":
        rouse(step, defenders)
    step.cite("ocs-series/8" if frame["kind"] == "overrun" else "ocs-series/9.2", "ocs-series/9.5")


@rule("ocs-series/9.5")
def _defence(step: Step[State]) -> None:
    """The defender pays or not, as he likes; who cannot is not asked."""
    defenders = step.frame["defenders"]
    if defence_payments(step.state, defenders):
        step.ask(other_side(step.frame["side"]), "pay", "decline")
    else:
        step.note(paid=False, stage="lead")


def leaders(state: State, frame: Frame) -> tuple[str, ...]:
    """The units of which one gives its action rating now, the best first (OCS 9.6)."""
    look = Look(state.rules.charts)
    units = alive(state, frame["attackers" if frame["stage"] == "lead" else "defenders"])
    carriers = portering(state, units)
    able = [p for p in units if "ar_bonus" not in p.counter.traits and p.id not in carriers] or list(units)
    doomed = bool(state.markers.get(DECIMATED))
    rated = [(-action_rating(look, p)[0], doomed and p.counter.is_chindit, p.printed.attack or 0, p.id) for p in able]
    return tuple(id_ for *_, id_ in sorted(rated))


@rule("ocs-series/9.6")
def _lead(step: Step[State]) -> None:
    """The side whose turn it is names the unit that gives its action rating, the attacker first."""
    frame = step.frame
    ours = frame["stage"] == "lead"
    who = leaders(step.state, frame)
    named = frame["attacker_ar"] if ours else ""
    if named or len(who) == 1:
        lead_with(step, named or who[0])
    else:
        step.ask(frame["side"] if ours else other_side(frame["side"]), "lead")


def lead_with(step: Step[State], unit: str) -> None:
    """A side has named its unit."""
    if step.frame["stage"] == "lead":
        step.note(attacker_ar=unit, stage="counter")
    else:
        step.note(defender_ar=unit, stage="roll")
    step.cite("ocs-series/9.6")


# the dice -------------------------------------------------------------------------------------------------------------


@rule("ocs-series/9.7", "ocs-series/9.8", "ocs-series/9.9", "ocs/2.6b")
def _roll(step: Step[State]) -> None:
    """Surprise, its shift, the combat roll: columns, modifiers and cells are those that the odds sum over."""
    frame, state, charts = step.frame, step.state, step.state.rules.charts
    fought, odds = valued(state, frame)
    first = step.roll("combat", 2)
    sign = surprised(*charts.surprise[frame["kind"]], first.sum + odds.surprise.drm)
    shift = 0
    if sign:
        shift = fought.banzai if fought.banzai is not None else step.roll("combat").sum
    column = shifted(odds.column_index, sign, shift, fought.more, len(odds.labels) - 1)
    second = step.roll("combat", 2)
    row = row_of(second.sum + odds.drm, len(charts.combat.cells))
    result = charts.combat.cells[row][column]
    rolls = {"surprise_roll": first.dice, "surprise": SURPRISE[sign], "shift": column - odds.column_index}
    rolls |= {"column": column, "roll": second.dice, "row": row + 1}
    _remember(step, fought, odds, result, rolls)
    step.note(result=result.text, surprise=sign, void=odds.exploit_void, stage="doom")
    step.cite(*dict.fromkeys(s.rule for s in odds.chain if s.rule), "ocs-series/9.8", "ocs-series/9.9")


def valued(state: State, frame: Frame) -> tuple[Battle, Odds]:
    """The numbers of the battle in a frame and its exact odds, once both action ratings are named."""
    units, defenders = alive(state, frame["attackers"]), alive(state, frame["defenders"])
    options = AttackOptions(
        frame["kind"],
        frame["banzai"],
        True,
        frame["paid"],
        frame["attacker_ar"],
        frame["defender_ar"],
        defender_unfed=frame.get("unfed", ()),
    )
    fought = fight(state, frame["target"], units, defenders, options, Look(state.rules.charts))
    return fought, odds_of(state, frame["target"], units, defenders, options)


def _points(result: Result) -> tuple[int, int]:
    """Steps and option points of each side."""
    ours = result.attacker_losses + result.attacker_options
    return ours, result.defender_losses + result.defender_options


def chances(odds: Odds, result: Result) -> tuple[Fraction, Fraction, Fraction]:
    """Exact probability of a result, and that attacker and defender owe at least as many steps and option points."""
    ours, theirs = _points(result)
    return (
        odds.chance(lambda r: r.text == result.text),
        odds.chance(lambda r: _points(r)[0] >= ours),
        odds.chance(lambda r: _points(r)[1] >= theirs),
    )


def mean_points(odds: Odds) -> tuple[Fraction, Fraction]:
    """Steps and option points that attacker and defender owe on average: what the luck ledger holds a result to."""
    owed = [(_points(result), weight) for result, weight in odds.cells]
    ours, theirs = (sum(points[side] * weight for points, weight in owed) for side in (0, 1))
    return Fraction(ours, 7776), Fraction(theirs, 7776)


def _remember(step: Step[State], fought: Battle, odds: Odds, result: Result, rolls: dict[str, Any]) -> None:
    """The event that log and luck ledger read."""
    frame, state = step.frame, step.state
    number = report(state).get("number", 0) + 1
    chance, ours, theirs = chances(odds, result)
    facts = {name: frame[name] for name in ("target", "kind", "banzai", "attackers", "defenders", "paid", "level")}
    facts |= {name: frame[name] for name in ("attacker_ar", "defender_ar")}
    facts |= {"number": number, "attack": fought.attack, "defence": fought.defence, "category": fought.category}
    facts |= {"ratio": odds.ratio, "column_before": odds.column_index, "label_before": odds.column}
    facts |= {"label": odds.labels[rolls["column"]], "surprise_drm": odds.surprise.drm, "drm": odds.drm}
    facts |= {"result": result.text, "chance": chance, "attacker_this_bad": ours, "defender_this_bad": theirs}
    facts |= {"owed": _points(result), "mean": mean_points(odds)}
    step.put("battle", "markers", REPORT, tuple(sorted((facts | rolls).items())))


def report(state: State) -> dict[str, Any]:
    """What the last battle was, empty before the first.

    `column_before` and `column` count from 0, `row` is the modified roll held to the table, `shift` what surprise did;
    `owed` and `mean` are the steps and option points of attacker and defender, and what they are on average;
    `chance` is the exact probability of the result, `attacker_this_bad` and `defender_this_bad` that of owing at least
    as many steps and option points.
    """
    return dict(state.markers.get(REPORT, ()))


# the attacker's result ------------------------------------------------------------------------------------------------


@rule("ocs/3.6c")
def _doom(step: Step[State]) -> None:
    """After decimation a Chindit dies of having given its action rating; that pays nothing of the result."""
    if step.state.markers.get(DECIMATED):
        for piece in alive(step.state, (step.frame["attacker_ar"], step.frame["defender_ar"])):
            if piece.counter.is_chindit:
                destroy(step, piece.id, "combat")
                step.cite("ocs/3.6c")
    step.note(stage="attacker_losses")


def _result(step: Step[State]) -> Result:
    return parse_result(step.frame["result"])


def _cause(frame: Frame) -> str:
    return "banzai" if frame["banzai"] else "combat"


@rule("ocs-series/9.11", "ocs/2.6b-losses", "ocs/4.6")
def _hurt_attacker(step: Step[State], n: int, then: str) -> None:
    frame = step.frame
    step.note(stage=then)
    if n:
        first = _first_attackers(step.state, frame)
        side, units, hit = frame["side"], frame["attackers"], frame["attacker_hit"]
        open_casualties(step, side, units, n, _cause(frame), first=first, hit=hit)


def _first_attackers(state: State, frame: Frame) -> tuple[str, ...]:
    """Who takes the first step: the unit that led; by the variant 4.6 armor or mech that won no surprise."""
    heavy = tuple(p.id for p in alive(state, frame["attackers"]) if p.counter.combat_class != "other")
    if state.markers.get("variant_4.6") and frame["side"] == "allied" and heavy and frame["surprise"] <= 0:
        return heavy
    return (frame["attacker_ar"],)


def _attacker_losses(step: Step[State]) -> None:
    _hurt_attacker(step, _result(step).attacker_losses, "attacker_options")


@rule("ocs-series/9.10")
def _attacker_options(step: Step[State]) -> None:
    """The attacker splits his option; if nobody is left to pay it, it stays unpaid."""
    _keep_hits(step, "attacker_hit")
    frame, n = step.frame, _result(step).attacker_options
    if n and not alive(step.state, frame["attackers"]):
        step.note(stage="big_guns", unpaid=True)
    elif n:
        step.note(stage="attacker_paying")
        step.open("options", side=frame["side"], units=frame["attackers"], n=n, least=0, free=False)
    else:
        step.note(stage="big_guns")


def _keep_hits(step: Step[State], name: str) -> None:
    """Take over who was hit from the casualties that have just been taken."""
    hit = step.frame.get("hit")
    if hit is not None:
        step.note(**{name: hit, "hit": None})


def _attacker_paying(step: Step[State]) -> None:
    frame = step.frame
    there = sum(p.steps for p in alive(step.state, frame["attackers"]))
    step.note(retreated=frame["hexes"] > 0, unpaid=there < frame["steps"])
    _hurt_attacker(step, frame["steps"], "attacker_retreat")


@rule("ocs-series/9.12")
def _attacker_retreat(step: Step[State]) -> None:
    _keep_hits(step, "attacker_hit")
    frame = step.frame
    step.note(stage="big_guns")
    if frame["hexes"]:
        open_retreat(step, frame["side"], frame["attackers"], frame["hexes"], (frame["target"],), _cause(frame))


@rule("ocs/4.8")
def _big_guns(step: Step[State]) -> None:
    """The 5.5-inch guns are lost with the first step of the units that they helped (variant 4.8)."""
    frame = step.frame
    if frame["attacker_hit"]:
        _lose_big_guns(step, frame["attackers"])
    if frame["kind"] == "overrun" and frame["retreated"]:
        for piece in alive(step.state, (*frame["attackers"], *frame.get("joined", ()))):
            step.put("stopped", "pieces", piece.id, replace(piece, done=True))
    step.note(stage="defender_losses", hit=None)


def _lose_big_guns(step: Step[State], units: Sequence[str]) -> None:
    for piece in alive(step.state, units):
        if "ar_bonus" in piece.counter.traits and piece.face == "combat":
            destroy(step, piece.id, "combat")
            step.cite("ocs/4.8")


# the defender's result ------------------------------------------------------------------------------------------------


@rule("ocs-series/5.7", "ocs-series/5.10a", "ocs-series/9.11")
def _defender_losses(step: Step[State]) -> None:
    """Any result ends the defenders' Reserve; a DG result comes before their losses and retreat."""
    frame, result = step.frame, _result(step)
    step.note(stage="defender_options")
    if result.dg:
        disorganise(step, frame["defenders"])
    if result.dg or any(_points(result)[1:]):
        rouse(step, frame["defenders"])
    _hurt_defender(step, result.defender_losses)


def _hurt_defender(step: Step[State], n: int) -> None:
    frame = step.frame
    if n:
        enemy, units, hit = other_side(frame["side"]), frame["defenders"], frame["defender_hit"]
        open_casualties(step, enemy, units, n, "combat", first=(frame["defender_ar"],), hit=hit)


@rule("ocs-series/9.10", "ocs-series/9.10a", "ocs-series/9.10c", "ocs/opt.2.4", "ocs/opt.0-9.10a")
def _defender_options(step: Step[State]) -> None:
    """The defender splits his option, in a hedgehog half of it as steps; who is free from it may ignore it."""
    _keep_hits(step, "defender_hit")
    frame, state, n = step.frame, step.state, _result(step).defender_options
    if not n or not alive(state, frame["defenders"]):
        step.note(stage="emptied")
        return
    step.note(stage="defender_paying")
    free = frame["retreated"] or (frame["unpaid"] and not options_bind(state))
    enemy, least = other_side(frame["side"]), forced_steps(state, frame["level"], n)
    step.open("options", side=enemy, units=frame["defenders"], n=n, least=least, free=free)


@rule("ocs/opt.0")
def options_bind(state: State) -> bool:
    """In 1999 a defender owes his option although the attacker died before he could pay his own (Opt.0)."""
    return state.rules.version == "1999" and state.rules.has("opt0")


def forced_steps(state: State, level: int, n: int) -> int:
    """Option points that a defender in a hedgehog pays as steps: half, rounded up (Opt.2)."""
    share = state.rules.charts.combat_values["hedgehog_option_steps"]
    return ceil(n * share) if level and state.rules.has("opt2") else 0


def _defender_paying(step: Step[State]) -> None:
    step.note(stage="defender_retreat")
    _hurt_defender(step, step.frame["steps"])


def _defender_retreat(step: Step[State]) -> None:
    _keep_hits(step, "defender_hit")
    frame = step.frame
    step.note(stage="emptied")
    if frame["hexes"] and not frame["ignored"]:
        enemy, origins = other_side(frame["side"]), frame["origins"]
        open_retreat(step, enemy, frame["defenders"], frame["hexes"], origins, "combat")


# after the results ----------------------------------------------------------------------------------------------------


@rule("ocs/4.8")
def _defenders_guns(step: Step[State]) -> None:
    """The 5.5-inch guns of a defender who lost a step are lost too (variant 4.8)."""
    _keep_hits(step, "defender_hit")
    if step.frame["defender_hit"]:
        _lose_big_guns(step, step.frame["defenders"])
    step.note(stage="advance")


@rule("ocs-series/9.12g", "ocs-series/8")
def advancers(state: State, frame: Frame) -> tuple[str, ...]:
    """Attackers that may enter the hex: none if it is still held or they fell back."""
    target = frame["target"]
    if frame["retreated"] or any(p.counter.side != frame["side"] for p in stack(state, target)):
        return ()
    there = alive(state, frame["attackers"])
    able = (p for p in there if p.printed.ma and target not in shut(state, p))
    return tuple(p.id for p in able if can_attack(p) or not spoils(state, target, frame["side"]))


def shut(state: State, piece: Piece) -> frozenset[int]:
    """Hexes that special rules close to a unit (Burma 2.7, 3.6b; the scenario's area)."""
    return frozenset[int]().union(*closed(state, piece.counter).values())


def _advance(step: Step[State]) -> None:
    """All enter after a won overrun; after a regular attack the attacker chooses, where anybody can."""
    frame = step.frame
    who = advancers(step.state, frame)
    if not who:
        step.note(stage="exploit", advanced=(), won=False)
    elif frame["kind"] == "overrun":
        advance_with(step, who)
    else:
        step.ask(frame["side"], "advance", "no_advance")


def crowded(state: State, target: int, units: Sequence[str]) -> bool:
    """Would these units break the stacking rules in the hex?"""
    return bool(check_hex(state, target, [replace(p, at=target) for p in alive(state, units)]))


def advance_with(step: Step[State], units: Sequence[str]) -> None:
    """Units enter the emptied hex and capture what lies there; captured transport is its owner's to move."""
    target, side = step.frame["target"], step.frame["side"]
    step.note(stage="exploit", advanced=tuple(units), won=True)
    going = alive(step.state, units)
    for piece in going:
        step.put("advanced", "pieces", piece.id, replace(piece, at=target))
    for origin in by_hex(going):
        vacate(step, origin)
    step.cite("ocs-series/9.12g")
    capturers = [p.id for p in alive(step.state, units) if can_attack(p)]
    if capturers and spoils(step.state, target, side):
        capture(step, target, capturers[0])


@rule("ocs-series/9.13", "ocs/opt.6", "ocs-series/5.9")
def exploiters(state: State, frame: Frame) -> tuple[str, ...]:
    """Attackers whose action rating earns Exploit Mode (OCS 9.13)."""
    wanted = parse_result(frame["result"]).exploit
    if wanted is None or frame["void"] or frame["retreated"] or frame["unpaid"]:
        return ()
    look = Look(state.rules.charts)
    there = alive(state, frame["attackers"])
    return tuple(p.id for p in there if not p.dg and can_attack(p) and action_rating(look, p)[0] >= wanted)


def _exploit(step: Step[State]) -> None:
    """Exploit Mode costs nothing, so every unit that earned it gets it. The battle is over."""
    frame = step.frame
    for unit in exploiters(step.state, frame):
        step.put("exploit", "pieces", unit, replace(step.state.pieces[unit], mode="exploit"))
        step.cite("ocs-series/9.13")
    target, side = frame["target"], frame["side"]
    empty = all(p.counter.side == side for p in stack(step.state, target))
    step.close(won=empty and not frame["retreated"], retreated=frame["retreated"], advanced=frame["advanced"])


STAGES: dict[str, Callable[[Step[State]], None]] = {
    "declare": _declare,
    "defence": _defence,
    "lead": _lead,
    "counter": _lead,
    "roll": _roll,
    "doom": _doom,
    "attacker_losses": _attacker_losses,
    "attacker_options": _attacker_options,
    "attacker_paying": _attacker_paying,
    "attacker_retreat": _attacker_retreat,
    "big_guns": _big_guns,
    "defender_losses": _defender_losses,
    "defender_options": _defender_options,
    "defender_paying": _defender_paying,
    "defender_retreat": _defender_retreat,
    "emptied": _defenders_guns,
    "advance": _advance,
    "exploit": _exploit,
}
