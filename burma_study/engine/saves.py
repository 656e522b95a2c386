"""Saves: one JSON a line, each with a check that continues the check of the line before.

An old save is shown from its events and snapshots, never by running rules (that is `burma_study.engine.rerun`). A file
whose name ends in `.gz` is compressed.
"""

from __future__ import annotations

import gzip
import json
import os
import secrets
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from burma_study.engine.asking import asked
from burma_study.engine.codec import Codec
from burma_study.engine.dice import MOST_DICE, MOST_SIDES, Roll
from burma_study.engine.game import Finder, Game, Plain
from burma_study.engine.orders import Written
from burma_study.engine.reasons import Reason
from burma_study.engine.records import ROOT, STATE, Event, Record, Tree
from burma_study.errors import BurmaStudyError, Problem, SaveError

FORMAT = 1
MARK = "burma_study_save"
MAX_BYTES = 100_000_000  # a whole campaign takes about a tenth of it
_TAIL = ',"check":"'
_TAIL_LENGTH = len(_TAIL) + 16 + len('"}')


@dataclass(frozen=True)
class Header:
    """What a save says about itself; `data` are digests of the files it used, `charts` a reader's own, in full.

    `seats` is who plays each side, in the program's own words; saves of before it was written have none.
    """

    game: str
    setup: str
    setup_kind: str
    seed: str
    rules_version: str = ""
    options: tuple[str, ...] = ()
    data: Mapping[str, str] = field(default_factory=dict)
    charts: Mapping[str, str] = field(default_factory=dict)
    program: str = ""
    seats: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Picture:
    """A position as plain JSON, shown without today's rules or classes: scalars, and tables by key."""

    scalars: Mapping[str, Any]
    tables: Mapping[str, Mapping[Any, Any]]

    def dump(self) -> Plain:
        """In the shape that a game loads."""
        return {
            "scalars": dict(self.scalars),
            "tables": {n: [[k, v] for k, v in t.items()] for n, t in self.tables.items()},
        }


@dataclass
class SaveFile:
    """A save as read: header, tree of written orders, snapshots by node, and events as they stand in the file.

    `unreadable` says why it can be shown but not be played on: a game or a type of value that today's program lacks.
    """

    header: Header
    tree: Tree
    snapshots: dict[int, Plain]
    events: dict[int, list[list[Any]]]
    warnings: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    game: Game[Any] | None = None

    def picture(self, node: int | None = None) -> Picture:
        """The position at a node (the cursor unless given), from the nearest snapshot and the events since."""
        path = self.tree.path(node)
        first = max(i for i, n in enumerate(path) if n in self.snapshots)
        picture = _picture(self.snapshots[path[first]])
        for later in path[first + 1 :]:
            _advance(picture, self.events[later])
        return picture

    def lines(self, node: int | None = None) -> Iterator[str]:
        """The log to a node, a line a record."""
        return (self.tree[n].line for n in self.tree.path(node)[1:])


# writing -----------------------------------------------------------------------------------------------------------


def write_save(path: str | Path, header: Header, tree: Tree, game: Game[Any], state_of: Callable[[int], Any]) -> None:
    """Write a save beside its place and rename it there, so that a broken write leaves the old file whole."""
    target = Path(path)
    text = "".join(_chained(_lines(header, tree, game, state_of))).encode()
    content = gzip.compress(text, 6, mtime=0) if target.suffix == ".gz" else text
    if not target.name:
        raise SaveError(f"{str(path)!r} names no file to save to.")
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    if target.exists() and not target.is_file():
        raise SaveError(f"{str(target)!r} cannot be written: it is no file.")
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise SaveError(f"{str(target)!r} cannot be written: {error.strerror or error}.") from error


def _lines(header: Header, tree: Tree, game: Game[Any], state_of: Callable[[int], Any]) -> Iterator[Plain]:
    start = game.dump(state_of(ROOT))
    promoted = [list(pair) for pair in tree.promoted.items()]
    about = {k: v for k, v in vars(header).items() if v or k != "seats"}
    titles = {"names": [list(pair) for pair in tree.titles.items()]} if tree.titles else {}
    yield {MARK: FORMAT, **about, "cursor": tree.cursor, "main": promoted, **titles}
    yield {"snapshot": ROOT, **start}
    marks = {ROOT: game.milestone(state_of(ROOT))}
    for node in range(1, len(tree)):
        record, state = tree[node], state_of(node)
        yield {"node": node, **_plain_record(record, game.codec)}
        marks[node] = game.milestone(state)
        if marks[node] != marks[record.parent]:
            yield {"snapshot": node, **_without(game.dump(state), start)}
    yield {"end": len(tree) - 1}


