"""Strengths in combat with every factor that applies, and which terrain the defender picks (OCS 4.2-4.4, 9.3-9.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from burma_study.boards.board import Board
from burma_study.rules.ledger import rule
from burma_study.rules.ocs.charts import Charts, Exact, Factors
from burma_study.rules.ocs.combat.odds import COUNTERS, Faces, Step
from burma_study.rules.ocs.counters import Counter
from burma_study.rules.ocs.state import Piece, State
from burma_study.rules.ocs.supply.net import carrying

NO_ATTACK = ("strat", "reserve")


@dataclass(slots=True)
class Look:
    """Reads charts and counters for one combat, and remembers which cells it read."""

    charts: Charts
    faces: Faces = field(default_factory=dict)
    used: list[tuple[str, str, str]] = field(default_factory=list)

    def number(self, piece: Piece, what: str) -> int:
        """`attack`, `barrage`, `ar` or `range` of the face that shows; 0 where it has none."""
        column = f"{'c' if piece.face == 'combat' else 'm'}_{what}"
        self.used.append((COUNTERS, piece.id, column))
        if self.faces and (changed := self.faces.get((piece.id, column))) is not None:
            return changed
        return getattr(piece.printed, what) or 0

    def value(self, name: str) -> Fraction:
        """A single number of the combat rules."""
        return self.charts.combat_values[name]


Strength = Callable[[Look, Piece, Counter, list[Step]], Exact]


@dataclass(frozen=True, slots=True)
class Choice:
    """A terrain or hexside that the defender may pick: its name, rule and factors by class, and where they stand."""

    name: str
    rule: str
    table: str
    key: str
    factors: Factors
    suffix: str = ""
    category: str = ""

    def note(self, look: Look, classes: Iterable[str], prefix: str) -> None:
        """Remember the factors that the classes present read."""
        look.used.extend((self.table, self.key, f"{prefix}_{c}{self.suffix}") for c in classes)


@dataclass(frozen=True, slots=True)
class Total:
    """A strength and the chain that led to it."""

    strength: Exact
    chain: tuple[Step, ...]
    category: str = ""
    name: str = ""


@rule("ocs-series/4.4")
def can_attack(piece: Piece) -> bool:
    """Attack-capable now: printed strength without parentheses, not in Reserve or Strat Mode (OCS 4.4)."""
    return piece.counter.attack_capable and piece.mode not in NO_ATTACK


@rule("ocs-series/4.3", "ocs-series/5.10")
def _scaled(look: Look, piece: Piece, base: Exact, chain: list[Step], defending: bool) -> Exact:
    """A unit's strength with the factors of its own state; factors multiply (OCS 4.3)."""
    strength = base
    if not (piece.dg or piece.oos or piece.mode in NO_ATTACK):
        return strength
    for code, applies, rule_id in (
        ("strat_strength", piece.mode == "strat", "ocs-series/5.8"),
        ("dg_strength", piece.dg, "ocs-series/5.10"),
        ("oos_strength", piece.oos, "ocs-series/12.8"),
        ("reserve_defence", defending and piece.mode == "reserve", "ocs-series/5.7"),
    ):
        if applies:
            factor = look.value(code)
            strength *= factor
            chain.append(Step(code, piece.counter.label, str(factor), rule_id))
    return strength


@rule("ocs-series/4.2", "ocs-series/3.2b", "ocs-series/12.8")
def attack_strength(look: Look, piece: Piece, unit: Counter, chain: list[Step]) -> Exact:
    """A unit's attack strength before terrain; fractions are kept (OCS 4.2)."""
    base = look.number(piece, "attack")
    chain.append(Step("attack_strength", unit.label, str(base), "ocs-series/4.4"))
    return _scaled(look, piece, base, chain, defending=False)


@rule("ocs/2.4a", "ocs-series/13.1", "ocs-series/13.4b", "ocs/notes.move-range")
def defence_base(look: Look, piece: Piece, unit: Counter) -> tuple[Exact, str, str]:
    """Defence before factors with its code and rule: HQ 5 or 1 (Japanese division 2), artillery 1, else as printed.

    The side that shows decides, under a Reserve or DG marker too (OCS 5.2).
    """
    if unit.is_hq and piece.face == "combat":
        japanese = unit.side == "japanese" and unit.is_division_hq
        name = "japanese_division_hq_defence" if japanese else "hq_defence"
        return look.value(name), "hq_defence", "ocs/2.4a" if japanese else "ocs-series/13.1"
    if unit.is_hq:
        return look.value("hq_defence_move"), "hq_defence", "ocs-series/13.1"
    if unit.is_artillery:
        return look.value("artillery_defence"), "artillery_defence", "ocs-series/13.4b"
    return look.number(piece, "attack"), "defence_strength", "ocs-series/4.4"


