"""The practice cloud: log-in, prerequisites, audit and recovery, through its form and its API."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from urllib.parse import SplitResult, urlsplit

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
from appliance.consoles.credentials import SecondFactors
from appliance.consoles.practice.access import health_of, terraform_access
from appliance.consoles.practice.api import TIMEOUT_S, Json, PracticeApi, RefusedError
from appliance.consoles.practice.inventory import HeldItem, read_held_items
from appliance.consoles.practice.login import log_in
from appliance.consoles.practice.make import Maker
from appliance.consoles.practice.recover import Removal
from appliance.consoles.practice.restore import read_items, restore_items
from appliance.core.checks import AuditEvent, Need
from appliance.core.errors import ConsoleError, OutcomeError, ProvisioningError
from appliance.core.resources import AccountHealth, Inventory, Receipt, ReceiptKind, Thing
from appliance.outcome.sources import practice_events
from appliance.system.network.clients import async_client
from appliance.system.network.faults import explain
from appliance.system.network.network import DIRECT, Network

_AUDIT_TIMEOUT_S = 120.0
_POLL_S = 0.15
_OTHER_NAME = {"127.0.0.1": "localhost", "localhost": "127.0.0.1"}


class PracticeConsole:
    """A running practice cloud."""

    has_audit = True
    knows_inventory = True
    keeps_log_ins = False
    audit_delay_s = 0.0

    def __init__(self, name: str, settings: ConsoleSettings, network: Network = DIRECT) -> None:
        self.name = name
        self.url = settings.url.rstrip("/")
        self.hosts = frozenset({*_loopback_aliases(urlsplit(self.url)), *settings.hosts})
        self.network = network
        self._settings = settings
        self._codes = SecondFactors()
        self._apis: dict[str, PracticeApi] = {}
        self._kinds: Json = {}
        self._created: dict[tuple[str, str], frozenset[str]] = {}
        """Ids of what `provide` created, by account and marker."""
        self._before = SavedStates[dict[str, Json]]()

    async def check(self) -> None:
        """Check that the cloud answers, and load the kinds of resources that it offers."""
        try:
            async with async_client(self.network, timeout=TIMEOUT_S) as client:
                response = await client.get(f"{self.url}/api/kinds")
                response.raise_for_status()
                self._kinds = response.json()
        except (httpx.HTTPError, ValueError) as exc:
            reason = explain(exc)
            raise ConsoleError(
                f"no practice cloud answers at {self.url}: {reason}; start one with "
                f"`appliance practice serve`, or correct consoles.{self.name}.url"
            ) from exc

    def accounts(self, wanted: str | None) -> Sequence[Account]:
        """The accounts of that name or role; by default, those of the first account's role."""
        return matching_accounts(self.name, self._settings.accounts, wanted)

    def credentials(self, account: Account) -> None:
        """None: the console has a log-in page."""

    async def code(self, account: Account) -> str:
        """See `Console`."""
        return await self._codes.code_of(account)

    async def log_in(self, page: Page, account: Account, person: Person | None = None) -> None:
        """Log in through the forms; ends on the console's home page."""
        await log_in(page, self.url, account, self._codes)

    async def keep_log_in(self, page: Page, account: Account) -> None:
        """Do nothing: `Sessions` keeps log-ins."""

    async def health(self, account: Account) -> AccountHealth:
        """Whether the API accepts the account, and how much of its quota is in use."""
        return await health_of(self.url, account, self._codes, self.network)

    async def terraform(self, account: Account) -> TerraformAccess:
        """Access with the password's file, or else with a token created for the purpose."""
        return await terraform_access(self.url, account, self._api(account))

    async def provide(
        self, needs: Sequence[Need], account: Account, values: Mapping[str, str]
    ) -> Provided:
        """Create the needed resources; binds each kind (`bucket`, `bucket 2`, …) and its id."""
        if not needs:
            return Provided(bindings={}, things=())
        await self._load_kinds()
        maker = Maker(self._api(account), self._kinds, values)
        try:
            bindings = await maker.make_all(needs)
        except RefusedError as exc:
            raise ProvisioningError(f"the practice cloud refuses what is needed: {exc}") from exc
        finally:
            key = (account.name, values.get("unique", ""))
            ids = frozenset(item.id for item in maker.made)
            self._created[key] = self._created.get(key, frozenset()) | ids
        things = (Thing(kind=m.kind, id=m.id, name=m.name) for m in maker.made)
        return Provided(bindings=bindings, things=tuple(things))

    async def audit(self, account: Account, since: datetime) -> Sequence[AuditEvent]:
        """The account's events since then, without those of this adapter's own calls.

        Waits until the log has everything that had happened when it was asked for.
        """
        ours = self._api(account).request_ids
        records = await self._records(account, since)
        return practice_events([r for r in records if r.get("request_id") not in ours])

    async def inventory(self, account: Account) -> Inventory:
        """Everything that the account holds, of every kind and in every region."""
        return Inventory.of(item.thing for item in await read_held_items(self._api(account)))

    async def remember(self, account: Account) -> None:
        """Save the current values and states of all items, for `recover` to restore."""
        await self._load_kinds()
        self._before.keep(account.name, await read_items(self._api(account), self._kinds))

    async def recover(self, account: Account, trace: Trace) -> Sequence[Receipt]:
        """Delete what the attempt created, dependants first, and restore what it changed."""
        await self._load_kinds()
        receipts = await self._recover(account, trace)
        self._before.settle(account.name, trace.unique, receipts)
        return receipts

    async def _recover(self, account: Account, trace: Trace) -> list[Receipt]:
        api = self._api(account)
        created_ids = self._created.get((account.name, trace.unique), frozenset())
        if trace.before is None:
            created_ids |= await self._created_according_to_log(account, trace)
        is_doomed = _deletion_rule(trace, created_ids)
        removed = await Removal(api, self._kinds, is_doomed=is_doomed, keep=trace.keep).run()
        if trace.before is None:  # what others changed meanwhile is theirs
            return removed
        before = self._before.of(account.name, trace.unique) or {}
        restorable = {
            id_: item for id_, item in before.items() if id_ not in trace.keep | created_ids
        }
        restored = await restore_items(api, self._kinds, restorable)
        has_released = any(receipt.deed is ReceiptKind.RESTORED for receipt in restored)
        if has_released and any(receipt.deed is ReceiptKind.FAILED for receipt in removed):
            second_removal = await Removal(api, self._kinds, is_doomed=is_doomed).run()
            removed = [r for r in removed if r.deed is not ReceiptKind.FAILED] + second_removal
        return removed + restored

    async def close(self) -> None:
        """Close the connections."""
        for api in self._apis.values():
            await api.close()
        self._apis.clear()

    def _api(self, account: Account) -> PracticeApi:
        if account.name not in self._apis:
            self._apis[account.name] = PracticeApi(self.url, account, self._codes, self.network)
        return self._apis[account.name]

    async def _load_kinds(self) -> None:
        if not self._kinds:
            await self.check()

    async def _created_according_to_log(self, account: Account, trace: Trace) -> frozenset[str]:
        """Ids of items that the audit log shows this attempt to have created.

        The marker is looked for in the parameters of the creation, which finds more than a
        look at names does: a rule of a marked network, an item renamed since.
        """
        try:
            records = await self._records(account, trace.since)
        except OutcomeError:
            return frozenset()  # the marker in names has to do
        return frozenset(
            str(record["target_id"])
            for record in records
            if record["outcome"] == "success"
            and record["response"].get("id") == record["target_id"]
            and self._is_creation(record)
            and trace.unique in json.dumps([record["target_name"], record["parameters"]])
        )

    def _is_creation(self, record: Json) -> bool:
        actions = self._kinds.get(record["target_type"], {}).get("actions", {})
        return bool(actions.get("create", {}).get("event") == record["name"])

    async def _records(self, account: Account, since: datetime) -> list[Json]:
        """The account's own records since then."""
        try:
            response = await _wait_for_log(self._api(account), since)
        except RefusedError as exc:
            raise OutcomeError(f"the practice cloud refuses its audit log: {exc}") from exc
        except ConsoleError as exc:
            raise OutcomeError(str(exc)) from exc
        except TimeoutError as exc:
            raise OutcomeError(
                f"the audit log of the practice cloud is more than {_AUDIT_TIMEOUT_S:g} s late"
            ) from exc
        user = account.settings.username
        return [record for record in response["events"] if record.get("account") == user]


