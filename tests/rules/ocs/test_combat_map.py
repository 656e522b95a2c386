"""Attacks on the map: strengths, the terrain the defender picks, ratings, and what forbids an attack."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from combat_field import NE, NW, SE, SW, TARGET, N, S, situation

from burma_study.errors import IllegalOrder
from burma_study.rules.ocs.combat.attack import DECIMATED, AttackOptions, attack_odds, combatants, starting_column
from burma_study.rules.ocs.combat.checks import reasons_against
from burma_study.rules.ocs.combat.strength import Look, hex_defence, river_choice, terrain_choices
from burma_study.rules.ocs.state import Piece, Rules

pytestmark = pytest.mark.usefixtures("on")

R213 = [f"j/inf/{n}-213-33" for n in (1, 2, 3)]
R214 = [f"j/inf/{n}-214-33" for n in (1, 2, 3)]
R215 = [f"j/inf/{n}-215-33" for n in (1, 2, 3)]
BRIGADE, TANKS, MECH = "a/inf/48-17", "a/tank/7_Cav", "a/mot/2-2"  # 6-4-3, 4-4-8 armor, 4-5-6 mech
JAPANESE = R215[0]  # 2-4-3
ANYWAY = AttackOptions(anyway=True)


def odds(units, attackers, options=None, **more):
    return attack_odds(situation(units, **more), TARGET, attackers, options)


def codes(units, attackers, options=None, **more):
    where = situation(units, **more)
    pieces, defenders, unknown = combatants(where, TARGET, attackers)
    options = options or AttackOptions()
    return {r.code for r in unknown or reasons_against(where, TARGET, pieces, defenders, options)}


def steps(found, code):
    return [s.value for s in found.chain if s.code == code]


# strengths ------------------------------------------------------------------------------------------------------------


def test_series_9_7_two_brigades_against_a_battalion():
    """6 + 6 against 2 in the open is 6:1: the column of 5:1."""
    found = odds({"a/inf/48-17": N, "a/inf/63-17": S, JAPANESE: TARGET}, ["a/inf/48-17", "a/inf/63-17"])
    assert (found.attack, found.defence, found.ratio, found.column) == (12, 2, "6:1", "5:1")
    assert (found.drm, found.attacker_steps, found.defender_steps) == (0, 2, 1)


@pytest.mark.parametrize(
    ("change", "attack"),
    [
        ({}, Fraction(6)),
        ({"dg": True}, Fraction(3)),
        ({"oos": True}, Fraction(3)),
        ({"dg": True, "oos": True}, Fraction(3, 2)),
    ],
)
def test_series_4_3_factors_of_an_attacker_multiply(change, attack):
    found = odds({BRIGADE: Piece(BRIGADE, N, **change), JAPANESE: TARGET}, [BRIGADE])
    assert found.attack == attack


@pytest.mark.parametrize(
    ("change", "pays", "defence"),
    [
        ({}, True, Fraction(6)),
        ({}, False, Fraction(3)),
        ({"oos": True}, False, Fraction(3, 2)),
        ({"mode": "reserve"}, True, Fraction(3)),
        ({"mode": "strat", "face": "move"}, True, Fraction(0)),
        ({"dg": True, "mode": "reserve", "oos": True}, False, Fraction(3, 8)),
    ],
)
def test_series_9_5_a_defender_without_supply_is_halved_and_quartered_when_out_of_supply(change, pays, defence):
    found = odds(
        {BRIGADE: Piece(BRIGADE, TARGET, **change), JAPANESE: N}, [JAPANESE], AttackOptions(defender_pays=pays)
    )
    assert found.defence == defence


def test_series_9_14a_a_strat_mode_defender_is_attacked_on_the_last_column():
    found = odds({BRIGADE: Piece(BRIGADE, TARGET, mode="strat", face="move"), JAPANESE: N}, [JAPANESE])
    assert found.column == "13:1"
    assert found.drm == 4  # its rating is 0


@pytest.mark.parametrize(
    ("unit", "mode", "face", "defence"),
    [
        ("a/hq/4_Corps", "combat", "combat", 5),
        ("a/hq/4_Corps", "move", "move", 1),
        ("a/hq/4_Corps", "reserve", "combat", Fraction(5, 2)),  # half of the side that shows
        ("a/hq/4_Corps", "reserve", "move", Fraction(1, 2)),
        ("a/hq/4_Corps", "strat", "move", 0),
        ("a/art/17-17", "combat", "combat", 1),
        ("a/art/17-17", "move", "move", 1),
        ("a/art/17-17", "reserve", "combat", Fraction(1, 2)),
    ],
)
@pytest.mark.rule("ocs-series/13.4b", "ocs/notes.move-range")
def test_series_13_1_and_13_4b_defence_of_hqs_and_artillery(unit, mode, face, defence):
    assert odds({unit: Piece(unit, TARGET, mode, face), JAPANESE: N}, [JAPANESE]).defence == defence


@pytest.mark.parametrize(("unit", "defence"), [("j/hq/33_Div", 2), ("j/hq/15_Army", 5)])
def test_burma_2_4a_a_japanese_division_hq_defends_with_2(unit, defence):
    assert odds({unit: TARGET, BRIGADE: N}, [BRIGADE]).defence == defence
    waiting = Piece(unit, TARGET, "reserve", "combat")
    assert odds({unit: waiting, BRIGADE: N}, [BRIGADE]).defence == Fraction(defence, 2)


def test_series_4_2_a_move_mode_unit_attacks_with_the_side_that_shows():
    piece = Piece(BRIGADE, N, "move", "move")
    assert odds({BRIGADE: piece, JAPANESE: TARGET}, [BRIGADE]).attack == piece.counter.move.attack


# terrain --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terrain", "roads", "category"),
    [
        ("mountain", [], "extremely_close"),
        ("mountain", [(N, TARGET)], "very_close"),
        ("jungle", [], "close"),
        ("rough", [], "very_close"),
        ("clear", [], "open"),
    ],
)
def test_burma_1_4e_mountain_is_extremely_close_and_with_a_road_very_close(on, terrain, roads, category):
    on(terrain={TARGET: terrain}, roads=roads)
    assert odds({JAPANESE: TARGET, BRIGADE: N}, [BRIGADE]).category == category


def test_burma_1_4d_a_track_does_not_make_a_mountain_very_close(on):
    on(terrain={TARGET: "mountain"}, tracks=[(N, TARGET)])
    assert odds({JAPANESE: TARGET, BRIGADE: N}, [BRIGADE]).category == "extremely_close"


def test_burma_1_4a_the_defender_picks_the_best_of_several_types(on):
    """A village in clear ground is Close; in a mountain the mountain stays the better one."""
    on(feature={TARGET: "village"})
    assert odds({JAPANESE: TARGET, BRIGADE: N}, [BRIGADE]).category == "close"
    on(terrain={TARGET: "mountain"}, feature={TARGET: "village"})
    assert odds({JAPANESE: TARGET, BRIGADE: N}, [BRIGADE]).category == "extremely_close"


@pytest.mark.parametrize(
    ("river", "ground", "attack"),
    [
        ("minor", "normal", Fraction(3)),
        ("major", "normal", Fraction(2)),
        ("minor", "flood", Fraction(2)),
        ("major", "flood", Fraction(2)),
    ],
)
def test_burma_1_4b_rivers_weaken_infantry_and_flood_lifts_them_a_class(on, river, ground, attack):
    on(rivers={N: river})
    assert odds({JAPANESE: TARGET, BRIGADE: N}, [BRIGADE], ground=ground).attack == attack


def test_series_9_3_each_stack_suffers_its_own_hexside(on):
    """One brigade over the river counts 3, the other 6; the terrain (x 1) and the river never both."""
    on(rivers={N: "minor"})
    units = {"a/inf/48-17": N, "a/inf/63-17": S, JAPANESE: TARGET}
    assert odds(units, ["a/inf/48-17", "a/inf/63-17"]).attack == 9


def test_series_9_3_terrain_or_hexside_never_both(on):
    """Tanks in rough with a track count half; over a minor river half as well, not a quarter."""
    on(terrain={TARGET: "rough"}, tracks=[(N, TARGET)], rivers={N: "minor"})
    assert odds({JAPANESE: TARGET, TANKS: N}, [TANKS]).attack == 2


@pytest.mark.parametrize(
    ("attacker", "defender", "hedgehog", "attack"),
    [
        ("j/tank/1-14", "a/inf/48-17", 0, 4),
        ("j/tank/1-14", "a/mot/2-2", 0, 4),
        ("j/tank/1-14", "a/tank/7_Cav", 0, 3),
        ("j/tank/1-14", "a/inf/48-17", 1, 3),
        ("a/mot/2-2", "j/inf/1-215-33", 0, 8),
        ("a/mot/2-2", "j/tank/1-14", 0, 6),
    ],
)
@pytest.mark.rule("ocs/opt.1.2", "ocs/opt.2.2", "ocs-series/9.4e")
def test_burma_opt_1_x2_in_the_open_is_negated_by_armor_mech_or_a_hedgehog(attacker, defender, hedgehog, attack):
    side = "allied" if defender[0] == "a" else "japanese"
    fort = (side, hedgehog) if hedgehog else None
    assert odds({attacker: N, defender: TARGET}, [attacker], hedgehog=fort).attack == attack


@pytest.mark.rule("ocs/opt.1.2")
def test_burma_opt_1_1_mech_against_mech_is_negated_but_armor_is_not():
    """Only the rule for attacking Mech names defending Mech; no Japanese unit is Mech, so the classes are made up."""
    mech = replace(Piece(JAPANESE, TARGET).counter, combat_class="mech")
    from burma_study.rules.ocs.combat.strength import x2_negated

    class Fake:
        counter = mech

    assert x2_negated(situation({}), [Fake()], 0) == {"mech"}


def test_burma_opt_1_switched_off_leaves_x2():
    rules = Rules(options=("opt0",))
    assert odds({TANKS: N, "j/tank/1-14": TARGET}, [TANKS], rules=rules).attack == 8


# ratings --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ocs/notes.division-attack")
def test_burma_2_6a_a_division_attacks_as_22_4_3():
    """The designer's example: eleven battalions of 2, the best rating 5, less 1 for a large battle."""
    units = dict.fromkeys(R213 + R214, N) | dict.fromkeys([*R215, "j/inf/33_Eng-33", "j/inf/4_Eng"], S)
    found = odds({**units, "a/inf/1-23": TARGET}, list(units))
    assert len(units) == 11
    assert found.attack == 22
    assert steps(found, "attacker_ar") == ["4"]
    assert found.drm == 4 - 2


