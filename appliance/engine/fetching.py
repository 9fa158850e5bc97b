"""Documents by their address, from hosts that the settings name and from no others.

Whoever may ask for a document by its address could make this machine speak with what only it can
reach. So the host must be named in `documentation.url_hosts`; every answer of its name server must
be an address where documentation may be (`is_allowed_address`) and none of this machine's own, as
its interfaces have them at that moment; the connection goes to the address that was looked at, not
to one that is asked for again; and every redirect is held to the same. On the way through the proxy
of the settings, it is the proxy that looks the name up: what this machine knows of it is held to
the same, and that it knows nothing is no fault.
"""

import asyncio
import codecs
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from pathlib import PurePosixPath
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote, urlsplit

import httpx
import psutil

from appliance.core.errors import DocumentError, LimitError
from appliance.documents import FORMATS, MAX_BYTES
from appliance.system.network.clients import async_client
from appliance.system.network.faults import explain
from appliance.system.network.network import DIRECT, Network

IPAddress: TypeAlias = IPv4Address | IPv6Address
Resolve: TypeAlias = Callable[[str, int], Awaitable[Iterable[str]]]

TIMEOUT_S = 20.0
"""For all redirects together: somebody waits for the answer."""
MAX_REDIRECTS = 5
_SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/markdown": ".md",
    "text/x-markdown": ".md",
    "text/x-rst": ".rst",
    "text/prs.fallenstein.rst": ".rst",
    "application/xml": ".xml",
    "text/xml": ".xml",
    "application/docbook+xml": ".xml",
    "application/dita+xml": ".xml",
}
_UNTOLD = ("", "text/plain", "application/octet-stream")
"""Media types that say nothing: the address decides."""
_METADATA = frozenset(map(ip_address, ("100.100.100.200", "192.0.0.192", "fd00:ec2::254")))
"""Where clouds give credentials to machines, beside 169.254.0.0/16."""
_NAT64 = IPv6Network("64:ff9b::/96")
"""RFC 6052; the address stands at the end. At a local prefix (RFC 8215) only the translator knows
where it stands: those are reserved ones, and barred."""
_THIS_NETWORK = IPv4Network("0.0.0.0/8")
_PORTS = {"http": 80, "https": 443}
_NO_CHARSETS = ("idna", "punycode")
"""Codecs of names, which take the square of a text's length."""
_UNSAFE = re.compile(r"[^\w.-]+")


class Fetched(NamedTuple):
    """A document as it was downloaded."""

    name: str
    """File name with a suffix that says its format."""
    content: bytes
    """In UTF-8."""
    url: str
    """Where it was found in the end."""


class _Target(NamedTuple):
    host: str
    port: int
    address: str


def is_allowed_address(address: IPAddress) -> bool:
    """Whether documentation may be there: a private network may have it, this machine may not."""
    here, inner = own_addresses(), tuple(_inner(address))
    is_ours = any(candidate in here or _leads_here(candidate) for candidate in (address, *inner))
    return not is_ours and not any(map(_is_barred, inner or (address,)))


def own_addresses() -> frozenset[IPAddress]:
    """The current addresses of this machine's interfaces, or of the container's."""
    texts = (place.address for places in psutil.net_if_addrs().values() for place in places)
    return frozenset(filter(None, map(_as_address, texts)))


def _is_barred(address: IPAddress) -> bool:
    return (
        address.is_loopback
        or address.is_link_local
        or address.is_multicast
        or address.is_unspecified
        or address.is_reserved
        or address in _METADATA
        or (isinstance(address, IPv4Address) and address in _THIS_NETWORK)
    )


def _leads_here(address: IPAddress) -> bool:
    """Whether the kernel routes an address to this machine itself; nothing is sent.

    A local route may cover whole networks, beyond the addresses of the interfaces.
    """
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((str(address), 9))
            return _as_address(probe.getsockname()[0]) == address
    except OSError:
        return False  # no way leads there at all


def _inner(address: IPAddress) -> Iterator[IPAddress]:
    """The addresses that translators and tunnels would turn an address into."""
    if isinstance(address, IPv6Address):
        others = (address.ipv4_mapped, address.sixtofour, _behind_nat64(address))
        yield from filter(None, (*others, *(address.teredo or ())))


def _as_address(text: str) -> IPAddress | None:
    """Parse an address without its zone; None if it is not an IP address."""
    try:
        return ip_address(text.partition("%")[0])
    except ValueError:
        return None