def defence_strength(look: Look, piece: Piece, unit: Counter, chain: list[Step]) -> Exact:
    """A unit's defence before terrain and combat supply."""
    base, code, rule_id = defence_base(look, piece, unit)
    chain.append(Step(code, unit.label, str(base), rule_id))
    return _scaled(look, piece, base, chain, defending=True)


@rule("ocs-series/12.10")
def _fed_or_not(unfed: Sequence[str], look: Look, piece: Piece, unit: Counter, chain: list[Step]) -> Exact:
    """A defence that is halved where the unit has no stocks left and nobody pays for it."""
    strength = defence_strength(look, piece, unit, chain)
    if piece.id not in unfed:
        return strength
    half = look.value("no_supply_defence")
    chain.append(Step("no_stocks_defence", unit.label, str(half), "ocs-series/12.10"))
    return strength * half


@rule("ocs/opt.1", "ocs/opt.1.1", "ocs/opt.1.2", "ocs/opt.2.2", "ocs-series/9.4e")
def x2_negated(state: State, defenders: Sequence[Piece], hedgehog: int) -> frozenset[str]:
    """Attacking classes whose x 2 is negated: armor by armor or antitank, mech also by mech (Opt.1, Opt.2.2)."""
    rules = state.rules
    modern = rules.version == "v4.3"
    if not (modern or rules.has("opt1")):
        return frozenset()
    classes = {p.counter.combat_class for p in defenders}
    antitank = any("antitank" in p.counter.traits for p in defenders)
    heavy = "armor" in classes or antitank or (hedgehog > 0 and (modern or rules.has("opt2")))
    if heavy:
        return frozenset({"armor", "mech"})
    return frozenset({"mech"}) if "mech" in classes else frozenset()


@rule("ocs/1.4a", "ocs/1.4e", "ocs-series/9.3")
def terrain_choices(look: Look, board: Board, hex_: int, attacking: bool) -> list[Choice]:
    """The area terrains and features of a hex that the defender may pick from (OCS 9.3; Burma 1.4a, 1.4e)."""
    charts, name, feature = look.charts, board.terrain[hex_], board.feature[hex_]
    road = hex_ in board.roads
    choices = []
    if (t := charts.terrain.get(name)) is not None and t.category:
        suffix = "_road" if road else ""
        look.used.append(("terrain_effects", name, "category" + suffix))
        factors = (t.attack_road if road else t.attack) if attacking else t.defence
        label = f"{name} with a road" if road else name
        rule_id = "ocs/1.4e" if road and name == "mountain" else "ocs-series/9.3"
        choices.append(
            Choice(
                label,
                rule_id,
                "terrain_effects",
                name,
                factors,
                suffix if attacking else "",
                t.category_road if road else t.category,
            )
        )
    if (f := charts.feature.get(feature)) is not None:
        look.used.append(("feature_effects", feature, "category"))
        factors = f.attack if attacking else f.defence
        choices.append(Choice(feature, "ocs/1.4a", "feature_effects", feature, factors, "", f.category))
    return choices


@rule("ocs/1.4b", "ocs-series/9.3")
def river_choice(look: Look, state: State, side: tuple[int, int]) -> Choice | None:
    """The river on a hexside as attackers across it feel it (Burma 1.4b, effects of Flood).

    Flood makes a minor river a major one, but a crossing on it only a minor river. A crossing has no effect of its own
    on the attackers otherwise: the rulebook names it for movement.
    """
    river = state.board.rivers.get(side, "")
    effects = look.charts.hexside.get(river)
    if effects is None:
        return None
    key, label = river, f"{river} river"
    crossing = state.board.crossings.get(side) == "crossing"
    if state.ground == "flood" and effects.flood_as != river and not crossing:
        key, label = effects.flood_as, f"{river} river in flood"
    return Choice(label, "ocs-series/9.3", "hexside_effects", key, look.charts.hexside[key].attack)


def _factor(look: Look, choice: Choice, cls: str, negated: frozenset[str]) -> Exact:
    factor = choice.factors.get(cls, 1)
    return look.value("x2_negated") if cls in negated and factor > 1 else factor


@rule("ocs-series/3.2a")
def _by_class(units: Sequence[Piece], strength: Strength, look: Look, chain: list[Step]) -> dict[str, Exact]:
    """Strength before terrain of each combat class present."""
    found: dict[str, Exact] = {}
    for piece in units:
        unit = piece.counter
        found[unit.combat_class] = found.get(unit.combat_class, 0) + strength(look, piece, unit, chain)
    return found


