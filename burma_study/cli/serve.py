"""Commands that open something in the browser: the dashboards and JupyterLab. They run until they are interrupted."""

from __future__ import annotations

from argparse import Namespace

from burma_study.cli.text import Answer


def dashboard(args: Namespace) -> Answer:
    """Serve the dashboards and open one, U-Go where none is named; with `--list` only name them."""
    from burma_study.ui import server

    if args.list:
        names = list(server.dashboards())
        return Answer(names, lambda: "\n".join(names))
    server.serve(args.name or server.FRONT, port=args.port, browser=not args.no_browser)
    return Answer({"dashboard": args.name}, lambda: "The dashboards have stopped.")


def lab(args: Namespace) -> Answer:
    """Open the notebooks in JupyterLab."""
    from burma_study.ui import server

    server.lab(port=args.port, browser=not args.no_browser)
    return Answer({"lab": None}, lambda: "JupyterLab has stopped.")
