"""Errors say what was wrong, where, what is accepted and what to do: in the library and on the command line."""

from __future__ import annotations

import json

import pytest

from burma_study import cli, errors
from burma_study.errors import BurmaStudyError, Problem, did_you_mean


@pytest.fixture
def run(capsys):
    """Run the command line in this process; gives status, standard output, lines of standard error."""

    def go(*words: str) -> tuple[int, str, list[str]]:
        status = cli.main(words)
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return status, out, err.strip().splitlines()

    return go


def test_the_family_has_one_root_that_is_a_value_error():
    family = [e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, Exception)]
    assert {e.__name__ for e in family} >= {"LabelError", "ScenarioError", "ChartError", "IllegalOrder", "SaveError"}
    assert all(issubclass(e, BurmaStudyError) for e in family)
    assert issubclass(BurmaStudyError, ValueError)


def test_a_problem_names_its_file_row_and_column():
    problem = Problem("value", "'x' is no number.", "units.csv", 7, "strength", "Use a whole number.")
    assert str(problem) == "units.csv, row 7, column strength: 'x' is no number. Use a whole number."
    assert problem.as_dict()["row"] == 7


def test_near_matches_are_offered_and_far_ones_are_not():
    assert did_you_mean("impal", ["Imphal", "Mandalay"]) == "Did you mean Imphal?"
    assert did_you_mean("zzz", ["Imphal", "Mandalay"]) == ""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("trce", "ocs/u-go"), "Did you mean trace?"),
        (("odds", "--raw", "--terrain", "hilly"), "'hilly'"),
        (("rules",), "GAME"),
        (("rules", "osc"), "Did you mean ocs?"),
        (("--format", "xml", "scenarios"), "'xml'"),
    ],
)
def test_a_wrong_command_line_gets_one_sentence_and_status_2(run, words, expected):
    status, out, err = run(*words)
    assert (status, out, len(err)) == (2, "", 1)
    assert expected in err[0]


@pytest.mark.parametrize(
    "words", [("trce", "--format", "json"), ("rules", "osc", "--format=json"), ("rules", "--format", "json")]
)
def test_json_is_promised_also_when_the_command_line_is_wrong(run, words):
    status, out, _ = run(*words)
    data = json.loads(out)
    assert status == 2
    assert data["error"]
    assert {"code", "file", "row", "column", "message", "hint"} <= data["problems"][0].keys()


def test_seven_problems_are_shown_and_the_rest_counted(run, monkeypatch):
    def broken(args):
        raise BurmaStudyError("Twelve things are wrong.", [Problem("p", f"Thing {n}.") for n in range(12)])

    monkeypatch.setattr("burma_study.cli.data.rules", broken)
    status, out, err = run("rules", "ocs", "--format", "json")
    assert status == 2
    assert err[0] == "burma-study: Twelve things are wrong."
    assert len(err) <= 8
    assert "and 6 more" in err[-1]
    assert [p["message"] for p in json.loads(out)["problems"]] == [f"Thing {n}." for n in range(12)]


def test_seven_problems_fit(capsys):
    cli.report(BurmaStudyError("Seven.", [Problem("p", f"Thing {n}.") for n in range(7)]), as_json=False)
    assert len(capsys.readouterr().err.strip().splitlines()) == 8


def test_a_fault_of_the_program_is_one_sentence_too(run, monkeypatch):
    monkeypatch.setattr("burma_study.cli.data.rules", lambda args: {}["gone"])
    status, _, err = run("rules", "ocs")
    assert status == 2
    assert len(err) == 1
    assert "KeyError" in err[0]
    assert "test_errors.py" in err[0]
