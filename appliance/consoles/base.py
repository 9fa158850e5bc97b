"""The seam between the engine and a cloud's console."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from appliance.browser import Page
from appliance.config import AccountSettings
from appliance.core.checks import AuditEvent, Need
from appliance.core.errors import ConsoleError


@dataclass(frozen=True, slots=True)
class CleanUp:
    """The receipt of a clean-up."""

    deleted: tuple[str, ...] = ()
    """What was removed, as `kind name`."""
    failed: tuple[str, ...] = ()
    """What is still there, with why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An identity, ready to log in."""

    name: str
    settings: AccountSettings


def fitting_accounts(
    console: str, accounts: Mapping[str, AccountSettings], wanted: str | None
) -> tuple[Account, ...]:
    """The accounts of that name, else of that role; without a wish, those of the first one's role.

    Raises:
        ConsoleError: There is none.
    """
    if wanted is not None and wanted in accounts:
        return (Account(name=wanted, settings=accounts[wanted]),)
    role = wanted if wanted is not None else next((a.role for a in accounts.values()), None)
    found = tuple(Account(name=n, settings=a) for n, a in accounts.items() if a.role == role)
    if not found:
        raise ConsoleError(
            f"console {console} has no account {wanted or 'at all'}; "
            f"put it into consoles.{console}.accounts (there: {', '.join(accounts) or 'none'})"
        )
    return found


class Console(Protocol):
    """A console under verification, behind its adapter."""

    name: str
    url: str
    hosts: frozenset[str]
    """`host` or `host:port` that the browser may reach."""
    has_audit: bool
    """Whether the console has an audit log that can be read."""

    async def check(self) -> None:
        """Raise `ConsoleError` when the console does not answer."""
        ...

    def accounts(self, wanted: str | None) -> Sequence[Account]:
        """The accounts of that name or role, or those like the default one, the best first.

        `ConsoleError` when there is none.
        """
        ...

    async def log_in(self, page: Page, account: Account) -> None:
        """Leave `page` on the console's start page, logged in; `ConsoleError` when refused."""
        ...

    async def provide(
        self, needs: Sequence[Need], account: Account, values: Mapping[str, str]
    ) -> Mapping[str, str]:
        """Make what a procedure needs by the cloud's API; `ProvisioningError` when it cannot.

        Returns further bindings (names and ids of what was made).
        """
        ...

    async def audit(self, account: Account, since: datetime) -> Sequence[AuditEvent]:
        """Its events since then, oldest first, reads left out; `OutcomeError` on failure."""
        ...

    async def clean_up(self, account: Account, since: datetime) -> CleanUp:
        """Delete what was made by `provide` or by the account since then, in dependency order."""
        ...

    async def close(self) -> None:
        """Release connections and child processes."""
        ...
