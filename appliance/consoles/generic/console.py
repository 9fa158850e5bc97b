"""A console that has no adapter of its own: it is logged in to by its form, and its audit log read.

It can neither say what an account holds nor delete anything. What an attempt made is looked for in
the console's lists, and deleted there (`verification/second_look/`); what stays has a receipt that
names it, and the account is used again all the same.
"""

import asyncio
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import assert_never
from urllib.parse import urlsplit

import httpx

from appliance.browser import BrowserPool, HttpCredentials, Page, Person
from appliance.config import BrowserSettings, ConsoleSettings
from appliance.consoles.base import Account, Provided, TerraformAccess, Trace, matching_accounts
from appliance.consoles.credentials import SecondFactors, password_of
from appliance.consoles.generic.login import log_in, log_in_without_form
from appliance.consoles.generic.steps import WrittenLogIn, read_log_in
from appliance.consoles.recorded import RecordedLogIn, RecordedLogIns
from appliance.core.checks import AuditEvent, EventOutcome, Need
from appliance.core.errors import (
    BrowserError,
    ConsoleError,
    OutcomeError,
    PersonError,
    ProvisioningError,
)
from appliance.core.resources import AccountHealth, Receipt, ReceiptKind
from appliance.outcome.sources import open_source
from appliance.store.store import Store
from appliance.system.network.clients import async_client
from appliance.system.network.faults import explain
from appliance.system.network.network import DIRECT, Network

_CREATION_WORDS = re.compile(
    r"(?:^|[^a-z])(?:create|run|add|allocate|register|import|launch|provision|clone|copy|restore"
    r"|upload|put|start|apply|buy|purchase)(?:d|s|ed)?(?=[^a-z]|$)"
)
_REMOVAL_WORDS = re.compile(
    r"(?:^|[^a-z])(?:delete|remove|terminate|release|destroy|deregister|unregister|drop|stop"
    r"|purge)(?:d|s|ed)?(?=[^a-z]|$)"
)
_CAMEL_CASE_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PARTIAL_EVENT = re.compile(r"\.(start|error)$")
_CANNOT_DELETE = "this console cannot delete anything: remove it by hand"


def left_behind(events: Sequence[AuditEvent]) -> tuple[Receipt, ...]:
    """Receipts for resources that, according to the log, were created and not removed.

    Goes by the words in the names of operations: `CreateBucket`, `create deployments`,
    `network.create.end`.
    """
    created: dict[str, AuditEvent] = {}
    for event in events:
        key = event.target_id or event.target_name
        if event.outcome is EventOutcome.FAILURE or not key:
            continue
        words = _CAMEL_CASE_BOUNDARY.sub(" ", event.name).lower()
        if _REMOVAL_WORDS.search(words):
            for removed_key in _same_target(created, event):
                del created[removed_key]
        elif _CREATION_WORDS.search(words) and not _PARTIAL_EVENT.search(words):
            created.setdefault(key, event)
    return tuple(
        Receipt(
            deed=ReceiptKind.LEFT,
            kind=event.target_type or event.name,
            id=event.target_id,
            name=event.target_name,
            why=_CANNOT_DELETE,
        )
        for event in created.values()
    )


def unlogged_receipt(unique: str, why: str) -> Receipt:
    """A receipt for resources that no log lists."""
    return Receipt(
        deed=ReceiptKind.LEFT,
        kind="anything",
        id=unique,
        why=f"{why}: look for what has {unique} in its name, and remove it by hand",
    )


def _same_target(created: Iterable[str], removal: AuditEvent) -> list[str]:
    return [key for key in created if key in (removal.target_id, removal.target_name)]


_CHECK_TIMEOUT_S = 20.0
_CHECK_PAUSES_S = (0.5, 1.0)
_REFUSAL_MEMORY_S = 60.0
"""How long a health check does not retry a refused log-in, as consoles lock accounts."""


