"""The practice cloud's audit log, from its API or its file."""

from collections.abc import Iterable, Mapping
from typing import Any

from appliance.core.checks import AuditEvent, EventOutcome
from appliance.core.errors import OutcomeError
from appliance.outcome.sources.reading import parse_time


def practice_events(
    records: Iterable[Mapping[str, Any]],  # Any: the cloud's own JSON
) -> tuple[AuditEvent, ...]:
    """Turn the practice cloud's records into events, in the order given.

    Raises:
        OutcomeError: A record has no time or no name.
    """
    return tuple(_event(record) for record in records)


def _event(record: Mapping[str, Any]) -> AuditEvent:  # Any: the cloud's own JSON
    time, name = parse_time(record.get("time")), _text(record, "name")
    if time is None or not name:
        raise OutcomeError(
            "an audit record of the practice cloud has no usable time or name: "
            f"{dict(record)!r:.200}"
        )
    parameters = record.get("parameters")
    return AuditEvent(
        time=time,
        service=_text(record, "service"),
        name=name,
        actor=_text(record, "actor"),
        outcome=_outcome(_text(record, "outcome")),
        target_type=_text(record, "target_type"),
        target_id=_text(record, "target_id"),
        target_name=_text(record, "target_name"),
        request_id=_text(record, "request_id"),
        error_code=_text(record, "error_code"),
        parameters=parameters if isinstance(parameters, Mapping) else {},
        raw=record,
    )


def _text(record: Mapping[str, Any], key: str) -> str:  # Any: the cloud's own JSON
    value = record.get(key)
    return "" if value is None else str(value)


def _outcome(text: str) -> EventOutcome:
    try:
        return EventOutcome(text)
    except ValueError:
        return EventOutcome.UNKNOWN
