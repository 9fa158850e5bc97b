"""Who is told: what the outbox has to know of a receiver, and the programs that webhooks name."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from typing import Protocol
from urllib.parse import urlsplit

from appliance.config import WebhookSettings
from appliance.engine.webhooks.posting import PostResult, open_poster, webhook_secret
from appliance.store.outbox import Delivery
from appliance.system.network.network import Network

Send = Callable[[Sequence[Delivery], datetime], Awaitable[PostResult]]
"""Sends what is due, as one message."""


class Receiver(Protocol):
    """Who is told. Its messages wait in the outbox under its name."""

    @property
    def events(self) -> tuple[str, ...]:
        """What it is told of."""
        ...

    @property
    def address(self) -> str:
        """Where it is, a secret: another address is another receiver."""
        ...

    @property
    def shown(self) -> str:
        """What may be shown of that."""
        ...

    @property
    def at_once(self) -> int:
        """Messages under way at a time."""
        ...

    @property
    def is_merging(self) -> bool:
        """Whether messages that are due together are sent as one."""
        ...

    def not_before(self, at: datetime) -> datetime:
        """When it may be told what happens at a moment: then, or when a quiet time is over."""
        ...

    def connected(self, timeout_s: float) -> AbstractAsyncContextManager[Send]:
        """What sends, for as long as the block lasts."""
        ...


class WebhookReceiver:
    """A program: signed messages, one by one, at any time."""

    at_once = 4
    is_merging = False

    def __init__(self, name: str, settings: WebhookSettings, network: Network) -> None:
        """Raises `SetupError` where the secret is missing or ill-formed."""
        self.events: tuple[str, ...] = settings.events
        self.address = settings.url
        self._secret = webhook_secret(name, settings)
        self._network = network

    @property
    def shown(self) -> str:
        """Scheme, host and port; paths and queries of such addresses may be secrets."""
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"

    def not_before(self, at: datetime) -> datetime:
        """At once."""
        return at

    @asynccontextmanager
    async def connected(self, timeout_s: float) -> AsyncIterator[Send]:
        """Posts to its address."""
        async with open_poster(timeout_s, self._network) as poster:

            async def send(due: Sequence[Delivery], at: datetime) -> PostResult:
                (delivery,) = due
                return await poster.post(self.address, self._secret, delivery, at)

            yield send
