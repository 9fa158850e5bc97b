"""`appliance serve`: REST, dashboard, schedules and sweeps, in one process until it is stopped."""

import asyncio
import gc
import json
import os
import signal
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, AsyncExitStack, ExitStack, contextmanager
from typing import Any, NamedTuple

import click
import uvicorn

from appliance import __version__
from appliance.cli._activity_log import record_activity, record_settings
from appliance.cli._app import CLEAN, TERMINATED, Invocation, pass_invocation
from appliance.cli._listening import listen, local_url
from appliance.cli._output import json_option, talk
from appliance.cli._practice import with_playgrounds
from appliance.cli._train_runs import carry_on
from appliance.config import Settings
from appliance.core.clock import SystemClock
from appliance.engine.address import Address, shown_address
from appliance.engine.engine import EngineOptions, open_engine
from appliance.engine.schedules.jobs import Lent
from appliance.engine.schedules.scheduler import Scheduler
from appliance.engine.webhooks.webhooks import Webhooks
from appliance.notifications.digest import Digest
from appliance.notifications.receiver import notification_receivers
from appliance.server.app import make_app
from appliance.server.certificate import ServedCertificate, tls_files
from appliance.server.hosts import is_for_this_machine
from appliance.server.keys import KeyStore, check_keys, key_lifetime
from appliance.server.parts import Service
from appliance.server.permissions import Permission
from appliance.store.keys import Role
from appliance.store.store import Store
from appliance.system.files import write_whole
from appliance.telemetry.event_log import log_event
from appliance.telemetry.gauges import watch_engine
from appliance.telemetry.logs import set_up_logs
from appliance.telemetry.metrics import Metrics
from appliance.telemetry.tracing import tracing
from appliance.training.window import TrainingWindow

_ANSWERS_S = 2
"""For requests that are being answered when everything else has stopped."""
_DRIVER_GONE = "Connection closed while reading from the driver"
_LAST_S = 4.5
"""After `server.stop_timeout_s`: then it ends, whatever is under way."""


@click.command("serve")
@click.option("--host", metavar="ADDRESS", help="Address to listen on [default: the settings']")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0: any free one [default: the settings']",
)
@json_option
@pass_invocation
def command(invocation: Invocation, host: str | None, port: int | None, as_json: bool) -> int:
    """Serve REST and dashboard, and run sweeps on a schedule, until stopped.

    Without settings, it verifies the practice cloud and the documentation that comes with it.
    """
    settings = invocation.settings({"server.host": host, "server.port": port})
    set_up_logs(settings.telemetry, sys.stderr)
    files = tls_files(settings.server.tls)
    certificate = ServedCertificate(files, SystemClock()) if files else None
    with ExitStack() as stack:
        listener = stack.enter_context(listen(settings.server))
        store = stack.enter_context(Store.open(settings.data_dir))
        ours = stack.enter_context(with_playgrounds(settings))
        record_settings(store, settings)
        keys = KeyStore(store.keys, lasts=key_lifetime(ours.server))
        is_open = is_for_this_machine(ours.server)
        if not is_open:
            _check_keys(ours, keys, store)

        @contextmanager
        def ready() -> Iterator[None]:
            address = Address(
                url=local_url(listener, ours.server),
                pid=os.getpid(),
                started_at=SystemClock().now(),
                version=__version__,
                certificate=str(files.certificate.absolute()) if files else "",
                key="" if is_open else keys.own(),
            )
            with shown_address(settings.data_dir, address):
                _tell_ready(address, settings, as_json)
                yield

        with_tls = certificate.context if certificate else None
        asyncio.run(_serve(ours, store, keys, _Door(listener, with_tls), ready))
    talk("Stopped.")
    return CLEAN


class _Door(NamedTuple):
    """Where it listens, and how: None is plain HTTP."""

    listener: socket.socket
    tls: ssl.SSLContext | None


