"""Enemy goods in a hex come into by another way than a march (OCS 4.4c, 9.14b), and names of new pieces."""

from __future__ import annotations

from dataclasses import replace

import pytest
from air_field import HOME, at
from air_field import give as fly
from dice import at_once, begun
from movement_field import GRID, made
from moving_field import codes, give, outcome, play
from test_air_lift import BATTALION, NEAR, lift

from burma_study.boards.board import Route, load_board
from burma_study.engine.game import Partial
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.goods.losses import refuges
from burma_study.rules.ocs.movement.presence import shut_to
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.state import Base, Dump, Hedgehog, Piece, TraceSource, Transport
from burma_study.rules.ocs.turn.arrivals import due, entries_open, income_places

LINE = [GRID.at(c, 30) for c in range(5, 16)]
TOWN, END = LINE[0], LINE[-1]
BRIGADE, HQ = "a/inf/63-17", "a/hq/4_Corps"
AIR_HQ, REGIMENT = "a/art/5-5", "a/inf/113-38"
TRUCK = Transport("t", "allied", "truck", 4, TOWN)
MULE = Transport("j/mule/1", "japanese", "mule", 4, END, 4)


def railway(ground, *goods, units=None, dumps=None):
    """A railway from TOWN to END with a source in TOWN, and enemy things in END."""
    board = made(rest="jungle")
    ends = tuple("village" if h in (TOWN, END) else "" for h in GRID)
    ground(replace(board, routes=(Route("line", "rail", tuple(LINE), "allied"),), feature=ends))
    markers = {"sources": (TraceSource("allied", TOWN, "rail"),), "rail/allied": 6, "rail/ledo": 0}
    state = play(units or {}, "allied", "movement", dumps, markers=markers)
    for table, key, value in goods:
        state = state.put(table, key, value)
    return state


ENEMY = [
    ("dumps", END, Dump("japanese", 8)),
    ("transport", MULE.id, MULE),
    ("bases", END, Base("japanese", 1)),
    ("hedgehogs", END, Hedgehog("japanese", 1)),
]


@pytest.mark.rule("ocs-series/4.4c", "ocs-series/13.3")
@pytest.mark.parametrize("goods", ENEMY, ids=lambda g: g[0])
def test_supply_transport_and_headquarters_do_not_ride_onto_enemy_goods(ground, goods) -> None:
    state = railway(ground, goods, units={HQ: Piece(HQ, TOWN, "move", "move")}, dumps={TOWN: 4})
    state, end = state.put("transport", "t", TRUCK), GRID.label(END)
    for order in (f"freight 4 T from {GRID.label(TOWN)} to {end}", f"rail t to {end}", f"rail {HQ} to {end}"):
        assert codes(state, order) == ["enemy_goods"], order
    for kind, name in (("freight", {"start": TOWN}), ("rail", {"name": "t"}), ("rail", {"name": HQ})):
        assert END not in [c.value for c in GAME.options(state, Partial(kind, name)).choices], kind


@pytest.mark.rule("ocs-series/4.4c", "ocs-series/9.14b")
def test_a_brigade_that_rides_onto_an_enemy_dump_rolls_for_it(ground) -> None:
    """The capture table on a supply die: what is taken of 8T is 0, 2, 2, 4, 4 or 6 T, and nothing is doubled."""
    state = railway(ground, ENEMY[0], units={BRIGADE: TOWN})
    found = outcome(state, f"rail {BRIGADE} to {GRID.label(END)}")
    (roll,) = found.rolls
    taken = (0, 2, 2, 4, 4, 6)[roll.sum - 1]
    dump = found.state.dumps.get(END)
    assert (dump.side, dump.tokens) == ("allied", taken) if taken else dump is None
    assert "ocs-series/4.4c" in found.rules


@pytest.mark.rule("ocs-series/4.4c")
def test_a_brigade_takes_an_enemy_air_base_and_hedgehog_by_rail(ground) -> None:
    after = give(railway(ground, *ENEMY[2:], units={BRIGADE: TOWN}), f"rail {BRIGADE} to {GRID.label(END)}")
    assert (after.bases[END].side, after.hedgehogs[END].side) == ("allied", "allied")


