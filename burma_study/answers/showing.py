"""What an answer shows by itself in a notebook: a small table or some sentences as HTML, without a page around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

MOST = 12  # rows of a small table; the library has the rest


def html_table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with a caption, its first rows, and how many more there are."""
    every = list(rows)
    cells = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(c))}</td>' for c in row)}</tr>" for row in every[:MOST])
    more = f"<tr><td colspan='{len(head)}'>and {len(every) - MOST} more</td></tr>" if len(every) > MOST else ""
    title = f"<caption>{escape(caption)}</caption>"
    return f"<table>{title}<thead><tr>{cells}</tr></thead><tbody>{body}{more}</tbody></table>"


def html_sentences(sentences: Iterable[str]) -> str:
    """Sentences, a paragraph each."""
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
