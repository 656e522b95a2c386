"""The orders of movement: modes, marches along a path, reserves released, overruns, what gives way in a full hex."""

from __future__ import annotations

from burma_study.engine.orders import WORD, Order, Slot, choice_slot, flag_slot, many_slot, order, slot
from burma_study.rules.ocs.goods.payment import AUTO, PAYMENT
from burma_study.rules.ocs.orders import FACE, WHERE

CHOSEN_MODES = ("combat", "move", "reserve", "strat")
HEX = Slot("hex", r"[AB]\d{1,2}\.\d{2}", WHERE.read, WHERE.write)
UNITS = many_slot(WORD)
PATH = many_slot(HEX)
BANZAI = flag_slot("Banzai")


@order("mode {units} {mode}[ with the {face} side up]")
class ChooseMode(Order):
    """The mode of units in one place as they start to move; the side up follows it except in Reserve or when DG."""

    units: tuple[str, ...] = slot(UNITS)
    mode: str = slot(choice_slot("mode", CHOSEN_MODES))
    face: str = slot(FACE, default="")


@order("move {units} by {path}[ paying {fuel}]")
class Move(Order):
    """Units and transport of one hex along a path; `fuel` says where the tokens of trucks and tanks come from."""

    units: tuple[str, ...] = slot(UNITS)
    path: tuple[int, ...] = slot(PATH)
    fuel: str = slot(PAYMENT, default=AUTO)


@order("carry {mules} on {name} by {path}")
class Carry(Order):
    """Empty mules carried by trucks of their hex along a path, and set down at its end."""

    mules: tuple[str, ...] = slot(UNITS)
    name: str = slot(WORD)
    path: tuple[int, ...] = slot(PATH)


@order("release {units}")
class Release(Order):
    """Units of one place that come out of Reserve, in Reaction or Exploitation."""

    units: tuple[str, ...] = slot(UNITS)


@order("overrun {target} with {units}[ as {banzai}][, rating of {ar}][ paying {payment}][ fuelled from {fuel}]")
class Overrun(Order):
    """An attack on an adjacent hex within a move; `payment` is the combat supply, `fuel` that of trucks and tanks."""

    target: int = slot(HEX)
    units: tuple[str, ...] = slot(UNITS)
    banzai: bool = slot(BANZAI, default=False)
    ar: str = slot(WORD, default="")
    payment: str = slot(PAYMENT, default=AUTO)
    fuel: str = slot(PAYMENT, default=AUTO)


@order("give up {unit}", kind="give up")
class GiveUp(Order):
    """A unit that its owner takes out of a hex with too many in it."""

    unit: str = slot(WORD)