@pytest.mark.rule("ocs-series/9.14b")
@pytest.mark.parametrize("goods", ENEMY, ids=lambda g: g[0])
def test_transport_is_not_displaced_onto_enemy_goods(ground, goods) -> None:
    state = railway(ground).put("transport", "t", replace(TRUCK, at=LINE[-2]))
    assert END in refuges(state, "t")
    assert END not in refuges(state.put(*goods), "t")


@pytest.mark.rule("ocs-series/4.4c", "ocs-series/13.6")
def test_supply_and_headquarters_do_not_arrive_on_enemy_goods_and_brigades_take_them() -> None:
    state = begun(start("ocs/thursday"), "reinforcement", "allied", turn=4)
    entry = due(state, "allied")[0]
    at = next(w for w in entries_open(state, entry) if isinstance(w, int))
    there = state.put("bases", at, Base("japanese", 1))
    assert at in entries_open(there, entry)
    assert at not in entries_open(there, replace(entry, unit=HQ))
    after = at_once(there, f"arrive {entry.unit} at {GAME.label(at)}")
    assert after.bases[at].side == "allied"


INCOMES = {  # scenario, side, a hex where its supply may come (B, special rules 2 of each scenario)
    ("ocs/learning", "allied"): "A3.01",
    ("ocs/learning", "japanese"): "B12.21",
    ("ocs/thursday", "japanese"): "B33.30",
    ("ocs/u-go", "japanese"): "B12.21",
    ("ocs/marauders", "japanese"): "A58.17",
    ("ocs/sato", "japanese"): "A7.01",
    ("ocs/imphal", "japanese"): "A18.01",
    ("ocs/campaign-1", "japanese"): "B39.02",
    ("ocs/campaign-2", "japanese"): "B39.03",
    ("ocs/campaign-3", "japanese"): "B39.02",
}


@pytest.mark.rule("ocs-series/4.4c")
@pytest.mark.parametrize("goods", ENEMY, ids=lambda g: g[0])
@pytest.mark.parametrize(("scenario", "side"), INCOMES)
def test_income_is_not_put_down_on_enemy_goods(scenario, side, goods) -> None:
    state = start(scenario).with_(phase="reinforcement", player=side).put("markers", f"income/{side}", 4)
    at, enemy = INCOMES[scenario, side], "japanese" if side == "allied" else "allied"
    hex_, (table, key, thing) = state.board.index(at), goods
    assert hex_ in income_places(state, side)
    assert codes(state, f"deliver 1 T to {at}") == []
    thing = replace(thing, side=enemy, at=hex_) if table == "transport" else replace(thing, side=enemy)
    full = state.put(table, key if table == "transport" else hex_, thing)
    assert hex_ not in income_places(full, side)
    assert codes(full, f"deliver 1 T to {at}") != []
    own = state.put(table, key if table == "transport" else hex_, replace(thing, side=side))
    assert hex_ in income_places(own, side)


@pytest.mark.rule("ocs-series/4.4c", "ocs/3.5b")
def test_who_lands_by_glider_among_enemy_goods_takes_them_and_supply_is_refused(ground) -> None:
    """A 6 takes 6 of the 8 T, a 5 takes 3 of 4 points of mules with 3 of their 4 T; one is moved away."""
    hex_ = at(NEAR)
    state = (
        lift([BATTALION], gliders=1)
        .put("dumps", hex_, Dump("japanese", 8))
        .put("transport", MULE.id, replace(MULE, at=hex_))
    )
    order = f"lift {BATTALION} from silchar to {NEAR} by a/c-47/1 towing 1 gliders"
    after = fly(state, order, air=[(6,)], supply=[(6,), (5,)])
    ours = [t for t in after.transport.values() if t.side == "allied"]
    assert after.pieces[BATTALION].at == hex_
    assert (after.dumps[hex_].side, after.dumps[hex_].tokens) == ("allied", 6)
    assert [(t.kind, t.size, t.load, t.at) for t in ours] == [("mule", 3, 3, hex_)]
    assert (after.transport[MULE.id].size, after.transport[MULE.id].load) == (1, 1)
    assert (after.frames[-1].procedure, after.frames[-1].actor) == ("displacing", "japanese")
    lost = fly(state, order, air=[(1,)])
    assert lost.pieces[BATTALION].at == "dead"
    assert (lost.dumps[hex_].side, lost.transport[MULE.id].side) == ("japanese", "japanese")
    assert "landing-on-enemy" in codes(state, f"lift 2T from silchar to {NEAR} by a/c-47/1 towing 1 gliders")
    assert "landing-on-enemy" in codes(state, f"lift 1T from silchar to {NEAR} by a/c-47/1 dropping")


