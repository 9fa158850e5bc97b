"""A server to ask: `make_app` on a store of its own and an engine that starts no console.

`local` asks as somebody at this machine does (an admin without a key), `stranger` from elsewhere
without a key; `asking(Role.VIEWER)` gives a client with a key of that role. All of them go through
the whole application, but for the socket; `address` is that of one behind a real socket.
"""

import asyncio
import shutil
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from playwright.async_api import Browser

from appliance.browser import BrowserPool
from appliance.config import Settings
from appliance.engine.engine import Engine, EngineOptions
from appliance.engine.problems import NotReady
from appliance.engine.schedules.scheduler import Scheduler
from appliance.engine.webhooks.webhooks import Webhooks
from appliance.server.app import make_app
from appliance.server.keys import KeyStore
from appliance.server.parts import Service
from appliance.store.keys import Role
from appliance.store.store import FILE_NAME, Store
from appliance.telemetry.metrics import Metrics
from tests.chromium import chromium

AT = "http://127.0.0.1:8080"
ELSEWHERE = "192.0.2.7"
HTTP_ONLY: dict[str, Any] = {
    "port": 0,
    "log_config": None,
    "access_log": False,
    "proxy_headers": False,
    # At its start it describes its API ahead of need, for half a second: here, who asks waits.
    "lifespan": "off",
}
"""Of a server around the application."""


class TurnedClock:
    """A clock that stands still until a test turns it."""

    def __init__(self) -> None:
        self.passed_s = 0.0

    def now(self) -> datetime:
        return datetime.fromtimestamp(1_795_000_000 + self.passed_s, UTC)

    def monotonic(self) -> float:
        return self.passed_s


class QuietEngine(Engine):
    """Keeps what is asked for and does not work: no browser, no console; what needs one says so."""

    def __init__(self, settings: Settings, store: Store, clock: TurnedClock) -> None:
        super().__init__(
            settings, store, BrowserPool(settings.browser), options=EngineOptions(clock=clock)
        )
        self.not_ready: tuple[NotReady, ...] = ()

    def problems(self) -> tuple[NotReady, ...]:
        return self.not_ready


@pytest.fixture
def clock() -> TurnedClock:
    return TurnedClock()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Override it in a test module for other settings."""
    return Settings(data_dir=tmp_path)


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with all its tables and no rows: copied, as making one takes a while."""
    folder = tmp_path_factory.mktemp("empty")
    Store.open(folder).close()
    return folder / FILE_NAME


@pytest.fixture
def store(settings: Settings, empty_store: Path) -> Iterator[Store]:
    shutil.copyfile(empty_store, settings.data_dir / FILE_NAME)
    with Store.open(settings.data_dir) as store:
        yield store


@pytest.fixture
def service(settings: Settings, store: Store, clock: TurnedClock) -> Service:
    engine = QuietEngine(settings, store, clock)
    return Service(
        engine=engine,
        scheduler=Scheduler(engine, settings, store, clock),
        webhooks=Webhooks(settings, store, clock),
        keys=KeyStore(store.keys, clock),
        metrics=Metrics(),
    )


@pytest.fixture
def app(service: Service):
    return make_app(service)


Ask = Callable[..., httpx.AsyncClient]


@pytest.fixture
async def asking(app, service: Service) -> AsyncIterator[Ask]:
    """`asking(role, client=ADDRESS, **headers)`: a client; role None: without a key."""
    async with AsyncExitStack() as stack:
        opened: list[httpx.AsyncClient] = []

        def ask(
            role: Role | None = None, *, client: str = ELSEWHERE, at: str = AT, **headers: str
        ) -> httpx.AsyncClient:
            if role is not None:
                made = service.keys.create(f"{role} {len(opened)}", role, "test")
                headers["Authorization"] = f"Bearer {made.text}"
            transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(client, 50000))
            opened.append(httpx.AsyncClient(transport=transport, base_url=at, headers=headers))
            stack.push_async_callback(opened[-1].aclose)
            return opened[-1]

        yield ask


@pytest.fixture
def local(asking: Ask) -> httpx.AsyncClient:
    return asking(client="127.0.0.1")


@pytest.fixture
def stranger(asking: Ask) -> httpx.AsyncClient:
    return asking()


@pytest.fixture
def address(app, service: Service) -> Iterator[str]:
    """Where the same application listens: `http://127.0.0.1:PORT`, from a thread of its own."""
    config = uvicorn.Config(app, **HTTP_ONLY)
    server = uvicorn.Server(config)
    has_started = threading.Event()

    async def serve() -> None:
        task = asyncio.create_task(server.serve())
        while not server.started and not task.done():
            await asyncio.sleep(0.01)
        has_started.set()
        while not server.should_exit:
            await asyncio.sleep(0.02)
        service.stopping.set()
        await task

    thread = threading.Thread(target=asyncio.run, args=[serve()])
    thread.start()
    has_started.wait(10)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(10)
    assert not thread.is_alive()


@pytest.fixture
async def here(app, service: Service) -> AsyncIterator[str]:
    """Where the application listens, in the test's own loop: what it does is seen at once."""
    config = uvicorn.Config(app, **HTTP_ONLY)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    service.stopping.set()
    server.should_exit = True
    await serving


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as browser:
        yield browser
