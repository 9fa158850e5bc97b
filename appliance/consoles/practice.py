"""The practice cloud: log-in, prerequisites, audit and clean-up, through its form and its API."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from urllib.parse import SplitResult, urlsplit

import httpx
from playwright.async_api import Error as PlaywrightError

from appliance.browser import Page
from appliance.config import ConsoleSettings
from appliance.consoles._practice_api import EVERYWHERE, TIMEOUT_S, Json, PracticeApi, RefusedError
from appliance.consoles._practice_make import Made, Maker
from appliance.consoles.base import Account, CleanUp, fitting_accounts
from appliance.consoles.passwords import password_of
from appliance.core.checks import AuditEvent, Need
from appliance.core.errors import ConsoleError, OutcomeError, ProvisioningError
from appliance.outcome.sources import practice_events

_USERNAME, _PASSWORD, _SUBMIT = "#username", "#password", "main form button[type=submit]"
_START, _REFUSAL = "#main h1", ".login [role=alert]"
_LOG_IN_TIMEOUT_MS = 20_000.0
_REMOVAL_TIMEOUT_S = 30.0
_AUDIT_TIMEOUT_S = 120.0
_POLL_S = 0.15
_OTHER_NAME = {"127.0.0.1": "localhost", "localhost": "127.0.0.1"}
_FOR_NOW = frozenset({"DependencyViolation", "IncorrectState"})
"""Refusals of a deletion that pass when something else is gone."""


class PracticeConsole:
    """A running practice cloud."""

    has_audit = True

    def __init__(self, name: str, settings: ConsoleSettings) -> None:
        self.name = name
        self.url = settings.url.rstrip("/")
        self.hosts = frozenset({*_both_names(urlsplit(self.url)), *settings.hosts})
        self._settings = settings
        self._apis: dict[str, PracticeApi] = {}
        self._kinds: Json = {}
        self._made: dict[str, list[Made]] = {}

    async def check(self) -> None:
        """See that the cloud answers and says what can be made in it."""
        try:
            async with httpx.AsyncClient(timeout=TIMEOUT_S, trust_env=False) as client:
                response = await client.get(f"{self.url}/api/kinds")
                response.raise_for_status()
                self._kinds = response.json()
        except (httpx.HTTPError, ValueError) as exc:
            reason = str(exc) or type(exc).__name__
            raise ConsoleError(
                f"no practice cloud answers at {self.url}: {reason}; start one with "
                f"`appliance practice serve`, or correct consoles.{self.name}.url"
            ) from exc

    def accounts(self, wanted: str | None) -> Sequence[Account]:
        """The accounts of that name or role; without a wish, those of the first one's role."""
        return fitting_accounts(self.name, self._settings.accounts, wanted)

    async def log_in(self, page: Page, account: Account) -> None:
        """Log in through the form; ends on the console's home page."""
        password = password_of(account.name, account.settings)
        await page.goto(f"{self.url}/login")
        try:
            await page.raw.fill(_USERNAME, account.settings.username, timeout=_LOG_IN_TIMEOUT_MS)
            await page.type_secret(_PASSWORD, password)
            await page.raw.click(_SUBMIT, timeout=_LOG_IN_TIMEOUT_MS)
            answer = page.raw.locator(f"{_START}, {_REFUSAL}").first
            await answer.wait_for(timeout=_LOG_IN_TIMEOUT_MS)
            refusal = page.raw.locator(_REFUSAL)
            said = await refusal.first.inner_text() if await refusal.count() else ""
        except PlaywrightError as exc:
            reason = exc.message.splitlines()[0]
            raise ConsoleError(f"no log-in at {self.url}/login: {reason}") from exc
        if said:
            user = account.settings.username
            raise ConsoleError(f"the practice cloud refuses the log-in of {user}: {said.strip()}")

    async def provide(
        self, needs: Sequence[Need], account: Account, values: Mapping[str, str]
    ) -> Mapping[str, str]:
        """Make the needed things; binds each kind (`bucket`, `bucket 2`, …) and its id."""
        if not needs:
            return {}
        if not self._kinds:
            await self.check()
        maker = Maker(self._api(account), self._kinds, values)
        try:
            return await maker.make_all(needs)
        except RefusedError as exc:
            raise ProvisioningError(f"the practice cloud refuses what is needed: {exc}") from exc
        finally:
            self._made.setdefault(account.name, []).extend(maker.made)

    async def audit(self, account: Account, since: datetime) -> Sequence[AuditEvent]:
        """The account's events since then, without those of this adapter's own calls.

        Waits until the log has everything that had happened when it was asked for.
        """
        api, user = self._api(account), account.settings.username
        try:
            answer = await _delivered(api, since)
        except RefusedError as exc:
            raise OutcomeError(f"the practice cloud refuses its audit log: {exc}") from exc
        except TimeoutError as exc:
            raise OutcomeError(
                f"the audit log of the practice cloud is more than {_AUDIT_TIMEOUT_S:g} s late"
            ) from exc
        records = [
            record
            for record in answer["events"]
            if record.get("account") == user and record.get("request_id") not in api.request_ids
        ]
        return practice_events(records)

    async def clean_up(self, account: Account, since: datetime) -> CleanUp:
        """Delete what `provide` made and what is younger than `since`, users first."""
        api = self._api(account)
        if not self._kinds:
            await self.check()
        provided = {made.id for made in self._made.pop(account.name, ())}
        deleted: list[str] = []
        failed: dict[str, str] = {}
        with suppress(TimeoutError):  # what is left then is in `failed`
            async with asyncio.timeout(_REMOVAL_TIMEOUT_S):
                while left := await self._left(api, provided, since):
                    failed = await self._delete_round(api, left, deleted)
                    if len(failed) == len(left) and not _will_pass(failed):
                        break
                    await asyncio.sleep(_POLL_S)
                else:
                    failed = {}  # what was refused for now has gone by itself
        still_there = {what: why for what, why in failed.items() if what not in deleted}
        return CleanUp(tuple(deleted), tuple(f"{what}: {why}" for what, why in still_there.items()))

    async def close(self) -> None:
        """Release the connections."""
        for api in self._apis.values():
            await api.close()
        self._apis.clear()

    def _api(self, account: Account) -> PracticeApi:
        if account.name not in self._apis:
            self._apis[account.name] = PracticeApi(self.url, account)
        return self._apis[account.name]

    async def _left(self, api: PracticeApi, provided: set[str], since: datetime) -> list[Json]:
        """What is still there, youngest first: what uses something is younger than that."""
        items = [
            item
            for kind in self._kinds.values()
            for item in await api.items(ProvisioningError, kind["path"])
            if item["id"] in provided or datetime.fromisoformat(item["created"]) >= since
        ]
        return sorted(items, key=lambda item: str(item["created"]), reverse=True)

    async def _delete_round(
        self, api: PracticeApi, items: Sequence[Json], deleted: list[str]
    ) -> dict[str, str]:
        """Try to delete each; what could not be, and why."""
        failed = {}
        for item in items:
            said = f"{item['kind']} {item['values'].get('name', item['id'])}"
            if problem := await self._delete(api, item):
                failed[said] = problem
            elif said not in deleted:
                deleted.append(said)
        return failed

    async def _delete(self, api: PracticeApi, item: Json) -> str:
        """Delete one thing; why not, or nothing."""
        kind = self._kinds[item["kind"]]
        path = f"{kind['path']}/{item['id']}"
        try:
            if freeing := _freeing(kind["actions"], item["state"]):
                await api.call(ProvisioningError, "POST", f"{path}/{freeing}", {}, EVERYWHERE)
            await api.call(ProvisioningError, "DELETE", path, query=EVERYWHERE)
        except RefusedError as exc:
            return "" if exc.code == "ResourceNotFound" else f"{exc.code}: {exc}"
        return ""


