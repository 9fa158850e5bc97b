"""What is posted to us, told apart by its shape: clouds' own records, or those of the settings."""

from collections.abc import Iterator, Mapping

from appliance.core.checks import AuditEvent
from appliance.core.errors import OutcomeError
from appliance.outcome.sources import actiontrail, cloudtrail, kubernetes
from appliance.outcome.sources.cadf import event_of, is_notification
from appliance.outcome.sources.file_source import Dialect
from appliance.outcome.sources.reading import Json

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
