"""Tells receivers what happened: signed, again where they do not answer, and never in the dark."""

import asyncio
import contextlib
import hashlib
import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

import structlog

from appliance.config import Settings, WebhookSettings
from appliance.core.clock import Clock, SystemClock
from appliance.core.errors import SetupError, StoreError
from appliance.core.events import Event
from appliance.core.secrets import masked
from appliance.engine.webhooks.messages import WebhookMessage, address_of, message
from appliance.engine.webhooks.posting import (
    GONE,
    TIMEOUT_S,
    Poster,
    open_poster,
    webhook_secret,
)
from appliance.store.outbox import Delivery, DeliveryState
from appliance.store.paging import Paged, Paging
from appliance.store.store import Store

_AT_ONCE = 4
"""Messages to one receiver under way at a time."""
_LONGEST_WAIT_S = 30.0
"""After which the clock is looked at again: the machine may have slept."""

Tell = Callable[[str, str], None]
"""Told of every attempt: name of the receiver, and `delivered`, `retried` or `dead`."""

_log = structlog.get_logger()


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hook:
    settings: WebhookSettings
    secret: str
    wake: asyncio.Event

    @property
    def address_hash(self) -> str:
        return hashlib.sha256(self.settings.url.encode()).hexdigest()[:16]


class Retries(NamedTuple):
    """How long an attempt may take, and when the next one follows."""

    back_off_s: tuple[float, ...] = (5.0, 30.0, 120.0, 600.0, 3600.0, 21600.0)
    """Waits after failed attempts; one more failure, and the message is given up."""
    timeout_s: float = TIMEOUT_S


_RETRIES = Retries()


