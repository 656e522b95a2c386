"""Commands about data: boards and their georeference, the ledger of the rules, the checking of files."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter

from burma_study.cli_text import Answer, count, table
from burma_study.rules import ledger


def rules(args: Namespace) -> Answer:
    """The ledger of a game, whole or in part."""
    every = ledger.clauses(args.game)
    wanted = [c for c in every if _wanted(c, args.status, args.find)]
    return Answer([c.as_dict() for c in wanted], lambda: _ledger_text(wanted, len(every)))


def _wanted(clause: ledger.Clause, status: str | None, word: str | None) -> bool:
    text = f"{clause.id} {clause.title} {clause.note} {clause.room}".lower()
    return (not status or clause.status == status) and (not word or word.lower() in text)


def _ledger_text(rows: list[ledger.Clause], of: int) -> str:
    lines = table(
        ("clause", "status", "functions", "tests", "title"),
        [(c.id, c.status, len(c.functions), len(c.tests), c.title) for c in rows],
        right="23",
        last=140,
    )
    by_status = Counter(c.status for c in rows)
    sums = ", ".join(f"{by_status[s]} {s}" for s in ledger.STATUSES if by_status[s])
    shown = f"{count(len(rows), 'clause')} of {of}" if len(rows) != of else count(of, "clause")
    return f"{lines}\n\n{shown}: {sums or 'none of them fits'}"
