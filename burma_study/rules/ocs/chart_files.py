"""What a chart file must look like: its key columns, its cell types, and a check that names every problem."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from burma_study.datafiles import commas, range_fault, read_rows
from burma_study.errors import ChartError, Problem, did_you_mean

CLASSES = ("armor", "mech", "other")
MOVERS = ("leg", "truck", "track")
KEYS = {
    "terrain_effects": ("terrain",),
    "feature_effects": ("feature",),
    "hexside_effects": ("hexside",),
    "route_effects": ("route",),
    "weather_effects": ("ground", "feature", "mover"),
    "combat_table": ("roll",),
    "odds_columns": ("category",),
    "surprise": ("kind",),
    "combat_values": ("name",),
    "barrage_table": ("roll",),
    "facility_table": ("roll",),
    "barrage_costs": ("table", "column"),
    "barrage_density": ("up_to",),
    "barrage_shifts": ("name",),
    "attrition": ("ar",),
    "forage": ("who", "marked", "attrition", "choice"),
    "capture": ("kind",),
    "dump_blowing": ("die",),
    "supply_costs": ("name",),
    "air_combat": ("edition", "low"),
    "air_values": ("name",),
    "air_drop": ("hex", "ground"),
    "air_base_capture": ("low",),
    "refit": ("place",),
    "mission_loss": ("aircraft",),
    "flak": ("name",),
    "ledo_building": ("category",),
    "ledo_modifiers": ("name",),
}
_FREE_ROWS = frozenset({"weather_effects", "barrage_density", "air_combat", "air_base_capture"})
_RESULT = re.compile(
    r"(?:A(?=[Loe])(?:L(?P<al>\d))?(?:o(?P<ao>\d))?(?:e(?P<e>\d))?)?"
    r" ?(?:D(?=[LoD])(?:L(?P<dl>\d))?(?:o(?P<do>\d))?(?P<dg>DG)?)?"
)
_FACILITY = re.compile(r"-|\d?\*?(?:\([1-6]\))?")
_ODDS = re.compile(r"[1-9]\d*:[1-9]\d*")


@dataclass(frozen=True, slots=True)
class Result:
    """A cell of the Combat Table: steps lost and options of each side, exploit AR (None: no), defender DG."""

    text: str
    attacker_losses: int = 0
    attacker_options: int = 0
    exploit: int | None = None
    defender_losses: int = 0
    defender_options: int = 0
    dg: bool = False

    def as_dict(self) -> dict[str, object]:
        """Shape for JSON."""
        return {
            "attacker": {"losses": self.attacker_losses, "options": self.attacker_options, "exploit": self.exploit},
            "defender": {"losses": self.defender_losses, "options": self.defender_options, "dg": self.dg},
        }


@lru_cache(maxsize=256)
def parse_result(text: str) -> Result:
    """A cell such as "Ao1e4 DL1o2" (OCS 9.9); ChartError when it is none."""
    found = _RESULT.fullmatch(text)
    if not found or not text.strip():
        raise ChartError(f"{text!r} is not a combat result; write it as 'AL1o1 Do1' or 'Ae3 DL2o2DG'.")
    n = {k: int(v) for k, v in found.groupdict("0").items() if k != "dg"}
    return Result(text, n["al"], n["ao"], n["e"] or None, n["dl"], n["do"], bool(found["dg"]))


def row_key(name: str, row: Mapping[str, str]) -> str:
    """The key of a row: its key columns joined by `/`."""
    return "/".join(row[c] for c in KEYS[name])


@dataclass(frozen=True, slots=True)
class _Column:
    """A column as the schema has it: type, unit, default, and the range of its numbers, such as `0..100`."""

    kind: str
    unit: str
    default: str
    range: str


@lru_cache(maxsize=64)
def _types(name: str) -> dict[str, _Column]:
    """The columns of a chart."""
    wanted = f"charts_ocs_{name}"
    return {
        r["column"]: _Column(r["type"], r["unit"], r["default"], r.get("range") or "")
        for r in read_rows("schema/columns.csv")
        if r["table"] == wanted
    }


def _cell_fault(column: _Column, text: str) -> str:
    """What a cell should be, or "" when it is."""
    kind = column.kind
    if not text:
        return ""
    if kind.startswith("enum:"):
        allowed = kind[5:].split("|")
        return "" if text in allowed else f"one of {', '.join(allowed)}"
    if kind == "bool":
        return "" if text in ("yes", "no") else "yes or no"
    if kind == "int":
        return range_fault(column.range, text) if _WHOLE.fullmatch(text) else "a whole number"
    if kind == "fraction":
        return _fraction_fault(column, text)
    return ""


def _fraction_fault(column: _Column, text: str) -> str:
    if not _FRACTION.fullmatch(text):
        return "a number such as 2, 1/2 or 0.5"
    if column.unit == "MP" and Fraction(text) * 12 % 1:
        return "a number of MP that is a multiple of 1/12"
    return range_fault(column.range, text)


_WHOLE = re.compile(r"-?[0-9]{1,9}")
_FRACTION = re.compile(r"-?[0-9]{1,9}(?:/0*[1-9][0-9]{0,8}|\.[0-9]{1,9})?")


def _text_fault(name: str, column: str, text: str) -> str:
    """The form of cells whose type is only text."""
    if name == "combat_table" and column != "roll":
        ok = bool(text.strip()) and _RESULT.fullmatch(text)
        return "" if ok else "a combat result such as 'AL1o1 Do1'"
    if name == "facility_table" and column != "roll":
        return "" if text and _FACILITY.fullmatch(text) else "a facility result such as '-', '1*(4)' or '(6)'"
    if name == "odds_columns" and column != "category":
        return "" if _ODDS.fullmatch(text) else "odds such as 3:1"
    return ""


def check_text(name: str, text: str, shipped: Sequence[Mapping[str, str]]) -> list[Problem]:
    """Every problem of a CSV text against the shipped rows of the chart `name`."""
    file = f"{name}.csv"
    try:
        reader = csv.DictReader(io.StringIO(commas(text.lstrip("\ufeff")), newline=""))
        columns = list(reader.fieldnames or ())
        rows = list(reader)
    except csv.Error as error:
        return [Problem("no_table", f"it is not a CSV table: {error}.", file)]
    problems = _column_problems(file, columns, list(shipped[0]))
    if problems:
        return problems
    keys = [row_key(name, {c: (r[c] or "") for c in KEYS[name]}) for r in rows]
    for number, row in enumerate(rows, 2):
        if None in row or None in row.values():
            problems.append(Problem("row_length", f"the row does not have {len(columns)} cells.", file, number))
        else:
            problems += _row_problems(name, file, number, row) or _sense_problems(name, file, number, row)
    problems = problems + _key_problems(name, file, keys, [row_key(name, r) for r in shipped])
    return problems or _table_problems(name, file, rows)


def _column_problems(file: str, columns: Sequence[str], wanted: Sequence[str]) -> list[Problem]:
    missing = [c for c in wanted if c not in columns]
    problems = [
        Problem("missing_column", f"there is no column {c!r}.", file, 1, c, f"Columns are {', '.join(wanted)}.")
        for c in missing
    ]
    for c in columns:
        if c not in wanted:
            problems.append(Problem("wrong_column", f"{c!r} is no column here.", file, 1, c, did_you_mean(c, wanted)))
        elif columns.count(c) > 1:
            problems.append(Problem("double_column", f"{c!r} stands more than once.", file, 1, c))
    return problems


def _row_problems(name: str, file: str, number: int, row: Mapping[str, str]) -> list[Problem]:
    needed = _required_cells(name)
    found: list[Problem] = []
    for column, about in _types(name).items():
        text = row[column]
        fault = _cell_fault(about, text) or _text_fault(name, column, text) or _value_fault(name, column, row)
        if not text.strip() and not about.default and column in needed:
            fault = "a value"
        if fault:
            message = f"{text!r} is not accepted." if text else "the cell is empty."
            found.append(Problem("wrong_value", message, file, number, column, f"Write {fault}."))
    return found


def _value_fault(name: str, column: str, row: Mapping[str, str]) -> str:
    """What the row demands of a number: no negative ones but modifiers, nothing that would divide by 0."""
    text = row[column]
    if name == "mission_loss":
        return _loser_fault(column, row)
    if column != "value" or not text or row.get("name") not in _units(name):
        return ""
    least = "1" if row["name"] in _DIVISORS else "0"
    return "" if _units(name)[row["name"]].startswith("drm") else range_fault(f"{least}..1000", text)


def _loser_fault(column: str, row: Mapping[str, str]) -> str:
    """Who is lost of a mission: one of as many aircraft as the row is about, or one by its strength."""
    text, count = row[column], row["aircraft"]
    if column == "aircraft" or not _WHOLE.fullmatch(count) or text in _BY_STRENGTH:
        return ""
    if re.fullmatch(r"[1-9][0-9]{0,8}", text) and int(text) <= int(count):
        return ""
    return f"the number of an aircraft of the mission, {' or '.join(_BY_STRENGTH)}"


_BY_STRENGTH = ("weakest_barrage", "strongest_barrage")


@lru_cache(maxsize=8)
def _units(name: str) -> dict[str, str]:
    """The unit of each row's number in a shipped chart whose rows have units of their own."""
    rows = read_rows(f"charts/ocs/{name}.csv")
    return {r["name"]: r["unit"] for r in rows if "name" in r and "unit" in r}


