"""The one port that a server listens on."""

import errno
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager

from appliance.config import ServerSettings
from appliance.core.errors import SetupError

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - looked up, not bound to


@contextmanager
def listen(settings: ServerSettings) -> Iterator[socket.socket]:
    """A socket that is bound, and listens as soon as somebody serves it.

    Raises:
        SetupError: The address is not this machine's, or the port is taken.
    """
    host, port = settings.host, settings.port
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as exc:
        raise SetupError(f"server.host {host!r} is no address: {exc.strerror}") from None
    with closing(socket.socket(family, kind, protocol)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
        except OSError as exc:
            raise SetupError(_why_not(host, port, exc)) from None
        yield listener


def local_url(listener: socket.socket, settings: ServerSettings) -> str:
    """Where this machine reaches it."""
    scheme = "https" if settings.tls.certificate else "http"
    host, port = listener.getsockname()[:2]
    host = _EVERYWHERE.get(host, host)
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def _why_not(host: str, port: int, exc: OSError) -> str:
    if exc.errno == errno.EADDRINUSE:
        return (
            f"port {port} of {host} is taken by another program; end it, or choose another with"
            " `--port` or server.port (0: any free one)"
        )
    if exc.errno == errno.EACCES:
        return f"port {port} may not be listened on by this user; choose one above 1023"
    return f"cannot listen on port {port} of {host}: {exc.strerror}; see server.host"
