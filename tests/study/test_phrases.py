"""Orders in plain words: a sentence for the text of an order."""

from __future__ import annotations

import pytest

from burma_study.games.ocs.phrases import phrase, plainly
from burma_study.rules.ocs.game import GAME

SAID = (
    ("done", "The phase ends."),
    ("go second", "The side with the initiative chooses to move second."),
    ("mode j/inf/1-58-31 move", "1-58-31 turns to Move Mode."),
    ("mode j/inf/1-58-31, j/inf/2-58-31 strat", "1-58-31, 2-58-31 turn to Strat Mode."),
    ("mode a/inf/1-23 reserve with the move side up", "1-23 turns to Reserve Mode, Move side up."),
    ("load 4 T on j/mule/1", "Mule 1 takes up 4T."),
    ("freight 10 T from silchar to A4.24", "The railway carries 10T from Silchar to A4.24 Dimapur."),
    ("refit a/b-25/1, a/vengeance/1 at silchar paying stocks", "B-25 1, Vengeance 1 are made ready at Silchar."),
    ("deliver 4 T to B25.18", "4T arrive at B25.18."),
    ("deliver 1 T to B25.18", "1T arrives at B25.18."),
    ("lift 2T from silchar to A6.08 by a/c-47/1 dropping", "C-47 1 flies 2T from Silchar to A6.08 Tulihal airfield."),
    ("hump 4T from ledo to A6.08 dropping", "The Hump's aircraft fly 4T from Ledo to A6.08 Tulihal airfield."),
    ("split 4 T off a/truck/1, loaded 2 T", "4T of room are split off truck 1."),
    ("exchange 4 T at B25.18 for buffaloes", "4T at B25.18 become water buffaloes."),
    ("attack B3.24 with j/inf/1-215-33, j/inf/2-215-33 paying B2.22", "1-215-33, 2-215-33 attack B3.24 Tiddim."),
    ("overrun A14.13 with j/inf/1-51-15 as Banzai", "1-51-15 overruns A14.13 Ukhrul."),
    ("overrun A14.13 with j/inf/1-51-15 fuelled from A15.13", "1-51-15 overruns A14.13 Ukhrul."),
    ("pay from A7.09", "The defender pays for combat supply."),
    ("settle 0 in steps", "All of the option is taken in hexes of retreat."),
    ("settle 1 in steps", "1 of the option is taken in steps."),
    ("settle 3 in steps", "3 of the option are taken in steps."),
    ("release a/inf/1-23", "1-23 is released from Reserve."),
    ("recall a/b-25/1 to A6.08", "B-25 1 is called home."),
    ("recall a/b-25/1", "B-25 1 is called home."),
    ("other draw", "The replacement is drawn from the dead."),
    (
        "mode j/inf/1-58-31, j/inf/2-58-31, j/inf/3-58-31, j/inf/1-60-15, j/inf/2-60-15 move",
        "1-58-31, 2-58-31, 3-58-31, 1-60-15 and 1 more turn to Move Mode.",
    ),
)


@pytest.mark.parametrize(("order", "said"), SAID)
def test_an_order_reads_as_a_sentence(order: str, said: str) -> None:
    assert phrase(order) == said


@pytest.mark.parametrize("order", [text for text, _ in SAID])
def test_the_texts_tried_here_are_those_that_orders_write(order: str) -> None:
    assert GAME.parse(order).text == order


def test_the_side_that_chooses_its_place_in_the_turn_is_named() -> None:
    assert phrase("go first", "allied") == "The Allied side chooses to move first."


def test_orders_given_together_are_told_one_by_one_the_first_four_of_them() -> None:
    lines = [f"\n  mode j/inf/{n}-58-31 move" for n in (1, 2, 3)]
    three = "1-58-31 turns to Move Mode. 2-58-31 turns to Move Mode. 3-58-31 turns to Move Mode."
    assert phrase("together:" + "".join(lines)) == three
    more = "\n  release a/inf/1-23\n  eat all\n  done"
    assert phrase("together:" + "".join(lines) + more) == f"{three} 1-23 is released from Reserve. And 2 more orders."


def test_a_reason_names_units_and_rules_as_the_page_does() -> None:
    text = "'j/inf/3-124-31' is no match for a/truck/3, j/hq/33_Div (ocs-series/6.1). See ocs/2.6b, ocs/u-go."
    assert plainly(text) == "'3-124-31' is no match for truck 3, 33 Div HQ (OCS 6.1). See Burma 2.6b, ocs/u-go."


@pytest.mark.parametrize("order", ["", "  ", "launch the fleet at A99.99", "settle x in steps"])
def test_an_order_that_is_not_known_is_told_as_it_stands(order: str) -> None:
    assert phrase(order) == f"{order.strip()[:1].upper()}{order.strip()[1:]}."
