"""What a public server needs and Voila lacks: seats, an end for kernels that hang or swell, and frames that are read.

A frame of the v1 protocol begins with the number of its offsets, then the offsets, each eight bytes: the channel, then
header, parent, metadata, content and buffers. Jupyter's reader loops over that number unchecked, on the only thread.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable
from time import monotonic
from typing import Any, ClassVar
from uuid import uuid4

import psutil  # ipykernel brings it
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado import web
from tornado.ioloop import PeriodicCallback
from traitlets import Float, Int

FULL = "All seats are taken, try again in a minute"
V1 = "v1.kernel.websocket.jupyter.org"
FEWEST, MOST = 6, 64
"""Offsets of a frame: the channel's two, one after each of four parts; with buffers, more."""
CHANNELS = ("shell", "control", "stdin", "iopub")
UNREADABLE = 1003  # the close code for data that cannot be taken
MEGABYTE = 1_000_000
MOST_HEADER = 16_000
"""Bytes of a header, ten times what a page sends: it is read on the thread that answers everybody."""
MOST_LINES = 8
"""Lines to one kernel, where a page has one: each takes five sockets of the server."""


def fault(frame: object) -> str:
    """What is wrong with a v1 frame, in a few words; the empty string for one that can be read."""
    if not isinstance(frame, bytes) or len(frame) < 8:
        return "not a binary frame of eight bytes or more"
    count = int.from_bytes(frame[:8], "little")
    if not FEWEST <= count <= MOST or len(frame) < 8 * (count + 1):
        return "the number of offsets"
    offsets = [int.from_bytes(frame[8 * k : 8 * k + 8], "little") for k in range(1, count + 1)]
    if offsets[0] != 8 * (count + 1) or offsets != sorted(offsets) or offsets[-1] != len(frame):
        return "the offsets"
    return _content(frame, offsets)


def _content(frame: bytes, offsets: list[int]) -> str:
    channel, header = frame[offsets[0] : offsets[1]], frame[offsets[1] : offsets[2]]
    if channel.decode("utf-8", "replace") not in CHANNELS:
        return "the channel"
    if len(header) > MOST_HEADER:
        return "the length of the header"
    try:
        told = json.loads(header)
    except (ValueError, RecursionError):
        return "the header"
    kind = told.get("msg_type") if isinstance(told, dict) else None
    return "" if isinstance(kind, str) else "the kind of message"


class LimitedKernelManager(AsyncMappingKernelManager):
    """Refuses a new kernel with 503 when `max_kernels` run or start; ends those that stay busy or take the memory."""

    max_kernels = Int(40, help="Most kernels at once, one a visitor.").tag(config=True)
    busy_seconds = Float(100, help="A kernel that is busy for so long without a pause is ended.").tag(config=True)
    most_megabytes = Int(600, help="A kernel that takes more memory is ended.").tag(config=True)
    watch_seconds = Float(1, help="How often kernels are looked at.").tag(config=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)  # type: ignore[no-untyped-call]
        self._coming: set[str] = set()
        self._busy_since: dict[str, float] = {}
        self._watch: PeriodicCallback | None = None

    async def start_kernel(self, **options: Any) -> str:  # type: ignore[override]  # as in the parent class
        """Start a kernel, or answer 503."""
        kernel = str(options.setdefault("kernel_id", None) or uuid4())
        options["kernel_id"] = kernel
        if len(self._coming.union(self._kernels)) >= self.max_kernels:
            raise web.HTTPError(503, FULL)
        self._coming.add(kernel)
        try:
            started = str(await super().start_kernel(**options))
        finally:
            self._coming.discard(kernel)
        limit_memory(self._process(started), self.most_megabytes)
        self.watch(started)
        self._watch_kernels()
        return started

    def _watch_kernels(self) -> None:
        if self._watch is None:
            gc.freeze()  # what is loaded by now stays; else a full collection walks over it all, and everybody waits
            self._watch = PeriodicCallback(self.end_unruly, 1000 * self.watch_seconds)
            self._watch.start()

    def watch(self, kernel: str) -> None:
        """Note the pauses of a kernel."""
        self._kernels[kernel].observe(lambda change: self._paused(kernel, change["new"]), "execution_state")

    def _paused(self, kernel: str, state: object) -> None:
        """A pause between two looks counts: a long game that is played again in bursts hangs nowhere."""
        if state != "busy":
            self._busy_since.pop(kernel, None)

    async def end_unruly(self) -> None:
        """End each kernel that has been busy or large for too long."""
        now = monotonic()
        self._busy_since = {k: self._busy_since.get(k, now) for k in self._kernels if self._busy(k)}
        long = [k for k, since in self._busy_since.items() if now - since > self.busy_seconds]
        large = [k for k in self._kernels if self._megabytes(k) > self.most_megabytes]
        for kernel in {*long, *large}:
            self.log.warning("Kernel %s ends: it was busy or large for too long.", kernel)
            if kernel in self._kernels:
                await self.shutdown_kernel(kernel, now=True)  # type: ignore[no-untyped-call]

    def _busy(self, kernel: str) -> bool:
        return getattr(self._kernels[kernel], "execution_state", "") == "busy"

    def _process(self, kernel: str) -> int | None:
        provisioner = getattr(self._kernels.get(kernel), "provisioner", None)
        pid = getattr(provisioner, "pid", None)
        return pid if isinstance(pid, int) else None

    def _megabytes(self, kernel: str) -> float:
        pid = self._process(kernel)
        try:
            return psutil.Process(pid).memory_info().rss / MEGABYTE if pid else 0.0
        except psutil.Error:
            return 0.0