@pytest.mark.rule("ocs/2.6")
def test_burma_2_6a_five_counters_are_no_large_battle_and_the_allies_never():
    five = dict.fromkeys((R213 + R214)[:5], N)
    assert steps(odds({**five, BRIGADE: TARGET}, list(five)), "large_battle") == []
    six = ["4-2", "5-2", "6-2", "48-17", "63-17", "9-5"]
    allied = {f"a/inf/{i}": (N if n < 3 else S) for n, i in enumerate(six)}
    assert steps(odds({**allied, JAPANESE: TARGET}, list(allied)), "large_battle") == []


def test_series_9_6_best_ratings_by_default_and_choosable():
    units = {R214[0]: N, R215[0]: N, "a/inf/9-5": TARGET, "a/inf/1-23": TARGET}  # 5 and 4 against 5 and 2
    best = odds(units, [R214[0], R215[0]])
    assert (best.attacker_ar, best.defender_ar, best.drm) == (R214[0], "a/inf/9-5", 0)
    chosen = odds(units, [R214[0], R215[0]], AttackOptions(attacker_ar=R215[0], defender_ar="a/inf/1-23"))
    assert chosen.drm == 2


def test_series_9_6_a_disorganised_unit_rates_one_less():
    assert odds({JAPANESE: TARGET, BRIGADE: Piece(BRIGADE, N, dg=True)}, [BRIGADE]).drm == -1


