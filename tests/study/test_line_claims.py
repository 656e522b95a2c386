"""Every claim about supply in a caption of U-Go beside what the model says on that step."""

from __future__ import annotations

import re
from functools import lru_cache

import pytest

from burma_study.boards.board import load_board
from burma_study.datafiles import read_rows
from burma_study.games.ocs.line import load_line
from burma_study.games.ocs.line_score import control, history_score
from burma_study.games.ocs.openings import line_session

LINE = load_line("ocs/u-go")
CLAIMS = read_rows("lines/ocs/u-go/claims.csv")
SUPPLY = re.compile(
    r"\b(food|eats?|eaten|fed|feeds?|lives? on|suppl\w+|traces?|depot|dumps?|tokens?|lorr\w+|besieged|rations|"
    r"flown in|dropped|road ahead|land way|jeep track|opened the road|cut the|score)\b"
)


@lru_cache(maxsize=32)
def supply_of(step: int, side: str) -> dict[str, str]:
    return dict(line_session("ocs/u-go").supply(step, side)["status"])


def _supply(step: int, about: str) -> str:
    sides = {"a": "allied", "j": "japanese"}
    found = {supply_of(step, sides[u[0]])[u] for u in about.split(";")}
    return found.pop() if len(found) == 1 else "mixed"


def _flown(step: int, about: str) -> str:
    stock = next(s for s in LINE.at(step).stocks if s.holder == about)
    flights = [f for name in ("income", "received") for f in stock.reasons.get(name, "").split("; ")]
    return str(sum(int(f.split("T:")[0]) for f in flights if re.match(r"\d+T:.*(Hump|C-47)", f)))


def answer(step: int, ask: str, about: str) -> str:
    """What the model says: supply of units, tokens, who holds a hex, tokens flown in, a figure of the score."""
    if ask == "supply":
        return _supply(step, about)
    if ask == "tokens":
        return str(sum(s.tokens for s in LINE.at(step).stocks if s.holder in about.split(";")))
    if ask == "holds":
        return control(LINE, step)[load_board("ocs").index(about)]
    if ask == "flown":
        return _flown(step, about)
    row = history_score(LINE)[step]
    return str(int(row["japanese_total"]) - int(row["allied_total"])) if about == "lead" else row[about]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: f"{c['step']} {c['words'][:40]}")
def test_a_claim_stands_in_the_caption_and_is_what_the_model_says_or_the_caption_says_so(claim):
    step = LINE.at(int(claim["step"]))
    told = f"{step.caption} {step.watch}"
    assert claim["words"] in told
    found = answer(step.index, claim["ask"], claim["about"])
    assert found == claim["model"]
    assert (found != claim["says"]) == bool(claim["differs"]), f"the caption says {claim['says']}, the model {found}"
    assert claim["differs"] in told


def test_no_sentence_about_supply_goes_unchecked():
    words: dict[int, list[str]] = {}
    for claim in CLAIMS:
        words.setdefault(int(claim["step"]), []).append(claim["words"])
    loose = [
        (step.index, sentence)
        for step in LINE
        for sentence in re.split(r"(?<=[.!?)]) ", f"{step.caption} {step.watch}")
        if SUPPLY.search(sentence) and not any(w in sentence for w in words.get(step.index, []))
    ]
    assert not loose


def test_the_table_of_differences_has_every_difference_that_a_caption_admits():
    """Sangshak, Milestone 109, Kohima after the 5th and on the 15th, Nippon Hill."""
    admitted = {(c["step"], c["about"]) for c in CLAIMS if c["differs"]}
    assert len(admitted) == 5
    topics = " ".join(d.topic for d in LINE.about.differences)
    assert all(word in topics for word in ("Sangshak", "Milestone 109", "Kohima, 5", "15 April", "Nippon Hill"))


@pytest.mark.parametrize(("step", "holder"), [(7, "allied"), (8, "japanese"), (9, "allied")])
def test_nungshigum_changes_hands_as_it_did(step, holder):
    """Lost on 6 April, won back on the 7th, lost on the 11th, stormed for good on the 13th."""
    units = [p.unit for p in LINE.at(step).positions if p.hex == "A8.10"]
    assert units
    assert {u[0] for u in units} == {holder[0]}
    days = {e.arrival[5:]: e.holds for e in LINE.events if e.hex == "A8.10" and e.holds}
    assert days == {"04-06": "japanese", "04-07": "allied", "04-11": "japanese", "04-13": "allied"}


def test_each_step_asks_two_questions_and_says_where_to_look():
    for step in LINE:
        assert len(step.questions) == 2
        assert all(q.text.endswith("?") and q.look for q in step.questions)


def test_what_is_told_of_the_whole_line_has_its_sources():
    about = LINE.about
    for remark in (*about.why, *about.epilogue, *about.numbers):
        assert remark.sources, remark
        assert remark.confidence in ("high", "medium", "low")
    told = " ".join(r.text for r in about.epilogue)
    for word in ("18th", "tennis court", "Sato", "Milestone 109", "order to retreat"):
        assert word in told
    assert all(r.about for r in about.epilogue)
    assert [r.about.split(",")[0] for r in about.why if r.about.startswith(("Mutaguchi", "Slim", "Scoones"))]


def test_a_work_cited_from_memory_says_so_itself_and_a_mirror_names_its_original():
    works = {s.key: s for e in LINE.events for s in e.sources}
    assert str(works["kirby"]).startswith("From memory of S. W. Kirby, The War Against Japan")
    assert str(works["kohima_chronology"]).startswith("C. Brown, Battle Story: Kohima 1944")
    assert str(works["kohima_chronology"]).endswith("read at erenow.org")
    assert str(works["division_33"]).startswith("Wikipedia, 33rd Division")
    assert all(s.title and s.author for s in works.values())
