"""Overruns: what they cost and where they may be made; the move goes on after a win and ends with a retreat."""

from __future__ import annotations

import pytest
from movement_field import CENTRE, GRID, TANKS, N, S, made
from moving_field import Loaded, by, codes, give, outcome, play, words

from burma_study.engine.dice import KeyedDice
from burma_study.engine.game import Partial
from burma_study.rules.ocs.counters import counters
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.state import Dump, Hedgehog, Piece

FOOT, OTHER = "j/inf/2-215-33", "j/inf/1-215-33"
GARRISON = "j/gar/1"
BRIGADE, SECOND, HQ = "a/inf/63-17", "a/inf/48-17", "a/hq/4_Corps"
NN = GRID.neighbours[N][0]
STACK = {TANKS: Piece(TANKS, CENTRE, "combat", "combat"), "a/tank/149": CENTRE, "a/tank/7_Cav": CENTRE}
NAMES = ", ".join(STACK)
WIN = (3, 4, 6, 6, 6, 6, 6, 6)
pytestmark = pytest.mark.usefixtures("ground")


def attack(units=STACK, enemies=None, phase: str = "movement", **rest):
    """Allied tanks with supply, a garrison north of them."""
    enemies = {GARRISON: N} if enemies is None else enemies
    return play({**units, **enemies}, "allied", phase, dumps={CENTRE: 40}, **rest)


def fought(state, text: str, *dice: int):
    """The state after an overrun, the defender paying nothing, first choices taken where somebody is asked."""
    loaded = Loaded(*dice) if dice else KeyedDice("overrun")
    state = GAME.apply(state, GAME.parse(text), loaded).state
    while state.frames:
        kind = "decline" if "decline" in GAME.decision(state).kinds else GAME.decision(state).kinds[0]
        state = GAME.apply(state, first_order(state, kind), loaded).state
    return state


def first_order(state, kind: str):
    """An order of a kind with the first of all choices."""
    at = Partial(kind)
    while True:
        found = GAME.options(state, at)
        if found.complete is not None:
            return found.complete
        if found.slot == "units" and at.values.get("units"):
            at = at.finish("units")
            continue
        assert found.choices, (kind, found.slot)
        at = found.take(found.choices[0].value)


@pytest.mark.rule("ocs/3.6b")
@pytest.mark.parametrize(("row", "found"), [(30, []), (29, ["chindit"])])
def test_burma_3_6b_chindits_do_not_overrun_south_of_row_30(ground, row, found) -> None:
    """Only the road to Myitkyina opens the south, and to other infantry it is open."""
    ground(made())
    target = GRID.index(f"B20.{row}")
    start, order = GRID.index(f"B20.{row + 1}"), f"overrun B20.{row} with "
    for unit, expected in (("a/col/A-77-3", found), (BRIGADE, [])):
        units = {unit: Piece(unit, start, "move", "move"), GARRISON: target}
        state = play(units, "allied", dumps={start: 40})
        assert codes(state, order + unit) == expected


# what it takes --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/8")
def test_each_unit_pays_three_points_and_more_are_needed_than_it_has() -> None:
    order = f"overrun {GRID.label(N)} with {NAMES}"
    assert codes(attack(), order) == []
    tired = attack({**STACK, TANKS: Piece(TANKS, CENTRE, spent=48)})
    assert codes(tired, order) == ["overrun-points"]
    assert "3 MP" in words(tired, order)
    after = fought(attack(), order)
    assert {after.pieces[u].spent for u in STACK if after.pieces[u].on_map} == {36}


@pytest.mark.rule("ocs-series/8")
def test_only_ground_of_three_points_without_roads_and_bridges(ground) -> None:
    for rest, code in (("clear", []), ("mountain", ["prohibited", "overrun-cost"])):
        ground(rest=rest)
        assert codes(attack(), f"overrun {GRID.label(N)} with {TANKS}") == code
    ground(rest="mountain", rivers={(CENTRE, N): "minor"})
    foot = play({FOOT: Piece(FOOT, CENTRE, "move", "move"), BRIGADE: N}, dumps={CENTRE: 9})
    assert codes(foot, f"overrun {GRID.label(N)} with {FOOT}") == ["overrun-cost"], "3 and the river"
    ground(rest="mountain", rivers={(CENTRE, N): "minor"}, routes=[("track", (CENTRE, N))])
    assert codes(foot, f"overrun {GRID.label(N)} with {FOOT}") == ["overrun-cost"], "a track does not help"
    ground(rest="mountain")
    assert codes(foot, f"overrun {GRID.label(N)} with {FOOT}") == []


