"""A proxy: its address, how it knows us, and the connections that it makes."""

import asyncio
import base64
from asyncio import StreamReader, StreamWriter
from dataclasses import dataclass, field
from ssl import SSLContext
from urllib.parse import quote, urlsplit

from appliance.core.secrets import learn
from appliance.system.secret_references import SecretReference

_PORTS = {"http": 80, "https": 443}
NEEDS_LOG_IN = 407
_HEAD_END = b"\r\n\r\n"


class ProxyError(OSError):
    """The proxy does not answer, or refuses."""

    def __init__(self, proxy: "Proxy", what: str) -> None:
        super().__init__(f"the proxy {proxy.url} {what}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """An HTTP proxy; as a text without its password."""

    url: str
    """`http://proxy.example:3128`, or `https://…` where one speaks TLS with itself."""
    username: str = ""
    password: SecretReference = field(default_factory=SecretReference)
    where: str = "network"
    """The path of the section of the settings, for messages."""

    @property
    def host(self) -> str:
        """Its name or address."""
        return urlsplit(self.url).hostname or ""

    @property
    def port(self) -> int:
        """Where it listens."""
        parts = urlsplit(self.url)
        return parts.port or _PORTS[parts.scheme]

    @property
    def speaks_tls(self) -> bool:
        """Whether the way to the proxy itself is encrypted."""
        return self.url.startswith("https:")

    def log_in(self) -> tuple[str, str] | None:
        """Name and password; None: it wants none.

        Raises:
            SetupError: The password cannot be read, or there is none.
        """
        if not self.username:
            return None
        return self.username, self.password.require(f"the proxy's password of {self.where}")

    def authorization(self) -> str:
        """The value of `Proxy-Authorization`; empty: none is sent."""
        if (known := self.log_in()) is None:
            return ""
        token = base64.b64encode(":".join(known).encode()).decode()
        return f"Basic {learn(token)}"

    def with_password(self) -> str:
        """The address as programs take it that know no other way."""
        if (credentials := self.log_in()) is None:
            return self.url
        username, password = (quote(text, safe="") for text in credentials)
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{username}:{learn(password)}@{parts.netloc}"

    def refusal(self, status: int) -> ProxyError:
        """What it means that the proxy answered so."""
        if status != NEEDS_LOG_IN:
            return ProxyError(self, f"refuses the connection ({status})")
        if self.username:
            reason = f"does not take the name and password of {self.where}.proxy_username (407)"
        else:
            reason = f"wants a name and password (407): set {self.where}.proxy_username"
        return ProxyError(self, reason)

    async def connect(self, context: SSLContext) -> tuple[StreamReader, StreamWriter]:
        """A connection to the proxy itself.

        Raises:
            ProxyError: It does not answer.
        """
        try:
            return await asyncio.open_connection(
                self.host, self.port, ssl=context if self.speaks_tls else None
            )
        except OSError as error:
            raise ProxyError(self, f"does not answer: {error.strerror or error}") from error

    async def tunnel(self, address: str, context: SSLContext) -> tuple[StreamReader, StreamWriter]:
        """A connection through it to `host:port`.

        Raises:
            ProxyError: It does not answer, or refuses.
            SetupError: Its password cannot be read.
        """
        authorization = self.authorization()
        reader, writer = await self.connect(context)
        try:
            lines = [f"CONNECT {address} HTTP/1.1", f"Host: {address}"]
            if authorization:
                lines.append(f"Proxy-Authorization: {authorization}")
            writer.write("\r\n".join((*lines, "", "")).encode())
            status = _status(await reader.readuntil(_HEAD_END))
            if not 200 <= status < 300:
                raise self.refusal(status)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError) as error:
            writer.close()
            raise ProxyError(self, "answers as no proxy does") from error
        except BaseException:
            writer.close()
            raise
        return reader, writer


def _status(head: bytes) -> int:
    """`HTTP/1.1 200 Connection established`; `ValueError` where it is none."""
    return int(head.split(b" ", 2)[1])
