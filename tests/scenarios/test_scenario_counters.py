"""The counters: ids, strength lines against faces, traits, provenance."""

from __future__ import annotations

import pytest

from burma_study.datafiles import provenance, read_rows
from burma_study.rules.ocs.counters import counter, counters
from burma_study.rules.ocs.setup import load_scenario, scenario_ids
from burma_study.rules.ocs.setup.starting import air_types


def test_ids_are_unique_and_tell_side_and_type():
    ids = [r["id"] for r in read_rows("counters/ocs.csv")]
    assert len(ids) == len(set(ids))
    for c in counters().values():
        assert c.id[0] == c.side[0]
        assert " " not in c.id


def test_labels_that_collide_are_told_apart_by_type():
    """`2-2` is a motorized battalion and an artillery brigade, `3-2 Pun` Chindit guns and infantry of 5 Division."""
    assert counter("a/mot/2-2").strength == "4-5-6"
    assert counter("a/art/2-2").strength == "24-2-2-4"
    assert counter("a/art/3-2_Pun-3").is_chindit
    assert counter("a/inf/3-2_Pun-5").formation == "5 Ind Div"


@pytest.mark.parametrize("c", [c for c in counters().values() if c.strength], ids=lambda c: c.id)
def test_the_combat_face_is_the_strength_line(c):
    if c.id == "a/art/5.5_inch":  # 0-+1-0/0-0-6, Burma 4.8
        assert (c.combat.ma, c.move.ma, c.combat.mobility) == (0, 6, "truck")
        return
    numbers = [int(n) for n in c.strength.replace("(", "").replace(")", "").split("-")]
    face = c.combat
    printed = [face.barrage, face.ar, face.range, face.ma] if c.is_artillery else [face.attack, face.ar, face.ma]
    assert printed == numbers
    assert c.defend_only == c.strength.startswith("(")
    assert c.move.ar == face.ar


def test_move_faces_follow_the_one_printed_series_example():
    """20-4-3 becomes 10-4-5: half, rounded up; two more MA on foot."""
    assert (counter("a/inf/48-17").move.attack, counter("a/inf/48-17").move.ma) == (3, 5)
    assert (counter("j/inf/1-214-33").move.attack, counter("j/inf/1-214-33").move.ma) == (1, 5)
    assert (counter("a/mg/9_Ja_MG").move.ma, counter("j/tank/1-14").move.ma, counter("a/tank/7_Cav").move.ma) == (
        4,
        8,
        14,
    )


@pytest.mark.rule("ocs/notes.move-range")
def test_no_japanese_gun_reaches_beyond_one_hex_in_move_mode():
    guns = [c for c in counters().values() if c.is_artillery and c.side == "japanese"]
    assert len(guns) == 25
    assert all(c.move.range == 1 for c in guns)


@pytest.mark.rule("ocs/notes.motorized")
def test_larger_guns_ride_and_mountain_guns_walk():
    assert {counter(i).combat.mobility for i in ("j/art/1-3H", "j/art/2-18H", "a/art/17-17", "a/art/6")} == {"truck"}
    assert {counter(i).combat.mobility for i in ("j/art/1-31-31", "a/art/Chi", "a/art/3-2_Pun-3")} == {"leg"}


def test_headquarters_throw_by_their_size():
    assert (counter("a/hq/4_Corps").throw, counter("a/hq/4_Corps").combat.mobility) == (10, "truck")
    assert (counter("j/hq/33_Div").throw, counter("j/hq/33_Div").combat.mobility) == (6, "leg")
    assert counter("j/hq/33_Div").is_division_hq


@pytest.mark.rule("ocs/1.12", "ocs/3.7a")
def test_groups_by_nationality():
    groups = {c.group for c in counters().values()}
    assert groups == {"japanese", "commonwealth", "us_chinese"}
    assert counter("a/col/A-3_WA-3").group == "commonwealth"
    assert counter("a/eng/823_Eng").group == "us_chinese"
    assert counter("j/inf/1-INA").nationality == "ina"


def test_every_reconstructed_number_has_a_reason_and_bounds_hold_it():
    rows = {r["id"]: r for r in read_rows("counters/ocs.csv")}
    table = provenance("counters/ocs.csv")
    for (key, column), p in table:
        assert p.reason
        assert p.tag != "printed" or column not in ("m_ma", "m_attack", "throw")
        if p.low and column in rows[key]:
            assert float(p.low) <= float(rows[key][column]) <= float(p.high), (key, column)
    assert table("a/hq/4_Corps", "throw").tag == "reconstructed"
    assert (table("a/hq/4_Corps", "throw").low, table("a/hq/4_Corps", "throw").high) == ("8", "12")
    for c in counters().values():
        if c.id != "a/art/5.5_inch":
            assert table(c.id, "m_ma").tag == "reconstructed", c.id


def test_no_scenario_calls_for_more_air_units_than_there_are():
    for id_ in scenario_ids():
        wanted: dict[str, int] = {}
        for row in load_scenario(id_).air:
            wanted[row.type] = wanted.get(row.type, 0) + row.count
        assert all(n <= int(air_types()[t]["count"]) for t, n in wanted.items())


def test_a_full_c47_carries_a_token_and_a_glider_two():
    """Burma 3.5b."""
    assert (air_types()["c-47"]["capacity"], air_types()["c-47"]["range"], air_types()["glider"]["capacity"]) == (
        "1",
        "100",
        "2",
    )
