"""The practice cloud's REST API, as one account."""

import asyncio
from collections.abc import Mapping
from typing import Any

import httpx

from appliance.consoles.base import Account
from appliance.consoles.credentials import SecondFactors
from appliance.consoles.practice.login import auth_of
from appliance.core.errors import AttemptError, ConsoleError
from appliance.system.network.clients import async_client
from appliance.system.network.network import DIRECT, Network

TIMEOUT_S = 10.0
SETTLE_TIMEOUT_S = 60.0
_POLL_S = 0.1

EVERYWHERE = {"region": "*"}
"""The query that sees every region."""

Json = dict[str, Any]  # Any: the cloud's own JSON


class RefusedError(Exception):
    """The cloud refused a request."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class PracticeApi:
    """Calls as one account. What goes wrong is raised as the kind the caller names."""

    def __init__(
        self,
        url: str,
        account: Account,
        codes: SecondFactors,
        network: Network = DIRECT,
    ) -> None:
        self._account = account
        auth = auth_of(url, account, codes)
        self.network = network
        self._client = async_client(self.network, base_url=url, auth=auth, timeout=TIMEOUT_S)
        self.request_ids: set[str] = set()
        """Of every change made through this object."""

    async def call(
        self,
        blame: type[AttemptError],
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, str] | None = None,
    ) -> Json:
        """The answer; `RefusedError` when the cloud says no, `blame` when it does not answer.

        `ConsoleError` when it does not know the account.
        """
        request_text = f"{method} {path} as {self._account.settings.username}"
        try:
            response = await self._client.request(method, path, json=body, params=query)
        except httpx.HTTPError as exc:
            reason = str(exc) or type(exc).__name__
            raise blame(f"{request_text}: the practice cloud does not answer: {reason}") from exc
        if request_id := response.headers.get("x-request-id"):
            self.request_ids.add(request_id)
        try:
            content = response.json() if response.content else {}
        except ValueError as exc:
            raise blame(f"{request_text}: the answer ({response.status_code}) is no JSON") from exc
        if response.status_code == httpx.codes.UNAUTHORIZED:
            raise ConsoleError(
                f"{request_text}: the practice cloud refuses the user name or password"
            )
        if response.is_success and isinstance(content, dict):
            return content
        problem = content if isinstance(content, dict) else {}
        if "code" not in problem or response.is_server_error:
            raise blame(f"{request_text}: unexpected answer {response.status_code}")
        raise RefusedError(str(problem["code"]), str(problem.get("detail", "")))

    async def items(self, blame: type[AttemptError], path: str, **query: str) -> list[Json]:
        """All items of a collection, whatever region they are in."""
        items: list[Json] = []
        for page in range(1, 1000):
            query |= EVERYWHERE | {"per_page": "200", "page": str(page)}
            response = await self.call(blame, "GET", path, query=query)
            items += response["items"]
            if len(items) >= response["total"] or not response["items"]:
                break
        return items

    async def wait_settled(self, blame: type[AttemptError], path: str, item_id: str) -> Json:
        """The item, once its state has settled."""
        try:
            async with asyncio.timeout(SETTLE_TIMEOUT_S):
                while True:
                    item = await self.call(blame, "GET", f"{path}/{item_id}", query=EVERYWHERE)
                    if item["is_settled"]:
                        return item
                    await asyncio.sleep(_POLL_S)
        except TimeoutError as exc:
            raise blame(f"{path}/{item_id} did not settle in {SETTLE_TIMEOUT_S:g} s") from exc

    async def close(self) -> None:
        """Release the connections."""
        await self._client.aclose()
