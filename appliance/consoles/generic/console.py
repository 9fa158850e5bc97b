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
from appliance.consoles.base import Account, Provided, TerraformAccess, Trace, fitting_accounts
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

_MAKES = re.compile(
    r"(?:^|[^a-z])(?:create|run|add|allocate|register|import|launch|provision|clone|copy|restore"
    r"|upload|put|start|apply|buy|purchase)(?:d|s|ed)?(?=[^a-z]|$)"
)
_REMOVES = re.compile(
    r"(?:^|[^a-z])(?:delete|remove|terminate|release|destroy|deregister|unregister|drop|stop"
    r"|purge)(?:d|s|ed)?(?=[^a-z]|$)"
)
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_WHOLE = re.compile(r"\.(start|error)$")
_WHY = "this console cannot delete anything: remove it by hand"


def left_behind(events: Sequence[AuditEvent]) -> tuple[Receipt, ...]:
    """A receipt for each thing that was made and, as far as the log tells, is there still.

    By the words in the names of operations: `CreateBucket`, `create deployments`,
    `network.create.end`.
    """
    made: dict[str, AuditEvent] = {}
    for event in events:
        key = event.target_id or event.target_name
        if event.outcome is EventOutcome.FAILURE or not key:
            continue
        words = _CAPITAL.sub(" ", event.name).lower()
        if _REMOVES.search(words):
            for gone in _same(made, event):
                del made[gone]
        elif _MAKES.search(words) and not _NOT_WHOLE.search(words):
            made.setdefault(key, event)
    return tuple(
        Receipt(
            deed=ReceiptKind.LEFT,
            kind=event.target_type or event.name,
            id=event.target_id,
            name=event.target_name,
            why=_WHY,
        )
        for event in made.values()
    )


def unlogged_receipt(unique: str, why: str) -> Receipt:
    """A receipt for resources of which no log tells."""
    return Receipt(
        deed=ReceiptKind.LEFT,
        kind="anything",
        id=unique,
        why=f"{why}: look for what has {unique} in its name, and remove it by hand",
    )


def _same(made: Iterable[str], gone: AuditEvent) -> list[str]:
    return [key for key in made if key in (gone.target_id, gone.target_name)]


_CHECK_TIMEOUT_S = 20.0
_CHECK_PAUSES_S = (0.5, 1.0)
_FRESH_S = 60.0
"""How long a refused log-in is not tried again by a health check: consoles lock accounts."""


class GenericConsole:
    """Any console with a log-in form."""

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
        """By account: when its last log-in was refused, and why."""

    async def check(self) -> None:
        """See that the log-in page answers and the audit log can be read."""
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
        """With what the log-in page answers; asked again where that is an error of the server's."""
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
        return fitting_accounts(self.name, self._settings.identities, wanted)

    def credentials(self, account: Account) -> HttpCredentials | None:
        """Those of HTTP's own log-in, for the console's origin only."""
        if self._settings.log_in != "basic":
            return None
        at = urlsplit(self.url)
        password = password_of(account.name, account.settings)
        return HttpCredentials(f"{at.scheme}://{at.netloc}", account.settings.username, password)

    async def code(self, account: Account) -> str:
        """See `Console`."""
        return await self._codes.code_of(account)

    async def log_in(self, page: Page, account: Account, person: Person | None = None) -> None:
        """As the settings say (`log_in`); ends where that leads to."""
        try:
            await self._get_in(page, account, person)
        except ConsoleError as exc:
            self._refused[account.name] = (time.monotonic(), str(exc))
            raise
        self._refused.pop(account.name, None)

    async def _get_in(self, page: Page, account: Account, person: Person | None) -> None:
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
        """A recorded one, as the console has changed it since."""
        if self.keeps_log_ins:
            await self._recorded.renew(page, account)

    async def health(self, account: Account) -> AccountHealth:
        """Whether it can log in, by doing so; what it has left, nobody tells."""
        at, why = self._refused.get(account.name, (0.0, ""))
        is_fresh = time.monotonic() - at < _FRESH_S and not self.keeps_log_ins
        if why and is_fresh:
            return AccountHealth(can_log_in=False, problem=why)
        alone = self._browser.model_copy(update={"pool_size": 1, "spare_pages": 0})
        try:
            async with (
                BrowserPool(alone, (self.network,)) as pool,
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
        """Nothing can be made; it has to be there, named by `bindings` in the checks."""
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
        """What the audit log has now is of before the attempt."""
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
        """Nothing is deleted here: receipts say what is left, as far as log and lists tell."""
        if not trace.unique:
            return ()
        logged: tuple[Receipt, ...] = ()
        why_not = "without an audit log nobody knows what was made"
        if self._source is not None:
            try:
                logged = left_behind(await self.audit(account, trace.since))
                late = f"the audit log is up to {self.audit_delay_s / 60:g} minutes late"
                why_not = late if self.audit_delay_s else ""
            except OutcomeError as exc:
                why_not = f"the audit log cannot be read ({exc})"
        if trace.seen is not None:
            named = {receipt.name for receipt in logged}
            return (*logged, *(one for one in trace.seen if one.name not in named))
        return (*logged, unlogged_receipt(trace.unique, why_not)) if why_not else logged

    async def close(self) -> None:
        """Release the audit log's connections."""
        if self._source is not None:
            await self._source.close()
