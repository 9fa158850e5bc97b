"""Where keys are proved: those that are wrong are counted, and too many of them lock out.

A key has 256 random bits, which nobody guesses: what is locked out is an address, never a key, or
whoever knows the public part of a key could keep its owner out.
"""

import asyncio
import math
from collections import OrderedDict, deque
from datetime import date
from typing import TypeAlias

import structlog
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from appliance.config import LockoutSettings
from appliance.core.clock import Clock
from appliance.server.activity import Activity, Sender, address_of
from appliance.server.callers import Caller
from appliance.server.hosts import is_forwarded, is_loopback, network_of
from appliance.server.keys import ExpiredKey, KeyStore, public_part
from appliance.server.parts import Service
from appliance.server.problems import AnyRequest, Problem
from appliance.store.activity import Outcome, Way
from appliance.store.keys import KeyRow

_MOST = 10_000
"""Senders that are remembered; whoever failed longest ago is forgotten first."""


class Lockouts:
    """The last wrong keys of each sender; as many as are allowed lock it out."""

    def __init__(self, settings: LockoutSettings, clock: Clock) -> None:
        self._allowed = settings.failures
        self._lasts_s = settings.minutes * 60
        self._clock = clock
        self._failures: OrderedDict[str, deque[float]] = OrderedDict()

    def wait_s(self, sender: str) -> int:
        """0, or the seconds after which that sender may try again."""
        failures = self._failures.get(sender)
        if failures is None or len(failures) < self._allowed:
            return 0
        spread = failures[-1] - failures[0]
        remaining_s = failures[-1] + self._lasts_s - self._clock.monotonic()
        return math.ceil(remaining_s) if remaining_s > 0 and spread < self._lasts_s else 0

    def note_failure(self, sender: str) -> bool:
        """Count a wrong key; whether the sender is locked out now."""
        failures = self._failures.setdefault(sender, deque(maxlen=self._allowed))
        failures.append(self._clock.monotonic())
        self._failures.move_to_end(sender)
        if len(self._failures) > _MOST:
            self._failures.popitem(last=False)
        return self.wait_s(sender) > 0


_AT_ONCE = 2
"""Hashes that are computed at a time: each takes 19 MiB."""
log = structlog.get_logger(__name__)


class KeyProver:
    """Authenticates requests by their key."""

    def __init__(self, service: Service, activity: Activity) -> None:
        settings = service.settings.server
        self._keys: KeyStore = service.keys
        self._metrics = service.metrics
        self._activity = activity
        self._lockout = settings.lockout
        self._lockouts = Lockouts(settings.lockout, service.engine.clock)
        self._hashing = asyncio.Semaphore(_AT_ONCE)
        self._has_warned = False
        self._clock = service.engine.clock
        self._warned: dict[str, date] = {}

    async def prove(self, request: AnyRequest, text: str, channel: Way) -> KeyRow | None:
        """The key that was sent; None where it is none of ours, or was revoked.

        Raises:
            ExpiredKey: Its time is over.
            Problem: 429: too many from there were wrong.
        """
        if (trusted := self._keys.find_trusted(text)) is not None:
            return trusted
        sender = self._sender(request)
        self._check(sender)
        async with self._hashing:
            self._check(sender)  # as it stands after the others who were before
            try:
                key = await self._keys.recognise(text)
            except ExpiredKey as error:
                await self._tell_expired(request, error.row, channel)
                raise
            if key is not None:
                await self._warn_of_end(request, key, channel)
                return key
            is_out = sender is not None and self._lockouts.note_failure(sender)
        await self._refuse(request, text, channel, sender if is_out else None)
        return None

    async def logged_in(self, request: AnyRequest, caller: Caller) -> None:
        """Keep a record of a log-in to the dashboard."""
        self._metrics.logged_in("done")
        await self._record(request, "log-in", caller)

    async def logged_out(self, request: AnyRequest, caller: Caller) -> None:
        """Keep a record of a log-out from the dashboard."""
        await self._record(request, "log-out", caller)

    async def not_logged_in(self, request: AnyRequest, why: str) -> None:
        """Keep a record of somebody whom the identity provider, or we, did not let in."""
        self._metrics.logged_in("refused")
        sender = Sender(Way.DASHBOARD, address_of(request.scope))
        await self._activity.add("log-in", sender, outcome=Outcome.REFUSED, detail=why)

    async def _record(self, request: AnyRequest, action: str, caller: Caller) -> None:
        sender = Sender(Way.DASHBOARD, address_of(request.scope))
        await self._activity.add(action, sender, caller=caller)

    async def _tell_expired(self, request: AnyRequest, key: KeyRow, channel: Way) -> None:
        self._metrics.logged_in("refused")
        await self._activity.add(
            "log-in",
            Sender(channel, address_of(request.scope)),
            caller=Caller(name=key.name, role=key.role, key_id=key.id),
            object=f"key {key.id}",
            outcome=Outcome.REFUSED,
            detail="expired key",
        )

    async def _warn_of_end(self, request: AnyRequest, key: KeyRow, channel: Way) -> None:
        """Once a day: whoever reads the activity or the log sees to its successor."""
        now = self._clock.now()
        if not key.ends_soon(now) or self._warned.get(key.id) == now.date():
            return
        self._warned[key.id] = now.date()
        await self._activity.add(
            "key-expires",
            Sender(channel, address_of(request.scope)),
            caller=Caller(name=key.name, role=key.role, key_id=key.id),
            object=f"{key.id} {key.name}",
            detail=f"on {key.expires_at:%Y-%m-%d %H:%M} UTC",
        )

    def _check(self, sender: str | None) -> None:
        wait_s = self._lockouts.wait_s(sender) if sender else 0
        if wait_s:
            self._metrics.logged_in("locked out")
            raise Problem(
                429,
                f"Too many keys from this address were wrong. Try again after {wait_s} s; who is"
                " logged in already goes on.",
                title="Locked out",
                headers={"Retry-After": str(wait_s)},
            )

    async def _refuse(
        self, request: AnyRequest, text: str, channel: Way, locked_out: str | None
    ) -> None:
        self._metrics.logged_in("refused")
        sender, id = Sender(channel, address_of(request.scope)), public_part(text)
        await self._activity.add(
            "log-in",
            sender,
            object=f"key {id}" if id else "",
            outcome=Outcome.REFUSED,
            detail="wrong key",
        )
        if locked_out:
            detail = f"{self._lockout.failures} wrong keys: for {self._lockout.minutes:g} minutes"
            log.warning("locked_out", address=sender.address, sender=locked_out)
            await self._activity.add("lock-out", sender, object=locked_out, detail=detail)

    def _sender(self, request: AnyRequest) -> str | None:
        """Who is locked out where the key is wrong; None: nobody.

        Behind a proxy at this machine that `server.proxies` does not name, everybody has the
        proxy's address: one of them could lock out all.
        """
        address = address_of(request.scope)
        if is_loopback(address) and is_forwarded(request.headers):
            if not self._has_warned:
                self._has_warned = True
                log.warning("proxy.unknown", address=address, remedy="name it in `server.proxies`")
            return None
        return network_of(address)


TheEntrance: TypeAlias = NamedDependency[SkipValidation[KeyProver]]
"""For handlers: `entrance: TheEntrance`."""
