"""The digest: what broke and what was mended since the last one, for one receiver."""

import asyncio
from datetime import datetime, timedelta

from appliance.config import Settings
from appliance.core.clock import Clock
from appliance.core.jsonable import Json
from appliance.engine.schedules.jobs import JobEnd
from appliance.engine.webhooks.messages import WebhookMessage, address_of, finding_data
from appliance.engine.webhooks.webhooks import Webhooks
from appliance.notifications.notice import DIGEST
from appliance.store.incident import Incident, IncidentFilter, IncidentState
from appliance.store.schedules import ScheduleOutcome
from appliance.store.store import Store

_FIRST = timedelta(days=1)
"""What the first one tells of."""


class Digest:
    """What a schedule of the job `digest` does: it puts the message into the outbox."""

    def __init__(self, settings: Settings, store: Store, webhooks: Webhooks, clock: Clock) -> None:
        self._settings = settings
        self._store = store
        self._webhooks = webhooks
        self._clock = clock

    async def __call__(self, notification: str) -> JobEnd:
        """The digest for one receiver; `SetupError` where it is gone from the settings."""
        return await asyncio.to_thread(self._tell, notification)

    def _tell(self, notification: str) -> JobEnd:
        now = self._clock.now()
        last = self._store.outbox.last_at(notification, DIGEST)
        data = self._data(last or now - _FIRST)
        told = f"{_count(data['opened'])} broke, {_count(data['closed'])} mended"
        is_new = data["opened"] or data["closed"]
        if not is_new and not self._settings.notifications[notification].digest_if_nothing:
            return JobEnd(ScheduleOutcome.SKIPPED, "nothing broke, and nothing was mended")
        self._webhooks.keep_for(notification, WebhookMessage(DIGEST, notification, data))
        return JobEnd(ScheduleOutcome.DONE, f"{notification} is told: {told}")

    def _data(self, since: datetime) -> dict[str, Json]:
        changes, address = self._store.changes.incidents(since), address_of(self._settings)
        waiting = self._store.incidents.counts(IncidentFilter())[IncidentState.OPEN]
        return {
            "since": since.isoformat(),
            "opened": self._findings(changes.opened, address),
            "closed": self._findings(changes.closed, address),
            "verdicts": {str(v): n for v, n in self._store.changes.verdicts(since).items()},
            "waiting": waiting,
            "url": address,
        }

    def _findings(self, incidents: tuple[Incident, ...], address: str) -> list[Json]:
        """Those that count; of each the words that were seen last."""
        return [
            finding_data(one.console, one.id, finding, address)
            for one in incidents
            if (finding := self._store.changes.finding(one)).is_alarming
        ]


def _count(value: Json) -> int:
    return len(value) if isinstance(value, list) else 0