class GenericConsole:
    """Any console that has no adapter of its own."""

    knows_inventory = False

    def __init__(
        self,
        name: str,
        settings: ConsoleSettings,
        network: Network = DIRECT,
        *,
        store: Store | None = None,
        browser: BrowserSettings | None = None,
        recorded: RecordedLogIns | None = None,
    ) -> None:
        self.name = name
        self.url = settings.url
        self.hosts = frozenset({urlsplit(settings.url).netloc, *settings.hosts} - {""})
        self.network = network
        self._settings = settings
        self._browser = browser or BrowserSettings()
        region = next((a.region for a in settings.accounts.values() if a.region), "")
        self._source = open_source(
            name, settings.audit, region=region, store=store, network=network
        )
        self.has_audit = self._source is not None
        self.audit_delay_s = self._source.late_s if self._source else 0.0
        self._codes = SecondFactors()
        self.keeps_log_ins = settings.log_in == "state"
        self._recorded = RecordedLogIn(name, settings.url, recorded)
        self._steps = read_log_in(settings.log_in_steps) if settings.log_in == "steps" else ()
        self._refused: dict[str, tuple[float, str]] = {}
        """When the last log-in of each account was refused, and why."""

    async def check(self) -> None:
        """Check that the log-in page answers and the audit log can be read."""
        advice = f"is it running, and is consoles.{self.name}.url right?"
        try:
            status = await self._status()
        except (httpx.HTTPError, httpx.InvalidURL) as exc:
            why = explain(exc)
            raise ConsoleError(f"no console answers at {self.url} ({why}); {advice}") from exc
        if httpx.codes.is_server_error(status) or status == httpx.codes.NOT_FOUND:
            raise ConsoleError(f"{self.url} answers {status}; {advice}")
        if self._source is not None:
            try:
                await self._source.check()
            except OutcomeError as exc:
                raise ConsoleError(f"consoles.{self.name}.audit: {exc}") from exc

    async def _status(self) -> int:
        """The status of the log-in page, asked for again after a server error."""
        async with async_client(
            self.network, follow_redirects=True, timeout=_CHECK_TIMEOUT_S
        ) as client:
            for pause in _CHECK_PAUSES_S:
                status = (await client.get(self.url)).status_code
                if not httpx.codes.is_server_error(status):
                    return status
                await asyncio.sleep(pause)
            return (await client.get(self.url)).status_code

    def accounts(self, wanted: str | None) -> Sequence[Account]:
        """The accounts of that name or role."""
        return matching_accounts(self.name, self._settings.identities, wanted)

    def credentials(self, account: Account) -> HttpCredentials | None:
        """Credentials for HTTP authentication, for the console's origin only."""
        if self._settings.log_in != "basic":
            return None
        address = urlsplit(self.url)
        password = password_of(account.name, account.settings)
        return HttpCredentials(
            f"{address.scheme}://{address.netloc}", account.settings.username, password
        )

    async def code(self, account: Account) -> str:
        """See `Console`."""
        return await self._codes.code_of(account)

    async def log_in(self, page: Page, account: Account, person: Person | None = None) -> None:
        """Log in as configured (`log_in`); ends wherever that leads."""
        try:
            await self._log_in_as_configured(page, account, person)
        except ConsoleError as exc:
            self._refused[account.name] = (time.monotonic(), str(exc))
            raise
        self._refused.pop(account.name, None)

    async def _log_in_as_configured(
        self, page: Page, account: Account, person: Person | None
    ) -> None:
        match self._settings.log_in:
            case "form":
                await log_in(page, self.url, account, self._codes)
            case "steps":
                written = WrittenLogIn(
                    page=page, url=self.url, account=account, codes=self._codes, person=person
                )
                await written.run(self._steps)
            case "state":
                await self._recorded.log_in(page, account, person)
            case "basic" | "certificate":
                await log_in_without_form(page, self.url, account)
            case _:
                assert_never(self._settings.log_in)

    async def keep_log_in(self, page: Page, account: Account) -> None:
        """Save a recorded log-in as the console has changed it since."""
        if self.keeps_log_ins:
            await self._recorded.renew(page, account)

    async def health(self, account: Account) -> AccountHealth:
        """Whether the account can log in, found out by doing so; its quota is unknown."""
        refused_at, why = self._refused.get(account.name, (0.0, ""))
        is_fresh = time.monotonic() - refused_at < _REFUSAL_MEMORY_S and not self.keeps_log_ins
        if why and is_fresh:
            return AccountHealth(can_log_in=False, problem=why)
        settings = self._browser.model_copy(update={"pool_size": 1, "spare_pages": 0})
        try:
            async with (
                BrowserPool(settings, (self.network,)) as pool,
                self._page(pool, account) as page,
            ):
                await self.log_in(page, account)
        except (ConsoleError, PersonError) as exc:
            return AccountHealth(can_log_in=False, problem=str(exc))
        except BrowserError as exc:
            raise ConsoleError(f"cannot look at account {account.name}: {exc}") from exc
        return AccountHealth(can_log_in=True)

    def _page(self, pool: BrowserPool, account: Account) -> AbstractAsyncContextManager[Page]:
        credentials = self.credentials(account)
        return pool.page(self.hosts, network=self.network, credentials=credentials)

    async def terraform(self, account: Account) -> TerraformAccess | None:
        """None: no Terraform provider is known for such a console."""
        return None

    async def provide(
        self, needs: Sequence[Need], account: Account, values: Mapping[str, str]
    ) -> Provided:
        """Create nothing: resources must exist, named by `bindings` in the checks."""
        if needs:
            kinds = ", ".join(need.kind for need in needs)
            raise ProvisioningError(
                f"{kinds}: console {self.name} is generic, and nothing can be made in it; make it"
                " by hand, and name it by `bindings` in the checks instead of `needs`"
            )
        return Provided(bindings={}, things=())

    async def inventory(self, account: Account) -> None:
        """An empty inventory: a console without an API cannot list its resources."""

    async def remember(self, account: Account) -> None:
        """Mark the end of the audit log, to tell what came before the attempt."""
        if self._source is not None:
            try:
                await self._source.mark()
            except OutcomeError as exc:
                raise ConsoleError(f"consoles.{self.name}.audit: {exc}") from exc

    async def audit(self, account: Account, since: datetime) -> Sequence[AuditEvent]:
        """The events of the account's user name."""
        if self._source is None:
            raise OutcomeError(f"consoles.{self.name}.audit names no audit log")
        user = account.settings.username
        events = await self._source.events(since, actor=user)
        return tuple(event for event in events if event.actor.casefold() == user.casefold())

    async def recover(self, account: Account, trace: Trace) -> Sequence[Receipt]:
        """Delete nothing: the receipts list what is left, as far as log and lists show."""
        if not trace.unique:
            return ()
        logged: tuple[Receipt, ...] = ()
        uncertainty = "without an audit log nobody knows what was made"
        if self._source is not None:
            try:
                logged = left_behind(await self.audit(account, trace.since))
                delay = f"the audit log is up to {self.audit_delay_s / 60:g} minutes late"
                uncertainty = delay if self.audit_delay_s else ""
            except OutcomeError as exc:
                uncertainty = f"the audit log cannot be read ({exc})"
        if trace.seen is not None:
            logged_names = {receipt.name for receipt in logged}
            return (
                *logged,
                *(receipt for receipt in trace.seen if receipt.name not in logged_names),
            )
        return (*logged, unlogged_receipt(trace.unique, uncertainty)) if uncertainty else logged

    async def close(self) -> None:
        """Release the audit log's connections."""
        if self._source is not None:
            await self._source.close()
