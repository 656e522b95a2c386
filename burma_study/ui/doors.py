"""The server's doors: which paths and which `Host` are answered, and how. Everything else is 404, or 403."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Any

from jupyter_server.utils import url_path_join
from tornado.httputil import split_host_and_port
from tornado.web import HTTPError, RequestHandler, StaticFileHandler
from traitlets import Bool
from voila.app import Voila
from voila.handler import BaseVoilaHandler, VoilaHandler

AGAIN = 60
"""Seconds after which a full house is worth another try."""
CLOSED = ("/login", "/logout", "/voila/api/contents", "/api/me")
"""What Voila opens and no page of ours uses."""


def local(host: str) -> bool:
    """Does a `Host:` header name this machine itself?"""
    name = split_host_and_port(host.lower())[0].strip("[]")
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


class Door(RequestHandler):
    """Stands before a handler: refuses foreign hosts and unspeakable paths, says when a full house may have room."""

    async def prepare(self) -> None:
        """Refuse, or go on."""
        if not self.settings.get("any_host") and not local(self.request.host or ""):
            raise HTTPError(403, "This server answers on this machine only")
        if any(ord(letter) < 32 for part in self.path_args for letter in part or ""):
            raise HTTPError(404)
        ready = super().prepare()
        if ready is not None:
            await ready

    def decode_argument(self, value: bytes, name: str | None = None) -> str:
        """A part of the path as text; what is no text is no page."""
        try:
            return super().decode_argument(value, name)
        except HTTPError:
            raise HTTPError(400 if name else 404) from None

    def write_error(self, status_code: int, **more: Any) -> Any:
        """The page of an error."""
        if not hasattr(self, "_current_user"):  # refused before it was known who asks; the page needs an answer
            self.current_user = None
        if status_code == 503:
            self.set_header("Retry-After", str(AGAIN))
        return super().write_error(status_code, **more)


class PageDoor(Door):
    """Before the dashboards: a name that is none of them starts no kernel, and neither does HEAD."""

    async def prepare(self) -> None:
        """Refuse what is no dashboard."""
        await super().prepare()
        root = Path(self.settings["pages_root"])
        if (self.path_args or [""])[0] not in {p.name for p in root.glob("*.ipynb")}:
            raise HTTPError(404)

    def head(self, *_: str) -> None:
        """The page is there."""
        self.set_header("Content-Type", "text/html; charset=UTF-8")


class ListDoor(Door):
    """Before the list of pages: HEAD is answered as GET, without the text."""

    async def head(self, *parts: str) -> None:
        """As GET; tornado leaves the text away."""
        answer = self.get(*parts)
        if answer is not None:
            await answer


class FileDoor(Door):
    """Before files: a path that cannot be one is no file."""

    def parse_url_path(self, url_path: str) -> str:
        """The path of the file."""
        try:
            return str(super().parse_url_path(url_path))  # type: ignore[misc]  # of the room behind
        except (ValueError, AssertionError):
            raise HTTPError(404) from None


class Robots(RequestHandler):
    """Asks crawlers not to open dashboards: each visit starts a kernel."""

    def get(self) -> None:
        """The file for crawlers."""
        self.set_header("Content-Type", "text/plain; charset=UTF-8")
        base = self.settings["base_url"]
        self.write("".join(["User-agent: *\n", *(f"Disallow: {base}{p}\n" for p in ("voila/render/", "api/"))]))

    head = get


class Nothing(BaseVoilaHandler):  # type: ignore[misc]  # voila ships no types
    """Any path that nobody answers."""

    async def prepare(self) -> None:
        """There is no such page, by whatever method."""
        await super().prepare()
        raise HTTPError(404)


def behind(door: type[RequestHandler], room: type[RequestHandler]) -> type[RequestHandler]:
    """A handler with a door before it."""
    return type(room.__name__, (door, room), {})


def door_of(room: type[RequestHandler]) -> type[RequestHandler]:
    """Which door belongs before a handler."""
    if issubclass(room, VoilaHandler):
        return PageDoor
    if issubclass(room, StaticFileHandler):
        return FileDoor
    return ListDoor if issubclass(room, BaseVoilaHandler) else Door


class StudyServer(Voila):  # type: ignore[misc]  # voila ships no types
    """Voila with a door before each of its handlers."""

    any_host = Bool(False, help="Answer whatever name the Host header gives, as a server for others must.").tag(
        config=True
    )

    def init_settings(self) -> dict[str, Any]:
        """Voila's settings and ours."""
        return {**super().init_settings(), "any_host": self.any_host, "pages_root": self.root_dir}

    def init_handlers(self) -> list[Any]:
        """Voila's handlers that a page of ours needs, each behind its door; robots.txt; 404 for the rest."""
        closed = tuple(url_path_join(self.server_url, path) for path in CLOSED)
        rooms = [
            (path, behind(door_of(room), room), *more)
            for path, room, *more in super().init_handlers()
            if not path.startswith(closed)
        ]
        robots = (url_path_join(self.server_url, "/robots.txt"), behind(Door, Robots))
        return [*rooms, robots, (".*", behind(Door, Nothing), {"voila_configuration": self.voila_configuration})]