async def _serve(
    settings: Settings,
    store: Store,
    keys: KeyStore,
    door: _Door,
    ready: Callable[[], AbstractContextManager[None]],
) -> None:
    """Everything, from the first part to the last."""
    clock, metrics = SystemClock(), Metrics()
    async with AsyncExitStack() as stack:
        traces = stack.enter_context(tracing(settings.telemetry, settings.outward))
        address = settings.server.public_url or local_url(door.listener, settings.server)
        with_links = _linking_to(address, settings)
        webhooks = Webhooks(
            with_links,
            store,
            clock,
            metrics.webhook_delivered,
            more=notification_receivers(settings, store),
        )
        engine = await stack.enter_async_context(
            open_engine(
                settings,
                store,
                EngineOptions(subscribers=(webhooks, metrics, traces, log_event), clock=clock),
            )
        )
        watch_engine(metrics, engine)
        window = TrainingWindow(
            engine=engine,
            settings=settings,
            clock=clock,
            carry_on=lambda run: carry_on(run, settings, lambda _: None),
        )
        lent_jobs = Lent(train=window, digest=Digest(with_links, store, webhooks, clock))
        scheduler = Scheduler(engine, settings, store, clock, metrics.schedule_ran, lent_jobs)
        service = Service(
            engine=engine,
            scheduler=scheduler,
            webhooks=webhooks,
            keys=keys,
            metrics=metrics,
        )

        def on_start() -> None:
            stack.enter_context(_program_kept())
            stack.enter_context(ready())

        server = _Server(service, door.tls, on_start)
        stop = _stop_signal()
        stack.push_async_callback(webhooks.stop)
        await webhooks.start()
        stack.push_async_callback(scheduler.stop)
        await scheduler.start()
        async with asyncio.TaskGroup() as group:
            answering = group.create_task(server.serve(sockets=[door.listener]))
            answering.add_done_callback(lambda _: stop.set())
            await stop.wait()
            _end_at_the_latest_in(settings.server.stop_timeout_s + _LAST_S)
            service.stopping.set()
            await scheduler.stop()
            await engine.drain(settings.server.stop_timeout_s)
            server.should_exit = True


class _Server(uvicorn.Server):
    """Says when it answers, and leaves signals to the program."""

    def __init__(
        self, service: Service, tls: ssl.SSLContext | None, on_start: Callable[[], object]
    ) -> None:
        super().__init__(
            uvicorn.Config(
                make_app(service),
                lifespan="on",
                log_config=None,
                log_level="warning",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=_ANSWERS_S,
                ssl_context_factory=(lambda _config, _default: tls) if tls else None,
            )
        )
        self._on_start = on_start

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """They are the program's: see `_stop_signal`."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then say so."""
        await super().startup(sockets)
        self._on_start()


@contextmanager
def _program_kept() -> Iterator[None]:
    """What the program consists of is not looked through for garbage.

    It stays, and looking through it made a page in twenty a fifth of a second slower.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()  # else DuckDB says at the end that its parts were never freed


def _linking_to(address: str, settings: Settings) -> Settings:
    """For what tells people: its links start with where the server is, whatever port that took."""
    server = settings.server.model_copy(update={"public_url": address})
    return settings.model_copy(update={"server": server})


def _stop_signal() -> asyncio.Event:
    """Set by the first SIGTERM or SIGINT; the second ends the program at once."""
    stop = asyncio.Event()

    def on_signal() -> None:
        if stop.is_set():
            talk("Stopped at once: the next start cleans up.")
            os._exit(TERMINATED)
        talk("Stopping: what is under way is cleaned up and goes on at the next start.")
        stop.set()

    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_without_driver)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal)
    return stop


def _without_driver(
    loop: asyncio.AbstractEventLoop, context: dict[str, Any]
) -> None:  # Any: asyncio
    """What nobody waited for is logged, but for Playwright's driver, which gets our signals too."""
    if _DRIVER_GONE not in str(context.get("exception")):
        loop.default_exception_handler(context)


def _end_at_the_latest_in(seconds: float) -> None:
    """Should something not come to its end: the next start cleans up, as after a crash."""
    timer = threading.Timer(seconds, os._exit, [TERMINATED])
    timer.daemon = True
    timer.start()


def _check_keys(settings: Settings, keys: KeyStore, store: Store) -> None:
    """Where it can be reached from elsewhere, somebody must have a key."""
    if any(key.revoked_at is None for key in keys.all()):
        check_keys(settings.server, keys.all())
        return
    first_key = keys.create("first", Role.ADMIN, "appliance serve")
    record_activity(
        store,
        Permission.CREATE_KEY,
        f"{first_key.row.id} {first_key.row.name}",
        first_key.row.role.value,
    )
    if sys.stderr.isatty():
        talk(
            f"The first key, with the role admin. It cannot be shown again:\n\n  {first_key.text}\n"
        )
        return
    file = settings.data_dir / "first-key"  # a log is kept, and read by others
    write_whole(file, first_key.text + "\n", mode=0o600)
    talk(f"The first key, with the role admin, is in {file}: note it, and remove the file.")


def _tell_ready(address: Address, settings: Settings, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"url": address.url, "pid": address.pid}))
        sys.stdout.flush()
    talk(f"Ready: {settings.server.public_url or address.url}")
    if not address.key:
        talk("From this machine, no key is needed. For others:")
    else:
        talk("Every request needs a key. Another one:")
    talk("  appliance key create NAME --role viewer|operator|admin")
