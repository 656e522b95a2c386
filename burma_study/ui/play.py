"""The page of play: a map to play on and a desk, over a game of `burma_study.study.play`."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any
from urllib.parse import parse_qsl

import ipywidgets

from burma_study.engine.records import ROOT
from burma_study.errors import BurmaStudyError, SaveError
from burma_study.games.ocs import moves
from burma_study.games.ocs.differences import Mark, changes, hex_marks, marks
from burma_study.games.ocs.drafts import reasons_of
from burma_study.games.ocs.line import load_line
from burma_study.games.ocs.prompts import places
from burma_study.games.ocs.session import ocs_board_json
from burma_study.games.ocs.shorthand import expand
from burma_study.games.ocs.story import dice_in_words, sentences
from burma_study.games.registry import open_game, play_of, uploaded
from burma_study.rules.ocs.counters import SIDES
from burma_study.study import autosave, compact
from burma_study.study.compact import Replay
from burma_study.study.play import Advance, Origin, Play
from burma_study.study.reel import Cutter, Reel
from burma_study.ui.desk import Desk
from burma_study.ui.guard import LOG, sentence
from burma_study.ui.keeping import APART, dropped, left_behind
from burma_study.ui.later import by_thread
from burma_study.ui.play_view import View, ring_overlay, road_marks, warm
from burma_study.ui.playmap import PlayMap
from burma_study.ui.pulse import Pulse
from burma_study.ui.selection import Selection
from burma_study.ui.standing import one_of, pair, play_standing, standing, whole

TABS = (
    ("orders", "Orders"),
    ("log", "Log"),
    ("tree", "Variations"),
    ("look", "Look"),
    ("score", "Points"),
    ("game", "Game"),
)
BURST = 0.8  # seconds that policies play before the page is shown again
EARLIER = 200
FIELDS = ("play", "selection", "view", "tab", "_cutter", "_reel", "_kept", "_running", "_beside", "_replay", "_disk")
OWN = ("keep-all", "apart")  # acts of the page itself, which take away nothing that its reader is told
NOBODY, HISTORY = -1, -2  # what stands beside the game, where it is no node of its own


class PlayPage(ipywidgets.Box):  # type: ignore[misc]  # ipywidgets ships no types
    """A game with its map and desk. What a reader does at the desk goes through `act`, on the map through `picked`."""

    def __init__(self, play: Play, *, link_name: str = "play", height: str = "min(74vh, 720px)"):
        self.desk = Desk()
        self._set(play)
        film = self._cut().film
        self.map = PlayMap(ocs_board_json(), film, height=height, link_name=link_name, scenario=self._name())
        self._listen()
        super().__init__([self.map, self.desk, Pulse()])
        self.add_class("bs-study")
        self._let_policies()
        self.refresh()

    def _set(self, play: Play) -> None:
        self.play = play
        self.selection = Selection(play)
        self._cutter = Cutter(play.edition, play.session, self.sentence)
        self.view = View(play, self.selection, self._cutter.line, self.sentence)
        self.tab = "orders"
        self._reel: tuple[tuple[Any, ...], Reel] | None = None
        self._kept, self._called = (0, 0), play.id
        self._shaded: tuple[Any, ...] = ()
        self._running, self._beside = False, NOBODY
        self._replay: Replay | None = None
        self._then: Callable[[], None] = self.refresh
        told = by_thread(lambda: self._refresh_desk() if play is self.play else None)
        self._disk = autosave.Autosave(play, told)

    def _name(self) -> str:
        return f"{self.play.scenario}#{self.play.id}"

    def _listen(self) -> None:
        self.desk.on_act(self.act)
        self.map.on_pick(self.picked)
        self.map.on_message("one", lambda unit: self._try(self._pick_one, unit))
        self.map.on("step", self._stepped)
        self.map.on("layers", lambda _: self.refresh())
        self.map.on("link", self.follow)

    def sentence(self, node: int) -> str:
        """A record in words."""
        if node == ROOT:
            return "The game begins."
        record = self.play.session.tree[node]
        told, dice = " ".join(sentences(record)), "; ".join(map(dice_in_words, record.rolls))
        return f"{told} [{dice}]" if dice else told

    # what a reader does -----------------------------------------------------------------------------------------------

    def act(self, key: str, value: Any) -> None:
        """One thing that the reader does at the desk; what is refused says why and changes nothing."""
        if key == "hello":
            self._hello()
            return
        if key == "on" and value != self.desk.seq:  # of what is no longer shown; the page asks again
            return
        act: Callable[[Any], None] | None = getattr(self, f"_act_{key.replace('-', '_')}", None)
        if act is None:
            raise BurmaStudyError(f"The page knows nothing of {key!r}.")
        self._try(act, value, clears=key not in OWN)

    def picked(self, key: str, hex_: int) -> None:
        """A hex was picked or gone to on the map, or a link asked for."""
        acts: dict[str, Callable[[int], None]] = {"pick": self._pick, "go": self._go_to, "share": self._act_share}
        self._try(acts[key], hex_)

    def _try(self, act: Callable[[Any], None], value: Any, *, clears: bool = True) -> None:
        if clears:
            self.desk.notices, self.selection.refusals = [], []
        back = self._standing()
        try:
            with self.map.layer.hold_sync():
                act(value)
                self._refresh_map()
            self._refresh_desk()
        except Exception as error:
            LOG.debug("refused", exc_info=True)
            back()
            self._refuse(error)
            self.refresh()

    def _refuse(self, error: Exception) -> None:
        self.selection.refusals = reasons_of(error) if isinstance(error, BurmaStudyError) else [sentence(error)]
        self.desk.notices = [("bad", self.selection.refusals[0])] if self.tab != "orders" else []

    def _standing(self) -> Callable[[], None]:
        """Remember everything that an act may change; what comes back is called when it is refused."""
        play = self.play
        chosen = [f.name for f in fields(self.selection)]
        looked = ("log_rows", "side", "ring", "since", "running")
        backs = (standing((self, FIELDS), (self.selection, chosen), (self.view, looked)), play_standing(play))

        def back() -> None:
            other, replay = self.play is not play, self._replay
            for each in backs:
                each()
            self._replay = replay if replay is None else self._replay  # a replay that was refused is over
            if other:
                reel = self._cut()
                self.map.show(reel.film, scenario=self._name(), step=reel.step_of(play.node))

        return back

    def _pick(self, hex_: int) -> None:
        self.selection.pick(hex_)
        self.tab = "orders"

    def _go_to(self, hex_: int) -> None:
        if self.selection.march(hex_):
            self.map.layer.selected = hex_
            self._given()
        else:
            self.selection.pick(hex_)

    def _pick_one(self, unit: Any) -> None:
        self.selection.pick_one(str(unit))
        self.tab = "orders"

    def _act_join(self, _: Any) -> None:
        if self.selection.join():
            self._given()

    def _hello(self) -> None:
        """A browser shows the page: it has none of the game yet, and the first click shall not wait."""
        self._kept = (0, 0)
        warm(self.play.state)

    def _act_tab(self, value: str) -> None:
        self.tab = one_of(value, dict(TABS), "tab")

    def _act_side(self, value: Sequence[str]) -> None:
        self.view.side, self.view.ring = one_of(pair(value)[1], SIDES, "side"), ""

    def _act_ring(self, value: str) -> None:
        known = [f"{kind} {unit}" for unit in self.play.state.pieces for kind in ("draw", "throw")]
        self.view.ring = "" if self.view.ring == value else one_of(value, known, "ring")

    # on the record ----------------------------------------------------------------------------------------------------

    def _act_undo(self, _: Any) -> None:
        self.play.undo()
        self._elsewhere()

    def _act_redo(self, _: Any) -> None:
        self.play.redo()
        self._elsewhere()

    def _act_go(self, node: Any) -> None:
        self.play.go(whole(node, "node"))
        self._elsewhere()

    def _act_reroll(self, _: Any) -> None:
        self.play.reroll()
        self._given()

    def _act_entitle(self, value: Sequence[str]) -> None:
        node, name = pair(value)
        self.play.name_variation(whole(node, "node"), str(name))
        self._kept = (self._kept[0], -1)  # a name is no order, and the game is kept again for it

    def _act_earlier(self, _: Any) -> None:
        self.view.log_rows += EARLIER

    def _act_compare(self, node: Any) -> None:
        wanted = whole(node, "node")
        where = f"at {self.play.when(wanted)}"  # raises for a node that there is not
        self._beside = NOBODY if self._beside == wanted else wanted
        self._say_beside(where if self._beside >= 0 else "")

    def _act_beside_history(self, _: Any) -> None:
        load_line(self.play.scenario)  # raises where there is none
        self._beside = NOBODY if self._beside == HISTORY else HISTORY
        self._say_beside("in history at the start of this turn" if self._beside == HISTORY else "")

    def _say_beside(self, where: str) -> None:
        if where:
            self.desk.notices = [("", f"Marked on the map: what stands otherwise than {where}. Press again to end.")]

    def _differences(self) -> list[Mark]:
        """Marks against the node or the history that the reader wants to see beside."""
        if self._beside == HISTORY:
            line = load_line(self.play.scenario)
            then = line.at(min(self.play.state.turn, len(line)) - 1).state
            return hex_marks(changes(then, self.play.state))
        return marks(self.play, self._beside, self.play.node) if self._beside >= 0 else []

    def _stepped(self, step: int) -> None:
        nodes = self._cut().nodes
        if 0 <= step < len(nodes) and nodes[step] != self.play.node:
            self._try(self._act_go, nodes[step])

    def _elsewhere(self) -> None:
        self.selection.moved_on()
        self.view.since = NOBODY
        self._running, self._replay = False, None

    # orders -----------------------------------------------------------------------------------------------------------

    def _act_done(self, _: Any) -> None:
        if "done" not in self.play.session.decision.kinds:
            open_ = "a decision is open, answer it first" if self.play.actor else "the game is over"
            raise BurmaStudyError(f"The phase cannot end now: {open_}.")
        self.play.give("done")
        self._disk.due = True
        self._given()

    def _act_answer(self, text: str) -> None:
        self.play.give(str(text))
        self._given()

    _act_mode = _act_answer

    def _act_order(self, value: Sequence[str]) -> None:
        self.play.give(expand(self.play.session, str(pair(value)[1])))
        self._given()

    def _act_give(self, _: Any) -> None:
        order = self.selection.needed().order
        if order is None:
            raise BurmaStudyError("Something is missing in this order: fill it first.")
        self.play.give(order)
        self._given()

    def _given(self) -> None:
        self._elsewhere()
        self.view.since = self.play.node
        self._let_policies()

    def _act_on(self, _: Any) -> None:
        if self._replay is not None:
            self._play_again()
        elif self._running:
            self._let_policies()

    def _let_policies(self) -> None:
        done = self.play.advance(BURST)
        self._running = done.why == "more"
        self._tell(done)

    def _tell(self, done: Advance) -> None:
        """A policy that raised or ordered what is refused is named; the game went on without."""
        problems = [str(n) for n in done.notes if "plays on" in n.text]
        if problems:
            self.desk.notices = [("", problems[-1])]

    def _act_stop(self, _: Any) -> None:
        self._running, self._replay = False, None

    def _act_play_on(self, _: Any) -> None:
        self._let_policies()

    def _act_kind(self, kind: str) -> None:
        self.tab = "orders"
        self.selection.begin(str(kind))
        draft = self.selection.draft
        if draft is not None and not draft.form.slots and not draft.against():
            self._act_give("")

    def _act_slot(self, value: Sequence[str]) -> None:
        name, text = map(str, pair(value))
        text = text.strip()
        draft = self.selection.needed()
        slot = draft.form.slots[name]
        texts = [draft.written(name, v) for v in slot.read(text)] if slot.many and text else [text]
        draft.fill(name, texts if text else [])

    def _act_tick(self, value: Sequence[str]) -> None:
        self.selection.put(*map(str, pair(value)))

    def _act_back(self, name: str) -> None:
        self.selection.needed().back(str(name))

    def _act_cancel(self, _: Any) -> None:
        self.selection.draft = None

    def _act_drop(self, _: Any) -> None:
        self.selection.draft, self.selection.chosen, self.selection.waiting = None, [], []

    def _act_unit(self, unit: str) -> None:
        chosen, state = self.selection.chosen, self.play.state
        one_of(unit, {*state.pieces, *state.transport}, "unit")
        self.selection.chosen = [u for u in chosen if u != unit] if unit in chosen else [*chosen, str(unit)]

    def _act_all(self, _: Any) -> None:
        self.selection.chosen = self.selection.own(self.selection.hex)

    def _act_none(self, _: Any) -> None:
        self.selection.chosen = []

    def _act_fuel(self, value: Sequence[str]) -> None:
        known = ["auto", *(v for v, _ in moves.fuels(self.play.state, self.selection.chosen))]
        self.selection.fuel = one_of(pair(value)[1], known, "store of fuel here")

    # formations and seats ---------------------------------------------------------------------------------------------

    def _act_formation(self, value: Sequence[str]) -> None:
        self.selection.formation = one_of(pair(value)[1], ["", *self.play.formations(self.play.actor)], "formation")

    def _act_formation_mode(self, mode: str) -> None:
        self._at_once(*moves.formation_modes(self.play, self.selection.formation, str(mode)))

    def _act_formation_march(self, _: Any) -> None:
        self._at_once(*moves.formation_march(self.play, self.selection.formation, self.selection.goal))

    def _at_once(self, orders: Sequence[Any], left: Sequence[str]) -> None:
        moves.together(self.play, orders)
        self._given()
        self.desk.notices = [("good", " ".join([f"{len(orders)} orders given.", *left[:4]]))]

    def _act_lend(self, value: Sequence[str]) -> None:
        name, player = pair(value)
        formation = one_of(name, self.play.formations(self.play.actor), "formation")
        self.play.lend(formation, str(player))

    def _act_move_lent(self, formation: str) -> None:
        done = self.play.move_lent(str(formation))
        self._elsewhere()
        self.desk.notices = [("good", f"{done.orders} orders given for {formation}.")]
        self._tell(done)

    def _act_seat(self, value: Sequence[str]) -> None:
        self.play.seat(*map(str, pair(value)))
        self._let_policies()

    def _act_take(self, unit: str) -> None:
        one_of(unit, self.play.state.pieces, "unit")
        (self.play.give_back if unit in self.play.taken else self.play.take_back)(str(unit))

    # games ------------------------------------------------------------------------------------------------------------

    def _act_start(self, value: Sequence[str]) -> None:
        scenario, _, kind = str(pair(value)[1]).partition("|")
        if scenario:
            self.show(play_of(scenario).at(Origin(scenario, kind)))

    def show(self, play: Play) -> None:
        """Another game in place of this one, which stays kept."""
        left, title = self._disk, self.play.title
        left.close()
        self._set(play)
        reel = self._cut()
        self.map.show(reel.film, scenario=self._name(), step=reel.step_of(play.node))
        if play.session.notes:
            self.desk.notices = [("", " ".join(play.session.notes[:2]))]
        self._disk.gone = left.gone
        if left.why:
            self.desk.notices = [*self.desk.notices, ("bad", left_behind(title, left.why))]

    def _act_save(self, _: Any) -> None:
        stem = self.play.scenario.rpartition("/")[2]
        self.desk.download(f"burma-{stem}-turn{self.play.state.turn}.save.gz", self.play.to_bytes())

    def _act_open(self, value: Sequence[str]) -> None:
        name, text = pair(value)
        try:
            content = base64.b64decode(str(text), validate=True)
        except binascii.Error:
            raise SaveError("The file did not arrive whole; open it again.") from None
        self.show(uploaded(content, str(name)))

    def _act_open_kept(self, name: str) -> None:
        self.show(open_game(autosave.folder() / autosave.safe(str(name))))

    def _act_restore(self, game: Any) -> None:
        self._begin(compact.entry(game, play_of), self._goes_on)

    def _goes_on(self) -> None:
        goes_on = f"{self.play.title}: the game goes on where it was left."
        self.desk.notices = [*self.desk.notices, ("good", goes_on)]

    def _begin(self, replay: Replay, then: Callable[[], None]) -> None:
        """Play a game again in bursts; the game that is on the page stays until it is there."""
        self._replay, self._then = replay, then
        self._play_again()

    def _play_again(self) -> None:
        replay, self._replay = self._replay, None  # one that is refused is over
        if replay is None:
            return
        if not replay.advance(BURST):
            self._replay = replay
            told = f"Order {replay.done:,} of {replay.orders:,} of the game is played again; Stop leaves this one here."
            self.desk.notices = [("", told)]
            return
        then = self._then
        self.show(replay.play)
        then()

    def _act_keep_all(self, _: Any) -> None:
        self._kept = (0, 0)

    def _act_apart(self, id_: Any) -> None:
        if id_ == self.play.id:
            self.play.part()

    def _act_share(self, _: Any) -> None:
        text = compact.pack(self.play)
        if not compact.fits(text):
            size = f"{len(text) / 1000:.1f} kB"
            self.tab = "game"
            self.desk.notices = [("", f"This game comes to {size} and a link carries 6 kB: download the file instead.")]
            return
        hex_ = self.selection.hex
        where = f"&hex={self.play.state.board.label(hex_)}" if hex_ >= 0 else ""
        self.desk.link(f"{self.map.layer.link_name or 'play'}?game={text}{where}")

    def follow(self, query: str) -> None:
        """Open the game that a link carries, or a new one of a scenario that it names."""
        asked = dict(parse_qsl(query))
        if asked.get("game"):
            self._begin(compact.unpacked(asked["game"], play_of), lambda: self._linked(asked.get("hex", "")))
            self.refresh()
            return
        if asked.get("scenario"):
            scenario = asked["scenario"].partition("#")[0]
            self.show(play_of(scenario).at(Origin(scenario, asked.get("start", "historical"))))
        self._look_at(asked.get("hex", ""))
        self.refresh()

    def _linked(self, label: str) -> None:
        self._kept = (len(self.play.session.tree) - 1, self.play.node)  # kept once something is ordered
        self._look_at(label)

    def _look_at(self, label: str) -> None:
        if label:
            self.selection.hex = self.map.layer.selected = self.play.state.board.index(label)

    # what is shown ----------------------------------------------------------------------------------------------------

    def _cut(self) -> Reel:
        state = self.play.state
        key = (self._cutter.line(), state.turn, state.player)
        if self._reel is None or self._reel[0] != key or self.play.node not in self._reel[1].nodes:
            self._reel = key, self._cutter.reel()
        return self._reel[1]

    def refresh(self) -> None:
        """Work out map and desk anew, a message each."""
        with self.map.layer.hold_sync():
            self._refresh_map()
        self._refresh_desk()

    def _refresh_map(self) -> None:
        reel = self._cut()
        self.map.roll(reel.film, reel.step_of(self.play.node))
        self._offer()
        self._shade()

    def _refresh_desk(self) -> None:
        view, node = self.view, self.play.node
        self._tell_keeping()
        going = self._running or self._replay is not None
        view.running = going
        self.desk.show(
            bar=view.bar(),
            question=view.question(),
            tabs=TABS,
            active=self.tab,
            sections=view.tab(self.tab),
            node=node,
            running=going,
            building=self.selection.draft.kind if self.selection.draft else "",
        )
        self._keep()

    def _tell_keeping(self) -> None:
        """What becomes of the game's keeping stands above every tab: trouble on disk, and a game that parted."""
        if self._called != self.play.id:
            self._called, self._kept = self.play.id, (0, 0)
            self.desk.notices = [*self.desk.notices, ("", APART)]
        gone, self._disk.gone = self._disk.gone, []
        if gone:
            self.desk.notices = [*self.desk.notices, ("", dropped(gone))]
        self.desk.lasting = [("bad", self._disk.problem)] if self._disk.problem else []

    def _offer(self) -> None:
        chosen = self.selection
        found = moves.ways(self.play.state, chosen.chosen) if self.view.mine and chosen.draft is None else {}
        there = self._differences()
        there += road_marks(self.play.state) if self.tab == "look" else []
        asked = places(self.play) if self.view.mine else ()
        self.map.offer(found.values(), start=chosen.hex if found else -1, lit=chosen.lit(), asked=asked, marks=there)

    def _shade(self) -> None:
        ring = self.view.ring if self.tab == "look" else ""
        key = (self.play.id, self.play.node, self.map.layer.layers, self.selection.target(), ring)
        if key == self._shaded:
            return
        self._shaded = key
        asked = dict(p.split(":", 1) for p in self.map.layer.layers.split(",") if ":" in p)
        look, target = self.play.look(), self.selection.target()
        supply = look.supply(0, asked["supply"]) if asked.get("supply") else None
        zones = [look.zone(0, asked["zoc"])] if asked.get("zoc") else []
        self.map.shade(
            overlays=[*zones, *([ring_overlay(self.play.state, ring)] if ring else [])],
            net=supply["net"] if supply else (),
            status=supply["status"] if supply else {},
            targets=[target] if target >= 0 else (),
        )

    def _keep(self) -> None:
        """Hand the browser what was played since; save on disk when it is time."""
        last, (kept, _) = len(self.play.session.tree) - 1, self._kept
        if not last or (last, self.play.node) == self._kept:
            return
        try:
            about = compact.head(self.play)
        except BurmaStudyError:  # a game with charts of one's own is kept on disk only
            self._disk.write()
            return
        play, kept = self.play, kept if kept <= last else 0
        rows = [compact.row(play, n) for n in range(kept + 1, last + 1)]
        game = {"id": play.id, "about": about, "title": play.title, "when": play.when(), "cursor": play.node}
        self.desk.keep(game | {"digest": play.digest[:12], "from": kept, "rows": rows})
        self._kept = (last, play.node)
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
    return PlayPage(play_of(scenario).at(Origin(scenario, kind), seed=seed, players=players), height=height)
