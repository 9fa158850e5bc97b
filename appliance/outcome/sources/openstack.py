"""OpenStack's audit log: CADF events and the services' own notifications, one JSON object a line.

CADF says who asked and what came of it; the notification of the same request names the resource.
Both are kept as events; `join` gives each what only the other knows. Files are read in `cadf`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from appliance.core.checks import AuditEvent, EventOutcome
from appliance.outcome.sources.reading import Json, mapping, parse_time, text

HTTP_RESPONSE = "audit.http.response"
_LONGEST_REQUEST = timedelta(seconds=10)
_OBJECT_PATH = re.compile(r"^/v1/AUTH_[^/]+/(?P<container>[^/]+)(?:/(?P<object>.+))?$")
_CADF_FIELDS = frozenset(
    {"typeURI", "eventType", "id", "eventTime", "observer", "initiator", "target", "action"}
    | {"outcome", "reporterchain", "tags", "requestPath", "reason"}
)


def to_event(record: Json) -> AuditEvent | None:
    """One line of the log as an event; None for those without a time and for a request's start."""
    time, name = parse_time(record.get("time")), text(record.get("event"))
    if time is None or not name or name == "audit.http.request":
        return None
    payload = _payload(record)
    kind = name.split(".", 1)[0]
    body = _body(payload, kind)
    is_cadf = "typeURI" in payload
    return AuditEvent(
        time=time,
        id=_id(record, payload, name),
        service=_service(text(record.get("service"))),
        name=name,
        actor=text(record.get("user")),
        outcome=_outcome(record),
        target_type=text(record.get("target_type")),
        target_id=_target_id(record, kind, body),
        target_name=text(record.get("target_name") or (body.get("name") if not is_cadf else "")),
        request_id=text(record.get("request_id")),
        error_code=_error_code(record, payload),
        parameters=_parameters(record, body),
        raw=record,
    )


def join(
    events: Sequence[AuditEvent], names: Mapping[str, str] | None = None
) -> tuple[AuditEvent, ...]:
    """Give every event the user of its request, and the name and id of the resource it is about.

    The user id of a notification is no help: it is the resource's owner, not who acted.

    Args:
        events: Events of whole requests, oldest first.
        names: Names of resources by id, where they are known from elsewhere.
    """
    names = {**(names or {}), **known_names(events)}
    events = _adopt(events)
    actors = {e.request_id: e.actor for e in events if e.request_id and e.actor}
    targets = _targets(events)
    return tuple(_join(event, actors, names, targets) for event in events)


def _adopt(events: Sequence[AuditEvent]) -> list[AuditEvent]:
    """Give notifications of a request id of their own (Nova's `flavor.create`) to their request.

    It is the last one to the same service before them that did such a thing to such a resource.
    """
    responses = [e for e in events if e.name == HTTP_RESPONSE and e.actor]
    answered = {e.request_id for e in responses}
    adopted = []
    for event in events:
        if not event.actor and event.request_id not in answered:
            parents = [r for r in responses if _is_parent(r, event)]
            if parents:
                parent = max(parents, key=lambda response: response.time)
                event = replace(event, actor=parent.actor, request_id=parent.request_id)
        adopted.append(event)
    return adopted


def _is_parent(response: AuditEvent, event: AuditEvent) -> bool:
    kind, _, verb = event.name.partition(".")
    path = str(response.parameters.get("path", "")).replace("-", "_")
    return (
        response.service == event.service
        and timedelta(0) <= event.time - response.time <= _LONGEST_REQUEST
        and verb.startswith(str(response.parameters.get("action") or "-"))
        and f"/{kind}" in path
    )


def known_names(events: Iterable[AuditEvent]) -> dict[str, str]:
    """The names of resources by id, as the events tell them; the last one counts."""
    return {e.target_id: e.target_name for e in events if e.target_id and e.target_name}


def _join(
    event: AuditEvent,
    actors: Mapping[str, str],
    names: Mapping[str, str],
    targets: Mapping[tuple[str, str], AuditEvent],
) -> AuditEvent:
    target_id, target_name = event.target_id, event.target_name
    if event.name == HTTP_RESPONSE and (named := targets.get((event.request_id, event.service))):
        target_id, target_name = target_id or named.target_id, target_name or named.target_name
    return replace(
        event,
        actor=event.actor or actors.get(event.request_id, ""),
        target_id=target_id,
        target_name=target_name or names.get(target_id, ""),
    )


def _targets(events: Iterable[AuditEvent]) -> dict[tuple[str, str], AuditEvent]:
    """The last notification of each request and service that tells the resource's id."""
    return {
        (e.request_id, e.service): e
        for e in events
        if e.request_id
        and e.name != HTTP_RESPONSE
        and e.target_id
        and not e.name.endswith(".start")
    }


def _id(record: Json, payload: Json, name: str) -> str:
    """Of the message, else of the CADF event in it, which a request and its response share."""
    message = mapping(record.get("raw")).get("message_id")
    own_id = record.get("id") or message or (payload.get("id") if "typeURI" in payload else "")
    return f"{own_id}/{name}" if own_id else ""


def _service(name: str) -> str:
    """`nova-compute` and `nova-api` are both nova."""
    return name.partition("-")[0]


def _payload(record: Json) -> Json:
    return mapping(mapping(record.get("raw")).get("payload"))


def _body(payload: Json, kind: str) -> Json:
    """What the notification says of the resource, without its wrapping."""
    plain = unwrap(payload)
    if not isinstance(plain, Mapping):
        return {}
    wrapped = [plain.get(kind), plain.get(f"{kind}_interface"), plain.get(f"{kind}s")]
    return next((inner for inner in wrapped if isinstance(inner, Mapping)), plain)


def unwrap(value: Any) -> Any:  # Any: the cloud's own JSON
    """Nova's versioned objects without `nova_object.…`; everything else as it stands."""
    if isinstance(value, Mapping):
        data = value.get("nova_object.data", value)
        return {key: unwrap(entry) for key, entry in data.items()}
    if isinstance(value, list):
        return [unwrap(entry) for entry in value]
    return value


def _outcome(record: Json) -> EventOutcome:
    if text(record.get("http_status"))[:1] in ("4", "5"):
        return EventOutcome.FAILURE
    outcome = text(record.get("outcome"))
    return EventOutcome(outcome) if outcome in ("success", "failure") else EventOutcome.UNKNOWN


def _target_id(record: Json, kind: str, body: Json) -> str:
    if text(record.get("event")) == HTTP_RESPONSE:
        return ""  # the middleware writes the service's name there
    if kind == "identity":
        return text(record.get("target_id"))
    own = body.get(f"{kind}_id") or body.get("flavorid") or record.get("target_id")
    return text(own or body.get("id") or body.get("uuid"))


def _error_code(record: Json, payload: Json) -> str:
    status = text(record.get("http_status"))
    if status[:1] in ("4", "5"):
        return status
    return text(mapping(payload.get("reason")).get("reasonType"))


def _parameters(record: Json, body: Json) -> Json:
    if not text(record.get("event")).startswith("audit."):
        wrapping = _CADF_FIELDS if "typeURI" in body else frozenset()
        return {key: value for key, value in body.items() if key not in wrapping}
    path = text(record.get("path"))
    parameters: dict[str, Any] = {"path": path, "http_status": text(record.get("http_status"))}
    parameters["action"] = text(record.get("action"))
    if match := _OBJECT_PATH.match(path):
        parameters.update({key: value for key, value in match.groupdict().items() if value})
    return parameters
