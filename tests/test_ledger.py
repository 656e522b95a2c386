"""The ledger of the rules: complete, unambiguous, and tied to code and tests that exist."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from burma_study.datafiles import data_root, read_rows
from burma_study.errors import DataError
from burma_study.rules import ledger

LETTERS = {
    "1.4": "abcdefgh",
    "2.2": "abc",
    "2.4": "abc",
    "2.5": "abcd",
    "2.6": "abcd",
    "2.7": "a",
    "3.1": "abc",
    "3.2": "ab",
    "3.3": "ab",
    "3.4": "abcd",
    "3.5": "abcd",
    "3.6": "abcd",
    "3.7": "ab",
    "3.9": "ab",
}
LETTERED = [number + letter for number, letters in LETTERS.items() for letter in letters]
NUMBERED = [f"1.{n}" for n in range(1, 14)] + [f"2.{n}" for n in range(1, 10)] + [f"3.{n}" for n in range(1, 11)]
SPECIAL_RULES = {
    "learning": 8,
    "thursday": 7,
    "u-go": 8,
    "marauders": 9,
    "sato": 7,
    "imphal": 7,
    "campaign-1": 8,
    "campaign-2": 7,
    "campaign-3": 6,
}


def ids(game: str = "ocs") -> set[str]:
    return {clause.id for clause in ledger.clauses(game)}


def test_every_numbered_and_lettered_paragraph_has_a_row():
    assert {f"ocs/{number}" for number in NUMBERED + LETTERED} <= ids()


def test_every_option_and_its_lettered_cases_have_a_row():
    options = {f"ocs/opt.{n}" for n in range(11)} | {f"ocs/opt.3{c}" for c in "abcdefghijklmno"}
    assert options | {f"ocs/opt.2.{n}" for n in range(1, 6)} <= ids()


def test_variants_keep_both_clauses_printed_under_one_number():
    variants = {i for i in ids() if i.startswith("ocs/4.")}
    assert {"ocs/4.5-sa-go", "ocs/4.5-hang-tough", "ocs/4.11-transports", "ocs/4.11-bluff"} <= variants


@pytest.mark.parametrize(("scenario", "number"), SPECIAL_RULES.items())
def test_each_special_rule_of_each_scenario_has_a_row(scenario, number):
    mine = {i for i in ids() if i.startswith(f"ocs/{scenario}.")}
    numbered = {i for i in mine if i.split(".sr")[-1].isdigit()}
    assert numbered == {f"ocs/{scenario}.sr{n}" for n in range(1, number + 1)}
    assert f"ocs/{scenario}.victory" in mine
    assert f"ocs/{scenario}.setup-historical-japanese" in mine


def test_series_cases_give_both_readings():
    series = [c for c in ledger.clauses("ocs") if c.id.startswith("ocs-series/")]
    assert len(series) > 100
    assert [c.id for c in series if not (c.reading_1999 and c.reading_v43)] == []


def test_ids_are_unique_statuses_known_and_done_rows_are_carried_and_proved():
    assert [str(problem) for game in ledger.games() for problem in ledger.check_ledger(game)] == []


def test_titles_are_short_and_rooms_are_named():
    rows = ledger.clauses("ocs")
    assert [c.id for c in rows if len(c.title) > 130 or not c.title] == []
    assert [c.id for c in rows if not c.room and c.status != "component"] == []
    package = Path(ledger.__file__).parents[1]
    homes = (package, package / "rules/ocs")
    rooms = {c.room for c in rows if c.room}
    assert [room for room in rooms if not any((home / room).exists() for home in homes)] == []


def test_functions_named_by_the_ledger_exist_with_their_mark():
    for mark, names in ledger.function_marks().items():
        for name in names:
            module, _, rest = _split(name)
            found = import_module(module)
            for part in rest.split("."):
                found = vars(found)[part]
            assert mark in _marks(found), name


def _split(name: str) -> tuple[str, str, str]:
    """`burma_study.rules.ocs.counters.Counter.re` -> module, dot, the name inside it."""
    parts = name.split(".")
    root = Path(ledger.__file__).parents[2]
    for n in range(len(parts) - 1, 0, -1):
        path = root.joinpath(*parts[:n])
        if path.with_suffix(".py").exists() or (path / "__init__.py").exists():
            return ".".join(parts[:n]), ".", ".".join(parts[n:])
    raise AssertionError(name)


def _marks(found: object) -> tuple[str, ...]:
    for wrapper in ("fget", "func", "__wrapped__", "__func__"):
        found = getattr(found, wrapper, None) or found
    return getattr(found, "__rules__", ())


def test_a_function_marked_with_an_unknown_id_is_reported(monkeypatch):
    monkeypatch.setattr(ledger, "function_marks", lambda: {"ocs/2.6z": ("somewhere.banzai",)})
    monkeypatch.setattr(ledger, "test_marks", dict)
    (problem,) = ledger.unknown_marks()
    assert "somewhere.banzai" in problem.message
    assert "ocs/2.6" in problem.hint


def test_a_done_row_without_function_or_test_is_reported(monkeypatch):
    row = {"id": "ocs/9.9", "title": "x", "status": "done", "room": "supply.py", "note": ""}
    monkeypatch.setattr(ledger, "_rows", lambda game: [row, row | {"status": "finished"}])
    assert {p.code for p in ledger.check_ledger("ocs")} >= {"repeated-id", "status", "no-function", "no-test"}


def test_marks_are_read_from_decorators_module_marks_and_names(tmp_path):
    path = tmp_path / "test_marks.py"
    path.write_text(
        "import pytest\n"
        "pytestmark = [pytest.mark.slow, pytest.mark.rule('ocs/1.5')]\n"
        "@pytest.mark.rule('ocs/3.6d', 'ocs/*.sr3')\n"
        "class TestClearings:\n"
        "    def test_there(self): ...\n"
        "def test_burma_2_6b_banzai(): ...\n"
        "def test_burma_opt_3l_interdiction(): ...\n"
        "def test_series_9_8_surprise(): ...\n"
        "def test_burma_is_far(): ...\n"
    )
    found = set(ledger._test_ids(path))
    assert {id_ for name, id_ in found if name == "TestClearings.test_there"} == {"ocs/3.6d", "ocs/*.sr3", "ocs/1.5"}
    assert {id_ for _, id_ in found} == {"ocs/3.6d", "ocs/*.sr3", "ocs/1.5", "ocs/2.6b", "ocs/opt.3l", "ocs-series/9.8"}


def test_a_wide_mark_reaches_every_id_it_fits():
    marks = {"ocs/*.setup-free-*": ("read",), "ocs/1.5": ("fuel",)}
    assert ledger._carriers("ocs/u-go.setup-free-allied", marks) == ("read",)
    assert ledger._carriers("ocs/1.5", marks) == ("fuel",)
    assert ledger._carriers("ocs/u-go.sr1", marks) == ()


def test_an_unknown_game_is_refused_with_those_there_are():
    with pytest.raises(DataError, match=r"'osc'.*ocs"):
        ledger.clauses("osc")


def test_ledgers_have_the_columns_of_the_schema():
    columns = {row["column"] for row in read_rows("schema/columns.csv") if row["table"] == "rules"}
    for path in (data_root() / "rules").glob("*.csv"):
        assert set(read_rows(path)[0]) <= columns
