"""Connections to OpenStack's APIs, and the blocking calls' way out of the event loop."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from appliance import __version__
from appliance.config import AccountSettings
from appliance.consoles.base import Account
from appliance.consoles.credentials import password_of
from appliance.core.errors import ConsoleError, ProvisioningError, SetupError
from appliance.system.network.network import DIRECT, Network
from appliance.system.network.sessions import speak_through

APP = "console-docs-appliance"
"""Start of the user agent by which the audit log tells our own requests from the console's."""

Connection = Any  # openstacksdk is optional: its types are not there without it
Result = TypeVar("Result")


class Cloud:
    """One connection per account and project, opened when first asked for."""

    def __init__(self, auth_url: str, network: Network = DIRECT, timeout_s: float = 60.0) -> None:
        self._auth_url = auth_url
        self.network = network
        self._timeout_s = timeout_s
        self._connections: dict[tuple[str, str], Connection] = {}

    def connect(self, account: Account, project: str = "") -> Connection:
        """A connection as that account; blocking, so call it inside `call`."""
        project_name = project or account.settings.project
        key = (account.name, project_name)
        if key not in self._connections:
            self._connections[key] = self._open(account, project_name)
        return self._connections[key]

    async def call(
        self, doing: str, function: Callable[[], Result], timeout_s: float | None = None
    ) -> Result:
        """Run a blocking function beside the event loop.

        Raises:
            ConsoleError: Keystone refuses the log-in.
            ProvisioningError: The cloud refused, or did not answer in time.
        """
        sdk = openstacksdk()
        from keystoneauth1 import exceptions as keystone

        try:
            async with asyncio.timeout(timeout_s or 5 * self._timeout_s):
                return await asyncio.to_thread(function)
        except TimeoutError as exc:
            raise ProvisioningError(f"{doing}: the cloud did not finish in time") from exc
        except keystone.Unauthorized as exc:
            raise ConsoleError(f"{doing}: Keystone refuses the log-in: {_error_text(exc)}") from exc
        except (sdk.exceptions.SDKException, keystone.ClientException) as exc:
            raise ProvisioningError(f"{doing}: {_error_text(exc)}") from exc

    def close(self) -> None:
        """Close all connections."""
        for connection in self._connections.values():
            connection.close()
        self._connections.clear()

    def _open(self, account: Account, project: str) -> Connection:
        settings = account.settings
        connection = openstacksdk().connect(
            load_yaml_config=False,
            load_envvars=False,
            auth_url=self._auth_url,
            auth=self._auth(account, settings, project),
            api_timeout=self._timeout_s,
            app_name=APP,
            app_version=__version__,
        )
        speak_through(self.network, connection.session.session)
        return connection if project else self._in_first_project(account, connection)

    def _auth(self, account: Account, settings: AccountSettings, project: str) -> dict[str, str]:
        auth = {
            "auth_url": self._auth_url,
            "username": settings.username,
            "password": password_of(account.name, settings),
            "user_domain_name": "Default",
        }
        if is_id(project):
            auth["project_id"] = project
        elif project:
            auth |= {"project_name": project, "project_domain_name": "Default"}
        return auth

    def _in_first_project(self, account: Account, unscoped: Connection) -> Connection:
        """Where no project is configured: the first by name, as Horizon does."""
        response = unscoped.session.get(f"{self._auth_url}/auth/projects", authenticated=True)
        names = sorted(project["name"] for project in response.json()["projects"])
        unscoped.close()
        if not names:
            raise ProvisioningError(f"the user {account.settings.username} has no project")
        return self.connect(account, names[0])


def find_names(connection: Connection, kinds: Mapping[str, str]) -> dict[str, str]:
    """Names of projects, users and roles, given their kinds by id; blocking."""
    identity = connection.identity
    finders = {
        "project": identity.find_project,
        "user": identity.find_user,
        "role": identity.find_role,
    }
    resources = {
        identity_id: finders[kind](identity_id, ignore_missing=True)
        for identity_id, kind in kinds.items()
    }
    return {identity_id: resource.name for identity_id, resource in resources.items() if resource}


def openstacksdk() -> Any:  # Any: an optional dependency
    """The `openstack` module; `SetupError`: it is not installed."""
    try:
        import openstack
        import openstack.exceptions
    except ImportError as exc:
        raise SetupError(
            "the openstack console needs openstacksdk: "
            "run `pip install console-docs-appliance[openstack]`"
        ) from exc
    return openstack


def _error_text(exc: Exception) -> str:
    details = getattr(exc, "details", None)
    return str(details or exc).strip() or type(exc).__name__


def is_id(project: str) -> bool:
    """Whether a project is named by its id."""
    return len(project) == 32 and all(c in "0123456789abcdef" for c in project)
