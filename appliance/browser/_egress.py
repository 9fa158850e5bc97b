"""The ways of one browser's pages to their hosts: directly, or through a relay of ours."""

import asyncio
from contextlib import AsyncExitStack
from typing import Self

from playwright.async_api import ProxySettings

from appliance.browser._hosts import DeadEnd, past
from appliance.system.network.authority import Authority
from appliance.system.network.network import Network
from appliance.system.network.relay import Relay


class Egress:
    """Directly, whatever can be; the relay knows the company's proxy, and who we are."""

    def __init__(self, dead_end: DeadEnd, authority: Authority | None, user: int) -> None:
        self._dead_end, self._authority, self._user = dead_end, authority, user
        self._relays: dict[tuple[frozenset[str], Network], str] = {}
        self._stack = AsyncExitStack()
        self._starting = asyncio.Lock()  # one relay for each, however many pages are opened at once

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def proxy(self, hosts: frozenset[str], network: Network) -> ProxySettings:
        """Settings that let a context reach only `hosts`, each by its way."""
        relayed = frozenset(host for host in hosts if _is_relayed(host, network))
        if not relayed:
            return self._dead_end.proxy(hosts)
        return past(await self._relay(relayed, network), hosts - relayed)

    async def _relay(self, hosts: frozenset[str], network: Network) -> str:
        async with self._starting:
            if (hosts, network) not in self._relays:
                relay = Relay(hosts, network, self._authority)
                address = await self._stack.enter_async_context(relay.at_loopback(self._user))
                self._relays[hosts, network] = address
            return self._relays[hosts, network]


def _is_relayed(host: str, network: Network) -> bool:
    if network.client is not None:
        return True
    # What has no port is reached at any: at one that is not said to be direct, through the proxy.
    return network.proxy_for(f"//{host}") is not None