def _both_names(address: SplitResult) -> set[str]:
    """Host and port; of the loopback address under both names, for its frames use the other one."""
    other = _OTHER_NAME.get(address.hostname or "")
    port = f":{address.port}" if address.port else ""
    return {address.netloc, f"{other}{port}"} if other else {address.netloc}


async def _delivered(api: PracticeApi, since: datetime) -> Json:
    """The audit log, once it has what happened until now; `TimeoutError` when it does not come."""
    query = {"since": since.isoformat()}
    asked_at: datetime | None = None
    async with asyncio.timeout(_AUDIT_TIMEOUT_S):
        while True:
            answer = await api.call(OutcomeError, "GET", "/api/audit", query=query)
            asked_at = asked_at or datetime.fromisoformat(answer["now"])
            if datetime.fromisoformat(answer["delivered_until"]) >= asked_at:
                return answer
            await asyncio.sleep(_POLL_S)


def _freeing(actions: Json, state: str) -> str:
    """What has to be done first with a thing in this state, as with a disk that is attached."""
    allowed = actions["delete"]["from_states"] if "delete" in actions else []
    if not allowed or state in allowed:
        return ""
    ways = (
        name
        for name, action in actions.items()
        if action["kind"] == "transition"
        and state in action["from_states"]
        and action["to"] in allowed
    )
    return next(ways, "")


def _will_pass(failed: Mapping[str, str]) -> bool:
    return any(why.partition(":")[0] in _FOR_NOW for why in failed.values())
