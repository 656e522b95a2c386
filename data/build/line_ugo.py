"""Build the historical line of U-Go, data/lines/ocs/u-go/, from dated events, flows of supply and the printed set-up.

Run by `make data`. The rules by which units and tokens are placed are in line_ugo_positions and line_ugo_supply.
Captions, hotspots and weather of the line are written by hand in the same folder.
"""

from __future__ import annotations

import csv
import sys
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent)]

from line_ugo_legs import barred_legs, off_road  # noqa: E402
from line_ugo_positions import TURNS, Line, position_rows, read_events, read_setup  # noqa: E402
from line_ugo_supply import COLUMNS, Supplies  # noqa: E402

from burma_study.boards.board import load_board  # noqa: E402
from burma_study.datafiles import read_rows, read_toml  # noqa: E402

OUT = HERE.parent / "lines" / "ocs" / "u-go"
PROV = ["key", "column", "tag", "source", "reason", "low", "high"]
Rows = list[dict[str, str]]


def write(name: str, rows: Rows, columns: list[str]) -> None:
    with (OUT / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n", restval="")
        writer.writeheader()
        writer.writerows(rows)


def event_rows() -> Rows:
    """Events by date of arrival."""
    rows = read_rows("sources/history/u-go_events.csv")
    for row in rows:
        row["turn"] = str(turn_of(row["arrival"]))
    return sorted(rows, key=lambda r: (r["arrival"], r["start"], r["id"]))


def turn_of(day: str) -> int:
    """The step that first shows what happened by `day`: the first turn date on or after it; 11 is after the line."""
    return next((n for n, t in enumerate(TURNS, 1) if t.isoformat() >= day), len(TURNS) + 1)


def contested_rows(rows: Rows, line: Line) -> Rows:
    """Contested hexes with what the line does about each, in words."""
    for row in rows:
        row["turn"] = str(turn_of(row["date"]))
        stands = dict(pair.rsplit(" ", 1) for pair in row["stand"].split("; "))
        keepers = names(line, [u for u, h in stands.items() if h == row["hex"]])
        others: dict[str, list[str]] = {}
        for unit, spot in stands.items():
            if spot != row["hex"]:
                others.setdefault(spot, []).append(unit)
        back = "; ".join(f"{names(line, units)} at {spot}" for spot, units in others.items())
        why = "in possession on this day" if line.holder(row["hex"], date.fromisoformat(row["date"])) else "there first"
        row["note"] = f"{keepers}, {why}, keep the hex; shown beside it on the way they came: {back}."
    return rows


def names(line: Line, units: list[str]) -> str:
    """Labels of units as a reader knows them."""
    return ", ".join(line.counters[u]["label"] for u in units)


def arrival_rows(positions: Rows) -> Rows:
    """Scheduled Silchar arrivals up to 15 April beside the day on which the line first shows the unit, and where."""
    last = TURNS[-1].isoformat()
    scheduled = {
        r["counter"]: r for r in read_rows("scenarios/ocs/schedule.csv") if r["site"] == "silchar" and r["date"] <= last
    }
    out = []
    seen = {r["unit"] for r in positions if r["hex"] == "off"}
    for unit in sorted(seen):
        first = next(r for r in positions if r["unit"] == unit and r["hex"] != "off")
        row = scheduled.get(unit)
        out.append(
            {
                "unit": unit,
                "scheduled": row["date"] if row else "",
                "arakan": row["arakan"] if row else "no",
                "date": first["date"],
                "turn": first["turn"],
                "hex": first["hex"],
                "event": first["basis"],
                "confidence": first["confidence"],
                "note": "" if row else "not in the scenario's schedule",
            }
        )
    missing = set(scheduled) - seen
    if missing:
        raise SystemExit(f"scheduled but not in the line: {sorted(missing)}")
    return sorted(out, key=lambda r: (r["date"], r["unit"]))


def loss_rows() -> Rows:
    """Units that the line counts as destroyed, and those that the rulebook counts dead on 19 April."""
    out = []
    for event in read_rows("sources/history/u-go_events.csv"):
        if event["kind"] == "loss":
            base = {"date": event["arrival"], "event": event["id"], "confidence": event["confidence"], "in_line": "yes"}
            out += [base | {"unit": u, "note": event["text"]} for u in event["units"].split(";")]
    known = {r["unit"] for r in out}
    dead = [u for pile in read_toml("scenarios/ocs/sato.toml")["dead_pile"] for u in pile["counters"]]
    note = "In the dead pile of the rulebook's set-up of 19 April; no account that we know says when or how."
    late = {"date": "1944-04-19", "event": "set-up", "confidence": "low", "in_line": "no", "note": note}
    return out + [late | {"unit": u} for u in dead if u not in known]


def transport_rows(supplies: Supplies) -> tuple[Rows, Rows]:
    """Carriers turn by turn with their loads, and why each goes where it goes."""
    loads = {
        (day.isoformat(), holder): row.stock
        for day, books in zip(TURNS, supplies.turns, strict=True)
        for (_, holder), row in books.items()
    }
    rows = []
    for t in supplies.transport:
        load = loads.get((t["date"], t["id"]), 0)
        if t["kind"] == "buffalo" and not load:
            continue
        size = str(load) if t["kind"] == "buffalo" else t["capacity"]
        extender = "yes" if t["id"] == "a/truck/1" else "no"
        rows.append(t | {"capacity": size, "load": str(load), "extender": extender})
    reasons = {t["id"]: t["reason"] for t in supplies.transport}
    prov = [
        {"key": f"{r['date']}/{r['id']}", "column": "*", "tag": "reconstructed", "reason": reasons[r["id"]]}
        for r in rows
    ]
    return rows, prov


def hedgehog_rows(line: Line, positions: Rows, supplies: Supplies) -> tuple[Rows, Rows]:
    """Allied hedgehogs as built, Japanese ones by 2.6c: a battalion that has not moved and faces an enemy digs in."""
    rows: Rows = []
    prov: Rows = []
    levels = {"A7.09": 1, "A7.10": 1}
    built = {"A7.09": 5, "A7.10": 7}  # first turn on which level 2 shows: the turn after 2 SP were spent
    for n, day in enumerate((t.isoformat() for t in TURNS), 1):
        for spot, level in levels.items():
            done = n >= built[spot]
            rows.append({"date": day, "turn": str(n), "side": "allied", "hex": spot, "level": str(level + done)})
            reason = "2 SP spent in the turn before (Opt.2); level 2 in the set-up of 19 April"
            if done:
                prov.append({"key": f"{day}/{spot}", "column": "level", "tag": "reconstructed", "reason": reason})
        for spot in sorted(dug_in(line, [r for r in positions if r["date"] == day])):
            rows.append({"date": day, "turn": str(n), "side": "japanese", "hex": spot, "level": "1"})
            reason = "a Combat Mode battalion that has not moved for a turn, next to an enemy (2.6c)"
            prov.append({"key": f"{day}/{spot}", "column": "level", "tag": "reconstructed", "reason": reason})
    spent = sum(r.flows["built"] for books in supplies.turns for r in books.values())
    if spent != 8 * len(built):
        raise SystemExit(f"hedgehogs cost {8 * len(built)}T but {spent}T were spent on them")
    return rows, prov


def dug_in(line: Line, rows: Rows) -> set[str]:
    """Hexes with a Japanese infantry battalion that stood still since the last turn beside an Allied unit."""
    grid = line.grid
    allied = {grid.index(r["hex"]) for r in rows if line.side(r["unit"]) == "allied" and "." in r["hex"]}
    out = set()
    for row in rows:
        counter = line.counters[row["unit"]]
        battalion = counter["type"] == "infantry" and counter["size"] == "bn" and counter["nationality"] == "japanese"
        still = row["turn"] != "1" and row["pace"] == "stays" and row["mode"] == "combat" and "." in row["hex"]
        if battalion and still and allied & set(grid.adjacent[grid.index(row["hex"])]):
            out.add(row["hex"])
    return out


def base_rows() -> Rows:
    """Air bases: those of the set-up; nothing that we know was built or lost by 15 April."""
    bases = read_toml("scenarios/ocs/u-go.toml")["bases"]
    return [
        {"date": day.isoformat(), "turn": str(n), "side": b["side"], "hex": b["hex"], "level": str(b["level"])}
        for n, day in enumerate(TURNS, 1)
        for b in bases
    ]


def score_rows() -> Rows:
    """History's running score, by the function that the library offers."""
    from burma_study.games.ocs.line import load_line
    from burma_study.games.ocs.line_score import history_score

    return history_score(load_line("ocs/u-go"))


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    line = Line(load_board("ocs"), read_setup(), read_events())
    positions, contested, fast = position_rows(line)
    if fast:
        raise SystemExit("faster than Strat Mode: " + ", ".join(f"{r['unit']} {r['date']}" for r in fast))
    wrong = [*barred_legs(line, positions), *off_road(line, positions)]
    if wrong:
        raise SystemExit("marches that nobody can have made:\n" + "\n".join(wrong))
    supplies = Supplies(line, positions)
    if supplies.unpaid():
        raise SystemExit(f"moved without fuel: {supplies.unpaid()}")
    works = read_rows("sources/history/u-go_sources.csv")
    write("sources.csv", works, list(works[0]))
    at = ["date", "turn"]
    moves = ["kind", "units", "place_from", "place_to", "hex", "holds"]
    write("events.csv", event_rows(), ["id", "start", "arrival", "turn", *moves, "text", "source", "confidence"])
    columns = ["unit", "hex", "mode", "status", "basis", "confidence", "mp12", "pace"]
    write("positions.csv", positions, [*at, *columns])
    write("contested.csv", contested_rows(contested, line), [*at, "hex", "units", "stand", "note"])
    arrivals = ["scheduled", "arakan", "date", "turn", "hex", "event", "confidence", "note"]
    write("arrivals.csv", arrival_rows(positions), ["unit", *arrivals])
    write("losses.csv", loss_rows(), ["unit", "date", "in_line", "event", "confidence", "note"])
    table, prov = supplies.rows()
    write("supplies.csv", table, [*at, "side", "holder", "hex", "stock", *COLUMNS])
    write("supplies.prov.csv", prov, PROV)
    carriers, prov = transport_rows(supplies)
    write("transport.csv", carriers, [*at, "id", "side", "kind", "hex", "capacity", "load", "extender"])
    write("transport.prov.csv", prov, PROV)
    hedgehogs, prov = hedgehog_rows(line, positions, supplies)
    write("hedgehogs.csv", hedgehogs, [*at, "side", "hex", "level"])
    write("hedgehogs.prov.csv", prov, PROV)
    write("bases.csv", base_rows(), [*at, "side", "hex", "level"])
    score = score_rows()
    write("score.csv", score, list(score[0]))


if __name__ == "__main__":
    main()
