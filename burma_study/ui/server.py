"""The dashboards' server: Voila with the settings a public page needs, and JupyterLab for readers who change things.

Settings that differ from Voila's own, each because its default fails a public page: idle kernels are ended (also of
closed tabs, whose farewell Voila refuses while it checks xsrf), kernels are capped, old websocket clients turned away,
visitors may not switch template, nothing is fetched from outside.
"""

from __future__ import annotations

import argparse
import atexit
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from burma_study.errors import BurmaStudyError, did_you_mean

PACKAGE = Path(__file__).parents[1]
TEMPLATES = Path(__file__).parent
PORT = 8866
FRONT = "u-go"
"""The dashboard that opens where none is named."""
WIDGETS = [
    "jupyter-leaflet",
    "anywidget",
    "@jupyter-widgets/jupyterlab-manager",
    "@voila-dashboards/widgets-manager8",
]
"""The extensions that pages need; whatever else is installed for JupyterLab is not loaded into them."""
KEPT_AT_HOME = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
MOST_PORT = 65_535
HERE = ("localhost", "127.0.0.1", "::1")
VARIABLE = "BURMA_STUDY_GAMES"  # as in `study.autosave`, which this process need not load
PROXY_NAME = "burma-study"
PROXY_SEATS = 15  # 2 GB, as a Binder session has


def notebooks_root() -> Path:
    """The repository's `notebooks/` when it stands beside the package, else the copy installed inside it."""
    for folder in (PACKAGE.parent / "notebooks", PACKAGE / "_notebooks"):
        if folder.is_dir():
            return folder
    raise BurmaStudyError(f"No notebooks stand beside {PACKAGE}; install the package again.")


def dashboards() -> tuple[str, ...]:
    """Names of the dashboards, without ending."""
    return tuple(sorted(p.stem for p in notebooks_root().glob("*.ipynb")))


def dashboard_path(name: str = "") -> str:
    """The path of a dashboard below the server's base; the landing page for the empty name."""
    if not name:
        return ""
    if name not in dashboards():
        known = ", ".join(dashboards())
        raise BurmaStudyError(
            f"There is no dashboard {name!r}; there are {known}. {did_you_mean(name, dashboards())}".strip()
        )
    return f"voila/render/{name}.ipynb"


def settings(
    *, seats: int = 40, idle_seconds: int = 600, busy_seconds: int = 100, preheat: bool = False
) -> dict[str, dict[str, Any]]:
    """Traitlets configuration by class."""
    from burma_study.ui.limits import LimitedKernelManager, V1OnlyConnection

    for what, value in (
        ("Seats", seats),
        ("Seconds of idleness", idle_seconds),
        ("Seconds of computing", busy_seconds),
    ):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise BurmaStudyError(f"{what} must be a whole number from 1, not {value!r}.")
    culling = {
        "cull_idle_timeout": idle_seconds,
        "cull_interval": min(60, idle_seconds),
        "cull_connected": True,
        "cull_busy": True,
    }
    return {
        "Voila": {
            "tornado_settings": {"disable_check_xsrf": True, "websocket_compression_options": {}},
            "kernel_websocket_connection_class": V1OnlyConnection,
            "token": "",
            "auto_token": False,
        },
        "VoilaConfiguration": {
            "template": "study",
            "classic_tree": True,
            "theme": "light",
            "allow_template_override": "NO",
            "allow_theme_override": "NO",
            "show_tracebacks": False,
            "multi_kernel_manager_class": LimitedKernelManager,
            "preheat_kernel": preheat,
            "default_pool_size": 1,
            "extension_allowlist": WIDGETS,
        },
        "VoilaKernelManager": {"preheat_denylist": ["^(?!u-go|00-start).*$"]},
        "LimitedKernelManager": {"max_kernels": seats, "busy_seconds": busy_seconds, **culling},
        "MappingKernelManager": culling,
        "ZMQChannelsWebsocketConnection": {"iopub_msg_rate_limit": 1e6},
    }


