"""Answers of a real session become sections that the panel can draw."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from burma_study.games.ocs.openings import line_session, setup_session
from burma_study.games.ocs.session import OcsSession
from burma_study.ui import sections
from burma_study.ui.tabs import Asked, Tabs

KNOWN = {"text", "sentences", "facts", "table", "columns", "outcomes", "choices", "select", "button", "unit", "stories"}


@pytest.fixture(scope="module")
def ugo() -> OcsSession:
    return line_session("ocs/u-go")


def drawable(found: list[sections.Section]) -> str:
    assert {s["type"] for s in found} <= KNOWN
    return json.dumps(found)


def test_every_unit_of_every_step_has_a_card(ugo: OcsSession) -> None:
    for step in (0, 4, 9):
        for counter in ugo.film.frames[step].counters[::9]:
            card, trace = ugo.unit(step, counter.id), ugo.trace(step, counter.id)
            found = sections.unit_sections(card, trace, ("combat", "move"), "")
            text = drawable(found)
            assert card["title"] in text
            if trace["status"] == "in":
                assert any(s.get("title", "").startswith("Trace") for s in found)
            else:
                assert trace["sentences"]


def test_the_supply_tab_counts_every_unit_once(ugo: OcsSession) -> None:
    for side in ("japanese", "allied"):
        answer = ugo.supply(2, side)
        assert sum(answer["counts"].values()) == len(answer["status"])
        assert len(answer["rows"]) == answer["counts"]["eats"] + answer["counts"]["out"]
        drawable(sections.supply_sections(answer))


def test_odds_are_shown_whole(ugo: OcsSession) -> None:
    best = ugo.best(2, "japanese", 3)
    assert best
    drawable(sections.best_sections("japanese", best))
    first = best[0]
    odds = ugo.fight(2, first["target"], first["attackers"])
    found = sections.odds_sections(odds)
    drawable(found)
    outcomes = next(s for s in found if s["type"] == "outcomes")
    assert sum(Fraction(row[1]) for row in outcomes["rows"]) == 1
    columns = next(s for s in found if s["type"] == "columns")
    assert sum(Fraction(row[1]) for row in columns["rows"]) == 1
    assert columns["marked"] == odds["column"]


def test_a_hex_tells_its_ground_and_sides(ugo: OcsSession) -> None:
    found = sections.hex_sections(ugo.at(0, ugo.index("A7.09")))
    text = drawable(found)
    assert "clear" in text
    assert "Imphal" in text
    assert len(found[-1]["rows"]) == 6


def test_stories_carry_source_and_confidence(ugo: OcsSession) -> None:
    found = sections.story_sections("x", ugo.story(3), ugo.boxes(3))
    notes = " ".join(note for _, note, _ in found[0]["rows"])
    assert "confidence" in notes
    works = next(s["items"] for s in found if s.get("title") == "Sources")
    cited = {
        int(n) for _, note, _ in found[0]["rows"] if "source " in note for n in note.split("source ")[1].split(", ")
    }
    assert cited == set(range(1, len(works) + 1))


def test_best_attacks_are_asked_for_by_a_button() -> None:
    (button,) = sections.best_sections("allied", None)
    assert button["type"] == "button"
    assert button["value"] == "allied"
    assert sections.best_sections("allied", [])[0]["type"] == "text"


def test_every_kind_of_fight_can_be_shown(ugo: OcsSession) -> None:
    shown = {"regular": 0, "overrun": 0, "barrage": 0}
    for target in sorted({c.hex for c in ugo.film.frames[3].counters}):
        for kind in shown:
            found = ugo.candidates(3, target, kind)
            if found:
                ids, options = [c["id"] for c in found], {"kind": kind, "banzai": False}
                odds = ugo.fight(3, target, ids, options)
                text = drawable(sections.fight_sections(ugo.label(target), found, ids, options, odds))
                assert "Chain of modifiers" in text
                shown[kind] += 1
    assert min(shown.values()) >= 2


def test_a_target_out_of_reach_and_a_refusal_are_said(ugo: OcsSession) -> None:
    options = {"kind": "barrage", "banzai": False}
    assert "No gun" in drawable(sections.fight_sections("A1.01", [], [], options, None))
    candidates = [{"id": "j/inf/x", "label": "x"}]
    assert "Not so." in drawable(sections.fight_sections("A1.01", candidates, ["j/inf/x"], options, "Not so."))


@pytest.mark.parametrize(
    ("id_", "name"),
    [("ocs/1.4e", "Burma 1.4e"), ("ocs-series/9.7", "OCS 9.7"), ("ocs/opt.8.1", "Opt. 8.1")],
)
def test_rules_are_named_as_readers_know_them(id_: str, name: str) -> None:
    assert sections.rule_name(id_) == name


def test_a_fed_unit_is_called_fed_and_a_hungry_one_says_who_ate(ugo: OcsSession) -> None:
    fed = ugo.trace(0, "a/inf/4-12_FF-17")
    assert fed["status"] == "eats"
    assert "Out" not in drawable(sections.trace_sections(fed))
    hungry = ugo.trace(3, "a/inf/48-17")
    assert hungry["status"] == "out"
    assert "B3.29 holds 1T; 63-17 and 17-17 ate it first" in hungry["sentences"][-1]
    turning = sections.basis_sections(ugo.verdict(0, "a/inf/4-12_FF-17"))[0]
    assert turning["text"].endswith("If the unprinted 4 Corps HQ throw 10 were 12, it would trace.")


def test_a_hex_lists_its_dump_transport_and_works(ugo: OcsSession) -> None:
    found = sections.hex_sections(ugo.at(0, ugo.index("A7.09")))
    (things,) = [s for s in found if s.get("title") == "Supply, transport and works here"]
    assert ["supply dump", "20T (5 SP)", "Allied"] in things["rows"]
    assert {"extender", "hedgehog"} <= {row[0] for row in things["rows"]}


def test_the_history_of_the_line_is_told_with_its_sources(ugo: OcsSession) -> None:
    told = ugo.background()
    assert told is not None
    found = sections.background_sections(told)
    assert [s["title"] for s in found] == [
        "Why they fought here",
        "How it ended",
        "Numbers",
        "The model and history",
        "Sources",
    ]
    text, note, who = found[0]["rows"][0]
    assert who == "Mutaguchi, 15 Army"  # the name stands before the "he" that means it
    assert text.startswith("He ")
    assert "Mutaguchi" not in note
    works = found[-1]["items"]
    assert any(w.startswith("From memory of W. Slim") for w in works)
    last = {int(n) for row in found[2]["rows"] for n in row[2].split(";")[0].split(", ")}
    assert max(last) <= len(works)
    assert all(len(row) == 4 and all(row) for row in found[3]["rows"])
    assert "From memory" in drawable(found)


def test_a_step_asks_and_only_a_line_has_a_history(ugo: OcsSession) -> None:
    found = sections.story_sections("x", ugo.story(6), ugo.boxes(6))
    asked = next(s for s in found if s["title"] == "To think about")
    assert len(asked["rows"]) == 2
    assert all(note.startswith("Look at: ") for _, note in asked["rows"])
    assert not any("cited from memory" in str(s.get("text", "")) for s in found)
    assert [t.key for t in Tabs(ugo, 0, Asked()).build("story")][-1] == "history"
    assert "history" not in [t.key for t in Tabs(setup_session("ocs/learning"), 0, Asked()).build("story")]
