"""An explanation of supply does not depend on what was asked before: recalled, it equals one worked out anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from burma_study.rules.ocs.counters import other_side
from burma_study.rules.ocs.setup import scenarios, start
from burma_study.rules.ocs.state import Dump, Piece, Rules, State, Transport
from burma_study.rules.ocs.supply.on_map import facts, on_map
from burma_study.rules.ocs.supply.trace import Picture, forget, supply
from burma_study.rules.ocs.supply.words import explain

SIDES = ("allied", "japanese")
SCENARIOS = [s.id for s in scenarios() if s.id.startswith("ocs/")]
MODES = ("combat", "move", "strat", "reserve")


def told(state: State, side: str) -> tuple[object, list[str]]:
    picture: Picture = supply(state, side)
    return dict(picture.traces), [line for t in picture.out for line in explain(state, t)]


def fresh(state: State, side: str) -> tuple[object, list[str]]:
    forget()
    return told(state, side)


def changes(state: State, chance: Random, steps: int) -> Iterator[tuple[str, State]]:
    """States one change apart: extenders, dumps, HQ modes, markers, marches, swaps of units, bridges, rules."""
    hexes = [h for h in state.board.grid if state.board.terrain[h] not in ("off", "lake")]
    kinds = ("extender", "dump", "hq", "bridge", "march", "march", "swap", "face", "version")
    for _ in range(steps):
        kind = chance.choice(kinds)
        state = _changed(state, kind, chance, hexes)
        yield kind, state


def _changed(state: State, kind: str, chance: Random, hexes: list[int]) -> State:
    pieces = sorted((p for p in state.pieces.values() if isinstance(p.at, int)), key=lambda p: p.id)
    piece = chance.choice(pieces)
    beside = [p.at for p in pieces if isinstance(p.at, int)]
    spot = chance.choice([*state.board.grid.disc(chance.choice(beside), 2)])
    if kind == "extender":
        name, side = f"x/{chance.randrange(3)}", chance.choice(SIDES)
        there = name in state.transport
        made = Transport(name, side, chance.choice(("truck", "wagon")), 20, spot, extender=True)
        return state.put("transport", name, None if there else made)
    if kind == "dump":
        return state.put("dumps", spot, None if spot in state.dumps else Dump(chance.choice(SIDES), 8))
    if kind == "version":
        version = "v4.3" if state.rules.version == "1999" else "1999"
        return state.with_(rules=replace(state.rules, version=version))
    if kind == "swap":
        return _swapped(state, piece, pieces, chance)
    if kind in ("hq", "bridge"):
        hq = chance.choice([p for p in pieces if p.counter.is_hq])
        mode = chance.choice(MODES)
        face = "move" if mode in ("move", "strat") else "combat"
        at = spot if kind == "bridge" else hq.at
        return state.place(replace(hq, mode=mode, face=face, at=at))
    if kind == "face":
        mode = chance.choice(MODES)
        face = "move" if mode in ("move", "strat") else "combat"
        return state.place(replace(piece, mode=mode, face=face, oos=chance.random() < 0.3))
    return state.place(replace(piece, at=spot if spot in hexes else piece.at))


def _swapped(state: State, piece: Piece, pieces: list[Piece], chance: Random) -> State:
    """Two units of a side change places: the hexes held are the same, the names are not."""
    other = chance.choice([p for p in pieces if p.counter.side == piece.counter.side])
    return state.place(replace(piece, at=other.at)).place(replace(other, at=piece.at))


@pytest.mark.rule("ocs-series/12.6", "ocs-series/12.7")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_recalled_explanation_equals_a_fresh_one(scenario: str) -> None:
    """Each state is asked of a house that remembers the steps before it, then of one that remembers nothing."""
    chance = Random(scenario)
    states = list(changes(start(scenario, rules=Rules()), chance, 14))
    forget()
    recalled = [(told(s, "allied"), told(s, "japanese")) for _, s in states]
    for (kind, state), found in zip(states, recalled, strict=True):
        for side, answer in zip(SIDES, found, strict=True):
            assert answer == fresh(state, side), f"{scenario}: {side} after a change of {kind}"


@pytest.mark.rule("ocs-series/12.7")
def test_a_change_of_names_alone_changes_the_explanation() -> None:
    """Two enemies change places: the same hexes are held, another unit is the one that stops the line."""
    found = 0
    for scenario in SCENARIOS:
        state = start(scenario)
        for side in SIDES:
            forget()
            named = {m.whose for t in supply(state, side).out for m in t.misses} & set(state.pieces)
            enemies = [p for p in state.units(other_side(side)) if isinstance(p.at, int)]
            for a in sorted((state.pieces[i] for i in named if state.pieces[i] in enemies), key=lambda p: p.id):
                b = next((p for p in enemies if (p.mode, p.face) == (a.mode, a.face) and p.at != a.at), None)
                if b is not None:
                    found += 1
                    swapped = state.place(replace(a, at=b.at)).place(replace(b, at=a.at))
                    supply(state, side)
                    assert told(swapped, side) == fresh(swapped, side)
                    break
    assert found


def test_facts_of_a_unit_do_not_depend_on_what_was_asked_before() -> None:
    states = [s for _, s in changes(start("ocs/u-go"), Random(7), 6)]
    units = [t.unit for t in supply(states[0], "japanese").out][:4]
    recalled = [[facts(on_map(s, "japanese"), u) for u in units if u in supply(s, "japanese").traces] for s in states]
    for state, found in zip(states, recalled, strict=True):
        forget()
        assert found == [facts(on_map(state, "japanese"), u) for u in units if u in supply(state, "japanese").traces]