def _deletion_rule(trace: Trace, created_ids: frozenset[str]) -> Callable[[HeldItem], bool]:
    """The predicate for which of an account's items are to be deleted."""
    if trace.before is None:
        return lambda item: (
            item.id not in trace.keep
            and (item.id in created_ids or trace.unique in item.thing.name)
        )
    known_keys = trace.before.keys
    return lambda item: item.id not in trace.keep and (item.thing.kind, item.id) not in known_keys


def _loopback_aliases(address: SplitResult) -> set[str]:
    """Host and port; a loopback address under both of its names, as frames use the other."""
    alias = _OTHER_NAME.get(address.hostname or "")
    port = f":{address.port}" if address.port else ""
    return {address.netloc, f"{alias}{port}"} if alias else {address.netloc}


async def _wait_for_log(api: PracticeApi, since: datetime) -> Json:
    """The audit log, once it includes everything up to now.

    Raises `TimeoutError` if it is not delivered in time.
    """
    query = {"since": since.isoformat()}
    asked_at: datetime | None = None
    async with asyncio.timeout(_AUDIT_TIMEOUT_S):
        while True:
            response = await api.call(OutcomeError, "GET", "/api/audit", query=query)
            asked_at = asked_at or datetime.fromisoformat(response["now"])
            if datetime.fromisoformat(response["delivered_until"]) >= asked_at:
                return response
            await asyncio.sleep(_POLL_S)
