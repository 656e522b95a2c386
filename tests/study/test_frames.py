"""Frames travel as key frames and differences, and come out as they went in."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from burma_study.answers.frames import Counter, Film, Frame, Marker, Overlay, unpack_rows
from burma_study.errors import BurmaStudyError

HEXES = 4278


def counter(number: int, hex_: int, **more: object) -> Counter:
    base = Counter(f"j/inf/{number}", hex_, str(number), "japanese", "japanese", "infantry", lines=("2-4-3", "1-4-5"))
    return replace(base, **more)  # type: ignore[arg-type]


def random_film(frames: int, pieces: int, key_every: int, seed: int = 1) -> Film:
    rnd = random.Random(seed)
    counters = [counter(n, rnd.randrange(HEXES)) for n in range(pieces)]
    out = []
    for k in range(frames):
        for n in rnd.sample(range(pieces), pieces // 4):
            counters[n] = replace(
                counters[n],
                hex=rnd.randrange(HEXES),
                mode=rnd.choice(["combat", "move", "strat"]),
                dg=rnd.random() < 0.3,
                oos=rnd.random() < 0.3,
                stock=rnd.choice(["full", "low", "exhausted"]),
                supply=rnd.choice(["", "in", "eats", "out"]),
                order=rnd.randrange(4),
            )
        gone = rnd.sample(range(pieces), 3)
        shown = tuple(c for n, c in enumerate(counters) if n not in gone)
        dump = Marker("dump/a/7", 7, "dump", "allied", amount=k)
        out.append(Frame(f"step {k}", "1944-03-15", shown, (dump,), key=k % key_every == 0))
    return Film(tuple(out), HEXES)


def replay(film: Film, step: int) -> dict[int, dict[str, object]]:
    """What a browser would show: the key frame of the step's segment and the differences up to it."""
    segment = next(s for s in json.loads(film.window(step)) if s["start"] <= step <= s["start"] + len(s["deltas"]))
    rows = {r["number"]: r for r in unpack_rows(segment["key"])}
    for delta in segment["deltas"][: step - segment["start"]]:
        for row in unpack_rows(delta):
            if row["hex"] == 0xFFFF:
                del rows[row["number"]]
            else:
                rows[row["number"]] = row
    return rows  # type: ignore[return-value]


@pytest.mark.parametrize("pieces", [60, 600])
@pytest.mark.parametrize("key_every", [1, 4, 100])
def test_every_step_comes_out_as_it_went_in(key_every: int, pieces: int) -> None:
    film = random_film(frames=13, pieces=pieces, key_every=key_every)
    assert film.whole == (pieces == 60)
    for step, frame in enumerate(film.frames):
        shown = {film.roster[n][1]: row for n, row in replay(film, step).items()}  # type: ignore[index]
        assert len(shown) == len(frame.counters) + len(frame.markers)
        for c in frame.counters:
            row = shown[c.id]
            fields = ("hex", "mode", "stock", "dg", "oos", "order", "supply")
            assert {f: row[f] for f in fields} == {f: getattr(c, f) for f in fields}
        assert shown["dump/a/7"]["amount"] == step


def test_a_window_of_three_turns_stays_within_ten_kilobytes() -> None:
    film = random_film(frames=40, pieces=200, key_every=1)
    assert not film.whole
    assert max(len(film.window(k)) for k in range(40)) < 10_000


def test_a_difference_is_smaller_than_a_key_frame() -> None:
    film = random_film(frames=8, pieces=120, key_every=8)
    segment = json.loads(film.window(0))[0]
    assert all(len(d) < len(segment["key"]) / 2 for d in segment["deltas"])


def test_looks_travel_once() -> None:
    film = random_film(frames=12, pieces=50, key_every=3)
    assert len(film.roster) == 50 + 1
    assert len(json.loads(film.cast())["steps"]) == 12


def test_contested_hexes_hold_both_sides() -> None:
    enemy = counter(9, 5, id="a/inf/9", side="allied", nationality="british")
    frame = Frame("x", "1944-03-15", (counter(1, 5), counter(2, 6), enemy))
    assert frame.contested() == (5,)


def test_a_hex_off_the_board_is_refused_with_its_piece() -> None:
    with pytest.raises(BurmaStudyError, match=r"j/inf/1.*4278.*0 to 4277"):
        Film((Frame("x", "1944-03-15", (counter(1, HEXES),)),), HEXES)


def test_an_id_twice_in_a_frame_is_refused() -> None:
    with pytest.raises(BurmaStudyError, match="twice"):
        Film((Frame("x", "1944-03-15", (counter(1, 3), counter(1, 4))),), HEXES)


def test_no_frames_are_refused() -> None:
    with pytest.raises(BurmaStudyError, match="at least one"):
        Film((), HEXES)


def test_overlay_values_are_clamped_to_a_byte_and_left_out_when_all_one() -> None:
    assert "values" not in Overlay("zoc:allied", "", {3: 1, 9: 1}).payload()
    payload = Overlay("reach", "", {3: 700, 9: -2}, unit="MP/2").payload()
    assert payload["values"] == "/wA="
    assert payload["scale"] == 2
