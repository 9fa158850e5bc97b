"""OpenStack's dashboard, Horizon: log-in, prerequisites, audit and recovery."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from appliance.browser import Page, Person
from appliance.config import ConsoleSettings
from appliance.consoles.base import (
    Account,
    Provided,
    SavedStates,
    TerraformAccess,
    Trace,
    matching_accounts,
)
from appliance.consoles.openstack.access import health_of, terraform_access
from appliance.consoles.openstack.audit import (
    CreatedResource,
    events_of,
    made_by,
    nameless_identities,
)
from appliance.consoles.openstack.cloud import Cloud, Connection, find_names
from appliance.consoles.openstack.horizon import log_in, log_in_url
from appliance.consoles.openstack.inventory import read_resources
from appliance.consoles.openstack.make import Maker
from appliance.consoles.openstack.recover import Recovery
from appliance.consoles.openstack.state import Baseline, read_state, restore_state
from appliance.core.blocking import in_thread
from appliance.core.checks import AuditEvent, Need
from appliance.core.errors import ConsoleError, OutcomeError, SetupError
from appliance.core.resources import AccountHealth, Inventory, Receipt, Thing
from appliance.outcome.bindings import expand
from appliance.outcome.sources import CadfSource, open_source
from appliance.system.network.clients import async_client
from appliance.system.network.faults import explain
from appliance.system.network.network import DIRECT, Network

_ADMIN_ROLE = "admin"
_CHECK_TIMEOUT_S = 20.0


class OpenStackConsole:
    """A Horizon dashboard with its cloud."""

    knows_inventory = True
    keeps_log_ins = False

    def __init__(self, name: str, settings: ConsoleSettings, network: Network = DIRECT) -> None:
        self.name = name
        self.url = settings.url
        self.hosts = frozenset({urlsplit(settings.url).netloc, *settings.hosts} - {""})
        self.network = network
        self._log = _audit_source(name, settings)
        self.has_audit = self._log is not None
        self.audit_delay_s = self._log.late_s if self._log else 0.0
        self._settings = settings
        self._cloud = Cloud(settings.auth_url.rstrip("/"), network)
        self._created: dict[tuple[str, str], list[CreatedResource]] = {}
        """Resources created by `provide`, by account and marker."""
        self._before = SavedStates[Baseline]()
        self._provided_at: dict[str, datetime] = {}
        self._folder: Path | None = None

    async def check(self) -> None:
        """Check that Horizon's log-in page and Keystone answer and that the audit file is there."""
        async with async_client(
            self.network, follow_redirects=True, timeout=_CHECK_TIMEOUT_S
        ) as client:
            page = await self._get(client, log_in_url(self.url), "Horizon", "url")
            if "id_username" not in page:
                raise ConsoleError(
                    f"{log_in_url(self.url)} shows no log-in form of Horizon; "
                    f"put its address into consoles.{self.name}.url"
                )
            await self._get(client, self._settings.auth_url, "Keystone", "auth_url")
        if self._log is not None:
            try:
                await self._log.check()
            except OutcomeError as exc:
                raise ConsoleError(f"consoles.{self.name}.audit: {exc}") from exc

    def accounts(self, wanted: str | None) -> Sequence[Account]:
        """The accounts of that name or role."""
        return matching_accounts(self.name, self._settings.accounts, wanted)

    def credentials(self, account: Account) -> None:
        """None: the console has a log-in page."""

    async def code(self, account: Account) -> str:
        """See `Console`."""
        raise ConsoleError(
            f"account {account.name} names no second factor: {self.name} asks for none"
        )

    async def log_in(self, page: Page, account: Account, person: Person | None = None) -> None:
        """Log in through the form, and switch to the account's project."""
        await log_in(page, self.url, account)

    async def keep_log_in(self, page: Page, account: Account) -> None:
        """Do nothing: `Sessions` keeps log-ins."""

    async def health(self, account: Account) -> AccountHealth:
        """Whether Keystone accepts the account, and how much of its project's quota is in use."""
        return await health_of(self._settings.auth_url, account, self.network)

    async def terraform(self, account: Account) -> TerraformAccess:
        """Access for OpenStack's own provider, with all endpoints of the cloud."""
        return await terraform_access(self._cloud, self._settings.auth_url, account)

    async def inventory(self, account: Account) -> Inventory:
        """Everything in the account's project; for an administrator also cloud-wide resources."""
        resources = await self._cloud.call(
            "listing what the account holds",
            lambda: read_resources(self._cloud.connect(account), _is_admin(account)),
        )
        return Inventory.of(resource.thing for resource in resources)

    async def remember(self, account: Account) -> None:
        """Save group rules, and what administrators may change, for `recover` to restore."""
        state = await self._cloud.call(
            "reading the state of the project",
            lambda: read_state(self._cloud.connect(account), _is_admin(account)),
        )
        self._before.keep(account.name, state)

    async def provide(
        self, needs: Sequence[Need], account: Account, values: Mapping[str, str]
    ) -> Provided:
        """Create the needed resources; binds each kind (`instance`, `instance 2`, …) and its id."""
        if not needs:
            return Provided(bindings={}, things=())
        created: list[CreatedResource] = []
        try:
            bindings = await self._cloud.call(
                "making what the procedure needs",
                lambda: self._provide(needs, account, values, created),
            )
        finally:
            self._created.setdefault((account.name, values.get("unique", "")), []).extend(created)
        self._provided_at[account.name] = datetime.now(UTC)
        things = (
            Thing(kind=resource.kind, id=resource.id, name=resource.name) for resource in created
        )
        return Provided(bindings=bindings, things=tuple(things))

    async def audit(self, account: Account, since: datetime) -> Sequence[AuditEvent]:
        """The account's events in the console, without those of `provide` and `recover`."""
        if self._log is None:
            raise OutcomeError(f"consoles.{self.name}.audit names no audit log")
        since = max(since, self._provided_at.get(account.name, since))
        user = account.settings.username
        events = events_of(user, await self._log.events(since))
        nameless = nameless_identities(events)
        if not nameless:
            return events
        self._log.learn(
            await self._cloud.call(
                "looking up names in Keystone",
                lambda: find_names(self._admin(account), nameless),
            )
        )
        return events_of(user, await self._log.events(since))

    async def recover(self, account: Account, trace: Trace) -> Sequence[Receipt]:
        """Remove what was created and restore what was changed; return receipts."""
        provided = self._created.get((account.name, trace.unique), [])
        before = None  # of a shared account: what others changed meanwhile is theirs
        if trace.before is not None:
            before = self._before.of(account.name, trace.unique)
        receipts = await self._cloud.call(
            "cleaning up", lambda: self._recover(account, trace, provided, before)
        )
        self._before.settle(account.name, trace.unique, receipts)
        return receipts

    async def close(self) -> None:
        """Close connections and remove the files made for uploads."""
        self._cloud.close()
        if self._folder is not None:
            await in_thread(shutil.rmtree, self._folder, ignore_errors=True)

    async def _get(self, client: httpx.AsyncClient, url: str, what: str, key: str) -> str:
        advice = f"is it running, and is consoles.{self.name}.{key} right?"
        try:
            response = await client.get(url)
        except (httpx.HTTPError, httpx.InvalidURL) as exc:
            why = explain(exc)
            raise ConsoleError(f"{what} does not answer at {url!r} ({why}); {advice}") from exc
        if response.status_code >= 400:
            raise ConsoleError(f"{what} answers {response.status_code} at {url}; {advice}")
        return response.text

    def _admin(self, account: Account) -> Connection:
        """A connection as the administrator, if there is one; else as the account."""
        for name, settings in self._settings.accounts.items():
            if settings.role == _ADMIN_ROLE:
                return self._cloud.connect(Account(name=name, settings=settings))
        return self._cloud.connect(account)

    def _provide(
        self,
        needs: Sequence[Need],
        account: Account,
        values: Mapping[str, str],
        created: list[CreatedResource],
    ) -> dict[str, str]:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="appliance-openstack-"))
        maker = Maker(self._cloud.connect(account), self._admin(account), self._folder)
        bindings: dict[str, str] = {}
        counts: Counter[str] = Counter()
        try:
            for need in needs:
                placeholders = {**values, **bindings}
                need_values = {key: expand(text, placeholders) for key, text in need.values.items()}
                name, resource_id = maker.make(need.kind, need_values)
                counts[need.kind] += 1
                binding_name = need.kind.replace("_", " ")
                binding_name = (
                    binding_name
                    if counts[need.kind] == 1
                    else f"{binding_name} {counts[need.kind]}"
                )
                bindings |= {binding_name: name, f"{binding_name} id": resource_id}
        finally:
            created += maker.made
            if self._log is not None:
                self._log.learn({resource.id: resource.name for resource in maker.made})
        return bindings

    def _recover(
        self,
        account: Account,
        trace: Trace,
        provided: Sequence[CreatedResource],
        before: Baseline | None,
    ) -> list[Receipt]:
        user = account.settings.username
        log = self._log if trace.unique else None  # without an attempt nothing was done by it
        own = self._cloud.connect(account)
        receipts = Recovery(
            trace=trace,
            own=own,
            admin=self._admin(account),
            connect_in=lambda project: self._cloud.connect(account, project),
            is_admin=_is_admin(account),
            provided=provided,
            logged=(lambda: made_by(user, log.read(trace.since))) if log else None,
        ).remove()
        return receipts + restore_state(own, before) if before else receipts


def _audit_source(name: str, settings: ConsoleSettings) -> CadfSource | None:
    source = open_source(name, settings.audit)
    if source is None or isinstance(source, CadfSource):
        return source
    raise SetupError(
        f"consoles.{name}.audit.kind: an OpenStack writes cadf, not {settings.audit.kind}"
    )


def _is_admin(account: Account) -> bool:
    return account.settings.role == _ADMIN_ROLE
