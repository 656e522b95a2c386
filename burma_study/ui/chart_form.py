"""The form in which a reader puts his printed chart in place of a reconstructed one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from burma_study.answers.session import Session
from burma_study.errors import BurmaStudyError
from burma_study.ui.sections import Section, text

MOST = 30
LONGEST = 60_000


def chart_title(name: str) -> str:
    """`terrain_effects` as "Terrain effects"."""
    return name.replace("_", " ").capitalize()


def in_force(session: Session) -> str:
    """A sentence that names the reader's own charts in force; empty without any."""
    names = [chart_title(name) for name, _ in session.charts]
    return f"Under your own chart{'s' * (len(names) > 1)}: {', '.join(names)}." if names else ""


class ChartForm:
    """Which chart is chosen, what was pasted, and what is wrong with it."""

    def __init__(self) -> None:
        self.choose("terrain_effects")

    def choose(self, name: str) -> None:
        """Another chart; what was pasted for the last one is dropped."""
        self.name, self.draft, self.said = name, "", ""
        self.problems: Sequence[Any] = ()

    def use(self, session: Session, draft: str) -> Session | None:
        """The session under the pasted chart, or None where it has problems, which the form then lists."""
        if len(draft) > LONGEST:
            raise BurmaStudyError(
                f"The text has {len(draft)} characters; a chart has at most {LONGEST}. Paste one chart."
            )
        self.draft, self.said = draft, ""
        self.problems = session.chart_problems(self.name, draft)
        if self.problems:
            return None
        self.draft, self.said = "", f"Your chart “{chart_title(self.name)}” is in force at every step."
        others = [(name, own) for name, own in session.charts if name != self.name]
        return session.with_charts([*others, (self.name, draft)])

    def drop(self, session: Session, name: str) -> Session:
        """The session without one of the reader's charts."""
        self.problems, self.said = (), f"“{chart_title(name)}” is ours again."
        return session.with_charts([(own, given) for own, given in session.charts if own != name])

    def sections(self, session: Session) -> list[Section]:
        """The form: choice, template, paste or upload, problems, and the charts in force."""
        options = [[name, chart_title(name)] for name in session.chart_names()]
        out = [
            text(
                "Some charts are printed in no rulebook at hand, so ours are proposals with reasons. If you own the "
                "game, put its printed values in their place: take the CSV, change it, give it back."
            ),
            {"type": "select", "key": "chart", "label": "Chart", "options": options, "value": self.name},
            {"type": "button", "key": "template", "value": self.name, "label": "Download it as CSV"},
            {
                "type": "paste",
                "key": "own",
                "label": f"Your “{chart_title(self.name)}” as CSV",
                "value": self.draft,
                "submit": "Use this chart",
            },
        ]
        if self.said:
            out.append(text(self.said, "good"))
        return [*out, *self._problems(), *_own(session)]

    def _problems(self) -> list[Section]:
        if not self.problems:
            return []
        count = len(self.problems)
        rows = [
            [p["row"] or "–", p["column"] or "–", f"{p['message']} {p['hint']}".strip()] for p in self.problems[:MOST]
        ]
        more = f"And {count - MOST} more." if count > MOST else ""
        return [
            text(f"The chart has {count} problem{'s' * (count > 1)} and is not in force; nothing was changed.", "bad"),
            {
                "type": "table",
                "title": "What is wrong",
                "columns": [
                    ["Row", "of the CSV; the header is row 1"],
                    ["Column", "name in the header"],
                    ["Problem", ""],
                ],
                "rows": rows,
                "note": more,
            },
        ]


def _own(session: Session) -> list[Section]:
    return [
        {"type": "button", "key": "unown", "value": name, "label": f"Remove your “{chart_title(name)}”"}
        for name, _ in session.charts
    ]
