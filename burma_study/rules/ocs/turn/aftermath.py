"""What follows every order by itself: control, points of events, sudden death, Chindits landing and coming home."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from burma_study.engine.room import Room
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.movement.limits import CROSSED, as_chindit, bank
from burma_study.rules.ocs.state import Piece, State
from burma_study.rules.ocs.supply.trace import BOXES
from burma_study.rules.ocs.turn.arrivals import touch_nerves
from burma_study.rules.ocs.turn.control import controller, start_markers, take_where_units_stand
from burma_study.rules.ocs.turn.opening import reserve_at_start, reserve_count
from burma_study.rules.ocs.turn.script import Item, script
from burma_study.rules.ocs.turn.sequence import OVER, end_game
from burma_study.rules.ocs.turn.victory import DEAD, SUDDEN, TESTS, score, score_event, score_items, sides_of

WEST_POINTS = 3  # for each Chindit unit west of the Chindwin, 3.6b


def aftermath(step: Step[State]) -> None:
    """Look at the position after an order; the frame below all others of the order."""
    step.close()
    if step.state.phase in ("setup", OVER):
        return
    _look(step, _changed(step))


def _look(step: Step[State], came: Sequence[Piece]) -> None:
    """Control, losses, events and sudden death, for units that may have changed."""
    take_where_units_stand(step, came)
    _count_losses(step, came)
    if any(as_chindit(step.state.rules, p.counter) for p in came):
        _chindits(step)
    score_items(step, "once")
    score_items(step, "event")
    touch_nerves(step)
    _sudden_death(step, "any_time")
    _entered(step)


def _changed(step: Step[State]) -> Sequence[Piece]:
    """The units that changed since the last aftermath; all of them where decisions were open between two orders."""
    pieces, events = step.state.pieces, step.events
    if not events or (events[0].key, events[0].old) != ("frames", ()):
        return tuple(pieces.values())
    changed = dict.fromkeys(str(e.key) for e in events if e.table == "pieces")
    return [pieces[u] for u in changed if u in pieces]


def _count_losses(step: Step[State], came: Sequence[Piece]) -> None:
    """Score each destroyed unit once; `fallen` remembers those counted until they return."""
    state = step.state
    home: tuple[str, ...] = state.markers.get("home", ())
    was: tuple[str, ...] = state.markers.get("fallen", ())
    if not any(p.at in DEAD or p.id in was for p in came):
        return
    now = tuple(sorted(p.id for p in state.pieces.values() if p.at in DEAD and p.id not in home))
    if was != now:
        for unit in sorted(set(now) - set(was)):
            counter = state.pieces[unit].counter
            score_event(step, "unit_destroyed", f"{counter.label} destroyed", unit, of=counter.side)
        step.put("fallen", "markers", "fallen", now or None)


@rule("ocs/3.6b", "ocs/3.6b-west", "ocs/3.6c", "ocs-series/erratum.9")
def _chindits(step: Step[State]) -> None:
    """Note who has landed; points for going west of the Chindwin; whoever came back to a box leaves play.

    The 823 Engineers count as Chindits (erratum 9), but the time limit of 3.6c runs from the first of the columns.
    """
    state = step.state
    landed: tuple[str, ...] = state.markers.get("landed", ())
    columns = [p for p in state.pieces.values() if as_chindit(state.rules, p.counter)]
    on_map = {p.id for p in columns if p.on_map}
    for piece in sorted((p for p in columns if p.at in BOXES and p.id in landed), key=lambda p: p.id):
        step.put("came home", "pieces", piece.id, replace(piece, at="gone"))
        step.put("marker", "markers", "home", tuple(sorted({*state.markers.get("home", ()), piece.id})))
        state = step.state
    if not on_map <= set(landed):
        step.put("landed", "markers", "landed", tuple(sorted({*landed, *on_map})))
        if "landing" not in state.markers and _first_landing(state, landed, on_map):
            step.put("landed", "markers", "landing", state.turn)
    _gone_west(step, [p for p in columns if p.on_map])


@rule("ocs/3.6c")
def _first_landing(state: State, landed: Iterable[str], on_map: Iterable[str]) -> bool:
    """Have Chindit columns come down now, the first of all?"""
    now, before = ([u for u in units if state.pieces[u].counter.is_chindit] for units in (on_map, landed))
    return bool(now) and not before


@rule("ocs/3.6b-west")
def _gone_west(step: Step[State], columns: list[Piece]) -> None:
    """Points for each that stands west of the Chindwin, or came through there in this order, once a game."""
    through: tuple[str, ...] = step.state.markers.get(CROSSED, ())
    if through:
        step.put("marker", "markers", CROSSED, None)
    if script(step.state).victory.kind not in ("points", "sudden_death"):
        return
    west = bank(step.state.board)[0]
    counted: tuple[str, ...] = step.state.markers.get("gone_west", ())
    new = sorted({*through, *(p.id for p in columns if p.at in west)} - {*counted})
    for unit in new:
        why = f"{step.state.pieces[unit].counter.label} west of the Chindwin"
        score(step, "japanese", "chindit-west", Fraction(WEST_POINTS), why, "ocs/3.6b-west", unit)
    if new:
        step.put("marker", "markers", "gone_west", tuple(sorted({*counted, *new})))


def _sudden_death(step: Step[State], when: str) -> None:
    for item in script(step.state).victory.sudden:
        if item.when == when:
            _test(step, item)


def _test(step: Step[State], item: Item) -> None:
    for side in sides_of(item):
        count, why = TESTS[item.test](step.state, item, side)
        if count:
            step.cite(item.rule)
            end_game(step, f"{SUDDEN}/{side}/{why}")


def _entered(step: Step[State]) -> None:
    """Imphal's own end: an enemy of the counting side enters one of the named hexes, be it to go on at once."""
    victory = script(step.state).victory
    enemy = other_side(victory.side)
    found = [h for h in victory.entered if controller(step.state, h) == enemy]
    if found:
        step.cite(victory.rule)
        why = f"{enemy.capitalize()} units entered {step.state.board.label(found[0])}"
        end_game(step, f"{victory.entered_level}/{enemy}/{why}")


