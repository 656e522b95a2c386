"""What a side would lose with a hex, and its choke points, as sections of the panel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burma_study.games.ocs.losses import GHOST_TEXT, IMPASSABLE
from burma_study.ui.sections import Answer, Section, side_name, text, units

TOKENS = 4  # of a supply or transport point
CHOICES = {
    "battalion": "a battalion",
    "garrison": "a garrison, no zone",
    IMPASSABLE: "nobody: impassable",
}


def enemy_of(side: str) -> str:
    """The enemy's name."""
    return side_name("japanese" if side == "allied" else "allied")


def ghost_section(by: str) -> Section:
    """The choice of what is imagined in a lost hex."""
    options = [[kind, CHOICES[kind]] for kind in GHOST_TEXT]
    return {"type": "select", "key": "ghost", "label": "Imagine there", "options": options, "value": by}


def supposed(side: str, where: str, by: str) -> str:
    """E.g. "If a Japanese battalion with a zone of control held A5.25"."""
    if by == IMPASSABLE:
        return f"If paths and lines could not enter {where}"
    _, _, what = GHOST_TEXT[by].partition(" ")
    return f"If a {enemy_of(side)} {what} held {where}"


def designer_sections(side: str, by: str, chokes: Sequence[Answer] | None) -> list[Section]:
    """Tools on a side's net: its choke points once they are asked for, and the net as GeoJSON."""
    whose = side_name(side)
    out = [text("For designers: the net itself. The width of a line grows with the units it feeds."), ghost_section(by)]
    if chokes is None:
        out.append({"type": "button", "key": "chokes", "value": side, "label": f"Find the {whose} choke points"})
    elif not chokes:
        out.append(text(f"{supposed(side, 'any one hex of the net', by)}, every unit elsewhere would still trace."))
    else:
        out += [text(f"{supposed(side, 'one hex', by)}: the hexes that cost most."), chokes_table(chokes)]
    label = f"Download the {whose} net (GeoJSON)"
    return [*out, {"type": "button", "key": "net", "value": side, "label": label}]


def chokes_table(chokes: Sequence[Answer]) -> Section:
    """Choke points, worst first."""
    return {
        "type": "table",
        "title": "Choke points",
        "columns": [
            ["From", "pick one to see the stretch on the map"],
            ["Hexes", "hexes of the stretch; losing any one of them has the same effect elsewhere"],
            ["Here", "the side's own units in them"],
            ["Fed", "units elsewhere whose trace runs through it"],
            ["Lost", "units elsewhere that would have no trace if it were lost"],
        ],
        "rows": [[c["where"], len(c["hexes"]), len(c["here"]), c["carried"], len(c["lost"])] for c in chokes],
        "pick": "stretch",
        "picks": [c["hexes"] for c in chokes],
    }


def cut_sections(side: str, where: str, by: str, found: Answer | None) -> list[Section]:
    """What a side would lose with a hex: a button, or the answer with the choice of what is imagined there."""
    if found is None:
        label = f"What if the {side_name(side)} side lost this hex?"
        return [ghost_section(by), {"type": "button", "key": "cut", "value": side, "label": label}]
    out = [ghost_section(by), text(_sentence(side, where, found), str(found["tone"]))]
    rows = [list(row) for row in _rows(found)]
    if rows:
        out.append({"type": "facts", "title": "What depends on it", "rows": rows})
    for title, key in (("Would lose trace", "lost"), ("Would neither trace nor eat", "starved")):
        if found[key]:
            out.append(_table(title, found[key]))
    return out


def _sentence(side: str, where: str, found: Answer) -> str:
    start = supposed(side, where, found["by"])
    start += " (an enemy stands there already)" if found["held"] else ""
    whose, lost, starved = side_name(side), found["lost"], found["starved"]
    if found["tone"] == "good":
        return f"{start}, the {whose} side would lose nothing: no trace, meal, unit, dump or base depends on it."
    if lost:
        told = f"{_would(len(lost), 'lose')} {'its' if len(lost) == 1 else 'their'} trace"
    elif found["carried"]:
        told = "every trace that runs through it would find another way"
    else:
        told = "no trace would be lost"
    hungry = f"; {_would(len(starved), 'have')} neither trace nor meal" if starved else ""
    return f"{start}, {told}{hungry}."


def _would(n: int, verb: str) -> str:
    return f"{units(n)} elsewhere would {verb}"


def _rows(found: Answer) -> Iterator[tuple[str, str, str]]:
    """What depends on the hex, only what there is."""
    if found["carried"]:
        yield "Traces through it", units(found["carried"]), "of units that stand elsewhere"
    if found["here"]:
        yield "Units in it", ", ".join(u["label"] for u in found["here"]), "taken to be lost with the hex"
    if found["headquarters"]:
        yield "Headquarters", ", ".join(found["headquarters"]), "what they throw is lost with them"
    if found["eaters"]:
        yield "Eat from its dump", units(found["eaters"]), "wherever they stand"
    if found["dumps"]:
        yield "Supply in it", _points(found["dumps"], "SP"), "in dumps and loaded"
    if found["unpaid"]:
        yield "Combat supply", units(found["unpaid"]), "elsewhere that could no longer defend on supply from a dump"
    if found["transport"]:
        points = "point" if found["transport"] // TOKENS == 1 else "points"
        yield "Transport", _points(found["transport"], points), "transport points, with extenders"
    for label, key in (("Airfield", "bases"), ("Hedgehog", "hedgehogs"), ("Source of trace", "sources")):
        if found[key]:
            yield label, ", ".join(found[key]), "in the hex"
    if found["aircraft"]:
        yield "Air units", str(found["aircraft"]), "at the base"


def _points(tokens: int, what: str) -> str:
    points, rest = divmod(tokens, TOKENS)
    return f"{tokens}T ({points} {what}{f' {rest}T' if rest else ''})"


def _table(title: str, rows: Sequence[Answer]) -> Section:
    return {
        "type": "table",
        "title": title,
        "columns": [["Unit", "pick one for its card"], ["Hex", "where it stands"]],
        "rows": [[u["label"], u["hex"]] for u in rows],
        "pick": "unit",
        "picks": [u["id"] for u in rows],
    }
