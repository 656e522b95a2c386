"""The sequence of play: `done` ends a phase, the clock goes on to the next one in which somebody can do something.

Other rooms join in by appending to the registries: names of procedures to `ON_ENTER` and `ON_LEAVE`, predicates to
`IDLE`, objections against ending a phase to `UNFINISHED`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import Order, choice_slot, order, slot
from burma_study.engine.reasons import Reason
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import SIDES, other_side
from burma_study.rules.ocs.room import OrderRules, Room, nothing
from burma_study.rules.ocs.state import PHASES, State

OVER = "over"
TURN_START = ("weather", "initiative")
PLAYER_TURN = PHASES[PHASES.index("refit") : PHASES.index("cleanup") + 1]
ENDED = "ended"  # marker: why the game is over: `calendar`, `monsoon`, `sudden death/SIDE/WHY` or `LEVEL/SIDE/WHY`
STOPS = "stops"  # marker: `all` stops at every phase, absent only where somebody can act

ON_ENTER: dict[str, list[str]] = {phase: [] for phase in PHASES}
ON_LEAVE: dict[str, list[str]] = {phase: [] for phase in PHASES}
ROOMS: list[Room] = []  # the rooms of the game, entered when it is put together
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
IDLE: dict[str, dict[str, Callable[[State], bool]]] = {phase: {} for phase in PHASES}  # phase -> room's name -> is idle
ON_TURN_END: list[str] = []
ON_GAME_END: list[str] = []
UNFINISHED: dict[str, list[Callable[[State], Iterable[Reason]]]] = {phase: [] for phase in PHASES}


@order("done")
class Done(Order):
    """Nothing more in this phase: on to the next."""


@order("stops {where}", edit=True)
class Stops(Order):
    """Whether the game stops at `all` phases, or only where somebody can act (`busy`)."""

    where: str = slot(choice_slot("where to stop", ("all", "busy")))


def _not_done(state: State, _: Done) -> Iterable[Reason]:
    return (reason for objection in UNFINISHED[state.phase] for reason in objection(state))


def _carry_done(step: Step[State], _: Done) -> None:
    step.open("sequence", todo=tuple(ON_LEAVE[step.state.phase]), stage="leave")


def _carry_stops(step: Step[State], order: Stops) -> None:
    step.put("stops", "markers", STOPS, "all" if order.where == "all" else None)


def sequence(step: Step[State]) -> None:
    """The clock at work: what a phase's end brings, the next phase, what its start brings, until somebody can act.

    Stages: `leave` a phase, `turn` end, `enter` a phase, `end` of the game.
    """
    todo, stage = step.frame["todo"], step.frame["stage"]
    if ENDED in step.state.markers and stage != "end":
        step.note(todo=tuple(ON_GAME_END), stage="end")
    elif todo:
        step.note(todo=todo[1:])
        step.open(todo[0])
    else:
        _STAGES[stage](step)


def _left(step: Step[State]) -> None:
    if _turn_is_over(step.state):
        step.note(todo=tuple(ON_TURN_END), stage="turn")
    else:
        _turned(step)


def _turned(step: Step[State]) -> None:
    if _turn_is_over(step.state) and step.state.turn >= last_turn(step.state):
        end_game(step, "calendar")
    else:
        advance(step)
        step.note(todo=tuple(ON_ENTER[step.state.phase]), stage="enter")


def _turn_is_over(state: State) -> bool:
    return state.phase == PLAYER_TURN[-1] and state.player != state.first


def _entered(step: Step[State]) -> None:
    if stops_here(step.state):
        step.close()
    else:
        step.note(todo=tuple(ON_LEAVE[step.state.phase]), stage="leave")


def _ended(step: Step[State]) -> None:
    step.set("over", phase=OVER)
    step.close()


_STAGES = {"leave": _left, "turn": _turned, "enter": _entered, "end": _ended}


def assemble(rooms: Iterable[Room]) -> None:
    """Enter the rooms of the game, and put what they do at the borders of phases into its order."""
    ROOMS[:] = rooms
    for registry in (ON_ENTER, ON_LEAVE):
        for names in registry.values():
            names.sort(key=ORDER.index)


def stops_here(state: State) -> bool:
    """The phase is one to stop at: set-up, the game's end, every one if wanted, or where a room has something to do."""
    return state.phase in ("setup", OVER) or state.markers.get(STOPS) == "all" or not is_idle(state)


def is_idle(state: State) -> bool:
    """Nobody could do anything in this phase: each room with orders in it says so."""
    idle = IDLE[state.phase]
    rooms = (room for room in ROOMS if room is not SEQUENCE and room.kinds(state))
    return all(room.name in idle and idle[room.name](state) for room in rooms)


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
    if not any(f.procedure == "sequence" for f in step.state.frames):
        while step.state.frames:
            step.close()
        step.open("sequence", todo=(), stage="leave")


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


for _phase in ("movement", "reaction", "exploitation"):
    ON_ENTER[f"{_phase}_barrage"].append("fresh_march")
ON_ENTER["cleanup"].append("clean_up")

SEQUENCE = Room(
    "sequence",
    {
        Done: OrderRules(nothing, _not_done, _carry_done),
        Stops: OrderRules(nothing, nothing, _carry_stops, _choices),
    },
    {phase: ("done",) for phase in PHASES if phase != OVER},
    {"sequence": sequence, "fresh_march": fresh_march, "clean_up": clean_up},
)
