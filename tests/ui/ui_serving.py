"""Server processes for the browser tests, each ended with its kernels."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(command: list[str], port: int, folder: Path, env: dict[str, str] | None = None) -> Iterator[str]:
    """A server process of its own, waited for and ended with its kernels; `env` replaces Jupyter's folders."""
    ours = {
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "IPYTHONDIR": str(folder / "ipython"),
        "PYTHONPATH": str(ROOT),
    }
    env = {k: v for k, v in os.environ.items() if k not in ours} | (ours if env is None else env)
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log, start_new_session=True)
    try:
        for _ in range(300):
            assert server.poll() is None, (folder / "server.log").read_text()[-2000:]
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)


@contextmanager
def dashboards(folder: Path, *more: str, notebooks: Path | None = None) -> Iterator[str]:
    """The dashboards' server, on its own notebooks or on a folder of the test's."""
    port = free_port()
    code = "import sys, pathlib, burma_study.ui.server as s\n"
    if notebooks is not None:
        code += f"s.notebooks_root = lambda: pathlib.Path({str(notebooks)!r})\n"
    code += "s.main(sys.argv[1:])"
    command = [sys.executable, "-c", code, "--port", str(port), "--ip", "127.0.0.1", *more]
    with running(command, port, folder) as url:
        yield url
