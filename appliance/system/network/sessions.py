"""Sessions of `requests` that speak as a `Network` says: apart, as few need and load them."""

from typing import Any

import requests
from requests.adapters import HTTPAdapter

from appliance.system.network.network import Network


def speak_through(network: Network, session: requests.Session) -> requests.Session:
    """Have a session of `requests` speak so: OpenStack's, and that of traces.

    Raises:
        SetupError: A certificate or key cannot be read.
    """
    session.trust_env = False  # no proxy, no credentials that happen to lie around
    for scheme in ("https://", "http://"):
        session.mount(scheme, _Adapter(network))
    return session


class _Adapter(HTTPAdapter):
    def __init__(self, network: Network) -> None:
        self._network = network
        self._context = network.ssl_context()
        super().__init__()

    def init_poolmanager(self, *args: Any, **options: Any) -> None:  # Any: as requests has them
        super().init_poolmanager(*args, ssl_context=self._context, **options)

    def proxy_manager_for(self, proxy: Any, **options: Any) -> Any:  # Any: as requests has them
        return super().proxy_manager_for(
            proxy,
            ssl_context=self._context,
            proxy_ssl_context=self._network.proxy_context(),
            **options,
        )

    def proxy_headers(self, proxy: str) -> dict[str, str]:
        known = self._network.proxy.authorization() if self._network.proxy else ""
        return {"Proxy-Authorization": known} if known else {}

    def send(self, request: Any, *args: Any, **options: Any) -> Any:  # Any: as requests has them
        proxy = self._network.proxy_for(request.url)
        options["proxies"] = {"http": proxy.url, "https": proxy.url} if proxy else {}
        return super().send(request, *args, **options)
