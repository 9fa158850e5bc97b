"""Audit events that were posted to us, from the store."""

import asyncio
from datetime import datetime, timedelta

from appliance.config import AuditSettings
from appliance.core.checks import AuditEvent
from appliance.core.errors import OutcomeError, SetupError, StoreError
from appliance.outcome.sources.ledger import in_order
from appliance.outcome.sources.receiving import secret_for
from appliance.store.store import Store

_FAR = datetime(9000, 1, 1)  # noqa: DTZ001 - gets the zone of the time that it stands beside


class ReceivedSource:
    """What came before an attempt began is of before: that is known by our own clock."""

    def __init__(
        self, console: str, settings: AuditSettings, store: Store | None, late_s: float
    ) -> None:
        self.late_s = late_s
        self._console = console
        self._settings = settings
        self._store = store
        self._slow = timedelta(seconds=0.0 if late_s else settings.skew_s)

    async def check(self) -> None:
        """See that there is a secret to look at signatures with."""
        try:
            secret_for(self._console, self._settings)
        except SetupError as exc:
            raise OutcomeError(str(exc)) from exc

    async def mark(self) -> None:
        """Nothing to do: each event has the time at which it came."""

    async def events(
        self, since: datetime, until: datetime | None = None, *, actor: str = ""
    ) -> tuple[AuditEvent, ...]:
        """See `AuditSource.events`."""
        if self._store is None:
            raise OutcomeError(
                f"console {self._console} posts its audit events, which `appliance serve` receives:"
                " verify it there"
            )
        table, slow = self._store.audit_events, self._slow
        latest = until or _FAR.replace(tzinfo=since.tzinfo)
        try:
            posted = await asyncio.to_thread(table.since, self._console, since - slow, latest)
        except StoreError as exc:
            raise OutcomeError(str(exc)) from exc
        old = [one.event.request_id for one in posted if one.received_at < since]
        return tuple(
            in_order(
                one.event
                for one in posted
                if one.received_at >= since
                and (
                    one.event.time >= since
                    or not one.event.request_id
                    or one.event.request_id not in old
                )
            )
        )

    async def close(self) -> None:
        """Nothing to close: the store belongs to its owner."""
