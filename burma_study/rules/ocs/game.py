"""OCS Burma as a game of the engine: its orders, what stands against them, and how its state is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from burma_study.datafiles import data_root
from burma_study.engine.dice import Clock
from burma_study.engine.frames import Decision
from burma_study.engine.game import Choice, Game, Partial
from burma_study.engine.orders import Order, OrderBook
from burma_study.engine.reasons import Reason
from burma_study.engine.room import Room
from burma_study.engine.sequence import Sequence
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.air.room import AIR
from burma_study.rules.ocs.combat.fighting import FIGHTING
from burma_study.rules.ocs.combat.firing import FIRING
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.goods.room import GOODS
from burma_study.rules.ocs.movement.moving import MOVING
from burma_study.rules.ocs.orders import ALWAYS, CODEC, WHERE
from burma_study.rules.ocs.placing import PLACING
from burma_study.rules.ocs.reasons import CATALOGUE
from burma_study.rules.ocs.soundness import senseless
from burma_study.rules.ocs.state import PHASES, State, new_state
from burma_study.rules.ocs.turn.aftermath import AFTERMATH
from burma_study.rules.ocs.turn.arrival_orders import ARRIVALS, OFF_MAP_MARCH
from burma_study.rules.ocs.turn.initiative import INITIATIVE
from burma_study.rules.ocs.turn.opening import OPENING
from burma_study.rules.ocs.turn.sequence import CALENDAR, ORDER, OVER, SEQUENCE
from burma_study.rules.ocs.turn.weather import WEATHER

ROOMS: tuple[Room[State], ...] = (
    PLACING,
    SEQUENCE,
    WEATHER,
    INITIATIVE,
    OPENING,
    AFTERMATH,
    ARRIVALS,
    OFF_MAP_MARCH,
    *GOODS,
    MOVING,
    FIGHTING,
    FIRING,
    AIR,
)
PLAY = Sequence(ROOMS, CALENDAR, ORDER)
_ALWAYS_KINDS = tuple(o.kind for o in ALWAYS)
_BOARD_FILES = ("hexes", "hexsides", "routes", "places", "boxes", "edges")


class OcsGame(Game[State]):
    """OCS Burma."""

    id = "ocs"
    title = "OCS Burma"
    book = OrderBook.of(*PLAY.orders)
    procedures = PLAY.procedures
    codec = CODEC
    tables = State.TABLES
    scalars = State.SCALARS
    catalogue = CATALOGUE
    enumerable = frozenset(_ALWAYS_KINDS)

    def start(self, setup: str, **choices: Any) -> State:
        """An empty board in the set-up phase of a scenario such as `ocs/u-go`."""
        return new_state(setup, **choices)

    def turn_of(self, state: State) -> Decision:
        """The player whose phase it is; things are placed by hand in set-up and wherever the rules are not enforced."""
        if state.phase == OVER and state.rules.enforcement == "enforce":
            return Decision("", ())
        placing = state.phase == "setup" or state.rules.enforcement != "enforce"
        kinds = _kinds(state.phase, placing)
        return Decision(decider(state), tuple(k for k in kinds if k not in PLAY.needs or PLAY.needs[k](state)))

    def objections(self, state: State, order: Order) -> Iterable[Reason]:
        """What cannot be (hard), and under enforcement or warning what may not be."""
        rules = PLAY.orders[type(order)]
        found = list(rules.impossible(state, order))
        return found if found or state.rules.enforcement == "off" else list(rules.forbidden(state, order))

    def carry(self, step: Step[State], order: Order) -> None:
        """Carry an order out as its room says; what follows by itself from an order of play comes at its end."""
        if not order.edit and not step.state.frames:
            step.open("aftermath")
        PLAY.orders[type(order)].carry(step, order)

    def choices(self, state: State, partial: Partial, slot: str) -> Iterable[Choice] | None:
        """What may fill a slot, as the order's room says."""
        return PLAY.orders[self.book[partial.kind]].choices(state, partial, slot)

    def clock(self, state: State) -> Clock:
        """Turn, and the phase with its player, for each has movement and combat of his own."""
        return state.turn, f"{state.player}/{state.phase}"

    def build(self, scalars: dict[str, Any], tables: Mapping[str, Mapping[Any, Any]]) -> State:
        """The state with its digest computed afresh."""
        return State.filled(scalars, tables)

    def senseless(self, table: str, key: Any, value: Any) -> str:
        """Places off the map, words the rules lack, counters that do not exist."""
        return senseless(table, key, value)

    def enforcement(self, state: State) -> str:
        """It is part of the rules in force."""
        return state.rules.enforcement

    def milestone(self, state: State) -> object:
        """A player-turn."""
        return state.turn, state.player

    def charter(self, state: State) -> dict[str, Any]:
        """The rules in force and the files they read: board, counters, charts and the scenario's own."""
        rules = state.rules
        switches = ["errata"] if rules.errata else []
        switches += [f"no-errata:{name}" for name in rules.errata_off]
        return {
            "rules_version": rules.version,
            "options": [*rules.options, *switches],
            "data": _data_files(state.scenario),
            "charts": dict(rules.user_charts),
        }

    def label(self, hex_: int) -> str:
        """A hex as the map prints it."""
        return WHERE.write(hex_)

    def view(self, state: State, observer: str) -> State:
        """Everything: nothing on this map is hidden from either side."""
        return state


@lru_cache(maxsize=2 * len(PHASES))
@rule("ocs/opt.0-6.5", "ocs-series/6.5")
def _kinds(phase: str, placing: bool) -> tuple[str, ...]:
    """The kinds of order of a phase, room by room, then those that place things by hand, or only set the rules.

    None is a reconnaissance by force: Opt.0 deletes it, its text was not found, and later series rules have none.
    """
    acts = PLAY.kinds(phase)
    return (*acts, *(k.kind for k in PLACING.orders)) if placing else (*acts, *_ALWAYS_KINDS)


def decider(state: State) -> str:
    """Who gives orders while no frame is open: the non-phasing player in Reaction, else the phasing one."""
    return other_side(state.player) if state.phase.startswith("reaction") else state.player


def _data_files(scenario: str) -> list[str]:
    name = scenario.removeprefix("ocs/")
    charts = sorted(f"charts/ocs/{p.name}" for p in (data_root() / "charts/ocs").glob("*.csv"))
    board = [f"boards/ocs/{part}.csv" for part in _BOARD_FILES]
    own = [f"scenarios/ocs/{name}.toml", f"scenarios/ocs/{name}.units.csv", "scenarios/ocs/errata.csv"]
    counters = ["counters/ocs.csv", "counters/ocs_air.csv"]
    return [*counters, *board, *(c for c in charts if not c.endswith(".prov.csv")), *own]


GAME = OcsGame()