def test_burma_3_6c_a_decimated_chindit_is_avoided_and_flagged_when_it_leads():
    units = {"a/col/A-77-3": N, "a/inf/48-17": N, JAPANESE: TARGET}  # both rated 4
    where = situation(units).put("markers", DECIMATED, True)
    both = attack_odds(where, TARGET, ["a/col/A-77-3", "a/inf/48-17"])
    assert both.attacker_ar == "a/inf/48-17"
    alone = attack_odds(where, TARGET, ["a/col/A-77-3"])
    assert steps(alone, "chindit_dies") == [""]
    assert steps(odds(units, ["a/col/A-77-3"]), "chindit_dies") == []


def test_burma_4_8_the_big_guns_add_one_in_combat_mode():
    guns = "a/art/5.5_inch"
    assert odds({BRIGADE: N, guns: N, JAPANESE: TARGET}, [BRIGADE, guns]).drm == 1
    assert odds({BRIGADE: TARGET, guns: TARGET, JAPANESE: N}, [JAPANESE]).drm == -1
    moving = Piece(guns, TARGET, "move", "move")
    assert odds({BRIGADE: TARGET, guns: moving, JAPANESE: N}, [JAPANESE]).drm == 0


def test_burma_4_6_tank_tracks_need_the_variant_and_allied_armor():
    where = situation({TANKS: N, JAPANESE: TARGET})
    assert steps(attack_odds(where, TARGET, [TANKS]), "tank_tracks") == []
    variant = where.put("markers", "variant_4.6", True)
    assert steps(attack_odds(variant, TARGET, [TANKS]), "tank_tracks") == ["2"]


