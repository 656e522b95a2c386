"""What a public server needs and Voila lacks: a cap on kernels, and no websocket clients of the old protocol."""

from __future__ import annotations

from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado import web
from traitlets import Int

FULL = "All seats are taken, try again in a minute"
V1 = "v1.kernel.websocket.jupyter.org"


class LimitedKernelManager(AsyncMappingKernelManager):
    """Refuses a new kernel with 503 when `max_kernels` run."""

    max_kernels = Int(40, help="Most kernels at once, one a visitor.").tag(config=True)

    async def start_kernel(self, **options: Any) -> str:  # type: ignore[override]  # as in the parent class
        """Start a kernel, or answer 503."""
        if len(self._kernels) >= self.max_kernels:
            raise web.HTTPError(503, FULL)
        return str(await super().start_kernel(**options))


class V1OnlyConnection(ZMQChannelsWebsocketConnection):
    """Turns away clients without the v1 subprotocol: one of them and a binary message can stop the whole server."""

    async def connect(self) -> Any:  # type: ignore[override]  # as in the parent class
        """Open the channels of a v1 client."""
        if self.websocket_handler.selected_subprotocol != V1:
            self.websocket_handler.close(1002, "v1 subprotocol required")
            return None
        return await super().connect()  # type: ignore[misc]
