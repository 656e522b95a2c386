"""The rooms of supply and goods, as the game takes them in."""

from __future__ import annotations

from burma_study.rules.ocs.losses import LOSSES
from burma_study.rules.ocs.room import Room

GOODS: tuple[Room, ...] = (LOSSES,)
