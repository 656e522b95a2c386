"""Every choice that a battle leaves open is reached by `options`, no other is, and its owner is asked."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from battle_field import BRIGADE, R214, R215, SECOND, asked, attack, choices, come_to, field, play, refused
from combat_field import GRID, NE, SE, TARGET, N, S

from burma_study.engine.game import Partial
from burma_study.rules.ocs.combat.fighting import Advance, Attack, Lead, Pay
from burma_study.rules.ocs.combat.results import Sacrifice, Settle
from burma_study.rules.ocs.combat.retreats import Retreat, ways_out
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.state import Dump, Piece, Rules, State

pytestmark = pytest.mark.usefixtures("on")
UNITS = {BRIGADE: N, SECOND: NE} | dict.fromkeys(R215, TARGET)
BOTH = attack(BRIGADE, SECOND)


def built(state: State, partial: Partial) -> set[str]:
    """The texts of all orders that the choices lead to; sets of units are told from one another by their members."""
    found, seen, todo = set(), set(), [partial]
    while todo:
        at = todo.pop()
        others = ((name, value) for name, value in at.values.items() if name != "units")
        key = (frozenset(at.values.get("units", ())), at.shut, *others)
        if key in seen:
            continue
        seen.add(key)
        now = GAME.options(state, at)
        if now.complete is not None:
            found.add(now.complete.text)
        if now.slot:
            todo += [now.take(c.value) for c in now.choices or ()]
            if now.many and at.values.get(now.slot):
                todo.append(at.finish(now.slot))
    return found


def subsets(items):
    return chain.from_iterable(combinations(items, n) for n in range(1, len(items) + 1))


def legal(state: State, orders) -> set:
    return {o for o in orders if not GAME.check(state, o)}


def canonical(text: str):
    """An order with its units in order, so that two ways to name the same set are one."""
    order = GAME.parse(text)
    units = tuple(sorted(getattr(order, "units", ())))
    return type(order), units, getattr(order, "path", ()), getattr(order, "unit", ""), getattr(order, "steps", 0)


def same(state: State, kind: str, every) -> bool:
    ours = {canonical(t) for t in built(state, Partial(kind))}
    return bool(ours) and ours == {canonical(o.text) for o in legal(state, every)}


def test_series_9_5_the_defender_is_asked_to_pay_by_each_way_that_is_open():
    state = play(field(UNITS).put("dumps", S, Dump("japanese", 5)), BOTH)
    assert asked(state) == ("japanese", ("pay", "decline"))
    assert built(state, Partial("pay")) >= {Pay().text}
    ways = choices_of(state, Partial("pay"), "payment")
    assert set(ways) == {GAME.label(TARGET), GAME.label(S)}
    for way in ways:
        assert not GAME.check(state, Pay(way), actor="japanese")
    assert GAME.check(state, Pay(), actor="allied"), "it is not for the attacker to say"


def test_series_9_6_each_side_names_any_of_its_own_units():
    state = play(field(UNITS), BOTH, "decline")
    everybody = [Lead(u) for u in UNITS]
    assert asked(state) == ("allied", ("lead",))
    assert same(state, "lead", everybody)
    state = play(state, f"lead with {BRIGADE}")
    assert asked(state) == ("japanese", ("lead",))
    assert same(state, "lead", everybody)


@pytest.mark.parametrize(("result", "side"), [("AL2", "allied"), ("DL2", "japanese")])
def test_series_9_11_the_owner_chooses_who_is_lost(result, side):
    third = "a/inf/9-5"
    state = come_to(field({**UNITS, third: N}, supply=()), attack(BRIGADE, SECOND, third), result)
    assert asked(state) == (side, ("sacrifice",))
    assert same(state, "sacrifice", [Sacrifice(s) for s in subsets((*UNITS, third))])


@pytest.mark.parametrize(("result", "side", "splits"), [("Ao2", "allied", 2), ("Do3", "japanese", 3)])
def test_series_9_10_the_owner_of_an_option_splits_it(result, side, splits):
    state = come_to(field(UNITS, supply=()), BOTH, result)
    assert asked(state) == (side, ("settle",))
    assert same(state, "settle", [Settle(n) for n in range(7)])
    assert len(choices(state, "settle")) == splits + 1


def test_burma_opt_2_4_in_a_hedgehog_half_of_it_is_steps():
    state = come_to(field(UNITS, supply=(), hedgehog=("japanese", 1)), BOTH, "Do3")
    assert choices(state, "settle") == [2, 3]
    assert same(state, "settle", [Settle(n) for n in range(7)])


@pytest.mark.rule("ocs-series/9.10c")
def test_series_9_10c_a_defender_who_is_free_may_ignore_his_option_or_take_it():
    state = play(come_to(field(UNITS, supply=()), BOTH, "Ao1 Do1"), "settle 0 in steps")
    while asked(state)[1] == ("retreat",):
        state = play(state, min(built(state, Partial("retreat"))))
    assert asked(state) == ("japanese", ("settle", "ignore"))
    assert built(state, Partial("ignore")) == {"ignore the option"}


@pytest.mark.rule("ocs-series/9.12")
@pytest.mark.parametrize("hexes", [1, 2])
def test_series_9_12_the_owner_sends_each_party_any_way_of_the_full_distance(hexes):
    pair = {BRIGADE: N, SECOND: NE, R215[0]: TARGET, R215[1]: TARGET}
    state = play(come_to(field(pair, supply=()), BOTH, f"Do{hexes}"), "settle 0 in steps")
    assert asked(state) == ("japanese", ("retreat",))
    ways = ways_out(state, state.pieces[R215[0]], hexes, (N, NE))
    assert len(ways) > 3
    wrong = [(N,) * hexes, (GRID.neighbours[S][3],) * hexes]
    every = [Retreat(units, way) for units in subsets(R215[:2]) for way in (*ways, *wrong)]
    assert same(state, "retreat", every)
    assert GAME.check(state, every[0], actor="allied")


def test_series_9_12g_the_attacker_chooses_who_advances_or_nobody():
    state = come_to(field({BRIGADE: N, SECOND: NE, R215[0]: TARGET}, supply=()), BOTH, "DL1")
    assert asked(state) == ("allied", ("advance", "no_advance"))
    assert same(state, "advance", [Advance(s) for s in subsets(UNITS)])
    assert built(state, Partial("no_advance")) == {"no advance"}


@pytest.mark.rule("ocs/2.6b")
def test_burma_2_6b_banzai_is_offered_to_battalions_of_a_regiment_in_one_hex_and_to_nobody_else():
    state = field({R215[0]: N, R215[1]: N, R215[2]: NE, R214[0]: N, BRIGADE: TARGET}, player="japanese")
    for units in subsets((*R215, R214[0])):
        partial = Partial("attack", {"at": TARGET, "units": units}).finish("units")
        offered = bool(choices_of(state, partial, "banzai"))
        assert offered == (not refused(state, Attack(TARGET, units, True).text)), units
        assert offered == (set(units) <= set(R215[:2]) or len(units) == 1), units
    ours = field({BRIGADE: N, R215[0]: TARGET})
    partial = Partial("attack", {"at": TARGET, "units": (BRIGADE,)}).finish("units")
    assert not choices_of(ours, partial, "banzai")


def choices_of(state: State, partial: Partial, slot: str) -> list:
    return [c.value for c in GAME.options(state, partial, slot).choices or ()]


@pytest.mark.rule("ocs/2.6a")
def test_burma_2_6a_a_sixth_counter_may_join_and_costs_a_point_of_rating():
    """Eleven battalions with a rating of 5, all in: 22-4-3 in the designer's words."""
    six = (*R215, *R214)
    state = field(dict.fromkeys(six, N) | {BRIGADE: TARGET}, player="japanese")
    partial = Partial("attack", {"at": TARGET, "units": six[:5]})
    assert six[5] in [c.value for c in GAME.options(state, partial).choices]
    assert not refused(state, attack(*six))


