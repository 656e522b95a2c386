"""The question of an open decision in words: who is asked, about which units and hexes, and what hangs on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from burma_study.engine.frames import Frame
from burma_study.rules.ocs.combat.retreats import joiners
from burma_study.rules.ocs.movement.crowding import first_crowd
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.supply.words import named, unit_name
from burma_study.study.play import Play

NAMED = 6  # units named before "and N more"
WHERE = ("target", "hex", "at", "start", "met")  # locals of a frame that name its hex
WHO = ("units", "planes")


def question(play: Play) -> str:
    """The question of the open decision, naming who decides; empty while none is open."""
    frame = play.session.decision.frame
    if frame is None or not frame.actor:
        return ""
    who, kinds = frame.actor.capitalize(), play.session.decision.kinds
    text = next((ASKED[k] for k in kinds if k in ASKED), None)
    if text is None:
        return f"{who} has to decide about {frame.procedure.replace('_', ' ')}."
    return f"{who}: {text(play.state, frame)}"


def places(play: Play) -> tuple[int, ...]:
    """The hexes that the open decision is about; none while none is open."""
    frame = play.session.decision.frame
    if frame is None or not frame.actor:
        return ()
    state = play.state
    if frame.procedure == "crowding":
        crowd = first_crowd(state)
        return (crowd.hex,) if crowd else ()
    stated = [frame.get(name) for name in WHERE]
    hexes = [h for h in stated if _is_hex(h)]
    return tuple(dict.fromkeys(hexes or _standing(state, frame)))


def _standing(state: State, frame: Frame) -> list[int]:
    units = [u for name in WHO for u in frame.get(name, ())]
    found = [state.pieces[u].at for u in units if u in state.pieces]
    return [h for h in found if isinstance(h, int)]


def _is_hex(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _hex(state: State, hex_: Any) -> str:
    return named(state.board, hex_) if _is_hex(hex_) else str(hex_)


def _units(ids: Sequence[str]) -> str:
    names = ", ".join(unit_name(i) for i in ids[:NAMED])
    return names + (f" and {len(ids) - NAMED} more" if len(ids) > NAMED else "")


def _plural(n: int, one: str, several: str = "") -> str:
    return f"{n} {one if n == 1 else several or one + 's'}"


def _alive(state: State, ids: Iterable[str]) -> list[str]:
    return [u for u in ids if u in state.pieces and isinstance(state.pieces[u].at, int)]


# ground ---------------------------------------------------------------------------------------------------------------


def _defence(state: State, f: Frame) -> str:
    return f"pay combat supply to defend {_hex(state, f['target'])}? Unpaid, the defenders fight at half strength."


def _lead(state: State, f: Frame) -> str:
    target = _hex(state, f["target"])
    return f"which unit gives the action rating in the fight for {target}? It takes the first step lost."


def _advance(state: State, f: Frame) -> str:
    return f"{_hex(state, f['target'])} is empty. Who enters it?"


def _losses(state: State, f: Frame) -> str:
    lost, who = ("1 step is", "it") if f["n"] == 1 else (f"{f['n']} steps are", "them")
    return f"{lost} lost among {_units(f['units'])}{_stand(state, f['units'])}. Who takes {who}?"


def _stand(state: State, ids: Iterable[str]) -> str:
    """The hex where all of them stand, as a phrase; empty when they stand apart."""
    found = {state.pieces[u].at for u in _alive(state, ids)}
    return f" at {_hex(state, found.pop())}" if len(found) == 1 else ""


def _options(state: State, f: Frame) -> str:
    owed = "1 step or hex" if f["n"] == 1 else f"{f['n']} steps or hexes"
    who = f"{_units(f['units'])}{_stand(state, f['units'])}"
    split = "How many are lost as steps? For each of the others all of them retreat one hex."
    return f"the result asks {owed} of {who}, as you split it. {split}"


def _retreat(state: State, f: Frame) -> str:
    distance = _plural(f["hexes"], "hex", "hexes")
    beside = joiners(state, f)
    free = f" {_units(beside)} need not fall back, but may go along." if beside else ""
    return f"retreat by {distance}. Who goes where of {_units(f['units'])}{_stand(state, f['units'])}?{free}"


def _crowd(state: State, _: Frame) -> str:
    crowd = first_crowd(state)
    where = f" at {_hex(state, crowd.hex)}" if crowd else ""
    return f"too much stands{where}. Which unit is given up?"


def _displace(state: State, f: Frame) -> str:
    return f"transport has to give way at {_hex(state, f['start'])}. Where does it go?"


def _forage(state: State, f: Frame) -> str:
    units = _units(f["units"])
    loss = _plural(int(f["loss"]), "step")
    return (
        f"{units} at {_hex(state, f['hex'])} forage without supply, and the roll asks for {loss}. "
        f"Take the out-of-supply marker instead, or lose {'it' if f['loss'] == 1 else 'them'} and stay unmarked?"
    )


def _starve(state: State, f: Frame) -> str:
    left, who = int(f["left"]), _units(_alive(state, f["units"]))
    verb = "is" if left == 1 else "are"
    return f"{_plural(left, 'step')} of {who} at {_hex(state, f['hex'])} {verb} lost to hunger. Whose is next?"


def _other(_state: State, _f: Frame) -> str:
    return "a replacement may bring back a unit drawn from the dead, or make up a reduced air unit. Which?"


def _equipment(_state: State, _f: Frame) -> str:
    return "an equipment point has come. Which box does it go to, or which air unit does it make up?"


# air ------------------------------------------------------------------------------------------------------------------


def _flight(state: State, f: Frame) -> str:
    names = _units(f["planes"])
    return f"{names} on the way from {_hex(state, f['start'])} to {_hex(state, f['target'])}"


def _intercept(state: State, f: Frame) -> str:
    if f.get("stage") == "answer":
        return f"{unit_name(f['interceptor'])} comes up against {_flight(state, f)}. Send a fighter to meet it?"
    return f"{_flight(state, f)} can be met by a fighter. Intercept?"


def _refuse(state: State, f: Frame) -> str:
    where, who = _hex(state, f["target"]), unit_name(f["refuser"])
    return f"{_units(f['planes'])} arrive at {where}. Does {who} fight them, or fly home?"


def _keep_station(state: State, f: Frame) -> str:
    return f"{unit_name(f['settling'])} has fought. Does it stay on station, or fly home?"


def _stand_down(state: State, f: Frame) -> str:
    where = _hex(state, f["at"])
    return f"more than {_plural(f['most'], 'air unit')} may not be active at {where}. Which stands down?"


def _shelter(state: State, f: Frame) -> str:
    waiting = [p for p in f["planes"] if p in state.aircraft and not state.aircraft[p].active]
    if not waiting:
        return "an air unit stands in the open at its base. Whose protected place does it take, if any?"
    who = f"{unit_name(waiting[0])} at {_hex(state, state.aircraft[waiting[0]].at)}"
    return f"{who} finds the protected places taken. Whose place does it take, or does it stand in the open?"


def _first(_state: State, _f: Frame) -> str:
    return "you have the initiative. Move first or second this turn?"


ASKED: Mapping[str, Callable[[State, Frame], str]] = {
    "go": _first,
    "pay": _defence,
    "lead": _lead,
    "advance": _advance,
    "sacrifice": _losses,
    "settle": _options,
    "retreat": _retreat,
    "give up": _crowd,
    "displace": _displace,
    "forage": _forage,
    "starve": _starve,
    "other": _other,
    "equipment": _equipment,
    "intercept": _intercept,
    "refuse_combat": _refuse,
    "keep_station": _keep_station,
    "stand_down": _stand_down,
    "shelter": _shelter,
}