@pytest.mark.rule("ocs-series/8", "ocs-series/5.10", "ocs-series/5.7", "ocs-series/5.8")
def test_neither_disorganised_nor_waiting_nor_marching_units_overrun() -> None:
    order = f"overrun {GRID.label(N)} with {BRIGADE}"
    for piece, code in (
        (Piece(BRIGADE, CENTRE, "move", "move", dg=True), "overrun-mode"),
        (Piece(BRIGADE, CENTRE, "reserve"), "not-attack-capable"),
        (Piece(BRIGADE, CENTRE, "strat", "move"), "not-attack-capable"),
    ):
        assert code in codes(attack({BRIGADE: piece}), order)
    assert codes(attack({BRIGADE: CENTRE}), order) == []


@pytest.mark.rule("ocs-series/8")
def test_the_stack_has_started_together_and_stands_beside_the_enemy() -> None:
    units = {BRIGADE: Piece(BRIGADE, S, "move", "move"), SECOND: CENTRE}
    state = give(attack(units), f"move {BRIGADE} by {by(CENTRE)}")
    assert "half-moved" in codes(state, f"overrun {GRID.label(N)} with {BRIGADE}, {SECOND}")
    assert "apart" in codes(attack(units), f"overrun {GRID.label(N)} with {BRIGADE}, {SECOND}")
    assert codes(attack(units), f"overrun {GRID.label(N)} with {BRIGADE}") == ["gap"]
    assert codes(attack({BRIGADE: CENTRE}, {}), f"overrun {GRID.label(N)} with {BRIGADE}") == ["no-defenders"]


@pytest.mark.rule("ocs-series/4.8a")
def test_no_overrun_out_of_a_hex_with_more_than_ten_re() -> None:
    crowd = [c.id for c in counters().values() if c.side == "allied" and c.re == 1 and c.type == "infantry"]
    crowd = [c for c in crowd if c != BRIGADE][:10]
    state = attack(dict.fromkeys((BRIGADE, *crowd), CENTRE))
    assert codes(state, f"overrun {GRID.label(N)} with {BRIGADE}") == ["overrun-full"]


@pytest.mark.rule("ocs-series/9.5", "ocs/1.5")
def test_combat_supply_and_fuel_are_both_paid() -> None:
    state = attack()
    after = outcome(state, f"overrun {GRID.label(N)} with {NAMES}").state
    assert after.dumps[CENTRE].tokens == 40 - 3 - 3, "three steps and three tanks"
    poor = state.put("dumps", CENTRE, Dump("allied", 3))
    assert codes(poor, f"overrun {GRID.label(N)} with {NAMES}") == []
    none = state.put("dumps", CENTRE, None)
    assert "cannot-pay" in codes(none, f"overrun {GRID.label(N)} with {NAMES}")


# how it goes ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/9.5", "ocs/1.5")
def test_the_token_that_drives_the_tanks_does_not_pay_for_their_overrun() -> None:
    order = f"overrun {GRID.label(N)} with {TANKS}"
    dry = {TANKS: Piece(TANKS, CENTRE, stocks=0)}
    for tokens, found in ((1, ["attack-unpaid"]), (2, [])):
        assert codes(attack(dry).put("dumps", CENTRE, Dump("allied", tokens)), order) == found
    stocked = attack({TANKS: CENTRE}).put("dumps", CENTRE, Dump("allied", 1))
    assert give(stocked, order).pieces[TANKS].stocks == 1, "with the last token gone its internal stocks pay"


@pytest.mark.rule("ocs-series/8", "ocs-series/9.12g")
def test_the_winners_enter_free_and_go_on() -> None:
    state = fought(attack(), f"overrun {GRID.label(N)} with {NAMES}", *WIN)
    alive = [u for u in STACK if state.pieces[u].at == N]
    assert alive
    assert {state.pieces[u].spent for u in alive} == {36}
    assert not any(state.pieces[u].done for u in alive)
    assert state.markers["moving"] == tuple(sorted(STACK))
    assert codes(state, f"move {alive[0]} by {by(NN)}") == []


@pytest.mark.rule("ocs-series/8", "ocs-series/4.4c", "ocs-series/9.14b")
@pytest.mark.parametrize(("die", "taken"), [(1, 0), (6, 6)])
def test_the_winners_of_an_overrun_take_the_goods_in_the_hex(die: int, taken: int) -> None:
    state = attack().put("dumps", N, Dump("japanese", 8))
    after = fought(state, f"overrun {GRID.label(N)} with {NAMES}", *WIN[:5], die)
    assert any(after.pieces[u].at == N for u in STACK)
    assert (after.dumps[N].side, after.dumps[N].tokens) == ("allied", taken) if taken else N not in after.dumps


