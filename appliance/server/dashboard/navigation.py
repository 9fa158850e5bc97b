"""The entries of the navigation."""

from typing import NamedTuple

from appliance.server.callers import Caller
from appliance.server.permissions import Permission, may


class Entry(NamedTuple):
    """A page that can be reached from everywhere."""

    key: str
    """Its word is `nav.KEY`."""
    path: str
    needs: Permission = Permission.LOOK


NAVIGATION: tuple[tuple[str, tuple[Entry, ...]], ...] = (
    (
        "work",
        (
            Entry("overview", "/"),
            Entry("findings", "/findings"),
            Entry("documents", "/documents"),
            Entry("runs", "/runs"),
            Entry("verify", "/verify"),
        ),
    ),
    (
        "operation",
        (
            Entry("questions", "/questions"),
            Entry("schedules", "/schedules"),
            Entry("accounts", "/accounts"),
            Entry("resources", "/resources"),
            Entry("webhooks", "/webhooks"),
        ),
    ),
    (
        "learning",
        (
            Entry("models", "/models"),
            Entry("benchmarks", "/benchmarks"),
            Entry("training", "/training"),
        ),
    ),
    (
        "access",
        (
            Entry("keys", "/keys", Permission.READ_KEYS),
            Entry("activity", "/activity", Permission.READ_ACTIVITY),
        ),
    ),
)
"""By group; a group's word is `nav.group.KEY`."""


def navigation_for(caller: Caller | None) -> tuple[tuple[str, tuple[Entry, ...]], ...]:
    """What that caller may see; a group without entries is left out."""
    if caller is None:
        return ()
    role = caller.role
    seen = (
        (group, tuple(entry for entry in entries if may(role, entry.needs)))
        for group, entries in NAVIGATION
    )
    return tuple((group, entries) for group, entries in seen if entries)
