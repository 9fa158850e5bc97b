"""Runs the practice cloud: in this process until told to stop, or beside it for tests."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

import uvicorn

from appliance.core.clock import Clock
from appliance.core.errors import SetupError
from appliance.practice.accounts import (
    Account,
    Doorkeeper,
    accounts_of,
)
from appliance.practice.app import create_app
from appliance.practice.catalogue import Catalogue
from appliance.practice.cloud import Cloud
from appliance.practice.releases import catalogue
from appliance.practice.second_factor import SecondFactor
from appliance.practice.settings import PracticeSettings
from appliance.practice.single_sign_on import SingleSignOn

START_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class Running:
    """A practice cloud that answers."""

    url: str
    cloud: Cloud
    password: str
    accounts: tuple[Account, ...]


Stop = Callable[[], None]


def serve(settings: PracticeSettings, on_ready: Callable[[Running, Stop], None]) -> None:
    """Serve until a signal comes or `stop` is called. `on_ready` is told when it answers."""
    with closing(_cloud(settings)) as cloud, listen(settings) as listener:
        _, server = _prepare(cloud, settings, listener, on_ready)
        server.run(sockets=[listener])


@contextmanager
def serving(
    settings: PracticeSettings, clock: Clock | None = None, offered: Catalogue | None = None
) -> Iterator[Running]:
    """Serve in a thread of this process while the block runs."""
    is_ready = threading.Event()
    with closing(_cloud(settings, clock, offered)) as cloud, listen(settings) as listener:
        running, server = _prepare(cloud, settings, listener, lambda *_: is_ready.set())
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        try:
            if not is_ready.wait(START_TIMEOUT_S):
                raise SetupError(f"the practice cloud did not start within {START_TIMEOUT_S:g} s")
            yield running
        finally:
            server.should_exit = True
            thread.join(START_TIMEOUT_S)


class _Server(uvicorn.Server):
    """A server that reports when it is ready."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_start()


def _cloud(
    settings: PracticeSettings, clock: Clock | None = None, offered: Catalogue | None = None
) -> Cloud:
    if settings.data_dir is not None:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
    return Cloud(
        offered or catalogue(settings.release, settings.drift),
        settle_s=settings.settle_s,
        clock=clock,
        data_dir=settings.data_dir,
        audit_delay_s=settings.audit_delay_s,
    )


def _prepare(
    cloud: Cloud,
    settings: PracticeSettings,
    listener: socket.socket,
    on_ready: Callable[[Running, Stop], None],
) -> tuple[Running, _Server]:
    host, port = listener.getsockname()[:2]
    accounts = accounts_of(settings.accounts)
    running = Running(f"http://{host}:{port}", cloud, settings.password, accounts)
    doorkeeper = Doorkeeper(
        settings.password,
        accounts,
        session_s=settings.session_s,
        clock=cloud.clock,
        second_factor=SecondFactor(settings.second_factor) if settings.second_factor else None,
        single_sign_on=SingleSignOn(settings.single_sign_on) if settings.single_sign_on else None,
    )
    config = uvicorn.Config(
        create_app(cloud, doorkeeper, settings.frame_origin),
        log_level="warning",
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=1,
        server_header=False,
    )

    def started() -> None:
        on_ready(running, stop)

    server = _Server(config, started)

    def stop() -> None:
        server.should_exit = True

    return running, server


def listen(settings: PracticeSettings) -> socket.socket:
    """A socket where the settings want it; `SetupError` when it cannot be had."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # The protocol is named because asyncio turns Nagle's algorithm off (40 ms an answer) only then.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as exc:
        listener.close()
        where = f"{settings.host}:{settings.port}"
        reason = exc.strerror or exc
        raise SetupError(
            f"the practice cloud cannot listen on {where}: {reason}; choose another port"
        ) from exc
    listener.listen(128)
    return listener
