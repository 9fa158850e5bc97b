"""State that procedures change without making anything: kept before an attempt, then put back."""

from collections.abc import Mapping
from dataclasses import dataclass

from appliance.consoles._openstack_cloud import Connection

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
Quotas = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class State:
    """What to go back to."""

    group: str
    """Id of the project's default security group; empty: it has none yet."""
    rules: frozenset[tuple[object, ...]]
    """The rules of that group."""
    compute: Quotas
    """Default quotas, where the account may change them; otherwise empty."""
    volumes: Quotas


def read_state(own: Connection, is_admin: bool) -> State:
    """The state as it is now; blocking."""
    groups = list(own.network.security_groups(name="default", project_id=own.current_project_id))
    group = groups[0].id if groups else ""
    return State(
        group=group,
        rules=frozenset(_rules(own, group)) if group else frozenset(),
        compute=_quotas(own.compute) if is_admin else {},
        volumes=_quotas(own.block_storage) if is_admin else {},
    )


def restore_state(own: Connection, before: State) -> tuple[str, ...]:
    """Put back what differs; what was done, in words. Blocking."""
    done: list[str] = []
    if before.group:
        done += _restore_rules(own, before)
    for service, name, kept in (
        (own.compute, "compute", before.compute),
        (own.block_storage, "volume", before.volumes),
    ):
        changed = (
            {key: kept[key] for key, now in _quotas(service).items() if kept.get(key, now) != now}
            if kept
            else {}
        )
        if changed:
            body = {"quota_class_set": changed}
            service.put(_QUOTA_PATH, json=body).raise_for_status()
            done.append(f"default {name} quotas {', '.join(sorted(changed))}")
    return tuple(done)


def _restore_rules(own: Connection, before: State) -> list[str]:
    now, done = _rules(own, before.group), []
    for rule, rule_id in now.items():
        if rule not in before.rules:
            own.network.delete_security_group_rule(rule_id)
            done.append(f"default security group rule {rule_id}")
    for rule in before.rules - now.keys():
        wanted = {key: value for key, value in zip(_RULE_FIELDS, rule, strict=True) if value}
        own.network.create_security_group_rule(security_group_id=before.group, **wanted)
        done.append("a lost rule of the default security group (made again)")
    return done


def _rules(own: Connection, group: str) -> dict[tuple[object, ...], str]:
    rules = own.network.security_group_rules(security_group_id=group)
    return {tuple(getattr(rule, key) for key in _RULE_FIELDS): rule.id for rule in rules}


def _quotas(service: Connection) -> dict[str, int]:
    answer = service.get(_QUOTA_PATH)
    answer.raise_for_status()
    quotas = answer.json()["quota_class_set"]
    return {key: value for key, value in quotas.items() if isinstance(value, int)}
