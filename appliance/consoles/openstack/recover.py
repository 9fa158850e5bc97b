"""Removes what an attempt created in an OpenStack cloud, until nothing more appears."""

import time
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass

from appliance.consoles.base import Trace
from appliance.consoles.openstack.audit import CreatedResource
from appliance.consoles.openstack.cloud import Connection
from appliance.consoles.openstack.inventory import CLOUD_WIDE_KINDS, CloudResource, read_resources
from appliance.consoles.openstack.remove import ProjectConnector, remove_all
from appliance.core.resources import Receipt, ReceiptKind

_MAX_ROUNDS = 5
"""A removal refused this many times is refused for good."""
QUIET_S = 1.0
"""How long to wait for requests and notifications that are still on their way."""


_Key = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """What is known about an attempt, and the connections to clean up with; blocking."""

    trace: Trace
    own: Connection
    admin: Connection
    connect_in: ProjectConnector
    is_admin: bool
    provided: Iterable[CreatedResource]
    logged: Callable[[], Iterable[CreatedResource]] | None
    """What the audit log says that the user made since then; None: there is no log."""
    quiet_s: float = QUIET_S

    def remove(self) -> list[Receipt]:
        """Remove the attempt's resources; return a receipt for each, removed or not."""
        receipts_by_key: dict[_Key, Receipt] = {}
        removed_keys: set[_Key] = set()
        pause_s = self.quiet_s
        for _ in range(_MAX_ROUNDS):
            remaining = self._resources_to_remove(removed_keys)
            if not remaining:
                time.sleep(self.quiet_s)
                remaining = self._resources_to_remove(removed_keys)
            if not remaining:
                break
            receipts = {
                (receipt.kind, receipt.id): receipt
                for receipt in remove_all(remaining, self.admin, self.connect_in)
            }
            receipts_by_key |= receipts
            failed = {
                key for key, receipt in receipts.items() if receipt.deed is ReceiptKind.FAILED
            }
            removed_keys |= {_key(resource) for resource in remaining} - failed
            for key in removed_keys & receipts_by_key.keys():
                if receipts_by_key[key].deed is ReceiptKind.FAILED:  # it went by itself after all
                    del receipts_by_key[key]
            if failed:
                time.sleep(pause_s)
                pause_s *= 2
        return [*receipts_by_key.values()]

    def _resources_to_remove(self, removed_keys: Set[_Key]) -> list[CreatedResource]:
        existing = read_resources(self.own, self.is_admin)
        logged = self.logged() if self.logged else None
        return resources_to_remove(self.trace, self.provided, logged, existing, removed_keys)


def resources_to_remove(
    trace: Trace,
    provided: Iterable[CreatedResource],
    logged: Iterable[CreatedResource] | None,
    existing: Iterable[CloudResource],
    removed_keys: Set[_Key] = frozenset(),
) -> list[CreatedResource]:
    """The resources to remove, each once.

    Args:
        trace: What is known of the attempt.
        provided: What was made for it.
        logged: What the user made since then as the audit log says; None: there is no log.
        existing: What is there now.
        removed_keys: What was told of and is gone.
    """
    known_keys = trace.before.keys if trace.before is not None else frozenset()

    def belongs_to_attempt(resource: CreatedResource) -> bool:
        """Of what the user made: where others use the account too, the marker decides."""
        is_marked = trace.before is not None or trace.unique in resource.name
        return is_marked and (resource.kind, resource.id) not in known_keys

    def is_new(listed: CloudResource) -> bool:
        """Of what is there: what is everybody's another administrator may have made."""
        resource = listed.resource
        is_shared = trace.before is None or (
            logged is not None and resource.kind in CLOUD_WIDE_KINDS
        )
        is_marked = not is_shared or trace.unique in resource.name
        return is_marked and (resource.kind, resource.id) not in known_keys

    existing = tuple(existing)
    kept_keys = {_key(listed.resource) for listed in existing if listed.instance in trace.keep}
    of_attempt = {
        _key(resource): resource
        for resource in (*provided, *filter(belongs_to_attempt, logged or ()))
    }
    present = {
        _key(listed.resource): listed.resource
        for listed in existing
        if _key(listed.resource) in of_attempt or is_new(listed)
    }
    to_remove = {
        key: resource for key, resource in of_attempt.items() if key not in removed_keys
    } | present
    return [
        resource
        for key, resource in to_remove.items()
        if resource.id not in trace.keep and key not in kept_keys
    ]


def _key(resource: CreatedResource) -> _Key:
    return resource.kind, resource.id
