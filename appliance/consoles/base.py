"""The seam between the engine and a cloud's console."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from appliance.config import AccountSettings
from appliance.core.checks import AuditEvent, Need
from appliance.core.errors import ConsoleError
from appliance.core.resources import AccountHealth, Inventory, Receipt, ReceiptKind, Thing
from appliance.system.network.network import Network

if TYPE_CHECKING:  # a browser takes long to import, and not all who know a console use one
    from appliance.browser import HttpCredentials, Page, Person

State = TypeVar("State")


@dataclass(slots=True)
class _SavedState(Generic[State]):
    state: State
    unique: str = ""
    """The marker of the first attempt recovered since; empty if there was none."""


@dataclass(slots=True)
class SavedStates(Generic[State]):
    """The state of each account before an attempt.

    A state serves all rounds of one attempt's recovery, and no other attempt.
    """

    _by_account: dict[str, _SavedState[State]] = field(default_factory=dict)

    def keep(self, account: str, state: State) -> None:
        """Save the current state of an account."""
        self._by_account[account] = _SavedState(state)

    def of(self, account: str, unique: str) -> State | None:
        """The state before the attempt with this marker; None if none was saved."""
        entry = self._by_account.get(account)
        if entry is None or not unique or entry.unique not in ("", unique):
            return None
        entry.unique = unique
        return entry.state

    def settle(self, account: str, unique: str, receipts: list[Receipt]) -> None:
        """Forget the state, unless something could not be restored."""
        entry = self._by_account.get(account)
        has_failed = any(receipt.deed is ReceiptKind.FAILED for receipt in receipts)
        if entry is not None and entry.unique == unique and not has_failed:
            del self._by_account[account]


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An identity, ready to log in."""

    name: str
    settings: AccountSettings


def matching_accounts(
    console: str, accounts: Mapping[str, AccountSettings], wanted: str | None
) -> tuple[Account, ...]:
    """The accounts of that name, else of that role; by default, of the first account's role.

    Raises:
        ConsoleError: There is none.
    """
    if wanted is not None and wanted in accounts:
        return (Account(name=wanted, settings=accounts[wanted]),)
    role = (
        wanted
        if wanted is not None
        else next((account_settings.role for account_settings in accounts.values()), None)
    )
    matching = tuple(
        Account(name=name_, settings=account_settings)
        for name_, account_settings in accounts.items()
        if account_settings.role == role
    )
    if not matching:
        raise ConsoleError(
            f"console {console} has no account {wanted or 'at all'}; "
            f"put it into consoles.{console}.accounts (there: {', '.join(accounts) or 'none'})"
        )
    return matching


@dataclass(frozen=True, slots=True, kw_only=True)
class TerraformAccess:
    """How a provider reaches the cloud and as whom; holds no secret in plain text."""

    provider: str
    """Its local name: `practice`, `openstack`."""
    source: str
    """Its address: `registry.terraform.io/terraform-provider-openstack/openstack`."""
    arguments: Mapping[str, str]
    """The arguments of the `provider` block."""
    environment: Mapping[str, str]
    """Variables for the provider's process; may hold secrets, so it is never written or logged."""
    hosts: frozenset[str]
    """`host:port` of the APIs that it talks to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provided:
    """What `provide` created."""

    bindings: Mapping[str, str]
    """Names and ids by kind: `disk`, `disk id`, `disk 2`, `disk 2 id`."""
    things: tuple[Thing, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What is known of an attempt's creations, so that whatever is left can be removed."""

    since: datetime
    """Nothing of it is older."""
    unique: str
    """The marker in the names of what was made for it; empty: no attempt, `before` says it all."""
    before: Inventory | None
    """What the account held before; None: the console cannot tell, or others use the account too.
    Then only what the audit log or the marker shows to be of this attempt is deleted."""
    keep: frozenset[str] = frozenset()
    """Ids of what somebody else will remove (Terraform)."""
    seen: tuple[Receipt, ...] | None = None
    """What the console's lists showed of it afterwards, deleted or left; None: nobody looked."""


class Console(Protocol):
    """A console under verification, behind its adapter."""

    name: str
    url: str
    hosts: frozenset[str]
    """`host` or `host:port` that the browser may reach."""
    network: Network
    """How all of it is reached."""
    has_audit: bool
    """Whether the console has an audit log that can be read."""
    knows_inventory: bool
    """Whether it can tell what an account holds, and so what was there before an attempt."""
    keeps_log_ins: bool
    """Whether it keeps log-ins of its own, which nobody else uses again."""
    audit_delay_s: float
    """How late an event may come into it; 0: what was done is there at once, or soon."""

    async def check(self) -> None:
        """Raise `ConsoleError` when the console does not answer."""

    def accounts(self, wanted: str | None) -> Sequence[Account]:
        """The accounts of that name or role, or those like the default one, the best first.

        `ConsoleError` when there is none.
        """

    def credentials(self, account: Account) -> "HttpCredentials | None":
        """What the browser itself logs in with, before there is a page; None: nothing.

        Raises:
            ConsoleError: The account's password cannot be read.
        """

    async def code(self, account: Account) -> str:
        """A code of the account's second factor that nobody was given before.

        Raises:
            ConsoleError: It has none, or its secret cannot be read.
        """

    async def log_in(self, page: "Page", account: Account, person: "Person | None" = None) -> None:
        """Leave `page` on the console's start page, logged in.

        Args:
            page: Where.
            account: As whom.
            person: Who does what only a person can; None: nobody can be asked.

        Raises:
            ConsoleError: It is refused.
            PersonError: A person is needed, and none comes.
        """

    async def keep_log_in(self, page: "Page", account: Account) -> None:
        """After an attempt: keep what the log-in has become, where it is kept here."""

    async def health(self, account: Account) -> AccountHealth:
        """Whether the account can log in through the API, and what it has left.

        Never raises for what the console says about the account; `ConsoleError` when the console
        does not answer at all.
        """

    async def terraform(self, account: Account) -> TerraformAccess | None:
        """How a Terraform provider gets in as this account; None: there is no provider for it.

        Raises:
            ConsoleError: The account's password cannot be read, or the console refuses it.
        """

    async def provide(
        self, needs: Sequence[Need], account: Account, values: Mapping[str, str]
    ) -> Provided:
        """Make what a procedure needs by the cloud's API, where no resource module does it.

        Raises:
            ProvisioningError: It cannot; what was made until then is in the inventory.
        """

    async def inventory(self, account: Account) -> Inventory | None:
        """All that the account holds now; None: this console cannot tell.

        Raises:
            ConsoleError: The console does not know the account.
            ProvisioningError: The cloud refused or did not answer.
        """

    async def remember(self, account: Account) -> None:
        """Keep what an attempt may change without making anything: `recover` restores it."""

    async def audit(self, account: Account, since: datetime) -> Sequence[AuditEvent]:
        """Its events since then, oldest first, reads left out; `OutcomeError` on failure."""

    async def recover(self, account: Account, trace: Trace) -> Sequence[Receipt]:
        """Delete what an attempt made, in dependency order, and put back what it changed.

        Waits for what is still on its way. What could not be deleted is a receipt that failed,
        never an exception. `ProvisioningError` only when the cloud does not answer.
        """

    async def close(self) -> None:
        """Release connections and child processes."""
