"""Read scenario files: `<name>.toml` with the header and rules, `<name>.units.csv` beside it with the set-up lists."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from burma_study.datafiles import data_path, read_rows, read_toml
from burma_study.errors import BurmaStudyError, ScenarioError, did_you_mean
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.setup.errata import correct_rows, correct_tables, in_force
from burma_study.rules.ocs.setup.model import (
    AirRow,
    Arrival,
    BaseRow,
    DeadPile,
    Erratum,
    Income,
    Scenario,
    ScenarioInfo,
    SetupRow,
    Source,
    SpecialRule,
    Spot,
    Winning,
)
from burma_study.rules.ocs.turn.script import Item, Rung, Segment, Victory
from burma_study.scenarios.turns import turn_dates

FOLDER = "scenarios/ocs"
ORDER = ("learning", "thursday", "u-go", "marauders", "sato", "imphal", "campaign-1", "campaign-2", "campaign-3")
TABLES = (
    "hump",
    "boxes",
    "rail",
    "ledo_road",
    "clearings",
    "buffalo",
    "reserve",
    "replacements",
    "pool",
    "off_map_march",
    "decimation",
)
SITES = {"mandalay": "B39.02 or B39.03", "bhamo": "A56.01", "silchar": "box(silchar)", "ledo": "box(ledo)"}
_SPOT = re.compile(r"([^=\s]+)(?:=(\d+))?( extender)?")


def scenarios() -> tuple[ScenarioInfo, ...]:
    """The scenarios there are, in the order of the rulebook."""
    return tuple(load_scenario(f"ocs/{name}").info for name in ORDER)


def scenario_ids() -> tuple[str, ...]:
    """Their ids: `ocs/learning` ... `ocs/campaign-3`."""
    return tuple(f"ocs/{name}" for name in ORDER)


def load_scenario(id_: str, errata: bool = True, off: Iterable[str] = (), also: Iterable[str] = ()) -> Scenario:
    """A scenario by its id (`ocs/u-go`, or `u-go`).

    With `errata` false it says exactly what is printed; `off` are keys of the errata table to leave out, `also` keys to
    add that are off by default. ScenarioError with near matches for an unknown id.
    """
    name = id_.removeprefix("ocs/") if isinstance(id_, str) else ""
    if name not in ORDER:
        hint = did_you_mean(name, ORDER) or f"Scenarios are {', '.join(scenario_ids())}."
        raise ScenarioError(f"There is no scenario {id_!r}. {hint}")
    return _load(name, errata, frozenset(off), frozenset(also))


@lru_cache(maxsize=64)
def _load(name: str, on: bool, off: Collection[str], also: Collection[str]) -> Scenario:
    return read_scenario(data_path(f"{FOLDER}/{name}.toml"), in_force(name, on, off, also), on)


@rule("ocs/*.info", "ocs/*.common-*")
def read_scenario(path: Path, corrections: Iterable[Erratum] = (), corrected: bool = False) -> Scenario:
    """A scenario from a TOML file and the `.units.csv` beside it; DataError or ScenarioError if one cannot be read.

    `burma_study.scenarios.check_scenario` lists everything wrong with such files.
    """
    corrections = tuple(corrections)
    tables = read_toml(path)
    correct_tables(tables, corrections, path.name)
    beside = path.with_name(f"{path.stem}.units.csv")
    rows = [r | {"line": str(n)} for n, r in enumerate(read_rows(beside), 2)]
    rows = correct_rows(rows, corrections, beside.name)
    try:
        return _scenario(tables, tuple(map(setup_row, rows)), corrections, corrected, path)
    except KeyError as error:
        raise ScenarioError(f"{path.name} lacks {error}; `burma-study check` lists all that is wrong.") from error
    except BurmaStudyError:
        raise
    except (TypeError, ValueError, AttributeError, IndexError, ZeroDivisionError) as error:
        text = f"A value of {path.name} is of the wrong kind: {error}; `burma-study check` lists all that is wrong."
        raise ScenarioError(text) from error


def _scenario(
    t: Mapping[str, Any], rows: tuple[SetupRow, ...], errata: tuple[Erratum, ...], corrected: bool, path: Path
) -> Scenario:
    turns, start = t["turns"], t["start"]
    return Scenario(
        id=t["id"],
        game=t["game"],
        title=t["title"],
        printed_title=t["printed_title"],
        stage=t["stage"],
        summary=" ".join(t["summary"].split()),
        area=t["map"]["area"],
        first=turns["first"],
        last=turns["last"],
        printed_length=turns["printed_length"],
        ground=start["ground"],
        sets_up_first=start["sets_up_first"],
        moves_first=start["moves_first"],
        special_rules=tuple(SpecialRule(r["id"], r["text"]) for r in t["special_rules"]),
        sources=tuple(Source(s["side"], s["hex"], s["kind"], tuple(s.get("groups", ()))) for s in t.get("sources", ())),
        income=tuple(map(_income, t.get("income", ()))),
        bases=tuple(BaseRow(b["side"], b["hex"], b["level"]) for b in t.get("bases", ())),
        air=tuple(map(_air, t.get("air", ()))),
        dead_pile=tuple(
            DeadPile(d["side"], tuple(d.get("counters", ())), tuple(d.get("air", ()))) for d in t.get("dead_pile", ())
        ),
        arrivals=_arrivals(t),
        winning=_winning(t["victory"]),
        rows=rows,
        errata=errata,
        corrected=corrected,
        tables={name: t[name] for name in TABLES if name in t},
        file=path.name,
    )


def setup_row(r: Mapping[str, str]) -> SetupRow:
    """A row of a units table from its cells."""
    return SetupRow(
        row=r["row"],
        setup=r["setup"],
        side=r["side"],
        place=r["place"],
        area=r["area"],
        conditions=_list(r["conditions"]),
        hex=r["hex"],
        kind=r["kind"],
        counter=r["counter"],
        label=r["label"],
        printed=r["printed"],
        tokens=int(r["tokens"] or 0),
        level=int(r["level"] or 0),
        mode=r["mode"] or "combat",
        low_ammo=r["low_ammo"] == "yes",
        loaded=int(r["loaded"] or 0),
        default=tuple(map(spot, _list(r["default_hex"]))),
        errata=_list(r["errata"]),
        line=int(r.get("line") or 0),
    )


def spot(text: str) -> Spot:
    """`A7.09=20 extender` as hex, tokens and whether it is an extender; ScenarioError if it reads otherwise."""
    match = _SPOT.fullmatch(text.strip())
    if not match:
        raise ScenarioError(f"{text!r} is no default place; write HEX, HEX=T or HEX=T extender.")
    return Spot(match[1], int(match[2]) if match[2] else None, bool(match[3]))


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(";") if part.strip())


def _income(d: Mapping[str, Any]) -> Income:
    return Income(
        side=d["side"],
        kind=d["from"],
        where=d["where"],
        tokens=d.get("tokens", 0),
        factor=Fraction(d.get("factor", "1")),
        rounding=d.get("rounding", "none"),
        unless=d.get("unless", ""),
    )


def _air(d: Mapping[str, Any]) -> AirRow:
    return AirRow(d["side"], d["type"], d["count"], d.get("reduced", False), d.get("label", ""))


@rule("ocs/2.1", "ocs/3.1a", "ocs/3.1c")
def _arrivals(t: Mapping[str, Any]) -> tuple[Arrival, ...]:
    """The scenario's own arrivals and the entries of the schedule that it takes, by turn."""
    dates = turn_dates(t["turns"]["first"], t["turns"]["last"])
    own = [_own_arrival(a, dates) for a in t.get("arrivals", ())]
    taken = [a for sites in t.get("schedule", ()) for a in _scheduled(sites, dates)]
    return tuple(sorted((*own, *taken), key=lambda a: (a.turn, a.side, a.id)))


