"""Removes what was made, in the order in which things let go of each other."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import quote

from appliance.consoles.openstack.audit import CreatedResource
from appliance.consoles.openstack.cloud import Connection, openstacksdk
from appliance.core.resources import NO_RIGHT, Receipt, ReceiptKind

_WAIT_S = 90
_INTERFACE = "network:router_interface"
Opener = Callable[[str], Connection]


def remove_all(
    things: Iterable[CreatedResource], admin: Connection, own_in: Opener
) -> list[Receipt]:
    """Remove everything, whatever fails on the way; what is already gone has no receipt."""
    receipts: list[Receipt] = []
    exceptions = openstacksdk().exceptions
    for thing in sorted(dict.fromkeys(things), key=lambda made: _ORDER[made.kind]):
        try:
            _REMOVERS[thing.kind](thing, admin, own_in)
            receipts.append(_receipt(ReceiptKind.DELETED, thing))
        except exceptions.NotFoundException:
            continue  # went with what it belonged to, or the procedure itself removed it
        except exceptions.ForbiddenException as exc:  # as any other account would be
            why = f"{exc.details or exc}: {NO_RIGHT}"
            receipts.append(_receipt(ReceiptKind.LEFT, thing, why))
        except (exceptions.SDKException, TimeoutError) as exc:
            why = str(getattr(exc, "details", None) or exc)
            receipts.append(_receipt(ReceiptKind.FAILED, thing, why))
    return receipts


def _receipt(outcome: ReceiptKind, made: CreatedResource, why: str = "") -> Receipt:
    return Receipt(deed=outcome, kind=made.kind, id=made.id, name=made.name, why=why)


Remover = Callable[[CreatedResource, Connection, Opener], None]


def _delete(service: str, method: str) -> Remover:
    """For a kind that nothing holds on to."""

    def remove(made: CreatedResource, admin: Connection, _own_in: Opener) -> None:
        getattr(getattr(admin, service), method)(made.id, ignore_missing=False)

    return remove


def _instance(made: CreatedResource, admin: Connection, _own_in: Opener) -> None:
    server = admin.compute.get_server(made.id)
    if server.is_locked:
        admin.compute.unlock_server(server)
    admin.compute.delete_server(server, ignore_missing=False)
    admin.compute.wait_for_delete(server, wait=_WAIT_S)


def _router(made: CreatedResource, admin: Connection, _own_in: Opener) -> None:
    neutron = admin.network
    router = neutron.get_router(made.id)
    if router.routes:
        neutron.update_router(router, routes=[])
    for port in list(neutron.ports(device_id=router.id)):
        if port.device_owner == "network:router_gateway":
            continue
        neutron.remove_interface_from_router(router, port_id=port.id)
    neutron.delete_router(router, ignore_missing=False)


def _port(made: CreatedResource, admin: Connection, _own_in: Opener) -> None:
    port = admin.network.get_port(made.id)
    if port.device_owner == _INTERFACE:
        admin.network.remove_interface_from_router(port.device_id, port_id=port.id)
    elif (port.device_owner or "").startswith("network:"):
        raise openstacksdk().exceptions.NotFoundException  # goes with what the cloud has it for
    else:
        admin.network.delete_port(port, ignore_missing=False)


def _subnet(made: CreatedResource, admin: Connection, _own_in: Opener) -> None:
    neutron = admin.network
    subnet = neutron.get_subnet(made.id)
    ports = neutron.ports(network_id=subnet.network_id)
    _release(neutron, [p for p in ports if subnet.id in {ip["subnet_id"] for ip in p.fixed_ips}])
    neutron.delete_subnet(subnet, ignore_missing=False)


def _network(made: CreatedResource, admin: Connection, _own_in: Opener) -> None:
    _release(admin.network, list(admin.network.ports(network_id=made.id)))
    admin.network.delete_network(made.id, ignore_missing=False)


def _release(neutron: Connection, ports: Iterable[Any]) -> None:  # Any: openstacksdk is optional
    """Take away the ports by which something that stays holds on: an instance, a router."""
    for port in ports:
        owner = port.device_owner or ""
        if owner == _INTERFACE:
            neutron.remove_interface_from_router(port.device_id, port_id=port.id)
        elif not owner.startswith("network:"):
            neutron.delete_port(port, ignore_missing=True)


def _security_group(made: CreatedResource, admin: Connection, _own_in: Opener) -> None:
    neutron = admin.network
    group = neutron.get_security_group(made.id)
    for port in list(neutron.ports(project_id=group.project_id)):
        if group.id in port.security_group_ids:
            others = [one for one in port.security_group_ids if one != group.id]
            neutron.update_port(port, security_groups=others)
    neutron.delete_security_group(group, ignore_missing=False)


def _snapshot(made: CreatedResource, admin: Connection, _own_in: Opener) -> None:
    cinder = admin.block_storage
    snapshot = cinder.get_snapshot(made.id)
    cinder.delete_snapshot(snapshot, ignore_missing=False)
    cinder.wait_for_delete(snapshot, wait=_WAIT_S)


def _volume(made: CreatedResource, admin: Connection, _own_in: Opener) -> None:
    cinder = admin.block_storage
    volume = cinder.get_volume(made.id)
    for attachment in volume.attachments:
        admin.compute.delete_volume_attachment(
            attachment["server_id"], volume.id, ignore_missing=True
        )
        cinder.wait_for_status(volume, "available", failures=["error"], wait=_WAIT_S)
    for snapshot in list(cinder.snapshots(volume_id=volume.id, all_projects=True)):
        _snapshot(CreatedResource("snapshot", snapshot.id), admin, _own_in)
    cinder.delete_volume(volume, ignore_missing=False)
    cinder.wait_for_delete(volume, wait=_WAIT_S)


def _image(made: CreatedResource, admin: Connection, _own_in: Opener) -> None:
    image = admin.image.get_image(made.id)
    if image.is_protected:
        admin.image.update_image(image, is_protected=False)
    admin.image.delete_image(image, ignore_missing=False)


def _keypair(made: CreatedResource, _admin: Connection, own_in: Opener) -> None:
    own_in("").compute.delete_keypair(made.id, ignore_missing=False)


def _backup(made: CreatedResource, admin: Connection, _own_in: Opener) -> None:
    cinder = admin.block_storage
    backup = cinder.get_backup(made.id)
    cinder.delete_backup(backup, ignore_missing=False)
    cinder.wait_for_delete(backup, wait=_WAIT_S)


def _object(made: CreatedResource, _admin: Connection, own_in: Opener) -> None:
    container, _, name = made.id.partition("/")
    _delete_object(own_in(made.project).object_store, container, name)


def _container(made: CreatedResource, _admin: Connection, own_in: Opener) -> None:
    store = own_in(made.project).object_store
    for entry in list(store.objects(made.id)):
        _delete_object(store, made.id, entry.name)
    store.delete_container(made.id, ignore_missing=False)


def _delete_object(store: Connection, container: str, name: str) -> None:
    """By its path: delete_object() drops the slash at the end of a folder's name."""
    answer = store.delete(f"/{quote(container)}/{quote(name)}")
    openstacksdk().exceptions.raise_from_response(answer)


