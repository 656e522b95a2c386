"""For all tests: properties have no time limit of their own, since a busy machine is not a fault of the code."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.load_profile("here")
