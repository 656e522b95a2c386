"""Find and read the data that ships with the package: CSV tables with provenance beside them, and TOML."""

from __future__ import annotations

import csv
import hashlib
import io
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from burma_study.errors import DataError

TAGS = ("printed", "derived", "series", "historical", "reconstructed")
MOST_BYTES = 32_000_000  # the largest table that ships has less than a hundredth of this


@lru_cache(maxsize=1)
def data_root() -> Path:
    """The repository's `data/` when it stands beside the package, else the copy installed inside it."""
    package = Path(__file__).parent
    for candidate in (package.parent / "data", package / "_data"):
        if (candidate / "schema").is_dir():
            return candidate
    raise DataError(f"No data folder beside or inside {package.name!r}; install the package again.")


def data_path(name: str) -> Path:
    """Path of the data file `name` (e.g. "boards/ocs/hexes.csv"); DataError if there is none."""
    path = data_root() / name
    if not path.exists():
        raise DataError(f"There is no data file {name!r}.")
    return path


def read_text(path: Path) -> str:
    """The text of a file in UTF-8, less a byte order mark; DataError for what is no file, too large or no text."""
    try:
        if not path.is_file():
            raise DataError(f"{str(path)!r} is no file." if path.exists() else f"There is no file {str(path)!r}.")
        if path.stat().st_size > MOST_BYTES:
            raise DataError(f"{path.name!r} is too large: more than {MOST_BYTES // 1_000_000} MB.")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path.name!r} is not UTF-8 text: {error}.") from error
    except (OSError, ValueError) as error:  # a ValueError is a null in the name
        if isinstance(error, DataError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"{str(path)!r} cannot be read: {reason}.") from error


def commas(text: str) -> str:
    """A CSV text as spreadsheets write it, in our form: `sep=` line, semicolons or tabs, padded or capital headers."""
    first, _, rest = text.partition("\n")
    sep = ""
    if first.strip().strip('"').lower().startswith("sep="):
        sep, text = first.strip().strip('"')[4:5], rest
        first = rest.partition("\n")[0]
    sep = sep or max(",;\t", key=first.count)
    head = next(csv.reader(io.StringIO(first, newline=""), delimiter=sep), [])
    names = [name.strip().lower() for name in head]
    if sep == "," and names == head:
        return text
    out = io.StringIO()
    lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=sep))
    csv.writer(out, lineterminator="\n").writerows([names, *lines[1:]])
    return out.getvalue()


def csv_lines(text: str, name: str) -> list[list[str]]:
    """The lines of a CSV text as lists of cells; DataError names a text that is no table."""
    try:
        return list(csv.reader(io.StringIO(commas(text), newline="")))
    except csv.Error as error:
        raise DataError(f"{name!r} is not a CSV table: {error}.") from error


def read_rows(name: str | Path) -> list[dict[str, str]]:
    """The rows of a CSV table as dicts of text, in file order; `name` is relative to data/ unless it is a Path."""
    path = name if isinstance(name, Path) else data_path(name)
    text = read_text(path)
    try:
        return list(csv.DictReader(io.StringIO(commas(text) if isinstance(name, Path) else text, newline="")))
    except csv.Error as error:
        raise DataError(f"{path.name!r} is not a CSV table: {error}.") from error


def read_toml(name: str | Path) -> dict[str, Any]:
    """The contents of a TOML file; `name` is relative to data/ unless it is a Path."""
    path = name if isinstance(name, Path) else data_path(name)
    text = read_text(path)
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise DataError(f"{path.name!r} is not a TOML file: it is nested too deeply.") from error
    except ValueError as error:  # TOMLDecodeError, or a number of too many digits
        raise DataError(f"{path.name!r} is not a TOML file: {error}.") from error


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a value comes from; a reconstructed one also has its least and greatest sensible value (`low`, `high`)."""

    tag: str
    source: str = ""
    reason: str = ""
    low: str = ""
    high: str = ""


@dataclass(frozen=True)
class ProvenanceTable:
    """The provenance of one table: what is said of a cell, else of its row, else the table's default."""

    default: Provenance
    cells: dict[tuple[str, str], Provenance]

    def __call__(self, key: str, column: str = "*") -> Provenance:
        """Provenance of the cell (key, column)."""
        return self.cells.get((key, column)) or self.cells.get((key, "*")) or self.default

    def __iter__(self) -> Iterator[tuple[tuple[str, str], Provenance]]:
        """Every stated (key, column) with its provenance."""
        return iter(self.cells.items())


@lru_cache(maxsize=64)
def provenance(name: str) -> ProvenanceTable:
    """Provenance of the table `name` (e.g. "charts/ocs/terrain_effects.csv"), read from the `.prov.csv` beside it."""
    default = Provenance("printed")
    for row in read_rows("schema/tables.csv"):
        if Path(name).match(row["path"]):
            default = Provenance(row["default_tag"], row["default_source"])
            break
    beside = data_root() / name.replace(".csv", ".prov.csv")
    rows = read_rows(beside) if beside.exists() else []
    cells = {
        (r["key"], r["column"] or "*"): Provenance(
            r["tag"], r.get("source") or "", r.get("reason") or "", r.get("low") or "", r.get("high") or ""
        )
        for r in rows
    }
    return ProvenanceTable(default, cells)


def range_fault(wanted: str, text: str) -> str:
    """What a number should be to lie within a range of the schema such as `0..100`, or "" when it does."""
    least, _, most = wanted.partition("..")
    value = Fraction(text) if wanted else 0
    if (least and value < Fraction(least)) or (most and value > Fraction(most)):
        return f"a number from {least} to {most}"
    return ""


def digest(*names: str) -> str:
    """A short hash of the named data files, for saves and precomputed lines."""
    h = hashlib.blake2b(digest_size=12)
    for name in names:
        h.update(name.encode())
        h.update(data_path(name).read_bytes())
    return h.hexdigest()