async def resolve(host: str, port: int) -> Iterable[str]:
    """The addresses of a host, as this machine's name server says."""
    infos = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return dict.fromkeys(str(place[0]).partition("%")[0] for *_, place in infos)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetcher:
    """Downloads documents from the allowed hosts."""

    hosts: tuple[str, ...]
    """`docs.example`, at the usual port; `docs.example:8443`, at that one."""
    max_bytes: int = MAX_BYTES
    timeout_s: float = TIMEOUT_S
    network: Network = DIRECT
    """The way to them."""
    own_url: str = ""
    """Under which people reach this server, through a proxy elsewhere too."""
    allows: Callable[[IPAddress], bool] = is_allowed_address
    resolve: Resolve = resolve

    async def fetch(self, url: str) -> Fetched:
        """The document at that address.

        Raises:
            DocumentError: The address may not be asked, does not answer, or has no document.
        """
        try:
            async with asyncio.timeout(self.timeout_s):
                return await self._fetch(url)
        except TimeoutError as error:
            raise DocumentError(f"{url}: did not come within {self.timeout_s:g} s") from error

    async def _fetch(self, url: str) -> Fetched:
        target = _parse(url)
        async with async_client(self.network, timeout=self.timeout_s) as client:
            for _ in range(MAX_REDIRECTS + 1):
                async with self._answer(client, target) as response:
                    if not response.has_redirect_location:
                        return await self._read(target, response)
                    target = _redirect(target, response.headers["location"])
        raise DocumentError(f"{url}: redirects more than {MAX_REDIRECTS} times")

    @asynccontextmanager
    async def _answer(
        self, client: httpx.AsyncClient, url: httpx.URL
    ) -> AsyncIterator[httpx.Response]:
        """Request an address; its host is looked up once and connected to at that result."""
        target = await self._target(url)
        request = client.build_request(
            "GET",
            url.copy_with(host=target.address),
            headers={
                "Host": url.netloc.decode("ascii"),
                "Accept": "text/markdown, text/html, text/plain, */*;q=0.1",
                "Accept-Encoding": "identity",  # so that the limit is one of what is unpacked
            },
            extensions={"sni_hostname": target.host},
        )
        try:
            response = await client.send(request, stream=True)
        except httpx.HTTPError as error:
            raise DocumentError(f"{url}: cannot be got: {explain(error)}") from error
        try:
            yield response
        finally:
            await response.aclose()

    async def _target(self, url: httpx.URL) -> _Target:
        host, port = url.host.rstrip(".").casefold(), url.port or _PORTS[url.scheme]
        named = {entry.rstrip(".").casefold() for entry in self.hosts}
        bare = f"[{host}]" if ":" in host else host
        if f"{bare}:{port}" not in named and (bare not in named or port != _PORTS[url.scheme]):
            raise DocumentError(
                f"{url}: {bare}:{port} is not named in `documentation.url_hosts`, and documents are"
                " fetched from no other host"
            )
        if _place(self.own_url) == (host, port):
            raise DocumentError(f"{url}: that is this server, under its `server.public_url`")
        try:
            addresses = [ip_address(text) for text in await self.resolve(host, port)]
        except (OSError, UnicodeError):
            addresses = []
        is_proxied = self.network.proxy_to(host, port) is not None
        if not addresses and not is_proxied:
            raise DocumentError(f"{url}: no name server knows {host}")
        for address in addresses:
            if not self.allows(address):
                raise DocumentError(
                    f"{url}: {host} is {address}, an address of this machine or of its link;"
                    " documents are not fetched from there"
                )
        return _Target(host, port, host if is_proxied else str(addresses[0]))

    async def _read(self, url: httpx.URL, response: httpx.Response) -> Fetched:
        if response.status_code != httpx.codes.OK:
            raise DocumentError(f"{url}: answers {response.status_code} {response.reason_phrase}")
        name = _name(url, response)
        if response.headers.get("content-encoding", "identity") != "identity":
            raise DocumentError(f"{url}: comes compressed, though it was not asked to")
        content = bytearray()
        try:
            async for chunk in response.aiter_raw():
                content += chunk
                if len(content) > self.max_bytes:
                    raise LimitError(f"{url}: is longer than {self.max_bytes} bytes")
        except httpx.HTTPError as error:
            raise DocumentError(f"{url}: broke off: {error or type(error).__name__}") from error
        return Fetched(name, _as_utf8(url, bytes(content), response.charset_encoding), str(url))


def _place(url: str) -> tuple[str, int] | None:
    """Host and port of an address of the settings; None: it has none."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.hostname.rstrip("."), port) if parts.hostname and port else None


def _parse(url: str) -> httpx.URL:
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, ValueError) as error:
        raise DocumentError(f"{url!r} is no address: {error}") from error
    return _check(parsed)


def _redirect(url: httpx.URL, location: str) -> httpx.URL:
    try:
        there = url.join(location)
    except (httpx.InvalidURL, ValueError) as error:
        raise DocumentError(f"{url}: redirects to {location!r}, which is no address") from error
    if url.scheme == "https" and there.scheme == "http":
        raise DocumentError(f"{url}: redirects to {there}, which is not encrypted any more")
    return _check(there)


def _check(url: httpx.URL) -> httpx.URL:
    if url.scheme not in _PORTS:
        raise DocumentError(f"{str(url)!r}: documents come by http or https only")
    if not url.host:
        raise DocumentError(f"{str(url)!r} names no host")
    if url.userinfo:
        raise DocumentError(f"{url.host}: an address with a user name or password is not fetched")
    return url.copy_with(fragment=None)


def _name(url: httpx.URL, response: httpx.Response) -> str:
    """A file name whose suffix is that of the format."""
    media_type = response.headers.get("content-type", "").partition(";")[0].strip().casefold()
    path = PurePosixPath(unquote(url.path))
    suffix = _SUFFIXES.get(media_type, "")
    if media_type in _UNTOLD and path.suffix.casefold() in FORMATS:
        suffix = path.suffix.casefold()
    if not suffix:
        raise DocumentError(
            f"{url}: is {media_type or 'of no known type'}, not a document that this program reads:"
            f" {', '.join(FORMATS)}"
        )
    stem = _UNSAFE.sub("-", path.stem).strip("-.") or "index"
    return f"{stem[:80]}{suffix}"


def _as_utf8(url: httpx.URL, content: bytes, charset: str | None) -> bytes:
    """Convert a document to UTF-8, from the character set that it declares."""
    if charset is None or charset.casefold() in ("utf-8", "utf8"):
        return content
    try:
        if codecs.lookup(charset).name in _NO_CHARSETS:
            raise LookupError
        return content.decode(charset).encode()
    except (LookupError, UnicodeError) as error:
        raise DocumentError(f"{url}: is not {charset}, as its host says") from error


def _behind_nat64(address: IPv6Address) -> IPv4Address | None:
    """The address that a translator would connect to, at its usual prefix."""
    return IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else None
