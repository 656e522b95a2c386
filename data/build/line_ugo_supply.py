"""Supplies, transport, hedgehogs and bases of the historical line: a bookkeeping of tokens that must balance.

The flows are ours (data/sources/history/u-go_flows.csv, each with its reason). Where a flow gives no number it is
worked out for the units that it names: eating 1T per 2 RE (Allied) or per 10 counters (Japanese, 2.5a), fuel 1T for
each Truck or Track unit that moved (1.5); no unit is charged twice in a turn. Stock of the next turn = stock + income -
use - loss, or the build stops.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from line_ugo_positions import OFF_MAP, TURNS, Line

from burma_study.datafiles import read_rows

IN = {"income": "income", "hump": "income", "capture": "captured"}
OUT = {
    "eat": "eaten",
    "fuel": "fuel",
    "combat": "combat",
    "refit": "refit",
    "build": "built",
    "lost": "lost",
}
COLUMNS = ["income", "captured", "received", "sent", *dict.fromkeys(OUT.values())]


@dataclass
class Row:
    """One holder of tokens in one turn: its stock at the start and what comes and goes until the next."""

    stock: int
    flows: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    reasons: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, column: str, tokens: int, reason: str) -> None:
        self.flows[column] += tokens
        self.reasons[column].append(f"{tokens}T: {reason}")

    @property
    def after(self) -> int:
        gained = sum(self.flows[c] for c in ("income", "captured", "received"))
        return self.stock + gained - sum(self.flows[c] for c in COLUMNS if c not in ("income", "captured", "received"))


Positions = dict[str, dict[str, dict[str, str]]]


class Supplies:
    """The books of both sides, turn by turn."""

    def __init__(self, line: Line, rows: list[dict[str, str]]) -> None:
        self.line = line
        self.at: Positions = defaultdict(dict)
        for row in rows:
            self.at[row["date"]][row["unit"]] = row
        self.transport = self.read_transport()
        self.flows = read_rows("sources/history/u-go_flows.csv")
        self.turns: list[dict[tuple[str, str], Row]] = []
        self.fuelled: dict[int, set[str]] = {}  # units whose fuel of a turn has been paid, so that none pays twice
        self.fed: dict[int, set[str]] = {}  # and units that have eaten
        self.run()

    def read_transport(self) -> list[dict[str, str]]:
        """One row a carrier and turn; '@unit' in the source means the hex of that unit."""
        out = []
        for row in read_rows("sources/history/u-go_transport.csv"):
            for n, day in enumerate(TURNS, 1):
                cell = row[day.isoformat()]
                spot = self.at[day.isoformat()][cell[1:]]["hex"] if cell.startswith("@") else cell
                if spot:
                    out.append({**row, "date": day.isoformat(), "turn": str(n), "hex": spot})
        return out

    def hex_of(self, holder: str, day: str) -> str:
        found = [t["hex"] for t in self.transport if t["id"] == holder and t["date"] == day]
        return found[0] if found else holder if "/" not in holder else ""

    def start(self) -> dict[tuple[str, str], Row]:
        rows = read_rows("scenarios/ocs/u-go.units.csv")
        out = {}
        for r in rows:
            if r["kind"] == "SP" and r["setup"] in ("historical", "both"):
                holder = r["hex"] or "silchar"
                out[(r["side"], holder)] = Row(int(r["tokens"]))
        return out

    def run(self) -> None:
        books = self.start()
        for n in range(1, len(TURNS) + 1):
            self.turns.append(books)
            for flow in (f for f in self.flows if int(f["turn"]) == n):
                self.post(books, flow, n)
            short = {k: r.after for k, r in books.items() if r.after < 0}
            if short:
                raise SystemExit(f"turn {n}: below nothing: {short}")
            books = {k: Row(r.after) for k, r in books.items() if r.after}

    def post(self, books: dict[tuple[str, str], Row], flow: dict[str, str], n: int) -> None:
        side, kind, source, to = flow["side"], flow["kind"], flow["from"], flow["to"]
        tokens = int(flow["tokens"]) if flow["tokens"] else 0
        reason = flow["reason"]
        if not flow["tokens"]:
            tokens, sum_ = self.eaten(flow, n) if kind == "eat" else self.fuel(flow, n)
            reason = f"{reason}; {sum_}"
        if tokens == 0:
            return
        if kind in IN:
            books.setdefault((side, to), Row(0)).add(IN[kind], tokens, reason)
            return
        if (side, source) not in books:
            raise SystemExit(f"turn {n}: {side} {source} holds nothing for {flow}")
        if kind in OUT:
            books[(side, source)].add(OUT[kind], tokens, reason)
            return
        books[(side, source)].add("sent", tokens, f"to {to}: {reason}")
        books.setdefault((side, to), Row(0)).add("received", tokens, f"from {source}: {reason}")

    def named(self, flow: dict[str, str], day: str, charged: set[str], what: str) -> list[str]:
        """The units that a flow names; the build stops for one that is charged twice or is not on the map."""
        units = [u for u in flow["units"].split(";") if u]
        where = f"turn {flow['turn']}, {what} from {flow['from']}"
        if not units:
            raise SystemExit(f"{where}: neither tokens nor units")
        twice, away = charged & {*units}, [u for u in units if self.at[day][u]["hex"] in OFF_MAP]
        if twice or len({*units}) < len(units) or away:
            raise SystemExit(f"{where}: charged twice {sorted(twice)}, not on the map {away}")
        if wrong := [u for u in units if self.line.side(u) != flow["side"]]:
            raise SystemExit(f"{where}: units of the other side {wrong}")
        charged.update(units)
        return units

    def eaten(self, flow: dict[str, str], n: int) -> tuple[int, str]:
        """Tokens eaten in the Supply Phase of turn `n`, at the positions that its movement leads to."""
        day = TURNS[min(n, len(TURNS) - 1)].isoformat()
        units = self.named(flow, day, self.fed.setdefault(n, set()), "eaten")
        if flow["side"] == "japanese":
            return ceil(len(units) / 10), f"{len(units)} counters at 1T per 10"
        weight = sum((self.line.weight(u) for u in units), Fraction(0))
        return ceil(weight / 2), f"{float(weight):g} RE at 1T per 2"

    def fuel(self, flow: dict[str, str], n: int) -> tuple[int, str]:
        """1T for each Truck or Track unit named, all of which must move in turn `n` and not be carried."""
        day = TURNS[min(n, len(TURNS) - 1)].isoformat()
        units = self.named(flow, day, self.fuelled.setdefault(n, set()), "fuel")
        if still := [u for u in units if not self.pays(u, day)]:
            raise SystemExit(f"turn {n}: fuel for {still}, which do not move on wheels or tracks")
        return len(units), "1T each for " + ", ".join(self.line.counters[u]["label"] for u in units)

    def pays(self, unit: str, day: str) -> bool:
        paced = self.at[day][unit]["pace"] in ("move", "strat", "over")
        return paced and self.line.counters[unit]["m_move"] != "leg"

    def unpaid(self) -> list[tuple[int, str]]:
        """Units that moved and found no token: they are listed, not hidden."""
        out = []
        for n, day in enumerate((t.isoformat() for t in TURNS[1:]), 1):
            moved = {u for u in self.at[day] if self.pays(u, day)}
            out += [(n, u) for u in sorted(moved - self.fuelled.get(n, set()))]
        return out

    def rows(self) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
        """The table of supplies and its provenance."""
        table, prov = [], []
        for n, (day, books) in enumerate(zip(TURNS, self.turns, strict=True), 1):
            for (side, holder), row in sorted(books.items()):
                spot = self.hex_of(holder, day.isoformat()) or "-"
                cells = {c: str(row.flows[c]) for c in COLUMNS}
                base = {"date": day.isoformat(), "turn": str(n), "side": side, "holder": holder, "hex": spot}
                table.append(base | {"stock": str(row.stock)} | cells)
                if n == 1 and row.stock:
                    key = f"{day.isoformat()}/{side}/{holder}"
                    prov.append({"key": key, "column": "stock", "tag": "printed", "source": "set-up"})
                for column, reasons in row.reasons.items():
                    key = f"{day.isoformat()}/{side}/{holder}"
                    prov.append({"key": key, "column": column, "tag": "reconstructed", "reason": "; ".join(reasons)})
        return table, prov
