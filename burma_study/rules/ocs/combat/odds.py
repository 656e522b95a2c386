"""What an attack or a barrage is worth: exact distributions with the chain of modifiers that led to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from burma_study.answers.showing import html_sentences
from burma_study.engine.reasons import Reason
from burma_study.errors import BurmaStudyError
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.basis import FILES, Basis, Used, turns, used
from burma_study.rules.ocs.charts import Charts, Result
from burma_study.rules.ocs.combat.texts import reason_text, step_text
from burma_study.rules.ocs.movement.terrain import Cell

Faces = Mapping[tuple[str, str], int]
Again = Callable[[Charts, Faces], tuple[int, int]]
COUNTERS, AIRCRAFT = "counters", "aircraft"


@dataclass(frozen=True, slots=True)
class Step:
    """One link of the chain: what it is about (`subject`), its `value` (a factor, a drm, a column ...), its rule."""

    code: str
    subject: str
    value: str
    rule: str

    @property
    def text(self) -> str:
        """The link as a sentence."""
        return step_text(self.code, self.subject, self.value)

    def as_dict(self) -> dict[str, str]:
        """Shape for JSON."""
        return {"code": self.code, "subject": self.subject, "value": self.value, "rule": self.rule, "text": self.text}


def reason_dict(reason: Reason) -> dict[str, object]:
    """Shape of a refusal for JSON."""
    return {"code": reason.code, "rule": reason.rule, "hexes": list(reason.hexes), "text": reason_text(reason)}


def find_basis(cells: Iterable[Cell], charts: Charts, now: tuple[int, int], again: Again) -> Basis:
    """The unprinted values among the cells used, each tried at both its bounds: does `again` differ from `now`?"""
    values = used(charts, cells)
    return Basis(values, turns(values, lambda u, bound: again(*_changed(charts, u, bound)) != now))


def _changed(charts: Charts, value: Used, bound: str) -> tuple[Charts, Faces]:
    if value.table in FILES:
        return charts, {(value.key, value.column): int(Fraction(bound))}
    return charts.with_value(value.table, value.key, value.column, bound), {}


@dataclass(frozen=True, slots=True)
class ColumnChance:
    """A column of the Combat Table that surprise can lead to; `shift` from the column before surprise."""

    index: int
    label: str
    shift: int
    probability: Fraction


@dataclass(frozen=True, slots=True)
class Outcome:
    """A cell of the Combat Table (all places where it stands together) and its probability."""

    result: Result
    probability: Fraction


@dataclass(frozen=True, slots=True)
class Surprise:
    """Probabilities of surprise, and the number its roll is modified by."""

    drm: int
    attacker: Fraction
    none: Fraction
    defender: Fraction


@dataclass(frozen=True, slots=True)
class Policy:
    """What each side does with its options, for the expected losses: `steps` or `retreat`."""

    attacker: str = "steps"
    defender: str = "retreat"

    def __post_init__(self) -> None:
        for value in (self.attacker, self.defender):
            if not isinstance(value, str) or value not in _PAY:
                raise BurmaStudyError(f"An option is paid by one of {', '.join(_PAY)}; {value!r} is none.")

    @property
    def text(self) -> str:
        """The policy as a sentence."""
        return f"The attacker pays options in {_PAY[self.attacker]}, the defender in {_PAY[self.defender]}."


_PAY = {"steps": "steps", "retreat": "hexes of retreat"}


@dataclass(frozen=True, slots=True)
class Losses:
    """Expected steps lost under a policy.

    `emptied` is the chance that no defender is left in the hex, `taken` that besides an attacker is left beside it who
    did not fall back, so that he may enter. `asked` are the steps that the results ask of the attacker, also those that
    a small party no longer has.
    """

    policy: Policy
    attacker: Fraction
    defender: Fraction
    emptied: Fraction
    exploit: Fraction
    taken: Fraction
    asked: Fraction


class Paid(NamedTuple):
    """What a result comes to when both sides follow a policy, by the names of `Losses`."""

    attacker: int
    defender: int
    emptied: bool
    exploit: bool
    taken: bool
    asked: int


@dataclass(frozen=True)
class Odds:
    """The exact odds of one attack.

    `column` is the column before surprise, `weights` the chance of each column in 216ths, `cells` the chance of each
    result text in 7776ths; everything else follows from them. `drm` is the modifier of the combat roll. `doomed` are
    the steps of each side that die of leading (Burma 3.6c), `exploit_rating` is the best action rating among the
    attackers that may earn Exploit Mode; None where the units are not known or none may.
    """

    kind: str
    category: str
    attack: Fraction
    defence: Fraction
    ratio: str
    column_index: int
    drm: int
    surprise: Surprise
    weights: tuple[int, ...]
    cells: tuple[tuple[Result, int], ...]
    labels: tuple[str, ...]
    chain: tuple[Step, ...]
    hedgehog: int = 0
    attacker_steps: int | None = None
    defender_steps: int | None = None
    doomed: tuple[int, int] = (0, 0)
    exploit_void: bool = False
    exploit_rating: int | None = None
    options_bind: bool = True
    half_options: bool = False
    policy: Policy = field(default_factory=Policy)
    reasons: tuple[Reason, ...] = ()
    attacker_ar: str = ""
    defender_ar: str = ""
    find: Callable[[], Basis] | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        hope = f"{float(self.losses.emptied):.0%} to empty the hex"
        return f"<Odds {self.ratio}, column {self.column}, {self.drm:+d}: {hope}>"

    def _repr_html_(self) -> str:
        """The chain of modifiers and the chances, in sentences."""
        return html_sentences(self.explain())

    def __getstate__(self) -> dict[str, object]:
        """For pickling: the basis is worked out first, since what finds it cannot travel."""
        return {**self.__dict__, "basis": self.basis, "find": None}

    @property
    def allowed(self) -> bool:
        """No rule forbids the attack."""
        return not self.reasons

    @property
    def column(self) -> str:
        """The column before surprise, e.g. "3:1"."""
        return self.labels[self.column_index]

    @cached_property
    def columns(self) -> tuple[ColumnChance, ...]:
        """Every column that can come up, with its exact probability."""
        return tuple(
            ColumnChance(i, self.labels[i], i - self.column_index, Fraction(w, 216))
            for i, w in enumerate(self.weights)
            if w
        )

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Every result that can come up, likeliest first; the probabilities sum to 1."""
        return tuple(Outcome(r, Fraction(w, 7776)) for r, w in self.cells)

    @cached_property
    def basis(self) -> Basis:
        """The unprinted values that entered, and whether the verdict turns on one of them."""
        return self.find() if self.find else Basis()

    def chance(self, wanted: Callable[[Result], bool]) -> Fraction:
        """The exact probability of the results that satisfy a condition."""
        return Fraction(sum(w for r, w in self.cells if wanted(r)), 7776)

    @cached_property
    def losses(self) -> Losses:
        """Expected losses under the policy."""
        return self.expected(self.policy)

    @rule("ocs-series/9.10", "ocs-series/9.11", "ocs/opt.2.4", "ocs/opt.6")
    def expected(self, policy: Policy) -> Losses:
        """Expected steps lost when both sides follow a policy (OCS 9.10-9.11; Opt.2.4 and Opt.6)."""
        totals = [0] * len(Paid._fields)
        for result, weight in self.cells:
            for i, n in enumerate(self.paid(result, policy)):
                totals[i] += n * weight
        return Losses(policy, *(Fraction(t, 7776) for t in totals))

    def paid(self, r: Result, policy: Policy) -> Paid:
        """What one result comes to.

        As a battle goes on: who is dead by his losses does not fall back, and leaves his option unpaid.
        """
        theirs, ours = _less(self.attacker_steps, self.doomed[0]), _less(self.defender_steps, self.doomed[1])
        n = r.attacker_options
        survive = theirs is None or r.attacker_losses < theirs
        retreated = policy.attacker == "retreat" and n > 0 and survive
        asked = r.attacker_losses + (n if policy.attacker == "steps" else 0)
        lost = _capped(asked, theirs)
        unpaid = n > 0 and theirs is not None and (not survive or asked > theirs)
        freed = retreated or (unpaid and not self.options_bind)
        options = 0 if freed else r.defender_options
        forced = -(-options // 2) if self.half_options else 0
        hit = r.defender_losses + (options if policy.defender == "steps" else forced)
        dead = _capped(hit, ours)
        emptied = (ours is not None and dead == ours) or (policy.defender == "retreat" and options > forced)
        stands = not retreated and (theirs is None or lost < theirs)
        return Paid(
            attacker=lost + self.doomed[0],
            defender=dead + self.doomed[1],
            emptied=emptied,
            exploit=stands and not unpaid and self.exploits(r),
            taken=emptied and stands,
            asked=asked + self.doomed[0],
        )

    def exploits(self, r: Result) -> bool:
        """Does the result give Exploit Mode to one of the attackers, if it is known who they are (OCS 9.13)?"""
        if r.exploit is None or self.exploit_void:
            return False
        return self.attacker_steps is None or (self.exploit_rating is not None and self.exploit_rating >= r.exploit)

    def explain(self) -> tuple[str, ...]:
        """The chain, the surprise, the result and the basis as sentences."""
        s, x = self.surprise, self.losses
        return (
            *(reason_text(r) for r in self.reasons),
            *(step.text for step in self.chain),
            f"Surprise: attacker {percent(s.attacker)}, none {percent(s.none)}, defender {percent(s.defender)}.",
            f"Expected loss: attacker {float(x.attacker):.2f} steps, defender {float(x.defender):.2f} steps; "
            f"hex emptied {percent(x.emptied)}, hex taken {percent(x.taken)}. {x.policy.text}",
            f"Verdict on the values used: {self.basis.verdict}.",
        )

    def as_dict(self) -> dict[str, object]:
        """Shape for JSON; probabilities are exact fractions as text."""
        s, x = self.surprise, self.losses
        return {
            "kind": self.kind,
            "category": self.category,
            "attack": str(self.attack),
            "defence": str(self.defence),
            "ratio": self.ratio,
            "column": self.column,
            "columns": [{"column": c.label, "shift": c.shift, "probability": str(c.probability)} for c in self.columns],
            "drm": self.drm,
            "hedgehog": self.hedgehog,
            "surprise": {
                "drm": s.drm,
                "attacker": str(s.attacker),
                "none": str(s.none),
                "defender": str(s.defender),
            },
            "steps": [step.as_dict() for step in self.chain],
            "outcomes": [
                {"result": o.result.text, "probability": str(o.probability), **o.result.as_dict()}
                for o in self.outcomes
            ],
            "expected": {
                "policy": x.policy.text,
                "attacker_steps": str(x.attacker),
                "defender_steps": str(x.defender),
                "hex_emptied": str(x.emptied),
                "hex_taken": str(x.taken),
                "exploit": str(x.exploit),
            },
            "exploit_void": self.exploit_void,
            "attacker_ar_unit": self.attacker_ar,
            "defender_ar_unit": self.defender_ar,
            "allowed": self.allowed,
            "reasons": [reason_dict(r) for r in self.reasons],
            "basis": self.basis.as_dict(),
        }


def _less(steps: int | None, doomed: int) -> int | None:
    return None if steps is None else steps - doomed


def _capped(steps: int, there: int | None) -> int:
    return steps if there is None else min(steps, there)


def percent(p: Fraction) -> str:
    """A probability for a sentence, e.g. "27.8 %"."""
    return f"{float(p) * 100:.1f} %"
