"""Build data/boards/ocs from data/sources and registry packages: `python data/build/board.py`."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

import ocs_places
import ocs_rivers
import ocs_routes
import ocs_terrain
from common import GEOREF, GRID, OCS, OUT, read, write, write_prov

MOUNTAIN, ROUGH = 340.0, 160.0
LAKES = ("Indawgyi",)
Side = tuple[int, int]


def overrides() -> dict[str, dict[int, str]]:
    """Hand corrections by what they correct and hex."""
    table: dict[str, dict[int, str]] = {"terrain": {}, "bank": {}, "irrawaddy": {}}
    for row in read(OCS / "overrides.csv"):
        table[row["what"]][GRID.index(row["hex"])] = row["value"]
    return table


def terrain(corrections: dict[int, str]) -> list[str]:
    classes = ocs_terrain.classify(ocs_terrain.survey(), MOUNTAIN, ROUGH)
    for hex_, value in corrections.items():
        classes[hex_] = value
    return classes


def write_hexes(classes: list[str], features: dict[int, str], banks: dict[str, list[str]]) -> None:
    rows = ((GRID.label(h), classes[h], features.get(h, ""), banks["Chindwin"][h], banks["Irrawaddy"][h]) for h in GRID)
    write(OUT / "hexes.csv", ("hex", "terrain", "feature", "bank", "irrawaddy"), rows)
    named = ((r["hex"], r["what"], r["tag"], "sources/ocs/overrides.csv", r["reason"]) for r in canonical_overrides())
    write_prov(OUT / "hexes.csv", named)


def canonical_overrides() -> list[dict[str, str]]:
    return [{**r, "hex": GRID.label(GRID.index(r["hex"]))} for r in read(OCS / "overrides.csv")]


def crossings(rivers: Iterable[Side], routes: dict) -> dict[Side, str]:
    """`bridge` where a road or railway crosses a river, `crossing` (ferry, ford) where a track does."""
    rivers, found = set(rivers), {}
    for kinds, value in ((("track",), "crossing"), (("rail", "all_weather", "fair_weather"), "bridge")):
        for (_, kind, _), chain in routes.items():
            if kind in kinds:
                sides = (GRID.key(a, b) for a, b in pairwise(chain))
                found.update((s, value) for s in sides if s in rivers)
    for row in read(OCS / "crossings.csv"):
        side = GRID.key(GRID.index(row["a"]), GRID.index(row["b"]))
        if side not in rivers:
            raise SystemExit(f"crossings.csv: no river between {row['a']} and {row['b']}")
        found[side] = row["crossing"]
    return found


def write_hexsides(rivers: dict[Side, tuple[str, str]], over: dict[Side, str]) -> None:
    rows = [
        (GRID.label(a), GRID.label(b), rank, over.get((a, b), ""), name)
        for (a, b), (rank, name) in sorted(rivers.items())
    ]
    write(OUT / "hexsides.csv", ("a", "b", "river", "crossing", "name"), rows)
    listed = [
        (f"{r['a']}/{r['b']}", "crossing", "historical", "sources/ocs/crossings.csv", r["reason"])
        for r in read(OCS / "crossings.csv")
    ]
    write_prov(OUT / "hexsides.csv", listed)


def edge_of(hex_: int) -> list[str]:
    line, position = GRID.line_position(hex_)
    tests = (
        ("west", line == 1),
        ("east", line == GRID.lines),
        ("south", position == 1),
        ("north", position == GRID.length),
    )
    return [name for name, at in tests if at]


def write_edges(routes: dict) -> None:
    found = {
        (edge, GRID.label(h), "rail" if kind == "rail" else "track" if kind == "track" else "road")
        for (_, kind, _), chain in routes.items()
        for h in chain
        for edge in edge_of(h)
    }
    write(OUT / "edges.csv", ("edge", "hex", "kind"), sorted(found, key=lambda r: (r[0], GRID.index(r[1]), r[2])))


def write_georef() -> None:
    """The fit as numbers to read; the library fits again from control.csv."""
    lines = [
        f'projection = "{GEOREF.projection}"',
        f"lat = {[round(v, 9) for v in GEOREF.lat]}  # constant, per x, per y of the hex plane",
        f"lon = {[round(v, 9) for v in GEOREF.lon]}",
        f"rms_km = {GEOREF.rms_km:.2f}",
        f"leave_one_out_rms_km = {GEOREF.leave_one_out_rms_km:.2f}",
        f"pitch_km = {GEOREF.pitch_km:.3f}",
    ]
    (OUT / "georef.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    table = overrides()
    banks, rivers = ocs_rivers.build_rivers(table)
    routes = ocs_routes.build_routes(banks)
    places = ocs_places.build_places()
    classes = terrain(table["terrain"])
    write_hexes(classes, ocs_places.features(places), banks)
    write_hexsides(rivers, crossings(rivers, routes))
    ocs_routes.write_routes(routes)
    ocs_places.write_places(places)
    write_edges(routes)
    write_georef()
    for name in ("control.csv", "boxes.csv", "lengths.csv"):
        shutil.copy(OCS / name, OUT / name)
    write(
        OUT / "overrides.csv",
        ("hex", "what", "value", "tag", "reason"),
        (tuple(r.values()) for r in canonical_overrides()),
    )
    counts = Counter(classes)
    print(", ".join(f"{k} {v / len(GRID):.1%}" for k, v in counts.most_common()), f"; {len(rivers)} river sides")


if __name__ == "__main__":
    main()