@pytest.mark.rule("ocs-series/8")
def test_goods_alone_are_not_overrun() -> None:
    state = attack(enemies={}).put("dumps", N, Dump("japanese", 8))
    assert codes(state, f"overrun {GRID.label(N)} with {NAMES}")


@pytest.mark.rule("ocs-series/8")
def test_a_retreat_ends_the_move_of_those_who_fell_back() -> None:
    found = None
    for seed in range(60):
        state = attack({BRIGADE: Piece(BRIGADE, CENTRE)}, {FOOT: N, OTHER: N, "j/inf/3-215-33": N})
        state = state.put("hedgehogs", N, Hedgehog("japanese", 1))
        first = GAME.apply(state, GAME.parse(f"overrun {GRID.label(N)} with {BRIGADE}"), KeyedDice(str(seed))).state
        for _ in range(12):
            if not first.frames:
                break
            kinds = GAME.decision(first).kinds
            if "option" in kinds:
                first = give(first, "option 0 in steps")
            else:
                first = GAME.apply(
                    first, first_order(first, "decline" if "decline" in kinds else kinds[0]), KeyedDice(str(seed))
                ).state
        if first.pieces[BRIGADE].on_map and first.pieces[BRIGADE].at not in (CENTRE, N):
            found = first
            break
    assert found is not None, "some seed makes the brigade fall back"
    assert found.pieces[BRIGADE].done
    onward = GRID.adjacent[found.pieces[BRIGADE].at][0]
    assert "done" in codes(found, f"move {BRIGADE} by {by(onward)}")


@pytest.mark.rule("ocs-series/8")
def test_who_has_points_left_may_overrun_again() -> None:
    strong = {u: Piece(u, CENTRE, "combat") for u in ("a/tank/7_Cav", "a/tank/45_Cav")}
    state = attack(strong, {GARRISON: N, "j/gar/2": NN})
    state = fought(state, f"overrun {GRID.label(N)} with {', '.join(strong)}", *WIN)
    here = [u for u in strong if state.pieces[u].at == N]
    assert here
    assert codes(state, f"overrun {GRID.label(NN)} with {here[0]}") == []
    again = fought(state, f"overrun {GRID.label(NN)} with {here[0]}", *WIN)
    spent = again.pieces[here[0]].spent
    assert spent in (72, 0), "paid twice, or destroyed"


@pytest.mark.rule("ocs-series/5.7")
def test_a_reserve_marker_comes_off_when_an_overrun_is_declared_in_1999() -> None:
    for version, mode in (("1999", "combat"), ("v4.3", "reserve")):
        state = attack(enemies={FOOT: Piece(FOOT, N, "reserve"), OTHER: Piece(OTHER, N, "reserve")}, version=version)
        state = state.put("dumps", N, Dump("japanese", 8))
        asked = outcome(state, f"overrun {GRID.label(N)} with {NAMES}").state
        assert asked.frames, "the defender is asked whether he pays"
        assert asked.pieces[FOOT].mode == mode


@pytest.mark.rule("ocs-series/8", "ocs-series/5.9")
def test_exploiting_units_and_released_reserves_overrun_in_exploitation() -> None:
    units = {"a/tank/7_Cav": Piece("a/tank/7_Cav", CENTRE, "exploit"), TANKS: Piece(TANKS, CENTRE, "exploit")}
    state = attack(units, phase="exploitation")
    assert codes(state, f"overrun {GRID.label(N)} with a/tank/7_Cav") == [], "half of eight"
    assert codes(state, f"overrun {GRID.label(N)} with {TANKS}") == [], "half of six"
    foot = attack({BRIGADE: Piece(BRIGADE, CENTRE, "exploit")}, phase="exploitation")
    assert codes(foot, f"overrun {GRID.label(N)} with {BRIGADE}") == ["overrun-points"], "half of three"
    waiting = attack({BRIGADE: Piece(BRIGADE, CENTRE, "reserve")}, phase="exploitation", markers={"reserve/allied": 1})
    assert codes(give(waiting, f"release {BRIGADE}"), f"overrun {GRID.label(N)} with {BRIGADE}") == []


