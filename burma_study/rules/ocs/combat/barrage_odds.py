"""The results of a barrage: exact distributions over effects, with the shifts that led to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from burma_study.engine.reasons import Reason
from burma_study.rules.ocs.basis import Basis
from burma_study.rules.ocs.combat.odds import Step, percent, reason_dict
from burma_study.rules.ocs.combat.texts import reason_text


@dataclass(frozen=True, slots=True)
class Effect:
    """What a barrage does: every unit DG, and so many steps lost by the owner's choice."""

    dg: bool
    steps: int

    @property
    def text(self) -> str:
        """`no effect`, `DG`, `DG and 1 step`."""
        if not self.dg:
            return "no effect"
        return f"DG and {self.steps} step{'s' * (self.steps > 1)}" if self.steps else "DG"


@dataclass(frozen=True)
class BarrageOdds:
    """The exact odds of one barrage: `cells` weighs the table's texts in 36ths, `weights` the effects in 216ths."""

    points: int
    column: str
    column_index: int
    final_column: str
    final_index: int
    cost: int
    cells: tuple[tuple[str, int], ...]
    weights: tuple[tuple[Effect, int], ...]
    chain: tuple[Step, ...]
    target_steps: int | None = None
    reasons: tuple[Reason, ...] = ()
    find: Callable[[], Basis] | None = field(default=None, repr=False, compare=False)

    def __getstate__(self) -> dict[str, object]:
        """For pickling: the basis is worked out first, since what finds it cannot travel."""
        return {**self.__dict__, "basis": self.basis, "find": None}

    @property
    def allowed(self) -> bool:
        """No rule forbids the barrage."""
        return not self.reasons

    @property
    def outcomes(self) -> tuple[tuple[str, Fraction], ...]:
        """Each text of the table's column with its probability."""
        return tuple((text, Fraction(w, 36)) for text, w in self.cells)

    @property
    def effects(self) -> tuple[tuple[Effect, Fraction], ...]:
        """Each effect, the die for half steps rolled, with its probability."""
        return tuple((effect, Fraction(w, 216)) for effect, w in self.weights)

    @property
    def disorganised(self) -> Fraction:
        """Probability that the target becomes DG."""
        return Fraction(sum(w for e, w in self.weights if e.dg), 216)

    @property
    def expected_steps(self) -> Fraction:
        """Expected steps lost, no more than there are."""
        most = self.target_steps
        return Fraction(sum(w * (e.steps if most is None else min(e.steps, most)) for e, w in self.weights), 216)

    @cached_property
    def basis(self) -> Basis:
        """The unprinted values that entered, and whether the column turns on one of them."""
        return self.find() if self.find else Basis()

    def explain(self) -> tuple[str, ...]:
        """The shifts and the result as sentences."""
        return (
            *(reason_text(r) for r in self.reasons),
            *(step.text for step in self.chain),
            f"The target becomes DG in {percent(self.disorganised)} and loses {float(self.expected_steps):.2f} steps "
            "on average.",
            f"Verdict on the values used: {self.basis.verdict}.",
        )

    def as_dict(self) -> dict[str, object]:
        """Shape for JSON; probabilities are exact fractions as text, the cost is in tokens."""
        return {
            "points": self.points,
            "column": self.column,
            "final_column": self.final_column,
            "cost": self.cost,
            "steps": [step.as_dict() for step in self.chain],
            "outcomes": [{"result": text, "probability": str(p)} for text, p in self.outcomes],
            "effects": [
                {"effect": e.text, "dg": e.dg, "steps": e.steps, "probability": str(p)} for e, p in self.effects
            ],
            "expected": {"dg": str(self.disorganised), "steps": str(self.expected_steps)},
            "allowed": self.allowed,
            "reasons": [reason_dict(r) for r in self.reasons],
            "basis": self.basis.as_dict(),
        }


@dataclass(frozen=True, slots=True)
class FacilityResult:
    """A cell of the Facility Table: levels or hits, the die on which each aircraft there loses a step, trainbusting."""

    text: str
    hits: int
    loss_on: int | None
    trainbusting: bool


@dataclass(frozen=True, slots=True)
class FacilityOdds:
    """Odds on the Facility Table: each result in sixths, cost in tokens."""

    column: str
    cost: int
    weights: tuple[tuple[FacilityResult, int], ...]

    @property
    def outcomes(self) -> tuple[tuple[FacilityResult, Fraction], ...]:
        """Each result with its probability."""
        return tuple((r, Fraction(w, 6)) for r, w in self.weights)

    @property
    def expected_hits(self) -> Fraction:
        """Expected levels or hits."""
        return sum((r.hits * p for r, p in self.outcomes), Fraction())

    def aircraft_loss(self) -> Fraction:
        """Probability that one given aircraft at the base loses a step."""
        return sum((p * Fraction(7 - r.loss_on, 6) for r, p in self.outcomes if r.loss_on), Fraction())

    def as_dict(self) -> dict[str, object]:
        """Shape for JSON."""
        return {
            "column": self.column,
            "cost": self.cost,
            "outcomes": [
                {"result": r.text, "hits": r.hits, "loss_on": r.loss_on, "probability": str(p)}
                for r, p in self.outcomes
            ],
        }
