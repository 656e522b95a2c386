"""The server attacked: malformed frames, foreign hosts, odd paths, too many visitors, kernels that hang or swell."""

from __future__ import annotations

import asyncio
import gc
import http.client
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import nbformat
import psutil
import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect
from traitlets import HasTraits, Unicode
from ui_serving import dashboards

from burma_study.errors import BurmaStudyError
from burma_study.study import autosave
from burma_study.ui import server as serving
from burma_study.ui.limits import FEWEST, MOST, MOST_LINES, V1, LimitedKernelManager, fault

T = TypeVar("T")
HEADER = {"msg_id": "1", "msg_type": "kernel_info_request", "session": "s", "username": "u", "version": "5.3"}


def frame(channel: bytes = b"shell", parts: tuple[bytes, ...] | None = None, **header: Any) -> bytes:
    """A v1 frame of four parts."""
    parts = parts or (json.dumps({**HEADER, **header}).encode(), b"{}", b"{}", b"{}")
    ends, at = [], 8 * (len(parts) + 3)
    for part in (b"", channel, *parts):
        at += len(part)
        ends.append(at)
    numbers = (len(ends), *ends)
    return b"".join(n.to_bytes(8, "little") for n in numbers) + channel + b"".join(parts)


def numbered(frame: bytes, place: int, value: int) -> bytes:
    """A frame with another number at a place of its beginning."""
    return frame[: 8 * place] + (value % 2**64).to_bytes(8, "little") + frame[8 * place + 8 :]


