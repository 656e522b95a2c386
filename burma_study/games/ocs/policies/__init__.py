"""Who gives the orders that a reader does not want to give: `hold`, `history`, and plans in a few lines.

>>> from burma_study.games.ocs.policies import play, policy
>>> from burma_study.rules.ocs.game import GAME
>>> from burma_study.rules.ocs.setup import start
>>> sides = {side: policy("ocs/u-go", side, "history") for side in ("japanese", "allied")}
>>> game = Session(GAME, start("ocs/learning"), setup="ocs/learning", seed="1")
>>> play(game, {side: policy("ocs/learning", side, "hold") for side in sides}, most=3).orders
3
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from burma_study.answers.edition import Policy
from burma_study.engine.session import Session
from burma_study.errors import ScenarioError, did_you_mean
from burma_study.games.ocs.line import lines
from burma_study.games.ocs.policies.history import History
from burma_study.games.ocs.policies.hold import Hold
from burma_study.games.ocs.policies.phases import PhasePolicy
from burma_study.games.ocs.policies.plan import Plan, PlanPolicy, Services, Task
from burma_study.games.ocs.policies.plans import PLANS
from burma_study.games.ocs.policies.team import Team
from burma_study.study.policies.base import Chance
from burma_study.study.policies.runner import Note, Run, Until
from burma_study.study.policies.runner import play as run

__all__ = [
    "Chance",
    "History",
    "Hold",
    "Note",
    "PhasePolicy",
    "Plan",
    "PlanPolicy",
    "Policy",
    "Run",
    "Services",
    "Task",
    "Team",
    "names",
    "play",
    "policy",
]


def names(scenario: str, side: str) -> tuple[str, ...]:
    """The policies that a side of a scenario may have."""
    plans = tuple(p.name for p in PLANS if (p.scenario, p.side) == (scenario, side))
    return ("hold", *(("history",) if scenario in lines() else ()), *plans)


def policy(scenario: str, side: str, name: str, skip: Sequence[str] = (), **rest: Any) -> PhasePolicy:
    """A policy by name, `plan` for the side's first plan; `skip` are units that the reader moves himself.

    ScenarioError lists the names there are.
    """
    wanted = name.replace("_", " ").replace("-", " ").lower()
    known = names(scenario, side)
    if wanted == "plan":
        wanted = next((p.name.lower() for p in PLANS if (p.scenario, p.side) == (scenario, side)), wanted)
    found = next((n for n in known if n.replace("-", " ").lower() == wanted), None)
    if found is None:
        hint = did_you_mean(name, known)
        text = f"There is no policy {name!r} for the {side} side of {scenario}; there is {', '.join(known)}. {hint}"
        raise ScenarioError(text.strip())
    if found == "hold":
        return Hold(skip=skip, **rest)
    if found == "history":
        return History(scenario, side, skip=skip, **rest)
    plan = next(p for p in PLANS if (p.scenario, p.side, p.name) == (scenario, side, found))
    return PlanPolicy(plan, skip=skip, **rest)


def play(session: Session, policies: Mapping[str, Policy], until: Until | None = None, **more: Any) -> Run:
    """Let policies play a game on; see `burma_study.study.policies.runner.play`."""
    return run(session, policies, until, hold=Hold(), **more)
