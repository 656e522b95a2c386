"""What a reader has chosen on the map of a game: a hex, units in it, and the order being built from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from burma_study.errors import BurmaStudyError
from burma_study.games.ocs import hints, moves
from burma_study.games.ocs.drafts import Draft, strength_up
from burma_study.rules.ocs.state import Piece
from burma_study.rules.ocs.supply.words import named, unit_name
from burma_study.study.play import HUMAN, Play

TARGETS = {"attack": "at", "barrage": "at", "overrun": "target", "shell": "at"}
TOGETHER = ("retreat", "advance")  # all that can go together are named to begin with
MOST_JOINERS = 12


@dataclass
class Selection:
    """`chosen` are units of `hex`, `goal` the hex picked last, `draft` the order being built, `refusals` why the last
    wish was refused. `waiting` were chosen before an own stack in their reach was picked: they may still march there.
    """

    play: Play
    hex: int = -1
    goal: int = -1
    chosen: list[str] = field(default_factory=list)
    draft: Draft | None = None
    fuel: str = "auto"
    formation: str = ""
    refusals: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)

    # what is there ----------------------------------------------------------------------------------------------------

    def pieces(self, hex_: int) -> list[Piece]:
        """Ground units of a hex, by id."""
        return sorted((p for p in self.play.state.pieces.values() if p.at == hex_), key=lambda p: p.id)

    def things(self, hex_: int) -> list[str]:
        """Ids of units and transport in a hex."""
        points = self.play.state.transport.values()
        return [*(p.id for p in self.pieces(hex_)), *sorted(t.id for t in points if t.at == hex_)]

    def own(self, hex_: int) -> list[str]:
        """Those of the side that has to order."""
        return [u for u in self.things(hex_) if self._side(u) == self.play.actor]

    def _side(self, unit: str) -> str:
        piece, points = self.play.state.pieces.get(unit), self.play.state.transport.get(unit)
        return piece.counter.side if piece is not None else points.side if points is not None else ""

    def place(self, unit: str) -> Any:
        """Where a unit or transport is; None when it is gone."""
        thing = self.play.state.pieces.get(unit) or self.play.state.transport.get(unit)
        return thing.at if thing is not None else None

    def words(self, unit: str) -> str:
        """A unit or transport with what it shows."""
        piece, points = self.play.state.pieces.get(unit), self.play.state.transport.get(unit)
        if piece is not None:
            marks = [piece.mode, *(["disorganised"] if piece.dg else []), *(["out of supply"] if piece.oos else [])]
            return f"{unit_name(unit)} {strength_up(piece)}, {', '.join(marks)}".replace(" ,", ",")
        if points is not None:
            load = "an extender" if points.extender else f"{points.load}T loaded"
            return f"{points.size}T {points.kind}, {load}"
        return unit

    # choosing ---------------------------------------------------------------------------------------------------------

    def moved_on(self) -> None:
        """The game stands elsewhere: what was being built belongs to another position."""
        self.draft, self.refusals, self.waiting, self.fuel = None, [], [], "auto"
        there = [u for u in self.chosen if self.place(u) == self.hex]
        if self.goal == self.hex and len(there) < len(self.chosen):
            self.goal = -1
        self.chosen = there
        if self.formation not in self.play.formations(self.play.actor):
            self.formation = ""
        if self.hex >= 0 and self.play.played_by(self.play.actor) == HUMAN:
            self._fight(self.hex, ("attack",))

    def pick(self, hex_: int) -> None:
        """A hex was picked: it fills the open slot, opens a fight, says why it is out of reach, or is chosen."""
        self.goal = hex_
        if hex_ < 0 or (self.draft is not None and self._fill(self.draft, hex_)):
            return
        own = self.own(hex_)
        if self.chosen and not own and hex_ != self.hex and self.aim(hex_):
            return
        before = self.chosen if own and hex_ != self.hex else []
        self.waiting = list(before) if hex_ in moves.ways(self.play.state, before) else []
        self.draft, self.hex, self.fuel = None, hex_, "auto"
        self.chosen = self._ready(own)
        if not own:
            self.aim(hex_)

    def pick_one(self, unit: str) -> None:
        """One unit was picked out of a box: its hex is picked, and of own units there it alone is chosen."""
        place = self.place(unit)
        if isinstance(place, int):
            self.pick(place)
            if self.draft is None and self.hex == place and unit in self.own(place):
                self.chosen = [unit]

    def join(self) -> bool:
        """Let those that wait march to the hex picked after them; False when they cannot."""
        self.chosen, self.draft = self.waiting, None
        return self.march(self.hex)

    def _ready(self, own: Sequence[str]) -> list[str]:
        """Those that may move as one stack: all ground units that may when they may together, else the first."""
        able = [u for u in own if u in self.play.state.pieces and not moves.stopped(self.play, [u])]
        return able if not moves.stopped(self.play, able) else able[:1]

    def _fill(self, draft: Draft, hex_: int) -> bool:
        """Put a hex, or the units in it, into the slot of the order that is open."""
        many = [n for n in draft.form.slots if draft.form.slots[n].many]
        for name in dict.fromkeys((*draft.lacking[:1], *many)):
            found = [c for c in draft.choices(name) or () if hex_ in (c.hexes[-1:] if name == "path" else c.hexes)]
            for choice in found if name != "path" and draft.form.slots[name].many else found[:1]:
                self.put(name, draft.written(name, choice.value))
            if found:
                return True
        return False

    def put(self, name: str, text: str) -> None:
        """Put a value into a slot of the draft, an element in or out of it; a path grows."""
        draft = self.needed()
        if name == "path":
            draft.fill(name, [*(draft.written(name, h) for h in draft.value(name) or ()), text])
        else:
            draft.toggle(name, text)

    def needed(self) -> Draft:
        """The order being built; BurmaStudyError when there is none."""
        if self.draft is None:
            raise BurmaStudyError("Choose a kind of order first.")
        return self.draft

    def begin(self, kind: str) -> None:
        """Start an order of a kind with what is chosen already; the same kind again drops it."""
        if self.draft is not None and self.draft.kind == kind:
            self.draft = None
            return
        draft = self.draft = self.play.draft(kind)
        if draft.lacking[:1] in (["at"], ["target"], ["start"]) and self.hex >= 0:
            set_if_offered(draft, draft.lacking[0], self.hex)
        first = draft.lacking[0] if draft.lacking else ""
        if kind in TOGETHER:
            self._gather(draft)
        elif first in ("units", "unit", "name") and self.chosen:
            able = {c.value for c in draft.choices(first) or ()}
            fit = [u for u in self.chosen if u in able]
            if first == "units" or len(fit) == 1:
                draft.fill(first, fit)

    def aim(self, hex_: int) -> bool:
        """An enemy hex: open the fight that may be had there. Another: say why the chosen units cannot reach it."""
        if self._fight(hex_):
            return True
        if self.chosen and not self.formation and self.play.state.phase in moves.PHASES:
            if self.enemy(hex_):
                self.refusals = hints.held_by_enemy(self.play, hex_, self.chosen)
            else:
                found = moves.why_not_there(self.play, self.chosen, hex_, self.fuel)
                where = named(self.play.state.board, hex_)
                self.refusals = [f"{where} is out of reach.", *found[:5]] if found else []
        return bool(self.refusals)

    def enemy(self, hex_: int) -> bool:
        """Units of the other side than the one that has to order stand in a hex."""
        return any(p.counter.side != self.play.actor for p in self.pieces(hex_))

    def _fight(self, hex_: int, kinds: Sequence[str] = tuple(TARGETS)) -> bool:
        """Open the first of some kinds of fight that may be had with an enemy hex now."""
        offered = self.play.session.decision.kinds
        for kind in kinds if self.enemy(hex_) else ():
            draft = self.play.draft(kind) if kind in offered else None
            if draft is not None and set_if_offered(draft, TARGETS[kind], hex_):
                self._gather(draft)
                self.draft, self.hex = draft, hex_
                return True
        return False

    def _gather(self, draft: Draft) -> None:
        """The chosen units that may take part, else all that may together, without those that need not fall back."""
        able = {c.value for c in draft.choices("units") or ()}
        chosen = [u for u in self.chosen if u in able]
        draft.fill("units", chosen)
        while not chosen and len(draft.value("units") or ()) < MOST_JOINERS:
            further = self._due(draft)
            if not further:
                break
            draft.fill("units", [*(draft.value("units") or ()), further[0]])

    def _due(self, draft: Draft) -> list[str]:
        """Further units for an answer: in a retreat those that must fall back."""
        found = [str(c.value) for c in draft.choices("units") or ()]
        frame = self.play.session.decision.frame
        return [u for u in found if u in frame["units"]] if draft.kind == "retreat" and frame is not None else found

    def march(self, hex_: int) -> bool:
        """Let the chosen units go to a hex in reach; False where it is none."""
        way = moves.ways(self.play.state, self.chosen).get(hex_)
        if way is None:
            return False
        order = self.play.draft("move", units=tuple(self.chosen), path=way.path, fuel=self.fuel).order
        assert order is not None
        self.play.give(order)
        self.hex = self.goal = hex_
        return True

    def lit(self) -> set[int]:
        """Hexes that may be picked for the order being built; without one those of the chosen formation."""
        if self.draft is None:
            play, formation = self.play, self.formation
            return set(play.formation_units(play.actor, formation)) if formation else set()
        slots = self.draft.form.slots
        names = self.draft.lacking[:1] or [n for n in self.draft.form.required if slots[n].many]
        choices = [(n, c) for n in names for c in self.draft.choices(n) or ()]
        return {h for n, c in choices for h in (c.hexes[-1:] if n == "path" else c.hexes)}

    def target(self) -> int:
        """The hex that is or may be fought over, -1 for none."""
        if self.draft is not None and self.draft.kind in TARGETS:
            found = self.draft.value(TARGETS[self.draft.kind])
            return int(found) if found is not None else -1
        frame = next((f for f in reversed(self.play.state.frames) if f.procedure == "battle"), None)
        return int(frame["target"]) if frame is not None else -1


def set_if_offered(draft: Draft, slot: str, value: Any) -> bool:
    """Fill a slot with a value that is among its choices."""
    offered = any(c.value == value for c in draft.choices(slot) or ())
    if offered:
        draft.fill(slot, [draft.written(slot, value)])
    return offered
