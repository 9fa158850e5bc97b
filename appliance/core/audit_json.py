"""The audit log of an attempt as JSON lines and back: kept beside its verdict.

The first line says what the events were held against; each other line is one event.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from pydantic import TypeAdapter, ValidationError

from appliance.core.checks import AuditEvent
from appliance.core.errors import OutcomeError
from appliance.core.jsonable import to_jsonable
from appliance.core.secrets import without_secrets

MEDIA_TYPE = "application/jsonl"
_SCHEMA_VERSION = 1
_VERSION_KEY = "schema_version"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditLog:
    """What the backend logged of an attempt, and the values that were bound in it."""

    events: tuple[AuditEvent, ...]
    bindings: Mapping[str, str] = field(default_factory=dict)
    """With `unique`, the suffix of made-up names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    schema_version: int
    bindings: dict[str, str] = field(default_factory=dict)


def audit_lines(log: AuditLog) -> bytes:
    """The log as JSON lines, without secrets."""
    head = {_VERSION_KEY: _SCHEMA_VERSION, "bindings": log.bindings}
    lines = [json.dumps(to_jsonable(one), ensure_ascii=False) for one in (head, *log.events)]
    return without_secrets("".join(f"{line}\n" for line in lines)).encode("utf-8", "replace")


def read_audit(data: bytes, name: str = "the audit log") -> AuditLog:
    """What `audit_lines` wrote; lines of events without the first one are fine too.

    Raises:
        OutcomeError: A line is no JSON, no event or of another version; it says which line.
    """
    bindings: Mapping[str, str] = {}
    events: list[AuditEvent] = []
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        try:
            plain = json.loads(line)
            if isinstance(plain, dict) and _VERSION_KEY in plain:
                bindings = _head(plain, where).bindings
            else:
                events.append(_event(plain, where))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            raise OutcomeError(f"{where}: no audit event: {place}: {first['msg']}") from error
        except (ValueError, RecursionError) as error:
            raise OutcomeError(f"{where}: not valid JSON: {error}") from error
    return AuditLog(events=tuple(events), bindings=bindings)


def _head(plain: Mapping[str, object], where: str) -> _Head:
    head = _heads().validate_python(plain)
    if head.schema_version != _SCHEMA_VERSION:
        raise OutcomeError(
            f"{where}: schema version {head.schema_version}; this appliance reads"
            f" {_SCHEMA_VERSION}: use the appliance that wrote it, or a newer one"
        )
    return head


def _event(plain: object, where: str) -> AuditEvent:
    event = _events().validate_python(plain)
    if event.time.tzinfo is None:
        raise OutcomeError(f"{where}: the time has no time zone: write it with one, as 09:30:00Z")
    return event


@cache
def _heads() -> TypeAdapter[_Head]:
    return TypeAdapter(_Head)


@cache
def _events() -> TypeAdapter[AuditEvent]:
    return TypeAdapter(AuditEvent)
