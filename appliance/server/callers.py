"""Who asks, and what they may do."""

from dataclasses import dataclass
from typing import Any, TypeAlias

from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.params import SkipValidation

from appliance.server.permissions import PUBLIC, permission_of
from appliance.server.problems import Problem
from appliance.store.keys import Role

__all__ = [
    "PUBLIC",
    "Caller",
    "Connection",
    "Role",
    "TheCaller",
    "authorise",
    "caller_of",
    "known_caller",
]

Connection: TypeAlias = ASGIConnection[Any, Any, Any, Any]  # Any: as Litestar's guards have it


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who sent a request."""

    name: str
    """Of the key, or of the person as the identity provider says; `local` for somebody at this
    machine without one."""
    role: Role
    key_id: str = ""
    """Public part of the key, or `oidc:` and the person's subject; empty: neither."""
    session: bool = False
    """Whether it came by a log-in to the dashboard."""


TheCaller: TypeAlias = NamedDependency[SkipValidation[Caller]]
"""For handlers: `async def start(self, caller: TheCaller)`."""


def caller_of(connection: Connection) -> Caller | None:
    """Who sent it; None: nobody that is known."""
    user = connection.scope.get("user")
    return user if isinstance(user, Caller) else None


def known_caller(connection: Connection) -> Caller:
    """Who sent it.

    Raises:
        Problem: 401 where nobody is known.
    """
    caller = caller_of(connection)
    if caller is None:
        raise Problem(
            401,
            "Send `Authorization: Bearer KEY`. `appliance key create NAME` makes a key.",
            title="A key is needed",
            code="key-needed",
            headers={"WWW-Authenticate": "Bearer"},
        )
    return caller


def authorise(connection: Connection, handler: BaseRouteHandler) -> None:
    """The guard of every route: 401 without a key, 403 where its role is too small."""
    wanted = permission_of(handler)
    if wanted is None:
        return
    caller, least = known_caller(connection), wanted.role
    if not caller.role.includes(least):
        raise Problem(
            403,
            f"{caller.name!r} is {caller.role}; this needs {least} ({wanted}).",
            title="Not allowed",
            code="role-too-small",
        )
