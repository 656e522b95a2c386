"""Checking scenario files: what ships is clean, and each kind of fault is found with its place."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from burma_study.datafiles import data_root
from burma_study.errors import ScenarioError
from burma_study.rules.ocs.setup import check_scenario, load_scenario, read_scenario, scenario_ids

Row = dict[str, str]
SHIPPED = data_root() / "scenarios" / "ocs"


@pytest.mark.parametrize("id_", scenario_ids())
def test_what_ships_is_clean_but_for_notes_on_the_rulebook(id_):
    assert [p for p in check_scenario(id_) if p.severity == "error"] == []


def test_the_rulebooks_own_exceptions_are_notes():
    """Short 1 sets up at A49.17 and A51.16, Short 5 lists four bases outside its area; U-Go's 3-138-31."""
    outside = [p.message.split()[0] for p in check_scenario("ocs/thursday") if p.code == "off-map-area"]
    assert outside == ["A49.17", "A51.16"]
    assert sum(p.column == "bases" for p in check_scenario("ocs/imphal")) == 4
    assert [p.message.split()[0] for p in check_scenario(load_scenario("ocs/u-go"))] == ["j/inf/3-138-31"]


@pytest.fixture
def broken(tmp_path) -> Callable[..., Path]:
    """A copy of the Learning Scenario with rows changed by a function and text of the header replaced."""

    def make(change: Callable[[list[Row]], None] = lambda rows: None, header: tuple[str, str] = ("", "")) -> Path:
        text = (SHIPPED / "learning.toml").read_text()
        assert header[0] in text
        (tmp_path / "mine.toml").write_text(text.replace(*header) if header[0] else text)
        with (SHIPPED / "learning.units.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        change(rows)
        with (tmp_path / "mine.units.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        return tmp_path / "mine.toml"

    return make


def edit(n: int, **cells: str) -> Callable[[list[Row]], None]:
    """Change cells of the n-th row of the file; the header is row 1."""
    return lambda rows: rows[n - 2].update(cells)


ROW_FAULTS = {
    "bad-hex": (edit(2, hex="Z99.99"), 2, "hex", "Z99.99"),
    "off-board": (edit(3, hex="B63.20"), 3, "hex", "B63.20"),
    "unknown-counter": (edit(4, counter="j/art/3-33-34"), 4, "counter", "j/art/3-33-33"),
    "repeated-unit": (edit(3, counter="j/inf/1-215-33"), 3, "counter", "row 2"),
    "wrong-side": (edit(2, side="allied"), 2, "side", "japanese"),
    "unknown-side": (edit(2, side="japanesse"), 2, "side", "japanese"),
    "unknown-kind": (edit(7, kind="Ship"), 7, "kind", "Ship"),
    "unknown-mode": (edit(2, mode="marching"), 2, "mode", "combat"),
    "unknown-setup": (edit(2, setup="hystorical"), 2, "setup", "historical"),
    "wrong-number": (edit(6, tokens="four"), 6, "tokens", "four"),
    "no-place": (edit(2, hex=""), 2, "hex", "area"),
    "hex-and-area": (edit(2, area="within(1,B2.23)"), 2, "area", "Keep one"),
    "unknown-area": (edit(2, hex="", area="near(B2.23)"), 2, "area", "near"),
    "unknown-terrain": (edit(2, hex="", area="terrain(swamp)"), 2, "area", "swamp"),
    "unknown-box": (edit(2, hex="", area="box(tezpur)"), 2, "area", "silchar"),
    "unknown-condition": (edit(2, conditions="max_untis=2"), 2, "conditions", "max_units"),
    "wrong-default": (edit(2, default_hex="B2.23 here"), 2, "default_hex", "HEX=T"),
    "needless-counter": (edit(6, counter="j/inf/1-215-33"), 6, "counter", "empty"),
    "repeated-row": (edit(3, row="h-j-01-01"), 3, "row", "h-j-01-01"),
    "both-sides": (edit(2, hex="B3.23"), 23, "hex", "B3.23"),
}


@pytest.mark.parametrize("code", ROW_FAULTS)
def test_each_fault_of_a_row_is_named_with_its_place(code, broken):
    change, row, column, says = ROW_FAULTS[code]
    found = [p for p in check_scenario(broken(change)) if p.code == code]
    assert found, code
    assert (found[0].file, found[0].row, found[0].column) == ("mine.units.csv", row, column)
    assert says in str(found[0])


def test_an_overstacked_hex(broken):
    def pile(rows: list[Row]) -> None:
        for row in rows:
            if row["kind"] == "unit":
                row.update(hex="B9.25", place="B9.25", area="")

    found = check_scenario(broken(pile))
    over = [p for p in found if p.code == "overstacked"]
    assert len(over) == 1
    assert "B9.25 holds" in over[0].message
    assert "10 RE" in over[0].hint


def test_columns_too_many_and_too_few(broken, tmp_path):
    def rename(rows: list[Row]) -> None:
        for row in rows:
            row["stenght"] = row.pop("printed")

    found = {(p.code, p.column) for p in check_scenario(broken(rename))}
    assert {("unknown-column", "stenght"), ("missing-column", "printed")} <= found


def test_all_problems_are_listed_not_only_the_first(broken):
    def spoil(rows: list[Row]) -> None:
        edit(2, hex="Z99.99")(rows)
        edit(4, counter="nobody")(rows)
        edit(6, tokens="-1")(rows)

    codes = [p.code for p in check_scenario(broken(spoil, ('ground = "normal"', 'ground = "swampy"')))]
    assert {"bad-hex", "unknown-counter", "wrong-number", "unknown-ground"} <= set(codes)


HEADER_FAULTS = {
    "unknown-ground": ('ground = "normal"', 'ground = "mood"'),
    "unknown-aircraft": ('type = "hurricane"', 'type = "hurricanne"'),
    "unknown-counter": ('"a/inf/37-23"', '"a/inf/37-24"'),
    "unknown-kind": ('kind = "river"', 'kind = "sea"'),
    "unknown-side": ('side = "japanese"\nhex = "B12.21"', 'side = "neutral"\nhex = "B12.21"'),
    "bad-hex": ('hex = "B12.21"', 'hex = "Kalewa?"'),
    "unknown-area": ('area = "cols(1,15) and rows(B18,B35)"', 'area = "colls(1,15)"'),
    "wrong-date": ("first = 1944-03-15", "first = 1944-03-16"),
    "missing-key": ("[rail]", "[rial]"),
    "unknown-key": ("[hump]", "[hmup]"),
    "unreadable": ("[map]", "[map"),
}


@pytest.mark.parametrize("code", HEADER_FAULTS)
def test_each_fault_of_the_header_is_named(code, broken):
    found = [p for p in check_scenario(broken(header=HEADER_FAULTS[code])) if p.code == code]
    assert found, code
    assert found[0].file == "mine.toml"


def test_files_that_are_not_there(tmp_path):
    lonely = tmp_path / "lonely.units.csv"
    lonely.write_text("row\n")
    assert "missing-file" in {p.code for p in check_scenario(lonely)}
    with pytest.raises(ScenarioError, match="neither"):
        check_scenario(tmp_path / "mine.xls")
    with pytest.raises(ScenarioError, match="u-go"):
        check_scenario("ocs/u-goo")


def test_a_victory_item_that_stands_twice_is_named(tmp_path):
    """Points and places are kept by its id, so the second would take the first one's hexes."""
    text = (SHIPPED / "u-go.toml").read_text()
    (tmp_path / "mine.toml").write_text(text.replace('id = "tamu"', 'id = "kohima"'))
    shutil.copy(SHIPPED / "u-go.units.csv", tmp_path / "mine.units.csv")
    found = [p for p in check_scenario(tmp_path / "mine.toml") if p.severity == "error"]
    assert [(p.code, p.column) for p in found] == [("repeated-item", "victory")]
    assert "'kohima' stands 2 times" in found[0].message


HEADERS = {
    'id = "ocs/learning"': ["id = 7", 'id = "learning"', 'id = " "'],
    'game = "ocs"': ['game = "chess"'],
    'stage = "study"': ["stage = 4"],
    "title = ": ["title = 1 # "],
    "sets_up_first = ": ["sets_up_first = 3 # "],
    "moves_first = ": ['moves_first = "martian" # '],
    "tokens = ": ['tokens = "many" # '],
    "level = ": ["level = 99 # ", "level = true # "],
    "count = ": ["count = -4 # "],
    "turn = ": ["turn = 900 # ", "turn = 30 # "],
    "counters = ": ["counters = 5 # "],
    "area = ": ["area = 5 # ", 'area = "' + "(" * 3000 + '" # ', 'area = "' + "not " * 3000 + '" # '],
    "levels = ": ["levels = 4 # "],
}


@pytest.mark.parametrize(("old", "new"), [(old, new) for old, every in HEADERS.items() for new in every])
def test_a_value_of_the_wrong_kind_is_named(tmp_path, old, new):
    """Every word of a header that the start of a game reads; nothing raises."""
    name = next(n for n in ("learning", "u-go") if old in (SHIPPED / f"{n}.toml").read_text())
    text = (SHIPPED / f"{name}.toml").read_text()
    (tmp_path / "mine.toml").write_text(text.replace(old, new, 1))
    shutil.copy(SHIPPED / f"{name}.units.csv", tmp_path / "mine.units.csv")
    found = [p for p in check_scenario(tmp_path / "mine.toml") if p.severity == "error"]
    assert found
    assert all(p.file == "mine.toml" for p in found)


def test_factors_and_points_are_numbers(tmp_path):
    text = (SHIPPED / "u-go.toml").read_text()
    broken = text.replace('factor = "1/2"', 'factor = "1/0"', 1).replace('points = "', 'points = "x', 1)
    (tmp_path / "mine.toml").write_text(broken)
    shutil.copy(SHIPPED / "u-go.units.csv", tmp_path / "mine.units.csv")
    codes = [(p.code, p.column) for p in check_scenario(tmp_path / "mine.toml") if p.severity == "error"]
    assert codes == [("wrong-number", "income"), ("wrong-number", "victory")]
    with pytest.raises(ScenarioError, match="of the wrong kind"):
        read_scenario(tmp_path / "mine.toml")


def test_an_empty_header_lacks_everything(broken):
    path = broken()
    path.write_text("")
    assert {p.code for p in check_scenario(path)} >= {"missing-key"}


@pytest.mark.parametrize("text", ["\u00b2", "9" * 5000, "-4", "1.5"])
def test_tokens_are_whole_numbers_of_a_sensible_size(broken, text):
    path = broken(lambda rows: rows[-1].update(tokens=text))
    assert "wrong-number" in {p.code for p in check_scenario(path)}


def test_a_row_without_id_and_one_that_stands_twice_are_found(broken):
    def change(rows: list[Row]) -> None:
        rows[1]["row"], rows[2]["row"] = "", rows[0]["row"]

    path = broken(change)
    assert {"no-row", "repeated-row"} <= {p.code for p in check_scenario(path)}
    with pytest.raises(ScenarioError, match="stands twice"):
        read_scenario(path)


def test_a_byte_order_mark_does_no_harm(broken):
    path = broken()
    path.write_text(path.read_text(), encoding="utf-8-sig")
    assert [p for p in check_scenario(path) if p.severity == "error"] == []
