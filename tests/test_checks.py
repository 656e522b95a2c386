"""`check PATH`: everything wrong with a reader's file is named with its place."""

from __future__ import annotations

import os
import re
import shutil

import pytest

from burma_study.datafiles import data_path, data_root
from burma_study.errors import DataError
from burma_study.games.checks import cell_fault, check_path, check_table, checkable, table_of


@pytest.fixture
def ledger(tmp_path):
    """A copy of the ledger of OCS Burma at its place under a data folder."""
    folder = tmp_path / "data" / "rules"
    folder.mkdir(parents=True)
    return shutil.copy(data_path("rules/ocs.csv"), folder / "ocs.csv")


def test_what_ships_is_in_order():
    assert [str(p) for p in check_path(data_root() / "rules") + check_path(data_root() / "charts")] == []


def test_a_wrong_cell_is_named_with_row_and_column_and_what_is_accepted(ledger):
    ledger.write_text(re.sub(",(done|part|component|input),", ",finished,", ledger.read_text(), count=1))
    (problem,) = check_path(ledger)
    assert (problem.file, problem.row, problem.column) == ("ocs.csv", 2, "status")
    assert "'finished'" in problem.message
    assert "done, part, component, input" in problem.hint


def test_a_wrong_column_a_short_row_and_a_wrong_cell_are_all_found(ledger):
    lines = ledger.read_text().splitlines()
    lines[0] = lines[0].replace("title", "titel")
    lines[5] = "ocs/1.2,x"
    lines[9] = "ocs/1.3,x,never,supply.py,"
    ledger.write_text("\n".join(lines))
    problems = check_path(ledger)
    assert [(p.code, p.row) for p in problems] == [("wrong-column", 1), ("row-length", 6), ("wrong-value", 10)]
    assert problems[0].hint == "Did you mean title?"


def test_a_folder_is_checked_whole(ledger):
    (ledger.parent / "attrition.csv").write_text("a,b\n")
    ledger.write_text(re.sub(",(done|part|component|input),", ",finished,", ledger.read_text(), count=1))
    assert {p.file for p in check_path(ledger.parent.parent)} == {"attrition.csv", "ocs.csv"}


def test_a_chart_with_a_wrong_column_is_refused_by_the_games_own_check(tmp_path):
    chart = tmp_path / "attrition.csv"
    chart.write_text(data_path("charts/ocs/attrition.csv").read_text().replace("four", "fuor", 1))
    problems = check_path(chart)
    assert {p.column for p in problems} == {"four", "fuor"}


def test_provenance_must_carry_a_known_tag_and_name_a_column(tmp_path):
    shutil.copy(data_path("charts/ocs/forage.csv"), tmp_path / "forage.csv")
    beside = tmp_path / "forage.prov.csv"
    beside.write_text("key,column,tag,source,reason,low,high\nx,markr,guessed,,,,\n")
    assert {(p.row, p.column) for p in check_path(beside)} == {(2, "tag"), (2, "column")}


def test_other_bytes_than_text_are_a_problem_not_a_crash(tmp_path):
    path = tmp_path / "attrition.csv"
    path.write_bytes(b"\xff\xfe\x00\x80")
    (problem,) = check_path(path)
    assert "UTF-8" in problem.message


def test_an_empty_file_is_a_problem(ledger):
    ledger.write_text("")
    assert [p.code for p in check_path(ledger)] == ["empty"]


def test_a_missing_file_is_refused_with_its_neighbours(ledger):
    with pytest.raises(DataError, match=r"Did you mean ocs.csv\?"):
        check_path(ledger.with_name("ocx.csv"))


def test_a_file_of_no_known_kind_is_refused(tmp_path):
    picture = tmp_path / "map.png"
    picture.write_bytes(b"")
    with pytest.raises(DataError, match=r"\.csv, \.toml"):
        check_path(picture)


def test_the_table_of_a_file_is_found_by_place_and_by_name(ledger, tmp_path):
    assert table_of(ledger) == "rules"
    assert table_of(tmp_path / "attrition.csv") == "charts_ocs_attrition"
    assert table_of(tmp_path / "nonsense.csv") is None


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("int", "-3", "3.0"),
        ("number", "24.81", "24,81"),
        ("fraction", "1/2", "1/0"),
        ("bool", "yes", "true"),
        ("enum:a|b", "b", "c"),
        ("hex", "A7.09;B12.21", "A7.99"),
        ("text", "anything", None),
    ],
)
def test_each_type_knows_its_cells(kind, good, bad):
    assert cell_fault(kind, good, "ocs") == ""
    assert cell_fault(kind, "", "ocs") == ""
    assert bad is None or cell_fault(kind, bad, "ocs")


