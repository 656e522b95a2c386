"""What the page of play shows of a game, its selection and its record: the bar, the question, and each tab."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from burma_study.answers.frames import Overlay
from burma_study.engine.numbers import mixed
from burma_study.engine.records import ROOT
from burma_study.games.ocs import hints, moves, prompts, questions
from burma_study.games.ocs.advice import days_of_march, first_look, rings, road_cut
from burma_study.games.ocs.differences import Mark
from burma_study.games.ocs.line import lines
from burma_study.games.ocs.meanwhile import meanwhile
from burma_study.games.ocs.openings import setup_choices
from burma_study.games.ocs.phrases import plainly
from burma_study.games.ocs.positions import counter_of
from burma_study.games.ocs.story import luck
from burma_study.rules.ocs.setup import load_scenario
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.supply.trace import supply
from burma_study.rules.ocs.supply.words import named, unit_name
from burma_study.rules.ocs.turn.victory import score_sheet, verdict
from burma_study.study import autosave
from burma_study.study.play import HUMAN, Play
from burma_study.study.tree import branches
from burma_study.ui import play_sections as parts
from burma_study.ui import sections
from burma_study.ui.selection import Selection

Sections = list[dict[str, Any]]
SIDES = ("japanese", "allied")
LOG_ROWS, LOG_AHEAD = 60, 20
LUCK = (("expected", ".1f"), ("actual", ".0f"), ("luck", "+.1f"))
LOOKS = (
    ("score", "Points"),
    ("next", "Who moves first next"),
    ("siege", "Siege clock"),
    ("road", "The road"),
    ("forage", "Without supply: forage and attrition"),
    ("extenders", "Extender line"),
    ("rings", "Draw and throw rings"),
)


@dataclass
class View:
    """A game as the desk shows it; `line` gives the nodes of the line of play, `sentence` a record in words."""

    play: Play
    selection: Selection
    line: Callable[[], tuple[int, ...]]
    sentence: Callable[[int], str]
    log_rows: int = LOG_ROWS
    side: str = ""
    ring: str = ""
    since: int = -1
    running: bool = False

    @property
    def mine(self) -> bool:
        """The reader has to decide."""
        return self.play.played_by(self.play.actor) == HUMAN

    # above the tabs ---------------------------------------------------------------------------------------------------

    def bar(self) -> dict[str, Any]:
        """Whose turn, which phase, what may be done, the buttons, and what the phase's end would skip."""
        play, decision = self.play, self.play.session.decision
        left = questions.skipped(play) if self.mine else []
        count = f"{len(left)} thing{'s' if len(left) != 1 else ''}"
        return {
            "title": " · ".join(x for x in (play.when(), play.edition.when(play.state).date) if x),
            "scenario": load_scenario(play.scenario).title,
            "game": play.id,
            "who": f"{load_scenario(play.scenario).title}: {self._turn_of()}",
            "may": "A decision is asked for below." if decision.frame else questions.may(play),
            "buttons": self._buttons(),
            "skips": left,
            "skipTitle": f"Ending the phase would skip {count}",
            "skipOpen": play.state.phase == "supply",
        }

    def _turn_of(self) -> str:
        actor = self.play.actor
        return f"{actor.capitalize()} to order ({self._seat(actor)})" if actor else "the game is over"

    def _seat(self, side: str) -> str:
        name = self.play.played_by(side)
        return "you" if name == HUMAN else name

    def _buttons(self) -> Sections:
        play = self.play
        rolled = play.node != ROOT and play.session.tree[play.node].rolls
        no_undo = "" if play.node else "This is the start of the game."
        no_redo = "" if play.can_redo else "Nothing was ordered from here."
        no_roll = "" if rolled else "The last order rolled no dice."
        playing = [parts.button("stop", "Stop", title="let the policies wait")] if self.running else []
        if play.actor and not self.mine and not self.running:
            playing = [parts.button("play-on", f"Let “{play.played_by(play.actor)}” play on", primary=True)]
        return [
            *playing,
            parts.button("undo", "Undo", off=no_undo, title="back one order (u)"),
            parts.button("redo", "Redo", off=no_redo, title="on one order (r)"),
            parts.button("reroll", "Roll again", off=no_roll, title="the same order with other dice, as a variation"),
            parts.button("done", "End phase", off=self._no_end(), primary=True, title="nothing more here (e)"),
        ]

    def _no_end(self) -> str:
        """Why the phase cannot end now."""
        play = self.play
        if not play.actor:
            return "The game is over."
        if not self.mine:
            return f"{play.actor.capitalize()} is played by {play.played_by(play.actor)}."
        if "done" not in play.session.decision.kinds:
            return "A decision is open: answer it first."
        return " ".join(map(plainly, play.session.why_not("done")))

    def question(self) -> Sections:
        """The open decision with its answers, when it is the reader's."""
        question = prompts.question(self.play)
        if not question or not self.mine:
            return []
        draft = self.selection.draft
        answers, fights = questions.answers(self.play), questions.fight_asked_about(self.play)
        return parts.question_sections(question, answers, draft.kind if draft else "", fights)

    def tab(self, name: str) -> Sections:
        """The sections of a tab."""
        made: dict[str, Callable[[], Sections]] = {
            "orders": self.orders,
            "log": self.log,
            "tree": self.tree,
            "score": self.score,
            "look": self.look,
            "game": self.game,
        }
        return made.get(name, self.orders)()

    # orders -----------------------------------------------------------------------------------------------------------

    def orders(self) -> Sections:
        """The order being built or the hex chosen; every kind of order; formations; orders by hand."""
        chosen, decision = self.selection, self.play.session.decision
        out: Sections = [{"type": "refusal", "items": chosen.refusals}] if chosen.refusals else []
        draft = chosen.draft
        if len(self.play.session.tree) == 1:
            out += self._seats("Who plays? You may change this at any time under Game.")
            out.append(
                {"type": "kept", "title": "Or go on with a game kept in this browser", "none": "", "id": self.play.id}
            )
        out += self._meanwhile()
        if draft is not None:
            out += parts.draft_sections(
                draft.plain(),
                questions.odds_of(self.play, draft),
                payment=hints.payment_words(self.play, draft),
                nothing=hints.nothing_to_choose(self.play, draft, chosen.chosen),
                notes=hints.slot_notes(self.play, draft),
            )
        elif chosen.hex >= 0:
            out += parts.chosen_sections(self._card())
        elif not decision.frame:
            out.append(sections.text("Click a stack to see where it may go, an enemy to see what an attack is worth."))
        if not decision.actor:
            return out
        open_ = draft.kind if draft else ""
        edits = [k for k in decision.kinds if self.play.session.game.book[k].edit]
        if not decision.frame:
            out += [*parts.kinds_sections(decision.kinds, edits, open_), *self._formations()]
        return [*out, *parts.edit_sections(edits if decision.frame else [], open_)]

    def _seats(self, lead: str = "") -> Sections:
        seats = [parts.seat_section(side, self.play.seats(side), self.play.players[side]) for side in SIDES]
        return [*([sections.text(lead)] if lead else []), *seats]

    def _meanwhile(self) -> Sections:
        """What the policies did since the reader's own order."""
        if self.since < 0 or self.since == self.play.node or self.running:
            return []
        told = meanwhile(self.play.session, self.since)
        return [{"type": "sentences", "title": "Since your last order", "items": told}] if told else []

    def _card(self) -> dict[str, Any]:
        play, state, hex_ = self.play, self.play.state, self.selection.hex
        ground, own = play.look().at(0, hex_), self.selection.own(hex_)
        chosen = [u for u in self.selection.chosen if u in own]
        found = moves.ways(state, chosen)
        due = moves.fuel_due(state, chosen) if chosen and state.phase in moves.PHASES else 0
        may_choose = state.phase == "movement" and not state.frames
        return {
            "title": f"{ground['title']}: {', '.join(x for x in (ground['terrain'], ground['feature']) if x)}",
            "units": self._ticks(own),
            "modes": self._modes(chosen) if may_choose else [],
            "due": due,
            "fuels": moves.fuels(state, chosen) if due else [],
            "fuel": self.selection.fuel,
            "reach": f"{len(found)} hexes within reach: click an empty one, or drag the stack there." if found else "",
            "stopped": moves.stopped(play, chosen) if chosen else [],
            "waiting": [unit_name(u) for u in self.selection.waiting],
            "beyond": self._beyond(hex_),
            "others": [self.selection.words(u) for u in self.selection.things(hex_) if u not in own],
        }

    def _beyond(self, hex_: int) -> str:
        """What keeps the reader from attacking a hex of the enemy that he picked."""
        asked = self.selection.enemy(hex_) and "attack" in self.play.session.decision.kinds
        return questions.no_attack(self.play, hex_) if asked else ""

    def _modes(self, chosen: Sequence[str]) -> Sections:
        now = {self.play.state.pieces[u].mode for u in chosen if u in self.play.state.pieces}
        return [
            parts.button("mode", f"{mode.capitalize()} Mode", order, off=" ".join(why), on=now == {mode})
            for mode, order, why in moves.modes(self.play, chosen)
        ]

    def _ticks(self, own: Sequence[str]) -> Sections:
        left = moves.left_to_move(self.play.state, own)
        rows = []
        for unit in own:
            row: dict[str, Any] = {"value": unit, "label": self.selection.words(unit), "note": left.get(unit, "")}
            row["on"] = unit in self.selection.chosen
            if unit in self.play.state.pieces:
                drawn = counter_of(self.play.state.pieces[unit])
                row["counter"] = {name: getattr(drawn, name) for name in drawn.__slots__}
            rows.append(row)
        return rows

    def _formations(self) -> Sections:
        play, chosen = self.play, self.selection
        if play.state.phase not in moves.PHASES:
            return []
        goal = named(play.state.board, chosen.goal) if chosen.goal >= 0 else ""
        lent = play.lent.get(chosen.formation, HUMAN)
        names, seats = play.formations(play.actor), play.seats(play.actor)
        return parts.formation_sections(names, chosen.formation, lent, seats, goal)

    # the record -------------------------------------------------------------------------------------------------------

    def log(self) -> Sections:
        """Orders as sentences, by phase, those to come as well."""
        line, tree = self.line(), self.play.session.tree
        here = line.index(self.play.node)
        last = min(len(line), here + LOG_AHEAD)
        first = max(1, last - self.log_rows)
        rows: Sections = []
        before = ""
        for k in range(first, last):
            node, when = line[k], self.play.when(line[k - 1])
            if when != before:
                rows.append({"head": when})
            before = when
            text, name = self.sentence(node), tree.name(node)
            rows.append({"node": node, "text": text, "note": name, "here": k == here, "ahead": k > here})
        return parts.log_sections(rows, first - 1)

    def tree(self) -> Sections:
        """The branches of the game, each with the way to its end and to where it leaves."""
        rows: Sections = []
        found = branches(self.play.session)
        for b in found:
            acts = [parts.button("go", "Go to its end", b.end)] if b.end != self.play.node else []
            acts += [parts.button("go", "Go to where it leaves", b.fork)] if b.fork else []
            acts += [parts.button("compare", "Compare with here", b.end)] if b.end != self.play.node else []
            orders = f"{b.count} order{'s' if b.count != 1 else ''}"
            note = f"{orders}, from {self.play.when(b.fork)} to {self.play.when(b.end)}"
            text = self.sentence(b.first) if b.first else ""
            rows.append({"depth": b.depth, "name": b.name, "text": text, "note": note, "here": b.here, "acts": acts})
        lead = "Go back anywhere and give another order: that starts a variation. Nothing is ever lost."
        out: Sections = [sections.text(lead), {"type": "tree", "rows": rows}]
        here = next((b for b in found if b.here), None)
        if here is not None:
            own = self.play.session.tree.title(here.node)
            name = {"slot": str(here.node), "label": f"A name for “{here.name}”", "value": own, "act": "Name it"}
            out.append({"type": "field", "key": "entitle", **name})
        if self.play.scenario in lines():
            out.append(parts.buttons([parts.button("beside-history", "Mark what stands otherwise than in history")]))
        return out

    def score(self) -> Sections:
        """The level of victory were the game to end now, and every point."""
        state = self.play.state
        found = verdict(state)
        level = {"level": found.level, "why": found.why}
        level |= {side: mixed(getattr(found, side)) for side in SIDES}
        rows = [
            {"turn": p.turn, "side": p.side, "points": mixed(p.points), "why": places_named(state, p.why)}
            for p in score_sheet(state)
        ]
        return [*parts.score_sections(level, rows), *self._luck()]

    def _luck(self) -> Sections:
        ledger = luck(self.play.session)
        columns = [["Turn", ""], ["Side", "that attacked"], ["Fights", ""], ["Expected", "points owed by the enemy"]]
        columns += [["Actual", ""], ["Luck", "points better than the average, own losses counted"]]
        rows = [
            [str(r["turn"]), str(r["side"]).capitalize(), str(r["fights"]), *(f"{float(r[n]):{f}}" for n, f in LUCK)]
            for r in ledger.rows()
        ]
        out: Sections = [{"type": "sentences", "title": "Luck so far", "items": ledger.sentences()}]
        return [*out, {"type": "table", "title": "By turn", "columns": columns, "rows": rows}] if rows else out

    def look(self) -> Sections:
        """What a player looks for first, for one side, and its projected supply."""
        play = self.play
        side = self.side or play.actor or SIDES[0]
        found = first_look(play.state, side)
        out: Sections = [parts.pick("side", "side", "Side", [[s, s.capitalize()] for s in SIDES], side)]
        for key, title in LOOKS:
            if found[key]["sentences"]:
                out.append({"type": "sentences", "title": title, "items": found[key]["sentences"]})
            if key == "rings":
                each = [(h["hq"], kind) for h in found["rings"]["hqs"] for kind in ("draw", "throw")]
                items = [(f"{unit_name(hq)} {kind}", f"{kind} {hq}") for hq, kind in each]
                out.append(parts.buttons(parts.button("ring", text, v, on=v == self.ring) for text, v in items))
        return [*out, *self._march(side), *sections.supply_sections(play.look().supply(0, side))]

    def _march(self, side: str) -> Sections:
        """Turns to the selected hex for the nearest units of a side."""
        state, goal = self.play.state, self.selection.goal
        if goal < 0:
            return [sections.text("Select a hex on the map to read how long the nearest units march there.")]
        away = [p for p in state.units(side) if isinstance(p.at, int) and p.at != goal and p.counter.attack_capable]
        near = sorted(away, key=lambda p: (state.board.grid.distance(int(p.at), goal), p.id))[:3]
        words = [w for p in near for w in days_of_march(state, p.id, state.board.label(goal))["sentences"]]
        return [{"type": "sentences", "title": "Turns of march", "items": words}]

    # the game ---------------------------------------------------------------------------------------------------------

    def game(self) -> Sections:
        """Who plays, keeping and opening, new games."""
        play = self.play
        return [
            sections.text(f"{play.title}. Seed {play.session.seed}."),
            *self._seats(),
            *self._taken(),
            parts.buttons(
                [parts.button("save", "Download this game"), parts.button("share", "Link to this game")], "Keep"
            ),
            {"type": "file", "label": "Open a saved game"},
            {
                "type": "kept",
                "title": "Kept in this browser",
                "none": "No other game is kept in this browser.",
                "id": play.id,
            },
            *self._on_disk(),
            parts.start_section(setup_choices()),
        ]

    def _taken(self) -> Sections:
        """Units that the reader took back from a policy, and those that he may take."""
        play, hex_ = self.play, self.selection.hex
        back = [parts.button("take", unit_name(u), u, on=True) for u in sorted(play.taken)]
        out = [parts.buttons(back, "Taken back by you: press to give back to the policy")] if back else []
        if all(name == HUMAN for name in play.players.values()) and not play.lent:
            return out
        there = [p.id for p in self.selection.pieces(hex_) if p.id not in play.taken]
        if not there:
            return [*out, sections.text("Select a hex on the map to take units in it back from a policy.")]
        return [*out, parts.buttons([parts.button("take", unit_name(u), u) for u in there], "Take back from a policy")]

    def _on_disk(self) -> Sections:
        names = [n for n in autosave.kept() if self.play.id not in n][:8]
        return [parts.buttons(map(parts.kept_button, names), "Kept on disk")] if names else []


def places_named(state: State, text: str) -> str:
    """A text with the names of places after the labels of their hexes."""
    return re.sub(r"\b[AB]\d{1,2}\.\d{2}\b", lambda m: named(state.board, state.board.index(m[0])), text)


def road_marks(state: State) -> list[Mark]:
    """A mark on each hex where the road that counts for victory is cut."""
    return [(h, "other", "The road is cut here.") for h in road_cut(state)["hexes"]]


def ring_overlay(state: State, ring: str) -> Overlay:
    """The hexes that an HQ throws to, or that draw from it: `throw j/hq/33_Div`."""
    kind, _, hq = ring.partition(" ")
    side = state.pieces[hq].counter.side if hq in state.pieces else SIDES[0]
    found: frozenset[int] = next((h[kind] for h in rings(state, side)["hqs"] if h["hq"] == hq), frozenset())
    return Overlay("reach", f"{unit_name(hq)} {kind}", dict.fromkeys(found, 1))


def warm(state: State) -> None:
    """Work out once what the first click would wait for: both sides' supply, and the programs that it needs."""
    for side in SIDES:
        supply(state, side)
        first_look(state, side)
