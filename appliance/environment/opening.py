"""Puts the environment of one console together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

import structlog

from appliance.config import Settings
from appliance.consoles.base import Console
from appliance.core.clock import Clock, SystemClock
from appliance.core.errors import SetupError
from appliance.core.events import Events
from appliance.environment.accounts import AccountPool
from appliance.environment.janitor import Janitor
from appliance.environment.lifecycle import Environment
from appliance.environment.modules import Catalogue
from appliance.environment.provisioning import Provisioner
from appliance.environment.sharing import Sharing
from appliance.environment.terraform import Terraform
from appliance.store import Store

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """All that looks after one console's accounts and resources."""

    environment: Environment
    janitor: Janitor
    pool: AccountPool
    provisioner: Provisioner
    store: Store


@asynccontextmanager
async def open_world(
    console: Console,
    settings: Settings,
    store: Store,
    *,
    events: Events | None = None,
    clock: Clock | None = None,
    run_id: str = "",
    ends_with_run: bool = False,
) -> AsyncIterator[World]:
    """The environment of a console.

    Args:
        console: Its adapter.
        settings: All settings.
        store: Where leases, attempts and receipts are kept.
        events: Told what is made and removed.
        clock: The time.
        run_id: Whose attempts these are.
        ends_with_run: Whether the console was started for this run, and nothing of it stays.

    Raises:
        SetupError: A resource module is wrong.
    """
    clock = clock or SystemClock()
    of = settings.environment
    accounts = settings.consoles[console.name]
    pool = AccountPool(console, store.accounts, of.leases, clock, accounts.accounts)
    if ends_with_run:
        await pool.forget()
    modules = Catalogue.load(of.terraform.modules).of(accounts.kind)
    terraform = _terraform(settings)
    try:
        sharing = terraform and Sharing(terraform, store, clock, of.time_to_live_minutes)
        provisioner = Provisioner(console, modules, terraform, store, events or Events(), sharing)
        yield World(
            store=store,
            pool=pool,
            provisioner=provisioner,
            environment=Environment(
                console,
                pool=pool,
                provisioner=provisioner,
                coder=None,
                attempts=store.attempts,
                settings=of,
                clock=clock,
                run_id=run_id,
                ends_with_run=ends_with_run,
            ),
            janitor=Janitor(
                console,
                pool=pool,
                provisioner=provisioner,
                store=store,
                clock=clock,
                time_to_live=timedelta(minutes=of.time_to_live_minutes),
            ),
        )
    finally:
        if terraform is not None:
            await terraform.close()


def _terraform(settings: Settings) -> Terraform | None:
    """Terraform, where there is one: without it consoles make what they can by their own API."""
    try:
        return Terraform(settings.environment.terraform, settings.data_dir)
    except SetupError as exc:
        if settings.environment.terraform.binary is not None:
            raise
        _log.warning("no_terraform", reason=str(exc))
        return None
