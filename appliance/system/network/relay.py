"""A local proxy for programs that hold no credentials: it connects only to allowed hosts.

It knows the way on: directly, or through the company's proxy, whose password the program that is
served never has. Where the server wants a client certificate, it speaks TLS with both sides, so
that the program never has the key either.
"""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import structlog

from appliance.core.errors import SetupError
from appliance.system.network.authority import Authority
from appliance.system.network.faults import explain
from appliance.system.network.network import DIRECT, Network

HEAD_TIMEOUT_S = 15.0
CONNECT_TIMEOUT_S = 10.0
HEAD_LIMIT = 32 << 10
MOST_CONNECTIONS = 128
"""Of a sandbox; a browser has several for each host of each page."""
MOST_OF_BROWSER = 2048
CHUNK = 1 << 16
_SOCKETS = Path("/proc/net/tcp")
_NOBODY = -1
_log = structlog.get_logger()


class Relay:
    """Serves one program; counts what it refused."""

    def __init__(
        self,
        hosts: frozenset[str],
        network: Network = DIRECT,
        authority: Authority | None = None,
    ) -> None:
        """Configure the relay; `at_path` and `at_loopback` start serving.

        Args:
            hosts: `host:port`, or `host` for all its ports.
            network: How the hosts are reached.
            authority: By which the program is shown a server that wants a client certificate.
        """
        self.hosts = frozenset(host.lower() for host in hosts)
        self.refused: dict[str, int] = {}
        """How often each other address was asked for; the first hundred of them."""
        self._network = network
        self._authority = authority if self._network.client else None
        self._is_silent, self._most = False, MOST_CONNECTIONS
        self._user: int | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def at_path(self, path: Path) -> AsyncIterator["Relay"]:
        """Serve on a unix socket as long as the block runs."""
        server = await asyncio.start_unix_server(self._begin, path, limit=HEAD_LIMIT)
        path.chmod(0o666)  # the one inside is another user; the folder around keeps others out
        async with self._served(server):
            yield self

    @asynccontextmanager
    async def at_loopback(self, user: int) -> AsyncIterator[str]:
        """Serve a browser on a port of this machine as long as the block runs; its address.

        A page is told nothing but that there is no way: an answer would look like the server's.
        Whoever else is on this machine could come in our name: only `user` is served.
        """
        self._is_silent, self._user, self._most = True, user, MOST_OF_BROWSER
        server = await asyncio.start_server(self._begin, "127.0.0.1", 0, limit=HEAD_LIMIT)
        async with self._served(server):
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    @asynccontextmanager
    async def _served(self, server: asyncio.Server) -> AsyncIterator[None]:
        try:
            yield
        finally:
            server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begin(self, reader: StreamReader, writer: StreamWriter) -> None:
        if len(self._tasks) >= self._most or not self._is_served(writer):
            writer.close()
            return
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _is_served(self, writer: StreamWriter) -> bool:
        if self._user is None:
            return True
        peer, own_address = writer.get_extra_info("peername"), writer.get_extra_info("sockname")
        return _owner(peer[1], own_address[1]) in (None, self._user)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        request: _ProxyRequest | None = None
        try:
            async with asyncio.timeout(HEAD_TIMEOUT_S):
                head = await reader.readuntil(b"\r\n\r\n")
            request = _parse_request(head)
            if request is None or not self._allows(request):
                self._refuse(request.address if request else "something that is no request")
                self._decline(writer, request, "403 Forbidden")
                return
            await self._connect(request, reader, writer)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            writer.close()
        except (OSError, TimeoutError, SetupError) as error:
            if request is not None:
                _log.info("no_way", address=request.address, reason=explain(error))
            self._decline(writer, request, "502 Bad Gateway")
        finally:
            writer.close()

    def _decline(self, writer: StreamWriter, request: "_ProxyRequest | None", status: str) -> None:
        if self._is_silent and request is not None and request.lines:
            writer.transport.abort()
            return
        with suppress(OSError):
            writer.write(_answer(status))

    def _allows(self, request: "_ProxyRequest") -> bool:
        return request.address in self.hosts or request.address.rpartition(":")[0] in self.hosts

    async def _connect(
        self, request: "_ProxyRequest", reader: StreamReader, writer: StreamWriter
    ) -> None:
        host_in_brackets, _, port = request.address.rpartition(":")
        host = host_in_brackets.strip("[]")
        async with asyncio.timeout(CONNECT_TIMEOUT_S):
            if request.lines:
                streams = await self._plain(request, host, int(port))
            else:
                streams = await self._network.dial(host, int(port))
            their_reader, their_writer = streams
            try:
                if not request.lines:
                    await self._open(host, their_writer, writer)
            except BaseException:
                their_writer.close()
                raise
        try:
            await asyncio.gather(_pump(reader, their_writer), _pump(their_reader, writer))
        finally:
            their_writer.close()

    async def _plain(
        self, request: "_ProxyRequest", host: str, port: int
    ) -> tuple[StreamReader, StreamWriter]:
        """Forward an unencrypted request in the form that a server or a proxy expects."""
        method, path, version, *headers = request.lines
        proxy = self._network.proxy_to(host, port)
        if proxy is None:
            streams = await asyncio.open_connection(host, port)
        else:
            if authorization := proxy.authorization():
                headers.append(f"Proxy-Authorization: {authorization}".encode())
            streams = await proxy.connect(self._network.proxy_context())
            path = f"http://{request.address}".encode() + path
        # One request for each connection: the next could be meant for another host.
        head = [b" ".join((method, path, version)), *headers, b"Connection: close", b"", b""]
        streams[1].write(b"\r\n".join(head))
        return streams

    async def _open(self, host: str, theirs: StreamWriter, ours: StreamWriter) -> None:
        """Confirm the tunnel; with an authority, start TLS on both sides of it."""
        if self._authority is not None:
            await theirs.start_tls(self._network.ssl_context(), server_hostname=host)
        ours.write(b"HTTP/1.1 200 Connected\r\n\r\n")
        if self._authority is not None:
            await ours.drain()
            await ours.start_tls(self._authority.context_of(host))

    def _refuse(self, address: str) -> None:
        if address in self.refused or len(self.refused) < 100:
            self.refused[address] = self.refused.get(address, 0) + 1