@pytest.mark.rule("ocs/sato.sr6", "ocs/imphal.sr6", "ocs-series/4.4c")
@pytest.mark.parametrize("scenario", ["ocs/sato", "ocs/imphal"])
def test_who_comes_back_onto_the_map_takes_enemy_goods_and_guns_do_not_come_onto_them(scenario) -> None:
    state = start(scenario).with_(turn=2, phase="movement", player="japanese")
    board, back = state.board, "A13.01"
    hex_, foot = board.index(back), min(p.id for p in state.units("japanese") if p.counter.is_infantry_battalion)
    guns = min(p.id for p in state.units("japanese") if p.counter.type == "artillery" and p.on_map)
    for unit in (foot, guns):
        state = state.place(replace(state.pieces[unit], at=board.index("A3.01"), mode="combat", face="combat"))
        state = give(state, f"exit with {unit}, back at {back}")
    state = state.with_(turn=4)
    assert codes(state, f"come back with {guns}") == []
    full = state.put("dumps", hex_, Dump("allied", 8))
    assert codes(full, f"come back with {guns}") == ["no-way-on"]
    assert [c.value for c in GAME.options(full, Partial("come")).choices] == [foot]
    after = at_once(full, f"come back with {foot}", supply=[(4,)])
    assert (after.dumps[hex_].side, after.dumps[hex_].tokens) == ("japanese", 4)
    assert codes(after, f"come back with {guns}") == []


@pytest.mark.rule("ocs/3.8", "ocs/3.4a", "ocs-series/4.4c")
def test_the_ledo_road_leads_nothing_but_what_can_attack_onto_enemy_goods(ground) -> None:
    ground(load_board("ocs"))
    state = start("ocs/campaign-2").with_(phase="movement", player="allied")
    end, hex_ = "A40.34", GRID.index("A40.34")
    for t in [t.id for t in state.transport.values() if t.at == hex_]:
        state = state.put("transport", t, None)
    state = state.put("dumps", "ledo", Dump("allied", 40)).place(Piece(REGIMENT, "ledo", "move", "move"))
    state = state.put("transport", "t", replace(TRUCK, at="ledo"))
    orders = (f"freight 4 T from ledo to {end}", f"rail t to {end}", f"rail {REGIMENT} to {end}")
    clear, full = state.put("dumps", hex_, None), state.put("dumps", hex_, Dump("japanese", 8))
    assert [codes(clear, o) for o in orders] == [[], [], []]
    assert [codes(full, o) for o in orders] == [["enemy_goods"], ["enemy_goods"], []]
    after = at_once(full, orders[2], supply=[(6,)])
    assert (after.dumps[hex_].side, after.dumps[hex_].tokens) == ("allied", 6)


