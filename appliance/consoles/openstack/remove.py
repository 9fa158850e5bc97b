"""Removes what an attempt created, dependants before what they depend on."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import quote

from appliance.consoles.openstack.audit import CreatedResource
from appliance.consoles.openstack.cloud import Connection, openstacksdk
from appliance.core.resources import NO_RIGHT, Receipt, ReceiptKind

_WAIT_S = 90
_INTERFACE = "network:router_interface"
ProjectConnector = Callable[[str], Connection]


def remove_all(
    resources: Iterable[CreatedResource], admin: Connection, connect_in: ProjectConnector
) -> list[Receipt]:
    """Remove all resources, carrying on after failures; those already gone have no receipt."""
    receipts: list[Receipt] = []
    exceptions = openstacksdk().exceptions
    for resource in sorted(dict.fromkeys(resources), key=lambda listed: _ORDER[listed.kind]):
        try:
            _REMOVERS[resource.kind](resource, admin, connect_in)
            receipts.append(_receipt(ReceiptKind.DELETED, resource))
        except exceptions.NotFoundException:
            continue  # went with what it belonged to, or the procedure itself removed it
        except exceptions.ForbiddenException as exc:  # as any other account would be
            why = f"{exc.details or exc}: {NO_RIGHT}"
            receipts.append(_receipt(ReceiptKind.LEFT, resource, why))
        except (exceptions.SDKException, TimeoutError) as exc:
            why = str(getattr(exc, "details", None) or exc)
            receipts.append(_receipt(ReceiptKind.FAILED, resource, why))
    return receipts


def _receipt(outcome: ReceiptKind, resource: CreatedResource, why: str = "") -> Receipt:
    return Receipt(deed=outcome, kind=resource.kind, id=resource.id, name=resource.name, why=why)


Remover = Callable[[CreatedResource, Connection, ProjectConnector], None]


def _remover_by_call(service: str, method: str) -> Remover:
    """A remover for a kind that nothing else refers to."""

    def remove(resource: CreatedResource, admin: Connection, _connect_in: ProjectConnector) -> None:
        getattr(getattr(admin, service), method)(resource.id, ignore_missing=False)

    return remove


def _instance(resource: CreatedResource, admin: Connection, _connect_in: ProjectConnector) -> None:
    server = admin.compute.get_server(resource.id)
    if server.is_locked:
        admin.compute.unlock_server(server)
    admin.compute.delete_server(server, ignore_missing=False)
    admin.compute.wait_for_delete(server, wait=_WAIT_S)


def _router(resource: CreatedResource, admin: Connection, _connect_in: ProjectConnector) -> None:
    neutron = admin.network
    router = neutron.get_router(resource.id)
    if router.routes:
        neutron.update_router(router, routes=[])
    for port in list(neutron.ports(device_id=router.id)):
        if port.device_owner == "network:router_gateway":
            continue
        neutron.remove_interface_from_router(router, port_id=port.id)
    neutron.delete_router(router, ignore_missing=False)


def _port(resource: CreatedResource, admin: Connection, _connect_in: ProjectConnector) -> None:
    port = admin.network.get_port(resource.id)
    if port.device_owner == _INTERFACE:
        admin.network.remove_interface_from_router(port.device_id, port_id=port.id)
    elif (port.device_owner or "").startswith("network:"):
        raise openstacksdk().exceptions.NotFoundException  # goes with what the cloud has it for
    else:
        admin.network.delete_port(port, ignore_missing=False)


def _subnet(resource: CreatedResource, admin: Connection, _connect_in: ProjectConnector) -> None:
    neutron = admin.network
    subnet = neutron.get_subnet(resource.id)
    ports = neutron.ports(network_id=subnet.network_id)
    _release_ports(
        neutron, [p for p in ports if subnet.id in {ip["subnet_id"] for ip in p.fixed_ips}]
    )
    neutron.delete_subnet(subnet, ignore_missing=False)


def _network(resource: CreatedResource, admin: Connection, _connect_in: ProjectConnector) -> None:
    _release_ports(admin.network, list(admin.network.ports(network_id=resource.id)))
    admin.network.delete_network(resource.id, ignore_missing=False)


def _release_ports(
    neutron: Connection, ports: Iterable[Any]
) -> None:  # Any: openstacksdk is optional
    """Remove the ports by which instances or routers that stay hold on to the network."""
    for port in ports:
        owner = port.device_owner or ""
        if owner == _INTERFACE:
            neutron.remove_interface_from_router(port.device_id, port_id=port.id)
        elif not owner.startswith("network:"):
            neutron.delete_port(port, ignore_missing=True)


def _security_group(
    resource: CreatedResource, admin: Connection, _connect_in: ProjectConnector
) -> None:
    neutron = admin.network
    group = neutron.get_security_group(resource.id)
    for port in list(neutron.ports(project_id=group.project_id)):
        if group.id in port.security_group_ids:
            others = [group_id for group_id in port.security_group_ids if group_id != group.id]
            neutron.update_port(port, security_groups=others)
    neutron.delete_security_group(group, ignore_missing=False)


def _snapshot(resource: CreatedResource, admin: Connection, _connect_in: ProjectConnector) -> None:
    cinder = admin.block_storage
    snapshot = cinder.get_snapshot(resource.id)
    cinder.delete_snapshot(snapshot, ignore_missing=False)
    cinder.wait_for_delete(snapshot, wait=_WAIT_S)


def _volume(resource: CreatedResource, admin: Connection, _connect_in: ProjectConnector) -> None:
    cinder = admin.block_storage
    volume = cinder.get_volume(resource.id)
    for attachment in volume.attachments:
        admin.compute.delete_volume_attachment(
            attachment["server_id"], volume.id, ignore_missing=True
        )
        cinder.wait_for_status(volume, "available", failures=["error"], wait=_WAIT_S)
    for snapshot in list(cinder.snapshots(volume_id=volume.id, all_projects=True)):
        _snapshot(CreatedResource("snapshot", snapshot.id), admin, _connect_in)
    cinder.delete_volume(volume, ignore_missing=False)
    cinder.wait_for_delete(volume, wait=_WAIT_S)


def _image(resource: CreatedResource, admin: Connection, _connect_in: ProjectConnector) -> None:
    image = admin.image.get_image(resource.id)
    if image.is_protected:
        admin.image.update_image(image, is_protected=False)
    admin.image.delete_image(image, ignore_missing=False)


def _keypair(resource: CreatedResource, _admin: Connection, connect_in: ProjectConnector) -> None:
    connect_in("").compute.delete_keypair(resource.id, ignore_missing=False)


def _backup(resource: CreatedResource, admin: Connection, _connect_in: ProjectConnector) -> None:
    cinder = admin.block_storage
    backup = cinder.get_backup(resource.id)
    cinder.delete_backup(backup, ignore_missing=False)
    cinder.wait_for_delete(backup, wait=_WAIT_S)


def _object(resource: CreatedResource, _admin: Connection, connect_in: ProjectConnector) -> None:
    container, _, name = resource.id.partition("/")
    _delete_object(connect_in(resource.project).object_store, container, name)


def _container(resource: CreatedResource, _admin: Connection, connect_in: ProjectConnector) -> None:
    store = connect_in(resource.project).object_store
    for entry in list(store.objects(resource.id)):
        _delete_object(store, resource.id, entry.name)
    store.delete_container(resource.id, ignore_missing=False)


def _delete_object(store: Connection, container: str, name: str) -> None:
    """Delete by path, because `delete_object()` drops the slash at the end of a folder's name."""
    response = store.delete(f"/{quote(container)}/{quote(name)}")
    openstacksdk().exceptions.raise_from_response(response)


