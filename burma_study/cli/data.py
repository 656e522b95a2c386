"""Commands about data: boards and their georeference, the ledger of the rules, the checking of files."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from pathlib import Path
from typing import Any

from burma_study.boards.board import Board, load_board
from burma_study.cli.text import Answer, count, pairs, table
from burma_study.engine.saves import read_save
from burma_study.errors import BurmaStudyError, Problem
from burma_study.games.registry import game_of
from burma_study.hexes.georef import ControlPoint, Georef, load_georef
from burma_study.hexes.grid import DIRECTIONS, OFF, Grid
from burma_study.rules import ledger

SHOWN = 7


def rules(args: Namespace) -> Answer:
    """The ledger of a game, whole or in part."""
    every = ledger.clauses(args.game)
    wanted = [c for c in every if _wanted(c, args.status, args.find) and not (args.uncovered and _covered(c))]
    if args.uncited:
        cited = _cited(args.uncited)
        wanted = [c for c in wanted if c.status != "component" and c.id not in cited]
    return Answer([c.as_dict() for c in wanted], lambda: _ledger_text(wanted, len(every)))


def _wanted(clause: ledger.Clause, status: str | None, word: str | None) -> bool:
    text = f"{clause.id} {clause.title} {clause.note} {clause.room}".lower()
    return (not status or clause.status == status) and (not word or word.lower() in text)


def _cited(paths: list[str]) -> frozenset[str]:
    """Ids of the clauses under which anything was done in some saves."""
    trees = [read_save(path, game_of).tree for path in paths]
    return frozenset(rule for tree in trees for node in range(1, len(tree)) for rule in tree[node].rules)


def _covered(clause: ledger.Clause) -> bool:
    return clause.status == "component" or bool(clause.functions and clause.tests)


def _ledger_text(rows: list[ledger.Clause], of: int) -> str:
    lines = table(
        ("clause", "status", "functions", "tests", "title"),
        [(c.id, c.status, len(c.functions), len(c.tests), c.title) for c in rows],
        right="23",
        last=140,
    )
    by_status = Counter(c.status for c in rows)
    sums = ", ".join(f"{by_status[s]} {s}" for s in ledger.STATUSES if by_status[s])
    shown = f"{count(len(rows), 'clause')} of {of}" if len(rows) != of else count(of, "clause")
    return f"{lines}\n\n{shown}: {sums or 'none of them fits'}"


def board(args: Namespace) -> Answer:
    """One hex of a board: terrain, names, routes, and what lies across each side."""
    map_ = load_board(args.board)
    hex_ = map_.index(args.hex)
    lat, lon = load_georef(map_.id, map_.grid).centre(map_.grid, hex_)
    found = hex_data(map_, hex_) | {"lat": round(lat, 5), "lon": round(lon, 5)}
    return Answer(found, lambda: _hex_text(found))


def hex_data(map_: Board, hex_: int) -> dict[str, Any]:
    """A hex as JSON; `sides` goes round from north, leaving out what is off the map."""
    places = [{"name": p.name, "kind": p.kind, "note": p.note} for p in map_.places if p.hex == hex_]
    around = enumerate(map_.grid.neighbours[hex_])
    return {
        "board": map_.id,
        "hex": map_.label(hex_),
        "index": hex_,
        "terrain": map_.terrain[hex_],
        "feature": map_.feature[hex_] or None,
        "attributes": {name: values[hex_] for name, values in map_.attributes.items() if values[hex_]},
        "places": places,
        "routes": [{"name": r.name, "kind": r.kind} for r in map_.routes if hex_ in r.hexes],
        "edges": [edge for edge, hexes in map_.edges.items() if hex_ in hexes],
        "sides": [_side(map_, hex_, other, DIRECTIONS[d]) for d, other in around if other != OFF],
    }


def _side(map_: Board, hex_: int, other: int, direction: str) -> dict[str, Any]:
    key = Grid.key(hex_, other)
    return {
        "direction": direction,
        "hex": map_.label(other),
        "name": map_.names.get(other),
        "terrain": map_.terrain[other],
        "river": map_.rivers.get(key),
        "crossing": map_.crossings.get(key),
        "routes": sorted({r.kind for r in map_.routes if key in r.sides}),
    }


def _hex_text(hex_: dict[str, Any]) -> str:
    words = [
        ("hex", f"{hex_['hex']} of board {hex_['board']}"),
        ("centre", f"{hex_['lat']:.3f} N, {hex_['lon']:.3f} E by the georeference"),
        ("terrain", ", ".join(filter(None, (hex_["terrain"], hex_["feature"])))),
        *((p["kind"].replace("_", " "), " - ".join(filter(None, (p["name"], p["note"])))) for p in hex_["places"]),
        *((r["kind"].replace("_", " "), r["name"]) for r in hex_["routes"]),
        ("map edge", ", ".join(hex_["edges"])),
        *(hex_["attributes"].items()),
    ]
    rows = [
        (
            s["direction"],
            s["hex"],
            s["terrain"],
            " ".join(filter(None, (s["river"], s["crossing"]))) or "-",
            ", ".join(r.replace("_", " ") for r in s["routes"]) or "-",
            s["name"] or "",
        )
        for s in hex_["sides"]
    ]
    return f"{pairs(words)}\n\n{table(('side', 'hex', 'terrain', 'river', 'routes across', 'place'), rows)}"


def check(args: Namespace) -> Answer:
    """Check a file or folder; everything wrong with it is an error."""
    from burma_study.games.checks import check_path, checkable

    path = Path(args.path)
    problems = check_path(path)
    wrong = [p for p in problems if p.severity == "error"]
    notes = [p for p in problems if p.severity != "error"]
    files = len(checkable(path)) if path.is_dir() else 1
    if not files:
        raise BurmaStudyError(f"{args.path!r} has no file that can be checked: no chart, table, scenario or save.")
    if wrong:
        raise BurmaStudyError(f"{count(len(wrong), 'problem')} in {args.path!r}.", [*wrong, *notes])
    data = {"path": args.path, "files": files, "problems": [p.as_dict() for p in problems]}
    return Answer(data, lambda: "\n".join([f"{count(files, 'file')} checked: all is well.", *_remarks(notes)]))


def _remarks(notes: list[Problem]) -> list[str]:
    more = [f"  and {len(notes) - SHOWN} more (--format json lists them)"] if len(notes) > SHOWN else []
    return [*(f"  Note: {note}" for note in notes[:SHOWN]), *more]


def georef(args: Namespace) -> Answer:
    """The georeference of a board: its fit, residuals and control points."""
    grid = load_board(args.board).grid
    fit = load_georef(args.board, grid)
    data = {
        "board": args.board,
        "projection": fit.projection,
        "lat": fit.lat,
        "lon": fit.lon,
        "rms_km": round(fit.rms_km, 3),
        "loo_rms_km": round(fit.leave_one_out_rms_km, 3),
        "pitch_km": round(fit.pitch_km, 3),
        "control": [_control(fit, grid, point) for point in fit.points],
    }
    return Answer(data, lambda: _georef_text(data))


def _control(fit: Georef, grid: Grid, point: ControlPoint) -> dict[str, Any]:
    left_out = fit.leave_one_out.get(point.name)
    return {
        "label": point.name,
        "hexes": list(point.hexes),
        "lat": point.lat,
        "lon": point.lon,
        "residual_km": round(fit.residuals[point.name], 3),
        "loo_km": None if left_out is None else round(left_out, 3),
        "used": point.used,
        "note": point.note,
    }


def _georef_text(data: dict[str, Any]) -> str:
    points = sorted(data["control"], key=lambda c: (not c["used"], -c["residual_km"]))
    used = sum(c["used"] for c in points)
    head = pairs(
        [
            ("board", data["board"]),
            ("projection", data["projection"]),
            ("hex to hex", f"{data['pitch_km']:.2f} km"),
            ("fit", f"rms {data['rms_km']:.1f} km over {used} places; left out, {data['loo_rms_km']:.1f} km"),
        ]
    )
    rows = [
        (
            c["label"],
            " ".join(c["hexes"]),
            f"{c['lat']:.3f}",
            f"{c['lon']:.3f}",
            f"{c['residual_km']:.1f}",
            "-" if c["loo_km"] is None else f"{c['loo_km']:.1f}",
            c["used"],
            c["note"],
        )
        for c in points
    ]
    columns = ("place", "hex", "lat", "lon", "off, km", "left out, km", "used", "note")
    return f"{head}\n\n{table(columns, rows, right='2345', last=140)}"
