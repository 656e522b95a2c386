"""Weather of a turn: Weather Table by date, Ground Condition Table, Air Operations Table (Burma 1.1, the monsoon)."""

from __future__ import annotations

from datetime import date

from burma_study.engine.room import Room
from burma_study.engine.step import Step
from burma_study.errors import ChartError
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.charts import Charts
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.turn.sequence import end_game

MONSOON = "monsoon"


@rule("ocs/table.calendar")
def day_of(state: State, turn: int = 0) -> date:
    """First day of a turn, of this one unless given."""
    calendar = state.markers["calendar"]
    return date.fromisoformat(calendar[(turn or state.turn) - 1])


@rule("ocs/table.weather")
def weather_on(charts: Charts, day: date, roll: int) -> str:
    """The weather of a day on a roll of 11 to 66; June's column also serves the turn of 29 June, which none names."""
    key = f"{day:%m-%d}"
    for row in charts.rows("weather_table"):
        if row["first"] <= key <= row["last"] and int(row["low"]) <= roll <= int(row["high"]):
            return row["weather"]
    raise ChartError(f"The weather table says nothing for {day} and a roll of {roll}; it needs rolls of 11 to 66.")


@rule("ocs/table.ground")
def ground_after(charts: Charts, old: str, weather: str) -> str:
    """The new ground condition: normal, mud, quagmire, flood or monsoon."""
    for row in charts.rows("ground_table"):
        if (row["old"], row["weather"]) == (old, weather):
            return row["new"]
    raise ChartError(f"The ground table says nothing for {old} ground in {weather}.")


@rule("ocs/table.air-operations")
def air_operations(charts: Charts, weather: str, die: int) -> str:
    """Air operations on one die: unrestricted, restricted or prohibited."""
    for row in charts.rows("air_ops"):
        if row["weather"] == weather and int(row["low"]) <= die <= int(row["high"]):
            return row["result"]
    raise ChartError(f"The air operations table says nothing for {weather} and a die of {die}.")


@rule("ocs/1.1", "ocs/table.monsoon", "ocs-series/17.0")
def roll_weather(step: Step[State]) -> None:
    """Roll for the turn: two dice read as tens and ones, then one die for the air; a monsoon ends the game at once."""
    state, charts = step.state, step.state.rules.charts
    tens, ones = step.roll("weather", 2).dice
    weather = weather_on(charts, day_of(state), 10 * tens + ones)
    ground = ground_after(charts, state.ground, weather)
    air = air_operations(charts, weather, step.roll("weather").sum)
    step.set("weather", weather=weather, ground=ground, air_ops=air)
    step.cite("ocs/1.1", "ocs/table.weather", "ocs/table.ground", "ocs/table.air-operations")
    step.close()
    if ground == MONSOON:
        step.cite("ocs/table.monsoon")
        end_game(step, MONSOON)


WEATHER = Room("weather", procedures={"roll_weather": roll_weather}, enters={"weather": ("roll_weather",)})
