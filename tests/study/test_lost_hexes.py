"""What an enemy in a hex would cost: an imagined unit answers as a real one does that is placed there."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from burma_study.errors import BurmaStudyError
from burma_study.games.ocs.choke_sets import default_hexes
from burma_study.games.ocs.losses import Losing, held_by_ghosts
from burma_study.games.ocs.nets import carried, choke_points, cut, loss, worst_set
from burma_study.games.ocs.openings import line_session
from burma_study.games.ocs.session import OcsSession
from burma_study.rules.ocs.counters import counters, other_side
from burma_study.rules.ocs.movement.zoc import zones
from burma_study.rules.ocs.setup import start
from burma_study.rules.ocs.state import Piece, State
from burma_study.rules.ocs.supply.on_map import OnMap
from burma_study.rules.ocs.supply.trace import Picture, forget, supply
from burma_study.ui.loss_sections import cut_sections
from burma_study.ui.sections import best_sections

BOARD = start("ocs/u-go").board


@pytest.fixture(scope="module")
def ugo() -> OcsSession:
    return line_session("ocs/u-go")


def real(state: State, side: str, kind: str = "battalion") -> Piece:
    """A real battalion of the enemy that is not in play; in Strategic Mode it has no zone, like a garrison."""
    spare = (i for i, c in sorted(counters().items()) if c.side != side and i not in state.pieces)
    unit = Piece(next(i for i in spare if counters()[i].is_infantry_battalion and counters()[i].attack_capable), 0)
    return unit if kind == "battalion" else replace(unit, mode="strat", face="move")


def really(state: State, side: str, hex_: int, unit: Piece) -> State:
    """The state with all of a side in a hex gone and a real enemy unit in it."""
    for table in ("pieces", "transport", "aircraft"):
        for id_, x in getattr(state, table).items():
            if x.at == hex_ and (x.counter.side if table == "pieces" else x.side) == side:
                state = state.put(table, id_, None)
    for table in ("dumps", "bases", "hedgehogs"):
        if hex_ in getattr(state, table) and getattr(state, table)[hex_].side == side:
            state = state.put(table, hex_, None)
    return state.place(replace(unit, at=hex_))


@pytest.mark.parametrize("kind", ["battalion", "garrison"])
@pytest.mark.parametrize(
    ("scenario", "side"), [("ocs/u-go", "allied"), ("ocs/campaign-2", "allied"), ("ocs/u-go", "japanese")]
)
def test_an_imagined_unit_costs_what_a_real_one_costs_in_every_hex(scenario: str, side: str, kind: str) -> None:
    state = start(scenario)
    picture, unit = supply(state, side), real(state, side, kind)
    losing = Losing(picture, kind)
    beside = {n for h in losing.through for n in BOARD.grid.adjacent[h]}
    hexes = sorted(default_hexes(losing) | set(sorted(beside)[::6]))
    before = {i for i, t in picture.traces.items() if t.in_supply}
    for hex_ in hexes:
        forget()
        after = supply(really(state, side, hex_, unit), side).traces
        assert {i for i in before & after.keys() if not after[i].in_supply} == set(losing.cut([hex_]).lost), hex_


def test_the_full_loss_is_that_of_the_real_state() -> None:
    state = start("ocs/u-go")
    picture, unit = supply(state, "allied"), real(state, "allied")
    stores = OnMap(picture)
    fed = {i for m in stores.meals() for i in m.units} | {i for i, t in picture.traces.items() if t.in_supply}
    for label in ("A5.25", "A7.09", "B3.29", "A6.22", "A4.24"):
        hex_ = BOARD.index(label)
        after = OnMap(supply(really(state, "allied", hex_, unit), "allied"))
        left = {i for m in after.meals() for i in m.units}
        left |= {i for i, t in after.picture.traces.items() if t.in_supply}
        assert set(loss(picture, [hex_]).starved) == (fed - left) & after.picture.traces.keys(), label


def test_a_battalion_beside_the_railway_cuts_off_28_units_and_a_wall_none() -> None:
    picture, hex_ = supply(start("ocs/u-go"), "allied"), BOARD.index("A5.25")
    assert len(cut(picture, [hex_]).lost) == 28
    assert cut(picture, [hex_], by="impassable").lost == ()


def test_a_garrison_shuts_the_railway_but_has_no_zone() -> None:
    state, hex_ = start("ocs/u-go"), BOARD.index("A5.25")
    assert len(cut(supply(state, "allied"), [hex_], by="garrison").lost) == 28
    grown = zones(held_by_ghosts(state, "allied", [hex_], "battalion"), "japanese")
    same = zones(held_by_ghosts(state, "allied", [hex_], "garrison"), "japanese")
    assert grown - zones(state, "japanese") >= set(BOARD.grid.adjacent[hex_]) - zones(state, "japanese")
    assert same == zones(state, "japanese")


def test_kalewa_is_a_choke_point_though_it_is_occupied() -> None:
    picture, kalewa = supply(start("ocs/u-go"), "japanese"), BOARD.index("B12.21")
    worst = choke_points(picture)[0]
    assert (worst.hexes, len(worst.lost), len(worst.here)) == ((kalewa,), 47, 1)
    assert choke_points(picture, among=[kalewa]) == (worst,)


def test_each_hex_that_is_asked_about_is_answered() -> None:
    picture = supply(start("ocs/u-go"), "allied")
    far, road = BOARD.index("A60.30"), BOARD.index("A1.24")
    found = choke_points(picture, among=[far, road])
    assert [c.hexes for c in found] == [(road,), (far,)]
    assert [len(c.lost) for c in found] == [28, 0]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_set_of_hexes_is_the_worst_of_all_sets(k: int) -> None:
    picture = supply(start("ocs/campaign-2"), "japanese")
    losing = Losing(picture)
    among = sorted(carried(picture))[::17]
    best = max(len(losing.cut(hexes).lost) for hexes in combinations(among, k))
    found = worst_set(picture, k, among=among, exact=True)
    assert (len(found.cut.lost), found.exact, len(found.cut.hexes)) == (best, True, k)
    greedy = worst_set(picture, k, among=among, exact=False)
    assert len(greedy.cut.lost) <= best <= greedy.bound
    assert losing.cut(found.cut.hexes) == found.cut


def test_two_roads_that_stand_in_for_each_other_are_found_together() -> None:
    picture = supply(start("ocs/campaign-2"), "japanese")
    losing = Losing(picture, "impassable")
    hexes = sorted(carried(picture))[::7]
    alone = {h: set(losing.cut([h]).lost) for h in hexes}
    more = [p for p in combinations(hexes, 2) if set(losing.cut(p).lost) - alone[p[0]] - alone[p[1]]]
    assert more, "some pair costs more than its hexes alone"


@pytest.mark.parametrize("k", [0, -1, True, "2", None, 3])
def test_a_number_of_hexes_that_is_none_is_refused(k: Any) -> None:
    picture = supply(start("ocs/learning"), "allied")
    with pytest.raises(BurmaStudyError, match="hexes cannot be chosen from 2"):
        worst_set(picture, k, among=[1, 2])


def test_what_could_not_stand_in_a_hex_is_refused() -> None:
    picture = supply(start("ocs/learning"), "allied")
    with pytest.raises(BurmaStudyError, match="write one of battalion, garrison, impassable"):
        cut(picture, [1], by="batallion")
    with pytest.raises(BurmaStudyError, match="At most 99 hexes"):
        cut(picture, range(1, 2000))


# on the page ----------------------------------------------------------------------------------------------------------


def test_imphal_on_8_april_is_not_green(ugo: OcsSession) -> None:
    step = next(k for k, f in enumerate(ugo.film.frames) if f.date == "1944-04-08")
    imphal = ugo.index("A7.09")
    found = ugo.cut(step, "allied", imphal)
    meals = OnMap(supply(ugo.state(step), "allied")).meals()
    assert found["eaters"] == sum(len(m.units) for m in meals if m.store == imphal) > 20
    assert found["starved"]
    assert found["tone"] == "bad"
    assert ugo.cut(step, "allied", imphal, "impassable")["tone"] != "good"


def test_green_is_only_where_nothing_depends_on_the_hex(ugo: OcsSession) -> None:
    picture = supply(ugo.state(0), "allied")
    for hex_ in {*carried(picture), *ugo.state(0).dumps, *ugo.state(0).bases} - {"silchar", "ledo"}:
        theirs = [x for t in ("dumps", "bases") if (x := getattr(ugo.state(0), t).get(hex_)) and x.side == "allied"]
        if theirs or hex_ in carried(picture):
            assert ugo.cut(0, "allied", hex_)["tone"] != "good"
    assert ugo.cut(0, "allied", ugo.index("A3.30"))["tone"] == "good"


def test_the_page_names_what_is_imagined_in_the_hex(ugo: OcsSession) -> None:
    for by, said in (("battalion", "If a Japanese battalion with a zone"), ("impassable", "If paths and lines could")):
        select, told = cut_sections("allied", "A5.25", by, ugo.cut(0, "allied", ugo.index("A5.25"), by))[:2]
        assert select["value"] == by
        assert told["text"].startswith(said)


@pytest.mark.parametrize(("tokens", "said"), [(3, "0 points 3T"), (4, "1 point"), (5, "1 point 1T"), (8, "2 points")])
def test_one_transport_point_is_one_point(ugo: OcsSession, tokens: int, said: str) -> None:
    found = {**ugo.cut(0, "allied", ugo.index("A5.25"), "battalion"), "transport": tokens}
    (facts,) = [s for s in cut_sections("allied", "A5.25", "battalion", found) if s["type"] == "facts"]
    assert ["Transport", f"{tokens}T ({said})"] in [row[:2] for row in facts["rows"]]


def test_best_attacks_name_their_parties_and_the_rule_of_their_order(ugo: OcsSession) -> None:
    rule, table = best_sections("japanese", ugo.best(2, "japanese", 10))
    rows = [tuple(row[:2]) for row in table["rows"]]
    assert len(set(rows)) == len(rows) > 3
    worth = [float(row[2]) for row in table["rows"]]
    assert worth == sorted(worth, reverse=True)
    assert rule["text"].startswith("Listed by worth")


def test_one_figure_has_one_name_in_the_list_in_the_odds_and_in_words(ugo: OcsSession) -> None:
    first = ugo.best(2, "japanese", 1)[0]
    odds = ugo.fight(2, first["target"], first["attackers"], {"banzai": first["banzai"]})
    for name in ("hex_taken", "hex_emptied", "attacker_steps", "defender_steps"):
        assert first[name] == odds["expected"][name]
    _, table = best_sections("japanese", [first])
    assert [name for name, _ in table["columns"]][4:] == ["Hex taken", "Expected loss"]


def test_the_enemy_of_a_side_is_imagined() -> None:
    state = held_by_ghosts(start("ocs/u-go"), "japanese", [5], "battalion")
    (ghost,) = [p for p in state.pieces.values() if p.at == 5]
    assert ghost.counter.side == other_side("japanese")


def test_asking_leaves_the_picture_as_it_was(ugo: OcsSession) -> None:
    picture: Picture = supply(ugo.state(0), "allied")
    before = dict(picture.traces)
    choke_points(picture, 3)
    assert dict(supply(ugo.state(0), "allied").traces) == before
