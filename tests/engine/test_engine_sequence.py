"""The sequence of play is made of rooms, and says what is wrong with them before anything is played."""

from __future__ import annotations

import pytest
from toy import GAME, set_up

from burma_study.engine.room import Room
from burma_study.engine.sequence import Calendar, Sequence
from burma_study.errors import BurmaStudyError

CALENDAR: Calendar = Calendar(
    phases=("march", "rest"),
    phase=lambda state: "march" if state.side == "red" else "rest",
    ended=lambda state: state.turn > 2,
    turn_over=lambda state: state.side == "blue",
    last_turn=lambda state: state.turn >= 2,
    must_stop=lambda state: False,
    advance=lambda step: step.set("phase", side="blue" if step.state.side == "red" else "red"),
    run_out=lambda step: step.set("over", turn=3),
    close=lambda step: None,
)


def test_a_room_that_names_an_unknown_phase_is_refused_by_name():
    with pytest.raises(BurmaStudyError, match="phases that the calendar lacks, in 'north': sleep"):
        Sequence((Room("north", phases={"sleep": ("march",)}),), CALENDAR, ())


def test_a_procedure_that_no_room_has_or_that_has_no_place_is_refused():
    with pytest.raises(BurmaStudyError, match="procedures that none of them has: gone"):
        Sequence((Room("north", enters={"march": ("gone",)}),), CALENDAR, ("gone",))
    with pytest.raises(BurmaStudyError, match="without a place in the order at borders of phases: rise"):
        Sequence((Room("north", enters={"march": ("rise",)}, procedures={"rise": print}),), CALENDAR, ())


def test_borders_run_in_the_written_order_whatever_the_order_of_the_rooms():
    rooms = (
        Room("a", procedures={"late": print}, leaves={"march": ("late",)}),
        Room("b", procedures={"early": print}, leaves={"march": ("early",)}),
    )
    for some in (rooms, rooms[::-1]):
        assert Sequence(some, CALENDAR, ("early", "late")).leaving("march") == ("early", "late")
        assert Sequence(some, CALENDAR, ("early", "late")).leaving("rest") == ()


def test_a_phase_is_idle_when_each_room_with_orders_in_it_says_so():
    state = set_up(("r1", "red", 2, 3))
    silent, idle = Room("a", phases={"march": ("march",)}), Room("b", phases={"march": ("end",)})
    says = Room("b", phases={"march": ("end",)}, idle={"march": lambda state: True})
    without = Room("c", phases={"march": ("lose",)}, needs={"lose": lambda state: False})
    assert not Sequence((silent,), CALENDAR, ()).is_idle(state)
    assert not Sequence((says, idle), CALENDAR, ()).is_idle(state)
    assert Sequence((says, without, Room("done", phases={"march": ("done",)})), CALENDAR, ()).is_idle(state)
    assert GAME.decision(state).kinds == ("march", "end")
