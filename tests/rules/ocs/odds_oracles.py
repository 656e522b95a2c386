"""The same sum as the library's, written again: once in plain loops over fractions, once with numpy."""

from __future__ import annotations

import csv
import itertools
from fractions import Fraction

import numpy as np

from burma_study.datafiles import data_path


def rows(name):
    with data_path(f"charts/ocs/{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


COLUMNS = [f"c{i}" for i in range(1, 14)]
TABLE = {int(r["roll"]): [r[c] for c in COLUMNS] for r in rows("combat_table")}
HEADS = {r["category"]: [r[c] for c in COLUMNS] for r in rows("odds_columns")}
LIMITS = {"regular": (10, 5), "overrun": (9, 6)}
CODES = sorted({text for line in TABLE.values() for text in line})
NUMBERS = np.array([[CODES.index(text) for text in TABLE[roll]] for roll in range(1, 16)])


def column_of(attack, defence, terrain):
    """The column by the rule's words: divide by the smaller, round half up, the last one not above it."""
    attack, defence = Fraction(attack), Fraction(defence)
    small = min(attack, defence)
    a, d = ((x / small + Fraction(1, 2)) // 1 for x in (attack, defence))
    best = 0
    for i, head in enumerate(HEADS[terrain]):
        left, right = map(int, head.split(":"))
        if Fraction(left, right) <= Fraction(int(a), int(d)):
            best = i
    return best


def plain(attack, defence, ar, their_ar, terrain, hedgehog=0, kind="regular", banzai=None):
    """Probability of each result and of each column, dice by dice in fractions."""
    start, drm = column_of(attack, defence, terrain), ar - their_ar
    high, low = LIMITS[kind]
    results, columns, one = {}, {}, Fraction(1, 36 * 6)
    for d1, d2, shift in itertools.product(range(1, 7), repeat=3):
        roll = d1 + d2 + drm - (1 if hedgehog else 0)
        move = (shift if banzai is None else banzai) * ((roll >= high) - (roll <= low))
        column = min(max(start + move, 0), 12)
        columns[column] = columns.get(column, 0) + one
        for d3, d4 in itertools.product(range(1, 7), repeat=2):
            text = TABLE[min(max(d3 + d4 + drm - hedgehog, 1), 15)][column]
            results[text] = results.get(text, 0) + one / 36
    return results, columns


def vectors(attack, defence, ar, their_ar, terrain, hedgehog=0, kind="regular"):
    """Ways out of 7776 of each result, as arrays over every throw of the five dice."""
    start, drm = column_of(attack, defence, terrain), ar - their_ar
    high, low = LIMITS[kind]
    two = np.add.outer(np.arange(1, 7), np.arange(1, 7)).ravel()
    roll = two + drm - (1 if hedgehog else 0)
    sign = (roll >= high).astype(int) - (roll <= low)
    column = np.clip(start + np.multiply.outer(sign, np.arange(1, 7)), 0, 12)
    row = np.clip(two + drm - hedgehog, 1, 15) - 1
    cells = NUMBERS[row[:, None, None], column[None, :, :]]
    ways = np.bincount(cells.ravel(), minlength=len(CODES))
    return {CODES[i]: int(n) for i, n in enumerate(ways) if n}