@pytest.mark.rule("ocs/2.6c", "ocs/2.6d")
def test_burma_2_6c_stubborn_defence_is_offered_to_battalions_that_stood_still():
    moved = Piece(R215[1], S, spent=12)
    state = field({R215[0]: N, R215[1]: moved, "j/gar/1": SE}, phase="movement", player="japanese")
    assert choices(state, "dig-in") == [R215[0]]
    assert "dig-in" in GAME.decision(state).kinds


@pytest.mark.rule("ocs/2.9")
def test_burma_2_9_two_battalions_build_what_takes_a_regiment():
    """A hedgehog is built by 1 RE: one battalion does not do, two in the hex do."""
    pair = field(dict.fromkeys(R215[:2], N), phase="movement", player="japanese")
    place = GAME.label(N)
    assert refused(pair, f"fortify {place} with {R215[0]}") == {"too-few-builders"}
    assert not refused(pair, f"fortify {place} with {R215[0]}, {R215[1]}")
    at = Partial("fortify", {"at": N, "units": (R215[0],)})
    assert R215[1] in [c.value for c in GAME.options(pair, at).choices]


def test_under_v43_the_same_questions_are_asked():
    state = come_to(field(UNITS, supply=(), rules=Rules(version="v4.3")), BOTH, "Do3")
    assert asked(state) == ("japanese", ("settle",))
