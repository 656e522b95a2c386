"""What the set-ups of every game are written with: areas of a map, and turns that count dates."""

from __future__ import annotations

from functools import lru_cache

from burma_study.datafiles import data_root


@lru_cache(maxsize=1)
def scenario_files() -> tuple[str, ...]:
    """Ids of the scenarios of all games by their files, such as `ocs/u-go`, without reading any."""
    found = (data_root() / "scenarios").glob("*/*.toml")
    return tuple(sorted(f"{p.parent.name}/{p.stem}" for p in found))
