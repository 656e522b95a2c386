"""Headers against an independent reading: dates, rail capacity, air bases, air units, Reserve markers, dead piles."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from burma_study.boards.board import load_board
from burma_study.rules.ocs.setup import Scenario, load_scenario, scenario_ids, start

Facts = Counter[tuple[str, str, str]]
NAMES = [id_.removeprefix("ocs/") for id_ in scenario_ids()]


def expected(name: str) -> Facts:
    with (Path(__file__).parent / "expected_headers.csv").open(newline="") as file:
        return Counter((r["side"], r["what"], r["value"]) for r in csv.DictReader(file) if r["scenario"] == name)


def facts(s: Scenario) -> Facts:
    rail, reserve = s.tables["rail"], s.tables["reserve"]
    ledo = f"ledo={rail['ledo']}" if rail["ledo"] else ""
    allied = " ".join(filter(None, (str(rail["allied"]) if rail["allied"] or not ledo else "", ledo)))
    found = [("", "first", str(s.first)), ("", "last", str(s.last)), ("", "length", str(s.printed_length))]
    found += [("", "ground", s.ground), ("japanese", "rail", str(rail["japanese"])), ("allied", "rail", allied)]
    for side in ("japanese", "allied"):
        markers = sum(n for name, n in reserve[side].items() if isinstance(n, int))
        dead = sum(len(d.counters) + len(d.air) for d in s.dead_pile if d.side == side)
        found += [(side, "reserve", str(markers)), (side, "dead", str(dead))]
    found += [(b.side, "base", f"{b.hex}={b.level}") for b in s.bases]
    found += [(a.side, "air", f"{a.type}={a.count}{' reduced' if a.reduced else ''}") for a in s.air]
    clearings = s.tables.get("clearings", {})
    if not clearings.get("secret"):
        found += [("allied", "base", f"{h}=clearing") for h in clearings.get("historical", ())]
    return Counter(found)


@pytest.mark.rule("ocs/*.common-*", "ocs/*.info")
@pytest.mark.parametrize("name", NAMES)
def test_headers_say_what_is_printed(name):
    assert facts(load_scenario(name, errata=False)) == expected(name)


@pytest.mark.rule("ocs-series/erratum.4")
def test_erratum_4_takes_the_base_at_a41_35_out_of_short_4():
    assert expected("sato") - facts(load_scenario("sato")) == Counter([("allied", "base", "A41.35=2")])


JAPAN_SETS_UP_FIRST = ("thursday", "imphal")
MOVES = {"thursday": "allied", "marauders": "roll", "imphal": "roll", "campaign-1": "japanese_choose"}


@pytest.mark.rule("ocs/*.sr3")
@pytest.mark.parametrize("name", NAMES)
def test_who_sets_up_and_who_moves_first(name):
    scenario = load_scenario(name)
    assert (scenario.sets_up_first == "japanese") == (name in JAPAN_SETS_UP_FIRST)
    assert scenario.moves_first == MOVES.get(name, "japanese")


HEADS = {"marauders": "A45.33", "campaign-1": "A43.35", "campaign-2": "A45.33", "campaign-3": "A48.27"}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.rule("ocs/marauders.sr6", "ocs/campaign-1.sr6", "ocs/campaign-2.sr6", "ocs/campaign-3.sr6")
def test_road_heads(name):
    assert load_scenario(name).tables.get("ledo_road", {}).get("head") == HEADS.get(name)
    head = start(f"ocs/{name}").markers.get("road_head")
    assert (head and load_board("ocs").label(head)) == HEADS.get(name)


def test_who_may_be_in_reserve_before_play():
    reserve = {n: load_scenario(n).tables["reserve"]["allied"].get("at_start") for n in NAMES}
    assert reserve["learning"] == "none"
    assert reserve["u-go"] == "within(1,A7.09) or within(1,A7.10)"
    assert reserve["campaign-2"].endswith('with_formation("3 Ind Div")')
    assert reserve["campaign-3"] is None
