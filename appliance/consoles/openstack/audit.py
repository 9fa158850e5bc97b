"""Reads from the audit log what an account did, and which resources it created."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from appliance.consoles.openstack.cloud import APP
from appliance.core.checks import AuditEvent, EventOutcome

HTTP_RESPONSE = "audit.http.response"
_NOISE = ("scheduler.", "compute_task.", "metrics.", "volume.usage", "identity.authenticate")
_CREATED = {
    "network.create.end": "network",
    "subnet.create.end": "subnet",
    "port.create.end": "port",
    "router.create.end": "router",
    "security_group.create.end": "security_group",
    "security_group_rule.create.end": "security_group_rule",
    "floatingip.create.end": "floating_ip",
    "instance.create.start": "instance",
    "instance.create.error": "instance",
    "instance.create.end": "instance",
    "server_group.create": "server_group",
    "keypair.create.end": "keypair",
    "keypair.import.end": "keypair",
    "volume.create.start": "volume",
    "volume.create.end": "volume",
    "snapshot.create.start": "snapshot",
    "snapshot.create.end": "snapshot",
    "image.create": "image",
    "flavor.create": "flavor",
    "aggregate.create.end": "host_aggregate",
    "volume_type.create": "volume_type",
    "identity.project.created": "project",
    "identity.user.created": "user",
    "identity.group.created": "group",
    "identity.role.created": "role",
}
_NAMELESS = frozenset(
    f"identity.{kind}.{verb}"
    for kind in ("project", "user", "role")
    for verb in ("created", "updated")
)


@dataclass(frozen=True, slots=True)
class CreatedResource:
    """A resource that was created in the cloud and is to be removed."""

    kind: str
    id: str
    name: str = ""
    project: str = ""
    """Id of the project, where removal needs it."""

    def __str__(self) -> str:
        return f"{self.kind.replace('_', ' ')} {self.name or self.id}"


def events_of(user: str, events: Sequence[AuditEvent]) -> tuple[AuditEvent, ...]:
    """The user's own actions, without our requests, reads, start events and services' events."""
    own_request_ids = {e.request_id for e in events if e.request_id and _has_own_agent(e)}
    return tuple(
        event
        for event in events
        if event.actor == user
        and not _is_noise(event)
        and not _is_own_request(event, own_request_ids)
    )


def made_by(user: str, events: Sequence[AuditEvent]) -> tuple[CreatedResource, ...]:
    """The resources that the user created through the console, oldest first, each once."""
    own_request_ids = {e.request_id for e in events if e.request_id and _has_own_agent(e)}
    resources = (
        resource
        for event in events
        if event.actor == user and not _is_own_request(event, own_request_ids)
        for resource in _created_resources(event)
    )
    return tuple(dict.fromkeys(resources))


def nameless_identities(events: Iterable[AuditEvent]) -> dict[str, str]:
    """Kinds (`project`, `user`, `role`) of identities logged without a name, by id."""
    return {
        event.target_id: event.name.split(".")[1]
        for event in events
        if event.name in _NAMELESS and event.target_id and not event.target_name
    }


def _created_resources(event: AuditEvent) -> Iterable[CreatedResource]:
    kind = _CREATED.get(event.name)
    project = str(event.raw.get("project_id") or "")
    if kind == "keypair":
        yield CreatedResource(kind, event.target_name, event.target_name, project)
    elif kind and event.target_id:
        yield CreatedResource(kind, event.target_id, event.target_name, project)
    elif _is_new_container(event):
        container = str(event.parameters["container"])
        yield CreatedResource(
            "container", container, container, str(event.parameters["path"]).split("/")[2][5:]
        )


def _is_new_container(event: AuditEvent) -> bool:
    return (
        event.service == "swift"
        and event.name == HTTP_RESPONSE
        and event.outcome is EventOutcome.SUCCESS
        and event.parameters.get("http_status") == "201"
        and "container" in event.parameters
        and "object" not in event.parameters
    )


def _is_noise(event: AuditEvent) -> bool:
    is_read = str(event.raw.get("action") or "").startswith("read")
    return is_read or event.name.endswith(".start") or event.name.startswith(_NOISE)


def _has_own_agent(event: AuditEvent) -> bool:
    return str(event.raw.get("agent") or "").startswith(APP)


def _is_own_request(event: AuditEvent, own_request_ids: set[str]) -> bool:
    """Whether we made the request: by user agent if logged, as Swift's request ids may be wrong."""
    if event.raw.get("agent"):
        return _has_own_agent(event)
    return event.request_id in own_request_ids
