"""A victory item that no rule can score is named, for its points would never count."""

from __future__ import annotations

import shutil

from burma_study.datafiles import data_path
from burma_study.rules.ocs.setup import check_scenario


def test_an_unknown_victory_test_is_named(tmp_path):
    for name in ("u-go.toml", "u-go.units.csv"):
        shutil.copy(data_path(f"scenarios/ocs/{name}"), tmp_path / name)
    file = tmp_path / "u-go.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('"no_enemy_near_road"', '"no_enemy_near_raod"'), "utf-8")
    (problem,) = [p for p in check_scenario(file) if p.severity != "note"]
    assert "no_enemy_near_raod" in problem.message
    assert "no_enemy_near_road" in str(problem)
