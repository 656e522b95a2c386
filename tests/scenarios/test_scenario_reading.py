"""Scenarios as read: calendar, headers, errata as switches, arrivals."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from burma_study.datafiles import read_rows
from burma_study.errors import ScenarioError
from burma_study.rules.ledger import clauses
from burma_study.rules.ocs.counters import counter
from burma_study.rules.ocs.setup import load_scenario, scenario_ids, scenarios
from burma_study.rules.ocs.setup.errata import errata
from burma_study.scenarios.turns import turn_dates, turn_of

TURNS = dict(zip(scenario_ids(), (5, 9, 10, 24, 11, 17, 45, 42, 32), strict=True))


@pytest.mark.rule("ocs/*.info")
@pytest.mark.parametrize("id_", scenario_ids())
def test_lengths_by_the_calendar(id_):
    """Campaign 2 is 42 turns (printed 41), Campaign 3 is 32 (printed 31 and 44); the others check."""
    scenario = load_scenario(id_)
    assert len(scenario.dates) == TURNS[id_]
    assert scenario.printed_length == TURNS[id_]


def test_printed_lengths_stay_with_the_errata_off():
    assert [load_scenario(f"ocs/campaign-{n}", errata=False).printed_length for n in (1, 2, 3)] == [45, 41, 31]
    assert load_scenario("ocs/campaign-3", errata=False).winning.terms["length"] == 44
    assert load_scenario("ocs/campaign-3").winning.terms["length"] == 32


def test_turns_begin_on_nine_days_of_a_month():
    first, last = date(1944, 3, 15), date(1944, 4, 15)
    assert [d.day for d in turn_dates(first, last)] == [15, 19, 22, 26, 29, 1, 5, 8, 12, 15]
    assert turn_of(date(1944, 3, 21), first, last) == 2
    with pytest.raises(ScenarioError, match="16 March"):
        turn_dates(date(1944, 3, 16), last)
    with pytest.raises(ScenarioError, match="outside"):
        turn_of(date(1944, 3, 14), first, last)


def test_the_list_of_scenarios_has_what_the_command_prints():
    rows = [s.as_dict() for s in scenarios()]
    assert [r["id"] for r in rows] == list(scenario_ids())
    for row in rows:
        assert {"id", "game", "title", "turns", "stage"} <= set(row)
        assert len(str(row["summary"])) > 100


def test_an_unknown_scenario_is_refused_with_near_matches():
    with pytest.raises(ScenarioError, match="u-go"):
        load_scenario("ocs/u-goo")
    with pytest.raises(ScenarioError, match="nowhere"):
        load_scenario("ocs/nowhere")


def test_special_rules_and_victory_items_are_clauses_of_the_ledger():
    known = {c.id for c in clauses("ocs")}
    for id_ in scenario_ids():
        scenario = load_scenario(id_, errata=False)
        victory = scenario.winning.victory
        used = [r.id for r in scenario.special_rules] + [victory.rule, *(i.rule for i in victory.items)]
        used += [s.rule for s in victory.segments]
        assert set(used) <= known
        assert len([c for c in known if c.startswith(f"{id_}.sr") and "-" not in c.rpartition(".")[2]]) == len(
            scenario.special_rules
        )


# errata -----------------------------------------------------------------------------------------------------------


def test_every_erratum_says_why_and_fits_the_text_it_corrects():
    keys = {e.key for e in errata()}
    assert len(errata()) > 90
    for e in errata():
        assert e.reason
        assert e.source
        assert e.corrected or e.what.endswith("/conditions")
    for id_ in scenario_ids():
        load_scenario(id_, off=keys)
        load_scenario(id_, also={e.key for e in errata() if not e.default})


def test_a_single_erratum_can_be_switched_off():
    on, off = load_scenario("ocs/campaign-2"), load_scenario("ocs/campaign-2", off=["campaign-2/myitkyina"])
    places = [s.winning.places["myitkyina"]["hexes"] for s in (on, off)]
    assert places == [["A58.17"], ["A51.16"]]
    assert off.printed_length == 42
    with pytest.raises(ScenarioError, match="campaign-2/myitkyina"):
        load_scenario("ocs/campaign-2", off=["campaign-2/mytkyina"])


def test_indaw_stays_where_it_is_printed_unless_asked():
    def indaw(**kw: object) -> list[str]:
        return load_scenario("ocs/campaign-3", **kw).winning.places["indaw"]["hexes"]

    assert indaw() == ["B40.35"]
    assert indaw(also=["campaign-3/indaw"]) == ["B40.34"]


@pytest.mark.parametrize(
    ("id_", "counter_id", "setup", "printed", "corrected"),
    [
        ("campaign-3", "a/inf/37-23", "free", "6-4-2", "6-4-3"),
        ("campaign-3", "j/inf/2-214-33", "historical", "2-4-3", "2-5-3"),
        ("campaign-3", "a/inf/63-17", "historical", "6-5-3", "6-4-3"),
        ("campaign-3", "a/mot/2-2", "historical", "2-5-6", "4-5-6"),
        ("campaign-3", "j/art/1-18H", "free", "9-2-2-1", "6-2-2-1"),
        ("campaign-3", "a/art/7-7", "both", "24-2-2-1", "24-2-2-4"),
        ("campaign-1", "a/art/Chi", "free", "3-3-1-1", "3-1-2-1"),
        ("campaign-1", "a/inf/64-22", "free", "6-2-2", "6-2-3"),
        ("imphal", "a/inf/5-2", "historical", "6-4-2", "6-4-3"),
    ],
)
def test_misprinted_strengths_are_switches(id_, counter_id, setup, printed, corrected):
    def strength(errata: bool) -> str:
        found = load_scenario(id_, errata=errata).rows
        return next(r.printed for r in found if r.counter == counter_id and r.setup == setup)

    assert (strength(False), strength(True)) == (printed, corrected)


def test_with_errata_every_strength_is_the_counters():
    for id_ in scenario_ids():
        for row in load_scenario(id_).rows:
            assert row.kind != "unit" or row.printed == counter(row.counter).strength


def test_eighteen_division_has_its_own_guns():
    for id_ in ("marauders", "campaign-1", "campaign-2", "campaign-3"):
        off, on = (
            [r.counter for r in load_scenario(id_, errata=e).setup_rows("free") if "/art/" in r.counter]
            for e in (False, True)
        )
        assert "j/art/1-18-18" not in off
        assert "j/art/1-18-18" in on
        assert len(on) == len(set(on)) == len(off)


def test_campaign_1_takes_the_points_of_campaign_2_by_an_erratum():
    assert load_scenario("ocs/campaign-1", errata=False).winning.victory.items == ()
    ids = [i.id for i in load_scenario("ocs/campaign-1").winning.victory.items]
    assert ids == [i.id for i in load_scenario("ocs/campaign-2").winning.victory.items]


# the whole --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id_", scenario_ids())
def test_no_unit_stands_twice_or_arrives_though_it_is_there(id_):
    scenario = load_scenario(id_)
    dead = {c for d in scenario.dead_pile for c in d.counters}
    arriving = [c for a in scenario.arrivals for c in a.counters]
    assert len(arriving) == len(set(arriving))
    for which in scenario.setups:
        units = [r.counter for r in scenario.setup_rows(which) if r.kind == "unit"]
        assert len(units) == len(set(units))
        assert set(units).isdisjoint(arriving)
        assert set(units).isdisjoint(dead)
    assert dead.isdisjoint(arriving)


@pytest.mark.parametrize("id_", [i for i in scenario_ids() if i != "ocs/learning"])
def test_both_set_ups_have_the_same_units(id_):
    scenario = load_scenario(id_)
    one, other = ({r.counter for r in scenario.setup_rows(w) if r.kind == "unit"} for w in scenario.setups)
    assert one == other


def test_the_schedule_is_taken_by_site_date_and_delay():
    u_go = [a for a in load_scenario("ocs/u-go").arrivals if a.source == "schedule"]
    assert {a.site for a in u_go} == {"silchar"}
    assert len(u_go) == 23
    assert {a.counters[0] for a in u_go if a.arakan and a.turn == 3} == {"a/inf/161-5", "a/inf/RWK-5"}
    late = {a.counters[0]: a.date for a in load_scenario("ocs/thursday").arrivals}
    assert late["j/inf/1-67-15"] == date(1944, 3, 15)  # scheduled for the 12th, a turn late by special rule 5
    assert len(read_rows("scenarios/ocs/schedule.csv")) == 63


def test_learning_arrivals_enter_with_mp_spent():
    """Learning: 1.5 MP from A4.03, 7 from A7.12, 5 from A7.09; 3.5 from A7.08 is impossible, 4.5 stands."""
    spent = {a.counters[0]: a.spent for a in load_scenario("ocs/learning").arrivals}
    assert spent == {"a/inf/37-23": 18, "a/tank/3_Ca": 84, "a/art/6": 60, "a/inf/2-19_Hy-23": 54}
    assert {a.spent for a in load_scenario("ocs/learning", errata=False).arrivals} == {18, 84, 60, 42}


def test_halved_supply_is_rounded_as_each_scenario_says():
    """U-Go does not round, Short 3 drops fractions, Short 4 and 5 round up."""

    def income(id_: str, side: str) -> tuple[Fraction, str]:
        return next((i.factor, i.rounding) for i in load_scenario(id_).income if i.side == side)

    half = Fraction(1, 2)
    assert income("u-go", "japanese") == income("u-go", "allied") == (half, "none")
    assert income("marauders", "allied") == (half, "down")
    assert income("sato", "allied") == income("imphal", "allied") == (half, "up")
    assert income("campaign-2", "allied") == (Fraction(1), "none")


@pytest.mark.rule("ocs/2.3", "ocs/3.3")
def test_tables_of_the_rulebook_cover_every_roll():
    for name in ("variable_reinforcement", "supply_table"):
        rolls = [n for r in read_rows(f"charts/ocs/{name}.csv") for n in range(int(r["low"]), int(r["high"]) + 1)]
        assert rolls == list(range(2, 13))
    sixes = [10 * a + b for a in range(1, 7) for b in range(1, 7)]
    weather = read_rows("charts/ocs/weather_table.csv")
    for period in ("march-june", "june", "july"):
        mine = [r for r in weather if r["period"] == period]
        assert all(sum(int(r["low"]) <= n <= int(r["high"]) for r in mine) == 1 for n in sixes)
    clear = [sum(int(r["low"]) <= n <= int(r["high"]) for n in sixes) for r in weather if r["weather"] == "clear"]
    assert clear == [27, 18, 9]
    assert len(read_rows("charts/ocs/ground_table.csv")) == 16
    variant = read_rows("charts/ocs/random_reinforcements.csv")
    for key in {(r["side"], r["months"]) for r in variant}:
        rows = [r for r in variant if (r["side"], r["months"]) == key]
        assert sorted(n for r in rows for n in range(int(r["low"]), int(r["high"]) + 1)) == list(range(2, 13))


def test_mean_income():
    """Halved, 2.31 SP a turn for the Allies and 0.81 for Japan."""
    ways = {n: 6 - abs(n - 7) for n in range(2, 13)}
    rows = read_rows("charts/ocs/supply_table.csv")
    for side, half in (("allied", 2.31), ("japanese", 0.81)):
        total = sum(int(r[side]) * sum(ways[n] for n in range(int(r["low"]), int(r["high"]) + 1)) for r in rows)
        assert total / 36 / 2 == pytest.approx(half, abs=0.005)


@pytest.mark.rule("ocs-series/erratum.2")
def test_erratum_2_guns_at_a12_03_and_33_engineers_of_33_division():
    off, on = (load_scenario("imphal", errata=e).setup_rows("historical") for e in (False, True))
    assert {r.hex for r in off if r.counter in ("j/art/1-21-15", "j/art/2-21-15")} == {"A21.03"}
    assert {r.hex for r in on if r.counter in ("j/art/1-21-15", "j/art/2-21-15")} == {"A12.03"}
    assert {r.label for r in on if r.counter == "j/inf/33_Eng-33"} == {"33 Eng-33"}


@pytest.mark.rule("ocs-series/erratum.3")
def test_erratum_3_adds_7_cavalry_to_the_free_set_up_of_u_go():
    assert all(r.counter != "a/tank/7_Cav" for r in load_scenario("u-go", errata=False).setup_rows("free"))
    assert [r.hex for r in load_scenario("u-go").setup_rows("free") if r.counter == "a/tank/7_Cav"] == ["B2.34"]


@pytest.mark.rule("ocs-series/erratum.5")
@pytest.mark.parametrize(
    ("name", "garrisons", "points"), [("campaign-1", (3, 5), (11, 19)), ("campaign-2", (5, 5), (18, 18))]
)
def test_erratum_5_puts_garrisons_and_8_sp_into_mandalay(name, garrisons, points):
    """Beside the stocks with the railway group: Campaign 1 gains them, Campaign 2 takes them off its list."""
    for on, wanted, sp in zip((False, True), garrisons, points, strict=True):
        rows = load_scenario(name, errata=on).setup_rows("free")
        mandalay = [r for r in rows if r.hex in ("B39.02", "B39.03")]
        listed = [r for r in rows if r.place.startswith("On any friendly")] + mandalay
        assert sum("/gar/" in r.counter for r in rows) == wanted
        assert sum(r.tokens for r in listed if r.kind == "SP" and r.side == "japanese") == 4 * sp
        assert sum(r.tokens for r in mandalay) == (32 if on else 0)


@pytest.mark.rule("ocs-series/erratum.6")
def test_erratum_6_corrects_campaign_3():
    rows = load_scenario("campaign-3").setup_rows("free")
    corps = next(r for r in rows if r.counter == "a/hq/33_Corps")
    assert corps.area == next(r for r in rows if r.counter == "a/loc/a-202_LOC").area
    assert sum(r.counter == "a/col/A-77-3" for r in rows) == 1
    assert "allied-ledo" in {i.id for i in load_scenario("campaign-3").winning.victory.items}


@pytest.mark.rule("ocs-series/erratum.14")
def test_erratum_14_moves_the_japanese_source_of_short_3():
    assert [load_scenario("marauders", errata=e).sources[0].hex for e in (False, True)] == ["B32.26", "B33.26"]


@pytest.mark.rule("ocs-series/erratum.15")
def test_erratum_15_rows_of_another_edition_are_off_unless_asked_for():
    keys = {e.key for e in load_scenario("u-go").errata}
    assert "erratum.15" not in keys
    assert "erratum.15" in {e.key for e in load_scenario("u-go", also=["erratum.15"]).errata}
