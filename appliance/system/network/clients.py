"""Clients for HTTP that speak as a `Network` says, whatever the environment has."""

from ssl import SSLContext
from typing import Any

import httpx

from appliance.system.network.network import Network
from appliance.system.network.proxy import Proxy

_PORTS = {"http": 80, "https": 443}


def async_client(network: Network, **options: Any) -> httpx.AsyncClient:  # Any: as httpx has them
    """An `httpx` client; redirects to other hosts go their own way.

    Raises:
        SetupError: A certificate, a key or the proxy's password cannot be read.
    """
    return httpx.AsyncClient(transport=_Ways(network), trust_env=False, **options)


def client_to(
    url: str,
    network: Network,
    *,
    pinned: SSLContext | None = None,
    **options: Any,  # Any: as httpx has them
) -> httpx.Client:
    """An `httpx` client for one server; `pinned` is whom it trusts in place of the network's.

    Raises:
        SetupError: A certificate, a key or the proxy's password cannot be read.
    """
    proxy = _httpx_proxy(network.proxy_for(url), network.proxy_context())
    trusted = pinned or network.ssl_context()
    return httpx.Client(base_url=url, verify=trusted, proxy=proxy, trust_env=False, **options)


class _Ways(httpx.AsyncBaseTransport):
    """Directly or through the proxy, for each request anew."""

    def __init__(self, network: Network) -> None:
        self._network = network
        context = network.ssl_context()
        self._direct = httpx.AsyncHTTPTransport(verify=context)
        self._proxied = (
            httpx.AsyncHTTPTransport(
                verify=context, proxy=_httpx_proxy(network.proxy, network.proxy_context())
            )
            if network.proxy
            else self._direct
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send it the way that its host is reached."""
        # Whoever has looked a name up asks its address, and says the name here.
        host = request.extensions.get("sni_hostname") or request.url.host
        port = request.url.port or _PORTS.get(request.url.scheme, 0)
        way = self._proxied if self._network.proxy_to(host, port) else self._direct
        return await way.handle_async_request(request)

    async def aclose(self) -> None:
        """Release the connections of both."""
        await self._direct.aclose()
        await self._proxied.aclose()


def _httpx_proxy(proxy: Proxy | None, context: SSLContext) -> httpx.Proxy | None:
    if proxy is None:
        return None
    tls = context if proxy.speaks_tls else None
    return httpx.Proxy(proxy.url, auth=proxy.log_in(), ssl_context=tls)
