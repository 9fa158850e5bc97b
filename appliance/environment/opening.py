"""Puts the environment of one console together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from appliance.config import Settings
from appliance.consoles import Console, password_of, session_key
from appliance.core.clock import Clock, SystemClock
from appliance.core.events import Events
from appliance.environment.accounts import AccountPool
from appliance.environment.janitor import Janitor
from appliance.environment.lifecycle import OpenConsole
from appliance.environment.modules import Catalogue, module_folders
from appliance.environment.obstacles import Obstacles, Space
from appliance.environment.provisioning import Coder, Provisioner
from appliance.environment.recovery import Recovery
from appliance.environment.sandbox import reap
from appliance.environment.sessions import Sessions, forget_unencrypted
from appliance.environment.sharing import Sharing
from appliance.environment.terraform import Terraform
from appliance.inference.client import ModelClient
from appliance.store.store import Store


async def preflight(console: Console) -> None:
    """Raise what would block everything in it, before anything is started or written.

    Raises:
        ConsoleError: The first account's password cannot be read, or the console does not answer.
    """
    account = console.accounts(None)[0]
    if account.settings.password_env or account.settings.password_file:
        await asyncio.to_thread(password_of, account.name, account.settings)
    await console.check()


@asynccontextmanager
async def open_environment(
    console: Console,
    settings: Settings,
    store: Store,
    *,
    events: Events | None = None,
    clock: Clock | None = None,
    ends_with_run: bool = False,
) -> AsyncIterator[OpenConsole]:
    """The environment of a console.

    With `ends_with_run`, the console was started for this run and nothing of it stays.

    Raises:
        SetupError: A resource module is wrong.
    """
    clock = clock or SystemClock()
    of = settings.environment
    accounts = settings.consoles[console.name]
    events = events or Events()
    pool = await asyncio.to_thread(
        AccountPool, console, store.accounts, of.leases, clock, accounts.identities, events
    )
    if ends_with_run:
        await pool.forget()
    catalogue = await asyncio.to_thread(lambda: Catalogue.load(module_folders(settings)))
    modules = catalogue.of(accounts.kind)
    terraform = Terraform(of.terraform, settings.data_dir)
    if settings.model.endpoint:  # whoever may lock something up removes what a crash left locked up
        await asyncio.to_thread(reap)
    await asyncio.to_thread(forget_unencrypted, settings.data_dir)
    network = settings.outward
    client = ModelClient(settings.model, network=network) if settings.model.endpoint else None
    try:
        sharing = Sharing(terraform, store, clock, of.time_to_live_minutes)
        coder = _coder(client, settings, catalogue, terraform, console, store)
        provisioner = Provisioner(console, modules, sharing, store, events, coder)
        sessions = Sessions.of(
            settings,
            clock,
            data_dir=None if ends_with_run else settings.data_dir,
            key=await asyncio.to_thread(session_key, settings.storage, settings.data_dir),
        )
        obstacles = Obstacles(console, Space(settings))
        store.artifacts.leave_free(settings.storage.min_free_mib / 2)
        recovery = Recovery(console, provisioner, store, pool, clock, obstacles)
        yield OpenConsole(
            console=console,
            store=store,
            settings=of,
            clock=clock,
            pool=pool,
            provisioner=provisioner,
            sessions=sessions,
            obstacles=obstacles,
            recovery=recovery,
            janitor=Janitor(recovery, timedelta(minutes=of.time_to_live_minutes)),
            ends_with_run=ends_with_run,
        )
    finally:
        await terraform.close()
        if client is not None:
            await client.close()


def _coder(
    client: ModelClient | None,
    settings: Settings,
    catalogue: Catalogue,
    terraform: Terraform,
    console: Console,
    store: Store,
) -> Coder | None:
    """The resource coder, where there is a model to ask."""
    if client is None:
        return None
    from appliance.environment.coder import CoderSupply

    return CoderSupply(client, catalogue, terraform, console, settings, store)
