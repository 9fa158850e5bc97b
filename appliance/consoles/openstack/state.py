"""State that procedures change without creating anything: saved beforehand, then restored."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from appliance.consoles.openstack.cloud import Connection, openstacksdk
from appliance.core.resources import Receipt, ReceiptKind

_QUOTA_PATH = "/os-quota-class-sets/default"
_RULE_FIELDS = (
    "direction",
    "ether_type",
    "protocol",
    "port_range_min",
    "port_range_max",
    "remote_ip_prefix",
    "remote_group_id",
)
Fields = Mapping[str, Any]  # Any: whatever the field holds
Rules = Mapping[tuple[object, ...], str]


class _TrackedKind(NamedTuple):
    """Which fields of a kind an administrator may change, and how to list and update them."""

    fields: tuple[str, ...]
    list: Callable[[Connection], Iterable[Any]]  # Any: openstacksdk is optional
    update: Callable[[Connection, str, Fields], object]


_KINDS: Mapping[str, _TrackedKind] = {
    "user": _TrackedKind(
        ("name", "description", "email", "is_enabled", "default_project_id"),
        lambda cloud: cloud.identity.users(),
        lambda cloud, thing, fields: cloud.identity.update_user(thing, **fields),
    ),
    "project": _TrackedKind(
        ("name", "description", "is_enabled"),
        lambda cloud: cloud.identity.projects(),
        lambda cloud, thing, fields: cloud.identity.update_project(thing, **fields),
    ),
    "role": _TrackedKind(
        ("name",),
        lambda cloud: cloud.identity.roles(),
        lambda cloud, thing, fields: cloud.identity.update_role(thing, **fields),
    ),
    "image": _TrackedKind(
        ("name", "visibility", "is_protected"),
        lambda cloud: cloud.image.images(),
        lambda cloud, thing, fields: cloud.image.update_image(thing, **fields),
    ),
    "default compute quota": _TrackedKind(
        ("value",),
        lambda cloud: _quotas(cloud.compute),
        lambda cloud, key, fields: _set_quota(cloud.compute, key, fields["value"]),
    ),
    "default volume quota": _TrackedKind(
        ("value",),
        lambda cloud: _quotas(cloud.block_storage),
        lambda cloud, key, fields: _set_quota(cloud.block_storage, key, fields["value"]),
    ),
}


@dataclass(frozen=True, slots=True)
class Baseline:
    """The state to restore."""

    rules: Mapping[str, Rules]
    """Ids of the rules of each security group of the project, by what they say."""
    things: Mapping[str, Mapping[str, Fields]]
    """Fields by id by kind, of what an administrator may change; otherwise empty."""


class _BaselineDifference(NamedTuple):
    """One difference from the baseline."""

    kind: str
    id: str
    name: str
    description: str
    undo: Callable[[], object]


class _DefaultQuota(NamedTuple):
    """A default quota, in the shape of a resource."""

    id: str
    value: int


def read_state(own: Connection, is_admin: bool) -> Baseline:
    """The state as it is now; blocking."""
    groups = own.network.security_groups(project_id=own.current_project_id)
    return Baseline(
        rules={group.id: _rules(own, group.id) for group in groups},
        things={kind: _fields_to_save(own, kind) for kind in _KINDS} if is_admin else {},
    )


def restore_state(own: Connection, before: Baseline) -> list[Receipt]:
    """Restore what has changed among resources that still exist; blocking."""
    receipts: list[Receipt] = []
    exceptions = openstacksdk().exceptions
    for change in _differences(own, before):
        receipt = Receipt(
            deed=ReceiptKind.RESTORED, kind=change.kind, id=change.id, name=change.name
        )
        try:
            change.undo()
            receipts.append(replace(receipt, why=change.description))
        except exceptions.NotFoundException:
            continue  # it was another attempt's, and has gone with it
        except exceptions.SDKException as exc:
            why = f"{change.description}: {getattr(exc, 'details', None) or exc}"
            receipts.append(replace(receipt, deed=ReceiptKind.FAILED, why=why))
    return receipts


def _differences(own: Connection, before: Baseline) -> Iterable[_BaselineDifference]:
    """Every difference from the baseline, with the call that undoes it."""
    for group, rules in before.rules.items():
        yield from _rule_differences(own, group, rules)
    for kind, fields_by_id in before.things.items():
        current = _read(own, kind)
        for resource_id, fields in fields_by_id.items():
            changed = {
                key: value
                for key, value in fields.items()
                if resource_id in current and current[resource_id][key] != value
            }
            if changed:
                name = str(fields.get("name", resource_id))
                undo = partial(_KINDS[kind].update, own, resource_id, changed)
                yield _BaselineDifference(kind, resource_id, name, ", ".join(changed), undo)


def _rule_differences(own: Connection, group: str, before: Rules) -> Iterable[_BaselineDifference]:
    current = _rules(own, group)
    for rule in current.keys() - before.keys():
        undo: Callable[[], object] = partial(
            own.network.delete_security_group_rule, current[rule], ignore_missing=False
        )
        yield _BaselineDifference(
            "security_group", group, "", f"without the rule {current[rule]}", undo
        )
    for rule in before.keys() - current.keys():
        fields = {key: value for key, value in zip(_RULE_FIELDS, rule, strict=True) if value}
        undo = partial(own.network.create_security_group_rule, security_group_id=group, **fields)
        yield _BaselineDifference(
            "security_group", group, "", "with the rule that was deleted", undo
        )


def _fields_to_save(own: Connection, kind: str) -> dict[str, Fields]:
    """The fields to save; of images, only public ones: others may belong to another attempt."""
    return {
        resource_id: fields
        for resource_id, fields in _read(own, kind).items()
        if fields.get("visibility", "public") == "public"
    }


def _read(own: Connection, kind: str) -> dict[str, Fields]:
    kind_spec = _KINDS[kind]
    return {
        resource.id: {key: getattr(resource, key) for key in kind_spec.fields}
        for resource in kind_spec.list(own)
    }


def _rules(own: Connection, group: str) -> dict[tuple[object, ...], str]:
    rules = own.network.security_group_rules(security_group_id=group)
    return {tuple(getattr(rule, key) for key in _RULE_FIELDS): rule.id for rule in rules}


def _quotas(service: Connection) -> list[_DefaultQuota]:
    response = service.get(_QUOTA_PATH)
    response.raise_for_status()
    quotas = response.json()["quota_class_set"]
    return [_DefaultQuota(key, value) for key, value in quotas.items() if isinstance(value, int)]


def _set_quota(service: Connection, key: str, value: int) -> None:
    service.put(_QUOTA_PATH, json={"quota_class_set": {key: value}}).raise_for_status()
