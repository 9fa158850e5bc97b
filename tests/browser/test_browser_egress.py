"""A page that tries every way out reaches the console's hosts, and nothing else.

"Outside" is a server beside the console that notes every request, connection and datagram. The same
page in a browser without our flags and proxy shows that it would notice.
"""

import asyncio
import contextlib
import http.server
import json
import socket
import socketserver
import threading
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import async_playwright

from appliance.browser import BrowserPool, _chromium
from appliance.browser._chromium import HEADLESS_FLAGS
from appliance.browser._process import BrowserProcess
from appliance.config import BrowserSettings

PAGES = Path(__file__).parent / "pages"
LONG_ENOUGH_S = 2.0
"""Until the page leaves for the outside itself: what was asked for has been sent by then."""
PATIENCE = 5
"""How many times as long what must come may take on a busy machine."""
STUN, TURN = b"\x00\x01", b"\x00\x03"
QUIC = 0xC0
"""Lowest first byte of the packet that opens a QUIC connection (WebTransport)."""
WAYS = frozenset(
    """
    audio background beacon blank csp csp-link download embed eventsource fetch font get iframe
    image import importscripts keepalive location module modulepreload nested object open post
    prefetch preload redirect redirectframe refresh script sharedworker style svg video websocket
    websocketstream worker xhr
    """.split()  # noqa: SIM905 - a list of forty would fill a screen
)
"""What reaches an allowed host by HTTP; a hyperlink's ping is sent to nobody at all."""
AT_ONCE = WAYS - {"location"}
"""What does so before the page leaves."""

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers to anything; says where to go when asked to."""

    def log_message(self, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.server.seen.append(parts.path)
        to = parse_qs(parts.query).get("to", [""])[0]
        body, headers = b"", {}
        if parts.path.endswith(".html"):
            body, headers = (PAGES / parts.path[1:]).read_bytes(), {"Content-Type": "text/html"}
        elif parts.path == "/reporting":
            body = b"<img src=forbidden.png>"
            headers = {
                "Content-Type": "text/html",
                "Content-Security-Policy": f"img-src 'none'; report-uri {to}",
                "Link": f"<{to}-link>; rel=preload; as=style",
            }
        self.send_response(302 if parts.path == "/redirect" else 200)
        if parts.path == "/redirect":
            headers = {"Location": to}
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """A host of its own: what came over TCP and over UDP on the same port."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[str] = []
        self.connections = 0
        self.datagrams: list[bytes] = []
        self._udp = socket.socket(type=socket.SOCK_DGRAM)
        self._udp.bind(self.server_address)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    @property
    def ways(self) -> set[str]:
        return {path.removeprefix("/leak/") for path in self.seen if path.startswith("/leak/")}

    def forget(self) -> None:
        self.seen.clear()
        self.datagrams.clear()
        self.connections = 0

    def process_request(self, request: object, client_address: object) -> None:
        self.connections += 1
        super().process_request(request, client_address)

    def handle_error(self, *args: object) -> None:
        """What speaks TLS is no news here."""

    def listen(self) -> None:
        with contextlib.suppress(OSError):
            while datagram := self._udp.recv(2048):
                self.datagrams.append(datagram)


@contextlib.contextmanager
def serving():
    server = Server()
    threads = [threading.Thread(target=f) for f in (server.serve_forever, server.listen)]
    for thread in threads:
        thread.start()
    yield server
    server._udp.sendto(b"", server._udp.getsockname())
    server.shutdown()
    for thread in threads:
        thread.join()
    server.server_close()
    server._udp.close()


@pytest.fixture(scope="module")
def inside():
    with serving() as server:
        yield server


@pytest.fixture(scope="module")
def outside():
    with serving() as server:
        yield server


async def escape(raw, inside, outside, names, came=None):
    """Let the page try everything, and go out itself in the end.

    `came` tells whether all that is to come has come, but for the last. Without it nothing may
    come, so there is nothing that could be awaited.
    """
    outside.forget()
    await raw.goto(f"http://{inside.host}/escape.html?to={outside.host}&name={names}")
    await elapsed(LONG_ENOUGH_S, came)
    await raw.evaluate("leave()")
    await elapsed(LONG_ENOUGH_S / 2, came and (lambda: "location" in outside.ways))


