"""Play every golden game anew and store it with what it came to: `python tests/golden/make.py`."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from counting import counts
from games import GAMES, HERE, result

FIELDS = ("name", "records", "digest", "victory", "japanese", "allied", "why")


def main() -> int:
    """Write the saves and `expected.csv`; 1 when a game does less than it must."""
    rows, poor = [], 0
    for golden in GAMES:
        session, run = golden.played()
        session.save(golden.path)
        rows.append({"name": golden.name, **result(session)})
        done = counts(session)
        lacking = {what: done[what] for what, least in golden.least.items() if done[what] < least}
        poor += bool(lacking)
        size = golden.path.stat().st_size
        print(f"{golden.name}: {run.orders} orders in {run.seconds:.1f} s, {size / 1e3:.0f} kB, {rows[-1]['victory']}")
        print(f"  {dict(sorted(done.items()))}" + (f"\n  LACKING {lacking}" if lacking else ""))
    with (HERE / "expected.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return int(poor > 0)


if __name__ == "__main__":
    sys.exit(main())