def test_series_9_9_a_hedgehog_takes_its_level_and_counts_for_its_own_side_only():
    units = {BRIGADE: TARGET, JAPANESE: N}
    assert odds(units, [JAPANESE], hedgehog=("allied", 3)).drm == -3
    assert odds(units, [JAPANESE], hedgehog=("japanese", 1)).drm == 0


# Banzai ---------------------------------------------------------------------------------------------------------------

BANZAI = AttackOptions(banzai=True)


def test_burma_2_6b_three_battalions_of_a_regiment_in_one_hex():
    found = odds({**dict.fromkeys(R215, N), BRIGADE: TARGET}, R215, BANZAI)
    assert steps(found, "banzai") == ["4"]
    assert {c.shift for c in found.columns} == {-4, 0, 4}


@pytest.mark.parametrize(
    ("units", "code"),
    [
        ({R215[0]: N, R215[1]: S}, "banzai-hex"),
        ({R215[0]: N, R214[0]: N}, "banzai-regiment"),
        ({**dict.fromkeys(R215, N), R214[0]: N}, "banzai-count"),
        ({"j/inf/1-INA": N}, "banzai-side"),
        ({"j/tank/1-14": N}, "banzai-side"),
    ],
)
def test_burma_2_6b_conditions_of_a_banzai_attack(units, code):
    assert code in codes({**units, BRIGADE: TARGET}, list(units), BANZAI)


def test_burma_2_6b_the_allies_make_no_banzai_attack():
    assert "banzai-side" in codes({BRIGADE: N, JAPANESE: TARGET}, [BRIGADE], BANZAI)


# what forbids an attack -----------------------------------------------------------------------------------------------