def opening(step: Step[State]) -> None:
    """What stands at the start: who controls which place, who is dead already, who has landed."""
    state = step.state
    for name, side in start_markers(state).items():
        if state.markers.get(name) != side:
            step.put("control", "markers", name, side)
    dead = tuple(sorted(p.id for p in state.pieces.values() if p.at in DEAD))
    landed = tuple(sorted(p.id for p in state.pieces.values() if as_chindit(state.rules, p.counter) and p.on_map))
    step.put("fallen", "markers", "fallen", dead or None)
    step.put("landed", "markers", "landed", landed or None)
    step.close()


def player_turn_end(step: Step[State]) -> None:
    """The Allied sudden death is looked at when a Japanese player-turn ends."""
    step.close()
    if step.state.player == "japanese":
        take_where_units_stand(step)
        _sudden_death(step, "japanese_turn_end")


@rule("ocs/*.victory")
def score_turn(step: Step[State]) -> None:
    """Points of the turn that ends, and before them those of what happened since the last order was done.

    The phase that an order ends may starve units and run on to the end of the turn, or of the game, at once.
    """
    _look(step, tuple(step.state.pieces.values()))
    score_items(step, "turn_end")
    step.close()


def score_end(step: Step[State]) -> None:
    """Points of the game's end."""
    score_items(step, "game_end")
    step.close()


AFTERMATH = Room(
    "aftermath",
    procedures={f.__name__: f for f in (aftermath, opening, player_turn_end, score_turn, score_end)},
    leaves={"setup": ("opening",), "cleanup": ("player_turn_end",)},
    unfinished={"setup": (reserve_at_start, reserve_count)},
    turn_end=("score_turn",),
    game_end=("score_end",),
)
