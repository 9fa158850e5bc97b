"""Lists everything that an account of an OpenStack cloud holds; changes nothing."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from appliance.consoles.openstack.audit import CreatedResource
from appliance.consoles.openstack.cloud import Connection, openstacksdk
from appliance.core.resources import Thing

_CALLS_AT_ONCE = 6
_MAX_OBJECTS = 1000
"""Objects in containers with more than this many are not listed."""
_INTERFACE, _INSTANCE_OWNER, _CLOUD_OWNER = "network:router_interface", "compute:", "network:"
"""Prefixes of a port's device owner."""
Resource = Any  # openstacksdk is optional: its types are not there without it


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudResource:
    """One resource that exists."""

    resource: CreatedResource
    created: datetime | None = None
    instance: str = ""
    """The instance that a nameless port or volume was most likely created, and is deleted, with."""

    @property
    def thing(self) -> Thing:
        """The resource as other packages see it."""
        resource = self.resource
        return Thing(kind=resource.kind, id=resource.id, name=resource.name, created=self.created)


class _ListedKind(NamedTuple):
    """How resources of a kind are listed."""

    service: str
    """Its type in Keystone's catalogue: a cloud need not have it."""
    list: Callable[[Connection], Iterable[Resource]]


_PROJECT_KINDS: Mapping[str, _ListedKind] = {
    "instance": _ListedKind("compute", lambda own: own.compute.servers(details=False)),
    "server_group": _ListedKind("compute", lambda own: own.compute.server_groups()),
    "keypair": _ListedKind("compute", lambda own: own.compute.keypairs()),
    "floating_ip": _ListedKind("network", lambda own: own.network.ips(**_project_filter(own))),
    "router": _ListedKind("network", lambda own: own.network.routers(**_project_filter(own))),
    "port": _ListedKind("network", lambda own: _ports(own)),
    "subnet": _ListedKind("network", lambda own: own.network.subnets(**_project_filter(own))),
    "network": _ListedKind("network", lambda own: own.network.networks(**_project_filter(own))),
    "security_group": _ListedKind(
        "network", lambda own: own.network.security_groups(**_project_filter(own))
    ),
    "backup": _ListedKind("block-storage", lambda own: own.block_storage.backups(details=False)),
    "snapshot": _ListedKind(
        "block-storage", lambda own: own.block_storage.snapshots(details=False)
    ),
    "volume": _ListedKind("block-storage", lambda own: own.block_storage.volumes()),
    "image": _ListedKind("image", lambda own: own.image.images(owner=own.current_project_id)),
    "container": _ListedKind("object-store", lambda own: own.object_store.containers()),
}
"""Kinds that belong to a project or to the user."""
_CLOUD_WIDE_KINDS: Mapping[str, _ListedKind] = {
    "flavor": _ListedKind("compute", lambda admin: admin.compute.flavors(is_public=None)),
    "host_aggregate": _ListedKind("compute", lambda admin: admin.compute.aggregates()),
    "volume_type": _ListedKind("block-storage", lambda admin: admin.block_storage.types()),
    "user": _ListedKind("identity", lambda admin: admin.identity.users()),
    "group": _ListedKind("identity", lambda admin: admin.identity.groups()),
    "project": _ListedKind("identity", lambda admin: admin.identity.projects()),
    "role": _ListedKind("identity", lambda admin: admin.identity.roles()),
}
"""Kinds that belong to the whole cloud; only administrators create them."""
CLOUD_WIDE_KINDS = frozenset(_CLOUD_WIDE_KINDS)


def read_resources(own: Connection, is_admin: bool) -> tuple[CloudResource, ...]:
    """Resources in the account's project, and for administrators also cloud-wide ones; blocking."""
    kinds = {**_PROJECT_KINDS, **_CLOUD_WIDE_KINDS} if is_admin else _PROJECT_KINDS
    available = {name: kind for name, kind in kinds.items() if own.has_service(kind.service)}
    with ThreadPoolExecutor(_CALLS_AT_ONCE) as pool:
        lists = pool.map(lambda name: _list_kind(own, name, available[name]), available)
        return tuple(resource for resources in lists for resource in resources)


def _list_kind(own: Connection, kind: str, listing: _ListedKind) -> list[CloudResource]:
    resources = []
    for resource in listing.list(own):
        created = CreatedResource(
            kind, str(resource.id), resource.name or "", own.current_project_id or ""
        )
        resources.append(
            CloudResource(
                resource=created, created=_created_at(resource), instance=_instance(resource)
            )
        )
        if kind == "container":
            resources += _objects(own, resource)
    return resources


def _objects(own: Connection, container: Resource) -> list[CloudResource]:
    """The objects of a container; empty if it was deleted in the meantime."""
    if not container.count or container.count > _MAX_OBJECTS:
        return []
    project = own.current_project_id or ""
    try:
        return [
            CloudResource(
                resource=CreatedResource(
                    "object", f"{container.name}/{entry.name}", entry.name, project
                )
            )
            for entry in own.object_store.objects(container.name)
        ]
    except openstacksdk().exceptions.NotFoundException:
        return []


def _ports(own: Connection) -> Iterable[Resource]:
    """Ports that somebody created, without those that the cloud creates for itself."""
    return (
        port
        for port in own.network.ports(**_project_filter(own))
        if port.device_owner == _INTERFACE or not (port.device_owner or "").startswith(_CLOUD_OWNER)
    )


def _instance(resource: Resource) -> str:
    if resource.name:
        return ""
    if (getattr(resource, "device_owner", None) or "").startswith(_INSTANCE_OWNER):
        return str(resource.device_id)
    attachments = getattr(resource, "attachments", None) or ()
    return next((str(attachment["server_id"]) for attachment in attachments), "")


def _project_filter(own: Connection) -> dict[str, str]:
    return {"project_id": own.current_project_id}


def _created_at(resource: Resource) -> datetime | None:
    text = getattr(resource, "created_at", None)
    if not text:
        return None
    try:
        created_at = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return None
    return created_at if created_at.tzinfo else created_at.replace(tzinfo=UTC)
