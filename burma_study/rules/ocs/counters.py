"""What is printed on the counters of OCS Burma."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from burma_study.datafiles import read_rows
from burma_study.errors import ScenarioError, did_you_mean
from burma_study.rules.ledger import rule

TABLE = "counters/ocs.csv"
SIDES = ("japanese", "allied")
RE = {"bn": Fraction(1, 2), "section": Fraction(1, 4)}  # every other size is 1 RE (OCS 4.6)
FOOT = frozenset({"infantry", "garrison", "loc"})
COMMONWEALTH = frozenset({"british", "indian", "nepalese", "burmese", "west_african"})


def other_side(side: str) -> str:
    """The enemy of a side."""
    return "allied" if side == "japanese" else "japanese"


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a counter: attack strength and barrage in points, action rating, range in hexes, MA in whole MP.

    `attack` is None for units without a printed strength (artillery, HQ), `barrage` None for all but artillery.
    """

    attack: int | None
    barrage: int | None
    ar: int
    range: int
    ma: int
    mobility: str


@dataclass(frozen=True)
class Counter:
    """A counter as printed; `strength` is the rulebook's line, `throw` and `move_throw` an HQ's ranges in MP."""

    id: str
    label: str
    side: str
    nationality: str
    type: str
    size: str
    formation: str
    strength: str
    combat: Face
    move: Face
    throw: int | None = None
    move_throw: int | None = None
    defend_only: bool = False
    combat_class: str = "other"
    traits: frozenset[str] = frozenset()

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    def is_hq(self) -> bool:
        """Any headquarters."""
        return self.type == "hq"

    @property
    def is_division_hq(self) -> bool:
        """A Japanese Division HQ, which Burma 2.4a limits."""
        return self.size == "div_hq"

    @property
    def is_artillery(self) -> bool:
        """Artillery of any size."""
        return self.type == "artillery"

    @property
    @rule("ocs/1.13")
    def is_infantry_battalion(self) -> bool:
        """A battalion of infantry; garrisons and line-of-communication troops are infantry in all but name."""
        return self.size == "bn" and self.type in FOOT

    @cached_property
    @rule("ocs-series/4.6", "ocs/3.6a")
    def re(self) -> Fraction:
        """Size in regimental equivalents: battalion 1/2, company 1/4, all others 1 (a Chindit column is 1)."""
        return RE.get(self.size, Fraction(1))

    @property
    @rule("ocs-series/4.4", "ocs-series/3.2b")
    def attack_capable(self) -> bool:
        """It has a printed attack strength, also 0, that is not in parentheses (mode is the piece's matter)."""
        return self.combat.attack is not None and not self.defend_only

    @property
    @rule("ocs/3.7a")
    def group(self) -> str:
        """Who it operates with: `japanese` (also the INA), `commonwealth` or `us_chinese`."""
        if self.side == "japanese":
            return "japanese"
        return "commonwealth" if self.nationality in COMMONWEALTH else "us_chinese"

    @property
    def is_chindit(self) -> bool:
        """A unit of 3 Indian Division."""
        return "chindit" in self.traits


def _int(text: str) -> int | None:
    return int(text) if text else None


def _face(row: dict[str, str], prefix: str) -> Face:
    return Face(
        attack=_int(row[f"{prefix}_attack"]),
        barrage=_int(row[f"{prefix}_barrage"]),
        ar=int(row[f"{prefix}_ar"] or 0),
        range=int(row[f"{prefix}_range"] or 0),
        ma=int(row[f"{prefix}_ma"] or 0),
        mobility=row[f"{prefix}_move"],
    )


def _counter(row: dict[str, str]) -> Counter:
    return Counter(
        id=row["id"],
        label=row["label"],
        side=row["side"],
        nationality=row["nationality"],
        type=row["type"],
        size=row["size"],
        formation=row["formation"],
        strength=row["strength"],
        combat=_face(row, "c"),
        move=_face(row, "m"),
        throw=_int(row["throw"]),
        move_throw=_int(row["move_throw"]),
        defend_only=row["defend_only"] == "yes",
        combat_class=row["combat_class"] or "other",
        traits=frozenset(t for t in row["traits"].split(";") if t),
    )


@lru_cache(maxsize=1)
@rule("ocs/manifest.*", "ocs/notes.move-range", "ocs/notes.motorized", "ocs-series/erratum.7", "ocs-series/3.2a")
def counters() -> dict[str, Counter]:
    """Every counter of the game by id."""
    return {c.id: c for c in map(_counter, read_rows(TABLE))}


GHOST_KINDS = {"battalion": (1, False), "garrison": (1, True)}  # attack strength, whether it stands in parentheses
GHOSTS = 99  # of a kind and side


@lru_cache(maxsize=1)
def ghosts() -> dict[str, Counter]:
    """Battalions that the game does not have, to ask what an enemy in a hex would do; `SIDE/ghost-KIND/NUMBER`.

    A `battalion` is infantry with a zone of control, a `garrison` one that has none: its strength is in parentheses.
    """
    kinds = ((side, kind) for side in SIDES for kind in GHOST_KINDS)
    return {c.id: c for side, kind in kinds for n in range(1, GHOSTS + 1) for c in [_ghost(side, kind, n)]}


def _ghost(side: str, kind: str, number: int) -> Counter:
    attack, defend_only = GHOST_KINDS[kind]
    face = Face(attack, None, 1, 0, 0, "leg")
    return Counter(
        id=ghost_id(side, kind, number),
        label=f"an imagined {kind}",
        side=side,
        nationality="japanese" if side == "japanese" else "indian",
        type="garrison" if defend_only else "infantry",
        size="bn",
        formation="",
        strength="",
        combat=face,
        move=face,
        defend_only=defend_only,
    )


def ghost_id(side: str, kind: str, number: int) -> str:
    """The id of an imagined counter."""
    return f"{side[0]}/ghost-{kind}/{number}"


class _Known(dict[str, Counter]):
    """The counters by id, read with the first question: what a piece asks for at every step."""

    def __missing__(self, id_: str) -> Counter:
        found = counters().get(id_) or ghosts().get(id_)
        if found is None:
            hint = did_you_mean(id_, counters())
            raise ScenarioError(f"There is no counter {id_!r} in OCS Burma. {hint}".strip())
        self.update(counters())
        return found


KNOWN = _Known()


def counter(id_: str) -> Counter:
    """The counter of an id; ScenarioError with near matches otherwise."""
    return KNOWN[id_]
