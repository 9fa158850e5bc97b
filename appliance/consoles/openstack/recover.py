"""Removes what an attempt made in an OpenStack cloud, and looks again until nothing more comes."""

import time
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass

from appliance.consoles.base import Trace
from appliance.consoles.openstack.audit import CreatedResource
from appliance.consoles.openstack.cloud import Connection
from appliance.consoles.openstack.inventory import EVERYBODYS, CloudResource, read_resources
from appliance.consoles.openstack.remove import Opener, remove_all
from appliance.core.resources import Receipt, ReceiptKind

_ROUNDS = 5
"""What the cloud refuses so often it refuses for good."""
QUIET_S = 1.0
"""What is still on its way, such as a click's request or a notification, comes within this."""


_Key = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """What is known of an attempt, and whose rights there are; all of it blocking."""

    trace: Trace
    own: Connection
    admin: Connection
    own_in: Opener
    is_admin: bool
    provided: Iterable[CreatedResource]
    logged: Callable[[], Iterable[CreatedResource]] | None
    """What the audit log says that the user made since then; None: there is no log."""
    quiet_s: float = QUIET_S

    def remove(self) -> list[Receipt]:
        """A receipt for each thing that was removed, or could not be."""
        done: dict[_Key, Receipt] = {}
        gone: set[_Key] = set()
        pause_s = self.quiet_s
        for _ in range(_ROUNDS):
            left = self._resources_to_remove(gone)
            if not left:
                time.sleep(self.quiet_s)
                left = self._resources_to_remove(gone)
            if not left:
                break
            receipts = {(r.kind, r.id): r for r in remove_all(left, self.admin, self.own_in)}
            done |= receipts
            failed = {
                key for key, receipt in receipts.items() if receipt.deed is ReceiptKind.FAILED
            }
            gone |= {_key(made) for made in left} - failed
            for key in gone & done.keys():
                if done[key].deed is ReceiptKind.FAILED:  # it went by itself after all
                    del done[key]
            if failed:
                time.sleep(pause_s)
                pause_s *= 2
        return [*done.values()]

    def _resources_to_remove(self, gone: Set[_Key]) -> list[CreatedResource]:
        existing = read_resources(self.own, self.is_admin)
        logged = self.logged() if self.logged else None
        return resources_to_remove(self.trace, self.provided, logged, existing, gone)


def resources_to_remove(
    trace: Trace,
    provided: Iterable[CreatedResource],
    logged: Iterable[CreatedResource] | None,
    existing: Iterable[CloudResource],
    gone: Set[_Key] = frozenset(),
) -> list[CreatedResource]:
    """The resources to remove, each once.

    Args:
        trace: What is known of the attempt.
        provided: What was made for it.
        logged: What the user made since then as the audit log says; None: there is no log.
        existing: What is there now.
        gone: What was told of and is gone.
    """
    known = trace.before.keys if trace.before is not None else frozenset()

    def is_of_attempt(made: CreatedResource) -> bool:
        """Of what the user made: where others use the account too, the marker decides."""
        is_ours = trace.before is not None or trace.unique in made.name
        return is_ours and (made.kind, made.id) not in known

    def is_new(one: CloudResource) -> bool:
        """Of what is there: what is everybody's another administrator may have made."""
        made = one.made
        is_shared = trace.before is None or (logged is not None and made.kind in EVERYBODYS)
        is_ours = not is_shared or trace.unique in made.name
        return is_ours and (made.kind, made.id) not in known

    existing = tuple(existing)
    stays = {_key(one.made) for one in existing if one.instance in trace.keep}
    of_attempt = {_key(made): made for made in (*provided, *filter(is_of_attempt, logged or ()))}
    there = {
        _key(one.made): one.made for one in existing if _key(one.made) in of_attempt or is_new(one)
    }
    going = {key: made for key, made in of_attempt.items() if key not in gone} | there
    return [made for key, made in going.items() if made.id not in trace.keep and key not in stays]


def _key(made: CreatedResource) -> _Key:
    return made.kind, made.id
