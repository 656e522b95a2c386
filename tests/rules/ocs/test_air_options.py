"""Every order of the air war can be built from what its slots offer, and what is offered holds."""

from __future__ import annotations

from random import Random

import pytest
from air_field import BASES, air, aloft, at, fly, give

from burma_study.engine.game import Partial
from burma_study.rules.ocs.air.room import ORDERS, PHASES
from burma_study.rules.ocs.game import GAME
from burma_study.rules.ocs.setup.starting import start
from burma_study.rules.ocs.state import Piece


def built(state, kind, rng):
    """An order of a kind from random choices, optional slots as well; None where a choice led nowhere."""
    partial = Partial(kind)
    for _ in range(40):
        options = GAME.options(state, partial)
        if options.complete is not None and (not options.optional or rng.random() < 0.5):
            return options.complete
        if not options.slot and options.optional:
            options = GAME.options(state, partial, rng.choice(options.optional))
        if not options.choices:
            if not (options.many and partial.values.get(options.slot)):
                return None
            partial = partial.finish(options.slot)
            continue
        partial = options.take(rng.choice(options.choices).value)
        if options.many and rng.random() < 0.5:
            partial = partial.finish(options.slot)
    return None


def reached(state, kind, tries=60):
    """A legal order of the kind, found within some tries; it reads back from its text."""
    found = next((o for n in range(tries) if (o := built(state, kind, Random(n))) is not None), None)
    assert found is not None, kind
    assert GAME.parse(found.text) == found
    assert GAME.check(state, found) == ()
    return found


def theatre(**rest):
    """Something to do for every kind: planes at bases and aloft, a pair to join, enemies, cargo, a Hump, Arakan."""
    planes = {"a/b-25/1": "A10.10", "a/hurricane/1": "A10.10", "a/c-47/1": "silchar", "a/glider/1": "silchar"}
    planes |= {"a/hurricane/2": ("A10.10", 2, False), "a/p-51/1": ("A10.10", 1), "a/p-51/2": ("A10.10", 1)}
    units = {"j/inf/1-215-33": "A20.10", "a/inf/48-17": "A20.09"}
    dumps = {"silchar": ("allied", 8), "A10.10": ("allied", 4)}
    state = air(planes, units, bases=BASES, dumps=dumps, markers={"hump": 3, "air/friendly": (at("A20.09"),)}, **rest)
    state = state.place(Piece("a/inf/RWK-5", "arakan", "move", "move"))
    return aloft(state, "a/vengeance/1", "A20.10", purpose="strike")


@pytest.mark.parametrize(("phase", "kind"), [(phase, kind) for phase, kinds in PHASES.items() for kind in kinds])
def test_an_order_of_every_kind_is_built_in_every_phase_of_its_own(ground, phase, kind):
    player = "japanese" if phase.startswith("reaction") else "allied"
    reached(theatre(phase=phase, player=player), kind)


def test_answers_are_built_where_they_are_asked(ground):
    state = theatre().put("markers", "air/friendly", ())
    state = fly(state, "j/oscar/1", "A30.10")
    met = give(state, "strike A20.10 with a/b-25/1")
    assert reached(met, "intercept").text.startswith("intercept at A")
    assert reached(met, "let_pass")
    lone = aloft(air({"a/p-51/1": "A10.10"}), "j/oscar/1", "A12.10", "A40.10")
    asked = (
        give(lone, "strike A12.10 with a/p-51/1", "let the flight pass")
        if _meets(lone)
        else give(lone, "strike A12.10 with a/p-51/1")
    )
    assert reached(asked, "refuse_combat")
    assert reached(asked, "accept_combat")


def _meets(state):
    return GAME.decision(give(state, "strike A12.10 with a/p-51/1")).kinds[:1] == ("intercept",)


def test_every_kind_is_given_in_some_phase_or_asked_for():
    given = {kind for kinds in PHASES.values() for kind in kinds}
    asked = {"intercept", "let_pass", "refuse_combat", "accept_combat", "keep_station", "fly_home", "stand_down"}
    assert {o.kind for o in ORDERS} == given | asked | {"shelter", "leave_open"}


@pytest.mark.parametrize("scenario", ["u-go", "learning", "thursday"])
def test_whole_turns_of_chance_flights_keep_their_books(scenario):
    """Random air orders through two turns: no error, the digest right, no token or air unit from nowhere."""
    from burma_study.engine.session import Session

    rng, state = Random(scenario), start(f"ocs/{scenario}")
    state = state.put("markers", "stops", "all").with_(phase="refit", player="allied", first="allied")
    play, kinds, count = Session(GAME, state, seed=scenario), {o.kind for o in ORDERS}, len(state.aircraft)
    for _ in range(120):
        decision = play.decision
        mine = [k for k in decision.kinds if k in kinds]
        order = built(play.state, rng.choice(mine), rng) if mine else None
        if order is None and decision.frame:
            order = next(o for k in decision.kinds for n in range(40) if (o := built(play.state, k, Random(n))))
        play.push(order or "done")
        assert play.state.total == play.state.rebuilt_total()
        assert len(play.state.aircraft) == count
        for plane in play.state.aircraft.values():
            assert plane.active or f"air/out/{plane.id}" not in play.state.markers
    assert play.state.turn > 1
