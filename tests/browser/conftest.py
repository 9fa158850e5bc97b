"""Local pages on two hosts, served to a real Chromium."""

import contextlib
import functools
import http.server
import socketserver
import tempfile
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import pytest_asyncio

from appliance.browser import BrowserPool, Page, describe
from appliance.config import BrowserSettings
from appliance.core import actions
from appliance.core.actions import ActionKind
from appliance.core.page import Element, Observation, Performed

PAGES = Path(__file__).parent / "pages"


@pytest.fixture
def open_path() -> Iterator[Path]:
    """A folder where every user may read and write: root's browsers run as another."""
    with tempfile.TemporaryDirectory(prefix="open-", dir="/tmp") as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files, and a few addresses that take their time."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = parse_qs(parts.query)
        self.server.seen.append(self.path)
        if "delay" in query:
            self.server.stopping.wait(float(query["delay"][0]))
        if parts.path == "/download":
            body, headers = b"hello", {"Content-Disposition": 'attachment; filename="key.pem"'}
        elif parts.path == "/data":
            body, headers = b'{"items": ["db-1", "db-2"]}', {"Content-Type": "application/json"}
        elif parts.path in self.server.made:
            body, headers = self.server.made[parts.path]
        elif parts.path == "/error":
            self.send_error(500, "broken")
            return
        else:
            with contextlib.suppress(ConnectionError):
                super().do_GET()
            return
        self.send_response(200)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(body)

    do_POST = do_GET


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """Answers on every loopback name, and remembers what it was asked."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(PAGES)))
        self.seen: list[str] = []
        self.made: dict[str, tuple[bytes, dict[str, str]]] = {}
        self.stopping = threading.Event()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    def make(
        self, path: str, body: str | bytes, kind: str = "text/html; charset=utf-8", **headers: str
    ) -> str:
        """Serve a page that a test makes; its address."""
        content = body.encode() if isinstance(body, str) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.made[path] = content, {"Content-Type": kind, **named}
        return self.url + path


@pytest.fixture(scope="session")
def site() -> Iterator[Server]:
    """The pages under `pages/`."""
    server = Server()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.stopping.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="session")
def settings() -> BrowserSettings:
    return BrowserSettings(quiet_ms=100, settle_timeout_s=3.0, action_timeout_s=8.0)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def pool(settings: BrowserSettings) -> AsyncIterator[BrowserPool]:
    """One browser for all tests."""
    async with BrowserPool(settings) as opened:
        yield opened


async def _opened(pool: BrowserPool, site: Server) -> AsyncIterator[Page]:
    """A page that may reach the site by its address, and by name for cross-site frames."""
    async with pool.page(frozenset({site.host, f"localhost:{site.server_address[1]}"})) as opened:
        yield opened


fresh_page = pytest_asyncio.fixture(_opened, loop_scope="session")
kept_page = pytest_asyncio.fixture(_opened, scope="module", loop_scope="session")


@pytest.fixture
def page(request: pytest.FixtureRequest) -> Page:
    """A fresh page; where a module says ONE_PAGE, one for all its tests."""
    is_one = getattr(request.module, "ONE_PAGE", False)
    return request.getfixturevalue("kept_page" if is_one else "fresh_page")


@pytest.fixture
def see(page: Page, site: Server) -> Callable[[str], Awaitable[Observation]]:
    """What is seen of a body."""

    async def seen(body: str) -> Observation:
        html = f"<!doctype html><html lang=en><meta charset=utf-8><title>Seen</title><body>{body}"
        await page.goto(site.make("/seen", html))
        return await page.observe()

    return seen


Find = Callable[..., Element]


@pytest.fixture
def find() -> Find:
    """The one element of a name, narrowed by its other attributes."""

    def found(view: Observation, name: str, **attributes: object) -> Element:
        hits = [
            e
            for e in view.elements
            if e.name == name and all(getattr(e, k) == v for k, v in attributes.items())
        ]
        assert len(hits) == 1, f"{len(hits)} of {name!r} {attributes}\n{describe(view, whole=True)}"
        return hits[0]

    return found


@pytest.fixture
def act(page: Page, find: Find) -> Callable[..., Awaitable[Performed]]:
    """Observe, find by name, perform."""

    async def acted(
        kind: str,
        name: str | None = None,
        *,
        text: str = "",
        checked: bool = True,
        to: str | None = None,
        **attributes: object,
    ) -> Performed:
        view = await page.observe()
        element = find(view, name, **attributes).id if name else None
        target = find(view, to).id if to else None
        return await page.perform(
            actions.build(
                ActionKind(kind),
                element=element,
                argument=str(checked) if kind == "check" else text,
                to=target,
            )
        )

    return acted


@pytest.fixture
def out(page: Page) -> Callable[[], Awaitable[str]]:
    """What the page's script wrote into its `out` paragraph."""

    async def text() -> str:
        return (await page.raw.text_content("#out")) or ""

    return text
