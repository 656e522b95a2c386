"""The rooms of supply and goods, as the game takes them in."""

from __future__ import annotations

from burma_study.rules.ocs.dumps import DUMPS
from burma_study.rules.ocs.forage import FORAGE
from burma_study.rules.ocs.losses import LOSSES
from burma_study.rules.ocs.rails import RAILS
from burma_study.rules.ocs.room import Room
from burma_study.rules.ocs.supply_phase import SUPPLY
from burma_study.rules.ocs.transport import TRANSPORT
from burma_study.rules.ocs.works import WORKS

GOODS: tuple[Room, ...] = (LOSSES, SUPPLY, FORAGE, TRANSPORT, RAILS, DUMPS, WORKS)
