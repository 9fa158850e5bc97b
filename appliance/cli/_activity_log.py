"""Keeps what people do with commands that write to the store themselves: no server runs then."""

import getpass

from appliance.core.clock import SystemClock
from appliance.server.permissions import Permission
from appliance.store.activity import ActivityRecord, Outcome, Way
from appliance.store.store import Store

MAKE_RESOURCES = "make-resources"
REMOVE_RESOURCES = "remove-resources"
ACCEPT_MODULE = "accept-module"
REJECT_MODULE = "reject-module"
"""What commands do and the server does not."""


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