def test_hexes_are_checked_against_the_board(tmp_path):
    path = tmp_path / "edges.csv"
    path.write_text("edge,hex\nnorth,A63.01\nsouth,B1.01\n")
    (problem,) = check_table(path, {"edge": ("text", ""), "hex": ("hex", "")}, "ocs")
    assert (problem.row, problem.column) == (2, "hex")
    assert "OCS Burma" in problem.hint


@pytest.fixture
def learning(tmp_path):
    """A copy of the Learning Scenario: its header and its set-up list."""
    for name in ("learning.toml", "learning.units.csv"):
        shutil.copy(data_path(f"scenarios/ocs/{name}"), tmp_path / name)
    return tmp_path


def test_a_scenario_is_checked_by_its_header_its_list_and_its_folder(learning):
    for path in (learning, learning / "learning.toml", learning / "learning.units.csv"):
        assert [p for p in check_path(path) if p.severity == "error"] == []


def test_two_units_of_one_id_and_a_hex_off_the_board_are_both_named(learning):
    path = learning / "learning.units.csv"
    lines = path.read_text().splitlines()
    lines.append(lines[1].replace("h-j-01-01", "h-j-99-01"))
    lines[2] = lines[2].replace(",B2.23,", ",B77.23,")
    path.write_text("\n".join(lines) + "\n")
    problems = [p for p in check_path(path) if p.severity == "error"]
    assert {p.file for p in problems} == {"learning.units.csv"}
    assert {3, len(lines)} <= {p.row for p in problems}


def test_a_header_that_is_no_toml_is_a_problem(learning):
    (learning / "learning.toml").write_text("id = [")
    assert any("TOML" in p.message for p in check_path(learning / "learning.toml"))


def test_files_of_other_kinds_in_a_folder_are_passed_over(learning):
    (learning / "notes.txt").write_text("x")
    (learning / "other.json").write_text("{}")
    (learning / "basemap.toml").write_text("a = 1")
    assert [f.name for f in checkable(learning)] == ["learning.toml"]


HUGE = '"' + "x" * 200_000


@pytest.mark.parametrize(
    "name", ["terrain_effects.csv", "hexes.csv", "terrain_effects.prov.csv", "u-go.toml", "a.json"]
)
@pytest.mark.parametrize(
    "content", [b"", b"\0" * 300, b"\xff\xfe\x00", HUGE.encode(), b"a=" + b"[" * 9000, b"{" * 9000]
)
def test_junk_under_any_name_is_a_list_of_problems(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    (tmp_path / "u-go.units.csv").write_bytes(content)
    found = check_path(tmp_path / name)
    assert found or (name.endswith(".prov.csv") and not content)
    assert all(p.message and p.file for p in found)


@pytest.mark.parametrize("name", ["terrain_effects.csv", "u-go.toml", "a.json"])
def test_what_is_no_file_or_too_large_is_not_read(tmp_path, name):
    os.mkfifo(tmp_path / name)
    with pytest.raises(DataError, match="is no file"):
        check_path(tmp_path / name)
    (tmp_path / name).unlink()
    with (tmp_path / name).open("wb") as file:
        file.truncate(101_000_000)
    (problem, *_) = check_path(tmp_path / name)
    assert "too large" in problem.message


def test_a_link_into_itself_is_said(tmp_path):
    (tmp_path / "a.json").symlink_to("a.json")
    with pytest.raises(DataError, match="cannot be read"):
        check_path(tmp_path / "a.json")
    assert checkable(tmp_path) == []


def test_provenance_beside_an_empty_table_can_be_checked(tmp_path):
    (tmp_path / "terrain_effects.csv").write_text("")
    (tmp_path / "terrain_effects.prov.csv").write_text("key,column,tag\nclear,leg,bogus\n")
    (problem,) = check_path(tmp_path / "terrain_effects.prov.csv")
    assert "'bogus'" in problem.message


def test_a_table_that_is_no_chart_keeps_to_its_keys_and_ranges(tmp_path):
    """Tables that a reader may not replace are checked when he asks for it."""
    path = tmp_path / "replacement_costs.csv"
    path.write_text("what,pax,eq\n,1,0\nunit,-7,0\n")
    found = {(p.row, p.column) for p in check_path(path)}
    assert found == {(2, "what"), (3, "pax")}
    path = tmp_path / "supply_table.csv"
    path.write_text("low,high,allied,japanese\n2,3,2,0\n,5,3,1\n6,13,1e9,1\n")
    assert {(p.row, p.column) for p in check_path(path)} == {(3, "low"), (4, "high"), (4, "allied")}
