"""Saves that a browser hands over: held against what a game can come to before anything of them is built."""

from __future__ import annotations

import zlib

from burma_study.errors import SaveError

MOST_BYTES = 5_000_000
"""Of a file as it comes, which the page says too; a whole campaign comes to about a fifth of it."""
MOST_PLAIN = 40_000_000
MOST_VALUES = 6_000_000
"""Values of its JSON: each takes some sixty bytes of memory, however few it takes in the file."""
GZIP = b"\x1f\x8b"


def bounded(content: bytes) -> bytes:
    """The content of a save that may be read; SaveError for one that is larger than any game, or would unpack so."""
    if len(content) > MOST_BYTES:
        raise SaveError(f"That file is larger than any saved game: at most {MOST_BYTES // 1_000_000} MB are read here.")
    plain = _plain(content)
    if sum(map(plain.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise SaveError(f"That file holds more than any saved game: at most {MOST_VALUES:,} values are read here.")
    return content


def _plain(content: bytes) -> bytes:
    if content[:2] != GZIP:
        return content
    engine = zlib.decompressobj(wbits=31)
    try:
        plain = engine.decompress(content, MOST_PLAIN)
    except zlib.error as error:
        raise SaveError(f"That file is damaged: {error}.") from None
    if engine.unconsumed_tail:
        size = MOST_PLAIN // 1_000_000
        raise SaveError(f"That file unpacks to more than any saved game: at most {size} MB are read here.")
    return plain
