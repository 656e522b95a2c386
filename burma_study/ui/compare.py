"""Two states side by side: maps linked in pan and zoom, differences marked, sums of both."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from secrets import token_hex
from typing import Any

import ipywidgets

from burma_study.answers.frames import Film
from burma_study.boards.board import load_board
from burma_study.errors import BurmaStudyError, SaveError
from burma_study.games.ocs.differences import Change, changes, compared, hex_marks
from burma_study.games.ocs.openings import history_track
from burma_study.games.ocs.positions import frame
from burma_study.games.ocs.session import ocs_board_json
from burma_study.games.registry import open_game, play_of, uploaded
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.supply.words import named, unit_name
from burma_study.study import autosave, compact
from burma_study.study.compact import Replay
from burma_study.study.play import Play
from burma_study.study.tracks import Track, game_track
from burma_study.ui import play_sections as parts
from burma_study.ui.desk import Desk
from burma_study.ui.guard import LOG, sentence
from burma_study.ui.playmap import PlayMap
from burma_study.ui.pulse import Pulse
from burma_study.ui.sections import text
from burma_study.ui.standing import one_of, pair, standing, whole

Sections = list[dict[str, Any]]
SIDES = ("first", "second")
TABS = (("sums", "Sums"), ("units", "Units"), ("games", "Games"))
MOST_ROWS = 150
BURST = 0.8  # seconds that a game is played again before the page is shown
FIELDS = ("tracks", "shown", "moment", "tab", "hex")


class ComparePage(ipywidgets.Box):  # type: ignore[misc]  # ipywidgets ships no types
    """Two moments of one or two tracks; the reader picks tracks and moments, and opens games as further tracks."""

    def __init__(self, tracks: Sequence[Track], *, first: int = 0, second: int = 0, height: str = "min(56vh, 520px)"):
        self.tracks = list(tracks)
        self.shown = {"first": 0, "second": min(1, len(self.tracks) - 1)}
        self.moment = {"first": first, "second": second}
        self.tab = "sums"
        group = token_hex(4)
        self.maps = {
            s: PlayMap(ocs_board_json(), self._film(s), height=height, group=group, scenario=group) for s in SIDES
        }
        self.desk = Desk()
        self.desk.on_act(self.act)
        for side in SIDES:
            self.maps[side].on_pick(self._heard)
        self.hex = -1
        self._replay: tuple[Replay, str] | None = None
        super().__init__([*self.maps.values(), self.desk, Pulse()])
        self.add_class("bs-compare")
        self.desk.add_class("bs-across")
        self.refresh()

    def _track(self, side: str) -> Track:
        return self.tracks[self.shown[side]]

    def state(self, side: str) -> State:
        """The state on the `first` or `second` map."""
        state: State = self._track(side).state(self.moment[side])
        return state

    def _film(self, side: str) -> Film:
        track, k = self._track(side), self.moment[side]
        shot = frame(
            self.state(side), f"{track.title}: {track.labels[k]}", "", caption=f"{track.title}: {track.labels[k]}"
        )
        return Film((shot,), hexes=len(load_board("ocs")), area=tuple(self.state(side).markers.get("area", ())))

    # acts ------------------------------------------------------------------------------------------------------------

    def act(self, key: str, value: Any) -> None:
        """One thing that the reader does; what goes wrong is one sentence and changes nothing."""
        if key == "hello" or (key == "on" and value != self.desk.seq):  # of what is no longer shown
            return
        acts: dict[str, Callable[[Any], None]] = {
            "pick-track": self._pick_track,
            "pick-moment": self._pick_moment,
            "tab": self._open_tab,
            "hex": self._picked,
            "on": self._play_again,
            "stop": self._stop,
        }
        acts |= {"open": self._open, "open-kept": self._open_kept, "restore": self._restore, "same": self._same}
        self._try(lambda: acts[one_of(key, acts, "act of this page")](value))

    def _try(self, act: Callable[[], None]) -> None:
        self.desk.notices = []
        back = standing((self, FIELDS))
        try:
            act()
            self.refresh()
        except Exception as error:
            LOG.debug("refused", exc_info=True)
            back()
            self.desk.notices = [("bad", sentence(error))]
            self.refresh()

    def _pick_track(self, value: Sequence[str]) -> None:
        name, number = pair(value)
        side, track = one_of(name, SIDES, "side"), whole(number, "track")
        if not 0 <= track < len(self.tracks):
            raise BurmaStudyError(f"There is no track {track}; there are 0 to {len(self.tracks) - 1}.")
        turn = self._track(side).turns[self.moment[side]]
        self.shown[side] = track
        self.moment[side] = self._track(side).at_turn(turn)

    def _pick_moment(self, value: Sequence[str]) -> None:
        name, number = pair(value)
        side, moment = one_of(name, SIDES, "side"), whole(number, "moment")
        if not 0 <= moment < len(self._track(side).labels):
            raise BurmaStudyError(f"There is no moment {moment}; there are 0 to {len(self._track(side).labels) - 1}.")
        self.moment[side] = moment

    def _same(self, value: str) -> None:
        side = one_of(value, SIDES, "side")
        other = "second" if side == "first" else "first"
        self.moment[other] = self._track(other).at_turn(self._track(side).turns[self.moment[side]])

    def _open_tab(self, value: str) -> None:
        self.tab = one_of(value, dict(TABS), "tab")

    def _heard(self, key: str, hex_: int) -> None:
        if key == "share":
            raise BurmaStudyError("Two states side by side have no link: give the saved files instead.")
        self._try(lambda: self._picked(hex_))

    def _picked(self, hex_: Any) -> None:
        wanted, most = whole(hex_, "hex"), len(load_board("ocs"))
        if not -1 <= wanted < most:
            raise BurmaStudyError(f"There is no hex {wanted}; the map has {most:,}, from 0.")
        self.hex = wanted

    def _open(self, value: Sequence[str]) -> None:
        name, text = pair(value)
        try:
            content = base64.b64decode(str(text), validate=True)
        except binascii.Error:
            raise SaveError("The file did not arrive whole; open it again.") from None
        self.add(uploaded(content, str(name)), str(name))

    def _open_kept(self, name: str) -> None:
        self.add(open_game(autosave.folder() / autosave.safe(str(name))), str(name))

    def _restore(self, game: Any) -> None:
        replay = compact.entry(game, play_of)
        called = str(game.get("title", replay.play.title))[:80]
        title = f"{called}, {replay.orders} orders to {str(game.get('when', 'its end'))[:40]}"
        self._replay = replay, title
        self._play_again("")

    def _play_again(self, _: Any) -> None:
        """A game that the browser keeps, played again in bursts; what is on the page stays until it is there."""
        found, self._replay = self._replay, None  # one that is refused is over
        if found is None:
            return
        replay, title = found
        if replay.advance(BURST):
            self.add(replay.play, title)
            return
        self._replay = found
        told = f"Order {replay.done:,} of {replay.orders:,} of the game is played again; Stop leaves it out."
        self.desk.notices = [("", told)]

    def _stop(self, _: Any) -> None:
        self._replay = None

    def add(self, play: Play, title: str = "") -> None:
        """A game as a further track, shown on the second map."""
        self.tracks.append(game_track(play, title))
        self.shown["second"] = len(self.tracks) - 1
        self.moment["second"] = len(self._track("second").labels) - 1
        self._same("second")

    # what is shown ---------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Both maps with their marks, and the desk."""
        found = changes(self.state("first"), self.state("second"))
        for side in SIDES:
            film = self._film(side)
            self.maps[side].roll(film, 0)
            self.maps[side].layer.selected = self.hex
            self.maps[side].offer(marks=hex_marks(found, first=side == "first"))
        made = {"sums": self._sums, "units": lambda: self._units(found), "games": self._games}
        sections, going = made[self.tab](), self._replay is not None
        head = [*([parts.buttons([parts.button("stop", "Stop")])] if going else []), *self._head()]
        self.desk.show(bar=None, question=head, tabs=TABS, active=self.tab, sections=sections, running=going)

    def _head(self) -> Sections:
        out: Sections = []
        for side, where in zip(SIDES, ("Left", "Right"), strict=True):
            names = [[str(k), t.title] for k, t in enumerate(self.tracks)]
            labels = [[str(k), label] for k, label in enumerate(self._track(side).labels)]
            out.append(parts.pick("pick-track", side, where, names, str(self.shown[side])))
            out.append(parts.pick("pick-moment", side, "at", labels, str(self.moment[side])))
        same = [("first", "Right: same turn as left"), ("second", "Left: same turn as right")]
        return [*out, parts.buttons(parts.button("same", label, side) for side, label in same)]

    def _sums(self) -> Sections:
        rows = [
            [r["side"].capitalize(), r["what"], r["first"], r["second"], _apart(r)]
            for r in compared(*map(self.state, SIDES))
        ]
        columns = [
            ["Side", ""],
            ["What", "supply is projected: were its Supply Phase now"],
            ["Left", ""],
            ["Right", ""],
        ]
        return [
            {
                "type": "table",
                "title": "Both sides by side",
                "columns": [*columns, ["Difference", "right − left"]],
                "rows": rows,
            }
        ]

    def _units(self, found: Sequence[Change]) -> Sections:
        board = load_board("ocs")
        rows = [[unit_name(c.unit), KINDS[c.kind], c.words] for c in found[:MOST_ROWS]]
        picks = [next((h for h in (c.second, c.first) if isinstance(h, int)), -1) for c in found[:MOST_ROWS]]
        at = [text(f"Selected: {named(board, self.hex)}.")] if self.hex >= 0 else []
        if not rows:
            return [text("Every unit stands alike on both maps.", "good")]
        columns = [["Unit", "pick one to see where"], ["Difference", ""], ["Left → right", ""]]
        title = f"{len(found)} units stand otherwise"
        return [*at, {"type": "table", "title": title, "columns": columns, "rows": rows, "pick": "hex", "picks": picks}]

    def _games(self) -> Sections:
        out: Sections = [{"type": "file", "label": "Open a saved game to compare"}]
        out.append(
            {
                "type": "kept",
                "title": "Kept in this browser",
                "none": "No game is kept in this browser.",
                "id": "",
                "act": "Compare this",
            }
        )
        disk = [parts.kept_button(n) for n in autosave.kept()[:8]]
        return [*out, *([parts.buttons(disk, "Kept on disk")] if disk else [])]


KINDS = {"moved": "stands elsewhere", "gone": "only left", "fresh": "only right", "other": "otherwise"}


def _apart(row: Mapping[str, Any]) -> str:
    try:
        apart = int(row["second"]) - int(row["first"])
    except ValueError:
        return ""
    return f"{apart:+d}" if apart else "same"


def compare_page(
    scenario: str = "ocs/u-go",
    play: Play | None = None,
    *,
    first: int = 0,
    second: int = 4,
    height: str = "min(56vh, 520px)",
) -> ComparePage:
    """History beside history, or beside a game; further games are opened in the page."""
    page = ComparePage([history_track(scenario)], first=first, second=second, height=height)
    if play is not None:
        page.add(play)
        page.refresh()
    return page
