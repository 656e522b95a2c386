"""The library's front door: load a scenario and ask it things in one line each.

>>> import burma_study
>>> ugo = burma_study.load("ocs/u-go")
>>> ugo.explain("1-214-33")[0]
'1-214-33 at B5.27 ...'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from burma_study.engine.asking import all_asked, asked
from burma_study.errors import BurmaStudyError, ScenarioError
from burma_study.games.ocs.naming import unit_named
from burma_study.rules.ocs.counters import SIDES, Face
from burma_study.rules.ocs.setup import Scenario, ScenarioInfo, load_scenario, scenarios, start
from burma_study.rules.ocs.state import Piece, Rules, State
from burma_study.rules.ocs.supply.on_map import Facts, OnMap, facts
from burma_study.rules.ocs.supply.trace import Picture, Trace, supply
from burma_study.rules.ocs.supply.words import explain

if TYPE_CHECKING:
    import pandas as pd

    from burma_study.rules.ocs.combat.attack import AttackOptions
    from burma_study.rules.ocs.combat.odds import Odds
    from burma_study.rules.ocs.movement.reach import Reach


FIGURES = ("attack", "barrage", "rating", "range", "movement")
COLUMNS = ("id", "unit", "hex", "box", "strength", *FIGURES, "mode", "marked", "projected", "source")


class Sentences(tuple[str, ...]):
    """Sentences that print one a line."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(self)

    __repr__ = __str__


@all_asked
@dataclass(frozen=True)
class Study:
    """A state of a scenario with the questions that one asks of it; `state` is there for everything else."""

    scenario: Scenario
    state: State

    def __repr__(self) -> str:
        return f"<Study of {self.scenario.id}, {self.scenario.title}: {repr(self.state).strip('<>')}>"

    def _repr_svg_(self) -> str:
        """The map with everybody on it."""
        from burma_study.games.ocs.session import Moment, OcsSession

        moment = Moment(self.state, self.scenario.title, str(self.scenario.first))
        return OcsSession(self.scenario.id, self.scenario.title, [moment]).picture(0)

    def unit(self, name: str) -> Piece:
        """The piece of an id (`j/inf/1-214-33`) or label (`1-214-33`); ScenarioError when it fits none or several."""
        return self.state.pieces[unit_named(self.state, name)]

    def hex(self, label: str) -> int:
        """The hex of a label or place name."""
        return self.state.board.index(label)

    def supply(self, side: str) -> Picture:
        """The projected trace supply of a side (`japanese` or `allied`)."""
        if side not in SIDES:
            raise ScenarioError(f"{side!r} is no side; sides are {', '.join(SIDES)}.")
        return supply(self.state, side)

    def trace(self, unit: str) -> Trace:
        """The projected trace of one unit."""
        piece = self.unit(unit)
        return self.supply(piece.counter.side).traces[piece.id]

    def explain(self, unit: str) -> Sentences:
        """Why a unit is or is not in supply, in sentences; print it or show it in a notebook."""
        piece = self.unit(unit)
        picture = self.supply(piece.counter.side)
        eats_from = next((m.store for m in OnMap(picture).meals() if piece.id in m.units), None)
        return Sentences(explain(self.state, picture.traces[piece.id], eats_from))

    def facts(self, unit: str) -> Facts:
        """Marker, projected status, combat supply, fuel and eating of one unit."""
        piece = self.unit(unit)
        return facts(OnMap(self.supply(piece.counter.side)), piece.id)

    def reach(self, unit: str, mode: str | None = None, ground: str | None = None) -> Reach:
        """Where a unit could go, in a mode and on a ground condition (by default those it has now)."""
        from burma_study.rules.ocs.movement.reach import reach
        from burma_study.rules.ocs.supply.trace import tracing

        id_ = self.unit(unit).id
        return reach(self.state, id_, mode=mode, ground=ground, trace=tracing(self.state, id_))

    def odds(self, target: str, attackers: Iterable[str], options: AttackOptions | None = None) -> Odds:
        """What an attack on a hex would be worth, exactly; without `options` with the supply of both sides as it is."""
        from burma_study.rules.ocs.combat.attack import AttackOptions, attack_odds
        from burma_study.rules.ocs.combat.forecast import as_fought

        if isinstance(attackers, str):
            raise ScenarioError(f"attackers of odds is the text {attackers!r}; give a list of units: [{attackers!r}].")
        ids, hex_ = [self.unit(a).id for a in attackers], self.hex(target)
        return attack_odds(self.state, hex_, ids, options or as_fought(self.state, hex_, ids, AttackOptions()))

    def with_rules(self, rules: Rules) -> Study:
        """The same position under other rules (version, options, own charts)."""
        if not isinstance(rules, Rules):
            raise ScenarioError(f"rules of with_rules is {rules!r}, which should be Rules.")
        return replace(self, state=self.state.with_(rules=rules))

    def table(self, side: str) -> pd.DataFrame:
        """A side's units with hex, strength, mode, marker, projected status and source, as a pandas table.

        `hex` is missing for a unit in a box, whose name stands under `box`. The figures of the side of the counter that
        shows have columns of their own, since a spreadsheet takes a strength of 2-5-3 for a date.
        """
        try:
            import pandas as pd
        except ImportError:
            raise BurmaStudyError("A table needs pandas: pip install 'burma-study[study]'.") from None
        board, picture = self.state.board, self.supply(side)
        stores = OnMap(picture)
        eating = {u for meal in stores.meals() for u in meal.units}
        rows = []
        for id_, trace in sorted(picture.traces.items()):
            piece = self.state.pieces[id_]
            rows.append(
                {
                    "unit": piece.counter.label,
                    "hex": board.label(piece.at) if isinstance(piece.at, int) else None,
                    "box": None if isinstance(piece.at, int) else piece.at,
                    "strength": piece.counter.strength or None,
                    **figures(piece.printed),
                    "mode": piece.mode,
                    "marked": piece.oos,
                    "projected": "eats" if id_ in eating and not trace.in_supply else trace.status,
                    "source": board.label(trace.source) if trace.source is not None else None,
                    "id": id_,
                }
            )
        whole = dict.fromkeys(FIGURES, "Int64")  # a column of whole numbers, also where some have none
        return pd.DataFrame(rows, columns=COLUMNS).astype(whole).set_index("id")


def figures(face: Face) -> dict[str, int | None]:
    """What is printed on a side of a counter, a number to a name; None where it has none."""
    reach = face.range if face.barrage is not None else None
    return dict(zip(FIGURES, (face.attack, face.barrage, face.ar, reach, face.ma), strict=True))


def catalogue() -> tuple[ScenarioInfo, ...]:
    """The scenarios that can be loaded."""
    return scenarios()


@asked
def load(scenario: str, setup: str = "historical", *, errata: bool = True, rules: Rules | None = None) -> Study:
    """Open a scenario at its start, with the `historical` or `free` set-up; ScenarioError for a name that is none."""
    return Study(load_scenario(scenario), start(scenario, setup, errata=errata, rules=rules))