GOOD = frame()
DEEP = b"[" * 100_000
MALFORMED: dict[str, bytes | str] = {
    "a count of 2^64 - 1": b"\xff" * 8,
    "a count of 2^40": (2**40).to_bytes(8, "little") + GOOD[8:],
    "a count of 0": numbered(GOOD, 0, 0),
    "a count of 5": numbered(GOOD, 0, FEWEST - 1),
    "a count of 65": (MOST + 1).to_bytes(8, "little") * 80,
    "a count beyond the frame": numbered(GOOD, 0, 60)[:200],
    "no byte": b"",
    "seven bytes": GOOD[:7],
    "the count alone": GOOD[:8],
    "offsets cut": GOOD[:30],
    "parts cut": GOOD[:-1],
    "one byte more": GOOD + b"x",
    "an offset beyond": numbered(GOOD, 3, 2**63),
    "offsets not sorted": numbered(GOOD, 2, int.from_bytes(GOOD[24:32], "little") + 4),
    "the first offset in the header": numbered(GOOD, 1, 8),
    "the first offset 0": numbered(GOOD, 1, 0),
    "the last offset short": numbered(GOOD, 6, len(GOOD) - 1),
    "no such channel": frame(b"shall"),
    "a channel that is no text": frame(b"\xff\xfe"),
    "a header that is no JSON": frame(parts=(b"{", b"{}", b"{}", b"{}")),
    "a header that is a list": frame(parts=(b"[]", b"{}", b"{}", b"{}")),
    "a header without a kind": frame(parts=(b"{}", b"{}", b"{}", b"{}")),
    "a kind that is a list": frame(msg_type=[]),
    "a header nested deep": frame(parts=(DEEP, b"{}", b"{}", b"{}")),
    "a header of megabytes": frame(
        parts=(b'{"msg_type":"comm_msg","x":[' + b"{}," * 1_000_000 + b"0]}", b"{}", b"{}", b"{}")
    ),
    "an empty text": "",
    "a text": "hello",
    "a message of the old protocol": json.dumps({"header": HEADER, "channel": "shell"}),
    "a text that is no JSON": "{",
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_a_malformed_frame_is_told_from_a_good_one(kind: str) -> None:
    assert fault(GOOD) == ""
    assert fault(MALFORMED[kind])


def test_a_frame_may_carry_buffers() -> None:
    head = json.dumps(HEADER).encode()
    assert fault(frame(parts=(head, b"{}", b"{}", b"{}", b"first", b"", b"third"))) == ""


ui = [pytest.mark.ui, pytest.mark.timeout(240)]
CELL = "import os, time, ipywidgets\nfrom burma_study.ui.pulse import Pulse\n"
PLAIN = CELL + "Pulse()"
BUSY = (
    CELL
    + """
def sleep(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end: sum(range(1000))
button = ipywidgets.Button(description="Compute")
button.on_click(lambda _: sleep(12))
hang = ipywidgets.Button(description="Hang")
hang.on_click(lambda _: sleep(3600))
told = ipywidgets.Label("nothing yet")
def swell(_):
    try: told.kept = [bytearray(b"x" * 50_000_000) for _ in range(60)]
    except MemoryError: told.value = "no more memory"
large = ipywidgets.Button(description="Swell")
large.on_click(swell)
ipywidgets.VBox([Pulse(), button, hang, large, told])
"""
)


def books(folder: Path, source: str) -> Path:
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    book.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    folder.mkdir()
    nbformat.write(book, folder / "one.ipynb")
    return folder


PAGE = "/voila/render/one.ipynb"


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with one small page and three seats."""
    folder = tmp_path_factory.mktemp("doors")
    with dashboards(folder, "--seats", "3", notebooks=books(folder / "books", PLAIN)) as url:
        yield url


def ask(url: str, path: str, method: str = "GET", host: str = "") -> tuple[int, str, dict[str, str]]:
    """Status, text and headers of an answer."""
    address = url.removeprefix("http://")
    line = http.client.HTTPConnection(address, timeout=60)
    line.putrequest(method, path, skip_host=True)
    line.putheader("Host", host or address)
    line.endheaders()
    answer = line.getresponse()
    text = answer.read().decode("utf-8", "replace")
    line.close()
    return answer.status, text, dict(answer.getheaders())


def alone(work: Coroutine[Any, Any, T]) -> T:
    """Run in a thread of its own: the browser's driver keeps a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def kernel_of(text: str) -> str:
    found = re.search(r'"kernelId": ?"([0-9a-f-]{36})"', text)
    assert found
    return found[1]


async def line_to(url: str, kernel: str) -> WebSocketClientConnection:
    address = f"{url.replace('http', 'ws')}/api/kernels/{kernel}/channels?session_id={uuid4()}"
    return await websocket_connect(HTTPRequest(address), subprotocols=[V1])


async def others(url: str, waits: list[float], stop: asyncio.Event) -> None:
    """How long somebody else waits for an answer, over and over."""
    while not stop.is_set():
        start = time.monotonic()
        status, _, _ = await asyncio.to_thread(ask, url, "/robots.txt")
        assert status == 200
        waits.append(time.monotonic() - start)
        await asyncio.sleep(0.01)


async def attack(url: str, kernel: str, waits: list[float]) -> dict[str, int | None]:
    codes: dict[str, int | None] = {}
    stop = asyncio.Event()
    other = asyncio.create_task(others(url, waits, stop))
    for kind, message in MALFORMED.items():
        line = await line_to(url, kernel)
        await line.write_message(GOOD, binary=True)
        assert await asyncio.wait_for(line.read_message(), 20)  # the line is open
        await line.write_message(message, binary=isinstance(message, bytes))
        while await asyncio.wait_for(line.read_message(), 5) is not None:
            pass
        codes[kind] = line.close_code
        line.close()
    await asyncio.sleep(0.2)
    stop.set()
    await other
    return codes


@pytest.mark.ui
@pytest.mark.timeout(240)
def test_a_malformed_frame_closes_its_own_line_and_others_are_answered(plain: str) -> None:
    """The count is looped over: eight bytes of 255 made the server deaf for good."""
    status, text, _ = ask(plain, PAGE)
    assert status == 200
    waits: list[float] = []
    codes = alone(attack(plain, kernel_of(text), waits))
    assert codes == dict.fromkeys(MALFORMED, 1003)
    assert len(waits) > len(MALFORMED)
    *usual, longest = sorted(waits)
    assert usual[-1] < 0.2, waits
    assert longest < 1, "one pause a run, at no frame in particular: 0.1 s on an idle machine, 0.3 s on a full one"
    ask(plain, f"/api/kernels/{kernel_of(text)}", "DELETE")


ODD = (
    "/logout", "/login", "/nothing", "/voila/render/none.ipynb", "/voila/render/", "/voila/render/one.txt",
    "/voila/render/..%2f..%2fetc%2fpasswd", "/voila/render/%ff.ipynb", "/voila/render/one.ipynb/", "/voila/tree/x",
    "/voila/render/%00", "/voila/static/", "/voila/static/a%00b", "/voila/templates/", "/voila/templates/x/../..",
    "/voila/files/%00", "/voila/labextensions/x", "/voila/api/contents/", "/voila/api/themes/", "/api/me",
    "//elsewhere", "/api/kernels/00000000-0000-0000-0000-000000000000",
)  # fmt: skip


@pytest.mark.ui
def test_odd_paths_are_404_and_start_nothing(plain: str) -> None:
    assert {path: ask(plain, path)[0] for path in ODD} == dict.fromkeys(ODD, 404)
    assert ask(plain, "/logout", "HEAD")[0] == 404


@pytest.mark.ui
def test_head_answers_and_crawlers_are_kept_from_kernels(plain: str) -> None:
    before = kernels()
    for path in ("/", "/robots.txt", PAGE):
        status, text, headers = ask(plain, path, "HEAD")
        assert (status, text) == (200, ""), path
        assert headers["Content-Type"].startswith(("text/html", "text/plain"))
    assert "Disallow: /voila/render/" in ask(plain, "/robots.txt")[1]
    assert kernels() == before


@pytest.mark.ui
def test_a_foreign_host_gets_403_on_this_machine_only(plain: str, tmp_path: Path) -> None:
    for path in ("/", PAGE, "/robots.txt", "/voila/static/voila.js", "/nothing"):
        assert ask(plain, path, host="elsewhere.example")[0] == 403, path
        assert ask(plain, path, host="localhost.elsewhere.example:80")[0] == 403, path
    for own in ("localhost", "localhost:1", "127.0.0.1", "[::1]:80"):
        assert ask(plain, "/robots.txt", host=own)[0] == 200, own
    with dashboards(tmp_path, "--any-host", notebooks=books(tmp_path / "books", PLAIN)) as url:
        assert ask(url, "/", host="elsewhere.example")[0] == 200


def kernels() -> set[int]:
    """Process ids of kernels that servers of these tests started."""
    mine = psutil.Process().children(recursive=True)
    return {p.pid for p in mine if "ipykernel" in " ".join(_words(p))}


def _words(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []


@pytest.mark.ui
@pytest.mark.timeout(120)
def test_many_at_once_never_start_more_kernels_than_seats(tmp_path: Path) -> None:
    answers: list[tuple[int, str, dict[str, str]]] = []
    most = 0
    before = kernels()
    with dashboards(tmp_path, "--seats", "3", notebooks=books(tmp_path / "books", PLAIN)) as url:
        visits = [threading.Thread(target=lambda: answers.append(ask(url, PAGE))) for _ in range(10)]
        for visit in visits:
            visit.start()
        while any(visit.is_alive() for visit in visits):
            most = max(most, len(kernels() - before))
            time.sleep(0.05)
    assert sorted(status for status, _, _ in answers) == [200] * 3 + [503] * 7
    assert {headers["Retry-After"] for status, _, headers in answers if status == 503} == {"60"}
    assert most == 3


def wait_until(what: Any, seconds: float) -> float:
    start = time.monotonic()
    while not what():
        assert time.monotonic() - start < seconds
        time.sleep(0.2)
    return time.monotonic() - start


@pytest.mark.ui
@pytest.mark.timeout(120)
def test_computing_is_not_called_stopped_and_a_kernel_that_hangs_is_ended(tmp_path: Path, visit: Any) -> None:
    with dashboards(tmp_path, "--busy-seconds", "18", notebooks=books(tmp_path / "books", BUSY)) as url:
        page = visit(url + PAGE, ready=False, quiet=False)
        page.get_by_role("button", name="Compute").click()
        page.wait_for_selector(".bs-lost[data-state=computing]", timeout=20_000)
        assert page.locator(".bs-lost button").count() == 0
        page.wait_for_function("() => !document.querySelector('.bs-lost')", timeout=15_000)
        page.get_by_role("button", name="Hang").click()
        page.wait_for_selector(".bs-lost[data-state=computing]", timeout=20_000)
        page.wait_for_selector(".bs-lost[data-state=gone] button", timeout=40_000)


class Kernel(HasTraits):
    """As much of a kernel as the watch looks at."""

    execution_state = Unicode("idle")
    provisioner = None


def test_short_pauses_between_two_looks_are_no_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game played again in bursts is busy whenever it is looked at."""
    ended: list[str] = []
    clock = [0.0]
    monkeypatch.setattr("burma_study.ui.limits.monotonic", lambda: clock[0])
    manager = LimitedKernelManager()

    async def end(kernel: str, **_: Any) -> None:
        ended.append(kernel)
        del manager._kernels[kernel]

    monkeypatch.setattr(manager, "shutdown_kernel", end)
    for name in ("bursts", "hangs"):
        manager._kernels[name] = Kernel()
        manager.watch(name)
    for second in range(130):
        clock[0] = second
        for kernel in list(manager._kernels.values()):
            kernel.execution_state = "busy"
        alone(manager.end_unruly())
        assert ended == (["hangs"] if second > 100 else [])
        manager._kernels["bursts"].execution_state = "idle"


def test_what_is_loaded_with_the_first_kernel_is_not_collected_again_and_again() -> None:
    """A full collection over everything loaded holds up every visitor, by 0.1 s on an idle machine."""
    manager, before = LimitedKernelManager(), gc.get_freeze_count()

    async def first_kernel() -> None:
        manager._watch_kernels()
        assert manager._watch is not None
        manager._watch.stop()

    try:
        alone(first_kernel())
        assert gc.get_freeze_count() > before + 10_000
    finally:
        gc.unfreeze()


def test_the_seconds_of_computing_are_set_with_the_server() -> None:
    assert serving.settings()["LimitedKernelManager"]["busy_seconds"] == 100
    assert serving.settings(busy_seconds=7)["LimitedKernelManager"]["busy_seconds"] == 7
    with pytest.raises(BurmaStudyError, match="computing must be a whole number"):
        serving.settings(busy_seconds=0)


def upgrade(url: str, kernel: str, **headers: str) -> tuple[int, http.client.HTTPConnection]:
    """The status of an upgrade to a websocket, and its line."""
    address = url.removeprefix("http://")
    line = http.client.HTTPConnection(address, timeout=30)
    own = {"Host": address, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    own |= {"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol": V1}
    line.putrequest("GET", f"/api/kernels/{kernel}/channels?session_id={uuid4()}", skip_host=True)
    for name, value in (own | headers).items():
        line.putheader(name, value)
    line.endheaders()
    answer = line.getresponse()
    line.sock = line.sock or answer  # type: ignore[assignment]  # what holds the line is closed with it
    return answer.status, line


def opened(url: str, kernel: str, number: int) -> list[int]:
    """The answers to so many upgrades at once, whose lines are then closed."""
    with ThreadPoolExecutor(number) as pool:
        tried = list(pool.map(lambda _: upgrade(url, kernel), range(number)))
    for _, line in tried:
        line.close()
    return sorted(status for status, _ in tried)


@pytest.mark.ui
def test_one_visitor_takes_only_so_many_lines(plain: str) -> None:
    """Each line takes sockets of the server, and a thousand files are all that a process may open."""
    kernel = kernel_of(ask(plain, PAGE)[1])
    for _ in range(2):
        assert opened(plain, kernel, 3 * MOST_LINES) == [101] * MOST_LINES + [503] * 2 * MOST_LINES
        time.sleep(1)
    ask(plain, f"/api/kernels/{kernel}", "DELETE")


@pytest.mark.ui
def test_a_websocket_under_a_foreign_host_or_of_a_foreign_page_gets_403(plain: str) -> None:
    kernel = kernel_of(ask(plain, PAGE)[1])
    here: dict[str, str] = {"Host": "localhost", "Origin": "http://localhost"}
    foreign: list[dict[str, str]] = [
        {"Host": "elsewhere.example"},
        {"Host": "localhost.elsewhere.example:80"},
        {"Host": "elsewhere.example", "Origin": "http://elsewhere.example"},
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
    ]
    for headers, wanted in [*((found, 403) for found in foreign), (here, 101)]:
        status, line = upgrade(plain, kernel, **headers)
        line.close()
        assert status == wanted, headers
    ask(plain, f"/api/kernels/{kernel}", "DELETE")


class Wire:
    """A line to a server that can be cut and mended."""

    def __init__(self, port: int) -> None:
        self.port, self.whole, self.ends = port, True, set[asyncio.StreamWriter]()
        self.started, self.over = threading.Event(), asyncio.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self.thread.start()
        self.started.wait(5)

    async def _run(self) -> None:
        self.loop = asyncio.get_running_loop()
        opened = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        self.own = opened.sockets[0].getsockname()[1]
        self.started.set()
        await self.over.wait()
        opened.close()
        for end in self.ends:
            end.transport.abort()
        await asyncio.sleep(0.2)

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.ends.add(writer)
        if not self.whole:
            writer.close()
            return
        there, out = await asyncio.open_connection("127.0.0.1", self.port)
        self.ends.add(out)
        await asyncio.gather(self._carry(reader, out), self._carry(there, writer), return_exceptions=True)

    @staticmethod
    async def _carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while block := await source.read(65_536):
            target.write(block)
            await target.drain()
        target.close()

    def cut(self) -> None:
        self.whole = False
        self.loop.call_soon_threadsafe(lambda: [end.close() for end in self.ends])

    def mend(self) -> None:
        self.whole = True

    def end(self) -> None:
        self.cut()
        self.loop.call_soon_threadsafe(self.over.set)
        self.thread.join(10)


@pytest.mark.ui
@pytest.mark.timeout(120)
def test_a_cut_line_is_called_so_and_the_page_is_back_within_five_seconds(plain: str, visit: Any) -> None:
    wire = Wire(int(plain.rpartition(":")[2]))
    try:
        page = visit(f"http://127.0.0.1:{wire.own}{PAGE}", ready=False, quiet=False)
        page.wait_for_function("() => window.jupyterapp")
        page.wait_for_timeout(4_000)
        wire.cut()
        page.wait_for_selector(".bs-lost[data-state=lost]", timeout=20_000)
        assert page.locator(".bs-lost button").count() == 0
        page.wait_for_timeout(25_000)  # by now the widgets try every half minute at most
        wire.mend()
        page.wait_for_function("() => !document.querySelector('.bs-lost')", timeout=5_000)
    finally:
        wire.end()


# what is refused before anything is served ----------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [0, -1, True, 1.5, "3"])
def test_seats_that_are_none_are_refused(seats: Any) -> None:
    with pytest.raises(BurmaStudyError, match="whole number from 1"):
        serving.settings(seats=seats)
    with pytest.raises(BurmaStudyError, match="whole number from 1"):
        serving.settings(idle_seconds=seats)


@pytest.mark.parametrize("port", [0, -1, 65_536, 10**9, True, "8866"])
def test_ports_that_are_none_are_refused(port: Any) -> None:
    with pytest.raises(BurmaStudyError, match="is no port"):
        serving.serve(port=port, browser=False)


@pytest.mark.parametrize("words", [["--port", "0"], ["--port", "70000"], ["--seats", "0"], ["nothing-such"]])
def test_the_servers_command_line_says_it_in_one_sentence(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "burma_study.ui.server", *words], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_a_port_in_use_is_one_sentence() -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(BurmaStudyError, match="is in use"):
            serving.serve(port=taken.getsockname()[1], browser=False)


def test_a_server_for_many_keeps_no_games_unless_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert serving.VARIABLE == autosave.VARIABLE
    monkeypatch.delenv(autosave.VARIABLE, raising=False)
    assert autosave.on()
    monkeypatch.setenv(autosave.VARIABLE, "x")  # so that what follows is undone
    del os.environ[autosave.VARIABLE]
    serving.keep_no_games()
    assert not autosave.on()
    serving.keep_no_games(str(tmp_path))
    assert autosave.on()
    assert autosave.folder() == tmp_path
    serving.keep_no_games()
    assert autosave.folder() == tmp_path  # as the environment says


def test_the_proxy_of_the_hub_answers_under_its_name() -> None:
    assert "--any-host" in serving.setup_proxy()["command"]
