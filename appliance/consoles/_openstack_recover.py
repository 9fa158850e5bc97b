"""Removes what an attempt made in an OpenStack cloud, and looks again until nothing more comes."""

import time
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass

from appliance.consoles._openstack_audit import Made
from appliance.consoles._openstack_cloud import Connection
from appliance.consoles._openstack_inventory import EVERYBODYS, Found, read_found
from appliance.consoles._openstack_remove import Opener, remove_all
from appliance.consoles.base import Trace
from appliance.core.resources import Deed, Receipt

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
    provided: Iterable[Made]
    logged: Callable[[], Iterable[Made]] | None
    """What the audit log says that the user made since then; None: there is no log."""
    quiet_s: float = QUIET_S

    def remove(self) -> list[Receipt]:
        """A receipt for each thing that was removed, or could not be."""
        done: dict[_Key, Receipt] = {}
        gone: set[_Key] = set()
        pause_s = self.quiet_s
        for _ in range(_ROUNDS):
            doomed = self._doomed(gone)
            if not doomed:
                time.sleep(self.quiet_s)
                doomed = self._doomed(gone)
            if not doomed:
                break
            receipts = {(r.kind, r.id): r for r in remove_all(doomed, self.admin, self.own_in)}
            done |= receipts
            failed = {key for key, receipt in receipts.items() if receipt.deed is Deed.FAILED}
            gone |= {(made.kind, made.id) for made in doomed} - failed
            for key in gone & done.keys():
                if done[key].deed is Deed.FAILED:  # it went by itself after all
                    del done[key]
            if failed:
                time.sleep(pause_s)
                pause_s *= 2
        return [*done.values()]

    def _doomed(self, gone: Set[_Key]) -> list[Made]:
        """What has to go: what is told of and not gone yet, and what is found, each once."""
        logged = [made for made in (self.logged() if self.logged else ()) if self._may_go(made)]
        by_attempt = {(made.kind, made.id): made for made in (*self.provided, *logged)}
        doomed = {key: made for key, made in by_attempt.items() if key not in gone}
        for found in read_found(self.own, self.is_admin):
            key = (found.made.kind, found.made.id)
            if key in by_attempt or self._is_new(found):
                doomed[key] = found.made
        return [made for made in doomed.values() if made.id not in self.trace.keep]

    def _may_go(self, made: Made) -> bool:
        """Whether what the user made is of this attempt: others may use the account too."""
        before = self.trace.before
        if before is None:
            return self.trace.unique in made.name
        return (made.kind, made.id) not in before.keys

    def _is_new(self, found: Found) -> bool:
        made, trace = found.made, self.trace
        if found.instance in trace.keep and found.instance:
            return False
        if trace.before is None or (self.logged is not None and made.kind in EVERYBODYS):
            is_old = trace.before is not None and (made.kind, made.id) in trace.before.keys
            return trace.unique in made.name and not is_old
        return (made.kind, made.id) not in trace.before.keys
