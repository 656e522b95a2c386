"""What a page says beside an order being built: why nothing may be chosen, why a choice is missing, who will pay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from burma_study.games.ocs.drafts import Draft
from burma_study.games.ocs.phrases import plainly
from burma_study.rules.ocs.combat.checks import banzai_reasons
from burma_study.rules.ocs.combat.payment import attack_cost, attack_payments
from burma_study.rules.ocs.combat.results import alive
from burma_study.rules.ocs.combat.strength import can_attack
from burma_study.rules.ocs.goods.payment import AUTO, Portion
from burma_study.rules.ocs.movement.orders import Overrun
from burma_study.rules.ocs.movement.overrun import enemies_beside
from burma_study.rules.ocs.state import State, stack
from burma_study.rules.ocs.supply.words import named, unit_name
from burma_study.study.play import Play

MOST_REFUSED = 3  # overruns whose refusal is told at once
MOST_REASONS = 2  # reasons told of each
FLIES = "weather to fly in"
NEEDS = {
    "arrive": "a unit that is due and a place where it may come in",
    "deliver": "supply that arrives in this phase and is not put down yet, and a place for it",
    "hump": "a Hump diversion declared for this turn and not used up, and cargo that it may lift",
    "fly_in": "units that wait in Arakan, and transports or the turn's Hump diversion to fly them",
    "rebuild": "a dead unit and a box with the replacement points that it costs",
    "exit": "a unit on a hex by which the scenario lets it leave the map",
    "come": "a unit off the map whose turn to come back has come and whose road is open",
    "refill": "a unit with low stocks and a store in its reach",
    "eat": "a unit without trace supply that has not eaten, and a store in its reach",
    "load": "transport with room left, and supply on the ground where it stands",
    "unload": "loaded transport in a place where supply may be set down",
    "split": "transport that is large enough to be parted",
    "merge": "two counters of transport of one kind in one place",
    "form-extender": "five points of unloaded transport of one kind in one place",
    "break-extender": "an extender of your side",
    "collapse-extender": "an extender of your side with another hex to collapse to",
    "carry": "empty mules and trucks in one hex that may still move",
    "rail": "a unit or transport on a line or in a box that carries it, with capacity left",
    "freight": "supply on the ground on a line or in a box that carries it, with capacity left",
    "blow": "a dump of your side that may be blown up",
    "fortify": "units that may build in their hex, and supply to pay for it",
    "dig-in": "a Japanese battalion that has not moved and may dig in its hex",
    "raze": "a unit that began the phase in a hedgehog",
    "airstrip": "a headquarters or the 823 Engineers where a strip may be laid, and supply to pay for it",
    "upgrade": "an engineer-capable unit on an airstrip, and supply to pay for it",
    "raise": "units at an air base that may gain a level, and supply to pay for it",
    "road": "an engineer in the next hex of the Ledo Road, and supply to pay for it",
    "mode": "a unit that has not begun to move",
    "move": "a unit or transport with movement left",
    "release": "a unit in Reserve Mode that may be released",
    "attack": "an enemy beside units that may still attack in this phase, and combat supply for them",
    "barrage": "an enemy in range of guns that may still fire in this phase, and supply for them",
    "shell": "an enemy air base in range of guns that may still fire in this phase, and supply for them",
    "ferry": f"an air unit at a base, another base in its range, and {FLIES}",
    "station": f"an active air unit at a base, a hex in its range, and {FLIES}",
    "strike": f"an active air unit at a base, a target in its range, and {FLIES}",
    "recall": "an air unit on station",
    "bomb": f"aircraft with an enemy to bomb who was not barraged yet in this phase, and {FLIES}",
    "hip_shoot": f"an Allied bomber with an enemy in range whom a unit spots, and {FLIES}",
    "refit": "an inactive air unit at a base with supply in reach",
    "join": "two reduced air units of one type at one base",
    "lift": f"an active transport aircraft at a base, and {FLIES}",
}


# why nothing may be chosen --------------------------------------------------------------------------------------------


def nothing_to_choose(play: Play, draft: Draft, chosen: Sequence[str] = ()) -> list[str]:
    """Why the open slot of an order has no choices, in words; empty when it has some or takes any text."""
    if not draft.lacking or draft.choices(draft.lacking[0]) != ():
        return []
    if draft.kind == "overrun":
        return overrun_refusals(play, chosen)
    need = NEEDS.get(draft.kind)
    return [f"Nothing may be chosen now. It needs {need}."] if need else ["Nothing may be chosen here and now."]


def overrun_refusals(play: Play, chosen: Sequence[str] = (), target: int | None = None) -> list[str]:
    """Why the enemies beside the chosen units, or beside anybody of the acting side, may not be overrun: at most three.

    `target` tells of that hex alone, without its name. The chosen units are taken together, others by the one against
    whom least speaks.
    """
    state, out = play.state, []
    parties = [p.id for p in alive(state, chosen) if p.counter.side == play.actor]
    pairs = _beside(state, play.actor, parties)
    for hex_, enemy in pairs:
        if target is not None and enemy != target:
            continue
        able = (p for p in stack(state, hex_) if p.counter.side == play.actor and can_attack(p))
        tries = [tuple(parties)] if parties else [(p.id,) for p in able]
        against = min((play.session.why_not(Overrun(enemy, t)) for t in tries), key=len)
        if against:
            lead = f"{named(state.board, enemy)}: " if target is None else ""
            out.append(lead + " ".join(map(plainly, against[:MOST_REASONS])))
    if not pairs:
        who = "the chosen units" if parties else "any of your units that can attack"
        return [f"No enemy stands beside {who}."]
    return list(dict.fromkeys(out))[:MOST_REFUSED]


def _beside(state: State, side: str, parties: Sequence[str]) -> list[tuple[int, int]]:
    """Hexes of the units, or of all of a side that can attack, each with an enemy hex beside it; every enemy once."""
    units = alive(state, parties) or [p for p in state.units(side) if p.on_map and can_attack(p)]
    hexes = sorted({p.at for p in units if isinstance(p.at, int)})
    found = {enemy: h for h in hexes for enemy in enemies_beside(state, h, side)}
    return sorted((h, enemy) for enemy, h in found.items())


def held_by_enemy(play: Play, hex_: int, units: Sequence[str]) -> list[str]:
    """What may be done about an enemy hex that chosen units cannot march into, and why they do not overrun it."""
    state = play.state
    where = named(state.board, hex_)
    phase = {"movement": "Combat Phase", "exploitation": "Combat Segment of Exploitation"}.get(state.phase)
    near = any(hex_ in state.board.grid.adjacent[p.at] for p in alive(state, units) if isinstance(p.at, int))
    go = f"attack it in the {phase}" if near else f"march beside it and attack it in the {phase}"
    lead = f"{where} is held by the enemy: {go}." if phase else f"{where} is held by the enemy: it can be overrun only."
    return [lead, *(f"No overrun: {text}" for text in (overrun_refusals(play, units, hex_) if near else ()))]


# why a choice is missing ----------------------------------------------------------------------------------------------


def slot_notes(play: Play, draft: Draft) -> dict[str, list[str]]:
    """By slot, why it offers less than a reader may look for."""
    return {name: found for name, look in _NOTES.items() if name in draft.form.slots and (found := look(play, draft))}


def _no_banzai(play: Play, draft: Draft) -> list[str]:
    units = alive(play.state, draft.value("units") or ())
    if not units or play.actor != "japanese":
        return []
    against = banzai_reasons(play.state, units)[:MOST_REASONS]
    return [f"No Banzai attack: {plainly(play.session.game.say(r))}" for r in against]


def _other_bases(play: Play, draft: Draft) -> list[str]:
    """Aircraft that could be chosen were the first one of another base."""
    chosen = draft.value("planes") or ()
    if not chosen:
        return []
    others = {k: v for k, v in draft.partial.values.items() if k != "planes"}
    aircraft, alone = play.state.aircraft, Draft(play.session, draft.kind, **others)
    kept = {*chosen, *(c.value for c in draft.choices("planes") or ())}
    gone = [c.value for c in alone.choices("planes") or () if c.value not in kept]
    here = {aircraft[p].at for p in chosen if p in aircraft}
    if any(p in aircraft and aircraft[p].at not in here for p in gone):
        return ["Only aircraft of one base fly together; those of other bases are not shown."]
    return []


_NOTES = {"banzai": _no_banzai, "planes": _other_bases}


# who will pay ---------------------------------------------------------------------------------------------------------


def payment_words(play: Play, draft: Draft) -> str:
    """What an attack costs and from where that is paid; empty for other orders and while nobody attacks."""
    state, units = play.state, tuple(draft.value("units") or ())
    if draft.kind not in ("attack", "overrun") or not units:
        return ""
    lead = f"This attack costs {attack_cost(state, units)}T of combat supply"
    payments = attack_payments(state, units, draft.value("payment") or AUTO)
    if payments is None:
        return f"{lead}, which cannot be paid so."
    stores = list(_stores(state, (p for payment in payments for p in payment.portions)))
    stocks = [u for payment in payments for u in payment.stocks]
    if stocks:
        own = f"from the own stocks of {', '.join(map(unit_name, stocks))}"
        stores.append(f"the rest {own}" if stores else f"all {own}")
    return f"{lead}: {', '.join(stores)}." if stores else f"{lead}."


def _stores(state: State, portions: Iterable[Portion]) -> Iterator[str]:
    """Tokens by store and HQ, each once: "2T from B2.22, thrown by 33 Div HQ"."""
    sums: dict[tuple[int | str, str], int] = {}
    for portion in portions:
        key = portion.store, portion.hq
        sums[key] = sums.get(key, 0) + portion.tokens
    for (store, hq), tokens in sums.items():
        where = named(state.board, store) if isinstance(store, int) else str(store).capitalize()
        yield f"{tokens}T from {where}" + (f" (thrown by {unit_name(hq)})" if hq else "")
