"""Whatever is handed to the questions about fighting, what is wrong with it is said in one sentence."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import pytest
from battle_field import BRIGADE, R215, field
from combat_field import TARGET, N

from burma_study.errors import BurmaStudyError
from burma_study.games.ocs import questions
from burma_study.games.ocs.session import Moment, OcsSession
from burma_study.rules.ocs.combat.attack import AttackOptions, attack_odds, raw_odds
from burma_study.rules.ocs.combat.barrage import facility_odds, raw_barrage
from burma_study.rules.ocs.combat.barrage_fire import BarrageOptions, air_barrage_odds, barrage_odds
from burma_study.rules.ocs.combat.best import best_attacks
from burma_study.rules.ocs.combat.forecast import as_fought
from burma_study.rules.ocs.combat.odds import Policy

pytestmark = pytest.mark.usefixtures("on")


class Odd:
    """Nothing that any question takes; its name is the same in every process, as test ids have to be."""

    def __repr__(self) -> str:
        return "Odd()"


ODD = [None, 1.5, True, -1, 10**9, "A10.10", b"x", [1], {}, Odd()]
NO_UNITS = [None, 7, "j/inf/1-215-33", b"x", [None], [1], [["j"]], {"a": 1}.values()]


def here():
    return field({BRIGADE: N, R215[0]: TARGET})


@pytest.mark.parametrize("ask", [attack_odds, barrage_odds, air_barrage_odds], ids=lambda f: f.__name__)
@pytest.mark.parametrize("target", ODD, ids=repr)
def test_a_target_is_the_number_of_a_hex(ask, target):
    with pytest.raises(BurmaStudyError, match="A target is a hex number from 0 to"):
        ask(here(), target, [BRIGADE])


@pytest.mark.parametrize("ask", [attack_odds, barrage_odds, air_barrage_odds], ids=lambda f: f.__name__)
@pytest.mark.parametrize("units", NO_UNITS, ids=repr)
def test_attackers_are_a_list_of_ids(ask, units):
    with pytest.raises(BurmaStudyError, match="Units are a list of ids"):
        ask(here(), TARGET, units)


@pytest.mark.parametrize("units", NO_UNITS, ids=repr)
def test_the_panel_says_the_same(units):
    panel = OcsSession("test", "Test", [Moment(here(), "", "")])
    with pytest.raises(BurmaStudyError, match="Units are a list of ids"):
        panel.fight(0, TARGET, units)
    with pytest.raises(BurmaStudyError, match="Units are a list of ids"):
        as_fought(here(), TARGET, units, AttackOptions())


@pytest.mark.parametrize("options", ["regular", 7, ["banzai"], ("kind", "regular")], ids=repr)
def test_the_options_of_the_panel_are_a_mapping(options):
    panel = OcsSession("test", "Test", [Moment(here(), "", "")])
    with pytest.raises(BurmaStudyError, match="options of a fight are a mapping"):
        panel.fight(0, TARGET, [BRIGADE], options)


@pytest.mark.parametrize("kind", ["overun", 3, ["regular"], Odd()], ids=repr)
def test_the_kind_of_a_fight_is_named(kind):
    panel = OcsSession("test", "Test", [Moment(here(), "", "")])
    with pytest.raises(BurmaStudyError, match="There is no attack"):
        panel.fight(0, TARGET, [BRIGADE], {"kind": kind})


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "regulr"},
        {"kind": None},
        {"banzai": 1},
        {"banzai": "yes"},
        {"attacker_supplied": None},
        {"defender_pays": "no"},
        {"anyway": 0},
        {"attacker_ar": None},
        {"defender_ar": 3},
        {"policy": "steps"},
        {"policy": None},
        {"defender_unfed": "j/inf/1-215-33"},
        {"defender_unfed": [1]},
        {"defender_unfed": None},
    ],
    ids=str,
)
def test_attack_options_check_their_types(wrong):
    with pytest.raises(BurmaStudyError):
        AttackOptions(**wrong)


def test_units_without_stocks_may_be_given_as_any_collection():
    assert AttackOptions(defender_unfed=[R215[0]]) == AttackOptions(defender_unfed=(R215[0],))


@pytest.mark.parametrize("wrong", [("step", "retreat"), ("steps", None), (["steps"], "steps"), (1, 2)], ids=str)
def test_a_policy_pays_in_steps_or_retreat(wrong):
    with pytest.raises(BurmaStudyError, match="one of steps, retreat"):
        Policy(*wrong)


@pytest.mark.parametrize("wrong", [{"paid": 1}, {"spotted": "yes"}, {"near_base": None}, {"anyway": "x"}], ids=str)
def test_barrage_options_check_their_types(wrong):
    with pytest.raises(BurmaStudyError):
        BarrageOptions(**wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"attack": "many"},
        {"attack": [1]},
        {"defence": Odd()},
        {"attacker_ar": True},
        {"attacker_ar": "3"},
        {"terrain": None},
        {"terrain": ["open"]},
        {"hedgehog": "1"},
        {"hedgehog": None},
        {"hedgehog": 1.0},
        {"banzai": "4"},
        {"banzai": 99},
        {"banzai": True},
    ],
    ids=str,
)
def test_raw_odds_check_their_types(wrong):
    with pytest.raises(BurmaStudyError):
        raw_odds(**{"attack": 1, "defence": 1, "attacker_ar": 1, "defender_ar": 1, "terrain": "open", **wrong})


@pytest.mark.parametrize(
    "wrong",
    [
        {"points": None},
        {"points": "ten"},
        {"points": float("nan")},
        {"points": -5},
        {"re_": None},
        {"re_": -1},
        {"terrain": 3},
        {"terrain": ["open"]},
        {"hedgehog": "1"},
        {"hedgehog": 9},
        {"version": "v9"},
        {"version": None},
    ],
    ids=str,
)
def test_raw_barrage_checks_its_types(wrong):
    with pytest.raises(BurmaStudyError):
        raw_barrage(**{"points": 10, "re_": 2, "terrain": "open", **wrong})


@pytest.mark.parametrize("points", [None, "ten", Fraction(1, 3), -2, [3]], ids=repr)
def test_facility_odds_check_their_points(points):
    with pytest.raises(BurmaStudyError):
        facility_odds(points)


@pytest.mark.parametrize("wrong", [{"side": "axis"}, {"side": None}, {"side": []}, {"measure": 3}], ids=str)
def test_best_attacks_name_a_side_and_a_measure_that_are_none(wrong):
    with pytest.raises(BurmaStudyError, match=r"There is no (side|measure)"):
        best_attacks(here(), **{"side": "allied", **wrong})


def test_an_order_being_built_with_units_that_are_gone_is_refused_in_words():
    draft = SimpleNamespace(kind="attack", value={"at": TARGET, "units": ("j/inf/none",)}.get)
    with pytest.raises(BurmaStudyError, match="no unit 'j/inf/none'"):
        questions.odds_of(SimpleNamespace(state=here()), draft)
