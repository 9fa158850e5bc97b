"""Creates what procedures need, with one function for each kind, through openstacksdk."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from appliance.consoles.openstack.audit import CreatedResource
from appliance.consoles.openstack.cloud import Connection
from appliance.core.errors import ProvisioningError
from appliance.core.secrets import learn

_WAIT_S = 120
Values = Mapping[str, str]
Resource = Any  # openstacksdk is optional: its types are not there without it


@dataclass(slots=True)
class Maker:
    """Creates resources with an account's own rights, or an administrator's where needed."""

    own: Connection
    admin: Connection
    folder: Path
    """Where files to upload are put."""
    made: list[CreatedResource] = field(default_factory=list)
    """Everything created so far, even if a later creation fails."""

    def make(self, kind: str, values: Values) -> tuple[str, str]:
        """Create one resource; return its name and id.

        Raises:
            ProvisioningError: There is no such kind, or a value is missing.
        """
        maker = KINDS.get(kind)
        if maker is None:
            raise ProvisioningError(
                f"the openstack console cannot make a {kind!r}; it can make: {', '.join(KINDS)}"
            )
        return maker(self, values)

    def record(self, kind: str, resource: Resource, name: str = "") -> tuple[str, str]:
        """Record a resource for removal later; return its name and id."""
        name_or_id = name or resource.name or resource.id
        self.made.append(
            CreatedResource(kind, str(resource.id), name_or_id, self.own.current_project_id or "")
        )
        return name_or_id, str(resource.id)


def _project(maker: Maker, values: Values) -> tuple[str, str]:
    project = maker.admin.identity.create_project(
        name=_require("project", values, "name"),
        description=values.get("description", ""),
        domain_id="default",
    )
    return maker.record("project", project)


def _user(maker: Maker, values: Values) -> tuple[str, str]:
    identity = maker.admin.identity
    project = _find(identity.find_project, values.get("project", "demo"), "project")
    user = identity.create_user(
        name=_require("user", values, "name"),
        password=learn(values.get("password") or secrets.token_urlsafe(12)),
        email=values.get("email"),
        default_project_id=project.id,
        domain_id="default",
        is_enabled=values.get("enabled", "true") == "true",
    )
    name_and_id = maker.record("user", user)
    role = _find(identity.find_role, values.get("role", "member"), "role")
    identity.assign_project_role_to_user(project=project, user=user, role=role)
    return name_and_id


def _role(maker: Maker, values: Values) -> tuple[str, str]:
    role = maker.admin.identity.create_role(name=_require("role", values, "name"))
    return maker.record("role", role)


def _flavor(maker: Maker, values: Values) -> tuple[str, str]:
    flavor = maker.admin.compute.create_flavor(
        name=_require("flavor", values, "name"),
        vcpus=int(values.get("vcpus", "1")),
        ram=int(values.get("ram", "128")),
        disk=int(values.get("disk", "1")),
    )
    return maker.record("flavor", flavor)


def _host_aggregate(maker: Maker, values: Values) -> tuple[str, str]:
    aggregate = maker.admin.compute.create_aggregate(
        name=_require("host_aggregate", values, "name"), availability_zone=values.get("zone")
    )
    return maker.record("host_aggregate", aggregate)


def _host(maker: Maker, values: Values) -> tuple[str, str]:
    """Finds a compute host instead of creating one, whatever its name is in this cloud."""
    hosts = sorted(service.host for service in maker.admin.compute.services(binary="nova-compute"))
    host = values.get("name")
    if not hosts or (host and host not in hosts):
        raise ProvisioningError(f"there is no compute host {host or 'at all'} in the cloud")
    return host or hosts[0], host or hosts[0]


def _image(maker: Maker, values: Values) -> tuple[str, str]:
    image = maker.own.image.create_image(
        _require("image", values, "name"),
        data=values.get("content", "\0" * 1024).encode(),
        disk_format=values.get("format", "raw"),
        container_format="bare",
        visibility=values.get("visibility", "private"),
        wait=True,
        timeout=_WAIT_S,
    )
    return maker.record("image", image)


def _keypair(maker: Maker, values: Values) -> tuple[str, str]:
    name = _require("keypair", values, "name")
    key = {"public_key": values["public_key"]} if "public_key" in values else {}
    maker.own.compute.create_keypair(name=name, **key)
    maker.made.append(CreatedResource("keypair", name, name))
    return name, name


def _network(maker: Maker, values: Values) -> tuple[str, str]:
    name = _require("network", values, "name")
    name_and_id = maker.record("network", maker.own.network.create_network(name=name))
    cidr = values.get("cidr", "10.88.0.0/24")
    if cidr != "none":
        subnet = values.get("subnet", f"{name}-subnet")
        _subnet(maker, {"name": subnet, "network": name, "cidr": cidr})
    return name_and_id


def _subnet(maker: Maker, values: Values) -> tuple[str, str]:
    neutron = maker.own.network
    network = _find(neutron.find_network, _require("subnet", values, "network"), "network")
    subnet = neutron.create_subnet(
        name=_require("subnet", values, "name"),
        network_id=network.id,
        ip_version=4,
        cidr=values.get("cidr", "10.88.0.0/24"),
    )
    return maker.record("subnet", subnet)


def _router(maker: Maker, values: Values) -> tuple[str, str]:
    neutron = maker.own.network
    gateway = {}
    if external := values.get("external"):
        network = _find(neutron.find_network, external, "network")
        gateway["external_gateway_info"] = {"network_id": network.id}
    router = neutron.create_router(name=_require("router", values, "name"), **gateway)
    name_and_id = maker.record("router", router)
    if name := values.get("subnet"):
        subnet = _find(neutron.find_subnet, name, "subnet")
        neutron.add_interface_to_router(router, subnet_id=subnet.id)
    return name_and_id


def _port(maker: Maker, values: Values) -> tuple[str, str]:
    neutron = maker.own.network
    network = _find(neutron.find_network, _require("port", values, "network"), "network")
    port = neutron.create_port(name=_require("port", values, "name"), network_id=network.id)
    return maker.record("port", port)


def _security_group(maker: Maker, values: Values) -> tuple[str, str]:
    name = _require("security_group", values, "name")
    return maker.record("security_group", maker.own.network.create_security_group(name=name))


def _floating_ip(maker: Maker, values: Values) -> tuple[str, str]:
    neutron = maker.own.network
    pool = _find(neutron.find_network, values.get("network", "public"), "network")
    address = neutron.create_ip(floating_network_id=pool.id)
    return maker.record("floating_ip", address, address.floating_ip_address)


def _volume_type(maker: Maker, values: Values) -> tuple[str, str]:
    kind = maker.admin.block_storage.create_type(name=_require("volume_type", values, "name"))
    return maker.record("volume_type", kind)


def _volume(maker: Maker, values: Values) -> tuple[str, str]:
    cinder, source = maker.own.block_storage, {}
    if image := values.get("image"):
        source["image_id"] = _find(maker.own.image.find_image, image, "image").id
    volume = cinder.create_volume(
        name=_require("volume", values, "name"), size=int(values.get("size", "1")), **source
    )
    name_and_id = maker.record("volume", volume)
    cinder.wait_for_status(volume, "available", failures=["error"], wait=_WAIT_S)
    if server := values.get("instance"):
        _volume_attachment(maker, {"volume": name_and_id[0], "instance": server})
    return name_and_id


def _volume_attachment(maker: Maker, values: Values) -> tuple[str, str]:
    nova, cinder = maker.own.compute, maker.own.block_storage
    name = _require("volume_attachment", values, "volume")
    volume = _find(cinder.find_volume, name, "volume")
    server = _find(nova.find_server, _require("volume_attachment", values, "instance"), "instance")
    nova.create_volume_attachment(server, volume_id=volume.id)
    cinder.wait_for_status(volume, "in-use", failures=["error"], wait=_WAIT_S)
    return name, volume.id


def _snapshot(maker: Maker, values: Values) -> tuple[str, str]:
    cinder = maker.own.block_storage
    volume = _find(cinder.find_volume, _require("snapshot", values, "volume"), "volume")
    snapshot = cinder.create_snapshot(
        name=_require("snapshot", values, "name"), volume_id=volume.id, is_forced=True
    )
    name_and_id = maker.record("snapshot", snapshot)
    cinder.wait_for_status(snapshot, "available", failures=["error"], wait=_WAIT_S)
    return name_and_id


def _instance(maker: Maker, values: Values) -> tuple[str, str]:
    nova, name = maker.own.compute, _require("instance", values, "name")
    network_name = values.get("network") or _network(maker, {"name": f"{name}-net"})[0]
    network = _find(maker.own.network.find_network, network_name, "network")
    server = nova.create_server(
        name=name,
        image_id=_find(maker.own.image.find_image, values.get("image", "cirros"), "image").id,
        flavor_id=_find(nova.find_flavor, values.get("flavor", "m1.tiny"), "flavor").id,
        networks=[{"uuid": network.id}],
    )
    name_and_id = maker.record("instance", server, name)
    nova.wait_for_server(server, status="ACTIVE", failures=["ERROR"], wait=_WAIT_S)
    return name_and_id


def _instance_snapshot(maker: Maker, values: Values) -> tuple[str, str]:
    nova = maker.own.compute
    instance = _require("instance_snapshot", values, "instance")
    server = _find(nova.find_server, instance, "instance")
    name = _require("instance_snapshot", values, "name")
    image = nova.create_server_image(server, name, wait=True, timeout=_WAIT_S)
    return maker.record("image", image, name)


def _container(maker: Maker, values: Values) -> tuple[str, str]:
    name = _require("container", values, "name")
    maker.own.object_store.create_container(name)
    maker.made.append(CreatedResource("container", name, name, maker.own.current_project_id))
    return name, name


def _object(maker: Maker, values: Values) -> tuple[str, str]:
    name, container = (_require("object", values, key) for key in ("name", "container"))
    content = values.get("content", "made for a documented procedure\n").encode()
    maker.own.object_store.upload_object(container, name, data=content)
    return name, name


def _file(maker: Maker, values: Values) -> tuple[str, str]:
    """A file on this machine, to be uploaded; its path is its name."""
    path = maker.folder / Path(_require("file", values, "name")).name
    path.write_bytes(values.get("content", "\0" * 1024).encode())
    return str(path), str(path)


KINDS: Mapping[str, Callable[[Maker, Values], tuple[str, str]]] = {
    "project": _project,
    "user": _user,
    "role": _role,
    "flavor": _flavor,
    "host_aggregate": _host_aggregate,
    "host": _host,
    "image": _image,
    "keypair": _keypair,
    "network": _network,
    "subnet": _subnet,
    "router": _router,
    "port": _port,
    "security_group": _security_group,
    "floating_ip": _floating_ip,
    "volume_type": _volume_type,
    "volume": _volume,
    "volume_attachment": _volume_attachment,
    "snapshot": _snapshot,
    "instance": _instance,
    "instance_snapshot": _instance_snapshot,
    "container": _container,
    "object": _object,
    "file": _file,
}
"""What can be made, by the word that checks use."""


def _require(kind: str, values: Values, key: str) -> str:
    if not values.get(key):
        raise ProvisioningError(f"a needed {kind.replace('_', ' ')} has no {key!r}; give it one")
    return values[key]


def _find(find: Callable[..., Resource], name: str, kind: str) -> Resource:
    resource = find(name, ignore_missing=True)
    if resource is None:
        raise ProvisioningError(f"there is no {kind} {name!r} in the cloud")
    return resource
