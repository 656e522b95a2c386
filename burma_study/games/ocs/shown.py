"""A position of a save of OCS Burma as it was written, without running rules: plain data, and rows to print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from burma_study.boards.board import load_board
from burma_study.engine.saves import SaveFile
from burma_study.errors import LabelError
from burma_study.games.ocs.phrases import plainly
from burma_study.games.ocs.story import story
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.supply.words import named


def shown(save: SaveFile, step: int) -> dict[str, Any]:
    """The position after so many records of a save's line, as plain data."""
    label, node = GAME.label, save.tree.path()[step]
    picture = save.picture(node)
    told = story(save, node)[-1:] if node else ()
    plain = {name: value for name, value in picture.scalars.items() if name not in ("rules", "frames")}
    stacks: dict[str, list[str]] = {}
    for id_, piece in picture.tables.get("pieces", {}).items():
        stacks.setdefault(_at(piece, label), []).append(_unit(str(id_), piece))
    return {
        "scenario": save.header.setup,
        "step": step,
        "node": node,
        "of": len(save.tree.path()) - 1,
        "clock": plain,
        "record": told[0].as_dict() if told else None,
        "told": told[0].text if told else "The start of the game.",
        "stacks": {at: sorted(units) for at, units in sorted(stacks.items())},
        "dumps": {_place(at, label): dict(_fields(d)) for at, d in picture.tables.get("dumps", {}).items()},
        "warnings": list(save.warnings),
    }


def _fields(value: Any) -> Mapping[str, Any]:
    """The fields of a saved value; what is none has none."""
    return value if isinstance(value, dict) else {}


def _at(value: Any, label: Any) -> str:
    return _place(_fields(value).get("at"), label)


def _place(at: Any, label: Any) -> str:
    return label(at) if isinstance(at, int) else str(at)


def _unit(id_: str, value: Any) -> str:
    fields = _fields(value)
    marks = [name for name in ("dg", "oos") if fields.get(name)]
    return " ".join((id_, str(fields.get("mode", "")), *marks)).strip()


def listed(found: Mapping[str, Any]) -> tuple[list[tuple[str, str]], list[tuple[str, str]], list[tuple[str, str, Any]]]:
    """The same to print: what stands at the head, units by hex, supply by hex with its side and tokens."""
    clock = found["clock"]
    head = [
        ("scenario", str(found["scenario"])),
        ("step", f"{found['step']} of {found['of']}"),
        ("stands at", f"turn {clock.get('turn')}, {clock.get('player')} {_spaced(clock.get('phase'))}"),
        ("weather", f"{_spaced(clock.get('weather'))}, ground {clock.get('ground')}, air {clock.get('air_ops')}"),
        ("here", str(found["told"])),
    ]
    dumps = [(_named(at), str(d.get("side", "")), d.get("tokens")) for at, d in sorted(found["dumps"].items())]
    return head, list(_rows(found["stacks"])), dumps


def _rows(stacks: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Hexes with their places, units by name."""
    for at, units in stacks.items():
        yield _named(at), ", ".join(map(plainly, units))


def _named(at: str) -> str:
    """A hex by its label as the log names it; a box as it is."""
    board = load_board("ocs")
    try:
        return named(board, board.grid.index(at))
    except LabelError:
        return at


def _spaced(word: object) -> str:
    """A word of a save for people: "light_rain" as "light rain"."""
    return str(word).replace("_", " ")
