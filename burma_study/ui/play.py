"""The page of play: a map to play on and a desk, over a game of `burma_study.study.play`."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl

import ipywidgets

from burma_study.errors import BurmaStudyError
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.supply_words import named, unit_name
from burma_study.rules.ocs.victory import score_sheet, verdict
from burma_study.study import autosave, compact, moves, questions
from burma_study.study.drafts import Draft, reasons_of
from burma_study.study.ocs_session import ocs_board_json
from burma_study.study.openings import setup_choices
from burma_study.study.play import HUMAN, Origin, Play
from burma_study.study.reel import Cutter, Reel
from burma_study.study.tree import branches
from burma_study.ui import play_sections as parts
from burma_study.ui import sections
from burma_study.ui.desk import Desk
from burma_study.ui.playmap import PlayMap
from burma_study.ui.pulse import Pulse

TABS = (
    ("orders", "Orders"),
    ("log", "Log"),
    ("tree", "Variations"),
    ("score", "Points"),
    ("supply", "Supply"),
    ("game", "Game"),
)
BURST = 0.8  # seconds that policies play before the page is shown again
LOG_ROWS = 60
SIDES = ("japanese", "allied")


class PlayPage(ipywidgets.Box):  # type: ignore[misc]  # ipywidgets ships no types
    """A game with its map and desk; every act of the reader goes through `act`."""

    def __init__(self, play: Play, *, link_name: str = "play", height: str = "min(74vh, 720px)"):
        self._cutter: Cutter
        self._reel: Reel | None = None
        self._forget(play)
        film = self._cut().film
        self.map = PlayMap(ocs_board_json(), film, height=height, link_name=link_name, scenario=play.scenario)
        self.desk = Desk()
        self.desk.on_act(self.act)
        self.map.on_pick(self.picked)
        self.map.on("step", self._stepped)
        self.map.on("layers", lambda _: self.refresh())
        self.map.on("link", self.follow)
        super().__init__([self.map, self.desk, Pulse()])
        self.add_class("bs-study")
        self.refresh()

    def _forget(self, play: Play) -> None:
        self.play = play
        self.hex = -1
        self.chosen: list[str] = []
        self.draft: Draft | None = None
        self.fuel, self.formation, self.tab = "auto", "", "orders"
        self.refusals: list[str] = []
        self.more_log = 0
        self._kept = self._kept_at = 0
        self._busy = False
        self._cutter = Cutter(play.session, play.when, self.sentence)
        self._reel = None
        self._disk = autosave.Autosave(play)

    # acts -----------------------------------------------------------------------------------------------------------------

    def act(self, key: str, value: Any) -> None:
        """One thing that the reader does at the desk; a BurmaStudyError becomes a sentence and changes nothing."""
        found = getattr(self, f"_act_{key.replace('-', '_')}", None)
        if found is None:
            raise BurmaStudyError(f"The page knows nothing of {key!r}.")
        self.desk.notices, self.refusals = [], []
        try:
            found(value)
        except BurmaStudyError as error:
            self.refusals = reasons_of(error)
            self.desk.notices = [("bad", self.refusals[0])] if self.draft is None else []
        self.refresh()

    def _act_hello(self, _: Any) -> None:
        self._kept = 0

    def _act_tab(self, value: str) -> None:
        self.tab = str(value)

    def _act_undo(self, _: Any) -> None:
        self.play.undo()
        self._moved_on()

    def _act_redo(self, _: Any) -> None:
        self.play.redo()
        self._moved_on()

    def _act_go(self, node: Any) -> None:
        self.play.go(int(node))
        self._moved_on()

    def _act_reroll(self, _: Any) -> None:
        self.play.reroll()
        self._given()

    def _act_done(self, _: Any) -> None:
        if "done" not in self.play.session.decision.kinds:
            raise BurmaStudyError(
                "The phase cannot end now: a decision is open." if self.play.actor else "The game is over."
            )
        self.play.give("done")
        self._disk.due = True
        self._given()

    def _act_answer(self, text: str) -> None:
        self.play.give(str(text))
        self._given()

    def _act_order(self, value: Sequence[str]) -> None:
        self.play.give(str(value[1]).strip())
        self._given()

    def _act_on(self, _: Any) -> None:
        self._let_policies()

    def _act_drop(self, _: Any) -> None:
        self.draft, self.chosen = None, []

    def _moved_on(self) -> None:
        """The cursor moved: what was being built belongs to another position."""
        self.draft, self.refusals, self.fuel = None, [], "auto"
        self.chosen = [u for u in self.chosen if self._place(u) == self.hex]

    def _given(self) -> None:
        self._moved_on()
        self._let_policies()

    def _let_policies(self) -> None:
        done = self.play.advance(BURST)
        self._busy = done.why == "more"
        problems = [str(n) for n in done.notes if "raised" in n.text or "refused" in n.text]
        if problems and not self._busy:
            self.desk.notices = [("", problems[-1])]

    # an order being built ----------------------------------------------------------------------------------------------------

    def _act_kind(self, kind: str) -> None:
        self.draft = None if self.draft is not None and self.draft.kind == kind else self._begin(str(kind))
        self.tab = "orders"
        if self.draft is not None and not self.draft.form.slots and not self.draft.against():
            self._act_give("")

    def _begin(self, kind: str) -> Draft:
        """A draft with what the selection already says."""
        draft = self.play.draft(kind)
        if kind == "overrun" and self.hex >= 0:
            self._try(draft, "target", self.hex)
        elif "at" in draft.form.required[:1] and self.hex >= 0:
            self._try(draft, "at", self.hex)
        first = draft.lacking[0] if draft.lacking else ""
        if first in ("units", "unit", "name") and self.chosen:
            able = {c.value for c in draft.choices(first) or ()}
            fit = [u for u in self.chosen if u in able]
            if first == "units":
                draft.fill("units", fit)
            elif len(fit) == 1:
                draft.fill(first, fit)
        return draft

    @staticmethod
    def _try(draft: Draft, slot: str, value: Any) -> bool:
        if any(c.value == value for c in draft.choices(slot) or ()):
            draft.fill(slot, [draft.written(slot, value)])
            return True
        return False

    def _needed(self) -> Draft:
        if self.draft is None:
            raise BurmaStudyError("Choose a kind of order first.")
        return self.draft

    def _act_slot(self, value: Sequence[str]) -> None:
        name, text = str(value[0]), str(value[1]).strip()
        draft = self._needed()
        slot = draft.form.slots[name]
        draft.fill(
            name, [draft.written(name, v) for v in slot.read(text)] if slot.many and text else [text] if text else []
        )

    def _act_tick(self, value: Sequence[str]) -> None:
        self._needed().toggle(str(value[0]), str(value[1])) if value[0] != "path" else self._longer(str(value[1]))

    def _longer(self, label: str) -> None:
        draft = self._needed()
        draft.fill("path", [*(draft.written("path", h) for h in draft.value("path") or ()), label])

    def _act_back(self, name: str) -> None:
        self._needed().back(str(name))

    def _act_give(self, _: Any) -> None:
        order = self._needed().order
        if order is None:
            raise BurmaStudyError("Something is missing in this order: fill it first.")
        self.play.give(order)
        self._given()

    def _act_cancel(self, _: Any) -> None:
        self.draft = None

    # the selection --------------------------------------------------------------------------------------------------------------

    def picked(self, key: str, hex_: int) -> None:
        """A hex was picked or gone to on the map, or a link asked for."""
        acts: dict[str, Callable[[int], None]] = {
            "pick": self._pick,
            "go": self._march,
            "share": lambda _: self._act_share(""),
        }
        self.desk.notices, self.refusals = [], []
        try:
            acts[key](hex_)
        except BurmaStudyError as error:
            self.refusals = reasons_of(error)
        self.refresh()

    def _pick(self, hex_: int) -> None:
        if hex_ < 0:
            return
        if self.draft is not None and self._fill_from_map(hex_):
            return
        own = [u for u in self._things(hex_) if self._mine(u)]
        if self.chosen and not own and hex_ != self.hex and self._aim(hex_):
            return
        self.draft = None
        self.hex, self.fuel = hex_, "auto"
        self.chosen = self._ready(own)
        if not own:
            self._aim(hex_)

    def _fill_from_map(self, hex_: int) -> bool:
        """Put a hex, or the units in it, into the slot of the order that is open."""
        draft = self._needed()
        names = draft.lacking[:1] or [n for n in draft.form.slots if draft.form.slots[n].many][-1:]
        for name in [*names, *(n for n in draft.form.required if draft.form.slots[n].many)]:
            found = [c for c in draft.choices(name) or () if hex_ in (c.hexes[-1:] if name == "path" else c.hexes)]
            if not found:
                continue
            if draft.form.slots[name].many:
                for choice in found:
                    self._act_tick([name, draft.written(name, choice.value)])
            else:
                draft.fill(name, [draft.written(name, found[0].value)])
            return True
        return False

    def _aim(self, hex_: int) -> bool:
        """An enemy hex was picked: open the fight that may be had there. An empty one: say why it cannot be reached."""
        state, kinds = self.play.state, self.play.session.decision.kinds
        enemy = any(p.counter.side != self.play.actor for p in self._pieces(hex_))
        for kind, slot in (("attack", "at"), ("barrage", "at"), ("overrun", "target")):
            if enemy and kind in kinds:
                draft = self.play.draft(kind)
                if self._try(draft, slot, hex_):
                    self._gather(draft)
                    self.draft, self.hex, self.tab = draft, hex_, "orders"
                    return True
        if self.chosen and state.phase in moves.PHASES and not enemy:
            found = moves.why_not_there(self.play, self.chosen, hex_, self.fuel)
            if found:
                self.refusals = [f"{named(state.board, hex_)} is out of reach.", *found[:5]]
                return True
        return False

    def _gather(self, draft: Draft) -> None:
        """The chosen units that may take part, else all that may together."""
        wanted = [u for u in self.chosen if u in {c.value for c in draft.choices("units") or ()}]
        if wanted:
            draft.fill("units", wanted)
            return
        for _ in range(12):
            further = draft.choices("units") or ()
            if not further:
                break
            draft.fill("units", [*(draft.value("units") or ()), str(further[0].value)])

    def _march(self, hex_: int) -> None:
        way = moves.ways(self.play.state, self.chosen).get(hex_)
        if way is None:
            self._aim(hex_)
            return
        draft = self.play.draft("move", units=tuple(self.chosen), path=way.path, fuel=self.fuel)
        order = draft.order
        assert order is not None
        self.play.give(order)
        self.hex = hex_
        self.map.layer.selected = hex_
        self._given()

    def _things(self, hex_: int) -> list[str]:
        state = self.play.state
        units = [p.id for p in self._pieces(hex_)]
        return [*units, *sorted(t.id for t in state.transport.values() if t.at == hex_)]

    def _pieces(self, hex_: int) -> list[Any]:
        return sorted((p for p in self.play.state.pieces.values() if p.at == hex_), key=lambda p: p.id)

    def _mine(self, unit: str) -> bool:
        piece, points = self.play.state.pieces.get(unit), self.play.state.transport.get(unit)
        side = piece.counter.side if piece is not None else points.side if points is not None else ""
        return side == self.play.actor

    def _place(self, unit: str) -> Any:
        thing = self.play.state.pieces.get(unit) or self.play.state.transport.get(unit)
        return thing.at if thing is not None else None

    def _ready(self, units: Sequence[str]) -> list[str]:
        """Those that may move as one stack: ground units first, all of them when they can."""
        able = [u for u in units if u in self.play.state.pieces and not moves.stopped(self.play, [u])]
        return able if not moves.stopped(self.play, able) else able[:1]

    def _act_unit(self, unit: str) -> None:
        self.chosen = [u for u in self.chosen if u != unit] if unit in self.chosen else [*self.chosen, str(unit)]
        self.draft = None

    def _act_all(self, _: Any) -> None:
        self.chosen = [u for u in self._things(self.hex) if self._mine(u)]

    def _act_none(self, _: Any) -> None:
        self.chosen = []

    def _act_mode(self, text: str) -> None:
        self.play.give(str(text))
        self._given()

    def _act_fuel(self, value: Sequence[str]) -> None:
        self.fuel = str(value[1])

    # formations and seats ---------------------------------------------------------------------------------------------------------

    def _act_formation(self, value: Sequence[str]) -> None:
        self.formation = str(value[1])

    def _act_formation_mode(self, mode: str) -> None:
        self._at_once(*moves.formation_modes(self.play, self.formation, str(mode)))

    def _act_formation_march(self, _: Any) -> None:
        self._at_once(*moves.formation_march(self.play, self.formation, self.hex))

    def _at_once(self, orders: Sequence[Any], left: Sequence[str]) -> None:
        moves.together(self.play, orders)
        self._given()
        if left:
            self.desk.notices = [("", f"{len(orders)} orders given. {' '.join(left[:4])}")]

    def _act_lend(self, value: Sequence[str]) -> None:
        self.play.lend(str(value[0]), str(value[1]))

    def _act_move_lent(self, formation: str) -> None:
        done = self.play.move_lent(str(formation))
        self._moved_on()
        self.desk.notices = [("good", f"{done.orders} orders given for {formation}.")]
        if done.notes:
            self.desk.notices = [("bad", str(done.notes[0]))]

    def _act_seat(self, value: Sequence[str]) -> None:
        self.play.seat(str(value[0]), str(value[1]))
        self._let_policies()

    def _act_take(self, unit: str) -> None:
        (self.play.give_back if unit in self.play.taken else self.play.take_back)(str(unit))

    # games --------------------------------------------------------------------------------------------------------------------------

    def _act_new(self, value: Sequence[str]) -> None:
        scenario, kind = str(value[0]), str(value[1])
        self.show(Play.at(Origin(scenario, kind), players=dict(self.play.players) if False else None))

    def _act_start(self, value: Sequence[str]) -> None:
        scenario, _, kind = str(value[1]).partition("|")
        if scenario:
            self.show(Play.at(Origin(scenario, kind)))

    def show(self, play: Play) -> None:
        """Another game in place of this one, which stays kept."""
        self._disk.close()
        self._forget(play)
        reel = self._cut()
        self.map.show(reel.film, scenario=f"{play.scenario}#{play.id}", step=reel.step_of(play.node))
        self._let_policies()
        self.refresh()

    def _act_save(self, _: Any) -> None:
        stem = self.play.scenario.rpartition("/")[2]
        self.desk.download(f"burma-{stem}-turn{self.play.state.turn}.save.gz", self.play.to_bytes())

    def _act_open(self, value: Sequence[str]) -> None:
        self.show(Play.from_bytes(base64.b64decode(str(value[1])), str(value[0])))
        if self.play.session.notes:
            self.desk.notices = [("", " ".join(self.play.session.notes[:2]))]

    def _act_open_kept(self, name: str) -> None:
        self.show(Play.open(autosave.folder() / autosave.safe(str(name))))

    def _act_restore(self, game: Mapping[str, Any]) -> None:
        about, rows = game["about"], game["rows"]
        self.show(
            compact.replay(
                about, rows, cursor=int(game["cursor"]), digest=str(game.get("digest", "")), game_id=str(game["id"])
            )
        )

    def _act_keep_all(self, _: Any) -> None:
        self._kept = 0

    def _act_share(self, _: Any) -> None:
        text = compact.pack(self.play)
        if not compact.fits(text):
            size = f"{len(text) / 1000:.1f} kB"
            raise BurmaStudyError(
                f"This game is {size} long, more than the 6 kB that a link carries: download the file under Game."
            )
        where = f"&hex={self.play.state.board.label(self.hex)}" if self.hex >= 0 else ""
        self.desk.link(f"{self.map.layer.link_name or 'play'}?game={text}{where}")

    def follow(self, query: str) -> None:
        """Open the game that a link carries."""
        asked = dict(parse_qsl(query))
        if asked.get("game"):
            self.show(compact.unpack(asked["game"]))
        elif asked.get("scenario"):
            self.show(Play.at(Origin(asked["scenario"], asked.get("start", "historical"))))
        if asked.get("hex"):
            self.hex = self.map.layer.selected = self.play.state.board.index(asked["hex"])
            self.refresh()

    # what is shown ---------------------------------------------------------------------------------------------------------------------

    def _cut(self) -> Reel:
        if self._reel is None or self._reel_key != self._key():
            self._reel, self._reel_key = self._cutter.reel(), self._key()
        return self._reel

    def _key(self) -> tuple[Any, ...]:
        state = self.play.state
        return self._cutter.line(), state.turn, state.player

    def _stepped(self, step: int) -> None:
        nodes = self._cut().nodes
        if 0 <= step < len(nodes) and nodes[step] != self.play.node:
            self.play.go(nodes[step])
            self._moved_on()
            self._busy = False
            self.desk.notices = []
            self.refresh()

    def refresh(self) -> None:
        """Work out map and desk anew, a message each."""
        reel = self._cut()
        self.map.roll(reel.film, reel.step_of(self.play.node))
        self._offer()
        self._shade()
        self.desk.show(
            bar=self._bar(),
            question=self._question(),
            tabs=TABS,
            active=self.tab,
            sections=self._sections(),
            node=self.play.node,
            running=self._busy,
        )
        self._keep()

    def _offer(self) -> None:
        state = self.play.state
        if self.draft is not None:
            self.map.offer(lit=self._lit(self.draft))
        else:
            found = moves.ways(state, self.chosen) if self._human() else {}
            self.map.offer(found.values(), start=self.hex if found else -1)

    @staticmethod
    def _lit(draft: Draft) -> set[int]:
        names = draft.lacking[:1] or [n for n in draft.form.required if draft.form.slots[n].many]
        return {h for n in names for c in draft.choices(n) or () for h in (c.hexes[-1:] if n == "path" else c.hexes)}

    def _shade(self) -> None:
        asked = dict(p.split(":", 1) for p in self.map.layer.layers.split(",") if ":" in p)
        look, key = self.play.look(), (self.play.node, self.map.layer.layers, self._target())
        if key == getattr(self, "_shaded", None):
            return
        self._shaded = key
        supply = look.supply(0, asked["supply"]) if asked.get("supply") else None
        zones = [look.zone(0, asked["zoc"])] if asked.get("zoc") else []
        target = self._target()
        self.map.shade(
            overlays=zones,
            net=supply["net"] if supply else (),
            status=supply["status"] if supply else {},
            targets=[target] if target >= 0 else (),
        )

    def _target(self) -> int:
        if self.draft is not None and self.draft.kind in questions.FIGHTS:
            found = self.draft.value("target" if self.draft.kind == "overrun" else "at")
            return int(found) if found is not None else -1
        frame = next((f for f in reversed(self.play.state.frames) if f.procedure == "battle"), None)
        return int(frame["target"]) if frame is not None else -1

    def _human(self) -> bool:
        return self.play.played_by(self.play.actor) == HUMAN

    def _bar(self) -> dict[str, Any]:
        play, tree = self.play, self.play.session.tree
        decision, actor = play.session.decision, play.actor
        who = f"{actor.capitalize()} to order ({self._seat(actor)})" if actor else "The game is over"
        end = "done" in decision.kinds
        against = play.session.why_not("done") if end else ()
        off = "" if end and not against else " ".join(against) or "A decision is open: answer it first."
        left = questions.skipped(play)
        rolled = play.node and tree[play.node].rolls
        return {
            "title": f"{play.when()} · {self._day()}",
            "who": who,
            "may": questions.MAY.get(play.state.phase, "") if not decision.frame else "A decision is asked for below.",
            "buttons": [
                parts.button(
                    "undo",
                    "Undo",
                    off="" if play.node else "This is the start of the game.",
                    title="back one order (u)",
                ),
                parts.button(
                    "redo",
                    "Redo",
                    off="" if play.can_redo else "Nothing was ordered from here.",
                    title="on one order (r)",
                ),
                parts.button(
                    "reroll",
                    "Roll again",
                    off="" if rolled else "The last order rolled no dice.",
                    title="the same order with other dice, as a variation",
                ),
                parts.button(
                    "done",
                    "End phase",
                    off=off if actor else "The game is over.",
                    primary=True,
                    title="nothing more in this phase (e)",
                ),
            ],
            "skips": left,
            "skipTitle": f"Ending the phase would skip {len(left)} thing{'s' if len(left) != 1 else ''}",
        }

    def _seat(self, side: str) -> str:
        name = self.play.played_by(side)
        return "you" if name == HUMAN else name

    def _day(self) -> str:
        return self.play.date(self.play.state) or self.play.origin.title

    def _question(self) -> list[dict[str, Any]]:
        asked = questions.question(self.play)
        if not asked or not self._human():
            return []
        fights = questions.fight_asked_about(self.play)
        return parts.question_sections(
            asked, questions.answers(self.play), self.draft.kind if self.draft else "", fights
        )

    def _sections(self) -> list[dict[str, Any]]:
        return getattr(self, f"_tab_{self.tab}", self._tab_orders)()  # type: ignore[no-any-return]

    def _tab_orders(self) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = []
        if self.refusals:
            out.append({"type": "refusal", "items": self.refusals})
        decision = self.play.session.decision
        edits = [k for k in decision.kinds if self.play.session.game.book[k].edit]
        if self.draft is not None:
            out += parts.draft_sections(
                self.draft.plain(), questions.odds_of(self.play, self.draft), questions.cost_of(self.play, self.draft)
            )
        elif self.hex >= 0:
            out += parts.chosen_sections(self._card())
        elif not decision.frame:
            out.append(
                sections.text("Click a stack of yours to see where it may go, an enemy to see what an attack is worth.")
            )
        open_ = self.draft.kind if self.draft else ""
        if not decision.frame and decision.actor:
            out += parts.kinds_sections(decision.kinds, edits, open_)
            out += self._formations()
        return [*out, *parts.edit_sections(edits, open_)] if decision.actor else out

    def _formations(self) -> list[dict[str, Any]]:
        side = self.play.actor
        if self.play.state.phase not in moves.PHASES:
            return []
        goal = named(self.play.state.board, self.hex) if self.hex >= 0 else ""
        lent = self.play.lent.get(self.formation, HUMAN)
        return parts.formation_sections(self.play.formations(side), self.formation, lent, self.play.seats(side), goal)

    def _card(self) -> dict[str, Any]:
        play, state = self.play, self.play.state
        look = play.look().at(0, self.hex)
        things = self._things(self.hex)
        own = [u for u in things if self._mine(u)]
        chosen = [u for u in self.chosen if u in own]
        found = moves.ways(state, chosen)
        due = moves.fuel_due(state, chosen) if chosen and state.phase in moves.PHASES else 0
        return {
            "title": f"{look['title']}: {look['terrain']}{', ' + look['feature'] if look['feature'] else ''}",
            "legend": "Your units here",
            "units": self._ticks(own),
            "acts": [],
            "modes": moves.modes(play, chosen) if state.phase == "movement" and not state.frames else [],
            "due": due,
            "fuels": moves.fuels(state, chosen) if due else [],
            "fuel": self.fuel,
            "reach": f"{len(found)} hexes within reach: click one, or drag the stack there." if found else "",
            "stopped": moves.stopped(play, chosen) if chosen else [],
            "others_title": "Others here",
            "others": [self._words(u) for u in things if u not in own],
        }

    def _ticks(self, own: Sequence[str]) -> list[dict[str, Any]]:
        left = moves.left_to_move(self.play.state, own)
        out = []
        for unit in own:
            piece = self.play.state.pieces.get(unit)
            row: dict[str, Any] = {
                "value": unit,
                "label": self._words(unit),
                "on": unit in self.chosen,
                "note": left.get(unit, ""),
            }
            if piece is not None:
                row["counter"] = self.play.look().unit(0, unit)["counter"]
            out.append(row)
        return out

    def _words(self, unit: str) -> str:
        piece, points = self.play.state.pieces.get(unit), self.play.state.transport.get(unit)
        if piece is not None:
            marks = [piece.mode, *(["disorganised"] if piece.dg else []), *(["out of supply"] if piece.oos else [])]
            return f"{unit_name(unit)} {piece.counter.strength}, {', '.join(marks)}"
        if points is not None:
            return f"{points.size}T {points.kind}" + (
                ", an extender" if points.extender else f", {points.load}T loaded"
            )
        return unit

    def sentence(self, node: int) -> str:
        """A record in words."""
        return self.play.session.tree[node].line if node else "The game begins."

    def _tab_log(self) -> list[dict[str, Any]]:
        line = self._cutter.line()
        here = line.index(self.play.node)
        last = min(len(line), here + 20)
        first = max(1, last - LOG_ROWS - self.more_log)
        rows: list[dict[str, Any]] = []
        before = ""
        for node in line[first:last]:
            parent = self.play.session.tree[node].parent
            when = self.play.when(parent)
            if when != before:
                rows.append({"head": when})
                before = when
            name = self.play.session.tree.name(node)
            rows.append(
                {
                    "node": node,
                    "text": self.sentence(node),
                    "note": name,
                    "here": node == self.play.node,
                    "ahead": node > self.play.node and line.index(node) > here,
                }
            )
        return parts.log_sections(rows, first - 1)

    def _act_earlier(self, _: Any) -> None:
        self.more_log += 200

    def _tab_tree(self) -> list[dict[str, Any]]:
        rows = []
        for b in branches(self.play.session):
            acts = [parts.button("go", "Go to its end", b.end)] if b.end != self.play.node else []
            if b.fork:
                acts.append(parts.button("go", "Go to where it leaves", b.fork))
            rows.append(
                {
                    "depth": b.depth,
                    "name": b.name,
                    "text": self.sentence(b.first) if b.first else "",
                    "note": f"{b.count} orders, from {self.play.when(b.fork)} to {self.play.when(b.end)}",
                    "here": b.here,
                    "acts": acts,
                }
            )
        return [
            sections.text("Go back anywhere and give another order: that starts a variation. Nothing is ever lost."),
            {"type": "tree", "rows": rows},
        ]

    def _tab_score(self) -> list[dict[str, Any]]:
        state: State = self.play.state
        found = verdict(state)
        sheet = [
            {"turn": p.turn, "side": p.side, "points": str(p.points), "why": p.why, "rule": sections.rule_name(p.rule)}
            for p in score_sheet(state)
        ]
        return parts.score_sections(
            {"level": found.level, "why": found.why, "japanese": str(found.japanese), "allied": str(found.allied)},
            sheet,
        )

    def _tab_supply(self) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = []
        for side in SIDES:
            out += sections.supply_sections(self.play.look().supply(0, side))
        return out

    def _tab_game(self) -> list[dict[str, Any]]:
        play = self.play
        starts = [["", "choose …"], *[[f"{id_}|historical", title] for id_, title in setup_choices().items()]]
        starts += [[f"ocs/u-go|line:{k}", f"U-Go from history, turn {k + 1}"] for k in range(1, 10)]
        out: list[dict[str, Any]] = [sections.text(f"{play.origin.title}. Seed {play.session.seed}.")]
        for side in SIDES:
            seats = [[s, "you" if s == HUMAN else s] for s in play.seats(side)]
            out.append(
                {
                    "type": "pick",
                    "key": "seat",
                    "slot": side,
                    "label": f"{side.capitalize()} played by",
                    "options": seats,
                    "value": play.players[side],
                }
            )
        if play.taken:
            names = [parts.button("take", f"Give back {unit_name(u)}", u) for u in sorted(play.taken)]
            out.append(parts.buttons(names, "Taken back from the policies"))
        policy_units = (
            [u for u in self._things(self.hex) if u in play.state.pieces and u not in play.taken]
            if self.hex >= 0
            else []
        )
        if policy_units:
            out.append(
                parts.buttons(
                    [parts.button("take", unit_name(u), u) for u in policy_units],
                    "Take units of the selected hex back from a policy",
                )
            )
        out.append(
            parts.buttons(
                [parts.button("save", "Download this game"), parts.button("share", "Link to this game")], "Keep"
            )
        )
        out.append({"type": "file", "label": "Open a saved game"})
        out.append(
            {
                "type": "kept",
                "title": "Kept in this browser",
                "none": "No other game is kept in this browser.",
                "id": play.id,
            }
        )
        saved = autosave.kept()
        if saved:
            out.append(parts.buttons([parts.button("open-kept", name, name) for name in saved], "Kept on disk"))
        out.append(
            {"type": "pick", "key": "start", "slot": "start", "label": "New game", "options": starts, "value": ""}
        )
        return out

    # keeping ------------------------------------------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        tree = self.play.session.tree
        last = len(tree) - 1
        if (last, self.play.node) == (self._kept, self._kept_at) or not last:
            return
        try:
            about = compact.head(self.play)
        except BurmaStudyError:
            return
        rows = [compact.row(self.play, n) for n in range(self._kept + 1, last + 1)]
        game = {
            "id": self.play.id,
            "about": about,
            "title": self.play.origin.title,
            "when": self.play.when(),
            "cursor": self.play.node,
            "digest": self.play.digest[:12],
            "from": self._kept,
            "rows": rows,
        }
        self.desk.keep(game)
        self._kept, self._kept_at = last, self.play.node
        self._disk.write()


def play_page(
    scenario: str = "ocs/u-go",
    kind: str = "historical",
    *,
    seed: str | None = None,
    players: Mapping[str, str] | None = None,
    height: str = "min(74vh, 720px)",
) -> PlayPage:
    """A game from a set-up (`historical`, `free`) or a step of history (`line:3`), to be played in the page."""
    return PlayPage(Play.at(Origin(scenario, kind), seed=seed, players=players), height=height)
