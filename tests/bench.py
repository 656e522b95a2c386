"""Every promised figure in one plain table: `make bench`, or `python tests/bench.py NAME ...` for some of its parts.

Speed of the library is given as multiples of a peer in the same run, the page's in milliseconds. Run it on a quiet
machine; exit status 1 when a figure misses its goal.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))


@dataclass(frozen=True)
class Figure:
    """A measured figure with its unit; `goal` is the most it may be, None where it is only for comparison."""

    what: str
    value: float
    unit: str
    goal: float | None = None

    @property
    def missed(self) -> bool:
        """Is it over its goal?"""
        return self.goal is not None and not self.value <= self.goal  # not a number misses too


def start() -> Iterator[Figure]:
    """Import and load from a cold process."""
    from bench_supply import IMPORT_LIMIT, LOAD_LIMIT, bench_start

    found = bench_start()
    yield Figure("import burma_study", found["import_s"], "s", IMPORT_LIMIT)
    yield Figure("load U-Go, cold process", found["load_s"], "s")
    yield Figure("load U-Go with supply of both sides, cold process", found["supply_s"], "s", LOAD_LIMIT)


def supply() -> Iterator[Figure]:
    """Supply of both sides of Campaign 1."""
    from bench_supply import FRESH_LIMIT, MOVED_LIMIT, bench_supply

    found = bench_supply()
    yield Figure("one bare scipy search, 8 sources", found["bare_ms"], "ms")
    yield Figure("supply of both sides, state unseen", found["fresh_ms"], "ms")
    yield Figure("supply of both sides, state unseen", found["fresh_ratio"], "x bare", FRESH_LIMIT)
    yield Figure("supply of both sides, one piece moved", found["moved_ms"], "ms")
    yield Figure("supply of both sides, one piece moved", found["moved_ratio"], "x bare", MOVED_LIMIT)
    yield Figure("the bare search by networkx", found["networkx_bare_ms"] / found["bare_ms"], "x bare")
    yield Figure("supply of both sides by networkx, unseen", found["networkx_ratio"], "x bare")


def reach() -> Iterator[Figure]:
    """One unit's reach."""
    from bench_reach import LIMIT, bench_reach

    found = bench_reach()
    for mobility in ("leg", "truck", "track"):
        yield Figure(f"reach of a unit, {mobility}", found[f"{mobility}_us"], "us")
        yield Figure(f"reach of a unit, {mobility}, worst", found[f"{mobility}_ratio"], "x scipy, bounded", LIMIT)
    yield Figure("first reach on a state", found["first_us"], "us")


def odds() -> Iterator[Figure]:
    """Odds of one attack."""
    from bench_odds import LIMIT, bench_odds

    found = bench_odds()
    yield Figure("odds of an attack, from strengths", found["raw_us"], "us")
    yield Figure("odds of an attack, from strengths", found["ratio"], "x numpy", LIMIT)
    yield Figure("odds of an attack, on the map", found["map_ratio"], "x numpy", LIMIT)


def play() -> Iterator[Figure]:
    """Orders, states and saves."""
    import bench_play as bench

    bare, _, order = bench.apply_against_replace()
    yield Figure("an order with check, events and digest", order / bare, "x map replace", bench.APPLY_LIMIT)
    yield Figure(f"{bench.STATES:,} states with records", bench.memory() / 1e6, "MB", bench.MEMORY_LIMIT / 1e6)
    opening, again, _ = bench.replay()
    yield Figure("open a save of 4,000 records", opening, "s")
    yield Figure("run it again, every digest verified", again, "s", bench.REPLAY_LIMIT)
    made, march, _ = bench.march_against_replace()
    yield Figure("a march under the rules", march / made, "x piece made and replaced", bench.APPLY_LIMIT)
    opened, rerun, _ = bench.golden_replay()
    yield Figure("a finished U-Go run again", rerun, "s", bench.REPLAY_LIMIT)
    yield Figure("a finished U-Go run again, to opening its save", rerun / opened, "x opening", bench.REPLAY_RATIO)
    yield Figure("policies play U-Go", bench.policy_game()[0], "s", bench.GAME_LIMIT)


def page() -> Iterator[Figure]:
    """The U-Go page in a browser."""
    command = [sys.executable, str(HERE / "ui" / "bench_page.py")]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=HERE.parent, timeout=300)
    found = json.loads(done.stdout)
    step, click = found["step_drawn_ms"], found["click_to_panel_ms"]
    yield Figure("page ready, cold", found["ready_s"], "s", 3.5)
    yield Figure("step to drawn map, median", step["median"], "ms", 100)
    yield Figure("step to drawn map, most", step["max"], "ms", 200)
    yield Figure("step to panel, median", found["step_with_panel_ms"]["median"], "ms")
    yield Figure("step to drawn map, processor slowed 4 x", found["step_cpu4_ms"]["median"], "ms", 200)
    yield Figure("hex click to panel, median", click["median"], "ms", 150)
    yield Figure("websocket, first state", found["first_state_kB"], "kB", 600)
    yield Figure("websocket, a step", found["step_kB"], "kB", 10)
    yield Figure("browser heap after 100 steps", found["heap_growth_MB_100_steps"], "MB more", 10)
    yield Figure("kernel after 100 steps", found["kernel_growth_MB_100_steps"], "MB more", 5)
    yield Figure("kernel of a visitor", found["kernel_MB"], "MB", 135)
    order, pick, back = found["play_order_drawn_ms"], found["play_pick_to_desk_ms"], found["play_undo_redo_drawn_ms"]
    yield Figure("playing: order to drawn map, median", order["median"], "ms", 100)
    yield Figure("playing: order to drawn map, most", order["max"], "ms", 200)
    yield Figure("playing: stack picked to desk, median", pick["median"], "ms", 150)
    yield Figure("playing: undo or redo to drawn map, median", back["median"], "ms", 100)
    yield Figure("playing: undo or redo to drawn map, most", back["max"], "ms", 200)
    yield Figure("playing: websocket, an order", found["play_order_kB"], "kB")
    yield Figure("requests to the outside", found["outside_requests"] + found["play_outside_requests"], "", 0)


PARTS: dict[str, Callable[[], Iterator[Figure]]] = {
    part.__name__: part for part in (start, supply, reach, odds, play, page)
}


def line(what: str, value: str, unit: str, goal: str, verdict: str) -> str:
    """A row of the table."""
    return f"{what:<52} {value:>9} {unit:<17} {goal:>8}  {verdict}".rstrip()


def main(names: list[str]) -> int:
    """Print the parts asked for, all by default; 1 when a figure misses its goal."""
    unknown = set(names) - PARTS.keys()
    if unknown:
        print(f"Unknown: {', '.join(sorted(unknown))}. Parts are {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    cores, load = os.cpu_count(), os.getloadavg()[0]
    print(f"Python {platform.python_version()}, {cores} cores, load {load:.1f} at the start; medians.\n")
    print(line("figure", "value", "unit", "at most", ""))
    missed = 0
    for name in names or PARTS:
        for f in PARTS[name]():
            goal = "" if f.goal is None else f"{f.goal:g}"
            print(line(f.what, f"{f.value:.4g}", f.unit, goal, "MISSED" if f.missed else ""), flush=True)
            missed += f.missed
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