_DIVISORS = frozenset({"token", "eat_re", "eat_japanese_counters", "extender_points", "re_weight"})


def _sense_problems(name: str, file: str, number: int, row: Mapping[str, str]) -> list[Problem]:
    """What is well written but cannot be used: odds that do not rise, surprise for both sides on one roll."""
    if name == "odds_columns":
        odds = [Fraction(*map(int, text.split(":"))) for column, text in row.items() if column != "category"]
        if any(a >= b for a, b in pairwise(odds)):
            return [Problem("not_rising", "the odds do not rise from column to column.", file, number)]
    if name == "surprise" and int(row["attacker_min"]) <= int(row["defender_max"]):
        message = "a roll would surprise both sides."
        return [Problem("both_surprised", message, file, number, "attacker_min", "Write more than defender_max.")]
    if name == "attrition":
        rolls = [int(row[c]) for c in ("none", "one", "two", "four") if row[c]]
        if any(a > b for a, b in pairwise(rolls)):
            return [Problem("not_rising", "a higher roll would cost fewer steps.", file, number)]
    if row.get("low") and row.get("high") and int(row["low"]) > int(row["high"]):
        return [Problem("not_rising", "low is more than high.", file, number, "low", "Write at most high.")]
    return []


_RUNS = {"air_combat": "edition", "air_base_capture": "", "barrage_costs": "table"}


