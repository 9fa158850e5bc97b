"""People as receivers of the outbox: quiet hours, and one message for all that is due."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, tzinfo

import structlog

from appliance.config import NotificationSettings, Settings
from appliance.core.secrets import without_secrets
from appliance.core.window import Window, zone_of
from appliance.engine.webhooks.posting import PostResult
from appliance.engine.webhooks.receivers import Send
from appliance.notifications.apart import send_apart
from appliance.notifications.notice import DIGEST, Notice, notice_of
from appliance.notifications.picture import Picture, picture_of
from appliance.notifications.rendering import rendered
from appliance.store.outbox import Delivery
from appliance.store.store import Store
from appliance.system.network.network import Network

_TIMEOUT_S = 60.0
"""For the whole of an attempt: several recipients, and a message that a service wants in parts."""

_log = structlog.get_logger()


class NotificationReceiver:
    """A mailbox or chat."""

    at_once = 200
    is_merging = True

    def __init__(
        self,
        name: str,
        settings: NotificationSettings,
        zone: tzinfo,
        store: Store | None,
        network: Network,
    ):
        """Raises `SetupError` where its address cannot be read or understood.

        Args:
            name: Its name in the settings.
            settings: Its settings.
            zone: Of its quiet hours, and of times in its messages.
            store: Where pictures are; None: none is sent.
            network: Whose certificates are trusted, and by whose proxy it is sent.
        """
        # here: apprise takes half a second to load, and most have no notifications
        from appliance.notifications.sending import notification_address, service_name

        self.address = notification_address(name, settings)
        self.shown = service_name(self.address)
        self._settings = settings
        self._zone = zone
        self._network = network
        self._store = store if settings.picture else None
        self._quiet = Window.parse(settings.quiet, zone) if settings.quiet else None

    @property
    def events(self) -> tuple[str, ...]:
        """With its digest, where it has one."""
        return (*self._settings.events, *((DIGEST,) if self._settings.digest else ()))

    def not_before(self, at: datetime) -> datetime:
        """Then, or at the end of its quiet hours."""
        return (self._quiet.closing(at) if self._quiet else None) or at

    @asynccontextmanager
    async def connected(self, timeout_s: float) -> AsyncIterator[Send]:
        """Sends in a thread, as the library blocks; the library itself gives up in time."""

        async def send(due: Sequence[Delivery], at: datetime) -> PostResult:
            try:
                async with asyncio.timeout(max(timeout_s, _TIMEOUT_S)):
                    why = await asyncio.to_thread(self.send_now, [json.loads(d.body) for d in due])
            except TimeoutError:
                why = f"not done after {_TIMEOUT_S:g} seconds"
            except Exception as exc:  # noqa: BLE001 - a hundred services' code: the message waits
                _log.warning("notification.crashed", why=type(exc).__name__)
                why = f"{type(exc).__name__}: {exc}"
            return PostResult(None, without_secrets(why))

        yield send

    def send_now(self, bodies: Sequence[Mapping[str, object]]) -> str:
        """Send one message about these events; what was wrong, empty: nothing. Blocks."""
        from appliance.notifications.sending import send_once

        notice = notice_of(bodies, self._settings.language, self._zone)
        picture = self._picture(notice)
        message = rendered(notice, self._settings.language, picture)
        if self._network.proxy is not None:
            return send_apart(self._network, self.address, notice, message, picture)
        return send_once(self.address, notice, message, picture, self._network.bundle())

    def _picture(self, notice: Notice) -> Picture | None:
        return picture_of(self._store, notice.worst) if self._store and notice.worst else None


def notification_receivers(
    settings: Settings, store: Store | None
) -> dict[str, NotificationReceiver]:
    """All of the settings, by name; `SetupError` where one has no address."""
    zone = zone_of(settings.sweep.time_zone)
    return {
        name: NotificationReceiver(name, one, zone, store, settings.outward)
        for name, one in settings.notifications.items()
    }