@rule("ocs-series/9.3")
def stack_attack(
    look: Look, state: State, source: int, target: int, units: Sequence[Piece], negated: frozenset[str]
) -> Total:
    """Attack strength of the units of one hex: the terrain or the hexside as the defender has it, never both (OCS 9.3).

    The one that leaves the attackers least is taken for him: less to attack with never gives a higher column. The chain
    names what it was set against.
    """
    board, chain = state.board, []  # type: tuple[Board, list[Step]]
    bases = _by_class(units, attack_strength, look, chain)
    choices = terrain_choices(look, board, target, attacking=True)
    if (river := river_choice(look, state, board.grid.key(source, target))) is not None:
        choices.append(river)
    totals = []
    for choice in choices:
        choice.note(look, bases, "attack")
        totals.append(sum(b * _factor(look, choice, c, negated) for c, b in bases.items()))
    if not choices:
        return Total(sum(bases.values()), tuple(chain))
    least, place = totals.index(min(totals)), board.label(source)
    if len(set(totals)) > 1:
        set_against = ", ".join(f"{c.name} leaves {t}" for c, t in zip(choices, totals, strict=True))
        chain.append(Step("least_attack", f"{place}: {set_against}", choices[least].name, "ocs-series/9.3"))
    chain += _terrain_steps(look, place, choices[least], bases, negated)
    return Total(totals[least], tuple(chain))


def _terrain_steps(
    look: Look, place: str, choice: Choice, classes: Iterable[str], negated: frozenset[str]
) -> list[Step]:
    steps = []
    for cls in classes:
        factor = _factor(look, choice, cls, negated)
        if cls in negated and choice.factors.get(cls, 1) > 1:
            steps.append(Step("x2_negated", f"{cls} from {place}", str(factor), "ocs/opt.1"))
        elif factor != 1:
            steps.append(
                Step("terrain_attack", f"{cls} from {place}, {choice.name}", str(factor), choice.rule),
            )
    return steps


@rule("ocs-series/9.5")
def hex_defence(
    look: Look, state: State, target: int, units: Sequence[Piece], pays: bool, unfed: Sequence[str] = ()
) -> list[Total]:
    """Defence of all units of a hex for each terrain the defender may pick as his own, with its category (OCS 9.3).

    `unfed` are units at half beside others who pay from their stocks.
    """
    carriers = portering(state, units)
    chain = [Step("porter", p.counter.label, "0", "ocs/2.4b") for p in units if p.id in carriers]
    fighting = [p for p in units if p.id not in carriers]
    bases = _by_class(fighting, partial(_fed_or_not, unfed) if unfed else defence_strength, look, chain)
    unpaid: Exact = 1 if pays else look.value("no_supply_defence")
    if not pays:
        chain.append(Step("no_supply_defence", "", str(unpaid), "ocs-series/9.5"))
    totals = []
    for choice in terrain_choices(look, state.board, target, attacking=False):
        choice.note(look, bases, "defence")
        own = [
            *chain,
            *(
                Step("terrain_defence", f"{cls} in {choice.name}", str(factor), choice.rule)
                for cls in bases
                if (factor := choice.factors.get(cls, 1)) != 1
            ),
        ]
        total = sum(b * choice.factors.get(c, 1) for c, b in bases.items()) * unpaid
        own.append(Step("category", choice.name, choice.category, choice.rule))
        totals.append(Total(total, tuple(own), choice.category, choice.name))
    return totals or [Total(sum(bases.values()) * unpaid, tuple(chain), "open", "open ground")]


@rule("ocs/2.4b")
def portering(state: State, units: Sequence[Piece]) -> frozenset[str]:
    """Battalions that carry for the Division HQ they stand with: no strength and no rating, only steps (Burma 2.4b)."""
    hqs = (p for p in units if p.counter.is_division_hq)
    return frozenset(id_ for hq in hqs for id_ in carrying(state, hq))


@rule("ocs-series/9.6")
def action_rating(look: Look, piece: Piece) -> tuple[int, tuple[Step, ...]]:
    """A unit's action rating now: DG is one less, Strategic Move Mode 0 (OCS 9.6)."""
    label, rating = piece.counter.label, look.number(piece, "ar")
    steps = []
    if piece.mode == "strat":
        rating = int(look.value("strat_ar"))
        steps.append(Step("strat_ar", label, str(rating), "ocs-series/5.8"))
    if piece.dg:
        rating += int(look.value("dg_ar"))
        steps.append(Step("dg_ar", label, str(rating), "ocs-series/5.10"))
    return rating, tuple(steps)


def by_hex(units: Sequence[Piece]) -> Mapping[int, list[Piece]]:
    """Units on the map by the hex they stand in."""
    stacks: dict[int, list[Piece]] = {}
    for piece in units:
        if isinstance(piece.at, int):
            stacks.setdefault(piece.at, []).append(piece)
    return stacks
