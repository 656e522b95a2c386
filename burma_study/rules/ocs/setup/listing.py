"""A set-up as rows to print: units, supply, air units, markers, arrivals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from burma_study.boards.board import load_board
from burma_study.errors import ScenarioError
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.counters import counter, counters
from burma_study.rules.ocs.setup.model import TRANSPORT, Arrival, Scenario, SetupRow
from burma_study.rules.ocs.setup.places import Placed, Placement, place_all
from burma_study.rules.ocs.setup.reader import load_scenario
from burma_study.rules.ocs.setup.starting import air_types

Row = dict[str, object]
STORES = ("SP", *TRANSPORT)
SECRET = "Chosen in secret by the Allies, within 6 of A46.01"


@dataclass(frozen=True)
class Setup:
    """One set-up of a scenario as plain rows.

    `units` has a row a ground counter, `supply` a row a printed item (kind SP, Mule, Truck or Wagon, `tokens` in T),
    `air` a row a type and state, `markers` hedgehogs, airstrips, clearings, air bases, Reserve markers and the road
    head, `arrivals` a row a unit or supply that comes later, `dead` what starts in a dead pile. `hex` is None where the
    list gives an area: `place` has its words then, and `default` the hexes that the start state uses.
    """

    scenario: str
    setup: str
    errata: bool
    units: tuple[Row, ...]
    supply: tuple[Row, ...]
    air: tuple[Row, ...]
    markers: tuple[Row, ...]
    arrivals: tuple[Row, ...]
    dead: tuple[Row, ...]

    def as_dict(self) -> dict[str, object]:
        """Shape for JSON: the fields by name, rows as lists."""
        head = {"scenario": self.scenario, "setup": self.setup, "errata": self.errata}
        return head | {name: list(getattr(self, name)) for name in _LISTS}


_LISTS = ("units", "supply", "air", "markers", "arrivals", "dead")


def setup(id_: str, which: str = "historical", errata: bool = True, off: Iterable[str] = ()) -> Setup:
    """The `historical` or `free` set-up of a scenario; with `errata` false exactly as printed.

    `off` are keys of the errata table to leave out. ScenarioError for an unknown scenario or set-up.
    """
    scenario = load_scenario(id_, errata, off)
    if which not in scenario.setups:
        raise ScenarioError(f"{scenario.id} has no {which!r} set-up; it has {' and '.join(scenario.setups)}.")
    placement = place_all(scenario, which, load_board("ocs"))
    rows = scenario.setup_rows(which)
    return Setup(
        scenario.id,
        which,
        errata,
        units=tuple(_unit(r, placement, scenario) for r in rows if r.kind == "unit"),
        supply=tuple(_store(r, placement) for r in rows if r.kind in STORES),
        air=tuple(_air(scenario)),
        markers=(*(_marker(r, placement) for r in rows if r.kind not in ("unit", *STORES)), *_markers(scenario)),
        arrivals=tuple(row for a in scenario.arrivals for row in _arrival(a)),
        dead=tuple(_dead(scenario)),
    )


def _where(row: SetupRow, placement: Placement) -> Row:
    return {
        "side": row.side,
        "hex": row.hex or None,
        "place": row.place,
        "box": row.box or None,
        "default": [_default(p) for p in placement[row.row]] if not row.hex and not row.box else [],
        "row": row.row,
        "errata": list(row.errata),
    }


def _default(placed: Placed) -> Row:
    at = load_board("ocs").label(placed.at) if isinstance(placed.at, int) else placed.at
    found: Row = {"hex": at}
    if placed.tokens:
        found["tokens"] = placed.tokens
    return found | ({"extender": True} if placed.extender else {})


@rule("ocs/1.12")
def _unit(row: SetupRow, placement: Placement, scenario: Scenario) -> Row:
    unit = counter(row.counter)
    corrected: Row = {"id": unit.id, "label": unit.label if scenario.corrected else row.label}
    return (
        corrected
        | _where(row, placement)
        | {
            "type": unit.type,
            "strength": row.printed,
            "size": unit.size,
            "nationality": unit.nationality,
            "formation": unit.formation,
            "mode": row.mode,
            "low_ammo": row.low_ammo,
        }
    )


def _store(row: SetupRow, placement: Placement) -> Row:
    return {"kind": row.kind, "tokens": row.tokens, "loaded": row.loaded} | _where(row, placement)


def _marker(row: SetupRow, placement: Placement) -> Row:
    return {"kind": row.kind, "level": row.level or None} | _where(row, placement)


def _air(scenario: Scenario) -> Iterator[Row]:
    for row in scenario.air:
        yield {
            "side": row.side,
            "type": row.type,
            "label": row.label or air_types()[row.type]["label"],
            "count": row.count,
            "state": "reduced" if row.reduced else "full",
            "hex": None,
            "place": "Any base of the side",
        }


def _markers(scenario: Scenario) -> Iterator[Row]:
    """Markers that the scenario's header lists: bases, clearings, Reserve markers, the road head."""
    for base in scenario.bases:
        yield {"kind": "air_base", "side": base.side, "hex": base.hex, "place": base.hex, "level": base.level}
    yield from _clearings(scenario)
    for side, table in scenario.tables["reserve"].items():
        for group in ("markers", "commonwealth", "us_chinese"):
            if group in table:
                who = side if group == "markers" else group
                yield {"kind": "reserve", "side": side, "hex": None, "place": who, "count": table[group]}
    if "ledo_road" in scenario.tables:
        head = scenario.tables["ledo_road"]["head"]
        yield {"kind": "road_head", "side": "allied", "hex": head, "place": head}


def _clearings(scenario: Scenario) -> Iterator[Row]:
    table = scenario.tables.get("clearings", {})
    for label in table.get("historical", ()):
        free = table.get("secret", False)
        place = SECRET if free else label
        default = [{"hex": label}] if free else []
        yield {"kind": "clearing", "side": "allied", "hex": None if free else label, "place": place, "default": default}


def _arrival(a: Arrival) -> Iterator[Row]:
    common: Row = {
        "side": a.side,
        "turn": a.turn,
        "date": a.date.isoformat(),
        "site": a.site,
        "where": a.where,
        "source": a.source,
        "phase": a.phase,
        "mode": a.mode or None,
        "spent": {"cost": a.spent, "unit": "MP/12"} if a.spent else None,
        "arakan": a.arakan,
    }
    for id_ in a.counters:
        unit = counter(id_)
        yield {"id": id_, "label": unit.label, "type": unit.type, "strength": a.printed or unit.strength} | common
    if a.mule:
        yield {"kind": "Mule", "tokens": a.mule, "loaded": a.loaded} | common


def _dead(scenario: Scenario) -> Iterator[Row]:
    for pile in scenario.dead_pile:
        for id_ in pile.counters:
            unit = counters()[id_]
            yield {"id": id_, "label": unit.label, "side": pile.side, "type": unit.type, "strength": unit.strength}
        for type_ in pile.air:
            yield {"label": air_types()[type_]["label"], "side": pile.side, "type": type_, "strength": ""}
