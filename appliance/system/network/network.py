"""How one console, or the rest of the world, is reached."""

import asyncio
import ipaddress
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from ssl import SSLContext
from urllib.parse import urlsplit

from appliance.system.network.proxy import Proxy
from appliance.system.network.trust import ClientCertificate, bundle, ssl_context

PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY")
"""By which most programs are told of a proxy. Ours are not read: they have `network.proxy`."""
_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}
_LOOPBACK = ("localhost", "127.0.0.0/8", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """Whom we trust, as whom we come, and through which proxy. By itself: directly, as nobody."""

    ca: Path | None = None
    """File or folder of certificates that are trusted besides the system's."""
    proxy: Proxy | None = None
    no_proxy: tuple[str, ...] = ()
    """Hosts (with all under them), `.domains` (what is under them), networks; each `:port` too."""
    client: ClientCertificate | None = None

    def check(self) -> None:
        """See that all that it names can be read.

        Raises:
            SetupError: A certificate, a key or the proxy's password cannot be.
        """
        self.ssl_context()
        if self.proxy is not None:
            self.proxy.log_in()

    def ssl_context(self) -> SSLContext:
        """For connections to servers; `SetupError` where a certificate or key cannot be read."""
        return ssl_context(self.ca, self.client)

    def proxy_context(self) -> SSLContext:
        """For the way to the proxy itself, to which no client certificate is shown."""
        return ssl_context(self.ca, None)

    def proxy_for(self, url: str) -> Proxy | None:
        """The proxy on the way to an address; None: it is reached directly."""
        parts = urlsplit(url)
        return self.proxy_to(parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 0))

    def proxy_to(self, host: str, port: int) -> Proxy | None:
        """The same for a host. This machine is never reached through a proxy."""
        if self.proxy is None or _is_named(host, port, (*_LOOPBACK, *self.no_proxy)):
            return None
        return self.proxy

    async def dial(self, host: str, port: int) -> tuple[StreamReader, StreamWriter]:
        """A connection, through the proxy where there is one on the way; not encrypted yet.

        Raises:
            OSError: Nobody answers; a `ProxyError`, where the proxy does not or refuses.
            SetupError: The proxy's password, or a certificate, cannot be read.
        """
        proxy = self.proxy_to(host, port)
        if proxy is None:
            return await asyncio.open_connection(host, port)
        host_in_address = f"[{host}]" if ":" in host else host
        return await proxy.tunnel(f"{host_in_address}:{port}", self.proxy_context())

    def variables(self) -> dict[str, str]:
        """For programs that are told of it so (Terraform's providers); may hold a password.

        Raises:
            SetupError: The password, or a certificate, cannot be read.
        """
        environment = {}
        if self.ca is not None:
            environment["SSL_CERT_FILE"] = str(bundle(self.ca))
        if self.proxy is not None:
            address = self.proxy.with_password()
            environment |= {"HTTP_PROXY": address, "HTTPS_PROXY": address}
            environment["NO_PROXY"] = ",".join((*_LOOPBACK, *self.no_proxy))
        return environment

    def bundle(self) -> str | None:
        """File with all that is trusted, for libraries that take one; None: what they have."""
        return str(bundle(self.ca)) if self.ca is not None else None


DIRECT = Network()
"""No proxy, nobody trusted but whom the system trusts."""


def _is_named(host: str, port: int, entries: Iterable[str]) -> bool:
    host = host.strip("[]").rstrip(".").casefold()
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return any(_covers(entry.casefold(), host, port) for entry in entries)
    return any(_holds(entry, address, port) for entry in entries)


def _covers(entry: str, host: str, port: int) -> bool:
    name, _, port_text = entry.partition(":")
    if port_text and port_text != str(port):
        return False
    return host.endswith(f".{name.removeprefix('.')}") or host == name


def _holds(entry: str, address: ipaddress.IPv4Address | ipaddress.IPv6Address, port: int) -> bool:
    """Networks, and single addresses; no name is looked up for them."""
    if entry.count(":") == 1 or entry.startswith("["):
        entry, _, port_text = entry.rpartition(":")
        if port_text != str(port):
            return False
    try:
        network = ipaddress.ip_network(entry.strip("[]"), strict=False)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address) in network
