"""Messages to receivers, programs and people, from the event to the answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from appliance.core.secrets import without_secrets
from appliance.store.mapping import RowMap
from appliance.store.paging import Paged, Paging, Where
from appliance.store.tables import Tables
from appliance.store.times import as_known, as_stored


class DeliveryState(StrEnum):
    """How it stands with a message."""

    WAITING = "waiting"  # to be sent, for the first time or again
    DELIVERED = "delivered"
    DEAD = "dead"  # given up; somebody may have it sent again


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One message to one receiver."""

    id: str
    """Of the message: the same at every attempt."""
    hook: str
    """Name of the receiver."""
    event: str
    """`sweep.finished` and the others."""
    subject: str
    """Id of the run, finding or account that it is about."""
    body: str
    """As it is signed and sent."""
    state: DeliveryState = DeliveryState.WAITING
    """How it stands with it."""
    attempts: int = 0
    """How often it was sent."""
    created_at: datetime
    """When it happened."""
    next_at: datetime | None = None
    """When it is sent next; None: it is over."""
    tried_at: datetime | None = None
    """When it was sent last."""
    status: int | None = None
    """HTTP status of the last answer."""
    why: str = ""
    """What was wrong the last time."""


_DELIVERIES = RowMap(Delivery, "webhook_deliveries")


class Outbox(Tables):
    """The tables `webhook_deliveries` and `webhook_stops`."""

    about = "messages"

    def add(self, deliveries: Sequence[Delivery]) -> None:
        """Keep new ones, all or nothing."""
        with self._session.transaction("keeping messages") as connection:
            for delivery in deliveries:
                _DELIVERIES.insert(connection, delivery)

    def is_told(self, event: str, subject: str) -> bool:
        """Whether there is a message of this event about this subject."""
        message = self._first(
            "SELECT 1 FROM webhook_deliveries WHERE event = ? AND subject = ? LIMIT 1",
            [event, subject],
        )
        return message is not None

    def last_at(self, hook: str, event: str) -> datetime | None:
        """When the last message of this event to a receiver was made; None: there is none."""
        row = self._first(
            "SELECT max(created_at) FROM webhook_deliveries WHERE hook = ? AND event = ?",
            [hook, event],
        )
        return as_known(row[0]) if row else None

    def due(self, hook: str, now: datetime, limit: int) -> tuple[Delivery, ...]:
        """What is to be sent now, oldest first."""
        return self._select(
            _DELIVERIES,
            "WHERE state = 'waiting' AND hook = ? AND next_at <= ?"
            " ORDER BY next_at, created_at, id LIMIT ?",
            [hook, now, limit],
        )

    def next_at(self, hook: str) -> datetime | None:
        """When the next is to be sent; None: nothing waits."""
        row = self._first(
            "SELECT min(next_at) FROM webhook_deliveries WHERE state = 'waiting' AND hook = ?",
            [hook],
        )
        return as_known(row[0]) if row else None

    def get(self, delivery_id: str) -> Delivery | None:
        """The message of that id."""
        return self._find(_DELIVERIES, "WHERE id = ?", [delivery_id])

    def save(self, delivery: Delivery) -> None:
        """Keep the outcome of an attempt to send a message."""
        self._write(
            "UPDATE webhook_deliveries SET state = ?, attempts = ?, next_at = ?,"
            " tried_at = ?, status = ?, why = ? WHERE id = ?",
            [
                delivery.state,
                delivery.attempts,
                delivery.next_at,
                delivery.tried_at,
                delivery.status,
                without_secrets(delivery.why),
                delivery.id,
            ],
        )

    def page(
        self, paging: Paging, *, hook: str | None = None, state: DeliveryState | None = None
    ) -> Paged[Delivery]:
        """Messages, newest first."""
        where = Where().equal(hook=hook, state=state)
        return self._page(_DELIVERIES, where, "created_at DESC, id DESC", paging)

    def counts(self) -> dict[tuple[str, DeliveryState], int]:
        """How many messages there are, by receiver and state."""
        rows = self._read(
            "SELECT hook, state, count(*) FROM webhook_deliveries GROUP BY hook, state"
        )
        return {(hook, DeliveryState(state)): count for hook, state, count in rows}

    def stop(self, hook: str, address_hash: str, why: str, at: datetime) -> None:
        """Its receiver wants nothing any more: what waits is given up."""
        with self._session.transaction("stopping a webhook") as connection:
            connection.execute("DELETE FROM webhook_stops WHERE hook = ?", [hook])
            connection.execute(
                "INSERT INTO webhook_stops VALUES (?, ?, ?)", [hook, address_hash, as_stored(at)]
            )
        self.give_up(hook, why)

    def give_up(self, hook: str, why: str) -> None:
        """Mark all messages that wait for a receiver as given up."""
        self._write(
            "UPDATE webhook_deliveries SET state = 'dead', next_at = NULL, why = ?"
            " WHERE hook = ? AND state = 'waiting'",
            [why, hook],
        )

    def start(self, hook: str) -> None:
        """Take a receiver back into service."""
        self._write("DELETE FROM webhook_stops WHERE hook = ?", [hook])

    def stops(self) -> dict[str, tuple[str, datetime]]:
        """Address hash and time of each receiver that wants nothing any more."""
        rows = self._read("SELECT hook, address_hash, stopped_at FROM webhook_stops")
        return {hook: (address, as_known(at)) for hook, address, at in rows}

    def trim(self, before: datetime) -> int:
        """Forget messages that are over and older; how many those were."""
        forgotten = self._write(
            "DELETE FROM webhook_deliveries WHERE state <> 'waiting' AND created_at < ?"
            " RETURNING id",
            [before],
        )
        return len(forgotten)