def _own_arrival(a: Mapping[str, Any], dates: tuple[date, ...]) -> Arrival:
    turn = a["turn"] if "turn" in a else dates.index(a["date"]) + 1
    extra = {k: a[k] for k in ("phase", "mode", "spent", "mule", "loaded") if k in a}
    day = dates[turn - 1]
    return Arrival(a["id"], a["side"], turn, day, tuple(a["counters"]), a["where"], "scenario", **extra)


def _scheduled(taken: Mapping[str, Any], dates: tuple[date, ...]) -> Iterable[Arrival]:
    delay = taken.get("delay", 0)
    for row in read_rows(f"{FOLDER}/schedule.csv"):
        if row["side"] != taken["side"] or row["site"] not in taken["sites"]:
            continue
        day = date.fromisoformat(row["date"])
        if day not in dates or dates.index(day) + delay >= len(dates):
            continue
        turn = dates.index(day) + delay + 1
        yield Arrival(
            id=row["row"],
            side=row["side"],
            turn=turn,
            date=dates[turn - 1],
            counters=(row["counter"],),
            where=taken.get("where") or SITES[row["site"]],
            source="schedule",
            site=row["site"],
            arakan=row["arakan"] == "yes",
            printed=row["printed"],
        )


_PLACES = ("hexes", "road", "railway", "area")
_VICTORY = ("kind", "rule", "text", "items", "sudden", "segments", "levels", "items_from", "draw", "side", "distance")


def _winning(v: Mapping[str, Any]) -> Winning:
    """The section `victory` of a file: what needs no board is read, places are kept by the id of their item."""
    items = _items_of(v["items_from"]) if v.get("items_from") else v.get("items", ())
    levels, sudden, segments = v.get("levels", ()), v.get("sudden", ()), v.get("segments", ())
    by_name = isinstance(levels, str)
    tests = sudden if sudden and not isinstance(sudden[0], str) else ()
    victory = Victory(
        kind=v["kind"],
        rule=v["rule"],
        items=tuple(map(_item, items)),
        sudden=tuple(map(_item, tests)),
        segments=tuple(Segment(s["id"], s["rule"], ()) for s in segments),
        rungs=() if by_name else tuple(Rung(n["name"], n.get("least", 0), n.get("most")) for n in levels),
        scale=levels if by_name else "",
        draw=v.get("draw", 0),
        side=v.get("side", ""),
        distance=v.get("distance", 0),
    )
    places = {d["id"]: {k: d[k] for k in _PLACES if k in d} for d in (*items, *tests, *segments)}
    terms = {k: x for k, x in v.items() if k not in _VICTORY or (k == "sudden" and not tests)}
    return Winning(v["text"], victory, places, terms)


def _items_of(id_: str) -> list[dict[str, Any]]:
    """The victory items of another scenario, with its errata."""
    name = id_.removeprefix("ocs/")
    tables = read_toml(f"{FOLDER}/{name}.toml")
    correct_tables(tables, in_force(name), f"{name}.toml")
    found: list[dict[str, Any]] = tables["victory"]["items"]
    return found


def _item(d: Mapping[str, Any]) -> Item:
    """An item without its places."""
    return Item(
        id=d["id"],
        rule=d["rule"],
        side=d["side"],
        when=d["when"],
        test=d["test"],
        points=Fraction(d.get("points", "0")),
        distance=d.get("distance", 0),
        attack_capable=d.get("attack_capable", False),
        of=d.get("of", ""),
    )
