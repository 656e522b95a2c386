"""An order being built slot by slot, as plain data for a page: what is filled, what may fill the next slot, what speaks
against the order as it stands.

Values travel as the text in which orders write them, so that a page needs no type of any game.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from burma_study.engine.game import Choice, Partial
from burma_study.engine.orders import Order, Slot
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError, IllegalOrder
from burma_study.games.ocs.phrases import plainly
from burma_study.games.ocs.positions import lines
from burma_study.rules.ocs.state import Piece, stack
from burma_study.rules.ocs.supply.trace import BOXES
from burma_study.rules.ocs.supply.words import named, unit_name

Plain = dict[str, Any]
MANY_CHOICES = 400  # as many as a page shows of one slot
MOST_NAMED = 4  # units named of a hex that an order aims at
HEX = r"[AB]\d{1,2}\.\d{2}"
AIMS = {
    "attack": "at",
    "barrage": "at",
    "bomb": "at",
    "hip_shoot": "at",
    "overrun": "target",
    "shell": "at",
    "strike": "at",
}

LABELS = {
    "at": "Where",
    "target": "Target",
    "units": "Units",
    "unit": "Unit",
    "planes": "Aircraft",
    "plane": "Aircraft",
    "name": "Transport",
    "path": "Path",
    "payment": "Paid by",
    "fuel": "Fuel from",
    "ar": "Led by",
    "start": "From",
    "tokens": "Tokens",
    "banzai": "Banzai",
    "what": "What",
    "other": "With",
}


class Draft:
    """One kind of order with the slots filled so far, over a session; nothing happens before its `order` is given."""

    def __init__(self, session: Session, kind: str, **values: Any) -> None:
        self.session = session
        self.partial = Partial(kind, values)
        self.form = session.game.book[kind].form

    @property
    def kind(self) -> str:
        """The kind of order."""
        return self.partial.kind

    def value(self, slot: str) -> Any:
        """What fills a slot, or None."""
        return self.partial.values.get(slot)

    # filling ---------------------------------------------------------------------------------------------------------

    def _slot(self, name: str) -> Slot:
        if name not in self.form.slots:
            raise BurmaStudyError(f"An order to {self.kind} has no {name!r}; it has {', '.join(self.form.slots)}.")
        return self.form.slots[name]

    def read(self, name: str, text: str) -> Any:
        """The value, or the element of a slot filled piece by piece, that a text writes."""
        slot = self._slot(name)
        if not re.fullmatch(slot.pattern, text):
            raise BurmaStudyError(f"{text!r} is no {slot.name}; orders write it as in {self.form.usage!r}.")
        try:
            value = slot.read(text)
        except (ValueError, BurmaStudyError) as error:
            raise BurmaStudyError(f"{text!r} is no {slot.name}: {error}") from error
        return value[0] if slot.many else value

    def fill(self, name: str, texts: Sequence[str]) -> None:
        """Fill a slot; slots after it that hung on it are emptied where it changes. No texts empty it."""
        slot = self._slot(name)
        values = dict(self.partial.values)
        new = tuple(self.read(name, t) for t in texts) if slot.many else (self.read(name, texts[0]) if texts else None)
        if values.get(name) == new:
            return
        for later in self._after(name):
            values.pop(later, None)
        if new is None or new == ():
            values.pop(name, None)
        else:
            values[name] = new
        self.partial = replace(self.partial, values=values)

    def toggle(self, name: str, text: str) -> None:
        """Put an element into a slot that is filled piece by piece, or take it out; set any other slot."""
        now = [self.written(name, v) for v in self.value(name) or ()] if self._slot(name).many else []
        self.fill(name, [t for t in now if t != text] if text in now else [*now, text])

    def back(self, name: str) -> None:
        """Take the last element out."""
        self.fill(name, [self.written(name, v) for v in (self.value(name) or ())[:-1]])

    def _after(self, name: str) -> list[str]:
        names = [*self.form.required, *(n for n in self.form.slots if n not in self.form.required)]
        later = names[names.index(name) + 1 :]
        return later if name in self.form.required else []

    def written(self, name: str, value: Any) -> str:
        """A value, or one element, as orders write it."""
        slot = self._slot(name)
        try:
            return slot.write((value,)) if slot.many else slot.write(value)
        except (TypeError, ValueError, AttributeError) as error:
            raise BurmaStudyError(f"{value!r} is no {slot.name}, and no order can write it.") from error

    # what may be given -----------------------------------------------------------------------------------------------

    def choices(self, name: str) -> tuple[Choice, ...] | None:
        """What may fill a slot, or go on in it; None where any text may."""
        values = self.partial.values
        if not self._slot(name).many:
            values = {k: v for k, v in values.items() if k != name}
        return self.session.options(Partial(self.kind, values), name).choices

    @property
    def lacking(self) -> list[str]:
        """Required slots that are still empty."""
        return [n for n in self.form.required if n not in self.partial.values]

    @property
    def order(self) -> Order | None:
        """The order, once every required slot is filled, legal or not."""
        return None if self.lacking else self.session.game.book[self.kind](**self.partial.values)

    def against(self) -> tuple[str, ...]:
        """Every reason against the order as it stands, in words."""
        order = self.order
        return () if order is None else tuple(dict.fromkeys(map(plainly, self.session.why_not(order))))

    def plain(self) -> Plain:
        """Kind, slots with their choices, the text of the order and what speaks against it."""
        order, shown = self.order, self._shown()
        return {
            "kind": self.kind,
            "usage": self.form.usage,
            "about": re.split(r"[;.]", (self.session.game.book[self.kind].__doc__ or "").strip())[0],
            "slots": [self._plain_slot(name) for name in shown],
            "text": order.text if order is not None else "",
            "against": list(self.against()),
        }

    def _shown(self) -> list[str]:
        """The required slots up to the first empty one; then the optional ones."""
        required = list(self.form.required)
        if self.lacking:
            return required[: required.index(self.lacking[0]) + 1]
        return [*required, *(n for n in self.form.slots if n not in required)]

    def _plain_slot(self, name: str) -> Plain:
        slot, found = self._slot(name), self.choices(name)
        value = self.value(name)
        chosen = [self.written(name, v) for v in value] if slot.many and value else []
        if not slot.many and name in self.partial.values:
            chosen = [self.written(name, value)]
        rows = [self._plain_choice(name, c) for c in (found or ())[:MANY_CHOICES]]
        known = {r["value"] for r in rows}
        if name != "path":
            names = {c: self.words(c) + self._enemies(name, c) for c in chosen if c not in known}
            rows = [*({"value": c, "text": text, "cost": None, "hexes": []} for c, text in names.items()), *rows]
        return {
            "name": name,
            "label": LABELS.get(name, name.replace("_", " ").capitalize()),
            "of": slot.name,
            "many": slot.many,
            "optional": name not in self.form.required,
            "free": found is None,
            "chosen": chosen,
            "choices": rows,
            "more": max(0, len(found or ()) - MANY_CHOICES),
        }

    def _plain_choice(self, name: str, choice: Choice) -> Plain:
        value = self.written(name, choice.value)
        words = self.words(value)
        text = words if words != value else choice.text
        text += self._enemies(name, value)
        return {"value": value, "text": text, "cost": choice.cost, "hexes": list(choice.hexes)}

    def _enemies(self, name: str, value: str) -> str:
        """Who stands in a hex that an order aims at, as the end of its name; empty for other slots."""
        state, side = self.session.state, self.session.decision.actor
        if AIMS.get(self.kind) != name or not re.fullmatch(HEX, value):
            return ""
        hex_ = state.board.index(value)
        names = [p.counter.label for p in stack(state, hex_) if p.counter.side != side]
        more = [f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
        base = state.bases.get(hex_)
        there = [*names[:MOST_NAMED], *more, *(["an air base"] if base is not None and base.side != side else [])]
        return f": {', '.join(there)}" if there else ""

    def words(self, value: str) -> str:
        """The name of a unit, an air unit or transport with its place, of a hex; other values as they are written."""
        state = self.session.state
        piece, plane, points = state.pieces.get(value), state.aircraft.get(value), state.transport.get(value)
        if piece is not None:
            return f"{piece.counter.label} {strength_up(piece)} at {_place(state, piece.at)}"
        if plane is not None:
            steps = "" if plane.steps > 1 else ", reduced"
            return f"{unit_name(value)} at {_place(state, plane.at)}{steps}"
        if points is not None:
            load = "extender" if points.extender else f"{points.load}T of {points.size}T"
            return f"{unit_name(value)} at {_place(state, points.at)}, {load}"
        if re.fullmatch(HEX, value):
            return named(state.board, state.board.index(value))
        return value.capitalize() if value in BOXES else value


def strength_up(piece: Piece) -> str:
    """The strength line of the side of a counter that is up: of the Move side with its movement."""
    return lines(piece.counter)[piece.face == "move"]


def _place(state: Any, at: Any) -> str:
    return named(state.board, at) if isinstance(at, int) else str(at).capitalize()


def reasons_of(error: BurmaStudyError) -> list[str]:
    """The reasons of a refusal one by one, each once, in plain words; the whole message of any other error."""
    if isinstance(error, IllegalOrder) and error.problems:
        return list(dict.fromkeys(plainly(p.message) for p in error.problems))
    return [plainly(str(error))]
