"""Links: what is asked for is done, nonsense is named and the rest is kept; callbacks end in sentences."""

from __future__ import annotations

import pytest

from burma_study.errors import BurmaStudyError
from burma_study.games.ocs.openings import line_session, setup_choices, setup_session
from burma_study.games.ocs.session import OcsSession
from burma_study.ui.guard import guarded
from burma_study.ui.links import read_link, scenario_of


@pytest.fixture(scope="module")
def ugo() -> OcsSession:
    return line_session("ocs/u-go")


def test_a_whole_link(ugo: OcsSession) -> None:
    found = read_link("scenario=ocs/u-go&step=4&layers=supply:allied,zoc:japanese&hex=A10.21&unit=j/hq/33_Div_HQ", ugo)
    assert (found.step, found.layers, found.hex) == (4, "supply:allied,zoc:japanese", ugo.index("A10.21"))
    assert scenario_of("scenario=ocs/u-go&step=4") == "ocs/u-go"


def test_an_empty_link_is_the_start(ugo: OcsSession) -> None:
    assert read_link("", ugo).problems == ()
    assert read_link("", ugo).step == 0


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("step=99", "'99'"),
        ("step=-1", "'-1'"),
        ("step=\u0663", "does not exist"),
        ("hex=Z9.99", "Z9.99"),
        ("unit=j/inf/nobody", "nobody"),
        ("layers=supply:martians", "supply:martians"),
        ("layers=fog", "'fog'"),
        ("stepp=3", "step"),
    ],
)
def test_nonsense_is_named_and_the_default_stands(ugo: OcsSession, query: str, named: str) -> None:
    found = read_link(query, ugo)
    assert named in found.sentence
    assert len(found.problems) == 1
    assert (found.step, found.hex, found.unit, found.layers) == (0, -1, "", "")


def test_good_parts_survive_bad_ones(ugo: OcsSession) -> None:
    found = read_link("step=3&hex=nowhere&layers=zoc:allied,xyz", ugo)
    assert (found.step, found.layers, found.hex) == (3, "zoc:allied", -1)
    assert len(found.problems) == 2


def test_many_problems_are_cut_to_one_line(ugo: OcsSession) -> None:
    query = "&".join(f"k{n}=1" for n in range(9))
    assert "And 6 more." in read_link(query, ugo).sentence


def test_a_failing_callback_says_one_sentence() -> None:
    said: list[str] = []

    def fails() -> None:
        raise KeyError("x")

    guarded(fails, said.append)()
    assert len(said) == 1
    assert "KeyError" in said[0]
    assert "Traceback" not in said[0]
    assert "\n" not in said[0]


def test_our_own_errors_are_said_as_they_are() -> None:
    said: list[str] = []

    def fails() -> None:
        raise BurmaStudyError("Hex 'Q1' is off the map.")

    guarded(fails, said.append)()
    assert said == ["Hex 'Q1' is off the map."]


def test_every_scenario_opens_as_a_session() -> None:
    assert len(setup_choices()) == 9
    for id_ in setup_choices():
        session = setup_session(id_)
        assert session.film.frames[0].counters, id_
        assert id_.startswith("ocs/campaign") or session.film.area, id_


def test_an_unknown_step_is_refused(ugo: OcsSession) -> None:
    with pytest.raises(BurmaStudyError, match="no step 10"):
        ugo.trace(10, "j/hq/33_Div")
