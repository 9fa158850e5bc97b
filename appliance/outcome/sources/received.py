"""Audit events that were posted to us: in which shape, and from the store."""

import asyncio
import base64
import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from standardwebhooks import Webhook, WebhookVerificationError

from appliance.config import AuditSettings
from appliance.core.checks import AuditEvent
from appliance.core.errors import OutcomeError, SetupError, StoreError
from appliance.core.secrets import learn
from appliance.outcome.sources import actiontrail, cloudtrail, kubernetes
from appliance.outcome.sources.base import late_s
from appliance.outcome.sources.cadf import event_of, is_notification
from appliance.outcome.sources.file_source import Dialect
from appliance.outcome.sources.keys import secret_of
from appliance.outcome.sources.ledger import identity, in_order
from appliance.outcome.sources.mapped import mapped_dialect
from appliance.outcome.sources.reading import Json
from appliance.store.store import Store

_DEEPEST = 4
_LISTS = ("Records", "Events", "items", "events")
_WRAPPINGS = ("detail", "data", "event")
"""Of EventBridge, of Alibaba Cloud's EventBridge, and of Simple Log Service."""


def posted_events(body: object, own: Dialect) -> list[AuditEvent]:
    """The events of what was posted; reads are left out.

    Args:
        body: An entry, a list of some, or a cloud's own wrapping of them.
        own: How entries are written that are in no cloud's shape.

    Raises:
        OutcomeError: There is an entry in it that is none of these.
    """
    events = []
    for entry in _entries(body, 0):
        is_known, event = _event(entry, own)
        if not is_known:
            raise OutcomeError(
                "an entry is no record of CloudTrail, ActionTrail, Kubernetes or OpenStack, and has"
                f" no time and name by audit.fields; its keys: {', '.join(map(str, entry))[:200]}"
            )
        if event is not None:
            events.append(event)
    return events


def _event(entry: Json, own: Dialect) -> tuple[bool, AuditEvent | None]:
    """Whether it is in a known shape, and the event that it tells of."""
    if cloudtrail.is_cloudtrail(entry):
        return True, cloudtrail.to_event(entry)
    if kubernetes.is_kubernetes(entry):
        return True, kubernetes.to_event(entry)
    if actiontrail.is_actiontrail(entry):
        return True, actiontrail.to_event(entry)
    if is_notification(entry):
        return True, event_of(entry)
    event = own.to_event(entry)
    return event is not None, event


def _entries(body: object, depth: int) -> Iterator[Json]:
    if depth > _DEEPEST:
        return
    if isinstance(body, list):
        for one in body:
            yield from _entries(one, depth + 1)
    elif isinstance(body, Mapping):
        inner = next((body[key] for key in _LISTS if isinstance(body.get(key), list)), None)
        if inner is None:
            inner = next((body[key] for key in _WRAPPINGS if _is_wrapped(body.get(key))), None)
        if inner is None:
            yield body
        else:
            yield from _entries(inner, depth + 1)
    else:
        raise OutcomeError("expected a JSON object, or a list of objects")


def _is_wrapped(inner: object) -> bool:
    """Whether a cloud's record stands in it, and not just something of that name."""
    return isinstance(inner, Mapping) and (
        cloudtrail.is_cloudtrail(inner)
        or actiontrail.is_actiontrail(inner)
        or _is_wrapped(inner.get("event"))
    )


LONGEST_BODY = 1 << 20
"""Bytes of a request."""
_MOST_EVENTS = 5000
_PREFIX = "whsec_"
_FEWEST = 24
"""Bytes of a key, as the specification says (standardwebhooks.com)."""
_SPARE = timedelta(days=1)
"""How much longer events are kept than the latest can be asked for."""


class UnsignedError(OutcomeError):
    """It is not signed, or not by whom it should be."""


class IntakeResult(NamedTuple):
    """How many of a request's events are new, and how many were known."""

    taken: int
    """Events that are new."""
    known: int
    """Events that had come before."""


def take(
    console: str,
    settings: AuditSettings,
    headers: Mapping[str, str],
    body: bytes,
    store: Store,
    now: datetime,
) -> IntakeResult:
    """Keep the events of a request. Blocks.

    Raises:
        UnsignedError: See there.
        OutcomeError: It is too large, no JSON, or has entries that tell of no event.
        SetupError: There is no secret to look at signatures with.
    """
    _check_signature(console, settings, headers, body)
    if len(body) > LONGEST_BODY:
        raise OutcomeError(f"the body is longer than {LONGEST_BODY >> 20} MiB; post fewer events")
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as exc:
        raise OutcomeError(f"the body is no JSON: {exc}") from exc
    events = posted_events(message, mapped_dialect(settings.fields))
    if len(events) > _MOST_EVENTS:
        raise OutcomeError(f"more than {_MOST_EVENTS} events; post fewer at a time")
    named: dict[str, AuditEvent] = {identity(event): event for event in events}
    oldest = now - _SPARE - 2 * timedelta(seconds=late_s(settings))
    new = store.audit_events.add(console, named, now, oldest)
    return IntakeResult(new, len(events) - new)


def secret_for(console: str, settings: AuditSettings) -> str:
    """The secret of the signatures; `SetupError`: it is not set, or is none."""
    try:
        secret = secret_of(settings)
    except OutcomeError as exc:
        raise SetupError(f"consoles.{console}: {exc}") from exc
    learn(secret.removeprefix(_PREFIX))
    if not _is_secret(secret):
        raise SetupError(
            f"consoles.{console}.audit.key_secret_env: {settings.key_secret_env} holds no secret of"
            f" a webhook: expected `{_PREFIX}` and {_FEWEST} bytes or more in base64, as in"
            f" `echo {_PREFIX}$(head -c 32 /dev/urandom | base64 -w0)`"
        )
    return secret


def _is_secret(text: str) -> bool:
    try:
        key = base64.b64decode(text.removeprefix(_PREFIX), validate=True)
    except ValueError:
        return False
    return text.startswith(_PREFIX) and len(key) >= _FEWEST


def _check_signature(
    console: str, settings: AuditSettings, headers: Mapping[str, str], body: bytes
) -> None:
    """Check signature and age: a request older than five minutes may be a replayed copy."""
    secret = secret_for(console, settings)
    try:
        Webhook(secret).verify(body, dict(headers), json_parse=False)
    except WebhookVerificationError as exc:
        raise UnsignedError(
            f"the signature is not good ({exc}); sign as standardwebhooks.com says, with the secret"
            " that the settings name"
        ) from exc
    except ValueError:  # signatures that are none at all, and bytes that are no text
        raise UnsignedError("the signature or the body is no text that could be signed") from None


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
