"""What each role may do: the one table that REST, the dashboard and its templates ask.

A route names what it is with `opt=needs(Permission.TRIAGE_FINDING)`; `callers.authorise` looks up
who may. What only looks needs nothing said.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from litestar.handlers import BaseRouteHandler

from appliance.store.keys import Role

PUBLIC = "is_public"
"""Option of a route that needs no caller: `opt={PUBLIC: True}`."""
_NEEDS = "needs"


class Permission(StrEnum):
    """Something that somebody does with the server."""

    LOOK = "look"
    PLAN_SWEEP = "plan-sweep"
    START_RUN = "start-run"
    PAUSE_RUN = "pause-run"
    RESUME_RUN = "resume-run"
    CANCEL_RUN = "cancel-run"
    TRIAGE_FINDING = "triage-finding"
    ANSWER_QUESTION = "answer-question"
    CHECK_ACCOUNT = "check-account"
    REMOVE_LEFTOVERS = "remove-leftovers"
    RETRY_DELIVERY = "retry-delivery"
    READ_MODEL_LOG = "read-model-log"
    QUARANTINE_ACCOUNT = "quarantine-account"
    RELEASE_ACCOUNT = "release-account"
    RUN_SCHEDULE = "run-schedule"
    SET_SCHEDULE = "set-schedule"
    REMOVE_SCHEDULE = "remove-schedule"
    RESTART_MODEL = "restart-model"
    BACK_UP_STORE = "back-up-store"
    CHECKPOINT_STORE = "checkpoint-store"
    PRUNE_STORE = "prune-store"
    READ_KEYS = "read-keys"
    CREATE_KEY = "create-key"
    REVOKE_KEY = "revoke-key"
    READ_ACTIVITY = "read-activity"


@dataclass(frozen=True, slots=True)
class Grant:
    """The least role that has a permission, and what the permission is for."""

    role: Role
    """The least that may."""
    about: str
    is_kept: bool = True
    """Whether it changes something, so that the activity log says who did it."""


GRANTS: Mapping[Permission, Grant] = MappingProxyType(
    {
        Permission.LOOK: Grant(Role.VIEWER, "look at all but keys and activity", is_kept=False),
        Permission.PLAN_SWEEP: Grant(Role.OPERATOR, "see what a sweep would verify", is_kept=False),
        Permission.START_RUN: Grant(Role.OPERATOR, "start a verification or a sweep"),
        Permission.PAUSE_RUN: Grant(Role.OPERATOR, "pause a run"),
        Permission.RESUME_RUN: Grant(Role.OPERATOR, "resume a run"),
        Permission.CANCEL_RUN: Grant(Role.OPERATOR, "cancel a run"),
        Permission.TRIAGE_FINDING: Grant(Role.OPERATOR, "triage a finding"),
        Permission.ANSWER_QUESTION: Grant(Role.OPERATOR, "answer a question of an attempt"),
        Permission.CHECK_ACCOUNT: Grant(Role.OPERATOR, "check an account"),
        Permission.REMOVE_LEFTOVERS: Grant(Role.OPERATOR, "remove what attempts left in a cloud"),
        Permission.RETRY_DELIVERY: Grant(Role.OPERATOR, "send a message again"),
        Permission.READ_MODEL_LOG: Grant(
            Role.OPERATOR, "read what the model's server prints", is_kept=False
        ),
        # Who is kept out decides what is verified at all, and outlives every run.
        Permission.QUARANTINE_ACCOUNT: Grant(Role.ADMIN, "put an account into quarantine"),
        Permission.RELEASE_ACCOUNT: Grant(Role.ADMIN, "release an account"),
        # Retention is a schedule too, and removes; an operator starts a sweep without one.
        Permission.RUN_SCHEDULE: Grant(Role.ADMIN, "run a schedule now"),
        Permission.SET_SCHEDULE: Grant(Role.ADMIN, "set a schedule, switch it on or off"),
        Permission.REMOVE_SCHEDULE: Grant(Role.ADMIN, "remove a schedule"),
        Permission.RESTART_MODEL: Grant(Role.ADMIN, "restart the model"),
        Permission.BACK_UP_STORE: Grant(Role.ADMIN, "back up the store"),
        Permission.CHECKPOINT_STORE: Grant(Role.ADMIN, "write a checkpoint of the store"),
        Permission.PRUNE_STORE: Grant(Role.ADMIN, "remove what is past its time"),
        Permission.READ_KEYS: Grant(Role.ADMIN, "list keys", is_kept=False),
        Permission.CREATE_KEY: Grant(Role.ADMIN, "create a key"),
        Permission.REVOKE_KEY: Grant(Role.ADMIN, "revoke a key"),
        Permission.READ_ACTIVITY: Grant(Role.ADMIN, "read the activity log", is_kept=False),
    }
)
"""Each role may do what the one before may. docs/operating.md says it in words: a viewer reads, an
operator runs and triages, an admin does the rest."""


def may(role: Role, permission: Permission) -> bool:
    """Whether a role has a permission."""
    return role.includes(GRANTS[permission].role)


def needs(permission: Permission) -> dict[str, Any]:  # Any: options as Litestar has them
    """Options of a route: `opt=needs(Permission.START_RUN)`."""
    return {_NEEDS: permission}


def permission_of(handler: BaseRouteHandler) -> Permission | None:
    """What a route asks for; None: it is for everybody.

    Raises:
        LookupError: It changes something, and does not say what.
    """
    if handler.opt.get(PUBLIC):
        return None
    wanted = handler.opt.get(_NEEDS)
    if isinstance(wanted, Permission):
        return wanted
    if getattr(handler, "http_methods", frozenset()) <= {"GET", "HEAD", "OPTIONS"}:
        return Permission.LOOK
    raise LookupError(f"{handler} changes something, and no permission is named for it")


@dataclass(frozen=True, slots=True)
class Permitted:
    """A row of the table of permissions."""

    permission: Permission
    about: str
    role: Role
    """The least that may."""


def permissions() -> tuple[Permitted, ...]:
    """The table, from the least role to the greatest."""
    return tuple(Permitted(wanted, grant.about, grant.role) for wanted, grant in GRANTS.items())


def in_markdown() -> str:
    """The table, for the description of the API."""
    lines: list[tuple[str, ...]] = [("", *Role), ("---",) * (1 + len(Role))]
    for wanted, grant in GRANTS.items():
        lines.append((grant.about, *("yes" if may(role, wanted) else "" for role in Role)))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
