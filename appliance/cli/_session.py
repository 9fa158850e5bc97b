"""Puts console, browsers, store and engine together, for `verify` and for a sweep."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TypeVar

from appliance import sweep
from appliance.browser import BrowserPool
from appliance.cli._leftovers import tell_reaped
from appliance.config import ConsoleSettings, ModelSettings, Settings, masked
from appliance.consoles import Console, open_console
from appliance.core.clock import SystemClock
from appliance.core.events import Events, Subscriber
from appliance.core.people import People
from appliance.core.procedure import Document, Procedure
from appliance.core.result import RunResult
from appliance.environment.lifecycle import Environment
from appliance.environment.opening import open_world, preflight
from appliance.serving.models import open_model
from appliance.store import Store, StoreSubscriber
from appliance.verification import Kit, verify

T = TypeVar("T")


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
    return sweep.new_run_id(SystemClock().now())


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """All that a run needs, open and in order."""

    console: Console
    settings: Settings
    """With the address of a practice cloud that was started for the run."""
    pool: BrowserPool
    store: Store
    events: Events
    kit: Kit
    environment: Environment


def verify_request(
    request: Request, *subscribers: Subscriber, people: People | None = None
) -> RunResult:
    """Run it to its end. Ctrl-C and SIGTERM end it in order: what was made is removed first."""

    async def work(session: Session) -> RunResult:
        return await verify(
            request.documents,
            procedures=request.procedures,
            console=session.console,
            environment=session.environment,
            pool=session.pool,
            settings=session.settings,
            policy=request.policy,
            events=session.events,
            kit=session.kit,
            values=request.values,
            run_id=request.run_id,
            config=masked(request.settings),
        )

    return in_session(
        request.settings,
        request.console,
        request.run_id,
        work,
        *subscribers,
        policy=request.policy,
        people=people,
    )


def in_session(
    settings: Settings,
    console: str,
    run_id: str,
    work: Callable[[Session], Coroutine[None, None, T]],
    *subscribers: Subscriber,
    policy: str,
    people: People | None = None,
) -> T:
    """Open everything, do the work, close everything; what a crash left is removed first.

    Weights are served on this machine only where the policy may ask a model. Without `people`,
    nobody is asked.
    """

    async def whole() -> T:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - for the type checker: asyncio.run made one
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        async with _session(
            settings, console, chosen, run_id, policy, subscribers, people
        ) as session:
            return await work(session)

    with console_settings(settings, console) as chosen:
        return asyncio.run(whole())


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


def _unserved(model: ModelSettings) -> ModelSettings:
    """Without weights: it takes minutes until they answer, and nobody would ask."""
    return model.model_copy(update={"weights": None})


@asynccontextmanager
async def _session(
    was: Settings,
    name: str,
    console_settings: ConsoleSettings,
    run_id: str,
    policy: str,
    subscribers: tuple[Subscriber, ...],
    people: People | None,
) -> AsyncIterator[Session]:
    settings = was.model_copy(update={"consoles": {**was.consoles, name: console_settings}})
    if policy in ("replay", "literal"):
        settings = settings.model_copy(update={"model": _unserved(settings.model)})
    async with AsyncExitStack() as stack:
        console = open_console(name, console_settings, browser=settings.browser)
        stack.push_async_callback(console.close)
        await preflight(console)
        pool = await stack.enter_async_context(BrowserPool(settings.browser))
        store = stack.enter_context(Store.open(settings.data_dir))
        events = Events(StoreSubscriber(store), *subscribers)
        world = await stack.enter_async_context(
            open_world(
                console,
                settings,
                store,
                events=events,
                ends_with_run=not was.consoles[name].url,
            )
        )
        tell_reaped(await world.janitor.reap())
        environment = world.environment_of(run_id)
        await environment.look_again()
        model = await stack.enter_async_context(open_model(settings, waits=True))
        kit = Kit.of(model.settings, store, people)
        stack.push_async_callback(kit.aclose)
        yield Session(
            console=console,
            settings=settings,
            pool=pool,
            store=store,
            events=events,
            kit=kit,
            environment=environment,
        )
