"""Audit logs of OpenStack: files of notifications and CADF events, joined by request."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from threading import Lock

from appliance.core.checks import AuditEvent
from appliance.outcome.sources.file_source import Dialect, FileSource
from appliance.outcome.sources.openstack import join, known_names, to_event
from appliance.outcome.sources.reading import Json, mapping, parse_time, text

_CADF = "http://schemas.dmtf.org/cloud/audit/1.0/event"
_SERVICES = {
    "network": "neutron",
    "compute": "nova",
    "api": "nova",
    "volume": "cinder",
    "snapshot": "cinder",
    "backup": "cinder",
    "image": "glance",
    "identity": "keystone",
    "objectstorage": "swift",
    "orchestration": "heat",
    "dns": "designate",
}
"""By the first word of a publisher."""
_OBSERVERS = {
    "network": "neutron",
    "compute": "nova",
    "storage/block": "cinder",
    "storage/image": "glance",
    "storage/object": "swift",
    "security": "keystone",
    "image": "glance",
    "volume": "cinder",
    "object": "swift",
}
"""By the type of a CADF observer, without `service/`."""


def is_notification(record: Json) -> bool:
    """Whether it is in one of these shapes."""
    return (
        "oslo.message" in record
        or ("event_type" in record and "payload" in record)
        or record.get("typeURI") == _CADF
    )


def flat(record: Json) -> Json:
    """A line as a collector would have written it; one that is so already as it stands."""
    if "oslo.message" in record:
        record = mapping(record["oslo.message"])
    if record.get("typeURI") == _CADF:
        record = {"event_type": _type_of(record), "payload": record}
    if "event_type" not in record or "raw" in record:
        return record
    payload = mapping(record.get("payload"))
    return _flat(record, payload if payload.get("typeURI") == _CADF else {})


def _type_of(cadf: Json) -> str:
    """An API's is an HTTP response; Keystone's `created.project` is identity.project.created."""
    if "requestPath" in cadf:
        return "audit.http.request" if cadf.get("outcome") == "pending" else "audit.http.response"
    verb, _, kind = text(cadf.get("action")).partition(".")
    return f"identity.{kind}.{verb}" if kind else verb


def _flat(message: Json, cadf: Json) -> Json:
    who, target = mapping(cadf.get("initiator")), mapping(cadf.get("target"))
    name, payload = text(message.get("event_type")), mapping(message.get("payload"))
    is_error = name.endswith(".error") or text(message.get("priority")) == "ERROR"
    plain = "" if cadf else ("failure" if is_error else "success")
    return {
        "id": text(message.get("message_id")) or text(cadf.get("id")),
        "time": message.get("timestamp") or cadf.get("eventTime"),
        "service": _service(text(message.get("publisher_id")), cadf),
        "event": name,
        "request_id": text(who.get("request_id")) or text(message.get("_context_request_id")),
        "user": text(who.get("username"))
        or text(who.get("name"))
        or text(message.get("_context_user_name")),
        "user_id": text(who.get("id")) or text(message.get("_context_user_id")),
        "project_id": text(who.get("project_id")) or text(message.get("_context_project_id")),
        "action": text(cadf.get("action")),
        "outcome": text(cadf.get("outcome")) or plain,
        "target_type": text(target.get("typeURI")),
        "target_id": text(target.get("id")),
        # of an API's own event that is the service
        "target_name": "" if "requestPath" in cadf else text(target.get("name")),
        "path": text(cadf.get("requestPath")),
        "http_status": text(mapping(cadf.get("reason")).get("reasonCode")),
        "agent": text(mapping(who.get("host")).get("agent")),
        "raw": {"event_type": name, "payload": payload},
    }


def _service(publisher: str, cadf: Json) -> str:
    observer = text(mapping(cadf.get("observer")).get("typeURI")).removeprefix("service/")
    for kind, service in _OBSERVERS.items():
        if observer.startswith(kind):
            return service
    first = publisher.split(".")[0]
    return _SERVICES.get(first, first)


def time_of(record: Json) -> datetime | None:
    """When it happened; None: it is no line of such a log."""
    fields = flat(record)
    return parse_time(fields.get("time")) if fields.get("event") else None


def event_of(record: Json) -> AuditEvent | None:
    """A line of any shape as an event, not joined with others yet."""
    return to_event(flat(record))


class CadfSource(FileSource):
    """Such files; remembers the names that it has met, since deletions tell an id only."""

    def __init__(self, path: Path, *, late_s: float = 0.0, skew_s: float = 0.0) -> None:
        self._names: dict[str, str] = {}
        # Invariant: names are read while nobody adds some.
        self._naming = Lock()
        dialect = Dialect(
            name="OpenStack's notifications or CADF events",
            to_event=event_of,
            time_of=time_of,
            finish=self._join,
        )
        super().__init__(path, dialect, late_s=late_s, skew_s=skew_s)

    def learn(self, names: Mapping[str, str]) -> None:
        """Take in names of resources by id, known from elsewhere."""
        with self._naming:
            self._names.update(names)

    def _join(self, events: Sequence[AuditEvent]) -> Sequence[AuditEvent]:
        self.learn(known_names(events))
        with self._naming:
            names = dict(self._names)
        return [event for event in join(events, names) if not _is_read(event)]


def _is_read(event: AuditEvent) -> bool:
    return str(event.raw.get("action") or "").startswith("read")