def test_burma_2_6b_banzai_may_be_an_overrun() -> None:
    units = {FOOT: CENTRE, OTHER: CENTRE, BRIGADE: N}
    state = play(units, dumps={CENTRE: 9})
    assert codes(state, f"overrun {GRID.label(N)} with {FOOT}, {OTHER} as Banzai") == []
    pair = Partial("overrun", {"target": N, "units": (FOOT, OTHER)}).finish("units")
    assert [c.value for c in GAME.options(state, pair, "banzai").choices] == [True, False]
    mixed = play({FOOT: CENTRE, "j/inf/1-58-31": CENTRE, BRIGADE: N}, dumps={CENTRE: 9})
    assert codes(mixed, f"overrun {GRID.label(N)} with {FOOT}, j/inf/1-58-31 as Banzai") == ["banzai-regiment"]


# choices --------------------------------------------------------------------------------------------------------------


def test_an_overrun_is_built_from_its_choices() -> None:
    state = attack()
    found = GAME.options(state, Partial("overrun"))
    assert [c.value for c in found.choices] == [N]
    at = found.take(N)
    assert {c.value for c in GAME.options(state, at).choices} == set(STACK)
    at = GAME.options(state, at).take(TANKS)
    found = GAME.options(state, at)
    assert found.complete is not None
    assert {c.value for c in found.choices} == set(STACK) - {TANKS}
    at = at.finish("units")
    for slot in ("ar", "payment", "fuel"):
        assert GAME.options(state, at, slot).choices, slot
    assert not GAME.options(state, at, "banzai").choices, "tanks make none"
    assert not GAME.options(attack({BRIGADE: Piece(BRIGADE, CENTRE, dg=True)}), Partial("overrun")).choices


# trucks in an enemy zone ----------------------------------------------------------------------------------------------

LORRIES, CORPS = "a/mot/2-2", "a/mot/3-4_Bo"  # Truck MP


def lorries(enemies, **more):
    """Motorised infantry two hexes south of the enemy, with supply."""
    units = {u: Piece(u, S, "move", "move") for u in (LORRIES, CORPS)}
    return attack({**units, **more}, enemies)


@pytest.mark.rule("ocs-series/4.5", "ocs-series/8")
def test_series_4_5_trucks_that_stop_in_a_zone_may_overrun_from_there() -> None:
    both = f"{LORRIES}, {CORPS}"
    state = give(lorries({GARRISON: N}), f"move {both} by {by(CENTRE)}")
    assert state.pieces[LORRIES].done
    assert codes(state, f"move {LORRIES} by {by(S)}") == ["done"]
    order = f"overrun {GRID.label(N)} with {both}"
    assert codes(state, order) == []
    assert LORRIES in {c.value for c in GAME.options(state, Partial("overrun", {"target": N})).choices}
    won = fought(state, order, *WIN)
    alive = [u for u in (LORRIES, CORPS) if won.pieces[u].at == N]
    assert alive
    assert not any(won.pieces[u].done for u in alive), "out of the zone, it may go on"
    assert codes(won, f"move {alive[0]} by {by(NN)}") == []


@pytest.mark.rule("ocs-series/4.5", "ocs-series/8")
def test_series_4_5_one_overrun_may_lead_to_another() -> None:
    state = give(lorries({GARRISON: N, "j/gar/2": NN}), f"move {LORRIES}, {CORPS} by {by(CENTRE)}")
    won = fought(state, f"overrun {GRID.label(N)} with {LORRIES}, {CORPS}", *WIN)
    alive = [u for u in (LORRIES, CORPS) if won.pieces[u].at == N]
    assert alive
    assert all(won.pieces[u].done for u in alive), "in the zone of the second garrison"
    west = GRID.neighbours[N][5]
    assert codes(won, f"move {alive[0]} by {by(west)}") == ["done"]
    assert codes(won, f"overrun {GRID.label(NN)} with {alive[0]}") == []


@pytest.mark.rule("ocs-series/4.5", "ocs-series/6.1")
def test_series_4_5_when_others_move_the_stopped_trucks_have_moved() -> None:
    state = give(lorries({GARRISON: N}, **{BRIGADE: GRID.at(12, 40)}), f"move {LORRIES} by {by(CENTRE)}")
    assert codes(state, f"overrun {GRID.label(N)} with {LORRIES}") == []
    state = give(state, f"move {BRIGADE} by {by(GRID.at(12, 41))}")
    assert codes(state, f"overrun {GRID.label(N)} with {LORRIES}") == ["done"]
    assert "stopped" not in state.markers
