"""Which names the server answers to, and who is at this machine.

A web page can let its own name point at this machine (DNS rebinding) and then ask as a page of the
same origin: so the name in a request must be one of ours. An address instead of a name is always
fine: nobody can let it point elsewhere.
"""

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

from appliance.config import ServerSettings
from appliance.server.problems import AnyRequest, Problem

_FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""Headers of a proxy: the one at this machine is then not the one who asks."""


def is_loopback(host: str) -> bool:
    """Whether a name or address is this machine's own."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _address(name)
    return address is not None and address.is_loopback


def check_host(request: AnyRequest, settings: ServerSettings) -> str:
    """The name that the request is for.

    Raises:
        Problem: 400 without one, 421 where it is none of ours.
    """
    host = host_name(request.headers)
    if not host:
        raise Problem(400, "The request has no valid `Host` header.", code="no-host")
    if is_loopback(host) or _address(host) is not None or host in _own_names(settings):
        return host
    raise Problem(
        421,
        f"{host!r} is no name of this server. If it is, add it to `server.hosts`.",
        title="Unknown host",
        code="unknown-host",
    )


def is_local(request: AnyRequest, settings: ServerSettings) -> bool:
    """Whether somebody at this machine asks a server that listens to this machine only."""
    server, client = request.scope.get("server"), request.scope.get("client")
    return (
        client is not None
        and server is not None
        and all(map(is_loopback, (client[0], server[0], settings.host)))
        and is_loopback(host_name(request.headers))
        and not any(name in request.headers for name in _FORWARDED)
    )


def host_name(headers: Mapping[str, str]) -> str:
    """The name in `Host`, without its port; empty: there is none, or it is no name."""
    try:
        return (urlsplit(f"//{headers.get('host', '')}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _own_names(settings: ServerSettings) -> frozenset[str]:
    names = (settings.host, *settings.hosts, urlsplit(settings.public_url).hostname or "")
    return frozenset(name.lower().rstrip(".") for name in names if name)


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
