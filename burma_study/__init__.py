"""Study the Burma campaign of 1944 through the rules of four published wargames."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from burma_study.games.ocs.api import catalogue, load

__version__ = "0.1.0"
__all__ = ["__version__", "catalogue", "load"]


def __getattr__(name: str) -> Any:
    """Load the library's front door on first use, so that importing the package stays cheap."""
    if name in {"catalogue", "load"}:
        return getattr(import_module("burma_study.games.ocs.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
