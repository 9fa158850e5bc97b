"""Tells receivers what happened: again where they do not answer, and never in the dark."""

import asyncio
import contextlib
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from appliance.config import Settings
from appliance.core.clock import Clock, SystemClock
from appliance.core.errors import SetupError, StoreError
from appliance.core.events import Event
from appliance.core.secrets import masked
from appliance.engine.webhooks.courier import Courier, Hook, Retries, Tell
from appliance.engine.webhooks.messages import WebhookMessage, address_of, message
from appliance.engine.webhooks.receivers import Receiver, WebhookReceiver
from appliance.store.outbox import Delivery, DeliveryState
from appliance.store.paging import Paged, Paging
from appliance.store.store import Store

_log = structlog.get_logger()


class UnknownDelivery(SetupError):
    """There is no message of that id."""

    def __init__(self, delivery_id: str) -> None:
        super().__init__(f"there is no message {delivery_id}")


@dataclass(frozen=True, slots=True, kw_only=True)
class HookState:
    """A receiver, and how it stands with its messages."""

    name: str
    url: str
    """Scheme, host and port of a webhook, and what a notification is sent with: the rest of such
    addresses may be secret."""
    events: tuple[str, ...]
    waiting: int
    delivered: int
    dead: int
    stopped_at: datetime | None
    """When it answered 410 Gone; None: it is told."""


_RETRIES = Retries()
_NONE: Mapping[str, Receiver] = {}


class Webhooks:
    """A subscriber of `core.events` with an outbox in the store, and what empties it."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        clock: Clock | None = None,
        tell: Tell = lambda hook, outcome: None,
        *,
        more: Mapping[str, Receiver] = _NONE,
        retries: Retries = _RETRIES,
    ) -> None:
        """Raises `SetupError` where a secret is missing or ill-formed, or a certificate unreadable.

        Args:
            settings: All of them.
            store: Where messages wait.
            clock: The time.
            tell: Told of every attempt.
            more: Receivers besides the webhooks of the settings, under names of their own.
            retries: How long an attempt may take, and when the next one follows.
        """
        self._address = address_of(settings)
        self._store = store
        self._outbox = store.outbox
        self._clock = clock or SystemClock()
        network = settings.outward
        if settings.webhooks:
            network.check()
        receivers: dict[str, Receiver] = {
            name: WebhookReceiver(name, hook, network) for name, hook in settings.webhooks.items()
        }
        self._hooks = {
            name: Hook(receiver) for name, receiver in sorted((receivers | dict(more)).items())
        }
        self._courier = Courier(store.outbox, self._clock, tell, retries)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None

    def __call__(self, event: Event) -> None:
        """Put what receivers want to know into the outbox."""
        if not self._hooks:
            return
        try:
            new = message(event, self._store, self._address)
            if new is not None:
                self._keep(new)
        except StoreError as exc:
            _log.error("webhook.not_kept", event=type(event).__name__, why=str(exc))

    async def start(self) -> None:
        """Send from now on, what a former process left first."""
        await asyncio.to_thread(self._take_over)
        self._loop = asyncio.get_running_loop()
        if self._hooks:
            self._task = asyncio.create_task(self._courier.serve(self._hooks), name="webhooks")

    async def stop(self) -> None:
        """Send nothing any more; what is left waits for the next start."""
        task, self._task, self._loop = self._task, None, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    def list(self) -> tuple[HookState, ...]:
        """All receivers, by name. Blocks."""
        counts, stops = self._outbox.counts(), self._outbox.stops()
        return tuple(
            HookState(
                name=name,
                url=hook.receiver.shown,
                events=hook.receiver.events,
                waiting=counts.get((name, DeliveryState.WAITING), 0),
                delivered=counts.get((name, DeliveryState.DELIVERED), 0),
                dead=counts.get((name, DeliveryState.DEAD), 0),
                stopped_at=stops[name][1] if hook.is_stopped and name in stops else None,
            )
            for name, hook in self._hooks.items()
        )

    def deliveries(
        self, paging: Paging, *, hook: str | None = None, state: DeliveryState | None = None
    ) -> Paged[Delivery]:
        """Messages, newest first. Blocks."""
        return self._outbox.page(paging, hook=hook, state=state)

    async def retry(self, delivery_id: str, by: str) -> Delivery:
        """Send one that was given up once more, and start its receiver again.

        Raises:
            UnknownDelivery: There is none.
            SetupError: It was delivered, or waits already; or its receiver is gone from the
                settings.
        """
        delivery = await asyncio.to_thread(self._outbox.get, delivery_id)
        if delivery is None:
            raise UnknownDelivery(delivery_id)
        if delivery.state is not DeliveryState.DEAD:
            raise SetupError(f"message {delivery_id} was not given up: {delivery.state}")
        if delivery.hook not in self._hooks:
            raise SetupError(f"there is no receiver `{delivery.hook}` in the settings any more")
        again = replace(
            delivery, state=DeliveryState.WAITING, attempts=0, next_at=self._clock.now()
        )
        await asyncio.to_thread(self._outbox.start, delivery.hook)
        self._hooks[delivery.hook].is_stopped = False
        await asyncio.to_thread(self._outbox.save, again)
        _log.info("webhook.retried", message=delivery_id, hook=delivery.hook, by=by)
        self._hooks[delivery.hook].wake.set()
        return again

    def keep_for(self, name: str, message: WebhookMessage) -> None:
        """Put a message to one receiver into the outbox, whatever it wants to be told of. Blocks.

        Raises:
            SetupError: There is no such receiver.
        """
        if name not in self._hooks:
            raise SetupError(f"there is no receiver `{name}` in the settings any more")
        now = self._clock.now()
        self._add(message, now, {name: now})

    def _keep(self, message: WebhookMessage) -> None:
        now = self._clock.now()
        if message.event == "sweep.finished" and self._outbox.is_told(
            message.event, message.subject
        ):
            return  # it was settled again after a crash
        due_times = {
            name: hook.receiver.not_before(now)
            for name, hook in self._hooks.items()
            if message.event in hook.receiver.events and not hook.is_stopped
        }
        self._add(message, now, due_times)

    def _add(
        self, message: WebhookMessage, now: datetime, due_times: Mapping[str, datetime]
    ) -> None:
        """To these receivers, to be sent at these times."""
        body = json.dumps(
            {"type": message.event, "timestamp": now.isoformat(), "data": masked(message.data)},
            ensure_ascii=False,
            separators=(",", ":"),
        )
        self._outbox.add(
            [
                Delivery(
                    id=f"msg_{uuid.uuid4().hex}",
                    hook=name,
                    event=message.event,
                    subject=message.subject,
                    body=body,
                    created_at=now,
                    next_at=next_at,
                )
                for name, next_at in due_times.items()
            ]
        )
        loop = self._loop
        if loop is not None:
            for name in due_times:  # perhaps from another thread
                loop.call_soon_threadsafe(self._hooks[name].wake.set)

    def _take_over(self) -> None:
        """What the settings say now about receivers that a former process knew."""
        stops = self._outbox.stops()
        for name, hook in self._hooks.items():
            hook.is_stopped = name in stops and stops[name][0] == hook.address_hash
        for name, state in self._outbox.counts():
            if state is DeliveryState.WAITING and name not in self._hooks:
                self._outbox.give_up(name, "its receiver is gone from the settings")
