"""The golden games: who plays whom, with which seed, and what each must contain to be a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from burma_study.engine.session import Session
from burma_study.games.ocs.policies import Run, play, policy
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.turn.victory import totals, verdict

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Golden:
    """One game; `least` is the minimum count of each thing done, by the names of `counting`."""

    name: str
    scenario: str
    japanese: str
    allied: str
    seed: str
    least: Mapping[str, int] = field(hash=False)

    @property
    def path(self) -> Path:
        """Its save."""
        return HERE / f"{self.name}.json.gz"

    def played(self) -> tuple[Session, Run]:
        """The game played anew."""
        session = Session(GAME, start(self.scenario), setup=self.scenario, seed=self.seed)
        sides = {side: policy(self.scenario, side, getattr(self, side)) for side in ("japanese", "allied")}
        return session, play(session, sides)


def result(session: Session) -> dict[str, str]:
    """How a game ended, as `expected.csv` holds it."""
    told, points = verdict(session.state), totals(session.state)
    return {
        "records": str(len(session.tree) - 1),
        "digest": session.state.digest,
        "victory": told.level,
        "japanese": str(points["japanese"]),
        "allied": str(points["allied"]),
        "why": told.why,
    }


GAMES: tuple[Golden, ...] = (
    Golden(
        "u-go-history",
        "ocs/u-go",
        "history",
        "history",
        "2",
        {
            "attacks": 4,
            "barrages": 6,
            "throws": 2,
            "loads": 50,
            "flights": 30,
            "air strikes": 15,
            "retreats": 1,
            "marches": 300,
            "refits": 8,
            "freight": 5,
            "diversions": 2,
            "forage": 10,
        },
    ),
    Golden(
        "u-go-dimapur",
        "ocs/u-go",
        "early Dimapur drive",
        "hold and counterattack",
        "20",
        {
            "attacks": 7,
            "overruns": 1,
            "barrages": 1,
            "throws": 1,
            "loads": 30,
            "flights": 30,
            "air strikes": 10,
            "retreats": 5,
            "advances": 1,
            "reserves released": 1,
            "marches": 200,
            "losses by hunger": 2,
            "freight": 5,
        },
    ),
    Golden(
        "u-go-withdrawal",
        "ocs/u-go",
        "advance on Kohima",
        "cautious withdrawal to the plain",
        "12",
        {
            "attacks": 7,
            "overruns": 1,
            "barrages": 4,
            "throws": 2,
            "loads": 40,
            "flights": 30,
            "air strikes": 6,
            "retreats": 5,
            "advances": 1,
            "reserves released": 1,
            "works": 2,
            "marches": 200,
            "diversions": 3,
        },
    ),
    Golden(
        "learning-block",
        "ocs/learning",
        "block the Tiddim road",
        "come back to Imphal",
        "4",
        {"attacks": 2, "barrages": 1, "loads": 10, "flights": 3, "retreats": 1, "marches": 40, "reserves released": 3},
    ),
    Golden(
        "learning-harry",
        "ocs/learning",
        "harry the rearguard",
        "break the blocks",
        "14",
        {"attacks": 2, "overruns": 1, "barrages": 3, "loads": 8, "flights": 4, "retreats": 2, "marches": 40},
    ),
)
