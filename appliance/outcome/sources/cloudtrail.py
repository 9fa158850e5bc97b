"""Records of AWS CloudTrail, as its log files, its API and EventBridge have them."""

import re
from datetime import datetime

from appliance.core.checks import AuditEvent, EventOutcome
from appliance.outcome.sources.reading import (
    Json,
    is_read,
    mapping,
    named,
    named_inside,
    outcome_of,
    parse_time,
    text,
)

_HOST = re.compile(r"\.amazonaws\.com(\.cn)?$")
_NO_TARGETS = frozenset({"requestid", "ownerid", "accountid", "clienttoken", "eventid"})


def is_cloudtrail(record: Json) -> bool:
    """Whether it is a record of CloudTrail."""
    return "eventID" in record and "eventSource" in record and "eventName" in record


def time_of(record: Json) -> datetime | None:
    """When it happened, to the second; None: it is none."""
    return parse_time(record.get("eventTime")) if is_cloudtrail(record) else None


def to_event(record: Json) -> AuditEvent | None:
    """A record as an event; None for what has no time, and for reads."""
    time, name = time_of(record), text(record.get("eventName"))
    read_only = record.get("readOnly")
    if time is None or (is_read(name) if read_only is None else read_only in (True, "true")):
        return None
    parameters, answer = (
        mapping(record.get("requestParameters")),
        mapping(record.get("responseElements")),
    )
    code = text(record.get("errorCode"))
    target = _target(record)
    return AuditEvent(
        time=time,
        id=text(record.get("eventID")),
        service=_HOST.sub("", text(record.get("eventSource"))),
        name=name,
        actor=_actor(mapping(record.get("userIdentity"))),
        outcome=_outcome(code, name, answer),
        target_type=text(target.get("type")),
        target_id=text(target.get("ARN")) or named_inside(_without_noise(answer), "id", "arn"),
        target_name=named(parameters, "name"),
        request_id=text(record.get("requestID")),
        error_code=code,
        parameters=parameters,
        raw=record,
    )


def _outcome(code: str, name: str, answer: Json) -> EventOutcome:
    if code:
        return EventOutcome.FAILURE
    if name == "ConsoleLogin":
        return outcome_of(answer.get(name))
    return EventOutcome.SUCCESS


def _actor(who: Json) -> str:
    """The user's name; of a role that was taken on, that of the session; else the service."""
    if name := text(who.get("userName")):
        return name
    if text(who.get("type")) == "Root":
        return "root"
    _, colon, session = text(who.get("principalId")).partition(":")
    return session if colon else text(who.get("invokedBy"))


def _target(record: Json) -> Json:
    resources = record.get("resources")
    return mapping(resources[0]) if isinstance(resources, list) and resources else {}


def _without_noise(values: Json) -> Json:
    return {key: value for key, value in values.items() if key.lower() not in _NO_TARGETS}