class _ProxyRequest(NamedTuple):
    address: str
    lines: tuple[bytes, ...]
    """What to send on: method, path, version, headers; empty: the connection only (CONNECT)."""


def _parse_request(head: bytes) -> _ProxyRequest | None:
    """Parse the head of a request; None if it is not one."""
    line, _, header_block = head.partition(b"\r\n")
    try:
        method, target, version = line.decode("ascii").split(" ")
        if method == "CONNECT":
            return _ProxyRequest(target.lower()[:200], ())
        parts = urlsplit(target)
        if parts.scheme != "http" or not parts.hostname:
            return None
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        address = f"{host}:{parts.port or 80}"
    except ValueError:
        return None
    dropped = (b"connection:", b"proxy-", b"keep-alive:")
    headers = [
        each
        for each in header_block.split(b"\r\n")
        if each and not each.lower().startswith(dropped)
    ]
    lines = (method.encode(), path.encode(), version.encode(), *headers)
    return _ProxyRequest(address.lower()[:200], lines)


def _owner(port: int, to: int) -> int | None:
    """Return the user id that owns a loopback connection; None if the system does not tell."""
    try:
        lines = _SOCKETS.read_text(encoding="ascii").splitlines()[1:]
    except OSError:
        return None
    ports = (f":{port:04X}", f":{to:04X}")
    for _, local, remote, *columns in map(str.split, lines):
        if local.endswith(ports[0]) and remote.endswith(ports[1]):
            return int(columns[4])
    return _NOBODY


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
        else:
            target.close()  # TLS has no half of a connection
