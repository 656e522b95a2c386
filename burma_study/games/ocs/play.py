"""A game of OCS Burma that a reader plays."""

from __future__ import annotations

from burma_study.games.ocs.edition import EDITION
from burma_study.study.play import Play as AnyPlay


class Play(AnyPlay):
    """See `burma_study.study.play.Play`."""

    edition = EDITION
