"""The dashboards' server: Voila with the settings a public page needs, and JupyterLab for readers who change things.

Settings that differ from Voila's own, each because its default fails a public page: idle kernels are ended (also of
closed tabs, whose farewell Voila refuses while it checks xsrf), kernels are capped, old websocket clients turned away,
visitors may not switch template, nothing is fetched from outside.
"""

from __future__ import annotations

import argparse
import os
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


def settings(*, seats: int = 40, idle_seconds: int = 600, preheat: bool = False) -> dict[str, dict[str, Any]]:
    """Traitlets configuration by class."""
    from burma_study.ui.limits import LimitedKernelManager, V1OnlyConnection

    culling = {"cull_idle_timeout": idle_seconds, "cull_interval": 60, "cull_connected": True}
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
        "LimitedKernelManager": {"max_kernels": seats, **culling},
        "MappingKernelManager": culling,
        "ZMQChannelsWebsocketConnection": {"iopub_msg_rate_limit": 1e6},
    }


def free_port(wanted: int = PORT) -> int:
    """The wanted port, or the next of twenty that is free; BurmaStudyError when none is."""
    for port in range(wanted, wanted + 20):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise BurmaStudyError(f"Ports {wanted} to {wanted + 19} are all in use; give another with --port.")


def taken(port: int) -> bool:
    """Whether somebody listens at a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def serve(
    name: str = "",
    *,
    port: int | None = None,
    ip: str = "localhost",
    base_url: str = "/",
    browser: bool = True,
    **more: Any,
) -> None:
    """Serve the dashboards until interrupted; opens the browser at one of them, or at the landing page."""
    path = dashboard_path(name)
    if port is not None and taken(port):
        raise BurmaStudyError(f"Port {port} is in use; give another with --port, or none for a free one.")
    ensure_writable()
    try:
        from traitlets.config import Config
        from voila.app import Voila
    except ImportError:
        raise BurmaStudyError("The dashboards need Voila: pip install 'burma-study[notebooks]'.") from None

    add_path("JUPYTER_PATH", TEMPLATES)
    config = Config(settings(**more))
    port = port or free_port()
    config.Voila.update({"port": port, "port_retries": 0, "ip": ip, "base_url": base_url, "open_browser": False})
    address = f"http://{ip}:{port}{base_url}{path}"
    sys.stderr.write(f"Burma Study is at {address} (stop it with Ctrl-C).\n")
    if browser:
        _open_later(address, port)
    Voila.launch_instance(argv=[str(notebooks_root())], config=config)


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
    home = Path.home()
    variables = ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR")
    if os.access(home, os.W_OK) and home.is_dir():
        return
    folder = Path(tempfile.mkdtemp(prefix="burma-study-"))
    for variable in variables:
        os.environ.setdefault(variable, str(folder / variable.lower()))


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
    ]
    return {
        "command": command,
        "absolute_url": True,
        "timeout": 60,
        "new_browser_tab": False,
        "launcher_entry": {"title": "Burma Study"},
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Serve from a command line: name, --port, --ip, --base-url, --seats, --idle-seconds, --preheat."""
    parser = argparse.ArgumentParser(prog="burma-study dashboard", description="Serve the dashboards.")
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--port", type=int)
    parser.add_argument("--ip", default="localhost")
    parser.add_argument("--base-url", default="/")
    parser.add_argument("--seats", type=int, default=40)
    parser.add_argument("--idle-seconds", type=int, default=600)
    parser.add_argument("--preheat", action="store_true")
    asked = parser.parse_args(argv)
    serve(
        asked.name,
        port=asked.port,
        ip=asked.ip,
        base_url=asked.base_url,
        browser=False,
        seats=asked.seats,
        idle_seconds=asked.idle_seconds,
        preheat=asked.preheat,
    )


if __name__ == "__main__":
    main()