class Webhooks:
    """A subscriber of `core.events` with an outbox in the store, and what empties it."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        clock: Clock | None = None,
        tell: Tell = lambda hook, outcome: None,
        *,
        address: str = "",
        retries: Retries = _RETRIES,
    ) -> None:
        """Raises `SetupError` where a secret is missing or ill-formed, or a certificate unreadable.

        Args:
            settings: All of them.
            store: Where messages wait.
            clock: The time.
            tell: Told of every attempt.
            address: What links start with; empty: as the settings say.
            retries: How long an attempt may take, and when the next one follows.
        """
        self._address = address.rstrip("/") or address_of(settings)
        self._store = store
        self._outbox = store.outbox
        self._clock = clock or SystemClock()
        self._tell = tell
        self._retries = retries
        self._network = settings.outward
        if settings.webhooks:
            self._network.check()
        self._hooks = {
            name: _Hook(settings=hook, secret=webhook_secret(name, hook), wake=asyncio.Event())
            for name, hook in sorted(settings.webhooks.items())
        }
        self._stopped: frozenset[str] = frozenset()
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
            self._task = asyncio.create_task(self._send(), name="webhooks")

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
                url=_origin(hook.settings.url),
                events=hook.settings.events,
                waiting=counts.get((name, DeliveryState.WAITING), 0),
                delivered=counts.get((name, DeliveryState.DELIVERED), 0),
                dead=counts.get((name, DeliveryState.DEAD), 0),
                stopped_at=stops[name][1] if name in self._stopped and name in stops else None,
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
            raise SetupError(f"webhook message {delivery_id} was not given up: {delivery.state}")
        if delivery.hook not in self._hooks:
            raise SetupError(f"there is no webhook `{delivery.hook}` in the settings any more")
        again = replace(
            delivery, state=DeliveryState.WAITING, attempts=0, next_at=self._clock.now()
        )
        await asyncio.to_thread(self._outbox.start, delivery.hook)
        self._stopped -= {delivery.hook}
        await asyncio.to_thread(self._outbox.save, again)
        _log.info("webhook.retried", message=delivery_id, hook=delivery.hook, by=by)
        self._hooks[delivery.hook].wake.set()
        return again

    def _keep(self, message: WebhookMessage) -> None:
        now = self._clock.now()
        if message.event == "sweep.finished" and self._outbox.is_told(
            message.event, message.subject
        ):
            return  # it was settled again after a crash
        body = json.dumps(
            {"type": message.event, "timestamp": now.isoformat(), "data": masked(message.data)},
            ensure_ascii=False,
            separators=(",", ":"),
        )
        wanted = [
            name
            for name, hook in self._hooks.items()
            if message.event in hook.settings.events and name not in self._stopped
        ]
        self._outbox.add(
            [
                Delivery(
                    id=f"msg_{uuid.uuid4().hex}",
                    hook=name,
                    event=message.event,
                    subject=message.subject,
                    body=body,
                    created_at=now,
                    next_at=now,
                )
                for name in wanted
            ]
        )
        loop = self._loop
        if loop is not None:
            for name in wanted:  # perhaps from another thread
                loop.call_soon_threadsafe(self._hooks[name].wake.set)

    def _take_over(self) -> None:
        """What the settings say now about receivers that a former process knew."""
        stops = self._outbox.stops()
        self._stopped = frozenset(
            name
            for name, hook in self._hooks.items()
            if name in stops and stops[name][0] == hook.address_hash
        )
        for name, state in self._outbox.counts():
            if state is DeliveryState.WAITING and name not in self._hooks:
                self._outbox.give_up(name, "its receiver is gone from the settings")

    async def _send(self) -> None:
        async with (
            open_poster(self._retries.timeout_s, self._network) as poster,
            asyncio.TaskGroup() as group,
        ):
            for name, hook in self._hooks.items():
                group.create_task(self._empty(name, hook, poster))

    async def _empty(self, name: str, hook: _Hook, poster: Poster) -> None:
        """Send what is due to one receiver, for ever."""
        while True:
            hook.wake.clear()
            wait_s = _LONGEST_WAIT_S
            try:
                now = self._clock.now()
                due = await asyncio.to_thread(self._outbox.due, name, now, _AT_ONCE)
                if due:
                    async with asyncio.TaskGroup() as group:
                        for one in due:
                            group.create_task(self._deliver(hook, one, poster))
                    continue
                next_at = await asyncio.to_thread(self._outbox.next_at, name)
                if next_at is not None:
                    wait_s = min(max((next_at - now).total_seconds(), 0.0), _LONGEST_WAIT_S)
            except Exception:  # noqa: BLE001 - such as a full disk: it goes on when that is over
                _log.exception("webhook.failed", hook=name)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await hook.wake.wait()

    async def _deliver(self, hook: _Hook, delivery: Delivery, poster: Poster) -> None:
        at = self._clock.now()
        answer = await poster.post(hook.settings.url, hook.secret, delivery, at)
        tried = replace(
            delivery,
            attempts=delivery.attempts + 1,
            tried_at=at,
            status=answer.status,
            why=answer.why,
            next_at=None,
        )
        if not answer.why:
            tried = replace(tried, state=DeliveryState.DELIVERED)
        elif answer.status != GONE and delivery.attempts < len(self._retries.back_off_s):
            wait = timedelta(seconds=self._retries.back_off_s[delivery.attempts])
            tried = replace(tried, next_at=self._clock.now() + wait)
        else:
            tried = replace(tried, state=DeliveryState.DEAD)
        await asyncio.to_thread(self._outbox.save, tried)
        if answer.status == GONE:
            self._stopped |= {delivery.hook}
            await asyncio.to_thread(
                self._outbox.stop, delivery.hook, hook.address_hash, answer.why, at
            )
        self._report(tried)

    def _report(self, tried: Delivery) -> None:
        is_fine = tried.state is DeliveryState.DELIVERED
        outcome = "retried" if tried.state is DeliveryState.WAITING else tried.state.value
        log = _log.info if is_fine else _log.warning
        log(
            f"webhook.{outcome}",
            hook=tried.hook,
            message=tried.id,
            about=tried.event,
            attempt=tried.attempts,
            status=tried.status,
            why=tried.why,
        )
        self._tell(tried.hook, outcome)


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
