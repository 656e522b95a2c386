"""Walk games of all nine scenarios at random for a while: `python tests/fuzz.py --seconds 600`."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parent / "rules" / "ocs"))

from fuzzing import EXCUSED, Broken, Fuzzer, never_given

from burma_study.rules.ocs.setup import scenarios

OTHERS = [s.id for s in scenarios() if s.id.startswith("ocs/") and s.id not in ("ocs/u-go", "ocs/learning")]
GAMES = (
    ("ocs/u-go", "historical", 0),
    ("ocs/learning", "historical", 0),
    ("ocs/u-go", "historical", 4),
    ("ocs/u-go", "free", 0),
    ("ocs/u-go", "historical", 7),
    *((scenario, "historical", 0) for scenario in OTHERS),
)


def main() -> int:
    """Play until the time is up or something breaks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=6000, help="orders in one game")
    parser.add_argument("--keep-going", action="store_true", help="go on with the next seed after a failure")
    args = parser.parse_args()
    began, given, stuck, broken, n = perf_counter(), Counter[str](), Counter[str](), 0, 0
    while perf_counter() - began < args.seconds:
        scenario, setup, step = GAMES[n % len(GAMES)]
        game = Fuzzer(scenario, args.seed + n, given, stuck, setup, step)
        n += 1
        try:
            orders = game.play(args.most)
            print(
                f"{scenario} {setup} {step}, seed {game.seed}: {orders} orders, turn {game.session.state.turn}",
                flush=True,
            )
        except Broken as error:
            broken += 1
            print(f"BROKEN {error}", flush=True)
            if not args.keep_going:
                break
    print(f"{n} games, {given.total()} orders in {perf_counter() - began:.0f} s, {broken} broken")
    for kind in sorted({*given, *stuck}, key=lambda k: (given[k], k)):
        print(f"{given[kind]:7} {kind:16} {stuck[kind]:7} not to be built")
    missing = never_given(given)
    if missing:
        print(f"never applied: {', '.join(missing)}")
    for kind, why in EXCUSED.items():
        if not given[kind]:
            print(f"never applied, and excused: {kind} ({why})")
    return 1 if broken or missing else 0


if __name__ == "__main__":
    sys.exit(main())
