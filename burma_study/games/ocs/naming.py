"""Find what a reader means by the name he typed."""

from __future__ import annotations

from burma_study.errors import ScenarioError, did_you_mean
from burma_study.rules.ocs.state import State


def unit_named(state: State, name: str) -> str:
    """The id of the one unit in play that a name means: an id, a label, or the tail of an id; case does not matter.

    ScenarioError lists the candidates when several fit, or near matches when none does.
    """
    if not isinstance(name, str):
        raise ScenarioError(f"{name!r} names no unit; give its id or label as text.")
    wanted = _plain(name)
    labels = {id_: piece.counter.label for id_, piece in state.pieces.items()}
    for found in (
        [id_ for id_ in labels if _plain(id_) == wanted],
        [id_ for id_, label in labels.items() if _plain(label) == wanted],
        [id_ for id_ in labels if _plain(id_).endswith("/" + wanted)],
    ):
        if len(found) == 1:
            return found[0]
        if found:
            raise ScenarioError(f"{name!r} may be {' or '.join(sorted(found))}; give the whole id.")
    hint = did_you_mean(name, [*labels, *labels.values()]) or "`burma-study setup` lists the units."
    raise ScenarioError(f"There is no unit {name!r} in play in {state.scenario}. {hint}")


def mover_named(state: State, name: str) -> str:
    """The same, also of transport points, which move and can be traced like a unit."""
    if isinstance(name, str):
        found = [id_ for id_ in state.transport if _plain(id_) == _plain(name)]
        if found:
            return found[0]
    return unit_named(state, name)


def rule_name(id_: str) -> str:
    """`ocs/1.4e` as "Burma 1.4e", `ocs-series/4.4` as "OCS 4.4", options as "Opt. 7"."""
    book, _, number = id_.partition("/")
    if number.startswith("opt"):
        return f"Opt. {number[3:].lstrip('.')}"
    return f"{ {'ocs': 'Burma', 'ocs-series': 'OCS'}.get(book, book) } {number}"


def _plain(name: str) -> str:
    """A name without what people write differently: case, underscores, spaces at the ends."""
    return " ".join(name.replace("_", " ").lower().split())
