"""The practice cloud's audit log, from its API or its file."""

from collections.abc import Iterable

from appliance.core.checks import AuditEvent
from appliance.core.errors import OutcomeError
from appliance.outcome.sources.mapped import Fields
from appliance.outcome.sources.reading import Json

_FIELDS = Fields({})


def practice_events(records: Iterable[Json]) -> tuple[AuditEvent, ...]:
    """Turn the practice cloud's records into events, in the order given.

    Raises:
        OutcomeError: A record has no time or no name.
    """
    return tuple(map(_event, records))


def _event(record: Json) -> AuditEvent:
    event = _FIELDS.to_event(record)
    if event is None:
        raise OutcomeError(
            "an audit record of the practice cloud has no usable time or name: "
            f"{dict(record)!r:.200}"
        )
    return event
