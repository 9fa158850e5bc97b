"""One `verify` from request to result: puts console, browsers, store and engine together."""

import asyncio
import secrets
import signal
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from appliance.browser import BrowserPool
from appliance.cli._leftovers import tell_reaped
from appliance.config import ConsoleSettings, Settings, masked
from appliance.consoles import Console, open_console
from appliance.consoles.passwords import password_of
from appliance.core.events import Events, Subscriber
from appliance.core.procedure import Document, Procedure
from appliance.core.result import RunResult
from appliance.environment.opening import open_world
from appliance.store import Store, StoreSubscriber
from appliance.verification import verify


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is to be verified, and against what."""

    documents: tuple[Document, ...]
    procedures: tuple[Procedure, ...]
    settings: Settings
    console: str
    policy: str
    values: Mapping[str, str]
    run_id: str


def new_run_id() -> str:
    """An id that sorts by time and is not used yet."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


def verify_request(request: Request, *subscribers: Subscriber) -> RunResult:
    """Run it to its end. Ctrl-C and SIGTERM end it in order: what was made is removed first."""
    with console_settings(request.settings, request.console) as settings:
        return asyncio.run(_verify(request, settings, subscribers))


@contextmanager
def console_settings(settings: Settings, name: str) -> Iterator[ConsoleSettings]:
    """A console's settings; a practice cloud without an address is started, and stopped after."""
    console = settings.consoles[name]
    if console.kind != "practice" or console.url:
        yield console
        return
    from appliance.cli._practice import start_practice

    with start_practice(release=console.release, drift=console.drift, data_dir=None) as practice:
        chosen = console.model_dump(include={"locale", "hosts"}, exclude_defaults=True)
        yield practice.settings.model_copy(update=chosen)


async def _preflight(console: Console) -> None:
    """Raise what would block every procedure, before anything is started or written."""
    account = console.accounts(None)[0]
    if account.settings.password_env or account.settings.password_file:
        password_of(account.name, account.settings)
    await console.check()


async def _verify(
    request: Request, console_settings: ConsoleSettings, subscribers: tuple[Subscriber, ...]
) -> RunResult:
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - for the type checker: asyncio.run made one
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    name = request.console
    was = request.settings
    settings = was.model_copy(update={"consoles": {**was.consoles, name: console_settings}})
    async with AsyncExitStack() as stack:
        console = open_console(name, console_settings)
        stack.push_async_callback(console.close)
        await _preflight(console)
        pool = await stack.enter_async_context(BrowserPool(settings.browser))
        store = stack.enter_context(Store.open(settings.data_dir))
        events = Events(StoreSubscriber(store), *subscribers)
        world = await stack.enter_async_context(
            open_world(
                console,
                settings,
                store,
                events=events,
                run_id=request.run_id,
                ends_with_run=not was.consoles[name].url,
            )
        )
        tell_reaped(await world.janitor.reap())
        return await verify(
            request.documents,
            procedures=request.procedures,
            console=console,
            environment=world.environment,
            pool=pool,
            settings=settings,
            policy=request.policy,
            events=events,
            artifacts=store.artifacts,
            values=request.values,
            run_id=request.run_id,
            config=masked(was),
        )
