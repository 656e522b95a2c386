"""The persistent map behaves alike whether `immutables` is there or the stand-in of plain Python."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import immutables
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burma_study.engine.pmap import FULL, Map, PureMap

ROOT = Path(__file__).parents[2]
KEYS = st.one_of(st.integers(-5, 400), st.text("abc", max_size=3), st.tuples(st.integers(0, 3), st.text("x")))
ACTS = st.lists(st.tuples(st.sampled_from(("set", "delete", "update")), KEYS, st.integers(0, 9)), max_size=60)


def test_immutables_is_taken_where_it_is_installed():
    assert Map is immutables.Map


@given(ACTS)
def test_both_maps_go_the_same_way_and_leave_every_earlier_map_as_it_was(acts):
    library, pure = immutables.Map(), PureMap()
    ways = [(library, pure, {})]
    for act, key, value in acts:
        library, pure, plain = ways[-1]
        now = dict(plain)
        if act == "delete" and key not in plain:
            for one in (library, pure):
                with pytest.raises(KeyError):
                    one.delete(key)
            continue
        if act == "delete":
            library, pure = library.delete(key), pure.delete(key)
            del now[key]
        elif act == "set":
            library, pure = library.set(key, value), pure.set(key, value)
            now[key] = value
        else:
            library, pure = library.update({key: value}), pure.update({key: value})
            now[key] = value
        ways.append((library, pure, now))
    for library, pure, plain in ways:
        assert dict(library) == dict(pure.items()) == plain
        assert len(pure) == len(library) == len(plain)
        assert set(pure) == set(library)
        assert all(pure.get(k) == library.get(k) and (k in pure) == (k in library) for k in (*plain, "no", 999))
        assert pure == PureMap(plain)
        assert hash(pure) == hash(PureMap(plain))


@given(st.dictionaries(KEYS, st.integers()))
def test_the_map_survives_copies_and_pickles(entries):
    pure = PureMap(entries)
    assert pickle.loads(pickle.dumps(pure)) == copy.deepcopy(pure) == copy.copy(pure) == pure


def test_many_entries_spread_over_more_buckets_and_all_are_found():
    pure = PureMap()
    for n in range(3000):
        pure = pure.set(n, -n)
    assert len(pure) == 3000
    assert all(pure[n] == -n for n in range(3000))
    assert max(len(b) for b in pure._buckets) <= 2 * FULL


def test_setting_what_is_there_already_gives_the_same_map():
    value = object()
    pure = PureMap(a=value)
    assert pure.set("a", value) is pure
    assert pure.set("a", object()) is not pure


def test_a_map_is_equal_to_maps_only_and_asks_for_keys_like_the_librarys():
    for kind in (immutables.Map, PureMap):
        assert kind({"a": 1}) == kind(a=1)
        assert kind({"a": 1}) != {"a": 1}
        assert kind([("a", 1)]) == kind({"a": 1})
        with pytest.raises(KeyError):
            kind()["a"]
        with pytest.raises(TypeError):
            kind().set([], 1)


def test_the_rules_play_the_same_without_immutables():
    """A set-up under the stand-in has the digest that it has under the library."""
    ask = (
        "from burma_study.rules.ocs.setup import start\nu = start('ocs/u-go')\nprint(type(u.pieces).__name__, u.digest)"
    )
    without = "import sys\nsys.modules['immutables'] = None\n" + ask
    found = [
        subprocess.run([sys.executable, "-c", c], capture_output=True, text=True, check=True, cwd=ROOT).stdout.split()
        for c in (without, ask)
    ]
    assert [name for name, _ in found] == ["PureMap", "Map"]
    assert found[0][1] == found[1][1]


def test_nothing_else_imports_the_library():
    users = [p for p in (ROOT / "burma_study").rglob("*.py") if "from immutables" in p.read_text()]
    assert [p.name for p in users] == ["pmap.py"]
