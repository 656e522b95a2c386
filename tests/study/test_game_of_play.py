"""A game to play: drafts that travel as text, ways, formations, policies, reels, links, kept games, differences."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from burma_study.answers.frames import Film
from burma_study.engine.pmap import Map
from burma_study.engine.session import Session
from burma_study.errors import BurmaStudyError, IllegalOrder, SaveError, ScenarioError
from burma_study.games.ocs import hints, moves, prompts, questions
from burma_study.games.ocs.differences import changes, compared, hex_marks
from burma_study.games.ocs.drafts import Draft, strength_up
from burma_study.games.ocs.edition import EDITION
from burma_study.games.ocs.openings import history_track, setup_choices
from burma_study.games.ocs.play import Play
from burma_study.games.ocs.positions import lines
from burma_study.games.registry import play_of, uploaded
from burma_study.rules.ocs.air.aircraft import OUT, STRIKE, kind_of
from burma_study.rules.ocs.combat.payment import attack_payments
from burma_study.rules.ocs.game import GAME, ROOMS
from burma_study.rules.ocs.movement.orders import Move
from burma_study.rules.ocs.movement.reserves import reserve_places
from burma_study.rules.ocs.movement.stacking import check_stacking, size_of
from burma_study.rules.ocs.state import Piece, stack
from burma_study.rules.ocs.supply.words import unit_name
from burma_study.study import autosave, compact
from burma_study.study.play import HUMAN, Origin
from burma_study.study.reel import Cutter
from burma_study.study.tracks import game_track
from burma_study.study.tree import branches

SEED = "1944"


def at_movement(**more: object) -> Play:
    play = Play.from_setup("ocs/u-go", seed=SEED, **more)
    while play.state.phase != "movement":
        play.give("done")
    return play


def at_combat() -> Play:
    play = at_movement()
    while play.state.phase != "combat":
        step(play)
    return play


def step(play: Play) -> None:
    """End the phase, or answer what is asked by the first answer there is."""
    if "done" in play.session.decision.kinds:
        play.give("done")
        return
    answer = questions.answers(play)[0]
    play.give(answer["ready"][0]["order"] if answer["ready"] else complete(play.draft(answer["kind"])))


def complete(draft: Draft):
    """Fill a draft with the first choices, as text, until it may be given; None where nothing may be chosen."""
    for _ in range(20):
        if draft.order is not None and not draft.against():
            return draft.order
        many = [n for n in draft.form.slots if draft.form.slots[n].many][-1:]
        names = draft.lacking[:1] or many
        choices = next((c for n in names if (c := draft.choices(n))), None)
        if not choices:
            return None
        name, text = names[0], draft.written(names[0], choices[0].value)
        if draft.form.slots[name].many:
            draft.fill(name, [*(draft.written(name, v) for v in draft.value(name) or ()), text])
        else:
            draft.fill(name, [text])
    return None


# drafts -------------------------------------------------------------------------------------------------------------


def test_a_draft_fills_slots_from_texts_and_writes_the_order() -> None:
    play = at_movement()
    draft = play.draft("move")
    assert draft.lacking == ["units", "path"]
    draft.fill("units", ["j/inf/2-58-31"])
    there = draft.choices("path")
    draft.fill("path", [draft.written("path", there[0].value)])
    assert draft.order == Move(("j/inf/2-58-31",), (there[0].value,))
    assert draft.against() == ()
    assert play.session.game.book.parse(draft.plain()["text"]) == draft.order


def test_changing_a_slot_empties_those_that_hang_on_it() -> None:
    draft = at_movement().draft("move")
    draft.fill("units", ["j/inf/2-58-31"])
    draft.fill("path", ["A22.09"])
    draft.toggle("units", "j/inf/3-58-31")
    assert "path" in draft.lacking
    draft.toggle("units", "j/inf/3-58-31")
    assert draft.value("units") == ("j/inf/2-58-31",)


def test_a_draft_is_plain_json_and_says_what_speaks_against_it() -> None:
    draft = at_movement().draft("move", units=("j/inf/2-58-31",), path=(0,))
    plain = draft.plain()
    json.dumps(plain)
    assert plain["against"]
    assert "\n" not in "".join(plain["against"])


@pytest.mark.parametrize(("slot", "text"), [("path", "nowhere"), ("fog", "A1.01")])
def test_a_value_that_is_none_is_named(slot: str, text: str) -> None:
    with pytest.raises(BurmaStudyError, match=text if slot == "path" else slot):
        at_movement().draft("move").fill(slot, [text])


def test_every_kind_that_offers_choices_leads_to_an_order_that_may_be_given() -> None:
    """Through a whole turn: nothing that the page offers is out of reach."""
    play = Play.from_setup("ocs/u-go", seed=SEED)
    seen: set[str] = set()
    for _ in range(60):
        if play.state.turn > 1:
            break
        for kind in play.session.decision.kinds:
            order = play.session.game.book[kind]
            if order.edit or kind in seen:
                continue
            draft = play.draft(kind)
            first = draft.lacking[:1]
            if draft.against() or (first and not draft.choices(first[0])):
                continue
            found = complete(draft)
            assert found is not None, f"{kind} in {play.when()}: {draft.plain()['against']}"
            assert not play.session.check(play.session.game.book.parse(found.text))
            seen.add(kind)
        step(play)
    assert {"done", "mode", "move", "dig-in", "load", "attack", "eat", "deliver", "lift"} <= seen


# moving ---------------------------------------------------------------------------------------------------------------


def test_ways_are_legal_and_cost_what_they_say() -> None:
    play = at_movement()
    units = ("j/inf/2-58-31", "j/inf/3-58-31")
    found = moves.ways(play.state, units)
    assert len(found) > 5
    for way in found.values():
        assert not play.session.check(Move(units, way.path))
    way = max(found.values(), key=lambda w: w.cost)
    play.give(Move(units, way.path))
    assert all(play.state.pieces[u].at == way.hex for u in units)


def test_out_of_reach_gives_reasons_with_rules() -> None:
    play = at_movement()
    found = moves.why_not_there(play, ("j/inf/2-58-31",), play.state.board.index("Kohima"))
    assert found
    assert any("(OCS " in text or "(Burma " in text for text in found)


def test_a_formation_takes_a_mode_and_marches_in_one_record() -> None:
    play = at_movement()
    goal = play.state.board.index("Kohima")
    orders, _ = moves.formation_modes(play, "31 Div", "move")
    moves.together(play, orders)
    assert len(play.session.tree) == 5
    before = EDITION.formations(play.state, "japanese")["31 Div"]
    orders, left = moves.formation_march(play, "31 Div", goal)
    assert orders
    moves.together(play, orders)
    after = EDITION.formations(play.state, "japanese")["31 Div"]
    near = play.state.board.grid.distance
    assert min(near(h, goal) for h in after) < min(near(h, goal) for h in before)
    assert all(isinstance(text, str) for text in left)


def marching(state) -> Play:
    return Play(Session(GAME, state, setup="ocs/u-go", seed=SEED), Origin("ocs/u-go"))


def others(state, formation: str):
    """Japanese battalions of other formations."""
    found = (p for p in state.units("japanese") if p.counter.size == "bn")
    return sorted(p.id for p in found if p.counter.formation != formation)


@pytest.mark.rule("ocs-series/4.8")
def test_a_formation_marches_into_no_more_than_a_hex_holds() -> None:
    state = at_movement().state
    goal = state.board.index("A22.09")
    for unit in others(state, "31 Div")[:19]:
        state = state.place(Piece(unit, goal))
    assert size_of(stack(state, goal)) == Fraction(19, 2)
    play = marching(state)
    orders, left = moves.formation_march(play, "31 Div", goal)
    assert any("10 may end there" in text for text in left)
    moves.together(play, orders)
    assert check_stacking(play.state) == []
    assert size_of(stack(play.state, goal)) == 10, "there was room for one battalion"


@pytest.mark.rule("ocs-series/4.8")
def test_a_full_hex_is_no_wall_to_a_formation_on_its_way() -> None:
    state = at_movement().state
    front = others(state, "31 Div")[:20]
    unit, start = "j/inf/2-58-31", state.board.index("A23.09")
    for other in EDITION.formations(state, "japanese")["31 Div"].values():
        for id_ in other:
            state = state.place(
                replace(state.pieces[id_], at=start if id_ == unit else "dead", mode="move", face="move")
            )
    free = moves.ways(state, (unit,))
    goal = max(free.values(), key=lambda w: len(w.path))
    assert len(goal.path) > 1
    for id_ in front:
        state = state.place(Piece(id_, goal.path[0]))
    (order,), left = moves.formation_march(marching(state), "31 Div", goal.hex)
    assert order.path[-1] == goal.hex
    assert left == []


@pytest.mark.rule("ocs-series/5.7")
def test_a_formation_goes_into_reserve_as_far_as_its_markers_last() -> None:
    play = at_movement()
    assert play.state.markers["reserve/japanese"] == 7
    orders, left = moves.formation_modes(play, "31 Div", "reserve")
    moves.together(play, orders)
    assert len(reserve_places(play.state.pieces.values(), "japanese")) == 7
    assert any("7 Reserve markers" in text for text in left)


def test_nothing_to_order_at_once_is_said() -> None:
    with pytest.raises(BurmaStudyError, match="None of these units"):
        moves.together(at_movement(), [])


# questions ------------------------------------------------------------------------------------------------------------


def test_the_defender_is_asked_and_sees_both_odds() -> None:
    play = at_combat()
    draft = play.draft("attack")
    play.give(complete(draft))
    question = prompts.question(play)
    assert question.startswith("Allied: pay combat supply")
    paid, unpaid = questions.fight_asked_about(play)
    assert paid[0] == "If you pay"
    assert unpaid[1]["defence"] != paid[1]["defence"]
    kinds = {a["kind"]: a for a in questions.answers(play)}
    assert kinds["pay"]["ready"]
    assert kinds["decline"]["ready"][0]["order"] == "decline"


def test_every_question_of_a_battle_has_words_and_an_answer() -> None:
    play = at_combat()
    play.give(complete(play.draft("attack")))
    for _ in range(20):
        if not play.state.frames:
            break
        assert "has to decide about" not in prompts.question(play)
        step(play)
    assert not play.state.frames


def test_every_kind_of_answer_has_a_question_in_words() -> None:
    phases = {k for room in ROOMS for kinds in room.phases.values() for k in kinds}
    edits = {k for k in GAME.book if GAME.book[k].edit}
    seconds = {"accept_combat", "decline", "fly_home", "ignore", "leave_open", "let_pass", "no_advance"}
    assert set(GAME.book) - phases - edits - {"done"} - seconds == set(prompts.ASKED)


def test_a_hungry_group_is_named_with_its_hex_and_its_loss() -> None:
    play = Play.from_setup("ocs/u-go", seed="5")
    for _ in range(40):
        if play.session.decision.kinds[:1] == ("forage",):
            break
        play.give("done" if "done" in play.session.decision.kinds else questions.answers(play)[0]["ready"][0]["order"])
    frame = play.session.decision.frame
    assert frame is not None
    assert prompts.places(play) == (frame["hex"],)
    text = prompts.question(play)
    assert play.state.board.label(frame["hex"]) in text
    assert unit_name(frame["units"][0]) in text
    assert f"{frame['loss']} step" in text


def test_an_enemy_that_cannot_be_attacked_has_a_reason() -> None:
    play = at_combat()
    far = next(p.at for p in play.state.units("allied") if p.at == play.state.board.index("A7.09"))
    assert questions.no_attack(play, far) == "None of your units that can attack stands beside A7.09 Imphal."
    draft = play.draft("attack")
    play.give(complete(draft))
    while play.state.frames:
        step(play)
    again = draft.value("at")
    assert "cannot be attacked now" in questions.no_attack(play, again)


def test_an_enemy_that_may_be_attacked_has_no_reason() -> None:
    play = at_combat()
    assert questions.no_attack(play, play.state.board.index("B3.24")) == ""


# hints --------------------------------------------------------------------------------------------------------------


def test_an_overrun_that_nobody_may_make_says_why_by_enemy() -> None:
    """The stack at B2.23 lacks the 3 MP (OCS 8)."""
    play = at_movement()
    found = hints.nothing_to_choose(play, play.draft("overrun"))
    assert [text.partition(":")[0] for text in found] == ["B3.23", "B3.24 Tiddim"]
    assert all("(OCS 8)" in text for text in found)
    assert hints.overrun_refusals(play, ["j/inf/2-58-31"]) == ["No enemy stands beside the chosen units."]


def test_every_order_without_choices_says_what_it_needs() -> None:
    play = at_movement()
    book = play.session.game.book
    drafts = {k: play.draft(k) for k in play.session.decision.kinds if k != "overrun" and not book[k].edit}
    empty = {k for k, d in drafts.items() if d.lacking and d.choices(d.lacking[0]) == ()}
    told = {k: hints.nothing_to_choose(play, d) for k, d in drafts.items()}
    assert {k for k, found in told.items() if found} == empty
    assert {k for k in empty if "It needs" not in told[k][0]} == set()
    assert told["recall"] == ["Nothing may be chosen now. It needs an air unit on station."]


def test_an_order_that_needs_something_is_one_there_is() -> None:
    assert set(hints.NEEDS) <= set(GAME.book)


def test_units_that_are_no_banzai_attack_are_told_why() -> None:
    """Battalions of one regiment in one hex (Burma 2.6b): 3-215-33 stands at B2.22, the others at B2.23."""
    play = at_combat()
    both = ("j/inf/1-215-33", "j/inf/2-215-33")
    draft = play.draft("attack", at=play.state.board.index("B3.23"), units=both)
    assert hints.slot_notes(play, draft) == {}
    wide = play.draft("attack", at=play.state.board.index("B3.23"), units=(*both, "j/inf/3-215-33"))
    (text,) = hints.slot_notes(play, wide)["banzai"]
    assert text.startswith("No Banzai attack: ")
    assert "2.6b" in text


def test_the_payment_of_an_attack_names_stores_and_stocks() -> None:
    """1T a step (OCS 12.4); who reaches no tokens uses his own stocks (12.10)."""
    play = at_combat()
    at, units = play.state.board.index("B3.23"), ("j/inf/1-215-33", "j/inf/2-215-33", "j/inf/3-215-33")
    draft = play.draft("attack", at=at, units=units)
    assert hints.payment_words(play, draft) == "This attack costs 3T of combat supply: " + paid_words(play, units)
    state = play.state
    poor = marching(replace(state, dumps=Map(), transport=Map()).summed())
    words = hints.payment_words(poor, poor.draft("attack", at=at, units=units))
    assert words.endswith("3T of combat supply: all from the own stocks of 1-215-33, 2-215-33, 3-215-33.")


def paid_words(play: Play, units: tuple[str, ...]) -> str:
    """Stores by tokens, then who uses his own stocks, of the payment that the rules choose."""
    payments = attack_payments(play.state, units)
    tokens = Counter()
    for portion in (p for payment in payments for p in payment.portions):
        tokens[portion.store] += portion.tokens
    stocks = [unit_name(u) for payment in payments for u in payment.stocks]
    stores = [f"{n}T from {play.state.board.label(store)}" for store, n in tokens.items()]
    return ", ".join([*stores, *([f"the rest from the own stocks of {', '.join(stocks)}"] if stocks else [])]) + "."


def test_a_target_says_who_is_there() -> None:
    play = at_combat()
    rows = {r["value"]: r["text"] for r in play.draft("attack").plain()["slots"][0]["choices"]}
    assert rows["B3.24"] == "B3.24 Tiddim: 1 Wy-17"
    draft = play.draft("attack")
    draft.fill("at", ["B3.24"])
    assert {r["text"] for r in draft.plain()["slots"][0]["choices"] if r["value"] == "B3.24"} == {rows["B3.24"]}


def over_the_road() -> Play:
    """An Allied bomber over B2.23 in the Barrage Segment of the movement, in flying weather."""
    state = at_movement().state
    hex_ = state.board.index("B2.23")
    bomber = min((p for p in state.aircraft.values() if p.side == "allied" and kind_of(p).barrage), key=lambda p: p.id)
    state = state.put("aircraft", bomber.id, replace(bomber, at=hex_, active=True))
    state = state.put("markers", OUT + bomber.id, (bomber.at, (bomber.id,), STRIKE))
    return marching(state.with_(phase="movement_barrage", player="allied", air_ops="unrestricted"))


def test_aircraft_that_have_not_bombed_are_left_and_their_odds_are_shown() -> None:
    play = over_the_road()
    hex_ = play.state.board.index("B2.23")
    assert [t for t in questions.skipped(play) if t.startswith("B2.23 could be bombed by ")]
    draft = play.draft("bomb", at=hex_, planes=tuple(p.id for p in play.state.aircraft.values() if p.at == hex_))
    kind, odds = questions.odds_of(play, draft)
    assert kind == "barrage"
    assert odds["effects"]
    draft.fill("what", ["base"])
    assert questions.odds_of(play, draft) is None


def test_aircraft_of_other_bases_that_cannot_join_are_spoken_of() -> None:
    play = marching(at_movement().state.with_(player="allied", air_ops="unrestricted"))
    draft = play.draft("ferry")
    first = draft.choices("planes")[0].value
    assert hints.slot_notes(play, draft) == {}
    draft.fill("planes", [first])
    assert hints.slot_notes(play, draft) == {
        "planes": ["Only aircraft of one base fly together; those of other bases are not shown."]
    }


def test_a_unit_shows_the_strength_of_the_side_that_is_up() -> None:
    piece = at_movement().state.pieces["j/inf/2-58-31"]
    assert strength_up(replace(piece, face="combat")) == lines(piece.counter)[0]
    assert strength_up(replace(piece, face="move")) == lines(piece.counter)[1]
    assert lines(piece.counter)[0] != lines(piece.counter)[1]


def test_the_scenario_to_learn_by_is_named_in_lists() -> None:
    choices = setup_choices()
    assert choices["ocs/learning"].startswith("Learning Scenario: Black Cats and White Tigers (")
    assert choices["ocs/u-go"].startswith("U-Go (")


# questions of a phase -----------------------------------------------------------------------------------------------


def test_a_set_up_with_nothing_left_to_place_says_so() -> None:
    assert "to begin" in questions.may(Play.from_setup("ocs/u-go"))
    assert "leaves open" in questions.may(Play.from_setup("ocs/u-go", "free"))


def test_the_end_of_a_phase_names_what_is_left() -> None:
    assert any("not moved" in text for text in questions.skipped(at_movement()))
    assert any("could be attacked" in text for text in questions.skipped(at_combat()))


def test_the_end_of_movement_names_what_may_not_stay() -> None:
    state = at_movement().state
    crowded, far = state.board.index("A22.09"), state.board.index("A10.10")
    for unit in others(state, "31 Div")[:21]:
        state = state.place(Piece(unit, crowded))
    state = state.place(replace(state.pieces["j/inf/2-58-31"], at=far, mode="strat", face="move"))
    found = questions.skipped(marching(state))
    assert any(text.startswith("More than may stay stand in A22.09") for text in found)
    assert any(text.startswith("Out of Strategic Mode") and "2-58-31" in text for text in found)


def test_odds_of_a_draft_are_those_of_the_rules() -> None:
    play = at_combat()
    draft = play.draft("attack")
    assert questions.odds_of(play, draft) is None
    complete(draft)
    kind, odds = questions.odds_of(play, draft)
    assert kind == "regular"
    assert odds["outcomes"]
    assert hints.payment_words(play, draft).startswith(f"This attack costs {len(draft.value('units'))}T of combat")
    assert questions.odds_of(play, play.draft("bomb")) is None


# the record -----------------------------------------------------------------------------------------------------------


def test_undo_into_a_variation_keeps_both_and_redo_goes_on() -> None:
    play = at_movement()
    start = play.node
    play.give("move j/inf/2-58-31 by A22.09")
    first = play.node
    play.undo()
    assert play.node == start
    play.give("mode j/inf/2-58-31 move")
    names = [b.name for b in branches(play.session)]
    assert names == ["Main line", "Variation 1"]
    play.go(first)
    play.undo()
    assert play.redo() == first


def test_variations_are_numbered_over_the_whole_tree_as_they_began() -> None:
    play = Play.from_setup("ocs/learning", seed="1")
    session = play.session
    session.push("enforcement off")
    first = session.node
    for order in ("option opt1 on", "option opt2 on"):
        session.push(order)
    session.go(first)
    session.push("option opt3 on")
    inner = session.node
    session.push("option opt4 on")
    session.go(inner)
    session.push("option opt5 on")
    assert [b.name for b in branches(session)] == ["Main line", "Variation 1", "Variation 2"]
    assert session.tree.name(session.node) == "variation 2"


def test_a_reroll_is_a_named_variation() -> None:
    play = at_movement()
    play.give("done")
    with pytest.raises(BurmaStudyError, match="no dice"):
        Play.from_setup("ocs/u-go", seed=SEED).reroll()
    while not play.session.tree[play.node].rolls:
        step(play)
    node = play.node
    play.reroll()
    assert play.session.tree.name(play.node) == "re-roll 1"
    assert play.node != node


def test_a_refused_order_changes_nothing() -> None:
    play = at_movement()
    digest, nodes = play.digest, len(play.session.tree)
    with pytest.raises(IllegalOrder):
        play.give("attack A10.21 with j/inf/2-58-31")
    assert (play.digest, len(play.session.tree)) == (digest, nodes)


def test_a_reel_shows_the_record_and_goes_on_from_the_last_one() -> None:
    play = at_movement()
    cutter = Cutter(play.edition, play.session, lambda node: f"record {node}")
    before = cutter.reel()
    play.give("move j/inf/2-58-31 by A22.09")
    after = cutter.reel()
    assert after.nodes[-1] == play.node
    assert after.film.frames[-1].caption == f"record {play.node}"
    (row,) = after.film.after(before.film)
    assert row["k"] == len(before.film.frames)
    assert len(str(row["rows"])) < 80
    assert before.film.after(after.film) is None
    assert isinstance(after.film, Film)


def test_a_reel_shows_the_records_of_the_player_turn_and_the_phases_of_others() -> None:
    play = Play.from_setup("ocs/learning", seed=SEED, players={"japanese": "hold", "allied": "hold"})
    play.advance(60)
    reel = Cutter(play.edition, play.session, str).reel()
    assert reel.nodes[0] == 0
    assert reel.nodes[-1] == len(play.session.tree) - 1
    assert {f.level for f in reel.film.frames} >= {"turn", "player_turn", "phase"}


# who plays ------------------------------------------------------------------------------------------------------------


def test_a_policy_plays_its_side_until_the_reader_is_asked() -> None:
    play = at_movement()
    play.seat("allied", "hold")
    while play.actor == "japanese":
        step(play)
    done = play.advance(30)
    assert done.orders > 0
    assert play.played_by(play.actor) == HUMAN
    node = play.node
    play.undo()
    assert play.played_by(play.actor) == HUMAN
    assert play.node < node


def test_units_taken_back_are_left_alone() -> None:
    play = at_movement()
    unit = "j/inf/2-58-31"
    play.take_back(unit)
    play.lend("31 Div", "history")
    before = play.state.pieces[unit]
    done = play.move_lent("31 Div")
    assert done.orders > 0
    assert play.state.pieces[unit] == before
    assert play.actor == "japanese"
    assert play.state.phase == "movement"


def test_an_unknown_policy_or_side_is_named() -> None:
    play = at_movement()
    with pytest.raises(ScenarioError, match="hold"):
        play.seat("allied", "panic")
    with pytest.raises(ScenarioError, match="french"):
        play.seat("french", "hold")


def test_a_game_starts_from_history_with_its_weather() -> None:
    play = Play.from_line("ocs/u-go", 3, seed=SEED)
    assert play.state.turn == 4
    weather = play.state.weather
    play.give("done")
    assert play.state.weather == weather
    assert play.state.phase != "weather"


# keeping --------------------------------------------------------------------------------------------------------------


def test_a_link_carries_the_line_of_play() -> None:
    play = at_movement()
    play.give("move j/inf/2-58-31 by A22.09")
    text = compact.pack(play)
    assert compact.fits(text)
    again = compact.unpack(text, play_of)
    assert again.digest == play.digest
    assert again.node == play.node


@pytest.mark.parametrize("text", ["", "nonsense", "eJwrKy0BAAJAASE", "%%%"])
def test_a_link_that_is_none_is_said(text: str) -> None:
    with pytest.raises(SaveError, match=r"cannot be read|no game"):
        compact.unpack(text, play_of)


def test_a_link_cut_short_or_of_another_position_is_said() -> None:
    play = at_movement()
    text = compact.pack(play)
    with pytest.raises(SaveError):
        compact.unpack(text[: len(text) // 2], play_of)
    about = compact.head(play)
    rows = [compact.row(play, n) for n in range(1, len(play.session.tree))]
    with pytest.raises(SaveError, match="another position"):
        compact.replay(about, rows, play_of, cursor=len(rows), digest="000000000000")


def test_the_whole_tree_is_played_again_from_rows_with_rerolls() -> None:
    play = at_movement()
    play.give("done")
    while not play.session.tree[play.node].rolls:
        step(play)
    play.reroll()
    play.reroll()
    rows = [compact.row(play, n) for n in range(1, len(play.session.tree))]
    again = compact.replay(json.loads(json.dumps(compact.head(play))), rows, play_of, cursor=play.node)
    assert [r.digest for r in map(again.session.tree.__getitem__, range(1, len(rows) + 1))] == [
        r.digest for r in map(play.session.tree.__getitem__, range(1, len(rows) + 1))
    ]
    assert compact.unpack(compact.pack(play), play_of).digest == play.digest


def test_a_save_goes_through_bytes() -> None:
    play = at_movement()
    again = uploaded(play.to_bytes())
    assert again.digest == play.digest
    assert again.origin == Origin("ocs/u-go", "historical")
    with pytest.raises(SaveError):
        uploaded(b"nothing of ours")


def test_autosave_writes_one_file_a_game_and_can_be_turned_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(autosave.VARIABLE, str(tmp_path / "games"))
    play = at_movement()
    keeper = autosave.Autosave(play)
    keeper.close()
    (name,) = autosave.kept()
    assert play.id in name
    assert Play.open(autosave.folder() / autosave.safe(name)).digest == play.digest
    with pytest.raises(SaveError, match="no saved game"):
        autosave.safe("../elsewhere.save.gz")
    monkeypatch.setenv(autosave.VARIABLE, "")
    assert autosave.kept() == []
    keeper.close()
    assert not autosave.on()


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv(autosave.VARIABLE, str(blocked))
    keeper = autosave.Autosave(at_movement())
    keeper.close()
    assert "could not be saved" in keeper.problem


# side by side ---------------------------------------------------------------------------------------------------------


def test_differences_name_who_moved_and_marks_tell_both_maps() -> None:
    play = at_movement()
    before = play.state
    play.give("move j/inf/2-58-31 by A22.09")
    (change,) = changes(before, play.state)
    assert change.kind == "moved"
    left, right = hex_marks((change,), first=True), hex_marks((change,))
    assert {h for h, _, _ in left} == {h for h, _, _ in right} == {change.first, change.second}
    assert {(h, kind) for h, kind, _ in right} == {(change.first, "gone"), (change.second, "fresh")}


def test_sums_of_one_state_are_alike_and_of_history_are_not() -> None:
    history = history_track()
    first, last = history.state(0), history.state(9)
    assert all(r["first"] == r["second"] for r in compared(first, first))
    dead = next(r for r in compared(first, last) if r["what"] == "Dead" and r["side"] == "allied")
    assert int(dead["second"]) >= int(dead["first"])


def test_a_game_is_a_track_by_player_turns() -> None:
    play = Play.from_setup("ocs/learning", seed=SEED, players={"japanese": "hold", "allied": "hold"})
    play.advance(60)
    track = game_track(play)
    assert list(track.turns) == sorted(track.turns)
    assert track.state(len(track.labels) - 1) == play.state
    assert track.turns[track.at_turn(2)] == 2
    with pytest.raises(BurmaStudyError, match="moments"):
        track.state(999)
