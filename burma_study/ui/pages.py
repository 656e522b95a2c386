"""The dashboards that the notebooks show, each in one call."""

from __future__ import annotations

from burma_study.games.ocs.openings import line_session, setup_choices, setup_session
from burma_study.ui.dashboard import Dashboard


def setups_page(scenario: str = "ocs/learning", *, height: str = "min(70vh, 640px)") -> Dashboard:
    """Any scenario as it is set up, with a choice of all of them."""
    return Dashboard(
        setup_session(scenario), link_name="setups", choices=setup_choices(), open_=setup_session, height=height
    )


def setup_page(scenario: str, *, height: str = "min(56vh, 520px)") -> Dashboard:
    """One scenario as it is set up."""
    return Dashboard(setup_session(scenario), link_name=scenario.replace("/", "-"), height=height)


def line_page(
    scenario: str = "ocs/u-go", *, side: str = "allied", still: bool = False, height: str = "min(70vh, 640px)"
) -> Dashboard:
    """The published line of a scenario, step by step; `side` is whose supply is shown first, '' for none.

    `still` shows a picture of each step in place of the map, for a browser that cannot draw it.
    """
    name = scenario.rpartition("/")[2]
    return Dashboard(line_session(scenario), link_name=name, side=side, tab="supply", still=still, height=height)
