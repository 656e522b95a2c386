"""A game as a short text for a link or a browser's store: where it starts, its seed, and its orders.

The dice hang on the seed, so the orders played again under the same rules give the same game; the text ends with the
digest of the position that it leads to. A save (`Session.save`) keeps events and snapshots and needs no rules.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from math import inf
from time import perf_counter
from typing import Any

from burma_study.engine.records import ROOT
from burma_study.errors import BurmaStudyError, SaveError
from burma_study.study.play import HUMAN, Origin, Play

MOST_BYTES = 6_000
"""Length of a link's text up to which it is put into a link."""
MOST_PLAIN = 2_000_000
MOST_ORDERS = 10_000
"""Orders of a link's game."""
VERSION = 1
Row = list[Any]  # parent, order, salt
Finder = Callable[[str], type[Play]]  # what games of a scenario are played with


def head(play: Play) -> dict[str, Any]:
    """Where a game starts, and how; SaveError for one that only a save can hold, as with a reader's own charts."""
    changed = play.edition.switches(play.session.state_at(0))
    out: dict[str, Any] = {"v": VERSION, "at": [play.scenario, play.origin.kind], "seed": play.session.seed}
    if any(name != HUMAN for name in play.players.values()):
        out["players"] = dict(play.players)
    if play.session.tree.titles:
        out["titles"] = {str(node): title for node, title in play.session.tree.titles.items()}
    return out | {"rules": changed} if changed else out


def row(play: Play, node: int) -> Row:
    """A record as parent, order and number of the re-roll."""
    record = play.session.tree[node]
    return [record.parent, record.order.text, record.salt]


def pack(play: Play) -> str:
    """The line of play to the cursor, compressed; the rest of the tree is left out."""
    path = play.session.tree.path()[1:]
    records = [play.session.tree[n] for n in path]
    orders = [[r.order.text, r.salt] if r.salt else r.order.text for r in records]
    start = {k: v for k, v in head(play).items() if k != "titles"}  # the other lines are left out, and so their names
    text = json.dumps({**start, "orders": orders, "end": play.digest[:12]}, separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def fits(text: str) -> bool:
    """Short enough for a link."""
    return len(text) <= MOST_BYTES


def unpack(text: str, of: Finder) -> Play:
    """The game of a packed line, played again; SaveError says what does not fit."""
    return unpacked(text, of).whole()


def unpacked(text: str, of: Finder) -> Replay:
    """What a packed line asks for, to be played again in bursts; SaveError for a text that is none."""
    try:
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        plain = json.loads(zlib.decompressobj().decompress(raw, MOST_PLAIN))
        orders = [(o, 0) if isinstance(o, str) else (str(o[0]), int(o[1])) for o in plain["orders"]]
    except (
        ValueError,
        KeyError,
        IndexError,
        TypeError,
        RecursionError,
        MemoryError,
        OverflowError,
        zlib.error,
    ) as error:
        raise SaveError(
            f"The game in this link cannot be read ({type(error).__name__}); it may have been cut."
        ) from None
    if len(orders) > MOST_ORDERS:
        raise SaveError(f"The game in this link has {len(orders):,} orders; a link carries at most {MOST_ORDERS:,}.")
    rows = [[k, order, salt] for k, (order, salt) in enumerate(orders)]
    return Replay(plain, rows, of, cursor=len(rows), digest=str(plain.get("end", "")))


def entry(game: Any, of: Finder) -> Replay:
    """A game as a browser keeps it, to be played again in bursts; SaveError for an entry that is none."""
    try:
        about, rows, cursor = game["about"], list(game["rows"]), int(game["cursor"])
        digest, id_ = str(game.get("digest", "")), str(game.get("id", ""))
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
        raise SaveError(
            "This entry of the browser's store is no game that can be read: forget it there (Game, Kept in this"
            " browser), and open the game's saved file if there is one."
        ) from None
    return Replay(about, rows, of, cursor=cursor, digest=digest, game_id=id_)


def replay(
    about: Mapping[str, Any], rows: Sequence[Row], of: Finder, *, cursor: int, digest: str = "", game_id: str = ""
) -> Play:
    """A game from its head and all its records in order; SaveError where today's rules do not lead there."""
    return Replay(about, rows, of, cursor=cursor, digest=digest, game_id=game_id).whole()


class Replay:
    """A game that is played again from its records, a burst at a time; `play` is it once `advance` says so."""

    def __init__(
        self,
        about: Mapping[str, Any],
        rows: Sequence[Row],
        of: Finder,
        *,
        cursor: int,
        digest: str = "",
        game_id: str = "",
    ) -> None:
        self.play = begin(about, of, game_id)
        self._titles, self._rows, self._cursor, self._digest = _named(about, "titles"), rows, cursor, digest
        self._nodes = [ROOT]

    @property
    def done(self) -> int:
        """Orders that have been given again."""
        return len(self._nodes) - 1

    @property
    def orders(self) -> int:
        """Orders that there are."""
        return len(self._rows)

    def whole(self) -> Play:
        """The game, however long it takes."""
        self.advance(inf)
        return self.play

    def advance(self, seconds: float) -> bool:
        """Play on for so long; is the game there? SaveError where today's rules do not lead on."""
        end = perf_counter() + seconds
        while self.done < self.orders:
            self._give(self._rows[self.done])
            if perf_counter() > end:
                return False
        self._finish()
        return True

    def _give(self, row: Row) -> None:
        try:
            parent, order, salt = row
            self.play.session.go(self._nodes[int(parent)])
            self.play.session.push(str(order), salt=int(salt))
        except (BurmaStudyError, IndexError, ValueError, TypeError, OverflowError) as error:
            number = len(self._nodes)
            raise SaveError(f"Order {number} of the game, {row!r:.200}, cannot be given any more: {error}") from error
        self._nodes.append(self.play.node)

    def _finish(self) -> None:
        play, nodes = self.play, self._nodes
        known = {str(k): node for k, node in enumerate(nodes)}
        for key, title in self._titles.items():
            if key in known:
                play.name_variation(known[key], title)
        play.session.go(nodes[min(max(self._cursor, 0), len(nodes) - 1)])
        if self._digest and not play.digest.startswith(self._digest):
            raise SaveError(
                "The orders of this game lead to another position under today's rules: open its saved file."
            )


def begin(about: Mapping[str, Any], of: Finder, game_id: str = "") -> Play:
    """A game at its start, from its head."""
    try:
        version, (scenario, kind), seed = about["v"], about["at"], str(about["seed"])
        named = dict(about.get("rules", {}))
    except (KeyError, ValueError, TypeError) as error:
        raise SaveError(f"This is no game of Burma Study: {error!r} is missing or wrong.") from None
    if version != VERSION:
        raise SaveError(f"This game was written in form {version!r}; this version reads form {VERSION}.")
    table = of(str(scenario))
    rules = table.edition.rules(named) if named else None
    play = table.at(Origin(str(scenario), str(kind)), seed=seed, rules=rules, game_id=game_id)
    play.sit_down(_named(about, "players"))
    return play


def _named(about: Mapping[str, Any], what: str) -> dict[str, str]:
    """What a head names by words: the titles of variations, the players of sides."""
    found = about.get(what, {})
    if not isinstance(found, Mapping):
        raise SaveError(f"This is no game of Burma Study: its {what} are {found!r:.60}.")
    return {str(key): str(value) for key, value in found.items()}