def _without(dump: Plain, start: Plain) -> Plain:
    """A dump without the scalars and tables that are as at the start."""
    return {part: {k: v for k, v in dump[part].items() if start[part].get(k) != v} for part in ("scalars", "tables")}


def _plain_record(record: Record, codec: Codec) -> Plain:
    plain = codec.plain
    row: Plain = {"parent": record.parent, "actor": record.actor, "order": record.order.text, "digest": record.digest}
    row["enforcement"] = record.enforcement
    row["events"] = [[e.kind, e.table, e.key, plain(e.old), plain(e.new)] for e in record.events]
    row["rolls"] = [list(r) for r in record.rolls]
    optional = {"rules": record.rules, "note": record.note, "salt": record.salt}
    row |= {k: v for k, v in optional.items() if v}
    if record.reasons:
        row["reasons"] = [
            [r.code, [[k, plain(v)] for k, v in r.params], r.hexes, r.rule, r.hard] for r in record.reasons
        ]
    return row


def _chained(lines: Iterable[Plain]) -> Iterator[str]:
    before = ""
    for line in lines:
        body = json.dumps(line, ensure_ascii=False, separators=(",", ":"))[:-1]
        before = _check(before, body)
        yield f'{body}{_TAIL}{before}"}}\n'


def _check(before: str, body: str) -> str:
    return blake2b(f"{before}{body}".encode(), digest_size=8).hexdigest()


# reading -----------------------------------------------------------------------------------------------------------


@asked
def read_save(path: str | Path, game_of: Finder, *, recover: bool = False) -> SaveFile:
    """Read a save, its game found by `game_of`; SaveError says what is wrong with it and where.

    With `recover`, a cut or edited save gives what stands before the damage, and `warnings` says what is missing.
    """
    name = Path(path).name
    warnings: list[str] = []
    rows: list[Plain] = []
    try:
        text = _text(Path(path), recover=recover)
        rows.extend(_rows(text, name))
        _whole(rows, name)
    except SaveError as error:
        if not (recover and len(rows) >= 2):
            raise
        warnings.append(str(error))
    return _save_file(rows, name, warnings, game_of)


def is_save(path: Path) -> bool:
    """Does a file begin as a save does, compressed or not? It may be damaged further on."""
    try:
        with path.open("rb") as file:
            start = file.read(4096)
        if start[:2] == b"\x1f\x8b":
            start = zlib.decompressobj(wbits=31).decompress(start, 64)
    except (OSError, zlib.error):
        return False
    return start.startswith(f'{{"{MARK}"'.encode())


def check(path: str | Path, game_of: Finder) -> list[Problem]:
    """What is wrong with a save; no rules are run."""
    name = Path(path).name
    try:
        unreadable = read_save(path, game_of).unreadable
    except SaveError as error:
        return [Problem("damaged-save", str(error), name)]
    return [Problem("unreadable-value", text, name, hint="It can be shown, not played on.") for text in unreadable]


def _text(path: Path, *, recover: bool) -> str:
    content = _content(path)
    if content[:2] == b"\x1f\x8b":
        content = _unzip(content, path.name, recover=recover)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        if recover:
            return content[: error.start].decode()
        raise SaveError(f"{path.name!r} is damaged at byte {error.start}: it is not text in UTF-8.") from error