def test_an_attack_is_refused_with_every_reason():
    units = {"a/loc/a-202_LOC": N, "a/inf/1-Gal": NE, "a/art/17-17": S, JAPANESE: TARGET}
    with pytest.raises(IllegalOrder) as caught:
        odds(units, [i for i in units if i != JAPANESE], AttackOptions(attacker_supplied=False))
    found = [p.code for p in caught.value.problems]
    assert found.count("not-attack-capable") == 2
    assert {"cooperation", "no-combat-supply"} <= set(found)
    assert "ocs/3.7a" in str(caught.value)


@pytest.mark.parametrize(
    ("attackers", "allowed"),
    [
        (["a/inf/48-17", "a/col/A-77-3"], True),
        (["a/inf/48-17", "a/inf/1-Gal"], False),
        (["a/col/A-77-3", "a/inf/1-Gal"], True),
        (["a/col/A-77-3", "a/inf/112-38"], False),
        (["a/inf/1-Gal", "a/inf/112-38"], True),
        (["a/col/A-77-3", "a/inf/1-Gal", "a/inf/112-38"], False),
        (["a/inf/48-17", "a/eng/823_Eng"], True),
        (["a/inf/48-17", "a/eng/823_Eng", "a/inf/1-Gal"], False),
    ],
)
@pytest.mark.rule("ocs/3.7a", "ocs-series/erratum.9", "ocs/3.7")
def test_burma_3_7a_who_attacks_together(attackers, allowed):
    units = dict.fromkeys(attackers, N) | {JAPANESE: TARGET}
    assert ("cooperation" not in codes(units, attackers)) == allowed


@pytest.mark.parametrize("mode", ["reserve", "strat"])
def test_series_4_4_no_attack_from_reserve_or_strategic_mode(mode):
    assert codes({BRIGADE: Piece(BRIGADE, N, mode), JAPANESE: TARGET}, [BRIGADE]) == {"not-attack-capable"}


def test_series_9_2_unknown_distant_and_friendly():
    far = situation({BRIGADE: N, JAPANESE: TARGET}).board.grid.neighbours[N][0]
    assert codes({BRIGADE: far, JAPANESE: TARGET}, [BRIGADE]) == {"not-adjacent"}
    assert codes({BRIGADE: N}, [BRIGADE]) == {"no-defenders"}
    assert codes({BRIGADE: N, JAPANESE: TARGET}, ["a/inf/48-71"]) == {"unknown-unit"}
    assert codes({BRIGADE: N, JAPANESE: TARGET}, []) == {"no-attackers"}


def test_series_9_4_a_prohibited_hex_cannot_be_attacked_but_by_road_or_track(on):
    on(terrain={TARGET: "jungle"})
    assert codes({TANKS: N, JAPANESE: TARGET}, [TANKS]) == {"prohibited"}
    on(terrain={TARGET: "jungle"}, tracks=[(N, TARGET)])
    assert codes({TANKS: N, JAPANESE: TARGET}, [TANKS]) == set()
    assert codes({TANKS: S, JAPANESE: TARGET}, [TANKS]) == {"prohibited"}


def test_series_8_overruns_do_without_roads(on):
    overrun = AttackOptions(kind="overrun")
    on(terrain={TARGET: "jungle"}, tracks=[(N, TARGET)])
    assert codes({TANKS: N, JAPANESE: TARGET}, [TANKS], overrun) == {"overrun-cost"}
    assert codes({BRIGADE: N, JAPANESE: TARGET}, [BRIGADE], overrun) == set()
    on(terrain={TARGET: "mountain"}, rivers={N: "minor"})
    assert codes({BRIGADE: N, JAPANESE: TARGET}, [BRIGADE], overrun) == {"overrun-cost"}