async def elapsed(most_s, came):
    """Wait; with something to wait for only until then, but longer on a busy machine."""
    if came is None:
        await asyncio.sleep(most_s)
        return
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(most_s * PATIENCE):
            while not came():
                await asyncio.sleep(0.05)


class Log:
    """What a browser's network stack noted of itself."""

    def __init__(self, path):
        text = path.read_text()
        try:
            log = json.loads(text)
        except ValueError:  # the browser was ended before it wrote the end
            said = text.rstrip().rstrip(",")
            log = json.loads(said + ("}" if said.endswith("]") else "]}"))
        kinds = {number: kind for kind, number in log["constants"]["logEventTypes"].items()}
        events = [(kinds[event["type"]], event.get("params", {})) for event in log["events"]]
        self.names = {
            params["host"]
            for kind, params in events
            if kind == "HOST_RESOLVER_MANAGER_JOB"
            if "host" in params
        }
        self.addresses = {
            params["address"]
            for kind, params in events
            if kind == "TCP_CONNECT_ATTEMPT"
            if "address" in params
        }
        self.sent = [params for kind, params in events if kind == "UDP_BYTES_SENT"]


def logging(path):
    return [f"--log-net-log={path}", "--net-log-capture-mode=Everything"]


def browsers():
    """The browser that is used, and the full one where that is another."""
    nowhere = Path("/none")
    found = [
        _chromium.find_executable(BrowserSettings(headless=headless), nowhere)
        for headless in (True, False)
    ]
    return list(dict.fromkeys(path for path in found if path)) or [None]


async def test_an_unguarded_browser_is_seen_going_out(inside, outside, tmp_path):
    flags = [*HEADLESS_FLAGS, "--no-startup-window", "--disable-popup-blocking", "--no-sandbox"]
    log = tmp_path / "log.json"
    process = await BrowserProcess.start(browsers()[-1], [*flags, *logging(log)])

    def came():
        kinds = {datagram[:2] for datagram in outside.datagrams}
        quic = any(first >= QUIC for first, *_ in kinds)
        return outside.ways >= AT_ONCE | {"ping"} and kinds >= {STUN, TURN} and quic

    try:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.connect_over_cdp(process.ws_url)
            context = browser.contexts[0]  # hints are not taken in any other
            await escape(await context.new_page(), inside, outside, "outside.invalid", came)
            await browser.close()
    finally:
        await process.close()
    assert outside.ways >= WAYS | {"ping"}
    kinds = {datagram[:2] for datagram in outside.datagrams}
    assert kinds >= {STUN, TURN}
    assert [first for first, *_ in kinds if first >= QUIC]
    names = {urlsplit(name).hostname for name in Log(log).names}
    hints = () if "shell" in browsers()[-1].name else ("dns-prefetch", "preconnect")
    assert names >= {f"{way}.outside.invalid" for way in ("fetch", *hints)}


@pytest.mark.parametrize("executable", browsers(), ids=lambda path: path and path.name)
async def test_nothing_gets_out(inside, outside, open_path, monkeypatch, executable):
    log = open_path / "log.json"
    monkeypatch.setattr(_chromium, "FLAGS", (*_chromium.FLAGS, *logging(log)))
    hosts = frozenset({inside.host})
    async with (
        BrowserPool(BrowserSettings(executable=executable)) as pool,
        pool.page(hosts) as page,
    ):
        await escape(page.raw, inside, outside, "outside.invalid")
        tried = set(inside.seen)
    assert tried >= {"/escape.html", "/redirect", "/reporting"}  # the page did run
    assert outside.seen == []
    assert outside.connections == 0
    assert outside.datagrams == []
    noted = Log(log)
    assert noted.names == set()
    assert noted.sent == []
    assert inside.host in noted.addresses
    (dead_end,) = noted.addresses - {inside.host}
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(dead_end.rpartition(":")[2])))


async def test_what_is_allowed_gets_through(inside, outside):
    hosts = frozenset({inside.host, outside.host})
    async with BrowserPool(BrowserSettings()) as pool, pool.page(hosts) as page:
        raw = page.raw
        await escape(raw, inside, outside, "outside.invalid", lambda: outside.ways >= AT_ONCE)
        await raw.wait_for_url(f"http://{outside.host}/leak/location")
    assert outside.ways >= WAYS
    assert not {datagram[:2] for datagram in outside.datagrams} & {STUN, TURN}
