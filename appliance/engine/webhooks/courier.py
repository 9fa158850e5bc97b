"""Takes messages out of the outbox and to their receivers, again where one does not answer."""

import asyncio
import contextlib
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple

import structlog

from appliance.core.clock import Clock
from appliance.engine.webhooks.posting import GONE, TIMEOUT_S, PostResult
from appliance.engine.webhooks.receivers import Receiver, Send
from appliance.store.outbox import Delivery, DeliveryState, Outbox

_LONGEST_WAIT_S = 30.0
"""After which the clock is looked at again: the machine may have slept."""

Tell = Callable[[str, str], None]
"""Told of every attempt: name of the receiver, and `delivered`, `retried` or `dead`."""

_log = structlog.get_logger()


class Retries(NamedTuple):
    """How long an attempt may take, and when the next one follows."""

    back_off_s: tuple[float, ...] = (5.0, 30.0, 120.0, 600.0, 3600.0, 21600.0)
    """Waits after failed attempts; one more failure, and the message is given up."""
    timeout_s: float = TIMEOUT_S


@dataclass(slots=True)
class Hook:
    """A receiver, while the program runs."""

    receiver: Receiver
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when there is something new for it."""
    is_stopped: bool = False
    """Whether it said that it wants nothing any more."""

    @property
    def address_hash(self) -> str:
        """To know an address again that is kept nowhere."""
        return hashlib.sha256(self.receiver.address.encode()).hexdigest()[:16]


class Courier:
    """Empties the outbox, for each receiver by itself."""

    def __init__(self, outbox: Outbox, clock: Clock, tell: Tell, retries: Retries) -> None:
        self._outbox = outbox
        self._clock = clock
        self._tell = tell
        self._retries = retries

    async def serve(self, hooks: Mapping[str, Hook]) -> None:
        """Send what is due, for ever."""
        async with asyncio.TaskGroup() as group:
            for name, hook in hooks.items():
                group.create_task(self._serve(name, hook))

    async def _serve(self, name: str, hook: Hook) -> None:
        async with hook.receiver.connected(self._retries.timeout_s) as send:
            await self._empty(name, hook, send)

    async def _empty(self, name: str, hook: Hook, send: Send) -> None:
        """Send what is due to one receiver, for ever."""
        receiver = hook.receiver
        while True:
            hook.wake.clear()
            wait_s = _LONGEST_WAIT_S
            try:
                now = self._clock.now()
                due = await asyncio.to_thread(self._outbox.due, name, now, receiver.at_once)
                if due:
                    async with asyncio.TaskGroup() as group:
                        for part in (due,) if receiver.is_merging else zip(due, strict=True):
                            group.create_task(self._deliver(hook, part, send))
                    continue
                next_at = await asyncio.to_thread(self._outbox.next_at, name)
                if next_at is not None:
                    wait_s = min(max((next_at - now).total_seconds(), 0.0), _LONGEST_WAIT_S)
            except Exception:  # noqa: BLE001 - such as a full disk: it goes on when that is over
                _log.exception("webhook.failed", hook=name)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await hook.wake.wait()

    async def _deliver(self, hook: Hook, due: Sequence[Delivery], send: Send) -> None:
        at = self._clock.now()
        answer = await send(due, at)
        for delivery in due:
            tried = self._tried(hook, delivery, answer, at)
            await asyncio.to_thread(self._outbox.save, tried)
            self._report(tried)
        if answer.status == GONE:
            hook.is_stopped = True
            await asyncio.to_thread(
                self._outbox.stop, due[0].hook, hook.address_hash, answer.why, at
            )

    def _tried(self, hook: Hook, delivery: Delivery, answer: PostResult, at: datetime) -> Delivery:
        """A message after an attempt to send it."""
        tried = replace(
            delivery,
            attempts=delivery.attempts + 1,
            tried_at=at,
            status=answer.status,
            why=answer.why,
            next_at=None,
        )
        if not answer.why:
            return replace(tried, state=DeliveryState.DELIVERED)
        if answer.status == GONE or delivery.attempts >= len(self._retries.back_off_s):
            return replace(tried, state=DeliveryState.DEAD)
        wait = timedelta(seconds=self._retries.back_off_s[delivery.attempts])
        return replace(tried, next_at=hook.receiver.not_before(self._clock.now() + wait))

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
