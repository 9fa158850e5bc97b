"""The model of this process: one served and supervised here, one elsewhere, or none."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from appliance.config import ModelSettings, Settings
from appliance.core.errors import ApplianceError
from appliance.inference.server import PolicyServer, ServerState, policy_server

LOGS = "logs"
"""In the data folder."""
_COMING = (ServerState.STARTING, ServerState.RESTARTING)


@dataclass(frozen=True, slots=True)
class Model:
    """The configured model, and its server if it is served here."""

    settings: ModelSettings
    """With the endpoint of the policy server, where one runs; what a `ModelClient` needs."""
    server: PolicyServer | None = None
    """Where the weights are served here."""
    _is_lent: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while its memory is somebody else's."""

    def problem(self) -> str:
        """Why the model cannot answer now; empty if it is ready or none is configured.

        A sleeping server was sent to sleep, which is no fault.
        """
        if self.server is None or self.server.state in (ServerState.READY, ServerState.ASLEEP):
            return ""
        return f"{self.server.state}: {self.server.why}"

    async def answers(self) -> str:
        """Wait while the model is lent, loading or restarting, then return its `problem`."""
        async with self._is_lent:
            pass
        if self.server is not None and self.server.state in _COMING:
            with suppress(ApplianceError):  # `problem` says it
                await self.server.ready()
        return self.problem()

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[None]:
        """Lend the memory of its GPUs while the block runs; questions wait meanwhile.

        Raises:
            ModelError: It does not give the memory up, or does not come back afterwards.
        """
        await self.answers()
        if self.server is None or self.server.state is not ServerState.READY:
            yield  # nothing is served here, or it has no memory now
            return
        async with self._is_lent:
            await self.server.sleep()
            try:
                yield
            finally:
                await self.server.wake()


@asynccontextmanager
async def open_model(settings: Settings, *, waits: bool) -> AsyncIterator[Model]:
    """The configured model while the block runs; weights are served by a child of this process.

    Args:
        settings: `model` says where it is; its log is in the folder `logs` of the data folder.
        waits: Whether to go on only when it answers; else it loads in the background.

    Raises:
        SetupError: The weights, adapters or settings cannot be used, or do not fit the GPUs.
        ModelError: It did not start; the message has its own last words.
    """
    if settings.model.weights is None:
        yield Model(settings.model)
        return
    async with policy_server(settings.model, log_dir=settings.data_dir / LOGS) as server:
        if waits:
            await server.ready()
        yield Model(server.settings, server)