def test_series_8_overruns_need_one_stack_3_mp_and_order():
    overrun = AttackOptions(kind="overrun")
    two = {"a/inf/48-17": N, "a/inf/63-17": S, JAPANESE: TARGET}
    assert codes(two, ["a/inf/48-17", "a/inf/63-17"], overrun) == {"overrun-stack"}
    slow = "a/mg/2_Man_MG-2"  # MA 2
    assert codes({slow: N, JAPANESE: TARGET}, [slow], overrun) == {"overrun-mp"}
    spent = Piece(BRIGADE, N, spent=12)
    assert codes({BRIGADE: spent, JAPANESE: TARGET}, [BRIGADE], overrun) == {"overrun-mp"}
    assert "overrun-mode" in codes({TANKS: Piece(TANKS, N, dg=True), JAPANESE: TARGET}, [TANKS], overrun)


def test_forbidden_attacks_can_be_looked_at_with_their_reasons():
    found = odds({"a/inf/48-17": N, "a/inf/1-Gal": S, JAPANESE: TARGET}, ["a/inf/48-17", "a/inf/1-Gal"], ANYWAY)
    assert not found.allowed
    assert found.as_dict()["reasons"][0]["rule"] == "ocs/3.7a"
    assert found.attack == 9


# results --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sources", "void"), [((N,), False), ((N, NE), False), ((N, S), True), ((N, SE), True), ((N, NE, SE), True)]
)
def test_burma_opt_6_spread_attacks_win_no_exploitation(sources, void):
    ids = ["a/inf/48-17", "a/inf/63-17", "a/inf/9-5"][: len(sources)]
    units = dict(zip(ids, sources, strict=True)) | {JAPANESE: TARGET}
    found = odds(units, ids)
    assert found.exploit_void == void
    assert (found.losses.exploit == 0) == void


def test_series_9_13_no_exploitation_from_an_overrun():
    assert odds({BRIGADE: N, JAPANESE: TARGET}, [BRIGADE], AttackOptions(kind="overrun")).exploit_void