def limit_memory(pid: int | None, megabytes: int) -> None:
    """Let the system refuse a process more memory, so that it can say so; where systems cannot, the watch ends it."""
    try:
        import resource

        if pid and hasattr(resource, "prlimit"):
            resource.prlimit(pid, resource.RLIMIT_DATA, (megabytes * MEGABYTE, megabytes * MEGABYTE))
    except (ImportError, OSError, ValueError):
        return


THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""A kernel of one visitor calculates on one thread: each further one sets memory aside."""


def one_thread(environment: Any, names: Iterable[str] = THREADS) -> None:
    """Tell the numerical libraries of kernels to use one thread, unless somebody has said otherwise."""
    for name in names:
        environment.setdefault(name, "1")


class V1OnlyConnection(ZMQChannelsWebsocketConnection):
    """Turns away clients without the v1 subprotocol, and whoever sends a frame that cannot be read."""

    _lines: ClassVar[dict[str, set[int]]] = {}

    async def prepare(self) -> None:
        """Refuse a line too many before it takes sockets of the server."""
        lines = self._lines.setdefault(self.kernel_id, set())
        if len(lines) >= MOST_LINES:
            raise web.HTTPError(503, "Too many lines to one kernel")
        lines.add(id(self))
        try:
            await super().prepare()  # type: ignore[no-untyped-call]
        except BaseException:
            self._leave()
            raise

    def disconnect(self) -> None:  # type: ignore[override]  # as in the parent class
        """Close the channels, and leave the place to another line."""
        self._leave()
        super().disconnect()  # type: ignore[no-untyped-call]

    def _leave(self) -> None:
        lines = self._lines.get(self.kernel_id, set())
        lines.discard(id(self))
        if not lines:
            self._lines.pop(self.kernel_id, None)

    async def connect(self) -> Any:  # type: ignore[override]  # as in the parent class
        """Open the channels of a v1 client."""
        if self.websocket_handler.selected_subprotocol != V1:
            self.websocket_handler.close(1002, "v1 subprotocol required")
            return None
        return await super().connect()  # type: ignore[misc]

    def handle_incoming_message(self, incoming_msg: Any) -> None:
        """Hand a frame on to the kernel, or close the line of whoever sent one that is no frame."""
        wrong = fault(incoming_msg)
        if wrong:
            self.log.warning("A frame was refused: %s.", wrong)
            self.websocket_handler.close(UNREADABLE, "This is no message of the v1 protocol")
            return
        super().handle_incoming_message(incoming_msg)
