"""The tree of a game as its branches: the main line, and each variation where it leaves another."""

from __future__ import annotations

from dataclasses import dataclass

from burma_study.engine.records import ROOT
from burma_study.engine.session import Session


@dataclass(frozen=True, slots=True)
class Branch:
    """A run of records: `first` to `end`, left at `fork`; `here` holds the cursor.

    `name` is the reader's own, given at `node`, else it says variation or re-roll.
    """

    name: str
    fork: int
    first: int
    end: int
    count: int
    depth: int
    here: bool
    node: int


def branches(session: Session) -> list[Branch]:
    """Every branch, each followed by those that leave it, in the order of play."""
    tree, path = session.tree, set(session.tree.path())
    out: list[Branch] = []
    stack = [(ROOT, 0, 0)]  # fork, first node, depth
    while stack:
        fork, first, depth = stack.pop()
        run = tree.main_line(first)
        own = tree.title(first)
        name = own or ("Main line" if first == ROOT else tree.name(first).capitalize() or "Earlier line")
        begin = run[1] if first == ROOT and len(run) > 1 else first
        here = session.node in run and session.node in path
        out.append(Branch(name, fork, begin, run[-1], len(run) - (first == ROOT), depth, here, first))
        leaving = [(n, c, depth + 1) for n in run for c in tree.children(n) if c != tree.main_child(n)]
        stack += reversed(leaving)
    return out
