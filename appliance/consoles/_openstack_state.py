"""State that procedures change without making anything: kept before an attempt, then put back."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from appliance.consoles._openstack_cloud import Connection, openstacksdk
from appliance.consoles.base import CleanUp

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


class _Kind(NamedTuple):
    """What is kept of a kind of thing that an administrator may change."""

    fields: tuple[str, ...]
    list: Callable[[Connection], Iterable[Any]]  # Any: openstacksdk is optional
    update: Callable[[Connection, str, Fields], object]


_KINDS: Mapping[str, _Kind] = {
    "user": _Kind(
        ("name", "description", "email", "is_enabled", "default_project_id"),
        lambda cloud: cloud.identity.users(),
        lambda cloud, thing, fields: cloud.identity.update_user(thing, **fields),
    ),
    "project": _Kind(
        ("name", "description", "is_enabled"),
        lambda cloud: cloud.identity.projects(),
        lambda cloud, thing, fields: cloud.identity.update_project(thing, **fields),
    ),
    "role": _Kind(
        ("name",),
        lambda cloud: cloud.identity.roles(),
        lambda cloud, thing, fields: cloud.identity.update_role(thing, **fields),
    ),
    "image": _Kind(
        ("name", "visibility", "is_protected"),
        lambda cloud: cloud.image.images(),
        lambda cloud, thing, fields: cloud.image.update_image(thing, **fields),
    ),
    "default compute quota": _Kind(
        ("value",),
        lambda cloud: _quotas(cloud.compute),
        lambda cloud, key, fields: _set_quota(cloud.compute, key, fields["value"]),
    ),
    "default volume quota": _Kind(
        ("value",),
        lambda cloud: _quotas(cloud.block_storage),
        lambda cloud, key, fields: _set_quota(cloud.block_storage, key, fields["value"]),
    ),
}


@dataclass(frozen=True, slots=True)
class State:
    """What to go back to."""

    group: str
    """Id of the project's default security group; empty: it has none yet."""
    rules: Rules
    """Ids of that group's rules, by what they say."""
    things: Mapping[str, Mapping[str, Fields]]
    """Fields by id by kind, of what an administrator may change; otherwise empty."""


class _Quota(NamedTuple):
    """A default quota, in the shape of a resource."""

    id: str
    value: int


def read_state(own: Connection, is_admin: bool) -> State:
    """The state as it is now; blocking."""
    groups = list(own.network.security_groups(name="default", project_id=own.current_project_id))
    group = groups[0].id if groups else ""
    return State(
        group=group,
        rules=_rules(own, group) if group else {},
        things={kind: _kept(own, kind) for kind in _KINDS} if is_admin else {},
    )


def restore_state(own: Connection, before: State) -> CleanUp:
    """Put back what differs of what is still there; blocking."""
    done: list[str] = []
    failed: list[str] = []
    exceptions = openstacksdk().exceptions
    for what, change in _changes(own, before):
        try:
            change()
            done.append(f"{what} (as it was)")
        except exceptions.NotFoundException:
            continue  # it was another attempt's, and has gone with it
        except exceptions.SDKException as exc:
            failed.append(f"{what}: {getattr(exc, 'details', None) or exc}")
    return CleanUp(deleted=tuple(done), failed=tuple(failed))


def _changes(own: Connection, before: State) -> Iterable[tuple[str, Callable[[], object]]]:
    """What is to be done, in words and as a call."""
    if before.group:
        yield from _rule_changes(own, before)
    for kind, things in before.things.items():
        now = _read(own, kind)
        for thing, fields in things.items():
            changed = {
                key: value
                for key, value in fields.items()
                if thing in now and now[thing][key] != value
            }
            if changed:
                name = fields.get("name", thing)
                yield (
                    f"{kind} {name}",
                    partial(_KINDS[kind].update, own, thing, changed),
                )


def _rule_changes(own: Connection, before: State) -> Iterable[tuple[str, Callable[[], object]]]:
    now = _rules(own, before.group)
    for rule in now.keys() - before.rules.keys():
        rule_id = now[rule]
        yield (
            f"added default security group rule {rule_id}",
            partial(own.network.delete_security_group_rule, rule_id),
        )
    for rule in before.rules.keys() - now.keys():
        wanted = {key: value for key, value in zip(_RULE_FIELDS, rule, strict=True) if value}
        yield (
            "deleted default security group rule",
            partial(
                own.network.create_security_group_rule, security_group_id=before.group, **wanted
            ),
        )


def _kept(own: Connection, kind: str) -> dict[str, Fields]:
    """What to keep: of images only what everybody relies on, not what another attempt has there."""
    return {
        thing: fields
        for thing, fields in _read(own, kind).items()
        if fields.get("visibility", "public") == "public"
    }


def _read(own: Connection, kind: str) -> dict[str, Fields]:
    of = _KINDS[kind]
    return {thing.id: {key: getattr(thing, key) for key in of.fields} for thing in of.list(own)}


def _rules(own: Connection, group: str) -> dict[tuple[object, ...], str]:
    rules = own.network.security_group_rules(security_group_id=group)
    return {tuple(getattr(rule, key) for key in _RULE_FIELDS): rule.id for rule in rules}


def _quotas(service: Connection) -> list[_Quota]:
    answer = service.get(_QUOTA_PATH)
    answer.raise_for_status()
    quotas = answer.json()["quota_class_set"]
    return [_Quota(key, value) for key, value in quotas.items() if isinstance(value, int)]


def _set_quota(service: Connection, key: str, value: int) -> None:
    service.put(_QUOTA_PATH, json={"quota_class_set": {key: value}}).raise_for_status()
