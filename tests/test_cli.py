"""The command line: shapes that other programs rely on, and text that people can read."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest

from burma_study import __version__, cli
from burma_study.cli.text import bar, bullet, count, mixed, mp, pairs, percent, table, tokens
from burma_study.games.registry import game_of

ROOT = Path(__file__).parents[1]
RAW = [
    "odds",
    "--raw",
    "--attack",
    "12",
    "--defence",
    "4",
    "--attacker-ar",
    "4",
    "--defender-ar",
    "3",
    "--terrain",
    "close",
    "--hedgehog",
    "0",
]
SCENARIOS = ["learning", "thursday", "u-go", "marauders", "sato", "imphal", "campaign-1", "campaign-2", "campaign-3"]


@pytest.fixture
def run(capsys):
    """Run a command that must succeed; gives its standard output."""

    def go(*words: str) -> str:
        status = cli.main(words)
        out, err = capsys.readouterr()
        assert (status, err) == (0, "")
        return out

    return go


@pytest.fixture
def data(run):
    """Run a command that must succeed; gives its JSON."""
    return lambda *words: json.loads(run(*words, "--format", "json"))


@pytest.fixture
def refused(capsys):
    """Run a command that must be refused; gives its one sentence."""

    def go(*words: str) -> str:
        assert cli.main(words) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert "fault of the program" not in err
        (line,) = err.strip().splitlines()
        return line

    return go


# the program ----------------------------------------------------------------------------------------------------------


def test_the_version_comes_at_once():
    started = time.perf_counter()
    code = "import sys; from burma_study.cli import main; main(['--version'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stdout.strip() == f"burma-study {__version__}"
    assert time.perf_counter() - started < 1.0  # 0.05 s by itself; the margin is for a busy machine


def test_the_version_loads_no_command():
    code = (
        "import sys\nfrom burma_study.cli import main\n"
        "try: main(['--version'])\nexcept SystemExit: pass\n"
        "print(sorted(m for m in sys.modules if m.startswith('burma_study')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.splitlines()[-1] == "['burma_study', 'burma_study.cli', 'burma_study.errors']"


def test_every_command_has_its_function_and_takes_a_format():
    from importlib import import_module

    for name, command in cli.COMMANDS.items():
        module, function = command.function(name).split(":")
        assert callable(getattr(import_module(module), function)), name


def test_without_a_command_the_help_lists_them(run):
    out = run()
    assert all(name in out for name in cli.COMMANDS)


def test_a_reader_that_stops_early_is_no_error():
    line = f"{sys.executable} -m burma_study.cli rules ocs | head -n 1"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stderr == ""
    assert done.stdout.startswith("clause")


# data -----------------------------------------------------------------------------------------------------------------


def test_georef_says_how_well_the_board_fits(data, run):
    found = data("georef", "ocs")
    assert {"control", "rms_km", "loo_rms_km", "pitch_km", "projection"} <= found.keys()
    assert 3 < found["rms_km"] < found["loo_rms_km"] < 5
    imphal = next(c for c in found["control"] if c["label"] == "Imphal")
    assert imphal["used"]
    assert imphal["residual_km"] < 4
    assert "left out, " in run("georef", "ocs")


def test_board_describes_a_hex_by_label_or_by_place(data, run):
    by_label, by_place = data("board", "ocs", "A10.21"), data("board", "ocs", "kohima")
    assert by_label == by_place
    assert by_label["terrain"] == "mountain"
    assert by_label["lat"] == pytest.approx(25.67, abs=0.06)
    assert [s["direction"] for s in by_label["sides"]] == ["N", "NE", "SE", "S", "SW", "NW"]
    assert "Dimapur-Imphal road" in run("board", "ocs", "A10.21")


def test_both_labels_of_the_overlap_are_one_hex(data):
    assert data("board", "ocs", "B3.35") == data("board", "ocs", "A3.01")


@pytest.mark.parametrize(
    ("words", "hint"),
    [(("board", "ocs", "Z99.99"), "A7.09"), (("board", "ocs", "Kohma"), "Kohima"), (("board", "osc", "A1.01"), "ocs")],
)
def test_an_unknown_hex_or_board_names_what_is_near(refused, words, hint):
    assert hint in refused(*words)


def test_rules_gives_the_ledger_whole_and_in_part(data, run):
    rows = data("rules", "ocs")
    assert {"id", "title", "status", "function", "tests"} <= rows[0].keys()
    assert {r["status"] for r in data("rules", "ocs", "--status", "component")} == {"component"}
    assert {"ocs/3.8", "ocs/table.ledo-road"} <= {r["id"] for r in data("rules", "ocs", "--find", "ledo")}
    uncovered = data("rules", "ocs", "--uncovered")
    assert all(not (r["functions"] and r["tests"]) and r["status"] != "component" for r in uncovered)
    assert f"{len(rows)} clauses" in run("rules", "ocs")


def test_check_passes_what_ships_and_lists_what_is_wrong(data, run, capsys, tmp_path):
    assert data("check", str(ROOT / "data" / "rules"))["problems"] == []
    assert "all is well" in run("check", str(ROOT / "data" / "charts" / "ocs" / "attrition.csv"))
    broken = tmp_path / "attrition.csv"
    broken.write_text((ROOT / "data/charts/ocs/attrition.csv").read_text().replace("four", "fuor", 1))
    assert cli.main(["check", str(broken), "--format", "json"]) == 2
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert {p["column"] for p in problems} == {"four", "fuor"}


# odds -----------------------------------------------------------------------------------------------------------------


def test_raw_odds_are_exact(data):
    found = data(*RAW)
    assert found["column"] == "3:1"
    assert found["drm"] == 1
    assert sum(Fraction(c["probability"]) for c in found["columns"]) == 1
    assert sum(Fraction(o["probability"]) for o in found["outcomes"]) == 1
    assert found["steps"]
    assert found["basis"]


def test_raw_odds_in_words(run):
    out = run(*RAW)
    assert "12 against 4" in out
    assert "3:1" in out
    assert "Ao1 DL1o1" in out


def test_an_overrun_has_its_own_surprise_and_a_hedgehog_its_modifiers(data):
    regular, overrun = data(*RAW), data(*RAW, "--overrun")
    assert Fraction(overrun["surprise"]["attacker"]) > Fraction(regular["surprise"]["attacker"])
    dug_in = data(*RAW[:-1], "2")
    assert dug_in["drm"] == regular["drm"] - 2


def test_strengths_may_be_fractions_and_spelt_the_american_way(data):
    words = [
        "odds",
        "--raw",
        "--attack",
        "9/2",
        "--defense",
        "4.5",
        "--attacker-ar",
        "3",
        "--defender-ar",
        "3",
        "--terrain",
        "open",
    ]
    assert data(*words)["column"] == "1:1"


def test_what_raw_odds_lack_is_named(refused):
    assert "--attacker-ar, --defender-ar, --terrain" in refused("odds", "--raw", "--attack", "1", "--defence", "2")


def test_numbers_that_are_none_are_named(refused):
    assert "'x' is not a number" in refused(*[w if w != "12" else "x" for w in RAW])
    assert "level 0 to 4" in refused(*RAW[:-1], "7")


def test_odds_on_the_map_need_a_target_and_attackers(refused):
    assert "--target, --attackers" in refused("odds", "ocs/u-go")
    assert "a scenario" in refused("odds")


# scenarios ------------------------------------------------------------------------------------------------------------


def test_all_nine_scenarios_are_listed(data, run):
    rows = data("scenarios")
    assert [r["id"] for r in rows] == [f"ocs/{name}" for name in SCENARIOS]
    assert all({"id", "game", "title", "turns", "stage"} <= r.keys() for r in rows)
    assert next(r["turns"] for r in rows if r["id"] == "ocs/campaign-1") == 45
    assert "ocs/u-go" in run("scenarios")


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("which", ["historical", "free"])
def test_every_set_up_can_be_shown(data, run, refused, scenario, which):
    if (scenario, which) == ("learning", "free"):
        assert "historical" in refused("setup", "ocs/learning", "--setup", "free")
        return
    found = data("setup", f"ocs/{scenario}", "--setup", which, "--errata", "off")
    for unit in found["units"]:
        assert {"id", "label", "side", "hex", "place", "type", "strength"} <= unit.keys()
        assert unit["side"] in ("japanese", "allied")
    assert {s["kind"] for s in found["supply"]} <= {"SP", "Mule", "Truck", "Wagon"}
    assert "Units (" in run("setup", f"ocs/{scenario}", "--setup", which)


def test_a_place_given_as_an_area_keeps_the_rulebooks_words(data):
    found = data("setup", "ocs/u-go", "--errata", "off")
    ina = next(u for u in found["units"] if u["label"] == "1-INA")
    assert ina["hex"] is None
    assert ina["place"].startswith("With any unit")


def test_an_unknown_scenario_is_refused_with_near_ones(refused):
    assert "There is no scenario 'ocs/nowhere'" in refused("setup", "ocs/nowhere")
    assert "Did you mean u-go" in refused("trace", "ocs/ugo")


# supply and reach -----------------------------------------------------------------------------------------------------


def test_trace_shows_every_unit_with_its_legs(data):
    rows = data("trace", "ocs/u-go")["units"]
    keys = {"id", "hex", "marker", "projected", "source", "legs", "reason", "basis"}
    assert all(keys <= r.keys() for r in rows)
    legs = [leg for r in rows for leg in r["legs"]]
    assert all({"kind", "hexes", "cost", "limit", "unit"} <= leg.keys() for leg in legs)
    assert any(leg["unit"] == "MP/12 truck" for leg in legs)
    assert {r["projected"] for r in rows} >= {"in", "eats"}
    assert all(r["source"] for r in rows if r["projected"] == "in")
    assert all(r["misses"] for r in rows if r["projected"] in ("eats", "out"))


def test_trace_takes_a_side_or_a_unit_by_label(data, run):
    assert {r["side"] for r in data("trace", "ocs/u-go", "--side", "allied")["units"]} == {"allied"}
    (by_label,) = data("trace", "ocs/u-go", "--unit", "1-214-33")["units"]
    (by_id,) = data("trace", "ocs/u-go", "--unit", "j/inf/1-214-33")["units"]
    assert by_label == by_id
    assert "1-214-33" in run("trace", "ocs/u-go", "--unit", "1-214-33")
    assert "Japanese:" in run("trace", "ocs/u-go")


def test_artillery_never_attacks_and_says_so(data, run):
    (row,) = data("trace", "ocs/u-go", "--unit", "17-17")["units"]
    assert row["attack"] is None
    assert row["fuel"]["tokens"] == 1
    assert "never attacks" in run("trace", "ocs/u-go", "--unit", "17-17")


def test_an_attack_that_a_rule_forbids_is_valued_with_its_reasons(data, run):
    words = ("odds", "ocs/u-go", "--target", "Imphal", "--attackers", "1-214-33")
    found = data(*words)
    assert not found["allowed"]
    assert "not next to A7.09" in found["reasons"][0]["text"]
    assert "forbidden" in run(*words)


def test_an_attack_on_nobody_is_refused_with_every_reason(capsys):
    words = ["odds", "ocs/u-go", "--target", "B3.24", "--attackers", "48-17", "--format", "json"]
    assert cli.main(words) == 2
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert len(problems) == 2
    assert all(p["hint"].startswith("See ocs") for p in problems)


def test_an_unknown_unit_is_refused_with_near_ones(refused):
    assert "'nobody'" in refused("trace", "ocs/u-go", "--unit", "nobody")
    assert "1-214-33" in refused("trace", "ocs/u-go", "--unit", "1-214-34")


def test_a_label_that_two_units_carry_is_refused_with_both_ids(refused):
    line = refused("trace", "ocs/sato", "--unit", "2-2")
    assert "a/mot/2-2" in line
    assert "a/art/2-2" in line


def test_reach_lists_hexes_with_their_cost(data, run):
    found = data("reach", "ocs/u-go", "--unit", "1-214-33")
    assert found["cost_unit"] == "MP/12 leg"
    costs = {h["hex"]: h["cost"] for h in found["hexes"]}
    assert costs[found["hex"]] == 0
    assert max(costs.values()) <= found["allowance"]
    faster = data("reach", "ocs/u-go", "--unit", "1-214-33", "--mode", "strat")
    assert len(faster["hexes"]) > len(found["hexes"])
    assert "hexes in reach" in run("reach", "ocs/u-go", "--unit", "1-214-33")


def test_flooded_ground_shortens_the_reach(data):
    dry = data("reach", "ocs/u-go", "--unit", "3_Ca", "--mode", "move")
    wet = data("reach", "ocs/u-go", "--unit", "3_Ca", "--mode", "move", "--weather", "quagmire")
    assert len(wet["hexes"]) < len(dry["hexes"])


def test_unknown_weather_is_refused(refused):
    assert "'sunny'" in refused("reach", "ocs/u-go", "--unit", "1-214-33", "--weather", "sunny")


def test_odds_on_the_map(data, run):
    words = ("odds", "ocs/u-go", "--target", "B3.24", "--attackers", "1-215-33,2-215-33")
    found = data(*words)
    assert sum(Fraction(o["probability"]) for o in found["outcomes"]) == 1
    assert {"category", "steps", "basis", "allowed"} <= found.keys()
    assert "against" in run(*words)


# where a command stands -----------------------------------------------------------------------------------------------


def test_a_step_needs_a_line_and_a_line_excludes_a_save(refused):
    assert "--line history" in refused("trace", "ocs/u-go", "--step", "2")
    assert "not both" in refused("trace", "ocs/u-go", "--line", "history", "--save", "x.json")


def test_a_save_that_is_missing_or_none_is_refused(refused, tmp_path):
    assert "nothing.json" in refused("trace", "ocs/u-go", "--save", str(tmp_path / "nothing.json"))
    other = tmp_path / "other.json"
    other.write_text("{}")
    assert "no save" in refused("trace", "ocs/u-go", "--save", str(other))


@pytest.fixture
def saved(tmp_path):
    """A save of U-Go in which 1-214-33 has been put at B4.27 and marked out of supply."""
    from burma_study.engine.session import Session
    from burma_study.rules.ocs.orders import Place
    from burma_study.rules.ocs.setup import start

    state = start("ocs/u-go")
    session = Session(game_of("ocs"), state, setup="ocs/u-go", seed="a")
    session.push(Place("j/inf/1-214-33", state.board.index("B4.27"), oos=True))
    path = tmp_path / "game.json"
    session.save(path)
    return str(path)


def test_a_save_is_where_trace_and_reach_stand(data, saved):
    (row,) = data("trace", "ocs/u-go", "--unit", "1-214-33", "--save", saved)["units"]
    assert (row["hex"], row["marker"]) == ("B4.27", True)
    assert data("reach", "ocs/u-go", "--unit", "1-214-33", "--save", saved)["hex"] == "B4.27"


def test_a_save_of_another_scenario_is_refused(refused, saved):
    assert "ocs/u-go, not of ocs/sato" in refused("trace", "ocs/sato", "--save", saved)


def test_a_save_can_be_checked_and_a_cut_one_is_refused(run, refused, saved, tmp_path):
    assert "all is well" in run("check", saved)
    cut = tmp_path / "cut.json"
    cut.write_text(Path(saved).read_text()[:-400])
    assert cli.main(["check", str(cut)]) == 2


def test_the_historical_line_is_where_trace_stands(data, refused):
    first = data("trace", "ocs/u-go", "--side", "japanese", "--line", "history")
    later = data("trace", "ocs/u-go", "--side", "japanese", "--line", "history", "--step", "5")
    assert "step 5" in later["position"]
    where = [{u["id"]: u["hex"] for u in found["units"]} for found in (first, later)]
    assert where[0]["j/inf/1-58-31"] == "A22.08"  # the printed set-up is step 0
    assert where[0] != where[1]
    assert "step 99" in refused("trace", "ocs/u-go", "--line", "history", "--step", "99")
    assert "history" in refused("trace", "ocs/sato", "--line", "history")


# text -----------------------------------------------------------------------------------------------------------------


def test_tables_align_and_wrap_their_last_column():
    lines = table(
        ("a", "n", "words"), [("x", 7, "one two three " * 4), ("yy", 12, "")], right="1", last=40
    ).splitlines()
    assert lines[0] == "a    n  words"
    assert lines[2].startswith("x    7  one two")
    assert lines[3].startswith("        ")
    assert lines[-1] == "yy  12"
    assert max(map(len, lines)) <= 40


def test_numbers_carry_their_unit():
    assert mixed(Fraction(11, 2)) == "5 1/2"
    assert mixed(Fraction(-1, 3)) == "-1/3"
    assert mp(66, "leg") == "5 1/2 Leg MP"
    assert mp(None) == "-"
    assert [tokens(n) for n in (0, 3, 4, 10)] == ["0T", "3T", "1 SP", "2 SP 2T"]
    assert percent("1/6") == "16.7 %"
    assert bar("1/2", 10) == "#####"
    assert [count(1, "hex", "hexes"), count(3, "hex", "hexes")] == ["1 hex", "3 hexes"]


def test_pairs_leave_out_what_is_empty_and_bullets_hang():
    assert pairs([("a", 1), ("long", ""), ("none", None), ("b", True)]) == "a  1\nb  yes"
    assert bullet("word " * 30).splitlines()[1].startswith("  word")


# pages ----------------------------------------------------------------------------------------------------------------


def test_dashboards_are_named_and_an_unknown_one_is_refused(data, refused):
    names = data("dashboard", "--list")
    assert "u-go" in names
    assert "Did you mean u-go" in refused("dashboard", "ugo")


@pytest.mark.parametrize(
    "words",
    [
        ("trace", "ocs/learning", "--unit", ""),
        ("reach", "ocs/learning", "--unit", " "),
        ("trace", "ocs/u-go", "--save", ""),
        ("trace", "ocs/u-go", "--save", "\0"),
        ("odds", "--raw", "--attack", "", *RAW[4:]),
        ("check", ""),
    ],
)
def test_an_argument_that_says_nothing_is_not_taken_for_one_left_out(refused, words):
    assert "is empty; say what is meant, or leave it out." in refused(*words)


def test_an_endless_word_is_cut_short(refused):
    text = refused("board", "ocs", "x" * 5000)
    assert "x" * 199 + "..." in text
    assert len(text) < 600


@pytest.mark.parametrize("words", [("setup", "ocs/learning"), ("check", "/nowhere/none.csv", "--format", "json")])
def test_a_reader_who_stops_reading_is_no_fault(words):
    """What we say goes into a pipe whose other end is closed: no traceback, whether it is an answer or an error."""
    program = subprocess.Popen(
        [sys.executable, "-m", "burma_study.cli", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    )
    assert program.stdout is not None
    assert program.stderr is not None
    program.stdout.close()
    err = program.stderr.read().decode()
    program.stderr.close()
    assert program.wait() in (0, 2)
    assert "Traceback" not in err
    assert "fault of the program" not in err


def test_an_answer_that_cannot_be_written_is_said():
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no device that is always full")
    with full.open("w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "burma_study.cli", "setup", "ocs/learning"], stdout=out, stderr=-1, cwd=ROOT
        )
    assert (done.returncode, done.stderr.decode().count("\n")) == (2, 1)
    assert "cannot be written" in done.stderr.decode()


@pytest.mark.parametrize(
    ("word", "ground"), [("rain", "mud"), ("clear", "normal"), ("heavy rain", "mud"), ("flood", "flood")]
)
def test_weather_is_taken_as_the_ground_it_makes(data, word, ground):
    assert data("reach", "ocs/u-go", "--unit", "1-58-31", "--weather", word)["ground"] == ground


# odd arguments --------------------------------------------------------------------------------------------------------

NOTHING_SERVED = ("dashboard", "lab")


@pytest.mark.parametrize("command", list(cli.COMMANDS))
@pytest.mark.parametrize("words", [("--",), ("",), ("--unknown",), ("\0",), ("--", "\x07", "x", "y", "z", "q")])
def test_odd_arguments_of_every_command_are_one_sentence(command, words, monkeypatch, capsys):
    """`dashboard --` would serve without end."""

    def served(*_args, **_more):
        raise AssertionError("it would serve")

    monkeypatch.setattr("burma_study.ui.server.serve", served)
    monkeypatch.setattr("burma_study.ui.server.lab", served)
    status = cli.main([command, *words])
    said = capsys.readouterr()
    assert (status, said.out) == (2, "")
    assert len(said.err.splitlines()) == 1
    assert "fault of the program" not in said.err


@pytest.mark.parametrize("port", ["-1", "0", "65536", "99999999999999999999", "8.5", "x", "²"])
@pytest.mark.parametrize("command", NOTHING_SERVED)
def test_a_port_is_one_that_can_be_served_at(command, port, capsys):
    assert cli.main([command, "--port", port]) == 2
    assert "a port is a whole number from 1 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize("number", ["1e999999", "9" * 13, "nan", "inf", "1/0", "0x5", "1_0" * 9])
def test_a_number_without_measure_is_none(number, capsys):
    rest = ("--defence", "4", "--attacker-ar", "4", "--defender-ar", "3", "--terrain", "close")
    assert cli.main(["odds", "--raw", "--attack", number, *rest]) == 2
    assert "is not a number such as 12 or 9/2" in capsys.readouterr().err
