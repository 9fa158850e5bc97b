"""An HTTP server on loopback that answers as a test says, and is told nothing twice."""

import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@dataclass(frozen=True)
class Asked:
    """A request; names of headers are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Answer:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


@contextmanager
def receiving(
    answer: Callable[[Asked], Answer], certificate: tuple[Path, ...] = (), port: int = 0
) -> Iterator[str]:
    """Its address; with files of a certificate (and its key) it speaks TLS."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            length = int(self.headers.get("content-length", 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            given = answer(Asked(self.command, self.path, headers, self.rfile.read(length)))
            self.send_response(given.status)
            for name, value in {"content-length": str(len(given.body)), **given.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(given.body)

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            """Nothing is said."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    if certificate:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(*certificate)
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http{'s' if certificate else ''}://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
