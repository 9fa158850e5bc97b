"""Audit events that were posted to us: their formats, and reading them from the store."""

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

_MAX_DEPTH = 4
_LISTS = ("Records", "Events", "items", "events")
_WRAPPINGS = ("detail", "data", "event")
"""Of EventBridge, of Alibaba Cloud's EventBridge, and of Simple Log Service."""


def posted_events(body: object, own_dialect: Dialect) -> list[AuditEvent]:
    """The events in a request body; reads are left out.

    Args:
        body: An entry, a list of some, or a cloud's own wrapping of them.
        own_dialect: How entries are written that are in no cloud's shape.

    Raises:
        OutcomeError: There is an entry in it that is none of these.
    """
    events = []
    for entry in _entries(body, 0):
        is_known, event = _parse_entry(entry, own_dialect)
        if not is_known:
            raise OutcomeError(
                "an entry is no record of CloudTrail, ActionTrail, Kubernetes or OpenStack, and has"
                f" no time and name by audit.fields; its keys: {', '.join(map(str, entry))[:200]}"
            )
        if event is not None:
            events.append(event)
    return events


def _parse_entry(entry: Json, own_dialect: Dialect) -> tuple[bool, AuditEvent | None]:
    """Whether the entry has a known format, and the event that it records."""
    if cloudtrail.is_cloudtrail(entry):
        return True, cloudtrail.to_event(entry)
    if kubernetes.is_kubernetes(entry):
        return True, kubernetes.to_event(entry)
    if actiontrail.is_actiontrail(entry):
        return True, actiontrail.to_event(entry)
    if is_notification(entry):
        return True, event_of(entry)
    event = own_dialect.to_event(entry)
    return event is not None, event


def _entries(body: object, depth: int) -> Iterator[Json]:
    if depth > _MAX_DEPTH:
        return
    if isinstance(body, list):
        for item in body:
            yield from _entries(item, depth + 1)
    elif isinstance(body, Mapping):
        nested = next((body[key] for key in _LISTS if isinstance(body.get(key), list)), None)
        if nested is None:
            nested = next((body[key] for key in _WRAPPINGS if _is_wrapped(body.get(key))), None)
        if nested is None:
            yield body
        else:
            yield from _entries(nested, depth + 1)
    else:
        raise OutcomeError("expected a JSON object, or a list of objects")


def _is_wrapped(nested: object) -> bool:
    """Whether it holds a cloud's record, and is not just something of that name."""
    return isinstance(nested, Mapping) and (
        cloudtrail.is_cloudtrail(nested)
        or actiontrail.is_actiontrail(nested)
        or _is_wrapped(nested.get("event"))
    )


LONGEST_BODY = 1 << 20
"""Bytes of a request."""
_MAX_EVENTS = 5000
_PREFIX = "whsec_"
_MIN_KEY_BYTES = 24
"""Bytes of a key, as the specification says (standardwebhooks.com)."""
_RETENTION_MARGIN = timedelta(days=1)
"""How much longer events are kept than the latest can be asked for."""


class UnsignedError(OutcomeError):
    """The request is not signed, or not by the expected sender."""


class IntakeResult(NamedTuple):
    """How many of a request's events are new, and how many were known."""

    taken: int
    """Events that are new."""
    known: int
    """Events that had come before."""


def store_posted(
    console: str,
    settings: AuditSettings,
    headers: Mapping[str, str],
    body: bytes,
    store: Store,
    now: datetime,
) -> IntakeResult:
    """Store the events of a request. Blocking.

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
    if len(events) > _MAX_EVENTS:
        raise OutcomeError(f"more than {_MAX_EVENTS} events; post fewer at a time")
    events_by_id: dict[str, AuditEvent] = {identity(event): event for event in events}
    oldest = now - _RETENTION_MARGIN - 2 * timedelta(seconds=late_s(settings))
    new_count = store.audit_events.add(console, events_by_id, now, oldest)
    return IntakeResult(new_count, len(events) - new_count)


def secret_for(console: str, settings: AuditSettings) -> str:
    """The secret for signatures; `SetupError` if it is not set, or not a valid one."""
    try:
        secret = secret_of(settings)
    except OutcomeError as exc:
        raise SetupError(f"consoles.{console}: {exc}") from exc
    learn(secret.removeprefix(_PREFIX))
    if not _is_secret(secret):
        raise SetupError(
            f"consoles.{console}.audit.key_secret_env: {settings.key_secret_env} holds no secret of"
            f" a webhook: expected `{_PREFIX}` and {_MIN_KEY_BYTES} bytes or more in base64, as in"
            f" `echo {_PREFIX}$(head -c 32 /dev/urandom | base64 -w0)`"
        )
    return secret


def _is_secret(text: str) -> bool:
    try:
        key = base64.b64decode(text.removeprefix(_PREFIX), validate=True)
    except ValueError:
        return False
    return text.startswith(_PREFIX) and len(key) >= _MIN_KEY_BYTES


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


_FAR_FUTURE = datetime(9000, 1, 1)  # noqa: DTZ001 - gets the zone of the time that it stands beside


class ReceivedSource:
    """Events received before an attempt began count as earlier, by our own clock."""

    def __init__(
        self, console: str, settings: AuditSettings, store: Store | None, late_s: float
    ) -> None:
        self.late_s = late_s
        self._console = console
        self._settings = settings
        self._store = store
        self._clock_skew = timedelta(seconds=0.0 if late_s else settings.skew_s)

    async def check(self) -> None:
        """Check that there is a secret to verify signatures with."""
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
        table, slow = self._store.audit_events, self._clock_skew
        latest = until or _FAR_FUTURE.replace(tzinfo=since.tzinfo)
        try:
            posted = await asyncio.to_thread(table.since, self._console, since - slow, latest)
        except StoreError as exc:
            raise OutcomeError(str(exc)) from exc
        old = [entry.event.request_id for entry in posted if entry.received_at < since]
        return tuple(
            in_order(
                entry.event
                for entry in posted
                if entry.received_at >= since
                and (
                    entry.event.time >= since
                    or not entry.event.request_id
                    or entry.event.request_id not in old
                )
            )
        )

    async def close(self) -> None:
        """Nothing to close: the store belongs to its owner."""
