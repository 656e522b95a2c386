"""Orders that are almost right: 2,000 of them are carried out or refused with reasons, and nothing between the two."""

from __future__ import annotations

import random
import re

import pytest
from accountant import tokens
from fuzzing import Fuzzer

from burma_study.errors import BurmaStudyError

GAMES = (("ocs/learning", 0, 21), ("ocs/u-go", 3, 22), ("ocs/u-go", 7, 23), ("ocs/u-go", 9, 24))
ORDERS = 500
LABEL = re.compile(r"[AB]\d{1,2}\.\d{2}")
NUMBER = re.compile(r"(?<![\w./-])\d+(?![\w./-])")
ODD = (
    "0",
    "-1",
    "99",
    "1/3",
    "nan",
    "1e9",
    "²",
    "A0.00",
    "B99.99",
    "nobody",
    ",",
    '"',
    "\0",
    "by",
    "with",
    "{}",
    "None",
)


def near(chance: random.Random, text: str, game: Fuzzer) -> str:
    """An order with one thing changed for another of its kind, or for something odd."""
    state, words = game.session.state, text.split(" ")
    at = chance.randrange(len(words))
    change = chance.randrange(8)
    if change == 0:
        return LABEL.sub(lambda _: state.board.label(chance.randrange(len(state.board))), text, count=1)
    if change == 1:
        return re.sub(r"[ja]/[a-z]+/[\w.-]+", lambda _: chance.choice(sorted(state.pieces)), text, count=1)
    if change == 2:
        return NUMBER.sub(lambda _: str(chance.choice((0, 1, 2, 7, 40, 10**6))), text)
    if change == 3:
        return " ".join(words[:at] + words[at + 1 :])
    if change == 4:
        return " ".join([*words[: at + 1], *words[at:]])
    if change == 5:
        return " ".join([chance.choice(game.session.decision.kinds), *words[1:]])
    if change == 6:
        return " ".join([*words[:at], chance.choice(ODD), *words[at + 1 :]])
    return text[: chance.randrange(len(text))]


@pytest.mark.parametrize(("scenario", "step", "seed"), GAMES)
def test_a_near_legal_order_is_carried_out_or_refused_and_nothing_else(scenario: str, step: int, seed: int) -> None:
    game, chance = Fuzzer(scenario, seed, step_of_line=step), random.Random(seed)
    session, refused, done = game.session, 0, 0
    while refused + done < ORDERS and session.decision.actor:
        legal, before, node = game._choose(), session.state, session.node
        for _ in range(8):
            text = near(chance, legal.text, game)
            try:
                record = session.push(text)
            except BurmaStudyError as error:
                assert str(error).strip(), text  # noqa: PT017 - any sentence will do
                assert session.state is before, text
                assert session.node == node, text
                refused += 1
                continue
            done += 1
            assert session.state.rebuilt_total() == session.state.total, record.order.text
            assert min(tokens(session.state).values(), default=0) >= 0
            session.undo()
            assert session.state is before, text
        game.step()
    assert refused > ORDERS // 3
    assert done > 10