def _host_aggregate(
    resource: CreatedResource, admin: Connection, _connect_in: ProjectConnector
) -> None:
    aggregate = admin.compute.get_aggregate(resource.id)
    for host in aggregate.hosts or ():
        admin.compute.remove_host_from_aggregate(aggregate, host)
    admin.compute.delete_aggregate(aggregate, ignore_missing=False)


def _project(resource: CreatedResource, admin: Connection, _connect_in: ProjectConnector) -> None:
    groups = list(admin.network.security_groups(project_id=resource.id))
    admin.identity.delete_project(resource.id, ignore_missing=False)
    for group in groups:  # Neutron makes a default group for a project and forgets it there
        admin.network.delete_security_group(group.id)


_REMOVERS: Mapping[str, Remover] = {
    "instance": _instance,
    "server_group": _remover_by_call("compute", "delete_server_group"),
    "floating_ip": _remover_by_call("network", "delete_ip"),
    "router": _router,
    "port": _port,
    "subnet": _subnet,
    "network": _network,
    "security_group_rule": _remover_by_call("network", "delete_security_group_rule"),
    "security_group": _security_group,
    "backup": _backup,
    "snapshot": _snapshot,
    "volume": _volume,
    "image": _image,
    "keypair": _keypair,
    "object": _object,
    "container": _container,
    "flavor": _remover_by_call("compute", "delete_flavor"),
    "host_aggregate": _host_aggregate,
    "volume_type": _remover_by_call("block_storage", "delete_type"),
    "user": _remover_by_call("identity", "delete_user"),
    "group": _remover_by_call("identity", "delete_group"),
    "project": _project,
    "role": _remover_by_call("identity", "delete_role"),
}
"""Removers by kind, in the order of removal: dependants come first."""
_ORDER = {kind: place for place, kind in enumerate(_REMOVERS)}
