"""What each role may do: the one table that REST, the dashboard and its templates ask.

A route names what it is with `opt=needs(Permission.TRIAGE_FINDING)`; `callers.authorise` looks up
who may. What only looks needs nothing said.
"""

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

from appliance.store.keys import Role

if TYPE_CHECKING:  # the command line knows the table without a server
    from litestar.handlers import BaseRouteHandler

PUBLIC = "is_public"
"""Option of a route that needs no caller: `opt={PUBLIC: True}`."""
_NEEDS = "needs"


class Permission(StrEnum):
    """Something that somebody does with the server, who may at least, and what it is for.

    Each role may do what the one before may. docs/operating.md says it in words: a viewer
    reads, an operator runs and triages, an admin does the rest.
    """

    role: Role
    """The least that may."""
    about: str
    is_kept: bool
    """Whether it changes something, so that the activity log says who did it."""

    def __new__(cls, value: str, role: Role, about: str, is_kept: bool = True) -> Self:
        """A member, as the table below has it."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.role, member.about, member.is_kept = role, about, is_kept
        return member

    LOOK = "look", Role.VIEWER, "look at all but keys and activity", False
    EXPORT_RESULTS = "export-results", Role.VIEWER, "take reports and evidence away"
    PLAN_SWEEP = "plan-sweep", Role.OPERATOR, "see what a sweep would verify", False
    START_RUN = "start-run", Role.OPERATOR, "start a verification or a sweep"
    PAUSE_RUN = "pause-run", Role.OPERATOR, "pause a run"
    RESUME_RUN = "resume-run", Role.OPERATOR, "resume a run"
    CANCEL_RUN = "cancel-run", Role.OPERATOR, "cancel a run"
    TRIAGE_FINDING = "triage-finding", Role.OPERATOR, "triage a finding"
    ANSWER_QUESTION = "answer-question", Role.OPERATOR, "answer a question of an attempt"
    CHECK_ACCOUNT = "check-account", Role.OPERATOR, "check an account"
    RECORD_LOG_IN = "record-log-in", Role.OPERATOR, "record the log-in of an account"
    REMOVE_LEFTOVERS = "remove-leftovers", Role.OPERATOR, "remove what attempts left in a cloud"
    RETRY_DELIVERY = "retry-delivery", Role.OPERATOR, "send a message again"
    READ_MODEL_LOG = "read-model-log", Role.OPERATOR, "read what the model's server prints", False
    # Who is kept out decides what is verified at all, and outlives every run.
    QUARANTINE_ACCOUNT = "quarantine-account", Role.ADMIN, "put an account into quarantine"
    RELEASE_ACCOUNT = "release-account", Role.ADMIN, "release an account"
    # Retention is a schedule too, and removes; an operator starts a sweep without one.
    RUN_SCHEDULE = "run-schedule", Role.ADMIN, "run a schedule now"
    SET_SCHEDULE = "set-schedule", Role.ADMIN, "set a schedule, switch it on or off"
    REMOVE_SCHEDULE = "remove-schedule", Role.ADMIN, "remove a schedule"
    # Where a console is, its browser goes, with the accounts' passwords.
    READ_CONSOLES = "read-consoles", Role.ADMIN, "see how consoles are set up", False
    SET_CONSOLE = "set-console", Role.ADMIN, "set a console"
    TRY_CONSOLE = "try-console", Role.ADMIN, "try the log-ins of a console"
    REMOVE_CONSOLE = "remove-console", Role.ADMIN, "remove a console"
    RESTART_MODEL = "restart-model", Role.ADMIN, "restart the model"
    BACK_UP_STORE = "back-up-store", Role.ADMIN, "back up the store"
    CHECKPOINT_STORE = "checkpoint-store", Role.ADMIN, "write a checkpoint of the store"
    PRUNE_STORE = "prune-store", Role.ADMIN, "remove what is past its time"
    READ_KEYS = "read-keys", Role.ADMIN, "list keys", False
    CREATE_KEY = "create-key", Role.ADMIN, "create a key"
    ROTATE_KEY = "rotate-key", Role.ADMIN, "rotate a key"
    REVOKE_KEY = "revoke-key", Role.ADMIN, "revoke a key"
    READ_ACTIVITY = "read-activity", Role.ADMIN, "read the activity log", False
    EXPORT_ACTIVITY = "export-activity", Role.ADMIN, "take the activity log away"


PERMISSIONS = MappingProxyType({permission.value: permission for permission in Permission})
"""By their names, as templates have them."""


def may(role: Role, permission: Permission) -> bool:
    """Whether a role has a permission."""
    return role.includes(permission.role)


def needs(permission: Permission) -> dict[str, Any]:  # Any: options as Litestar has them
    """Options of a route: `opt=needs(Permission.START_RUN)`."""
    return {_NEEDS: permission}


def permission_of(handler: "BaseRouteHandler") -> Permission | None:
    """What a route asks for; None: it is for everybody.

    Raises:
        LookupError: It changes something, and does not say what.
    """
    if handler.opt.get(PUBLIC):
        return None
    permission = handler.opt.get(_NEEDS)
    if isinstance(permission, Permission):
        return permission
    if getattr(handler, "http_methods", frozenset()) <= {"GET", "HEAD", "OPTIONS"}:
        return Permission.LOOK
    raise LookupError(f"{handler} changes something, and no permission is named for it")


@dataclass(frozen=True, slots=True)
class Permitted:
    """A row of the table of permissions."""

    permission: Permission
    about: str
    """In words."""
    role: Role
    """The least that may."""


def permissions() -> tuple[Permitted, ...]:
    """The table, from the least role to the greatest."""
    return tuple(
        Permitted(permission, permission.about, permission.role) for permission in Permission
    )


def in_markdown() -> str:
    """The table, for the description of the API."""
    lines: list[tuple[str, ...]] = [("", *Role), ("---",) * (1 + len(Role))]
    for permission in Permission:
        lines.append((permission.about, *("yes" if may(role, permission) else "" for role in Role)))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
