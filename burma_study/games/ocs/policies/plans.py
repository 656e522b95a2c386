"""The plans that come with the program, by scenario and name."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from burma_study.games.ocs.policies.plan import Plan, Services, Task

QUARTER, HALF, ONE = Fraction(1, 4), Fraction(1, 2), Fraction(1)
BOLD = Fraction(-1, 2)
LITTLE, NONE = Fraction(-1, 10), Fraction(0)

_TIDDIM = ("B3.23", "B3.24", "B3.25", "B3.26", "B3.27")
_BLOCKS = ("B3.28", "B3.29", "B3.30")
_SHENAM = ("A9.04", "A9.05", "A8.05")
_RELIEF = ("a/inf/37-23", "a/tank/7_Cav", "a/inf/Ka", "a/mg/9_Ja_MG")
_HERDS = (("A24.13", 5), ("A21.03", 5))
_ROAD_NORTH = ("A7.12", "A7.13", "A7.14")

_HEAVY = tuple(f"j/art/{n}-{regiment}" for regiment in ("3H", "18H") for n in (1, 2, 3))
_TANKS = ("j/tank/1-14", "j/tank/2-14", "j/tank/3-14")
_NEVER = Fraction(99)
_YAMAMOTO = (  # who burns fuel stays near the river and the road, so that the battalions eat
    Task(_HEAVY, ("B10.28", "B10.27", "B9.25"), "guard", attack=_NEVER),
    Task(_TANKS, ("A13.01", "B12.34"), "guard", attack=LITTLE, overrun=NONE),
)
_JESSAMI = Task(("j/inf/3-138-31",), ("A15.21",), attack=LITTLE, overrun=QUARTER, last=4)
_LAST_PUSH = 8  # from this turn on nobody turns back for supply
KOHIMA = Plan(
    "advance on Kohima",
    "japanese",
    "ocs/u-go",
    "31 Division by track to Kohima, 15 Division to the road north of Imphal, 33 Division up the Tiddim road, all "
    "within reach of their HQs and herds until the last push.",
    (
        *_YAMAMOTO,
        _JESSAMI,
        Task(("31 Div",), ("A10.21",), attack=LITTLE, overrun=QUARTER, last=_LAST_PUSH - 1, fed=True),
        Task(("31 Div",), ("A10.21",), attack=LITTLE, overrun=QUARTER, first=_LAST_PUSH),
        Task(("15 Div",), _ROAD_NORTH, attack=LITTLE, overrun=QUARTER, last=_LAST_PUSH - 1, fed=True),
        Task(("15 Div",), _ROAD_NORTH, attack=LITTLE, overrun=QUARTER, first=_LAST_PUSH),
        Task(("33 Div",), _BLOCKS, attack=LITTLE, overrun=QUARTER, last=4, fed=True),
        Task(("33 Div",), ("A5.07",), attack=LITTLE, overrun=QUARTER, first=5, last=_LAST_PUSH - 1, fed=True),
        Task(("33 Div",), ("A5.07",), attack=LITTLE, overrun=QUARTER, first=_LAST_PUSH),
        Task(("INA",), ("A9.04",), attack=HALF, fed=True),
        Task(("*",), ("A8.05",), attack=LITTLE, overrun=QUARTER, fed=True),
    ),
    Services(barrage=3, dig=True, reserves=2, most=4, herds=_HERDS),
)
DIMAPUR = Plan(
    "early Dimapur drive",
    "japanese",
    "ocs/u-go",
    "31 Division goes round Kohima to the railway at Dimapur, 15 Division takes Kohima, 33 cuts the Tiddim road.",
    (
        *_YAMAMOTO,
        _JESSAMI,
        Task(("31 Div",), ("A4.24",), attack=LITTLE, overrun=NONE),
        Task(("15 Div",), ("A10.21",), attack=LITTLE, overrun=NONE),
        Task(("33 Div",), _BLOCKS, attack=LITTLE, overrun=NONE, last=4, fed=True),
        Task(("33 Div",), ("A5.07", "A7.03"), attack=LITTLE, overrun=NONE, first=5),
        Task(("*",), ("A13.01", "A9.04"), attack=LITTLE, overrun=NONE),
    ),
    Services(barrage=2, dig=True, reserves=1, most=4, herds=_HERDS),
)
_CORPS = ("a/hq/4_Corps", "a/inf/15-11", "a/art/6", "a/inf/48-17", "a/inf/1_Wy-17")
_CORPS_NORTH = ("a/inf/1-23", "a/inf/4-12_FF-17", "a/para/152_Para", "a/para/153_Gu_Para")
_COLUMNS = ("a/inf/48-17", "a/inf/63-17", "a/inf/37-23")
_BISHENPUR = (
    "a/inf/63-17",
    "a/inf/37-23",
    "a/inf/7-10_Ba-17",
    "a/art/17-17",
    "a/mg/9_Ja_MG",
    "a/inf/Ka",
    "a/tank/7_Cav",
    "a/inf/9-5",
)
_NORTH_ROAD = ("a/inf/49-23", "a/inf/2-19_Hy-23", "a/tank/3_Ca", "a/art/23-23")
_KOHIMA = (
    "a/hq/33_Corps",
    "a/inf/3_As",
    "a/inf/Ch",
    "a/inf/161-5",
    "a/inf/RWK-5",
    "a/inf/1_As",
    "a/inf/1_Bu",
    "a/inf/Sh",
    "a/inf/Mah",
)
_DIMAPUR = ("a/loc/a-202_LOC", "a/loc/b-202_LOC", "a/loc/c-202_LOC")
_ALLIED_SERVICES = Services(
    rail=("silchar", "A4.24"),
    lift=("silchar", ("A6.10", "A8.06", "A8.07", "A6.08", "A7.09")),
    fields=("silchar", "A6.10", "A8.06"),
    haul_to=("A7.09", "A10.21"),
    give_up=("A13.01", "B3.25"),
    vital=("A7.09", "A7.10", "A10.21", "A4.24"),
    measure="balance",
    strikes=4,
    barrage=4,
    refit=("A6.10",),
    works=1,
    keep=24,
)
WITHDRAWAL = Plan(
    "cautious withdrawal to the plain",
    "allied",
    "ocs/u-go",
    "The forward divisions come back to the Imphal plain at once; works are dug there, Kohima and Dimapur are held.",
    (
        Task(_CORPS, ("A7.09",), "hold", attack=HALF),
        Task(_CORPS_NORTH, ("A7.10",), "hold", attack=HALF),
        Task(_BISHENPUR, ("A5.07",), "hold", attack=HALF),
        Task(("20 Ind Div",), ("A8.05",), "hold", attack=HALF),
        Task(_NORTH_ROAD, ("A7.12",), "sweep", attack=QUARTER, overrun=HALF, fed=True),
        Task(_KOHIMA, ("A10.21",), "hold", attack=HALF),
        Task(_DIMAPUR, ("A4.24",), "hold", attack=HALF),
        Task(("*",), ("A10.21", "A10.19"), "sweep", attack=QUARTER, overrun=HALF, fed=True),
    ),
    replace(_ALLIED_SERVICES, diversions=8, place="second"),
)
COUNTER = Plan(
    "hold and counterattack",
    "allied",
    "ocs/u-go",
    "17 Division fights its way back with help, 20 Division gives up Shenam late, the reserve strikes on the plain and "
    "down the road from Kohima, at lower odds than caution would.",
    (
        Task((*_COLUMNS, *_RELIEF), ("B3.33",), "sweep", attack=QUARTER, overrun=QUARTER, last=2, fed=True),
        Task(_CORPS, ("A7.09",), "hold", attack=QUARTER),
        Task(_CORPS_NORTH, ("A7.10",), "hold", attack=QUARTER),
        Task(_BISHENPUR, ("A5.07",), "hold", attack=QUARTER),
        Task(("20 Ind Div",), _SHENAM, "guard", attack=QUARTER, last=5, fed=True),
        Task(("20 Ind Div",), ("A8.05",), "hold", attack=QUARTER),
        Task(_NORTH_ROAD, ("A7.13", "A8.12"), "sweep", attack=QUARTER, overrun=QUARTER, fed=True),
        Task(_KOHIMA, ("A10.21",), "hold", attack=QUARTER),
        Task(_DIMAPUR, ("A4.24",), "hold", attack=HALF),
        Task(("*",), ("A10.19", "A10.21"), "sweep", attack=NONE, overrun=QUARTER, fed=True),
    ),
    replace(_ALLIED_SERVICES, diversions=6, barrage=5, reserves=3, refit=("A6.10", "A8.06")),
)
BLOCK = Plan(
    "block the Tiddim road",
    "japanese",
    "ocs/learning",
    "The columns get behind 17 Division and sit on its road; the guns follow by road.",
    (
        Task(("33 Div",), _BLOCKS, attack=LITTLE, overrun=QUARTER),
        Task(("*",), ("B3.27", "B3.25"), attack=LITTLE, overrun=QUARTER),
    ),
    Services(barrage=3, dig=True, reserves=1, most=4),
)
HARRY = Plan(
    "harry the rearguard",
    "japanese",
    "ocs/learning",
    "Everybody goes for the nearest Indians and attacks them where he finds them.",
    (Task(("*",), ("B3.23", "B3.24", "B3.26", "B3.27"), attack=BOLD, overrun=Fraction(0)),),
    Services(barrage=4, dig=False),
)
COME_BACK = Plan(
    "come back to Imphal",
    "allied",
    "ocs/learning",
    "17 Division marches up its road and keeps together, tanks and a brigade come down to meet it.",
    (
        Task(("17 Ind Div",), _TIDDIM, "hold", attack=HALF, last=1),
        Task(("17 Ind Div",), ("B3.33", "B3.34", "B3.35"), "withdraw", attack=LITTLE, overrun=QUARTER, first=2),
        Task(("*",), ("B3.31", "B3.32"), attack=LITTLE, overrun=QUARTER),
    ),
    Services(lift=("silchar", ("B3.33",)), strikes=3, barrage=4, reserves=1, diversions=1),
)
BREAK_OUT = Plan(
    "break the blocks",
    "allied",
    "ocs/learning",
    "Both parts of the division attack the road-blocks from their sides, with guns and aircraft.",
    (
        Task(("17 Ind Div",), _TIDDIM, "hold", attack=HALF, last=2),
        Task(("17 Ind Div",), ("B3.31", "B3.32", "B3.33"), attack=Fraction(0), overrun=QUARTER, first=3),
        Task(("*",), ("B3.30", "B3.31"), attack=Fraction(0), overrun=QUARTER),
    ),
    Services(lift=("silchar", ("B3.33",)), strikes=4, barrage=6, reserves=2, diversions=1),
)
PLANS: tuple[Plan, ...] = (KOHIMA, DIMAPUR, WITHDRAWAL, COUNTER, BLOCK, HARRY, COME_BACK, BREAK_OUT)
