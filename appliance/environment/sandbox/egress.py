"""Where programs in a sandbox find the hosts that they may reach.

The only way out is a `system.network.relay` on a unix socket. Inside, `forward.py` listens under
the addresses of the provider's API and goes there.
"""

import ipaddress
from typing import NamedTuple

from appliance.core.errors import SetupError

PROXY = "127.0.0.1:3128"
"""Where a client inside finds the proxy itself, when it is one that uses proxies."""


class HostRoutes(NamedTuple):
    """How the allowed hosts are reached inside."""

    listen: tuple[tuple[str, str], ...]
    """Addresses to listen on, with what to ask the proxy for; empty: the client asks itself."""
    names: tuple[tuple[str, str], ...]
    """Host names and the addresses that stand for them."""
    environment: dict[str, str]
    """For clients that use proxies: the only way to addresses that are not the machine's own."""


def route_hosts(hosts: frozenset[str]) -> HostRoutes:
    """Lay out the addresses inside for `host:port` outside.

    Raises:
        SetupError: One of them is no `host:port`.
    """
    listen: dict[str, str] = {}
    names: dict[str, str] = {}
    for each in sorted(hosts):
        host, _, port = each.rpartition(":")
        if not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
            raise SetupError(f"{each!r} is no address of an API: it takes host:port")
        try:
            address = ipaddress.ip_address(host.strip("[]"))
        except ValueError:
            own = names.setdefault(host, "127.0.0.1" if host == "localhost" else _free(names))
            listen[f"{own}:{port}"] = each
            continue
        if address.version == 4 and address.is_loopback:
            listen[each] = each
    if not hosts:
        return HostRoutes((), (), {})
    listen[PROXY] = ""
    proxy = f"http://{PROXY}"
    environment = {name: proxy for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy")}
    environment["https_proxy"] = proxy
    own = ",".join(("127.0.0.1", "localhost", *names))
    environment |= {"NO_PROXY": own, "no_proxy": own}
    return HostRoutes(tuple(listen.items()), tuple(names.items()), environment)


def _free(names: dict[str, str]) -> str:
    """An address of the loopback network for each name: two may use the same port."""
    return f"127.0.1.{len(names) + 1}"


def hosts_file(names: tuple[tuple[str, str], ...]) -> str:
    """The contents of /etc/hosts inside."""
    lines = ["127.0.0.1 localhost", *(f"{own} {name}" for name, own in names)]
    return "".join(f"{line}\n" for line in dict.fromkeys(lines))
