"""OCS Burma's own time: which phase follows which, when a turn and the game are over, and where the clock stops."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import Order, choice_slot, order, slot
from burma_study.engine.room import OrderRules, Room, nothing
from burma_study.engine.sequence import Calendar, Done, break_off
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import SIDES, other_side
from burma_study.rules.ocs.state import PHASES, State

OVER = "over"
TURN_START = ("weather", "initiative")
PLAYER_TURN = PHASES[PHASES.index("refit") : PHASES.index("cleanup") + 1]
ENDED = "ended"  # marker: why the game is over: `calendar`, `monsoon`, `sudden death/SIDE/WHY` or `LEVEL/SIDE/WHY`
STOPS = "stops"  # marker: `all` stops at every phase, absent only where somebody can act

ORDER = (
    "opening",
    "roll_weather",
    "initiative",
    "grounding",
    "air_return",
    "raw_nerves",
    "incoming_supply",
    "incoming_units",
    "pools",
    "decimation",
    "marauders",
    "replacements",
    "finish_arrivals",
    "entering_units",
    "porters",
    "friendly_hexes",
    "crowding",
    "strikes_over",
    "air_crowding",
    "open_strips",
    "halt",
    "fresh_march",
    "back_in_line",
    "settle_supply",
    "clean_up",
    "end_lift",
    "player_turn_end",
)  # what follows a phase or opens one happens in this order, whichever room was imported first


@order("stops {where}", edit=True)
class Stops(Order):
    """Whether the game stops at `all` phases, or only where somebody can act (`busy`)."""

    where: str = slot(choice_slot("where to stop", ("all", "busy")))


def _carry_stops(step: Step[State], order: Stops) -> None:
    step.put("stops", "markers", STOPS, "all" if order.where == "all" else None)


def _turn_is_over(state: State) -> bool:
    return state.phase == PLAYER_TURN[-1] and state.player != state.first


def _must_stop(state: State) -> bool:
    """In set-up, at the game's end, and everywhere if that is wanted."""
    return state.phase in ("setup", OVER) or state.markers.get(STOPS) == "all"


@rule("ocs-series/2.2", "ocs-series/2.3")
def advance(step: Step[State]) -> None:
    """Set the clock to the next phase: of this player, of the other one, or of the next turn."""
    state = step.state
    phase, player = state.phase, state.player
    if phase == "setup":
        _after_setup(step)
    elif phase == "weather":
        step.set("phase", phase="initiative")
    elif phase == "initiative":
        step.set("phase", phase=PLAYER_TURN[0], player=state.first)
    elif phase != PLAYER_TURN[-1]:
        step.set("phase", phase=PHASES[PHASES.index(phase) + 1])
    elif player == state.first:
        step.set("phase", phase=PLAYER_TURN[0], player=other_side(player))
    else:
        step.set("phase", turn=state.turn + 1)
        _to_weather(step)
    step.cite("ocs-series/2.3" if step.state.phase in PLAYER_TURN else "ocs-series/2.2")


def _after_setup(step: Step[State]) -> None:
    """The side that sets up first, then the other, then turn 1."""
    first = step.state.markers.get("sets_up_first", step.state.player)
    if step.state.player == first:
        step.set("phase", player=other_side(first))
    else:
        _to_weather(step)


def _to_weather(step: Step[State]) -> None:
    """The turn's own phases count as the same player's in every game, so that the same weather falls in all."""
    step.set("phase", phase=TURN_START[0], player=SIDES[0])


def last_turn(state: State) -> int:
    """Number of the scenario's last turn by its calendar."""
    return len(state.markers.get("calendar", ())) or state.turn


def end_game(step: Step[State], why: str) -> None:
    """The game ends at once: what is under way is broken off and the end is scored; `why` stays in the state."""
    if ENDED in step.state.markers:
        return
    step.put("ended", "markers", ENDED, why)
    break_off(step)


@rule("ocs-series/2.3")
def fresh_march(step: Step[State]) -> None:
    """A phase of movement is past: no MP spent, no fuel paid, every unit may move in the next one."""
    for id_, piece in sorted(step.state.pieces.items()):
        if piece.spent or piece.done or piece.fuelled:
            step.put("fresh", "pieces", id_, replace(piece, spent=0, done=False, fuelled=False))
    step.close()


@rule("ocs-series/2.3")
def clean_up(step: Step[State]) -> None:
    """The phasing player's units lose DG and Exploit and are in the mode of the side that shows; fuel and spent MP are
    forgotten.
    """
    state = step.state
    for id_, piece in sorted(state.pieces.items()):
        own = piece.counter.side == state.player
        mode = piece.face if own and (piece.dg or piece.mode == "exploit") else piece.mode
        clean = replace(piece, mode=mode, dg=piece.dg and not own, spent=0, done=False, fuelled=False)
        if clean != piece:
            step.put("cleaned", "pieces", id_, clean)
    for id_, points in sorted(state.transport.items()):
        if points.spent or points.done:
            step.put("cleaned", "transport", id_, replace(points, spent=0, done=False))
    step.close()


def _choices(_state: State, _partial: Partial, _slot: str) -> Iterable[Choice]:
    return [Choice("all", "every phase"), Choice("busy", "where somebody can act")]


CALENDAR: Calendar[State] = Calendar(
    phases=PHASES,
    phase=lambda state: state.phase,
    ended=lambda state: ENDED in state.markers,
    turn_over=_turn_is_over,
    last_turn=lambda state: state.turn >= last_turn(state),
    must_stop=_must_stop,
    advance=advance,
    run_out=lambda step: end_game(step, "calendar"),
    close=lambda step: step.set("over", phase=OVER),
)
SEQUENCE: Room[State] = Room(
    "sequence",
    {Stops: OrderRules(nothing, nothing, _carry_stops, _choices)},
    {phase: (Done.kind,) for phase in PHASES if phase != OVER},
    {"fresh_march": fresh_march, "clean_up": clean_up},
    enters={
        **dict.fromkeys((f"{phase}_barrage" for phase in ("movement", "reaction", "exploitation")), ("fresh_march",)),
        "cleanup": ("clean_up",),
    },
)
