"""The charts of OCS Burma as typed, frozen values; a reader's own chart can stand in for any of them.

Movement costs come out in twelfths of an MP, factors as fractions, supply in tokens. Every table is a CSV file in
`data/charts/ocs`; what is printed and what is our proposal stands beside it (`Charts.provenance`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from burma_study.datafiles import Provenance, commas, data_path, provenance, read_rows
from burma_study.errors import ChartError, Problem, did_you_mean
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.chart_files import CLASSES, KEYS, MOVERS, Result, check_text, parse_result, row_key

Exact = Fraction | int  # whole numbers stay int, with which sums and products are many times faster
Factors = Mapping[str, Exact]
MP = 12
__all__ = ["Charts", "Result", "chart_names", "charts_for", "check_chart", "own_chart", "parse_result"]


def _mp(text: str) -> int | None:
    return int(Fraction(text) * MP) if text else None


def _factors(row: Mapping[str, str], prefix: str, suffix: str = "") -> Factors:
    return {c: _exact(row[f"{prefix}_{c}{suffix}"] or "1") for c in CLASSES}


def _exact(text: str) -> Exact:
    value = Fraction(text)
    return value.numerator if value.denominator == 1 else value


@dataclass(frozen=True, slots=True)
class TerrainEffects:
    """One area terrain: costs in twelfths of an MP (None: may not enter), combat category, factors by class."""

    terrain: str
    off_road: Mapping[str, int | None]
    on_track: Mapping[str, int | None]
    category: str
    category_road: str
    attack: Factors
    attack_road: Factors
    defence: Factors

    @property
    def leg(self) -> int | None:
        """Leg cost off road and track."""
        return self.off_road["leg"]

    def cost(self, mobility: str, on_track: bool = False) -> int | None:
        """Twelfths of an MP to enter by `leg`, `truck` or `track`; None where it may not."""
        return (self.on_track if on_track else self.off_road)[mobility]


@dataclass(frozen=True, slots=True)
class FeatureEffects:
    """A village or city: the category and factors it gives its hex."""

    feature: str
    category: str
    attack: Factors
    defence: Factors


@dataclass(frozen=True, slots=True)
class HexsideEffects:
    """A river hexside: twelfths of an MP added (None: may not cross), factors on attackers (empty: the river's)."""

    hexside: str
    cost: Mapping[str, int | None]
    attack: Factors
    flood_as: str


@dataclass(frozen=True, slots=True)
class Change:
    """What the ground condition does to a movement cost: add, times, set (value in twelfths, or a factor) or bar."""

    op: str
    value: Fraction

    def apply(self, cost: int | None) -> int | None:
        """The changed cost in twelfths; None: may not."""
        if cost is None or self.op == "bar":
            return None
        new = {"add": cost + self.value * MP, "times": cost * self.value, "set": self.value * MP}[self.op]
        return int(new)


@dataclass(frozen=True, slots=True)
class CombatTable:
    """`cells[roll][column]`, both from 0 (roll 0 is "1 or less"); odds and their labels by category of the hex.

    `results` are the different cells, `numbered` is the table again with the place of each cell among them.
    """

    cells: tuple[tuple[Result, ...], ...]
    results: tuple[Result, ...]
    numbered: tuple[tuple[int, ...], ...]
    odds: Mapping[str, tuple[Fraction, ...]]
    labels: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a barrage table: points before shifts (None: no limit) and cost in tokens."""

    low: int | None
    high: int | None
    cost_1999: int
    cost_v43: int | None

    @property
    def label(self) -> str:
        """As printed: "1 or less", "5-7", "117+"."""
        if self.low is None:
            return f"{self.high} or less"
        if self.high is None:
            return f"{self.low}+"
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


@dataclass(frozen=True, slots=True)
class Forage:
    """One outcome of the Forage Effects Table: what becomes of the marker, whether the step is lost."""

    choice: str
    marker: str
    loses_step: bool


@dataclass(frozen=True, slots=True)
class Capture:
    """Percent captured on a die of 1 to 6, hexes the owner moves the rest, or the rest is `destroyed`."""

    percent: tuple[int, ...]
    displace: int
    rest: str


@dataclass(frozen=True)
class Charts:
    """Every chart of the game; `user` holds a reader's own CSV texts by table name."""

    user: tuple[tuple[str, str], ...] = ()

    def __hash__(self) -> int:
        return hash(self.user)

    def rows(self, name: str) -> list[dict[str, str]]:
        """The rows of a table as text, the reader's own if he gave one."""
        for own, text in self.user:
            if own == name:
                return list(csv.DictReader(io.StringIO(commas(text.lstrip("\ufeff")), newline="")))
        return read_rows(f"charts/ocs/{name}.csv")

    def provenance(self, name: str, key: str, column: str) -> Provenance:
        """Where the value of a cell comes from; a reader's own chart counts as printed."""
        if any(own == name for own, _ in self.user):
            return Provenance("printed", "the reader's own chart")
        return provenance(f"charts/ocs/{name}.csv")(key, column)

    def value(self, name: str, key: str, column: str) -> str:
        """The text of one cell."""
        return self._cells(name)[key][column]

    def with_value(self, name: str, key: str, column: str, value: str) -> Charts:
        """These charts with one cell changed, to see what depends on it."""
        rows = self.rows(name)
        for row in rows:
            if row_key(name, row) == key:
                row[column] = value
        out = io.StringIO()
        writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return charts_for((*((n, t) for n, t in self.user if n != name), (name, out.getvalue())))

    @lru_cache(maxsize=64)  # noqa: B019 - few charts exist and they live as long as the process
    def _cells(self, name: str) -> dict[str, dict[str, str]]:
        return {row_key(name, row): row for row in self.rows(name)}

    @cached_property
    @rule("ocs/1.4a", "ocs/1.4e", "ocs-series/6.2", "ocs/1.4")
    def terrain(self) -> Mapping[str, TerrainEffects]:
        """Area terrain: clear, jungle, rough, mountain, lake (OCS 6.2, 9.3; Burma 1.4)."""
        return {
            r["terrain"]: TerrainEffects(
                r["terrain"],
                {m: _mp(r[m]) for m in MOVERS},
                {m: _mp(r[f"{m}_on_track"]) for m in MOVERS},
                r["category"],
                r["category_road"],
                _factors(r, "attack"),
                _factors(r, "attack", "_road"),
                _factors(r, "defence"),
            )
            for r in self.rows("terrain_effects")
        }

    @cached_property
    def feature(self) -> Mapping[str, FeatureEffects]:
        """Village and city."""
        return {
            r["feature"]: FeatureEffects(r["feature"], r["category"], _factors(r, "attack"), _factors(r, "defence"))
            for r in self.rows("feature_effects")
        }

    @cached_property
    @rule("ocs/1.4b")
    def hexside(self) -> Mapping[str, HexsideEffects]:
        """Rivers, crossings and bridges (OCS 6.2, 9.3; Burma 1.4b)."""
        return {
            r["hexside"]: HexsideEffects(
                r["hexside"],
                {m: _mp(r[m]) for m in MOVERS},
                {c: _exact(r[f"attack_{c}"]) for c in CLASSES if r[f"attack_{c}"]},
                r["flood_as"],
            )
            for r in self.rows("hexside_effects")
        }

    @cached_property
    @rule("ocs/1.4c", "ocs/1.4d")
    def route(self) -> Mapping[str, Mapping[str, int | None]]:
        """Twelfths of an MP a hex along a route, by kind and mover; None: by the terrain of the hex."""
        return {r["route"]: {m: _mp(r[m]) for m in MOVERS} for r in self.rows("route_effects")}

    @cached_property
    def weather(self) -> Mapping[tuple[str, str, str], Change]:
        """(ground, terrain or route, mover) to the change of its cost; absent: unchanged."""
        return {
            (r["ground"], r["feature"], r["mover"]): Change(r["op"], Fraction(r["value"] or 0))
            for r in self.rows("weather_effects")
        }

    @cached_property
    @rule("ocs-series/9.9-table")
    def combat(self) -> CombatTable:
        """The Combat Table (OCS 9.9)."""
        columns = [f"c{i}" for i in range(1, 14)]
        heads = {r["category"]: tuple(r[c] for c in columns) for r in self.rows("odds_columns")}
        rows = sorted(self.rows("combat_table"), key=lambda r: int(r["roll"]))
        cells = tuple(tuple(parse_result(r[c]) for c in columns) for r in rows)
        results = tuple(dict.fromkeys(cell for line in cells for cell in line))
        places = {cell: i for i, cell in enumerate(results)}
        return CombatTable(
            cells,
            results,
            tuple(tuple(places[cell] for cell in line) for line in cells),
            {k: tuple(_ratio(t) for t in texts) for k, texts in heads.items()},
            heads,
        )

    @cached_property
    @rule("ocs-series/9.8")
    def surprise(self) -> Mapping[str, tuple[int, int]]:
        """Kind of attack to (attacker surprise on this or more, defender surprise on this or less) (OCS 9.8)."""
        return {r["kind"]: (int(r["attacker_min"]), int(r["defender_max"])) for r in self.rows("surprise")}

    @cached_property
    def combat_values(self) -> Mapping[str, Fraction]:
        """Single numbers of the combat rules by name."""
        return {r["name"]: Fraction(r["value"]) for r in self.rows("combat_values")}

    @cached_property
    @rule("ocs-series/10.1")
    def barrage(self) -> tuple[tuple[str, ...], ...]:
        """`barrage[roll - 2][column]`: -, DG, 1/2, [1/2], 1, 2, 3 (OCS 10.1)."""
        rows = sorted(self.rows("barrage_table"), key=lambda r: int(r["roll"]))
        return tuple(tuple(r[f"b{i}"] for i in range(1, 12)) for r in rows)

    @cached_property
    @rule("ocs-series/10.0c")
    def facility(self) -> tuple[tuple[str, ...], ...]:
        """`facility[die - 1][column]`: n hits, (n) aircraft lose on n or more, * trainbusting (OCS 10.0c)."""
        rows = sorted(self.rows("facility_table"), key=lambda r: int(r["roll"]))
        return tuple(tuple(r[f"f{i}"] for i in range(1, 9)) for r in rows)

    @cached_property
    @rule("ocs/opt.8", "ocs/opt.8-unit", "ocs/opt.8-facility", "ocs/opt.8-dump", "ocs-series/10.1-cost")
    def barrage_columns(self) -> Mapping[str, tuple[Column, ...]]:
        """Columns of the `barrage`, `facility` and `dump` tables with their cost (Opt.8)."""
        found: dict[str, list[Column]] = {}
        for r in self.rows("barrage_costs"):
            low, high, new = (int(r[c]) if r[c] else None for c in ("low", "high", "cost_v43"))
            found.setdefault(r["table"], []).append(Column(low, high, int(r["cost_1999"]), new))
        return {table: tuple(columns) for table, columns in found.items()}

    @cached_property
    @rule("ocs/opt.7")
    def density(self) -> tuple[tuple[Fraction | None, int], ...]:
        """(up to this many RE, shift), the last without limit (Opt.7)."""
        return tuple(
            (Fraction(r["up_to"]) if r["up_to"] else None, int(r["shift"])) for r in self.rows("barrage_density")
        )

    @cached_property
    @rule("ocs-series/10.1-shifts")
    def barrage_shifts(self) -> Mapping[str, tuple[int, bool, bool]]:
        """Cause to (shift, used in 1999, used in v4.3)."""
        return {
            r["name"]: (int(r["shift"]), r["in_1999"] == "yes", r["in_v43"] == "yes")
            for r in self.rows("barrage_shifts")
        }

    @cached_property
    @rule("ocs-series/12.8")
    def attrition(self) -> Mapping[int, tuple[int | None, int, int, int]]:
        """Action rating to the highest rolls that cost 0, 1, 2 and 4 steps; above, all are lost (OCS 12.8b)."""
        return {
            int(r["ar"]): (int(r["none"]) if r["none"] else None, int(r["one"]), int(r["two"]), int(r["four"]))
            for r in self.rows("attrition")
        }

    @cached_property
    @rule("ocs/1.6")
    def forage(self) -> Mapping[tuple[str, bool, bool], tuple[Forage, ...]]:
        """(japanese or chindit, marked out of supply, step loss) to the outcomes to choose from (Burma 1.6)."""
        found: dict[tuple[str, bool, bool], tuple[Forage, ...]] = {}
        for r in self.rows("forage"):
            key = (r["who"], r["marked"] == "yes", r["attrition"] == "step_loss")
            found[key] = (*found.get(key, ()), Forage(r["choice"], r["marker"], r["loses_step"] == "yes"))
        return found

    @cached_property
    @rule("ocs/1.2-capture")
    def capture(self) -> Mapping[str, Capture]:
        """dump, truck, wagon, mule, elephant, buffalo (OCS 9.14b-c; Burma 1.2, 2.5d)."""
        return {
            r["kind"]: Capture(tuple(int(r[f"d{i}"]) for i in range(1, 7)), int(r["displace"]), r["rest"])
            for r in self.rows("capture")
        }

    @cached_property
    def dump_blowing(self) -> tuple[int, ...]:
        """Percent destroyed on a die of 1 to 6 (OCS 12.11a)."""
        return tuple(int(r["percent"]) for r in sorted(self.rows("dump_blowing"), key=lambda r: int(r["die"])))

    @cached_property
    @rule("ocs-series/12.4")
    def supply_costs(self) -> Mapping[str, int]:
        """Costs and limits of supply by name, in the unit of the table's row."""
        return {r["name"]: int(r["value"]) for r in self.rows("supply_costs")}

    @cached_property
    @rule("ocs/3.5a")
    def air_drop(self) -> Mapping[tuple[str, str], Mapping[str, int]]:
        """(friendly or enemy, clear or closed) to the rolls of one die that fail, at most (Burma 3.5a)."""
        return {
            (r["hex"], r["ground"]): {"glider": int(r["glider"]), "paradrop": int(r["paradrop"])}
            for r in self.rows("air_drop")
        }

    @cached_property
    @rule("ocs/3.9")
    def ledo_building(self) -> Mapping[str, int]:
        """Category to the roll of one die that builds a hex of the Ledo Road (Burma 3.9a)."""
        return {r["category"]: int(r["needs"]) for r in self.rows("ledo_building")}


def _ratio(text: str) -> Fraction:
    attack, _, defence = text.partition(":")
    return Fraction(int(attack), int(defence))


def chart_names() -> tuple[str, ...]:
    """Names of the charts a reader may replace."""
    return tuple(KEYS)


def check_chart(name: str, text: str) -> list[Problem]:
    """Everything wrong with a reader's own chart: unknown chart, columns, rows, types; empty when it can be used."""
    if not _is_text(text):
        return [Problem("no_table", f"the chart is {text!r}, and no CSV text.", f"{name}.csv")]
    if not _is_text(name) or name not in KEYS:
        near = did_you_mean(name, KEYS)
        return [Problem("unknown_chart", f"there is no chart {name!r} in OCS Burma.", hint=near)]
    return check_text(name, text, read_rows(f"charts/ocs/{name}.csv"))


def own_chart(name: str, text: str) -> tuple[str, str]:
    """A reader's chart ready for `Rules.user_charts`; ChartError listing every problem otherwise."""
    _refuse(check_chart(name, text), [name])
    return name, text


def _refuse(problems: Sequence[Problem], names: Iterable[str]) -> None:
    if problems:
        count = len(problems)
        raise ChartError(
            f"The chart {', '.join(map(repr, names))} has {count} problem{'s' * (count > 1)}; first: {problems[0]}",
            problems,
        )


def charts_for(user: tuple[tuple[str, str], ...] = ()) -> Charts:
    """The charts with a reader's own in place of ours; ChartError listing every problem when one cannot be used."""
    if user != () and not _are_pairs(user):
        raise ChartError(f"{user!r} are no charts; give pairs of a chart's name and its CSV text.")
    return _charts_for(user)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_pairs(user: object) -> bool:
    pairs = user if isinstance(user, tuple) else (None,)
    return all(isinstance(own, tuple) and len(own) == 2 and all(map(_is_text, own)) for own in pairs)


@lru_cache(maxsize=64)
def _charts_for(user: tuple[tuple[str, str], ...]) -> Charts:
    for name, text in user:
        _refuse(check_chart(name, text), [name])
    return Charts(user)


def chart_text(name: str) -> str:
    """The CSV text of a chart as shipped: the form in which a reader gives his own."""
    if name not in chart_names():
        raise ChartError(f"There is no chart {name!r} in OCS Burma. {did_you_mean(name, KEYS)}".strip())
    return data_path(f"charts/ocs/{name}.csv").read_text(encoding="utf-8")
