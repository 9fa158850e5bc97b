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
    Memory,
    Provided,
    TerraformAccess,
    Trace,
    fitting_accounts,
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
    """A Horizon with the cloud behind it."""

    knows_inventory = True
    keeps_log_ins = False

    def __init__(self, name: str, settings: ConsoleSettings, network: Network = DIRECT) -> None:
        self.name = name
        self.url = settings.url
        self.hosts = frozenset({urlsplit(settings.url).netloc, *settings.hosts} - {""})
        self.network = network
        self._log = _log_of(name, settings)
        self.has_audit = self._log is not None
        self.audit_delay_s = self._log.late_s if self._log else 0.0
        self._settings = settings
        self._cloud = Cloud(settings.auth_url.rstrip("/"), network)
        self._made: dict[tuple[str, str], list[CreatedResource]] = {}
        """What `provide` made, by account and marker."""
        self._before = Memory[Baseline]()
        self._provided_at: dict[str, datetime] = {}
        self._folder: Path | None = None

    async def check(self) -> None:
        """See that Horizon's log-in page and Keystone answer, and the audit file is there."""
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
        return fitting_accounts(self.name, self._settings.accounts, wanted)

    def credentials(self, account: Account) -> None:
        """Nothing: it has a log-in page."""

    async def code(self, account: Account) -> str:
        """See `Console`."""
        raise ConsoleError(
            f"account {account.name} names no second factor: {self.name} asks for none"
        )

    async def log_in(self, page: Page, account: Account, person: Person | None = None) -> None:
        """Log in through the form, and switch to the account's project."""
        await log_in(page, self.url, account)

    async def keep_log_in(self, page: Page, account: Account) -> None:
        """Nothing: `Sessions` keeps them."""

    async def health(self, account: Account) -> AccountHealth:
        """Whether Keystone knows the account, and what its project has left."""
        return await health_of(self._settings.auth_url, account, self.network)

    async def terraform(self, account: Account) -> TerraformAccess:
        """Access for OpenStack's own provider, with all endpoints of the cloud."""
        return await terraform_access(self._cloud, self._settings.auth_url, account)

    async def inventory(self, account: Account) -> Inventory:
        """All that is in the account's project; of an administrator also what is everybody's."""
        resources = await self._cloud.call(
            "listing what the account holds",
            lambda: read_resources(self._cloud.connect(account), _is_admin(account)),
        )
        return Inventory.of(one.thing for one in resources)

    async def remember(self, account: Account) -> None:
        """Keep rules, and what administrators change: `recover` puts them back."""
        state = await self._cloud.call(
            "reading the state of the project",
            lambda: read_state(self._cloud.connect(account), _is_admin(account)),
        )
        self._before.keep(account.name, state)

    async def provide(
        self, needs: Sequence[Need], account: Account, values: Mapping[str, str]
    ) -> Provided:
        """Make the needed things; binds each kind (`instance`, `instance 2`, …) and its id."""
        if not needs:
            return Provided(bindings={}, things=())
        made: list[CreatedResource] = []
        try:
            bound = await self._cloud.call(
                "making what the procedure needs",
                lambda: self._provide(needs, account, values, made),
            )
        finally:
            self._made.setdefault((account.name, values.get("unique", "")), []).extend(made)
        self._provided_at[account.name] = datetime.now(UTC)
        things = (Thing(kind=one.kind, id=one.id, name=one.name) for one in made)
        return Provided(bindings=bound, things=tuple(things))

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
        """Remove what was made and put back what was changed, with receipts."""
        provided = self._made.get((account.name, trace.unique), [])
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
        """A connection that may do what the account may not, where there is an administrator."""
        for name, settings in self._settings.accounts.items():
            if settings.role == _ADMIN_ROLE:
                return self._cloud.connect(Account(name=name, settings=settings))
        return self._cloud.connect(account)

    def _provide(
        self,
        needs: Sequence[Need],
        account: Account,
        values: Mapping[str, str],
        made: list[CreatedResource],
    ) -> dict[str, str]:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="appliance-openstack-"))
        maker = Maker(self._cloud.connect(account), self._admin(account), self._folder)
        bound: dict[str, str] = {}
        counts: Counter[str] = Counter()
        try:
            for need in needs:
                known = {**values, **bound}
                wanted = {key: expand(text, known) for key, text in need.values.items()}
                name, made_id = maker.make(need.kind, wanted)
                counts[need.kind] += 1
                word = need.kind.replace("_", " ")
                word = word if counts[need.kind] == 1 else f"{word} {counts[need.kind]}"
                bound |= {word: name, f"{word} id": made_id}
        finally:
            made += maker.made
            if self._log is not None:
                self._log.learn({one.id: one.name for one in maker.made})
        return bound

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
            own_in=lambda project: self._cloud.connect(account, project),
            is_admin=_is_admin(account),
            provided=provided,
            logged=(lambda: made_by(user, log.read(trace.since))) if log else None,
        ).remove()
        return receipts + restore_state(own, before) if before else receipts


def _log_of(name: str, settings: ConsoleSettings) -> CadfSource | None:
    source = open_source(name, settings.audit)
    if source is None or isinstance(source, CadfSource):
        return source
    raise SetupError(
        f"consoles.{name}.audit.kind: an OpenStack writes cadf, not {settings.audit.kind}"
    )


def _is_admin(account: Account) -> bool:
    return account.settings.role == _ADMIN_ROLE