def checked_port(port: object) -> int:
    """A port that can be served at; BurmaStudyError for what is none."""
    if isinstance(port, bool) or not isinstance(port, int) or not 1 <= port <= MOST_PORT:
        raise BurmaStudyError(f"{port!r} is no port; a port is a whole number from 1 to {MOST_PORT}.")
    return port


def taken(port: int) -> bool:
    """Whether somebody listens at a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _base(url: str) -> str:
    """The path that everything stands below, with a slash at both ends."""
    inner = url.strip("/")
    return f"/{inner}/" if inner else "/"


def free_port(wanted: int = PORT) -> int:
    """The wanted port, or the next of twenty that is free; BurmaStudyError when none is."""
    for port in range(wanted, min(wanted + 20, MOST_PORT + 1)):
        if not taken(port):
            return port
    raise BurmaStudyError(f"Ports {wanted} to {wanted + 19} are all in use; give another with --port.")


def serve(
    name: str = "",
    *,
    port: int | None = None,
    ip: str = "localhost",
    base_url: str = "/",
    browser: bool = True,
    any_host: bool = False,
    **more: Any,
) -> None:
    """Serve the dashboards until interrupted; opens the browser at one of them, or at the landing page.

    On this machine only (`ip`), a request under another `Host` gets 403, unless a proxy stands before (`any_host`).
    """
    path, base_url = dashboard_path(name), _base(base_url)
    port = free_port() if port is None else checked_port(port)
    if taken(port):
        raise BurmaStudyError(f"Port {port} is in use; give another with --port, or none for the next that is free.")
    try:
        ensure_writable()
        from traitlets.config import Config

        from burma_study.ui.doors import StudyServer
        from burma_study.ui.limits import one_thread
    except ImportError:
        raise BurmaStudyError("The dashboards need Voila: pip install 'burma-study[notebooks]'.") from None

    add_path("JUPYTER_PATH", TEMPLATES)
    one_thread(os.environ)
    config = Config(settings(**more))
    config.Voila.update({"port": port, "port_retries": 0, "ip": ip, "base_url": base_url, "open_browser": False})
    config.StudyServer.any_host = any_host or ip not in HERE
    address = f"http://{ip}:{port}{base_url}{path}"
    sys.stderr.write(f"Burma Study is at {address} (stop it with Ctrl-C).\n")
    if browser:
        _open_later(address, port)
    StudyServer.launch_instance(argv=[str(notebooks_root())], config=config)


def _open_later(address: str, port: int) -> None:
    """Open the browser as soon as the server listens."""
    import threading
    import time
    import webbrowser

    def wait() -> None:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    webbrowser.open(address)
                    return
            time.sleep(0.1)

    threading.Thread(target=wait, daemon=True).start()


def ensure_writable() -> None:
    """Where the home cannot be written, what Jupyter keeps there goes to a folder of this run instead."""
    wanted = [v for v in KEPT_AT_HOME if v not in os.environ and not writable(_at_home(v))]
    if not wanted:
        return
    folder = Path(tempfile.mkdtemp(prefix="burma-study-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for variable in wanted:
        os.environ[variable] = str(folder / variable.lower())


def _at_home(variable: str) -> Path | None:
    """Where Jupyter would keep what the variable names; None where there is no home at all."""
    from jupyter_core.paths import jupyter_config_dir, jupyter_data_dir, jupyter_runtime_dir

    places = {
        "JUPYTER_CONFIG_DIR": jupyter_config_dir,
        "JUPYTER_DATA_DIR": jupyter_data_dir,
        "JUPYTER_RUNTIME_DIR": jupyter_runtime_dir,
    }
    try:
        return Path(places[variable]()) if variable in places else Path.home() / ".ipython"
    except (RuntimeError, OSError):
        return None


def writable(folder: Path | None) -> bool:
    """Whether a file can be made in a folder, or in what is there of its path: tried, since rights may deceive."""
    there = next((f for f in (folder, *folder.parents) if os.path.lexists(f)), None) if folder else None
    try:
        with tempfile.TemporaryFile(dir=there):
            return there is not None
    except OSError:
        return False


def add_path(variable: str, folder: Path) -> None:
    """Put a folder first in a path variable of the environment."""
    rest = os.environ.get(variable, "")
    os.environ[variable] = str(folder) + (os.pathsep + rest if rest else "")


def lab(*, port: int | None = None, browser: bool = True) -> None:
    """Open the notebooks in JupyterLab, without its news popup."""
    try:
        from jupyterlab.labapp import LabApp  # type: ignore[import-untyped]
    except ImportError:
        raise BurmaStudyError("The notebooks need JupyterLab: pip install 'burma-study[notebooks]'.") from None
    if port is not None and taken(port):
        raise BurmaStudyError(f"Port {port} is in use; give another with --port, or none for a free one.")
    ensure_writable()
    argv = [f"--ServerApp.root_dir={notebooks_root()}", "--LabApp.news_url=None"]
    argv += [f"--port={port}"] if port else []
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        argv.append("--ServerApp.allow_root=True")  # in containers everybody is root; the server binds to this machine
    LabApp.launch_instance(argv=argv if browser else [*argv, "--no-browser"])


def setup_proxy() -> dict[str, Any]:
    """For jupyter-server-proxy (Binder): run this server below the hub's own, with all of its settings."""
    command = [
        sys.executable,
        "-m",
        "burma_study.ui.server",
        "--port",
        "{port}",
        "--base-url",
        "{base_url}" + PROXY_NAME + "/",
        "--seats",
        str(PROXY_SEATS),
        "--any-host",
    ]
    return {
        "command": command,
        "absolute_url": True,
        "timeout": 60,
        "new_browser_tab": False,
        "launcher_entry": {"title": "Burma Study"},
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Serve many from a command line; what cannot be served is one sentence and exit status 2."""
    asked = _parser().parse_args(argv)
    keep_no_games(asked.games)
    try:
        serve(
            asked.name,
            port=asked.port,
            ip=asked.ip,
            base_url=asked.base_url,
            browser=False,
            any_host=asked.any_host,
            seats=asked.seats,
            idle_seconds=asked.idle_seconds,
            busy_seconds=asked.busy_seconds,
            preheat=asked.preheat,
        )
    except BurmaStudyError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None


def keep_no_games(folder: str | None = None) -> None:
    """On a server for many nothing is saved on its disk, where each visitor would find the games of the others.

    A folder named here, or in the environment, is for a server that one reader uses alone.
    """
    if folder is not None:
        os.environ[VARIABLE] = folder
    else:
        os.environ.setdefault(VARIABLE, "")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m burma_study.ui.server", description="Serve the dashboards to many."
    )
    parser.add_argument("name", nargs="?", default="", help="the dashboard that is named at the start")
    parser.add_argument("--port", type=int, help=f"the port to serve at ({PORT}, or the next that is free)")
    parser.add_argument("--ip", default="localhost", help="the address to listen at (this machine only)")
    parser.add_argument("--base-url", default="/", help="the path that everything stands below")
    parser.add_argument("--any-host", action="store_true", help="a proxy stands before: answer under any host name")
    parser.add_argument("--seats", type=int, default=40, help="most visitors at once (40), each about 150 MB")
    parser.add_argument("--idle-seconds", type=int, default=600, help="an idle visitor keeps his seat so long (600)")
    parser.add_argument("--busy-seconds", type=int, default=100, help="who computes longer without a pause ends (100)")
    parser.add_argument("--preheat", action="store_true", help="keep a page ready for the next visitor")
    parser.add_argument(
        "--games",
        metavar="FOLDER",
        help=f"save games in this folder, for one reader alone: whoever visits sees them all (none; or {VARIABLE})",
    )
    return parser


if __name__ == "__main__":
    main()
