"""Which hosts a page may reach."""

import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from playwright.async_api import ProxySettings

LOCAL_SCHEMES = frozenset({"about", "data", "blob", "chrome-error", "javascript"})
DEFAULT_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}


class DeadEnd:
    """A port where nothing will ever answer: the proxy for hosts that are not allowed.

    Whatever is not on a context's bypass list is sent there by the browser itself: pages, fetch,
    WebSockets and prefetches alike, and no name is ever looked up for them. So is all that the
    browser would ask for of its own accord.
    """

    def __init__(self) -> None:
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))  # bound and never listening: refused at once

    def proxy(self, hosts: frozenset[str]) -> ProxySettings:
        """Proxy settings that let only `hosts` through."""
        return past(self.url, hosts)

    def flags(self) -> list[str]:
        """Flags that let nothing through: for whatever belongs to no context."""
        return [f"--proxy-server={self.url}", "--proxy-bypass-list=<-loopback>"]

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def close(self) -> None:
        """Release the port."""
        self._socket.close()


def past(proxy: str, hosts: Iterable[str]) -> ProxySettings:
    """Proxy settings for all but some hosts, loopback addresses included."""
    return {"server": proxy, "bypass": ",".join(["<-loopback>", *sorted(hosts)])}


def is_allowed(url: str, hosts: frozenset[str]) -> bool:
    """Whether a page with these hosts may open the address."""
    try:
        parts = urlsplit(url)
        port = parts.port or DEFAULT_PORTS.get(parts.scheme, 0)
    except ValueError:  # not an address at all
        return False
    if parts.scheme in LOCAL_SCHEMES:
        return True
    host = parts.hostname or ""
    shown = f"[{host}]" if ":" in host else host
    return shown in hosts or f"{shown}:{port}" in hosts
