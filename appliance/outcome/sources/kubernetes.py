"""Audit events of Kubernetes (`audit.k8s.io/v1`), as an API server writes or posts them."""

from datetime import datetime

from appliance.core.checks import AuditEvent, EventOutcome
from appliance.outcome.sources.file_source import Dialect
from appliance.outcome.sources.reading import Json, mapping, parse_time, text

_READS = frozenset({"get", "list", "watch", "head", "options"})
_DONE = frozenset({"ResponseComplete", "Panic"})
_CORE = "core"


def is_kubernetes(record: Json) -> bool:
    """Whether it is an audit event of Kubernetes."""
    return text(record.get("apiVersion")).startswith("audit.k8s.io/") and "auditID" in record


def time_of(record: Json) -> datetime | None:
    """When its request came; None: it is none."""
    return parse_time(record.get("requestReceivedTimestamp")) if is_kubernetes(record) else None


def to_event(record: Json) -> AuditEvent | None:
    """`create deployments`, `update deployments/scale`; None before the answer, and for reads.

    The time is that of the request, not of the answer: what was asked for before is not done now.
    """
    time, verb = time_of(record), text(record.get("verb"))
    if time is None or not verb or verb in _READS or text(record.get("stage")) not in _DONE:
        return None
    about, answer = mapping(record.get("objectRef")), mapping(record.get("responseObject"))
    request, status = mapping(record.get("requestObject")), mapping(record.get("responseStatus"))
    resource = "/".join(filter(None, (text(about.get("resource")), text(about.get("subresource")))))
    meta = mapping(answer.get("metadata"))
    wanted = mapping(request.get("metadata"))
    code = text(status.get("code"))
    has_failed = not code.isdecimal() or int(code) >= 400
    id = text(record.get("auditID"))
    return AuditEvent(
        time=time,
        id=f"{id}/{text(record.get('stage'))}",
        service=text(about.get("apiGroup")) or _CORE,
        name=f"{verb} {resource or text(record.get('requestURI'))}",
        actor=_actor(record),
        outcome=EventOutcome.FAILURE if has_failed else EventOutcome.SUCCESS,
        target_type=text(about.get("resource")),
        target_id=text(about.get("uid")) or text(meta.get("uid")),
        target_name=text(about.get("name")) or text(meta.get("name")) or text(wanted.get("name")),
        request_id=id,
        error_code=(text(status.get("reason")) or code) if has_failed else "",
        parameters={**request, "namespace": text(about.get("namespace"))},
        raw=record,
    )


def _actor(record: Json) -> str:
    """Who acted; where somebody acted as another, that other."""
    taken_for = mapping(record.get("impersonatedUser"))
    return text(taken_for.get("username")) or text(mapping(record.get("user")).get("username"))


KUBERNETES = Dialect(name="Kubernetes' audit events", to_event=to_event, time_of=time_of)
