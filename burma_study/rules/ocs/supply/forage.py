"""Attrition of units without supply, and the forage that softens it (OCS 12.8; Burma 1.6, 3.6c).

Units roll by group: those of one hex that forage alike (Japanese, Chindits) and show the same marker, and those that do
not forage. The Forage Effects Table is garbled as printed; our reading is the chart `forage`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import WORD, Order, choice_slot, order, slot
from burma_study.engine.reasons import Reason, because
from burma_study.engine.room import OrderRules, Procedure, Room, nothing
from burma_study.engine.step import Step
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.charts import Charts, Forage
from burma_study.rules.ocs.combat.attack import DECIMATED
from burma_study.rules.ocs.goods.losses import destroy, lose_steps
from burma_study.rules.ocs.movement.terrain import ledo_road
from burma_study.rules.ocs.state import Piece, State

GALAHAD = "galahad_forages"  # marker: the option of 1.6 that lets Galahad forage as Chindits do
MANY_STEPS, MANY_DRM = 5, 3
ORDINARY = (Forage("a", "mark", True),)
Group = tuple[int, str, bool, tuple[str, ...]]  # hex, who forages (or ""), marked before, units


# who ------------------------------------------------------------------------------------------------------------------


@rule("ocs/1.6", "ocs/1.6-where", "ocs/1.6-galahad", "ocs/3.6c")
def forager(state: State, piece: Piece) -> str:
    """`japanese` or `chindit` when a unit may forage, else empty; the INA does not count as Japanese here."""
    if not _able(state, piece):
        return ""
    counter = piece.counter
    if counter.nationality == "japanese":
        return "japanese"
    galahad = "galahad" in counter.traits and state.markers.get(GALAHAD)
    chindit = counter.is_chindit and not state.markers.get(DECIMATED)
    return "chindit" if galahad or chindit else ""


def _able(state: State, piece: Piece) -> bool:
    """A Leg MA shows, it is not DG or in Strat Mode, and a road or track runs through its hex or one beside it."""
    printed = piece.printed
    if piece.dg or piece.mode == "strat" or printed.mobility != "leg" or not printed.ma:
        return False
    return isinstance(piece.at, int) and near_route(state, piece.at)


def near_route(state: State, hex_: int) -> bool:
    """A road or track runs through a hex or one beside it."""
    board = state.board
    routes = board.route_hexes("all_weather", "fair_weather", "track")
    finished = ledo_road(board, state.markers.get("road_head"))
    return any(h in routes or h in finished for h in (hex_, *board.grid.adjacent[hex_]))


@rule("ocs/1.6-groups")
def groups(state: State, units: Iterable[str]) -> tuple[Group, ...]:
    """The groups in which units roll, by hex; those that forage alike under one status together."""
    found: dict[tuple[int, str, bool], list[str]] = {}
    for unit in sorted(units):
        piece = state.pieces[unit]
        assert isinstance(piece.at, int)
        who = forager(state, piece)
        found.setdefault((piece.at, who, piece.oos and bool(who)), []).append(unit)
    return tuple((*key, tuple(ids)) for key, ids in sorted(found.items()))


# the roll -------------------------------------------------------------------------------------------------------------


@rule("ocs-series/12.8b")
def attrition_rating(pieces: Iterable[Piece]) -> int:
    """The best action rating, 0 to 5: DG does not lower it, Strat Mode counts 0."""
    return max((0 if p.mode == "strat" else min(5, max(0, p.printed.ar)) for p in pieces), default=0)


@rule("ocs-series/12.8b")
def attrition_drm(pieces: Iterable[Piece]) -> int:
    """3 for five or more steps rolling together; known from the later series rules only."""
    return MANY_DRM if sum(p.steps for p in pieces) >= MANY_STEPS else 0


@rule("ocs-series/12.8b")
def attrition_loss(chart: Mapping[int, tuple[int | None, int, int, int]], ar: int, roll: int, steps: int) -> int:
    """Steps lost on a modified roll, at most the `steps` there are."""
    none, one, two, four = chart[ar]
    if none is not None and roll <= none:
        return 0
    for limit, loss in ((one, 1), (two, 2), (four, 4)):
        if roll <= limit:
            return min(loss, steps)
    return steps


@rule("ocs/1.6-table")
def outcomes(state: State, who: str, marked: bool, loss: int) -> tuple[Forage, ...]:
    """What the owner may choose from; without forage the marker and the loss."""
    if not who:
        return ORDINARY
    return state.rules.charts.forage[who, marked, loss > 0]


@rule("ocs-series/12.8b")
def starved(charts: Charts, pieces: Sequence[Piece], roll: int) -> int:
    """Steps that units which roll together lose on two dice of this sum."""
    steps = sum(p.steps for p in pieces)
    return attrition_loss(charts.attrition, attrition_rating(pieces), roll + attrition_drm(pieces), steps)


def attrition(step: Step[State]) -> None:
    """Roll for one group, let its owner choose between marker and loss, and take the steps he names."""
    frame = step.frame
    if frame.get("loss") is None:
        _roll(step)
    elif frame.get("left") is None:
        found = outcomes(step.state, frame["who"], frame["marked"], frame["loss"])
        if len(found) > 1:
            step.ask(_owner(step.state, frame["units"]), "forage")
        else:
            _settle(step, found[0])
    else:
        _take(step)


def _roll(step: Step[State]) -> None:
    pieces = [step.state.pieces[u] for u in step.frame["units"]]
    step.note(loss=starved(step.state.rules.charts, pieces, step.roll("attrition", 2).sum))
    step.cite("ocs-series/12.8b", *(["ocs/1.6-table"] if step.frame["who"] else []))


def _settle(step: Step[State], outcome: Forage) -> None:
    """Set the marker as the outcome says; `none` leaves an unmarked group unmarked."""
    if outcome.marker in ("mark", "remove"):
        for unit in step.frame["units"]:
            mark(step, unit, outcome.marker == "mark")
    step.note(left=step.frame["loss"] if outcome.loses_step else 0)


@rule("ocs-series/12.8")
def mark(step: Step[State], unit: str, out: bool) -> None:
    """Put the out-of-supply marker on a unit or take it off."""
    piece = step.state.pieces[unit]
    if piece.oos != out:
        step.put("out of supply" if out else "in supply", "pieces", unit, replace(piece, oos=out))


def _take(step: Step[State]) -> None:
    """The owner names who loses; no choice is asked where there is none."""
    left, alive = step.frame["left"], _alive(step.state, step.frame["units"])
    cause = "forage" if step.frame["who"] else "attrition"
    if not left or not alive:
        step.close()
    elif len(alive) == 1 or sum(step.state.pieces[u].steps for u in alive) <= left:
        for unit in alive:
            left -= lose_steps(step, unit, left, cause)
        step.note(left=0)
    else:
        step.ask(_owner(step.state, alive), "starve")


def _alive(state: State, units: Iterable[str]) -> list[str]:
    return [u for u in units if u in state.pieces and isinstance(state.pieces[u].at, int)]


def _owner(state: State, units: Iterable[str]) -> str:
    return next(state.pieces[u].counter.side for u in units)


# answers --------------------------------------------------------------------------------------------------------------


@order("forage {choice}")
class ForageChoice(Order):
    """A group whose roll calls for a loss: `mark` it out of supply, or `lose` the steps and stay unmarked."""

    choice: str = slot(choice_slot("choice", ("mark", "lose")))


@order("starve {unit}")
class Starve(Order):
    """The unit that loses the next step by attrition."""

    unit: str = slot(WORD)


def _no_forage(state: State, o: ForageChoice) -> Iterator[Reason]:
    if not _open(state):
        yield because("no-attrition", hard=True)


def _no_starving(state: State, o: Starve) -> Iterator[Reason]:
    units = tuple(_alive(state, state.frames[-1].get("units", ()))) if _open(state) else ()
    if o.unit not in units:
        yield because("not-starving", unit=o.unit, units=units, hard=True)


def _open(state: State) -> bool:
    return bool(state.frames) and state.frames[-1].procedure == "attrition"


def _carry_forage(step: Step[State], o: ForageChoice) -> None:
    frame = step.frame
    found = outcomes(step.state, frame["who"], frame["marked"], frame["loss"])
    _settle(step, next(f for f in found if f.loses_step == (o.choice == "lose")))


def _carry_starve(step: Step[State], o: Starve) -> None:
    lost = lose_steps(step, o.unit, 1, "forage" if step.frame["who"] else "attrition")
    step.note(left=step.frame["left"] - lost)


def _choices(state: State, partial: Partial, _slot: str) -> Iterable[Choice]:
    if partial.kind == "forage":
        return [Choice("mark", "mark the group out of supply"), Choice("lose", "lose the steps, no marker")]
    return [Choice(u, u) for u in _alive(state, state.frames[-1].get("units", ()))] if _open(state) else []


@rule("ocs/3.6c")
def starve_chindits(step: Step[State], units: Iterable[str]) -> tuple[str, ...]:
    """After decimation Chindits out of supply are eliminated; the others are returned."""
    if not step.state.markers.get(DECIMATED):
        return tuple(units)
    left = []
    for unit in units:
        if step.state.pieces[unit].counter.is_chindit:
            destroy(step, unit, "decimation")
            step.cite("ocs/3.6c")
        else:
            left.append(unit)
    return tuple(left)


_PROCEDURES: dict[str, Procedure] = {"attrition": attrition}
FORAGE = Room(
    "forage",
    {
        ForageChoice: OrderRules(_no_forage, nothing, _carry_forage, _choices),
        Starve: OrderRules(_no_starving, nothing, _carry_starve, _choices),
    },
    procedures=_PROCEDURES,
)
