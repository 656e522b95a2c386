"""What playing costs: an order as a multiple of a persistent-map replace, memory of many states, a whole replay."""

from __future__ import annotations

import random
import tempfile
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time

from burma_study.engine.dice import NoDice
from burma_study.engine.session import Session
from burma_study.games.ocs.policies import play, policy
from burma_study.games.registry import game_of
from burma_study.rules.ocs.counters import counters
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.movement.moving import may_move, targets
from burma_study.rules.ocs.movement.orders import Move
from burma_study.rules.ocs.orders import NextStep, Place
from burma_study.rules.ocs.setup.starting import start
from burma_study.rules.ocs.state import Piece, Rules, State

APPLY_LIMIT = 60.0
MEMORY_LIMIT = 60e6
REPLAY_LIMIT = 2.0
REPLAY_RATIO = 4.0  # a finished game run again, to opening its save
GAME_LIMIT = 20.0
GOLDEN = Path(__file__).parent / "golden" / "u-go-history.json.gz"
UNITS = 150
STATES = 20_000


def position() -> State:
    """As many units as U-Go has at its height, history's own way of moving."""
    state = GAME.start("ocs/u-go", rules=Rules(enforcement="off"))
    for id_ in list(counters())[:UNITS]:
        state = state.place(Piece(id_, 100))
    return state


def moves(n: int, seed: int = 1) -> list[Place]:
    """Moves of any unit to any hex."""
    chance, ids = random.Random(seed), list(counters())[:UNITS]
    return [Place(chance.choice(ids), chance.randrange(4278)) for _ in range(n)]


def each(work: Callable[[], object], n: int, repeat: int = 15) -> float:
    """Least seconds of processor time of one of the `n` things that `work` does."""

    def once() -> float:
        began = process_time()
        work()
        return (process_time() - began) / n

    return min(once() for _ in range(repeat))


def apply_against_replace(n: int = 4000) -> tuple[float, float, float]:
    """Seconds of a bare map replace of one piece, of the same with the piece made anew, and of a whole order."""
    state, orders = position(), moves(n)
    made = [order.piece for order in orders]

    def bare() -> None:
        pieces = state.pieces
        for piece in made:
            pieces = pieces.set(piece.id, piece)

    def anew() -> None:
        pieces = state.pieces
        for order in orders:
            pieces = pieces.set(order.unit, replace(pieces[order.unit], at=order.at))

    def play() -> None:
        at, dice = state, NoDice()
        for order in orders:
            at = GAME.apply(at, order, dice).state
            GAME.digest(at)

    return each(bare, n), each(anew, n), each(play, n)


def marches() -> tuple[State, list[Move]]:
    """The Movement Phase that opens U-Go under the rules, with a march of every foot unit of Japan that can go."""
    state = start("ocs/u-go").with_(phase="movement", player="japanese")
    at, orders, chance = state, list[Move](), random.Random(1)
    for who in list(may_move(state)):
        ways = targets(at, (who.id,)) if who.counter is not None and not who.fuel else []
        if ways:
            orders.append(Move((who.id,), chance.choice(ways).value))
            at = GAME.apply(at, orders[-1], NoDice()).state
    return state, orders


def march_against_replace() -> tuple[float, float, int]:
    """Seconds of a map replace with the piece made anew, and of a march under the rules; how many marches."""
    state, orders = marches()

    def anew() -> None:
        pieces = state.pieces
        for order in orders:
            unit = order.units[0]
            pieces = pieces.set(unit, replace(pieces[unit], at=order.path[-1]))

    def play() -> None:
        at, dice = state, NoDice()
        for order in orders:
            at = GAME.apply(at, order, dice).state
            GAME.digest(at)

    return each(anew, len(orders), 60), each(play, len(orders), 60), len(orders)


def memory() -> float:
    """Bytes of 20,000 states of one game with their records."""
    start, orders = position(), moves(STATES)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    session = Session(GAME, start, seed="bench")
    for order in orders:
        session.push(order)
    used = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return used


def replay(records: int = 4000) -> tuple[float, float, int]:
    """Seconds to open a save and to run it again with every digest verified, and its bytes; 40 player-turns."""
    session = Session(GAME, position(), seed="bench")
    for n, order in enumerate(moves(records)):
        session.push(order)
        if n % (records // 40) == 0:
            session.push(
                NextStep(1 + n * 20 // records, player="allied" if session.state.player == "japanese" else "japanese")
            )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.json.gz"
        session.save(path)
        began = perf_counter()
        opened = Session.open(path, game_of)
        middle = perf_counter()
        assert opened.rerun() is None
        return middle - began, perf_counter() - middle, path.stat().st_size


def golden_replay(repeat: int = 5) -> tuple[float, float, int]:
    """Least seconds of processor to open a finished game of U-Go and to run it again, in turns; and its records.

    Running it again verifies every digest. The first turn, which reads charts and board, is not counted.
    """
    opened, again = list[float](), list[float]()
    for _ in range(repeat + 1):
        began = process_time()
        session = Session.open(GOLDEN, game_of)
        middle = process_time()
        assert session.rerun() is None
        opened.append(middle - began)
        again.append(process_time() - middle)
    return min(opened[1:]), min(again[1:]), len(session.tree) - 1


def policy_game() -> tuple[float, int]:
    """Seconds of processor of a game of U-Go that policies play, and its orders."""
    session = Session(GAME, start("ocs/u-go"), setup="ocs/u-go", seed="bench")
    plans = {"japanese": "advance on Kohima", "allied": "hold and counterattack"}
    began = process_time()
    run = play(session, {side: policy("ocs/u-go", side, name) for side, name in plans.items()})
    assert run.over
    return process_time() - began, run.orders


def report() -> list[tuple[str, float, float]]:
    """Each figure with its limit, printed as it comes."""
    bare, anew, play = apply_against_replace()
    print(f"replace of one piece {bare * 1e6:.2f} us bare, {anew * 1e6:.2f} us with the piece made anew")
    print(
        f"order with check, events and digest {play * 1e6:.1f} us: {play / bare:.0f} x bare, {play / anew:.1f} x anew"
    )
    made, march, count = march_against_replace()
    print(f"march under the rules {march * 1e6:.0f} us ({count} in U-Go's first phase): {march / made:.0f} x anew")
    used = memory()
    print(f"{STATES} states with their records {used / 1e6:.1f} MB")
    opening, again, size = replay()
    print(f"4,000 records: opened in {opening:.2f} s, run again in {again:.2f} s, {size / 1e3:.0f} kB compressed")
    reading, verified, records = golden_replay()
    ratio = verified / reading
    print(f"a finished U-Go of {records} records opened in {reading:.2f} s, run again with every digest in", end=" ")
    print(f"{verified:.2f} s: {ratio:.1f} x (at most {REPLAY_RATIO:g})")
    played, orders = policy_game()
    print(f"policies play U-Go, {orders} orders, in {played:.1f} s")
    figures = [("apply", play / bare, APPLY_LIMIT), ("march", march / made, APPLY_LIMIT)]
    figures += [("memory", used, MEMORY_LIMIT), ("replay", again, REPLAY_LIMIT)]
    figures += [("golden replay", verified, REPLAY_LIMIT), ("golden replay to opening", ratio, REPLAY_RATIO)]
    return [*figures, ("policy game", played, GAME_LIMIT)]


if __name__ == "__main__":
    missed = [name for name, value, limit in report() if value > limit]
    raise SystemExit(f"missed: {', '.join(missed)}" if missed else 0)
