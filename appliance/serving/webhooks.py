"""Tells receivers what happened: signed, again where they do not answer, and never in the dark."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from appliance.config import Settings
from appliance.core.clock import Clock
from appliance.core.errors import SetupError
from appliance.core.events import Event
from appliance.store import Store
from appliance.store.outbox import Delivery, DeliveryState
from appliance.store.paging import Paged, Paging

Tell = Callable[[str, str], None]
"""Told of every attempt: name of the receiver, and `delivered`, `retried` or `dead`."""


class UnknownDelivery(SetupError):
    """There is no message of that id."""

    def __init__(self, delivery_id: str) -> None:
        super().__init__(f"there is no webhook message {delivery_id}")


@dataclass(frozen=True, slots=True, kw_only=True)
class HookState:
    """A receiver, and how it stands with its messages."""

    name: str
    url: str
    """Scheme, host and port; paths and queries of such addresses may be secrets."""
    events: tuple[str, ...]
    waiting: int
    delivered: int
    dead: int
    stopped_at: datetime | None
    """When it answered 410 Gone; None: it is told."""


class Webhooks:
    """A subscriber of `core.events` with an outbox in the store, and what empties it."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        clock: Clock | None = None,
        tell: Tell = lambda hook, outcome: None,
    ) -> None:
        """Raises `SetupError` where a secret is missing or ill-formed."""
        raise NotImplementedError

    def __call__(self, event: Event) -> None:
        """Put what receivers want to know into the outbox."""
        raise NotImplementedError

    async def start(self) -> None:
        """Send from now on, what a former process left first."""
        raise NotImplementedError

    async def stop(self) -> None:
        """Send nothing any more; what is left waits for the next start."""
        raise NotImplementedError

    def list(self) -> tuple[HookState, ...]:
        """All receivers, by name. Blocks."""
        raise NotImplementedError

    def deliveries(
        self, paging: Paging, *, hook: str | None = None, state: DeliveryState | None = None
    ) -> Paged[Delivery]:
        """Messages, newest first. Blocks."""
        raise NotImplementedError

    async def retry(self, delivery_id: str, by: str) -> Delivery:
        """Send one that was given up once more, and start its receiver again.

        Raises:
            UnknownDelivery: There is none.
            SetupError: It was delivered, or waits already; or its receiver is gone from the
                settings.
        """
        raise NotImplementedError
