"""All that an account of an OpenStack cloud holds, kind by kind; nothing is changed here."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from appliance.consoles.openstack.audit import CreatedResource
from appliance.consoles.openstack.cloud import Connection, openstacksdk
from appliance.core.resources import Thing

_CALLS_AT_ONCE = 6
_MOST_OBJECTS = 1000
"""Of a container with more than these the objects are not looked at."""
_INTERFACE, _OF_INSTANCE, _OF_CLOUD = "network:router_interface", "compute:", "network:"
"""Starts of a port's owner."""
Resource = Any  # openstacksdk is optional: its types are not there without it


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudResource:
    """One thing that is there."""

    made: CreatedResource
    created: datetime | None = None
    instance: str = ""
    """Of a port or volume without a name: the instance it most likely came with, and goes with."""

    @property
    def thing(self) -> Thing:
        """The resource as other packages see it."""
        made = self.made
        return Thing(kind=made.kind, id=made.id, name=made.name, created=self.created)


class _ListedKind(NamedTuple):
    """How a kind is listed."""

    service: str
    """Its type in Keystone's catalogue: a cloud need not have it."""
    list: Callable[[Connection], Iterable[Resource]]


_OWN: Mapping[str, _ListedKind] = {
    "instance": _ListedKind("compute", lambda own: own.compute.servers(details=False)),
    "server_group": _ListedKind("compute", lambda own: own.compute.server_groups()),
    "keypair": _ListedKind("compute", lambda own: own.compute.keypairs()),
    "floating_ip": _ListedKind("network", lambda own: own.network.ips(**_mine(own))),
    "router": _ListedKind("network", lambda own: own.network.routers(**_mine(own))),
    "port": _ListedKind("network", lambda own: _ports(own)),
    "subnet": _ListedKind("network", lambda own: own.network.subnets(**_mine(own))),
    "network": _ListedKind("network", lambda own: own.network.networks(**_mine(own))),
    "security_group": _ListedKind("network", lambda own: own.network.security_groups(**_mine(own))),
    "backup": _ListedKind("block-storage", lambda own: own.block_storage.backups(details=False)),
    "snapshot": _ListedKind(
        "block-storage", lambda own: own.block_storage.snapshots(details=False)
    ),
    "volume": _ListedKind("block-storage", lambda own: own.block_storage.volumes()),
    "image": _ListedKind("image", lambda own: own.image.images(owner=own.current_project_id)),
    "container": _ListedKind("object-store", lambda own: own.object_store.containers()),
}
"""What is in a project, or the user's own."""
_EVERYBODYS: Mapping[str, _ListedKind] = {
    "flavor": _ListedKind("compute", lambda admin: admin.compute.flavors(is_public=None)),
    "host_aggregate": _ListedKind("compute", lambda admin: admin.compute.aggregates()),
    "volume_type": _ListedKind("block-storage", lambda admin: admin.block_storage.types()),
    "user": _ListedKind("identity", lambda admin: admin.identity.users()),
    "group": _ListedKind("identity", lambda admin: admin.identity.groups()),
    "project": _ListedKind("identity", lambda admin: admin.identity.projects()),
    "role": _ListedKind("identity", lambda admin: admin.identity.roles()),
}
"""What belongs to the cloud as a whole: administrators make it."""
EVERYBODYS = frozenset(_EVERYBODYS)


def read_resources(own: Connection, is_admin: bool) -> tuple[CloudResource, ...]:
    """What is in the account's project; of an administrator also what is everybody's; blocking."""
    kinds = {**_OWN, **_EVERYBODYS} if is_admin else _OWN
    there = {name: kind for name, kind in kinds.items() if own.has_service(kind.service)}
    with ThreadPoolExecutor(_CALLS_AT_ONCE) as pool:
        lists = pool.map(lambda name: _list_kind(own, name, there[name]), there)
        return tuple(resource for listed in lists for resource in listed)


def _list_kind(own: Connection, kind: str, listing: _ListedKind) -> list[CloudResource]:
    resources = []
    for resource in listing.list(own):
        made = CreatedResource(
            kind, str(resource.id), resource.name or "", own.current_project_id or ""
        )
        resources.append(
            CloudResource(made=made, created=_created_at(resource), instance=_instance(resource))
        )
        if kind == "container":
            resources += _objects(own, resource)
    return resources


def _objects(own: Connection, container: Resource) -> list[CloudResource]:
    """The objects of a container; it may be deleted meanwhile."""
    if not container.count or container.count > _MOST_OBJECTS:
        return []
    project = own.current_project_id or ""
    try:
        return [
            CloudResource(
                made=CreatedResource(
                    "object", f"{container.name}/{entry.name}", entry.name, project
                )
            )
            for entry in own.object_store.objects(container.name)
        ]
    except openstacksdk().exceptions.NotFoundException:
        return []


def _ports(own: Connection) -> Iterable[Resource]:
    """Those that somebody made, not those that the cloud makes for its own ends."""
    return (
        port
        for port in own.network.ports(**_mine(own))
        if port.device_owner == _INTERFACE or not (port.device_owner or "").startswith(_OF_CLOUD)
    )


def _instance(resource: Resource) -> str:
    if resource.name:
        return ""
    if (getattr(resource, "device_owner", None) or "").startswith(_OF_INSTANCE):
        return str(resource.device_id)
    attachments = getattr(resource, "attachments", None) or ()
    return next((str(attached["server_id"]) for attached in attachments), "")


def _mine(own: Connection) -> dict[str, str]:
    return {"project_id": own.current_project_id}


def _created_at(resource: Resource) -> datetime | None:
    text = getattr(resource, "created_at", None)
    if not text:
        return None
    try:
        when = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)
