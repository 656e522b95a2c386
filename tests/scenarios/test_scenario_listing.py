"""The rows that the `setup` command prints."""

from __future__ import annotations

import json

import pytest

from burma_study.errors import ScenarioError
from burma_study.rules.ocs.setup import load_scenario, scenario_ids, setup


@pytest.mark.parametrize("id_", scenario_ids())
@pytest.mark.parametrize("errata", [True, False])
def test_shapes(id_, errata):
    for which in load_scenario(id_).setups:
        data = json.loads(json.dumps(setup(id_, which, errata).as_dict()))
        assert data["units"]
        for u in data["units"]:
            assert {"id", "label", "side", "hex", "place", "type", "strength"} <= set(u)
            assert (u["hex"] is None) == bool(u["box"] or u["default"])
        for s in data["supply"]:
            assert {"side", "hex", "place", "kind", "tokens"} <= set(s)
            assert s["kind"] in ("SP", "Mule", "Truck", "Wagon")
        for a in data["arrivals"]:
            assert a["turn"] >= 1


def test_u_go_as_printed():
    """86 counters less the tank battalion that the free list forgets; the words of the areas; tokens."""
    past, free = setup("ocs/u-go", errata=False), setup("ocs/u-go", "free", errata=False)
    assert (len(past.units), len(free.units), len(setup("ocs/u-go", "free").units)) == (86, 85, 86)
    trucks = next(s for s in past.supply if s["kind"] == "Truck" and s["side"] == "allied")
    assert (trucks["tokens"], trucks["hex"], trucks["place"]) == (28, None, "With any other Allied units")
    para = next(u for u in past.units if u["label"] == "152 Para")
    assert (para["hex"], para["place"], para["strength"]) == (None, "Within 1 of A14.13", "2-4-3")
    assert [m["hex"] for m in past.markers if m["kind"] == "hedgehog"] == ["A7.09", "A7.10"]
    assert sum(a["count"] for a in past.air) == 12
    assert [a["site"] for a in past.arrivals] == ["silchar"] * 23


def test_labels_are_the_printed_ones_without_errata():
    off = {u["label"] for u in setup("ocs/imphal", errata=False).units}
    on = {u["label"] for u in setup("ocs/imphal").units}
    assert {"33 Eng-31", "4-3 Ma-23", "9 Jat MG"} <= off
    assert {"33 Eng-33", "4-3 Ma-20", "9 Ja MG"} <= on


def test_boxes_are_places_and_the_dead_are_apart():
    rows = setup("ocs/campaign-3")
    boxed = [u for u in rows.units if u["place"] == "Silchar"]
    assert len(boxed) == 5
    assert all(u["hex"] is None and u["box"] == "silchar" for u in boxed)
    assert "Mah" in {d["label"] for d in rows.dead}


def test_what_is_not_there_is_refused():
    with pytest.raises(ScenarioError, match="historical"):
        setup("ocs/learning", "free")
