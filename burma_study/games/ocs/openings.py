"""Sessions ready to open: the printed set-ups of the scenarios, and published lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from burma_study.answers.session import Background, Story
from burma_study.boards.board import Board, load_board
from burma_study.games.ocs.line import About, Remark, Source, Step, load_line
from burma_study.games.ocs.session import Moment, OcsSession
from burma_study.rules.ocs.setup import load_scenario, scenarios, start
from burma_study.study.tracks import Track

SETUPS = ("historical", "free")
LEARNING = "Learning Scenario"


def setup_choices() -> dict[str, str]:
    """Id and title of every scenario whose set-up can be shown."""
    return {info.id: f"{scenario_title(info.id)} ({info.first.day} {info.first:%B %Y})" for info in scenarios()}


def scenario_title(scenario: str) -> str:
    """What a scenario is called in lists: the one to learn by is named as such."""
    found = load_scenario(scenario)
    return f"{found.printed_title}: {found.title}" if found.printed_title == LEARNING else found.title


def setup_session(scenario: str, setup: str = "historical", *, errata: bool = True) -> OcsSession:
    """A session of one moment: a scenario as it is set up. ScenarioError for a name that is none."""
    found, state = load_scenario(scenario), start(scenario, setup, errata=errata)
    story = [Story(" ".join(found.summary.split()))]
    story += [Story(" ".join(rule.text.split()), rule=rule.id) for rule in found.special_rules]
    moment = Moment(state, f"{found.title}, {setup} set-up", str(found.first), caption="", story=tuple(story))
    return OcsSession(scenario, found.title, [moment])


def line_session(scenario: str = "ocs/u-go", name: str = "history") -> OcsSession:
    """A session over a published line, one moment a step. ScenarioError where there is no such line."""
    line, board = load_line(scenario, name), load_board("ocs")
    moments = [_moment(step, board) for step in line]
    return OcsSession(scenario, load_scenario(scenario).title, moments, _background(line.about))


def _background(about: About) -> Background:
    """Why, how it ended, figures and differences of a line as the page shows them."""
    return Background(
        why=tuple(_remark(r) for r in about.why),
        epilogue=tuple(_remark(r) for r in about.epilogue),
        numbers=tuple((r.about, r.text, r.note, r.confidence, _cited(r.sources)) for r in about.numbers),
        differences=tuple((d.topic, d.model, d.history, d.why) for d in about.differences),
    )


def _remark(remark: Remark) -> Story:
    return Story(remark.text, confidence=remark.confidence, date=remark.about, citations=_cited(remark.sources))


def _moment(step: Step, board: Board) -> Moment:
    return Moment(
        state=step.state,
        title=f"{_day(step.date)}: {step.title}",
        date=step.date,
        caption=step.caption,
        story=tuple(_stories(step)),
        spots=tuple((board.index(h.hex), h.label) for h in step.hotspots),
        focus=board.index(step.focus),
    )


def _day(iso: str) -> str:
    day = date.fromisoformat(iso)
    return f"{day.day} {day:%B}"


def _stories(step: Step) -> Iterator[Story]:
    """What to watch, where the model differs, the weather, contested hexes, events with their sources, questions."""
    yield Story(step.watch, confidence=step.confidence, citations=_cited(step.sources))
    if step.model:
        yield Story(step.model, confidence="worked out")
    yield Story(step.weather.note, confidence=step.weather.confidence, citations=_cited(step.weather.sources))
    for contested in step.contested:
        yield Story(f"Contested {contested.hex}: {contested.note}", confidence="reconstructed")
    for event in step.events:
        when = _day(event.start) + (f" to {_day(event.arrival)}" if event.arrival != event.start else "")
        yield Story(event.text, confidence=event.confidence, date=when, citations=_cited(event.sources))
    yield from (Story(question.text, ask=question.look) for question in step.questions)


def _cited(sources: Iterable[Source]) -> tuple[str, ...]:
    return tuple(str(source) for source in sources)


def history_track(scenario: str = "ocs/u-go") -> Track:
    """The published line of a scenario, a moment a turn."""
    line = load_line(scenario)
    labels = tuple(f"{s.date}: {s.title}" for s in line)
    turns = tuple(s.turn for s in line)
    return Track(f"History, {load_scenario(scenario).title}", labels, turns, lambda k: line.at(k).state)
