"""Which names the server answers to, from where somebody asks, and who is at this machine.

A web page can let its own name point at this machine (DNS rebinding) and then ask as a page of the
same origin: so the name in a request must be one of ours. An address instead of a name is always
fine: nobody can let it point elsewhere.
"""

import ipaddress
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from appliance.config import ServerSettings
from appliance.server.problems import AnyRequest, Problem

_OF_ONE_SENDER = 64
"""Bits of an address of IPv6 that are given to whoever has the line; the rest they choose."""
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
    )


def is_for_this_machine(settings: ServerSettings) -> bool:
    """Whether nobody but people at this machine reaches the server, so that none needs a key."""
    return (
        settings.keys == "auto"
        and not settings.proxies
        and not settings.oidc.issuer
        and all(map(is_loopback, (settings.host, *_own_names(settings))))
    )


def is_local(request: AnyRequest, settings: ServerSettings) -> bool:
    """Whether somebody at this machine asks a server that is for this machine only."""
    server, client = request.scope.get("server"), request.scope.get("client")
    return (
        is_for_this_machine(settings)
        and client is not None
        and server is not None
        and all(map(is_loopback, (client[0], server[0])))
        and is_loopback(host_name(request.headers))
        and not is_forwarded(request.headers)
    )


def is_forwarded(headers: Mapping[str, str]) -> bool:
    """Whether a proxy hands the request on, or somebody says so."""
    return any(name in headers for name in _FORWARDED)


def client_of(peer: str, forwarded: Sequence[str], settings: ServerSettings) -> str:
    """The address of who asks: who is connected, or who a proxy of the settings says it is.

    A proxy writes behind what is there already, on that line or on one of its own, and anybody can
    write there first: so the last address that is none of our proxies' is the one.

    Args:
        peer: Who is connected.
        forwarded: Every line of `X-Forwarded-For`, as they came.
        settings: Which proxies are ours.
    """
    client = peer
    addresses = [one.strip() for one in ",".join(forwarded).split(",")]
    while addresses and is_proxy(client, settings):
        before = _address(_without_port(addresses.pop()))
        if before is None:
            break
        client = str(before)
    return client


def is_proxy(host: str, settings: ServerSettings) -> bool:
    """Whether that is the address of a proxy of the settings."""
    address = _address(host)
    return address is not None and any(
        address in ipaddress.ip_network(proxy) for proxy in settings.proxies
    )


def network_of(host: str) -> str:
    """What one sender has: an address of IPv4, or all of a network of IPv6."""
    address = _address(host)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, _OF_ONE_SENDER), strict=False))
    return str(address or host)


def host_name(headers: Mapping[str, str]) -> str:
    """The name in `Host`, without its port; empty: there is none, or it is no name."""
    try:
        return (urlsplit(f"//{headers.get('host', '')}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _own_names(settings: ServerSettings) -> frozenset[str]:
    names = (settings.host, *settings.hosts, urlsplit(settings.public_url).hostname or "")
    return frozenset(name.lower().rstrip(".") for name in names if name)


def _without_port(address: str) -> str:
    """`192.0.2.1:50000`, `[2001:db8::1]:50000` and `2001:db8::1` as addresses."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_PORTS = {"http": 80, "https": 443}


def check_origin(request: AnyRequest) -> None:
    """Programs say nothing of an origin; browsers always do.

    Raises:
        Problem: 403: a page of another origin sends it.
    """
    if request.method in _SAFE:
        return
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        is_ours = site in ("same-origin", "none")
    else:
        origin = request.headers.get("origin")
        is_ours = origin is None or _is_same(origin, request.headers.get("host", ""))
    if not is_ours:
        raise Problem(
            403,
            "A page of another site sent this. Programs send a key instead.",
            title="Not from here",
            code="other-origin",
        )


def _is_same(origin: str, host: str) -> bool:
    try:
        asking = urlsplit(origin)
        host_parts = urlsplit(f"{asking.scheme}://{host}")
        standard = _PORTS.get(asking.scheme)
        return asking.hostname is not None and (
            (asking.hostname, asking.port or standard)
            == (host_parts.hostname, host_parts.port or standard)
        )
    except ValueError:
        return False
