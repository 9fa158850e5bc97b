"""Events of Alibaba Cloud's ActionTrail, as its API and its trails have them."""

from datetime import datetime

from appliance.core.checks import AuditEvent, EventOutcome
from appliance.outcome.sources.reading import (
    Json,
    is_read,
    mapping,
    named,
    named_inside,
    parse_time,
    text,
)


def is_actiontrail(record: Json) -> bool:
    """Whether it is an event of ActionTrail."""
    return "eventId" in record and "eventName" in record and "userIdentity" in record


def time_of(record: Json) -> datetime | None:
    """When it happened, to the second; None: it is none."""
    return parse_time(record.get("eventTime")) if is_actiontrail(record) else None


def to_event(record: Json) -> AuditEvent | None:
    """An entry as an event; None for what has no time, and for reads."""
    time, name = time_of(record), text(record.get("eventName"))
    way = text(record.get("eventRW"))
    if time is None or (way == "Read" if way else is_read(name)):
        return None
    parameters = mapping(record.get("requestParameterJson")) or mapping(
        record.get("requestParameters")
    )
    answer = mapping(record.get("responseElements"))
    code = text(record.get("errorCode"))
    kind, target = _target(record)
    return AuditEvent(
        time=time,
        id=text(record.get("eventId")),
        service=text(record.get("serviceName")) or text(record.get("eventSource")).split(".")[0],
        name=name,
        actor=_actor(mapping(record.get("userIdentity"))),
        outcome=EventOutcome.FAILURE if code else EventOutcome.SUCCESS,
        target_type=kind,
        target_id=target or named_inside(_without_request(answer), "id"),
        target_name=named(parameters, "name"),
        request_id=text(record.get("requestId")),
        error_code=code,
        parameters=parameters,
        raw=record,
    )


def _actor(who: Json) -> str:
    """The RAM user's name; of the account itself `root`; of a role `role:session`."""
    return text(who.get("userName")) or ("root" if text(who.get("type")) == "root-account" else "")


def _target(record: Json) -> tuple[str, str]:
    """Kind and id of the first thing that it is about: several stand in a list."""
    for kind, ids in mapping(record.get("referencedResources")).items():
        if isinstance(ids, list) and ids:
            return kind, text(ids[0])
    kinds, names = text(record.get("resourceType")), text(record.get("resourceName"))
    return kinds.split(";")[0], names.split(";")[0].split(",")[0]


def _without_request(answer: Json) -> Json:
    return {key: value for key, value in answer.items() if key != "RequestId"}
