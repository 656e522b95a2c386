"""What waits a moment is done once, the newest only; the command without a name opens U-Go."""

from __future__ import annotations

import asyncio

import pytest

from burma_study import cli
from burma_study.ui import server
from burma_study.ui.dashboard import Dashboard
from burma_study.ui.later import Later
from burma_study.ui.pages import line_page


def test_without_an_event_loop_work_is_done_at_once() -> None:
    done: list[int] = []
    Later().do(lambda: done.append(1))
    assert done == [1]


def test_newer_work_takes_the_place_of_what_waits() -> None:
    done: list[int] = []

    async def ask() -> None:
        later = Later()
        later.do(lambda: done.append(1), 0.01)
        later.do(lambda: done.append(2), 0.01)
        assert done == []
        await asyncio.sleep(0.05)
        later.do(lambda: done.append(3), 0.01)
        later.drop()
        await asyncio.sleep(0.03)

    asyncio.run(ask())
    assert done == [2]


def test_the_command_without_a_name_opens_the_map(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(server, "serve", lambda name, **_: opened.append(name))
    assert cli.main(["dashboard", "--no-browser"]) in (0, None)
    assert cli.main(["dashboard", "setups", "--no-browser"]) in (0, None)
    assert opened == ["u-go", "setups"]


@pytest.fixture(scope="module")
def page() -> Dashboard:
    return line_page("ocs/u-go")


def test_supply_is_worked_out_only_once_the_map_stands(page: Dashboard) -> None:
    assert "28 of 34" not in page.panel.content
    page._drawn()
    assert "28 of 34 Allied units trace supply" in page.panel.content


def test_a_step_with_the_longest_list_stays_within_ten_kilobytes(page: Dashboard) -> None:
    page._drawn()
    page._pick_side("japanese")
    sizes = []
    for step in range(10):
        page.map.step = step
        sizes.append(len(page.panel.content.encode()) + len(page.map.layer.live.encode()))
    assert max(sizes) < 16_000, sizes
    assert sum(sizes) / len(sizes) < 10_000, sizes