@pytest.mark.rule("ocs/3.10", "ocs-series/4.4c")
def test_the_hump_brings_no_supply_onto_enemy_goods_and_units_that_land_take_them(ground) -> None:
    """An Allied base with Japanese mules in its hex: supply does not land there; half the mules are taken on a 4."""
    state = lift([BATTALION, AIR_HQ], markers={"hump": 6}, tokens=4)
    orders = (
        f"hump 1T from silchar to {HOME}",
        f"hump {AIR_HQ} from silchar to {HOME}",
        f"hump {BATTALION} from silchar to {HOME}",
    )
    full = state.with_(phase="exploitation").put("transport", MULE.id, replace(MULE, at=at(HOME)))
    assert "landing-on-enemy" in codes(full, orders[0])
    assert "landing-on-enemy" in codes(full, orders[1])
    assert "landing-on-enemy" in codes(full, f"hump 1T, {BATTALION} from silchar to {HOME}")
    assert codes(full, orders[2]) == []
    after = fly(full, orders[2], supply=[(4,)])
    assert [(t.size, t.load) for t in after.transport.values() if t.side == "allied"] == [(2, 2)]
    dropped = state.put("dumps", at(NEAR), Dump("japanese", 8))
    assert "landing-on-enemy" in codes(dropped, f"hump 1T from silchar to {NEAR} dropping")


@pytest.mark.parametrize("goods", ENEMY, ids=lambda g: g[0])
def test_one_question_serves_every_way_in(ground, goods) -> None:
    state = railway(ground, goods)
    assert END in shut_to(state, "allied")
    assert END not in shut_to(state, "allied", captures=True)
    assert END not in shut_to(state, "japanese")


@pytest.mark.rule("ocs/thursday.sr5")
def test_sixteen_brigades_mules_get_a_name_that_no_counter_has() -> None:
    """Two mules merged into one leave `a/mule/2` alone: a count would name the new one so and wipe it out."""
    state = begun(start("ocs/thursday"), "reinforcement", "allied", turn=4)
    entry = next(e for e in due(state, "allied") if e.mule)
    for id_ in [t for t in state.transport if t.startswith("a/mule/")]:
        state = state.put("transport", id_, None)
    old = Transport("a/mule/2", "allied", "mule", 8, "silchar", 8)
    state = state.put("transport", old.id, old)
    at = next(w for w in entries_open(state, entry) if isinstance(w, int))
    after = at_once(state, f"arrive {entry.unit} at {GAME.label(at)}")
    assert after.transport["a/mule/2"] == old
    assert after.transport["a/mule/1"].load == entry.loaded


@pytest.mark.rule("ocs-series/9.14b", "ocs-series/4.4c")
def test_a_unit_put_down_by_the_end_of_the_phase_takes_transport_and_its_owner_moves_the_rest() -> None:
    """The procedure that places it closes before the enemy is asked where his mules go."""
    state = begun(start("ocs/thursday"), "reinforcement", "allied", turn=4)
    at = next(w for w in entries_open(state, due(state, "allied")[0]) if isinstance(w, int))
    mule = Transport("j/mule/9", "japanese", "mule", 8, at, 8)
    after = at_once(state.put("transport", mule.id, mule), "done", supply=[(4,)])
    ours = sum(t.size for t in after.transport.values() if t.at == at and t.side == "allied" and t.kind == "mule")
    assert not due(after, "allied")
    assert (after.transport[mule.id].size, ours) == (4, 4 + 4), "half of the eight, beside sixteen brigade's own"
    assert (after.frames[-1].procedure, after.frames[-1].actor) == ("displacing", "japanese")


@pytest.mark.rule("ocs-series/4.4c", "ocs/3.5c")
@pytest.mark.parametrize("goods", ENEMY, ids=lambda g: g[0])
def test_supply_is_not_dropped_on_enemy_goods(ground, goods) -> None:
    from burma_study.rules.ocs.air.lift import landing_reasons
    from burma_study.rules.ocs.air.loads import DROPPING, GLIDING, Stowed

    state = railway(ground, goods, units={BRIGADE: Piece(BRIGADE, "silchar", "move", "move")})
    for stowed, codes_ in (
        ([Stowed("", 1, DROPPING)], ["landing-on-enemy"]),
        ([Stowed(BRIGADE, 0, GLIDING)], []),
        ([Stowed(BRIGADE, 0, GLIDING), Stowed("", 1, GLIDING)], ["landing-on-enemy"]),
    ):
        assert [r.code for r in landing_reasons(state, stowed, END)] == codes_
