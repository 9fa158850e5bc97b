"""The entries of the navigation."""

from typing import NamedTuple

from appliance.server.callers import Caller
from appliance.server.permissions import Permission, may


class NavigationItem(NamedTuple):
    """A page that can be reached from everywhere."""

    key: str
    """Its word is `nav.KEY`."""
    path: str
    needs: Permission = Permission.LOOK


NAVIGATION: tuple[tuple[str, tuple[NavigationItem, ...]], ...] = (
    (
        "work",
        (
            NavigationItem("overview", "/"),
            NavigationItem("findings", "/findings"),
            NavigationItem("documents", "/documents"),
            NavigationItem("runs", "/runs"),
            NavigationItem("verify", "/verify"),
        ),
    ),
    (
        "operation",
        (
            NavigationItem("questions", "/questions"),
            NavigationItem("schedules", "/schedules"),
            NavigationItem("consoles", "/consoles"),
            NavigationItem("accounts", "/accounts"),
            NavigationItem("resources", "/resources"),
            NavigationItem("webhooks", "/webhooks"),
        ),
    ),
    (
        "learning",
        (
            NavigationItem("models", "/models"),
            NavigationItem("benchmarks", "/benchmarks"),
            NavigationItem("training", "/training"),
        ),
    ),
    (
        "access",
        (
            NavigationItem("keys", "/keys", Permission.READ_KEYS),
            NavigationItem("activity", "/activity", Permission.READ_ACTIVITY),
        ),
    ),
)
"""By group; a group's word is `nav.group.KEY`."""


def navigation_for(caller: Caller | None) -> tuple[tuple[str, tuple[NavigationItem, ...]], ...]:
    """What that caller may see; a group without entries is left out."""
    if caller is None:
        return ()
    role = caller.role
    groups = (
        (group, tuple(entry for entry in entries if may(role, entry.needs)))
        for group, entries in NAVIGATION
    )
    return tuple((group, entries) for group, entries in groups if entries)