def _content(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise SaveError(f"{str(path)!r} cannot be read: it is no file.")
        if path.stat().st_size > MAX_BYTES:
            raise SaveError(f"{path.name!r} is too large for a save: more than {MAX_BYTES // 1_000_000} MB.")
        return path.read_bytes()
    except OSError as error:
        raise SaveError(f"{str(path)!r} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        if isinstance(error, SaveError):
            raise
        raise SaveError(f"{str(path)!r} cannot be read: {error}.") from error


def _unzip(content: bytes, name: str, *, recover: bool) -> bytes:
    engine = zlib.decompressobj(wbits=31)
    found = b""
    try:
        found = engine.decompress(content, MAX_BYTES)
    except zlib.error as error:
        raise SaveError(f"{name!r} is damaged: {error}.") from error
    if not engine.eof and not recover:
        raise SaveError(f"{name!r} is cut short or too large: its compressed part does not end. {_RECOVER}")
    return found


_RECOVER = "What stands before the damage can be read with recover=True."


def _rows(text: str, name: str) -> Iterator[Plain]:
    before = ""
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if not line and number == len(lines):
            return
        row = _json(line)
        if number == 1:
            _format(row, name)
        body, check = line[:-_TAIL_LENGTH], line[-_TAIL_LENGTH:]
        before = _check(before, body)
        if row is None or check != f'{_TAIL}{before}"}}':
            cut = "is cut short" if number == len(lines) else "was edited or damaged"
            raise SaveError(f"{name!r}, line {number} of {len(lines)}, {cut}: its check does not fit. {_RECOVER}")
        yield row


def _json(line: str) -> Plain | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def _format(row: Plain | None, name: str) -> None:
    if row is None or MARK not in row:
        raise SaveError(f"{name!r} is no save of Burma Study: its first line lacks {MARK!r}.")
    number = row[MARK]
    if not isinstance(number, int) or not 1 <= number <= FORMAT:
        raise SaveError(
            f"{name!r} is a save of format {number!r}; this version reads formats 1 to {FORMAT}. "
            "Open it with the version that wrote it, or a later one."
        )


def _whole(rows: list[Plain], name: str) -> None:
    records = sum("node" in row for row in rows)
    if not rows:
        raise SaveError(f"{name!r} is empty.")
    if rows[-1].get("end") != records:
        raise SaveError(f"{name!r} is cut short: after {records} records its end is missing. {_RECOVER}")


def _save_file(rows: list[Plain], name: str, warnings: list[str], game_of: Finder) -> SaveFile:
    at = 0
    try:
        header = _header(rows[at])
        codec = _Lenient(header.game, game_of)
        save = SaveFile(header, Tree(), {}, {}, tuple(warnings), game=codec.game)
        for at in range(1, len(rows)):
            codec.line = at + 1
            _take(save, rows[at], codec)
        if ROOT not in save.snapshots:
            raise SaveError("the position at the start is missing")
        at = 0
        _cursor(save.tree, rows[at], lenient=bool(warnings))
        save.unreadable = tuple(f"Line {line}: {text}" if line else text for text, line in codec.missing.items())
    except (BurmaStudyError, KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        text = str(error) if isinstance(error, BurmaStudyError) else f"{type(error).__name__}: {error}"
        raise SaveError(f"{name!r}, line {at + 1}, cannot be used: {text.rstrip('.')}.") from error
    return save


class _Lenient:
    """Reads the values of a game; what it cannot read it leaves plain; `missing` has why, with the first line."""

    def __init__(self, game: str, game_of: Finder) -> None:
        self.missing: dict[str, int] = {}
        self.line = 0
        self.game: Game[Any] | None = None
        try:
            self.game = game_of(game)
            self._codec = self.game.codec
        except (BurmaStudyError, ImportError) as error:
            self._codec = Codec()
            self.missing[str(error)] = 0

    def value(self, plain: Any) -> Any:
        """The value, or the plain JSON as it stands."""
        try:
            return self._codec.value(plain)
        except SaveError as error:
            self.missing.setdefault(str(error), self.line)
            return plain

    def values(self, plain: Iterable[Any]) -> None:
        """Read values only to see whether they can be read."""
        for one in plain:
            self.value(one)


def _header(row: Plain) -> Header:
    texts = {
        k: _typed(row.get(k, ""), str) for k in ("game", "setup", "setup_kind", "seed", "rules_version", "program")
    }
    tables: dict[str, Any] = {
        k: {_typed(n, str): _typed(v, str) for n, v in _typed(row.get(k, {}), dict).items()}
        for k in ("data", "charts", "seats")
    }
    options = tuple(_typed(o, str) for o in _typed(row.get("options", []), list))
    return Header(**texts, options=options, **tables)


def _typed(value: Any, kind: type) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise SaveError(f"{value!r} stands where a {kind.__name__} is expected")
    return value


def _take(save: SaveFile, row: Plain, codec: _Lenient) -> None:
    if "snapshot" in row:
        start = save.snapshots.get(ROOT, {"scalars": {}, "tables": {}})
        node = _typed(row["snapshot"], int)
        save.tree.path(node)
        save.snapshots[node] = {p: {**start[p], **_typed(row[p], dict)} for p in ("scalars", "tables")}
        _picture(save.snapshots[node])
        codec.values(_entries(save.snapshots[node] if node == ROOT else row))
    elif "node" in row:
        node = save.tree.append(_record(row, codec))
        if node != row["node"]:
            raise SaveError(f"record {row['node']!r} stands where number {node} is expected")
        save.events[node] = row["events"]
    elif "end" not in row:
        raise SaveError("it is neither a record nor a snapshot")


def _entries(snapshot: Plain) -> Iterator[Any]:
    """Every value of a snapshot."""
    yield from snapshot["scalars"].values()
    for rows in snapshot["tables"].values():
        yield from (value for _, value in rows)


def _record(row: Plain, codec: _Lenient) -> Record:
    return Record(
        _typed(row["parent"], int),
        _typed(row["actor"], str),
        Written(_typed(row["order"], str)),
        tuple(_roll(r) for r in row["rolls"]),
        tuple(_event(e, codec) for e in row["events"]),
        tuple(_typed(r, str) for r in row.get("rules", ())),
        _typed(row["enforcement"], str),
        _typed(row["digest"], str),
        tuple(_reason(r, codec) for r in row.get("reasons", ())),
        _typed(row.get("note", ""), str),
        _typed(row.get("salt", 0), int),
    )


def _roll(row: list[Any]) -> Roll:
    stream, turn, phase, n, dice, sides, salt = row
    numbers = tuple(_typed(v, int) for v in dice)
    if not 1 <= len(numbers) <= MOST_DICE or not 2 <= _typed(sides, int) <= MOST_SIDES:
        raise SaveError(f"a roll of {len(numbers)} dice of {sides} sides cannot be")
    counts = (_typed(n, int), numbers, _typed(sides, int), _typed(salt, int))
    return Roll(_typed(stream, str), _typed(turn, int), _typed(phase, str), *counts)


def _event(row: list[Any], codec: _Lenient) -> Event:
    kind, table, key, old, new = row
    if not isinstance(key, int | str):
        raise SaveError(f"{key!r} stands where the key of an entry is expected")
    return Event(_typed(kind, str), _typed(table, str), key, codec.value(old), codec.value(new))


def _reason(row: list[Any], codec: _Lenient) -> Reason:
    code, params, hexes, rule, hard = row
    pairs = tuple((_typed(k, str), codec.value(v)) for k, v in params)
    places = tuple(_typed(h, int) for h in hexes)
    return Reason(_typed(code, str), pairs, places, _typed(rule, str), _typed(hard, bool))


def _cursor(tree: Tree, row: Plain, *, lenient: bool) -> None:
    for _, child in row.get("main", ()):
        if not lenient or 0 < child < len(tree):
            tree.promote(_typed(child, int))
    for node, text in row.get("names", ()):
        if not lenient or 0 < node < len(tree):
            tree.entitle(_typed(node, int), _typed(text, str))
    cursor = _typed(row.get("cursor", 0), int)
    tree.go(min(cursor, len(tree) - 1) if lenient else cursor)


def _picture(dump: Plain) -> Picture:
    tables = {name: {k: v for k, v in rows} for name, rows in dump["tables"].items()}  # noqa: C416 - checks pairs
    return Picture(dict(dump["scalars"]), tables)


def _advance(picture: Picture, events: list[list[Any]]) -> None:
    scalars: Any = picture.scalars
    tables: Any = picture.tables
    for _, table, key, _, new in events:
        if table == STATE:
            scalars[key] = new
        elif new is None:
            tables.get(table, {}).pop(key, None)
        else:
            tables.setdefault(table, {})[key] = new
