"""Shared links: what a fragment asks for, checked word by word; nonsense is named and the rest is kept."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl

from burma_study.answers.session import Session
from burma_study.errors import BurmaStudyError, did_you_mean

LAYERS = ("supply", "zoc")
SIDES = ("japanese", "allied")
KEYS = ("scenario", "step", "layers", "hex", "unit", "hide", "view")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a link asks for, with one sentence for each part that means nothing here."""

    step: int = 0
    layers: str = ""
    hex: int = -1
    unit: str = ""
    problems: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """All problems in one line, at most three."""
        shown = " ".join(self.problems[:3])
        more = len(self.problems) - 3
        return shown + (f" And {more} more." if more > 0 else "")


def scenario_of(query: str) -> str:
    """The scenario that a link names, or the empty string."""
    return dict(parse_qsl(query)).get("scenario", "")


def read_link(query: str, session: Session, *, layers: str = "") -> Wanted:
    """Check a link's query against a session; whatever it cannot mean falls back to the default.

    `layers` are the layers of a link that names none; the word `none` switches all of them off.
    """
    asked = {key[:40]: value[:200] for key, value in parse_qsl(query[:6000])}
    problems = [
        f"The link's {key!r} is not understood. {did_you_mean(key, KEYS)}".strip() for key in asked if key not in KEYS
    ]
    step = _step(asked.get("step", "0"), session, problems)
    return Wanted(
        step,
        _layers(asked.get("layers", layers), problems),
        _hex(asked.get("hex", ""), session, problems),
        _unit(asked.get("unit", ""), step, session, problems),
        tuple(problems),
    )


def _step(text: str, session: Session, problems: list[str]) -> int:
    last = len(session.film.frames) - 1
    if text.isascii() and text.isdecimal() and len(text) < 6 and int(text) <= last:
        return int(text)
    problems.append(f"The link's step {text[:40]!r} does not exist; steps are 0 to {last}, so the first is shown.")
    return 0


def _layers(text: str, problems: list[str]) -> str:
    if text == "none":
        return ""
    kept = []
    for part in filter(None, text.split(",")):
        name, _, side = part.partition(":")
        if name in LAYERS and side in SIDES:
            kept.append(part)
        else:
            problems.append(
                f"The link's layer {part[:40]!r} is unknown; layers are {', '.join(LAYERS)}, each with a side."
            )
    return ",".join(kept)


def _hex(text: str, session: Session, problems: list[str]) -> int:
    try:
        return session.index(text) if text else -1
    except BurmaStudyError as error:
        problems.append(f"The link's hex: {error}")
        return -1


def _unit(text: str, step: int, session: Session, problems: list[str]) -> str:
    try:
        if text:
            session.unit(step, text)
        return text
    except BurmaStudyError as error:
        problems.append(f"The link's unit: {error}")
        return ""
