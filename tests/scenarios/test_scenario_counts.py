"""Set-ups against an independent reading of the rulebook: counts by place and type, and the counter manifest."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from burma_study.rules.ocs.counters import counter, counters
from burma_study.rules.ocs.setup import load_scenario, scenario_ids

HERE = Path(__file__).parent
PRINTED_AS = {"mg": "infantry", "parachute": "infantry"}  # set-ups call them Infantry Bn
MANIFEST_AS = {"motorized": "infantry"}  # the manifest calls them Inf
WORDS = ("silchar", "ledo", "bhamo-myitkyina", "bhamo", "dimapur", "with any", "friendly", "indaw")
MISCOUNTED = ("campaign-3", "free", "allied", "A36.04+A40.05+A45.11", "column")


def rows(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(newline="") as file:
        return list(csv.DictReader(file))


def place_key(place: str) -> str:
    """What two wordings of a place have in common: its hex labels, else a word of it."""
    labels = sorted(set(re.findall(r"[AB](?:\d+|xx)\.(?:\d\d|xx)", place)))
    return "+".join(labels) or next(w for w in WORDS if w in place.lower())


@pytest.fixture(scope="module")
def printed() -> Counter[tuple[str, ...]]:
    found: Counter[tuple[str, ...]] = Counter()
    for id_ in scenario_ids():
        scenario = load_scenario(id_, errata=False)
        for r in scenario.rows:
            kind = counter(r.counter).type if r.kind == "unit" else r.kind
            kind = PRINTED_AS.get(kind, kind)
            found[scenario.name, r.setup, r.side, place_key(r.place), kind] += r.tokens or 1
    return found


@pytest.mark.rule("ocs/*.setup-*")
@pytest.mark.parametrize("name", [id_.removeprefix("ocs/") for id_ in scenario_ids()])
def test_every_place_holds_what_an_independent_reading_counts_there(name, printed):
    """Units, tokens of supply and transport, hedgehogs and airstrips by place; the reading used printed multipliers."""
    keys = ("scenario", "setup", "side", "place", "type")
    expected = {
        tuple(r[k] for k in keys): int(r["count"]) for r in rows("expected_counts.csv") if r["scenario"] == name
    }
    ours = {k: n for k, n in printed.items() if k[0] == name}
    assert len(expected) > 20
    wrong = {k: (ours.get(k), expected.get(k)) for k in {*ours, *expected} if ours.get(k) != expected.get(k)}
    # "4x 4-5-3 Column (A, B-111-3; B-14-3; A, B-77-3)" names five; the erratum takes the repeated A-77-3 out
    assert wrong == ({MISCOUNTED: (10, 9)} if name == "campaign-3" else {})


def test_with_errata_the_miscounted_line_has_its_printed_number():
    line = [r for r in load_scenario("ocs/campaign-3").rows if r.place.startswith("Within 2 of A36.04")]
    assert sum(counter(r.counter).type == "column" for r in line if r.kind == "unit") == 9


@pytest.mark.rule("ocs/manifest.*")
def test_every_counter_of_the_manifest_exists_and_no_other():
    listed: Counter[tuple[str, str]] = Counter()
    for r in rows("manifest.csv"):
        listed[r["type"], r["variant"]] += int(r["count"])
    ours = Counter(
        (MANIFEST_AS.get(c.type, c.type), "yes" if "variant" in c.traits else "no") for c in counters().values()
    )
    assert ours == listed
    assert len(counters()) == 235


DIVISIONS = {
    "2 Infantry Division (part)": ("2 Div", "japanese"),
    "15 Infantry Division": ("15 Div", "japanese"),
    "18 Infantry Division": ("18 Div", "japanese"),
    "31 Infantry Division": ("31 Div", "japanese"),
    "33 Infantry Division": ("33 Div", "japanese"),
    "53 Infantry Division": ("53 Div", "japanese"),
    "56 Infantry Division": ("56 Div", "japanese"),
    "24 Infantry Brigade": ("24 Bde", "japanese"),
    "Indian National Army": ("INA", "japanese"),
    "2 Infantry Division": ("2 Div", "allied"),
    "3 Indian Division (actually CW Division, Chindits)": ("3 Ind Div", "allied"),
    "5 Indian Division": ("5 Ind Div", "allied"),
    "7 Indian Division": ("7 Ind Div", "allied"),
    "17 Indian Division": ("17 Ind Div", "allied"),
    "20 Indian Division": ("20 Ind Div", "allied"),
    "23 Indian Division": ("23 Ind Div", "allied"),
    "36 Indian Division": ("36 Ind Div", "allied"),
    "14 Infantry Division": ("14 Chi Div", "allied"),
    "22 Infantry Division": ("22 Chi Div", "allied"),
    "30 Infantry Division": ("30 Chi Div", "allied"),
    "38 Infantry Division": ("38 Chi Div", "allied"),
    "50 Infantry Division": ("50 Chi Div", "allied"),
}


@pytest.mark.parametrize("printed_name", DIVISIONS)
def test_divisions_have_the_units_of_the_manifest(printed_name):
    formation, side = DIVISIONS[printed_name]
    listed = Counter(r["type"] for r in rows("manifest.csv") if r["formation"] == printed_name)
    found = [c for c in counters().values() if (c.formation, c.side) == (formation, side)]
    assert listed
    assert Counter(MANIFEST_AS.get(c.type, c.type) for c in found) == listed
