"""A company's network on this machine: its own issuer of certificates, TLS in front, a proxy.

Names under `internal` are known to the proxy only.
"""

import asyncio
import base64
import ipaddress
import ssl
import threading
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID

USER, PASSWORD = "docs", "pröxy:pass/word"
HOST = "console.internal"


class Issuer:
    """A company's own issuer; `file` is its certificate."""

    def __init__(self, folder: Path, name: str = "Example Corp CA") -> None:
        folder.mkdir(exist_ok=True)
        self.folder, self.name = folder, _named(name)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.file = folder / "ca.pem"
        basic = x509.BasicConstraints(ca=True, path_length=None)
        own = _building(self.name, self.name, self.key, days=30).add_extension(basic, True)
        self.file.write_bytes(own.sign(self.key, hashes.SHA256()).public_bytes(Encoding.PEM))

    def key_pem(self) -> bytes:
        """Its own key, for a server that shows the issuer's certificate itself."""
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    def issue(self, name: str, *, days: int = 30, passphrase: str = "") -> Path:
        """A file with a certificate for a name and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        alternatives = x509.SubjectAlternativeName([_general(name)])
        building = _building(_named(name), self.name, key, days).add_extension(alternatives, False)
        secret = BestAvailableEncryption(passphrase.encode()) if passphrase else NoEncryption()
        file = self.folder / f"{name}{days}.pem"
        file.write_bytes(
            building.sign(self.key, hashes.SHA256()).public_bytes(Encoding.PEM)
            + key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, secret)
        )
        return file


def _named(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _building(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=60))
        .not_valid_after(now + timedelta(days=days))
    )


@dataclass
class Running:
    """A server of the company's, and what came to it."""

    port: int = 0
    seen: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def site(certificate: Path | None, to: int = 0, *, asks: Path | None = None) -> Iterator[Running]:
    """TLS before a server of this machine (`to`: its port), else before a page of its own.

    Without a certificate it speaks plainly. With `asks` only who has a certificate of that issuer
    gets in; `seen` has their names.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if certificate else None
    if context is not None:
        context.load_cert_chain(certificate)
    if asks is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(asks)
    running = Running()

    async def serve(reader: StreamReader, writer: StreamWriter) -> None:
        peer = writer.get_extra_info("peercert") or {}
        who = dict(pair for names in peer.get("subject", ()) for pair in names)
        running.seen.append(who.get("commonName", "nobody"))
        if to:
            await _join(reader, writer, *await asyncio.open_connection("127.0.0.1", to))
            return
        head = await reader.readuntil(b"\r\n\r\n")
        running.seen.append(head.split(b"\r\n")[0].decode())
        page = b"<h1>Hello</h1>"
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (len(page), page)
        )
        await writer.drain()
        writer.close()

    with _served(running, serve, context):
        yield running


@contextmanager
def proxy(
    names: dict[str, int] | None = None,
    password: str = PASSWORD,
    certificate: Path | None = None,
) -> Iterator[Running]:
    """A proxy that wants a name and a password; `names` under `internal` are ports here.

    With a certificate it speaks TLS with those who come.
    """
    running, known = Running(), names or {}
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if certificate else None
    if context is not None:
        context.load_cert_chain(certificate)
    wanted = f"Basic {base64.b64encode(f'{USER}:{password}'.encode()).decode()}"

    async def serve(reader: StreamReader, writer: StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        line, *headers = head.split("\r\n")
        sent = {name.lower(): value for name, _, value in (one.partition(": ") for one in headers)}
        method, target, version = line.split(" ")
        running.seen.append(f"{method} {target}")
        if sent.get("proxy-authorization") != wanted:
            running.seen[-1] += " refused"
            writer.write(
                b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n"
                b'Proxy-Authenticate: Basic realm="x"\r\nConnection: close\r\n\r\n'
            )
            writer.close()
            return
        address = target.removeprefix("http://").split("/")[0]
        host, _, port = address.partition(":")
        there = await asyncio.open_connection(
            "127.0.0.1" if host in known else host, known.get(host) or int(port or 80)
        )
        if method == "CONNECT":
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            path = target.removeprefix(f"http://{address}") or "/"
            there[1].write("\r\n".join((f"{method} {path} {version}", *headers)).encode("latin-1"))
        await _join(reader, writer, *there)

    with _served(running, serve, context):
        yield running


async def _join(
    reader: StreamReader, writer: StreamWriter, their: StreamReader, theirs: StreamWriter
) -> None:
    async def pump(source: StreamReader, target: StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(1 << 16):
                target.write(data)
                await target.drain()
        target.close()

    try:
        await asyncio.gather(pump(reader, theirs), pump(their, writer))
    finally:
        writer.close()
        theirs.close()


@contextmanager
def _served(running: Running, serve: object, context: ssl.SSLContext | None) -> Iterator[None]:
    """In a thread with a loop of its own: commands of tests block theirs."""
    loop = asyncio.new_event_loop()
    tasks: set[asyncio.Task[None]] = set()

    async def quietly(reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(OSError, EOFError, asyncio.CancelledError, ValueError):
            await serve(reader, writer)
        writer.close()

    def begin(reader: StreamReader, writer: StreamWriter) -> None:
        task = loop.create_task(quietly(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    async def start() -> asyncio.Server:
        return await asyncio.start_server(begin, "127.0.0.1", 0, ssl=context)

    async def stop(server: asyncio.Server) -> None:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.05)  # closed connections say goodbye

    loop.set_exception_handler(lambda *_: None)  # a client that ends a handshake is a test's aim
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    server = asyncio.run_coroutine_threadsafe(start(), loop).result(10)
    running.port = server.sockets[0].getsockname()[1]
    try:
        yield
    finally:
        asyncio.run_coroutine_threadsafe(stop(server), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
