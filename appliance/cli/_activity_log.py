"""Keeps what people do with commands that write to the store themselves: no server runs then."""

import getpass

from appliance.config import Settings, masked
from appliance.core.clock import SystemClock
from appliance.server.permissions import Permission
from appliance.store.activity import ActivityRecord, Outcome, Way
from appliance.store.store import Store

MAKE_RESOURCES = "make-resources"
REMOVE_RESOURCES = "remove-resources"
ACCEPT_MODULE = "accept-module"
REJECT_MODULE = "reject-module"
EXPORT_STORE = "export-store"
RESTORE_STORE = "restore-store"
CHANGE_SETTINGS = "change-settings"
"""What commands do and the server does not."""
_NAMED = 8
"""Paths that are named; more are counted."""


def user_name() -> str:
    """Who is logged in at this machine."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user without a name
        return "somebody"


def record_activity(
    store: Store,
    deed: Permission | str,
    object: str,
    detail: str = "",
    outcome: Outcome = Outcome.DONE,
) -> None:
    """Write down that whoever is logged in here did something."""
    store.activity.add(
        ActivityRecord(
            happened_at=SystemClock().now(),
            who=user_name(),
            way=Way.COMMAND,
            deed=str(deed),
            object=object,
            outcome=outcome,
            detail=detail,
        )
    )


def record_settings(store: Store, settings: Settings) -> None:
    """Write down which settings are others than when a server started last: paths, no values."""
    changed = store.settings_seen.replace(masked(settings))
    if not changed:
        return
    more = f" and {len(changed) - _NAMED} more" if len(changed) > _NAMED else ""
    record_activity(store, CHANGE_SETTINGS, f"{', '.join(changed[:_NAMED])}{more}")