def _table_problems(name: str, file: str, rows: Sequence[Mapping[str, str]]) -> list[Problem]:
    """Rolls or points for which no row speaks, or two; `_RUNS` has the column that says which rows go together."""
    if name == "barrage_density":
        return _density_problems(file, rows)
    if name not in _RUNS:
        return []
    runs: dict[str, list[tuple[int, Mapping[str, str]]]] = {}
    for number, row in enumerate(rows, 2):
        runs.setdefault(row.get(_RUNS[name], ""), []).append((number, row))
    found = [problem for run in runs.values() for problem in _gaps(file, run)]
    wanted = {r[_RUNS[name]] for r in read_rows(f"charts/ocs/{name}.csv")} if _RUNS[name] else {""}
    found += [Problem("missing_row", f"there is no row of {k!r}.", file) for k in sorted(wanted - runs.keys())]
    if name == "air_base_capture" and len({r["loses_step"] for r in rows}) < 2:
        found.append(Problem("missing_row", "a row that loses a step and one that does not are needed.", file))
    return found


def _gaps(file: str, run: Sequence[tuple[int, Mapping[str, str]]]) -> list[Problem]:
    """Each row begins where the one before ends; the first has no `low` and the last no `high`."""
    found: list[Problem] = []
    end: int | None = None
    for place, (number, row) in enumerate(run):
        last = place == len(run) - 1
        if (row["low"] == "") != (place == 0) or (place and int(row["low"]) != (end or 0) + 1):
            hint = f"Write {'' if end is None else end + 1}." if place else "Leave it empty."
            found.append(Problem("gap", "the row does not begin where the one before ends.", file, number, "low", hint))
        if (row["high"] == "") != last:
            hint = "Leave it empty." if last else "Write where the row ends."
            found.append(Problem("gap", "only the last row has no end.", file, number, "high", hint))
        end = int(row["high"]) if row["high"] else end
    return found


def _density_problems(file: str, rows: Sequence[Mapping[str, str]]) -> list[Problem]:
    limits = [Fraction(r["up_to"]) for r in rows[:-1] if r["up_to"]]
    if len(limits) == len(rows) - 1 and rows[-1]["up_to"] == "" and all(a < b for a, b in pairwise(limits)):
        return []
    message = "the limits do not rise to a last row without one."
    return [Problem("gap", message, file, column="up_to", hint="Leave only the last one empty.")]


@lru_cache(maxsize=64)
def _required_cells(name: str) -> frozenset[str]:
    """Columns that are never empty in the shipped chart, and so need a value; texts only where they are keys."""
    rows, types = read_rows(f"charts/ocs/{name}.csv"), _types(name)
    full = (c for c in rows[0] if all(r[c] for r in rows))
    return frozenset(c for c in full if c in KEYS[name] or types[c].kind != "text")


def _key_problems(name: str, file: str, keys: Sequence[str], shipped: Sequence[str]) -> list[Problem]:
    found = [
        Problem("double_row", f"the row {k!r} stands more than once.", file, n, KEYS[name][0])
        for n, k in enumerate(keys, 2)
        if k in keys[: n - 2]
    ]
    if name in _FREE_ROWS:
        return found
    found += [
        Problem("unknown_row", f"{k!r} is no row of this chart.", file, n, KEYS[name][0], did_you_mean(k, shipped))
        for n, k in enumerate(keys, 2)
        if k not in shipped
    ]
    lost = [k for k in shipped if k not in keys]
    return found + [Problem("missing_row", f"the row {k!r} is missing.", file) for k in lost]
