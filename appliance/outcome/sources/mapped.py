"""Entries of any JSON log: the settings say which path of an entry is which field of an event."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import UTC, datetime

from appliance.core.checks import AuditEvent
from appliance.core.errors import OutcomeError, SetupError
from appliance.core.near import nearest
from appliance.outcome.paths import descend
from appliance.outcome.sources.file_source import Dialect
from appliance.outcome.sources.reading import Json, mapping, outcome_of, parse_time, text

FIELDS = tuple(field.name for field in fields(AuditEvent) if field.name != "raw")
_TEXTS = tuple(set(FIELDS) - {"time", "name", "outcome", "parameters"})
_USUAL = {"id": ("id", "event_id"), "time": ("time", "timestamp", "@timestamp")}
"""Where a field is looked for that the settings do not name; others under their own name."""
_MILLISECONDS = 1e11
"""A number beyond counts milliseconds, or smaller parts: as seconds it is the year 5138."""


class Fields:
    """A mapping from paths of entries to fields of events."""

    def __init__(self, paths: Mapping[str, str]) -> None:
        """Raises `SetupError` where there is no such field."""
        for name in paths:
            if name not in FIELDS:
                hint = nearest(name, FIELDS)
                raise SetupError(f"audit.fields: an event has no field {name!r}; {hint}")
        self._paths = {
            name: (paths[name],) if name in paths else _USUAL.get(name, (name,)) for name in FIELDS
        }

    def time_of(self, record: Json) -> datetime | None:
        """When it happened; None: it has no usable time."""
        return _time(self._value("time", record))

    def to_event(self, record: Json) -> AuditEvent | None:
        """An entry as an event; None where it has no usable time or no name."""
        time, name = self.time_of(record), text(self._value("name", record))
        if time is None or not name:
            return None
        return AuditEvent(
            time=time,
            name=name,
            outcome=outcome_of(self._value("outcome", record)),
            parameters=mapping(self._value("parameters", record)),
            raw=record,
            **{field: text(self._value(field, record)) for field in _TEXTS},
        )

    def _value(self, field: str, record: Json) -> object:
        """The first value at the first path that leads to one."""
        for path in self._paths[field]:
            for value in descend(record, tuple(path.split("."))):
                if value is not None:
                    return value
        return None


def mapped_dialect(paths: Mapping[str, str]) -> Dialect:
    """The dialect of a log whose fields are configured; `SetupError`: there is no such field."""
    extractor = Fields(paths)
    return Dialect(name="a time and a name", to_event=extractor.to_event, time_of=extractor.time_of)


def _time(value: object) -> datetime | None:
    """A time stamp in ISO form, or seconds (or smaller parts of them) since 1970."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return parse_time(value)
    while abs(value) > _MILLISECONDS:
        value /= 1000
    try:
        return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        return None


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
