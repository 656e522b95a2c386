"""Scenario files: read, check, and build the start state."""

from __future__ import annotations

from burma_study.rules.ocs.setup.checking import check_scenario
from burma_study.rules.ocs.setup.listing import Setup, setup
from burma_study.rules.ocs.setup.model import Scenario, ScenarioInfo
from burma_study.rules.ocs.setup.reader import load_scenario, read_scenario, scenario_ids, scenarios
from burma_study.rules.ocs.setup.starting import start

check = check_scenario

__all__ = [
    "Scenario",
    "ScenarioInfo",
    "Setup",
    "check",
    "check_scenario",
    "load_scenario",
    "read_scenario",
    "scenario_ids",
    "scenarios",
    "setup",
    "start",
]
