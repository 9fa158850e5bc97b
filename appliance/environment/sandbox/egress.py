"""The only way out of a sandbox: a proxy on a unix socket that connects to what is allowed.

Inside, `forward.py` listens under the addresses of the provider's API and comes here.
"""

import asyncio
import ipaddress
from asyncio import StreamReader, StreamWriter
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self
from urllib.parse import urlsplit

from appliance.core.errors import SetupError

PROXY = "127.0.0.1:3128"
"""Where a client inside finds the proxy itself, when it is one that uses proxies."""
HEAD_TIMEOUT_S = 15.0
CONNECT_TIMEOUT_S = 10.0
HEAD_LIMIT = 32 << 10
MOST_CONNECTIONS = 128
CHUNK = 1 << 16


class Egress:
    """Serves one sandbox; counts what it refused."""

    def __init__(self, path: Path, hosts: frozenset[str]) -> None:
        self.path, self.hosts = path, frozenset(host.lower() for host in hosts)
        self.refused: dict[str, int] = {}
        """How often each other address was asked for; the first hundred of them."""
        self._server: asyncio.Server
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self._begin, self.path, limit=HEAD_LIMIT)
        self.path.chmod(0o666)  # the one inside is another user; the folder around keeps others out
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begin(self, reader: StreamReader, writer: StreamWriter) -> None:
        if len(self._tasks) >= MOST_CONNECTIONS:
            writer.close()
            return
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            async with asyncio.timeout(HEAD_TIMEOUT_S):
                head = await reader.readuntil(b"\r\n\r\n")
            request = _parse_request(head)
            if request is None or request.address not in self.hosts:
                self._refuse(request.address if request else "something that is no request")
                writer.write(_answer("403 Forbidden"))
                return
            await self._connect(request, reader, writer)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            with suppress(OSError):
                writer.write(_answer("502 Bad Gateway"))
        finally:
            writer.close()

    async def _connect(
        self, request: "_ProxyRequest", reader: StreamReader, writer: StreamWriter
    ) -> None:
        host, _, port = request.address.rpartition(":")
        async with asyncio.timeout(CONNECT_TIMEOUT_S):
            there = await asyncio.open_connection(host.strip("[]"), int(port))
        their_reader, their_writer = there
        try:
            if request.head:
                their_writer.write(request.head)
            else:
                writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            await asyncio.gather(_pump(reader, their_writer), _pump(their_reader, writer))
        finally:
            their_writer.close()

    def _refuse(self, address: str) -> None:
        if address in self.refused or len(self.refused) < 100:
            self.refused[address] = self.refused.get(address, 0) + 1


class _ProxyRequest(NamedTuple):
    address: str
    head: bytes
    """What to send on; empty: the connection only (CONNECT)."""


def _parse_request(head: bytes) -> _ProxyRequest | None:
    """Where a request wants to go; None: it is none."""
    line, _, rest = head.partition(b"\r\n")
    try:
        method, target, version = line.decode("ascii").split(" ")
        if method == "CONNECT":
            return _ProxyRequest(target.lower()[:200], b"")
        parts = urlsplit(target)
        if parts.scheme != "http" or not parts.hostname:
            return None
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        address = f"{host}:{parts.port or 80}"
    except ValueError:
        return None
    # One request for each connection: the next could be meant for another host.
    dropped = (b"connection:", b"proxy-", b"keep-alive:")
    kept = [each for each in rest.split(b"\r\n") if each and not each.lower().startswith(dropped)]
    sent = [f"{method} {path} {version}".encode(), *kept, b"Connection: close", b"", b""]
    return _ProxyRequest(address.lower()[:200], b"\r\n".join(sent))


def _answer(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()


async def _pump(source: StreamReader, target: StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(CHUNK):
            target.write(data)
            await target.drain()
    with suppress(OSError):
        if target.can_write_eof():
            target.write_eof()


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
