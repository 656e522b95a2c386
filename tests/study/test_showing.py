"""What a notebook shows of an answer by itself: one line, and a small table or picture."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import burma_study
from burma_study.answers.showing import MOST, html_sentences, html_table
from burma_study.games.ocs.play import Play


@pytest.fixture(scope="module")
def ugo():
    return burma_study.load("ocs/u-go")


def test_every_answer_has_a_line_of_its_own(ugo):
    play = Play.from_setup("ocs/u-go", seed="1")
    answers = [ugo, ugo.state, ugo.supply("allied"), ugo.trace("4-12 FF-17"), ugo.reach("1-58-31", mode="move")]
    answers += [ugo.odds("B3.23", ["1-215-33", "2-215-33"]), play, play.session]
    for answer in answers:
        assert "\n" not in repr(answer)
        assert 10 < len(repr(answer)) < 160, repr(answer)


def test_a_line_says_what_counts(ugo):
    assert repr(ugo.supply("allied")) == "<Supply of the allied side: 28 of 34 units trace>"
    assert repr(ugo.trace("4-12 FF-17")) == "<Trace of a/inf/4-12_FF-17: out>"
    assert "in, rail" in repr(ugo.trace("1 Wy-17"))
    assert "24 hexes within 5 MP" in repr(ugo.reach("1-58-31", mode="move"))


def test_tables_and_pictures_are_well_formed_and_small(ugo):
    shown = [ugo.supply("allied"), ugo.supply("japanese"), ugo.reach("1-58-31", mode="move")]
    for answer in shown:
        html = answer._repr_html_()
        ElementTree.fromstring(html)
        assert len(html) < 4_000
    assert "short by 0.5 MP" in shown[0]._repr_html_()
    ElementTree.fromstring(f"<div>{ugo.odds('B3.23', ['1-215-33'])._repr_html_()}</div>")
    assert ElementTree.fromstring(ugo._repr_svg_()).tag.endswith("svg")


def test_what_is_shown_is_escaped_and_cut_to_a_dozen_rows():
    html = html_table("a < b", ("n",), [(f"<{n}>",) for n in range(MOST + 3)])
    tree = ElementTree.fromstring(html)
    assert tree.findtext("caption") == "a < b"
    assert len(tree.findall("tbody/tr")) == MOST + 1
    assert tree.findall("tbody/tr")[-1].findtext("td") == "and 3 more"
    assert html_sentences(["x & y"]) == "<p>x &amp; y</p>"
