"""Named places: the rulebook's at their hexes, the rest where the fit puts them, with their true positions."""

from __future__ import annotations

from dataclasses import dataclass

from common import GEOREF, GRID, OCS, OUT, SOURCES, read, write, write_prov

from burma_study.hexes.georef import distance_km

FAR_KM = 4.1


@dataclass(frozen=True)
class Named:
    """One row of places.csv before it is written."""

    name: str
    hex: int | None
    kind: str
    position: tuple[float, float] | None
    tag: str
    note: str


def gazetteer() -> dict[str, tuple[float, float]]:
    return {r["place"]: (float(r["lat"]), float(r["lon"])) for r in read(SOURCES / "geo" / "gazetteer_1944.csv")}


def build_places() -> list[Named]:
    known = gazetteer()
    return [
        Named(
            r["place"],
            GRID.index(r["hex"]) if r["hex"] else None,
            r["kind"],
            known.get(r["gazetteer"]),
            r["tag"],
            r["note"],
        )
        for r in read(OCS / "places.csv")
    ]


def features(places: list[Named]) -> dict[int, str]:
    """City or village hexes; the rulebook's cities win."""
    found = {p.hex: "village" for p in places if p.hex is not None and p.kind in ("village", "port")}
    found.update({p.hex: "city" for p in places if p.hex is not None and p.kind == "city"})
    return found


def note_of(place: Named) -> str:
    """The note, with the distance between hex and true position where it is more than half a hex."""
    if place.hex is None or place.position is None:
        return place.note
    gap = distance_km(GEOREF.to_latlon(*GRID.centre(place.hex)), place.position)
    far = f"true position {gap:.0f} km from the hex's centre" if gap > FAR_KM else ""
    return "; ".join(t for t in (place.note, far) if t)


def write_places(places: list[Named]) -> None:
    control = {r["place"]: r for r in read(OCS / "control.csv")}

    def row(p: Named) -> tuple[object, ...]:
        used = control.get(p.name, {"used": "no"})["used"] if p.kind in ("city", "village") else "no"
        why = control[p.name]["note"] if p.name in control and used == "no" and p.kind in ("city", "village") else ""
        note = "; ".join(t for t in (note_of(p), f"not a control point: {why}" if why else "") if t)
        lat, lon = p.position or ("", "")
        return p.name, GRID.label(p.hex) if p.hex is not None else "", p.kind, lat, lon, used, note

    write(OUT / "places.csv", ("place", "hex", "kind", "lat", "lon", "used", "note"), map(row, places))
    write_prov(
        OUT / "places.csv",
        (
            (
                f"{p.name}/{GRID.label(p.hex) if p.hex is not None else ''}",
                "hex",
                p.tag,
                "sources/ocs/places.csv",
                p.note,
            )
            for p in places
        ),
    )
