"""The rooms of supply and goods, as the game takes them in."""

from __future__ import annotations

from burma_study.engine.room import Room
from burma_study.rules.ocs.goods.airfields import AIRFIELDS
from burma_study.rules.ocs.goods.dumps import DUMPS
from burma_study.rules.ocs.goods.losses import LOSSES
from burma_study.rules.ocs.goods.rails import RAILS
from burma_study.rules.ocs.goods.transport import TRANSPORT
from burma_study.rules.ocs.goods.works import WORKS
from burma_study.rules.ocs.state import State
from burma_study.rules.ocs.supply.forage import FORAGE
from burma_study.rules.ocs.supply.phase import SUPPLY

GOODS: tuple[Room[State], ...] = (LOSSES, SUPPLY, FORAGE, TRANSPORT, RAILS, DUMPS, WORKS, AIRFIELDS)