def test_burma_opt_2_4_half_of_the_options_in_a_hedgehog_are_steps():
    """Ao1 Do1 costs the defender of a hedgehog a step though he would retreat."""
    units = {BRIGADE: N, "a/inf/63-17": N, JAPANESE: TARGET, R215[1]: TARGET}
    plain = odds(units, [BRIGADE, "a/inf/63-17"])
    fort = odds(units, [BRIGADE, "a/inf/63-17"], hedgehog=("japanese", 1))
    by_hand = sum(
        o.probability * min(2, o.result.defender_losses + -(-o.result.defender_options // 2)) for o in fort.outcomes
    )
    assert fort.losses.defender == by_hand
    assert plain.losses.defender == sum(o.probability * min(2, o.result.defender_losses) for o in plain.outcomes)


@pytest.mark.rule("ocs/opt.0-9.10a", "ocs-series/9.10a")
def test_burma_opt_0_options_bind_after_the_attacker_died():
    """One attacking step at AL1o1 Do1: in 1999 the defender still pays, in v4.3 he is free."""
    units = {BRIGADE: TARGET, JAPANESE: N}
    old = odds(units, [JAPANESE])
    new = odds(units, [JAPANESE], rules=Rules(version="v4.3"))
    assert old.cells == new.cells
    assert old.losses.emptied > new.losses.emptied


# basis ----------------------------------------------------------------------------------------------------------------


def test_basis_infantry_in_the_open_is_firm():
    found = odds({BRIGADE: N, JAPANESE: TARGET}, [BRIGADE])
    assert found.basis.firm
    assert found.basis.verdict == "firm"


def test_basis_names_the_category_that_the_column_turns_on(on):
    """6 to 2 in rough: 3:1 is another column on the Very Close line than on the Close one."""
    on(terrain={TARGET: "rough"})
    found = odds({BRIGADE: N, JAPANESE: TARGET}, [BRIGADE])
    assert "rough category very close -> close" in found.basis.verdict
    assert {u.key for u in found.basis.values if u.table == "terrain_effects"} == {"rough"}
    assert found.as_dict()["basis"]["turns_on"][0]["to"] == "close"


def test_basis_of_a_move_side_is_the_proposed_strength():
    found = odds({BRIGADE: Piece(BRIGADE, N, "move", "move"), JAPANESE: TARGET}, [BRIGADE])
    assert ("counters", BRIGADE, "m_attack") in {(u.table, u.key, u.column) for u in found.basis.values}


def test_the_chain_leads_from_the_printed_strengths_to_the_column(on):
    on(terrain={TARGET: "rough"}, rivers={SW: "minor"})
    found = odds({BRIGADE: SW, "a/inf/63-17": NW, JAPANESE: TARGET}, [BRIGADE, "a/inf/63-17"])
    text = " ".join(found.explain())
    assert "48-17 attacks with 6." in text
    assert "minor river: attackers x 1/2" in text
    assert "9 to 2 is 5:1." in text  # 4.5 rounds up
    assert all(s.rule for s in found.chain)


# the choices that 1.4a and 9.3 settle ---------------------------------------------------------------------------------


@pytest.mark.rule("ocs-series/9.3", "ocs/1.4a")
@pytest.mark.parametrize("feature", ["", "village", "city"])
@pytest.mark.parametrize("terrain", ["clear", "jungle", "rough", "mountain"])
@pytest.mark.parametrize("river", ["", "minor", "major"])
@pytest.mark.parametrize("attackers", [[BRIGADE], [TANKS], [BRIGADE, TANKS]], ids=len)
def test_burma_1_4a_no_other_choice_would_give_the_defender_a_lower_column(on, attackers, river, terrain, feature):
    """Every terrain of the hex for his own line, and terrain or river against each stack, by brute force."""
    on(
        terrain={TARGET: terrain},
        feature={TARGET: feature},
        tracks=[(N, TARGET), (S, TARGET)],
        rivers={N: river} if river else {},
    )
    places = dict(zip(attackers, (N, S), strict=False))
    where = situation({**places, JAPANESE: TARGET})
    found = attack_odds(where, TARGET, attackers)
    look = Look(where.rules.charts)
    own = hex_defence(look, where, TARGET, [where.pieces[JAPANESE]], pays=True)
    each = []
    for unit, source in places.items():
        piece = where.pieces[unit]
        ways = terrain_choices(look, where.board, TARGET, attacking=True)
        ways += [way] if (way := river_choice(look, where, where.board.grid.key(source, TARGET))) is not None else []
        base = piece.printed.attack
        each.append([base * way.factors.get(piece.counter.combat_class, 1) for way in ways] or [base])
    columns = [
        starting_column(look.charts, Fraction(sum(attack)), mine.strength, mine.category)[0]
        for attack in product(*each)
        for mine in own
    ]
    assert found.column_index == min(columns)


@pytest.mark.rule("ocs-series/9.3", "ocs/1.4a")
def test_burma_1_4a_the_chain_names_what_the_terrain_was_set_against(on):
    """A mountain village, attacked over a river: the line of the mountain and the river are taken for the defender."""
    on(terrain={TARGET: "mountain"}, feature={TARGET: "village"}, rivers={N: "major"})
    found = odds({JAPANESE: TARGET, BRIGADE: N}, [BRIGADE])
    links = {s.code: s for s in found.chain}
    assert links["least_attack"].value == "major river"
    assert "mountain leaves" in links["least_attack"].subject
    assert links["lowest_column"].value == "mountain"
    assert links["lowest_column"].subject.startswith("mountain 1:")
    assert "taken for the defender" in links["least_attack"].text
    on()
    plain = odds({JAPANESE: TARGET, BRIGADE: N}, [BRIGADE])
    assert not {"least_attack", "lowest_column"} & {s.code for s in plain.chain}
