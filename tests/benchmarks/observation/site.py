"""Serves generated pages on two loopback names, so that frames can be of another site."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True, slots=True)
class Site:
    """A running server."""

    port: int

    @property
    def url(self) -> str:
        """By its address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def other(self) -> str:
        """By its name: another site to the browser."""
        return f"http://localhost:{self.port}"

    @property
    def hosts(self) -> frozenset[str]:
        """Both."""
        return frozenset({f"127.0.0.1:{self.port}", f"localhost:{self.port}"})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    pages: Mapping[str, bytes] = {}

    def do_GET(self) -> None:
        """A page, or nothing."""
        body = self.pages.get(self.path.split("?")[0], b"")
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def served(pages: Mapping[str, str], others: Mapping[str, str]) -> Iterator[Site]:
    """Serve `pages`; in `others`, `OTHER` stands for the address by name."""

    class Handler(_Handler):
        pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        site = Site(server.server_address[1])
        Handler.pages = {path: html.encode() for path, html in pages.items()} | {
            path: html.replace("OTHER", site.other).encode() for path, html in others.items()
        }
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()