def _host_aggregate(made: CreatedResource, admin: Connection, _own_in: Opener) -> None:
    aggregate = admin.compute.get_aggregate(made.id)
    for host in aggregate.hosts or ():
        admin.compute.remove_host_from_aggregate(aggregate, host)
    admin.compute.delete_aggregate(aggregate, ignore_missing=False)


def _project(made: CreatedResource, admin: Connection, _own_in: Opener) -> None:
    groups = list(admin.network.security_groups(project_id=made.id))
    admin.identity.delete_project(made.id, ignore_missing=False)
    for group in groups:  # Neutron makes a default group for a project and forgets it there
        admin.network.delete_security_group(group.id)


_REMOVERS: Mapping[str, Remover] = {
    "instance": _instance,
    "server_group": _delete("compute", "delete_server_group"),
    "floating_ip": _delete("network", "delete_ip"),
    "router": _router,
    "port": _port,
    "subnet": _subnet,
    "network": _network,
    "security_group_rule": _delete("network", "delete_security_group_rule"),
    "security_group": _security_group,
    "backup": _backup,
    "snapshot": _snapshot,
    "volume": _volume,
    "image": _image,
    "keypair": _keypair,
    "object": _object,
    "container": _container,
    "flavor": _delete("compute", "delete_flavor"),
    "host_aggregate": _host_aggregate,
    "volume_type": _delete("block_storage", "delete_type"),
    "user": _delete("identity", "delete_user"),
    "group": _delete("identity", "delete_group"),
    "project": _project,
    "role": _delete("identity", "delete_role"),
}
"""In the order of removal: what holds on to others comes first."""
_ORDER = {kind: place for place, kind in enumerate(_REMOVERS)}
